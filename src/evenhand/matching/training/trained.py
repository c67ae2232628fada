"""From labelled pairs to a matcher, with what it is judged by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.intake.positions import Position
from evenhand.matching.curves import Curve, curves_of
from evenhand.matching.features.declared import NAMES
from evenhand.matching.features.facts import people_facts, position_facts, position_labels
from evenhand.matching.features.pairs import pair_features
from evenhand.matching.features.terms import LabelledTexts
from evenhand.matching.features.vocabulary import vocabulary_of
from evenhand.matching.matcher import Matcher
from evenhand.matching.reading.experience import latest_date
from evenhand.matching.reading.words import lines_of
from evenhand.matching.training.calibration import calibrations_of
from evenhand.matching.training.loss import logistic
from evenhand.matching.training.splits import Split, split_pairs
from evenhand.matching.training.trees import TrainingPairs, fit_trees
from evenhand.matching.training.worst_group import worst_group_auc
from evenhand.stats import auc
from evenhand.tables.audit.applicants.match import FrontierRow

__all__ = ["STRENGTHS", "WITHIN", "Asked", "LabelledPairs", "Trained", "train"]

_Floats = NDArray[np.float64]
#: Strengths of the penalty that the frontier shows besides the one that was asked for.
STRENGTHS: Final = (0.0, 1.0, 3.0, 10.0, 30.0)
#: How far below the best AUC a model on the frontier may be to be marked.
WITHIN: Final = 0.01
#: By how much its widest gap is narrower at least, so that three decimals show it.
LEAST: Final = 0.001


@dataclass(frozen=True, kw_only=True)
class LabelledPairs:
    """Pairs by the numbers of their people and positions, labels 0 or 1, and groups by attribute; all (n,).

    A group is a number, -1 where it is unknown.
    """

    people: NDArray[np.int64]
    positions: NDArray[np.int64]
    label: _Floats
    groups: Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """How a matcher is trained; features in `without` are left out."""

    fairness: float
    test_share: float
    without: tuple[str, ...]
    seed: int


@dataclass(frozen=True, kw_only=True)
class Trained:
    """A matcher without its card, the features of all pairs (n, features), and the scores of its test pairs.

    `baseline` are those of a logistic regression.
    """

    matcher: Matcher
    importance: tuple[float, ...]
    constant: tuple[str, ...]
    features: NDArray[np.float32]
    split: Split
    frontier: tuple[FrontierRow, ...]
    score: _Floats
    baseline: _Floats


def train(texts: Sequence[str], positions: Sequence[Position], pairs: LabelledPairs, asked: Asked) -> Trained:
    """Return the matcher that masked texts, positions and labelled pairs give.

    Raises
    ------
    InputError
        There are too few pairs or labels, or LightGBM or scikit-learn is not installed.

    """
    split = split_pairs(
        pairs.people, pairs.positions, test_share=asked.test_share, rng=np.random.default_rng(asked.seed)
    )
    _check_labels(pairs, split)
    lines = [lines_of(text) for text in texts]
    fitted_people = np.unique(pairs.people[split.fit])
    fitted_positions = np.unique(pairs.positions[split.fit])
    as_of = max((latest_date(lines[person]) for person in fitted_people), default=0.0)
    vocabulary = vocabulary_of(
        LabelledTexts(
            positions=[positions[each] for each in fitted_positions],
            people=[lines[each] for each in fitted_people],
            rows=np.searchsorted(fitted_people, pairs.people[split.fit]),
            columns=np.searchsorted(fitted_positions, pairs.positions[split.fit]),
            label=pairs.label[split.fit],
        )
    )
    labels = position_labels(positions, vocabulary)
    facts = position_facts(positions, labels, vocabulary)
    features = pair_features(people_facts(lines, labels, vocabulary, as_of=as_of), facts, pairs.people, pairs.positions)
    for name in asked.without:
        features[:, NAMES.index(name)] = 0
    every = TrainingPairs(features=features, label=pairs.label, groups=list(pairs.groups.values()))
    fit, validation, test = (every.at(part) for part in (split.fit, split.validation, split.test))
    strengths = tuple(sorted({*STRENGTHS, asked.fairness}))
    models = fit_trees(fit, validation, strengths=strengths, seed=asked.seed)
    frontier = _frontier(models, strengths, validation, tuple(pairs.groups), asked.fairness)
    own = models[strengths.index(asked.fairness)]
    curves = curves_of(own.model, len(NAMES))
    added = np.column_stack([curve.at(fit.features[:, number]) for number, curve in enumerate(curves)])
    centres = added.mean(axis=0)
    families = np.asarray(facts.families, dtype=object)[pairs.positions]
    pooled, by_family = calibrations_of(
        own.start + _margin(curves, validation.features), validation.label, families[split.validation].tolist()
    )
    matcher = Matcher(
        model=own.model,
        curves=curves,
        start=own.start,
        centres=tuple(centres.tolist()),
        vocabulary=vocabulary,
        pooled=pooled,
        families=by_family,
        as_of=as_of,
        card={},
    )
    margin = matcher.margin(test.features)
    return Trained(
        matcher=matcher,
        importance=tuple(np.abs(added - centres).mean(axis=0).tolist()),
        constant=tuple(name for name, column in zip(NAMES, fit.features.T, strict=True) if _is_constant(column)),
        features=features,
        split=split,
        frontier=frontier,
        score=matcher.score(margin, families[split.test].tolist()),
        baseline=_baseline(fit, test),
    )


def _check_labels(pairs: LabelledPairs, split: Split) -> None:
    for name, rows in (("fitting", split.fit), ("validation", split.validation), ("test", split.test)):
        ones = int(pairs.label[rows].sum())
        if not ones or ones == len(rows):
            told = "no pair has" if not ones else "all pairs have"
            raise InputError(
                f"Of the {len(rows):,} pairs for {name} {told} the label; a model needs both. Give more pairs, or "
                "another --test-share or --seed."
            )


def _margin(curves: Sequence[Curve], features: NDArray[np.float32]) -> _Floats:
    found: _Floats = sum((curve.at(features[:, at]) for at, curve in enumerate(curves)), np.zeros(len(features)))
    return found


def _is_constant(column: NDArray[np.float32]) -> bool:
    known = column[~np.isnan(column)]
    return not len(known) or bool(known.min() == known.max())


def _frontier(
    models: Sequence[Any],
    strengths: Sequence[float],
    validation: TrainingPairs,
    attributes: Sequence[str],
    chosen: float,
) -> tuple[FrontierRow, ...]:
    told = []
    for model, strength in zip(models, strengths, strict=True):
        margin = model.start + _margin(curves_of(model.model, len(NAMES)), validation.features)
        gaps = {
            name: _widest(logistic(margin), group) for name, group in zip(attributes, validation.groups, strict=True)
        }
        overall = auc(margin, validation.label).estimate or 0.5
        told.append(
            (strength, model.rounds, overall, worst_group_auc(margin, validation.label, validation.groups), gaps)
        )
    best = max(each[2] for each in told)
    plain = max(told[0][4].values(), default=0.0)
    return tuple(
        FrontierRow(
            strength=strength,
            rounds=rounds,
            auc=overall,
            worst_auc=worst,
            gaps=gaps,
            candidate=strength > 0 and overall >= best - WITHIN and max(gaps.values(), default=0.0) <= plain - LEAST,
            chosen=strength == chosen,
        )
        for strength, rounds, overall, worst, gaps in told
    )


def _widest(score: _Floats, group: NDArray[np.int64]) -> float:
    """Return the difference between the highest and the lowest mean score of a group."""
    means = [score[group == each].mean() for each in np.unique(group) if each >= 0]
    return float(max(means) - min(means)) if means else 0.0


def _baseline(fit: TrainingPairs, test: TrainingPairs) -> _Floats:
    """Return the scores of test pairs by a logistic regression on the same features; what is unknown is the mean."""
    try:
        from sklearn.impute import SimpleImputer  # noqa: PLC0415 - an extra
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
        from sklearn.pipeline import make_pipeline  # noqa: PLC0415
        from sklearn.preprocessing import StandardScaler  # noqa: PLC0415
    except ImportError as error:
        raise InputError("Training needs scikit-learn: pip install 'evenhand[match]'.") from error
    model = make_pipeline(
        SimpleImputer(add_indicator=True, keep_empty_features=True), StandardScaler(), LogisticRegression(max_iter=1000)
    )
    found: _Floats = model.fit(fit.features, fit.label).predict_proba(test.features)[:, 1]
    return found
