"""What every cut-off would do to each group: rates, ratios and errors, drawn."""

from collections.abc import Callable, Sequence
from typing import Final

from evenhand.report.charts import LinePoint, MarkedLine, line_chart
from evenhand.report.page.parts import Figure, Part, Section
from evenhand.report.scores.evaluate.told import by_columns
from evenhand.report.words.numbers import ABSENT, Scale
from evenhand.report.words.wording import capital, in_words
from evenhand.tables.audit.applicants.evaluate import CutoffRates, EvaluateAudit

__all__ = ["cutoff_section"]

#: Groups per chart; more have charts of their own.
MOST_SERIES: Final = 6
_SHARE, _RATIO = Scale(factor=100, suffix=" %", decimals=1), Scale(decimals=3)
FOUR_FIFTHS: Final = 0.8


def _fnr(row: CutoffRates) -> float | None:
    return None if row.tpr is None else 1 - row.tpr


#: What is drawn: its title, its value, how it is printed.
_DRAWN: Final[Sequence[tuple[str, Callable[[CutoffRates], float | None], Scale]]] = (
    ("Selection rate", lambda row: row.selection_rate, _SHARE),
    ("Impact ratio", lambda row: row.impact_ratio, _RATIO),
    ("FNR", _fnr, _SHARE),
    ("FPR", lambda row: row.fpr, _SHARE),
    ("Precision", lambda row: row.precision, _SHARE),
)


def cutoff_section(audit: EvaluateAudit) -> Section | None:
    """Return the chapter: five charts per attribute; None where no cut-off can be tried."""
    if not audit.cutoffs:
        return None
    parts: list[Part] = []
    for attribute in dict.fromkeys(each.attribute for each in audit.cutoffs):
        rows = [each for each in audit.cutoffs if each.attribute == attribute]
        labels = list(dict.fromkeys(each.group for each in rows))
        figures = [
            _figure([each for each in rows if each.group in labels[start : start + MOST_SERIES]], *drawn, audit)
            for drawn in _DRAWN
            for start in range(0, len(labels), MOST_SERIES)
        ]
        parts.append(Part(heading=capital(in_words(attribute)), figures=figures, folded=bool(parts)))
    what = "last ranks that are selected" if audit.decided.top is not None else "cut-offs"
    return Section(
        name="cutoffs",
        heading="Other cut-offs",
        text=[
            f"One {'rank' if audit.decided.top is not None else 'cut-off'} for everybody: what it would do to each "
            f"group. Drawn are {what} at equally spaced ranks of all scores; cutoffs.csv has the numbers. A cut-off "
            "that differs by group is no way out: to adjust scores or use different cut-offs by race, color, "
            "religion, sex or national origin is unlawful in hiring in the United States (42 U.S.C. 2000e-2(l)). A "
            "cut-off that is chosen because its numbers look good has to be tested on other people.",
        ],
        parts=parts,
    )


def _figure(
    rows: Sequence[CutoffRates],
    title: str,
    value: Callable[[CutoffRates], float | None],
    scale: Scale,
    audit: EvaluateAudit,
) -> Figure:
    along = "last rank selected" if audit.decided.top is not None else "cut-off"
    points = [
        LinePoint(
            at=row.cutoff,
            value=None if found is None else scale.shown(found),
            series=row.group,
            text=f"{row.group}, {along} {row.cutoff:g}: {scale.text(found)}, {row.selected:,} of {row.n:,} selected",
        )
        for row in rows
        for found in (value(row),)
    ]
    lines = [MarkedLine(value=FOUR_FIFTHS, text="0.8")] if scale is _RATIO else []
    name = f"{title} by cut-off, groups of {in_words(rows[0].attribute)}"
    cutoffs = sorted({row.cutoff for row in rows})
    cells = {(row.group, row.cutoff): scale.text(value(row)) for row in rows}
    groups = dict.fromkeys(row.group for row in rows)
    table = by_columns(
        name,
        {
            capital(along): [f"{cutoff:.6g}" for cutoff in cutoffs],
            **{group: [cells.get((group, cutoff), ABSENT) for cutoff in cutoffs] for group in groups},
        },
        folded=True,
    )
    unit = "" if scale is _RATIO else ", %"
    return Figure(
        title=name,
        note=""
        if scale is not _RATIO
        else "The dashed line at 0.8 is four fifths. The ratio is to the reference group there.",
        chart=lambda width: line_chart(
            points, title=f"{title}{unit}", along=along, width=width, lines=lines, zero=scale is not _RATIO
        ),
        tables=[table],
    )
