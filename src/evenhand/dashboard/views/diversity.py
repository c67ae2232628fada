"""Diversity: who is at each stage and who passes it, by group, as far as the counts may be told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from evenhand.dashboard.asked import Asked
from evenhand.dashboard.cube.shown import ShownCell, shown_cells
from evenhand.dashboard.cube.suppression import Suppressed
from evenhand.dashboard.views.view import Address, View
from evenhand.monitoring.state import model_names
from evenhand.report.charts import BarRow, bar_chart
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, Scale

__all__ = ["ADDRESSES", "Cut", "diversity"]

_SHARE: Final = Scale(factor=100, suffix=" %", decimals=1)
_CROSS: Final = " × "
_NOTES: Final = (
    "Counts below {least} are not shown, and as many others are withheld as it takes that none of these can be "
    "computed from the rest. Ratios are to the highest rate that is shown.",
    "What was shown before more was recorded, beside what is shown now, may tell of the few who came between: that is "
    "not prevented.",
)


@dataclass(frozen=True, kw_only=True)
class Cut:
    """What is shown of the cube: a model, attributes crossed by ' × ', a breakdown, and a stage to break down."""

    model: str
    attribute: str = ""
    by: str = ""
    stage: str = ""


def diversity(found: Suppressed, cut: Cut, *, models: Sequence[str], exact: bool = False) -> View:
    """Return the composition of each stage, or of one by a breakdown; what is not there is answered with the first."""
    cube = found.cube
    attributes = [_CROSS.join(crossed) for crossed, by in cube.tables if crossed and not by]
    attribute = cut.attribute if cut.attribute in attributes else (attributes or [""])[0]
    by = cut.by if cut.by in cube.values else ""
    stage = cut.stage if cut.stage in cube.stages else cube.stages[0]
    crossed = tuple(attribute.split(_CROSS)) if attribute else ()
    cells = list(shown_cells(found, crossed, by, exact=exact))
    totals = {(each.stage, each.value): each for each in shown_cells(found, (), by, exact=exact)}
    choices = [
        Choice(name="model", label="Process", options={name: name for name in models}, chosen=cut.model),
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
            Choice(name="stage", label="Stage", options={name: _stage(name) for name in cube.stages}, chosen=stage)
        )
        sections = [_broken_down(cells, totals, by, stage)]
    else:
        sections = [_composition(cells, totals), _passed(cells)]
    page = LivePage(
        title="Diversity",
        answer=_answer(cells, cut.model, attribute, by),
        sections=sections,
        choices=choices,
        notes=["All counts are exact; this page is not for others."]
        if exact
        else [each.format(least=found.least) for each in _NOTES],
    )
    return View(page=page, frame=_frame(cells, crossed, by), exact_link=True)


def _answer(cells: Sequence[ShownCell], model: str, attribute: str, by: str) -> str:
    """Return who is selected least often at which stage, where that can be told."""
    told = f"Who is at each stage of {model}, by {attribute or 'stage'}{f' and {_plain(by)}' if by else ''}."
    if by:
        return told
    rates: dict[str, dict[str, float]] = {}
    for each in cells:
        if each.rate is not None:
            rates.setdefault(each.stage, {})[_group(each)] = each.rate
    ratios = {
        (stage, group): rate / max(of.values())
        for stage, of in rates.items()
        for group, rate in of.items()
        if max(of.values()) > 0
    }
    if not ratios or len({group for _, group in ratios}) < 2:
        return told
    stage, group = min(ratios, key=lambda key: ratios[key])
    best = max(rates[stage], key=lambda each: rates[stage][each])
    return (
        f"The lowest impact ratio is {ratios[stage, group]:.2f}, at {_stage(stage)}: "
        f"{_SHARE.text(rates[stage][group])} of {group} were selected, and {_SHARE.text(rates[stage][best])} of {best}."
    )


def _composition(cells: Sequence[ShownCell], totals: Mapping[tuple[str, str], ShownCell]) -> Section:
    stages = list(dict.fromkeys(each.stage for each in cells))
    groups = list(dict.fromkeys(map(_group, cells)))
    at = {(_group(each), each.stage): each for each in cells}
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
        if bars and len(groups) <= 6
        else []
    )
    return Section(
        name="composition",
        heading="Composition of each stage",
        parts=[Part(figures=figures, tables=[] if figures else [table])],
    )


def _passed(cells: Sequence[ShownCell]) -> Section:
    stages = list(dict.fromkeys(each.stage for each in cells))
    rows = []
    for stage in stages:
        own = [each for each in cells if each.stage == stage]
        best = max((each.rate for each in own if each.rate is not None), default=None)
        rows += [
            [
                f"{_stage(stage)}: {_group(each)}",
                each.decided.text,
                each.selected.text,
                _SHARE.text(each.rate),
                f"{each.rate / best:.2f}" if each.rate is not None and best else ABSENT,
            ]
            for each in own
        ]
    columns = [
        Column(label="Stage and group", numeric=False),
        *(Column(label=each) for each in ("Decided", "Selected", "Rate", "Impact ratio")),
    ]
    return Section(
        name="passed",
        heading="Who is selected at each stage",
        parts=[
            Part(
                tables=[
                    Table(
                        caption="Selection rate of each group over the highest of the stage", columns=columns, rows=rows
                    )
                ]
            )
        ],
    )


def _broken_down(
    cells: Sequence[ShownCell], totals: Mapping[tuple[str, str], ShownCell], by: str, stage: str
) -> Section:
    own = [each for each in cells if each.stage == stage]
    groups, values = list(dict.fromkeys(map(_group, own))), list(dict.fromkeys(each.value for each in own))
    at = {(_group(each), each.value): each for each in own}
    columns = [Column(label=_plain(by).capitalize(), numeric=False), *(Column(label=group) for group in groups)]
    tables = [
        Table(
            caption=caption,
            columns=columns,
            rows=[[value, *(told(at[group, value], totals[stage, value]) for group in groups)] for value in values],
        )
        for caption, told in (
            ("People decided on, and their share", _share),
            ("Selection rate", lambda cell, _: _SHARE.text(cell.rate) if cell.rate is not None else cell.selected.text),
        )
    ]
    return Section(name="breakdown", heading=f"{_stage(stage)}, by {_plain(by)}", parts=[Part(tables=tables)])


def _percent(cell: ShownCell, whole: ShownCell) -> float | None:
    if cell.decided.number is None or not whole.decided.number:
        return None
    return 100 * cell.decided.number / whole.decided.number


def _share(cell: ShownCell, whole: ShownCell) -> str:
    share = _percent(cell, whole)
    return cell.decided.text if share is None else f"{cell.decided.text} ({share:.1f} %)"


def _group(cell: ShownCell) -> str:
    return " · ".join(cell.groups) or "all"


def _stage(stage: str) -> str:
    return stage or "the only stage"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _frame(cells: Sequence[ShownCell], crossed: Sequence[str], by: str) -> pl.DataFrame:
    rows = [
        {
            "stage": each.stage,
            **dict(zip(crossed, each.groups, strict=True)),
            **({by: each.value} if by else {}),
            "decided": each.decided.text.replace(",", ""),
            "selected": each.selected.text.replace(",", ""),
        }
        for each in cells
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _answered(asked: Asked) -> View:
    with asked.shown.opened() as store:
        models = model_names(store)
        model = asked.chosen("model", models)
        found = None if model is None else asked.shown.cubes.of(store, model)
    if model is None or found is None:
        told = "No decisions were recorded yet: evenhand monitor record --selected COL tells how."
        return View(page=LivePage(title="Diversity", answer=told))
    if asked.exact:
        asked.reads(f"exact counts of {model}")
    cut = Cut(model=model, **{name: asked.query.get(name, "") for name in ("attribute", "by", "stage")})
    return diversity(found, cut, models=models, exact=asked.exact)


ADDRESSES = (Address(path="/diversity", title="Diversity", answer=_answered),)
