"""The unit of time in which a series is watched: chosen by its volume, kept, and named where it isn't watched yet."""

import random
import shutil
from datetime import date, timedelta

import numpy as np
import pytest

import evenhand as eh
from evenhand.monitoring.alarms import alarms, check_store, evaluated
from evenhand.monitoring.daily import DailySeries, daily_series
from evenhand.monitoring.rules import Rules, read_rules
from evenhand.monitoring.store import opened_store
from evenhand.monitoring.units import DAY, JUDGEMENT, MONTH, QUARTER, UNITS, WEEK, chosen_unit, lack, pooled_counts
from evenhand.monitoring.words import alarm_text, lack_texts, season_text, units_text

FIRST, DAYS = date(2024, 1, 1), 731
LAST = FIRST + timedelta(days=DAYS - 1)
CALENDAR = np.datetime64(FIRST, "D") + np.arange(DAYS)


def recorded(place, *, seed, step_at=None):
    """Record judgements of two years on random days: scores fall by about a standard deviation from a day on."""
    rng = random.Random(seed)
    rows = []
    for _ in range(1_200):
        day = rng.randrange(DAYS)
        score = rng.betavariate(3, 3) - (0.2 if step_at is not None and day >= step_at else 0)
        at = f"{FIRST + timedelta(days=day)}T09:00:00Z"
        rows.append({"at": at, "score": round(min(max(score, 0.001), 0.999), 3), "g": rng.choice(["woman", "man"])})
    for row in rows:
        row["taken"] = row["score"] > 0.5
    eh.monitor.record(rows, store=str(place), model="slow", time="at", score="score", selected="taken", protected="g")
    return rows


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """Return a store in which nothing changes, and its rows; look at copies of it."""
    place = tmp_path_factory.mktemp("quiet") / "h.db"
    return place, recorded(place, seed=100)


@pytest.fixture(scope="module")
def stepped(tmp_path_factory):
    """Return a store of scores that fall after 450 days; look at copies of it."""
    place = tmp_path_factory.mktemp("stepped") / "h.db"
    recorded(place, seed=3, step_at=450)
    return place


@pytest.mark.parametrize(
    ("a_day", "unit", "of_shares"),
    [
        (25, DAY, DAY),
        (20, DAY, DAY),
        (12, WEEK, WEEK),
        (3, WEEK, WEEK),
        (1, MONTH, MONTH),
        (0.3, QUARTER, JUDGEMENT),
        (0.05, None, JUDGEMENT),
        (0.04, None, None),
    ],
)
def test_the_unit_is_the_smallest_with_enough_judgements(a_day, unit, of_shares):
    n = np.diff(np.floor(np.arange(DAYS + 1) * a_day)).astype(np.int64)
    for single, expected in ((False, unit), (True, of_shares)):
        chosen = chosen_unit([(CALENDAR, n)], minimum_n=20, until=LAST, single=single)
        assert (None if chosen.day is None else chosen.unit) is expected


def test_the_unit_stays_whatever_comes_later():
    rng = np.random.default_rng(1)
    n = rng.poisson(np.where(np.arange(DAYS) < 200, 5, 400))
    units = {
        chosen_unit([(CALENDAR[:until], n[:until])], minimum_n=20, until=FIRST + timedelta(days=until - 1))
        for until in range(60, DAYS, 30)
    }
    assert {chosen.unit for chosen in units} == {WEEK}
    assert len(units) == 1


def test_a_unit_needs_enough_of_both_groups():
    both = [(CALENDAR, np.full(DAYS, 25)), (CALENDAR, np.full(DAYS, 4))]
    assert chosen_unit(both, minimum_n=20, until=LAST).unit is WEEK


@pytest.mark.parametrize("unit", UNITS)
def test_units_cover_every_day_once(unit):
    numbers = unit.numbers(CALENDAR)
    assert (unit.begins(numbers) <= CALENDAR).all()
    assert (unit.ends(numbers) >= CALENDAR).all()
    assert set(np.diff(numbers)) <= {0, 1}


@pytest.mark.parametrize(("measure", "n"), [("selection_rate", [22, 7]), ("log_impact_ratio", [25, 7])])
def test_counts_of_a_week_are_those_of_its_days(measure, n):
    series = DailySeries(
        model="m",
        measure=measure,
        slice={},
        days=CALENDAR[:17],
        value=np.array([0.5, np.nan, *[0.0] * 5, *[1.0] * 7, *[0.2] * 3]),
        standard_error=np.full(17, np.nan),
        n=np.array([2, 3, *[4] * 5, *[1] * 7, *[5] * 3]),
    )
    weeks = pooled_counts(series, WEEK, until=FIRST + timedelta(days=16))
    assert weeks.days.tolist() == [date(2024, 1, 7), date(2024, 1, 14)]  # the third has not ended
    assert (weeks.value * weeks.n).tolist() == pytest.approx([1, 7])
    assert weeks.n.tolist() == n  # a ratio of days on which one group is missing is unknown, that of the week is not


def test_two_years_of_few_judgements_are_watched_by_month_and_a_step_is_found(stepped, tmp_path):
    with opened_store(shutil.copy(stepped, tmp_path)) as store:
        found = check_store(store, read_rules(), as_of=LAST)
    assert {(one.series.measure, one.unit.name) for one in found.watched if one.since} >= {
        ("median_score", "month"),
        ("selection_rate", "month"),
    }
    (median,) = (alarm for alarm in found.open if alarm.measure == "median_score")
    assert f"in the month to {median.day}" in alarm_text(median)
    assert all(alarm.day >= FIRST + timedelta(days=450) for alarm in found.open)


def test_two_years_of_few_judgements_without_a_change_are_quiet(quiet, tmp_path):
    recorded(tmp_path / "other.db", seed=101)
    for place in (shutil.copy(quiet[0], tmp_path), tmp_path / "other.db"):
        with opened_store(str(place)) as store:
            check_store(store, read_rules(), as_of=LAST)
            assert alarms(store) == []


def test_a_median_by_month_is_that_of_its_scores(quiet, tmp_path):
    place, rows = quiet
    with opened_store(shutil.copy(place, tmp_path)) as store:
        found = check_store(store, Rules(rules=read_rules().rules[:1], baseline=read_rules().baseline), as_of=LAST)
        daily = daily_series(store, measures=["median_score"])
    (median,) = found.watched
    assert len(median.series.days) == 24 < len(daily[0].days)
    scores = [row["score"] for row in rows if row["at"].startswith("2024-05")]
    place = median.series.days.tolist().index(date(2024, 5, 31))
    assert median.series.n[place] == len(scores)
    assert median.series.value[place] == pytest.approx(np.median(scores), abs=2e-4)


def test_checks_month_by_month_and_all_at_once_have_the_same_alarms(stepped, tmp_path):
    kept = []
    for name, days in (("all", [DAYS - 1]), ("parts", range(120, DAYS, 61))):
        with opened_store(shutil.copy(stepped, tmp_path / name)) as store:
            for day in (*days, DAYS - 1):
                check_store(store, read_rules(), as_of=FIRST + timedelta(days=day))
            kept.append([(one.measure, one.day, one.since, one.state) for one in alarms(store)])
    assert kept[0] == kept[1] != []


def test_a_fixed_threshold_holds_by_day_until_weeks_are_chosen_then_by_week(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text(
        '[[rule]]\nmeasure = "selection_rate"\ncomparison = "below"\nthreshold = 0.2\nfor = 2\n', encoding="utf-8"
    )
    rows = [
        {"at": f"{FIRST + timedelta(days=day)}T09:00:00Z", "taken": place < (0 if day in {3, 4} or day > 90 else 3)}
        for day in range(120)
        for place in range(25 if day in {3, 4} else 6)
    ]
    eh.monitor.record(rows, store=str(tmp_path / "h.db"), model="m", time="at", selected="taken")
    with opened_store(str(tmp_path / "h.db")) as store:
        check_store(store, read_rules(path), as_of=FIRST + timedelta(days=119))
        found = sorted((one.day, one.state) for one in alarms(store))
    assert found == [(FIRST + timedelta(days=3), "resolved"), (date(2024, 4, 7), "firing")]


@pytest.mark.parametrize(
    ("a_day", "days", "expected"),
    [
        (30, 10, ("day", 28, 10, date(2024, 1, 29))),
        (5, 40, ("week", 12, 5, date(2024, 3, 25))),
        (1, 100, ("month", 8, 3, date(2024, 9, 1))),
        (0.05, 100, ("quarter", 4, 0, None)),
    ],
)
def test_what_lacks_and_from_when_it_is_watched_at_the_present_volume(a_day, days, expected):
    n = np.diff(np.floor(np.arange(days + 1) * a_day)).astype(np.int64)
    sizes, until = [(CALENDAR[:days], n)], FIRST + timedelta(days=days - 1)
    chosen = chosen_unit(sizes, minimum_n=20, until=until)
    lacking = lack(sizes, chosen, minimum_n=20, until=until, baseline_days=28)
    assert (lacking.unit.name, lacking.needed, lacking.has, lacking.day) == expected
    assert lack(sizes, chosen, minimum_n=20, until=until, baseline_days=None).needed == 1


def small_group(place, *, women, men, changed=420):
    """Record two years in which women are rare; both rates may be others from a day on."""
    rng = np.random.default_rng(12)
    rows = [
        {"at": f"{FIRST + timedelta(days=day)}T09:00:00Z", "taken": bool(rng.random() < rates[day >= changed]), "g": g}
        for day in range(DAYS)
        for g, a_day, rates in (("woman", 0.35, women), ("man", 4, men))
        for _ in range(rng.poisson(a_day))
    ]
    eh.monitor.record(rows, store=str(place), model="rare", time="at", selected="taken", protected="g")


@pytest.mark.parametrize(
    ("women", "men", "rings"),
    [((0.6, 0.25), (0.6, 0.6), True), ((0.6, 0.25), (0.6, 0.25), False), ((0.6, 0.6), (0.6, 0.6), False)],
)
def test_a_small_group_is_watched_judgement_by_judgement(tmp_path, women, men, rings):
    """Its impact ratio rings within a year; where both groups are selected less, the ratio does not change."""
    small_group(tmp_path / "h.db", women=women, men=men)
    rules = Rules(rules=read_rules().rules[2:3], baseline=read_rules().baseline)
    with opened_store(str(tmp_path / "h.db")) as store:
        found = check_store(store, rules, as_of=LAST)
        early = check_store(store, rules, as_of=FIRST + timedelta(days=60))
    (series,) = found.watched
    assert (series.unit, series.since) == (JUDGEMENT, FIRST + timedelta(days=122))
    assert 0.3 < (found.rates["rare"] or 0) < 0.6
    assert units_text(found.watched).endswith("1 by judgement (impact ratio of g = woman of rare).")
    assert [alarm.measure for alarm in found.open] == ["log_impact_ratio"] * rings
    for alarm in found.open:
        assert abs((alarm.since - FIRST).days - 420) <= 60
        assert (alarm.day - FIRST).days < 420 + 180
        assert alarm.value < alarm.threshold < np.log(0.8)
    (lacking,) = lack_texts([one.json for one in early.watched])
    assert "of the 30 judgements of each group that it needs; at the present volume it can be watched" in lacking


@pytest.mark.parametrize(("days", "can_be_told"), [(720, False), (DAYS, True)])
def test_a_season_can_be_told_after_two_years_of_days(days, can_be_told):
    n = np.full(days, 30)
    rate = np.random.default_rng(3).binomial(n, 0.4) / n
    series = DailySeries(
        model="m",
        measure="selection_rate",
        slice={},
        days=CALENDAR[:days],
        value=rate,
        standard_error=np.full(days, np.nan),
        n=n,
    )
    rules = Rules(rules=read_rules().rules[1:2], baseline=read_rules().baseline)
    found = evaluated([series], rules, until=FIRST + timedelta(days=days - 1), references={})
    assert (season_text(found.watched) == "") is can_be_told


def test_many_series_that_lack_the_same_share_a_line():
    def one(number, day):
        lacks = {"unit": "month", "minimum_n": 20, "needed": 8, "has": number % 3, "a_month": 30.0, "day": day}
        return {"model": f"m{number}", "measure": "selection_rate", "slice": {}, "lack": lacks}

    few, many = ([one(number, "2026-12-01") for number in range(size)] for size in (3, 300))
    assert len(lack_texts(few)) == 3
    (line,) = lack_texts(many)
    assert "300 series" in line
    assert "0 to 2 of the 8 months with 20 judgements" in line
    (never,) = lack_texts([one(1, None)])
    assert "not even a quarter has as many" in never
