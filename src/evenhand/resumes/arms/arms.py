"""Arms: what a résumé shows of a group, which arms are compared, and their texts."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from evenhand.errors import InputError
from evenhand.resumes.arms.choosing import ChosenName, NameChoice
from evenhand.resumes.arms.groups import Group, affinity_lines, own_group, own_value
from evenhand.resumes.arms.template import Template
from evenhand.tables.audit.perturb import NEUTRAL, group_label
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["KINDS", "Arm", "ArmText", "Arms", "Comparison", "Kind"]

#: By which means a group is signalled.
Kind = Literal["name", "name+pronouns", "affinity", "combined", "placebo"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The groups that studies hold others against.
_USUAL = frozenset({"male", "white"})
_PRONOUNS = {"female": "Pronouns: she/her", "male": "Pronouns: he/him"}


@dataclass(frozen=True, kw_only=True)
class Arm:
    """A version of a résumé: whose names stand in it, with pronouns and titles or not, whose line of membership.

    `line` is None where the neutral line stands; `placebo` says that the group's other names stand in it.
    """

    names: Group
    pronouns: bool = False
    line: Group | None = None
    placebo: bool = False

    @property
    def label(self) -> str:
        """The arm in words.

        >>> Arm(names=("female",), pronouns=True).label
        'names female, pronouns'
        """
        parts = [f"{'other ' if self.placebo else ''}names {group_label(self.names)}"]
        parts += ["pronouns"] if self.pronouns else []
        parts += [f"line {group_label(self.line)}"] if self.line is not None else []
        return ", ".join(parts)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two arms of one kind: that of a group, and the one it is held against.

    Of a placebo both are of one group; a line of membership is held against the neutral line, `NEUTRAL`.
    """

    kind: Kind
    group: Group
    reference: Group
    arm: Arm
    against: Arm


@dataclass(frozen=True, kw_only=True)
class ArmText:
    """A résumé in an arm under a name, and the name of its file."""

    text: str
    name: ChosenName
    file_name: str | None = None


@dataclass(frozen=True, kw_only=True)
class Arms:
    """The arms of an experiment: the kinds asked for, and the names chosen for each group.

    `reference` is the label of the group that others are held against; without one men, white people or white men are,
    where there are such, or else the first group.
    """

    choice: NameChoice
    kinds: tuple[Kind, ...]
    reference: str | None = None

    def __post_init__(self) -> None:
        """Refuse kinds that nothing is known of, or that the names can't be shown in.

        Raises
        ------
        InputError
            A kind is unknown or there twice, goes by what the names don't signal, or there is none; the reference
            is none of the groups.

        """
        strange = [kind for kind in self.kinds if kind not in KINDS]
        if strange or not self.kinds:
            told = f"{quoted(strange[0])} is no kind of arm" if strange else "No kind of arm"
            raise InputError(f"{told}; expected {listed(KINDS)}.")
        if len(set(self.kinds)) < len(self.kinds):
            raise InputError(f"A kind of arm is there twice: {listed(self.kinds)}.")
        if "placebo" in self.kinds and not self.choice.placebo:
            raise InputError("No names are left for the placebo; choose names with placebo=True.")
        with_pronouns = {"name+pronouns", "combined"}.intersection(self.kinds)
        if with_pronouns and "gender" not in {*self.choice.by, *self.choice.held}:
            raise InputError(f"The names signal no gender, so {min(with_pronouns)} has no pronouns to show.")
        if self._with_lines:
            for group in self.choice.groups:
                affinity_lines(self.choice.by, group)
        labels = [group_label(group) for group in self.choice.groups]
        if self.reference is not None and self.reference not in labels:
            typed = [label.replace(" × ", ",") for label in (self.reference, *labels)]
            told = f"--reference {quoted(typed[0])} is none of the groups; expected {' or '.join(typed[1:])}."
            raise InputError(told)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups, the reference first."""
        groups = self.choice.groups
        usual = (group for group in groups if _USUAL.issuperset(group))
        named = (group for group in groups if group_label(group) == self.reference)
        first = next(usual if self.reference is None else named, groups[0])
        return (first, *(group for group in groups if group != first))

    @cached_property
    def _with_lines(self) -> bool:
        return not {"affinity", "combined"}.isdisjoint(self.kinds)

    def own_group(self, template: Template) -> Group | None:
        """Return the group of a template's person, None where their columns don't tell."""
        return own_group(template.protected, self.choice.by, self.choice.groups)

    def comparisons(self, template: Template) -> tuple[Comparison, ...]:
        """Return what is compared for a person, in the order of the kinds: the same for all people, but for two kinds.

        Every group is held against the reference, under names of either; a line of membership only ever against the
        neutral line. The placebo holds other names of the own group against its names, and a line alone stands under
        names of the own group. Where that is unknown, a placebo is made of each group, and lines stand under names of
        the reference.
        """
        own = self.own_group(template)
        return tuple(found for kind in self.kinds for found in self._of_kind(kind, own))

    def _of_kind(self, kind: Kind, own: Group | None) -> Iterator[Comparison]:
        reference, *others = self.groups
        if kind == "placebo":
            for group in self.groups if own is None else (own,):
                arms = Arm(names=group, placebo=True), Arm(names=group)
                yield Comparison(kind=kind, group=group, reference=group, arm=arms[0], against=arms[1])
        elif kind == "affinity":
            names = own or reference
            for group in self.groups:
                arms = Arm(names=names, line=group), Arm(names=names)
                yield Comparison(kind=kind, group=group, reference=NEUTRAL, arm=arms[0], against=arms[1])
        else:
            pronouns, lines = kind != "name", kind == "combined"
            for group in others:
                arm = Arm(names=group, pronouns=pronouns, line=group if lines else None)
                against = Arm(names=reference, pronouns=pronouns)
                yield Comparison(kind=kind, group=group, reference=reference, arm=arm, against=against)

    def arms(self, template: Template) -> tuple[Arm, ...]:
        """Return the arms of a person that are compared, each once."""
        return tuple(dict.fromkeys(arm for each in self.comparisons(template) for arm in (each.arm, each.against)))

    def names(self, template: Template, arm: Arm) -> tuple[ChosenName, ...]:
        """Return the names of an arm; the j-th ones of a person's arms are matched."""
        held = tuple(self._value(template, attribute) for attribute in self.choice.held)
        known = () if None in held else tuple(value for value in held if value is not None)
        return self.choice.names(arm.names, known, placebo=arm.placebo)

    @staticmethod
    def _value(template: Template, attribute: str) -> str | None:
        value = own_value(template.protected, attribute)
        return template.gender if value is None and attribute == "gender" else value

    def text(self, template: Template, arm: Arm, name: int) -> ArmText:
        """Return a template's text in an arm under its j-th name, counted from 0."""
        return self._text(template, arm, self.names(template, arm)[name])

    def texts(self, template: Template) -> Iterator[tuple[Arm, int, ArmText]]:
        """Yield every arm of a person under every name."""
        for arm in self.arms(template):
            for number, chosen in enumerate(self.names(template, arm)):
                yield arm, number, self._text(template, arm, chosen)

    def _text(self, template: Template, arm: Arm, chosen: ChosenName) -> ArmText:
        gender = chosen.signals["gender"] if arm.pronouns else None
        lines: dict[str, str] = {}
        if gender is not None and not template.shows_gender:
            lines["pronouns"] = _PRONOUNS[gender]
        if self._with_lines:
            shown, control = affinity_lines(self.choice.by, arm.names if arm.line is None else arm.line)
            lines["affinity"] = control if arm.line is None else shown
        return ArmText(
            text=template.filled(chosen.name, gender=gender, lines=lines),
            name=chosen,
            file_name=template.file_name(chosen.name),
        )
