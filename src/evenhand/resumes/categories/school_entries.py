"""Names of schools that no list has, told by their place beside a degree: `MBA - Penn Foster`, `X, GED, 2010`."""

import re

from evenhand.resumes.categories.school_words import LEARNING, LINKS, MONTHS, SUBJECTS
from evenhand.resumes.categories.studies import Studies
from evenhand.resumes.categories.study import kind_of
from evenhand.resumes.plain import Plain

__all__ = ["names_in_entries"]

#: Between the parts of an entry; dates are none of them.
_PARTS = re.compile(
    r"[ ]*(?:[,;|()\t\n\[\]\"`]|[ ][-/\u2013\u2014\u00b7\u2022][ ]|[ ]{2}|:[ ]|(?<![A-Za-z])(?:at|from|and)[ ])[ ]*"
    r"|[ ](?=(?:at|from)[ ][A-Z])|\.[ ]+(?=[A-Z][a-z])"
    r"|[ ]*(?:(?:[A-Z][a-z]{2,8}\.? |\d\d?/)?(?:19|20)\d\d(?:[/-]\d\d)?)[ ]*"
)
_NAME = re.compile(
    r"[_*]{0,2}(?:the |The )?([^\W\d_a-z][\w'.&-]*(?:[ ](?:(?:of|de|la|do|da|du|des|for|the)[ ]){0,2}"
    r"[^\W\d_a-z][\w'.&-]*){0,4}(?<!\.))[_*]{0,2}"
)
#: Words in -ics, -ing and the like are what one studies.
_SUBJECT = re.compile(
    r"(?:ics|ology|ing|ment|tion|tions|ance|graphy|istry|onomy|sophy|culture|iculture|tronics|therapy|nomie|ogie|logia|"
    r"sciences?|studies|arts?|work|care|literature|languages?|hospitality|horticulture|carpentry|welfare|health|"
    r"surgery|safety|trade|trades|technique|techniques|theory|practice|crafts?|design|catering|media|music|law|"
    r"systems?|materials|electrical|mechanical|civil|general|applied|business|social|public|human|resources|"
    r"childhood|joinery|masonry|midwifery|joinery|german|french|english|spanish|algebra|ics\.|networks?|data|"
    r"computer|software|security|physics|chemistry|biology|ics|tourism|fashion|film|television|photography)$"
)
_NO_NAME_LISTED = (
    "first second third upper lower class distinction distinctions honours honors hons merit pass passed gpa cgpa "
    "grade grades present now current ongoing expected supervisor advisor adviser thesis dissertation topic title cum "
    "magna summa laude dean dean's list level division credits ects minor major part full time online remote evening "
    "weekend distance one two three four year years day semester term valedictorian salutatorian top high winner "
    "prize award scholarship relevant coursework modules including and with usa uk us eu canada india germany france "
    "spain mexico brazil nigeria ghana kenya china japan korea vietnam poland italy portugal england scotland wales "
    "ireland summer spring autumn fall winter completed graduated awarded conferred no yes none not notes note awards "
    "skills tools courses languages licence license prof professor dr mr mrs ms prefect captain"
)
_NO_NAME = frozenset(_NO_NAME_LISTED.split())
#: Degrees that say what was studied, or need not.
_WHOLE = re.compile(
    r"\b(?:mba|emba|ged|hnd|abitur|matura|baccalaureate|high school diploma|school certificate|nvq|professionnelle)\b"
    r"| (?:in|of|en|de) \w|\([a-z]|\w\.?,? [a-z]{5,}"
)


def names_in_entries(plain: Plain, studies: Studies, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
    r"""Return names beside a degree in lines of studies that have no other school.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Education\nMBA - Penn Foster, 2010\nBSc, Marine Ecology\nSENAI | HND Welding")
    >>> [seen.text[start:end] for start, end in names_in_entries(seen, Studies(seen, layout_of(seen)), [])]
    ['Penn Foster', 'SENAI']
    """
    found: list[tuple[int, int]] = []
    for start, end in studies.lines():
        if any(first < end and start < last for first, last in named) or plain.text[start:end].isupper():
            continue
        name = _name_beside(plain, studies, start, end)
        if name is not None:
            found.append(name)
    return found


def _name_beside(plain: Plain, studies: Studies, start: int, end: int) -> tuple[int, int] | None:
    """Return the part that names a school: next to a degree or to what was studied, as no subject is."""
    parts = _parts(plain.text, start, end)
    degrees = [_is_degree(plain, studies, part) for part in parts]
    if not any(degrees):
        return None
    for number, (first, last) in enumerate(parts):
        name = _NAME.fullmatch(plain.text, first, last)
        if name is None or degrees[number] or not _is_name(plain.low[name.start(1) : name.end(1)]):
            continue
        before = any(degrees[:number])
        if not before and number + 1 < len(parts) and degrees[number + 1]:
            return name.span(1)
        if before and (not degrees[number - 1] or _WHOLE.search(plain.low, *parts[number - 1]) is not None):
            return name.span(1)
        if before and not plain.text.startswith(",", parts[number - 1][1]):
            return name.span(1)
    return None


def _is_degree(plain: Plain, studies: Studies, part: tuple[int, int]) -> bool:
    return studies.has_degree(*part) and (
        studies.has_degree(*part, certified=False) or _LEVEL.search(plain.low, *part) is not None
    )


#: A certificate that takes years: `Certificate III in Carpentry`.
_LEVEL = re.compile(r"\bcertificate,? (?:i{1,3}v?|iv|[1-5]|level)\b")


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    found, done = [], start
    for mark in _PARTS.finditer(text, start, end):
        if mark.start() > done:
            found.append((done, mark.start()))
        done = mark.end()
    if done < end:
        found.append((done, end))
    found = [_without_link(text, *part) for part in found]
    return [(first, last) for first, last in found if any(map(str.isalpha, text[first:last]))]


def _without_link(text: str, start: int, end: int) -> tuple[int, int]:
    link = _LINK.match(text, start, end)
    start = link.end() if link is not None else start
    return start, start + len(text[start:end].rstrip())


_LINK = re.compile(r"[\s>*\u2022\u25aa+~-]*(?:(?:at|from|SCHOOL(?:S|ING)?|EDUCATION|STUDIES|EDU)[ ])?")


def _is_name(low: str) -> bool:
    """Say whether words can be a school's name: none tells a subject, a degree, a job or a month."""
    words = re.findall(r"[\w'&]+", low)
    return (
        len(low) > 3
        and LEARNING.match(low) is None
        and not any(
            word in SUBJECTS
            or word in MONTHS
            or word in _NO_NAME
            or (word not in LINKS and (kind_of(word) is not None or _SUBJECT.search(word) is not None))
            for word in words
        )
    )
