"""What a command of `evenhand monitor` says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

__all__ = ["Told"]


@dataclass(frozen=True, kw_only=True)
class Told:
    """A result as values of JSON, and as a person reads it."""

    content: Mapping[str, Any]
    text: str

    @property
    def json(self) -> str:
        """Return it as a text of JSON."""
        return orjson.dumps(self.content, option=orjson.OPT_INDENT_2).decode()
