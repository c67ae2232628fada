"""E-mails that decide, as people would read them: those of answers.toml, and what holds for every answer."""

import tomllib
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.probes.hiring_an.probe import PROBE
from evenhand.probes.hiring_an.reader import LETTER_WORDS, read_answer
from evenhand.results.schemas import STATUSES

PARTS = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))
ROWS = [(f"{part}-{number}", row) for part, rows in PARTS.items() for number, row in enumerate(rows, start=1)]
ACCEPTING = PARTS["phrases"][0]["text"]


def expected_of(row):
    return row.get("status", "observed"), row.get("accepted")


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[name for name, _ in ROWS])
def test_a_decision_is_read_as_a_person_would(row):
    reading = read_answer(row["text"], row.get("finish"))
    assert (reading.status, reading.accepted) == expected_of(row), reading
    assert reading.rule == row.get("rule", reading.rule)


# One-paragraph examples: their layout carries no meaning, so it may be changed at will.
PLAIN = [
    (row["text"], expected_of(row))
    for part in ("phrases", "negated", "must_not_match")
    for row in PARTS[part]
    if row["text"].isascii() and not set("\n`<\\") & set(row["text"])
]


def _dress(draw, word):
    mark = draw(st.sampled_from(["", "", "**", "*", "_", "`", "***"]))
    word = draw(st.sampled_from([word, word.upper(), word.lower(), word.swapcase()]))
    if draw(st.booleans()):
        at = draw(st.integers(0, len(word)))
        word = word[:at] + draw(st.sampled_from(["\u200b", "\u00ad", "\u2060", "\ufe0f"])) + word[at:]
    return mark + word + mark


@st.composite
def _dressed_examples(draw):
    text, expected = draw(st.sampled_from(PLAIN))
    if draw(st.booleans()):
        text = text.replace("'", "\u2019").replace('"', "\u201d")
    words = [_dress(draw, word) for word in text.split(" ")]
    spaces = draw(
        st.lists(st.sampled_from([" ", " ", "\n", "\r\n", "\u00a0", "\t", "  ", "\u2009"]), min_size=len(words))
    )
    return "".join(word + space for word, space in zip(words, spaces, strict=False)), expected


@given(_dressed_examples())
def test_markup_quotes_wraps_and_case_do_not_change_the_reading(example):
    text, expected = example
    reading = read_answer(text)
    assert (reading.status, reading.accepted) == expected


@pytest.mark.parametrize(
    ("text", "finish", "error", "status"),
    [
        (ACCEPTING, "stop", "missing", "missing"),
        (ACCEPTING, "stop", "timeout", "error"),
        (ACCEPTING, None, "", "observed"),
        (None, None, None, "missing"),
        (None, "length", None, "truncated"),
        (None, "content_filter", None, "refused"),
    ],
)
def test_an_answer_that_is_not_there_or_failed_has_a_status(text, finish, error, status):
    reading = read_answer(text, finish, error_class=error)
    assert (reading.status, reading.accepted is not None) == (status, status == "observed")


def test_every_rule_is_in_the_card_and_has_a_status_of_the_outcomes_table():
    assert set(LETTER_WORDS.statuses.values()) <= set(STATUSES)
    assert [rule for rule in LETTER_WORDS.statuses if f"`{rule}`" not in PROBE.card()] == []


LETTERS = st.text(alphabet="you have been selected we regret to inform ,.\"'*_<>[]()if not\n&#;\\-", max_size=300)


@given(st.one_of(LETTERS, st.text(max_size=200)), st.sampled_from([None, "stop", "length", "content_filter", "odd"]))
def test_any_text_gets_a_reading_that_holds_together(text, finish_reason):
    reading = read_answer(text, finish_reason)
    assert reading.status == LETTER_WORDS.statuses[reading.rule]
    assert (reading.status == "observed") == (reading.accepted is not None)


# Each of these makes some pattern try again at every place; a reader that backtracks would take minutes.
ADVERSARIES = tomllib.loads(Path(__file__).with_name("adversaries.toml").read_text("utf-8"))["pieces"]


@pytest.mark.parametrize("piece", ADVERSARIES, ids=range(len(ADVERSARIES)))
def test_many_adversarial_characters_are_read_in_linear_time(piece):
    text = (piece * (50_000 // len(piece) + 1))[:50_000]
    started = process_time()
    assert read_answer(text).rule in LETTER_WORDS.statuses
    assert read_answer(f"{text}\n\nWe regret to inform you.\n").rule in LETTER_WORDS.statuses
    assert process_time() - started < 4
