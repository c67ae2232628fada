"""`evenhand data label-sheet`: e-mails for two people to label."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson
import polars as pl

from evenhand.collect.answers import read_answers
from evenhand.commands.terminal import Screen
from evenhand.errors import InputError
from evenhand.intake.saved_answers import read_saved_answers
from evenhand.probes.an2024.labels.sheet import label_sheet
from evenhand.probes.an2024.outcomes import given_decisions
from evenhand.runs.manifest import read_manifest
from evenhand.runs.options.files import SheetOptions
from evenhand.runs.options.settings import configured, find_probe
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import refuse_existing, write_file
from evenhand.tables.run_folder import RunFolder

__all__ = ["WrittenSheet", "write_label_sheet"]


@dataclass(frozen=True, kw_only=True)
class WrittenSheet:
    """What was written, as JSON and as text for the terminal."""

    json: str
    text: str


def write_label_sheet(answers: Path, options: SheetOptions, *, notice: Callable[[str], None]) -> WrittenSheet:
    """Write a sheet and its key, which says whose e-mail each is.

    Raises
    ------
    InputError
        The answers hold no e-mails to named people, or a file is there already.

    """
    out = options.out
    if out.suffix.lower() != ".csv":
        raise InputError(f"--out {out} has the ending {out.suffix or '(none)'}; expected .csv.")
    key = out.with_name(f"{out.stem}-key.csv")
    for path in (out, key):
        refuse_existing(path, force=options.force, holds="labels" if path == out else "the key of a sheet")
    drawn = label_sheet(
        _run(answers) if answers.is_dir() else _saved(answers), sample=options.sample, seed=options.seed
    )
    write_file(key, csv_bytes(drawn.key, mark=True))
    write_file(out, csv_bytes(drawn.sheet, mark=True))
    for reason, count in drawn.passed_over.items():
        if count:
            notice(f"{count:,} e-mails {reason} and were passed over.")
    if drawn.sheet.height < options.sample:
        notice(f"The sheet has {drawn.sheet.height:,} e-mails; {options.sample:,} were asked for.")
    content = {
        "sheet": str(out),
        "key": str(key),
        "emails": drawn.sheet.height,
        "groups": dict(drawn.groups),
        "passed_over": dict(drawn.passed_over),
    }
    screen = Screen()
    screen.say(f"{drawn.sheet.height:,} e-mails: {', '.join(f'{group} {n:,}' for group, n in drawn.groups.items())}.")
    screen.say(f"Whose they are stands in {key}; keep it from the annotators.")
    screen.keep(str(out))
    return WrittenSheet(json=orjson.dumps(content, option=orjson.OPT_INDENT_2).decode(), text=screen.text)


def _saved(path: Path) -> pl.DataFrame:
    """Return saved answers; an answer is known by its row, counted from 1."""
    saved = read_saved_answers(path)
    if "name" not in saved.columns:
        raise InputError(
            f"No column 'name' in {path}, so names can't be redacted. Columns: {', '.join(saved.columns)}."
        )
    groups = [name for name in ("race", "gender") if name in saved.columns]
    row = pl.int_range(1, pl.len() + 1).cast(pl.String)
    return saved.select(
        row.alias("answer"), pl.col("answer").alias("text"), "name", *groups, _word(given_decisions(saved))
    )


def _word(accepted: pl.Series | pl.Expr) -> pl.Expr:
    """Return decisions as annotators call them; null where there is none."""
    given = pl.lit(accepted) if isinstance(accepted, pl.Series) else accepted
    return pl.when(given).then(pl.lit("accept")).when(~given).then(pl.lit("reject")).alias("decision")


def _run(folder: Path) -> pl.DataFrame:
    """Return the answers of a run with the names that were asked about; an answer is known by its id."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise InputError(f"{folder} holds no run of evenhand; expected a run's folder, .jsonl, .parquet or .csv.")
    if not manifest.run_kind.asks:
        raise InputError(
            f"{folder} is of `evenhand {manifest.kind}` and keeps no e-mails itself; "
            "give the saved answers, or the folder of one probe."
        )
    if manifest.redacted:
        raise InputError(f"The run in {folder} was made with --redact-answers, so its e-mails are gone.")
    probe = find_probe(manifest.probe)
    settings = {name: value for name, value in manifest.settings.items() if name != "labels"}
    files = [name for name, value in settings.items() if isinstance(value, dict)]
    if files:
        raise InputError(
            f"The run in {folder} was made with --{files[0].replace('_', '-')} FILE; give its answers instead."
        )
    design = configured(probe, settings).designs[manifest.design or ""]
    if (probe.version, design.size) != (manifest.probe_version, manifest.parameters["population"]):
        raise InputError(
            f"The run in {folder} was made by another version of {probe.name}; ask again, or give saved answers."
        )
    people = _people(folder)
    pieces = [
        answers.select(pl.col("id").alias("answer"), "text", "attempt")
        .hstack(design.stimuli(answers["index"].to_numpy()).select("unit"))
        .join(people, on=["unit", "attempt"], how="inner", maintain_order="left")
        for answers in read_answers(folder)
    ]
    if not pieces:
        raise InputError(f"The run in {folder} has no answers.")
    found = pl.concat(pieces)
    if not found.height:
        raise InputError(f"The run in {folder} ({probe.name}) has no answers about one named person each.")
    return found.select("answer", "text", "name", "race", "gender", "decision")


def _people(folder: Path) -> pl.DataFrame:
    """Return who was asked about and what was decided, as the run itself noted it: our tables may have changed."""
    path = RunFolder(folder).outcomes
    if not path.is_file():
        raise InputError(f"The run in {folder} isn't finished: it has no {path.name}. Go on with it by --resume.")
    columns = {"context.name": "name", "protected.race": "race", "protected.gender": "gender"}
    missing = [name for name in columns if name not in pl.read_parquet_schema(path)]
    if missing:
        raise InputError(f"The run in {folder} has no {missing[0]}; expected e-mails to one named person each.")
    outcomes = pl.read_parquet(path, columns=["unit", "attempt", "aspect", "successes", *columns]).rename(columns)
    # A document has counts of words, no decision.
    decided = _word(pl.col("successes") > 0).fill_null("none")
    return outcomes.select(
        "unit", "attempt", *columns.values(), pl.when(pl.col("aspect").is_null()).then(decided).alias("decision")
    ).unique(["unit", "attempt"])
