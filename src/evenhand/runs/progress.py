"""What a run tells while it goes on."""

from collections.abc import Callable
from typing import Protocol

__all__ = ["Notices", "Progress"]

#: Takes one-line remarks for the user.
Notices = Callable[[str], None]


class Progress(Protocol):
    """Takes what is being done ("hiring-an: asking"), how much of it is, and what holds it up.

    Of how much is None where that is not known.
    """

    def __call__(self, doing: str, done: int = 0, total: int | None = None, note: str = "", /) -> None:
        """Show how far the run is."""
