"""What differs between the protocols that models are asked in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from evenhand.models.model import Answer

__all__ = ["Dialect", "ReadBody"]


class ReadBody(Protocol):
    """Reads a successful response's body, or raises why it holds no answer."""

    def __call__(self, body: bytes, *, where: str) -> Answer:
        """Return the answer in a body that came from a server."""
        ...


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One protocol: addresses, headers, the body that is sent and how the answer is read.

    `lacks` are parameters that the protocol does not have, `defaults` those that it
    requires. `other_names` are names that some servers want instead.
    """

    scheme: str
    protocol: str
    example: str
    base_url: str
    path: str
    key_variable: str
    key_headers: Callable[[str], Mapping[str, str]]
    body: Callable[[str, list[dict[str, str]], Mapping[str, Any]], dict[str, Any]]
    read: ReadBody
    headers: Mapping[str, str] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    defaults: Mapping[str, int] = field(default_factory=dict)
    other_names: Mapping[str, str] = field(default_factory=dict)
