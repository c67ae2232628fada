"""What a finding tells besides its estimate: a dataclass per family of measures."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, Self

from evenhand.tables.audit.written import left_out

__all__ = [
    "FAMILIES",
    "AdjustedOdds",
    "Against",
    "Bin",
    "Bounds",
    "Details",
    "FittedOdds",
    "Flips",
    "Floor",
    "Given",
    "GroupRatio",
    "Heterogeneity",
    "ImpactRatio",
    "Judged",
    "LeftOutReasons",
    "MeanRatio",
    "MixedOdds",
    "MixedSpread",
    "Moves",
    "PassedOver",
    "PerturbedScores",
    "PooledOdds",
    "PositionsBelow",
    "Selected",
    "Stated",
    "Statuses",
    "TemplateSpread",
    "WidestGap",
    "Word",
]


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


@dataclass(frozen=True, kw_only=True)
class Judged(Details):
    """Of a declared measure: what its verdict and its mark rest on.

    `levels` are those that entered; `until_width` to `looks` tell of --until-width. `chance` is what
    is expected by chance where that is not the usual value, `no_mark` why there is no mark then.
    `width_ratio_to_unpaired` is the ratio of standard errors with and without pairs.
    """

    levels: Mapping[str, tuple[str, ...]] | None = left_out()
    until_width: float | None = left_out()
    sequence_reached: bool | None = left_out()
    sequence_n: int | None = left_out()
    looks: int | None = left_out()
    chance: float | None = left_out()
    no_mark: str | None = left_out()
    margin: float | None = left_out()
    equivalence_interval: tuple[float, float] | None = left_out()
    difference_detected: bool | None = left_out()
    width_ratio_to_unpaired: float | None = left_out()


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
    names_group: int | None = None


@dataclass(frozen=True, kw_only=True)
class FittedOdds(MixedOdds):
    """Of a group that the mixed logistic model has an odds ratio for."""

    log_odds_ratio: float | None = None
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
    """Of a selection rate: how many were selected."""

    selected: int | None = None


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
    """Of a ratio of selection rates of applicants."""

    approach: str | None = None
    cutoff: float | None = None
    n_focal: int | None = None
    n_reference: int | None = None
    selected_focal: int | None = None
    selected_reference: int | None = None
    rate_focal: float | None = None
    rate_reference: float | None = None
    four_fifths: str | None = None
    reference_floor: Floor | None = left_out()  # noqa: RUF009 - a field
    shortfall: float | None = None
    odds_ratio: float | None = None
    cohens_h: float | None = None
    detectable_ratio: float | None = None
    read_with: str | None = None
    read_reason: str | None = None
    over_flagging_rate: float | None = None
    flip_flop_ratio: float | None = None
    flip_flop_reverses: bool | None = None


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
    reference_floor: Floor | None = left_out()  # noqa: RUF009 - a field


@dataclass(frozen=True, kw_only=True)
class PooledOdds(Details):
    """Of an odds ratio over all positions; `simpson` says that all applicants taken together point the other way."""

    strata: int | None = None
    simpson: bool | None = None
    rate_focal: float | None = None
    rate_reference: float | None = None


@dataclass(frozen=True, kw_only=True)
class Bounds(Details):
    """Of what a ratio could be: how many people of unknown group there are."""

    n_unknown: int | None = None
    selected_unknown: int | None = None


@dataclass(frozen=True, kw_only=True)
class Given(Details):
    """Of groups that can't be compared given qualifications: which."""

    given: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AdjustedOdds(Given):
    """Of an odds ratio given qualifications."""

    odds_ratio_crude: float | None = None
    n_left_out: int | None = None
    rate_focal: float | None = None
    rate_reference: float | None = None


@dataclass(frozen=True, kw_only=True)
class PositionsBelow(Details):
    """Of the share of positions with a group below four fifths."""

    attribute: str | None = None
    positions: int | None = None
    comparisons: int | None = None
    expected_by_chance: float | None = None
    significant: int | None = None
    significant_adjusted: int | None = None
    four_fifths: str | None = None
    difference_detected: bool | None = None


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
    difference_detected: bool | None = None
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
    p_mcnemar_mid: float | None = None


@dataclass(frozen=True, kw_only=True)
class Moves(Details):
    """Of ranks within positions: of all places that somebody has, how many changed, and who went in or out of the top.

    `entered` and `left` count changes into and out of the first `top` places of a position.
    """

    n_places: int | None = None
    moved: int | None = None
    mean_move: float | None = None
    largest_move: float | None = None
    top: int | None = None
    entered: int | None = None
    left: int | None = None
    p_mcnemar: float | None = None


@dataclass(frozen=True, kw_only=True)
class LeftOutReasons(Details):
    """Of people who were left out: how many, for which reason."""

    reasons: Mapping[str, int] = field(default_factory=dict)


#: All families; where keys fit several, an earlier one is meant.
FAMILIES: Final[tuple[type[Details], ...]] = (
    *(Details, Judged, GroupRatio, Bin, TemplateSpread, Statuses, Word, Against, WidestGap, Heterogeneity),
    *(MixedOdds, FittedOdds, MixedSpread, Selected, Stated, ImpactRatio, MeanRatio, PooledOdds, Bounds, Given),
    *(AdjustedOdds, PositionsBelow, PerturbedScores, Flips, Moves, LeftOutReasons),
)
