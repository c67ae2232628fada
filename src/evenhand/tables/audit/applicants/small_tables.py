"""What an analysis of applicants shows of impact.csv in small: grouped once, in findings."""

from collections.abc import Mapping
from dataclasses import dataclass

from evenhand.tables.audit.written import left_out

__all__ = ["Agreement", "ImpactRow", "Positions", "SmallTables", "SweepRate", "ZCurve"]


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How many comparisons there are with these results of the four-fifths rule, of Z and of Fisher's test."""

    approach: str
    cutoff: float | None
    stage: str
    attribute: str
    by_position: bool
    four_fifths: str
    z: bool | None
    fisher: bool | None
    rows: int


@dataclass(frozen=True, kw_only=True)
class ImpactRow:
    """A row of impact.csv."""

    approach: str
    cutoff: float | None = None
    position: str
    attribute: str
    focal: str
    reference: str | None = None
    n_focal: int | None = None
    selected_focal: int | None = None
    n_reference: int | None = None
    selected_reference: int | None = None
    rate_focal: float | None = None
    rate_reference: float | None = None
    mean_focal: float | None = None
    mean_reference: float | None = None
    impact_ratio: float | None = None
    ir_low: float | None = None
    ir_high: float | None = None
    four_fifths: str | None = None
    z: float | None = None
    p_z: float | None = None
    p_fisher: float | None = None
    p_fisher_mid: float | None = None
    p_adjusted: float | None = None
    adjustment: str | None = None
    flip_flop_ratio: float | None = None
    flip_flop_reverses: bool | None = None
    shortfall: float | None = None
    odds_ratio: float | None = None
    cohens_h: float | None = None
    detectable_ratio: float | None = None
    read_with: str | None = None
    reason: str | None = None
    stage: str = ""
    standardised_difference: float | None = None
    d_low: float | None = None
    d_high: float | None = None
    p_welch: float | None = None
    low_clustered: float | None = left_out()
    high_clustered: float | None = left_out()
    p_clustered: float | None = left_out()
    clusters: int | None = left_out()


@dataclass(frozen=True, kw_only=True)
class Positions:
    """How many positions of an attribute were compared, which groups are below four fifths, and the worst rows."""

    approach: str
    cutoff: float | None
    stage: str
    attribute: str
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
    worst: tuple[ImpactRow, ...]


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
class ZCurve:
    """How Z would grow with the number of people in each of two groups."""

    approach: str
    cutoff: float | None
    stage: str
    attribute: str
    focal: str
    reference: str
    rate_focal: float
    rate_reference: float
    z: float
    overall_rate: float
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
