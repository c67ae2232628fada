"""What dashboards ask a store for reads the last days alone, and tells of them what reading all days does."""

from judged import judgements, recorded

from evenhand.monitoring.state import counts_version, decided_models, last_day, monthly_counts, state_of
from evenhand.monitoring.store import opened_store


def test_the_last_days_are_those_of_all_days(place):
    found = judgements(400)
    recorded(place, found)
    with opened_store(place) as store:
        every, last = state_of(store), state_of(store, last=True)
        assert last.last_days == every.last_days
        assert len(every.days) > len(last.days) == 1
        assert (last.models, last.log, last.dropped) == (every.models, every.log, every.dropped)
        (model,) = decided_models(store)
        assert last_day(store, model) == max(each["time"].date() for each in found)
        assert last_day(store, "another") is None
        known = monthly_counts(store, model)
        assert known["decided"].sum() == sum(each["selected"] is not None for each in found)
        assert counts_version(store, model).startswith("1 ")
