"""matcher.json: what is read is what was written, and what else is refused in one line."""

import hashlib

import numpy as np
import orjson
import pytest

from evenhand.errors import InputError
from evenhand.matching.features import NAMES
from evenhand.matching.matcher import SCHEMA, Calibration, Curve, Matcher, matcher_json, read_matcher
from evenhand.matching.terms import Terms, Vocabulary

TERMS = Terms(phrases=frozenset({("wound", "care")}), weights={("and",): 0.0, ("wound", "care"): 1.25})


@pytest.fixture
def file(tmp_path):
    matcher = Matcher(
        base=0.1,
        curves=(Curve(edges=(0.5,), values=(-0.1, 0.2), missing=1 / 3),) * len(NAMES),
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
        ({"base": 0.2}, "was changed after it was written"),
        ({"card": {"seed": 1}}, "was changed after it was written"),
        ({"sha256": None}, "was changed after it was written"),
        ({"schema": "evenhand.matcher/0"}, f"is of version evenhand.matcher/0; this version reads {SCHEMA}"),
        ({"schema": "evenhand.findings/2"}, "is not a matcher"),
    ],
)
def test_what_was_changed_or_is_another_is_refused(file, keys, told):
    changed(file, **keys)
    with pytest.raises(InputError, match=told):
        read_matcher(file)


@pytest.mark.parametrize(
    "keys",
    [
        {"base": None},
        {"curves": []},
        {"curves": [{"edges": [0.7, 0.5], "values": [0.0, 0.0, 0.0], "missing": 0.0}] * len(NAMES)},
        {"curves": [{"edges": [0.5], "values": [0.0], "missing": 0.0}] * len(NAMES)},
        {"curves": [{"edges": [0.5], "values": [0.0, 1e300], "missing": 0.0}] * len(NAMES)},
        {"vocabulary": ["a"]},
        {"vocabulary": {"a": 0}},
        {"terms": {}},
        {"calibration": {}},
    ],
)
def test_what_lacks_something_is_refused_whoever_renewed_its_sum(file, keys):
    content = {**orjson.loads(file.read_bytes()), **keys}
    content.pop("sha256")
    renewed(file, content)
    with pytest.raises(InputError, match="is damaged"):
        read_matcher(file)


#: Values that are wrong almost anywhere; of `...` the key is missing.
WRONG = (None, "x", "", -1e9, 1e308, 2**63, [], {}, True, [[]], {"a": 1}, [None], ...)


def renewed(file, content):
    told = hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
    file.write_bytes(orjson.dumps({"sha256": told, **content}))


def refused_or_finite(file):
    """Say whether a matcher is refused in one line that names it; else it gives shares."""
    try:
        matcher = read_matcher(file)
    except InputError as error:
        return str(file) in str(error) and "\n" not in str(error) and len(str(error)) < 500
    features = np.array([[0.6] * len(NAMES), [np.nan] * len(NAMES)], np.float32)
    score = matcher.score(matcher.margin(features)[:, None], ["15"])
    assert ((score >= 0) & (score <= 1)).all()
    return False


def places(content, at=()):
    if at[:1] == ("curves",) and at[1:2] > (0,):
        return  # as the first one
    yield at
    if isinstance(content, dict | list) and at[:1] != ("card",):
        for key in content if isinstance(content, dict) else range(len(content)):
            yield from places(content[key], (*at, key))


def test_no_damage_to_any_value_gives_another_answer(file):
    content = orjson.loads(file.read_bytes())
    content.pop("sha256")
    accepted = set()
    for place in [place for place in places(content) if place]:
        for wrong in WRONG:
            changed = orjson.loads(orjson.dumps(content))
            above = changed
            for key in place[:-1]:
                above = above[key]
            if wrong is ...:
                del above[place[-1]]
            else:
                above[place[-1]] = wrong
            renewed(file, changed)
            if not refused_or_finite(file):
                accepted.add((*place[:2], repr(wrong)))
    assert {place[0] for place in accepted} <= {"card", "vocabulary", "terms", "calibration"}
    # Its margins and scores are empty anyway.
    assert {wrong for _, *among, wrong in accepted if among == ["pooled"]} <= {repr(2**63), "[]"}


@pytest.mark.parametrize(
    ("content", "told"), [(b"{", "is not valid JSON"), (b"[1]", "is not a matcher"), (None, "can't be read")]
)
def test_what_is_no_matcher_is_refused(file, content, told):
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_matcher(file)
