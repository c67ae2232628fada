"""Find the person whom a document is about from mentions in running text.

A biography, a recruiter's note or a letter of recommendation may name its person in prose only. Each mention
of capitalised words that are not ordinary ones scores: for what only people do or have (`spent nine years`,
`'s career`), for what is said to and of people (`meet`, `I recommend`), for a pronoun that follows; against
it after at, in or joined, and in lines with dates. Mentions of a part (`Okafor left`) count for the whole.
No list of names is used, so a name's origin makes no difference.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own import OWN_NAME_WORDS, Candidate
from evenhand.masking.names.parts import AROUND_WORDS, PARTICLES, Name, name_of
from evenhand.masking.names.slots import FULL_LINE
from evenhand.patterns import lazy_re

_NAME = lazy_re(rf"(?<![\w'@/&#.-]){word_kinds.NAME}")
_TITLE = lazy_re(r"\b(?:mr|mrs|ms|mx|miss|dr|prof|professor)\.?[ ]$")
_THIRD = ("he", "she", "his", "her", "him")
_FIRST = ("i", "my", "me", "i'm", "i've")
_YEARS = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d[ ]?(?:-|to)[ ]?(?:(?:19|20)?\d\d\b|present|now|date|current)")
_FAR = 220
_LEAST, _LEAST_ALONE = 3, 4


class Mentions:
    """Points of a document's runs of capitalised words."""

    def __init__(self, text: str, low: str) -> None:
        self._text, self._low = text, low
        self.points: Counter[frozenset[str]] = Counter()
        self.times: Counter[frozenset[str]] = Counter()
        self.names: dict[frozenset[str], Name] = {}
        self.words: dict[str, list[tuple[int, int]]] = {}
        self.opening: Counter[frozenset[str]] = Counter()

    def add(self, name: Name, points: int) -> None:
        """Count one mention."""
        key = frozenset(name.tokens)
        self.names.setdefault(key, name)
        self.points[key] += points
        self.times[key] += points > 0

    def of(self, name: Name) -> int:
        """Return the points of a name's mentions, whole and in part; against it only where no word is meant."""
        whole = frozenset((*name.tokens, *name.others))
        return self._of(whole, self._within(whole))

    def _of(self, whole: frozenset[str], parts: Iterable[frozenset[str]]) -> int:
        of_words = sum(max(0, self._of_word(token)) for token in whole) if len(whole) > 1 else 0
        return of_words + sum(
            points
            for key in parts
            if (points := self.points[key]) > 0
            or len(key) > 1
            or len(whole) == 1
            or not key <= word_kinds.name_words().keys()
        )

    def _within(self, whole: frozenset[str]) -> list[frozenset[str]]:
        """Return the mentions with all of their words in `whole`."""
        if len(whole) == 1:
            return [whole] if whole in self.points else []
        return [key for key in self.points if key <= whole]

    def _of_word(self, token: str) -> int:
        """Return the points of an ordinary word that stands alone; computed only for the few that need it."""
        return sum(_points(self._text, self._low, start, end) for start, end in self.words.get(token, ()))

    def fuller(self, names: Iterable[Name]) -> list[Name]:
        """Return mentions that hold all of a name and one or two words more."""
        wholes = [frozenset(name.tokens) for name in names]
        return [
            name
            for key, name in self.names.items()
            if self.points[key] >= 0 and any(whole < key and len(key) < len(whole) + 3 for whole in wholes)
        ]

    def agreeing(self, addresses: Iterable[str]) -> list[Name]:
        """Return whom the text speaks of, be it once, if with the first or last letter of an address."""
        ends = {
            letters[place] for address in addresses if (letters := address.strip("0123456789._-")) for place in (0, -1)
        }
        return [
            name
            for key, name in self.names.items()
            if self.points[key] > 1 and not _has_words(name) and any(token[0] in ends for token in key)
        ]

    def candidates(self, folded: FoldedText, *, third: bool) -> list[Candidate]:
        """Return candidates for the document's subject, the best first; with `third` pronouns the first needs less."""
        candidates = []
        for key, name in self.names.items():
            parts = self._within(key)
            times = sum([self.times[part] for part in parts])
            alone = len(key) == 1
            parts_score = sum([max(0, self.points[part]) for part in parts if part != key])
            recurs = parts_score > 1 and not _has_words(name)  # 'as told by Ebele Okwudili', then 'Ebele lives'
            least = (_LEAST_ALONE if alone else _LEAST) + _written_small(folded, key)
            points = self.of(name) if name.others else self._of(key, parts)
            opening = 0 if alone else self.opening[key]
            if points >= least - (third or recurs or opening > 1) and (
                times > 1 or recurs or opening or (not alone and third)
            ):
                candidates.append(Candidate(name=name, score=points - least, sure=times > 1 or recurs))
        candidates.sort(key=lambda candidate: (-candidate.score, -len(candidate.name.tokens)))
        return candidates[:1] + [candidate for candidate in candidates[1:] if candidate.score > 0 and candidate.sure]


def is_in_third_person(folded: FoldedText, *, least: int = 2) -> bool:
    """Say whether a document is about somebody: he, she, his, her so often, and more often than I and my."""
    words = folded.where
    third = sum(len(words.get(word, ())) for word in _THIRD)
    return third >= least and third > sum(len(words.get(word, ())) for word in _FIRST)


def mentions_of(folded: FoldedText) -> Mentions:
    r"""Return the points of a document's capitalised words.

    >>> from evenhand.masking.folded_text import folded_text
    >>> seen = mentions_of(folded_text("Meet Ebele Okwudili. Ebele spent two years at Kestrel.\nKestrel, 2001 - 2005"))
    >>> seen.of(name_of("Ebele Okwudili")), seen.of(name_of("Kestrel")) < 0
    (4, True)
    """
    low, text = folded.low, _unbroken(folded.text)
    mentions = Mentions(text, low)
    for begin, stop in _capitalised(folded, text):
        word = low[begin:stop]
        if len(word) > 1 and word.isascii() and word.isalpha() and word_kinds.is_ordinary(word):
            if text[begin:stop].istitle():
                mentions.words.setdefault(word, []).append((begin, stop))
            continue
        start, end = _trimmed(text, begin, stop)
        if start >= end:
            continue
        name = name_of(text[start:end])
        if not name.tokens:
            continue
        if _may_be_a_name(text[start:end]):
            points = _points(text, low, start, end)
            if start == 0 and points > 0 and (name.tokens[0] in word_kinds.given_names() or not _has_words(name)):
                points += 2  # 'Grace Bell secured': a text begins with whom it is about
            mentions.add(name, points)
            if start < _OPENING_LENGTH and (start == 0 or text[start - 2 : start] in _BEGINNINGS):
                mentions.opening[frozenset(name.tokens)] += max(0, points)
        elif len(name.tokens) == 1 and text[start:end].istitle():
            mentions.words.setdefault(name.tokens[0], []).append((start, end))
    return mentions


def _capitalised(folded: FoldedText, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of runs in a name's shape; the search starts from the capitals."""
    words, done = folded.words, 0
    for place in folded.capitals:
        _, start, end = words[place]
        if start < done:
            continue
        if place and text[start - 1] == "-":
            start = words[place - 1][1]  # al-Amri
        elif "A" <= text[start] <= "Z" and (text[end : end + 1] in _ENDS or _ends_alone(folded, text, place)):
            done = end
            yield start, end
            continue
        match = _NAME.match(text, start)
        if match is not None:
            done = match.end()
            yield match.span()


#: A capitalised word before one of these is all of a mention.
_ENDS = frozenset("\n,:;)/")
#: After one of these nothing is a mention.
_INSIDE = frozenset("'@/&#.-_")


def _ends_alone(folded: FoldedText, text: str, place: int) -> bool:
    """Say whether a lower-case word, no particle or prefix of a name, follows after a blank."""
    _, start, end = folded.words[place]
    if text[end : end + 1] != " " or not "a" <= text[end + 1 : end + 2] <= "z" or text[start - 1 : start] in _INSIDE:
        return False
    following, _, last = folded.words[place + 1]
    return following not in PARTICLES and "'" not in following and text[last : last + 1] != "-"


_OPENING_LENGTH = 400
_BEGINNINGS = frozenset({". ", ", ", ": ", "\n\n", '."', "! "})


def _unbroken(text: str) -> str:
    """Return a text of the same length in which full lines go on with a blank: a name may be broken over two."""
    if "\n" not in text:
        return text
    lines = text.split("\n")
    pieces = [lines[0]]
    for before, line in pairwise(lines):
        goes_on = len(before) >= FULL_LINE and before[-1].isalpha() and line[:1].isalpha()
        pieces += [" " if goes_on else "\n", line]
    return "".join(pieces)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a mention without the words before a name: `When Grace`, `Director Grace Page`; and without 's."""
    if " " not in text[start:end]:
        return start, end - 2 if text.endswith("'s", start, end) else end
    words, kinds = text[start:end].split(" "), word_kinds.no_names()
    last = len(words) - 2
    while last >= 0 and kinds.get(words[last].lower()) != "job":
        last -= 1
    while len(words) > 1 and (last >= 0 or _is_before(words[0])):
        start += len(words[0]) + 1
        words.pop(0)
        last -= 1
    possessive = words[-1].endswith("'s")
    if len(words) == 2 and words[0] == "My" and (possessive or text.startswith("'s", end)):
        start += len("My ")
    if possessive:
        end -= 2
    return start, end


def _is_before(word: str) -> bool:
    low = word.lower().rstrip(".,")
    if low in word_kinds.name_words() or low in _WEEKDAYS or low in PARTICLES:
        return False
    return len(low) > 1 and (word_kinds.is_ordinary(low) or low in OWN_NAME_WORDS.no_names)


_WEEKDAYS = frozenset(f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun"))


@lru_cache(maxsize=4096)
def _may_be_a_name(text: str) -> bool:
    """Say whether no word is an ordinary one, and not all are tools, towns or firms."""
    name = name_of(text)
    if len(name.tokens) < 2 and ((text.isupper() and len(text) < 5) or _is_small_word(name.tokens[0])):
        return False
    ordinary = [token for token in name.tokens if word_kinds.is_ordinary(token) or token in OWN_NAME_WORDS.no_names]
    if ordinary and not (_is_clean(name) and all(_is_short_word(token) for token in ordinary)):
        return False
    kinds = {word_kinds.name_words().get(token) for token in name.tokens}
    return not kinds <= {"place", "tool", "organisation", "month"} or (
        len(kinds) > 1 and name.tokens[0] in word_kinds.given_names()
    )


def _is_small_word(token: str) -> bool:
    return token in OWN_NAME_WORDS.pronouns or token in PARTICLES or word_kinds.no_names().get(token) == "other"


def _is_short_word(token: str) -> bool:
    return token in word_kinds.name_words() or word_kinds.no_names().get(token, "other") == "other"


def _is_clean(name: Name) -> bool:
    """Say whether some word of a name is no other word; then one may be: `Friday Okon`, `Nhat Ton That`."""
    return len(name.tokens) > 1 and any(
        token in word_kinds.given_names()
        or not (
            word_kinds.is_ordinary(token) or token in word_kinds.english_words() or token in word_kinds.name_words()
        )
        for token in name.tokens
    )


def _has_words(name: Name) -> bool:
    return any(
        word_kinds.is_ordinary(token) or token in word_kinds.english_words() or token in word_kinds.name_words()
        for token in name.tokens
    )


def _points(text: str, low: str, start: int, end: int) -> int:
    """Return the points for a person in the context of a mention."""
    mark, following = text[end : end + 1], text[end + 1 : end + 2]
    capital = following.isupper()
    if (capital or following in _ORGANISATION) and AROUND_WORDS.organisation_after.match(text, end) is not None:
        return -3
    line = _head(low, start, end)
    if ("19" in line or "20" in line) and _YEARS.search(line) is not None and text[end : end + 1] != ":":
        return -3
    near, left = max(0, start - 12), max(0, start - _LONGEST_CUE)
    gap = low[max(0, start - 2) : start]
    cued = gap[-1:] in {" ", ":"} or (gap[-1:] == "\n" and gap[:-1] in {" ", ":"})
    points = 0
    if not cued:
        pass  # at the beginning of a line, in brackets
    elif _TITLE.search(low, near, start) is not None:
        points += 3
    elif (
        low[left:start].rstrip(": \n").endswith(OWN_NAME_WORDS.said_ends)
        and OWN_NAME_WORDS.said_of_people.search(low, left, start) is not None
    ):
        points += 2
    elif OWN_NAME_WORDS.thing_before.search(low, near, start) is not None:
        points -= 2
    goes_on = mark in _GOES_ON and not (capital and mark == " ")
    human = goes_on and OWN_NAME_WORDS.human.match(text, end) is not None
    acts = human or (
        goes_on and (AROUND_WORDS.verb.match(text, end) is not None or AROUND_WORDS.does.match(text, end) is not None)
    )
    if acts or (goes_on and OWN_NAME_WORDS.has.match(text, end) is not None):
        points += 2 if human else 1
        if OWN_NAME_WORDS.pronoun.search(low, end, end + _FAR) is not None:
            points += 1
    elif (
        cued
        and OWN_NAME_WORDS.maybe_people.search(low, near, start)
        and OWN_NAME_WORDS.pronoun.search(low, end, end + _FAR) is not None
    ):
        points += 1
    return points


_LONGEST_HEAD, _LONGEST_CUE = 110, 28
#: Beginnings of activities, and the second letters of an organisation's kind that are no capitals.
_GOES_ON = frozenset(" \t,'?!")
_ORGANISATION = frozenset("& an")


def _head(low: str, start: int, end: int) -> str:
    """Return the line of a mention if it is as short as a job's head, else ""."""
    begin, stop = max(0, end - _LONGEST_HEAD), start + _LONGEST_HEAD
    first, last = low.rfind("\n", begin, start) + 1, low.find("\n", end, stop)
    if (not first and begin) or (last < 0 and stop < len(low)):
        return ""
    line = low[first : last if last >= 0 else len(low)]
    return line if len(line) < _LONGEST_HEAD else ""


def _written_small(folded: FoldedText, tokens: frozenset[str]) -> int:
    """Return how much more has to speak for words that the document writes with a small letter too."""
    small = 0
    for token in tokens:
        if token in word_kinds.given_names() or token in word_kinds.surnames():
            continue
        places = folded.where.get(token, ())
        small += any(folded.text[folded.words[place][1]].islower() for place in places)
    return 2 * small if small == len(tokens) else small
