"""One person: a résumé's text, and what is known besides it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Person"]


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person: the résumé as text, the names that are known, protected attributes, and the file's name and author.

    `protected` has no entry where an attribute is unknown.
    """

    id: str
    text: str = field(repr=False)
    known_names: tuple[str, ...] = field(default=(), repr=False)
    protected: Mapping[str, str] = field(default_factory=dict)
    file_name: str | None = field(default=None, repr=False)
    metadata: tuple[str, ...] = field(default=(), repr=False)
