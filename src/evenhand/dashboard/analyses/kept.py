"""Analyses as they lie on disk: a private folder each, with the table, what was asked, and what was found."""

import re
import secrets
import shutil
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson
from starlette.exceptions import HTTPException

from evenhand.dashboard.analyses.jobs import Job
from evenhand.errors import InputError
from evenhand.tables.files import write_atomically

__all__ = ["ENDINGS", "Analyses", "Analysis", "plain_name", "private_folder"]

#: Of files that the table reader opens; none that unpacks to a disk of the server.
ENDINGS: Final = (
    *(".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".parquet", ".feather", ".arrow"),
    *(".xlsx", ".xlsm", ".xls", ".ods", ".dta", ".sav"),
)
#: Analyses that compute at the same time: each takes up to a gigabyte of memory.
MOST_AT_ONCE: Final = 2
#: Of a file's name, without its ending: letters, and what these are on disk.
LONGEST_NAME: Final = 80
LONGEST_BYTES: Final = 240
_NUMBER: Final = "[0-9a-f]{16}"
_starting = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """One analysis: whose it is, what the file was called, what was chosen of it.

    `choices` has columns by the option they are for, `meanings` what the values of the decision mean.
    """

    folder: Path
    name: str
    by: str
    made: str
    sheet: str | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)

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
        """Return the job that counts whom the choices leave."""
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
        """Start a job over the table, and forget what later ones found.

        Raises
        ------
        HTTPException
            One runs here, or as many as may run elsewhere.

        """
        jobs = (self.look, self.count, self.run)
        with _starting:
            if self.running is not None:
                raise HTTPException(409, "This analysis is being computed; stop it first.")
            others = (Analysis(folder=each, name="", by="", made="") for each in self.folder.parent.glob("*/"))
            if sum(each.running is not None for each in others) >= MOST_AT_ONCE:
                raise HTTPException(503, f"{MOST_AT_ONCE} analyses are being computed; try again when one has ended.")
            self.forget(*jobs[jobs.index(job) :])
            job.start(words, within=self.tables)

    def forget(self, *jobs: Job) -> None:
        """Remove what jobs left, without any those that count and compute."""
        for job in jobs or (self.count, self.run):
            job.clear()
        shutil.rmtree(self.found, ignore_errors=True)

    def changed(self, **values: Any) -> "Analysis":
        """Return it with other values, which are kept; what was found with those before is forgotten.

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
        """Write what was asked; a reader sees the old or the new, never half."""
        kept = {name: value for name, value in asdict(self).items() if name != "folder"}
        write_atomically(self.folder / "analysis.json", orjson.dumps(kept))


@dataclass(frozen=True, kw_only=True)
class Analyses:
    """The folder of all analyses, how many megabytes a file may have, and after how many days they are removed."""

    folder: Path
    largest: int
    days: int

    def all(self) -> list[Analysis]:
        """Return the analyses, the newest first."""
        found = (self.of(path.name) for path in self.folder.iterdir())
        return sorted((each for each in found if each is not None), key=lambda each: each.made, reverse=True)

    def tidy(self) -> None:
        """Remove analyses that are too old, and what a server that broke off left."""
        now = datetime.now(UTC)
        for each in self.all():
            if datetime.fromisoformat(each.made) < now - timedelta(days=self.days):
                self.remove(each)
        for path in self.folder.iterdir():
            left = self.of(path.name) is None and re.fullmatch(rf"{_NUMBER}|(gone|incoming)-{_NUMBER}", path.name)
            if left and path.stat().st_mtime < (now - timedelta(days=1)).timestamp():
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

    def made(self, received: Path, name: str, *, by: str) -> Analysis:
        """Return a new analysis of a file that was received, which moves there."""
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        made = Analysis(folder=folder, name=name, by=by, made=datetime.now(UTC).isoformat(timespec="seconds"))
        made.tables.mkdir(mode=0o700)
        received.rename(made.tables / name)
        made.save()
        return made

    def remove(self, analysis: Analysis) -> None:
        """Stop what runs, and remove the table and all that was found in it."""
        for job in (analysis.look, analysis.count, analysis.run):
            job.stop()
        gone = analysis.folder.with_name(f"gone-{analysis.number}")
        analysis.folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def plain_name(given: str) -> str:
    r"""Return what a file is called here: its last part, in signs that mean nothing to a shell or a path.

    Raises
    ------
    HTTPException
        Its ending is of no table.

    >>> plain_name("C:\\Users\\ana\\Hired 2026.CSV"), plain_name("../../-rf;\x00$(x).csv"), plain_name("Ñandú.xlsx")
    ('Hired 2026.csv', 'rf_x.csv', 'Ñandú.xlsx')
    """
    last = unicodedata.normalize("NFC", re.split(r"[\\/]", given)[-1])
    ending = next((each for each in ENDINGS if last.casefold().endswith(each)), None)
    if ending is None:
        raise HTTPException(415, f"This is no table that can be read here; expected {', '.join(ENDINGS)}.")
    stem = re.sub(r"[^\w. -]+", "_", last[: len(last) - len(ending)]).strip("-._ ")
    return (_shortened(stem).rstrip() or "table") + ending


def _shortened(stem: str) -> str:
    return stem[:LONGEST_NAME].encode()[:LONGEST_BYTES].decode("utf-8", "ignore")


def private_folder(path: Path) -> Path:
    """Return the folder, made if it is not there, that nobody else on the machine may enter.

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
            f"--analyses {path} is open to others on this machine; chmod 700 {path}, or name a new folder."
        )
    return path.absolute()
