"""The page of a run on golden cases: agreement of the scorer with people, by group and against the earlier run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evenhand.report.evaluate import summary, words
from evenhand.report.evaluate.sections import attribute_section, calibration_section, versions_section
from evenhand.report.page.contents import GOLDEN, Definition, Page, set_up
from evenhand.report.page.parts import PageSummary, Part, Section, table, table_of
from evenhand.report.words.numbers import ABSENT, PERCENT, count_text, counted
from evenhand.report.words.results import in_words, listing, with_interval
from evenhand.results import measures
from evenhand.results.score_audit import Covered, GoldenAudit
from evenhand.results.table_groups import EvaluateGroups

_GOLDEN_MEASURES: Final = (
    measures.BASE_RATE,
    measures.ACCURACY,
    measures.AUC,
    measures.FNR,
    measures.FPR,
    measures.CALIBRATION_SLOPE,
)
#: Groups and positions without a case that are named.
MOST_MISSING: Final = 8
#: What the first screen compares: what is planned of golden cases.
_FIRST: Final = (measures.ACCURACY, measures.AUC, measures.FNR, measures.FPR)
_TABLES: Final[Mapping[str, Sequence[str]]] = {
    "Accuracy and ranking": (measures.ACCURACY, measures.AUC),
    "Labels and errors": (measures.BASE_RATE, measures.FNR, measures.FPR),
    "Precision": (measures.PRECISION, measures.F1),
    "Calibration": (measures.BRIER, measures.CALIBRATION_INTERCEPT, measures.CALIBRATION_SLOPE),
}


def golden_summary(groups: EvaluateGroups, audit: GoldenAudit) -> PageSummary:
    """Return the first screen."""
    return PageSummary(
        sentences=[
            *_drawn_sentences(groups, audit),
            _accuracy_sentence(groups, audit),
            *summary.turned_round(groups, audit),
            *_unscored(audit),
            *_against(groups, audit),
            *summary.group_sentences(groups, audit, _FIRST),
        ],
        tables=summary.summary_tables(groups, audit, _GOLDEN_MEASURES),
        figures=[summary.interval_figure(view, (measures.ACCURACY,)) for view in summary.first_views(groups)[:1]],
        steps=[],
    )


def _accuracy_sentence(groups: EvaluateGroups, audit: GoldenAudit) -> str:
    """Return how often the scorer judges as people did."""
    accuracy, ranking = groups.everybody[measures.ACCURACY], groups.everybody[measures.AUC]
    right = round((accuracy.estimate or 0) * accuracy.n)
    auc = (
        f"the AUC can't be computed: {ranking.reason}" if ranking.estimate is None else f"AUC {with_interval(ranking)}."
    )
    return (
        f"{count_text(right)} of {counted(accuracy.n, 'golden case')}{', drawn and chosen,' if audit.drawn else ''} "
        "are judged as people labelled them: accuracy "
        f"{with_interval(accuracy)}; {auc}"
    )


def _drawn_sentences(groups: EvaluateGroups, audit: GoldenAudit) -> Iterator[str]:
    """Yield what the drawn cases tell of all recorded ones, and whom the cases are of."""
    if audit.drawn:
        accuracy, kappa = (groups.everybody[name] for name in (measures.DRAWN_ACCURACY, measures.DRAWN_KAPPA))
        agreement = f"kappa {with_interval(kappa)}." if kappa.estimate is not None else f"no kappa: {kappa.reason}"
        yield (
            f"Estimated from {count_text(audit.drawn)} of {counted(audit.drawn_of, 'case')} drawn at random, weighted: "
            f"of the recorded cases with a text {audit.judged_as} judges {with_interval(accuracy, level=True)} as "
            f"they were labelled; {agreement} {_coverage_sentence(audit)}"
        )


def _unscored(audit: GoldenAudit) -> Iterator[str]:
    unscored = (audit.accounting.rows_read or 0) - (audit.accounting.rows_used or 0)
    if unscored:
        yield f"{counted(unscored, 'case has', 'cases have')} no score that can be read."


def _against(groups: EvaluateGroups, audit: GoldenAudit) -> Iterator[str]:
    earlier = audit.held_against
    if earlier is None:
        yield f"There is no earlier run of {audit.judged_as} to compare it with."
        return
    before = f"On the {counted(earlier.cases, 'case')} that {earlier.model} of {earlier.started} scored, too, this run"
    yield from summary.version_sentences(groups, _FIRST, new=before, always=(measures.ACCURACY, measures.AUC))


def _golden_sections(groups: EvaluateGroups, audit: GoldenAudit) -> list[Section]:
    against = versions_section(groups, audit.whom)
    sections = [
        _drawn(groups, audit),
        _cases(audit),
        _coverage(audit),
        *(attribute_section(view, number, audit, _TABLES) for number, view in enumerate(groups.views, start=1)),
        None if against is None else replace(against, heading="This run against the one before"),
        calibration_section(groups, audit),
    ]
    return [section for section in sections if section is not None]


def _cases(audit: GoldenAudit) -> Section:
    """Return how many cases were scored, left out or forgotten."""
    accounting = audit.accounting
    scored = accounting.rows_used or 0
    rows = {
        "In the version": (accounting.rows_read or 0) + audit.forgotten,
        "Forgotten since, not scored": audit.forgotten,
        "Without a score that can be read": (accounting.rows_read or 0) - scored,
        "Scored": scored,
    }
    shown_rows = {name: n for name, n in rows.items() if n or name == "Scored"}
    return Section(
        name="cases",
        heading="Cases",
        text=["Two people labelled each case without seeing scores; a third decided where they differed."],
        parts=[
            Part(
                tables=[
                    table(
                        f"Cases of version {audit.version}",
                        ("What", "Cases"),
                        [(name, count_text(n)) for name, n in shown_rows.items()],
                    )
                ]
            )
        ],
    )


def _drawn(groups: EvaluateGroups, audit: GoldenAudit) -> Section | None:
    """Return the estimates from drawn cases by group, and apart from them the cases chosen for a reason."""
    if not audit.drawn:
        return None
    by_group = {"All": groups.everybody}
    for view in groups.views:
        by_group |= {group: found for group, found in view.by_group.items() if measures.DRAWN_ACCURACY in found}
    heads = {"Accuracy": measures.DRAWN_ACCURACY, "Kappa": measures.DRAWN_KAPPA}
    estimates = table(
        "Recorded cases judged as people labelled them, and Cohen's kappa, with 95 % intervals",
        ("Group", "Drawn", *heads),
        [
            (
                group,
                count_text(found[measures.DRAWN_ACCURACY].n),
                *(with_interval(found[name]) for name in heads.values()),
            )
            for group, found in by_group.items()
        ],
    )
    chosen = table(
        "Cases chosen to be looked at, by the kind of reason; they enter no estimate",
        ("Reason", "Cases", "Judged as labelled"),
        [(row.reason, count_text(row.cases), count_text(row.right)) for row in audit.chosen],
    )
    text = [
        "Each drawn case is weighted by the number of recorded cases that it stands for. Drawn cases that are not "
        "settled, not scored or forgotten are taken to be like the others of their groups."
    ]
    if audit.not_represented:
        cases = counted(audit.not_represented, "recorded case is", "recorded cases are")
        text.append(f"{cases} in no estimate: of their groups no drawn case is settled and scored.")
    return Section(
        name="drawn", heading="Estimates from drawn cases", text=text, parts=[Part(tables=[estimates, chosen])]
    )


def _coverage_sentence(audit: GoldenAudit) -> str:
    """Return how old the cases are, and of which groups and positions there is none."""
    whole, *parts = audit.coverage
    without = [f"{in_words(row.name)} {row.value}" for row in parts if not row.cases]
    more = f" and {len(without) - MOST_MISSING:,} more" if len(without) > MOST_MISSING else ""
    missing = f" None is of {', '.join(without[:MOST_MISSING])}{more}." if without else ""
    newest = counted(whole.newest_age or 0, "day")
    return f"The newest case is {newest} old, the median {whole.median_age or 0:,.0f}.{missing}"


def _coverage(audit: GoldenAudit) -> Section | None:
    """Return whom the cases are of: groups, positions, ages."""
    if not audit.coverage:
        return None
    columns: dict[str, Callable[[Covered], str]] = {
        "Group": lambda row: f"{in_words(row.name)} {row.value}".strip() or "All",
        "Cases": lambda row: count_text(row.cases),
        "Drawn": lambda row: count_text(row.drawn),
        "Share of cases": lambda row: PERCENT.text(row.cases / max(audit.coverage[0].cases, 1)),
        "Share of recorded": lambda row: PERCENT.text(row.recorded),
        "Newest, days": lambda row: ABSENT if row.newest_age is None else count_text(row.newest_age),
        "Median, days": lambda row: ABSENT if row.median_age is None else f"{row.median_age:,.0f}",
    }
    caption = "Cases and recorded judgements by group and position; days since they were decided or added"
    covered = table_of(audit.coverage, columns, caption=caption, folded=len(audit.coverage) > MOST_MISSING)
    text = [_coverage_sentence(audit)]
    return Section(name="coverage", heading="Coverage", text=text, parts=[Part(tables=[covered])])


def _parameter_rows(audit: GoldenAudit) -> list[Definition]:
    """Return the set-up, as pairs of a term and its value."""
    earlier = audit.held_against
    rows = [
        ("Model", audit.judged_as),
        ("Scorer", audit.model),
        ("Golden set", f"version {audit.version}, SHA-256 {audit.digest}"),
        ("Labels", ", ".join(audit.labels) + (f"; yes from {audit.positive} on" if len(audit.labels) > 2 else "")),
        ("Judged yes", words.selected_when(audit.decided)),
        ("Groups by", listing([in_words(name) for name in audit.attributes])),
        (
            "Held against",
            ""
            if earlier is None
            else f"{earlier.model} of {earlier.started} ({earlier.scorer}, above {earlier.cutoff:g})",
        ),
        ("Compared with", "the group with the best value, in each measure" if audit.attributes else ""),
    ]
    return set_up(rows, audit)


PAGE: Final[Page[GoldenAudit, EvaluateGroups]] = Page(
    opening=lambda content: golden_summary(content.groups, content.audit),
    chapters=lambda content: _golden_sections(content.groups, content.audit),
    asked=lambda content: _parameter_rows(content.audit),
    limits=lambda content: words.evaluate_limits(content.audit),
    definitions=lambda content: [
        (
            "Outcome, selected",
            f"Here the outcome is {words.happened(content.audit.decided)}, and selected is who is judged yes.",
        ),
        *words.evaluate_definitions({finding.measure for finding in content.findings}),
    ],
    text=GOLDEN,
)
