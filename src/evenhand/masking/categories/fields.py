"""Labelled details in forms: `Gender: F`, `Marital status: none`, `Nationality: Kenyan`.

A label is a word that signals the category (`nationality`, `Familienstand`) with words that go with any
(`current`, `status`, `optional`). Where such a word labels other things too, only some values count. Any
value is masked, `none` and `prefer not to say` too: masking only what applies would disclose it.

`columns_of` parses a page of two columns column by column. A page has two columns if its lines break at the
same place, both sides have headings (or the left one that of the studies), and the left one is not dates.
"""

import re
from collections import Counter
from functools import cache, lru_cache

from evenhand.masking.folded_text import FoldedText, folded_text
from evenhand.masking.layout import Layout, layout_of
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

FIELD_WORDS = WordTable("evenhand.masking.categories", "fields.toml")


_CATEGORIES = ("name", "gender", "ethnicity", "religion", "disability", "marital", "orientation")
#: What a label asks for, the first that fits: entries `labels_…` for its words, `values_…` for the values that count.
_ASKED = (
    *("name", "pronouns", "title", "residence", "visa", "category", "race", "people", "children", "family", "parental"),
    *("health", "disability", "orientation", "trans", "worship", "faith"),
)
_WORD = lazy_re(r"[a-z][a-z'.-]*")


@cache
def _asked() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    return [(getattr(FIELD_WORDS, f"labels_{kind}"), getattr(FIELD_WORDS, f"values_{kind}")) for kind in _ASKED]


@cache
def _keyed() -> dict[str, re.Pattern[str]]:
    return {category.upper(): getattr(FIELD_WORDS, f"keyed_{category}") for category in _CATEGORIES}


@lru_cache(maxsize=4096)
def category_of(label: str) -> str | None:
    """Return the category of the value after a label, None for other labels.

    >>> [category_of(label) for label in ("current nationality", "marital status", "sex education", "skills")]
    ['ETHNICITY', 'MARITAL', None, None]
    """
    for category, keyed in _keyed().items():
        if keyed.search(label) is not None and FIELD_WORDS.label_words.issuperset(_WORD.findall(_without_keys(label))):
            return category
    return None


def _without_keys(label: str) -> str:
    for keyed in _keyed().values():
        label = keyed.sub(" ", label)
    return label


def counts(label: str, value: str) -> bool:
    """Say whether a value counts after a label with a category.

    >>> counts("title", "ms"), counts("title", "engineer"), counts("race", "marathon")
    (True, False, False)
    """
    values = next((values for labels, values in _asked() if labels.match(label) is not None), None)
    return values is None or values.match(value) is not None


_LINE_END = lazy_re(r"[|;\n\t]|\s{2,}|(?<!\bu\.s)\.(?:\s|$)")
_END = lazy_re(r"[,;|(\n]|(?<!\bu\.s)\.(?:\s|$)|\s(?:and|with|since|for)\s|\s{2,}")
_PRONOUNS = lazy_re(r"[a-z]+(?:\s*[/,]\s*[a-z]+)*")
_LONGEST = 60
_LONGEST_SENTENCE = 110
_BRACKETED = frozenset({"ETHNICITY", "RELIGION", "DISABILITY"})
_SPACES = " \t\r.,;"


def in_fields(folded: FoldedText, layout: Layout) -> list[RuleMatch]:
    r"""Return the values of labelled details.

    >>> seen = folded_text("Sex: F\nRace: Black")
    >>> [(seen.text[match.start:match.end], match.category) for match in in_fields(seen, layout_of(seen))]
    [('F', 'GENDER'), ('Black', 'ETHNICITY')]
    """
    matches = []
    begun = [field.label_start for field in layout.fields]
    for field in layout.fields:
        prefix = FIELD_WORDS.prefix.match(field.label)
        label = field.label[prefix.end() :] if prefix is not None else field.label
        category = category_of(label)
        start = field.start
        value = folded.low[start : field.end]
        if category is None or not value or not counts(label, value):
            continue
        if "pronoun" in label:
            match = _PRONOUNS.match(value)
            length = match.end() if match is not None else 0
        else:
            closing = _END if category == "NAME" or "title" in label else _LINE_END
            length = _end(closing, value, longest=_LONGEST_SENTENCE)
            following = min((start_of for start_of in begun if field.start < start_of < field.end), default=None)
            if following is not None and " / " not in value[: following - start]:
                length = min(length, following - start)
            if length > _LONGEST and FIELD_WORDS.sentence.match(value) is None:
                length = _end(_END, value, longest=_LONGEST)  # a text that has lost its lines
        length = len(value[:length].rstrip(_SPACES))
        if length and category in _BRACKETED and (more := FIELD_WORDS.in_brackets.match(value, length)) is not None:
            length = more.end()
        if length:
            matches.append(
                RuleMatch(start=start, end=start + length, category=category, rule="labelled", confidence=0.95)
            )
    return matches


def _end(closing: re.Pattern[str], value: str, *, longest: int) -> int:
    end = closing.search(value)
    return min(end.start() if end is not None else len(value), longest)


_GAP = lazy_re(r"(?<=\S)[ ]{2,}(?=\S)|^[ ]{12,}(?=\S)", re.MULTILINE)
_DATES = lazy_re(
    r"(?=.*\d)(?:[\d\W]|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|present|now|to|from|since|until|spring|"
    r"summer|fall|autumn|winter)[a-z]*\b)+",
    re.IGNORECASE,
)
_LEFTMOST = 12
_FEWEST = 6
_ALONE = 3


def columns_of(folded: FoldedText, layout: Layout) -> list[tuple[FoldedText, Layout]]:
    r"""Return the columns of a page, left and right, or the text as it is.

    >>> page = "SKILLS              WORK\nExcel               Clerk, Acme\n" + "Word                - Kept files.\n" * 4
    >>> page += (" " * 20 + "- Wrote letters.\n") * 3
    >>> folded = folded_text(page)
    >>> [seen.text.split()[:3] for seen, _ in columns_of(folded, layout_of(folded))]
    [['SKILLS', 'Excel', 'Word'], ['WORK', 'Clerk,', 'Acme']]
    """
    whole = [(folded, layout)]
    if folded.text.count("      ") < _FEWEST:
        return whole
    begin = _begin_of_right(folded.text)
    if begin is None:
        return whole
    left, right = _apart(folded.text, begin)
    sides = [(side, layout_of(side)) for side in (folded_text(left), folded_text(right))]
    if any(len(side.text) != len(folded.text) for side, _ in sides) or not _are_columns(
        *(side_layout for _, side_layout in sides)
    ):
        return whole
    texts = [folded.text[line.start : line.end] for line in sides[0][1].lines]
    dated = sum(_DATES.fullmatch(text) is not None for text in texts)
    return whole if dated * 2 > len(texts) else sides


def _are_columns(left: Layout, right: Layout) -> bool:
    """Say whether both sides have headings; the left one's schools do where the right one begins with a profile."""
    headed = any(line.heading for line in right.lines)
    return any(line.heading and (headed or line.section == "education") for line in left.lines)


def parts_in_lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    r"""Return the parts of a stretch in each line of a column, without the other column's text between.

    >>> parts_in_lines("5 May      \n1972", 0, 16), parts_in_lines("5 May\n1972", 0, 10)
    ([(0, 5), (12, 16)], [(0, 10)])
    """
    if "\n" not in text[start:end] or "   " not in text[start:end]:
        return [(start, end)]
    gaps = [gap.span() for gap in _WRAPPED_LINE_END.finditer(text, start, end)]
    starts, ends = [start, *(after for _, after in gaps)], [*(before for before, _ in gaps), end]
    return list(zip(starts, ends, strict=True))


_WRAPPED_LINE_END = lazy_re(r"(?<=\S)[ ]*\n[ ]*")


def _begin_of_right(text: str) -> int | None:
    """Return where the right column begins in its lines: where most gaps end, in lines of its own too."""
    adjacent: Counter[int] = Counter()
    alone: Counter[int] = Counter()
    for gap in _GAP.finditer(text):
        line = text.rfind("\n", 0, gap.start()) + 1
        column = gap.end() - line
        if column >= _LEFTMOST:
            (alone if line == gap.start() else adjacent)[column] += 1
    begin = max(adjacent, key=lambda column: adjacent[column] + alone[column], default=None)
    if begin is None or adjacent[begin] < _FEWEST or alone[begin] < _ALONE:
        return None
    return begin


def _apart(text: str, begin: int) -> tuple[str, str]:
    """Return a text with the right column blank, and with the left one; a line over both is in the left."""
    left, right = [], []
    for line in text.split("\n"):
        apart = len(line) > begin and line[begin - 2 : begin].isspace()
        first = line[:begin] if apart else line
        left.append(first + " " * (len(line) - len(first)))
        right.append(" " * len(first) + line[len(first) :])
    return "\n".join(left), "\n".join(right)
