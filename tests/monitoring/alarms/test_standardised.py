"""Daily values on the scale on which they are watched, and what rings on days that are odd."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evenhand.monitoring.alarms import evaluated
from evenhand.monitoring.daily import MEASURES, DailySeries
from evenhand.monitoring.rules import BaselineDays, Rule, Rules, Scales, read_rules

FIRST = date(2026, 1, 5)
REFERENCES = {"m": {"gender": "man"}}


def series(measure, value, n, slice_=None, error=None):
    value = np.asarray(value, dtype=np.float64)
    return DailySeries(
        model="m",
        measure=measure,
        slice=slice_ or {},
        days=np.datetime64(FIRST, "D") + np.arange(value.size),
        value=value,
        standard_error=np.full(value.size, np.nan) if error is None else np.asarray(error, dtype=np.float64),
        n=np.broadcast_to(np.asarray(n, dtype=np.int64), value.shape),
    )


def ratio_series(women, men, n_women, n_men):
    """Return selection rates of both and the log impact ratio, as a store has them."""
    rates = [
        series("selection_rate", np.divide(selected, n), n, {"gender": group})
        for group, selected, n in (("woman", women, n_women), ("man", men, n_men))
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(rates[0].value / rates[1].value)
    value = np.where(np.isfinite(logs), logs, np.nan)
    return [*rates, series("log_impact_ratio", value, np.add(n_women, n_men), {"gender": "woman"})]


def found(all_series, rules=None):
    last = max(each.days[-1] for each in all_series).astype(object)
    return evaluated(all_series, rules or read_rules(), until=last, references=REFERENCES)


@pytest.mark.parametrize(
    ("measure", "values"),
    [("selection_rate", [0.5, 0.25, 0.0, 1.0]), ("latency_p95", [0.2, 1.4, 30.0, 0.01]), ("auc", [0.7, 0.5, 1.0, 0.9])],
)
def test_a_value_of_the_scale_is_told_in_its_own_unit(measure, values):
    own = series(measure, values, 200, error=[0.1] * 4)
    scaled = Scales([own], {}).of(own, minimum_n=20, baseline_days=28)
    told = [scaled.measured(place, float(scaled.values[place])) for place in range(4)]
    assert told == pytest.approx(values, abs=1e-9)


def test_an_impact_ratio_is_told_in_its_own_unit():
    given_ = ratio_series([30, 20, 10], [60, 50, 40], [100, 100, 100], [120, 110, 100])
    scaled = Scales(given_, REFERENCES).of(given_[2], minimum_n=20, baseline_days=28)
    told = [scaled.measured(place, float(scaled.values[place])) for place in range(3)]
    assert told == pytest.approx(given_[2].value, abs=0.01)


def test_days_on_which_none_of_a_group_is_selected_ring_though_their_log_ratio_is_null():
    rng = np.random.default_rng(1)
    women = rng.binomial(60, np.where(np.arange(60) < 40, 0.3, 0.0))
    men = rng.binomial(60, 0.3, 60)
    all_series = ratio_series(women, men, np.full(60, 60), np.full(60, 60))
    assert np.isnan(all_series[2].value[40:]).all()
    (alarm,) = [each for each in found(all_series).episodes if each.series.measure == "log_impact_ratio"]
    assert FIRST + timedelta(days=40) <= alarm.day <= FIRST + timedelta(days=44)


def test_a_change_of_both_rates_alike_is_none_of_their_ratio():
    rng = np.random.default_rng(2)
    rate = np.where(np.arange(120) < 60, 0.2, 0.4)
    women, men = (rng.binomial(300, rate) for _ in range(2))
    rang = {
        each.series.measure for each in found(ratio_series(women, men, np.full(120, 300), np.full(120, 300))).episodes
    }
    assert "log_impact_ratio" not in rang


def test_a_first_error_after_none_for_long_is_no_alarm():
    errors = np.zeros(120)
    errors[100] = 1 / 500
    assert not found([series("error_rate", errors, 500)]).episodes


def test_one_day_alone_can_not_ring_two_can():
    rng = np.random.default_rng(3)
    values = 0.6 + 0.01 * rng.standard_normal(80)
    values[60] = 50
    alone = series("median_score", values, 200, error=np.full(80, 0.01))
    assert not found([alone]).episodes
    values[61] = 50
    (alarm,) = found([series("median_score", values, 200, error=np.full(80, 0.01))]).episodes
    assert alarm.day == FIRST + timedelta(days=61)


def test_a_condition_that_has_not_held_as_long_as_asked_has_not_fired():
    values = 0.6 + 0.01 * np.random.default_rng(3).standard_normal(60)
    values[50:53] += 1
    rules = Rules(rules=(Rule(name="r", measure="median_score", days=4),), baseline=BaselineDays())
    days = [series("median_score", values[:until], 200) for until in (52, 53)]
    assert [[each.fired for each in found([each], rules).episodes] for each in days] == [[None], [None]]
    (alarm,) = found([series("median_score", [*values[:53], *(values[53:] + 1)], 200)], rules).episodes
    assert alarm.fired == alarm.day + timedelta(days=3)


def test_a_day_with_few_judgements_changes_nothing():
    rates = np.random.default_rng(5).binomial(200, 0.3, 60) / 200
    rates[45:] = 0.9
    assert found([series("selection_rate", rates, 200)]).episodes
    few = series("selection_rate", rates, np.where(np.arange(60) < 45, 200, 19))
    assert not found([few]).episodes


@settings(max_examples=60)
@given(
    measure=st.sampled_from(sorted(MEASURES)),
    values=st.lists(st.sampled_from([0.0, 0.5, 1.0, 0.3, float("nan")]), min_size=1, max_size=70),
    n=st.sampled_from([0, 1, 20, 10**9]),
    error=st.sampled_from([0.0, 0.1, float("nan")]),
)
@example(measure="latency_p50", values=[0.0], n=0, error=0.1)
def test_whatever_the_days_hold_alarms_have_a_start_and_numbers(measure, values, n, error):
    slice_ = {"gender": "woman"} if measure == "log_impact_ratio" else {}
    rules = Rules(
        rules=(Rule(name="r", measure=measure, slice="each" if slice_ else "overall", minimum_n=1),),
        baseline=BaselineDays(days=21),
    )
    own = series(measure, values, n, slice_, error=[error] * len(values))
    for each in found([own], rules).episodes:
        assert each.since <= each.day
        assert np.isfinite([each.value, each.threshold, each.expected]).all()


def test_other_models_change_nothing():
    rng = np.random.default_rng(6)
    own = series("median_score", 0.6 + 0.01 * rng.standard_normal(90) - 0.03 * (np.arange(90) > 60), 200)
    other = replace(
        series("median_score", 0.4 + 0.02 * rng.standard_normal(300), 50),
        model="other",
        days=own.days[0] - 200 + np.arange(300),
    )
    alone, both = found([own]), found([other, own])
    days = [(each.day, each.since, each.ended) for each in both.episodes if each.series.model == "m"]
    assert days == [(each.day, each.since, each.ended) for each in alone.episodes] != []
