r"""Normalised text for recognisers, with the way back to the input.

Accents, invisible characters and typographic marks go; case and line breaks stay. Every
character of the normalised text knows the input characters it stands for.

`ending` compiles a pattern for the text in front of a place, such as `\b(?:born|raised) in $`. It is matched
backwards by `regex`, which stops at the first mismatch; `re` would try all 64 characters before the place.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from itertools import chain, compress
from operator import attrgetter, itemgetter
from string import ascii_lowercase, digits
from typing import NamedTuple
from urllib.parse import unquote

import regex

from evenhand.data.folding import fold_characters
from evenhand.patterns import lazy_re


def ending(expression: re.Pattern[str]) -> Callable[[str], object]:
    r"""Return a function that says whether a text ends as a pattern requires.

    >>> born = ending(re.compile(r"\bborn (?:and raised )?in $"))
    >>> [born(text) is not None for text in ("was born in ", "reborn in ", "born in Lagos")]
    [True, False, False]
    """
    read: Callable[[str], object] = regex.compile(rf"(?r)(?:{expression.pattern})\n?").match
    return read  # `$` holds before a last line break too


#: Also control characters, which show nothing.
_NOT_ASCII = lazy_re(r"[^\t-\r\x20-\x7e]")
# Accents as TeX writes them: \'e, \"{u}, {\'e}, \c{c}.
_ACCENTED = r"\\(?:['`\"^~=.](?:\{\\?[A-Za-z]\}|\\?[A-Za-z])|[cvuHkr]\{[A-Za-z]\}|(?:ss|o|l|O|L|ae|AE|aa|AA)\b)"
_TEX = lazy_re(rf"\{{{_ACCENTED}\}}|{_ACCENTED}(?:\{{\}})?")
#: A word with a stop after each letter: `O.k.a.f.o.r`, `J.A.N.E.`
_DOTTED = lazy_re(r"(?<![\w.@/:-])[A-Za-z](?:\.[A-Za-z]){2,}(?![\w@/-])")
#: A part of it that is quicker to find.
_STOPS = lazy_re(r"\.[A-Za-z]\.")
#: Characters as pages and addresses write them: `M&uuml;ller`, `&#8209;`, `jane%2Eokafor`.
_ESCAPED = lazy_re(r"[&%](?:(?<=&)(?:[A-Za-z]{2,8}|#\d{2,6}|#[xX][0-9A-Fa-f]{2,5});|(?<=\w%)(?:2[0DE]|40|5F)(?=\w))")
#: Markdown's emphasis inside a word; one star is a gender's in German: `Kolleg*innen`.
_EMPHASIS = lazy_re(r"\*\*(?<=[^\W\d_]\*\*)\*?(?=[^\W\d_])")
_LETTER = lazy_re(rf"{_DOTTED.pattern}|{_EMPHASIS.pattern}|{_ESCAPED.pattern}|{_NOT_ASCII.pattern}|{_TEX.pattern}")
_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
#: A blank for each character between words; the table is quicker, for texts without letters beyond ASCII.
_BETWEEN = lazy_re(r"_|[^\w'\u0900-\u0963\u0966-\u0dff]|'(?![^\W_])|(?<![^\W_])'")  # signs of vowels are no letters
_APOSTROPHE = lazy_re("'")
_OUTER_APOSTROPHE = lazy_re(r"'(?:(?![a-z0-9])|(?<![a-z0-9].))")
_APART = bytes(code if chr(code) in ascii_lowercase + digits + "'" else ord(" ") for code in range(256))
# Letters that are not a letter with an accent, yet are typed as these.
_TYPED = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "\u0131": "i", "ħ": "h"}
_ASCII = frozenset(map(chr, range(128)))
_NONE: frozenset[str] = frozenset()
_MARKS = frozenset({"Mn", "Me", "Cf", "Cc", "Co"})

#: The numbers of the lists of words that texts are looked through for, and by word those of the lists it is in.
_LISTS: dict[frozenset[str], int] = {}
_LISTS_WITH: dict[str, list[int]] = {}


def word_list(words: Iterable[str]) -> frozenset[str]:
    """Return words that every text is looked through for; `FoldedText.places` finds those of all such lists at once.

    Such lists are kept for good: for words of one text only, `FoldedText.places` takes any frozen set.
    """
    listed = frozenset(words)
    if listed not in _LISTS:
        number = _LISTS[listed] = len(_LISTS)
        for word in listed:
            _LISTS_WITH.setdefault(word, []).append(number)
    return listed


class Piece(NamedTuple):
    """A stretch that is as long in the normalised text, where it begins, as in the input, from `first` to `last`.

    If it isn't `verbatim`, it is one character of the input and the letters that replace it. Invisible characters go
    with the piece before.
    """

    folded: int
    first: int
    last: int
    verbatim: bool


_FOLDED = attrgetter("folded")


@dataclass(frozen=True, kw_only=True, eq=False)
class FoldedText:
    """A normalised text, also in lower case, its words, and its pieces in the input (none: the same).

    `words` are (word in lower case, start, end), `starts` where they begin; `where` has the places of each word
    among them, `capitals` of those that begin with a capital or hold one after an apostrophe (d'Or), `elided` of those
    with an apostrophe inside; `foreign` are its characters beyond ASCII. Equal to itself only.
    """

    text: str
    low: str
    pieces: list[Piece] = field(default_factory=list)
    words: list[tuple[str, int, int]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    where: dict[str, list[int]] = field(default_factory=dict)
    capitals: list[int] = field(default_factory=list)
    elided: list[int] = field(default_factory=list)
    foreign: frozenset[str] = frozenset()
    _small: dict[str, bool] = field(default_factory=dict, init=False, repr=False)
    _listed: list[list[str]] = field(default_factory=list, init=False, repr=False)

    def is_written_small(self, word: str) -> bool:
        """Say whether a word is in small letters somewhere, by itself and in no address.

        >>> [folded_text(text).is_written_small("page") for text in ("Page, page", "Page", "page@example.org")]
        [True, False, False]
        """
        written_small = self._small.get(word)
        if written_small is None:  # searched once, as frequent words are requested often
            text, words = self.text, self.words
            written_small = self._small[word] = any(
                text[words[place][1] : words[place][2]].islower()
                and text[words[place][1] - 1 : words[place][1]] in {" ", "\n", ""}
                and text[words[place][2] : words[place][2] + 1] not in {"@", ".", "_"}
                for place in self.where.get(word, ())
            )
        return written_small

    def places(self, listed: frozenset[str]) -> list[int]:
        """Return the places in `words` of those that are listed, in order.

        >>> folded_text("to be or not to be").places(frozenset({"be", "or"}))
        [1, 2, 5]
        """
        common, places = self.common(listed), self.where
        if len(common) == 1:
            (word,) = common
            return places[word].copy()
        return sorted(chain.from_iterable(map(places.__getitem__, common))) if common else []

    def common(self, listed: frozenset[str]) -> Collection[str]:
        """Return the listed words that are in the text.

        >>> folded_text("to be or not to be").common(word_list({"not", "yet"}))
        ['not']
        """
        number = _LISTS.get(listed)
        if number is None:
            places = self.where
            return listed.intersection(places) if len(listed) > len(places) else places.keys() & listed
        if number >= len(self._listed):
            self._listed[:] = ([] for _ in _LISTS)
            for word in filter(_LISTS_WITH.__contains__, self.where):
                for with_word in _LISTS_WITH[word]:
                    self._listed[with_word].append(word)
        return self._listed[number]

    def in_input(self, start: int, end: int) -> tuple[int, int]:
        """Return the input offsets of a stretch of the normalised text."""
        if not self.pieces or start >= end:
            return start, end
        folded, first, _, verbatim = self.pieces[bisect_right(self.pieces, start, key=_FOLDED) - 1]
        begin = first + (start - folded if verbatim else 0)
        number = bisect_right(self.pieces, end - 1, key=_FOLDED)
        folded, first, last, verbatim = self.pieces[number - 1]
        inside = verbatim and (number == len(self.pieces) or end < self.pieces[number].folded)
        return begin, min(first + end - folded, last) if inside else last


def folded_text(text: str) -> FoldedText:
    """Return the normalised view of a text.

    >>> seen = folded_text("Jos\u00e9 O\u2019Brien")
    >>> seen.text, seen.words[1], seen.in_input(0, 4)
    ("Jose O'Brien", ("o'brien", 5, 12), (0, 4))
    """
    folded, pieces, foreign = (text, [], _NONE) if _is_plain(text) else _unaccented(text)
    low = folded.lower()
    if any(map(str.isalnum, foreign)):
        apart = _BETWEEN.sub(" ", low)
    else:
        apart = _OUTER_APOSTROPHE.sub(" ", low).encode("ascii", "replace").translate(_APART).decode()
    words: list[tuple[str, int, int]] = []
    where: dict[str, list[int]] = defaultdict(list)
    start = 0
    for word in apart.split(" "):
        if word:
            where[word].append(len(words))
            words.append((word, start, start + len(word)))
        start += len(word) + 1
    starts = [start for _, start, _ in words]
    marks = [match.start() for match in _APOSTROPHE.finditer(apart)]
    elided = [bisect_right(starts, mark) - 1 for mark in marks]
    within = {
        place
        for mark, place in zip(marks, elided, strict=True)
        if folded[mark + 1].isupper() and folded[mark - 1].islower()
    }
    firsts = itemgetter(*starts, -1)(folded) if starts else ()
    capitals = list(compress(range(len(starts)), map(str.isupper, firsts)))
    return FoldedText(
        text=folded,
        low=low,
        pieces=pieces,
        words=words,
        starts=starts,
        where=dict(where),
        capitals=sorted(within.union(capitals)) if within else capitals,
        elided=list(dict.fromkeys(elided)),
        foreign=foreign,
    )


def lowered(text: str) -> str:
    """Return the normalised view of a text in lower case only.

    >>> lowered("Jos\u00e9 O\u2019Brien") == folded_text("Jos\u00e9 O\u2019Brien").low
    True
    """
    return (text if _is_plain(text) else _unaccented(text)[0]).lower()


def _is_plain(text: str) -> bool:
    shown = text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()
    return (shown or _NOT_ASCII.search(text) is None) and not _has_several(text)


def folded_word(text: str) -> str:
    """Return a short text normalised, in lower case.

    >>> folded_word("M\u00fcller-L\u00fcdenscheidt")
    'muller-ludenscheidt'
    """
    return (text if text.isascii() else _unaccented(text)[0]).lower()


def _unaccented(text: str) -> tuple[str, list[Piece], frozenset[str]]:
    """Return a text without accents, its pieces (none: as the input), and its remaining characters beyond ASCII."""
    several = _has_several(text)
    if not several:
        typed = {character: _letters(character) for character in set(_NOT_ASCII.findall(text))}
        if all(plain == character or (len(plain) == 1 and plain.isascii()) for character, plain in typed.items()):
            for character, plain in typed.items():  # quicker than str.translate
                text = text.replace(character, plain)
            return text, [], frozenset(typed.values()) - _ASCII
    written: list[str] = []
    pieces: list[Piece] = []
    done = begun = length = 0
    for match in (_LETTER if several else _NOT_ASCII).finditer(text):
        place, after = match.span()
        letters = _letters(match.group()) if after - place == 1 else _joined(match.group())
        written += [text[done:place], letters]
        done = after
        if len(letters) == 1 == after - place:
            continue  # the stretch goes on
        if place > begun:
            pieces.append(Piece(length, begun, place, verbatim=True))
            length += place - begun
        if letters:
            pieces.append(Piece(length, place, after, verbatim=False))
            length += len(letters)
        elif pieces:
            pieces[-1] = pieces[-1]._replace(last=after)
        begun = after
    written.append(text[done:])
    pieces.append(Piece(length, begun, len(text), verbatim=True))
    return "".join(written), pieces, frozenset("".join(written[1::2])) - _ASCII


def _has_several(text: str) -> bool:
    """Say whether several characters form one letter somewhere, or letters have stops between them."""
    return (
        ("\\" in text and _TEX.search(text) is not None)
        or ("**" in text and _EMPHASIS.search(text) is not None)
        or (("&" in text or "%" in text) and _ESCAPED.search(text) is not None)
        or (_STOPS.search(text) is not None and _DOTTED.search(text) is not None)
    )


def _joined(command: str) -> str:
    r"""Return the letter of a TeX accent or an escaped character, or a word without the stops between its letters.

    >>> [_joined(command) for command in (r"\'{e}", r"{\c{c}}", r"\ss", "O.b.i", "**", "&shy;", "%2E", "&unknown;")]
    ['e', 'c', 'ss', 'Obi', '', '', '.', '&unknown;']
    """
    if command[0] == "%":
        return unquote(command)
    if command[0] == "&":
        character = unescape(command)
        return "".join(map(_letters, character)) if len(character) == 1 else command
    if "\\" not in command:
        return command.replace(".", "").replace("*", "")
    bare = command.strip("{} ").lstrip("\\")
    return bare.replace("}", "")[-1] if bare[0] in "'`\"^~=." or "{" in bare else bare


@lru_cache(maxsize=8192)
def _letters(character: str) -> str:
    """Return the plain letters of one character: none for invisible ones.

    >>> _letters("\u00c9"), _letters("\u0141"), _letters("\u200b"), _letters("\u660e")
    ('E', 'L', '', '\u660e')
    """
    if unicodedata.category(character) in _MARKS:
        return ""
    lower = character.lower()
    if lower in _TYPED:
        typed = _TYPED[lower]
        return typed if character == lower else typed[0].upper() + typed[1:]
    name = unicodedata.name(character, "")
    if name.startswith(_SMALL_CAPITAL) and len(name) == len(_SMALL_CAPITAL) + 1:
        return name[-1]
    bare = "".join(
        mark for mark in unicodedata.normalize("NFKD", character) if unicodedata.category(mark) not in _MARKS
    )
    if len(bare) > 1 and unicodedata.category(character) == "Lo":
        return character  # a Hangul syllable, not a ligature
    normalised = fold_characters(character)
    if normalised == "'" or not (bare.isascii() or character.isalpha()):
        return normalised  # the letter that writes a glottal stop, and typographic marks, as the e-mail classifier does
    return bare
