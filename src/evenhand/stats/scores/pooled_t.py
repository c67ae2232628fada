"""Two samples by the independent-samples t test with one pooled variance, as perturbation tests are published."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import positive_p
from evenhand.stats.special import stdtr

__all__ = ["PooledT", "pooled_t"]


@dataclass(frozen=True, kw_only=True)
class PooledT:
    """Focal mean minus reference mean with Student's test; `n` counts both samples."""

    estimate: float | None
    t: float | None
    df: int
    p: float | None
    n: int
    method: str
    reason: str | None


def pooled_t(focal: ArrayLike, reference: ArrayLike) -> PooledT:
    """Return the independent-samples t test of two samples of shapes (n1,) and (n2,), with a pooled variance.

    Formula: t = d / (s sqrt(1/n1 + 1/n2)) with s² = ((n1 - 1) v1 + (n2 - 1) v2) / (n1 + n2 - 2), on n1 + n2 - 2
    degrees of freedom; p = 2 cdf(-|t|).
    Assumes independent values and equal variances. Scores of the same résumés in two versions are not independent:
    what they share stays in s, so a difference that every pair shows can pass unseen, and many scores of one résumé
    count as many people. It is here because it is published; read the paired results.
    Fails: null with an empty sample, fewer than three values, values that are not finite or do not vary.

    Reference: Student (1908), Biometrika 6, 1-25; the two formulas as in Eightfold's 'Responsible AI' paper,
    'Perturbation Testing'.

    With means 3 and 5, variances 1 and 1 of three values each: t = -2 / sqrt(2/3), on 4 degrees of freedom.

    >>> found = pooled_t([2, 3, 4], [4, 5, 6])
    >>> found.estimate, round(found.t, 4), found.df, round(found.p, 4)
    (-2.0, -2.4495, 4, 0.0705)
    """
    x, y = (np.asarray(values, dtype=np.float64) for values in (focal, reference))
    if x.ndim != 1 or y.ndim != 1:
        message = f"pooled_t takes two samples of one dimension, got shapes {x.shape}, {y.shape}."
        raise ValueError(message)
    df = max(x.size + y.size - 2, 0)
    estimate = t = p = reason = None
    if not x.size or not y.size:
        reason = "A group has no values."
    elif not (np.isfinite(x).all() and np.isfinite(y).all()):
        reason = "A value is missing or not finite."
    else:
        estimate = float(x.mean() - y.mean())
        squares = float(((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum())
        if df < 1:
            reason = "Two values tell nothing of their spread."
        elif max(np.ptp(x), np.ptp(y)) == 0.0:
            reason = "The values of each group are all alike."
        else:
            t = estimate / (squares / df * (1 / x.size + 1 / y.size)) ** 0.5
            p = float(positive_p(np.array(2 * stdtr(df, -abs(t)))))
    return PooledT(estimate=estimate, t=t, df=df, p=p, n=x.size + y.size, method="pooled t", reason=reason)
