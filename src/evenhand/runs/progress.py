"""What a run tells while it goes on."""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Notices", "Progress"]

#: Takes one-line remarks for the user.
Notices = Callable[[str], None]


class Progress(Protocol):
    """Takes the attempts done and planned, and a few words on what holds the run up."""

    def __call__(self, done: int, total: int, note: str = "", /) -> None:
        """Show how far the run is."""
