"""Counts by raw keys become counts by groups."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from evenhand.hiring.columns.attributes import Attribute
from evenhand.hiring.columns.decisions import Decisions
from evenhand.hiring.columns.folding import Labels, labels_of
from evenhand.hiring.columns.scores import Bar
from evenhand.hiring.counting.moments import SUMS
from evenhand.hiring.counting.stage_rows import Cells
from evenhand.tables.impact_files import PEOPLE
from evenhand.tables.schemas import PROTECTED

__all__ = [
    "Meaning",
    "given_frame",
    "labelled",
    "levels_tally",
    "mapped",
    "means_tally",
    "people_tally",
    "selected_tally",
    "sweep_tally",
]

#: What says that a qualification is not known.
NO_QUALIFICATION = frozenset({"", "nan", "null", "n/a", "unknown"})


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """What raw keys are called: one entry per attribute, and the positions and decisions."""

    attributes: Mapping[str, tuple[tuple[str, ...], Labels]]
    positions: Labels | None = None
    decisions: Decisions | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def groups(self) -> list[str]:
        """Return the columns of groups."""
        return [PROTECTED + name for name in self.attributes]


def labelled(frame: pl.DataFrame, meaning: Meaning) -> pl.DataFrame:
    """Return cells with `position`, `protected.*` and `decided` for their raw keys."""
    for name, (keys, labels) in meaning.attributes.items():
        frame = mapped(frame, list(keys), labels.of, PROTECTED + name, pl.String())
    frame = frame.drop([key for keys, _ in meaning.attributes.values() for key in keys])
    if meaning.positions is not None and "position" in frame.columns:
        of = {(value,): label for value, label in meaning.positions.of.items()}
        frame = (
            mapped(frame, ["position"], of, "_position", pl.String()).drop("position").rename({"_position": "position"})
        )
    elif "position" not in frame.columns:
        frame = frame.with_columns(pl.lit("").alias("position"))
    if meaning.decisions is not None and "decision" in frame.columns:
        of_decision = {(value,): decided for value, decided in meaning.decisions.of.items()}
        frame = mapped(frame, ["decision"], of_decision, "decided", pl.Boolean()).drop("decision")
    return frame


def mapped(
    frame: pl.DataFrame, keys: list[str], of: Mapping[Any, Hashable | None], name: str, dtype: pl.DataType
) -> pl.DataFrame:
    """Return cells with a column that has the value of each combination of the keys."""
    unique = frame.select(keys).unique()
    values = pl.Series(name, [of[row] for row in unique.iter_rows()], dtype=dtype)
    return frame.join(unique.with_columns(values), on=keys, how="left", nulls_equal=True)


def selected_tally(cells: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return n and successes of decisions."""
    known = cells.filter(pl.col("decided").is_not_null())
    counts = known.group_by(by).agg(pl.col("n").sum(), pl.col("n").filter(pl.col("decided")).sum().alias("successes"))
    return counts.with_columns(pl.lit("selected").alias("approach"), pl.lit(None, pl.Float64).alias("cutoff"))


def people_tally(cells: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return n of people, of whom nothing else is asked."""
    counts = cells.group_by(by).agg(pl.col("n").sum())
    nothing = pl.lit(None, pl.Float64).alias("cutoff")
    return counts.with_columns(pl.lit(0, pl.Int64).alias("successes"), pl.lit(PEOPLE).alias("approach"), nothing)


def levels_tally(
    cells: pl.DataFrame, by: Sequence[str], bars: Sequence[Bar], wanted: Sequence[tuple[str, float, Bar]]
) -> pl.DataFrame:
    """Return n and successes for each approach, cut-off and its bar: successes passed more bars than lie below."""
    usable = cells.filter(pl.col("level") >= 0)
    groups = usable.select(by).unique(maintain_order=True).with_row_index("_group")
    indexed = usable.join(groups, on=list(by), how="left", nulls_equal=True)
    width = len(bars) + 1
    place = indexed["_group"].to_numpy().astype(np.int64) * width + indexed["level"].to_numpy()
    at = np.zeros(groups.height * width, dtype=np.int64)
    np.add.at(at, place, indexed["n"].to_numpy())
    # Column l: how many passed l bars or more.
    reached = at.reshape(groups.height, width)[:, ::-1].cumsum(axis=1)[:, ::-1]
    frames = [
        groups.drop("_group").with_columns(
            pl.lit(approach).alias("approach"),
            pl.lit(cutoff, pl.Float64).alias("cutoff"),
            pl.Series("n", reached[:, 0]),
            pl.Series("successes", reached[:, bars.index(bar) + 1]),
        )
        for approach, cutoff, bar in wanted
    ]
    return pl.concat(frames)


def means_tally(cells: pl.DataFrame, by: Sequence[str], counted: Cells) -> pl.DataFrame:
    """Return n, mean and Σ(x − mean)² of the scores of each group."""
    assert counted.steps is not None
    usable = cells.filter(pl.col("level") >= 0).with_columns(pl.col(SUMS).cast(pl.Int128))
    if "weight" in cells.columns:
        usable = usable.with_columns(pl.col(SUMS) * pl.col("weight").cast(pl.Int128))
    usable = usable.group_by(by).agg(pl.col("n", *SUMS).sum())
    moments = [counted.steps.moments(n, tuple(sums)) for n, *sums in usable.select("n", *SUMS).iter_rows()]
    return usable.drop(SUMS).with_columns(
        pl.Series("mean", [mean for mean, _ in moments], dtype=pl.Float64),
        pl.Series("squares", [squares for _, squares in moments], dtype=pl.Float64),
    )


def sweep_tally(cells: pl.DataFrame, groups: Sequence[str], values: Sequence[float], *, strict: bool) -> pl.DataFrame:
    """Return n and successes of each group at every cut-off."""
    bars = [Bar(value=value, strict=strict) for value in values]
    wanted = [("sweep", bar.value, bar) for bar in bars]
    return levels_tally(cells, groups, bars, wanted).select("cutoff", *groups, "n", "successes").sort("cutoff", *groups)


def given_frame(cells: pl.DataFrame, names: Sequence[str], groups: Sequence[str], success: pl.Expr) -> pl.DataFrame:
    """Return counts by groups and qualifications; a column of which all known labels are numbers is numeric.

    'none' is a degree that many have, and no gap in the data as it is among groups. Among
    numbers an infinite one is no value, as NaN is none.
    """
    for place, name in enumerate(names):
        raw = f"given_{place}"
        labels = labels_of(cells.group_by(raw).agg(pl.col("n").sum()).iter_rows(), NO_QUALIFICATION)
        of = {(value,): label for value, label in labels.of.items()}
        cells = mapped(cells, [raw], of, f"given.{name}", pl.String()).drop(raw)
        numbers = cells[f"given.{name}"].cast(pl.Float64, strict=False)
        if numbers.null_count() == cells[f"given.{name}"].null_count():
            cells = cells.with_columns(pl.when(numbers.is_finite()).then(numbers).alias(f"given.{name}"))
    by = [*groups, *(f"given.{name}" for name in names)]
    counted = cells.group_by(by).agg(pl.col("n").sum(), pl.col("n").filter(success).sum().alias("successes"))
    return counted.sort(by)


def attribute_labels(
    attributes: Sequence[Attribute], cells: pl.DataFrame, unknown: frozenset[str]
) -> dict[str, tuple[tuple[str, ...], Labels]]:
    """Return what the keys of each attribute are called."""
    return {attribute.name: (tuple(attribute.keys), attribute.labels(cells, unknown)) for attribute in attributes}
