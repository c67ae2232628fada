"""matcher.json: what is read is what was written, and what else is refused in one line."""

import hashlib

import numpy as np
import orjson
import pytest

from evenhand.errors import InputError
from evenhand.matching.features import NAMES
from evenhand.matching.matcher import SCHEMA, Calibration, Matcher, matcher_json, read_matcher
from evenhand.matching.terms import Terms, Vocabulary

TERMS = Terms(phrases=frozenset({("wound", "care")}), weights={("and",): 0.0, ("wound", "care"): 1.25})


@pytest.fixture
def file(tmp_path):
    matcher = Matcher.of(
        model="tree\n",
        start=0.1,
        centres=(1 / 3,) * len(NAMES),
        vocabulary=Vocabulary(words=("b", "a"), weights=np.array([0.5, 1.25]), terms=TERMS),
        pooled=Calibration(method="platt", pairs=300, slope=1.5),
        families={"15": Calibration(method="isotonic", pairs=1000, margins=(0.0, 1.0), scores=(0.2, 0.9))},
        as_of=2024.5,
        card={"seed": 0},
    )
    path = tmp_path / "matcher.json"
    path.write_bytes(matcher_json(matcher))
    return path


def test_a_matcher_that_is_read_is_written_the_same(file):
    assert matcher_json(read_matcher(file)) == file.read_bytes()


def changed(file, **keys):
    file.write_bytes(orjson.dumps({**orjson.loads(file.read_bytes()), **keys}))


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"start": 0.2}, "was changed after it was written"),
        ({"card": {"seed": 1}}, "was changed after it was written"),
        ({"sha256": None}, "was changed after it was written"),
        ({"schema": "evenhand.matcher/0"}, f"is of version evenhand.matcher/0; this one reads {SCHEMA}"),
        ({"schema": "evenhand.findings/2"}, "is no matcher"),
    ],
)
def test_what_was_changed_or_is_another_is_refused(file, keys, told):
    changed(file, **keys)
    with pytest.raises(InputError, match=told):
        read_matcher(file)


@pytest.mark.parametrize(
    "keys", [{"model": None}, {"centres": 1}, {"vocabulary": ["a"]}, {"terms": {}}, {"calibration": {}}]
)
def test_what_lacks_something_is_refused_whoever_renewed_its_sum(file, keys):
    content = {**orjson.loads(file.read_bytes()), **keys}
    content.pop("sha256")
    told = hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
    file.write_bytes(orjson.dumps({"sha256": told, **content}))
    with pytest.raises(InputError, match="is damaged"):
        read_matcher(file)


@pytest.mark.parametrize(
    ("content", "told"), [(b"{", "is no JSON"), (b"[1]", "is no matcher"), (None, "can't be read")]
)
def test_what_is_no_matcher_is_refused(file, content, told):
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_matcher(file)
