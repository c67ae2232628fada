"""Alarms in both engines: checks that meet keep each once, and who has seen one stays known."""

import threading
from datetime import date, timedelta

import numpy as np

from evenhand.monitoring.alarms import acknowledge, alarms, check_store
from evenhand.monitoring.daily import DailyValue, known_model, save_values
from evenhand.monitoring.rules import read_rules
from evenhand.monitoring.store import opened_store, verified_log
from evenhand.monitoring.webhook import Webhook, deliver

FIRST, LAST = date(2026, 1, 5), date(2026, 3, 5)


def keep_error_rates(place):
    """Keep 60 days of which the last twenty have ten times as many errors."""
    errors = np.random.default_rng(1).binomial(500, np.where(np.arange(60) < 40, 0.01, 0.1))
    with opened_store(place, create=True) as store, store.writing() as writing:
        known_model(writing, "m")
        values = [
            DailyValue(model="m", measure="error_rate", day=FIRST + timedelta(days=day), value=each / 500, n=500)
            for day, each in enumerate(errors)
        ]
        save_values(writing, values)


def test_checks_that_meet_keep_an_alarm_once_and_it_stays_acknowledged(place):
    keep_error_rates(place)
    failed, sent = [], []

    def check():
        try:
            with opened_store(place) as store:
                check_store(store, read_rules(), as_of=LAST)
        except Exception as error:  # noqa: BLE001 - told below
            failed.append(error)

    both = [threading.Thread(target=check) for _ in range(3)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert not failed
    with opened_store(place) as store:
        (alarm,) = alarms(store)
        assert (alarm.state, alarm.measure) == ("firing", "error_rate")
        assert date(2026, 2, 13) <= alarm.since <= alarm.day <= date(2026, 2, 16)
        with store.writing() as writing:
            acknowledge(writing, alarm.id, by="ana", note="provider is down")
        (kept,) = check_store(store, read_rules(), as_of=LAST).open
        assert (kept.state, kept.acknowledged_by) == ("acknowledged", "ana")
        hook = Webhook(url="https://hooks.example/x", secret="s")
        for _ in range(2):
            deliver(store, hook, send=lambda _, found, head: sent.append((len(found), head.entries)))
        assert [n for n, _ in sent] == [1]
        assert verified_log(store).wrong is None
