"""All intervals of a finding, and the widest: the verdict reads every one of them."""

from dataclasses import dataclass

from evenhand.tables.finding import Finding

__all__ = ["KnownInterval", "known_intervals", "widest_interval"]


@dataclass(frozen=True, kw_only=True)
class KnownInterval:
    """One interval of a finding and the method that made it."""

    low: float
    high: float
    method: str

    def holds(self, value: float) -> bool:
        """Return whether the value lies within."""
        return self.low <= value <= self.high


def known_intervals(finding: Finding) -> list[KnownInterval]:
    """Return the intervals that were made, the main one first."""
    made = [(finding.low, finding.high, finding.method), *((o.low, o.high, o.method) for o in finding.alternatives)]
    return [
        KnownInterval(low=low, high=high, method=method)
        for low, high, method in made
        if low is not None and high is not None
    ]


def widest_interval(finding: Finding) -> KnownInterval | None:
    """Return the widest interval that was made; of equally wide ones the first."""
    return max(known_intervals(finding), key=lambda interval: interval.high - interval.low, default=None)
