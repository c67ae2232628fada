"""Disclosure control by cell keys: the counts of a process as whoever may not see rows gets them.

Everybody decided on has a secret number (see monitoring/counts.py). The sum over the people of a cell is its key, and
key and count together choose by how much the count that is shown deviates: the same people are the same number on every
page, chart and export, and a count tells no more however often it is asked for. Deviations are at most MOST, 0 on
average, of variance VARIANCE, and otherwise as unpredictable as can be (maximum entropy); 0 stays 0. Cells that would
show fewer than FEWEST people have no numbers, since deviations alone would not protect those in them: whoever put all
numbers of a person together would know most outcomes. Which values, groups and stages are listed, and their order,
follows from shown counts alone. Only months that have ended are shown.

Fraser and Wooton (2005), A proposed method for confidentialising tabular output to protect against differencing;
Thompson, Broadfoot and Elazar (2013), Methodology for the automatic confidentialisation of statistical outputs from
remote servers at the Australian Bureau of Statistics; Giessing (2016), Computational issues in the design of transition
probabilities and disclosure risk estimation for additive noise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from math import ceil
from threading import Lock
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons.impact_cells import design_effect_of
from evenhand.monitoring.counts import KEYS, cell_secret, secret_number
from evenhand.monitoring.state import (
    NUMBERS,
    counts_version,
    decided_people,
    late_batches,
    month_name,
    month_number,
    monthly_counts,
    stage_cutoff,
)
from evenhand.monitoring.store import Store, opened_store
from evenhand.results.schemas import BREAKDOWN, PROTECTED, RECRUITER

#: From so many people with several decisions at a place a design effect is estimated; of fewer it is the largest that
#: there can be. It is published in these steps, rounded up.
FEWEST_REPEATED: Final = 100
EFFECT_STEP: Final = 0.1
#: The largest deviation of a count, the variance of deviations, and the least count other than 0 that is shown.
MOST: Final = 4
VARIANCE: Final = 3.0
LEAST: Final = 3
#: Cells of fewer people, as they would be shown, have neither counts nor a ratio.
FEWEST: Final = 20
#: Measures of a day, such as a median score, are shown of so many judgements and more.
FEWEST_OF_A_DAY: Final = 5
#: Labels of null, and of the values of fewer than FEWEST people or beyond MOST_VALUES or MOST_GROUPS.
NOT_KNOWN, OTHER = "not known", "other"
#: Values of a breakdown and groups of an attribute that are listed, the largest ones; of more the rest is 'other'.
MOST_VALUES: Final = 40
MOST_GROUPS: Final = 12
MONTH: Final = "month"
#: Months of spans that have a number of their own; others are added up from these.
_SPANS: Final = (12, 6, 3, 1)

Ints = NDArray[np.int64]


@cache
def deviations() -> NDArray[np.float64]:
    """Return the probability of each deviation, from -MOST to MOST, of the counts from 0 on; the last is of all above.

    >>> chances = deviations()
    >>> chances[1].round(2).tolist()  # a 1 is shown as 0, 3, 4 or 5
    [0.0, 0.0, 0.0, 0.74, 0.0, 0.0, 0.11, 0.08, 0.07]
    """
    steps = np.arange(-MOST, MOST + 1)
    rows = [np.where(steps == 0, 1.0, 0.0)]
    for count in range(1, MOST + LEAST + 1):
        shown = count + steps
        values = steps[(shown == 0) | (shown >= LEAST)].astype(np.float64)
        conditions = np.stack([values, values**2 - VARIANCE])
        weights = np.zeros(2)
        for _ in range(100):  # Newton's method: of all distributions with this mean and variance that of most entropy
            chances = np.exp(weights @ conditions)
            chances /= chances.sum()
            gap = conditions @ chances
            curvature = (conditions * chances) @ conditions.T - np.outer(gap, gap)
            weights -= np.linalg.solve(curvature, gap)
        row = np.zeros(steps.size)
        row[values.astype(np.int64) + MOST] = chances
        rows.append(row)
    return np.array(rows)


def shown_counts(counts: Ints, keys: Ints, secret: int) -> Ints:
    """Return counts with the deviations that their keys choose.

    >>> shown_counts(np.array([0, 0, 1, 2, 100]), np.array([0, 7, 7, 7, 7]), 1).tolist()
    [0, 0, 3, 3, 101]
    """
    chances = deviations()
    # The finalizer of splitmix64 (Steele, Lea and Flood 2014): sums of keys are related, what it makes of them is not.
    mixed = (keys.astype(np.uint64) + np.uint64(secret)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    uniform = (mixed >> np.uint64(11)) / float(1 << 53)
    cumulative = np.cumsum(chances, axis=1)[:, :-1]
    below = uniform[..., np.newaxis] >= cumulative[np.minimum(counts, len(chances) - 1)]
    return np.asarray(counts + below.sum(axis=-1) - MOST)


def spans_of(first: int, last: int, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the spans of whole years, halves, quarters and months that months are added up from, or the one of all.

    `begin` and `end` are the first and the last month that there are.

    >>> march = month_number("2025-03")
    >>> [b - a + 1 for a, b in spans_of(march, march + 12, march - 9, march + 20)]
    [1, 3, 6, 3]
    """
    if first <= begin and last >= end:
        return [(begin, end)]
    spans, at = [], first if first > begin else begin - begin % 12
    while at <= last:
        months = next(months for months in _SPANS if at % months == 0 and at + months - 1 <= last)
        spans.append((at, at + months - 1))
        at += months
    return [span for span in spans if span[1] >= begin and span[0] <= end]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell of a table: its stage, the group of each attribute, its value of the breakdown, and both counts.

    Of `fewest` people and more there is a ratio. `withheld`: its counts, 0 here, are not published, as they would show
    fewer than FEWEST people, or none.
    """

    stage: str
    groups: tuple[str, ...]
    value: str
    decided: int
    selected: int
    fewest: int = FEWEST
    withheld: bool = False

    @property
    def rate(self) -> float | None:
        """Return the share that was selected."""
        return self.selected / self.decided if self.decided else None

    @property
    def comparable(self) -> bool:
        """Return whether the group is known and has enough people for a ratio."""
        return NOT_KNOWN not in self.groups and self.decided >= self.fewest


@dataclass(frozen=True, kw_only=True, eq=False)
class Counts:
    """The counts of a process by month, with their keys: `published` those of months that have ended, or exact ones.

    `groups` and `values` name what lies along the axes of tables; the stage that most people reached is the first.
    `rows` have values of few people, or beyond the largest, as 'other', `uncut` as they are. `people` are the single
    decisions behind them (see `decided_people`), where all were recorded with a unit; `known_effects` are those
    computed before.
    """

    rows: pl.DataFrame
    uncut: pl.DataFrame
    stages: Sequence[str]
    groups: Mapping[str, Sequence[str]]
    values: Mapping[str, Sequence[str]]
    secret: int
    published: bool
    people: pl.DataFrame | None = None
    first: str = ""
    last: str = ""
    known_effects: dict[tuple[object, ...], Mapping[str, float]] = field(default_factory=dict)

    @property
    def months(self) -> Sequence[str]:
        """Return the months from the first to the last, those without decisions included."""
        known = self.values.get(MONTH, ())
        ends = (month_number(known[0]), month_number(known[-1])) if known else (0, -1)
        return [month_name(number) for number in range(ends[0], ends[1] + 1)]

    @property
    def crossings(self) -> list[tuple[str, ...]]:
        """Return the attributes, and every two of them."""
        return [*((name,) for name in self.groups), *combinations(self.groups, 2)]

    @property
    def cutoffs(self) -> list[float]:
        """Return the cut-offs."""
        return sorted({cutoff for _, cutoff in map(stage_cutoff, self.stages) if cutoff is not None})

    def named(self, slice_: Mapping[str, str]) -> dict[str, str]:
        """Return a slice, such as that of an alarm, with values that may not be named as 'other'."""
        known = {name.partition(".")[2]: () for name in self.rows.columns} | {"stage": self.stages}
        known |= {**self.groups, **self.values}
        return {name: level if level in known.get(name, [level]) else OTHER for name, level in slice_.items()}

    def stages_at(self, cutoff: float | None = None) -> dict[str, str]:
        """Return the stages by scores above a cut-off, or as they were decided, with their names in the rows."""
        found = {name: stage_cutoff(name) for name in self.stages}
        return {stage: name for name, (stage, own) in found.items() if own == cutoff}

    @property
    def spans(self) -> list[tuple[str, str]]:
        """Return the spans whose counts are added up."""
        months = self.months
        if not months or not self.published:
            return [("", "9")]
        chosen = (month_number(self.first or months[0]), month_number(self.last or months[-1]))
        spans = spans_of(*chosen, month_number(months[0]), month_number(months[-1]))
        return [(month_name(first), month_name(last)) for first, last in spans]

    @property
    def noise(self) -> float:
        """Return the variance of the deviations of each count."""
        return VARIANCE * len(self.spans) if self.published else 0.0

    def cells(self, crossed: Sequence[str] = (), by: str = "", *, cutoff: float | None = None) -> list[Cell]:
        """Return the cells of a table in order, those without people included.

        With a `cutoff` of `cutoffs` selected are those whose score is above it, of those who have one.
        """
        stages = self.stages_at(cutoff)
        axes = {"stage": list(stages.values()), **{PROTECTED + name: self.groups[name] for name in crossed}}
        axes |= {BREAKDOWN + by: self.values[by]} if by else {}
        if by == MONTH:
            axes[BREAKDOWN + by] = [month for month in self.months if self.first <= month <= (self.last or "9")]
        month = pl.col(BREAKDOWN + MONTH) if self.months else pl.lit("")
        within = month.is_between(pl.lit(self.first), pl.lit(self.last or "9"))
        rows = self.rows.filter(within, *(pl.col(name).is_in(levels) for name, levels in axes.items()))
        # A month has a number of its own, whichever months are chosen.
        spans = [("", "9")] if by == MONTH else self.spans
        total = np.zeros((2, *map(len, axes.values())), dtype=np.int64)
        withheld = np.zeros(total.shape[1:], dtype=bool)
        for first, last in spans:
            summed = rows.filter(month.is_between(pl.lit(first), pl.lit(last))).group_by(list(axes))
            numbers = summed.agg(pl.col(name).sum() for name in NUMBERS)
            places = tuple(_places(numbers[name], levels) for name, levels in axes.items())
            counts, keys = numbers.select(NUMBERS).to_numpy().T.reshape(2, 2, -1)
            counts = shown_counts(counts, keys % KEYS, self.secret) if self.published else counts
            of_span = np.zeros_like(total)
            for of_kind, shown in zip(of_span, counts, strict=True):
                of_kind[places] = shown
            total += of_span
            # Of any span: a sum minus its other parts is the count of a part.
            withheld |= self.published & (of_span[0] < FEWEST)
        total[:, withheld] = 0
        labels = [list(stages), *list(axes.values())[1:], *([] if by else [[""]])]
        numbers_of = np.stack([total[0], np.minimum(total[1], total[0]), withheld]).reshape(3, -1).T.tolist()
        of_all = {"fewest": FEWEST if self.published else 1}
        return [
            Cell(
                stage=stage,
                groups=tuple(of),
                value=value,
                decided=decided,
                selected=selected,
                withheld=bool(few),
                **of_all,
            )
            for (stage, *of, value), (decided, selected, few) in zip(product(*labels), numbers_of, strict=True)
        ]

    def by_person(self, crossed: Sequence[str], by: str = "") -> pl.DataFrame | None:
        """Return the decisions of each person in the cells of a table, exactly; None where that may not be known."""
        if self.published or self.people is None:
            return None
        months = pl.col(BREAKDOWN + MONTH).is_between(pl.lit(self.first), pl.lit(self.last or "9"))
        return self._by_person(self.people.filter(months), crossed, by)

    def _by_person(self, people: pl.DataFrame, crossed: Sequence[str], by: str) -> pl.DataFrame:
        """Return rows with the stage, the value of the breakdown as position, groups, unit, n and successes."""
        levels = {PROTECTED + name: self.groups[name] for name in crossed}
        levels |= {BREAKDOWN + by: self.values[by]} if by else {}
        known = people.filter(pl.col("selected").is_not_null()).with_columns(
            pl.col(name).replace("", None).fill_null(NOT_KNOWN) for name in levels
        )
        return (
            known.with_columns(
                pl.when(pl.col(name).is_in(of)).then(name).otherwise(pl.lit(OTHER)).alias(name)
                for name, of in levels.items()
            )
            .with_columns(position=pl.col(BREAKDOWN + by) if by else pl.lit(""))
            .group_by("stage", "position", *(PROTECTED + name for name in crossed), "unit")
            .agg(n=pl.len().cast(pl.Int64), successes=pl.col("selected").sum())
        )

    def effects(self, crossed: Sequence[str], by: str = "", *, cutoff: float | None = None) -> Mapping[str, float]:
        """Return by stage how many times as large variances are as those of people with one decision each.

        Nothing of exact counts, and where people aren't known. It is that of all months and all cells of a table
        together, in steps: so many people stand behind each number that it tells of none.
        """
        if not self.published or self.people is None or not crossed:
            return {}
        key = (tuple(crossed), by, cutoff)
        if key not in self.known_effects:
            above = (pl.col("score") > (cutoff or 0.0)).cast(pl.Int64)
            people = self.people if cutoff is None else self.people.with_columns(selected=above)
            groups = [PROTECTED + name for name in crossed]
            known = self._by_person(people, crossed, by).filter(pl.all_horizontal(pl.col(groups) != NOT_KNOWN))
            cells = known.with_columns(
                group=pl.struct(groups).rank("dense"), cell=pl.struct("position", *groups).rank("dense")
            )
            self.known_effects[key] = {
                str(stage): published_effect(of) for (stage,), of in cells.partition_by("stage", as_dict=True).items()
            }
        return self.known_effects[key]


def published_effect(decisions: pl.DataFrame) -> float:
    """Return `design_effect_of` the decisions of people, rounded up.

    >>> cells = {"cell": [1] * 400, "group": [1] * 400, "n": [2] * 400}
    >>> published_effect(pl.DataFrame(cells | {"successes": [2, 0, 1, 1] * 100}))
    1.1
    """
    effect = design_effect_of(decisions, fewest=FEWEST_REPEATED)
    return round(ceil(effect / EFFECT_STEP - 1e-9) * EFFECT_STEP, 1)


def _places(column: pl.Series, levels: Sequence[str]) -> Ints:
    return np.array([*map({level: place for place, level in enumerate(levels)}.get, column)], dtype=np.int64)


def counts_of(rows: pl.DataFrame, *, secret: int, published: bool = True, people: pl.DataFrame | None = None) -> Counts:
    """Return counts from rows of `monthly_counts`, and from those of `decided_people`.

    >>> rows = {"stage": ["", ""], "decided": [39, 27], "selected": [3, 6]}
    >>> rows |= {"decided_key": [5, 6], "selected_key": [1, 2]}
    >>> counts = counts_of(pl.DataFrame(rows | {"protected.gender": ["f", "m"]}), secret=1)
    >>> [(cell.groups, cell.decided, cell.selected) for cell in counts.cells(["gender"])]
    [(('f',), 38, 3), (('m',), 25, 3)]
    """
    names = [name for name in rows.columns if name.startswith((PROTECTED, BREAKDOWN))]
    uncut = rows.with_columns(pl.col(name).replace("", None).fill_null(NOT_KNOWN) for name in names)
    least = FEWEST if published else 0

    def levels_of(name: str, rows: pl.DataFrame) -> list[str]:
        """Return the levels that may be named, those of most people, as they are shown at one stage, first."""
        sums = rows.group_by({"stage", name}).agg(pl.col("decided", "decided_key").sum())
        if published:
            counts, keys = sums.select("decided", "decided_key").to_numpy().T
            sums = sums.with_columns(decided=shown_counts(counts, keys % KEYS, secret))
        sizes = sums.group_by(name).agg(pl.col("decided").max()).filter(pl.col("decided") >= least)
        return sizes.sort(["decided", name], descending=[True, False])[name].to_list()

    known, levels = uncut, {}
    for name in names:
        if name == BREAKDOWN + MONTH:
            levels[name] = known[name].unique().sort().to_list()
            continue
        most = MOST_GROUPS if name.startswith(PROTECTED) else MOST_VALUES
        named = [level for level in levels_of(name, known) if level != NOT_KNOWN]
        alone = pl.col(name).is_in([*(named if len(named) <= most else named[: most - 1]), NOT_KNOWN])
        known = known.with_columns(pl.when(alone).then(name).otherwise(pl.lit(OTHER)).alias(name))
        levels[name] = sorted(levels_of(name, known), key=lambda level: (level in {OTHER, NOT_KNOWN}, level))

    def axes(prefix: str) -> dict[str, Sequence[str]]:
        return {name.removeprefix(prefix): of for name, of in levels.items() if of and name.startswith(prefix)}

    return Counts(
        rows=known,
        uncut=uncut,
        stages=levels_of("stage", uncut),
        groups=axes(PROTECTED),
        values={"": [""]} | axes(BREAKDOWN),
        secret=secret,
        published=published,
        people=people,
    )


@dataclass(frozen=True, kw_only=True)
class Processes:
    """The counts of processes, read anew when more is recorded: of published months, late or as another has ended.

    `cutoffs` of scores are published in addition to the decisions.
    """

    cutoffs: tuple[float, ...] = ()
    known: dict[tuple[str, str, bool], tuple[tuple[object, ...], Counts]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def of(self, place: str, model: str, *, published: bool = True) -> Counts:
        """Return the counts of a process; published ones are of the months that have ended (UTC)."""
        with opened_store(place) as store:
            return self.within(store, model, published=published)

    def within(self, store: Store, model: str, *, published: bool) -> Counts:
        """Return the counts of a process of an open store."""
        place, month = (store.place, model, published), store.clock().strftime("%Y-%m")
        with self.lock:
            version = (month, late_batches(store, model)) if published else (counts_version(store, model),)
            known = self.known.get(place)
            if known is None or known[0] != version:
                rows, people = monthly_counts(store, model, self.cutoffs), decided_people(store, model)
                if published:
                    ended = pl.col(BREAKDOWN + MONTH) < month
                    rows = rows.filter(ended).drop(RECRUITER, strict=False)
                    people = None if people is None else people.filter(ended)
                secret = secret_number(cell_secret(store), "shown")
                counts = counts_of(rows, secret=secret, published=published, people=people)
                known = self.known[place] = version, counts
            return known[1]
