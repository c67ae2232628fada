"""Which parts of an answer are the e-mail, and which stand beside it.

Beside it: a preamble before the subject or the greeting, notes
after the letter, quoted replies, and the labels of alternative drafts.
"""

import re

from evenhand.patterns import lazy_re
from evenhand.probes.hiring_an._fillers import LETTER_WORDS

__all__ = ["Span", "asides", "branch_labels"]

Span = tuple[int, int]

_QUOTED_LINE = lazy_re(r"^[ \t]{0,3}>[^\n]*", re.MULTILINE)

_LINE_LIMIT = 70
_LABEL_EDGE = " \t-=>[](){}<>|\"':.0123456789"


def asides(text: str) -> list[Span]:
    """Return the spans of a folded text that are not the e-mail itself."""
    spans: list[Span] = []
    letters = [match.start() for match in LETTER_WORDS.letter.finditer(text)]
    if letters:
        spans.append((0, letters[0]))
    for match in LETTER_WORDS.note.finditer(text, letters[0] if letters else 0):
        end = next((start for start in letters if start > match.start()), len(text))
        spans.append((match.start(), end))
        if end == len(text):
            break
    spans.extend(match.span() for match in _QUOTED_LINE.finditer(text))
    original = LETTER_WORDS.original.search(text)
    if original is not None:
        spans.append((original.start(), len(text)))
    return spans


def branch_labels(text: str) -> tuple[int | None, int | None]:
    """Return where a draft is first labelled as accepting and as rejecting.

    A label is a short line of its own: `[If accepted]`, `Option 2: rejection`.
    """
    accepting: int | None = None
    rejecting: int | None = None
    position = 0
    for line in text.split("\n"):
        label = line.strip(_LABEL_EDGE)
        if (
            0 < len(line) <= _LINE_LIMIT
            and LETTER_WORDS.branch_word.match(label)
            and not line.endswith((".", ",", "!"))
            and " you" not in label
        ):
            if LETTER_WORDS.rejecting.search(label):
                rejecting = position if rejecting is None else rejecting
            elif LETTER_WORDS.accepting.search(label):
                accepting = position if accepting is None else accepting
        position += len(line) + 1
    return accepting, rejecting
