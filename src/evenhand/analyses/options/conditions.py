"""The conditions of `--fail-on`: how each is written, what it means, and which kinds of run can have it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from evenhand.results.measures import COMPARED_MEASURES, WORSE

MARKS: Final = ("A", "B", "C", "D")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A condition of --fail-on.

    `written` are its forms, `meaning` when it holds, `kinds` the kinds of run that can be judged by it, and `measures`
    those that a value can name.
    """

    written: tuple[str, ...]
    meaning: str
    kinds: frozenset[str]
    measures: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """Return its forms as one, such as mark:B|C|D."""
        first, *others = self.written
        return "|".join([first, *(other.partition(":")[2] for other in others)])

    @property
    def described(self) -> str:
        """Return its meaning, with the measures that it takes."""
        return f"{self.meaning} MEASURE is {', '.join(self.measures)}." if self.measures else self.meaning


_PROBES: Final = frozenset({"probe", "measure", "suite", "merge"})
_SCORES: Final = frozenset({"evaluate", "golden", "match"})
#: The conditions by the name before the colon.
CONDITIONS: Final[Mapping[str, Condition]] = {
    "difference": Condition(
        written=("difference",),
        meaning="A planned comparison is statistically significant after correction for all of them.",
        kinds=_PROBES | _SCORES | {"impact", "availability", "perturb", "study", "compare", "features"},
    ),
    "adverse-impact": Condition(
        written=("adverse-impact",),
        meaning="An impact ratio is below four-fifths, and the difference is statistically significant.",
        kinds=_PROBES | {"impact", "evaluate"},
    ),
    "below": Condition(
        written=("below",),
        meaning="An impact ratio is below four-fifths, whatever chance could explain.",
        kinds=_PROBES | {"impact", "evaluate"},
    ),
    "mark": Condition(
        written=tuple(f"mark:{mark}" for mark in MARKS[1:]),
        meaning="The whole confidence interval of a measure has this mark or a worse one.",
        kinds=_PROBES,
    ),
    "mark-estimate": Condition(
        written=tuple(f"mark-estimate:{mark}" for mark in MARKS[1:]),
        meaning="The estimate of a measure has this mark or a worse one.",
        kinds=_PROBES,
    ),
    "not-equivalent": Condition(
        written=("not-equivalent",),
        meaning="A comparison is not shown to lie within the margin (--margin).",
        kinds=frozenset({"perturb", "study", "impact"}),
    ),
    "not-above": Condition(
        written=("not-above",),
        meaning="An impact ratio is not shown to lie above the margin (--margin).",
        kinds=frozenset({"impact"}),
    ),
    "gap": Condition(
        written=("gap:MEASURE=LIMIT",),
        meaning="A measure differs between groups by more than the limit.",
        kinds=_SCORES,
        measures=COMPARED_MEASURES,
    ),
    "worse": Condition(
        written=("worse:MEASURE=LIMIT",),
        meaning="A measure is worse than that of the other version by more than the limit.",
        kinds=_SCORES,
        measures=WORSE,
    ),
    "undetected": Condition(
        written=("undetected:SHARE",),
        meaning="A larger share of the answers than this could not be read.",
        kinds=_PROBES | {"golden", "perturb", "study"},
    ),
}


def conditions_of(kinds: Collection[str]) -> list[Condition]:
    """Return the conditions that a run of one of these kinds can have.

    >>> [condition.written[0] for condition in conditions_of({"features"})]
    ['difference']
    """
    return [condition for condition in CONDITIONS.values() if condition.kinds & set(kinds)]
