"""Names of schools that a kind of school tells which is no word alone, or `from` and `by` after a degree.

`Brookfield Sixth Form`, `Eastwood Comprehensive`, `HEART Trust/NTA`, `Technikum Budowlane`, `Truong THPT Chu Van An`.
"""

import re

from evenhand.resumes.categories.school_words import LEARNING, SUBJECTS
from evenhand.resumes.categories.studies import Studies
from evenhand.resumes.categories.study import kind_of
from evenhand.resumes.plain import Plain

__all__ = ["names_given", "names_of_kinds"]

#: Not from within a run of capitals: each would be read to its end.
_NAME = r"(?<![A-Z])(?:(?:St\.?|Mt\.?|Ysgol) )?(?:[A-Z][\w'.&-]*[ ]){1,4}"
_ENDS = (
    r"[ ]*(?:[,;:|()\[\]\n\t*<\"-]|$|\d|'\d|\.(?:\s|$))| (?:in|from|until|till|class|with|where|"
    r"between|and|conferred|awarded|completed)\b"
)
_CLOSED = rf"(?={_ENDS})"
_PART = r"[A-Z][\w'.-]*"
_VIETNAMESE = r"(?:[A-Z]\w*|khoa|hoc|hoi|nghe|thuat|te|va|su|pham|cong|kinh|dai|quoc|gia|ha|noi)"
#: Kinds by what they are looked for by; the second ones count only where studying is told of.
_SURE = {
    "sixth": re.compile(rf"{_NAME}Sixth[ -]Form(?: (?:College|Centre|Academy))?"),
    "6th": re.compile(rf"{_NAME}6th[ -]Form(?: (?:College|Centre|Academy))?"),
    "jvs": re.compile(rf"{_NAME}JVS\b"),
    "boces": re.compile(rf"{_NAME}BOCES\b"),
    "vo-tech": re.compile(rf"{_NAME}Vo-Tech\b(?: (?:School|Center))?"),
    "heart trust": re.compile(r"(?i:heart[ ]trust[ ]?/[ ]?ns?ta)|HEART (?:Trust|TRUST)\b"),
    "heart/n": re.compile(r"(?i:heart/ns?ta(?:[ ]trust)?)"),
    "thpt": re.compile(rf"(?:(?i:truong) )?(?i:thpt)(?: (?i:chuyen))?(?: {_PART}){{1,5}}"),
    "thcs": re.compile(rf"(?:(?i:truong) )?(?i:thcs)(?: {_PART}){{1,5}}"),
    "cao dang": re.compile(rf"(?:Truong )?(?i:cao dang)(?: {_VIETNAMESE}){{1,8}}"),
    "dai hoc": re.compile(rf"(?:(?i:truong) )?(?i:dai hoc)(?: {_VIETNAMESE}){{1,9}}"),
    "hoc vien": re.compile(rf"(?i:hoc vien)(?: {_VIETNAMESE}){{1,8}}"),
    "technikum": re.compile(
        rf"(?:Zespol Szkol )?Technikum(?: (?:[A-Z][\w'-]*|nr|im\.|w|i|\d{{1,3}})){{1,5}}(?:, {_PART})?{_CLOSED}"
    ),
}
_TOLD = {
    "comprehensive": re.compile(rf"{_NAME}Comprehensive{_CLOSED}"),
    "grammar": re.compile(rf"{_NAME}Grammar{_CLOSED}"),
    "convent": re.compile(rf"{_NAME}Convent{_CLOSED}|Convent of {_PART}(?: (?:and )?{_PART}){{0,2}}"),
    "secondary modern": re.compile(rf"{_NAME}Secondary Modern{_CLOSED}"),
    "utc": re.compile(rf"{_NAME}UTC{_CLOSED}"),
    "training cent": re.compile(rf"{_NAME}Training Cent(?:re|er)(?:,? {_PART})?{_CLOSED}"),
    "senior high": re.compile(rf"{_NAME}Senior High{_CLOSED}"),
    " hs": re.compile(rf"{_NAME}HS{_CLOSED}"),
    " metropolitan": re.compile(rf"{_NAME}Metropolitan{_CLOSED}"),
    " ss": re.compile(rf"{_NAME}SS{_CLOSED}"),
    " met": re.compile(rf"{_NAME}Met{_CLOSED}"),
    " poly": re.compile(rf"{_NAME}Poly{_CLOSED}"),
    "career cent": re.compile(rf"{_NAME}Career Cent(?:re|er){_CLOSED}"),
    "technology cent": re.compile(rf"{_NAME}Technology Cent(?:re|er){_CLOSED}"),
    "skills cent": re.compile(rf"{_NAME}Skills Cent(?:re|er){_CLOSED}"),
    " cc": re.compile(rf"{_NAME}CC{_CLOSED}"),
    " tafe": re.compile(rf"{_NAME}TAFE{_CLOSED}"),
    " tech": re.compile(rf"{_NAME}Tech{_CLOSED}"),
    "bhava": re.compile(rf"{_NAME}Bhavan?{_CLOSED}"),
    "vidyalaya": re.compile(rf"{_NAME}Vidyalaya(?:,? {_PART})?{_CLOSED}"),
    "education cent": re.compile(rf"{_NAME}Education Cent(?:re|er){_CLOSED}"),
    "further education": re.compile(rf"{_NAME}Further Education Cent(?:re|er){_CLOSED}"),
}
_TOWNED = frozenset({"heart trust", "heart/n"})
_TOWN = re.compile(rf",\s(?!\d)({_PART}(?: {_PART})?){_CLOSED}")
_NO_NAME_LISTED = (
    "fully motor comprehensive the a an my our level english latin german french spanish first upper lower"
)
_NO_NAME = frozenset(_NO_NAME_LISTED.split())
#: Who gave a degree: `awarded 2006 by X`, `NVQ 2 Carpentry from X`.
_GIVER = re.compile(r"\b(?:from|by)\s(?:the )?(?=[A-Z])")
_GIVEN = re.compile(
    r"[A-Z][\w'.&/-]*(?:[ ](?:(?:of|and|&|de|la|do|da|du|des|for|the)[ ])?(?:[A-Z][\w'.&/-]*|\d{1,3}(?![\w/-]))){0,7}"
)
_AFTER_GIVEN = re.compile(_ENDS)
_GIFT = re.compile(r"\b(?:awarded|conferred|granted|issued|validated|graduated|degree|completed)\b")
_NO_GIFT = re.compile(r"\b(?:scholarship|bursary|prize|medal|grant|sponsor\w*|funded|fellowship|award)\b")


def names_of_kinds(plain: Plain, studies: Studies) -> list[tuple[int, int]]:
    """Return names that end or begin with a kind of school of two words, or one that is a word otherwise.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("A levels, Brookfield Sixth Form; HEART Trust/NTA, Kingston, 2006; a sixth form class")
    >>> [seen.text[start:end] for start, end in names_of_kinds(seen, Studies(seen, None))]
    ['Brookfield Sixth Form', 'HEART Trust/NTA, Kingston']
    """
    low, text, found = plain.low, plain.text, []
    for gates, told in ((_SURE, False), (_TOLD, True)):
        for gate, expression in gates.items():
            if gate not in low:
                continue
            for match in expression.finditer(text):
                start, end = _without_verbs(plain, *match.span())
                if start is None or (told and not studies.told(start)):
                    continue
                town = _TOWN.match(text, end) if gate in _TOWNED else None
                found.append((start, town.end(1) if town is not None else end))
    return found


def _without_verbs(plain: Plain, start: int, end: int) -> tuple[int | None, int]:
    """Return a name without degrees and verbs before it, None where nothing of it is left."""
    while True:
        word = plain.low[start:end].split(" ", 1)[0].strip(".,")
        if word not in _NO_NAME and (kind_of(word) is None or word in _KINDS) and word not in {"at", "from", "studied"}:
            return (start, end) if word not in _ALONE else (None, end)
        if " " not in plain.low[start:end]:
            return None, end
        start = plain.low.index(" ", start) + 1


_KINDS = frozenset({"dai", "heart", "technikum", "thpt", "thcs", "truong", "st", "convent", "cao", "hoc", "zespol"})
_ALONE = frozenset({"sixth", "6th", "comprehensive", "grammar", "secondary", "training", "further", "utc"})


def names_given(plain: Plain, studies: Studies, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
    r"""Return names that no list has behind `from` and `by`, in lines of studies that name a degree.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Education\nHND Business, awarded 2006 by Borough Works\nScholarship given by Acme")
    >>> [seen.text[start:end] for start, end in names_given(seen, Studies(seen, layout_of(seen)), [])]
    ['Borough Works']
    """
    found: list[tuple[int, int]] = []
    for start, end in studies.lines():
        for giver in _GIVER.finditer(plain.text, start, end):
            name = _GIVEN.match(plain.text, giver.end(), end)
            if name is None or _AFTER_GIVEN.match(plain.text, name.end()) is None:
                continue
            before = plain.low[start : giver.start()]
            words = re.findall(r"[\w']+", name.group().lower())
            if (
                (_GIFT.search(before) is None and not studies.has_degree(start, giver.start()))
                or _NO_GIFT.search(before) is not None
                or any(first < name.end() and name.start() < last for first, last in named)
                or kind_of(words[0]) is not None
                or not SUBJECTS.isdisjoint(words)
                or LEARNING.match(name.group()) is not None
            ):
                continue
            found.append(name.span())
    return found
