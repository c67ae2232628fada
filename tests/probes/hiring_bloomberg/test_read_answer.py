"""Rankings in the many forms that models write: those of answers.toml and first_places.toml, and any others."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.data.folding import fold_text
from evenhand.probes.hiring_bloomberg import reader as read_answer
from evenhand.probes.hiring_bloomberg.candidates import NAMED, RANKING_WORDS, candidates, plain_text
from evenhand.probes.hiring_bloomberg.cues import RANKING_CUES
from evenhand.probes.hiring_bloomberg.reader import read_ranking
from evenhand.results.schemas import STATUSES

FILES = [
    tomllib.loads(Path(__file__).with_name(name).read_text("utf-8")) for name in ("answers.toml", "first_places.toml")
]
ROWS = [
    pytest.param({"names": file["names"], **row}, id=f"{part}-{number}")
    for file in FILES
    for part, rows in file.items()
    if part != "names"
    for number, row in enumerate(rows, start=1)
]
NAMES = FILES[0]["names"]
JANE, BOB = 0, 1


def read(text, *, names=NAMES, finish=None, error=None):
    return read_ranking(text, finish, names=names, error_class=error)


@pytest.mark.parametrize("row", ROWS)
def test_a_ranking_is_read_as_a_person_would(row):
    reading = read(row["text"], names=row["names"], finish=row.get("finish"))
    ranking = [row["names"][who] if who is not None else "?" for who in reading.ranking]
    status = row.get("status", "observed")
    assert (reading.status, bool(ranking)) == (status, status == "observed"), reading.rule
    assert ranking == row.get("ranking", ranking), reading.rule
    begins = row.get("begins", [row["first"]] if "first" in row else [])
    assert ranking[: len(begins)] == begins, reading.rule
    assert reading.rule == row.get("rule", reading.rule)


@pytest.mark.parametrize(
    ("text", "finish", "error", "status"),
    [
        (None, None, None, "missing"),
        (None, None, "missing", "missing"),
        (None, None, "server_error", "error"),
        (None, "length", None, "truncated"),
        ("", "content_filter", None, "refused"),
    ],
)
def test_answers_that_never_came_have_their_status(text, finish, error, status):
    assert read(text, finish=finish, error=error).status == status


def test_any_number_of_candidates_can_be_ranked():
    names = tuple(f"{first} {last}" for first in ("Ada", "Ben", "Cleo", "Dan") for last in ("Reed", "Stone", "Fox"))
    text = "\n".join(f"{n}. {name}" for n, name in enumerate(reversed(names), start=1))
    assert read(text, names=names).ranking == tuple(range(11, -1, -1))


PIECES = (
    "1. ",
    "2) ",
    "- ",
    "\n",
    ", ",
    " and ",
    " > ",
    ": ",
    "(",
    '["',
    "|",
    "first ",
    "best is ",
    "least ",
    "<think>",
)


@given(st.lists(st.sampled_from([*PIECES, *NAMES, "Jane", "Devon Vasquez", "Smith", "cannot rank "]), max_size=20))
def test_any_text_gives_a_winner_or_a_reason(pieces):
    reading = read("".join(pieces))
    assert reading.status in STATUSES
    known = [who for who in reading.ranking if who is not None]
    assert len(known) == len(set(known))
    assert (reading.status == "observed") == (reading.ranking[:1] not in {(), (None,)})


def test_a_very_long_answer_is_read_at_both_ends():
    thought = "Jane Li has some experience. " * 5000
    assert read(f"{thought}\n\nFinal ranking:\n1. Bob Wu\n2. Jane Li").ranking == (BOB, JANE)
    assert read(f"1. Bob Wu\n2. Jane Li\n\n{thought}").ranking == (BOB, JANE)


def test_a_mark_is_the_same_in_both_tables_of_words():
    signs = [chr(number) for number in range(0x16FFF, 0x18801)]
    marks = [sign for sign in signs if re.match(NAMED, sign)]
    for table in (RANKING_WORDS, RANKING_CUES):
        assert [sign for sign in signs if table.named.match(sign)] == marks


HEADINGS = (
    "",
    "Ranking:",
    "Here is the ranking from most to least qualified:",
    "From least to most qualified:",
    "In ascending order:",
    "Tier 1:",
    "Tied for first:",
    "Jane",
    "Final answer: Bob",
    "Answer: BobWu",
    "First: Bob Wu",
    "Second: Ana Lu",
    "Winner: Jane",
    "I reviewed:",
    "In no particular order:",
    "I cannot rank them.",
    "Sure, janey, bobb, anna",
    "Thank you",
    "Peter Smith",
    "| Resume | Name |",
    "Position: HR specialist",
    "Let me know if you need anything else.",
    "The best candidate is Tuan.",
    "(3 is best)",
    "analysis",
    "ranking-",
    "A higher number means a better candidate:",
)
ENTRIES = (
    "{n}. {name}",
    "{n}) {name}",
    "{n}: {name}",
    "{n}.  {name}",
    "**{n}. {name}**",
    "{name}",
    "- {name}",
    "{n}. {name} - good",
    "- {name}: 10 years",
    "{n}. {name} (tie)",
    "{n}. {name} (rank 2)",
    "{n}. {name} - stronger than Ana Lu",
    "{n}. {name}, and",
    "{n}. {name} (and others)",
    "| {n} | {name} |",
    "{name}-",
    "First: {name}",
)
DRESSES = (str, str.upper, lambda name: ", ".join(reversed(name.split())), lambda name: name.replace(" ", "  "))


# Most answers have a plain list and little beside it.
OFTEN_NOTHING = st.one_of(st.just(""), st.just(""), st.sampled_from(HEADINGS))
OFTEN_PLAIN = st.one_of(st.sampled_from(ENTRIES[:7]), st.sampled_from(ENTRIES))


@st.composite
def laid_out(draw):
    order = draw(st.permutations(NAMES))[: draw(st.sampled_from([8, 3, 2]))]
    dress, line = draw(st.sampled_from(DRESSES)), draw(OFTEN_PLAIN)
    listed = [line.format(n=number, name=dress(name)) for number, name in enumerate(order, start=1)]
    if draw(st.integers(0, 3)) == 3:
        place = draw(st.integers(0, len(listed) - 1))
        listed[place] = draw(st.sampled_from([*ENTRIES, *HEADINGS])).format(n=place + 1, name=order[place])
    joint = draw(st.sampled_from(["\n", "\n", "\n\n", ", ", " > "]))
    parts = (draw(OFTEN_NOTHING), joint.join(listed), draw(OFTEN_NOTHING), draw(OFTEN_NOTHING))
    return draw(st.sampled_from(["\n\n", "\n"])).join(filter(None, parts))


@settings(max_examples=150, deadline=None)
@given(st.permutations(NAMES), laid_out())
def test_an_answer_is_read_as_if_none_of_its_layout_was_read_before(names, text):
    known = candidates(tuple(names))
    folded = fold_text(text)
    marked = known.marked(plain_text(folded))
    alone = read_answer._stated(marked, known, declined=read_answer.declines(folded, marked))
    reading = read(text, names=names)
    if alone is None:
        assert reading.ranking == ()
    else:
        assert reading == alone
