"""Recall, precision and over-masking of many texts, with intervals over texts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from evenhand.resumes.annotated.rows import Judged
from evenhand.stats import clustered_rate, multiway_variance

__all__ = ["MEASURES", "MaskingRate", "masking_rates"]

Measure = Literal["masking_recall", "masking_precision", "over_masking"]
#: What each measure counts of a text, and of how many, for a category or, without one, for all.
_COUNTED: Final[dict[Measure, Callable[[Judged, str | None], tuple[int, int]]]] = {
    "masking_recall": lambda text, of: (_count(text.found, of), _count(text.annotated, of)),
    "masking_precision": lambda text, of: (_count(text.right, of), _count(text.masked, of)),
    "over_masking": lambda text, of: (_count(text.needless, of), text.words),
}
MEASURES: Final = tuple(_COUNTED)


@dataclass(frozen=True, kw_only=True)
class MaskingRate:
    """A share of `n` spans or words in so many texts; over all categories and origins unless one is named.

    `low` and `high` are the 95 % confidence interval; null with a reason where they can't be computed.
    """

    measure: Measure
    category: str | None
    origin: str | None
    k: int
    n: int
    texts: int
    estimate: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    reason: str | None


def masking_rates(texts: Sequence[tuple[str | None, Judged]]) -> list[MaskingRate]:
    """Return the rates of texts with their origins: over all, per category, per origin, and of names per origin.

    Texts are what was sampled: spans of one text are as a cluster (`clustered_rate`).
    """
    all_judged = [judged for _, judged in texts]
    found = [*_rates(all_judged, None, None)]
    for category in sorted({name for each in all_judged for name in (*each.annotated, *each.masked)}):
        found += _rates(all_judged, category, None)
    for origin in sorted({origin for origin, _ in texts if origin is not None}):
        of_origin = [judged for own, judged in texts if own == origin]
        found += [*_rates(of_origin, None, origin), *_rates(of_origin, "NAME", origin)]
    return found


def _rates(texts: Sequence[Judged], category: str | None, origin: str | None) -> Iterator[MaskingRate]:
    for measure, counted in _COUNTED.items():
        k, n = np.array([counted(text, category) for text in texts], dtype=np.float64).T
        k, n = k[n > 0], n[n > 0]
        total, clusters = int(n.sum()), n.size
        reason: str | None
        if not total:
            reason = "There is none." if measure == "over_masking" else "There are no such spans."
            estimate = error = low = high = None
        else:
            estimate = float(k.sum() / total)
            variance = multiway_variance((k - estimate * n) / total, [np.arange(clusters)])
            limits = clustered_rate(estimate, variance.variance, clusters)
            low, high, reason = limits.low, limits.high, limits.reason or None
            error = float(np.sqrt(variance.variance)) if variance.variance else None
        yield MaskingRate(
            measure=measure,
            category=category,
            origin=origin,
            k=int(k.sum()),
            n=total,
            texts=clusters,
            estimate=estimate,
            standard_error=error,
            low=low,
            high=high,
            reason=reason,
        )


def _count(counts: "dict[str, int]", category: str | None) -> int:
    return sum(counts.values()) if category is None else counts.get(category, 0)
