"""A share of all people, estimated from some who were drawn with known probabilities."""

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Call, Estimate, Floats, normal_quantile, reasons
from evenhand.stats.rates import wilson_limits
from evenhand.stats.several_groups import effective_sample_size


def weighted_rate(selected: ArrayLike, weights: ArrayLike, *, confidence: float = 0.95) -> Estimate:
    """Return the share selected of all people, from those drawn: `weights` say for how many people each stands.

    Formula: p = Σ w x / Σ w, with Wilson's limits on the effective number of people drawn (`effective_drawn`), where
    x - p is what each adds.
    Assumes independent people drawn with probabilities 1 / w; that all are finitely many is not made use of.
    Fails: null when nobody was drawn. Simulated with 50 to 400 people, weights up to 40 to 1 and shares from .5 to 1
    that differ by weight, 95 % intervals held p in 93 to 99 % of samples.

    Reference: Hájek (1971), Foundations of Statistical Inference 236; Franco, Little, Louis and Slud (2019), Journal of
    Survey Statistics and Methodology 7, 334-364 (Wilson's limits on an effective n).

    The selected one stands for 30 people, the other for 10:

    >>> rate = weighted_rate([1, 0], [30, 10])
    >>> rate.estimate, rate.n, round(rate.low, 3)
    (0.75, 2, 0.148)
    """
    x, w = np.asarray(selected, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    p = (w * x).sum() / w.sum() if w.size else np.nan
    n = effective_drawn(w, x - p)
    low, high = wilson_limits(np.array([p * n]), np.array([n]), normal_quantile(confidence))
    people = np.array([w.size])
    return Call(scalar=True).estimate(
        np.array([p]),
        low,
        high,
        n=people,
        reason=reasons((people == 0, "Nobody was drawn.")),
        confidence=confidence,
        method="Wilson score, effective n",
    )


def effective_drawn(weights: Floats, influence: Floats) -> float:
    """Return how many people drawn with one probability tell as much as these; `influence` is what each adds.

    Formula: n_e = (Σ w)² / Σ w² (Kish), times min(1, V_k / V_l): V_k = Σ w u² / Σ w / n_e is the variance where u does
    not depend on w, and V_l = n / (n - 1) Σ w² u² / (Σ w)² the linearised one, of which chance makes the less.

    Reference: Kish (1965), Survey Sampling, section 11.7.

    >>> round(effective_drawn(np.array([1.0, 1, 3, 3]), np.array([0.5, -0.5, 0.5, -0.5])), 10)
    2.4
    """
    kish = effective_sample_size(np.ones(weights.size), weights)
    if kish is None:
        return float("nan")
    spread = float((weights**2 * influence**2).sum()) * weights.size / max(weights.size - 1, 1)
    expected = float((weights * influence**2).sum() * weights.sum()) / kish
    return kish * min(1.0, expected / spread) if spread > 0 else kish
