"""How well all features together tell a protected attribute: a model's predictions of people that it has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.findings.scores.features.proxies import told_of, with_tests
from evenhand.stats import auc, pooled_auc
from evenhand.tables.audit.features.details import Proxy
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import JOINT_PROXY

__all__ = ["FOLDS", "LACKING", "joint_findings", "lacks_model"]

FOLDS: Final = 5
#: Groups of fewer people in the sample are not told.
FEWEST: Final = 50
#: Categories beyond these are taken together.
MOST_CATEGORIES: Final = 250
LACKING: Final = "That needs scikit-learn; install it with: pip install 'evenhand[match]'."


def lacks_model() -> bool:
    """Return whether scikit-learn is missing."""
    return find_spec("sklearn") is None


def joint_findings(
    sample: pl.DataFrame,
    features: Mapping[str, bool],
    attributes: Mapping[str, Sequence[str | None]],
    *,
    seed: int,
    confidence: float,
) -> list[Finding]:
    """Return how well boosted trees tell each group from the rest, out of fold.

    p is adjusted by Holm over the groups of an attribute, since the one that is told best is reported.

    `sample` has a column per feature, `features` says which of them are numbers (else they are categories), and
    `attributes` has the group of each row.
    """
    matrix, categorical = _matrix(sample, features)
    found: list[Finding] = []
    for attribute, groups in attributes.items():
        found += _of_attribute(matrix, categorical, attribute, groups, seed=seed, confidence=confidence)
    return with_tests(found)


def _matrix(sample: pl.DataFrame, features: Mapping[str, bool]) -> tuple[NDArray[np.float64], list[bool]]:
    columns = []
    for name, numeric in features.items():
        column = sample[name]
        if numeric:
            columns.append(column.cast(pl.Float64).fill_null(np.nan).to_numpy())
            continue
        counts = column.drop_nulls().value_counts(sort=True)
        kept = counts.sort(["count", name], descending=[True, False])[name].head(MOST_CATEGORIES).to_list()
        codes = {value: float(place) for place, value in enumerate(kept)}
        columns.append(
            np.array([np.nan if value is None else codes.get(value, float(len(kept))) for value in column.to_list()])
        )
    return np.column_stack(columns), [not numeric for numeric in features.values()]


def _of_attribute(
    matrix: NDArray[np.float64],
    categorical: list[bool],
    attribute: str,
    groups: Sequence[str | None],
    *,
    seed: int,
    confidence: float,
) -> list[Finding]:
    held = [group for group in groups if group is not None]
    sizes = {group: held.count(group) for group in sorted(set(held))}
    names = tuple(group for group, n in sizes.items() if n >= FEWEST)
    if len(names) < 2:
        return [_untold(attribute, len(held), confidence)]
    code = {group: place for place, group in enumerate(sizes)}
    rows = np.array([group is not None for group in groups])
    target = np.array([code[group] for group in held])
    shares, fold = _predicted(matrix[rows], target, categorical, seed=seed)
    told = []
    places = range(len(sizes)) if len(sizes) > 2 else range(1)
    for place in places:
        group = list(sizes)[place]
        if group not in names:
            continue
        parts = [auc(shares[fold == k, place], target[fold == k] == place, confidence=confidence) for k in range(FOLDS)]
        pooled = pooled_auc(parts, shared=True, confidence=confidence)
        finding, details = told_of(
            pooled,
            measure=JOINT_PROXY,
            feature="",
            attribute=attribute,
            groups=tuple(sizes),
            place=place,
            ordered=False,
        )
        told.append((finding, details))
    told.sort(key=lambda each: -(each[0].estimate or 0.0))
    return [
        replace(finding, details=replace(details, largest=rank == 0, groups=len(sizes)))
        for rank, (finding, details) in enumerate(told)
    ]


def _untold(attribute: str, n: int, confidence: float) -> Finding:
    return Finding(
        name=f"{JOINT_PROXY}_{attribute}",
        measure=JOINT_PROXY,
        focal={attribute: "any group"},
        role="planned",
        estimate=None,
        confidence=confidence,
        measured_in="AUC",
        null_value=0.5,
        n=n,
        clusters={},
        method="not computed",
        reason=f"Fewer than two groups have {FEWEST} people in the sample.",
        details=Proxy(largest=True),
    )


def _predicted(
    matrix: NDArray[np.float64], target: NDArray[np.int64], categorical: list[bool], *, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the predicted share of each group for each row, by models of the other folds, and the row's fold."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    fold = _folds(target, seed)
    shares = np.zeros((len(target), int(target.max()) + 1))
    for k in range(FOLDS):
        inside = fold == k
        model = HistGradientBoostingClassifier(
            max_iter=60,
            max_leaf_nodes=15,
            min_samples_leaf=20,
            early_stopping=False,
            categorical_features=categorical if any(categorical) else None,
            random_state=seed % 2**32,
        )
        # One thread adds up in one order: the same numbers on every machine.
        with threadpool_limits(limits=1):
            model.fit(matrix[~inside], target[~inside])
            shares[np.ix_(inside, model.classes_.astype(np.int64))] = model.predict_proba(matrix[inside])
    return shares, fold


def _folds(target: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return a fold for each row, each group spread evenly."""
    rng = np.random.default_rng(seed)
    fold = np.empty(len(target), dtype=np.int64)
    for each in np.unique(target):
        own = rng.permutation(np.flatnonzero(target == each))
        fold[own] = np.arange(len(own)) % FOLDS
    return fold
