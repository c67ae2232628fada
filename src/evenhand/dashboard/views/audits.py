"""Audits: finished runs with their reports, and the findings of two runs side by side."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from shlex import quote as quoted
from typing import Any, Final
from urllib.parse import quote

import orjson
import polars as pl
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View
from evenhand.errors import InputError
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import IntervalRow, interval_chart, ratio_chart
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, counted, scale_of
from evenhand.report.words.results import capital, group_label, in_words, unit_text, value_text
from evenhand.results.finding import Finding
from evenhand.results.kinds import RUN_KINDS
from evenhand.results.result import REPORT, read_result

#: Runs that are listed, the newest first; findings of two runs that are shown side by side.
MOST: Final = 200
_MOST_FINDINGS: Final = 500
#: Measures that are drawn.
_MOST_MEASURES_PLOTTED: Final = 12
_NUMBERS: Final = ("estimate", "low", "high", "n")
#: Folders below --runs that a run may be within.
_DEEP: Final = 2


@dataclass(frozen=True, kw_only=True)
class ListedRun:
    """A finished run: its folder below --runs, title, model, kind, and when its findings were written (UTC)."""

    name: str
    title: str
    model: str
    kind: str
    finished: str

    @property
    def summary(self) -> str:
        """Return the run in one line that distinguishes it from others."""
        return f"{self.title}{f': {self.model}' if self.model else ''}, {self.finished[:10]} ({self.name})"


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
            model=str(audit.get("model") or ""),
            kind=str(audit["kind"]),
            finished=str(audit.get("finished") or audit.get("started") or ""),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


@lru_cache(maxsize=2 * MOST)
def _audit(path: Path, changed: int, size: int) -> dict[str, Any]:  # noqa: ARG001 - a file that was changed is read anew
    audit = orjson.loads(path.read_bytes())["audit"]
    return {name: audit.get(name) for name in ("title", "model", "kind", "finished", "started")}


def report_of(folder: Path, name: str) -> Path | None:
    """Return the report of a listed run; None of anything else, such as a path that leads elsewhere."""
    path = folder / name / REPORT
    known = any(run.name == name for run in listed_runs(folder))
    return path if known and path.is_file() and path.resolve().is_relative_to(folder.resolve()) else None


def _requested_view(request: PageRequest) -> View:
    runs = [] if request.shown.runs is None else listed_runs(request.shown.runs)
    names = [run.name for run in runs]
    chosen = [request.query.get(side, "") for side in ("first", "second")]
    if request.shown.runs is not None and all(name in names for name in chosen):
        first, second = (runs[names.index(name)] for name in chosen)
        return _side_by_side(request.shown.runs, runs, first, second)
    answer = f"{counted(len(runs), 'audit')} finished{', the newest first' if len(runs) > 1 else ''}."
    if not runs:
        problem = "was named with --runs" if request.shown.runs is None else "of --runs holds a finished run"
        answer = f"No folder {problem}; evenhand impact or evenhand demo with --out makes one."
    sections = [Section(name="runs", heading="Finished audits", parts=[_part(run) for run in runs])] if runs else []
    columns = list(ListedRun.__dataclass_fields__)
    frame = pl.DataFrame([vars(run) for run in runs], schema=None if runs else dict.fromkeys(columns, pl.String))
    page = LivePage(title="Audits", answer=answer, sections=sections, choices=_choices(runs, chosen))
    return View(page=page, frame=frame)


def _part(run: ListedRun) -> Part:
    return Part(
        heading=f"{run.title}{f': {run.model}' if run.model else ''}",
        text=[f"{run.finished[:10]}, in {run.name}"],
        link=f"/audits/{quote(run.name)}/report",
        link_text=f"Report of {run.name}",
    )


def _choices(runs: Sequence[ListedRun], chosen: Sequence[str]) -> list[Choice]:
    """Return the selects of two runs to compare."""
    if len(runs) < 2:
        return []
    options = {"": "–"} | {run.name: run.summary for run in runs}
    return [
        Choice(name=name, label=label, options=options, chosen=selected)
        for name, label, selected in zip(("first", "second"), ("Compare", "with"), chosen, strict=True)
    ]


def _side_by_side(folder: Path, runs: Sequence[ListedRun], first: ListedRun, second: ListedRun) -> View:
    """Return the findings that two runs share, side by side, each with its interval."""
    read_runs = [_findings(folder / run.name) for run in (first, second)]
    shared = [name for name in read_runs[0] if name in read_runs[1]]
    rows = [[_label(read_runs[0][name]), *(value_text(by_name[name]) for by_name in read_runs)] for name in shared]
    columns = [Column(label="Measure", numeric=False), Column(label=first.name), Column(label=second.name)]
    caption = "Estimates with their confidence intervals"
    table = Table(caption=caption, columns=columns, rows=rows[:_MOST_FINDINGS])
    part = _plotted(
        [
            [(run.name, by_name[name]) for run, by_name in zip((first, second), read_runs, strict=True)]
            for name in shared
        ],
        table,
    )
    answer = f"{counted(len(shared), 'measure')} of {first.summary} and {second.summary} side by side."
    if len(shared) > _MOST_FINDINGS:
        answer += f" The first {_MOST_FINDINGS} are shown."
    if not shared:
        answer = f"{first.summary} and {second.summary} share no measure."
    notes = ["Nothing is tested here: intervals that overlap don't show that two runs agree."]
    kind = RUN_KINDS.get(first.kind)
    if first.kind == second.kind and kind is not None and (kind.one_probe or kind.probes_below):
        folders = " ".join(quoted(f"{folder.name}/{run.name}") for run in (first, second))
        notes.append(f"Of runs of the same probe, evenhand compare {folders} --out DIR tests the differences.")
    sections = [Section(name="beside", heading="Side by side", parts=[part])] if rows else []
    frame = pl.DataFrame(
        [
            {
                "finding": name,
                "run": run.name,
                **{key: getattr(by_name[name], key) for key in ("estimate", "low", "high", "n")},
            }
            for name in shared
            for run, by_name in zip((first, second), read_runs, strict=True)
        ],
        infer_schema_length=None,
    )
    chosen = _choices(runs, [first.name, second.name])
    return View(
        page=LivePage(title="Audits", answer=answer, sections=sections, choices=chosen, notes=notes), frame=frame
    )


def _plotted(pairs: Sequence[Sequence[tuple[str, Finding]]], table: Table) -> Part:
    """Return the table with a chart of the findings in the most frequent unit."""
    known = [pair for pair in pairs if all(finding.estimate is not None for _, finding in pair)]
    known = [pair for pair in known if pair[0][1].reference] or known  # comparisons of groups before all else
    unit = next((name for name, _ in Counter(pair[0][1].measured_in for pair in known).most_common()), None)
    plotted = [pair for pair in known if pair[0][1].measured_in == unit][:_MOST_MEASURES_PLOTTED]
    if unit is None:
        return Part(tables=[table])
    rows = [
        IntervalRow(
            label=_label(finding) if place == 0 else "",
            estimate=_displayed_value(finding, finding.estimate),
            low=_displayed_value(finding, finding.low),
            high=_displayed_value(finding, finding.high),
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


def _displayed_value(finding: Finding, value: float | None) -> float | None:
    return None if value is None else scale_of(finding).shown(value)


def _findings(folder: Path) -> dict[str, Finding]:
    try:
        return {
            "/".join(filter(None, (finding.probe, finding.name))): finding for finding in read_result(folder).findings
        }
    except InputError as error:
        raise InputError(f"{folder.name} can't be compared: {error}") from error


def _label(finding: Finding) -> str:
    groups = " to ".join(filter(None, (group_label(finding.focal), group_label(finding.reference))))
    cut = ", ".join(f"{in_words(name)} {value}" for name, value in finding.slice.items())
    return capital(", ".join(filter(None, (in_words(finding.measure), groups, cut)))) or ABSENT


def _report(request: PageRequest) -> Response:
    """Return the report of a run, with the policy that stands in it."""
    path = None if request.shown.runs is None else report_of(request.shown.runs, request.parts["name"])
    if path is None:
        raise HTTPException(404, "No finished audit of that name has a report.")
    return FileResponse(path, media_type="text/html")


ADDRESSES = (
    Address(path="/audits", title="Audits", answer=_requested_view),
    Address(path="/audits/{name:path}/report", answer=_report),
)
