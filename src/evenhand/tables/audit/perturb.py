"""What a perturbation test compares: arms, of whose people, and who was left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from evenhand.tables.audit.paid import Usage
from evenhand.tables.audit.written import left_out

__all__ = [
    "MASKS",
    "NEUTRAL",
    "PLACEBO",
    "Compared",
    "Experiment",
    "LeftOutCount",
    "MovedPair",
    "NameShown",
    "PerturbAudit",
    "group_label",
]

#: The kind of arm that swaps names within a group: the noise floor.
PLACEBO: Final = "placebo"
#: What stands in the place of a reference group where a line of membership is held against the neutral line.
NEUTRAL: Final = ("neutral line",)
#: Says in the settings that the scorer masks texts itself.
MASKS: Final = "masks"


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
    is unknown. `reference` is `NEUTRAL` where a line of membership is held against the neutral line.
    """

    kind: str
    own: str | None
    group: tuple[str, ...]
    reference: tuple[str, ...]
    arm: str
    against: str

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


@dataclass(frozen=True, kw_only=True)
class NameShown:
    """A name that stood in the arms, or in the placebo; names with one number are matched."""

    name: str
    group: str
    shown_in: str
    matched: int
    length: int


@dataclass(frozen=True, kw_only=True)
class MovedPair:
    """A résumé whose scores differ between two arms; its texts and its person only where they may be shown."""

    kind: str
    group: str
    reference: str
    position: str
    name: str
    reference_name: str
    score: float
    reference_score: float
    person: str | None = left_out()
    text: str | None = left_out()
    reference_text: str | None = left_out()


@dataclass(frozen=True, kw_only=True)
class PerturbAudit:
    """What the page of a perturbation test prints besides the findings."""

    kind: str = "perturb"
    title: str = "Perturbation test"
    question: str | None = None
    model: str = ""
    simulated: bool = False
    simulated_note: str | None = None
    synthetic: bool = False
    people: int = 0
    positions: int = 0
    experiment: Experiment = field(default_factory=lambda: Experiment(by=(), groups=(), compared=()))
    arms: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    names: tuple[NameShown, ...] = ()
    names_per_group: int | None = None
    matched_on: tuple[str, ...] = ()
    names_note: str = ""
    pairs: tuple[MovedPair, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    reading_rules: Mapping[str, int] = field(default_factory=dict)
    requests: int | None = None
    attempts: int | None = None
    limits: tuple[str, ...] = ()
    cost: float | None = None
    currency: str | None = None
    cost_reason: str | None = None
    cost_uncertain: float | None = None
    usage: Usage | None = None
    warnings: tuple[str, ...] = ()
    reproduce: str = ""
    started: str | None = None
    finished: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    def without_texts(self) -> "PerturbAudit":
        """Return the block without the texts of résumés, and whose they are."""
        pairs = (replace(pair, person=None, text=None, reference_text=None) for pair in self.pairs)
        return replace(self, pairs=tuple(pairs))
