"""Audit blocks of analyses of scores: evaluations, golden cases, matchers, perturbation tests; their details."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evenhand.results.applicant_audit import FloorNote, TableAudit
from evenhand.results.audit import Account, Header
from evenhand.results.feature_audit import FeaturesAudit
from evenhand.results.finding import Details, omit_none


@dataclass(frozen=True, kw_only=True)
class ClassCounts(Details):
    """Of an AUC: how many people have the outcome, and how many don't."""

    positives: int | None = None
    negatives: int | None = None
    standard_error: float | None = None


@dataclass(frozen=True, kw_only=True)
class Trials(Details):
    """Of a share: of how many people it is, and how many of them there are."""

    successes: int | None = None
    trials: int | None = None


@dataclass(frozen=True, kw_only=True)
class ReliabilityBin:
    """People of neighbouring scores: their mean score, and the share with the outcome with its interval.

    Where rows are in clusters there is no interval.
    """

    n: int
    mean_score: float
    share: float
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Probabilities(Details):
    """Of a Brier score: its decomposition, and the reliability curve that it was made from."""

    reliability: float | None = None
    resolution: float | None = None
    uncertainty: float | None = None
    within_bins: float | None = None
    bins: tuple[ReliabilityBin, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GroupGap(Details):
    """Of a difference or a ratio of two groups: both values, on how many people they rest, and in how many clusters."""

    value_focal: float | None = None
    value_reference: float | None = None
    n_value_focal: int | None = None
    n_value_reference: int | None = None
    clusters: tuple[int, int] | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class BothErrors(Details):
    """Of equalised odds: the differences of both rates, each focal minus reference."""

    difference_tpr: float | None = None
    difference_fpr: float | None = None


@dataclass(frozen=True, kw_only=True)
class VersionChange(Details):
    """Of a difference between two versions: both values, and whether it is for the worse by how much."""

    value_new: float | None = None
    value_previous: float | None = None
    worse_by: float | None = None


@dataclass(frozen=True, kw_only=True)
class SimilarDecisions(Details):
    """Of pairs of similar people: how many there are, how far apart, and how often they were decided differently.

    Of an `attribute` it is the shares across groups and within them, by as many pairs of either kind; `chosen` is, by
    group, the share of its pairs across groups decided differently in which its own member was selected.
    """

    attribute: str | None = omit_none()
    pairs: int | None = None
    distance: float | None = omit_none()
    across: float | None = omit_none()
    within: float | None = omit_none()
    distance_across: float | None = omit_none()
    distance_within: float | None = omit_none()
    chosen: Mapping[str, float | None] | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class SimilarPerson:
    """One of two similar people: what they are similar by, the groups and the score."""

    values: Mapping[str, str]
    groups: Mapping[str, str | None]
    score: float


@dataclass(frozen=True, kw_only=True)
class LargestQuotient(Details):
    """The two similar people whose scores differ most per distance, and how many pairs have no distance at all."""

    distance: float | None = None
    pair: tuple[SimilarPerson, ...] = ()
    identical: int | None = None
    identical_apart: int | None = None


@dataclass(frozen=True, kw_only=True)
class Decided:
    """How decisions follow from scores: above a cut-off, or ranks up to a place; no cut-off without decisions.

    `happened` and `not_happened` call the outcome where the column's name and its values don't.
    """

    label: str = ""
    positive: tuple[str, ...] = ()
    score: str = ""
    against: str | None = None
    cutoff: float | None = None
    against_cutoff: float | None = None
    at_least: bool = False
    top: int | None = None
    probabilities: bool = False
    no_probabilities: str | None = None
    happened: str | None = None
    not_happened: str | None = None


@dataclass(frozen=True, kw_only=True)
class CutoffRates:
    """What one cut-off would do to a group: rates, errors, and the ratio of its rate to the reference's."""

    attribute: str
    group: str
    cutoff: float
    n: int
    selected: int
    selection_rate: float | None = None
    impact_ratio: float | None = None
    tpr: float | None = None
    fpr: float | None = None
    precision: float | None = None


@dataclass(frozen=True, kw_only=True)
class Tension:
    """Two groups of different base rates: criteria that cannot hold together, with this table's numbers.

    `fpr_if_equal` is the false positive rate of the group with the precision and true positive rate of the reference.
    """

    attribute: str
    group: str
    reference: str
    base_rate: float
    base_rate_reference: float
    precision: float | None = None
    precision_reference: float | None = None
    fpr: float | None = None
    fpr_reference: float | None = None
    fnr: float | None = None
    fnr_reference: float | None = None
    fpr_if_equal: float | None = None
    mean_score_positive: float | None = None
    mean_score_positive_reference: float | None = None
    mean_score_negative: float | None = None
    mean_score_negative_reference: float | None = None


@dataclass(frozen=True, kw_only=True)
class Similar:
    """By which columns people are similar, with their weights, how near they must be, and how many were looked at."""

    columns: Mapping[str, float] = field(default_factory=dict)
    within: float | None = None
    people: int = 0
    of: int = 0
    incomplete: int = 0


@dataclass(frozen=True, kw_only=True)
class EvaluateAudit(TableAudit):
    """What the page of an evaluation prints besides the findings."""

    kind: str = "evaluate"
    title: str = "Evaluation"
    by: tuple[str, ...] = ()
    decided: Decided = field(default_factory=Decided)
    cutoffs: tuple[CutoffRates, ...] = ()
    tensions: tuple[Tension, ...] = ()
    floor_notes: tuple[FloorNote, ...] = ()
    similar: Similar = field(default_factory=Similar)

    @property
    def whom(self) -> str:
        """Return whom the numbers are of."""
        return "people"


@dataclass(frozen=True, kw_only=True)
class PreviousGoldenRun:
    """The run that golden cases were scored in before: whose it was, and how many cases both scored."""

    model: str
    scorer: str
    started: str
    cutoff: float
    cases: int


@dataclass(frozen=True, kw_only=True)
class ReasonCount:
    """Golden cases chosen for one kind of reason: how many, and how many of them are judged as people labelled them."""

    reason: str
    cases: int
    right: int


@dataclass(frozen=True, kw_only=True)
class Covered:
    """The golden cases of a group or position, or all ("").

    How many there are, how many of them drawn at random, days since the decisions (or since a case was added), and the
    share of what is recorded.
    """

    name: str
    value: str
    cases: int
    drawn: int
    median_age: float | None
    newest_age: int | None
    recorded: float | None


@dataclass(frozen=True, kw_only=True)
class GoldenAudit(EvaluateAudit):
    """The facts of a run on golden cases, besides the findings: those of an evaluation; the scorer is its `model`.

    `version` and `digest` are those of the golden set; labels from `positive` on count as yes. `forgotten` cases have
    no text any more and were not scored. `judged_as` is the model whose runs are held against each other. `drawn` cases
    were drawn at random from recorded ones, of `drawn_of` before the version was closed; `not_represented` recorded
    people are of strata without such a case. `chosen` are cases with a reason, by its kind; `coverage` tells whom the
    cases are of.
    """

    kind: str = "golden"
    title: str = "Golden set"
    version: int = 0
    digest: str = ""
    labels: tuple[str, ...] = ()
    positive: str = ""
    forgotten: int = 0
    twins: bool = False
    judged_as: str = ""
    held_against: PreviousGoldenRun | None = None
    drawn: int = 0
    drawn_of: int = 0
    not_represented: int = 0
    chosen: tuple[ReasonCount, ...] = ()
    coverage: tuple[Covered, ...] = ()

    @property
    def whom(self) -> str:
        """Return whom the numbers are of."""
        return "cases"


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
class FeatureCurve:
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
class StoppedGroup:
    """A group of the validation pairs, or all of them (""), and what the other rule would have given in the test.

    `pairs` and `positive` are of validation; a group that `counts` may stop training. `loss` is that of the kept
    rounds, `lowest` the round of the lowest one. `difference` is the AUC of the matcher minus that of the other rule,
    on the same `n` test pairs.
    """

    attribute: str
    group: str
    pairs: int
    positive: int
    counts: bool
    loss: float
    lowest: int
    n: int = 0
    auc: float | None = None
    auc_other: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Stopped:
    """How training stopped: the rule, whose validation loss was the highest at the rounds kept, and the other rule.

    `by` is the group that stopped training; None where nothing did, or all pairs. `ended` says that so many rounds as
    the rule waits came after the lowest loss, `rounds_trained` how many there were.
    """

    on: str
    rounds: int
    rounds_trained: int
    patience: int
    ended: bool
    by: StoppedGroup | None
    other: str
    other_rounds: int
    groups: tuple[StoppedGroup, ...]


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
    curves: tuple[FeatureCurve, ...]
    frontier: tuple[FrontierRow, ...]
    evaluation: tuple[EvaluatedGroup, ...]
    calibrations: Mapping[str, str]
    card: Mapping[str, object]
    vetting: FeaturesAudit | None = None
    stopped: Stopped | None = None


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
class MatchAudit(Header):
    """The facts of match scores, besides the findings; `trained` or `recommended` where that was done.

    `matches` counts scored pairs by their match, 0 to 5 in half steps.
    """

    kind: str = "match"
    title: str = "Match scores"
    people: int = 0
    positions: int = 0
    pairs: int = 0
    trained: TrainedOn | None = omit_none()  # noqa: RUF009 - a field
    recommended: Recommended | None = omit_none()  # noqa: RUF009 - a field
    explained: tuple[ExplainedPair, ...] = ()
    matches: Mapping[str, int] = field(default_factory=dict)


#: The kind of arm that swaps names within a group: the noise floor.
PLACEBO: Final = "placebo"
#: What stands in the place of a reference group where a line of membership is held against the neutral line.
NEUTRAL: Final = ("neutral line",)
#: Says in the settings that the scorer masks texts itself.
MASKS: Final = "masks"


def arm_group_label(group: tuple[str, ...]) -> str:
    """Return a group in words.

    >>> arm_group_label(("female", "black"))
    'female × black'
    """
    return " × ".join(group)


@dataclass(frozen=True, kw_only=True)
class ArmComparison:
    """Two arms that people of one group are compared in, by their labels in the outcomes.

    `own` is the `arm_group_label` of the people's own group, as in `context.own`; None stands for those whose group
    is unknown. `reference` is `NEUTRAL` where a line of membership is held against the neutral line. `by` are the
    attributes of both groups where they are others than the experiment's; of `texts` different texts one stands under
    each name in turn.
    """

    kind: str
    own: str | None
    group: tuple[str, ...]
    reference: tuple[str, ...]
    arm: str
    against: str
    by: tuple[str, ...] | None = omit_none()
    texts: int | None = omit_none()

    @property
    def placebo(self) -> bool:
        """Whether both arms show the same group."""
        return self.kind == PLACEBO


@dataclass(frozen=True, kw_only=True)
class LeftOutCount:
    """How many résumés of a group had no template, and why; `own` as in `ArmComparison`."""

    own: str | None
    reason: str
    n: int


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """All that is compared: the attributes that arms go by, and their groups, the one that is the reference first."""

    by: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    compared: tuple[ArmComparison, ...]
    left_out: tuple[LeftOutCount, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ArmName:
    """A name that stood in the arms, or in the placebo; names with one number are matched."""

    name: str
    group: str
    shown_in: str
    matched: int
    length: int


@dataclass(frozen=True, kw_only=True)
class MovedPair:
    """A résumé whose scores differ between two arms; its texts and its person only where they may be shown."""

    kind: str
    group: str
    reference: str
    position: str
    name: str
    reference_name: str
    score: float
    reference_score: float
    person: str | None = omit_none()
    text: str | None = omit_none()
    reference_text: str | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class PerturbAudit(Account):
    """The facts of a perturbation test, besides the findings."""

    kind: str = "perturb"
    title: str = "Perturbation test"
    synthetic: bool = False
    people: int = 0
    positions: int = 0
    experiment: Experiment = field(default_factory=lambda: Experiment(by=(), groups=(), compared=()))
    arms: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    names: tuple[ArmName, ...] = ()
    names_per_group: int | None = None
    matched_on: tuple[str, ...] = ()
    names_note: str = ""
    pairs: tuple[MovedPair, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    reading_rules: Mapping[str, int] = field(default_factory=dict)
    attempts: int | None = None
