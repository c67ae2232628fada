"""Kinds of run: the audit block, page and files of each, and findings.json read back into dataclasses.

Only here are keys of JSON texts; elsewhere they are fields.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final, Protocol

import orjson
import polars as pl
from pydantic import TypeAdapter, ValidationError

from evenhand.errors import InputError
from evenhand.results import feature_audit, finding, score_audit
from evenhand.results.audit import ProbeAudit
from evenhand.results.finding import Details, Finding, key_of
from evenhand.results.schemas import AVAILABILITY, CLUSTERED, FEATURES, IMPACT, LL144, PERTURB, POOLED, PROXIES


# What a block must say, a property each.
# arid: disable
class Audit(Protocol):
    """What every block says, whatever kind of run it is of."""

    @property
    def kind(self) -> str:
        """Return the kind of run."""

    @property
    def title(self) -> str:
        """Return what the page is called."""

    @property
    def model(self) -> str:
        """Return the model, "" where none was asked."""

    @property
    def question(self) -> str | None:
        """Return the question."""

    @property
    def simulated(self) -> bool:
        """Say whether a simulated model answered."""

    @property
    def simulated_note(self) -> str | None:
        """Return what is said of a simulated model."""

    @property
    def parameters(self) -> Mapping[str, object]:
        """Return what was set."""

    @property
    def limits(self) -> tuple[str, ...]:
        """Return what can't be told."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the warnings."""

    @property
    def reproduce(self) -> str:
        """Return the command that does the same."""

    @property
    def versions(self) -> Mapping[str, str]:
        """Return the versions of packages."""


# arid: enable
_ALWAYS = r"manifest\.json|findings\.(json|csv)|report\.html|tables\.xlsx"
_RENDERED_FILES = r"report\.html|findings\.csv|tables\.(csv|xlsx)"
_ANSWER_FILES = rf"{_ALWAYS}|(answers-\d+|batches)\.jsonl|(outcomes|words)\.parquet|(words|tables)\.csv"


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
    def block(self) -> type[Audit]:
        """Return the class of its audit block."""
        block: type[Audit] = resolve_name(self.block_at)
        return block

    def groups(self, findings: Sequence[Finding], audit: Audit) -> Any:
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
    ),
    "impact": RunKind(
        block_at="evenhand.results.applicant_audit:ImpactAudit",
        page_at="evenhand.report.impact.sections:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_impact",
        outside="the rows that were counted",
        groups_at="evenhand.results.table_groups:impact_groups",
        files=rf"{_ALWAYS}|(counts|scores|sweep|given)\.parquet|(impact|pooled|availability|ll144)\.csv|ll144\.html",
        drawn=rf"{_RENDERED_FILES}|ll144\.html",
        sheets={
            "Impact": Sheet(file="impact.csv", columns=IMPACT | CLUSTERED),
            "Availability": Sheet(file="availability.csv", columns=AVAILABILITY),
            "Pooled": Sheet(file="pooled.csv", columns=POOLED),
            "Local Law 144": Sheet(file="ll144.csv", columns=LL144),
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
    "match": RunKind(
        block_at="evenhand.results.score_audit:MatchAudit",
        page_at="evenhand.report.match:PAGE",
        recomputed_at="evenhand.evidence.recompute:recomputed_match",
        outside="the texts of people and positions",
        files=rf"{_ALWAYS}|matcher\.json|(features|proxies|evaluation|frontier|scores)\.csv|outcomes\.parquet|"
        r"(explanations|recommendations)\.jsonl|recommendations\.html",
        sheets={
            "Features": Sheet(file="features.csv"),
            "Proxies": Sheet(file="proxies.csv", columns=PROXIES),
            "Evaluation": Sheet(file="evaluation.csv"),
            "Frontier": Sheet(file="frontier.csv"),
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


PROBE = "probe"


def read_audit(block: Mapping[str, Any], *, source: str) -> Audit:
    """Return a block as the dataclass of its kind; one without a kind, or of an unknown one, is a probe's.

    Raises
    ------
    InputError
        A value is not of its type; `source` is named.

    >>> read_audit({"kind": "measure", "attempts": 3}, source="findings.json").attempts
    3
    """
    kind = str(block.get("kind"))
    known = kind if kind in RUN_KINDS else PROBE
    # Null says no more than no key.
    known_values = _non_null(block) | {"kind": known}
    if isinstance(known_values.get("probes"), list | tuple):
        known_values["probes"] = [
            _non_null(probe) if isinstance(probe, Mapping) else probe for probe in known_values["probes"]
        ]
    try:
        audit: Audit = _adapter(RUN_KINDS[known].block).validate_python(known_values)
    except ValidationError as error:
        raise _refused(error, f"{source}: audit") from error
    return audit


def read_rows(rows: Sequence[object], *, source: str) -> tuple[Finding, ...]:
    """Return the findings of findings.json.

    Raises
    ------
    InputError
        A row is no finding; `source` and its number are named.

    """
    detailed = [_detailed(row, f"{source}: findings.{number}.details") for number, row in enumerate(rows)]
    try:
        checked: tuple[Finding, ...] = _adapter(tuple[Finding, ...]).validate_python([_named(row) for row in detailed])
    except ValidationError as error:
        raise _refused(error, f"{source}: findings") from error
    for number, row in enumerate(checked):
        if row.estimate is None and not row.reason:
            raise InputError(f"{source}: findings.{number} ({row.name}) has no estimate and no reason for that.")
    return checked


@dataclass(frozen=True, kw_only=True)
class SavedFindings:
    """What findings.json of a run holds."""

    audit: Audit
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class ProbeFindings(SavedFindings):
    """What findings.json of one probe's run holds."""

    audit: ProbeAudit


def read_saved_findings(folder: Path) -> SavedFindings:
    """Return what findings.json of a run holds, every text as it stands there.

    Raises
    ------
    InputError
        It can't be read.

    """
    path = folder / "findings.json"
    try:
        content = orjson.loads(path.read_bytes())
        block, rows = content["audit"], content["findings"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(f"{path} can't be read; run the probe again.") from error
    return SavedFindings(audit=read_audit(block, source=str(path)), findings=read_rows(rows, source=str(path)))


def read_probe(folder: Path) -> ProbeFindings:
    """Return what findings.json of a run of one probe holds.

    Raises
    ------
    InputError
        It can't be read, or is of something else.

    """
    saved = read_saved_findings(folder)
    if not isinstance(saved.audit, ProbeAudit):
        raise InputError(f"{folder / 'findings.json'} is not of one probe; run the probe again.")
    return ProbeFindings(audit=saved.audit, findings=saved.findings)


def _named(row: object) -> object:
    """Return a row by the names of a finding's fields."""
    if not isinstance(row, Mapping):
        return row
    names = {key_of(column): column.name for column in fields(Finding)}
    return {names.get(str(key), key): value for key, value in row.items()}


def _detailed(row: object, place: str) -> object:
    """Return a row with its details as those of the family that they name."""
    details = row.get("details") if isinstance(row, Mapping) else None
    if not isinstance(row, Mapping) or not isinstance(details, Mapping):
        return row
    values = dict(details)
    tag = values.pop("type", None)
    family = _families().get(str(tag)) if details else Details
    if family is None:
        raise InputError(f"{place}.type is {tag!r}, which is no type of details.")
    try:
        return {**row, "details": _adapter(family).validate_python(values)}
    except ValidationError as error:
        raise _refused(error, place) from error


@cache
def _families() -> dict[str, Any]:
    """Return all families of details by their names in files."""
    known = [value for module in (finding, score_audit, feature_audit) for value in vars(module).values()]
    return {value.tag(): value for value in known if isinstance(value, type) and issubclass(value, Details)}


def _refused(error: ValidationError, place: str) -> InputError:
    first = error.errors()[0]
    path = ".".join(str(step) for step in first["loc"])
    return InputError(f"{place}.{path} is not as the schema asks: {first['msg']}.")


def _non_null(block: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in block.items() if value is not None}


@cache
def _adapter(family: Any) -> TypeAdapter[Any]:
    return TypeAdapter(family)
