"""What is asked of a view, by whom, and what there is to show."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from evenhand.dashboard.access import Access, Visitor
from evenhand.dashboard.analyses.kept import Analyses
from evenhand.dashboard.analyses.upload import Received
from evenhand.dashboard.cube.kept import Cubes
from evenhand.dashboard.reads import log_read
from evenhand.dashboard.synthetic import Synthetic
from evenhand.errors import InputError
from evenhand.monitoring.history.store import Store, opened_store

__all__ = ["Asked", "Dashboards"]


@dataclass(frozen=True, kw_only=True)
class Dashboards:
    """What is shown, and to whom: a store, a folder of runs, or `synthetic` in their place.

    `analyses` is where tables may be brought.
    """

    access: Access
    store: str | None = None
    runs: Path | None = None
    analyses: Analyses | None = None
    synthetic: Synthetic | None = None
    cubes: Cubes = field(default_factory=Cubes)

    @property
    def is_synthetic(self) -> bool:
        """Return whether the synthetic company is shown."""
        return self.synthetic is not None and self.synthetic.is_shown

    @property
    def now(self) -> Self:
        """Return what is shown at this moment."""
        if self.synthetic is None or not self.synthetic.is_shown:
            return self
        return replace(self, store=self.synthetic.store, runs=self.synthetic.runs)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Yield the store.

        Raises
        ------
        InputError
            None was given.

        """
        if self.store is None:
            raise InputError("No store was given; evenhand serve --store FILE shows one.")
        with opened_store(self.store) as store:
            yield store


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request: who asks, the address with its named `parts`, what stands after '?', a form's fields and its file."""

    shown: Dashboards
    visitor: Visitor
    address: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    file: Received | None = None

    @property
    def exact(self) -> bool:
        """Return whether exact numbers are asked for by somebody with access to the rows."""
        return self.visitor.may("admin") and self.query.get("exact") == "yes"

    def chosen(self, name: str, known: list[str]) -> str | None:
        """Return the value of the query where it is known, else the first that is; None where none is."""
        given = self.query.get(name, "")
        return given if given in known else next(iter(known), None)

    def reads(self, what: str) -> None:
        """Log that rows of people are read, before they are shown; every view that shows any calls it."""
        shown = self.shown
        folder = shown.runs if shown.analyses is None or shown.runs is not None else shown.analyses.folder
        log_read(by=self.visitor.name, what=what, store=shown.store, folder=folder)
