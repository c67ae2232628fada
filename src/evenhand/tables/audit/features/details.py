"""What findings of a table of features tell besides their estimate."""

from dataclasses import dataclass
from typing import Final, Literal

from evenhand.tables.details import Details

__all__ = ["FEATURE_FAMILIES", "Drifted", "Expected", "Proxy", "Represented", "Told"]

#: A relation is not shown where none was detected in either direction.
Told = Literal["meets", "violates", "not shown", "not checked"]


@dataclass(frozen=True, kw_only=True)
class Proxy(Details):
    """Of how well a feature tells a group: which end of it does, and how many people there are in and out of the group.

    `direction` is higher or lower, of features without an order empty; `largest` says that no other group of the
    attribute is told better.
    """

    direction: str | None = None
    n_group: int | None = None
    n_rest: int | None = None
    groups: int | None = None
    largest: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Expected(Details):
    """Of an expectation: what was expected and seen, whether that meets it, and whether the user stated it."""

    expected: str | None = None
    observed: str | None = None
    judged: Told | None = None
    why: str | None = None
    stated: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Represented(Details):
    """Of a group's share: how many people, the share that it should have, and the exact test of that."""

    people: int | None = None
    stated_share: float | None = None
    p_exact: float | None = None


@dataclass(frozen=True, kw_only=True)
class Drifted(Details):
    """Of a distribution beside that of another table: the index with its bias, and what chance alone stays below."""

    raw: float | None = None
    bias: float | None = None
    limit: float | None = None
    bins: int | None = None
    n_reference: int | None = None
    beyond_chance: bool | None = None


#: All families of such details.
FEATURE_FAMILIES: Final[tuple[type[Details], ...]] = (Proxy, Expected, Represented, Drifted)
