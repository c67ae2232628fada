"""How much more one group of texts uses a word than another, shrunk to the common use."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["PRIOR_WORDS", "LogOdds", "log_odds"]

Floats = NDArray[np.float64]

#: Weight of the prior in words; the prior's own mix is the use of both groups together.
PRIOR_WORDS = 500.0


@dataclass(frozen=True, kw_only=True)
class LogOdds:
    """Log odds ratio per word, focal against reference, and its z."""

    estimate: Floats
    z: Floats
    method: str


def log_odds(focal: ArrayLike, reference: ArrayLike, *, prior_words: float = PRIOR_WORDS) -> LogOdds:
    """Return the log odds ratio of each word with an informative Dirichlet prior.

    Formula: with counts y and total n per group, and a_w = `prior_words` times the word's
    share in both groups together (a_0 their sum),
    δ_w = log((y + a_w)/(n + a_0 - y - a_w)) in the focal group less the same in the
    reference group; z = δ_w / sqrt(1/(y_focal + a_w) + 1/(y_reference + a_w)).
    `focal` and `reference` have shape (..., words); leading axes are resamples, and the
    prior is made anew in each.
    Assumes counts of one word list; z takes words as independent draws, which they are
    not within a document: resample documents for an interval.
    Fails: NaN for a word that neither group uses.

    Reference: Monroe, Colaresi and Quinn (2008), Political Analysis 16, 372-403, section 3.5.

    Equal use gives 0; a word that only one group uses stays finite:

    >>> result = log_odds([10, 30], [10, 30])
    >>> result.estimate.round(12).tolist()
    [0.0, 0.0]
    >>> bool(0 < log_odds([1, 99], [0, 100]).estimate[0] < 1)
    True
    """
    y = np.asarray(focal, dtype=np.float64)
    x = np.asarray(reference, dtype=np.float64)
    together = y + x
    with np.errstate(divide="ignore", invalid="ignore"):
        prior = prior_words * together / together.sum(axis=-1, keepdims=True)
        weights = prior.sum(axis=-1, keepdims=True)

        def log_odd(counts: Floats) -> Floats:
            own = counts + prior
            return np.asarray(np.log(own) - np.log(counts.sum(axis=-1, keepdims=True) + weights - own))

        estimate = log_odd(y) - log_odd(x)
        z = estimate / np.sqrt(1.0 / (y + prior) + 1.0 / (x + prior))
    unused = together == 0
    return LogOdds(
        estimate=np.where(unused, np.nan, estimate),
        z=np.where(unused, np.nan, z),
        method="log odds ratio, informative Dirichlet prior",
    )
