"""Candidates: the ranked list of a position, masked as chosen, with the contribution of each feature to a score."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import orjson
import polars as pl

from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views.audits import listed_runs
from evenhand.dashboard.views.view import Address, View, same
from evenhand.errors import InputError
from evenhand.masking.mask import Masked, mask_text
from evenhand.masking.people import Person, read_people
from evenhand.masking.pronouns import OPTIONAL, MaskOptions
from evenhand.matching.features import FEATURES
from evenhand.report.charts.intervals import BarRow, bar_chart
from evenhand.report.page.live import Choice, Field, LivePage
from evenhand.report.page.parts import Figure, Part, Section, Table, headings
from evenhand.report.words.numbers import ABSENT, Scale, counted
from evenhand.results.files import sha256_of

LISTS: Final = "recommendations.jsonl"
DAMAGED: Final = f"{LISTS} of {{}} can't be read; run evenhand match recommend again."
#: Candidates of a position that are shown, the first.
_MOST: Final = 50
#: Prefix of the fields that unmask an optional category.
SHOW: Final = "show."
_ADDED: Final = Scale(decimals=2, signed=True)
SCORE: Final = Scale(decimals=3)
_TITLES: Final = {feature.name: feature.title for feature in FEATURES}
OPTIONAL_WORDS: Final = {
    "phone": "phone",
    "address": "address",
    "dob": "date of birth",
    "graduation_year": "year of graduation",
    "school": "school",
}


@dataclass(frozen=True, kw_only=True)
class Masking:
    """How résumés are shown: as they are, or masked except for the optional categories in `shown`."""

    as_it_is: bool
    shown: frozenset[str]

    @classmethod
    def requested(cls, request: PageRequest) -> Self:
        """Return what the address of a page says."""
        return cls(
            as_it_is=request.query.get("resume") == "as it is",
            shown=frozenset(name for name in OPTIONAL if request.query.get(SHOW + name) == "yes"),
        )

    @property
    def optional_fields(self) -> list[Choice | Field]:
        """Return the fields of a page that show optional categories."""
        return [
            Field(name=SHOW + name, label=f"Show {words}", kind="checkbox", value="yes" if name in self.shown else "")
            for name, words in OPTIONAL_WORDS.items()
        ]

    @property
    def description(self) -> str:
        """Return it in words."""
        if self.as_it_is:
            return "résumés as they are"
        also = ", ".join(OPTIONAL_WORDS[name] for name in sorted(self.shown))
        return "résumés masked" + (f" but for {also}" if also else "")

    @property
    def options(self) -> MaskOptions:
        """Return the options of masking."""
        return MaskOptions(optional=tuple(name for name in OPTIONAL if name not in self.shown))

    def masked(self, person: Person) -> Masked:
        """Return a person's résumé, masked."""
        return mask_text(
            person.text,
            known_names=person.known_names,
            file_name=person.file_name,
            metadata=person.metadata,
            options=self.options,
        )

    def text(self, person: Person) -> str:
        """Return a person's résumé, masked unless shown as it is."""
        return person.text if self.as_it_is else self.masked(person).text


@dataclass(frozen=True, kw_only=True)
class Resumes:
    """The people of a list by id; or why there are none."""

    people: Mapping[str, Person] = field(default_factory=dict)
    missing: str = ""


def _requested_view(request: PageRequest) -> View:
    folder = request.shown.runs
    runs = ranked_runs(folder, has_candidates)
    run = request.chosen("run", runs)
    if folder is None or run is None:
        return no_list(request, "Candidates", "No list of candidates", "--for positions")
    lists = candidate_lists(folder / run)
    position = request.query.get("position", "") if request.query.get("run", run) == run else ""
    masking = Masking.requested(request)
    choices = _choices(runs, run, lists, position, masking)
    if position not in lists:
        answer = "Choose a position to see its candidates. Each view is logged."
        return View(page=LivePage(title="Candidates", answer=answer, choices=choices))
    row = lists[position]
    try:
        resumes = resumes_of(folder / run, {candidate["person"] for candidate in row["candidates"][:_MOST]})
        view = _view(row, resumes, masking, run=run, choices=choices)
    except (LookupError, TypeError, AttributeError) as error:
        raise InputError(DAMAGED.format(run)) from error
    request.reads(f"candidates for {position} in {run}, {masking.description}")
    return view


def ranked_runs(folder: Path | None, fits: Callable[[Path], bool]) -> list[str]:
    """Return the runs of match recommend that fit, the newest first."""
    return [] if folder is None else [run.name for run in listed_runs(folder) if fits(folder / run.name)]


def no_list(request: PageRequest, title: str, what: str, options: str) -> View:
    """Return the page without a list; that of the synthetic company is being made."""
    answer = f"{what} is in the folder of --runs: evenhand match recommend {options} makes one."
    company = request.shown.synthetic if request.shown.is_synthetic else None
    making = company is not None and not company.problems
    if company is not None:
        problem = "".join(company.problems[:1])
        answer = problem or "The candidates of the synthetic company are being ranked. This page reloads."
    return View(page=LivePage(title=title, answer=answer, reload_after=2 if making else 0))


def has_candidates(folder: Path) -> bool:
    """Return whether a run ranks candidates, not positions for people."""
    try:
        with (folder / LISTS).open("rb") as file:
            return not file.readline(20).startswith(b'{"person":')
    except OSError:
        return False


def candidate_lists(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the ranked candidates of a run by position."""
    try:
        rows = [orjson.loads(line) for line in (folder / LISTS).read_bytes().splitlines()]
        return {row["position"]: row | {"title": str(row["title"])} for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(DAMAGED.format(folder.name)) from error


def resumes_of(folder: Path, ids: set[str]) -> Resumes:
    """Return the résumés of a run, where the file is unchanged."""
    try:
        audit = orjson.loads((folder / "findings.json").read_bytes())["audit"]
        words, was = shlex.split(audit["reproduce"]), audit["fingerprints"].get("people")
        path = Path(words[words.index("--people") + 1])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return Resumes(missing="No résumés are shown: the run does not record where they are.")
    if not path.is_file() and not path.is_dir():
        return Resumes(missing=f"No résumés are shown: {path} isn't here; start evenhand serve where the run was made.")
    if was is not None and (not path.is_file() or sha256_of(path) != was):
        return Resumes(missing=f"No résumés are shown: {path} was changed since the run.")
    return Resumes(people={person.id: person for person in read_people(path) if person.id in ids})


def _choices(
    runs: Sequence[str], run: str, lists: Mapping[str, Mapping[str, Any]], position: str, masking: Masking
) -> list[Choice | Field]:
    places = {"": "choose one"} | {name: f"{row['title']} ({name})" for name, row in lists.items()}
    masks = {"": "masked", "as it is": "as they are"}
    return [
        Choice(name="run", label="Run", options=same(runs), chosen=run),
        Choice(name="position", label="Position", options=places, chosen=position),
        Choice(name="resume", label="Résumés", options=masks, chosen="as it is" if masking.as_it_is else ""),
        *masking.optional_fields,
    ]


def _view(
    row: Mapping[str, Any], resumes: Resumes, masking: Masking, *, run: str, choices: Sequence[Choice | Field]
) -> View:
    candidates = row["candidates"][:_MOST]
    more = f" The first {_MOST} of {len(row['candidates']):,} are shown." if len(row["candidates"]) > _MOST else ""
    page = LivePage(
        title="Candidates",
        answer=f"{counted(len(candidates), 'candidate')} for {row['title']}, highest score first; "
        f"{masking.description}.{more}",
        sections=[
            Section(name="list", heading="Ranked candidates", parts=_ranked(candidates, masking, run)),
            Section(
                name="reasons",
                heading="Reasons and résumés",
                text=[resumes.missing] if resumes.missing else [],
                parts=[_candidate(candidate, resumes, masking) for candidate in candidates],
            ),
        ],
        choices=choices,
        notes=[
            "A score estimates how well a masked text fits a position; a person decides. Scores always use fully "
            "masked texts, however résumés are shown here."
        ],
    )
    return View(
        page=page, frame=pl.DataFrame([_flat(candidate, masking) for candidate in candidates], infer_schema_length=None)
    )


def _named(row: Mapping[str, Any], masking: Masking) -> str:
    return str(row["person"]) if masking.as_it_is else f"Candidate {row['candidate']}"


def match_text(row: Mapping[str, Any]) -> str:
    """Return the match of a pair, and whether it is a strong one."""
    return f"{'★ strong match, ' if row['strong'] else ''}{row['match']:g} of 5"


def applicant_link(path: str, run: str, candidate: str) -> str:
    """Return the address of a page on one applicant of a run."""
    return link_to(path, {"run": run, "applicant": candidate})


def _ranked(candidates: Sequence[Mapping[str, Any]], masking: Masking, run: str) -> list[Part]:
    """Return the list as a table with a chart of its scores."""
    words = ("Matching skills", "Missing")
    columns = headings("Candidate", "Rank", "Match", "Score", *words, words=words)
    rows = [
        [
            _named(candidate, masking),
            f"{candidate['rank']:,}",
            match_text(candidate),
            SCORE.text(candidate["score"]),
            ", ".join(candidate["matching_skills"]) or ABSENT,
            "; ".join(candidate["not_found"]) or ABSENT,
        ]
        for candidate in candidates
    ]
    links = [applicant_link("/applicants", run, candidate["candidate"]) for candidate in candidates]
    bars = [
        BarRow(
            label=f"{candidate['rank']}. {_named(candidate, masking)}",
            value=candidate["score"],
            text=f"{_named(candidate, masking)}: {SCORE.text(candidate['score'])}",
        )
        for candidate in candidates
    ]
    table = Table(caption="Candidates by rank", columns=columns, rows=rows, links=links)
    return [Part(tables=[table]), score_part("candidate", bars)]


def score_part(of: str, bars: Sequence[BarRow]) -> Part:
    """Return the chart of the scores of candidates or positions."""
    figure = Figure(
        title=f"Match score of each {of}, from 0 to 1",
        note="",
        chart=lambda width: bar_chart(bars, title="Match score", width=width),
        tables=[],
    )
    return Part(figures=[figure])


def _candidate(row: Mapping[str, Any], resumes: Resumes, masking: Masking) -> Part:
    """Return the reasons for a candidate's score, and the résumé."""
    person = resumes.people.get(row["person"])
    tables, text = [], [*row["found"], *row["not_found"]]
    if "contributions" in row:
        tables, text = [reasons_table(row)], []
    return Part(
        heading=f"{row['rank']}. {_named(row, masking)}: {match_text(row)}",
        text=text,
        tables=tables,
        verbatim="" if person is None else masking.text(person),
        folded=True,
    )


def reasons_table(row: Mapping[str, Any]) -> Table:
    """Return what each feature adds, the largest first: the base and all of these are the margin."""
    words: dict[str, list[str]] = {}
    for reason in row["words"]:
        words.setdefault(reason["feature"], []).append(reason["text"])
    added = sorted(row["contributions"].items(), key=lambda item: -abs(item[1]))
    rows = [
        [_TITLES.get(name, name), "; ".join(words.get(name, ())) or ABSENT, _ADDED.text(value)]
        for name, value in added
        if value or name in words
    ]
    rows += [
        ["Mean of the training pairs", ABSENT, _ADDED.text(row["base"])],
        ["Margin", ABSENT, _ADDED.text(row["margin"])],
    ]
    return Table(
        caption="Contribution of each feature to the margin, from which the score is computed",
        columns=headings("Feature", "In the texts", "Contribution", words=["In the texts"]),
        rows=rows,
    )


def _flat(row: Mapping[str, Any], masking: Masking) -> dict[str, Any]:
    return {
        "rank": row["rank"],
        "candidate": _named(row, masking),
        "match": row["match"],
        "score": row["score"],
        "margin": row.get("margin"),
        "base": row.get("base"),
        **row.get("contributions", {}),
    }


ADDRESSES = (Address(path="/candidates", title="Candidates", of=("runs",), answer=_requested_view, role="admin"),)
