"""Whether what stands side by side on a page is rows, such as labels with their values, or columns.

Lines of a sidebar may stand exactly on the lines beside them. Then only the words tell: a
table's left cells are labels or dates, or its right cells are dates, places or grades at the
margin. Anything else is columns; a name on two lines of a sidebar must not be torn apart.
"""

from collections.abc import Sequence
from functools import cache

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.field_labels import category_of
from evenhand.resumes.names.own.told import is_own_label
from evenhand.resumes.text.folded_text import folded_text, folded_word
from evenhand.resumes.text.layout import layout_of

__all__ = ["are_rows", "begins_with_date", "is_contact", "is_date", "is_heading", "is_label", "section_of"]

#: Parts of the cells that must be what a side of a table holds.
_LABELS_OF_ROWS = 0.75
_DATES_OF_ROWS = 0.4
_ROWS_OF_GRADES = 0.6
_MOST_CONTACTS = 0.35
#: So many words have the cells of a table of skills and grades.
_SHORT_LEFT, _SHORT_RIGHT = 3, 2
_LONGEST_LABEL, _LONGEST_HEADING = 40, 40
_OTHER_LABELS_LISTED = (
    "address|adresse|age|alter|anschrift|availability|available|born|cell|city|client|company|contact|country|"
    "date|dates|date of birth|birth date|birthdate|birthday|birth|d.o.b|d.o.b.|dob|degree|driving licence|"
    "driver's license|drivers license|driving license|duration|e-mail|e-mail address|email|email address|employer|fax|"
    "from|geboren|geboren am|geburtsdatum|geburtsort|github|gitlab|grade|gpa|height|home|home address|homepage|id|"
    "industry|institution|institute|job title|landline|language|level|linkedin|location|mail|major|mobil|mobile|"
    "mobile phone|mobile number|notice period|objective|occupation|organisation|organization|period|personal|phone|"
    "phone number|phone no|postcode|position|post|project|referee|relocation|residence|role|salary|school|skype|state|"
    "subject|tel|telefon|telefono|telephone|telephone number|title|to|tools|twitter|university|web|web site|website|"
    "weight|where|year|years|zip|wohnort|fecha de nacimiento|direccion|correo|correo electronico|date de naissance|"
    "lieu de naissance|courriel|data urodzenia|adres|data di nascita|indirizzo|data de nascimento|geboortedatum"
)
_OTHER_LABELS = frozenset(_OTHER_LABELS_LISTED.split("|"))
_YEAR = lazy_re(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CONTACT = lazy_re(r"@|\bhttps?:|\bwww\.|\b(?:linkedin|github|gitlab)\.|\b[a-z0-9-]{2,}\.(?:com|org|net|io|dev|me)\b")
_DIGITS = lazy_re(r"\d")
_FEWEST_DIGITS = 7
_MONTHS_LISTED = (
    "jan feb mar mär fev fév apr avr abr may mai maj jun jul aug aou aoû ago sep set oct okt out nov dec dez dic déc "
    "dig sty lut kwi cze lip sie wrz paź lis gru gen mag giu lug ott ene spring summer autumn fall winter"
)
_MONTHS = frozenset(_MONTHS_LISTED.split())
_NOW_LISTED = (
    "present now current currently today ongoing since until till to from and heute seit bis ab aktuell jetzt desde "
    "hasta actualidad presente depuis aujourd'hui dal oggi od do obecnie teraz expected q1 q2 q3 q4 ft pt"
)
_NOW = frozenset(_NOW_LISTED.split())
_APART = lazy_re(r"[\s/–—,()|-]+")
_MOST_WORDS = 8


def are_rows(right: Sequence[str], pairs: Sequence[tuple[str, str]], *, lines: int, flush: bool, alone: bool) -> bool:
    """Say whether cells on both sides of a blank strip are read across.

    `right` are all cells of that side, `pairs` those beside one of so many `lines` on the
    left; `flush` says that the right ones end at one edge and begin anywhere, `alone` that
    lines without one stand between any two, as they do with dates and places at the margin.

    >>> def asked(pairs): return are_rows([cell for _, cell in pairs], pairs, lines=3, flush=False, alone=False)
    >>> asked([("Name", "Ana"), ("Phone", "312-555-0188"), ("Sex", "F")])
    True
    >>> asked([("CONTACT", "Led the audit of all"), ("Ana", "accounts of the firm"), ("Bell", "and its owners")])
    False
    """
    if not pairs:
        return False
    labels = sum(is_label(cell) for cell, _ in pairs)
    if labels >= _LABELS_OF_ROWS * len(pairs) and not any(is_contact(cell) for cell, _ in pairs):
        return True
    headed = any(map(is_heading, right))
    if not headed and _is_margin(right, flush=flush, alone=alone):
        return True
    return (
        not headed
        and len(pairs) >= _ROWS_OF_GRADES * lines
        and not any(is_contact(cell) or is_heading(cell) for cell, _ in pairs)
        and not any(map(is_contact, right))
        and all(len(cell.split()) <= _SHORT_LEFT for cell, _ in pairs)
        and all(len(cell.split()) <= _SHORT_RIGHT for cell in right)
    )


def _is_margin(right: Sequence[str], *, flush: bool, alone: bool) -> bool:
    """Say whether cells are dates and numbers, or places with or without them that end at one edge."""
    contacts = sum(map(is_contact, right))
    if contacts > _MOST_CONTACTS * len(right):
        return False
    if flush and alone and not contacts:
        return True
    dates = sum(is_date(cell) or _ends_with_date(cell) for cell in right)
    return dates >= (_DATES_OF_ROWS if flush else 0.5) * (len(right) - contacts)


def _ends_with_date(cell: str) -> bool:
    words = cell.split()
    return len(words) <= _MOST_WORDS and is_date(words[-1])


@cache
def is_label(cell: str) -> bool:
    """Say whether a cell only names what stands beside it: a label, a heading, a date, a bullet.

    >>> [is_label(cell) for cell in ("Full name", "Shoe size:", "EDUCATION", "2015 - 2020", "•", "Tel.", "Python")]
    [True, True, True, True, True, True, False]
    """
    bare = cell.strip(" .:*_()")
    if not any(map(str.isalnum, bare)):
        return True
    if len(cell) > _LONGEST_LABEL:
        return False
    folded = folded_word(bare)
    return (
        cell.endswith(":")
        or len(bare) == 1
        or folded in _OTHER_LABELS
        or category_of(folded) is not None
        or is_own_label(folded)
        or is_date(cell)
        or begins_with_date(cell)
        or is_heading(cell)
    )


def begins_with_date(cell: str) -> bool:
    """Say whether a cell is a date and a word, as left of the last column of a table."""
    words = cell.split()
    dated = next((count for count in range(len(words), 0, -1) if is_date(" ".join(words[:count]))), 0)
    return dated > 0 and len(words) - dated <= 1


@cache
def section_of(cell: str) -> str | None:
    """Return the section that a cell is the heading of, None where it is none.

    >>> [section_of(cell) for cell in ("Work experience", "REFEREES", "SQL", "Led the audit")]
    ['work', 'references', None, None]
    """
    if len(cell) > _LONGEST_HEADING or not any(map(str.isalpha, cell)):
        return None
    lines = layout_of(folded_text(cell)).lines
    return lines[0].section if lines and lines[0].heading else None


def is_heading(cell: str) -> bool:
    """Say whether a cell is the heading of a section."""
    return section_of(cell) is not None


@cache
def is_date(cell: str) -> bool:
    """Say whether a cell is a date, a period or a number.

    >>> [is_date(cell) for cell in ("2015 – 2020", "May 2012 to present", "3.9/4.0", "since 03/2019", "85 %")]
    [True, True, True, True, True]
    >>> [is_date(cell) for cell in ("312-555-0188", "Houston", "Analyst, 2012", "May")]
    [False, False, False, False]
    """
    words = [word.strip(".:'’%") for word in _APART.split(cell.lower())]  # noqa: RUF001 - a year's apostrophe
    words = [word for word in words if word]
    if not words or len(words) > _MOST_WORDS or not _DIGITS.search(cell) or is_contact(cell):
        return False
    return all(word[0].isdigit() or word in _NOW or word[:3] in _MONTHS for word in words)


@cache
def is_contact(cell: str) -> bool:
    """Say whether a cell holds an address of mail or of a page, or a telephone number.

    >>> [is_contact(cell) for cell in ("ana@a.org", "+1 312-555-0188", "www.a.eu/ana", "01/2015 - 12/2020")]
    [True, True, True, False]
    """
    if _CONTACT.search(cell.lower()) is not None:
        return True
    return _YEAR.search(cell) is None and len(_DIGITS.findall(cell)) >= _FEWEST_DIGITS
