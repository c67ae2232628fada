"""Diversity: who is at each stage and who passes it, by group, as far as counts are disclosed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import polars as pl

from evenhand.dashboard.disclosure import Cube, DisclosedCell, Suppressed, disclosed_cells
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.bias import CROSS, Ratio, ratios
from evenhand.dashboard.views.view import Address, View, chosen_process
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import BarRow, IntervalRow, bar_chart, ratio_chart
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, Scale, counted, p_text
from evenhand.report.words.results import capital

_SHARE: Final = Scale(factor=100, suffix=" %", decimals=1)
_RATIO: Final = Scale(decimals=2)
_FOUR_FIFTHS: Final = MarkedLine(value=0.8, text="four fifths")
#: Ratios that are drawn, the lowest, and groups whose shares are.
_MOST_DRAWN, _MOST_GROUPS = 24, 8
_NOTES: Final = (
    "Counts below {least} are not shown, and as many others are withheld as it takes that none of these can be "
    "computed from the rest. Groups with such counts are in no impact ratio.",
    "What was shown before more was recorded, beside what is shown now, may tell of the few who came between: that is "
    "not prevented.",
)
_RATIOS: Final = (
    "The impact ratio is a group's selection rate over the highest one of the stage. Its interval and test take "
    "decisions as independent, also those on one person; p is adjusted for the number of comparisons."
)


@dataclass(frozen=True, kw_only=True)
class Cut:
    """What is shown of the cube: a model, attributes crossed by ' × ', a breakdown, and a stage to break down."""

    model: str
    attribute: str = ""
    by: str = ""
    stage: str = ""


def diversity(suppressed_cube: Suppressed, cut: Cut, *, models: Sequence[str], exact: bool = False) -> View:
    """Return the composition of each stage, or of one by a breakdown; unknown names mean the first."""
    cube = suppressed_cube.cube
    attributes = [CROSS.join(crossed) for crossed, by in cube.tables if crossed and not by]
    attribute = cut.attribute if cut.attribute in attributes else (attributes or [""])[0]
    by = cut.by if cut.by in cube.values else ""
    stages = list(cube.stages_at())
    stage = cut.stage if cut.stage in stages else stages[0]
    crossed = tuple(attribute.split(CROSS)) if attribute else ()
    cells = list(disclosed_cells(suppressed_cube, crossed, by, exact=exact))
    totals = {(cell.stage, cell.value): cell for cell in disclosed_cells(suppressed_cube, (), by, exact=exact)}
    stage_cells = [cell for cell in cells if cell.stage == stage] if by else cells
    compared = ratios(stage_cells, crossed, joined=CROSS)
    withheld = sum(count.number is None for cell in stage_cells for count in (cell.decided, cell.selected))
    sections = (
        [_broken_down(stage_cells, totals, by), _ratios_by(compared, by, list(dict.fromkeys(map(_group, stage_cells))))]
        if by
        else []
    )
    sections = sections or [_composition(cells, totals), _passed(cells, compared)]
    notes = [note.format(least=suppressed_cube.least) for note in _NOTES]
    if cube.left_out:
        names = ", ".join(map(_plain, cube.left_out))
        notes.append(f"There are too many values for a breakdown by {names}.")
    page = LivePage(
        title="Diversity",
        answer=_answer(compared, withheld, cut.model, attribute, by),
        sections=[section for section in sections if section.parts],
        choices=_choices(cube, cut.model, models, attributes, chosen=(attribute, by, stage)),
        notes=[_RATIOS, *(["All counts are exact; this page is not for others."] if exact else notes)],
    )
    return View(page=page, frame=_frame(stage_cells, compared, crossed, by), exact_link=True)


def _choices(
    cube: Cube, model: str, models: Sequence[str], attributes: Sequence[str], *, chosen: tuple[str, str, str]
) -> list[Choice]:
    attribute, by, stage = chosen
    choices = [
        Choice(name="model", label="Process", options={name: name for name in models}, chosen=model),
        Choice(name="attribute", label="Groups", options={name: name for name in attributes}, chosen=attribute),
        Choice(
            name="by",
            label="Broken down by",
            options={name: _plain(name) or "nothing" for name in cube.values},
            chosen=by,
        ),
    ]
    if by:
        choices.append(
            Choice(name="stage", label="Stage", options={name: _stage(name) for name in cube.stages_at()}, chosen=stage)
        )
    return [choice for choice in choices if choice.options]


def _answer(compared: Sequence[Ratio], withheld: int, model: str, attribute: str, by: str) -> str:
    """Return how many of the comparisons shown differ, and the largest difference."""
    known = [ratio for ratio in compared if ratio.estimate is not None and ratio.reference is not None]
    if not known:
        broken = f" by {' and '.join(map(_plain, filter(None, (attribute, by))))}" if attribute or by else ""
        qualifiers = f"{broken}{'' if attribute else '; no groups of people are known'}"
        return f"Who is at each stage of {model}{qualifiers}."
    differing = [ratio for ratio in known if ratio.detected]
    worst = max(differing or known, key=lambda ratio: _size(ratio.estimate or 0.0))
    place = ", ".join(filter(None, (_stage(worst.stage), worst.value)))
    example = (
        f"at {place} {_SHARE.text(worst.rate)} of {worst.group} and {_SHARE.text(worst.rate_reference)} of "
        f"{worst.reference} were selected, impact ratio {_RATIO.number(worst.estimate)} "
        f"(95 % CI {_RATIO.interval(worst.low, worst.high)})"
    )
    shown = f"the {counted(len(known), 'comparison')} shown" if len(known) > 1 else "the one comparison shown"
    others = f" {counted(withheld, 'count')} {'is' if withheld == 1 else 'are'} withheld." if withheld else ""
    if not differing:
        return f"In {shown} no statistically significant difference was detected; the largest: {example}.{others}"
    number = "The difference" if len(known) == 1 else f"{len(differing)} of {shown}"
    verb = "is" if len(differing) == 1 else "are"
    return f"{number} {verb} statistically significant, the largest: {example}.{others}"


def _size(ratio: float) -> float:
    """Return how far a ratio is from 1, in either direction."""
    return max(ratio, 1 / ratio) if ratio > 0 else inf


def _composition(cells: Sequence[DisclosedCell], totals: Mapping[tuple[str, str], DisclosedCell]) -> Section:
    stages = list(dict.fromkeys(cell.stage for cell in cells))
    groups = list(dict.fromkeys(map(_group, cells)))
    at = {(_group(cell), cell.stage): cell for cell in cells}
    columns = [Column(label="Group", numeric=False), *(Column(label=_stage(stage)) for stage in stages)]
    rows = [[group, *(_share(at[group, stage], totals[stage, ""]) for stage in stages)] for group in groups]
    bars = [
        BarRow(
            label=_stage(stage),
            value=share,
            text=f"{group}: {_share(at[group, stage], totals[stage, ''])}",
            series=group,
        )
        for stage in stages
        for group in groups
        if (share := _percent(at[group, stage], totals[stage, ""])) is not None
    ]
    table = Table(caption="People decided on at each stage, and their share of all there", columns=columns, rows=rows)
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


def _passed(cells: Sequence[DisclosedCell], compared: Sequence[Ratio]) -> Section:
    ratio_of = {(ratio.stage, ratio.group): ratio for ratio in compared}
    rows = [
        [
            f"{_stage(cell.stage)}: {_group(cell)}",
            cell.decided.text,
            cell.selected.text,
            _SHARE.text(cell.rate),
            *_ratio_cells(ratio_of.get((cell.stage, _group(cell)))),
        ]
        for cell in cells
    ]
    columns = [
        Column(label="Stage and group", numeric=False),
        *(Column(label=label) for label in ("Decided", "Selected", "Rate", "Impact ratio", "95 % CI", "p, adjusted")),
    ]
    table = Table(caption="Selection rates, and impact ratios to the highest of the stage", columns=columns, rows=rows)
    return _ratio_section("Who is selected at each stage", compared, [table])


def _ratio_cells(ratio: Ratio | None) -> list[str]:
    if ratio is None:
        return [ABSENT, ABSENT, ABSENT]
    return [_RATIO.number(ratio.estimate), _RATIO.interval(ratio.low, ratio.high), p_text(ratio.p)]


def _ratio_section(heading: str, compared: Sequence[Ratio], tables: Sequence[Table]) -> Section:
    """Return the tables with a chart of the ratios that could be computed."""
    known = [ratio for ratio in compared if ratio.estimate is not None]
    shown = sorted(known, key=lambda ratio: ratio.estimate or 0.0)[:_MOST_DRAWN]
    drawn = [ratio for ratio in known if ratio in shown]
    rows = [
        IntervalRow(
            label=f"{ratio.value or _stage(ratio.stage)}: {ratio.group}",
            estimate=ratio.estimate,
            low=ratio.low,
            high=ratio.high,
            text=f"{_RATIO.number(ratio.estimate)} ({_RATIO.interval(ratio.low, ratio.high)})",
        )
        for ratio in drawn
    ]
    if not rows:
        return Section(name="passed", heading=heading, parts=[Part(tables=tables)] if tables else [])
    lines = [_FOUR_FIFTHS, MarkedLine(value=1.0, text="same rate")]
    lowest = f"; the {_MOST_DRAWN} lowest" if len(known) > len(drawn) else ""
    figure = Figure(
        title=f"Impact ratios with 95 % confidence intervals{lowest}",
        note="",
        chart=lambda width: ratio_chart(rows, title="Impact ratio", width=width, lines=lines),
        tables=tables,
    )
    return Section(name="passed", heading=heading, parts=[Part(figures=[figure])])


def _ratios_by(compared: Sequence[Ratio], by: str, order: Sequence[str]) -> Section:
    groups = sorted({ratio.group for ratio in compared}, key=order.index)
    at = {(ratio.value, ratio.group): ratio for ratio in compared}
    against = {ratio.value: ratio.reference or ABSENT for ratio in compared}
    rows = [
        [value, reference, *(_ratio_text(at.get((value, group))) for group in groups)]
        for value, reference in against.items()
    ]
    columns = [Column(label=_plain(by).capitalize(), numeric=False), Column(label="Highest rate", numeric=False)]
    table = Table(
        caption="Impact ratio with its 95 % confidence interval; * is statistically significant",
        columns=[*columns, *(Column(label=group) for group in groups)],
        rows=rows,
    )
    return _ratio_section(f"Impact ratios by {_plain(by)}", compared, [table] if rows else [])


def _ratio_text(ratio: Ratio | None) -> str:
    if ratio is None or ratio.estimate is None:
        return ABSENT
    mark = "*" if ratio.detected else ""
    return f"{_RATIO.number(ratio.estimate)}{mark} ({_RATIO.interval(ratio.low, ratio.high)})"


def _broken_down(cells: Sequence[DisclosedCell], totals: Mapping[tuple[str, str], DisclosedCell], by: str) -> Section:
    groups, values = list(dict.fromkeys(map(_group, cells))), list(dict.fromkeys(cell.value for cell in cells))
    stage = cells[0].stage
    at = {(_group(cell), cell.value): cell for cell in cells}
    columns = [Column(label=_plain(by).capitalize(), numeric=False), *(Column(label=group) for group in groups)]
    tables = [
        Table(
            caption=caption,
            columns=columns,
            rows=[
                [value, *(cell_text(at[group, value], totals[stage, value]) for group in groups)] for value in values
            ],
        )
        for caption, cell_text in (
            ("People decided on, and their share", _share),
            ("Selection rate", lambda cell, _: _rate(cell)),
        )
    ]
    return Section(name="breakdown", heading=f"{capital(_stage(stage))}, by {_plain(by)}", parts=[Part(tables=tables)])


def _rate(cell: DisclosedCell) -> str:
    """Return the selection rate, or why there is none."""
    reasons = [count.text for count in (cell.selected, cell.decided) if count.number is None]
    return reasons[0] if reasons else _SHARE.text(cell.rate)


def _percent(cell: DisclosedCell, total: DisclosedCell) -> float | None:
    if cell.decided.number is None or not total.decided.number:
        return None
    return 100 * cell.decided.number / total.decided.number


def _share(cell: DisclosedCell, total: DisclosedCell) -> str:
    share = _percent(cell, total)
    return cell.decided.text if share is None else f"{cell.decided.text} ({share:.1f} %)"


def _group(cell: DisclosedCell) -> str:
    return CROSS.join(cell.groups) or "all"


def _stage(stage: str) -> str:
    return stage or "the only stage"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _frame(cells: Sequence[DisclosedCell], compared: Sequence[Ratio], crossed: Sequence[str], by: str) -> pl.DataFrame:
    ratio_of = {(ratio.stage, ratio.value, ratio.group): ratio for ratio in compared}
    rows = []
    for cell in cells:
        ratio = ratio_of.get((cell.stage, cell.value, _group(cell)))
        rows.append(
            {
                "stage": cell.stage,
                **dict(zip(crossed, cell.groups, strict=True)),
                **({by: cell.value} if by else {}),
                "decided": cell.decided.text.replace(",", ""),
                "selected": cell.selected.text.replace(",", ""),
                "impact_ratio": None if ratio is None else ratio.estimate,
                "low": None if ratio is None else ratio.low,
                "high": None if ratio is None else ratio.high,
                "p_adjusted": None if ratio is None else ratio.p,
                "reference": None if ratio is None else ratio.reference,
            }
        )
    return pl.DataFrame(rows, infer_schema_length=None)


def _requested_view(request: PageRequest) -> View:
    process = chosen_process(request, "Diversity")
    if isinstance(process, View):
        return process
    cut = Cut(model=process.model, **{name: request.query.get(name, "") for name in ("attribute", "by", "stage")})
    return diversity(process.suppressed, cut, models=process.models, exact=request.exact)


ADDRESSES = (Address(path="/diversity", title="Diversity", answer=_requested_view),)
