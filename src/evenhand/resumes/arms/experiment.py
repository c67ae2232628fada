"""What is compared in all, and the columns of outcomes that tell which text was scored."""

from collections.abc import Iterator

from evenhand.errors import InputError
from evenhand.resumes.arms.arms import Arm, Arms
from evenhand.resumes.arms.groups import Group, own_group
from evenhand.resumes.arms.template import LeftOut, Template, Templates
from evenhand.tables.audit.perturb import Compared, Experiment, LeftOutCount, group_label
from evenhand.tables.messages.quoting import listed, quoted
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["experiment_of", "outcome_columns"]


def experiment_of(arms: Arms, templates: Templates, *, reference: str | None = None) -> Experiment:
    """Return what is compared for people of each own group, and how many were left out.

    `reference` is the label of the group that others are held against where that is open, by default the first one.

    Raises
    ------
    InputError
        The reference is none of the groups.

    """
    groups = arms.choice.groups
    labels = [group_label(group) for group in groups]
    if reference is not None:
        if reference not in labels:
            raise InputError(f"--reference {quoted(reference)} is none of the groups; expected {listed(labels)}.")
        first = groups[labels.index(reference)]
        groups = (first, *(group for group in groups if group != first))
    of_each = {arms.own_group(template): template for template in templates.templates}
    return Experiment(
        by=arms.choice.by,
        groups=groups,
        compared=tuple(each for own, template in of_each.items() for each in _compared(arms, own, template)),
        left_out=tuple(_left_out(arms, templates.left_out)),
    )


def outcome_columns(arms: Arms, template: Template, position: str, *, arm: Arm, number: int) -> dict[str, str | None]:
    """Return the columns of outcomes that tell which text was scored: a person's in an arm, under its n-th name."""
    place = f"{template.id}/{position}"
    shown = arm.names if arm.line is None else arm.line
    own = arms.own_group(template)
    return {
        "item": template.id,
        "unit": f"{place}/{arm.label}/{number}",
        "set": place,
        "pair": f"{place}/{number}",
        "arm": arm.label,
        **{PROTECTED + attribute: value for attribute, value in zip(arms.choice.by, shown, strict=True)},
        CONTEXT + "person": template.id,
        CONTEXT + "position": position,
        CONTEXT + "name": arms.names(template, arm)[number].name.text,
        CONTEXT + "own": None if own is None else group_label(own),
    }


def _compared(arms: Arms, own: Group | None, template: Template) -> Iterator[Compared]:
    for each in arms.comparisons(template):
        yield Compared(
            kind=each.kind,
            own=None if own is None else group_label(own),
            group=each.group,
            reference=each.reference,
            arm=each.arm.label,
            against=each.against.label,
            reversible=(each.arm.line is None) == (each.against.line is None) and each.kind != "placebo",
        )


def _left_out(arms: Arms, people: tuple[LeftOut, ...]) -> Iterator[LeftOutCount]:
    counts: dict[tuple[str | None, str], int] = {}
    for person in people:
        own = own_group(person.protected, arms.choice.by, arms.choice.groups)
        key = None if own is None else group_label(own), person.reason
        counts[key] = counts.get(key, 0) + 1
    for (label, reason), n in counts.items():
        yield LeftOutCount(own=label, reason=reason, n=n)
