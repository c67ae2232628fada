"""Arms of an experiment: which groups a résumé signals, by which names, and what is compared.

Names are chosen in matched sets: one name per group, of about the same length and frequency. `Arms` gives
the texts of a template in each arm, `experiment_of` all comparisons and the people left out.
"""

import csv
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import resources
from itertools import product
from typing import Any

from evenhand.data.lexicons.names import GroupName
from evenhand.errors import InputError
from evenhand.results.messages import listed, quoted
from evenhand.results.score_audit import NEUTRAL, PLACEBO, ArmComparison, Experiment, LeftOutCount, arm_group_label
from evenhand.synthetic.identities import EXPLICIT, Shown, description, known_identities
from evenhand.synthetic.own_name import FullName, full_name
from evenhand.synthetic.templates import LeftOut, Template, Templates, gender_of

#: The values of the attributes that arms go by, in their order.
Group = tuple[str, ...]

#: Columns by the attribute of the tables of names.
_RACES = {
    **dict.fromkeys(("african american", "black or african american", "african-american"), "black"),
    **dict.fromkeys(("latino", "latina", "latinx", "hispanic or latino", "latino or hispanic"), "hispanic"),
    **dict.fromkeys(("caucasian", "white (not hispanic or latino)", "european american"), "white"),
    **dict.fromkeys(("asian american", "asian or pacific islander", "asian-american"), "asian"),
}
_COLUMNS = {"race": ("race", "ethnicity", "race/ethnicity", "race_ethnicity")}


def person_group(protected: Mapping[str, str], by: Sequence[str], groups: Sequence[Group]) -> Group | None:
    """Return which of the groups a person is in, None where that is unknown or none of them.

    >>> person_group({"gender": "F", "race": "African American"}, ["gender", "race"], [("female", "black")])
    ('female', 'black')
    """
    values = tuple(person_value(protected, attribute) for attribute in by)
    return next((group for group in groups if values == group), None)


def person_value(protected: Mapping[str, str], attribute: str) -> str | None:
    """Return a person's value of an attribute as tables of names call it, None where it is unknown.

    >>> person_value({"Ethnicity": "Latina"}, "race"), person_value({"group": "A"}, "group")
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
    with (resources.files("evenhand.synthetic") / "affinity.csv").open("r", encoding="utf-8") as file:
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
    lines = _lines().get((values.get("gender", ""), values.get("race", "")))
    if lines is None or not {"gender", "race"}.issuperset(by):
        raise InputError(f"No membership signals {arm_group_label(group)}; affinity supports gender and race.")
    return lines


PER_GROUP = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenName:
    """A name, its signals, and the number of its matched set, which has one name of each group."""

    name: FullName
    signals: Mapping[str, str]
    matched: int


@dataclass(frozen=True, kw_only=True)
class NameChoice:
    """The names of each group, and others for the placebo; the j-th names of all groups are matched.

    `held` are the attributes that arms are stratified by: a person whose value is known gets names of that value,
    another one those of all values in equal parts.
    """

    by: tuple[str, ...]
    held: tuple[str, ...]
    groups: tuple[Group, ...]
    chosen: Mapping[tuple[Group, Group], tuple[ChosenName, ...]]
    placebo: Mapping[tuple[Group, Group], tuple[ChosenName, ...]]
    record: Mapping[str, Any]

    def names(self, group: Group, held: Group = (), *, placebo: bool = False) -> tuple[ChosenName, ...]:
        """Return the names of a group for people with these values of `held`; `()` where they are unknown."""
        names = self.placebo if placebo else self.chosen
        return names.get((group, held)) or names[group, ()]


def choose_names(
    pool: Sequence[GroupName], *, by: Sequence[str], per_group: int = PER_GROUP, seed: int = 0, placebo: bool = True
) -> NameChoice:
    """Return names for each group, at least `per_group` where there are so many; the same for the same seed.

    Names of groups are matched on length, and on frequency where it is known of all. With `placebo` each group has as
    many further names that are in no other arm.

    >>> pool = [GroupName(name=name, signals={"group": name[0]}) for name in ("A Bo", "A Lim", "B Ray", "B Li")]
    >>> choice = choose_names(pool, by=["group"], per_group=1, placebo=False)
    >>> [len(choice.names((group,))[0].name.text) for group in "AB"]
    [4, 4]

    Raises
    ------
    InputError
        An attribute is none of the names', there is one group only, or a group has too few names.

    """
    stratified, cells = _cells(pool, tuple(by))
    groups = tuple(sorted({group for group, _ in cells}))
    strata = [
        level for level in sorted({level for _, level in cells}) if all((group, level) in cells for group in groups)
    ]
    with_enough = [level for level in strata if all(len(cells[group, level]) >= _LEAST for group in groups)]
    thin = [arm_group_label(level) for level in strata if with_enough and level not in with_enough]
    strata = with_enough or strata
    _check(cells, groups, strata, stratified)
    if per_group < 1:
        raise InputError(f"{per_group} names per group; expected 1 or more.")
    matched_on = ("length", "frequency") if all(name.frequency for name in pool) else ("length",)
    rng = random.Random(seed)  # noqa: S311 - no secret
    sets = {level: _matched([cells[group, level] for group in groups], rng, matched_on) for level in strata}
    halves = 2 if placebo else 1
    size = min(per_group, *(len(names) // halves for names in sets.values()))
    chosen = [
        _half({level: names[half : halves * size : halves] for level, names in sets.items()}, groups, per_group)
        for half in range(halves)
    ]
    return NameChoice(
        by=tuple(by),
        held=stratified,
        groups=groups,
        chosen=chosen[0],
        placebo=chosen[1] if placebo else {},
        record={
            "by": list(by),
            "held": list(stratified),
            "seed": seed,
            "names_per_group": {"asked": per_group, "chosen": len(chosen[0][groups[0], ()]), "of_each_value": size},
            "matched_on": list(matched_on),
            "note": "; ".join(
                [
                    *([] if "frequency" in matched_on else ["the frequency of some names is not known"]),
                    *([f"names of {listed(thin)} are left out, a group has fewer than {_LEAST}"] if thin else []),
                ]
            ),
            "names": [
                row for half, names in zip(("arms", "placebo"), chosen, strict=False) for row in _rows(names, half)
            ],
        },
    )


_Cells = dict[tuple[Group, Group], list[GroupName]]


def _cells(pool: Sequence[GroupName], by: tuple[str, ...]) -> tuple[tuple[str, ...], _Cells]:
    """Return the attributes of the strata, and the names of each group in each stratum."""
    attributes = tuple(dict.fromkeys(attribute for name in pool for attribute in name.signals))
    strange = [attribute for attribute in by if attribute not in attributes]
    if strange or not by:
        problem = f"--by {quoted(strange[0])} is nothing that the names signal" if strange else "--by names nothing"
        known = [name for name in known_identities() if name != EXPLICIT]
        raise InputError(f"{problem}; expected {listed([*attributes, *known])}.")
    others = tuple(attribute for attribute in attributes if attribute not in by)
    signals: dict[str, set[tuple[Group, Group]]] = {}
    for name in pool:
        cell = tuple(name.signals.get(key, "") for key in by), tuple(name.signals.get(key, "") for key in others)
        signals.setdefault(name.name.casefold(), set()).add(cell)
    cells: _Cells = {}
    for name in {name.name.casefold(): name for name in pool}.values():
        seen = signals[name.name.casefold()]
        # a name that signals two groups signals none
        if len(seen) == 1 and "" not in (*next(iter(seen))[0], *next(iter(seen))[1]):
            cells.setdefault(next(iter(seen)), []).append(name)
    return others, cells


def _check(cells: _Cells, groups: Sequence[Group], strata: Sequence[Group], stratified: Sequence[str]) -> None:
    if len(groups) < 2:
        raise InputError(f"Names of {len(groups)} group{'' if len(groups) == 1 else 's'}; expected two groups or more.")
    if not strata:
        raise InputError(f"No {listed(stratified)} has names of all groups; give names of each group for one at least.")
    for (group, stratum), names in cells.items():
        if len(names) < _LEAST and stratum in strata:
            of_group = f" of {arm_group_label(stratum)}" if stratum else ""
            raise InputError(
                f"The group {quoted(arm_group_label(group))} has {len(names)} name{of_group}; give {_LEAST} or "
                f"more, better {PER_GROUP}: names are the sampling unit."
            )


_LEAST = 2


def _matched(
    groups: Sequence[Sequence[GroupName]], rng: random.Random, matched_on: Sequence[str]
) -> list[tuple[GroupName, ...]]:
    """Return sets of one name per group, the most similar first; chance decides among equals."""
    left = [sorted(names, key=lambda name: name.name) for names in groups]
    for names in left:
        rng.shuffle(names)
    anchor = min(range(len(left)), key=lambda place: len(left[place]))
    sets: list[tuple[float, tuple[GroupName, ...]]] = []
    for name in left[anchor].copy():
        chosen = []
        for names in left:
            nearest = name if name in names else min(names, key=lambda other: _apart(name, other, matched_on))
            names.remove(nearest)
            chosen.append(nearest)
        sets.append((max(_apart(name, other, matched_on) for other in chosen), tuple(chosen)))
    return [names for _, names in sorted(sets, key=lambda entry: entry[0])]


def _apart(first: GroupName, other: GroupName, matched_on: Sequence[str]) -> float:
    """Return the distance of two names: a letter counts as much as a factor of two in frequency."""
    apart = float(abs(len(first.name) - len(other.name)))
    if "frequency" in matched_on:
        apart += abs(math.log2((first.frequency or 1.0) / (other.frequency or 1.0)))
    return apart


def _half(
    sets: Mapping[Group, Sequence[tuple[GroupName, ...]]], groups: Sequence[Group], per_group: int
) -> dict[tuple[Group, Group], tuple[ChosenName, ...]]:
    """Return the names of each group by stratum, and under `()` those of all strata in equal parts."""
    of_each = -(-per_group // len(sets))
    chosen: dict[tuple[Group, Group], tuple[ChosenName, ...]] = {}
    for place, group in enumerate(groups):
        number = 0
        of_all: list[ChosenName] = []
        for stratum, chosen_sets in sets.items():
            names = [
                ChosenName(name=full_name(name[place].name), signals=name[place].signals, matched=number + at)
                for at, name in enumerate(chosen_sets)
            ]
            number += len(names)
            of_all += names[:of_each]
            chosen[group, stratum] = tuple(names)
        chosen[group, ()] = tuple(of_all)
    return chosen


def _rows(chosen: Mapping[tuple[Group, Group], Sequence[ChosenName]], purpose: str) -> Iterator[dict[str, Any]]:
    strata = {stratum for _, stratum in chosen}
    for cell, names in chosen.items():
        if cell[1] or len(strata) == 1:
            for name in names:
                text = name.name.text
                yield {"name": text, **name.signals, "for": purpose, "matched": name.matched, "length": len(text)}


#: By which means a group of names is signalled; identities.toml has other kinds, and `+` crosses a kind with them.
KINDS = ("name", "name+pronouns", "affinity", "combined", EXPLICIT, PLACEBO)


def kinds_by(kinds: Sequence[str], by: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds of arms, those that show groups with the identities that `--by` names.

    >>> kinds_by(["name", "religion"], ["gender", "age"]), kinds_by(["name"], ["age"])
    (('name+age', 'religion'), ('age',))

    Raises
    ------
    InputError
        Pronouns are crossed with names: these have pronouns of their own.

    """
    identities = [attribute for attribute in by if attribute in known_identities()]
    alone = len(identities) == len(by)
    if "pronouns" in identities and not alone:
        raise InputError("--by pronouns can't be crossed with names; give --arms pronouns, or name+pronouns.")
    return tuple(
        "+".join([*((kind,) if kind != "name" or not alone else ()), *identities])
        if kind in KINDS and kind != PLACEBO and identities
        else kind
        for kind in kinds
    )


@dataclass(frozen=True, kw_only=True)
class Means:
    """By which means a kind of arm shows groups: one of `KINDS` or none, and identities."""

    base: str | None
    identities: tuple[str, ...]

    @classmethod
    def of(cls, kind: str) -> "Means":
        """Return the means of a kind.

        >>> Means.of("name+pronouns+age")
        Means(base='name+pronouns', identities=('age',))

        Raises
        ------
        InputError
            There is no such kind.

        """
        base = max((name for name in KINDS if f"{kind}+".startswith(f"{name}+")), key=len, default=None)
        rest = kind if base is None else kind[len(base) + 1 :]
        identities = tuple(rest.split("+")) if rest else ()
        known = [name for name in known_identities() if name != EXPLICIT]
        if not set(identities).issubset(known):
            raise InputError(f"{quoted(kind)} is not a kind of arm; expected {listed([*KINDS, *known])}.")
        if identities and base in {"affinity", PLACEBO}:
            raise InputError(f"{base} can't be crossed with {listed(identities)}; leave one out of --by and --arms.")
        shown = [*identities, *(("pronouns",) if base in {"name+pronouns", "combined"} else ())]
        if len(set(shown)) < len(shown):
            raise InputError(f"{quoted(kind)} repeats a signal; leave out the repetition.")
        return cls(base=base, identities=identities)


#: The groups that studies hold others against.
_USUAL = frozenset({"male", "white"})
_PRONOUNS = {"female": "Pronouns: she/her", "male": "Pronouns: he/him"}


@dataclass(frozen=True, kw_only=True)
class Arm:
    """A version of a résumé: the group of its name, pronouns and titles or not, the group of its line of membership.

    `line` is None where the neutral line stands; `placebo` says that the group's other names stand in it; `shown` are
    identities.
    """

    names: Group
    pronouns: bool = False
    line: Group | None = None
    placebo: bool = False
    shown: tuple[Shown, ...] = ()

    @property
    def texts(self) -> int | None:
        """How many texts alternate with the names; None where one stands under all."""
        frames = [known_identities()[shown.identity].frames for shown in self.shown]
        return min((len(texts) for texts in frames if texts), default=None)

    @property
    def label(self) -> str:
        """The arm in words.

        >>> Arm(names=("female",), pronouns=True).label
        'names female, pronouns'
        """
        parts = [f"{'other ' if self.placebo else ''}names {arm_group_label(self.names)}"]
        parts += ["pronouns"] if self.pronouns else []
        parts += [f"line {arm_group_label(self.line)}"] if self.line is not None else []
        parts += [shown.label for shown in self.shown]
        return ", ".join(parts)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two arms of one kind: that of a group, and the one it is compared with.

    Of a placebo both are of one group; a line of membership is compared with the neutral line, `NEUTRAL`. `by` are the
    attributes of the groups.
    """

    kind: str
    by: tuple[str, ...]
    group: Group
    reference: Group
    arm: Arm
    against: Arm


@dataclass(frozen=True, kw_only=True)
class ArmText:
    """A résumé in an arm under a name, the gender of its pronouns where the arm sets it, and the name of its file."""

    text: str
    name: ChosenName
    gender: str | None = None
    file_name: str | None = None


@dataclass(frozen=True, kw_only=True)
class Arms:
    """The arms of an experiment: their kinds, and the names chosen for each group.

    `reference` is the label of the group that others are compared with; without one men, white people or white men are,
    where there are such, or else the first group. `until` is the year that an open end has in arms that move dates.
    """

    choice: NameChoice
    kinds: tuple[str, ...]
    reference: str | None = None
    until: int = 0

    def __post_init__(self) -> None:
        """Refuse unknown kinds, and kinds that the names don't allow.

        Raises
        ------
        InputError
            A kind is unknown or there twice, goes by what the names don't signal, or there is none; the reference
            is none of the groups.

        """
        if not self.kinds:
            raise InputError(f"No kind of arm; expected {listed(KINDS)}.")
        if len(set(self.kinds)) < len(self.kinds):
            raise InputError(f"A kind of arm is given twice: {listed(self.kinds)}.")
        if PLACEBO in self.kinds and not self.choice.placebo:
            raise InputError("No names are left for the placebo; choose names with placebo=True.")
        with_pronouns = self._bases & {"name+pronouns", "combined"}
        if with_pronouns and "gender" not in {*self.choice.by, *self.choice.held}:
            raise InputError(f"The names signal no gender, so {min(with_pronouns)} has no pronouns to show.")
        if self._with_lines:
            for group in self.choice.groups:
                affinity_lines(self.choice.by, group)
        self._check_groups()

    def _check_groups(self) -> None:
        """Refuse groups that no statement says, and a reference that is none of the groups."""
        labels = [arm_group_label(group) for group in self.choice.groups]
        for means in self._means.values():
            if means.base == EXPLICIT:
                for group in self._crossed(means):
                    self._statement(means, group)
            labels += map(arm_group_label, self._crossed(means))
        labels = list(dict.fromkeys(labels))
        if self.reference is not None and self.reference not in labels:
            typed = [label.replace(" × ", ",") for label in (self.reference, *labels)]
            problem = f"--reference {quoted(typed[0])} is none of the groups; expected {' or '.join(typed[1:])}."
            raise InputError(problem)

    @cached_property
    def _means(self) -> dict[str, Means]:
        return {kind: Means.of(kind) for kind in self.kinds}

    @cached_property
    def _bases(self) -> frozenset[str]:
        return frozenset(means.base for means in self._means.values() if means.base is not None)

    @cached_property
    def identities(self) -> tuple[str, ...]:
        """The identities that arms show besides names; a statement says them only."""
        shown = (means.identities for means in self._means.values() if means.base != EXPLICIT)
        return tuple(dict.fromkeys(name for identities in shown for name in identities))

    @property
    def all_identities(self) -> tuple[str, ...]:
        """The identities, statements included."""
        return (*self.identities, *((EXPLICIT,) if EXPLICIT in self._bases else ()))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of names, the reference first."""
        groups = self.choice.groups
        usual = (group for group in groups if _USUAL.issuperset(group))
        named = (group for group in groups if f"{self.reference} × ".startswith(f"{arm_group_label(group)} × "))
        first = next(usual if self.reference is None else named, groups[0])
        return (first, *(group for group in groups if group != first))

    def _crossed(self, means: Means) -> tuple[Group, ...]:
        """Return the groups of names crossed with levels of identities, or these alone; the reference first."""
        named = self.groups if means.base is not None else ((),)
        levels = [known_identities()[name].all_levels for name in means.identities]
        groups = [(*group, *crossing) for group in named for crossing in product(*levels)]
        return tuple(sorted(groups, key=lambda group: arm_group_label(group) != self.reference))

    def _statement(self, means: Means, group: Group) -> Shown:
        text = description(dict(zip((*self.choice.by, *means.identities), group, strict=True)))
        if text is None:
            stated = listed([name for name, identity in known_identities().items() if identity.said])
            raise InputError(f"No statement for {arm_group_label(group)}; explicit supports gender, race, {stated}.")
        return Shown(EXPLICIT, text)

    @cached_property
    def _with_lines(self) -> bool:
        return not {"affinity", "combined"}.isdisjoint(self._bases)

    def own_group(self, template: Template) -> Group | None:
        """Return the group of a template's person, whose gender a text may say, None where it is unknown."""
        values = tuple(self._value(template, attribute) for attribute in self.choice.by)
        return next((group for group in self.choice.groups if group == values), None)

    def comparisons(self, template: Template) -> tuple[Comparison, ...]:
        """Return the comparisons for a person, in the order of the kinds: the same for all people but for two kinds.

        Every group is compared with the reference, under names of either; a line of membership only ever with the
        neutral line. The placebo compares other names of the own group with its names, and a line alone stands under
        names of the own group. Where that is unknown, a placebo is made of each group, and lines stand under names of
        the reference.
        """
        own_group = self.own_group(template)
        return tuple(comparison for kind in self.kinds for comparison in self._of_kind(kind, own_group))

    def _of_kind(self, kind: str, own_group: Group | None) -> Iterator[Comparison]:
        means, by = self._means[kind], self.choice.by
        names = own_group or self.groups[0]
        if kind == PLACEBO:
            yield from self._placebos(own_group)
        elif kind == "affinity":
            for group in self.groups:
                arms = Arm(names=names, line=group), Arm(names=names)
                yield Comparison(kind=kind, by=by, group=group, reference=NEUTRAL, arm=arms[0], against=arms[1])
        else:
            n = len(by) if means.base is not None else 0
            pronouns = means.base in {"name+pronouns", "combined"}
            reference, *others = self._crossed(means)
            made = []
            for group in (reference, *others):
                shown = tuple(map(Shown, means.identities, group[n:]))
                if means.base == EXPLICIT:
                    shown = (self._statement(means, group),)
                line = group[:n] if means.base == "combined" and group[:n] != reference[:n] else None
                made.append(Arm(names=group[:n] or names, pronouns=pronouns, line=line, shown=shown))
            for group, arm in zip(others, made[1:], strict=True):
                of = (*by[:n], *means.identities)
                yield Comparison(kind=kind, by=of, group=group, reference=reference, arm=arm, against=made[0])

    def _placebos(self, own_group: Group | None) -> Iterator[Comparison]:
        """Yield other names of a group where kinds go by names, and the second neutral text of each identity."""
        groups = self.groups if own_group is None else (own_group,)
        if not self._bases.issubset({PLACEBO}) or not self.identities:
            for group in groups:
                arms = Arm(names=group, placebo=True), Arm(names=group)
                yield Comparison(
                    kind=PLACEBO, by=self.choice.by, group=group, reference=group, arm=arms[0], against=arms[1]
                )
        for name in self.all_identities:
            identity = known_identities()[name]
            shown = Shown(name, identity.reference)
            if name == EXPLICIT:
                shown = self._statement(Means(base=EXPLICIT, identities=()), groups[0])
            neutral = Arm(names=groups[0], shown=(shown,))
            yield Comparison(
                kind=PLACEBO,
                by=(name,),
                group=(identity.placebo,),
                reference=(identity.reference,),
                arm=replace(neutral, shown=(shown._replace(other=True),)),
                against=neutral,
            )

    def arms(self, template: Template) -> tuple[Arm, ...]:
        """Return the arms of a person that are compared, each once."""
        return tuple(dict.fromkeys(arm for pair in self.comparisons(template) for arm in (pair.arm, pair.against)))

    def names(self, template: Template, arm: Arm) -> tuple[ChosenName, ...]:
        """Return the names of an arm; the j-th ones of a person's arms are matched."""
        values = tuple(self._value(template, attribute) for attribute in self.choice.held)
        known = () if None in values else tuple(value for value in values if value is not None)
        return self.choice.names(arm.names, known, placebo=arm.placebo)

    @staticmethod
    def _value(template: Template, attribute: str) -> str | None:
        value = person_value(template.protected, attribute)
        return template.gender if value is None and attribute == "gender" else value

    def text(self, template: Template, arm: Arm, name: int) -> ArmText:
        """Return a template's text in an arm under its j-th name, counted from 0."""
        return self._text(template, arm, self.names(template, arm)[name], name)

    def texts(self, template: Template) -> Iterator[tuple[Arm, int, ArmText]]:
        """Yield every arm of a person under every name."""
        for arm in self.arms(template):
            for number, chosen in enumerate(self.names(template, arm)):
                yield arm, number, self._text(template, arm, chosen, number)

    def _text(self, template: Template, arm: Arm, chosen: ChosenName, number: int) -> ArmText:
        for shown in arm.shown:
            template = known_identities()[shown.identity].applied(template, shown, number, until=self.until)
        gender = chosen.signals["gender"] if arm.pronouns else None
        lines: dict[str, str] = {}
        if gender is not None and not template.shows_gender:
            lines["pronouns"] = _PRONOUNS[gender]
        if self._with_lines:
            line, control = affinity_lines(self.choice.by, arm.names if arm.line is None else arm.line)
            lines["affinity"] = control if arm.line is None else line
        return ArmText(
            text=template.filled(chosen.name, gender=gender, lines=lines),
            name=chosen,
            gender=gender,
            file_name=template.file_name(chosen.name),
        )


def experiment_of(arms: Arms, templates: Templates) -> Experiment:
    """Return the comparisons for people of each group, and how many were left out."""
    of_each = {arms.own_group(template): template for template in templates.templates}
    return Experiment(
        by=arms.choice.by,
        groups=arms.groups,
        compared=tuple(
            comparison for group, template in of_each.items() for comparison in _arm_comparisons(arms, group, template)
        ),
        left_out=tuple(_left_out_counts(arms, templates.left_out)),
    )


def _arm_comparisons(arms: Arms, own_group: Group | None, template: Template) -> Iterator[ArmComparison]:
    for comparison in arms.comparisons(template):
        yield ArmComparison(
            kind=comparison.kind,
            by=None if comparison.by == arms.choice.by else comparison.by,
            texts=comparison.arm.texts,
            own=None if own_group is None else arm_group_label(own_group),
            group=comparison.group,
            reference=comparison.reference,
            arm=comparison.arm.label,
            against=comparison.against.label,
        )


def _left_out_counts(arms: Arms, people: tuple[LeftOut, ...]) -> Iterator[LeftOutCount]:
    counts: dict[tuple[str | None, str], int] = {}
    for person in people:
        own_group = person_group(person.protected, arms.choice.by, arms.choice.groups)
        key = None if own_group is None else arm_group_label(own_group), person.reason
        counts[key] = counts.get(key, 0) + 1
    for (label, reason), n in counts.items():
        yield LeftOutCount(own=label, reason=reason, n=n)
