"""Inventory terms as NLTK's word_tokenize would count them, without NLTK and its data.

NLTK splits a text into sentences (Punkt), and sentences into tokens (Penn Treebank). A
term counts when a token equals it in lower case. So only this matters: is the term cut
off from what stands on its left and right? Most marks are split off wherever they stand.
A period is split off only at the end of a sentence; Punkt ends one after a word with a
period before white space or a closing mark, unless the word is an abbreviation or the
pair a collocation that it knows, and no term is either. Hyphens and slashes keep a term
glued to its neighbour. The rules are those of NLTK 3.10.
"""

import re
from collections.abc import Mapping

from evenhand.patterns import lazy_re

__all__ = ["nltk_terms"]

_RUN = lazy_re(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: Marks that Treebank's rules put spaces around wherever they stand.
_SPLIT = frozenset('\xab\u201c\u2018\u201e\xbb\u201d\u2019`"()[]{}<>;@#$%&?!*\u2012\u2013\u2014\u2015')
#: Marks after which Punkt looks for the end of a sentence although no space follows.
_CLOSING = frozenset(")\";}]*:@'({[!?\u2018\u2019\u201c\u201d\xab\xbb")
_LATER_END = lazy_re(r"[.?!](?=[)\";}\]*:@'({\[!?\u2018\u2019\u201c\u201d\xab\xbb]|\s+\S)")
#: Marks that may stand between the last period of a sentence and its end.
_AFTER_PERIOD = frozenset("])}>\"'\xbb\u201d\u2019 ")
_MOVED = lazy_re(r"(\s+)([\"')\]}]+?)(?:\s|--|$)")
_ASCII_SPACE = frozenset(" \t\n\r\v\f")
_CLITICS = ("'s", "'S", "'m", "'M", "'d", "'D", "'ll", "'LL", "'re", "'RE", "'ve", "'VE", "'")


def nltk_terms(text: str, terms: Mapping[str, object]) -> list[str]:
    """Return the terms of a text, in order, that are tokens of their own for NLTK.

    >>> nltk_terms("A leader. (Leader) leader's, co-leader leader/boss", {"leader": 0})
    ['leader', 'leader', 'leader']
    """
    found = []
    for match in _RUN.finditer(text):
        word = match.group().lower()
        end = match.end()
        if word not in terms and word.endswith("n") and text.startswith(("'t ", "'T "), end):
            word, end = word[:-1], end - 1  # 'n't' is split off
        if word in terms and _cut_left(text, match.start()) and (end < match.end() or _cut_right(text, end, word)):
            found.append(word)
    return found


def _cut_left(text: str, start: int) -> bool:
    if start == 0:
        return True
    before = text[start - 1]
    if before.isspace() or before in _SPLIT or before in ",:":
        return True
    if before == "'":
        # An opening quote: nothing that belongs to a word stands before it.
        return start < 2 or not (text[start - 2].isalnum() or text[start - 2] == "_")
    if before not in ".-":
        return False
    run = _run_length(text, start - 1, -1)
    # Dots are split off as a run; dashes in pairs from the left, so that an odd one stays.
    return run >= 2 if before == "." else run % 2 == 0


def _cut_right(text: str, end: int, word: str) -> bool:
    if end == len(text):
        return True
    after = text[end]
    if after.isspace() or after in _SPLIT:
        return True
    if after in ",:":
        return end + 1 == len(text) or not text[end + 1].isdigit()
    if after == "-":
        return text.startswith("--", end)
    if after == "'":
        return _clitic(text, end) or (
            word == "more" and re.match(r"'n\b", text[end : end + 3], re.IGNORECASE) is not None
        )
    return after == "." and (text.startswith("..", end) or _ends_sentence(text, end))


def _run_length(text: str, at: int, step: int) -> int:
    mark, length = text[at], 0
    while 0 <= at < len(text) and text[at] == mark:
        length, at = length + 1, at + step
    return length


def _clitic(text: str, at: int) -> bool:
    """Return whether an apostrophe begins an ending that is split off: 's, 'll or a bare quote.

    The rules want a blank behind it, which is what most marks and a sentence's end become.
    """
    if text.startswith("''", at):
        return True
    for clitic in _CLITICS:
        if text.startswith(clitic, at):
            end = at + len(clitic)
            if end == len(text) or text[end].isspace() or text[end] in _SPLIT:
                return True
            if text[end] in ",:" and not (end + 1 < len(text) and text[end + 1].isdigit()):
                return True
            if text[end] == "." and (text.startswith("..", end) or _ends_sentence(text, end)):
                return True
            if text.startswith("--", end):
                return True
    return False


def _ends_sentence(text: str, at: int) -> bool:
    """Return whether the single period at `at` is the last of its sentence.

    Of several ends within one run without white space, Punkt sees the last only; its
    white space there is ASCII.
    """
    end = at + 1
    rest = text[end:].lstrip()
    if not rest:
        return True
    if text[end].isspace() or text[end] in _CLOSING:
        stop = next((place for place in range(end, len(text)) if text[place] in _ASCII_SPACE), len(text))
        later = _LATER_END.search(text, end)
        return (later is None or later.start() >= stop) and not _is_kept_inside(text, end)
    # A closing mark that Punkt does not know ends a sentence only at the end of the text.
    return not rest.lstrip("".join(_AFTER_PERIOD)).strip()


def _is_kept_inside(text: str, end: int) -> bool:
    """Return whether closing marks behind a blank are drawn into the sentence so that its period is not the last.

    Punkt moves a closing mark that stands alone into the sentence before it. Treebank then
    looks through blanks and closing marks for the period, but not through other white space,
    nor through a double quote behind a blank, which it has taken for an opening one.
    """
    moved = _MOVED.match(text, end)
    if moved is None:
        return False
    return moved[1].strip(" ") != "" or moved[2].startswith(('"', "''"))
