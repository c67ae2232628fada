"""The manifest and the audit block of a table of features, and how it is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from evenhand.hiring.features.table import CountedFeatures
from evenhand.runs.finished_run import Run
from evenhand.runs.records.at_once import write_at_once
from evenhand.tables.audit.features.block import FeaturesAudit, FreeText, JointModel
from evenhand.tables.audit.features.files import FEATURES, PROXIES
from evenhand.tables.csv_files import read_csv
from evenhand.tables.finding import Finding
from evenhand.tables.run_folder import RunFolder

__all__ = ["FeaturesRun", "Vetted", "vetting_block", "write_vetted"]

QUESTION: Final = "Are the features what they are expected to be, and what do they tell of protected groups?"
LIMITS: Final = (
    "A feature that tells a group may still be needed for the job; one that tells none alone may tell it together with "
    "others.",
    "The AUC of a number asks whether higher values go with a group. A group in the middle of the range is not told by "
    "that; all features jointly may tell it.",
    "Intervals take rows as independent people. Where a person has several rows they are too narrow.",
    "What masking finds in a sample of cells is no proof that the others hold nothing.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class FeaturesRun(Run):
    """What the vetting of a table left behind."""

    audit: FeaturesAudit

    @property
    def features(self) -> pl.DataFrame:
        """Return features.csv."""
        return read_csv(self.folder / "features.csv", FEATURES)

    @property
    def proxies(self) -> pl.DataFrame:
        """Return proxies.csv."""
        return read_csv(self.folder / "proxies.csv", PROXIES)


@dataclass(frozen=True, kw_only=True)
class Vetted:
    """What was vetted, what was found, and how it is asked for again."""

    source: str
    columns: Mapping[str, str]
    counted: CountedFeatures
    label: str | None
    compared_with: str | None
    free_text: tuple[FreeText, ...]
    joint: JointModel
    expectations: str | None
    features: pl.DataFrame
    proxies: pl.DataFrame
    findings: Sequence[Finding]
    parameters: Mapping[str, object]
    reproduce: str
    fingerprints: Mapping[str, str]


def write_vetted(folder: RunFolder, vetted: Vetted, *, with_report: bool) -> FeaturesRun:
    """Write manifest, tables, findings and, unless it is not wanted, the report; return the run."""
    asked = {
        "kind": "features",
        "source": vetted.source,
        "input": {"rows": vetted.counted.rows, "columns": vetted.columns},
        "parameters": dict(vetted.parameters),
    }
    tables = {"features.csv": vetted.features, "proxies.csv": vetted.proxies}
    block = vetting_block(vetted)
    audit = write_at_once(folder, asked, block, vetted.findings, tables=tables, with_report=with_report)
    return FeaturesRun(folder=folder.path, audit=audit, findings=vetted.findings)


def vetting_block(vetted: Vetted) -> FeaturesAudit:
    """Return what the page prints besides the findings; all but when and by what it was made."""
    counted = vetted.counted
    return FeaturesAudit(
        question=QUESTION,
        source=vetted.source,
        rows=counted.rows,
        features=tuple(each.row for each in counted.features),
        attributes=counted.attributes,
        label=vetted.label,
        compared_with=vetted.compared_with,
        rows_compared=counted.rows_compared,
        free_text=vetted.free_text,
        joint=vetted.joint,
        expectations=vetted.expectations,
        notes=counted.notes,
        parameters=vetted.parameters,
        limits=LIMITS,
        reproduce=vetted.reproduce,
        fingerprints=vetted.fingerprints,
    )
