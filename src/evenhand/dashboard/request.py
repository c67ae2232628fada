"""Requests to the dashboards: the data shown, the visitor, and checked form fields."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

from evenhand.dashboard.access import Access, Visitor, log_read
from evenhand.dashboard.analyses import Analyses, Received
from evenhand.dashboard.disclosure import Processes
from evenhand.errors import EvenhandError, InputError, ServiceError
from evenhand.monitoring.store import Store, opened_store

#: What a page is of: process or model, groups, breakdown, stage and months. It stays from page to page.
FILTERS: Final = ("model", "attribute", "by", "stage", "from", "to")


def link_to(path: str, *queries: Mapping[str, str]) -> str:
    """Return the address of a page; a later query replaces values of an earlier one, and "" drops them.

    >>> link_to("/diversity", {"model": "m", "from": "2026-01"}, {"by": "team", "model": ""})
    '/diversity?from=2026-01&by=team'
    """
    together = {name: value for query in queries for name, value in query.items()}
    query = urlencode({name: value for name, value in together.items() if value})
    return f"{path}?{query}" if query else path


#: Printed on every page, and in every export.
LABEL: Final = "Synthetic company: nobody in it exists."
_SHOWN, _MADE = "shown", "made"


@dataclass(frozen=True, kw_only=True)
class Synthetic:
    """The synthetic company, shown in place of real data: `make` writes a store and runs into the folder.

    `make` calls `ready` when there is enough to be shown. `analyses` takes tables where the server takes none.
    `steps` are what was begun, none where nobody asked for it or it failed; `problems` say why.
    """

    folder: Path
    make: Callable[["Synthetic"], None]
    analyses: Analyses | None = None
    lock: Lock = field(default_factory=Lock)
    steps: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def store(self) -> str:
        """Return the store."""
        return str(self.folder / "history.db")

    @property
    def table(self) -> Path:
        """Return the table of its applications."""
        return self.folder / "company" / "applications.csv"

    @property
    def runs(self) -> Path:
        """Return the folder of runs."""
        return self.folder / "runs"

    @property
    def is_shown(self) -> bool:
        """Return whether it is shown."""
        return (self.folder / _SHOWN).exists()

    def show(self, *, wait: float = 1) -> None:
        """Show the company, once it is made: the first call begins that, and waits so many seconds for it."""
        with self.lock:
            if (self.folder / _MADE).exists():
                (self.folder / _SHOWN).touch()
            if self.steps or self.is_shown:
                return
            self.steps.append("people and positions")
            making = Thread(target=self._make, daemon=True)
        making.start()
        making.join(wait)

    def _make(self) -> None:
        try:
            self.make(self)
        except (EvenhandError, OSError) as error:
            self.problems[:] = [str(error)]
            self.steps.clear()  # so that it can be tried again

    def ready(self) -> None:
        """Show the company from now on."""
        (self.folder / _MADE).touch()
        (self.folder / _SHOWN).touch()

    def leave(self) -> None:
        """Show the real data again."""
        (self.folder / _SHOWN).unlink(missing_ok=True)


@dataclass(frozen=True, kw_only=True)
class Dashboards:
    """The data shown: a store, a folder of runs, or `synthetic` in their place; and who may look.

    `analyses` takes uploaded tables.
    """

    access: Access
    store: str | None = None
    runs: Path | None = None
    analyses: Analyses | None = None
    synthetic: Synthetic | None = None
    processes: Processes = field(default_factory=Processes)

    @property
    def is_synthetic(self) -> bool:
        """Return whether the synthetic company is shown."""
        return self.synthetic is not None and self.synthetic.is_shown

    @property
    def only_analyses(self) -> bool:
        """Return whether there is nothing but tables that somebody brings."""
        return self.store is None and self.runs is None and self.analyses is not None

    @property
    def now(self) -> Self:
        """Return the data shown at this moment."""
        if self.synthetic is None or not self.synthetic.is_shown:
            return self
        analyses = self.analyses or self.synthetic.analyses
        return replace(self, store=self.synthetic.store, runs=self.synthetic.runs, analyses=analyses)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Yield the store.

        Raises
        ------
        InputError
            None was given.
        ServiceError
            It can't be opened, which is no fault of a visitor.

        """
        if self.store is None:
            raise InputError("No store is given; start with evenhand serve --store FILE.")
        try:
            store = opened_store(self.store)
        except InputError as error:
            raise ServiceError(str(error)) from error
        with store:
            yield store


@dataclass(frozen=True, kw_only=True)
class PageRequest:
    """A request: the visitor, the address with its named `parts`, the query, a form's fields and its file.

    `refusal` is why a file was not taken.
    """

    shown: Dashboards
    visitor: Visitor
    address: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    file: Received | None = None
    refusal: HTTPException | None = None

    @property
    def exact(self) -> bool:
        """Return whether a visitor with access to the rows requests exact numbers."""
        return self.visitor.may("admin") and self.query.get("exact") == "yes"

    @property
    def filters(self) -> dict[str, str]:
        """Return what the address says that the page is of."""
        return {name: self.query[name] for name in FILTERS if self.query.get(name)}

    def chosen(self, name: str, known: list[str]) -> str | None:
        """Return the value of the query where it is known, else the first that is; None where none is."""
        given = self.query.get(name, "")
        return given if given in known else next(iter(known), None)

    def reads(self, what: str) -> None:
        """Log that rows of people are read, before they are shown; every view that shows any calls it."""
        dashboards = self.shown
        folder = (
            dashboards.runs
            if dashboards.analyses is None or dashboards.runs is not None
            else dashboards.analyses.folder
        )
        log_read(by=self.visitor.name, what=what, store=dashboards.store, folder=folder)


#: The hidden field of every form that changes something.
FORM_TOKEN: Final = "form"  # noqa: S105 - the name of a field
#: Bytes of a form, where its address says nothing else.
LONGEST_FORM: Final = 16_384


async def form_fields(request: Request, *, longest: int = LONGEST_FORM) -> dict[str, str]:
    """Return the fields of a form that no page elsewhere sent."""
    check_origin(request)
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise HTTPException(413, "The form is too long.")
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def check_origin(request: Request) -> None:
    """Raise HTTPException where a page elsewhere sent the form."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise HTTPException(403, "The form is from another page.")


def checked_form(form: dict[str, str], access: Access, visitor: Visitor) -> dict[str, str]:
    """Return the fields of a form that carries what this visitor was shown."""
    if not access.is_form_token(visitor, form.pop(FORM_TOKEN, "")):
        raise HTTPException(403, "The form is from another page, or older than the server; open its page again.")
    return form
