"""Rows by a key."""

from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["by_key"]

K = TypeVar("K")
R = TypeVar("R")


def by_key(key: Callable[[R], K], rows: Iterable[R]) -> dict[K, tuple[R, ...]]:
    """Return rows by their key; keys and rows in the order in which they come.

    >>> by_key(len, ["b", "cc", "a"])
    {1: ('b', 'a'), 2: ('cc',)}
    """
    found: dict[K, list[R]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return {each: tuple(own) for each, own in found.items()}
