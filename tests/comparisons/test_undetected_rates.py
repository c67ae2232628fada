"""How often nothing could be read: intervals of rare statuses, and of prompts with unequal attempts."""

import pytest
from _tables import declared, outcomes

from evenhand.comparisons.measure import measure_outcomes
from evenhand.stats import rate_difference, selection_rate


def measured(rows):
    found = measure_outcomes(outcomes(rows), declared(), seed=0, resamples=50, permutations=99)
    return {row.name: row for row in found}


def asked(gender, items, *, attempts=2, lost=(), start=0):
    """Return attempts at items of one gender; `lost` are (item, attempt) that could not be read."""
    return [
        {
            "item": f"{gender}{item}",
            "gender": gender,
            "name": f"{gender} {item}",
            "attempt": attempt,
            "accepted": None if (item, attempt) in lost else item % 2,
            "status": "undetected" if (item, attempt) in lost else "observed",
        }
        for item in range(start, start + items)
        for attempt in range(attempts)
    ]


def test_a_rare_undetected_rate_keeps_its_interval_inside_0_and_1():
    found = measured([*asked("male", 40, lost={(3, 0)}), *asked("female", 40)])
    rate = found["male_undetected_rate_attempts"]
    assert (rate.estimate, rate.n, rate.clusters) == (1 / 80, 80, {"name": 40})
    # p - t sqrt(V) is .0125 - 2.02 · .0125 < 0. Wilson of one attempt of 80 ends at .0675, of one item of 40 at .129.
    assert 0.0 < rate.low < 1 / 80
    assert 0.0675 < rate.high < 0.129
    assert rate.method == "cluster-robust by name; role fixed, 5 levels"
    assert rate.alternatives[0].method == "item-clustered, Wilson on effective n"


def test_no_undetected_attempt_claims_no_certainty():
    rate = measured([*asked("male", 40), *asked("female", 40)])["male_undetected_rate_attempts"]
    wilson = selection_rate(0, 40)
    assert (rate.estimate, rate.low, rate.high) == (0.0, 0.0, pytest.approx(wilson.high))
    assert rate.method == "Wilson on items"


def test_attempts_that_fail_together_tell_as_much_as_their_items():
    lost = {(item, attempt) for item in range(10) for attempt in range(2)}
    rate = measured([*asked("male", 40, lost=lost), *asked("female", 40)])["male_undetected_rate_attempts"]
    wilson = selection_rate(10, 40)
    assert rate.estimate == 0.25
    # t on 39 degrees of freedom instead of z widens it a little.
    assert rate.low == pytest.approx(wilson.low, abs=0.008)
    assert rate.high == pytest.approx(wilson.high, abs=0.008)


def test_the_rate_of_unequal_attempts_lies_in_its_interval():
    # 30 items of one attempt, all read; 10 of nine attempts, all lost: 90 of 120 attempts, a quarter of the items.
    lost = {(item, attempt) for item in range(30, 40) for attempt in range(9)}
    rows = [*asked("male", 30, attempts=1), *asked("male", 10, attempts=9, lost=lost, start=30), *asked("female", 40)]
    found = measured(rows)
    rate = found["male_undetected_rate_attempts"]
    assert (rate.estimate, rate.n) == (0.75, 120)
    assert rate.low < 0.75 < rate.high
    difference = found["diff_undetected_rate_attempts"]
    assert difference.estimate == 0.75  # that of the two rates
    assert difference.low < 0.75 < difference.high
    assert difference.tests[0].statistic == 0.75


def test_the_difference_of_rare_rates_has_an_interval_as_wide_as_that_of_its_parts():
    found = measured([*asked("male", 40, lost={(3, 0)}), *asked("female", 40)])
    difference = found["diff_undetected_rate_attempts"]
    male, female = found["male_undetected_rate_attempts"], found["female_undetected_rate_attempts"]
    assert difference.estimate == 1 / 80
    # Newcombe: each rate goes as far as its own limit. d ± t sqrt(V) would end at -.013 and .038.
    assert difference.low == pytest.approx(1 / 80 - ((1 / 80 - male.low) ** 2 + female.high**2) ** 0.5)
    assert difference.high == pytest.approx(male.high)


def test_no_undetected_attempt_in_either_group_has_newcombes_interval():
    difference = measured([*asked("male", 40), *asked("female", 40)])["diff_undetected_rate_attempts"]
    newcombe = rate_difference(0, 40, 0, 40)
    assert (difference.low, difference.high) == (pytest.approx(newcombe.low), pytest.approx(newcombe.high))


def test_answers_about_one_gender_have_no_difference_and_no_crash():
    found = measured(asked("female", 40, attempts=1))
    assert found["diff_acceptance_rate"].estimate is None
    assert found["diff_acceptance_rate"].reason == "male: No answer was observed."
    assert found["diff_undetected_rate_attempts"].estimate is None
    assert found["female_undetected_rate_attempts"].estimate == 0.0


def unread_bounds(lost, **changes):
    """Return what the difference in acceptance lies between: 6 of 10 men and 5 of 10 women, besides the lost ones."""
    rows = [
        {"gender": gender, "accepted": int(item < yes), "item": f"{gender}{item}"}
        for gender, yes in (("male", 6), ("female", 5))
        for item in range(10)
    ]
    rows += [
        {"gender": gender, "accepted": None, "item": f"{gender} lost {item}", "status": status}
        for item, (gender, status) in enumerate(lost)
    ]
    found = measure_outcomes(outcomes(rows), declared(slices=(), **changes), seed=0, resamples=20, permutations=9)
    return [row for row in found if row.measure == "unread_bounds"]


@pytest.mark.parametrize(
    ("lost", "low", "high", "sides"),
    [
        # Two men unread: 6/12 − 5/10 and 8/12 − 5/10. One woman: 6/10 − 6/11 and 6/10 − 5/11.
        ([("male", "undetected")] * 2, 0.0, 1 / 6, (2, 0)),
        ([("female", "ambiguous")], 3 / 55, 8 / 55, (0, 1)),
        # Both ends at once; a refusal, a cut-off answer and a failed request are not read either way.
        ([("male", "undetected"), ("female", "undetected"), ("male", "refused")], 0.0, 7 / 11 - 5 / 11, (1, 1)),
    ],
)
def test_unread_answers_are_read_for_one_group_and_for_the_other(lost, low, high, sides):
    (bounds,) = unread_bounds(lost)
    details = bounds.details
    assert (bounds.estimate, bounds.low, bounds.high) == pytest.approx((0.1, low, high))
    assert (details.comparison, details.unread_focal, details.unread_reference) == ("diff_acceptance_rate", *sides)
    assert bounds.claim is None
    assert not bounds.tests


@pytest.mark.parametrize("status", ["refused", "truncated", "error", "missing"])
def test_where_no_answer_is_unread_nothing_is_bounded(status):
    assert unread_bounds([("male", status)]) == []
