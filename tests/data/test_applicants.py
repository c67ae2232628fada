"""What is counted, by row: decisions, scores, spellings, and who is in no count."""

import math
import statistics
from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.attributes import attributes_of
from evenhand.data.stages import rows_to_count
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.results.finding import as_json
from properties import dear


def counted(frame, **asked):
    asked.setdefault("protected", ("gender",))
    with open_table(frame) as table:
        return count_applicants(table, ApplicantQuery(**asked))


def rows(found, *columns):
    return found.counts.select(*columns, "protected.gender", "n", "successes").rows()


@pytest.mark.parametrize(
    "values",
    [
        [True, False, None],
        [1, 0, None],
        [1.0, 0.0, float("nan")],
        ["yes", "No ", " "],
        ["T", "f", ""],
        ["1.0", "0.0", "NaN"],
        ["TRUE", "false", "null"],
    ],
)
def test_yes_and_no_are_understood_and_blank_is_no_decision(values):
    found = counted(pl.DataFrame({"gender": ["F"] * 3, "hired": values}, strict=False), selected="hired")
    assert rows(found) == [("F", 2, 1)]
    assert found.accounting.decision_unknown == 1
    assert found.accounting.rows_read == 3
    assert found.accounting.rows_used == 2


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([date(2024, 1, 1), None], "holds dates"),
        (["2024-01-01", None], "holds dates"),
        (["01/02/2024", ""], "holds dates"),
        ([0.5, 1.0], "holds fractions.*--score hired"),
        (["0.5", "0,7"], "holds fractions"),
        (["hired", "rejected"], "--selected hired=VALUE"),
        ([2, 1], "'2'"),
        ([["a"], ["b"]], "one value per cell"),
    ],
)
def test_what_is_no_decision_is_told(values, words):
    with pytest.raises(InputError, match=words):
        counted(pl.DataFrame({"gender": ["F", "M"], "hired": values}), selected="hired")


def test_a_value_or_several_can_mean_selected():
    frame = pl.DataFrame({"gender": ["F"] * 4, "outcome": ["Hired", "offer", "rejected ", None]})
    assert rows(counted(frame, selected="outcome", selected_value=" hired")) == [("F", 3, 1)]
    found = counted(frame, selected="outcome", selected_value="hired,OFFER")
    assert rows(found) == [("F", 3, 2)]
    assert as_json(found.accounting)["decisions"]["selected_values"] == ["Hired", "offer"]
    with pytest.raises(InputError, match="Values: 'Hired', 'offer', 'rejected'"):
        counted(frame, selected="outcome", selected_value="interview")


def test_spellings_are_one_group_and_unknown_labels_none():
    frame = pl.DataFrame({"gender": ["Female", "Female", " female", "Fe male", "N/A", "x", None], "hired": [1] * 7})
    found = counted(frame, selected="hired", unknown=("X",))
    assert sorted(found.counts.select("protected.gender", "n").rows(), key=str) == [
        ("Fe male", 1),
        ("Female", 3),
        (None, 3),
    ]
    assert found.accounting.unknown == {"gender": 3}
    assert found.accounting.unknown_labels == {"gender": {"N/A": 1, "x": 1}}
    assert as_json(found.accounting)["folded"] == [{"column": "gender", "kept": "Female", "merged": {" female": 1}}]
    assert any("' female' (1) as 'Female'" in note for note in found.accounting.notes)


def test_nan_and_infinity_pass_no_cut_off_and_are_counted_apart():
    scores = [0.9, math.nan, math.inf, -math.inf, None, 0.1]
    found = counted(pl.DataFrame({"gender": ["F"] * 6, "s": scores}), score="s", cutoffs=(0.5,), median=True)
    assert rows(found, "approach", "cutoff") == [("cutoff", 0.5, "F", 2, 1), ("median", 0.5, "F", 2, 1)]
    scores = as_json(found.accounting)["scores"]
    assert (scores["null"], scores["not_a_number"], scores["infinite"]) == (1, 1, 2)
    assert (scores["lowest"], scores["highest"], scores["median"]) == (0.1, 0.9, 0.5)


def test_the_median_is_passed_strictly_above_it_also_with_at_least():
    frame = pl.DataFrame({"gender": ["F", "F", "M"], "s": [1.0, 2.0, 2.0]})
    found = counted(frame, score="s", median=True, cutoffs=(2.0,), at_least=True)
    assert rows(found, "approach") == [
        ("cutoff", "F", 2, 1),
        ("cutoff", "M", 1, 1),
        ("median", "F", 2, 0),
        ("median", "M", 1, 0),
    ]


@pytest.mark.parametrize("kind", [pl.Float32, pl.Float64, pl.Decimal(6, 3)])
def test_a_cut_off_equals_a_score_that_is_written_like_it(kind):
    frame = pl.DataFrame({"gender": ["F"], "s": pl.Series([0.7]).cast(kind)})
    assert rows(counted(frame, score="s", cutoffs=(0.7,), at_least=True)) == [("F", 1, 1)]
    assert rows(counted(frame, score="s", cutoffs=(0.7,))) == [("F", 1, 0)]


def test_neighbouring_doubles_are_told_apart_by_a_cut_off():
    # As a DECIMAL literal 0.30000000000000004 loses its last digit on some engines.
    frame = pl.DataFrame({"gender": ["F"] * 3, "s": [0.3, 0.30000000000000004, 0.3000000000000001]})
    assert rows(counted(frame, score="s", cutoffs=(0.30000000000000004,))) == [("F", 3, 1)]
    assert rows(counted(frame, score="s", cutoffs=(0.3,))) == [("F", 3, 2)]


def test_scores_that_are_text_are_numbers_where_they_look_like_them(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("gender,s\nF,.9\nF, 1e-1 \nF,nan\nF,\nF,n/a\nF,-inf\nF,+5.\n")
    found = counted(path, score="s", cutoffs=(0.5,))
    assert rows(found) == [("F", 3, 2)]
    kinds = as_json(found.accounting)["scores"]
    assert (kinds["null"], kinds["not_a_number"], kinds["infinite"]) == (2, 1, 1)
    path.write_text('gender,s\nF,1\n\nF,"0,7"\nF,good\n')
    with pytest.raises(InputError, match="'good' in row 3; expected numbers"):
        counted(path, score="s", cutoffs=(0.5,))


def test_rows_without_a_position_are_left_out_and_counted():
    frame = pl.DataFrame({"gender": ["F", "F", "M", "M"], "hired": [1, 0, 1, 1], "job": ["nurse", " Nurse", "", None]})
    found = counted(frame, selected="hired", position="job")
    assert rows(found, "position") == [("Nurse", "F", 2, 1)]
    assert found.accounting.missing_position == 2
    assert found.accounting.positions == 1


@dear(8)
@given(
    scores=st.lists(st.sampled_from([0.0, -0.0, 0.1, 0.2, 0.30000000000000004, 0.5, 1e9]), min_size=1, max_size=40),
    cutoffs=st.lists(st.sampled_from([-1.0, 0.0, 0.1, 0.2, 0.3, 1e9]), min_size=1, max_size=4, unique=True),
    at_least=st.booleans(),
)
def test_cut_offs_median_means_and_sweep_are_those_of_python(scores, cutoffs, at_least):
    frame = pl.DataFrame({"gender": ["F"] * len(scores), "s": scores})
    asked = {"cutoffs": tuple(cutoffs), "median": True, "means": True, "sweep": 5, "at_least": at_least}
    found = counted(frame, score="s", **asked)
    middle = statistics.median(scores)
    expected = [
        ("cutoff", cutoff, sum(score >= cutoff if at_least else score > cutoff for score in scores))
        for cutoff in sorted(cutoffs)
    ]
    assert found.counts.select("approach", "cutoff", "successes").rows() == [
        *expected,
        ("median", middle, sum(score > middle for score in scores)),
    ]
    row = found.scores.row(0, named=True)
    assert row["mean"] == pytest.approx(statistics.fmean(scores), rel=1e-12)
    assert row["squares"] == pytest.approx(statistics.pvariance(scores) * len(scores), rel=1e-9, abs=1e-18)
    assert set(found.sweep["cutoff"]) <= set(scores)
    for cutoff, n, successes in found.sweep.select("cutoff", "n", "successes").rows():
        assert (n, successes) == (len(scores), sum(s >= cutoff if at_least else s > cutoff for s in scores))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "The selection is missing"),
        ({"selected": "hird"}, "Did you mean --selected hired"),
        ({"selected": "hired", "protected": ("Gender",)}, "Did you mean --protected gender"),
        ({"selected": "hired", "protected": ("gender", "gender")}, "names a column twice"),
        ({"selected": "hired", "protected": ("many",)}, "501 different values"),
        ({"selected": "hired", "protected": ("ages",)}, "21 different numbers or dates.* --age ages"),
        ({"score": "s"}, "add --cutoff T, --median or --means"),
        ({"cutoffs": (1.0,), "selected": "hired"}, "give their column with --score"),
        ({"score": "hired", "median": True}, "which impact takes by --selected"),
        ({"score": "s", "cutoffs": (math.nan,)}, "must be a finite number"),
    ],
)
def test_a_question_that_can_not_be_asked_is_told(asked, words):
    frame = pl.DataFrame(
        {
            "gender": ["F"] * 501,
            "hired": [True] * 501,
            "s": [1.0] * 501,
            "many": [f"g{n}" for n in range(501)],
            "ages": [20 + n % 21 for n in range(501)],
        }
    )
    with pytest.raises(InputError, match=words) as told:
        counted(frame, **asked)
    assert "\n" not in str(told.value)


def test_a_column_with_an_error_cell_can_not_be_used():
    from dataclasses import replace

    with open_table(pl.DataFrame({"gender": ["F"], "hired": [1]})) as table:
        damaged = replace(table, damaged={"hired": "row 5 of the sheet shows an error such as #N/A"})
        with pytest.raises(InputError, match="row 5 of the sheet"):
            count_applicants(damaged, ApplicantQuery(protected=("gender",), selected="hired"))


@pytest.mark.parametrize(
    ("rows", "asked", "words"),
    [
        (
            1_001,
            {"protected": ("x",)},
            "'x' of the frame has 1,001 different values, more than the 1,000 of --protected",
        ),
        (1_001, {"selected": "x=1"}, "more than the 1,000 of --selected"),
        (1_001, {"stage": "x"}, "more than the 1,000 of --stage"),
        (100_001, {"position": "x"}, "more than the 100,000 of --position"),
        (50_001, {"given": ("g", "x")}, "--given g,x has more than 50,000 combinations of values, 'x' alone 50,001"),
    ],
)
def test_a_column_of_too_many_values_is_told_before_they_leave_the_engine(rows, asked, words):
    frame = pl.DataFrame({"x": range(rows)}).with_columns(g=pl.lit("a"), h=pl.lit(1), x=pl.col("x").cast(pl.String))
    with open_table(frame) as table:
        asked = {"protected": ("g",), "selected": "h", **asked}
        asked["selected"], _, value = asked["selected"].partition("=")
        with pytest.raises(InputError, match=words):
            count_applicants(table, ApplicantQuery(selected_value=value or None, **asked))
    # One value less is none too many.
    frame = frame.with_columns(x=pl.when(pl.col("x") == "7").then(pl.lit("8")).otherwise("x"))
    with open_table(pl.concat([frame] * 3)) as table:
        rows_to_count(
            table,
            table.expr,
            ApplicantQuery(selected_value=value or None, **asked),
            attributes_of(table, table.expr, ApplicantQuery(**asked)),
        )


def test_qualifications_that_are_numbers_are_numeric():
    frame = pl.DataFrame(
        {"gender": ["F", "F", "M"], "hired": [1, 0, 1], "years": ["1", "1.0", ""], "degree": ["BA", "ba ", "MA"]}
    )
    found = counted(frame, selected="hired", given=("years", "degree"))
    keys = ("selected", None, "", "")
    assert found.given.rows() == [(*keys, "F", 1.0, "BA", 2, 1), (*keys, "M", None, "MA", 1, 1)]


def test_no_degree_is_a_qualification_and_a_blank_is_none_that_is_known():
    frame = pl.DataFrame({"g": ["a", "b"] * 3, "h": [1, 0] * 3, "degree": ["none", "None", "BA", "ba", "", None]})
    with open_table(frame) as table:
        found = count_applicants(table, ApplicantQuery(protected=("g",), selected="h", given=("degree",)))
    assert (
        found.given.filter(pl.col("given.degree") == "none")["n"].sum()
        + found.given.filter(pl.col("given.degree") == "None")["n"].sum()
        == 2
    )
    assert found.given.filter(pl.col("given.degree").is_null())["n"].sum() == 2


@pytest.mark.parametrize(
    "years", [["1", "inf", "2", "-Infinity", "nan", "1e999"], [1, math.inf, 2, -math.inf, math.nan, math.inf]]
)
def test_an_infinite_qualification_is_none_that_is_known(years):
    frame = pl.DataFrame({"g": ["a", "b"] * 3, "h": [1, 0] * 3, "years": years}, strict=False)
    with open_table(frame) as table:
        found = count_applicants(table, ApplicantQuery(protected=("g",), selected="h", given=("years",)))
    assert found.given.select("given.years", "n").rows() == [(None, 1), (1.0, 1), (2.0, 1), (None, 3)]
