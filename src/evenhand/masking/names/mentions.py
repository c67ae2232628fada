"""Find where the names of a document are mentioned in a text.

Every token of a name is searched throughout: by itself, joined, spaced out, in the plural, inside other
words. Tokens side by side, with initials, particles, a nickname or a middle name among them, are one
mention. A token that is also a word, a month, a place or a tool counts only where it is used as a name.

Transcripts and hasty forms have no capitals. `with_capitals` adds them to frequent names, and to unknown
words, initials and titles next to these.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache

from evenhand.data.lexicons.known_names import name_places
from evenhand.masking.folded_text import FoldedText, word_list
from evenhand.masking.layout import Layout
from evenhand.masking.names import mention_contexts, word_kinds
from evenhand.masking.names.parts import AROUND_WORDS, PARTICLES, Name, Names
from evenhand.masking.names.prose import single_places
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re

_LEAST_WORDS = 40
#: The largest share of words with a capital in a text without capitals.
_SHARE = 0.02
_TITLES = word_list({"mr", "mrs", "ms", "mx", "miss", "dr", "prof", "professor", "sir", "rev", "judge"})
_GAPS = frozenset({" ", "-", ". ", "'"})
_INITIAL_ENDS = lazy_re(r"\.|[,;)\n]|$")


def has_no_capitals(folded: FoldedText) -> bool:
    """Say whether a text, not a short one, has so few capitals that a small letter is no evidence."""
    return len(folded.words) >= _LEAST_WORDS and len(folded.capitals) <= _SHARE * len(folded.words)


def with_capitals(folded: FoldedText) -> FoldedText:
    """Return a text without capitals with capitals for possible names, any other unchanged.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = folded_text("i kept the books with amina kulkarni and dr. j. nowak of the mill. " * 4)
    >>> with_capitals(seen).text[:63]
    'i kept the books with Amina Kulkarni and Dr. J. Nowak of the mi'
    """
    if not has_no_capitals(folded):
        return folded
    words = folded.words
    places = _names(folded)
    if not places:
        return folded
    letters = list(folded.text)
    for place in places:
        start = words[place][1]
        letters[start] = letters[start].upper()
    return replace(folded, text="".join(letters), capitals=sorted(places.union(folded.capitals)))


def _names(folded: FoldedText) -> set[int]:
    """Return the places of words that may be part of a name."""
    words = folded.words
    listed = frozenset(word for word in folded.where if _is_frequent(word))
    places = set(folded.places(listed))
    places |= _cued_places(folded)
    for step in (-1, 1):
        for place in sorted(places, reverse=step < 0):
            neighbour = place + step
            while (
                0 <= neighbour < len(words)
                and neighbour not in places
                and _goes_with(folded, min(neighbour, neighbour - step), neighbour)
            ):
                places.add(neighbour)
                neighbour += step
    return places


def _cued_places(folded: FoldedText) -> set[int]:
    """Return the places of words in a name's position: after a title or a cue, before an initial."""
    words, low = folded.words, folded.low
    places = set()
    for place in folded.places(_TITLES):
        for near in range(place + 1, min(place + 3, len(words))):
            word, start, _ = words[near]
            if low[words[near - 1][2] : start] not in {" ", ". "} or word_kinds.kind_of(word) not in {"name", "word"}:
                break
            if word in mention_contexts.MENTION_WORDS.no_names_here or (
                near > place + 1 and word not in word_kinds.surnames() and word_kinds.kind_of(word) == "word"
            ):
                break
            places.add(near)
    for place in folded.places(_cues()):
        if place + 2 < len(words) and _is_pair(folded, place):
            places |= {place + 1, place + 2}
    for match in _INVERTED.finditer(low):
        for at in (match.start(1), match.start(2)):
            place = bisect_left(folded.starts, at)
            if place < len(words) and words[place][1] == at:
                places.add(place)
    return places


def _is_pair(folded: FoldedText, place: int) -> bool:
    """Say whether a frequent given name and a frequent surname follow a word, words as well, and nothing with them."""
    low = folded.low
    (_, _, before), (first, start, end), (last, begin, stop) = folded.words[place : place + 3]
    apart = low[before:start] in _BEFORE_PAIR and low[end:begin] == " " and low[stop : stop + 1] in _PAIR_ENDS
    return (
        apart
        and first in word_kinds.given_names()
        and last in word_kinds.surnames()
        and first not in mention_contexts.MENTION_WORDS.no_names_here
    )


#: `roe, a., lee, b.`: in lists of authors.
_INVERTED = lazy_re(r"(?<![\w'-])([a-z][\w'-]{1,20}), ([a-z])\.(?=,| &| and [a-z]| \()")


@cache
def _cues() -> frozenset[str]:
    return word_list(mention_contexts.MENTION_WORDS.cues)


_BEFORE_PAIR = frozenset({" ", ": ", " ("})
_PAIR_ENDS = frozenset({",", ".", ")", "\n", "", " ", ";"})


def _goes_with(folded: FoldedText, first: int, place: int) -> bool:
    """Say whether a word next to a name is a part of it: unknown, a name as well, an initial, a title."""
    words, low = folded.words, folded.low
    if low[words[first][2] : words[first + 1][1]] not in _GAPS:
        return False
    word, start, end = words[place]
    if len(word) == 1:
        return word.isalpha() and word != "i" and (low[end : end + 1] == "." or (place > first and _ends(low, end)))
    if word in _TITLES:
        return place == first
    if (
        word in mention_contexts.MENTION_WORDS.no_names_here
        or not start
        or not word.replace("'", "").replace("-", "").isalpha()
    ):
        return False
    kind = word_kinds.kind_of(word)
    if kind == "name":
        return word not in word_kinds.english_words()
    return kind in {"word", "other"} and (word in word_kinds.given_names() or word in word_kinds.surnames())


def _ends(low: str, end: int) -> bool:
    return _INITIAL_ENDS.match(low, end) is not None


def _is_frequent(word: str) -> bool:
    return (
        (word in word_kinds.given_names() or word in word_kinds.surnames())
        and word_kinds.kind_of(word) == "name"
        and word not in word_kinds.english_words()
    )


#: Start and end of a token, and the token; "" for several written as one word.
Hit = tuple[int, int, str]

#: Scripts that set no blanks between words, or hang endings on names.
UNSPACED = lazy_re(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_BEFORE_NAME = lazy_re(r"(?<![\w.@'&-])([a-z])[._-]\Z")
_BEHIND_NAME = lazy_re(r"[._-]([a-z])(?![\w'-]|\.\w)")
_INSIDE = frozenset(".-_@")


def hits_of(folded: FoldedText, layout: Layout, name: Name, *, known: frozenset[str], own: bool) -> list[Hit]:
    """Return the hits of a name's tokens, in the order of the text; none is inside another."""
    low = folded.low
    hits, words = _own_name_hits(folded, name, known) if own else (_of_another(folded, name), "")
    hits += _set_apart(low, name, own=own)
    if own:
        hits += _in_the_plural(folded, name)
    for joined in name.joined if words else ():
        start = low.find(joined) if joined in words else -1
        while start >= 0:
            end = start + len(joined)
            hits += _in_word(
                low, start, end, whole=len(joined) >= 6 and joined not in mention_contexts.MENTION_WORDS.common
            )
            start = low.find(joined, end)
    forms, joined_forms = name.forms, name.joined
    for word, start, end in layout.spaced:
        if word in forms or word in joined_forms or word in name.particles:
            hits.append((start, end, forms.get(word, "" if word in joined_forms else word)))
    hits += [(start, end, forms[word]) for word, start, end in layout.broken if word in forms]
    hits.sort(key=lambda hit: (hit[0], -hit[1]))
    accepted: list[Hit] = []
    for hit in hits:
        if not accepted or hit[0] >= accepted[-1][1]:
            accepted.append(hit)
    return accepted


def _set_apart(low: str, name: Name, *, own: bool) -> Iterator[Hit]:
    """Yield the hits of double tokens with their halves apart: `min ji`; the person's also as `min.ji`, `min_ji`."""
    for form, token in name.forms.items():
        if "'" in form or "-" in form:
            for mark in (" ", ".", "_") if own else (" ",):
                apart = form.replace("'", mark).replace("-", mark)
                yield from ((start, start + len(apart), token) for start in name_places(low, apart))


def _of_another(folded: FoldedText, name: Name) -> list[Hit]:
    """Return the hits of another person's name as whole words."""
    low, hits = folded.low, []
    for form, token in name.forms.items():
        alone = folded.where.get(form, ())
        if form.isascii() and low.count(form) == len(alone):
            hits += [(start, end, token) for _, start, end in map(folded.words.__getitem__, alone)]
        elif form in low:
            places = name_places(low, form) if form.isascii() or UNSPACED.search(form) is None else _anywhere(low, form)
            hits += [(start, start + len(form), token) for start in places]
    return hits


def _own_name_hits(folded: FoldedText, name: Name, known: frozenset[str]) -> tuple[list[Hit], str]:
    """Return the hits of the person's name, and all words that hold a token among other letters.

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
                if token in known and small and _is_name_compound(word, form):
                    hits.append((begin, stop, ""))
                left = before.islower() and text[start].isupper()
                right = text[end - 1].islower() and after.isupper()
                if (left and not after.islower()) or (right and not before.isalpha()):
                    hits.append((start, end, token))
            start = low.find(form, end)
    return hits, " ".join(holding)


def _is_name_compound(word: str, form: str) -> bool:
    """Say whether a word with a name inside is neither an ordinary one nor another name: `okaforcv`, not `johnsons`.

    In the middle of a word a name counts only next to a title, digits and the like: `mrokaforjr`.

    >>> [_is_name_compound(*pair) for pair in (("okaforcv", "okafor"), ("martinez", "martin"), ("abnormal", "norma"))]
    [True, False, False]
    >>> [_is_name_compound(word, "okafor") for word in ("mrokaforjr", "cvokafor2023", "exokafored")]
    [True, True, False]
    """
    if mention_contexts.kind_of_token(form) is not None or mention_contexts.kind_of_token(word) is not None:
        return False
    before, _, after = (part.strip("0123456789_") for part in word.partition(form))
    if before and after and before not in mention_contexts.MENTION_WORDS.before_names:
        return False
    return word.removesuffix("s") != form and word not in word_kinds.surnames() and word not in word_kinds.given_names()


_SHORTEST_INSIDE = 5


def _in_the_plural(folded: FoldedText, name: Name) -> Iterator[Hit]:
    """Yield where there are several of a name: `one of two Hectors`, `the Okafors`."""
    for token in name.tokens:
        plural = f"{token}s"
        if len(token) < _SHORTEST_PLURAL or plural not in folded.where:
            continue
        for place in folded.where[plural]:
            _, start, end = folded.words[place]
            counted = mention_contexts.MENTION_WORDS.counted.search(folded.low, max(0, start - 16), start) is not None
            capital, clear = folded.text[start].isupper(), mention_contexts.kind_of_token(token) is None
            if (counted and (capital or clear)) or (capital and clear and word_kinds.kind_of(plural) == "name"):
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
    """Return the place of a name in small letters with an initial that a mark joins to it: `o-street`, `grace.h`.

    >>> with_initial("pushed by o-street", 12, 18, {"o"}), with_initial("an x-ray", 5, 8, {"x"})
    ((10, 18), None)
    """
    before = _BEFORE_NAME.search(low, max(0, start - 3), start)
    if (
        before is not None
        and before.group(1) in initials
        and low[before.start() : end] not in mention_contexts.MENTION_WORDS.compounds
    ):
        return before.start(), end
    behind = _BEHIND_NAME.match(low, end)
    if behind is not None and behind.group(1) in initials and low[start - 1 : start] not in _INSIDE:
        return start, behind.end()
    return None


_PARTICLE = "|".join(sorted((re.escape(particle) for particle in PARTICLES), key=len, reverse=True))
_BETWEEN = lazy_re(
    r"[ \t]{0,4}\n?[ \t>]{0,4}|[ ]*[|\t][ ]*|;|[ \t]{2,40}|\.[ ]|[ ]{1,4}[A-Z][ ]?\.?[ ]{1,4}|,[ ]{0,2}\n?[ ]{0,2}|"
    r"[ ][a-z]\.[ ]|[-_./+]|\}[ ]?\{|%20|[ ]?,?[ ]?(?:[A-Z]\.?[ -]?){1,3}[ ]?"
    r"|[ ]?[\"'(]|[\"')],?[ ]|,?[ ]?[\"'(“][^\W\d_][\w' .-]{0,24}[\"')”],?[ ](?:[A-Z][\w'-]+[ ]){0,2}"
    rf"|[ ,_.-]*\n?[ \t>]*(?i:(?:{_PARTICLE})(?:[ _.'-]+|[ \t]*\n[ \t>]*)){{1,3}}|[ ](?:[A-Z][\w'-]+[ ]){{1,2}}"
    rf"|(?:[ \t]*[\n ][ \t>]*(?:[A-Z]\.?|[a-z]\.|(?i:{_PARTICLE}))){{1,4}}[ \t]*[\n ][ \t>]*"
    rf"|(?:[_.-]{{1,2}}(?:[A-Za-z]|(?i:{_PARTICLE}))){{1,3}}[_.-]{{1,2}}",
)
_LEFT_INITIALS = lazy_re(
    r"(?<![\w.&])(?<!\w')(?:(?:[A-Z]\.(?:-?[a-z]\.)?[ -]{0,3}|[A-Z] |[A-Z]-[A-Z] ){1,3}|[A-Z]{2,3} )$"
)
_FILED_INITIAL = rf"(?:(?<=_)[a-z](?=(?:{_PARTICLE})_))?"
_LEFT_PARTICLES = lazy_re(
    rf"(?<![^\W_])(?<!-)(?<!\w'){_FILED_INITIAL}(?:(?:{_PARTICLE})(?:[ _'-]|[ ]?\n[ \t>]*)){{1,3}}$", re.IGNORECASE
)
#: A name cut off by a field, a column's width or a line: `Given names: Nurul binti`.
_RIGHT_PARTICLES = lazy_re(rf"(?: (?:{_PARTICLE})){{1,3}}(?=[ ]{{2}}|[ ]?[\n|;]|$)", re.IGNORECASE)
_CAPITAL_PARTICLE = lazy_re(rf" (?=[A-Z])(?:(?i:{_PARTICLE}))(?=[ ][a-z(]|[,.;:)!?])")
_SMALL_INITIAL = lazy_re(r"(?<![\w.'&])([a-z])\.[ ]$")
_SMALL_AFTER = lazy_re(r"[ ]([b-hj-z])(?=[,.;])")
#: An initial after a surname in a file name: `Roe_A_CV.pdf`.
_FILED = lazy_re(r"_([a-z])(?=[_.])")
_RIGHT_INITIALS = lazy_re(
    r",? ?(?:[A-Z]\.[ -]?){1,3}(?![\w])(?<![ -])|,? ?(?:[A-Z]\.){1,3}(?![A-Z])|,?(?: [A-Z](?![\w'.&+#/-])){1,3}"
    r"|[ ][A-Z]{2,3}(?![\w'.&+#/-])"
)
_GENERATION = lazy_re(r",? (?:Jr|Sr)\b\.?|,? (?:II|III|IV)\b")
_LEFT_HALF = lazy_re(r"(?<![\w-])[A-Z][\w']+-$")
_RIGHT_HALF = lazy_re(r"-[A-Z][\w']+(?![\w-]*\d)")
_LONGEST_GAP = 40
#: The most frequent gaps.
_JOINING = frozenset(" \n.-_")
_ATTACHED = lazy_re(r"\d{1,8}(?![\d.])")


def name_mentions(folded: FoldedText, layout: Layout, names: Names, *, strict: bool = False) -> list[RuleMatch]:
    """Return the places of all names of a document.

    A word of a known name is the name wherever it has a capital, or is in a text without any, if only it may be;
    a word of another sure name where that is likely. `strict`: both wherever they may be, however unlikely.
    """
    matches: list[RuleMatch] = []
    seen = with_capitals(folded) if names.others else folded
    for view, names_of_kind, rule, confidence in (
        (folded, names.person, "person", 0.98),
        (seen, names.others, "other person", 0.9),
    ):
        for name in names_of_kind:
            places = _places(view, layout, name, own=rule == "person", names=names, strict=strict)
            matches += [
                RuleMatch(start=start, end=end, category="NAME", rule=rule, confidence=confidence)
                for start, end in places
            ]
    alone = {name.tokens[0] for name in names.others if len(name.tokens) == 1}
    if alone:
        matches += [
            RuleMatch(start=start, end=end, category="NAME", rule="other person", confidence=0.9)
            for start, end in single_places(seen)
            if folded.low[start:end] in alone
        ]
    return matches


def _places(
    folded: FoldedText, layout: Layout, name: Name, *, own: bool, names: Names, strict: bool
) -> Iterable[tuple[int, int]]:
    sure, names_to_mask = names.sure, names.sure if strict else names.known
    hits = hits_of(folded, layout, name, known=names.known if own else frozenset(), own=own)
    unclear: list[tuple[int, int, str]] = []
    alone: set[str] = set()
    place = 0
    while place < len(hits):
        start, end, token = hits[place]
        tokens = {token}
        place += 1
        while place < len(hits) and _belongs(folded, hits[place - 1], end, hits[place], tokens):
            end = max(end, hits[place][1])
            tokens.add(hits[place][2])
            place += 1
        whole = len(tokens) > 1 and sure.issuperset(tokens) and tokens.issuperset((name.tokens[0], name.tokens[-1]))
        if _is_words(folded, start, end, tokens, whole=whole, known=names.known.issuperset(tokens)):
            continue
        grown = _grown(folded, name, start, end)
        if len(tokens) > 1 or "" in tokens or grown.sure:
            yield grown.start, grown.end
            continue
        if own and token in names_to_mask and _may_be_the_name(folded, start, end, token, strict=strict):
            counts: bool | None = True
        else:
            counts = _counts_alone(folded, layout, start, end, token, own=own, given=token in sure)
        if counts is None:
            unclear.append((grown.start, grown.end, token))
        elif counts:
            alone.add(token)
            yield grown.start, grown.end
    yield from ((start, end) for start, end, token in unclear if token in alone)


def _may_be_the_name(folded: FoldedText, start: int, end: int, token: str, *, strict: bool) -> bool:
    """Say whether a word may be the name at all: it has a capital, or none has one, no date or the like after it."""
    kind = mention_contexts.kind_of_token(token)
    if kind is None or not (folded.text[start].isupper() or has_no_capitals(folded)):
        return False
    return mention_contexts.is_possible(folded.text, start, end, kind, strict=strict)


#: The text behind a whole name after a label: `from: may tan <`.
_APART = lazy_re(r"[ \t|,;.]*(?:$|[<(\[\n])")


def _is_words(folded: FoldedText, start: int, end: int, tokens: set[str], *, whole: bool, known: bool) -> bool:
    """Say whether tokens in small letters side by side are words only; not where a whole line is the name.

    The whole of a sure name is the name in a line without capitals, of a known one in any, but for `will chase`.
    """
    if len(tokens) < 2 or "" in tokens or not folded.text[start:end].islower():
        return False
    if mention_contexts.is_introduced(folded.low, start):
        return False
    if any(part and mention_contexts.kind_of_token(part) in {None, "short"} for part in tokens):
        return False
    written = folded.text[start:end]
    if (whole and " " not in written) or (known and written.replace(".", "").replace("_", "").isalpha()):
        return False  # ruby-page, min.ji.park
    low = folded.low
    first, last = low.rfind("\n", 0, start) + 1, low.find("\n", end)
    last = last if last >= 0 else len(low)
    modal = low.startswith(("will ", "may ", "can "), start) and low[end + 1 : end + 2].isalpha()
    left = low[first:start].rstrip()
    labelled = left.endswith((":", "signed")) and _APART.match(low, end, last) is not None
    if whole and (labelled or left.endswith(': "') or (not modal and (known or folded.text[first:last].islower()))):
        return False
    return bool((low[first:start] + low[end:last]).strip(" \t*#_|,.-"))


def _belongs(folded: FoldedText, before: Hit, end: int, hit: Hit, tokens: set[str]) -> bool:
    if hit[0] - end > _LONGEST_GAP:
        return False
    gap = folded.text[end : hit[0]]
    if gap not in _JOINING and _BETWEEN.fullmatch(gap) is None:
        return False
    if "," in gap and (hit[2] in tokens or "" in tokens or not hit[2]):
        return False  # a list of mentions
    if folded.text[before[0] : before[1]].islower() and before[2] == hit[2]:
        return False  # Every summer Summer
    return hit[2] not in tokens or gap in {".", "_"} or (gap == " " and folded.text[hit[0]].isupper())  # Cruz Cruz


class _Grown:
    __slots__ = ("end", "start", "sure")

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end, self.sure = start, end, False


def _grown(folded: FoldedText, name: Name, start: int, end: int) -> _Grown:  # noqa: C901, PLR0912 - one step per kind of neighbour
    """Return a place with the initials, particles and halves of a double name around it."""
    text, low = folded.text, folded.low
    grown = _Grown(start, end)
    capital = not text[start:end].islower() or not text[start].isascii()
    if not capital:
        others = {token[0] for token in name.tokens if token != low[start:end]}
        if (joined := with_initial(low, start, end, others)) is not None:
            grown.start, grown.end, grown.sure = *joined, True
            return grown
    if capital:
        if text[start - 1 : start] == "-" and (half := _LEFT_HALF.search(text, max(0, start - 24), start)) is not None:
            grown.start = half.start()
        if text[end : end + 1] == "-" and (half := _RIGHT_HALF.match(text, end)) is not None:
            grown.end = half.end()
    if name.particles:
        particles = _LEFT_PARTICLES.search(text, max(0, grown.start - 20), grown.start)
        parts = re.split(r"[ _'>\s-]", particles.group().lower()) if particles is not None else ()
        if particles is not None and not name.particles.isdisjoint(parts):
            grown.start, grown.sure = particles.start(), True
        after = _RIGHT_PARTICLES.match(text, grown.end) if capital else None
        if after is not None and name.particles.issuperset(after.group().lower().split()):
            grown.end, grown.sure = after.end(), True
        part = _CAPITAL_PARTICLE.match(text, grown.end) if capital else None
        if part is not None and text[start : part.end()].lower() in name.text.lower():
            grown.end, grown.sure = part.end(), True  # 'Le Van spent seven years', of Le Van Phuc
    if capital:
        before = text[max(0, grown.start - 4) : grown.start].rstrip(" -")
        if before.endswith(".") or before[-1:].isupper():
            initials = _LEFT_INITIALS.search(text, max(0, grown.start - 10), grown.start)
            if initials is not None and _fits(initials.group(), name):
                grown.start, grown.sure = initials.start(), True
        abbreviated = mention_contexts.MENTION_WORDS.left_abbreviated.search(text, max(0, grown.start - 6), grown.start)
        if abbreviated is not None:
            grown.start, grown.sure = abbreviated.start(), True
        if text[grown.end : grown.end + 3].lstrip(" ,")[:1].isupper():
            initials = _RIGHT_INITIALS.match(text, grown.end)
            if initials is not None and _fits(initials.group(), name):
                grown.end, grown.sure = initials.end(), True
            generation = _GENERATION.match(text, grown.end)
            if generation is not None:
                grown.end = generation.end()
    elif (
        text[start - 2 : start] == ". "
        and (initial := _SMALL_INITIAL.search(low, max(0, start - 4), start))
        and initial.group(1) in name.initials
    ):
        grown.start, grown.sure = initial.start(), True
    elif (initial := _SMALL_AFTER.match(low, end)) is not None and initial.group(1) in name.initials:
        grown.end, grown.sure = initial.end(), True  # 'castell j, roe b. on fog'
    if low[end : end + 1] == "_" and (initial := _FILED.match(low, end)) and initial.group(1) in name.initials:
        grown.end = initial.end()
    if end < len(low) and low[end].isdigit() and low[end - 1].isalpha():
        digits = _ATTACHED.match(low, end)
        if digits is not None:
            grown.end, grown.sure = digits.end(), len(digits.group()) > 1 or low[start:end] == text[start:end]
    return grown


def _fits(initials: str, name: Name) -> bool:
    """Say whether initials are the name's; dotted ones may be a middle name's."""
    letters = [letter.lower() for letter in initials if letter.isalpha()]
    if len(letters) > 1 and "." not in initials:
        return all(letter in name.initials for letter in letters)
    if any(letter in name.initials for letter in letters):
        return True
    return "." in initials


def _counts_alone(
    folded: FoldedText, layout: Layout, start: int, end: int, token: str, *, own: bool, given: bool
) -> bool | None:
    """Say whether a single token at a place is the name; None where it can be a word as well."""
    written = folded.text[start:end]
    if UNSPACED.search(token) is not None:
        return True
    if not own:
        return _counts_as_other(folded, layout, start, end, token)
    kind = mention_contexts.kind_of_token(token)
    if kind is None:
        return (len(token) > 3 or not written.islower()) and not _names_a_place(folded.text, start)
    for_person = mention_contexts.stands_for_person(folded, layout, start, end, kind, given=given)
    open_to_weights = for_person is not True and given and (written[0].isupper() or has_no_capitals(folded))
    return True if open_to_weights and mention_contexts.is_likely(folded.text, start, end, kind) else for_person


def _names_a_place(text: str, start: int) -> bool:
    """Say whether the word before makes a name a town: `San Jose`, `St. Louis`."""
    return mention_contexts.MENTION_WORDS.before_towns.search(text, max(0, start - 7), start) is not None


_LONGEST_ACRONYM = 6


def _is_of_a_thing(text: str, start: int, end: int) -> bool:
    """Say whether a word is a firm's or a school's name, or an acronym: capitals among small letters."""
    if AROUND_WORDS.organisation_after.match(text, end) is not None:
        return True
    around = text[max(0, start - 24) : start] + text[end : end + 24]
    return end - start < _LONGEST_ACRONYM and text[start:end].isupper() and any(map(str.islower, around))


def _counts_as_other(folded: FoldedText, layout: Layout, start: int, end: int, token: str) -> bool:
    """Say whether a single token of another person's name is that name."""
    text = folded.text
    if word_kinds.no_names().get(token) == "other":
        return word_kinds.is_used_as_name(folded, layout, start, end, "tool")
    kind, written = word_kinds.name_words().get(token), text[start:end]
    marks = (text[start - 1] if start else " ") + (text[end] if end < len(text) else " ")
    if "_" in marks or "@" in marks:
        return True
    if kind is None and len(token) > 2:
        return (len(token) > 3 or not written.islower()) and not _is_of_a_thing(text, start, end)
    if not written[0].isupper() and written.isascii():
        return False
    return (marks == "\n:" and mention_contexts.speaks_often(folded.low, token)) or word_kinds.is_used_as_name(
        folded, layout, start, end, kind if kind is not None else "short"
    )
