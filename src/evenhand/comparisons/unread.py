"""What headline comparisons would be if unread answers were read: for one group, for the other, as a judge reads them.

Only answers without a decision, and with several, are taken either way (Horowitz and Manski 1998, J. Econometrics 84).
Refusals, answers without a text or cut off, and failed requests could not have been read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pkgutil import resolve_name
from typing import Any

import polars as pl

from evenhand.comparisons.claims import PLANNED, in_families
from evenhand.comparisons.units import Draw, bare
from evenhand.results.finding import AsJudged, Finding, UnreadBounds, copied
from evenhand.results.measures import (
    ACCEPT,
    AS_JUDGED,
    NONE,
    UNREAD_BOUNDS,
    Alias,
    Contrast,
    Distance,
    MeasureSet,
    Slice,
    Summary,
)
from evenhand.results.schemas import CONTEXT, PROTECTED, STATUS, UNREAD, WITHOUT_TEXT

#: Which rows are of unread answers.
_UNREAD = pl.col("status").is_in(UNREAD) & ~pl.col("reading").cast(pl.String).fill_null("").is_in(WITHOUT_TEXT)
METHOD = "unread answers read for one group and against the other; no sampling error"
JUDGED_METHOD = "unread answers as a judge reads them; not tested"


@dataclass(frozen=True, kw_only=True)
class JudgedAnswers:
    """What a judge reads in unread answers: a row of `item, prompt, attempt, label` each, null where it said no label.

    Labels are decisions, scores, or the names of those ranked first.
    """

    judge: str
    readings: pl.DataFrame


def unread_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    findings: Sequence[Finding],
    judged: JudgedAnswers | None,
    draw: Draw,
) -> list[Finding]:
    """Return the bounds of each headline comparison over all readings of unread answers; none where all were read.

    Where a judge read them, each comparison with its readings follows the bounds.

    The comparison is made again with either reading, with its test and correction. A document is read as a whole
    and has no worst reading, nor has a slope.
    """
    headline = [finding for finding in findings if _is_bounded(finding, measured)]
    if not headline or not outcomes.select(_UNREAD.any()).collect().item():
        return []
    sets = _set_keys(measured)
    measures = {measure.name for measure in measured.measures}
    planned = [finding for finding in findings if finding.claim is not None and finding.claim.planned]
    # Of a process in steps the other steps are compared, too.
    others = [finding.claim.p or 1.0 for finding in planned if finding.claim and finding.measure not in measures]
    result = []
    for finding in headline:
        focal = finding.focal or dict(measured.choice or {})
        if not focal:
            continue  # nobody was compared
        sides = [_has(outcomes, focal), ~_has(outcomes, focal)]
        if set(finding.reference) == set(focal):
            sides[1] = _has(outcomes, finding.reference)
        counted = outcomes.filter(_UNREAD)
        if sets:
            counts = [counted.select(pl.struct(sets).n_unique()).collect().item(), 0]
        else:
            counts = list(counted.select(side.sum().alias(str(n)) for n, side in enumerate(sides)).collect().row(0))
        if not sum(counts):
            continue
        ends = []
        for favoured in (sides[0], ~sides[0]):
            filled = _read_for(outcomes, favoured, measured)
            ends.append(_measured_again(filled, finding, measured, draw, others=others))
        if any(end.estimate is None for end in ends):
            continue
        low, high = sorted(ends, key=lambda end: end.estimate or 0.0)
        result.append(
            _beside(
                finding,
                UNREAD_BOUNDS,
                focal=focal,
                estimate=finding.estimate,
                reason=finding.reason,
                low=low.estimate,
                high=high.estimate,
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
        if judged is not None:
            result.append(_as_judged(outcomes, measured, finding, judged, draw, sides=sides))
    return result


def _as_judged(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    finding: Finding,
    judged: JudgedAnswers,
    draw: Draw,
    *,
    sides: Sequence[pl.Expr],
) -> Finding:
    """Return a headline comparison with the judge's readings in place of none."""
    unread, said = _UNREAD, pl.col("judged")
    keys = {"item": pl.col("item"), "prompt": pl.coalesce("set", "unit"), "attempt": pl.col("attempt")}
    joined = (
        outcomes.with_columns(keys["prompt"].alias("prompt"))
        .join(
            judged.readings.lazy().rename({"label": "judged"}),
            on=list(keys),
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
        .drop("prompt")
    )
    choice = measured.choice is not None
    favoured = said == (pl.col("context.name") if choice else pl.lit(ACCEPT))
    score = said.cast(pl.Float64, strict=False) if measured.scored is not None else pl.lit(None)
    read = _filled(joined, unread & (said != NONE).fill_null(value=False), favoured, score, measured)
    end = _measured_again(read.drop("judged"), finding, measured, draw, others=())
    label = said if measured.scored is None else pl.when(score.is_not_null()).then(pl.lit("score")).otherwise(said)
    label = pl.when(choice & favoured).then(pl.lit("first")).otherwise(label).fill_null(UNREAD[0])
    rows = joined.filter(unread).with_columns(
        label.alias("judged"), *(side.alias(f"side{n}") for n, side in enumerate(sides))
    ).collect()  # fmt: skip
    chosen = rows.filter(pl.col("judged") == "first") if choice else rows
    without = rows.filter(pl.col("judged").is_in([NONE, *UNREAD])).unique(_set_keys(measured)) if choice else rows[:0]
    focal, reference, others = (
        dict(sorted(part["judged"].value_counts().iter_rows()))
        for part in (chosen.filter("side0"), chosen.filter("side1"), without)
    )
    return _beside(
        finding,
        AS_JUDGED,
        focal=finding.focal or dict(measured.choice or {}),
        **copied(end, "estimate reason n clusters"),
        method=JUDGED_METHOD,
        details=AsJudged(
            comparison=finding.name,
            judge=judged.judge,
            unread=sum(sum(labels.values()) for labels in (focal, reference, others)),
            labels_focal=focal,
            labels_reference=reference,
            labels=others,
        ),
    )


def _beside(finding: Finding, measure: str, **values: Any) -> Finding:
    """Return a descriptive finding that stands beside a headline comparison."""
    same = copied(finding, "reference confidence measured_in null_value")
    return Finding(name=f"{finding.name}_{measure}", measure=measure, role="descriptive", **same, **values)


def _is_bounded(finding: Finding, measured: MeasureSet) -> bool:
    """Return whether a headline comparison lies between two extreme readings: no slope, and no difference of roles."""
    if finding.role != "planned" or finding.slice or measured.aspect is not None:
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
    scored = measured.scored
    sets = _set_keys(measured)
    if sets:
        first = pl.int_range(pl.len()).over(sets) == 0
        favoured = (
            pl.when(favoured.any().over(sets)).then(favoured & (favoured.cum_sum().over(sets) == 1)).otherwise(first)
        )
    score = pl.lit(None) if scored is None else pl.when(favoured).then(scored.high).otherwise(scored.low)
    return _filled(outcomes, _UNREAD, favoured, score, measured)


def _filled(
    outcomes: pl.LazyFrame, which: pl.Expr, favoured: pl.Expr, score: pl.Expr, measured: MeasureSet
) -> pl.LazyFrame:
    """Return outcomes in which some rows are observed: a success where they are favoured, or with a score."""
    filled = {
        "successes": None if measured.scored is not None else favoured.cast(pl.Int32),
        "trials": pl.lit(1, pl.Int32),
        "score": score.cast(pl.Float64),
        "status": pl.lit("observed", STATUS),
    }
    return outcomes.with_columns(
        pl.when(which).then(value).otherwise(pl.col(name)).alias(name)
        for name, value in filled.items()
        if value is not None
    )


def _measured_again(
    outcomes: pl.LazyFrame, finding: Finding, measured: MeasureSet, draw: Draw, *, others: Sequence[float]
) -> Finding:
    """Return a headline finding of other outcomes, corrected with all headline findings; itself where none is read.

    `others` are the p of comparisons besides those of `measured`.
    """
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
    findings = in_families(
        resolve_name(measured.judgement.declared)(outcomes, headline, draw), unseen={PLANNED: others}
    )
    return next((result for result in findings if result.name == finding.name), finding)
