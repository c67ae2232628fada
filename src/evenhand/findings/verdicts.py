"""Marks and verdicts: what an interval says about its null value and its bands."""

from evenhand.findings.estimates import Estimated
from evenhand.measures import MarkBands
from evenhand.tables.finding import Verdict

__all__ = ["intervals_exclude", "marked", "verdict"]


def marked(estimated: Estimated, bands: MarkBands | None) -> tuple[str | None, tuple[str, ...]]:
    """Return the mark of the point estimate, and the marks that the interval touches."""
    if bands is None or estimated.estimate is None:
        return None, ()
    mark = bands.mark(estimated.estimate)
    if estimated.low is None or estimated.high is None:
        return mark, ()
    return mark, bands.touched(estimated.low, estimated.high)


def verdict(estimated: Estimated, *, null_value: float, margin: float | None) -> Verdict | None:
    """Return what was found; every interval that was made must agree.

    `equivalent`: the 90 % interval lies within ± `margin` of the null value (the A
    band), so any difference is smaller than that; a smaller one may still be detected.
    `difference`: no 95 % interval holds the null value. Else `inconclusive`. What shows
    only while names and occupations are taken as fixed is thus not called a difference.
    """
    detected = intervals_exclude(estimated, null_value)
    if detected is None:
        return None
    if margin is not None and estimated.equivalence is not None:
        low, high = estimated.equivalence
        if null_value - margin <= low and high <= null_value + margin:
            return "equivalent"
    return "difference" if detected else "inconclusive"


def intervals_exclude(estimated: Estimated, value: float) -> bool | None:
    """Return whether every known interval leaves `value` out; None if there is no interval."""
    intervals = [(estimated.low, estimated.high), *((other.low, other.high) for other in estimated.alternatives)]
    known = [(low, high) for low, high in intervals if low is not None and high is not None]
    if estimated.estimate is None or not known:
        return None
    return all(not low <= value <= high for low, high in known)
