"""Groups that arms signal, which of them a person is in, and the lines of membership that signal one."""

import csv
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from evenhand.errors import InputError
from evenhand.resumes.arms.gender import gender_of
from evenhand.tables.audit.perturb import group_label

__all__ = ["Group", "affinity_lines", "own_group", "own_value"]

#: The values of the attributes that arms go by, in their order.
Group = tuple[str, ...]

#: How columns call what tables of names call otherwise.
_RACES = {
    **dict.fromkeys(("african american", "black or african american", "african-american"), "black"),
    **dict.fromkeys(("latino", "latina", "latinx", "hispanic or latino", "latino or hispanic"), "hispanic"),
    **dict.fromkeys(("caucasian", "white (not hispanic or latino)", "european american"), "white"),
    **dict.fromkeys(("asian american", "asian or pacific islander", "asian-american"), "asian"),
}
_COLUMNS = {"race": ("race", "ethnicity", "race/ethnicity", "race_ethnicity")}


def own_group(protected: Mapping[str, str], by: Sequence[str], groups: Sequence[Group]) -> Group | None:
    """Return which of the groups a person is in, None where that is unknown or none of them.

    >>> own_group({"gender": "F", "race": "African American"}, ["gender", "race"], [("female", "black")])
    ('female', 'black')
    """
    values = tuple(own_value(protected, attribute) for attribute in by)
    return next((group for group in groups if values == group), None)


def own_value(protected: Mapping[str, str], attribute: str) -> str | None:
    """Return a person's value of an attribute as tables of names call it, None where it is unknown.

    >>> own_value({"Ethnicity": "Latina"}, "race"), own_value({"group": "A"}, "group")
    ('hispanic', 'A')
    """
    if attribute == "gender":
        return gender_of(protected)
    if attribute != "race":
        return protected.get(attribute)
    for name, value in protected.items():
        if name.lower() in _COLUMNS["race"]:
            return _RACES.get(value.lower(), value.lower())
    return None


@cache
def _lines() -> dict[tuple[str, str], tuple[str, str]]:
    with (resources.files("evenhand.resumes.arms") / "affinity.csv").open("r", encoding="utf-8") as file:
        return {(row["gender"], row["race"]): (row["line"], row["control"]) for row in csv.DictReader(file)}


@cache
def affinity_lines(by: tuple[str, ...], group: Group) -> tuple[str, str]:
    """Return a line of membership that signals a group, and the neutral line of about the same length.

    >>> affinity_lines(("race",), ("black",))
    ('Member, Black Professionals Network', 'Member, Local Professionals Network')

    Raises
    ------
    InputError
        No line signals the group.

    """
    values = dict(zip(by, group, strict=True))
    found = _lines().get((values.get("gender", ""), values.get("race", "")))
    if found is None or not {"gender", "race"}.issuperset(by):
        raise InputError(f"No line of membership signals {group_label(group)}; affinity goes by gender and race.")
    return found
