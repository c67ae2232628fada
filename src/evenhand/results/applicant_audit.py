"""Audit blocks of analyses of applicants: accounting of rows, small tables for the page, previews, Local Law 144."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evenhand.results.audit import Header
from evenhand.results.finding import omit_none


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Rows that a condition left out; of some of them a cell that it uses is empty."""

    expression: str
    rows_left_out: int
    of_these_empty: int = 0


@dataclass(frozen=True, kw_only=True)
class Units:
    """Rows that are one applicant, by the column --unit."""

    column: str
    by: tuple[str, ...] = ()
    rows: int = 0
    units: int = 0
    with_several_positions: int = 0
    counted: int = 0
    repeated_rows: int = 0
    conflicts: int = 0


@dataclass(frozen=True, kw_only=True)
class CountColumns:
    """Rows that are several people each, by a column of counts."""

    column: str
    selected_column: str | None = None
    rows: int = 0
    people: int = 0


@dataclass(frozen=True, kw_only=True)
class TotalRows:
    """Rows of a label that are sums of others: by its name, its counts (sum), or both; `of` names the others.

    The sum is `possible` where counts are not known exactly.
    """

    column: str
    label: str
    rows: int
    by: str
    left_out: bool
    of: str | None = omit_none()
    possible: bool | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class CountRange:
    """How many people of a group there may be, and how many of them selected, where counts are not known exactly.

    `group` is '' where it is not known.
    """

    attribute: str
    group: str
    stage: str | None = omit_none()
    n: tuple[int, int]
    selected: tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class UncertainCounts:
    """Counts that are not known exactly: `suppressed` cells, or rates that are rounded to `decimals`; by group."""

    suppressed: int = 0
    decimals: tuple[int, ...] = ()
    ranges: tuple[CountRange, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """The values of the column --selected, or --label, with their counts, and what they were taken to mean."""

    column: str | None = None
    selected_values: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    undecided_values: tuple[str, ...] = ()
    outcome: bool | None = omit_none()

    def meaning(self, value: str) -> str:
        """Return what a value was taken to mean; with `outcome` it is what happened, no decision.

        >>> Decisions(column="hired", selected_values=("yes",)).meaning("yes")
        'selected'
        """
        words = ("yes", "no", "unknown") if self.outcome else ("selected", "not selected", "without a decision")
        if not value or value in self.undecided_values:
            return words[2]
        return words[0] if value in self.selected_values else words[1]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The column --score; the median by stage where there are stages."""

    column: str | None = None
    null: int = 0
    not_a_number: int = 0
    infinite: int = 0
    median: float | Mapping[str, float | None] | None = None
    lowest: float | None = None
    highest: float | None = None


@dataclass(frozen=True, kw_only=True)
class MergedSpellings:
    """Labels that were counted as one group, with how often each stands there."""

    column: str | None = None
    kept: str
    merged: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Eeo1Label:
    """A label and the category of the EEO-1 that it was counted as."""

    category: str
    label: str
    hispanic: str | None = omit_none()
    n: int


@dataclass(frozen=True, kw_only=True)
class StageOrder:
    """The stages in their order, and how that was found."""

    column: str
    stages: tuple[str, ...]
    how: str
    rows: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Accounting:
    """Who was counted and who was not; of a table of counts, people instead of rows."""

    engine: str | None = None
    source: str | None = None
    sheet: str | None = None
    table: str | None = None
    encoding: str | None = None
    separator: str | None = None
    rows_read: int | None = None
    blank_rows: int = 0
    where: tuple[LeftOut, ...] = ()
    unit: Units | None = None
    count: CountColumns | None = None
    totals: tuple[TotalRows, ...] = ()
    uncertain: UncertainCounts | None = omit_none()  # noqa: RUF009 - a field
    decisions: Decisions | None = None
    decision_unknown: int = 0
    scores: Scores | None = None
    without_previous: int | None = omit_none()
    unknown: Mapping[str, int] = field(default_factory=dict)
    unknown_labels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unsure: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    folded: tuple[MergedSpellings, ...] = ()
    eeo1: tuple[Eeo1Label, ...] = ()
    missing_position: int = 0
    missing_stage: int = 0
    stages_left_out: Mapping[str, int] = field(default_factory=dict)
    stage_order: StageOrder | None = None
    rows_used: int | None = None
    positions: int = 0
    nobody: tuple[Mapping[str, str], ...] | None = omit_none()
    notes: tuple[str, ...] = ()
    statuses: Mapping[str, int] | None = omit_none()

    @property
    def at_all_stages(self) -> bool:
        """Say whether the people of a table of counts are those of several stages, each person once at every one."""
        order = self.stage_order
        if self.count is None or order is None or len(order.rows) < 2:
            return False
        people = sum(order.rows.values()) + self.missing_stage + sum(self.stages_left_out.values())
        return people == self.count.people

    @property
    def noun(self) -> str:
        """Return what is counted."""
        if self.count is None:
            return "rows"
        return "people at all stages together" if self.at_all_stages else "people"


@dataclass(frozen=True, kw_only=True)
class TableAudit(Header):
    """The facts of an analysis of a table, whatever was analysed."""

    source: str = ""
    attributes: tuple[str, ...] = ()
    accounting: Accounting = field(default_factory=Accounting)


@dataclass(frozen=True, kw_only=True)
class OfSelection:
    """What is of one attribute and one definition of a selection."""

    approach: str
    cutoff: float | None
    stage: str
    attribute: str


@dataclass(frozen=True, kw_only=True)
class Agreement(OfSelection):
    """How many comparisons there are with these results of the four-fifths rule, of Z and of Fisher's test."""

    by_position: bool
    four_fifths: str
    z: bool | None
    fisher: bool | None
    rows: int


@dataclass(frozen=True, kw_only=True)
class Positions(OfSelection):
    """How many positions of an attribute were compared, which groups are below four fifths, and the worst rows.

    `suppressed` is the number of comparisons whose counts are not shown: four fifths is judged where all counts that
    are possible agree, significance is not; `undetermined` positions have one where they don't. `differs` says whether
    a position differs after correction over all planned comparisons of the run; `worst` are rows of impact.csv.
    """

    positions: int
    comparisons: int
    positions_computed: int
    computed: int
    below: int
    positions_below: int
    below_groups: Mapping[str, int]
    expected_by_chance: float | None
    significant: int
    significant_adjusted: int
    worst: tuple[Mapping[str, Any], ...]
    below_significant: int = 0
    least_p: float | None = None
    differs: bool = False
    suppressed: int = 0
    undetermined: int = 0


@dataclass(frozen=True, kw_only=True)
class AgeRate:
    """A row of age.csv: people of one age, and the curve of the selection rate there."""

    years: int
    n: int
    selected: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class PositionRank:
    """A row of positions.csv: a group in one position, with its ratio shrunk towards those of all positions."""

    attribute: str
    focal: str
    reference: str
    position: str
    rank: int
    n_focal: int
    selected_focal: int
    n_reference: int
    selected_reference: int
    impact_ratio: float | None
    shrunken_ratio: float
    low: float
    high: float
    probability_below: float
    p: float | None
    p_fdr: float | None
    reason: str | None
    approach: str
    stage: str
    cutoff: float | None


@dataclass(frozen=True, kw_only=True)
class LadderStep(OfSelection):
    """A line of the adjustment ladder: selection rates of all people as if of each of two groups, and their comparison.

    A step has a line per group. All lines standardise over the same `n` people, those of whom all is known. `kind` is
    crude, position, block or given; `added` is what this line adds to `adjusted_for`, `taken` the share of the crude
    difference that it takes. `shortfall` is how many more of the focal group would be selected at the reference's
    rate. `finding` is the one whose claim decides the line; None where that is of other people.
    """

    focal: str
    reference: str
    step: int
    kind: str
    added: tuple[str, ...]
    adjusted_for: tuple[str, ...]
    n: int
    n_focal: int
    n_left_out: int
    rate_focal: float | None
    rate_reference: float | None
    difference: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    shortfall: float | None
    taken: float | None
    method: str
    notes: tuple[str, ...] = ()
    reason: str | None = None
    finding: str | None = None
    test: str | None = None
    p: float | None = None
    p_adjusted: float | None = None
    verdict: str | None = None


@dataclass(frozen=True, kw_only=True)
class SweepRate:
    """A group's selection rate and impact ratio at one cut-off; `reference` is the group that was named."""

    attribute: str
    group: str
    cutoff: float
    n: int
    selected: int
    rate: float
    low: float
    high: float
    impact_ratio: float | None
    reference: str | None = None


@dataclass(frozen=True, kw_only=True)
class ZCurve(OfSelection):
    """How Z would grow with the number of people in each of two groups."""

    focal: str
    reference: str
    rate_focal: float
    rate_reference: float
    z: float
    n_per_group: float
    crossing: float | None
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, kw_only=True)
class SmallTables:
    """The tables that the report prints besides the findings."""

    agreement: tuple[Agreement, ...] = ()
    positions: tuple[Positions, ...] = ()
    sweep: tuple[SweepRate, ...] = ()
    z_curves: tuple[ZCurve, ...] = ()
    ladder: tuple[LadderStep, ...] = ()
    ranks: tuple[PositionRank, ...] = ()
    ages: tuple[AgeRate, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ColumnPreview:
    """A column: what it holds, how many different values and empty cells it has, and for which option it may be.

    `different` is None where the first rows have more than 1,000, which are not counted.
    `values` has the rows of each value, spellings taken together, empty cells under ''; none where there are more than
    40. `plain`: they are yes and no, which are understood as decisions. `meanings` are what values likely mean if the
    column says who was selected: selected, not or none. `role` is the option that is guessed, `reason` why; `given` is
    the option that names the column.
    """

    name: str
    holds: str
    different: int | None
    empty: int
    values: Mapping[str, int] = field(default_factory=dict)
    plain: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)
    role: str | None = None
    reason: str = ""
    given: str = ""

    def has(self, least: int, most: int) -> bool:
        """Say whether so many different values are there."""
        return self.different is not None and least <= self.different <= most

    @property
    def told(self) -> str:
        """Return how many different values there are, in words."""
        return "over 1,000" if self.different is None else f"{self.different:,}"


@dataclass(frozen=True, kw_only=True)
class PreviewedGroup:
    """How many of a group are counted at a stage, and how many of them are selected; `group` is '' where unknown.

    Where counts are not shown these are the fewest, and `most_counted` and `most_selected` the most.
    """

    attribute: str
    group: str
    stage: str
    counted: int
    selected: int | None = None
    most_counted: int | None = omit_none()
    most_selected: int | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class TablePreview:
    """A table: its sheets, its columns where it is known which sheet, and whom the options count.

    Without options that say so, `guessed`, the roles guessed from the columns count. `groups` is None where nothing is
    counted, and then `question` is what is open. `command` computes it; `notes` are the remarks of whoever read and
    counted.
    """

    source: str
    sheets: tuple[str, ...] = ()
    rows: int | None = None
    columns: tuple[ColumnPreview, ...] = ()
    notes: tuple[str, ...] = ()
    rows_read: int | None = None
    rows_used: int | None = None
    groups: tuple[PreviewedGroup, ...] | None = None
    guessed: bool = False
    question: str | None = None
    command: str = ""

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> "TablePreview":
        """Return what was written as JSON."""
        groups = content["groups"]
        rows = None if groups is None else tuple(PreviewedGroup(**group) for group in groups)
        columns = tuple(ColumnPreview(**column) for column in content["columns"])
        return cls(**{**content, "columns": columns, "groups": rows})


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A legal threshold or rule that the analysis rests on."""

    key: str
    title: str
    citation: str
    words: str
    values: Mapping[str, object] = field(default_factory=dict)
    in_force: str | None = None
    checked: str | None = None


@dataclass(frozen=True, kw_only=True)
class FloorNote:
    """What the smallest size of a reference changed for one attribute, or for several crossed."""

    attributes: tuple[str, ...]
    text: str


@dataclass(frozen=True, kw_only=True)
class ReferenceFloor:
    """The smallest share of the applicants that a group must be to be the reference, and what that changed."""

    share: float | None = None
    notes: tuple[FloorNote, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LL144Row:
    """A row of ll144.csv."""

    attribute: str
    category: str
    n: int
    selected: int = 0
    rate: float | None = None
    impact_ratio: float | None = None
    share: float | None = None
    excluded: bool = False
    reason: str | None = None
    share_of: str = "all"


@dataclass(frozen=True, kw_only=True)
class Published:
    """What the page of Local Law 144 must tell and no table knows (6 RCNY 5-303(a))."""

    tool: str | None = None
    audit_date: str | None = None
    auditor: str | None = None
    distribution_date: str | None = None
    data_source: str | None = None


@dataclass(frozen=True, kw_only=True)
class LL144Block:
    """The tables that Local Law 144 asks for; those of each period besides, where there are several."""

    rows: tuple[LL144Row, ...] = ()
    scoring: bool = False
    median: float | Mapping[str, float | None] | None = None
    exclusion_reason: str | None = None
    exclusion_base: str = "all"
    published: Published = field(default_factory=Published)
    periods: Mapping[str, tuple[LL144Row, ...]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class GroupShare:
    """How many decisions at a stage were on people of a group, and their share of those whose group is known."""

    stage: str
    attribute: str
    group: str
    n: int
    share: float


@dataclass(frozen=True, kw_only=True)
class GroupQuality:
    """How well a model's scores and decisions agree with the labels of a group; null where they can't be compared."""

    model: str
    attribute: str
    group: str
    labelled: int
    auc: float | None
    auc_low: float | None
    auc_high: float | None
    compared: int
    agreement: float | None


@dataclass(frozen=True, kw_only=True)
class MonitoredAlarm:
    """An alarm as the store has it: what it is of and its state, in words, and what was `done`, by whom and when."""

    text: str
    day: str
    state: str
    acknowledged_by: str | None
    note: str | None
    done: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Monitored:
    """What a store knows of processes in a period, besides its counts; `checked` is the day of the store's last check.

    `standing` are the standing disparities found up to its end, in words, and `compared` the pairs that were compared
    over so many `months`; `cautions` say which processes are lacking, and of which people are unknown.
    """

    models: tuple[str, ...]
    cautions: tuple[str, ...] = ()
    period: str
    first: str
    last: str
    composition: tuple[GroupShare, ...] = ()
    standing: tuple[str, ...] = ()
    compared: int = 0
    months: int = 0
    alarms: tuple[MonitoredAlarm, ...]
    checked: str | None
    quality: tuple[GroupQuality, ...]


@dataclass(frozen=True, kw_only=True)
class ImpactAudit(TableAudit):
    """What the page of an analysis of applicants prints besides the findings."""

    kind: str = "impact"
    stages: tuple[str, ...] = ()
    shown: SmallTables = field(default_factory=SmallTables)
    ll144: LL144Block | None = None
    monitored: Monitored | None = omit_none()  # noqa: RUF009 - a field
    reference_floor: ReferenceFloor = field(default_factory=ReferenceFloor)
    rules: tuple[Rule, ...] = ()

    @property
    def standing(self) -> int:
        """Return how many standing disparities were open in the period of a store's report."""
        return 0 if self.monitored is None else len(self.monitored.standing)

    @property
    def sources(self) -> list[tuple[str, str]]:
        """Return title and citation of the rules that the run applies."""
        return [(rule.title, rule.citation) for rule in self.rules]

    @property
    def low(self) -> bool:
        """Say whether low scores are selected."""
        return bool(self.parameters.get("at_most") or self.parameters.get("below"))

    @property
    def side(self) -> str:
        """Return on which side of a cut-off scores are selected: 'above', 'of at least', 'below' or 'of at most'."""
        sides = {"at_least": "of at least", "at_most": "of at most", "below": "below"}
        return next((comparison for name, comparison in sides.items() if self.parameters.get(name)), "above")

    @property
    def two_sided(self) -> bool:
        """Say whether the four-fifths rule looks at both sides."""
        return str(self.parameters.get("four_fifths")).startswith("two")
