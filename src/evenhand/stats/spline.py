"""A selection rate along a number, such as age: a logistic regression on a natural cubic spline."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.cluster_robust import multiway_variance
from evenhand.stats.logistic import likelihood_ratio, logistic_counts
from evenhand.stats.several_groups import wald_test
from evenhand.stats.special import expit, stdtrit

#: Shares of the people below the knots (Harrell's of four knots), and the fewest different values for them.
KNOTS = (0.05, 0.35, 0.65, 0.95)
FEWEST_VALUES = 6
FEW_VALUES = f"There are fewer than {FEWEST_VALUES} different values, too few for a curve."
SEPARATED = "Everybody, or nobody, is selected on one side of a value, so there is no curve."
LIKELIHOOD, CLUSTERED = "likelihood ratio", "Wald, clustered"


@dataclass(frozen=True, kw_only=True)
class RateCurve:
    """The rate at each of `at` with its band, and whether it varies at all, and otherwise than in a line of log odds.

    `odds_ratio` is that of one unit in the model of a line, with its `p_line`. Of clusters the tests are Wald's F.
    """

    at: _arrays.Floats
    rate: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    knots: tuple[float, ...] = ()
    association: float | None = None
    p_association: float | None = None
    curvature: float | None = None
    p_curvature: float | None = None
    odds_ratio: float | None = None
    odds_low: float | None = None
    odds_high: float | None = None
    line: float | None = None
    p_line: float | None = None
    clusters: int | None = None
    n: int
    test: str
    confidence: float
    reason: str | None = None


def rate_curve(
    value: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    at: ArrayLike,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> RateCurve:
    """Return the selection rate along a number, and the tests of any association and of a straight line.

    Rows are counts at a value; `clusters` are their codes, where people are not independent.
    Formula: logit p(x) = β0 + β1 x + β2 s2(x) + β3 s3(x), a natural cubic spline with knots t1 … t4 at 5, 35, 65 and
    95 % of the people: s_j(x) = ((x - t_{j-1})³₊ - (x - t3)³₊ (t4 - t_{j-1})/(t4 - t3) + (x - t4)³₊ (t3 - t_{j-1})/
    (t4 - t3))/(t4 - t1)², a line beyond the outer knots. The band is β ± z SE of the log odds at x. Any association:
    twice the log likelihood lost without x (χ², 3 df); a line: without s2 and s3 (2 df). With clusters V = G/(G - 1)
    Σ ψ_g ψ_g' of their influences, bands with t on G - 1, and Hotelling's F in place of χ².
    Assumes a smooth rate, and 30 clusters or more. Fails: null with a reason below 6 different values, where nobody or
    everybody is selected, or where a value separates those selected.

    Reference: Harrell (2015), Regression Modeling Strategies, 2nd edition, section 2.4.5.

    Log odds that fall by .05 a year are a line.

    >>> years = np.arange(20, 70)
    >>> curve = rate_curve(years, np.round(1000 * expit(1 - 0.05 * years)), np.full(50, 1000), at=[30, 60])
    >>> curve.rate.round(2).tolist(), round(curve.odds_ratio, 2), curve.p_curvature > 0.9, curve.p_association < 1e-9
    ([0.38, 0.12], 0.95, True, True)
    """
    _arrays.check_confidence(confidence)
    x, y, n = (np.asarray(values, dtype=np.float64) for values in (value, successes, trials))
    places = np.asarray(at, dtype=np.float64)
    nothing = np.full(places.shape, np.nan)
    test = LIKELIHOOD if clusters is None else CLUSTERED
    result = RateCurve(
        at=places, rate=nothing, low=nothing, high=nothing, n=int(n.sum()), test=test, confidence=confidence
    )

    def failed(reason: str) -> RateCurve:
        return RateCurve(**{**vars(result), "reason": reason})

    if np.unique(x[n > 0]).size < FEWEST_VALUES:
        return failed(FEW_VALUES)
    order = np.argsort(x, kind="stable")
    up_to = np.cumsum(n[order]) / n.sum()
    knots = x[order][np.minimum(np.searchsorted(up_to, KNOTS), x.size - 1)]
    if np.unique(knots).size < len(KNOTS):
        knots = np.quantile(np.unique(x[n > 0]), KNOTS)
    design = _basis(x, knots)
    counts = y.astype(np.int64), n.astype(np.int64)
    whole = logistic_counts(design, *counts, names=["constant", "x", "x", "x"], confidence=confidence)
    if whole.reason is not None or np.isnan(whole.estimate).any():
        return failed(whole.reason or SEPARATED)
    line = logistic_counts(design[:, :2], *counts, names=["constant", "x"], confidence=confidence)
    beta, contrast = whole.estimate, _basis(places, knots)
    slope, slope_error = float(line.estimate[1]), float(line.standard_error[1])
    reach = _arrays.normal_quantile(confidence)
    if clusters is None:
        covariance = np.linalg.inv(_information(design, n, expit(design @ beta)))
        error = np.sqrt(np.einsum("ij,jk,ik->i", contrast, covariance, contrast))
        constant = logistic_counts(design[:, :1], *counts, names=["constant"])
        found = [likelihood_ratio(whole, smaller) for smaller in (constant, line)]
        tests, number, p_line = [(each.statistic, each.p) for each in found], None, float(line.p[1])
    else:
        codes = np.unique(np.asarray(clusters), return_inverse=True)[1].ravel()
        psi, of_line = _influence(design, y, n, beta), _influence(design[:, :2], y, n, line.estimate)[:, 1]
        variances = multiway_variance(np.column_stack([psi @ contrast.T, of_line]), [codes])
        error, number = np.sqrt(variances.variance), variances.clusters[0]
        reach = float(stdtrit(max(number - 1, 1), (1 + confidence) / 2))
        whole_test, curve_test = (wald_test(beta[first:], psi[:, first:], codes) for first in (1, 2))
        if whole_test.reason is not None:
            return failed(whole_test.reason)
        tests = [(each.statistic, each.p) for each in (whole_test, curve_test)]
        error, slope_error = error[:-1], float(error[-1])
        p_line = float(_arrays.t_p(slope / slope_error, number - 1))
    log_odds = contrast @ beta
    ends = np.exp([slope, slope - reach * slope_error, slope + reach * slope_error]).tolist()
    return RateCurve(
        at=places,
        rate=expit(log_odds),
        low=expit(log_odds - reach * error),
        high=expit(log_odds + reach * error),
        knots=tuple(knots.tolist()),
        association=tests[0][0],
        p_association=tests[0][1],
        curvature=tests[1][0],
        p_curvature=tests[1][1],
        odds_ratio=ends[0],
        odds_low=ends[1],
        odds_high=ends[2],
        line=slope / slope_error,
        p_line=p_line,
        clusters=number,
        n=int(n.sum()),
        test=test,
        confidence=confidence,
    )


def _basis(x: _arrays.Floats, knots: _arrays.Floats) -> _arrays.Floats:
    """Return a constant, x and the two curved columns of the natural spline."""
    first, *_, before, last = knots

    def cubed(knot: float) -> _arrays.Floats:
        return np.asarray(np.maximum(x - knot, 0.0) ** 3)

    curved = [
        (
            cubed(knot)
            - cubed(before) * (last - knot) / (last - before)
            + cubed(last) * (before - knot) / (last - before)
        )
        / (last - first) ** 2
        for knot in knots[:-2]
    ]
    return np.column_stack([np.ones(x.shape), x, *curved])


def _information(design: _arrays.Floats, n: _arrays.Floats, p: _arrays.Floats) -> _arrays.Floats:
    return np.asarray((design * (n * p * (1 - p))[:, None]).T @ design)


def _influence(design: _arrays.Floats, y: _arrays.Floats, n: _arrays.Floats, beta: _arrays.Floats) -> _arrays.Floats:
    p = expit(design @ beta)
    return np.asarray(design * (y - n * p)[:, None] @ np.linalg.inv(_information(design, n, p)))
