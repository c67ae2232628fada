"""Who speaks in a chat: the name between a time and a colon, twice or more."""

from collections import Counter
from weakref import WeakKeyDictionary

from evenhand.patterns import lazy_re
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["speakers"]

_SPEAKER = lazy_re(
    r"(?:^|\n)[> ]*(?:\[[^\]\n]{4,28}\]|(?:[\d./-]{6,10},?[ ])?\d{1,2}:\d\d(?::\d\d)?(?:[ ][ap]m)?"
    r"(?:[ ][-|\u2013\u2014])?)[ ]((?:[A-Z][\w'.-]*[ ]?){1,6}):[ ]"
)
_CLOCK = lazy_re(r"\n[> ]*(?:\[|\d{1,2}:|[\d./-]{6,10},)")
#: Minutes, looked for first, which is quick.
_MINUTES = lazy_re(r":\d\d")
#: Asked for more than once; forgotten with the document.
_PLACES: WeakKeyDictionary[FoldedText, list[tuple[int, int]]] = WeakKeyDictionary()


def speakers(folded: FoldedText) -> list[tuple[int, int]]:
    r"""Return where the names of those stand who speak twice or more.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> speakers(folded_text("[10:01] May: Hello\n[10:02] Ann: Hi\n[10:03] May: And in May?"))
    [(8, 11), (43, 46)]
    """
    found = _PLACES.get(folded)
    if found is None:
        found = _PLACES[folded] = _found(folded.text)
    return found


def _found(text: str) -> list[tuple[int, int]]:
    if "] " not in text and _MINUTES.search(text) is None:
        return []
    if _CLOCK.search(text) is None and not text.startswith("["):
        return []
    found = list(_SPEAKER.finditer(text))
    said = Counter(match.group(1) for match in found)
    return [match.span(1) for match in found if said[match.group(1)] > 1]
