"""What becomes of alarms, whatever is recorded, checked and acknowledged in whatever order."""

import tempfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from evenhand.errors import InputError
from evenhand.monitoring.alarms import OPEN, Alarm, acknowledge, alarms, assign, check_store, mute, save_alarm
from evenhand.monitoring.daily import DailyValue, known_model, save_values
from evenhand.monitoring.rules import read_rules
from evenhand.monitoring.store import log_head, opened_store, verified_log

FIRST, TODAY = date(2026, 1, 1), date(2026, 3, 1)
HIGH, LOW, THIN = 0.3, 0.05, None
LENGTHS = (1, 2, 3)


class Alarms(RuleBasedStateMachine):
    """One model whose errors are above 10 % or not; a day may have too few judgements to count."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.days = []
        self.checked = False
        self.seen = {}
        self.acted = {}
        self.log = 0

    @initialize(length=st.sampled_from(LENGTHS))
    def begin(self, length):
        folder = Path(self.folder.name)
        self.rules = {}
        for each in LENGTHS:
            path = folder / f"{each}.toml"
            text = '[[rule]]\nmeasure = "error_rate"\ncomparison = "above"\nthreshold = 0.1\n'
            path.write_text(f"{text}for = {each}\n", encoding="utf-8")
            self.rules[each] = read_rules(path)
        self.length = length
        self.store = opened_store(
            str(folder / "h.db"), create=True, clock=lambda: datetime(TODAY.year, TODAY.month, TODAY.day, tzinfo=UTC)
        )
        self.store.connection.execute("PRAGMA synchronous = OFF")
        with self.store.writing() as writing:
            known_model(writing, "m")

    def teardown(self):
        if hasattr(self, "store"):
            assert verified_log(self.store).wrong is None
            self.store.connection.close()
        self.folder.cleanup()

    def record(self, place, value):
        each = DailyValue(
            model="m",
            measure="error_rate",
            day=FIRST + timedelta(days=place),
            value=LOW if value is THIN else value,
            n=5 if value is THIN else 100,
        )
        with self.store.writing() as writing:
            save_values(writing, [each])
        self.checked = False

    @rule(value=st.sampled_from([HIGH, HIGH, LOW, THIN]))
    def day_passes(self, value):
        self.days.append(value)
        self.record(len(self.days) - 1, value)

    @precondition(lambda self: self.days)
    @rule(data=st.data(), value=st.sampled_from([HIGH, LOW, THIN]))
    def late_batch_changes_a_day(self, data, value):
        place = data.draw(st.integers(0, len(self.days) - 1))
        self.days[place] = value
        self.record(place, value)

    @rule(length=st.sampled_from(LENGTHS))
    def rules_change(self, length):
        self.length = length
        self.checked = False

    @rule()
    def check(self):
        before = {each.id: each.state for each in alarms(self.store)}
        last = FIRST + timedelta(days=max(len(self.days) - 1, 0))
        found = check_store(self.store, self.rules[self.length], as_of=last)
        after = {each.id: each.state for each in alarms(self.store)}
        assert {each.id for each in found.changed} == {key for key in after if after[key] != before.get(key)}
        assert {each.id for each in found.open} == {key for key in after if after[key] in OPEN}
        assert all(
            not (before.get(key) == "acknowledged" and state in {"pending", "firing"}) for key, state in after.items()
        )
        self.checked = True

    @precondition(lambda self: self.checked)
    @rule()
    def check_again(self):
        head = log_head(self.store)
        self.check()
        assert log_head(self.store) == head

    @precondition(lambda self: hasattr(self, "store") and alarms(self.store, states=("pending", "firing")))
    @rule(data=st.data())
    def somebody_acknowledges(self, data):
        found = data.draw(st.sampled_from(alarms(self.store, states=("pending", "firing"))))
        with self.store.writing() as writing:
            acknowledge(writing, found.id, by="ana", note="")
        self.checked = False

    @precondition(lambda self: hasattr(self, "store") and alarms(self.store, states=OPEN))
    @rule(data=st.data(), days=st.integers(0, 366))
    def somebody_assigns_and_mutes(self, data, days):
        found = data.draw(st.sampled_from(alarms(self.store, states=OPEN)))
        with self.store.writing() as writing:
            assign(writing, found.id, by="ana", to="ben")
            now = mute(writing, found.id, by="ana", reason="audit", until=TODAY + timedelta(days=days))
        assert (now.state, now.assigned_to, len(now.actions)) == (found.state, "ben", len(found.actions) + 2)
        assert now.muted(TODAY + timedelta(days=days))
        assert not now.muted(TODAY + timedelta(days=days + 1))
        self.acted[found.id] = now.actions
        self.checked = False

    @invariant()
    def what_was_done_stays(self):
        if hasattr(self, "store"):
            kept = {each.id: each.actions for each in alarms(self.store)}
            assert all(kept[number][: len(actions)] == actions for number, actions in self.acted.items())

    @invariant()
    def log_only_grows(self):
        if hasattr(self, "store"):
            entries = log_head(self.store).entries
            assert entries >= self.log
            self.log = entries

    @invariant()
    def what_is_open_is_what_rings(self):
        """After a check one alarm is open where the last day that counts is high, else none."""
        if not self.checked:
            return
        counting = [value for value in self.days if value is not THIN]
        run = 0
        for value in counting:
            run = run + 1 if value == HIGH else 0
        kept = alarms(self.store, states=OPEN)
        assert len(kept) == (run > 0)
        assert all(each.ended is None for each in kept)
        for each in kept:
            if each.state != "acknowledged":
                assert each.state == "firing" or run < self.length
                assert each.state == "pending" or run >= self.length or self.seen.get(each.id) == "firing"
            self.seen[each.id] = each.state


Alarms.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestAlarms = Alarms.TestCase


@pytest.mark.parametrize(("days", "state"), [(-1, "firing"), (367, "firing"), (1, "resolved")])
def test_an_alarm_is_muted_for_a_year_at_most_and_only_while_it_is_open(tmp_path, days, state):
    alarm = Alarm(
        rule="errors",
        measure="error_rate",
        model="m",
        slice={},
        day=FIRST,
        since=None,
        state=state,
        value=0.3,
        threshold=0.1,
        severity="warning",
    )
    with opened_store(tmp_path / "h.db", create=True) as store, store.writing() as writing:
        number, today = save_alarm(writing, alarm).id, writing.now.date()
        with pytest.raises(InputError, match="only open alarms" if state == "resolved" else "expected a day from"):
            mute(writing, number, by="ana", reason="audit", until=today + timedelta(days=days))
        assert alarms(writing)[0].actions == ()
