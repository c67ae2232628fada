"""Groups compared within strata: blocks, and positions (Mantel-Haenszel)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons.claims import few_clusters, uncorrected
from evenhand.comparisons.impact_cells import SUPPRESSED, GroupCells, ImpactChoices, of_definition, reference_groups
from evenhand.comparisons.units import Floats
from evenhand.data.applicant_query import ClusterCounts
from evenhand.results.finding import Finding, Test, copied
from evenhand.results.measures import BLOCK_DIFFERENCE
from evenhand.results.schemas import MEANS, POOLED, PROTECTED
from evenhand.stats.rates import informative_strata

CLUSTERED_T = "Cluster-robust t"
DEPENDENT = "Standard deviations and the exact test over pools take people as independent; here they are in clusters."


def block_findings(clustered: ClusterCounts, cells: GroupCells, choices: ImpactChoices) -> Iterator[Finding]:
    """Yield the difference of each group within blocks, among all applicants of a definition and a stage.

    `clustered` are the counts behind `cells` by cluster and block: `cluster_0`, `cluster_1` and so on have the codes of
    its names, then those of its blocks.
    """
    scores = cells.mean is not None
    counts = clustered.scores if scores else clustered.counts
    if counts is None or len(cells.attributes) > 1:
        return
    if scores:
        counts = counts.with_columns(approach=pl.lit(MEANS), cutoff=pl.lit(None, pl.Float64))
    counts = counts.with_columns(value=pl.col("n") * pl.col("mean") if scores else pl.col("successes"))
    codes = [f"cluster_{place}" for place in range(len(clustered.names) + len(clustered.blocks))]
    reference = reference_groups(cells, choices.references)
    for cell in np.flatnonzero(cells.whole):
        keys, against = cells.keys.row(int(cell), named=True), int(reference[cell])
        if against < 0:
            continue
        entries = (
            counts.filter(of_definition(keys), pl.col(PROTECTED + cells.name).is_not_null())
            .group_by(PROTECTED + cells.name, *codes)
            .agg(pl.col("n", "value").sum())
        )
        for group in range(len(cells.groups)):
            if group != against and cells.n[cell, group] and cells.judged[group]:
                result, clusters = _block_comparison(
                    entries, cells, (group, against), codes, names=clustered.names, confidence=choices.confidence
                )
                yield _finding(cells, keys, (group, against), result, clusters, clustered=clustered)


def _block_comparison(
    entries: pl.DataFrame,
    cells: GroupCells,
    pair: tuple[int, int],
    codes: Sequence[str],
    *,
    names: Sequence[str],
    confidence: float,
) -> "tuple[stats.WithinBlocks, dict[str, int]]":
    """Return the comparison within blocks (of two ways the one with the larger p) and the clusters of each name."""
    attribute = PROTECTED + cells.attributes[0]
    first, second = (cells.groups[group][0] for group in pair)
    both = entries.filter(pl.col(attribute).is_in([first, second]))
    binary = cells.mean is None
    block = both.select(pl.struct(codes[len(names) :]).rank("dense")).to_series().to_numpy().astype(np.int64)
    results = [
        stats.within_blocks(
            block, cluster, both[attribute] == first, both["value"], both["n"], binary=binary, confidence=confidence
        )
        for cluster in [both[name].to_numpy() for name in codes[: len(names)]] or [block]
    ]
    found = {name: result.clusters for name, result in zip(names, results, strict=False)}
    return max(results, key=lambda result: 2.0 if result.p is None else result.p), found


def _finding(
    cells: GroupCells,
    keys: dict[str, Any],
    pair: tuple[int, int],
    result: "stats.WithinBlocks",
    clusters: Mapping[str, int],
    *,
    clustered: ClusterCounts,
) -> Finding:
    focal, reference = (cells.labels[group] for group in pair)
    blocks = " × ".join(clustered.blocks)
    names = " × ".join(clustered.names or (blocks,))
    reason = result.reason
    if reason == stats.ONE_CLUSTER and not clustered.names:  # the blocks are the clusters
        reason = f"One {blocks} only has both groups, so that nothing shows how much the difference varies."
    test = Test(name=result.test or CLUSTERED_T, statistic=result.t, p=result.p, reason=reason)
    few = few_clusters(names, {focal: result.clusters_focal, reference: result.clusters_reference}, result.df)
    return Finding(
        **cells.of_group(focal, BLOCK_DIFFERENCE, keys),
        reference=cells.named(reference),
        role="planned",
        measured_in="points" if cells.mean is not None else "share",
        null_value=0.0,
        clusters={blocks: result.blocks} | dict(clusters),
        method=f"{result.method} by {names}, CR2",
        tests=(test,),
        claim=uncorrected(test, planned=True, df=result.df, reason=reason, caution=few),
        reason=reason,
        **copied(result, "estimate low high confidence n"),
    )


def pooled_rows(cells: GroupCells, choices: ImpactChoices) -> pl.DataFrame:
    """Return one row per approach, cut-off, stage and group, over the positions as strata.

    The reference is that of all applicants together. `simpson` is true where these and the
    strata point in different directions: a group behind in the pooled rates is ahead within
    positions. n and rates are those of the positions that say something of the ratio. Scores have no such table.
    """
    if cells.mean is not None or cells.whole.all() or len(cells.groups) < 2:
        return pl.DataFrame(schema=POOLED)
    reference = reference_groups(cells, choices.references)
    rows = []
    for whole in np.flatnonzero(cells.whole):
        strata = np.flatnonzero((cells.whole_of == whole) & ~cells.whole)
        against = int(reference[whole])
        if against < 0 or not strata.size:
            continue
        rows += [
            _row(cells, int(whole), strata, (group, against), choices)
            for group in range(len(cells.groups))
            if group != against and cells.judged[group]
        ]
    return pl.DataFrame(rows, schema=POOLED, orient="row")


def _row(
    cells: GroupCells, whole: int, strata: np.ndarray, pair: tuple[int, int], choices: ImpactChoices
) -> dict[str, object]:
    group, against = pair
    matrices = (cells.selected, cells.n) if cells.weights is None else (cells.weights.selected, cells.weights.people)
    a, n, c, m = (matrix[strata, column] for column in pair for matrix in matrices)
    says = informative_strata(a, n, c, m)
    focal, reference = (float(cells.rates[whole, column]) for column in pair)
    keys = cells.keys.row(whole, named=True)
    tested = (
        _independent_strata((a, n, c, m), choices)
        if cells.clusters is None
        else _clustered_strata(cells, strata, pair, choices)
    )
    if suppressed := bool(np.any(cells.bounded(strata, group, against))):
        tested = dict.fromkeys(tested) | {"test": tested["test"], "reason": SUPPRESSED}
    estimate: Any = tested["or_mh"]
    directions = 0.0 if estimate is None else np.sign(focal - reference) * np.sign(estimate - 1)
    return {
        **{name: keys[name] for name in ("approach", "cutoff", "stage")},
        "attribute": cells.name,
        "focal": cells.labels[group],
        "reference": cells.labels[against],
        "simpson": None if estimate is None else bool(directions < 0),
        "rate_focal": float(a[says].sum() / n[says].sum()) if says.any() and not suppressed else None,
        "rate_reference": float(c[says].sum() / m[says].sum()) if says.any() and not suppressed else None,
        "n": int((n + m)[says].sum()),
        "n_focal": int(n[says].sum()),
        "n_reference": int(m[says].sum()),
        "strata": int(says.sum()),
        **tested,
    }


def _independent_strata(counts: Sequence[np.ndarray], choices: ImpactChoices) -> dict[str, object]:
    """Return the columns of pooled.csv that estimate and test, of independent people."""
    margin, confidence = choices.margin, choices.confidence
    common, homogeneity = stats.mantel_haenszel(*counts, confidence=confidence), stats.breslow_day(*counts)
    opposite, pools = _opposite(*counts), stats.multiple_pools(*counts)
    return {
        "or_mh": common.estimate,
        "or_low": common.low,
        "or_high": common.high,
        "chi2_mh": common.chi2,
        "p_mh": common.p,
        "chi2_mh_cc": common.chi2_corrected,
        "p_mh_cc": common.p_corrected,
        "chi2_bd": homogeneity.chi2,
        "p_bd": homogeneity.p,
        "chi2_bd_tarone": homogeneity.chi2_tarone,
        "p_bd_tarone": homogeneity.p_tarone,
        "p_gs": opposite.p,
        "q_plus": opposite.above,
        "q_minus": opposite.below,
        **copied(pools, "observed expected shortfall z pools"),
        "p_exact": pools.p,
        "p_exact_lower": pools.p_lower,
        "pools_reason": pools.reason,
        **(
            {}
            if margin is None
            else _common_ratio(stats.common_ratio_above(*counts, margin=margin, confidence=confidence))
        ),
        "test": "Mantel-Haenszel",
        "statistic": pools.z,
        "reason": common.reason or common.estimate_reason or homogeneity.reason,
    }


def _opposite(a: Floats, n: Floats, c: Floats, m: Floats) -> "stats.GailSimon":
    """Return the test that the log odds ratio has one direction in all strata (Gail and Simon).

    Strata with an empty cell have half a person more in each of the four (Haldane and Anscombe).
    """
    says = informative_strata(a, n, c, m)
    cells = np.stack([each[says].astype(np.float64) for each in (a, n - a, c, m - c)])
    cells = cells + 0.5 * (cells == 0).any(axis=0)
    signs = np.array([1.0, -1.0, -1.0, 1.0])
    return stats.gail_simon(signs @ np.log(cells), np.sqrt((1 / cells).sum(axis=0)))


def _common_ratio(common: "stats.CommonRatioAbove") -> dict[str, object]:
    """Return the columns of the ratio of rates within positions."""
    limits = {"common_low": common.low, "common_high": common.high}
    return {"common_ratio": common.estimate, **limits, "p_above_margin": common.p, "margin_test": common.test}


def _clustered_strata(
    cells: GroupCells, strata: np.ndarray, pair: tuple[int, int], choices: ImpactChoices
) -> dict[str, object]:
    """Return the columns of pooled.csv that estimate and test, of people in clusters."""
    assert cells.clusters is not None
    group, against = pair
    common = cells.clusters.common_odds_ratio(strata, *pair, confidence=choices.confidence)
    few = {cells.labels[group]: common.clusters_focal, cells.labels[against]: common.clusters_reference}
    return {
        "or_mh": common.estimate,
        "or_low": common.low,
        "or_high": common.high,
        "p_mh": common.p,
        "test": common.test or CLUSTERED_T,
        "statistic": common.t,
        "df": common.df,
        "caution": few_clusters(cells.clusters.label, few, common.df),
        "pools_reason": DEPENDENT,
        **(
            {}
            if choices.margin is None
            else _common_ratio(cells.clusters.common_ratio_above(strata, *pair, margin=choices.margin))
        ),
        "reason": common.reason or common.interval_reason,
    }
