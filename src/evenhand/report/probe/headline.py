"""Sections of a probe's headline measures: charts on mark bands, tests, slices, wordings of the instruction."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isclose

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import BandLabel, BandRow, IntervalRow, OtherInterval, band_chart, interval_chart
from evenhand.report.charts.svg import Chart
from evenhand.report.page import parts as page_parts
from evenhand.report.words import results
from evenhand.report.words.numbers import ABSENT, MINUS, Scale, counted, null_values, p_text, scale_of
from evenhand.results.audit import Measured, ProbeAudit, Reference
from evenhand.results.finding import Finding, TemplateSpread, Test
from evenhand.results.measures import DIFFERENCE, VARIANCE, MarkBands
from evenhand.results.probe_groups import Headline, ProbeGroups, Sliced, Slices

LETTERS = ("A", "B", "C", "D")


def headline_section(groups: ProbeGroups, audit: ProbeAudit) -> page_parts.Section | None:
    """Return the section of headline measures, or None without any."""
    if not groups.headline:
        return None
    return page_parts.Section(
        name="measures",
        heading="Headline measures",
        text=[chart_note(groups.headline, audit)],
        parts=[
            headline_part(
                headline,
                audit,
                paired=audit.matched.sentence
                if audit.matched and audit.matched.measure == headline.finding.name
                else "",
            )
            for headline in groups.headline
        ],
    )


def chart_note(headline: Sequence[Headline], audit: Measured) -> str:
    """Return how the charts of headline measures are read."""
    findings = [row.finding for row in headline]
    note = "In the charts the dot is the estimate and the line its confidence interval."
    if any(other.low is not None for finding in findings for other in finding.alternatives):
        note += " Thin lines are the other intervals in the table."
    if any(results.bands_of(finding, audit) for finding in findings):
        note += (
            " A to D are the marks by distance from no difference; the scale is stretched around it, so that band A "
            "can be seen. Names above show where reference models lie by construction."
        )
    return note


def headline_part(headline: Headline, audit: Measured, *, paired: str = "") -> page_parts.Part:
    """Return one measure: its chart with details, and its tables."""
    finding, heading = headline.finding, results.heading_of(headline.finding, audit)
    if finding.estimate is None:
        return page_parts.Part(text=[f"{heading}: not computed. {finding.reason or ''}".strip()])
    bands = results.bands_of(finding, audit)
    references = [r for r in audit.references.get(finding.measure, ()) if r.value is not None]
    tables = [_estimates(finding, headline.groups, audit)]
    if bands:
        tables.append(_marks(finding, bands, references))
    if finding.tests:
        tables.append(_tests(finding))
    figure = page_parts.Figure(
        title=heading,
        note=" ".join([*results.detail_sentences(finding), *([paired] if paired else [])]),
        chart=lambda width: _chart(finding, bands, references, audit, width=width),
        tables=[replace(table, folded=True) for table in tables],
    )
    return page_parts.Part(figures=[figure])


def _chart(
    finding: Finding,
    bands: MarkBands | None,
    references: Sequence[Reference],
    audit: Measured,
    *,
    width: int,
) -> Chart:
    scale = scale_of(finding)
    if bands is None:
        plotted = IntervalRow(label="", **scale.drawn(finding), text=results.value_text(finding))
        null = [] if finding.null_value is None else [MarkedLine(value=scale.shown(finding.null_value))]
        return interval_chart([plotted], title=results.heading_of(finding, audit), width=width, lines=null)
    centre, edges = bands.centre, bands.edges
    known = [v for v in (finding.estimate, finding.low, finding.high, *(r.value for r in references)) if v is not None]
    one_sided = not finding.reference and centre == 0 and min(known, default=0.0) >= 0
    at = [centre, *(centre + edge for edge in edges)] + ([] if one_sided else [centre - edge for edge in edges])
    kinds: dict[float, list[str]] = {}
    for reference in references:
        kinds.setdefault(reference.value or 0.0, []).append(reference.kind)
    marked = BandRow(
        estimate=finding.estimate,
        low=finding.low,
        high=finding.high,
        text=f"{results.heading_of(finding, audit)}: {results.value_text(finding)}",
        others=[
            OtherInterval(
                low=other.low, high=other.high, text=f"{other.method}: {scale.interval(other.low, other.high)}"
            )
            for other in finding.alternatives
            if other.low is not None and other.high is not None
        ],
        centre=centre,
        edges=edges,
        ticks=[BandLabel(value=value, text=_tick(finding, value)) for value in at],
        references=[BandLabel(value=value, text=", ".join(names)) for value, names in kinds.items()],
        one_sided=one_sided,
        ends=_ends(finding),
    )
    return band_chart(marked, title=results.unit_text(finding), width=width)


def _tick(finding: Finding, value: float) -> str:
    scale = scale_of(finding)
    text = f"{abs(scale.shown(value)):.6g}"
    return text if value == 0 else (MINUS if value < 0 else "+" if scale.signed else "") + text


def _ends(finding: Finding) -> tuple[str, str]:
    """Return the group favoured on either side of no difference."""
    if not finding.reference:
        return "", ""
    low, high = results.group_label(finding.reference), results.group_label(finding.focal)
    return (
        (f"← towards {low}", f"towards {high} →")
        if results.is_slope(finding)
        else (f"← {low} higher", f"{high} higher →")
    )


def _estimates(finding: Finding, groups: Sequence[Finding], audit: Measured) -> page_parts.Table:
    """Return the two groups, their difference, and its other intervals."""
    scale = scale_of(finding)
    null = null_values(finding)
    table = page_parts.estimate_table(
        [*groups, finding],
        caption=f"{results.heading_of(finding, audit)}. Unit: {_unit(finding)}.",
        first="Group" if groups else "Value",
        label=lambda row: (
            results.capital(results.group_label(row.focal))
            if row is not finding
            else "Difference"
            if finding.reference
            else "This run"
        ),
        extra={"Method": lambda row: results.accented(row.method)},
        without={"p", "p, adjusted", page_parts.MARK},
    )
    if not finding.alternatives:
        return table
    heads = [column.label for column in table.columns]
    place, method = (
        heads.index(page_parts.interval_heading([*groups, finding]))
        if page_parts.interval_heading([*groups, finding]) in heads
        else None,
        heads.index("Method"),
    )
    lines = [list(line) for line in table.rows]
    for other in finding.alternatives:
        line = [""] * len(heads)
        line[0], line[method] = "Other interval", results.accented(other.method)
        if other.clusters and page_parts.CLUSTERS in heads:
            kinds = [counted(count, results.in_words(kind)) for kind, count in other.clusters.items()]
            line[heads.index(page_parts.CLUSTERS)] = " × ".join(kinds)
        if place is not None:
            line[place] = scale.interval(other.low, other.high, apart=null)
        if other.low is None:
            line[method] += f": {other.reason or 'not computed'}"
        lines.append(line)
    return page_parts.Table(caption=table.caption, columns=table.columns, rows=lines)


def _unit(finding: Finding) -> str:
    return (
        "percentage points for the difference, % for the groups"
        if finding.measured_in == "share" and finding.reference
        else results.unit_text(finding)
    )


def _tests(finding: Finding) -> page_parts.Table:
    """Return the tests; their statistics only where they differ from the estimate."""
    repeated = finding.estimate is not None and all(
        test.statistic is None or isclose(test.statistic, finding.estimate, abs_tol=1e-12) for test in finding.tests
    )
    columns: dict[str, Callable[[Test], str]] = {
        "Test": lambda test: results.accented(test.name) + (f" ({test.reason})" if test.reason else ""),
        "Statistic": lambda test: ABSENT if test.statistic is None else f"{test.statistic:.3f}".replace("-", MINUS),
        "p": lambda test: p_text(test.p),
    }
    if repeated:
        del columns["Statistic"]
    return page_parts.table_of(finding.tests, columns, caption="Tests that there is no difference")


def _marks(finding: Finding, bands: MarkBands, references: Sequence[Reference]) -> page_parts.Table:
    """Return the four bands, their contents, and their source."""
    scale, edges, centre = scale_of(finding), bands.edges, bands.centre
    reference_names: dict[str, list[str]] = {letter: [] for letter in LETTERS}
    for reference in references:
        value = reference.value or 0.0
        distance = abs(value - centre)
        letter = next((a for a, edge in zip(LETTERS, edges, strict=True) if distance <= edge + 1e-9), LETTERS[-1])
        reference_names[letter].append(f"{reference.kind} ({_tick(finding, value)})")
    lines = []
    for letter, edge in zip(LETTERS, edges, strict=True):
        reached = ["estimate"] * (letter == finding.mark) + ["interval"] * (letter in finding.marks_touched)
        up_to = (
            "farther"
            if letter == LETTERS[-1]
            else f"up to {scale.shown(edge):g}{' points' if finding.measured_in == 'share' else ''}"
        )
        lines.append(
            [
                letter,
                up_to,
                results.listing(reached) if reached else ABSENT,
                ", ".join(reference_names[letter]) or ABSENT,
            ]
        )
    source = f" Bands: {bands.source}." if bands.source else ""
    return page_parts.table(
        f"Mark {page_parts.mark_text(finding)}.{source}" if finding.mark else f"No mark.{source}",
        ("Mark", f"Distance from {_tick(finding, centre)}", "This run", "Reference models"),
        lines,
    )


LOOKS = (
    "The same measures computed on one part of the run at a time. Where many parts are looked at, some differ by "
    "chance: the adjusted p takes the number of parts into account."
)
UNADJUSTED = "The verdict follows the corrected p; intervals are of one comparison each."


def slice_section(slices: Sequence[Slices], audit: ProbeAudit) -> page_parts.Section | None:
    """Return each headline measure within each slice, or None.

    Where a slice has none of them (one inventory of several), its own contrasts replace them.
    """
    if not slices:
        return None
    parts = []
    for keys, measures in ((parts_of_run.columns, parts_of_run.measures) for parts_of_run in slices):
        wordings = (
            wordings_table(keys[0], audit, first=results.capital(results.in_words(keys[0]))) if len(keys) == 1 else None
        )
        parts.append(
            page_parts.Part(
                heading=f"By {results.listing([results.in_words(key) for key in keys])}",
                figures=[_sliced(measure, keys, audit) for measure in measures],
                tables=[wordings] if wordings else [],
                folded=True,
            )
        )
    return page_parts.Section(name="slices", folded=True, heading="Within parts of the run", text=[LOOKS], parts=parts)


def _sliced(measure: Sliced, keys: Sequence[str], audit: ProbeAudit) -> page_parts.Figure:
    whole, findings = measure.whole, list(measure.levels)
    title = f"{results.heading_of(whole, audit)}, by {results.listing([results.in_words(key) for key in keys])}"
    correction = results.corrected_by(measure.levels)
    findings += [whole] if not whole.slice and len(keys) == 1 else []

    def named(finding: Finding, start: int | None, end: int | None) -> str:
        levels = [results.in_words(part) for part in [*finding.slice.values()][start:end]]
        return "Whole run" if finding is whole and end != 0 else results.capital(", ".join(levels))

    return page_parts.interval_figure(
        findings,
        title=title,
        note=" ".join(part for part in (f"p is corrected: {correction}." if correction else "", UNADJUSTED) if part),
        label=lambda finding: named(finding, None, 1),
        series=lambda finding: "" if finding is whole else named(finding, 1, None),
        tables=[
            page_parts.estimate_table(
                findings,
                caption=title,
                first=results.capital(results.listing([results.in_words(key) for key in keys])),
                label=lambda finding: named(finding, None, None),
                extra=page_parts.columns_of(findings, "Verdict"),
            )
        ],
    )


def instruction_section(groups: ProbeGroups, audit: ProbeAudit) -> page_parts.Section | None:
    """Return the measures per instruction and their variance, or None."""
    key = groups.instruction
    figures = []
    for findings in groups.instructions.values():
        title = f"{results.heading_of(findings[0], audit)}, by instruction"
        figures.append(
            page_parts.interval_figure(
                findings,
                title=title,
                first="Instruction",
                label=lambda finding: _level(finding.slice[key], "Instruction"),
                folded=False,
            )
        )
    wordings = wordings_table(key, audit, first="Instruction")
    tables = [_spread(groups.variances, key)] if groups.variances else []
    if not figures and not tables:
        return None
    text = ["The same question in several wordings. If the wordings disagree, the result depends on how one asks."]
    return page_parts.Section(
        name="instructions",
        folded=True,
        heading="Wording of the instruction",
        text=text,
        parts=[
            page_parts.Part(
                heading="Each measure by instruction",
                figures=figures,
                tables=[*([wordings] if wordings else []), *tables],
                folded=True,
            )
        ],
    )


def wordings_table(key: str, audit: ProbeAudit, *, first: str) -> page_parts.Table | None:
    """Return the text of each level of a context column, where the audit block has them."""
    texts = audit.level_texts.get(key)
    if not texts:
        return None
    rows = [(_level(level, first), text) for level, text in texts.items()]
    return page_parts.table(f"The wording of each {first.lower()}", (first, "Wording"), rows)


def _level(level: str, first: str) -> str:
    return results.capital(results.in_words(f"{first} {level}" if level.isdigit() else level))


def _spread(findings: Sequence[Finding], key: str) -> page_parts.Table:
    def label(finding: Finding) -> str:
        base = finding.measure.removeprefix(f"{key}{VARIANCE}")
        measure = results.in_words(base.removeprefix(DIFFERENCE))
        return results.capital(f"difference in {measure}" if base.startswith(DIFFERENCE) else measure)

    unit = findings[0].measured_in.removesuffix(" squared")
    spread = (
        Scale(factor=100, suffix=" points", decimals=2) if unit == "share" else Scale(suffix=f" {unit}", decimals=2)
    )
    return page_parts.estimate_table(
        findings,
        caption=f"Variance between instructions ({findings[0].measured_in}), and its root, the standard deviation",
        first="Measure",
        label=label,
        estimate="Variance",
        extra={"Standard deviation": lambda finding: spread.text(TemplateSpread.of(finding).sd)},
    )
