"""The block of a matcher that was trained, or of pairs that it scored."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.tables.audit.features.block import FeaturesAudit
from evenhand.tables.audit.written import left_out

__all__ = [
    "CurveShown",
    "EvaluatedGroup",
    "ExplainedPair",
    "FeatureRow",
    "FrontierRow",
    "MatchAudit",
    "Parts",
    "Reason",
    "Recommended",
    "TrainedOn",
]


@dataclass(frozen=True, kw_only=True)
class FeatureRow:
    """A row of features.csv: a feature, or what is none; `weight` is the mean size of what it adds to a margin."""

    feature: str
    title: str
    source: str
    used: bool
    why: str
    weight: float | None = None


@dataclass(frozen=True, kw_only=True)
class CurveShown:
    """What the values of a feature add to the margin: `values[i]` up to `edges[i]`, the last above all of them."""

    feature: str
    title: str
    unit: str
    lowest: float
    highest: float
    edges: tuple[float, ...]
    values: tuple[float, ...]
    missing: float


@dataclass(frozen=True, kw_only=True)
class FrontierRow:
    """A model by the strength of its penalty: AUC, and the widest gap of mean scores by attribute, in validation.

    `candidate` says that it costs little of the best AUC and has a narrower gap than without a penalty.
    """

    strength: float
    rounds: int
    auc: float
    worst_auc: float
    gaps: Mapping[str, float]
    candidate: bool
    chosen: bool


@dataclass(frozen=True, kw_only=True)
class EvaluatedGroup:
    """A row of evaluation.csv: a model's scores of the test pairs of a group, or of all ("")."""

    model: str
    attribute: str
    group: str
    n: int
    positive: int
    people: int
    auc: float | None
    auc_low: float | None
    auc_high: float | None
    mean_score: float | None
    brier: float | None
    method: str
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Numbers of pairs by what they served for."""

    fit: int = 0
    validation: int = 0
    test: int = 0
    left_out: int = 0
    unlabelled: int = 0
    by_position: bool = True


@dataclass(frozen=True, kw_only=True)
class TrainedOn:
    """What a matcher was trained on and how: the label, groups, the parts, features, curves, frontier, evaluation.

    `vetting` is what `evenhand features` was run on: the features of one pair per person.
    """

    label: str
    positive: int
    groups: Mapping[str, Mapping[str, int]]
    fairness: float
    within: float
    parts: Parts
    features: tuple[FeatureRow, ...]
    curves: tuple[CurveShown, ...]
    frontier: tuple[FrontierRow, ...]
    evaluation: tuple[EvaluatedGroup, ...]
    calibrations: Mapping[str, str]
    card: Mapping[str, object]
    vetting: FeaturesAudit | None = None


@dataclass(frozen=True, kw_only=True)
class Reason:
    """What a feature adds to a margin, and the feature in words."""

    feature: str
    text: str
    contribution: float


@dataclass(frozen=True, kw_only=True)
class ExplainedPair:
    """A pair whose score is explained: base + Σ contributions = margin."""

    person: str
    position: str
    score: float
    match: float
    margin: float
    base: float
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, kw_only=True)
class Recommended:
    """Whom a list was made for, how long it is, which ranks count as a success, and attributes of people."""

    ranked: str
    attributes: tuple[str, ...]
    top: int
    listed: int


@dataclass(frozen=True, kw_only=True)
class MatchAudit:
    """What the page prints besides the findings; `trained` or `recommended` where that was done.

    `matches` counts scored pairs by their match, 0 to 5 in half steps.
    """

    kind: str = "match"
    title: str = "Match scores"
    question: str | None = None
    model: str = ""
    simulated: bool = False
    simulated_note: str | None = None
    people: int = 0
    positions: int = 0
    pairs: int = 0
    trained: TrainedOn | None = left_out()  # noqa: RUF009 - a field
    recommended: Recommended | None = left_out()  # noqa: RUF009 - a field
    explained: tuple[ExplainedPair, ...] = ()
    matches: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    limits: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reproduce: str = ""
    started: str | None = None
    finished: str | None = None
