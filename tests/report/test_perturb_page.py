"""The page of a perturbation test: two texts side by side, order of comparisons, what strange texts can't do."""

import json

import pytest

import evenhand as eh
from evenhand.report.perturb.sections import LONGEST, side_by_side
from evenhand.report.words.numbers import Scale
from evenhand.results.score_audit import MovedPair

HOSTILE = "</script><script>alert(1)</script> {{ 7*7 }} \x1b[31m \u202e &amp; '\""


def pair(text, reference_text):
    return MovedPair(
        kind="name",
        group="female × black",
        reference="male × white",
        position="n",
        name="Ann Ray",
        reference_name="Tom Ray",
        score=41.0,
        reference_score=-3.0,
        text=text,
        reference_text=reference_text,
    )


@pytest.mark.parametrize(
    ("texts", "marked"),
    [
        (("Ann Ray\nShe led.", "Tom Ray\nHe led."), (["Ann", "She"], ["Tom", "He"])),
        (("ann.ray@example.org", "tom.ray@example.org"), (["ann"], ["tom"])),
        (("Ann Ray", "Ann Ray"), ([], [])),
        (("Ann Ray\nMember, Club", "Ann Ray"), (["\nMember, Club"], [])),
        (("", "Tom"), ([], ["Tom"])),
    ],
)
def test_the_words_are_marked_in_which_two_texts_differ(texts, marked):
    found = side_by_side(pair(*texts), Scale(decimals=1))
    for side, text, words in zip(found.texts, texts, marked, strict=True):
        assert "".join(piece.text for piece in side) == text
        assert [piece.text for piece in side if piece.marked] == words
    assert found.labels == ("Ann Ray (female Black): 41.0", "Tom Ray (male White): 3.0")


def test_a_long_text_is_cut_and_says_so():
    found = side_by_side(pair("a " * LONGEST, "a " * LONGEST), Scale())
    assert "".join(piece.text for piece in found.texts[0]).endswith(f"({LONGEST:,} more letters)")


def test_texts_that_may_not_be_shown_are_not():
    assert side_by_side(pair(None, None), Scale()) is None


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    people = [
        {"id": f"{HOSTILE}{number}", "text": f"Jane Doe\n\nNurse {number}. {HOSTILE}", "known_names": ["Jane Doe"]}
        for number in range(3)
    ]
    position = {"id": HOSTILE, "title": HOSTILE, "text": HOSTILE}
    (folder / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in people), encoding="utf-8")
    (folder / "positions.jsonl").write_text(json.dumps(position) + "\n", encoding="utf-8")
    run = eh.perturb(
        folder / "people.jsonl",
        folder / "positions.jsonl",
        scorer="sim:shift?black=-1",
        by=["race"],
        margin=1,
        names_per_group=2,
        show_pairs=2,
        out=folder / "run",
    )
    return run.report_path.read_text("utf-8")


def test_strange_texts_stay_texts(page):
    assert "<script>" not in page
    assert "{{ 7*7 }}" in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "&lt;/script&gt;" in page


def test_groups_are_compared_with_the_reference_group_only(page):
    assert all(f"Name: {group} − White</th>" in page for group in ("Asian", "Black", "Hispanic"))
    assert not any(f"Name: {pair}</th>" in page for pair in ("Black − Asian", "Hispanic − Black"))
