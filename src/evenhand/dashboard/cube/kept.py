"""The cube of each process, computed once per version of its counts, and before somebody asks for it where possible."""

from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from threading import Lock, Thread
from time import monotonic
from typing import Final

from evenhand.dashboard.cube.cells import cube_of
from evenhand.dashboard.cube.suppression import Suppressed, suppressed
from evenhand.monitoring.decided import counts_version, monthly_counts
from evenhand.monitoring.history.store import opened_store
from evenhand.monitoring.state import model_names

__all__ = ["Cubes"]

#: Seconds that somebody who asks waits for a cube, and after which a computation ends and nothing of it is told.
PATIENCE: Final = 3.0
LONGEST: Final = 300.0

#: A cube, None where nothing was decided.
Computed = Future[Suppressed | None]


@dataclass(frozen=True, kw_only=True)
class Cubes:
    """What was computed or is being computed, by store and process: of which version; one after another.

    `cutoffs` of scores are published beside the decisions. Who asks waits `patience` seconds at most.
    """

    cutoffs: tuple[float, ...] = ()
    patience: float = PATIENCE
    begun: dict[tuple[str, str], tuple[str, Computed]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)
    turn: Lock = field(default_factory=Lock)

    def prepare(self, place: str) -> None:
        """Begin to compute the cubes of all processes of a store."""
        with opened_store(place) as store:
            models = model_names(store)
        for model in models:
            self._computed(place, model)

    def of(self, place: str, model: str) -> Computed:
        """Return the cube of the counts as they are now, which is done unless that takes too long."""
        computed = self._computed(place, model)
        wait([computed], timeout=self.patience)
        return computed

    def _computed(self, place: str, model: str) -> Computed:
        with opened_store(place) as store:
            version = counts_version(store, model)
        with self.lock:
            known, computed = self.begun.get((place, model), ("", Future()))
            if known != version or (computed.done() and computed.exception() is not None):
                computed = Future()
                self.begun[place, model] = version, computed
                # A daemon, so that the server ends when it is told to.
                Thread(target=self._compute, args=(place, model, computed), daemon=True).start()
        return computed

    def _compute(self, place: str, model: str, computed: Computed) -> None:
        try:
            with self.turn:
                with opened_store(place) as store:
                    rows = monthly_counts(store, model, self.cutoffs)
                end = monotonic() + LONGEST
                some = bool(rows["decided"].sum())
                found = suppressed(cube_of(rows), left=lambda: end - monotonic()) if some else None
        except Exception as error:  # noqa: BLE001 - raised where the cube is asked for
            computed.set_exception(error)
        else:
            computed.set_result(found)
