"""Train and evaluate a matcher on labelled pairs.

Pairs are split into fitting, validation, calibration and test so that no person and no position is in two
parts. Trees of one feature each are fitted with the fair loss and stopped by the validation loss of the worst group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.data.inputs import Position
from evenhand.errors import InputError
from evenhand.matching.features import FEATURES, NAMES, pair_features, people_facts, position_facts, position_labels
from evenhand.matching.matcher import Curve, Matcher, calibrations_of, fair_slope, logistic
from evenhand.matching.terms import LabelledTexts, vocabulary_of
from evenhand.matching.texts import latest_date, lines_of
from evenhand.results.score_audit import FrontierRow
from evenhand.stats import auc

_Floats = NDArray[np.float64]
#: The fewest pairs of either label for which a group counts.
FEWEST: Final = 20


def worst_group_auc(
    score: NDArray[np.float64], label: NDArray[np.float64], groups: Sequence[NDArray[np.int64]]
) -> float:
    """Return the lowest AUC of a group with enough pairs of both labels; that of all pairs where there is none.

    >>> worst_group_auc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([0.0, 0.0, 1.0, 1.0]), [])
    0.875
    """
    positive = label > 0
    parts = [attribute == group for attribute in groups for group in range(int(attribute.max(initial=-1)) + 1)]
    counting = [part for part in parts if _large_enough(part, positive)] or [np.ones(len(label), dtype=np.bool_)]
    return min(auc(score[part], positive[part]).estimate or 0.0 for part in counting)


def _large_enough(group_rows: NDArray[np.bool_], positive: NDArray[np.bool_]) -> bool:
    positives = int(np.count_nonzero(group_rows & positive))
    return min(positives, int(np.count_nonzero(group_rows)) - positives) >= FEWEST


#: With fewer positions, all of them are in every part, and people alone are parted.
FEWEST_POSITIONS: Final = 10
#: The share of people left after the test people whose pairs decide when to stop, and calibrate.
VALIDATION_SHARE: Final = 0.25


@dataclass(frozen=True, kw_only=True)
class Split:
    """Numbers of the pairs of each part; `left_out` would have shared a person or a position with another part.

    `by_position` says that the positions of the test are in no other part.
    """

    fit: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]
    left_out: int
    by_position: bool


def split_pairs(
    people: NDArray[np.int64], positions: NDArray[np.int64], *, test_share: float, rng: np.random.Generator
) -> Split:
    """Return the parts of pairs, given the numbers of their people and positions, both (n,).

    `test_share` of the people and of the positions are held out: the test has the pairs of the ones with the others.
    Pairs of a held-out person with another position, or the reverse, are left out. Fitting and validation share
    positions, never people.
    """
    tested = _sampled_pairs(people, test_share, rng)
    by_position = len(np.unique(positions)) >= FEWEST_POSITIONS
    held_position = _sampled_pairs(positions, test_share, rng) if by_position else np.ones(len(positions), bool)
    rest_position = ~held_position if by_position else held_position
    validating = _sampled_pairs(people, VALIDATION_SHARE, rng)
    test = tested & held_position
    rest = ~tested & rest_position
    fit, validation = (np.flatnonzero(part) for part in (rest & ~validating, rest & validating))
    return Split(
        fit=fit,
        validation=validation,
        test=np.flatnonzero(test),
        left_out=len(people) - len(fit) - len(validation) - int(test.sum()),
        by_position=by_position,
    )


def _sampled_pairs(numbers: NDArray[np.int64], share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which pairs are of those that were drawn, at least one and not all of them."""
    every = np.unique(numbers)
    count = min(max(round(share * len(every)), 1), len(every) - 1)
    return np.isin(numbers, rng.permutation(every)[:count])


#: What stops training: the validation loss of the group where it is highest, that of all pairs, or nothing.
WORST_GROUP, EVERYBODY, NOTHING = "worst-group", "all", "none"
MOST_ROUNDS: Final = 300
#: Rounds after the lowest loss that training waits for a lower one.
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
            features=self.features[rows], label=self.label[rows], groups=[group[rows] for group in self.groups]
        )


@dataclass(frozen=True, kw_only=True)
class ValidationGroups:
    """The groups of validation pairs: place of the attribute, code, number of pairs, and how many have the label.

    All have shape (groups,), `member` (groups, pairs). The first group is all pairs, of attribute -1.
    """

    attribute: NDArray[np.int64]
    code: NDArray[np.int64]
    member: NDArray[np.bool_]
    pairs: NDArray[np.int64]
    positive: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.bool_]:
        """Return whether each group may stop training: it has 20 pairs of either label."""
        enough: NDArray[np.bool_] = np.minimum(self.positive, self.pairs - self.positive) >= FEWEST
        return enough & (self.attribute >= 0)

    def losses(self, margin: _Floats, label: _Floats) -> _Floats:
        """Return the mean log loss of each group."""
        return self.member @ (np.logaddexp(0.0, margin) - label * margin) / self.pairs


def validation_groups(validation: TrainingPairs) -> ValidationGroups:
    """Return the groups with pairs, by attribute and code; the first is all pairs."""
    named = [(-1, 0, np.ones(len(validation.label), dtype=np.bool_))]
    for attribute, codes in enumerate(validation.groups):
        named += [(attribute, int(code), codes == code) for code in np.unique(codes[codes >= 0])]
    member = np.array([rows for _, _, rows in named])
    return ValidationGroups(
        attribute=np.array([attribute for attribute, _, _ in named]),
        code=np.array([code for _, code, _ in named]),
        member=member,
        pairs=member.sum(axis=1),
        positive=(member & (validation.label > 0)).sum(axis=1),
    )


def stopping_loss(losses: _Floats, counts: NDArray[np.bool_], stop_on: str) -> _Floats:
    """Return the loss of each round that stops training; `losses` is (rounds, groups), the first group all pairs.

    Where no group counts, it is that of all pairs.
    """
    return losses[:, counts].max(axis=1) if stop_on == WORST_GROUP and counts.any() else losses[:, 0]


def kept_rounds(loss: Sequence[float] | _Floats) -> tuple[int, bool]:
    """Return the rounds up to the lowest loss that is not undercut in the 25 after it, and whether 25 came after it.

    >>> kept_rounds([3.0, 2.0, 2.5]), kept_rounds([3.0, 2.0] + 25 * [2.5] + [1.0])
    ((2, False), (2, True))
    """
    best = 0
    for number, value in enumerate(loss):
        if value < loss[best]:
            best = number
        elif number - best >= PATIENCE:
            return best + 1, True
    return best + 1, False


@dataclass(frozen=True, kw_only=True)
class Trees:
    """Trees of one feature each as curves, compared with their mean; the mean margin; and how many trees there are.

    `losses` are those of the validation groups after each round of training, (rounds, groups). `other` is the same
    training stopped by another rule, where it was asked for.
    """

    base: float
    curves: tuple[Curve, ...]
    rounds: int
    losses: _Floats
    other: "Trees | None" = None


@dataclass(frozen=True, kw_only=True)
class Stopping:
    """What stops training; of the strength `compared` also the trees that the `other` rule would keep."""

    on: str = WORST_GROUP
    compared: float | None = None

    @property
    def other(self) -> str:
        """Return the rule to compare with: everybody, or the worst group where everybody stops."""
        return WORST_GROUP if self.on == EVERYBODY else EVERYBODY


def fit_trees(
    fit: TrainingPairs,
    validation: TrainingPairs,
    *,
    strengths: Sequence[float],
    seed: int,
    stopping: Stopping = Stopping(),
) -> list[Trees]:
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
        lightgbm.Dataset(pairs.features, pairs.label, init_score=np.full(len(pairs.label), start), params=params)
        for pairs in (fit, validation)
    ]
    sets[1].reference = sets[0]

    groups = validation_groups(validation)

    def grown(strength: float) -> Trees:
        rules = (stopping.on, *((stopping.other,) if strength == stopping.compared else ()))
        history: list[_Floats] = []

        def objective(margin: _Floats, _: Any) -> tuple[Any, Any]:
            slope = fair_slope(margin, fit.label, fit.groups, strength=strength)
            return slope.gradient, slope.curvature

        def evaluated(margin: _Floats, _: Any) -> tuple[str, float, bool]:
            history.append(groups.losses(margin, validation.label))
            return "log_loss", float(history[-1][0]), False

        def kept(rule: str) -> tuple[int, bool]:
            if rule == NOTHING:
                return len(history), False
            return kept_rounds(stopping_loss(np.array(history), groups.counts, rule))

        def stop(round_: Any) -> None:
            if all(kept(rule)[1] for rule in rules):
                raise lightgbm.callback.EarlyStopException(round_.iteration, [])

        booster = lightgbm.train(
            params | {"objective": objective},
            sets[0],
            num_boost_round=MOST_ROUNDS,
            valid_sets=[sets[1]],
            feval=evaluated,
            callbacks=[stop],
        )
        trees: Trees | None = None
        for rule in reversed(rules):
            rounds = min(kept(rule)[0], booster.current_iteration())
            base, curves = curves_of(booster, rounds, fit.features)
            trees = Trees(base=start + base, curves=curves, rounds=rounds, losses=np.array(history), other=trees)
        assert trees is not None
        return trees

    return [grown(strength) for strength in strengths]


#: LightGBM's threshold between known and unknown values; no value is as large.
_LARGEST: Final = 1e300


def curves_of(booster: Any, rounds: int, features: NDArray[np.float32]) -> tuple[float, tuple[Curve, ...]]:
    """Return the mean margin of pairs by a booster's first trees, and what each feature adds: a tree has one feature.

    A curve is what LightGBM predicts between the edges of a feature, all others being unknown.
    """
    edges: list[set[float]] = [set() for _ in range(booster.num_feature())]
    nodes = [tree["tree_structure"] for tree in booster.dump_model(num_iteration=rounds)["tree_info"]]
    for node in nodes:
        if "split_feature" in node:
            edges[node["split_feature"]].add(node["threshold"])
            nodes += [node["left_child"], node["right_child"]]
    unknown = np.full((1, len(edges)), np.nan)
    nothing = booster.predict(unknown, num_iteration=rounds, raw_score=True)
    base, curves = float(nothing[0]), []
    for number, places in enumerate(edges):
        known = sorted(places - {_LARGEST})
        # Between edges: LightGBM takes what lies on those of its bin for 0 for 0.
        between = [*(edge - 1 for edge in known[:1]), *((low + high) / 2 for low, high in pairwise(known)), _LARGEST]
        rows = np.repeat(unknown, len(between), axis=0)
        rows[:, number] = between
        values = booster.predict(rows, num_iteration=rounds, raw_score=True) - nothing
        curve = Curve(edges=tuple(known), values=tuple(values.tolist()), missing=0.0)
        mean = float(curve.at(features[:, number]).mean())
        base += mean
        curves.append(replace(curve, values=tuple((values - mean).tolist()), missing=-mean))
    return base, tuple(curves)


def _params(pairs: int, seed: int) -> dict[str, Any]:
    return {
        "learning_rate": LEARNING_RATE,
        "num_leaves": _LEAVES,
        "max_bin": _BINS,
        "min_data_in_leaf": max(_LEAF_PAIRS, int(_LEAF_SHARE * pairs)),
        "interaction_constraints": [[number] for number in range(len(FEATURES))],
        "monotone_constraints": [feature.monotone for feature in FEATURES],
        "metric": "None",
        "deterministic": True,
        "force_col_wise": True,
        "feature_pre_filter": False,
        "num_threads": 1,  # of several, each waits for the others longer than it works, the more where cores are shared
        "seed": seed % 2**31,
        "verbosity": -1,
    }


#: Strengths of the penalty that the frontier shows next to the requested one.
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
class TrainingRequest:
    """How a matcher is trained, and what stops it; features in `without` are left out."""

    fairness: float
    test_share: float
    without: tuple[str, ...]
    seed: int
    stop_on: str = WORST_GROUP


@dataclass(frozen=True, kw_only=True)
class Trained:
    """A matcher without its card, the features of all pairs (n, features), and the scores of its test pairs.

    `baseline` are those of a logistic regression, `other_score` those of the same training stopped by another rule.
    `trees` has the rounds and losses of both, by the groups of `validation`.
    """

    matcher: Matcher
    importance: tuple[float, ...]
    constant: tuple[str, ...]
    features: NDArray[np.float32]
    split: Split
    frontier: tuple[FrontierRow, ...]
    score: _Floats
    baseline: _Floats
    other_score: _Floats
    trees: Trees
    validation: ValidationGroups


def train(
    texts: Sequence[str], positions: Sequence[Position], pairs: LabelledPairs, request: TrainingRequest
) -> Trained:
    """Return the matcher that masked texts, positions and labelled pairs give.

    Raises
    ------
    InputError
        There are too few pairs or labels, or LightGBM or scikit-learn is not installed.

    """
    split = split_pairs(
        pairs.people, pairs.positions, test_share=request.test_share, rng=np.random.default_rng(request.seed)
    )
    _check_labels(pairs, split)
    lines = [lines_of(text) for text in texts]
    fitted_people = np.unique(pairs.people[split.fit])
    fitted_positions = np.unique(pairs.positions[split.fit])
    as_of = max((latest_date(lines[person]) for person in fitted_people), default=0.0)
    vocabulary = vocabulary_of(
        LabelledTexts(
            positions=[positions[position] for position in fitted_positions],
            people=[lines[person] for person in fitted_people],
            rows=np.searchsorted(fitted_people, pairs.people[split.fit]),
            columns=np.searchsorted(fitted_positions, pairs.positions[split.fit]),
            label=pairs.label[split.fit],
        )
    )
    labels = position_labels(positions, vocabulary)
    facts = position_facts(positions, labels, vocabulary)
    features = pair_features(people_facts(lines, labels, vocabulary, as_of=as_of), facts, pairs.people, pairs.positions)
    for name in request.without:
        features[:, NAMES.index(name)] = 0
    every = TrainingPairs(features=features, label=pairs.label, groups=list(pairs.groups.values()))
    fit, validation, test = (every.at(part) for part in (split.fit, split.validation, split.test))
    strengths = tuple(sorted({*STRENGTHS, request.fairness}))
    stopping = Stopping(on=request.stop_on, compared=request.fairness)
    models = fit_trees(fit, validation, strengths=strengths, seed=request.seed, stopping=stopping)
    frontier = _frontier(models, strengths, validation, tuple(pairs.groups), request.fairness)
    chosen_model = models[strengths.index(request.fairness)]
    families = np.asarray(facts.families, dtype=object)[pairs.positions]

    def matched(trees: Trees) -> tuple[Matcher, _Floats]:
        """Return the matcher, and the scores of the test pairs."""
        pooled, by_family = calibrations_of(
            _margin(trees, validation.features), validation.label, families[split.validation].tolist()
        )
        matcher = Matcher(
            base=trees.base,
            curves=trees.curves,
            vocabulary=vocabulary,
            pooled=pooled,
            families=by_family,
            as_of=as_of,
            card={},
        )
        return matcher, matcher.score(matcher.margin(test.features), families[split.test].tolist())

    matcher, score = matched(chosen_model)
    other = chosen_model.other
    is_other = other is not None and other.rounds != chosen_model.rounds
    return Trained(
        matcher=matcher,
        importance=tuple(np.abs(matcher.contributions(fit.features)).mean(axis=0).tolist()),
        constant=tuple(name for name, column in zip(NAMES, fit.features.T, strict=True) if _is_constant(column)),
        features=features,
        split=split,
        frontier=frontier,
        score=score,
        baseline=_baseline(fit, test),
        other_score=matched(other)[1] if other is not None and is_other else score,
        trees=chosen_model,
        validation=validation_groups(validation),
    )


def _check_labels(pairs: LabelledPairs, split: Split) -> None:
    for name, rows in (("fitting", split.fit), ("validation", split.validation), ("test", split.test)):
        positives = int(pairs.label[rows].sum())
        if not positives or positives == len(rows):
            problem = "no pair has" if not positives else "all pairs have"
            raise InputError(
                f"Of the {len(rows):,} pairs for {name} {problem} the label; a model needs both. Give more pairs, or "
                "another --test-share or --seed."
            )


def _margin(trees: Trees, features: NDArray[np.float32]) -> _Floats:
    return sum((curve.at(features[:, at]) for at, curve in enumerate(trees.curves)), np.full(len(features), trees.base))


def _is_constant(column: NDArray[np.float32]) -> bool:
    known = column[~np.isnan(column)]
    return not len(known) or bool(known.min() == known.max())


def _frontier(
    models: Sequence[Trees],
    strengths: Sequence[float],
    validation: TrainingPairs,
    attributes: Sequence[str],
    chosen: float,
) -> tuple[FrontierRow, ...]:
    points = []
    for model, strength in zip(models, strengths, strict=True):
        margin = _margin(model, validation.features)
        gaps = {
            name: _widest(logistic(margin), group) for name, group in zip(attributes, validation.groups, strict=True)
        }
        overall = auc(margin, validation.label).estimate or 0.5
        points.append(
            (strength, model.rounds, overall, worst_group_auc(margin, validation.label, validation.groups), gaps)
        )
    best = max(point[2] for point in points)
    plain = max(points[0][4].values(), default=0.0)
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
        for strength, rounds, overall, worst, gaps in points
    )


def _widest(score: _Floats, group: NDArray[np.int64]) -> float:
    """Return the difference between the highest and the lowest mean score of a group."""
    means = [score[group == value].mean() for value in np.unique(group) if value >= 0]
    return float(max(means) - min(means)) if means else 0.0


def _baseline(fit: TrainingPairs, test: TrainingPairs) -> _Floats:
    """Return the scores of test pairs by a logistic regression on the same features; unknown values are the mean."""
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
    scores: _Floats = model.fit(fit.features, fit.label).predict_proba(test.features)[:, 1]
    return scores
