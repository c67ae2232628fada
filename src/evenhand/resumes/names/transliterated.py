"""The person's name in another script, wherever it stands: its consonants are those of the known name.

A letter's Unicode name tells how it sounds (`TAMIL LETTER PA`, `CYRILLIC SMALL LETTER ZE`), so no table of
scripts is needed but for letters that are called otherwise.
"""

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

from evenhand.resumes.plain import Plain

__all__ = ["consonants", "transliterated_places"]

#: Letters with their signs, of scripts other than Latin and Han.
_RUN = re.compile(r"[\u0370-\u1dff\u30a0-\u30ff\uac00-\ud7a3]{2,}")
_TOGETHER = re.compile(rf"{_RUN.pattern}(?:[ \u30fb]{_RUN.pattern})*")
#: In more words than these a name stands in a sentence.
_MOST = 3
_ADDRESS = frozenset("@/_")
#: Letters, and what each sounds like; a stroke stands for a vowel.
_GREEK = "αβγδεζηθικλμνξοπρστυφχψω", "- v g d - z - th - k l m n x - p r s t - f h ps -"
_ARABIC = (
    "بتثجحخدذرزسشصضطظعغفقكلمنهويپچژگکیاأإآىئءةؤ",
    "b t th j h kh d dh r z s sh s d t z - gh f q k l m n h w y p ch zh g k y - - - - - - - - -",
)
_HEBREW = (
    "בגדהוזחטיכךלמםנןסעפףצץקרשת",
    "b g d h v z h t y k k l m m n n s - p p ts ts k r sh t",
)
_SCRIPTS = (_GREEK, _ARABIC, _HEBREW)
_OTHERS = {
    "ς": "s",
    "ё": "",
    "й": "",
    "ь": "",
    "ъ": "",
    "ы": "",
    "ю": "",
    "я": "",
    "є": "",
    "ї": "",
    "ћ": "c",
    "ђ": "dj",
}
_LISTED = {
    letter: "" if sound == "-" else sound
    for letters, sounds in _SCRIPTS
    for letter, sound in zip(letters, sounds.split(), strict=True)
} | _OTHERS
_LETTER = re.compile(r"(?:LETTER|SYLLABLE|CHARACTER|LIGATURE)(?: (?:SMALL|CAPITAL|INDEPENDENT))? ([A-Z]+)$")
_VOWELS = re.compile(r"[aeiouy]+")
#: What sounds alike in one spelling or another.
_ALIKE = (
    ("sch", "s"),
    ("sh", "s"),
    ("ch", "c"),
    ("tsh", "c"),
    ("tch", "c"),
    ("zh", "z"),
    ("kh", "h"),
    ("gh", "g"),
    ("ph", "f"),
    ("th", "t"),
    ("dh", "d"),
    ("bh", "b"),
    ("ts", "c"),
    ("tz", "c"),
    ("ck", "k"),
    ("q", "k"),
    ("x", "ks"),
    ("w", "v"),
    ("j", "z"),
    ("dz", "z"),
    ("ng", "n"),
    ("nn", "n"),
    ("ll", "l"),
    ("rr", "r"),
)
_COARSE = str.maketrans({"c": "s", "z": "s", "g": "k", "b": "p", "d": "t", "v": "f", "h": ""})
_LEAST = 2


def transliterated_places(plain: Plain, own: Collection[str]) -> list[tuple[int, int]]:
    """Return where words in other scripts stand that sound like the person's names.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("зоран петровић on older papers; русский")
    >>> [seen.text[start:end] for start, end in transliterated_places(seen, ("zoran", "petrovic"))]
    ['зоран петровић']
    """
    if not own or not any(map(_RUN.match, (f"{each}{each}" for each in plain.foreign))):
        return []
    sought = {coarse for token in own if token.isascii() and len(coarse := _coarse(token)) >= _LEAST}
    found: list[tuple[int, int]] = []
    for together in _TOGETHER.finditer(plain.text):
        words = list(_RUN.finditer(together.group()))
        alike = [consonants(word.group()) in sought for word in words]
        if plain.text[together.start() - 1 : together.start()] in _ADDRESS or not any(alike):
            continue
        if len(words) <= _MOST:
            found.append(together.span())
        else:
            at = together.start()
            found += [(at + word.start(), at + word.end()) for word, so in zip(words, alike, strict=True) if so]
    return found


def consonants(word: str) -> str:
    """Return the consonants of a word in any script, those that sound alike made one.

    >>> consonants("петровић"), consonants("petrovic"), consonants("김"), consonants("பிரியா")
    ('ptrfs', 'ptrfs', 'km', 'pr')
    """
    return _coarse("".join(map(_sound, word.lower())) if not word.isascii() else word.lower())


def _coarse(letters: str) -> str:
    for written, instead in _ALIKE:
        letters = letters.replace(written, instead)
    bare = _VOWELS.sub("", letters).translate(_COARSE)
    return re.sub(r"(.)\1+", r"\1", bare.replace("kk", "k"))


@lru_cache(maxsize=4096)
def _sound(letter: str) -> str:
    """Return the consonants of one letter."""
    if letter in _LISTED:
        return _LISTED[letter]
    match = _LETTER.search(unicodedata.name(letter, ""))
    if match is None:
        return ""
    named = match.group(1).lower()
    if "\uac00" <= letter <= "\ud7a3":
        return named
    return _VOWELS.sub("", named)
