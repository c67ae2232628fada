"""New analysis: the pages and forms, from the table that is dropped to the report."""

import shlex
from contextlib import suppress
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from evenhand.dashboard.analyses import pages
from evenhand.dashboard.analyses.choices import chosen_columns, chosen_meanings, decision_of, words_of
from evenhand.dashboard.analyses.kept import Analyses, Analysis
from evenhand.dashboard.asked import Asked
from evenhand.dashboard.views.view import Address, View
from evenhand.report.page.document import REPORT

__all__ = ["ADDRESSES"]

PATH: Final = "/analyses"


def _new(asked: Asked) -> View:
    kept = asked.shown.analyses
    return pages.closed() if kept is None else pages.new(kept, kept.all())


def _brought(asked: Asked) -> Response:
    kept = _kept(asked)
    if asked.file is None:
        raise HTTPException(400, "No file came with the form; go back and choose one.")
    analysis = kept.made(asked.file.path, asked.file.name, by=asked.visitor.name)
    with suppress(HTTPException):  # where others compute, its page says so
        _look(analysis)
    return _to(analysis)


def _look(analysis: Analysis) -> None:
    sheet = [] if analysis.sheet is None else [f"--sheet={analysis.sheet}"]
    analysis.start(analysis.look, ["impact", analysis.name, "--check", "--json", *sheet])


def _shown(asked: Asked) -> View:
    analysis = _analysis(asked)
    found = None
    if analysis.running is None:
        asked.reads(f"exact counts of the analysis {analysis.number}, {analysis.name}")
        found = _found(asked, analysis)
    if found is None or analysis.running is not None:  # somebody else may have started it meanwhile
        return pages.running(analysis, still="still" in asked.query)
    return found


def _found(asked: Asked, analysis: Analysis) -> View:
    """Return what is known of an analysis that nothing computes."""
    if "choose" not in asked.query:
        if analysis.run.exists:
            return pages.finished(analysis, _command(analysis)) if analysis.run.result else pages.failed(analysis)
        if analysis.count.exists or analysis.meanings:
            return pages.counted(analysis, _command(analysis))
    return pages.columns(analysis)


def _looked_again(asked: Asked) -> Response:
    analysis = _analysis(asked).changed(choices={}, meanings={})
    _look(analysis)
    return _to(analysis)


def _sheet(asked: Asked) -> Response:
    analysis = _analysis(asked)
    sheets = pages.looked(analysis.look).sheets
    given = asked.form.get("sheet", "")
    if not given.isdecimal() or int(given) >= len(sheets):
        raise HTTPException(400, "The form names a sheet that the workbook does not have; choose again.")
    changed = analysis.changed(sheet=sheets[int(given)], choices={}, meanings={})
    _look(changed)
    return _to(changed)


def _columns(asked: Asked) -> Response:
    analysis = _analysis(asked)
    looked = pages.looked(analysis.look)
    choices = chosen_columns(asked.form, looked)
    decision = decision_of(looked, choices)
    changed = analysis.changed(choices=choices, meanings={} if decision is None else dict(decision.meanings))
    _count(changed)
    return _to(changed)


def _values(asked: Asked) -> Response:
    analysis = _analysis(asked)
    decision = decision_of(pages.looked(analysis.look), analysis.choices)
    if decision is None:
        raise HTTPException(400, "The values of this column need no meaning.")
    changed = analysis.changed(meanings=chosen_meanings(asked.form, decision))
    _count(changed)
    return _to(changed)


def _count(analysis: Analysis) -> None:
    if analysis.meanings and "selected" not in analysis.meanings.values():
        return  # the page asks which values mean selected
    words = words_of(analysis, pages.looked(analysis.look))
    analysis.start(analysis.count, ["impact", analysis.name, "--check", "--json", *words])


def _computed(asked: Asked) -> Response:
    analysis = _analysis(asked)
    if analysis.count.result is None:
        raise HTTPException(400, "Who is counted is not known yet; choose the columns first.")
    words = words_of(analysis, pages.looked(analysis.look))
    analysis.start(analysis.run, ["impact", analysis.name, *words, "--out=../found", "--quiet"])
    return _to(analysis)


def _stopped(asked: Asked) -> Response:
    analysis = _analysis(asked)
    job = analysis.running
    if job is not None:
        job.stop()
    return _to(analysis)


def _removed(asked: Asked) -> Response:
    _kept(asked).remove(_analysis(asked))
    return RedirectResponse(PATH, 303)


def _report(asked: Asked) -> Response:
    return FileResponse(_file(asked, REPORT), media_type="text/html")


def _download(asked: Asked) -> Response:
    name = asked.parts["name"]
    if name not in pages.DOWNLOADS:
        raise HTTPException(404, "No such file.")
    return FileResponse(_file(asked, name), filename=name, media_type="application/octet-stream")


def _file(asked: Asked, name: str) -> str:
    analysis = _analysis(asked)
    path = analysis.found / name
    if analysis.run.result is None or not path.is_file():
        raise HTTPException(404, "This analysis has no such file, or not yet.")
    asked.reads(f"{name} of the analysis {analysis.number}, {analysis.name}")
    return str(path)


def _kept(asked: Asked) -> Analyses:
    if asked.shown.analyses is None:
        raise HTTPException(404, "This server takes no tables; evenhand serve --analyses DIR does.")
    return asked.shown.analyses


def _analysis(asked: Asked) -> Analysis:
    found = _kept(asked).of(asked.parts["number"])
    if found is None:
        raise HTTPException(404, "There is no such analysis, or it was removed.")
    return found


def _command(analysis: Analysis) -> str:
    """Return the command that repeats an analysis where its table lies."""
    return shlex.join(["evenhand", "impact", analysis.name, *words_of(analysis, pages.looked(analysis.look))])


def _to(analysis: Analysis) -> Response:
    return RedirectResponse(f"{PATH}/{analysis.number}", 303)


_ONE: Final = PATH + "/{number}"
#: All need access to rows: who brings a table has it, and reports show exact counts.
ADDRESSES: Final = (
    Address(path=PATH, answer=_new, title=pages.TITLE, role="admin"),
    Address(path=PATH, answer=_brought, role="admin", method="POST", takes_file=True),
    Address(path=_ONE, answer=_shown, role="admin"),
    *(
        Address(path=f"{_ONE}/{deed}", answer=answer, role="admin", method="POST")
        for deed, answer in (
            ("look", _looked_again),
            ("sheet", _sheet),
            ("columns", _columns),
            ("values", _values),
            ("compute", _computed),
            ("stop", _stopped),
            ("remove", _removed),
        )
    ),
    Address(path=f"{_ONE}/report", answer=_report, role="admin"),
    Address(path=_ONE + "/files/{name}", answer=_download, role="admin"),
)
