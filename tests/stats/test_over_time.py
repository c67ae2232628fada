"""Changes of level: run lengths as published, slopes and distances as others compute them, alarms on simulated days."""

import numpy as np
import pytest
from scipy.stats import theilslopes

from evenhand.stats import average_run_length, decision_interval, theil_sen
from evenhand.stats.change_detection import Calendar, limits_of, self_starting

#: Montgomery, Introduction to Statistical Quality Control, 6th edition, table 9.3: shift, ARL for h = 4, for h = 5.
MONTGOMERY = [
    (0.0, 168, 465),
    (0.25, 74.2, 139),
    (0.5, 26.6, 38.0),
    (0.75, 13.3, 17.0),
    (1.0, 8.38, 10.4),
    (1.5, 4.75, 5.75),
    (2.0, 3.34, 4.01),
    (2.5, 2.62, 3.11),
    (3.0, 2.19, 2.57),
    (4.0, 1.71, 2.01),
]


@pytest.mark.parametrize(("shift", "four", "five"), MONTGOMERY)
def test_run_lengths_are_those_that_are_published(shift, four, five):
    assert average_run_length(4.0, shift=shift) == pytest.approx(four, rel=0.006)
    assert average_run_length(5.0, shift=shift) == pytest.approx(five, rel=0.006)


@pytest.mark.parametrize("wanted", [50, 370.4, 5_475])
def test_an_interval_has_the_run_length_that_was_asked_for(wanted):
    assert average_run_length(decision_interval(wanted)) == pytest.approx(wanted, rel=2e-4)


def test_a_run_length_is_that_of_simulated_values():
    rng = np.random.default_rng(2)
    lengths = []
    for _ in range(400):
        high, low, values = 0.0, 0.0, iter(rng.standard_normal(600))
        while max(high, low) <= 3 and (z := next(values, None)) is not None:
            high, low = max(0.0, high + z - 0.5), max(0.0, low - z - 0.5)
        lengths.append(600 - values.__length_hint__())
    error = np.std(lengths, ddof=1) / 20
    assert abs(np.mean(lengths) - average_run_length(3.0)) < 4 * error


def test_slopes_are_those_of_another_implementation():
    rng = np.random.default_rng(5)
    times = np.sort(rng.choice(200, 40, replace=False)).astype(float)
    values = np.round(0.03 * times + rng.standard_normal(40), 1)  # with ties
    found, other = theil_sen(values, times=times), theilslopes(values, times, alpha=0.95)
    assert (found.estimate, found.low, found.high) == pytest.approx((other.slope, other.low_slope, other.high_slope))
    mirrored = theil_sen(-values, times=times)
    assert (mirrored.estimate, mirrored.low, mirrored.high) == pytest.approx((-found.estimate, -found.high, -found.low))


@pytest.mark.parametrize("values", [[], [1, 2, 3], [1, np.nan, 2, 3]])
def test_a_slope_of_too_few_values_is_null_with_a_reason(values):
    found = theil_sen(values)
    assert found.estimate is None
    assert "needs 4 values" in found.reason


MONDAY = np.datetime64("2026-01-05")


def rang(days, *, sums=1):
    days = np.atleast_2d(days)
    counts = np.isfinite(days).cumsum(axis=1)
    limits = limits_of(np.full(days.shape, sums), np.maximum(counts, 28))
    calendar = Calendar.of_days(MONDAY, days.shape[1])
    return self_starting(days, np.zeros(days.shape), calendar=calendar, limits=limits)


@pytest.mark.parametrize(("at", "sums"), [(45, 2), (200, 13)])
def test_a_step_of_three_deviations_is_found_by_day_ten(at, sums):
    """A step of 3 standard deviations of a day, one of so many series that are watched."""
    week = np.array([0, 1, 2, 1, 0, -3, -4.0])
    days = np.arange(at + 10)
    values = np.random.default_rng(11).standard_normal((200, days.size)) + week[days % 7] + np.where(days < at, 0, 3.0)
    first = {each.series: each for each in reversed(rang(values, sums=sums).alarms)}
    assert sum(each.day >= at for each in first.values()) >= 180
    assert np.median([each.since for each in first.values()]) in {at - 1, at}


def persistent(rng, shape, *, phi, share):
    """Return values of variance 1, a share of which has the autocorrelation phi."""
    noise = rng.standard_normal(shape)
    for day in range(1, shape[1]):
        noise[:, day] = phi * noise[:, day - 1] + np.sqrt(1 - phi**2) * noise[:, day]
    return np.sqrt(share) * noise + np.sqrt(1 - share) * rng.standard_normal(shape)


@pytest.mark.parametrize(("phi", "share"), [(0.5, 0.5), (0.9, 0.6)])
def test_autocorrelated_years_ring_less_than_one_and_a_half_times(phi, share):
    days = persistent(np.random.default_rng(15), (100, 365), phi=phi, share=share)
    late = [each for each in rang(days, sums=2).alarms if each.day >= 180]
    assert 2 * len(late) / 100 * 365 / 185 <= 1.5


@pytest.mark.parametrize("size", [1.5, 4, 8])
def test_the_ends_of_months_are_learnt_and_do_not_ring(size):
    calendar = MONDAY + np.arange(365)
    last = (calendar + 2).astype("datetime64[M]") != calendar.astype("datetime64[M]")
    days = np.random.default_rng(16).standard_normal((100, 365)) + size * last
    late = [each for each in rang(days, sums=2).alarms if each.day >= 180]
    assert 2 * len(late) / 100 * 365 / 185 <= 0.5


def test_named_holidays_do_not_ring_and_a_step_on_them_would():
    days = np.random.default_rng(17).standard_normal((100, 365))
    rest = np.isin(np.arange(365), [100, 101, 102, 200, 201, 202, 300, 301, 302])
    days[:, rest] -= 4
    limits = limits_of(np.full(days.shape, 1), np.full(days.shape, 365))
    named, unnamed = (
        self_starting(
            days,
            np.zeros(days.shape),
            calendar=Calendar.of_days(MONDAY, 365, holidays=MONDAY + np.flatnonzero(rest) if known else []),
            limits=limits,
        ).alarms
        for known in (True, False)
    )
    assert len([each for each in unnamed if each.day in {102, 202, 302}]) > 100
    assert len([each for each in named if each.day in {202, 302}]) < 5


def rang_by_year(season):
    """Return how often 60 series of four years ring in each, with a step of 1.5 in half of them after 900 days."""
    length = np.arange(4 * 365)
    days = np.random.default_rng(18).standard_normal((60, length.size)) + season(length)
    days[:30, 900:] += 1.5
    alarms = rang(days, sums=2).alarms
    found = {each.series for each in alarms if 900 <= each.day < 930}
    return np.histogram([each.day for each in alarms if each.series >= 30], 365 * np.arange(5))[0], len(found)


def test_a_month_that_differs_every_year_stops_ringing_after_two_years():
    by_year, found = rang_by_year(lambda day: -2.0 * (day // 30.44 % 12 == 7))  # August
    assert by_year[:2].min() >= 20
    assert by_year[2:].max() <= 5
    assert found >= 10  # its Augusts still look like persistence


def test_months_that_do_not_differ_change_nothing():
    by_year, found = rang_by_year(lambda day: 0 * day)
    assert by_year.max() <= 15
    assert found >= 25


def test_a_slow_drift_is_found_and_dated_not_before_it_began():
    rng = np.random.default_rng(12)
    drift = np.maximum(np.arange(200) - 60, 0) * 0.06
    found = rang(rng.standard_normal((100, 200)) + drift, sums=13)
    first = {each.series: each for each in reversed(found.alarms)}
    assert len(first) >= 95
    assert np.mean([each.since >= 60 for each in first.values()]) >= 0.95
    assert all(each.direction == 1 for each in first.values() if each.since >= 60)


def test_other_units_and_another_level_change_nothing():
    rng = np.random.default_rng(3)
    days = rng.standard_normal((5, 120)) + np.where(np.arange(120) < 80, 0, 2.0)
    plain, other = rang(days), rang(1000 - 7 * days)
    assert np.nanmax(np.abs(plain.z + other.z)) < 1e-6
    assert [(each.series, each.day, -each.direction) for each in plain.alarms] == [
        (each.series, each.day, each.direction) for each in other.alarms
    ]


def test_a_series_is_held_against_its_own_days_alone():
    """One that rests at weekends, beside one that does not, has the scores that it has by itself."""
    days = np.random.default_rng(7).standard_normal((2, 140)).cumsum(axis=1) * 0.3
    days[0, np.arange(140) % 7 >= 5] = np.nan
    both, alone = rang(days), rang(days[:1])
    assert np.allclose(both.z[0], alone.z[0], equal_nan=True)
    of_first = [(each.day, each.since, each.ended) for each in both.alarms if each.series == 0]
    assert of_first == [(each.day, each.since, each.ended) for each in alone.alarms]


def test_values_that_do_not_change_have_standard_normal_scores():
    rng = np.random.default_rng(6)
    days = 5 + rng.standard_normal((300, 120))
    days[rng.random(days.shape) < 0.1] = np.nan
    calendar = Calendar.of_days(MONDAY, days.shape[1])
    z = self_starting(days, np.zeros(days.shape), calendar=calendar, limits=np.full(days.shape, 1e9)).z
    z = z[np.isfinite(z)]
    assert abs(z.mean()) < 0.02
    assert 0.8 < z.std() < 1.02  # effects of the calendar are not known to be 0


def test_an_alarm_ends_when_the_level_is_back():
    days = np.random.default_rng(9).standard_normal(200)
    days[80:100] += 3
    (alarm, *_) = rang(days).alarms
    assert 80 <= alarm.day <= 85
    assert alarm.ended is not None
    assert 100 <= alarm.ended <= 130


def test_nothing_rings_before_there_is_a_baseline():
    days = np.zeros(27)
    days[10:] = 100
    assert not rang(days).alarms
