"""The same questions to DuckDB, PostgreSQL and Spark have the same answers, to the last digit."""

import math
import statistics
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache

import polars as pl
import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.errors import ServiceError
from evenhand.results.finding import as_json

#: Py4J leaves its sockets to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")

#: One row of each trap: spaces and case, null, empty text, NaN, infinity, negative zero, a repeated applicant.
ROWS = [
    # id, gender, race, hired, job, stage, score, single, exact, applied, age
    (1, "Female", "White", True, "nurse", "screen", 0.7, 0.7, Decimal("0.7"), date(2024, 1, 2), 39),
    (1, "Female", "White", False, "nurse", "offer", 0.3, 0.3, Decimal("0.3"), date(2024, 1, 9), 39),
    (2, " female", "Black", True, "nurse", "screen", math.nan, 0.1, None, date(2024, 1, 2), 40),
    (2, "FEMALE ", "Black", True, "nurse", "offer", 0.1, 0.1, Decimal("0.1"), date(2024, 1, 9), 40),
    (3, "Male", "White", False, "Nurse ", "screen", None, None, Decimal("0.2"), date(2024, 2, 2), 41),
    (4, "Male", "Asian", None, "pilot", "screen", math.inf, 0.9, Decimal("0.9"), date(2024, 2, 2), 62),
    (5, "male", None, True, "pilot", "screen", 0.30000000000000004, 0.3, Decimal("0.3"), None, None),
    (5, "male", "", True, "pilot", "offer", 1e-17, 0.3, Decimal("0.3"), date(2024, 3, 1), 12),
    (6, "", "White", False, "pilot", "screen", -0.0, -0.5, Decimal("-0.5"), date(2024, 3, 1), 200),
    (7, None, "N/A", True, "pilot", "screen", -5.5, 0.5, Decimal("0.5"), date(2024, 3, 1), 30),
    (8, "Female", "Asian", False, "", "screen", 0.7000000000000001, 0.7, Decimal("0.7001"), date(2024, 3, 1), 55),
    (9, "Male", "Asian", False, None, "screen", 123456.789, 0.7, Decimal("0.7"), date(2024, 3, 1), 55),
]
TEXT, WHOLE = pl.String, pl.Int64
SCHEMA = {
    "id": WHOLE,
    "gender": TEXT,
    "race": TEXT,
    "hired": pl.Boolean,
    "job": TEXT,
    "stage": TEXT,
    "score": pl.Float64,
    "single": pl.Float32,
    "exact": pl.Decimal(12, 4),
    "applied": pl.Date,
    "age": WHOLE,
}
TABLE = pl.DataFrame(ROWS, schema=SCHEMA, orient="row")

QUESTIONS = {
    "scores": ApplicantQuery(
        protected=("gender",), score="score", cutoffs=(0.7, 0.3, -1e300), median=True, means=True, sweep=4
    ),
    "32 bits": ApplicantQuery(
        protected=("race",), score="single", cutoffs=(0.7, 0.3), at_least=True, median=True, means=True
    ),
    "decimals": ApplicantQuery(
        protected=("race",), score="exact", cutoffs=(0.7, 0.3), median=True, means=True, sweep=3
    ),
    "units": ApplicantQuery(
        protected=("gender", "race"),
        selected="hired",
        score="score",
        cutoffs=(0.7, 0.30000000000000004),
        at_least=True,
        unit="id",
    ),
    "stages of units": ApplicantQuery(
        protected=("gender",), selected="hired", score="single", median=True, stage="stage", unit="id", position="job"
    ),
    "conditions": ApplicantQuery(
        protected=("gender",),
        selected="hired",
        age="age",
        where=(
            "applied >= '2024-01-09' or applied is null",
            "score < 1000 and not (job = 'nurse' and year(applied) = 2023)",
            "lower(trim(gender)) in ('female', 'male') or gender is null",
        ),
    ),
    "conditions on labels": ApplicantQuery(
        protected=("gender",),
        selected="hired",
        given=("score", "race"),
        where=(
            "gender <> ' MALE' or gender is null",
            "job in ('NURSE', 'Pilot ', '') or id / 0 > 1",
            "(not hired) is null or id >= 2 and id < 9007199254740993 and -id < -1.5",
            "coalesce(applied, DATE '2024-02-29') < '2024-03-01 10:30'",
        ),
    ),
    "dates of birth": ApplicantQuery(protected=(), selected="hired", age="applied", age_at=date(2064, 1, 9)),
}


def answer(engine, frame, query):
    with engine.open(frame) as table:
        found = count_applicants(table, query)
    accounting = {
        key: value for key, value in as_json(found.accounting).items() if key not in {"engine", "source", "table"}
    }
    frames = {name: getattr(found, name) for name in ("counts", "scores", "sweep", "given")}
    rows = {name: None if value is None else value.rows() for name, value in frames.items()}
    return {**rows, "stages": found.stages, **accounting}


#: What another question asks as well; Spark takes seconds for each.
IN_OTHERS = {"units"}
ASKED = [
    pytest.param(server, name, marks=pytest.mark.slow if server == "spark" and name in IN_OTHERS else ())
    for server in ("sqlite", "polars", "postgres", "spark")
    for name in QUESTIONS
]


@pytest.mark.parametrize(("server", "name"), ASKED, indirect=["server"])
def test_every_engine_gives_the_same_answer(duckdb, server, name):
    if server.name == "sqlite" and name == "32 bits":
        pytest.skip("SQLite has no numbers of 32 bits.")
    # SQLite keeps no NaN: it stores a null instead.
    assert answer(server, TABLE, QUESTIONS[name]) == embedded(duckdb, name, keeps_nan=server.name != "sqlite")


@cache
def embedded(duckdb, name, *, keeps_nan):
    """Return DuckDB's answer; it is asked once for all servers."""
    return answer(duckdb, TABLE if keeps_nan else TABLE.fill_nan(None), QUESTIONS[name])


#: A row is many people: zeros, two rows of one group, spellings, a score and a position.
COUNTED = pl.DataFrame(
    {
        "gender": ["Female", " female", "Male", "Male", None, "Male", "Female"],
        "hired": ["yes", "no", "yes", "no", "yes", "declined", "declined"],
        "job": ["nurse", "nurse", "nurse", "pilot", "pilot", "pilot", "pilot"],
        "score": [0.5, 0.25, 0.75, 1e-9, 0.1, None, 0.5],
        "people": [3, 4, 5, 0, 2, 7, 1],
        "taken": [1, 0, 5, 0, 2, 3, 0],
    }
)
COUNT_QUESTIONS = {
    "a row is so many people": ApplicantQuery(
        protected=("gender",),
        selected="hired",
        selected_value="yes",
        undecided=("declined",),
        count="people",
        position="job",
    ),
    "a row is a group": ApplicantQuery(
        protected=("gender",), applicants="people", selected_count="taken", position="job", given=("score",)
    ),
    "scores": ApplicantQuery(
        protected=("gender",), score="score", cutoffs=(0.4,), median=True, means=True, sweep=3, count="people"
    ),
    "stages": ApplicantQuery(
        protected=("gender",),
        selected="hired",
        selected_value="yes",
        stage="job",
        count="people",
        where=("score < 0.6 or score is null",),
    ),
}


@pytest.mark.parametrize("name", COUNT_QUESTIONS)
def test_every_engine_counts_a_table_of_counts_as_the_people_it_stands_for(engine, duckdb, name):
    found = answer(engine, COUNTED, COUNT_QUESTIONS[name])
    expanded = dict(of_people(duckdb, name))
    counted = found.pop("count")
    assert counted["people"] == expanded["rows_read"] - sum(entry["rows_left_out"] for entry in expanded["where"])
    assert expanded.pop("count") is None
    for words in ("decisions", "notes", "unknown_labels"):  # they name the columns
        del found[words], expanded[words]
    assert found == expanded


@cache
def of_people(duckdb, name):
    """Return DuckDB's answer for the table in which each row is one person."""
    return answer(duckdb, as_people(COUNTED, COUNT_QUESTIONS[name]), one_each(COUNT_QUESTIONS[name]))


def as_people(frame, query):
    """Return the table in which each row is one person."""
    if query.applicants is None:
        return frame.select(pl.exclude("people").repeat_by("people")).explode(pl.all())
    rows = [
        {**row, "hired": "yes" if chosen else "no"}
        for row in frame.iter_rows(named=True)
        for chosen, n in ((True, row["taken"]), (False, row["people"] - row["taken"]))
        for _ in range(n)
    ]
    return pl.DataFrame(rows, schema=frame.schema)


def one_each(query):
    """Return the same question of a table in which each row is one person."""
    if query.applicants is None:
        return replace(query, count=None)
    return replace(query, applicants=None, selected_count=None, selected="hired")


#: As a CSV in a warehouse: all columns are text.
TEXTS = pl.DataFrame(
    {
        "gender": ["F", "f", "M", "M", "M", None],
        "score": [" 0.7", "7e-1", "NaN", "", "-inf", ".30000000000000004"],
        "years": ["39", "40.0", "unknown", "1984-06-30", "1984-07-01", "200"],
        "note": ["5", "6.5", None, "", "7", "8"],
        # As doubles all are one number.
        "whole": ["9007199254740993"] * 4 + [" +009007199254740993 ", "9007199254740992"],
        "born": ["1980-02-29", "2000-02-29", " 1980-03-01 ", "1980-12-31 23:59", "1980-12-31T00:00:00.5", ""],
    }
)


def test_text_is_read_alike_on_every_engine(duckdb, server):
    query = ApplicantQuery(
        protected=("gender",),
        score="score",
        cutoffs=(0.3, 0.7),
        at_least=True,
        median=True,
        age="years",
        age_at=date(2024, 6, 30),
        where=(
            "note < 8 or note is null or note = ''",
            "note is null or length(note) < 9",
            "whole >= 9007199254740993",
            "born > '1980-02-28'",
        ),
    )
    found = answer(server, TEXTS, query)
    assert found == answer(duckdb, TEXTS, query)
    assert found["counts"][-1][-2:] == (1, 0)
    assert found["scores"] is None or found["rows_used"] == 2
    assert [entry["rows_left_out"] for entry in found["where"]] == [1, 0, 0, 0]


@pytest.mark.parametrize("server", ["postgres", "spark"], indirect=True)
def test_a_server_that_fails_is_told_in_one_line_without_its_password(server):
    with server.open(TABLE.head(1)) as table:
        wrong = table.expr.mutate(zero=table.expr.id.cast("string").concat("x").cast("int64"))
        with pytest.raises(ServiceError, match="could not count in applicants") as told:
            table.fetch(wrong)
    assert "\n" not in str(told.value)
    assert "kept-secret" not in str(told.value)


def test_medians_of_many_ties_are_found_on_every_engine(engine):
    values = [round(50 + 10 * math.sin(k * k), 1) for k in range(400)]
    counts = [k * k % 7 for k in range(400)]
    frame = pl.DataFrame({"g": ["f", "m"] * 200, "s": values, "people": counts})
    query = ApplicantQuery(protected=("g",), score="s", median=True, sweep=19, count="people")
    people = [value for value, n in zip(values, counts, strict=True) for _ in range(n)]
    with engine.open(frame) as table:
        assert count_applicants(table, query).accounting.scores.median == statistics.median(people)
