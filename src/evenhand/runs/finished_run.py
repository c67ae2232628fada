"""A finished run, as Python code gets it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.tables.csv_files import unguarded
from evenhand.tables.impact_files import IMPACT

__all__ = ["Run"]


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a run left behind.

    `audit` and `findings` are those of findings.json. `runs` holds the runs of a
    suite by probe; it is empty for a single probe.
    """

    folder: Path
    audit: dict[str, Any]
    findings: list[dict[str, Any]]
    runs: dict[str, "Run"] = field(default_factory=dict)

    @property
    def report_path(self) -> Path:
        """Return the path of the report."""
        return self.folder / "report.html"

    @property
    def rows(self) -> pl.DataFrame:
        """Return impact.csv of an analysis of applicants."""
        read = pl.read_csv(self.folder / "impact.csv", schema_overrides=IMPACT)
        return read.with_columns(
            pl.col("position", "stage").fill_null(""),
        ).with_columns(pl.col("position", "focal", "reference", "stage").map_elements(unguarded, pl.String))

    @property
    def outcomes(self) -> pl.DataFrame:
        """Return the outcomes; for a suite, of all its probes with the column context.probe."""
        if not self.runs:
            return pl.read_parquet(self.folder / "outcomes.parquet")
        frames = [run.outcomes.with_columns(pl.lit(name).alias("context.probe")) for name, run in self.runs.items()]
        return pl.concat(frames, how="diagonal")

    def finding(self, name: str) -> dict[str, Any]:
        """Return the finding called `name`; KeyError if there is none."""
        for row in self.findings:
            if row["name"] == name:
                return row
        raise KeyError(name)
