"""Find where the names of a document are mentioned in a text.

Every token of a name is searched throughout: by itself, joined, spaced out. Tokens side by side, with initials,
particles, a nickname or a middle name among them, are one mention. A token that is also a word, a month, a place or a
tool counts only where it is used as a name.

Transcripts and hasty forms have no capitals. `with_capitals` adds them to frequent names, and to unknown words and
initials next to these.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout
from evenhand.masking.names import word_kinds
from evenhand.masking.names.mention_contexts import (
    GIVEN,
    MENTION_WORDS,
    OTHERS,
    OWN,
    STRICT,
    has_no_capitals,
    kind_of_token,
    stands_for_person,
)
from evenhand.masking.names.parts import AROUND_WORDS, PARTICLES, Name, Names
from evenhand.masking.names.prose import single_places
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re

#: Start and end of a token, and the token; "" for several written as one word.
Hit = tuple[int, int, str]

_GAPS = frozenset({" ", "-", ". ", "'"})
#: Scripts that set no blanks between words, or hang endings on names.
_UNSPACED = lazy_re(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_SURE_JOINED = 6
_PARTICLE = "|".join(sorted((re.escape(particle) for particle in PARTICLES), key=len, reverse=True))
_BETWEEN = lazy_re(
    r"[ \t]{0,4}\n?[ \t>]{0,4}|[ ]*[|\t][ ]*|;|[ \t]{2,40}|\.[ ]|[ ]{1,4}[A-Z][ ]?\.?[ ]{1,4}|,[ ]{0,2}\n?[ ]{0,2}|"
    r"[ ][a-z]\.[ ]|[-_./+]|\}[ ]?\{|%20|[ ]?,?[ ]?(?:[A-Z]\.?[ -]?){1,3}[ ]?"
    r"|[ ]?[\"'(]|[\"')],?[ ]|,?[ ]?[\"'(“][^\W\d_][\w' .-]{0,24}[\"')”],?[ ](?:[A-Z][\w'-]+[ ]){0,2}"
    rf"|[ ,_.-]*\n?[ \t>]*(?i:(?:{_PARTICLE})(?:[ _.'-]+|[ \t]*\n[ \t>]*)){{1,3}}|[ ](?:[A-Z][\w'-]+[ ]){{1,2}}"
    rf"|(?:[ \t]*[\n ][ \t>]*(?:[A-Z]\.?|[a-z]\.|(?i:{_PARTICLE}))){{1,4}}[ \t]*[\n ][ \t>]*"
    rf"|(?:[_.-]{{1,2}}(?:[A-Za-z]|(?i:{_PARTICLE}))){{1,3}}[_.-]{{1,2}}",
)
_LONGEST_GAP = 40
#: The most frequent gaps.
_JOINING = frozenset(" \n.-_")
_LONGEST_ACRONYM = 6


def with_capitals(folded: FoldedText) -> FoldedText:
    """Return a text without capitals with capitals for possible names, any other unchanged.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("i kept the books with amina kulkarni and dr. j. nowak of the mill. " * 4)
    >>> with_capitals(seen).text[:63]
    'i kept the books with Amina Kulkarni and dr. J. Nowak of the mi'
    """
    if not has_no_capitals(folded):
        return folded
    places = {
        place
        for word, found in folded.where.items()
        if (word in word_kinds.given_names() or word in word_kinds.surnames()) and _is_only_a_name(word)
        for place in found
    }
    for step in (-1, 1):
        reached = sorted(places, reverse=step < 0)
        for place in reached:  # grows while it is read
            if place + step not in places and _goes_with(folded, place, place + step):
                reached.append(place + step)
        places.update(reached)
    letters = list(folded.text)
    for place in places:
        start = folded.words[place][1]
        letters[start] = letters[start].upper()
    return replace(folded, text="".join(letters), capitals=sorted(places.union(folded.capitals)))


def _is_only_a_name(word: str) -> bool:
    return word_kinds.kind_of(word) == "name" and word not in word_kinds.english_words()


def _goes_with(folded: FoldedText, place: int, neighbour: int) -> bool:
    """Say whether a word next to a name is a part of it: unknown, or an initial."""
    if not 0 <= neighbour < len(folded.words):
        return False
    (_, _, before), (_, after, _) = (folded.words[at] for at in sorted((place, neighbour)))
    word, _, end = folded.words[neighbour]
    if folded.low[before:after] not in _GAPS:
        return False
    if len(word) == 1:
        return word.isalpha() and folded.low[end : end + 1] == "."
    return word.replace("'", "").replace("-", "").isalpha() and _is_only_a_name(word)


def name_mentions(folded: FoldedText, layout: Layout, names: Names, *, strict: bool = False) -> list[RuleMatch]:
    """Return the places of all names of a document.

    `strict`: a word of the person's name counts wherever it may be the name, however unlikely.
    """
    seen = with_capitals(folded) if names.others else folded
    alone = {name.tokens[0] for name in names.others if len(name.tokens) == 1}
    own = [place for name in names.person for place in _places(folded, layout, name, names, own=True, strict=strict)]
    others = [place for name in names.others for place in _places(seen, layout, name, names, own=False, strict=strict)]
    if alone:
        others += [place for place in single_places(seen) if folded.low[slice(*place)] in alone]
    return [
        RuleMatch(start=start, end=end, category="NAME", rule=rule, confidence=confidence)
        for places, rule, confidence in ((own, "person", 0.98), (others, "other person", 0.9))
        for start, end in places
    ]


def _places(
    folded: FoldedText, layout: Layout, name: Name, names: Names, *, own: bool, strict: bool
) -> Iterator[tuple[int, int]]:
    hits = _hits(folded, layout, name, own=own)
    place = 0
    while place < len(hits):
        begun = place
        start, end, token = hits[place]
        tokens = {token}
        place += 1
        while place < len(hits) and _belongs(folded, name, hits[place - 1], hits[place], tokens):
            end = hits[place][1]
            tokens.add(hits[place][2])
            place += 1
        if _is_words(folded, hits[begun:place], tokens):
            continue
        first, last, sure = _grown(folded, name, start, end)
        if folded.text[last : last + 1] == ")" and _OPEN_BRACKET.search(folded.text, first, last) is not None:
            last += 1  # Jane Roe (Janey)
        dated = sure and (token in MENTION_WORDS.closed_words or kind_of_token(token) == "month")  # may2019, an2024
        if len(tokens) == 1 and token and (not sure or dated):
            counts = _is_own if own else _is_another
            if not counts(folded, layout, (start, end, token), names, strict=strict):
                continue
        yield first, last


def _hits(folded: FoldedText, layout: Layout, name: Name, *, own: bool) -> list[Hit]:
    """Return the hits of a name's tokens, in the order of the text; none is inside another."""
    low, forms, joined_forms = folded.low, name.forms, name.joined
    hits = [*_token_hits(folded, name, own=own)]
    for joined in joined_forms if own else ():
        for start in _occurrences(low, joined):
            hits += _in_word(low, start, start + len(joined))
    for word, start, end in layout.spaced:
        if word in forms or word in joined_forms or word in name.particles:
            hits.append((start, end, forms.get(word, "" if word in joined_forms else word)))
    hits += [(start, end, forms[word]) for word, start, end in layout.broken if word in forms]
    accepted: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit[0], -hit[1])):
        if not accepted or hit[0] >= accepted[-1][1]:
            accepted.append(hit)
    return accepted


def _token_hits(folded: FoldedText, name: Name, *, own: bool) -> Iterator[Hit]:
    """Yield the hits of tokens by themselves, the person's also run together: JaneDoe, Kwok-leungTsui."""
    text = folded.text
    apart = {
        form.replace("'", mark).replace("-", mark): token
        for form, token in name.forms.items()
        if "'" in form or "-" in form
        for mark in (" ._" if own else " ")
    }
    for form, token in (*name.forms.items(), *apart.items()):
        anywhere = not form.isascii() and _UNSPACED.search(form) is not None
        for start in _occurrences(folded.low, form):
            end = start + len(form)
            before, after = text[start - 1 : start], text[end : end + 1]
            left = before.islower() and text[start].isupper() and not after.islower()
            right = text[end - 1].islower() and after.isupper() and not before.isalpha()
            if anywhere or not (before.isalpha() or after.isalpha()) or (own and len(form) > 1 and (left or right)):
                yield start, end, token


def _occurrences(text: str, part: str) -> Iterator[int]:
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + len(part))


#: Letters on either side of a joined name that may be one word with it.
_LONGEST_WORD = 80


def _in_word(low: str, start: int, end: int) -> list[Hit]:
    """Return the word that holds a joined name: any word for a long one, the name and digits otherwise."""
    joined, left, right = low[start:end], start, end
    while left and start - left < _LONGEST_WORD and low[left - 1].isalpha():
        left -= 1
    while right < len(low) and right - end < _LONGEST_WORD and low[right].isalpha():
        right += 1
    if (left, right) != (start, end) and (len(joined) < _SURE_JOINED or joined in MENTION_WORDS.common):
        return []
    while right < len(low) and low[right].isdigit():
        right += 1
    return [(left, right, "")]


_OPEN_BRACKET = lazy_re(r"\([^)]*$")


def _is_words(folded: FoldedText, hits: list[Hit], tokens: set[str]) -> bool:
    """Say whether tokens in small letters near each other are words only: a line goes on after them."""
    low, start, end = folded.low, hits[0][0], hits[-1][1]
    small = all(folded.text[begin:stop].islower() for begin, stop, _ in hits)
    if len(tokens) < 2 or not small or any(kind_of_token(token) in {None, "short"} for token in tokens):
        return False
    written = folded.text[start:end]
    goes_on = low[end : end + _LONGEST_GAP].partition("\n")[0].strip(" \t*#_|,.-") != ""
    return goes_on and " " in written and MENTION_WORDS.introduced.search(low, max(0, start - 20), start) is None


def _belongs(folded: FoldedText, name: Name, before: Hit, hit: Hit, tokens: set[str]) -> bool:
    if hit[0] - before[1] > _LONGEST_GAP:
        return False
    gap = folded.text[before[1] : hit[0]]
    if gap not in _JOINING and _BETWEEN.fullmatch(gap) is None:
        return False
    if (
        ("," in gap and (hit[2] in tokens or "" in tokens or not hit[2]))  # a list of mentions
        or (folded.text[before[0] : before[1]].islower() and before[2] == hit[2])  # Every summer Summer
        or (("\n" in gap or gap == ". ") and any(_is_word_in_small(folded, one) for one in (before, hit)))  # mark. Rich
        or (gap.split() == ["I"] and "i" not in name.initials)
    ):
        return False
    return hit[2] not in tokens or gap in {".", "_"} or (gap == " " and folded.text[hit[0]].isupper())  # Cruz Cruz


def _is_word_in_small(folded: FoldedText, hit: Hit) -> bool:
    return folded.text[hit[0]].islower() and kind_of_token(hit[2]) not in {None, "short"}


def _has_particles(added: str, name: Name) -> bool:
    return not name.particles.isdisjoint(re.split(r"[ _'>\s-]", added.lower()))


def _has_initials(added: str, name: Name) -> bool:
    """Say whether initials are the name's; dotted ones may be a middle name's."""
    letters = [letter in name.initials for letter in added.lower() if letter.isalpha()]
    return "." in added or (all(letters) if len(letters) > 1 else any(letters))


def _has_initial(added: str, name: Name) -> bool:
    return any(letter in name.initials for letter in added.lower() if letter.isalpha())


class _Neighbour(NamedTuple):
    """What goes with a name, with a capital or without, on its left or right side, and may make a word surely one."""

    pattern: re.Pattern[str]
    right: bool
    capital: bool | None
    sure: bool
    fits: Callable[[str, Name], bool] = lambda _added, _name: True


_NEIGHBOURS = (
    # Halves of a double name, and particles, also of a name that is cut off by a field or a column's width.
    _Neighbour(lazy_re(r"(?<![\w-])[A-Z][\w']+-$"), False, True, False),
    _Neighbour(lazy_re(r"-[A-Z][\w']+(?![\w-]{0,40}\d)"), True, True, False),
    _Neighbour(
        lazy_re(
            rf"(?<![^\W_])(?<!-)(?<!\w')(?:(?<=_)[a-z](?=(?:{_PARTICLE})_))?"
            rf"(?:(?:{_PARTICLE})(?:[ _'-]|[ ]?\n[ \t>]*)){{1,3}}$",
            re.IGNORECASE,
        ),
        *(False, None, True, _has_particles),
    ),
    _Neighbour(
        lazy_re(
            rf"(?i:(?: (?:{_PARTICLE})){{1,3}})(?=[ ]{{2}}|[ ]?[\n|;,.:)!?]|$)| (?=[A-Z])(?i:{_PARTICLE})(?= [a-z(])"
        ),
        *(True, True, True, _has_particles),
    ),
    # Initials, and given names that are written short.
    _Neighbour(
        lazy_re(r"(?<![\w.&])(?<!\w')(?:(?:[A-Z]\.(?:-?[a-z]\.)?[ -]{0,3}|[A-Z] |[A-Z]-[A-Z] ){1,3}|[A-Z]{2,3} )$"),
        *(False, True, True, _has_initials),
    ),
    _Neighbour(
        lazy_re(r"(?<![\w.&'-])(?:M(?:oh|uh)?d|Ma|F[crn][oa]|Wm|Chas|Geo|Thos|Jas|Jos|Robt|Edw)\.?[ ]$"),
        *(False, True, True),
    ),
    _Neighbour(
        lazy_re(
            r",? ?(?:[A-Z]\.[ -]?){1,3}(?![\w])(?<![ -])|,? ?(?:[A-Z]\.){1,3}(?![A-Z])"
            r"|,?(?: [A-Z](?![\w'.&+#/-])){1,3}|[ ][A-Z]{2,3}(?![\w'.&+#/-])"
        ),
        *(True, True, True, _has_initials),
    ),
    _Neighbour(lazy_re(r",? (?:Jr|Sr)\b\.?|,? (?:II|III|IV)\b"), True, True, False),
    _Neighbour(lazy_re(r"(?<![\w.@'&-])[a-z](?:[._-]|\. )$"), False, False, True, _has_initial),
    _Neighbour(lazy_re(r"[ ][b-hj-z](?=[,.;])|[._-][a-z](?![\w'-]|\.\w)"), True, False, True, _has_initial),
    _Neighbour(lazy_re(r"_[A-Za-z](?=[_.])"), True, None, False, _has_initial),
    # Digits of a user's name.
    _Neighbour(lazy_re(r"(?<=[^\W\d_])\d{2,8}(?![\d.])"), True, None, True),
    _Neighbour(lazy_re(r"(?<=[^\W\d_])\d(?![\d.])"), True, False, True),
    _Neighbour(lazy_re(r"(?<=[^\W\d_])\d(?![\d.])"), True, True, False),
)


_LINE_ENDS = frozenset({"", "\n"})


def _grown(folded: FoldedText, name: Name, start: int, end: int) -> tuple[int, int, bool]:
    """Return a place with the initials, particles and halves of a double name around it; whether they make it sure."""
    text, sure = folded.text, False
    capital = not text[start:end].islower() or not text[start].isascii()
    for pattern, right, wanted, makes_sure, fits in _NEIGHBOURS:
        if wanted not in {None, capital} or (fits is _has_particles and not name.particles):
            continue
        if fits is not _has_particles and (text[end : end + 1] if right else text[start - 1 : start]) in _LINE_ENDS:
            continue
        match = pattern.match(text, end) if right else pattern.search(text, max(0, start - 16), start)
        if match is None or not fits(match.group(), name) or text[match.start() : end] in MENTION_WORDS.compounds:
            continue
        start, end, sure = min(start, match.start()), max(end, match.end()), sure or makes_sure
    return start, end, sure


def _is_own(folded: FoldedText, layout: Layout, hit: Hit, names: Names, *, strict: bool) -> bool:
    """Say whether a single token of the person's name is that name at a place."""
    start, end, token = hit
    if _UNSPACED.search(token) is not None:
        return True
    kind = kind_of_token(token)
    if kind is None:
        # `San Jose`, `St. Louis` are towns.
        town = MENTION_WORDS.before_towns.search(folded.text, max(0, start - 7), start) is not None
        return (len(token) > 3 or not folded.text[start:end].islower()) and not town
    least = STRICT if strict else GIVEN if token in names.known else OWN
    return stands_for_person(folded, layout, (start, end), kind, least)


def _is_of_a_thing(text: str, start: int, end: int) -> bool:
    """Say whether a word is a firm's or a school's name, or an acronym: capitals among small letters."""
    if AROUND_WORDS.organisation_after.match(text, end) is not None:
        return True
    around = text[max(0, start - 24) : start] + text[end : end + 24]
    return end - start < _LONGEST_ACRONYM and text[start:end].isupper() and any(map(str.islower, around))


def _is_another(folded: FoldedText, layout: Layout, hit: Hit, _names: Names, *, strict: bool) -> bool:  # noqa: ARG001 - called like _is_own
    """Say whether a single token of another person's name is that name."""
    start, end, token = hit
    text, low = folded.text, folded.low
    if _UNSPACED.search(token) is not None or low[start - 1 : start] in _JOINED or low[end : end + 1] in _JOINED:
        return True
    if _is_of_a_thing(text, start, end) or not (text[start].isupper() or len(token) > 3):
        return False
    kind = "tool" if word_kinds.no_names().get(token) == "other" else word_kinds.name_words().get(token)
    if kind is None and len(token) > 2:
        return True
    return text[start].isupper() and stands_for_person(folded, layout, (start, end), kind or "word", OTHERS)


_JOINED = frozenset("_@")
