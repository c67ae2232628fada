"""Tables and lines for the terminal, as plain text."""

from io import StringIO
from typing import Any

from rich.console import Console
from rich.text import Text

from evenhand.tables.messages.quoting import spelled

__all__ = ["Screen"]


class Screen(Console):
    r"""Takes tables and lines; `text` is what they look like, with nothing in it that acts on a terminal.

    Signs are spelled out before the widths of columns are measured. There is no markup:
    labels may hold brackets.

    >>> screen = Screen(width=40)
    >>> screen.print("[red] \x1b[31m")
    >>> print(screen.text)
    [red] \x1b[31m
    """

    def __init__(self, *, width: int | None = None) -> None:
        self._written = StringIO()
        undecorated: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False, "color_system": None}
        super().__init__(file=self._written, width=width or Console().width, force_terminal=False, **undecorated)

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a text that is ready to be drawn."""
        return super().render_str(spelled(text), **how)

    @property
    def text(self) -> str:
        """Return what was printed."""
        return "\n".join(line.rstrip() for line in self._written.getvalue().rstrip("\n").split("\n"))
