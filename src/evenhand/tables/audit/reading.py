"""Audit blocks and findings from JSON: the one place where their keys are texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from evenhand.errors import InputError
from evenhand.tables.audit.applicants.predictions import PREDICTION_FAMILIES
from evenhand.tables.audit.features.details import FEATURE_FAMILIES
from evenhand.tables.audit.kinds import RUN_KINDS, Audit
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.audit.written import key_of
from evenhand.tables.details import FAMILIES
from evenhand.tables.finding import Finding

__all__ = ["Found", "ProbeFindings", "read_audit", "read_found", "read_probe", "read_rows"]

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
    known_values = _given(block) | {"kind": known}
    if isinstance(known_values.get("probes"), list | tuple):
        known_values["probes"] = [
            _given(each) if isinstance(each, Mapping) else each for each in known_values["probes"]
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
class Found:
    """What findings.json of a run holds."""

    audit: Audit
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class ProbeFindings(Found):
    """What findings.json of one probe's run holds."""

    audit: ProbeAudit


def read_found(folder: Path) -> Found:
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
    return Found(audit=read_audit(block, source=str(path)), findings=read_rows(rows, source=str(path)))


def read_probe(folder: Path) -> ProbeFindings:
    """Return what findings.json of a run of one probe holds.

    Raises
    ------
    InputError
        It can't be read, or is of something else.

    """
    found = read_found(folder)
    if not isinstance(found.audit, ProbeAudit):
        raise InputError(f"{folder / 'findings.json'} is not of one probe; run the probe again.")
    return ProbeFindings(audit=found.audit, findings=found.findings)


def _named(row: object) -> object:
    """Return a row by the names of a finding's fields."""
    if not isinstance(row, Mapping):
        return row
    names = {key_of(each): each.name for each in fields(Finding)}
    return {names.get(str(key), key): value for key, value in row.items()}


def _detailed(row: object, where: str) -> object:
    """Return a row with its details as those of the family that has most of their keys."""
    details = row.get("details") if isinstance(row, Mapping) else None
    if not isinstance(row, Mapping) or not isinstance(details, Mapping):
        return row
    family = max(_families(), key=lambda each: len(_families()[each] & details.keys()))
    try:
        return {**row, "details": _adapter(family).validate_python(details)}
    except ValidationError as error:
        raise _refused(error, where) from error


@cache
def _families() -> dict[Any, frozenset[str]]:
    """Return the keys of each family's details."""
    families = (*FAMILIES, *PREDICTION_FAMILIES, *FEATURE_FAMILIES)
    return {family: frozenset(each.name for each in fields(family)) for family in families}


def _refused(error: ValidationError, where: str) -> InputError:
    first = error.errors()[0]
    place = ".".join(str(step) for step in first["loc"])
    return InputError(f"{where}.{place} is not as the schema asks: {first['msg']}.")


def _given(block: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in block.items() if value is not None}


@cache
def _adapter(of: Any) -> TypeAdapter[Any]:
    return TypeAdapter(of)
