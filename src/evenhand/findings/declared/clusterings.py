"""Which clusters an interval lets vary (names, roles, items), and the interval that they give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.units import distinct
from evenhand.stats import (
    ClusterVariance,
    clustered_difference,
    clustered_rate,
    jackknife_variance,
    multiway_variance,
    t_interval,
)
from evenhand.stats.special import stdtr

__all__ = [
    "FEWEST_LEVELS",
    "Clustered",
    "Ways",
    "clustered",
    "difference_clustered",
    "jackknifed",
    "rate_clustered",
    "ways_of",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A factor with fewer levels is held fixed: from so few, nothing can be said about others.
FEWEST_LEVELS: Final = 10


@dataclass(frozen=True, kw_only=True)
class Ways:
    """The factors that vary, with a code per observation, and those held fixed with how many levels they have."""

    codes: Mapping[str, Ints]
    fixed: Mapping[str, int] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """Return how the interval is made, and why a factor does not vary."""
        return f"cluster-robust {' × '.join(self.codes)}{self.held_fixed}"

    @property
    def held_fixed(self) -> str:
        """Return which factors are held fixed, as the end of a method."""
        return "".join(
            f"; {name} held fixed, {count} level{'s' if count != 1 else ''}" for name, count in self.fixed.items()
        )

    def take(self, mask: NDArray[np.bool_]) -> "Ways":
        """Return the ways of some observations; what varies among all varies among them."""
        return Ways(codes={name: codes[mask] for name, codes in self.codes.items()}, fixed=self.fixed)


@dataclass(frozen=True, kw_only=True)
class Clustered:
    """A cluster-robust interval, how many clusters of each kind vary, and the p of its t test against 0.

    Without limits `reason` says why.
    """

    low: float | None = None
    high: float | None = None
    clusters: dict[str, int]
    method: str
    p: float | None = None
    reason: str | None = None


def ways_of(codes: Mapping[str, Ints]) -> Ways:
    """Return which of the factors vary: those with `FEWEST_LEVELS` levels or more.

    >>> roles = np.repeat(np.arange(3), 20)
    >>> found = ways_of({"name": np.arange(60), "role": roles})
    >>> list(found.codes), found.method
    (['name'], 'cluster-robust name; role held fixed, 3 levels')
    """
    levels = {name: distinct(each) for name, each in codes.items()}
    return Ways(
        codes={name: each for name, each in codes.items() if levels[name] >= FEWEST_LEVELS},
        fixed={name: count for name, count in levels.items() if count < FEWEST_LEVELS},
    )


def clustered(psi: Floats, ways: Ways, estimate: float, *, confidences: Sequence[float]) -> list[Clustered]:
    """Return the estimate ± t standard errors, per level of confidence."""
    return _t_limits(_Variance.of(psi, ways), ways, estimate, confidences=confidences)


def jackknifed(
    left_out: Sequence[Floats], ways: Ways, estimate: float, *, confidences: Sequence[float]
) -> list[Clustered]:
    """Return the same from the estimate without each cluster of each way, and of their intersection."""
    if not ways.codes:
        found = _Variance(clusters={}, reason=f"No factor has {FEWEST_LEVELS} levels.")
    else:
        found = _Variance.from_stats(jackknife_variance(left_out), ways)
    return _t_limits(found, ways, estimate, confidences=confidences)


def _t_limits(found: "_Variance", ways: Ways, estimate: float, *, confidences: Sequence[float]) -> list[Clustered]:
    if found.reason is None and not found.value > 0:
        found = replace(found, reason="The clusters do not vary.")
    if found.reason is not None:
        return [found.missing(ways)] * len(confidences)
    limits = [t_interval(estimate, found.value, found.df, confidence=level) for level in confidences]
    p = float(2 * stdtr(found.df, -abs(estimate) / found.value**0.5))
    p = max(p, np.finfo(np.float64).tiny)  # a p that underflows is an upper bound, never 0
    return [
        Clustered(low=each.low, high=each.high, clusters=found.clusters, method=ways.method, p=p) for each in limits
    ]


def rate_clustered(
    psi: Floats, ways: Ways, share: float, *, confidences: Sequence[float], highest: float = 1.0
) -> list[Clustered]:
    """Return Wilson's interval on the effective number of answers of a share that is `highest` at most."""
    found = _Variance.of(psi, ways)
    if found.reason is not None:
        return [found.missing(ways)] * len(confidences)
    size = min(found.clusters.values())
    limits = [clustered_rate(share, found.value, size, highest=highest, confidence=each) for each in confidences]
    return [
        Clustered(low=each.low, high=each.high, clusters=found.clusters, method=ways.method, reason=each.reason)
        for each in limits
    ]


def difference_clustered(
    psi: Floats,
    sides: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    ways: Ways,
    shares: tuple[float, float],
    *,
    confidences: Sequence[float],
) -> list[Clustered]:
    """Return Newcombe's interval of focal less reference share, from the influences on it and who is on which side."""
    both = _Variance.of(psi, ways)
    if both.reason is not None:
        return [both.missing(ways)] * len(confidences)
    own = [_Variance.of(psi[side], ways.take(side)) for side in sides]
    lacking = next((each.reason for each in own if each.reason is not None), None)
    if lacking is not None:
        return [Clustered(clusters=both.clusters, method=ways.method, reason=lacking)] * len(confidences)
    limits = [
        clustered_difference(
            *shares,
            variances=(own[0].value, own[1].value),
            clusters=(min(own[0].clusters.values()), min(own[1].clusters.values())),
            covariance=(own[0].value + own[1].value - both.value) / 2,
            confidence=level,
        )
        for level in confidences
    ]
    return [
        Clustered(low=each.low, high=each.high, clusters=both.clusters, method=ways.method, reason=each.reason)
        for each in limits
    ]


@dataclass(frozen=True, kw_only=True)
class _Variance:
    """A cluster-robust variance, its degrees of freedom and clusters, or why it can't be told."""

    value: float = float("nan")
    df: int = 0
    clusters: dict[str, int]
    reason: str | None = None

    @classmethod
    def of(cls, psi: Floats, ways: Ways) -> "_Variance":
        if not ways.codes:
            return cls(clusters={}, reason=f"No factor has {FEWEST_LEVELS} levels.")
        return cls.from_stats(multiway_variance(psi, list(ways.codes.values())), ways)

    @classmethod
    def from_stats(cls, found: ClusterVariance, ways: Ways) -> "_Variance":
        clusters = dict(zip(ways.codes, found.clusters, strict=True))
        if found.variance is None:
            return cls(clusters=clusters, reason=found.reason)
        return cls(value=float(found.variance), df=found.df, clusters=clusters)

    def missing(self, ways: Ways) -> Clustered:
        return Clustered(clusters=self.clusters, method=ways.method, reason=self.reason)
