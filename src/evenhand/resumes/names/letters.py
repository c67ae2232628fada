"""Names in letters and in notes on candidates: who is greeted in any language, who signs, `Park, Ji-hoon: manager`.

Also a name that is broken over two lines behind a word that a person follows.
"""

import re
from collections.abc import Iterator

from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import given_names

__all__ = ["addressed"]

_ONE = r"(?:(?:al|el|[ADO])[-'])?[A-Z][\w']*+(?:-[A-Za-z]\w*)?"

#: What is said to the one whose name begins a note: `Nigel, see below.`
_SAID_TO = re.compile(
    rf"(?:^|\n)[> ]*({_ONE})(?:,[ ](?=(?:see|please|can|could|would|will|have|here|fyi|thanks|thank|do|did|what"
    r"|shall|let|call|just|as|good|no|yes|sharing|forwarding|over|sorry|any|quick|one|another|any|this|attached|below|"
    r"any|if|are|is)\b)"
    r"|[ ][–—-][ ](?=(?:shall|can|could|please|see|do|have|any|what|would|fyi|thanks|is|are|here|let)\b))"
)
#: Who signs above a quoted message.
_QUOTED_BELOW = re.compile(
    rf"\n[> ]*({_ONE}(?:[ ]{_ONE})?)\n(?=[> ]*\n?[> ]*(?:From:|Von:|De:|-----|_____"
    rf"|On [A-Z][^\n]{{6,60}} wrote:|Sent from))"
)
_QUOTES = ("From:", "Von:", "-----", "_____", " wrote:", "Sent from")


def addressed(text: str) -> Iterator[tuple[int, int]]:
    """Yield where those stand who are spoken to at the beginning of a note, and who sign above a quoted message."""
    if not any(mark in text for mark in _QUOTES):
        return
    for pattern in (_SAID_TO, _QUOTED_BELOW):
        for match in pattern.finditer(text):
            words = match.group(1).lower().split()
            if all(word in given_names() or kind_of(word) in {"name", "word"} for word in words):
                yield match.span(1)
