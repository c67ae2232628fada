"""Find the person whom a document is about from mentions in running text.

A biography, a recruiter's note or a letter of recommendation may name its person in prose only. Each mention
of capitalised words that are not ordinary ones scores: for what only people do or have (`spent nine years`,
`'s career`), for what is said to and of people (`meet`, `I recommend`), for a pronoun that follows; against
it after at, in or joined, and in lines with dates. Mentions of a part (`Okafor left`) count for the whole.
No list of names is used, so a name's origin makes no difference.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own import OWN_NAME_WORDS, Candidate
from evenhand.masking.names.parts import AROUND_WORDS, PARTICLES, Name, name_of
from evenhand.masking.names.prose import unwrapped
from evenhand.patterns import lazy_re

_NAME = lazy_re(rf"(?<![\w'@/&#.-]){word_kinds.NAME}")
_TITLE = lazy_re(r"\b(?:mr|mrs|ms|mx|miss|dr|prof|professor)\.?[ ]$")
_THIRD = ("he", "she", "his", "her", "him")
_FIRST = ("i", "my", "me", "i'm", "i've")
_YEARS = lazy_re(r"(?:19|20)(?<=\b\d\d)\d\d[ ]?(?:-|to)[ ]?(?:(?:19|20)?\d\d\b|present|now|date|current)")
_FAR = 220
_LEAST, _LEAST_ALONE = 3, 4


@dataclass(frozen=True)
class Mentions:
    """The runs of capitalised words in a document, by their words: points, mentions that speak for one, openings."""

    names: dict[frozenset[str], Name] = field(default_factory=dict)
    points: Counter[frozenset[str]] = field(default_factory=Counter)
    times: Counter[frozenset[str]] = field(default_factory=Counter)
    opening: Counter[frozenset[str]] = field(default_factory=Counter)

    def of(self, name: Name) -> int:
        """Return the points of a name's mentions, whole and in part."""
        return sum(self.points[key] for key in self._within(frozenset((*name.tokens, *name.others))))

    def _within(self, whole: frozenset[str]) -> list[frozenset[str]]:
        """Return the mentions with all of their words in `whole`."""
        return [key for key in self.points if key <= whole]

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
            alone = len(key) == 1
            parts_score = sum(max(0, self.points[part]) for part in parts if part != key)
            recurs = parts_score > 1 and not _has_words(name)  # 'as told by Ebele Okwudili', then 'Ebele lives'
            sure = recurs or sum(self.times[part] for part in parts) > 1
            opening = 0 if alone else self.opening[key]
            score = self.of(name) - (_LEAST_ALONE if alone else _LEAST) - _written_small(folded, key)
            if score + (third or recurs or opening > 1) >= 0 and (sure or opening or (third and not alone)):
                candidates.append(Candidate(name=name, score=score, sure=sure))
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
    low, text = folded.low, unwrapped(folded.text)
    mentions = Mentions()
    for match in _NAME.finditer(text):
        start, end = _trimmed(text, *match.span())
        name = name_of(text[start:end])
        if not name.tokens:
            continue
        key, points = frozenset(name.tokens), _points(text, low, start, end)
        if not _may_be_a_name(text[start:end]):
            mentions.points[key] += max(0, points) if len(key) == 1 else 0  # 'Pearl began' counts for Pearl Major
            continue
        if start == 0 and points > 0 and (name.tokens[0] in word_kinds.given_names() or not _has_words(name)):
            points += 2  # 'Grace Bell secured': a text begins with whom it is about
        mentions.names.setdefault(key, name)
        mentions.points[key] += points
        mentions.times[key] += points > 0
        if start < _OPENING_LENGTH and (start == 0 or text[start - 2 : start] in _BEGINNINGS):
            mentions.opening[key] += max(0, points)
    return mentions


_OPENING_LENGTH = 400
_BEGINNINGS = frozenset({". ", ", ", ": ", "\n\n", '."', "! "})


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
