"""Findings: one measure of one slice, with its interval, tests, mark and verdict.

Measures of one family have details of one dataclass. Dataclasses become plain JSON values by `as_json`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from html import escape
from typing import Any, Final, Literal, Protocol, Self, TypeVar

_OMIT_NONE: Final = "left out"
_KEY: Final = "key"


def omit_none() -> Any:
    """Return a field that is no key of the JSON where it is None."""
    return field(default=None, metadata={_OMIT_NONE: True})


def keyed(key: str, *, default: Any = MISSING) -> Any:
    """Return a field whose key in JSON is not its name."""
    return field(default=default, metadata={_KEY: key})


def key_of(declared: "Field[Any]") -> str:
    """Return the key of a field in JSON."""
    return str(declared.metadata.get(_KEY, declared.name))


_PLAIN: Final = frozenset({str, int, float, bool})


def as_json(value: Any) -> Any:
    """Return dataclasses, however deep, as plain values: keys in the order of the fields.

    >>> as_json({"rate": Test(name="t", statistic=0.5, p=0.1)})
    {'rate': {'name': 't', 'statistic': 0.5, 'p': 0.1, 'reason': None}}
    """
    if value is None or isinstance(value, (str, int, float)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        known = {"type": value.tag()} if isinstance(value, Details) and type(value) is not Details else {}
        for name, key, keep_none in _keys(type(value)):
            item = getattr(value, name)
            if item is None or type(item) in _PLAIN:
                if keep_none or item is not None:
                    known[key] = item
            else:
                known[key] = as_json(item)
        return known
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return value


@cache
def _keys(declared: Any) -> tuple[tuple[str, str, bool], ...]:
    """Return of each field its name, its key in JSON, and whether the key stands where the value is None."""
    return tuple((column.name, key_of(column), _OMIT_NONE not in column.metadata) for column in fields(declared))


def copied(record: object, names: str) -> dict[str, Any]:
    """Return fields of a record, for another one that has them by the same names.

    >>> copied(Alternative(method="t", low=1.0, high=2.0), "low high")
    {'low': 1.0, 'high': 2.0}
    """
    return {name: getattr(record, name) for name in names.split()}


def shared(record: Any, facts: type) -> dict[str, Any]:
    """Return the fields of a record that another class has by the same names.

    >>> shared(Alternative(method="t", low=1.0, high=2.0), Bin)
    {'low': 1.0, 'high': 2.0}
    """
    known = {column.name for column in fields(record)}
    return {column.name: getattr(record, column.name) for column in fields(facts) if column.name in known}


class Detailed(Protocol):
    """A finding."""

    @property
    def details(self) -> "Details":
        """Return its details."""


@dataclass(frozen=True, kw_only=True)
class Details:
    """No details; what is unknown in those of a family is None."""

    @classmethod
    def of(cls, row: Detailed) -> Self:
        """Return a finding's details if they are of this family, else such details without anything known."""
        return row.details if isinstance(row.details, cls) else cls()

    @classmethod
    @cache
    def tag(cls) -> str:
        """Return the family's name in files.

        >>> ImpactRatio.tag()
        'impact_ratio'
        """
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


@dataclass(frozen=True, kw_only=True)
class VerdictBasis(Details):
    """Of a declared measure: what its verdict and its mark rest on.

    `levels` are those that entered; `until_width` to `looks` tell of --until-width. `chance` is what
    is expected by chance where that is not the usual value, `no_mark` why there is no mark then.
    `width_ratio_to_unpaired` is the ratio of standard errors with and without pairs.
    """

    levels: Mapping[str, tuple[str, ...]] | None = omit_none()
    until_width: float | None = omit_none()
    looks: int | None = omit_none()
    chance: float | None = omit_none()
    no_mark: str | None = omit_none()
    margin: float | None = omit_none()
    equivalence_interval: tuple[float, float] | None = omit_none()
    width_ratio_to_unpaired: float | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class GroupRatio(Details):
    """Of a ratio of rates of a probe; `over_flagging_rate` is the false-positive rate of the four-fifths rule."""

    rate_focal: float | None = None
    n_focal: int | None = None
    rate_reference: float | None = None
    n_reference: int | None = None
    four_fifths: str | None = None
    over_flagging_rate: float | None = None


@dataclass(frozen=True, kw_only=True)
class Bin(Details):
    """Of a share within a band of a context number: the band's ends, and the mean within it."""

    low: float | None = None
    high: float | None = None
    mean: float | None = None


@dataclass(frozen=True, kw_only=True)
class TemplateSpread(Details):
    """Of a variance between instructions: its square root."""

    sd: float | None = None


@dataclass(frozen=True, kw_only=True)
class Statuses(Details):
    """Of a rate of unreadable answers: how many answers have each status."""

    statuses: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Unread(Details):
    """Of a difference in rates of unreadable answers: how many of them each side has."""

    unread_focal: int | None = None
    unread_reference: int | None = None


@dataclass(frozen=True, kw_only=True)
class UnreadBounds(Details):
    """Of what a headline comparison lies between: which it is, how many answers are unread, and both ends' verdicts.

    `unread_focal` and `unread_reference` are those to each side; a ranking has no side.
    """

    comparison: str = ""
    unread: int = 0
    unread_focal: int | None = None
    unread_reference: int | None = None
    verdict: "Verdict | None" = None
    verdict_low: "Verdict | None" = None
    verdict_high: "Verdict | None" = None


@dataclass(frozen=True, kw_only=True)
class AsJudged(Details):
    """Of a headline comparison with a judge's readings of unread answers: which it is, who judged, and what was read.

    `labels` counts the readings of each side, and of rankings that are to no side; `unread` is what is no label.
    """

    comparison: str = ""
    judge: str = ""
    unread: int = 0
    labels_focal: Mapping[str, int] = field(default_factory=dict)
    labels_reference: Mapping[str, int] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Word(Details):
    """Of a word: how often both groups' documents have it; `coded` names inventories that hold it."""

    count_focal: int | None = None
    count_reference: int | None = None
    z: float | None = None
    p: float | None = None
    coded: str | None = None


@dataclass(frozen=True, kw_only=True)
class Against(Details):
    """Of a group compared with all groups together: both rates."""

    rate: float | None = None
    population_rate: float | None = None
    n_population: int | None = None


@dataclass(frozen=True, kw_only=True)
class WidestGap(Details):
    """Of the widest gap: what shuffled names give."""

    null_mean: float | None = None
    null_95: float | None = None


@dataclass(frozen=True, kw_only=True)
class Heterogeneity(Details):
    """Of a difference that changes with a column: its levels with the highest and the lowest one."""

    highest: str | None = None
    lowest: str | None = None


@dataclass(frozen=True, kw_only=True)
class MixedOdds(Details):
    """Of a group in the mixed logistic model."""

    formula: str | None = None
    cells: int | None = None
    df: float | None = None
    dispersion: float | None = None
    n_group: int | None = None


@dataclass(frozen=True, kw_only=True)
class FittedOdds(MixedOdds):
    """Of a group that the mixed logistic model has an odds ratio for."""

    standard_error: float | None = None
    odds_ratio_without_random_effects: float | None = None
    statsmodels: str | None = None


@dataclass(frozen=True, kw_only=True)
class MixedSpread(Details):
    """Of a standard deviation in the mixed logistic model."""

    factor: str | None = None
    odds_ratio_of_one_sd: float | None = None
    dispersion: float | None = None


@dataclass(frozen=True, kw_only=True)
class Selected(Details):
    """Of a selection rate: how many were selected, and with weights the effective number of people (Kish)."""

    selected: int | None = None
    effective_n: float | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class Stated(Details):
    """Of a group's share of all people: the share that is stated, and how many would be there by it."""

    stated_share: float | None = None
    people: int | None = None
    expected: float | None = None
    shortfall: float | None = None


@dataclass(frozen=True, kw_only=True)
class PassedOver:
    """A group with a higher rate than the reference that is too small to be it."""

    group: str
    n: int
    rate: float


@dataclass(frozen=True, kw_only=True)
class Floor:
    """What the smallest size of a reference changed."""

    share: float
    people: int
    reference: str
    n_reference: int
    none_large_enough: bool
    passed_over: tuple[PassedOver, ...]
    positions_with_another_reference: int


@dataclass(frozen=True, kw_only=True)
class ImpactRatio(Details):
    """Of a ratio of selection rates of applicants.

    `p_above_margin` is the one-sided p that it is `margin` or less, `p_within_margin` the larger one of that and of 1/
    `margin` or more, by `margin_test`; its claim is above and within the margin by these p, corrected over the
    `margin_comparisons` of the run (Holm).
    """

    approach: str | None = None
    cutoff: float | None = None
    n_focal: int | None = None
    n_reference: int | None = None
    selected_focal: int | None = None
    selected_reference: int | None = None
    rate_focal: float | None = None
    rate_reference: float | None = None
    four_fifths: str | None = None
    reference_floor: Floor | None = omit_none()  # noqa: RUF009 - a field
    statistics: Mapping[str, float | None] = field(default_factory=dict)
    detectable_ratio: float | None = None
    needed_per_group: int | None = None
    read_with: str | None = None
    read_reason: str | None = None
    over_flagging_rate: float | None = None
    flip_flop_ratio: float | None = None
    flip_flop_reverses: bool | None = None
    margin: float | None = None
    low_90: float | None = None
    high_90: float | None = None
    margin_test: str | None = None
    p_above_margin: float | None = None
    p_within_margin: float | None = None
    p_above_adjusted: float | None = None
    p_within_adjusted: float | None = None
    margin_comparisons: int | None = None
    effective_focal: float | None = omit_none()
    effective_reference: float | None = omit_none()
    rate_bounds: tuple[float, float] | None = omit_none()
    rate_bounds_reference: tuple[float, float] | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class MeanRatio(Details):
    """Of a ratio of mean scores of applicants."""

    approach: str | None = None
    cutoff: float | None = None
    n_focal: int | None = None
    n_reference: int | None = None
    mean_focal: float | None = None
    mean_reference: float | None = None
    standardised_difference: float | None = None
    d_low: float | None = None
    d_high: float | None = None
    reference_floor: Floor | None = omit_none()  # noqa: RUF009 - a field


@dataclass(frozen=True, kw_only=True)
class PooledOdds(Details):
    """Of an odds ratio over all positions; `simpson` says that all applicants taken together point the other way.

    The p of Breslow-Day (Tarone) and of Gail-Simon are corrected over the `position_tests` of the run (Holm). Over all
    positions as pools so many of the focal group were `observed` as selected and `expected`, `z` standard deviations
    apart; `q_plus` and `q_minus` are Gail and Simon's. `common_ratio` is Mantel and Haenszel's ratio of the rates: the
    claim's `above_margin` is of it, as in `ImpactRatio`.
    """

    strata: int | None = None
    simpson: bool | None = None
    p_breslow_day_adjusted: float | None = None
    p_gail_simon_adjusted: float | None = None
    position_tests: int | None = None
    rate_focal: float | None = None
    rate_reference: float | None = None
    observed: int | None = None
    expected: float | None = None
    shortfall: float | None = None
    z: float | None = None
    p_exact: float | None = None
    p_exact_lower: float | None = None
    pools_reason: str | None = omit_none()
    q_plus: float | None = None
    q_minus: float | None = None
    common_ratio: float | None = None
    common_low: float | None = None
    common_high: float | None = None
    margin: float | None = None
    margin_test: str | None = None
    p_above_margin: float | None = None
    p_above_adjusted: float | None = None
    margin_comparisons: int | None = None


@dataclass(frozen=True, kw_only=True)
class Bounds(Details):
    """Of what a ratio could be: how many people of unknown group there are, or that counts are not shown."""

    n_unknown: int | None = None
    selected_unknown: int | None = None
    most_selected_unknown: int | None = omit_none()
    suppressed: bool | None = omit_none()


@dataclass(frozen=True, kw_only=True)
class UndecidedBounds(Details):
    """Of what a ratio could be had people without a decision been decided on: how many there are of each group.

    `ratio_if_all` and `ratio_if_none` are those had all, or none, of them been selected.
    """

    undecided_focal: int | None = None
    undecided_reference: int | None = None
    ratio_if_all: float | None = None
    ratio_if_none: float | None = None


@dataclass(frozen=True, kw_only=True)
class AdjustedFor(Details):
    """Of groups that can't be compared given qualifications: which."""

    given: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AdjustedOdds(AdjustedFor):
    """Of an odds ratio given qualifications, `within` positions or blocks where there are any."""

    within: tuple[str, ...] = ()
    odds_ratio_crude: float | None = None
    n_left_out: int | None = None
    rate_focal: float | None = None
    rate_reference: float | None = None


@dataclass(frozen=True, kw_only=True)
class QualificationShare(Details):
    """Of a ratio of the shares of people with the `favourable` side of a column: what is selected more."""

    column: str | None = None
    favourable: str | None = None
    share_focal: float | None = None
    share_reference: float | None = None


@dataclass(frozen=True, kw_only=True)
class PositionsBelow(Details):
    """Of the share of positions with a group below four fifths."""

    attribute: str | None = None
    positions: int | None = None
    comparisons: int | None = None
    expected_by_chance: float | None = None
    significant: int | None = None
    significant_adjusted: int | None = None
    below_significant: int | None = None
    four_fifths: str | None = None


@dataclass(frozen=True, kw_only=True)
class AgeCurve(Details):
    """Of a selection rate by years of age: the ages of the knots, and where the curve is lowest and highest."""

    selected: int | None = None
    knots: tuple[float, ...] = ()
    lowest: float | None = None
    highest: float | None = None
    age_lowest: float | None = None
    age_highest: float | None = None


@dataclass(frozen=True, kw_only=True)
class PeriodChange(Details):
    """Of a ratio over time: how many periods there are, and say anything; the `unit` between them, and one ratio."""

    periods: int | None = None
    informative: int | None = None
    unit: str | None = None
    common_ratio: float | None = None


@dataclass(frozen=True, kw_only=True)
class PositionsRanked(Details):
    """Of the share of positions in which a group's rate is lower at a false discovery rate of 5 %.

    In `lower` and `higher` positions it is, over `comparisons`; `ranked` ones have a shrunken ratio, whose geometric
    mean is `mean_ratio` and whose logarithm has the standard deviation `spread` between positions.
    """

    positions: int | None = None
    lower: int | None = None
    higher: int | None = None
    comparisons: int | None = None
    ranked: int | None = None
    mean_ratio: float | None = None
    spread: float | None = None
    design_effect: float | None = None


@dataclass(frozen=True, kw_only=True)
class PerturbedScores(Details):
    """Of a difference between two arms: numbers beside it, and what its verdict rests on.

    `spread` are the least, the 5th, 25th, 50th, 75th and 95th percentiles and the largest of the pairs' differences,
    `shares` how many lie between two of `edges`, which all arms share; what lies beyond is in the first and last.
    """

    kind: str | None = None
    n_people: int | None = None
    n_pairs: int | None = None
    n_names: int | None = None
    t_pooled: float | None = None
    df_pooled: int | None = None
    p_pooled: float | None = None
    t_paired: float | None = None
    df_paired: int | None = None
    p_paired: float | None = None
    p_signflip: float | None = None
    p_wilcoxon: float | None = None
    p: float | None = None
    p_equivalence: float | None = None
    margin: float | None = None
    equivalence_interval: tuple[float, float] | None = None
    spread: tuple[float, ...] = ()
    edges: tuple[float, ...] = ()
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Flips(Details):
    """Of decisions in two arms: pairs that were decided differently, and McNemar's p."""

    cutoff: float | None = None
    only_focal: int | None = None
    only_reference: int | None = None
    n_pairs: int | None = None
    flip_rate: float | None = None
    p_mcnemar: float | None = None


@dataclass(frozen=True, kw_only=True)
class Moves(Details):
    """Of ranks within positions: of all places that somebody has, how many changed, and who went in or out of the top.

    `entered` and `left` count changes into and out of the first `top` places of a position.
    """

    n_places: int | None = None
    moved: int | None = None
    largest_move: float | None = None
    top: int | None = None
    entered: int | None = None
    left: int | None = None
    p_mcnemar: float | None = None


@dataclass(frozen=True, kw_only=True)
class Crossings(Details):
    """Of the first `top` places of a pool: the share of pairs that are there in one arm only, with its interval.

    The pool is all résumés with a score for the position; `pools` are the sizes of the smallest and the largest one
    that counts. `entered` pairs are there as the group only, `left` as the reference only.
    """

    top: int | None = None
    pools: tuple[int, int] | None = None
    crossed: float | None = None
    crossed_low: float | None = None
    crossed_high: float | None = None
    entered: int | None = None
    left: int | None = None
    p_mcnemar: float | None = None


@dataclass(frozen=True, kw_only=True)
class LeftOutReasons(Details):
    """Of people who were left out: how many, for which reason."""

    reasons: Mapping[str, int] = field(default_factory=dict)


FINDINGS_SCHEMA = "evenhand.findings/2"

Role = Literal["planned", "exploratory", "descriptive"]
Verdict = Literal["difference", "no_difference_detected", "not_judged"]
#: The level of the family that a claim belongs to.
LEVEL: Final = 0.05
#: A group of fewer people, or of a smaller share, stands in tables: no first sentence is of it, no gate waits for it.
FEWEST_PEOPLE: Final = 30
SMALLEST_SHARE: Final = 0.02


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What may be said of a comparison: everything that speaks of it (pages, tables, gates, alarms) speaks from here.

    `statistic` is that of `test`, signed as the finding's estimate is, and `p` is its p. `p_adjusted` is corrected over
    the `family_size` comparisons of `family` by `correction`, and `verdict` follows from it: `difference` below
    `LEVEL`, else `no_difference_detected`, and `not_judged` without a p, for a `reason`. `equivalent` says whether the
    difference was shown to lie within a margin, an option of the run, `above_margin` whether a ratio of rates was shown
    to lie above one; both may hold besides a difference. `planned` claims are those that --fail-on difference counts.
    `n_focal` and `n_reference` are the judged people, answers or rows of this estimate.
    Where no difference was detected, `detectable` is the estimate nearest to none, from below, that this test finds
    with 80 % statistical power at the level of its family, as far as it is known.
    """

    test: str | None
    statistic: float | None = None
    df: float | None = None
    p: float | None = None
    family: str
    family_size: int
    correction: str | None = None
    p_adjusted: float | None = None
    verdict: Verdict
    equivalent: bool | None = None
    above_margin: bool | None = omit_none()
    planned: bool
    n_focal: int | None = None
    n_reference: int | None = None
    reason: str | None = omit_none()
    caution: str | None = omit_none()
    detectable: float | None = omit_none()

    def is_large(self, people: float) -> bool:
        """Return whether both groups have `FEWEST_PEOPLE` and `SMALLEST_SHARE` of the people; not if unknown."""
        if self.n_focal is None or self.n_reference is None:
            return False
        smaller = min(self.n_focal, self.n_reference)
        return smaller >= FEWEST_PEOPLE and smaller >= SMALLEST_SHARE * people

    @property
    def corrected_over(self) -> str:
        """Return what p was corrected for, "" for a single comparison: 'Holm over 6 comparisons'."""
        return f"{self.correction} over {self.family_size:,} comparisons" if self.family_size > 1 else ""


def verdict_of(p_adjusted: float | None) -> Verdict:
    """Return the verdict of a corrected p.

    >>> verdict_of(0.049), verdict_of(0.05), verdict_of(None)
    ('difference', 'no_difference_detected', 'not_judged')
    """
    return "not_judged" if p_adjusted is None else "difference" if p_adjusted < LEVEL else "no_difference_detected"


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another interval of the same estimate, in detail only; `clusters` as in `Finding`."""

    method: str
    low: float | None
    high: float | None
    clusters: dict[str, int] | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Test:
    """A test of the finding's null value."""

    name: str
    statistic: float | None
    p: float | None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Finding:
    """One row of findings.json; `estimate` is null only with a `reason`.

    `slice` restricts the rows, `focal` and `reference` are the two groups compared
    (estimate = focal − reference, or focal / reference). `n` counts the units that
    entered, `clusters` how many of each kind the interval lets vary: items, or names and roles.
    `low` and `high` are the interval that all that is said of a finding follows. In a suite's
    summary `probe` says whose finding it is. `measured_in` is the unit of measurement, `unit`
    in the file.
    """

    probe: str | None = omit_none()
    name: str
    measure: str
    slice: dict[str, str] = field(default_factory=dict)
    focal: dict[str, str] = field(default_factory=dict)
    reference: dict[str, str] = field(default_factory=dict)
    role: Role
    estimate: float | None
    low: float | None = None
    high: float | None = None
    confidence: float = 0.95
    measured_in: str = keyed("unit", default="share")
    null_value: float | None = None
    n: int
    clusters: dict[str, int]
    method: str
    alternatives: tuple[Alternative, ...] = ()
    tests: tuple[Test, ...] = ()
    claim: Claim | None = None
    mark: str | None = None
    marks_touched: tuple[str, ...] = ()
    reason: str | None = None
    details: Details = field(default_factory=Details)

    @property
    def p(self) -> float | None:
        """Return the p of its claim, not corrected."""
        return None if self.claim is None else self.claim.p

    @property
    def p_adjusted(self) -> float | None:
        """Return the corrected p of its claim."""
        return None if self.claim is None else self.claim.p_adjusted

    @property
    def verdict(self) -> Verdict | None:
        """Return the verdict of its claim; None for what makes no comparison."""
        return None if self.claim is None else self.claim.verdict

    @property
    def is_difference(self) -> bool:
        """Return whether its claim is a difference."""
        return self.verdict == "difference"

    def __repr__(self) -> str:
        """Return its name, and its numbers in a line."""
        return f"<Finding {self.name}: {', '.join(f'{name} {value}'.strip() for name, value in self._shown.items())}>"

    def _repr_html_(self) -> str:
        """Return its name and numbers as a table."""
        cells = {"": self.name} | {name or "estimate": value for name, value in self._shown.items()}
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in cells.items())
        return f"<table>{rows}</table>"

    @property
    def _shown(self) -> dict[str, str]:
        """Return the estimate with its unit and interval, p, verdict and n; or why there is none."""
        if self.estimate is None:
            return {"": f"none, {self.reason}"}
        interval = "" if self.low is None or self.high is None else f" ({self.low:.4g} to {self.high:.4g})"
        values = {"": f"{self.estimate:.4g} {self.measured_in}{interval}"}
        values |= {} if self.p is None else {"p": f"{self.p:.3g}"}
        values |= {} if self.p_adjusted in {None, self.p} else {"p adjusted": f"{self.p_adjusted:.3g}"}
        values |= {} if self.verdict is None else {"verdict": self.verdict.replace("_", " ")}
        return values | {"n": f"{self.n:,}"}

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON values, keys in the order of the schema."""
        values: dict[str, Any] = as_json(self)
        return values


K = TypeVar("K")
R = TypeVar("R")


def by_key(key: Callable[[R], K], rows: Iterable[R]) -> dict[K, tuple[R, ...]]:
    """Return rows by their key, keys and rows in their first order.

    >>> by_key(len, ["b", "cc", "a"])
    {1: ('b', 'a'), 2: ('cc',)}
    """
    groups: dict[K, list[R]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {value: tuple(members) for value, members in groups.items()}


def of_measure(findings: Iterable[Finding], *measures: str) -> tuple[Finding, ...]:
    """Return the findings of some measures."""
    return tuple(finding for finding in findings if finding.measure in measures)
