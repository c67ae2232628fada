"""The occupation of O*NET that a position is nearest to, and its major group: the family that scores are calibrated in.

Major groups are those of the Standard Occupational Classification 2018 (U.S. Bureau of Labor Statistics).
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from evenhand.intake.positions import Position
from evenhand.lexicons.onet import Occupation, occupations
from evenhand.matching.reading.words import lines_of
from evenhand.resumes.generated.positions import position_title

__all__ = ["FAMILIES", "occupation_of", "titles_of"]

FAMILIES: Final[Mapping[str, str]] = {
    "11": "Management",
    "13": "Business and Financial Operations",
    "15": "Computer and Mathematical",
    "17": "Architecture and Engineering",
    "19": "Life, Physical, and Social Science",
    "21": "Community and Social Service",
    "23": "Legal",
    "25": "Educational Instruction and Library",
    "27": "Arts, Design, Entertainment, Sports, and Media",
    "29": "Healthcare Practitioners and Technical",
    "31": "Healthcare Support",
    "33": "Protective Service",
    "35": "Food Preparation and Serving Related",
    "37": "Building and Grounds Cleaning and Maintenance",
    "39": "Personal Care and Service",
    "41": "Sales and Related",
    "43": "Office and Administrative Support",
    "45": "Farming, Fishing, and Forestry",
    "47": "Construction and Extraction",
    "49": "Installation, Maintenance, and Repair",
    "51": "Production",
    "53": "Transportation and Material Moving",
}
#: Columns of a position that may hold the code of its occupation.
_CODES: Final = ("onet", "occupation", "soc", "code")
#: The share of a title's words that an occupation's own must share with it.
_ENOUGH: Final = 0.5


def occupation_of(position: Position) -> Occupation | None:
    """Return the occupation that a position names by its code or title, or whose title shares most words with its own.

    >>> occupation_of(Position(id="1", title="Software Developer")).code
    '15-1252.00'
    """
    for name in _CODES:
        found = _codes().get(position.columns.get(name, "")) or _codes().get(position.columns.get(name, "")[:7])
        if found is not None:
            return found
    words = _words(position.title)
    best, score = None, 0.0
    for title, occupation in _titles():
        shared = len(words & title) / (len(words | title) or 1)
        if shared > score:
            best, score = occupation, shared
    return best if score >= _ENOUGH else None


def titles_of(occupation: Occupation) -> tuple[str, ...]:
    """Return what people of an occupation are called, its own titles first."""
    return occupation.title, position_title(occupation), *occupation.titles


def _words(title: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for _, line in lines_of(title) for word in line if len(word) > 1)


@cache
def _titles() -> tuple[tuple[frozenset[str], Occupation], ...]:
    """Return the titles that occupations have, their own before others'."""
    every = [(title, each) for each in occupations() for title in titles_of(each)]
    return tuple((_words(title), each) for title, each in every)


@cache
def _codes() -> Mapping[str, Occupation]:
    found = {each.code[:7]: each for each in reversed(occupations())}
    return found | {each.code: each for each in occupations()}
