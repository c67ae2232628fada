"""Means and sums of squares that are equal on every engine, to the last digit.

Sums of doubles depend on the order of adding, which engines choose freely. Here each score
becomes a whole number y of steps of 2⁻ᵏ from a centre c, |y| ≤ 2⁵², and is split as
y = 2²⁶·h + l, 0 ≤ l < 2²⁶. Then h, l, h², h·l and l² are whole numbers below 2⁵³, exact as doubles;
an engine adds their halves as whole numbers, exactly, and Python's integers do the rest.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from evenhand.hiring.columns.scores import number
from evenhand.hiring.counting.order_statistics import Spread

__all__ = ["SUMS", "Steps", "steps_of", "sums_of"]

#: The sums an engine gives back, with this prefix.
SUMS = tuple(f"sum_{term}_{part}" for term in ("h", "l", "hh", "hl", "ll") for part in ("high", "low"))
_BITS, _HALF = 52, 26


@dataclass(frozen=True, kw_only=True)
class Steps:
    """The grid on which scores are added: c + y·2⁻ᵏ."""

    centre: float
    power: int

    def moments(self, n: int, sums: tuple[int, ...]) -> tuple[float, float]:
        """Return the mean, and Σ(x − mean)², of n scores from their sums.

        >>> Steps(centre=0.0, power=0).moments(2, (0, 0, 0, 4, 0, 0, 0, 0, 0, 10))
        (2.0, 2.0)
        """
        values = [int(value) for value in sums]
        h, low, hh, hl, ll = ((upper << _HALF) + lower for upper, lower in zip(values[::2], values[1::2], strict=True))
        total = (h << _HALF) + low
        squares = (hh << 2 * _HALF) + (hl << _HALF + 1) + ll
        step = Fraction(2) ** -self.power
        mean = Fraction(self.centre) + Fraction(total, n) * step
        try:
            return float(mean), float((squares - Fraction(total * total, n)) * step * step)
        except OverflowError:
            return float(mean), math.inf


def steps_of(known: Spread) -> Steps:
    """Return the finest grid on which the lowest and the highest score fit.

    Rounding to it errs by less than 2⁻⁵² of half the range.
    """
    assert known.lowest is not None
    assert known.highest is not None
    centre = known.lowest / 2 + known.highest / 2
    reach = max(known.highest - centre, centre - known.lowest)
    # 2**exponent is the power of two above the reach; a power beyond a double's range would be no number.
    exponent = math.frexp(reach)[1] if reach > 0 else 0
    return Steps(centre=centre, power=min(_BITS - exponent, 1000))


def sums_of(score: Any, steps: Steps) -> dict[str, Any]:
    """Return the sums as aggregates, the upper and the lower half of each of five terms; null scores are in none.

    The halves are below 2²⁷, so sums of 2³⁶ rows fit into 64 bits, on engines without decimals, too.
    """
    whole = ((score - number(steps.centre)) * number(2.0**steps.power) + number(0.5)).floor().cast("float64")
    high = (whole * number(2.0**-_HALF)).floor().cast("float64")
    low = whole - high * number(2.0**_HALF)
    terms = (high, low, high * high, high * low, low * low)
    halves = []
    for term in terms:
        upper = (term * number(2.0**-_HALF)).floor()
        halves += [upper, term - upper * number(2.0**_HALF)]
    return {name: half.cast("int64").sum().cast("int64") for name, half in zip(SUMS, halves, strict=True)}
