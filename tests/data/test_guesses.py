"""Guesses of what columns are for: each with its reason, and none where two are as likely."""

import polars as pl
import pytest

from evenhand.data.examples import berkeley_applicants
from evenhand.data.guesses import column_previews
from evenhand.data.tables import open_table


def guessed(frame):
    with open_table(frame) as table:
        rows, columns = column_previews(table)
    assert rows == frame.height
    assert all(bool(each.role) == bool(each.reason) for each in columns)
    return {each.name: each.role for each in columns if each.role}


YES_NO = ["yes", "no", "no", "no"]


@pytest.mark.parametrize(
    ("columns", "roles"),
    [
        ({"Sex": ["f", "m"] * 20, "Hired?": YES_NO * 10}, {"Sex": "protected", "Hired?": "selected"}),
        ({"sex": ["f", "m"] * 20, "went on": YES_NO * 10}, {"sex": "protected", "went on": "selected"}),
        ({"hired": YES_NO * 10, "offered": YES_NO * 10}, {}),  # which of them?
        ({"hired": YES_NO * 10, "remote": YES_NO * 10}, {"hired": "selected"}),
        ({"status": ["Offer", "Rejected", "On hold", "Rejected"] * 10}, {"status": "selected"}),
        ({"offer salary": [10, 20, 30, 40] * 10}, {}),
        ({"disabled": YES_NO * 10}, {"disabled": "protected"}),
        ({"veteran": ["x"] * 40}, {}),  # one value is no groups
        ({"TestScore": list(range(40))}, {"TestScore": "score"}),
        ({"TestScore": list(range(40)), "hired": YES_NO * 10}, {"hired": "selected"}),
        ({"age": list(range(20, 60))}, {"age": "age"}),
        ({"language": list(range(40))}, {}),
        ({"Applicant ID": [n // 2 for n in range(60)]}, {"Applicant ID": "unit"}),
        ({"Applicant ID": list(range(60))}, {}),
        ({"gender": ["w", "m"], "applicants": [1835, 2691], "hired": [557, 1198]},
         {"gender": "protected", "applicants": "applicants", "hired": "selected_count"}),
        ({"Gender": ["f", "f", "m", "m"], "Admit": ["Admitted", "Rejected"] * 2, "Freq": [5, 6, 7, 8]},
         {"Gender": "protected", "Admit": "selected", "Freq": "count"}),
        ({"Geschlecht": ["Frauen", "Männer"], "Team": ["White", "Red"]},
         {"Geschlecht": "protected", "Team": "position"}),
        ({"sex": ["w", "m"], "applied": [1835, 2691], "Hire rate": ["30.4 %", "44.5 %"]},
         {"sex": "protected", "applied": "applicants", "Hire rate": "selection_rate"}),
        ({"sex": ["w", "m"], "applied": [1835, 40], "hired": ["557", "<5"]},
         {"sex": "protected", "applied": "applicants", "hired": "selected_count"}),
        ({"{n} gender": ["f", "m"] * 5, "{0} hired": ["{values}", "{x!r}"] * 5},
         {"{n} gender": "protected", "{0} hired": "selected"}),
    ],
)  # fmt: skip
def test_a_column_is_guessed_by_its_name_and_values(columns, roles):
    assert guessed(pl.DataFrame(columns)) == roles


def test_berkeley():
    assert guessed(berkeley_applicants()) == {"department": "position", "gender": "protected", "admitted": "selected"}


def test_values_are_counted_with_their_spellings_and_empty_cells():
    frame = pl.DataFrame({"hired": ["Yes", " yes", "no", None, "", "No"], "many": [f"{n}" for n in range(6)]})
    with open_table(frame) as table:
        _, (hired, _) = column_previews(table)
    assert (hired.different, hired.empty, dict(hired.values)) == (2, 2, {"": 2, "No": 2, "Yes": 2})
    assert (hired.plain, dict(hired.meanings)) == (True, {"No": "not", "Yes": "selected"})
