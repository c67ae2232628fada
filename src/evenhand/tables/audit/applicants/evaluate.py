"""The block of an evaluation of scores beside what happened."""

from dataclasses import dataclass, field

from evenhand.tables.audit.applicants.block import TableAudit
from evenhand.tables.audit.impact import FloorNote

__all__ = ["CutoffRates", "Decided", "EvaluateAudit", "GoldenAudit", "HeldAgainst", "Similar", "Tension"]


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
    """By which columns people are alike, how near they must be, and how many were looked at."""

    columns: tuple[str, ...] = ()
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
class HeldAgainst:
    """The run that golden cases were scored in before: whose it was, and how many cases both scored."""

    model: str
    scorer: str
    started: str
    cutoff: float
    cases: int


@dataclass(frozen=True, kw_only=True)
class GoldenAudit(EvaluateAudit):
    """What the page of a run on golden cases prints besides the findings: as of an evaluation, and which scorer it was.

    `version` and `digest` are those of the golden set; labels from `positive` on count as yes. `forgotten` cases have
    no text any more and were not scored. `judged_as` is the model whose runs are held against each other.
    """

    kind: str = "golden"
    title: str = "Golden set"
    scorer: str = ""
    version: int = 0
    digest: str = ""
    labels: tuple[str, ...] = ()
    positive: str = ""
    forgotten: int = 0
    twins: bool = False
    judged_as: str = ""
    held_against: HeldAgainst | None = None

    @property
    def model(self) -> str:
        """Return the scorer."""
        return self.scorer

    @property
    def whom(self) -> str:
        """Return whom the numbers are of."""
        return "cases"
