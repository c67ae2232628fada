"""How likely a word of a sure name stands for the person, from the words and marks beside it.

Rules say where a name plainly is the person or plainly a word; what they leave open is weighed: a logistic
regression over the neighbouring words, their kinds and the marks around them. `scripts/train_own_name.py`
learns its weights from contexts that tell which it was.
"""

import csv
import math
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from evenhand.patterns import lazy_re
from evenhand.resumes.names.around import AROUND_WORDS
from evenhand.resumes.names.kinds import is_person_noun, kind_of
from evenhand.resumes.names.standing.compounds import OPENS, SMALL_WORD, is_in_a_compound, is_seldom_a_person
from evenhand.resumes.names.standing.sure_names import MENTION_WORDS, is_only_given

__all__ = ["features", "is_likely", "is_possible", "likelihood"]

#: A leak is worse than a word too many, so this likely is enough, in a text without capitals the second; more where
#: the surroundings are a word's rather, and behind another capitalised word: `Burger King`, not `Both King`.
_ENOUGH, _ENOUGH_SMALL, _ENOUGH_FOR_A_WORD, _ENOUGH_IN_A_TITLE = 0.05, 0.08, 0.4, 0.6
#: A word of a name that the caller told is the name unless it is less likely than this. Weighed without the sets they
#: come from, 9 of 6,813 places of people's names are, and 1,501 of 4,934 of ordinary words; the second is for texts
#: without capitals, the third where the surroundings are seldom a person's.
_LEAST, _LEAST_SMALL, _LEAST_SELDOM = 0.001, 0.002, 0.1
#: From here no rule tells that a word is never a person.
_CERTAIN = 0.5
_TITLE = lazy_re(r"(?:'s)?[ ][A-Z]|[ ](?:of|the)\b|:[ ]")
_ARTICLE = lazy_re(r"\b(?:the|an?) $", re.IGNORECASE)


@cache
def _barred() -> dict[str, re.Pattern[str]]:
    return {
        "place": AROUND_WORDS.placed_before,
        "organisation": MENTION_WORDS.barred_organisation,
        "word": MENTION_WORDS.barred_word,
        "month": MENTION_WORDS.barred_month,
    }


#: `the 12th of May`.
_NUMBERED = lazy_re(r"(?<!\d)\d\d?(?:st|nd|rd|th)?(?: of)? $")
_LISTED = lazy_re(r",[ ]([A-Z][\w-]+)")
_SHORT = 5
_TOKEN = lazy_re(r"[A-Za-z'&+/.-]+|\d+|[^\w\s]")
_OPENING = frozenset(".!?:;\"'(-\u2022*|")
_ENDINGS = ("ing", "ed", "ly", "s")
_WIDTH = 25


#: What is called after whoever made it, and no `Ruby 2.0`.
_VERSION = lazy_re(r"[ ](?:v\d+|v?\d+\.\d+(?:\.\d+)?)(?![\w%])(?!\.\d)")


def is_likely(text: str, start: int, end: int, kind: str) -> bool:
    """Say whether a word of a sure name is likely enough the person where rules leave it open.

    A word in small letters is asked about only in a text without capitals.
    """
    left, word, right = _beside(text, start, end)
    if _is_of_ones_own(word, right, kind):
        return True
    likely = likelihood(left, word, right, kind)
    if word[0].islower():
        return likely >= _ENOUGH_SMALL
    if likely < _ENOUGH:
        return False
    if _is_a_word(left, word, right, kind):
        return False
    if _seems_a_word(left, word, right, kind):
        return likely > _ENOUGH_FOR_A_WORD
    return likely > _ENOUGH_IN_A_TITLE or MENTION_WORDS.in_a_title.search(left) is None


def is_possible(text: str, start: int, end: int, kind: str, *, strict: bool) -> bool:
    """Say whether a word of a known name may be the person at all: not `May 2019`, `Paris, TX`, `Mark the date`.

    A word in small letters is asked about only in a text without capitals. `strict`: however unlikely it is.
    """
    left, word, right = _beside(text, start, end)
    if word[0].islower():
        if word in MENTION_WORDS.function_words:
            return not strict and is_likely(text, start, end, kind)
        return strict or _is_of_ones_own(word, right, kind) or likelihood(left, word, right, kind) >= _LEAST_SMALL
    likely = likelihood(left, word, right, kind)
    if likely < _CERTAIN and (_is_a_word(left, word, right, kind) or is_in_a_compound(left, right)):
        return False
    if strict or _is_of_ones_own(word, right, kind):
        return True
    if (
        word.lower() in MENTION_WORDS.function_words
        and OPENS.search(left) is not None
        and SMALL_WORD.match(right) is not None
    ):
        return likely >= _ENOUGH_FOR_A_WORD
    return likely >= (_LEAST_SELDOM if is_seldom_a_person(left, right, kind) else _LEAST)


def _is_of_ones_own(word: str, right: str, kind: str) -> bool:
    if kind in {"word", "short"} and word.istitle() and _VERSION.match(right) is not None:
        return True
    return right[1:2].islower() == word.islower() and MENTION_WORDS.of_ones_own.match(right) is not None


def _beside(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return what stands before a word in its line, the word, and what stands behind."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    right = text[end : min(last if last >= 0 else len(text), end + _SEEN)]
    return text[max(first, start - _SEEN) : start], text[start:end], right


_SEEN = 60


def _is_a_word(left: str, written: str, right: str, kind: str) -> bool:
    """Say whether the surroundings are never a person's: a date, a town and its state, a verb that asks, a degree."""
    opens = OPENS.search(left) is not None
    capitals = (left + right).isupper()
    return (
        (kind == "month" and AROUND_WORDS.dated.match(right) is not None and not right.startswith(" and "))
        or (kind == "month" and _NUMBERED.search(left) is not None)
        or (kind == "place" and AROUND_WORDS.placed.match(right) is not None and not _goes_on_with_a_person(right))
        or (kind in {"organisation", "place"} and MENTION_WORDS.of_firms.match(right) is not None)
        or (
            opens and (MENTION_WORDS.of_skills.match(right) is not None or MENTION_WORDS.asked.match(right) is not None)
        )
        or (MENTION_WORDS.degree.search(left) is not None and not capitals)
        or (len(written) == 2 and written.isupper() and not capitals)  # AI, HR
        or (kind == "tool" and MENTION_WORDS.of_a_tool.match(right) is not None)
        or MENTION_WORDS.attached.match(right) is not None
        or MENTION_WORDS.impersonal.match(right) is not None
    )


def _goes_on_with_a_person(right: str) -> bool:
    """Say whether a list of people goes on behind a word: `Milan, Daisuke and Bo`."""
    following = _LISTED.match(right)
    return following is not None and is_only_given(following.group(1))


def _seems_a_word(left: str, written: str, right: str, kind: str) -> bool:
    """Say whether the surroundings are seldom a person's: after `in` or `at`, in a title, before a label's colon."""
    opens = OPENS.search(left) is not None
    barred = _barred().get(kind)
    return (
        (written.isupper() and len(written) < _SHORT and not (left + right).isupper())  # an abbreviation
        or (barred is not None and barred.search(left.lower()) is not None and not opens)
        or (kind == "month" and right.startswith(" and "))
        or (kind == "tool" and right.startswith("'s "))
        or (kind == "tool" and left.endswith(", ") and _LISTED.match(right) and not _goes_on_with_a_person(right))
        or (opens and written.lower() in MENTION_WORDS.function_words and right[1:2].islower())
        or _TITLE.match(right) is not None
        or _ARTICLE.search(left) is not None
    )


def likelihood(left: str, word: str, right: str, kind: str) -> float:
    """Return how likely it is, from 0 to 1, that a word between `left` and `right` stands for the person.

    A text without capitals tells less, so a word in small letters has weights of its own.

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
    """Yield what describes a place: the two words on each side, their kinds, how the line begins and ends."""
    before, after = _TOKEN.findall(left), _TOKEN.findall(right)
    last, previous = _at(before, -1), _at(before, -2)
    following, second = _at(after, 0), _at(after, 1)
    kinds = [_kind(each) for each in (previous, last, following, second)]
    yield from (f"kind {kind}", f"last {last.lower()}", f"next {following.lower()}", f"kind last {kind} {last.lower()}")
    yield from (f"two before {previous.lower()} {last.lower()}", f"two after {following.lower()} {second.lower()}")
    yield from (f"beside {last.lower()} {following.lower()}", f"kind next {kind} {following.lower()}")
    yield from (f"kinds before {kinds[0]} {kinds[1]}", f"kinds after {kinds[2]} {kinds[3]}")
    yield from (f"kinds beside {kinds[1]} {kinds[2]}", f"last is {kinds[1]}", f"next is {kinds[2]}")
    yield from (f"{kind} after {kinds[1]}", f"{kind} before {kinds[2]}")
    yield from (f"before last {kinds[0]}", f"after next {kinds[3]}")
    yield f"begins {not before}"
    yield f"ends {not after}"
    yield f"opens {not last or last in _OPENING}"
    yield f"quoted {chr(34) in left[-2:]}"
    yield f"capitals {(left + word + right).isupper()}"
    yield f"length {len(left + word + right) // _WIDTH}"
    yield f"number {any(each[0].isdigit() for each in after[:3])}"
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
        return f"capital {kind_of(low)}"
    if is_person_noun(low):
        return "person"
    return next((ending for ending in _ENDINGS if low.endswith(ending)), "small")


@cache
def _weights(*, small: bool) -> dict[str, float]:
    name = "own_name_weights_small.csv" if small else "own_name_weights.csv"
    file = resources.files("evenhand.resumes.names") / name
    with file.open("r", encoding="utf-8") as lines:
        return {row["feature"]: float(row["weight"]) for row in csv.DictReader(lines)}
