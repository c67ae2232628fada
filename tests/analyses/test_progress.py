"""What is told while a run goes on: the probe, its phase, how much is done."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from evenhand.analyses.options.probes import ProbeOptions
from evenhand.analyses.probes import run_probe
from evenhand.cli.progress import progress_bar
from evenhand.errors import Incomplete


def test_each_phase_of_a_probe_is_told(tmp_path):
    told = []
    options = ProbeOptions(model="sim:unbiased", sample=30, out=tmp_path / "run")
    run_probe("hiring-an", options, notice=print, progress=lambda *given: told.append(given))
    assert list(dict.fromkeys(doing for doing, *_ in told)) == [
        "hiring-an: asking",
        "hiring-an: reading",
        "hiring-an: measuring",
        "hiring-an: drawing",
    ]
    asked = [rest for doing, *rest in told if doing.endswith("asking")]
    assert asked[-1][:2] == [30, 30]


def drawn(capsys):
    """Return the lines of the last frame that holds any."""
    frames = re.split(r"\x1b\[(?:1A|2K)|\r", capsys.readouterr().err)
    lines = [re.sub(r"\x1b\[[\d?;]*[a-zA-Z]", "", frame).split("\n") for frame in frames]
    return [line.rstrip() for line in [each for each in lines if any(map(str.strip, each))][-1] if line.strip()]


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that stands still, on a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    return SimpleNamespace(now=100.0)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ([(0, 0)], "0/600"),
        ([(0, 0), (10, 20)], "20/600 · 2.0/s · 0:04:50 left"),
        ([(0, 0), (10, 20), (40, 40)], "40/600 · 1.0/s · 0:09:20 left"),
        ([(0, 0), (0.5, 20), (0.8, 40), (40, 40)], "40/600 · 1.0/s · 0:09:20 left"),
        # What was answered before the run went on is no work of this one.
        ([(0, 560), (10, 570)], "570/600 · 1.0/s · 0:00:30 left"),
        # Answers that take two minutes each have a rate, and one that is long past no longer counts.
        ([(0, 0), (120, 1), (240, 2)], "2/600 · 0.5/min · 19:56:00 left"),
        ([(0, 0), (10, 500), (400, 520), (410, 525), (410, 590)], "590/600 · 13.5/min · 0:00:45 left"),
        ([(0, 0), (10, 600)], "600/600 · 60.0/s · 0:00:00 left"),
        # Nothing was done in the last minutes.
        ([(0, 5), (10, 5)], "5/600"),
    ],
)
def test_rate_and_time_left_follow_from_the_clock(told, shown, clock, capsys):
    with progress_bar(clock=lambda: clock.now) as tell:
        for seconds, done in told:
            clock.now = 100.0 + seconds
            tell("hiring-an: asking", done, 600)
    (line,) = drawn(capsys)
    assert re.sub(r"[━╸╺ ]{4,}", " | ", line) == f"hiring-an: asking | {shown}"


def test_phase_rate_and_what_holds_the_run_up_stand_uncut_in_80_columns(clock, capsys):
    note = "the server's limit: 10,000 requests, 2,000,000 tokens; 12 refused; about 480 a minute accepted"
    with progress_bar(clock=lambda: clock.now) as tell:
        tell("business-vocabulary: asking", 100_000, 738_000, note)
        clock.now += 10
        tell("business-vocabulary: asking", 123_456, 738_000, note)
    line, *below = drawn(capsys)
    assert line.startswith("business-vocabulary: asking ")
    assert line.endswith(" 123,456/738,000 · 2,345.6/s · 0:04:22 left")
    assert " ".join(below) == note
    assert max(map(len, (line, *below))) <= 80


def test_the_bar_names_a_phase_of_unknown_length(clock, capsys):
    with progress_bar(clock=lambda: clock.now) as tell:
        tell("hiring-an: asking", 10, 30)
        tell("hiring-an: measuring")
    assert drawn(capsys)[-1].startswith("hiring-an: measuring")


def test_what_was_answered_before_is_done_at_the_start(tmp_path):
    told = []
    options = ProbeOptions(model="sim:unbiased", sample=60, out=tmp_path / "run", max_requests=40)
    with pytest.raises(Incomplete):
        run_probe("hiring-an", options, notice=print)
    options = replace(options, max_requests=None, resume=True)
    run_probe("hiring-an", options, notice=print, progress=lambda *given: told.append(given))
    asked = [done for doing, done, *_ in (each for each in told if len(each) > 1)]
    assert asked == list(range(40, 61))
