r"""Text of others as it is shown: on one line of a message, without signs that act on a terminal.

A label, a column, a model's name or an answer may hold escape sequences that rewrite the
screen, and marks that turn the order of letters around. Spelled out they do nothing.
"""

import json
from collections.abc import Collection
from itertools import islice
from typing import Any, Final

from evenhand.patterns import lazy_re

__all__ = ["LONGEST_QUOTE", "MOST_LISTED", "listed", "one_line", "quoted", "shortened", "spelled", "spelled_json"]

#: Characters of a label that a message repeats.
LONGEST_QUOTE: Final = 60
#: Names that a list in a message has.
MOST_LISTED: Final = 20
#: Controls but tab and newline; separators of lines and paragraphs; marks that turn, hide or join; halves of
#: surrogate pairs. Joiners (U+200C, U+200D) stay: Persian, Indic scripts and emoji are written with them.
_ACTING = lazy_re(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0001-\U000e007f\ud800-\udfff]"
)

_ESCAPED = json.JSONEncoder(ensure_ascii=True)


def spelled(text: str) -> str:
    r"""Return a text in which nothing acts on a terminal: such signs are spelled out, tabs and newlines stay.

    >>> print(spelled("\x1b[31mred\x1b[0m \u202egnp.exe"))
    \x1b[31mred\x1b[0m \u202egnp.exe
    """
    return _ACTING.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    r"""Return a text on one line: `spelled`, its newlines and tabs as well.

    >>> print(one_line("a\nb"))
    a\nb
    """
    return spelled(text).replace("\n", "\\n").replace("\t", "\\t")


def spelled_json(text: str) -> str:
    r"""Return JSON that means the same and in which nothing acts on a terminal.

    >>> print(spelled_json('{"group": "\u202ea"}'))
    {"group": "\u202ea"}
    """
    return _ACTING.sub(lambda found: _ESCAPED.encode(found[0])[1:-1], text)


def shortened(text: str, *, most: int = LONGEST_QUOTE) -> str:
    """Return a text of at most `most` characters, with an ellipsis where it was longer.

    >>> shortened("a" * 100, most=5)
    'aaaa…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def quoted(value: Any, *, most: int = LONGEST_QUOTE) -> str:
    r"""Return a label in quotation marks for a message: on one line, and cut at 60 characters.

    >>> print(quoted("Two or more\n"), quoted("x" * 1_000_000)[-4:], quoted(3))
    'Two or more\n' xx…' 3
    """
    if isinstance(value, str):
        return spelled(repr(shortened(value, most=most)))
    return shortened(spelled(repr(value)), most=most)


def listed(names: Collection[Any], *, most: int = MOST_LISTED, quotes: bool = False) -> str:
    """Return names for a message, each of at most 60 characters: the first ones, and how many more there are.

    >>> listed(["gender", "race"]), listed(["gender", "race"], quotes=True), listed(range(1000), most=3)
    ('gender, race', "'gender', 'race'", '0, 1, 2 and 997 more')
    """
    first = ", ".join(quoted(name) if quotes else one_line(shortened(str(name))) for name in islice(names, most))
    return first + (f" and {len(names) - most:,} more" if len(names) > most else "")
