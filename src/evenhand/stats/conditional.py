"""Logistic regression conditional on how many of each stratum were selected: for many small strata."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.logistic import bias_reduced, independent_columns, information_root
from evenhand.stats.special import stdtrit

#: More numbers than this are too many to enumerate; strata so large need no conditioning.
MOST_NUMBERS = 3e8
ITERATIONS, ARRIVED, LONGEST_STEP = 50, 1e-9, 5.0

CONDITIONAL_WALD, SCORE, CLUSTERED = "Wald, conditional", "Score test, conditional", "CR2 t of the conditional log odds"
#: Coefficients that still move by so much have no finite estimate, and those of which so little information is left.
MOVING, LEAST_INFORMATION = 1e-3, 1e-6
NO_STRATUM = "In no stratum were some selected and some not."
CONSTANT = "The column does not vary within strata, or is a combination of columns before it."
INFINITE = (
    "Within strata the column separates people who were selected from those who were not, so the odds ratio is not "
    "finite."
)
CROSSING = "People of one stratum are in several clusters, which this estimator can't take into account."
TOO_MANY = "The strata are too large to enumerate."


@dataclass(frozen=True, kw_only=True)
class ConditionalLogistic:
    """Log odds of each column, NaN where `reasons` says why; `n`, `strata` and `clusters` are those that inform.

    `df` is infinite for independent people; `test` names the test of each `p`, '' without one.
    """

    estimate: _arrays.Floats
    standard_error: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    statistic: _arrays.Floats
    df: _arrays.Floats
    p: _arrays.Floats
    reasons: tuple[str, ...]
    test: tuple[str, ...]
    n: int
    strata: int
    clusters: int
    confidence: float
    method: str


def conditional_logistic(
    design: ArrayLike,
    stratum: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> ConditionalLogistic:
    """Return coefficients in log odds, given how many people of each stratum were selected.

    A row of `design` (rows, columns; no intercept) is `trials` people of one `stratum` (codes), `successes` of them
    selected; `clusters` are codes by row.
    Formula: in a stratum of M people of whom K were selected the likelihood is exp(Σ x β over the selected) over the
    same of all C(M, K) ways to select K, summed by recursion (Gail, Lubin and Rubinstein 1981). An intercept per
    stratum, estimated, would draw odds ratios of many small strata away from 1: of pairs to their square. Wald's test,
    or Rao's score test of a column without a finite estimate; with clusters CR2 from the strata's scores, t on
    Satterthwaite's degrees of freedom.
    Assumes independent people (or clusters) and one odds ratio in all strata.
    Fails: null for a column that is the same for all of each stratum, where it has no finite estimate, where a stratum
    lies in several clusters, and where strata are too large to enumerate: there regression with intercepts does as
    well.

    References: Breslow and Day (1980), Statistical Methods in Cancer Research 1, chapter 7; Gail, Lubin and Rubinstein
    (1981), Biometrika 68, 703-707.

    Ten pairs of one person of each group, one of them selected: the focal one in 2, so that the odds are 2 to 8.

    >>> pair = np.repeat(np.arange(10), 2)
    >>> selected = np.where(pair < 2, [1, 0] * 10, [0, 1] * 10)
    >>> fit = conditional_logistic([[1], [0]] * 10, pair, selected, np.ones(20, dtype=int))
    >>> round(float(np.exp(fit.estimate[0])), 6), round(float(fit.standard_error[0] ** 2), 6)  # 1/2 + 1/8
    (0.25, 0.625)
    """
    _arrays.check_confidence(confidence)
    _, (s, n) = _arrays.read_counts(successes=successes, trials=trials)
    _arrays.check_selected(s, n, "successes", "trials")
    X, codes = np.asarray(design, dtype=np.float64), np.unique(np.asarray(stratum), return_inverse=True)[1]
    if X.ndim != 2 or len(X) != n.size or not np.isfinite(X).all():
        raise ValueError(f"design must be finite, with a row per cell, got {X.shape} for {n.shape}.")
    size, won = (np.bincount(codes, weights=counts) for counts in (n, s))
    used = ((won > 0) & (won < size))[codes] & (n > 0)
    X, s, n = X[used], s[used], n[used]
    codes = np.unique(codes[used], return_inverse=True)[1].astype(np.int64)
    strata = int(codes.max(initial=-1)) + 1
    means = np.stack([np.bincount(codes, weights=n * column, minlength=strata) for column in X.T], 1) if X.size else X
    sizes = np.bincount(codes, weights=n, minlength=strata)
    scale = np.maximum(np.abs(X).max(axis=0, initial=0.0), 1e-300)
    X = (X - (means / np.maximum(sizes, 1)[:, None])[codes]) / scale
    X[np.abs(X) < ROUNDING] = 0.0
    kept = independent_columns(X)
    reasons = np.where(kept, "", CONSTANT).astype(object)
    selected = np.bincount(codes, weights=s, minlength=strata)
    ways = None if clusters is None else np.asarray(clusters)[used]
    reason = NO_STRATUM if not strata else None
    if reason is None and float((sizes * (selected + 1)).sum()) * (int(kept.sum()) + 1) ** 2 > MOST_NUMBERS:
        reason = TOO_MANY
    if reason is None and ways is not None and _crossing(codes, ways):
        reason = CROSSING
    estimate, error, df, statistic = (np.full(kept.size, np.nan) for _ in range(4))
    if reason is not None:
        reasons[kept] = reason
    elif kept.any():
        people = _people(X[:, kept], codes, s, n)
        maximum = _maximum(people)
        df[kept] = np.inf
        root = information_root(maximum.information.sum(axis=0))
        errors = np.linalg.norm(root, axis=1)
        if ways is not None:
            errors, df[kept] = _of_clusters(maximum, root, codes, ways)
        finite = np.flatnonzero(kept)[~maximum.moving]
        reasons[np.flatnonzero(kept)[maximum.moving]] = INFINITE
        estimate[finite], error[finite] = (values[~maximum.moving] / scale[finite] for values in (maximum.at, errors))
        statistic = estimate / error
        if ways is None:
            for place in np.flatnonzero(maximum.moving):
                statistic[np.flatnonzero(kept)[place]] = _score_z(people, int(place))
    half = stdtrit(np.where(df >= 1, df, np.nan), (1 + confidence) / 2) * error
    names = [CONDITIONAL_WALD if ways is None else CLUSTERED, SCORE]
    return ConditionalLogistic(
        estimate=estimate,
        standard_error=error,
        low=estimate - half,
        high=estimate + half,
        statistic=statistic,
        df=df,
        p=_arrays.t_p(statistic, df),
        reasons=tuple(str(text) for text in reasons),
        test=tuple("" if np.isnan(t) else names[int(np.isnan(at))] for t, at in zip(statistic, estimate, strict=True)),
        n=int(n.sum()),
        strata=strata,
        clusters=0 if ways is None else np.unique(ways).size,
        confidence=confidence,
        method="conditional logistic regression",
    )


#: Rounding of a column's mean within a stratum, columns scaled to 1.
ROUNDING = 1e-12


def _crossing(codes: _arrays.Ints, clusters: _arrays.Ints) -> bool:
    """Return whether a stratum has people of several clusters."""
    return bool(np.unique(np.column_stack([codes, clusters]), axis=0).shape[0] > codes.max() + 1)


@dataclass(frozen=True)
class _People:
    """Strata of similar size: people side by side (strata, most people, columns), nobody as NaN; selected and sums."""

    strata: _arrays.Ints
    X: _arrays.Floats
    present: _arrays.Flags
    selected: _arrays.Ints
    observed: _arrays.Floats


def _people(X: _arrays.Floats, codes: _arrays.Ints, s: _arrays.Ints, n: _arrays.Ints) -> list[_People]:
    """Return the people of all strata, strata of a size up to the same power of 2 together."""
    order = np.argsort(codes, kind="stable")
    person = np.repeat(order, n[order])
    sizes = np.bincount(codes, weights=n).astype(np.int64)
    selected = np.bincount(codes, weights=s).astype(np.int64)
    observed = np.stack([np.bincount(codes, weights=s * column) for column in X.T], axis=1).astype(np.float64)
    starts = np.cumsum(sizes) - sizes
    classes = np.ceil(np.log2(sizes)).astype(np.int64)
    blocks = []
    for number in np.unique(classes):
        strata = np.flatnonzero(classes == number)
        place = np.arange(sizes[strata].max())
        present = place < sizes[strata, None]
        at = np.where(present, starts[strata, None] + place, 0)
        blocks.append(_People(strata, X[person[at]] * present[:, :, None], present, selected[strata], observed[strata]))
    return blocks


@dataclass(frozen=True)
class _Maximum:
    """Coefficients, the score and the information of each stratum there, and which coefficients still moved."""

    at: _arrays.Floats
    scores: _arrays.Floats
    information: _arrays.Floats
    moving: _arrays.Flags


def _maximum(blocks: list[_People], fitted: _arrays.Flags | None = None) -> _Maximum:
    """Return the maximum of the likelihood, other coefficients than those `fitted` being 0."""
    columns, strata = blocks[0].X.shape[2], sum(block.strata.size for block in blocks)
    free = np.ones(columns, dtype=np.bool_) if fitted is None else fitted
    beta, step = np.zeros(columns), np.zeros(columns)
    scores, information = np.zeros((strata, columns)), np.zeros((strata, columns, columns))
    first = np.zeros(columns)
    for iteration in range(ITERATIONS):
        for block in blocks:
            scores[block.strata], information[block.strata] = _derivatives(block, beta)
        if not iteration:
            first = np.diag(information.sum(axis=0))
        whole = information.sum(axis=0)[np.ix_(free, free)]
        step[free] = np.linalg.pinv(whole, hermitian=True) @ scores.sum(axis=0)[free]
        longest = float(np.abs(step).max())
        if longest < ARRIVED:
            break
        beta = beta + step / max(1.0, longest / LONGEST_STEP)
    left = np.diag(information.sum(axis=0))
    return _Maximum(beta, scores, information, free & ((np.abs(step) > MOVING) | (left < LEAST_INFORMATION * first)))


def _score_z(blocks: list[_People], column: int) -> float:
    """Return Z of the score test of one column beside all others, NaN where there is none."""
    others = np.arange(blocks[0].X.shape[2]) != column
    null = _maximum(blocks, others)
    information = null.information.sum(axis=0)
    cross = information[column, others]
    own = information[column, column] - cross @ np.linalg.pinv(information[np.ix_(others, others)]) @ cross
    if null.moving.any() or own <= 0:
        return np.nan
    return float(null.scores[:, column].sum() / np.sqrt(own))


def _of_clusters(
    maximum: _Maximum, root: _arrays.Floats, codes: _arrays.Ints, clusters: _arrays.Ints
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return CR2's standard errors and degrees of freedom; each stratum lies in one cluster."""
    of_stratum = np.zeros(len(maximum.scores), dtype=np.int64)
    of_stratum[codes] = np.unique(clusters, return_inverse=True)[1]
    information = np.zeros((of_stratum.max() + 1, root.shape[1], root.shape[1]))
    np.add.at(information, of_stratum, root.T @ maximum.information @ root)
    scores = np.zeros(information.shape[:2])
    np.add.at(scores, of_stratum, maximum.scores @ root)
    return bias_reduced([(information, scores)], root)


def _derivatives(block: _People, beta: _arrays.Floats) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return the score and the information of each stratum, by adding one person after the other."""
    size, most = block.present.shape[0], int(block.selected.max())
    columns = beta.size
    f = np.zeros((size, most + 1))
    f[:, 0] = 1.0
    g, h = np.zeros((size, most + 1, columns)), np.zeros((size, most + 1, columns, columns))
    odds = np.exp(block.X @ beta) * block.present
    for person in range(block.present.shape[1]):
        w, x = odds[:, person, None], block.X[:, person, None]
        moved = g[:, :-1] + x * f[:, :-1, None]
        outer = x[..., :, None] * g[:, :-1, None, :]
        second = h[:, :-1] + outer + outer.swapaxes(2, 3) + x[..., :, None] * x[..., None, :] * f[:, :-1, None, None]
        h[:, 1:] += w[..., None, None] * second
        g[:, 1:] += w[..., None] * moved
        f[:, 1:] += w * f[:, :-1]
        largest = f.max(axis=1)
        f, g, h = f / largest[:, None], g / largest[:, None, None], h / largest[:, None, None, None]
    at = np.arange(size), block.selected
    mean = g[at] / f[at][:, None]
    return block.observed - mean, h[at] / f[at][:, None, None] - mean[:, :, None] * mean[:, None, :]
