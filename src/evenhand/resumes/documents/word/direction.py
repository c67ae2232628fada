"""Word documents that turn the direction of text by force: refused, as names in it can't be known surely.

An override (`w:bdo`) shows letters in the reverse of their order in the file. What begins or
ends another direction within a word (`w:dir`) shows letters together that are none's word.
"""

import unicodedata
from itertools import pairwise
from typing import Any

from evenhand.errors import InputError
from evenhand.resumes.documents.word.namespaces import W
from evenhand.resumes.documents.word.story import paragraph_pieces

__all__ = ["refuse_turned"]

#: Classes of characters (UAX #9) that an override turns round: letters of the other direction, and digits.
_TURNED = {"rtl": frozenset({"L", "EN", "AN"}), "ltr": frozenset({"R", "AL"})}


def refuse_turned(root: Any) -> None:
    """Raise InputError if a part shows letters the other way round, or changes direction within a word."""
    for element in root.iter(W + "bdo", W + "dir"):
        if element.tag == W + "bdo":
            turned = _TURNED.get(element.get(W + "val") or "", frozenset())
            if sum(unicodedata.bidirectional(each) in turned for each in _text_of(element)) > 1:
                raise InputError("shows text the other way round (w:bdo), so names can't be known; save it as text.")
        if _cuts_a_word(element):
            raise InputError("changes direction within a word (w:dir), so names can't be known; save it as text.")


def _text_of(element: Any) -> str:
    return "".join(text for _, text, _ in paragraph_pieces(element))


def _cuts_a_word(element: Any) -> bool:
    """Say whether a letter stands beside one of the same direction on the other side of an element's edge."""
    paragraph = next(element.iterancestors(W + "p"), None)
    if paragraph is None:
        return False
    inside = {piece for piece, _, _ in paragraph_pieces(element)}
    marked = [(letter, piece in inside) for piece, text, _ in paragraph_pieces(paragraph) for letter in text]
    return any(
        within != beyond
        and letter.isalpha()
        and other.isalpha()
        and unicodedata.bidirectional(letter) == unicodedata.bidirectional(other)
        for (letter, within), (other, beyond) in pairwise(marked)
    )
