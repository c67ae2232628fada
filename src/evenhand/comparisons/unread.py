"""What headline comparisons would be if answers that could not be read had been: for one group, or for the other.

Only answers without a decision, and with several, are taken either way (Horowitz and Manski 1998, J. Econometrics 84).
Refusals, answers that were cut off and failed requests are no answers that could have been read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pkgutil import resolve_name

import polars as pl

from evenhand.comparisons.claims import in_families
from evenhand.comparisons.units import bare
from evenhand.results.finding import Finding, UnreadBounds
from evenhand.results.measures import UNREAD_BOUNDS, Alias, Contrast, Distance, MeasureSet, Slice, Summary
from evenhand.results.schemas import CONTEXT, PROTECTED, STATUS, UNREAD

METHOD = "unread answers read for one group and against the other; no sampling error"


def unread_findings(
    outcomes: pl.LazyFrame, measured: MeasureSet, findings: Sequence[Finding], **draw: float
) -> list[Finding]:
    """Return the bounds of each headline comparison over all readings of unread answers; none where all were read.

    The comparison is made again with either reading, with its test and correction; `draw` are seed, confidence,
    resamples and permutations. A document is read as a whole and has no worst reading, nor has a slope.
    """
    headline = [finding for finding in findings if _is_bounded(finding, measured)]
    unread = pl.col("status").is_in(UNREAD)
    if not headline or not outcomes.select(unread.any()).collect().item():
        return []
    sets = _set_keys(measured)
    result = []
    for finding in headline:
        focal = finding.focal or dict(measured.choice or {})
        sides = [_has(outcomes, focal), ~_has(outcomes, focal)]
        if set(finding.reference) == set(focal):
            sides[1] = _has(outcomes, finding.reference)
        counted = outcomes.filter(unread)
        if sets:
            counts = [counted.select(pl.struct(sets).n_unique()).collect().item(), 0]
        else:
            counts = list(counted.select(side.sum().alias(str(n)) for n, side in enumerate(sides)).collect().row(0))
        if not sum(counts):
            continue
        ends = []
        for favoured in (sides[0], ~sides[0]):
            filled = _read_for(outcomes, favoured, measured)
            ends.append(_measured_again(filled, finding, measured, **draw))
        low, high = sorted(ends, key=lambda end: end.estimate or 0.0)
        result.append(
            Finding(
                name=f"{finding.name}_{UNREAD_BOUNDS}",
                measure=UNREAD_BOUNDS,
                focal=focal,
                reference=finding.reference,
                role="descriptive",
                estimate=finding.estimate,
                low=low.estimate,
                high=high.estimate,
                confidence=finding.confidence,
                measured_in=finding.measured_in,
                null_value=finding.null_value,
                n=high.n,
                clusters=high.clusters,
                method=METHOD,
                details=UnreadBounds(
                    comparison=finding.name,
                    unread=sum(counts),
                    unread_focal=None if sets else counts[0],
                    unread_reference=None if sets else counts[1],
                    verdict=finding.verdict,
                    verdict_low=low.verdict,
                    verdict_high=high.verdict,
                ),
            )
        )
    return result


def _is_bounded(finding: Finding, measured: MeasureSet) -> bool:
    """Return whether a headline comparison lies between two extreme readings: no slope, and no difference of roles."""
    if finding.role != "planned" or finding.slice or finding.estimate is None or measured.aspect is not None:
        return False
    measure = next((measure for measure in measured.measures if measure.name == finding.measure), None)
    if not isinstance(measure, Summary | Contrast):
        return measured.population is not None
    weights = (measure.over.weights if measure.over is not None else None) or {}
    return measure.statistic == "rate" and min(weights.values(), default=0.0) >= 0


def _set_keys(measured: MeasureSet) -> list[pl.Expr]:
    """Return what tells choices apart; nothing where each row is a judgement by itself."""
    keys = [pl.col("item"), pl.col("set").fill_null(pl.col("unit")).alias("set"), pl.col("attempt")]
    return keys if measured.choice is not None else []


def _has(outcomes: pl.LazyFrame, group: Mapping[str, str]) -> pl.Expr:
    """Return which rows are of a group; those of unknown group are not."""
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    has = [pl.col(full[column]).cast(pl.String) == level for column, level in group.items()]
    return pl.all_horizontal(has).fill_null(value=False)


def _read_for(outcomes: pl.LazyFrame, favoured: pl.Expr, measured: MeasureSet) -> pl.LazyFrame:
    """Return outcomes with unread answers read for the favoured rows; of a choice the first of them is chosen."""
    unread, scored = pl.col("status").is_in(UNREAD), measured.scored
    sets = _set_keys(measured)
    if sets:
        first = pl.int_range(pl.len()).over(sets) == 0
        favoured = (
            pl.when(favoured.any().over(sets)).then(favoured & (favoured.cum_sum().over(sets) == 1)).otherwise(first)
        )
    score = pl.lit(None) if scored is None else pl.when(favoured).then(scored.high).otherwise(scored.low)
    filled = {
        "successes": None if scored is not None else favoured.cast(pl.Int32),
        "trials": pl.lit(1, pl.Int32),
        "score": score.cast(pl.Float64),
        "status": pl.lit("observed", STATUS),
    }
    return outcomes.with_columns(
        pl.when(unread).then(value).otherwise(pl.col(name)).alias(name)
        for name, value in filled.items()
        if value is not None
    )


def _measured_again(outcomes: pl.LazyFrame, finding: Finding, measured: MeasureSet, **draw: float) -> Finding:
    """Return a headline finding of other outcomes, corrected with all headline findings."""
    measures = tuple(measure for measure in measured.measures if measure.name in measured.headline)
    combined = {
        measure.over.column for measure in measures if not isinstance(measure, Alias | Distance) and measure.over
    }
    headline = replace(
        measured,
        measures=measures,
        slices=tuple(Slice(columns=(column,), prefix="", measures=()) for column in sorted(combined)),
        monte_carlo=None,
    )
    findings = in_families(resolve_name(measured.judgement.declared)(outcomes, headline, **draw))
    return next(result for result in findings if result.name == finding.name)
