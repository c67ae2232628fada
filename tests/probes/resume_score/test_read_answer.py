"""Scores in the answers of answers.toml, and what holds for any answer."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evenhand.probes.resume_score.numbers import SCORE_WORDS
from evenhand.probes.resume_score.reader import read_score
from evenhand.results.schemas import STATUSES

PARTS = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))
ROWS = [(part, number, row) for part, rows in PARTS.items() for number, row in enumerate(rows, start=1)]


def ends(written):
    """Return both ends of a range: '0-100', '-10-10'."""
    low, _, high = written.rpartition("-")
    return float(low), float(high)


def read(text, *, span="0-100", finish="stop", error=None):
    low, high = ends(span)
    return read_score(text, finish, low=low, high=high, error_class=error)


@pytest.mark.parametrize("row", [row for *_, row in ROWS], ids=[f"{part}-{number}" for part, number, _ in ROWS])
def test_the_score_of_an_answer_is_read_or_the_reason_why_there_is_none(row):
    reading = read(row["text"], span=row.get("range", "0-100"), finish=row.get("finish", "stop"))
    assert (reading.status, reading.score) == (row.get("status", "observed"), row.get("score")), reading.rule
    assert reading.rule == row.get("rule", reading.rule)


def test_half_of_the_answers_have_no_score():
    assert len(ROWS) >= 400
    assert 0.45 < sum("score" not in row for *_, row in ROWS) / len(ROWS) < 0.55


def test_every_rule_is_in_the_table_besides_those_without_a_text():
    seen = Counter(read(row["text"], span=row.get("range", "0-100"), finish=row.get("finish")).rule for *_, row in ROWS)
    assert set(SCORE_WORDS.statuses) - {rule.removesuffix(", cut off") for rule in seen} == {"error", "missing"}


DRESSES = {
    "a line break behind it": "{}\n".format,
    "blank lines before it": "\n\n{}".format,
    "a fence": "```\n{}\n```".format,
    "windows lines": lambda text: text.replace("\n", "\r\n"),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "reasoning before it": "<think>90, or 80?</think>{}".format,
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=DRESSES)
def test_what_stands_around_an_answer_changes_nothing(dress):
    """Of answers that ended by themselves and say something; those that reason have their tags already."""
    changed = []
    for *_, row in ROWS:
        if "finish" not in row and row["text"].strip() and "think>" not in row["text"]:
            plain, dressed = (read(text, span=row.get("range", "0-100")) for text in (row["text"], dress(row["text"])))
            changed += [row["text"]] if (plain.status, plain.score) != (dressed.status, dressed.score) else []
    assert changed == []


@pytest.mark.parametrize(
    ("text", "finish", "error", "status"),
    [
        ("72", "stop", "timeout", "error"),
        ("72", "stop", "missing", "missing"),
        (None, "stop", None, "missing"),
        (None, "length", None, "truncated"),
        (None, "content_filter", None, "refused"),
    ],
)
def test_an_answer_that_is_not_there_has_a_status(text, finish, error, status):
    reading = read(text, finish=finish, error=error)
    assert (reading.status, reading.score) == (status, None)


LONG = 1_000_000


@pytest.mark.parametrize(
    "piece", ["a", " ", "1", "{", '{"', "{'a': ", '"\\"', "(", "Score: ", "I can't rate people. ", "if "]
)
def test_a_text_of_a_million_characters_is_read(piece):
    """What is not linear would take hours (tests/hostile/test_doubling.py holds a clock beside it)."""
    assert read(piece * (LONG // len(piece))).status in STATUSES


PIECES = st.sampled_from(
    [
        *(
            "72",
            "7/10",
            "85%",
            "70-75",
            "2019",
            "1. ",
            "score",
            "overall",
            "total",
            ": ",
            " is ",
            " a ",
            "\n",
            "| ",
            "-",
        ),
        *("{", "}", '"score": ', ",", "I can't rate people", "if ", " years", "between ", " and ", "\\boxed{", "**"),
        *("<think>", "</think>"),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join)), st.sampled_from(["stop", "length", None]))
@example("{" * 50, "stop")
@example('"' + '\\"' * 20 + "{", None)
def test_a_score_is_in_the_range_and_there_only_where_it_was_observed(text, finish):
    for span in ("0-100", "1-5", "-10-10", "0-1"):
        low, high = ends(span)
        reading = read(text, span=span, finish=finish)
        assert reading.status in STATUSES
        assert (
            SCORE_WORDS.statuses[reading.rule.removesuffix(", cut off") or reading.rule] == reading.status
            or reading.rule == "cut off"
        )
        assert (reading.score is None) == (reading.status != "observed")
        assert reading.score is None or low <= reading.score <= high


@given(st.integers(0, 100), st.sampled_from(["{}", "Score: {}", "**{}/100**", '{{"score": {}}}', "I would give {}."]))
def test_any_number_of_the_range_is_read(value, form):
    assert read(form.format(value)).score == value
