"""Names of other people in running text and in lists, by shape and by context.

Runs of capitalised words are cut at ordinary words. Each remainder gets two scores: its shape (a frequent
given name first, one frequent name, none, words only) and its place (`slots`). The stronger the shape,
the weaker the place may be; a name in no list is found where a person stands, so a name's origin makes
little difference. What a document has as an employer (`at Halden Marsh`, a line with years) is no person.

Single names are found after cues (`my mentor`, `trained`, before `and I`), and as speakers of a chat.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from itertools import groupby
from string import ascii_uppercase
from typing import NamedTuple

from evenhand.masking.folded_text import FoldedText, word_list
from evenhand.masking.names.parts import AROUND_WORDS
from evenhand.masking.names.runs import OTHER_NAME_WORDS, PLAIN, pieces_of, runs_in, shape_of
from evenhand.masking.names.slots import after_score, before_score, dated
from evenhand.masking.names.word_kinds import given_names, is_no_person, is_person_noun, kind_of
from evenhand.patterns import lazy_re

_SPEAKER = lazy_re(
    r"(?:^|\n)[> ]*(?:\[[^\]\n]{4,28}\]|(?:[\d./-]{6,10},?[ ])?\d{1,2}:\d\d(?::\d\d)?(?:[ ][ap]m)?"
    r"(?:[ ][-|\u2013\u2014])?)[ ]((?:[A-Z][\w'.-]*[ ]?){1,6}):[ ]"
)
#: Minutes, checked first as that is quick.
_MINUTES = lazy_re(r":\d\d")


@lru_cache(maxsize=2)
def speakers(folded: FoldedText) -> list[tuple[int, int]]:
    r"""Return the places of names of speakers with two turns or more.

    >>> from evenhand.masking.folded_text import folded_text
    >>> speakers(folded_text("[10:01] May: Hello\n[10:02] Ann: Hi\n[10:03] May: And in May?"))
    [(8, 11), (43, 46)]
    """
    if "]" not in folded.text and _MINUTES.search(folded.text) is None:
        return []
    matches = list(_SPEAKER.finditer(folded.text))
    turns = Counter(match.group(1) for match in matches)
    return [match.span(1) for match in matches if turns[match.group(1)] > 1]


_LONGEST_CUE = 10
_SINGLE_NAME_CHAIN = lazy_re(
    r"(?:[ ]\([^()\n]{1,20}\))?(?:,[ ](?:and[ ]|&[ ])?|[ ](?:and|&|or)[ ])"
    r"([A-Z][a-z]+(?:-[a-z]+)?)(?![\w'@])(?![ ][A-Z]|\.\w)"
)
_ALONE_AFTER = lazy_re(r"'s\b|[.,;:)\n!?\"]|[ ](?:[a-z(]|20\d\d|I\b)|$")
_WORD = lazy_re(
    r"[A-Z][a-z]*'[A-Z][a-z]+(?![\w@-])|[A-Z][a-z']+(?:[A-Z][a-z]+)?(?:-[A-Za-z][a-z]*)*(?![\w@-])"
    r"|[A-Z]['A-Z]+(?:-[A-Z]+)*(?![\w@-])"
)
#: A word before one of these is not single; an I may follow it.
_CAPITALS = frozenset(f" {letter}" for letter in ascii_uppercase if letter != "I")
_DATED = lazy_re(r"[.,]?[ ]'?\d")
_NEAR = 44
_SHOP_AFTER = lazy_re(r"[,.;)]|[ ](?:and|or|&|in|on|at)\b|\n|$")


def singles(folded: FoldedText) -> list[str]:
    """Return single names in a place where only a person can be.

    >>> from evenhand.masking.folded_text import folded_text
    >>> singles(folded_text("Took turns with Thandiwe. My mentor Oyin praised it. Trained Bo and Wren to rivet."))
    ['Thandiwe', 'Oyin', 'Bo', 'Wren']
    """
    return [folded.text[start:end].removesuffix("'s") for start, end in single_places(folded)]


@lru_cache(maxsize=2)
def single_places(folded: FoldedText) -> tuple[tuple[int, int], ...]:
    """Return the places of single names in a person's position."""
    text = folded.text
    places = [(start, end) for start, end in speakers(folded) if _may_be_single(folded.low[start:end])]
    for start, end in _candidates(folded):
        if _counts(folded, start, end):
            places.append((start, end))
            more = _SINGLE_NAME_CHAIN.match(text, end)
            while more is not None and _may_be_single(more.group(1).lower()):
                places.append(more.span(1))
                more = _SINGLE_NAME_CHAIN.match(text, more.end())
    return tuple(places)


def _may_be_single(word: str) -> bool:
    kind = kind_of(word)
    return kind in {"name", "word"} or (kind == "other" and word in given_names())


@cache
def _beginnings() -> frozenset[str]:
    """Return frequent given names, and the first parts of those with a hyphen."""
    return frozenset(name.partition("-")[0] for name in given_names()) | given_names()


@cache
def _cues() -> frozenset[str]:
    return word_list((OTHER_NAME_WORDS.telling | OTHER_NAME_WORDS.sure | OTHER_NAME_WORDS.counted) - _beginnings())


def _candidates(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield single capitalised words: frequent given names, and words before or after a cue."""
    beginnings, words = _beginnings(), folded.words
    cues = folded.places(_cues())
    near = {place + 1 for place in cues}.union([place - 1 for place in cues])
    for place in folded.capitals:
        word, start, end = words[place]
        if (place in near or word in beginnings) and folded.text[end : end + 2] not in _CAPITALS:
            match = _WORD.match(folded.text, start)
            if match is not None and _is_alone(folded, place, match.end()):
                yield start, match.end()


def _is_alone(folded: FoldedText, place: int, end: int) -> bool:
    """Say whether no capitalised word is adjacent."""
    text, words = folded.text, folded.words
    start = words[place][1]
    if (start and text[start - 1] in "-&'/@._#") or _ALONE_AFTER.match(text, end) is None:
        return False
    word, first, last = words[place - 1] if place else ("", 0, 0)
    if word == "st":
        return False
    adjacent = place and text[last:start] in {" ", "-"} and text[first].isupper()
    return not adjacent or kind_of(word) in PLAIN


def _counts(folded: FoldedText, start: int, end: int) -> bool:  # noqa: PLR0911 - one line per kind of word
    """Say whether a capitalised word by itself is a person's name here."""
    text, low = folded.text, folded.low
    stop = end - 2 if text.endswith("'s", start, end) else end
    word = low[start:stop]
    kind, listed = kind_of(word), word in given_names()
    if kind not in {"name", "word", "other"}:
        return False
    if (kind == "other" or word in OTHER_NAME_WORDS.months) and _DATED.match(text, end) is not None:
        return False
    if stop < end and _SHOP_AFTER.match(text, end) is not None:
        return False  # 'lunch at Wendy's, Chili's'
    sure = _is_sure(low, start)
    if not sure and (kind != "name" or text[start:stop].isupper()):
        return listed and kind == "word" and _is_turned_to(text, start, end)
    after = after_score(folded, stop)
    if sure or after < 0:
        return after >= 0 and (kind != "other" or listed)
    before = before_score(folded, start)
    if listed:
        inside = OTHER_NAME_WORDS.in_sentence.search(text, max(0, start - 2 * _LONGEST_CUE), start) is not None
        return before + after > 0 or (before >= -1 and inside)
    followed = OTHER_NAME_WORDS.followed.match(text, stop) is not None
    return (followed and before > -1) or (before > 1 and after > 1)


def _is_turned_to(text: str, start: int, end: int) -> bool:
    """Say whether the reader is to turn to somebody: `Call Bob or Hope`, `Bob can be reached on`."""
    turned = OTHER_NAME_WORDS.turn_to.search(text, max(0, start - _LONGEST_CUE), start) is not None
    return turned or OTHER_NAME_WORDS.reached.match(text, end) is not None


def _is_sure(low: str, start: int) -> bool:
    """Say whether only a person can follow: `my mentor`, `trained`, `took turns with`."""
    left = low[max(0, start - _NEAR) : start]
    if left.endswith(OTHER_NAME_WORDS.greetings):
        return True
    words = left.rstrip(" ,:(").rsplit(" ", 3)
    last = words[-1].strip("\"'([*-\n").rpartition("\n")[2]
    known = last in OTHER_NAME_WORDS.kin
    if (known or is_person_noun(last)) and not OTHER_NAME_WORDS.determiners.isdisjoint(words[-3:-1]):
        return True
    if not left.endswith(" ") or left.endswith(", "):
        return left.endswith("(") and OTHER_NAME_WORDS.team_of.search(left) is not None
    phrase = OTHER_NAME_WORDS.sure_phrase.search(left.rstrip(" :")) is not None
    return known or phrase or last in OTHER_NAME_WORDS.sure


_SENTENCE_END = lazy_re(r"(?:^|[.!?:;\u2022|(\"'\n*>\u2013\u2014\u25aa\u25cf\u00b7\u2023-])[ \t]*$")
_LOWER = lazy_re(r"[a-z]{2}[ ,]{1,2}$")
_GIVEN_SHAPE = lazy_re(r"[A-Z][a-z]+-[a-z]+$")
_PAGE = lazy_re(r"Page[ ]\d")
_FAR = 32
#: The score that a shape needs from its place.
_NEED = {4: -1, 3: -1, 2: 1, 1: 1, 0: 2}


class _Run(NamedTuple):
    start: int
    end: int
    shape: int
    need: int
    before: int
    after: int


def in_prose(folded: FoldedText, lines: Collection[int] = ()) -> list[str]:
    r"""Return names of two words or more in a person's position.

    People are at the beginning of `lines`.

    >>> from evenhand.masking.folded_text import folded_text
    >>> in_prose(folded_text("Assisted Taras Bondarchuk and Efua Asante with Power Query at Harlow Green."))
    ['Taras Bondarchuk', 'Efua Asante']
    """
    text = folded.text
    runs = [run for begin, stop in runs_in(folded) for run in _names_in(folded, begin, stop, lines)]
    employers = {
        text[run.start : run.end]
        for run in runs
        if run.before == -2 or (run.before < 1 and run.after < 1 and dated(text, run.end))
    }
    names: list[str] = []
    last = -_FAR
    for run in runs:
        chained = run.start - last < _FAR and OTHER_NAME_WORDS.chain.fullmatch(text, last, run.start) is not None
        if run.shape < 3 and run.before < 3 and not chained and text[run.start : run.end] in employers:
            continue
        if run.before + run.after + 2 * chained >= run.need:
            names.append(" ".join(text[run.start : run.end].replace(">", " ").split()))
            last = run.end
    return names


def _names_in(folded: FoldedText, start: int, end: int, lines: Collection[int]) -> Iterator[_Run]:
    """Yield the parts of a run of capitalised words without the ordinary ones."""
    pieces, kinds = pieces_of(folded, start, end)
    for plain, group in groupby(range(len(pieces)), key=lambda place: kinds[place] in PLAIN):
        places = list(group)
        run = _weighed(folded, pieces, kinds, places[0], places[-1] + 1, lines) if not plain and places[1:] else None
        if run is not None:
            yield run


def _weighed(  # noqa: PLR0917 - places in a run
    folded: FoldedText, pieces: list[tuple[int, int]], kinds: list[str], first: int, last: int, lines: Collection[int]
) -> _Run | None:
    """Return the scores of the words from `first` to `last` of a run; None where they are no name."""
    text, low = folded.text, folded.low
    while last > first + 1 and (kinds[last - 1] == "initial" or _PAGE.match(text, pieces[last - 1][0]) is not None):
        last -= 1
    begin, stop = pieces[first][0], pieces[last - 1][1]
    if text.endswith("'s", begin, stop):
        stop -= 2
    shape = shape_of(folded, pieces[first:last], kinds[first:last])
    named = low[begin:stop]
    if shape < 0 or is_no_person(named) or AROUND_WORDS.organisation_after.match(text, stop) is not None:
        return None
    before, after = before_score(folded, begin), after_score(folded, stop)
    if last < len(pieces) and kinds[last] != "initial" and "\n" not in text[stop : pieces[last][0]] and before < 3:
        following = low[slice(*pieces[last])]
        goes_on = following in OTHER_NAME_WORDS.small_words or following in OTHER_NAME_WORDS.honours
        if not goes_on and (shape < 3 or not is_person_noun(following)):
            return None  # Halden Marsh Logistics
    if first:
        earlier = low[slice(*pieces[first - 1])]
        sentence = _LOWER.search(text, max(0, pieces[0][0] - 4), pieces[0][0]) is not None
        job = before == 2 and after < 1 and (is_person_noun(earlier) or kinds[first - 1] == "job")
        if job and not sentence and (dated(text, stop) or (first > 1 and shape < 2)):
            before = 0  # a job's line
    if lines and text.rfind("\n", 0, begin) + 1 in lines and _begins(text, begin):
        before = max(before, 2)
    need = _NEED[shape]
    if text[begin:stop].isupper():
        need = max(need, 2 if shape < 2 else 1)
    elif shape and _is_marked(text, pieces[first:last], kinds[first:last], stop):
        need = min(need, 0)
    return _Run(begin, stop, shape, need, before, after)


def _begins(text: str, place: int) -> bool:
    """Say whether a line, a sentence or a bracket begins at a place."""
    return _SENTENCE_END.search(text, max(0, place - 4), place) is not None


def _is_marked(text: str, pieces: list[tuple[int, int]], kinds: list[str], stop: int) -> bool:
    """Say whether a family's particle, an initial or a hyphen as in Jun-ho makes words a name."""
    return (
        "initial" in kinds
        or OTHER_NAME_WORDS.family_particles.search(text, pieces[0][0], stop) is not None
        or any(_GIVEN_SHAPE.match(text, *piece) is not None for piece in pieces)
    )
