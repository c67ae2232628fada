"""Bias: impact ratios by group, at a cut-off, reference, attribute and period of choice.

Without access to the rows, ratios are of the disclosed counts alone.
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
from evenhand.dashboard.disclosure import MONTH, NOT_KNOWN, DisclosedCell, Suppressed, disclosed_cells
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

#: Significance level of p, adjusted over the groups.
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
    """Return the ratio of each group at each stage and value, of the cells whose two counts are disclosed.

    People are taken as independent. Groups of several attributes are named with `joined` between.
    """
    known = [cell for cell in cells if cell.decided.number and NOT_KNOWN not in cell.groups]
    known = [cell for cell in known if cell.selected.number is not None]
    if not known or not crossed:
        return []
    counted = _counted(known, crossed)
    compared = group_ratios(counted, References())
    places = [(stage, value) for stage, value in counted.keys.select("stage", "position").iter_rows()]
    names = [joined.join(group) for group in counted.groups]
    rates = counted.rates
    results = []
    for at, (cell, focal, reference) in enumerate(zip(compared.cell, compared.focal, compared.reference, strict=True)):
        if counted.n[cell, focal] and (places[cell][1] != WHOLE) == bool(known[0].value):
            numbers = (compared.estimate[at], compared.low[at], compared.high[at], compared.p_adjusted[at])
            estimate, low, high, p = (float(number) if np.isfinite(number) else None for number in numbers)
            results.append(
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
                    reason=str(compared.reason[at]) or None,
                )
            )
    return results


def _counted(cells: Sequence[DisclosedCell], crossed: Sequence[str]) -> GroupCells:
    """Return the cells as matrices: all people of each stage, and then those of each value of a breakdown."""
    stages = list(dict.fromkeys(cell.stage for cell in cells))
    keys = [(stage, WHOLE) for stage in stages]
    keys += dict.fromkeys((cell.stage, cell.value) for cell in cells if cell.value)
    groups = sorted({cell.groups for cell in cells})
    rows, columns = ({key: at for at, key in enumerate(names)} for names in (keys, groups))
    n, selected = (np.zeros((len(keys), len(groups)), dtype=np.int64) for _ in range(2))
    for cell in cells:
        for key in {(cell.stage, WHOLE), (cell.stage, cell.value)}:
            n[rows[key], columns[cell.groups]] += cell.decided.number or 0
            selected[rows[key], columns[cell.groups]] += cell.selected.number or 0
    frame = pl.DataFrame(keys, schema={"stage": pl.String, "position": pl.String}, orient="row")
    return GroupCells(
        attributes=tuple(crossed),
        keys=frame.with_columns(approach=pl.lit(SELECTED), cutoff=pl.lit(None, pl.Float64)).select(KEYS),
        groups=tuple(groups),
        n=n,
        selected=selected,
        unknown=np.zeros((len(keys), 2), dtype=np.int64),
        judged=np.ones(len(groups), dtype=np.bool_),
    )


#: How crossed attributes, and their groups, are named in an address and on a page.
CROSS: Final = " × "
#: The breakdown by decider; each of its values has a section.
DECIDED_BY: Final = "decided_by"
#: Fields that take any value, and how those of breakdowns begin: for those with access to the rows.
FREE: Final = ("first", "last")
WITHIN: Final = "in."
#: Values that a select offers at most.
_MOST: Final = 500
_WHOLE: Final = "All decisions"
#: Columns of an export without rows.
_COLUMNS: Final = ("part", "measure", "group", "reference", "estimate", "low", "high", "p_adjusted", "n", "reason")
Cutoff = float | Literal["median"] | None


@dataclass(frozen=True, kw_only=True)
class _BiasRequest:
    """A comparison: groups of crossed attributes against one of them ('' is the highest rate), at a stage."""

    crossed: tuple[str, ...]
    reference: str
    stage: str
    cutoff: Cutoff


@dataclass(frozen=True, kw_only=True)
class _Part:
    """Decisions compared together: groups (protected.*), n, successes; and the groups with suppressed counts."""

    heading: str
    counts: pl.DataFrame
    suppressed: Sequence[DisclosedCell] = field(default=())


def _requested_view(request: PageRequest) -> View:
    process = chosen_process(request, "Bias")
    if isinstance(process, View):
        return process
    if not process.suppressed.cube.groups:
        answer = (
            f"No groups of people are known of {process.model}; evenhand monitor record --protected COL tells them."
        )
        return View(page=LivePage(title="Bias", answer=answer, choices=[process.choice]))
    if not request.exact:
        return _published(request, process)
    free_values = {name: value for name, value in request.query.items() if value and _is_free(name)}
    if free_values:
        request.reads(
            f"bias of {process.model} at {', '.join(f'{name} {value}' for name, value in free_values.items())}"
        )
    return _recomputed(request, process)


def _is_free(name: str) -> bool:
    return name in {"cutoff", *FREE} or name.startswith(WITHIN)


def _published(request: PageRequest, process: Process) -> View:
    """Return the view of the disclosed counts; nothing else is read, whatever the query."""
    for name, value in request.query.items():
        if value and name != "cutoff" and _is_free(name):
            raise HTTPException(
                403, f"{name} is for those with access to the rows, by exact numbers; others choose a month."
            )
    suppressed_cube, cube = process.suppressed, process.suppressed.cube
    chosen = replace(_what(request, suppressed_cube), cutoff=_cutoff(request.query.get("cutoff", "")))
    if chosen.cutoff is not None and chosen.cutoff not in cube.cutoffs:
        published = ", ".join(f"{cutoff:g}" for cutoff in cube.cutoffs) or "none"
        raise HTTPException(
            403,
            f"Cut-offs that are published: {published}. Others are for those with access to the rows, by exact "
            "numbers.",
        )
    months = list(cube.values.get(MONTH, ()))
    month = request.query.get(MONTH, "")
    month = month if month in months else ""
    by = MONTH if month else ""
    parts = [_disclosed_part(suppressed_cube, chosen, by, month, heading=f"{_WHOLE} of {month}" if month else _WHOLE)]
    if not month and DECIDED_BY in cube.values:
        parts += [
            _disclosed_part(suppressed_cube, chosen, DECIDED_BY, value, heading=f"Decided by: {value}")
            for value in cube.values[DECIDED_BY]
        ]
    cutoffs = {"": "those decided for"} | {f"{cutoff:g}": f"scores above {cutoff:g}" for cutoff in cube.cutoffs}
    at = "" if chosen.cutoff is None else f"{chosen.cutoff:g}"
    choices = [
        process.choice,
        *_choices(suppressed_cube, chosen),
        *([Choice(name="cutoff", label="Selected are", options=cutoffs, chosen=at)] if cube.cutoffs else []),
        Choice(name=MONTH, label="Month", options={"": "all"} | {name: name for name in months}, chosen=month),
    ]
    notes = [
        f"Made of the published counts alone: a group with a count below {suppressed_cube.least}, or one that is "
        "withheld so that such a count can't be computed, has no rate here.",
        *(["By who decided: choose all months."] if month and DECIDED_BY in cube.values else []),
    ]
    return _view(chosen, parts, choices=choices, notes=notes)


def _recomputed(request: PageRequest, process: Process) -> View:
    """Return the view of each day's counts, at any values: for those with access to the rows."""
    suppressed_cube = process.suppressed
    chosen = replace(_what(request, suppressed_cube), cutoff=_cutoff(request.query.get("cutoff", "")))
    first, last = (_day(request.query.get(name, ""), name) for name in FREE)
    with request.shown.opened() as store:
        levels = decided_levels(store, process.model)
        cuts = {name: values for name, values in sorted(levels.items()) if name != "stage" and 1 < len(values) <= _MOST}
        within = {name: request.query.get(f"{WITHIN}{name}", "") for name in cuts}
        within = {name: value for name, value in within.items() if value and value in cuts[name]}
        count_request = CountRequest(
            stage=chosen.stage, first=first, last=last or CountRequest.last, within=within, cutoff=chosen.cutoff
        )
        counts = group_counts(store, process.model, count_request)
    parts = [_Part(heading=_WHOLE, counts=counts)]
    deciders = [value for value in counts[DECIDED_BY].unique().sort().to_list() if value]
    if len(deciders) > 1:
        parts += [
            _Part(heading=f"Decided by: {value}", counts=counts.filter(pl.col(DECIDED_BY) == value))
            for value in deciders
        ]
    choices: list[Choice | Field] = [
        process.choice,
        *_choices(suppressed_cube, chosen),
        Field(
            name="cutoff",
            label="Score above (a number, or median)",
            value=request.query.get("cutoff", ""),
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


def _what(request: PageRequest, suppressed_cube: Suppressed) -> _BiasRequest:
    """Return the requested comparison, the first value in place of an unknown one."""
    cube = suppressed_cube.cube
    attributes = [CROSS.join(crossed) for crossed, by in cube.tables if crossed and not by]
    crossed = tuple((request.chosen("attribute", attributes) or "").split(CROSS))
    reference = request.query.get("reference", "")
    return _BiasRequest(
        crossed=crossed,
        reference=reference if reference in _groups(suppressed_cube, crossed) else "",
        stage=request.chosen("stage", list(cube.stages_at())) or "",
        cutoff=None,
    )


def _groups(suppressed_cube: Suppressed, crossed: Sequence[str]) -> list[str]:
    known = {
        CROSS.join(cell.groups): None
        for cell in disclosed_cells(suppressed_cube, crossed)
        if NOT_KNOWN not in cell.groups
    }
    return list(known)


def _choices(suppressed_cube: Suppressed, chosen: _BiasRequest) -> list[Choice]:
    cube = suppressed_cube.cube
    attributes = [CROSS.join(crossed) for crossed, by in cube.tables if crossed and not by]
    groups = _groups(suppressed_cube, chosen.crossed)
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


def _disclosed_part(suppressed_cube: Suppressed, chosen: _BiasRequest, by: str, value: str, *, heading: str) -> _Part:
    """Return the groups whose two counts are disclosed, and the others."""
    number = None if chosen.cutoff == "median" else chosen.cutoff
    cells = [
        cell
        for cell in disclosed_cells(suppressed_cube, chosen.crossed, by, cutoff=number)
        if (cell.stage, cell.value) == (chosen.stage, value)
    ]
    disclosed = [cell for cell in cells if cell.decided.number is not None and cell.selected.number is not None]
    rows = [
        {
            **{
                PROTECTED + name: None if group == NOT_KNOWN else group
                for name, group in zip(chosen.crossed, cell.groups, strict=True)
            },
            "n": cell.decided.number,
            "successes": cell.selected.number,
        }
        for cell in disclosed
    ]
    schema = {**{PROTECTED + name: pl.String() for name in chosen.crossed}, "n": pl.Int64(), "successes": pl.Int64()}
    return _Part(
        heading=heading,
        counts=pl.DataFrame(rows, schema=schema),
        suppressed=[cell for cell in cells if cell not in disclosed and NOT_KNOWN not in cell.groups],
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
    findings = measure_impact(rows, chosen.crossed, choices).findings if present else []
    of_attributes = [finding for finding in findings if set(finding.focal) == set(chosen.crossed)]
    return grouped.View(
        definition=grouped.Definition(approach, number, ""),
        attributes=chosen.crossed,
        findings=_of(of_attributes, IMPACT_RATIO),
        rates=_of(of_attributes, SELECTION_RATE),
    )


def _of(findings: Sequence[Finding], measure: str) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.measure == measure)


def _view(
    chosen: _BiasRequest, parts: Sequence[_Part], *, choices: Sequence[Choice | Field], notes: Sequence[str]
) -> View:
    audit = ImpactAudit()
    views = [(part, _comparison_view(part, chosen)) for part in parts]
    overall = views[0][1]
    answer = (
        view_sentence(overall, audit)
        if overall.findings
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
    """Return the section of the report for such a comparison, and the groups left out."""
    audit, text, parts = ImpactAudit(), ["No two groups can be compared here."] if number else [], list[Part]()
    if view.findings:
        section = attribute_section([view], number, audit, led=())
        text = [*([view_sentence(view, audit)] if number else []), *section.text]
        if reference and not any(CROSS.join(finding.reference.values()) == reference for finding in view.findings):
            text.append(f"Of {reference} no rate can be told here; the highest rate is the reference.")
        parts = [replace(part, heading="", folded=False) for part in section.parts]
    if part.suppressed:
        rows = [[CROSS.join(cell.groups), cell.decided.text, cell.selected.text] for cell in part.suppressed]
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


def _cutoff(typed: str) -> Cutoff:
    cleaned = typed.strip().lower()
    if cleaned in {"", "median"}:
        return "median" if cleaned else None
    try:
        number = float(cleaned)
    except ValueError:
        number = nan
    if not isfinite(number) or abs(number) > LARGEST or round(number * STEPS) / STEPS != number:
        raise InputError(f"The cut-off {quoted(typed)} is not understood; give a number of four decimals, or median.")
    return number


def _day(typed: str, name: str) -> str:
    try:
        return typed and date.fromisoformat(typed).isoformat()
    except ValueError as error:
        raise InputError(f"{quoted(typed)} is no day to count {name}; write it as 2026-03-31.") from error


ADDRESSES = (Address(path="/bias", title="Bias", answer=_requested_view),)
