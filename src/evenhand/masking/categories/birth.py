"""DOB: dates of birth, ages, and birth places after a label (optional category).

Kept: all other dates, years of experience, ages of programmes, machines and children taught.
"""

from collections.abc import Iterator

from evenhand.masking.categories.fields import parts_in_lines
from evenhand.masking.folded_text import FoldedText
from evenhand.masking.layout import Layout
from evenhand.masking.names.word_kinds import given_names, surnames
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
    spans += [age.span(age.lastindex or 0) for age in BIRTH_WORDS.age_said.finditer(low)]
    if not folded.where.keys().isdisjoint(BIRTH_WORDS.age_words):
        spans += [age.span(age.lastindex or 0) for age in BIRTH_WORDS.age_abroad.finditer(low)]
    spans += [age.span(2) for age in BIRTH_WORDS.age_of.finditer(folded.text) if _is_name(age[1].lower())]
    rows = {
        (low.rfind("\n", max(0, detail.start() - _LONGEST_ROW), detail.start() + 1) + 1, _line_end(low, detail.end()))
        for detail in BIRTH_WORDS.row.finditer(low)
    }
    for start, end in rows:
        if end - start <= _LONGEST_ROW:
            spans += [detail.span(1) for detail in BIRTH_WORDS.in_row.finditer(low, start, end)]
    return [RuleMatch(*span, "DOB", "birth or age", 0.9) for span in spans]


def _is_name(word: str) -> bool:
    return word in given_names() or word in surnames()


def _line_end(low: str, start: int) -> int:
    return low.find("\n", start) % (len(low) + 1)


def _dates(folded: FoldedText) -> Iterator[tuple[int, int]]:
    """Yield dates after words of birth; a company is born too."""
    low = folded.low
    for word, places in folded.where.items():
        short = word in BIRTH_WORDS.birth_short
        if not short and word not in BIRTH_WORDS.birth and not word.startswith(BIRTH_WORDS.birth_begins):
            continue
        for _, start, end in (folded.words[place] for place in places):
            date = _date_after(low, end, short=short)
            is_state = short and BIRTH_WORDS.state.match(folded.text, start - 2) is not None
            if date and not is_state and BIRTH_WORDS.no_person.search(low, max(0, start - _BEFORE), start) is None:
                yield date


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
