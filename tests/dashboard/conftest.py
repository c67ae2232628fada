"""A small store: ninety decisions of two teams, one of them of seven people; and two audits."""

import polars as pl
import pytest

import evenhand
from evenhand.commands.monitor.record import record
from evenhand.runs.options.monitoring.monitor import RecordOptions


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serve")
    rows = [
        {"at": f"2026-03-{1 + n % 9:02}", "hired": "yes" if n % 3 else "no", "gender": "f" if n % 4 else "m"}
        | {"team": "east" if n < 83 else "west", "score": n / 100}
        for n in range(90)
    ]
    pl.DataFrame(rows).write_csv(folder / "rows.csv")
    options = RecordOptions(
        store=str(folder / "h.db"),
        model="<hiring>",
        time="at",
        time_zone="UTC",
        selected="hired",
        score="score",
        protected=("gender",),
        by=("team",),
    )
    record(str(folder / "rows.csv"), options, notice=lambda _: None)
    return str(folder / "h.db")


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, women in (("first", 40), ("second", 60)):
        evenhand.impact({"women": (women, 200), "men": (80, 200)}, out=folder / name)
    return folder
