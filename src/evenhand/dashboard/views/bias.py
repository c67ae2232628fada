"""Bias: impact ratios by group, at a cut-off, reference, attribute and period of choice.

Without access to the rows, ratios are of the published counts alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import product
from math import isfinite, nan
from types import MappingProxyType
from typing import Final, Literal

import polars as pl
from starlette.exceptions import HTTPException

from evenhand.dashboard.disclosure import NOT_KNOWN, Cell, Counts
from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views import ratios
from evenhand.dashboard.views.view import CROSS, Address, Process, View, chosen_process, month_choices, months_of, same
from evenhand.dashboard.views.worst import first_place
from evenhand.errors import InputError
from evenhand.monitoring.state import CountRequest, decided_levels, group_counts, is_kept, people_counts
from evenhand.report.page.live import Choice, Field, LivePage
from evenhand.results.finding import by_key
from evenhand.results.messages import quoted
from evenhand.results.schemas import LARGEST, PROTECTED

#: The breakdown by decider; each of its values has a section.
DECIDED_BY: Final = "decided_by"
#: Days from and to, and how fields of breakdowns begin: for those with access to the rows.
DAYS: Final = ("from", "to")
WITHIN: Final = "in."
#: Values that a select offers at most.
_MOST: Final = 500
_WHOLE: Final = "All decisions"
#: How the names of other parts begin.
_DECIDED, _STAGE = "Decided by: ", "Stage: "
_HIGHEST: Final = "the large group with the highest rate"
Cutoff = float | Literal["median"] | None


@dataclass(frozen=True, kw_only=True)
class _BiasRequest:
    """A comparison: groups of crossed attributes against one of them ('' is the highest rate), at a stage."""

    crossed: tuple[str, ...]
    reference: str
    stage: str
    cutoff: Cutoff


def _requested_view(request: PageRequest) -> View:
    process = chosen_process(request, "Bias")
    if isinstance(process, View):
        return process
    if not process.counts.groups:
        answer = f"{process.model} has no groups of people; record them with evenhand monitor record --protected COL."
        return View(page=LivePage(title="Bias", answer=answer, choices=[process.choice]))
    if not request.exact:
        return _published(request, process)
    of_choice = [
        f"{name} {value}"
        for name, value in request.query.items()
        if value and (name in {"cutoff", *DAYS} or name.startswith(WITHIN))
    ]
    if of_choice:
        request.reads(f"bias of {process.model} at {', '.join(of_choice)}")
    return _recomputed(request, process)


def _published(request: PageRequest, process: Process) -> View:
    """Return the view of the published counts; nothing else is read, whatever the query."""
    for name, value in request.query.items():
        if value and name.startswith(WITHIN):
            raise HTTPException(403, f"{name} needs exact numbers, which only the role admin may see.")
    counts = process.counts
    chosen = replace(_what(request, counts), cutoff=_cutoff(request.query.get("cutoff", "")))
    if chosen.cutoff is not None and chosen.cutoff not in counts.cutoffs:
        published = ", ".join(f"{cutoff:g}" for cutoff in counts.cutoffs) or "none"
        raise HTTPException(
            403,
            f"Published cut-offs: {published}. Others need exact numbers, which only the role admin may see.",
        )
    crossed, number = chosen.crossed, chosen.cutoff if isinstance(chosen.cutoff, float) else None
    every = counts.cells(crossed, cutoff=number)
    named = {_WHOLE: [cell for cell in every if cell.stage == chosen.stage]}
    for cell in counts.cells(crossed, DECIDED_BY, cutoff=number) if DECIDED_BY in counts.values else ():
        if cell.stage == chosen.stage:
            named.setdefault(f"{_DECIDED}{cell.value}", []).append(cell)
    for cell in every:
        if cell.stage != chosen.stage:
            named.setdefault(f"{_STAGE}{cell.stage}", []).append(cell)
    parts, effects = {}, {}
    for name, cells in named.items():
        if name.startswith(_STAGE) or any(cell.decided for cell in cells):
            parts[name] = [replace(cell, stage=name, value="") for cell in cells]
            effects[name] = counts.effects(crossed, _by(name), cutoff=number).get(cells[0].stage, 1.0)
    cutoffs = {"": "those decided for"} | {f"{cutoff:g}": f"scores above {cutoff:g}" for cutoff in counts.cutoffs}
    chosen_cutoff = "" if number is None else f"{number:g}"
    by_cutoff = Choice(name="cutoff", label="Selected are", options=cutoffs, chosen=chosen_cutoff)
    return _view(
        process,
        chosen,
        parts,
        choices=[*([by_cutoff] if counts.cutoffs else []), *month_choices(counts)],
        by_position=number is None,
        effects=effects,
    )


def _recomputed(request: PageRequest, process: Process) -> View:
    """Return the view of each day's counts, at any values: for those with access to the rows."""
    known = process.counts
    chosen = replace(_what(request, known), cutoff=_cutoff(request.query.get("cutoff", "")))
    first, last = (_day(request.query.get(name, ""), name) for name in DAYS)
    with request.shown.opened() as store:
        levels = decided_levels(store, process.model)
        cuts = {name: values for name, values in sorted(levels.items()) if name != "stage" and 1 < len(values) <= _MOST}
        within = {name: request.query.get(f"{WITHIN}{name}", "") for name in cuts}
        within = {name: value for name, value in within.items() if value and value in cuts[name]}
        count_request = CountRequest(
            stage=chosen.stage, first=first, last=last or CountRequest.last, within=within, cutoff=chosen.cutoff
        )

        def counted(stage: str) -> pl.DataFrame:
            wanted = replace(count_request, stage=stage)
            if known.people is not None:
                return people_counts(known.people, wanted)
            return group_counts(store, process.model, wanted)

        counts = {_WHOLE: counted(chosen.stage)}
        others = {f"{_STAGE}{stage}": counted(stage) for stage in known.stages_at() if stage != chosen.stage}
    deciders = [value for value in counts[_WHOLE][DECIDED_BY].unique().sort().to_list() if value]
    if len(deciders) > 1:
        counts |= {f"{_DECIDED}{who}": counts[_WHOLE].filter(pl.col(DECIDED_BY) == who) for who in deciders}
    columns = [PROTECTED + name for name in chosen.crossed]
    frames = {name: _with_groups(frame, columns, name) for name, frame in (counts | others).items()}
    choices: list[Choice | Field] = [
        Field(
            name="cutoff",
            label="Score above (a number, or median)",
            value=request.query.get("cutoff", ""),
            required=False,
        ),
        Field(name="from", label="From", kind="date", value=first, required=False),
        Field(name="to", label="To", kind="date", value=last, required=False),
        *(
            Choice(
                name=f"{WITHIN}{name}",
                label=name.replace("_", " ").capitalize(),
                options={"": "all"} | {value: value for value in values if value},
                chosen=within.get(name, ""),
            )
            for name, values in cuts.items()
        ),
        Choice(name="exact", label="Numbers", options={"yes": "exact", "": "as published"}, chosen="yes"),
    ]
    return _view(
        process,
        chosen,
        {name: _cells(frame, columns) for name, frame in frames.items()},
        choices=choices,
        by_position=chosen.cutoff is None and not (first or last or within),
        people=None if known.people is None else pl.concat(frames.values()),
    )


def _with_groups(counts: pl.DataFrame, columns: Sequence[str], part: str) -> pl.DataFrame:
    """Return counts of the groups of some attributes, and of each person where they are known, as a part."""
    absent = [pl.lit(None, pl.String).alias(name) for name in columns if name not in counts.columns]
    units = ["unit"] if "unit" in counts.columns else []
    return (
        counts.with_columns(absent)
        .with_columns(pl.col(columns).replace("", None).fill_null(NOT_KNOWN))
        .group_by(*columns, *units)
        .agg(pl.col("n", "successes").sum())
        .with_columns(stage=pl.lit(part), position=pl.lit(""))
    )


def _cells(counts: pl.DataFrame, columns: Sequence[str]) -> list[Cell]:
    summed = counts.group_by("stage", *columns).agg(pl.col("n", "successes").sum()).filter(pl.col("n") > 0)
    return [
        Cell(stage=part, groups=tuple(groups), value="", decided=n, selected=selected, fewest=1)
        for part, *groups, n, selected in summed.sort(columns).iter_rows()
    ]


def _view(
    process: Process,
    chosen: _BiasRequest,
    parts: Mapping[str, Sequence[Cell]],
    *,
    choices: Sequence[Choice | Field],
    by_position: bool,
    effects: Mapping[str, float] = MappingProxyType({}),
    people: pl.DataFrame | None = None,
) -> View:
    """Return the view of parts, whose names their cells have in place of stages, compared as one family.

    Other stages are corrected for with the rest, and named where they differ.
    """
    counts, crossed, attribute = process.counts, chosen.crossed, CROSS.join(chosen.crossed)
    cells = [cell for part in parts.values() for cell in part]
    found = by_key(
        lambda finding: str(finding.slice["stage"]),
        ratios.compared_cells(cells, crossed, counts.noise, chosen.reference, effects=effects, people=people),
    )
    first = [replace(cell, stage="") for cell in cells if cell.stage == _WHOLE]
    whole = [replace(finding, slice={"stage": "", "position": ""}) for finding in found.get(_WHOLE, [])]
    differing = [name for name, of in found.items() if name != _WHOLE and any(each.is_difference for each in of)]
    further = ratios.left_out(whole, first)
    further += f" Other statistically significant differences: {'; '.join(differing)}." if differing else ""
    further += ratios.position_sentence(counts, crossed) if by_position else ""

    def deeper(name: str) -> ratios.Deeper:
        query = {"model": process.model, "attribute": attribute, "stage": chosen.stage}
        query |= {"by": _by(name) or first_place(counts)}
        return lambda _stage, _value: link_to("/diversity", query, months_of(counts))

    shown = {name: part for name, part in parts.items() if not name.startswith(_STAGE)}
    page = LivePage(
        title="Bias",
        answer=ratios.answer(whole, process.model, attribute, chosen.reference),
        further=[further.strip()] if further else [],
        sections=[
            ratios.selection_section(f"part-{place}", name, part, found.get(name, []), link=deeper(name))
            for place, (name, part) in enumerate(shown.items())
        ],
        choices=[process.choice, *_choices(counts, chosen), *choices],
        notes=ratios.ratio_notes([each for of in found.values() for each in of], [counts], effects=effects.values()),
    )
    frame = ratios.ratio_frame(
        [cell for part in shown.values() for cell in part],
        [each for name in shown for each in found.get(name, [])],
        crossed,
    )
    return View(page=page, frame=frame, exact_link=True)


def _by(name: str) -> str:
    """Return the breakdown that a part is a value of."""
    return DECIDED_BY if name.startswith(_DECIDED) else ""


def _what(request: PageRequest, counts: Counts) -> _BiasRequest:
    """Return the requested comparison, the first value in place of an unknown one."""
    attributes = [CROSS.join(crossed) for crossed in counts.crossings]
    crossed = tuple((request.chosen("attribute", attributes) or "").split(CROSS))
    reference = request.query.get("reference", "")
    return _BiasRequest(
        crossed=crossed,
        reference=reference if reference in _groups(counts, crossed) else "",
        stage=request.chosen("stage", list(counts.stages_at())) or "",
        cutoff=None,
    )


def _groups(counts: Counts, crossed: Sequence[str]) -> list[str]:
    return [
        CROSS.join(group) for group in product(*(counts.groups[name] for name in crossed)) if NOT_KNOWN not in group
    ]


def _choices(counts: Counts, chosen: _BiasRequest) -> list[Choice]:
    attributes = [CROSS.join(crossed) for crossed in counts.crossings]
    groups = _groups(counts, chosen.crossed)
    offered = [
        ("attribute", "Groups", same(attributes), CROSS.join(chosen.crossed)),
        ("reference", "Compared with", {"": _HIGHEST} | same(groups), chosen.reference),
        ("stage", "Stage", {name: ratios.stage_name(name) for name in counts.stages_at()}, chosen.stage),
    ]
    return [
        Choice(name=name, label=label, options=options, chosen=value)
        for name, label, options, value in offered
        if name != "stage" or len(options) > 1
    ]


def _cutoff(typed: str) -> Cutoff:
    cleaned = typed.strip().lower()
    if cleaned in {"", "median"}:
        return "median" if cleaned else None
    try:
        number = float(cleaned)
    except ValueError:
        number = nan
    if not isfinite(number) or abs(number) > LARGEST or not is_kept(number):
        raise InputError(f"The cut-off {quoted(typed)} is neither a number of at most four digits nor median.")
    return number


def _day(typed: str, name: str) -> str:
    try:
        return typed and date.fromisoformat(typed).isoformat()
    except ValueError as error:
        raise InputError(f"{name} {quoted(typed)} is not a day; write it as 2026-03-31.") from error


ADDRESSES = (Address(path="/bias", title="Bias", answer=_requested_view),)
