"""Recruiters: how each one's selections differ between groups within positions, under pseudonyms."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from evenhand.comparisons.impact import measure_impact
from evenhand.comparisons.impact_cells import ImpactChoices, References
from evenhand.dashboard.disclosure import NOT_KNOWN, Counts
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views import ratios
from evenhand.dashboard.views.view import Address, Process, View, chosen_process, month_choices, same
from evenhand.monitoring.counts import secret_number
from evenhand.report.impact.summary import significant_cell
from evenhand.report.impact.views import ODDS_APART, is_sizeable, short_ratio
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Part, Section, intervals_of, table
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.results import corrected_p, listing
from evenhand.results.finding import Finding, by_key
from evenhand.results.measures import COMMON_ODDS_RATIO
from evenhand.results.schemas import BREAKDOWN, PROTECTED, RECRUITER, SELECTED

_POSITION: Final = f"{BREAKDOWN}position"
_DECIDER: Final = f"{BREAKDOWN}decided_by"
_NOTES: Final = (
    "Odds ratios compare each group with the largest one. They are adjusted for position (Mantel-Haenszel), but not "
    "for other differences between applicants. {} A difference is a reason to review the decisions, not a finding "
    "about a person.",
    "Counts are exact: do not share this page. Each view of it is logged.",
)


def _requested_view(request: PageRequest) -> View:
    process = chosen_process(request, "Recruiters", exact=True)
    if isinstance(process, View):
        return process
    counts = process.counts
    if not {RECRUITER, _POSITION} <= set(counts.rows.columns) or not counts.groups:
        answer = "No recruiters are recorded: evenhand monitor record --by recruiter --position COL --protected COL."
        return View(page=LivePage(title="Recruiters", answer=answer, choices=[process.choice]))
    request.reads(f"recruiters of {process.model}")
    return _view(request, process, counts)


def _view(request: PageRequest, process: Process, counts: Counts) -> View:
    attribute = request.chosen("attribute", list(counts.groups)) or ""
    of_recruiters = counts.uncut.filter(pl.col(RECRUITER) != NOT_KNOWN)
    stages = [stage for stage in counts.stages_at() if stage in set(of_recruiters["stage"])]
    stage = request.chosen("stage", stages) or ""
    found = _compared(_rows(counts, stage, attribute), attribute)
    judged = [finding for finding in found if finding.p is not None]
    of_each = by_key(_pseudonym, judged)
    large = [finding for finding in judged if is_sizeable(finding, of_each[_pseudonym(finding)])]
    small = ratios.small_sentence(len(judged) - len(large) if large else 0)
    judged = large or judged
    differing = [finding for finding in judged if finding.is_difference]
    at = f" at {stage}" if stage else ""
    answer = f"No recruiter{at} can be compared."
    if judged:
        verb = "are" if len(differing) > 1 else "is"
        of = counted(len(judged), "comparison of a recruiter", "comparisons of recruiters")
        shown = f"{count_text(len(differing)) if differing else 'None'} of {of}{at} {verb} statistically significant"
        answer = f"{shown}; the largest difference: {_example(max(differing or judged, key=ratios.size_of))}."
    heads = ["Recruiter", "Decisions", "Selected", "Odds ratio (95 % CI)", "Significant?"]
    found = sorted(found, key=lambda each: (not each.is_difference, each not in large, -ratios.size_of(each)))
    lines = [_line(finding) for finding in found]
    in_rows = replace(table("", heads, lines), intervals=intervals_of(found))
    section = Section(name="recruiters", heading="Within positions", parts=[Part(tables=[in_rows])])
    choices = [
        process.choice,
        Choice(name="attribute", label="Groups", options=same(counts.groups), chosen=attribute),
        Choice(name="stage", label="Stage", options={name: ratios.stage_name(name) for name in stages}, chosen=stage),
        *month_choices(counts),
    ]
    taken = ratios.INDEPENDENT.format("") if counts.people is None else ratios.BY_PERSON
    notes = [note.format(taken) for note in _NOTES]
    page = LivePage(
        title="Recruiters",
        answer=answer,
        further=[*([small.strip()] if small else []), *_deciders(of_recruiters, counts, stage)],
        sections=[section] if lines else [],
        choices=choices,
        notes=notes,
    )
    return View(page=page)


def _deciders(rows: pl.DataFrame, counts: Counts, stage: str) -> list[str]:
    """Return who took the decisions that are listed under recruiters, where several kinds of deciders are recorded."""
    if _DECIDER not in rows.columns:
        return []
    months = pl.col(f"{BREAKDOWN}month").is_between(pl.lit(counts.first), pl.lit(counts.last or "9"))
    shown = rows.filter(pl.col("stage") == stage, months)
    deciders = shown.group_by(_DECIDER).agg(pl.col("decided").sum()).sort(_DECIDER).rows()
    if len(deciders) < 2:
        return []
    each = listing([f"{count_text(n)} by {who or NOT_KNOWN}" for who, n in deciders])
    return [f"Decisions are listed under the recruiter of the position, whoever took them: {each}."]


def _rows(counts: Counts, stage: str, attribute: str) -> pl.DataFrame:
    """Return the counts of each recruiter, who stands in place of a stage, by position, group and, if known, person."""
    month, group = pl.col(f"{BREAKDOWN}month"), PROTECTED + attribute
    rows = counts.uncut.rename({"decided": "n", "selected": "successes"})
    if counts.people is not None:
        rows = counts.people.drop_nulls("selected").with_columns(n=pl.lit(1), successes="selected")
    rows = rows.with_columns(pl.col(RECRUITER, _POSITION, group).replace("", None)).filter(
        pl.col("stage") == stage,
        pl.col(RECRUITER).is_not_null() & (pl.col(RECRUITER) != NOT_KNOWN),
        month.is_between(pl.lit(counts.first), pl.lit(counts.last or "9")),
    )
    names = {name: f"{secret_number(counts.secret.to_bytes(8), name):010x}"[-6:] for name in rows[RECRUITER].unique()}
    places = {
        "stage": pl.col(RECRUITER).replace_strict(names, return_dtype=pl.String),
        "position": pl.col(_POSITION).fill_null(NOT_KNOWN),
        group: pl.col(group).replace(NOT_KNOWN, None),
    }
    units = ["unit"] if "unit" in rows.columns else []
    return (
        rows.with_columns(**places)
        .group_by(*places, *units)
        .agg(pl.col("n", "successes").sum().cast(pl.Int64))
        .with_columns(approach=pl.lit(SELECTED), cutoff=pl.lit(None, pl.Float64))
    )


def _compared(rows: pl.DataFrame, attribute: str) -> Sequence[Finding]:
    sizes = rows.drop_nulls(PROTECTED + attribute).group_by(PROTECTED + attribute).agg(pl.col("n").sum())
    if sizes.height < 2:
        return []
    largest = sizes.sort(["n", PROTECTED + attribute], descending=[True, False])[PROTECTED + attribute][0]
    choices = ImpactChoices(references=References(named={attribute: largest}))
    clustering = ratios.people_clusters(rows) if "unit" in rows.columns else None
    counts = rows.group_by(pl.exclude("n", "successes", "unit")).agg(pl.col("n", "successes").sum())
    found = measure_impact(counts, [attribute], choices, clustering=clustering, by_position=True)
    return [finding for finding in found.findings if finding.measure == COMMON_ODDS_RATIO]


def _example(finding: Finding) -> str:
    """Return a comparison of a recruiter in words; the first sentence of the page names the largest."""
    p = f", {text}" if finding.claim and (text := corrected_p(finding.claim)) else ""
    odds = short_ratio(finding, ODDS_APART, level=True)
    rates = ratios.rates_text(finding, " and ", sized=False)
    return f"{_pseudonym(finding)} selected {rates} (n = {count_text(finding.n)}), odds ratio {odds}{p}"


def _pseudonym(finding: Finding) -> str:
    return str(finding.slice.get("stage", ""))


def _line(finding: Finding) -> list[str]:
    return [
        _pseudonym(finding),
        count_text(finding.n),
        ratios.rates_text(finding, ", ", sized=False),
        short_ratio(finding, ODDS_APART),
        significant_cell(finding),
    ]


ADDRESSES = (Address(path="/recruiters", title="Recruiters", answer=_requested_view, role="supervisor"),)
