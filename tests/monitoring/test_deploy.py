"""What runs beside a store: rules of Prometheus, a dashboard, units, a crontab; the metrics they all read."""

import re
import shutil
import subprocess
from pathlib import Path

import jsonschema
import orjson
import pytest

import evenhand as eh
from evenhand.cli import EXAMPLES
from evenhand.monitoring import state as exposition
from evenhand.monitoring.store import opened_store
from system_packages import needed

DEPLOY = Path(__file__).parents[2] / "deploy"
HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def promtool():
    """Return Debian's promtool, of the package prometheus."""
    return needed("promtool", shutil.which("promtool"))


@pytest.fixture
def store(tmp_path):
    place = str(tmp_path / "history.db")
    for model in ("screener", 'odd "name"\\'):
        with eh.monitor.Recorder(place, model=model) as recorder:
            for number in range(40):
                recorder.record(
                    score=number / 40,
                    selected=number % 3 == 0,
                    label=number % 4 < 2,
                    latency=0.1,
                    status="observed",
                    protected={"gender": ("female", "male")[number % 2]},
                    by={"recruiter": f"r{number}"},
                )
            recorder.record(score="none")
            recorder.record(score=0.5)
    return place


def ran(*words, **more):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, **more)


def test_promtool_finds_nothing_wrong_with_metrics_and_rules(promtool, store):
    checked = ran(promtool, "check", "metrics", input=eh.monitor.metrics(store=store))
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
    for words in (
        ("check", "rules", DEPLOY / "prometheus-rules.yml"),
        ("test", "rules", DEPLOY / "prometheus-rules.test.yml"),
    ):
        done = ran(promtool, *words)
        assert done.returncode == 0, done.stdout + done.stderr


def named(text):
    """Return the metrics of ours that a text names."""
    return set(re.findall(r"\bevenhand_\w+", text))


def test_rules_and_dashboard_read_metrics_that_there_are(store):
    there = named(eh.monitor.metrics(store=store))
    for file in ("prometheus-rules.yml", "grafana-dashboard.json"):
        asked = named((DEPLOY / file).read_text("utf-8"))
        assert asked
        assert asked <= there
    measures = set(re.findall(r'measure=\\"(\w+)', (DEPLOY / "grafana-dashboard.json").read_text("utf-8")))
    with opened_store(store) as opened:
        known = {name for (name,) in opened.rows("SELECT DISTINCT measure FROM series")}
    assert measures <= known


def test_the_dashboard_fits_the_schema_of_its_format():
    dashboard = orjson.loads((DEPLOY / "grafana-dashboard.json").read_bytes())
    jsonschema.validate(dashboard, orjson.loads((HERE / "dashboard.schema.json").read_bytes()))
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(ids) == len(set(ids))
    taken = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken
        taken |= cells
    assert max(x for x, _ in taken) == 23


def test_labels_are_bounded(store, monkeypatch):
    text = eh.monitor.metrics(store=store)
    assert "recruiter" not in text
    monkeypatch.setattr(exposition, "MOST_MODELS", 1)
    monkeypatch.setattr(exposition, "MOST_SERIES", 3)
    fewer = eh.monitor.metrics(store=store)
    assert fewer.count("evenhand_judgements{") == 1
    assert fewer.count("evenhand_daily_value{") == 3
    left_out = float(re.search(r"^evenhand_left_out (\S+)", fewer, re.MULTILINE)[1])
    ours = text.count("evenhand_daily_value{") / 2
    assert left_out == 1 + ours - 3


def test_units_and_crontab_name_commands_that_there_are():
    for path in DEPLOY.iterdir():
        if path.suffix in {".service", ".timer"} or path.name == "crontab":
            for line in path.read_text("utf-8").splitlines():
                for found in re.finditer(r"evenhand (monitor(?: golden)? [\w-]+)", line):
                    assert found[1] in EXAMPLES
    for service in DEPLOY.glob("*.service"):
        assert service.with_suffix(".timer").is_file()
