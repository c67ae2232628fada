"""The audit block of a study of scores that exist, the details of its findings, and these grouped for the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenhand.results import measures
from evenhand.results.audit import Header
from evenhand.results.finding import Details, Finding, omit_none

#: The keys of slices and groups that a study's findings have besides the column of its units.
ARM, DECISION, LEVEL = "arm", "decision", "level"


@dataclass(frozen=True, kw_only=True)
class LevelDifference(Details):
    """Of a difference between a level and its reference: the margin, the 90 % interval, and what was compared."""

    margin: float | None = None
    equivalence_interval: tuple[float, float] | None = None
    p_equivalence: float | None = None
    units: int | None = None


@dataclass(frozen=True, kw_only=True)
class NoiseFloor(Details):
    """Of an arm's variance between levels over that of the placebo: both, of scores or shares, over how many units."""

    measured_in: str = "points"
    variance: float | None = None
    variance_placebo: float | None = None
    units: int | None = None


@dataclass(frozen=True, kw_only=True)
class LevelSpread(Details):
    """Of a standard deviation between levels: the variance, that of a single score, and how many levels there are.

    Where `units` are ranked by it, the largest first, `ranks` are the lowest and highest one that the data allow.
    """

    variance: float | None = None
    noise: float | None = None
    levels: int | None = None
    rank: int | None = omit_none()
    ranks: tuple[int, int] | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class MissingScores(Details):
    """Of a share of rows without a score: how many rows lack one; by unit, which cells have no score at all.

    `without_row` are cells without any row, in arms that their unit has rows of.
    """

    missing: int | None = None
    absent: int | None = None
    without_row: int | None = None
    by_unit: Mapping[str, int] = field(default_factory=dict)
    absent_by_unit: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class StudyAudit(Header):
    """The facts of a study, besides its findings.

    `arms` has the levels of each arm, `references` the one that others are compared with; other arms are compared with
    the arm `baseline`. `unit` is the column whose values are compared, `clusters` are the other columns of items.
    """

    kind: str = "study"
    title: str = "Study of scores"
    source: str = ""
    attribution: str | None = omit_none()
    arms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    placebo: tuple[str, ...] = ()
    baseline: str | None = None
    references: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    units: tuple[str, ...] = ()
    clusters: Mapping[str, int] = field(default_factory=dict)
    name: str | None = None
    names: int | None = None
    outcome: str = ""
    grades: tuple[str, ...] = ()
    rows: int = 0
    rows_left_out: int = 0
    runs: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True)
class StudyGroups:
    """The findings of a study: over all units, by unit, and the shares of rows without a score."""

    differences: tuple[Finding, ...]
    placebos: tuple[Finding, ...]
    floors: tuple[Finding, ...]
    spreads: tuple[Finding, ...]
    unit_differences: tuple[Finding, ...]
    unit_floors: tuple[Finding, ...]
    unit_spreads: tuple[Finding, ...]
    league: tuple[Finding, ...]
    missing: tuple[Finding, ...]

    def unstable(self, audit: StudyAudit) -> tuple[str, ...]:
        """Return units whose placebo moves scores beyond noise, while no arm was detected to move them more."""
        if audit.unit is None:
            return ()
        unit = audit.unit
        compared = {row.slice[unit] for row in self.unit_floors if row.verdict != "not_judged"}
        moved = [
            row
            for row in self.unit_spreads
            if _moves(row) and row.focal[ARM] in audit.placebo and row.slice[unit] in compared
        ]
        biased = {row.slice[unit] for row in self.unit_floors if row.is_difference and is_above(row)}
        return tuple(name for name in dict.fromkeys(row.slice[unit] for row in moved) if name not in biased)


def _moves(spread: Finding) -> bool:
    """Return whether levels were detected to move scores beyond noise: the test has two sides."""
    return spread.is_difference and (spread.estimate or 0.0) > 0


def is_above(floor: Finding) -> bool:
    """Return whether an arm's variance is above the placebo's."""
    details = NoiseFloor.of(floor)
    return (details.variance or 0.0) > (details.variance_placebo or 0.0)


def study_groups(findings: Sequence[Finding], audit: StudyAudit) -> StudyGroups:
    """Return the findings of a study, grouped for its page."""

    def of(name: str, *, by_unit: bool, placebo: bool | None = None) -> tuple[Finding, ...]:
        return tuple(
            finding
            for finding in findings
            if finding.measure == name
            and (audit.unit in finding.slice) == by_unit
            and (placebo is None or (finding.focal.get(ARM) in audit.placebo) == placebo)
        )

    difference = f"{measures.DIFFERENCE}{measures.SELECTION_RATE}" if audit.grades else measures.SCORE_DIFFERENCE
    spreads = of(measures.LEVEL_SD, by_unit=True)
    return StudyGroups(
        differences=of(difference, by_unit=False, placebo=False),
        placebos=of(difference, by_unit=False, placebo=True),
        floors=of(measures.FLOOR_RATIO, by_unit=False),
        spreads=of(measures.LEVEL_SD, by_unit=False),
        unit_differences=of(difference, by_unit=True),
        unit_floors=of(measures.FLOOR_RATIO, by_unit=True),
        unit_spreads=tuple(finding for finding in spreads if ARM in finding.focal),
        league=tuple(finding for finding in spreads if ARM not in finding.focal),
        missing=of(measures.UNDETECTED_ATTEMPTS, by_unit=False),
    )
