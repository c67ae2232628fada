"""New analysis: the pages and forms, from the table that is dropped to the report.

What the pages of New analysis say: the table, its columns, who is counted, what was found.
"""

import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from evenhand.dashboard import analyses
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View
from evenhand.report.page.contents import page_of
from evenhand.report.page.document import REPORT, read_document
from evenhand.report.page.live import ActionForm, Choice, Field, LivePage
from evenhand.report.page.parts import Column, NextStep, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, count_text
from evenhand.report.words.numbers import counted as number_of
from evenhand.results.applicant_audit import ColumnPreview, TablePreview
from evenhand.results.messages import listed, one_line, shortened

TITLE: Final = "New analysis"
#: Files of a run that can be saved, and what they are.
DOWNLOADS: Final = {
    "report.html": "The report as one file",
    "tables.xlsx": "All tables as a workbook",
    "impact.csv": "Rates and impact ratios as CSV",
    "pooled.csv": "Pooled over positions as CSV",
    "findings.json": "All findings as JSON",
}
#: Seconds between two looks at what is being computed.
RELOAD: Final = 2


def closed() -> View:
    """Return the page of a server that takes no tables."""
    return _view("This server takes no tables. Whoever started it can: evenhand serve --analyses DIR.")


def new(kept: analyses.Analyses, found: Sequence[analyses.Analysis]) -> View:
    """Return the form that takes a table, and the analyses that there are."""
    fields = [
        Field(
            name="table",
            label="Table, dropped here or chosen",
            kind="file",
            accept=analyses.ENDINGS,
            hint=f"CSV, Excel, Parquet or a file of Stata or SPSS, up to {kept.largest:,} MB.",
        )
    ]
    heading = "Bring a table of applicants"
    deed = ActionForm(action="/analyses", heading=heading, button="Look at the table", fields=fields, first=True)
    parts = [
        Part(
            heading=one_line(each.name),
            text=[f"{_state(each)} Brought by {one_line(shortened(each.by))}, {each.made[:16].replace('T', ' ')} UTC."],
            link=f"/analyses/{each.number}",
            link_text="Go on",
        )
        for each in found
    ]
    return _view(
        "Whom does a selection process select less? Bring a table with a row for each applicant, or of counts.",
        sections=[Section(name="analyses", heading="Analyses", parts=parts)] if parts else [],
        deeds=[deed],
        notes=[
            "Tables lie in a folder of the server that only it may enter. A table and what was found in it are removed "
            f"{number_of(kept.days, 'day')} after it was brought, or when you remove it."
        ],
    )


def running(analysis: analyses.Analysis, *, still: bool) -> View:
    """Return how far the work is; the page asks for itself again, unless it is to be still."""
    job = analysis.running or analysis.look
    doing = {"look": "Looking at the table", "count": "Counting", "run": "Computing"}[job.folder.name]
    here = f"/analyses/{analysis.number}"
    again = (
        Part(text=["This page stands still."], link=here, link_text="Look again, and every two seconds")
        if still
        else Part(
            text=["This page looks again every two seconds."], link=f"{here}?still=yes", link_text="Let it stand still"
        )
    )
    return _view(
        f"{doing} for {number_of(round(job.seconds), 'second')}. You may close this page and come back.",
        title=analysis.name,
        sections=[Section(name="progress", heading="Progress", parts=[again])],
        deeds=[_form(analysis, "stop", "Stop it", "Stop")],
        again=0 if still else RELOAD,
    )


def columns(analysis: analyses.Analysis) -> View:
    """Return the columns and the form that asks what they are for; before it which sheet, where there are several."""
    result = analysis.look.result
    if result is None:
        return failed(analysis)
    found = table_preview(analysis.look)
    if found.rows is None:
        options = {str(n): one_line(name) for n, name in enumerate(found.sheets)}
        field = Choice(name="sheet", label="Sheet", options=options, chosen="0")
        return _view(
            f"The workbook has {len(found.sheets)} sheets. Which one has the applicants?",
            title=analysis.name,
            deeds=[
                _form(analysis, "sheet", "Choose the sheet", "Look at the sheet", fields=[field]),
                _remove(analysis),
            ],
        )
    first, more, is_open = analyses.columns_inputs(found, analysis.choices)
    deed = _form(
        analysis,
        "columns",
        "What are the columns for?",
        "Count",
        fields=first,
        more=more,
        more_open=is_open,
        more_heading="Scores, tables of counts, ages, repeated applicants",
    )
    told = f"{number_of(found.rows, 'row')} and {number_of(len(found.columns), 'column')}. Nothing is computed yet."
    parts = [Part(tables=[_columns_table(found.columns)]), *_remarks(found.notes)]
    return _view(
        told,
        title=analysis.name,
        sections=[Section(name="columns", heading="What the columns hold", parts=parts)],
        deeds=[deed, _remove(analysis)],
    )


def counted(analysis: analyses.Analysis, command: str) -> View:
    """Return whom the choices count and leave out, before anything is computed; or why they can't be used."""
    found = table_preview(analysis.look)
    decision = analyses.decision_of(found, analysis.choices)
    deeds = []
    if decision is not None:
        deeds.append(
            _form(
                analysis,
                "values",
                f"What the values of {one_line(shortened(decision.name))} mean",
                "Count again",
                fields=analyses.meanings_inputs(decision, analysis.meanings),
            )
        )
    again = NextStep(question="The command that computes it:", command=command)
    if analysis.count.result is None:
        known, stopped = analysis.count.exists, analysis.count.stopped
        told = "Counting was stopped." if stopped else "These choices can't be used."
        return _view(
            told if known else "Which values mean selected?",
            title=analysis.name,
            sections=[_choices(analysis, *([_failure_part(analysis.count)] if known and not stopped else []))],
            deeds=[*deeds, _remove(analysis)],
        )
    preview = table_preview(analysis.count)
    tables = [_people_table(name, groups) for name, groups in (preview.people or {}).items()]
    if found_values := next((each for each in found.columns if each.name == analysis.choices.get("selected")), None):
        tables.append(_values_table(found_values, analysis))
    return _view(
        f"{_counted_text(preview, by_unit='unit' in analysis.choices)} Nothing is computed yet.",
        title=analysis.name,
        sections=[
            Section(name="counts", heading="Who is counted", parts=[Part(tables=tables), *_remarks(preview.notes)]),
            _choices(analysis),
        ],
        steps=[again],
        deeds=[_form(analysis, "compute", "Compute who is selected less", "Compute"), *deeds, _remove(analysis)],
    )


def finished(analysis: analyses.Analysis, command: str) -> View:
    """Return what was found: how the report opens, the report, its files, the command."""
    content = read_document(analysis.found)
    opening = page_of(content).opening(content)
    here = f"/analyses/{analysis.number}"
    answer, *sentences = opening.sentences
    files = [
        Part(link=f"{here}/files/{name}", link_text=f"{told} ({name})")
        for name, told in DOWNLOADS.items()
        if (Path(analysis.found) / name).is_file()
    ]
    found = Part(text=sentences, figures=opening.figures, tables=opening.tables)
    return _view(
        answer,
        title=analysis.name,
        sections=[
            Section(
                name="found",
                heading="What was found",
                parts=[Part(link=f"{here}/report", link_text="The report"), found],
            ),
            Section(name="files", heading="Files", parts=[*files, *_remarks(analysis.run.remarks)]),
            _choices(analysis),
        ],
        steps=[NextStep(question="The command that repeats it where the table lies:", command=command)],
        deeds=[_remove(analysis)],
    )


def failed(analysis: analyses.Analysis) -> View:
    """Return why there is no result, and where it is mended."""
    looks = not analysis.run.exists
    job = analysis.look if looks else analysis.run
    told = [_failure_part(job)] if job.exists and not job.stopped else []
    answer = "This table can't be read." if looks else "This could not be computed."
    if not told:
        answer = (
            "It was stopped." if job.stopped else "Other analyses are being computed; look at this table after them."
        )
    again = ("look", "Look at the table again", "Look") if looks else ("compute", "Compute it again", "Compute")
    return _view(
        answer,
        title=analysis.name,
        sections=[Section(name="why", heading="Why", parts=told) if looks else _choices(analysis, *told)]
        if told or not looks
        else [],
        deeds=[_form(analysis, *again), _remove(analysis)],
    )


def table_preview(job: analyses.Job) -> TablePreview:
    """Return what a job told of the table.

    Raises
    ------
    HTTPException
        It runs, failed or was stopped.

    """
    result = job.result
    if result is None:
        raise HTTPException(409, "The table is not looked at yet, or can't be read.")
    return TablePreview.of(orjson.loads(result))


def _counted_text(preview: TablePreview, *, by_unit: bool) -> str:
    """Return how many are counted, and how many are not."""
    read, used = preview.rows_read or 0, preview.rows_used or 0
    if by_unit:
        return f"{used:,} are counted, of {number_of(read, 'row')}."
    left = {0: "nobody is", 1: "1 is"}.get(read - used, f"{read - used:,} are")
    return f"{used:,} of {read:,} are counted, {left} left out."


def _failure_part(job: analyses.Job) -> Part:
    return Part(heading="What the command says", text=[job.failure, *analyses.in_this_form(job.failure)])


def _choices(analysis: analyses.Analysis, *parts: Part) -> Section:
    """Return the way back to the columns, below why it is needed."""
    link = Part(link=f"/analyses/{analysis.number}?choose=yes", link_text="Choose the columns again")
    new_table = Part(link="/analyses", link_text="Bring another table")
    return Section(name="choices", heading="Choices", parts=[*parts, link, new_table])


def _remarks(notes: Sequence[str]) -> list[Part]:
    return [Part(heading="Remarks of the reader", text=[one_line(each) for each in notes])] if notes else []


def _columns_table(found: Sequence[ColumnPreview]) -> Table:
    heads = [Column(label=each, numeric=False) for each in ("Column", "Holds", "Most frequent values")]
    heads += [Column(label=each) for each in ("Values", "Empty cells")]
    rows = []
    for each in found:
        values = [f"{one_line(shortened(label))} ({n:,})" for label, n in each.values.items() if label]
        told = listed(values, most=4) if values else ABSENT
        rows.append([one_line(shortened(each.name)), each.holds, told, each.told, count_text(each.empty)])
    return Table(caption="Columns of the table", columns=heads, rows=rows)


def _people_table(attribute: str, groups: Mapping[str, int]) -> Table:
    name = one_line(shortened(attribute))
    rows = [[one_line(shortened(group)) or "unknown", count_text(n)] for group, n in groups.items()]
    heads = [Column(label=name, numeric=False), Column(label="Counted")]
    return Table(caption=f"People counted by {name}", columns=heads, rows=rows)


def _values_table(column: ColumnPreview, analysis: analyses.Analysis) -> Table:
    meant = column.meanings if column.plain else analysis.meanings
    words = {"selected": "selected", "not": "not selected", "none": "left out"}
    rows = [
        [one_line(shortened(label)) or "empty", count_text(n), words[meant.get(label, "none")]]
        for label, n in column.values.items()
    ]
    heads = [Column(label="Value", numeric=False), Column(label="Rows"), Column(label="Taken for", numeric=False)]
    return Table(caption=f"Values of {one_line(shortened(column.name))}", columns=heads, rows=rows)


def _state(analysis: analyses.Analysis) -> str:
    if analysis.running is not None:
        return "Being computed."
    if analysis.run.exists:
        return "Finished." if analysis.run.result else "Failed, or was stopped."
    return "Not computed yet."


def _form(analysis: analyses.Analysis, deed: str, heading: str, button: str, **more: Any) -> ActionForm:
    return ActionForm(action=f"/analyses/{analysis.number}/{deed}", heading=heading, button=button, **more)


def _remove(analysis: analyses.Analysis) -> ActionForm:
    return _form(analysis, "remove", "Remove the table and all that was found in it", "Remove")


def _view(answer: str, *, title: str = TITLE, **more: Any) -> View:
    return View(page=LivePage(title=title, answer=answer, **more), of_company=False)


PATH: Final = "/analyses"


def _new(asked: PageRequest) -> View:
    kept = asked.shown.analyses
    return closed() if kept is None else new(kept, kept.all())


def _brought(asked: PageRequest) -> Response:
    kept = _analyses(asked)
    if asked.file is None:
        raise HTTPException(400, "No file came with the form; go back and choose one.")
    analysis = kept.made(asked.file.path, asked.file.name, by=asked.visitor.name)
    with suppress(HTTPException):  # where others compute, its page says so
        _look(analysis)
    return _to(analysis)


def _look(analysis: analyses.Analysis) -> None:
    sheet = [] if analysis.sheet is None else [f"--sheet={analysis.sheet}"]
    analysis.start(analysis.look, ["impact", analysis.name, "--check", "--json", *sheet])


def _analysis_view(asked: PageRequest) -> View:
    analysis = _analysis(asked)
    found = None
    if analysis.running is None:
        asked.reads(f"exact counts of the analysis {analysis.number}, {analysis.name}")
        found = _idle_view(asked, analysis)
    if found is None or analysis.running is not None:  # somebody else may have started it meanwhile
        return running(analysis, still="still" in asked.query)
    return found


def _idle_view(asked: PageRequest, analysis: analyses.Analysis) -> View:
    """Return what is known of an analysis that nothing computes."""
    if "choose" not in asked.query:
        if analysis.run.exists:
            return finished(analysis, _command(analysis)) if analysis.run.result else failed(analysis)
        if analysis.count.exists or analysis.meanings:
            return counted(analysis, _command(analysis))
    return columns(analysis)


def _preview_again(asked: PageRequest) -> Response:
    analysis = _analysis(asked).changed(choices={}, meanings={})
    _look(analysis)
    return _to(analysis)


def _sheet(asked: PageRequest) -> Response:
    analysis = _analysis(asked)
    sheets = table_preview(analysis.look).sheets
    given = asked.form.get("sheet", "")
    if not given.isdecimal() or int(given) >= len(sheets):
        raise HTTPException(400, "The form names a sheet that the workbook does not have; choose again.")
    changed = analysis.changed(sheet=sheets[int(given)], choices={}, meanings={})
    _look(changed)
    return _to(changed)


def _columns(asked: PageRequest) -> Response:
    analysis = _analysis(asked)
    looked = table_preview(analysis.look)
    choices = analyses.chosen_columns(asked.form, looked)
    decision = analyses.decision_of(looked, choices)
    changed = analysis.changed(choices=choices, meanings={} if decision is None else dict(decision.meanings))
    _count(changed)
    return _to(changed)


def _values(asked: PageRequest) -> Response:
    analysis = _analysis(asked)
    decision = analyses.decision_of(table_preview(analysis.look), analysis.choices)
    if decision is None:
        raise HTTPException(400, "The values of this column need no meaning.")
    changed = analysis.changed(meanings=analyses.chosen_meanings(asked.form, decision))
    _count(changed)
    return _to(changed)


def _count(analysis: analyses.Analysis) -> None:
    if analysis.meanings and "selected" not in analysis.meanings.values():
        return  # the page asks which values mean selected
    words = analyses.words_of(analysis, table_preview(analysis.look))
    analysis.start(analysis.count, ["impact", analysis.name, "--check", "--json", *words])


def _computed(asked: PageRequest) -> Response:
    analysis = _analysis(asked)
    if analysis.count.result is None:
        raise HTTPException(400, "Who is counted is not known yet; choose the columns first.")
    words = analyses.words_of(analysis, table_preview(analysis.look))
    analysis.start(analysis.run, ["impact", analysis.name, *words, "--out=../found", "--quiet"])
    return _to(analysis)


def _stopped(asked: PageRequest) -> Response:
    analysis = _analysis(asked)
    job = analysis.running
    if job is not None:
        job.stop()
    return _to(analysis)


def _removed(asked: PageRequest) -> Response:
    _analyses(asked).remove(_analysis(asked))
    return RedirectResponse(PATH, 303)


def _report(asked: PageRequest) -> Response:
    return FileResponse(_file(asked, REPORT), media_type="text/html")


def _download(asked: PageRequest) -> Response:
    name = asked.parts["name"]
    if name not in DOWNLOADS:
        raise HTTPException(404, "No such file.")
    return FileResponse(_file(asked, name), filename=name, media_type="application/octet-stream")


def _file(asked: PageRequest, name: str) -> str:
    analysis = _analysis(asked)
    path = analysis.found / name
    if analysis.run.result is None or not path.is_file():
        raise HTTPException(404, "This analysis has no such file, or not yet.")
    asked.reads(f"{name} of the analysis {analysis.number}, {analysis.name}")
    return str(path)


def _analyses(asked: PageRequest) -> analyses.Analyses:
    if asked.shown.analyses is None:
        raise HTTPException(404, "This server takes no tables; evenhand serve --analyses DIR does.")
    return asked.shown.analyses


def _analysis(asked: PageRequest) -> analyses.Analysis:
    found = _analyses(asked).of(asked.parts["number"])
    if found is None:
        raise HTTPException(404, "There is no such analysis, or it was removed.")
    return found


def _command(analysis: analyses.Analysis) -> str:
    """Return the command that repeats an analysis where its table lies."""
    return shlex.join(["evenhand", "impact", analysis.name, *analyses.words_of(analysis, table_preview(analysis.look))])


def _to(analysis: analyses.Analysis) -> Response:
    return RedirectResponse(f"{PATH}/{analysis.number}", 303)


_ONE: Final = PATH + "/{number}"
#: All need access to rows: who brings a table has it, and reports show exact counts.
ADDRESSES: Final = (
    Address(path=PATH, answer=_new, title=TITLE, role="admin"),
    Address(path=PATH, answer=_brought, role="admin", method="POST", takes_file=True),
    Address(path=_ONE, answer=_analysis_view, role="admin"),
    *(
        Address(path=f"{_ONE}/{deed}", answer=answer, role="admin", method="POST")
        for deed, answer in (
            ("look", _preview_again),
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
