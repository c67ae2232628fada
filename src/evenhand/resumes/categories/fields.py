"""Labelled details: `Gender: F`, `Marital status: none`, `Nationality: Kenyan`.

Whatever stands after such a label is masked, `none` and `prefer not to say` too: masking
only what applies would tell that it applies.
"""

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.field_labels import FIELD_WORDS, category_of, counts
from evenhand.resumes.categories.personal.marital_children import CHILD, counted
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.resumes.text.layout import Layout

__all__ = ["in_fields"]

_LINE_END = lazy_re(r"[|;\n]|\s{2,}")
_END = lazy_re(r"[,;|(\n]|(?<!\bu\.s)\.(?:\s|$)|\s(?:and|with|since|for)\s|\s{2,}")
#: What goes on telling of one's family: `Married, two sons`, `Living with partner`, `Two (2)`.
_FAMILY = (
    rf"(?:{counted(CHILD)}|(?:(?:my|one|his|her|a) )?(?:wife|husband|spouse|partner|parents|fiancee?|"
    r"family)\b|(?:un)?accompan\w+|"
    r"(?:aged?|ages)\b|no (?:own )?(?:child\w*|kids?|depend\w*|issues?|sons?|daughters?|family|spouse|ties|"
    r"partner|plans)\b|expecting|separated|divorced|(?:re)?married|widow\w*|single|living|never|"
    r"all (?:at|in|adult|grown)|both (?:at|in|adult)|co-?parent\w*|joint custody|legally|since (?:19|20)\d\d|born\b|"
    r"(?:19|20)\d\d\b|\d\d?(?=\s*(?:$|[),;&/]|and\b|yrs?\b|years old|months)))"
)
_FAMILY_END = lazy_re(
    rf"[;|\n\t]|\.(?:\s|$)|\s{{2,}}|,(?!\s*{_FAMILY})|\((?!{_FAMILY}|(?:19|20)\d\d\)|[a-z]{{2,6}}\))|\s(?:and|with|"
    rf"for)\s(?!{_FAMILY})|\ssince\s(?!(?:19|20))"
)
_PRONOUNS = lazy_re(r"[a-z]+(?:\s*[/,]\s*[a-z]+)*")
_LONGEST = 60
_LONGEST_SENTENCE = 110
_BRACKETED = frozenset({"ETHNICITY", "RELIGION", "DISABILITY"})
_SPACES = " \t\r.,;"


def in_fields(folded: FoldedText, layout: Layout) -> list[Found]:
    r"""Return the values of labelled details.

    >>> from evenhand.resumes.text.layout import layout_of
    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Sex: F\nRace: Black")
    >>> [(seen.text[found.start:found.end], found.category) for found in in_fields(seen, layout_of(seen))]
    [('F', 'GENDER'), ('Black', 'ETHNICITY')]
    """
    found = []
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
            whole = FIELD_WORDS.sentence.match(value) or (category == "MARITAL" and FIELD_WORDS.of_spouse.match(label))
            closing = _LINE_END if whole else _FAMILY_END if category == "MARITAL" else _END
            end = closing.search(value)
            longest = _LONGEST_SENTENCE if whole else _LONGEST
            length = min(end.start() if end is not None else len(value), longest)
        length = len(value[:length].rstrip(_SPACES))
        if length and category in _BRACKETED and (more := FIELD_WORDS.in_brackets.match(value, length)) is not None:
            length = more.end()
        if length:
            found.append(Found(start=start, end=start + length, category=category, rule="labelled", confidence=0.95))
    return found
