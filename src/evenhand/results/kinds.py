"""Kinds of run: the audit block, page and files of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any, Final

import polars as pl

from evenhand.results.audit import Header
from evenhand.results.finding import Finding
from evenhand.results.schemas import (
    AGES,
    AVAILABILITY,
    CLUSTERED,
    FEATURES,
    IMPACT,
    LADDER,
    LL144,
    LL144_PERIODS,
    PERIODS,
    PERTURB,
    POOLED,
    POOLS,
    POSITIONS,
    PROXIES,
)

_ALWAYS = r"manifest\.json|findings\.(json|csv)|report\.html|tables\.xlsx"
_RENDERED_FILES = r"report\.html|findings\.csv|tables\.(csv|xlsx)"
_ANSWER_FILES = (
    rf"{_ALWAYS}|((answers|judge)-\d+|batches|embeddings)\.jsonl|(outcomes|words|judged)\.parquet|(words|tables)\.csv"
)


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A table of a run that is a sheet of its workbook: its file, and of which type its columns are."""

    file: str
    columns: Mapping[str, pl.DataType] | None = None


_OF_PROBES = {"Tables": Sheet(file="tables.csv"), "Words": Sheet(file="words.csv")}


@dataclass(frozen=True, kw_only=True)
class RunKind:
    """What is known of a kind of run by its name alone.

    `block_at` is the class of its audit block, `page_at` what its report shows of it (the terminal shows how it
    opens), and `groups_at` groups its findings as they are told, if they aren't told as they are. They stand as
    'module:name' and are loaded when they are used: a run needs those of its own kind, and the page is in a room that
    this one can't import. `files` are those that it writes into its folder: --force removes these and nothing else;
    `sheets` are tables among them, `drawn` those that `evenhand report` writes again from the others.
    `recomputed_at` computes its findings again from what a finished folder holds; without it nobody can. `outside` is
    what such a run was made from and does not keep.
    With `probes_below` the run of each of its probes lies in a folder of its own. `one_probe` says that it holds
    outcomes of one probe, `asks` that it asked a model for them and keeps the answers.
    """

    block_at: str
    page_at: str
    groups_at: str | None = None
    files: str = _ALWAYS
    drawn: str = _RENDERED_FILES
    recomputed_at: str | None = None
    outside: str | None = None
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    probes_below: bool = False
    one_probe: bool = False
    asks: bool = False

    @property
    def block(self) -> Any:
        """Return the class of its audit block."""
        return resolve_name(self.block_at)

    def groups(self, findings: Sequence[Finding], audit: Header) -> Any:
        """Return its findings as they are told."""
        return findings if self.groups_at is None else resolve_name(self.groups_at)(findings, audit)


#: Every kind of run; a new one is an entry here.
RUN_KINDS: Final[Mapping[str, RunKind]] = {
    "probe": RunKind(
        block_at="evenhand.results.audit:ProbeAudit",
        page_at="evenhand.report.probe.sections:PROBE",
        recomputed_at="evenhand.evidence.recompute:recomputed_probe",
        groups_at="evenhand.results.probe_groups:probe_groups",
        files=_ANSWER_FILES,
        sheets=_OF_PROBES,
        one_probe=True,
        asks=True,
    ),
    "measure": RunKind(
        block_at="evenhand.results.audit:ProbeAudit",
        page_at="evenhand.report.probe.sections:SAVED",
        recomputed_at="evenhand.evidence.recompute:recomputed_probe",
        outside="the saved answers",
        groups_at="evenhand.results.probe_groups:probe_groups",
        files=_ANSWER_FILES,
        sheets=_OF_PROBES,
        one_probe=True,
    ),
    "suite": RunKind(
        block_at="evenhand.results.audit:SuiteAudit",
        page_at="evenhand.report.suite:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_suite",
        groups_at="evenhand.results.probe_groups:suite_groups",
        probes_below=True,
    ),
    "compare": RunKind(
        block_at="evenhand.results.audit:CompareAudit",
        page_at="evenhand.report.comparison:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_compare",
        groups_at="evenhand.results.probe_groups:compare_groups",
        files=rf"{_ALWAYS}|league\.csv",
        sheets={"League": Sheet(file="league.csv")},
    ),
    "impact": RunKind(
        block_at="evenhand.results.applicant_audit:ImpactAudit",
        page_at="evenhand.report.impact.sections:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_impact",
        outside="the rows that were counted",
        groups_at="evenhand.results.impact_groups:impact_groups",
        files=rf"{_ALWAYS}|(counts(_lowest|_highest)?|scores|sweep|given|undecided|periods|ages|people|standing(_people|_others|_rules)?)\.parquet|(impact|age|pooled|positions|periods|pools|ladder|availability|ll144|ll144_periods)\.csv|ll144\.html",
        drawn=rf"{_RENDERED_FILES}|ll144\.html",
        sheets={
            "Impact": Sheet(file="impact.csv", columns=IMPACT | CLUSTERED),
            "Availability": Sheet(file="availability.csv", columns=AVAILABILITY),
            "Pooled": Sheet(file="pooled.csv", columns=POOLED),
            "Positions": Sheet(file="positions.csv", columns=POSITIONS),
            "Periods": Sheet(file="periods.csv", columns=PERIODS),
            "Pools": Sheet(file="pools.csv", columns=POOLS),
            "Age": Sheet(file="age.csv", columns=AGES),
            "Ladder": Sheet(file="ladder.csv", columns=LADDER),
            "Local Law 144": Sheet(file="ll144.csv", columns=LL144),
            "Local Law 144, periods": Sheet(file="ll144_periods.csv", columns=LL144_PERIODS),
        },
    ),
    "evaluate": RunKind(
        block_at="evenhand.results.score_audit:EvaluateAudit",
        page_at="evenhand.report.evaluate.sections:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_evaluate",
        outside="the rows that were counted",
        groups_at="evenhand.results.table_groups:evaluate_groups",
        files=rf"{_ALWAYS}|cutoffs\.csv",
        sheets={"Cut-offs": Sheet(file="cutoffs.csv")},
    ),
    "golden": RunKind(
        block_at="evenhand.results.score_audit:GoldenAudit",
        page_at="evenhand.report.evaluate.golden:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_golden",
        outside="the texts of résumés and positions",
        groups_at="evenhand.results.table_groups:evaluate_groups",
        files=rf"{_ANSWER_FILES}|cases\.csv",
    ),
    "features": RunKind(
        block_at="evenhand.results.feature_audit:FeaturesAudit",
        page_at="evenhand.report.features:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_features",
        outside="the rows that were counted",
        groups_at="evenhand.results.table_groups:feature_groups",
        files=rf"{_ALWAYS}|(features|proxies)\.csv",
        sheets={
            "Features": Sheet(file="features.csv", columns=FEATURES),
            "Proxies": Sheet(file="proxies.csv", columns=PROXIES),
        },
    ),
    "perturb": RunKind(
        block_at="evenhand.results.score_audit:PerturbAudit",
        page_at="evenhand.report.perturb.sections:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_perturb",
        outside="the texts of résumés and positions",
        groups_at="evenhand.results.table_groups:perturb_groups",
        files=rf"{_ANSWER_FILES}|perturb\.csv",
        sheets={"Perturbation": Sheet(file="perturb.csv", columns=PERTURB)},
    ),
    "study": RunKind(
        block_at="evenhand.results.study_audit:StudyAudit",
        page_at="evenhand.report.study:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_study",
        outside="the rows of the table",
        groups_at="evenhand.results.study_audit:study_groups",
    ),
    "match": RunKind(
        block_at="evenhand.results.score_audit:MatchAudit",
        page_at="evenhand.report.match:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_match",
        outside="the texts of people and positions",
        files=rf"{_ALWAYS}|matcher\.json|(features|proxies|evaluation|frontier|stopping|scores|pairs)\.csv|outcomes\.parquet|"
        r"(explanations|recommendations)\.jsonl|recommendations\.html",
        sheets={
            "Features": Sheet(file="features.csv"),
            "Proxies": Sheet(file="proxies.csv", columns=PROXIES),
            "Evaluation": Sheet(file="evaluation.csv"),
            "Frontier": Sheet(file="frontier.csv"),
            "Stopping": Sheet(file="stopping.csv"),
        },
    ),
}


#: A kind of run that this version doesn't know: a probe's page is tried, and nothing is taken for granted.
UNKNOWN: Final = RunKind(
    block_at="evenhand.results.audit:ProbeAudit",
    page_at="evenhand.report.probe.sections:PROBE",
    groups_at="evenhand.results.probe_groups:probe_groups",
)


def run_kind(kind: object) -> RunKind:
    """Return what is known of a kind of run, by the name that manifests give it.

    >>> run_kind("suite").probes_below, run_kind("another") is UNKNOWN
    (True, True)
    """
    return RUN_KINDS.get(kind, UNKNOWN) if isinstance(kind, str) else UNKNOWN
