"""Counts of applicants → impact.csv, pooled.csv and findings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import polars as pl

from evenhand.findings.impact.cells import GroupCells, cells_of
from evenhand.findings.impact.clustered import Clustering
from evenhand.findings.impact.findings import (
    bound_findings,
    group_findings,
    pooled_findings,
    ratio_findings,
    single_group_finding,
)
from evenhand.findings.impact.held.pooled import pooled_rows
from evenhand.findings.impact.law.availability import AvailabilityFound
from evenhand.findings.impact.positions import chance_of_flags, position_findings
from evenhand.findings.impact.references import References, eligible_groups
from evenhand.findings.impact.rows import group_rows
from evenhand.findings.impact.small_tables import agreement, positions, sweep_rows, z_curves
from evenhand.stats import FourFifthsRule
from evenhand.tables.audit.applicants.small_tables import SmallTables, ZCurve
from evenhand.tables.finding import Finding
from evenhand.tables.impact_files import APPROACHES, CLUSTERED, IMPACT, MEANS, POOLED

__all__ = ["Impact", "ImpactChoices", "measure_impact", "uniquely_named"]


@dataclass(frozen=True, kw_only=True)
class ImpactChoices:
    """How the counts are compared."""

    references: References = field(default_factory=References)
    intersectional: bool = False
    min_share: float = 0.0
    rule: FourFifthsRule = "against_highest"
    missing_bounds: bool = False
    confidence: float = 0.95
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Impact:
    """The rows of impact.csv and pooled.csv, or of availability.csv; findings, and what the report draws besides."""

    rows: pl.DataFrame
    pooled: pl.DataFrame
    findings: list[Finding]
    small_tables: SmallTables
    availability: pl.DataFrame | None = None

    @classmethod
    def of_availability(cls, found: AvailabilityFound) -> "Impact":
        """Return an analysis without a selection: people against stated shares."""
        return cls(
            rows=pl.DataFrame(schema=IMPACT),
            pooled=pl.DataFrame(schema=POOLED),
            findings=uniquely_named(found.findings),
            small_tables=SmallTables(),
            availability=found.rows,
        )


def measure_impact(
    counts: pl.DataFrame,
    attributes: Sequence[str],
    choices: ImpactChoices,
    *,
    scores: pl.DataFrame | None = None,
    sweep: pl.DataFrame | None = None,
    clustering: Clustering | None = None,
    by_position: bool = False,
) -> Impact:
    """Return who is selected less, by how much, and whether that is statistically significant.

    `counts` are joint over all attributes (approach, cutoff, stage, position,
    `protected.<name>`, n, successes); `scores` likewise with n, mean, squares; `sweep` has
    counts per cut-off of all applicants. With `clustering` intervals and p-values let clusters vary.

    Raises
    ------
    InputError
        A reference was named that does not occur.

    """
    rows: list[pl.DataFrame] = []
    pooled: list[pl.DataFrame] = []
    findings: list[Finding] = []
    curves: list[ZCurve] = []
    chance: dict[tuple[Any, ...], float] = {}
    for cells in _cells(counts, scores, attributes, choices, clustering=clustering, by_position=by_position):
        if len(cells.groups) < 2:
            findings += [*group_findings(cells, confidence=choices.confidence), single_group_finding(cells)]
            continue
        own = group_rows(
            cells,
            choices.references,
            rule=choices.rule,
            min_share=choices.min_share,
            confidence=choices.confidence,
        )
        common = pooled_rows(cells, choices.references, min_share=choices.min_share, confidence=choices.confidence)
        rows.append(own)
        pooled.append(common)
        curves += z_curves(own)
        if by_position:
            chance |= _chance(cells, choices)
        findings += group_findings(cells, confidence=choices.confidence)
        findings += ratio_findings(
            own,
            cells,
            choices.references,
            min_share=choices.min_share,
            confidence=choices.confidence,
            seed=choices.seed,
        )
        findings += pooled_findings(common, cells, confidence=choices.confidence)
        if choices.missing_bounds:
            findings += bound_findings(cells, choices.references, min_share=choices.min_share)
    columns = IMPACT if clustering is None else IMPACT | CLUSTERED
    table = _sorted(pl.concat([pl.DataFrame(schema=columns), *rows]))
    by_attribute = positions(table, chance)
    findings += position_findings(by_attribute)
    swept = () if sweep is None else sweep_rows(sweep, attributes, choices.references, min_share=choices.min_share)
    return Impact(
        rows=table,
        pooled=pl.concat([pl.DataFrame(schema=POOLED), *pooled]),
        findings=uniquely_named(findings),
        small_tables=SmallTables(
            agreement=agreement(table),
            positions=by_attribute,
            sweep=swept,
            z_curves=tuple(curves),
        ),
    )


def _chance(cells: GroupCells, choices: ImpactChoices) -> dict[tuple[Any, ...], float]:
    """Return the share of positions that chance puts below four fifths, where the reference is the highest rate."""
    if cells.mean is not None or not choices.references.by_highest(cells):
        return {}
    eligible = eligible_groups(cells, min_share=choices.min_share)
    flags = chance_of_flags(cells, choices.references, eligible, seed=choices.seed)
    return {(*key, cells.name): share for key, share in flags.items()}


def uniquely_named(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings with names that occur once: groups like 'a b' and 'a_b' are numbered."""
    seen: dict[str, int] = {}
    told = []
    for finding in findings:
        number = seen[finding.name] = seen.get(finding.name, 0) + 1
        told.append(finding if number == 1 else replace(finding, name=f"{finding.name}_{number}"))
    return told


def _cells(
    counts: pl.DataFrame,
    scores: pl.DataFrame | None,
    attributes: Sequence[str],
    choices: ImpactChoices,
    *,
    clustering: Clustering | None,
    by_position: bool,
) -> Iterator[GroupCells]:
    """Yield the cells of each attribute, then of each intersection; decisions before scores."""
    sets: list[tuple[str, ...]] = [(name,) for name in attributes]
    if choices.intersectional:
        sets += [each for size in range(2, len(attributes) + 1) for each in combinations(attributes, size)]
    of_means = {"approach": pl.lit(MEANS), "cutoff": pl.lit(None, pl.Float64)}
    clusters = clustering.names if clustering is not None else ()
    for names in sets:
        if counts.height:
            apart = None if clustering is None else clustering.counts
            yield cells_of(counts, names, by_position=by_position, clustered=apart, clusters=clusters)
        if scores is not None:
            means = scores.with_columns(**of_means)
            apart = None
            if clustering is not None and clustering.scores is not None:
                apart = clustering.scores.with_columns(**of_means)
            yield cells_of(means, names, by_position=by_position, clustered=apart, clusters=clusters)


def _sorted(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows by approach, cut-off, stage, all applicants first; attributes keep their order."""
    order = pl.col("approach").cast(pl.Enum(APPROACHES))
    return rows.sort(order, "cutoff", "stage", "position", maintain_order=True)
