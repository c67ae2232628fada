"""Diversity: who is at each stage and who passes it, by group, within the months chosen."""

from collections.abc import Mapping, Sequence
from typing import Final

from evenhand.dashboard.disclosure import MONTH, NOT_KNOWN, VARIANCE, Cell
from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views import ratios
from evenhand.dashboard.views.over_time import ONE_REFERENCE, lines_over_time, over_time
from evenhand.dashboard.views.ratios import group_of, plain, stage_name
from evenhand.dashboard.views.view import CROSS, Address, Process, View, chosen_process, month_choices, months_of, same
from evenhand.dashboard.views.worst import differences, every_process, first_place, worst_within
from evenhand.report.charts.intervals import BarRow, bar_chart
from evenhand.report.impact.summary import significant_cell
from evenhand.report.impact.views import short_ratio
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Figure, Part, Section, Table, headings
from evenhand.report.words.numbers import ABSENT
from evenhand.report.words.results import capital
from evenhand.results.finding import Finding

#: Groups whose shares are drawn.
_MOST_GROUPS: Final = 8


def _requested_view(request: PageRequest) -> View:
    """Return the composition of each stage, or of one by a breakdown; unknown names mean the first.

    A `value` of the breakdown is shown over time. The largest difference anywhere in the process is named.
    """
    process = chosen_process(request, "Diversity")
    if isinstance(process, View):
        return process
    counts, model, asked = process.counts, process.model, request.query
    with request.shown.opened() as store:
        anywhere = differences(tuple(every_process(request.shown, store, published=not request.exact).items()))
    attribute = request.chosen("attribute", [CROSS.join(crossed) for crossed in counts.crossings]) or ""
    by = asked.get("by", "") if asked.get("by") in counts.values else ""
    stages = list(counts.stages_at())
    stage = request.chosen("stage", stages) or ""
    crossed = tuple(attribute.split(CROSS)) if attribute else ()
    value = asked["value"] if by not in {"", MONTH} and asked.get("value") in counts.values[by] else ""
    here = {"model": model, "attribute": attribute, "stage": stage if by else "", **months_of(counts)}
    effects = counts.effects(crossed, by)
    effects = {name: effects[name] for name in ([stage] if by else stages) if name in effects}
    spans, column = None, by
    if by == MONTH or value:
        series = over_time(counts, crossed, by=by, value=value).at(stage)
        stage_cells, column = series.cells, by if by == MONTH else "quarter"
        spans = round(series.noise / VARIANCE)
        lines = lines_over_time(series, counts, crossed, by=by, link=here | ({"by": by} if value else {}))
        sections, compared = [*lines.sections], lines.compared
    else:
        cells = counts.cells(crossed, by)
        totals = {(cell.stage, cell.value): cell for cell in counts.cells((), by)}
        stage_cells = [cell for cell in cells if cell.stage == stage] if by else cells
        compared = ratios.compared_cells(
            stage_cells, crossed, counts.noise, effects=effects, people=counts.by_person(crossed, by)
        )
        deeper = {"by": by} if by else {"by": first_place(counts)}

        def link(at: str, of: str) -> str:
            return link_to("/diversity", here, deeper, {"stage": at, "value": of})

        sections = (
            [_ratios_by(compared, by, stage_cells, link), _broken_down(stage_cells, totals, by, link)]
            if by
            else [
                ratios.selection_section("passed", "Selection at each stage", cells, compared, link=link),
                _composition(cells, totals, link),
            ]
        )
    answer = ratios.answer(compared, model, attribute)
    answer = f"{capital(plain(by))} {value}: {answer}" if value else answer
    if not attribute:
        answer = f"{model} has no groups of people; record them with evenhand monitor record --protected COL."
    further = ratios.left_out(compared, stage_cells)
    further += "" if by else ratios.position_sentence(counts, crossed) + worst_within(anywhere, model, crossed)
    page = LivePage(
        title="Diversity",
        answer=answer,
        further=[further.strip()] if further else [],
        sections=[section for section in sections if section.parts],
        choices=[
            *_choices(process, attribute, by, stage, value),
            *month_choices(counts),
        ],
        notes=[
            *ratios.ratio_notes(compared, [counts], effects=effects.values(), spans=spans),
            *([ONE_REFERENCE] if spans is not None and compared else []),
        ],
    )
    return View(page=page, frame=ratios.ratio_frame(stage_cells, compared, crossed, column), exact_link=True)


def _choices(process: Process, attribute: str, by: str, stage: str, value: str) -> list[Choice]:
    counts = process.counts
    breakdowns = {name: plain(name) or "nothing" for name in counts.values}
    choices = [
        process.choice,
        Choice(name="attribute", label="Groups", options=same(map(CROSS.join, counts.crossings)), chosen=attribute),
        Choice(name="by", label="Broken down by", options=breakdowns, chosen=by),
    ]
    if by:
        stages = {name: stage_name(name) for name in counts.stages_at()}
        choices.append(Choice(name="stage", label="Stage", options=stages, chosen=stage))
    if by and by != MONTH:
        values = {"": "all"} | same(counts.values[by])
        choices.append(Choice(name="value", label=capital(plain(by)), options=values, chosen=value))
    return [choice for choice in choices if choice.options]


def _composition(cells: Sequence[Cell], totals: Mapping[tuple[str, str], Cell], link: ratios.Deeper) -> Section:
    stages = list(dict.fromkeys(cell.stage for cell in cells))
    groups = list(dict.fromkeys(map(group_of, cells)))
    at = {(group_of(cell), cell.stage): cell for cell in cells}
    columns = headings("Group", *map(stage_name, stages))
    rows = [[group, *(_share(at[group, stage], totals[stage, ""]) for stage in stages)] for group in groups]
    bars = [
        BarRow(
            label=stage_name(stage),
            value=share,
            text=f"{group}: {_share(at[group, stage], totals[stage, ''])}",
            series=group,
            link=link(stage, ""),
        )
        for stage in stages
        for group in groups
        if (share := _percent(at[group, stage], totals[stage, ""])) is not None
    ]
    table = Table(caption="Decisions at each stage and the share of each group", columns=columns, rows=rows)
    figures = (
        [
            Figure(
                title="Share of each group at each stage, percent",
                note="",
                chart=lambda width: bar_chart(bars, title="Percent", width=width),
                tables=[table],
            )
        ]
        if bars and len(groups) <= _MOST_GROUPS
        else []
    )
    return Section(
        name="composition",
        heading="Composition of each stage",
        parts=[Part(figures=figures, tables=[] if figures else [table])],
    )


def _ratios_by(compared: Sequence[Finding], by: str, cells: Sequence[Cell], link: ratios.Deeper) -> Section:
    at = {(finding.slice["position"], ratios.focal_of(finding)): finding for finding in compared}
    against = {finding.slice["position"]: CROSS.join(finding.reference.values()) for finding in compared}
    cell_of = {(cell.value, group_of(cell)): cell for cell in cells if NOT_KNOWN not in cell.groups}
    groups = list(dict.fromkeys(group for _, group in cell_of))
    rows = [
        [value, reference, *(_ratio_text(at.get((value, group)), cell_of[value, group]) for group in groups)]
        for value, reference in against.items()
    ]
    heads = (plain(by).capitalize(), "Compared with", *groups)
    table = Table(
        caption="Impact ratio (95 % CI, uncorrected); * statistically significant after correction",
        columns=headings(*heads, words=["Compared with"]),
        rows=rows,
        links=[link(cells[0].stage, value) for value in against],
    )
    return ratios.ratio_section("passed", f"Impact ratios by {plain(by)}", compared, [table] if rows else [], link=link)


def _ratio_text(finding: Finding | None, cell: Cell) -> str:
    if finding is None:  # the reference itself, nobody, or too few
        return ratios.FEW_PEOPLE if cell.withheld or 0 < cell.decided < cell.fewest else ABSENT
    if finding.estimate is None:
        return significant_cell(finding)
    mark = "*" if finding.is_difference else ""
    ratio, _, interval = short_ratio(finding).partition(" ")
    return f"{ratio}{mark} {interval}".rstrip()


def _broken_down(
    cells: Sequence[Cell], totals: Mapping[tuple[str, str], Cell], by: str, link: ratios.Deeper
) -> Section:
    groups = list(dict.fromkeys(map(group_of, cells)))
    values = list(dict.fromkeys(cell.value for cell in ratios.with_rows(cells)))
    stage = cells[0].stage
    at = {(group_of(cell), cell.value): cell for cell in cells}
    columns = headings(plain(by).capitalize(), *groups)
    tables = [
        Table(
            caption=caption,
            columns=columns,
            rows=[
                [value, *(cell_text(at[group, value], totals[stage, value]) for group in groups)] for value in values
            ],
            links=[link(stage, value) for value in values],
        )
        for caption, cell_text in (
            ("Decisions and the share of each group", _share),
            ("Selection rate", lambda cell, _: ratios.SHARE.text(cell.rate)),
        )
    ]
    return Section(
        name="breakdown", heading=f"{capital(stage_name(stage))}, by {plain(by)}", parts=[Part(tables=tables)]
    )


def _percent(cell: Cell, total: Cell) -> float | None:
    return min(100 * cell.decided / total.decided, 100.0) if total.decided and not cell.withheld else None


def _share(cell: Cell, total: Cell) -> str:
    share = _percent(cell, total)
    return ratios.people_text(cell) if share is None else f"{ratios.people_text(cell)} ({share:.1f} %)"


ADDRESSES = (Address(path="/diversity", title="Diversity", answer=_requested_view),)
