"""The findings of a suite, by probe."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.tables.audit.suite import SuiteAudit, SuiteProbe
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import Headline, headline_of, with_groups

__all__ = ["SuiteGroups", "suite_groups"]


@dataclass(frozen=True, kw_only=True)
class SuiteGroups:
    """What is told of one probe: its headline findings; `others` are all, where none is a headline."""

    probe: SuiteProbe
    headline: tuple[Headline, ...]
    others: tuple[Headline, ...]


def suite_groups(findings: Sequence[Finding], audit: SuiteAudit) -> tuple[SuiteGroups, ...]:
    """Return what is told of each probe of a suite."""
    found = []
    for probe in audit.probes:
        own = [each for each in findings if each.probe == probe.probe]
        headline = headline_of(own, probe)
        found.append(SuiteGroups(probe=probe, headline=headline, others=() if headline else with_groups(own, own)))
    return tuple(found)
