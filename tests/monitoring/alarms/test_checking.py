"""A check of a store: what it keeps, and what two at once, a late batch and an earlier day do to it."""

import json
import threading
from datetime import date, timedelta

import numpy as np
import pytest

from evenhand.errors import InputError
from evenhand.monitoring import alarms as checking
from evenhand.monitoring.alarms import acknowledge, alarms, check_store
from evenhand.monitoring.daily import DailyValue, known_model, save_values
from evenhand.monitoring.rules import read_rules
from evenhand.monitoring.store import log_head, opened_store, verified_log

FIRST, LAST = date(2026, 1, 5), date(2026, 3, 5)


def median_scores(*, step=0.0, seed=3, at=40, days=60, model="screener"):
    """Return 60 daily medians of 200 scores with a standard deviation of .12, of which a step begins at day 40."""
    rng = np.random.default_rng(seed)
    error = 0.12 * np.sqrt(np.pi / 2 / 200)
    return [
        DailyValue(
            model=model,
            measure="median_score",
            day=FIRST + timedelta(days=day),
            value=float(0.6 + error * rng.standard_normal() - (step * error if day >= at else 0)),
            standard_error=error,
            n=200,
        )
        for day in range(days)
    ]


def keep(place, values):
    with opened_store(str(place), create=True) as store, store.writing() as writing:
        for model in sorted({each.model for each in values}):
            known_model(writing, model)
        save_values(writing, values)


@pytest.fixture
def place(tmp_path):
    keep(tmp_path / "h.db", median_scores(step=3))
    return tmp_path / "h.db"


@pytest.mark.parametrize("seed", range(5))
def test_a_step_at_day_40_rings_by_day_45_and_none_before(seed, tmp_path):
    keep(tmp_path / "h.db", median_scores(step=3, seed=seed))
    rules = read_rules()
    with opened_store(str(tmp_path / "h.db")) as store:
        for day in (39, *range(40, 47)):
            found = check_store(store, rules, as_of=FIRST + timedelta(days=day))
            assert not (found.open and day < 40)
            assert found.open or day < 45
        (alarm,) = alarms(store)
    assert (alarm.measure, alarm.model, alarm.state) == ("median_score", "screener", "firing")
    assert FIRST + timedelta(days=40) <= alarm.day <= FIRST + timedelta(days=45)
    assert FIRST + timedelta(days=33) <= alarm.since <= alarm.day
    assert alarm.value < alarm.threshold


def test_days_checked_in_parts_and_all_at_once_have_the_same_alarms(tmp_path):
    values = [each for model in "abc" for each in median_scores(step=3, days=90, seed=ord(model), model=model)]
    kept = []
    for name, days in (("one", range(36, 90, 3)), ("all", [89])):
        keep(tmp_path / name, values)
        with opened_store(str(tmp_path / name)) as store:
            for day in days:
                check_store(store, read_rules(), as_of=FIRST + timedelta(days=day))
            kept.append([(each.model, each.day, each.since, each.state) for each in alarms(store)])
    assert kept[0] == kept[1] != []


def test_a_check_that_finds_nothing_new_adds_nothing_to_the_log(place):
    with opened_store(str(place)) as store:
        check_store(store, read_rules(), as_of=LAST)
        head = log_head(store)
        again = check_store(store, read_rules(), as_of=LAST)
        assert (log_head(store), again.changed) == (head, [])
        assert verified_log(store).wrong is None


def test_an_earlier_day_than_the_last_checked_changes_nothing(place):
    with opened_store(str(place)) as store:
        check_store(store, read_rules(), as_of=LAST)
        before, head = alarms(store), log_head(store)
        found = check_store(store, read_rules(), as_of=FIRST + timedelta(days=38))
        assert (found.kept, found.open, found.last) == (False, [], LAST)
        assert (alarms(store), log_head(store)) == (before, head)


def test_two_checks_at_once_keep_each_alarm_once(place):
    failed = []

    def check():
        try:
            with opened_store(str(place)) as store:
                check_store(store, read_rules(), as_of=LAST)
        except Exception as error:  # noqa: BLE001 - told below
            failed.append(error)

    both = [threading.Thread(target=check) for _ in range(4)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    with opened_store(str(place)) as store:
        kinds = [entry for (entry,) in store.rows("SELECT entry FROM log")]
        assert len(alarms(store)) == 1
        assert verified_log(store).wrong is None
    assert not failed
    assert sum('"kind":"alarm"' in each for each in kinds) == 1


def test_what_is_recorded_while_a_check_reads_is_seen_by_it(tmp_path, monkeypatch):
    place = tmp_path / "h.db"
    keep(place, median_scores(days=40))
    late = median_scores(step=3)
    read = checking._evaluated
    calls = []

    def slow(store, rules, as_of):
        calls.append(as_of)
        found = read(store, rules, as_of)
        if len(calls) == 1:
            with opened_store(str(place)) as other, other.writing() as writing:
                save_values(writing, late)
                checking.add_entry(writing, "batch", {})
        return found

    monkeypatch.setattr(checking, "_evaluated", slow)
    with opened_store(str(place)) as store:
        assert check_store(store, read_rules(), as_of=LAST).open
    assert len(calls) == 2


def test_an_alarm_of_a_rule_that_is_gone_is_over(place, tmp_path):
    (tmp_path / "r.toml").write_text('[[rule]]\nmeasure = "auc"\n', encoding="utf-8")
    with opened_store(str(place)) as store:
        check_store(store, read_rules(), as_of=LAST)
        found = check_store(store, read_rules(tmp_path / "r.toml"), as_of=LAST)
        assert (found.open, [each.state for each in found.over]) == ([], ["resolved"])


@pytest.mark.parametrize(("high", "states"), [(2, ["pending", "resolved"]), (3, ["pending", "firing", "resolved"])])
def test_the_log_tells_whether_what_is_over_fired_between_two_checks(high, states, tmp_path):
    values = [
        DailyValue(model="m", measure="error_rate", day=FIRST + timedelta(days=day), value=0.3 * (day < high), n=100)
        for day in range(5)
    ]
    keep(tmp_path / "h.db", values)
    rule = '[[rule]]\nmeasure = "error_rate"\ncomparison = "above"\nthreshold = 0.1\nfor = 3\n'
    (tmp_path / "r.toml").write_text(rule, encoding="utf-8")
    with opened_store(str(tmp_path / "h.db")) as store:
        for day in (1, 4):
            found = check_store(store, read_rules(tmp_path / "r.toml"), as_of=FIRST + timedelta(days=day))
        entries = [json.loads(entry) for (entry,) in store.rows("SELECT entry FROM log ORDER BY number")]
        assert [each["content"]["state"] for each in entries if each["kind"] == "alarm"] == states
        assert [each.state for each in found.over] == ["resolved"]


def test_only_what_rings_is_acknowledged(place):
    with opened_store(str(place)) as store:
        (alarm,) = check_store(store, read_rules(), as_of=LAST).open
        with store.writing() as writing:
            assert acknowledge(writing, alarm.id, by="ana", note="new titles").state == "acknowledged"
        with store.writing() as writing, pytest.raises(InputError, match="is acknowledged; only pending"):
            acknowledge(writing, alarm.id, by="bo", note="")
        with store.writing() as writing, pytest.raises(InputError, match="No alarm 7"):
            acknowledge(writing, 7, by="bo", note="")
        (kept,) = check_store(store, read_rules(), as_of=LAST).open
        assert (kept.state, kept.acknowledged_by, kept.note) == ("acknowledged", "ana", "new titles")


def test_a_model_that_begins_anew_has_a_baseline_of_its_own(place, tmp_path):
    (tmp_path / "r.toml").write_text(
        '[baseline]\nfrom = { screener = 2026-02-14 }\n[[rule]]\nmeasure = "median_score"\n', encoding="utf-8"
    )
    with opened_store(str(place)) as store:
        found = check_store(store, read_rules(tmp_path / "r.toml"), as_of=LAST)
        assert found.open == []
        assert [(each.days, each.since) for each in found.watched] == [(20, None)]
