"""Names chosen for each group, matched in sets: one name a group, of about the same length and frequency."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.errors import InputError
from evenhand.lexicons.names import GroupName
from evenhand.resumes.arms.groups import Group
from evenhand.resumes.arms.slots import FullName, full_name
from evenhand.tables.audit.perturb import group_label
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["ChosenName", "NameChoice", "choose_names"]

PER_GROUP = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenName:
    """A name, what it signals, and the number of the matched set that it is of, which has one name of each group."""

    name: FullName
    signals: Mapping[str, str]
    matched: int


@dataclass(frozen=True, kw_only=True)
class NameChoice:
    """The names of each group, and others for the placebo; the j-th names of all groups are matched.

    `held` are the attributes that don't differ between groups: a person whose value is known gets names of that value,
    another one those of all values in equal parts.
    """

    by: tuple[str, ...]
    held: tuple[str, ...]
    groups: tuple[Group, ...]
    chosen: Mapping[tuple[Group, Group], tuple[ChosenName, ...]]
    placebo: Mapping[tuple[Group, Group], tuple[ChosenName, ...]]
    record: Mapping[str, Any]

    def names(self, group: Group, held: Group = (), *, placebo: bool = False) -> tuple[ChosenName, ...]:
        """Return the names of a group for people with these values of what is held; `()` where they are unknown."""
        found = self.placebo if placebo else self.chosen
        return found.get((group, held)) or found[group, ()]


def choose_names(
    pool: Sequence[GroupName], *, by: Sequence[str], per_group: int = PER_GROUP, seed: int = 0, placebo: bool = True
) -> NameChoice:
    """Return names for each group, at least `per_group` where there are so many; the same for the same seed.

    Names of groups are matched on length, and on frequency where it is known of all. With `placebo` each group has as
    many names again that stand in no other arm.

    >>> pool = [GroupName(name=name, signals={"group": name[0]}) for name in ("A Bo", "A Lim", "B Ray", "B Li")]
    >>> found = choose_names(pool, by=["group"], per_group=1, placebo=False)
    >>> [len(found.names((group,))[0].name.text) for group in "AB"]
    [4, 4]

    Raises
    ------
    InputError
        An attribute is none of the names', there is one group only, or a group has too few names.

    """
    held, cells = _cells(pool, tuple(by))
    groups = tuple(sorted({group for group, _ in cells}))
    strata = [each for each in sorted({each for _, each in cells}) if all((group, each) in cells for group in groups)]
    _check(cells, groups, strata, held)
    if per_group < 1:
        raise InputError(f"{per_group} names per group; expected 1 or more.")
    matched_on = ("length", "frequency") if all(name.frequency for name in pool) else ("length",)
    rng = random.Random(seed)  # noqa: S311 - no secret
    sets = {each: _matched([cells[group, each] for group in groups], rng, matched_on) for each in strata}
    halves = 2 if placebo else 1
    size = min(per_group, *(len(found) // halves for found in sets.values()))
    chosen = [
        _half({each: found[half : halves * size : halves] for each, found in sets.items()}, groups, per_group)
        for half in range(halves)
    ]
    return NameChoice(
        by=tuple(by),
        held=held,
        groups=groups,
        chosen=chosen[0],
        placebo=chosen[1] if placebo else {},
        record={
            "by": list(by),
            "held": list(held),
            "seed": seed,
            "names_per_group": {"asked": per_group, "chosen": len(chosen[0][groups[0], ()]), "of_each_value": size},
            "matched_on": list(matched_on),
            "note": "" if "frequency" in matched_on else "how often the names are borne is not known of all",
            "names": [
                row for half, each in zip(("arms", "placebo"), chosen, strict=False) for row in _rows(each, half)
            ],
        },
    )


_Cells = dict[tuple[Group, Group], list[GroupName]]


def _cells(pool: Sequence[GroupName], by: tuple[str, ...]) -> tuple[tuple[str, ...], _Cells]:
    """Return what is held besides what arms go by, and the names of each group and value of what is held."""
    attributes = tuple(dict.fromkeys(attribute for name in pool for attribute in name.signals))
    strange = [attribute for attribute in by if attribute not in attributes]
    if strange or not by:
        told = f"--by {quoted(strange[0])} is nothing that the names signal" if strange else "--by names nothing"
        raise InputError(f"{told}; expected {listed(attributes)}.")
    held = tuple(attribute for attribute in attributes if attribute not in by)
    signals: dict[str, set[tuple[Group, Group]]] = {}
    for name in pool:
        cell = tuple(name.signals.get(each, "") for each in by), tuple(name.signals.get(each, "") for each in held)
        signals.setdefault(name.name.casefold(), set()).add(cell)
    cells: _Cells = {}
    for name in {each.name.casefold(): each for each in pool}.values():
        own = signals[name.name.casefold()]
        if len(own) == 1 and "" not in (*next(iter(own))[0], *next(iter(own))[1]):  # one that stands for two tells none
            cells.setdefault(next(iter(own)), []).append(name)
    return held, cells


def _check(cells: _Cells, groups: Sequence[Group], strata: Sequence[Group], held: Sequence[str]) -> None:
    if len(groups) < 2:
        raise InputError(f"Names of {len(groups)} group{'' if len(groups) == 1 else 's'}; expected two groups or more.")
    if not strata:
        raise InputError(f"No {listed(held)} has names of all groups; give names of each group for one at least.")
    for (group, stratum), names in cells.items():
        if len(names) < _LEAST and stratum in strata:
            of = f" of {group_label(stratum)}" if stratum else ""
            raise InputError(
                f"The group {quoted(group_label(group))} has {len(names)} name{of}; give {_LEAST} or more, better "
                f"{PER_GROUP}: names are what is sampled."
            )


_LEAST = 2


def _matched(
    groups: Sequence[Sequence[GroupName]], rng: random.Random, matched_on: Sequence[str]
) -> list[tuple[GroupName, ...]]:
    """Return sets of one name a group, the most alike first; chance decides among those that are equally so."""
    left = [sorted(names, key=lambda name: name.name) for names in groups]
    for names in left:
        rng.shuffle(names)
    anchor = min(range(len(left)), key=lambda place: len(left[place]))
    found: list[tuple[float, tuple[GroupName, ...]]] = []
    for name in left[anchor].copy():
        chosen = []
        for names in left:
            nearest = name if name in names else min(names, key=lambda other: _apart(name, other, matched_on))
            names.remove(nearest)
            chosen.append(nearest)
        found.append((max(_apart(name, other, matched_on) for other in chosen), tuple(chosen)))
    return [names for _, names in sorted(found, key=lambda each: each[0])]


def _apart(one: GroupName, other: GroupName, matched_on: Sequence[str]) -> float:
    """Return how far two names are from being alike: a letter counts as much as being borne twice as often."""
    apart = float(abs(len(one.name) - len(other.name)))
    if "frequency" in matched_on:
        apart += abs(math.log2((one.frequency or 1.0) / (other.frequency or 1.0)))
    return apart


def _half(
    sets: Mapping[Group, Sequence[tuple[GroupName, ...]]], groups: Sequence[Group], per_group: int
) -> dict[tuple[Group, Group], tuple[ChosenName, ...]]:
    """Return the names of each group by value of what is held, and under `()` those of all values in equal parts."""
    of_each = -(-per_group // len(sets))
    chosen: dict[tuple[Group, Group], tuple[ChosenName, ...]] = {}
    for place, group in enumerate(groups):
        number = 0
        of_all: list[ChosenName] = []
        for stratum, found in sets.items():
            names = [
                ChosenName(name=full_name(each[place].name), signals=each[place].signals, matched=number + at)
                for at, each in enumerate(found)
            ]
            number += len(names)
            of_all += names[:of_each]
            chosen[group, stratum] = tuple(names)
        chosen[group, ()] = tuple(of_all)
    return chosen


def _rows(chosen: Mapping[tuple[Group, Group], Sequence[ChosenName]], shown: str) -> Iterator[dict[str, Any]]:
    strata = {stratum for _, stratum in chosen}
    for cell, names in chosen.items():
        if cell[1] or len(strata) == 1:
            for each in names:
                text = each.name.text
                yield {"name": text, **each.signals, "for": shown, "matched": each.matched, "length": len(text)}
