"""Measures of a score per group: ranking, errors and calibration, and comparisons between groups.

`slices_of` and `parts_of` divide the rows of `Predictions` by slice and group. `measured` gives every measure of one
group with its interval, `group_comparisons` the differences from the reference group, measure by measure, and
`ratio_findings` the ratios of rates to the reference and to all people.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons.impact_cells import FLOOR_PEOPLE, HIGHEST, LARGEST, References
from evenhand.comparisons.units import Floats, Ints
from evenhand.errors import InputError
from evenhand.results import measures
from evenhand.results.finding import Details, Finding, ImpactRatio, Test
from evenhand.results.messages import listed, shortened
from evenhand.results.schemas import CONTEXT, PROTECTED
from evenhand.results.score_audit import ClassCounts, GroupGap, Probabilities, ReliabilityBin, Trials

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
    sets: list[tuple[str, ...]] = [(name,) for name in attributes]
    if crossed:
        sets += [crossing for size in range(2, len(attributes) + 1) for crossing in combinations(attributes, size)]
    for names in sets:
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
RATES: Final[Mapping[str, Rate]] = {
    measures.SELECTION_RATE: Rate(among=_everybody, hit=lambda _y, s: s, nobody="The group has nobody in it."),
    measures.ACCURACY: Rate(among=_everybody, hit=lambda y, s: y == s, nobody="The group has nobody in it."),
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
    results = [_auc(judged, confidence), _base_rate(judged, confidence)]
    if judged.selected is not None:
        results += [_rate(name, judged, influences=influences, confidence=confidence) for name in RATES]
    if probabilities:
        results += _probability_measures(judged, confidence)
    return {result.measure: result for result in results}


def _auc(judged: ScoredRows, confidence: float) -> Measured:
    result = stats.auc(judged.score, judged.label, n=judged.n, cluster=judged.cluster, confidence=confidence)
    return Measured(
        measure=measures.AUC,
        estimate=result.estimate,
        low=result.low,
        high=result.high,
        variance=None if result.standard_error is None else result.standard_error**2,
        n=judged.people,
        clusters=result.clusters,
        method=result.method,
        reason=result.reason,
        influence=result.influence,
        details=ClassCounts(
            positives=result.n_positive, negatives=result.n_negative, standard_error=result.standard_error
        ),
    )


def _base_rate(judged: ScoredRows, confidence: float) -> Measured:
    """Return the share with the outcome, which is known without a decision."""
    rate = Rate(among=_everybody, hit=lambda y, _s: y, nobody="The group has nobody in it.")
    return _share(measures.BASE_RATE, rate, judged, judged.label, influences=False, confidence=confidence)


def _rate(name: str, judged: ScoredRows, *, influences: bool, confidence: float) -> Measured:
    assert judged.selected is not None
    return _share(name, RATES[name], judged, judged.selected, influences=influences, confidence=confidence)


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
    low, high, clusters, reason, method = _limits(name, hits, size, judged, among, hit, confidence)
    return Measured(
        measure=name,
        estimate=estimate,
        low=low,
        high=high,
        variance=_variance(influence, judged, share, size, rate),
        n=size,
        clusters=clusters,
        hits=hits,
        of=size,
        method=method,
        reason=reason,
        influence=influence,
        details=details,
    )


def _variance(influence: Floats | None, judged: ScoredRows, share: float, size: int, rate: Rate) -> float | None:
    if judged.cluster is None or influence is None:
        return share * (1 - share) / size * rate.slope(share) ** 2
    variance = stats.multiway_variance(judged.n * influence, [judged.cluster]).variance
    return None if variance is None else float(variance)


def _limits(  # noqa: PLR0917 - a rate, its counts and its rows
    name: str, hits: int, size: int, judged: ScoredRows, among: Flags, hit: Flags, confidence: float
) -> tuple[float | None, float | None, int | None, str | None, str]:
    """Return the limits of a rate: Wilson's, of independent people or on their effective number."""
    if judged.cluster is None:
        wilson: Any = stats.selection_rate(hits, size, confidence=confidence)
        if name == measures.F1:
            wilson = stats.f1_score(hits, size - hits, 0, confidence=confidence)
        elif name == measures.TREATMENT_EQUALITY:
            wilson = stats.error_balance(hits, size - hits, confidence=confidence)
        return wilson.low, wilson.high, None, wilson.reason, wilson.method
    codes = judged.cluster[among]
    share = hits / size
    names, place = np.unique(codes, return_inverse=True)
    clusters = int(names.size)
    if clusters < 2:
        return None, None, clusters, "There is one cluster, which tells nothing of the spread.", "clustered"
    influence = judged.n[among] * (hit[among] - share) / size
    variance = stats.multiway_variance(influence, [place]).variance
    largest = float(np.abs(np.bincount(place, influence)).max())
    limits = stats.clustered_rate(share, variance, clusters, largest=largest, confidence=confidence)
    transform = RATES[name].transform if name in RATES else (lambda value: value)
    with np.errstate(divide="ignore"):
        low, high = (None if end is None else float(transform(np.float64(end))) for end in (limits.low, limits.high))
    if high is not None and not np.isfinite(high):
        high = None
    return low, high, clusters, limits.reason, f"{limits.method}, clustered"


def _probability_measures(judged: ScoredRows, confidence: float) -> list[Measured]:
    """Return Brier score, calibration intercept and slope."""
    score = stats.brier(judged.score, judged.label, n=judged.n, confidence=confidence)
    fitted = stats.calibration(judged.score, judged.label, n=judged.n, confidence=confidence)
    details = Probabilities(
        reliability=score.reliability,
        resolution=score.resolution,
        uncertainty=score.uncertainty,
        within_bins=score.within,
        bins=tuple(ReliabilityBin(**vars(one_bin)) for one_bin in score.bins),
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
        estimate=result.estimate,
        low=result.low,
        high=result.high,
        variance=None if result.standard_error is None else result.standard_error**2,
        n=judged.people,
        method=method,
        reason=result.reason,
        influence=result.influence,
        details=details,
    )
    if judged.cluster is None or result.estimate is None:
        return plain
    clustered = stats.multiway_variance(judged.n * result.influence, [judged.cluster])
    interval = stats.t_interval(result.estimate, clustered.variance, clustered.df, confidence=confidence)
    return replace(
        plain,
        low=interval.low,
        high=interval.high,
        variance=clustered.variance,
        clusters=clustered.clusters[0],
        method=clustered.method,
        reason=plain.reason or interval.reason,
    )


LEVEL: Final = 0.05
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
class Gap:
    """A group compared with its reference: the difference, its interval, p; `why` where the group is not judged."""

    focal: int
    reference: int | None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    why: str | None = None


@dataclass(frozen=True, kw_only=True)
class GroupComparison:
    """One measure of all groups of a view: each group's gap to the reference, and the raw p of all pairs compared."""

    measure: str
    gaps: tuple[Gap, ...]
    pairs: Mapping[tuple[int, int], float]
    test: str
    adjustment: str | None


def reference_of(measure: str, parts: Parts, by_group: GroupMeasures, choices: Choices) -> int | None:
    """Return the group that the others are compared with: the named one, the largest, or that with the best value.

    By value only groups of the floor's share and people are candidates, as long as there is one.
    """
    named = _named(parts, choices.references)
    if named is not None:
        return named
    values = _values(measure, by_group)
    may_be = _candidates(values, parts, choices)
    if not may_be.any():
        return None
    people = np.array([part.people for part in parts.parts])
    if choices.references.rule == LARGEST:
        return int(np.argmax(np.where(may_be, people, -1)))
    goodness = _goodness(measure, values, people)
    order = np.lexsort((np.arange(values.size), -people, -np.where(may_be, goodness, -np.inf)))
    return int(order[0])


def _goodness(measure: str, values: Floats, people: NDArray[np.int64]) -> Floats:
    if measure in _BEST:
        return np.asarray(-np.abs(values - _BEST[measure]))
    if measure == measures.TREATMENT_EQUALITY:  # nearest to that of the largest group
        return np.asarray(-np.abs(values - values[int(np.argmax(np.where(np.isnan(values), -1, people)))]))
    return -values if measure in LOWER_IS_BETTER else values


def _candidates(values: Floats, parts: Parts, choices: Choices) -> Flags:
    """Return which groups may be the reference of a measure."""
    people = np.array([part.people for part in parts.parts])
    known = ~np.isnan(values) & _large_enough(parts, choices)
    large = (people >= choices.references.floor * people.sum()) & (people >= FLOOR_PEOPLE)
    if not choices.references.floor or not (known & large).any():
        return np.asarray(known)
    return np.asarray(known & large)


def _large_enough(parts: Parts, choices: Choices) -> Flags:
    people = np.array([part.people for part in parts.parts])
    return np.asarray(people >= choices.min_share * people.sum())


def _values(measure: str, by_group: GroupMeasures, field_name: str = "estimate") -> Floats:
    values = [getattr(group[measure], field_name) if measure in group else None for group in by_group]
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _named(parts: Parts, references: References) -> int | None:
    """Return the group that was named for these attributes."""
    if not all(name in references.named for name in parts.attributes):
        return None

    def normalised(group: Sequence[str]) -> tuple[str, ...]:
        return tuple(" ".join(part.split()).casefold() for part in group)

    requested = normalised([references.named[name] for name in parts.attributes])
    labels = [normalised(group) for group in parts.groups]
    if requested in labels:
        return labels.index(requested)
    if len(parts.attributes) == 1 and not parts.slice:
        known = listed([group[0] for group in parts.groups]) or "none"
        label = shortened(f"{parts.attributes[0]}={references.named[parts.attributes[0]]}")
        raise InputError(
            f"--reference {label}: no group of {shortened(parts.attributes[0])} is called that; there are {known}."
        )
    return None


def group_comparisons(parts: Parts, by_group: GroupMeasures, choices: Choices) -> Iterator[GroupComparison]:
    """Yield each measure that is known, with every group against its reference.

    Where the data choose the best group as the reference, the family of a measure is all pairs with a possible
    reference; else the pairs with the reference. Holm's method for one attribute, Benjamini and Hochberg's for several.
    """
    for measure in measures.COMPARED_MEASURES:
        if not any(measure in group_measures for group_measures in by_group):
            continue
        reference = reference_of(measure, parts, by_group, choices)
        pairs = _pairs(measure, parts, by_group, choices, reference)
        covariance = _covariances(measure, parts, by_group)
        raw, test = _p(measure, by_group, pairs, covariance)
        adjust = stats.holm if len(parts.attributes) == 1 else stats.benjamini_hochberg
        family = adjust(raw)
        adjustment = f"{test}, {family.method} over {family.family} pair{'' if family.family == 1 else 's'}"
        ps = dict(zip(pairs, zip(raw, family.p, strict=True), strict=True))
        yield GroupComparison(
            measure=measure,
            gaps=tuple(
                _gap(measure, group, reference, parts, by_group, choices, covariance, ps)
                for group in range(len(parts.groups))
                if group != reference
            ),
            pairs=dict(zip(pairs, raw, strict=True)),
            test=test,
            adjustment=adjustment if family.family else None,
        )


def _pairs(
    measure: str, parts: Parts, by_group: GroupMeasures, choices: Choices, reference: int | None
) -> list[tuple[int, int]]:
    values = _values(measure, by_group)
    groups = [int(group) for group in np.flatnonzero(~np.isnan(values) & _large_enough(parts, choices))]
    if choices.references.rule == HIGHEST and _named(parts, choices.references) is None:
        may_be = _candidates(values, parts, choices)
        return [(i, j) for i, j in combinations(groups, 2) if may_be[i] or may_be[j]]
    if reference is None or np.isnan(values[reference]):
        return []
    return [(min(i, reference), max(i, reference)) for i in groups if i != reference]


def _p(
    measure: str, by_group: GroupMeasures, pairs: Sequence[tuple[int, int]], covariance: Floats | None
) -> tuple[Floats, str]:
    """Return the p of each pair, and the name of the test."""
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    if measure in RATES and covariance is None:
        hits, n = (_values(measure, by_group, name).astype(np.int64) for name in ("hits", "of"))
        p = stats.fisher_exact(hits[first], n[first], hits[second], n[second]).p if pairs else np.zeros(0)
        return np.asarray(p), "Fisher exact"
    values, variances = _values(measure, by_group), _values(measure, by_group, "variance")
    shared = 0.0 if covariance is None else covariance[first, second]
    with np.errstate(divide="ignore", invalid="ignore"):
        if measure == measures.AUC:  # on the log odds, as its interval: near 1 the plain difference is far from normal
            slopes = 1 / (values * (1 - values))
            values, variances = np.log(values / (1 - values)), variances * slopes**2
            shared = shared * slopes[first] * slopes[second]
        spread = variances[first] + variances[second] - 2 * shared
        statistic = np.where(spread > 0, (values[first] - values[second]) / np.sqrt(spread), np.nan)
    if covariance is None:
        return stats.normal_p(statistic), "DeLong, logit" if measure == measures.AUC else "Wald"
    clusters = _values(measure, by_group, "clusters")
    return stats.t_p(statistic, np.minimum(clusters[first], clusters[second]) - 1), "clustered t"


def _covariances(measure: str, parts: Parts, by_group: GroupMeasures) -> Floats | None:
    """Return the covariances of the groups' values that come from clusters with people of both; None without clusters.

    Shape (groups, groups); the diagonal isn't used.
    """
    if parts.parts and parts.parts[0].cluster is None:
        return None
    codes = [part.cluster for part in parts.parts if part.cluster is not None]
    everybody = np.unique(np.concatenate(codes)) if codes else np.zeros(0, dtype=np.int64)
    sums = np.zeros((everybody.size, len(parts.parts)))
    for group, (part, group_measures) in enumerate(zip(parts.parts, by_group, strict=True)):
        influence = group_measures[measure].influence if measure in group_measures else None
        if influence is not None and part.cluster is not None:
            place = np.searchsorted(everybody, part.cluster)
            sums[:, group] = np.bincount(place, weights=part.n * influence, minlength=everybody.size)
    return np.asarray(sums.T @ sums * (everybody.size / max(everybody.size - 1, 1)))


def _gap(  # noqa: PLR0917 - what a comparison is made of
    measure: str,
    group: int,
    reference: int | None,
    parts: Parts,
    by_group: GroupMeasures,
    choices: Choices,
    covariance: Floats | None,
    ps: Mapping[tuple[int, int], Any],
) -> Gap:
    nothing = Gap(focal=group, reference=reference)
    if not _large_enough(parts, choices)[group]:
        reason = f"This group is less than {choices.min_share:g} of the people (--min-share), so it is not judged."
        return replace(nothing, why=reason)
    mine = by_group[group].get(measure)
    if mine is None or mine.estimate is None:
        return replace(nothing, why=mine.reason if mine is not None else "The group has no value.")
    if reference is None or by_group[reference][measure].estimate is None:
        return replace(nothing, why="There is no group to compare with.")
    theirs = by_group[reference][measure]
    correlation = 0.0
    if covariance is not None and mine.variance and theirs.variance:
        correlation = float(np.clip(covariance[group, reference] / (mine.variance * theirs.variance) ** 0.5, -1, 1))
    difference = stats.hybrid_difference(mine.ends, theirs.ends, correlation=correlation)
    pair = ps.get((min(group, reference), max(group, reference)), (np.nan, np.nan))
    raw, adjusted = (None if np.isnan(p) else float(p) for p in pair)
    unknown = next((side.reason for side in (mine, theirs) if side.low is None), None)
    return replace(
        nothing,
        estimate=difference.estimate,
        low=difference.low,
        high=difference.high,
        p=raw,
        p_adjusted=adjusted,
        why=None if difference.low is not None else unknown,
    )


#: Rates that are compared with the reference as a ratio, too.
_RATIOS_TO_REFERENCE: Final = {
    measures.SELECTION_RATE: measures.IMPACT_RATIO,
    measures.TPR: f"{measures.RATIO}{measures.TPR}",
    measures.FPR: f"{measures.RATIO}{measures.FPR}",
    measures.PRECISION: f"{measures.RATIO}{measures.PRECISION}",
}
_RATIOS_TO_ALL: Final = {measures.SELECTION_RATE: measures.DEMOGRAPHIC_PARITY, measures.TPR: measures.EQUAL_OPPORTUNITY}
CLUSTERED: Final = "linearised log ratio, clustered"


def ratio_findings(
    parts: Parts, by_group: GroupMeasures, comparisons: Sequence[GroupComparison], *, confidence: float
) -> Iterator[Finding]:
    """Yield impact ratio, ratios of error rates, demographic parity and equal opportunity."""
    for comparison in comparisons:
        if comparison.measure in _RATIOS_TO_REFERENCE:
            for gap in comparison.gaps:
                yield _ratio_to_reference(parts, by_group, comparison, gap.focal, gap.reference, confidence)
    for measure, name in _RATIOS_TO_ALL.items():
        if by_group and measure in by_group[0] and len(by_group) > 1:
            for group in range(len(by_group)):
                yield _ratio_to_all(parts, by_group, measure, name, group, confidence)


def _ratio_to_reference(  # noqa: PLR0917 - what a ratio is made of
    parts: Parts,
    by_group: GroupMeasures,
    comparison: GroupComparison,
    group: int,
    reference: int | None,
    confidence: float,
) -> Finding:
    name = _RATIOS_TO_REFERENCE[comparison.measure]
    mine = by_group[group][comparison.measure]
    theirs = None if reference is None else by_group[reference][comparison.measure]
    gap = next(candidate for candidate in comparison.gaps if candidate.focal == group)
    counts = [value or 0 for value in (mine.hits, mine.of, theirs and theirs.hits, theirs and theirs.of)]
    ratio = stats.impact_ratio(*counts, confidence=confidence)
    low, high, method, reason = ratio.low, ratio.high, ratio.method, gap.why if gap.estimate is None else ratio.reason
    estimate = ratio.estimate if gap.estimate is not None else None
    if estimate is None:
        low = high = None
    elif mine.clusters is not None and reference is not None:
        weights = [(group, 1.0), (reference, -1.0)]
        low, high, reason = _clustered(parts, weights, by_group, comparison.measure, estimate, confidence)
        method = CLUSTERED
    n = counts[1] + counts[3]
    p = gap.p_adjusted
    return Finding(
        name="_".join("_".join(word.split()) for word in (name, *parts.attributes, *parts.groups[group])),
        measure=name,
        focal=parts.named(group),
        reference={} if reference is None else parts.named(reference),
        role="planned" if len(parts.attributes) == 1 and name == measures.IMPACT_RATIO else "descriptive",
        estimate=estimate,
        low=low,
        high=high,
        confidence=confidence,
        measured_in="ratio",
        null_value=1.0,
        n=n,
        clusters={"person": n} if mine.clusters is None else {"cluster": mine.clusters},
        method=method,
        tests=() if gap.p is None else (Test(name=comparison.test, statistic=None, p=gap.p),),
        p_adjusted=p,
        adjustment=comparison.adjustment if p is not None else None,
        verdict=None if p is None else "difference" if p < LEVEL else "inconclusive",
        reason=reason,
        details=_details(name, mine, theirs, judged=estimate is not None),
    )


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


def _ratio_to_all(  # noqa: PLR0917 - what a ratio is made of
    parts: Parts, by_group: GroupMeasures, measure: str, name: str, group: int, confidence: float
) -> Finding:
    """Return a group's rate over that of all people whose group is known."""
    rates = [group_measures[measure] for group_measures in by_group]
    mine = rates[group]
    nobody = mine.reason if mine.estimate is None else None
    others = [(rate.hits, rate.of) for place, rate in enumerate(rates) if place != group]
    rest = [sum(count or 0 for count in counts) for counts in zip(*others, strict=True)]
    result = stats.ratio_to_all(mine.hits or 0, mine.of or 0, rest[0], rest[1], confidence=confidence)
    low, high, method, reason = result.low, result.high, result.method, result.reason
    if result.estimate is not None and mine.clusters is not None:
        total, hits = (mine.of or 0) + rest[1], (mine.hits or 0) + rest[0]
        weights = [(place, -(rate.hits or 0) / hits) for place, rate in enumerate(rates)]
        weights[group] = (group, 1.0 + weights[group][1])
        assert total
        low, high, reason = _clustered(parts, weights, by_group, measure, result.estimate, confidence)
        method = CLUSTERED
    return Finding(
        name="_".join("_".join(word.split()) for word in (name, *parts.attributes, *parts.groups[group])),
        measure=name,
        focal=parts.named(group),
        role="descriptive",
        estimate=result.estimate,
        low=low,
        high=high,
        confidence=confidence,
        measured_in="ratio",
        null_value=1.0,
        n=result.n,
        clusters={"person": result.n} if mine.clusters is None else {"cluster": mine.clusters},
        method=method,
        reason=nobody or reason,
        details=GroupGap(value_focal=mine.estimate, n_value_focal=mine.of),
    )


def _clustered(  # noqa: PLR0917 - what a ratio is made of
    parts: Parts,
    weights: Sequence[tuple[int, float]],
    by_group: GroupMeasures,
    measure: str,
    ratio: float,
    confidence: float,
) -> tuple[float | None, float | None, str | None]:
    """Return the limits of a ratio whose logarithm is a sum of log rates of groups, by their weights."""
    influences, codes = [], []
    for group, weight in weights:
        rate, part = by_group[group][measure], parts.parts[group]
        if not rate.estimate:
            if weight and rate.of:
                return None, None, "A rate is 0, so the ratio has no logarithm."
            continue
        assert part.cluster is not None
        influences.append(weight * part.n * np.asarray(rate.influence) / rate.estimate)
        codes.append(part.cluster)
    variance = stats.multiway_variance(np.concatenate(influences), [np.concatenate(codes)])
    interval = stats.t_interval(float(np.log(ratio)), variance.variance, variance.df, confidence=confidence)
    if interval.low is None:
        return None, None, interval.reason
    return float(np.exp(interval.low)), float(np.exp(interval.high)), None
