"""Findings of a study of scores that exist: differences within items, and how far an arm moves scores beyond a placebo.

A cell is an item under one level of an arm, or one name of it; the scores in it are repetitions and are averaged.
Levels are compared within items. An item's other columns than that of its unit (say, the job of a model and a job) are
clusters: units are these ones, so a difference is averaged over them in each cluster, and clusters vary. Two columns
vary both ways, and so do names.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons.claims import HOLM, PLANNED, in_families, uncorrected
from evenhand.comparisons.clusterings import FEWEST_LEVELS
from evenhand.comparisons.perturbation import EQUIVALENCE, Margin
from evenhand.comparisons.perturbation_pairs import EQUAL_WITHIN, Primary, left_out_means, with_equivalence
from evenhand.comparisons.units import Floats, Ints
from evenhand.errors import InputError, option_text
from evenhand.results import measures
from evenhand.results.finding import LEVEL as SIGNIFICANT
from evenhand.results.finding import Claim, Finding, Test, by_key, copied
from evenhand.results.messages import number_of
from evenhand.results.study_audit import (
    ARM,
    DECISION,
    LEVEL,
    LevelDifference,
    LevelSpread,
    MissingScores,
    NoiseFloor,
)

NO_NOISE: Final = "No cell has two scores, so noise can't be separated from differences between levels."
NO_RATIO: Final = "The variance of the placebo beyond noise is not above 0, so there is no ratio."
FAMILIES: Final = {
    "placebo": "placebo",
    "unit": "single units",
    "placebo of unit": "placebo of single units",
    "floor of unit": "placebo floor of single units",
    "spread": "variance between levels",
    "missing": "rows without a score",
}


@dataclass(frozen=True, kw_only=True)
class StudyDesign:
    """What is compared with what.

    `arms` has the levels of each arm. A level is compared with its arm's `references`, else with the arm `baseline`.
    `unit` and `clusters` are the names of columns; `grades` are the decisions from the second on, which count from
    each of them on; none of scores.
    """

    arms: Mapping[str, tuple[str, ...]]
    placebo: tuple[str, ...]
    baseline: str | None
    references: Mapping[str, str]
    unit: str | None
    clusters: tuple[str, ...]
    grades: tuple[str, ...] = ()
    margin: Margin | None = None
    confidence: float = 0.95


@dataclass(frozen=True, kw_only=True)
class _Cells:
    """Means, sizes and Σ(x - mean)² of cells, a row per item and a column per arm, level and name; NaN without any."""

    unit: NDArray[np.str_]
    ways: tuple[Ints, ...]
    columns: tuple[tuple[str, str, str], ...]
    mean: Floats
    n: Floats
    squares: Floats
    slice: Mapping[str, str] = field(default_factory=dict)

    def of(self, arm: str, level: str | None = None) -> Ints:
        """Return the columns of an arm, or of one level of it."""
        return np.array([k for k, (a, v, _) in enumerate(self.columns) if a == arm and level in {None, v}], np.int64)

    def level(self, arm: str, level: str | None) -> Floats:
        """Return the mean of each item over the names of a level."""
        return _row_means(self.mean[:, self.of(arm, level)])


def _row_means(values: Floats) -> Floats:
    n = np.isfinite(values).sum(axis=1)
    return np.where(n > 0, np.nansum(values, axis=1) / np.maximum(n, 1), np.nan)


def study_findings(rows: pl.DataFrame, design: StudyDesign) -> list[Finding]:
    """Return the findings of a study, those over all units first.

    `rows` has `arm, level, name, unit, item_0…, score`; the score is null where there is none.

    Raises
    ------
    InputError
        The margin is none of a share.

    """
    steps = range(len(design.grades)) if design.grades else [None]
    findings: list[Finding] = []
    for step in steps:
        graded = rows if step is None else rows.with_columns((pl.col("score") > step).cast(pl.Float64).alias("score"))
        label = {} if step is None or len(design.grades) == 1 else {DECISION: " or ".join(design.grades[step:])}
        cells = _cells(graded, design, label)
        scopes = [None, *np.unique(cells.unit)] if design.unit is not None else [None]
        variances = {arm: _variance(cells, arm) for arm in design.arms}
        for scope in scopes:
            chosen = np.full(cells.unit.size, fill_value=True) if scope is None else cells.unit == scope
            study = _Scope(cells=cells, design=design, scope=scope, chosen=chosen, variances=variances)
            findings += [*study.differences(), *study.floors(), *study.spreads()]
        if design.unit is not None and len(scopes) > 2:
            findings += _league(cells, design, variances)
    return [*_in_families(findings), *in_families(list(_missing(rows, design)))]


def _in_families(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings with corrected claims; a placebo's count as many comparisons as there are of arms."""
    sizes = Counter(finding.claim.family for finding in findings if finding.claim and finding.claim.p is not None)
    arms = {FAMILIES["placebo"]: PLANNED, FAMILIES["placebo of unit"]: FAMILIES["unit"]}
    return in_families(findings, unseen={own: [1.0] * (sizes[of] - sizes[own]) for own, of in arms.items()})


def _cells(rows: pl.DataFrame, design: StudyDesign, label: Mapping[str, str]) -> _Cells:
    items = ["unit", *(f"item_{place}" for place in range(len(design.clusters)))]
    columns = ["arm", "level", "name"]
    score = pl.col("score")
    cells = (
        rows.drop_nulls("score")
        .group_by(*items, *columns)
        .agg(score.mean().alias("mean"), pl.len().alias("n"), ((score - score.mean()) ** 2).sum().alias("squares"))
    )
    item, column = cells.select(items).unique().sort(items), cells.select(columns).unique().sort(columns)
    placed = cells.join(item.with_row_index("item"), on=items).join(column.with_row_index("column"), on=columns)
    arrays = {name: np.full((item.height, column.height), np.nan) for name in ("mean", "n", "squares")}
    arrays["n"][:] = 0
    for name, array in arrays.items():
        array[placed["item"].to_numpy(), placed["column"].to_numpy()] = placed[name].to_numpy()
    ways = tuple(item[name].rank("dense").cast(pl.Int64).to_numpy() - 1 for name in items[1:])
    return _Cells(unit=item["unit"].to_numpy(), ways=ways, columns=tuple(column.rows()), slice=label, **arrays)


def _variance(cells: _Cells, arm: str) -> stats.LevelVariance:
    """Return each item's variance between the levels of an arm beyond noise: that of names, or else of scores."""
    levels = dict.fromkeys(level for own, level, _ in cells.columns if own == arm)
    parts = [cells.of(arm, level) for level in levels]
    if max(len(part) for part in parts) > 1:
        mean = np.stack([cells.level(arm, level) for level in levels], axis=1)
        n = np.stack([np.isfinite(cells.mean[:, part]).sum(axis=1) for part in parts], axis=1)
        apart = [np.nansum((cells.mean[:, part] - mean[:, [k]]) ** 2, axis=1) for k, part in enumerate(parts)]
        found = stats.level_variance(mean, n, np.stack(apart, axis=1))
    else:
        part = cells.of(arm)
        found = stats.level_variance(cells.mean[:, part], cells.n[:, part], cells.squares[:, part])
    dust = np.abs(found.variance) <= EQUAL_WITHIN * np.nanmax(cells.mean**2)  # means of equals round
    return replace(found, variance=np.where(dust, 0.0, found.variance))


def _noise(variances: Iterable[stats.LevelVariance], chosen: NDArray[np.bool_]) -> float | None:
    """Return the standard deviation of noise, pooled over some items and arms; None where it is not known."""
    known = [(np.nansum((arm.noise * arm.df)[chosen]), arm.df[chosen].sum()) for arm in variances]
    df = sum(part for _, part in known)
    return float((sum(squares for squares, _ in known) / df) ** 0.5) if df else None


def _why_no_variance(cells: _Cells, *sides: Sequence[str]) -> str:
    """Return why no item tells how far the levels of arms differ; an arm of each side is needed."""
    for side in sides:
        if all(len({level for own, level, _ in cells.columns if own == arm}) < 2 for arm in side):
            return f"Only one level of {' and '.join(side)} has scores, and a variance between levels needs two."
    if not any((cells.n[:, cells.of(arm)] > 1).any() for side in sides for arm in side):
        return NO_NOISE
    return f"No item has several scores under two levels of {' and '.join(arm for side in sides for arm in side)}."


@dataclass(frozen=True, kw_only=True)
class _Clustered:
    """Values of items averaged in clusters, and the code of each way."""

    values: Floats
    codes: tuple[Ints, ...]
    place: Ints

    def mean_of(self, values: Floats) -> Floats:
        """Return the means of other values of the same items, NaN where a cluster has none."""
        known = np.isfinite(values)
        n = np.bincount(self.place[known], minlength=self.values.size)
        total = np.bincount(self.place[known], weights=values[known], minlength=self.values.size)
        return np.where(n > 0, total / np.maximum(n, 1), np.nan)

    def moments(self, other: Floats) -> tuple[float, float, float]:
        """Return the variances of the means over clusters of the values and of others, and their covariance."""
        own, others, apart = (
            float(_jackknife(values, self.codes).variance or 0.0)
            for values in (self.values, other, self.values - other)
        )
        return own, others, (own + others - apart) / 2


def _clustered(cells: _Cells, values: Floats, chosen: NDArray[np.bool_]) -> _Clustered:
    known = np.flatnonzero(chosen & np.isfinite(values))
    ways = np.stack([way[known] for way in cells.ways], axis=1)
    unique, place = np.unique(ways, axis=0, return_inverse=True)
    place = place.reshape(-1)
    n = np.bincount(place, minlength=len(unique))
    means = np.bincount(place, weights=values[known], minlength=len(unique)) / np.maximum(n, 1)
    codes = tuple(np.unique(column, return_inverse=True)[1] for column in unique.T)
    return _Clustered(values=means, codes=codes, place=place)


def _jackknife(values: Floats, codes: tuple[Ints, ...]) -> stats.ClusterVariance:
    both = [codes[0] * (int(codes[1].max()) + 1) + codes[1]] if len(codes) == 2 else []
    return stats.jackknife_variance([left_out_means(values, code) for code in (*codes, *both)])


def _primary(
    clustered: _Clustered,
    labels: Sequence[str],
    *,
    confidence: float,
    margin: float | None = None,
    names: tuple[Floats, Floats] | None = None,
    of: str = "difference",
) -> Primary:
    """Return the mean over clusters with its interval; `names` are the scores under each name, of both groups."""
    values, codes = clustered.values, clustered.codes
    if not values.size:
        return Primary(estimate=None, reason="No item has scores on both sides.")
    estimate, largest = float(values.mean()), float(np.abs(values).max())
    counts = {label: int(np.unique(code).size) for label, code in zip(labels, codes, strict=True)}
    named = None if names is None else stats.name_variance(*names)
    if named is not None and named.dfs:
        counts["name"] = min(side.shape[1] for side in names or () if side.shape[1] > 1)
    few = min(counts, key=lambda label: counts[label])
    if counts[few] < 2:
        return Primary(estimate=estimate, clusters=counts, reason=f"With one {few} their variation can't be estimated.")
    if np.ptp(values) <= EQUAL_WITHIN * largest and not (named and named.variance):
        return _constant(estimate, counts, few, of=of)
    clusters = _jackknife(values, codes)
    parts: list[tuple[float, float]] = [*zip(clusters.one_way, (count - 1 for count in clusters.clusters), strict=True)]
    variance = float(clusters.variance or 0.0)
    fewest = min(df for _, df in parts)
    if named is not None and named.variance:
        parts.append((named.variance, named.df))
        fewest = min(fewest, *named.dfs)
        variance = max(variance + named.variance - named.shared, variance, named.variance)
    total = sum(part for part, _ in parts)
    df = float(fewest) if fewest < stats.FEW_DF or not total else total / sum(part / df for part, df in parts)
    limits = stats.t_interval(estimate, variance, df, confidence=confidence)
    primary = Primary(
        **copied(limits, "estimate low high t p reason"),
        df=None if limits.t is None else df,
        clusters=counts,
        method=f"t over {' × '.join(counts)}",
        detectable=None if limits.t is None else _detectable(limits.standard_error, df),
    )
    return with_equivalence(primary, variance, df, margin=margin, confidence=confidence)


def _detectable(standard_error: float, df: float) -> float | None:
    """Return the difference that is found in 4 of 5 samples, where degrees of freedom are few."""
    return stats.detectable_difference(standard_error, df=df).estimate if df < stats.FEW_DF else None


def _constant(estimate: float, counts: Mapping[str, int], few: str, *, of: str) -> Primary:
    """Return what all clusters have: signs of whole clusters give it a p, if there are enough of them."""
    enough = counts[few] >= FEWEST_LEVELS
    judged = not estimate or enough
    return Primary(
        estimate=estimate,
        p=None if not judged else 2.0 ** (1 - counts[few]) if estimate else 1.0,
        clusters=counts,
        method="sign flip of whole clusters" if judged else "none",
        constant=judged,
        certain=judged and enough,
        reason=f"The {of} is {'the same' if estimate else '0'} in {number_of(counts[few], few)}, so there is no spread "
        "to make an interval of.",
    )


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """What is said of differences over all units, or of the one of `scope`."""

    design: StudyDesign
    scope: str | None

    @property
    def labels(self) -> Mapping[str, str]:
        """What restricts the scores besides the unit."""
        return {}

    def pairs(self) -> Iterator[tuple[tuple[str, str], tuple[str, str | None]]]:
        """Yield each arm and level with what it is compared with."""
        for arm, levels in self.design.arms.items():
            reference = self.design.references.get(arm)
            other = arm if reference is not None else self.design.baseline
            for level in levels:
                if other is not None and arm != self.design.baseline and level != reference:
                    yield (arm, level), (other, reference)

    def common(self, measure: str, *parts: str) -> dict[str, Any]:
        """Return name, measure, slice and confidence of a finding."""
        scope = {} if self.scope is None or self.design.unit is None else {self.design.unit: str(self.scope)}
        names = [*self.labels.values(), *scope.values(), *parts, measure]
        return {
            "name": "_".join("_".join(part.split()) for part in names if part),
            "measure": measure,
            "slice": {**scope, **self.labels},
            "confidence": self.design.confidence,
        }

    @property
    def measured_in(self) -> str:
        """The unit of a difference."""
        return "share" if self.design.grades else "points"

    def finding(
        self,
        primary: Primary,
        focal: tuple[str, str],
        reference: tuple[str, str | None],
        *,
        margin: float | None,
        items: int,
        n: tuple[int, int],
        units: int,
    ) -> Finding:
        """Return the difference of a level from its reference as a finding.

        Without scores on both sides its `n` is no size of a group, which a gate could take for a small one.
        """
        placebo = focal[0] in self.design.placebo
        planned = self.scope is None and not placebo
        family = (
            f"{'placebo' if placebo else ''}{' of ' if placebo and self.scope else ''}{'unit' if self.scope else ''}"
        )
        if self.design.grades and primary.low is not None and primary.high is not None:
            primary = replace(primary, low=max(primary.low, -1.0), high=min(primary.high, 1.0))
        test = primary.method if primary.p is not None else "t test"
        unknown = primary.reason if primary.p is None else None
        tests = [Test(name=test, statistic=primary.t, p=primary.p, reason=unknown)]
        if primary.p_equivalence is not None:
            tests.append(Test(name=EQUIVALENCE, statistic=primary.estimate, p=primary.p_equivalence))
        against = {ARM: reference[0]} | ({} if reference[1] is None else {LEVEL: reference[1]})
        measure = f"{measures.DIFFERENCE}{measures.SELECTION_RATE}" if self.design.grades else measures.SCORE_DIFFERENCE
        return Finding(
            **self.common(measure, *focal, reference[1] if reference[1] is not None else reference[0]),
            focal={ARM: focal[0], LEVEL: focal[1]},
            reference=against,
            role="planned" if planned else "descriptive" if placebo else "exploratory",
            **copied(primary, "estimate low high method"),
            measured_in=self.measured_in,
            null_value=0.0,
            n=items,
            clusters=dict(primary.clusters),
            tests=tuple(tests),
            claim=uncorrected(
                tests[0],
                planned=planned,
                family=FAMILIES.get(family, PLANNED),
                correction=HOLM if self.scope is None else None,
                df=primary.df,
                n=n if items else (None, None),
                equivalent=primary.is_equivalent(margin=margin),
                reason=primary.reason,
                caution=_caution(primary, self.measured_in),
            ),
            reason=primary.reason,
            details=LevelDifference(
                margin=margin,
                equivalence_interval=primary.equivalence if margin is not None else None,
                p_equivalence=primary.p_equivalence,
                units=units,
            ),
        )

    def margin(self, sd: float | None) -> float | None:
        """Return the margin in units of scores, which have this standard deviation as the reference."""
        margin = self.design.margin
        if margin is None or sd is None:
            return None
        if self.design.grades and not margin.in_sd and margin.value >= 1:
            raise InputError(
                f"{option_text('margin')} is {margin.value:g}; of decisions give a difference of shares, such as 0.05."
            )
        return margin.of(sd)


@dataclass(frozen=True, kw_only=True)
class _Scope(_Compared):
    """The items of all units, or of one."""

    cells: _Cells
    chosen: NDArray[np.bool_]
    variances: Mapping[str, stats.LevelVariance]

    @property
    def labels(self) -> Mapping[str, str]:
        """The decision that is counted."""
        return self.cells.slice

    def scores(self, columns: Ints, items: NDArray[np.bool_]) -> int:
        """Return how many scores some columns of some items have."""
        return int(self.cells.n[np.ix_(items, columns)].sum())

    def differences(self) -> Iterator[Finding]:
        """Yield the difference of each level from its reference."""
        return (self._difference(*pair) for pair in self.pairs())

    def _difference(self, focal: tuple[str, str], reference: tuple[str, str | None]) -> Finding:
        cells, design = self.cells, self.design
        sides = cells.level(*focal), cells.level(*reference)
        both = self.chosen & np.isfinite(sides[0]) & np.isfinite(sides[1])
        difference = sides[0] - sides[1]
        difference[np.abs(difference) <= EQUAL_WITHIN * np.nanmax(np.abs(cells.mean))] = 0.0  # means of equals round
        clustered = _clustered(cells, difference, both)
        columns = cells.of(*focal), cells.of(*reference)
        known = sides[1][both]
        margin = self.margin(float(known.std(ddof=1)) if known.size > 1 else 0.0 if known.size else None)
        primary = _primary(
            clustered,
            design.clusters,
            margin=margin,
            confidence=design.confidence,
            names=self._names(columns, clustered, both),
        )
        return self.finding(
            primary,
            focal,
            reference,
            margin=margin,
            items=int(both.sum()),
            n=(self.scores(columns[0], both), self.scores(columns[1], both)),
            units=int(np.unique(cells.unit[both]).size),
        )

    def _names(
        self, columns: tuple[Ints, Ints], clustered: _Clustered, both: NDArray[np.bool_]
    ) -> tuple[Floats, Floats] | None:
        """Return the mean of each cluster under each name, of both sides; None where neither has several."""
        sides = [by_key(lambda column: self.cells.columns[column][2], side.tolist()) for side in columns]
        if max(map(len, sides)) < 2:
            return None
        means = [
            [clustered.mean_of(_row_means(self.cells.mean[np.ix_(both, own)])) for own in side.values()]
            for side in sides
        ]
        focal, reference = (np.stack([name for name in side if np.isfinite(name).any()], axis=1) for side in means)
        return focal, reference

    def _placebo(self) -> Floats:
        """Return the mean variance of each item over the placebo arms."""
        if not self.design.placebo:
            return np.full(self.cells.unit.size, np.nan)
        return _row_means(np.stack([self.variances[arm].variance for arm in self.design.placebo], axis=1))

    def floors(self) -> Iterator[Finding]:
        """Yield the variance between levels of each arm over that of the placebo."""
        placebo = self._placebo()
        if not self.design.placebo:
            return
        for arm, levels in self.design.arms.items():
            if arm not in self.design.placebo and arm != self.design.baseline and len(levels) > 1:
                both = self.chosen & np.isfinite(self.variances[arm].variance) & np.isfinite(placebo)
                if both.any() or self.scope is None:
                    yield self._floor(arm, placebo, both)

    def _floor(self, arm: str, placebo: Floats, both: NDArray[np.bool_]) -> Finding:
        design, cells = self.design, self.cells
        clustered = _clustered(cells, self.variances[arm].variance, both)
        others = clustered.mean_of(placebo[both])
        apart = replace(clustered, values=clustered.values - others)
        tested = _primary(apart, design.clusters, confidence=design.confidence, of="difference of the variances")
        ratio = stats.RatioOfMeans(reason=tested.reason)
        mean = mean_placebo = None
        reason = tested.reason
        if both.any():
            mean, mean_placebo = float(clustered.values.mean()), float(others.mean())
            if tested.df is not None:
                moments = clustered.moments(others)
                ratio = stats.ratio_of_means(mean, mean_placebo, moments, tested.df, confidence=design.confidence)
            elif mean_placebo > 0:
                ratio = replace(ratio, estimate=max(mean / mean_placebo, 0.0))
            if tested.p is not None:
                reason = ratio.reason if mean_placebo > 0 else NO_RATIO
        else:
            reason = _why_no_variance(cells, (arm,), design.placebo)
        test = _test_of_variance(tested, "variances", design, reason)
        return Finding(
            **self.common(measures.FLOOR_RATIO, arm),
            focal={ARM: arm},
            reference={ARM: " and ".join(design.placebo)},
            role="planned" if self.scope is None else "exploratory",
            **copied(ratio, "estimate low high"),
            measured_in="ratio",
            null_value=1.0,
            n=int(both.sum()),
            clusters=dict(tested.clusters),
            method=f"Fieller, {' × '.join(design.clusters)}",
            tests=(test,),
            claim=uncorrected(
                test,
                planned=self.scope is None,
                family=FAMILIES["floor of unit"],
                df=tested.df,
                n=(
                    self.scores(cells.of(arm), both),
                    sum(self.scores(cells.of(own), both) for own in design.placebo),
                )
                if both.any()
                else (None, None),
                reason=reason,
            ),
            reason=reason,
            details=NoiseFloor(
                measured_in=self.measured_in,
                variance=mean,
                variance_placebo=mean_placebo,
                units=int(np.unique(cells.unit[both]).size),
            ),
        )

    def spreads(self) -> Iterator[Finding]:
        """Yield the standard deviation between the levels of each arm, beyond noise."""
        for arm, levels in self.design.arms.items():
            if arm != self.design.baseline and len(levels) > 1:
                chosen = self.chosen & np.isfinite(self.variances[arm].variance)
                if chosen.any() or self.scope is None:
                    yield self.spread((arm,), {ARM: arm}, chosen, levels=len(levels))

    def spread(
        self, arms: Sequence[str], focal: Mapping[str, str], chosen: NDArray[np.bool_], **details: Any
    ) -> Finding:
        """Return the standard deviation between the levels of arms beyond noise, of some items."""
        variances = [self.variances[arm] for arm in arms]
        variance = _row_means(np.stack([own.variance for own in variances], axis=1))
        primary = _primary(
            _clustered(self.cells, variance, chosen),
            self.design.clusters,
            confidence=self.design.confidence,
            of="variance",
        )
        reason = primary.reason if chosen.any() else _why_no_variance(self.cells, arms)
        test = _test_of_variance(primary, "variance", self.design, reason)
        columns = np.concatenate([self.cells.of(arm) for arm in arms])
        return Finding(
            **self.common(measures.LEVEL_SD, *focal.values()),
            focal=dict(focal),
            role="descriptive",
            estimate=_root(primary.estimate),
            low=_root(primary.low),
            high=_root(primary.high),
            measured_in=self.measured_in,
            null_value=0.0,
            n=int(chosen.sum()),
            clusters=dict(primary.clusters),
            method=f"root of the variance beyond noise, {primary.method}",
            claim=uncorrected(
                test,
                planned=False,
                family=FAMILIES["spread"],
                df=primary.df,
                n=(self.scores(columns, chosen), None),
                reason=reason,
            ),
            tests=(test,),
            reason=reason,
            details=LevelSpread(variance=primary.estimate, noise=_noise(variances, chosen), **details),
        )


def _test_of_variance(primary: Primary, of: str, design: StudyDesign, reason: str | None) -> Test:
    name = primary.method if primary.constant else f"t test of the {of}, {' × '.join(design.clusters)}"
    return Test(name=name, statistic=primary.t, p=primary.p, reason=reason)


def _root(value: float | None) -> float | None:
    return None if value is None else max(value, 0.0) ** 0.5


def _caution(primary: Primary, unit: str) -> str | None:
    if primary.detectable is None:
        return None
    few = min(primary.clusters, key=lambda label: primary.clusters[label])
    share = unit == "share"
    detectable = f"{primary.detectable * (100 if share else 1):.3g}{' percentage' if share else ''}"
    what = f"only differences of {detectable} points or more are"
    if share and primary.detectable > 1:
        what = "no difference is"
    clusters = number_of(primary.clusters[few], few)
    return f"There are {clusters}; with so few, {what} found in 4 of 5 samples by a test alone."


def _league(cells: _Cells, design: StudyDesign, variances: Mapping[str, stats.LevelVariance]) -> Iterator[Finding]:
    """Yield the units by how far all arms but placebos move their scores, with the ranks that the data allow.

    A rank's limits count the units that differ in a paired t test over clusters, corrected over all pairs (Holm).
    """
    arms = [arm for arm, own in design.arms.items() if arm not in (*design.placebo, design.baseline) and len(own) > 1]
    if not arms:
        return
    variance = _row_means(np.stack([variances[arm].variance for arm in arms], axis=1))
    units = [unit for unit in np.unique(cells.unit) if np.isfinite(variance[cells.unit == unit]).any()]
    means = {unit: _clustered(cells, variance, cells.unit == unit).values.mean() for unit in units}
    pairs = list(combinations(units, 2))
    tested = [_apart(cells, variance, pair, design) for pair in pairs]
    p = stats.holm(tested).p if tested else np.zeros(0)
    larger: Counter[str] = Counter()
    smaller: Counter[str] = Counter()
    for pair, value in zip(pairs, p.tolist(), strict=True):
        if value < SIGNIFICANT:
            low, high = sorted(pair, key=lambda unit: means[unit])
            larger[low] += 1
            smaller[high] += 1
    ordered = sorted(units, key=lambda unit: -means[unit])
    for rank, unit in enumerate(ordered, start=1):
        scope = _Scope(cells=cells, design=design, scope=unit, chosen=cells.unit == unit, variances=variances)
        chosen = scope.chosen & np.isfinite(variance)
        yield scope.spread(arms, {}, chosen, rank=rank, ranks=(1 + larger[unit], len(units) - smaller[unit]))


def _apart(cells: _Cells, variance: Floats, pair: tuple[str, str], design: StudyDesign) -> float | None:
    """Return the p of a difference between two units' variances, paired by clusters."""
    rows = np.flatnonzero(np.isin(cells.unit, pair) & np.isfinite(variance))
    _, place, n = np.unique(np.stack(cells.ways, axis=1)[rows], axis=0, return_inverse=True, return_counts=True)
    chosen = np.zeros(cells.unit.size, np.bool_)
    chosen[rows[n[place.reshape(-1)] == len(pair)]] = True
    signed = np.where(cells.unit == pair[0], variance, -variance)
    return _primary(_clustered(cells, signed, chosen), design.clusters, confidence=design.confidence).p


def _missing(rows: pl.DataFrame, design: StudyDesign) -> Iterator[Finding]:
    """Yield the share of rows without a score: overall, and in each arm, with its difference from other arms tested.

    Of one arm that is of each level. The test counts a cell without a row as a row without a score, save in arms (or
    levels) that a unit has no row of.
    """
    items = [f"item_{place}" for place in range(len(design.clusters))]
    by = ARM if len(design.arms) > 1 else LEVEL
    groups = tuple(design.arms) if len(design.arms) > 1 else next(iter(design.arms.values()))
    keys, level = ["unit", *items, by], pl.col("level")
    counts = rows.group_by(keys).agg(
        pl.len().alias("rows"),
        pl.col("score").null_count().alias("missing"),
        level.n_unique().alias("present"),
        level.filter(pl.col("score").is_not_null()).n_unique().alias("scored"),
    )
    levels = rows.group_by(by).agg(level.n_unique().cast(pl.Int64).alias("levels"))
    cells = rows.select("unit", *items).unique().join(levels, how="cross").join(counts, on=keys, how="left")
    cells = cells.with_columns(pl.col("rows", "missing", "present", "scored").fill_null(0).cast(pl.Int64))
    given = pl.col("rows").sum().over("unit", by) > 0
    cells = cells.with_columns(
        absent=pl.col("levels") - pl.col("scored"),
        without_row=pl.when(given).then(pl.col("levels") - pl.col("present")).otherwise(0),
    )
    lacks = int((cells["missing"] + cells["without_row"]).sum()) > 0
    for group in (None, *groups):
        own = cells if group is None else cells.filter(pl.col(by) == group)
        by_unit = own.group_by("unit").agg(pl.col("missing", "absent").sum()).sort("unit")
        total = {name: int(own[name].sum()) for name in ("rows", "missing", "absent", "without_row")}
        yield Finding(
            name="_".join([*(group or "").split(), measures.UNDETECTED_ATTEMPTS]),
            measure=measures.UNDETECTED_ATTEMPTS,
            slice={} if group is None else {by: group},
            role="descriptive",
            estimate=total["missing"] / total["rows"],
            confidence=design.confidence,
            n=total.pop("rows"),
            clusters={},
            method="counted",
            claim=_missing_claim(cells, pl.col(by) == group, items, design) if lacks and group is not None else None,
            details=MissingScores(
                **total,
                by_unit={unit: n for unit, n, _ in by_unit.iter_rows() if n},
                absent_by_unit={unit: n for unit, _, n in by_unit.iter_rows() if n},
            ),
        )


def _missing_claim(cells: pl.DataFrame, own_rows: pl.Expr, items: Sequence[str], design: StudyDesign) -> Claim:
    """Return the claim that some rows lack scores more or less often than the others, by cluster."""
    counts = (
        cells.group_by(*items, own_rows.cast(pl.Int64).alias("own"))
        .agg(*(pl.sum_horizontal(name, "without_row").sum() for name in ("missing", "rows")))
        .filter(pl.col("rows") > 0)
    )
    codes = [counts[name].rank("dense").cast(pl.Int64).to_numpy() - 1 for name in items]
    own, lacking, n = (counts[name].to_numpy() for name in ("own", "missing", "rows"))
    compared = stats.compare_clusters(np.zeros(own.size, np.int64), own, lacking, n, codes, binary=True)
    p, reason = float(compared.p[0]), str(compared.reason[0])
    test = Test(
        name=f"{compared.test[0]}, {' × '.join(design.clusters)}",
        statistic=None if np.isnan(compared.t[0]) else float(compared.t[0]),
        p=None if np.isnan(p) else p,
    )
    n_own = int(n[own == 1].sum())
    return uncorrected(
        test,
        planned=False,
        family=FAMILIES["missing"],
        df=None if np.isnan(compared.df[0]) else float(compared.df[0]),
        n=(n_own, int(n.sum()) - n_own),
        reason=reason or None,
    )


def summary_findings(rows: pl.DataFrame, design: StudyDesign) -> list[Finding]:
    """Return the differences of a table whose rows are many scores: `arm, level, name, unit, score, sd, n`.

    A row's scores are taken as independent: Welch's t of each unit, and over units, which are fixed, the mean of their
    differences with the degrees of freedom of Satterthwaite. Where several rows of a level have names, names vary
    instead: Welch's t of names' means.
    """
    scopes = [None, *sorted(rows["unit"].unique())] if design.unit is not None else [None]
    findings = []
    for scope in scopes:
        of_scope = rows if scope is None else rows.filter(pl.col("unit") == scope)
        compared = _Compared(design=design, scope=scope)
        findings += [_summarised(compared, of_scope, *pair) for pair in compared.pairs()]
    return _in_families(findings)


def _summarised(
    compared: _Compared, rows: pl.DataFrame, focal: tuple[str, str], reference: tuple[str, str | None]
) -> Finding:
    arm, level = reference
    of_level = (pl.col("level") == level) if level is not None else pl.lit(value=True)
    sides = [
        rows.filter((pl.col("arm") == focal[0]) & (pl.col("level") == focal[1])),
        rows.filter((pl.col("arm") == arm) & of_level),
    ]
    common = set(sides[0]["unit"]) & set(sides[1]["unit"])
    matched = [side.filter(pl.col("unit").is_in(common)) for side in sides]
    df, sd = matched[1]["n"].to_numpy() - 1, matched[1]["sd"].to_numpy()
    margin = compared.margin(float(((df * sd**2).sum() / max(df.sum(), 1)) ** 0.5) if common else None)
    n_focal, n_reference = (int(side["n"].sum()) for side in matched)
    apart = Primary(estimate=None, reason=f"No {compared.design.unit} has rows of both.")
    return compared.finding(
        apart if not common else _welch(matched, margin=margin, confidence=compared.design.confidence),
        focal,
        reference,
        margin=margin,
        items=n_focal + n_reference,
        n=(n_focal, n_reference),
        units=len(common),
    )


def _welch(sides: Sequence[pl.DataFrame], *, margin: float | None, confidence: float) -> Primary:
    """Return the difference of two groups of rows: over names where both have some, else of rows' scores."""
    parts = [_parts_of_variance(side) for side in sides]
    means = [float(side.group_by("unit").agg(pl.col("score").mean())["score"].mean()) for side in sides]  # type: ignore[arg-type]
    estimate, every = means[0] - means[1], np.concatenate([part for part, _ in parts])
    dfs = np.concatenate([df for _, df in parts])
    named = [side["name"].n_unique() for side in sides if side["name"].n_unique() > 1]
    clusters = {"name": min(named)} if named else {}
    if (dfs < 1).any() or not every.sum():
        few = "name of a group" if named else "score in a row"
        reason = f"With one {few} their variation can't be estimated." if (dfs < 1).any() else "No score varies."
        return Primary(estimate=estimate, clusters=clusters, reason=reason)
    variance, df = float(every.sum()), float(every.sum() ** 2 / (every**2 / dfs).sum())
    limits = stats.t_interval(estimate, variance, df, confidence=confidence)
    primary = Primary(
        **copied(limits, "estimate low high t df p"),
        clusters=clusters,
        method="Welch's t of names" if named else "Welch's t of summaries",
        detectable=_detectable(limits.standard_error, df) if named else None,
    )
    return with_equivalence(primary, variance, df, margin=margin, confidence=confidence)


def _parts_of_variance(side: pl.DataFrame) -> tuple[Floats, Floats]:
    """Return the parts of the variance of a side's mean over units, and the degrees of freedom of each."""
    if side["name"].n_unique() > 1:
        names = side.group_by("name").agg(pl.col("score").mean())["score"].to_numpy()
        return np.array([names.var(ddof=1) / names.size]), np.array([names.size - 1.0])
    by_unit = side.with_columns(
        part=pl.col("sd") ** 2 / pl.col("n") / (pl.len().over("unit") * pl.col("unit").n_unique()) ** 2
    )
    return by_unit["part"].to_numpy(), by_unit["n"].to_numpy() - 1.0
