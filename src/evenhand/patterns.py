r"""Patterns that are compiled on first use, so that importing a module compiles none.

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
    """A pattern's text and, once it is compiled, the methods of the compiled pattern."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags


class _Lazy(_Used):
    """A pattern that is compiled on first use; then it becomes `_Used`, which is faster without `__getattr__`."""

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        object.__setattr__(self, "__class__", _Used)
        return getattr(compiled, name)


def lazy_re(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""Return an object that behaves like `re.compile(pattern, flags)`; a malformed pattern raises on first use.

    Call its methods: the functions of `re` don't accept it as a compiled pattern.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
