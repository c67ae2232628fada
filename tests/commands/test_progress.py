"""What is told while a run goes on: the probe, its phase, how much is done."""

from evenhand.commands.probe import run_probe
from evenhand.commands.screen import progress_bar
from evenhand.runs.options.probe import ProbeOptions


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


def test_the_bar_names_the_phase(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    with progress_bar() as told:
        told("hiring-an: asking", 10, 30)
        told("hiring-an: asking", 20, 30, "waits for the server")
        told("hiring-an: measuring")
    drawn = capsys.readouterr().err
    assert "hiring-an: measuring" in drawn
