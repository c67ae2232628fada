"""Findings of an applicant table: what findings.json holds besides the rows of impact.csv."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.impact.adjusted import CLUSTER_ROBUST
from evenhand.findings.impact.cells import Flags, GroupCells, plain_number
from evenhand.findings.impact.clustered import Clusters
from evenhand.findings.impact.floor import Floor, floors_of
from evenhand.findings.impact.references import References, compared_with, eligible_groups, reference_groups
from evenhand.stats import four_fifths_false_positives, impact_ratio, impact_ratio_bounds, selection_rate, which_to_read
from evenhand.tables.details import Bounds, ImpactRatio, MeanRatio, PooledOdds, Selected
from evenhand.tables.finding import Alternative, Finding, Test
from evenhand.tables.grouped.names import COMMON_ODDS_RATIO, IMPACT_RATIO, MEAN_RATIO, MISSING_BOUNDS, SELECTION_RATE
from evenhand.tables.impact_files import CROSSED, WHOLE
from evenhand.tables.messages.quoting import shortened

__all__ = ["bound_findings", "group_findings", "pooled_findings", "ratio_findings", "single_group_finding"]

LEVEL = 0.05
CUTOFF = "cutoff"
#: What the details of a ratio take over from the row of impact.csv.
OF_BOTH = ("approach", "cutoff", "n_focal", "n_reference")
OF_MEANS = (*OF_BOTH, "mean_focal", "mean_reference", "standardised_difference", "d_low", "d_high")
OF_RATES = (
    *OF_BOTH,
    *("selected_focal", "selected_reference", "rate_focal", "rate_reference", "four_fifths", "shortfall"),
    *("odds_ratio", "cohens_h", "detectable_ratio", "read_with", "flip_flop_ratio", "flip_flop_reverses"),
)


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
        found = selection_rate(cells.selected[cell], cells.n[cell], confidence=confidence)
        for group, label in enumerate(cells.groups):
            if cells.n[cell, group]:
                limits = float(found.low[group]), float(found.high[group])
                shared = None
                if cells.clusters is not None:
                    shared = cells.clusters.rate(int(cell), group, confidence=confidence)
                yield Finding(
                    name=_name(SELECTION_RATE, cells, label, keys),
                    measure=SELECTION_RATE,
                    slice=_slice(keys),
                    focal=dict(zip(cells.attributes, label, strict=True)),
                    role="descriptive",
                    estimate=float(found.estimate[group]),
                    low=limits[0] if shared is None else shared.low,
                    high=limits[1] if shared is None else shared.high,
                    confidence=confidence,
                    n=int(cells.n[cell, group]),
                    clusters={"person": int(cells.n[cell, group])} if shared is None else shared.clusters,
                    method=found.method if shared is None else shared.method,
                    alternatives=() if shared is None else (_independent(found.method, limits),),
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
    """Yield one finding per row on all applicants; rows of positions stand in impact.csv.

    `over_flagging_rate` in the details is the false-positive rate of the four-fifths rule over the judged groups;
    `reference_floor` says which groups with a higher rate are too small to be the reference, if any.
    """
    eligible = eligible_groups(cells, min_share=min_share)
    floors = {floor.key: floor for floor in floors_of(cells, references, eligible)}
    may_be = compared_with(cells, references, eligible)
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
    found = four_fifths_false_positives(n, selected, references=may_be[cell][eligible], seed=seed)
    return None if found.estimate is None else float(found.estimate)


def _ratio(
    row: Mapping[str, Any],
    cells: GroupCells,
    cell: int,
    chance: float | None,
    floor: Floor | None,
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
        details = MeanRatio(**{name: row[name] for name in OF_MEANS}, reference_floor=changed)
    else:
        counts = row["selected_focal"], row["n_focal"], row["selected_reference"] or 0, row["n_reference"] or 0
        ratio, read = impact_ratio(*counts, confidence=confidence), which_to_read(*counts)
        katz = Alternative(method="Katz log", low=ratio.katz_low, high=ratio.katz_high, reason=ratio.katz_reason)
        alternatives = (katz,)
        tests = _tests_of_rates(row)
        method = ratio.method
        details = ImpactRatio(
            **{name: row[name] for name in OF_RATES},
            reference_floor=changed,
            read_reason=read.reason,
            over_flagging_rate=chance,
        )
    found = Finding(
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
    return found if cells.clusters is None else _by_clusters(found, row, cells, cells.clusters, cell)


def _tests_of_rates(row: Mapping[str, Any]) -> tuple[Test, ...]:
    return (
        Test(name="Z, two standard deviations", statistic=row["z"], p=row["p_z"]),
        Test(name="Fisher exact", statistic=None, p=row["p_fisher"]),
        Test(name="Fisher exact, mid-p", statistic=None, p=row["p_fisher_mid"]),
    )


def _by_clusters(found: Finding, row: Mapping[str, Any], cells: GroupCells, clusters: Clusters, cell: int) -> Finding:
    """Return a ratio with the interval and the test of its clusters before those of independent people."""
    pair = [cells.labels.index(row[side] or row["focal"]) for side in ("focal", "reference")]
    shared = clusters.compared([cell], *([group] for group in pair))[0]
    test = Test(
        name=CLUSTER_ROBUST,
        statistic=shared.t if shared.p is not None else shared.difference_t,
        p=row["p_clustered"],
        reason=shared.reason,
    )
    return replace(
        found,
        low=row["low_clustered"],
        high=row["high_clustered"],
        clusters=dict(zip(clusters.names, shared.clusters, strict=False)),
        method=f"cluster-robust {clusters.ways}, log ratio, t",
        alternatives=(_independent(found.method, (found.low, found.high)), *found.alternatives),
        tests=(test, *found.tests),
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
    """Yield what the ratio could be if those whose group is not known were of the groups that matter most."""
    if cells.mean is not None or len(cells.groups) < 2:
        return
    reference = reference_groups(cells, references, eligible_groups(cells, min_share=min_share))
    for cell in np.flatnonzero(cells.whole):
        keys, against = cells.keys.row(int(cell), named=True), int(reference[cell])
        n_unknown, chosen = (int(value) for value in cells.unknown[cell])
        for group, label in enumerate(cells.groups):
            if against < 0 or group == against:
                continue
            counts = [int(matrix[cell, column]) for column in (group, against) for matrix in (cells.selected, cells.n)]
            ratio, found = (
                impact_ratio(*counts),
                impact_ratio_bounds(counts[0], counts[1], counts[2], counts[3], chosen, n_unknown),
            )
            yield Finding(
                name=_name(MISSING_BOUNDS, cells, label, keys),
                measure=MISSING_BOUNDS,
                slice=_slice(keys),
                focal=dict(zip(cells.attributes, label, strict=True)),
                reference=dict(zip(cells.attributes, cells.groups[against], strict=True)),
                role="descriptive",
                estimate=ratio.estimate,
                low=found.low,
                high=found.high,
                measured_in="ratio",
                null_value=1.0,
                n=counts[1] + counts[3] + n_unknown,
                clusters={"person": counts[1] + counts[3] + n_unknown},
                method="worst and best assignment of unknown groups; no sampling error",
                reason=ratio.reason or found.reason or found.high_reason,
                details=Bounds(n_unknown=n_unknown, selected_unknown=chosen),
            )


def _slice(keys: Mapping[str, Any]) -> dict[str, str]:
    """Return approach, cut-off and stage where there is more than the plain decision."""
    parts = {}
    if keys["approach"] != "selected":
        parts["approach"] = str(keys["approach"])
        if keys["approach"] == CUTOFF:
            parts["cutoff"] = plain_number(keys["cutoff"])
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
