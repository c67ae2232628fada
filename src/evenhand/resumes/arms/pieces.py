"""Which letters of a stretch of text are which part of the person's name, word by word and within words."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from evenhand.patterns import lazy_re
from evenhand.resumes.arms.own_name import GENERATIONS, WORD, Kind, OwnName, folded
from evenhand.resumes.names.own.evidence import OWN_NAME_WORDS

__all__ = ["Piece", "mentions", "pieces_in_run", "pieces_of", "with_particles"]

_SPACED = lazy_re(r"(?<![^\W_])[^\W\d_](?: [^\W\d_]){2,}(?![^\W_])")
_SHORTEST, _SHORT, _LONG = 2, 3, 4
#: Letters beside a name within a word that tell nothing: `wangxm`.
_FEW = 2


# The longest first, so that the same is found each time.
@cache
def _generic() -> list[str]:
    return sorted(OWN_NAME_WORDS.generic, key=lambda word: (-len(word), word))


_PARTS: tuple[Kind, ...] = ("first", "last", "rest")

#: Where a piece begins and ends in a word, its kind, and whether it is an initial.
Within = tuple[int, int, Kind, bool]


class Piece(NamedTuple):
    """Where a part of the name stands, which, and whether it is its first letter alone or spaced out.

    `mention` counts the mentions of the whole name in the stretch; None as `kind` is a word of no part.
    """

    start: int
    end: int
    kind: Kind | None
    initial: bool = False
    spaced: bool = False
    mention: int = 0


def pieces_of(text: str, own: OwnName) -> list[Piece]:
    """Return the parts of the name in a stretch that is a name.

    >>> from evenhand.resumes.arms.own_name import own_name
    >>> found = pieces_of("DOE, Jane A.", own_name([], ["Jane Doe"], []))
    >>> [(piece.kind, piece.initial) for piece in found]
    [('last', False), ('first', False), ('rest', True)]
    """
    return mentions(text, with_particles(text, [*_words(text, own)]), own)


def _words(text: str, own: OwnName) -> Iterator[Piece]:
    done = 0
    for spaced in _SPACED.finditer(text):
        yield from _plain_words(text, done, spaced.start(), own)
        begin = spaced.start()
        for start, end, kind, initial in pieces_in_run(spaced.group()[::2], own, initials=False):
            yield Piece(begin + 2 * start, begin + 2 * end - 1, kind, initial=initial, spaced=True)
        done = spaced.end()
    yield from _plain_words(text, done, len(text), own)


def _plain_words(text: str, begin: int, end: int, own: OwnName) -> Iterator[Piece]:
    for match in WORD.finditer(text, begin, end):
        word, low = match.group(), folded(match.group())
        bare = low[:-1].rstrip("'") if low.endswith("s") else ""
        if len(word) == 1:
            yield Piece(*match.span(), "rest", initial=True)
        elif low in own.kinds:
            yield Piece(*match.span(), own.kinds[low])
        elif low in GENERATIONS:
            yield Piece(*match.span(), "rest")
        elif bare in own.kinds:  # Jane's, the Okafors
            yield Piece(match.start(), match.end() - (2 if low[-2] == "'" else 1), own.kinds[bare])
        else:
            within = pieces_in_run(word, own) or _halves(word, own)
            if not within:
                yield Piece(*match.span(), None)
            for start, stop, kind, initial in within:
                yield Piece(match.start() + start, match.start() + stop, kind, initial=initial)


def _halves(word: str, own: OwnName) -> list[Within]:
    """Return the halves of a double word that are parts of the name or letters: `Doe-Smith`, `J-L`."""
    found: list[Within] = []
    at = 0
    for half in word.split("-"):
        kind = "rest" if len(half) == 1 else own.kinds.get(folded(half))
        if kind is not None:
            found.append((at, at + len(half), kind, len(half) == 1))
        at += len(half) + 1
    return found if "-" in word and any(not each[3] or len(found) > 1 for each in found) else []


def with_particles(text: str, pieces: list[Piece]) -> list[Piece]:
    """Return pieces in which particles are of the last name they stand before, and words otherwise."""
    found = pieces.copy()
    for place in range(len(found) - 1, -1, -1):
        piece = found[place]
        if piece.kind == "particle":
            follows = place + 1 < len(found) and found[place + 1].kind == "last" and not found[place + 1].initial
            near = follows and not any(map(str.isalnum, text[piece.end : found[place + 1].start]))
            found[place] = piece._replace(kind="last" if near else None)
    return found


def mentions(text: str, pieces: list[Piece], own: OwnName) -> list[Piece]:
    """Return pieces numbered by mention, in which each single letter is of a part."""
    found: list[Piece] = []
    shown: set[Kind] = set()
    mention = 0
    initials = own.initials
    for place, piece in enumerate(pieces):
        gap = text[found[-1].end : piece.start] if found else ""
        following = next((each.kind for each in pieces[place + 1 :] if not each.initial), None)
        kind = piece.kind
        letter = folded(text[piece.start : piece.end]) if piece.initial else ""
        again = kind in {"first", "last"} and kind in shown and not (found and found[-1].kind == kind)
        begins = letter == initials["first"] and {"first", "last"} <= shown and following == "last"
        if found and ("\n" in gap or "  " in gap or again or begins):
            mention, shown = mention + 1, set()
        if piece.initial and kind == "rest":
            if letter == initials["first"] and "first" not in shown:
                kind = "first"
            elif letter == initials["last"] and "last" not in shown and following != "last":
                kind = "last"
        if kind in {"first", "last"}:
            shown.add(kind)
        found.append(piece._replace(kind=kind, mention=mention))
    whole = {piece.mention for piece in found if piece.kind is not None and not piece.initial}
    letters = {piece.mention for piece in found if piece.kind is None} | whole
    found = [
        piece if piece.mention in whole or piece.mention not in letters else piece._replace(kind=None)
        for piece in found
    ]
    return _with_middle(text, found)


def _with_middle(text: str, pieces: list[Piece]) -> list[Piece]:
    """Return pieces in which a capitalised word between two parts of one mention is a middle name."""
    parts = [place for place, piece in enumerate(pieces) if piece.kind in {"first", "last"}]
    found = pieces.copy()
    for left, right in itertools.pairwise(parts):
        if pieces[left].mention == pieces[right].mention:
            for place in range(left + 1, right):
                if pieces[place].kind is None and text[pieces[place].start].isupper():
                    found[place] = pieces[place]._replace(kind="rest")
    return found


def pieces_in_run(word: str, own: OwnName, *, initials: bool = True) -> list[Within]:
    """Return the parts of the name that letters without a break are made of, nothing where they are a word.

    >>> from evenhand.resumes.arms.own_name import own_name
    >>> own = own_name([], ["Jane Doe"], [])
    >>> pieces_in_run("jdoe", own), pieces_in_run("DoeCV", own), pieces_in_run("doer", own)
    ([(0, 1, 'first', True), (1, 4, 'last', False)], [(0, 3, 'last', False)], [])
    """
    low = folded(word)
    if len(low) != len(word):
        return []
    words = [(form, kind) for form, kind in own.kinds.items() if len(form) >= _SHORTEST and form in low]
    words.sort(key=lambda each: -len(each[0]))
    whole = _covered(low, 0, words, own.initials, ())
    if whole is not None and (any(not each[3] for each in whole) or (initials and len(whole) > 1)):
        return whole
    return _beside_generic(low, words, own.initials) or _within(low, words, own.initials)


def _beside_generic(low: str, words: Sequence[tuple[str, Kind]], initials: Mapping[str, str]) -> list[Within]:
    """Return the parts that letters are made of but for a word that tells nothing: `janedoecv`, `iamjanedoe`."""
    for word in _generic() if words else ():
        for begin, end in ((0, len(low) - len(word)), (len(word), len(low))):
            beside = low[end:] or low[:begin]
            if beside == word and end - begin >= _LONG:
                found = _covered(low[begin:end], 0, words, initials, ())
                if found is not None and any(not each[3] for each in found):
                    return [(start + begin, stop + begin, kind, initial) for start, stop, kind, initial in found]
    return []


def _covered(
    low: str, at: int, words: Sequence[tuple[str, Kind]], initials: Mapping[str, str], used: tuple[str, ...]
) -> list[Within] | None:
    """Return the parts that letters are made of from a place on, each used once."""
    if at == len(low):
        return []
    for form, kind in words:
        if form not in used and low.startswith(form, at):
            rest = _covered(low, at + len(form), words, initials, (*used, form, f"-{kind}"))
            if rest is not None:
                return [(at, at + len(form), kind, False), *rest]
    for kind in _PARTS:
        if f"-{kind}" not in used and low[at] in initials[kind]:
            rest = _covered(low, at + 1, words, initials, (*used, f"-{kind}"))
            if rest is not None:
                return [(at, at + 1, kind, True), *rest]
    return None


def _within(low: str, words: Sequence[tuple[str, Kind]], initials: Mapping[str, str]) -> list[Within]:
    """Return a long part of the name within letters, beside an initial, a word that tells nothing, or very few."""
    for form, kind in words:
        start = low.find(form)
        end = start + len(form)
        at_edge = start == 0 or end == len(low)
        if kind == "particle" or len(form) < (_SHORT if at_edge else _LONG):
            continue
        left, right = low[:start], low[end:]
        found: list[Within] = [(start, end, kind, False)]
        others = [other for other in _PARTS[:2] if other != kind]
        if left and left in {initials[other] for other in others}:
            found.insert(0, (0, 1, others[0], True))
        elif not (not left or left in OWN_NAME_WORDS.generic or (len(left) <= _FEW and len(form) >= _LONG)):
            continue
        if right and right in {initials[other] for other in others}:
            found.append((end, end + 1, others[0], True))
        elif not (not right or right in OWN_NAME_WORDS.generic or (len(right) <= _FEW and len(form) >= _LONG)):
            continue
        return found
    return []
