"""A trained matcher: additive curves, calibration, scores and ranks, and its file matcher.json.

The margin of a pair is the sum of one curve per feature. Calibration turns margins into shares: isotonic
with many pairs, Platt's sigmoid with fewer. The fair loss is log loss plus λ times the gap between the mean
scores of groups. matcher.json is readable; a checksum shows any change.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import numpy as np
import orjson
from numpy.typing import NDArray
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from evenhand.data.inputs import Position
from evenhand.errors import InputError
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from evenhand.matching import features as matching_features
from evenhand.matching.terms import Terms, Vocabulary
from evenhand.matching.texts import Labels, lines_of
from evenhand.results.files import file_json, sha256_of
from evenhand.results.messages import quoted, shortened, spelled

MASKING: Final = MaskOptions(optional=tuple(OPTIONAL))

_Floats = NDArray[np.float64]
#: No odds are as far from even, and no feature has such values.
MOST_MARGIN: Final = 1e6
_Margin = Annotated[float, Field(ge=-MOST_MARGIN, le=MOST_MARGIN, strict=True)]


@dataclass(frozen=True, kw_only=True)
class Curve:
    """What a feature adds: `values[i]` above `edges[i - 1]` and up to `edges[i]`, `missing` where it is unknown."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    edges: tuple[_Margin, ...]
    values: tuple[_Margin, ...]
    missing: _Margin

    def __post_init__(self) -> None:
        """Raise ValueError where edges do not rise, or have not one value more."""
        if len(self.values) != len(self.edges) + 1 or list(self.edges) != sorted(set(self.edges)):
            raise ValueError(f"{len(self.edges):,} edges and {len(self.values):,} values, or edges that do not rise")

    @property
    def is_used(self) -> bool:
        """Say whether scores depend on the feature at all."""
        return bool(len(self.edges)) or self.missing != self.values[0]

    def at(self, feature: NDArray[np.float32]) -> _Floats:
        """Return the curve at values of the feature, in their shape."""
        values: _Floats = np.asarray(self.values)[np.searchsorted(np.asarray(self.edges), feature, side="left")]
        return np.where(np.isnan(feature), self.missing, values)


def ranks_of(
    lists: NDArray[np.int64],
    score: NDArray[np.float64],
    margin: NDArray[np.float64],
    *,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Return the rank of each score within its list, 1 for the highest; all (n,).

    Equal scores are ordered by their margins, as a calibration by steps makes many equal; equal margins by chance, so
    that the order of a file decides nothing.

    >>> ranks_of(np.array([0, 0, 1]), np.array([0.2, 0.9, 0.1]), np.zeros(3), rng=np.random.default_rng(0))
    array([2, 1, 1])
    """
    by_list = np.argsort(lists, kind="stable")
    begins = np.flatnonzero(np.diff(lists[by_list], prepend=-1))
    tie, ranks = rng.random(len(score)), np.empty(len(score), np.int64)
    for part in np.split(by_list, begins[1:]):
        ranks[part[np.lexsort((tie[part], -margin[part], -score[part]))]] = np.arange(1, len(part) + 1)
    return ranks


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
    shares: _Floats = np.where(margin >= 0, 1 / (1 + small), small / (1 + small))
    return shares


def fair_slope(margin: _Floats, label: _Floats, groups: _Groups, *, strength: float) -> Slope:
    """Return the slope of Σ log loss + strength · n · gap at margins f; labels are 0 or 1, all (n,).

    The gap is the mean over pairs of groups of their squared difference of mean scores, summed over attributes.
    `groups` has the group of each pair of person and position, (n,), for each attribute; unknown is -1.

    With p = logistic(f), s = p (1 - p) and mean scores m_g, m_h of two of k groups, d = m_g - m_h, a pair i of g has
    the gradient p_i - y_i + strength · n · Σ_h 2 w d s_i / n_g, w = 2 / (k (k - 1)).
    `curvature` is the diagonal of the Hessian, s_i + strength · n · Σ_h 2 w (s_i² / n_g + d s_i (1 - 2 p_i)) / n_g,
    without an attribute's term where it is negative: a step of Newton has to go downhill.

    A squared difference of means is what the impact ratio and the mean ratio see, has a gradient everywhere, and adds
    over attributes. It asks for equal means, whatever the labels: λ states how much accuracy that may cost.

    Reference: Zafar et al. (2017), AISTATS.
    """
    score = logistic(margin)
    spread = score * (1 - score)
    gradient, curvature = score - label, spread.copy()
    for attribute in groups if strength else ():
        k = int(attribute.max(initial=-1)) + 1
        codes = np.where(attribute < 0, k, attribute)  # the last is unknown
        n = np.bincount(codes, minlength=k + 1)[:k].astype(np.float64)
        present = n > 0
        known = int(present.sum())
        if known < 2:
            continue
        mean = np.bincount(codes, score, minlength=k + 1)[:k] / np.maximum(n, 1)
        apart = (mean[:, None] - mean[None, :]) * (present[:, None] & present[None, :])
        scale = 2 * strength * len(margin) * 2 / (known * (known - 1)) / np.maximum(n, 1)
        pull, push = scale * apart.sum(axis=1), scale * (known - 1) / np.maximum(n, 1)
        pulled = np.append(pull, 0.0)[codes] * spread
        gradient += pulled
        curvature += np.maximum(0.0, np.append(push, 0.0)[codes] * spread * spread + pulled * (1 - 2 * score))
    return Slope(gradient=gradient, curvature=curvature)


#: From so many pairs on a step function is fitted (Niculescu-Mizil and Caruana 2005), from so many a sigmoid, each with
#: so many pairs of either label; families with fewer share that of all pairs.
FEWEST_ISOTONIC: Final = 1_000
FEWEST_PLATT: Final = 200
FEWEST_OF_EACH: Final = 40


_Weight = Annotated[float, Field(ge=0, le=MOST_MARGIN, strict=True)]


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Scores at margins, between which lines are drawn; of a sigmoid its slope and intercept."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    method: Literal["isotonic", "platt"]
    pairs: Annotated[int, Field(ge=0, strict=True)]
    margins: tuple[_Margin, ...] = ()
    scores: tuple[Annotated[float, Field(ge=0, le=1, strict=True)], ...] = ()
    slope: Annotated[_Weight, Field(gt=0)] = 1.0
    intercept: _Margin = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError where scores do not rise with margins."""
        steps = [len(self.margins), len(self.scores)]
        if steps != [0, 0] if self.method == "platt" else steps != [max(steps[0], 1)] * 2:
            raise ValueError(f"{steps[0]:,} margins and {steps[1]:,} scores")
        if any(list(values) != sorted(values) for values in (self.margins, self.scores)):
            raise ValueError("margins or scores that fall")

    def at(self, margin: _Floats) -> _Floats:
        """Return the calibrated scores of margins, in their shape."""
        if self.method == "isotonic":
            scores: _Floats = np.interp(margin, self.margins, self.scores)
            return scores
        return logistic(self.slope * margin + self.intercept)


def calibrations_of(
    margin: _Floats, label: _Floats, families: Sequence[str | None]
) -> tuple[Calibration, Mapping[str, Calibration]]:
    """Return the calibration of all pairs, and those of the families that have enough of them."""
    pooled = _fitted(margin, label) or Calibration(method="platt", pairs=0)
    by_family = np.asarray(["" if family is None else family for family in families])
    result = {}
    for family in np.unique(by_family):
        group_rows = by_family == family
        fitted = _fitted(margin[group_rows], label[group_rows]) if family else None
        if fitted is not None:
            result[str(family)] = fitted
    return pooled, result


def _fitted(margin: _Floats, label: _Floats) -> Calibration | None:
    """Return the calibration of pairs, None where there are too few, or where it would turn the order around."""
    n, positives = len(margin), int(label.sum())
    if n < FEWEST_PLATT or min(positives, n - positives) < FEWEST_OF_EACH:
        return None
    try:
        from sklearn.isotonic import IsotonicRegression  # noqa: PLC0415 - an extra
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    except ImportError as error:
        raise InputError("Training needs scikit-learn: pip install 'evenhand[match]'.") from error
    if n >= FEWEST_ISOTONIC:
        fitted = IsotonicRegression(y_min=1 / (n + 2), y_max=1 - 1 / (n + 2)).fit(margin, label)
        margins, scores = map(tuple, (fitted.X_thresholds_.tolist(), fitted.y_thresholds_.tolist()))
        return Calibration(method="isotonic", pairs=n, margins=margins, scores=scores)
    # Platt's targets instead of 0 and 1: (n+ + 1) / (n+ + 2) and 1 / (n- + 2), as weights of both labels.
    high, low = (positives + 1) / (positives + 2), 1 / (n - positives + 2)
    target = np.where(label > 0, high, low)
    model = LogisticRegression(C=1e6).fit(
        np.tile(margin, 2)[:, None], np.repeat([1, 0], n), sample_weight=np.concatenate([target, 1 - target])
    )
    slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
    return Calibration(method="platt", pairs=n, slope=slope, intercept=intercept) if slope > 0 else None


def half_steps(score: _Floats) -> _Floats:
    """Return scores from 0 to 1 on the scale from 0 to 5, in half steps; a half of a step goes up.

    >>> half_steps(np.array([0.0, 0.449, 0.45, 1.0])).tolist()
    [0.0, 2.0, 2.5, 5.0]
    """
    steps: _Floats = np.floor(score * 10 + 0.5 + 1e-9) / 2
    return steps


#: Pairs that are scored together.
_BLOCK: Final = 400_000


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The facts of people and positions, and the labels of their columns."""

    labels: Labels
    people: matching_features.PeopleFacts
    positions: matching_features.PositionFacts


@dataclass(frozen=True, kw_only=True)
class Block:
    """Scores of people `first` and on with all positions, both (people, positions)."""

    first: int
    margin: NDArray[np.float64]
    score: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Matcher:
    """An additive model: margin = base + Σ contributions, the values of the features' curves.

    `base` is the mean margin of the pairs that it was fitted on. `pooled` and `families` calibrate scores; `as_of` is
    the year that 'present' means; the `card` describes it.
    """

    base: float
    curves: tuple[Curve, ...]
    vocabulary: Vocabulary
    pooled: Calibration
    families: Mapping[str, Calibration]
    as_of: float
    card: Mapping[str, Any]

    def facts(self, texts: Sequence[str], positions: Sequence[Position]) -> Facts:
        """Return the facts of people, by their masked texts, and of positions."""
        labels = matching_features.position_labels(positions, self.vocabulary)
        return self._facts(texts, labels, matching_features.position_facts(positions, labels, self.vocabulary))

    def of_others(self, texts: Sequence[str], known: Facts) -> Facts:
        """Return the facts of other people, for the same positions."""
        return self._facts(texts, known.labels, known.positions)

    def _facts(self, texts: Sequence[str], labels: Labels, positions: matching_features.PositionFacts) -> Facts:
        lines = [lines_of(text) for text in texts]
        people = matching_features.people_facts(lines, labels, self.vocabulary, as_of=self.as_of)
        return Facts(labels=labels, people=people, positions=positions)

    def contributions(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the contribution of each feature, in the shape of the features."""
        result = np.empty(features.shape)
        for number, curve in enumerate(self.curves):
            result[..., number] = curve.at(features[..., number])
        return result

    def margin(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the margins of pairs, the features being the last axis."""
        result = np.full(features.shape[:-1], self.base)
        for number, curve in enumerate(self.curves):
            result += curve.at(features[..., number])
        return result

    def score(self, margin: NDArray[np.float64], families: Sequence[str | None]) -> NDArray[np.float64]:
        """Return calibrated scores of margins whose last axis are positions of these families."""
        result = np.empty(margin.shape)
        names = np.asarray(["" if family is None else family for family in families])
        for family in np.unique(names):
            group_rows = names == family
            result[..., group_rows] = self.families.get(str(family), self.pooled).at(margin[..., group_rows])
        return result

    def blocks(self, facts: Facts) -> Iterator[Block]:
        """Yield the scores of all people with all positions, a block of people after the other."""
        step = max(1, _BLOCK // max(1, len(facts.positions)))
        for first in range(0, len(facts.people), step):
            last = min(first + step, len(facts.people))
            margin = self.margin(matching_features.block_features(facts.people, facts.positions, first, last))
            yield Block(first=first, margin=margin, score=self.score(margin, facts.positions.families))


SCHEMA: Final = "evenhand.matcher/2"
_ONET: Final = ("onet_occupations.csv", "onet_tasks.csv", "onet_technology.csv", "onet_titles.csv")


def matcher_json(matcher: Matcher) -> bytes:
    """Return a matcher as JSON, with the sha256 over all else in it, keys sorted."""
    content = _content(matcher)
    return orjson.dumps({"sha256": _sum(content), **content}, option=orjson.OPT_INDENT_2)


def _content(matcher: Matcher) -> dict[str, Any]:
    terms = matcher.vocabulary.terms
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "features": list(matching_features.NAMES),
        "onet": _onet(),
        "base": matcher.base,
        "curves": [asdict(curve) for curve in matcher.curves],
        "vocabulary": dict(zip(matcher.vocabulary.words, matcher.vocabulary.weights.tolist(), strict=True)),
        "terms": {
            "phrases": [" ".join(phrase) for phrase in sorted(terms.phrases)],
            "weights": {" ".join(term): weight for term, weight in sorted(terms.weights.items())},
        },
        "calibration": {
            "pooled": asdict(matcher.pooled),
            "families": {name: asdict(calibration) for name, calibration in matcher.families.items()},
        },
        "as_of": matcher.as_of,
        "card": dict(matcher.card),
    }
    plain: dict[str, Any] = orjson.loads(orjson.dumps(content))  # tuples as lists, as a parsed file has them
    return plain


def read_matcher(path: Path) -> Matcher:
    """Return the matcher of a file.

    Raises
    ------
    InputError
        It is none, of another version, or was changed after it was written.

    """
    try:
        content = file_json(path)
    except OSError as error:
        raise InputError(f"--matcher {path} can't be read: {error.strerror}; expected a matcher.json.") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"--matcher {path} is not valid JSON ({error}); expected a matcher.json.") from error
    schema = content.get("schema") if isinstance(content, dict) else None
    if not isinstance(schema, str) or not schema.startswith("evenhand.matcher/"):
        raise InputError(f"--matcher {path} is not a matcher; expected the matcher.json of `evenhand match train`.")
    if schema != SCHEMA:
        raise InputError(
            f"--matcher {path} is of version {shortened(spelled(schema))}; this version reads {SCHEMA}: train it again."
        )
    stored_sum = content.pop("sha256", None)
    if stored_sum != _sum(content):
        raise InputError(f"--matcher {path} was changed after it was written: its sha256 differs. Train it again.")
    if content.get("features") != list(matching_features.NAMES) or content.get("onet") != _onet():
        raise InputError(f"--matcher {path} was trained with other features or another O*NET: train it again.")
    try:
        matcher = _matcher(content)
    except ValidationError as error:
        (detail, *_) = error.errors(include_url=False, include_input=False)
        place = quoted(".".join(map(str, detail["loc"])))
        raise InputError(f"--matcher {path} is damaged at {place}: {detail['msg']}. Train it again.") from error
    if _content(matcher) != content:
        raise InputError(f"--matcher {path} is damaged: it has another form than evenhand writes. Train it again.")
    return matcher


def _matcher(content: Mapping[str, Any]) -> Matcher:
    stored = _STORED.validate_python(content)
    terms = Terms(
        phrases=frozenset(tuple(phrase.split()) for phrase in stored.terms.phrases),
        weights={tuple(term.split()): weight for term, weight in stored.terms.weights.items()},
    )
    return Matcher(
        base=stored.base,
        curves=stored.curves,
        vocabulary=Vocabulary(
            words=tuple(stored.vocabulary), weights=np.asarray(list(stored.vocabulary.values())), terms=terms
        ),
        pooled=stored.calibration.pooled,
        families=stored.calibration.families,
        as_of=stored.as_of,
        card=stored.card,
    )


_Term = Annotated[str, StringConstraints(pattern=r"^\S+( \S+)*$")]


@dataclass(frozen=True, kw_only=True)
class _Terms:
    __pydantic_config__ = ConfigDict(extra="forbid")

    phrases: list[_Term]
    weights: dict[_Term, _Weight]


@dataclass(frozen=True, kw_only=True)
class _Calibrations:
    __pydantic_config__ = ConfigDict(extra="forbid")

    pooled: Calibration
    families: dict[str, Calibration]


@dataclass(frozen=True, kw_only=True)
class _Stored:
    """The keys of matcher.json besides its sum."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    schema: str
    features: list[str]
    onet: dict[str, str]
    base: _Margin
    curves: Annotated[
        tuple[Curve, ...], Field(min_length=len(matching_features.NAMES), max_length=len(matching_features.NAMES))
    ]
    vocabulary: Annotated[dict[_Term, Annotated[_Weight, Field(ge=1 / MOST_MARGIN)]], Field(min_length=1)]
    terms: _Terms
    calibration: _Calibrations
    as_of: Annotated[float, Field(ge=1900, le=2200, strict=True)]
    card: dict[str, Any]


_STORED: Final = TypeAdapter(_Stored)


def _sum(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


@cache
def _onet() -> dict[str, str]:
    """Return the fingerprints of the O*NET tables that features use."""
    folder = Path(str(files("evenhand.data.lexicons")))
    return {name: sha256_of(folder / name) for name in _ONET}
