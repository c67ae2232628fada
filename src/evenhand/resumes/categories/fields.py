"""Labelled details: `Gender: F`, `Marital status: none`, `Nationality: Kenyan`.

Whatever stands after such a label is masked, `none` and `prefer not to say` too: masking
only what applies would tell that it applies.
"""

import re

from evenhand.resumes.categories.columns import cells_below
from evenhand.resumes.categories.field_labels import LABELS
from evenhand.resumes.categories.field_values import VALUES
from evenhand.resumes.categories.marital_children import CHILD, counted
from evenhand.resumes.layout import Field, Layout
from evenhand.resumes.plain import Plain, word_list
from evenhand.resumes.rules import Found

__all__ = ["LABELS", "in_fields"]

#: An answer that is a sentence of a form: `Yes, I have a disability (or previously had one)`.
_SENTENCE = re.compile(
    r"(?:yes|no),? (?:i|he|she|we) (?:do |don't |have|am|consider|identify)|"
    r"yes(?:, | - |: | \u2013 )(?:letter|documentation|certificate|hearing|sight|vision|mobility|physical|visual|"
    r"mental|partial|registered|mild|severe|moderate|diabet|epilep|dysl|autis|adhd|deaf|wheelchair|\d)[\w'%/() -]*(?=$|"
    r"[|;\n])"
)
_LINE_END = re.compile(r"[|;\n]|\s{2,}")
_END = re.compile(r"[,;|(\n]|(?<!\bu\.s)\.(?:\s|$)|\s(?:and|with|since|for)\s|\s{2,}")
#: `Disability | none`: a label and its value in a row.
_ROW = re.compile(r"[ \t*-]*([a-z][a-z /&().-]{1,40}?)[ \t]*[|;][ \t]*([^|;\n\t]+)")
#: The first mark of a row, with what is behind it.
_ROW_MARK = re.compile(r"[|;][^\n]*")
#: A label and its value with a blank only between: `Ethnic group Mixed`, `RELIGION OR BELIEF NONE`.
_UNMARKED = re.compile(
    r"^[ \t]*(ethnic group|ethnic origin|ethnicity|religion or belief|religion|faith|disability|"
    r"disability status|health condition)[ ](none|nil|no religion|no|yes|n/a|prefer not to say|not stated|mixed(?: "
    r"[a-z]+){0,5}|other|(?:white|black|asian|arab|any other)"
    r"(?: [a-z]+){0,4}|atheist|agnostic|humanist|secular)[ \t.]*$",
    re.MULTILINE,
)
_UNMARKED_WORDS = word_list(("ethnic", "ethnicity", "religion", "faith", "disability", "health"))
#: A label alone in the left of two columns; a bullet begins the right one.
_IN_COLUMN = re.compile(r"^[ ]*([a-z][a-z /&().-]{1,40}?)[ ]?:?[ ]{3,}(?=[-•▪➢→●►■◆✓○*]|$)", re.MULTILINE)
#: What goes on telling of one's family: `Married, two sons`, `Living with partner`, `Two (2)`.
_FAMILY = (
    rf"(?:{counted(CHILD)}|(?:(?:my|one|his|her|a) )?(?:wife|husband|spouse|partner|parents|fiancee?|"
    r"family)\b|(?:un)?accompan\w+|"
    r"(?:aged?|ages)\b|no (?:own )?(?:child\w*|kids?|depend\w*|issues?|sons?|daughters?|family|spouse|ties|"
    r"partner|plans)\b|expecting|separated|divorced|(?:re)?married|widow\w*|single|living|never|"
    r"all (?:at|in|adult|grown)|both (?:at|in|adult)|co-?parent\w*|joint custody|legally|since (?:19|20)\d\d|born\b|"
    r"(?:19|20)\d\d\b|\d\d?(?=\s*(?:$|[),;&/]|and\b|yrs?\b|years old|months)))"
)
_FAMILY_END = re.compile(
    rf"[;|\n\t]|\.(?:\s|$)|\s{{2,}}|,(?!\s*{_FAMILY})|\((?!{_FAMILY}|(?:19|20)\d\d\)|[a-z]{{2,6}}\))|\s(?:and|with|"
    rf"for)\s(?!{_FAMILY})|\ssince\s(?!(?:19|20))"
)
#: Labels whose value is of the spouse, to the end of the line.
_OF_SPOUSE = re.compile(r"(?:spouse|husband|wife|family visa)\b")
_PRONOUNS = re.compile(r"[a-z]+(?:\s*[/,]\s*[a-z]+)*")
_LONGEST = 60
_LONGEST_SENTENCE = 110
#: More of a value in brackets: `White (not Hispanic or Latino)`.
_IN_BRACKETS = re.compile(
    r"[ ]?\((?![^()\n]*(?:licen[cs]e|driv|@|https?:|available|see |speak|fluent|passport no))[^()\n|]{1,60}\)"
)
_BRACKETED = frozenset({"ETHNICITY", "RELIGION", "DISABILITY"})
_SPACES = " \t\r.,;"
#: What stands before a label: a number, `Q/A - `, `Applicant `.
_PREFIX = re.compile(r".*(?:\. |\s-\s)|(?:applicant|candidate|employee)(?:'s)? |(?:your|my) ")
_NO_ASKING = re.compile(r"^(?:what is |what's )?(?:(?:do you have|any|your|are you)\s)+")
#: A question and its answer: `Q: Children? A: two`.
_ASKED = re.compile(
    r"(?:^|[\n|;.>])[ \t*-]*(?:q\d*[ ]?[:.)-][ ]?)?([a-z][a-z' /&()-]{1,40}?)\?[ \t]*(?:\n[ \t>]*)?"
    r"(?:(?:a\d*|answer)[ ]?[:.)-][ ]?([^|;\n]+)|((?:yes|no|none|nil|n/a|\d\d?|single|(?:un)?married|divorced|widowed|"
    r"prefer not to [a-z]+)(?=[ ]*(?:[.,;|\n]|$))))"
)


def in_fields(plain: Plain, layout: Layout) -> list[Found]:
    r"""Return the values of labelled details.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Sex: F\nRace: Black")
    >>> [(seen.text[found.start:found.end], found.category) for found in in_fields(seen, layout_of(seen))]
    [('F', 'GENDER'), ('Black', 'ETHNICITY')]
    """
    found = []
    for field in (
        *layout.fields,
        *_behind_labels(plain.low, layout),
        *_in_rows(plain.low),
        *_in_columns(plain.low),
        *_unmarked(plain),
        *_asked(plain.low),
    ):
        label = field.label
        if label not in LABELS and (prefix := _PREFIX.match(label)) is not None:
            label = label[prefix.end() :]
        if label.startswith("nickname "):
            label = "nickname"  # on every crew
        category = LABELS.get(label)
        if category is None:
            continue
        start = field.start
        value = plain.low[start : field.end]
        only = VALUES.get(label)
        if not value or (only is not None and only.match(value) is None):
            continue
        if "pronoun" in label:
            match = _PRONOUNS.match(value)
            length = match.end() if match is not None else 0
        else:
            whole = _SENTENCE.match(value) or (category == "MARITAL" and _OF_SPOUSE.match(label))
            closing = _LINE_END if whole else _FAMILY_END if category == "MARITAL" else _END
            end = closing.search(value)
            longest = _LONGEST_SENTENCE if whole else _LONGEST
            length = min(end.start() if end is not None else len(value), longest)
        length = len(value[:length].rstrip(_SPACES))
        if length and category in _BRACKETED and (more := _IN_BRACKETS.match(value, length)) is not None:
            length = more.end()
        if length:
            found.append(Found(start=start, end=start + length, category=category, rule="labelled", confidence=0.95))
    return found


def _behind_labels(low: str, layout: Layout) -> list[Field]:
    r"""Return labels that stand behind another label: `note: Stan cywilny: wolny`.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("note: Sex: F")
    >>> [field.label for field in _behind_labels(seen.low, layout_of(seen))]
    ['sex']
    """
    found = []
    for field in layout.fields:
        label, mark, value = low[field.start : field.end].partition(":")
        bare = label.strip()
        if mark and bare in LABELS and value.strip():
            begin = field.start + len(label) + 1 + len(value) - len(value.lstrip())
            found.append(Field(bare, field.start, begin, field.end))
    return found


def _in_rows(low: str) -> list[Field]:
    """Return labels and values that a bar or a semicolon divides; a row of labels has none."""
    found = []
    for mark in _ROW_MARK.finditer(low):
        begin = low.rfind("\n", 0, mark.start()) + 1
        label = low[begin : mark.start()].lstrip(" \t*-").rstrip(" \t")
        row = _ROW.match(low, begin) if label in LABELS else None
        if row is not None and LABELS.get(row.group(2).strip()) in {None, LABELS[label]}:
            found.append(Field(label, row.start(1), *row.span(2)))
    return found


def _unmarked(plain: Plain) -> list[Field]:
    r"""Return labels and values on a line of their own without a mark between.

    >>> from evenhand.resumes.plain import plain_text
    >>> [field.label for field in _unmarked(plain_text("religion or belief none\nreligion none of the above\n"))]
    ['religion or belief']
    """
    found = []
    for place in plain.places(_UNMARKED_WORDS):
        row = _UNMARKED.match(plain.low, plain.low.rfind("\n", 0, plain.words[place][1]) + 1)
        if row is not None and row.start(1) == plain.words[place][1]:
            found.append(Field(row.group(1), row.start(1), *row.span(2)))
    return found


def _asked(low: str) -> list[Field]:
    r"""Return what forms ask and the answers.

    >>> [field.label for field in _asked("q: children? a: two\nq2. nationality?\na2. none")]
    ['children', 'nationality']
    """
    if "?" not in low:
        return []
    return [
        Field(_NO_ASKING.sub("", row.group(1)), row.start(1), *row.span(row.lastindex or 0))
        for row in _ASKED.finditer(low)
    ]


def _in_columns(low: str) -> list[Field]:
    r"""Return labels alone in the left of two columns and the values under them.

    >>> page = "religion      - cut costs.\nnone      - paid wages.\n"
    >>> [page[field.start : field.end] for field in _in_columns(page)]
    ['none']
    """
    if "      " not in low:
        return []
    found = []
    for label in _IN_COLUMN.finditer(low):
        value = next(cells_below(low, *label.span(1)), None) if label.group(1) in LABELS else None
        if value is not None and low[value[0] : value[1]] not in LABELS:
            found.append(Field(label.group(1), label.start(1), *value))
    return found
