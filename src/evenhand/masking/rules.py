"""Lexicon rules: phrases that signal a category, and the contexts in which they count.

All lexicons are one table from the first word of a phrase to its phrases, so that a
text is read once and most words cost one look-up. Contexts are checked only where a
phrase matches.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple

from evenhand.masking.folded_text import FoldedText, ending, folded_word, word_list
from evenhand.masking.names.word_kinds import ordinary_words
from evenhand.masking.personal import PERSONAL
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

RULE_WORDS = WordTable("evenhand.masking", "rules.toml")

_ANY = lazy_re("")
#: Characters before and after a phrase that are its context.
_NEAR = 64
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


class RuleMatch(NamedTuple):
    """A stretch of the normalised text, its category, the rule, and the rule's confidence."""

    start: int
    end: int
    category: str
    rule: str
    confidence: float


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
            right = folded.low[end : end + _NEAR]
            if self.after is not None and self.after.match(right) is None:
                return False
            if self.not_after is not None and self.not_after.match(right) is not None:
                return False
        if self.before is not None or self.not_before is not None:
            left = folded.low[max(0, start - _NEAR) : start]
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
        if self.lead is not None and (lead := self.lead.search(folded.low[max(0, start - _NEAR) : start])) is not None:
            start -= len(lead.group())
        return start, end


def _in_prose(text: str, start: int, end: int) -> bool:
    if not (end - start > 1 and text[start:end].isupper()):
        return True
    around = text[max(0, start - 24) : start] + text[end : end + 24]
    return not any(character.islower() for character in around)


#: The tables of the personal categories by name.
TABLES = MappingProxyType(
    {name: WordTable("evenhand.masking.personal", f"{name}.toml", compiled=pattern) for name in PERSONAL}
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

    def matches(self, folded: FoldedText) -> list[RuleMatch]:
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


def _claim(folded: FoldedText, place: int, start: int, end: int, entries: list[_Entry]) -> RuleMatch | None:
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
            return RuleMatch(
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
    before = _COMPOUND.search(folded.low, max(0, start - _NEAR), start)
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
