"""findings.json, read and checked: the audit block and the findings as objects."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import orjson

from evenhand.errors import InputError
from evenhand.results.finding import FINDINGS_SCHEMA, Finding
from evenhand.results.kinds import RUN_KINDS, Audit, read_audit, read_rows
from evenhand.results.messages import quoted

FILE = "findings.json"
REPORT = "report.html"

# Invisible characters that reorder text; a hostile answer could hide words behind them.
_REORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


A_co = TypeVar("A_co", bound=Audit, covariant=True)
G_co = TypeVar("G_co", covariant=True)
B = TypeVar("B", bound=Audit)


@dataclass(frozen=True, kw_only=True)
class Document(Generic[A_co, G_co]):
    """The audit block and the findings of one file; `groups` are the findings as its kind of run groups them."""

    audit: A_co
    findings: tuple[Finding, ...]
    groups: G_co


def read_document(run_folder: Path) -> Document[Audit, Any]:
    """Return the checked content of findings.json; repeated reads of one run are cached.

    Raises
    ------
    InputError
        As `read_findings` and `document`.
    """
    return _checked(_content(run_folder), run_folder / FILE)


def read_findings(run_folder: Path) -> dict[str, Any]:
    """Return the parsed findings.json of a run folder.

    Raises
    ------
    InputError
        The folder or the file is missing, or it is no JSON object.
    """
    return _parsed(_content(run_folder), run_folder / FILE)


@lru_cache(maxsize=1)
def _checked(content: bytes, path: Path) -> Document[Audit, Any]:
    return document(_parsed(content, path), source=str(path))


def _content(run_folder: Path) -> bytes:
    path = run_folder / FILE
    if not run_folder.is_dir():
        raise InputError(f"{run_folder} is no folder; expected a run folder that holds {FILE}.")
    if not path.is_file():
        raise InputError(f"No {FILE} in {run_folder}; expected the folder of a finished run (--out of audit or probe).")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error


def _parsed(text: bytes, path: Path) -> dict[str, Any]:
    try:
        content = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path} is not valid JSON ({error}); run the audit again to write it anew.") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no JSON object; expected the schema {FINDINGS_SCHEMA}.")
    return content


def document(findings: Mapping[str, Any], *, source: str = FILE) -> Document[Audit, Any]:
    """Return the checked content; `source` is named in the messages.

    Raises
    ------
    InputError
        Another schema, a value of the audit block that is not of its type, or a row that is no finding.
    """
    schema, block, rows = (findings.get(key) for key in ("schema", "audit", "findings"))
    if schema != FINDINGS_SCHEMA:
        reproduce = block.get("reproduce") if isinstance(block, Mapping) else None
        anew = f" Compute it anew: {quoted(reproduce)}." if reproduce else ""
        raise InputError(f"{source} has the schema {schema!r}; this version reads {FINDINGS_SCHEMA!r}.{anew}")
    if not isinstance(block, Mapping) or not isinstance(rows, list | tuple):
        raise InputError(f"{source} lacks its blocks; expected 'audit' (an object) and 'findings' (a list).")
    audit = read_audit(_legible(block), source=source)
    checked = read_rows([_plain(row) for row in rows], source=source)
    return Document(audit=audit, findings=checked, groups=RUN_KINDS[audit.kind].groups(checked, audit))


def document_of(block: type[B], run_folder: Path) -> Document[B, Any] | None:
    """Return the checked content of a run folder whose audit block is such a one; None of another kind of run.

    Raises
    ------
    InputError
        As of `read_findings` and `document`.
    """
    content = read_document(run_folder)
    audit = content.audit
    if not isinstance(audit, block):
        return None
    return Document(audit=audit, findings=content.findings, groups=content.groups)


def _plain(row: object) -> object:
    """Return a row with readable text, and labels (a template's number, say) as text."""
    row = _legible(row)
    if not isinstance(row, dict):
        return row
    for key in ("slice", "focal", "reference"):
        labels = row.get(key)
        if isinstance(labels, dict):
            row[key] = {name: str(value) for name, value in labels.items()}
    return row


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
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(character) in {"Cc", "Cs", "Cn"} else character
