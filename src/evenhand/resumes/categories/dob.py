"""DOB: dates of birth and ages, by option.

Kept: all other dates, years of experience, ages of programmes and children taught.
"""

import re

from evenhand.resumes.layout import Layout
from evenhand.resumes.plain import Plain
from evenhand.resumes.rules import Found

__all__ = ["births"]

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?"
DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?[\s.\-/]{{1,2}}{_MONTH}[\s,.\-/]{{1,3}}(?:\d{{4}}|'?\d{{2}})\b"
    rf"|{_MONTH}[\s.]{{1,2}}\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    r"|\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:\d{4}|\d{2})\b|\d{4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{1,2}"
    rf"|{_MONTH}\s+\d{{4}}|(?:19|20)\d\d)"
)
_BORN = re.compile(
    r"(?:\b(?:date of birth|birth ?date|birthday|d\.?\s?o\.?\s?b\b\.?|born(?: on| in|:)?|geb\.|"
    r"geboren(?: am)?|geburtsdatum|"
    r"fecha de nacimiento|nacid[oa](?: el)?|date de naissance|nee? le|data di nascita|data de "
    r"nascimento|year of birth|b\.(?=\s?\d))"
    rf"\s*(?:\([^)\n]{{1,20}}\))?\s*[:=\-]*\s*(?:(?:in|at)\s+[a-z][a-z ,]{{2,40}}?\s*(?:,|on|in)?\s+)?)({DATE})"
)
_AGE = re.compile(
    r"\b(?:(?:age|aged)\s*[:=-]?\s*(\d{2})\b(?!\s?(?:-|–|to|and|\+|%|\.\d|students|children|"
    r"groups?))|(\d{2}[- ]years?[- ](?:old|of age))\b|(\d{2}\s?y/?o)\b|i am (\d{2})\b(?=\s*[.,\n]))"
)
_LABELS = frozenset(
    {
        "date of birth",
        "dob",
        "d.o.b",
        "d.o.b.",
        "birth date",
        "birthdate",
        "birthday",
        "born",
        "date of birth/age",
        "year of birth",
        "dob/age",
        "birth",
    }
)
_DATE = re.compile(DATE)
_OTHERS = re.compile(
    r"\b(?:children|students|patients|pupils|adults|clients|company|firm|codebase|system|for|to)\b[^.\n]{0,20}$"
)


def births(plain: Plain, layout: Layout) -> list[Found]:
    """Return dates of birth and ages; only the date itself, not its label.

    >>> from evenhand.resumes.layout import layout_of
    >>> from evenhand.resumes.plain import plain_text
    >>> seen = plain_text("male, DOB 12/04/1991, at Acme since 04/2012")
    >>> [seen.text[found.start:found.end] for found in births(seen, layout_of(seen))]
    ['12/04/1991']
    """
    low = plain.low
    found = [
        Found(start=match.start(1), end=match.end(1), category="DOB", rule="date of birth", confidence=0.95)
        for match in (_BORN.finditer(low) if "b" in low else ())
    ]
    for field in layout.fields:
        if field.label in _LABELS:
            match = _DATE.search(low, field.start, field.end)
            if match is not None:
                found.append(
                    Found(start=match.start(), end=match.end(), category="DOB", rule="labelled", confidence=0.97)
                )
    if "age" in low or "year" in low or "i am " in low or "y/o" in low:
        for match in _AGE.finditer(low):
            group = next(number for number in (1, 2, 3, 4) if match.group(number) is not None)
            if group != 2 or _OTHERS.search(low[max(0, match.start() - 30) : match.start()]) is None:
                found.append(
                    Found(start=match.start(group), end=match.end(group), category="DOB", rule="age", confidence=0.85)
                )
    return found
