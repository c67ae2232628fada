"""The EEO-1 categories of race and ethnicity, and the age that the ADEA protects."""

import csv
from datetime import date
from functools import cache
from importlib.resources import files

from evenhand.hiring.columns.folding import fold
from evenhand.patterns import lazy_re

__all__ = ["ADEA_AGE", "HISPANIC", "OVER", "TWO_OR_MORE", "UNDER", "eeo1_category", "years_before"]

#: 29 U.S.C. 631(a): the ADEA protects from 40 years of age on.
ADEA_AGE = 40
OVER, UNDER = "40 or older", "under 40"
HISPANIC = "Hispanic or Latino"
TWO_OR_MORE = "Two or More Races"
_BETWEEN = lazy_re(r"[;|,+&]|\band\b")
_NOT_HISPANIC = lazy_re(r"\s*[,(]?\s*\bnon?t?[ -]+(?:hispanic|latino)(?: or latino)?\)?")
_HISPANIC_YES = frozenset({"true", "1", "yes", "y", "t"})
_HISPANIC_NO = frozenset({"false", "0", "no", "n", "f"})


@cache
def eeo1_codes() -> dict[str, str]:
    """Return the category of each code and name that is understood, folded."""
    text = files("evenhand.hiring").joinpath("eeo1_codes.csv").read_text(encoding="utf-8")
    return {fold(row["code"]): row["category"] for row in csv.DictReader(text.splitlines())}


def eeo1_category(race: str | None, hispanic: str | None = None) -> str | None:
    """Return the EEO-1 category of a person: Hispanic first, several races as Two or More.

    `race` is a name or a usual code, or several of them ('White; Asian'); `hispanic` says yes
    or no, or names the ethnicity. Null where the race is not known and nobody is said to be
    Hispanic. Numbers are not understood: their meaning differs between systems.

    Raises
    ------
    KeyError
        The race, or the answer on ethnicity, fits no category.

    References
    ----------
    EEOC, EEO-1 Component 1 Data Collection Instruction Booklet, 'Race and Ethnicity Identification'.

    >>> eeo1_category("W"), eeo1_category("White; Asian"), eeo1_category("Black", "Hispanic or Latino")
    ('White', 'Two or More Races', 'Hispanic or Latino')

    """
    codes = eeo1_codes()
    if hispanic is not None and _is_hispanic(hispanic):
        return HISPANIC
    if race is None:
        return None
    bare = _bare(race)
    if bare in codes:
        return codes[bare]
    try:
        parts = {codes[part.strip()] for part in _BETWEEN.split(bare) if part.strip()}
    except KeyError:
        raise KeyError(race) from None
    if not parts:
        raise KeyError(race)
    if HISPANIC in parts:
        return HISPANIC
    return TWO_OR_MORE if len(parts) > 1 else parts.pop()


def years_before(day: date, years: int) -> date:
    """Return the same day `years` earlier; 28 February where there is no 29th.

    >>> years_before(date(2024, 2, 29), 25)
    datetime.date(1999, 2, 28)
    """
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def _bare(label: str) -> str:
    """Return a label without what forms add: 'White (Not Hispanic or Latino)'.

    >>> _bare("White (not Hispanic or Latino)")
    'white'
    """
    return _NOT_HISPANIC.sub("", fold(label)).strip()


def _is_hispanic(answer: str) -> bool:
    folded = fold(answer)
    if folded in _HISPANIC_YES or eeo1_codes().get(folded) == HISPANIC:
        return True
    if folded in _HISPANIC_NO or _NOT_HISPANIC.fullmatch(folded):
        return False
    raise KeyError(answer)
