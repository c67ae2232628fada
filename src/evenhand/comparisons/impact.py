"""Adverse impact of selections: the rows of impact.csv and pooled.csv, and the findings.

`measure_impact` takes counts of applicants, `group_rows` compares each group with its reference in every cell, and the
`..._findings` make findings of rows and cells.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons import impact_cells, impact_tables
from evenhand.comparisons.impact_cells import Clustering, Clusters, Flags, GroupCells, References
from evenhand.comparisons.regulations import AvailabilityResult
from evenhand.comparisons.stratified import pooled_rows
from evenhand.comparisons.units import Floats, Ints
from evenhand.results.applicant_audit import SmallTables, ZCurve
from evenhand.results.finding import Alternative, Bounds, Finding, ImpactRatio, MeanRatio, PooledOdds, Selected, Test
from evenhand.results.measures import COMMON_ODDS_RATIO, IMPACT_RATIO, MEAN_RATIO, MISSING_BOUNDS, SELECTION_RATE
from evenhand.results.messages import shortened
from evenhand.results.schemas import APPROACHES, CLUSTERED, CROSSED, IMPACT, MEANS, POOLED, WHOLE

#: Columns that stay where a group is too small a share to be judged: counts, no judgements.
COUNTED = (
    *("approach", "cutoff", "position", "attribute", "focal", "reference", "stage", "n_focal", "selected_focal"),
    *("n_reference", "selected_reference", "rate_focal", "rate_reference", "mean_focal", "mean_reference"),
)
LEVEL = 0.05
CUTOFF = "cutoff"
#: Columns of impact.csv that the details of a ratio repeat.
DETAILS_OF_BOTH = ("approach", "cutoff", "n_focal", "n_reference")
DETAILS_OF_MEANS = (*DETAILS_OF_BOTH, "mean_focal", "mean_reference", "standardised_difference", "d_low", "d_high")
DETAILS_OF_RATES = (
    *DETAILS_OF_BOTH,
    *("selected_focal", "selected_reference", "rate_focal", "rate_reference", "four_fifths", "shortfall"),
    *("odds_ratio", "cohens_h", "detectable_ratio", "read_with", "flip_flop_ratio", "flip_flop_reverses"),
)


@dataclass(frozen=True, kw_only=True)
class GroupRatios:
    """Of each cell and group other than the cell's reference, by place in `cells`: the ratio, its interval and test.

    All arrays have a place per pair; numbers are NaN, with a `reason`, where they can't be computed, and `reference` is
    -1 where a cell has none.
    """

    cell: Ints
    focal: Ints
    reference: Ints
    estimate: Floats
    low: Floats
    high: Floats
    p_adjusted: Floats
    reason: NDArray[np.str_]


def group_ratios(cells: GroupCells, references: References, *, confidence: float = 0.95) -> GroupRatios:
    """Return the ratios, intervals and adjusted p of `group_rows` alone, of selections."""
    eligible = impact_cells.eligible_groups(cells, min_share=0.0)
    reference = impact_cells.reference_groups(cells, references, eligible)
    cell, focal = np.nonzero(np.arange(len(cells.groups)) != reference[:, None])
    against = np.maximum(reference[cell], 0)
    counts = cells.selected[cell, focal], cells.n[cell, focal], cells.selected[cell, against], cells.n[cell, against]
    ratio = stats.impact_ratio(*counts, confidence=confidence)
    p_adjusted, _ = impact_tables.adjusted_p(cells, references, reference, eligible, cell=cell, focal=focal)
    return GroupRatios(
        cell=cell,
        focal=focal,
        reference=reference[cell],
        estimate=np.asarray(ratio.estimate, dtype=np.float64),
        low=np.asarray(ratio.low, dtype=np.float64),
        high=np.asarray(ratio.high, dtype=np.float64),
        p_adjusted=p_adjusted,
        reason=np.asarray(ratio.reason, dtype=np.str_),
    )


def group_rows(
    cells: GroupCells,
    references: References,
    *,
    rule: stats.FourFifthsRule = "against_highest",
    min_share: float = 0.0,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return one row per cell and group, without the reference group's own, in the columns of impact.csv.

    A group without anyone in a cell, and a cell without a reference, are rows with a reason.
    """
    eligible = impact_cells.eligible_groups(cells, min_share=min_share)
    reference = impact_cells.reference_groups(cells, references, eligible)
    cell, focal = np.nonzero(np.arange(len(cells.groups)) != reference[:, None])
    if len(cells.groups) < 2:
        return pl.DataFrame(schema=IMPACT)
    against = np.maximum(reference[cell], 0)
    labels = np.array(cells.labels, dtype=np.str_)
    computed = (
        _rate_columns(cells, cell, focal, against, rule=rule, confidence=confidence)
        if cells.mean is None
        else _mean_columns(cells, cell, focal, against, confidence=confidence)
    )
    columns = IMPACT if cells.clusters is None else IMPACT | CLUSTERED
    if cells.clusters is not None:
        computed |= _clustered_columns(cells.clusters, cell, focal, against, computed["reason"], confidence=confidence)
    p_adjusted, adjustment = impact_tables.adjusted_p(cells, references, reference, eligible, cell=cell, focal=focal)
    rows = _typed(
        {
            **{name: cells.keys[name].gather(cell) for name in ("approach", "cutoff", "position", "stage")},
            "attribute": np.full(cell.size, cells.name),
            "focal": labels[focal],
            "reference": labels[against],
            "n_focal": cells.n[cell, focal],
            "n_reference": cells.n[cell, against],
            "p_adjusted": p_adjusted,
            "adjustment": adjustment,
            **computed,
        },
        columns,
    )
    nobody = pl.Series(reference[cell] < 0)
    rows = rows.with_columns(
        pl.when(nobody).then(None).otherwise(name).alias(name)
        for name in ("reference", "n_reference", "selected_reference", "rate_reference", "mean_reference")
    )
    unjudged = pl.Series(~eligible[focal])
    reason = f"This group is less than {min_share:g} of the sample (--min-share), so it is not judged."
    judged = [name for name in columns if name not in COUNTED]
    return rows.with_columns(
        *(pl.when(unjudged).then(None).otherwise(name).alias(name) for name in judged if name != "reason"),
        pl.when(unjudged).then(pl.lit(reason)).otherwise("reason").alias("reason"),
    )


def _typed(columns: dict[str, Any], types: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Return the columns in order and of their types, null where there is no number."""
    length = len(columns["focal"])
    typed = []
    for name, dtype in types.items():
        values = columns.get(name)
        if values is None:
            values = [None] * length
        elif getattr(values, "dtype", None) is not None and str(values.dtype) == "object":
            values = values.tolist()  # texts and None
        series = pl.Series(name, values, dtype if isinstance(values, list) else None)
        if series.dtype == pl.Float64:
            series = series.fill_nan(None)
        if series.dtype == pl.String:
            series = series.replace("", None) if name not in {"position", "stage"} else series
        typed.append(series.cast(dtype))
    return pl.DataFrame(typed)


def _first(*reasons: Any) -> Any:
    """Return, per row, the first reason why a number is null."""
    first = np.asarray(reasons[0], dtype=object)
    for following in reasons[1:]:
        first = np.where(first == "", np.asarray(following, dtype=object), first)
    return first


def _rate_columns(
    cells: GroupCells,
    cell: Ints,
    focal: Ints,
    against: Ints,
    *,
    rule: stats.FourFifthsRule,
    confidence: float,
) -> dict[str, Any]:
    """Return the columns that come from the selections of two groups."""
    a, c = cells.selected[cell, focal], cells.selected[cell, against]
    counts = a, cells.n[cell, focal], c, cells.n[cell, against]
    ratio = stats.impact_ratio(*counts, confidence=confidence)
    z = stats.z_test(*counts)
    fisher = stats.fisher_exact(*counts)
    flip = stats.flip_flop(*counts, rule=rule)
    rates = cells.rates
    applies = np.asarray(flip.applies)
    return {
        "selected_focal": a,
        "selected_reference": c,
        "rate_focal": rates[cell, focal],
        "rate_reference": rates[cell, against],
        "impact_ratio": ratio.estimate,
        "ir_low": ratio.low,
        "ir_high": ratio.high,
        "four_fifths": stats.four_fifths(*counts, rule=rule).verdict,
        "z": z.statistic,
        "p_z": z.p,
        "p_fisher": fisher.p,
        "p_fisher_mid": fisher.mid_p,
        "flip_flop_ratio": flip.ratio,
        "flip_flop_reverses": pl.Series(np.asarray(flip.reverses)).set(pl.Series(~applies), None),
        "shortfall": stats.shortfall(*counts).estimate,
        "odds_ratio": stats.odds_ratio(*counts, confidence=confidence).estimate,
        "cohens_h": stats.cohens_h(*counts, confidence=confidence).estimate,
        "detectable_ratio": stats.detectable_ratio(counts[1], counts[3], rates[cell, against]).estimate,
        "read_with": stats.recommended_test(*counts).read_with,
        "reason": _first(ratio.reason, z.reason),
    }


def _clustered_columns(
    clusters: Clusters, cell: Ints, focal: Ints, against: Ints, reason: Any, *, confidence: float
) -> dict[str, Any]:
    """Return the columns that come from clusters, with their reasons after those of the plain numbers."""
    compared = clusters.compared(cell, focal, against, confidence=confidence)
    return {
        "low_clustered": [result.low for result in compared],
        "high_clustered": [result.high for result in compared],
        "p_clustered": [clusters.p(result) for result in compared],
        "clusters": [min(result.clusters, default=None) for result in compared],
        "reason": _first(reason, [result.ratio_reason or result.reason or "" for result in compared]),
    }


def _mean_columns(cells: GroupCells, cell: Ints, focal: Ints, against: Ints, *, confidence: float) -> dict[str, Any]:
    """Return the columns that come from the scores of two groups."""
    assert cells.mean is not None
    assert cells.squares is not None
    ratio = stats.mean_ratio(
        *(matrix[cell, focal] for matrix in (cells.n, cells.mean, cells.squares)),
        *(matrix[cell, against] for matrix in (cells.n, cells.mean, cells.squares)),
        confidence=confidence,
    )
    return {
        "mean_focal": cells.rates[cell, focal],
        "mean_reference": cells.rates[cell, against],
        "impact_ratio": ratio.estimate,
        "ir_low": ratio.low,
        "ir_high": ratio.high,
        "standardised_difference": ratio.hedges_g,
        "d_low": ratio.g_low,
        "d_high": ratio.g_high,
        "p_welch": ratio.p,
        "reason": _first(ratio.reason, ratio.interval_reason, ratio.test_reason),
    }


def single_group_finding(cells: GroupCells) -> Finding:
    """Return the finding that says why an attribute has no rows."""
    measure = IMPACT_RATIO if cells.mean is None else MEAN_RATIO
    who = f"all people belong to {shortened(cells.labels[0])}" if cells.groups else "no group is known"
    return Finding(
        name=f"{measure}_{_plain(cells.name)}",
        measure=measure,
        role="descriptive",
        estimate=None,
        measured_in="ratio",
        n=int(cells.n[cells.whole].max(initial=0)),
        clusters={"person": int(cells.n[cells.whole].max(initial=0))},
        method="none",
        reason=f"{shortened(cells.name)}: {who}, so there are no groups to compare.",
    )


def group_findings(cells: GroupCells, *, confidence: float = 0.95) -> Iterator[Finding]:
    """Yield the selection rate of each group among all applicants, with Wilson's interval."""
    if cells.mean is not None:
        return
    for cell in np.flatnonzero(cells.whole):
        keys = cells.keys.row(int(cell), named=True)
        rate = stats.selection_rate(cells.selected[cell], cells.n[cell], confidence=confidence)
        for group, label in enumerate(cells.groups):
            if cells.n[cell, group]:
                limits = float(rate.low[group]), float(rate.high[group])
                shared = None
                if cells.clusters is not None:
                    shared = cells.clusters.rate(int(cell), group, confidence=confidence)
                yield Finding(
                    name=_name(SELECTION_RATE, cells, label, keys),
                    measure=SELECTION_RATE,
                    slice=_slice(keys),
                    focal=dict(zip(cells.attributes, label, strict=True)),
                    role="descriptive",
                    estimate=float(rate.estimate[group]),
                    low=limits[0] if shared is None else shared.low,
                    high=limits[1] if shared is None else shared.high,
                    confidence=confidence,
                    n=int(cells.n[cell, group]),
                    clusters={"person": int(cells.n[cell, group])} if shared is None else shared.clusters,
                    method=rate.method if shared is None else shared.method,
                    alternatives=() if shared is None else (_independent(rate.method, limits),),
                    details=Selected(selected=int(cells.selected[cell, group])),
                )


def ratio_findings(
    rows: pl.DataFrame,
    cells: GroupCells,
    references: References,
    *,
    min_share: float = 0.0,
    confidence: float = 0.95,
    seed: int = 0,
) -> Iterator[Finding]:
    """Yield one finding per row on all applicants; positions have rows in impact.csv only.

    `over_flagging_rate` in the details is the false-positive rate of the four-fifths rule over the judged groups;
    `reference_floor` says which groups with a higher rate are too small to be the reference, if any.
    """
    eligible = impact_cells.eligible_groups(cells, min_share=min_share)
    floors = {floor.key: floor for floor in impact_cells.floors_of(cells, references, eligible)}
    may_be = impact_cells.possible_references(cells, references, eligible)
    at = {cells.keys.row(int(cell))[:3]: int(cell) for cell in np.flatnonzero(cells.whole)}
    chance: dict[tuple[object, ...], float | None] = {}
    for row in rows.filter(pl.col("position") == WHOLE).iter_rows(named=True):
        key = (row["approach"], row["cutoff"], row["stage"])
        if key not in chance:
            chance[key] = _false_positive_rate(cells, at[key], eligible, may_be, seed=seed)
        yield _ratio(row, cells, at[key], chance[key], floors.get(key), confidence=confidence)


def _false_positive_rate(cells: GroupCells, cell: int, eligible: Flags, may_be: Flags, *, seed: int) -> float | None:
    if cells.mean is not None:
        return None
    n, selected = cells.n[cell][eligible], int(cells.selected[cell][eligible].sum())
    chance = stats.four_fifths_false_positives(n, selected, references=may_be[cell][eligible], seed=seed)
    return None if chance.estimate is None else float(chance.estimate)


def _ratio(
    row: Mapping[str, Any],
    cells: GroupCells,
    cell: int,
    chance: float | None,
    floor: impact_cells.Floor | None,
    *,
    confidence: float,
) -> Finding:
    group = cells.named(row["focal"])
    reference = cells.named(row["reference"]) if row["reference"] is not None else {}
    scores = cells.mean is not None
    n = row["n_focal"] + (row["n_reference"] or 0)
    estimate, adjusted = row["impact_ratio"], row["p_adjusted"]
    changed = None if floor is None else floor.details(cells)
    details: ImpactRatio | MeanRatio
    alternatives: tuple[Alternative, ...] = ()
    tests: tuple[Test, ...]
    if scores:
        tests = (Test(name="Welch t", statistic=None, p=row["p_welch"]),)
        method = "Fieller"
        details = MeanRatio(**{name: row[name] for name in DETAILS_OF_MEANS}, reference_floor=changed)
    else:
        counts = row["selected_focal"], row["n_focal"], row["selected_reference"] or 0, row["n_reference"] or 0
        ratio, read = stats.impact_ratio(*counts, confidence=confidence), stats.recommended_test(*counts)
        katz = Alternative(method="Katz log", low=ratio.katz_low, high=ratio.katz_high, reason=ratio.katz_reason)
        alternatives = (katz,)
        tests = _tests_of_rates(row)
        method = ratio.method
        details = ImpactRatio(
            **{name: row[name] for name in DETAILS_OF_RATES},
            reference_floor=changed,
            read_reason=read.reason,
            over_flagging_rate=chance,
        )
    finding = Finding(
        name=_name(MEAN_RATIO if scores else IMPACT_RATIO, cells, tuple(group.values()), row),
        measure=MEAN_RATIO if scores else IMPACT_RATIO,
        slice=_slice(row),
        focal=group,
        reference=reference,
        role="planned" if len(cells.attributes) == 1 else "exploratory",
        estimate=estimate,
        low=row["ir_low"],
        high=row["ir_high"],
        confidence=confidence,
        measured_in="ratio",
        null_value=1.0,
        n=n,
        clusters={"person": n},
        method=method,
        alternatives=alternatives,
        tests=tests,
        p_adjusted=adjusted,
        adjustment=row["adjustment"],
        verdict=None if adjusted is None else "difference" if adjusted < LEVEL else "inconclusive",
        reason=row["reason"] if estimate is not None or row["reason"] else "The ratio can't be computed.",
        details=details,
    )
    return finding if cells.clusters is None else _by_clusters(finding, row, cells, cells.clusters, cell)


def _tests_of_rates(row: Mapping[str, Any]) -> tuple[Test, ...]:
    return (
        Test(name="Z, two standard deviations", statistic=row["z"], p=row["p_z"]),
        Test(name="Fisher exact", statistic=None, p=row["p_fisher"]),
        Test(name="Fisher exact, mid-p", statistic=None, p=row["p_fisher_mid"]),
    )


def _by_clusters(finding: Finding, row: Mapping[str, Any], cells: GroupCells, clusters: Clusters, cell: int) -> Finding:
    """Return a ratio with its cluster-robust interval and test first, those of independent people as alternatives."""
    pair = [cells.labels.index(row[side] or row["focal"]) for side in ("focal", "reference")]
    shared = clusters.compared([cell], *([group] for group in pair))[0]
    test = Test(
        name=impact_tables.CLUSTER_ROBUST,
        statistic=shared.t if shared.p is not None else shared.difference_t,
        p=row["p_clustered"],
        reason=shared.reason,
    )
    return replace(
        finding,
        low=row["low_clustered"],
        high=row["high_clustered"],
        clusters=dict(zip(clusters.names, shared.clusters, strict=False)),
        method=f"cluster-robust {clusters.label}, log ratio, t",
        alternatives=(_independent(finding.method, (finding.low, finding.high)), *finding.alternatives),
        tests=(test, *finding.tests),
    )


def _independent(method: str, limits: tuple[float | None, float | None]) -> Alternative:
    """Return the interval that takes people as independent."""
    return Alternative(method=f"{method}, independent people", low=limits[0], high=limits[1])


def pooled_findings(rows: pl.DataFrame, cells: GroupCells, *, confidence: float = 0.95) -> Iterator[Finding]:
    """Yield one finding per row of pooled.csv."""
    for row in rows.iter_rows(named=True):
        estimate = row["or_mh"]
        tests = [
            Test(name="Mantel-Haenszel", statistic=row["chi2_mh"], p=row["p_mh"]),
            Test(name="Mantel-Haenszel, continuity correction", statistic=row["chi2_mh_cc"], p=row["p_mh_cc"]),
            Test(name="Breslow-Day, odds ratios alike", statistic=row["chi2_bd"], p=row["p_bd"]),
            Test(name="Breslow-Day with Tarone", statistic=row["chi2_bd_tarone"], p=row["p_bd_tarone"]),
        ]
        yield Finding(
            name=_name(COMMON_ODDS_RATIO, cells, tuple(cells.named(row["focal"]).values()), row),
            measure=COMMON_ODDS_RATIO,
            slice=_slice(row),
            focal=cells.named(row["focal"]),
            reference=cells.named(row["reference"]),
            role="planned" if len(cells.attributes) == 1 else "exploratory",
            estimate=estimate,
            low=row["or_low"],
            high=row["or_high"],
            confidence=confidence,
            measured_in="ratio",
            null_value=1.0,
            n=row["n"],
            clusters={"position": row["strata"]},
            method="Mantel-Haenszel, Robins-Breslow-Greenland interval",
            tests=tuple(tests),
            verdict=None if row["p_mh"] is None else "difference" if row["p_mh"] < LEVEL else "inconclusive",
            reason=row["reason"] if estimate is not None or row["reason"] else "It can't be computed.",
            details=PooledOdds(**{name: row[name] for name in ("strata", "simpson", "rate_focal", "rate_reference")}),
        )


def bound_findings(cells: GroupCells, references: References, *, min_share: float = 0.0) -> Iterator[Finding]:
    """Yield the bounds of the ratio over all groups that people of unknown group could belong to."""
    if cells.mean is not None or len(cells.groups) < 2:
        return
    reference = impact_cells.reference_groups(
        cells, references, impact_cells.eligible_groups(cells, min_share=min_share)
    )
    for cell in np.flatnonzero(cells.whole):
        keys, against = cells.keys.row(int(cell), named=True), int(reference[cell])
        n_unknown, chosen = (int(value) for value in cells.unknown[cell])
        for group, label in enumerate(cells.groups):
            if against < 0 or group == against:
                continue
            counts = [int(matrix[cell, column]) for column in (group, against) for matrix in (cells.selected, cells.n)]
            ratio, bounds = (
                stats.impact_ratio(*counts),
                stats.impact_ratio_bounds(counts[0], counts[1], counts[2], counts[3], chosen, n_unknown),
            )
            yield Finding(
                name=_name(MISSING_BOUNDS, cells, label, keys),
                measure=MISSING_BOUNDS,
                slice=_slice(keys),
                focal=dict(zip(cells.attributes, label, strict=True)),
                reference=dict(zip(cells.attributes, cells.groups[against], strict=True)),
                role="descriptive",
                estimate=ratio.estimate,
                low=bounds.low,
                high=bounds.high,
                measured_in="ratio",
                null_value=1.0,
                n=counts[1] + counts[3] + n_unknown,
                clusters={"person": counts[1] + counts[3] + n_unknown},
                method="worst and best assignment of unknown groups; no sampling error",
                reason=ratio.reason or bounds.reason or bounds.high_reason,
                details=Bounds(n_unknown=n_unknown, selected_unknown=chosen),
            )


def _slice(keys: Mapping[str, Any]) -> dict[str, str]:
    """Return approach, cut-off and stage where there is more than the plain decision."""
    parts = {}
    if keys["approach"] != "selected":
        parts["approach"] = str(keys["approach"])
        if keys["approach"] == CUTOFF:
            parts["cutoff"] = impact_cells.plain_number(keys["cutoff"])
    return parts | ({"stage": str(keys["stage"])} if keys["stage"] else {})


def _suffix(keys: Mapping[str, Any]) -> Sequence[str]:
    parts = _slice(keys)
    if CUTOFF in parts:
        parts["approach"] = f"{CUTOFF}_{parts.pop(CUTOFF)}"
    return [_plain(value) for value in parts.values()]


def _name(measure: str, cells: GroupCells, group: Sequence[str], keys: Mapping[str, Any]) -> str:
    return "_".join([measure, _plain(cells.name), *(_plain(part) for part in group), *_suffix(keys)])


def _plain(text: str) -> str:
    return "_".join(text.replace(CROSSED, "_").split())


@dataclass(frozen=True, kw_only=True)
class ImpactChoices:
    """How the counts are compared."""

    references: References = field(default_factory=References)
    intersectional: bool = False
    min_share: float = 0.0
    rule: stats.FourFifthsRule = "against_highest"
    missing_bounds: bool = False
    confidence: float = 0.95
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Impact:
    """The rows of impact.csv and pooled.csv, or of availability.csv; the findings, and the report's small tables."""

    rows: pl.DataFrame
    pooled: pl.DataFrame
    findings: list[Finding]
    small_tables: SmallTables
    availability: pl.DataFrame | None = None

    @classmethod
    def of_availability(cls, result: AvailabilityResult) -> "Impact":
        """Return an analysis without a selection: people against stated shares."""
        return cls(
            rows=pl.DataFrame(schema=IMPACT),
            pooled=pl.DataFrame(schema=POOLED),
            findings=uniquely_named(result.findings),
            small_tables=SmallTables(),
            availability=result.rows,
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
    counts per cut-off of all applicants. With `clustering` intervals and p-values are cluster-robust.

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
        ratios = group_rows(
            cells,
            choices.references,
            rule=choices.rule,
            min_share=choices.min_share,
            confidence=choices.confidence,
        )
        common = pooled_rows(cells, choices.references, min_share=choices.min_share, confidence=choices.confidence)
        rows.append(ratios)
        pooled.append(common)
        curves += impact_tables.z_curves(ratios)
        if by_position:
            chance |= _chance(cells, choices)
        findings += group_findings(cells, confidence=choices.confidence)
        findings += ratio_findings(
            ratios,
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
    by_attribute = impact_tables.positions(table, chance)
    findings += impact_tables.position_findings(by_attribute)
    swept = (
        ()
        if sweep is None
        else impact_tables.sweep_rows(sweep, attributes, choices.references, min_share=choices.min_share)
    )
    return Impact(
        rows=table,
        pooled=pl.concat([pl.DataFrame(schema=POOLED), *pooled]),
        findings=uniquely_named(findings),
        small_tables=SmallTables(
            agreement=impact_tables.agreement(table),
            positions=by_attribute,
            sweep=swept,
            z_curves=tuple(curves),
        ),
    )


def _chance(cells: GroupCells, choices: ImpactChoices) -> dict[tuple[Any, ...], float]:
    """Return the share of positions that are below four fifths by chance, where the reference is the highest rate."""
    if cells.mean is not None or not choices.references.by_highest(cells):
        return {}
    eligible = impact_cells.eligible_groups(cells, min_share=choices.min_share)
    flags = impact_tables.chance_of_flags(cells, choices.references, eligible, seed=choices.seed)
    return {(*key, cells.name): share for key, share in flags.items()}


def uniquely_named(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings with names that occur once: groups like 'a b' and 'a_b' are numbered."""
    counts: dict[str, int] = {}
    renamed = []
    for finding in findings:
        number = counts[finding.name] = counts.get(finding.name, 0) + 1
        renamed.append(finding if number == 1 else replace(finding, name=f"{finding.name}_{number}"))
    return renamed


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
        sets += [crossing for size in range(2, len(attributes) + 1) for crossing in combinations(attributes, size)]
    of_means = {"approach": pl.lit(MEANS), "cutoff": pl.lit(None, pl.Float64)}
    clusters = clustering.names if clustering is not None else ()
    for names in sets:
        if counts.height:
            apart = None if clustering is None else clustering.counts
            yield impact_cells.cells_of(counts, names, by_position=by_position, clustered=apart, clusters=clusters)
        if scores is not None:
            means = scores.with_columns(**of_means)
            apart = None
            if clustering is not None and clustering.scores is not None:
                apart = clustering.scores.with_columns(**of_means)
            yield impact_cells.cells_of(means, names, by_position=by_position, clustered=apart, clusters=clusters)


def _sorted(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows by approach, cut-off, stage, all applicants first; attributes keep their order."""
    order = pl.col("approach").cast(pl.Enum(APPROACHES))
    return rows.sort(order, "cutoff", "stage", "position", maintain_order=True)
