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
        if len(whole) == 1:
            return [whole] if whole in self.points else []
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
            if self.points[key] > 1 and not any(map(_is_word, name.tokens)) and any(token[0] in ends for token in key)
        ]

    def candidates(self, folded: FoldedText, *, third: bool) -> list[Candidate]:
        """Return candidates for the document's subject, the best first; with `third` pronouns the first needs less."""
        candidates = []
        for key, name in self.names.items():
            parts = self._within(key)
            alone = len(key) == 1
            parts_score = sum(max(0, self.points[part]) for part in parts if part != key)
            recurs = parts_score > 1 and not any(
                map(_is_word, name.tokens)
            )  # 'as told by Ebele Okwudili', then 'Ebele lives'
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
    words: list[tuple[str, int, int]] = []
    for match in _NAME.finditer(text):
        start, end = match.span()
        if not _is_plain(low[start:end]):
            start, end = _trimmed(text, start, end)
        named = text[start:end]
        if _is_plain(low[start:end]) or not _may_be_a_name(named):
            words.append((low[start:end], start, end))
            continue
        name, points = name_of(named), _points(text, low, start, end)
        key = frozenset(name.tokens)
        if start == 0 and points > 0 and (name.tokens[0] in word_kinds.given_names() or not any(map(_is_word, key))):
            points += 2  # 'Grace Bell secured': a text begins with whom it is about
        mentions.names.setdefault(key, name)
        mentions.points[key] += points
        mentions.times[key] += points > 0
        if start < _OPENING_LENGTH and (start == 0 or text[start - 2 : start] in _BEGINNINGS):
            mentions.opening[key] += max(0, points)
    parts = frozenset().union(*mentions.names)
    for word, start, end in words:
        if word in parts:  # 'Pearl began' counts for Pearl Major
            mentions.points[frozenset({word})] += max(0, _points(text, low, start, end))
    return mentions


_OPENING_LENGTH = 400
_BEGINNINGS = frozenset({". ", ", ", ": ", "\n\n", '."', "! "})


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a mention without the words before a name: `When Grace`, `Director Grace Page`; and without 's."""
    words, kinds = text[start:end].split(" "), word_kinds.no_names()
    jobs = [place for place, word in enumerate(words[:-1], 1) if kinds.get(word.lower()) == "job"]
    cut = jobs[-1] if jobs else 0
    while cut < len(words) - 1 and _is_before(words[cut]):
        cut += 1
    possessive = words[-1].endswith("'s")
    if words[cut:-1] == ["My"] and (possessive or text.startswith("'s", end)):
        cut += 1
    return start + sum(len(word) + 1 for word in words[:cut]), end - 2 if possessive else end


def _is_before(word: str) -> bool:
    low = word.lower().rstrip(".,")
    if low in word_kinds.name_words() or low in _WEEKDAYS or low in PARTICLES:
        return False
    return len(low) > 1 and (word_kinds.is_ordinary(low) or low in OWN_NAME_WORDS.no_names)


_WEEKDAYS = frozenset(f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun"))


@lru_cache(maxsize=4096)
def _may_be_a_name(text: str) -> bool:
    """Say whether no word is an ordinary one, and not all are tools, towns or firms."""
    tokens, others = name_of(text).tokens, word_kinds.no_names()
    if not tokens:
        return False
    first, several = tokens[0], len(tokens) > 1
    small = first in OWN_NAME_WORDS.pronouns or first in PARTICLES or others.get(first) == "other"
    if not several and (small or (text.isupper() and len(text) < 5)):
        return False
    ordinary = [token for token in tokens if word_kinds.is_ordinary(token) or token in OWN_NAME_WORDS.no_names]
    if ordinary:
        # One word of several may be ordinary where another is none: `Friday Okon`, `Nhat Ton That`.
        clean = several and any(token in word_kinds.given_names() or not _is_word(token) for token in tokens)
        if not clean or any(
            token not in word_kinds.name_words() and others.get(token, "other") != "other" for token in ordinary
        ):
            return False
    kinds = {word_kinds.name_words().get(token) for token in tokens}
    listed = len(kinds) > 1 and first in word_kinds.given_names()
    return listed or not kinds <= {"place", "tool", "organisation", "month"}


def _is_plain(text: str) -> bool:
    return text.isalpha() and word_kinds.is_ordinary(text)


def _is_word(token: str) -> bool:
    return word_kinds.is_ordinary(token) or token in word_kinds.english_words() or token in word_kinds.name_words()


def _points(text: str, low: str, start: int, end: int) -> int:
    """Return the points for a person in the context of a mention."""
    line = _head(low, start, end)
    dated = ("19" in line or "20" in line) and _YEARS.search(line) is not None and text[end : end + 1] != ":"
    if dated or AROUND_WORDS.organisation_after.match(text, end) is not None:
        return -3
    near, left = max(0, start - 12), max(0, start - _LONGEST_CUE)
    cued = _CUED.search(low, near, start) is not None
    points = 0
    if not cued:
        pass  # at the beginning of a line, in brackets
    elif _TITLE.search(low, near, start) is not None:
        points = 3
    elif (
        low[left:start].rstrip(": \n").endswith(OWN_NAME_WORDS.said_ends)
        and OWN_NAME_WORDS.said_of_people.search(low, left, start) is not None
    ):
        points = 2
    elif OWN_NAME_WORDS.thing_before.search(low, near, start) is not None:
        points = -2
    acts = 0
    if _GOES_ON.match(text, end) is not None:
        verbs = (AROUND_WORDS.verb, AROUND_WORDS.does, OWN_NAME_WORDS.has)
        human = OWN_NAME_WORDS.human.match(text, end) is not None
        acts = 2 if human else int(any(verb.match(text, end) is not None for verb in verbs))
    if acts or (cued and OWN_NAME_WORDS.maybe_people.search(low, near, start) is not None):
        points += acts + (OWN_NAME_WORDS.pronoun.search(low, end, end + _FAR) is not None)
    return points


#: Beginnings of activities.
_GOES_ON = lazy_re(r"[ \t,'?!](?!(?<= )[A-Z])")
_CUED = lazy_re(r"[ :]\n?$")
_LONGEST_HEAD, _LONGEST_CUE = 110, 28


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
