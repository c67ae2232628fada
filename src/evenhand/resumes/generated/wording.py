"""The words of our own that stand between the facts of O*NET, read when the first text is made."""

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import Any, TypeVar

from evenhand.errors import InputError
from evenhand.lexicons.onet import Occupation
from evenhand.patterns import lazy_re

__all__ = ["Draws", "Family", "OtherWork", "Path", "Wording", "Zone", "path_of", "wording"]

_T = TypeVar("_T")
_RANGE = lazy_re(r"\{(\d+)-(\d+)\}")


@dataclass(frozen=True, kw_only=True)
class Family:
    """A field of work: what employers are called, what is asked for, led and achieved in it."""

    field: str
    by_hand: bool
    employers: tuple[str, ...]
    about: str
    skills: tuple[str, ...]
    led: tuple[str, ...]
    achievements: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Zone:
    """What a job zone asks for: years, how they are said, a lesser qualification, and where each is had."""

    years: int
    experience: str
    lesser: str
    school: str
    lesser_school: str


@dataclass(frozen=True, kw_only=True)
class OtherWork:
    """Work in another field: its title, its family, the job zones whose applicants have it, and what was done."""

    title: str
    family: str
    zones: tuple[int, ...]
    duties: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Path:
    """How people of an occupation are called from trainee to senior, and what they learned."""

    position: str
    senior: str
    junior: str
    trainee: str
    family: str
    qualification: str
    licence: str


@dataclass(frozen=True, kw_only=True)
class Wording:
    """All words of our own."""

    places: tuple[str, ...]
    training: tuple[str, ...]
    general_skills: tuple[str, ...]
    leading: frozenset[str]
    closings: tuple[str, ...]
    zones: Mapping[int, Zone]
    families: Mapping[str, Family]
    others: tuple[OtherWork, ...]


class Draws:
    """Choices that follow from a key alone, the same in every version of Python."""

    def __init__(self, key: str) -> None:
        self._random = Random(key).random  # noqa: S311 - drawn to be the same everywhere, not to be secret

    def one(self, choices: Sequence[_T]) -> _T:
        """Return one of several."""
        return choices[int(self._random() * len(choices))]

    def some(self, choices: Sequence[_T], count: int) -> list[_T]:
        """Return so many different ones, in any order; all of them where there are fewer."""
        left = list(choices)
        return [left.pop(int(self._random() * len(left))) for _ in range(min(count, len(left)))]

    def number(self, low: int, high: int) -> int:
        """Return a number from low to high."""
        return low + int(self._random() * (high - low + 1))

    def filled(self, text: str) -> str:
        """Return a text with numbers for its ranges.

        >>> Draws("a").filled("Trained {2-2} colleagues")
        'Trained 2 colleagues'
        """
        return _RANGE.sub(lambda found: f"{self.number(int(found[1]), int(found[2])):,}", text)


@cache
def wording() -> Wording:
    """Return the words of our own."""
    file = resources.files("evenhand.resumes.generated") / "wording.toml"
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    return Wording(
        places=tuple(given["places"]),
        training=tuple(given["training"]),
        general_skills=tuple(given["general_skills"]),
        leading=frozenset(given["leading"]),
        closings=tuple(given["closings"]),
        zones={int(number): Zone(**entry) for number, entry in given["zones"].items()},
        families={name: _family(entry) for name, entry in given["families"].items()},
        others=tuple(
            OtherWork(
                title=entry["title"],
                family=entry["family"],
                zones=tuple(entry["zones"]),
                duties=tuple(entry["duties"]),
            )
            for entry in given["others"]
        ),
    )


def _family(entry: Mapping[str, Any]) -> Family:
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}
    return Family(**given)


@cache
def _paths() -> Mapping[str, Path]:
    file = resources.files("evenhand.resumes.generated") / "careers.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {row.pop("code"): Path(**row) for row in rows}


def path_of(occupation: Occupation) -> Path:
    """Return how people of an occupation are called and what they learned.

    Raises
    ------
    InputError
        No texts are made for the occupation.

    """
    found = _paths().get(occupation.code)
    if found is None:
        raise InputError(f"No texts are made for the occupation {occupation.code}; expected one of lexicons.onet.")
    return found
