"""Decide from the context whether a word of a name that is also another word stands for the person.

Some places are only a name's: a label's value, a line of its own on top, the word after a title. Everywhere else a
logistic regression weighs the neighbouring words, their kinds and the marks around them; `scripts/train_own_name.py`
learns its weights. How likely is enough depends on how sure the name is (`Least`), and on patterns of what is never a
person (`May 2019`, `Paris, TX`, `Mark the date`) or seldom one (`in May`, `Price lists`), which mentions.toml lists.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own import is_name_label
from evenhand.masking.names.parts import AROUND_WORDS, KIND_WORDS
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable, csv_rows

MENTION_WORDS = WordTable("evenhand.masking.names", "mentions.toml")


class Least(NamedTuple):
    """How likely a word must be the person: in general, in a text without capitals, where one is seldom or never."""

    general: float
    small: float
    seldom: float
    never: float


#: Of a name that the caller gave, a leak is worse than a word too many. In cross-validation over words, 9 of 5,827
#: places of people's names are less likely than 0.005, and 730 of 3,355 of ordinary words.
STRICT, GIVEN = Least(0, 0, 0, 0.5), Least(0.005, 0.002, 0.35, 0.5)
OWN, OTHERS = Least(0.025, 0.08, 0.4, 0.999), Least(0.5, 0.5, 0.6, 0.999)
_LEAST_WORDS = 40
#: The largest share of words with a capital in a text without capitals.
_SHARE = 0.02
_SEEN = 60
#: A line that ends before the page does, and from what likelihood a word in small letters opens a sentence as a person.
#: With a verb and its object less is enough.
_SHORT_LINE, _SURE, _CERTAIN, _LIKELY = 20, 0.95, 0.9, 0.5
_OPENS = lazy_re(r"(?:^|[.!?:;\u2022])[ \t*>|-]*$")
_LISTED = lazy_re(r",[ ]([A-Z][\w-]+)")
_SHORT = 5
_MARKS = " \t*_#>|-.,()\"'\u2022\u00b7\r"
_CLOSED_BY = {"(": ")", '"': '"', "\u201c": "\u201d"}
_TOKEN = lazy_re(r"[A-Za-z'&+/.-]+|\d+|[^\w\s]")
_OPENING_MARKS = frozenset(".!?:;\"'(-\u2022*|")
_ENDINGS = ("ing", "ed", "ly", "s")
_WIDTH = 25


def has_no_capitals(folded: FoldedText) -> bool:
    """Say whether a text, not a short one, has so few capitals that a small letter is no evidence."""
    return len(folded.words) >= _LEAST_WORDS and len(folded.capitals) <= _SHARE * len(folded.words)


def kind_of_token(token: str) -> str | None:
    """Return the other kind of a word of a name: word, month, place, tool, organisation or short; None without one.

    >>> [kind_of_token(token) for token in ("june", "grace", "jordan", "ruby", "xu", "okafor")]
    ['month', 'word', 'place', 'tool', 'short', None]
    """
    if token in MENTION_WORDS.weekdays:
        return "month"
    kind = word_kinds.name_words().get(token)
    listed = word_kinds.no_names().get(token)
    if kind is None and (listed or token in word_kinds.ordinary_words() or token in word_kinds.english_words()):
        return listed if listed in {"place", "tool"} else "word"
    return "short" if kind is None and len(token) <= 3 and token.isascii() else kind


def stands_for_person(folded: FoldedText, layout: Layout, place: tuple[int, int], kind: str, least: Least) -> bool:
    """Say whether a word of a person's name stands for the person; `kind` is what else it is, by `kind_of_token`."""
    text, low, (start, end) = folded.text, folded.low, place
    left, word, right = _line_context(text, start, end)
    if not word[0].isupper():
        if MENTION_WORDS.introduced.search(low, max(0, start - 20), start) is not None:
            return True
        if least is OTHERS:
            return False
        return (
            _is_under_label(low, start - len(left))
            or _is_alone(folded, layout, start, end)
            or (MENTION_WORDS.script.match(right) is not None and MENTION_WORDS.script_before.search(left) is not None)
            or (
                _is_after(left.lower(), MENTION_WORDS.by_person, MENTION_WORDS.sure_cue)
                and MENTION_WORDS.clause_ends.match(right) is not None
            )
            or (has_no_capitals(folded) and is_likely(text, start, end, kind, least))
            or (MENTION_WORDS.reach.search(left.lower()) is not None and MENTION_WORDS.reached.match(right) is not None)
            or (least is not OWN and _begins_and_acts(folded, start, end, kind))
            or (least is not OWN and _is_certain(left, word, right, kind))
        )
    return (
        (kind == "short" and word.istitle())  # all English words of three letters are listed
        or (least is not OTHERS and _is_under_label(low, start - len(left)))
        or _is_marked_as_name(folded, layout, place, kind)
        or is_likely(text, start, end, kind, least)
    )


def _is_certain(left: str, word: str, right: str, kind: str) -> bool:
    """Say whether an uncommon word in small letters is hardly anything but a person: `I met john`, `thanks to amy,`."""
    if word in MENTION_WORDS.closed_words or _is_after(left, MENTION_WORDS.seldom_before):
        return False  # of closed_words function_words are a part
    return likelihood(left, word, right, kind) > _SURE


def _begins_and_acts(folded: FoldedText, start: int, end: int, kind: str) -> bool:
    """Say whether a word in small letters begins a line, a sentence or a clause and does there what a person does.

    A job before it counts as a clause's beginning (`nurse hope led`), and a credential behind it as what a person does.
    """
    left, word, right = _line_context(folded.text, start, end)
    function, begins = word in MENTION_WORDS.function_words, _opens_a_text(folded.low, start)
    if begins and _is_credential(right):
        return True
    verb = AROUND_WORDS.verb.match(right)
    acts = verb is not None and (verb.end() == len(right) or _goes_on(right[verb.end() :], MENTION_WORDS.of_a_verb))
    if not (begins or (acts and _SENTENCE_ENDS.search(left) is not None)):
        if word in MENTION_WORDS.before_infinitives:
            function = AROUND_WORDS.past.match(right) is None
        if not acts or function or not (_CLAUSE_BEGINS.search(left) is not None or _is_job(left)):
            return False
        acts = False  # within a sentence
    elif function and not acts and not right.startswith("'s "):
        return False  # `an integrated tool`
    return likelihood(left, word, right, kind) > (_LIKELY if acts else _CERTAIN)


_SENTENCE_ENDS, _CLAUSE_BEGINS = lazy_re(r"[^\W_]{3}[.!?][ ]+$"), lazy_re(r"(?:,|\b(?:19|20)\d\d)[ ]$")
_CREDENTIAL = lazy_re(r"(?:,?[ ]|[ ]\()([A-Z][A-Za-z.]*[A-Z]\b)\.?(?=[ ]*(?:[,.;:|)-]|$))")


def _is_credential(right: str) -> bool:
    """Say whether a degree or another credential goes on after a word, and its clause ends: `, RN`.

    >>> [_is_credential(right) for right in (", RN", " (Ph.D.), Leeds", " BSc students", ", SAP")]
    [True, True, False, False]
    """
    match = _CREDENTIAL.match(right)
    return match is not None and match[1].replace(".", "").lower() in KIND_WORDS.suffixes


def _is_job(left: str) -> bool:
    """Say whether a noun for a person is last in a text, but nobody who is served: `the nurse `, no `patient `."""
    word = left[:-1].rpartition(" ")[2].lower()
    return left.endswith(" ") and word_kinds.is_person_noun(word) and word.rstrip("s") not in MENTION_WORDS.served


def _opens_a_text(low: str, start: int) -> bool:
    r"""Say whether a word begins a text, or a line that doesn't go on from a line before: a short one, or a sentence.

    >>> texts = ("young", "clerk\nyoung", "in many ways we were\nyoung", "a\n\ny")
    >>> [_opens_a_text(text, text.rfind("\n") + 1) for text in texts]
    [True, True, False, True]
    """
    before = low[max(0, start - _SEEN) : start].rstrip(" \t*>|-\u2022")
    if not before.endswith("\n"):
        return not before
    line = before[:-1].rpartition("\n")[2].rstrip()
    return len(line) < _SHORT_LINE or line.endswith((".", "!", "?", ":"))


def _line_context(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return the text before a word in its line, the word, and the text after it."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    right = text[end : min(last if last >= 0 else len(text), end + _SEEN)]
    return text[max(first, start - _SEEN) : start], text[start:end], right


def _is_under_label(low: str, start: int) -> bool:
    """Say whether the line before the one that holds a place is a label such as `Last name`."""
    first = max(0, low.rfind("\n", 0, start))
    return is_name_label(low[low.rfind("\n", 0, first) + 1 : first].strip(_MARKS + ":"))


def _is_alone(folded: FoldedText, layout: Layout, start: int, end: int) -> bool:
    """Say whether the word is a line of its own, apart from an initial, near the top or at the end."""
    low = folded.low
    left, _, right = _line_context(low, start, end)
    if len(left.strip(_MARKS)) > 1 or right.strip(_MARKS):
        return False
    before = start - len(left)
    previous = low[max(0, before - 60) : before].rstrip(" >|\n\t").rpartition("\n")[2].strip(" >|*")
    if MENTION_WORDS.closing.match(previous) is not None:
        return True
    lines = layout.lines
    near_top = len(lines) > 2 and start <= lines[min(3, len(lines) - 1)].start
    return near_top or (bool(lines) and end >= lines[-2 if len(lines) > 1 else -1].start)


def _is_marked_as_name(folded: FoldedText, layout: Layout, place: tuple[int, int], kind: str) -> bool:
    """Say whether a label, brackets, a title, a citation or a line of its own make a capitalised word a name."""
    start, end = place
    left, _, right = _line_context(folded.text, start, end)
    low = left.lower()
    number = bisect_right(layout.fields, start, key=attrgetter("start")) - 1
    if number >= 0 and start < (field := layout.fields[number]).end and is_name_label(field.label):
        return True
    if left[-1:] in _CLOSED_BY and right[:1] == _CLOSED_BY[left[-1]]:
        return kind in {"word", "short"} or left[-1:] != "("  # a nickname in brackets or quotes
    if not left.strip(_MARKS):
        if not right.strip(_MARKS) and (kind not in {"tool", "month"} or _is_alone(folded, layout, start, end)):
            return True
        if MENTION_WORDS.on_a_page.match(right) is not None or (right[:1] == ":" and "\nq:" in folded.low):
            return True  # a footer, or whoever answers in an interview
    return (
        (MENTION_WORDS.introduced.search(low) is not None and MENTION_WORDS.clause_ends.match(right) is not None)
        or MENTION_WORDS.title.search(folded.low, max(0, start - 24), start) is not None
        or MENTION_WORDS.sure_cue.search(low) is not None
        or MENTION_WORDS.signed.search(left) is not None
        or (MENTION_WORDS.reach.search(low) is not None and MENTION_WORDS.reached.match(right) is not None)
        or (kind != "month" and MENTION_WORDS.cited.match(right) is not None)
        or (MENTION_WORDS.called.search(left) is not None and not right[1:2].isupper())
        or (kind in {"word", "short"} and MENTION_WORDS.goes_with.match(right) is not None)
    )


def is_likely(text: str, start: int, end: int, kind: str, least: Least = OWN) -> bool:
    """Say whether a word of a name is likely enough the person.

    Call it for a word in small letters only in a text without capitals.
    """
    left, word, right = _line_context(text, start, end)
    likely = likelihood(left, word, right, kind)
    if word.islower():
        if word in MENTION_WORDS.function_words:
            return likely >= OWN.small and least is not STRICT
        return likely >= least.small
    if _is_a_word(left, word, right, kind):
        return likely >= least.never
    return likely >= (least.seldom if _seems_a_word(left, word, right, kind) else least.general)


def _goes_on(right: str, *patterns: re.Pattern[str] | None) -> bool:
    return any(pattern is not None and pattern.match(right) is not None for pattern in patterns)


def _is_after(left: str, *patterns: re.Pattern[str] | None) -> bool:
    return any(pattern is not None and pattern.search(left) is not None for pattern in patterns)


def _is_a_word(left: str, word: str, right: str, kind: str) -> bool:
    """Say whether the surroundings are never a person's: a date, a town and its state, a verb that asks, a degree."""
    if _goes_on_with_a_person(right):
        return False
    capitals, opens = (left + right).isupper(), _OPENS.search(left) is not None
    after = MENTION_WORDS.never_after, getattr(MENTION_WORDS, f"never_after_{kind}", None)
    before = MENTION_WORDS.never_before, getattr(MENTION_WORDS, f"never_before_{kind}", None)
    return (
        _goes_on(right, *after, MENTION_WORDS.never_after_opening if opens else None)
        or _goes_on(word + right, MENTION_WORDS.never_phrase, MENTION_WORDS.never_opening if opens else None)
        or _is_after(left, *before, None if capitals else MENTION_WORDS.degree)
        or (len(word) == 2 and word.isupper() and not capitals)  # AI, HR
    )


def _goes_on_with_a_person(right: str) -> bool:
    """Say whether a list of people goes on after a word: `Milan, Daisuke and Bo`."""
    following = _LISTED.match(right)
    return following is not None and _is_only_given(following.group(1).lower())


def _is_only_given(word: str) -> bool:
    """Say whether a word is a given name and no town, tool or word.

    >>> _is_only_given("daisuke"), _is_only_given("paris")
    (True, False)
    """
    return word in word_kinds.given_names() and word_kinds.kind_of(word) == "name" and word not in word_kinds.no_names()


def _seems_a_word(left: str, word: str, right: str, kind: str) -> bool:
    """Say whether the surroundings are seldom a person's: after `in` or `at`, in a title, before a label's colon."""
    opens, small = _OPENS.search(left) is not None, right[:1] == " " and right[1:2].islower()
    after = MENTION_WORDS.seldom_after, getattr(MENTION_WORDS, f"seldom_after_{kind}", None)
    acts = _goes_on(right, MENTION_WORDS.goes_on, AROUND_WORDS.verb, AROUND_WORDS.does)
    return (
        (word.isupper() and len(word) < _SHORT and not (left + right).isupper())  # an abbreviation
        or _goes_on(right, *after)
        or _is_after(left, MENTION_WORDS.seldom_before)
        or (kind == "tool" and left.endswith(", ") and _LISTED.match(right) is not None)
        or (opens and small and (word.lower() in MENTION_WORDS.function_words or (kind in _AT_FIRST and not acts)))
        or (
            not opens
            and _is_after(left.lower(), getattr(MENTION_WORDS, f"seldom_before_{kind}", None))
            and not _is_after(left, MENTION_WORDS.of_people)
        )
    )


#: Words that begin a sentence as a verb or before a noun: `Price lists`, `June sales`.
_AT_FIRST = frozenset({"word", "month"})


def likelihood(left: str, word: str, right: str, kind: str) -> float:
    """Return how likely it is, from 0 to 1, that a word between `left` and `right` stands for the person.

    A text without capitals has fewer cues, so words in small letters have separate weights.

    >>> likelihood("Every client asked for ", "May", " by name, twice.", "month") > 0.5
    True
    >>> likelihood("Opened in ", "May", " 2019 with two nurses", "month") < 0.1
    True
    >>> likelihood("every client asked for ", "may", " by name, twice.", "month") > 0.5
    True
    """
    weights = _weights(small=word.islower())
    score = sum(weights.get(feature, 0.0) for feature in features(left, word, right, kind))
    return 1 / (1 + math.exp(-score - weights["intercept"]))


def features(left: str, word: str, right: str, kind: str) -> Iterator[str]:
    """Yield the features of a place: the two words on each side, their kinds, how the line begins and ends."""
    before, after = _TOKEN.findall(left), _TOKEN.findall(right)
    last, previous = _at(before, -1), _at(before, -2)
    following, second = _at(after, 0), _at(after, 1)
    kinds = [_kind(token) for token in (previous, last, following, second)]
    yield from (f"kind {kind}", f"last {last.lower()}", f"next {following.lower()}", f"kind last {kind} {last.lower()}")
    yield from (f"two before {previous.lower()} {last.lower()}", f"two after {following.lower()} {second.lower()}")
    yield from (f"beside {last.lower()} {following.lower()}", f"kind next {kind} {following.lower()}")
    yield from (f"kinds before {kinds[0]} {kinds[1]}", f"kinds after {kinds[2]} {kinds[3]}")
    yield from (f"kinds beside {kinds[1]} {kinds[2]}", f"last is {kinds[1]}", f"next is {kinds[2]}")
    yield from (f"{kind} after {kinds[1]}", f"{kind} before {kinds[2]}")
    yield from (f"before last {kinds[0]}", f"after next {kinds[3]}")
    yield f"begins {not before}"
    yield f"ends {not after}"
    yield f"opens {not last or last in _OPENING_MARKS}"
    yield f"quoted {chr(34) in left[-2:]}"
    yield f"capitals {(left + word + right).isupper()}"
    yield f"length {len(left + word + right) // _WIDTH}"
    yield f"number {any(token[0].isdigit() for token in after[:3])}"
    if word.lower() in MENTION_WORDS.function_words:
        yield from (f"function {word.lower()}", f"function {word.lower()} {following[-2:].lower()}")
    if following.islower():
        yield f"ending {following[-3:]}"


def _at(tokens: list[str], place: int) -> str:
    return tokens[place] if -len(tokens) <= place < len(tokens) else ""


def _kind(token: str) -> str:
    """Return a token's kind: a mark, a number, a capitalised word's kind, a person, or a small word's ending."""
    if not token or not token[0].isalpha():
        return "none" if not token else "number" if token[0].isdigit() else "mark"
    low = token.lower().strip(".'")
    if token[0].isupper():
        return f"capital {word_kinds.kind_of(low)}"
    if word_kinds.is_person_noun(low):
        return "person"
    return next((ending for ending in _ENDINGS if low.endswith(ending)), "small")


@cache
def _weights(*, small: bool) -> dict[str, float]:
    name = "own_name_weights_small.csv" if small else "own_name_weights.csv"
    return {feature: float(weight) for feature, weight in csv_rows("evenhand.masking.names", name)}
