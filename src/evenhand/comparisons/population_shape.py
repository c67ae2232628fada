"""Each group's acceptance rate compared with that of all groups together (An et al. 2024), as findings.

`population_findings` has the differences and rates; with them come the widest gap, interactions, heterogeneity over
levels, the detectable difference, and odds ratios from a mixed logistic model with random names and roles.
`population_differences` compares models, name by name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons import population
from evenhand.comparisons.claims import corrected, uncorrected
from evenhand.comparisons.clusterings import ClusterFactors, clustered
from evenhand.comparisons.models import AnsweredRun, Differences, model_finding, of_two_models
from evenhand.comparisons.population import Decisions, Group, Permuted
from evenhand.comparisons.undetected import nothing_read, statuses_of, undetected_findings
from evenhand.comparisons.units import Draw, Floats, units_of
from evenhand.results import finding as results_finding
from evenhand.results import measures
from evenhand.results.finding import Alternative, Details, Finding, Test, copied
from evenhand.stats.logistic import ClusteredLogistic, clustered_logistic
from evenhand.stats.mixed_logistic import MixedLogistic, Spread, mixed_logistic
from evenhand.stats.resampling import permutation_p
from evenhand.stats.special import stdtrit
from evenhand.stats.strata import stratified_variance

POWER = 0.8
#: A difference between two differences of rates is no larger.
WIDEST = 2.0
CONFIDENCE = 0.95
BIASED = "the largest of several gaps; by chance alone it is above zero, so read it together with null_mean"
NO_UPPER_LIMIT = "The likelihood falls too little towards large values: no upper limit, so no interval."
NAMES = "permutation over names, studentised"
STEP_DOWN = "Westfall-Young step-down"
#: The most rates of permuted groups that are in memory at once.
MOST_RATES = 20_000_000
#: Marks of the paper, by the one-sided p below which they stand.
MARKS = (("†", 0.01), ("*", 0.05))


def shape_findings(
    decisions: Decisions, permuted: Permuted, measured: measures.MeasureSet, *, confidence: float
) -> Iterator[Finding]:
    """Yield maximum differences, interactions, heterogeneity over levels, and the detectable difference."""
    yield from _maximum(decisions, permuted, confidence=confidence)
    yield from _interactions(decisions, measured, confidence=confidence)
    yield from _heterogeneity(decisions, permuted, confidence=confidence)
    yield _detectable(decisions, confidence=confidence)


def _maximum(decisions: Decisions, permuted: Permuted, *, confidence: float) -> Iterator[Finding]:
    n, accepted = decisions.by_group()
    for place, levels in enumerate(decisions.slices):
        observed, *rest = permuted.spread[:, place]
        null = np.array(rest)
        known = bool(np.isfinite(observed))
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = accepted[:, place] / n[:, place]
        prefix = "".join(f"{column}_{'_'.join(level.lower().split())}_" for column, level in levels.items())
        varied = known and 0 < accepted[:, place].sum() < n[:, place].sum()
        # The gap is never negative: only large ones are extreme.
        p = permutation_p(float(observed), null) if varied else None
        reason = None if known else "A group has no decision here."
        yield Finding(
            name=f"{prefix}max_difference",
            measure=measures.MAX_DIFFERENCE,
            slice=dict(levels),
            focal=dict(decisions.groups[int(np.nanargmax(rates))]) if known else {},
            reference=dict(decisions.groups[int(np.nanargmin(rates))]) if known else {},
            role="exploratory",
            estimate=float(observed) if known else None,
            confidence=confidence,
            n=int(n[:, place].sum()),
            clusters={"name": decisions.group.size},
            method=f"highest minus lowest acceptance rate: {BIASED}",
            tests=(
                Test(
                    name="permutation over names",
                    statistic=float(observed) if known else None,
                    p=p,
                    reason=reason if not known else None if varied else "All decisions are the same.",
                ),
            ),
            reason=reason,
            details=results_finding.WidestGap(
                null_mean=float(np.nanmean(null)), null_95=float(np.nanquantile(null, 0.95))
            )
            if known and null.size
            else Details(),
        )


def _interactions(decisions: Decisions, measured: measures.MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield, per pair of levels of the first attribute, the difference between their gaps in the second."""
    if len(measured.groups) != 2:
        return
    first, second = measured.groups
    rows = list(dict.fromkeys(group[first] for group in decisions.groups))
    columns = list(dict.fromkeys(group[second] for group in decisions.groups))
    n, accepted = decisions.by_carrier[0][:, 0], decisions.by_carrier[1][:, 0]
    group_n = np.array([n[decisions.group == number].sum() for number in range(len(decisions.groups))])
    if len(rows) < 2 or len(columns) != 2 or len(decisions.groups) != len(rows) * 2 or not group_n.all():
        return
    place = {(group[first], group[second]): number for number, group in enumerate(decisions.groups)}
    rates = np.array([accepted[decisions.group == number].sum() / group_n[number] for number in range(group_n.size)])
    psi = np.zeros((decisions.group.size, group_n.size))
    for number in range(group_n.size):
        member = decisions.group == number
        psi[member, number] = (accepted[member] - rates[number] * n[member]) / group_n[number]

    def gap(values: Floats, level: str) -> Floats:
        return np.asarray(values[..., place[level, columns[0]]] - values[..., place[level, columns[1]]])

    base = rows[0]
    together = stats.wald_test(
        np.array([float(gap(rates, level) - gap(rates, base)) for level in rows[1:]]),
        np.stack([gap(psi, level) - gap(psi, base) for level in rows[1:]], axis=1),
        np.arange(decisions.group.size),
    )
    test = Test(name=f"{first} × {second}, Hotelling's T² on names", **copied(together, "statistic p reason"))
    for one, other in combinations(rows, 2):
        value = float(gap(rates, one) - gap(rates, other))
        variances = stratified_variance((gap(psi, one) - gap(psi, other))[:, None], decisions.group)
        variance, df = float(variances.variance[0]), float(variances.df[0])
        interval = stats.t_interval(value, variance, df, confidence=confidence)
        ends = [None if end is None else min(max(end, -WIDEST), WIDEST) for end in (interval.low, interval.high)]
        row_test = Test(name="t test on names", statistic=value, **copied(interval, "p reason"))
        yield Finding(
            name=f"{one}_{other}_{first}_{second}{measures.INTERACTION}",
            measure=f"{first}_{second}{measures.INTERACTION}",
            focal={first: one},
            reference={first: other},
            role="exploratory",
            estimate=value,
            low=ends[0],
            high=ends[1],
            reason=interval.reason,
            confidence=confidence,
            null_value=0.0,
            n=int(n.sum()),
            clusters={"name": decisions.group.size},
            method=f"difference of the gaps {columns[0]} minus {columns[1]}, cluster-robust by name",
            tests=(row_test, test),
        )


def _heterogeneity(decisions: Decisions, permuted: Permuted, *, confidence: float) -> Iterator[Finding]:
    """Yield, per column and group, whether the difference to the population changes with the level.

    The statistic is Σ n (d − d̄)² over the levels, its null the shuffles of the names.
    """
    n = decisions.by_carrier[0].sum(axis=0)
    for column, levels in decisions.levels.items():
        places = [place for place, cut in enumerate(decisions.slices) if column in cut]
        if len(levels) < 2:
            continue
        weights = n[places]
        for number, group in enumerate(decisions.groups):
            d = permuted.difference[number][:, places]
            if not np.isfinite(d[0]).all():
                continue
            mean = (d * weights).sum(axis=1) / weights.sum()
            statistic = (weights * (d - mean[:, None]) ** 2).sum(axis=1) / weights.sum()
            highest, lowest = int(d[0].argmax()), int(d[0].argmin())
            yield Finding(
                name=f"{'_'.join(group.values())}_{column}{measures.HETEROGENEITY}",
                measure=f"{column}{measures.HETEROGENEITY}",
                focal=group,
                reference={"population": "all"},
                role="exploratory",
                estimate=float(d[0].max() - d[0].min()),
                confidence=confidence,
                n=int(weights.sum()),
                clusters={"name": decisions.group.size},
                method=f"largest difference between two {column}s of the difference to the population; chosen post hoc",
                tests=(
                    Test(
                        name=f"permutation over names, weighted variance over {column}s",
                        statistic=float(statistic[0]),
                        p=permutation_p(float(statistic[0]), statistic[1:]),
                    ),
                ),
                details=results_finding.Heterogeneity(highest=levels[highest], lowest=levels[lowest]),
            )


def _detectable(decisions: Decisions, *, confidence: float) -> Finding:
    """Return the smallest difference from all that is detected with 80 % power, by the adjusted p.

    Bonferroni over the groups stands for the largest difference of permuted groups. The group with the widest error
    decides.
    """
    errors, freedom, widened = population.standard_errors(decisions, confidence=confidence)
    known = bool(errors.size > 1 and np.isfinite(errors).all() and (errors > 0).all())
    value = None
    if known:
        level = 1 - (1 - confidence) / (2 * errors.size)
        # Both the adjusted p and the longest interval have to be clear.
        needed = np.maximum(stdtrit(freedom, level), widened * stdtrit(freedom, (1 + confidence) / 2))
        value = float(((needed + stdtrit(freedom, POWER)) * errors).max())
    reason = None if value is not None else "Nothing varies between the names of a group, or there are too few."
    if value is not None and value > 1:
        value, reason = None, "More than 100 points: these decisions are too few to detect anything."
    return Finding(
        name=measures.DETECTABLE_DIFFERENCE,
        measure=measures.DETECTABLE_DIFFERENCE,
        role="descriptive",
        estimate=value,
        confidence=confidence,
        n=int(decisions.whole.n.sum()),
        clusters={"name": decisions.group.size},
        method=f"{POWER:.0%} power, two-sided {1 - confidence:.0%} level over {errors.size} groups (Bonferroni), names",
        reason=reason,
    )


def mixed_findings(decisions: Decisions, measured: measures.MeasureSet, *, confidence: float) -> list[Finding]:
    """Return each group's odds ratio to the mean of all groups, and the SDs of names and roles.

    Each has the odds ratio of a regression without random effects as an alternative, whose interval assumes nothing
    about how names differ.
    """
    setting = measured.population or ""
    cells: dict[str, Any] = {
        "accepted": decisions.whole.accepted,
        "n": decisions.whole.n,
        "group": decisions.group[decisions.whole.carrier],
        "name": decisions.whole.carrier,
        "role": decisions.whole.second,
        "confidence": confidence,
    }
    fit = mixed_logistic(**cells)
    without_random = clustered_logistic(**cells) if fit.reason is None else None
    factors = (measured.clusters[0], setting)
    return [
        *_odds_ratios(decisions, fit, without_random, measured, factors=factors),
        *(_spread(spread, fit, factor=factor) for spread, factor in zip((fit.names, fit.roles), factors, strict=True)),
    ]


def _odds_ratios(
    decisions: Decisions,
    fit: MixedLogistic,
    without_random: ClusteredLogistic | None,
    measured: measures.MeasureSet,
    *,
    factors: tuple[str, str],
) -> list[Finding]:
    # Groups without a decision have no code in the fit.
    present = np.unique(decisions.group[decisions.whole.carrier]).tolist()
    adjusted = stats.holm([group.p for group in fit.groups]).p if fit.groups else []
    n = decisions.by_group()[0][:, 0]
    random = [
        f"(1 | {factor})" for factor, spread in zip(factors, (fit.names, fit.roles), strict=True) if spread.levels > 1
    ]
    model = results_finding.MixedOdds(
        formula=" + ".join([f"accepted ~ {' × '.join(measured.groups)}", *random]),
        **copied(fit, "cells df dispersion"),
    )
    findings = []
    for number, group in enumerate(decisions.groups):
        levels = "_".join("_".join(value.lower().split()) for value in group.values())
        common: dict[str, Any] = {
            "name": f"{levels}_{measures.MIXED_ODDS_RATIO}",
            "measure": measures.MIXED_ODDS_RATIO,
            "focal": group,
            "reference": {"population": "mean of groups"},
            "role": "exploratory",
            "confidence": fit.confidence,
            "measured_in": "ratio",
            "null_value": 1.0,
            "n": fit.n,
            "clusters": {"name": fit.names.levels},
            "method": f"{fit.method}; odds over the geometric mean of all groups' odds",
        }
        group_details = replace(model, n_group=int(n[number]))
        if not fit.groups or number not in present:
            reason = fit.reason or "The group has no decision here."
            findings.append(Finding(**common, estimate=None, reason=reason, details=group_details))
            continue
        place = present.index(number)
        findings.append(
            _fitted(
                fit,
                place,
                _alternative_interval(without_random, place),
                group_details,
                p_adjusted=float(adjusted[place]),
                **common,
            )
        )
    return findings


def _fitted(
    fit: MixedLogistic,
    place: int,
    without_random: tuple[Alternative, float | None],
    group_details: results_finding.MixedOdds,
    *,
    p_adjusted: float,
    **common: Any,
) -> Finding:
    """Return the odds ratio of the group that is at `place` in the fit."""
    odds = fit.groups[place]
    alternative, second = without_random
    test = Test(name="t on names minus groups", statistic=odds.t, p=odds.p)
    claim = uncorrected(test, planned=False, family="mixed model", reason=fit.reason)
    return Finding(
        **common,
        estimate=odds.odds_ratio,
        **copied(odds, "low high"),
        alternatives=(alternative,),
        tests=(
            test,
            Test(name="F, no difference between groups", statistic=fit.alike_f, p=fit.alike_p),
        ),
        claim=corrected(claim, p_adjusted, size=len(fit.groups), correction="Holm"),
        details=results_finding.FittedOdds(
            **vars(group_details),
            standard_error=odds.standard_error,
            odds_ratio_without_random_effects=second,
            statsmodels=version("statsmodels"),
        ),
    )


def _alternative_interval(without_random: ClusteredLogistic | None, place: int) -> tuple[Alternative, float | None]:
    """Return the interval without random effects, and its odds ratio."""
    if without_random is None or without_random.reason is not None:
        reason = without_random.reason if without_random is not None else "No model was fitted."
        method = without_random.method if without_random is not None else ""
        return Alternative(method=method, low=None, high=None, reason=reason), None
    low, high = float(without_random.low[place]), float(without_random.high[place])
    return Alternative(method=without_random.method, low=low, high=high), float(without_random.odds_ratio[place])


def _spread(spread: Spread, fit: MixedLogistic, *, factor: str) -> Finding:
    return Finding(
        name=f"{measures.MIXED_SD}_{factor}",
        measure=measures.MIXED_SD,
        role="descriptive",
        estimate=spread.sd,
        low=spread.low if spread.high is not None else None,
        high=spread.high,
        confidence=fit.confidence,
        measured_in="log odds",
        n=fit.n,
        clusters={factor: spread.levels},
        method=f"{fit.method}; profile likelihood",
        reason=spread.reason if spread.sd is None or spread.high is not None else NO_UPPER_LIMIT,
        details=results_finding.MixedSpread(
            factor=factor,
            odds_ratio_of_one_sd=None if spread.sd is None else float(np.exp(spread.sd)),
            dispersion=fit.dispersion,
        ),
    )


def _headline(runs: Sequence[Mapping[str, Finding]]) -> list[str]:
    """Return the names of the groups' comparisons over all rows, in the order of the runs' findings."""
    names = [
        name
        for findings in runs
        for name, finding in findings.items()
        if finding.measure == measures.AGAINST_POPULATION and finding.focal and not finding.slice
    ]
    return list(dict.fromkeys(names))


def population_differences(
    runs: Sequence[AnsweredRun], measured: measures.MeasureSet, *, prefix: str, **_prompts: object
) -> Differences:
    """Return, per group, a row per model and one per pair of models.

    All models see the same names whatever the prompts, so a name's influences on both are summed before
    they are squared. p is adjusted by Holm over all pairs and groups.
    """
    counted = [population.decisions_of(run.outcomes, measured) for run in runs]
    result: list[Finding] = []
    headline = _headline([run.findings for run in runs])
    for name in headline:
        rows = [replace(model_finding(run.label, run.findings, name, prefix), measure=name) for run in runs]
        result += rows
        group = next(run.findings[name].focal for run in runs if name in run.findings)
        for first, second in combinations(range(len(runs)), 2):
            pair = (rows[first], rows[second])
            psi = [_influence(counted[number], group) for number in (first, second)]
            result.append(_difference(*pair, *psi, confidence=CONFIDENCE))
    return Differences(findings=result, headline=headline)


def _influence(decisions: Decisions, group: Mapping[str, str]) -> tuple[list[str], Floats] | None:
    """Return the names and each one's influence on the group's rate minus that of all; None without a decision."""
    n, accepted = (counts[:, 0] for counts in decisions.by_carrier)
    member = decisions.group == next((k for k, known in enumerate(decisions.groups) if known == dict(group)), -1)
    group_n = float(n[member].sum())
    if not group_n:
        return None
    rate, own_rate = accepted.sum() / n.sum(), accepted[member].sum() / group_n
    psi = member * (accepted - own_rate * n) / group_n - (accepted - rate * n) / n.sum()
    labels = [f"{name} {number}" for name, number in zip(decisions.names, decisions.group, strict=True)]
    return labels, psi


def _difference(
    first: Finding,
    second: Finding,
    one: tuple[list[str], Floats] | None,
    other: tuple[list[str], Floats] | None,
    *,
    confidence: float,
) -> Finding:
    common = of_two_models(first, second, method="paired by name, t", role="planned", confidence=confidence)
    test, n = Test(name="t test on names", statistic=None, p=None), (first.n, second.n)
    if one is None or other is None or first.estimate is None or second.estimate is None:
        lacking = first if one is None or first.estimate is None else second
        reason = f"{lacking.slice['model']} has no value for this group."
        claim = uncorrected(test, planned=True, n=n, reason=reason)
        return Finding(estimate=None, reason=reason, clusters={}, claim=claim, **common)
    estimate = first.estimate - second.estimate
    psi = np.concatenate([one[1], -other[1]])
    _, names = np.unique(np.array([*one[0], *other[0]]), return_inverse=True)
    interval = clustered(psi, ClusterFactors(codes={"name": names}), estimate)(confidence)
    test = replace(test, statistic=interval.t, p=interval.p)
    return Finding(
        estimate=estimate,
        tests=(test,),
        claim=uncorrected(test, planned=True, df=interval.df, n=n, reason=interval.reason),
        **copied(interval, "low high clusters reason"),
        **common,
    )


def population_findings(
    outcomes: pl.LazyFrame,
    measured: measures.MeasureSet,
    draw: Draw,
    *,
    sequential: object = None,  # noqa: ARG001 - of measures that stop sampling
) -> list[Finding]:
    """Return the comparison of every group with all, overall and per slice, with its descriptive findings.

    Names are permuted and nothing is resampled.
    """
    compared = _Comparison.of(outcomes, measured, draw)
    statuses, confidence = statuses_of(outcomes), draw.confidence
    findings: list[Finding] = []
    if compared is not None:
        decisions = compared.decisions
        findings += compared.against_population()
        findings += compared.rates()
        findings += shape_findings(decisions, compared.permuted, measured, confidence=confidence)
        if measured.mixed:
            findings += mixed_findings(decisions, measured, confidence=confidence)
    else:
        findings.append(_nothing(nothing_read(statuses), confidence=confidence))
    units = units_of(outcomes, columns=(*measured.clusters, *measured.groups), against=None, order=measured.order)
    findings += undetected_findings(units, statuses, measured, draw)
    findings += _validity(statuses, measured, confidence=confidence)
    return findings


def compared_groups(outcomes: pl.LazyFrame, measured: measures.MeasureSet, draw: Draw) -> list[Finding]:
    """Return the comparison of every group with all alone; nothing is resampled."""
    compared = _Comparison.of(outcomes, measured, draw)
    return [] if compared is None else list(compared.against_population())


def _permutations(permutations: int, decisions: Decisions) -> int:
    """Return the number of permutations: ten times as many as elsewhere, if memory allows.

    There are many slices, and an adjusted p can't be smaller than the number of slices over the number of permutations.
    """
    rates = len(decisions.groups) * len(decisions.slices)
    return max(permutations, min(10 * (permutations + 1) - 1, MOST_RATES // max(rates, 1)))


def _nothing(reason: str, *, confidence: float) -> Finding:
    return Finding(
        name=measures.AGAINST_POPULATION,
        measure=measures.AGAINST_POPULATION,
        reference={"population": "all"},
        role="planned",
        estimate=None,
        confidence=confidence,
        n=0,
        clusters={},
        method="group rate minus population rate",
        claim=uncorrected(Test(name=NAMES, statistic=None, p=None), planned=True, reason=reason),
        reason=reason,
    )


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """The counts and their permutations, with the settings that the findings share."""

    decisions: Decisions
    permuted: Permuted
    measured: measures.MeasureSet
    confidence: float
    seed: int

    @classmethod
    def of(cls, outcomes: pl.LazyFrame, measured: measures.MeasureSet, draw: Draw) -> "_Comparison | None":
        """Return the groups of outcomes; None where nothing was read."""
        decisions = population.decisions_of(outcomes, measured)
        if not decisions.whole.n.sum():
            return None
        permuted = population.permuted_rates(
            decisions,
            permutations=_permutations(draw.permutations, decisions),
            seed=(draw.seed, 9),
        )
        return cls(
            decisions=decisions, permuted=permuted, measured=measured, confidence=draw.confidence, seed=draw.seed
        )

    def against_population(self) -> Iterator[Finding]:
        """Yield each group compared with all: over all roles, then in each slice."""
        n, accepted = self.decisions.by_group()
        n_all, accepted_all = n.sum(axis=0), accepted.sum(axis=0)
        paper = stats.permutation_exact(accepted, n, accepted_all, n_all)
        combined = self._combined(paper)
        known = (paper, combined, self._simulated(accepted, n, accepted_all, n_all))
        stepped = population.step_down(self.permuted)
        family = sum(p is not None for p in stepped)
        for place, levels in enumerate(self.decisions.slices):
            intervals = population.group_intervals(self.decisions, place, confidence=self.confidence)
            for number, group in enumerate(self.decisions.groups):
                reason = str(paper.reason[number, place]) or None
                observed = self.permuted.difference[number, 0, place]
                tests, decisive = self._tests(number, place, *known)
                interval = intervals[number]
                claim = uncorrected(
                    tests[0],
                    planned=not levels,
                    family=f"groups × {next(iter(levels), '')}s",
                    n=(int(n[number, place]), int(n_all[place] - n[number, place])),
                    reason=tests[0].reason or interval.reason,
                )
                if not levels:
                    p_adjusted = None if claim.p is None else stepped[number]
                    claim = corrected(claim, p_adjusted, size=family, correction=STEP_DOWN)
                yield Finding(
                    name=self._name(measures.AGAINST_POPULATION, group, levels),
                    measure=measures.AGAINST_POPULATION,
                    slice=dict(levels),
                    focal=group,
                    reference={"population": "all"},
                    role="exploratory" if levels else "planned",
                    estimate=_number(observed),
                    confidence=self.confidence,
                    null_value=0.0,
                    n=int(n[number, place]),
                    **copied(interval, "low high clusters method alternatives"),
                    tests=tests,
                    claim=claim,
                    mark=_mark(decisive.p),
                    reason=interval.reason if np.isfinite(observed) else reason or "The group has no decision here.",
                    details=results_finding.Against(
                        rate=_number(accepted[number, place] / n[number, place]) if n[number, place] else None,
                        population_rate=_number(accepted_all[place] / n_all[place]) if n_all[place] else None,
                        n_population=int(n_all[place]),
                    ),
                )

    def _tests(
        self, number: int, place: int, paper: Any, combined: list[Test] | None, simulated: Floats | None
    ) -> tuple[tuple[Test, ...], Test]:
        """Return a group's tests in a slice, those over the names first, and the one that decides its mark."""
        reason = str(paper.reason[number, place]) or None
        kinds = {"strict": paper.strict, "inclusive": paper.inclusive, "mid-p": paper.mid_p}
        tests = [
            Test(name=f"paper, {kind}", statistic=None, p=_number(values[number, place]), reason=reason)
            for kind, values in kinds.items()
        ]
        decisive = tests[-1]
        observed = self.permuted.difference[number, 0, place]
        over_names = population.studentised_p(self.permuted, number, place) if reason is None else None
        t = self.permuted.studentised[number, 0, place] if over_names is not None else np.nan
        unknown = reason or (None if over_names is not None else population.FEW)
        names = Test(name=NAMES, statistic=_number(t), p=over_names, reason=unknown)
        whole = not self.decisions.slices[place]
        if simulated is not None:
            p = float(simulated[int(observed < 0), number, place])
            tests.append(Test(name=self._simulation, statistic=None, p=_number(p), reason=reason))
            if whole and combined is not None:
                tests.append(self._simulated_roles(simulated[int(observed < 0), number]))
        if whole and combined is not None:
            decisive = combined[number]
            tests.append(decisive)
        return (names, *tests), decisive

    @property
    def _simulation(self) -> str:
        return f"paper, simulated with {self.measured.monte_carlo} permutations"

    def _simulated(self, accepted: Floats, n: Floats, accepted_all: Floats, n_all: Floats) -> Floats | None:
        """Return the simulated p of the upper and the lower tail, (2, groups, slices); NaN where one table is all."""
        if not self.measured.monte_carlo:
            return None
        rng = np.random.default_rng([self.seed, 11])
        result = np.full((2, *n.shape), np.nan)
        for number, place in np.ndindex(*n.shape):
            table = (accepted[number, place], n[number, place], accepted_all[place], n_all[place])
            simulated = stats.permutation_monte_carlo(*map(int, table), permutations=self.measured.monte_carlo, rng=rng)
            if simulated is not None:
                result[:, number, place] = simulated.upper, simulated.lower
        return result

    def _simulated_roles(self, p: Floats) -> Test:
        """Return the simulated p of all roles in one tail together, as the study combines them."""
        column = self.measured.population
        places = [place for place, levels in enumerate(self.decisions.slices) if column in levels]
        combined = stats.fishers_method(p[places])
        return Test(name=f"Fisher over {column}s, simulated", **copied(combined, "statistic p reason"))

    def _combined(self, paper: Any) -> list[Test] | None:
        """Return, per group, the mid-p of all roles together in the tail of the overall difference."""
        column = self.measured.population
        places = [place for place, levels in enumerate(self.decisions.slices) if column in levels]
        if len(places) < 2:
            return None
        tests = []
        for number in range(len(self.decisions.groups)):
            mid = paper.mid_p[number, places]
            # All roles in one tail: 1 - mid-p is the mid-p of the other.
            other = np.sign(paper.difference[number, places]) != np.sign(paper.difference[number, 0])
            level = paper.difference[number, places] == 0
            up = paper.difference[number, 0] >= 0
            turned = np.where(level, ~np.full(level.shape, up), other)
            combined = stats.fishers_method(np.where(turned, 1.0 - mid, mid))
            tests.append(Test(name=f"Fisher over {column}s, mid-p", **copied(combined, "statistic p reason")))
        return tests

    def rates(self) -> Iterator[Finding]:
        """Yield the acceptance rate of each group and of all, overall and per slice."""
        n, accepted = self.decisions.by_group()
        for place, levels in enumerate(self.decisions.slices):
            for number, group in enumerate([*self.decisions.groups, {}]):
                group_n = n[number, place] if group else n[:, place].sum()
                group_accepted = accepted[number, place] if group else accepted[:, place].sum()
                if not group_n:
                    continue
                inside = self.decisions.group == number if group else np.ones(self.decisions.group.size, dtype=bool)
                of_n, of_accepted = (counts[inside, place] for counts in self.decisions.by_carrier)
                group_of = self.decisions.group[inside]
                interval = population.rate_interval(of_n, of_accepted, group_of, confidence=self.confidence)
                yield Finding(
                    name=self._name(self.measured.rate, group, levels),
                    measure=self.measured.rate,
                    slice=dict(levels),
                    focal=group,
                    role="descriptive",
                    estimate=float(group_accepted / group_n),
                    confidence=self.confidence,
                    n=int(group_n),
                    **copied(interval, "low high clusters method reason"),
                )

    @staticmethod
    def _name(measure: str, group: Group, levels: dict[str, str]) -> str:
        parts = [*(f"{column}_{level}" for column, level in levels.items()), *group.values(), measure]
        return "_".join("_".join(part.lower().split()) for part in parts)


def _validity(statuses: pl.DataFrame, measured: measures.MeasureSet, *, confidence: float) -> list[Finding]:
    """Return, per pair of groups, whether their e-mails state a decision equally often (the paper's C.2)."""
    columns = [f"protected.{name}" for name in measured.groups]
    if any(name not in statuses.columns for name in columns):
        return []
    counted = (
        statuses.drop_nulls(columns)
        .group_by(columns)
        .agg(
            pl.col("n").filter(pl.col("status") == "observed").sum().alias("valid"),
            pl.col("n").sum().alias("n"),
        )
        .sort(columns)
    )
    rows = list(counted.iter_rows(named=True))
    pairs = list(combinations(rows, 2))
    if not pairs:
        return []
    table = [[pair[side][key] for pair in pairs] for side in (0, 1) for key in ("valid", "n")]
    exact = stats.fisher_exact(*table).p
    findings = []
    for place, pair in enumerate(pairs):
        groups = [dict(zip(measured.groups, (row[name] for name in columns), strict=True)) for row in pair]
        n, test = (pair[0]["n"], pair[1]["n"]), Test(name=EXACT, statistic=None, p=_number(exact[place]))
        rates = [row["valid"] / row["n"] for row in pair]
        findings.append(
            Finding(
                name=f"{'_'.join(groups[0].values())}_{'_'.join(groups[1].values())}_{measures.VALIDITY_DIFFERENCE}",
                measure=measures.VALIDITY_DIFFERENCE,
                focal=groups[0],
                reference=groups[1],
                role="descriptive",
                estimate=rates[0] - rates[1],
                confidence=confidence,
                null_value=0.0,
                n=sum(n),
                clusters={"answer": sum(n)},
                method="share of answers that state a decision",
                tests=(test,),
                claim=uncorrected(test, planned=False, family="readable answers, pairs of groups", n=n),
            )
        )
    return findings


EXACT = "Fisher exact, answers taken as independent"


def _mark(p: float | None) -> str:
    return next((mark for mark, level in MARKS if p is not None and p < level), "")


def _number(value: Any) -> float | None:
    number = float(value)
    return number if np.isfinite(number) else None
