"""Views and addresses of the dashboards, the start page, and the process that a view shows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import polars as pl
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.access import Role
from evenhand.dashboard.disclosure import WITHHELD, Suppressed
from evenhand.dashboard.request import LONGEST_FORM, PageRequest, Synthetic
from evenhand.monitoring.state import decided_models
from evenhand.report.page.live import ActionForm, Choice, LivePage
from evenhand.report.page.parts import Section

#: How crossed attributes, and their groups, are named in an address and on a page.
CROSS: Final = " × "


@dataclass(frozen=True, kw_only=True)
class View:
    """A page, and the table that it exports; without columns there is no export.

    `exact_link`: the same with exact numbers is offered to those with access to the rows. `of_company`: it shows the
    store or the runs, those of the synthetic company where that is shown.
    """

    page: LivePage
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    exact_link: bool = False
    of_company: bool = True


@dataclass(frozen=True, kw_only=True)
class Address:
    """What `answer` shows or does at a path, for a visitor of this role or a higher one.

    An address with a title stands in the navigation. A POST is answered only where the form is of a page of ours; its
    body has at most `longest` bytes, or with `takes_file` a file of the size that the server allows. What can't be
    answered raises starlette's HTTPException, with a sentence.
    """

    path: str
    answer: Callable[[PageRequest], View | Response]
    title: str = ""
    role: Role = "viewer"
    method: Literal["GET", "POST"] = "GET"
    longest: int = LONGEST_FORM
    takes_file: bool = False


_ANSWER = "Nothing was recorded yet. Commands bring your own data here; a synthetic company shows how it looks."
_STEPS = (
    "Decisions and scores: evenhand monitor record decisions.csv --store history.db --model NAME --time COLUMN "
    "--selected COLUMN --stage COLUMN --protected COLUMN fills a store; evenhand monitor check looks for changes.",
    "Audits: evenhand impact applicants.csv --selected COLUMN --protected COLUMN --out runs/first makes a run.",
    "Then: evenhand serve --store history.db --runs runs.",
)


def start_view(request: PageRequest, title: str, answer: str = _ANSWER) -> View:
    """Return the start page, for a server that has nothing to show yet."""
    sections = [Section(name="steps", heading="What to do", text=_STEPS)]
    return View(page=LivePage(title=title, answer=answer, sections=sections, forms=company_forms(request)))


def company_forms(request: PageRequest) -> list[ActionForm]:
    """Return the button that shows or leaves the synthetic company, for those who may press it."""
    if request.shown.synthetic is None or not request.visitor.may("admin"):
        return []
    if request.shown.is_synthetic:
        note = "What was changed in the synthetic company is gone when the server stops."
        return [
            ActionForm(
                action="/company/leave", heading="Your own data", button="Leave the synthetic company", note=note
            )
        ]
    note = (
        "2,000 people, 60 positions and 30,000 applications of two years; what was injected into them is known. "
        "It takes up to a minute, is kept apart from your data, and is gone when the server stops."
    )
    return [
        ActionForm(action="/company", heading="A synthetic company", button="Show the synthetic company", note=note)
    ]


def _show_company(request: PageRequest) -> Response:
    company = _synthetic(request)
    company.show()
    request.shown.cubes.prepare(company.store)
    return RedirectResponse("/", 303)


def _leave_company(request: PageRequest) -> Response:
    _synthetic(request).leave()
    return RedirectResponse("/", 303)


def _synthetic(request: PageRequest) -> Synthetic:
    if request.shown.synthetic is None:
        raise HTTPException(404, "There is no synthetic company here.")
    return request.shown.synthetic


ADDRESSES = (
    Address(path="/company", answer=_show_company, method="POST", role="admin"),
    Address(path="/company/leave", answer=_leave_company, method="POST", role="admin"),
)

#: Seconds after which a page that waits for a cube reloads.
_REFRESH_SECONDS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Process:
    """A process by its model's name, all that there are, and its cube."""

    model: str
    models: Sequence[str]
    suppressed: Suppressed

    @property
    def choice(self) -> Choice:
        """Return the select of the process."""
        return _choice(self.models, self.model)


def chosen_process(request: PageRequest, title: str) -> Process | View:
    """Return the requested process, or the page that explains why nothing can be disclosed yet."""
    if request.shown.store is None:
        return start_view(request, title)
    with request.shown.opened() as store:
        models = decided_models(store)
    model = request.chosen("model", models)
    if model is None:
        return start_view(request, title, "No decisions were recorded yet.")

    def notice(answer: str, *, reload_after: int = 0) -> View:
        choices = [_choice(models, model)]
        return View(page=LivePage(title=title, answer=answer, choices=choices, reload_after=reload_after))

    computed = request.shown.cubes.of(request.shown.store, model)
    if not computed.done():
        waiting = f"It is being computed which counts of {model} may be shown. The page asks again by itself."
        return notice(waiting, reload_after=_REFRESH_SECONDS)
    cube = computed.result()
    if cube is None:
        return notice(f"Nobody was decided on by {model}.")
    if not request.exact and (cube.states == WITHHELD).all():
        return notice(f"Nothing of {model} is shown: it took too long to find what can be withheld.")
    return Process(model=model, models=models, suppressed=cube)


def _choice(models: Sequence[str], model: str) -> Choice:
    return Choice(name="model", label="Process", options={name: name for name in models}, chosen=model)
