"""Stage by stage: the groups among those who reached each stage, and the bottom line."""

from collections.abc import Sequence

from evenhand.report.charts import ratio_chart
from evenhand.report.impact.comparison import view_sentence
from evenhand.report.impact.groups import MOST_DRAWN
from evenhand.report.impact.views import (
    APART,
    RATIO,
    columns_table,
    definition_name,
    four_fifths_text,
    group_name,
    interval_row,
    p_cell,
    ratio_lines,
    share_text,
    view_name,
)
from evenhand.report.page.parts import Figure, Part, Section, Table
from evenhand.report.words.numbers import count_text
from evenhand.report.words.wording import capital
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, Step, View
from evenhand.tables.impact_files import BOTTOM_LINE

__all__ = ["stage_section"]


def stage_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return a block per stage, the bottom line last; None where there are no stages."""
    if not groups.steps:
        return None
    parts = []
    for step in groups.steps:
        stage, single = step.stage, [view for view in step.views if not view.crossed]
        heading = "Bottom line: all stages together" if stage == BOTTOM_LINE else f"Stage: {stage}"
        tables = [_stage_table(step, audit)]
        figures = [_stage_figure(single, stage, tables, audit)] if single else []
        parts.append(
            Part(
                heading=heading,
                text=[view_sentence(view, audit) for view in single] if stage != BOTTOM_LINE else [],
                figures=figures,
                tables=[] if figures else tables,
            )
        )
    text = [
        "Each stage is looked at among those who reached it. A balanced result at the end does not excuse a stage that "
        "disadvantages a group (Connecticut v. Teal, 457 U.S. 440 (1982)), and stages that look balanced one by one "
        "can add up.",
    ]
    return Section(name="stages", heading="Stage by stage", text=text, parts=parts)


def _stage_figure(views: Sequence[View], stage: str, tables: Sequence[Table], audit: ImpactAudit) -> Figure:
    several = len({view.attributes for view in views}) > 1, len({view.definition for view in views}) > 1

    def label(view: View, finding: Finding) -> str:
        told = [view_name(view)] * several[0] + [definition_name(view.definition, audit)] * several[1]
        return capital(group_name(finding.focal)) + (f" ({', '.join(told)})" if told else "")

    drawn = [interval_row(finding, label(view, finding)) for view in views for finding in view.findings][:MOST_DRAWN]
    return Figure(
        title=f"Impact ratios, {stage if stage == BOTTOM_LINE else f'stage {stage}'}",
        note="Each group against its reference in the table.",
        chart=lambda width: ratio_chart(drawn, title="Impact ratio", width=width, lines=ratio_lines(audit)),
        tables=tables,
    )


def _stage_table(step: Step, audit: ImpactAudit) -> Table:
    found = [(view, finding) for view in step.views if not view.means for finding in view.findings]
    several = len({(view.definition.approach, view.definition.cutoff) for view, _ in found}) > 1
    labels = [
        f"{capital(group_name(finding.focal))} against {group_name(finding.reference)}"
        + (f" ({definition_name(view.definition, audit)})" if several else "")
        for view, finding in found
    ]
    return columns_table(
        {
            "Rates": [
                f"{share_text(details.rate_focal)} of {count_text(details.n_focal)}, "
                f"{share_text(details.rate_reference)} of {count_text(details.n_reference)}"
                for details in (ImpactRatio.of(finding) for _, finding in found)
            ],
            "Ratio": [RATIO.text(finding.estimate, apart=APART) for _, finding in found],
            "95 % CI": [RATIO.interval(finding.low, finding.high, apart=APART) for _, finding in found],
            "Four-fifths": [
                four_fifths_text(ImpactRatio.of(finding).four_fifths).removesuffix(" four-fifths")
                for _, finding in found
            ],
            "p, adjusted": [p_cell(finding.p_adjusted) for _, finding in found],
            "Note": [finding.reason or "" for _, finding in found],
        },
        caption=f"All groups, {step.stage}",
        first="Group",
        labels=labels,
        words=["Rates", "Four-fifths"],
    )
