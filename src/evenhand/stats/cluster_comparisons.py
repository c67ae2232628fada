"""Many comparisons of two groups whose people come in clusters: bias-reduced variances, and permutations."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.special import gammaln, stdtrit

#: A standard error below this share of the means is what rounding leaves of none; a share this near to 1 is 1.
ROUNDING = 1e-10
EMPTY = "A group has no people."
TOGETHER = "The groups differ by as much in every cluster, so that clusters don't show how much the difference varies."
#: Below this many degrees of freedom a comparison carries a caution.
FEW_DF = 4.0

CR2 = "CR2 t"
REVERSED = "CR2 t, one decision reversed"
#: All arrangements of whole clusters are gone through up to so many, else so many are drawn.
MOST_ARRANGEMENTS, DRAWS = 1_000_000, 99_999
ENUMERATED, DRAWN = "permutation of clusters, exact", f"permutation of clusters, {DRAWS:,} draws"
BLOCK = 1 << 20
#: Where no arrangement of whole clusters has a p up to this, nothing is found that doesn't vary.
CONVENTIONAL_LEVEL = 0.05

ONE_CLUSTER = "A group is in one cluster only, so that clusters don't show how much it varies."
FIXED = "A group has the same value in all of its clusters, so its variation can't be estimated."
ALIKE = "Neither group varies between its clusters, and both have the same value."
NO_POSITIVE_MEAN = "A mean is not positive, so there is no ratio."
ZERO_RATIO = "The ratio is 0 and has no logarithm, so it has no interval."


@dataclass(frozen=True, kw_only=True)
class ClusterComparisons:
    """Focal minus reference and focal over reference, one element per comparison; NaN and '' where there is none.

    `t`, `df` and `p` are those of `test`, which decides. `ratio_low` to `log_df` belong to the ratio's interval. The
    counts of clusters have shape (ways, comparisons): those that hold anybody of the group, or of either. `reason` says
    why there is no test, `interval_reason` why the difference and `ratio_reason` why the ratio has no interval.
    """

    difference: _arrays.Floats
    standard_error: _arrays.Floats
    df: _arrays.Floats
    t: _arrays.Floats
    p: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    ratio: _arrays.Floats
    ratio_low: _arrays.Floats
    ratio_high: _arrays.Floats
    log_standard_error: _arrays.Floats
    log_df: _arrays.Floats
    clusters_focal: _arrays.Ints
    clusters_reference: _arrays.Ints
    clusters: _arrays.Ints
    test: _arrays.Strings
    reason: _arrays.Strings
    interval_reason: _arrays.Strings
    ratio_reason: _arrays.Strings
    confidence: float


@dataclass(frozen=True)
class _Groups:
    """Both groups of each comparison, numbered 2·comparison + (0 focal, 1 reference)."""

    n: _arrays.Floats
    mean: _arrays.Floats

    @property
    def comparisons(self) -> int:
        return self.n.size // 2


@dataclass(frozen=True)
class _Cells:
    """The people of a group in a cluster, in the order of the groups; `block` is the comparison's part of a cluster."""

    group: _arrays.Ints
    block: _arrays.Ints
    comparison_of_block: _arrays.Ints
    sums: _arrays.Floats
    n: _arrays.Floats


@dataclass(frozen=True)
class _Way:
    """What one clustering says of each comparison; variances and degrees of freedom of contrasts come in rows."""

    variance: _arrays.Floats
    df: _arrays.Floats
    psi: _arrays.Floats
    a: _arrays.Floats
    in_groups: _arrays.Ints
    clusters: _arrays.Ints
    single: _arrays.Flags


def compare_clusters(
    comparison: ArrayLike,
    focal: ArrayLike,
    total: ArrayLike,
    n: ArrayLike,
    clusters: Sequence[ArrayLike],
    *,
    binary: bool,
    comparisons: int | None = None,
    level: ArrayLike = CONVENTIONAL_LEVEL,
    confidence: float = 0.95,
) -> ClusterComparisons:
    """Return differences and ratios of two groups' rates or means, with the variance that their clusters show.

    Every array has shape (entries,): an entry is n people of one group of one comparison in one cluster (or a part of
    them), `total` the sum of their values. `clusters` has one or two integer codes per entry, `comparison` codes from
    0 to `comparisons` - 1. `binary` says that values are decisions. `level` is the level that p is held against in its
    family, one or one per comparison.
    Formula: group k has N_k people and the mean m_k, n_kg of them in cluster g with h_kg = n_kg/N_k and the residual
    sum e_kg. V = Σ_g (e_1g/(N_1 √(1 - h_1g)) - e_2g/(N_2 √(1 - h_2g)))²: CR2 with independent people as working model.
    With a_kg = 1/(N_k √(1 - h_kg)), D_g = Σ_k n_kg a_kg² and U_gk = n_kg a_kg/√N_k, the degrees of freedom are
    (tr M)²/‖M‖² of M = D - UU'. The ratio's log has each side divided by its mean. Two ways: V_a + V_b - V_ab, at least
    the larger of V_a and V_b, on the fewer degrees of freedom.
    A group that does not vary between its clusters (nobody selected, say) understates V, and so does a difference that
    is the same in every cluster. Then one decision of that group is reversed, in the cluster where that leaves the
    least variance, and the t of the changed data counts: nobody selected is no weaker evidence than one selected. Where
    no cluster holds both groups and that p is up to `level`, whole clusters are permuted as well: the share of the
    arrangements with as large a difference, of all up to 10⁶ of them, else p = (b + 1)/(B + 1) of 99,999 draws. The
    larger p counts where it is up to `level`, too, and always where no arrangement has one up to .05 (3 + 3 clusters).
    Assumes independent clusters. With 2 or 3 clusters of one group it rejects too seldom. In 1,000 samples per case of
    equal groups in 4 to 40 clusters of 1 to 60 people at rates of .02 to .1, alike in size or not, where often nobody
    of one group was selected, the t alone rejected in at most 4.7 % at .05 (the permutation alone in up to 17.5 %).
    Fails: null where a group is empty or in one cluster only, where neither varies and both are alike, and for means
    of which one, or the difference, doesn't vary. Such a comparison has no interval.

    References: Bell and McCaffrey (2002), Survey Methodology 28, 169-181; Pustejovsky and Tipton (2018), Journal of
    Business and Economic Statistics 36, 672-683; Cameron, Gelbach and Miller (2011), same journal 29, 238-249.

    Of 10 each in four clusters 1, 2, 3, 2 and 4, 6, 8, 6 are selected: variances of rates of .02/3 and .08/3, so
    V = (.02/3 + .08/3)/4 = 1/120 and t = -.4 √120 = -4.38; clusters of one size have G - 2 degrees of freedom.

    >>> focal, selected = [1, 1, 1, 1, 0, 0, 0, 0], [1, 2, 3, 2, 4, 6, 8, 6]
    >>> result = compare_clusters([0] * 8, focal, selected, [10] * 8, [range(8)], binary=True)
    >>> round(float(result.t[0]), 2), round(float(result.df[0]), 6), round(float(result.p[0]), 4)
    (-4.38, 6.0, 0.0047)
    """
    _arrays.check_confidence(confidence)
    group, s, people, ways = _read(comparison, focal, total, n, clusters)
    m = int(group.max(initial=-1)) // 2 + 1 if comparisons is None else comparisons
    levels = np.broadcast_to(np.asarray(level, dtype=np.float64), m)
    linear = _linearised(group, s, people, ways, m)
    reason = _arrays.reasons(
        ((linear.groups.n.reshape(m, 2) == 0).any(axis=1), EMPTY),
        (np.logical_or.reduce([way.single for way in linear.ways]), ONE_CLUSTER),
        (linear.fixed.all(axis=0) & (np.abs(linear.difference) <= ROUNDING * linear.scale), ALIKE),
    )
    regular = (reason == "") & ~linear.fixed.any(axis=0) & ~np.isnan(linear.t)
    t, df, test = linear.t, linear.df[0].copy(), np.where(regular, CR2, "").astype(object)
    degenerate = (reason == "") & ~regular
    if binary and degenerate.any():
        chosen = degenerate[group // 2]
        moved = s + _one_reversed(group, ways[0], linear)
        other = _linearised(group[chosen], moved[chosen], people[chosen], [codes[chosen] for codes in ways], m)
        level = np.abs(other.difference) <= ROUNDING * other.scale
        t, df = np.where(degenerate, np.where(level, 0.0, other.t), t), np.where(degenerate, other.df[0], df)
        test[degenerate & ~np.isnan(t)] = REVERSED
    known = test != ""
    t, df = np.where(known, t, np.nan), np.where(known, df, np.nan)
    p = _arrays.t_p(t, df)
    for cells, way in zip(linear.cells, linear.ways[: len(ways)], strict=False):
        smallest = smallest_permutation_p(*way.in_groups.T)
        whole = degenerate & (way.in_groups.sum(axis=1) == way.clusters) & (p <= levels)
        asked = np.flatnonzero(whole & ((smallest <= levels) | (smallest > CONVENTIONAL_LEVEL)))
        for place, (name, permuted) in _permutations(asked.tolist(), cells, way).items():
            if permuted > p[place] and (permuted <= levels[place] or smallest[place] > CONVENTIONAL_LEVEL):
                p[place], test[place], t[place], df[place] = permuted, name, np.nan, np.nan
    untested = np.where(linear.fixed.any(axis=0), FIXED, TOGETHER)
    reason = np.where((reason == "") & ~known, untested, reason).astype(np.str_)
    interval_reason = _arrays.reasons((np.asarray(linear.fixed.any(axis=0)), FIXED), (~regular, TOGETHER))
    interval_reason = np.where(reason == "", interval_reason, reason)
    error = np.where(regular, np.sqrt(linear.variance[0]), np.nan)
    width = stdtrit(df, (1 + confidence) / 2) * error
    counts = np.stack([way.in_groups for way in linear.ways[: len(ways)]])
    return ClusterComparisons(
        difference=linear.difference,
        standard_error=error,
        df=df,
        t=t,
        p=p,
        low=linear.difference - width,
        high=linear.difference + width,
        **_ratios(linear, interval_reason, confidence),
        clusters_focal=counts[:, :, 0],
        clusters_reference=counts[:, :, 1],
        clusters=np.stack([way.clusters for way in linear.ways[: len(ways)]]),
        test=test.astype(np.str_),
        reason=reason,
        interval_reason=interval_reason,
        confidence=confidence,
    )


def _ratios(linear: "_Linearised", interval_reason: _arrays.Strings, confidence: float) -> dict[str, Any]:
    """Return the fields of the ratio."""
    focal, reference = linear.groups.mean[::2], linear.groups.mean[1::2]
    reason = _arrays.reasons(
        (~((reference > 0) & (focal >= 0)), NO_POSITIVE_MEAN),
        (focal == 0, ZERO_RATIO),
        (~(linear.variance[3] > ROUNDING**2), TOGETHER),
    )
    reason = np.where(interval_reason == "", reason, interval_reason)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where((reference > 0) & (focal >= 0), focal / reference, np.nan)
    error = np.where(reason == "", np.sqrt(linear.variance[3]), np.nan)
    df = np.where(reason == "", linear.df[3], np.nan)
    factor = np.exp(stdtrit(df, (1 + confidence) / 2) * error)
    return {
        "ratio": ratio,
        "ratio_low": ratio / factor,
        "ratio_high": ratio * factor,
        "log_standard_error": error,
        "log_df": df,
        "ratio_reason": reason,
    }


def _read(
    comparison: ArrayLike, focal: ArrayLike, total: ArrayLike, n: ArrayLike, clusters: Sequence[ArrayLike]
) -> tuple[_arrays.Ints, _arrays.Floats, _arrays.Floats, list[_arrays.Ints]]:
    """Return the group of each entry that has anybody in it, its sum, its people and its cluster each way."""
    arrays = [np.asarray(values) for values in (comparison, focal, total, n, *clusters)]
    if len(clusters) not in {1, 2} or arrays[0].ndim != 1 or any(each.shape != arrays[0].shape for each in arrays):
        shapes = ", ".join(str(each.shape) for each in arrays)
        message = f"Entries are one-dimensional arrays of one length with one or two clusterings, got {shapes}."
        raise ValueError(message)
    s, people = (each.astype(np.float64) for each in arrays[2:4])
    if not (np.isfinite(s).all() and np.isfinite(people).all() and (people >= 0).all()):
        message = "Sums must be finite, and numbers of people finite and not negative."
        raise ValueError(message)
    used = people > 0
    group = (2 * arrays[0].astype(np.int64) + ~arrays[1].astype(np.bool_))[used]
    ways = [np.unique(codes[used], return_inverse=True)[1].astype(np.int64) for codes in arrays[4:]]
    return group, s[used], people[used], ways


@dataclass(frozen=True)
class _Linearised:
    """Variances and degrees of freedom of the contrasts, over all ways; of two ways their intersection is the third."""

    groups: _Groups
    cells: list[_Cells]
    ways: list[_Way]
    variance: _arrays.Floats
    df: _arrays.Floats

    @property
    def difference(self) -> _arrays.Floats:
        return np.asarray(self.groups.mean[::2] - self.groups.mean[1::2])

    @property
    def scale(self) -> _arrays.Floats:
        """The larger mean, against which a standard error vanishes."""
        return np.asarray(np.abs(self.groups.mean.reshape(-1, 2)).max(axis=1))

    @property
    def fixed(self) -> _arrays.Flags:
        """Which groups don't vary between their clusters, focal and reference in rows."""
        return np.asarray(~(np.sqrt(self.variance[1:3]) > ROUNDING * self.scale))

    @property
    def t(self) -> _arrays.Floats:
        """The difference in standard errors, NaN where these vanish."""
        error = np.sqrt(self.variance[0])
        return np.asarray(self.difference / np.where(error > ROUNDING * self.scale, error, np.nan))


def _linearised(
    group: _arrays.Ints, sums: _arrays.Floats, n: _arrays.Floats, clusters: list[_arrays.Ints], comparisons: int
) -> _Linearised:
    size = _sums(group, n, 2 * comparisons)
    with np.errstate(invalid="ignore"):
        groups = _Groups(size, _sums(group, sums, 2 * comparisons) / size)
    if len(clusters) == 2:
        clusters = [*clusters, clusters[0] * (int(clusters[1].max(initial=0)) + 1) + clusters[1]]
    cells = [_cells(group, codes, sums, n) for codes in clusters]
    contrasts = _contrasts(groups)
    ways = [_way(groups, each, contrasts) for each in cells]
    variance, df = ways[0].variance, ways[0].df
    if len(ways) == 3:
        largest = np.maximum(variance, ways[1].variance)
        variance = np.maximum(variance + ways[1].variance - ways[2].variance, largest)
        df = np.minimum(df, ways[1].df)
    return _Linearised(groups, cells, ways, variance, df)


def _one_reversed(group: _arrays.Ints, codes: _arrays.Ints, linear: _Linearised) -> _arrays.Floats:
    """Return what to add to the sums of entries so that one decision of a group nears the other group's mean.

    The groups are those that don't vary, or the focal one where neither does so and the difference is the same in every
    cluster. The cluster is the one whose change leaves the least variance of the difference, the first way's.
    """
    cells, way, mean = linear.cells[0], linear.ways[0], linear.groups.mean
    step = np.sign(mean[cells.group ^ 1] - mean[cells.group])
    pull = np.where(cells.group % 2 == 0, step, -step) * way.a
    # ψ moves by pull (1 - h) in that cluster and by -pull h in each other one of the group.
    base = way.psi[cells.block] - pull * cells.n / linear.groups.n[cells.group]
    order = np.lexsort((pull * (pull + 2 * base), cells.group))
    first = order[np.diff(cells.group[order], prepend=-1) > 0]
    moved = linear.fixed.T.copy()
    moved[:, 0] |= ~moved.any(axis=1)
    first = first[moved.reshape(-1)[cells.group[first]]]
    added = np.zeros(group.size)
    added[np.unique(group * (int(codes.max()) + 1) + codes, return_index=True)[1][first]] = step[first]
    return added


def _contrasts(groups: _Groups) -> _arrays.Floats:
    """Return the weight of each group in the difference, in each of both means, and in the log of the ratio."""
    signs = np.tile([1.0, -1.0], groups.comparisons)
    positive = np.repeat((groups.mean.reshape(-1, 2) > 0).all(axis=1), 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([signs, signs > 0, signs < 0, np.where(positive, signs / groups.mean, 0.0)])


def _cells(group: _arrays.Ints, cluster: _arrays.Ints, sums: _arrays.Floats, n: _arrays.Floats) -> _Cells:
    width = int(cluster.max(initial=0)) + 1
    keys, place = np.unique(group * width + cluster, return_inverse=True)
    blocks, block = np.unique(keys // (2 * width) * width + keys % width, return_inverse=True)
    return _Cells(keys // width, block, blocks // width, _sums(place, sums, keys.size), _sums(place, n, keys.size))


def _sums(codes: _arrays.Ints, values: _arrays.Floats, size: int) -> _arrays.Floats:
    return np.asarray(np.bincount(codes, weights=values, minlength=size), dtype=np.float64)


def _way(groups: _Groups, cells: _Cells, contrasts: _arrays.Floats) -> _Way:
    """Return the CR2 variance of each contrast with Satterthwaite's degrees of freedom, and counts of clusters."""
    m, blocks = groups.comparisons, cells.comparison_of_block.size
    size = groups.n[cells.group]
    share = cells.n / size
    alone = share > 1 - ROUNDING
    # A group in one cluster has no variance there; the others are not held up by it.
    a = 1 / (size * np.sqrt(np.where(alone, 1.0, 1 - share)))
    residual = (cells.sums - cells.n * groups.mean[cells.group]) * a
    reference = cells.group % 2 == 1

    def of_block(values: _arrays.Floats) -> _arrays.Floats:
        return _sums(cells.block, values, blocks)

    def of_comparison(values: _arrays.Floats) -> _arrays.Floats:
        return _sums(cells.comparison_of_block, values, m)

    variance, df = np.empty((len(contrasts), m)), np.empty((len(contrasts), m))
    for row, weights in enumerate(contrasts):
        weight = weights[cells.group]
        variance[row] = of_comparison(of_block(weight * residual) ** 2)
        D = of_block(cells.n * (weight * a) ** 2)
        U = [of_block(np.where(side, cells.n * weight * a / np.sqrt(size), 0.0)) for side in (~reference, reference)]
        squares = [of_comparison(u * u) for u in U]
        trace = of_comparison(D) - squares[0] - squares[1]
        norm = of_comparison(D * (D - 2 * (U[0] ** 2 + U[1] ** 2)))
        norm += squares[0] ** 2 + squares[1] ** 2 + 2 * of_comparison(U[0] * U[1]) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            df[row] = trace**2 / norm
    in_groups = np.bincount(cells.group, minlength=2 * m).reshape(m, 2)
    clusters = np.bincount(cells.comparison_of_block, minlength=m)
    return _Way(
        variance=variance,
        df=df,
        psi=of_block(contrasts[0][cells.group] * residual),
        a=a,
        in_groups=in_groups,
        clusters=clusters,
        single=np.bincount(cells.group[alone] // 2, minlength=m) > 0,
    )


def smallest_permutation_p(focal: ArrayLike, reference: ArrayLike) -> _arrays.Floats:
    """Return the smallest p that a permutation of so many clusters can give.

    >>> smallest_permutation_p([3, 3], [3, 4]).round(4).tolist()  # 2/C(6, 3), as groups can change places; 1/C(7, 3)
    [0.1, 0.0286]
    """
    first, second = (np.asarray(count, dtype=np.float64) for count in (focal, reference))
    share = np.exp(gammaln(first + 1) + gammaln(second + 1) - gammaln(first + second + 1))
    return np.asarray(np.where(first == second, 2.0, 1.0) * share)


def _permutations(places: list[int], cells: _Cells, way: _Way) -> dict[int, tuple[str, float]]:
    """Return name and p of the permutation of whole clusters; comparisons of as many clusters share arrangements."""
    by_size: dict[tuple[int, int], list[int]] = {}
    for place in places:
        focal, reference = way.in_groups[place].tolist()
        by_size.setdefault((focal + reference, focal), []).append(place)
    results: dict[int, tuple[str, float]] = {}
    for (size, focal), alike in by_size.items():
        rows = np.searchsorted(cells.group, 2 * np.array(alike)) + np.arange(size)[:, None]
        sums, n = cells.sums[rows], cells.n[rows]
        # In one order, so that what is drawn is the same however clusters are numbered.
        order = np.lexsort((sums, n, np.broadcast_to(np.arange(size)[:, None] >= focal, n.shape)), axis=0)
        sums, n = (np.take_along_axis(values, order, axis=0) for values in (sums, n))

        def differences(chosen: _arrays.Floats, sums: _arrays.Floats = sums, n: _arrays.Floats = n) -> _arrays.Floats:
            s1, n1 = chosen @ sums, chosen @ n
            return np.asarray(np.abs(s1 / n1 - (sums.sum(axis=0) - s1) / (n.sum(axis=0) - n1)))

        least = differences((np.arange(size) < focal)[None].astype(np.float64))[0]
        least -= ROUNDING * np.abs(sums / n).max(axis=0)
        exact = comb(size, focal) <= MOST_ARRANGEMENTS
        arrangements = _arrangements(size, focal, exact=exact)
        counts = sum(
            (np.count_nonzero(differences(each) >= least, axis=0) for each in arrangements), np.zeros(len(alike))
        )
        p = counts / comb(size, focal) if exact else (counts + 1) / (DRAWS + 1)
        results |= {
            place: (ENUMERATED if exact else DRAWN, float(value)) for place, value in zip(alike, p, strict=True)
        }
    return results


def _arrangements(size: int, focal: int, *, exact: bool) -> Iterator[_arrays.Floats]:
    """Yield blocks of rows with 1 for the clusters that are the focal group's: all ways, or drawn by chance."""
    at_once = max(BLOCK // size, 1)
    every, rng = combinations(range(size), focal), np.random.default_rng(0)
    for start in range(0, comb(size, focal) if exact else DRAWS, at_once):
        if exact:
            chosen = np.fromiter(chain.from_iterable(islice(every, at_once)), dtype=np.int64).reshape(-1, focal)
        else:
            drawn = rng.random((min(at_once, DRAWS - start), size))
            chosen = np.argpartition(drawn, focal, axis=1)[:, :focal]
        rows = np.zeros((len(chosen), size))
        np.put_along_axis(rows, chosen, 1.0, axis=1)
        yield rows
