"""The findings of one probe: headline, slices, instructions, groups, rankings, documents, unread answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.tables.audit.measured import Measured, Regression
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.details import Bin, Word
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.exploratory import race_differences, surviving_parts
from evenhand.tables.grouped.keys import by_key
from evenhand.tables.grouped.names import (
    CUTOFF,
    DIFFERENCE,
    DOCUMENT_LENGTH,
    IMPACT_RATIO,
    INTERACTION,
    INTERCEPT,
    MEAN_RANK,
    MIXED_ODDS_RATIO,
    MIXED_SD,
    OUTRANKED,
    REFUSED_RATE,
    REPETITION_SD,
    STANDARDIZED,
    UNDETECTED_ATTEMPTS,
    UNDETECTED_RATE,
    UNRANKED_RATE,
    VARIANCE,
    WIN_RATE_RANGE,
    WORD_LOG_ODDS,
)
from evenhand.tables.grouped.population import Population, population_of

__all__ = ["Fit", "Headline", "ProbeGroups", "Scores", "Sliced", "Slices", "headline_of", "probe_groups"]

SLOT = "slot"
INSTRUCTION = "template"

Findings = tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class Headline:
    """A headline finding, and those of its two groups, where there are any."""

    finding: Finding
    groups: Findings


@dataclass(frozen=True, kw_only=True)
class Sliced:
    """One measure within each level of a slice; `whole` is the whole run's, or the first of these where it has none."""

    whole: Finding
    levels: Findings


@dataclass(frozen=True, kw_only=True)
class Slices:
    """The headline measures within the levels of some columns; where these have none, their own contrasts."""

    columns: tuple[str, ...]
    measures: tuple[Sliced, ...]


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The straight line of one group."""

    slope: Finding
    intercept: Finding


@dataclass(frozen=True, kw_only=True)
class Scores:
    """What differences of scores are held against, and whom scores select.

    `cutoff` is what a score must exceed; `outranked` the share of others that each group is scored above.
    """

    cutoff: Finding | None
    standardized: Findings
    interactions: Findings
    outranked: Findings
    repetitions: Findings


@dataclass(frozen=True, kw_only=True)
class ProbeGroups:
    """The findings of one probe in the order in which they are read.

    `bins` and `fits` go along a context number, `slope_contrast` is the difference of the slopes. `rates` are those
    of combinations of groups, by measure, `ratios` each one's over the highest. `variances` are those
    between instructions. `undetected` are the rates over the whole run, `undetected_groups` those of groups.
    `population` is None where groups are not compared with all of them. `race` are ratios of groups that differ in
    race only, `parts` the headline measures within parts of the run: those that are differences after adjustment.
    """

    headline: tuple[Headline, ...]
    bins: Findings
    fits: tuple[Fit, ...]
    slope_contrast: Finding | None
    rates: Mapping[str, Findings]
    ratios: Findings
    slots: Findings
    ranges: Findings
    ranks: Findings
    unranked: Findings
    slices: tuple[Slices, ...]
    instruction: str
    instructions: Mapping[str, Findings]
    variances: Findings
    words: Findings
    coded_words: Findings
    lengths: Findings
    refusals: Findings
    undetected: Findings
    undetected_groups: Findings
    undetected_contrasts: Findings
    population: Population | None
    mixed_odds: Findings
    mixed_spreads: Findings
    scores: Scores | None
    race: Findings
    parts: Findings


def probe_groups(findings: Sequence[Finding], audit: ProbeAudit) -> ProbeGroups:
    """Return the findings of one probe, grouped as its page tells them."""
    whole = [each for each in findings if not each.slice]
    unread = [each for each in whole if UNDETECTED_RATE in each.measure]
    words = _named(WORD_LOG_ODDS, findings)
    fits = _fits(whole)
    headline = headline_of(findings, audit)
    key = audit.instruction or INSTRUCTION
    instructions = [each for each in findings if set(each.slice) == {key} and not (each.focal and not each.reference)]
    return ProbeGroups(
        headline=headline,
        bins=_bins(findings, audit.regression or Regression()),
        fits=fits,
        slope_contrast=_slope_contrast(fits, whole),
        rates=_rates(whole),
        ratios=_named(IMPACT_RATIO, whole),
        slots=tuple(each for each in findings if set(each.slice) == {SLOT}),
        ranges=tuple(each for each in findings if each.measure.endswith(WIN_RATE_RANGE)),
        ranks=_beginning(MEAN_RANK, whole),
        unranked=_beginning(UNRANKED_RATE, whole),
        slices=_slices(findings, audit, headline, without={key}),
        instruction=key,
        instructions=by_key(lambda each: each.measure, sorted(instructions, key=lambda each: each.measure)),
        variances=_beginning(f"{key}{VARIANCE}", findings),
        words=words,
        coded_words=tuple(each for each in words if Word.of(each).coded),
        lengths=_beginning(DOCUMENT_LENGTH, whole),
        refusals=_beginning(REFUSED_RATE, whole),
        undetected=tuple(each for each in unread if not each.focal and not each.reference),
        undetected_groups=tuple(
            each for each in unread if each.measure == UNDETECTED_ATTEMPTS and each.focal and not each.reference
        ),
        undetected_contrasts=tuple(each for each in unread if each.reference),
        population=population_of(findings),
        mixed_odds=_named(MIXED_ODDS_RATIO, findings),
        mixed_spreads=_named(MIXED_SD, findings),
        scores=_scores(whole),
        race=race_differences(findings),
        parts=surviving_parts(findings, [each.finding for each in headline]),
    )


def headline_of(findings: Sequence[Finding], audit: Measured) -> tuple[Headline, ...]:
    """Return the headline findings in the order that the audit block gives."""
    by_name = {each.name: each for each in findings}
    found = [by_name[name] for name in audit.headline if name in by_name]
    return with_groups(found, findings)


def with_groups(found: Sequence[Finding], findings: Sequence[Finding]) -> tuple[Headline, ...]:
    """Return findings with those of their two groups: same slice and quantity, one group."""
    own = by_key(lambda each: (each.measure, each.measured_in), [each for each in findings if not each.reference])
    return tuple(
        Headline(
            finding=each,
            groups=tuple(
                next(iter(groups))
                for group in ((each.focal, each.reference) if each.reference else ())
                if (
                    groups := [
                        other
                        for other in own.get((_of_group(each.measure, group), each.measured_in), ())
                        if other.slice == each.slice and other.focal == group
                    ]
                )
            ),
        )
        for each in found
    )


def _of_group(measure: str, group: Mapping[str, str]) -> str:
    """Return the measure of one group whose difference a measure is."""
    return measure.replace(DIFFERENCE.strip("_"), "_".join(group.values()))


def _named(measure: str, findings: Sequence[Finding]) -> Findings:
    return tuple(each for each in findings if each.measure == measure)


def _beginning(prefix: str, findings: Sequence[Finding]) -> Findings:
    return tuple(each for each in findings if each.measure.startswith(prefix))


def _rates(whole: Sequence[Finding]) -> dict[str, Findings]:
    rates = [
        each
        for each in whole
        if len(each.focal) > 1
        and not each.reference
        and each.measured_in in {"share", "points"}
        and UNDETECTED_RATE not in each.measure
    ]
    return by_key(lambda each: each.measure, sorted(rates, key=lambda each: each.measure))


def _scores(whole: Sequence[Finding]) -> Scores | None:
    standardized = _beginning(STANDARDIZED, whole)
    if not standardized:
        return None
    return Scores(
        cutoff=next(iter(_named(CUTOFF, whole)), None),
        standardized=standardized,
        interactions=tuple(each for each in whole if INTERACTION in each.measure),
        outranked=tuple(each for each in whole if OUTRANKED in each.measure),
        repetitions=_named(REPETITION_SD, whole),
    )


def _bins(findings: Sequence[Finding], regression: Regression) -> Findings:
    return tuple(
        each
        for each in findings
        if set(each.slice) == {regression.against}
        and each.measure == regression.measure
        and Bin.of(each).mean is not None
    )


def _fits(whole: Sequence[Finding]) -> tuple[Fit, ...]:
    """Return slope and intercept of each group over the whole run, where both are known."""
    by_name = {each.name: each for each in whole}
    pairs = [(by_name.get(each.name.removesuffix(INTERCEPT)), each) for each in by_name.values()]
    return tuple(
        Fit(slope=slope, intercept=intercept)
        for slope, intercept in pairs
        if slope is not None
        and slope is not intercept
        and not intercept.reference
        and slope.estimate is not None
        and intercept.estimate is not None
    )


def _slope_contrast(fits: Sequence[Fit], whole: Sequence[Finding]) -> Finding | None:
    measured_in = {fit.slope.measured_in for fit in fits[:1]}
    return next((each for each in whole if each.reference and each.measured_in in measured_in), None)


def _slices(
    findings: Sequence[Finding], audit: ProbeAudit, headline: Sequence[Headline], *, without: set[str]
) -> tuple[Slices, ...]:
    columns = set(audit.slices) or {column for each in findings for column in each.slice}
    columns -= {*without, (audit.regression or Regression()).against}
    known = {each.measure for each in findings if not each.slice}
    found = []
    for keys, own in by_key(lambda each: tuple(each.slice), findings).items():
        if not keys or not set(keys) <= columns:
            continue
        measures = {each.measure for each in own}
        told = [each.finding for each in headline if each.finding.measure in measures]
        if not told:
            others = [each for each in own if each.null_value is not None and each.measure not in known]
            told = [each[0] for each in by_key(lambda each: each.measure, others).values()]
        sliced = [Sliced(whole=each, levels=levels) for each in told if (levels := _levels(each, own))]
        if sliced:
            found.append(Slices(columns=keys, measures=tuple(sliced)))
    return tuple(found)


def _levels(whole: Finding, own: Sequence[Finding]) -> Findings:
    """Return one finding per level; an alias repeats a measure under a second name, and the first name is enough."""
    same = [
        each
        for each in own
        if (each.measure, each.focal, each.reference) == (whole.measure, whole.focal, whole.reference)
    ]
    return tuple(levels[0] for levels in by_key(lambda each: tuple(each.slice.values()), same).values())
