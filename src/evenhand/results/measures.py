"""Measures as data: what a probe's card or an analysis declares, the names of measures, and the bands of marks.

A probe lists the measures of its card; `findings` executes them. A slice adds its prefix to a name: in the slice race =
white `diff_acceptance_rate` becomes `race_white_diff_acceptance_rate`.

Five kinds of judgement are measured (`JUDGEMENTS`): a decision about one person (`successes` of `trials`, scored per
unit), one choice out of several candidates (`choice`: does the winner belong to a group?), a document whose terms are
counted (`pool = "trials"`, one aspect per inventory), decisions about groups that are compared with all of them
(`population`), and scores within a range (`scored`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar, Final, Literal

Statistic = Literal["rate", "slope", "intercept"]


@dataclass(frozen=True, kw_only=True)
class Over:
    """A measure combined over the levels of a column: Σ weight · the level's own value.

    `weights` None is the unweighted mean over all levels. With `partial`, levels that
    were not observed are left out and the others' weights scaled up, so that a mean
    stays a mean; else the measure is null without them. Within a slice of that column
    the measure is the level's own value.
    """

    column: str
    weights: Mapping[str, float] | None = None
    partial: bool = False


@dataclass(frozen=True, kw_only=True)
class Summary:
    """One statistic of one group.

    `rate` is the unweighted mean of the units' success shares, or the pooled share of
    trials; `slope` and `intercept` are those of the least-squares line of the share on
    the context column `against`. With a `null_value` it gets a verdict.
    """

    name: str
    statistic: Statistic
    group: Mapping[str, str] = field(default_factory=dict)
    against: str | None = None
    over: Over | None = None
    measured_in: str = "share"
    null_value: float | None = None


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """The difference of one statistic between two groups: focal − reference."""

    name: str
    statistic: Statistic
    focal: Mapping[str, str]
    reference: Mapping[str, str]
    against: str | None = None
    over: Over | None = None
    measured_in: str = "share"
    null_value: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Alias:
    """A second name of a measure that stands in the same list."""

    name: str
    of: str


@dataclass(frozen=True, kw_only=True)
class Distance:
    """How far another measure of the list is from `centre`, on either side.

    Its interval is folded from that measure's, as a distance resampled as such never
    covers zero.
    """

    name: str
    of: str
    centre: float


@dataclass(frozen=True, kw_only=True)
class Slice:
    """The rows distinguished by `columns`, and what is measured of each.

    `prefix` is put before a measure's name; `{column}` in it stands for the level.
    `measures` None takes all that stand for the whole.
    """

    columns: tuple[str, ...]
    prefix: str
    measures: tuple[str, ...] | None = None

    def name(self, levels: Mapping[str, str], measure: str) -> str:
        """Return a measure's name within the slice.

        >>> Slice(columns=("role",), prefix="{role}_").name({"role": "HR specialist"}, "masculine_rate")
        'hr_specialist_masculine_rate'
        """
        normalised = {column: "_".join(levels[column].lower().split()) for column in self.columns}
        return self.prefix.format_map(normalised) + measure


Measure = Summary | Contrast | Alias | Distance


@dataclass(frozen=True, kw_only=True)
class MarkBands:
    """Marks A–D by the distance of a value from `centre`.

    `edges` are the largest distances that still get A, B, C and D.

    >>> bands = MarkBands(centre=0.0, edges=(0.05, 0.15, 0.5, 1.0))
    >>> bands.mark(-0.05), bands.mark(0.0501), bands.touched(-0.01, 0.2)
    ('A', 'B', ('A', 'B', 'C'))
    """

    centre: float
    edges: tuple[float, float, float, float]
    source: str = ""

    LETTERS: ClassVar[tuple[str, str, str, str]] = ("A", "B", "C", "D")

    def mark(self, value: float) -> str:
        """Return the mark of a point estimate; beyond the last edge it stays D."""
        distance = abs(value - self.centre)
        for letter, edge in zip(self.LETTERS, self.edges, strict=True):
            # 0.53 - 0.5 is a hair over 0.03 in binary; a relative slack of 1e-12 keeps the edge inside.
            if distance <= edge * (1 + 1e-12) + 1e-15:
                return letter
        return self.LETTERS[-1]

    def touched(self, low: float, high: float) -> tuple[str, ...]:
        """Return the marks within the interval [low, high], best first."""
        nearest = 0.0 if low <= self.centre <= high else min(abs(low - self.centre), abs(high - self.centre))
        farthest = max(abs(low - self.centre), abs(high - self.centre))
        best = self.LETTERS.index(self.mark(self.centre + nearest))
        worst = self.LETTERS.index(self.mark(self.centre + farthest))
        return self.LETTERS[best : worst + 1]

    def __post_init__(self) -> None:
        """Refuse edges that do not grow."""
        if any(inner >= outer for inner, outer in pairwise(self.edges)):
            raise ValueError(f"Mark edges must grow from A to D, got {self.edges}.")


@dataclass(frozen=True, kw_only=True)
class Scored:
    """What is known of scores: they lie from `low` to `high`.

    Two groups are compared within the levels of `sets`: prompts that differ in the name only. A score must exceed
    the `cutoff` to count as selected; None stands for the median of all. `ranked_within` is the column of positions,
    `qualification` the one of how well somebody fits, its levels from the best on. With `centred` the interval of a
    difference rests on scores minus those of all others in their set, whatever their group: each group is there once.
    """

    low: float
    high: float
    sets: tuple[str, ...]
    ranked_within: str
    qualification: str | None = None
    cutoff: float | None = None
    centred: bool = False


@dataclass(frozen=True, kw_only=True)
class Steps:
    """The measures of each step of a process in which a pile of applications is judged several times.

    The context columns `step` and `shown` say where a row belongs: claims are of the whole `pile`, and `survivors` of
    the first step are told beside it. The first of the `arms` is what the others are compared with. `merit` is the
    context column of known quality, 0 to 1. `texts` are, by step and context column, measures of what is written of a
    candidate; texts of the same decision are compared.
    """

    measures: "Mapping[str, MeasureSet]"
    arms: tuple[str, ...]
    merit: str
    texts: "Mapping[str, Mapping[str, MeasureSet]]" = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What is done with measures of one kind of judgement; unless told otherwise, decisions about one person each.

    The functions are named as 'module:name', and loaded when they are called: they stand in rooms that this one
    can't import. `findings` gives all findings of outcomes, `unread` what unread answers could change in them,
    `declared` its measures alone, `units` what is
    resampled, `influence` each row's part in a measure, `effects` the smallest that a sample detects, `models` how
    models differ; `scores` are those that --until-width watches, unless `unwatched` says why it can't, and `value`
    is what inspect_ai shows of one answer. With `whole_items` an item is one value, and its units are no pair.
    `brief` answers are often alike, whatever a server does.
    """

    findings: str = "evenhand.comparisons.measure:decision_findings"
    declared: str = "evenhand.comparisons.measure:drawn_findings"
    units: str = "evenhand.comparisons.measure:observed_units"
    influence: str = "evenhand.comparisons.declared:row_influence"
    effects: str = "evenhand.comparisons.detectable:declared_effects"
    models: str = "evenhand.comparisons.models:model_differences"
    scores: str = "evenhand.models.stopping:unit_scores"
    value: str = "evenhand.integrations.inspect_tasks:decided"
    unread: str = "evenhand.comparisons.undetected:unread_findings"
    whole_items: bool = False
    brief: bool = False
    unwatched: str | None = None


#: Every kind of judgement, by the field of a `MeasureSet` that says so; the first that is set is meant.
#: A new kind is an entry here, and a field.
JUDGEMENTS: Final[Mapping[str, Judgement]] = {
    "steps": Judgement(
        findings="evenhand.comparisons.steps:step_findings",
        effects="evenhand.comparisons.steps:step_effects",
        models="evenhand.comparisons.steps:step_models",
        unread="evenhand.comparisons.steps:step_unread",
        unwatched="later steps depend on the answers to earlier ones, so all of them are sent",
    ),
    "choice": Judgement(
        findings="evenhand.comparisons.rankings:choice_findings",
        units="evenhand.comparisons.rankings:observed_items",
        scores="evenhand.models.stopping:item_scores",
        value="evenhand.integrations.inspect_tasks:ranked_first",
        whole_items=True,
    ),
    "population": Judgement(
        findings="evenhand.comparisons.population_shape:population_findings",
        declared="evenhand.comparisons.population_shape:compared_groups",
        effects="evenhand.comparisons.detectable:population_effects",
        models="evenhand.comparisons.population_shape:population_differences",
        unwatched="it compares each group with all of them by permutation, and confidence sequences are for means "
        "and their differences",
    ),
    "aspect": Judgement(
        findings="evenhand.comparisons.documents:document_findings",
        value="evenhand.integrations.inspect_tasks:counted",
    ),
    "scored": Judgement(
        findings="evenhand.comparisons.scores:score_findings",
        declared="evenhand.comparisons.scores:declared_scores",
        influence="evenhand.comparisons.scores:score_influence",
        scores="evenhand.models.stopping:item_means",
        value="evenhand.integrations.inspect_tasks:scored",
        brief=True,
    ),
    "rate": Judgement(),
}


@dataclass(frozen=True, kw_only=True)
class MeasureSet:
    """All that is measured of one table of outcomes.

    `rate` names the share of successes in the field's words. `measures` are taken of
    all rows (`overall` names those that are, None for all) and of each slice;
    `headline` names those that answer the question, the rest describes. The
    combinations of the protected attributes `groups` are compared with each other
    (`impact_ratios`: each rate against the highest). `clusters` are the crossed context
    columns that were sampled (names, occupations), the first of them the one that
    carries the protected attributes. `instruction` is the context column that tells
    paraphrases apart, `against` the regression's covariate. `bands` belong to measures
    by name. `order` lists the levels of a column in the order in which they are told;
    other levels follow by name.

    `choice` says that each set of rows is one choice; what is measured is the share of
    choices that fall on this group. `pool` "trials" pools successes over trials, drawn
    to one half by `smoothing` s: (Σ successes + s) / (Σ trials + 2s). `aspect` is the
    bare name of the column `aspect`. `word_labels` say what a word of a document stands
    for, where it does. `population` says that each combination of groups is compared
    with all of them together; it names the column over whose levels the tests are combined.
    `mixed` adds a mixed logistic model with random effects of the first cluster and of that
    column, `monte_carlo` a simulated test with so many permutations. `scored` says that each
    judgement is a score. `steps` says that a process has several steps, each with measures of its own.
    """

    rate: str
    measures: tuple[Measure, ...]
    headline: tuple[str, ...]
    groups: tuple[str, ...]
    clusters: tuple[str, ...]
    order: Mapping[str, tuple[str, ...]]
    slices: tuple[Slice, ...] = ()
    instruction: str | None = None
    against: str | None = None
    bands: Mapping[str, MarkBands] = field(default_factory=dict)
    overall: tuple[str, ...] | None = None
    choice: Mapping[str, str] | None = None
    pool: Literal["units", "trials"] = "units"
    smoothing: float = 0.0
    aspect: str | None = None
    impact_ratios: bool = True
    word_labels: Mapping[str, str] = field(default_factory=dict)
    population: str | None = None
    mixed: bool = False
    monte_carlo: int | None = None
    scored: Scored | None = None
    steps: Steps | None = None

    @property
    def judgement(self) -> Judgement:
        """Return what is done with these measures."""
        return next(kind for field, kind in JUDGEMENTS.items() if getattr(self, field) is not None)

    @property
    def contrast(self) -> Contrast | None:
        """Return the first of the differences between groups, None without any."""
        return next((measure for measure in self.measures if isinstance(measure, Contrast)), None)

    @property
    def unit(self) -> str:
        """Return the unit of the differences between groups, that of scores."""
        return "points" if self.contrast is None else self.contrast.measured_in

    def of_groups(
        self, rate: str, *sides: Mapping[str, str], measured_in: str = "share", difference: str = "", **changes: Any
    ) -> "MeasureSet":
        """Return the measures of another value: its mean in each of two groups, and their difference."""
        of: dict[str, Any] = {"statistic": "rate", "measured_in": measured_in}
        measures: list[Measure] = [Summary(name="_".join([rate, *side.values()]), group=side, **of) for side in sides]
        if sides:
            focal, reference = sides
            measures.append(Contrast(name=difference or f"{rate}_diff", focal=focal, reference=reference, **of))
        cleared: dict[str, Any] = {"headline": (), "overall": None, "slices": (), "bands": {}}
        return replace(self, rate=rate, measures=tuple(measures), **cleared, **changes)

    def slice_columns(self) -> tuple[str, ...]:
        """Return the columns of all slices, each once."""
        return tuple(dict.fromkeys(column for cut in self.slices for column in cut.columns))

    def columns(self) -> tuple[str, ...]:
        """Return every column that tells units apart, each once."""
        instruction = (self.instruction,) if self.instruction else ()
        sets = self.scored.sets if self.scored is not None else ()
        return tuple(dict.fromkeys([*self.groups, *self.slice_columns(), *self.clusters, *instruction, *sets]))


# Applicants, and groups of a probe.
SELECTION_RATE: Final = "selection_rate"
IMPACT_RATIO: Final = "impact_ratio"
MISSING_BOUNDS: Final = f"{IMPACT_RATIO}_missing_bounds"
UNDECIDED_BOUNDS: Final = f"{IMPACT_RATIO}_undecided_bounds"
POSITIONS_BELOW: Final = "positions_below"
POSITIONS_DIFFERING: Final = "positions_differing"
PERIOD_RATIO: Final = f"{IMPACT_RATIO}_period"
RATIO_HOMOGENEITY: Final = "ratio_homogeneity"
RATIO_TREND: Final = "ratio_trend"
AGE_ASSOCIATION: Final = "age_association"
AGE_ODDS_RATIO: Final = "age_odds_ratio"
MEAN_RATIO: Final = "mean_ratio"
AVAILABILITY: Final = "availability"
BLOCK_DIFFERENCE: Final = "block_difference"
COMMON_ODDS_RATIO: Final = "common_odds_ratio"
ADJUSTED_ODDS_RATIO: Final = "adjusted_odds_ratio"
QUALIFICATION_RATIO: Final = "qualification_ratio"
# Unreadable answers.
#: The group of a comparison that stands for all other levels of a column.
OTHERS: Final = "others"
UNDETECTED_RATE: Final = "undetected_rate"
UNDETECTED_ATTEMPTS: Final = f"{UNDETECTED_RATE}_attempts"
UNDETECTED_ITEMS: Final = f"{UNDETECTED_RATE}_items"
#: Labels of decisions, by people, readers and judges; none says that an answer has no decision, score or first place.
ACCEPT, REJECT, NONE = DECISIONS = ("accept", "reject", "none")
#: What a headline comparison lies between, whatever the unread answers say.
UNREAD_BOUNDS: Final = "unread_bounds"
#: What a headline comparison would be as a judge reads the unread answers.
AS_JUDGED: Final = "as_judged"
# Rankings.
WIN_RATE: Final = "win_rate"
WIN_RATE_RANGE: Final = f"{WIN_RATE}_range"
MEAN_RANK: Final = "mean_rank"
UNRANKED_RATE: Final = "unranked_rate"
# Documents.
WORD_LOG_ODDS: Final = "word_log_odds"
DOCUMENT_LENGTH: Final = "document_length"
REFUSED_RATE: Final = "refused_rate"
# Scores.
#: The end of the method of a difference where no set holds both groups.
NOT_PAIRED: Final = ", not paired"
CUTOFF: Final = "cutoff_score"
OUTRANKED: Final = "outranked_share"
STANDARDIZED: Final = "standardized_"
REPETITION_SD: Final = "repetition_sd"
REPETITION_AGREEMENT: Final = "repetition_agreement"
# Steps of a process: the columns of its parts, and what is measured of known quality.
STEP: Final = "step"
SHOWN: Final = "shown"
DECIDED: Final = "decided"
ARM: Final = "arm"
QUALITY_SLOPE: Final = "quality_slope"
QUALITY_AUC: Final = "quality_auc"
# Texts of a step: words of what is written of a candidate, and how many of its gender-coded terms are coded male.
TEXT_WORDS: Final = "words"
TEXT_CODED: Final = "coded_share"
# Arms of a perturbation test.
SCORE_DIFFERENCE: Final = "score_difference"
RANK_CHANGE: Final = "rank_change"
TOP_RATE: Final = "top_rate"
LEFT_OUT: Final = "left_out_rate"
# A study of scores that exist.
LEVEL_SD: Final = "level_sd"
FLOOR_RATIO: Final = "floor_ratio"
# Scores beside what happened.
AUC: Final = "auc"
ACCURACY: Final = "accuracy"
TPR: Final = "tpr"
TNR: Final = "tnr"
FPR: Final = "fpr"
FNR: Final = "fnr"
PRECISION: Final = "precision"
F1: Final = "f1"
BRIER: Final = "brier"
CALIBRATION_INTERCEPT: Final = "calibration_intercept"
CALIBRATION_SLOPE: Final = "calibration_slope"
BASE_RATE: Final = "base_rate"
#: Of all recorded cases, estimated from golden cases drawn at random.
DRAWN_ACCURACY: Final = "drawn_accuracy"
DRAWN_KAPPA: Final = "drawn_kappa"
TREATMENT_EQUALITY: Final = "treatment_equality"
DEMOGRAPHIC_PARITY: Final = "demographic_parity"
EQUAL_OPPORTUNITY: Final = "equal_opportunity"
EQUALISED_ODDS: Final = "equalised_odds"
SIMILAR_APART: Final = "individual_fairness"
SIMILAR_ACROSS: Final = "individual_fairness_across"
LIPSCHITZ: Final = "lipschitz_quotient"
#: Measures that groups are compared by, and of which it is known which version is worse.
COMPARED_MEASURES: Final = (
    *(AUC, SELECTION_RATE, ACCURACY, TPR, FNR, TNR, FPR, PRECISION, F1, TREATMENT_EQUALITY),
    *(BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE),
)
#: Those that need no decisions.
COMPARED_OF_SCORES: Final = (AUC, BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE)
#: Those that a first screen claims something of, by group and by version.
PLANNED_OF_SCORES: Final = (AUC, SELECTION_RATE, TPR, FPR)
#: The same of golden cases, which were chosen: a rate of selection says nothing there.
PLANNED_OF_GOLDEN: Final = (AUC, ACCURACY, TPR, FPR)
WORSE: Final = (AUC, ACCURACY, TPR, TNR, FPR, FNR, PRECISION, F1, BRIER)
#: What the name of a ratio of two groups begins with, and of a difference between two versions.
RATIO: Final = "ratio_"
CHANGE: Final = "change_"
# Features of a table.
EFFECTIVE_SIZE: Final = "effective_sample_size"
EXPECTATION: Final = "expectation"
GROUP_SHARE: Final = "group_share"
JOINT_PROXY: Final = "joint_proxy_power"
LABEL_POWER: Final = "label_power"
PROXY: Final = "proxy_power"
PSI: Final = "population_stability_index"
KS: Final = "largest_distance"
# Groups against all.
AGAINST_POPULATION: Final = "acceptance_vs_population"
VALIDITY_DIFFERENCE: Final = "validity_difference"
MAX_DIFFERENCE: Final = "max_difference"
DETECTABLE_DIFFERENCE: Final = "detectable_difference"
MIXED_ODDS_RATIO: Final = "mixed_logistic_odds_ratio"
MIXED_SD: Final = "mixed_logistic_sd"
#: What the name of a difference begins with.
DIFFERENCE: Final = "diff_"
#: What stands between the column of instructions and the measure whose variance it is.
VARIANCE: Final = "_variance_"
# Ends of names.
INTERCEPT: Final = "_intercept"
INTERACTION: Final = "_interaction"
HETEROGENEITY: Final = "_heterogeneity"
