"""The cube of each process, computed once per version of its counts."""

from dataclasses import dataclass, field
from threading import Lock

from evenhand.dashboard.cube.cells import cube_of
from evenhand.dashboard.cube.suppression import Suppressed, suppressed
from evenhand.monitoring.decided import counts_version, monthly_counts
from evenhand.monitoring.history.store import Store

__all__ = ["Cubes"]


@dataclass(frozen=True, kw_only=True)
class Cubes:
    """What was computed, by process: the version, and the cube; one is computed at a time."""

    kept: dict[str, tuple[str, Suppressed]] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def of(self, store: Store, model: str) -> Suppressed | None:
        """Return the cube of a process; None where nothing was decided."""
        with self.lock:
            version = counts_version(store, model)
            known = self.kept.get(model)
            if known is not None and known[0] == version:
                return known[1]
            rows = monthly_counts(store, model)
            if not rows["decided"].sum():
                return None
            found = suppressed(cube_of(rows))
            self.kept[model] = version, found
            return found
