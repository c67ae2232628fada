"""Diversity: who is at each stage and who passes it, by group, as far as counts are disclosed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

import polars as pl

from evenhand.comparisons.impact import cell_ratios
from evenhand.comparisons.impact_cells import References, cells_of
from evenhand.dashboard.disclosure import NOT_KNOWN, Cube, DisclosedCell, Suppressed, disclosed_cells
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import CROSS, Address, View, chosen_process
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import BarRow, IntervalRow, bar_chart, ratio_chart
from evenhand.report.impact.summary import SIGNIFICANT, significant_cell
from evenhand.report.impact.views import is_sizeable, short_ratio, size_text
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted
from evenhand.report.words.results import capital, corrected_p, listing, why_not
from evenhand.results.finding import Finding, ImpactRatio, by_key
from evenhand.results.schemas import PROTECTED, SELECTED

_SHARE: Final = Scale(factor=100, suffix=" %", decimals=1)
_RATIO: Final = Scale(decimals=2)
_FOUR_FIFTHS: Final = MarkedLine(value=0.8, text="four fifths")
#: The breakdown whose differences can cancel out when all are taken together.
_POSITION: Final = "position"
#: Ratios that are drawn, those farthest from 1, and groups whose shares are.
_MOST_DRAWN, _MOST_GROUPS = 24, 8
_NOTES: Final = (
    "Counts below {least} are not shown, and as many others are withheld as it takes that none of these can be "
    "computed from the rest. Groups with such counts are in no impact ratio.",
    "What was shown before more was recorded, beside what is shown now, may tell of the few who came between: that is "
    "not prevented.",
)
#: How the ratios of a page are made; {} is the correction of their p.
_RATIOS: Final = (
    "An impact ratio is a group's selection rate over the highest one shown of a group with at least 30 decisions and "
    "2 % of them, or over that of the group chosen. Intervals and tests take decisions as independent, also several on "
    "one person. p: Fisher's exact test{}; other choices of the fields are not counted."
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
    compared = _ratios(stage_cells, crossed)
    sections = (
        [_broken_down(stage_cells, totals, by), _ratios_by(compared, by, stage_cells)]
        if by
        else [_composition(cells, totals), _passed(cells, compared)]
    )
    answer = _answer(compared, stage_cells, cut.model, attribute, by)
    answer += "" if by else position_sentence(suppressed_cube, crossed, exact=exact)
    notes = [note.format(least=suppressed_cube.least) for note in _NOTES]
    if cube.left_out:
        names = ", ".join(map(_plain, cube.left_out))
        notes.append(f"There are too many values for a breakdown by {names}.")
    page = LivePage(
        title="Diversity",
        answer=answer,
        sections=[section for section in sections if section.parts],
        choices=_choices(cube, cut.model, models, attributes, chosen=(attribute, by, stage)),
        notes=[ratios_note(compared), *(["All counts are exact; this page is not for others."] if exact else notes)],
    )
    return View(page=page, frame=_frame(stage_cells, compared, crossed, by), exact_link=True)


def _ratios(cells: Sequence[DisclosedCell], crossed: Sequence[str]) -> list[Finding]:
    """Return the ratio of each group at each stage and value, of the cells whose two counts are disclosed."""
    known = [cell for cell in cells if cell.rate is not None and NOT_KNOWN not in cell.groups]
    rows = [
        {"stage": cell.stage, "position": cell.value, "n": cell.decided.number, "successes": cell.selected.number}
        | {PROTECTED + name: group for name, group in zip(crossed, cell.groups, strict=True)}
        for cell in known
    ]
    if not rows or not crossed:
        return []
    counts = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        approach=pl.lit(SELECTED), cutoff=pl.lit(None, pl.Float64)
    )
    order = {(cell.stage, cell.value): place for place, cell in enumerate(known)}
    found = cell_ratios(cells_of(counts, crossed, by_position=any(cell.value for cell in known)), References())
    return sorted(found, key=lambda finding: order[_place(finding)])


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


def ratios_note(compared: Sequence[Finding]) -> str:
    """Return how the ratios of a page are made, and over how many comparisons their p is corrected."""
    over = {finding.claim.corrected_over for finding in compared if finding.claim and finding.p is not None}
    corrected = "".join(f", {text}" for text in over if text) if len(over) < 2 else ", corrected in each section"
    return _RATIOS.format(corrected)


def _answer(compared: Sequence[Finding], cells: Sequence[DisclosedCell], model: str, attribute: str, by: str) -> str:
    """Return how many of the comparisons shown differ, the largest difference, and how many rates are not shown."""
    if not attribute:
        return f"Who is at each stage of {model}{f' by {_plain(by)}' if by else ''}; no groups of people are known."
    judged = [finding for finding in compared if finding.p is not None]
    rated = [cell for cell in cells if NOT_KNOWN not in cell.groups and cell.decided.number != 0]
    hidden = sum(cell.rate is None for cell in rated)
    omitted = omitted_sentence(hidden, len(rated))
    if not judged:
        reason = "" if hidden else f" {compared[0].reason if compared else 'There are fewer than two groups.'}"
        return f"No selection rates by {_plain(attribute)} of {model} can be compared.{reason}{omitted}"
    at_place = by_key(_place, judged)
    large = [finding for finding in judged if is_sizeable(finding, at_place[_place(finding)])]
    few = len(judged) - len(large) if large else 0
    is_are = "is" if few == 1 else "are"
    small = f" {counted(few, 'comparison')} of under 30 decisions or 2 % {is_are} in the table only." if few else ""
    judged = large or judged
    differing = [finding for finding in judged if finding.is_difference]
    worst = max(differing or judged, key=_size)
    shown = f"{count_text(len(differing)) if differing else 'None'} of the {count_text(len(judged))} comparisons shown"
    verb = "are" if len(differing) > 1 else "is"
    if len(judged) == 1:
        shown, verb = "The one comparison shown", "is" if differing else "is not"
    return f"{shown} {verb} statistically significant{_example(worst, of_many=len(judged) > 1)}.{small}{omitted}"


def _example(finding: Finding, *, of_many: bool) -> str:
    """Return the rates of two groups, their ratio and p; the largest difference `of_many`."""
    details, place = ImpactRatio.of(finding), ", ".join(filter(None, _place(finding)))
    rates = [
        f"{_SHARE.text(rate)} of {CROSS.join(group.values())} (n = {count_text(n)})"
        for rate, group, n in (
            (details.rate_focal, finding.focal, details.n_focal),
            (details.rate_reference, finding.reference, details.n_reference),
        )
    ]
    ratio = size_text(finding) if finding.estimate is None else f"impact ratio {short_ratio(finding, level=True)}"
    p = "".join(f", {text}" for text in (corrected_p(finding.claim) if finding.claim else "", why_not(finding)) if text)
    start = "; the largest difference: " if of_many else ": "
    return f"{start}{f'at {place} ' if place else ''}{' and '.join(rates)} were selected, {ratio}{p}"


def position_sentence(suppressed_cube: Suppressed, crossed: Sequence[str], *, exact: bool) -> str:
    """Return in how many comparisons within positions, by stage, there is a difference, "" where there is none."""
    if _POSITION not in suppressed_cube.cube.values:
        return ""
    compared = _ratios(list(disclosed_cells(suppressed_cube, crossed, _POSITION, exact=exact)), crossed)
    by_stage = by_key(lambda finding: str(finding.slice["stage"]), [each for each in compared if each.p is not None])
    differing = {
        stage: f"{count_text(held)} of {counted(len(judged), 'comparison')}{f' at {_stage(stage)}' if stage else ''}"
        for stage, judged in by_stage.items()
        if (held := sum(finding.is_difference for finding in judged))
    }
    if not differing:
        return ""
    return (
        f" Statistically significant within positions: {listing(list(differing.values()))} (Diversity, broken down by "
        "position)."
    )


def omitted_sentence(hidden: int, of: int) -> str:
    """Return how many selection rates are not shown, "" where all are."""
    verb = "is" if hidden == 1 else "are"
    rates = counted(of, "selection rate")
    return f" {count_text(hidden)} of {rates} {verb} not shown, nor compared." if hidden else ""


def _place(finding: Finding) -> tuple[str, str]:
    return finding.slice["stage"], finding.slice["position"]


def _size(finding: Finding) -> float:
    """Return how far a ratio is from 1, in either direction."""
    ratio = finding.estimate or 0.0
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
    table = Table(caption="Decisions at each stage, and their share of all there", columns=columns, rows=rows)
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


def _passed(cells: Sequence[DisclosedCell], compared: Sequence[Finding]) -> Section:
    ratio_of = {(finding.slice["stage"], _focal(finding)): finding for finding in compared}
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
        *(Column(label=label) for label in ("Decided", "Selected", "Rate", "Impact ratio (95 % CI)")),
        *(Column(label=label, numeric=False) for label in ("Compared with", SIGNIFICANT)),
    ]
    table = Table(caption="Selection rates and impact ratios", columns=columns, rows=rows)
    return _ratio_section("Who is selected at each stage", compared, [table])


def _ratio_cells(finding: Finding | None) -> list[str]:
    if finding is None:
        return [ABSENT, ABSENT, ABSENT]
    return [short_ratio(finding), CROSS.join(finding.reference.values()), significant_cell(finding)]


def _ratio_section(heading: str, compared: Sequence[Finding], tables: Sequence[Table]) -> Section:
    """Return the tables with a chart of the ratios that could be computed."""
    known = [finding for finding in compared if finding.estimate is not None]
    shown = sorted(known, key=_size, reverse=True)[:_MOST_DRAWN]
    rows = [
        IntervalRow(
            label=f"{finding.slice['position'] or _stage(finding.slice['stage'])}: {_focal(finding)}",
            estimate=finding.estimate,
            low=finding.low,
            high=finding.high,
            text=short_ratio(finding),
        )
        for finding in known
        if finding in shown
    ]
    if not rows:
        return Section(name="passed", heading=heading, parts=[Part(tables=tables)] if tables else [])
    lines = [_FOUR_FIFTHS, MarkedLine(value=1.0, text="same rate")]
    drawn = f"; the {_MOST_DRAWN} of {len(known)} that are farthest from 1" if len(known) > len(rows) else ""
    figure = Figure(
        title=f"Impact ratios with 95 % confidence intervals{drawn}",
        note="",
        chart=lambda width: ratio_chart(rows, title="Impact ratio", width=width, lines=lines),
        tables=tables,
    )
    return Section(name="passed", heading=heading, parts=[Part(figures=[figure])])


def _ratios_by(compared: Sequence[Finding], by: str, cells: Sequence[DisclosedCell]) -> Section:
    at = {(finding.slice["position"], _focal(finding)): finding for finding in compared}
    against = {finding.slice["position"]: CROSS.join(finding.reference.values()) for finding in compared}
    cell_of = {(cell.value, _group(cell)): cell for cell in cells if NOT_KNOWN not in cell.groups}
    groups = list(dict.fromkeys(group for _, group in cell_of))
    rows = [
        [value, reference, *(_ratio_text(at.get((value, group)), cell_of[value, group]) for group in groups)]
        for value, reference in against.items()
    ]
    columns = [Column(label=_plain(by).capitalize(), numeric=False), Column(label="Compared with", numeric=False)]
    table = Table(
        caption="Impact ratio (95 % CI, not corrected); * is statistically significant, corrected",
        columns=[*columns, *(Column(label=group) for group in groups)],
        rows=rows,
    )
    return _ratio_section(f"Impact ratios by {_plain(by)}", compared, [table] if rows else [])


def _ratio_text(finding: Finding | None, cell: DisclosedCell) -> str:
    if finding is None:  # the reference itself, nobody, or a count that is not shown
        return ABSENT if cell.rate is not None or cell.decided.number == 0 else "not shown"
    if finding.estimate is None:
        return significant_cell(finding)
    mark = "*" if finding.is_difference else ""
    return f"{_RATIO.number(finding.estimate)}{mark} ({_RATIO.interval(finding.low, finding.high)})"


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
            ("Decisions, and their share", _share),
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


def _focal(finding: Finding) -> str:
    return CROSS.join(finding.focal.values())


def _stage(stage: str) -> str:
    return stage or "the only stage"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _frame(
    cells: Sequence[DisclosedCell], compared: Sequence[Finding], crossed: Sequence[str], by: str
) -> pl.DataFrame:
    ratio_of = {(*_place(finding), _focal(finding)): finding for finding in compared}
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
                "p": None if ratio is None else ratio.p,
                "p_adjusted": None if ratio is None else ratio.p_adjusted,
                "verdict": None if ratio is None else ratio.verdict,
                "reference": None if ratio is None else CROSS.join(ratio.reference.values()),
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
