"""The page of a run on golden cases: how often the scorer judges as people did, by group and against the run before."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evenhand.report.impact.counted import time_told
from evenhand.report.page.contents import Page
from evenhand.report.page.context import Definition
from evenhand.report.page.parts import Opening, Part, Section
from evenhand.report.page.text import GOLDEN
from evenhand.report.scores.evaluate.asked import evaluate_definitions, evaluate_limits
from evenhand.report.scores.evaluate.calibration import calibration_section
from evenhand.report.scores.evaluate.chapters import attribute_section
from evenhand.report.scores.evaluate.opening import (
    first_views,
    groups_told,
    interval_figure,
    opening_tables,
    versions_told,
)
from evenhand.report.scores.evaluate.told import by_columns, happened, selected_when, with_interval
from evenhand.report.scores.evaluate.versions import versions_section
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.wording import in_words, listing
from evenhand.tables.audit.applicants.evaluate import GoldenAudit
from evenhand.tables.grouped.evaluate import EvaluateGroups
from evenhand.tables.grouped.names import (
    ACCURACY,
    AUC,
    BASE_RATE,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    F1,
    FNR,
    FPR,
    PRECISION,
)

__all__ = ["PAGE"]

_SHOWN: Final = (BASE_RATE, ACCURACY, AUC, FNR, FPR, CALIBRATION_SLOPE)
_GAPS: Final = (ACCURACY, AUC, FNR, FPR, CALIBRATION_INTERCEPT)
_TABLES: Final[Mapping[str, Sequence[str]]] = {
    "Accuracy and ranking": (ACCURACY, AUC),
    "Labels and errors": (BASE_RATE, FNR, FPR),
    "Precision": (PRECISION, F1),
    "Calibration": (BRIER, CALIBRATION_INTERCEPT, CALIBRATION_SLOPE),
}


def golden_opening(groups: EvaluateGroups, audit: GoldenAudit) -> Opening:
    """Return the first screen."""
    return Opening(
        sentences=[_judged(groups), *_unscored(audit), *_against(groups, audit), *groups_told(groups, audit, _GAPS)],
        tables=opening_tables(groups, audit, _SHOWN),
        figures=[interval_figure(view, (ACCURACY,)) for view in first_views(groups)[:1]],
        steps=[],
    )


def _judged(groups: EvaluateGroups) -> str:
    """Return how often the scorer judges as people did."""
    accuracy, ranking = groups.everybody[ACCURACY], groups.everybody[AUC]
    right = round((accuracy.estimate or 0) * accuracy.n)
    auc = (
        f"the AUC can't be computed: {ranking.reason}" if ranking.estimate is None else f"AUC {with_interval(ranking)}."
    )
    return (
        f"{count_text(right)} of {counted(accuracy.n, 'golden case')} are judged as people labelled them: accuracy "
        f"{with_interval(accuracy)}; {auc}"
    )


def _unscored(audit: GoldenAudit) -> Iterator[str]:
    left = (audit.accounting.rows_read or 0) - (audit.accounting.rows_used or 0)
    if left:
        yield f"{counted(left, 'case has', 'cases have')} no score that can be read."


def _against(groups: EvaluateGroups, audit: GoldenAudit) -> Iterator[str]:
    held = audit.held_against
    if held is None:
        yield f"There is no earlier run of {audit.judged_as} to hold it against."
        return
    before = f"On the {counted(held.cases, 'case')} that {held.model} of {held.started} scored, too, this run"
    yield from versions_told(groups, first_views(groups), new=before, always=(ACCURACY, AUC))


def _chapters(groups: EvaluateGroups, audit: GoldenAudit) -> list[Section]:
    against = versions_section(groups, audit.whom)
    found = [
        _cases(audit),
        *(attribute_section(view, number, audit, _TABLES) for number, view in enumerate(groups.views, start=1)),
        None if against is None else replace(against, heading="This run against the one before"),
        calibration_section(groups, audit),
    ]
    return [section for section in found if section is not None]


def _cases(audit: GoldenAudit) -> Section:
    """Return which cases were scored, and how many of each group."""
    of = audit.accounting
    scored = of.rows_used or 0
    rows = {
        "In the version": (of.rows_read or 0) + audit.forgotten,
        "Forgotten since, not scored": audit.forgotten,
        "Without a score that can be read": (of.rows_read or 0) - scored,
        "Scored": scored,
    }
    told = {name: n for name, n in rows.items() if n or name == "Scored"}
    return Section(
        name="cases",
        heading="Cases",
        text=["People labelled each case without a look at scores: two alike, or a third person where two differ."],
        parts=[
            Part(
                tables=[
                    by_columns(
                        f"Cases of version {audit.version}",
                        {"What": list(told), "Cases": [count_text(n) for n in told.values()]},
                    )
                ]
            )
        ],
    )


def _asked(audit: GoldenAudit) -> list[Definition]:
    """Return what was scored, as pairs of a term and its value."""
    held = audit.held_against
    rows = [
        ("Model", audit.judged_as),
        ("Scorer", audit.scorer),
        ("Golden set", f"version {audit.version}, SHA-256 {audit.digest}"),
        ("Labels", ", ".join(audit.labels) + (f"; yes from {audit.positive} on" if len(audit.labels) > 2 else "")),
        ("Judged yes", selected_when(audit.decided)),
        ("Groups by", listing([in_words(name) for name in audit.attributes])),
        (
            "Held against",
            "" if held is None else f"{held.model} of {held.started} ({held.scorer}, above {held.cutoff:g})",
        ),
        ("Compared with", "the group with the best value, in each measure" if audit.attributes else ""),
        ("Started", time_told(audit.started)),
        ("Finished", time_told(audit.finished)),
    ]
    return [(term, value) for term, value in rows if value]


PAGE: Final[Page[GoldenAudit, EvaluateGroups]] = Page(
    opening=lambda content: golden_opening(content.groups, content.audit),
    chapters=lambda content: _chapters(content.groups, content.audit),
    asked=lambda content: _asked(content.audit),
    limits=lambda content: evaluate_limits(content.audit),
    definitions=lambda content: [
        (
            "Outcome, selected",
            f"Here the outcome is {happened(content.audit.decided)}, and selected is who is judged yes.",
        ),
        *evaluate_definitions({finding.measure for finding in content.findings}),
    ],
    text=GOLDEN,
)
