"""Standing disparities: found as soon as the data suffice, and open while they hold."""

from datetime import UTC, date, datetime, timedelta

import pytest

from evenhand import stats
from evenhand.monitoring.alarms import acknowledge, alarms, check_store
from evenhand.monitoring.recorder import frame_of, row_of
from evenhand.monitoring.recording import Batch, record_batch
from evenhand.monitoring.rules import LevelRule, read_rules
from evenhand.monitoring.standing import saved_looks, standing_disparities, store_looks
from evenhand.monitoring.store import log_head, opened_store
from evenhand.monitoring.words import disparity_text

NOW = datetime(2027, 1, 1, tzinfo=UTC)
LAST = date(2026, 12, 31)


def rows(cells, *, months=range(1, 13), unit=None):
    """Return decisions of each month of 2026: (stage, site, group, decided, selected) are those of one month."""
    return [
        {
            "time": datetime(2026, month, 1 + number % 28, tzinfo=UTC),
            "selected": number < selected,
            "stage": stage,
            "by": {"site": site, "recruiter": "R1" if site == "east" else "R2"},
            "protected": {"origin": group},
            **({} if unit is None else {"unit": unit(month, site, group, number)}),
        }
        for month in months
        for stage, site, group, decided, selected in cells
        for number in range(decided)
    ]


def recorded(place, judged, model="hiring"):
    frame = frame_of([row_of(each, now=NOW) for each in judged], units="unit" in judged[0])
    batch = Batch(model=model, name=None)
    batch.add([frame])
    with opened_store(str(place), create=True, clock=lambda: NOW) as store:
        record_batch(store, batch, decisions=[frame] if "unit" in judged[0] else None)
    return str(place)


def found(place, as_of=LAST, **rule):
    with opened_store(place) as store:
        standing = standing_disparities(store, [LevelRule(**rule)], as_of=as_of)
    return [(dict(each.series.slice), each.day, each.ended) for each in standing.episodes], standing


FAIR = ("", "east", "a", 60, 24), ("", "east", "b", 60, 24)
WORSE = ("", "west", "a", 60, 24), ("", "west", "b", 60, 12)


def test_a_group_at_half_the_rate_of_one_site_is_found_at_the_end_of_a_month_and_no_other(tmp_path):
    place = recorded(tmp_path / "h.db", rows([*FAIR, *WORSE]))
    episodes, standing = found(place)
    # Over 3 pairs and 12 looks a p of .0014 suffices.
    assert [stats.fisher_exact(12 * n, 60 * n, 24 * n, 60 * n).p * 36 < 0.05 for n in (1, 2)] == [False, True]
    assert episodes[0] == ({"site": "west", "origin": "b"}, date(2026, 2, 28), None)
    assert standing.compared == {"hiring": 3}
    (whole,) = episodes[1:]  # 432 of 1,440 against 576 of 1,440 over both sites: .75
    assert whole == ({"origin": "b"}, date(2026, 4, 30), None)
    finding = standing.episodes[0].finding
    assert finding["estimate"] == pytest.approx(144 / 288)
    counts = ("selected_focal", "n_focal", "selected_reference", "n_reference")
    assert [finding["details"][name] for name in counts] == [144, 720, 288, 720]
    assert finding["slice"]["months"] == "2026-01 to 2026-12"
    assert (finding["reference"], finding["claim"]["verdict"]) == ({"origin": "a"}, "difference")
    p = stats.fisher_exact(144, 720, 288, 720).p
    assert finding["claim"]["p_adjusted"] == pytest.approx(p * 3 * 12)
    assert finding["claim"]["family_size"] == 36


def test_only_months_that_have_ended_are_looked_at(tmp_path):
    place = recorded(tmp_path / "h.db", rows([*FAIR, *WORSE], months=range(1, 4)))
    for day, number in ((date(2026, 2, 27), 0), (date(2026, 2, 28), 1), (date(2026, 3, 15), 1)):
        episodes, standing = found(place, day)
        assert len(episodes) == number
    assert standing.look == date(2026, 2, 28)
    assert found(place, date(2026, 1, 30))[1].compared == {}


@pytest.mark.parametrize(
    ("cells", "places"),
    [
        ([("", "east", "a", 60, 24), ("", "east", "b", 60, 21)], []),  # .875
        ([("", "east", "a", 600, 240), ("", "east", "b", 600, 195)], []),  # .8125, and significant
        ([("", "east", "a", 60, 24), ("", "east", "b", 40, 0)], ["b"]),  # nobody selected
        ([("", "east", "a", 60, 24), ("", "east", "b", 2, 0)], []),  # 24 of a group in a year
        ([("", "east", "a", 60, 0), ("", "east", "b", 60, 0)], []),
        ([("", "east", "a", 60, 12), ("", "east", "b", 60, 24)], ["a"]),  # the highest rate is the reference
        ([("", "east", "a", 60, 24), ("", "east", None, 60, 6)], []),
        ([("", "east", "a", 60, 12), ("", "east", "Other/Unknown", 60, 24), ("", "east", "b", 60, 12)], []),
        ([("", "east", "a", 60, 24), ("", "east", "b", 60, 10), ("", "east", "c", 60, 8)], ["b", "c"]),
        ([("", "east", "a", 90, 36), ("", "east", "b", 3, 3), ("", "east", "c", 90, 15)], ["c"]),  # b is too few
    ],
)
def test_groups_below_four_fifths_of_the_highest_rate_are_found(cells, places, tmp_path):
    episodes, _ = found(recorded(tmp_path / "h.db", rows(cells)))
    assert sorted({slice_["origin"] for slice_, *_ in episodes}) == places


def test_each_stage_is_looked_at_once_where_one_site_has_all_of_it_and_no_recruiter_is(tmp_path):
    cells = [(stage, *cell[1:]) for stage in ("screen", "offer") for cell in (FAIR if stage == "screen" else WORSE)]
    episodes, standing = found(recorded(tmp_path / "h.db", rows(cells)))
    assert standing.compared == {"hiring": 2}
    assert [slice_ for slice_, *_ in episodes] == [{"stage": "offer", "origin": "b"}]


def test_one_person_with_many_decisions_is_one_person(place):
    months = range(1, 5)
    every = rows(
        [*FAIR, *WORSE], months=months, unit=lambda month, site, group, number: f"{month} {site} {group} {number}"
    )
    assert len(found(recorded(place, every, model="many people"))[0]) == 2
    # The same decisions on 4 people of each group and site, one after the other on each day of the month.
    few = rows([*FAIR, *WORSE], months=months, unit=lambda _, site, group, number: f"{site} {group} {number // 15}")
    for number, each in enumerate(few):
        each["time"] = each["time"].replace(day=1 + number % 15)
    recorded(place, few, model="few people")
    # A decision on nobody known changes nothing of the others.
    recorded(place, few, model="few known people")
    recorded(place, rows([FAIR[0]], months=[1])[:1], model="few known people")
    for model in ("few people", "few known people"):
        episodes, standing = found(place, models=(model,))
        assert (episodes, standing.compared) == ([], {model: 3})


def test_people_with_two_decisions_are_clusters_of_the_finding(tmp_path):
    judged = rows([*WORSE], unit=lambda month, _, group, number: f"{month} {group} {min(number, 2)} {number // 2}")
    for number, each in enumerate(judged):
        each["time"] = each["time"].replace(day=1 + number % 28)
    _, standing = found(recorded(tmp_path / "h.db", judged))
    finding = standing.episodes[0].finding
    assert finding["clusters"] == {"person": len({each["unit"] for each in judged})}
    assert "cluster-robust by person" in finding["method"]
    assert finding["details"]["n_focal"] == 720
    assert finding["low"] < finding["estimate"] < finding["high"] < 0.8


def test_it_is_over_after_two_looks_in_a_row_without_it(tmp_path):
    place = tmp_path / "h.db"
    recorded(place, rows([*FAIR, *WORSE], months=range(1, 5)))
    better = [*FAIR, ("", "west", "a", 60, 24), ("", "west", "b", 60, 30)]
    recorded(place, rows(better, months=range(5, 13)))
    episodes, _ = found(str(place), months=3)
    west = [each for each in episodes if each[0] == {"site": "west", "origin": "b"}]
    # Of February to April the ratio is .5, of March to May .75 with a p of .12, of April to June 1.0.
    assert west == [({"site": "west", "origin": "b"}, date(2026, 2, 28), date(2026, 6, 30))]


@pytest.mark.parametrize(
    ("as_of", "ended"),
    [
        (date(2027, 1, 31), None),  # of 240 in the window 180 remain
        (date(2027, 4, 30), None),  # the first look without a decision in its window
        (date(2028, 1, 31), date(2027, 5, 31)),
    ],
)
def test_what_is_no_longer_decided_on_is_no_longer_shown_and_not_called_over(as_of, ended, tmp_path):
    place = recorded(tmp_path / "h.db", rows([*WORSE], months=range(1, 5)))
    ((_, _, known),), standing = found(place, as_of)
    assert known == ended
    text = disparity_text(standing.episodes[0])
    assert text.endswith("found on 2026-02-28." if ended is None else f"2026-02-28, no longer shown on {ended}.")
    assert "20.0 % selected (" in text


def test_a_report_finds_the_same_in_the_counts_that_it_keeps(tmp_path):
    two = rows([*FAIR, *WORSE], unit=lambda month, site, group, number: f"{month} {site} {group} {number // 2}")
    for number, each in enumerate(two):
        each["time"] = each["time"].replace(day=1 + number % 28)
    place = recorded(tmp_path / "h.db", two)
    recorded(place, rows([*WORSE]), model="other")
    with opened_store(place) as store:
        looks = store_looks(store, [LevelRule(months=9, models=("hiring", "other"))], as_of=LAST)
    kept = looks.saved(["hiring"])
    again = saved_looks(kept, as_of=LAST).standing
    mine = [each for each in looks.standing.episodes if each.series.model == "hiring"]
    assert mine
    assert [each.finding for each in again.episodes] == [each.finding for each in mine]
    assert mine[0].finding["clusters"]["person"] < mine[0].finding["n"]
    assert set(kept["standing"]["model"]) == set(kept["standing_people"]["model"]) == {"hiring"}
    assert kept["standing_others"].columns == ["look", "p"]


def test_an_alarm_keeps_its_day_and_has_the_counts_of_the_last_look(tmp_path):
    place = recorded(tmp_path / "h.db", rows([*FAIR, *WORSE], months=range(1, 6)))
    rules = read_rules()
    with opened_store(place) as store:
        check_store(store, rules, as_of=date(2026, 3, 31))
        (alarm,) = alarms(store)
        assert (alarm.rule, alarm.measure, alarm.state) == ("standing disparity", "impact_ratio", "firing")
        assert (alarm.day, alarm.threshold, alarm.finding["details"]["n_focal"]) == (date(2026, 2, 28), 0.8, 180)
        with store.writing() as writing:
            acknowledge(writing, alarm.id, by="ana", note="seen")
        check_store(store, rules, as_of=date(2026, 5, 31))
        (alarm,) = [each for each in alarms(store) if "site" in each.slice]
        assert (alarm.state, alarm.day, alarm.finding["details"]["n_focal"]) == ("acknowledged", date(2026, 2, 28), 300)
        head = log_head(store)
        assert check_store(store, rules, as_of=date(2026, 5, 31)).changed == []
        assert log_head(store) == head


def test_the_pairs_of_all_models_are_one_family(tmp_path):
    place = tmp_path / "h.db"
    for number in range(3):
        recorded(place, rows([*FAIR, *(WORSE if number == 0 else FAIR)]), model=f"process {number}")
    _, standing = found(str(place))
    assert standing.compared == {"process 0": 3, "process 1": 1, "process 2": 1}
    assert standing.episodes[0].finding["claim"]["family_size"] == 5 * 12
    assert found(str(place), models=("process 1",))[1].compared == {"process 1": 1}


def test_a_window_ends_with_a_month(tmp_path):
    place = recorded(tmp_path / "h.db", rows([*WORSE], months=range(3, 13)))
    _, standing = found(place, date(2026, 12, 31) + timedelta(days=20), months=6)
    assert standing.episodes[0].finding["slice"]["months"] == "2026-07 to 2026-12"
