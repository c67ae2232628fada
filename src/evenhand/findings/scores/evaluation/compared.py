"""Groups held against each other, measure by measure: whom with whom, how far apart, and is it significant."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.findings.impact.references import FLOOR_PEOPLE, HIGHEST, LARGEST, References
from evenhand.findings.scores.evaluation.judged import Flags, Floats, Parts
from evenhand.findings.scores.evaluation.measured import RATES, Measured
from evenhand.stats import benjamini_hochberg, fisher_exact, holm, hybrid_difference, normal_p, t_p
from evenhand.tables.grouped.names import (
    AUC,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    COMPARED,
    FNR,
    FPR,
    TREATMENT_EQUALITY,
)
from evenhand.tables.messages.quoting import listed, shortened

__all__ = ["LOWER_IS_BETTER", "Choices", "Compared", "Gap", "compared", "reference_of"]

LEVEL: Final = 0.05
LOWER_IS_BETTER: Final = frozenset({FPR, FNR, BRIER})
#: The value that a measure has at its best where more is neither better nor worse.
_BEST: Final = {CALIBRATION_INTERCEPT: 0.0, CALIBRATION_SLOPE: 1.0}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How groups are compared."""

    references: References = field(default_factory=References)
    intersectional: bool = False
    min_share: float = 0.0
    confidence: float = 0.95


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A group against its reference: the difference, its interval, p; `why` where the group is not judged."""

    focal: int
    reference: int | None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    why: str | None = None


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One measure of all groups of a view: each group but the reference against it; raw p of all pairs looked at."""

    measure: str
    gaps: tuple[Gap, ...]
    pairs: Mapping[tuple[int, int], float]
    test: str
    adjustment: str | None


def reference_of(measure: str, parts: Parts, own: Sequence[Mapping[str, Measured]], choices: Choices) -> int | None:
    """Return the group that the others are held against: the named one, the largest, or that with the best value.

    By value only groups of the floor's share and people are asked, as long as there is one.
    """
    named = _named(parts, choices.references)
    if named is not None:
        return named
    values = _values(measure, own)
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
    if measure == TREATMENT_EQUALITY:  # nearest to that of the largest group
        return np.asarray(-np.abs(values - values[int(np.argmax(np.where(np.isnan(values), -1, people)))]))
    return -values if measure in LOWER_IS_BETTER else values


def _candidates(values: Floats, parts: Parts, choices: Choices) -> Flags:
    """Return which groups may be the reference of a measure."""
    people = np.array([part.people for part in parts.parts])
    known = ~np.isnan(values) & _judged(parts, choices)
    large = (people >= choices.references.floor * people.sum()) & (people >= FLOOR_PEOPLE)
    if not choices.references.floor or not (known & large).any():
        return np.asarray(known)
    return np.asarray(known & large)


def _judged(parts: Parts, choices: Choices) -> Flags:
    people = np.array([part.people for part in parts.parts])
    return np.asarray(people >= choices.min_share * people.sum())


def _values(measure: str, own: Sequence[Mapping[str, Measured]], field_name: str = "estimate") -> Floats:
    found = [getattr(each[measure], field_name) if measure in each else None for each in own]
    return np.array([np.nan if value is None else value for value in found], dtype=np.float64)


def _named(parts: Parts, references: References) -> int | None:
    """Return the group that was named for these attributes."""
    if not all(name in references.named for name in parts.attributes):
        return None

    def folded(group: Sequence[str]) -> tuple[str, ...]:
        return tuple(" ".join(part.split()).casefold() for part in group)

    wanted = folded([references.named[name] for name in parts.attributes])
    labels = [folded(group) for group in parts.groups]
    if wanted in labels:
        return labels.index(wanted)
    if len(parts.attributes) == 1 and not parts.slice:
        known = listed([group[0] for group in parts.groups]) or "none"
        label = shortened(f"{parts.attributes[0]}={references.named[parts.attributes[0]]}")
        raise InputError(
            f"--reference {label}: no group of {shortened(parts.attributes[0])} is called that; there are {known}."
        )
    return None


def compared(parts: Parts, own: Sequence[Mapping[str, Measured]], choices: Choices) -> Iterator[Compared]:
    """Yield each measure that is known, with every group against its reference.

    The family of a measure are all pairs of groups of which one may be the reference, where the best is chosen by
    looking; else those with the reference. Holm's method for one attribute, Benjamini and Hochberg's for several.
    """
    for measure in COMPARED:
        if not any(measure in each for each in own):
            continue
        reference = reference_of(measure, parts, own, choices)
        looked = _pairs(measure, parts, own, choices, reference)
        covariance = _covariances(measure, parts, own)
        raw, test = _p(measure, own, looked, covariance)
        adjust = holm if len(parts.attributes) == 1 else benjamini_hochberg
        family = adjust(raw)
        told = f"{test}, {family.method} over {family.family} pair{'' if family.family == 1 else 's'}"
        ps = dict(zip(looked, zip(raw, family.p, strict=True), strict=True))
        yield Compared(
            measure=measure,
            gaps=tuple(
                _gap(measure, group, reference, parts, own, choices, covariance, ps)
                for group in range(len(parts.groups))
                if group != reference
            ),
            pairs=dict(zip(looked, raw, strict=True)),
            test=test,
            adjustment=told if family.family else None,
        )


def _pairs(
    measure: str, parts: Parts, own: Sequence[Mapping[str, Measured]], choices: Choices, reference: int | None
) -> list[tuple[int, int]]:
    values = _values(measure, own)
    groups = [int(group) for group in np.flatnonzero(~np.isnan(values) & _judged(parts, choices))]
    if choices.references.rule == HIGHEST and _named(parts, choices.references) is None:
        may_be = _candidates(values, parts, choices)
        return [(i, j) for i, j in combinations(groups, 2) if may_be[i] or may_be[j]]
    if reference is None or np.isnan(values[reference]):
        return []
    return [(min(i, reference), max(i, reference)) for i in groups if i != reference]


def _p(
    measure: str, own: Sequence[Mapping[str, Measured]], pairs: Sequence[tuple[int, int]], covariance: Floats | None
) -> tuple[Floats, str]:
    """Return the p of each pair, and the name of the test."""
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    if measure in RATES and covariance is None:
        hits, of = (_values(measure, own, name).astype(np.int64) for name in ("hits", "of"))
        found = fisher_exact(hits[first], of[first], hits[second], of[second]).p if pairs else np.zeros(0)
        return np.asarray(found), "Fisher exact"
    values, variances = _values(measure, own), _values(measure, own, "variance")
    shared = 0.0 if covariance is None else covariance[first, second]
    with np.errstate(divide="ignore", invalid="ignore"):
        if measure == AUC:  # on the log odds, as its interval: near 1 the plain difference is far from normal
            slopes = 1 / (values * (1 - values))
            values, variances = np.log(values / (1 - values)), variances * slopes**2
            shared = shared * slopes[first] * slopes[second]
        spread = variances[first] + variances[second] - 2 * shared
        statistic = np.where(spread > 0, (values[first] - values[second]) / np.sqrt(spread), np.nan)
    if covariance is None:
        return normal_p(statistic), "DeLong, logit" if measure == AUC else "Wald"
    clusters = _values(measure, own, "clusters")
    return t_p(statistic, np.minimum(clusters[first], clusters[second]) - 1), "clustered t"


def _covariances(measure: str, parts: Parts, own: Sequence[Mapping[str, Measured]]) -> Floats | None:
    """Return the covariances of the groups' values that come from clusters with people of both; None without clusters.

    Shape (groups, groups); the diagonal isn't used.
    """
    if parts.parts and parts.parts[0].cluster is None:
        return None
    codes = [part.cluster for part in parts.parts if part.cluster is not None]
    everybody = np.unique(np.concatenate(codes)) if codes else np.zeros(0, dtype=np.int64)
    sums = np.zeros((everybody.size, len(parts.parts)))
    for group, (part, each) in enumerate(zip(parts.parts, own, strict=True)):
        influence = each[measure].influence if measure in each else None
        if influence is not None and part.cluster is not None:
            place = np.searchsorted(everybody, part.cluster)
            sums[:, group] = np.bincount(place, weights=part.n * influence, minlength=everybody.size)
    return np.asarray(sums.T @ sums * (everybody.size / max(everybody.size - 1, 1)))


def _gap(  # noqa: PLR0917 - what a comparison is made of
    measure: str,
    group: int,
    reference: int | None,
    parts: Parts,
    own: Sequence[Mapping[str, Measured]],
    choices: Choices,
    covariance: Floats | None,
    ps: Mapping[tuple[int, int], Any],
) -> Gap:
    nothing = Gap(focal=group, reference=reference)
    if not _judged(parts, choices)[group]:
        why = f"This group is less than {choices.min_share:g} of the people (--min-share), so it is not judged."
        return replace(nothing, why=why)
    mine = own[group].get(measure)
    if mine is None or mine.estimate is None:
        return replace(nothing, why=mine.reason if mine is not None else "The group has no value.")
    if reference is None or own[reference][measure].estimate is None:
        return replace(nothing, why="There is no group to compare with.")
    theirs = own[reference][measure]
    correlation = 0.0
    if covariance is not None and mine.variance and theirs.variance:
        correlation = float(np.clip(covariance[group, reference] / (mine.variance * theirs.variance) ** 0.5, -1, 1))
    found = hybrid_difference(mine.ends, theirs.ends, correlation=correlation)
    pair = ps.get((min(group, reference), max(group, reference)), (np.nan, np.nan))
    raw, adjusted = (None if np.isnan(p) else float(p) for p in pair)
    unknown = next((each.reason for each in (mine, theirs) if each.low is None), None)
    return replace(
        nothing,
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        p=raw,
        p_adjusted=adjusted,
        why=None if found.low is not None else unknown,
    )
