"""The findings of a comparison: by probe, then by measure."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.tables.audit.compare import CompareAudit, ComparedProbe
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.keys import by_key

__all__ = ["MODEL", "CompareGroups", "ComparedMeasure", "compare_groups"]

MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class ComparedMeasure:
    """One measure: each model's own value, and the differences between models."""

    headline: bool
    models: tuple[Finding, ...]
    differences: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class CompareGroups:
    """The measures of one probe, those of its headline first."""

    probe: ComparedProbe
    measures: tuple[ComparedMeasure, ...]


def compare_groups(findings: Sequence[Finding], audit: CompareAudit) -> tuple[CompareGroups, ...]:
    """Return what is told of each probe of a comparison."""
    return tuple(CompareGroups(probe=probe, measures=_measures(findings, probe)) for probe in audit.probes)


def _measures(findings: Sequence[Finding], probe: ComparedProbe) -> tuple[ComparedMeasure, ...]:
    prefix = probe.probe.replace("-", "_") + "_"
    own = by_key(lambda each: each.measure, [each for each in findings if each.name.startswith(prefix)])
    return tuple(
        ComparedMeasure(
            headline=measure in probe.headline,
            models=tuple(each for each in own[measure] if MODEL in each.slice),
            differences=tuple(each for each in own[measure] if MODEL in each.reference),
        )
        for measure in dict.fromkeys([*probe.headline, *own])
        if measure in own
    )
