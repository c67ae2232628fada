"""Bias: impact ratios by group, at a cut-off, reference, attribute and period of choice.

Without access to the rows, ratios are of the disclosed counts alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from math import isfinite, nan
from typing import Final, Literal

import polars as pl
from starlette.exceptions import HTTPException

from evenhand.comparisons.impact import ImpactChoices, measure_impact
from evenhand.comparisons.impact_cells import References
from evenhand.dashboard.disclosure import MONTH, NOT_KNOWN, DisclosedCell, Suppressed, disclosed_cells
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.diversity import omitted_sentence, position_sentence, ratios_note
from evenhand.dashboard.views.view import CROSS, Address, Process, View, chosen_process
from evenhand.errors import InputError
from evenhand.monitoring.state import CountRequest, decided_levels, group_counts
from evenhand.report.impact.sections import attribute_section
from evenhand.report.impact.views import view_sentence
from evenhand.report.page.live import Choice, Field, LivePage
from evenhand.report.page.parts import Column, Part, Section, Table
from evenhand.results import impact_groups as grouped
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Finding, ImpactRatio
from evenhand.results.measures import IMPACT_RATIO, SELECTION_RATE
from evenhand.results.messages import quoted
from evenhand.results.schemas import LARGEST, PROTECTED, STEPS

#: The breakdown by decider; each of its values has a section.
DECIDED_BY: Final = "decided_by"
#: Fields that take any value, and how those of breakdowns begin: for those with access to the rows.
FREE: Final = ("first", "last")
WITHIN: Final = "in."
#: Values that a select offers at most.
_MOST: Final = 500
_WHOLE: Final = "All decisions"
_HIGHEST: Final = "the highest rate of a large group"
#: Columns of an export without rows.
_COLUMNS: Final = (
    "part",
    "measure",
    "group",
    "reference",
    "estimate",
    "low",
    "high",
    "p",
    "p_adjusted",
    "verdict",
    "n",
    "reason",
)
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
    """Decisions compared together: groups (protected.*), n, successes; and the groups with suppressed counts.

    What is not `shown` (other stages) is corrected for with the rest, and named where it differs.
    """

    heading: str
    counts: pl.DataFrame
    suppressed: Sequence[DisclosedCell] = field(default=())
    shown: bool = True


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
    parts += [
        _disclosed_part(
            suppressed_cube, replace(chosen, stage=stage), by, month, heading=f"Stage: {stage}", shown=False
        )
        for stage in cube.stages_at()
        if stage != chosen.stage
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
    whole = not month and chosen.cutoff is None
    within = position_sentence(suppressed_cube, chosen.crossed, exact=False) if whole else ""
    return _view(chosen, parts, within, choices=choices, notes=notes)


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
        others = [
            _Part(
                heading=f"Stage: {stage}",
                counts=group_counts(store, process.model, replace(count_request, stage=stage)),
                shown=False,
            )
            for stage in suppressed_cube.cube.stages_at()
            if stage != chosen.stage
        ]
    parts = [_Part(heading=_WHOLE, counts=counts)]
    deciders = [value for value in counts[DECIDED_BY].unique().sort().to_list() if value]
    if len(deciders) > 1:
        parts += [
            _Part(heading=f"Decided by: {value}", counts=counts.filter(pl.col(DECIDED_BY) == value))
            for value in deciders
        ]
    parts += others
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
    whole = chosen.cutoff is None and not (first or last or within)
    by_position = position_sentence(suppressed_cube, chosen.crossed, exact=True) if whole else ""
    notes = ["All counts are exact; this page is not for others."]
    return _view(chosen, parts, by_position, choices=choices, notes=notes)


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
        (
            "reference",
            "Compared with",
            {"": _HIGHEST} | {name: name for name in groups},
            chosen.reference,
        ),
        ("stage", "Stage", {name: name or "the only stage" for name in cube.stages_at()}, chosen.stage),
    ]
    return [
        Choice(name=name, label=label, options=options, chosen=value)
        for name, label, options, value in offered
        if name != "stage" or len(options) > 1
    ]


def _disclosed_part(
    suppressed_cube: Suppressed, chosen: _BiasRequest, by: str, value: str, *, heading: str, shown: bool = True
) -> _Part:
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
        shown=shown,
    )


def _comparison_views(parts: Sequence[_Part], chosen: _BiasRequest) -> list[grouped.View]:
    """Return the groups of each part against their reference, as `impact` compares stages: as one family.

    Nothing is compared where the chosen reference has no decisions that are shown.
    """
    approach = "selected" if chosen.cutoff is None else "median" if chosen.cutoff == "median" else "cutoff"
    number = chosen.cutoff if isinstance(chosen.cutoff, float) else None
    columns = [PROTECTED + name for name in chosen.crossed]
    absent = [pl.lit(None, pl.String).alias(name) for name in columns]
    counts = pl.concat(
        part.counts.with_columns(column for column in absent if column.meta.output_name() not in part.counts.columns)
        .group_by(columns)
        .agg(pl.col("n", "successes").sum())
        .with_columns(stage=pl.lit(part.heading))
        for part in parts
    )
    rows = counts.filter(pl.col("n") > 0).with_columns(
        approach=pl.lit(approach), cutoff=pl.lit(number, pl.Float64), position=pl.lit("")
    )
    present = {CROSS.join(row): row for row in rows.select(columns).drop_nulls().iter_rows()}
    named = dict(zip(chosen.crossed, present.get(chosen.reference, ()), strict=False))
    choices = ImpactChoices(references=References(named=named), intersectional=len(chosen.crossed) > 1)
    findings = measure_impact(rows, chosen.crossed, choices).findings if present else []
    compared = [
        finding
        for finding in findings
        if set(finding.focal) == set(chosen.crossed)
        and (finding.measure == SELECTION_RATE or _is_compared(finding, chosen.reference))
    ]
    views = []
    for part in parts:
        of_part = [finding for finding in compared if finding.slice.get("stage") == part.heading and finding.n]
        views.append(
            grouped.View(
                definition=grouped.Definition(approach, number, ""),
                attributes=chosen.crossed,
                findings=_of(of_part, IMPACT_RATIO),
                rates=_of(of_part, SELECTION_RATE),
            )
        )
    return views


def _is_compared(finding: Finding, reference: str) -> bool:
    """Return whether both groups have decisions in a part, and the reference is the chosen one."""
    details = ImpactRatio.of(finding)
    named = not reference or CROSS.join(finding.reference.values()) == reference
    return named and bool(details.n_focal and details.n_reference)


def _of(findings: Sequence[Finding], measure: str) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.measure == measure)


def _view(
    chosen: _BiasRequest,
    parts: Sequence[_Part],
    by_position: str,
    *,
    choices: Sequence[Choice | Field],
    notes: Sequence[str],
) -> View:
    audit = ImpactAudit()
    views = list(zip(parts, _comparison_views(parts, chosen), strict=True))
    (part, overall), *others = views
    answer = (
        view_sentence(overall, audit)
        if overall.findings
        else _not_shown(chosen.reference) or "No two groups can be compared: of fewer than two both counts are shown."
    )
    differing = [part.heading for part, view in others if any(finding.is_difference for finding in view.findings)]
    also = f" Other statistically significant differences: {'; '.join(differing)}." if differing else ""
    omitted = omitted_sentence(len(part.suppressed), len(part.suppressed) + len(overall.rates))
    shown = [(part, view) for part, view in views if part.shown]
    page = LivePage(
        title="Bias",
        answer=f"{answer}{also}{by_position}{omitted}",
        sections=[_section(part, view, number, chosen.reference) for number, (part, view) in enumerate(shown)],
        choices=choices,
        notes=[ratios_note([finding for _, view in views for finding in view.findings]), *notes],
    )
    rows = [_row(part, finding) for part, view in shown for finding in (*view.rates, *view.findings)]
    frame = pl.DataFrame(rows, schema=None if rows else dict.fromkeys(_COLUMNS, pl.String), infer_schema_length=None)
    return View(page=page, frame=frame, exact_link=True)


def _section(part: _Part, view: grouped.View, number: int, reference: str) -> Section:
    """Return the section of the report for such a comparison, and the groups left out."""
    audit, text, parts = ImpactAudit(), ["No two groups can be compared here."] if number else [], list[Part]()
    if view.findings:
        section = attribute_section([view], number, audit, led=())
        text = [*([view_sentence(view, audit)] if number else []), *section.text]
        parts = [replace(part, heading="", folded=False) for part in section.parts]
    elif number and reference:
        text = [_not_shown(reference)]
    if part.suppressed:
        rows = [[CROSS.join(cell.groups), cell.decided.text, cell.selected.text] for cell in part.suppressed]
        columns = [Column(label="Group", numeric=False), Column(label="Decided"), Column(label="Selected")]
        table = Table(caption="Groups that are not compared, as a count is not shown", columns=columns, rows=rows)
        parts.append(Part(tables=[table]))
    return Section(name=f"part-{number}", heading=part.heading, text=text, parts=parts)


def _not_shown(reference: str) -> str:
    return reference and f"No two groups can be compared: no selection rate of {reference} is shown, the reference."


def _row(part: _Part, finding: Finding) -> dict[str, object]:
    return {
        "part": part.heading,
        "measure": finding.measure,
        "group": CROSS.join(finding.focal.values()),
        "reference": CROSS.join(finding.reference.values()),
        "estimate": finding.estimate,
        "low": finding.low,
        "high": finding.high,
        "p": finding.p,
        "p_adjusted": finding.p_adjusted,
        "verdict": finding.verdict,
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
