"""Groups compared within strata: blocks, positions (Mantel-Haenszel) and people with the same qualifications."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons.claims import few_clusters, uncorrected
from evenhand.comparisons.impact_cells import SUPPRESSED, GroupCells, References, reference_groups
from evenhand.comparisons.units import Floats
from evenhand.data.applicant_query import ClusterCounts
from evenhand.errors import InputError, option_text
from evenhand.results.finding import AdjustedFor, AdjustedOdds, Finding, Test, copied
from evenhand.results.measures import ADJUSTED_ODDS_RATIO, BLOCK_DIFFERENCE
from evenhand.results.schemas import MEANS, POOLED, PROTECTED

CLUSTERED_T = "Cluster-robust t"
GIVEN = "given."
#: A text column with more values than this identifies people rather than their qualifications.
MOST_LEVELS = 100
METHOD = "logistic regression, Wald interval"


def block_findings(
    clustered: ClusterCounts, cells: GroupCells, references: References, *, confidence: float = 0.95
) -> Iterator[Finding]:
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
    reference = reference_groups(cells, references)
    for cell in np.flatnonzero(cells.whole):
        keys, against = cells.keys.row(int(cell), named=True), int(reference[cell])
        if against < 0:
            continue
        same = [pl.col(name).eq_missing(pl.lit(keys[name], counts[name].dtype)) for name in ("approach", "cutoff")]
        known = pl.col(PROTECTED + cells.name).is_not_null()
        entries = (
            counts.filter(*same, pl.col("stage") == keys["stage"], known)
            .group_by(PROTECTED + cells.name, *codes)
            .agg(pl.col("n", "value").sum())
        )
        for group in range(len(cells.groups)):
            if group != against and cells.n[cell, group] and cells.judged[group]:
                result, clusters = _block_comparison(
                    entries,
                    cells,
                    (group, against),
                    codes,
                    names=clustered.names,
                    binary=not scores,
                    confidence=confidence,
                )
                yield _finding(cells, keys, (group, against), result, clusters, clustered=clustered)


def _block_comparison(
    entries: pl.DataFrame,
    cells: GroupCells,
    pair: tuple[int, int],
    codes: Sequence[str],
    *,
    names: Sequence[str],
    binary: bool,
    confidence: float,
) -> "tuple[stats.WithinBlocks, dict[str, int]]":
    """Return the comparison within blocks (of two ways the one with the larger p) and the clusters of each name."""
    attribute = PROTECTED + cells.attributes[0]
    first, second = (cells.groups[group][0] for group in pair)
    both = entries.filter(pl.col(attribute).is_in([first, second]))
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


def pooled_rows(cells: GroupCells, references: References, *, confidence: float = 0.95) -> pl.DataFrame:
    """Return one row per approach, cut-off, stage and group, over the positions as strata.

    The reference is that of all applicants together. `simpson` is true where these and the
    strata point in different directions: a group behind in the pooled rates is ahead within
    positions. n and rates are those of the positions that say something of the ratio. Scores have no such table.
    """
    if cells.mean is not None or cells.whole.all() or len(cells.groups) < 2:
        return pl.DataFrame(schema=POOLED)
    reference = reference_groups(cells, references)
    rows = []
    for whole in np.flatnonzero(cells.whole):
        strata = np.flatnonzero((cells.whole_of == whole) & ~cells.whole)
        against = int(reference[whole])
        if against < 0 or not strata.size:
            continue
        rows += [
            _row(cells, int(whole), strata, group, against, confidence=confidence)
            for group in range(len(cells.groups))
            if group != against and cells.judged[group]
        ]
    return pl.DataFrame(rows, schema=POOLED, orient="row")


def _row(
    cells: GroupCells, whole: int, strata: np.ndarray, group: int, against: int, *, confidence: float
) -> dict[str, object]:
    a, n, c, m = (matrix[strata, column] for column in (group, against) for matrix in (cells.selected, cells.n))
    says = (n > 0) & (m > 0) & (a + c > 0) & (a + c < n + m)
    focal, reference = (float(cells.rates[whole, column]) for column in (group, against))
    keys = cells.keys.row(whole, named=True)
    tested = (
        _independent_strata(a, n, c, m, confidence=confidence)
        if cells.clusters is None
        else _clustered_strata(cells, strata, group, against, confidence=confidence)
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


def _independent_strata(*counts: np.ndarray, confidence: float) -> dict[str, object]:
    """Return the columns of pooled.csv that estimate and test, of independent people."""
    common, homogeneity = stats.mantel_haenszel(*counts, confidence=confidence), stats.breslow_day(*counts)
    a, n, c, m = counts
    # A stratum's excess over what its margins give, (a m - c n)/(n + m), has the sign of the test.
    excess = np.divide(a * m - c * n, n + m, out=np.zeros(a.shape), where=n + m > 0).sum()
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
        "p_gs": _opposite(*counts),
        "test": "Mantel-Haenszel",
        "statistic": None if common.chi2 is None else float(np.sign(excess) * np.sqrt(common.chi2)),
        "reason": common.reason or common.estimate_reason or homogeneity.reason,
    }


def _opposite(a: Floats, n: Floats, c: Floats, m: Floats) -> float | None:
    """Return the p of the test that the difference of rates has one direction in all strata (Gail and Simon)."""
    both = (n > 0) & (m > 0)
    first, second, n, m = a[both] / n[both], c[both] / m[both], n[both], m[both]
    error = np.sqrt(first * (1 - first) / n + second * (1 - second) / m)
    return stats.gail_simon(first - second, error).p


def _clustered_strata(
    cells: GroupCells, strata: np.ndarray, group: int, against: int, *, confidence: float
) -> dict[str, object]:
    """Return the columns of pooled.csv that estimate and test, of people in clusters."""
    assert cells.clusters is not None
    common = cells.clusters.common_odds_ratio(strata, group, against, confidence=confidence)
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
        "reason": common.reason or common.interval_reason,
    }


def qualification_findings(
    given: pl.DataFrame,
    cells: GroupCells,
    references: References,
    *,
    clusters: Sequence[str] = (),
    confidence: float = 0.95,
) -> Iterator[Finding]:
    """Yield, per group, the odds ratio among people with the same qualifications.

    `given` has `protected.<name>`, `given.<name>` (numbers or text; null where not known), n and
    successes, and of `clusters` a column of codes each. Selection is regressed on the groups of `cells` and all given
    columns: numbers linearly in the log odds, texts as factors. Rows with an unknown group or
    qualification are left out and counted in the details. The reference is that of all applicants.

    Raises
    ------
    InputError
        A text column has more values than a regression can take.

    """
    qualifications = [name for name in given.columns if name.startswith(GIVEN)]
    for name in qualifications:
        levels = given[name].n_unique() if given[name].dtype == pl.String else 0
        if levels > MOST_LEVELS:
            message = (
                f"{option_text('given', name.removeprefix(GIVEN))} has {levels} values, more than "
                f"{MOST_LEVELS}; group them first."
            )
            raise InputError(message)
    column = PROTECTED + cells.name
    reference = int(reference_groups(cells, references)[np.flatnonzero(cells.whole)[0]])
    judged = [label for label, judged in zip(cells.labels, cells.judged, strict=True) if judged]
    used = given.drop_nulls([column, *qualifications]).filter(pl.col(column).is_in(judged))
    present = used[column].unique().to_list()
    if reference < 0 or len(present) < 2 or cells.labels[reference] not in present:
        yield _nothing(cells.name, qualifications, used)
        return
    order = [cells.labels[reference], *sorted(label for label in present if label != cells.labels[reference])]
    left_out = int(given["n"].sum()) - int(used["n"].sum())
    yield from _odds_ratios(
        used, cells.name, order, qualifications, clusters=clusters, left_out=left_out, confidence=confidence
    )


def _nothing(attribute: str, qualifications: Sequence[str], used: pl.DataFrame) -> Finding:
    """Return the finding that says why groups are not compared given qualifications."""
    names = ", ".join(name.removeprefix(GIVEN) for name in qualifications)
    people = int(used["n"].sum())
    return Finding(
        name=f"{ADJUSTED_ODDS_RATIO}_{attribute}",
        measure=ADJUSTED_ODDS_RATIO,
        role="exploratory",
        estimate=None,
        measured_in="ratio",
        n=people,
        clusters={"person": people},
        method=METHOD,
        reason=f"{people:,} people of known {attribute} have all of {names}, in fewer than two groups.",
        details=AdjustedFor(given=tuple(name.removeprefix(GIVEN) for name in qualifications)),
    )


def _odds_ratios(
    used: pl.DataFrame,
    attribute: str,
    groups: Sequence[str],
    qualifications: Sequence[str],
    *,
    clusters: Sequence[str],
    left_out: int,
    confidence: float,
) -> Iterator[Finding]:
    """Yield the odds ratio of each of `groups` against the first."""
    columns = [np.ones(used.height)]
    names = ["intercept"]
    for name in qualifications:
        for values in _columns(used[name]):
            columns.append(values)
            names.append(name)
    for label in groups[1:]:
        columns.append((used[PROTECTED + attribute] == label).to_numpy().astype(np.float64))
        names.append(attribute)
    # Qualifications first: where a group and a qualification can't be separated, the group has no estimate.
    counts = np.column_stack(columns), used["successes"], used["n"]
    fit = stats.logistic_counts(*counts, names=names, confidence=confidence)
    fits: list[stats.ClusteredLogisticCounts] = []
    if clusters:
        is_reference = (used[PROTECTED + attribute] == groups[0]).to_numpy()
        fits = [
            stats.clustered_logistic_counts(
                *counts, used[f"cluster_{place}"].to_numpy(), names=names, reference=is_reference, confidence=confidence
            )
            for place in range(len(clusters))
        ]
    term = next((term for term in fit.terms if term.name == attribute), None)
    sums = dict(
        used.group_by(PROTECTED + attribute).agg(pl.struct(pl.col("successes").sum(), pl.col("n").sum())).iter_rows()
    )
    (c, m), first = sums[groups[0]].values(), len(names) - len(groups) + 1
    for number, label in enumerate(groups[1:], start=first):
        a, n = sums[label].values()
        one_sided = next((text for text in (_one_sided(label, a, n), _one_sided(groups[0], c, m)) if text), None)
        known = np.isfinite(fit.estimate[number])
        # Of two ways of clusters the one with the larger p.
        robust = max(fits, key=lambda way: np.nan_to_num(way.p[number], nan=2.0), default=None)
        test, limits, df = _tested(fit, robust, number)
        tests, reason, few = [test], str(fit.reason or (fit.test[number] and one_sided) or fit.reasons[number]), None
        if robust is not None:
            of_groups = {label: robust.clusters_focal[number], groups[0]: robust.clusters_reference[number]}
            few = few_clusters(" × ".join(clusters), of_groups, df)
        else:
            tests.append(
                Test(
                    name=f"likelihood ratio, all groups of {attribute}",
                    statistic=None if term is None else term.likelihood_ratio,
                    p=None if term is None else term.p_likelihood_ratio,
                )
            )
        yield Finding(
            name=f"{ADJUSTED_ODDS_RATIO}_{attribute}_{'_'.join(label.split())}",
            measure=ADJUSTED_ODDS_RATIO,
            focal={attribute: label},
            reference={attribute: groups[0]},
            role="planned",
            estimate=float(np.exp(fit.estimate[number])) if known else None,
            **limits,
            confidence=confidence,
            measured_in="ratio",
            null_value=1.0,
            n=fit.n,
            clusters={"person": fit.n}
            if robust is None
            else {name: way.clusters for name, way in zip(clusters, fits, strict=True)},
            method=METHOD if robust is None else f"logistic regression, cluster-robust by {' × '.join(clusters)}, CR2",
            tests=tuple(tests),
            claim=uncorrected(
                test,
                planned=True,
                df=df,
                n=(int(n), int(m)),
                reason=test.reason or reason,
                caution=few,
            ),
            reason=None if known else reason,
            details=AdjustedOdds(
                given=tuple(name.removeprefix(GIVEN) for name in qualifications),
                odds_ratio_crude=stats.odds_ratio(a, n, c, m).estimate,
                n_left_out=left_out,
                rate_focal=a / n if n else None,
                rate_reference=c / m if m else None,
            ),
        )


def _one_sided(group: str, selected: int, n: int) -> str | None:
    """Return why a group of which nobody or everybody was selected has no finite odds ratio; None of other groups."""
    if 0 < selected < n:
        return None
    return f"{'Nobody' if selected == 0 else 'Everybody'} of {group} was selected, so the odds ratio is not finite."


def _tested(
    fit: "stats.LogisticCounts", robust: "stats.ClusteredLogisticCounts | None", number: int
) -> tuple[Test, dict[str, Any], float | None]:
    """Return the test, the limits and the degrees of freedom of one odds ratio, by clusters where there are any."""
    way = fit if robust is None else robust
    name, reason, tested = fit.test[number], fit.reason or fit.reasons[number], (fit.z[number], np.nan)
    if robust is not None:
        name, reason = robust.test[number] or CLUSTERED_T, robust.reasons[number]
        tested = (robust.t[number], robust.df[number])
    low, high, p, statistic, df = (
        float(value) if np.isfinite(value) else None
        for value in (np.exp(way.low[number]), np.exp(way.high[number]), way.p[number], *tested)
    )
    test = Test(name=str(name) or "Wald", statistic=statistic, p=p, reason=None if p is not None else str(reason))
    return test, {"low": low, "high": high}, df


def _columns(values: pl.Series) -> list[Floats]:
    """Return a number as one centred column, a text as one column per value but the most frequent."""
    if values.dtype != pl.String:
        numbers = values.cast(pl.Float64).to_numpy()
        spread = float(numbers.std()) if numbers.size else 0.0
        return [(numbers - numbers.mean()) / spread] if spread else []
    counted = values.value_counts(sort=True, name="rows").sort("rows", values.name, descending=[True, False])
    return [(values == level).to_numpy().astype(np.float64) for level in counted[values.name][1:]]
