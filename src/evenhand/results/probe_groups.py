"""The findings of a suite, by probe.

Rows by a key.
The findings of a comparison: by probe, then by measure.
Groups compared with all of them together: over all rows, and cut by one column at a time.
Exploratory findings that hold after adjustment: parts of the run, and groups that differ in race only.
The findings of one probe: headline, slices, instructions, groups, rankings, documents, unread answers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evenhand.results import measures as results_measures
from evenhand.results.audit import CompareAudit, ComparedProbe, Measured, ProbeAudit, Regression, SuiteAudit, SuiteProbe
from evenhand.results.finding import Bin, Finding, Word

K = TypeVar("K")
R = TypeVar("R")


def by_key(key: Callable[[R], K], rows: Iterable[R]) -> dict[K, tuple[R, ...]]:
    """Return rows by their key; keys and rows in the order in which they come.

    >>> by_key(len, ["b", "cc", "a"])
    {1: ('b', 'a'), 2: ('cc',)}
    """
    found: dict[K, list[R]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return {each: tuple(own) for each, own in found.items()}


MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class ComparedMeasure:
    """One measure: each model's own value, and the differences between models."""

    headline: bool
    models: tuple[Finding, ...]
    differences: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class CompareGroups:
    """The measures of one probe, those of its headline first."""

    probe: ComparedProbe
    measures: tuple[ComparedMeasure, ...]


def compare_groups(findings: Sequence[Finding], audit: CompareAudit) -> tuple[CompareGroups, ...]:
    """Return what is told of each probe of a comparison."""
    return tuple(CompareGroups(probe=probe, measures=_measures(findings, probe)) for probe in audit.probes)


def _measures(findings: Sequence[Finding], probe: ComparedProbe) -> tuple[ComparedMeasure, ...]:
    prefix = probe.probe.replace("-", "_") + "_"
    own = by_key(lambda each: each.measure, [each for each in findings if each.name.startswith(prefix)])
    return tuple(
        ComparedMeasure(
            headline=measure in probe.headline,
            models=tuple(each for each in own[measure] if MODEL in each.slice),
            differences=tuple(each for each in own[measure] if MODEL in each.reference),
        )
        for measure in dict.fromkeys([*probe.headline, *own])
        if measure in own
    )


@dataclass(frozen=True, kw_only=True)
class Cut:
    """The groups at each level of a column; all rows are one level, "", of the column "".

    `widest` are the widest gaps, `changes` whether a group's difference to all changes with the level.
    """

    column: str
    cells: tuple[Finding, ...]
    widest: tuple[Finding, ...]
    changes: tuple[Finding, ...]

    @property
    def levels(self) -> list[str]:
        """Return the levels, in the order of the findings."""
        return list(dict.fromkeys(self.level(each) for each in self.cells))

    def level(self, finding: Finding) -> str:
        """Return the level that a finding is of."""
        return finding.slice.get(self.column, "")


@dataclass(frozen=True, kw_only=True)
class Population:
    """The findings on groups against all; `groups` are all of them.

    `cuts` stand by column, all rows under "". `stated` are the shares of unreadable answers,
    `validity` compares groups in it.
    """

    groups: tuple[Mapping[str, str], ...]
    cuts: Mapping[str, Cut]
    interactions: tuple[Finding, ...]
    detectable: tuple[Finding, ...]
    stated: tuple[Finding, ...]
    validity: tuple[Finding, ...]

    @property
    def whole(self) -> Cut:
        """Return the groups over all rows."""
        return self.cuts.get("", Cut(column="", cells=(), widest=(), changes=()))


def population_of(findings: Sequence[Finding]) -> Population | None:
    """Return the findings on groups against all; None without any."""
    against = [each for each in findings if each.measure == results_measures.AGAINST_POPULATION]
    if not against:
        return None
    cells = by_key(lambda each: tuple(each.slice), against)
    widest = by_key(
        lambda each: tuple(each.slice), [each for each in findings if each.measure == results_measures.MAX_DIFFERENCE]
    )
    changes = by_key(
        lambda each: each.measure.removesuffix(results_measures.HETEROGENEITY),
        [each for each in findings if each.measure.endswith(results_measures.HETEROGENEITY)],
    )
    cuts = {
        "".join(columns): Cut(
            column="".join(columns),
            cells=own,
            widest=widest.get(columns, ()),
            changes=changes.get("".join(columns), ()),
        )
        for columns, own in cells.items()
        if len(columns) < 2
    }
    return Population(
        groups=tuple(dict(items) for items in dict.fromkeys(tuple(each.focal.items()) for each in against)),
        cuts=cuts,
        interactions=tuple(each for each in findings if each.measure.endswith(results_measures.INTERACTION)),
        detectable=tuple(each for each in findings if each.measure == results_measures.DETECTABLE_DIFFERENCE),
        stated=tuple(
            each for each in findings if each.measure == results_measures.UNDETECTED_ATTEMPTS and len(each.focal) > 1
        ),
        validity=tuple(each for each in findings if each.measure == results_measures.VALIDITY_DIFFERENCE),
    )


RACE = "race"
#: From which adjusted p on a ratio counts as a difference.
LEVEL = 0.05


def race_differences(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the ratios of rates of two groups that differ in race only: differences, the surest first."""
    found = [
        each
        for each in findings
        if each.measure == results_measures.IMPACT_RATIO
        and not each.slice
        and each.p_adjusted is not None
        and each.p_adjusted < LEVEL
        and _differing(each) == {RACE}
        and not _holds_one(each)
    ]
    return tuple(sorted(found, key=lambda each: (each.p_adjusted or 0.0, each.estimate or 0.0)))


def _holds_one(finding: Finding) -> bool:
    """Return whether the confidence interval of a ratio holds equal rates."""
    return finding.low is None or finding.high is None or finding.low <= 1.0 <= finding.high


def _differing(finding: Finding) -> set[str]:
    columns = {*finding.focal, *finding.reference}
    return {column for column in columns if finding.focal.get(column) != finding.reference.get(column)}


def exploratory_differences(findings: Sequence[Finding], headline: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the headline measures within parts of the run that are differences, the surest and largest first."""
    measures = {each.measure for each in headline}
    found: dict[tuple[object, ...], Finding] = {}
    for each in findings:
        if each.slice and each.role == "exploratory" and each.verdict == "difference" and each.measure in measures:
            found.setdefault((each.measure, *each.slice.items()), each)
    return tuple(sorted(found.values(), key=lambda each: (each.p_adjusted or 0.0, -distance(each))))


def distance(finding: Finding) -> float:
    """Return how far an estimate lies from no difference."""
    return abs((finding.estimate or 0.0) - (finding.null_value or 0.0))


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
    unread = [each for each in whole if results_measures.UNDETECTED_RATE in each.measure]
    words = _named(results_measures.WORD_LOG_ODDS, findings)
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
        ratios=_named(results_measures.IMPACT_RATIO, whole),
        slots=tuple(each for each in findings if set(each.slice) == {SLOT}),
        ranges=tuple(each for each in findings if each.measure.endswith(results_measures.WIN_RATE_RANGE)),
        ranks=_beginning(results_measures.MEAN_RANK, whole),
        unranked=_beginning(results_measures.UNRANKED_RATE, whole),
        slices=_slices(findings, audit, headline, without={key}),
        instruction=key,
        instructions=by_key(lambda each: each.measure, sorted(instructions, key=lambda each: each.measure)),
        variances=_beginning(f"{key}{results_measures.VARIANCE}", findings),
        words=words,
        coded_words=tuple(each for each in words if Word.of(each).coded),
        lengths=_beginning(results_measures.DOCUMENT_LENGTH, whole),
        refusals=_beginning(results_measures.REFUSED_RATE, whole),
        undetected=tuple(each for each in unread if not each.focal and not each.reference),
        undetected_groups=tuple(
            each
            for each in unread
            if each.measure == results_measures.UNDETECTED_ATTEMPTS and each.focal and not each.reference
        ),
        undetected_contrasts=tuple(each for each in unread if each.reference),
        population=population_of(findings),
        mixed_odds=_named(results_measures.MIXED_ODDS_RATIO, findings),
        mixed_spreads=_named(results_measures.MIXED_SD, findings),
        scores=_scores(whole),
        race=race_differences(findings),
        parts=exploratory_differences(findings, [each.finding for each in headline]),
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
    return measure.replace(results_measures.DIFFERENCE.strip("_"), "_".join(group.values()))


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
        and results_measures.UNDETECTED_RATE not in each.measure
    ]
    return by_key(lambda each: each.measure, sorted(rates, key=lambda each: each.measure))


def _scores(whole: Sequence[Finding]) -> Scores | None:
    standardized = _beginning(results_measures.STANDARDIZED, whole)
    if not standardized:
        return None
    return Scores(
        cutoff=next(iter(_named(results_measures.CUTOFF, whole)), None),
        standardized=standardized,
        interactions=tuple(each for each in whole if results_measures.INTERACTION in each.measure),
        outranked=tuple(each for each in whole if results_measures.OUTRANKED in each.measure),
        repetitions=_named(results_measures.REPETITION_SD, whole),
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
    pairs = [(by_name.get(each.name.removesuffix(results_measures.INTERCEPT)), each) for each in by_name.values()]
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


@dataclass(frozen=True, kw_only=True)
class SuiteGroups:
    """What is told of one probe: its headline findings; `others` are all, where none is a headline.

    `race` and `parts` are exploratory differences that hold after adjustment.
    """

    probe: SuiteProbe
    headline: tuple[Headline, ...]
    others: tuple[Headline, ...]
    race: tuple[Finding, ...]
    parts: tuple[Finding, ...]
    population: Population | None


def suite_groups(findings: Sequence[Finding], audit: SuiteAudit) -> tuple[SuiteGroups, ...]:
    """Return what is told of each probe of a suite."""
    found = []
    for probe in audit.probes:
        own = [each for each in findings if each.probe == probe.probe]
        headline = headline_of(own, probe)
        population = population_of(own)
        found.append(
            SuiteGroups(
                probe=probe,
                headline=headline,
                others=() if headline or population else with_groups(own, own),
                race=race_differences(own),
                parts=exploratory_differences(own, [each.finding for each in headline]),
                population=population,
            )
        )
    return tuple(found)
