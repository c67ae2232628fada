"""The findings of a suite, by probe."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.tables.audit.suite import SuiteAudit, SuiteProbe
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.exploratory import race_differences, surviving_parts
from evenhand.tables.grouped.population import Population, population_of
from evenhand.tables.grouped.probe import Headline, headline_of, with_groups

__all__ = ["SuiteGroups", "suite_groups"]


@dataclass(frozen=True, kw_only=True)
class SuiteGroups:
    """What is told of one probe: its headline findings; `others` are all, where none is a headline.

    `race` and `parts` are exploratory differences that hold after adjustment.
    """

    probe: SuiteProbe
    headline: tuple[Headline, ...]
    others: tuple[Headline, ...]
    race: tuple[Finding, ...]
    parts: tuple[Finding, ...]
    population: Population | None


def suite_groups(findings: Sequence[Finding], audit: SuiteAudit) -> tuple[SuiteGroups, ...]:
    """Return what is told of each probe of a suite."""
    found = []
    for probe in audit.probes:
        own = [each for each in findings if each.probe == probe.probe]
        headline = headline_of(own, probe)
        population = population_of(own)
        found.append(
            SuiteGroups(
                probe=probe,
                headline=headline,
                others=() if headline or population else with_groups(own, own),
                race=race_differences(own),
                parts=surviving_parts(own, [each.finding for each in headline]),
                population=population,
            )
        )
    return tuple(found)
