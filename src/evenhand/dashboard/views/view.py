"""Views and addresses of the dashboards, the start page, and the process that a view shows."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import polars as pl
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.access import Role
from evenhand.dashboard.disclosure import FEWEST, Counts
from evenhand.dashboard.request import LONGEST_FORM, PageRequest, Synthetic
from evenhand.monitoring.state import decided_models, month_number
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
    status: int = 200


@dataclass(frozen=True, kw_only=True)
class Address:
    """What `answer` shows or does at a path, for a visitor of this role or a higher one.

    An address with a title stands in the navigation where the server has one of what it is `of`. A POST is answered
    only where the form is of a page of ours; its body has at most `longest` bytes, or with `takes_file` a file of the
    size that the server allows. What can't be answered raises starlette's HTTPException, with a sentence.
    """

    path: str
    answer: Callable[[PageRequest], View | Response]
    title: str = ""
    of: Sequence[str] = ("store",)
    role: Role = "viewer"
    method: Literal["GET", "POST"] = "GET"
    longest: int = LONGEST_FORM
    takes_file: bool = False


#: What `show_company` tells of.
COMPANY_STEPS: Final = 6
_ANSWER = "Nothing is recorded yet. The commands below bring your data here; a synthetic company is an example."
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
        note = "Changes to the synthetic company are lost when the server stops."
        return [
            ActionForm(
                action="/company/leave", heading="Your own data", button="Leave the synthetic company", note=note
            )
        ]
    note = (
        "2,000 people, 60 positions and 30,000 applications over two years, with known injected differences. It takes "
        "about twenty seconds, is kept apart from your data, and is deleted when the server stops."
    )
    return [
        ActionForm(action="/company", heading="A synthetic company", button="Show the synthetic company", note=note)
    ]


def _show_company(request: PageRequest) -> Response:
    company = _synthetic(request)
    company.show()
    return RedirectResponse("/" if company.is_shown else "/company", 303)


def _making_company(request: PageRequest) -> View | Response:
    company = _synthetic(request)
    if company.is_shown:
        return RedirectResponse("/", 303)
    if not company.steps:
        failed = f"The synthetic company could not be made: {''.join(company.problems[:1])}"
        answer = failed if company.problems else "The synthetic company has not been made yet."
        return start_view(request, "A synthetic company", answer)
    answer = f"Being made: {company.steps[-1]} (step {len(company.steps)} of {COMPANY_STEPS}). This page reloads."
    return View(page=LivePage(title="A synthetic company", answer=answer, reload_after=1), of_company=False)


def _leave_company(request: PageRequest) -> Response:
    _synthetic(request).leave()
    return RedirectResponse("/", 303)


def _synthetic(request: PageRequest) -> Synthetic:
    if request.shown.synthetic is None:
        raise HTTPException(404, "There is no synthetic company here.")
    return request.shown.synthetic


ADDRESSES = (
    Address(path="/company", answer=_making_company, role="admin"),
    Address(path="/company", answer=_show_company, method="POST", role="admin"),
    Address(path="/company/leave", answer=_leave_company, method="POST", role="admin"),
)


@dataclass(frozen=True, kw_only=True)
class Process:
    """A process by its model's name, all that there are, and its counts in the months chosen."""

    model: str
    models: Sequence[str]
    counts: Counts

    @property
    def choice(self) -> Choice:
        """Return the select of the process."""
        return _choice(self.models, self.model)


def chosen_process(request: PageRequest, title: str, *, exact: bool = False) -> Process | View:
    """Return the requested process, or the page that explains why nothing can be shown yet.

    Counts are exact where a visitor who may asks for them, or with `exact`.

    Raises
    ------
    HTTPException
        The months chosen end before they begin.

    """
    if request.shown.store is None:
        return start_view(request, title)
    with request.shown.opened() as store:
        models = decided_models(store)
        model = request.chosen("model", models)
        if model is None:
            return start_view(request, title, "No decisions are recorded yet.")
        counts = request.shown.processes.within(store, model, published=not (exact or request.exact))
    if not counts.stages:
        notice = f"{model} has fewer than {FEWEST} decisions in months that have ended (UTC), too few to show."
        return View(page=LivePage(title=title, answer=notice, choices=[_choice(models, model)]), exact_link=True)
    months = counts.months
    first, last = (request.query.get(name, "")[:7] for name in ("from", "to"))
    first, last = max(first, months[0]), min(last or months[-1], months[-1])
    if first > last:
        raise HTTPException(400, f"No month is from {first} to {last}; decisions are from {months[0]} to {months[-1]}.")
    check_months(first, last)
    return Process(model=model, models=models, counts=replace(counts, first=first, last=last))


def check_months(*months: str) -> None:
    """Answer 400 where one is no month."""
    try:
        for month in months:
            month_number(month)
    except ValueError as error:
        raise HTTPException(400, "from and to are months, such as 2026-03.") from error


def same(names: Iterable[str]) -> dict[str, str]:
    """Return the options of a select that are called what they are."""
    return {name: name for name in names}


def months_of(counts: Counts) -> dict[str, str]:
    """Return the query of the months chosen, nothing where these are all."""
    ends = {"from": counts.first, "to": counts.last}
    return {name: month for (name, month), whole in zip(ends.items(), _ends(counts), strict=True) if month != whole}


def _ends(counts: Counts) -> tuple[str, str]:
    return (counts.months[0], counts.months[-1]) if counts.months else ("", "")


def month_choices(counts: Counts) -> list[Choice]:
    """Return the selects of the first and the last month."""
    options = same(counts.months)
    return [
        Choice(name=name, label=label, options=options, chosen=chosen)
        for name, label, chosen in (("from", "From", counts.first), ("to", "To", counts.last))
    ]


def _choice(models: Sequence[str], model: str) -> Choice:
    return Choice(name="model", label="Process", options=same(models), chosen=model)
