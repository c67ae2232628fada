"""Whether a text reads as if it were of another encoding: names would not be known again in it."""

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import given_names, surnames
from evenhand.resumes.text.folded_text import folded_word

__all__ = ["is_broken_utf8", "is_garbled"]

_LETTER, _SMALL = r"[^\W\d_]", "[a-z\xdf-\xff]"
#: Signs that stand within or before words only where a text is of another encoding: Pawe³, £ukasz (Central European),
#: Qu‡ndahl, JosŽ, MŸller (Mac), J„ger, PE¥A, MšLLER (DOS).
_SIGNS = lazy_re(
    rf"{_LETTER}[\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xac\xaf\xb1\xb3\xb6\xb8\xb9\xbc\xbe\xbf"
    rf"\u2020\u2021\u2030\u2039\u203a\u201c\u201d\u02c6\u02dc]{_LETTER}"
    r"|[\xa3\xa6\xac\xaf][aeiouy\xf3]"
    rf"|{_LETTER}[\u201a\u201e\u0192]|\u0192{_LETTER}"
    r"|[A-Z][\u0161\u0153\u017e][A-Z]"
    rf"|{_SMALL}[\u017d\u0160\u0178\u0152]|{_LETTER}[\u017d\u0160\u0178\u0152]{_SMALL}"
)
#: Signs that stand within words otherwise, too, as the apostrophe and the dash do: Mu–oz and L—pez are names.
_SPLIT = lazy_re(rf"(?<!\w)[A-Z]{_SMALL}*(?:[\u2018\u2019\u2013\u2014\u2026\u2022\u2122\xa0]{_SMALL}+)+(?!\w)")
_ELIDED = lazy_re(r"^.{0,2}[\u2018\u2019]|[\u2018\u2019]s$")
_OTHERS = ("mac_roman", "cp850")
_SEQUENCE = lazy_re(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_NOT_ASCII = lazy_re(rb"[\x80-\xff]+")
#: No language that is written in cp1252 has so many accents.
_ACCENTED = 0.4
_FEW_LETTERS = 20


def is_broken_utf8(body: bytes) -> bool:
    r"""Say whether most of what is not ASCII is UTF-8.

    >>> is_broken_utf8("Renée Müller".encode() + b"\xff"), is_broken_utf8("Renée Müller".encode("cp1252"))
    (True, False)
    """
    whole = sum(len(match.group()) for match in _SEQUENCE.finditer(body))
    return 2 * whole > sum(len(match.group()) for match in _NOT_ASCII.finditer(body))


def is_garbled(text: str) -> bool:
    """Say whether a text that was read as cp1252 reads as if it were of another encoding.

    >>> [is_garbled(text.encode("cp1250").decode("cp1252")) for text in ("Łukasz Pawłowski", "René Müller")]
    [True, False]
    >>> [is_garbled(text.encode("mac_roman").decode("cp1252")) for text in ("José", "Sofía", "Muñoz", "O'Neill")]
    [True, True, True, False]
    """
    letters = [letter for letter in text if letter.isalpha()]
    accented = sum(not letter.isascii() for letter in letters)
    return (
        _SIGNS.search(text) is not None
        or (len(letters) > _FEW_LETTERS and accented > _ACCENTED * len(letters))
        or any(_is_name_elsewhere(word) for word in set(_SPLIT.findall(text)))
    )


def _is_name_elsewhere(word: str) -> bool:
    """Say whether a word with a sign within is a frequent name in another encoding; `Lou's` and `L'Isle` are none."""
    if _ELIDED.search(word) is not None:
        return False
    read = (folded_word(word.encode("cp1252").decode(codec)) for codec in _OTHERS)
    return any(name in given_names() or name in surnames() for name in read)
