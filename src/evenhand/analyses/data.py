"""`evenhand data`: list the package's data, write example tables and a synthetic company, choose first names."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import orjson
import polars as pl

from evenhand.analyses.options.output import CompanyOptions, NameOptions
from evenhand.analyses.run import COMPANY
from evenhand.data.examples import berkeley_applicants, bertrand_resumes, compas_scores, hiring_bias_scores
from evenhand.data.text_tables import read_text_table
from evenhand.errors import ForeignFolder, InputError
from evenhand.probes.an2024.names import Selection, name_columns, selected_names
from evenhand.report.words.numbers import counted
from evenhand.results.files import refuse_existing, take_name, write_file, written_folder
from evenhand.results.finding import copied
from evenhand.results.messages import Notices, quoted
from evenhand.results.result import csv_bytes
from evenhand.results.terminal import CommandOutput, Screen
from evenhand.synthetic.company import SCHEMA, Company, description, injected, points, readme, synthetic_company
from evenhand.synthetic.company_people import Size


def check_described(out: Path, about: str, *, schema: str, what: str, force: bool) -> None:
    """Refuse an existing folder; with `force`, only one whose file `about` is not of `schema`.

    Raises
    ------
    InputError
        `out` is no folder, or not empty.
    ForeignFolder
        It holds no `what`.

    """
    if (out.exists() or out.is_symlink()) and not out.is_dir():
        raise InputError(f"--out {out} is not a folder; expected a new folder.")
    if not out.exists() or not any(out.iterdir()):
        return
    try:
        replaceable = orjson.loads((out / about).read_bytes())["schema"] == schema
    except (OSError, ValueError, KeyError, TypeError):
        replaceable = False
    if not replaceable:
        raise ForeignFolder(f"--out {out} holds no {what}; nothing was changed. Remove it, or choose another --out.")
    if not force:
        raise InputError(f"--out {out} already exists. Use --force to replace a {what}, or another --out.")


_PER_PERSON: Final = 4


def write_company(options: CompanyOptions) -> CommandOutput:
    """Write people, positions, pairs, applications and the truth; return the folder and the injected differences.

    Raises
    ------
    InputError
        There are more pairs than people and positions give, or the folder exists already.
    ForeignFolder
        The folder holds other files, too.

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
    files = {name: make(company) for name, make in _FILES.items()}
    digests = {name: sha256(content).hexdigest() for name, content in files.items()}
    about = CommandOutput(
        content=description(company) | {"files": digests}, text=f"{_company_text(company)}\n{options.out}"
    )
    _write(options.out, files | {COMPANY: about.json.encode()})
    return about


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


def _company_text(company: Company) -> str:
    size = company.size
    applied, interview = injected(company)
    screen = Screen()
    screen.say(
        f"Synthetic: {counted(size.people, 'person', 'people')}, {counted(size.positions, 'position')}, "
        f"{counted(size.pairs, 'application')} over two years."
    )
    screen.say("Injected differences between groups:")
    screen.say(
        f"applied, by the career break: {applied.focal} {points(applied.injected)} against {applied.reference}",
        bullet="  ",
    )
    screen.say(
        f"interviewed, since {interview.since}: {interview.focal} {points(interview.injected)} against "
        f"{interview.reference}",
        bullet="  ",
    )
    screen.say("README.md explains how, and describes every file and column.")
    return screen.text


def _check_folder(out: Path, *, force: bool) -> None:
    check_described(out, COMPANY, schema=SCHEMA, what="company", force=force)
    files = out.iterdir() if out.exists() else ()
    strange = sorted(file.name for file in files if file.name not in {*_FILES, COMPANY} or not file.is_file())
    if strange:
        raise ForeignFolder(
            f"--out {out} holds {quoted(strange[0])}, which is not of the company; nothing was changed. "
            "Move it away, or choose another --out."
        )


def _write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write all files into a folder, complete or not at all."""
    with written_folder(out) as part:
        for name, content in files.items():
            (part / name).write_bytes(content)
        out.mkdir(exist_ok=True)
        (out / COMPANY).unlink(missing_ok=True)  # comes last, so that half a company passes for none
        for name in files:
            take_name(part / name, out / name)


@dataclass(frozen=True, kw_only=True)
class Example:
    """A table to try a command on, with its description and how it ends; a `note` is to be kept where it is used."""

    about: str
    rows: Callable[[], pl.DataFrame]
    ending: str = ".csv"
    note: str = ""


PARQUET: Final = ".parquet"
EXAMPLES: Final[Mapping[str, Example]] = {
    "berkeley-1973": Example(
        about="4,526 graduate applicants by sex and department, admitted or not", rows=berkeley_applicants
    ),
    "compas-2016": Example(
        about="7,214 people by race, COMPAS decile score and whether they reoffended, as counts; for evaluate",
        rows=compas_scores,
    ),
    "bertrand-2004": Example(
        about="4,870 résumés under white and black names, called back or not; for impact, features, perturb --scores",
        rows=bertrand_resumes,
    ),
    "hiring-bias-2026": Example(
        about="32,215 scores by eleven language models of one résumé with one thing changed; for perturb --scores",
        rows=hiring_bias_scores,
        ending=PARQUET,
        note="Hiring-Bias dataset, Bogdan Szabo (re:cinq), 2026, CC BY 4.0: name it where you use it.",
    ),
}


def write_example(name: str, *, out: Path | None, force: bool, notice: Notices) -> Path:
    """Write the rows of an example, by default to a file of its name here; return the path.

    Raises
    ------
    InputError
        There is no such example, or the file exists already.

    """
    if name not in EXAMPLES:
        raise InputError(f"There is no example {name!r}; expected {', '.join(EXAMPLES)}.")
    example = EXAMPLES[name]
    path = out if out is not None else Path(f"{name}{example.ending}")
    refuse_existing(path, force=force)
    shipped = resources.files("evenhand.data") / f"{name.replace('-', '_')}{example.ending}"
    as_shipped = example.ending == PARQUET and path.suffix.lower() == PARQUET
    write_file(path, shipped.read_bytes() if as_shipped else csv_bytes(example.rows()))
    if example.note:
        notice(example.note)
    return path


def listed_data(*, json: bool) -> str:
    """Return the example tables and the package's data with rows, licence and source, as text or as JSON."""
    entries = [
        {"file": f"{folder}/{name}", **{key: value for key, value in entry.items() if key != "file"}}
        for folder, source in _sources()
        for name, entry in tomllib.loads(source.read_text(encoding="utf-8")).items()
    ]
    if json:
        examples = [{"example": name, "about": example.about} for name, example in EXAMPLES.items()]
        return orjson.dumps({"examples": examples, "data": entries}, option=orjson.OPT_INDENT_2, default=str).decode()
    screen = Screen()
    screen.say("Examples; evenhand data example NAME writes one:")
    for name, example in EXAMPLES.items():
        screen.say(f"{name}: {example.about}", bullet="  ")
    screen.say("\nA synthetic company whose truth is known, written by evenhand data company --out DIR.")
    screen.say("\nData in this package:")
    for entry in entries:
        rows = entry.get("rows")
        count = f"{counted(rows, 'row')} · " if isinstance(rows, int) else ""
        screen.say(str(entry["file"]), bullet="  ")
        screen.say(f"{count}{entry.get('licence', '')} · {_short(str(entry.get('citation', '')))}", bullet="    ")
    screen.say("\n--json shows full citations, origins, fingerprints and limits.")
    return screen.text


def _short(citation: str) -> str:
    """Return author and year of a citation.

    >>> _short("Bem (1974), J. Psychology 42; Wan et al. (2023), Findings"), _short("none")
    ('Bem (1974) and others', 'our own')
    """
    first, year, rest = citation.partition(")")
    if not year:
        return "our own" if citation in {"", "none"} else citation
    return f"{first})" + (" and others" if re.search(r"\(\d{4}\)", rest) else "")


def _sources() -> Iterator[tuple[str, Traversable]]:
    """Yield each folder with a SOURCES.toml, and that file."""
    package = resources.files("evenhand")
    probes = sorted(
        (folder for folder in (package / "probes").iterdir() if folder.is_dir()), key=lambda folder: folder.name
    )
    for name, folder in [
        ("lexicons", package / "data" / "lexicons"),
        *((f"probes/{probe.name}", probe) for probe in probes),
    ]:
        source = folder / "SOURCES.toml"
        if source.is_file():
            yield name, source


_PAIR_EXAMPLES: Final = {"--race": "white=pct_white", "--gender": "female=pct_female"}


@dataclass(frozen=True, kw_only=True)
class ChosenNames(CommandOutput):
    """The names, also as CSV."""

    csv: str


def choose_names(table: Path, options: NameOptions, *, notice: Callable[[str], None]) -> ChosenNames:
    """Select names from a table and write them; the columns used and missing names go to `notice`.

    Raises
    ------
    InputError
        The table, an option or the file to write can't be used.

    """
    out = options.out
    if out is not None:
        refuse_existing(out, force=options.force)
    frame = _read(table, notice)
    columns = name_columns(
        frame.columns,
        name=options.name_column,
        count=options.count_column,
        races=_pairs(options.race, option="--race"),
        genders=_pairs(options.gender, option="--gender"),
    )
    chosen = selected_names(frame, columns, **copied(options, "top min_count min_share races_as genders_as"))
    count = columns.count if columns.count is not None else "the sum of the races"
    notice(
        f"Read {table.name}: names in {columns.name}; count {count}; races as {chosen.races_as} in "
        f"{_listed(columns.races)}; genders as {chosen.genders_as} in {_listed(columns.genders)}."
    )
    for line in _missing(chosen, options.top):
        notice(line)
    csv = csv_bytes(chosen.names)
    if out is not None:
        write_file(out, csv)
    content = {
        **copied(chosen, "read races_as genders_as"),
        "left_out": dict(chosen.left_out),
        "groups": chosen.groups.to_dicts(),
        "names": chosen.names.to_dicts(),
    }
    text = _summary(chosen) + (f"\n{out}" if out is not None else "")
    return ChosenNames(content=content, text=text, csv=csv.decode())


def _read(path: Path, notice: Callable[[str], None]) -> pl.DataFrame:
    if not path.is_file():
        raise InputError(f"No file {path}; expected .csv or .parquet.")
    if path.suffix.lower() == ".parquet":
        try:
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            first = str(error).splitlines()[0]
            raise InputError(f"{path} can't be read as Parquet: {first}") from error
        if not frame.height:
            raise InputError(f"{path} has no rows.")
        return frame
    if path.suffix.lower() not in {".csv", ".tsv", ".txt"}:
        raise InputError(f"{path} has the ending {path.suffix or '(none)'}; expected .csv or .parquet.")
    table = read_text_table(path)
    if table.notes:
        notice(f"{path.name} was read {' and '.join(table.notes)}.")
    return table.frame


def _listed(groups: Mapping[str, str]) -> str:
    return ", ".join(column if column.lower() == group else f"{column} ({group})" for group, column in groups.items())


def _missing(chosen: Selection, top: int) -> list[str]:
    """Return a line for the race × gender groups with fewer than `top` names."""
    fewer = chosen.groups.filter(pl.col("chosen") < top)
    if not fewer.height:
        return []
    groups = ", ".join(f"{row['race']} {row['gender']} {row['chosen']}" for row in fewer.iter_rows(named=True))
    return [f"Short of {top} names: {groups}."]


def _summary(chosen: Selection) -> str:
    lines = [f"{chosen.names.height:,} of {chosen.read:,} names chosen."]
    lines += [f"  {count:,} left out {reason}" for reason, count in chosen.left_out.items() if count]
    for row in chosen.groups.filter(pl.col("eligible") > 0).iter_rows(named=True):
        lines.append(f"  {row['race']} {row['gender']}: {row['chosen']:,} of {row['eligible']:,} that fit")
    return "\n".join(lines)


def _pairs(typed: Sequence[str], *, option: str) -> dict[str, str] | None:
    """Return GROUP=COLUMN pairs as a mapping; None without any.

    >>> _pairs(["white=W", "black=B"], option="--race")
    {'white': 'W', 'black': 'B'}
    """
    columns: dict[str, str] = {}
    for pair in typed:
        group, equals, column = (part.strip() for part in pair.partition("="))
        if not (group and equals and column):
            raise InputError(f"{option} is {pair!r}; expected GROUP=COLUMN, like {option} {_PAIR_EXAMPLES[option]}.")
        if group.lower() in columns:
            raise InputError(f"{option} names {group.lower()} twice.")
        columns[group.lower()] = column
    return columns or None
