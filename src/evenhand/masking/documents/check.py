"""Check a masked document for leaks, and mend names broken by a line's end or a tab.

The rules read the finished document again, as they did the first time. Content without context
(attributes, metadata, names of parts, raw bytes) is searched for the masked strings themselves and for
every part of a name that is no common word. A broken name is `Quan` at the end of a line, `dahl` on the next.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from evenhand.data.lexicons.known_names import name_places
from evenhand.errors import CheckFailed
from evenhand.masking.layout import FoldedText, folded_text, folded_word
from evenhand.masking.mask import residual_categories
from evenhand.masking.names.mentions import given_places
from evenhand.masking.names.word_kinds import Names, english_words, given_names, is_no_name, name_words, ordinary_words
from evenhand.masking.pronouns import MaskOptions
from evenhand.patterns import lazy_re

#: Categories whose strings identify a person in any context.
_LITERAL = frozenset({"EMAIL", "URL", "PHONE", "ADDRESS", "SCHOOL"})
_SHORTEST_LITERAL = 7
_SHORTEST_TOKEN = 4
#: Part of a name that is found within a word, too, where there is no sentence.
_SHORTEST_INSIDE = 6
_HUMP = lazy_re(r"(?<=[^\W\d_])(?=[A-Z][a-z])")
_TURNED = "\u202e"
_BLANKS = lazy_re(r"\s+")
_SPELLED = lazy_re(r"(?<![^\W_])(?:[^\W\d_]\s+){3,}[^\W\d_](?![^\W_])")


@dataclass(frozen=True)
class Trace:
    """Names and masked strings, with their categories, that must not be in a result."""

    names: Names
    masked: frozenset[tuple[str, str]] = frozenset()

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Parts of names that are no common word, in plain lower case, with the ways they are written.

        >>> from evenhand.masking.names.word_kinds import name_of
        >>> sorted(Trace(Names(person=(name_of("Grace Okafor"),))).tokens)
        ['okafor']
        """
        forms = (form for name in (*self.names.person, *self.names.others) for form in name.forms)
        return frozenset(form for form in forms if _tells(form))

    @cached_property
    def joined(self) -> frozenset[str]:
        """Names of the person written as one word: janedoe."""
        whole = {"".join(name.tokens) for name in self.names.person if len(name.tokens) > 1}
        turned = {"".join(reversed(name.tokens)) for name in self.names.person if len(name.tokens) > 1}
        return frozenset(word for word in whole | turned if len(word) >= _SHORTEST_LITERAL)

    @cached_property
    def literals(self) -> tuple[tuple[str, str], ...]:
        """Masked strings that identify a person in any context: category, normalised text in lower case."""
        literals = {
            (category, _BLANKS.sub(" ", folded_word(text)))
            for category, text in self.masked
            if category in _LITERAL or (category == "NAME" and len(folded_word(text).split()) > 1)
        }
        return tuple(sorted(pair for pair in literals if len(pair[1]) >= _SHORTEST_LITERAL))

    def category_in(self, text: str) -> str | None:
        """Return the category of a masked string in a text without context, None where there is none.

        >>> from evenhand.masking.names.word_kinds import name_of
        >>> trace = Trace(Names(person=(name_of("Jane Okafor"),)), frozenset({("EMAIL", "jo@example.org")}))
        >>> [trace.category_in(text) for text in ("Picture of OKAFOR", "mailto:jo@example.org", "left")]
        ['NAME', 'EMAIL', None]
        """
        low = _low(text)
        if self.holds_name(text):
            return "NAME"
        spaced = _BLANKS.sub(" ", low)
        return next((category for category, string in self.literals if string in spaced), None)

    def holds_name(self, text: str) -> bool:
        """Say whether a bare text holds part of a name that is no common word, as in `OkaforBody`, `janedoe`."""
        if self.holds_part(text) or self.holds_part(_HUMP.sub(" ", text)):
            return True
        low = _low(text)
        if any(token in low for token in self.tokens if len(token) >= _SHORTEST_INSIDE):
            return True
        letters = "".join(character for character in low if character.isalpha())
        return any(joined in letters for joined in self.joined)

    def holds_part(self, text: str) -> bool:
        """Say whether a text holds part of a name that is no common word."""
        if self.names.given and next(given_places(folded_text(text), self.names.given), None) is not None:
            return True
        low = _low(text)
        if _TURNED in text:  # what follows is shown from right to left
            low += "\n" + low[::-1]
        spelled = ["".join(match.group().split()) for match in _SPELLED.finditer(low)]  # a letter on each line
        low = "\n".join((low, *spelled, *(word[::-1] for word in spelled)))
        return any(next(name_places(low, token), None) is not None for token in self.tokens)


def _low(text: str) -> str:
    return _low_of_short(text) if len(text) < _SHORT else folded_text(text).low


#: Names of styles, fonts and addresses of schemas are the same in most documents.
_SHORT = 80


@lru_cache(maxsize=8192)
def _low_of_short(text: str) -> str:
    return folded_text(text).low


def _tells(form: str) -> bool:
    if form in name_words() or is_no_name(form):
        return False
    return len(form) >= _SHORTEST_TOKEN or not form.isascii()


#: The repair in the message about a document whose result has a leak.
_SAVE_ANEW = "Save the document again, or as text, and mask that."


def leak(leaks: Iterable[tuple[str, str]], *, mend: str = _SAVE_ANEW) -> CheckFailed:
    """Return the error of a result that holds something: which categories and in what part, never which text.

    >>> str(leak([("NAME", "header"), ("URL", ""), ("NAME", "styles")])).partition(", so")[0]
    'The masked result still holds NAME (header, styles), URL'
    """
    places: dict[str, dict[str, None]] = {}
    for category, place in leaks:
        places.setdefault(category, {}).update({place: None} if place else {})
    categories = [f"{category} ({', '.join(named)})" if named else category for category, named in places.items()]
    return CheckFailed(f"The masked result still holds {', '.join(categories)}, so it was not written. {mend}")


def refuse_leaks(
    *,
    texts: Iterable[str],
    bare: Iterable[str],
    trace: Trace,
    options: MaskOptions,
    allowed: Sequence[str] = (),
    places: Mapping[str, Collection[str]] | None = None,
    mend: str = _SAVE_ANEW,
) -> None:
    """Raise CheckFailed with the categories that remain: by the rules in `texts`, by search in `bare`.

    `allowed` are bare strings that hold no text of a person, such as addresses of schemas; `places` say in what parts
    of the document a text or string stands, where that is known; `mend` is the repair that the message gives.
    """
    place_names = places or {}
    leaks: list[tuple[str, str]] = []
    for text in texts:
        categories = [
            *residual_categories(text, names=trace.names, options=options),
            *(["NAME"] if trace.holds_part(text) else []),
        ]
        leaks += [(category, place) for category in categories for place in place_names.get(text, [""])]
    for text in dict.fromkeys(bare):
        if text and not text.startswith(tuple(allowed)):
            category = trace.category_in(text)
            if category is not None:
                leaks += [(category, place) for place in place_names.get(text, [""])]
    if leaks:
        raise leak(leaks, mend=mend)


#: Shorter names arise from words that happen to follow each other.
_SHORTEST = 4
#: Letters of a name that may be broken: what is longer, such as ideographs in a row, is none.
_LONGEST = 200
_BREAKS = frozenset("\n\t\r\v\f\u2028\u2029")


@dataclass(frozen=True, kw_only=True)
class Mended:
    """A text without the breaks within names, and the places of these in the original text, in order."""

    text: str
    gaps: tuple[tuple[int, int], ...] = ()

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the original text of a stretch that is not empty; breaks at its edges are left outside.

        >>> Mended(text="by Okafor", gaps=((5, 6),)).back(3, 9)
        (3, 10)
        """
        for gap, past in self.gaps:
            length = past - gap
            start += length if start >= gap else 0
            end += length if end > gap else 0
        return start, end


def mended(text: str, names: Names) -> Mended:
    r"""Return a text without the breaks within names.

    >>> from evenhand.masking.names.word_kinds import name_of
    >>> mended("Led by Jane Oka\nfor in May", Names(person=(name_of("Jane Okafor"),))).text
    'Led by Jane Okafor in May'
    """
    if _BREAKS.isdisjoint(text):
        return Mended(text=text)
    forms = _forms(names)
    folded = folded_text(text)
    gaps = []
    passed = 0
    for place in folded.places(forms.begun):
        last = _end_of_name(folded, place, forms) if place >= passed else place
        if last > place:
            passed = last + 1
            words = [folded.in_input(start, end) for _, start, end in folded.words[place:passed]]
            gaps += [(before[1], after[0]) for before, after in pairwise(words)]
    if not gaps:
        return Mended(text=text)
    edges = [0, *(edge for gap in gaps for edge in gap), len(text)]
    return Mended(text="".join(text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)), gaps=tuple(gaps))


@dataclass(frozen=True, kw_only=True)
class _Forms:
    """Parts of names in one word; handles, of several parts in one word; how any of them begins."""

    parts: frozenset[str]
    handles: frozenset[str]
    begun: frozenset[str]


@lru_cache(maxsize=8)
def _forms(names: Names) -> _Forms:
    every = (*names.person, *names.others)
    parts = frozenset(form for name in every for form in name.forms)
    handles = frozenset(form for name in every for form in name.joined) - parts
    long = [form for form in parts | handles if _SHORTEST <= len(form) <= _LONGEST]
    begun = frozenset(start for form in long for start in list(accumulate(form))[:-1])
    return _Forms(parts=parts, handles=handles, begun=begun)


def _end_of_name(folded: FoldedText, place: int, forms: _Forms) -> int:
    """Return the place of the last word of a name that begins at a place and is broken; the place itself if none."""
    joined, last = folded.words[place][0], place
    while joined in forms.begun and last + 1 < len(folded.words) and _is_break(_between(folded, last)):
        last += 1
        joined += folded.words[last][0]
        if _is_broken(folded, place, last, forms):
            return last
    return place


def _between(folded: FoldedText, place: int) -> str:
    return folded.text[folded.words[place][2] : folded.words[place + 1][1]]


def _is_break(text: str) -> bool:
    return text.isspace() and not _BREAKS.isdisjoint(text)


def _is_broken(folded: FoldedText, first: int, last: int, forms: _Forms) -> bool:
    """Say whether words are the pieces of one name, rather than words (`in May`, `a team`) or names of their own."""
    pieces = [word.removesuffix("'s") for word, _, _ in folded.words[first : last + 1]]
    joined = "".join(pieces)
    if joined in forms.handles:
        return len(joined) >= _SHORTEST and not any(
            piece in forms.parts or len(piece) == 1 for piece in pieces
        )  # Okafor, n.okafor@example.org
    if joined not in forms.parts or len(joined) < _SHORTEST or len(pieces) == len(joined):
        return False  # letters on lines of their own are refused by the check
    before = first > 0 and folded.words[first - 1][0] in forms.parts and _between(folded, first - 1) == " "
    behind = last + 1 < len(folded.words) and folded.words[last + 1][0] in forms.parts and _between(folded, last) == " "
    if before or behind:
        return True  # Jane Wood, ward
    # Half of a name can be read as a whole one: Jane Oka.
    common = [piece for piece in pieces if piece in forms.parts or _is_word(piece)]
    return not common or any(piece not in given_names() for piece in pieces if piece not in common)


def _is_word(text: str) -> bool:
    return text in name_words() or text in ordinary_words() or text in english_words() or is_no_name(text)
