"""Cases from the recorded stream in both engines: the switch, the draw, the reasons, weights, and what is forgotten."""

import json
import random
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest

import evenhand as eh
from evenhand.errors import InputError
from evenhand.monitoring.alarms import Alarm, save_alarm
from evenhand.monitoring.golden_cases import cases_of
from evenhand.monitoring.golden_labels import open_cases
from evenhand.monitoring.golden_stream import Streamed, coverage, drawn_at_random, stands_for, strata_of, streamed_cases
from evenhand.monitoring.recorder import frame_of, row_of
from evenhand.monitoring.recording import Batch, record_batch
from evenhand.monitoring.store import opened_store, verified_log

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
SECRET = "Nurse of ward"


def judgement(number, *, days=0, **more):
    """Return a judgement of one of the people, two in three of them men; scores rise with the number."""
    return {
        "time": START + timedelta(days=number % 20 + days),
        "unit": f"u{number}",
        "position": "Nurse",
        "protected": {"gender": "woman" if number % 3 == 0 else "man"},
        "score": number / 100,
        "selected": number >= 50,
        "decided_by": "AI",
        **more,
    }


def record(place, found, name, *, model="screener"):
    rows = frame_of([row_of(each, now=datetime.now(UTC)) for each in found], units=True)
    batch = Batch(model=model, name=name)
    batch.add([rows])
    labels_only = all("score" not in each for each in found)
    with opened_store(place, create=True) as store:
        record_batch(store, batch, decisions=[rows], labels_only=labels_only)


@pytest.fixture
def files(tmp_path):
    """Return a file with the texts of 100 people, and one with the position."""
    rows = [
        {"id": f"u{number}", "text": f"Jo Doe{number}\n{SECRET} {number}.", "known_names": [f"Jo Doe{number}"]}
        for number in range(100)
    ]
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "positions.jsonl").write_text('{"id": "p1", "title": "Nurse", "text": "Care."}\n', encoding="utf-8")
    return tmp_path


@pytest.fixture
def store(place):
    """Return a place where 100 people are recorded, and proposing is switched on."""
    record(place, [judgement(number) for number in range(100)], "first")
    eh.monitor.golden_propose(None, store=place, switch_on=True, by="carla", keep_days=30)
    return place


def propose(place, files, **more):
    where = {"store": place, "model": "screener", "positions": files / "positions.jsonl"}
    return eh.monitor.golden_propose(files / "texts.jsonl", **where | more)


def kept(place):
    with opened_store(place) as opened:
        return {case.id: case for case in cases_of(opened)}


def test_nothing_is_copied_until_somebody_switches_it_on_and_the_log_tells_who(place, files):
    record(place, [judgement(number) for number in range(100)], "first")
    with pytest.raises(
        InputError, match=r"is off by default\. A person who may decide .*golden propose .* switch_on=True, by=.NAME."
    ):
        propose(place, files)
    eh.monitor.golden_propose(None, store=place, switch_on=True, by="carla", keep_days=30)
    with pytest.raises(InputError, match="carla allowed 30 days; give that many or fewer"):
        propose(place, files, keep_days=31)
    assert propose(place, files, draw=5)["new"] == 5
    eh.monitor.golden_propose(None, store=place, switch_off=True, by="dora")
    with pytest.raises(InputError, match="is off"):
        propose(place, files)
    with opened_store(place) as opened:
        entries = [json.loads(entry) for (entry,) in opened.rows("SELECT entry FROM log ORDER BY number")]
        assert verified_log(opened).wrong is None
    assert [each["content"]["by"] for each in entries if each["kind"] == "golden propose"] == ["carla", "dora"]


def test_each_takes_part_in_one_draw_and_stands_for_as_many_as_were_not_drawn(store, files):
    first = propose(store, files, draw=20)
    assert (first["frame"], first["drawn"], first["new"], first["strata"]) == (100, 20, 20, 2)
    again = propose(store, files, draw=20)
    assert (again["frame"], again["drawn"], again["new"]) == (0, 0, 0)
    record(store, [judgement(number, unit=f"late {number}") for number in range(30)], "second")
    rows = [{"id": f"late {number}", "text": f"Late text {number}."} for number in range(30)]
    with (files / "texts.jsonl").open("a", encoding="utf-8") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))
    third = propose(store, files, draw=15)
    assert (third["frame"], third["drawn"], third["without_names"]) == (30, 15, 15)
    with opened_store(store) as opened:
        cases, strata = cases_of(opened), strata_of(opened)
    assert {(each.size, each.drawn) for each in strata.values()} == {(34, 7), (66, 13), (10, 5), (20, 10)}
    weights = stands_for(cases, strata)
    assert sum(weights.values()) == pytest.approx(130)
    # One of a stratum that is lost is stood for by the others of it.
    lost = next(case for case in cases if strata[case.stratum].size == 34)
    left = stands_for([case for case in cases if case is not lost], strata)
    assert (weights[lost.id], sum(left.values())) == (pytest.approx(34 / 7), pytest.approx(130))
    assert {case.reason for case in cases} == {"drawn at random"}


def test_everybody_is_drawn_as_often_whatever_the_key():
    """100 people under 2,000 keys: of a group of 70, of one of 25, and of five groups of one, which are together."""
    groups = ["a"] * 70 + ["b"] * 25 + ["c", "d", "e", "f", "g"]
    counts, keys, rng = Counter(), 2000, random.Random(5)
    for _ in range(keys):
        frame = [
            Streamed(id=f"{rng.getrandbits(64):016x}", unit=bytes([n]), day="2026-03-01", position="", groups={"g": of})
            for n, of in enumerate(groups)
        ]
        strata = drawn_at_random(frame, 20)
        assert [(len(members), len(drawn)) for members, drawn in strata] == [(70, 14), (30, 6)]
        counts.update(case.unit[0] for _, drawn in strata for case in drawn)
    # Each is drawn in one of five; 5 standard errors.
    assert all(abs(counts[n] / keys - 0.2) < 5 * (0.2 * 0.8 / keys) ** 0.5 for n in range(100))


@pytest.mark.parametrize(("n", "sizes"), [(0, [0]), (1, [1]), (3, [3]), (6, [4, 2]), (9, [6, 3]), (99, [6, 3])])
def test_a_draw_has_as_many_as_asked_and_no_stratum_of_one(n, sizes):
    frame = [
        Streamed(id=f"{k}", unit=b"", day="2026-03-01", position="", groups={"g": "a" if k < 6 else "b"})
        for k in range(9)
    ]
    assert [len(drawn) for _, drawn in drawn_at_random(frame, n)] == sizes


def test_each_reason_is_that_of_its_case(store, files):
    people = {"decided_by": "people", "score": None}
    record(
        store,
        [
            judgement(1, days=2, **people | {"selected": True}),  # AI said no
            judgement(2, **people | {"selected": True}),
            judgement(3, days=2, **people | {"selected": False}),  # as AI said
            judgement(4, days=2, **people | {"selected": True, "stage": "offer"}),
            judgement(5, days=2, selected=True),  # by the AI itself
        ],
        "by people",
    )
    for name, said in (("labels", True), ("mended", False)):
        label = {"time": START + timedelta(days=60), "unit": "u6", "label": said}
        record(store, [label, label | {"unit": "u60", "label": False}], name)
    with opened_store(store) as opened:
        with opened.writing() as writing:
            alarm = {"rule": "r", "measure": "selection_rate", "model": "screener", "slice": {"gender": "woman"}}
            days = {"day": date(2026, 3, 13), "since": date(2026, 3, 13)}
            rung = {"state": "firing", "value": 0.1, "threshold": 0.2, "severity": "warning"}
            save_alarm(writing, Alarm(**alarm, **days, **rung))
        wanted = [(f"u{number}", "p1", "Nurse") for number in range(100)]
        found = streamed_cases(opened, "screener", wanted, cutoff=0.495)
        assert streamed_cases(opened, "screener", [("u1", "p2", "Pilot"), ("u999", "p1", "Nurse")], cutoff=None) == [
            None,
            None,
        ]
    reasons = {number: {kind: each.text for kind, each in case.remarks.items()} for number, case in enumerate(found)}
    near = {number for number, of in reasons.items() if "low margin" in of}
    assert near == set(range(45, 55))
    assert {number: of for number, of in reasons.items() if set(of) - {"low margin"}} == {
        1: {"overturned": "overturned: AI no on 2026-03-02, people yes on 2026-03-04"},
        2: {"deciders differ": "deciders differ: AI no on 2026-03-03, people yes on 2026-03-03"},
        5: {"overturned": "overturned: AI no on 2026-03-06, AI yes on 2026-03-08"},
        6: {"label changed": "label changed: another was recorded before"},
        60: {"label differs": "label differs: decided yes, label no"},
        # Day 13 of March, of women alone.
        12: {"alarm": "alarm: selection_rate on 2026-03-13, number 1"},
        72: {"alarm": "alarm: selection_rate on 2026-03-13, number 1"},
    }
    made = propose(store, files, draw=0, choose=12, cutoff=0.495)
    assert made["frame"] == 100  # and none of them took part in a draw
    assert made["reasons"].keys() == {
        *("overturned", "deciders differ", "label changed", "label differs", "alarm", "low margin", "thinly covered")
    }
    drawn = propose(store, files, draw=100)
    assert (drawn["drawn"], drawn["new"]) == (100, 88)
    with opened_store(store) as opened:
        assert sum(stands_for(cases_of(opened), strata_of(opened)).values()) == 100


def test_texts_are_masked_and_one_that_still_tells_the_name_stays_out(store, files):
    rows = [json.loads(line) for line in (files / "texts.jsonl").read_text("utf-8").splitlines()]
    for row in rows[:10]:
        row["text"] += "\nPhone 312-555-0188\nDate of birth: 3 May 1990\nShe led it."
    spelled = "\n".join("Okafor")  # a letter on each line
    rows[20] |= {"text": f"Jo Okafor\n{spelled}\nNurse", "known_names": ["Jo Okafor"]}
    (files / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    made = propose(store, files, draw=100)
    assert (made["drawn"], made["new"], made["not_copied"]) == (100, 99, 1)
    assert propose(store, files, draw=0, choose=5)["new"] == 0  # and no other is left to choose
    cases = kept(store).values()
    assert not any(re.search(r"Doe|Okafor|312|1990|She", case.text) for case in cases)
    assert {case.known_names for case in cases} == {()}
    assert not any(re.search(r"u\d", case.id) for case in cases)
    with opened_store(store) as opened:
        shown = open_cases(opened, by="ana", adjudicating=False, resume=lambda case: case.text)
        strata = strata_of(opened)
    assert sum(stands_for(cases, strata).values()) == pytest.approx(100)  # others of the group stand for that one
    assert not any("random" in repr(vars(each)) + each.resume for each in shown)


def test_a_person_is_forgotten_by_the_unit_and_never_copied_again(store, files):
    propose(store, files, draw=100)
    (forgotten,) = eh.monitor.golden_forget(None, store=store, unit="u7")["forgotten"]
    assert [name for name, case in kept(store).items() if case.text is None] == [forgotten]
    with pytest.raises(InputError, match="No golden case with a text belongs to this unit"):
        eh.monitor.golden_forget(None, store=store, unit="u7")
    assert propose(store, files, draw=100, choose=100)["new"] == 0
    assert kept(store)[forgotten].text is None
    # Nor for another position, nor from the decisions of another model.
    record(store, [judgement(7, position="Pilot"), judgement(8, position="Pilot")], "pilots")
    with (files / "positions.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "p2", "title": "Pilot", "text": "Fly."}\n')
    rows = [{"id": f"t{n}", "case": f"u{n}", "text": f"{SECRET} {n}.", "position": "p2"} for n in (7, 8)]
    (files / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    made = propose(store, files, unit="case", draw=5)
    assert (made["new"], made["frame"], made["removed"]) == (1, 1, 1)
    record(store, [judgement(7, position="Pilot"), judgement(9, position="Pilot")], "next", model="next")
    (files / "texts.jsonl").write_text(json.dumps(rows[0]) + "\n", encoding="utf-8")
    made = propose(store, files, unit="case", draw=0, choose=5, model="next")
    assert (made["new"], made["removed"]) == (0, 1)


def test_a_text_counts_as_forgotten_once_its_days_are_over_and_is_removed(store, files):
    propose(store, files, draw=10)
    propose(store, files, draw=0, choose=5, keep_days=1)
    later = datetime.now(UTC) + timedelta(days=2)
    with opened_store(store, clock=lambda: later) as opened:
        assert sum(case.text is None for case in cases_of(opened)) == 5
        assert len(open_cases(opened, by="ana", adjudicating=False, resume=lambda case: case.text)) == 10
        assert len(opened.rows("SELECT id FROM golden_texts")) == 15
    assert eh.monitor.golden_forget(None, store=store, expired=True)["forgotten"] == []
    with opened_store(store) as opened, opened.writing() as writing:
        writing.execute("UPDATE golden_cases SET keep_until = '2026-01-01T00:00:00.000000Z' WHERE stratum IS NULL")
    assert len(eh.monitor.golden_forget(None, store=store, expired=True)["forgotten"]) == 5
    with opened_store(store) as opened:
        assert len(opened.rows("SELECT id FROM golden_texts")) == 10
        assert verified_log(opened).wrong is None


def test_coverage_is_of_groups_and_positions_with_and_without_a_case(store, files):
    record(store, [judgement(number, unit=f"p{number}", position="Pilot") for number in range(25)], "pilots")
    propose(store, files, draw=20, choose=5)
    with opened_store(store) as opened:
        rows = coverage(opened, "screener", cases_of(opened), today=date(2026, 4, 1))
    found = {(row.name, row.value): row for row in rows}
    assert found.keys() == {("", ""), *((n, v) for n, v in (("gender", "man"), ("gender", "woman")))} | {
        ("position", "Nurse"),
        ("position", "Pilot"),
    }
    assert (found["", ""].cases, found["", ""].drawn, found["", ""].recorded) == (25, 20, 1)
    assert (found["position", "Pilot"].cases, found["position", "Pilot"].recorded) == (0, 0.2)
    assert found["gender", "man"].cases + found["gender", "woman"].cases == 25
    assert 12 <= found["", ""].newest_age <= found["", ""].median_age <= 31


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"model": None}, "model is missing"),
        ({"model": "another"}, "The store has no units of 'another'"),
        ({"unit": "nowhere"}, "The text 'u0' has no 'nowhere', which unit names"),
        ({"by": "carla", "switch_on": True}, "Give switch_on=True or switch_off=True alone"),
        ({"draw": -1}, "draw is -1; expected a whole number"),
        ({"cutoff": float("nan")}, "expected a number, such as 0.5"),
    ],
)
def test_what_can_not_be_proposed_is_told(tmp_path, files, more, told):
    place = str(tmp_path / "history.db")
    record(place, [judgement(number) for number in range(10)], "first")
    eh.monitor.golden_propose(None, store=place, switch_on=True, by="carla")
    with pytest.raises(InputError, match=re.escape(told)):
        propose(place, files, **more)
