"""Golden labelling: open cases one after another, masked, blind to the labels of others and of models."""

from functools import partial
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View
from evenhand.errors import InputError
from evenhand.masking.mask import FOR_LABELS, mask_text
from evenhand.monitoring.golden_cases import Case, scale_of
from evenhand.monitoring.golden_labels import OpenCase, case_labels, open_cases, take_labels
from evenhand.report.page.live import ActionForm, Buttons, LivePage
from evenhand.report.page.parts import Part, Section
from evenhand.report.words.numbers import counted

_PATH: Final = "/labelling"
_DIFFER: Final = f"{_PATH}/differences"
_NO_STORE: Final = "No store of golden cases is shown; evenhand serve --store FILE shows one."
_STAYS: Final = "A label can't be changed later. Keys: the arrows or the space bar choose, Enter saves."


def _task(request: PageRequest, *, adjudicating: bool) -> View:
    """Return the next case of the visitor; reading it is logged."""
    by = request.visitor.name
    if request.shown.store is None:
        return View(page=LivePage(title="Labelling", answer=_NO_STORE))
    with request.shown.opened() as store:
        try:
            labels = scale_of(store).labels
        except InputError as error:  # it says what to do
            return View(page=LivePage(title="Labelling", answer=str(error)))
        waiting = open_cases(store, by=by, adjudicating=adjudicating, resume=_masked, most=1)
        remaining = len(open_cases(store, by=by, adjudicating=adjudicating, resume=_nothing))
        other = len(open_cases(store, by=by, adjudicating=not adjudicating, resume=_nothing))
        labelled = sum(by in {label.by for label in golden.labels} for golden in case_labels(store).values())
    if waiting:
        request.reads(f"golden case {waiting[0].code}, masked")
    case = waiting[0] if waiting else None
    return View(
        page=LivePage(
            title="Labelling",
            answer=_answer(case, labelled=labelled, remaining=remaining, adjudicating=adjudicating),
            sections=[*([] if case is None else [_case_section(case)]), *_elsewhere(other, adjudicating=adjudicating)],
            forms=[] if case is None else [_form(case, labels, adjudicating=adjudicating)],
            notes=[_STAYS] if case is not None else [],
        )
    )


def _answer(case: OpenCase | None, *, labelled: int, remaining: int, adjudicating: bool) -> str:
    open_ones = counted(remaining, "case is", "cases are")
    if adjudicating:
        if case is None:
            return "No case waits for you to decide between two labels."
        return (
            f"Two people labelled this case differently; you did not label it. Which is right? {open_ones} open to you."
        )
    progress = f"You have labelled {counted(labelled, 'case')}"
    return f"{progress}; none is open to you." if case is None else f"{progress}; {open_ones} open to you."


def _case_section(case: OpenCase) -> Section:
    parts = [
        Part(heading="Position", verbatim=case.position),
        Part(heading="Résumé, masked", verbatim=case.resume),
    ]
    earlier_labels = [f"One said {case.said[0]}, the other {case.said[1]}."] if case.said else []
    return Section(name="case", heading="The case", text=earlier_labels, parts=parts)


def _form(case: OpenCase, labels: tuple[str, ...], *, adjudicating: bool) -> ActionForm:
    return ActionForm(
        action=_DIFFER if adjudicating else _PATH,
        heading="Decide between the two labels" if adjudicating else "How do you label this case?",
        button="Save, and show the next",
        fields=[Buttons(name="label", label="Label", options={label: label for label in labels})],
        hidden={"case": case.code},
        first=True,
    )


def _elsewhere(other: int, *, adjudicating: bool) -> list[Section]:
    if not other:
        return []
    waiting = counted(other, "case waits", "cases wait")
    text, path = (
        (f"{waiting} for a label.", _PATH) if adjudicating else (f"{waiting} for a decision of yours.", _DIFFER)
    )
    part = Part(text=[text], link=path, link_text="Label" if adjudicating else "Decide where two labels differ")
    return [Section(name="elsewhere", heading="Also for you", parts=[part])]


def _save(request: PageRequest, *, adjudicating: bool) -> Response:
    """Store a label, and show the next case."""
    case, label = request.form.get("case", ""), request.form.get("label", "")
    if not case or not label:
        raise HTTPException(400, "No label was chosen; go back and choose one.")
    with request.shown.opened() as store, store.writing() as writing:
        take_labels(writing, {case: label}, by=request.visitor.name, adjudicating=adjudicating)
    return RedirectResponse(_DIFFER if adjudicating else _PATH, 303)


def _masked(case: Case) -> str:
    return mask_text(case.text or "", known_names=case.known_names, options=FOR_LABELS).text


def _nothing(case: Case) -> str:  # noqa: ARG001 - as all that show a case
    return ""


ADDRESSES = (
    Address(path=_PATH, title="Labelling", answer=partial(_task, adjudicating=False), role="labeller"),
    Address(path=_DIFFER, answer=partial(_task, adjudicating=True), role="labeller"),
    Address(path=_PATH, answer=partial(_save, adjudicating=False), role="labeller", method="POST"),
    Address(path=_DIFFER, answer=partial(_save, adjudicating=True), role="labeller", method="POST"),
)
