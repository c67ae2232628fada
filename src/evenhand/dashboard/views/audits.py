"""Audits: finished runs with their answers, states and reports, and two of them compared."""

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import orjson
import polars as pl
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from evenhand.analyses.compare_runs import analyse_compare, grouped_runs
from evenhand.analyses.fail_on import gate
from evenhand.analyses.manifest import read_manifest
from evenhand.analyses.options.probes import CompareOptions
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View
from evenhand.errors import InputError
from evenhand.evidence.runs import check_unchanged
from evenhand.patterns import lazy_re
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import IntervalRow, interval_chart, ratio_chart
from evenhand.report.evaluate.words import TITLES
from evenhand.report.page.contents import page_of
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Column, Figure, PageSummary, Part, Section, State, Table, headings, state_of
from evenhand.report.words.numbers import ABSENT, counted, scale_of
from evenhand.report.words.results import capital, group_label, in_words, unit_text, value_text
from evenhand.results.finding import Finding
from evenhand.results.measures import DIFFERENCE
from evenhand.results.result import REPORT, read_result

#: Runs that are listed, the newest first; findings of two runs that are shown side by side.
MOST: Final = 200
_MOST_FINDINGS: Final = 100
#: Measures that are drawn.
_MOST_MEASURES_PLOTTED: Final = 12
#: Folders below --runs that a run may be within.
_DEEP: Final = 2
#: What may be wrong with a result that somebody else wrote.
_DAMAGE: Final = (OSError, InputError, LookupError, TypeError, AttributeError, ValueError, ArithmeticError)
#: The absolute folder of a file in a word of a command.
_FOLDER: Final = lazy_re(r"(?<![\w./:-])(?:[A-Za-z]:)?[/\\](?:[^/\\]+[/\\])+")
_GATES: Final = {0: "passes", 1: "fails", 6: "not judged"}
_NO_COMPARISON: Final = State(kind="none", sign="", text="No comparison")
#: What runs can be filtered by, with the words of an address.
_STATES: Final = {
    "difference": "Difference found",
    "undetected": "No difference detected",
    "unjudged": "Not judged",
    _NO_COMPARISON.kind: _NO_COMPARISON.text,
}


@dataclass(frozen=True, kw_only=True)
class ListedRun:
    """A finished run: its folder below --runs, title, model, kind, and when its findings were written (UTC)."""

    name: str
    title: str
    model: str
    kind: str
    finished: str

    @property
    def heading(self) -> str:
        """Return what it is, and of which model."""
        return f"{self.title}: {self.model}" if self.model else self.title

    @property
    def summary(self) -> str:
        """Return the run in one line that distinguishes it from others."""
        return f"{self.heading}, {self.finished[:10]} ({self.name})"


@dataclass(frozen=True, kw_only=True)
class RunDetails:
    """What a run says and how it stands: its answer and state, --fail-on difference, and whether files were changed."""

    answer: str
    state: State = _NO_COMPARISON
    gate: str = ABSENT
    files: str = ABSENT


def listed_runs(folder: Path) -> list[ListedRun]:
    """Return the finished runs below a folder, the newest first; what can't be read is left out."""
    runs = []
    for deep in range(1, _DEEP + 1):
        for path in folder.glob("/".join(["*"] * deep + ["findings.json"])):
            run = _listed(folder, path)
            if run is not None:
                runs.append(run)
    return sorted(runs, key=lambda run: (run.finished, run.name), reverse=True)[:MOST]


def _listed(folder: Path, path: Path) -> ListedRun | None:
    try:
        stat = path.stat()
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            return None
        audit = _audit(path, stat.st_mtime_ns, stat.st_size)
        return ListedRun(
            name=path.parent.relative_to(folder).as_posix(),
            title=str(audit["title"]),
            model=str(audit.get("model") or (audit.get("decided") or {}).get("score") or ""),
            kind=str(audit["kind"]),
            finished=str(audit.get("finished") or audit.get("started") or ""),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


@lru_cache(maxsize=2 * MOST)
def _audit(path: Path, changed: int, size: int) -> dict[str, Any]:  # noqa: ARG001 - a file that was changed is read anew
    audit = orjson.loads(path.read_bytes())["audit"]
    return {name: audit.get(name) for name in ("title", "model", "kind", "finished", "started", "decided")}


Stamp = tuple[tuple[str, int, int], ...]


def stamp_of(run: Path) -> Stamp:
    """Return what changes when a file of a run does."""
    stats = [(file.name, file.stat()) for file in sorted(run.iterdir()) if file.is_file()]
    return tuple((name, stat.st_ctime_ns, stat.st_size) for name, stat in stats)


@lru_cache(maxsize=2 * MOST)
def run_details(run: Path, stamp: Stamp) -> RunDetails:  # noqa: ARG001 - files that were changed are read anew
    """Return what a run says and how it stands; of what can't be read the answer is why."""
    try:
        content = read_result(run).legible()
        opening = page_of(content).opening(content)
        audit = content.audit
        state = state_of(content.findings, incomplete=audit.incomplete is not None, standing=audit.standing)
    except _DAMAGE as error:
        reason = str(error) if isinstance(error, InputError) else "its findings are damaged."
        return RunDetails(answer=f"It can't be read: {_without(run, reason)}")
    return RunDetails(
        answer=next(iter(opening.sentences), ""),
        state=state or _NO_COMPARISON,
        gate=_gate(content.findings, content.audit.kind),
        files=_files(run),
    )


def _gate(findings: Sequence[Finding], kind: str) -> str:
    """Return what --fail-on difference says; a dash where the kind of run can't have it."""
    try:
        return _GATES[gate(["difference"], findings, kind).exit_code]
    except InputError:
        return ABSENT


def _files(run: Path) -> str:
    """Return whether a run's files have the hashes of its manifest; else the first that does not, and why."""
    try:
        manifest = read_manifest(run)
        if manifest is None:
            return "no manifest.json"
        check_unchanged(run, manifest)
    except (InputError, OSError) as error:
        return _without(run, str(error)).partition(";")[0]
    return "unchanged"


def _without(run: Path, text: str) -> str:
    """Return a message without the place of a run."""
    return text.replace(f"{run}/", "").replace(f"{run.parent}/", "")


def report_of(folder: Path, name: str) -> Path | None:
    """Return the report of a listed run; None of anything else, such as a path that leads elsewhere."""
    path = folder / name / REPORT
    known = any(run.name == name for run in listed_runs(folder))
    return path if known and path.is_file() and path.resolve().is_relative_to(folder.resolve()) else None


#: How runs may be ordered, by the words of an address.
_ORDERS: Final[Mapping[str, tuple[str, Callable[[ListedRun, RunDetails], Any]]]] = {
    "": ("newest first", lambda _run, _details: 0),
    "oldest": ("oldest first", lambda run, _details: run.finished),
    "title": ("by title", lambda run, _details: run.heading),
    "state": ("differences first", lambda _run, details: list(_STATES).index(details.state.kind)),
}


def _requested_view(request: PageRequest) -> View:
    folder = request.shown.runs
    runs = [] if folder is None else listed_runs(folder)
    by_name = {run.name: run for run in runs}
    chosen = [request.query.get(side, "") for side in ("first", "second")]
    if folder is None or not runs:
        problem = "was named with --runs" if folder is None else "of --runs holds a finished run"
        answer = f"No folder {problem}; evenhand impact or evenhand demo with --out makes one."
        return View(page=LivePage(title="Audits", answer=answer))
    if all(name in by_name for name in chosen):
        return _compared(folder, runs, by_name[chosen[0]], by_name[chosen[1]])
    details = {run.name: run_details(folder / run.name, stamp_of(folder / run.name)) for run in runs}
    shown = [run for run in runs if _is_asked_for(request, run, details[run.name])]
    order = _ORDERS.get(request.query.get("sort", ""), _ORDERS[""])[1]
    shown.sort(key=lambda run: order(run, details[run.name]))
    found = Counter(details[run.name].state.kind for run in shown)
    some = f" of {len(runs):,}" if len(shown) < len(runs) else ""
    answer = f"{counted(len(shown), 'audit')}{some}: a difference between groups was found in {found['difference']:,}"
    answer += f", none was detected in {found['undetected']:,}." if found["undetected"] else "."
    gone = [name for name in chosen if name and name not in by_name]
    answer += f" {gone[0]} is not a finished audit here." if gone else ""
    part = Part(tables=[_table(shown, details, folder)])
    page = LivePage(
        title="Audits",
        answer=answer,
        sections=[Section(name="runs", heading="Finished audits", parts=[part])] if shown else [],
        choices=[*_filters(request, runs), *_pair_choices(runs, chosen)],
        notes=[
            "Gate: the result of --fail-on difference for the planned comparisons of the run. Files: whether they "
            "match the hashes in its manifest; evenhand bundle and evenhand verify also recompute the findings."
        ],
    )
    return View(page=page, frame=pl.DataFrame([_row(run, details[run.name]) for run in shown]))


def _is_asked_for(request: PageRequest, run: ListedRun, details: RunDetails) -> bool:
    values = {"kind": run.kind, "of": run.model, "state": details.state.kind}
    return all(request.query.get(name, "") in {"", value} for name, value in values.items())


def _filters(request: PageRequest, runs: Sequence[ListedRun]) -> list[Choice]:
    """Return the selects of kind, model, state and order."""
    kinds = {run.kind: run.title for run in reversed(runs)}
    models = {run.model: run.model for run in runs if run.model}
    options = {"kind": ("Kind", kinds), "of": ("Model", models), "state": ("State", _STATES)}
    choices = {name: (label, {"": "any"} | dict(values)) for name, (label, values) in options.items()}
    choices["sort"] = ("Order", {name: label for name, (label, _) in _ORDERS.items()})
    return [
        Choice(name=name, label=label, options=values, chosen=request.query.get(name, ""))
        for name, (label, values) in choices.items()
    ]


def _pair_choices(runs: Sequence[ListedRun], chosen: Sequence[str]) -> list[Choice]:
    """Return the selects of two runs to compare."""
    if len(runs) < 2:
        return []
    options = {"": ABSENT} | {run.name: run.summary for run in runs}
    return [
        Choice(name=name, label=label, options=options, chosen=selected)
        for name, label, selected in zip(("first", "second"), ("Compare", "with"), chosen, strict=True)
    ]


_HEADS: Final = ("Audit", "Answer", "State", "Checks", "Finished")


def _table(runs: Sequence[ListedRun], details: Mapping[str, RunDetails], folder: Path) -> Table:
    rows = [
        [
            f"{run.heading} ({run.name})",
            details[run.name].answer,
            f"{details[run.name].state.sign} {details[run.name].state.text}".strip(),
            f"gate {details[run.name].gate}; files {details[run.name].files}",
            run.finished[:10],
        ]
        for run in runs
    ]
    links = [report_address(run.name) if (folder / run.name / REPORT).is_file() else "" for run in runs]
    columns = [Column(label=head, numeric=head == "Finished") for head in _HEADS]
    return Table(caption="Each row links to its report", columns=columns, rows=rows, links=links)


def report_address(name: str) -> str:
    """Return the address of a run's report."""
    return f"/audits/{quote(name)}/report"


def _row(run: ListedRun, details: RunDetails) -> dict[str, str]:
    state = {"state": details.state.text, "gate": details.gate, "files": details.files}
    return {**vars(run), "answer": details.answer, **state}


def _compared(folder: Path, runs: Sequence[ListedRun], first: ListedRun, second: ListedRun) -> View:
    """Return the differences between two runs as `evenhand compare` tests them, or why it can't; then both findings."""
    tested, reason = _tested(folder, first, second)
    beside, frame = _side_by_side(folder, first, second) if first != second else ([], pl.DataFrame())
    untested = f"{first.summary} and {second.summary} can't be tested against each other: {reason}"
    sentences = [untested] if tested is None else list(tested.sentences[:1])
    if beside:
        of = counted(frame["finding"].n_unique(), "measure")
        some = f", the first {_MOST_FINDINGS}" if frame["finding"].n_unique() > _MOST_FINDINGS else ""
        sentences += [] if tested is not None else [f"The {of} that both have are shown side by side{some}."]
    elif first != second:
        sentences.append("They share no measure.")
    untested_note = "Values side by side are not tested: overlapping intervals don't show that two runs agree."
    page = LivePage(
        title="Audits",
        answer=" ".join(sentences),
        sections=[*([] if tested is None else [_tested_section(tested)]), *beside],
        choices=_pair_choices(runs, [first.name, second.name]),
        notes=[untested_note] if beside else [],
    )
    return View(page=page, frame=frame)


def _tested(folder: Path, first: ListedRun, second: ListedRun) -> tuple[PageSummary | None, str]:
    """Return what `evenhand compare --common` says of two runs; None with the reason where it refuses them."""
    if first == second:
        return None, "choose two different ones."
    places = tuple(folder / run.name for run in (first, second))
    try:
        return _comparison(places, tuple(map(stamp_of, places))), ""
    except InputError as error:
        return None, str(error).replace(f"{folder}/", "")


@lru_cache(maxsize=32)
def _comparison(places: tuple[Path, ...], stamps: tuple[Stamp, ...]) -> PageSummary:  # noqa: ARG001 - as `run_details`
    content = analyse_compare(grouped_runs(places), CompareOptions(common=True)).legible()
    summary: PageSummary = page_of(content).opening(content)
    return PageSummary(
        sentences=[*summary.sentences, *content.audit.warnings], tables=summary.tables, figures=summary.figures
    )


def _tested_section(summary: PageSummary) -> Section:
    return Section(
        name="tested",
        heading="What differs, tested on the same prompts",
        text=summary.sentences[1:],
        parts=[Part(tables=summary.tables, figures=summary.figures)],
    )


def _side_by_side(folder: Path, first: ListedRun, second: ListedRun) -> tuple[list[Section], pl.DataFrame]:
    """Return the findings that two runs share, side by side, each with its interval; nothing where they share none."""
    read_runs = [_findings(folder / run.name) for run in (first, second)]
    shared = sorted((name for name in read_runs[0] if name in read_runs[1]), key=lambda name: _rank(read_runs[0][name]))
    rows = [[_label(read_runs[0][name]), *(value_text(by_name[name]) for by_name in read_runs)] for name in shared]
    caption, columns = "Estimates with their confidence intervals", headings("Measure", first.name, second.name)
    table = Table(caption=caption, columns=columns, rows=rows[:_MOST_FINDINGS])
    pairs = [
        [(run.name, by_name[name]) for run, by_name in zip((first, second), read_runs, strict=True)] for name in shared
    ]
    frame = pl.DataFrame(
        [
            {"finding": name, "run": run, **{key: getattr(of, key) for key in ("estimate", "low", "high", "n")}}
            for name, pair in zip(shared, pairs, strict=True)
            for run, of in pair
        ],
        infer_schema_length=None,
    )
    sections = [Section(name="beside", heading="Side by side", parts=[_plotted(pairs, table)])] if rows else []
    return sections, frame


def _rank(finding: Finding) -> int:
    """Return the place of a finding in a comparison: planned ones come first, then other comparisons."""
    return 0 if finding.role == "planned" else 1 if finding.reference else 2


def _plotted(pairs: Sequence[Sequence[tuple[str, Finding]]], table: Table) -> Part:
    """Return the table with a chart of the findings in the most frequent unit."""
    known = [pair for pair in pairs if all(finding.estimate is not None for _, finding in pair)]
    known = [pair for pair in known if _rank(pair[0][1]) == _rank(known[0][0][1])]
    unit = next((name for name, _ in Counter(pair[0][1].measured_in for pair in known).most_common()), None)
    plotted = [pair for pair in known if pair[0][1].measured_in == unit][:_MOST_MEASURES_PLOTTED]
    if unit is None:
        return Part(tables=[table])
    rows = [
        IntervalRow(
            label=_label(finding) if place == 0 else "",
            **scale_of(finding).drawn(finding),
            text=f"{run}: {value_text(finding)}",
            series=run,
        )
        for pair in plotted
        for place, (run, finding) in enumerate(pair)
    ]
    chart = ratio_chart if unit == "ratio" else interval_chart
    lines = [MarkedLine(value=1.0, text="1")] if unit == "ratio" else []
    some = f"; {len(plotted)} of {counted(len(pairs), 'measure')}" if len(plotted) < len(pairs) else ""
    figure = Figure(
        title=f"Estimates with their confidence intervals{some}",
        note="",
        chart=lambda width: chart(rows, title=unit_text(plotted[0][0][1]), width=width, lines=lines),
        tables=[table],
    )
    return Part(figures=[figure])


def _findings(folder: Path) -> dict[str, Finding]:
    try:
        return {
            "/".join(filter(None, (finding.probe, finding.name))): finding for finding in read_result(folder).findings
        }
    except InputError as error:
        raise InputError(f"{folder.name} can't be compared: {_without(folder, str(error))}") from error


def _label(finding: Finding) -> str:
    groups = " to ".join(filter(None, (group_label(finding.focal), group_label(finding.reference))))
    cut = ", ".join(f"{in_words(name)} {value}" for name, value in finding.slice.items())
    measure = finding.measure.removeprefix(DIFFERENCE)
    title = TITLES.get(measure, capital(in_words(measure))) + (" difference" if measure != finding.measure else "")
    return ", ".join(filter(None, (title, groups, cut))) or ABSENT


def _report(request: PageRequest) -> Response:
    """Return the report of a run, with the policy that stands in it; without folders for those who see no paths."""
    path = None if request.shown.runs is None else report_of(request.shown.runs, request.parts["name"])
    if path is None:
        raise HTTPException(404, "No finished audit of that name has a report.")
    if request.visitor.may("admin"):
        return FileResponse(path, media_type="text/html")
    page = path.read_text("utf-8")
    typed = shlex.split(read_result(path.parent).audit.reproduce)
    for folder in sorted({found for word in typed for found in _FOLDER.findall(word)}, key=len, reverse=True):
        shown = escape(folder)
        page = page.replace(shown, "").replace(shown.replace(" ", "</span> <span>"), "")  # a command is in words
    return Response(page, media_type="text/html")


ADDRESSES = (
    Address(path="/audits", title="Audits", of=("runs",), answer=_requested_view),
    Address(path="/audits/{name:path}/report", answer=_report),
)
