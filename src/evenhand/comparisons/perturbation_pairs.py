"""Outcomes of a perturbation test as arrays, the pairs of each comparison, and the primary difference of pairs.

In the interval of a difference résumés and names vary, or résumés alone where a group has one name.

One row of outcomes is one attempt at a résumé for a position in one arm under one name:

item      the résumé's person, the unit of sampling
unit      the text that was scored for the position: person, position, arm and name
set       person and position: texts that differ in the arm only
pair      person, position and the place of the name among the arm's: matched names of two arms share it
arm       the arm's label; `ArmComparison` says which arms are compared, and of whose people
attempt   repetition
score     finite, larger is better; or `rank`, 1 the best of all texts of the position, whichever their arm
status    observed, or why there is no score
protected.gender, protected.race …   the group shown, null where an arm shows none
context.person, context.position, context.name   the labels
context.own   the label of the person's own group, null where it is unknown
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons.clusterings import FEWEST_LEVELS, ClusterFactors
from evenhand.comparisons.units import Floats, Ints, coded, distinct
from evenhand.errors import InputError
from evenhand.results.finding import copied
from evenhand.results.messages import listed, quoted
from evenhand.results.schemas import CONTEXT
from evenhand.results.score_audit import ArmComparison, Experiment
from evenhand.stats import (
    FEW_DF,
    ClusterVariance,
    crossed_df,
    detectable_difference,
    equivalence,
    intersections,
    jackknife_variance,
    paired_t,
    renumbered,
    t_interval,
)

Mask = NDArray[np.bool_]

PAIRED: Final = "paired t on résumé means"
#: Differences are equal up to this share of the largest: sums of equal numbers round.
EQUAL_WITHIN: Final = 1e-12
#: The fewest résumés whose signs can give a p below .05: that of five is 2 / 2⁵ = .0625.
FEWEST_SIGNS: Final = 6
POSITION, OWN, NAME = (CONTEXT + name for name in ("position", "own", "name"))
NEEDED = ("item", "pair", "arm", "attempt", "status", "score", "rank", POSITION, OWN, NAME)


@dataclass(frozen=True, kw_only=True)
class ScoredArms:
    """Scores by pair and arm: a row per value of `pair`, a column per arm.

    `score` is the mean of the observed attempts, NaN without any; of ranks it is minus the rank, so that larger is
    better. `attempts` and `unread` count attempts, `name` numbers names, −1 where the arm has no answer. `person`,
    `position` and `own` number people, positions and groups; `pairs` are the labels of the rows.
    """

    score: Floats
    attempts: Ints
    unread: Ints
    name: Ints
    person: Ints
    position: Ints
    own: Ints
    pairs: pl.Series
    arms: tuple[str, ...]
    names: tuple[str, ...]
    people: tuple[str, ...]
    positions: tuple[str, ...]
    groups: tuple[str, ...]
    ranked: bool

    def column(self, arm: str) -> int | None:
        """Return the column of an arm, None where it has no rows."""
        return self.arms.index(arm) if arm in self.arms else None

    def people_of(self, own: str | None) -> Mask:
        """Return which rows are of people whose own group is this one; None: of people without a known group."""
        if own is None:
            return np.asarray(self.own < 0)
        return np.asarray(self.own == (self.groups.index(own) if own in self.groups else -2))


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Scores of the same résumés in two arms, one entry per pair of names; NaN where none was read.

    `focal` is the score as `group`, `other` as `reference`. Names that are matched vary together, so pairs are
    numbered by the name of the reference. Where texts alternate with the names of both arms, `text` is the number of
    the pair's, else −1. `by` are the attributes of the groups, None those of the experiment. `row`, `focal_arm` and
    `other_arm` say where the scores stand in `ScoredArms`.
    """

    kind: str
    group: tuple[str, ...]
    reference: tuple[str, ...]
    placebo: bool
    focal: Floats
    other: Floats
    unread_focal: Floats
    unread_other: Floats
    person: Ints
    position: Ints
    name: Ints
    focal_name: Ints
    row: Ints
    focal_arm: Ints
    other_arm: Ints
    text: Ints
    by: tuple[str, ...] | None = None

    def __len__(self) -> int:
        """Return the number of pairs."""
        return int(self.focal.size)

    @property
    def difference(self) -> Floats:
        """The score as the group minus that as the reference."""
        return self.focal - self.other

    @property
    def factor(self) -> str:
        """What varies beside résumés and positions."""
        return "name" if self.text.max(initial=-1) < 0 else "text"

    @property
    def varied(self) -> tuple[Ints, Ints]:
        """The names of both sides, or the texts where these alternate: pairs that share one vary together."""
        return (self.focal_name, self.name) if self.factor == "name" else (self.text, self.text)

    @property
    def names(self) -> tuple[int, int]:
        """How many names or texts there are as the group, and as the reference."""
        focal, reference = self.varied
        return distinct(focal), distinct(reference)

    def take(self, chosen: Mask | Ints | slice) -> "Pairs":
        """Return some of the pairs."""
        arrays = {name: values[chosen] for name, values in vars(self).items() if isinstance(values, np.ndarray)}
        return Pairs(**{**vars(self), **arrays})

    def primary(self, values: Floats, *, margin: float | None, confidence: float) -> "Primary":
        """Return the mean of values of the pairs, with its interval."""
        varied: dict[str, Any] = {"factor": self.factor, "position": self.position}
        return primary_difference(values, self.person, self.varied, **varied, margin=margin, confidence=confidence)

    def read(self) -> "Pairs":
        """Return the pairs of which both sides were read."""
        return self.take(np.isfinite(self.focal) & np.isfinite(self.other))


def scored_arms(outcomes: pl.LazyFrame) -> ScoredArms:
    """Return the scores of outcomes by pair and arm.

    Raises
    ------
    InputError
        A column is not there, a row has no pair or arm, an observed one neither a score nor a rank as the others do, or
        ranks begin anew in each arm.

    """
    names = outcomes.collect_schema().names()
    lacking = [name for name in NEEDED if name not in names]
    if lacking:
        raise InputError(f"No column {quoted(lacking[0])} in the outcomes. Columns: {listed(names)}.")
    rows = outcomes.select(NEEDED).collect()
    if not rows.height:
        raise InputError("The table of outcomes has no rows.")
    if rows["pair"].null_count() or rows["arm"].null_count():
        raise InputError("A row of the outcomes has no pair or no arm; every row of a perturbation test needs both.")
    read = rows["status"] == "observed"
    ranked = not rows.filter(read)["score"].count() and bool(rows.filter(read)["rank"].count())
    value = -rows["rank"].cast(pl.Float64) if ranked else rows["score"]
    if not value.filter(read).is_finite().fill_null(value=False).all():
        required = "rank" if ranked else "score"
        raise InputError(
            f"An observed row of the outcomes has no {required}; give one in all of them, or another status."
        )
    if ranked:
        _check_ranks(rows.filter(read))
    units = (
        rows.select("item", "pair", "arm", POSITION, OWN, NAME, read.alias("read"), value.alias("value"))
        .group_by("pair", "arm", maintain_order=True)
        .agg(
            pl.col("item", POSITION, OWN, NAME).first(),
            pl.col("value").filter("read").mean(),
            pl.len().alias("attempts"),
            (~pl.col("read")).sum().alias("unread"),
        )
    )
    return _pivoted(units, ranked=ranked)


def _check_ranks(rows: pl.DataFrame) -> None:
    """Refuse ranks that begin anew in each arm: their means are equal whatever the scorer does."""
    ranks = rows.group_by(POSITION, "arm", "attempt").agg(pl.col("rank").max(), pl.len().alias("texts"))
    if ranks["arm"].n_unique() > 1 and (ranks["rank"] <= ranks["texts"]).all():
        raise InputError("Each arm has its own ranks; rank all texts of a position together, across arms.")


def _pivoted(units: pl.DataFrame, *, ranked: bool) -> ScoredArms:
    """Return arrays with a row per pair and a column per arm."""
    arm, arms = coded(units["arm"].cast(pl.String))
    code = units["pair"].cast(pl.Categorical).to_physical().to_numpy()
    _, first, pair = np.unique(code, return_index=True, return_inverse=True)
    shape = (int(pair.max()) + 1, len(arms))
    cells = pair * len(arms) + arm
    columns: dict[str, Any] = {"arms": arms, "ranked": ranked, "pairs": units["pair"].gather(first)}
    for name, empty in (("value", np.nan), ("attempts", 0), ("unread", 0)):
        values = units[name].to_numpy().astype(np.float64 if name == "value" else np.int64)
        columns["score" if name == "value" else name] = _spread(values, cells, shape, empty)
    code, columns["names"] = coded(units[NAME].cast(pl.String))
    columns["name"] = _spread(code, cells, shape, -1)
    for name, labels, source in (
        ("person", "people", "item"),
        ("position", "positions", POSITION),
        ("own", "groups", OWN),
    ):
        code, columns[labels] = coded(units[source].cast(pl.String))
        columns[name] = np.full(shape[0], -1)
        columns[name][pair] = code
    return ScoredArms(**columns)


def _spread(values: NDArray[Any], cells: Ints, shape: tuple[int, int], empty: float) -> NDArray[Any]:
    spread = np.full(shape[0] * shape[1], empty, dtype=values.dtype)
    spread[cells] = values
    return spread.reshape(shape)


def pairs_of(scored: ScoredArms, experiment: Experiment) -> list[Pairs]:
    """Return the pairs of every kind of arm, group and reference, over all people."""
    by_comparison: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[Pairs]] = {}
    for compared in experiment.compared:
        pairs = _pairs(scored, compared)
        if pairs is not None:
            by_comparison.setdefault((pairs.kind, pairs.group, pairs.reference), []).append(pairs)
    return [_joined(parts) for parts in by_comparison.values()]


def _pairs(scored: ScoredArms, compared: ArmComparison) -> Pairs | None:
    focal, other = (scored.column(arm) for arm in (compared.arm, compared.against))
    if focal is None or other is None:
        return None
    present = scored.people_of(compared.own) & (scored.name[:, focal] >= 0) & (scored.name[:, other] >= 0)
    if not present.any():
        return None
    sides = {
        f"unread_{side}": scored.unread[present, column] / scored.attempts[present, column]
        for side, column in (("focal", focal), ("other", other))
    }
    return Pairs(
        kind=compared.kind,
        group=compared.group,
        reference=compared.reference,
        placebo=compared.placebo,
        focal=scored.score[present, focal],
        other=scored.score[present, other],
        person=scored.person[present],
        position=scored.position[present],
        name=scored.name[present, other],
        focal_name=scored.name[present, focal],
        row=np.flatnonzero(present),
        focal_arm=np.full(int(present.sum()), focal),
        other_arm=np.full(int(present.sum()), other),
        text=_texts(scored.pairs.filter(pl.Series(present)), compared.texts),
        by=compared.by,
        **sides,
    )


def _texts(pairs: pl.Series, texts: int | None) -> Ints:
    """Return the number of the text of each pair, by the place of its name; −1 where texts don't alternate."""
    if texts is None:
        return np.full(len(pairs), -1)
    return (pairs.str.split("/").list.last().cast(pl.Int64) % texts).to_numpy()


def _joined(parts: Sequence[Pairs]) -> Pairs:
    if len(parts) == 1:
        return parts[0]
    values: Mapping[str, Any] = vars(parts[0])
    arrays = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name, array in values.items()
        if isinstance(array, np.ndarray)
    }
    return Pairs(**{**values, **arrays})


@dataclass(frozen=True, kw_only=True)
class Primary:
    """A mean difference with its interval, t and p, and the limits and p of its equivalence test.

    `constant`: every pair has the same difference and signs decide, `certain` that it counts in the equivalence test,
    too. `detectable` is the difference that these few clusters would have shown with 80 % power at .05, None of more.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    t: float | None = None
    df: float | None = None
    p: float | None = None
    equivalence: tuple[float, float] | None = None
    p_equivalence: float | None = None
    clusters: Mapping[str, int] = field(default_factory=dict)
    method: str = "none"
    constant: bool = False
    certain: bool = False
    detectable: float | None = None
    reason: str | None = None

    def is_equivalent(self, *, margin: float | None) -> bool | None:
        """Return whether the difference is shown to lie within the margin; None without a margin or an interval."""
        if margin is None or self.estimate is None or (self.equivalence is None and not self.certain):
            return None
        low, high = self.equivalence or (self.estimate, self.estimate)
        return -margin < low and high < margin


def primary_difference(
    difference: Floats,
    person: Ints,
    names: tuple[Ints, Ints],
    *,
    factor: str = "name",
    position: Ints | None = None,
    margin: float | None,
    confidence: float,
) -> Primary:
    """Return the mean of differences with its interval, in which résumés, names and positions vary.

    `names` are those of the group and of the reference, or what else `factor` calls them; pairs that share one, over
    however many others, are one cluster, so that a group of two names has two clusters whatever the other has. It is
    the mean of pairs, with a jackknife over each factor and their intersections. Fewer than 10 positions are held
    fixed, so are fewer than 10 résumés under 10 names or more, and one name is: then it is the mean of the résumés' own
    means.
    """
    if not difference.size:
        return Primary(estimate=None, reason="No pair has scores on both sides.")
    resumes, name = distinct(person), name_sets(*names)
    sets, largest = distinct(name), float(np.abs(difference).max())
    if np.ptp(difference) <= EQUAL_WITHIN * largest:
        return _constant_difference(difference, resumes, one_name=sets < 2)
    if sets < 2:
        return _paired(difference, person, names, factor=factor, margin=margin, confidence=confidence)
    position = np.zeros_like(person) if position is None else position
    levels = {factor: sets, "resume": resumes, "position": distinct(position)}
    codes = {factor: name, "resume": renumbered(person), "position": renumbered(position)}
    fixed = [
        *(["resume"] if resumes < FEWEST_LEVELS <= sets else []),
        *(["position"] if levels["position"] < FEWEST_LEVELS else []),
    ]
    factors = ClusterFactors(
        codes={factor: code for factor, code in codes.items() if factor not in fixed},
        fixed={factor: levels[factor] for factor in fixed if levels[factor] > 1 or factor == "resume"},
    )
    ways = list(factors.codes.values())
    crossed = (code for _, code in intersections(ways))
    variance = jackknife_variance([left_out_means(difference, code) for code in (*ways, *crossed)])
    estimate, df = float(difference.mean()), _df(variance)
    known = np.nan if variance.variance is None else float(variance.variance)
    if known <= (EQUAL_WITHIN * largest) ** 2:
        known = 0.0
    limits = t_interval(estimate, known, df, confidence=confidence)
    unknown = limits.t is None
    primary = Primary(
        **copied(limits, "estimate low high t p"),
        df=None if unknown else df,
        clusters=dict(zip(factors.codes, variance.clusters, strict=True)),
        method=f"{factors.method}, jackknife",
        detectable=None if unknown or df >= FEW_DF else detectable_difference(limits.standard_error, df=df).estimate,
        reason=variance.reason or limits.reason,
    )
    return with_equivalence(primary, known, df, margin=margin, confidence=confidence)


def _df(variance: ClusterVariance) -> float:
    """Return the degrees of freedom: those of the fewest clusters where they are under 4, else of both ways.

    With two names the weights of `crossed_df` are guesses: the interval held in 90 to 92 % of 1,500 samples.
    """
    fewest = min(variance.clusters) - 1
    return float(fewest) if fewest < FEW_DF else crossed_df(variance)


def name_sets(focal: Ints, reference: Ints) -> Ints:
    """Return a code from 0 per pair, the same for pairs that share a name of either side, over however many others.

    >>> name_sets(np.array([0, 1, 0, 1]), np.array([5, 6, 7, 8])).tolist()  # two names against four
    [0, 1, 0, 1]
    """
    sides = [np.unique(side, return_inverse=True)[1] for side in (focal, reference)]
    code = np.arange(focal.size)
    while True:
        before = code
        for side in sides:
            lowest = np.full(int(side.max(initial=-1)) + 1, focal.size)
            np.minimum.at(lowest, side, code)
            code = lowest[side]
        if np.array_equal(code, before):
            return renumbered(code)


def person_means(values: Floats, person: Ints) -> Floats:
    """Return the mean of each person who has a value."""
    n = np.bincount(person)
    return np.bincount(person, weights=values)[n > 0] / n[n > 0]


def _constant_difference(difference: Floats, resumes: int, *, one_name: bool) -> Primary:
    """Return the difference that every pair has: signs of whole résumés give it a p, if there is enough of it.

    A score that never moved is no difference, however few pairs there are. That all moved by the same may be the doing
    of one name, or of few résumés.
    """
    estimate = float(difference.mean())
    if not difference.any():
        change = f"No score changed in {difference.size:,} pair{'' if difference.size == 1 else 's'}"
    else:
        change = f"Every score moved by the same, in {f'all {resumes} résumés' if resumes > 1 else 'the one résumé'}"
        if one_name:
            change += ", and a group has one name, which may move scores alone"
    judged = not difference.any() or (resumes >= FEWEST_SIGNS and not one_name)
    return Primary(
        estimate=estimate,
        clusters={"resume": resumes},
        constant=judged,
        certain=judged and resumes >= FEWEST_LEVELS,
        reason=f"{change}: there is no spread to make an interval of.",
    )


def _paired(
    difference: Floats,
    person: Ints,
    names: tuple[Ints, Ints],
    *,
    factor: str,
    margin: float | None,
    confidence: float,
) -> Primary:
    """Return the mean of résumés' means, whose interval is of these names alone."""
    means = person_means(difference, person)
    if means.size > 1 and np.ptp(means) <= EQUAL_WITHIN * float(np.abs(difference).max()):
        return Primary(
            estimate=float(means.mean()),
            clusters={"resume": means.size},
            reason=f"All {means.size} résumés moved by the same, and a group has one name, which may move scores "
            "alone: there is no spread to make an interval of.",
        )
    paired = paired_t(means, confidence=confidence)
    fixed = min(distinct(side) for side in names)
    primary = Primary(
        **copied(paired, "estimate low high t p reason"),
        df=None if paired.t is None else float(paired.df),
        clusters={"resume": paired.n},
        method=PAIRED + ClusterFactors(codes={}, fixed={factor: fixed}).held_fixed,
    )
    variance = None if paired.standard_error is None else paired.standard_error**2
    return with_equivalence(primary, variance, paired.df, margin=margin, confidence=confidence)


def with_equivalence(
    primary: Primary, variance: float | None, df: float, *, margin: float | None, confidence: float
) -> Primary:
    """Return a difference with the interval and the p of its equivalence test, as far as it has an interval."""
    if primary.estimate is None or primary.low is None or variance is None:
        return primary
    tested = equivalence(
        primary.estimate, variance, df, margin=1.0 if margin is None else margin, confidence=confidence
    )
    return replace(primary, equivalence=(tested.low, tested.high), p_equivalence=None if margin is None else tested.p)


def left_out_means(values: Floats, codes: Ints) -> Floats:
    """Return the mean without each cluster, NaN where none is left."""
    n = values.size - np.bincount(codes)
    total = values.sum() - np.bincount(codes, weights=values)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)
