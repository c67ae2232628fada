"""Where the words of a name stand in a text: by themselves, joined, apart, in the plural, inside other words."""

from bisect import bisect_right
from collections.abc import Collection, Iterator

from evenhand.lexicons.known_names import name_places
from evenhand.patterns import lazy_re
from evenhand.resumes.names.kinds import kind_of
from evenhand.resumes.names.lists import given_names, surnames
from evenhand.resumes.names.parts import Name
from evenhand.resumes.names.standing.reading import kind_of_token
from evenhand.resumes.names.standing.sure_names import MENTION_WORDS
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["UNSPACED", "Hit", "hits_of", "with_initial"]

#: Where a token begins and ends, and the token; "" for several written as one word.
Hit = tuple[int, int, str]

#: Scripts that set no blanks between words, or hang endings on names.
UNSPACED = lazy_re(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_BEFORE_NAME = lazy_re(r"(?<![\w.@'&-])([a-z])[._-]\Z")
_BEHIND_NAME = lazy_re(r"[._-]([a-z])(?![\w'-]|\.\w)")
_INSIDE = frozenset(".-_@")


def hits_of(folded: FoldedText, layout: Layout, name: Name, *, known: frozenset[str], own: bool) -> list[Hit]:
    """Return where the tokens of a name stand, in the order of the text; none is inside another."""
    low = folded.low
    hits, words = _of_own(folded, name, known) if own else (_of_another(folded, name), "")
    hits += _set_apart(low, name, own=own)
    if own:
        hits += _in_the_plural(folded, name)
    for joined in name.joined if words else ():
        start = low.find(joined) if joined in words else -1
        while start >= 0:
            end = start + len(joined)
            hits += _in_word(low, start, end, whole=len(joined) >= 6 and joined not in MENTION_WORDS.common)
            start = low.find(joined, end)
    forms, joined_forms = name.forms, name.joined
    for word, start, end in layout.spaced:
        if word in forms or word in joined_forms or word in name.particles:
            hits.append((start, end, forms.get(word, "" if word in joined_forms else word)))
    hits += [(start, end, forms[word]) for word, start, end in layout.broken if word in forms]
    hits.sort(key=lambda hit: (hit[0], -hit[1]))
    kept: list[Hit] = []
    for hit in hits:
        if not kept or hit[0] >= kept[-1][1]:
            kept.append(hit)
    return kept


def _set_apart(low: str, name: Name, *, own: bool) -> Iterator[Hit]:
    """Yield where the halves of double tokens stand apart: `min ji`, the person's own as `min.ji` and `min_ji`, too."""
    for form, token in name.forms.items():
        if "'" in form or "-" in form:
            for mark in (" ", ".", "_") if own else (" ",):
                apart = form.replace("'", mark).replace("-", mark)
                yield from ((start, start + len(apart), token) for start in name_places(low, apart))


def _of_another(folded: FoldedText, name: Name) -> list[Hit]:
    """Return where tokens of another person's name stand by themselves."""
    low, hits = folded.low, []
    for form, token in name.forms.items():
        alone = folded.where.get(form, ())
        if form.isascii() and low.count(form) == len(alone):
            hits += [(start, end, token) for _, start, end in map(folded.words.__getitem__, alone)]
        elif form in low:
            found = name_places(low, form) if form.isascii() or UNSPACED.search(form) is None else _anywhere(low, form)
            hits += [(start, start + len(form), token) for start in found]
    return hits


def _of_own(folded: FoldedText, name: Name, known: frozenset[str]) -> tuple[list[Hit], str]:
    """Return where tokens of the person's name stand, and all words that hold one beside other letters.

    They stand by themselves, run together with capitals or in a user's name: JaneDoe, Kwok-leungTsui, thedoe;
    a long word of a known name inside any word in small letters that is none itself: okaforcv, drokafor.
    """
    text, low = folded.text, folded.low
    hits: list[Hit] = []
    holding: set[str] = set()
    for form, token in name.forms.items():
        anywhere = not form.isascii() and UNSPACED.search(form) is not None
        start = low.find(form)
        while start >= 0:
            end = start + len(form)
            before, after = text[start - 1 : start], text[end : end + 1]
            if anywhere or not (before.isalpha() or after.isalpha()):
                hits.append((start, end, token))
            elif len(form) > 1:
                word, begin, stop = folded.words[bisect_right(folded.starts, start) - 1]
                holding.add(word)
                small = len(form) >= _SHORTEST_INSIDE and text[begin:stop].islower()
                if token in known and small and _is_made_with(word, form):
                    hits.append((begin, stop, ""))
                left = before.islower() and text[start].isupper()
                right = text[end - 1].islower() and after.isupper()
                if (left and not after.islower()) or (right and not before.isalpha()):
                    hits.append((start, end, token))
            start = low.find(form, end)
    return hits, " ".join(holding)


def _is_made_with(word: str, form: str) -> bool:
    """Say whether a word with a name inside is neither an ordinary one nor another name: `okaforcv`, not `johnsons`.

    In the middle of a word a name counts beside a title, digits and the like alone: `mrokaforjr`.

    >>> [_is_made_with(*each) for each in (("okaforcv", "okafor"), ("martinez", "martin"), ("abnormal", "norma"))]
    [True, False, False]
    >>> [_is_made_with(word, "okafor") for word in ("mrokaforjr", "cvokafor2023", "exokafored")]
    [True, True, False]
    """
    if kind_of_token(form) is not None or kind_of_token(word) is not None:
        return False
    before, _, after = (part.strip("0123456789_") for part in word.partition(form))
    if before and after and before not in MENTION_WORDS.before_names:
        return False
    return word.removesuffix("s") != form and word not in surnames() and word not in given_names()


_SHORTEST_INSIDE = 5


def _in_the_plural(folded: FoldedText, name: Name) -> Iterator[Hit]:
    """Yield where there are several of a name: `one of two Hectors`, `the Okafors`."""
    for token in name.tokens:
        plural = f"{token}s"
        if len(token) < _SHORTEST_PLURAL or plural not in folded.where:
            continue
        for place in folded.where[plural]:
            _, start, end = folded.words[place]
            counted = MENTION_WORDS.counted.search(folded.low, max(0, start - 16), start) is not None
            capital, clear = folded.text[start].isupper(), kind_of_token(token) is None
            if (counted and (capital or clear)) or (capital and clear and kind_of(plural) == "name"):
                yield start, end, token


_SHORTEST_PLURAL = 3


def _anywhere(low: str, form: str) -> Iterator[int]:
    place = low.find(form)
    while place >= 0:
        yield place
        place = low.find(form, place + len(form))


def _in_word(low: str, start: int, end: int, *, whole: bool) -> list[Hit]:
    """Return the word that holds a joined name: any word for a whole name, the name and digits otherwise."""
    left, right = start, end
    while left and low[left - 1].isalpha():
        left -= 1
    while right < len(low) and low[right].isalpha():
        right += 1
    if (left, right) != (start, end) and not whole:
        return []
    while right < len(low) and low[right].isdigit():
        right += 1
    return [(left, right, "")]


def with_initial(low: str, start: int, end: int, initials: Collection[str]) -> tuple[int, int] | None:
    """Return where a name in small letters and an initial that a mark joins to it stand: `o-street`, `grace.h`.

    >>> with_initial("pushed by o-street", 12, 18, {"o"}), with_initial("an x-ray", 5, 8, {"x"})
    ((10, 18), None)
    """
    before = _BEFORE_NAME.search(low, max(0, start - 3), start)
    if before is not None and before.group(1) in initials and low[before.start() : end] not in MENTION_WORDS.compounds:
        return before.start(), end
    behind = _BEHIND_NAME.match(low, end)
    if behind is not None and behind.group(1) in initials and low[start - 1 : start] not in _INSIDE:
        return start, behind.end()
    return None
