"""The headline measures within parts of the run: slices and instructions."""

from collections.abc import Sequence

from evenhand.report.charts import MarkedLine
from evenhand.report.page.parts import Column, Figure, Part, Section, Table, estimate_table, verdict_text
from evenhand.report.probe.interval_figure import interval_figure
from evenhand.report.words.numbers import ABSENT, scale_of
from evenhand.report.words.results import heading_of
from evenhand.report.words.wording import (
    capital,
    in_words,
    listing,
)
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.details import TemplateSpread
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import DIFFERENCE, VARIANCE
from evenhand.tables.grouped.probe import ProbeGroups, Sliced, Slices

__all__ = ["instruction_section", "slice_section", "wordings_table"]

LOOKS = (
    "The same measures computed on one part of the run at a time. Where many parts are looked at, some differ by "
    "chance: the adjusted p takes the number of parts into account."
)
UNADJUSTED = "The verdict 'difference' needs the confidence interval and the adjusted p; intervals are not adjusted."


def slice_section(slices: Sequence[Slices], audit: ProbeAudit) -> Section | None:
    """Return each headline measure within each slice, or None.

    Where a slice has none of them (one inventory of several), its own contrasts stand instead.
    """
    if not slices:
        return None
    parts = []
    for keys, measures in ((each.columns, each.measures) for each in slices):
        wordings = wordings_table(keys[0], audit, first=capital(in_words(keys[0]))) if len(keys) == 1 else None
        parts.append(
            Part(
                heading=f"By {listing([in_words(key) for key in keys])}",
                figures=[_sliced(measure, keys, audit) for measure in measures],
                tables=[wordings] if wordings else [],
                folded=True,
            )
        )
    return Section(name="slices", heading="Within parts of the run", text=[LOOKS], parts=parts)


def _sliced(measure: Sliced, keys: Sequence[str], audit: ProbeAudit) -> Figure:
    whole, levels = measure.whole, [list(finding.slice.values()) for finding in measure.levels]
    title = f"{heading_of(whole, audit)}, by {listing([in_words(key) for key in keys])}"
    adjustment = next((finding.adjustment for finding in measure.levels if finding.adjustment), None)
    found, labels = list(measure.levels), [capital(in_words(level[0])) for level in levels]
    full = [capital(", ".join(in_words(part) for part in level)) for level in levels]
    series = [capital(", ".join(in_words(part) for part in level[1:])) for level in levels]
    if not whole.slice and len(keys) == 1:
        found, labels, series = [*found, whole], [*labels, "Whole run"], [*series, ""]
        full = labels
    first = capital(listing([in_words(key) for key in keys]))
    return interval_figure(
        found,
        title=title,
        note=" ".join(part for part in (f"p is adjusted by {adjustment}." if adjustment else "", UNADJUSTED) if part),
        labels=labels,
        series=series,
        tables=[_slice_table(found, caption=title, first=first, labels=full)],
        lines=_null_lines(found),
    )


def _null_lines(findings: Sequence[Finding]) -> list[MarkedLine]:
    """Return a line at the value without a difference, if it is one for all rows that have an estimate."""
    values = {finding.null_value for finding in findings if finding.estimate is not None}
    return [
        MarkedLine(value=scale_of(findings[0]).shown(value))
        for value in values
        if value is not None and len(values) == 1
    ]


def _slice_table(findings: Sequence[Finding], *, caption: str, first: str, labels: Sequence[str]) -> Table:
    """Return the estimates with the verdict on each."""
    return estimate_table(
        findings,
        caption=caption,
        first=first,
        labels=labels,
        extra={"Verdict": [verdict_text(finding) for finding in findings]},
    )


def instruction_section(groups: ProbeGroups, audit: ProbeAudit) -> Section | None:
    """Return the measures per instruction and their variance, or None."""
    key = groups.instruction
    figures = []
    for found in groups.instructions.values():
        title = f"{heading_of(found[0], audit)}, by instruction"
        labels = [_level(finding.slice[key], "Instruction") for finding in found]
        null = found[0].null_value
        figures.append(
            interval_figure(
                found,
                title=title,
                note="",
                labels=labels,
                tables=[estimate_table(found, caption=title, first="Instruction", labels=labels)],
                lines=[MarkedLine(value=scale_of(found[0]).shown(null))] if null is not None else (),
            )
        )
    wordings = wordings_table(key, audit, first="Instruction")
    tables = [_spread(groups.variances, key)] if groups.variances else []
    if not figures and not tables:
        return None
    text = ["The same question in several wordings. If the wordings disagree, the result depends on how one asks."]
    return Section(
        name="instructions",
        heading="Wording of the instruction",
        text=text,
        parts=[
            Part(
                heading="Each measure by instruction",
                figures=figures,
                tables=[*([wordings] if wordings else []), *tables],
                folded=True,
            )
        ],
    )


def wordings_table(key: str, audit: ProbeAudit, *, first: str) -> Table | None:
    """Return what each level of a context column says, where the audit block tells."""
    texts = audit.level_texts.get(key)
    if not texts:
        return None
    return Table(
        caption=f"The wording of each {first.lower()}",
        columns=[Column(label=first, numeric=False), Column(label="Wording", numeric=False)],
        rows=[[_level(level, first), text] for level, text in texts.items()],
    )


def _level(level: str, first: str) -> str:
    """Return the name of a level; a number alone says nothing."""
    return capital(in_words(f"{first} {level}" if level.isdigit() else level))


def _spread(findings: Sequence[Finding], key: str) -> Table:
    labels = []
    for finding in findings:
        base = finding.measure.removeprefix(f"{key}{VARIANCE}")
        what = in_words(base.removeprefix(DIFFERENCE))
        labels.append(capital(f"difference in {what}" if base.startswith(DIFFERENCE) else what))
    known = [TemplateSpread.of(finding).sd for finding in findings]
    factor = 1 if findings[0].measured_in == "points squared" else 100
    deviations = [ABSENT if sd is None else f"{factor * sd:.2f} points" for sd in known]
    table = estimate_table(
        findings,
        caption=f"Variance between instructions ({findings[0].measured_in}), and its root, the standard deviation",
        first="Measure",
        labels=labels,
        extra={"Standard deviation": deviations},
    )
    columns = [Column(label="Variance") if c.label == "Estimate" else c for c in table.columns]
    return Table(caption=table.caption, columns=columns, rows=table.rows)
