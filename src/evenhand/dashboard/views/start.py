"""A first visit: what to do where there is nothing to show yet, and the synthetic company in one click."""

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.asked import Asked
from evenhand.dashboard.synthetic import Synthetic
from evenhand.dashboard.views.view import Address, View
from evenhand.report.page.live import Deed, LivePage
from evenhand.report.page.parts import Section

__all__ = ["ADDRESSES", "company_deeds", "start_view"]

_ANSWER = "Nothing was recorded yet. Commands bring your own data here; a synthetic company shows how it looks."
_STEPS = (
    "Decisions and scores: evenhand monitor record decisions.csv --store history.db --model NAME --time COLUMN "
    "--selected COLUMN --stage COLUMN --protected COLUMN fills a store; evenhand monitor check looks for changes.",
    "Audits: evenhand impact applicants.csv --selected COLUMN --protected COLUMN --out runs/first makes a run.",
    "Then: evenhand serve --store history.db --runs runs.",
)


def start_view(asked: Asked, title: str, answer: str = _ANSWER) -> View:
    """Return what to do where there is nothing to show yet."""
    sections = [Section(name="steps", heading="What to do", text=_STEPS)]
    return View(page=LivePage(title=title, answer=answer, sections=sections, deeds=company_deeds(asked)))


def company_deeds(asked: Asked) -> list[Deed]:
    """Return the button that shows the synthetic company, or the one that leaves it, to who may press it."""
    if asked.shown.synthetic is None or not asked.visitor.may("admin"):
        return []
    if asked.shown.is_synthetic:
        note = "What was changed in the synthetic company is gone when the server stops."
        return [Deed(action="/company/leave", heading="Your own data", button="Leave the synthetic company", note=note)]
    note = (
        "2,000 people, 60 positions and 30,000 applications of two years; what was injected into them is known. "
        "It takes up to a minute, is kept apart from your data, and is gone when the server stops."
    )
    return [Deed(action="/company", heading="A synthetic company", button="Show the synthetic company", note=note)]


def _shown(asked: Asked) -> Response:
    company = _synthetic(asked)
    company.show()
    asked.shown.cubes.prepare(company.store)
    return RedirectResponse("/", 303)


def _left(asked: Asked) -> Response:
    _synthetic(asked).leave()
    return RedirectResponse("/", 303)


def _synthetic(asked: Asked) -> Synthetic:
    if asked.shown.synthetic is None:
        raise HTTPException(404, "There is no synthetic company here.")
    return asked.shown.synthetic


ADDRESSES = (
    Address(path="/company", answer=_shown, method="POST", role="admin"),
    Address(path="/company/leave", answer=_left, method="POST", role="admin"),
)
