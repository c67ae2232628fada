"""The same in each slice, such as each language: its people, and how far its groups differ."""

from collections.abc import Mapping, Sequence
from typing import Final

from evenhand.report.page.parts import Part, Section
from evenhand.report.scores.evaluate.told import differences_table, values_table
from evenhand.report.words.numbers import count_text
from evenhand.report.words.wording import in_words
from evenhand.tables.grouped.evaluate import EvaluateGroups
from evenhand.tables.grouped.names import AUC, BASE_RATE, BRIER, FNR, FPR, PRECISION, SELECTION_RATE

__all__ = ["slices_section"]

#: Rows of a table of differences.
MOST_ROWS: Final = 60
_TABLES: Final[Mapping[str, Sequence[str]]] = {
    "Everybody": (BASE_RATE, SELECTION_RATE, AUC),
    "Errors of everybody": (FNR, FPR, PRECISION),
    "Brier score of everybody": (BRIER,),
}


def slices_section(groups: EvaluateGroups) -> Section | None:
    """Return every slice: its people, and how far its groups differ."""
    if not groups.slices:
        return None
    parts = []
    for name in dict.fromkeys(key for view in groups.slices for key in view.slice):
        views = [view for view in groups.slices if name in view.slice]
        alone = {view.slice[name]: view.everybody for view in views}
        tables = [
            values_table(f"{caption}, by {in_words(name)}", alone, measures, first="Slice")
            for caption, measures in _TABLES.items()
            if any(each in own for own in alone.values() for each in measures)
        ]
        rows = [
            each
            for view in views
            if not view.crossed
            for measure in (AUC, FNR, FPR, PRECISION)
            for each in view.gaps.get(measure, ())
        ]
        rows.sort(key=lambda each: (each.p_adjusted is None, each.p_adjusted, -abs(each.estimate or 0.0)))
        left = len(rows) - MOST_ROWS
        if rows:
            where = [each.slice[name] for each in rows[:MOST_ROWS]]
            tables.append(
                differences_table(
                    f"Groups within each {in_words(name)}, the surest difference first",
                    rows[:MOST_ROWS],
                    more={"Slice": where},
                )
            )
        more = [f"{count_text(left)} more are in findings.json."] if left > 0 else []
        parts.append(Part(heading=f"By {in_words(name)}", text=more, tables=tables))
    text = ["Exploratory: p is adjusted for all pairs of groups in all slices of a column (Benjamini-Hochberg)."]
    return Section(name="slices", heading="Within slices", text=text, parts=parts)
