"""Groups compared within strata: blocks, positions (Mantel-Haenszel) and people with the same qualifications."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from evenhand.comparisons.impact_cells import GroupCells, References, cells_of, eligible_groups, reference_groups
from evenhand.comparisons.units import Floats
from evenhand.errors import InputError
from evenhand.results.finding import AdjustedFor, AdjustedOdds, Finding, Test
from evenhand.results.measures import ADJUSTED_ODDS_RATIO, BLOCK_DIFFERENCE
from evenhand.results.schemas import MEANS, POOLED, PROTECTED, WHOLE
from evenhand.stats import WithinBlocks, breslow_day, holm, logistic_counts, mantel_haenszel, odds_ratio, within_blocks

LEVEL = 0.05
GIVEN = "given."
#: A text column with more values than this identifies people rather than their qualifications.
MOST_LEVELS = 100
METHOD = "logistic regression, Wald interval"


def block_findings(
    counts: pl.DataFrame,
    attributes: Sequence[str],
    references: References,
    *,
    clusters: Sequence[str],
    blocks: Sequence[str],
    confidence: float = 0.95,
) -> Iterator[Finding]:
    """Yield the difference of each group within blocks, among all applicants of a definition and a stage.

    `counts` are those of `measure_impact`, decisions or scores, by cluster and block: `cluster_0`, `cluster_1` and so
    on have the codes of the columns `clusters`, then those of `blocks`. p is adjusted over the groups of an attribute
    (Holm).
    """
    scores = "mean" in counts.columns
    if scores:
        counts = counts.with_columns(approach=pl.lit(MEANS), cutoff=pl.lit(None, pl.Float64))
        counts = counts.with_columns(value=pl.col("n") * pl.col("mean"))
    else:
        counts = counts.with_columns(value=pl.col("successes"))
    codes = [f"cluster_{place}" for place in range(len(clusters) + len(blocks))]
    for attribute in attributes:
        cells = cells_of(counts, [attribute], by_position=False)
        if len(cells.groups) < 2:
            continue
        reference = reference_groups(cells, references, eligible_groups(cells, min_share=0))
        for cell in np.flatnonzero(cells.whole):
            keys = cells.keys.row(int(cell), named=True)
            same = [pl.col(name).eq_missing(pl.lit(keys[name], counts[name].dtype)) for name in ("approach", "cutoff")]
            known = pl.col(PROTECTED + attribute).is_not_null()
            entries = (
                counts.filter(*same, pl.col("stage") == keys["stage"], known)
                .group_by(PROTECTED + attribute, *codes)
                .agg(pl.col("n", "value").sum())
            )
            against = int(reference[cell])
            groups = [group for group in range(len(cells.groups)) if group != against and cells.n[cell, group]]
            results = [
                _block_comparison(
                    entries, cells, (group, against), codes, clusters=len(clusters), confidence=confidence
                )
                for group in groups
            ]
            adjusted = holm([np.nan if result.p is None else result.p for result in results])
            for group, result, p in zip(groups, results, np.atleast_1d(adjusted.p), strict=True):
                yield _finding(cells, keys, group, against, result, p=float(p), clusters=clusters, blocks=blocks)


def _block_comparison(
    entries: pl.DataFrame,
    cells: GroupCells,
    pair: tuple[int, int],
    codes: Sequence[str],
    *,
    clusters: int,
    confidence: float,
) -> WithinBlocks:
    """Return the comparison of a group with the reference within blocks."""
    attribute = PROTECTED + cells.attributes[0]
    first, second = (cells.groups[group][0] for group in pair)
    both = entries.filter(pl.col(attribute).is_in([first, second]))
    focal = (both[attribute] == first).to_numpy()
    n, value = both["n"].to_numpy().astype(np.float64), both["value"].to_numpy().astype(np.float64)
    block = both.select(pl.struct(codes[clusters:]).rank("dense")).to_series().to_numpy()
    cluster_codes = [both[name].to_numpy() for name in codes[:clusters]]
    return within_blocks(
        value * focal,
        n * focal,
        value * ~focal,
        n * ~focal,
        block.astype(np.int64),
        cluster_codes,
        confidence=confidence,
    )


def _finding(
    cells: GroupCells,
    keys: dict[str, Any],
    group: int,
    against: int,
    result: WithinBlocks,
    *,
    p: float,
    clusters: Sequence[str],
    blocks: Sequence[str],
) -> Finding:
    names = clusters or [" × ".join(blocks)]
    parts = {name: str(keys[name]) for name in ("approach", "stage") if keys[name] not in {"", "selected"}}
    if keys["cutoff"] is not None and keys["approach"] == "cutoff":
        parts["cutoff"] = f"{keys['cutoff']:g}"
    label = cells.labels[group]
    adjusted = None if np.isnan(p) else p
    return Finding(
        name="_".join("_".join([BLOCK_DIFFERENCE, cells.name, label, *parts.values()]).split()),
        measure=BLOCK_DIFFERENCE,
        slice=parts,
        focal=cells.named(label),
        reference=cells.named(cells.labels[against]),
        role="planned",
        estimate=result.estimate,
        low=result.low,
        high=result.high,
        confidence=result.confidence,
        measured_in="points" if cells.mean is not None else "share",
        null_value=0.0,
        n=result.n,
        clusters={" × ".join(blocks): result.blocks} | dict(zip(names, result.clusters, strict=False)),
        method=f"{result.method} ({', '.join(names)})",
        tests=(Test(name="Cluster-robust t", statistic=result.t, p=result.p, reason=result.reason),),
        p_adjusted=adjusted,
        adjustment=None if adjusted is None else "Cluster-robust t, Holm over the groups",
        verdict=None if adjusted is None else "difference" if adjusted < LEVEL else "inconclusive",
        reason=result.reason,
    )


def pooled_rows(
    cells: GroupCells, references: References, *, min_share: float = 0.0, confidence: float = 0.95
) -> pl.DataFrame:
    """Return one row per approach, cut-off, stage and group, over the positions as strata.

    The reference is that of all applicants together. `simpson` is true where these and the
    strata point in different directions: a group behind in the pooled rates is ahead within
    positions. Scores have no such table.
    """
    if cells.mean is not None or cells.whole.all() or len(cells.groups) < 2:
        return pl.DataFrame(schema=POOLED)
    eligible = eligible_groups(cells, min_share=min_share)
    reference = reference_groups(cells, references, eligible)
    rows = []
    for whole in np.flatnonzero(cells.whole):
        matching = cells.keys.select(
            (pl.col(name).eq_missing(pl.lit(cells.keys[name][int(whole)], cells.keys[name].dtype))).alias(name)
            for name in ("approach", "cutoff", "stage")
        )
        strata = np.flatnonzero(matching.select(pl.all_horizontal(pl.all())).to_series().to_numpy() & ~cells.whole)
        against = int(reference[whole])
        if against < 0 or not strata.size:
            continue
        rows += [
            _row(cells, int(whole), strata, group, against, confidence=confidence)
            for group in range(len(cells.groups))
            if group != against and eligible[group]
        ]
    return pl.DataFrame(rows, schema=POOLED, orient="row")


def _row(
    cells: GroupCells, whole: int, strata: np.ndarray, group: int, against: int, *, confidence: float
) -> dict[str, object]:
    counts = [matrix[strata, column] for column in (group, against) for matrix in (cells.selected, cells.n)]
    common, homogeneity = mantel_haenszel(*counts, confidence=confidence), breslow_day(*counts)
    focal, reference = (float(cells.rates[whole, column]) for column in (group, against))
    keys = cells.keys.row(whole, named=True)
    directions = 0.0 if common.estimate is None else np.sign(focal - reference) * np.sign(common.estimate - 1)
    return {
        "attribute": cells.name,
        "focal": cells.labels[group],
        "reference": cells.labels[against],
        "strata": common.strata,
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
        "simpson": None if common.estimate is None else bool(directions < 0),
        "approach": keys["approach"],
        "cutoff": keys["cutoff"],
        "stage": keys["stage"],
        "rate_focal": focal,
        "rate_reference": reference,
        "n": common.n,
        "reason": common.reason or homogeneity.reason,
    }


def qualification_findings(
    frame: pl.DataFrame, attributes: Sequence[str], references: References, *, confidence: float = 0.95
) -> Iterator[Finding]:
    """Yield, per group, the odds ratio among people with the same qualifications.

    `frame` has `protected.<name>`, `given.<name>` (numbers or text; null where not known), n and
    successes. Per attribute, selection is regressed on the groups and all given columns:
    numbers linearly in the log odds, texts as factors. Rows with an unknown group or
    qualification are left out and counted in the details.

    Raises
    ------
    InputError
        A text column has more values than a regression can take.

    """
    qualifications = [name for name in frame.columns if name.startswith(GIVEN)]
    for name in qualifications:
        levels = frame[name].n_unique() if frame[name].dtype == pl.String else 0
        if levels > MOST_LEVELS:
            message = (
                f"--given {name.removeprefix(GIVEN)} has {levels} values, more than {MOST_LEVELS}; group them first."
            )
            raise InputError(message)
    for attribute in attributes:
        column = PROTECTED + attribute
        used = frame.drop_nulls([column, *qualifications])
        counts = used.with_columns(
            approach=pl.lit("selected"), cutoff=pl.lit(None, pl.Float64), stage=pl.lit(""), position=pl.lit(WHOLE)
        )
        cells = cells_of(counts, [attribute], by_position=False)
        if len(cells.groups) < 2 or not cells.keys.height:
            yield _nothing(attribute, qualifications, used)
        else:
            reference = int(reference_groups(cells, references, eligible_groups(cells, min_share=0))[0])
            left_out = int(frame["n"].sum()) - int(used["n"].sum())
            yield from _odds_ratios(used, cells, qualifications, reference, left_out=left_out, confidence=confidence)


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
    cells: GroupCells,
    qualifications: Sequence[str],
    reference: int,
    *,
    left_out: int,
    confidence: float,
) -> Iterator[Finding]:
    attribute = cells.attributes[0]
    labels = [group[0] for group in cells.groups]
    focal = [place for place in range(len(labels)) if place != reference]
    columns = [np.ones(used.height)]
    names = ["intercept"]
    for name in qualifications:
        for values in _columns(used[name]):
            columns.append(values)
            names.append(name)
    groups = used[PROTECTED + attribute]
    for place in focal:
        columns.append((groups == labels[place]).to_numpy().astype(np.float64))
        names.append(attribute)
    # Qualifications first: where a group and a qualification can't be separated, the group has no estimate.
    fit = logistic_counts(np.column_stack(columns), used["successes"], used["n"], names=names, confidence=confidence)
    term = next((term for term in fit.terms if term.name == attribute), None)
    for number, place in enumerate(focal, start=len(names) - len(focal)):
        counts = [int(matrix[0, group]) for group in (place, reference) for matrix in (cells.selected, cells.n)]
        known = np.isfinite(fit.estimate[number])
        p = float(fit.p[number]) if known else None
        yield Finding(
            name=f"{ADJUSTED_ODDS_RATIO}_{attribute}_{'_'.join(labels[place].split())}",
            measure=ADJUSTED_ODDS_RATIO,
            focal={attribute: labels[place]},
            reference={attribute: labels[reference]},
            role="exploratory",
            estimate=float(np.exp(fit.estimate[number])) if known else None,
            low=float(np.exp(fit.low[number])) if known else None,
            high=float(np.exp(fit.high[number])) if known else None,
            confidence=confidence,
            measured_in="ratio",
            null_value=1.0,
            n=fit.n,
            clusters={"person": fit.n},
            method=METHOD,
            tests=(
                Test(name="Wald", statistic=float(fit.z[number]) if known else None, p=p),
                Test(
                    name=f"likelihood ratio, all groups of {attribute}",
                    statistic=None if term is None else term.likelihood_ratio,
                    p=None if term is None else term.p_likelihood_ratio,
                ),
            ),
            verdict=None if p is None else "difference" if p < LEVEL else "inconclusive",
            reason=None if known else str(fit.reason or fit.reasons[number]),
            details=AdjustedOdds(
                given=tuple(name.removeprefix(GIVEN) for name in qualifications),
                odds_ratio_crude=odds_ratio(*counts).estimate,
                n_left_out=left_out,
                rate_focal=counts[0] / counts[1] if counts[1] else None,
                rate_reference=counts[2] / counts[3] if counts[3] else None,
            ),
        )


def _columns(values: pl.Series) -> list[Floats]:
    """Return a number as one centred column, a text as one column per value but the most frequent."""
    if values.dtype != pl.String:
        numbers = values.cast(pl.Float64).to_numpy()
        spread = float(numbers.std()) if numbers.size else 0.0
        return [(numbers - numbers.mean()) / spread] if spread else []
    counted = values.value_counts(sort=True, name="rows").sort("rows", values.name, descending=[True, False])
    return [(values == level).to_numpy().astype(np.float64) for level in counted[values.name][1:]]
