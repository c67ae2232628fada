"""The annotated résumés that masking is measured on: are the annotations right?"""

import re
import sys
from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from masking.generate import draw_document, resume, resumes
from masking.marked import ALWAYS, OPTIONAL, fill, joined, mark
from masking.names import NAMES, ORIGINS, SETS, folded
from masking.person import words_of

SEED = 3


@cache
def drawn(which, count=6):
    return [draw_document(which, origin, number, SEED) for origin in ORIGINS for number in range(count)]


def sentences(which):
    """All strings of a set's prose, tuples within tuples opened."""

    def opened(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, (tuple, dict)):
            for each in value.values() if isinstance(value, dict) else value:
                yield from opened(each)

    modules = [import_module(f"masking.{kind}_{which}") for kind in ("prose", "identity")]
    return {
        each for module in modules for name, value in vars(module).items() if name.isupper() for each in opened(value)
    }


def test_marks_become_offsets_and_blanks_join_them():
    line = joined(
        " ", [mark("NAME", "Ada"), mark("NAME", "Łoś"), fill("is {G|a woman} of {?|note}; {who}.", {"who": "she"})]
    )
    assert line.text == "Ada Łoś is a woman of note; she."
    assert line.spans() == [(0, 7, "NAME"), (11, 18, "GENDER")]
    assert line.ignored() == [(22, 26)]
    # ß becomes two letters; offsets are counted afterwards.
    shout = fill("{N|Weiß} {G|he}").upper()
    assert [(shout.text[start:end], category) for start, end, category in shout.spans()] == [
        ("WEISS", "NAME"),
        ("HE", "GENDER"),
    ]


@pytest.mark.parametrize("which", SETS)
def test_spans_hold_exactly_the_marked_pieces(which):
    for _, _, document in drawn(which):
        letters = [category for text, category in document.pieces for _ in text]
        assert len(letters) == len(document.text)
        covered = [""] * len(letters)
        for start, end, category in document.spans():
            assert document.text[start:end].strip()
            covered[start:end] = [category] * (end - start)
        for at, (was, now) in enumerate(zip(letters, covered, strict=True)):
            assert was.replace("?", "") == now or (document.text[at] == " " and not was)


@pytest.mark.parametrize("which", SETS)
def test_the_name_stands_nowhere_unmarked(which):
    """Words of the name that no sentence has as a word occur in marked pieces only."""
    vocabulary = words_of(" ".join(sentences(which)))
    folder = Path(import_module(f"masking.layouts_{which}").__file__).parent
    layouts = words_of(" ".join(path.read_text(encoding="utf-8") for path in folder.glob(f"layouts_{which}*.py")))
    checked = 0
    for person, _, document in drawn(which):
        rare = person.all_tokens - vocabulary - layouts
        outside = " | ".join(text for text, category in document.pieces if not category)
        assert not rare & words_of(outside)
        # Letters only, as one layout has blanks between them.
        named = re.sub(
            r"[^a-z]+", "", folded("".join(text for text, category in document.pieces if category == "NAME"))
        )
        assert re.sub(r"[^a-z]+", "", folded(person.last)) in named
        checked += len(rare)
    assert checked > 60


@pytest.mark.parametrize("which", SETS)
def test_no_brace_of_a_template_is_left(which):
    for _, layout, document in drawn(which):
        if layout not in {"json_resume", "typeset_source"}:
            assert not re.search(r"[{}]", document.text)


@pytest.mark.parametrize("which", SETS)
def test_every_category_and_layout_occurs(which):
    rows = list(resumes(which, per_origin=20, seed=SEED))
    assert {category for row in rows for *_, category in row["spans"]} == {*ALWAYS, *OPTIONAL}
    assert len({row["layout"] for row in rows}) >= 12
    words = [len(row["text"].split()) for row in rows]
    assert min(words) >= 100
    assert max(words) <= 900
    assert sum(row["gender"] == "f" for row in rows) * 2 == len(rows)


def test_the_sets_share_no_layout_no_sentence_and_no_given_name():
    layouts = [set(import_module(f"masking.layouts_{which}").LAYOUTS) for which in SETS]
    told = [{each for each in sentences(which) if len(each.split()) > 4} for which in SETS]
    names = [
        {
            folded(name)
            for origin in ORIGINS
            for kind in ("male", "female")  # some origins have few family names
            for name in getattr(NAMES[which, origin], kind)
        }
        for which in SETS
    ]
    for kind in (layouts, told, names):
        for one, other in combinations(kind, 2):
            assert not one & other


@pytest.mark.parametrize("origin", ORIGINS)
def test_each_origin_has_sixty_given_and_sixty_family_names(origin):
    lists = [NAMES[which, origin] for which in SETS]
    assert len({name for each in lists for name in each.male + each.female}) >= 60
    assert len({name for each in lists for name in each.family}) >= 60


def test_a_resume_is_the_same_each_time_and_another_with_another_seed():
    assert resume("open", "korean", 4, 1) == resume("open", "korean", 4, 1)
    assert resume("open", "korean", 4, 1)["text"] != resume("open", "korean", 4, 2)["text"]
