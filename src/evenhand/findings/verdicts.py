"""Marks and verdicts: what an interval says about its null value and its bands."""

from evenhand.findings.declared.estimates import Estimated
from evenhand.measures import MarkBands
from evenhand.tables.finding import Verdict

__all__ = ["is_detected", "marked", "verdict"]


def marked(estimated: Estimated, bands: MarkBands | None) -> tuple[str | None, tuple[str, ...]]:
    """Return the mark of the point estimate, and the marks within its confidence interval."""
    if bands is None or estimated.estimate is None:
        return None, ()
    mark = bands.mark(estimated.estimate)
    if estimated.low is None or estimated.high is None:
        return mark, ()
    return mark, bands.touched(estimated.low, estimated.high)


def verdict(estimated: Estimated, *, null_value: float, margin: float | None) -> Verdict | None:
    """Return what the interval says.

    `equivalent`: the 90 % interval lies within ± `margin` of the null value (the A
    band), so any difference is smaller than that; a smaller one may still be detected.
    `difference`: the 95 % interval leaves out the null value. Else `inconclusive`. None without an interval.
    """
    detected = is_detected(estimated, null_value)
    if detected is None:
        return None
    if margin is not None and estimated.equivalence is not None:
        low, high = estimated.equivalence
        if null_value - margin <= low and high <= null_value + margin:
            return "equivalent"
    return "difference" if detected else "inconclusive"


def is_detected(estimated: Estimated, null_value: float) -> bool | None:
    """Return whether a difference was detected; None without an interval."""
    if estimated.estimate is None or estimated.low is None or estimated.high is None:
        return None
    return not estimated.low <= null_value <= estimated.high
