"""The block of an analysis of applicants."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.tables.audit.applicants.block import TableAudit
from evenhand.tables.audit.applicants.small_tables import SmallTables

__all__ = ["FloorNote", "ImpactAudit", "LL144Block", "LL144Row", "Published", "ReferenceFloor", "Rule"]


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
    """The tables that Local Law 144 asks for."""

    rows: tuple[LL144Row, ...] = ()
    scoring: bool = False
    median: float | Mapping[str, float | None] | None = None
    exclusion_reason: str | None = None
    published: Published = field(default_factory=Published)


@dataclass(frozen=True, kw_only=True)
class ImpactAudit(TableAudit):
    """What the page of an analysis of applicants prints besides the findings."""

    kind: str = "impact"
    title: str = "Audit"
    stages: tuple[str, ...] = ()
    shown: SmallTables = field(default_factory=SmallTables)
    ll144: LL144Block | None = None
    reference_floor: ReferenceFloor = field(default_factory=ReferenceFloor)
    rules: tuple[Rule, ...] = ()

    @property
    def low(self) -> bool:
        """Return whether low scores are selected."""
        return bool(self.parameters.get("at_most") or self.parameters.get("below"))

    @property
    def side(self) -> str:
        """Return on which side of a cut-off scores are selected: 'above', 'of at least', 'below' or 'of at most'."""
        sides = {"at_least": "of at least", "at_most": "of at most", "below": "below"}
        return next((told for name, told in sides.items() if self.parameters.get(name)), "above")

    @property
    def two_sided(self) -> bool:
        """Return whether the four-fifths rule looks at both sides."""
        return str(self.parameters.get("four_fifths")).startswith("two")
