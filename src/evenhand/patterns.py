r"""Patterns that are compiled when they are first used, so that importing a reader compiles none.

>>> word = lazy_re(r"\w+")
>>> word.pattern, word.findall("two words")
('\\w+', ['two', 'words'])
"""

import re
from typing import Any, AnyStr, cast

_METHODS = (
    "search",
    "match",
    "fullmatch",
    "finditer",
    "findall",
    "sub",
    "subn",
    "split",
    "flags",
    "groups",
    "groupindex",
)


class _Used:
    """A pattern's text, and once it was used the methods of the compiled pattern."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags


class _Lazy(_Used):
    """A pattern that is compiled with the first question asked of it; without `__getattr__`, it is faster then."""

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for each in _METHODS:
            setattr(self, each, getattr(compiled, each))
        object.__setattr__(self, "__class__", _Used)
        return getattr(compiled, name)


def lazy_re(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""Return what behaves as `re.compile(pattern, flags)`; a pattern that is wrong raises when it is first used.

    Functions of `re` don't take it in a compiled pattern's place: ask its methods.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
