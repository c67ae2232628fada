"""Golden labelling: one open case after another, masked, blind to what others and models said."""

from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View
from evenhand.errors import InputError
from evenhand.masking.mask import mask_text
from evenhand.monitoring.golden_cases import Case, scale_of
from evenhand.monitoring.golden_labels import OpenCase, case_labels, open_cases, take_labels
from evenhand.report.page.live import ActionForm, Buttons, LivePage
from evenhand.report.page.parts import Part, Section
from evenhand.report.words.numbers import counted

_PATH: Final = "/labelling"
_DIFFER: Final = f"{_PATH}/differences"
_NO_STORE: Final = "No store of golden cases is shown; evenhand serve --store FILE shows one."
_STAYS: Final = "A label stays as it was given. Keys: the arrows or the space bar choose, Enter saves."


def _label(asked: PageRequest) -> View:
    return _task(asked, adjudicating=False)


def _adjudicate(asked: PageRequest) -> View:
    return _task(asked, adjudicating=True)


def _task(asked: PageRequest, *, adjudicating: bool) -> View:
    """Return the next case of the one who asks; that it was read is logged."""
    by = asked.visitor.name
    if asked.shown.store is None:
        return View(page=LivePage(title="Labelling", answer=_NO_STORE))
    with asked.shown.opened() as store:
        try:
            labels = scale_of(store).labels
        except InputError as error:  # it says what to do
            return View(page=LivePage(title="Labelling", answer=str(error)))
        waiting = open_cases(store, by=by, adjudicating=adjudicating, resume=_masked, most=1)
        left = len(open_cases(store, by=by, adjudicating=adjudicating, resume=_nothing))
        other = len(open_cases(store, by=by, adjudicating=not adjudicating, resume=_nothing))
        given = sum(by in {each.by for each in said.labels} for said in case_labels(store).values())
    if waiting:
        asked.reads(f"golden case {waiting[0].code}, masked")
    case = waiting[0] if waiting else None
    return View(
        page=LivePage(
            title="Labelling",
            answer=_answer(case, given=given, left=left, adjudicating=adjudicating),
            sections=[*([] if case is None else [_case_section(case)]), *_elsewhere(other, adjudicating=adjudicating)],
            deeds=[] if case is None else [_form(case, labels, adjudicating=adjudicating)],
            notes=[_STAYS] if case is not None else [],
        )
    )


def _answer(case: OpenCase | None, *, given: int, left: int, adjudicating: bool) -> str:
    open_ones = counted(left, "case is", "cases are")
    if adjudicating:
        if case is None:
            return "No case waits for you to decide between two labels."
        return (
            f"Two people labelled this case differently; you did not label it. Which is right? {open_ones} open to you."
        )
    done = f"You have labelled {counted(given, 'case')}"
    return f"{done}; none is open to you." if case is None else f"{done}; {open_ones} open to you."


def _case_section(case: OpenCase) -> Section:
    parts = [
        Part(heading="Position", verbatim=case.position),
        Part(heading="Résumé, masked", verbatim=case.resume),
    ]
    said = [f"One said {case.said[0]}, the other {case.said[1]}."] if case.said else []
    return Section(name="case", heading="The case", text=said, parts=parts)


def _form(case: OpenCase, labels: tuple[str, ...], *, adjudicating: bool) -> ActionForm:
    return ActionForm(
        action=_DIFFER if adjudicating else _PATH,
        heading="Decide between the two labels" if adjudicating else "How do you label this case?",
        button="Save, and show the next",
        fields=[Buttons(name="label", label="Label", options={each: each for each in labels})],
        hidden={"case": case.code},
        first=True,
    )


def _elsewhere(other: int, *, adjudicating: bool) -> list[Section]:
    if not other:
        return []
    waiting = counted(other, "case waits", "cases wait")
    told, path = (
        (f"{waiting} for a label.", _PATH) if adjudicating else (f"{waiting} for a decision of yours.", _DIFFER)
    )
    part = Part(text=[told], link=path, link_text="Label" if adjudicating else "Decide where two labels differ")
    return [Section(name="elsewhere", heading="Also for you", parts=[part])]


def _take(asked: PageRequest) -> Response:
    return _taken(asked, adjudicating=False)


def _decide(asked: PageRequest) -> Response:
    return _taken(asked, adjudicating=True)


def _taken(asked: PageRequest, *, adjudicating: bool) -> Response:
    """Keep a label, and show the next case."""
    case, label = asked.form.get("case", ""), asked.form.get("label", "")
    if not case or not label:
        raise HTTPException(400, "No label was chosen; go back and choose one.")
    with asked.shown.opened() as store, store.writing() as writing:
        take_labels(writing, {case: label}, by=asked.visitor.name, adjudicating=adjudicating)
    return RedirectResponse(_DIFFER if adjudicating else _PATH, 303)


def _masked(case: Case) -> str:
    return mask_text(case.text or "", known_names=case.known_names).text


def _nothing(case: Case) -> str:  # noqa: ARG001 - as all that show a case
    return ""


ADDRESSES = (
    Address(path=_PATH, title="Labelling", answer=_label, role="labeller"),
    Address(path=_DIFFER, answer=_adjudicate, role="labeller"),
    Address(path=_PATH, answer=_take, role="labeller", method="POST"),
    Address(path=_DIFFER, answer=_decide, role="labeller", method="POST"),
)
