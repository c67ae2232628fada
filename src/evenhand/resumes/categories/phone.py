"""PHONE: telephone numbers of the regions asked for, and of any region with a plus sign or a label.

Kept: years and ranges of years, dates, amounts, article and grant numbers, postal codes.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import phonenumbers

from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["REGIONS", "phones"]

REGIONS = (
    "US",
    "GB",
    "CA",
    "AU",
    "IN",
    "DE",
    "FR",
    "ES",
    "IT",
    "NL",
    "BR",
    "MX",
    "NG",
    "KE",
    "ZA",
    "PK",
    "PH",
    "CN",
    "VN",
    "PL",
)
_NUMBER = re.compile(
    r"(?<![\w.,$€£#/-])(?:\+|00)?[(\d][\d \u00a0().\-/·]{5,24}\d(?![\w%])(?:\s?(?:ext\.?|x|extension|"
    r"#)\s?\d{1,6}(?!\d))?",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"\b1?[- ]?8(?:00|88|77|66|55|44|33)[- ][a-z]{7}\b|\b1-8\d\d-[a-z0-9]{3}-[a-z0-9]{4}\b", re.IGNORECASE
)
_LABEL = re.compile(
    r"\b(?:phone|telephone|tel|mobile|mob|cell|cellphone|cellular|ph|fax|whatsapp|contact|call|"
    r"text|landline|handphone|hp|"
    r"contact no|contact number|mobile no|phone no|telefon|handy|telefono|movil|celular|telefone|"
    r"portable|tlf|home|work|office|direct|viber|sms|reach me at|[tmpch])"
    r"(?:\s?(?:no|number|nr|#))?\.?\s*(?:\([a-z]{1,10}\))?\s*[:.)#-]*\s*$",
    re.IGNORECASE,
)
_NOT_A_PHONE = re.compile(
    r"\b(?:isbn|issn|doi|grant|patent|us patent|license|licence|lic|registration|reg|id|no|number|"
    r"ticket|invoice|order|account|"
    r"ref|reference|serial|sku|version|v|bar|roll|passport|ssn|ein|npi|abn|nct|pmid|member|membership|"
    r"badge|certificate|cert|case|gst|vat|orcid|model|part|lot|batch|po|tracking|docket|permit|policy)"
    r"\.?\s*(?:no|number|nr|id|#)?\.?\s*[:#.-]*\s*$"
)
_DATES = re.compile(
    r"(?:19|20)\d\d\s?[-/–. ]{1,3}\s?(?:19|20)\d\d|(?:0?\d|1\d|2\d|3[01])[-/. ](?:0?\d|1[0-2]|"
    r"[12]\d|3[01])[-/. ](?:19|20)?\d\d"
    r"|(?:19|20)\d\d[-/.](?:0?\d|1[0-2])(?:[-/.](?:0?\d|[12]\d|3[01]))?|(?:0?\d|1[0-2])[/.](?:19|"
    r"20)\d\d\s?[-– ]+\s?(?:0?\d|1[0-2])[/.](?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:[ ,/-]+(?:19|20)\d\d)+"
)
_BRACKETED = re.compile(r"\(\d{2,5}\)\s?\d")


def phones(plain: Plain, *, regions: Sequence[str] = REGIONS) -> list[Found]:
    """Return telephone numbers.

    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("Tel. (312) 555-0188, at Acme 2010 - 2015, budget of 2500000")
    >>> [seen.text[found.start:found.end] for found in phones(seen)]
    ['(312) 555-0188']
    """
    low, found = plain.low, []
    end_of_last = 0
    for match in _NUMBER.finditer(low):
        start, end = match.span()
        while low[end - 1] in " .-/":
            end -= 1
        before = low[max(0, start - 30) : start]
        labelled = _LABEL.search(before) is not None
        # A second number after 'Tel: … /' is labelled by the first.
        labelled = labelled or (bool(end_of_last) and low[end_of_last:start].strip(" ,/|;or\t").strip() == "")
        if _counts(match.group(), before, labelled=labelled, regions=tuple(regions)):
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


def _counts(number: str, before: str, *, labelled: bool, regions: tuple[str, ...]) -> bool:  # noqa: PLR0911 - one line per kind of look-alike
    digits = sum(character.isdigit() for character in number)
    if not 7 <= digits <= 18:
        return False
    bare = number.strip()
    if _DATES.fullmatch(bare) is not None:
        return False
    if labelled:
        return True
    if _NOT_A_PHONE.search(before) is not None:
        return False
    if number.startswith("+"):
        return digits >= 8
    shaped = any(mark in bare for mark in " -.()/")
    if _BRACKETED.search(bare) is not None:
        return True
    if digits < 9 and not (shaped and re.fullmatch(r"\d{3,4}[ .-]\d{4}", bare)):
        return False
    return _is_number(bare, regions)


@lru_cache(maxsize=4096)
def _is_number(number: str, regions: tuple[str, ...]) -> bool:
    for region in regions:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return True
    # Numbers kept free for fiction (555-01xx and the like) are no valid numbers; three groups are a number's shape.
    return (
        re.fullmatch(
            r"(?:1[ .-])?\d{3}[ .-]\d{3}[ .-]\d{4}(?:\s?(?:ext\.?|x)\s?\d+)?|0\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}", number
        )
        is not None
    )
