"""Each headline measure as an interval on its bands, with everything known about it."""

from collections.abc import Sequence
from dataclasses import replace
from math import isclose

from evenhand.report.charts import (
    BandLabel,
    BandRow,
    Chart,
    IntervalRow,
    MarkedLine,
    OtherInterval,
    band_chart,
    interval_chart,
)
from evenhand.report.page.parts import (
    CLUSTERS,
    MARK,
    Column,
    Figure,
    Part,
    Section,
    Table,
    estimate_table,
    interval_heading,
    mark_text,
)
from evenhand.report.words.numbers import ABSENT, MINUS, counted, p_text, scale_of
from evenhand.report.words.results import detail_sentences, heading_of
from evenhand.report.words.wording import (
    bands_of,
    capital,
    group_label,
    in_words,
    is_slope,
    listing,
    unit_text,
    value_text,
)
from evenhand.tables.audit.measured import Bands, Measured, ReferenceValue
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import Headline, ProbeGroups

__all__ = ["chart_note", "headline_part", "headline_section"]

LETTERS = ("A", "B", "C", "D")


def headline_section(groups: ProbeGroups, audit: ProbeAudit) -> Section | None:
    """Return the chapter of headline measures, or None without any."""
    if not groups.headline:
        return None
    return Section(
        name="measures",
        heading="Headline measures",
        text=[chart_note(groups.headline, audit)],
        parts=[
            headline_part(
                each,
                audit,
                paired=audit.matched.sentence if audit.matched and audit.matched.measure == each.finding.name else "",
            )
            for each in groups.headline
        ],
    )


def chart_note(headline: Sequence[Headline], audit: Measured) -> str:
    """Return how the charts of headline measures are read."""
    findings = [each.finding for each in headline]
    note = "In the charts the dot is the estimate and the line its confidence interval."
    if any(other.low is not None for finding in findings for other in finding.alternatives):
        note += " Thin lines are the other intervals in the table."
    if any(bands_of(finding, audit) for finding in findings):
        note += (
            " A to D are the marks by distance from no difference; the scale is stretched around it, so that band A "
            "can be seen. Names above show where reference models lie by construction."
        )
    return note


def headline_part(headline: Headline, audit: Measured, *, paired: str = "") -> Part:
    """Return one measure: its chart with what is told in detail, and its tables."""
    finding, heading = headline.finding, heading_of(headline.finding, audit)
    if finding.estimate is None:
        return Part(text=[f"{heading}: not computed. {finding.reason or ''}".strip()])
    bands = bands_of(finding, audit)
    references = [r for r in audit.references.get(finding.measure, ()) if r.value is not None]
    tables = [_estimates(finding, headline.groups, audit)]
    if bands:
        tables.append(_marks(finding, bands, references))
    if finding.tests:
        tables.append(_tests(finding))
    figure = Figure(
        title=heading,
        note=" ".join([*detail_sentences(finding), *([paired] if paired else [])]),
        chart=lambda width: _chart(finding, bands, references, audit, width=width),
        tables=[replace(table, folded=True) for table in tables],
    )
    return Part(figures=[figure])


def _chart(
    finding: Finding,
    bands: Bands | None,
    references: Sequence[ReferenceValue],
    audit: Measured,
    *,
    width: int,
) -> Chart:
    scale = scale_of(finding)
    if bands is None:
        drawn = [None if v is None else scale.shown(v) for v in (finding.estimate, finding.low, finding.high)]
        plotted = IntervalRow(label="", estimate=drawn[0], low=drawn[1], high=drawn[2], text=value_text(finding))
        null = [] if finding.null_value is None else [MarkedLine(value=scale.shown(finding.null_value))]
        return interval_chart([plotted], title=heading_of(finding, audit), width=width, lines=null)
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
        text=f"{heading_of(finding, audit)}: {value_text(finding)}",
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
    return band_chart(marked, title=unit_text(finding), width=width)


def _tick(finding: Finding, value: float) -> str:
    scale = scale_of(finding)
    text = f"{abs(scale.shown(value)):.6g}"
    return text if value == 0 else (MINUS if value < 0 else "+" if scale.signed else "") + text


def _ends(finding: Finding) -> tuple[str, str]:
    """Return who is ahead on either side of no difference."""
    if not finding.reference:
        return "", ""
    low, high = group_label(finding.reference), group_label(finding.focal)
    return (f"← towards {low}", f"towards {high} →") if is_slope(finding) else (f"← {low} higher", f"{high} higher →")


def _estimates(finding: Finding, groups: Sequence[Finding], audit: Measured) -> Table:
    """Return the two groups, their difference, and the other intervals of it."""
    scale = scale_of(finding)
    labels = [group_label(found.focal) for found in groups]
    labels.append("difference" if finding.reference else "this run")
    null = () if finding.null_value is None else (finding.null_value,)
    table = estimate_table(
        [*groups, finding],
        caption=f"{heading_of(finding, audit)}. Unit: {_unit(finding)}.",
        first="Group" if groups else "Value",
        labels=[capital(label) for label in labels],
        extra={"Method": [*(one.method for one in groups), finding.method]},
        without={"p", "p, adjusted", MARK},
    )
    if not finding.alternatives:
        return table
    heads = [column.label for column in table.columns]
    place, method = (
        heads.index(interval_heading([*groups, finding])) if interval_heading([*groups, finding]) in heads else None,
        heads.index("Method"),
    )
    lines = [list(line) for line in table.rows]
    for other in finding.alternatives:
        line = [""] * len(heads)
        line[0], line[method] = "Other interval", other.method
        if other.clusters and CLUSTERS in heads:
            kinds = [counted(count, in_words(kind)) for kind, count in other.clusters.items()]
            line[heads.index(CLUSTERS)] = " × ".join(kinds)
        if place is not None:
            line[place] = scale.interval(other.low, other.high, apart=null)
        if other.low is None:
            line[method] += f": {other.reason or 'not computed'}"
        lines.append(line)
    return Table(caption=table.caption, columns=table.columns, rows=lines)


def _unit(finding: Finding) -> str:
    return (
        "percentage points for the difference, % for the groups"
        if finding.measured_in == "share" and finding.reference
        else unit_text(finding)
    )


def _tests(finding: Finding) -> Table:
    """Return the tests; their statistics only where they tell more than the estimate."""
    repeated = finding.estimate is not None and all(
        test.statistic is None or isclose(test.statistic, finding.estimate, abs_tol=1e-12) for test in finding.tests
    )
    columns = {
        "Test": [test.name + (f" ({test.reason})" if test.reason else "") for test in finding.tests],
        "Statistic": [
            ABSENT if test.statistic is None else f"{test.statistic:.3f}".replace("-", MINUS) for test in finding.tests
        ],
        "p": [p_text(test.p) for test in finding.tests],
    }
    if repeated:
        del columns["Statistic"]
    return Table(
        caption="Tests that there is no difference",
        columns=[Column(label=label, numeric=label != "Test") for label in columns],
        rows=list(zip(*columns.values(), strict=True)),
    )


def _marks(finding: Finding, bands: Bands, references: Sequence[ReferenceValue]) -> Table:
    """Return the four bands, what lies in each, and where they come from."""
    scale, edges, centre = scale_of(finding), bands.edges, bands.centre
    held: dict[str, list[str]] = {letter: [] for letter in LETTERS}
    for reference in references:
        value = reference.value or 0.0
        distance = abs(value - centre)
        letter = next((a for a, edge in zip(LETTERS, edges, strict=True) if distance <= edge + 1e-9), LETTERS[-1])
        held[letter].append(f"{reference.kind} ({_tick(finding, value)})")
    lines = []
    for letter, edge in zip(LETTERS, edges, strict=True):
        here = ["estimate"] * (letter == finding.mark) + ["interval"] * (letter in finding.marks_touched)
        up_to = (
            "farther"
            if letter == LETTERS[-1]
            else f"up to {scale.shown(edge):g}{' points' if finding.measured_in == 'share' else ''}"
        )
        lines.append([letter, up_to, listing(here) if here else ABSENT, ", ".join(held[letter]) or ABSENT])
    source = f" Bands: {bands.source}." if bands.source else ""
    return Table(
        caption=f"Mark {mark_text(finding)}.{source}" if finding.mark else f"No mark.{source}",
        columns=[
            Column(label="Mark", numeric=False),
            Column(label=f"Distance from {_tick(finding, centre)}", numeric=False),
            Column(label="This run", numeric=False),
            Column(label="Reference models", numeric=False),
        ],
        rows=lines,
    )
