"""Names that a line's end or a tab breaks within a word: `Quan` at the end of a line, `dahl` on the next."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from evenhand.resumes.names.lists import english_words, given_names, is_no_name, name_words, ordinary_words
from evenhand.resumes.names.parts import Names
from evenhand.resumes.text.folded_text import FoldedText, folded_text

__all__ = ["Mended", "mended"]

#: Shorter names arise from words that happen to follow each other.
_SHORTEST = 4
_BREAKS = frozenset("\n\t\r\v\f\u2028\u2029")


@dataclass(frozen=True, kw_only=True)
class Mended:
    """A text without the breaks within names, and where these stood in the text as it was, in order."""

    text: str
    gaps: tuple[tuple[int, int], ...] = ()

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return where a stretch, not empty, stands in the text as it was; breaks at its edges are left outside.

        >>> Mended(text="by Okafor", gaps=((5, 6),)).back(3, 9)
        (3, 10)
        """
        for gap, past in self.gaps:
            length = past - gap
            start += length if start >= gap else 0
            end += length if end > gap else 0
        return start, end


def mended(text: str, names: Names) -> Mended:
    r"""Return a text without the breaks that stand within names.

    >>> from evenhand.resumes.names.parts import name_of
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
    long = [form for form in parts | handles if len(form) >= _SHORTEST]
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
