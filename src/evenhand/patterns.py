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


#: Letters of other alphabets that look like Latin ones (Unicode's confusables), and the dotless i.
LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u04bb\u0501\u03bf\u03b1\u03c1\u03bd\u03b9\u03ba\u043c\u0442\u043d\u0432\u043a"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03f9"
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u04ba\u0500\u04c0\u04cf\u0261\u0251\u0131",
    "aeopcyxisjhdoapvikmthbkABEZHIKMNOPTYXCABESIJKMHOPCTYXHDIlgai",
)
