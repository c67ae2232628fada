"""Labelled pairs as a user brings them: who and what, the label, the groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.commands.match.pairs import PERSON, POSITION, read_pairs
from evenhand.errors import InputError
from evenhand.hiring.columns.decisions import likely_meaning
from evenhand.hiring.columns.folding import labels_of
from evenhand.hiring.columns.happened import outcomes_of
from evenhand.intake.positions import Position
from evenhand.matching.features.declared import NAMES
from evenhand.matching.training.trained import LabelledPairs
from evenhand.resumes.people.person import Person
from evenhand.runs.options.scores.match import TrainOptions
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["Labelled", "read_labelled"]

#: The fewest pairs that a model is trained on.
FEWEST = 200
_EMPTY = frozenset({"", "nan", "<na>", "null"})


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """Pairs with labels; `levels` are the names of groups by attribute, `unlabelled` pairs have no label."""

    frame: pl.DataFrame
    pairs: LabelledPairs
    levels: dict[str, tuple[str, ...]]
    unlabelled: int


def read_labelled(
    source: Path, people: Sequence[Person], positions: Sequence[Position], options: TrainOptions
) -> Labelled:
    """Return the labelled pairs of a file.

    Raises
    ------
    InputError
        The file or a column can't be used, or all pairs have one label.

    """
    frame = read_pairs(source, people=[each.id for each in people], positions=[each.id for each in positions])
    column, _, value = options.label.partition("=")
    if options.label in frame.columns:
        column, value = options.label, ""
    if column not in frame.columns:
        raise InputError(f"No column {quoted(column)} in {source} (--label). Columns: {_columns(frame)}.")
    for name in (*options.protected, column):
        if name in {PERSON, POSITION}:
            raise InputError(f"The column {quoted(name)} says what is paired; it is no group and no label.")
        if name in NAMES:
            raise InputError(
                f"{quoted(name)} is also what a feature of match scores is called; rename the column, so that the "
                "report can tell them apart."
            )
    label = pl.Series("_label", _labels(frame[column], value), dtype=pl.Boolean)
    frame = frame.with_columns(label).filter(label.is_not_null())
    if frame.height < FEWEST:
        raise InputError(f"{source} has {frame.height:,} pairs with a label; a model needs {FEWEST} at least.")
    groups, levels = {}, {}
    for name in options.protected:
        values = _attribute(name, frame, people, source)
        own = tuple(sorted({each for each in values if each is not None}))
        if len(own) < 2:
            raise InputError(f"--protected {name} has {len(own)} group among the pairs; comparing needs two.")
        numbers = {each: number for number, each in enumerate(own)}
        groups[name] = np.asarray([-1 if each is None else numbers[each] for each in values], np.int64)
        levels[name] = own
    return Labelled(
        frame=frame,
        pairs=LabelledPairs(
            people=frame["_person"].to_numpy(),
            positions=frame["_position"].to_numpy(),
            label=frame["_label"].cast(pl.Float64).to_numpy(),
            groups=groups,
        ),
        levels=levels,
        unlabelled=len(label) - frame.height,
    )


def _labels(cells: pl.Series, value: str) -> list[bool | None]:
    """Return the label of each pair: whether the cell has the value or, where none is given, says yes."""
    counts = pl.DataFrame({"decision": cells}).group_by("decision").agg(n=pl.len())
    found = outcomes_of(counts, cells.name, value or None)
    doubtful = [each for each in found.counts if each not in found.selected and likely_meaning(each) == "none"]
    if doubtful:
        raise InputError(
            f"The label {quoted(cells.name)} holds {listed(doubtful, quotes=True)}, which may be no label: leave these "
            "cells empty, or write no."
        )
    return [found.of[cell] for cell in cells]


def _attribute(name: str, frame: pl.DataFrame, people: Sequence[Person], source: Path) -> list[str | None]:
    """Return the group of each pair: a column of the pairs, or what is known of the person."""
    if name in frame.columns:
        values = frame[name].cast(pl.String).to_list()
    elif any(name in each.protected for each in people):
        values = [people[number].protected.get(name) for number in frame["_person"]]
    else:
        known = sorted({key for each in people for key in each.protected})
        raise InputError(
            f"No column {quoted(name)} in {source} or among people (--protected). Columns: {_columns(frame)}; "
            f"of people: {listed(known) if known else 'none'}."
        )
    counts = pl.Series("value", values, dtype=pl.String).value_counts()
    labels = labels_of(list(counts.iter_rows()), _EMPTY)
    return [labels.of[value] for value in values]


def _columns(frame: pl.DataFrame) -> str:
    return listed([name for name in frame.columns if not name.startswith("_")], most=8)
