"""From outcomes to findings: the measures of a card, executed."""

from evenhand.findings.measure import measure_outcomes

__all__ = ["measure_outcomes"]
