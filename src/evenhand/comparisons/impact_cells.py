"""Counts of applicants as matrices, and the reference that each group is compared with.

`cells_of` makes the matrices: one row per decision, one column per group, with clusters of people where given.
`References` and `reference_groups` choose the reference; `floors_of` and `floor_notes` report which groups were too
small for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.data.applicant_query import CountBounds
from evenhand.data.group_labels import unsure_labels
from evenhand.errors import InputError, flag, option_text
from evenhand.results.applicant_audit import FloorNote
from evenhand.results.finding import Finding, ImpactRatio, MeanRatio, PassedOver, copied
from evenhand.results.finding import Floor as FloorDetails
from evenhand.results.messages import listed, shortened
from evenhand.results.schemas import BOTTOM_LINE, CROSSED, CUTOFF, PROTECTED, SELECTED, WHOLE
from evenhand.stats.special import stdtr

if TYPE_CHECKING:
    from evenhand.comparisons import units

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The keys of a decision, besides the groups.
KEYS = ("approach", "cutoff", "stage", "position")
HIGHEST, LARGEST = "highest", "largest"
#: A group below this share of the applicants, or of fewer people, is no reference: its rate is noise.
REFERENCE_FLOOR, FLOOR_PEOPLE = 0.02, 30
#: The rule's ratio, and the one that a ratio must be shown to lie above where none is given.
FOUR_FIFTHS = MARGIN = float(stats.FOUR_FIFTHS)
#: 6 RCNY 5-301(d): a category below this share of the data may be left out of the impact ratios.
SMALLEST_SHARE = 0.02
#: Groups named in a note; the others are counted.
_MOST_NAMED = 3


#: Why there is no estimate where counts are not shown, and how its bounds are computed.
SUPPRESSED = "Counts are suppressed (--suppressed): bounds, no estimate; significance is not judged."
BOUNDED = "bounds over the counts that are not shown; no sampling error"
#: The verdict of the four-fifths rule where some possible counts are below and others are not.
NOT_DETERMINED = "not_determined"
UNFOLLOWED = "There is no bottom line by clusters; with --unit COLUMN people are followed from stage to stage."


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """The people of clusters: an entry per cell, group and cluster, sorted by cell.

    `n` are the people, `total` is the sum of their values: selected ones, or scores; both are sums of weights where
    they are `weighted`. `codes` has the cluster of each
    entry for each of `names`.
    """

    names: tuple[str, ...]
    cell: Ints
    group: Ints
    n: Floats
    total: Floats
    codes: tuple[Ints, ...]
    weighted: bool = False

    def compared(self, pairs: "Pairs", *, binary: bool, level: Floats, confidence: float) -> "stats.ClusterComparisons":
        """Return, for each row, focal against reference group of its cell; rows are in the order of cells.

        A cell has one reference group. `level` is the level of each row's p.
        """
        cell, focal, reference = pairs.cell, pairs.focal, pairs.against
        cells, groups = (int(values.max(initial=-1)) + 1 for values in (np.append(self.cell, cell), self.group))
        groups = max(groups, int(focal.max(initial=-1)) + 1, int(reference.max(initial=-1)) + 1)
        row_of = np.full((cells, groups), -1, dtype=np.int64)
        row_of[cell, focal] = np.arange(cell.size)
        reference_of = np.full(cells, -1, dtype=np.int64)
        reference_of[cell] = reference
        rows = row_of[self.cell, self.group]
        of_focal = np.flatnonzero(rows >= 0)
        of_reference = np.flatnonzero(self.group == reference_of[self.cell])
        # The reference's entries serve every row of their cell.
        first, number = np.searchsorted(cell, np.arange(cells)), np.bincount(cell, minlength=cells)
        times = number[self.cell[of_reference]]
        repeated = np.repeat(of_reference, times)
        within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        entries = np.concatenate([of_focal, repeated])
        return stats.compare_clusters(
            np.concatenate([rows[of_focal], first[self.cell[repeated]] + within]),
            np.arange(entries.size) < of_focal.size,
            self.total[entries],
            self.n[entries],
            [codes[entries] for codes in self.codes],
            binary=binary,
            comparisons=cell.size,
            level=level,
            confidence=confidence,
        )

    def common_odds_ratio(
        self, strata: Ints, group: int, against: int, *, confidence: float = 0.95
    ) -> "stats.ClusteredMantelHaenszel":
        """Return the odds ratio that two groups have in common over cells; of two ways the one with the larger p."""
        entries = np.flatnonzero(np.isin(self.cell, strata) & np.isin(self.group, (group, against)))
        columns = self.cell[entries], self.group[entries] == group, self.total[entries], self.n[entries]
        results = [
            stats.clustered_mantel_haenszel(
                columns[0], codes[entries], *columns[1:], confidence=confidence,
            )
            for codes in self.codes
        ]  # fmt: skip
        return max(results, key=lambda result: 2.0 if result.p is None else result.p)

    def common_ratio_above(self, strata: Ints, group: int, against: int, *, margin: float) -> "stats.CommonRatioAbove":
        """Return whether the ratio that two groups have in common over cells lies above a margin; it has no interval.

        The difference of rates within cells is tested with the reference's rates times the margin.
        """
        entries = np.flatnonzero(np.isin(self.cell, strata) & np.isin(self.group, (group, against)))
        of_focal = self.group[entries] == group
        total, n, cell = self.total[entries], self.n[entries], self.cell[entries]
        results = [
            stats.within_blocks(
                cell, codes[entries], of_focal, np.where(of_focal, total, margin * total), n, binary=False
            )
            for codes in self.codes
        ]
        worst = min(results, key=lambda result: -np.inf if result.t is None else result.t)
        return stats.CommonRatioAbove(
            estimate=stats.common_ratio(cell, of_focal, total, n),
            low=None,
            high=None,
            statistic=worst.t,
            p=None if worst.t is None or worst.df is None else float(stdtr(worst.df, -worst.t)),
            test=f"{worst.test or 'CR2 t'} of the difference from the margin",
            reason=worst.reason,
        )

    def counted(self, cell: int, groups: Sequence[int]) -> dict[str, int]:
        """Return how many clusters of each kind hold anybody of some groups of a cell."""
        entries = self._entries(cell)
        inside = np.isin(self.group[entries], groups)
        return {
            name: int(np.unique(codes[entries][inside]).size)
            for name, codes in zip(self.names, self.codes, strict=True)
        }

    def rate(self, cell: int, group: int, *, confidence: float = 0.95) -> "units.Clustered":
        """Return the interval of a group's selection rate."""
        from evenhand.comparisons.units import Clustered  # noqa: PLC0415 - only clusters need it

        entries = self._entries(cell)
        of_group = self.group[entries] == group
        n, total = self.n[entries][of_group], self.total[entries][of_group]
        if not n.sum():
            return Clustered(clusters={}, method="none", reason=UNFOLLOWED)
        rate = float(total.sum() / n.sum())
        influence, codes = (total - rate * n) / n.sum(), [cluster[entries][of_group] for cluster in self.codes]
        variance = stats.multiway_variance(influence, codes)
        largest = max(float(np.abs(np.bincount(cluster, influence)).max()) for cluster in codes)
        spread = np.nan if variance.variance is None else variance.variance
        interval = stats.clustered_rate(rate, spread, min(variance.clusters), largest=largest, confidence=confidence)
        return Clustered(
            **copied(interval, "low high"),
            clusters=dict(zip(self.names, variance.clusters, strict=True)),
            method=f"{interval.method}, {self.robust}",
            reason=variance.reason or interval.reason,
        )

    @property
    def label(self) -> str:
        """The columns of the clusters as methods name them."""
        return " × ".join(self.names)

    @property
    def ratio_method(self) -> str:
        """How the interval of a ratio is computed."""
        return f"{self.robust}, CR2, log ratio"

    @property
    def robust(self) -> str:
        """By what variances are robust."""
        return f"{'weighted, ' * self.weighted}cluster-robust by {self.label}"

    def _entries(self, cell: int) -> slice:
        start, end = np.searchsorted(self.cell, (cell, cell + 1))
        return slice(int(start), int(end))


def clusters_of(entries: pl.DataFrame, value: str, names: Sequence[str]) -> Clusters:
    """Return the clusters of rows with `cell`, `group`, n, the sum `value` and a column of codes for each name."""
    ordered = entries.sort("cell", "group")
    return Clusters(
        names=tuple(names),
        cell=ordered["cell"].to_numpy().astype(np.int64),
        group=ordered["group"].to_numpy().astype(np.int64),
        n=ordered["n"].to_numpy().astype(np.float64),
        total=ordered[value].to_numpy().astype(np.float64),
        codes=tuple(ordered[f"cluster_{place}"].to_numpy().astype(np.int64) for place in range(len(names))),
        weighted=entries["n"].dtype.is_float(),
    )


def design_effect_of(decisions: pl.DataFrame, *, fewest: int) -> float:
    """Return the design effect of decisions: a row for each person in a cell, with its group, n and successes.

    How alike decisions on one person are is that of all cells together; how many there are is that of the group with
    most, of groups in which 30 people have several. Where fewer than `fewest` do, decisions on one person are taken as
    alike: what so few show could be of one of them.

    >>> cells = {"cell": [1] * 400, "group": [1] * 400, "n": [2] * 400}
    >>> decisions = pl.DataFrame(cells | {"successes": [2, 0, 1, 1] * 100})
    >>> [round(design_effect_of(some, fewest=100), 4) for some in (decisions, decisions.head(40))]
    [1.0013, 2.0]
    """
    effect = stats.design_effect(*decisions.select("cell", "successes", "n").to_numpy().T)
    alike = 1.0
    if effect.estimate is not None and effect.repeated >= fewest:
        alike = min(max((effect.estimate - 1) / (effect.most - 1), 0.0), 1.0)
    n = pl.col("n")
    sizes = decisions.group_by("group").agg(most=(n**2).sum() / n.sum(), repeated=(n > 1).sum())
    most = sizes.filter(pl.col("repeated") >= FLOOR_PEOPLE)["most"].to_list()
    return float(1 + alike * (max(effect.most, *most, 1.0) - 1))


@dataclass(frozen=True, kw_only=True)
class SuppressedCounts:
    """The counts of groups, some of which are not shown, with the lowest and with the highest selection rates.

    The lowest rates have the most people. `unknown_n` are the most people of unknown group, of whom `unknown_selected`
    (cells, 2) are the fewest and the most that may have been selected.
    """

    lowest_n: Ints
    lowest_selected: Ints
    highest_n: Ints
    highest_selected: Ints
    unknown_n: Ints
    unknown_selected: Ints

    @property
    def hidden(self) -> Flags:
        """The counts of which groups are not known, by cell."""
        same = (self.lowest_n == self.highest_n) & (self.lowest_selected == self.highest_selected)
        return np.asarray(~same)

    @property
    def certainly_highest(self) -> Flags:
        """The groups whose lowest rate no other group's highest exceeds, by cell."""
        with np.errstate(invalid="ignore", divide="ignore"):
            low = np.where(self.lowest_n > 0, self.lowest_selected / self.lowest_n, np.nan)
            high = np.where(self.highest_n > 0, self.highest_selected / self.highest_n, -np.inf)
        others = np.array(
            [np.delete(high, group, axis=1).max(axis=1, initial=-np.inf) for group in range(low.shape[1])]
        )
        return np.asarray(low >= others.T.reshape(low.shape))

    def take(self, rows: NDArray[np.int64]) -> "SuppressedCounts":
        """Return some of the cells."""
        return SuppressedCounts(**{name: values[rows] for name, values in vars(self).items()})

    def rate(self, cell: int, group: int) -> tuple[float, float]:
        """Return the lowest and the highest selection rate of a group."""
        (low, most), (high, fewest) = self._ends(cell, group)
        return float(low / most), float(high / fewest)

    def _ends(self, cell: Any, group: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """Return selected and people at the lowest and at the highest rate; a rate needs somebody."""
        return (
            (self.lowest_selected[cell, group], np.maximum(self.lowest_n[cell, group], 1)),
            (self.highest_selected[cell, group], np.maximum(self.highest_n[cell, group], 1)),
        )

    def four_fifths(self, cell: Any, group: Any, against: Any, rule: "stats.FourFifthsRule") -> NDArray[np.str_]:
        """Return the verdicts of the four-fifths rule where they are the same at both ends, else not_determined."""
        pairs = zip(self._ends(cell, group), reversed(self._ends(cell, against)), strict=True)
        first, last = (np.asarray(stats.four_fifths(*end, *other, rule=rule).verdict) for end, other in pairs)
        return np.where(first == last, first, NOT_DETERMINED)


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Sums of weights whose mean is 1, of all people and of those selected, and of their squares: (cells, groups)."""

    people: Floats
    selected: Floats
    squares: Floats

    @property
    def effective(self) -> Floats:
        """Kish's effective number of people, (Σ w)²/Σ w²; NaN of nobody."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.people**2 / self.squares)


@dataclass(frozen=True, kw_only=True)
class GroupCells:
    """The groups of one attribute, or of several crossed.

    `keys` has one row per cell: approach, cut-off, stage and position, all applicants first.
    The matrices have a row per cell and a column per group, in the groups' order.
    `unknown` are the people whose group is not known, (cells, 2): n and selected.
    `mean` and `squares` (sum of squared distances from the mean) are those of scores.
    `clusters` are those that people share, where they were requested. `judged` are the groups that may be compared;
    the others are counted, and `unjudged` says why no more. With `weights` rates are weighted, and `n` and `selected`
    are people, or of probable groups the expected number. `suppressed` are counts that are not shown, `rounded` those
    that give the same rounded rates.
    """

    attributes: tuple[str, ...]
    keys: pl.DataFrame
    groups: tuple[tuple[str, ...], ...]
    n: Ints
    selected: Ints
    unknown: Ints
    mean: Floats | None = None
    squares: Floats | None = None
    clusters: Clusters | None = None
    judged: Flags
    unjudged: str = ""
    suppressed: SuppressedCounts | None = None
    rounded: SuppressedCounts | None = None
    weights: Weights | None = None

    @property
    def hidden(self) -> Flags:
        """The groups of each cell whose counts are not shown, so that there is no rate; shape (cells, groups)."""
        return np.zeros(self.n.shape, dtype=np.bool_) if self.suppressed is None else self.suppressed.hidden

    def bounded(self, cell: Any, focal: Any, against: Any) -> Any:
        """Return which comparisons have bounds only: counts are not shown, and both groups may have people."""
        if self.suppressed is None:
            return np.zeros(np.shape(cell), dtype=np.bool_)
        people = (self.suppressed.lowest_n[cell, focal] > 0) & (self.suppressed.lowest_n[cell, against] > 0)
        return (self.hidden[cell, focal] | self.hidden[cell, against]) & people

    def possible_unknown(self, cell: int) -> tuple[int, Ints]:
        """Return the number of people of unknown group, at most, and every number of them that may be selected."""
        n, selected = (int(value) for value in self.unknown[cell])
        least, most = selected, selected
        possible = self.rounded if self.suppressed is None else self.suppressed
        if possible is not None:
            n, (least, most) = int(possible.unknown_n[cell]), possible.unknown_selected[cell].tolist()
        return n, np.arange(least, most + 1)

    @property
    def name(self) -> str:
        """The attribute as files name it."""
        return joined(self.attributes)

    @cached_property
    def labels(self) -> list[str]:
        """The groups as files name them; parts are quoted where a label contains the joining sign."""
        labels = [joined(group) for group in self.groups]
        if len(set(labels)) == len(labels):
            return labels
        return [joined([f"'{part}'" for part in group]) for group in self.groups]

    def named(self, label: str) -> dict[str, str]:
        """Return the group of a label, by attribute."""
        return dict(zip(self.attributes, self.groups[self.labels.index(label)], strict=True))

    def of_group(self, label: str, measure: str, keys: Mapping[str, Any]) -> dict[str, Any]:
        """Return name, measure, slice and focal group of a finding about a group of a cell with these keys."""
        group = self.named(label)
        words = [measure, plain(self.name), *map(plain, group.values()), *suffix_of(keys)]
        return {"name": "_".join(words), "measure": measure, "slice": slice_of(keys), "focal": group}

    @property
    def rates(self) -> Floats:
        """Selection rates, or mean scores; NaN for groups without anyone."""
        if self.mean is not None:
            return np.where(self.n > 0, self.mean, np.nan)
        if self.weights is not None:
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.asarray(np.where(self.n > 0, self.weights.selected / self.weights.people, np.nan))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.n > 0, self.selected / self.n, np.nan))

    @property
    def whole(self) -> NDArray[np.bool_]:
        """The cells of all applicants, as a mask."""
        return (self.keys["position"] == WHOLE).to_numpy()

    @property
    def whole_of(self) -> NDArray[np.int64]:
        """For each cell, the number of the cell of all applicants."""
        keys = ["approach", "cutoff", "stage"]
        numbered = self.keys.with_row_index("cell")
        wholes = numbered.filter(pl.col("position") == WHOLE).select(*keys, "cell")
        matched = self.keys.select(keys).join(wholes, on=keys, how="left", nulls_equal=True, maintain_order="left")
        return matched["cell"].to_numpy().astype(np.int64)

    def take(self, rows: NDArray[np.int64]) -> "GroupCells":
        """Return some of the cells, without clusters."""
        return GroupCells(
            **copied(self, "attributes groups judged unjudged"),
            keys=self.keys[rows],
            n=self.n[rows],
            selected=self.selected[rows],
            unknown=self.unknown[rows],
            mean=None if self.mean is None else self.mean[rows],
            squares=None if self.squares is None else self.squares[rows],
            suppressed=None if self.suppressed is None else self.suppressed.take(rows),
        )


def plain_number(value: float) -> str:
    """Return the shortest text that reads back as the same number.

    >>> plain_number(3.0), plain_number(3.0000001)
    ('3', '3.0000001')
    """
    return repr(value).removesuffix(".0")


def plain(text: str) -> str:
    """Return a label as a part of a finding's name."""
    return "_".join(text.replace(CROSSED, "_").split())


def slice_of(keys: Mapping[str, Any]) -> dict[str, str]:
    """Return approach, cut-off and stage of a cell where there is more than the plain decision."""
    parts = {}
    if keys["approach"] != SELECTED:
        parts["approach"] = str(keys["approach"])
        if keys["approach"] == CUTOFF:
            parts[CUTOFF] = plain_number(keys["cutoff"])
    return parts | ({"stage": str(keys["stage"])} if keys["stage"] else {})


def of_definition(keys: Mapping[str, Any]) -> pl.Expr:
    """Return which rows have the same approach, cut-off and stage."""
    return pl.all_horizontal(pl.col(name).eq_missing(keys[name]) for name in ("approach", "cutoff", "stage"))


def suffix_of(keys: Mapping[str, Any]) -> list[str]:
    """Return the slice of a cell as the end of a finding's name."""
    parts = slice_of(keys)
    if CUTOFF in parts:
        parts["approach"] = f"{CUTOFF}_{parts.pop(CUTOFF)}"
    return [plain(value) for value in parts.values()]


def joined(parts: Sequence[str]) -> str:
    """Return the names of an intersection as one.

    >>> joined(("gender", "race"))
    'gender x race'
    """
    return CROSSED.join(parts)


#: The column of counts that come from several tables, each of some attributes.
TABLE = "table"


def attribute_sets(attributes: Sequence[str], *, crossed: bool) -> list[tuple[str, ...]]:
    """Return each attribute, then with `crossed` each intersection.

    >>> attribute_sets(["gender", "race"], crossed=True)
    [('gender',), ('race',), ('gender', 'race')]
    """
    sizes = range(1, len(attributes) + 1 if crossed else 2)
    return [crossing for size in sizes for crossing in combinations(attributes, size)]


def table_of(attributes: Sequence[str]) -> str:
    """Return the name of the table of some attributes, in whatever order.

    >>> table_of(["sex", "race"])
    'race x sex'
    """
    return joined(sorted(attributes))


@dataclass(frozen=True, kw_only=True)
class ExcludedCategory:
    """A category that the auditor leaves out, by its group of each attribute, and the reason."""

    groups: Mapping[str, str]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Exclusion:
    """Which groups are too small to be judged: below a share of the applicants, or the 2 % of Local Law 144.

    Of those below 2 % the auditor leaves out some `categories`, and with a `reason` all. The 2 % are of all people, or
    with `of_known` of those whose group is known. An excluded group is counted and shown, and it is neither compared
    nor anybody's reference.
    """

    min_share: float = 0.0
    reason: str | None = None
    categories: tuple[ExcludedCategory, ...] = ()
    of_known: bool = False

    def judged(self, groups: Sequence[Mapping[str, str]], people: Ints, unknown: int) -> Flags:
        """Return which groups of `people` are judged; `unknown` are those of no known group."""
        large = people >= self.min_share * people.sum()
        left_out = np.array([self.reason_for(group) is not None for group in groups], dtype=np.bool_)
        return np.asarray(large & ~(left_out & self.small(people, self.base(people, unknown))), dtype=np.bool_)

    def base(self, people: Ints, unknown: int) -> int:
        """Return of how many people the 2 % are."""
        return int(people.sum()) + (0 if self.of_known else unknown)

    @staticmethod
    def small(people: Any, base: int) -> Any:
        """Return which numbers of people are less than 2 %."""
        # 6 RCNY 5-301(d): of the data used; in whole numbers, as .02 is no binary fraction.
        return 100 * people < round(100 * SMALLEST_SHARE) * base

    def reason_for(self, group: Mapping[str, str]) -> str | None:
        """Return the reason to leave out a group if it is small: its own, or that of a category it is part of."""
        fitting = [category for category in self.categories if category.groups.items() <= group.items()]
        closest = max(fitting, key=lambda category: len(category.groups), default=None)
        return self.reason if closest is None else closest.reason

    @property
    def unjudged(self) -> str:
        """Why a group is not judged."""
        given = {"exclude": self.categories, "exclusion_reason": self.reason}
        options = ", ".join(flag(name) for name, value in given.items() if value)
        if options:
            return f"Less than 2 % of the data and excluded ({options}), so not judged."
        return f"Less than {self.min_share:g} of the sample (--min-share), so not judged."


def cells_of(
    counts: pl.DataFrame,
    attributes: Sequence[str],
    *,
    by_position: bool,
    clustered: pl.DataFrame | None = None,
    clusters: Sequence[str] = (),
    exclusion: Exclusion | None = None,
    bounds: CountBounds | None = None,
) -> GroupCells:
    """Return the cells of an attribute or an intersection from joint counts.

    `counts` has the columns approach, cutoff, stage, position, `protected.<name>` (null where
    not known), n, successes; or n, mean, squares for scores. With `by_position` there are
    cells per position besides all applicants; a null position counts there only. With a column `table`
    only the counts of these attributes' own table are taken (`table_of`). `clustered` are the same counts
    by cluster, with a column of codes for each name in `clusters`. Without an `exclusion` all groups are judged.
    With `bounds` some of the counts are not shown, or rounded.
    """
    if TABLE in counts.columns:
        counts = counts.filter(pl.col(TABLE) == table_of(attributes))
    if bounds is not None:
        nobody = pl.col("n", "successes") * 0
        counts = pl.concat([counts, *(part.with_columns(nobody) for part in (bounds.lowest, bounds.highest))])
    scores = "mean" in counts.columns
    columns = [PROTECTED + name for name in attributes]
    known = pl.all_horizontal(pl.col(columns).is_not_null())
    totals = _totals(counts, columns, scores=scores, by_position=by_position)
    keys = totals.select(KEYS).unique().sort(KEYS, nulls_last=False)
    groups = totals.filter(known).select(columns).unique().sort(columns)
    numbered, grouped = keys.with_row_index("cell"), groups.with_row_index("group")
    entries = totals.join(numbered, on=KEYS, how="left", nulls_equal=True).join(grouped, on=columns, how="left")
    shape = (keys.height, groups.height)
    inside, outside = entries.filter(known), entries.filter(~known)
    at = inside["cell"].to_numpy(), inside["group"].to_numpy()

    def matrix(column: str) -> NDArray[np.float64] | NDArray[np.int64]:
        values = inside[column].to_numpy()
        filled = np.zeros(shape, dtype=values.dtype)
        filled[at] = values
        return filled

    unknown = np.zeros((keys.height, 2), dtype=np.int64)
    for place, column in enumerate(("n", "successes")):
        if column in outside.columns:
            np.add.at(unknown[:, place], outside["cell"].to_numpy(), outside[column].to_numpy())
    n = matrix("n").astype(np.int64)
    whole = (keys["position"] == WHOLE).to_numpy()
    people, not_known = n[whole].max(axis=0, initial=0), int(unknown[whole, 0].max(initial=0))
    judged = exclusion or Exclusion()
    possible = None if bounds is None else _suppressed(bounds, numbered, grouped, shape, by_position=by_position)
    suppressed = bounds is not None and bounds.suppressed
    return GroupCells(
        attributes=tuple(attributes),
        keys=keys,
        groups=tuple(groups.rows()),
        judged=judged.judged([dict(zip(attributes, group, strict=True)) for group in groups.rows()], people, not_known),
        unjudged=judged.unjudged,
        suppressed=possible if suppressed else None,
        rounded=None if suppressed else possible,
        n=n,
        selected=np.zeros(shape, dtype=np.int64) if scores else matrix("successes").astype(np.int64),
        unknown=unknown,
        mean=matrix("mean").astype(np.float64) if scores else None,
        squares=matrix("squares").astype(np.float64) if scores else None,
        clusters=None
        if clustered is None
        else _clusters(clustered, numbered, grouped, clusters, scores=scores, by_position=by_position),
        weights=None
        if clustered is None or "squares" not in clustered.columns or scores
        else _weights(clustered, numbered, grouped, shape, by_position=by_position),
    )


def _weights(
    counts: pl.DataFrame, cells: pl.DataFrame, groups: pl.DataFrame, shape: tuple[int, int], *, by_position: bool
) -> Weights:
    """Return the sums of weights of each numbered cell and group."""
    columns = [name for name in groups.columns if name != "group"]
    everybody = counts.with_columns(pl.lit(WHOLE).alias("position"))
    rows = pl.concat([everybody, *([counts.filter(pl.col("position").is_not_null())] if by_position else [])])
    entries = rows.join(cells, on=KEYS, how="inner", nulls_equal=True).join(groups, on=columns, how="inner")
    at = entries["cell"].to_numpy(), entries["group"].to_numpy()
    sums = np.zeros((3, *shape))
    for matrix, column in zip(sums, ("n", "successes", "squares"), strict=True):
        np.add.at(matrix, at, entries[column].to_numpy())
    return Weights(people=sums[0], selected=sums[1], squares=sums[2])


def _suppressed(
    bounds: CountBounds, cells: pl.DataFrame, groups: pl.DataFrame, shape: tuple[int, int], *, by_position: bool
) -> SuppressedCounts:
    """Return the bounds of the counts of numbered cells and groups."""
    columns = [name for name in groups.columns if name != "group"]
    matrices, unknown = {}, np.zeros((2, 2, shape[0]), dtype=np.int64)
    for end, (name, counts) in enumerate((("lowest", bounds.lowest), ("highest", bounds.highest))):
        totals = _totals(counts, columns, scores=False, by_position=by_position)
        numbered = totals.join(cells, on=KEYS, how="inner", nulls_equal=True)
        entries = numbered.join(groups, on=columns, how="inner")
        outside = numbered.filter(~pl.all_horizontal(pl.col(columns).is_not_null()))
        for place, column in enumerate(("n", "successes")):
            np.add.at(unknown[end, place], outside["cell"].to_numpy(), outside[column].to_numpy())
        for value, column in (("n", "n"), ("selected", "successes")):
            matrix = np.zeros(shape, dtype=np.int64)
            matrix[entries["cell"].to_numpy(), entries["group"].to_numpy()] = entries[column].to_numpy()
            matrices[f"{name}_{value}"] = matrix
    return SuppressedCounts(**matrices, unknown_n=unknown[0, 0], unknown_selected=unknown[:, 1].T)


def _clusters(
    counts: pl.DataFrame,
    cells: pl.DataFrame,
    groups: pl.DataFrame,
    names: Sequence[str],
    *,
    scores: bool,
    by_position: bool,
) -> Clusters:
    """Return the clusters of each numbered cell and group."""
    columns = [name for name in groups.columns if name != "group"]
    apart = [*columns, *(f"cluster_{place}" for place in range(len(names)))]
    totals = _totals(counts, apart, scores=scores, by_position=by_position)
    if scores:
        totals = totals.with_columns(successes=pl.col("n") * pl.col("mean"))
    entries = totals.join(cells, on=KEYS, how="inner", nulls_equal=True).join(groups, on=columns, how="inner")
    return clusters_of(entries, "successes", names)


def _totals(counts: pl.DataFrame, columns: Sequence[str], *, scores: bool, by_position: bool) -> pl.DataFrame:
    """Return sums by columns of all applicants, and with `by_position` of each position."""
    totals = _summed(counts.with_columns(pl.lit(WHOLE).alias("position")), columns, scores=scores)
    if not by_position:
        return totals
    by_position_totals = _summed(counts.filter(pl.col("position").is_not_null()), columns, scores=scores)
    return pl.concat([totals, by_position_totals])


def _summed(counts: pl.DataFrame, columns: Sequence[str], *, scores: bool) -> pl.DataFrame:
    keys = [*KEYS, *columns]
    if not scores:
        return counts.group_by(keys).agg(pl.col("n", "successes").sum())
    weighted = (pl.col("n") * pl.col("mean")).sum() / pl.col("n").sum()
    return (
        counts.with_columns(weighted.over(keys).alias("centre"))
        .group_by(keys)
        .agg(
            pl.col("n").sum(),
            pl.col("centre").first().alias("mean"),
            # Within the parts, and of the parts' means about the common one.
            (pl.col("squares") + pl.col("n") * (pl.col("mean") - pl.col("centre")) ** 2).sum().alias("squares"),
        )
    )


@dataclass(frozen=True, kw_only=True)
class References:
    """A rule for all attributes, groups named for single attributes, and how small a reference may be.

    `floor` is a share of the applicants; 0 lets any group be the reference, of however few people.
    """

    rule: str = HIGHEST
    floor: float = REFERENCE_FLOOR
    named: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def by_highest(self, cells: GroupCells) -> bool:
        """Return whether groups are compared with the highest rate, which is known from the data only."""
        return self.rule == HIGHEST and self.group(cells) is None

    def group(self, cells: GroupCells) -> int | None:
        """Return the column of the group that was named for these attributes, None where the rule decides."""
        return self.of(cells.attributes, cells.groups)

    def of(self, attributes: Sequence[str], groups: Sequence[Sequence[str]], *, all_there: bool = True) -> int | None:
        """Return the place of the group that was named for these attributes, None where the rule decides.

        An intersection is compared with a named group when each of its attributes has one.

        Raises
        ------
        InputError
            The group that was named does not occur, where `all_there` says that every group should.

        """
        if not all(name in self.named for name in attributes):
            return None
        requested, *known = (
            tuple(" ".join(part.split()).casefold() for part in group)
            for group in ([self.named[name] for name in attributes], *groups)
        )
        if requested in known:
            return known.index(requested)
        if len(attributes) > 1 or not all_there:
            return None
        label = shortened(f"{attributes[0]}={self.named[attributes[0]]}")
        raise InputError(
            f"{option_text('reference', label)}: {shortened(attributes[0])} has no such group; its groups are "
            f"{listed([group[0] for group in groups]) or 'none'}."
        )


@dataclass(frozen=True, kw_only=True)
class ImpactChoices:
    """How the counts are compared, and whether with an adjustment ladder: `given` has what each of its lines adds."""

    references: References = field(default_factory=References)
    intersectional: bool = False
    exclusion: Exclusion = field(default_factory=Exclusion)
    rule: stats.FourFifthsRule = "against_highest"
    margin: float | None = MARGIN
    ladder: bool = False
    given: tuple[tuple[str, ...], ...] = ()
    missing_bounds: bool = False
    confidence: float = 0.95
    seed: int = 0


@dataclass(frozen=True)
class Pairs:
    """Groups and their references, an entry each: the cell, and the columns of both."""

    cell: Ints
    focal: Ints
    against: Ints

    def of(self, matrix: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return what a matrix has for the groups, and for their references."""
        return matrix[self.cell, self.focal], matrix[self.cell, self.against]

    def counts(self, cells: "GroupCells") -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return selected and people of the groups, then of their references."""
        (a, c), (n, m) = self.of(cells.selected), self.of(cells.n)
        return a, n, c, m


def known_groups(groups: Sequence[Sequence[str]]) -> Flags:
    """Return which groups have no label that may mean unknown."""
    unsure = [unsure_labels(labels) for labels in zip(*groups, strict=True)]
    return np.array(
        [not any(label in of for label, of in zip(group, unsure, strict=True)) for group in groups], dtype=np.bool_
    )


def candidates(cells: GroupCells, references: References) -> Flags:
    """Return which groups may be the reference of each cell, shape (cells, groups).

    Where counts are not shown, a group is whose rate is known, or where none is, certainly the highest; the largest
    group is that by the fewest people that there can be.
    A named group always is, one that is not judged, or whose label may mean unknown, never by itself. Others need the
    floor's share and people among all applicants of the cell's approach, cut-off and stage, never in a position. In a
    cell where none of them has anyone, all groups may be.
    """
    shape = cells.n.shape
    named = references.group(cells)
    if named is not None:
        return np.broadcast_to(np.arange(shape[1]) == named, shape)
    present = (cells.n > 0) & cells.judged
    if cells.suppressed is not None and references.rule == HIGHEST:
        shown = present & ~cells.hidden
        present = np.where(shown.any(axis=1, keepdims=True), shown, present & cells.suppressed.certainly_highest)
    sure = present & known_groups(cells.groups)
    present = np.where(sure.any(axis=1, keepdims=True), sure, present)
    if not references.floor or not cells.whole.any():
        return np.asarray(present)
    people = cells.n[cells.whole_of]
    large = (people >= references.floor * people.sum(axis=1, keepdims=True)) & (people >= FLOOR_PEOPLE)
    large_enough = present & large
    return np.asarray(np.where(large_enough.any(axis=1, keepdims=True), large_enough, present))


def hidden_candidates(cells: GroupCells, references: References) -> Flags:
    """Return which groups, whose counts are not shown, are the reference if their rate is the highest."""
    if cells.suppressed is None or not references.by_highest(cells):
        return np.zeros(cells.n.shape, dtype=np.bool_)
    return np.asarray(
        candidates(replace(cells, n=cells.suppressed.lowest_n, suppressed=None), references) & cells.hidden
    )


def possible_references(cells: GroupCells, references: References) -> Flags:
    """Return which groups could be the reference if selections were permuted, shape (cells, groups).

    By size or by name it is one group whatever the rates are; by rate any that may be the reference.
    """
    if references.by_highest(cells):
        return candidates(cells, references)
    return np.asarray(np.arange(len(cells.groups)) == reference_groups(cells, references)[:, None])


def reference_groups(cells: GroupCells, references: References) -> Ints:
    """Return the column of each cell's reference group, -1 where no group has anyone.

    Ties for the highest rate go to the larger group, ties for the largest to the label.
    """
    named = references.group(cells)
    if named is not None:
        return np.full(cells.keys.height, named, dtype=np.int64)
    if not cells.groups:
        return np.full(cells.keys.height, -1, dtype=np.int64)
    present = candidates(cells, references)
    rate = np.where(present, cells.rates, -np.inf)
    size = np.where(present, cells.n, -1)
    order = np.broadcast_to(np.arange(len(cells.groups)), cells.n.shape)  # groups are sorted by label
    keys = (order, -size, -rate) if references.rule == HIGHEST else (order, -size)
    first = np.lexsort(keys, axis=1)[:, 0]
    return np.asarray(np.where(present.any(axis=1), first, -1), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Floor:
    """The effect of the floor among all applicants and in positions.

    `passed_over` are the groups, by column, with a higher rate than the reference; empty with `none_large`, where no
    group is large enough and the highest rate holds as it is. `positions` counts those with another reference.
    """

    key: tuple[object, ...]
    cell: int
    reference: int
    passed_over: tuple[int, ...]
    none_large: bool
    positions: int
    share: float

    def details(self, cells: GroupCells) -> FloorDetails:
        """Return the details for findings.json."""
        return FloorDetails(
            share=self.share,
            people=FLOOR_PEOPLE,
            reference=cells.labels[self.reference],
            n_reference=int(cells.n[self.cell, self.reference]),
            none_large_enough=bool(self.none_large),
            passed_over=tuple(
                PassedOver(
                    group=cells.labels[group],
                    n=int(cells.n[self.cell, group]),
                    rate=float(cells.rates[self.cell, group]),
                )
                for group in self.passed_over
            ),
            positions_with_another_reference=self.positions,
        )


def floors_of(cells: GroupCells, references: References) -> Iterator[Floor]:
    """Yield what the floor changed, or that no group reaches it; nothing where it has no effect."""
    if not references.floor or references.rule != HIGHEST or references.group(cells) is not None or not cells.groups:
        return
    chosen = reference_groups(cells, references)
    anybody = replace(references, floor=0.0)
    without = reference_groups(cells, anybody)
    may_be, present = candidates(cells, references), candidates(cells, anybody)
    people = cells.n
    for whole in np.flatnonzero(cells.whole):
        reference = int(chosen[whole])
        if reference < 0:
            continue
        large = (people[whole] >= references.floor * people[whole].sum()) & (people[whole] >= FLOOR_PEOPLE)
        none_large = not (present[whole] & large).any()
        higher = ~may_be[whole] & present[whole] & (cells.rates[whole] > cells.rates[whole, reference])
        in_positions = (cells.whole_of == whole) & ~cells.whole
        positions = int((chosen[in_positions] != without[in_positions]).sum())
        if none_large or higher.any() or positions:
            order = sorted(np.flatnonzero(higher), key=lambda group: -cells.rates[whole, group])
            yield Floor(
                key=cells.keys.row(int(whole))[:3],
                cell=int(whole),
                reference=reference,
                passed_over=tuple(int(group) for group in order),
                none_large=none_large,
                positions=positions,
                share=references.floor,
            )


def floor_notes(findings: Sequence[Finding]) -> tuple[FloorNote, ...]:
    """Return what the floor changed per attribute, from the findings that carry it."""
    by_attribute: dict[tuple[str, ...], dict[str, tuple[str, FloorDetails]]] = {}
    for finding in findings:
        details = finding.details
        floor = details.reference_floor if isinstance(details, ImpactRatio | MeanRatio) else None
        if floor is not None:
            attribute_floors = by_attribute.setdefault(tuple(finding.focal), {})
            key = repr((finding.measure, sorted(finding.slice.items())))
            attribute_floors.setdefault(key, (finding.slice.get("stage", ""), floor))
    return tuple(
        FloorNote(attributes=names, text=_note(list(attribute_floors.values())))
        for names, attribute_floors in by_attribute.items()
    )


def _note(floors_at: Sequence[tuple[str, FloorDetails]]) -> str:
    """Return the effect of the floor on one attribute, over its definitions of a selection, each with its stage."""
    floors = [floor for _, floor in floors_at]
    limit = f"under {100 * floors[0].share:g} % of the sample or under {floors[0].people} people"
    alone = {floor.reference: floor.n_reference for floor in floors if floor.none_large_enough}
    sentences = []
    if alone:
        sentences.append(
            f"Every group is {limit}, so the highest is the reference whatever its size, {_groups(alone)}: with so few "
            "people chance may have made it the highest."
        )
    stages = list(dict.fromkeys(stage for stage, floor in floors_at if floor.passed_over))
    for stage in stages[:_MOST_NAMED]:
        there = [floor for at, floor in floors_at if at == stage]
        over = {passed.group: passed.n for floor in there for passed in floor.passed_over}
        references = list(dict.fromkeys(floor.reference for floor in there if floor.passed_over))
        where = (
            f"{BOTTOM_LINE.capitalize() if stage == BOTTOM_LINE else f'Stage {shortened(stage)}'}: " if stage else ""
        )
        against = f", {shortened(references[0])}," if len(references) == 1 else ""
        has, verb = ("has", "is") if len(over) == 1 else ("have", "are")
        sentences.append(
            f"{where}{_groups(over)} {has} a higher rate than the reference{against} but {verb} too small to be it "
            f"({limit})."
        )
    if len(stages) > _MOST_NAMED:
        sentences.append(f"So it is at {len(stages) - _MOST_NAMED} more stages.")
    positions = max(floor.positions_with_another_reference for floor in floors)
    if positions:
        places = "1 position" if positions == 1 else f"{positions:,} positions"
        sentences.append(f"In {places} the highest group is too small to be the reference ({limit} in all).")
    return " ".join(sentences)


def _groups(sizes: Mapping[str, int]) -> str:
    named = [f"{shortened(group)} (n = {n:,})" for group, n in list(sizes.items())[:_MOST_NAMED]]
    return ", ".join(named) + (f" and {len(sizes) - _MOST_NAMED} more" if len(sizes) > _MOST_NAMED else "")
