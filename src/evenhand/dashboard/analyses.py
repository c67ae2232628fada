"""Analyses of uploaded tables: their folders, the upload, the forms of columns and values, and the commands they run.

A command runs in a process of its own: it outlives the page and the server, can be stopped, and leaves files.
"""

import fcntl
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import unicodedata
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from typing import Any, Final

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request

from evenhand.data.tables import ENDINGS
from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.report.page.live import Boxes, Choice, Field, Input
from evenhand.results.applicant_audit import ColumnPreview, TablePreview
from evenhand.results.files import write_file
from evenhand.results.messages import one_line, shortened

#: Seconds between SIGTERM and SIGKILL, and after that.
PATIENCE: Final = 3.0
LONGEST_MESSAGE: Final = 2_000
#: Environment variables withheld from processes that read uploaded files.
_SECRET: Final = lazy_re("TOKEN|KEY|SECRET|PASSW|CREDENTIAL")
#: A process writes its number itself: a server that is killed just after starting one could not, nor one without room.
_SAYING_ITS_NUMBER: Final = ("/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"')
_started: list["subprocess.Popen[bytes]"] = []
_changing = threading.RLock()


@dataclass(frozen=True)
class Job:
    """A command started in this folder: `out` has its output, `log` its messages.

    The process holds a lock on a file as long as it lives, whoever started it, so that a reused process id does no
    harm. It prints its result last: a result means that the command finished. Temporary files are in `tmp`, which is
    removed when the job is stopped.
    """

    folder: Path

    @property
    def exists(self) -> bool:
        """Return whether it was started."""
        return (self.folder / "lock").exists()

    @property
    def running(self) -> bool:
        """Return whether its process lives."""
        try:
            descriptor = os.open(self.folder / "lock", os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)  # who else asks holds it, too, for a moment
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    @property
    def seconds(self) -> float:
        """Return how long ago it was started."""
        return max(time.time() - (self.folder / "lock").stat().st_mtime, 0.0)

    @property
    def result(self) -> str | None:
        """Return what it printed; None as long as it runs, and where it failed or was stopped."""
        if not self.exists or self.running or self.stopped:
            return None
        printed = self._text("out")
        return printed if printed.endswith("\n") else None  # half of it may be there where the disk is full

    @property
    def stopped(self) -> bool:
        """Return whether somebody stopped it."""
        return (self.folder / "stopped").exists()

    @property
    def remarks(self) -> list[str]:
        """Return its lines for the user."""
        lines = self._text("log").splitlines()
        return [one_line(shortened(line, most=LONGEST_MESSAGE)) for line in lines if line.strip()]

    @property
    def failure(self) -> str:
        """Return why there is no result: the command's own line."""
        if self.stopped:
            return "It was stopped."
        lines = self.remarks
        if any(line.startswith("Traceback") for line in lines):
            return f"The program failed, which is its own fault: {lines[-1]}"
        return lines[-1] if lines else "The process ended without a word; perhaps the machine had no memory left."

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def start(self, words: Sequence[str], *, within: Path) -> None:
        """Start `evenhand` with these words in a folder, instead of what ran here before."""
        with _changing:
            self.clear()
            self._start(words, within)

    def _start(self, words: Sequence[str], within: Path) -> None:
        temporary = self.folder / "tmp"
        temporary.mkdir(mode=0o700, parents=True)
        environment = {name: value for name, value in os.environ.items() if not _SECRET.search(name.upper())}
        descriptor = os.open(self.folder / "starting", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            (self.folder / "starting").rename(self.folder / "lock")  # from here on it is seen, and held
            with (self.folder / "out").open("wb") as out, (self.folder / "log").open("wb") as log:
                process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own command
                    [*_SAYING_ITS_NUMBER, str(self.folder / "pid"), sys.executable, "-P", "-m", "evenhand", *words],
                    cwd=within,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=log,
                    env=environment | {"TMPDIR": str(temporary)},
                    start_new_session=True,
                    pass_fds=(descriptor,),
                    umask=0o077,
                )
        except OSError as error:
            (self.folder / "log").write_text(f"The command can't be started: {error.strerror}.", "utf-8")
            return
        finally:
            os.close(descriptor)
        _started[:] = [process for process in _started if process.poll() is None]
        _started.append(process)

    def stop(self) -> None:
        """End the process and what it started; nothing where it has ended."""
        with _changing:
            if self.running:
                self._stop()

    def _stop(self) -> None:
        (self.folder / "stopped").touch()
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if self.running:
                with suppress(ProcessLookupError, ValueError):  # it has ended, or has not yet begun
                    os.killpg(int(self._text("pid")), sign)
            end = time.monotonic() + PATIENCE
            while self.running and time.monotonic() < end:
                time.sleep(0.02)
        shutil.rmtree(self.folder / "tmp", ignore_errors=True)

    def clear(self) -> None:
        """Stop it and remove what it left."""
        if self.folder.exists():
            self.stop()
            shutil.rmtree(self.folder)


#: Analyses that compute at the same time: each takes up to a gigabyte of memory.
MOST_AT_ONCE: Final = 2
#: Letters, and bytes on disk, of a file's name without its ending.
LONGEST_NAME: Final = 80
LONGEST_BYTES: Final = 240
_NUMBER: Final = "[0-9a-f]{16}"
_starting = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """One analysis: who uploaded it, the file's name, the choices made.

    `choices` has columns by the option they are for, `meanings` what the values of the decision mean, `more` further
    options, each in one word.
    """

    folder: Path
    name: str
    by: str
    made: str
    sheet: str | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    more: Sequence[str] = ()

    @property
    def number(self) -> str:
        """Return what it is called in addresses."""
        return self.folder.name

    @property
    def tables(self) -> Path:
        """Return the folder of the table."""
        return self.folder / "table"

    @property
    def found(self) -> Path:
        """Return the folder of the run."""
        return self.folder / "found"

    @property
    def look(self) -> Job:
        """Return the job that looks at the columns."""
        return Job(self.folder / "look")

    @property
    def count(self) -> Job:
        """Return the job that counts who is in the analysis."""
        return Job(self.folder / "count")

    @property
    def run(self) -> Job:
        """Return the job that computes."""
        return Job(self.folder / "run")

    @property
    def running(self) -> Job | None:
        """Return the job whose process lives."""
        return next((job for job in (self.look, self.count, self.run) if job.running), None)

    def start(self, job: Job, words: Sequence[str]) -> None:
        """Start a job over the table, and remove the results of later ones.

        Raises
        ------
        HTTPException
            One runs here, or as many as may run elsewhere.

        """
        jobs = (self.look, self.count, self.run)
        with _starting:
            if self.running is not None:
                raise HTTPException(409, "This analysis is being computed; stop it first.")
            others = (Analysis(folder=folder, name="", by="", made="") for folder in self.folder.parent.glob("*/"))
            if sum(analysis.running is not None for analysis in others) >= MOST_AT_ONCE:
                raise HTTPException(503, f"{MOST_AT_ONCE} analyses are being computed; try again when one has ended.")
            self.forget(*jobs[jobs.index(job) :])
            job.start(words, within=self.tables)

    def forget(self, *jobs: Job) -> None:
        """Remove what jobs left, without any those that count and compute."""
        for job in jobs or (self.count, self.run):
            job.clear()
        shutil.rmtree(self.found, ignore_errors=True)

    def changed(self, **values: Any) -> "Analysis":
        """Return a copy with other values, saved; earlier results are removed.

        Raises
        ------
        HTTPException
            It is being computed with the values that it has.

        """
        if self.running is not None:
            raise HTTPException(409, "This analysis is being computed; stop it first.")
        other = replace(self, **values)
        other.forget()
        other.save()
        return other

    def save(self) -> None:
        """Write the request; a reader sees the old or the new file, never half of one."""
        values = {name: value for name, value in asdict(self).items() if name != "folder"}
        write_file(self.folder / "analysis.json", orjson.dumps(values))


@dataclass(frozen=True, kw_only=True)
class Analyses:
    """The folder of all analyses, the megabytes that a file may have, and the days until they are removed, if so."""

    folder: Path
    largest: int
    days: int | None = None

    def all(self) -> list[Analysis]:
        """Return the analyses, the newest first."""
        stored = (self.of(path.name) for path in self.folder.iterdir())
        return sorted(
            (analysis for analysis in stored if analysis is not None), key=lambda analysis: analysis.made, reverse=True
        )

    def tidy(self) -> None:
        """Remove analyses that are too old, and what a server that broke off left."""
        now = datetime.now(UTC)
        for analysis in self.all():
            if self.days and datetime.fromisoformat(analysis.made) < now - timedelta(days=self.days):
                self.remove(analysis)
        for path in self.folder.iterdir():
            abandoned = self.of(path.name) is None and re.fullmatch(rf"{_NUMBER}|(gone|incoming)-{_NUMBER}", path.name)
            if abandoned and path.stat().st_mtime < (now - timedelta(days=1)).timestamp():
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def of(self, number: str) -> Analysis | None:
        """Return the analysis of a number; None of anything else."""
        folder = self.folder / number
        if not re.fullmatch(_NUMBER, number):
            return None
        try:
            return Analysis(folder=folder, **orjson.loads((folder / "analysis.json").read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    def add(self, received: Path, name: str, *, by: str) -> Analysis:
        """Return a new analysis of an uploaded file, which moves there."""
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        analysis = Analysis(folder=folder, name=name, by=by, made=datetime.now(UTC).isoformat(timespec="seconds"))
        analysis.tables.mkdir(mode=0o700)
        received.rename(analysis.tables / name)
        analysis.save()
        return analysis

    def remove(self, analysis: Analysis) -> None:
        """Stop what runs, and remove the table and its results."""
        for job in (analysis.look, analysis.count, analysis.run):
            job.stop()
        gone = analysis.folder.with_name(f"gone-{analysis.number}")
        analysis.folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def plain_name(file_name: str) -> str:
    r"""Return what a file is called here: its last part, in signs that mean nothing to a shell or a path.

    Raises
    ------
    HTTPException
        Its ending is of no table.

    >>> plain_name("C:\\Users\\ana\\Hired 2026.CSV"), plain_name("../../-rf;\x00$(x).csv"), plain_name("Ñandú.xlsx")
    ('Hired 2026.csv', 'rf_x.csv', 'Ñandú.xlsx')
    """
    last = unicodedata.normalize("NFC", re.split(r"[\\/]", file_name)[-1])
    ending = next((suffix for suffix in ENDINGS if last.casefold().endswith(suffix)), None)
    if ending is None:
        known = ", ".join(ENDINGS)
        raise HTTPException(
            415, f"'{one_line(shortened(last))}' is not a table that can be read here; expected {known}."
        )
    stem = re.sub(r"[^\w. -]+", "_", last[: len(last) - len(ending)]).strip("-._ ")
    return (_shortened(stem).rstrip() or "table") + ending


def _shortened(stem: str) -> str:
    return stem[:LONGEST_NAME].encode()[:LONGEST_BYTES].decode("utf-8", "ignore")


def private_folder(path: Path) -> Path:
    """Return the folder, created if missing, that nobody else on the machine may enter.

    Raises
    ------
    InputError
        It can't be made, or others may enter it.

    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        mode = path.stat().st_mode
    except OSError as error:
        raise InputError(f"--analyses {path} can't be used: {error.strerror}.") from error
    if mode & 0o077:
        raise InputError(
            f"--analyses {path} is readable by other users of this machine; run chmod 700 {path}, or give a new folder."
        )
    return path.absolute()


MEGABYTE: Final = 2**20
#: Letters of a text field, and parts of a form.
LONGEST_FIELD: Final = 4_096
MOST_PARTS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Received:
    """A file that was received: where it lies, and what it is called here."""

    path: Path
    name: str


async def received_file(
    request: Request, *, folder: Path, largest: int, check: Callable[[dict[str, str]], Any]
) -> Received:
    """Return the file of a form of at most so many megabytes, written to a new file of the folder.

    `check` gets the fields that stand before the file, and raises where the form is not ours.

    Raises
    ------
    HTTPException
        There is no file, it is too large or no table, or what was sent is no form.

    """
    announced = request.headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() and len(announced) < 20 else None
    if size is None or size > (largest + 1) * MEGABYTE:
        raise HTTPException(413, f"A file may have {largest:,} MB; this one has more, or its size is unknown.")
    if shutil.disk_usage(folder).free < 2 * size:
        raise HTTPException(507, "The disk of the server has no room for this file.")
    path = folder / f"incoming-{secrets.token_hex(8)}"
    try:
        name = await _written(request, path, largest=largest, check=check)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Received(path=path, name=name)


async def _written(request: Request, path: Path, *, largest: int, check: Callable[[dict[str, str]], Any]) -> str:
    """Write the file of the form; return its name here."""
    name, fields = "", dict[str, str]()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        async for part, content in _parts(request, largest=largest):
            if part.filename is None:
                given = fields.get(part.name, "") + content.decode("utf-8", "replace")
                if len(given) > LONGEST_FIELD:
                    raise HTTPException(413, "What was sent is too long.")
                fields[part.name] = given
                continue
            if not name and part.filename:
                check(fields)
                name = plain_name(part.filename)
            file.write(content)
        empty = not file.tell()
    if not name or empty:
        raise HTTPException(400, "No file was chosen, or it is empty; choose another.")
    return name


async def _parts(request: Request, *, largest: int) -> AsyncIterator[tuple[Any, bytes]]:
    """Yield each part's name and file name with a piece of its content."""
    from multipart import MultipartError, ParserLimitReached, PushMultipartParser  # noqa: PLC0415 - of the extra

    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    boundary = header.get_param("boundary")
    if header.get_content_type() != "multipart/form-data" or not isinstance(boundary, str):
        raise HTTPException(400, "The request has no form with a file.")
    part = None
    try:
        with PushMultipartParser(
            boundary, max_segment_size=largest * MEGABYTE, max_segment_count=MOST_PARTS, strict=True
        ) as parser:
            async for chunk in request.stream():
                for event in parser.parse(chunk) if chunk else ():
                    if event is None or isinstance(event, bytes | bytearray):
                        yield part, bytes(event or b"")
                    else:
                        part = event
    except ParserLimitReached as error:
        raise HTTPException(413, f"A file may have {largest:,} MB; this one has more.") from error
    except MultipartError as error:
        raise HTTPException(400, "The request has no form with a file, or it was interrupted.") from error


#: What a value of the decision can mean.
MEANINGS: Final = {"selected": "selected", "not": "not selected", "none": "no decision: in no count"}
_NOTHING: Final = {"": "nothing"}
#: Options that take one column, with the labels of their fields.
_SELECTED: Final = "selected"
_LABELS: Final = {
    "selected": "Decision: who was selected",
    "position": "Position: groups are compared within each",
    "score": "Score: those above a cut-off count as selected",
    "age": "Age in years: compares 40 or older with under 40",
    "unit": "Person: repeated rows of one person count once",
    "cluster": "Who has several decisions, all of which count",
    "count": "Number of people in the row",
    "applicants": "Number who applied: a row is a group",
    "selected_count": "Number of them selected",
    "selection_rate": "Selection rate, instead of that number",
    "stage": "Stage of the row: a person has a row per stage",
    "furthest": "Furthest stage that the person reached",
}
#: Columns whose stages have an order.
_ORDERED: Final = ("stage", "furthest")
#: Fields for text, with their labels; all but the cut-off and the order are options of the command.
_TEXTS: Final = {
    "cutoff": "Cut-off of the score (empty: the median)",
    "order": "Order of the stages, such as applied,screened,hired",
    "funnel": "Stages as columns: their names in order, the first who applied",
    "suppressed": "Withheld counts (<5, *): what they may be, such as 1-4",
}
GROUPS: Final = "Groups to compare"
_FIRST: Final = ("selected", "position")


def columns_inputs(preview: TablePreview, choices: Mapping[str, Any]) -> tuple[list[Input], list[Input], bool]:
    """Return the fields that assign columns: those always open, the folded ones, and whether these open, too.

    They hold guesses as long as nothing is chosen.
    """
    groups = {f"protected{n}": column.name for n, column in enumerate(preview.columns) if column.values}
    guessed = choices or {}
    if not choices:
        guessed = {"protected": [column.name for column in preview.columns if column.role == "protected"]}
        guessed |= {
            column.role: column.name for column in preview.columns if column.role and column.role != "protected"
        }
        if {"unit", "position"} <= guessed.keys():  # decisions on one person for several positions are not independent
            guessed["cluster"] = guessed["unit"]
    reasons = {} if choices else {column.name: column.reason for column in preview.columns if column.role}
    protected = guessed.get("protected", [])
    first = Boxes(
        label=GROUPS,
        options={field: one_line(shortened(name)) for field, name in groups.items()},
        ticked=[field for field, name in groups.items() if name in protected],
        hint=_guessed([f"{one_line(shortened(name))}: {reasons[name]}" for name in protected if name in reasons]),
    )
    fields: dict[str, Input] = {option: _select(option, preview, guessed.get(option), reasons) for option in _LABELS}
    cutoff, *texts = (
        Field(name=name, label=label, value=choices.get(name, ""), required=False) for name, label in _TEXTS.items()
    )
    crossed = Boxes(
        label="Several columns with groups",
        options={"intersectional": "Compare their combinations, too"},
        ticked=["intersectional"] if choices.get("intersectional") else [],
    )
    score, *others = (fields[option] for option in _LABELS if option not in _FIRST)
    is_open = bool({"intersectional", *_TEXTS} & choices.keys()) or any(
        option in guessed for option in _LABELS if option not in _FIRST
    )
    return [first, *(fields[option] for option in _FIRST)], [score, cutoff, *others, *texts, crossed], is_open


def use_of(column: ColumnPreview) -> str:
    """Return what a column is used as, in the words of the form; a suggestion has a question mark."""
    label = _field_of((column.given or column.role or "").removeprefix("--")) or column.given
    return label if column.given or not label else f"{label}?"


def _select(option: str, preview: TablePreview, name: str | None, reasons: Mapping[str, str]) -> Choice:
    fitting = {str(n): column.name for n, column in enumerate(preview.columns) if _fits(option, column)}
    return Choice(
        name=option,
        label=_LABELS[option],
        options=_NOTHING | {n: one_line(shortened(label)) for n, label in fitting.items()},
        chosen=next((n for n, column_name in fitting.items() if column_name == name), ""),
        hint=_guessed([reasons[name]] if name is not None and name in reasons else []),
    )


def _fits(option: str, column: ColumnPreview) -> bool:
    if option in {"score", "age", "count", "applicants", "selected_count", "selection_rate"}:
        # texts may be rates, counts that are not shown, or many numbers with decimal commas; the command reports them
        fits_text = {"score": not column.values, "age": False}.get(option, bool(column.values))
        return column.holds in {"number", "yes/no"} or (column.holds == "text" and fits_text)
    return column.different is None or column.different > 1


def _guessed(reasons: Sequence[str]) -> str:
    """Return the hint of a guessed value."""
    return f"Suggested: {' '.join(reasons)}" if reasons else ""


def chosen_columns(form: Mapping[str, str], preview: TablePreview, more: Sequence[str] = ()) -> dict[str, Any]:
    """Return the columns by the option they are for; `more` are options that may say who was selected, too.

    Raises
    ------
    HTTPException
        A field has what was not offered.

    """
    names = {str(n): column.name for n, column in enumerate(preview.columns)}
    chosen: dict[str, Any] = {"protected": [name for n, name in names.items() if f"protected{n}" in form]}
    for option in _LABELS:
        number = form.get(option, "")
        if number:
            if number not in names:
                raise HTTPException(400, "The form names a column that the table does not have; choose again.")
            chosen[option] = names[number]
    if "," in form.get("cutoff", ""):
        raise HTTPException(400, "A cut-off has a point before its decimals, such as 3.5; go back and write it so.")
    chosen |= {name: text for name in _TEXTS if (text := form.get(name, "").strip())}
    if "intersectional" in form:
        chosen["intersectional"] = True
    if not chosen["protected"] and "age" not in chosen:
        raise HTTPException(400, f"No groups are chosen; go back and tick a column under '{GROUPS}'.")
    if not {"selected", "score", "applicants", "funnel", "furthest"} & set(chosen) and not any(
        word.startswith(_SELECTING) for word in more
    ):
        raise HTTPException(400, f"No column says who was selected; go back and choose '{_LABELS[_SELECTED]}'.")
    return chosen


_OPTION = lazy_re(r"--([a-z]+(?:-[a-z]+)*)")
#: Further options that say who was selected.
_SELECTING: Final = ("--funnel", "--furthest", "--counts")


def in_this_form(message: str) -> list[str]:
    """Return a message of the command that names this form's fields instead of options, and where others belong.

    >>> in_this_form("Which column has the groups? Say --protected.")
    ["Which column has the groups? Choose 'Groups to compare'."]
    """
    named = set(_OPTION.findall(message))
    text = _OPTION.sub(lambda option: f"'{label}'" if (label := _field_of(option[1])) else option[0], message)
    advice = (
        ["--unpack-limit is fixed here: save the sheet as CSV, and choose that."] if "unpack-limit" in named else []
    )
    advice += (
        [f"An option with -- belongs under '{FURTHER}'."]
        if named & (set(MORE) - _TEXTS.keys() - _LABELS.keys())
        else []
    )
    return [text.replace("Say '", "Choose '"), *advice]


def _field_of(option: str) -> str:
    return GROUPS if option == "protected" else (_LABELS | _TEXTS).get(option.replace("-", "_"), "").partition(":")[0]


def suggested_options(messages: Sequence[str]) -> str:
    """Return the options with values that messages of the command name and this form takes.

    >>> suggested_options(["say what such counts may be, as in --suppressed 1-4, for bounds of the rates."])
    '--suppressed 1-4'
    """
    named = re.findall(r"--(\S+) ('[^']+'|[^\s'(]+)", " ".join(messages))
    options = [f"--{name} {value.rstrip('.,;:')}" for name, value in named if name in MORE and "…" not in value]
    return " ".join(dict.fromkeys(options))


#: Options that may be typed: how the table is read, and none that names a file.
MORE: Final = (
    *("totals", "map", "unknown", "suppressed", "header-row", "footer", "undecided", "funnel", "furthest", "sheets"),
    *("counts", "stage", "where", "reference", "missing", "block", "cluster", "given"),
)
FURTHER: Final = "Further options"


def typed_options(text: str) -> list[str]:
    """Return options as typed on a command line, each with its value in one word.

    Raises
    ------
    HTTPException
        An option is none that may be typed here.

    >>> typed_options("--totals drop --map 'race:W=White'")
    ['--totals=drop', '--map=race:W=White']
    """
    try:
        parts = shlex.split(text)
    except ValueError as error:
        raise HTTPException(400, f"'{FURTHER}': a quotation mark has no end; go back and close it.") from error
    words: list[str] = []
    for part in parts:
        name, equals, value = part.removeprefix("--").partition("=")
        if part.startswith("--") and name in MORE:
            words.append(f"--{name}={value}" if equals else f"--{name}")
        elif words and "=" not in words[-1] and not part.startswith("--"):
            words[-1] += f"={part}"
        else:
            known = ", ".join(f"--{name}" for name in MORE)
            raise HTTPException(400, f"'{FURTHER}' holds {one_line(shortened(part))}; expected {known} with a value.")
    return words


def decision_of(preview: TablePreview, choices: Mapping[str, Any]) -> ColumnPreview | None:
    """Return the column that says who was selected, where its values must be given a meaning; None of yes and no."""
    return next(
        (
            column
            for column in preview.columns
            if column.name == choices.get(_SELECTED) and not column.plain and column.meanings
        ),
        None,
    )


def meanings_inputs(column: ColumnPreview, meanings: Mapping[str, str]) -> list[Input]:
    """Return the fields that ask what each value of a decision means."""
    return [
        Choice(
            name=f"value{n}",
            label=f"{one_line(shortened(label))} ({column.values[label]:,})",
            options=MEANINGS,
            chosen=meanings.get(label, "not"),
        )
        for n, label in enumerate(column.meanings)
    ]


def chosen_meanings(form: Mapping[str, str], column: ColumnPreview) -> dict[str, str]:
    """Return what each value of a decision means.

    Raises
    ------
    HTTPException
        A field has what was not offered.

    """
    meanings = {label: form.get(f"value{n}", "") for n, label in enumerate(column.meanings)}
    if not set(meanings.values()) <= set(MEANINGS):
        raise HTTPException(400, "The form lacks the meaning of a value; choose again.")
    return meanings


def words_of(analysis: Analysis, preview: TablePreview) -> list[str]:
    """Return the arguments of `evenhand impact` for the choices, each option with its value in one word."""
    choices = analysis.choices
    words = [] if analysis.sheet is None else [f"--sheet={analysis.sheet}"]
    words += [f"--protected={name}" for name in choices.get("protected", ())]
    for option in _LABELS:
        name = choices.get(option)
        if name is None:
            continue
        value = name
        column = decision_of(preview, choices) if option == _SELECTED else None
        if column is not None:
            selected = [label for label in column.meanings if analysis.meanings.get(label) == "selected"]
            value = f"{name}={','.join(selected)}"
            none = [label for label in column.meanings if analysis.meanings.get(label) == "none"]
            doubted = [label for label, likely in column.meanings.items() if likely == "none"]
            closed = [""] if any(analysis.meanings.get(label) == "not" for label in doubted) else []
            words += [f"--undecided={name}={label}" for label in [*none, *closed]]
        if option in _ORDERED and "order" in choices:
            value = f"{name}={choices['order']}"
        words.append(f"--{option.replace('_', '-')}={value}")
    words += [f"--{option}={choices[option]}" for option in ("funnel", "suppressed") if option in choices]
    words += [f"--reference={attribute}={group}" for attribute, group in choices.get("reference", {}).items()]
    if "score" in choices and "selected" not in choices:
        words.append(f"--cutoff={choices['cutoff']}" if "cutoff" in choices else "--median")
    if choices.get("intersectional"):
        words.append("--intersectional")
    return [*words, *analysis.more]
