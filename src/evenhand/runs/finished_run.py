"""A finished run, as Python code gets it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.audit.reading import read_probe
from evenhand.tables.csv_files import unguarded
from evenhand.tables.finding import Finding
from evenhand.tables.impact_files import IMPACT

__all__ = ["ImpactRun", "ProbeRun", "Run", "finished_probe"]


@dataclass(frozen=True, kw_only=True)
class Run:
    """What a run left behind.

    `audit` and `findings` are those of findings.json. `runs` holds the runs of a
    suite by probe; it is empty for a single probe.
    """

    folder: Path
    audit: Audit
    findings: Sequence[Finding]
    runs: dict[str, "ProbeRun"] = field(default_factory=dict)

    @property
    def report_path(self) -> Path:
        """Return the path of the report."""
        return self.folder / "report.html"

    @property
    def outcomes(self) -> pl.DataFrame:
        """Return the outcomes; for a suite, of all its probes with the column context.probe."""
        if not self.runs:
            return pl.read_parquet(self.folder / "outcomes.parquet")
        frames = [run.outcomes.with_columns(pl.lit(name).alias("context.probe")) for name, run in self.runs.items()]
        return pl.concat(frames, how="diagonal")

    def finding(self, name: str) -> Finding:
        """Return the finding called `name`; KeyError if there is none."""
        for row in self.findings:
            if row.name == name:
                return row
        raise KeyError(name)


@dataclass(frozen=True, kw_only=True)
class ProbeRun(Run):
    """What a run of one probe left behind."""

    audit: ProbeAudit


def finished_probe(folder: Path) -> ProbeRun:
    """Return the finished run of one probe in a folder.

    Raises
    ------
    InputError
        Its findings.json can't be read, or is of something else.

    """
    content = read_probe(folder)
    return ProbeRun(folder=folder, audit=content.audit, findings=content.findings)


@dataclass(frozen=True, kw_only=True)
class ImpactRun(Run):
    """What an analysis of applicants left behind."""

    audit: ImpactAudit

    @property
    def rows(self) -> pl.DataFrame:
        """Return impact.csv."""
        read = pl.read_csv(self.folder / "impact.csv", schema_overrides=IMPACT)
        return read.with_columns(
            pl.col("position", "stage").fill_null(""),
        ).with_columns(pl.col("position", "focal", "reference", "stage").map_elements(unguarded, pl.String))
