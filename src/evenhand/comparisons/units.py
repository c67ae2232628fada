"""Outcomes summed to units, one score per judged person, and choices of one candidate out of several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.results.measures import MeasureSet
from evenhand.results.messages import listed, quoted
from evenhand.results.schemas import CONTEXT, PROTECTED

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

#: Column of items: whether both mirrored prompts were read, one of them, or there is a single prompt only.
MIRRORS = "mirrors"
#: A chance value this near to another value counts as equal to it.
BALANCED = 0.005
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Draw:
    """How many resamples and permutations are drawn, from which seed, and the level of confidence."""

    seed: int
    resamples: int
    permutations: int
    confidence: float = 0.95


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
        arrays: dict[str, Any] = {
            name: values[mask] for name, values in vars(self).items() if isinstance(values, np.ndarray)
        }
        return replace(self, **arrays, codes={name: code[mask] for name, code in self.codes.items()})

    def measured(self) -> "Units":
        """Return the units with at least one observed attempt."""
        return self.take(self.observed > 0)

    def groups(self, columns: Sequence[str]) -> list[dict[str, str]]:
        """Return the combinations of known levels of `columns` that occur."""
        _, rows = self.combined(columns)
        return [
            {name: self.levels[name][code] for name, code in zip(columns, row, strict=True)}
            for row in rows
            if (row >= 0).all()
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


def outcome_columns(outcomes: pl.LazyFrame, required: Sequence[str], *, aspect: str | None = None) -> dict[str, str]:
    """Return the columns of outcomes by their names without a prefix, or say which of the required ones is missing."""
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    if aspect is not None:
        full[aspect] = "aspect"
    for name in required:
        if name not in full:
            message = f"No column {quoted(name)} in the outcomes. Columns: {listed(full)}."
            raise InputError(message)
    return full


def coded(column: pl.Series, order: Sequence[str] = ()) -> tuple[Ints, tuple[str, ...]]:
    """Return a number per value, −1 for null, and the levels: those of `order` that are there, then by name."""
    present = set(column.unique().drop_nulls().cast(pl.String).to_list())
    first = [level for level in order if level in present]
    levels = (*first, *sorted(present.difference(first)))
    return column.cast(pl.Enum(levels)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy(), levels


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
    full = outcome_columns(outcomes, [*columns, *([against] if against else [])], aspect=aspect)
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
        codes[name], levels[name] = coded(rows[f"in {name}"], order.get(name, ()))
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


def is_balanced(chance: float, value: float = 0.5) -> bool:
    """Return whether a chance value is as good as `value`.

    >>> is_balanced(0.505), is_balanced(0.506)
    (True, False)
    """
    return abs(chance - value) <= BALANCED + ROUNDING


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

    @cached_property
    def residual(self) -> Floats:
        """Return what each candidate won beyond an equal share of the choice."""
        return np.asarray(self.won - 1.0 / self.size)

    @cached_property
    def beyond(self) -> Floats:
        """Return half of what focal candidates won beyond an equal share; of the others, minus that."""
        return np.where(self.focal, 0.5, -0.5) * self.residual


@dataclass(frozen=True, kw_only=True)
class Choices:
    """Items scored by the share of their choices that fell on the focal group, and the ballots."""

    items: Units
    ballots: Ballots
    candidates: Units
    mixed: tuple[str, ...]
    focal_share: float | None


def choices_of(outcomes: pl.LazyFrame, measured: MeasureSet) -> Choices:
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
    assert measured.choice is not None
    required = tuple(dict.fromkeys([*measured.columns(), *measured.choice]))
    full = outcome_columns(outcomes, required)
    columns = [*required, *(name for name in ("slot",) if name in full and name not in required)]
    candidates, choice, rank = _candidates(outcomes, {name: full[name] for name in columns}, measured)
    if not len(candidates):
        raise InputError("The table of outcomes has no rows.")
    focal = candidates.where(measured.choice)
    votes = _votes(candidates, choice, focal)
    items = _items(candidates, votes, measured)
    observed = candidates.observed > 0
    read = candidates.take(observed)
    size = np.bincount(choice.number)[choice.number]
    of_item = np.zeros(len(items.item_labels))
    of_item[items.item] = items.observed
    ballots = Ballots(
        item=read.item,
        choice=choice.number[observed],
        focal=focal[observed],
        won=read.successes,
        size=size[observed].astype(np.float64),
        choices=of_item[read.item],
        rank=rank[observed],
        codes=read.codes,
        levels=read.levels,
    )
    return Choices(
        items=items,
        ballots=ballots,
        candidates=candidates,
        mixed=tuple(name for name in measured.groups if _differs(choice.number, candidates.codes[name]).any()),
        focal_share=float(ballots.focal.mean()) if len(read) else None,
    )


@dataclass(frozen=True, kw_only=True)
class _Numbered:
    """The choice and the prompt of each candidate, by number; `first` is the first candidate of each choice."""

    number: Ints
    prompt: Ints
    first: Ints


@dataclass(frozen=True, kw_only=True)
class _Votes:
    """Arrays with one entry per choice."""

    item: Ints
    prompt: Ints
    observed: Mask
    won: Floats


def _candidates(
    outcomes: pl.LazyFrame, columns: Mapping[str, str], measured: MeasureSet
) -> tuple[Units, _Numbered, Floats]:
    """Return one unit per candidate and attempt, the choice that each is in, and their ranks."""
    observed = pl.col("status") == "observed"
    prompt = pl.col("set").fill_null(pl.col("unit"))
    rows = outcomes.select(
        "item",
        pl.when(observed).then(pl.col("successes").fill_null(0)).otherwise(0).alias("successes"),
        observed.cast(pl.Int64).alias("trials"),
        observed.cast(pl.Int64).alias("observed"),
        pl.lit(1, pl.Int64).alias("attempts"),
        pl.col("rank").cast(pl.Float64).fill_null(float("nan")),
        prompt.cast(pl.Categorical).to_physical().cast(pl.Int64).alias("prompt"),
        pl.col("attempt").rank("dense").cast(pl.Int64),
        *(
            pl.col(name).cast(pl.String).cast(pl.Categorical).alias(f"in {bare_name}")
            for bare_name, name in columns.items()
        ),
    ).collect()
    units = units_from(rows, columns=list(columns), against=None, order=measured.order)
    prompts = _numbers(units.item, rows["prompt"].to_numpy())
    number = _numbers(prompts, rows["attempt"].to_numpy())
    first = np.zeros(int(number.max(initial=-1)) + 1, dtype=np.int64)
    first[number[::-1]] = np.arange(number.size)[::-1]
    return units, _Numbered(number=number, prompt=prompts, first=first), rows["rank"].to_numpy()


def _numbers(codes: Ints, others: Ints) -> Ints:
    """Return a number from 0 per combination of two codes."""
    width = int(others.max(initial=0)) + 1
    return np.asarray(np.unique(codes * width + others, return_inverse=True)[1], dtype=np.int64)


def _differs(group: Ints, codes: Ints) -> Mask:
    """Return per group whether its members have different codes.

    >>> _differs(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 6])).tolist()
    [False, True]
    """
    first = np.zeros(int(group.max(initial=-1)) + 1, dtype=np.int64)
    first[group] = codes
    return np.asarray(np.bincount(group, weights=codes != first[group]) > 0)


def _votes(candidates: Units, choice: _Numbered, focal: Mask) -> _Votes:
    return _Votes(
        item=candidates.item[choice.first],
        prompt=choice.prompt[choice.first],
        observed=candidates.observed[choice.first] > 0,
        won=np.asarray(np.bincount(choice.number, weights=candidates.successes * focal), dtype=np.float64),
    )


def _items(candidates: Units, votes: _Votes, measured: MeasureSet) -> Units:
    """Return one unit per item; its trials are the observed choices, its successes the focal wins."""
    n = len(candidates.item_labels)
    first = np.zeros(n, dtype=np.int64)
    first[candidates.item] = np.arange(len(candidates))
    codes: dict[str, Ints] = {}
    levels: dict[str, tuple[str, ...]] = {}
    for name in measured.slice_columns():
        if name not in (measured.choice or {}):
            name_codes = candidates.codes[name]
            unanimous = np.where(_differs(candidates.item, name_codes), -1, name_codes[first])
            codes[name], levels[name] = _present(unanimous, candidates.levels[name])
    codes[MIRRORS], levels[MIRRORS] = _mirrors(votes, n)
    observed = np.bincount(votes.item, weights=votes.observed, minlength=n).astype(np.int64)
    trials = observed.astype(np.float64)
    won = np.bincount(votes.item, weights=votes.won * votes.observed, minlength=n)
    successes = np.asarray(won, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        score = np.where(trials > 0, successes / trials, np.nan)
    return Units(
        score=score,
        successes=successes,
        trials=trials,
        x=None,
        item=np.arange(n),
        item_labels=candidates.item_labels,
        number=np.arange(n),
        aspects=1,
        attempts=np.bincount(votes.item, minlength=n),
        observed=observed,
        codes=codes,
        levels=levels,
    )


def _present(codes: Ints, levels: Sequence[str]) -> tuple[Ints, tuple[str, ...]]:
    """Return codes and levels without those levels that no code has."""
    present = [code for code in range(len(levels)) if (codes == code).any()]
    renumbered = np.full(len(levels) + 1, -1)  # the last place is that of −1, unknown
    renumbered[present] = np.arange(len(present))
    return renumbered[codes], tuple(levels[code] for code in present)


def _mirrors(votes: _Votes, n: int) -> tuple[Ints, tuple[str, ...]]:
    """Return per item whether both of its mirrored prompts were read, one of them, or there is but one."""
    read = np.bincount(votes.prompt, weights=votes.observed) > 0
    of_item = np.zeros(read.size, dtype=np.int64)
    of_item[votes.prompt] = votes.item
    prompts = np.bincount(of_item, minlength=n)
    unread = np.bincount(of_item, weights=~read, minlength=n)
    codes = np.where(prompts == 1, 2, np.where(unread == 0, 0, 1))
    return _present(codes, ("both", "one", "single"))


@dataclass(frozen=True, kw_only=True)
class Clustered:
    """A cluster-robust interval, how many clusters of each kind vary, and its t test against 0 where it has one.

    Without limits `reason` says why.
    """

    low: float | None = None
    high: float | None = None
    clusters: dict[str, int]
    method: str
    t: float | None = None
    df: float | None = None
    p: float | None = None
    reason: str | None = None

    @property
    def limits(self) -> tuple[float, float] | None:
        """Both limits; None without them."""
        return None if self.low is None or self.high is None else (self.low, self.high)
