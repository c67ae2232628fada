"""What a command of `evenhand monitor` says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from evenhand.commands.terminal import Screen

__all__ = ["Told", "told"]


@dataclass(frozen=True, kw_only=True)
class Told:
    """A result as values of JSON, and as a person reads it."""

    content: Mapping[str, Any]
    text: str

    @property
    def json(self) -> str:
        """Return it as a text of JSON."""
        return orjson.dumps(self.content, option=orjson.OPT_INDENT_2).decode()


def told(content: Mapping[str, Any], *texts: str) -> Told:
    """Return a result that is told in a few sentences, each a paragraph."""
    screen = Screen()
    for text in texts:
        screen.say(text)
    return Told(content=content, text=screen.text)
