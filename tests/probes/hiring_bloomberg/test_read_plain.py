"""Plain lists read at once: never another ranking than that of the reader of single answers."""

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evenhand.probes.hiring_bloomberg.outcomes import plain_ranks
from evenhand.probes.hiring_bloomberg.reader import read_ranking

NAMES = ("Janel Smith", "Sean O'Connell", "Devon Vasquez", "Dr. Minh Tu\u1ea5n Le", "Janel Smithers")
WRITTEN = ("janel smith", "SEAN OCONNELL", "Devon Vasquez", "Minh Tuan Le", "janel smithers")


def at_once(*texts, names=NAMES, finish=None, error=None):
    """Return the ranking of each answer, None where it is left to the reader of single answers."""
    people = pl.Series([[{"name": name} for name in names]] * len(texts), dtype=pl.List(pl.Struct({"name": pl.String})))
    read = plain_ranks(
        pl.DataFrame(
            {"text": pl.Series(texts, dtype=pl.String), "candidates": people},
        ).with_columns(
            pl.lit(finish, pl.String).alias("finish_reason"),
            pl.lit(error, pl.String).alias("error_class"),
        )
    )
    ranks = [read.ranks[first : first + len(names)].tolist() for first in read.first]
    placed = [sorted((rank, who) for who, rank in enumerate(each) if rank) for each in ranks]
    return [tuple(who for _, who in each) if plain else None for plain, each in zip(read.plain, placed, strict=True)]


@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        ("1. Devon Vasquez\n2. JANEL SMITH", (2, 0)),
        ("1) minh tuan le\n2) Sean OConnell", (3, 1)),
        ("1: Janel Smithers\n2: Janel Smith\n3: Devon Vasquez", (4, 0, 2)),
        ("1. Devon Vasquez", None),
        ("1. Devon Vasquez\n2. Devon Vasquez", None),
        ("1. Devon Vasquez\n3. Janel Smith", None),
        ("1. Devon Vasquez\n2) Janel Smith", None),
        ("1. Devon Vasquez\n2. Janel Smith, a nurse", None),
        ("1. Devon Vasquez\n2. Janel Smith\n", None),
        ("1. Devon Vasquez\n2. Sean O'Connell", None),
        ("2. Devon Vasquez\n1. Janel Smith", None),
        (None, None),
        ("", None),
    ],
)
def test_bare_numbered_lists_of_full_names_are_read_and_nothing_else(text, ranking):
    assert at_once(text) == [ranking]
    if ranking is not None:
        reading = read_ranking(text, names=NAMES)
        assert (reading.ranking, reading.rule) == (ranking, "full names")


@pytest.mark.parametrize(("finish", "error"), [("length", None), ("content_filter", None), (None, "timeout")])
def test_what_did_not_end_well_is_left(finish, error):
    assert at_once("1. Devon Vasquez\n2. Janel Smith", finish=finish, error=error) == [None]


def test_of_two_candidates_with_one_name_the_same_is_named():
    names = ("Bob Wu", "Jane Li", "bob wu")
    text = "1. Bob Wu\n2. Jane Li"
    assert at_once(text, names=names) == [read_ranking(text, names=names).ranking] == [(2, 1)]


def test_no_answers_are_no_ranks():
    assert at_once() == []
    assert at_once("1. Bob Wu\n2. Jane Li", names=()) == [None]


LINES = st.builds(
    "{}{}{}{}".format,
    st.integers(0, 6),
    st.sampled_from([". ", ") ", ": ", ".", " ", ".  ", "\u2024 "]),
    st.sampled_from([*NAMES, *WRITTEN, "Smith, Janel", "Janel", "Nobody Else", ""]),
    st.sampled_from(["", "", "", " ", ".", " - strong", " (tie)", "\r", "\u212a"]),
)
ORDERED = st.permutations(range(len(NAMES))).map(
    lambda order: "\n".join(f"{place}. {WRITTEN[who]}" for place, who in enumerate(order, start=1))
)


@st.composite
def damaged(draw):
    """Return a plain list in which something is put in, left out or repeated."""
    text = draw(ORDERED)
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    put = draw(st.sampled_from(["", "\n", "\n\n", " ", "1", "2. ", "Janel Smith", "<", "\u0130", text[start:end] * 2]))
    return text[:start] + put + text[end:]


@given(st.lists(st.one_of(ORDERED, damaged(), st.lists(LINES, max_size=6).map("\n".join)), max_size=8))
@example(["1. Devon Vasquez\n2. Janel Smith"])
def test_both_readers_agree_on_any_text(texts):
    for text, ranking in zip(texts, at_once(*texts), strict=True):
        reading = read_ranking(text, names=NAMES)
        assert ranking is None or (reading.status, reading.rule, reading.ranking) == ("observed", "full names", ranking)


@given(st.lists(ORDERED, min_size=1, max_size=4))
def test_plain_lists_are_all_read_at_once(texts):
    assert None not in at_once(*texts)
