"""The synthetic company that the dashboards show on a first visit: its store, checked, and an audit of its stages."""

from datetime import date
from pathlib import Path

import polars as pl

from evenhand.commands.data.company import write_company
from evenhand.commands.impact.run import run_impact
from evenhand.commands.monitor.check import check
from evenhand.commands.monitor.record import record
from evenhand.dashboard.synthetic import Synthetic
from evenhand.runs.options.files import CompanyOptions
from evenhand.runs.options.impact import ImpactOptions
from evenhand.runs.options.monitoring.monitor import CheckOptions, RecordOptions

__all__ = ["show_company"]

_GROUPS = ("gender", "race")
#: So many that a day has enough for the default rules.
_PAIRS = 30_000
_STAGES = "stage=applied,screened,interviewed,offered"


def show_company(place: Synthetic, *, people: int = 2_000, positions: int = 60, pairs: int = _PAIRS) -> None:
    """Write a company's decisions and both of its scores into the store, look for changes, and audit its stages."""
    folder = place.folder / "company"
    write_company(CompanyOptions(out=folder, people=people, positions=positions, pairs=pairs, force=True))
    table = folder / "applications.csv"
    timed = pl.read_csv(table).with_columns(seconds=pl.col("latency_ms") / 1000)
    Path(place.store).unlink(missing_ok=True)
    decisions = RecordOptions(
        store=place.store,
        model="Hiring decisions",
        time="time",
        selected="selected",
        stage="stage",
        position="position",
        by=("department", "location", "recruiter"),
        protected=_GROUPS,
    )
    record(timed, decisions, notice=_quiet)
    for name in ("score", "score_previous"):
        scores = RecordOptions(
            store=place.store, model=name, time="time", score=name, latency="seconds", where=("stage = 'applied'",)
        )
        record(timed, scores, notice=_quiet)
    check(CheckOptions(store=place.store, as_of=date(2025, 12, 31)), notice=_quiet)
    stages = ImpactOptions(
        selected="selected",
        protected=_GROUPS,
        reference=("gender=male", "race=white"),
        stage=_STAGES,
        cluster=("person",),
        out=place.runs / "stages",
    )
    run_impact(str(table), stages, notice=_quiet)


def _quiet(_: str) -> None:
    """Say nothing: there is no terminal."""
