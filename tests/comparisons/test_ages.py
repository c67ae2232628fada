"""Age in bands against the youngest, at the day of the decision, and by years."""

from datetime import date

import polars as pl
import pytest

import evenhand as eh
from evenhand.errors import InputError


def people(**more):
    """Return 900 people of 20 to 64 years, of whom fewer are hired the older they are."""
    rows = [{"age": 20 + place % 45, "number": place, "sex": "fm"[place % 2]} for place in range(900)]
    hired = pl.when(pl.col("number") // 45 * 5 < 90 - pl.col("age")).then(1).otherwise(0)
    return pl.DataFrame(rows).with_columns(hired=hired).with_columns(**more)


def analysed(frame, tmp_path, **options):
    asked = {"selected": "hired", "age": "age", "report": False, "out": tmp_path / "r", "force": True}
    return eh.impact(frame, **asked | options)


def test_bands_are_compared_with_the_youngest(tmp_path):
    run = analysed(people(), tmp_path, age_bands=[50, 40])
    rows = {row["focal"]: row for row in run.rows.iter_rows(named=True)}
    assert set(rows) == {"40 to 49", "50 or older"}
    assert {row["reference"] for row in rows.values()} == {"under 40"}
    assert rows["50 or older"]["n_focal"] == 300
    highest = analysed(people(), tmp_path, reference="highest")
    assert highest.rows["focal"].to_list() == ["40 or older"]
    named = analysed(people(), tmp_path, age_bands=[40, 50], reference="age=50 or older")
    assert set(named.rows["reference"]) == {"50 or older"}


@pytest.mark.parametrize("typed", [False, True])
def test_age_is_that_of_the_day_of_the_decision(tmp_path, typed):
    days = [("1984-06-15", "2024-06-14", 39), ("1984-06-15", "2024-06-15", 40), ("1984-02-29", "2024-02-29", 40)]
    frame = pl.DataFrame(
        [(b, d, n % 2) for b, d, _ in days for n in range(10)], ["born", "decided", "hired"], orient="row"
    )
    if typed:
        frame = frame.with_columns(pl.col("born", "decided").str.to_date())
    run = analysed(frame, tmp_path, age="born", age_at="decided")
    assert run.rows["n_focal"].to_list() == [20]
    assert run.rows["n_reference"].to_list() == [10]
    same = analysed(frame, tmp_path, age="born", age_at=date(2024, 6, 14), reference="highest")
    assert sorted([*same.rows["n_focal"], *same.rows["n_reference"]]) == [10, 20]


def test_the_curve_by_years_is_tested_and_drawn(tmp_path):
    run = analysed(people(), tmp_path, report=True)
    findings = {finding.measure: finding for finding in run.findings}
    association, odds = findings["age_association"], findings["age_odds_ratio"]
    assert association.is_difference
    assert association.estimate < 0.6
    assert odds.estimate < 1
    assert odds.high < 1
    assert not association.claim.planned
    table = pl.read_csv(run.folder / "age.csv")
    assert table["n"].to_list() == [20] * 45
    assert table["rate"].is_sorted(descending=True)
    assert "Selection rate by years of age" in (run.folder / "report.html").read_text("utf-8")
    by_person = analysed(people(person=pl.col("number") // 2), tmp_path, cluster="person", protected="sex")
    clustered = {finding.measure: finding for finding in by_person.findings}["age_association"]
    assert clustered.clusters == {"person": 450}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"age_bands": [40.5]}, "expected an age from 15 to 100"),
        ({"age": None, "protected": "sex", "age_bands": [40]}, "age_bands needs age="),
        ({"age": "born"}, "or the column with the day of the decision"),
        ({"age": "born", "age_at": "sex"}, "holds 'f'"),
        ({"age": "born", "age_at": "number"}, "expected days"),
        ({"age": "born", "age_at": "nope"}, "No column 'nope'"),
    ],
)
def test_ages_that_can_not_be_computed_are_refused(tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        analysed(people(born=pl.lit("1980-01-01")), tmp_path, **options)
