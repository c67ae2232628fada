"""What is compared in all, and who was left out."""

from collections.abc import Iterator

from evenhand.resumes.arms.arms import Arms
from evenhand.resumes.arms.groups import Group, own_group
from evenhand.resumes.arms.template import LeftOut, Template, Templates
from evenhand.tables.audit.perturb import Compared, Experiment, LeftOutCount, group_label

__all__ = ["experiment_of"]


def experiment_of(arms: Arms, templates: Templates) -> Experiment:
    """Return what is compared for people of each own group, and how many were left out."""
    of_each = {arms.own_group(template): template for template in templates.templates}
    return Experiment(
        by=arms.choice.by,
        groups=arms.groups,
        compared=tuple(each for own, template in of_each.items() for each in _compared(arms, own, template)),
        left_out=tuple(_left_out(arms, templates.left_out)),
    )


def _compared(arms: Arms, own: Group | None, template: Template) -> Iterator[Compared]:
    for each in arms.comparisons(template):
        yield Compared(
            kind=each.kind,
            own=None if own is None else group_label(own),
            group=each.group,
            reference=each.reference,
            arm=each.arm.label,
            against=each.against.label,
        )


def _left_out(arms: Arms, people: tuple[LeftOut, ...]) -> Iterator[LeftOutCount]:
    counts: dict[tuple[str | None, str], int] = {}
    for person in people:
        own = own_group(person.protected, arms.choice.by, arms.choice.groups)
        key = None if own is None else group_label(own), person.reason
        counts[key] = counts.get(key, 0) + 1
    for (label, reason), n in counts.items():
        yield LeftOutCount(own=label, reason=reason, n=n)
