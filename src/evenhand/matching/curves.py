"""An additive model as curves: for each feature, what its value adds to the margin."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError

__all__ = ["Curve", "curves_of"]

_Floats = NDArray[np.float64]
_LEFT_BY_DEFAULT: Final = 2
_MISSING_IS_NAN: Final = 2
#: What LightGBM writes for a threshold that parts what is known from what is not; no value is as large.
_LARGEST: Final = 1e300


@dataclass(frozen=True, kw_only=True)
class Curve:
    """What a feature adds: `values[i]` above `edges[i - 1]` and up to `edges[i]`, `missing` where it is unknown."""

    edges: _Floats
    values: _Floats
    missing: float

    @property
    def is_used(self) -> bool:
        """Say whether scores depend on the feature at all."""
        return bool(len(self.edges)) or self.missing != self.values[0]

    def at(self, feature: NDArray[np.float32]) -> _Floats:
        """Return what values of the feature add, in the shape they have."""
        found: _Floats = self.values[np.searchsorted(self.edges, feature, side="left")]
        return np.where(np.isnan(feature), self.missing, found)


def curves_of(model: str, features: int) -> tuple[Curve, ...]:
    """Return the curves of a model in LightGBM's text format whose trees have one feature each.

    Raises
    ------
    InputError
        A tree has several features, or the text is no such model.

    """
    trees: list[list[_Tree]] = [[] for _ in range(features)]
    for block in model.split("\nTree=")[1:]:
        tree = _tree(block.split("\n\n")[0])
        if tree is not None:
            trees[tree.feature].append(tree)
    return tuple(_curve(own) for own in trees)


@dataclass(frozen=True, kw_only=True)
class _Tree:
    """Nodes of one tree: thresholds, children (a leaf is -1 - its number), where what is unknown goes, leaves."""

    feature: int
    thresholds: Sequence[float]
    left: Sequence[int]
    right: Sequence[int]
    missing_left: Sequence[bool]
    leaves: Sequence[float]

    def value(self, at: float | None) -> float:
        node = 0
        while node >= 0:
            left = self.missing_left[node] if at is None else at <= self.thresholds[node]
            node = self.left[node] if left else self.right[node]
        return self.leaves[-1 - node]


def _tree(block: str) -> _Tree | None:
    """Return a tree, None where it is a single leaf that adds nothing."""
    said = dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
    try:
        if int(said["num_leaves"]) == 1:
            return None
        own = set(map(int, said["split_feature"].split()))
        kinds = list(map(int, said["decision_type"].split()))
        if len(own) != 1 or any(kind & 1 for kind in kinds):
            raise InputError("The matcher's model is not additive: a tree has several features, or categories.")
        nan = [kind >> 2 & 3 == _MISSING_IS_NAN for kind in kinds]
        thresholds = list(map(float, said["threshold"].split()))
        return _Tree(
            feature=own.pop(),
            thresholds=thresholds,
            left=list(map(int, said["left_child"].split())),
            right=list(map(int, said["right_child"].split())),
            # Where a node has seen nothing unknown, what is unknown counts as 0 there.
            missing_left=[
                bool(kind & _LEFT_BY_DEFAULT) if is_nan else threshold >= 0.0
                for kind, is_nan, threshold in zip(kinds, nan, thresholds, strict=True)
            ],
            leaves=list(map(float, said["leaf_value"].split())),
        )
    except (KeyError, ValueError) as error:
        raise InputError(f"The matcher's model is damaged ({error}).") from error


def _curve(trees: Sequence[_Tree]) -> Curve:
    thresholds = np.unique([threshold for tree in trees for threshold in tree.thresholds])
    edges = thresholds[thresholds < _LARGEST]
    places = [*edges, _LARGEST]
    return Curve(
        edges=edges,
        values=np.asarray([sum(tree.value(place) for tree in trees) for place in places]),
        missing=float(sum(tree.value(None) for tree in trees)),
    )
