"""Whether several groups share one rate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Call, Count, Value, Words, positive_p, read_counts, reasons
from evenhand.stats.special import chdtrc

__all__ = ["Homogeneity", "chi_square_homogeneity"]


@dataclass(frozen=True, kw_only=True)
class Homogeneity:
    """Pearson's chi-square test that groups share one rate.

    `groups` counts the groups that have anybody in them. `smallest_expected` is the
    smallest expected cell; below 5 the p-value is rough.
    """

    statistic: Value
    df: Count
    p: Value
    smallest_expected: Value
    groups: Count
    n: Count
    method: str
    reason: Words


def chi_square_homogeneity(counts: ArrayLike) -> Homogeneity:
    """Return Pearson's test that k groups have one rate.

    `counts` has one row per group: how many had the outcome, how many had not; shape
    (k, 2), or (tables, k, 2) for many tables at once.
    Formula: Σ (observed - expected)² / expected over the 2k cells, expected = row sum
    times column sum / total; χ² with k - 1 degrees of freedom, no continuity correction.
    Groups with nobody in them are left out.
    Assumes independent observations; with repeated answers to one item p is too small.
    Fails: null with fewer than two groups, or when all or none had the outcome.

    Reference: Agresti (2013), Categorical Data Analysis, 3rd edition, section 3.2.1.

    10 of 20 against 5 of 20: expected 7.5 and 12.5, so 2 · 2.5²/7.5 + 2 · 2.5²/12.5 = 8/3.

    >>> test = chi_square_homogeneity([[10, 10], [5, 15]])
    >>> round(test.statistic, 4), test.df, round(test.p, 4), test.smallest_expected
    (2.6667, 1, 0.1025, 7.5)
    """
    _, (table,) = read_counts(counts=counts)
    if table.ndim not in {2, 3} or table.shape[-1] != 2:
        message = f"counts must have two columns, shape (k, 2) or (tables, k, 2), got shape {np.shape(counts)}."
        raise ValueError(message)
    call = Call(scalar=table.ndim == 2)
    table = table.reshape(-1, *table.shape[-2:])
    rows = table.sum(axis=2).astype(np.float64)
    columns = table.sum(axis=1).astype(np.float64)
    total = table.sum(axis=(1, 2))
    groups = (rows > 0).sum(axis=1)
    reason = reasons(
        (groups < 2, "Fewer than two groups have anybody in them."),
        (columns[:, 0] == 0, "No group had the outcome, so the rates do not vary."),
        (columns[:, 1] == 0, "Everybody had the outcome, so the rates do not vary."),
    )
    known = reason == ""
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = rows[:, :, None] * (columns / total[:, None])[:, None, :]
        parts = np.where(rows[:, :, None] > 0, (table - expected) ** 2 / expected, 0.0)
        statistic = np.where(known, parts.sum(axis=(1, 2)), np.nan)
    smallest = np.where(rows[:, :, None] > 0, expected, np.inf).min(axis=(1, 2), initial=np.inf)
    df = np.maximum(groups - 1, 0)
    return Homogeneity(
        statistic=call.value(statistic),
        df=call.count(df),
        p=call.value(positive_p(chdtrc(np.maximum(df, 1), statistic))),
        smallest_expected=call.value(np.where(known, smallest, np.nan)),
        groups=call.count(groups),
        n=call.count(total),
        method="Pearson chi-square",
        reason=call.words(reason),
    )
