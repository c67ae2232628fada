"""Which test to read for a table of this size, and how Z grows with size alone."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Call,
    Count,
    Flag,
    Value,
    Words,
    exact_products,
    normal_quantile,
    read_counts,
    read_two_groups,
    reasons,
)

__all__ = [
    "FEWEST_EXPECTED",
    "FEWEST_PEOPLE",
    "LARGE_SAMPLE",
    "LOW_RATE",
    "WhichToRead",
    "ZCurve",
    "which_to_read",
    "z_curve",
]

#: An expected cell below this makes the normal approximation rough (Cochran 1954, Biometrics 10, 417-451).
FEWEST_EXPECTED = 5
#: UGESP Q&A 21 warns of small numbers without a figure; this one is a convention of ours.
FEWEST_PEOPLE = 30
#: Above this many people a difference of one percentage point comes near significance at rates of 30 %
#: (by the formula of Eightfold AI 2023, Responsible AI, figure 14, |Z| passes 1.96 at 16,135 people per group).
LARGE_SAMPLE = 10_000
#: Below this selection rate of both groups together a few selections move the impact ratio far.
LOW_RATE = Fraction(1, 20)

FEW_PEOPLE = "There are fewer than 30 people, too few for the Z test."
FEW_EXPECTED = "An expected cell is below 5, too few for the Z test."
MODERATE = "No expected cell is below 5, so the Z test and Fisher's exact test should agree."
LARGE = (
    "There are more than 10,000 people, so tests detect differences too small to matter; the impact ratio and "
    "Cohen's h tell how large the difference is."
)
LOW = " Fewer than 5 % were selected, so a few selections move the impact ratio far."

# By kind: nothing to read, few people, a small expected cell, moderate, large. Arrays of objects, since arrays
# of long texts would be larger than the tables.
SIZES = np.array(["", "small", "small", "moderate", "large"], dtype=object)
READ_WITH = np.array(["", *["Fisher, flip-flop"] * 2, "Z, Fisher", "impact ratio, Cohen's h"], dtype=object)
#: Everything `reason` can say where no group is empty; the second row for low rates.
SENTENCES = np.array(
    [[text + rate for text in ("", FEW_PEOPLE, FEW_EXPECTED, MODERATE, LARGE)] for rate in ("", LOW)], dtype=object
)


@dataclass(frozen=True, kw_only=True)
class WhichToRead:
    """Which figures to read for a table of this size, and why.

    `size` is small, moderate or large; null where a group is empty. `reason` always says
    why, also where all was computed. In an array call `size`, `read_with` and `reason` hold
    Python strings.
    """

    size: Words
    low_rate: Flag
    read_with: Words
    smallest_expected: Value
    n: Count
    method: str
    reason: Words


@dataclass(frozen=True, kw_only=True)
class ZCurve:
    """Z of one difference at different sizes; `crossing` is the size where it becomes significant."""

    statistic: Value
    crossing: Value
    confidence: float
    n: Count
    method: str
    reason: Words


def which_to_read(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> WhichToRead:
    """Return which tests to read for a table of this size.

    Formula: with M people and K selected in both groups, small iff the smallest expected cell
    min(N1, N2)·min(K, M - K)/M is below 5 or M < 30; else large iff M > 10,000; else
    moderate. `low_rate` iff K/M < .05. Whole numbers decide.
    Small: Fisher's exact test, and what one changed selection does. Moderate: Z and Fisher.
    Large: impact ratio and Cohen's h, as nearly every difference is significant. A low rate
    is told beside any of them. These are habits of reading, none of them law.
    Fails: null when a group is empty.

    Reference: Cochran (1954), Biometrics 10, 417-451; Uniform Guidelines Questions and
    Answers, Q. 21, 44 FR 11996 (1979).

    7/15 against 14/25: the smallest expected cell is 15 · 19/40 = 7.125.

    >>> choice = which_to_read(7, 15, 14, 25)
    >>> choice.size, choice.read_with, choice.smallest_expected, choice.low_rate
    ('moderate', 'Z, Fisher', 7.125, False)
    """
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    selected, n = groups.a + groups.c, groups.N1 + groups.N2
    empty = reasons(*groups.empty)
    # The smallest expected cell times M.
    cell = exact_products(np.minimum(groups.N1, groups.N2), np.minimum(selected, n - selected))
    few_expected = np.asarray(cell < FEWEST_EXPECTED * n, dtype=np.bool_)
    low_rate = selected * LOW_RATE.denominator < n * LOW_RATE.numerator
    kind = np.select([empty != "", n < FEWEST_PEOPLE, few_expected, n > LARGE_SAMPLE], [0, 1, 2, 4], default=3)
    with np.errstate(divide="ignore", invalid="ignore"):
        smallest = np.where(empty == "", np.asarray(cell, dtype=np.float64) / n, np.nan)
    return WhichToRead(
        size=call.words(SIZES[kind]),
        low_rate=call.flag(low_rate, empty),
        read_with=call.words(READ_WITH[kind]),
        smallest_expected=call.value(smallest),
        n=call.count(n),
        method="smallest expected cell and number of people",
        reason=call.words(np.where(empty == "", SENTENCES[low_rate.astype(np.int64), kind], empty.astype(object))),
    )


def z_curve(rate: ArrayLike, difference: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> ZCurve:
    """Return the Z that one difference of rates has at different group sizes.

    Formula: Z = d / sqrt(P(1 - P)·2/n) with the common rate P, the difference d and n people in
    each of two groups; |Z| reaches the normal quantile z at n = 2 P(1 - P)(z/d)², the `crossing`.
    The difference stays the same, Z grows with √n: significance tells of size as well.
    Assumes groups of equal size.
    Fails: null at a rate of 0 or 1; `crossing` is also null where the difference is 0.

    Reference: Eightfold AI (2023), Responsible AI, figure 14 (P = .3, d = .01).

    >>> curve = z_curve(0.3, 0.01, [1000, 50_000])
    >>> curve.statistic.round(4).tolist(), curve.crossing.round(1).tolist()
    ([0.488, 3.4503], [16134.1, 16134.1])
    """
    counts_call, (size,) = read_counts(n=n)
    rates, gaps = np.asarray(rate, dtype=np.float64), np.asarray(difference, dtype=np.float64)
    if not ((rates >= 0) & (rates <= 1)).all() or not (np.abs(gaps) <= 1).all():
        message = f"rate must lie between 0 and 1 and difference between -1 and 1, got {rate!r} and {difference!r}."
        raise ValueError(message)
    call = Call(scalar=counts_call.scalar and rates.ndim == 0 and gaps.ndim == 0)
    P, d, size = np.broadcast_arrays(np.atleast_1d(rates), np.atleast_1d(gaps), size)
    reason = reasons(
        (size == 0, "The groups have nobody in them."),
        ((P == 0) | (P == 1), "Nobody or everybody is selected, so the rates do not vary."),
    )
    known = reason == ""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = d / np.sqrt(P * (1 - P) * 2 / size)
        crossing = 2 * P * (1 - P) * (normal_quantile(confidence) / d) ** 2
    return ZCurve(
        statistic=call.value(np.where(known, z, np.nan)),
        crossing=call.value(np.where(known & (d != 0), crossing, np.nan)),
        confidence=confidence,
        n=call.count(size),
        method="pooled Z of two groups of n each",
        reason=call.words(reason),
    )
