"""How well categories tell two groups apart, when their rates are learned from other people."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import normal_quantile
from evenhand.stats.scores.predictions.auc import AUC, auc
from evenhand.stats.scores.predictions.limits import logit_limits

__all__ = ["FOLDS", "cross_fitted_auc", "pooled_auc"]

FOLDS = 5
#: A category's rate counts as if so many people of the overall rate were in it.
_PRIOR = 10.0


def cross_fitted_auc(positive: ArrayLike, negative: ArrayLike, *, seed: int, confidence: float = 0.95) -> AUC:
    """Return the AUC of categories, each scored by its rate of positives among the people of the other folds.

    `positive` and `negative` hold how many people of each group have each category, shape (categories,). People are
    spread at random over 5 folds, category by category and group by group, which needs their counts only. In each fold
    a category is scored (positives + 10 p) / (people + 10), counted in the other folds, p the rate of all there. So a
    category of one person tells nothing, and many categories are not overstated.
    Assumes independent people.
    Fails: as `pooled_auc`.

    Reference: Kohavi (1995), IJCAI 14, 1137-1143 (cross-validation); Micci-Barreca (2001), SIGKDD Explorations 3(1),
    27-32 (smoothed rates).

    As many categories as people tell nothing about others:

    >>> cross_fitted_auc([1] * 50 + [0] * 50, [0] * 50 + [1] * 50, seed=0).estimate
    0.5
    """
    counts = np.stack([np.asarray(positive, dtype=np.int64), np.asarray(negative, dtype=np.int64)])
    spread = np.random.default_rng(seed).multinomial(counts, [1 / FOLDS] * FOLDS)
    parts = []
    for fold in range(FOLDS):
        inside = spread[:, :, fold]
        others = counts - inside
        people = others.sum()
        rate = others[0].sum() / people if people else 0.5
        scores = (others[0] + _PRIOR * rate) / (others.sum(axis=0) + _PRIOR)
        which = np.repeat([True, False], counts.shape[1])
        parts.append(auc(np.tile(scores, 2), which, n=inside.ravel(), confidence=confidence))
    return pooled_auc(parts, confidence=confidence)


def pooled_auc(parts: Sequence[AUC], *, shared: bool = False, confidence: float = 0.95) -> AUC:
    """Return the AUC within folds, each weighted by its pairs; scores of different folds are not compared.

    Formula: Σ w A, with w the share of the pairs of a positive and a negative person, and var = Σ w² var A. Models of
    k folds that are each trained on the k - 1 others share their data; with `shared` var is 1 + k/(k - 1) times that.
    Assumes folds of different people.
    Fails: null where no fold has both groups; without an interval where one with both has none.

    References: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845; Nadeau and Bengio (2003), Machine
    Learning 52, 239-281 (the factor).

    >>> fold = auc([0.3, 0.9, 0.1, 0.5], [True, True, False, False])
    >>> pooled = pooled_auc([fold, fold])
    >>> pooled.estimate, round(pooled.standard_error / fold.standard_error, 4)
    (0.75, 0.7071)
    """
    known = [each for each in parts if each.estimate is not None]
    positive, negative = (sum(getattr(each, name) for each in parts) for name in ("n_positive", "n_negative"))
    pairs = np.array([each.n_positive * each.n_negative for each in known], dtype=np.float64)
    estimate = error = None
    reason: str | None = "No fold has people of both groups."
    if known:
        weights = pairs / pairs.sum()
        estimate, reason = float((weights * np.array([each.estimate for each in known])).sum()), None
        errors = [each.standard_error for each in known]
        if any(each is None for each in errors):
            reason = next(each.reason for each in known if each.standard_error is None)
        else:
            factor = 1 + len(parts) / (len(parts) - 1) if shared and len(parts) > 1 else 1.0
            error = float(np.sqrt(factor * (weights**2 * np.array(errors, dtype=np.float64) ** 2).sum()))
    low, high = logit_limits(estimate, error, normal_quantile(confidence))
    return AUC(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=error,
        confidence=confidence,
        n_positive=positive,
        n_negative=negative,
        clusters=None,
        influence=np.zeros(0),
        method=f"DeLong in {FOLDS} folds{', Nadeau and Bengio' if shared else ''}, logit",
        reason=reason,
    )
