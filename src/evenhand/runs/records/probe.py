"""The audit block of a run of one probe."""

from collections.abc import Sequence
from dataclasses import replace

from evenhand.collect.outcomes import OutcomeSummary
from evenhand.measures import MeasureSet
from evenhand.probes.shared.probe import Compatible, Design, Probe
from evenhand.runs.manifest import Manifest
from evenhand.tables.audit.measured import Bands, ReferenceValue, Regression
from evenhand.tables.audit.probe import Example, Matched, ProbeAudit
from evenhand.tables.details import Judged
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import UNDETECTED_ITEMS

__all__ = ["compatible_block", "probe_block", "redacted_block"]

SAVED = "Saved answers, laid out as they were collected."
SIMULATED = "The answers come from a simulated model with a known bias, not from a language model."


def probe_block(
    probe: Probe,
    design: Design | None,
    manifest: Manifest,
    summary: OutcomeSummary,
    findings: Sequence[Finding],
) -> ProbeAudit:
    """Return what the report prints about a run besides its findings; all but its warnings and its command."""
    return replace(
        _of_probe(probe),
        kind=str(manifest.kind),
        settings=manifest.settings,
        design=manifest.design,
        design_note=design.note if design is not None else SAVED,
        model=manifest.model,
        returned_models=tuple(sorted(summary.returned_models)),
        simulated=manifest.simulated,
        simulated_note=SIMULATED if manifest.simulated else None,
        shard=manifest.shard,
        stopping=manifest.stopping,
        parameters=manifest.parameters,
        requests=manifest.requests,
        cost=manifest.cost,
        currency=manifest.currency,
        cost_reason=manifest.cost_reason,
        cost_uncertain=manifest.cost_uncertain,
        usage=manifest.usage,
        redacted=manifest.redacted,
        example=Example(**summary.example) if summary.example else None,
        statuses=dict(sorted(summary.statuses.items())),
        reading_rules=dict(summary.rules.most_common()),
        attempts=summary.attempts,
        items=next((row.n for row in findings if row.name == UNDETECTED_ITEMS), None),
        matched=_matched([row for row in findings if row.measure in probe.measured.headline]),
        started=manifest.started,
        finished=manifest.finished,
        versions=manifest.versions,
        fingerprints=manifest.fingerprints,
    )


def _of_probe(probe: Probe) -> ProbeAudit:
    """Return what is said of a probe, whatever a model answered."""
    measured = probe.measured
    return ProbeAudit(
        probe=probe.name,
        probe_version=probe.version,
        title=probe.title,
        question=probe.question,
        success=probe.success,
        subject=probe.subject,
        labels=dict(probe.labels),
        quantities=dict(probe.quantities),
        wordings=dict(probe.wordings),
        paired_design=probe.paired_design,
        card=probe.card(),
        bands=_bands(measured),
        references={
            name: tuple(ReferenceValue(kind=row.kind, value=row.value) for row in rows)
            for name, rows in probe.references.items()
        },
        headline=tuple(measured.headline),
        rate=measured.rate,
        groups=tuple(measured.groups),
        slices=tuple(measured.slice_columns()),
        instruction=measured.instruction,
        level_texts={column: dict(texts) for column, texts in probe.level_texts.items()},
        regression=(
            Regression(measure=measured.rate, against=measured.against, label=probe.against_label)
            if measured.against
            else None
        ),
        limits=tuple(probe.limits),
        facts=probe.facts(),
    )


def compatible_block(block: ProbeAudit, compatible: Compatible) -> ProbeAudit:
    """Return the block of answers that were measured by another package's definitions."""
    return replace(block, compat=compatible.package, bands={}, references={}, design_note=compatible.note)


def redacted_block(block: ProbeAudit) -> ProbeAudit:
    """Return the block without the text of answers."""
    example = block.example
    return replace(block, twins=None, example=None if example is None else replace(example, answer=None))


def _bands(measured: MeasureSet) -> dict[str, Bands]:
    return {
        name: Bands(centre=bands.centre, edges=tuple(bands.edges), source=bands.source)
        for name, bands in measured.bands.items()
    }


def _matched(findings: Sequence[Finding]) -> Matched | None:
    """Return what pairing did to the interval of the first headline measure that has it."""
    for finding in findings:
        ratio = Judged.of(finding).width_ratio_to_unpaired
        if ratio is not None:
            share = f"{100 * abs(1 - ratio):.0f} %"
            if round(ratio, 2) == 1:
                change = "as wide as"
            else:
                change = f"{share} narrower than" if ratio < 1 else f"{share} wider than"
            sentence = (
                f"With pairs, the confidence interval is {change} that of as many unmatched prompts, computed from the "
                "same answers with the pairing ignored."
            )
            return Matched(measure=finding.name, width_ratio=ratio, sentence=sentence)
    return None
