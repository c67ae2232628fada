"""Individual fairness: whether similar people are decided alike, also where their groups differ."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Floats, Ints
from evenhand.stats.cluster_robust import t_interval

#: A person's nearest people are similar: so many, and at most this share of all.
NEAREST, NEAREST_SHARE, FEWEST_NEAREST = 30, 0.05, 5
#: People whose neighbours are looked for at most, among all.
ANCHORS = 10_000
#: Changes of group among a person's nearest people that count, there and back.
CHANGES = 2
#: The least variance, as a share of the sum over clusters: of few pairs the difference may be 0 or less.
FLOOR = 0.5
#: Rows of distances at a time, and the most coordinates for which a tree is faster.
ROWS, TREE = 256, 8
#: People of one cluster that are passed over among neighbours.
MOST_PASSED_OVER = 50
#: How far equal people are moved apart so that chance orders them, and the distance that counts as none.
JITTER, IDENTICAL = 1e-5, 1e-9
METHOD = "dyadic cluster-robust t"


@dataclass(frozen=True, kw_only=True)
class Neighbours:
    """The people nearest to each of some `anchors`, the nearest first, and their distances, both (anchors, k).

    An index of -1 stands where there are no more.
    """

    anchors: Ints
    index: Ints
    distance: Floats


@dataclass(frozen=True, kw_only=True)
class SimilarShare:
    """The share of pairs of similar people with different decisions, of so many people and pairs."""

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    pairs: int = 0
    distance: float | None = None
    method: str = METHOD
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class SimilarAcross:
    """Share of similar pairs decided differently across groups, minus that within groups.

    `n` people with both kinds of neighbours are compared, by `pairs` of either kind; `distance_across` and
    `distance_within` are their mean distances. `chosen` is, by group, the share of its pairs across groups decided
    differently in which its own member was selected.
    """

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    p: float | None = None
    df: float | None = None
    across: float | None = None
    within: float | None = None
    distance_across: float | None = None
    distance_within: float | None = None
    chosen: tuple[float | None, ...]
    n: int = 0
    pairs: int = 0
    method: str = METHOD
    reason: str | None


NO_NEIGHBOURS = "Among nobody's similar people does the group change twice between the own and another one."


def neighbours(
    points: ArrayLike,
    cluster: ArrayLike,
    *,
    norm: Literal[1, 2] = 1,
    within: float = np.inf,
    rng: np.random.Generator,
) -> Neighbours:
    """Return each person's nearest people: 30 of them, 5 % of all at most, 5 at least, none of the own cluster.

    `points` has shape (people, coordinates), `cluster` a code per person; nobody farther than `within` is returned.
    Of more than 10,000 people so many are drawn whose nearest are looked for among all. Chance orders equal distances.

    >>> found = neighbours([[0.0], [0.1], [0.9], [1.0]], [0, 1, 2, 3], rng=np.random.default_rng(0), within=0.5)
    >>> found.index.tolist()
    [[1], [0], [3], [2]]
    """
    exact, codes = np.asarray(points, dtype=np.float64), np.asarray(cluster)
    people = exact.shape[0]
    anchors = np.sort(rng.permutation(people)[:ANCHORS])
    largest = int(np.bincount(codes).max()) if people else 0
    nearest = min(max(FEWEST_NEAREST, min(NEAREST, int(np.ceil(NEAREST_SHARE * people)))), max(people - 1, 0))
    found = min(nearest + min(largest, MOST_PASSED_OVER), people)
    if not nearest:
        nobody = np.zeros((people, 0))
        return Neighbours(anchors=anchors, index=nobody.astype(np.int64), distance=nobody)
    moved = np.column_stack([exact, JITTER * rng.random(people)])
    index = _tree(moved, anchors, found, norm) if exact.shape[1] <= TREE else _blocks(moved, anchors, found, norm)
    distance = np.stack(
        [np.linalg.norm(exact[index[:, at]] - exact[anchors], ord=norm, axis=1) for at in range(found)], 1
    )
    usable = (codes[index] != codes[anchors, None]) & (distance <= within + IDENTICAL)
    order = np.argsort(~usable, axis=1, kind="stable")
    index, distance = (np.take_along_axis(values, order, 1) for values in (np.where(usable, index, -1), distance))
    most = min(nearest, int(usable.sum(axis=1).max(initial=0)))
    return Neighbours(anchors=anchors, index=index[:, :most], distance=distance[:, :most])


def _tree(points: Floats, anchors: Ints, count: int, norm: int) -> Ints:
    from scipy.spatial import cKDTree  # noqa: PLC0415 - takes long, and few commands need it

    index = cKDTree(points).query(points[anchors], k=count, p=norm)[1]
    return np.asarray(index, dtype=np.int64).reshape(len(anchors), count)


def _blocks(points: Floats, anchors: Ints, count: int, norm: int) -> Ints:
    """Return the nearest by all distances, some rows at a time."""
    every = points.astype(np.float32)
    squares = (every**2).sum(axis=1)
    index = np.empty((len(anchors), count), dtype=np.int64)
    for begin in range(0, len(anchors), ROWS):
        some = every[anchors[begin : begin + ROWS]]
        if norm == 1:
            far = np.zeros((len(some), len(every)), dtype=np.float32)
            for coordinate, all_of in zip(some.T, every.T, strict=True):
                far += np.abs(coordinate[:, None] - all_of[None, :])
        else:
            far = squares[None, :] - 2 * some @ every.T
        nearest = np.argpartition(far, count - 1, axis=1)[:, :count]
        order = np.argsort(np.take_along_axis(far, nearest, axis=1), axis=1)
        index[begin : begin + ROWS] = np.take_along_axis(nearest, order, axis=1)
    return index


def similar_share(
    found: Neighbours, selected: ArrayLike, cluster: ArrayLike, *, confidence: float = 0.95
) -> SimilarShare:
    """Return the share of each person's nearest people who were decided differently, the mean over people.

    Formula: one minus Zemel et al.'s consistency of decisions. The interval is that of `similar_across`.
    Fails: null without neighbours; no interval where no pair, or every pair, is decided differently.

    Reference: Zemel, Wu, Swersky, Pitassi and Dwork (2013), Learning Fair Representations, ICML, 325-333.

    >>> found = neighbours([[0.0], [0.1], [0.9], [1.0]], [0, 1, 2, 3], rng=np.random.default_rng(0), within=0.5)
    >>> similar_share(found, [False, True, True, True], [0, 1, 2, 3]).estimate
    0.5
    """
    there = found.index >= 0
    row, at = np.nonzero(there)
    people = int(there.any(axis=1).sum())
    if not people:
        return SimilarShare(reason="No two people are similar.")
    first, second = found.anchors[row], found.index[row, at]
    weight = 1 / (there.sum(axis=1)[row] * people)
    decided = np.asarray(selected, dtype=np.bool_)
    different = decided[first] != decided[second]
    share = float(weight @ different)
    codes = np.asarray(cluster)
    variance, df = _dyadic_variance(codes[first], codes[second], weight * (different - share))
    interval = t_interval(share, variance, df, confidence=confidence)
    return SimilarShare(
        estimate=share,
        low=None if interval.low is None else max(interval.low, 0.0),
        high=None if interval.high is None else min(interval.high, 1.0),
        n=people,
        pairs=len(row),
        distance=float(weight @ found.distance[row, at]),
        reason=interval.reason,
    )


def similar_across(
    found: Neighbours, group: ArrayLike, selected: ArrayLike, cluster: ArrayLike, *, confidence: float = 0.95
) -> SimilarAcross:
    """Return how much oftener similar people of different groups are decided differently than those of one group.

    `group` has codes (-1: unknown, passed over). Going through a person's nearest people outwards, the first change
    from the own group to another, or back, gives two pairs: the person with the last one before and with the first one
    after it. So does the next change, which goes the other way. In either two pairs one is across groups and one
    within, and the pair across is the farther one once and the nearer one once: neither kind lies farther apart but by
    chance, and both have the same person. Who has fewer than two changes is passed over.

    Formula: D is the mean of y_across - y_within, y being 1 where the two were decided differently. With ψ the weighted
    deviation of a pair from the share of its kind, negative within, the variance is
    G/(G - 1) {Σ_c (Σ_{pairs of c} ψ)² - Σ_{c,c'} (Σ_{pairs of c and c'} ψ)²}, at least half of the first sum: pairs are
    dependent where they have a person, or cluster, in common. The interval and the test use t on G - 1 degrees of
    freedom.
    Assumes that people, or clusters, are independent, and that groups mix within a person's neighbourhood. Where groups
    differ in the columns and the nearest are far (many columns, few people), similar people of two groups differ in
    the columns, too. Of 200 samples of 60, 200 or 1,000 people in 2 columns, who were decided by these columns alone
    while the groups followed one of them, the test claimed a difference in 1 to 5 %; in 5 columns in 4 %.
    Fails: null where nobody has two changes; no interval where pairs do not vary.

    References: Dwork, Hardt, Pitassi, Reingold and Zemel (2012), Fairness through Awareness, ITCS, 214-226; Luong,
    Ruggieri and Turini (2011), k-NN as an Implementation of Situation Testing, KDD, 502-510; Aronow, Samii and Assenova
    (2015), Political Analysis 23, 564-577 (dyadic variance). The pairs at changes are ours.
    """
    codes, groups, decided = np.asarray(cluster), np.asarray(group), np.asarray(selected, dtype=np.bool_)
    own_group = groups[found.anchors][:, None]
    there = (found.index >= 0) & (groups[found.index] >= 0) & (own_group >= 0)
    order = np.argsort(~there, axis=1, kind="stable")
    index, distance = (np.take_along_axis(values, order, 1) for values in (found.index, found.distance))
    there = np.take_along_axis(there, order, 1)
    own = groups[index] == own_group
    change = (own[:, 1:] != own[:, :-1]) & there[:, 1:]
    enough = change.sum(axis=1) >= CHANGES
    row, at = np.nonzero(change & (np.cumsum(change, axis=1) <= CHANGES) & enough[:, None])
    people = int(enough.sum())
    count = int(groups.max(initial=-1)) + 1
    if not people:
        return SimilarAcross(chosen=(None,) * count, reason=NO_NEIGHBOURS)
    weight, anchor, before = np.full(len(row), 1 / len(row)), found.anchors[row], own[row, at]
    places = {"across": np.where(before, at + 1, at), "within": np.where(before, at, at + 1)}
    other = {kind: index[row, place] for kind, place in places.items()}
    different = {kind: decided[anchor] != decided[people_of] for kind, people_of in other.items()}
    share = {kind: float(weight @ values) for kind, values in different.items()}
    far = {kind: float(weight @ distance[row, place]) for kind, place in places.items()}
    psi = [sign * weight * (different[kind] - share[kind]) for kind, sign in (("across", 1.0), ("within", -1.0))]
    variance, df = _dyadic_variance(
        np.tile(codes[anchor], 2), codes[np.concatenate(list(other.values()))], np.concatenate(psi)
    )
    estimate = share["across"] - share["within"]
    interval = t_interval(estimate, variance, df, confidence=confidence)
    apart = different["across"]
    winner = np.where(decided[anchor], anchor, other["across"])[apart]
    loser = np.where(decided[anchor], other["across"], anchor)[apart]
    won, lost = (np.bincount(groups[side], weight[apart], minlength=count) for side in (winner, loser))
    return SimilarAcross(
        estimate=estimate,
        low=interval.low,
        high=interval.high,
        statistic=interval.t,
        p=interval.p,
        df=float(df),
        across=share["across"],
        within=share["within"],
        distance_across=far["across"],
        distance_within=far["within"],
        chosen=tuple(float(a / (a + b)) if a + b else None for a, b in zip(won, lost, strict=True)),
        n=people,
        pairs=len(row),
        reason=interval.reason,
    )


def _dyadic_variance(first: Ints, second: Ints, psi: Floats) -> tuple[float, int]:
    """Return the variance of the sum of ψ over pairs of clusters, and its degrees of freedom."""
    codes = np.unique(np.concatenate([first, second]), return_inverse=True)[1]
    a, b = codes[: len(first)], codes[len(first) :]
    size = int(codes.max()) + 1
    of_cluster = np.bincount(a, psi, minlength=size) + np.bincount(b, psi, minlength=size)
    pair = np.unique(np.minimum(a, b) * size + np.maximum(a, b), return_inverse=True)[1]
    clusters, pairs = float((of_cluster**2).sum()), float((np.bincount(pair, psi) ** 2).sum())
    return max(clusters - pairs, FLOOR * clusters) * size / max(size - 1, 1), size - 1


@dataclass(frozen=True, kw_only=True)
class LargestQuotient:
    """The largest difference of scores per distance among similar people, and the two people; None without a pair.

    Of `identical` pairs without a distance, `identical_apart` have different scores.
    """

    estimate: float | None
    pair: tuple[int, int] | None
    distance: float | None
    identical: int
    identical_apart: int


def largest_quotient(found: Neighbours, score: ArrayLike) -> LargestQuotient:
    """Return the largest |difference of scores| / distance of similar people (Lipschitz quotient), and the two.

    Reference: Dwork et al. (2012), as in `similar_across`.

    >>> found = neighbours([[0.0], [0.1], [0.9], [1.0]], [0, 1, 2, 3], rng=np.random.default_rng(0), within=0.5)
    >>> largest_quotient(found, [0.2, 0.4, 0.9, 0.95]).pair
    (0, 1)
    """
    scores = np.asarray(score, dtype=np.float64)
    row, at = np.nonzero(found.index >= 0)
    first, second, far = found.anchors[row], found.index[row, at], found.distance[row, at]
    gap, equal = np.abs(scores[first] - scores[second]), far <= IDENTICAL
    pairs = {
        tuple(sorted(pair)): apart
        for *pair, apart in zip(first[equal].tolist(), second[equal].tolist(), gap[equal] > 0, strict=True)
    }
    quotient = np.where(equal, -1.0, gap / np.where(equal, 1.0, far))
    largest = int(np.argmax(quotient)) if quotient.size and not equal.all() else None
    return LargestQuotient(
        estimate=None if largest is None else float(quotient[largest]),
        pair=None if largest is None else (int(first[largest]), int(second[largest])),
        distance=None if largest is None else float(far[largest]),
        identical=len(pairs),
        identical_apart=sum(map(bool, pairs.values())),
    )
