"""Rows of one applicant count once, and people are followed from stage to stage."""

import polars as pl
import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.results.finding import as_json


def counted(rows, schema, **asked):
    with open_table(pl.DataFrame(rows, schema=schema, orient="row")) as table:
        return count_applicants(table, ApplicantQuery(protected=("gender",), **asked))


def counts(found, *columns):
    return sorted(found.counts.select(*columns, "protected.gender", "n", "successes").rows(), key=str)


def test_a_unit_is_selected_if_any_row_is_and_in_the_group_that_its_rows_agree_on():
    rows = [
        ("a", "F", 0),
        ("a", " f", 1),  # another spelling is no conflict
        ("b", "F", 0),
        ("b", None, 0),  # unknown is no conflict
        ("c", "F", 1),
        ("c", "M", None),  # a conflict
    ]
    found = counted(rows, ["id", "gender", "hired"], selected="hired", unit="id")
    assert counts(found) == [("F", 2, 1), (None, 1, 1)]
    assert as_json(found.accounting)["unit"] == {
        "column": "id",
        "by": ["id"],
        "rows": 6,
        "units": 3,
        "with_several_positions": 0,
        "counted": 3,
        "repeated_rows": 3,
        "conflicts": 1,
    }


def test_a_unit_counts_once_per_position_however_it_is_spelled():
    rows = [("a", "F", 1, "nurse"), ("a", "F", 0, "Nurse "), ("a", "F", 0, "pilot")]
    found = counted(rows, ["id", "gender", "hired", "job"], selected="hired", unit="id", position="job")
    assert counts(found, "position") == [("Nurse", "F", 1, 1), ("pilot", "F", 1, 0)]


def test_the_highest_score_of_a_unit_is_compared_and_the_median_is_one_of_units():
    rows = [
        ("a", "F", 0.1),
        ("a", "F", 0.9),
        ("b", "M", None),
        ("b", "M", 0.5),
        ("c", "M", float("nan")),
        ("d", "M", 0.2),
    ]
    found = counted(rows, ["id", "gender", "s"], score="s", median=True, unit="id")
    # Units have .9, .5, NaN, .2: the median of three scores is .5.
    assert as_json(found.accounting)["scores"]["median"] == 0.5
    assert counts(found) == [("F", 1, 1), ("M", 2, 0)]
    assert as_json(found.accounting)["scores"]["not_a_number"] == 1


@pytest.mark.parametrize("blank", [None, " "])
def test_a_row_without_a_unit_is_an_error_with_its_remedy(blank):
    with pytest.raises(InputError, match=r"1 row has no 'id'.*--where"):
        counted([("a", "F", 1), (blank, "F", 0)], ["id", "gender", "hired"], selected="hired", unit="id")


STAGES = [
    # id, gender, stage, passed
    ("a", "F", "screen", 1),
    ("a", "F", "offer", 1),
    ("b", "F", "screen", 1),
    ("b", "F", "offer", 0),
    ("c", "F", "screen", 0),
    ("d", "M", "Screen", 1),
    ("d", "M", "offer", None),
    ("e", "M", "screen ", 0),
    ("f", "M", "", 1),
]


def test_stages_are_counted_by_themselves_and_the_bottom_line_follows_people():
    found = counted(STAGES, ["id", "gender", "stage", "ok"], selected="ok", stage="stage", unit="id")
    assert found.stages == ("screen", "offer")
    assert counts(found, "stage") == [
        # d has no decision at the last stage: nobody knows
        ("bottom line", "F", 3, 1),
        ("bottom line", "M", 1, 0),
        ("offer", "F", 2, 1),
        ("screen", "F", 3, 2),
        ("screen", "M", 2, 1),
    ]
    assert found.accounting.missing_stage == 1
    assert found.accounting.rows_read == 9
    assert as_json(found.accounting)["stage_order"]["how"] == "by falling number of applicants"


def test_without_units_the_first_and_the_last_stage_are_set_side_by_side():
    found = counted(STAGES, ["id", "gender", "stage", "ok"], selected="ok", stage="stage")
    assert [row for row in counts(found, "stage") if row[0] == "bottom line"] == [
        ("bottom line", "F", 3, 1),
        ("bottom line", "M", 2, 0),
    ]


def test_more_people_at_the_end_than_at_the_start_have_no_bottom_line():
    asked = {"selected": "ok", "stage": "stage", "stages": ("OFFER", "screen")}
    found = counted(STAGES, ["id", "gender", "stage", "ok"], **asked)
    assert found.stages == ("offer", "screen")
    assert not any(row[0] == "bottom line" for row in counts(found, "stage"))
    assert any("There is no bottom line" in note for note in found.accounting.notes)


def test_a_stage_that_the_order_leaves_out_is_counted_and_a_wrong_one_told():
    rows = [*STAGES, ("a", "F", "talk", 1)]
    asked = {"selected": "ok", "stage": "stage", "unit": "id"}
    found = counted(rows, ["id", "gender", "stage", "ok"], stages=("screen", "offer"), **asked)
    assert found.accounting.stages_left_out == {"talk": 1}
    with pytest.raises(InputError, match=r"No stage 'hire'.*Stages: "):
        counted(rows, ["id", "gender", "stage", "ok"], stages=("screen", "hire"), **asked)


def test_each_stage_has_its_own_median():
    rows = [
        ("a", "F", "one", 1.0),
        ("b", "F", "one", 2.0),
        ("c", "M", "one", 3.0),
        ("b", "F", "two", 10.0),
        ("c", "M", "two", 30.0),
    ]
    found = counted(rows, ["id", "gender", "stage", "s"], score="s", median=True, stage="stage", unit="id")
    assert as_json(found.accounting)["scores"]["median"] == {"one": 2.0, "two": 20.0}
    assert counts(found, "stage", "cutoff") == [
        ("bottom line", 20.0, "F", 2, 0),
        ("bottom line", 20.0, "M", 1, 1),
        ("one", 2.0, "F", 2, 0),
        ("one", 2.0, "M", 1, 1),
        ("two", 20.0, "F", 1, 0),
        ("two", 20.0, "M", 1, 1),
    ]


def test_people_are_told_from_what_is_counted_of_them():
    rows = [
        # a at two stages for two positions, one row twice; b at one stage, and once without a position
        *[("a", "F", stage, job, 1) for stage in ("screen", "offer") for job in ("nurse", "pilot")],
        ("a", "F", "offer", "Nurse ", 0),
        ("b", "M", "screen", "nurse", 1),
        ("b", "M", "screen", "", 1),
    ]
    asked = {"selected": "ok", "unit": "id", "stage": "stage", "position": "job"}
    found = counted(rows, ["id", "gender", "stage", "job", "ok"], **asked)
    unit = as_json(found.accounting)["unit"]
    assert (unit["by"], unit["rows"], unit["counted"], unit["units"]) == (["id", "job", "stage"], 7, 6, 2)
    assert (unit["repeated_rows"], unit["with_several_positions"]) == (1, 1)
    notes = " ".join(found.accounting.notes)
    assert "7 rows are 6 by 'id', 'job' and 'stage', each counted once. There are 2 different values of 'id'." in notes
    assert "Of 2 by 'id', 1 has several positions. Among all applicants they are counted in each" in notes
    assert "different people unless --cluster names the column." in notes
