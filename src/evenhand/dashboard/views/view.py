"""The process whose decisions a view is about, and what may be told of them.

What a view is: an address, what answers there, and for whom.
A first visit: what to do where there is nothing to show yet, and the synthetic company in one click.
"""

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


@dataclass(frozen=True, kw_only=True)
class View:
    """A page, and the table that it is exported as; without columns it is not exported.

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


def start_view(asked: PageRequest, title: str, answer: str = _ANSWER) -> View:
    """Return what to do where there is nothing to show yet."""
    sections = [Section(name="steps", heading="What to do", text=_STEPS)]
    return View(page=LivePage(title=title, answer=answer, sections=sections, deeds=company_forms(asked)))


def company_forms(asked: PageRequest) -> list[ActionForm]:
    """Return the button that shows the synthetic company, or the one that leaves it, to who may press it."""
    if asked.shown.synthetic is None or not asked.visitor.may("admin"):
        return []
    if asked.shown.is_synthetic:
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


def _show_company(asked: PageRequest) -> Response:
    company = _synthetic(asked)
    company.show()
    asked.shown.cubes.prepare(company.store)
    return RedirectResponse("/", 303)


def _left(asked: PageRequest) -> Response:
    _synthetic(asked).leave()
    return RedirectResponse("/", 303)


def _synthetic(asked: PageRequest) -> Synthetic:
    if asked.shown.synthetic is None:
        raise HTTPException(404, "There is no synthetic company here.")
    return asked.shown.synthetic


ADDRESSES = (
    Address(path="/company", answer=_show_company, method="POST", role="admin"),
    Address(path="/company/leave", answer=_left, method="POST", role="admin"),
)

#: Seconds after which a page that waits for a cube asks again.
_REFRESH_SECONDS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Process:
    """A process by its model's name, all that there are, and its cube."""

    model: str
    models: Sequence[str]
    found: Suppressed

    @property
    def choice(self) -> Choice:
        """Return what the process is chosen by."""
        return _choice(self.models, self.model)


def chosen_process(asked: PageRequest, title: str) -> Process | View:
    """Return the process that is asked for; or the page that says why nothing of it can be told yet."""
    if asked.shown.store is None:
        return start_view(asked, title)
    with asked.shown.opened() as store:
        models = decided_models(store)
    model = asked.chosen("model", models)
    if model is None:
        return start_view(asked, title, "No decisions were recorded yet.")

    def told(answer: str, *, again: int = 0) -> View:
        return View(page=LivePage(title=title, answer=answer, choices=[_choice(models, model)], again=again))

    computed = asked.shown.cubes.of(asked.shown.store, model)
    if not computed.done():
        waiting = f"It is being computed which counts of {model} may be shown. The page asks again by itself."
        return told(waiting, again=_REFRESH_SECONDS)
    found = computed.result()
    if found is None:
        return told(f"Nobody was decided on by {model}.")
    if not asked.exact and (found.told == WITHHELD).all():
        return told(f"Nothing of {model} is shown: it took too long to find what can be withheld.")
    return Process(model=model, models=models, found=found)


def _choice(models: Sequence[str], model: str) -> Choice:
    return Choice(name="model", label="Process", options={name: name for name in models}, chosen=model)
