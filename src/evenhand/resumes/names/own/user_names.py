"""What people call themselves where each name is taken: `thelakshmi`, `sarrbuilds42`, `o-street`."""

import re
from collections.abc import Collection

__all__ = ["with_initial"]

_BEFORE_NAME = re.compile(r"(?<![\w.@'&-])([a-z])[._-]\Z")
_BEHIND_NAME = re.compile(r"[._-]([a-z])(?![\w'-]|\.\w)")
_COMPOUNDS_LISTED = "x-ray e-mail e-book t-shirt t-test k-means u-turn a-level d-day z-score b-side g-force c-section"
_COMPOUNDS = frozenset(_COMPOUNDS_LISTED.split())


def with_initial(low: str, start: int, end: int, initials: Collection[str]) -> tuple[int, int] | None:
    """Return where a name in small letters and an initial that a mark joins to it stand: `o-street`, `grace.h`.

    >>> with_initial("pushed by o-street", 12, 18, {"o"}), with_initial("an x-ray", 5, 8, {"x"})
    ((10, 18), None)
    """
    before = _BEFORE_NAME.search(low, max(0, start - 3), start)
    if before is not None and before.group(1) in initials and low[before.start() : end] not in _COMPOUNDS:
        return before.start(), end
    behind = _BEHIND_NAME.match(low, end)
    if behind is not None and behind.group(1) in initials and low[start - 1 : start] not in _INSIDE:
        return start, behind.end()
    return None


_INSIDE = frozenset(".-_@")
