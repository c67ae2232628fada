"""EEO-1 categories and the age of 40."""

from datetime import date, time

import polars as pl
import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.attributes import eeo1_category
from evenhand.data.group_labels import eeo1_codes
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.results.finding import as_json

#: EEO-1 Component 1: the seven categories of race and ethnicity.
CATEGORIES = {
    "Hispanic or Latino",
    "White",
    "Black or African American",
    "Native Hawaiian or Other Pacific Islander",
    "Asian",
    "American Indian or Alaska Native",
    "Two or More Races",
}


def test_there_are_seven_categories_and_each_is_its_own_name():
    assert set(eeo1_codes().values()) == CATEGORIES
    assert all(eeo1_category(name) == name for name in CATEGORIES)


@pytest.mark.parametrize(
    ("race", "hispanic", "category"),
    [
        ("W", None, "White"),
        (" caucasian", "no", "White"),
        ("White (Not Hispanic or Latino)", None, "White"),
        ("White, non-Hispanic", "N", "White"),
        ("AI/AN", None, "American Indian or Alaska Native"),
        ("NHPI", None, "Native Hawaiian or Other Pacific Islander"),
        ("Black / African American", "Not Hispanic or Latino", "Black or African American"),
        ("White; Asian", None, "Two or More Races"),
        ("white|white", None, "White"),
        ("Black and White", "0", "Two or More Races"),
        ("Asian; Hispanic", None, "Hispanic or Latino"),
        ("White; Asian", "yes", "Hispanic or Latino"),
        (None, "Hispanic", "Hispanic or Latino"),
        (None, "no", None),
        (None, None, None),
    ],
)
def test_hispanic_comes_first_and_several_races_are_two_or_more(race, hispanic, category):
    assert eeo1_category(race, hispanic) == category


@pytest.mark.parametrize("race", ["1", "Klingon", "White; Klingon", "Asian (Hispanic)", ";"])
def test_what_fits_no_category_is_not_guessed(race):
    with pytest.raises(KeyError):
        eeo1_category(race)


def counted(frame, **asked):
    with open_table(frame) as table:
        return count_applicants(table, ApplicantQuery(selected="hired", **asked))


def test_a_race_column_is_mapped_with_its_column_of_ethnicity():
    frame = pl.DataFrame(
        {
            "race": ["W", "White", "B", "unknown", None, "A"],
            "latino": ["no", None, "Yes", "no", "yes", "no"],
            "gender": ["F", "F", "M", "M", "M", "F"],
            "hired": [1, 0, 1, 1, 1, 0],
        }
    )
    found = counted(frame, protected=("race", "gender"), eeo1=("race", "latino"))
    assert found.counts.select("protected.race", "protected.gender", "n", "successes").rows() == [
        ("Asian", "F", 1, 0),
        ("Hispanic or Latino", "M", 2, 2),
        ("White", "F", 2, 1),
        (None, "M", 1, 1),
    ]
    assert found.accounting.unknown_labels["race"] == {"unknown": 1}
    assert as_json(found.accounting)["eeo1"] == [
        {"category": "Asian", "label": "A", "hispanic": "no", "n": 1},
        {"category": "Hispanic or Latino", "label": "", "hispanic": "yes", "n": 1},
        {"category": "Hispanic or Latino", "label": "B", "hispanic": "Yes", "n": 1},
        {"category": "White", "label": "W", "hispanic": "no", "n": 1},
        {"category": "White", "label": "White", "hispanic": "", "n": 1},
    ]
    assert "Counted as 'White' of the EEO-1: 'W' with 'no' (1), 'White' (1)." in found.accounting.notes
    by_unit = counted(
        frame.with_columns(id=pl.int_range(pl.len())), protected=("race", "gender"), eeo1=("race", "latino"), unit="id"
    )
    assert by_unit.counts.equals(found.counts)
    assert as_json(by_unit.accounting)["eeo1"] == as_json(found.accounting)["eeo1"]


def test_who_is_hispanic_of_unknown_race_is_not_among_the_unknown():
    frame = pl.DataFrame({"race": ["unknown"] * 3 + ["W"], "latino": ["yes", "no", None, "no"], "hired": [1, 0, 1, 0]})
    found = counted(frame, protected=("race",), eeo1=("race", "latino"))
    assert found.accounting.unknown_labels["race"] == {"unknown": 2}
    assert found.accounting.unknown["race"] == 2


@pytest.mark.parametrize(
    ("race", "asked", "words"),
    [
        ([1, 2], {"protected": ("race",), "eeo1": ("race", None)}, "No EEO-1 category matches '1', '2'"),
        (["W", "A"], {"protected": ("hired",), "eeo1": ("race", None)}, "not among --protected"),
        (["W", "A"], {"protected": ("race",), "eeo1": ("race", "latino")}, "No column 'latino'"),
    ],
)
def test_wrong_races_are_told(race, asked, words):
    with pytest.raises(InputError, match=words):
        counted(pl.DataFrame({"race": race, "hired": [1, 0]}), **asked)


AT = date(2024, 6, 30)


BORN = {
    date(1984, 6, 30): "40 or older",
    date(1984, 7, 1): "under 40",
    date(2010, 6, 30): "under 40",
    date(2010, 7, 1): None,
    date(1913, 7, 1): "40 or older",
    date(1913, 6, 30): None,
}


@pytest.mark.parametrize("text", [False, True])
def test_who_turns_40_on_the_day_is_40_and_absurd_ages_are_unknown(text):
    born = [f" {day} " if text else day for day in BORN]
    frame = pl.DataFrame({"born": born, "hired": [1] * 6, "job": map(str, range(6))})
    found = counted(frame, protected=(), age="born", age_at=AT, position="job")
    assert found.attributes == ("age",)
    assert found.counts.sort("position")["protected.age"].to_list() == list(BORN.values())
    assert found.accounting.unknown_labels["age"] == {"below 14 or above 110 years": 2}


@pytest.mark.parametrize(
    ("ages", "groups"),
    [
        ([39, 40, 13, 111, None], ["40 or older", "under 40", None]),
        ([39.9, 40.0, 14.0, float("nan")], ["40 or older", "under 40", None]),
        (["39", " 40", "unknown", ""], ["40 or older", "under 40", None]),
    ],
)
def test_years_are_an_age(ages, groups):
    frame = pl.DataFrame({"years": ages, "hired": [1] * len(ages)}, strict=False)
    assert counted(frame, protected=("years",), age="years").counts["protected.age"].to_list() == groups


@pytest.mark.parametrize(
    ("ages", "words"),
    [
        ([date(1980, 1, 1)], "--age-at"),
        (["1980-01-01"], "--age-at"),
        (["forty"], "holds 'forty', neither an age in years nor a date"),
        ([time(3)], "expected ages"),
        ([True], "expected ages"),
    ],
)
def test_what_is_no_age_is_told(ages, words):
    with pytest.raises(InputError, match=words):
        counted(pl.DataFrame({"years": ages, "hired": [1]}), protected=(), age="years")


#: No days of the calendar, and text that only begins with one.
NO_DAYS = [
    "1980-13-45", "1980-02-30", "1981-02-29", "1900-02-29", "1980-04-31", "1980-00-10", "0980-01-31",
    "1980-01-31 or so", "1980-01-311", "1980-01-31T25:00", "1980-1-31", "31.01.1980",
]  # fmt: skip


def test_what_is_no_day_is_no_date_of_birth():
    frame = pl.DataFrame({"born": ["1980-01-31", *NO_DAYS, ""], "hired": [1, *[0] * len(NO_DAYS), 1]})
    with pytest.raises(InputError, match=f"The column 'born' holds '0980-01-31' and {len(NO_DAYS) - 1} more, neither"):
        counted(frame, protected=(), age="born", age_at=AT)
    kept = counted(frame, protected=(), age="born", age_at=AT, where=("hired = 1",))
    assert kept.counts["n"].sum() == 2


def test_days_of_birth_may_have_a_time_and_february_29_days():
    born = ["1980-02-29", " 2000-02-29", "1980-01-31 00:00", "1980-12-31T23:59:59.5Z", "1980-12-31 00:00:00+02:00"]
    frame = pl.DataFrame({"born": born, "hired": [1] * 5})
    found = counted(frame, protected=(), age="born", age_at=AT)
    assert found.counts.select("protected.age", "n").rows() == [("40 or older", 4), ("under 40", 1)]


def test_a_column_that_is_not_there_is_asked_for_by_an_option_that_is():
    frame = pl.DataFrame({"race": ["White"], "latino": ["no"], "hired": ["yes"]})
    with pytest.raises(InputError, match=r"Did you mean --eeo1 race,latino\?"):
        counted(frame, protected=("race",), eeo1=("race", "latinos"))
