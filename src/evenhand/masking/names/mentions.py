"""Find where the names of a document are mentioned in a text, and say whether a word there stands for the person.

Every token of a name is searched throughout: by itself, joined, spaced out. Tokens side by side, with initials,
particles, a nickname or a middle name among them, are one mention. A token that is also a word, a month, a place or a
tool counts only where it is used as a name. Some places are only a name's: a label's value, a line of its own on top,
the word after a title. Everywhere else a logistic regression weighs the neighbouring words, their kinds and the marks
around them; `scripts/train_own_name.py` learns its weights. How likely is enough depends on how sure the name is
(`Least`), and on patterns of what is never a person (`May 2019`, `Paris, TX`, `Mark the date`) or seldom one (`in May`,
`Price lists`), which mentions.toml lists.

Transcripts and hasty forms have no capitals. `with_capitals` adds them to frequent names, and to unknown words and
initials next to these.

A name that the caller gave is found as it is typed: its words in any case, whatever a name usually looks like. A word
that is nothing else (`venkatesan`) is the name wherever it stands. One that is also an ordinary word, a month or a
place (`Will`, `May`), or belongs to many names (`van`, an initial), is it here next to the name's other words in their
order, behind a name's label or a greeting, in the name of a CV's file, and written as no word is. What stays of it is
counted by `ordinary_uses`.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from evenhand.data.folding import latin_letters
from evenhand.masking.layout import FoldedText, Layout, folded_text
from evenhand.masking.names import word_kinds
from evenhand.masking.names.others import single_places
from evenhand.masking.names.own import is_name_label
from evenhand.masking.names.word_kinds import AROUND_WORDS, KIND_WORDS, PARTICLES, Name, Names, is_frequent
from evenhand.masking.pronouns import Span
from evenhand.patterns import WordTable, csv_rows, lazy_re

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

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("i kept the books with amina kulkarni and dr. j. nowak of the mill. " * 4)
    >>> with_capitals(seen).text[:63]
    'i kept the books with Amina Kulkarni and dr. J. Nowak of the mi'
    """
    if not has_no_capitals(folded):
        return folded
    places = {
        place
        for word, found in folded.where.items()
        if word_kinds.is_frequent(word) and _is_only_a_name(word)
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


def name_mentions(folded: FoldedText, layout: Layout, names: Names, *, strict: bool = False) -> list[Span]:
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
        Span(start=start, end=end, category="NAME", rule=rule, confidence=confidence)
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


_CONNECTING_WORDS = (
    r"(?:(?:formerly|previously|also)(?:\s+known\s+as)?|known\s+as|n\u00e9e?|geb\.|a\.?k\.?a\.?|f\.?k\.?a\.?"
    r"|alias)[:,]?"
)
#: Between two names of one person, in small letters; nothing else of a given name is left out.
_CONNECTING = lazy_re(rf"(?<=\w)[,;]?\s+\(?{_CONNECTING_WORDS}\s+(?=\w)")
_ONLY_CONNECTING = lazy_re(rf"\W*{_CONNECTING_WORDS}\W*", re.IGNORECASE)
#: What stands between words of one name: blanks, a mark of handles and file names, a line's end.
_GAP = lazy_re(r"[ \t\u00a0]{1,4}|[-_.'+]|[ ]?\n[ ]?|%20|[ ]?[(\"'][ ]?|[)\"'][ ]?")
#: How summaries name the count of `ordinary_uses`.
ORDINARY = "words of given names left as ordinary words"
_SHORTEST_INSIDE = 5
_APOSTROPHES = str.maketrans("", "", "'")


@dataclass(frozen=True)
class GivenName:
    """The words of a given name in their order, folded; `sure` are those that are nothing else."""

    words: tuple[str, ...]
    sure: frozenset[str]
    weak: frozenset[str]

    @property
    def ordinary(self) -> frozenset[str]:
        """The words that are ordinary words as well."""
        return frozenset(self.words) - self.sure - self.weak


def names_given(text: str) -> list[str]:
    """Return the names in a given one: `Sara Holm` and `Sara Lind` of `Sara Holm, formerly Sara Lind`.

    >>> names_given("Sara Holm also known as Sara Lind"), names_given("Max Born")
    (['Sara Holm', 'Sara Lind'], ['Max Born'])
    """
    return [name.strip() for name in _CONNECTING.split(text) if name.strip()]


@lru_cache(maxsize=4096)
def given_name(text: str) -> GivenName:
    """Return the words of a given name.

    >>> given_name("Meer, Will").words
    ('will', 'meer')
    >>> name = given_name("Will van der Meer")
    >>> name.words, sorted(name.sure), sorted(name.ordinary)
    (('will', 'van', 'der', 'meer'), ['meer'], ['will'])
    >>> sorted(given_name("Van Tran").weak), sorted(given_name("van der Meer").weak)
    ([], ['der', 'van'])
    """
    words: list[str] = []
    last, comma, first = text.partition(", ")
    for word, _, _ in folded_text(f"{first} {last}" if comma else text).words:
        pieces = [_key(word), *(piece for piece in word.split("'") if len(piece) > 2)] if "'" in word else [_key(word)]
        words += [piece for piece in dict.fromkeys(pieces) if piece and not piece.isdecimal()]
    weak = _particles(words) | {word for word in words if len(word) == 1 and word.isascii()}
    weak |= KIND_WORDS.titles.intersection(words[:1]) | KIND_WORDS.suffixes.intersection(words[2:])
    if weak.issuperset(words):
        weak = frozenset()
    sure = frozenset(word for word in words if word not in weak and kind_of_token(word) is None)
    return GivenName(tuple(words), sure, weak)


def _particles(words: list[str]) -> frozenset[str]:
    """Return the particles in a name; one alone that begins or ends it is its first or last name: Van Tran, Ana Le."""
    particles = PARTICLES.intersection(words)
    for end, next_to_it in (words[:2], words[:-3:-1]) if len(words) > 1 else ():
        if next_to_it not in particles:
            particles -= {end}
    return particles


def has_words(text: str) -> bool:
    """Say whether a given name has a word of two letters, or a letter of a script without blanks.

    >>> [has_words(text) for text in ("An Do", "明", "J.", "née", "Also known as")]
    [True, True, False, False, False]
    """
    if _ONLY_CONNECTING.fullmatch(text) is not None:
        return False
    return any(len(word) > 1 or not word.isascii() for word in given_name(text).words)


def _key(word: str) -> str:
    return latin_letters(word.removesuffix("'s").translate(_APOSTROPHES)).lower()


def _given_places(folded: FoldedText, words: Iterable[str]) -> dict[int, str]:
    """Return the places in a text's words of those looked for, and the word."""
    wanted = set(words)
    places = {place: word for word in wanted for place in folded.where.get(word, ())}
    others = set(folded.elided)
    if folded.foreign:
        others |= {place for word, found in folded.where.items() if not word.isascii() for place in found}
    places.update((place, key) for place in others if (key := _key(folded.words[place][0])) in wanted)
    return places


def _is_name_compound(word: str, form: str) -> bool:
    """Say whether a word with a name inside is neither an ordinary one nor another name: `okaforcv`, not `johnston`.

    In the middle of a word a name counts only next to a title, digits and the like: `mrokaforjr`.

    >>> [_is_name_compound(*pair) for pair in (("okaforcv", "okafor"), ("martinez", "martin"), ("abnormal", "norma"))]
    [True, False, False]
    >>> [_is_name_compound(word, "okafor") for word in ("mrokaforjr", "cvokafor2023", "exokafored", "okafors")]
    [True, True, False, True]
    """
    before, _, after = (part.strip("0123456789_") for part in word.partition(form))
    return (
        word != form
        and "'" not in word
        and len(form) >= _SHORTEST_INSIDE
        and kind_of_token(word) is None
        and not is_frequent(word)
        and (not before or not after or before in MENTION_WORDS.before_names)
    )


def given_places(folded: FoldedText, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of each place that is certainly a given name.

    >>> seen = folded_text("harish VENKATESAN, of Will young: will Young's venkatesan will?")
    >>> [seen.text[start:end] for start, end in given_places(seen, ["Harish venkatesan", "Will Young"])]
    ['harish VENKATESAN', 'venkatesan', 'Will young', 'will Young']
    """
    for text in names:
        name = given_name(text)
        for form in name.sure:
            holding = [word for word in folded.where if form in word and _is_name_compound(word, form)]
            yield from (folded.words[place][1:] for word in holding for place in folded.where[word])
        for run in _runs(folded, name):
            if _is_name(folded, name, run):
                word, _, end = folded.words[run[-1]]
                yield folded.words[run[0]][1], end - 2 * word.endswith("'s")


def _runs(folded: FoldedText, name: GivenName) -> Iterator[list[int]]:
    """Yield the longest stretches of a text's words that follow each other as in a name."""
    places = _given_places(folded, name.words)
    following = set(pairwise(name.words))
    run: list[int] = []
    for place in [*sorted(places), -1]:
        goes_on = run and place == run[-1] + 1 and (places[run[-1]], places[place]) in following
        if run and not (goes_on and not _is_apart(folded, place)):
            yield run
            run = []
        run.append(place)


def _is_apart(folded: FoldedText, place: int) -> bool:
    """Say whether a word is apart from the one before it, over a line's end also where one has no capital."""
    (_, before, end), (_, start, _) = folded.words[place - 1 : place + 1]
    gap = folded.text[end:start]
    return _GAP.fullmatch(gap) is None or ("\n" in gap and not (folded.text[before] + folded.text[start]).isupper())


def _is_name(folded: FoldedText, name: GivenName, run: list[int]) -> bool:
    """Say whether words in a name's order are the name: one that is nothing else, two of it, or one in its place."""
    words = [_key(folded.words[place][0]) for place in run]
    start, end = folded.words[run[0]][1], folded.words[run[-1]][2]
    if not name.sure.isdisjoint(words):
        return len(words) > 1 or MENTION_WORDS.before_towns.search(folded.text, max(0, start - 7), start) is None
    if name.ordinary.isdisjoint(words):
        return False
    if len(words) > 1:
        ordinary = folded.text[start:end].islower() and MENTION_WORDS.closed_words.issuperset(words)
        return not ordinary or _is_apart_in_line(folded.text, start, end)
    oddly = _is_written_oddly(folded.text[start:end])
    return oddly or _is_labelled(folded, start) or _is_in_file_name(folded, start, end)


def _is_written_oddly(written: str) -> bool:
    """Say whether nobody writes an ordinary word so: in letters that look like its own, or with a capital inside.

    >>> [_is_written_oddly(written) for written in ("w\u0456ll", "wILL", "wiLl's", "Will's", "WILL")]
    [True, True, True, False, False]
    """
    written = written.removesuffix("'s")
    return not written.isascii() or not (written.islower() or written.isupper() or written.istitle())


def _is_in_file_name(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether a word is part of the name of a CV's file, with marks between: `will_cv.docx`."""
    before, after = MENTION_WORDS.file_before, MENTION_WORDS.file_after
    return after.match(folded.low, end) is not None or before.search(folded.low, max(0, start - 20), start) is not None


def _is_labelled(folded: FoldedText, start: int) -> bool:
    """Say whether a name's label or a greeting is before a word in its line: `First name: will`, `Dear grace,`."""
    label = _LABEL.search(folded.low, max(folded.low.rfind("\n", 0, start) + 1, start - 60), start)
    return label is not None and (label[1] is None or is_name_label(" ".join(label[1].replace("_", " ").split())))


#: A label with its mark, a tab or blanks, or a greeting, at the end of what precedes a name.
_LABEL = lazy_re(
    r"(?:([a-z\u00e0-\u024f][a-z\u00e0-\u024f '()/_.-]{1,40}?)[\"'*]{0,2}(?:[ \t]*[:=|\t]|[ ]{2})[ \t|\"'*]*"
    r"|(?<![\w-])(?:dear|hi|hello|hey)[ ])$"
)


def _is_apart_in_line(text: str, start: int, end: int) -> bool:
    """Say whether words are a line, set apart in it by marks, a clause's end after `by`, or begin one and act."""
    before, after = text[max(0, start - 8) : start].rpartition("\n")[2], text[end : end + 8].partition("\n")[0]
    follows = "-" if _DASH.match(after) is not None else after.strip(" \t*_-")[:1]
    if _BY.search(before) is not None:
        return follows in _SET_APART or follows in _CLAUSE_ENDS
    last = before.strip(" \t#*>_-")[-1:]
    if last in _SET_APART and (follows in _SET_APART or follows == "-"):
        return True
    return (last in _SET_APART or last in _CLAUSE_ENDS) and AROUND_WORDS.verb.match(text, end) is not None


_SET_APART = frozenset(["", ":", "|", ",", "(", "<", "\u2022", "/"])
_CLAUSE_ENDS = frozenset("-.;!?)")
_BY, _DASH = lazy_re(r"(?<!\w)by[ ]$", re.IGNORECASE), lazy_re(r"[ ][-\u2013\u2014][ ]")


def given_mentions(folded: FoldedText, names: Iterable[str]) -> list[Span]:
    """Return the places of given names as matches of a rule."""
    return [
        Span(start=start, end=end, category="NAME", rule="given name", confidence=1.0)
        for start, end in given_places(folded, names)
    ]


def ordinary_uses(text: str, names: Iterable[str]) -> int:
    """Return how often words of given names stand in a masked text as ordinary words.

    >>> ordinary_uses("[NAME] will lead the [NAME] will", ["Will Young"])
    2
    """
    words = frozenset(word for name in names for word in given_name(name).ordinary)
    return len(_given_places(folded_text(text), words)) if words else 0
