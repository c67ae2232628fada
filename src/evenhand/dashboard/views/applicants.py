"""Applicants: one's positions, the best match first, with what matches and what is missing; a résumé being masked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import orjson
import polars as pl

from evenhand.analyses.match import pseudonym
from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views.candidates import (
    DAMAGED,
    LISTS,
    SCORE,
    Masking,
    applicant_link,
    candidate_lists,
    has_candidates,
    match_text,
    no_list,
    ranked_runs,
    reasons_table,
    resumes_of,
    score_part,
)
from evenhand.dashboard.views.view import Address, View, same
from evenhand.errors import InputError
from evenhand.masking.mask import Masked, replacements
from evenhand.report.charts.intervals import BarRow
from evenhand.report.page.live import Choice, Field, LivePage
from evenhand.report.page.parts import Part, Piece, Section, SideBySide, table
from evenhand.report.words.numbers import ABSENT, counted
from evenhand.report.words.results import capital, in_words

#: Positions that are shown, cards that are open, and applicants that a select offers.
_MOST: Final = 50
_OPEN: Final = 3
_MOST_OFFERED: Final = 500
#: Categories of masking in words, where these are not the category's name.
_CATEGORIES: Final = {
    "GENDER": "gender, pronouns, titles",
    "ETHNICITY": "ethnicity, race",
    "MARITAL": "marital status",
    "ORIENTATION": "sexual orientation",
    "EMAIL": "e-mail address",
    "URL": "web address",
    "PHONE": "phone number",
    "DOB": "date of birth",
    "GRADYEAR": "year of graduation",
}

#: The person's id, and the rows of match recommend with the positions, by pseudonym.
Listed = dict[str, tuple[str, list[dict[str, Any]]]]


def _listed(folder: Path) -> Listed:
    """Return the applicants of a run of match recommend, whoever got the lists, with their positions."""
    applicants: Listed = {}
    try:
        for line in (folder / LISTS).read_bytes().splitlines():
            row = orjson.loads(line)
            for entry in row.get("positions", row.get("candidates", ())):
                person = str(row["person"] if "positions" in row else entry["person"])
                of = {"position": row.get("position"), "title": row.get("title"), "location": None} | entry
                applicants.setdefault(pseudonym(person), (person, []))[1].append(of)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InputError(DAMAGED.format(folder.name)) from error
    return applicants


def _has_lists(folder: Path) -> bool:
    return (folder / LISTS).is_file()


@dataclass(frozen=True, kw_only=True)
class _Chosen:
    """The applicant that a page is of: the run, the pseudonym, the id and the positions; and the page's fields."""

    run: str
    name: str
    person: str
    positions: Sequence[Mapping[str, Any]]
    fields: Sequence[Choice | Field]


def _chosen(request: PageRequest, title: str) -> _Chosen | View:
    """Return the requested applicant; where none is, the page that offers some."""
    folder = request.shown.runs
    runs = ranked_runs(folder, _has_lists)
    run = request.chosen("run", runs)
    if folder is None or run is None:
        return no_list(request, title, "No list of an applicant's positions", "--for people")
    applicants = _listed(folder / run)
    name = request.query.get("applicant", "") if request.query.get("run", run) == run else ""
    offered = sorted(applicants)[:_MOST_OFFERED] + [name] * (name in applicants)
    names = {"": "choose one"} | {each: f"Candidate {each}" for each in offered}
    fields = [
        Choice(name="run", label="Run", options=same(runs), chosen=run),
        Choice(name="applicant", label="Applicant", options=names, chosen=name),
    ]
    if name not in applicants:
        answer = f"Choose one of {counted(len(applicants), 'applicant')}. Each view is logged."
        return View(page=LivePage(title=title, answer=answer, choices=fields))
    person, positions = applicants[name]
    return _Chosen(run=run, name=name, person=person, positions=positions, fields=fields)


def _applicant_view(request: PageRequest) -> View:
    """Return the positions of an applicant, as cards and in a table."""
    chosen = _chosen(request, "Applicants")
    if isinstance(chosen, View):
        return chosen
    try:
        ranked = sorted(chosen.positions, key=lambda row: -row["score"])[:_MOST]
        page = _positions_page(chosen, ranked, _candidate_links(request, chosen.run))
        frame = pl.DataFrame([_flat(row) for row in ranked], infer_schema_length=None)
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(DAMAGED.format(chosen.run)) from error
    request.reads(f"positions of candidate {chosen.name} in {chosen.run}")
    return View(page=page, frame=frame)


def _candidate_links(request: PageRequest, run: str) -> dict[str, str]:
    """Return the pages of ranked candidates by position, of this run where it has them, else of the newest."""
    folder = request.shown.runs
    runs = ranked_runs(folder, has_candidates)
    if folder is None or not runs:
        return {}
    chosen = run if run in runs else runs[0]
    return {
        position: link_to("/candidates", {"run": chosen, "position": position})
        for position in candidate_lists(folder / chosen)
    }


def _positions_page(chosen: _Chosen, ranked: Sequence[Mapping[str, Any]], links: Mapping[str, str]) -> LivePage:
    strong, best = sum(row["strong"] for row in ranked), ranked[0]
    resume = Part(link=applicant_link("/masking", chosen.run, chosen.name), link_text="Before and after masking")
    matches = counted(strong, "strong match", "strong matches") if strong else "No strong match"
    return LivePage(
        title="Applicants",
        answer=f"{matches} among {counted(len(ranked), 'listed position')} of candidate {chosen.name}; the best: "
        f"{_titled(best)} ({match_text(best)}).",
        sections=[
            Section(name="list", heading="Ranked positions", parts=_list(ranked, links)),
            Section(
                name="cards",
                heading="Why",
                parts=[_card(row, place) for place, row in enumerate(ranked, start=1)],
            ),
            Section(name="resume", heading="The résumé", parts=[resume]),
        ],
        choices=chosen.fields,
        notes=[
            "A match is an estimate from the masked text on a scale from 0 to 5; 4 or more is a strong match. It is "
            "not a decision, and missing skills may be missing in the text only."
        ],
    )


def _titled(row: Mapping[str, Any]) -> str:
    return ", ".join(str(part) for part in (row["title"], row["location"]) if part)


def _list(ranked: Sequence[Mapping[str, Any]], links: Mapping[str, str]) -> list[Part]:
    """Return the positions as a table, with a chart of their scores."""
    rows = [
        [
            f"{place}. {_titled(row)}",
            match_text(row),
            SCORE.text(row["score"]),
            ", ".join(row["matching_skills"]) or ABSENT,
            "; ".join(row["not_found"]) or ABSENT,
        ]
        for place, row in enumerate(ranked, start=1)
    ]
    bars = [
        BarRow(label=f"{place}. {row['title']}", value=row["score"], text=f"{_titled(row)}: {match_text(row)}")
        for place, row in enumerate(ranked, start=1)
    ]
    caption = "A position leads to its ranked candidates" if links else "Positions by match"
    heads = ("Position", "Match", "Score", "Matching skills", "Missing")
    listed = replace(table(caption, heads, rows), links=[links.get(row["position"], "") for row in ranked])
    return [Part(tables=[listed]), score_part("position", bars)]


def _card(row: Mapping[str, Any], place: int) -> Part:
    """Return why a position matches: what was found, the skills, what is missing, and what each feature adds."""
    text = [f"✓ {reason}" for reason in row["found"]]
    text += [f"✓ Matching skills: {', '.join(row['matching_skills'])}"] if row["matching_skills"] else []
    text += [f"✗ {reason}" for reason in row["not_found"]]
    return Part(
        heading=f"{place}. {_titled(row)}: {match_text(row)}",
        text=text,
        tables=[reasons_table(row)] if "contributions" in row else [],
        folded=place > _OPEN,
    )


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    lists = {name: "; ".join(row[name]) for name in ("matching_skills", "found", "not_found")}
    return {name: row[name] for name in ("position", "title", "location", "rank", "score", "match", "strong")} | lists


def _masking_view(request: PageRequest) -> View:
    """Return an applicant's résumé before and after masking, with what was masked and by which rule."""
    chosen = _chosen(request, "Masking")
    if isinstance(chosen, View) or request.shown.runs is None:
        assert isinstance(chosen, View)
        return chosen
    masking = Masking.requested(request)
    fields = [*chosen.fields, *masking.optional_fields]
    resumes = resumes_of(request.shown.runs / chosen.run, {chosen.person})
    applicant = resumes.people.get(chosen.person)
    if applicant is None:
        answer = resumes.missing or "The résumé is not among those of the run."
        return View(page=LivePage(title="Masking", answer=answer, choices=fields))
    masked = masking.masked(applicant)
    request.reads(f"résumé of candidate {chosen.name} in {chosen.run}, before and after masking")
    kinds = Counter(span.category for span in masked.spans)
    counts = ", ".join(f"{_category(kind)} {count}" for kind, count in kinds.most_common())
    page = LivePage(
        title="Masking",
        answer=f"{counted(len(masked.spans), 'place')} of candidate {chosen.name}'s résumé "
        f"{'is' if len(masked.spans) == 1 else 'are'} masked{f': {counts}' if counts else ''}.",
        sections=[
            Section(
                name="texts", heading="Before and after", parts=[Part(beside=[_both(applicant.text, masked, masking)])]
            ),
            *([_reasons(applicant.text, masked)] if masked.spans else []),
        ],
        choices=fields,
        notes=[
            "Masking removes what its rules recognise; employers, projects and style may still identify a person. Each "
            "view of this page is logged."
        ],
    )
    return View(page=page)


def _both(text: str, masked: Masked, masking: Masking) -> SideBySide:
    """Return a text before and after masking; what was replaced and what stands there instead are marked."""
    before, after, done = [], [], 0
    for start, end, replacement, _ in replacements(text, masked.spans, masking.options):
        before += [Piece(text=text[done:start]), Piece(text=text[start:end], marked=True)]
        after += [Piece(text=text[done:start]), Piece(text=replacement, marked=True)]
        done = end
    rest = Piece(text=text[done:])
    return SideBySide(labels=("Original", "Masked"), texts=([*before, rest], [*after, rest]))


def _reasons(text: str, masked: Masked) -> Section:
    """Return what was masked, as what, and by which rule."""
    spans = Counter((text[each.start : each.end], each.category, each.rule, each.confidence) for each in masked.spans)
    rows = [
        [words, capital(_category(category)), in_words(rule), str(count), f"{confidence:.2f}"]
        for (words, category, rule, confidence), count in spans.items()
    ]
    heads = ("In the résumé", "Masked as", "Rule", "Times", "Confidence of the rule")
    reasons = table("Categories and rules", heads, rows)
    return Section(name="why", heading="Reasons for masking", parts=[Part(tables=[reasons])])


def _category(name: str) -> str:
    return _CATEGORIES.get(name, name.lower())


ADDRESSES = (
    Address(path="/applicants", title="Applicants", of=("runs",), answer=_applicant_view, role="admin"),
    Address(path="/masking", title="Masking", of=("runs",), answer=_masking_view, role="admin"),
)
