"""The synthetic company of a first visit: made once, when it is asked for, in a folder that goes with the server."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final

__all__ = ["LABEL", "Synthetic"]

#: Stands on every page, and in what is saved of one.
LABEL: Final = "Synthetic company: nobody in it exists."
_SHOWN: Final = "shown"


@dataclass(frozen=True, kw_only=True)
class Synthetic:
    """What is shown in place of one's own data: `make` writes a store and runs into the folder."""

    folder: Path
    make: Callable[["Synthetic"], None]
    lock: Lock = field(default_factory=Lock)

    @property
    def store(self) -> str:
        """Return the store."""
        return str(self.folder / "history.db")

    @property
    def runs(self) -> Path:
        """Return the folder of runs."""
        return self.folder / "runs"

    @property
    def is_shown(self) -> bool:
        """Return whether it is shown."""
        return (self.folder / _SHOWN).exists()

    def show(self) -> None:
        """Show it; the first time it is made, and who asks meanwhile waits."""
        with self.lock:
            if not self.runs.is_dir():
                self.make(self)
            (self.folder / _SHOWN).touch()

    def leave(self) -> None:
        """Show one's own data again."""
        (self.folder / _SHOWN).unlink(missing_ok=True)
