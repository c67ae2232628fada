"""What a perturbation test compares: arms, of whose people, and who was left out."""

from dataclasses import dataclass
from typing import Final

__all__ = ["PLACEBO", "Compared", "Experiment", "LeftOutCount", "group_label"]

#: The kind of arm that swaps names within a group: the noise floor.
PLACEBO: Final = "placebo"


def group_label(group: tuple[str, ...]) -> str:
    """Return a group in words.

    >>> group_label(("female", "black"))
    'female × black'
    """
    return " × ".join(group)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Two arms that people of one group are compared in, by their labels in the outcomes.

    `own` is the label (`group_label`) of the people's own group, as in `context.own`; None stands for those whose group
    is unknown. `reversible` says that the arms differ in nothing but the group shown, so that either can be the
    reference: not so where a line of membership is held against a control line.
    """

    kind: str
    own: str | None
    group: tuple[str, ...]
    reference: tuple[str, ...]
    arm: str
    against: str
    reversible: bool

    @property
    def placebo(self) -> bool:
        """Whether both arms show the same group."""
        return self.kind == PLACEBO


@dataclass(frozen=True, kw_only=True)
class LeftOutCount:
    """How many résumés of a group had no template, and why; `own` as in `Compared`."""

    own: str | None
    reason: str
    n: int


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """All that is compared: the attributes that arms go by, and their groups, the one that is the reference first."""

    by: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    compared: tuple[Compared, ...]
    left_out: tuple[LeftOutCount, ...] = ()
