r"""Intervals that hold at every look: confidence sequences for bounded means.

An interval of 95 % holds the truth in 95 % of samples whose size was fixed beforehand.
Who looks again and again, and stops when the interval pleases, is misled more often. A
confidence sequence holds the truth at all looks together with 95 %, so one may stop at
any of them.
"""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import Floats

METHOD = "confidence sequence, predictable plug-in empirical Bernstein"

#: No bet of the reference's own is larger than this; Waudby-Smith and Ramdas take 1/2 or 3/4.
LARGEST_BET = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class SequenceInterval:
    """A confidence sequence at one time; `estimate` is its centre, None with a `reason`.

    The centre is a weighted mean, near to the mean of the values but not the same.
    """

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    n: int
    method: str = METHOD
    reason: str | None = None

    @property
    def width(self) -> float | None:
        """Return high − low."""
        return None if self.low is None or self.high is None else self.high - self.low


class MeanSequence:
    """The confidence sequence of a bounded mean, a few values at a time.

    With X scaled to [0, 1], e = 1 − confidence and bets λ₁, λ₂, … in (0, 1) that depend on
    earlier values only, the mean is within

        Σ λᵢ Xᵢ / Σ λᵢ ± (log(2/e) + Σ (Xᵢ − mᵢ₋₁)² (−log(1 − λᵢ) − λᵢ)) / Σ λᵢ

    at all times at once with probability 1 − e, where mₜ = (½ + Σ Xᵢ) / (t + 1). With the
    variance so far, vₜ = (¼ + Σ (Xᵢ − mᵢ)²) / (t + 1), the bets are

        without `width`: √(2 log(2/e) / (vₜ₋₁ t log(1 + t))), at most ½, the reference's;
        with `width`: h / (h + vₜ₋₁), h being half the width that is aimed at (as a share of
        highest − lowest), or √(2 log(2/e) vₜ₋₁ / N) where that is more: what N = `horizon`
        values, the most there will be, can reach.

    The second minimises the time at which the radius is h, since it maximises
    h λ − v (−log(1 − λ) − λ).

    Units: those of the values. Assumes that each value has the same mean given those
    before it, and that `width` and `horizon` were chosen beforehand. That holds for draws
    with replacement. Of draws without replacement from a finite design the rest makes up
    for what the first were too high or too low, so that the sequence is conservative
    there; the tests simulate both. Fails when values drift or come in an order that
    depends on them (answers in the order of their arrival, for one). Against an interval
    for a fixed sample it is some 1.4 times as wide: √(2 log(2/e)) / 1.96.

    Reference: Waudby-Smith and Ramdas 2024, Journal of the Royal Statistical Society B
    86(1), 1–27, theorem 2 (predictable plug-in empirical Bernstein), section 3.2.

    That of a difference of two means of values in [0, 1] is the one of the differences of the k-th values, on [-1, 1].

    Raises
    ------
    ValueError
        bounds, confidence, width or horizon make no sense, or a value is out of bounds.

    A hundred values of ½ vary by nothing, so all bets are ½ and the radius is log(40) / 50 = 0.0738:

    >>> sequence = MeanSequence()
    >>> for _ in range(2):
    ...     sequence.add([0.5] * 50)
    >>> round(sequence.interval().low, 4), round(sequence.interval().high, 4)
    (0.4262, 0.5738)
    """

    def __init__(
        self,
        *,
        lowest: float = 0.0,
        highest: float = 1.0,
        confidence: float = 0.95,
        width: float | None = None,
        horizon: int | None = None,
    ) -> None:
        if not (lowest < highest and 0 < confidence < 1):
            raise ValueError(f"no bounds and confidence: {lowest}, {highest}, {confidence}")
        if (width is not None and not width > 0) or (horizon is not None and horizon < 1):
            raise ValueError(f"no width and horizon: {width}, {horizon}")
        self._lowest, self._range = lowest, highest - lowest
        self._confidence = confidence
        self._evidence = log(2 / (1 - confidence))
        self._half = None if width is None else width / (highest - lowest) / 2
        self._horizon = horizon
        self._n = 0
        self._sum = 0.0
        self._squares = 0.25  # Σ (Xᵢ − μ̂ᵢ)², begun with the largest variance there can be
        self._bets = 0.0
        self._weighted = 0.0
        self._spent = 0.0

    def add(self, values: ArrayLike) -> None:
        """Take in the values that come next, in their order."""
        x = (np.atleast_1d(np.asarray(values, dtype=np.float64)) - self._lowest) / self._range
        if not x.size:
            return
        if not ((x >= -1e-12) & (x <= 1 + 1e-12)).all():
            raise ValueError(f"a value is out of bounds: {values!r}")
        time = self._n + np.arange(1, x.size + 1)
        sums = self._sum + np.cumsum(x)
        means = (0.5 + sums) / (time + 1)
        before = np.append((0.5 + self._sum) / (self._n + 1), means[:-1])
        squares = self._squares + np.cumsum((x - means) ** 2)
        variances = np.append(self._squares, squares[:-1]) / time
        bets = self._bet(variances, time)
        self._bets += float(bets.sum())
        self._weighted += float(bets @ x)
        self._spent += float((x - before) ** 2 @ (-np.log1p(-bets) - bets))
        self._n, self._sum, self._squares = int(time[-1]), float(sums[-1]), float(squares[-1])

    def interval(self) -> SequenceInterval:
        """Return the sequence as it is now, within the bounds of the values."""
        if not self._n:
            return SequenceInterval(
                estimate=None, low=None, high=None, confidence=self._confidence, n=0, reason="There are no values yet."
            )
        centre = self._weighted / self._bets
        radius = (self._evidence + self._spent) / self._bets
        low, high = max(0.0, centre - radius), min(1.0, centre + radius)
        return SequenceInterval(
            estimate=self._lowest + self._range * centre,
            low=self._lowest + self._range * min(low, 1.0),
            high=self._lowest + self._range * max(high, 0.0),
            confidence=self._confidence,
            n=self._n,
        )

    def _bet(self, variances: Floats, time: NDArray[np.int64]) -> Floats:
        """Return the bets, from the variance of earlier values."""
        if self._half is None:
            bets = np.sqrt(2 * self._evidence / (variances * time * np.log1p(time)))
            return np.asarray(np.minimum(bets, LARGEST_BET))
        half: Floats | float = self._half
        if self._horizon is not None:
            half = np.maximum(half, np.sqrt(2 * self._evidence * variances / self._horizon))
        return np.asarray(half / (half + variances))
