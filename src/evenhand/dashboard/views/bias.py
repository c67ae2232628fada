"""Bias: impact ratios by group, at a cut-off, reference, attribute and period of choice.

Without access to the rows, ratios are of the published counts alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import product
from math import isfinite, nan
from typing import Final, Literal

import polars as pl
from starlette.exceptions import HTTPException

from evenhand.comparisons.impact import measure_impact
from evenhand.comparisons.impact_cells import ImpactChoices, References
from evenhand.dashboard.disclosure import NOT_KNOWN, Counts
from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views import ratios
from evenhand.dashboard.views.view import CROSS, Address, Process, View, chosen_process, month_choices, months_of
from evenhand.dashboard.views.worst import first_place
from evenhand.errors import InputError
from evenhand.monitoring.state import CountRequest, decided_levels, group_counts, is_kept, people_counts
from evenhand.report.impact.sections import attribute_section
from evenhand.report.impact.views import view_sentence
from evenhand.report.page.live import Choice, Field, LivePage
from evenhand.report.page.parts import Part, Section
from evenhand.results import impact_groups as grouped
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Finding, ImpactRatio, by_key, copied
from evenhand.results.measures import IMPACT_RATIO, SELECTION_RATE
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
    """Decisions compared together: groups (protected.*), n, successes, of each person (`unit`) where they are known.

    What is not `shown` (other stages) is corrected for with the rest, and named where it differs.
    """

    heading: str
    counts: pl.DataFrame
    shown: bool = True


def _requested_view(request: PageRequest) -> View:
    process = chosen_process(request, "Bias")
    if isinstance(process, View):
        return process
    if not process.counts.groups:
        answer = f"{process.model} has no groups of people; record them with evenhand monitor record --protected COL."
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
    return name in {"cutoff", *DAYS} or name.startswith(WITHIN)


def _published(request: PageRequest, process: Process) -> View:
    """Return the view of the published counts; nothing else is read, whatever the query."""
    for name, value in request.query.items():
        if value and name.startswith(WITHIN):
            raise HTTPException(403, f"{name} is for those with access to the rows, by exact numbers.")
    counts = process.counts
    chosen = replace(_what(request, counts), cutoff=_cutoff(request.query.get("cutoff", "")))
    if chosen.cutoff is not None and chosen.cutoff not in counts.cutoffs:
        published = ", ".join(f"{cutoff:g}" for cutoff in counts.cutoffs) or "none"
        raise HTTPException(
            403,
            f"Cut-offs that are published: {published}. Others are for those with access to the rows, by exact "
            "numbers.",
        )
    crossed, number = chosen.crossed, chosen.cutoff if isinstance(chosen.cutoff, float) else None
    every = counts.cells(crossed, cutoff=number)
    parts = {_WHOLE: [cell for cell in every if cell.stage == chosen.stage]}
    for cell in counts.cells(crossed, DECIDED_BY, cutoff=number) if DECIDED_BY in counts.values else ():
        if cell.stage == chosen.stage:
            parts.setdefault(f"Decided by: {cell.value}", []).append(cell)
    parts = {heading: cells for heading, cells in parts.items() if any(cell.decided for cell in cells)}
    shown = list(parts)
    for cell in every:
        if cell.stage != chosen.stage:
            parts.setdefault(f"Stage: {cell.stage}", []).append(cell)
    places = {name: cells[0].stage for name, cells in parts.items()}
    # One family: the parts stand in place of stages.
    placed = {name: [replace(cell, stage=name, value="") for cell in cells] for name, cells in parts.items()}
    together = [cell for cells in placed.values() for cell in cells]
    breakdowns = {name: DECIDED_BY if name in shown and name != _WHOLE else "" for name in parts}
    effects = {
        name: counts.effects(crossed, breakdowns[name], cutoff=number).get(stage, 1.0) for name, stage in places.items()
    }
    found = by_key(
        lambda finding: str(finding.slice["stage"]),
        ratios.compared_cells(together, crossed, counts.noise, chosen.reference, effects=effects),
    )
    first = [replace(cell, stage="") for cell in placed.get(_WHOLE, [])]
    own = [replace(finding, slice={"stage": "", "position": ""}) for finding in found.get(_WHOLE, [])]
    answer = ratios.answer(own, process.model, CROSS.join(crossed), chosen.reference)
    differing = [name for name, of in found.items() if name != _WHOLE and any(each.is_difference for each in of)]
    also = ratios.left_out(own, first)
    also += f" Other statistically significant differences: {'; '.join(differing)}." if differing else ""
    within = ratios.position_sentence(counts, crossed) if number is None else ""
    cutoffs = {"": "those decided for"} | {f"{cutoff:g}": f"scores above {cutoff:g}" for cutoff in counts.cutoffs}

    def deeper(name: str) -> ratios.Deeper:
        by = breakdowns[name] or first_place(counts)
        query = {"model": process.model, "attribute": CROSS.join(crossed), "by": by, "stage": chosen.stage}
        return lambda _stage, _value: link_to("/diversity", query, months_of(counts))

    page = LivePage(
        title="Bias",
        answer=answer,
        further=[f"{also}{within}".strip()] if also or within else [],
        sections=[
            ratios.selection_section(f"part-{place}", name, placed[name], found.get(name, []), link=deeper(name))
            for place, name in enumerate(shown)
        ],
        choices=[
            process.choice,
            *_choices(counts, chosen),
            *(
                [
                    Choice(
                        name="cutoff",
                        label="Selected are",
                        options=cutoffs,
                        chosen="" if number is None else f"{number:g}",
                    )
                ]
                if counts.cutoffs
                else []
            ),
            *month_choices(counts),
        ],
        notes=ratios.ratio_notes([each for of in found.values() for each in of], [counts], effects=effects.values()),
    )
    cells = [cell for name in shown for cell in placed[name]]
    return View(
        page=page,
        frame=ratios.ratio_frame(cells, [each for name in shown for each in found.get(name, [])], crossed),
        exact_link=True,
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

        counts = counted(chosen.stage)
        others = [
            _Part(heading=f"Stage: {stage}", counts=counted(stage), shown=False)
            for stage in known.stages_at()
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
        *_choices(known, chosen),
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
    whole = chosen.cutoff is None and not (first or last or within)
    by_position = ratios.position_sentence(known, chosen.crossed) if whole else ""
    return _view(chosen, parts, by_position, choices=choices, counts=known)


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
        ("attribute", "Groups", {name: name for name in attributes}, CROSS.join(chosen.crossed)),
        ("reference", "Compared with", {"": _HIGHEST} | {name: name for name in groups}, chosen.reference),
        ("stage", "Stage", {name: ratios.stage_name(name) for name in counts.stages_at()}, chosen.stage),
    ]
    return [
        Choice(name=name, label=label, options=options, chosen=value)
        for name, label, options, value in offered
        if name != "stage" or len(options) > 1
    ]


def _comparison_views(parts: Sequence[_Part], chosen: _BiasRequest) -> list[grouped.View]:
    """Return the groups of each part against their reference, as `impact` compares stages: as one family.

    Nothing is compared where the chosen reference has no decisions that are shown.
    """
    approach = "selected" if chosen.cutoff is None else "median" if chosen.cutoff == "median" else "cutoff"
    number = chosen.cutoff if isinstance(chosen.cutoff, float) else None
    columns = [PROTECTED + name for name in chosen.crossed]
    absent = [pl.lit(None, pl.String).alias(name) for name in columns]
    by_person = "unit" in parts[0].counts.columns
    apart = pl.concat(
        part.counts.with_columns(column for column in absent if column.meta.output_name() not in part.counts.columns)
        .group_by(*columns, *(["unit"] if by_person else []))
        .agg(pl.col("n", "successes").sum())
        .with_columns(stage=pl.lit(part.heading))
        for part in parts
    )
    apart = apart.filter(pl.col("n") > 0).with_columns(
        approach=pl.lit(approach), cutoff=pl.lit(number, pl.Float64), position=pl.lit("")
    )
    rows = apart.group_by(pl.exclude("unit", "n", "successes")).agg(pl.col("n", "successes").sum())
    clustering = ratios.people_clusters(apart) if by_person else None
    present = {CROSS.join(row): row for row in rows.select(columns).drop_nulls().iter_rows()}
    named = dict(zip(chosen.crossed, present.get(chosen.reference, ()), strict=False))
    choices = ImpactChoices(references=References(named=named), intersectional=len(chosen.crossed) > 1)
    findings = measure_impact(rows, chosen.crossed, choices, clustering=clustering).findings if present else []
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
    counts: Counts,
) -> View:
    audit = ImpactAudit()
    views = list(zip(parts, _comparison_views(parts, chosen), strict=True))
    (_, overall), *others = views
    answer = (
        view_sentence(overall, audit)
        if overall.findings
        else _not_shown(chosen.reference) or "No two groups can be compared: fewer than two have decisions."
    )
    differing = [part.heading for part, view in others if any(finding.is_difference for finding in view.findings)]
    also = f" Other statistically significant differences: {'; '.join(differing)}." if differing else ""
    shown = [(part, view) for part, view in views if part.shown]
    page = LivePage(
        title="Bias",
        answer=answer,
        further=[f"{also}{by_position}".strip()] if also or by_position else [],
        sections=[_section(part, view, number, chosen.reference) for number, (part, view) in enumerate(shown)],
        choices=choices,
        notes=ratios.ratio_notes([finding for _, view in views for finding in view.findings], [counts]),
    )
    rows = [_row(part, finding) for part, view in shown for finding in (*view.rates, *view.findings)]
    frame = pl.DataFrame(rows, schema=None if rows else dict.fromkeys(_COLUMNS, pl.String), infer_schema_length=None)
    return View(page=page, frame=frame, exact_link=True)


def _section(part: _Part, view: grouped.View, number: int, reference: str) -> Section:
    """Return the section of the report for such a comparison."""
    audit, text, parts = ImpactAudit(), ["No two groups can be compared here."] if number else [], list[Part]()
    if view.findings:
        section = attribute_section([view], number, audit, led=())
        text = [*([view_sentence(view, audit)] if number else []), *section.text]
        parts = [replace(part, heading="", folded=False) for part in section.parts]
    elif number and reference:
        text = [_not_shown(reference)]
    return Section(name=f"part-{number}", heading=part.heading, text=text, parts=parts)


def _not_shown(reference: str) -> str:
    return reference and f"No two groups can be compared: {reference}, the group to compare with, has no decisions."


def _row(part: _Part, finding: Finding) -> dict[str, object]:
    return {
        "part": part.heading,
        "measure": finding.measure,
        "group": CROSS.join(finding.focal.values()),
        "reference": CROSS.join(finding.reference.values()),
        **copied(finding, "estimate low high p p_adjusted verdict n reason"),
    }


def _cutoff(typed: str) -> Cutoff:
    cleaned = typed.strip().lower()
    if cleaned in {"", "median"}:
        return "median" if cleaned else None
    try:
        number = float(cleaned)
    except ValueError:
        number = nan
    if not isfinite(number) or abs(number) > LARGEST or not is_kept(number):
        raise InputError(f"The cut-off {quoted(typed)} is not understood; give a number of four digits, or median.")
    return number


def _day(typed: str, name: str) -> str:
    try:
        return typed and date.fromisoformat(typed).isoformat()
    except ValueError as error:
        raise InputError(f"{quoted(typed)} is not a day to count {name}; write it as 2026-03-31.") from error


ADDRESSES = (Address(path="/bias", title="Bias", answer=_requested_view),)
