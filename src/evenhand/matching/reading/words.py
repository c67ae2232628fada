"""The words of a text, without what masking put into it."""

from typing import Final

from evenhand.lexicons.folding import fold_characters
from evenhand.patterns import lazy_re
from evenhand.resumes.spans import CATEGORIES, OPTIONAL, token_of

__all__ = ["BREAK", "Lines", "lines_of"]

#: Stands in a list of words where a label can't go on: a comma, a mark of a list, something masked.
BREAK: Final = "|"
_MASKED: Final = lazy_re("|".join(rf"\[{token_of(each)[1:-1]}\]" for each in (*CATEGORIES, *OPTIONAL.values())))
_WORDS: Final = lazy_re(r"[^\W_]+(?:\+\+|#)?|[,;:|()\t•]")

#: The lines of a text: each as folded text, and its words.
Lines = tuple[tuple[str, tuple[str, ...]], ...]


def lines_of(text: str) -> Lines:
    """Return the lines of a text that hold words, folded, each with its words.

    >>> lines_of("[NAME], C++ developer (Node.js)")[0][1]
    ('|', '|', 'c++', 'developer', '|', 'node', 'js', '|')
    """
    folded = fold_characters(_MASKED.sub(BREAK, text))
    found = []
    for line in folded.split("\n"):
        words = tuple(word if word[0].isalnum() else BREAK for word in _WORDS.findall(line))
        if words:
            found.append((line, words))
    return tuple(found)
