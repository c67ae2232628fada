"""The manifest and the audit block of an analysis of applicants, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from evenhand.findings.impact.analysis import Impact
from evenhand.hiring import Applicants
from evenhand.runs.finished_run import Run
from evenhand.runs.records.at_once import write_at_once
from evenhand.tables.audit.impact import ImpactAudit, LL144Block, LL144Row, Published, ReferenceFloor, Rule
from evenhand.tables.csv_files import read_csv
from evenhand.tables.impact_files import AVAILABILITY, CLUSTERED, IMPACT
from evenhand.tables.run_folder import RunFolder

__all__ = ["Analysed", "ImpactRun", "LL144Tables", "write_analysis"]

QUESTION = "Which groups are selected less often than others, by how much, and is that statistically significant?"
OF_SHARES = "Which groups are fewer among these people than their stated share gives?"
LIMITS_OF_SHARES = (
    "The stated shares are taken as they are given. Shares of a population without the qualifications, or "
    "too far away, compare with the wrong people (Hazelwood, 433 U.S. 299, 308 n.13).",
    "People are taken as drawn independently. The figures tell who is there, not who applied, stayed or left.",
)
SIMULATED = "The decisions come from a simulated model with a known bias, not from a hiring process."
LIMITS = (
    "The figures tell whom a process selected, not why. They don't know qualifications, withdrawals or openings "
    "unless --given, --where and --position name them.",
    "Who counts as an applicant is a decision of whoever made the table; what was left out is counted above.",
    "The four-fifths rule ignores chance and the tests ignore size: read both.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class ImpactRun(Run):
    """What an analysis of applicants left behind."""

    audit: ImpactAudit

    @property
    def rows(self) -> pl.DataFrame:
        """Return impact.csv, or with `share` availability.csv."""
        if (self.folder / "availability.csv").is_file():
            return read_csv(self.folder / "availability.csv", AVAILABILITY)
        return read_csv(self.folder / "impact.csv", IMPACT | CLUSTERED).with_columns(
            pl.col("position", "stage").fill_null("")
        )


@dataclass(frozen=True, kw_only=True)
class LL144Tables:
    """The tables of Local Law 144, and what goes with them on their page."""

    rows: pl.DataFrame
    scoring: bool
    exclusion_reason: str | None
    published: Published


@dataclass(frozen=True, kw_only=True)
class Analysed:
    """What was analysed (`columns` are those of the table, with types), what was found, and how it is asked again."""

    source: str
    simulated: bool
    columns: Mapping[str, str]
    fingerprints: Mapping[str, str]
    applicants: Applicants
    found: Impact
    ll144: LL144Tables | None
    parameters: Mapping[str, object]
    reference_floor: ReferenceFloor
    rules: Sequence[Rule]
    warnings: Sequence[str]
    reproduce: str


def write_analysis(folder: RunFolder, analysed: Analysed, *, with_report: bool) -> ImpactRun:
    """Write manifest, tables, findings and, unless it is not wanted, the report; return the run."""
    tables = {"impact.csv": analysed.found.rows, "pooled.csv": analysed.found.pooled}
    if analysed.found.availability is not None:
        tables = {"availability.csv": analysed.found.availability}
    if analysed.ll144 is not None:
        tables["ll144.csv"] = analysed.ll144.rows
    asked = {
        "kind": "impact",
        "source": analysed.source,
        "input": {"rows": analysed.applicants.accounting.rows_read, "columns": analysed.columns},
        "parameters": analysed.parameters,
    }
    audit = write_at_once(
        folder,
        asked,
        _block(analysed),
        analysed.found.findings,
        tables=tables,
        counts=analysed.applicants.tables,
        with_report=with_report,
    )
    return ImpactRun(folder=folder.path, audit=audit, findings=analysed.found.findings)


def _block(analysed: Analysed) -> ImpactAudit:
    """Return what the page prints besides the findings; all but when and by what it was made."""
    applicants, shares = analysed.applicants, analysed.found.availability is not None
    return ImpactAudit(
        title="Availability" if shares else "Adverse impact",
        question=OF_SHARES if shares else QUESTION,
        source=analysed.source,
        simulated=analysed.simulated,
        simulated_note=SIMULATED if analysed.simulated else None,
        parameters=analysed.parameters,
        attributes=tuple(applicants.attributes),
        stages=tuple(applicants.stages),
        accounting=applicants.accounting,
        shown=analysed.found.small_tables,
        ll144=None if analysed.ll144 is None else _ll144(analysed.ll144, applicants),
        reference_floor=analysed.reference_floor,
        rules=tuple(analysed.rules),
        limits=LIMITS_OF_SHARES if shares else LIMITS,
        warnings=tuple(analysed.warnings),
        reproduce=analysed.reproduce,
        fingerprints=analysed.fingerprints,
    )


def _ll144(tables: LL144Tables, applicants: Applicants) -> LL144Block:
    scores = applicants.accounting.scores
    return LL144Block(
        rows=tuple(LL144Row(**row) for row in tables.rows.iter_rows(named=True)),
        scoring=tables.scoring,
        median=scores.median if tables.scoring and scores is not None else None,
        exclusion_reason=tables.exclusion_reason,
        published=tables.published,
    )
