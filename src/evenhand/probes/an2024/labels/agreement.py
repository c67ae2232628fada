"""What two annotators' labels say: sheets read back, agreement, and labels to train on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import TextTable, read_text_table
from evenhand.probes.an2024.classifier import DECISIONS
from evenhand.probes.an2024.features import AN2024_WORDS
from evenhand.probes.an2024.labels.sheet import ANNOTATORS
from evenhand.stats.agreement import CohensKappa, cohens_kappa
from evenhand.tables.csv_files import unguarded
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["Agreement", "agreement", "joined_sheets", "with_labels"]

#: What an annotator's column may be called on a sheet of their own.
OWN_COLUMNS = (*ANNOTATORS, "annotator", "label")


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """What two annotators' labels say.

    `table` counts e-mails that both labelled, a row per label of the first. `disagreements`
    has `email, annotator_1, annotator_2, resolved`. `labels` has `text, name, label`:
    e-mails on which both agree, and those with a label in `resolved`, which wins.
    `unlabelled` counts e-mails that one of them, or both, left blank.
    """

    kappa: CohensKappa
    table: pl.DataFrame
    disagreements: pl.DataFrame
    labels: pl.DataFrame
    emails: int
    unlabelled: int
    resolved: int


def agreement(sheet: pl.DataFrame) -> Agreement:
    """Return the agreement on a sheet of `email, text, name, annotator_1, annotator_2, resolved`.

    Labels are accept, reject or none, null where there is none.
    """
    first, second = (pl.col(name) for name in ANNOTATORS)
    both = sheet.filter(first.is_not_null() & second.is_not_null())
    pairs = dict.fromkeys(((one, two) for one in DECISIONS for two in DECISIONS), 0)
    for pair in both.select(ANNOTATORS).iter_rows():
        pairs[pair] += 1
    counts = [[pairs[one, two] for two in DECISIONS] for one in DECISIONS]
    columns = {name: [row[place] for row in counts] for place, name in enumerate(DECISIONS)}
    return Agreement(
        kappa=cohens_kappa(counts),
        table=pl.DataFrame({ANNOTATORS[0]: list(DECISIONS), **columns}),
        disagreements=both.filter(first != second).select("email", *ANNOTATORS, "resolved"),
        labels=with_labels(sheet).drop_nulls("label").select("text", "name", "label"),
        emails=sheet.height,
        unlabelled=sheet.height - both.height,
        resolved=sheet.height - sheet["resolved"].null_count(),
    )


def with_labels(sheet: pl.DataFrame) -> pl.DataFrame:
    """Return a sheet with a column `label`: what was resolved, else what both annotators say, else null."""
    first, second = (pl.col(name) for name in ANNOTATORS)
    label = pl.coalesce("resolved", pl.when(first == second).then(first))
    return sheet.with_columns(label.alias("label"))


def joined_sheets(paths: Sequence[Path]) -> tuple[pl.DataFrame, list[str]]:
    """Return one sheet as `agreement` takes it, from one file or one per annotator, and remarks.

    Raises
    ------
    InputError
        A file can't be read or lacks a column, an e-mail is there twice or with two texts,
        a label is none, or an annotator's labels can't be told.

    """
    notes: list[str] = []
    sheets = []
    for path in paths:
        table = read_text_table(path)
        if table.notes:
            notes.append(f"{path} was read {' and '.join(table.notes)}.")
        sheets.append(_sheet(table, path, alone=len(paths) == 1))
    if len(sheets) == 1:
        return sheets[0], notes
    own = [
        sheet.select("email", "text", "name", pl.col(_own_column(sheet, path)).alias(name), "resolved")
        for sheet, path, name in zip(sheets, paths, ANNOTATORS, strict=True)
    ]
    joined = own[0].join(own[1], on="email", how="full", coalesce=True, suffix="_2", maintain_order="left_right")
    for column, what in (("text", "the text"), ("resolved", "the label under resolved")):
        differ = joined.filter(pl.col(column) != pl.col(f"{column}_2"))
        if differ.height:
            raise InputError(f"E-mail {quoted(differ['email'][0])}: {what} differs between {paths[0]} and {paths[1]}.")
    columns = (pl.coalesce(name, f"{name}_2").alias(name) for name in ("text", "name", "resolved"))
    return joined.with_columns(columns).select("email", "text", "name", *ANNOTATORS, "resolved"), notes


def _sheet(table: TextTable, path: Path, *, alone: bool) -> pl.DataFrame:
    """Return one file's columns, texts as they were and labels in our words."""
    frame = table.frame.rename({name: name.lower() for name in table.frame.columns})
    if len(set(frame.columns)) < frame.width:
        raise InputError(f"{path} has two columns that differ in case only: {listed(table.frame.columns)}.")
    needed = ("email", "text", *(ANNOTATORS if alone else ()))
    missing = [name for name in needed if name not in frame.columns]
    if missing:
        hint = " Give the second annotator's sheet as well, if there is one." if alone and "text" not in missing else ""
        raise InputError(f"{path} has no column {' or '.join(missing)}. Columns: {listed(table.frame.columns)}.{hint}")
    for column in ("email", "text"):
        blank = frame[column].is_null().arg_true()
        if len(blank):
            raise InputError(f"Row {blank[0] + 1} of {path} has no {column}.")
    again = (~frame["email"].is_first_distinct()).arg_true()
    if len(again):
        raise InputError(f"Row {again[0] + 1} of {path} repeats the e-mail {quoted(frame['email'][again[0]])}.")
    if not alone and not any(name in frame.columns for name in OWN_COLUMNS):
        raise InputError(f"{path} has no column of labels; expected one of {', '.join(OWN_COLUMNS)}.")
    labels = [name for name in (*OWN_COLUMNS, "resolved") if name in frame.columns]
    for name in ("name", "resolved"):
        if name not in frame.columns:
            frame = frame.with_columns(pl.lit(None, pl.String).alias(name))
    return frame.with_columns(
        *(pl.Series(name, [unguarded(text) for text in frame[name]], dtype=pl.String) for name in ("email", "text")),
        pl.Series("name", [unguarded(name or "") for name in frame["name"]], dtype=pl.String),
        *(_labels(frame[name], path) for name in labels),
    )


def _labels(cells: pl.Series, path: Path) -> pl.Series:
    """Return a column of labels as accept, reject, none, or null."""
    read: list[str | None] = []
    for row, cell in enumerate(cells, start=1):
        word = " ".join((cell or "").lower().split())
        if word and word not in AN2024_WORDS.labels:
            expected = ", ".join(dict.fromkeys(AN2024_WORDS.labels.values()))
            raise InputError(f"Row {row} of {path}: {cells.name} is {quoted(cell)}; expected {expected}, or nothing.")
        read.append(AN2024_WORDS.labels[word] if word else None)
    return pl.Series(cells.name, read, dtype=pl.String)


def _own_column(sheet: pl.DataFrame, path: Path) -> str:
    """Return the one column with labels on an annotator's own sheet."""
    there = [name for name in OWN_COLUMNS if name in sheet.columns]
    filled = [name for name in there if sheet[name].null_count() < sheet.height]
    if len(filled) > 1:
        raise InputError(
            f"{path} has labels under {' and '.join(filled)}; of two sheets each holds one annotator's. "
            "Give a sheet with both annotators alone."
        )
    return filled[0] if filled else there[0]
