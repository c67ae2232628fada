"""`evenhand data company`: one synthetic company, whose truth is known, as files."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

import orjson

from evenhand.commands.described_folder import check_described
from evenhand.commands.terminal import Screen
from evenhand.errors import ForeignFolder, InputError
from evenhand.report.words.numbers import counted
from evenhand.resumes.generated.company.company import Company, synthetic_company
from evenhand.resumes.generated.company.described import SCHEMA, description, injected, points, readme
from evenhand.resumes.generated.company.parameters import Size
from evenhand.runs.options.files import CompanyOptions
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.messages.quoting import quoted

__all__ = ["WrittenCompany", "write_company"]

_ABOUT: Final = "company.json"
_PER_PERSON: Final = 4


@dataclass(frozen=True, kw_only=True)
class WrittenCompany:
    """Where a company was written, and what is told of it."""

    path: Path
    json: str
    text: str


def write_company(options: CompanyOptions) -> WrittenCompany:
    """Write people, positions, pairs, applications and the truth; return where, and what was injected.

    Raises
    ------
    InputError
        There are more pairs than people and positions give, or the folder is there already.
    ForeignFolder
        The folder holds more than a company.

    """
    most = options.people * options.positions
    pairs = min(_PER_PERSON * options.people, most) if options.pairs is None else options.pairs
    if pairs > most:
        raise InputError(
            f"--pairs is {pairs}, but {options.people} people and {options.positions} positions make {most}."
        )
    _check_folder(options.out, force=options.force)
    company = synthetic_company(
        Size(people=options.people, positions=options.positions, pairs=pairs, seed=options.seed)
    )
    about = orjson.dumps(description(company), option=orjson.OPT_INDENT_2)
    _write(options.out, {name: make(company) for name, make in _FILES.items()} | {_ABOUT: about})
    return WrittenCompany(path=options.out, json=about.decode(), text=f"{_told(company)}\n{options.out}")


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


def _parquet(company: Company) -> bytes:
    file = BytesIO()
    company.truth_table().write_parquet(file)
    return file.getvalue()


_FILES: Final[Mapping[str, Callable[[Company], bytes]]] = {
    "README.md": lambda company: readme(company).encode(),
    "people.jsonl": lambda company: _lines(company.people_rows()),
    "positions.jsonl": lambda company: _lines(company.position_rows()),
    "pairs.csv": lambda company: csv_bytes(company.pair_table()),
    "applications.csv": lambda company: csv_bytes(company.application_table()),
    "truth.parquet": _parquet,
}


def _told(company: Company) -> str:
    size = company.size
    applied, interview = injected(company)
    screen = Screen()
    screen.say(
        f"Synthetic: {counted(size.people, 'person', 'people')}, {counted(size.positions, 'position')}, "
        f"{counted(size.pairs, 'application')} over two years."
    )
    screen.say("Injected differences in who is passed on:")
    screen.say(
        f"applied, by the career break: {applied.focal} {points(applied.injected)} against {applied.reference}",
        bullet="  ",
    )
    screen.say(
        f"interviewed, since {interview.since}: {interview.focal} {points(interview.injected)} against "
        f"{interview.reference}",
        bullet="  ",
    )
    screen.say("README.md tells how, and describes every file and column.")
    return screen.text


def _check_folder(out: Path, *, force: bool) -> None:
    """Refuse a folder that is there already; with `force`, one that holds more than a company."""
    check_described(out, _ABOUT, schema=SCHEMA, what="company", force=force)
    found = out.iterdir() if out.exists() else ()
    strange = sorted(each.name for each in found if each.name not in {*_FILES, _ABOUT} or not each.is_file())
    if strange:
        raise ForeignFolder(
            f"--out {out} holds {quoted(strange[0])}, which is not of the company; nothing was changed. "
            "Move it away, or choose another --out."
        )


def _write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write all files into a folder; none is there before all are written."""
    part = out.resolve().with_name(f".{out.resolve().name}.part")
    try:
        rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for name, content in files.items():
            (part / name).write_bytes(content)
        out.mkdir(exist_ok=True)
        for name in files:
            (part / name).replace(out / name)
    except OSError as error:
        raise InputError(f"--out {out} can't be written: {error.strerror}.") from error
    finally:
        rmtree(part, ignore_errors=True)
