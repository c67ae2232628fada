"""Fisher's exact test for tables of any size."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Count, Value, Words, positive_p, read_two_groups, reasons
from evenhand.stats.two_groups._two_sided import two_sided

__all__ = ["FisherExact", "fisher_exact"]


@dataclass(frozen=True, kw_only=True)
class FisherExact:
    """Two-sided exact p, and its mid-p."""

    p: Value
    mid_p: Value
    n: Count
    method: str
    reason: Words


def fisher_exact(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> FisherExact:
    """Return Fisher's two-sided exact p, and Lancaster's mid-p beside it.

    Formula: under equal chances and fixed margins the focal count is hypergeometric.
    p = Σ pmf(k) over all k with pmf(k) ≤ pmf(a). mid-p counts the tables that are
    exactly as likely as the observed one half: Σ over pmf(k) < pmf(a) + ½ Σ over
    pmf(k) = pmf(a).
    Ties are decided exactly, on whole numbers where rounding could err. pmf is a
    saddle-point expansion, so p keeps about 12 digits at billions of people.
    Assumes that the margins are fixed; with random margins p is too large on average
    and mid-p nearly right. mid-p can fall below its level.
    Fails: null when a group is empty. Where all or none were selected only one table is
    possible: p is 1 and mid-p ½, and neither says anything.
    A p below 2.2e-308 is given as 2.2e-308.

    References: Fisher (1935), Journal of the Royal Statistical Society 98, 39-82;
    Lancaster (1961), Journal of the American Statistical Association 56, 223-234;
    Loader (2000), Fast and Accurate Computation of Binomial Probabilities.

    3/3 against 0/3: two of the C(6, 3) = 20 tables are this unlikely, and both tie.

    >>> test = fisher_exact(3, 3, 0, 3)
    >>> round(test.p, 12), round(test.mid_p, 12)
    (0.1, 0.05)
    """
    groups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    reason = reasons(*groups.empty)
    known = reason == ""
    p = np.full(known.shape, np.nan)
    mid_p = p.copy()
    p[known], mid_p[known] = two_sided(groups.a[known], groups.N1[known], groups.c[known], groups.N2[known])
    return FisherExact(
        p=call.value(positive_p(p)),
        mid_p=call.value(positive_p(mid_p)),
        n=call.count(groups.N1 + groups.N2),
        method="Fisher exact, two-sided",
        reason=call.words(reason),
    )
