"""Ratios over time: each period against one reference, whether the ratio changed, its trend, and pools by period."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons import impact_cells
from evenhand.comparisons.claims import HOLM, uncorrected
from evenhand.comparisons.impact import group_rows, ratio_finding
from evenhand.comparisons.impact_cells import GroupCells, ImpactChoices
from evenhand.comparisons.stratified import pooled_rows
from evenhand.data.applicant_query import ClusterCounts
from evenhand.results.finding import Finding, ImpactRatio, PeriodChange, Test
from evenhand.results.impact_groups import month_of
from evenhand.results.measures import PERIOD_RATIO, RATIO_HOMOGENEITY, RATIO_TREND
from evenhand.results.schemas import PERIODS, POOLS, PROTECTED, WHOLE


def times_of(labels: Sequence[str]) -> tuple[list[float], str]:
    """Return the place of each period in time, and the unit between them; of other labels their order.

    >>> times_of(["2023-Q4", "2024-Q2"]), times_of(["2023", "2025"]), times_of(["2023-24", "2024-25"])
    (([8095.0, 8097.0], 'quarter'), ([2023.0, 2025.0], 'year'), ([0.0, 1.0], 'period'))
    """
    known = [month_of(label) for label in labels]
    units = {found and found[1] for found in known}
    if len(units) != 1 or None in units:
        return [float(place) for place in range(len(labels))], "period"
    unit = str(units.pop())
    return [found[0] / {"year": 12, "quarter": 3, "month": 1}[unit] for found in known if found], unit


def period_findings(
    counts: pl.DataFrame, cells: GroupCells, choices: ImpactChoices, *, clustering: ClusterCounts | None = None
) -> Iterator[Finding]:
    """Yield the ratio of each group in each period, whether it is the same in all of them, and its trend.

    `counts` have a column `period`. The reference is that of all periods together, so that no ratio changes because its
    reference does. The ratios of the last period are planned comparisons, those before explore.
    """
    labels = sorted(counts["period"].unique())
    times, unit = times_of(labels)
    clusters = clustering.names if clustering is not None else ()
    as_positions = pl.col("period").alias("position")
    for keys, rows_of in _definitions(cells, choices):
        of_periods = impact_cells.cells_of(
            counts.filter(rows_of).with_columns(as_positions),
            cells.attributes,
            by_position=True,
            clustered=clustering.counts.filter(rows_of).with_columns(as_positions) if clusters and clustering else None,
            clusters=clusters,
            exclusion=choices.exclusion,
        )
        if keys["reference"] not in of_periods.labels:
            continue
        rows = group_rows(of_periods, _against(choices, cells, keys)).filter(pl.col("position") != WHOLE)
        at = {key["position"]: cell for cell, key in enumerate(of_periods.keys.iter_rows(named=True))}
        for row in rows.sort("position", maintain_order=True).iter_rows(named=True):
            if not row["n_focal"] and not row["n_reference"]:
                continue
            finding = ratio_finding(row, of_periods, at[row["position"]], choices)
            yield _of_period(finding, cells, row["position"], last=row["position"] == labels[-1])
        against = of_periods.labels.index(keys["reference"])
        for group in np.flatnonzero(of_periods.judged).tolist():
            if group != against:
                yield from _change(
                    of_periods, (group, against), keys, labels, at=(times, unit), confidence=choices.confidence
                )


def _definitions(cells: GroupCells, choices: ImpactChoices) -> Iterator[tuple[dict[str, Any], pl.Expr]]:
    """Yield each definition of a selection that has a reference, its reference as a label, and which rows are of it."""
    for whole, against in zip(
        np.flatnonzero(cells.whole), impact_cells.reference_groups(cells, choices.references)[cells.whole], strict=True
    ):
        if against >= 0:
            keys = cells.keys.row(int(whole), named=True)
            yield keys | {"reference": cells.labels[against]}, impact_cells.of_definition(keys)


def _against(choices: ImpactChoices, cells: GroupCells, keys: Mapping[str, Any]) -> ImpactChoices:
    """Return the choices with the reference of all periods."""
    return replace(choices, references=replace(choices.references, named={cells.name: keys["reference"]}))


def _of_period(finding: Finding, cells: GroupCells, period: str, *, last: bool) -> Finding:
    """Return the ratio of a period under its own measure and name; what is not the last one explores."""
    claim = finding.claim
    if claim is not None and not last:
        claim = replace(claim, planned=False, family=f"periods by {cells.name}", correction=HOLM)
    name = finding.name.replace(finding.measure, PERIOD_RATIO, 1)
    return replace(
        finding,
        name=f"{name}_{impact_cells.plain(period)}",
        measure=PERIOD_RATIO,
        slice={**finding.slice, "period": period},
        role="planned" if last else "exploratory",
        claim=claim,
    )


def _change(
    cells: GroupCells,
    pair: tuple[int, int],
    keys: Mapping[str, Any],
    labels: Sequence[str],
    *,
    at: tuple[Sequence[float], str],
    confidence: float,
) -> Iterator[Finding]:
    """Yield whether the ratio of a group is the same in all periods, and its trend."""
    group, against = pair
    places = [cells.keys["position"].to_list().index(label) for label in labels if label in set(cells.keys["position"])]
    times = np.array([at[0][labels.index(cells.keys["position"][place])] for place in places])
    a, n, c, m = (matrix[places, column] for column in pair for matrix in (cells.selected, cells.n))
    if cells.clusters is None:
        change = stats.ratio_change(a, n, c, m, times=times, confidence=confidence)
    else:
        clusters = cells.clusters
        entries = np.flatnonzero(np.isin(clusters.cell, places) & np.isin(clusters.group, pair))
        order = {place: number for number, place in enumerate(places)}
        change = stats.clustered_ratio_change(
            [order[cell] for cell in clusters.cell[entries].tolist()],
            clusters.group[entries] == group,
            clusters.total[entries],
            clusters.n[entries],
            [codes[entries] for codes in clusters.codes],
            times=times,
            confidence=confidence,
        )
    used = change.informative
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = ((a / n) / (c / m))[used]
    spread = float(ratios.max() / ratios.min()) if used.sum() > 1 and (ratios > 0).all() else None
    people = int((n + m)[used].sum())
    known: dict[str, Any] = {
        "reference": cells.named(cells.labels[against]),
        "role": "exploratory",
        "confidence": confidence,
        "measured_in": "ratio",
        "null_value": 1.0,
        "n": people,
        "clusters": {"period": int(used.sum())},
        "details": PeriodChange(
            periods=len(places), informative=int(used.sum()), unit=at[1], common_ratio=change.common
        ),
    }
    if cells.clusters is not None:
        known["clusters"] |= cells.clusters.counted(int(np.flatnonzero(cells.whole)[0]), pair)
    sizes, family = (int(n[used].sum()), int(m[used].sum())), f"change over periods by {cells.name}"
    for measure, estimate, low, high, test, df, method in (
        (
            RATIO_HOMOGENEITY,
            spread,
            None,
            None,
            Test(name=change.test, statistic=change.statistic, p=change.p, reason=change.reason),
            float(change.df) or None,
            "largest over smallest ratio of a period",
        ),
        (
            RATIO_TREND,
            change.factor,
            change.low,
            change.high,
            Test(
                name=change.trend_test, statistic=change.trend_statistic, p=change.trend_p, reason=change.trend_reason
            ),
            change.trend_df,
            f"factor of the ratio per {at[1]}, {change.trend_test}",
        ),
    ):
        yield Finding(
            **cells.of_group(cells.labels[group], measure, keys),
            estimate=estimate,
            low=low,
            high=high,
            method=method,
            tests=(test,),
            claim=uncorrected(test, planned=False, family=family, df=df, n=sizes, correction=HOLM, reason=test.reason),
            reason=test.reason or (None if estimate is not None else "A period has a ratio of 0, or none."),
            **known,
        )


def period_rows(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return the rows of periods.csv, with the claims of their findings."""
    rows = []
    for finding in findings:
        if finding.measure != PERIOD_RATIO:
            continue
        details, claim = ImpactRatio.of(finding), finding.claim
        distance = None if finding.estimate is None else finding.estimate - impact_cells.FOUR_FIFTHS
        (attribute,) = finding.focal
        rows.append(
            {
                "attribute": attribute,
                "period": finding.slice["period"],
                "focal": finding.focal[attribute],
                "reference": finding.reference.get(attribute),
                **{name: getattr(details, name) for name in PERIODS if hasattr(details, name)},
                "impact_ratio": finding.estimate,
                "ir_low": finding.low,
                "ir_high": finding.high,
                "distance": distance,
                "test": claim and claim.test,
                "p": claim and claim.p,
                "p_adjusted": claim and claim.p_adjusted,
                "verdict": claim and claim.verdict,
                "planned": claim is not None and claim.planned,
                "reason": finding.reason,
                "stage": finding.slice.get("stage", ""),
            }
        )
    return pl.DataFrame(rows, schema=PERIODS)


def pool_rows(counts: pl.DataFrame, cells: GroupCells, choices: ImpactChoices) -> pl.DataFrame:
    """Return the rows of pools.csv: expected and shortfall of each position and period, and of each period.

    A pool is a position in a period. A period as a whole (position '') and all of them together (period '', too) have
    the sums over their pools, in standard deviations, and the exact test over pools.
    """
    parts = [pl.DataFrame(schema=POOLS)]
    # Over all periods each position of each period is a stratum.
    apart = pl.concat_str("position", "period", separator="\x1f").alias("position")
    for keys, rows_of in _definitions(cells, choices):
        pooled = replace(_against(choices, cells, keys), margin=None)
        known = counts.filter(rows_of, pl.col(PROTECTED + cells.name).is_not_null())
        for label in ["", *sorted(known["period"].unique())]:
            of_label = known.filter(pl.col("period") == label) if label else known.with_columns(apart)
            pools = impact_cells.cells_of(of_label, cells.attributes, by_position=True, exclusion=choices.exclusion)
            if keys["reference"] not in pools.labels or len(pools.groups) < 2:
                continue
            together = pooled_rows(pools, pooled)
            parts.append(_pools(together.with_columns(position=pl.lit(WHOLE), p=pl.col("p_exact")), label))
            if label:
                each = (
                    group_rows(pools, pooled)
                    .filter(pl.col("position") != WHOLE)
                    .with_columns(observed=pl.col("selected_focal"))
                )
                parts.append(_pools(each.with_columns(p=pl.col("p_fisher"), pools=pl.lit(1)), label))
    return pl.concat(parts)


def _pools(rows: pl.DataFrame, period: str) -> pl.DataFrame:
    return rows.with_columns(period=pl.lit(period)).select(pl.col(name).cast(kind) for name, kind in POOLS.items())
