"""What the pages of New analysis say: the table, its columns, who is counted, what was found."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from starlette.exceptions import HTTPException

from evenhand.dashboard.analyses.choices import columns_inputs, decision_of, in_this_form, meanings_inputs
from evenhand.dashboard.analyses.jobs import Job
from evenhand.dashboard.analyses.kept import ENDINGS, Analyses, Analysis
from evenhand.dashboard.views.view import View
from evenhand.report.page.contents import page_of
from evenhand.report.page.document import read_document
from evenhand.report.page.live import Choice, Deed, Field, LivePage
from evenhand.report.page.parts import Column, NextStep, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, count_text
from evenhand.report.words.numbers import counted as number_of
from evenhand.tables.audit.applicants.looked import LookedColumn, LookedTable
from evenhand.tables.messages.quoting import listed, one_line, shortened

__all__ = ["DOWNLOADS", "TITLE", "closed", "columns", "counted", "failed", "finished", "looked", "new", "running"]

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


def new(kept: Analyses, found: Sequence[Analysis]) -> View:
    """Return the form that takes a table, and the analyses that there are."""
    fields = [
        Field(
            name="table",
            label="Table, dropped here or chosen",
            kind="file",
            accept=ENDINGS,
            hint=f"CSV, Excel, Parquet or a file of Stata or SPSS, up to {kept.largest:,} MB.",
        )
    ]
    heading = "Bring a table of applicants"
    deed = Deed(action="/analyses", heading=heading, button="Look at the table", fields=fields, first=True)
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


def running(analysis: Analysis, *, still: bool) -> View:
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
        deeds=[_deed(analysis, "stop", "Stop it", "Stop")],
        again=0 if still else RELOAD,
    )


def columns(analysis: Analysis) -> View:
    """Return the columns and the form that asks what they are for; before it which sheet, where there are several."""
    result = analysis.look.result
    if result is None:
        return failed(analysis)
    found = looked(analysis.look)
    if found.rows is None:
        options = {str(n): one_line(name) for n, name in enumerate(found.sheets)}
        field = Choice(name="sheet", label="Sheet", options=options, chosen="0")
        return _view(
            f"The workbook has {len(found.sheets)} sheets. Which one has the applicants?",
            title=analysis.name,
            deeds=[
                _deed(analysis, "sheet", "Choose the sheet", "Look at the sheet", fields=[field]),
                _remove(analysis),
            ],
        )
    first, more, is_open = columns_inputs(found, analysis.choices)
    deed = _deed(
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


def counted(analysis: Analysis, command: str) -> View:
    """Return whom the choices count and leave out, before anything is computed; or why they can't be used."""
    found = looked(analysis.look)
    decision = decision_of(found, analysis.choices)
    deeds = []
    if decision is not None:
        deeds.append(
            _deed(
                analysis,
                "values",
                f"What the values of {one_line(shortened(decision.name))} mean",
                "Count again",
                fields=meanings_inputs(decision, analysis.meanings),
            )
        )
    again = NextStep(question="The command that computes it:", command=command)
    if analysis.count.result is None:
        known, stopped = analysis.count.exists, analysis.count.stopped
        told = "Counting was stopped." if stopped else "These choices can't be used."
        return _view(
            told if known else "Which values mean selected?",
            title=analysis.name,
            sections=[_choices(analysis, *([_said(analysis.count)] if known and not stopped else []))],
            deeds=[*deeds, _remove(analysis)],
        )
    preview = looked(analysis.count)
    tables = [_people_table(name, groups) for name, groups in (preview.people or {}).items()]
    if found_values := next((each for each in found.columns if each.name == analysis.choices.get("selected")), None):
        tables.append(_values_table(found_values, analysis))
    return _view(
        f"{_left_out(preview, by_unit='unit' in analysis.choices)} Nothing is computed yet.",
        title=analysis.name,
        sections=[
            Section(name="counts", heading="Who is counted", parts=[Part(tables=tables), *_remarks(preview.notes)]),
            _choices(analysis),
        ],
        steps=[again],
        deeds=[_deed(analysis, "compute", "Compute who is selected less", "Compute"), *deeds, _remove(analysis)],
    )


def finished(analysis: Analysis, command: str) -> View:
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


def failed(analysis: Analysis) -> View:
    """Return why there is no result, and where it is mended."""
    looks = not analysis.run.exists
    job = analysis.look if looks else analysis.run
    told = [_said(job)] if job.exists and not job.stopped else []
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
        deeds=[_deed(analysis, *again), _remove(analysis)],
    )


def looked(job: Job) -> LookedTable:
    """Return what a job told of the table.

    Raises
    ------
    HTTPException
        It runs, failed or was stopped.

    """
    result = job.result
    if result is None:
        raise HTTPException(409, "The table is not looked at yet, or can't be read.")
    return LookedTable.of(orjson.loads(result))


def _left_out(preview: LookedTable, *, by_unit: bool) -> str:
    """Return how many are counted, and how many are not."""
    read, used = preview.rows_read or 0, preview.rows_used or 0
    if by_unit:
        return f"{used:,} are counted, of {number_of(read, 'row')}."
    left = {0: "nobody is", 1: "1 is"}.get(read - used, f"{read - used:,} are")
    return f"{used:,} of {read:,} are counted, {left} left out."


def _said(job: Job) -> Part:
    return Part(heading="What the command says", text=[job.failure, *in_this_form(job.failure)])


def _choices(analysis: Analysis, *parts: Part) -> Section:
    """Return the way back to the columns, below why it is needed."""
    link = Part(link=f"/analyses/{analysis.number}?choose=yes", link_text="Choose the columns again")
    new_table = Part(link="/analyses", link_text="Bring another table")
    return Section(name="choices", heading="Choices", parts=[*parts, link, new_table])


def _remarks(notes: Sequence[str]) -> list[Part]:
    return [Part(heading="Remarks of the reader", text=[one_line(each) for each in notes])] if notes else []


def _columns_table(found: Sequence[LookedColumn]) -> Table:
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


def _values_table(column: LookedColumn, analysis: Analysis) -> Table:
    meant = column.meanings if column.plain else analysis.meanings
    words = {"selected": "selected", "not": "not selected", "none": "left out"}
    rows = [
        [one_line(shortened(label)) or "empty", count_text(n), words[meant.get(label, "none")]]
        for label, n in column.values.items()
    ]
    heads = [Column(label="Value", numeric=False), Column(label="Rows"), Column(label="Taken for", numeric=False)]
    return Table(caption=f"Values of {one_line(shortened(column.name))}", columns=heads, rows=rows)


def _state(analysis: Analysis) -> str:
    if analysis.running is not None:
        return "Being computed."
    if analysis.run.exists:
        return "Finished." if analysis.run.result else "Failed, or was stopped."
    return "Not computed yet."


def _deed(analysis: Analysis, deed: str, heading: str, button: str, **more: Any) -> Deed:
    return Deed(action=f"/analyses/{analysis.number}/{deed}", heading=heading, button=button, **more)


def _remove(analysis: Analysis) -> Deed:
    return _deed(analysis, "remove", "Remove the table and all that was found in it", "Remove")


def _view(answer: str, *, title: str = TITLE, **more: Any) -> View:
    return View(page=LivePage(title=title, answer=answer, **more), of_company=False)
