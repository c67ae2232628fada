"""The result of a run: its audit block and its findings. findings.json is it; here it is written and read.

Only here and in `kinds` are keys of JSON texts; elsewhere they are fields.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import orjson
import polars as pl
from pydantic import TypeAdapter, ValidationError

from evenhand.errors import InputError
from evenhand.results import feature_audit, finding, score_audit
from evenhand.results.audit import Header
from evenhand.results.finding import FINDINGS_SCHEMA, Details, Finding, as_json, key_of
from evenhand.results.kinds import RUN_KINDS
from evenhand.results.messages import quoted

FILE: Final = "findings.json"
#: The page that is drawn of a result.
REPORT: Final = "report.html"
PROBE: Final = "probe"

A_co = TypeVar("A_co", bound=Header, covariant=True)
G_co = TypeVar("G_co", covariant=True)


@dataclass(frozen=True, kw_only=True)
class Result(Generic[A_co, G_co]):
    """The facts and findings of a run, and its tables by the name of their file; `groups` are findings for the page.

    `notes` are remarks on the table that was analysed, of which `input` has the rows and columns.
    """

    audit: A_co
    findings: Sequence[Finding]
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    input: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @cached_property
    def groups(self) -> G_co:
        """Return the findings, grouped for the page."""
        groups: G_co = RUN_KINDS[self.audit.kind].groups(self.findings, self.audit)
        return groups

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """Return what findings.json holds, as plain values."""
        return {"schema": FINDINGS_SCHEMA, "audit": as_json(self.audit), "findings": as_json(self.findings)}

    def legible(self) -> "Result[A_co, G_co]":
        """Return the result with control characters and marks that reorder text made visible, for whoever shows it."""
        shown = _legible(self.content)
        return self if shown == self.content else parsed_result(shown)


def read_result(folder: Path) -> Result[Header, Any]:
    """Return the result of a finished run, from findings.json in its folder.

    Raises
    ------
    InputError
        The folder or the file is missing, the file is no JSON, or `parsed_result` refuses what it holds.

    """
    path = folder / FILE
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; expected a run folder that holds {FILE}.")
    if not path.is_file():
        raise InputError(f"No {FILE} in {folder}; expected the folder of a finished run (--out of audit or probe).")
    try:
        content = orjson.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path} is not valid JSON ({error}); run the audit again to write it anew.") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no JSON object; expected the schema {FINDINGS_SCHEMA}.")
    return parsed_result(content, source=str(path))


def parsed_result(content: Mapping[str, Any], *, source: str = FILE) -> Result[Any, Any]:
    """Return the result with the content of findings.json; `source` is named in messages.

    Raises
    ------
    InputError
        Another schema, a value of the audit block that is not of its type, or a row that is no finding.

    """
    schema, block, rows = (content.get(key) for key in ("schema", "audit", "findings"))
    if schema != FINDINGS_SCHEMA:
        reproduce = block.get("reproduce") if isinstance(block, Mapping) else None
        anew = f" Compute it anew: {quoted(reproduce)}." if reproduce else ""
        raise InputError(f"{source} has the schema {schema!r}; this version reads {FINDINGS_SCHEMA!r}.{anew}")
    if not isinstance(block, Mapping) or not isinstance(rows, list | tuple):
        raise InputError(f"{source} lacks its blocks; expected 'audit' (an object) and 'findings' (a list).")
    return Result(audit=read_audit(block, source=source), findings=read_rows(rows, source=source))


def read_audit(block: Mapping[str, Any], *, source: str) -> Header:
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
        audit: Header = _adapter(RUN_KINDS[known].block).validate_python(known_values)
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


# Invisible characters that reorder text; a hostile answer could hide words behind them.
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def _legible(value: Any) -> Any:
    """Return `value` with control characters made visible in every text."""
    if isinstance(value, str):
        return _visible(value)
    if isinstance(value, Mapping):
        return {_visible(str(key)): _legible(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_legible(item) for item in value]
    return value


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(character if character in "\n\t" else _visible_character(character) for character in text)


def _visible_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:  # the block of control pictures stands in the same order
        return chr(0x2400 + code)
    if character in _REORDERING or code == 0x7F:
        return f"[U+{code:04X}]"
    # Surrogates and noncharacters can't stand in a UTF-8 or XML file at all.
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(character) in {"Cc", "Cs", "Cn", "Co"} else character
