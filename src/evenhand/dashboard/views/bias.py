"""Bias: who is selected less, by how much and by whom, at a cut-off, reference, attribute and period of choice.

Impact ratios of the counts that are told, with their intervals, as `evenhand impact` computes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import isfinite, nan
from typing import Final, Literal

import numpy as np
import polars as pl
from starlette.exceptions import HTTPException

from evenhand.comparisons.impact import ImpactChoices, group_ratios, measure_impact
from evenhand.comparisons.impact_cells import KEYS, GroupCells, References
from evenhand.dashboard.disclosure import NOT_KNOWN, DisclosedCell, Suppressed, disclosed_cells
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, Process, View, chosen_process
from evenhand.errors import InputError
from evenhand.monitoring.state import CountRequest, decided_levels, group_counts
from evenhand.report.impact.sections import attribute_section
from evenhand.report.impact.views import view_sentence
from evenhand.report.page.live import Choice, Field, LivePage
from evenhand.report.page.parts import Column, Part, Section, Table
from evenhand.results import table_groups as grouped
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Finding
from evenhand.results.measures import IMPACT_RATIO, SELECTION_RATE
from evenhand.results.messages import quoted
from evenhand.results.schemas import LARGEST, PROTECTED, SELECTED, STEPS, WHOLE

#: A difference is told where its p, adjusted over the groups, is less.
LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """A group's selection rate over that of the group with the highest, with its 95 % confidence interval.

    `reason` says why a number is None; `detected`, whether the difference is statistically significant.
    """

    stage: str
    value: str
    group: str
    reference: str | None
    rate: float | None
    rate_reference: float | None
    estimate: float | None
    low: float | None
    high: float | None
    p: float | None
    reason: str | None

    @property
    def detected(self) -> bool:
        """Return whether the difference is statistically significant, adjusted over the groups."""
        return self.p is not None and self.p < LEVEL


def ratios(cells: Sequence[DisclosedCell], crossed: Sequence[str], *, joined: str) -> list[Ratio]:
    """Return the ratio of each group at each stage and value, of the cells whose counts are both told.

    People are taken as independent. Groups of several attributes are named with `joined` between.
    """
    known = [each for each in cells if each.decided.number and NOT_KNOWN not in each.groups]
    known = [each for each in known if each.selected.number is not None]
    if not known or not crossed:
        return []
    counted = _counted(known, crossed)
    found = group_ratios(counted, References())
    places = [(stage, value) for stage, value in counted.keys.select("stage", "position").iter_rows()]
    names = [joined.join(group) for group in counted.groups]
    rates = counted.rates
    told = []
    for at, (cell, focal, reference) in enumerate(zip(found.cell, found.focal, found.reference, strict=True)):
        if counted.n[cell, focal] and (places[cell][1] != WHOLE) == bool(known[0].value):
            numbers = (found.estimate[at], found.low[at], found.high[at], found.p_adjusted[at])
            estimate, low, high, p = (float(each) if np.isfinite(each) else None for each in numbers)
            told.append(
                Ratio(
                    stage=places[cell][0],
                    value=places[cell][1],
                    group=names[focal],
                    reference=names[reference] if reference >= 0 else None,
                    rate=float(rates[cell, focal]),
                    rate_reference=float(rates[cell, reference]) if reference >= 0 else None,
                    estimate=estimate,
                    low=low,
                    high=high,
                    p=p,
                    reason=str(found.reason[at]) or None,
                )
            )
    return told


def _counted(known: Sequence[DisclosedCell], crossed: Sequence[str]) -> GroupCells:
    """Return the cells as matrices: all people of each stage, and then those of each value of a breakdown."""
    stages = list(dict.fromkeys(each.stage for each in known))
    keys = [(stage, WHOLE) for stage in stages]
    keys += dict.fromkeys((each.stage, each.value) for each in known if each.value)
    groups = sorted({each.groups for each in known})
    rows, columns = ({key: at for at, key in enumerate(names)} for names in (keys, groups))
    n, selected = (np.zeros((len(keys), len(groups)), dtype=np.int64) for _ in range(2))
    for each in known:
        for key in {(each.stage, WHOLE), (each.stage, each.value)}:
            n[rows[key], columns[each.groups]] += each.decided.number or 0
            selected[rows[key], columns[each.groups]] += each.selected.number or 0
    frame = pl.DataFrame(keys, schema={"stage": pl.String, "position": pl.String}, orient="row")
    return GroupCells(
        attributes=tuple(crossed),
        keys=frame.with_columns(approach=pl.lit(SELECTED), cutoff=pl.lit(None, pl.Float64)).select(KEYS),
        groups=tuple(groups),
        n=n,
        selected=selected,
        unknown=np.zeros((len(keys), 2), dtype=np.int64),
    )


#: How crossed attributes, and their groups, are named in an address and on a page.
CROSS: Final = " × "
MONTH: Final = "month"
#: What breaks down a process by who decided; those values have a section each.
DECIDED_BY: Final = "decided_by"
#: Fields that take any value, and how those of breakdowns begin: for those with access to the rows.
FREE: Final = ("first", "last")
WITHIN: Final = "in."
#: Values that a select offers at most.
_MOST: Final = 500
_WHOLE: Final = "All decisions"
#: What an export without a row has.
_COLUMNS: Final = ("part", "measure", "group", "reference", "estimate", "low", "high", "p_adjusted", "n", "reason")
Cutoff = float | Literal["median"] | None


@dataclass(frozen=True, kw_only=True)
class _BiasRequest:
    """What is compared: groups of crossed attributes against one of them ('' is the highest rate), at a stage."""

    crossed: tuple[str, ...]
    reference: str
    stage: str
    cutoff: Cutoff


@dataclass(frozen=True, kw_only=True)
class _Part:
    """Decisions that are compared together: groups (protected.*), n, successes; and groups whose counts aren't told."""

    heading: str
    counts: pl.DataFrame
    untold: Sequence[DisclosedCell] = field(default=())


def _answered(asked: PageRequest) -> View:
    process = chosen_process(asked, "Bias")
    if isinstance(process, View):
        return process
    if not process.found.cube.groups:
        told = f"No groups of people are known of {process.model}; evenhand monitor record --protected COL tells them."
        return View(page=LivePage(title="Bias", answer=told, choices=[process.choice]))
    if not asked.exact:
        return _published(asked, process)
    own = {name: value for name, value in asked.query.items() if value and _is_free(name)}
    if own:
        asked.reads(f"bias of {process.model} at {', '.join(f'{name} {value}' for name, value in own.items())}")
    return _recomputed(asked, process)


def _is_free(name: str) -> bool:
    return name in {"cutoff", *FREE} or name.startswith(WITHIN)


def _published(asked: PageRequest, process: Process) -> View:
    """Return what the cube tells: nothing else is read, whatever is asked."""
    for name, value in asked.query.items():
        if value and name != "cutoff" and _is_free(name):
            raise HTTPException(
                403, f"{name} is for those with access to the rows, by exact numbers; others choose a month."
            )
    found, cube = process.found, process.found.cube
    chosen = replace(_what(asked, found), cutoff=_cutoff(asked.query.get("cutoff", "")))
    if chosen.cutoff is not None and chosen.cutoff not in cube.cutoffs:
        told = ", ".join(f"{each:g}" for each in cube.cutoffs) or "none"
        raise HTTPException(
            403, f"Cut-offs that are published: {told}. Others are for those with access to the rows, by exact numbers."
        )
    months = list(cube.values.get(MONTH, ()))
    month = asked.query.get(MONTH, "")
    month = month if month in months else ""
    by = MONTH if month else ""
    parts = [_disclosed_part(found, chosen, by, month, heading=f"{_WHOLE} of {month}" if month else _WHOLE)]
    if not month and DECIDED_BY in cube.values:
        parts += [
            _disclosed_part(found, chosen, DECIDED_BY, value, heading=f"Decided by: {value}")
            for value in cube.values[DECIDED_BY]
        ]
    cutoffs = {"": "those decided for"} | {f"{each:g}": f"scores above {each:g}" for each in cube.cutoffs}
    at = "" if chosen.cutoff is None else f"{chosen.cutoff:g}"
    choices = [
        process.choice,
        *_choices(found, chosen),
        *([Choice(name="cutoff", label="Selected are", options=cutoffs, chosen=at)] if cube.cutoffs else []),
        Choice(name=MONTH, label="Month", options={"": "all"} | {each: each for each in months}, chosen=month),
    ]
    notes = [
        f"Made of the published counts alone: a group with a count below {found.least}, or one that is withheld so "
        "that such a count can't be computed, has no rate here.",
        *(["By who decided: choose all months."] if month and DECIDED_BY in cube.values else []),
    ]
    return _view(chosen, parts, choices=choices, notes=notes)


def _recomputed(asked: PageRequest, process: Process) -> View:
    """Return what the counts of each day tell, at any values: for those with access to the rows."""
    found = process.found
    chosen = replace(_what(asked, found), cutoff=_cutoff(asked.query.get("cutoff", "")))
    first, last = (_day(asked.query.get(name, ""), name) for name in FREE)
    with asked.shown.opened() as store:
        levels = decided_levels(store, process.model)
        cuts = {name: of for name, of in sorted(levels.items()) if name != "stage" and 1 < len(of) <= _MOST}
        within = {name: asked.query.get(f"{WITHIN}{name}", "") for name in cuts}
        within = {name: value for name, value in within.items() if value and value in cuts[name]}
        wanted = CountRequest(
            stage=chosen.stage, first=first, last=last or CountRequest.last, within=within, cutoff=chosen.cutoff
        )
        counts = group_counts(store, process.model, wanted)
    parts = [_Part(heading=_WHOLE, counts=counts)]
    deciders = [value for value in counts[DECIDED_BY].unique().sort().to_list() if value]
    if len(deciders) > 1:
        parts += [
            _Part(heading=f"Decided by: {value}", counts=counts.filter(pl.col(DECIDED_BY) == value))
            for value in deciders
        ]
    choices: list[Choice | Field] = [
        process.choice,
        *_choices(found, chosen),
        Field(
            name="cutoff",
            label="Score above (a number, or median)",
            value=asked.query.get("cutoff", ""),
            required=False,
        ),
        Field(name="first", label="From", kind="date", value=first, required=False),
        Field(name="last", label="To", kind="date", value=last, required=False),
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
    return _view(chosen, parts, choices=choices, notes=["All counts are exact; this page is not for others."])


def _what(asked: PageRequest, found: Suppressed) -> _BiasRequest:
    """Return what is asked, the first value in place of one that isn't there."""
    cube = found.cube
    attributes = [CROSS.join(crossed) for crossed, by in cube.tables if crossed and not by]
    crossed = tuple((asked.chosen("attribute", attributes) or "").split(CROSS))
    reference = asked.query.get("reference", "")
    return _BiasRequest(
        crossed=crossed,
        reference=reference if reference in _groups(found, crossed) else "",
        stage=asked.chosen("stage", list(cube.stages_at())) or "",
        cutoff=None,
    )


def _groups(found: Suppressed, crossed: Sequence[str]) -> list[str]:
    known = {CROSS.join(cell.groups): None for cell in disclosed_cells(found, crossed) if NOT_KNOWN not in cell.groups}
    return list(known)


def _choices(found: Suppressed, chosen: _BiasRequest) -> list[Choice]:
    cube = found.cube
    attributes = [CROSS.join(crossed) for crossed, by in cube.tables if crossed and not by]
    groups = _groups(found, chosen.crossed)
    offered = [
        ("attribute", "Groups", {name: name for name in attributes}, CROSS.join(chosen.crossed)),
        ("reference", "Compared with", {"": "the highest rate"} | {name: name for name in groups}, chosen.reference),
        ("stage", "Stage", {name: name or "the only stage" for name in cube.stages_at()}, chosen.stage),
    ]
    return [
        Choice(name=name, label=label, options=options, chosen=value)
        for name, label, options, value in offered
        if name != "stage" or len(options) > 1
    ]


def _disclosed_part(found: Suppressed, chosen: _BiasRequest, by: str, value: str, *, heading: str) -> _Part:
    """Return the groups whose two counts are both told, and the others."""
    number = None if chosen.cutoff == "median" else chosen.cutoff
    cells = [
        cell
        for cell in disclosed_cells(found, chosen.crossed, by, cutoff=number)
        if (cell.stage, cell.value) == (chosen.stage, value)
    ]
    told = [cell for cell in cells if cell.decided.number is not None and cell.selected.number is not None]
    rows = [
        {
            **{
                PROTECTED + name: None if group == NOT_KNOWN else group
                for name, group in zip(chosen.crossed, cell.groups, strict=True)
            },
            "n": cell.decided.number,
            "successes": cell.selected.number,
        }
        for cell in told
    ]
    schema = {**{PROTECTED + name: pl.String() for name in chosen.crossed}, "n": pl.Int64(), "successes": pl.Int64()}
    return _Part(
        heading=heading,
        counts=pl.DataFrame(rows, schema=schema),
        untold=[cell for cell in cells if cell not in told and NOT_KNOWN not in cell.groups],
    )


def _comparison_view(part: _Part, chosen: _BiasRequest) -> grouped.View:
    """Return the groups of a part against their reference, as `impact` finds them."""
    approach = "selected" if chosen.cutoff is None else "median" if chosen.cutoff == "median" else "cutoff"
    number = chosen.cutoff if isinstance(chosen.cutoff, float) else None
    columns = [PROTECTED + name for name in chosen.crossed]
    absent = [pl.lit(None, pl.String).alias(name) for name in columns if name not in part.counts.columns]
    counts = part.counts.with_columns(absent).group_by(columns).agg(pl.col("n", "successes").sum())
    rows = counts.filter(pl.col("n") > 0).with_columns(
        approach=pl.lit(approach), cutoff=pl.lit(number, pl.Float64), stage=pl.lit(""), position=pl.lit("")
    )
    present = {CROSS.join(row): row for row in rows.select(columns).drop_nulls().iter_rows()}
    named = dict(zip(chosen.crossed, present.get(chosen.reference, ()), strict=False))
    choices = ImpactChoices(references=References(named=named), intersectional=len(chosen.crossed) > 1)
    found = measure_impact(rows, chosen.crossed, choices).findings if present else []
    own = [each for each in found if set(each.focal) == set(chosen.crossed)]
    return grouped.View(
        definition=grouped.Definition(approach, number, ""),
        attributes=chosen.crossed,
        findings=_of(own, IMPACT_RATIO),
        rates=_of(own, SELECTION_RATE),
    )


def _of(findings: Sequence[Finding], measure: str) -> tuple[Finding, ...]:
    return tuple(each for each in findings if each.measure == measure)


def _view(
    chosen: _BiasRequest, parts: Sequence[_Part], *, choices: Sequence[Choice | Field], notes: Sequence[str]
) -> View:
    audit = ImpactAudit()
    views = [(part, _comparison_view(part, chosen)) for part in parts]
    whole = views[0][1]
    answer = (
        view_sentence(whole, audit)
        if whole.findings
        else "No two groups can be compared: of fewer than two both counts may be told."
    )
    page = LivePage(
        title="Bias",
        answer=answer,
        sections=[_section(part, view, number, chosen.reference) for number, (part, view) in enumerate(views)],
        choices=choices,
        notes=notes,
    )
    rows = [_row(part, finding) for part, view in views for finding in (*view.rates, *view.findings)]
    frame = pl.DataFrame(rows, schema=None if rows else dict.fromkeys(_COLUMNS, pl.String), infer_schema_length=None)
    return View(page=page, frame=frame, exact_link=True)


def _section(part: _Part, view: grouped.View, number: int, reference: str) -> Section:
    """Return the chapter that the report has of such a comparison, and which groups are missing."""
    audit, text, parts = ImpactAudit(), ["No two groups can be compared here."] if number else [], list[Part]()
    if view.findings:
        own = attribute_section([view], number, audit, led=())
        text = [*([view_sentence(view, audit)] if number else []), *own.text]
        if reference and not any(CROSS.join(each.reference.values()) == reference for each in view.findings):
            text.append(f"Of {reference} no rate can be told here; the highest rate is the reference.")
        parts = [replace(each, heading="", folded=False) for each in own.parts]
    if part.untold:
        rows = [[CROSS.join(cell.groups), cell.decided.text, cell.selected.text] for cell in part.untold]
        columns = [Column(label="Group", numeric=False), Column(label="Decided"), Column(label="Selected")]
        table = Table(caption="Groups whose counts are not told, and so are left out", columns=columns, rows=rows)
        parts.append(Part(tables=[table]))
    return Section(name=f"part-{number}", heading=part.heading, text=text, parts=parts)


def _row(part: _Part, finding: Finding) -> dict[str, object]:
    return {
        "part": part.heading,
        "measure": finding.measure,
        "group": CROSS.join(finding.focal.values()),
        "reference": CROSS.join(finding.reference.values()),
        "estimate": finding.estimate,
        "low": finding.low,
        "high": finding.high,
        "p_adjusted": finding.p_adjusted,
        "n": finding.n,
        "reason": finding.reason,
    }


def _cutoff(given: str) -> Cutoff:
    """Return a cut-off that was typed."""
    told = given.strip().lower()
    if told in {"", "median"}:
        return "median" if told else None
    try:
        number = float(told)
    except ValueError:
        number = nan
    if not isfinite(number) or abs(number) > LARGEST or round(number * STEPS) / STEPS != number:
        raise InputError(f"The cut-off {quoted(given)} is not understood; give a number of four decimals, or median.")
    return number


def _day(given: str, name: str) -> str:
    """Return a day that was typed, as it is compared."""
    try:
        return given and date.fromisoformat(given).isoformat()
    except ValueError as error:
        raise InputError(f"{quoted(given)} is no day to count {name}; write it as 2026-03-31.") from error


ADDRESSES = (Address(path="/bias", title="Bias", answer=_answered),)
