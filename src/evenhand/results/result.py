"""The result of a run (audit block and findings), read from findings.json, and the folder with its files.

Only here and in `kinds` are keys of JSON texts; elsewhere they are fields.
"""

import fcntl
import io
import os
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, Generic, Self, TypeVar

import orjson
import polars as pl
from pydantic import TypeAdapter, ValidationError

from evenhand.errors import ForeignFolder, InputError
from evenhand.patterns import lazy_re
from evenhand.results import finding
from evenhand.results.audit import Header
from evenhand.results.files import file_json, sha256_of, write_file
from evenhand.results.finding import FINDINGS_SCHEMA, Details, Finding, as_json, key_of
from evenhand.results.kinds import UNKNOWN, kind_names, loaded, run_kind
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
        groups: G_co = run_kind(self.audit.kind).grouped(self.findings, self.audit)
        return groups

    @cached_property
    def content(self) -> Mapping[str, Any]:
        """Return what findings.json holds, as plain values."""
        return {"schema": FINDINGS_SCHEMA, "audit": as_json(self.audit), "findings": as_json(self.findings)}

    def legible(self) -> "Result[A_co, G_co]":
        """Return the result with control characters and marks that reorder text made visible, for whoever shows it."""
        try:
            written = orjson.dumps(self.content).decode()
        except orjson.JSONEncodeError:  # half of a surrogate pair
            written = ""
        # Pages have no-break spaces; they are as legible as others.
        if written.replace("\xa0", " ").isprintable() and written and not _ESCAPED.search(written):
            return self
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
        raise InputError(f"{folder} is not a folder; expected a run folder that holds {FILE}.")
    if not path.is_file():
        raise InputError(f"No {FILE} in {folder}; expected the folder of a finished run (--out of audit or probe).")
    try:
        content = file_json(path)
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path} is not valid JSON ({error}); run the audit again.") from error
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
    audit = read_audit(block, source=source)
    return Result(audit=audit, findings=read_rows(rows, source=source, kind=audit.kind))


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
    known = kind if kind in kind_names() else PROBE
    # Null says no more than no key.
    known_values = _non_null(block) | {"kind": known}
    if isinstance(known_values.get("probes"), list | tuple):
        known_values["probes"] = [
            _non_null(probe) if isinstance(probe, Mapping) else probe for probe in known_values["probes"]
        ]
    try:
        audit: Header = _adapter(loaded(run_kind(known).block)).validate_python(known_values)
    except ValidationError as error:
        raise _refused(error, f"{source}: audit") from error
    return audit


def read_rows(rows: Sequence[object], *, source: str, kind: str = PROBE) -> tuple[Finding, ...]:
    """Return the findings of findings.json, of a run of a `kind`.

    Raises
    ------
    InputError
        A row is no finding; `source` and its number are named.

    """
    detailed = [_detailed(row, f"{source}: findings.{number}.details", kind) for number, row in enumerate(rows)]
    try:
        checked: tuple[Finding, ...] = _adapter(tuple[Finding, ...]).validate_python([_named(row) for row in detailed])
    except ValidationError as error:
        raise _refused(error, f"{source}: findings") from error
    for number, row in enumerate(checked):
        if row.estimate is None and not row.reason:
            raise InputError(f"{source}: findings.{number} ({row.name}) has neither an estimate nor a reason.")
    return checked


def _named(row: object) -> object:
    """Return a row by the names of a finding's fields."""
    if not isinstance(row, Mapping):
        return row
    names = {key_of(column): column.name for column in fields(Finding)}
    return {names.get(str(key), key): value for key, value in row.items()}


def _detailed(row: object, place: str, kind: str) -> object:
    """Return a row with its details as those of the family that they name."""
    details = row.get("details") if isinstance(row, Mapping) else None
    if not isinstance(row, Mapping) or not isinstance(details, Mapping):
        return row
    values = dict(details)
    tag = values.pop("type", None)
    family = _family(str(tag), kind) if details else Details
    if family is None:
        raise InputError(f"{place}.type is {tag!r}, which is not a type of details.")
    try:
        return {**row, "details": _adapter(family).validate_python(values)}
    except ValidationError as error:
        raise _refused(error, place) from error


@cache
def _family(tag: str, kind: str) -> Any:
    """Return a family of details by its name in files; those of a kind lie with its block, others are tried last."""
    own_first = sorted(kind_names(), key=lambda name: name != kind)
    blocks = (sys.modules[loaded(run_kind(name).block).__module__] for name in own_first)
    known = (value for module in chain([finding], blocks) for value in vars(module).values())
    families = (value for value in known if isinstance(value, type) and issubclass(value, Details))
    return next((family for family in families if family.tag() == tag), None)


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


# How JSON may write a control character, other than ends of lines and tabs.
_ESCAPED = lazy_re(r"\\[urbf]")


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


LOCK_FILE = ".lock"
MANIFEST_SCHEMA = "evenhand.run/1"
FINISHED = "finished"
#: The environment variable that says who has runs made.
AUDITOR = "EVENHAND_AUDITOR"

#: What a crash may leave of a file that was being written.
_LEFTOVER = r"\.({})\.(part|\d{{6}})"
#: What systems put into any folder that somebody looked at; it stays, as the lock does.
_PASSED_OVER = frozenset({LOCK_FILE, ".DS_Store", "Thumbs.db", "desktop.ini"})
#: What lies in a folder of a run whose manifest was never written.
_BEFORE_MANIFEST = frozenset({LOCK_FILE, ".manifest.json.part"})


class RunLock:
    """Holds a run folder until `release`, the end of the `with` block or of the process.

    The kernel frees the lock when the process dies, kill -9 included. The file itself
    stays: removing it would let two processes lock two files of one name.

    Raises
    ------
    InputError
        another process holds the folder, or it can't be locked.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise InputError(f"Cannot write in {folder}: {error.strerror}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            who = f"process {holder}" if holder.isdigit() else "another process"
            raise InputError(
                f"{folder} is in use by {who}. Wait for its end, or give another folder with --out."
            ) from None
        except OSError as error:
            os.close(descriptor)
            raise InputError(
                f"{folder} cannot be locked ({error.strerror}). Give a folder on a local disk with --out."
            ) from None
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:
            os.close(descriptor)
            raise InputError(f"Cannot write in {folder}: {error.strerror}.") from None
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Let others use the folder; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


@dataclass(frozen=True)
class RunFolder:
    """A folder with our manifest, or an empty one that is about to get it."""

    path: Path

    @property
    def outcomes(self) -> Path:
        """Return where the outcomes are."""
        return self.path / "outcomes.parquet"

    @property
    def words(self) -> Path:
        """Return where the words of documents are counted, if the answers are documents."""
        return self.path / "words.parquet"

    @property
    def judged(self) -> Path:
        """Return where a judge's readings of unread answers are, if one was asked."""
        return self.path / "judged.parquet"

    @property
    def findings(self) -> Path:
        """Return where the findings are."""
        return self.path / "findings.json"

    def write_manifest(self, manifest: Mapping[str, Any], *, hashes: bool = True) -> None:
        """Write what was asked; a reader sees the old manifest or the new one, never half.

        That of a finished run has the hashes of what the run leaves, but for what is drawn from it, so that a change
        made afterwards shows; without `hashes` it stays as it is. Who has it made is what EVENHAND_AUDITOR says.
        """
        auditor = os.environ.get(AUDITOR)
        content = {"schema": MANIFEST_SCHEMA, **({"asked_by": auditor} if auditor else {}), **manifest}
        if hashes:
            content.pop("files", None)
            if manifest.get("status") == FINISHED:
                content["files"] = {file.name: sha256_of(file) for file in self.kept_files(manifest.get("kind"))}
        write_file(self.path / "manifest.json", orjson.dumps(content, option=orjson.OPT_INDENT_2))

    def kept_files(self, kind: object) -> list[Path]:
        """Return the files of a run of this kind that nothing can draw again, in the order of their names."""
        known = run_kind(kind)
        own_files, ignored = re.compile(known.all_files), re.compile(rf"manifest\.json|{known.all_drawn}")
        files = [file for file in self.path.iterdir() if file.is_file() and own_files.fullmatch(file.name)]
        return sorted(file for file in files if not ignored.fullmatch(file.name))

    def write_result(self, result: Result[Any, Any]) -> None:
        """Write findings.json."""
        write_file(self.findings, orjson.dumps(result.content, option=orjson.OPT_INDENT_2))

    def clear(self) -> None:
        """Remove what its manifest names, the manifest last, and nothing where anything else lies here.

        Raises
        ------
        ForeignFolder
            Something lies here that is not of this run.

        """
        files = manifest_files(self.path)
        for file in sorted(files, key=lambda file: (file.name == "manifest.json", -len(file.parts))):
            file.unlink(missing_ok=True)


def manifest_files(path: Path) -> list[Path]:
    """Return the files that the manifest of a run folder names; those of a suite's probes lie in folders of their own.

    Raises
    ------
    ForeignFolder
        Anything else lies here, a symbolic link among them, or the kind of run is not known.

    """
    manifest = manifest_values(path)
    if manifest is None:
        return []
    kind = run_kind(manifest.get("kind"))
    if kind is UNKNOWN:
        kind_text = quoted(manifest.get("kind"))
        raise ForeignFolder(f"{path} holds a run of {kind_text}, unknown to this version; nothing was changed.")
    own_files = re.compile(f"{kind.all_files}|{_LEFTOVER.format(kind.all_files)}")
    probes = manifest.get("probes") if kind.probes_below else ()
    files: list[Path] = []
    for entry in sorted(path.iterdir()):
        link = entry.is_symlink()
        if entry.name in _PASSED_OVER and not link:
            continue
        if entry.is_file() and not link and own_files.fullmatch(entry.name):
            files.append(entry)
        elif (
            entry.is_dir()
            and not link
            and all(below.name in _PASSED_OVER and not below.is_symlink() for below in entry.iterdir())
        ):  # what clearing leaves of a suite's probe: its lock, or nothing
            continue
        elif entry.is_dir() and not link and entry.name in (probes or ()) and manifest_values(entry) is not None:
            files += manifest_files(entry)
        else:
            note = " (a symbolic link)" if link else ""
            raise ForeignFolder(
                f"{path} holds {quoted(entry.name)}{note}, which is not of its run; nothing was changed. "
                "Move it away, or choose another --out."
            )
    return files


def prepare_run_folder(path: Path, *, force: bool = False, resume: bool | None = None) -> RunFolder:
    """Return a folder that a run may write into, made if it is not there; `resume` is None where that can't be asked.

    Nothing is removed here: a caller who was given `force` clears the folder once it
    holds the lock.

    Raises
    ------
    ForeignFolder
        The folder holds files, but no manifest of ours; or with `force` more than its run.
    InputError
        It holds a run and neither `force` nor `resume` is given, or there is no run to resume.

    """
    if path.exists() and not path.is_dir():
        raise InputError(f"--out {path} is a file; expected a folder.")
    manifest = manifest_values(path) if path.exists() else None
    if resume and manifest is None:
        raise InputError(
            f"There is no run to resume in {path}: it has no manifest.json. Leave out --resume to start one."
        )
    if manifest is None and path.exists() and not {entry.name for entry in path.iterdir()} <= _BEFORE_MANIFEST:
        raise ForeignFolder(
            f"{path} holds files that are not from an evenhand run; nothing was changed. Choose another --out."
        )
    if manifest is not None and not (force or resume):
        go_on = "" if resume is None else "--resume to continue it, "
        raise InputError(f"{path} holds a run already. Use {go_on}--force to replace it, or another --out.")
    if force and path.is_symlink():
        raise InputError(f"--out {path} is a symbolic link; with --force give the folder that it points to.")
    if force:
        manifest_files(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {path} can't be made: {error.strerror}.") from error
    return RunFolder(path)


def manifest_values(path: Path) -> dict[str, Any] | None:
    """Return what the manifest of a folder holds, None where there is none; `runs.manifest` tells what it means.

    Raises
    ------
    InputError
        There is a manifest.json, but it is damaged.

    """
    file = path / "manifest.json"
    if not file.is_file():
        return None
    try:
        manifest = orjson.loads(file.read_bytes())
    except orjson.JSONDecodeError as error:
        raise InputError(f"{file} is damaged ({error}); nothing was changed.") from error
    if not isinstance(manifest, dict) or manifest.get("schema") != MANIFEST_SCHEMA:
        return None
    return manifest


#: Cells that begin with one of these may run as a formula when a spreadsheet opens them.
FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - full-width signs run, too
GUARD: Final = "'"
_MARK: Final = b"\xef\xbb\xbf"


def csv_bytes(frame: pl.DataFrame, *, mark: bool = False) -> bytes:
    r"""Return a table as CSV in UTF-8: no text runs as a formula, null and empty text are blank.

    With `mark` it begins with a byte order mark: without one some spreadsheets read
    letters beyond ASCII wrongly.

    >>> csv_bytes(pl.DataFrame({"group": ["=1+1", "white", None], "n": [1, 2, 3]}))
    b"group,n\n'=1+1,1\nwhite,2\n,3\n"
    """
    texts = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)).with_columns(
        pl.col(pl.String).replace("", None)
    )
    safe = [
        pl.col(name).replace(values, pl.Series([guarded(value) for value in values], dtype=pl.String))
        for name, kind in texts.schema.items()
        if kind == pl.String and (values := _to_guard(texts[name])).len()
    ]
    file = io.BytesIO(_MARK if mark else b"")
    file.seek(0, io.SEEK_END)
    texts.with_columns(safe).rename({name: guarded(name) for name in texts.columns}).write_csv(file)
    return file.getvalue()


def _to_guard(column: pl.Series) -> pl.Series:
    """Return the values that a guard goes before, each once."""
    values = column.unique().drop_nulls()
    return values.filter(values.str.slice(0, 1).is_in([*FORMULA_SIGNS, GUARD]))


def guarded(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; `unguarded` gives the text back.

    >>> guarded("=1+1"), guarded("'tis"), guarded("Dear [name]")
    ("'=1+1", "''tis", 'Dear [name]')
    """
    return GUARD + text if text.startswith((*FORMULA_SIGNS, GUARD)) else text


def unguarded(cell: str) -> str:
    """Return the text of a guarded cell; other cells stay as they are.

    >>> unguarded("'=1+1"), unguarded("''tis"), unguarded("'tis")
    ('=1+1', "'tis", "'tis")
    """
    return cell[1:] if cell.startswith(GUARD) and cell[1:].startswith((*FORMULA_SIGNS, GUARD)) else cell


def read_csv(path: Path, columns: Mapping[str, pl.DataType] | None = None) -> pl.DataFrame:
    """Return a table that `csv_bytes` wrote: guards are taken off; other columns of numbers alone are numbers."""
    return pl.read_csv(path, schema_overrides=columns, infer_schema_length=None).with_columns(
        pl.col(pl.String).map_elements(unguarded, pl.String)
    )
