"""CUSUM: when the level of a standardised value changed, and how often that rings by chance."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats.special import ndtr

__all__ = ["REFERENCE_VALUE", "Cusum", "average_run_length", "cusum", "decision_interval"]

#: k: half of the shift that is looked for, in standard deviations.
REFERENCE_VALUE = 0.5
#: Cells of the Markov chain; twice as many change a run length of 500 by .1 %, one of 5,000 by .5 %.
CELLS = 60


@dataclass(frozen=True, kw_only=True)
class Cusum:
    """Both sums after each value, and the first alarm: where it rang, where the change began, which way it went."""

    above: NDArray[np.float64]
    below: NDArray[np.float64]
    rang: int | None
    since: int | None
    direction: str | None


def cusum(z: ArrayLike, *, h: float, k: float = REFERENCE_VALUE) -> Cusum:
    r"""Return the two-sided CUSUM of standardised values.

        S⁺ₜ = max(0, S⁺ₜ₋₁ + zₜ − k)        S⁻ₜ = max(0, S⁻ₜ₋₁ − zₜ − k)

    It rings at the first t at which a sum is above h. The change is estimated to have begun with the value after the
    last at which that sum was 0. Places count from 0.

    Units: standard deviations. Assumes independent values of mean 0 and standard deviation 1 before the change. Fails:
    autocorrelation, or a mean and standard deviation from few values, ring more often; `self_starting` sees to both.

    Reference: Page (1954), Biometrika 41, 100-115. Hawkins and Olwell (1998), Cumulative Sum Charts and Charting for
    Quality Improvement, Springer, chapters 1 to 3.

    >>> found = cusum([0.2, -0.4, 1.5, 2.0, 2.5, 1.0], h=4)
    >>> [float(each) for each in found.above.round(1)]
    [0.0, 0.0, 1.0, 2.5, 4.5, 5.0]
    >>> found.rang, found.since, found.direction
    (4, 2, 'above')
    """
    values = np.asarray(z, dtype=np.float64)
    sums = np.zeros((2, values.size))
    high = low = 0.0
    for at, value in enumerate(values):
        high, low = max(0.0, high + value - k), max(0.0, low - value - k)
        sums[:, at] = high, low
    ringing = np.flatnonzero(sums.max(axis=0, initial=0) > h)
    if not ringing.size:
        return Cusum(above=sums[0], below=sums[1], rang=None, since=None, direction=None)
    rang = int(ringing[0])
    side = int(sums[1, rang] > sums[0, rang])
    zeros = np.flatnonzero(sums[side, :rang] == 0)
    since = int(zeros[-1]) + 1 if zeros.size else 0
    return Cusum(above=sums[0], below=sums[1], rang=rang, since=since, direction=("above", "below")[side])


@cache
def average_run_length(h: float, *, k: float = REFERENCE_VALUE, shift: float = 0.0, largest: float = 8.0) -> float:
    """Return after how many values, on average, a two-sided CUSUM that begins at 0 rings.

    Each one-sided run length is that of a Markov chain on cells of [0, h]; both together ring at the rate
    1/ARL = 1/ARL⁺ + 1/ARL⁻, which is exact where h ≥ k. Values are normal with mean `shift`, standard deviation 1,
    cut at ±`largest`.

    Reference: Brook and Evans (1972), Biometrika 59, 539-549; Hawkins and Olwell (1998), table 3.1.

    >>> round(average_run_length(4.0)), round(average_run_length(5.0))
    (168, 465)
    >>> round(average_run_length(4.0, shift=1.0), 2)
    8.38
    """
    return 1 / sum(1 / _one_sided(h, k, sign * shift, largest) for sign in (1, -1))


@cache
def _one_sided(h: float, k: float, shift: float, largest: float) -> float:
    width = 2 * h / (2 * CELLS - 1)  # the cell of 0 is half as wide: what falls below is there too
    centres = np.arange(CELLS) * width

    def share_below(edge: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(edge >= largest, 1.0, np.where(edge < -largest, 0.0, ndtr(edge - shift)))

    moves = centres[None, :] - centres[:, None] + k
    lower = share_below(moves - width / 2)
    lower[:, 0] = 0.0
    stays = share_below(moves + width / 2) - lower
    return float(np.linalg.solve(np.eye(CELLS) - stays, np.ones(CELLS))[0])


@cache
def decision_interval(run_length: float, *, k: float = REFERENCE_VALUE, largest: float = 8.0) -> float:
    """Return the h at which a two-sided CUSUM rings by chance once in so many values, on average.

    Begins with Siegmund's approximation, 2 ARL⁺ k² = exp(2kb) − 2kb − 1 with b = h + 1.166, and solves
    `average_run_length` by the secant rule: log ARL is almost a straight line in h.

    Reference: Siegmund (1985), Sequential Analysis, Springer, section 2.6.

    >>> round(decision_interval(370.4), 1)
    4.8
    """
    guess = max(np.log(4 * run_length * k * k) / (2 * k) - 1.166, 0.5)
    places = [guess, guess + 0.3]
    gaps = [float(np.log(average_run_length(h, k=k, largest=largest) / run_length)) for h in places]
    while abs(gaps[-1]) > 1e-6 and len(places) < 30:
        step = gaps[-1] * (places[-1] - places[-2]) / (gaps[-1] - gaps[-2])
        places.append(places[-1] - step)
        gaps.append(float(np.log(average_run_length(places[-1], k=k, largest=largest) / run_length)))
    return float(places[-1])
