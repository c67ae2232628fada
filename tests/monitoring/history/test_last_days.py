"""What dashboards ask a store for reads the last days alone, and tells of them what reading all days does."""

from datetime import date

import pytest
from judged import START, judgements, recorded

from evenhand.monitoring.state import counts_version, decided_models, gaps, last_day, monthly_counts, state_of
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


#: Days of a month with judgements, how many make a day, and days without, of those that count, and the longest run.
GAPS = {
    "all": ("1-31", 1, None),
    "a day": ("1-9,11-31", 1, (1, 31, 10, 10)),
    "two runs": ("1-4,7-20,24-31", 1, (5, 31, 21, 23)),
    "since": ("1-25", 1, (6, 31, 26, 31)),
    "few": ("1-31", 3, (31, 31, 1, 31)),
    "begins late": ("11-19,21-31", 1, (1, 21, 20, 20)),
    "working days": ("2-6,9-13,16-20,23-26,30-31", 1, (1, 22, 27, 27)),
}


@pytest.mark.parametrize("name", GAPS)
def test_days_without_data_are_counted_and_the_longest_time_is_told(place, name):
    spans, least, expected = GAPS[name]
    days = [day for span in spans.split(",") for day in range(int(span.split("-")[0]), int(span.split("-")[-1]) + 1)]
    recorded(
        place, [judgements(1)[0] | {"time": START.replace(day=day), "score": 0.5} for day in days for _ in range(2)]
    )
    with opened_store(place) as store:
        found = gaps(store, until=date(2026, 3, 31), days=31, least=least)
    told = [(gap.missing, gap.days, gap.first.day, gap.last.day) for gap in found]
    assert told == ([] if expected is None else [expected])
