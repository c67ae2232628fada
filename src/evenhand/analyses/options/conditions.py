"""The conditions of `--fail-on`: how each is written, and what it means. A kind of run declares which it can have."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from evenhand.results.kinds import run_kind
from evenhand.results.measures import COMPARED_MEASURES, COMPARED_OF_SCORES, WORSE

#: An analysis of applicants with --share, which compares no groups.
AVAILABILITY: Final = "availability"
MARKS: Final = ("A", "B", "C", "D")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A condition of --fail-on.

    `written` are its forms, `meaning` when it holds, and `measures` those that a value can name; `few` are the measures
    of kinds of run that have fewer. A run of one probe needs one with what `probe` says.
    """

    written: tuple[str, ...]
    meaning: str
    measures: tuple[str, ...] = ()
    few: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    probe: str = ""

    @property
    def form(self) -> str:
        """Return its forms as one, such as mark:B|C|D."""
        first, *others = self.written
        return "|".join([first, *(other.partition(":")[2] for other in others)])

    def of(self, kinds: Collection[str]) -> "Condition":
        """Return it with the measures of these kinds of run."""
        named = {measure for kind in kinds for measure in self.few.get(kind, self.measures)}
        return replace(self, measures=tuple(measure for measure in self.measures if measure in named))

    def described(self, kinds: Collection[str]) -> str:
        """Return its meaning for these kinds of run, with the measures that it takes and what it needs."""
        texts = [self.meaning]
        texts += [f"MEASURE is {', '.join(self.measures)}."] * bool(self.measures)
        texts += [f"The probe must have {self.probe}."] * bool(self.probe and {"probe", "measure"} & set(kinds))
        texts += ["Not with --share."] * bool(
            AVAILABILITY in kinds and self.written[0] not in _conditions(AVAILABILITY)
        )
        return " ".join(texts)


#: The conditions by the name before the colon.
CONDITIONS: Final[Mapping[str, Condition]] = {
    "difference": Condition(
        written=("difference",),
        meaning="A planned comparison is statistically significant, corrected for all planned comparisons.",
    ),
    "adverse-impact": Condition(
        written=("adverse-impact",),
        meaning="An impact ratio is below four-fifths, and the difference is statistically significant.",
        probe="selection rates",
    ),
    "below": Condition(
        written=("below",),
        meaning="An impact ratio is below four-fifths, even if the difference is not statistically significant.",
        probe="selection rates",
    ),
    "mark": Condition(
        written=tuple(f"mark:{mark}" for mark in MARKS[1:]),
        meaning="The whole confidence interval of a measure has this mark or a worse one.",
        probe="marks",
    ),
    "mark-estimate": Condition(
        written=tuple(f"mark-estimate:{mark}" for mark in MARKS[1:]),
        meaning="The estimate of a measure has this mark or a worse one.",
        probe="marks",
    ),
    "not-equivalent": Condition(
        written=("not-equivalent",),
        meaning="A comparison is not shown to lie within the margin (for ratios .8 to 1.25, unless another is given).",
    ),
    "not-above": Condition(
        written=("not-above",),
        meaning="An impact ratio is not shown to lie above the margin (.8, unless another is given).",
    ),
    "gap": Condition(
        written=("gap:MEASURE=LIMIT",),
        meaning="A measure differs between groups by more than the limit.",
        measures=COMPARED_MEASURES,
        few={"match": COMPARED_OF_SCORES},
    ),
    "worse": Condition(
        written=("worse:MEASURE=LIMIT",),
        meaning="A measure is worse than that of the other version (--against) by more than the limit.",
        measures=WORSE,
    ),
    "undetected": Condition(
        written=("undetected:SHARE",),
        meaning="More than this share of the answers could not be read.",
    ),
}


def _conditions(kind: str) -> tuple[str, ...]:
    """Return the names of the conditions that a kind of run can have."""
    return ("difference",) if kind == AVAILABILITY else run_kind(kind).fail_on


def conditions_of(kinds: Collection[str] | None) -> dict[str, Condition]:
    """Return by name the conditions that a run of one of these kinds can have, with their measures; None: any run.

    >>> conditions_of({"features"}).keys(), conditions_of({"match"})["gap"].measures[:2]
    (dict_keys(['difference']), ('auc', 'brier'))
    """
    if kinds is None:
        return dict(CONDITIONS)
    possible = {name for kind in kinds for name in _conditions(kind)}
    return {name: condition.of(kinds) for name, condition in CONDITIONS.items() if name in possible}
