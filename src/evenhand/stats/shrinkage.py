"""Ratios of selection rates in many small places, shrunk towards what the places have in common (empirical Bayes)."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.rates import FOUR_FIFTHS
from evenhand.stats.special import betaincinv, xlogy

#: Log ratios of the grid, the means and the standard deviations between places that are averaged over.
STEP = 0.02
LOG_RATIOS = STEP * np.arange(-200, 201)
MEANS, SPREADS = np.arange(-50, 51) * 0.04, np.geomspace(0.02, 1.5, 14)
#: Rates of the reference in one place that are averaged over, at equally spaced probabilities.
RATES = 32
#: People of a group in one place count as up to so many, so that the grid is finer than what they show.
MOST_PEOPLE = 10_000.0
#: People added to a place where rates vary by chance alone, and the fewest where they vary most.
MOST_MORE, FEWEST_MORE = 1e6, 0.5
#: Places that show how much places differ; of fewer nothing is shrunk.
FEWEST_PLACES = 3
AT_ONCE = 100
FEW_PLACES = f"Fewer than {FEWEST_PLACES} places have a ratio, so nothing shows how much places differ."
NO_RATIO = "A group has nobody here, or nobody of either was selected."


@dataclass(frozen=True, kw_only=True)
class ShrunkenRatios:
    """Focal rate over reference rate of each place: median and central interval of its posterior.

    `below` is the posterior probability of a ratio below four fifths. `mean` and `spread` are the geometric mean of the
    ratio over places and the standard deviation of its logarithm between them, None without enough places.
    """

    estimate: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    below: _arrays.Floats
    mean: float | None
    spread: float | None
    places: int
    confidence: float
    method: str
    reason: _arrays.Strings


def shrunken_ratios(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    effect: float = 1.0,
    confidence: float = 0.95,
) -> ShrunkenRatios:
    """Return the ratio of two selection rates in every place, with what all places say of any.

    Formula: in place i the log of the ratio is normal, θ_i ~ N(μ, τ²), the reference's rate is beta, π_i ~ B(mr,
    m(1 - r)), and both numbers selected are binomial, with the rates π_i exp(θ_i) and π_i. m and r have the moments of
    the reference's rates (beta-binomial). The likelihood of θ_i averages over π_i, the posterior of θ_i over μ and τ,
    each uniform in advance: few places leave open how much they differ, and so does the posterior. All is summed on
    grids. The places' own rates are not shrunk one by one for each group: groups that are selected seldom in the same
    places would seem to differ more than they do.
    `effect` is the design effect of people in clusters: all numbers are divided by it (effective numbers).
    Arrays have one element per place. Zero cells need no correction.
    Assumes that places are exchangeable: nothing else that is known of a place says whether its ratio is lower.
    Fails: NaN with a reason where a group is absent or nobody was selected, and everywhere below 3 places.

    Reference: Efron and Morris (1975), Journal of the American Statistical Association 70, 311-319; Morris (1983), same
    journal 78, 47-55, on allowing for μ and τ being estimated.

    Nobody of 5 against 2 of 5 is a ratio of 0; nine places of 1 draw it towards them.

    >>> result = shrunken_ratios([0] + [20] * 9, [5] + [50] * 9, [2] + [20] * 9, [5] + [50] * 9)
    >>> round(float(result.estimate[0]), 2), round(float(result.below[0]), 2), bool(result.below[0] > result.below[1])
    (0.97, 0.06, True)
    """
    _arrays.check_confidence(confidence)
    given = (selected_focal, n_focal, selected_reference, n_reference)
    a, n, c, m = (np.atleast_1d(np.asarray(values, dtype=np.float64)) for values in given)
    reason = _arrays.reasons(((n == 0) | (m == 0) | (a + c == 0), NO_RATIO))
    places = np.flatnonzero(reason == "")
    limits = [np.full(a.shape, np.nan) for _ in range(4)]
    mean = spread = None
    if places.size < FEWEST_PLACES:
        reason = np.where(reason == "", FEW_PLACES, reason).astype(np.str_)
    else:
        counts = np.stack([each[places] for each in (a, n, c, m)]) / effect
        for group in (slice(0, 2), slice(2, 4)):
            counts[group] *= np.minimum(1.0, MOST_PEOPLE / counts[group][1])
        # Places of the same numbers have the same posterior.
        counts, inverse = np.unique(counts, axis=1, return_inverse=True)
        weight = np.bincount(inverse)
        likelihood = _likelihood(*counts)
        means, spreads, priors = _priors()
        marginal = likelihood @ priors.T
        log_weight = weight @ np.log(np.maximum(marginal, _arrays.SMALLEST_P)) + np.log(spreads)
        share = np.exp(log_weight - log_weight.max())
        share /= share.sum()
        posterior = likelihood * ((share / np.maximum(marginal, _arrays.SMALLEST_P)) @ priors)
        up_to = np.cumsum(posterior / posterior.sum(axis=1, keepdims=True), axis=1)
        edges = LOG_RATIOS + STEP / 2
        below = np.array([np.interp(np.log(float(FOUR_FIFTHS)), edges, row) for row in up_to])
        tails = (0.5, (1 - confidence) / 2, (1 + confidence) / 2)
        quantiles = np.exp([np.interp(tails, row, edges) for row in up_to]).T
        for limit, values in zip(limits, (*quantiles, below), strict=True):
            limit[places] = values[inverse.ravel()]
        mean, spread = float(np.exp(share @ means)), float(share @ spreads)
    return ShrunkenRatios(
        estimate=limits[0],
        low=limits[1],
        high=limits[2],
        below=limits[3],
        mean=mean,
        spread=spread,
        places=int(places.size),
        confidence=confidence,
        method="empirical Bayes, normal log ratios over beta-binomial rates",
        reason=reason,
    )


@lru_cache(maxsize=1)
def _priors() -> tuple[_arrays.Floats, _arrays.Floats, _arrays.Floats]:
    """Return mean and spread of each prior, and its density over the log ratios, in rows.

    Spreads are at equal distances of their logarithm; their weight makes them uniform.
    """
    means, spreads = (grid.ravel() for grid in np.meshgrid(MEANS, SPREADS, indexing="ij"))
    density = np.exp(-0.5 * ((LOG_RATIOS - means[:, None]) / spreads[:, None]) ** 2)
    return means, spreads, density / density.sum(axis=1, keepdims=True)


def _likelihood(a: _arrays.Floats, n: _arrays.Floats, c: _arrays.Floats, m: _arrays.Floats) -> _arrays.Floats:
    """Return the likelihood of each log ratio, relative to the largest one of the place, in rows."""
    rate, more = _beta_moments(c, m)
    at = (np.arange(RATES) + 0.5) / RATES
    rates = betaincinv((more * rate + c)[:, None], (more * (1 - rate) + m - c)[:, None], at)
    rates = np.clip(rates, 1e-12, 1 - 1e-12)
    result = np.empty((a.size, LOG_RATIOS.size))
    for start in range(0, a.size, AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        log_focal = LOG_RATIOS[None, :, None] + np.log(rates[rows])[:, None, :]
        missed = -np.expm1(np.minimum(log_focal, 0.0))
        log = a[rows, None, None] * log_focal + xlogy((n - a)[rows, None, None], missed)
        log[log_focal > 0] = -np.inf
        result[rows] = np.exp(log - log.max(axis=(1, 2), keepdims=True)).mean(axis=2)
    return result


def _beta_moments(selected: _arrays.Floats, n: _arrays.Floats) -> tuple[float, float]:
    """Return the rate of all places, and how many people of it each place is given: the moments of beta-binomials."""
    rate = float(selected.sum() / n.sum())
    chance = rate * (1 - rate)
    between = float((n * (selected / n - rate) ** 2).sum() / n.sum()) - chance * n.size / float(n.sum())
    if not chance:  # half a person keeps the rate inside
        return (float(selected.sum()) + 0.5) / (float(n.sum()) + 1), MOST_MORE
    return rate, max(min(chance / between - 1, MOST_MORE), FEWEST_MORE) if between > 0 else MOST_MORE
