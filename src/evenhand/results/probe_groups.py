"""Findings of runs with models, grouped for the page: those of one probe, a suite, a comparison and a population."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand.results import measures
from evenhand.results.audit import CompareAudit, ComparedProbe, Measured, ProbeAudit, Regression, SuiteAudit, SuiteProbe
from evenhand.results.finding import FEWEST_PEOPLE, Bin, Finding, UnreadBounds, Word, by_key, of_measure

MODEL = "model"
#: What stands behind a measure in the names of how far models lie from no difference, and of their ranks; the score is
#: the mean of all measures.
DISTANCE, RANK, SCORE = "_distance", "_rank", "score"


@dataclass(frozen=True, kw_only=True)
class ComparedMeasure:
    """One measure: each model's own value, the differences between models, and how they stand.

    `ranks` are those of three models or more, by model, `distances` how much further from no difference each lies than
    another; both are empty for other measures than headlines.
    """

    headline: bool
    models: tuple[Finding, ...]
    differences: tuple[Finding, ...]
    ranks: Mapping[str, Finding]
    distances: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class CompareGroups:
    """The measures of one probe, those of its headline first."""

    probe: ComparedProbe
    measures: tuple[ComparedMeasure, ...]


def compare_groups(findings: Sequence[Finding], audit: CompareAudit) -> tuple[CompareGroups, ...]:
    """Return the measures of each probe of a comparison."""
    return tuple(CompareGroups(probe=probe, measures=_measures(findings, probe)) for probe in audit.probes)


def compared_score(findings: Sequence[Finding]) -> ComparedMeasure | None:
    """Return the score over the measures of all probes; None where there is none."""
    of_score = [finding for finding in findings if finding.name.startswith(SCORE)]
    return _measure(by_key(lambda finding: finding.measure, of_score), SCORE, headline=True) if of_score else None


def _measures(findings: Sequence[Finding], probe: ComparedProbe) -> tuple[ComparedMeasure, ...]:
    prefix = probe.probe.replace("-", "_") + "_"
    by_measure = by_key(
        lambda finding: finding.measure, [finding for finding in findings if finding.name.startswith(prefix)]
    )
    return tuple(
        _measure(by_measure, measure, headline=measure in probe.headline)
        for measure in dict.fromkeys([*probe.headline, *by_measure])
        if measure in by_measure and not measure.endswith((DISTANCE, RANK))
    )


def _measure(by_measure: Mapping[str, Sequence[Finding]], measure: str, *, headline: bool) -> ComparedMeasure:
    return ComparedMeasure(
        headline=headline,
        models=tuple(finding for finding in by_measure[measure] if MODEL in finding.slice),
        differences=tuple(finding for finding in by_measure[measure] if MODEL in finding.reference),
        ranks={finding.slice[MODEL]: finding for finding in by_measure.get(measure + RANK, ())},
        distances=tuple(by_measure.get(measure + DISTANCE, ())),
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
        return list(dict.fromkeys(self.level(cell) for cell in self.cells))

    def level(self, finding: Finding) -> str:
        """Return the level of a finding."""
        return finding.slice.get(self.column, "")


@dataclass(frozen=True, kw_only=True)
class Population:
    """The findings on groups against all; `groups` are all of them.

    `cuts` are by column, with all rows under "". `stated` are the shares of unreadable answers, `validity` compares the
    groups' shares.
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
    against = of_measure(findings, measures.AGAINST_POPULATION)
    if not against:
        return None
    cells = by_key(lambda finding: tuple(finding.slice), against)
    widest = by_key(lambda finding: tuple(finding.slice), of_measure(findings, measures.MAX_DIFFERENCE))
    changes = by_key(
        lambda finding: finding.measure.removesuffix(measures.HETEROGENEITY),
        [finding for finding in findings if finding.measure.endswith(measures.HETEROGENEITY)],
    )
    cuts = {
        "".join(columns): Cut(
            column="".join(columns),
            cells=level_cells,
            widest=widest.get(columns, ()),
            changes=changes.get("".join(columns), ()),
        )
        for columns, level_cells in cells.items()
        if len(columns) < 2
    }
    return Population(
        groups=tuple(dict(items) for items in dict.fromkeys(tuple(finding.focal.items()) for finding in against)),
        cuts=cuts,
        interactions=tuple(finding for finding in findings if finding.measure.endswith(measures.INTERACTION)),
        detectable=of_measure(findings, measures.DETECTABLE_DIFFERENCE),
        stated=tuple(row for row in of_measure(findings, measures.UNDETECTED_ATTEMPTS) if len(row.focal) > 1),
        validity=of_measure(findings, measures.VALIDITY_DIFFERENCE),
    )


RACE = "race"


def race_differences(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the impact ratios of two large groups that differ in race only, those that are differences, by p."""
    differences = [
        finding
        for finding in of_measure(findings, measures.IMPACT_RATIO)
        if not finding.slice and finding.is_difference and _is_large(finding) and _differing(finding) == {RACE}
    ]
    return tuple(sorted(differences, key=lambda finding: (finding.p_adjusted or 0.0, finding.estimate or 0.0)))


def _is_large(finding: Finding) -> bool:
    """Return whether both groups of a comparison are large, or the one group that is held against a value."""
    claim = finding.claim
    if claim is None or claim.n_reference is None:
        return finding.n >= FEWEST_PEOPLE
    return claim.is_large(finding.n)


def _differing(finding: Finding) -> set[str]:
    columns = {*finding.focal, *finding.reference}
    return {column for column in columns if finding.focal.get(column) != finding.reference.get(column)}


def exploratory_differences(findings: Sequence[Finding], headline: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the headline measures within parts of the run that are differences of large groups, the largest first.

    Of parts that hold the same answers it is the first.
    """
    names = [finding.measure for finding in headline]
    differences: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        if (
            finding.slice
            and finding.role == "exploratory"
            and finding.is_difference
            and finding.measure in names
            and _is_large(finding)
        ):
            differences.setdefault((finding.measure, finding.n, finding.estimate, finding.low, finding.high), finding)
    return tuple(sorted(differences.values(), key=lambda finding: (names.index(finding.measure), -distance(finding))))


def distance(finding: Finding) -> float:
    """Return the distance of an estimate from its null value."""
    return abs((finding.estimate or 0.0) - (finding.null_value or 0.0))


SLOT = "slot"
INSTRUCTION = "template"

Findings = tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class Headline:
    """A headline finding with the findings of its two groups, where there are any."""

    finding: Finding
    groups: Findings


@dataclass(frozen=True, kw_only=True)
class Sliced:
    """One measure within each level of a slice; `whole` is that of the whole run, else the first level's."""

    whole: Finding
    levels: Findings


@dataclass(frozen=True, kw_only=True)
class Slices:
    """The headline measures within the levels of some columns; without them the slice's own contrasts."""

    columns: tuple[str, ...]
    measures: tuple[Sliced, ...]


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The regression line of one group."""

    slope: Finding
    intercept: Finding


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Standardised differences of scores, and the selection by scores.

    A selected score exceeds `cutoff`; `outranked` is the share of others that each group scores above.
    """

    cutoff: Finding | None
    standardized: Findings
    interactions: Findings
    outranked: Findings
    repetitions: Findings


@dataclass(frozen=True, kw_only=True)
class Bounded:
    """A headline finding, what it lies between whatever the unread answers say, and what a judge's readings make it."""

    headline: Finding
    bounds: Finding
    judged: Finding | None = None


@dataclass(frozen=True, kw_only=True)
class ProbeGroups:
    """The findings of one probe in the order of its page.

    `bins` and `fits` follow a context number, `slope_contrast` is the difference of the slopes. `rates` are those
    of combinations of groups, by measure, `ratios` each one's over the highest. `variances` are those between
    instructions. `undetected` are the rates over the whole run, `undetected_groups` those of groups, `bounded` what
    they could change in the headline. `population` is None where groups are not compared with all of them. After
    adjustment, `race` are differences between groups that differ in race only, `parts` differences in headline
    measures within parts of the run.
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
    bounded: tuple[Bounded, ...]
    population: Population | None
    mixed_odds: Findings
    mixed_spreads: Findings
    scores: Scores | None
    race: Findings
    parts: Findings
    steps: tuple["StepGroups", ...] = ()


@dataclass(frozen=True, kw_only=True)
class StepGroups:
    """The findings of one step of a process, of the whole pile; `survivors` are those of whom the first step left.

    `arms` are what arms change, and how they recognise quality; `repetitions` how often decisions on one prompt agree;
    `texts` what is counted in reasons and e-mails.
    """

    step: str
    headline: tuple[Headline, ...]
    groups: ProbeGroups
    quality: Findings
    survivors: Findings
    arms: Findings
    repetitions: Findings
    texts: Findings


def _steps(findings: Sequence[Finding], audit: ProbeAudit) -> tuple[StepGroups, ...]:
    """Return the findings of each step of a process; nothing where it has none."""
    steps = []
    for step, names in (audit.steps or {}).items():
        of_step = [finding for finding in findings if finding.slice.get(measures.STEP) == step]
        whole = [finding for finding in findings if finding.name in names]
        if not whole:
            continue
        arms = [finding for finding in of_step if measures.ARM in {*finding.slice, *finding.focal}]
        survivors = [finding for finding in of_step if measures.SHOWN in finding.slice]
        quality = [finding for finding in _counting(of_step, _OF_QUALITY) if finding not in arms]
        repetitions = of_measure(of_step, measures.REPETITION_AGREEMENT)
        texts = _counting(of_step, _OF_TEXT)
        own = [
            replace(finding, slice={key: level for key, level in finding.slice.items() if key != measures.STEP})
            for finding in of_step
            if finding not in (*arms, *survivors, *quality, *repetitions, *texts)
        ]
        headline = replace(audit, headline=names, steps=None)
        steps.append(
            StepGroups(
                step=step,
                headline=with_groups(whole, findings),
                groups=probe_groups([*whole, *own], headline),
                quality=tuple(quality),
                survivors=tuple(survivors),
                arms=tuple(arms),
                repetitions=tuple(finding for finding in repetitions if finding.estimate is not None),
                texts=tuple(texts),
            )
        )
    return tuple(steps)


_OF_QUALITY = (measures.QUALITY_SLOPE, measures.QUALITY_AUC)
_OF_TEXT = tuple(f"_{counted}" for counted in (measures.TEXT_WORDS, measures.TEXT_CODED))


def _counting(findings: Sequence[Finding], parts: Sequence[str]) -> list[Finding]:
    """Return the findings with one of some parts in the names of their measures."""
    return [finding for finding in findings if any(part in finding.measure for part in parts)]


def probe_groups(findings: Sequence[Finding], audit: ProbeAudit) -> ProbeGroups:
    """Return the findings of one probe, grouped for its page."""
    if audit.steps:
        whole = [finding for finding in findings if measures.STEP not in finding.slice]
        return replace(probe_groups(whole, replace(audit, steps=None)), steps=_steps(findings, audit))
    unsliced = [finding for finding in findings if not finding.slice]
    unread = [finding for finding in unsliced if measures.UNDETECTED_RATE in finding.measure]
    words = of_measure(findings, measures.WORD_LOG_ODDS)
    fits = _fits(unsliced)
    headline = headline_of(findings, audit)
    key = audit.instruction or INSTRUCTION
    instructions = [
        finding for finding in findings if set(finding.slice) == {key} and not (finding.focal and not finding.reference)
    ]
    return ProbeGroups(
        headline=headline,
        bins=_bins(findings, audit.regression or Regression()),
        fits=fits,
        slope_contrast=_slope_contrast(fits, unsliced),
        rates=_rates(unsliced, audit),
        ratios=of_measure(unsliced, measures.IMPACT_RATIO),
        slots=tuple(finding for finding in findings if set(finding.slice) == {SLOT}),
        ranges=tuple(finding for finding in findings if finding.measure.endswith(measures.WIN_RATE_RANGE)),
        ranks=_beginning(measures.MEAN_RANK, unsliced),
        unranked=_beginning(measures.UNRANKED_RATE, unsliced),
        slices=_slices(findings, audit, headline, without={key}),
        instruction=key,
        instructions=by_key(lambda finding: finding.measure, sorted(instructions, key=lambda finding: finding.measure)),
        variances=_beginning(f"{key}{measures.VARIANCE}", findings),
        words=words,
        coded_words=tuple(finding for finding in words if Word.of(finding).coded),
        lengths=_beginning(measures.DOCUMENT_LENGTH, unsliced),
        refusals=_beginning(measures.REFUSED_RATE, unsliced),
        undetected=tuple(finding for finding in unread if not finding.focal and not finding.reference),
        undetected_groups=tuple(
            row for row in of_measure(unread, measures.UNDETECTED_ATTEMPTS) if row.focal and not row.reference
        ),
        undetected_contrasts=tuple(finding for finding in unread if finding.reference),
        bounded=_bounded(findings),
        population=population_of(findings),
        mixed_odds=of_measure(findings, measures.MIXED_ODDS_RATIO),
        mixed_spreads=of_measure(findings, measures.MIXED_SD),
        scores=_scores(unsliced),
        race=race_differences(findings),
        parts=exploratory_differences(findings, [finding.finding for finding in headline]),
    )


def _bounded(findings: Sequence[Finding]) -> tuple[Bounded, ...]:
    by_name = {finding.name: finding for finding in findings}
    bounds = of_measure(findings, measures.UNREAD_BOUNDS)
    compared = [UnreadBounds.of(finding).comparison for finding in bounds]
    return tuple(
        Bounded(headline=by_name[name], bounds=finding, judged=by_name.get(f"{name}_{measures.AS_JUDGED}"))
        for name, finding in zip(compared, bounds, strict=True)
    )


def headline_of(findings: Sequence[Finding], audit: Measured) -> tuple[Headline, ...]:
    """Return the headline findings in the order of the audit block."""
    by_name = {finding.name: finding for finding in findings}
    headline = [by_name[name] for name in audit.headline if name in by_name]
    return with_groups(headline, findings)


def with_groups(headline: Sequence[Finding], findings: Sequence[Finding]) -> tuple[Headline, ...]:
    """Return findings with those of their two groups: same slice and quantity, one group."""
    by_group = by_key(
        lambda finding: (finding.measure, finding.measured_in),
        [finding for finding in findings if not finding.reference],
    )
    return tuple(
        Headline(
            finding=finding,
            groups=tuple(
                next(iter(groups))
                for group in ((finding.focal, finding.reference) if finding.reference else ())
                if (
                    groups := [
                        group_finding
                        for group_finding in by_group.get((_of_group(finding.measure, group), finding.measured_in), ())
                        if group_finding.slice == finding.slice and group_finding.focal == group
                    ]
                )
            ),
        )
        for finding in headline
    )


def _of_group(measure: str, group: Mapping[str, str]) -> str:
    """Return the measure of one group, given the measure of the difference."""
    return measure.replace(measures.DIFFERENCE.strip("_"), "_".join(group.values()))


def _beginning(prefix: str, findings: Sequence[Finding]) -> Findings:
    return tuple(finding for finding in findings if finding.measure.startswith(prefix))


def _rates(unsliced: Sequence[Finding], audit: ProbeAudit) -> dict[str, Findings]:
    rates = [
        finding
        for finding in unsliced
        if len(finding.focal) > 1
        and not finding.reference
        and (finding.measured_in in {"share", "points"} or finding.measure == audit.rate)
        and measures.UNDETECTED_RATE not in finding.measure
    ]
    return by_key(lambda finding: finding.measure, sorted(rates, key=lambda finding: finding.measure))


def _scores(unsliced: Sequence[Finding]) -> Scores | None:
    standardized = _beginning(measures.STANDARDIZED, unsliced)
    if not standardized:
        return None
    return Scores(
        cutoff=next(iter(of_measure(unsliced, measures.CUTOFF)), None),
        standardized=standardized,
        interactions=tuple(finding for finding in unsliced if measures.INTERACTION in finding.measure),
        outranked=tuple(finding for finding in unsliced if measures.OUTRANKED in finding.measure),
        repetitions=of_measure(unsliced, measures.REPETITION_SD),
    )


def _bins(findings: Sequence[Finding], regression: Regression) -> Findings:
    return tuple(
        finding
        for finding in findings
        if set(finding.slice) == {regression.against}
        and finding.measure == regression.measure
        and Bin.of(finding).mean is not None
    )


def _fits(unsliced: Sequence[Finding]) -> tuple[Fit, ...]:
    """Return slope and intercept of each group over the whole run, where both are known."""
    by_name = {finding.name: finding for finding in unsliced}
    pairs = [(by_name.get(finding.name.removesuffix(measures.INTERCEPT)), finding) for finding in by_name.values()]
    return tuple(
        Fit(slope=slope, intercept=intercept)
        for slope, intercept in pairs
        if slope is not None
        and slope is not intercept
        and not intercept.reference
        and slope.estimate is not None
        and intercept.estimate is not None
    )


def _slope_contrast(fits: Sequence[Fit], unsliced: Sequence[Finding]) -> Finding | None:
    measured_in = {fit.slope.measured_in for fit in fits[:1]}
    return next((finding for finding in unsliced if finding.reference and finding.measured_in in measured_in), None)


def _slices(
    findings: Sequence[Finding], audit: ProbeAudit, headline: Sequence[Headline], *, without: set[str]
) -> tuple[Slices, ...]:
    columns = set(audit.slices) or {column for finding in findings for column in finding.slice}
    columns -= {*without, (audit.regression or Regression()).against}
    known = {finding.measure for finding in findings if not finding.slice}
    slices = []
    for keys, slice_findings in by_key(lambda finding: tuple(finding.slice), findings).items():
        if not keys or not set(keys) <= columns:
            continue
        there = {finding.measure for finding in slice_findings}
        contrasts = [finding.finding for finding in headline if finding.finding.measure in there]
        if not contrasts:
            further = [
                finding for finding in slice_findings if finding.null_value is not None and finding.measure not in known
            ]
            contrasts = [same[0] for same in by_key(lambda finding: finding.measure, further).values()]
        sliced = [
            Sliced(whole=finding, levels=levels)
            for finding in contrasts
            if (levels := _levels(finding, slice_findings))
        ]
        if sliced:
            slices.append(Slices(columns=keys, measures=tuple(sliced)))
    return tuple(slices)


def _levels(contrast: Finding, slice_findings: Sequence[Finding]) -> Findings:
    """Return one finding per level; of aliases of a measure only the first."""
    repeated = [
        finding
        for finding in slice_findings
        if (finding.measure, finding.focal, finding.reference) == (contrast.measure, contrast.focal, contrast.reference)
    ]
    return tuple(levels[0] for levels in by_key(lambda finding: tuple(finding.slice.values()), repeated).values())


@dataclass(frozen=True, kw_only=True)
class SuiteGroups:
    """The findings of one probe of a suite: the headline, or all as `others` where there is no headline.

    `race` and `parts` are exploratory differences that hold after adjustment.
    """

    probe: SuiteProbe
    headline: tuple[Headline, ...]
    others: tuple[Headline, ...]
    race: tuple[Finding, ...]
    parts: tuple[Finding, ...]
    population: Population | None


def suite_groups(findings: Sequence[Finding], audit: SuiteAudit) -> tuple[SuiteGroups, ...]:
    """Return the findings of each probe of a suite."""
    groups = []
    for probe in audit.probes:
        probe_findings = [finding for finding in findings if finding.probe == probe.probe]
        headline = headline_of(probe_findings, probe)
        population = population_of(probe_findings)
        groups.append(
            SuiteGroups(
                probe=probe,
                headline=headline,
                others=() if headline or population else with_groups(probe_findings, probe_findings),
                race=race_differences(probe_findings),
                parts=exploratory_differences(probe_findings, [finding.finding for finding in headline]),
                population=population,
            )
        )
    return tuple(groups)
