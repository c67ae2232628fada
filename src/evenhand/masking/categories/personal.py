"""The personal categories and DOB: phrases, the contexts in which they count, and labelled details of forms.

All lexicons are one table from the first word of a phrase to its phrases, so that a text is read once and most words
cost one look-up. Contexts are checked only where a phrase matches.

A word that has other meanings as well (`minister`, `remission`, `rainbow`) counts only with a sign of the candidate:
the first person, a label of a form, membership, an award, a scholarship, service as a volunteer.

The name of a nation or a people describes a person unless its noun is a thing: a market, a product, a dish, a language
lesson. Nouns are read up to the end of the noun phrase (`the Korean car makers' association`); the first known one
decides.

In forms (`Gender: F`, `Marital status: none`) a label is a word that signals the category (`nationality`,
`Familienstand`) with words that go with any (`current`, `status`, `optional`). Where such a word labels other things
too, only some values count. Any value is masked, `none` and `prefer not to say` too: masking only what applies would
disclose it.

DOB (an optional category) are dates of birth, ages, and birth places after a label; kept are all other dates, years of
experience, ages of programmes, machines and children taught.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from evenhand.masking.categories.education import heads
from evenhand.masking.layout import FoldedText, Layout, ending, folded_word, parts_in_lines, word_list
from evenhand.masking.names.mentions import MENTION_WORDS
from evenhand.masking.names.word_kinds import english_words, is_frequent, is_person_noun, ordinary_words
from evenhand.masking.pronouns import PERSONAL, Span
from evenhand.patterns import WordTable, lazy_re

RULE_WORDS = WordTable("evenhand.masking", "rules.toml")

_ANY = lazy_re("")
#: Characters before and after a phrase that are its context.
_BEFORE = 64
_FAR = 140
_CAPITAL_NEXT = lazy_re(r"\.?\s{1,3}[^\W\d_a-z]")
#: A blank of a pattern, or a part to skip: an escape, a class.
_BLANK = lazy_re(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]| ")
#: Endings of other genders and numbers, as forms have them: `casado(a)`, `coniugato/a`, `verheiratet*e`, `son(s)`.
_ENDING = lazy_re(
    r" ?\((?:e|a|o|s|es|as|os|in|innen|er|r|n|ne|te|ren|ess)\)|"
    r"(?:(?<=[oer])/a|(?<=a)/o|/(?:e|in|s|as|os|es|er|r)|[*:_](?:e|in|innen|er|r)|[\u00b7\u2022.-]e\.?s?)(?![\w'-])"
)
_ENDING_BEGINS = frozenset("(/*:\u00b7\u2022._-")
#: Abbreviations before more words of a phrase: `St. Mary`, `L. 68/99`.
_ABBREVIATED = frozenset({"st", "l", "n", "art"})
#: The same in a lexicon: a phrase's words are those of the normalised text.
_IN_PHRASE = lazy_re(r"[ \-/.&]+|'(?!\w)")


def pattern(*alternatives: str) -> re.Pattern[str]:
    r"""Return one compiled pattern of several contexts; they are read in lower case.

    A blank also matches a line break: lines of a text from a PDF break anywhere.

    >>> pattern(r"\bin an? (?:happy |new )*$").search("lives in a\n  happy ") is not None
    True
    """
    joined = "|".join(f"(?:{alternative})" for alternative in alternatives)
    return lazy_re(_BLANK.sub(lambda match: r"(?: |\s*\n\s*)" if match[0] == " " else match[0], joined))


@dataclass(frozen=True, kw_only=True)
class Rule:
    """When a phrase counts.

    `before` and `after` must match next to it, `not_before` and `not_after` must not
    (patterns before it end with `$`), `not_near` must not stand within 140 characters.
    `case`: any; capital: the first letter is one; small: it is none; title: it only; upper: all letters;
    prose: not all capitals among small letters (HER, HIS are abbreviations there). `capital_next`: the
    next word begins with a capital. `tail` is masked too where it follows, `lead` where it precedes.
    `check` asks about the places of the phrase's first and last word among the text's words. `value`,
    read with its capitals, has to follow; its last group is masked instead of the phrase, `whole`: with it. `strict`
    rules need --strict.
    """

    confidence: float = 0.9
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    not_before: re.Pattern[str] | None = None
    not_after: re.Pattern[str] | None = None
    not_near: re.Pattern[str] | None = None
    case: Literal["any", "capital", "small", "title", "upper", "prose"] = "any"
    capital_next: bool = False
    tail: re.Pattern[str] | None = None
    lead: re.Pattern[str] | None = None
    strict: bool = False
    category: str | None = None
    check: Callable[[FoldedText, int, int], bool] | None = None
    value: re.Pattern[str] | None = None
    whole: bool = False

    def holds(self, folded: FoldedText, start: int, end: int) -> bool:  # noqa: PLR0911 - one line per condition
        """Say whether a phrase at this place counts."""
        if self.case != "any" and not self._is_written(folded.text, start, end):
            return False
        if self.capital_next and _CAPITAL_NEXT.match(folded.text, end) is None:
            return False
        # The text after the phrase first: it is matched at one place only.
        if self.after is not None or self.not_after is not None:
            right = folded.low[end : end + _BEFORE]
            if self.after is not None and self.after.match(right) is None:
                return False
            if self.not_after is not None and self.not_after.match(right) is not None:
                return False
        if self.before is not None or self.not_before is not None:
            left = folded.low[max(0, start - _BEFORE) : start]
            if self.before is not None and self._is_before(left) is None:
                return False
            if self.not_before is not None and self._is_not_before(left) is not None:
                return False
        if self.not_near is not None:
            around = folded.low[max(0, start - _FAR) : end + _FAR]
            return self.not_near.search(around) is None
        return True

    @cached_property
    def _is_before(self) -> Callable[[str], object]:
        return ending(self.before or _ANY)

    @cached_property
    def _is_not_before(self) -> Callable[[str], object]:
        return ending(self.not_before or _ANY)

    def _is_written(self, text: str, start: int, end: int) -> bool:
        """Say whether the letters of a phrase are capitals where `case` wants them."""
        match self.case:
            case "capital":
                return text[start].isupper()
            case "small":
                return text[start].islower()
            case "upper":
                return text[start:end].isupper()
            case "title":
                return text[start:end].istitle()
            case _:
                return _in_prose(text, start, end)

    def claimed(self, folded: FoldedText, start: int, end: int) -> tuple[int, int] | None:
        """Return the span to mask where a phrase counts: with lead and tail, or the value that has to follow."""
        if self.value is not None:
            value = self.value.match(folded.text, end)
            if value is None:
                return None
            begin, stop = value.span(value.lastindex or 0)
            return start if self.whole else begin, stop
        if self.tail is not None and (tail := self.tail.match(folded.low, end)) is not None:
            end = tail.end()
        if (
            self.lead is not None
            and (lead := self.lead.search(folded.low[max(0, start - _BEFORE) : start])) is not None
        ):
            start -= len(lead.group())
        return start, end


def _in_prose(text: str, start: int, end: int) -> bool:
    if not (end - start > 1 and text[start:end].isupper()):
        return True
    around = text[max(0, start - 24) : start] + text[end : end + 24]
    return not any(character.islower() for character in around)


#: The tables of the personal categories by name.
TABLES = MappingProxyType(
    {name: WordTable("evenhand.masking", f"personal/{name}.toml", compiled=pattern) for name in PERSONAL}
)


def phrases_of(name: str) -> dict[str, list[str]]:
    """Return the phrases of each rule of a personal category."""
    return {rule: phrases.splitlines() for rule, phrases in TABLES[name].phrases.items()}


class _Entry(NamedTuple):
    rest: tuple[str, ...]
    category: str
    name: str
    rule: Rule


_ENDINGS = frozenset({"s", "ll", "d", "re", "ve"})


class Lexicon:
    """The phrases of several categories in one table."""

    def __init__(
        self, parts: Iterable[tuple[str, Mapping[str, Rule], Mapping[str, list[str]]]], *, strict: bool
    ) -> None:
        table: dict[str, dict[str, list[_Entry]]] = {}
        for category, rules, phrases in parts:
            for name, texts in phrases.items():
                rule = rules[name]
                if rule.strict and not strict:
                    continue
                for text in texts:
                    words = text.lower().split(" ") if text.replace(" ", "").isalnum() and text.isascii() else ()
                    first, *rest = words or filter(None, _IN_PHRASE.split(folded_word(text)))
                    entry = _Entry(tuple(rest), rule.category or category, name, rule)
                    table.setdefault(first, {}).setdefault(rest[0] if rest else "", []).append(entry)
        for by_second in table.values():
            for entries in by_second.values():
                entries.sort(key=lambda entry: -len(entry.rest))
        #: First word → second word ("" for phrases of one word) → phrases, the longest first.
        self._table = table
        self._frequent = frozenset(first for first in RULE_WORDS.frequent.intersection(table) if "" not in table[first])
        self._firsts = word_list(table.keys() - self._frequent)
        self._seconds = word_list(second for first in self._frequent for second in table[first])

    def matches(self, folded: FoldedText) -> list[Span]:
        """Return the matches in a text, the longest phrase first at each word."""
        words, table = folded.words, self._table
        endings = [words[place][0] for place in folded.elided]
        possessive = {word: base for word in endings if word not in table and (base := _base(word)) in table}
        matches = []
        final = len(words) - 1
        for place in self._places(folded, endings, possessive):
            word, start, end = words[place]
            if word in possessive:
                word = possessive[word]
                end = start + len(word)  # the ending stays
            by_second = table[word]
            following = words[place + 1][0] if place < final else ""
            claim = None
            if following in by_second:
                claim = _claim(folded, place, start, end, by_second[following])
            if claim is None and endings and following.endswith("'s") and following[:-2] in by_second:
                claim = _claim(folded, place, start, end, by_second[following[:-2]])
            if claim is None and following and "" in by_second:
                claim = _claim(folded, place, start, end, by_second[""])
            if claim is not None:
                matches.append(claim)
        return matches

    def _places(self, folded: FoldedText, endings: list[str], possessive: Mapping[str, str]) -> list[int]:
        """Return where a phrase may begin: at its first word, or at a frequent one before its second."""
        seconds = self._seconds
        if endings:
            possessed = [word for word in endings if word.removesuffix("'s") in seconds]
            seconds = seconds.union(possessed) if possessed else seconds
        frequent, words = self._frequent, folded.words
        before = [place - 1 for place in folded.places(seconds) if place and words[place - 1][0] in frequent]
        places = folded.places(self._firsts)
        if possessive:
            before += folded.places(frozenset(possessive))
        return sorted(places + before) if before else places


def _claim(folded: FoldedText, place: int, start: int, end: int, entries: list[_Entry]) -> Span | None:
    """Return the match of the first of the phrases that count at a place."""
    for entry in entries:
        last = _last(folded, place, entry.rest) if entry.rest else end
        rule = entry.rule
        if not last:
            continue
        may_end = folded.low[last : last + 1] in _ENDING_BEGINS or folded.low.startswith(" (", last)
        if may_end and (ended := _ENDING.match(folded.low, last)) is not None:
            last = ended.end() if rule.holds(folded, start, ended.end()) else last
        if not rule.holds(folded, start, last) or _is_another_word(folded, start, last):
            continue
        if rule.check is not None and not rule.check(folded, place, place + len(entry.rest)):
            continue
        claimed = rule.claimed(folded, start, last)
        if claimed is not None:
            return Span(
                start=claimed[0], end=claimed[1], category=entry.category, rule=entry.name, confidence=rule.confidence
            )
    return None


def _is_another_word(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether a phrase is a piece of another word: of a compound (`co-ordination`), or in camel case (`EpiPen`)."""
    text = folded.text[start:end]
    if any(map(str.isupper, text[1:])) and any(map(str.islower, text)) and text.isalpha():
        return True
    if folded.low[start - 1 : start] != "-":
        return False
    before = _COMPOUND.search(folded.low, max(0, start - _BEFORE), start)
    return before is not None and before[1] + folded.low[start:end] in ordinary_words()


_COMPOUND = lazy_re(r"(?<![\w-])([a-z]+)-\Z")


def _base(word: str) -> str:
    """Return a word without 's and the like, "" where it has none."""
    base, apostrophe, ending = word.partition("'")
    return base if apostrophe and ending in _ENDINGS else ""


def _last(folded: FoldedText, place: int, rest: tuple[str, ...]) -> int:
    """Return the end of a phrase of several words, 0 where it doesn't match."""
    words = folded.words
    if place + len(rest) >= len(words):
        return 0
    for step, expected in enumerate(rest, place + 1):
        word, start, _ = words[step]
        before, _, end = words[step - 1]
        gap = folded.low[end:start]
        if word not in (expected, f"{expected}'s") or not (
            gap in RULE_WORDS.gaps or (gap == ". " and before in _ABBREVIATED)
        ):
            return 0
    return words[place + len(rest)][2]


CANDIDATE_WORDS = WordTable("evenhand.masking.categories", "candidate.toml", compiled=pattern)

#: A separate fact: a whole item, or one before a year, a mark or a bracket.
_BEGINS = lazy_re(r"(?:^|\n|[\u2022\u25aa\u00b7*|>;] |- )[ \t]*(?:(?:\w+[ -]generation|proud|former) )?\Z")
_NEAR_WORDS = 100


def is_candidates(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether the words at these places describe the candidate, or a body the candidate belongs to.

    >>> from evenhand.masking.layout import folded_text
    >>> texts = "I am a refugee.", "Immigration status: refugee", "Wrote a refugee policy."
    >>> [is_candidates(folded_text(text), place, place) for text, place in zip(texts, (3, 2, 2))]
    [True, True, False]
    """
    start, end = folded.words[first][1], folded.words[last][2]
    if CANDIDATE_WORDS.label.search(folded.low, max(0, start - _NEAR_WORDS), start) is not None:
        return True
    if (
        CANDIDATE_WORDS.ends.match(folded.low, end) is not None
        and _BEGINS.search(folded.low[max(0, start - _NEAR_WORDS) : start]) is not None
    ):
        return True
    sentence = _sentence_around(folded, start, end)
    if CANDIDATE_WORDS.candidate_voice.search(sentence) is not None:
        return True
    return CANDIDATE_WORDS.own.search(sentence) is not None and CANDIDATE_WORDS.others.search(sentence) is None


def is_about_others(folded: FoldedText, start: int, end: int, *, whose: str) -> bool:
    """Say whether the sentence around a stretch speaks of others, and nothing in it of the candidate.

    Others are all people served by a job, those who are `taught` or coached, or whose affairs are `office` work.

    >>> from evenhand.masking.layout import folded_text
    >>> is_about_others(folded_text("Taught children with autism."), 21, 27, whose="others")
    True
    >>> is_about_others(folded_text("I have autism and teach children."), 7, 13, whose="others")
    False
    >>> is_about_others(folded_text("Coached 7th grade girls volleyball"), 18, 23, whose="taught")
    True
    """
    if CANDIDATE_WORDS.label.search(folded.low, max(0, start - _NEAR_WORDS), start) is not None:
        return False  # `Disability: person with low vision`
    sentence = _sentence_around(folded, start, end)
    about = {"others": CANDIDATE_WORDS.others, "taught": CANDIDATE_WORDS.teaching, "office": CANDIDATE_WORDS.office}
    if about[whose].search(sentence) is None:
        return False
    # A text that has lost its lines has wide gaps between them.
    before, piece, after = sentence.partition(folded.low[start:end])
    return CANDIDATE_WORDS.own.search(before.rpartition("  ")[2] + piece + after.partition("  ")[0]) is None


def is_work(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether the sentence around a stretch describes work, and nothing about the candidate.

    >>> from evenhand.masking.layout import folded_text
    >>> texts = "Designed wheelchair lifts.", "Designed lifts; I use a wheelchair.", "Wheelchair user"
    >>> [is_work(folded_text(text), at, at + 10) for text, at in zip(texts, (9, 24, 0))]
    [True, False, False]
    """
    sentence = _sentence_around(folded, start, end)
    verb = CANDIDATE_WORDS.verb.match(sentence)
    return verb is not None and verb[1] not in CANDIDATE_WORDS.states and CANDIDATE_WORDS.own.search(sentence) is None


_LONGEST_SENTENCE_SIDE = 140
_SENTENCE_END = lazy_re(r"[.;!?|•·▪][\"')\]]{0,2},?(?:\s|$)|\n[ \t]*(?:[-*•–▪o>~+■➢✦✅●○◆►]|\d+[.)])[ \t]|\n[ \t]*\n")
#: A line of this many characters was broken because it was full.
_WRAPPED = 48


def _sentence_around(folded: FoldedText, start: int, end: int) -> str:
    """Return the sentence or list item of a place, over line breaks too."""
    low = folded.low
    begin, finish = max(0, start - _LONGEST_SENTENCE_SIDE), min(len(low), end + _LONGEST_SENTENCE_SIDE)
    for match in _SENTENCE_END.finditer(low, begin, finish):
        if match.end() <= start:
            begin = match.end()
        elif match.start() >= end:
            finish = match.start()
            break
    line = low.rfind("\n", begin, start) + 1
    if line > begin and line - 1 - max(0, low.rfind("\n", 0, line - 1) + 1) < _WRAPPED:
        begin = line
    last = low.find("\n", end, finish)
    if last >= 0 and last - (low.rfind("\n", 0, start) + 1) < _WRAPPED:
        finish = last
    return low[begin:finish]


GENDER_WORDS = TABLES["gender"]


def is_before_name(folded: FoldedText, _first: int, last: int) -> bool:
    """Say whether a name follows these words in a line of one case.

    >>> from evenhand.masking.layout import folded_text
    >>> lines = "MS NKECHI BELL, HEAD", "MS BELL HAS LED US", "MS FINANCE, YALE", "MS BELL COLLEGE"
    >>> [is_before_name(folded_text(line), 0, 0) for line in lines]
    [True, True, False, False]
    """
    text, words = folded.text, folded.words
    end = words[last][2]
    line = text[text.rfind("\n", 0, end) + 1 : text.find("\n", end) % (len(text) + 1)]
    if last + 1 == len(words) or not (line.isupper() or line.islower()):
        return False
    word, start, after = words[last + 1]
    if text[end:start] not in {" ", ". "} or not heads().isdisjoint(word for word, _, _ in words[last + 1 : last + 5]):
        return False
    word = word.removesuffix("'s")
    known = is_frequent(word) and word not in english_words()
    return known or GENDER_WORDS.person_after.match(folded.low, after) is not None


def with_stroke(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether S/o and D/o are written with their stroke."""
    return folded.low[folded.words[first][2] : folded.words[last][1]] == "/"


def is_wife_of(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is written as W/o, not as w/o or W/O, which mean without."""
    return folded.text[folded.words[first][1] : folded.words[last][2]] == "W/o"


def is_no_ward(folded: FoldedText, first: int, last: int) -> bool:
    """Say whether it is none where a nurse works: `Staff Nurse, Maternity`, not `Nurse, maternity leave`."""
    start = folded.words[first][1]
    ward = GENDER_WORDS.ward_before.search(folded.low, max(0, start - 56), start) is not None
    return not ward or GENDER_WORDS.leave.match(folded.low, folded.words[last][2]) is not None


PEOPLES_WORDS = WordTable("evenhand.masking.categories", "peoples.toml")
ETHNICITY_WORDS = TABLES["ethnicity"]

PeopleKind = Literal["nation", "tongue", "broad", "tribe", "colour", "native"]

_LONGEST_NOUN_PHRASE = 6
_NEAR_PEOPLE = 70
#: Nations in a row that are read as one list, and what is between them.
_LONGEST_LIST = 40
_LIST = frozenset({", ", "/", " / ", " & ", " ", "-", ",\n", " - ", "\n"})
_JOINS = frozenset({"and", "or", "y", "und", "et"})
_FIELDS = frozenset({"field", "abstract", "study"})
#: The earlier items of a list.
_ITEM_BEFORE = lazy_re(r"^[\s\S]*\n(?=[ \t]*(?:[-*\u2022\u25aa>~+\u25a0\u27a2]|\n))")


@cache
def _has_person_cue() -> Callable[[str], object]:
    """Return what looks for words that make a nation before them somebody's: `I am`, `mother was`, `of proud`."""
    return ending(PEOPLES_WORDS.person_before)


@cache
def _heads() -> dict[str, str]:
    return {word: kind for kind, words in ETHNICITY_WORDS.heads.items() for word in words.split()}


@lru_cache(maxsize=8192)
def _kind(word: str) -> str:
    """Return the kind of a noun, "" where it is not known."""
    heads = _heads()
    word = word.removesuffix("'s")
    for end, instead in (("", ""), ("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(end) and (form := word.removesuffix(end) + instead) in heads:
            return heads[form]
    if word.endswith("ed"):
        return "neutral"
    return "agent" if PEOPLES_WORDS.agent.search(word) else "abstract" if PEOPLES_WORDS.abstract.search(word) else ""


@cache
def _names() -> frozenset[str]:
    """Return the names of peoples."""
    phrases = phrases_of("ethnicity")
    return frozenset(PEOPLES_WORDS.also).union(*(phrases[rule] for rule in ("nation", "tongue", "broad", "colour")))


@cache
def _listed() -> frozenset[str]:
    """Return the words that may be in a list of nations (`Chinese, Sri Lankan and other suppliers`)."""
    words = frozenset(word for name in _names() for word in re.split(r"[ -]", name))
    return words.union(("other",)).difference(PEOPLES_WORDS.never_listed)


@cache
def _languages() -> frozenset[str]:
    return frozenset(phrases_of("ethnicity")["tongue"]) | {"english", "arabic", "creole"}


@cache
def _tongues() -> frozenset[str]:
    """Return the peoples' names that are languages' too: as a subject or a language they are a skill."""
    return frozenset(phrases_of("ethnicity")["language"])


def person_check(kind: PeopleKind) -> Callable[[FoldedText, int, int], bool]:
    """Return the check of a name of this kind: whether the words from the first to the last place describe a person.

    >>> from evenhand.masking.layout import folded_text
    >>> texts = ("Kenyan nurses' union", "Kenyan tea", "Kenyan; mobile")
    >>> [person_check("nation")(folded_text(text), 0, 0) for text in texts]
    [True, False, True]
    """
    return partial(_is_of_person, kind)


def _is_of_person(kind: PeopleKind, folded: FoldedText, first: int, last: int) -> bool:
    low, words = folded.low, folded.words
    place, compound = _end_of_list(folded, last)
    earliest = first - _LONGEST_LIST
    while first > earliest and _after_another(folded, first):
        first, compound = first - 1, True
    start, end, final = words[first][1], words[place][2], words[place][0]
    if PEOPLES_WORDS.fixed.match(low, start) is not None or (
        kind == "broad" and not compound and PEOPLES_WORDS.institution.match(low, words[last][2]) is not None
    ):
        return False
    if kind == "colour" and place > last and final not in {"black", "white", "other"}:
        return True  # Black and Asian, Black British
    variety = compound and final in _languages() and words[first][0] not in _languages()
    if variety or (kind == "tribe" and final in _tongues()):
        kind, compound = "tongue", False  # Brazilian Portuguese, American English
    elif compound and kind == "broad":
        kind = "nation"
    kinds = list(_phrase(folded, place))
    answer = _by_nouns(kind, kinds, capital=folded.text[start].isupper() or kind != "colour", compound=compound)
    if answer is not None:
        return answer
    around = low[max(0, start - _NEAR_PEOPLE) : start], low[end : end + _NEAR_PEOPLE]
    return _by_context(kind, *around, noun=kinds[0][0] if kinds else None, compound=compound)


def _by_context(kind: PeopleKind, before: str, after: str, *, noun: str | None, compound: bool) -> bool:
    """Return the answer of the words around where no noun decides; `noun` is the kind of the first."""
    cued = _has_person_cue()(before) is not None
    if noun is None and (cued or PEOPLES_WORDS.origin_after.match(after) is not None):
        return True
    if PEOPLES_WORDS.of_language.search(before) is not None:
        return False
    if noun is not None:  # unknown words in small letters are a person's, in capitals a firm's
        return compound or (noun == "" and cued)
    if kind == "colour":
        return PEOPLES_WORDS.colour_after.match(after) is not None
    alone = kind in {"nation", "native"} or compound
    return alone and PEOPLES_WORDS.menu.search(_ITEM_BEFORE.sub("", before) + " " + after) is None


def _end_of_list(folded: FoldedText, place: int) -> tuple[int, bool]:
    """Return the place of the last nation of a list, and whether two are adjacent (`Turkish German`)."""
    words, listed, compound = folded.words, _listed(), False
    for _ in range(_LONGEST_LIST):
        if place + 1 >= len(words):
            break
        gap = folded.low[words[place][2] : words[place + 1][1]]
        word = words[place + 1][0]
        if gap in _LIST and word in listed:
            compound |= gap in {" ", "-", "/", "\n"} and {word, words[place][0]} <= _names()
            place += 1
        elif gap in {" ", ", ", "\n"} and word in _JOINS and place + 2 < len(words) and words[place + 2][0] in listed:
            place += 2
        else:
            break
    return place, compound


def _after_another(folded: FoldedText, first: int) -> bool:
    """Say whether another nation's name is right before (`Korean-American`)."""
    word, start, end = folded.words[first - 1]
    return (
        first > 0
        and word in _names()
        and folded.text[start].isupper()
        and folded.low[end : folded.words[first][1]] in {" ", "-", "/"}
    )


def _phrase(folded: FoldedText, place: int) -> Iterator[tuple[str, bool]]:
    """Give the kinds of the nouns after a place, and whether each is written with a capital."""
    words = folded.words
    for step in range(place + 1, min(place + 1 + _LONGEST_NOUN_PHRASE, len(words))):
        word, start, _ = words[step]
        gap = folded.low[words[step - 1][2] : start]
        if gap == "-" and word.isdigit():
            continue
        if gap not in PEOPLES_WORDS.inside or not word[0].isalpha():
            return
        if word in _JOINS and step > place + 1:
            continue
        kind = "end" if word in _JOINS else _kind(word)
        if kind == "end":
            if word in {"of", "for"} and step + 1 < len(words) and _kind(words[step + 1][0]) in _FIELDS:
                yield "subject", True  # Indian Council of Medical Research
            return
        yield "thing" if gap == "-" and kind == "neutral" else kind, folded.text[start].isupper()


def _by_nouns(kind: PeopleKind, kinds: list[tuple[str, bool]], *, capital: bool, compound: bool) -> bool | None:  # noqa: PLR0911, C901 - one line per kind of noun
    """Return the answer of the first noun that decides, None without one."""
    field = False
    for place, (noun, title) in enumerate(kinds):
        match noun:
            case "origin" | "person":
                return True
            case "agent" if kind != "colour":
                return True
            case "thing" | "lesson" | "language":
                return False
            case "teacher":
                return kind not in {"tongue", "broad"}
            case "study" if kind == "colour":
                return True
            case "group" | "weak" if (field or kinds[-1][0] == "subject") and not compound:
                return False
            case "group":
                return capital
            case "weak":
                return kind != "colour" and (place > 0 or title)
            case "field" | "study":
                field = True
            case _:
                pass
    return None


#: Characters before a country that decide whether somebody is from there.
_NEAR_COUNTRY = 64


@cache
def _is_after_from() -> Callable[[str], object]:
    return ending(ETHNICITY_WORDS.country_before)


def is_origin(folded: FoldedText, first: int, _last: int) -> bool:
    """Say whether the country at these places is where somebody comes from."""
    start = folded.words[first][1]
    before = folded.low[max(0, start - _NEAR_COUNTRY) : start]
    return ETHNICITY_WORDS.from_words.search(before) is not None and _is_after_from()(before) is not None


FIELD_WORDS = WordTable("evenhand.masking.categories", "fields.toml")

#: What a label asks for, the first that fits: entries `labels_…` for its words, `values_…` for the values that count.
_ASKED = (
    *("name", "pronouns", "title", "residence", "visa", "category", "race", "people", "children", "family", "parental"),
    *("health", "disability", "orientation", "trans", "worship", "faith"),
)
_LONGEST, _LONGEST_SENTENCE = 60, 110
_BRACKETED = frozenset({"ETHNICITY", "RELIGION", "DISABILITY"})


@lru_cache(maxsize=4096)
def category_of(label: str) -> str | None:
    """Return the category of the value after a label, None for other labels.

    >>> [category_of(label) for label in ("current nationality", "marital status", "sex education", "skills")]
    ['ETHNICITY', 'MARITAL', None, None]
    """
    category, rest = None, label
    for name, keyed in (("name", FIELD_WORDS.keyed_name), *((name, table.labels) for name, table in TABLES.items())):
        category = name.upper() if category is None and keyed.search(label) is not None else category
        rest = keyed.sub(" ", rest)
    return category if FIELD_WORDS.label_words.issuperset(FIELD_WORDS.word.findall(rest)) else None


def counts(label: str, value: str) -> bool:
    """Say whether a value counts after a label with a category.

    >>> counts("title", "ms"), counts("title", "engineer"), counts("race", "marathon")
    (True, False, False)
    """
    asked = next((name for name in _ASKED if getattr(FIELD_WORDS, f"labels_{name}").match(label) is not None), None)
    return asked is None or getattr(FIELD_WORDS, f"values_{asked}").match(value) is not None


def in_fields(folded: FoldedText, layout: Layout) -> list[Span]:
    r"""Return the values of labelled details.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Sex: F\nRace: Black")
    >>> [(seen.text[match.start:match.end], match.category) for match in in_fields(seen, layout_of(seen))]
    [('F', 'GENDER'), ('Black', 'ETHNICITY')]
    """
    matches = []
    begun = [*sorted(field.label_start for field in layout.fields), len(folded.low)]
    for field in layout.fields:
        label = FIELD_WORDS.prefix.sub("", field.label, 1)
        category = category_of(label)
        value = folded.low[field.start : field.end]
        if category is None or not value or not counts(label, value):
            continue
        following = min(begun[bisect_right(begun, field.start)], field.end) - field.start
        length = following if " / " not in value[:following] else len(value)
        if "pronoun" in label:
            closing = FIELD_WORDS.after_pronouns
        else:
            closing = FIELD_WORDS.end if category == "NAME" or "title" in label else FIELD_WORDS.line_end
        length = min(length, _end(closing, value, _LONGEST_SENTENCE))
        if length > _LONGEST and FIELD_WORDS.sentence.match(value) is None:
            length = _end(FIELD_WORDS.end, value, _LONGEST)  # a text that has lost its lines
        length = len(value[:length].rstrip(" \t\r.,;"))
        if length and category in _BRACKETED and (more := FIELD_WORDS.in_brackets.match(value, length)) is not None:
            length = more.end()
        if length:
            matches.append(Span(field.start, field.start + length, category, "labelled", 0.95))
    return matches


def _end(closing: re.Pattern[str], value: str, longest: int) -> int:
    end = closing.search(value)
    return min(end.start() if end is not None else len(value), longest)


#: What a rule asks of a phrase's place beside its context, by the name that a table uses.
_CHECKS = {
    "is_candidates": is_candidates,
    "is_origin": is_origin,
    **{kind: person_check(kind) for kind in ("nation", "tongue", "broad", "tribe", "colour", "native")},
    **{check.__name__: check for check in (is_before_name, is_no_ward, is_wife_of)},
    "with_stroke": with_stroke,
}
_PATTERNS = frozenset({"before", "after", "not_before", "not_after", "not_near", "tail", "lead", "value"})


def _part(words: WordTable, name: str, given: Any) -> Any:
    if name == "check":
        return _CHECKS[given]
    if name not in _PATTERNS:
        return given
    table, _, entry = given.rpartition(".")
    return getattr(CANDIDATE_WORDS if table == "candidate" else words, entry)


def _rules(words: WordTable) -> dict[str, Rule]:
    return {
        rule: Rule(**{name: _part(words, name, given) for name, given in parts.items()})
        for rule, parts in words.rules.items()
    }


@cache
def lexicon(*, strict: bool) -> Lexicon:
    """Return the phrases of all personal categories with their rules; `strict` adds those that need --strict."""
    return Lexicon(((name.upper(), _rules(words), phrases_of(name)) for name, words in TABLES.items()), strict=strict)


BIRTH_WORDS = WordTable("evenhand.masking.categories", "dob.toml")

#: Characters before a word of birth that tell who was born; after it to a date's beginning, and to its end.
_TO_BIRTH, _TO_DATE, _DATE_ENDS = 30, 60, 76
_LONGEST_ROW = 160
#: A label that is nearly all of its line has its date in the next one.
_REST = 4


def births(folded: FoldedText, layout: Layout) -> list[Span]:
    """Return births and ages: the date and the place next to it, without the label.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("male, DOB 12/04/1991, at Acme since 04/2012")
    >>> [seen.text[match.start:match.end] for match in births(seen, layout_of(seen))]
    ['12/04/1991']
    """
    low = folded.low
    dates = [*_dates(folded), *(star.span(1) for star in BIRTH_WORDS.star.finditer(low))]
    spans = [part for date in dates for part in parts_in_lines(low, *date)]
    places = (BIRTH_WORDS.birthplace.match(folded.text, end) for _, end in dates)
    spans += [place.span(1) for place in places if place is not None]
    of_labels = (
        (BIRTH_WORDS.birth_label, BIRTH_WORDS.day),
        (BIRTH_WORDS.age_label, BIRTH_WORDS.age_value),
        (BIRTH_WORDS.place_label, BIRTH_WORDS.place),
    )
    for field in layout.fields:
        for label, expected in of_labels:
            value = expected.match(low, field.start, field.end) if label.search(field.label) is not None else None
            spans += [value.span(1)] if value is not None else []
    abroad = not folded.where.keys().isdisjoint(BIRTH_WORDS.age_words_abroad)
    for start, end in _around_ages(folded):  # a sentence is searched near a number only
        spans += [age.span(age.lastindex or 0) for age in BIRTH_WORDS.age_said.finditer(low, start, end)]
        if abroad:
            spans += [age.span(age.lastindex or 0) for age in BIRTH_WORDS.age_abroad.finditer(low, start, end)]
        ages = BIRTH_WORDS.age_of.finditer(folded.text, start, end)
        spans += [age.span(2) for age in ages if is_frequent(age[1].lower())]
        ages = BIRTH_WORDS.age_of_a_worker.finditer(low, start, end)
        spans += [age.span(1) for age in ages if _is_worker(age[2]) or _is_worker(age[3] or "")]
    details = BIRTH_WORDS.row.finditer(low) if not folded.where.keys().isdisjoint(BIRTH_WORDS.row_words) else ()
    rows = {
        (low.rfind("\n", max(0, detail.start() - _LONGEST_ROW), detail.start() + 1) + 1, _line_end(low, detail.end()))
        for detail in details
    }
    for start, end in rows:
        if end - start <= _LONGEST_ROW:
            spans += [detail.span(1) for detail in BIRTH_WORDS.in_row.finditer(low, start, end)]
    return [Span(*span, "DOB", "birth or age", 0.9) for span in spans]


def _around_ages(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield the stretches around numbers of two digits that may be ages, those that meet as one.

    >>> from evenhand.masking.layout import folded_text
    >>> [list(_around_ages(folded_text(text))) for text in ("I am 34, in 2019.", "12 clerks and 34 cooks")]
    [[(0, 17)], []]
    """
    begun = last = 0
    for start in sorted(folded.words[place][1] for place in _ages(folded)):
        if start - _AGE_BEFORE > last:
            if last:
                yield begun, last
            begun = max(0, start - _AGE_BEFORE)
        last = min(len(folded.low), start + _AGE_AFTER)
    if last:
        yield begun, last


def _ages(folded: FoldedText) -> Iterator[int]:
    """Yield the places of numbers with a word of age next to them, or in one word with it: `34yo`."""
    words, beside = folded.words, BIRTH_WORDS.age_words
    for word, places in folded.where.items():
        if word[:2].isdecimal() and not word[2:3].isdecimal():
            for place in places:
                near = words[place - 1 : place] + words[place + 1 : place + 2]
                if len(word) > 2 or any(one[0] in beside for one in near):
                    yield place


#: Characters before and after an age that its patterns read.
_AGE_BEFORE, _AGE_AFTER = 40, 48


def _is_worker(word: str) -> bool:
    """Say whether a word is one person's work: a nurse, a welder; no patient, whom others serve, no veterans."""
    named = is_person_noun(word) or BIRTH_WORDS.worker.fullmatch(word) is not None
    return named and not re.search("[^s]s$", word) and word not in MENTION_WORDS.served


def _line_end(low: str, start: int) -> int:
    return low.find("\n", start) % (len(low) + 1)


def _dates(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield dates after words of birth; a company is born too."""
    low = folded.low
    begun = _begun()
    for word in [word for word in folded.where if word[:2] in begun]:
        short = word in BIRTH_WORDS.birth_short
        if not short and word not in BIRTH_WORDS.birth and not word.startswith(BIRTH_WORDS.birth_begins):
            continue
        for _, start, end in (folded.words[place] for place in folded.where[word]):
            date = _date_after(low, end, short=short)
            is_state = short and BIRTH_WORDS.state.match(folded.text, start - 2) is not None
            if date and not is_state and BIRTH_WORDS.no_person.search(low, max(0, start - _TO_BIRTH), start) is None:
                yield date


@cache
def _begun() -> frozenset[str]:
    """Return the first two letters of words of birth, by which most words are none."""
    words = (*BIRTH_WORDS.birth, *BIRTH_WORDS.birth_short, *BIRTH_WORDS.birth_begins)
    return frozenset(word[:2] for word in words)


def _date_after(low: str, end: int, *, short: bool) -> tuple[int, int] | None:
    r"""Return the date after a word of birth, after a short one only the very next thing; its line's end may break it.

    >>> _date_after("born on 5 december\n1972", 4, short=False), _date_after("b. 3 rooms 1988", 1, short=True)
    ((8, 23), None)
    """
    stretch = low[end : end + _DATE_ENDS].replace("\n", " ", 1).partition("\n")[0]
    date = BIRTH_WORDS.date.search(stretch)
    line = _line_end(low, end) - end
    if date is None or date.start() > _TO_DATE or (line <= date.start() and (short or line >= _REST)):
        return None
    between = stretch[: date.start()]
    if short:
        follows = BIRTH_WORDS.next.fullmatch(between) is not None
    else:
        follows = BIRTH_WORDS.between.fullmatch(between) is not None and BIRTH_WORDS.happened.search(between) is None
    return (end + date.start(), end + date.end()) if follows else None
