"""New analysis: the pages and forms from the uploaded table to the report."""

import shlex
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import orjson
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, RedirectResponse, Response

from evenhand.dashboard import analyses
from evenhand.dashboard.access import LOCAL
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View, company_forms
from evenhand.data.tables import ENDINGS
from evenhand.report.page.contents import page_of
from evenhand.report.page.live import ActionForm, Choice, Field, LivePage
from evenhand.report.page.parts import (
    Figure,
    NextStep,
    Part,
    Section,
    Table,
    headings,
    meanings_of,
    state_of,
    table,
    table_of,
    tables_of,
)
from evenhand.report.preview import columns_table, groups_tables
from evenhand.report.words.numbers import count_text
from evenhand.report.words.numbers import counted as number_of
from evenhand.results.applicant_audit import ColumnPreview, TablePreview
from evenhand.results.messages import one_line, shortened
from evenhand.results.result import REPORT, read_result

TITLE: Final = "New analysis"
#: Files of a run that can be saved, and what they are.
DOWNLOADS: Final = {
    "report.html": "The report as one file",
    "tables.xlsx": "All tables as a workbook",
    "impact.csv": "Rates and impact ratios as CSV",
    "pooled.csv": "Pooled over positions as CSV",
    "findings.json": "All findings as JSON",
}
#: Seconds after which a progress page reloads.
RELOAD: Final = 2


def closed() -> View:
    """Return the page of a server that takes no tables."""
    return _view("This server takes no tables. The person who starts it can allow them: evenhand serve --analyses DIR.")


def new(store: analyses.Analyses, existing: Sequence[analyses.Analysis]) -> View:
    """Return the upload form, and the existing analyses."""
    fields = [
        Field(
            name="table",
            label="Table: drop a file here, or choose one",
            kind="file",
            accept=ENDINGS,
            hint=f"CSV, Excel, Parquet, Stata or SPSS, up to {store.largest:,} MB: a row per applicant with the group "
            "(such as gender) and the decision, or a row per group with the number who applied and were selected.",
        )
    ]
    heading = "Choose a table of applicants"
    form = ActionForm(action="/analyses", heading=heading, button="Read the table", fields=fields, first=True)
    columns = {
        "Table": lambda analysis: one_line(analysis.name),
        "State": _state,
        "Added": lambda analysis: f"{analysis.made[:16].replace('T', ' ')} UTC",
        "By": lambda analysis: "" if analysis.by == LOCAL else one_line(shortened(analysis.by)),
    }
    links = [f"{PATH}/{analysis.number}" for analysis in existing]
    earlier = replace(table_of(existing, columns, caption="The newest first"), links=links)
    kept = "until you remove them" if store.days is None else f"for {number_of(store.days, 'day')}"
    return _view(
        "Are some groups selected less often than others?",
        sections=[Section(name="analyses", heading="Earlier analyses", parts=[Part(tables=[earlier])])]
        if existing
        else [],
        forms=[form],
        notes=[f"The server keeps tables and reports in {store.folder} {kept}, and doesn't send them anywhere."],
    )


def running(analysis: analyses.Analysis, *, still: bool) -> View:
    """Return the progress page, which reloads itself unless `still`."""
    job = analysis.running or analysis.look
    doing = {"look": "Reading the table", "count": "Counting", "run": "Computing"}[job.folder.name]
    address = f"/analyses/{analysis.number}"
    reload_part = (
        Part(text=["This page does not reload."], link=address, link_text="Reload every two seconds")
        if still
        else Part(
            text=["This page reloads every two seconds."], link=f"{address}?still=yes", link_text="Stop reloading"
        )
    )
    return _view(
        f"{doing} for {number_of(round(job.seconds), 'second')}. You may close this page and come back.",
        title=analysis.name,
        sections=[Section(name="progress", heading="Progress", parts=[reload_part])],
        forms=[_form(analysis, "stop", "Stop it", "Stop")],
        reload_after=0 if still else RELOAD,
    )


def columns(analysis: analyses.Analysis) -> View:
    """Return the columns and the form that assigns them; first the choice of a sheet, where there are several."""
    result = analysis.look.result
    if result is None:
        return failed(analysis)
    preview = table_preview(analysis.look)
    if preview.rows is None:
        options = {str(n): one_line(name) for n, name in enumerate(preview.sheets)}
        field = Choice(name="sheet", label="Sheet", options=options, chosen="0")
        return _view(
            f"The workbook has {len(preview.sheets)} sheets. Which one has the applicants?",
            title=analysis.name,
            forms=[
                _form(analysis, "sheet", "Choose the sheet", "Look at the sheet", fields=[field]),
                _remove(analysis),
            ],
        )
    first, more, is_open = analyses.columns_inputs(preview, analysis.choices)
    guessed = preview.command != "" and not analysis.choices
    understood = preview.groups is not None and guessed
    form = _form(
        analysis,
        "columns",
        "Are these the right columns?" if guessed else "What are the columns for?",
        "Yes, continue" if understood else "Continue",
        fields=[] if guessed else first,
        more=[*first, *more] if guessed else more,
        more_open=is_open and not guessed,
        more_heading="No, choose other columns"
        if guessed
        else "Scores, counts, stages, ages, people with several rows",
    )
    answer = f"{number_of(preview.rows, 'row')} and {number_of(len(preview.columns), 'column')} were read."
    open_question = [] if preview.question is None or analysis.choices else [preview.question]
    asked = [line for text in open_question for line in analyses.in_this_form(text)]
    tables = [
        *(groups_tables(preview) if understood else []),
        columns_table(preview.columns, use=analyses.use_of, heading="Used as"),
    ]
    parts = [
        *([Part(heading="A question first", text=asked)] if asked else []),
        Part(tables=[*tables, *meanings_table(tables)]),
        *_remarks(preview.notes),
    ]
    further = _further(analysis, open_question)
    return _view(
        answer,
        title=analysis.name,
        sections=[Section(name="columns", heading="The table", parts=parts)],
        forms=[*([further, form] if guessed and asked else [form, further]), _remove(analysis)],
    )


def counted(analysis: analyses.Analysis, command: str) -> View:
    """Return who is counted and who is left out, before anything is computed; or why the choices can't be used."""
    columns_preview = table_preview(analysis.look)
    decision = analyses.decision_of(columns_preview, analysis.choices)
    forms = []
    if decision is not None:
        forms.append(
            _form(
                analysis,
                "values",
                f"What do the values of {one_line(shortened(decision.name))} mean?",
                "Count again",
                fields=analyses.meanings_inputs(decision, analysis.meanings),
            )
        )
    repeat = NextStep(question="Command of the analysis:", command=command)
    if analysis.count.result is None:
        known, stopped = analysis.count.exists, analysis.count.stopped
        answer = "Counting was stopped." if stopped else "These choices can't be used."
        return _view(
            answer if known else "Which values mean selected?",
            title=analysis.name,
            sections=[_choices(analysis, *([_failure_part(analysis.count)] if known and not stopped else []))],
            forms=[*forms, _further(analysis, analysis.count.remarks[-1:]), _remove(analysis)],
        )
    preview = table_preview(analysis.count)
    tables = groups_tables(preview)
    if found_values := next(
        (column for column in columns_preview.columns if column.name == analysis.choices.get("selected")), None
    ):
        tables.append(_values_table(found_values, analysis))
    return _view(
        _counted_text(preview, analysis.choices),
        title=analysis.name,
        sections=[
            Section(
                name="counts",
                heading="Who is counted",
                parts=[Part(tables=[*tables, *meanings_table(tables)]), *_remarks(preview.notes)],
            ),
            _choices(analysis),
        ],
        steps=[repeat],
        forms=[
            _form(
                analysis, "compute", "Compare the groups", "Compute the report", fields=_references(analysis, preview)
            ),
            *forms,
            _further(analysis),
            _remove(analysis),
        ],
    )


def finished(analysis: analyses.Analysis, command: str) -> View:
    """Return the result: the report's summary, the report, its files, the command."""
    content = read_result(analysis.found).legible()
    opening = page_of(content).opening(content)
    address = f"/analyses/{analysis.number}"
    chapters = page_of(content).chapters(content)
    columns = meanings_table([*opening.tables, *tables_of(chapters)])
    drawn = next((section for section in chapters if any(part.figures for part in section.parts)), None)
    answer, *sentences = opening.sentences
    state = state_of(content.findings)
    files = [
        Part(link=f"{address}/files/{name}", link_text=f"{label} ({name})")
        for name, label in DOWNLOADS.items()
        if (Path(analysis.found) / name).is_file()
    ]
    state_text = [] if state is None else [f"{state.sign} {state.text}."]
    summary = [
        Part(text=state_text, figures=opening.figures, tables=[*opening.tables, *columns]),
        Part(text=sentences, link=f"{address}/report", link_text="The whole report, to print or to send"),
    ]
    return _view(
        answer,
        title=analysis.name,
        sections=[
            Section(name="found", heading="The result", parts=summary),
            *(_closed(section, folded=section is not drawn) for section in chapters),
            Section(name="files", heading="Files", parts=[*files, *_remarks(analysis.run.remarks)]),
            _choices(analysis),
        ],
        steps=[NextStep(question="The command that repeats it in the folder of the table:", command=command)],
        forms=[_remove(analysis)],
    )


def _closed(section: Section, *, folded: bool) -> Section:
    """Return a section with the tables of its charts folded, and folded itself."""

    def chart(figure: Figure) -> Figure:
        return replace(figure, tables=[replace(each, folded=True) for each in figure.tables])

    parts = [replace(part, figures=list(map(chart, part.figures))) for part in section.parts]
    return replace(section, parts=parts, folded=folded)


def failed(analysis: analyses.Analysis) -> View:
    """Return why there is no result, and how to repair it."""
    looks = not analysis.run.exists
    job = analysis.look if looks else analysis.run
    reasons = [_failure_part(job)] if job.exists and not job.stopped else []
    answer = "This table can't be read." if looks else "This could not be computed."
    if not reasons:
        answer = "It was stopped." if job.stopped else "Other analyses are running; read this table after them."
    retry = ("look", "Read the table again", "Read") if looks else ("compute", "Compute it again", "Compute")
    return _view(
        answer,
        title=analysis.name,
        sections=[Section(name="why", heading="Why", parts=reasons) if looks else _choices(analysis, *reasons)]
        if reasons or not looks
        else [],
        forms=[
            _form(analysis, *retry),
            *([_further(analysis, job.remarks[-1:])] if looks else []),
            _remove(analysis),
        ],
    )


def meanings_table(tables: Sequence[Table]) -> list[Table]:
    """Return what the columns of tables say, folded; nothing where that is not known of any."""
    meanings = meanings_of(tables)
    return [table("What the columns mean", ("Column", "Meaning"), meanings.items(), folded=True)] if meanings else []


def table_preview(job: analyses.Job) -> TablePreview:
    """Return the preview of a table that a job printed.

    Raises
    ------
    HTTPException
        It runs, failed or was stopped.

    """
    result = job.result
    if result is None:
        raise HTTPException(409, "The table is not looked at yet, or can't be read.")
    return TablePreview.of(orjson.loads(result))


def _counted_text(preview: TablePreview, choices: Mapping[str, Any]) -> str:
    read, used = preview.rows_read or 0, preview.rows_used or 0
    if "unit" in choices:
        once = "each person once per position" if "position" in choices else "each person once"
        return f"{used:,} of {number_of(read, 'row')} are counted, {once}."
    omitted = {0: "none is", 1: "1 is"}.get(read - used, f"{read - used:,} are")
    return f"{used:,} of {read:,} are counted, {omitted} left out."


def _reference_groups(analysis: analyses.Analysis, preview: TablePreview) -> dict[str, list[str]]:
    """Return the groups that those of a column may be compared with."""
    groups: dict[str, list[str]] = {}
    if not any(word.startswith("--reference") for word in analysis.more):
        for name in analysis.choices.get("protected", ()):
            labels = (row.group for row in preview.groups or () if row.attribute == name and row.group)
            groups[name] = list(dict.fromkeys(labels))
    return groups


def _references(analysis: analyses.Analysis, preview: TablePreview) -> list[Choice]:
    highest = {"": "the group with the highest rate"}
    return [
        Choice(
            name=f"reference{n}",
            label=f"Compare groups of {one_line(shortened(attribute))} with",
            options=highest | {str(k): one_line(shortened(group)) for k, group in enumerate(names)},
            chosen="",
        )
        for n, (attribute, names) in enumerate(_reference_groups(analysis, preview).items())
    ]


def _failure_part(job: analyses.Job) -> Part:
    return Part(heading="The reason", text=analyses.in_this_form(job.failure))


def _choices(analysis: analyses.Analysis, *parts: Part) -> Section:
    """Return the links back to the columns, below the reasons for them."""
    link = Part(link=f"/analyses/{analysis.number}?choose=yes", link_text="Choose other columns")
    new_table = Part(link="/analyses", link_text="Choose another table")
    return Section(name="choices", heading="Change something", parts=[*parts, link, new_table])


def _remarks(notes: Sequence[str]) -> list[Part]:
    lines = dict.fromkeys(one_line(line) for note in notes for line in analyses.in_this_form(note))
    return [Part(heading="How the table was read", text=list(lines))] if notes else []


def _values_table(column: ColumnPreview, analysis: analyses.Analysis) -> Table:
    meant = column.meanings if column.plain else analysis.meanings
    words = {"selected": "selected", "not": "not selected", "none": "left out"}
    rows = [
        [one_line(shortened(label)) or "empty", count_text(n), words[meant.get(label, "none")]]
        for label, n in column.values.items()
    ]
    heads = headings("Value", "Rows", "Counted as", words=["Counted as"])
    return Table(caption=f"Values of {one_line(shortened(column.name))}", columns=heads, rows=rows)


def _state(analysis: analyses.Analysis) -> str:
    if analysis.running is not None:
        return "running"
    if analysis.run.exists:
        return "finished" if analysis.run.result else "failed or stopped"
    return "not computed yet"


def _form(analysis: analyses.Analysis, action: str, heading: str, button: str, **more: Any) -> ActionForm:
    return ActionForm(action=f"/analyses/{analysis.number}/{action}", heading=heading, button=button, **more)


def _further(analysis: analyses.Analysis, messages: Sequence[str] = ()) -> ActionForm:
    """Return the form for options that have no field of their own; it holds the answer that a message suggests."""
    hint = "Such as --totals drop or --map 'race:W=White'."
    suggested = analyses.suggested_options(messages)
    typed = " ".join(filter(None, (shlex.join(analysis.more), suggested)))
    hint = f"{suggested} is a suggestion: change it where it is wrong." if suggested else hint
    field = Field(name="more", label="As on the command line", value=typed, hint=hint, required=False)
    button = "Read the table with these"
    return _form(analysis, "more", analyses.FURTHER, button, fields=[field], folded=not typed)


def _remove(analysis: analyses.Analysis) -> ActionForm:
    return _form(analysis, "remove", "Remove the table and its report", "Remove")


def _view(answer: str, *, title: str = TITLE, **more: Any) -> View:
    return View(page=LivePage(title=title, answer=answer, **more), of_company=False)


PATH: Final = "/analyses"
_COMPANY: Final = f"{PATH}/company"


def _new(request: PageRequest) -> View:
    store = request.shown.analyses
    if store is None:
        return closed()
    view = new(store, store.all())
    forms = company_forms(request) if request.shown.only_analyses else []
    if request.shown.is_synthetic:
        heading = "The applications of the synthetic company"
        forms = [ActionForm(action=_COMPANY, heading=heading, button="Read its table")]
    return replace(view, page=replace(view.page, forms=[*view.page.forms, *forms]))


def _receive(request: PageRequest) -> View | Response:
    if request.refusal is not None:
        view = _new(request)
        answer = replace(view.page, answer=request.refusal.detail)
        return replace(view, page=answer, status=request.refusal.status_code)
    if request.file is None:
        raise HTTPException(400, "No file came with the form; go back and choose one.")
    return _added(request, request.file.path, request.file.name)


def _receive_company(request: PageRequest) -> Response:
    """Take a copy of the synthetic company's applications, as if they were uploaded."""
    company = request.shown.synthetic
    if company is None or not request.shown.is_synthetic:
        raise HTTPException(404, "There is no synthetic company here.")
    copied = _analyses(request).folder / f"incoming-{token_hex(8)}"
    shutil.copyfile(company.table, copied)
    return _added(request, copied, company.table.name)


def _added(request: PageRequest, table: Path, name: str) -> Response:
    analysis = _analyses(request).add(table, name, by=request.visitor.name)
    with suppress(HTTPException):  # where others compute, its page says so
        _look(analysis)
    return _to(analysis)


def _look(analysis: analyses.Analysis) -> None:
    sheet = [] if analysis.sheet is None else [f"--sheet={analysis.sheet}"]
    analysis.start(analysis.look, ["impact", analysis.name, "--check", "--json", *sheet, *analysis.more])


def _analysis_view(request: PageRequest) -> View:
    analysis = _analysis(request)
    view = None
    if analysis.running is None:
        request.reads(f"exact counts of the analysis {analysis.number}, {analysis.name}")
        view = _idle_view(request, analysis)
    if view is None or analysis.running is not None:  # somebody else may have started it meanwhile
        return running(analysis, still="still" in request.query)
    return view


def _idle_view(request: PageRequest, analysis: analyses.Analysis) -> View:
    """Return the page of an analysis without a running job."""
    if "choose" not in request.query:
        if analysis.run.exists:
            return finished(analysis, _command(analysis)) if analysis.run.result else failed(analysis)
        if analysis.count.exists or analysis.meanings:
            return counted(analysis, _command(analysis))
    return columns(analysis)


def _preview_again(request: PageRequest) -> Response:
    analysis = _analysis(request).changed(choices={}, meanings={})
    _look(analysis)
    return _to(analysis)


def _sheet(request: PageRequest) -> Response:
    analysis = _analysis(request)
    sheets = table_preview(analysis.look).sheets
    number = request.form.get("sheet", "")
    if not number.isdecimal() or int(number) >= len(sheets):
        raise HTTPException(400, "The form names a sheet that the workbook does not have; choose again.")
    changed = analysis.changed(sheet=sheets[int(number)], choices={}, meanings={})
    _look(changed)
    return _to(changed)


def _columns(request: PageRequest) -> Response:
    analysis = _analysis(request)
    preview = table_preview(analysis.look)
    choices = analyses.chosen_columns(request.form, preview, analysis.more)
    decision = analyses.decision_of(preview, choices)
    changed = analysis.changed(choices=choices, meanings={} if decision is None else dict(decision.meanings))
    _count(changed)
    return _to(changed)


def _more(request: PageRequest) -> Response:
    more = analyses.typed_options(request.form.get("more", ""))
    analysis = _analysis(request)
    opens = {word for word in (*analysis.more, *more) if word.startswith(("--header-row", "--footer"))}
    changed = analysis.changed(more=more)
    if opens or not analysis.choices:
        _look(changed)
    else:
        _count(changed)
    return _to(changed)


def _values(request: PageRequest) -> Response:
    analysis = _analysis(request)
    decision = analyses.decision_of(table_preview(analysis.look), analysis.choices)
    if decision is None:
        raise HTTPException(400, "The values of this column need no meaning.")
    changed = analysis.changed(meanings=analyses.chosen_meanings(request.form, decision))
    _count(changed)
    return _to(changed)


def _count(analysis: analyses.Analysis) -> None:
    if analysis.meanings and "selected" not in analysis.meanings.values():
        return  # the page asks which values mean selected
    words = analyses.words_of(analysis, table_preview(analysis.look))
    analysis.start(analysis.count, ["impact", analysis.name, "--check", "--json", *words])


def _compute(request: PageRequest) -> Response:
    analysis = _analysis(request)
    if analysis.count.result is None:
        raise HTTPException(400, "Nobody is counted yet; choose the columns first.")
    reference: dict[str, str] = {}
    for n, (attribute, names) in enumerate(_reference_groups(analysis, table_preview(analysis.count)).items()):
        number = request.form.get(f"reference{n}", "")
        if number not in {"", *map(str, range(len(names)))}:
            raise HTTPException(400, "The form names a group that is not counted; choose again.")
        reference |= {attribute: names[int(number)]} if number else {}
    analysis = replace(analysis, choices=dict(analysis.choices) | {"reference": reference})
    words = analyses.words_of(analysis, table_preview(analysis.look))
    analysis.start(analysis.run, ["impact", analysis.name, *words, "--out=../found", "--quiet"])
    analysis.save()
    return _to(analysis)


def _stop(request: PageRequest) -> Response:
    analysis = _analysis(request)
    job = analysis.running
    if job is not None:
        job.stop()
    return _to(analysis)


def _delete(request: PageRequest) -> Response:
    _analyses(request).remove(_analysis(request))
    return RedirectResponse(PATH, 303)


def _report(request: PageRequest) -> Response:
    return FileResponse(_file(request, REPORT), media_type="text/html")


def _download(request: PageRequest) -> Response:
    name = request.parts["name"]
    if name not in DOWNLOADS:
        raise HTTPException(404, "No such file.")
    return FileResponse(_file(request, name), filename=name, media_type="application/octet-stream")


def _file(request: PageRequest, name: str) -> str:
    analysis = _analysis(request)
    path = analysis.found / name
    if analysis.run.result is None or not path.is_file():
        raise HTTPException(404, "This analysis has no such file, or not yet.")
    request.reads(f"{name} of the analysis {analysis.number}, {analysis.name}")
    return str(path)


def _analyses(request: PageRequest) -> analyses.Analyses:
    if request.shown.analyses is None:
        raise HTTPException(404, "This server takes no tables; evenhand serve --analyses DIR does.")
    return request.shown.analyses


def _analysis(request: PageRequest) -> analyses.Analysis:
    analysis = _analyses(request).of(request.parts["number"])
    if analysis is None:
        raise HTTPException(404, "There is no such analysis, or it was removed.")
    return analysis


def _command(analysis: analyses.Analysis) -> str:
    """Return the command that repeats an analysis where its table lies."""
    return shlex.join(["evenhand", "impact", analysis.name, *analyses.words_of(analysis, table_preview(analysis.look))])


def _to(analysis: analyses.Analysis) -> Response:
    return RedirectResponse(f"{PATH}/{analysis.number}", 303)


_ONE: Final = PATH + "/{number}"
#: All need access to rows: who brings a table has it, and reports show exact counts.
ADDRESSES: Final = (
    Address(path=PATH, answer=_new, title=TITLE, of=("analyses",), role="admin"),
    Address(path=PATH, answer=_receive, role="admin", method="POST", takes_file=True),
    Address(path=_COMPANY, answer=_receive_company, role="admin", method="POST"),
    Address(path=_ONE, answer=_analysis_view, role="admin"),
    *(
        Address(path=f"{_ONE}/{action}", answer=answer, role="admin", method="POST")
        for action, answer in (
            ("look", _preview_again),
            ("sheet", _sheet),
            ("columns", _columns),
            ("values", _values),
            ("more", _more),
            ("compute", _compute),
            ("stop", _stop),
            ("remove", _delete),
        )
    ),
    Address(path=f"{_ONE}/report", answer=_report, role="admin"),
    Address(path=_ONE + "/files/{name}", answer=_download, role="admin"),
)
