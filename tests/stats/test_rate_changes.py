"""Changes of a rate judgement by judgement: alarms by chance are no more than promised, and falls are found."""

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from evenhand.stats.rate_changes import FEWEST_JUDGEMENTS, rate_changes

EVERY = 800


def rang(rng, *, baseline, before, after, a_day=0.3, days=365):
    """Return the first alarm of each of 150 streams in a year after a baseline; the rate may be another one then."""
    length = int(1.5 * baseline / a_day) + days
    first = []
    for _ in range(150):
        trials = rng.poisson(a_day, length)
        start = int(np.searchsorted(trials.cumsum(), baseline)) + 1
        events = rng.binomial(trials, np.where(np.arange(length) < start, before, after))
        alarms = rate_changes(events, trials, chances=np.full(length, 1 / (EVERY * a_day)), start=start).alarms
        first.append(next(((one.direction, one.day - start) for one in alarms if one.day < start + days), None))
    return first


@pytest.mark.parametrize(("baseline", "rate"), [(30, 0.1), (90, 0.4), (200, 0.1)])
def test_years_without_a_change_ring_as_rarely_as_promised(baseline, rate):
    found = rang(np.random.default_rng(5), baseline=baseline, before=rate, after=rate)
    promised = 1 - (1 - 1 / (2 * EVERY)) ** 365  # the probability of an alarm of one of the two sums in a year
    assert np.mean([one is not None for one in found]) <= binom.ppf(0.999, 150, 2 * promised) / 150


@pytest.mark.parametrize(("baseline", "power"), [(30, 0.7), (90, 0.85), (200, 0.9)])
def test_a_fall_to_half_is_found_within_a_year_of_three_judgements_in_ten_days(baseline, power):
    found = rang(np.random.default_rng(6), baseline=baseline, before=0.4, after=0.2)
    assert np.mean([one is not None and one[0] < 0 for one in found]) >= power


@pytest.mark.parametrize("chance", [0.2, 0.5])
def test_the_probability_given_the_number_of_events_is_that_of_all_orders(chance):
    """All orders of the events of eight judgements after a baseline: a sum of falls rings in no more than promised."""
    more, n = 8, FEWEST_JUDGEMENTS
    for total in (16, 24):
        rung = 0.0
        for order in product((0, 1), repeat=more):
            known = total - sum(order)
            events = np.array([*([1] * known), *([0] * (n - known)), *order])
            chances = np.full(n + more, chance)
            alarms = rate_changes(events, np.ones_like(events), chances=chances, start=n).alarms
            rung += any(one.direction < 0 for one in alarms[:1]) * comb(n, known) / comb(n + more, total)
        assert 0 < rung <= 1 - (1 - chance / 2) ** more


def test_a_fall_is_a_rise_of_the_others_and_a_day_may_have_many():
    rng = np.random.default_rng(8)
    trials = rng.poisson(2.0, 200)
    events = rng.binomial(trials, np.where(np.arange(200) < 120, 0.6, 0.2))
    found, mirrored = (
        rate_changes(one, trials, chances=np.full(200, 0.001), start=60).alarms for one in (events, trials - events)
    )
    assert [(one.day, one.since, one.direction) for one in found] == [
        (one.day, one.since, -one.direction) for one in mirrored
    ]
    (alarm,) = found
    assert 110 <= alarm.since <= 130
    assert alarm.value < alarm.limit < alarm.expected
    assert alarm.ended is None


def test_an_alarm_ends_when_the_rate_is_back():
    events = np.array([1, 0] * 40 + [0] * 30 + [1, 0] * 60)
    found = rate_changes(events, np.ones_like(events), chances=np.full(events.size, 0.001), start=60)
    (alarm,) = found.alarms
    assert 79 <= alarm.since <= 81 < alarm.day < 110 < (alarm.ended or 0)
    assert found.at_limit[alarm.day]
    assert not found.at_limit[: alarm.day].any()


def test_a_change_that_does_not_count_does_not_ring():
    events = np.array([1, 0] * 40 + [0] * 30)
    chances = np.full(events.size, 0.001)
    assert not rate_changes(
        events, np.ones_like(events), chances=chances, start=60, counts=lambda since, *_: since < 78
    ).alarms
