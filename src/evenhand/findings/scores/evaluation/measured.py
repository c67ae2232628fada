"""What is measured of one group: ranking, errors, calibration, each with its interval."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from evenhand.findings.scores.evaluation.judged import Flags, Floats, Judged
from evenhand.stats import (
    Brier,
    CalibrationTerm,
    auc,
    brier,
    calibration,
    clustered_rate,
    error_balance,
    f1_score,
    multiway_variance,
    selection_rate,
    t_interval,
)
from evenhand.tables.audit.applicants.predictions import ClassCounts, Probabilities, ReliabilityBin, Trials
from evenhand.tables.details import Details
from evenhand.tables.grouped.names import (
    ACCURACY,
    AUC,
    BASE_RATE,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    F1,
    FNR,
    FPR,
    PRECISION,
    SELECTION_RATE,
    TNR,
    TPR,
    TREATMENT_EQUALITY,
)

__all__ = ["RATES", "Measured", "Rate", "measured"]


@dataclass(frozen=True, kw_only=True)
class Rate:
    """A share of people: of whom, and who of them; both of outcome and decision.

    `told` makes the measure of the share, and `slope` is its derivative. With `same_people` it is a share of the same
    people in every version. `nobody` says why it is null.
    """

    of: Callable[[Flags, Flags], Flags]
    hit: Callable[[Flags, Flags], Flags]
    nobody: str
    same_people: bool = True
    told: Callable[[float], float] = lambda share: share
    slope: Callable[[float], float] = lambda _share: 1.0


def _everybody(label: Flags, _selected: Flags) -> Flags:
    return np.ones(label.shape, dtype=np.bool_)


NO_POSITIVE = "Nobody in the group has the outcome."
NO_NEGATIVE = "Everybody in the group has the outcome."
RATES: Final[Mapping[str, Rate]] = {
    SELECTION_RATE: Rate(of=_everybody, hit=lambda _y, s: s, nobody="The group has nobody in it."),
    ACCURACY: Rate(of=_everybody, hit=lambda y, s: y == s, nobody="The group has nobody in it."),
    TPR: Rate(of=lambda y, _s: y, hit=lambda _y, s: s, nobody=NO_POSITIVE),
    FNR: Rate(of=lambda y, _s: y, hit=lambda _y, s: ~s, nobody=NO_POSITIVE),
    TNR: Rate(of=lambda y, _s: ~y, hit=lambda _y, s: ~s, nobody=NO_NEGATIVE),
    FPR: Rate(of=lambda y, _s: ~y, hit=lambda _y, s: s, nobody=NO_NEGATIVE),
    PRECISION: Rate(
        of=lambda _y, s: s, hit=lambda y, _s: y, nobody="Nobody in the group was selected.", same_people=False
    ),
    F1: Rate(
        of=lambda y, s: y | s,
        hit=lambda y, s: y & s,
        nobody="Nobody in the group was selected or has the outcome.",
        same_people=False,
        told=lambda share: 2 * share / (1 + share),
        slope=lambda share: 2 / (1 + share) ** 2,
    ),
    TREATMENT_EQUALITY: Rate(
        of=lambda y, s: y != s,
        hit=lambda y, _s: y,
        nobody="There is no false positive, so the ratio has no denominator.",
        same_people=False,
        told=lambda share: share / (1 - share),
        slope=lambda share: 1 / (1 - share) ** 2,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One measure of one group. `hits` of `of` are a rate's counts; `influence` has that of each person of a row."""

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


def measured(judged: Judged, *, probabilities: bool, influences: bool, confidence: float) -> dict[str, Measured]:
    """Return all measures of some people by their names; with `influences` what versions and clusters need."""
    found = [_auc(judged, confidence), _base_rate(judged, confidence)]
    if judged.selected is not None:
        found += [_rate(name, judged, influences=influences, confidence=confidence) for name in RATES]
    if probabilities:
        found += _of_probabilities(judged, confidence)
    return {each.measure: each for each in found}


def _auc(judged: Judged, confidence: float) -> Measured:
    found = auc(judged.score, judged.label, n=judged.n, cluster=judged.cluster, confidence=confidence)
    return Measured(
        measure=AUC,
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        variance=None if found.standard_error is None else found.standard_error**2,
        n=judged.people,
        clusters=found.clusters,
        method=found.method,
        reason=found.reason,
        influence=found.influence,
        details=ClassCounts(
            positives=found.n_positive, negatives=found.n_negative, standard_error=found.standard_error
        ),
    )


def _base_rate(judged: Judged, confidence: float) -> Measured:
    """Return the share with the outcome, which is known without a decision."""
    rate = Rate(of=_everybody, hit=lambda y, _s: y, nobody="The group has nobody in it.")
    return _share(BASE_RATE, rate, judged, judged.label, influences=False, confidence=confidence)


def _rate(name: str, judged: Judged, *, influences: bool, confidence: float) -> Measured:
    assert judged.selected is not None
    return _share(name, RATES[name], judged, judged.selected, influences=influences, confidence=confidence)


def _share(name: str, rate: Rate, judged: Judged, selected: Flags, *, influences: bool, confidence: float) -> Measured:
    of = rate.of(judged.label, selected)
    hit = of & rate.hit(judged.label, selected)
    size, hits = int(judged.n[of].sum()), int(judged.n[hit].sum())
    details = Trials(successes=hits, trials=size)
    known = size > 0 and not (name == TREATMENT_EQUALITY and hits == size)
    if not known:
        return Measured(
            measure=name, estimate=None, n=judged.people, hits=hits, of=size, method="Wilson score",
            reason=rate.nobody, details=details,
        )  # fmt: skip
    share = hits / size
    estimate = float(rate.told(share))
    influence = None
    if influences or judged.cluster is not None:
        influence = np.where(of, hit - share, 0.0) / size * rate.slope(share)
    low, high, clusters, reason, method = _limits(name, hits, size, judged, of, hit, confidence)
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


def _variance(influence: Floats | None, judged: Judged, share: float, size: int, rate: Rate) -> float | None:
    if judged.cluster is None or influence is None:
        return share * (1 - share) / size * rate.slope(share) ** 2
    found = multiway_variance(judged.n * influence, [judged.cluster]).variance
    return None if found is None else float(found)


def _limits(  # noqa: PLR0917 - a rate, its counts and its rows
    name: str, hits: int, size: int, judged: Judged, of: Flags, hit: Flags, confidence: float
) -> tuple[float | None, float | None, int | None, str | None, str]:
    """Return the limits of a rate: Wilson's, of independent people or on their effective number."""
    if judged.cluster is None:
        wilson: Any = selection_rate(hits, size, confidence=confidence)
        if name == F1:
            wilson = f1_score(hits, size - hits, 0, confidence=confidence)
        elif name == TREATMENT_EQUALITY:
            wilson = error_balance(hits, size - hits, confidence=confidence)
        return wilson.low, wilson.high, None, wilson.reason, wilson.method
    codes = judged.cluster[of]
    share = hits / size
    names, place = np.unique(codes, return_inverse=True)
    clusters = int(names.size)
    if clusters < 2:
        return None, None, clusters, "There is one cluster, which tells nothing of the spread.", "clustered"
    influence = judged.n[of] * (hit[of] - share) / size
    variance = multiway_variance(influence, [place]).variance
    largest = float(np.abs(np.bincount(place, influence)).max())
    found = clustered_rate(share, variance, clusters, largest=largest, confidence=confidence)
    told = RATES[name].told if name in RATES else (lambda value: value)
    with np.errstate(divide="ignore"):
        low, high = (None if end is None else float(told(np.float64(end))) for end in (found.low, found.high))
    if high is not None and not np.isfinite(high):
        high = None
    return low, high, clusters, found.reason, f"{found.method}, clustered"


def _of_probabilities(judged: Judged, confidence: float) -> list[Measured]:
    """Return Brier score, calibration intercept and slope."""
    score = brier(judged.score, judged.label, n=judged.n, confidence=confidence)
    fitted = calibration(judged.score, judged.label, n=judged.n, confidence=confidence)
    details = Probabilities(
        reliability=score.reliability,
        resolution=score.resolution,
        uncertainty=score.uncertainty,
        within_bins=score.within,
        bins=tuple(ReliabilityBin(**vars(each)) for each in score.bins),
    )
    terms = {CALIBRATION_INTERCEPT: fitted.intercept, CALIBRATION_SLOPE: fitted.slope}
    return [
        _errors_clustered(BRIER, score, judged, score.method, details, confidence),
        *(_errors_clustered(name, each, judged, fitted.method, Details(), confidence) for name, each in terms.items()),
    ]


def _errors_clustered(  # noqa: PLR0917 - a result, its rows and how it is told
    name: str, found: Brier | CalibrationTerm, judged: Judged, method: str, details: Details, confidence: float
) -> Measured:
    """Return a result as measured; with clusters its errors are those of clusters."""
    plain = Measured(
        measure=name,
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        variance=None if found.standard_error is None else found.standard_error**2,
        n=judged.people,
        method=method,
        reason=found.reason,
        influence=found.influence,
        details=details,
    )
    if judged.cluster is None or found.estimate is None:
        return plain
    clustered = multiway_variance(judged.n * found.influence, [judged.cluster])
    interval = t_interval(found.estimate, clustered.variance, clustered.df, confidence=confidence)
    return replace(
        plain,
        low=interval.low,
        high=interval.high,
        variance=clustered.variance,
        clusters=clustered.clusters[0],
        method=clustered.method,
        reason=plain.reason or interval.reason,
    )
