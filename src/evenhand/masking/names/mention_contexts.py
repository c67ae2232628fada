"""Decide from the context whether a word of the person's name stands for the person.

Rules decide where a word is plainly the name or plainly another word: a sentence's first word (`Will you`,
`Mark the date`), a month with its year, a town after `in`, a tool in a list, a longer title (`Grace Period`,
`JPMorgan Chase`). The open cases are weighed by a logistic regression over the neighbouring words, their
kinds and the marks around them; `scripts/train_own_name.py` learns its weights.

For a name given by the user, or confirmed by an address or a label, a leak is worse than a word too many.
Each rule for such names was counted in 6,813 contexts of people's names first (docs/design/masking.md).
"""

import csv
import math
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own_places import is_name_label
from evenhand.masking.names.parts import AROUND_WORDS
from evenhand.masking.names.prose import FULL_LINE
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

MENTION_WORDS = WordTable("evenhand.masking.names", "mentions.toml")


def is_only_given(word: str) -> bool:
    """Say whether a word is a given name and no town, tool or word.

    >>> is_only_given("Daisuke"), is_only_given("Paris")
    (True, False)
    """
    return (
        word.lower() in word_kinds.given_names()
        and word_kinds.kind_of(word.lower()) == "name"
        and word.lower() not in word_kinds.no_names()
    )


#: The text before the first word of a sentence, and a word in small letters after one.
OPENS = lazy_re(r"(?:^|[.!?:;\u2022])[ \t*>|-]*$")
SMALL_WORD = lazy_re(r"[ ][a-z]")

SONS = lazy_re(r"[ ](?:&|and)[ ](?:Sons?|Daughters?)\b")
_A_OR_AN = lazy_re(r"\ban? $", re.IGNORECASE)
_LISTED_CAPITAL = lazy_re(r",[ ][A-Z]")
_OF = lazy_re(r"[ ]of\b")


@cache
def _before() -> dict[str, re.Pattern[str]]:
    return {
        "month": MENTION_WORDS.before_month,
        "place": MENTION_WORDS.before_place,
        "tool": lazy_re(r"\b(?:in|using|wrote|from) $", re.IGNORECASE),
        "organisation": lazy_re(r"\b(?:at|joined|left|banks?|acquired by) $", re.IGNORECASE),
    }


def is_in_a_compound(left: str, right: str) -> bool:
    """Say whether a word is part of a place's, a school's or a firm's name.

    >>> is_in_a_compound("Studied at ", " College, New York"), is_in_a_compound("", " Lane, nurse")
    (True, False)
    """
    return MENTION_WORDS.place_after.match(right) is not None or MENTION_WORDS.place_before.search(left) is not None


def is_seldom_a_person(left: str, right: str, kind: str) -> bool:
    """Say whether the context of a word is seldom a person's: `in May`, `Price lists`, `Dean of Students`.

    >>> [is_seldom_a_person(left, " and Egypt", "place") for left in ("flights to ", "thanks to ")]
    [True, False]
    """
    if _A_OR_AN.search(left) is not None or _OF.match(right) is not None:
        return True
    opens = OPENS.search(left) is not None
    if opens and kind in {"word", "month"} and SMALL_WORD.match(right) is not None:
        return not any(
            goes_on.match(right) is not None
            for goes_on in (AROUND_WORDS.verb, AROUND_WORDS.does, MENTION_WORDS.goes_on)
        )
    if kind == "tool" and _LISTED_CAPITAL.match(right) is not None:
        return True
    before = _before().get(kind)
    return (
        before is not None
        and not opens
        and before.search(left) is not None
        and MENTION_WORDS.of_people.search(left) is None
    )


#: A leak is worse than a word too many, so this likely is enough, in a text without capitals the second; more where
#: the surroundings are a word's rather, and after another capitalised word: `Burger King`, not `Both King`.
_ENOUGH, _ENOUGH_SMALL, _ENOUGH_FOR_A_WORD, _ENOUGH_IN_A_TITLE = 0.05, 0.08, 0.4, 0.6
#: A word of a known name is the name unless it is less likely than this. In cross-validation, 9 of 6,813 places of
#: people's names are, and 1,501 of 4,934 of ordinary words; the second is for texts
#: without capitals, the third where the surroundings are seldom a person's.
_LEAST, _LEAST_SMALL, _LEAST_SELDOM = 0.001, 0.002, 0.1
#: Above this no rule excludes the person.
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
_DAY_BEFORE = lazy_re(r"(?<!\d)\d\d?(?:st|nd|rd|th)?(?: of)? $")
_LISTED_NAME = lazy_re(r",[ ]([A-Z][\w-]+)")
_SHORT = 5
_TOKEN = lazy_re(r"[A-Za-z'&+/.-]+|\d+|[^\w\s]")
_OPENING_MARKS = frozenset(".!?:;\"'(-\u2022*|")
_ENDINGS = ("ing", "ed", "ly", "s")
_WIDTH = 25


#: A version: `Ruby 2.0` is the tool.
_VERSION = lazy_re(r"[ ](?:v\d+|v?\d+\.\d+(?:\.\d+)?)(?![\w%])(?!\.\d)")


def is_likely(text: str, start: int, end: int, kind: str) -> bool:
    """Say whether a word of a sure name is likely enough the person where rules leave it open.

    Call it for a word in small letters only in a text without capitals.
    """
    left, word, right = _line_context(text, start, end)
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

    Call it for a word in small letters only in a text without capitals. `strict`: however unlikely it is.
    """
    left, word, right = _line_context(text, start, end)
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


def _line_context(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return the text before a word in its line, the word, and the text after it."""
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
        or (kind == "month" and _DAY_BEFORE.search(left) is not None)
        or (kind == "place" and AROUND_WORDS.placed.match(right) is not None and not _goes_on_with_a_person(right))
        or (kind in {"organisation", "place"} and MENTION_WORDS.of_firms.match(right) is not None)
        or (
            opens
            and (
                MENTION_WORDS.of_skills.match(right) is not None or MENTION_WORDS.object_after.match(right) is not None
            )
        )
        or (MENTION_WORDS.degree.search(left) is not None and not capitals)
        or (len(written) == 2 and written.isupper() and not capitals)  # AI, HR
        or (kind == "tool" and MENTION_WORDS.of_a_tool.match(right) is not None)
        or MENTION_WORDS.attached.match(right) is not None
        or MENTION_WORDS.impersonal.match(right) is not None
    )


def _goes_on_with_a_person(right: str) -> bool:
    """Say whether a list of people goes on after a word: `Milan, Daisuke and Bo`."""
    following = _LISTED_NAME.match(right)
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
        or (kind == "tool" and left.endswith(", ") and _LISTED_NAME.match(right) and not _goes_on_with_a_person(right))
        or (opens and written.lower() in MENTION_WORDS.function_words and right[1:2].islower())
        or _TITLE.match(right) is not None
        or _ARTICLE.search(left) is not None
    )


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
    file = resources.files("evenhand.masking.names") / name
    with file.open("r", encoding="utf-8") as lines:
        return {row["feature"]: float(row["weight"]) for row in csv.DictReader(lines)}


_ENDS = lazy_re(r"[.,;:!?)\"']|$")
_COMPOUND = lazy_re(r"[A-Z][\w'-]+[ ](?:and|&)[ ]$")
_SENTENCE_END = lazy_re(r"(?:^|[\t.!?:;\"(|>\u2022*\u00b7#~\u2190-\u2bff]|^[ \t]*(?:[-\d.)]+|o)|[ ]-)[ \t*_]*$")
_PREVIOUS = lazy_re(r"([^\W_][\w'&+./-]*)[ \t]{1,2}$")
_NEXT = lazy_re(r"[ ]([^\W\d_][\w'-]*)")
_MODALS = frozenset({"will", "may", "can", "might", "must"})
_NOUN = lazy_re(r"[ ](?!(?:of|and|or|to|in|for|is|was|has|as|at|on|by)\b)[a-z]{3,}")
_POSSESSED = lazy_re(r"[ ][a-z]+'s\b")
_SINGULAR = lazy_re(r"[ ](?:is|was|has|had|[a-z]{2,}(?:[^su]s|es)|[a-z]{3,}ed)[ ]")
_FROM = lazy_re(r"[ ]from[ ][A-Z]")
_PRONOUNS = frozenset("he she you it we they i".split())  # noqa: SIM905 - a list of words
_SMALL_INITIAL = lazy_re(r"(?<!\w)[a-z]\.?[ ]$")
_FORMAL = lazy_re(r"(?:,?[ ]|[ ]\()(?:RN|MD|MBA|PhD|Ph\.D|CPA|MSc|BSc|PMP|Esq|Jr|Sr|II|III|MSN|BSN|JD|PE|CFA)\b")
_ITEM = lazy_re(r"[A-Z0-9][\w.+# -]{2,24}[,;/|\u2022][ ]?$")
_ITEM_NEXT = lazy_re(r"[ ]?[,;/|\u2022][ ]?[A-Z0-9]|[ ](?:and|&|or)[ ][A-Z]")
_CAPITAL_AFTER = lazy_re(r"[ ][A-Z][a-z]+")
_APART = lazy_re(r",|[.!?]|[ ](?:and|but|-)[ ]|$")
_INTRODUCED = lazy_re(r"\b(?:i'm|i am|name is|call me|m[rsx]s?\.?|miss|dr\.?)[ ]$")
_PAGE_NUMBER = lazy_re(r"[ ]+\d{1,2}[ ]?/[ ]?\d{1,2}$")
_REACHED = lazy_re(r"[ ](?:(?:on|at|via|under)[ ])?(?:[+(]?\d|[\w.]+@)")
#: A page's footer: `Gold - Page 2 of 2`, `Gold 2/3`.
_ON_A_PAGE = lazy_re(
    r"[ ]*[-|,\u2022][ ]*(?:page|p\.|cv|resume|curriculum|continued|\d+[ ]?(?:/|of)[ ]?\d)|[ ]/[ ]\d+$"
    r"|[ ](?:cv|resume)(?:[ ](?:19|20)\d\d)?(?:[ ]\[?\d+\]?)?$",
    re.IGNORECASE,
)
_NAMED_TAG = lazy_re(r"name[^<>]*>$", re.IGNORECASE)
_SET_APART = lazy_re(r"[ ]*[|\u00b7\u2022][ ]|,[ ](?=[A-Z])|[ ]-[ ]|[ ]?\(")
_MARKS = " \t*_#>|-.,()\"'\u2022\u00b7\r"
_TOP = 3
_OPEN = {"(": ")", '"': '"', "\u201c": "\u201d"}
_CITED = lazy_re(r"[ ]et al\b|,?[ ](?:19|20)\d\d[a-z]?\)|[ ](?:and|&)[ ][A-Z][a-z]+[ ]\((?:19|20)\d\d")


def kind_of_token(token: str) -> str | None:
    """Return the other kind of a word of a name: word, month, place, tool, organisation or short; None without one.

    >>> [kind_of_token(token) for token in ("june", "grace", "jordan", "ruby", "xu", "okafor")]
    ['month', 'word', 'place', 'tool', 'short', None]
    """
    if token in MENTION_WORDS.weekdays:
        return "month"
    kind = word_kinds.name_words().get(token)
    if kind is None and (
        token in word_kinds.no_names() or token in word_kinds.ordinary_words() or token in word_kinds.english_words()
    ):
        listed = word_kinds.no_names().get(token)
        kind = listed if listed in {"place", "tool"} else "word"
    return "short" if kind is None and len(token) <= 3 and token.isascii() else kind


def stands_for_person(  # noqa: C901, PLR0911 - one line per kind of place
    folded: FoldedText, layout: Layout, start: int, end: int, kind: str, *, given: bool
) -> bool | None:
    """Say whether a word of the person's name stands for the person; None where it can be either.

    `kind` is what else the word is, from `kind_of_token`; of a name that was given, more is taken for the person.
    """
    text, low = folded.text, folded.low
    if kind == "short" and text[start:end].istitle():
        return True  # all English words of three letters are listed
    first = low.rfind("\n", 0, start) + 1
    if not text[start].isupper():
        return (
            is_introduced(low, start)
            or (given and (_is_under_label(low, first) or _is_signed(folded, layout, start, end)))
            or (given and _names_a_script(low, start, end))
        )
    last = low.find("\n", end)
    last = len(low) if last < 0 else last
    left, right = text[max(first, start - 60) : start], text[end : min(last, end + 60)]
    marked = given and (_is_under_label(low, first))
    if marked or _is_marked_as_name(layout, start, left, right, kind):
        return True
    if not left.strip(_MARKS):
        if not right.strip(_MARKS) and len(right) < 60:
            return kind not in {"tool", "month"} or word_kinds.is_alone(folded, layout, start, end)
        footer = _ON_A_PAGE.match(right) or (_PAGE_NUMBER.match(right) and low[start:end] != "page")
        if footer or (right[:1] == ":" and speaks_often(low, low[start:end])):
            return True  # a footer, or whoever answers in an interview
    if text[first:last].isupper():
        return None
    if text[start:end].isupper() and end - start < 5:
        return MENTION_WORDS.speaks.match(right) is not None and _SENTENCE_END.search(left) is not None
    if given and not left.strip(_MARKS) and AROUND_WORDS.verb.match(right) is not None and kind in {"word", "short"}:
        left = ""  # whoever acts, though the line before is full
    elif not left.strip() and first - low.rfind("\n", 0, max(0, first - 1)) > FULL_LINE:
        left = f"{text[max(0, first - 30) : first - 1]} "  # a sentence goes on from a full line
    if not right.strip() and last - first > FULL_LINE:
        right = f" {text[last + 1 : last + 50]}"
    return _in_a_sentence(left, right, kind, near_top=_is_near_top(layout, start), word=low[start:end], given=given)


def speaks_often(low: str, word: str) -> bool:
    """Say whether a word begins lines as a speaker does: in an interview, or twice and more."""
    return "\nq:" in low or low.count(f"\n{word}: ") > 1


def _is_marked_as_name(layout: Layout, start: int, left: str, right: str, kind: str) -> bool:
    """Say whether a title, a label, brackets or a citation make a capitalised word a name."""
    if any(field.start <= start < field.end and is_name_label(field.label) for field in layout.fields):
        return True
    if left.endswith(">") and right.startswith("</"):
        return _NAMED_TAG.search(left) is not None or kind != "tool"
    if left[-1:] in _OPEN and right[:1] == _OPEN[left[-1]]:
        return kind in {"word", "short"} or left[-1:] != "("  # a nickname in brackets or quotes
    low = left.lower()
    if is_introduced(low, len(low)) and _APART.match(right) is not None:
        return True  # 'I am Pascal, a clerk'
    return (
        AROUND_WORDS.title.search(low) is not None
        or AROUND_WORDS.sure_cue.search(low) is not None
        or MENTION_WORDS.signed.search(left) is not None
        or (MENTION_WORDS.reach.search(low) is not None and _REACHED.match(right) is not None)
        or (kind != "month" and _CITED.match(right) is not None)
        or (MENTION_WORDS.called.search(left) is not None and _CAPITAL_AFTER.match(right) is None)
    )


def _is_under_label(low: str, first: int) -> bool:
    """Say whether the line before the one that begins at `first` is a label such as `Last name`."""
    return is_name_label(low[low.rfind("\n", 0, max(0, first - 1)) + 1 : max(0, first - 1)].strip(_MARKS + ":"))


def _is_signed(folded: FoldedText, layout: Layout, start: int, end: int) -> bool:
    """Say whether a word in small letters is a whole line at the top or the end, apart from an initial."""
    initial = _SMALL_INITIAL.search(folded.low, max(0, start - 4), start)
    return word_kinds.is_alone(folded, layout, start if initial is None else initial.start(), end)


def is_introduced(low: str, start: int) -> bool:
    """Say whether `my name is`, `call me` and the like precede a place."""
    return _INTRODUCED.search(low, max(0, start - 20), start) is not None


def _is_near_top(layout: Layout, start: int) -> bool:
    lines = layout.lines
    return bool(lines) and start <= lines[min(_TOP, len(lines)) - 1].end


def _in_a_sentence(left: str, right: str, kind: str, *, near_top: bool, word: str, given: bool) -> bool | None:  # noqa: C901, PLR0911, PLR0912 - one line per kind of surroundings
    """Say whether a capitalised word between `left` and `right` stands for the person."""
    previous, following = _PREVIOUS.search(left), _NEXT.match(right)
    before = previous.group(1) if previous is not None else ""
    cue = before.lower().rstrip(".") if not before.endswith(".") or len(before) < 4 else ""
    opens = _SENTENCE_END.search(left) is not None or (previous is not None and before[-1] in ".!?:;")
    if _FORMAL.match(right) is not None:
        return True
    if left.endswith("-") and left[-2:-1].isalpha() and not left[-3:-2].isalpha():
        return False  # X-Ray
    firm = MENTION_WORDS.own_firm if given else MENTION_WORDS.family_firm
    if kind in {"word", "short"} and firm.match(right) is not None:
        return True
    if given and SONS.match(right) is not None:
        return True
    if following is not None and following.group(1)[0].isupper():
        # Part of a title or a firm's name, if not another family name.
        after = following.group(1).lower()
        family = (
            after in word_kinds.surnames() and after not in word_kinds.name_words() and not word_kinds.is_no_name(after)
        )
        title = right[following.end() + 1 : following.end() + 2].isupper()
        return None if family and kind != "tool" and not title else False
    listed = cue in MENTION_WORDS.openers or cue in MENTION_WORDS.never_before or cue in MENTION_WORDS.articles
    if before[:1].isupper() and not opens and not listed:
        return False
    if MENTION_WORDS.and_i.match(right) is not None:
        return True
    if kind == "month" and AROUND_WORDS.dated.match(right) is not None:
        return False
    if kind == "month" and not opens and MENTION_WORDS.dated_before.search(left.lower()) is not None:
        if cue.isdecimal() and AROUND_WORDS.verb.match(right) is not None and MENTION_WORDS.be.match(right) is None:
            return True  # 'In 2010 Friday gave'
        return None if cue in {"for", "and"} else False
    if cue in MENTION_WORDS.articles and not opens:
        rota = given and cue == "the" and kind in {"word", "short"} and _NOUN.match(right) is not None
        return rota or MENTION_WORDS.called_the.search(left) is not None  # 'is still called the Frost rota'
    if _OF.match(right) is not None or MENTION_WORDS.of_a_field.search(left.lower()) is not None:
        return False
    if right.startswith("'s "):
        if right[3:4].isupper():
            return False
        return True if opens or kind in {"word", "short", "place"} else None
    does, acts = AROUND_WORDS.does.match(right), AROUND_WORDS.verb.match(right) is not None
    if does is not None and opens and word in _MODALS and not does.group().endswith(("s", "ed")):
        does = None  # 'May always help', 'Will read the'
    if opens and word == "so" and MENTION_WORDS.be.match(right) is not None:
        return False  # 'So did the others'
    if opens and word == "my":
        acts = acts and MENTION_WORDS.object.match(right) is not None
        return acts or MENTION_WORDS.never_my.match(right) is not None
    if acts or does is not None or (opens and MENTION_WORDS.handles.match(right) is not None):
        return _acts(left.lower(), right, kind, opens=opens, word=word, given=given)
    apposed = MENTION_WORDS.apposition.match(right) is not None
    if apposed and (kind not in {"month", "tool"} or (opens and kind == "month")):
        return True if opens or kind in {"word", "short"} else None
    if opens:
        return _is_opening_name(right, kind, near_top=near_top)
    if MENTION_WORDS.taught.search(left.lower()) is not None and kind == "word":
        return None
    if _ITEM_NEXT.match(right) is not None or _ITEM.search(left) is not None:
        return None if kind in {"word", "short", "month"} else False
    return _within(left, right, kind, cue=cue, given=given)


def _is_opening_name(right: str, kind: str, *, near_top: bool) -> bool | None:
    """Say whether a word that opens a sentence, and does nothing in it, stands for the person."""
    following = _NEXT.match(right)
    if _FROM.match(right) is not None and kind in {"word", "short"}:
        return True  # 'Grace from Leeds writing'
    if near_top and _SET_APART.match(right) is not None and kind != "tool":
        return kind != "place" or AROUND_WORDS.placed.match(right) is None
    if MENTION_WORDS.speaks.match(right) is not None:
        return True
    if _POSSESSED.match(right) is not None or (following is not None and word_kinds.is_person_noun(following.group(1))):
        return False  # "Young people's services", 'Summer interns'
    return None if right[:1] in ".!?" or MENTION_WORDS.perhaps.match(right) is not None else False


def _within(left: str, right: str, kind: str, *, cue: str, given: bool) -> bool | None:
    """Say whether a word within a sentence, after the word `cue`, stands for the person."""
    low = left.lower()
    if kind == "tool":
        if MENTION_WORDS.tool_before.search(low) is not None:
            return False
        return (
            True if given and _ENDS.match(right) is not None and MENTION_WORDS.object_of.search(low) is None else None
        )
    if _COMPOUND.search(left) is not None:
        return None  # 'Chad and Georgia'
    if kind == "place":
        return AROUND_WORDS.placed_before.search(low) is None and AROUND_WORDS.placed.match(right) is None
    if kind == "organisation":
        return (
            False
            if MENTION_WORDS.firm_before.search(low) is not None
            else None
            if cue in {"with", "of", "by"}
            else True
        )
    return cue not in MENTION_WORDS.never_before or MENTION_WORDS.believe.search(low) is not None


def _acts(left: str, right: str, kind: str, *, opens: bool, word: str, given: bool) -> bool | None:  # noqa: PLR0911 - one line per kind
    """Say whether a word before a verb is its subject."""
    if opens and word in _PRONOUNS:
        return _SINGULAR.match(right) is not None
    if left.endswith("working with "):
        return True
    acts = MENTION_WORDS.is_a.match(right) is not None or (given and MENTION_WORDS.verb_after.match(right) is not None)
    if kind in {"tool", "organisation"} and MENTION_WORDS.be.match(right) is not None and not (opens and acts):
        return None
    if kind == "organisation" and MENTION_WORDS.firm_acts.match(right) is not None:
        return None
    if kind == "month" and MENTION_WORDS.be.match(right) is not None and not (opens and MENTION_WORDS.has.match(right)):
        return None
    if opens:
        return True
    barred = {
        "place": AROUND_WORDS.placed_before,
        "organisation": MENTION_WORDS.firm_before,
        "tool": MENTION_WORDS.tool_before,
        "month": MENTION_WORDS.dated_before,
    }
    pattern = barred.get(kind)
    return None if pattern is not None and pattern.search(left) is not None else True


def _names_a_script(low: str, start: int, end: int) -> bool:
    """Say whether a word is the name of a script or another file.

    >>> _names_a_script("the release script robin.sh", 19, 24), _names_a_script("page.js renders it", 0, 4)
    (True, False)
    """
    return (
        MENTION_WORDS.script.match(low, end) is not None
        and MENTION_WORDS.script_before.search(low, max(0, start - 12), start) is not None
    )
