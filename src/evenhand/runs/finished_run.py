"""A finished run, as Python code gets it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

import polars as pl

from evenhand import report
from evenhand.errors import NoSuchFinding
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.audit.reading import read_probe
from evenhand.tables.finding import Finding
from evenhand.tables.messages.quoting import listed, one_line, quoted, shortened

__all__ = ["ProbeRun", "Run", "finished_probe"]


@dataclass(frozen=True, kw_only=True, repr=False)
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

    @property
    def findings_frame(self) -> pl.DataFrame:
        """Return the findings as a table, one row each; the columns are those of findings.csv."""
        return report.findings_frame(self.findings)

    def finding(self, name: str) -> Finding:
        """Return the finding called `name`.

        Raises
        ------
        NoSuchFinding
            There is none; the message names some that are called nearly so. It is a KeyError, too.

        """
        for row in self.findings:
            if row.name == name:
                return row
        names = [row.name for row in self.findings]
        near = get_close_matches(str(name), names, n=3, cutoff=0.5) or [each for each in names if str(name) in each][:3]
        told = f"Did you mean {' or '.join(near)}?" if near else f"There are {listed(names, most=5)}."
        raise NoSuchFinding(f"No finding is called {quoted(name)}. {told}")

    def __repr__(self) -> str:
        """Return what the run is of, how much was found, and where it lies."""
        of = " · ".join(filter(None, (self.audit.title, self.audit.model)))
        return f"<{type(self).__name__}: {one_line(shortened(of))}, {len(self.findings):,} findings in {self.folder}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return report.glance_html(self.audit, self.findings, folder=self.folder)


@dataclass(frozen=True, kw_only=True, repr=False)
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
