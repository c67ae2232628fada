"""Decisions about the same people or pairs in two versions: how many flip, and McNemar's test."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Count, Value, Words, check_selected, positive_p, read_counts, reasons
from evenhand.stats.special import bdtr, gammaln

__all__ = ["McNemar", "mcnemar"]


@dataclass(frozen=True, kw_only=True)
class McNemar:
    """Pairs that were decided differently.

    `flip_rate` is their share, `difference` focal less reference rate; p is two-sided, `p_mid` by Lancaster.
    """

    only_focal: Count
    only_reference: Count
    flip_rate: Value
    difference: Value
    p: Value
    p_mid: Value
    n: Count
    method: str
    reason: Words


def mcnemar(only_focal: ArrayLike, only_reference: ArrayLike, n: ArrayLike) -> McNemar:
    """Return McNemar's exact test of `n` pairs, from those in which only one side was selected.

    Formula: b and c of m = b + c discordant pairs; p = min(1, 2 P(X ≤ min(b, c))) with X binomial (m, 1/2); the
    mid-p takes half of the chance of what was seen: Σ pmf(k) over pmf(k) < pmf(b), and half of those equal.
    The flip rate is m / n, the difference (b - c) / n.
    Assumes independent pairs: of many decisions about one résumé p is far too small.
    Fails: p is null where no pair was decided differently; all is without pairs.

    Reference: McNemar (1947), Psychometrika 12, 153-157; mid-p: Fagerland, Lydersen and Laake (2013), BMC Medical
    Research Methodology 13:91, equations 3 and 5.

    1 against 5: 2 · (1 + 6) / 64.

    >>> found = mcnemar(1, 5, 20)
    >>> round(found.p, 6), round(found.p_mid, 6), found.flip_rate, found.difference
    (0.21875, 0.125, 0.3, -0.2)
    """
    call, (b, c, total) = read_counts(only_focal=only_focal, only_reference=only_reference, n=n)
    check_selected(b + c, total, "only_focal and only_reference together", "n")
    m = b + c
    fewer = np.minimum(b, c)
    reason = reasons(
        (total == 0, "There are no pairs."),
        (m == 0, "No pair was decided differently."),
    )
    known = m > 0
    log_pmf = gammaln(m + 1.0) - gammaln(fewer + 1.0) - gammaln(m - fewer + 1.0) - m * np.log(2.0)
    pmf = np.exp(log_pmf)
    exact = np.minimum(2 * bdtr(fewer, np.maximum(m, 1), 0.5), 1.0)
    mid = np.where(b == c, 1 - pmf / 2, exact - pmf)
    with np.errstate(invalid="ignore", divide="ignore"):
        flips, difference = m / total, (b - c) / total
    return McNemar(
        only_focal=call.count(b),
        only_reference=call.count(c),
        flip_rate=call.value(np.asarray(flips, dtype=np.float64)),
        difference=call.value(np.asarray(difference, dtype=np.float64)),
        p=call.value(np.where(known, positive_p(exact), np.nan)),
        p_mid=call.value(np.where(known, positive_p(mid), np.nan)),
        n=call.count(total),
        method="McNemar, exact",
        reason=call.words(reason),
    )
