"""The process whose decisions a view is about, and what may be told of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenhand.dashboard.asked import Asked
from evenhand.dashboard.cube.suppression import WITHHELD, Suppressed
from evenhand.dashboard.views.start import start_view
from evenhand.dashboard.views.view import View
from evenhand.monitoring.decided import decided_models
from evenhand.report.page.live import Choice, LivePage

__all__ = ["Process", "chosen_process"]

#: Seconds after which a page that waits for a cube asks again.
_AGAIN: Final = 3


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


def chosen_process(asked: Asked, title: str) -> Process | View:
    """Return the process that is asked for; or the page that says why nothing of it can be told yet."""
    if asked.shown.store is None:
        return start_view(asked, title)
    with asked.shown.opened() as store:
        models = decided_models(store)
    model = asked.chosen("model", models)

    def told(answer: str, *, again: int = 0) -> View:
        choices = [] if model is None else [_choice(models, model)]
        return View(page=LivePage(title=title, answer=answer, choices=choices, again=again))

    if model is None:
        return start_view(asked, title, "No decisions were recorded yet.")
    computed = asked.shown.cubes.of(asked.shown.store, model)
    if not computed.done():
        waiting = f"It is being computed which counts of {model} may be shown. The page asks again by itself."
        return told(waiting, again=_AGAIN)
    found = computed.result()
    if found is None:
        return told(f"Nobody was decided on by {model}.")
    if not asked.exact and (found.told == WITHHELD).all():
        return told(f"Nothing of {model} is shown: it took too long to find what can be withheld.")
    return Process(model=model, models=models, found=found)


def _choice(models: Sequence[str], model: str) -> Choice:
    return Choice(name="model", label="Process", options={name: name for name in models}, chosen=model)
