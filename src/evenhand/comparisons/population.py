"""Decisions per name and slice, with permuted groups, and intervals of groups compared with the population.

In the intervals whole names vary within their group, and with enough levels the roles, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons.clusterings import FEWEST_LEVELS
from evenhand.comparisons.units import Floats, Ints, coded, outcome_columns
from evenhand.results.finding import Alternative
from evenhand.results.measures import MeasureSet
from evenhand.stats import clustered_difference, clustered_rate, label_permutations, multiway_variance
from evenhand.stats.special import stdtrit
from evenhand.stats.strata import stratified_variance

Mask = NDArray[np.bool_]
Group = dict[str, str]

#: Up to this many cells, sums are indexed by number instead of being sorted.
DENSE = 4_000_000
#: Numbers of permutations held at once: they stay in the processor's cache.
BLOCK = 300_000
METHOD = "names within groups, t"
RATE_METHOD = "names within groups, Wilson on effective n"
#: The least number of names with each decision for a t interval.
RARE = 10
FEW = "A group of one name has no spread."
ALONE = "There is no other group."


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Counts of observed decisions, an entry per name and level of the population's column.

    `carrier` numbers the names (a name in two groups is two), `second` the levels.
    """

    carrier: Ints
    second: Ints
    n: Floats
    accepted: Floats

    def within(self, mask: Mask) -> "Cells":
        """Return the entries of a mask."""
        return Cells(carrier=self.carrier[mask], second=self.second[mask], n=self.n[mask], accepted=self.accepted[mask])


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """The cells of all decisions (`whole`), and per column those of each level (`parts`).

    `levels` are those of the slice columns; `names` and `group` have the name of each
    carrier and which of `groups` it belongs to; `second` names the population's column.
    """

    whole: Cells
    parts: Mapping[str, tuple[Cells, ...]]
    levels: Mapping[str, tuple[str, ...]]
    groups: tuple[Group, ...]
    group: Ints
    names: tuple[str, ...] = ()
    second: str = ""

    @cached_property
    def slices(self) -> tuple[dict[str, str], ...]:
        """Everything, then each level of each column."""
        return ({}, *({column: level} for column, levels in self.levels.items() for level in levels))

    @cached_property
    def cells(self) -> tuple[Cells, ...]:
        """The cells of each slice."""
        return (self.whole, *(part for column in self.levels for part in self.parts[column]))

    @cached_property
    def by_carrier(self) -> tuple[Floats, Floats]:
        """Decisions and acceptances per name and slice, each (names, slices)."""
        size = self.group.size
        n = [np.bincount(cells.carrier, weights=cells.n, minlength=size) for cells in self.cells]
        accepted = [np.bincount(cells.carrier, weights=cells.accepted, minlength=size) for cells in self.cells]
        return np.stack(n, axis=1).astype(np.float64), np.stack(accepted, axis=1).astype(np.float64)

    def by_group(self) -> tuple[Floats, Floats]:
        """Return decisions and acceptances per group and slice, each (groups, slices)."""
        member = (self.group[None, :] == np.arange(len(self.groups))[:, None]).astype(np.float64)
        n, accepted = self.by_carrier
        return member @ n, member @ accepted


def decisions_of(outcomes: pl.LazyFrame, measured: MeasureSet) -> Decisions:
    """Return the observed decisions about people whose groups are known, counted.

    Raises
    ------
    InputError
        A declared column is missing.

    """
    columns = measured.slice_columns()
    carried, second = measured.clusters[0], measured.population or ""
    required = tuple(dict.fromkeys((carried, *measured.groups, *columns, second)))
    full = outcome_columns(outcomes, required)
    observed = pl.col("status") == "observed"
    frame = (
        outcomes.filter(pl.all_horizontal(pl.col(full[name]).is_not_null() for name in measured.groups))
        .select(
            pl.when(observed).then("trials").otherwise(0).fill_null(0).alias("n"),
            pl.when(observed).then("successes").otherwise(0).fill_null(0).alias("accepted"),
            *(pl.col(full[name]).cast(pl.String).cast(pl.Categorical).alias(name) for name in required),
        )
        .collect()
    )
    by_column = {name: coded(frame[name], measured.order.get(name, ())) for name in required}
    # A group or level without an answer is a row without a value; its names don't count.
    decided = (frame["n"] > 0).to_numpy()
    codes = {name: code[decided] for name, (code, _) in by_column.items()}
    member, groups = _combinations([by_column[name] for name in measured.groups], measured.groups)
    name_and_group = codes[carried] * max(len(groups), 1) + member[decided]
    _, first, carrier = np.unique(name_and_group, return_index=True, return_inverse=True)
    n, accepted = (frame[name].filter(pl.Series(decided)).to_numpy().astype(np.float64) for name in ("n", "accepted"))
    shape = (first.size, len(by_column[second][1]) + 1)
    whole = _summed(carrier, codes[second], n, accepted, shape=shape)[0]
    levels = {name: by_column[name][1] for name in columns}
    parts = {}
    for name, known in levels.items():
        if name == second:
            parts[name] = tuple(whole.within(whole.second == level) for level in range(len(known)))
        else:
            parts[name] = _summed(
                carrier, codes[second], n, accepted, shape=shape, level=codes[name], levels=len(known)
            )
    known_names = by_column[carried][1]
    names_of = tuple(known_names[code] if code >= 0 else "" for code in codes[carried][first].tolist())
    return Decisions(
        whole=whole,
        parts=parts,
        levels=levels,
        groups=groups,
        group=member[decided][first],
        names=names_of,
        second=second,
    )


def _summed(
    carrier: Ints,
    second: Ints,
    n: Floats,
    accepted: Floats,
    *,
    shape: tuple[int, int],
    level: Ints | None = None,
    levels: int = 1,
) -> tuple[Cells, ...]:
    """Return the sums per name and level of the population's column, for each `level`; −1 is left out."""
    part = np.zeros(carrier.size, dtype=np.int64) if level is None else level
    # An unknown level of the population's column is a cell of its own, number −1.
    key = (part * shape[0] + carrier) * shape[1] + second + 1
    if level is not None and (level < 0).any():
        inside = level >= 0
        key, n, accepted = key[inside], n[inside], accepted[inside]
    span = levels * shape[0] * shape[1]
    if span <= max(DENSE, 4 * key.size):
        sums = [np.bincount(key, weights=values, minlength=span) for values in (n, accepted)]
        present = np.flatnonzero(sums[0])
        sums = [values[present] for values in sums]
    else:
        present, place = np.unique(key, return_inverse=True)
        sums = [np.bincount(place, weights=values) for values in (n, accepted)]
    rest, column = np.divmod(present, shape[1])
    part, name = np.divmod(rest, shape[0])
    whole = Cells(carrier=name, second=column - 1, n=sums[0].astype(np.float64), accepted=sums[1].astype(np.float64))
    return tuple(whole.within(part == number) for number in range(levels))


def _combinations(
    coded: Sequence[tuple[Ints, tuple[str, ...]]], columns: Sequence[str]
) -> tuple[Ints, tuple[Group, ...]]:
    """Return which combination of groups each row has, and the combinations that occur."""
    code = np.zeros(coded[0][0].size, dtype=np.int64)
    for codes, levels in coded:
        code = code * max(len(levels), 1) + codes
    present, member = np.unique(code, return_inverse=True)
    groups = []
    for value in present:
        group, rest = {}, int(value)
        for name, (_, levels) in zip(reversed(columns), reversed(coded), strict=True):
            rest, place = divmod(rest, len(levels))
            group[name] = levels[place]
        groups.append({name: group[name] for name in columns})
    return member, tuple(groups)


@dataclass(frozen=True, kw_only=True)
class Permuted:
    """Each group's rate minus the population's, as observed and with groups permuted over the names.

    `difference` has shape (groups, 1 + permutations, slices), the first row observed;
    NaN where a group has no decision in a slice. `studentised` is the difference to all other groups over
    its standard error from names, NaN for one name. `spread` is highest minus lowest rate.
    """

    difference: Floats
    studentised: Floats
    spread: Floats


def permuted_rates(decisions: Decisions, *, permutations: int, seed: tuple[int, ...]) -> Permuted:
    """Return rates with the groups permuted over the names; all slices share the permutations."""
    n, accepted = decisions.by_carrier
    labels = _labels(decisions.group.astype(np.int64).tobytes(), permutations, seed)
    moments = np.concatenate([n, accepted, n > 0, n * n, n * accepted, accepted * accepted], axis=1)
    totals = moments.sum(axis=0)
    # Whole numbers below 2^24 are exact in single precision, which takes half the time.
    counted = moments.astype(np.float32 if totals.max() < 2**24 else np.float64)
    rates, studentised = np.empty((2, len(decisions.groups), len(labels), n.shape[1]))
    step = max(1, BLOCK // max(*moments.shape))
    with np.errstate(invalid="ignore", divide="ignore"):
        for start, number in product(range(0, len(labels), step), range(len(decisions.groups))):
            rows = slice(start, start + step)
            sums = ((labels[rows] == number).astype(counted.dtype) @ counted).astype(np.float64)
            rates[number, rows] = sums[:, n.shape[1] : 2 * n.shape[1]] / sums[:, : n.shape[1]]
            studentised[number, rows] = _studentised(sums, totals - sums)
        return Permuted(
            difference=rates - accepted.sum(axis=0) / n.sum(axis=0),
            studentised=studentised,
            spread=rates.max(axis=0) - rates.min(axis=0),
        )


@lru_cache(maxsize=2)
def _labels(packed: bytes, permutations: int, seed: tuple[int, ...]) -> NDArray[np.int16]:
    """Return the groups of names as observed, then shuffled; findings on the same names share their shuffles."""
    observed, rng = np.frombuffer(packed, dtype=np.int64), np.random.default_rng(seed)
    shuffled = label_permutations(observed, np.zeros(observed.size, dtype=np.int64), permutations=permutations, rng=rng)
    return np.concatenate([observed[None, :].astype(np.int16), shuffled])


#: What rounding leaves of no difference, and of no sum of squares as a share of what is summed.
ROUNDING = 1e-12


def _studentised(own: Floats, others: Floats) -> Floats:
    """Return the difference of two sides' rates over its standard error, from their moments.

    Names that all got the same decisions don't show certainty: such a side has the sum of squares of one name that
    varies as all of them do.
    """
    rates, squares, names, sizes = [], [], [], []
    for moments in (own, others):
        size, got, count, nn, na, aa = np.split(moments, 6, axis=1)
        rate = got / size
        beyond = aa - 2 * rate * na + rate * rate * nn
        rates.append(rate)
        squares.append(np.where(beyond > ROUNDING * np.maximum(aa, nn), beyond, 0.0))
        names.append(count)
        sizes.append(size)
    one = (squares[0] + squares[1]) / (names[0] + names[1] - 2)
    variance = np.sum(
        [
            np.where(count > 1, count / (count - 1), np.nan) * np.where(square > 0, square, one) / size**2
            for square, count, size in zip(squares, names, sizes, strict=True)
        ],
        axis=0,
    )
    difference = np.where(np.abs(rates[0] - rates[1]) > ROUNDING, rates[0] - rates[1], 0.0)
    return np.asarray(np.where((difference == 0) & (variance == 0), 0.0, difference / np.sqrt(variance)))


def studentised_p(permuted: Permuted, number: int, place: int) -> float | None:
    """Return the two-sided p of a group against all others in a slice; None where its names show no spread."""
    size = np.abs(permuted.studentised[number, :, place])
    if np.isnan(size[0]):
        return None
    return float((1 + np.count_nonzero(_as_far(size[1:], size[0]))) / size.size)


def step_down(permuted: Permuted, place: int = 0) -> list[float | None]:
    """Return each group's p corrected over all groups by Westfall and Young's step-down maximum, None without a test.

    The largest statistic is compared with the largest of all groups under permutation, the next with the largest of
    the remaining ones, and so on; a p is at least the one before it.

    Reference: Westfall and Young (1993), Resampling-Based Multiple Testing, algorithm 2.8.
    """
    size = np.abs(permuted.studentised[:, :, place])
    order = sorted(np.flatnonzero(~np.isnan(size[:, 0])).tolist(), key=lambda number: -float(size[number, 0]))
    corrected: list[float | None] = [None] * len(size)
    least = 0.0
    for step, number in enumerate(order):
        # A permutation in which the spread is not known counts as extreme.
        largest = np.where(np.isnan(size[order[step:], 1:]), np.inf, size[order[step:], 1:]).max(axis=0)
        exceeded = int(np.count_nonzero(_as_far(largest, size[number, 0])))
        least = max(least, (1 + exceeded) / (largest.size + 1))
        corrected[number] = least
    return corrected


def _as_far(null: Floats, observed: float) -> NDArray[np.bool_]:
    """Return which permuted statistics are as large as the observed one, but for rounding; unknown ones are."""
    return np.asarray(np.isnan(null) | (null >= observed * (1 - 1e-9)))


@dataclass(frozen=True, kw_only=True)
class GroupInterval:
    """The interval of one group's difference, and the clusters that vary: its names, and with enough levels roles."""

    low: float | None
    high: float | None
    method: str
    reason: str | None
    clusters: dict[str, int]
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GroupRates:
    """Of every group and of all others: rate, variance from names, names. Arrays of length groups.

    `share` is each group's part of all decisions, `variance` and `df` those of the
    difference to all; NaN where there is no decision.
    """

    own: Floats
    own_variance: Floats
    own_names: Ints
    others: Floats
    others_variance: Floats
    others_names: Ints
    share: Floats
    variance: Floats
    df: Floats


def group_rates(n: Floats, accepted: Floats, group: Ints, *, groups: int) -> GroupRates:
    """Return the rates of names sampled within fixed groups; names without a decision don't count."""
    inside = n > 0
    n, accepted, group = n[inside], accepted[inside], group[inside]
    own_n, group_accepted = (
        np.bincount(group, weights=values, minlength=groups).astype(float) for values in (n, accepted)
    )
    names = np.bincount(group, minlength=groups)
    total, all_accepted = own_n.sum(), group_accepted.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        rates, others = group_accepted / own_n, (all_accepted - group_accepted) / (total - own_n)
    # Each name's acceptances beyond its group's rate; the only name of a group is compared with all instead.
    base = np.where(names == 1, all_accepted / max(total, 1.0), np.nan_to_num(rates))
    beyond = accepted - base[group] * n
    member = group[:, None] == np.arange(groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        of_own = np.where(member, beyond[:, None] / own_n, 0.0)
        of_others = np.where(member, 0.0, beyond[:, None] / (total - own_n))
        share = own_n / total
    variances = [stratified_variance(np.nan_to_num(psi), group) for psi in (of_own, of_others)]
    both = stratified_variance(np.nan_to_num((1 - share) * (of_own - of_others)), group)
    return GroupRates(
        own=rates,
        own_variance=np.where(names > 1, variances[0].variance, np.nan),
        own_names=names,
        others=others,
        others_variance=variances[1].variance,
        others_names=names.sum() - names,
        share=share,
        variance=np.where(names > 1, both.variance, np.nan),
        df=np.minimum(both.df, np.maximum(names - 1, 1)),
    )


def group_intervals(decisions: Decisions, place: int, *, confidence: float) -> list[GroupInterval]:
    """Return the intervals of every group's rate minus that of all, in the slice `place`.

    The difference to all is the share of the others times the difference to the others. Its
    interval is ± t standard errors; where hardly any name of the group, or of the others, got
    the rarer decision, it is Newcombe's from clustered Wilson limits, as t is then too certain. With
    `FEWEST_LEVELS` roles or more they vary too, and the interval over names alone is the alternative.
    """
    n, accepted = (counts[:, place] for counts in decisions.by_carrier)
    rates = group_rates(n, accepted, decisions.group, groups=len(decisions.groups))
    with np.errstate(invalid="ignore"):
        between = clustered_difference(
            rates.own,
            rates.others,
            variances=(rates.own_variance, rates.others_variance),
            clusters=(rates.own_names, rates.others_names),
            confidence=confidence,
        )
    widened, roles = _widened(decisions, place, rates, confidence=confidence)
    lows, highs = np.asarray(between.low) * (1 - rates.share), np.asarray(between.high) * (1 - rates.share)
    regular = ~_is_rare(n, accepted, decisions.group, groups=len(decisions.groups)) & (rates.variance > 0)
    with np.errstate(invalid="ignore"):
        estimates = (1 - rates.share) * (rates.own - rates.others)
        half = stdtrit(np.maximum(rates.df, 1), (1 + confidence) / 2) * np.sqrt(rates.variance)
    lows, highs = np.where(regular, estimates - half, lows), np.where(regular, estimates + half, highs)
    result = []
    for number, names in enumerate(rates.own_names.tolist()):
        ends = (float(lows[number]), float(highs[number]))
        alone = rates.share[number] == 1
        reason = (
            None if np.isfinite(ends).all() else FEW if names == 1 else ALONE if alone else "There are too few names."
        )
        of_names = _within_bounds(ends, METHOD, {"name": names}, reason)
        if roles < FEWEST_LEVELS:
            fixed = f"; {decisions.second} fixed, {roles} level{'s' if roles != 1 else ''}" if decisions.second else ""
            result.append(replace(of_names, method=METHOD + fixed))
            continue
        estimate, factor = float(estimates[number]), float(widened[number])
        wide = (estimate - factor * (estimate - ends[0]), estimate + factor * (ends[1] - estimate))
        crossed = _within_bounds(
            wide, f"{METHOD} × {decisions.second}", {"name": names, decisions.second: roles}, reason
        )
        over_names = Alternative(
            method=METHOD, low=of_names.low, high=of_names.high, clusters=of_names.clusters, reason=reason
        )
        result.append(replace(crossed, alternatives=(over_names,)))
    return result


def _within_bounds(
    ends: tuple[float, float], method: str, clusters: dict[str, int], reason: str | None
) -> GroupInterval:
    """Return the interval cut to the range of a difference of shares."""
    low, high = (max(ends[0], -1.0), min(ends[1], 1.0)) if reason is None else (None, None)
    return GroupInterval(low=low, high=high, method=method, reason=reason, clusters=clusters)


def standard_errors(decisions: Decisions, *, confidence: float) -> tuple[Floats, Floats, Floats]:
    """Return the standard error of each group's difference over all rows, its degrees of freedom, and a factor.

    The factor is the relative length of the interval that crosses names with roles.
    """
    n, accepted = (counts[:, 0] for counts in decisions.by_carrier)
    rates = group_rates(n, accepted, decisions.group, groups=len(decisions.groups))
    with np.errstate(invalid="ignore"):
        return np.sqrt(rates.variance), rates.df, _widened(decisions, 0, rates, confidence=confidence)[0]


def rate_interval(n: Floats, accepted: Floats, group: Ints, *, confidence: float) -> GroupInterval:
    """Return the interval of the pooled rate of some names, sampled within their groups."""
    inside = n > 0
    n, accepted, group = n[inside], accepted[inside], group[inside]
    _, group = np.unique(group, return_inverse=True)
    rates = np.bincount(group, weights=accepted) / np.bincount(group, weights=n)
    psi = ((accepted - rates[group] * n) / n.sum())[:, None]
    variance = float(stratified_variance(psi, group).variance[0])
    limits = clustered_rate(float(accepted.sum() / n.sum()), variance, int(n.size), confidence=confidence)
    reason = FEW if n.size == 1 else limits.reason
    return GroupInterval(
        low=limits.low, high=limits.high, method=RATE_METHOD, reason=reason, clusters={"name": int(n.size)}
    )


def _is_rare(n: Floats, accepted: Floats, group: Ints, *, groups: int) -> NDArray[np.bool_]:
    """Return the groups in which fewer than `RARE` names of their own, or of the others, got one of the decisions.

    Groups of fewer names need but half of them.
    """
    names = np.bincount(group[n > 0], minlength=groups)
    least = np.full(groups, np.inf)
    for got in (accepted > 0, accepted < n):
        group_names = np.bincount(group[got & (n > 0)], minlength=groups)
        needed = np.minimum(RARE, np.maximum(names / 2, 2))
        others = group_names.sum() - group_names
        least = np.minimum(
            least, np.minimum(group_names / needed, others / np.minimum(RARE, np.maximum(names.sum() - names, 2)))
        )
    return least < 1


def _widened(decisions: Decisions, place: int, rates: GroupRates, *, confidence: float) -> tuple[Floats, int]:
    """Return the factor by which sampled roles lengthen the interval, and the number of roles."""
    cells = decisions.cells[place]
    group = decisions.group[cells.carrier]
    roles = int(np.unique(cells.second).size)
    one = np.ones(len(decisions.groups))
    if roles < FEWEST_LEVELS:
        return one, roles
    with np.errstate(invalid="ignore", divide="ignore"):
        beyond = cells.accepted - np.nan_to_num(rates.own)[group] * cells.n
        own_n = np.bincount(group, weights=cells.n, minlength=one.size)
        weights = np.where(own_n > 0, 1 / own_n, 0.0)
    psi = beyond[:, None] * ((group[:, None] == np.arange(one.size)) * weights - 1 / cells.n.sum())
    codes = [np.unique(column, return_inverse=True)[1] for column in (cells.carrier, cells.second)]
    crossed = np.asarray(multiway_variance(psi, codes).variance)
    level = (1 + confidence) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.sqrt(crossed / rates.variance) * stdtrit(roles - 1, level) / stdtrit(np.maximum(rates.df, 1), level)
    return np.maximum(np.nan_to_num(ratio, nan=1.0, posinf=1.0), one), roles
