"""Measures of a score per group: ranking, errors and calibration, and comparisons between groups.

`slices_of` and `parts_of` divide the rows of `Predictions` by slice and group. `measured` gives every measure of one
group with its interval, a `View` the differences from the reference group, measure by measure, and the ratios of rates
to the reference and to all people.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons.impact_cells import FLOOR_PEOPLE, HIGHEST, LARGEST, References, attribute_sets, known_groups
from evenhand.comparisons.units import Floats, Ints
from evenhand.results import measures
from evenhand.results.finding import LEVEL, Details, Finding, ImpactRatio, Test, copied
from evenhand.results.messages import shortened
from evenhand.results.schemas import CONTEXT, PROTECTED
from evenhand.results.score_audit import ClassCounts, GroupGap, Probabilities, ReliabilityBin, Trials
from evenhand.stats.cluster_comparisons import ONE_CLUSTER
from evenhand.stats.predictions import logit_limits

Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class ScoredRows:
    """Rows in order of their scores, of `n` people each. Columns that were not requested are None."""

    label: Flags
    score: Floats
    n: Ints
    selected: Flags | None = None
    against: Floats | None = None
    against_selected: Flags | None = None
    cluster: Ints | None = None

    @cached_property
    def people(self) -> int:
        """The number of people."""
        return int(self.n.sum())

    @property
    def previous(self) -> "ScoredRows":
        """Return the same people as the previous version scored them."""
        assert self.against is not None
        return ScoredRows(
            label=self.label, score=self.against, n=self.n, selected=self.against_selected, cluster=self.cluster
        )

    def take(self, rows: Ints) -> "ScoredRows":
        """Return some of the rows."""
        columns = {column.name: getattr(self, column.name) for column in fields(self)}
        return ScoredRows(**{name: None if values is None else values[rows] for name, values in columns.items()})  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The rows of each group of one attribute, or of several crossed, within one slice."""

    slice: Mapping[str, str]
    attributes: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    parts: tuple[ScoredRows, ...]

    def named(self, group: int) -> dict[str, str]:
        """Return a group by its attributes."""
        return dict(zip(self.attributes, self.groups[group], strict=True))


def scored_rows(rows: pl.DataFrame) -> ScoredRows:
    """Return the columns of `Predictions.rows` as arrays."""

    def array(name: str) -> NDArray[np.generic] | None:
        return rows[name].to_numpy() if name in rows.columns else None

    names = [column.name for column in fields(ScoredRows)]
    return ScoredRows(**{name: array(name) for name in names})  # type: ignore[arg-type]


def slices_of(
    rows: pl.DataFrame, by: Sequence[str], levels: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[dict[str, str], pl.DataFrame]]:
    """Yield all rows, then those of each level of each column."""
    yield {}, rows
    for name in by:
        column = rows[CONTEXT + name]
        for code, level in enumerate(levels[name]):
            members = rows.filter(column == code)
            if members.height:
                yield {name: level}, members


def parts_of(
    rows: pl.DataFrame,
    where: Mapping[str, str],
    attributes: Sequence[str],
    levels: Mapping[str, tuple[str, ...]],
    *,
    crossed: bool,
) -> Iterator[Parts]:
    """Yield the groups of each attribute, then with `crossed` of each intersection; empty groups are left out."""
    judged = scored_rows(rows)
    for names in attribute_sets(attributes, crossed=crossed):
        codes = np.zeros(rows.height, dtype=np.int64)
        known = np.ones(rows.height, dtype=np.bool_)
        for name in names:
            level = rows[PROTECTED + name].fill_null(-1).to_numpy().astype(np.int64)
            known &= level >= 0
            codes = codes * len(levels[name]) + level
        codes = np.where(known, codes, -1)
        order = np.argsort(codes, kind="stable")  # rows of a group keep the order of their scores
        ranked = codes[order]
        present = np.unique(ranked[ranked >= 0])
        begins, ends = np.searchsorted(ranked, present), np.searchsorted(ranked, present, side="right")
        groups = [_labels(int(code), names, levels) for code in present]
        alphabetical = sorted(range(len(groups)), key=lambda place: groups[place])
        yield Parts(
            slice=where,
            attributes=names,
            groups=tuple(groups[place] for place in alphabetical),
            parts=tuple(judged.take(order[begins[place] : ends[place]]) for place in alphabetical),
        )


def _labels(code: int, names: Sequence[str], levels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    labels = []
    for name in reversed(names):
        code, level = divmod(code, len(levels[name]))
        labels.append(levels[name][level])
    return tuple(reversed(labels))


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A share of people: among whom, and who of them is hit; both by outcome and decision.

    `transform` makes the measure of the share, and `slope` is its derivative. With `same_people` it is a share of the
    same people in every version. `nobody` is the reason where there is no share.
    """

    among: Callable[[Flags, Flags], Flags]
    hit: Callable[[Flags, Flags], Flags]
    nobody: str
    same_people: bool = True
    transform: Callable[[float], float] = lambda share: share
    slope: Callable[[float], float] = lambda _share: 1.0


def _everybody(label: Flags, _selected: Flags) -> Flags:
    return np.ones(label.shape, dtype=np.bool_)


NO_POSITIVE = "Nobody in the group has the outcome."
NO_NEGATIVE = "Everybody in the group has the outcome."
_OUTCOMES: Final = Rate(among=_everybody, hit=lambda y, _s: y, nobody="The group has no people.")
RATES: Final[Mapping[str, Rate]] = {
    measures.SELECTION_RATE: Rate(among=_everybody, hit=lambda _y, s: s, nobody="The group has no people."),
    measures.ACCURACY: Rate(among=_everybody, hit=lambda y, s: y == s, nobody="The group has no people."),
    measures.TPR: Rate(among=lambda y, _s: y, hit=lambda _y, s: s, nobody=NO_POSITIVE),
    measures.FNR: Rate(among=lambda y, _s: y, hit=lambda _y, s: ~s, nobody=NO_POSITIVE),
    measures.TNR: Rate(among=lambda y, _s: ~y, hit=lambda _y, s: ~s, nobody=NO_NEGATIVE),
    measures.FPR: Rate(among=lambda y, _s: ~y, hit=lambda _y, s: s, nobody=NO_NEGATIVE),
    measures.PRECISION: Rate(
        among=lambda _y, s: s, hit=lambda y, _s: y, nobody="Nobody in the group was selected.", same_people=False
    ),
    measures.F1: Rate(
        among=lambda y, s: y | s,
        hit=lambda y, s: y & s,
        nobody="Nobody in the group was selected or has the outcome.",
        same_people=False,
        transform=lambda share: 2 * share / (1 + share),
        slope=lambda share: 2 / (1 + share) ** 2,
    ),
    measures.TREATMENT_EQUALITY: Rate(
        among=lambda y, s: y != s,
        hit=lambda y, _s: y,
        nobody="There is no false positive, so the ratio has no denominator.",
        same_people=False,
        transform=lambda share: share / (1 - share),
        slope=lambda share: 1 / (1 - share) ** 2,
    ),
}


#: Rates that are shares themselves, so that the variance of a share is theirs.
_PLAIN_RATES: Final = frozenset(RATES) - {measures.F1, measures.TREATMENT_EQUALITY}


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One measure of one group.

    `hits` of `of` people are a rate's counts; `influence` has that of each person of a row.
    """

    measure: str
    estimate: float | None
    low: float | None = None
    high: float | None = None
    variance: float | None = None
    n: int
    clusters: int | None = None
    hits: int | None = None
    of: int | None = None
    method: str
    reason: str | None = None
    influence: Floats | None = None
    details: Details

    @property
    def ends(self) -> tuple[float, float, float]:
        """Return estimate, low and high; NaN for what is not known."""
        estimate, low, high = (float("nan") if end is None else end for end in (self.estimate, self.low, self.high))
        return estimate, low, high


#: The measures of each group by their names.
GroupMeasures = Sequence[Mapping[str, Measured]]


def measured(judged: ScoredRows, *, probabilities: bool, influences: bool, confidence: float) -> dict[str, Measured]:
    """Return all measures of some people by their names; `influences` are needed to compare versions."""
    outcome = _share(measures.BASE_RATE, _OUTCOMES, judged, judged.label, influences=False, confidence=confidence)
    results = [_auc(judged, confidence), outcome]
    if judged.selected is not None:
        results += [
            _share(name, rate, judged, judged.selected, influences=influences, confidence=confidence)
            for name, rate in RATES.items()
        ]
    if probabilities:
        results += _probability_measures(judged, confidence)
    return {result.measure: result for result in results}


def _auc(judged: ScoredRows, confidence: float) -> Measured:
    result = stats.auc(judged.score, judged.label, n=judged.n, cluster=judged.cluster, confidence=confidence)
    return Measured(
        measure=measures.AUC,
        **copied(result, "estimate low high clusters method reason influence"),
        variance=None if result.standard_error is None else result.standard_error**2,
        n=judged.people,
        details=ClassCounts(
            positives=result.n_positive, negatives=result.n_negative, standard_error=result.standard_error
        ),
    )


def _share(
    name: str, rate: Rate, judged: ScoredRows, selected: Flags, *, influences: bool, confidence: float
) -> Measured:
    among = rate.among(judged.label, selected)
    hit = among & rate.hit(judged.label, selected)
    size, hits = int(judged.n[among].sum()), int(judged.n[hit].sum())
    details = Trials(successes=hits, trials=size)
    known = size > 0 and not (name == measures.TREATMENT_EQUALITY and hits == size)
    if not known:
        return Measured(
            measure=name, estimate=None, n=judged.people, hits=hits, of=size, method="Wilson score",
            reason=rate.nobody, details=details,
        )  # fmt: skip
    share = hits / size
    estimate = float(rate.transform(share))
    influence = None
    if influences or judged.cluster is not None:
        influence = np.where(among, hit - share, 0.0) / size * rate.slope(share)
    return Measured(
        measure=name,
        estimate=estimate,
        variance=_variance(influence, judged, share, size, rate),
        n=size,
        hits=hits,
        of=size,
        influence=influence,
        details=details,
        **_limits(name, hits, size, judged, among, hit, confidence),
    )


def _variance(influence: Floats | None, judged: ScoredRows, share: float, size: int, rate: Rate) -> float | None:
    if judged.cluster is None or influence is None:
        return share * (1 - share) / size * rate.slope(share) ** 2
    variance = stats.multiway_variance(judged.n * influence, [judged.cluster]).variance
    return None if variance is None else float(variance)


#: What floating point leaves of no variance.
_NO_VARIANCE: Final = 1e-20


def _limits(  # noqa: PLR0917 - a rate, its counts and its rows
    name: str, hits: int, size: int, judged: ScoredRows, among: Flags, hit: Flags, confidence: float
) -> dict[str, Any]:
    """Return the limits of a rate with their clusters and method: Wilson's, of people or on their effective number."""
    if judged.cluster is None:
        wilson: Any = stats.selection_rate(hits, size, confidence=confidence)
        if name == measures.F1:
            wilson = stats.f1_score(hits, size - hits, 0, confidence=confidence)
        elif name == measures.TREATMENT_EQUALITY:
            wilson = stats.error_balance(hits, size - hits, confidence=confidence)
        return copied(wilson, "low high reason method")
    codes = judged.cluster[among]
    share = hits / size
    names, place = np.unique(codes, return_inverse=True)
    clusters = int(names.size)
    if clusters < 2:
        reason = "There is only one cluster, so the variation between clusters can't be estimated."
        return {"clusters": clusters, "reason": reason, "method": "clustered"}
    influence = judged.n[among] * (hit[among] - share) / size
    variance = stats.multiway_variance(influence, [place]).variance
    if 0 < hits < size and not variance > _NO_VARIANCE:
        reason = "All clusters have the same share, so the variation between clusters can't be estimated."
        return {"clusters": clusters, "reason": reason, "method": "clustered"}
    largest = float(np.abs(np.bincount(place, influence)).max())
    limits = stats.clustered_rate(share, variance, clusters, largest=largest, confidence=confidence)
    transform = RATES[name].transform if name in RATES else (lambda value: value)
    with np.errstate(divide="ignore"):
        low, high = (None if end is None else float(transform(np.float64(end))) for end in (limits.low, limits.high))
    if high is not None and not np.isfinite(high):
        high = None
    method = f"{limits.method}, clustered"
    return {"low": low, "high": high, "clusters": clusters, "reason": limits.reason, "method": method}


def _probability_measures(judged: ScoredRows, confidence: float) -> list[Measured]:
    """Return Brier score, calibration intercept and slope."""
    score = stats.brier(judged.score, judged.label, n=judged.n, confidence=confidence)
    fitted = stats.calibration(judged.score, judged.label, n=judged.n, confidence=confidence)
    details = Probabilities(
        **copied(score, "reliability resolution uncertainty"),
        within_bins=score.within,
        bins=tuple(
            ReliabilityBin(**vars(one_bin) | ({} if judged.cluster is None else {"low": None, "high": None}))
            for one_bin in score.bins
        ),
    )
    terms = {measures.CALIBRATION_INTERCEPT: fitted.intercept, measures.CALIBRATION_SLOPE: fitted.slope}
    return [
        _clustered_errors(measures.BRIER, score, judged, score.method, details, confidence),
        *(_clustered_errors(name, term, judged, fitted.method, Details(), confidence) for name, term in terms.items()),
    ]


def _clustered_errors(  # noqa: PLR0917 - a result, its rows and its method
    name: str,
    result: stats.Brier | stats.CalibrationTerm,
    judged: ScoredRows,
    method: str,
    details: Details,
    confidence: float,
) -> Measured:
    """Return a result as a measure, with the errors of clusters where there are any."""
    plain = Measured(
        measure=name,
        **copied(result, "estimate low high reason influence"),
        variance=None if result.standard_error is None else result.standard_error**2,
        n=judged.people,
        method=method,
        details=details,
    )
    if judged.cluster is None or result.estimate is None:
        return plain
    clustered = stats.multiway_variance(judged.n * result.influence, [judged.cluster])
    interval = stats.t_interval(result.estimate, clustered.variance, clustered.df, confidence=confidence)
    low, high = interval.low, interval.high
    if name == measures.BRIER and low is not None and high is not None:
        low, high = logit_limits(result.estimate, (high - low) / 2, 1.0)
    return replace(
        plain,
        low=low,
        high=high,
        **copied(clustered, "variance method"),
        clusters=clustered.clusters[0],
        reason=plain.reason or interval.reason,
    )


LOWER_IS_BETTER: Final = frozenset({measures.FPR, measures.FNR, measures.BRIER})
#: The value that a measure has at its best where more is neither better nor worse.
_BEST: Final = {measures.CALIBRATION_INTERCEPT: 0.0, measures.CALIBRATION_SLOPE: 1.0}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How groups are compared."""

    references: References = field(default_factory=References)
    intersectional: bool = False
    min_share: float = 0.0
    confidence: float = 0.95


@dataclass(frozen=True, kw_only=True)
class PairTest(Test):
    """The test of a group and its reference; `statistic` is signed as group minus reference.

    The limits are those of its variance where rows are in clusters: of the difference, and of the ratio.
    `why_no_ratio` says why the ratio has no interval. `clusters` are those of the group and of the reference.
    """

    df: float | None = None
    low: float | None = None
    high: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    clusters: tuple[int, int] | None = None
    why_no_ratio: str | None = None


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A group compared with its reference: the difference, its interval, its test; `why` where there is none of them.

    Without a `test` the group is not judged.
    """

    reference: int | None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    test: PairTest | None = None
    why: str | None = None

    @property
    def p(self) -> float | None:
        """The p of its test."""
        return None if self.test is None else self.test.p

    @property
    def tests(self) -> tuple[Test, ...]:
        """Its test as a finding has it."""
        return () if self.test is None or self.p is None else (Test(**copied(self.test, "name statistic p")),)


@dataclass(frozen=True, kw_only=True)
class GroupComparison:
    """One measure of all groups of a view: each other group's gap to the reference.

    `unseen` are the p of other pairs that the data could have chosen to compare.
    """

    measure: str
    gaps: Mapping[int, Gap]
    unseen: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class View(Parts):
    """The groups of one view with their measures, also in the `previous` version, and how they are compared."""

    by_group: GroupMeasures
    previous: GroupMeasures = ()
    choices: Choices

    @cached_property
    def people(self) -> Ints:
        """How many people each group has."""
        return np.array([part.people for part in self.parts], dtype=np.int64)

    @property
    def clustered(self) -> bool:
        """Whether rows are in clusters."""
        return self.parts[0].cluster is not None

    @cached_property
    def named_reference(self) -> int | None:
        """The group that was named for these attributes."""
        return self.choices.references.of(self.attributes, self.groups, all_there=not self.slice)

    @property
    def by_best(self) -> bool:
        """Whether the data choose the group with the best value as the reference."""
        return self.choices.references.rule == HIGHEST and self.named_reference is None

    @cached_property
    def large_enough(self) -> Flags:
        """Which groups are judged."""
        return np.asarray(self.people >= self.choices.min_share * self.people.sum())

    def values(self, measure: str, name: str = "estimate") -> Floats:
        """Return a measure of all groups, NaN where it is not known."""
        values = [getattr(group[measure], name) if measure in group else None for group in self.by_group]
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)

    def candidates(self, values: Floats) -> Flags:
        """Return which groups may be the reference of a measure; one whose label may mean unknown only of such."""
        floor = self.choices.references.floor
        known = ~np.isnan(values) & self.large_enough
        sure = known & known_groups(self.groups)
        known = sure if sure.any() else known
        large = known & (self.people >= floor * self.people.sum()) & (self.people >= FLOOR_PEOPLE)
        return np.asarray(large if floor and large.any() else known)

    def reference_of(self, measure: str) -> int | None:
        """Return the group that the others are compared with: the named one, the largest, or that with the best value.

        By value only groups of the floor's share and people are candidates, as long as there is one.
        """
        if self.named_reference is not None:
            return self.named_reference
        values = self.values(measure)
        may_be = self.candidates(values)
        if not may_be.any():
            return None
        if self.choices.references.rule == LARGEST:
            return int(np.argmax(np.where(may_be, self.people, -1)))
        goodness = np.where(may_be, self._goodness(measure, values), -np.inf)
        return int(np.lexsort((np.arange(values.size), -self.people, -goodness))[0])

    def _goodness(self, measure: str, values: Floats) -> Floats:
        if measure in _BEST:
            return np.asarray(-np.abs(values - _BEST[measure]))
        if measure == measures.TREATMENT_EQUALITY:  # nearest to that of the largest group
            return np.asarray(-np.abs(values - values[int(np.argmax(np.where(np.isnan(values), -1, self.people)))]))
        return -values if measure in LOWER_IS_BETTER else values

    @cached_property
    def comparisons(self) -> tuple[GroupComparison, ...]:
        """Each measure that is known, with every group against its reference.

        Where the data choose the best group as the reference, all pairs with a possible reference count; else those
        with the reference.
        """
        known = [measure for measure in measures.COMPARED_MEASURES if any(measure in group for group in self.by_group)]
        return tuple(self._compared(measure) for measure in known)

    def _compared(self, measure: str) -> GroupComparison:
        reference = self.reference_of(measure)
        pairs, covariance = self._pairs(measure, reference), self._covariances(measure)
        seen = (pairs == reference).any(axis=1)
        known = set(pairs[seen].ravel().tolist()) - {reference}
        tests = {} if reference is None else self._tests(measure, sorted(known), reference, covariance)
        others = [group for group in range(len(self.groups)) if group != reference]
        return GroupComparison(
            measure=measure,
            gaps={group: self._gap(measure, group, reference, covariance, tests.get(group)) for group in others},
            unseen=self._unseen(measure, pairs[~seen]),
        )

    def _pairs(self, measure: str, reference: int | None) -> Ints:
        """Return the pairs of groups that may be compared, a row each."""
        values = self.values(measure)
        groups = np.flatnonzero(~np.isnan(values) & self.large_enough)
        if self.by_best:
            may_be = self.candidates(values)
            pairs = groups[np.column_stack(np.triu_indices(groups.size, 1))]
            return np.asarray(pairs[may_be[pairs].any(axis=1)])
        if reference is None or np.isnan(values[reference]):
            return np.empty((0, 2), dtype=np.int64)
        others = groups[groups != reference]
        return np.column_stack([others, np.full_like(others, reference)])

    def _unseen(self, measure: str, pairs: Ints) -> tuple[float, ...]:
        """Return the p of pairs; with clusters they are taken to be 1, the largest."""
        if self.clustered or not pairs.size:
            return (1.0,) * len(pairs)
        if measure not in RATES:
            p = self._wald_p(measure, pairs)
            return tuple(p[~np.isnan(p)].tolist())
        hits, n = (self.values(measure, name).astype(np.int64) for name in ("hits", "of"))
        if measure == measures.SELECTION_RATE:
            pairs = pairs[hits[pairs].any(axis=1)]
            if not pairs.size:
                return ()
        # Of many groups, many pairs have the same counts.
        tables, places = np.unique(np.hstack([hits[pairs], n[pairs]]), axis=0, return_inverse=True)
        p = stats.fisher_exact(tables[:, 0], tables[:, 2], tables[:, 1], tables[:, 3]).p
        return tuple(np.atleast_1d(p)[places.ravel()].tolist())

    def _tests(
        self, measure: str, groups: Sequence[int], reference: int, covariance: Floats | None
    ) -> dict[int, PairTest]:
        """Return the test of each group and the reference."""
        if not groups:
            return {}
        if measure not in RATES:
            return {group: self._wald(measure, group, reference, covariance) for group in groups}
        hits, n = (self.values(measure, name).astype(np.int64) for name in ("hits", "of"))
        if covariance is not None:
            entries = [_by_cluster(RATES[measure], self.parts[group]) for group in (*groups, reference)]
            tests = dict(zip(groups, _clustered_tests(entries), strict=True))
        else:
            p = stats.fisher_exact(hits[groups], n[groups], hits[reference], n[reference]).p
            tests = {
                group: PairTest(name="Fisher exact", statistic=None, p=float(value))
                for group, value in zip(groups, np.atleast_1d(p), strict=True)
            }
        for group, test in tests.items():
            both, of = hits[group] + hits[reference], n[group] + n[reference]
            if measure == measures.SELECTION_RATE and not both:
                tests[group] = replace(test, statistic=None, p=None, reason="Nobody was selected in both groups.")
            elif both in {0, of} and test.p is None:
                # Every arrangement of the clusters is as this one.
                tests[group] = replace(test, name=stats.ENUMERATED, p=1.0)
        return tests

    def _wald(self, measure: str, group: int, reference: int, covariance: Floats | None) -> PairTest:
        """Return the test of a measure that is no rate: normal, or t on one less than the clusters of the fewer.

        The AUC is compared on the log odds, as its interval is: near 1 the plain difference is far from normal.
        """
        mine, theirs = self.by_group[group][measure], self.by_group[reference][measure]
        name = "clustered t" if covariance is not None else "DeLong, logit" if measure == measures.AUC else "Wald"
        untested = PairTest(name=name, statistic=None, p=None)
        if mine.estimate == theirs.estimate and not mine.variance and not theirs.variance:
            # No arrangement of the groups is less far apart.
            return replace(untested, name="permutation of groups", p=1.0)
        if not mine.variance or not theirs.variance or mine.estimate is None or theirs.estimate is None:
            return replace(untested, reason=mine.reason or theirs.reason or "Scores of a group do not vary.")
        shared = 0.0 if covariance is None else float(covariance[group, reference])
        values, slopes = (mine.estimate, theirs.estimate), (1.0, 1.0)
        if measure == measures.AUC:
            slopes = (1 / (values[0] * (1 - values[0])), 1 / (values[1] * (1 - values[1])))
            values = (float(np.log(values[0] / (1 - values[0]))), float(np.log(values[1] / (1 - values[1]))))
        spread = mine.variance * slopes[0] ** 2 + theirs.variance * slopes[1] ** 2 - 2 * shared * slopes[0] * slopes[1]
        if not spread > 0:
            return replace(untested, reason="Scores of the groups do not vary between clusters.")
        statistic = (values[0] - values[1]) / spread**0.5
        if mine.clusters is None or theirs.clusters is None:
            return replace(untested, statistic=statistic, p=float(stats.normal_p(statistic)))
        clusters = (mine.clusters, theirs.clusters)
        df = min(clusters) - 1
        if not df:
            return replace(untested, statistic=statistic, df=df, reason=ONE_CLUSTER)
        return replace(untested, statistic=statistic, df=df, p=float(stats.t_p(statistic, df)), clusters=clusters)

    def _wald_p(self, measure: str, pairs: Ints) -> Floats:
        """Return the p of `_wald` of many pairs of groups without clusters, NaN where there is none."""
        values, variances = (self.values(measure, name)[pairs] for name in ("estimate", "variance"))
        variances = np.where(variances > 0, variances, np.nan)
        same = (values[:, 0] == values[:, 1]) & np.isnan(variances).all(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            if measure == measures.AUC:
                values, variances = np.log(values / (1 - values)), variances / (values * (1 - values)) ** 2
            p = stats.normal_p((values[:, 0] - values[:, 1]) / np.sqrt(variances.sum(axis=1)))
        return np.where(same, 1.0, p)

    def base_rate_p(self, group: int, reference: int) -> float | None:
        """Return the p of equal base rates of two groups."""
        if self.clustered:
            return _clustered_tests([_by_cluster(_OUTCOMES, self.parts[place]) for place in (group, reference)])[0].p
        rates = [self.by_group[place][measures.BASE_RATE] for place in (group, reference)]
        p: float | None = stats.fisher_exact(*(count or 0 for rate in rates for count in (rate.hits, rate.of))).p
        return p

    def _covariances(self, measure: str) -> Floats | None:
        """Return the covariances of the groups' values that come from clusters with people of both; None without any.

        Shape (groups, groups); the diagonal isn't used.
        """
        codes = [part.cluster for part in self.parts if part.cluster is not None]
        if not codes:
            return None
        everybody = np.unique(np.concatenate(codes))
        sums = np.zeros((everybody.size, len(self.parts)))
        for group, (part, group_measures) in enumerate(zip(self.parts, self.by_group, strict=True)):
            influence = group_measures[measure].influence if measure in group_measures else None
            if influence is not None and part.cluster is not None:
                place = np.searchsorted(everybody, part.cluster)
                sums[:, group] = np.bincount(place, weights=part.n * influence, minlength=everybody.size)
        return np.asarray(sums.T @ sums * (everybody.size / max(everybody.size - 1, 1)))

    def _gap(
        self, measure: str, group: int, reference: int | None, covariance: Floats | None, test: PairTest | None
    ) -> Gap:
        mine = self.by_group[group].get(measure)
        if not self.large_enough[group]:
            share = f"{self.choices.min_share:g} of the people (--min-share)"
            return Gap(reference=reference, why=f"Less than {share}, so not judged.")
        if mine is None or mine.estimate is None:
            return Gap(reference=reference, why=mine.reason if mine is not None else "The group has no value.")
        theirs = None if reference is None else self.by_group[reference].get(measure)
        if reference is None or theirs is None:
            return Gap(reference=reference, why="There is no group to compare with.")
        if theirs.estimate is None:
            named = shortened(" × ".join(self.groups[reference]))
            return Gap(reference=reference, why=f"{(theirs.reason or 'It has no value').rstrip('.')} ({named}).")
        correlation = 0.0
        if covariance is not None and mine.variance and theirs.variance:
            correlation = float(np.clip(covariance[group, reference] / (mine.variance * theirs.variance) ** 0.5, -1, 1))
        difference = stats.hybrid_difference(mine.ends, theirs.ends, correlation=correlation)
        low, high = difference.low, difference.high
        unknown = next((side.reason for side in (mine, theirs) if side.low is None), None)
        if covariance is not None and test is not None and measure in _PLAIN_RATES:
            low, high, unknown = test.low, test.high, test.reason
        why = unknown if low is None else None
        return Gap(reference=reference, estimate=difference.estimate, low=low, high=high, test=test, why=why)

    def ratio_findings(self) -> Iterator[Finding]:
        """Yield impact ratio, ratios of error rates, demographic parity and equal opportunity."""
        for comparison in self.comparisons:
            if comparison.measure in _RATIOS_TO_REFERENCE:
                ratios = [self._ratio_to_reference(comparison.measure, *pair) for pair in comparison.gaps.items()]
                yield from self._with_chance(ratios)
        for measure, name in _RATIOS_TO_ALL.items():
            if measure in self.by_group[0] and len(self.by_group) > 1:
                for group in range(len(self.by_group)):
                    yield self._ratio_to_all(measure, name, group)

    def _with_chance(self, ratios: Sequence[Finding]) -> Iterator[Finding]:
        """Yield ratios, of independent people with how often chance puts a group below four fifths.

        A reference that isn't the highest rate may be the group below.
        """
        if self.clustered or not all(isinstance(finding.details, ImpactRatio) for finding in ratios):
            yield from ratios
            return
        hits, of = (self.values(measures.SELECTION_RATE, name).astype(np.int64) for name in ("hits", "of"))
        may_be = self.candidates(self.values(measures.SELECTION_RATE))
        if not self.by_best:
            may_be = np.array([self.named(group) == ratios[0].reference for group in range(len(self.groups))])
        chance = stats.four_fifths_false_positives(of, int(hits.sum()), references=may_be, either=True).estimate
        for finding in ratios:
            yield replace(finding, details=replace(finding.details, over_flagging_rate=chance))  # type: ignore[call-arg]

    def _ratio(self, name: str, group: int, mine: Measured, **more: Any) -> Finding:
        return Finding(
            name="_".join("_".join(word.split()) for word in (name, *self.attributes, *self.groups[group])),
            measure=name,
            focal=self.named(group),
            confidence=self.choices.confidence,
            measured_in="ratio",
            null_value=1.0,
            clusters={"person": more["n"]} if mine.clusters is None else {"cluster": mine.clusters},
            **more,
        )

    def _ratio_to_reference(self, measure: str, group: int, gap: Gap) -> Finding:
        name, mine = _RATIOS_TO_REFERENCE[measure], self.by_group[group][measure]
        theirs = None if gap.reference is None else self.by_group[gap.reference][measure]
        counts = [value or 0 for value in (mine.hits, mine.of, theirs and theirs.hits, theirs and theirs.of)]
        ratio = stats.impact_ratio(*counts, confidence=self.choices.confidence)
        interval = copied(ratio, "low high method reason")
        judged = gap.estimate is not None and ratio.estimate is not None
        if not judged:
            interval |= {"low": None, "high": None, "reason": gap.why if gap.estimate is None else ratio.reason}
        elif mine.clusters is not None and gap.test is not None:
            interval = {"low": gap.test.ratio_low, "high": gap.test.ratio_high, "reason": gap.test.why_no_ratio}
            interval["method"] = CLUSTERED_RATIO
        return self._ratio(
            name,
            group,
            mine,
            reference={} if gap.reference is None else self.named(gap.reference),
            role="planned" if len(self.attributes) == 1 and name == measures.IMPACT_RATIO else "descriptive",
            estimate=ratio.estimate if judged else None,
            n=counts[1] + counts[3],
            tests=gap.tests,
            details=_details(name, mine, theirs, judged=judged),
            **interval,
        )

    def _ratio_to_all(self, measure: str, name: str, group: int) -> Finding:
        """Return a group's rate over that of all people whose group is known."""
        rates = [group_measures[measure] for group_measures in self.by_group]
        mine = rates[group]
        others = [(rate.hits, rate.of) for place, rate in enumerate(rates) if place != group]
        hits, of = (sum(count or 0 for count in counts) for counts in zip(*others, strict=True))
        result = stats.ratio_to_all(mine.hits or 0, mine.of or 0, hits, of, confidence=self.choices.confidence)
        interval = copied(result, "low high method reason")
        if result.estimate is not None and mine.clusters is not None:
            weights = [-(rate.hits or 0) / ((mine.hits or 0) + hits) for rate in rates]
            weights[group] += 1.0
            interval = {**self._clustered_ratio(weights, measure, result.estimate), "method": CLUSTERED}
        if mine.estimate is None:
            interval["reason"] = mine.reason or interval["reason"]
        details = GroupGap(value_focal=mine.estimate, n_value_focal=mine.of)
        common = {"role": "descriptive", "details": details, **copied(result, "estimate n"), **interval}
        return self._ratio(name, group, mine, **common)

    def _clustered_ratio(self, weights: Sequence[float], measure: str, ratio: float) -> dict[str, Any]:
        """Return the limits of a ratio whose logarithm is a sum of log rates of groups, by their weights."""
        influences, codes = [], []
        for weight, part, group_measures in zip(weights, self.parts, self.by_group, strict=True):
            rate = group_measures[measure]
            if not rate.estimate:
                if weight and rate.of:
                    return {"low": None, "high": None, "reason": "A rate is 0, so the ratio has no logarithm."}
                continue
            assert part.cluster is not None
            influences.append(weight * part.n * np.asarray(rate.influence) / rate.estimate)
            codes.append(part.cluster)
        variance = stats.multiway_variance(np.concatenate(influences), [np.concatenate(codes)])
        confidence = self.choices.confidence
        interval = stats.t_interval(float(np.log(ratio)), variance.variance, variance.df, confidence=confidence)
        low, high = (None if end is None else float(np.exp(end)) for end in (interval.low, interval.high))
        return {"low": low, "high": high, "reason": interval.reason}


def _clustered_tests(entries: Sequence[tuple[Ints, Ints, Ints]]) -> list[PairTest]:
    """Return the test of each group and the last one, with the limits of the same variance.

    Entries are a group's clusters, how many people of each are hit, and how many there are.
    """
    sides = [side for own in entries[:-1] for side in (own, entries[-1])]
    codes, hits, n = (np.concatenate(arrays) for arrays in zip(*sides, strict=True))
    side = np.repeat(np.arange(len(sides)), [own.size for own, _, _ in sides])
    groups = len(entries) - 1
    level = LEVEL / (groups * len(measures.PLANNED_OF_SCORES))
    found = stats.compare_clusters(
        side // 2, side % 2 == 0, hits, n, [codes], binary=True, comparisons=groups, level=level
    )
    tests = []
    for place in range(groups):
        numbers = (
            float(getattr(found, name)[place]) for name in ("t", "p", "df", "low", "high", "ratio_low", "ratio_high")
        )
        t, p, df, low, high, ratio_low, ratio_high = (None if np.isnan(x) else x for x in numbers)
        test = PairTest(
            name=str(found.test[place]),
            statistic=t,
            p=p,
            df=df,
            low=None if low is None else max(low, -1.0),
            high=None if high is None else min(high, 1.0),
            ratio_low=ratio_low,
            ratio_high=ratio_high,
            clusters=(int(found.clusters_focal[0, place]), int(found.clusters_reference[0, place])),
            reason=str(found.reason[place]) or str(found.interval_reason[place]) or None,
            why_no_ratio=str(found.ratio_reason[place]) or None,
        )
        tests.append(test)
    return tests


def _by_cluster(rate: Rate, part: ScoredRows) -> tuple[Ints, Ints, Ints]:
    """Return the clusters of a rate's people, how many of them are hit in each, and how many there are."""
    assert part.cluster is not None
    selected = part.label if part.selected is None else part.selected
    among = rate.among(part.label, selected)
    hit = rate.hit(part.label, selected)[among]
    codes, place = np.unique(part.cluster[among], return_inverse=True)
    n = np.bincount(place, part.n[among], minlength=codes.size).astype(np.int64)
    return codes, np.bincount(place, part.n[among] * hit, minlength=codes.size).astype(np.int64), n


#: Rates that are compared with the reference as a ratio, too.
_RATIOS_TO_REFERENCE: Final = {
    measures.SELECTION_RATE: measures.IMPACT_RATIO,
    **{name: f"{measures.RATIO}{name}" for name in (measures.TPR, measures.FPR, measures.PRECISION)},
}
#: The measure whose difference is the same comparison as a ratio to the reference, or as a difference of its opposite.
SAME_AS_RATIO: Final = {ratio: measure for measure, ratio in _RATIOS_TO_REFERENCE.items()}
SAME_AS_OPPOSITE: Final = {
    f"{begins}{opposite}": f"{begins}{measure}"
    for begins in (measures.DIFFERENCE, measures.CHANGE)
    for opposite, measure in ((measures.FNR, measures.TPR), (measures.TNR, measures.FPR))
}
_RATIOS_TO_ALL: Final = {measures.SELECTION_RATE: measures.DEMOGRAPHIC_PARITY, measures.TPR: measures.EQUAL_OPPORTUNITY}
CLUSTERED: Final = "linearised log ratio, clustered"
CLUSTERED_RATIO: Final = "CR2 of the log ratio, clustered"


def _details(name: str, mine: Measured, theirs: Measured | None, *, judged: bool) -> Details:
    """Return both rates; of an impact ratio with the four-fifths rule, where it was judged."""
    rate, n, hits = (None, None, None) if theirs is None else (theirs.estimate, theirs.of, theirs.hits)
    if name != measures.IMPACT_RATIO:
        return GroupGap(value_focal=mine.estimate, value_reference=rate, n_value_focal=mine.of, n_value_reference=n)
    return ImpactRatio(
        n_focal=mine.of,
        n_reference=n,
        selected_focal=mine.hits,
        selected_reference=hits,
        rate_focal=mine.estimate,
        rate_reference=rate,
        four_fifths=stats.four_fifths(mine.hits or 0, mine.of or 0, hits or 0, n or 0).verdict if judged else None,
    )
