"""PHONE: telephone numbers of the regions asked for, and of any region with a plus sign or a label.

Kept: years and ranges of years, dates, amounts, article and grant numbers, postal codes.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import phonenumbers

from evenhand.patterns import lazy_re
from evenhand.resumes.categories.contacts.handles import CONTACT_WORDS
from evenhand.resumes.rules import Found
from evenhand.resumes.text.folded_text import FoldedText

__all__ = ["REGIONS", "phones"]

_REGIONS_LISTED = "US GB CA AU IN DE FR ES IT NL BR MX NG KE ZA PK PH CN VN PL"
REGIONS = tuple(_REGIONS_LISTED.split())
#: All digits that stand together: parts of them could be put together in too many ways.
_PART = r"(?:\((?:\+?\d{1,5}|0 \d{2,4})\)|\d{1,15}(?!\d))"
_GAP = r"(?:[ ]?[-./][ ]?|[ ]|)"
_NUMBER = lazy_re(
    rf"(?<![\w$€£#])(?<!\d[.,/-])(?=[+(\d][-+\d ./()\n]{{6}})(?:\+[ ]?|00)?{_PART}(?:{_GAP}{_PART}){{0,9}}(?![\w%])"
    r"(?:[ ,]{0,3}(?:ext\.?|extension|x|#|durchwahl|int\.|poste)[ .:]{0,3}\d{1,6}(?!\d))?"
)
_EXTENSION = lazy_re(r"[ ,]{0,3}(?:ext|x|#|durchwahl|int|poste)")
_LETTERED = lazy_re(
    r"\b(?:1[- ]8(?:00|88|77|66|55|44|33)[- ]|8(?:00|88|77|66|55|44|33)-)[a-z]{7}\b|"
    r"\b1-8\d\d-[a-z0-9]{3}-[a-z0-9]{4}\b",
    re.IGNORECASE,
)
_ADDRESS_OF_MACHINE = lazy_re(r"(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}")
_DECIMAL = lazy_re(r"[1-9]\d*\.\d+")
_BRACKETED = lazy_re(r"\((?:\d{2,5}|0 \d{2,4})\) ?\d")
_SHAPED = lazy_re(r"(?:1[ .-])?\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}|0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,4}")
_LOCAL = lazy_re(r"(?:555|\d{4})[ .-]\d{4}")
#: A number without its area's code, behind somebody whom one can ask: `Supervisor: Ann Roe (555-0143)`.
_WITHOUT_AREA = lazy_re(r"\d{3}[ .-]\d{4}")
_CODE = lazy_re(r"\d{5}-\d{4}")
#: National numbers of eight digits, as Norway, Singapore, Denmark and Lebanon write them; not 20190412.
_EIGHT = lazy_re(
    r"(?!(?:19|20)\d{6})[2-9]\d{7}|[2-9]\d{2} \d{2} \d{3}|\d{2}(?: \d{2}){3}|0\d[-/]\d{6}|0\d-\d{3} ?\d{3}"
)
#: A journal's volume, year and page: 31 (2020) 114.
_VOLUME = lazy_re(r"\d{1,4} ?\((?:19|20)\d\d\)[ :]?\d{1,5}(?:-\d{1,5})?")
_ALONE_BEFORE = lazy_re(r"(?:^|[\n|•·,;/(\t☎✆✉:{]|\s{2}|\b(?:or|and) |[a-z]\) )\s*$")
_ALONE_AFTER = lazy_re(r"\s*(?:$|[\n|•·,;/)\t✉}]|\s{2}|\.(?:\s|$))")
#: What an unlabelled number of eight digits stands beside: an address, a person's role.
_BESIDE = lazy_re(
    r"(?:[\w-]\.[a-z]{2,12}[>)\]]?(?:\s*[|,;/•·]\s*|\s+(?:or|and)\s+)|[a-z]\),? |[;·] |^\s*|\n\s*|\| *|\{)$"
)

_CONTACT_WIDTH = 160
_HEADER = 300


def phones(folded: FoldedText, *, regions: Sequence[str] = REGIONS) -> list[Found]:
    """Return telephone numbers.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("Tel. (312) 555-0188, at Acme 2010 - 2015, budget of 2500000")
    >>> [seen.text[found.start:found.end] for found in phones(seen)]
    ['(312) 555-0188']
    """
    low, found = folded.low, []
    end_of_last = 0
    for match in _NUMBER.finditer(low):
        if match.end() - match.start() < _SHORTEST and low[match.end() : match.end() + 1] != "\n":
            continue
        for start, end in _numbers(low, *match.span(), end_of_last, tuple(regions)):
            labelled = _is_labelled(low, start, end_of_last)
            found.append(
                Found(
                    start=start, end=end, category="PHONE", rule="labelled" if labelled else "number", confidence=0.97
                )
            )
            end_of_last = end
    found += [
        Found(start=match.start(), end=match.end(), category="PHONE", rule="lettered", confidence=0.9)
        for match in (_LETTERED.finditer(low) if "-8" in low or "8" in low else ())
    ]
    return found


_SHORTEST = 7


def _numbers(low: str, start: int, end: int, last: int, regions: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the numbers in a stretch of digits: all of it, with what a line's end cuts off, or its parts."""
    apart = " / " in low[start:end] and low[start] not in "+0("
    if not apart and _counts(low, start, end, labelled=_is_labelled(low, start, last), regions=regions):
        return [(start, end)]
    for mark in (" / ", "/", " "):
        place = low.find(mark, start + 1, end)
        while place >= 0:
            if _counts(low, start, place, labelled=_is_labelled(low, start, last), regions=regions):
                return [(start, place), *_numbers(low, place + len(mark), end, place, regions)]
            if mark == " / ":
                return _numbers(low, place + len(mark), end, last, regions)
            place = low.find(mark, place + 1, end)
    return []


_LONGEST = 15


def _digits(text: str) -> int:
    return sum(character.isdigit() for character in text)


def _is_labelled(low: str, start: int, last: int) -> bool:
    """Say whether a label stands before a number, or a labelled number: `Tel: 312 555 0133 / 0134`."""
    if last and low[last:start].strip(" ,/|;or\t") == "":
        return True
    return CONTACT_WORDS.label.search(low, max(0, start - 30), start) is not None


def _counts(low: str, start: int, end: int, *, labelled: bool, regions: tuple[str, ...]) -> bool:
    """Say whether a stretch of digits is a telephone number."""
    number = low[start:end].strip()
    extension = _EXTENSION.search(number)
    bare = number[: extension.start()] if extension is not None else number
    digits = _digits(bare)
    if digits < _SHORTEST or digits > (_LONGEST if not labelled else _LONGEST + 3) or _is_dates(bare):
        return False
    if labelled:
        return True
    return (
        (bare.startswith("+") or CONTACT_WORDS.not_a_phone.search(low, max(0, start - 30), start) is None)
        and _ADDRESS_OF_MACHINE.fullmatch(bare) is None
        and _DECIMAL.fullmatch(bare) is None
        and _CODE.fullmatch(bare) is None
        and _VOLUME.fullmatch(bare) is None
        and low[start - 1 : start] not in {"-", "/"}
        and CONTACT_WORDS.amount_after.match(low, end) is None
        and _is_told(low, start, end, bare, regions)
    )


def _is_told(low: str, start: int, end: int, bare: str, regions: tuple[str, ...]) -> bool:
    """Say whether a number without a label has the form of one, or stands alone among contact details."""
    digits = _digits(bare)
    if bare.startswith("+"):
        return digits > _SHORTEST
    if _BRACKETED.search(bare) is not None or _SHAPED.fullmatch(bare) is not None:
        return True
    alone = (_ALONE_BEFORE.search(low, max(0, start - 4), start) is not None or start == 0) and _ALONE_AFTER.match(
        low, end
    ) is not None
    near = start < _HEADER or "@" in low[max(0, start - _CONTACT_WIDTH) : end + _CONTACT_WIDTH]
    somebodys = _WITHOUT_AREA.fullmatch(bare) and CONTACT_WORDS.of_somebody.search(
        low, max(0, start - _CONTACT_WIDTH), start
    )
    if alone and (somebodys or (near and (digits > _SHORTEST + 1 or _LOCAL.fullmatch(bare) is not None))):
        return True
    if alone and _EIGHT.fullmatch(bare) is not None and _BESIDE.search(low, max(0, start - 20), start) is not None:
        return near or CONTACT_WORDS.asked.search(low, max(0, start - _CONTACT_WIDTH), start) is not None
    return digits > _SHORTEST + 1 and _is_number(bare, regions)


def _is_dates(bare: str) -> bool:
    """Say whether all parts of a number are years, months and days: 05/2015 - 2018.

    >>> _is_dates("05/2015 - 2018"), _is_dates("12.05.2014-13.06.2015"), _is_dates("05 20 15 18 22")
    (True, True, False)
    """
    parts = _PARTS.findall(bare)
    years = sum(len(part) == 4 and part[:2] in {"19", "20"} for part in parts)
    if _RANGE_OF_NUMBERS.fullmatch(bare) is not None or _SHORT_DATE.fullmatch(bare) is not None:
        return True
    return bool(years) and all(
        (len(part) == 4 and part[:2] in {"19", "20"}) or (len(part) <= 2 and (years > 1 or int(part) <= 31))
        for part in parts
    )


_SHORT_DATE = lazy_re(r"\d{1,2}([./-])\d{1,2}\1\d{2}")
_PARTS = lazy_re(r"\d+")
_RANGE_OF_NUMBERS = lazy_re(r"(?:19|20)\d\d-\d{3,4}")


@lru_cache(maxsize=4096)
def _is_number(number: str, regions: tuple[str, ...]) -> bool:
    """Say whether a number is valid in one of the regions."""
    for region in regions:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return True
    return False
