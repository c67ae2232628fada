"""Findings of a perturbation test, its table, and the pairs that moved most.

`perturbation_findings` compares the scores of the same résumés in two arms: the difference over all positions and in
each, decisions that flip at a cut-off, ranks that change, unread scores by arm, and résumés left out by group.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons import perturbation_pairs
from evenhand.comparisons.claims import HOLM, PLANNED, in_families, uncorrected
from evenhand.comparisons.perturbation_pairs import Pairs, ScoredArms
from evenhand.comparisons.units import Floats, distinct
from evenhand.errors import InputError, option_text
from evenhand.results import finding as results_finding
from evenhand.results import measures
from evenhand.results.finding import Alternative, Details, Finding, Test, copied
from evenhand.results.messages import quoted
from evenhand.results.schemas import PERTURB
from evenhand.results.score_audit import NEUTRAL, Experiment, arm_group_label

SD = "sd"
POOLED: Final = "pooled t of independent samples, as published"
SIGN_FLIP: Final = "sign flip of whole résumés"
SIGNED_RANK: Final = "Wilcoxon signed rank on résumé means"
EQUIVALENCE: Final = "two one-sided tests within the margin"
MCNEMAR: Final = "McNemar, exact, pairs taken as independent"
NO_MARGIN: Final = (
    "All scores as the reference are the same, so their standard deviation, the unit of the margin, is 0."
)
#: The percentiles that `spread` has.
SPREAD: Final = (0, 5, 25, 50, 75, 95, 100)
#: How many bins differences are counted in: an odd number, so that one lies around 0.
BINS: Final = 21
#: The columns of `moved_most` that are texts.
MOVED = ("arm", "group", "reference", "person", "position", "name", "reference_name", "group_arm", "reference_arm")


@dataclass(frozen=True, kw_only=True)
class Margin:
    """A margin in units of the scores, or in their standard deviations."""

    value: float
    in_sd: bool = False

    def of(self, sd: float) -> float | None:
        """Return the margin in units of scores with this standard deviation; None where they do not vary."""
        if not self.in_sd:
            return self.value
        return self.value * sd if sd > 0 else None


def margin_of(text: str) -> Margin:
    """Return the margin that a text gives.

    >>> margin_of("2.5"), margin_of("0.2sd")
    (Margin(value=2.5, in_sd=False), Margin(value=0.2, in_sd=True))

    Raises
    ------
    InputError
        It is no number above 0, alone or followed by `sd`.

    """
    amount = text.strip().lower()
    try:
        value = float(amount.removesuffix(SD))
    except ValueError:
        value = math.nan
    if not (value > 0 and math.isfinite(value)):
        message = (
            f"{option_text('margin', quoted(text))}; expected a number above 0 in units of the scores, such as "
            "2, or 0.2sd."
        )
        raise InputError(message)
    return Margin(value=value, in_sd=amount.endswith(SD))


@dataclass(frozen=True, kw_only=True)
class PerturbationRequest:
    """The settings of differences: the attributes of groups, the margin in units of scores, and the draws.

    `ranked` says that scores are minus ranks; `edges` are those of the bins that differences are counted in.
    """

    by: tuple[str, ...]
    margin: float | None
    ranked: bool
    seed: int
    permutations: int
    confidence: float
    edges: tuple[float, ...] = ()

    @property
    def measured_in(self) -> str:
        """The unit of a difference of scores."""
        return "places" if self.ranked else "points"


def edges_of(compared: Sequence[Pairs]) -> tuple[float, ...]:
    """Return the ends of the bins in which all arms' differences are counted, around 0; none where nothing moved."""
    sizes = np.abs(np.concatenate([np.zeros(0), *(pairs.read().difference for pairs in compared)]))
    widest = float(np.percentile(sizes, 99.5) or sizes.max()) if sizes.size else 0.0
    return tuple(float(edge) for edge in np.linspace(-widest, widest, BINS + 1)) if widest > 0 else ()


def difference_findings(
    scored: ScoredArms, compared: Sequence[Pairs], request: PerturbationRequest
) -> Iterator[Finding]:
    """Yield the difference of each kind of arm, group and reference over all positions, then in each position.

    Over all positions p is corrected by Holm over the arms, in single positions by Benjamini and Hochberg; the placebo
    is a family of its own that counts as many comparisons. A run with one position has no second row for it.
    """
    differences = [
        difference
        for number, pairs in enumerate(compared)
        for difference in _differences(scored, pairs, request, number)
    ]
    differences.sort(key=lambda difference: difference.position is not None)
    findings = [_finding(difference, request) for difference in differences]
    compared_arms = Counter(
        finding.claim.family for finding in findings if finding.claim and finding.claim.p is not None
    )
    # A placebo is corrected as what it calibrates.
    unseen = {
        _family(position=position, placebo=True): [1.0]
        * (
            compared_arms[_family(position=position, placebo=False)]
            - compared_arms[_family(position=position, placebo=True)]
        )
        for position in (False, True)
    }
    yield from in_families(findings, unseen=unseen)


def _family(*, position: bool, placebo: bool) -> str:
    """Return the family of a difference, over all positions or in each."""
    if position:
        return "placebo in positions" if placebo else "arms in positions"
    return "placebo" if placebo else PLANNED


def name_of(pairs: Pairs, measure: str, position: str | None = None) -> str:
    """Return the name of a finding of two arms."""
    parts = [position, pairs.kind, arm_group_label(pairs.group), arm_group_label(pairs.reference), measure]
    return "_".join("_".join(part.split()) for part in parts if part is not None)


def slice_and_groups(pairs: Pairs, by: Sequence[str], position: str | None = None) -> dict[str, Any]:
    """Return the slice and the groups of a finding of two arms."""
    by = pairs.by or by
    against = ("line",) if pairs.reference == NEUTRAL else by
    return {
        "slice": {"arm": pairs.kind} | ({} if position is None else {"position": position}),
        "focal": dict(zip(by, pairs.group, strict=True)),
        "reference": dict(zip(against, pairs.reference, strict=True)),
    }


@dataclass(frozen=True, kw_only=True)
class _Difference:
    """One row of perturb.csv before p is adjusted over all of them."""

    pairs: Pairs = field(repr=False)
    position: str | None
    primary: perturbation_pairs.Primary
    pooled: stats.PooledT
    paired: stats.PairedT
    ranks: stats.SignedRank
    p_signflip: float | None

    @property
    def p(self) -> float | None:
        """The p that the claim goes by: where all pairs have the same difference, that of the sign flip."""
        return self.p_signflip if self.primary.constant else self.primary.p

    @property
    def caution(self) -> str | None:
        """What few names allow to say; None with enough of them."""
        focal, reference = self.pairs.names
        if self.primary.detectable is None:
            return None
        return (
            f"There are {focal} {self.pairs.factor}s as the group and {reference} as the reference; with so few, only "
            f"differences of {self.primary.detectable:.3g} or more are found in 4 of 5 samples by a test alone."
        )


def _differences(scored: ScoredArms, pairs: Pairs, request: PerturbationRequest, number: int) -> Iterator[_Difference]:
    """Yield the differences of two arms over all positions, and in each if there are several."""
    read = pairs.read()
    order = np.argsort(read.position, kind="stable")
    read = read.take(order)
    present = np.unique(pairs.position)
    ends = np.searchsorted(read.position, present, side="right")
    starts = np.searchsorted(read.position, present, side="left")
    slices: list[tuple[str | None, Pairs]] = [(None, read)]
    if present.size > 1:
        slices += [
            (scored.positions[code], read.take(slice(start, end)))
            for code, start, end in zip(present, starts, ends, strict=True)
        ]
    flipped = _sign_flips([part for _, part in slices], len(scored.people), request, number)
    for (position, chosen), p in zip(slices, flipped, strict=True):
        means = perturbation_pairs.person_means(chosen.difference, chosen.person)
        yield _Difference(
            pairs=chosen,
            position=position,
            primary=chosen.primary(chosen.difference, margin=request.margin, confidence=request.confidence),
            pooled=stats.pooled_t(chosen.focal, chosen.other),
            paired=stats.paired_t(means, confidence=request.confidence),
            ranks=stats.signed_rank(means),
            p_signflip=p,
        )


def _sign_flips(slices: Sequence[Pairs], people: int, request: PerturbationRequest, number: int) -> list[float | None]:
    """Return the p of each slice under random signs of whole résumés, which are the same in all slices."""
    means = np.full((people, len(slices)), np.nan)
    for column, pairs in enumerate(slices):
        n = np.bincount(pairs.person, minlength=people)
        total = np.bincount(pairs.person, weights=pairs.difference, minlength=people)
        means[n > 0, column] = total[n > 0] / n[n > 0]
    rng = np.random.default_rng((request.seed, number))
    return stats.sign_flip_columns(means, permutations=request.permutations, rng=rng)


def _finding(difference: _Difference, request: PerturbationRequest) -> Finding:
    primary, pairs = difference.primary, difference.pairs
    tests, planned = tuple(_tests(difference)), not pairs.placebo and difference.position is None
    return Finding(
        name=name_of(pairs, measures.SCORE_DIFFERENCE, difference.position),
        measure=measures.SCORE_DIFFERENCE,
        **slice_and_groups(pairs, request.by, difference.position),
        role="descriptive" if pairs.placebo else "planned" if planned else "exploratory",
        **copied(primary, "estimate low high method"),
        confidence=request.confidence,
        measured_in=request.measured_in,
        null_value=0.0,
        n=len(pairs),
        clusters=dict(primary.clusters),
        alternatives=_alternatives(difference),
        tests=tests,
        claim=uncorrected(
            _deciding(tests[0], primary, difference.p_signflip),
            planned=planned,
            correction=HOLM if difference.position is None else None,
            family=_family(position=difference.position is not None, placebo=pairs.placebo),
            df=None if primary.constant else primary.df,
            n=(len(pairs), len(pairs)),
            equivalent=primary.is_equivalent(margin=request.margin),
            reason=primary.reason,
            caution=difference.caution,
        ),
        reason=primary.reason or (NO_MARGIN if request.margin is None and primary.estimate is not None else None),
        details=_details(difference, request),
    )


def _alternatives(difference: _Difference) -> tuple[Alternative, ...]:
    if difference.primary.method.startswith(perturbation_pairs.PAIRED):
        return ()
    paired, method = difference.paired, perturbation_pairs.PAIRED
    return (Alternative(method=method, clusters={"resume": paired.n}, **copied(paired, "low high reason")),)


def _deciding(test: Test, primary: perturbation_pairs.Primary, p_signflip: float | None) -> Test:
    """Return the test that the claim goes by: where all pairs have the same difference, that of the sign flip."""
    if primary.constant:
        return Test(name=SIGN_FLIP, statistic=None, p=p_signflip)
    return replace(test, p=primary.p, reason=None)


def _tests(difference: _Difference) -> Iterator[Test]:
    primary = difference.primary
    if not primary.method.startswith(perturbation_pairs.PAIRED):
        factors = " × ".join(primary.clusters)
        yield Test(name=f"t test, {factors}", statistic=primary.t, p=primary.p, reason=primary.reason)
    paired, ranks, pooled = difference.paired, difference.ranks, difference.pooled
    yield Test(name=perturbation_pairs.PAIRED, statistic=paired.t, **copied(paired, "p reason"))
    yield Test(name=SIGN_FLIP, statistic=paired.estimate, p=difference.p_signflip)
    yield Test(name=f"{SIGNED_RANK}, {ranks.method}", **copied(ranks, "statistic p reason"))
    yield Test(name=EQUIVALENCE, statistic=primary.estimate, p=primary.p_equivalence, reason=primary.reason)
    yield Test(name=POOLED, statistic=pooled.t, **copied(pooled, "p reason"))


def _details(comparison: _Difference, request: PerturbationRequest) -> results_finding.PerturbedScores:
    pairs = comparison.pairs
    difference = pairs.difference
    edges = request.edges if comparison.position is None and difference.size else ()
    return results_finding.PerturbedScores(
        kind=pairs.kind,
        n_people=distinct(pairs.person),
        n_pairs=len(pairs),
        n_names=min(pairs.names),
        t_pooled=comparison.pooled.t,
        df_pooled=comparison.pooled.df,
        p_pooled=comparison.pooled.p,
        t_paired=comparison.paired.t,
        df_paired=comparison.paired.df,
        p_paired=comparison.paired.p,
        p_signflip=comparison.p_signflip,
        p_wilcoxon=comparison.ranks.p,
        p=comparison.p,
        p_equivalence=comparison.primary.p_equivalence,
        margin=request.margin,
        equivalence_interval=comparison.primary.equivalence,
        spread=tuple(float(percentile) for percentile in np.percentile(difference, SPREAD)) if difference.size else (),
        edges=edges,
        shares=_shares(difference, edges) if edges else (),
    )


def _shares(difference: Floats, edges: Sequence[float]) -> tuple[float, ...]:
    counts, _ = np.histogram(np.clip(difference, edges[0], edges[-1]), edges)
    return tuple(float(count) for count in counts / difference.size)


def additional_finding(
    pairs: Pairs,
    values: NDArray[np.float64],
    request: PerturbationRequest,
    *,
    measure: str,
    measured_in: str = "share",
    tests: Sequence[Test] = (),
    details: Details | None = None,
    reason: str | None = None,
) -> Finding:
    """Return the mean of a value of each pair as a finding; `reason` takes precedence over its own.

    Limits of a difference of shares that no shares can have are cut to -1 and 1.
    """
    primary = pairs.primary(values, margin=None, confidence=request.confidence)
    low, high = primary.low, primary.high
    if measured_in == "share" and low is not None and high is not None:
        low, high = max(low, -1.0), min(high, 1.0)
    p_signflip = None
    if values.size:
        means = perturbation_pairs.person_means(values, pairs.person)[:, None]
        rng = np.random.default_rng((request.seed, len(measure)))
        (p_signflip,) = stats.sign_flip_columns(means, permutations=request.permutations, rng=rng)
    factors = " × ".join(primary.clusters) or "resume"
    main = Test(name=f"t test, {factors}", statistic=primary.t, p=primary.p, reason=primary.reason)
    return Finding(
        name=name_of(pairs, measure),
        measure=measure,
        **slice_and_groups(pairs, request.by),
        role="descriptive",
        estimate=primary.estimate,
        low=low,
        high=high,
        confidence=request.confidence,
        measured_in=measured_in,
        null_value=0.0,
        n=values.size,
        clusters=dict(primary.clusters),
        method=primary.method,
        tests=(
            main,
            Test(name=SIGN_FLIP, statistic=primary.estimate, p=p_signflip),
            *tests,
        ),
        claim=uncorrected(
            _deciding(main, primary, p_signflip),
            planned=False,
            family=measure,
            df=None if primary.constant else primary.df,
            n=(values.size, values.size),
            reason=reason or primary.reason,
        ),
        reason=reason or primary.reason,
        details=Details() if details is None else details,
    )


def flips(pairs: Pairs, cutoff: float, request: PerturbationRequest, *, at_least: bool = False) -> Finding:
    """Return how decisions at a cut-off differ: the share selected as the group minus that as the reference.

    Selected is a score above the cut-off, or at it with `at_least`. Résumés and names vary in the interval and its
    test; McNemar's takes every pair as independent.
    """
    read = pairs.read()
    focal, other = (side >= cutoff if at_least else side > cutoff for side in (read.focal, read.other))
    counts = stats.mcnemar(int((focal & ~other).sum()), int((other & ~focal).sum()), len(read))
    return additional_finding(
        read,
        focal.astype(np.float64) - other,
        request,
        measure=f"{measures.DIFFERENCE}{measures.SELECTION_RATE}",
        tests=(Test(name=MCNEMAR, statistic=counts.difference, p=counts.p, reason=counts.reason),),
        details=results_finding.Flips(
            cutoff=-cutoff if request.ranked else cutoff,
            only_focal=counts.only_focal,
            only_reference=counts.only_reference,
            n_pairs=counts.n,
            flip_rate=counts.flip_rate,
            p_mcnemar=counts.p,
        ),
    )


def rank_findings(pairs: Pairs, others: Pairs, top: int, request: PerturbationRequest) -> Iterator[Finding]:
    """Yield how many places somebody rises within a position as the group, and how the first `top` places differ.

    The pool is all résumés with a score for the position. A place is one plus how many others score higher, ties
    counting half; the others have their mean scores as the reference, both times, of `others` where the pairs lack
    them. Positions with one résumé count nothing, and all are at the top where there are no more than `top`.
    """
    ranked = _places(pairs.read(), others.read())
    yield _rank_change(ranked, top, request)
    yield _top_rate(ranked, top, request)


def _top_rate(ranked: "_Ranked", top: int, request: PerturbationRequest) -> Finding:
    """Return the share of pairs in the first places of the pool as the group minus that as the reference."""
    chosen = ranked.pool > top
    read, pool = ranked.pairs.take(chosen), ranked.pool[chosen]
    before, after = ranked.before[chosen] <= top, ranked.after[chosen] <= top
    counts = stats.mcnemar(int((after & ~before).sum()), int((before & ~after).sum()), len(read))
    crossed = read.primary((before != after).astype(np.float64), margin=None, confidence=request.confidence)
    return additional_finding(
        read,
        after.astype(np.float64) - before,
        request,
        measure=f"{measures.DIFFERENCE}{measures.TOP_RATE}",
        tests=(Test(name=MCNEMAR, statistic=counts.difference, p=counts.p, reason=counts.reason),),
        reason=None if len(read) else f"No position has more than {top} résumés with scores on both sides.",
        details=results_finding.Crossings(
            top=top,
            pools=(int(pool.min()), int(pool.max())) if len(read) else None,
            crossed=crossed.estimate,
            crossed_low=None if crossed.low is None else max(crossed.low, 0.0),
            crossed_high=None if crossed.high is None else min(crossed.high, 1.0),
            entered=counts.only_focal,
            left=counts.only_reference,
            p_mcnemar=counts.p,
        ),
    )


def _rank_change(ranked: "_Ranked", top: int, request: PerturbationRequest) -> Finding:
    read, before, after = ranked.pairs, ranked.before, ranked.after
    moves = before - after
    entered, left_top = (
        int(crossing.sum()) for crossing in ((after <= top) & (before > top), (before <= top) & (after > top))
    )
    return additional_finding(
        read,
        moves,
        request,
        measure=measures.RANK_CHANGE,
        measured_in="places",
        reason=None if moves.size else "No position has two résumés with scores on both sides.",
        details=results_finding.Moves(
            n_places=moves.size,
            moved=int(np.count_nonzero(moves)),
            largest_move=float(np.abs(moves).max()) if moves.size else None,
            top=top,
            entered=entered,
            left=left_top,
            p_mcnemar=stats.mcnemar(entered, left_top, moves.size).p,
        ),
    )


@dataclass(frozen=True, kw_only=True)
class _Ranked:
    """Pairs of positions with several people, their places as the reference and as the group, the size of the pool."""

    pairs: Pairs
    before: Floats
    after: Floats
    pool: NDArray[np.int64]


def _places(read: Pairs, others: Pairs) -> _Ranked:
    """Return the places of pairs among all résumés for their position."""
    people = int(max(read.person.max(initial=0), others.person.max(initial=0))) + 1
    own, of_others = (side.position * people + side.person for side in (read, others))
    lacking = ~np.isin(of_others, own)
    cells, cell, n = np.unique(np.concatenate([own, of_others[lacking]]), return_inverse=True, return_counts=True)
    scores = np.concatenate([read.other, others.other[lacking]])
    means = np.bincount(cell, weights=scores, minlength=cells.size) / np.maximum(n, 1)
    position = cells // people
    before, after = np.full(len(read), np.nan), np.full(len(read), np.nan)
    pool = np.zeros(len(read), dtype=np.int64)
    # Cells are in the order of positions.
    for code in np.unique(position):
        first, last = np.searchsorted(position, [code, code + 1])
        if last - first > 1:
            pair = np.flatnonzero(read.position == code)
            pool[pair] = last - first
            before[pair], after[pair] = (
                _among_others(side[pair], means[cell[pair]], means[first:last]) for side in (read.other, read.focal)
            )
    known = np.isfinite(before)
    return _Ranked(pairs=read.take(known), before=before[known], after=after[known], pool=pool[known])


def _among_others(values: Floats, own_scores: Floats, scores: Floats) -> Floats:
    """Return the place of each value among the other scores; the own score is left out."""
    ordered = np.sort(scores)
    left, right = (np.searchsorted(ordered, values, side=side) for side in ("left", "right"))
    higher = (ordered.size - right) - (own_scores > values)
    ties = (right - left) - (own_scores == values)
    return np.asarray(1 + higher + ties / 2)


def unread_findings(outcomes: pl.LazyFrame, scored: ScoredArms, *, confidence: float) -> Iterator[Finding]:
    """Yield the share of attempts without a score, overall and by arm, with the number of each status.

    Attempts at one résumé are not independent, so `unread_difference` has the tests.
    """
    counts = outcomes.group_by("arm", "status").agg(pl.len().alias("n")).sort("arm", "status").collect()
    for arm in (None, *scored.arms):
        counted = counts if arm is None else counts.filter(pl.col("arm") == arm)
        statuses = Counter[str]()
        for _, status, n in counted.iter_rows():
            statuses[str(status)] += int(n)
        total = statuses.total()
        yield Finding(
            name=measures.UNDETECTED_ATTEMPTS
            if arm is None
            else f"{'_'.join(arm.split())}_{measures.UNDETECTED_ATTEMPTS}",
            measure=measures.UNDETECTED_ATTEMPTS,
            slice={} if arm is None else {"arm": arm},
            role="descriptive",
            estimate=1 - statuses["observed"] / total,
            confidence=confidence,
            n=total,
            clusters={"resume": len(scored.people)},
            method="counted",
            details=results_finding.Statuses(statuses={name: n for name, n in statuses.items() if name != "observed"}),
        )


def unread_difference(pairs: Pairs, request: PerturbationRequest) -> Finding:
    """Return the share of attempts without a score as the group minus that as the reference, with its tests."""
    read = not (pairs.unread_focal.any() or pairs.unread_other.any())
    return additional_finding(
        pairs,
        pairs.unread_focal - pairs.unread_other,
        request,
        measure=f"{measures.DIFFERENCE}{measures.UNDETECTED_ATTEMPTS}",
        reason="Every score was read." if read else None,
    )


def left_out_findings(scored: ScoredArms, experiment: Experiment, *, confidence: float) -> Iterator[Finding]:
    """Yield the share of résumés that were left out, overall and by group, and whether groups differ in it."""
    person = np.zeros(len(scored.people), dtype=np.int64)
    person[scored.person] = scored.own
    groups: dict[str | None, dict[str, str]] = {
        arm_group_label(group): dict(zip(experiment.by, group, strict=True)) for group in experiment.groups
    }
    included = Counter(None if code < 0 else scored.groups[code] for code in person.tolist())
    reasons: dict[str | None, Counter[str]] = {}
    for omitted in experiment.left_out:
        reasons.setdefault(omitted.own, Counter())[omitted.reason] += omitted.n
    known = [label for label in groups if included[label] or label in reasons]
    table = [[reasons.get(label, Counter()).total(), included[label]] for label in known]
    test = stats.chi_square_homogeneity(table) if table else None
    tests = () if test is None else (Test(name="chi-square, groups", **copied(test, "statistic p reason")),)
    every = Counter[str]()
    for own_reasons in reasons.values():
        every += own_reasons
    yield _left_out_finding(
        every, included.total(), name=measures.LEFT_OUT, focal={}, tests=tests, confidence=confidence
    )
    for label in known:
        group_reasons = reasons.get(label, Counter())
        name = "_".join([*str(label).split(), measures.LEFT_OUT])
        yield _left_out_finding(
            group_reasons, included[label], name=name, focal=groups[label], tests=(), confidence=confidence
        )


def _left_out_finding(reasons: Counter[str], included: int, *, confidence: float, **common: Any) -> Finding:
    rate = stats.selection_rate(reasons.total(), reasons.total() + included, confidence=confidence)
    return Finding(
        measure=measures.LEFT_OUT,
        role="descriptive",
        clusters={},
        **copied(rate, "estimate low high confidence n method reason"),
        details=results_finding.LeftOutReasons(reasons=dict(reasons)),
        **common,
    )


@dataclass(frozen=True, kw_only=True)
class Judging:
    """Settings fixed before scores were seen: the margin, the cut-off, and the number of places at the top.

    Without a cut-off, scores strictly above the median are selected; of ranks, those up to the cut-off.
    """

    margin: Margin
    cutoff: float | None = None
    top: int = 5


def perturbation_findings(
    outcomes: pl.LazyFrame,
    experiment: Experiment,
    judging: Judging,
    *,
    seed: int,
    permutations: int,
    confidence: float,
) -> list[Finding]:
    """Return the findings of a perturbation test: differences of scores first, over all positions and in each.

    Raises
    ------
    InputError
        The outcomes lack a column, or scores where they should have some.

    """
    scored = perturbation_pairs.scored_arms(outcomes)
    compared = perturbation_pairs.pairs_of(scored, experiment)
    request = PerturbationRequest(
        by=experiment.by,
        margin=judging.margin.of(_spread_of_reference(compared)),
        ranked=scored.ranked,
        seed=seed,
        permutations=permutations,
        confidence=confidence,
        edges=edges_of(compared),
    )
    findings = [*difference_findings(scored, compared, request)]
    if np.isfinite(scored.score).any():
        cutoff, stated = _cutoff(scored, judging.cutoff)
        findings.append(_cutoff_finding(cutoff, scored, request, stated=stated))
        for pairs in compared:
            findings.append(flips(pairs, cutoff, request, at_least=scored.ranked and stated))
            findings += rank_findings(pairs, compared[0], judging.top, request)
    return [
        *in_families(findings),
        *unread_findings(outcomes, scored, confidence=confidence),
        *in_families([unread_difference(pairs, request) for pairs in compared]),
        *left_out_findings(scored, experiment, confidence=confidence),
    ]


def perturb_table(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return perturb.csv: a row per kind of arm, group, reference and position, those over all positions first."""
    tops = {
        _compared(finding): finding
        for finding in findings
        if finding.measure == f"{measures.DIFFERENCE}{measures.TOP_RATE}"
    }
    rows = [
        _row(finding, None if "position" in finding.slice else tops.get(_compared(finding)))
        for finding in findings
        if finding.measure == measures.SCORE_DIFFERENCE
    ]
    return pl.DataFrame(rows, schema=PERTURB)


def moved_most(outcomes: pl.LazyFrame, experiment: Experiment, *, most: int) -> pl.DataFrame:
    """Return the pairs of each comparison whose scores differ most, the widest first.

    Columns: `arm, group, reference, person, position, name, reference_name, score, reference_score, difference, pair,
    group_arm, reference_arm`; `pair` and either arm's label find the rows of outcomes.
    """
    scored = perturbation_pairs.scored_arms(outcomes)
    return pl.concat(
        [_widest(pairs.read(), scored, most) for pairs in perturbation_pairs.pairs_of(scored, experiment)]
        or [pl.DataFrame()]
    )


def _spread_of_reference(compared: Sequence[Pairs]) -> float:
    """Return the standard deviation of scores as the reference, of all résumés and positions, without placebos."""
    scores_of_reference = [pairs.other[np.isfinite(pairs.other)] for pairs in compared if not pairs.placebo]
    scores = np.concatenate(scores_of_reference) if scores_of_reference else np.zeros(0)
    return float(scores.std(ddof=1)) if scores.size > 1 else 0.0


def _cutoff(scored: ScoredArms, stated: float | None) -> tuple[float, bool]:
    """Return the cut-off in terms of scores, and whether it was given."""
    if stated is None:
        return float(np.nanmedian(scored.score)), False
    return (-stated if scored.ranked else stated), True


def _cutoff_finding(cutoff: float, scored: ScoredArms, request: PerturbationRequest, *, stated: bool) -> Finding:
    return Finding(
        name=measures.CUTOFF,
        measure=measures.CUTOFF,
        role="descriptive",
        estimate=-cutoff if scored.ranked else cutoff,
        confidence=request.confidence,
        measured_in=request.measured_in,
        n=int(np.isfinite(scored.score).sum()),
        clusters={},
        method="as given" if stated else "median of all scores",
    )


def _compared(finding: Finding) -> tuple[Any, ...]:
    return finding.slice["arm"], *finding.focal.items(), *finding.reference.items()


def _row(finding: Finding, top: Finding | None) -> dict[str, Any]:
    crossings = results_finding.Crossings() if top is None else results_finding.Crossings.of(top)
    details, claim = results_finding.PerturbedScores.of(finding), finding.claim
    low, high = details.equivalence_interval or (None, None)
    known = {
        "adjustment": None if claim is None else claim.corrected_over or "none, one comparison",
        "equivalent": None if claim is None else claim.equivalent,
        "caution": None if claim is None else claim.caution,
        "arm": details.kind,
        "group": arm_group_label(tuple(finding.focal.values())),
        "reference": arm_group_label(tuple(finding.reference.values())),
        "position": finding.slice.get("position", ""),
        "difference": finding.estimate,
        "low_90": low,
        "high_90": high,
        "top": crossings.top,
        "crossed": crossings.crossed,
        "crossed_low": crossings.crossed_low,
        "crossed_high": crossings.crossed_high,
        "top_difference": getattr(top, "estimate", None),
        **{f"top_{name}": getattr(top, name, None) for name in ("low", "high", "p_adjusted", "verdict")},
    }
    return {
        name: known[name] if name in known else getattr(details if hasattr(details, name) else finding, name)
        for name in PERTURB
    }


def _widest(read: Pairs, scored: ScoredArms, most: int) -> pl.DataFrame:
    size = np.abs(read.difference)
    chosen = read.take(np.argsort(-size, kind="stable")[:most])
    return pl.DataFrame(
        {
            "arm": [read.kind] * len(chosen),
            "group": [arm_group_label(read.group)] * len(chosen),
            "reference": [arm_group_label(read.reference)] * len(chosen),
            "person": [scored.people[code] for code in chosen.person],
            "position": [scored.positions[code] for code in chosen.position],
            "name": [scored.names[code] for code in chosen.focal_name],
            "reference_name": [scored.names[code] for code in chosen.name],
            "score": chosen.focal,
            "reference_score": chosen.other,
            "difference": chosen.difference,
            "pair": scored.pairs.gather(chosen.row),
            "group_arm": [scored.arms[code] for code in chosen.focal_arm],
            "reference_arm": [scored.arms[code] for code in chosen.other_arm],
        },
        schema_overrides=dict.fromkeys(MOVED, pl.String()),
    )
