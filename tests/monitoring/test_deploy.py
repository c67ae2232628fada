"""What runs beside a store: rules of Prometheus, a dashboard, units, a crontab; the metrics they all read."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import orjson
import pytest

import evenhand as eh
from evenhand.cli import EXAMPLES, KINDS
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
                for found in re.finditer(r"evenhand (serve|monitor(?: golden)? [\w-]+) --", line):
                    assert found[1] in KINDS | EXAMPLES


def test_systemd_finds_nothing_wrong_with_the_units_and_little_exposed():
    analyze = needed("systemd", shutil.which("systemd-analyze"))
    services = sorted(DEPLOY.glob("*.service"))
    done = ran(analyze, "verify", *services, *DEPLOY.glob("*.timer"))
    assert (done.returncode, done.stderr) == (0, "")
    for service in services:
        assert "[Install]" in service.read_text("utf-8") or service.with_suffix(".timer").is_file()
        done = ran(analyze, "security", "--offline=yes", "--threshold=20", service)  # 2.0 of 10
        assert done.returncode == 0, done.stdout


def served_by_the_unit():
    text = (DEPLOY / "evenhand-serve.service").read_text("utf-8")
    variables = dict(re.findall(r'^Environment="?(\w+)=([^"\n]+)', text, re.MULTILINE))
    line = re.search(r"^ExecStart=/usr/bin/env evenhand (.+)$", text, re.MULTILINE)[1]
    return re.sub(r"\$\{?(\w+)\}?", lambda found: variables[found[1]], line).split(), "/var/lib/evenhand"


def served_by_the_container():
    return orjson.loads(instructions()["CMD"][-1]), "/data"


def instructions():
    """Return the instructions of the Containerfile by their names; of each, in order, what follows."""
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    found = {}
    for name, rest in re.findall(r"^([A-Z]+) (.+)$", text, re.MULTILINE):
        found.setdefault(name, []).append(rest)
    return found


@pytest.mark.parametrize("of", [served_by_the_unit, served_by_the_container])
def test_what_serves_there_has_a_valid_configuration(of, store, tmp_path):
    words, folder = of()
    (tmp_path / "runs").mkdir()
    words = [word.replace(folder, str(tmp_path)) for word in words]
    token = {"EVENHAND_TOKEN": "a long enough token"}
    done = ran(sys.executable, "-m", "evenhand", *words, "--check-config", env=os.environ | token)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Store: {store} Runs: {tmp_path / 'runs'} " in " ".join(done.stdout.split())
    assert done.stdout.endswith("Requests: logged on stderr\n")


def test_the_image_is_of_a_pinned_base_runs_as_nobody_special_and_gets_what_it_copies():
    told = instructions()
    assert len(told["FROM"]) == 2
    assert all(re.fullmatch(r"\S+:3\.\d+-slim-\w+( AS build)?", base) for base in told["FROM"])
    assert told["USER"] == ["10001"]
    copied = {name for words in told["COPY"] if "--from" not in words for name in words.split()[:-1]}
    sent = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    assert copied == {line[1:] for line in sent if line.startswith("!")}
    assert all((DEPLOY.parent / name).exists() for name in copied)
    check = orjson.loads(told["HEALTHCHECK"][0].partition("CMD ")[2])
    compile(check[2], "the check of health", "exec")
    extras = re.findall(r"--extra (\w+)", " ".join(told["RUN"]))
    known = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(extras) <= known.keys()


def test_hadolint_finds_nothing_wrong_with_the_containerfile():
    done = ran(needed("hadolint", shutil.which("hadolint")), DEPLOY / "Containerfile")
    assert (done.returncode, done.stdout) == (0, "")
