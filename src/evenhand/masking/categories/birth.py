"""DOB: dates of birth, ages, and birth places after a label (optional category).

Kept: all other dates, years of experience, ages of programmes, machines and children taught.
"""

import re
from collections.abc import Iterator
from functools import cache

from evenhand.masking.categories.fields import parts_in_lines
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout
from evenhand.masking.names.mention_contexts import MENTION_WORDS
from evenhand.masking.names.word_kinds import given_names, is_person_noun, surnames
from evenhand.masking.rules import RuleMatch
from evenhand.word_tables import WordTable

BIRTH_WORDS = WordTable("evenhand.masking.categories", "dob.toml")

#: Characters before a word of birth that tell who was born; after it to a date's beginning, and to its end.
_BEFORE, _TO_DATE, _DATE_ENDS = 30, 60, 76
_LONGEST_ROW = 160
#: A label that is nearly all of its line has its date in the next one.
_REST = 4


def births(folded: FoldedText, layout: Layout) -> list[RuleMatch]:
    """Return births and ages: the date and the place next to it, without the label.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.folded_text import folded_text
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
        spans += [age.span(2) for age in ages if _is_name(age[1].lower())]
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
    return [RuleMatch(*span, "DOB", "birth or age", 0.9) for span in spans]


def _around_ages(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield the stretches around numbers of two digits that may be ages, those that meet as one.

    >>> from evenhand.masking.folded_text import folded_text
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


def _is_name(word: str) -> bool:
    return word in given_names() or word in surnames()


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
            if date and not is_state and BIRTH_WORDS.no_person.search(low, max(0, start - _BEFORE), start) is None:
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
