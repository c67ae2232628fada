"""Messages in Python's words: what the command line calls --sample is called sample there."""

import re
from collections.abc import Mapping

from evenhand.patterns import lazy_re

__all__ = ["in_python"]


def in_python(text: str, options: Mapping[str, tuple[str, str | None]]) -> str:
    """Return a message in which options are called as Python's keywords, with their values as Python has them.

    `options` has, by the command line's name, that of Python, and the value that a flag without one stands for. What
    is no option of theirs stays as it is.

    >>> options = {"--out": ("out", None), "--force": ("force", "True"), "--age-at": ("age_at", None)}
    >>> in_python("Use --force to replace it, or another --out.", options)
    'Use force=True to replace it, or another out.'
    >>> in_python("--out is 3; say the day with --age-at 2024-12-31; go on with --force --out 'my run'.", options)
    "out is 3; say the day with age_at=2024-12-31; go on with force=True, out='my run'."
    >>> in_python("Give --protected gender,race.", {"--protected": ("protected", None)})
    'Give protected=["gender", "race"].'
    """

    def told(found: re.Match[str]) -> str:
        flag, value = found["flag"], found["value"]
        if flag not in options:
            return found[0]
        name, stands_for = options[flag]
        if stands_for is not None:
            return f"{name}={stands_for}" + ("" if value is None else f" {value}")
        return name if value is None else f"{name}={_value(value)}"

    return _ROW.sub(r"\1, ", _FLAG.sub(told, text))


def _value(typed: str) -> str:
    if typed[0] in "\"'" or _BARE.fullmatch(typed):
        return typed
    if "," in typed and "=" not in typed:
        return "[" + ", ".join(f'"{each}"' for each in typed.split(",")) + "]"
    return f'"{typed}"'


#: What may follow a flag besides its value: the sentence goes on.
_SENTENCE = (
    "a|all|allows|alone|and|any|are|as|belongs|besides|by|can't|compares?|does|for|first|gives?|goes|has|have|holds?|if|"
    "in|instead|is|it|lies|means|must|names?|needs|nor|of|on|only|or|says|takes|that|the|there|to|too|twice|was|where|"
    "which|with|without|would"
)
_FLAG = lazy_re(
    rf"(?P<flag>--[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:[ ](?!(?:{_SENTENCE})\b|--|<|\()"
    r"""(?P<value>"[^"]*"|'[^']*'|[^\s;:()"']*[^\s,;:().…?!"']))?"""
)
#: A keyword with its value before another, as options follow each other on a command line.
_ROW = lazy_re(r"""(\b[a-z_0-9]+=(?:"[^"]*"|'[^']*'|[^\s"',]+))[ ](?=[a-z_0-9]+=)""")
#: Numbers, dates and placeholders of one letter.
_BARE = lazy_re(r"[\d.-]+|[A-Z]")
