"""An additive model of trees, each of one feature, fitted with the fair loss and stopped by the worst group."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.matching.features.declared import FEATURES
from evenhand.matching.training.loss import fair_slope
from evenhand.matching.training.worst_group import worst_group_auc

__all__ = ["TrainingPairs", "Trees", "fit_trees"]

MOST_ROUNDS: Final = 300
PATIENCE: Final = 25
LEARNING_RATE: Final = 0.15
_LEAVES: Final = 5
_BINS: Final = 63
#: The share of the pairs that a leaf has at least, and their number.
_LEAF_SHARE, _LEAF_PAIRS = 0.002, 20


@dataclass(frozen=True, kw_only=True)
class TrainingPairs:
    """Pairs to train on: features (n, features), labels (n,), and for each attribute the group of each pair, (n,)."""

    features: NDArray[np.float32]
    label: NDArray[np.float64]
    groups: Sequence[NDArray[np.int64]]

    def at(self, rows: NDArray[np.int64]) -> "TrainingPairs":
        """Return some of the pairs."""
        return TrainingPairs(
            features=self.features[rows], label=self.label[rows], groups=[each[rows] for each in self.groups]
        )


@dataclass(frozen=True, kw_only=True)
class Trees:
    """A model in LightGBM's text format, the margin that it starts from, and how many trees it has."""

    model: str
    start: float
    rounds: int


def fit_trees(fit: TrainingPairs, validation: TrainingPairs, *, strengths: Sequence[float], seed: int) -> list[Trees]:
    """Return a model for each strength of the penalty; groups enter through the loss and when it stops, nowhere else.

    Raises
    ------
    InputError
        LightGBM is not installed.

    """
    try:
        import lightgbm  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise InputError("Training needs LightGBM: pip install 'evenhand[match]'.") from error
    share = float(np.clip(fit.label.mean(), 1e-6, 1 - 1e-6))
    start = float(np.log(share / (1 - share)))
    params = _params(len(fit.label), seed)
    sets = [
        lightgbm.Dataset(each.features, each.label, init_score=np.full(len(each.label), start), params=params)
        for each in (fit, validation)
    ]
    sets[1].reference = sets[0]

    def stopped_by(margin: NDArray[np.float64], _: Any) -> tuple[str, float, bool]:
        return "worst_group_auc", worst_group_auc(margin, validation.label, validation.groups), True

    found = []
    for strength in strengths:

        def objective(margin: NDArray[np.float64], _: Any, strength: float = strength) -> tuple[Any, Any]:
            slope = fair_slope(margin, fit.label, fit.groups, strength=strength)
            return slope.gradient, slope.curvature

        booster = lightgbm.train(
            params | {"objective": objective},
            sets[0],
            num_boost_round=MOST_ROUNDS,
            valid_sets=[sets[1]],
            feval=stopped_by,
            callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
        )
        rounds = booster.best_iteration or booster.current_iteration()
        found.append(Trees(model=booster.model_to_string(num_iteration=rounds), start=start, rounds=rounds))
    return found


def _params(pairs: int, seed: int) -> dict[str, Any]:
    return {
        "learning_rate": LEARNING_RATE,
        "num_leaves": _LEAVES,
        "max_bin": _BINS,
        "min_data_in_leaf": max(_LEAF_PAIRS, int(_LEAF_SHARE * pairs)),
        "interaction_constraints": [[number] for number in range(len(FEATURES))],
        "monotone_constraints": [each.monotone for each in FEATURES],
        "metric": "None",
        "deterministic": True,
        "force_col_wise": True,
        "feature_pre_filter": False,
        "num_threads": 1,  # of several, each waits for the others longer than it works, the more where cores are shared
        "seed": seed % 2**31,
        "verbosity": -1,
    }
