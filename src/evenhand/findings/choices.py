"""Choices of one candidate out of several: who won, per item, and who stood for election."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.findings.units import Units, bare, units_from
from evenhand.measures import MeasureSet
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["MIRRORS", "Ballots", "Choices", "choices_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Column of items: were both mirrored prompts read, one of them, or is there but a single prompt?
MIRRORS = "mirrors"


@dataclass(frozen=True, kw_only=True)
class Ballots:
    """Parallel arrays with one entry per candidate of an observed choice.

    `item` numbers the item as in the units, `choice` the choice; `focal` says whether the candidate is of the
    group whose share is measured; `won` is 1 or 0, `size` how many candidates the choice
    had, `choices` how many observed choices the item had. `codes` and `levels` are those
    of `Units`, with the name that carries the groups among them. `rank` is NaN where the
    answer leaves the candidate out.
    """

    item: Ints
    choice: Ints
    focal: Mask
    won: Floats
    size: Floats
    choices: Floats
    rank: Floats
    codes: dict[str, Ints]
    levels: dict[str, tuple[str, ...]]

    def residual(self) -> Floats:
        """Return what each candidate won beyond an equal share of the choice."""
        return np.asarray(self.won - 1.0 / self.size)


@dataclass(frozen=True, kw_only=True)
class Choices:
    """Items scored by the share of their choices that fell on the focal group, and the ballots."""

    items: Units
    ballots: Ballots
    candidates: Units
    mixed: tuple[str, ...]
    focal_share: float | None


def choices_of(outcomes: pl.LazyFrame, declared: MeasureSet) -> Choices:
    """Return the choices of a table of outcomes with one row per candidate.

    A choice is the rows of one `set` and `attempt`. An item has the level of a column
    that all its candidates share, else none. `mixed` are the protected attributes that
    differ between the candidates of one choice, `focal_share` the mean share of
    candidates of the focal group.

    Raises
    ------
    InputError
        A declared column is missing, or there is no row.

    """
    assert declared.choice is not None
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    wanted = tuple(dict.fromkeys([*declared.columns(), *declared.choice]))
    for name in wanted:
        if name not in full:
            message = f"No column {name!r} in the outcomes. Columns: {', '.join(full)}."
            raise InputError(message)
    extra = [name for name in ("slot",) if name in full and name not in wanted]
    rows = outcomes.select(
        "item",
        "unit",
        pl.col("set").fill_null(pl.col("unit")).alias("set"),
        "attempt",
        (pl.col("status") == "observed").alias("observed"),
        pl.col("successes").fill_null(0),
        pl.col("rank").cast(pl.Float64),
        *(pl.col(full[name]).cast(pl.String).alias(f"in {name}") for name in [*wanted, *extra]),
    ).collect()
    if not rows.height:
        raise InputError("The table of outcomes has no rows.")
    focal = pl.all_horizontal(pl.col(f"in {name}") == level for name, level in declared.choice.items())
    rows = _with_choices(rows.with_columns(focal.fill_null(value=False).alias("focal")))
    items = _items(rows, declared)
    ballots = _ballots(rows.filter("observed"), items, [*wanted, *extra], declared.order)
    mixed = tuple(name for name in declared.groups if _differs(rows, f"in {name}"))
    share = rows.filter("observed")["focal"].mean()
    return Choices(
        items=items,
        ballots=ballots,
        candidates=_candidates(rows, [*wanted, *extra], declared.order),
        mixed=mixed,
        focal_share=share if isinstance(share, float) else None,
    )


def _with_choices(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with the number of their choice, and how many candidates it has."""
    key = pl.concat_str("item", "set", pl.col("attempt").cast(pl.String), separator="\x1e")
    codes = rows.select(key.cast(pl.Categorical).to_physical())[key.meta.output_name()].to_numpy().astype(np.int64)
    _, choice, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return rows.with_columns(pl.Series("choice", choice), pl.Series("size", counts[choice].astype(np.float64)))


def _differs(rows: pl.DataFrame, column: str) -> bool:
    """Return whether some choice has candidates with different levels of `column`."""
    return bool((rows.group_by("item", "set", "attempt").agg(pl.col(column).n_unique())[column] > 1).any())


def _items(rows: pl.DataFrame, declared: MeasureSet) -> Units:
    """Return one unit per item; its trials are the observed choices, its successes the focal wins."""
    kept = [name for name in declared.slice_columns() if name not in (declared.choice or {})]
    unanimous = [
        pl.when(pl.col(f"in {name}").n_unique() == 1).then(pl.col(f"in {name}").first()).alias(f"in {name}")
        for name in kept
    ]
    choice = rows.group_by("item", "set", "attempt", maintain_order=True).agg(
        (pl.col("successes") * pl.col("focal")).sum().alias("won"), pl.col("observed").first()
    )
    prompts = choice.group_by("item", "set").agg(pl.col("observed").any())
    mirrors = prompts.group_by("item").agg(
        pl.when(pl.len() == 1)
        .then(pl.lit("single"))
        .when(pl.col("observed").all())
        .then(pl.lit("both"))
        .otherwise(pl.lit("one"))
        .alias(f"in {MIRRORS}")
    )
    summed = choice.group_by("item", maintain_order=True).agg(
        (pl.col("won") * pl.col("observed")).sum().alias("successes"),
        pl.col("observed").sum().alias("trials"),
        pl.col("observed").sum().alias("observed"),
        pl.len().alias("attempts"),
    )
    factors = rows.group_by("item").agg(unanimous) if kept else rows.select("item").unique()
    frame = summed.join(factors, on="item", maintain_order="left").join(mirrors, on="item", maintain_order="left")
    return units_from(frame, columns=[*kept, MIRRORS], against=None, order=declared.order)


def _ballots(rows: pl.DataFrame, items: Units, columns: Sequence[str], order: Mapping[str, Sequence[str]]) -> Ballots:
    coded = _candidates(rows, columns, order)
    number = rows["item"].cast(pl.Enum(items.item_labels)).to_physical().cast(pl.Int64).to_numpy()
    choices = np.zeros(len(items.item_labels))
    choices[items.item] = items.observed
    return Ballots(
        item=number,
        choice=rows["choice"].to_numpy(),
        focal=rows["focal"].to_numpy(),
        won=rows["successes"].cast(pl.Float64).to_numpy(),
        size=rows["size"].to_numpy(),
        choices=choices[number],
        rank=rows["rank"].fill_null(float("nan")).to_numpy(),
        codes=coded.codes,
        levels=coded.levels,
    )


def _candidates(rows: pl.DataFrame, columns: Sequence[str], order: Mapping[str, Sequence[str]]) -> Units:
    """Return one unit per candidate and attempt."""
    frame = rows.select(
        "item",
        (pl.col("successes") * pl.col("observed")).alias("successes"),
        pl.col("observed").cast(pl.Int64).alias("trials"),
        pl.col("observed").cast(pl.Int64),
        pl.lit(1).alias("attempts"),
        *(pl.col(f"in {name}").cast(pl.Categorical) for name in columns),
    )
    if not frame.height:
        frame = frame.with_columns(pl.lit(1).alias("attempts"))
    return units_from(frame, columns=columns, against=None, order=order)
