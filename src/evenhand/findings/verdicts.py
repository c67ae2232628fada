"""Marks and verdicts: what an interval says about its null value and its bands."""

from evenhand.findings.declared.estimates import Estimated
from evenhand.measures import MarkBands
from evenhand.tables.finding import Verdict

__all__ = ["is_detected", "marked", "verdict"]


def marked(estimated: Estimated, bands: MarkBands | None) -> tuple[str | None, tuple[str, ...]]:
    """Return the mark of the point estimate, and the marks that its intervals touch."""
    if bands is None or estimated.estimate is None:
        return None, ()
    mark = bands.mark(estimated.estimate)
    known = _known(estimated)
    if not known:
        return mark, ()
    return mark, bands.touched(min(low for low, _ in known), max(high for _, high in known))


def verdict(estimated: Estimated, *, null_value: float, margin: float | None, confidence: float) -> Verdict | None:
    """Return what was found; every interval that was made must agree, and the first test too.

    `equivalent`: the 90 % interval lies within ± `margin` of the null value (the A
    band), so any difference is smaller than that; a smaller one may still be detected.
    `difference`: no 95 % interval holds the null value, and p < .05 in the permutation
    over names. Else `inconclusive`. What shows only while names and occupations are
    taken as fixed is thus not called a difference. None without the main interval.
    """
    detected = is_detected(estimated, null_value, confidence=confidence)
    if detected is None:
        return None
    if margin is not None and estimated.equivalence is not None:
        low, high = estimated.equivalence
        if null_value - margin <= low and high <= null_value + margin:
            return "equivalent"
    return "difference" if detected else "inconclusive"


def is_detected(estimated: Estimated, null_value: float, *, confidence: float) -> bool | None:
    """Return whether a difference was detected; None where the main interval is missing."""
    if estimated.estimate is None or estimated.low is None or estimated.high is None:
        return None
    if not all(not low <= null_value <= high for low, high in _known(estimated)):
        return False
    p = estimated.tests[0].p if estimated.tests else None
    return p is None or p < 1 - confidence


def _known(estimated: Estimated) -> list[tuple[float, float]]:
    intervals = [(estimated.low, estimated.high), *((other.low, other.high) for other in estimated.alternatives)]
    return [(low, high) for low, high in intervals if low is not None and high is not None]
