"""Numbers or arrays in, the same shape out: how every statistic reads and returns values.

A call with plain numbers is the array call of length one. The aliases `Value`, `Count`,
`Flag` and `Words` are `Any` because a field's type follows the call: the package
docstring of `evenhand.stats` says which is which.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats.special import ndtr, ndtri

__all__ = [
    "MAX_COUNT",
    "Call",
    "Count",
    "Estimate",
    "Flag",
    "Flags",
    "Floats",
    "Ints",
    "Strings",
    "TwoGroups",
    "Value",
    "Words",
    "check_confidence",
    "check_selected",
    "exact_products",
    "normal_p",
    "normal_quantile",
    "positive_p",
    "rate_gap",
    "read_counts",
    "read_two_groups",
    "reasons",
]

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
#: The smallest p that is returned; smaller ones can't be told from 0 in floating point.
SMALLEST_P = float(np.finfo(np.float64).tiny)


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
            (self.N1 == 0, "The focal group has nobody in it."),
            (self.N2 == 0, "The reference group has nobody in it."),
        )


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


def positive_p(p: Floats) -> Floats:
    """Return p, at most 1 and at least the smallest normal float; NaN stays.

    A p-value that underflows is not 0: 2.2e-308 is then an upper bound.
    """
    return np.clip(p, SMALLEST_P, 1.0)
