"""Roots of many increasing or decreasing functions at once."""

from collections.abc import Callable

import numpy as np

from evenhand.stats._arrays import Floats, Ints

__all__ = ["bracketed_root", "guessed_root"]

ITERATIONS = 200
EPS = float(np.finfo(np.float64).eps)
#: Secant steps before the bracket is searched after all; smooth functions need four to six.
SECANTS = 12
#: A secant step this small against the distance from the start leaves an error of a float's last digits.
SMALL_STEP = 1e-10


def bracketed_root(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Return the root of each element between `low` and `high`, NaN if it has none there.

    Chandrupatla's method: inverse quadratic steps where the three last points allow
    them, else bisection, so it converges like the former and never leaves the bracket.

    Reference: Chandrupatla (1997), Advances in Engineering Software 28(3), 145-149.

    >>> bracketed_root(lambda x: x * x - np.array([4.0, 9.0]), np.zeros(2), np.full(2, 10.0)).round(12).tolist()
    [2.0, 3.0]
    """
    x1, x2 = np.array(high, dtype=np.float64), np.array(low, dtype=np.float64)
    f1, f2 = function(x1), function(x2)
    bracketed = np.sign(f1) * np.sign(f2) <= 0  # False where a value is NaN
    step = np.full(x1.shape, 0.5)
    root = np.where(f1 == 0, x1, np.where(f2 == 0, x2, np.nan))
    open_ = bracketed & np.isnan(root)
    with np.errstate(all="ignore"):
        for _ in range(ITERATIONS):
            if not open_.any():
                break
            x = x1 + step * (x2 - x1)
            f = function(x)
            same = np.sign(f) == np.sign(f1)
            x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
            x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
            x1, f1 = x, f
            best = np.where(np.abs(f2) < np.abs(f1), x2, x1)
            limit = (2 * EPS * np.abs(best) + 1e-300) / np.abs(x2 - x1)
            found = open_ & ((limit > 0.5) | (f1 == 0))
            root[found] = np.where(f1 == 0, x1, best)[found]
            open_ &= ~found
            xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
            smooth = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            inverse = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
            step = np.where(smooth & np.isfinite(inverse), inverse, 0.5)
            limit = np.minimum(limit, 0.5)
            step = np.clip(step, limit, 1 - limit)
    root[open_] = x1[open_]  # rounding keeps the last digits moving; the bracket is already that narrow
    return root


def guessed_root(
    function: Callable[[Floats, Ints], Floats],
    *,
    origin: Floats,
    at_origin: float,
    guess: Floats,
    low: Floats,
    high: Floats,
) -> Floats:
    """Return the root of decreasing functions from guesses; their value at `origin`, an end of the bracket, is known.

    Secant steps that stay within the bracket and narrow it; what has not arrived after
    a dozen is left to `bracketed_root`. `function` takes points and the places in the
    arrays that they belong to, as only those are asked for that have not arrived.

    >>> constants = np.array([2.0, 3.0])
    >>> function = lambda x, rows: constants[rows] - np.exp(x)
    >>> ends = {"low": np.zeros(2), "high": np.full(2, 9.0)}
    >>> np.exp(guessed_root(function, origin=np.zeros(2), at_origin=1.5, guess=np.ones(2), **ends)).round(12).tolist()
    [2.0, 3.0]
    """
    root = np.full(origin.shape, np.nan)
    rows = np.arange(origin.size)
    x, before, f_before = guess, origin, np.full(origin.shape, at_origin)
    for _ in range(SECANTS):
        f = function(x, rows)
        low, high = np.where(f >= 0, np.maximum(low, x), low), np.where(f <= 0, np.minimum(high, x), high)
        with np.errstate(all="ignore"):
            step = f * (x - before) / (f_before - f)
        there = x + step
        # A point of the bracket that is the root but for rounding has a step to neither side.
        open_ = ~((f == 0) | (np.abs(step) <= SMALL_STEP * np.abs(x - origin[rows])))
        root[rows] = np.where(f == 0, x, there)
        if not open_.any():
            return root
        before, f_before = x[open_], f[open_]
        rows, low, high, there = rows[open_], low[open_], high[open_], there[open_]
        x = np.where((there > low) & (there < high), there, (low + high) / 2)
    root[rows] = bracketed_root(lambda points: function(points, rows), low, high)
    return root
