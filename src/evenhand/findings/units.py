"""Outcomes summed to units: one score per judged person, ready for arithmetic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.tables.messages.quoting import listed, quoted
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["Units", "bare", "distinct", "units_from", "units_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Units:
    """Parallel arrays with one entry per unit.

    `score` is successes / trials over the unit's observed attempts, NaN where there was
    no trial, or the mean of their scores; `successes` and `trials` are their sums. `x` is the covariate (NaN where
    unknown) or None; `item` numbers the sampled items, whose names are `item_labels`;
    `attempts` and `observed` count attempts. `codes` number the levels of each
    categorical column, −1 for unknown. A unit that is judged in several `aspects` has a
    row per aspect; `number` tells units apart.
    """

    score: Floats
    successes: Floats
    trials: Floats
    x: Floats | None
    item: Ints
    item_labels: pl.Series
    number: Ints
    aspects: int
    attempts: Ints
    observed: Ints
    codes: dict[str, Ints]
    levels: dict[str, tuple[str, ...]]

    def __len__(self) -> int:
        """Return the number of units."""
        return int(self.score.size)

    def where(self, values: Mapping[str, str]) -> Mask:
        """Return which units have all of `values`."""
        mask = np.ones(len(self), dtype=bool)
        for column, level in values.items():
            known = self.levels[column]
            mask &= self.codes[column] == (known.index(level) if level in known else -2)
        return mask

    def take(self, mask: Mask) -> "Units":
        """Return the units that `mask` keeps."""
        if mask.all():
            return self
        return Units(
            score=self.score[mask],
            successes=self.successes[mask],
            trials=self.trials[mask],
            x=None if self.x is None else self.x[mask],
            item=self.item[mask],
            item_labels=self.item_labels,
            number=self.number[mask],
            aspects=self.aspects,
            attempts=self.attempts[mask],
            observed=self.observed[mask],
            codes={name: code[mask] for name, code in self.codes.items()},
            levels=self.levels,
        )

    def measured(self) -> "Units":
        """Return the units with at least one observed attempt."""
        return self.take(self.observed > 0)

    def groups(self, columns: Sequence[str]) -> list[dict[str, str]]:
        """Return the combinations of known levels of `columns` that occur."""
        _, rows = self.combined(columns)
        return [
            {name: self.levels[name][code] for name, code in zip(columns, finding, strict=True)}
            for finding in rows
            if (finding >= 0).all()
        ]

    def combined(self, columns: Sequence[str]) -> tuple[Ints, Ints]:
        """Return a code per unit for the combination of columns, and the codes of each combination.

        The second array has one row per combination that occurs and one column per name.
        """
        if not columns:
            return np.zeros(len(self), dtype=np.int64), np.zeros((1, 0), dtype=np.int64)
        code = np.zeros(len(self), dtype=np.int64)
        for name in columns:
            code = code * (len(self.levels[name]) + 1) + self.codes[name] + 1
        unique, inverse = np.unique(code, return_inverse=True)
        rows = np.empty((unique.size, len(columns)), dtype=np.int64)
        for place, name in reversed(list(enumerate(columns))):
            unique, rows[:, place] = np.divmod(unique, len(self.levels[name]) + 1)
        return inverse, rows - 1


def distinct(codes: Ints) -> int:
    """Return how many different codes there are; counting is faster than sorting.

    >>> distinct(np.array([3, 0, 3]))
    2
    """
    return int(np.count_nonzero(np.bincount(codes))) if codes.size else 0


def bare(column: str) -> str:
    """Return a column's name without its prefix."""
    return column.removeprefix(PROTECTED).removeprefix(CONTEXT)


def units_of(
    outcomes: pl.LazyFrame,
    *,
    columns: Sequence[str],
    against: str | None,
    order: Mapping[str, Sequence[str]] = MappingProxyType({}),
    aspect: str | None = None,
    scored: bool = False,
) -> Units:
    """Return the units of a table of outcomes, their columns by bare name.

    Levels come in `order` where it names them, then by name. `aspect` is the bare name
    under which the column `aspect` is known. With `scored`, a judgement counts as its score.

    Raises
    ------
    InputError
        A column is in neither the protected nor the context columns, or no row is there.

    """
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    if aspect is not None:
        full[aspect] = "aspect"
    for name in [*columns, *([against] if against else [])]:
        if name not in full:
            message = f"No column {quoted(name)} in the outcomes. Columns: {listed(full)}."
            raise InputError(message)
    observed = pl.col("status") == "observed"
    carried = [pl.col(full[name]).cast(pl.String).cast(pl.Categorical).alias(f"in {name}") for name in columns]
    if against:
        carried.append(pl.col(full[against]).cast(pl.Float64).alias("x"))
    rows = outcomes.select(
        "unit",
        "item",
        pl.when(observed).then("score" if scored else "successes").otherwise(0).alias("successes"),
        pl.when(observed).then(pl.lit(1) if scored else pl.col("trials")).otherwise(0).alias("trials"),
        observed.alias("observed"),
        *carried,
    ).collect()
    if not rows.height:
        raise InputError("The table of outcomes has no rows.")
    keys = ["item", "unit", *([f"in {aspect}"] if aspect is not None else [])]
    return units_from(_summed(rows, carried, keys), columns=columns, against=against, order=order, aspect=aspect)


def _summed(rows: pl.DataFrame, carried: Sequence[pl.Expr], keys: Sequence[str]) -> pl.DataFrame:
    """Return one row per unit and aspect."""
    if rows["unit"].n_unique() == rows.height:
        return rows.with_columns(pl.lit(1).alias("attempts"))
    names = [name for expression in carried if (name := expression.meta.output_name()) not in keys]
    first = [pl.col(name).first() for name in names]
    return rows.group_by(*keys, maintain_order=True).agg(
        pl.col("successes").sum(), pl.col("trials").sum(), pl.col("observed").sum(), pl.len().alias("attempts"), *first
    )


def units_from(
    rows: pl.DataFrame,
    *,
    columns: Sequence[str],
    against: str | None,
    order: Mapping[str, Sequence[str]],
    aspect: str | None = None,
) -> Units:
    """Return the arrays of rows with `item, successes, trials, attempts, observed, in <column> …, x`."""
    trials = rows["trials"].to_numpy().astype(np.float64)
    successes = rows["successes"].to_numpy().astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        score = np.where(trials > 0, successes / trials, np.nan)
    codes, levels = {}, {}
    for name in columns:
        column = rows[f"in {name}"]
        present = set(column.cast(pl.String).unique().drop_nulls().to_list())
        first = [level for level in order.get(name, ()) if level in present]
        found = first + sorted(present.difference(first))
        enum = column.cast(pl.Enum(found)).to_physical().cast(pl.Int64).fill_null(-1)
        codes[name], levels[name] = enum.to_numpy(), tuple(found)
    # Ranks are the codes of sorted labels, without a dictionary of them.
    item = rows["item"].rank("dense").cast(pl.Int64).to_numpy() - 1
    place = np.zeros(int(item.max(initial=-1)) + 1, dtype=np.int64)
    place[item] = np.arange(item.size)
    item_labels = rows["item"].gather(place)
    number = np.arange(rows.height)
    if aspect is not None:
        number = rows["unit"].cast(pl.Categorical).to_physical().cast(pl.Int64).to_numpy()
    return Units(
        score=score,
        successes=successes,
        trials=trials,
        x=rows["x"].fill_null(float("nan")).to_numpy() if against else None,
        item=item,
        item_labels=item_labels,
        number=number,
        aspects=len(levels[aspect]) if aspect is not None else 1,
        attempts=rows["attempts"].cast(pl.Int64).to_numpy(),
        observed=rows["observed"].cast(pl.Int64).to_numpy(),
        codes=codes,
        levels=levels,
    )
