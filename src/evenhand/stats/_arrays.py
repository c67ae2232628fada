"""How every statistic reads its arguments and returns values, and roots of many monotone functions at once.

Numbers or arrays in, the same shape out: a call with plain numbers is the array call of
length one. The aliases `Value`, `Count`, `Flag` and `Words` are `Any` because a field's
type follows the call: the package docstring of `evenhand.stats` says which is which.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats.special import ndtr, ndtri, stdtr

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Strings: TypeAlias = NDArray[np.str_]
Flags: TypeAlias = NDArray[np.bool_]

#: float or None; in an array call a float array, NaN where there is a reason.
Value: TypeAlias = Any
#: int; in an array call an int64 array.
Count: TypeAlias = Any
#: bool or None; in an array call a bool array, False where there is a reason.
Flag: TypeAlias = Any
#: str or None; in an array call an array of str, '' for None.
Words: TypeAlias = Any

#: Whole numbers up to here are exact as floats.
MAX_COUNT = 2**53
#: The smallest p that is returned; smaller ones underflow to 0 in floating point.
SMALLEST_P = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """An estimate with its interval; `n` counts what it rests on."""

    estimate: Value
    low: Value
    high: Value
    confidence: float
    n: Count
    method: str
    reason: Words


@dataclass(frozen=True)
class Call:
    """Whether plain numbers were given, so that plain numbers go back."""

    scalar: bool

    def value(self, array: Floats) -> Value:
        """Return the array, or its only element with None for NaN."""
        if not self.scalar:
            return array
        number = float(array[0])
        return None if np.isnan(number) else number

    def count(self, array: Ints) -> Count:
        """Return the array, or its only element."""
        return int(array[0]) if self.scalar else array

    def flag(self, array: Flags, reason: Strings) -> Flag:
        """Return the array, or its only element with None where there is a reason."""
        if not self.scalar:
            return array & (reason == "")
        return bool(array[0]) if reason[0] == "" else None

    def words(self, array: Strings) -> Words:
        """Return the array, or its only element with None for ''."""
        if not self.scalar:
            return array
        return str(array[0]) or None

    def estimate(
        self, estimate: Floats, low: Floats, high: Floats, *, n: Ints, reason: Strings, confidence: float, method: str
    ) -> Estimate:
        """Return an estimate with its interval."""
        ends = {"estimate": self.value(estimate), "low": self.value(low), "high": self.value(high)}
        return Estimate(**ends, n=self.count(n), reason=self.words(reason), confidence=confidence, method=method)


@dataclass(frozen=True)
class TwoGroups:
    """Counts of two groups, broadcast to one shape of at least one dimension."""

    call: Call
    a: Ints
    N1: Ints
    c: Ints
    N2: Ints

    @property
    def empty(self) -> tuple[tuple[Flags, str], tuple[Flags, str]]:
        """The conditions under which neither group nor comparison exists."""
        return (
            (self.N1 == 0, "The focal group has no people."),
            (self.N2 == 0, "The reference group has no people."),
        )

    def estimate(self, estimate: Floats, low: Floats, high: Floats, *, confidence: float, method: str) -> Estimate:
        """Return an estimate that only an empty group can lack."""
        n, reason = self.N1 + self.N2, reasons(*self.empty)
        return self.call.estimate(estimate, low, high, n=n, reason=reason, confidence=confidence, method=method)


def reasons(*cases: tuple[Flags, str]) -> Strings:
    """Return the text of the first case that holds, '' where none does."""
    result: Strings = np.zeros(cases[0][0].shape, dtype=np.str_)
    for holds, text in reversed(cases):
        # An array of long texts is built only where a text is needed.
        if holds.any():
            result = np.where(holds, text, result)
    return result


def read_counts(**counts: ArrayLike) -> tuple[Call, list[Ints]]:
    """Return whole counts as int64 arrays of one shape, or say which value is none.

    >>> read_counts(selected=3, n=[5.0, 7.0])[1]
    [array([3, 3]), array([5, 7])]
    """
    arrays = []
    for name, values in counts.items():
        array = np.asarray(values)
        wrong: list[Any] = []
        if array.size and array.dtype.kind not in "biuf":
            wrong = [values]
        elif array.size:
            # NaN fails both comparisons.
            bad = ~((array >= 0) & (array <= MAX_COUNT))
            if array.dtype.kind == "f":
                bad |= array != np.floor(array)
            wrong = array[bad][:1].tolist()
        if wrong:
            message = f"{name} must hold whole counts from 0 to 2**53, got {wrong[0]!r}."
            raise ValueError(message)
        arrays.append(array.astype(np.int64))
    call = Call(scalar=all(array.ndim == 0 for array in arrays))
    return call, [np.atleast_1d(array) for array in np.broadcast_arrays(*arrays)]


def read_sums(**sums: ArrayLike) -> list[Floats]:
    """Return counts, or sums of weights, of which the first is part of the second.

    >>> read_sums(selected=[1, 0.4], n=[2, 0.4])[0].tolist()
    [1.0, 0.4]
    """
    (part_name, _), (whole_name, _) = sums.items()
    part, whole = (np.asarray(values, dtype=np.float64) for values in sums.values())
    bad = ~(np.isfinite(whole) & (part >= 0) & (part <= whole * (1 + 1e-9)))
    if bad.any():
        message = f"{part_name} must be from 0 to {whole_name}, got {part[bad].flat[0]} of {whole[bad].flat[0]}."
        raise ValueError(message)
    return [part, whole]


def read_two_groups(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> TwoGroups:
    """Return the counts of two groups; nobody can be selected who was not there."""
    call, (a, N1, c, N2) = read_counts(
        selected_focal=selected_focal, n_focal=n_focal, selected_reference=selected_reference, n_reference=n_reference
    )
    for selected, n, group in ((a, N1, "focal"), (c, N2, "reference")):
        check_selected(selected, n, f"selected_{group}", f"n_{group}")
    return TwoGroups(call, a, N1, c, N2)


def check_selected(selected: Ints, n: Ints, selected_name: str, n_name: str) -> None:
    """Refuse more selected than there are."""
    over = selected > n
    if over.any():
        message = f"{selected_name} must not exceed {n_name}, got {selected[over].flat[0]} of {n[over].flat[0]}."
        raise ValueError(message)


def exact_products(x: Ints, y: Ints) -> Any:
    """Return x·y as int64 with room for a factor of 8, else as Python integers."""
    largest = int(x.max(initial=0)) * int(y.max(initial=0))
    return x * y if largest < 2**60 else x.astype(object) * y.astype(object)


def rate_gap(groups: TwoGroups) -> Floats:
    """Return a/N1 - c/N2 from whole numbers, so that equal rates differ by 0; NaN for an empty group."""
    gap = np.asarray(exact_products(groups.a, groups.N2) - exact_products(groups.c, groups.N1), dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray(gap / (groups.N1 * groups.N2.astype(np.float64)))


def check_confidence(confidence: float) -> None:
    """Refuse a level that is none; 95 is the usual slip for 0.95."""
    if not 0 < confidence < 1:
        message = f"confidence must lie between 0 and 1, got {confidence!r}. Write 95 % as 0.95."
        raise ValueError(message)


def normal_quantile(confidence: float) -> float:
    """Return z so that a standard normal lies in ±z with this probability.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    check_confidence(confidence)
    return float(-ndtri((1 - confidence) / 2))


def normal_p(z: Floats | float) -> Floats:
    """Return the two-sided p of a standard normal statistic.

    >>> round(float(normal_p(1.959964)), 6)
    0.05
    """
    return positive_p(2 * ndtr(-np.abs(z)))


def t_p(statistic: ArrayLike, df: ArrayLike) -> Floats:
    """Return the two-sided p of Student's t on `df` degrees of freedom (infinite: of Z); NaN where there are none.

    >>> round(float(t_p(12.706, 1)), 4)
    0.05
    """
    t, freedom = (np.asarray(values, dtype=np.float64) for values in (statistic, df))
    with np.errstate(invalid="ignore"):
        return positive_p(2 * stdtr(np.where(freedom > 0, freedom, np.nan), -np.abs(t)))


def positive_p(p: Floats) -> Floats:
    """Return p, at most 1 and at least the smallest normal float; NaN stays.

    A p-value that underflows is not 0: 2.2e-308 is then an upper bound.
    """
    return np.clip(p, SMALLEST_P, 1.0)


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
            same_sign = np.sign(f) == np.sign(f1)
            x3, f3 = np.where(same_sign, x1, x2), np.where(same_sign, f1, f2)
            x2, f2 = np.where(same_sign, x2, x1), np.where(same_sign, f2, f1)
            x1, f1 = x, f
            best = np.where(np.abs(f2) < np.abs(f1), x2, x1)
            limit = (2 * EPS * np.abs(best) + 1e-300) / np.abs(x2 - x1)
            arrived = open_ & ((limit > 0.5) | (f1 == 0))
            root[arrived] = np.where(f1 == 0, x1, best)[arrived]
            open_ &= ~arrived
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
    arrays that they belong to, as only unfinished ones are evaluated.

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
