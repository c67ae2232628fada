"""The loss of a fair model: log loss, and λ times how far the mean scores of groups are apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Slope", "fair_slope", "logistic"]

_Floats = NDArray[np.float64]
_Groups = Sequence[NDArray[np.int64]]


@dataclass(frozen=True, kw_only=True)
class Slope:
    """The gradient of the loss of n pairs by their margins, and its curvature, both (n,)."""

    gradient: _Floats
    curvature: _Floats


def logistic(margin: _Floats) -> _Floats:
    """Return 1 / (1 + exp(-margin)), without overflow.

    >>> logistic(np.array([0.0, -800.0])).tolist()
    [0.5, 0.0]
    """
    small = np.exp(-np.abs(margin))
    found: _Floats = np.where(margin >= 0, 1 / (1 + small), small / (1 + small))
    return found


def fair_slope(margin: _Floats, label: _Floats, groups: _Groups, *, strength: float) -> Slope:
    """Return the slope of Σ log loss + strength · n · gap at margins f; labels are 0 or 1, all (n,).

    The gap is the mean over pairs of groups of their squared difference of mean scores, summed over attributes.
    `groups` has the group of each pair of person and position, (n,), for each attribute; unknown is -1.

    With p = logistic(f), s = p (1 - p) and mean scores m_g, m_h of two of k groups, d = m_g - m_h, a pair i of g has
    the gradient p_i - y_i + strength · n · Σ_h 2 w d s_i / n_g, w = 2 / (k (k - 1)).
    `curvature` is the diagonal of the Hessian, s_i + strength · n · Σ_h 2 w (s_i² / n_g + d s_i (1 - 2 p_i)) / n_g,
    whose term of an attribute is left out where it is negative: a step of Newton has to go downhill.

    A squared difference of means is what the impact ratio and the mean ratio see, has a gradient everywhere, and adds
    over attributes. It asks for equal means, whatever the labels: λ states how much accuracy that may cost.

    Reference: Zafar et al. (2017), AISTATS.
    """
    score = logistic(margin)
    spread = score * (1 - score)
    gradient, curvature = score - label, spread.copy()
    for own in _compared(score, groups) if strength else ():
        scale = 2 * strength * len(margin) * own.weight / np.maximum(own.n, 1)
        pull, push = scale * own.apart.sum(axis=1), scale * own.others / np.maximum(own.n, 1)
        pulled = np.append(pull, 0.0)[own.codes] * spread
        gradient += pulled
        curvature += np.maximum(0.0, np.append(push, 0.0)[own.codes] * spread * spread + pulled * (1 - 2 * score))
    return Slope(gradient=gradient, curvature=curvature)


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """The groups of an attribute: `apart` are differences of mean scores, row less column; the last code is unknown."""

    codes: NDArray[np.int64]
    n: _Floats
    apart: _Floats
    others: int
    weight: float


def _compared(score: _Floats, groups: _Groups) -> Iterator[_Compared]:
    """Yield what attributes with two groups or more have of scores."""
    for attribute in groups:
        k = int(attribute.max(initial=-1)) + 1
        codes = np.where(attribute < 0, k, attribute)
        n = np.bincount(codes, minlength=k + 1)[:k].astype(np.float64)
        there = n > 0
        known = int(there.sum())
        if known < 2:
            continue
        mean = np.bincount(codes, score, minlength=k + 1)[:k] / np.maximum(n, 1)
        apart = (mean[:, None] - mean[None, :]) * (there[:, None] & there[None, :])
        yield _Compared(codes=codes, n=n, apart=apart, others=known - 1, weight=2 / (known * (known - 1)))
