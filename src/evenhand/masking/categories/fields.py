"""Labelled details in forms: `Gender: F`, `Marital status: none`, `Nationality: Kenyan`.

A label is a word that signals the category (`nationality`, `Familienstand`) with words that go with any
(`current`, `status`, `optional`). Where such a word labels other things too, only some values count. Any
value is masked, `none` and `prefer not to say` too: masking only what applies would disclose it.

`columns_of` parses a page of two columns column by column. A page has two columns if its lines break at the
same place, both sides have headings (or the left one that of the studies), and the left one is not dates.
"""

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

from evenhand.masking.folded_text import FoldedText, folded_text
from evenhand.masking.layout import Layout, layout_of
from evenhand.masking.rules import TABLES, RuleMatch
from evenhand.word_tables import WordTable

FIELD_WORDS = WordTable("evenhand.masking.categories", "fields.toml")

#: What a label asks for, the first that fits: entries `labels_…` for its words, `values_…` for the values that count.
_ASKED = (
    *("name", "pronouns", "title", "residence", "visa", "category", "race", "people", "children", "family", "parental"),
    *("health", "disability", "orientation", "trans", "worship", "faith"),
)
_LONGEST, _LONGEST_SENTENCE = 60, 110
_BRACKETED = frozenset({"ETHNICITY", "RELIGION", "DISABILITY"})
#: The least column in which a right column begins, and the fewest lines with both columns and with the right one alone.
_LEFTMOST, _FEWEST, _ALONE = 12, 6, 3


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


def in_fields(folded: FoldedText, layout: Layout) -> list[RuleMatch]:
    r"""Return the values of labelled details.

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
            matches.append(RuleMatch(field.start, field.start + length, category, "labelled", 0.95))
    return matches


def _end(closing: re.Pattern[str], value: str, longest: int) -> int:
    end = closing.search(value)
    return min(end.start() if end is not None else len(value), longest)


def columns_of(folded: FoldedText, layout: Layout) -> list[tuple[FoldedText, Layout]]:
    r"""Return the columns of a page, left and right, or the text as it is.

    >>> page = "SKILLS              WORK\nExcel               Clerk, Acme\n" + "Word                - Kept files.\n" * 4
    >>> page += (" " * 20 + "- Wrote letters.\n") * 3
    >>> folded = folded_text(page)
    >>> [seen.text.split()[:3] for seen, _ in columns_of(folded, layout_of(folded))]
    [['SKILLS', 'Excel', 'Word'], ['WORK', 'Clerk,', 'Acme']]
    """
    begin = _begin_of_right(folded.text) if folded.text.count("      ") >= _FEWEST else None
    if begin is None:
        return [(folded, layout)]
    sides = [(side, layout_of(side)) for side in map(folded_text, _apart(folded.text, begin))]
    (left, left_layout), (right, right_layout) = sides
    headed = any(line.heading for line in right_layout.lines)
    columns = any(line.heading and (headed or line.section == "education") for line in left_layout.lines)
    dated = [FIELD_WORDS.dates.fullmatch(left.text, line.start, line.end) is not None for line in left_layout.lines]
    same = len(left.text) == len(right.text) == len(folded.text)
    return sides if same and columns and sum(dated) * 2 <= len(dated) else [(folded, layout)]


def parts_in_lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    r"""Return the parts of a stretch in each line of a column, without the other column's text between.

    >>> parts_in_lines("5 May      \n1972", 0, 16), parts_in_lines("5 May\n1972", 0, 10)
    ([(0, 5), (12, 16)], [(0, 10)])
    """
    if "\n" not in text[start:end] or "   " not in text[start:end]:
        return [(start, end)]
    gaps = [gap.span() for gap in FIELD_WORDS.wrapped_line_end.finditer(text, start, end)]
    starts, ends = [start, *(after for _, after in gaps)], [*(before for before, _ in gaps), end]
    return list(zip(starts, ends, strict=True))


def _begin_of_right(text: str) -> int | None:
    """Return where the right column begins in its lines: where most gaps end, in lines of its own too."""
    adjacent: Counter[int] = Counter()
    alone: Counter[int] = Counter()
    for gap in FIELD_WORDS.gap.finditer(text):
        line = text.rfind("\n", 0, gap.start()) + 1
        if gap.end() - line >= _LEFTMOST:
            (alone if line == gap.start() else adjacent)[gap.end() - line] += 1
    begin = max(adjacent, key=lambda column: adjacent[column] + alone[column], default=0)
    return begin if adjacent[begin] >= _FEWEST and alone[begin] >= _ALONE else None


def _apart(text: str, begin: int) -> tuple[str, str]:
    """Return a text with the right column blank, and with the left one; a line over both is in the left."""
    left, right = [], []
    for line in text.split("\n"):
        apart = len(line) > begin and line[begin - 2 : begin].isspace()
        first = line[:begin] if apart else line
        left.append(first + " " * (len(line) - len(first)))
        right.append(" " * len(first) + line[len(first) :])
    return "\n".join(left), "\n".join(right)
