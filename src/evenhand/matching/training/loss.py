"""The loss of a fair model: log loss, and λ times how far the mean scores of groups are apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Loss", "fair_loss", "group_gap", "logistic"]

_Floats = NDArray[np.float64]
_Groups = Sequence[NDArray[np.int64]]


@dataclass(frozen=True, kw_only=True)
class Loss:
    """The loss of n pairs, its gradient by their margins, and its curvature, both (n,)."""

    value: float
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


def group_gap(score: _Floats, groups: _Groups) -> float:
    """Return the mean over pairs of groups of their squared difference of mean scores, summed over attributes.

    `groups` has the group of each pair of person and position, (n,), for each attribute; unknown is -1.

    >>> group_gap(np.array([0.2, 0.4, 0.8]), [np.array([0, 0, 1])])  # (0.3 - 0.8) ** 2
    0.25
    """
    return float(sum(weight * (first.mean - second.mean) ** 2 for first, second, weight in _compared(score, groups)))


def fair_loss(margin: _Floats, label: _Floats, groups: _Groups, *, strength: float) -> Loss:
    """Return Σ log loss + strength · n · `group_gap` of margins f, labels 0 or 1, all (n,).

    With p = logistic(f), s = p (1 - p) and mean scores m_g, m_h of two of k groups, d = m_g - m_h, a pair i of g has
    the gradient p_i - y_i + strength · n · Σ_h 2 w d s_i / n_g, w = 2 / (k (k - 1)).
    `curvature` is the diagonal of the Hessian, s_i + strength · n · Σ_h 2 w (s_i² / n_g + d s_i (1 - 2 p_i)) / n_g,
    whose terms of the gap are left out where they are negative: a step of Newton has to go downhill.

    A squared difference of means is what the impact ratio and the mean ratio see, has a gradient everywhere, and adds
    over attributes. It asks for equal means, whatever the labels: λ states how much accuracy that may cost.

    Reference: Zafar et al. (2017), AISTATS.
    """
    score = logistic(margin)
    spread = score * (1 - score)
    value = float(np.sum(np.logaddexp(0.0, margin) - label * margin))
    gradient, curvature = score - label, spread.copy()
    if strength:
        scale = strength * len(margin)
        value += scale * group_gap(score, groups)
        bend = spread * (1 - 2 * score)
        for first, second, weight in _compared(score, groups):
            apart = first.mean - second.mean
            for each, sign in ((first, 1.0), (second, -1.0)):
                own = 2 * weight * scale / len(each.rows)
                gradient[each.rows] += own * sign * apart * spread[each.rows]
                own_curvature = spread[each.rows] ** 2 / len(each.rows) + sign * apart * bend[each.rows]
                curvature[each.rows] += own * np.maximum(0.0, own_curvature)
    return Loss(value=value, gradient=gradient, curvature=curvature)


@dataclass(frozen=True, kw_only=True)
class _Group:
    rows: NDArray[np.int64]
    mean: float


def _compared(score: _Floats, groups: _Groups) -> Iterator[tuple[_Group, _Group, float]]:
    """Yield every two groups of an attribute, and the weight of their difference."""
    for attribute in groups:
        own = [np.flatnonzero(attribute == group) for group in range(int(attribute.max(initial=-1)) + 1)]
        means = [_Group(rows=rows, mean=float(score[rows].mean())) for rows in own if len(rows)]
        weight = 2 / (len(means) * (len(means) - 1)) if len(means) > 1 else 0.0
        for place, first in enumerate(means):
            for second in means[place + 1 :]:
                yield first, second, weight
