"""Sensitivity to the cut-off: what each group's rate and impact ratio would be at other cut-offs."""

from collections.abc import Callable, Sequence

from evenhand.report.charts import LinePoint, line_chart
from evenhand.report.impact.views import APART, FOUR_FIFTHS_LINE, RATIO, columns_table, ratio_lines, share_text
from evenhand.report.page.parts import Figure, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, count_text
from evenhand.report.words.wording import capital, in_words
from evenhand.tables.audit.applicants.small_tables import SweepRate
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.grouped.impact import ImpactGroups

__all__ = ["FEW", "cutoff_section"]

#: Fewer selections than this in a group or in the group with the highest rate: the ratio hangs on single people.
FEW = 5
#: Lines that a reader can follow in one chart.
MOST_SERIES = 6
NO_RATIO = (
    "No chart of impact ratios: at none of the cut-offs is anybody selected in the group that others are compared with."
)


def cutoff_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return ratio and rate by cut-off for each attribute; None without scores."""
    parts: list[Part] = []
    for attribute, rows in groups.sweep.items():
        labels = list(dict.fromkeys(row.group for row in rows))
        ratios, rates = [], []
        for start in range(0, len(labels), MOST_SERIES):
            chosen = set(labels[start : start + MOST_SERIES])
            own = [row for row in rows if row.group in chosen]
            if any(row.impact_ratio is not None for row in own):
                ratios.append(_ratios(own, rows, audit))
            rates.append(_rates(own, audit))
        name = capital(in_words(attribute))
        if ratios:
            parts.append(Part(heading=name, figures=ratios, folded=bool(parts)))
            parts.append(Part(heading=f"{name}: selection rates", figures=rates, folded=True))
        else:
            parts.append(Part(heading=name, text=[NO_RATIO], figures=rates, folded=bool(parts)))
    if not parts:
        return None
    text = [
        "Cut-offs at equally spaced ranks of all scores are tried in turn. A cut-off that was picked "
        "because its ratio looks good, or bad, is chosen post hoc.",
        f"Hollow points rest on fewer than {FEW} selections, in the group or in the one that it is compared with: "
        "there one person moves the ratio far.",
    ]
    return Section(name="cutoffs", heading="Sensitivity to the cut-off", text=text, parts=parts)


def _against(rows: Sequence[SweepRate]) -> str:
    """Return whom the ratios are to: a group that was named, or the one that is ahead."""
    named = rows[0].reference
    return f"{named}, the group that was named" if named is not None else "the group with the highest rate there"


def _few(row: SweepRate, rows: Sequence[SweepRate]) -> bool:
    at = [each for each in rows if each.cutoff == row.cutoff]
    named = [each for each in at if each.group == row.reference]
    against = named[0] if named else max(at, key=lambda each: each.rate)
    return row.selected < FEW or against.selected < FEW


def _ratios(own: Sequence[SweepRate], rows: Sequence[SweepRate], audit: ImpactAudit) -> Figure:
    few = {(row.group, row.cutoff): _few(row, rows) for row in own}
    points = [
        LinePoint(
            at=row.cutoff,
            value=row.impact_ratio,
            series=row.group,
            hollow=few[row.group, row.cutoff],
            text=f"{row.group}, {audit.side} {row.cutoff:g}: {RATIO.text(row.impact_ratio, apart=APART)}, "
            f"{count_text(row.selected)} of {count_text(row.n)} selected",
        )
        for row in own
        if row.impact_ratio is not None
    ]
    title = f"Impact ratio by cut-off, groups of {in_words(own[0].attribute)}"
    lines = [line for line in ratio_lines(audit) if line.value == FOUR_FIFTHS_LINE]

    def cell(row: SweepRate) -> str:
        marked = " (few)" if few[row.group, row.cutoff] else ""
        return RATIO.text(row.impact_ratio, apart=APART) + marked

    return Figure(
        title=title,
        note="The dashed line at 0.8 is four fifths; the axis need not begin at 0. At each cut-off the ratio is "
        f"to {_against(own)}.",
        chart=lambda width: line_chart(points, title="Impact ratio", along="cut-off", width=width, lines=lines),
        tables=[_table(own, cell, caption=f"{title}; (few): fewer than {FEW} selections")],
    )


def _rates(own: Sequence[SweepRate], audit: ImpactAudit) -> Figure:
    points = [
        LinePoint(
            at=row.cutoff,
            value=100 * row.rate,
            series=row.group,
            hollow=row.selected < FEW,
            text=f"{row.group}, {audit.side} {row.cutoff:g}: {share_text(row.rate)} selected, "
            f"{count_text(row.selected)} of {count_text(row.n)}",
        )
        for row in own
    ]
    title = f"Selection rate by cut-off, groups of {in_words(own[0].attribute)}"
    return Figure(
        title=title,
        note="",
        chart=lambda width: line_chart(points, title="% selected", along="cut-off", width=width, zero=True),
        tables=[
            _table(
                own,
                lambda row: f"{share_text(row.rate)} ({count_text(row.selected)})",
                caption=f"{title}, and how many",
            )
        ],
    )


def _table(own: Sequence[SweepRate], cell: Callable[[SweepRate], str], *, caption: str) -> Table:
    cutoffs = sorted({row.cutoff for row in own})
    cells = {(row.group, row.cutoff): cell(row) for row in own}
    groups = list(dict.fromkeys(row.group for row in own))
    return columns_table(
        {group: [cells.get((group, cutoff), ABSENT) for cutoff in cutoffs] for group in groups},
        caption=caption,
        first="Cut-off",
        folded=True,
        labels=[f"{cutoff:.6g}" for cutoff in cutoffs],
    )
