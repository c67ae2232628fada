"""A new version of a score against the previous one."""

from collections.abc import Sequence

from evenhand.report.page.parts import Part, Section, Table
from evenhand.report.scores.evaluate.told import (
    attributes_told,
    by_columns,
    group_told,
    measure_told,
    plain_scale,
    value_told,
)
from evenhand.report.words.numbers import count_text, p_text, scale_of
from evenhand.report.words.wording import listing
from evenhand.tables.audit.applicants.predictions import VersionChange
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.evaluate import EvaluateGroups

__all__ = ["versions_section"]


def versions_section(groups: EvaluateGroups, whom: str = "people") -> Section | None:
    """Return the chapter; None without a previous version."""
    if not groups.changes:
        return None
    tables = [_changed(f"All {whom}", list(groups.changes.values()))]
    for view in groups.views:
        rows = [each for own in view.changes.values() for each in own.values()]
        tables.append(_changed(f"By {attributes_told(view.attributes)}", rows, folded=True))
    tests = listing(list(dict.fromkeys(test.name for each in groups.changes.values() for test in each.tests)))
    return Section(
        name="versions",
        heading="The new version against the previous one",
        text=[
            f"Both versions scored the same {whom}, so differences are paired ({tests}). A lower FPR, FNR and Brier "
            "score is better, and a higher value of the others; of the selection rate neither is. p is adjusted for "
            "the groups (Holm)."
        ],
        parts=[Part(tables=tables)],
    )


def _changed(caption: str, rows: Sequence[Finding], *, folded: bool = False) -> Table:
    details = [VersionChange.of(each) for each in rows]
    return by_columns(
        caption,
        {
            "Measure": [measure_told(each) for each in rows],
            "Whose": [group_told(each.focal) if each.focal else "all" for each in rows],
            "New": [plain_scale(each).text(d.value_new) for each, d in zip(rows, details, strict=True)],
            "Previous": [plain_scale(each).text(d.value_previous) for each, d in zip(rows, details, strict=True)],
            "Difference": [value_told(each) for each in rows],
            "95 % CI": [scale_of(each).interval(each.low, each.high, apart=(0.0,)) for each in rows],
            "n": [count_text(each.n) for each in rows],
            "p, adjusted": [p_text(each.p_adjusted) for each in rows],
            "Note": [each.reason or "" for each in rows],
        },
        folded=folded,
    )
