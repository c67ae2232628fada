"""Adverse impact of selections: the rows of impact.csv and pooled.csv, and the findings.

`measure_impact` takes counts of applicants, `group_rows` compares each group with its reference in every cell, and the
`..._findings` make findings of rows and cells.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from pkgutil import resolve_name
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons import impact_cells, impact_tables
from evenhand.comparisons.claims import (
    BENJAMINI_HOCHBERG,
    HOLM,
    few_clusters,
    few_to_permute,
    in_families,
    uncorrected,
    with_detectable,
    with_margin_claims,
)
from evenhand.comparisons.impact_cells import (
    BOUNDED,
    FOUR_FIFTHS,
    NOT_DETERMINED,
    SUPPRESSED,
    Flags,
    GroupCells,
    ImpactChoices,
    Pairs,
    References,
    attribute_sets,
)
from evenhand.data.applicant_query import ClusterCounts, CountBounds
from evenhand.errors import InputError, option_text
from evenhand.results.applicant_audit import CountRange, LadderStep, PositionRank, SmallTables, ZCurve
from evenhand.results.finding import (
    LEVEL,
    Alternative,
    Bounds,
    Finding,
    ImpactRatio,
    MeanRatio,
    PooledOdds,
    Selected,
    Test,
    UndecidedBounds,
    copied,
)
from evenhand.results.measures import (
    ADJUSTED_ODDS_RATIO,
    BLOCK_DIFFERENCE,
    COMMON_ODDS_RATIO,
    IMPACT_RATIO,
    MEAN_RATIO,
    MISSING_BOUNDS,
    SELECTION_RATE,
    UNDECIDED_BOUNDS,
)
from evenhand.results.messages import shortened
from evenhand.results.schemas import (
    APPROACHES,
    IMPACT,
    IMPACT_BY_CLUSTER,
    LADDER,
    MEANS,
    POOLED,
    POOLS,
    PROTECTED,
    STATISTICS,
    WHOLE,
)
from evenhand.stats.rates import NO_REFERENCE_RATE
from evenhand.stats.special import stdtrit

if TYPE_CHECKING:
    from evenhand.comparisons.ladder import Ladder
    from evenhand.comparisons.regulations import AvailabilityResult

#: Columns that stay where a group is too small a share to be judged: counts, no judgements.
COUNTED = (
    *("approach", "cutoff", "position", "attribute", "focal", "reference", "stage", "n_focal", "selected_focal"),
    *("n_reference", "selected_reference", "rate_focal", "rate_reference", "mean_focal", "mean_reference"),
    *("clusters", "clusters_focal", "clusters_reference", "test_clustered", "comparisons"),
)
#: Columns of impact.csv that take people as independent; with clusters they are empty.
TAKEN_AS_INDEPENDENT = (
    *("z", "p_z", "p_fisher", "p_fisher_mid", "detectable_ratio", "read_with"),
    *("p_welch", "t_welch", "df_welch", "d_low", "d_high"),
)
#: The level of the interval of two one-sided tests at 5 % each.
EQUIVALENCE_CONFIDENCE = 0.9
ROUNDING = 1e-12
#: Positions of a group that the report draws.
MOST_RANKED = 30
#: Positions up to which the power of their tests is computed by enumeration.
MOST_EXACT = 500
#: Measures whose claims say what their test would have found, besides impact ratios.
WITHIN = frozenset({COMMON_ODDS_RATIO, ADJUSTED_ODDS_RATIO, BLOCK_DIFFERENCE})
#: Tests of whether positions differ, and the details of a common odds ratio that have their corrected p.
BRESLOW_DAY, GAIL_SIMON = "Breslow-Day with Tarone", "Gail-Simon, one direction"
OMNIBUS = "Fisher-Freeman-Halton, all"
EXACT_POOLS = "multiple pools, exact; Z"
CORRECTED = {BRESLOW_DAY: "p_breslow_day_adjusted", GAIL_SIMON: "p_gail_simon_adjusted"}
#: The column of impact.csv with the p of the test that decides.
P_OF = {
    impact_tables.FISHER: "p_fisher",
    impact_tables.WELCH: "p_welch",
    impact_tables.CLUSTER_ROBUST: "p_clustered",
}
#: Columns of impact.csv that the details of a ratio repeat.
DETAILS_OF_BOTH = ("approach", "cutoff", "n_focal", "n_reference")
DETAILS_OF_MARGIN = ("margin_test", "p_above_margin", "p_within_margin")
DETAILS_OF_POOLS = (
    *("strata", "simpson", "rate_focal", "rate_reference"),
    *("observed", "expected", "shortfall", "z", "p_exact", "p_exact_lower", "pools_reason", "q_plus", "q_minus"),
    *("common_ratio", "common_low", "common_high", "p_above_margin", "margin_test"),
)
DETAILS_OF_MEANS = (*DETAILS_OF_BOTH, "mean_focal", "mean_reference", "standardised_difference", "d_low", "d_high")
DETAILS_OF_RATES = (
    *DETAILS_OF_BOTH,
    *("selected_focal", "selected_reference", "rate_focal", "rate_reference", "four_fifths"),
    *("detectable_ratio", "read_with", "flip_flop_ratio", "flip_flop_reverses", "low_90", "high_90"),
)


def cell_ratios(
    cells: GroupCells,
    references: References,
    *,
    noise: float = 0.0,
    effects: Mapping[str, float] = MappingProxyType({}),
) -> list[Finding]:
    """Return the ratio of each group to the reference of its cell with claims, without the other measures.

    All of them are one family: those of positions, or those of all applicants where no cell is a position. `noise` is
    the variance of deviations that every count was given; then the larger of Fisher's p and that of the score test with
    this variance decides. `effects` multiply the variances of stages in which people have several decisions. With
    clusters all that varies is theirs, as in `group_rows`.
    """
    choices = ImpactChoices(references=references)
    confidence, reference = choices.confidence, impact_cells.reference_groups(cells, references)
    chosen = cells.whole if cells.whole.all() else ~cells.whole
    others = np.arange(len(cells.groups)) != reference[:, None]
    cell, focal = np.nonzero(others & (cells.n > 0) & chosen[:, None])
    against = np.maximum(reference[cell], 0)
    pairs = Pairs(cell, focal, against)
    counts = pairs.counts(cells)
    inflation = np.array([effects.get(stage, 1.0) for stage in cells.keys["stage"]])
    ratio = stats.impact_ratio(*counts, confidence=confidence, noise=noise, inflation=inflation[cell])
    columns: dict[str, Any] = {"ir_low": ratio.low, "ir_high": ratio.high, "reason": ratio.reason}
    name, method = impact_tables.NOISY if noise else impact_tables.FISHER, "Koopman score"
    if cells.clusters is None:
        p = stats.inflated_p(stats.fisher_exact(*counts).p, inflation[cell])
        if noise:  # null where everybody was selected
            p = np.fmax(p, stats.z_test(*counts, noise=noise, inflation=inflation[cell]).p)
        columns |= {"test_clustered": [name] * cell.size, "p_clustered": p, "t_clustered": None, "df_clustered": None}
    else:
        columns |= _clustered_columns(cells, ratio.reason, pairs, choices)
        method = cells.clusters.ratio_method
    nobody = _nobody_selected(cells, pairs)
    columns |= {"estimate": ratio.estimate, "p_clustered": np.where(nobody, np.nan, columns["p_clustered"])}

    def number(name: str, place: int) -> float | None:
        values = columns[name]
        return None if values is None or not np.isfinite(values[place]) else float(values[place])

    family, keys = f"groups by {cells.name}", cells.keys.to_dict(as_series=False)
    groups = [dict(zip(cells.attributes, group, strict=True)) for group in cells.groups]
    findings = []
    for at, (x, n, x_reference, n_reference) in enumerate(zip(*(side.tolist() for side in counts), strict=True)):
        test = Test(
            name=str(columns["test_clustered"][at]), statistic=number("t_clustered", at), p=number("p_clustered", at)
        )
        reason = str(columns["reason"][at]) or None
        pair = [int(focal[at]), int(against[at])]
        findings.append(
            Finding(
                name=IMPACT_RATIO,
                measure=IMPACT_RATIO,
                slice={name: keys[name][cell[at]] for name in ("stage", "position")},
                focal=groups[focal[at]],
                reference=groups[against[at]],
                role="exploratory",
                estimate=number("estimate", at),
                low=number("ir_low", at),
                high=number("ir_high", at),
                confidence=confidence,
                measured_in="ratio",
                null_value=1.0,
                n=n + n_reference,
                clusters={} if cells.clusters is None else cells.clusters.counted(int(cell[at]), pair),
                method=method,
                claim=uncorrected(
                    test,
                    planned=False,
                    family=family,
                    df=number("df_clustered", at),
                    n=(n, n_reference),
                    correction=HOLM if len(cells.attributes) == 1 else BENJAMINI_HOCHBERG,
                    reason=reason,
                ),
                reason=reason,
                details=ImpactRatio(
                    n_focal=n,
                    n_reference=n_reference,
                    rate_focal=x / n,
                    rate_reference=x_reference / n_reference if n_reference else None,
                ),
            )
        )
    unseen = impact_tables.unseen_pairs(cells, references, reference)
    p = stats.inflated_p(unseen.p, inflation[unseen.cell])
    return in_families(findings, unseen={family: p[chosen[unseen.cell]].tolist()})


def cell_rate_limits(
    cells: GroupCells,
    *,
    noise: float = 0.0,
    effects: Mapping[str, float] = MappingProxyType({}),
    confidence: float = 0.95,
) -> NDArray[np.float64]:
    """Return the limits of each group's selection rate, of shape (2, cells, groups): Wilson's, NaN where nobody is.

    `noise` and `effects` are as in `cell_ratios`: half the width is √(effect · Wilson's² + z² noise (1 + p²)/n²). With
    clusters all that varies is theirs.
    """
    if cells.clusters is not None:
        limits = np.full((2, *cells.n.shape), np.nan)
        for cell, group in np.argwhere(cells.n > 0).tolist():
            shared = cells.clusters.rate(cell, group, confidence=confidence)
            limits[:, cell, group] = [np.nan if end is None else end for end in (shared.low, shared.high)]
        return limits
    rate = stats.selection_rate(cells.selected, cells.n, confidence=confidence)
    inflation = np.array([effects.get(stage, 1.0) for stage in cells.keys["stage"]])[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = stats.normal_quantile(confidence) ** 2 * noise * (1 + rate.estimate**2) / cells.n**2
    ends = np.stack([rate.low, rate.high])
    half = np.sqrt(inflation * (ends - rate.estimate) ** 2 + deviation)
    return np.asarray(np.clip(rate.estimate + np.array([-1, 1])[:, None, None] * half, 0.0, 1.0))


def group_rows(cells: GroupCells, choices: ImpactChoices) -> pl.DataFrame:
    """Return one row per cell and group, without the reference group's own, in the columns of impact.csv.

    Rates are equivalent where their ratio was shown to lie between the margin and its inverse, by one-sided tests. A
    group without anyone in a cell, and a cell without a reference, are rows with a reason. The rows of all applicants
    have no adjusted p yet, but for intersections, nor what was shown of a margin: the claims of the whole run give it.
    """
    reference = impact_cells.reference_groups(cells, choices.references)
    cell, focal = np.nonzero(np.arange(len(cells.groups)) != reference[:, None])
    if len(cells.groups) < 2:
        return pl.DataFrame(schema=IMPACT)
    against = np.maximum(reference[cell], 0)
    pairs, labels = Pairs(cell, focal, against), np.array(cells.labels, dtype=np.str_)
    computed = _rate_columns(cells, pairs, choices) if cells.mean is None else _mean_columns(cells, pairs, choices)
    columns = IMPACT if cells.clusters is None else IMPACT_BY_CLUSTER
    if cells.clusters is not None:
        computed |= _clustered_columns(cells, computed["ratio_reason"], pairs, choices)
    if cells.mean is None and choices.margin is not None:
        family = impact_tables.families_of(cells)[cell]
        for name, shown in (("p_above_margin", "above_margin"), ("p_within_margin", "equivalent")):
            p_margin = impact_tables.corrected_within(np.asarray(computed[name], dtype=np.float64), family)
            computed[shown] = pl.Series(p_margin < LEVEL).set(pl.Series(np.isnan(p_margin)), None)
    hidden = cells.bounded(cell, focal, against)
    compared = cells.judged[focal] & ~hidden & (reference[cell] >= 0) & ~_nobody_selected(cells, pairs)
    p = np.where(compared, np.array(computed[P_OF[impact_tables.decisive_test(cells)]], dtype=np.float64), np.nan)
    unseen = impact_tables.unseen_pairs(cells, choices.references, reference)
    p_adjusted, adjustment, comparisons = impact_tables.adjusted_p(
        cells, p, unseen, impact_tables.families_of(cells), cell=cell
    )
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
            "comparisons": comparisons,
            **computed,
        },
        columns,
    )
    nobody = pl.Series(reference[cell] < 0)
    rows = rows.with_columns(
        pl.when(nobody).then(None).otherwise(name).alias(name)
        for name in ("reference", "n_reference", "selected_reference", "rate_reference", "mean_reference")
    )
    without = pl.Series(~cells.judged[focal] | hidden)
    reasons = pl.Series(np.where(~cells.judged[focal], cells.unjudged, SUPPRESSED))
    judged = [name for name in columns if name not in COUNTED]
    rows = rows.with_columns(
        *(pl.when(without).then(None).otherwise(name).alias(name) for name in judged if name != "reason"),
        pl.when(without).then(reasons).otherwise("reason").alias("reason"),
    )
    if cells.suppressed is not None:
        return _without_hidden(rows, cells, pairs, choices)
    if cells.rounded is None:
        return rows
    possible = pl.Series(cells.rounded.four_fifths(cell, focal, against, choices.rule))
    verdict = pl.col("four_fifths")
    open_to = verdict.is_in(["below", "not_below", "above"]) & (verdict != possible)
    return rows.with_columns(pl.when(open_to).then(pl.lit(NOT_DETERMINED)).otherwise(verdict).alias("four_fifths"))


def _without_hidden(rows: pl.DataFrame, cells: GroupCells, pairs: Pairs, choices: ImpactChoices) -> pl.DataFrame:
    """Return the rows without numbers of people that are not shown, with what their bounds say of four fifths.

    A group that is not below its reference may be below a group whose counts are not shown.
    """
    assert cells.suppressed is not None
    bounds, columns = cells.suppressed, []
    for group, side in ((pairs.focal, "focal"), (pairs.against, "reference")):
        hidden = pl.Series(cells.hidden[pairs.cell, group])
        unknown_n = pl.Series(bounds.lowest_n[pairs.cell, group] != cells.n[pairs.cell, group])
        columns += [
            pl.when(hidden).then(None).otherwise(name).alias(name) for name in (f"selected_{side}", f"rate_{side}")
        ]
        columns.append(pl.when(unknown_n).then(None).otherwise(f"n_{side}").alias(f"n_{side}"))
    verdicts, named = rows["four_fifths"].to_list(), rows["reference"].is_not_null().to_numpy()
    higher = impact_cells.hidden_candidates(cells, choices.references)
    for place in np.flatnonzero(cells.judged[pairs.focal] & named):
        at, low, other = (int(column[place]) for column in (pairs.cell, pairs.focal, pairs.against))
        if cells.bounded(at, low, other):
            verdict = bounds.four_fifths(at, low, other, choices.rule)
            verdicts[place] = str(verdict) if cells.n[at, low] else NOT_DETERMINED
        others = np.setdiff1d(np.flatnonzero(higher[at]), [low])
        against_others = bounds.four_fifths(at, low, others, "against_highest")
        if verdicts[place] == "not_below" and (against_others != "not_below").any():
            verdicts[place] = NOT_DETERMINED
    return rows.with_columns(*columns, pl.Series("four_fifths", verdicts, pl.String))


def _nobody_selected(cells: GroupCells, pairs: Pairs) -> Flags:
    """Return in which rows nobody of both groups was selected: there is nothing to judge."""
    if cells.mean is not None:
        return np.zeros(pairs.cell.size, dtype=np.bool_)
    return np.asarray(sum(pairs.of(cells.selected)) == 0)


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


def _rate_columns(cells: GroupCells, pairs: Pairs, choices: ImpactChoices) -> dict[str, Any]:
    """Return the columns that come from the selections of two groups."""
    rule, margin = choices.rule, choices.margin
    if cells.weights is not None:
        return _weighted_columns(cells, pairs, rule)
    a, _, c, _ = counts = pairs.counts(cells)
    rates = pairs.of(cells.rates)
    ratio = stats.impact_ratio(*counts, confidence=choices.confidence)
    within = stats.impact_ratio(*counts, confidence=EQUIVALENCE_CONFIDENCE)
    z = stats.z_test(*counts)
    fisher = stats.fisher_exact(*counts)
    flip = stats.flip_flop(*counts, rule=rule)
    applies = np.asarray(flip.applies)
    return {
        "selected_focal": a,
        "selected_reference": c,
        "rate_focal": rates[0],
        "rate_reference": rates[1],
        "impact_ratio": ratio.estimate,
        "ir_low": ratio.low,
        "ir_high": ratio.high,
        "low_90": within.low,
        "high_90": within.high,
        "four_fifths": stats.four_fifths(*counts, rule=rule).verdict,
        "z": z.statistic,
        "p_z": z.p,
        "p_fisher": fisher.p,
        "p_fisher_mid": fisher.mid_p,
        "flip_flop_ratio": flip.ratio,
        "flip_flop_reverses": pl.Series(np.asarray(flip.reverses)).set(pl.Series(~applies), None),
        **{column.name: resolve_name(f"evenhand.stats.{column.statistic}")(*counts).estimate for column in STATISTICS},
        "read_with": stats.recommended_test(*counts).read_with,
        **({} if margin is None else impact_tables.margin_columns(counts, cells.whole[pairs.cell], margin)),
        "reason": _first(ratio.reason, z.reason),
        "ratio_reason": ratio.reason,
    }


def _weighted_columns(cells: GroupCells, pairs: Pairs, rule: stats.FourFifthsRule) -> dict[str, Any]:
    """Return the columns that come from weighted rates; those that need whole people are empty."""
    assert cells.weights is not None
    (p1, p2), (a, c), (n1, n2) = (pairs.of(matrix) for matrix in (cells.rates, cells.selected, cells.n))
    people, chosen = pairs.of(cells.weights.people), pairs.of(cells.weights.selected)
    reason = np.select(
        [n1 == 0, n2 == 0, p2 == 0],
        [
            "The focal group has no people.",
            "The reference group has no people.",
            NO_REFERENCE_RATE,
        ],
        "",
    )
    known = reason == ""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(known, p1 / p2, np.nan)
        together = sum(chosen) / sum(people)
        odds = np.where((p1 < 1) & (p2 > 0), p1 * (1 - p2) / (p2 * (1 - p1)), np.nan)
    # Rates that are .8 apart but for rounding are not below.
    below, above = ratio < FOUR_FIFTHS - ROUNDING, (ratio > 1 / FOUR_FIFTHS + ROUNDING) & (rule == "two_sided")
    return {
        "selected_focal": a,
        "selected_reference": c,
        "rate_focal": p1,
        "rate_reference": p2,
        "impact_ratio": ratio,
        "four_fifths": np.select([~known, below, above], ["not_computable", "below", "above"], "not_below"),
        "expected": n1 * together,
        "shortfall": n1 * (together - p1),
        "odds_ratio": odds,
        "cohens_h": 2 * (np.arcsin(np.sqrt(p1)) - np.arcsin(np.sqrt(p2))),
        "reason": reason,
        "ratio_reason": reason,
    }


def _clustered_columns(cells: GroupCells, ratio_reason: Any, pairs: Pairs, choices: ImpactChoices) -> dict[str, Any]:
    """Return the columns that come from clusters: they stand for all that takes people as independent."""
    assert cells.clusters is not None
    binary, margin = cells.mean is None, choices.margin
    # All applicants, and all positions, are compared together, and every two groups may be.
    possible = np.bincount(cells.whole, minlength=2) * comb(len(cells.labels), 2)
    level = LEVEL / possible[cells.whole[pairs.cell].astype(np.int64)]
    compared = cells.clusters.compared(pairs, binary=binary, level=level, confidence=choices.confidence)
    few, few_reference = (ways.min(axis=0) for ways in (compared.clusters_focal, compared.clusters_reference))
    # Where everybody was selected every arrangement of the clusters is as this one.
    selected, people = (sum(pairs.of(matrix)) for matrix in (cells.selected, cells.n))
    everybody = binary & (selected == people) & (few > 0) & (few_reference > 0)
    reach = stdtrit(compared.log_df, (1 + EQUIVALENCE_CONFIDENCE) / 2) * compared.log_standard_error
    limits = {"ir_low": compared.ratio_low, "ir_high": compared.ratio_high}
    limits |= {"low_90": compared.ratio / np.exp(reach), "high_90": compared.ratio * np.exp(reach)} if binary else {}
    return {
        **limits,
        **({} if margin is None or not binary else impact_tables.clustered_margin_columns(compared, margin=margin)),
        **dict.fromkeys(TAKEN_AS_INDEPENDENT),
        "low_clustered": compared.ratio_low,
        "high_clustered": compared.ratio_high,
        "p_clustered": np.where(everybody, 1.0, compared.p),
        "t_clustered": compared.t,
        "df_clustered": compared.df,
        "clusters": compared.clusters.min(axis=0),
        "clusters_focal": few,
        "clusters_reference": few_reference,
        "test_clustered": np.strings.add(
            np.where(
                everybody, stats.ENUMERATED, np.where(compared.test == "", impact_tables.CLUSTER_ROBUST, compared.test)
            ).astype(np.str_),
            impact_tables.WEIGHTED if cells.weights is not None else "",
        ),
        **_effective(cells, pairs),
        "caution": None,
        "reason": _first(ratio_reason, _unfollowed(cells, compared, pairs), compared.ratio_reason),
    }


def _effective(cells: GroupCells, pairs: Pairs) -> dict[str, Any]:
    """Return the effective numbers of people of weighted groups."""
    if cells.weights is None:
        return {}
    return dict(zip(("effective_focal", "effective_reference"), pairs.of(cells.weights.effective), strict=True))


def _unfollowed(cells: GroupCells, compared: "stats.ClusterComparisons", pairs: Pairs) -> NDArray[np.object_]:
    """Return why comparisons have no test; the people of a bottom line without units are in no known cluster."""
    people = np.logical_and(*pairs.of(cells.n > 0))
    unknown = people & (compared.clusters.min(axis=0) == 0)
    return np.where(unknown, impact_cells.UNFOLLOWED, compared.reason.astype(object))


def _mean_columns(cells: GroupCells, pairs: Pairs, choices: ImpactChoices) -> dict[str, Any]:
    """Return the columns that come from the scores of two groups."""
    assert cells.mean is not None
    assert cells.squares is not None
    focal, reference = zip(*(pairs.of(matrix) for matrix in (cells.n, cells.mean, cells.squares)), strict=True)
    ratio, means = stats.mean_ratio(*focal, *reference, confidence=choices.confidence), pairs.of(cells.rates)
    return {
        "mean_focal": means[0],
        "mean_reference": means[1],
        "impact_ratio": ratio.estimate,
        "ir_low": ratio.low,
        "ir_high": ratio.high,
        "standardised_difference": ratio.hedges_g,
        "d_low": ratio.g_low,
        "d_high": ratio.g_high,
        "p_welch": ratio.p,
        "t_welch": ratio.t,
        "df_welch": ratio.df,
        "reason": _first(ratio.reason, ratio.interval_reason, ratio.test_reason),
        "ratio_reason": ratio.reason,
    }


def single_group_finding(cells: GroupCells) -> Finding:
    """Return the finding that says why an attribute has no rows."""
    measure = IMPACT_RATIO if cells.mean is None else MEAN_RATIO
    who = f"all people of a known group belong to {shortened(cells.labels[0])}" if cells.groups else "no group is known"
    return Finding(
        name=f"{measure}_{impact_cells.plain(cells.name)}",
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
        for group in np.flatnonzero(cells.n[cell] + cells.hidden[cell]).tolist():
            if cells.suppressed is not None and cells.hidden[cell, group]:
                yield _suppressed_rate(cells, int(cell), group)
                continue
            n = int(cells.n[cell, group])
            interval: dict[str, Any] = {"low": float(rate.low[group]), "high": float(rate.high[group])}
            interval |= {"clusters": {"person": n}, "method": rate.method}
            if cells.clusters is not None:
                shared = cells.clusters.rate(int(cell), group, confidence=confidence)
                interval = copied(shared, "low high clusters method")
            yield Finding(
                **cells.of_group(cells.labels[group], SELECTION_RATE, keys),
                role="descriptive",
                estimate=float(cells.rates[cell, group]),
                confidence=confidence,
                n=n,
                details=Selected(
                    selected=int(cells.selected[cell, group]),
                    effective_n=None if cells.weights is None else float(cells.weights.effective[cell, group]),
                ),
                **interval,
            )


def _suppressed_rate(cells: GroupCells, cell: int, group: int) -> Finding:
    """Return the bounds of a group's selection rate."""
    assert cells.suppressed is not None
    low, high = cells.suppressed.rate(cell, group)
    n = int(cells.n[cell, group])
    return Finding(
        **cells.of_group(cells.labels[group], SELECTION_RATE, cells.keys.row(cell, named=True)),
        role="descriptive",
        estimate=None,
        low=low,
        high=high,
        n=n,
        clusters={"person": n},
        method=BOUNDED,
        reason=SUPPRESSED,
    )


def _ratio_ends(cells: GroupCells, cell: int, group: int, against: int) -> tuple[float | None, float | None]:
    """Return the lowest and the highest ratio of two groups, null where the reference may have selected nobody."""
    assert cells.suppressed is not None
    focal, reference = cells.suppressed.rate(cell, group), cells.suppressed.rate(cell, against)
    return (
        focal[0] / reference[1] if reference[1] else None,
        focal[1] / reference[0] if reference[0] else None,
    )


def rounding_cautions(
    findings: Sequence[Finding], ranges: Sequence[CountRange], rule: stats.FourFifthsRule
) -> list[str]:
    """Return which results other numbers of selected people would reverse that round to the same rates."""
    selected = {(entry.attribute, entry.group, entry.stage or ""): entry.selected for entry in ranges}
    cautions = []
    for finding in findings:
        details, claim = finding.details, finding.claim
        if not isinstance(details, ImpactRatio) or claim is None or claim.p is None or len(finding.focal) > 1:
            continue
        ends = []
        for group, count in ((finding.focal, details.selected_focal), (finding.reference, details.selected_reference)):
            known = (count or 0, count or 0)
            ((attribute, label),) = group.items()
            ends.append(selected.get((attribute, label, finding.slice.get("stage", "")), known))
        corners = np.array([(a, c) for a in ends[0] for c in ends[1]]).T
        counts = corners[0], details.n_focal or 0, corners[1], details.n_reference or 0
        changes = []
        if len({*stats.four_fifths(*counts, rule=rule).verdict.tolist(), details.four_fifths}) > 1:
            changes.append("the verdict of the four-fifths rule")
        if claim.test == impact_tables.FISHER and claim.p_adjusted:
            limit = LEVEL * claim.p / claim.p_adjusted
            if len({*(stats.fisher_exact(*counts).p < limit).tolist(), claim.p < limit}) > 1:
                changes.append("statistical significance")
        if changes:
            pair = f"{cell_name(finding.focal)} against {cell_name(finding.reference)}"
            cautions.append(
                "The rates are rounded: other numbers of selected people that give them would change "
                f"{' and '.join(changes)} for {pair}."
            )
    return cautions


def cell_name(group: Mapping[str, str]) -> str:
    """Return the label of a group."""
    return shortened(impact_cells.joined(list(group.values())))


def suppressed_findings(cells: GroupCells, references: References) -> Iterator[Finding]:
    """Yield the bounds of each ratio that counts leave open which are not shown, among all applicants."""
    if cells.suppressed is None:
        return
    for cell, pair in _judged_pairs(cells, references, bounded=True):
        low, high = _ratio_ends(cells, cell, *pair)
        known = {"n": int(cells.n[cell, [*pair]].sum()), "method": BOUNDED, "reason": SUPPRESSED}
        details = Bounds(suppressed=True)
        yield _bounds_finding(
            cells, cell, pair, MISSING_BOUNDS, estimate=None, low=low, high=high, details=details, **known
        )


def _judged_pairs(cells: GroupCells, references: References, *, bounded: bool) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield each cell of all applicants with a judged group and its reference; `bounded`: counts are not shown."""
    reference = impact_cells.reference_groups(cells, references)
    for cell in np.flatnonzero(cells.whole).tolist():
        against = int(reference[cell])
        for group in np.flatnonzero(cells.judged).tolist():
            if against not in {-1, group} and bool(cells.bounded(cell, group, against)) == bounded:
                yield cell, (group, against)


def _bounds_finding(cells: GroupCells, cell: int, pair: tuple[int, int], measure: str, **known: Any) -> Finding:
    """Return the bounds of the ratio of two groups of a cell."""
    group, against = (cells.labels[column] for column in pair)
    return Finding(
        **cells.of_group(group, measure, cells.keys.row(cell, named=True)),
        reference=cells.named(against),
        role="descriptive",
        measured_in="ratio",
        null_value=1.0,
        clusters={"person": known["n"]},
        **known,
    )


def ratio_findings(rows: pl.DataFrame, cells: GroupCells, choices: ImpactChoices) -> Iterator[Finding]:
    """Yield one finding per row on all applicants; positions have rows in impact.csv only.

    `over_flagging_rate` in the details is the false-positive rate of the four-fifths rule over the judged groups;
    `reference_floor` says which groups with a higher rate are too small to be the reference, if any.
    """
    floors = {floor.key: floor for floor in impact_cells.floors_of(cells, choices.references)}
    may_be = impact_cells.possible_references(cells, choices.references)
    at = {cells.keys.row(int(cell))[:3]: int(cell) for cell in np.flatnonzero(cells.whole)}
    chance: dict[tuple[object, ...], float | None] = {}
    omnibus: dict[tuple[object, ...], Test | None] = {}
    for row in rows.filter(pl.col("position") == WHOLE).iter_rows(named=True):
        key = (row["approach"], row["cutoff"], row["stage"])
        if key not in chance:
            chance[key] = _false_positive_rate(cells, at[key], may_be, seed=choices.seed)
            omnibus[key] = _omnibus(cells, at[key], seed=choices.seed)
        whole = {"chance": chance[key], "floor": floors.get(key), "omnibus": omnibus[key]}
        yield ratio_finding(row, cells, at[key], choices, **whole)  # type: ignore[arg-type]


def _omnibus(cells: GroupCells, cell: int, *, seed: int) -> Test | None:
    """Return the exact test that all judged groups have one rate; None of two groups, clusters and unknown counts."""
    judged = cells.judged & (cells.n[cell] > 0)
    if cells.mean is not None or cells.clusters is not None or judged.sum() < 3 or cells.hidden[cell][judged].any():
        return None
    exact = stats.exact_homogeneity(cells.selected[cell][judged], cells.n[cell][judged], seed=seed)
    drawn = exact.method.partition(", ")[2]
    name = ", ".join(filter(None, (f"{OMNIBUS} {exact.groups} groups", drawn)))
    return Test(name=name, statistic=None, p=exact.p, reason=exact.reason)


def _false_positive_rate(cells: GroupCells, cell: int, may_be: Flags, *, seed: int) -> float | None:
    """Return how often the rule flags independent people alike; unknown of clusters, and of counts not shown.

    A reference that isn't the highest rate, named or for want of a large group, may be the group below.
    """
    judged = cells.judged
    if cells.mean is not None or cells.clusters is not None or (judged & cells.hidden[cell]).any():
        return None
    n, selected = cells.n[cell][judged], int(cells.selected[cell][judged].sum())
    if n.size < 2:
        return None
    chance = stats.four_fifths_false_positives(n, selected, references=may_be[cell][judged], either=True, seed=seed)
    return None if chance.estimate is None else float(chance.estimate)


def ratio_finding(
    row: Mapping[str, Any],
    cells: GroupCells,
    cell: int,
    choices: ImpactChoices,
    *,
    chance: float | None = None,
    floor: impact_cells.Floor | None = None,
    omnibus: Test | None = None,
) -> Finding:
    """Return the finding of one row of `group_rows`, of the groups of a cell."""
    scores, clusters = cells.mean is not None, cells.clusters
    n, estimate = (row["n_focal"] or 0) + (row["n_reference"] or 0), row["impact_ratio"]
    changed = None if floor is None else floor.details(cells)
    details: ImpactRatio | MeanRatio
    alternatives: tuple[Alternative, ...] = ()
    tests: tuple[Test, ...]
    df, caution, deciding = row["df_welch"], None, 0
    if scores:
        tests = (Test(name=impact_tables.WELCH, statistic=row["t_welch"], p=row["p_welch"]),)
        method = "Fieller"
        details = MeanRatio(**{name: row[name] for name in DETAILS_OF_MEANS}, reference_floor=changed)
    else:
        counts = [row[f"{count}_{side}"] or 0 for side in ("focal", "reference") for count in ("selected", "n")]
        ratio, read = stats.impact_ratio(*counts, confidence=choices.confidence), stats.recommended_test(*counts)
        katz = Alternative(method="Katz log", low=ratio.katz_low, high=ratio.katz_high, reason=ratio.katz_reason)
        alternatives = (katz,)
        deciding = 1
        tests = (
            Test(name="Z, two standard deviations", statistic=row["z"], p=row["p_z"]),
            Test(name=impact_tables.FISHER, statistic=None, p=row["p_fisher"]),
            Test(name=f"{impact_tables.FISHER}, mid-p", statistic=None, p=row["p_fisher_mid"]),
            *([] if omnibus is None else [omnibus]),
        )
        method = ratio.method
        details = ImpactRatio(
            **{name: row[name] for name in (*DETAILS_OF_RATES, *DETAILS_OF_MARGIN)},
            statistics={column.name: row[column.name] for column in STATISTICS},
            margin=choices.margin,
            reference_floor=changed,
            read_reason=None if clusters is not None else read.reason,
            over_flagging_rate=chance,
            **{name: row.get(name) for name in ("effective_focal", "effective_reference")},
        )
    counted, pair = {"person": n}, [cells.labels.index(row[side]) for side in ("focal", "reference") if row[side]]
    if clusters is not None:
        tests = (Test(name=row["test_clustered"], statistic=row["t_clustered"], p=row["p_clustered"]),)
        alternatives, df, caution, deciding = (), row["df_clustered"], row["caution"], 0
        method = clusters.ratio_method
        counted = clusters.counted(cell, pair)
    planned = len(cells.attributes) == 1
    limits = {"low": row["ir_low"], "high": row["ir_high"]}
    hidden = bool(cells.bounded(cell, *pair) if len(pair) > 1 else cells.hidden[cell, pair[0]])
    if hidden and isinstance(details, ImpactRatio):
        alternatives, tests, method = (), tests[:1], BOUNDED
        tests = tuple(replace(test, p=None, statistic=None) for test in tests)
        deciding = 0
        assert cells.suppressed is not None
        if len(pair) > 1:
            limits = dict(zip(("low", "high"), _ratio_ends(cells, cell, *pair), strict=True))
        details = replace(details, rate_bounds=cells.suppressed.rate(cell, pair[0]))
        if len(pair) > 1 and cells.hidden[cell, pair[1]]:
            details = replace(details, rate_bounds_reference=cells.suppressed.rate(cell, pair[1]))
    nobody = not hidden and not scores and not row["selected_focal"] and not row["selected_reference"]
    claim = uncorrected(
        replace(tests[deciding], p=None) if nobody else tests[deciding],
        planned=planned,
        family="_".join([f"groups by {cells.name}", *impact_cells.suffix_of(row)]),
        df=df,
        n=(row["n_focal"], row["n_reference"]),
        reason=row["reason"],
        caution=caution,
    )
    return Finding(
        **cells.of_group(row["focal"], MEAN_RATIO if scores else IMPACT_RATIO, row),
        reference=cells.named(row["reference"]) if row["reference"] is not None else {},
        role="planned" if planned else "exploratory",
        estimate=estimate,
        **limits,
        confidence=choices.confidence,
        measured_in="ratio",
        null_value=1.0,
        n=n,
        clusters=counted,
        method=method,
        alternatives=alternatives,
        tests=tests,
        claim=claim if cells.judged[cells.labels.index(row["focal"])] else None,
        reason=row["reason"] if estimate is not None or row["reason"] else "The ratio can't be computed.",
        details=details,
    )


def pooled_findings(rows: pl.DataFrame, cells: GroupCells, choices: ImpactChoices) -> Iterator[Finding]:
    """Yield one finding per row of pooled.csv."""
    planned = len(cells.attributes) == 1
    for row in rows.iter_rows(named=True):
        estimate = row["or_mh"]
        tests = [Test(name=row["test"], statistic=row["statistic"], p=row["p_mh"])]
        if cells.clusters is None:
            tests += [
                Test(name="Mantel-Haenszel, continuity correction", statistic=row["chi2_mh_cc"], p=row["p_mh_cc"]),
                Test(name="Breslow-Day, equal odds ratios", statistic=row["chi2_bd"], p=row["p_bd"]),
                Test(name=BRESLOW_DAY, statistic=row["chi2_bd_tarone"], p=row["p_bd_tarone"]),
                Test(name=GAIL_SIMON, statistic=_smaller(row["q_plus"], row["q_minus"]), p=row["p_gs"]),
                Test(name=EXACT_POOLS, statistic=row["z"], p=row["p_exact"], reason=row["pools_reason"]),
            ]
        yield Finding(
            **cells.of_group(row["focal"], COMMON_ODDS_RATIO, row),
            reference=cells.named(row["reference"]),
            role="planned" if planned else "exploratory",
            estimate=estimate,
            low=row["or_low"],
            high=row["or_high"],
            confidence=choices.confidence,
            measured_in="ratio",
            null_value=1.0,
            n=row["n"],
            clusters={"position": row["strata"]} | _clusters_of(cells, row),
            method="Mantel-Haenszel, Robins-Breslow-Greenland interval"
            if cells.clusters is None
            else f"Mantel-Haenszel, cluster-robust by {cells.clusters.label}, CR2",
            tests=tuple(tests),
            claim=uncorrected(
                tests[0],
                planned=planned,
                family="_".join([f"groups by {cells.name}", *impact_cells.suffix_of(row)]),
                df=row["df"],
                n=(row["n_focal"], row["n_reference"]),
                reason=row["reason"],
                caution=row["caution"],
            ),
            reason=row["reason"] if estimate is not None or row["reason"] else "It can't be computed.",
            details=PooledOdds(**{name: row[name] for name in DETAILS_OF_POOLS}, margin=choices.margin),
        )


def _clusters_of(cells: GroupCells, row: Mapping[str, Any]) -> dict[str, int]:
    """Return the clusters of both groups of a row of pooled.csv over all positions, none of independent people."""
    if cells.clusters is None:
        return {}
    whole = cells.keys.select(impact_cells.of_definition(row)).to_series().to_numpy() & cells.whole
    pair = tuple(cells.labels.index(row[side]) for side in ("focal", "reference"))
    return cells.clusters.counted(int(np.flatnonzero(whole)[0]), pair)


def _smaller(*values: float | None) -> float | None:
    """Return the smallest of values, null where one is."""
    return None if None in values else min(value for value in values if value is not None)


def _with_position_tests(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings with the p of Breslow-Day and Gail-Simon corrected over all planned odds ratios."""
    tests = {
        (place, CORRECTED[test.name]): test.p
        for place, finding in enumerate(findings)
        if finding.measure == COMMON_ODDS_RATIO and finding.role == "planned"
        for test in finding.tests
        if test.name in CORRECTED and test.p is not None
    }
    result, corrected = list(findings), stats.holm(list(tests.values()))
    for (place, name), p in zip(tests, corrected.p.tolist(), strict=True):
        known = {name: p, "position_tests": corrected.family}
        result[place] = replace(result[place], details=replace(PooledOdds.of(result[place]), **known))
    return result


def bound_findings(cells: GroupCells, references: References) -> Iterator[Finding]:
    """Yield the bounds of the ratio over all groups that people of unknown group could belong to."""
    if cells.mean is not None or len(cells.groups) < 2:
        return
    for cell, pair in _judged_pairs(cells, references, bounded=False):
        n_unknown, chosen = cells.possible_unknown(cell)
        counts = [int(matrix[cell, column]) for column in pair for matrix in (cells.selected, cells.n)]
        of_all: tuple[Any, ...] = (*counts, chosen, n_unknown)
        ratio, bounds = stats.impact_ratio(*counts), stats.impact_ratio_bounds(*of_all)
        low, high = np.fmin.reduce(bounds.low), np.max(bounds.high)
        most = int(chosen[-1]) if chosen.size > 1 else None
        yield _bounds_finding(
            cells,
            cell,
            pair,
            MISSING_BOUNDS,
            estimate=ratio.estimate,
            low=None if np.isnan(low) else float(low),
            high=None if np.isnan(high) else float(high),
            n=counts[1] + counts[3] + n_unknown,
            method="worst and best assignment of unknown groups; no sampling error",
            reason=ratio.reason or str(bounds.reason[0]) or str(bounds.high_reason[0]) or None,
            details=Bounds(n_unknown=n_unknown, selected_unknown=int(chosen[0]), most_selected_unknown=most),
        )


def undecided_findings(cells: GroupCells, references: References, undecided: pl.DataFrame | None) -> Iterator[Finding]:
    """Yield the bounds of each ratio over all decisions on people without one, among all applicants."""
    if cells.mean is not None or undecided is None:
        return
    waiting: dict[tuple[Any, ...], int] = defaultdict(int)
    columns = ("approach", "stage", *(PROTECTED + name for name in cells.attributes), "n")
    for *key, n in undecided.select(columns).iter_rows():
        waiting[tuple(key)] += n
    for cell, pair in _judged_pairs(cells, references, bounded=False):
        where = cells.keys.select("approach", "stage").row(cell)
        more = [waiting[*where, *cells.groups[group]] for group in pair]
        if not sum(more):
            continue
        (a, n), (c, m) = ((int(cells.selected[cell, group]), int(cells.n[cell, group])) for group in pair)
        known = stats.impact_ratio(a, n, c, m)
        ratios = stats.impact_ratio(  # lowest, highest, all and none of them selected
            [a, a + more[0], a + more[0], a], n + more[0], [c + more[1], c, c + more[1], c], m + more[1]
        )
        low, high, everybody, nobody = (None if np.isnan(value) else float(value) for value in ratios.estimate)
        yield _bounds_finding(
            cells,
            cell,
            pair,
            UNDECIDED_BOUNDS,
            estimate=known.estimate,
            low=low,
            high=high,
            n=n + m + sum(more),
            method="all decisions on people without one; no sampling error",
            reason=known.reason or ratios.reason[0] or ratios.reason[1] or None,
            details=UndecidedBounds(
                undecided_focal=more[0],
                undecided_reference=more[1],
                ratio_if_all=everybody,
                ratio_if_none=nobody,
            ),
        )


@dataclass(frozen=True, kw_only=True)
class Impact:
    """The rows of impact.csv and pooled.csv, or of availability.csv; the findings, and the report's small tables.

    `further` are positions.csv and pools.csv, where there are any.
    """

    rows: pl.DataFrame
    pooled: pl.DataFrame
    findings: list[Finding]
    small_tables: SmallTables
    availability: pl.DataFrame | None = None
    further: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    @property
    def ladder(self) -> pl.DataFrame:
        """Return the rows of ladder.csv."""
        rows = [
            vars(step) | {"adjusted_for": " + ".join(step.adjusted_for), "notes": " ".join(step.notes)}
            for step in self.small_tables.ladder
        ]
        return pl.DataFrame([{name: row[name] for name in LADDER} for row in rows], schema=LADDER)

    @classmethod
    def of_availability(cls, result: "AvailabilityResult") -> "Impact":
        """Return an analysis without a selection: people against stated shares."""
        return cls(
            rows=pl.DataFrame(schema=IMPACT),
            pooled=pl.DataFrame(schema=POOLED),
            findings=uniquely_named(result.findings),
            small_tables=SmallTables(),
            availability=result.rows,
        )


# Totals need no strata, and not the regressions that come with them.
def _pooled(cells: GroupCells, choices: ImpactChoices) -> pl.DataFrame:
    """Return the rows over positions as strata, none without positions."""
    if cells.whole.all():
        return pl.DataFrame(schema=POOLED)
    from evenhand.comparisons.stratified import pooled_rows  # noqa: PLC0415

    return pooled_rows(cells, choices)


def _further(
    cells: GroupCells,
    choices: ImpactChoices,
    periods: pl.DataFrame | None,
    clustering: ClusterCounts | None,
    *,
    by_position: bool,
) -> Iterator[tuple[str, pl.DataFrame, list[Finding]]]:
    """Yield tables by name with their findings: positions by rank, ratios and pools by period; of single attributes."""
    if len(cells.attributes) > 1 or cells.mean is not None or cells.weights is not None:
        return
    if not cells.whole.all():
        from evenhand.comparisons.position_ranks import position_ranks  # noqa: PLC0415

        ranks = position_ranks(cells, choices)
        yield "positions", ranks.rows, ranks.findings
    if periods is not None:
        from evenhand.comparisons.periods import period_findings, pool_rows  # noqa: PLC0415

        pools = pl.DataFrame(schema=POOLS)
        if by_position and cells.clusters is None:
            pools = pool_rows(periods, cells, choices)
        yield "pools", pools, list(period_findings(periods, cells, choices, clustering=clustering))


def _blocks(cells: GroupCells, choices: ImpactChoices, clustering: ClusterCounts | None) -> list[Finding]:
    """Return the findings within blocks, where there are any."""
    if clustering is None or not clustering.blocks:
        return []
    from evenhand.comparisons.stratified import block_findings  # noqa: PLC0415

    return list(block_findings(clustering, cells, choices))


def _ladders(
    cells: GroupCells,
    choices: ImpactChoices,
    counts: pl.DataFrame,
    *,
    given: pl.DataFrame | None,
    clustering: ClusterCounts | None,
) -> Iterator["Ladder"]:
    """Yield the adjustment ladders: with qualifications that of the first definition, else one per definition."""
    blocks = clustering.blocks if clustering is not None else ()
    none = not choices.ladder or (given is None and not blocks and cells.whole.all())
    if none or len(cells.attributes) > 1 or cells.mean is not None or cells.suppressed is not None:
        return
    from evenhand.comparisons.ladder import ladder  # noqa: PLC0415

    tables = [given] if given is not None else []
    if given is None:
        apart = counts if clustering is None else clustering.counts
        tables = apart.partition_by("approach", "cutoff", "stage", maintain_order=True)
    clusters = clustering.names if clustering is not None else ()
    for table in tables:
        yield ladder(
            table,
            cells,
            choices.references,
            steps=choices.given,
            clusters=clusters,
            blocks=blocks,
            confidence=choices.confidence,
        )


def _drawn(positions: pl.DataFrame | None) -> tuple[PositionRank, ...]:
    """Return the positions that the report draws: the first of each definition and group that have a rank."""
    if positions is None:
        return ()
    first = positions.filter(pl.col("rank") <= MOST_RANKED)
    return tuple(PositionRank(**row) for row in first.iter_rows(named=True))


def _with_claims_of(steps: Sequence[LadderStep], findings: Sequence[Finding]) -> tuple[LadderStep, ...]:
    """Return the lines of ladders with the claims of their findings."""
    claims = {finding.name: finding.claim for finding in findings}
    return tuple(
        step if claim is None else replace(step, **copied(claim, "test p p_adjusted verdict"))
        for step in steps
        for claim in [claims.get(step.finding or "")]
    )


def measure_impact(
    counts: pl.DataFrame,
    attributes: Sequence[str],
    choices: ImpactChoices,
    *,
    scores: pl.DataFrame | None = None,
    sweep: pl.DataFrame | None = None,
    given: pl.DataFrame | None = None,
    clustering: ClusterCounts | None = None,
    bounds: CountBounds | None = None,
    undecided: pl.DataFrame | None = None,
    periods: pl.DataFrame | None = None,
    by_position: bool = False,
) -> Impact:
    """Return who is selected less, by how much, and whether that is statistically significant.

    `counts` are joint over all attributes (approach, cutoff, stage, position,
    `protected.<name>`, n, successes); `scores` likewise with n, mean, squares; `sweep` has
    counts per cut-off of all applicants, `given` counts by qualification. With `clustering` intervals and p-values are
    cluster-robust. With `bounds` some counts are not shown: their comparisons have bounds, and are not judged; or they
    are rounded, and four fifths is judged where all that are possible agree. `undecided` are people without a decision,
    of whom bounds are made; `periods` are the counts by period. All
    planned comparisons of all applicants are one family, whatever estimates them.

    Raises
    ------
    InputError
        A reference was named that does not occur or is not judged.

    """
    rows: list[pl.DataFrame] = []
    pooled: list[pl.DataFrame] = []
    findings: list[Finding] = []
    curves: list[ZCurve] = []
    steps: list[LadderStep] = []
    parts: dict[str, list[pl.DataFrame]] = defaultdict(list)
    chance: dict[tuple[Any, ...], float] = {}
    unseen: dict[str, list[float]] = defaultdict(list)
    first: dict[str, GroupCells] = {}
    clusters = clustering.names if clustering is not None else ()
    choices = _without_margin(choices, clustering)
    built: dict[str, Any] = {"clustering": clustering, "bounds": bounds, "by_position": by_position}
    for cells in _cells(counts, scores, attributes, choices, **built):
        if len(cells.groups) < 2:
            findings += [*group_findings(cells, confidence=choices.confidence), single_group_finding(cells)]
            continue
        first.setdefault(cells.name, cells)
        ratios, common = group_rows(cells, choices), _pooled(cells, choices)
        rows.append(ratios)
        pooled.append(common)
        if not clusters:
            curves += impact_tables.z_curves(ratios)
        if by_position:
            chance |= _chance(cells, choices)
        findings += group_findings(cells, confidence=choices.confidence)
        compared = [
            *ratio_findings(ratios, cells, choices),
            *pooled_findings(common, cells, choices),
            *_blocks(cells, choices, clustering),
        ]
        for name, part, more in _further(cells, choices, periods, clustering, by_position=by_position):
            parts[name].append(part)
            compared += more
        if given is None or cells is first[cells.name]:
            for one in _ladders(cells, choices, counts, given=given, clustering=clustering):
                steps += one.steps
                compared += one.findings
        for family, p in _unseen(compared, cells, choices.references).items():
            unseen[family] += p
        findings += compared
        findings += _bounds(cells, choices, undecided)
    columns = IMPACT_BY_CLUSTER if clusters else IMPACT
    table = pl.concat([pl.DataFrame(schema=columns), *rows])
    by_attribute = impact_tables.positions(_sorted(table), chance)
    findings += impact_tables.position_findings(by_attribute)
    findings = with_margin_claims(_with_position_tests(in_families(findings, unseen=unseen)))
    by_attribute = impact_tables.with_verdicts(by_attribute, findings)
    table = _with_claims(table, findings)
    table = _with_cautions(table, " × ".join(clusters)) if clusters else _with_power(table)
    findings = [
        with_detectable(finding) if finding.measure in WITHIN else finding
        for finding in _with_detectable(findings, table)
    ]
    table = _sorted(table)
    further = {name: pl.concat(tables) for name, tables in parts.items()}
    swept = () if sweep is None else impact_tables.sweep_rows(sweep, attributes, choices.references, choices.exclusion)
    return Impact(
        rows=table,
        pooled=pl.concat([pl.DataFrame(schema=POOLED), *pooled]),
        findings=uniquely_named(findings),
        small_tables=SmallTables(
            agreement=() if clusters else impact_tables.agreement(table),
            positions=by_attribute,
            sweep=swept,
            z_curves=tuple(curves),
            ladder=_with_claims_of(steps, findings),
            ranks=_drawn(further.get("positions")),
        ),
        further={name: table for name, table in further.items() if table.height},
    )


def _without_margin(choices: ImpactChoices, clustering: ClusterCounts | None) -> ImpactChoices:
    """Return the choices without a margin where groups are probable: their bias, unknown, shows nothing of one."""
    return replace(choices, margin=None) if clustering is not None and clustering.probable else choices


def _bounds(cells: GroupCells, choices: ImpactChoices, undecided: pl.DataFrame | None) -> Iterator[Finding]:
    """Yield the bounds of ratios over counts that are not shown, unknown groups and people without a decision."""
    yield from suppressed_findings(cells, choices.references)
    if choices.missing_bounds:
        yield from bound_findings(cells, choices.references)
        yield from undecided_findings(cells, choices.references, undecided)


def _unseen(compared: Sequence[Finding], cells: GroupCells, references: References) -> dict[str, list[float]]:
    """Return, by family, the p of comparisons that the data could have chosen; a question counts per estimator."""
    unseen = impact_tables.unseen_pairs(cells, references, impact_cells.reference_groups(cells, references))
    at = {
        frozenset(impact_cells.slice_of(cells.keys.row(int(cell), named=True)).items()): int(cell)
        for cell in np.flatnonzero(cells.whole)
    }
    judged = {
        (finding.claim.family, finding.measure, frozenset(finding.slice.items()))
        for finding in compared
        if finding.claim is not None and finding.claim.p is not None
    }
    p_of_family: dict[str, list[float]] = defaultdict(list)
    for family, measure, where in judged:
        # Qualifications are held fixed in the first definition only, which their findings don't name.
        cell = at.get(frozenset(part for part in where if part[0] != "period"), next(iter(at.values())))
        p = unseen.p[unseen.cell == cell].tolist()
        p_of_family[family] += p if measure in {IMPACT_RATIO, MEAN_RATIO} else [1.0] * len(p)
    return p_of_family


def _with_claims(rows: pl.DataFrame, findings: Sequence[Finding]) -> pl.DataFrame:
    """Return the rows with what the claims about all applicants say, which are in the same order."""
    ratios = [finding for finding in findings if finding.measure in {IMPACT_RATIO, MEAN_RATIO} and finding.focal]
    claims = [None if finding.p_adjusted is None else finding.claim for finding in ratios]
    places = (rows["position"] == WHOLE).arg_true()
    adjustment = [claim and ", ".join(filter(None, (claim.test, claim.corrected_over))) for claim in claims]
    return rows.with_columns(
        rows["p_adjusted"].scatter(places, [claim and claim.p_adjusted for claim in claims]),
        rows["adjustment"].scatter(places, adjustment),
        rows["comparisons"].scatter(places, [0 if claim is None else claim.family_size for claim in claims]),
        *(
            rows[name].scatter(places, [finding.claim and getattr(finding.claim, name) for finding in ratios])
            for name in ("above_margin", "equivalent")
        ),
    )


def _with_power(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with the ratio that their test would detect with 80 % power at the level of their family.

    Independent people are taken. Very many positions get the corrected formula.
    """
    detectable = np.full(rows.height, np.nan)
    possible = (rows["p_fisher"].is_not_null() & (rows["comparisons"] > 0)).to_numpy()
    whole, comparisons = (rows["position"] == WHOLE).to_numpy(), rows["comparisons"].to_numpy()
    counts = [rows[name].cast(pl.Float64).to_numpy() for name in ("n_focal", "n_reference", "rate_reference")]
    for is_whole in (True, False):
        for number in np.unique(comparisons[possible & (whole == is_whole)]):
            at = np.flatnonzero(possible & (whole == is_whole) & (comparisons == number))
            detectable[at] = stats.detectable_ratio(
                *(column[at] for column in counts), confidence=1 - LEVEL / number, exact=at.size <= MOST_EXACT
            ).estimate
    return rows.with_columns(pl.Series("detectable_ratio", detectable).fill_nan(None))


def _with_cautions(rows: pl.DataFrame, label: str) -> pl.DataFrame:
    """Return the rows with the ratio that their cluster-robust test would detect with 80 % power, and cautions.

    These say where clusters are few: those of each group, and which difference would have been found.
    """
    reach = _reach(rows)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = 1 - reach / rows["rate_reference"].to_numpy()
    rows = rows.with_columns(detectable_ratio=pl.Series(np.where(ratio > 0, ratio, np.nan)).fill_nan(None))
    cautions: dict[int, str | None] = {}
    # A permutation has a p above .05 only where no arrangement of the clusters has a smaller one, or all are alike.
    coarse = rows["test_clustered"].str.starts_with("permutation") & (rows["p_clustered"] > LEVEL)
    coarse &= rows["impact_ratio"].ne_missing(1.0)
    places = ((rows["df_clustered"] < stats.FEW_DF).fill_null(value=False) | coarse).arg_true()
    for number, row in zip(places, rows[places].iter_rows(named=True), strict=True):
        of_groups = {row["focal"]: row["clusters_focal"], row["reference"]: row["clusters_reference"]}
        if row["df_clustered"] is None:
            cautions[number] = few_to_permute(label, of_groups)
            continue
        is_mean = row["approach"] == MEANS
        unit, factor = ("", 1) if is_mean else (" percentage points", 100)
        least = None if np.isnan(reach[number]) else factor * float(reach[number])
        # No rate is farther than this from that of the reference.
        most = np.inf if is_mean else factor * max(row["rate_reference"], 1 - row["rate_reference"])
        cautions[number] = few_clusters(label, of_groups, row["df_clustered"], detectable=least, most=most, unit=unit)
    return rows.with_columns(rows["caution"].scatter(list(cautions), list(cautions.values())))


def _reach(rows: pl.DataFrame) -> NDArray[np.float64]:
    """Return the difference that the t of each row finds with 80 % power at the level of its family, NaN without one.

    Where nobody, or everybody, of a group was selected t is that of the data with one decision reversed, which the data
    must exceed.
    """
    names = "rate_focal rate_reference mean_focal mean_reference n_focal n_reference t_clustered df_clustered"
    values = {name: rows[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in names.split()}
    is_mean = (rows["approach"] == MEANS).to_numpy()
    is_reversed = (rows["low_clustered"].is_null() & ~pl.Series(is_mean)).to_numpy()
    moved, reversed_by = [], np.zeros(rows.height)
    for side in ("focal", "reference"):
        rate, n = values[f"rate_{side}"], values[f"n_{side}"]
        certain = is_reversed & np.isin(rate, (0.0, 1.0))
        one = np.where(certain, np.abs(rate - 1 / np.maximum(n, 1)), rate)
        reversed_by += np.where(is_mean, 0.0, np.abs(one - rate))
        moved.append(np.where(is_mean, values[f"mean_{side}"], one))
    t, reach = values["t_clustered"], np.full(rows.height, np.nan)
    comparisons = np.maximum(rows["comparisons"].fill_null(0).to_numpy(), 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.abs((moved[0] - moved[1]) / np.where(t != 0, t, np.nan))
    for number in np.unique(comparisons):
        at = comparisons == number
        reach[at] = stats.detectable_difference(
            error[at], df=values["df_clustered"][at], confidence=1 - LEVEL / number
        ).estimate
    return np.asarray(reach + reversed_by, dtype=np.float64)


def _needed(finding: Finding) -> int | None:
    """Return how many people per group the test needs to find four fifths of the reference's rate."""
    rate, claim = ImpactRatio.of(finding).rate_reference, finding.claim
    if not rate or claim is None or claim.verdict != "no_difference_detected" or claim.df is not None:
        return None
    level = LEVEL / claim.family_size
    needed: int = stats.decisions_needed(rate, FOUR_FIFTHS, confidence=1 - level).estimate
    return needed


def _with_detectable(findings: Sequence[Finding], rows: pl.DataFrame) -> list[Finding]:
    """Return findings whose ratios among all applicants have the detectable ratio, or the caution, of their row."""
    whole = rows.filter(pl.col("position") == WHOLE)
    detectable = iter(whole["detectable_ratio"].to_list())
    cautions = iter(whole["caution"].to_list() if "caution" in whole.columns else [None] * whole.height)
    result = []
    for finding in findings:
        ratio = finding.measure in {IMPACT_RATIO, MEAN_RATIO} and bool(finding.focal)
        value, caution = (next(detectable), next(cautions)) if ratio else (None, None)
        changed: dict[str, Any] = {}
        if isinstance(finding.details, ImpactRatio) and value is not None:
            changed["details"] = replace(finding.details, detectable_ratio=value, needed_per_group=_needed(finding))
        if finding.claim is not None and ratio:
            reach = value if finding.verdict == "no_difference_detected" else None
            changed["claim"] = replace(finding.claim, caution=caution or finding.claim.caution, detectable=reach)
        result.append(replace(finding, **changed))
    return result


def _chance(cells: GroupCells, choices: ImpactChoices) -> dict[tuple[Any, ...], float]:
    """Return the share of positions that are below four fifths by chance, where the reference is the highest rate."""
    if cells.mean is not None or cells.clusters is not None or not choices.references.by_highest(cells):
        return {}
    flags = impact_tables.chance_of_flags(cells, choices.references, seed=choices.seed)
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
    clustering: ClusterCounts | None,
    bounds: CountBounds | None,
    by_position: bool,
) -> Iterator[GroupCells]:
    """Yield the cells of each attribute, then of each intersection; decisions before scores."""
    of_means = {"approach": pl.lit(MEANS), "cutoff": pl.lit(None, pl.Float64)}
    clusters = clustering.names if clustering is not None else ()
    built: dict[str, Any] = {"by_position": by_position, "clusters": clusters, "exclusion": choices.exclusion}
    for names in attribute_sets(attributes, crossed=choices.intersectional):
        if counts.height:
            apart = None if clustering is None or not clusters else clustering.counts
            cells = impact_cells.cells_of(counts, names, clustered=apart, bounds=bounds, **built)
            yield _checked(cells, choices.references)
        if scores is not None:
            means = scores.with_columns(**of_means)
            apart = None
            if clustering is not None and clusters and clustering.scores is not None:
                apart = clustering.scores.with_columns(**of_means)
            yield _checked(impact_cells.cells_of(means, names, clustered=apart, **built), choices.references)


def _checked(cells: GroupCells, references: References) -> GroupCells:
    """Return cells whose named reference is judged."""
    named = references.group(cells)
    if named is not None and not cells.judged[named]:
        label = shortened(f"{cells.name}={cells.labels[named]}")
        raise InputError(f"{option_text('reference', label)} can't be the reference. {cells.unjudged}")
    return cells


def _sorted(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows by approach, cut-off, stage, all applicants first; attributes keep their order."""
    order = pl.col("approach").cast(pl.Enum(APPROACHES))
    return rows.sort(order, "cutoff", "stage", "position", maintain_order=True)
