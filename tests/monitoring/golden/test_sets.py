"""A golden set in both engines: cases, labels, versions, what is forgotten, and the alarms that follow."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from evenhand.errors import InputError
from evenhand.monitoring.alarms import check_store
from evenhand.monitoring.daily import DailyValue, daily_series
from evenhand.monitoring.golden_cases import TEXTS, Case, add_cases, cases_of, forget_case
from evenhand.monitoring.golden_labels import (
    GOLDEN,
    Scored,
    add_adjudications,
    add_labels,
    case_labels,
    close_version,
    counterfactual_labels,
    last_run,
    open_cases,
    record_scored,
    save_labeller_values,
    take_labels,
    version_of,
)
from evenhand.monitoring.rules import read_rules
from evenhand.monitoring.store import SCHEMA, migrations, opened_store, verified_log

POSITION = {"id": "p1", "title": "Nurse", "text": "Care of patients."}
SECRET = "Nobody may read this again. "
FIRST = date(2026, 1, 5)


def case(name, text=None, **more):
    text = f"Text {name}" if text is None else text
    return Case(id=name, text=text, position=POSITION, reason="a test", known_names=("Jo Doe",), **more)


def said(store, by, **labels):
    with store.writing() as writing:
        return add_labels(writing, labels, by=by)


@pytest.fixture
def store(place):
    """Return a store in which ana and ben labelled three cases, and differ on the third."""
    with opened_store(place, create=True) as store:
        with store.writing() as writing:
            twins = [case(name, SECRET * 300, twin="t", groups={"gender": name}) for name in ("man", "woman")]
            add_cases(writing, [*twins, case("other")], None)
        said(store, "ana", man="yes", woman="yes", other="no")
        said(store, "ben", man="yes", woman="yes", other="yes")
        yield store


def test_a_set_grows_and_its_versions_stay(store):
    with store.writing() as writing:
        first = close_version(writing, by="carla")
    assert first.labels == {"man": 1, "woman": 1}
    with store.writing() as writing:
        add_adjudications(writing, {"other": "no"}, by="carla")
        second = close_version(writing, by="carla")
    assert second.labels == {"man": 1, "other": 0, "woman": 1}
    assert version_of(store, 1) == first
    with pytest.raises(InputError, match=r"There is no version 3 of the golden set; the newest is 2\."):
        version_of(store, 3)
    with (
        pytest.raises(InputError, match="'other' was adjudicated before, and version 2 with it is closed"),
        store.writing() as writing,
    ):
        add_adjudications(writing, {"other": "yes"}, by="dora")
    with store.writing() as writing:
        writing.execute("UPDATE golden_members SET label = 0 WHERE version = 1 AND case_id = 'man'")
    with pytest.raises(InputError, match="Version 1 of the golden set was changed after it was closed"):
        version_of(store, 1)


def test_a_clock_that_is_set_back_changes_no_label_and_no_version(store, place):
    with opened_store(place, clock=lambda: datetime(2020, 1, 1, tzinfo=UTC)) as earlier:
        with earlier.writing() as writing:
            add_cases(writing, [case("late")], None)
            assert add_adjudications(writing, {"other": "yes"}, by="carla") == 1
        for by in ("dora", "ana"):
            assert (said(earlier, by, late="no"), said(earlier, by, late="no")) == (1, 0)
        with earlier.writing() as writing:
            save_labeller_values(writing)
            assert close_version(writing, by="carla").labels == {"man": 1, "woman": 1, "other": 1, "late": 0}
        assert verified_log(earlier).wrong is None
    assert version_of(store).number == 1


def test_who_labels_sees_codes_of_their_own_and_nothing_that_was_said(store):
    def shown(by, **more):
        return open_cases(store, by=by, resume=lambda each: each.text, **{"adjudicating": False} | more)

    with store.writing() as writing:
        add_cases(writing, [case("new")], None)
    ana, ben = shown("ana"), shown("ben")
    assert [(each.resume, each.position, each.said) for each in ana] == [("Text new", "Nurse\n\nCare of patients.", ())]
    assert ana[0].code != ben[0].code
    assert shown("ana", adjudicating=True) == []
    (differing,) = shown("carla", adjudicating=True)
    assert differing.said == ("no", "yes")
    with store.writing() as writing:
        assert take_labels(writing, {ana[0].code: "yes"}, by="ana", adjudicating=False) == 1
    with (
        pytest.raises(InputError, match=f"There is no golden case '{ana[0].code}' for ben"),
        store.writing() as writing,
    ):
        take_labels(writing, {ana[0].code: "yes"}, by="ben", adjudicating=False)
    assert len(case_labels(store)["new"].labels) == 1


def test_a_third_who_labels_what_has_two_is_told_how_many_these_are(store):
    with pytest.raises(
        InputError, match=r"has two labels already\. 2 more of these have two, too; leave out their labels"
    ):
        said(store, "dora", man="yes", woman="yes", other="yes")


def test_a_text_is_the_same_whatever_its_line_breaks(store):
    with store.writing() as writing:
        assert add_cases(writing, [case("broken", "A nurse.\r\nOf wards.\rOf homes.\n")], None) == 1
        assert add_cases(writing, [case("broken", "A nurse.\nOf wards.\nOf homes.\n")], None) == 0
    assert {each.text for each in cases_of(store) if each.id == "broken"} == {"A nurse.\nOf wards.\nOf homes.\n"}


def files_of(store):
    """Return the bytes of all files that a store has."""
    if not store.place.startswith("postgres"):
        return b"".join(path.read_bytes() for path in Path(store.place).parent.glob("history.db*"))
    store.connection.execute("CHECKPOINT")
    ((folder, base),) = store.rows(
        "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
    )
    return b"".join(path.read_bytes() for path in Path(folder, "base", str(base)).iterdir())


def test_what_is_forgotten_lies_in_no_file_of_the_store(store):
    # Long texts are packed by PostgreSQL, short ones are not; names are kept beside both.
    with store.writing() as writing:
        add_cases(writing, [case("short", SECRET)], None)
    assert SECRET.encode() in files_of(store)
    with store.writing() as writing:
        assert forget_case(writing, "man") == ["man", "woman"]
        assert forget_case(writing, "short") == ["short"]
    assert store.connection.write_over(TEXTS) is None
    assert SECRET.encode() not in files_of(store)
    assert [(each.id, each.text, each.known_names) for each in cases_of(store) if each.text is None] == [
        (name, None, ()) for name in ("man", "short", "woman")
    ]
    assert verified_log(store).wrong is None
    assert not any(SECRET.strip() in entry for (entry,) in store.rows("SELECT entry FROM log"))
    assert case_labels(store)["man"].label == 1


def test_a_reader_who_keeps_the_log_of_a_file_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("evenhand.monitoring.store.WAIT_SECONDS", 0.05)
    place = str(tmp_path / "history.db")
    with opened_store(place, create=True) as store, opened_store(place) as reader:
        with store.writing() as writing:
            add_cases(writing, [case("one", SECRET)], None)
        reader.connection.execute("BEGIN")
        assert len(cases_of(reader)) == 1
        with store.writing() as writing:
            forget_case(writing, "one")
        assert store.connection.write_over(TEXTS) == f"{place}-wal, until the last process that has it open ends"


def test_an_older_store_takes_golden_cases_once_it_is_opened(place):
    told = []
    with opened_store(place, create=True, schema=migrations()[:1]) as old:
        old.connection.execute("INSERT INTO models (name, since) VALUES ('screener', '2026-03-01T00:00:00.000000Z')")
    with opened_store(place, notice=told.append) as store, store.writing() as writing:
        assert add_cases(writing, [case("one")], None) == 1
        assert writing.rows("SELECT name FROM models") == [("screener",)]
    assert told == [f"{store.place} was migrated from schema 1 to {SCHEMA}; the records are unchanged."]


def test_the_last_run_of_a_model_is_found_by_when_it_began(store):
    with store.writing() as writing:
        close_version(writing, by="carla")
        for hour, score in ((1, 0.1), (3, 0.3), (2, 0.2)):
            run = Scored(
                model="screener",
                scorer="replay:scores.csv",
                version=1,
                cutoff=0.5,
                started=f"2026-03-01T0{hour}:00:00",
                scores={"man": score},
            )
            record_scored(writing, run, [])
    assert last_run(store, "screener").scores == {"man": 0.3}
    assert last_run(store, "screener", before=run).scores == {"man": 0.1}
    assert last_run(store, "another") is None


def accuracies(*, before, after, days=60, at=40, n=120, **group):
    """Return the accuracy on golden cases of each night; it changes on day 40."""
    rng = np.random.default_rng(5)
    return [
        DailyValue(
            model="screener",
            measure="golden_accuracy",
            day=FIRST + timedelta(days=day),
            value=float(rng.binomial(n, before if day < at else after) / n),
            n=n,
            slice=group,
        )
        for day in range(days)
    ]


@pytest.mark.parametrize(
    ("after", "of_women", "rings"),
    [(0.7, 0.88, [{}]), (0.88, 0.7, [{"gender": "woman"}]), (0.88, 0.88, [])],
    ids=["of all", "of a group", "nothing changes"],
)
def test_a_model_that_becomes_worse_on_golden_cases_rings(store, after, of_women, rings):
    with store.writing() as writing:
        close_version(writing, by="carla")
        run = Scored(model="screener", scorer="sim:unbiased", version=1, cutoff=1, started="a", scores={"man": 0.5})
        nights = accuracies(before=0.88, after=after)
        record_scored(writing, run, [*nights, *accuracies(before=0.88, after=of_women, n=60, gender="woman")])
    found = check_store(store, read_rules(), as_of=FIRST + timedelta(days=59))
    assert [(each.measure, dict(each.slice)) for each in found.open] == [("golden_accuracy", each) for each in rings]
    early = check_store(store, read_rules(), as_of=FIRST + timedelta(days=38))
    assert not early.open


def test_a_release_below_a_bound_rings_at_its_first_run(store, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[rule]]\nmeasure = "golden_accuracy"\nslice = { gender = "*" }\ncomparison = "below"\nthreshold = 0.8\n',
        encoding="utf-8",
    )
    with store.writing() as writing:
        close_version(writing, by="carla")
        run = Scored(model="screener", scorer="sim:unbiased", version=1, cutoff=1, started="a", scores={"man": 0.5})
        values = [
            DailyValue(
                model="screener", measure="golden_accuracy", day=FIRST, value=value, n=60, slice={"gender": gender}
            )
            for gender, value in (("man", 0.9), ("woman", 0.75))
        ]
        record_scored(writing, run, values)
    (alarm,) = check_store(store, read_rules(rules), as_of=FIRST).open
    assert (alarm.slice, alarm.value, alarm.threshold) == ({"gender": "woman"}, 0.75, 0.8)


def test_a_labeller_who_drifts_rings(place):
    """Of 30 cases a day ben labels 2 unlike ana, and from day 40 on 12."""
    with opened_store(place, create=True) as store:
        with store.writing() as writing:
            names = [f"{day:02} {number:02}" for day in range(60) for number in range(30)]
            add_cases(writing, [case(name) for name in names], None)
            for by in ("ana", "ben"):
                labels = {
                    name: "no" if by == "ben" and int(name[3:]) < (2 if name < "40" else 12) else "yes"
                    for name in names
                }
                times = {
                    (by, name): f"{FIRST + timedelta(days=int(name[:2]))}T1{len(by)}:00:00.000000Z" for name in names
                }
                add_labels(writing, labels, by=by, times=times)
            save_labeller_values(writing)
        shares = {
            each.slice.get("labeller"): each.value
            for each in daily_series(store, models=[GOLDEN], measures=["labeller_agreement"])
        }
        assert shares.keys() == {None, "ana", "ben"}
        assert shares["ben"].tolist() == pytest.approx([28 / 30] * 40 + [18 / 30] * 20)
        found = check_store(store, read_rules(), as_of=FIRST + timedelta(days=59)).open
        assert {(each.measure, tuple(each.slice.items())) for each in found} == {
            ("labeller_agreement", (("labeller", "ana"),)),
            ("labeller_agreement", (("labeller", "ben"),)),
        }
        assert {each.since for each in found} <= {FIRST + timedelta(days=day) for day in range(38, 42)}


def test_the_agreement_of_a_day_counts_twins_as_one(place):
    """Both cases of two twins agree, those of a third do not: 2 of 3 résumés, so the error is that of 3."""
    with opened_store(place, create=True) as store:
        with store.writing() as writing:
            add_cases(writing, [case(f"{n}{sex}", twin=str(n)) for n in range(3) for sex in "mw"], None)
            for by in ("ana", "ben"):
                labels = {f"{n}{sex}": "no" if by == "ben" and n == 2 else "yes" for n in range(3) for sex in "mw"}
                add_labels(writing, labels, by=by)
            save_labeller_values(writing)
        for series in daily_series(store, models=[GOLDEN], measures=["labeller_agreement"]):
            assert series.n.tolist() == [6]
            # 3 / 2 · (2 · (1/9)² + (2/9)²)
            assert series.standard_error[0] ** 2 == pytest.approx(1.5 * 6 / 81)


def test_twins_that_differ_in_two_attributes_are_no_pair(place):
    with opened_store(place, create=True) as store:
        with store.writing() as writing:
            groups = [{"gender": "man", "race": "white"}, {"gender": "woman", "race": "black"}]
            add_cases(writing, [case(str(n), twin="t", groups=each) for n, each in enumerate(groups)], None)
        said(store, "ana", **{"0": "yes", "1": "no"})
        assert counterfactual_labels(store) == []
