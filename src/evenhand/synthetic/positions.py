"""Synthetic job advertisements, one for each occupation of O*NET.

A task of O*NET is an imperative; `present` and `past` give its forms for advertisements and résumés.
"""

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import Any, TypeVar

from evenhand.data.lexicons.occupations import Occupation
from evenhand.errors import InputError
from evenhand.patterns import lazy_re

_T = TypeVar("_T")
_RANGE = lazy_re(r"\{(\d+)-(\d+)\}")


@dataclass(frozen=True, kw_only=True)
class Family:
    """A field of work: its employers, requirements, leadership and achievements."""

    field: str
    by_hand: bool
    employers: tuple[str, ...]
    about: str
    skills: tuple[str, ...]
    led: tuple[str, ...]
    achievements: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Zone:
    """The requirements of a job zone: years, their wording, a lesser qualification, and the schools."""

    years: int
    experience: str
    lesser: str
    school: str
    lesser_school: str


@dataclass(frozen=True, kw_only=True)
class OtherWork:
    """Work in another field: its title, its family, the job zones whose applicants have it, and duties."""

    title: str
    family: str
    zones: tuple[int, ...]
    duties: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Path:
    """The titles of an occupation from trainee to senior, and its qualification."""

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
        return _RANGE.sub(lambda match: f"{self.number(int(match[1]), int(match[2])):,}", text)


@cache
def wording() -> Wording:
    """Return the words of our own."""
    file = resources.files("evenhand.synthetic") / "wording.toml"
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    return Wording(
        places=tuple(content["places"]),
        training=tuple(content["training"]),
        general_skills=tuple(content["general_skills"]),
        leading=frozenset(content["leading"]),
        closings=tuple(content["closings"]),
        zones={int(number): Zone(**entry) for number, entry in content["zones"].items()},
        families={name: Family(**_with_tuples(entry)) for name, entry in content["families"].items()},
        others=tuple(OtherWork(**_with_tuples(entry)) for entry in content["others"]),
    )


def _with_tuples(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}


@cache
def _paths() -> Mapping[str, Path]:
    file = resources.files("evenhand.synthetic") / "careers.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {row.pop("code"): Path(**row) for row in rows}


def path_of(occupation: Occupation) -> Path:
    """Return the titles of an occupation and its qualification.

    Raises
    ------
    InputError
        No texts are made for the occupation.

    """
    path = _paths().get(occupation.code)
    if path is None:
        raise InputError(f"No texts are made for the occupation {occupation.code}; expected one of lexicons.onet.")
    return path


_CAPITALS = lazy_re(r"^[A-Z]{3,}$")
#: Single words that are a product's name; others say what the software is for.
_PRODUCTS = frozenset(("Blackboard", "MEDITECH", "Procore", "SAP", "Salesforce", "Workday"))


@cache
def required_technology(occupation: Occupation) -> tuple[str, ...]:
    """Return the technology that the advertisement of an occupation asks for, as it is named there."""
    by_hand = wording().families[path_of(occupation).family].by_hand
    office = [technology for technology in occupation.technology if technology.startswith("Microsoft ")]
    special = [technology for technology in occupation.technology if technology not in office]
    chosen = special[:1] if by_hand else [*office[:2], *special[:3]]
    return tuple(named(technology) for technology in occupation.technology if technology in chosen)


@cache
def named(technology: str) -> str:
    """Return a technology of O*NET as people write it.

    >>> named("Structured query language SQL"), named("Microsoft Office software"), named("Accounting software")
    ('structured query language (SQL)', 'Microsoft Office', 'accounting software')
    """
    words = technology.split(" ")
    for place, word in enumerate(words[1:], start=1):
        if _CAPITALS.match(word) and (words[place - 1].islower() or _initials(words[:place]).endswith(word.lower())):
            words[place] = f"({word})"
    if words[-1] == "software" and _is_product(words[:-1]):
        return " ".join(words[:-1])
    if len(words) > 1 and words[0][1:].islower() and all(word.islower() or word[0] == "(" for word in words[1:]):
        words[0] = words[0].lower()
    return " ".join(words)


def _is_product(words: list[str]) -> bool:
    """Return whether words are a product's name, and not the purpose of software."""
    return words[0] in _PRODUCTS if len(words) == 1 else not any(word[0].islower() for word in words)


def _initials(words: list[str]) -> str:
    return "".join(word[0] for word in words).lower()


#: After one of these a verb belongs to what it introduces and keeps its form.
_INTRODUCES = frozenset(("can", "how", "if", "should", "that", "what", "when", "where", "which", "who"))
_OR = lazy_re(r"\bor\b")


@dataclass(frozen=True, kw_only=True)
class _Verb:
    """The past of a verb, and whether the word is a noun as well."""

    past: str
    noun: bool


@cache
def _verbs() -> Mapping[str, _Verb]:
    file = resources.files("evenhand.synthetic") / "verbs.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return {row["verb"]: _Verb(past=row["past"], noun=row["also_noun"] == "yes") for row in rows}


@cache
def present(task: str) -> str:
    """Return a task as in an advertisement; alternatives of O*NET belong together.

    >>> present("Direct or coordinate activities.")
    'Direct and coordinate activities'
    """
    return _OR.sub("and", task.removesuffix("."))


@cache
def past(task: str) -> str:
    """Return a task as in a résumé: the verbs at its start, and those that continue them, in the past.

    >>> past("Sort, count, or wrap coins to prepare deposits.")
    'Sorted, counted, and wrapped coins to prepare deposits'
    """
    words = present(task).split(" ")
    forms = _forms(words)
    sentence = " ".join(forms.get(place, word) for place, word in enumerate(words))
    return sentence[0].upper() + sentence[1:]


def _forms(words: list[str]) -> dict[int, str]:
    """Return the replacements of the words at some places."""
    known = _verbs()
    forms: dict[int, str] = {}
    leading, introduced = True, False
    for place, word in enumerate(words):
        core = word.rstrip(",")
        verb = known.get(core.lower() if place == 0 else core)
        introduced = introduced or core in _INTRODUCES or _is_infinitive(words, place)
        goes_on = place == 0 or _may_go_on(words, place)
        if verb is not None and goes_on and (leading or not (introduced or verb.noun)):
            forms[place] = verb.past + word[len(core) :]
        elif core not in {"and", "then"} and not core.endswith("ly"):
            leading = False
    return forms


def _is_infinitive(words: list[str], place: int) -> bool:
    """Return whether a place holds the 'to' of a verb, with an adverb between or without."""
    after = [word for word in words[place + 1 : place + 3] if not word.endswith("ly")]
    return words[place] == "to" and bool(after) and after[0].rstrip(",") in _verbs()


def _may_go_on(words: list[str], place: int) -> bool:
    """Return whether a clause can begin at a place: after a comma or 'and', with an adverb between or without."""
    before = words[place - 1]
    if before.endswith("ly") and place > 1:
        before = words[place - 2]
    return before == "and" or before.endswith(",")


#: Tasks are listed up to so many words together, at least four.
_MOST_WORDS, _FEWEST_TASKS, _MOST_TASKS = 84, 4, 6


def position_title(occupation: Occupation) -> str:
    """Return the title of the position, in the singular.

    >>> from evenhand.data.lexicons.occupations import occupation
    >>> position_title(occupation("15-1252.00"))
    'Software Engineer'
    """
    return path_of(occupation).position


@cache
def position_text(occupation: Occupation) -> str:
    """Return the job advertisement of an occupation: its title, tasks and requirements."""
    words, path = wording(), path_of(occupation)
    family, zone = words.families[path.family], words.zones[occupation.zone]
    draws = Draws(occupation.code)
    opening = draws.one(
        (
            f"{draws.filled(family.about)} is looking for a new colleague to work as {with_article(path.position)}.",
            f"{draws.filled(family.about)} has an open position: {path.position}, full-time.",
            f"{draws.filled(family.about)} seeks {with_article(path.position)} for a team of {draws.number(4, 12)}.",
        )
    )
    requirements = [zone.experience, path.qualification + (f" and {lower(path.licence)}" if path.licence else "") + "."]
    if required_technology(occupation):
        requirements.append(f"Working knowledge of {series(required_technology(occupation))}.")
    requirements.append(f"Practice in {series(tuple(draws.some(family.skills, 3)))}.")
    offer = draws.one(
        (
            f"We offer a permanent position of {draws.number(36, 40)} hours a week, paid training and "
            f"{draws.number(15, 25)} days of paid leave a year.",
            f"The position is permanent, with {draws.number(36, 40)} hours a week and paid training in the first "
            f"{draws.number(2, 4)} weeks.",
        )
    )
    heading, bring = draws.one(
        (("What you will do", "What you bring"), ("Your work", "What we ask for"), ("Tasks", "Requirements"))
    )
    return (
        f"{path.position}\n\n{opening}\n\n{heading}\n{listed(_tasks(occupation))}\n\n{bring}\n{listed(requirements)}\n\n"
        f"{offer} Applications are read in the order of arrival."
    )


def _tasks(occupation: Occupation) -> list[str]:
    tasks: list[str] = []
    words = 0
    for task in occupation.tasks[:_MOST_TASKS]:
        words += task.count(" ") + 1
        if words > _MOST_WORDS and len(tasks) >= _FEWEST_TASKS:
            break
        tasks.append(f"{present(task)}.")
    return tasks


def listed(lines: list[str]) -> str:
    """Return lines as a list."""
    return "\n".join(f"- {line}" for line in lines)


def series(words: tuple[str, ...]) -> str:
    """Return words as a sentence lists them.

    >>> series(("teamwork", "night shifts", "first aid"))
    'teamwork, night shifts and first aid'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def lower(words: str) -> str:
    """Return words for the middle of a sentence."""
    return words[0].lower() + words[1:]


def with_article(noun: str) -> str:
    """Return a noun after 'a' or 'an', by its sound."""
    return f"{'an' if noun[0] in 'AEIO' or noun.startswith(('HVAC', 'HR')) else 'a'} {noun}"
