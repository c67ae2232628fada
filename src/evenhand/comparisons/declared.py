"""The declared measures of a probe as findings: estimates, intervals, tests, marks and verdicts.

`declared_findings` computes them for all rows and for each slice; `with_sequence` combines an interval with a
confidence sequence that decided when sampling stopped.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pkgutil import resolve_name
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.comparisons import clusterings, weighted_sums
from evenhand.comparisons.claims import uncorrected
from evenhand.comparisons.clusterings import ClusterFactors, Limits
from evenhand.comparisons.units import Ballots, Floats, Ints, Units, distinct, is_balanced
from evenhand.comparisons.weighted_sums import ResampledUnits, Terms
from evenhand.results.finding import Alternative, Finding, Test, VerdictBasis, copied
from evenhand.results.measures import INTERCEPT, Alias, Contrast, Distance, MarkBands, MeasureSet, Slice, Summary
from evenhand.stats import fisher_exact
from evenhand.stats.resampling import percentile_interval, permutation_p, sign_flip_p

BOOTSTRAP = "item bootstrap, percentile"
PERMUTATION = "permutation over names"
SIGN_FLIP = "sign flip of whole pairs"

#: Below this the bootstrap's percentiles are far too close together (Efron and Tibshirani 1993, chapter 13).
FEWEST_ITEMS = 20


@dataclass(frozen=True, kw_only=True)
class Estimated:
    """A measure's value with its interval, alternatives and tests: the content of a Finding.

    `equivalence` is the 90 % interval for the verdict on equivalence, `chance`
    the value expected by chance, given how many candidates of each group there are; `limits` gives the interval at
    any level of confidence. `sides` are the units of the focal and of the reference group; `deciding` is the test that
    decides, with `df` degrees of freedom, where it is not the one that the interval inverts.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    equivalence: tuple[float, float] | None = None
    n: int
    clusters: dict[str, int]
    method: str
    alternatives: tuple[Alternative, ...] = ()
    tests: tuple[Test, ...] = ()
    reason: str | None = None
    chance: float | None = None
    details: VerdictBasis = field(default_factory=VerdictBasis)
    sides: tuple[int | None, int | None] = (None, None)
    limits: Callable[[float], tuple[float, float] | None] | None = None
    deciding: Test | None = None
    df: float | None = None
    caution: str | None = None

    def test(self, null: float) -> Test:
        """Return the test that decides: the one named, else that which the interval inverts; its p may be unknown."""
        if self.deciding is not None:
            return self.deciding
        p = None
        if self.estimate is not None and self.limits is not None and self.low is not None:
            p = clusterings.inverted_p(self.limits, self.estimate, null)
        return Test(name=self.method, statistic=None, p=p, reason=self.reason)


def estimated(drawn: ResampledUnits, measure: Summary | Contrast, where: Mapping[str, str]) -> Estimated:
    """Return a measure's value within the slice `where`, with intervals and tests."""
    terms = weighted_sums.terms_of(drawn, measure, where)
    units = drawn.units
    if not terms.terms:
        any_side = np.zeros(len(units), dtype=bool)
        for group in (measure.focal, measure.reference) if isinstance(measure, Contrast) else (measure.group,):
            any_side |= units.where({**where, **group})
        counted = _counted(units, any_side)
        return Estimated(estimate=None, method=BOOTSTRAP, reason=terms.reason, **counted)
    masks = [units.where(term.where) for term in terms.terms]
    inside = np.logical_or.reduce(masks)
    counted = _counted(units, inside)
    counted["chance"] = _chance(drawn, terms)
    if isinstance(measure, Contrast):
        counted["sides"] = tuple(
            _counted(units, units.where({**where, **group}))["n"] for group in (measure.focal, measure.reference)
        )
    if terms.levels:
        counted["details"] = VerdictBasis(levels={column: tuple(levels) for column, levels in terms.levels.items()})
    estimate = weighted_sums.point(drawn, terms.terms, terms.statistic)
    assert estimate is not None
    tests = _tests(drawn, measure, terms, masks, estimate=estimate)
    constant = [_constant(units.score[mask]) for mask in masks]
    if any(constant) and measure.measured_in != "share" and terms.statistic == "rate":
        reason = "Some groups have identical values, for which resampling gives an interval of zero width."
        return Estimated(estimate=estimate, method=BOOTSTRAP, tests=tests, reason=reason, **counted)
    if any(constant):
        return _degenerate_estimate(drawn, terms, masks, constant, estimate, tests=tests, counted=counted)
    draws = weighted_sums.resampled(drawn, terms.terms, terms.statistic)
    robust = _robust(drawn, terms, estimate, inside, share=measure.measured_in == "share")
    return _with_interval(estimate, draws, robust, tests=tests, confidence=drawn.draw.confidence, counted=counted)


@dataclass(frozen=True, kw_only=True)
class RowInfluence:
    """Influences on a measure, row by row, with the names of the clusters that each row is in.

    `clusters` maps `item` and each cluster column to a label per row.
    """

    psi: Floats
    clusters: Mapping[str, NDArray[Any]]


def influence_of_rows(drawn: ResampledUnits, measure: Summary | Contrast) -> RowInfluence:
    """Return the influences on a measure over all rows, as its kind of judgement has them.

    Raises
    ------
    ValueError
        The measure has no value.

    """
    influence: RowInfluence = resolve_name(drawn.measured.judgement.influence)(drawn, measure)
    return influence


def row_influence(drawn: ResampledUnits, measure: Summary | Contrast) -> RowInfluence:
    """Return the influences on a declared measure; of choices, a row is a candidate."""
    terms = weighted_sums.terms_of(drawn, measure, {})
    if not terms.terms:
        raise ValueError(terms.reason)
    if drawn.ballots is None:
        psi = weighted_sums.unit_influence(drawn, terms.terms, terms.statistic)
        return rows_with_influence(psi, drawn.units, drawn.units, drawn.measured)
    return rows_with_influence(_candidate_influence(drawn, terms), drawn.units, drawn.ballots, drawn.measured)


def rows_with_influence(psi: Floats, units: Units, rows: Units | Ballots, measured: MeasureSet) -> RowInfluence:
    """Return influences that are not 0 with the labels of their clusters; `rows` number them, `units` name items."""
    influential = psi != 0.0
    named = {
        name: np.array([*rows.levels[name], ""], dtype=object)[rows.codes[name][influential]]
        for name in measured.clusters
    }
    items = units.item_labels.to_numpy()[rows.item[influential]]
    return RowInfluence(psi=psi[influential], clusters={"item": items, **named})


def _chance(drawn: ResampledUnits, terms: Terms) -> float | None:
    """Return the measure's value if all candidates win equally often; None where nothing is chosen."""
    chances = [drawn.chance(term.where) for term in terms.terms]
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(chances):
        return None
    return sum(term.weight * chance for term, chance in zip(terms.terms, known, strict=True))


def _counted(units: Units, inside: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the numbers of units and items inside the mask; a unit in several aspects counts once."""
    item = units.item[inside]
    items = distinct(item)
    n = item.size if item.size == items or units.aspects == 1 else distinct(units.number[inside])
    return {"n": n, "clusters": {"item": items}}


def _constant(scores: Floats) -> bool:
    """Return whether all known scores are equal."""
    known = scores[np.isfinite(scores)]
    return bool(known.size and np.ptp(known) == 0.0)


def _robust(
    drawn: ResampledUnits, terms: Terms, estimate: float, inside: NDArray[np.bool_], *, share: bool
) -> tuple[ClusterFactors, Limits]:
    """Return the factors that vary, and the cluster-robust interval by level of confidence.

    The limits of a share, or of a difference of two, stay within its range.
    """
    if drawn.ballots is not None:
        psi, codes, rows = _choice_clusters(drawn, terms)
    else:
        psi = weighted_sums.unit_influence(drawn, terms.terms, terms.statistic)[inside]
        codes = {name: drawn.units.codes[name][inside] for name in drawn.measured.clusters}
        rows = np.flatnonzero(inside)
    weights = [term.weight for term in terms.terms]
    sides = _sides(drawn, terms)[rows] if min(weights) < 0 < max(weights) else None
    factors = clusterings.cluster_factors(codes, sides=sides)
    share = share and terms.statistic == "rate"
    if share and min(weights) > 0:
        return factors, clusterings.rate_clustered(psi, factors, estimate)
    if share and drawn.ballots is None and weights == [1.0, -1.0]:
        focal, reference = (drawn.units.where(term.where)[inside] for term in terms.terms)
        rates = [drawn.value(term.where, "rate") for term in terms.terms]
        return factors, clusterings.difference_clustered(psi, (focal, reference), factors, (rates[0], rates[1]))
    return factors, clusterings.clustered(psi, factors, estimate)


def _sides(drawn: ResampledUnits, terms: Terms) -> Ints:
    """Return on which side of a contrast each unit is: 0 where it counts positively."""
    negative = np.zeros(len(drawn.units), dtype=np.int64)
    for term in terms.terms:
        if term.weight < 0:
            negative[drawn.units.where(term.where)] = 1
    return negative


def _choice_clusters(drawn: ResampledUnits, terms: Terms) -> tuple[Floats, dict[str, NDArray[Any]], Ints]:
    """Return the candidates' influences, the names and items that they are clustered by, and a unit of the item."""
    ballots = drawn.ballots
    assert ballots is not None
    psi = _candidate_influence(drawn, terms)
    influential = psi != 0.0
    name = drawn.measured.clusters[0]
    units = np.zeros(len(drawn.units.item_labels), dtype=np.int64)
    units[drawn.units.item] = np.arange(len(drawn.units))
    items = ballots.item[influential]
    return psi[influential], {name: ballots.codes[name][influential], "item": items}, units[items]


def _candidate_influence(drawn: ResampledUnits, terms: Terms) -> Floats:
    """Return each candidate's part in the influence of its item.

    A choice's share is the chance value plus half of what its focal candidates won beyond
    their equal share minus what the others did. So the parts can be summed by name as well.
    """
    ballots = drawn.ballots
    assert ballots is not None
    units = drawn.units
    psi = np.zeros(ballots.item.size)
    for term in terms.terms:
        mask = units.where(term.where)
        chance = drawn.chance(term.where)
        assert chance is not None
        beyond = float(units.score[mask].mean()) - chance
        scale = np.zeros(len(units.item_labels))
        scale[units.item[mask]] = term.weight / mask.sum()
        candidate = ballots.beyond - beyond / ballots.size
        psi += candidate * scale[ballots.item] / ballots.choices
    return psi


def _with_interval(
    estimate: float,
    draws: Floats,
    robust: tuple[ClusterFactors, Limits],
    *,
    tests: tuple[Test, ...],
    confidence: float,
    counted: dict[str, Any],
) -> Estimated:
    """Return the estimate with the cluster-robust interval, or the bootstrap's where no factor varies.

    Users conclude about other names and roles than those sampled; only the first interval allows for that.
    """
    factors, limits = robust
    main, narrow = limits(confidence), limits(2 * confidence - 1)
    few = counted["clusters"]["item"] < FEWEST_ITEMS
    wide, inner = (percentile_interval(draws, confidence=level) for level in (confidence, 2 * confidence - 1))
    bootstrap = Alternative(
        method=BOOTSTRAP,
        low=None if wide is None or few else wide[0],
        high=None if wide is None or few else wide[1],
        reason=_resampling_reason(draws, counted["clusters"]["item"]),
    )
    if few:
        return Estimated(estimate=estimate, method=BOOTSTRAP, reason=bootstrap.reason, tests=tests, **counted)
    if main.limits is not None and narrow.limits is not None:
        return Estimated(
            estimate=estimate,
            **copied(main, "low high method"),
            equivalence=narrow.limits,
            alternatives=(bootstrap,),
            tests=tests,
            limits=lambda level: limits(level).limits,
            **{**counted, "clusters": main.clusters},
        )
    return Estimated(
        estimate=estimate,
        **copied(bootstrap, "low high reason"),
        equivalence=inner,
        method=BOOTSTRAP + factors.held_fixed,
        tests=tests,
        # Of few distinct values the middle ones are all the same.
        limits=lambda level: percentile_interval(draws, confidence=level) or (estimate, estimate),
        **counted,
    )


def _degenerate_estimate(
    drawn: ResampledUnits,
    terms: Terms,
    masks: Sequence[NDArray[np.bool_]],
    constant: Sequence[bool],
    estimate: float,
    *,
    tests: tuple[Test, ...],
    counted: dict[str, Any],
) -> Estimated:
    """Return an estimate with at least one side whose answers were all alike.

    The limits of many small terms leave out far more than their answers can show. So permuted names decide, and with
    fewer names than vary Fisher's exact test of single answers.
    """
    limits = weighted_sums.degenerate_limits(drawn, terms, masks, constant)
    if limits is None:
        reason = "The answers of a group are all the same, so the uncertainty of the line can't be estimated."
        return Estimated(estimate=estimate, method=BOOTSTRAP, tests=tests, reason=reason, **counted)
    if limits.wide is None:
        return Estimated(estimate=estimate, method=limits.method, tests=tests, reason=limits.reason, **counted)
    return Estimated(
        estimate=estimate,
        low=min(limits.wide[0], estimate),
        high=max(limits.wide[1], estimate),
        equivalence=limits.narrow,
        method=limits.method,
        tests=tests,
        deciding=_exact_test(drawn, terms, masks, tests),
        limits=lambda level: weighted_sums.combined_limits(drawn, terms, masks, constant, confidence=level),
        **counted,
    )


def _exact_test(
    drawn: ResampledUnits, terms: Terms, masks: Sequence[NDArray[np.bool_]], tests: Sequence[Test]
) -> Test | None:
    """Return the test that decides where answers are all alike; None where only limits can."""
    carrier = None if drawn.ballots is not None else drawn.units.codes.get(drawn.measured.clusters[0])
    if carrier is None or distinct(carrier[np.logical_or.reduce(masks)]) >= clusterings.FEWEST_LEVELS:
        return next(iter(tests), None)
    counts = [weighted_sums.whole_successes(drawn.units.take(mask)) for mask in masks]
    if [term.weight for term in terms.terms] != [1.0, -1.0] or None in counts:
        return None
    (a, n), (c, m) = (count for count in counts if count is not None)
    return Test(name="Fisher exact", statistic=None, p=fisher_exact(a, n, c, m).p)


def _resampling_reason(draws: Floats, items: int) -> str | None:
    """Return why resampling can't show the uncertainty, None where it can."""
    if items < FEWEST_ITEMS:
        return f"There are {items} items; resampling needs {FEWEST_ITEMS} or more."
    lacking = int((~np.isfinite(draws)).sum())
    if lacking:
        return f"The slice is too small to resample: {lacking} of {draws.size} resamples lack a group."
    if percentile_interval(draws) is None:
        return "All resamples give the same value, so the uncertainty can't be estimated."
    return None


def _tests(
    drawn: ResampledUnits,
    measure: Summary | Contrast,
    terms: Terms,
    masks: Sequence[NDArray[np.bool_]],
    *,
    estimate: float,
) -> tuple[Test, ...]:
    """Return the permutation over names and, where items are pairs, the sign flip of pairs."""
    if measure.null_value is None or any(term.shuffled is None for term in terms.terms):
        return ()
    units = drawn.units
    if drawn.ballots is None and _constant(units.score[np.logical_or.reduce(masks)]):
        return (Test(name=PERMUTATION, statistic=estimate, p=1.0),)  # every shuffle gives what was observed
    values = []
    for term in terms.terms:
        assert term.shuffled is not None
        column, level = term.shuffled
        rest = {key: value for key, value in term.where.items() if key != column}
        moments = drawn.permuted_moments(column, level, rest)
        values.append(term.weight * drawn.statistic(moments, terms.statistic))
    null = np.sum(values, axis=0) - measure.null_value
    tests = [Test(name=PERMUTATION, statistic=estimate, p=permutation_p(float(null[0]), null[1:]))]
    if isinstance(measure, Contrast) and len(masks) == 2 and terms.statistic == "rate" and units.aspects == 1:
        pairs = _pair_differences(units, masks)
        if pairs is not None:
            rng = np.random.default_rng([drawn.draw.seed, 3])
            p = sign_flip_p(pairs, permutations=drawn.draw.permutations, rng=rng)
            tests.append(Test(name=SIGN_FLIP, statistic=float(pairs.mean()), p=p))
    return tuple(tests)


def _pair_differences(units: Units, sides: Sequence[NDArray[np.bool_]]) -> Floats | None:
    """Return focal − reference per item that holds one of each; None without such items."""
    focal, reference = (np.flatnonzero(side) for side in sides)
    if any(distinct(units.item[side]) < side.size for side in (focal, reference)):
        return None
    items, at_focal, at_reference = np.intersect1d(units.item[focal], units.item[reference], return_indices=True)
    if not items.size:
        return None
    return np.asarray(units.score[focal[at_focal]] - units.score[reference[at_reference]])


def marked(estimated: Estimated, bands: MarkBands | None) -> tuple[str | None, tuple[str, ...]]:
    """Return the mark of the point estimate, and the marks within its confidence interval."""
    if bands is None or estimated.estimate is None:
        return None, ()
    mark = bands.mark(estimated.estimate)
    if estimated.low is None or estimated.high is None:
        return mark, ()
    return mark, bands.touched(estimated.low, estimated.high)


def is_equivalent(estimated: Estimated, *, null_value: float, margin: float | None) -> bool | None:
    """Return whether the 90 % interval lies within ± `margin` of the null value (the A band); None without both."""
    if margin is None or estimated.equivalence is None:
        return None
    low, high = estimated.equivalence
    return null_value - margin <= low and high <= null_value + margin


@dataclass(frozen=True, kw_only=True)
class Sequential:
    """A confidence sequence at the end of sampling: it holds although the answers decided when to stop.

    `narrow` is the one at 90 % for the verdict on equivalence. `width` is the target width; there were `looks`
    looks at the answers.
    """

    measure: str
    low: float
    high: float
    narrow: tuple[float, float]
    method: str
    width: float
    looks: int


def with_sequence(result: Estimated, sequential: Sequential) -> Estimated:
    """Return an estimate whose interval spans both the confidence sequence and its own interval.

    The sequence holds although the answers decided when to stop; the cluster-robust interval generalises to
    other names. The sequence comes from items read in full; if the estimate from all answers read lies
    outside, the interval is stretched to it.
    """
    if result.estimate is None:
        return result
    ends = [sequential.low, sequential.high, result.estimate]
    inner = list(sequential.narrow)
    method, alternatives = sequential.method, result.alternatives
    if result.low is not None and result.high is not None and result.equivalence is not None:
        ends += [result.low, result.high]
        inner += result.equivalence
        method = f"{sequential.method}, and {result.method}: the outer limits"
        clustered = Alternative(method=result.method, low=result.low, high=result.high, clusters=result.clusters)
        sequence = Alternative(method=sequential.method, low=sequential.low, high=sequential.high)
        alternatives = (sequence, clustered)
    return replace(
        result,
        low=min(ends),
        high=max(ends),
        equivalence=(min(inner), max(inner)),
        method=method,
        alternatives=alternatives,
        reason=None,
        details=replace(
            result.details,
            until_width=sequential.width,
            looks=sequential.looks,
        ),
    )


NO_MARK = (
    "The prompts offer more candidates of one group than of the other, so chance gives another value than the one "
    "that the marks are measured from."
)


def declared_findings(drawn: ResampledUnits, *, sequential: Sequential | None = None) -> list[Finding]:
    """Return every declared measure of all rows, then of each level of each slice.

    Slice contrasts are exploratory; those of all measures are one family.
    The measure of `sequential` gets that interval, of all rows.
    """
    measured = drawn.measured
    whole = Slice(columns=(), prefix="", measures=measured.overall)
    findings = [
        weighted_sums.with_pairing(finding, drawn)
        for finding in _slice_findings(drawn, whole, {}, sequential=sequential)
    ]
    sliced: list[Finding] = []
    for cut in measured.slices:
        for levels in drawn.units.groups(cut.columns):
            sliced += _slice_findings(drawn, cut, levels)
    return [
        *_with_aliases(findings, measured),
        *_intercepts(drawn),
        *_with_aliases(sliced, measured),
    ]


def findings_without_answers(measured: MeasureSet, *, reason: str, confidence: float) -> list[Finding]:
    """Return the declared measures of all rows as null, when no answer was observed."""
    nothing = Estimated(estimate=None, n=0, clusters={}, method=BOOTSTRAP, reason=reason)
    findings = []
    for measure in measures_called(measured, measured.overall):
        if isinstance(measure, Distance):
            measure = Summary(name=measure.name, statistic="rate")  # noqa: PLW2901 - null like the rest
        findings.append(finding_of(measure, nothing, measured, {}, confidence=confidence))
    return _with_aliases(findings, measured)


def measures_called(measured: MeasureSet, names: Sequence[str] | None) -> list[Summary | Contrast | Distance]:
    """Return the measures called `names` (None: all) that are no aliases."""
    return [
        measure
        for measure in measured.measures
        if not isinstance(measure, Alias) and (names is None or measure.name in names)
    ]


def _with_aliases(findings: Sequence[Finding], measured: MeasureSet) -> list[Finding]:
    """Return the findings, each followed by its copies under other names."""
    others: dict[str, list[str]] = {}
    for measure in measured.measures:
        if isinstance(measure, Alias):
            others.setdefault(measure.of, []).append(measure.name)
    result = []
    for finding in findings:
        result.append(finding)
        prefix = finding.name.removesuffix(finding.measure)
        result += [
            replace(finding, name=f"{prefix}{name}", role="descriptive", claim=None)
            for name in others.get(finding.measure, [])
        ]
    return result


def _slice_findings(
    drawn: ResampledUnits, cut: Slice, levels: Mapping[str, str], *, sequential: Sequential | None = None
) -> Iterator[Finding]:
    """Yield the measures of `cut` within `levels`, in the order of the card."""
    measured, confidence = drawn.measured, drawn.draw.confidence
    results: dict[str, Estimated] = {}
    for measure in measures_called(measured, cut.measures):
        if isinstance(measure, Distance):
            if measure.of in results:
                finding = _distance(measure, results[measure.of], measured, levels, confidence=confidence)
                yield replace(finding, name=cut.name(levels, measure.name))
            continue
        results[measure.name] = estimated(drawn, measure, levels)
        if sequential is not None and sequential.measure == measure.name:
            results[measure.name] = with_sequence(results[measure.name], sequential)
        finding = finding_of(measure, results[measure.name], measured, levels, confidence=confidence)
        yield replace(finding, name=cut.name(levels, measure.name))


def _distance(
    measure: Distance, value: Estimated, measured: MeasureSet, where: Mapping[str, str], *, confidence: float
) -> Finding:
    """Return |value − centre| with the interval folded over the centre.

    The folded limits keep the confidence: the distance lies within them whenever the
    value lies within its own. The chance value is folded likewise.
    """
    alternatives = tuple(
        replace(other, low=folded[0], high=folded[1], method=f"{other.method}, folded")
        for other in value.alternatives
        for folded in [_distance_limits(other.low, other.high, measure.centre)]
    )
    low, high = _distance_limits(value.low, value.high, measure.centre)
    distance = replace(
        value,
        estimate=None if value.estimate is None else abs(value.estimate - measure.centre),
        low=low,
        high=high,
        equivalence=None,
        method=f"{value.method}, folded",
        alternatives=alternatives,
        tests=(),
        chance=None if value.chance is None else abs(value.chance - measure.centre),
    )
    return finding_of(Summary(name=measure.name, statistic="rate"), distance, measured, where, confidence=confidence)


def _is_elsewhere(chance: float | None, value: float) -> bool:
    """Return whether chance would give another value than this one."""
    return chance is not None and not is_balanced(chance, value)


def _distance_limits(low: float | None, high: float | None, centre: float) -> tuple[float | None, float | None]:
    if low is None or high is None:
        return None, None
    ends = (abs(low - centre), abs(high - centre))
    return (0.0 if low <= centre <= high else min(ends)), max(ends)


def finding_of(
    measure: Summary | Contrast,
    result: Estimated,
    measured: MeasureSet,
    where: Mapping[str, str],
    *,
    confidence: float,
) -> Finding:
    """Return an estimated measure as a finding, with its mark and verdict."""
    bands, null_value = measured.bands.get(measure.name), measure.null_value
    details = result.details
    if bands is not None and _is_elsewhere(result.chance, bands.centre):
        bands = None
        details = replace(details, chance=result.chance, no_mark=NO_MARK)
    if null_value is not None and _is_elsewhere(result.chance, null_value):
        null_value = result.chance  # what is expected by chance
        details = replace(details, chance=result.chance)
    mark, touched = marked(result, bands)
    common: dict[str, Any] = {
        "name": measure.name,
        "measure": measure.name,
        "slice": dict(where),
        "confidence": confidence,
        "measured_in": measure.measured_in,
        "mark": mark,
        "marks_touched": touched,
        **copied(result, "estimate low high n clusters method alternatives tests reason"),
    }
    focal = measure.focal if isinstance(measure, Contrast) else measure.group
    if null_value is None:
        return Finding(focal=dict(focal), role="descriptive", details=details, **common)
    margin = bands.edges[0] if bands is not None else None
    if margin is not None and result.equivalence is not None:
        details = replace(details, margin=margin, equivalence_interval=result.equivalence)
    planned = measure.name in measured.headline and not where
    return Finding(
        focal=dict(focal),
        reference=dict(measure.reference) if isinstance(measure, Contrast) else {},
        role="planned" if planned else "exploratory",
        null_value=null_value,
        claim=uncorrected(
            replace(result.test(null_value), reason=result.reason),
            planned=planned,
            family="slices" if where else measure.name,
            df=result.df,
            n=result.sides,
            equivalent=is_equivalent(result, null_value=null_value, margin=margin),
            caution=result.caution,
        ),
        details=details,
        **common,
    )


def _intercepts(drawn: ResampledUnits) -> Iterator[Finding]:
    """Yield the intercept that belongs to each line, so that it can be drawn."""
    for measure in drawn.measured.measures:
        if isinstance(measure, Summary) and measure.statistic == "slope":
            line = replace(measure, name=f"{measure.name}{INTERCEPT}", statistic="intercept", measured_in="share")
            intercept = estimated(drawn, line, {})
            yield finding_of(line, intercept, drawn.measured, {}, confidence=drawn.draw.confidence)
