"""Success rates by group, by bin of the covariate and by instruction, with impact ratios against the highest rate."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.comparisons import clusterings
from evenhand.comparisons.claims import corrected, uncorrected
from evenhand.comparisons.declared import FEWEST_ITEMS
from evenhand.comparisons.units import Clustered, Floats, Ints, Units, distinct
from evenhand.comparisons.weighted_sums import ResampledUnits, point, terms_of, unit_influence
from evenhand.results.finding import LEVEL, Alternative, Bin, Finding, GroupRatio, TemplateSpread, Test, copied
from evenhand.results.measures import IMPACT_RATIO, VARIANCE, Contrast, MeasureSet, Summary
from evenhand.stats import FOUR_FIFTHS, between_group_variance, fisher_exact, four_fifths, impact_ratio
from evenhand.stats.resampling import influence, label_permutations, percentile_interval, permutation_p, statistic

Group = dict[str, str]

BINS = 10
#: With fewer answers per instruction the chi-square of Q is no guide.
FEWEST_PER_INSTRUCTION = 20


def group_findings(drawn: ResampledUnits, *, choice: Ints | None = None) -> Iterator[Finding]:
    """Yield a rate per combination of groups, then its ratio to the highest rate.

    `choice` numbers the choice that each unit stands for election in; one of them wins it,
    so a group's rate is at most its choices over its candidates.
    Ties for the highest go to the larger group, then to the label. Since the data
    choose the reference, the adjusted p compares each difference with the
    largest range among all groups under permuted names.
    """
    units, measured, confidence = drawn.units, drawn.measured, drawn.draw.confidence
    groups = units.groups(measured.groups)
    for group in groups:
        mask = units.where(group)
        bound = 1.0 if choice is None else distinct(choice[mask]) / int(mask.sum())
        yield Finding(
            name=f"{measured.rate}_{'_'.join(group.values())}",
            measure=measured.rate,
            focal=group,
            role="descriptive",
            confidence=confidence,
            **clusterings.rate_interval_of(
                units.take(mask), confidence=confidence, clusters=measured.clusters, highest=bound
            ),
        )
    if len(groups) < 2:
        return
    rates = [float(units.score[units.where(group)].mean()) for group in groups]
    sizes = [int(units.where(group).sum()) for group in groups]
    ranking = sorted(range(len(groups)), key=lambda place: (-rates[place], -sizes[place], *groups[place].values()))
    highest = groups[ranking[0]]
    null = _permuted_rates(drawn, groups)
    # Where all groups are scored on the same items, shuffled names break the pairs: the rate isn't known.
    false_positives = None if measured.scored is not None else _false_positive_rate(null)
    least = _least_p([_names(drawn, group) for group in groups])
    for place, group in enumerate(groups):
        if group != highest:
            difference = rates[place] - rates[ranking[0]]
            raw = permutation_p(difference, null[:, place] - null[:, ranking[0]])
            adjusted = permutation_p(difference, null.max(axis=1) - null.min(axis=1))
            test = Test(name="permutation over names", statistic=difference, p=raw)
            if least > LEVEL:
                test = replace(test, p=None, reason=f"So few names can give no p below {least:.3f}.")
                adjusted = None
            yield _ratio(
                drawn,
                group,
                highest,
                test=test,
                adjusted=adjusted,
                groups=len(groups),
                false_positives=false_positives,
            )


def _permuted_rates(drawn: ResampledUnits, groups: list[Group]) -> Floats:
    """Return each group's rate with whole names shuffled over all groups, (permutations, groups)."""
    labels = np.full(len(drawn.carrier_groups), -1, dtype=np.int64)
    for number, group in enumerate(groups):
        codes = [drawn.units.levels[name].index(level) for name, level in group.items()]
        labels[(drawn.carrier_groups == codes).all(axis=1)] = number
    rng = np.random.default_rng([drawn.draw.seed, 6])
    strata = np.where(labels < 0, -1, 0)
    shuffled = label_permutations(labels, strata, permutations=drawn.draw.permutations, rng=rng)
    moments = np.stack(drawn.carrier_rates(), axis=1)
    sums = [(shuffled == number).astype(np.float64) @ moments for number in range(len(groups))]
    return np.stack([statistic(total, "rate") for total in sums], axis=1)


def _names(drawn: ResampledUnits, group: Group) -> int:
    """Return how many names a group has."""
    codes = [drawn.units.levels[name].index(level) for name, level in group.items()]
    return int((drawn.carrier_groups == codes).all(axis=1).sum())


def _least_p(names: Sequence[int]) -> float:
    """Return the smallest p that shuffling so many names of each group can give; groups of equal size change places.

    >>> round(_least_p([2, 2]), 3), round(_least_p([1, 1]), 3), round(_least_p([4, 4]), 3)
    (0.333, 1.0, 0.029)
    """
    arrangements = factorial(sum(names)) // prod(map(factorial, names))
    return (2 if len(names) == 2 and names[0] == names[1] else 1) / arrangements


def _false_positive_rate(rates: Floats) -> float:
    """Return the false-positive rate of the four-fifths rule, over permutations of this table.

    The rule compares every group with the highest, so with several groups and few
    selections it flags a process that treats all alike.
    """
    highest, lowest = rates.max(axis=1), rates.min(axis=1)
    return float((lowest < float(FOUR_FIFTHS) * highest).mean())


def _ratio(
    drawn: ResampledUnits,
    group: Group,
    highest: Group,
    *,
    test: Test,
    adjusted: float | None,
    groups: int,
    false_positives: float | None,
) -> Finding:
    units = drawn.units
    focal, reference = units.where(group), units.where(highest)
    totals = [(float(units.score[side].sum()), int(side.sum())) for side in (focal, reference)]
    (a, n_focal), (c, n_reference) = totals
    single = bool(np.isin(units.score[focal | reference], (0.0, 1.0)).all()) and len(units) == distinct(units.item)
    tests = [test]
    claim = corrected(
        uncorrected(test, planned=False, family="groups", n=(n_focal, n_reference)),
        adjusted,
        size=groups * (groups - 1) // 2,
        correction="Largest range of permuted rates",
    )
    common: dict[str, Any] = {
        "name": f"{IMPACT_RATIO}_{'_'.join(group.values())}",
        "measure": IMPACT_RATIO,
        "focal": group,
        "reference": highest,
        "role": "exploratory",
        "confidence": drawn.draw.confidence,
        "measured_in": "ratio",
        "null_value": 1.0,
        "n": n_focal + n_reference,
        "clusters": {"item": distinct(units.item[focal | reference])},
        "claim": claim,
        "details": GroupRatio(
            rate_focal=a / n_focal,
            n_focal=n_focal,
            rate_reference=c / n_reference,
            n_reference=n_reference,
            four_fifths=_four_fifths(a, n_focal, c, n_reference),
            over_flagging_rate=false_positives,
        ),
    }
    if c == 0:
        nobody = "Nobody in the reference group was selected, so there is no ratio."
        return Finding(estimate=None, method="Koopman score", reason=nobody, tests=tuple(tests), **common)
    intervals = _ratio_intervals(drawn, (group, highest), single=single)
    if single:
        fisher = fisher_exact(round(a), n_focal, round(c), n_reference)
        tests.append(Test(name="Fisher exact, answers taken as independent", statistic=None, p=fisher.p))
    main, *additional = intervals
    return Finding(
        estimate=(a / n_focal) / (c / n_reference),
        tests=tuple(tests),
        alternatives=tuple(additional),
        **(common | copied(main, "low high method reason") | {"clusters": main.clusters or common["clusters"]}),
    )


def _ratio_intervals(drawn: ResampledUnits, sides: tuple[Group, Group], *, single: bool) -> list[Alternative]:
    """Return the intervals of the ratio of two groups' rates, the primary one first.

    It is the cluster-robust one; where there is none, the one that takes answers, or items, as independent.
    """
    units, confidence = drawn.units, drawn.draw.confidence
    focal, reference = (units.where(side) for side in sides)
    factors, robust = _robust_ratio(units, focal, reference, drawn.measured, confidence)
    additional: list[Alternative] = []
    if single:
        counts = [(round(units.score[side].sum()), int(side.sum())) for side in (focal, reference)]
        ratio = impact_ratio(*counts[0], *counts[1], confidence=confidence)
        main = Alternative(method="Koopman score", low=ratio.low, high=ratio.high)
        additional.append(
            Alternative(method="Katz log", low=ratio.katz_low, high=ratio.katz_high, reason=ratio.katz_reason)
        )
    else:
        items = distinct(units.item[focal | reference])
        main = _resampled_ratio(drawn, *sides, items=items)
    if robust.low is None:
        return [replace(main, method=main.method + factors.held_fixed), *additional]
    return [Alternative(**copied(robust, "method low high clusters")), main, *additional]


def _resampled_ratio(drawn: ResampledUnits, group: Group, highest: Group, *, items: int) -> Alternative:
    """Return the interval of a ratio of rates over resampled items, or why there is none."""
    method = "item bootstrap, percentile"
    if items < FEWEST_ITEMS:
        reason = f"There are {items} items; resampling needs {FEWEST_ITEMS} or more."
        return Alternative(method=method, low=None, high=None, reason=reason)
    rates = [statistic(drawn.resampled_moments(side), "rate") for side in (group, highest)]
    with np.errstate(divide="ignore", invalid="ignore"):
        interval = percentile_interval(rates[0] / rates[1], confidence=drawn.draw.confidence)
    if interval is None:
        reason = "A group without selections, or without spread, can't be resampled into a ratio."
        return Alternative(method=method, low=None, high=None, reason=reason)
    return Alternative(method=method, low=interval[0], high=interval[1])


def _four_fifths(a: float, n_focal: int, c: float, n_reference: int) -> str:
    """Return the rule's verdict; shares of repeated answers are compared in 2^-20 steps.

    The rule is defined on whole people. A score of 2 accepted answers of 3 is a share,
    so both sides are scaled by one power of two before integers are compared.
    """
    scale = 1 if a == round(a) and c == round(c) else 1 << 20
    return str(four_fifths(round(a * scale), n_focal * scale, round(c * scale), n_reference * scale).verdict)


def _robust_ratio(
    units: Units, focal: NDArray[np.bool_], reference: NDArray[np.bool_], measured: MeasureSet, confidence: float
) -> tuple[clusterings.ClusterFactors, Clustered]:
    """Return the factors that vary, and exp of the cluster-robust interval of the log ratio (delta method)."""
    rates = [float(units.score[side].mean()) for side in (focal, reference)]
    either = focal | reference
    factors = clusterings.cluster_factors({name: units.codes[name][either] for name in measured.clusters})
    if 0.0 in rates:
        return factors, Clustered(clusters={}, method=factors.method, reason="A rate of zero has no logarithm.")
    psi = np.zeros(len(units))
    psi[focal] = influence(units.score[focal], None, "rate") / rates[0]
    psi[reference] = -influence(units.score[reference], None, "rate") / rates[1]
    log = clusterings.clustered(psi[either], factors, float(np.log(rates[0] / rates[1])))(confidence)
    if log.low is None or log.high is None:
        return factors, log
    return factors, replace(
        log, method=f"{log.method}, log scale", low=float(np.exp(log.low)), high=float(np.exp(log.high))
    )


def bin_findings(units: Units, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield the rate of each group that has a line, per tenth of the covariate's [0, 1]."""
    if measured.against is None or units.x is None:
        return
    place = np.minimum((units.x * BINS).astype(np.int64), BINS - 1)
    groups = [
        measure.group for measure in measured.measures if isinstance(measure, Summary) and measure.statistic == "slope"
    ]
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        for group in groups:
            chosen = units.take((place == number) & units.where(group))
            if not len(chosen) or chosen.x is None:
                continue
            yield Finding(
                name=f"{measured.against}_{low:.1f}_{'_'.join(group.values())}_{measured.rate}",
                measure=measured.rate,
                slice={measured.against: f"{low:.1f} to {high:.1f}"},
                focal=dict(group),
                role="descriptive",
                confidence=confidence,
                details=Bin(low=low, high=high, mean=float(chosen.x.mean())),
                **clusterings.rate_interval_of(chosen, confidence=confidence, clusters=measured.clusters),
            )


def instruction_findings(units: Units, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield rate and difference per instruction, and their variance between instructions.

    The variance is Paule and Mandel's: the spread between instructions minus the sampling
    error of each.
    """
    if measured.instruction is None or measured.pool == "trials":
        return
    contrast = measured.contrast
    groups = [contrast.focal, contrast.reference] if contrast is not None else []
    rates, differences = [], []
    for level in units.levels[measured.instruction]:
        levels = {measured.instruction: level}
        chosen = units.take(units.where(levels))
        common: dict[str, Any] = {"slice": levels, "confidence": confidence, "role": "descriptive"}
        prefix = f"{measured.instruction}_{level}"
        by: dict[str, Any] = {"confidence": confidence, "clusters": measured.clusters}
        interval = clusterings.rate_interval_of(chosen, **by)
        rates.append(Finding(name=f"{prefix}_{measured.rate}", measure=measured.rate, **common, **interval))
        yield rates[-1]
        if contrast is None:
            continue
        sides = chosen.where(contrast.focal), chosen.where(contrast.reference)
        differences.append(
            Finding(
                name=f"{prefix}_{contrast.name}",
                measure=contrast.name,
                focal=dict(contrast.focal),
                reference=dict(contrast.reference),
                null_value=contrast.null_value,
                **common,
                **clusterings.difference_interval_of(chosen, *sides, **by),
            )
        )
        yield differences[-1]
    yield _variance(units, measured, measured.rate, rates, [{}], confidence=confidence)
    if contrast is not None:
        yield _variance(units, measured, contrast.name, differences, groups, confidence=confidence)


def _variance(
    units: Units,
    measured: MeasureSet,
    name: str,
    findings: list[Finding],
    groups: Sequence[Mapping[str, str]],
    *,
    confidence: float,
) -> Finding:
    """Return the variance of one measure between instructions.

    The sampling variance of an instruction is the variance within instructions, pooled
    over all of them, over its n (a difference adds those of its two groups): with each
    instruction's own variance, small samples would reject far too often.
    """
    assert measured.instruction is not None
    codes = units.codes[measured.instruction]
    size = len(units.levels[measured.instruction])
    errors = np.zeros(size)
    fewest = np.inf
    for group in groups:
        mask = units.where(group) & (codes >= 0)
        n = np.bincount(codes[mask], minlength=size)
        fewest = min(fewest, float(n.min())) if n.size else 0.0
        errors += _pooled_variance(units.score[mask], codes[mask], n) / np.maximum(n, 1)
    estimates, reason = [finding.estimate for finding in findings], None
    if size < 2 or None in estimates or fewest < FEWEST_PER_INSTRUCTION:
        reason = (
            f"It takes two instructions with {FEWEST_PER_INSTRUCTION} answers each (of each group); "
            f"here {size} instructions have {int(fewest)} or more."
        )
    elif not (errors > 0).all():
        reason = "The answers to all instructions are the same."
    return between_levels(
        f"{measured.instruction}{VARIANCE}{name}",
        estimates,
        errors.tolist(),
        measured_in="share squared",
        n=sum(finding.n for finding in findings),
        clusters={measured.instruction: size},
        confidence=confidence,
        reason=reason,
    )


def _pooled_variance(score: Floats, codes: Ints, n: Ints) -> float:
    """Return the variance of scores within instructions, on n − k degrees of freedom."""
    means = np.bincount(codes, weights=score, minlength=n.size) / np.maximum(n, 1)
    freedom = score.size - int((n > 0).sum())
    return float(((score - means[codes]) ** 2).sum() / freedom) if freedom > 0 else 0.0


def template_findings(drawn: ResampledUnits) -> Iterator[Finding]:
    """Yield the variance of each headline contrast between templates, where trials are pooled.

    The slices have the contrast of each template; its sampling variance here is
    the sum of its documents' squared influences.
    """
    measured = drawn.measured
    if measured.instruction is None or measured.pool != "trials":
        return
    for measure in measured.measures:
        if isinstance(measure, Contrast) and measure.name in measured.headline:
            yield _variance_of_contrast(drawn, measure, measured.instruction)


def _variance_of_contrast(drawn: ResampledUnits, measure: Contrast, column: str) -> Finding:
    estimates: list[float] = []
    errors: list[float] = []
    n = 0
    levels = drawn.units.levels[column]
    for level in levels:
        terms = terms_of(drawn, measure, {column: level})
        if terms.terms:
            value = point(drawn, terms.terms, terms.statistic)
            psi = np.bincount(drawn.units.item, weights=unit_influence(drawn, terms.terms, terms.statistic))
            estimates.append(float("nan") if value is None else value)
            errors.append(float((psi**2).sum()))
            n += distinct(drawn.units.number[drawn.units.where({column: level})])
    enough = len(estimates) > 1 and all(error > 0 for error in errors)
    return between_levels(
        f"{column}{VARIANCE}{measure.name}",
        estimates,
        errors,
        measured_in="share squared",
        n=n,
        clusters={column: len(levels)},
        confidence=drawn.draw.confidence,
        reason=None if enough else "It takes two templates whose documents vary.",
    )


def between_levels(
    name: str, estimates: Sequence[float | None], errors: Sequence[float], *, reason: str | None, **common: Any
) -> Finding:
    """Return the variance of true values behind estimates with squared errors, unless there is a reason for none."""
    common |= {"name": name, "measure": name, "role": "descriptive", "method": "Paule–Mandel, Q-profile interval"}
    if reason is not None:
        return Finding(estimate=None, reason=reason, **common)
    result = between_group_variance(estimates, errors, confidence=common["confidence"])
    if result.estimate is None:
        return Finding(estimate=None, reason=result.reason or "The variance can't be computed.", **common)
    return Finding(
        estimate=result.estimate,
        low=result.low if result.high is not None else None,  # half an interval is none
        high=result.high,
        tests=(Test(name="Cochran's Q", statistic=result.q, p=result.p),),
        reason=result.reason if result.reason is not None else result.high_reason,
        details=TemplateSpread(sd=result.estimate**0.5),
        **common,
    )
