"""Names of schools in a text without capitals, and as values of labels: `mba @ lehigh university`, `School: X`."""

import re
from functools import cache

from evenhand.resumes.categories.school_words import ENDINGS, LEARNING, LINKS, SUBJECTS, heads, listed
from evenhand.resumes.categories.study import kind_of
from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain, plain_text, plain_word

__all__ = ["in_capitals", "letters", "names_in_small_letters", "names_labelled", "names_with_certificates"]

_WORDS = frozenset(
    {"went", "educated", "studied", "attended", "graduated", "degree", "enrolled", "finished", "alumnus"}
)
_TO = re.compile(
    r"(?:went to|educated at|studied (?:[a-z ]{1,40} )?at|attended|graduated (?:[a-z ]{1,30} )?from|"
    r"degree (?:from|at|@)|enrolled at|finished at|alumnus of)[ ](?:the )?(?=[a-z])"
)
_NAME = re.compile(r"[a-z][\w'.&-]*(?:[ ][a-z][\w'.&-]*){0,8}")
_STOP = re.compile(
    r"[ ](?:that|was|then|where|with|from|for|as|to|on|class|graduated|awarded|expected|until|since|till|i|it|which|"
    r"and (?!(?:\w+ )?(?:technolog|scien|engineer|art|econom|polit|management|commerce|mechanic|medic|law|design))"
    r"|in (?!\w+(?:[ ]that|[ ]*[,(;|\n]|$)))\b"
)
_MOST_UNKNOWN = 3
_LABELS_LISTED = (
    "school or university|school|university|college|institution|alma mater|school name|name of school|university name|"
    "name of university|name of institution|institution name|educational institution|school/university|"
    "university/school|place of study|college or university|university or college|college/university|"
    "university/college|high school|secondary school|school attended|institution attended|university attended|"
    "college attended|school/college|college/school|awarding institution|provider|bootcamp|institute"
)
_LABELS = frozenset(_LABELS_LISTED.split("|"))
_VALUE = re.compile(
    r"[ *_\"]*((?:the |The )?[^\W\d_a-z][\w'.&-]*(?:[ ](?:[\w'.&-]+)){0,6}?)[ *_\"]*"
    r"(?=[,|;()\n\t]|[ ]{2}| [-\u2013\u2014] |$)"
)
#: What was got there: `School: Advanced Certificate, University of Leeds`.
_IS_DEGREE = re.compile(
    r"(?:[\w'-]+ ){0,3}(?:certificates?|licen[cs]es?|diplomas?|licenciatura|licenciate|licentiate|degree|abitur|"
    r"baccalaureate?|bachelor'?s?|master'?s?|doctorate|matric|matura|hnd|hnc|nvq|btec|a[- ]levels?|gcses?)"
    r"(?: \w+| (?:in|of) [\w ]+)?"
)
_NO_NAME = frozenset({"yes", "no", "none", "n/a", "na", "various", "see", "same", "not", "year", "degree", "present"})


@cache
def _short() -> frozenset[str]:
    """Return names in short in lower case."""
    return frozenset(plain_word(name) for rule in ("known", "prefix", "bare", "context") for name in listed(rule))


def names_in_small_letters(plain: Plain) -> list[tuple[int, int]]:
    """Return names after words of studying, in lines without capitals.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("then i went to lehigh university that was in 1990; i went to town")
    >>> [seen.text[start:end] for start, end in names_in_small_letters(seen)]
    ['lehigh university']
    """
    text, found = plain.low, []
    starts = [match.end() for place in plain.places(_WORDS) if (match := _TO.match(text, plain.words[place][1]))]
    place = text.find(" @ ")
    while place >= 0:
        starts.append(place + 3)
        place = text.find(" @ ", place + 1)
    for start in starts:
        name = _NAME.match(plain.text, start)
        if name is None or not _is_small(plain.text, start):
            continue
        stop = _STOP.search(plain.text, start, name.end() + 1)
        end = stop.start() if stop is not None else name.end()
        words = plain.text[start:end].rstrip(".").split(" ")
        if _is_school(words, told=text[start - 3 : start - 1] == " @" or text.startswith("educated", start - 12)):
            found.append((start, start + len(" ".join(words))))
    return found


def _is_school(words: list[str], *, told: bool) -> bool:
    if any(word in heads() or word.endswith(ENDINGS) for word in words) or " ".join(words) in _short():
        return len(words) > 1 or " ".join(words) in _short()
    if words[0] in _short() or " ".join(words[:2]) in _short():
        return True
    return told and len(words) <= _MOST_UNKNOWN and all(kind_of(word) is None for word in words)


def _is_small(text: str, place: int) -> bool:
    """Say whether the line around a place has no capital."""
    last = text.find("\n", place)
    return text[text.rfind("\n", 0, place) + 1 : last if last >= 0 else len(text)].islower()


def names_labelled(plain: Plain, layout: Layout) -> list[tuple[int, int]]:
    r"""Return values of labels for schools.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("School or university: Ironhack\nSchool: none")
    >>> [seen.text[start:end] for start, end in names_labelled(seen, layout_of(seen))]
    ['Ironhack']
    """
    found = []
    for field in layout.fields:
        if field.label not in _LABELS or not _begins(plain.text, field.label_start):
            continue
        value = _VALUE.match(plain.text, field.start, field.end + 1)
        if value is None:
            continue
        words = value.group(1).lower().split(" ")
        kinds = {kind_of(word.replace(".", "")) for word in words}
        if _IS_DEGREE.fullmatch(value.group(1).lower()) is not None:
            continue
        if words[0] not in _NO_NAME and kinds.isdisjoint({"work", "degree", "firm"}):
            found.append(value.span(1))
    return found


def _begins(text: str, place: int) -> bool:
    """Say whether a label begins its line or its cell: `Keele University: BSc` has none."""
    before = text[max(0, place - 12) : place].rstrip(' \t*_"-\u2013\u2022\u25aa>')
    return not before or before[-1] in "\n|;"


#: Certificates that a school gives, and names that follow them: `WASSCE from X`, `Leaving Certificate: X`.
_CERTIFICATE = re.compile(
    r"\b(?:(?:leaving|junior|secondary|school|school[ -]leaving|higher secondary|senior secondary|matriculation)[ ]"
    r"(?:school[ ]|education[ ])?(?:certificate|cert|diploma|exams?|examination)|high school diploma|"
    r"wassce|ssce|waec|neco|kcse|csec|igcses?|gcses?|[ao][- ]levels?|abitur|matura|maturita|"
    r"studentereksamen|baccalaureat|bachillerato|international baccalaureate|ib diploma|hkdse|tawjihi|thanaweya amma|"
    r"ensino (?:medio|secundario)|hsc|vce)\b"
)
_GRADES = (
    r"[ ]?(?:\([^()\n]{1,40}\))?"
    r"(?:,[ ](?:[a-z]+ )?(?:credits?|subjects?|passes|distinctions?|merits?|grades?)|,[ ]\d{1,2}%)?"
)
_GIVEN_BY = re.compile(rf"{_GRADES}(?:,? [a-z]+ credits)?[ ](?:from|at)[ ](?:the )?")
_CERTIFIED = re.compile(r"[A-Z][\w'.&-]*(?:[ ](?:(?:of|and|&|de|la|do|da)[ ])?[A-Z][\w'.&-]*){0,4}")


def names_with_certificates(plain: Plain, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return names that no list has, behind a school's certificate and `from` or `at`.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("WASSCE from Loyola Jos in 2001; certificate from Acme; A-levels at Maths Hall")
    >>> [seen.text[start:end] for start, end in names_with_certificates(seen, [])]
    ['Loyola Jos']
    """
    found: list[tuple[int, int]] = []
    for certificate in _CERTIFICATE.finditer(plain.low):
        given = _GIVEN_BY.match(plain.low, certificate.end())
        name = _CERTIFIED.match(plain.text, given.end()) if given is not None else None
        if name is None or any(start < name.end() and name.start() < end for start, end in named):
            continue
        words = re.findall(r"[\w']+", name.group().lower())
        if SUBJECTS.isdisjoint(words) and LEARNING.match(name.group()) is None and kind_of(words[0]) is None:
            found.append(name.span())
    return found


_SMALL_WORDS = LINKS | frozenset(
    {"with", "from", "first", "second", "class", "passed", "out", "completed", "expected", "graduated", "since", "to",
     "until", "now", "present", "grade", "distinction", "merit", "upper", "lower", "then", "by", "on", "or",
     "that", "was", "it", "is", "i", "my", "a", "an", "went", "where", "which", "as", "after"}
)  # fmt: skip
_ANY_WORD = re.compile(r"[^\W\d_][\w']*")
_ABBREVIATION = 5


@cache
def letters() -> dict[str, str]:
    """Return names in short that are capitals, by how they read in small letters: mit, ucla."""
    names = [name for rule in ("known", "bare") for name in listed(rule) if name.isupper()]
    names += [name for name in listed("prefix") if name.isupper() and name.isalpha() and len(name) == _ABBREVIATION - 1]
    first = [name.split(" ")[0] for name in listed("known") if " " in name]
    names += [name for name in first if name.isupper() and name.isalpha() and 1 < len(name) < _ABBREVIATION]
    return {name.lower(): name for name in names}


def in_capitals(plain: Plain, spans: list[tuple[int, int]]) -> Plain | None:
    """Return a text with capitals in lines without any or with all, as another writer has them, if it can be.

    >>> seen = plain_text("bsc nursing, university of leeds with merit, later ucla")
    >>> in_capitals(seen, [(0, len(seen.text))]).text
    'BSC Nursing, University of Leeds with merit, Later UCLA'
    """
    pieces, done = [], 0
    for start, end in spans:
        pieces += [plain.text[done:start], _ANY_WORD.sub(_capital, plain.text[start:end])]
        done = end
    written = plain_text("".join([*pieces, plain.text[done:]]))
    return written if len(written.text) == len(plain.text) else None


def _capital(word: re.Match[str]) -> str:
    small = word.group().lower()
    if small in _SMALL_WORDS:
        return "A" if small == "a" and word.string.startswith("&", word.end()) else small  # North Carolina A&T
    if len(small) <= _ABBREVIATION and kind_of(small) == "degree":
        return small.upper()
    return letters().get(small) or small[0].upper() + small[1:]
