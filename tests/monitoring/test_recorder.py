"""The recorder of a service: what it takes is written, and the service neither waits nor fails."""

import logging
import subprocess
import sys
import textwrap
import threading
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest

import evenhand as eh
from evenhand.errors import InputError
from evenhand.monitoring.store import opened_store
from evenhand.stats.rounding import LEAST, kept_code, kept_codes

NEVER = 3600
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def recorder(place, **more):
    return eh.monitor.Recorder(place, **({"model": "screener", "every": NEVER} | more))


def counted(place):
    with opened_store(place) as store:
        return int(store.rows("SELECT coalesce(sum(n), 0) FROM counts")[0][0])


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "history.db")


def test_what_is_recorded_is_as_a_table_of_it(file, tmp_path):
    rows = [
        {"score": 0.71, "selected": True, "latency": 0.25, "protected": {"gender": "female"}, "stage": "screen"},
        {"score": np.float64(0.5), "selected": np.bool_(False), "latency": 1, "protected": {"gender": "male"}},
        {"score": Decimal("0.25"), "selected": False, "latency": 0.75, "protected": {"gender": "male"}},
        {"score": float("nan"), "latency": 0.5, "protected": {"gender": ""}},
    ]
    with recorder(file, clock=lambda: AT) as kept:
        for each in rows:
            kept.record(**each)
        assert (kept.waiting, kept.recorded) == (4, 0)
    assert (kept.waiting, kept.recorded, kept.dropped) == (0, 4, 0)
    table = tmp_path / "table.csv"
    lines = ["at,score,selected,latency,gender,stage"]
    for each in rows:
        told = (AT.isoformat(), each["score"], each.get("selected", ""), each["latency"], each["protected"]["gender"])
        lines.append(",".join([*map(str, told), each.get("stage", "")]))
    table.write_text("\n".join(lines), encoding="utf-8")
    named = {name: name for name in ("score", "selected", "latency", "stage")}
    other = str(tmp_path / "other.db")
    eh.monitor.record(table, store=other, model="screener", time="at", protected=["gender"], **named)
    assert eh.monitor.status(store=file)["days"] == eh.monitor.status(store=other)["days"]
    with opened_store(file) as one, opened_store(other) as two:
        query = "SELECT measure, slice, value, n FROM daily_values JOIN series ON id = series ORDER BY measure, slice"
        assert one.rows(query) == two.rows(query)


@pytest.mark.parametrize(
    "judgement",
    [
        {},
        {"scores": 0.5},
        {"score": "0.5"},
        {"score": True},
        {"score": 1e13},
        {"score": object()},
        {"selected": "yes"},
        {"selected": np.array([True, False])},
        {"score": 0.5, "status": "odd"},
        {"score": 0.5, "latency": -1},
        {"score": 0.5, "time": datetime(2026, 3, 1)},  # noqa: DTZ001 - what is refused
        {"score": 0.5, "time": datetime.now(UTC) + timedelta(days=1)},
        {"score": 0.5, "position": 7},
        {"score": 0.5, "position": "a\ud800"},
        {"score": 0.5, "by": ["department"]},
        {"score": 0.5, "protected": {"gender": "a\0"}},
        {"label": True},
    ],
)
def test_what_is_no_judgement_is_dropped_and_counted(file, judgement, caplog):
    with recorder(file) as kept:
        kept.record(**judgement)
        kept.record(score=0.5)
        assert (kept.dropped, kept.waiting) == (1, 1)
    assert counted(file) == 1
    assert eh.monitor.status(store=file)["dropped"] == {"screener": 1}
    assert "1 of screener dropped: a judgement can't be recorded" in caplog.text


def test_beyond_what_may_wait_judgements_are_dropped(file, caplog):
    with recorder(file, most=10) as kept:
        for _ in range(25):
            kept.record(score=0.5)
        assert (kept.waiting, kept.dropped) == (10, 15)
        assert kept.flush()
        kept.record(score=0.5)
    assert (kept.recorded, counted(file)) == (11, 11)
    assert [each.levelno for each in caplog.records] == [logging.WARNING]


def test_a_store_that_is_away_gets_all_when_it_is_back(tmp_path, caplog):
    place = tmp_path / "later" / "history.db"
    kept = recorder(str(place), every=0.01)
    for _ in range(5):
        kept.record(score=0.5)
    time.sleep(0.1)
    assert (kept.waiting, kept.recorded) == (5, 0)
    assert "judgements of screener wait" in caplog.text
    place.parent.mkdir()
    for _ in range(500):
        if kept.recorded == 5:
            break
        time.sleep(0.02)
    kept.close()
    assert counted(str(place)) == 5
    lost = recorder(str(tmp_path / "never" / "history.db"))
    lost.record(score=0.5)
    lost.close()
    lost.record(score=0.5)
    assert lost.dropped == 2


def test_threads_record_together(file):
    with recorder(file, every=0.01) as kept:

        def judge():
            for _ in range(300):
                kept.record(score=0.5, protected={"gender": "female"})

        threads = [threading.Thread(target=judge) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert (counted(file), kept.dropped) == (1200, 0)


def test_recording_does_not_wait_for_a_store_that_is_being_written(file):
    recorder(file).close()
    with recorder(file) as before:
        before.record(score=0.5)
    with opened_store(file) as store, recorder(file, every=0.01) as kept, store.writing():
        start = time.perf_counter()
        for _ in range(200):
            kept.record(score=0.5)
            time.sleep(0.0005)
        assert time.perf_counter() - start < 5
        assert kept.recorded == 0
    assert counted(file) == 201


def test_a_service_that_ends_has_written_what_waited(file):
    script = f"""
        import evenhand as eh
        recorder = eh.monitor.Recorder({file!r}, model="screener")
        for _ in range(7):
            recorder.record(score=0.5)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr, counted(file)) == ("", "", 7)


def test_a_child_of_a_fork_records_for_itself(file):
    script = f"""
        import os
        import evenhand as eh
        recorder = eh.monitor.Recorder({file!r}, model="screener")
        for _ in range(3):
            recorder.record(score=0.5)
        child = os.fork()
        if child == 0:
            recorder.record(score=0.5)
        else:
            assert os.waitpid(child, 0)[1] == 0
        recorder.close()
        print(recorder.recorded, flush=True)
    """
    warned = ["-W", "ignore::DeprecationWarning"]  # a thread of the parent waits for its next minute
    done = subprocess.run(
        [sys.executable, *warned, "-c", textwrap.dedent(script)], check=True, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.split(), counted(file)) == (["1", "3"], 4)


def test_units_count_once_and_labels_come_later(file):
    with recorder(file, clock=lambda: AT) as kept:
        kept.record(score=0.5, selected=True, unit="a")
        kept.record(score=0.5, selected=True, unit="a")
        kept.record(label=False, unit="a")
    with opened_store(file) as store:
        assert store.rows("SELECT n, agreed, compared FROM counts") == [(1, 0, 1)]


@pytest.mark.parametrize("more", [{"model": " "}, {"every": 0}, {"most": 0}])
def test_what_can_not_begin_is_refused(file, more):
    with pytest.raises(InputError):
        recorder(file, **more)


def test_one_number_has_the_code_that_it_has_in_an_array():
    rng = np.random.default_rng(2)
    numbers = np.concatenate([10 ** rng.uniform(-14, 11.9, 2_000), LEAST, LEAST * (1 - 1e-16), [0.0, 0.00005, 1.0]])
    numbers = np.concatenate([numbers, -numbers])
    assert [kept_code(float(number)) for number in numbers] == kept_codes(numbers).tolist()
