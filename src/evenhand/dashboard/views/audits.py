"""Audits: finished runs, each with its report."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

import orjson
import polars as pl
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from evenhand.dashboard.asked import Asked
from evenhand.dashboard.views.view import Address, View
from evenhand.report.page.document import REPORT
from evenhand.report.page.live import LivePage
from evenhand.report.page.parts import Part, Section
from evenhand.report.words.numbers import counted

__all__ = ["ADDRESSES", "ListedRun", "audits", "listed_runs", "report_of"]

#: Runs that are listed, the newest.
MOST: Final = 200
#: Folders below --runs that a run may be within.
_DEEP: Final = 2


@dataclass(frozen=True, kw_only=True)
class ListedRun:
    """A finished run: its folder below --runs, title, model, and when its findings were written (UTC)."""

    name: str
    title: str
    model: str
    day: str


def listed_runs(folder: Path) -> list[ListedRun]:
    """Return the finished runs below a folder, the newest first; what can't be read is left out."""
    found = []
    for deep in range(1, _DEEP + 1):
        for path in folder.glob("/".join(["*"] * deep + ["findings.json"])):
            try:
                written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                audit = orjson.loads(path.read_bytes())["audit"]
                run = ListedRun(
                    name=path.parent.relative_to(folder).as_posix(),
                    title=str(audit["title"]),
                    model=str(audit.get("model") or ""),
                    day=written.date().isoformat(),
                )
            except (OSError, ValueError, KeyError, TypeError, AttributeError):
                continue
            found.append((written, run))
    return [run for _, run in sorted(found, key=lambda each: each[0], reverse=True)[:MOST]]


def report_of(folder: Path, name: str) -> Path | None:
    """Return the report of a listed run; None of anything else, such as a path that leads elsewhere."""
    path = folder / name / REPORT
    known = any(run.name == name for run in listed_runs(folder))
    return path if known and path.is_file() and path.resolve().is_relative_to(folder.resolve()) else None


def audits(runs: list[ListedRun]) -> View:
    """Return the list of runs."""
    parts = [
        Part(
            heading=f"{run.title}{f': {run.model}' if run.model else ''}",
            text=[f"{run.day}, in {run.name}"],
            link=f"/audits/{quote(run.name)}/report",
            link_text="Its report",
        )
        for run in runs
    ]
    answer = (
        f"{counted(len(runs), 'audit')} finished, the newest first."
        if runs
        else "No finished run is in the folder of --runs; evenhand demo makes one."
    )
    sections = [Section(name="runs", heading="Finished audits", parts=parts)] if runs else []
    frame = pl.DataFrame([vars(run) for run in runs], schema=["day", "title", "model", "name"] if not runs else None)
    return View(page=LivePage(title="Audits", answer=answer, sections=sections), frame=frame)


def _answered(asked: Asked) -> View:
    return audits([] if asked.shown.runs is None else listed_runs(asked.shown.runs))


def _report(asked: Asked) -> Response:
    """Return the report of a run, with the policy that stands in it."""
    found = None if asked.shown.runs is None else report_of(asked.shown.runs, asked.parts["name"])
    if found is None:
        raise HTTPException(404, "No finished audit of that name has a report.")
    return FileResponse(found, media_type="text/html")


ADDRESSES = (
    Address(path="/audits", title="Audits", answer=_answered),
    Address(path="/audits/{name:path}/report", answer=_report),
)
