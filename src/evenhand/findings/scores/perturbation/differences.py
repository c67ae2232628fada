"""Differences of scores between arms, over all positions and in each, with the tests beside them and the verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.scores.perturbation.arms import Pairs, ScoredArms
from evenhand.findings.scores.perturbation.primary import PAIRED, Primary, person_means, primary_difference
from evenhand.findings.units import distinct
from evenhand.stats import (
    PairedT,
    PooledT,
    SignedRank,
    benjamini_hochberg,
    holm,
    paired_t,
    pooled_t,
    sign_flip_columns,
    signed_rank,
)
from evenhand.tables.audit.perturb import NEUTRAL, group_label
from evenhand.tables.details import PerturbedScores
from evenhand.tables.finding import Alternative, Finding, Test
from evenhand.tables.grouped.names import SCORE_DIFFERENCE

__all__ = ["SIGN_FLIP", "Asked", "difference_findings", "edges_of", "name_of", "where_of"]

Floats = NDArray[np.float64]

POOLED: Final = "pooled t of independent samples, as published"
SIGN_FLIP: Final = "sign flip of whole résumés"
SIGNED_RANK: Final = "Wilcoxon signed rank on résumé means"
EQUIVALENCE: Final = "two one-sided tests within the margin"
OUTSIDE: Final = "none, the placebo stands outside the family"
NO_MARGIN: Final = "All scores as the reference were alike, so a margin in standard deviations has no size."
#: The percentiles that `spread` has.
SPREAD: Final = (0, 5, 25, 50, 75, 95, 100)
#: How many bins differences are counted in: an odd number, so that one lies around 0.
BINS: Final = 21


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What differences are computed with: the attributes of groups, the margin in units of scores, and the draws.

    `ranked` says that scores are minus ranks; `edges` are those of the bins that differences are counted in.
    """

    by: tuple[str, ...]
    margin: float | None
    ranked: bool
    seed: int
    permutations: int
    confidence: float
    edges: tuple[float, ...] = ()

    @property
    def measured_in(self) -> str:
        """The unit of a difference of scores."""
        return "places" if self.ranked else "points"


def edges_of(compared: Sequence[Pairs]) -> tuple[float, ...]:
    """Return the ends of the bins in which all arms' differences are counted, around 0; none where nothing moved."""
    sizes = np.abs(np.concatenate([np.zeros(0), *(pairs.read().difference for pairs in compared)]))
    widest = float(np.percentile(sizes, 99.5) or sizes.max()) if sizes.size else 0.0
    return tuple(float(each) for each in np.linspace(-widest, widest, BINS + 1)) if widest > 0 else ()


def difference_findings(scored: ScoredArms, compared: Sequence[Pairs], asked: Asked) -> Iterator[Finding]:
    """Yield the difference of each kind of arm, group and reference over all positions, then those of each position.

    Over all positions p is adjusted by Holm over the arms, in single positions by Benjamini and Hochberg; the placebo
    stands outside both families. A run with one position has no second row for it.
    """
    found = [one for number, pairs in enumerate(compared) for one in _differences(scored, pairs, asked, number)]
    whole, single = ([each for each in found if (each.position is None) is over_all] for over_all in (True, False))
    for rows, adjusted_by in ((whole, holm), (single, benjamini_hochberg)):
        family = [None if each.pairs.placebo else each.p for each in rows]
        if not rows:
            continue
        adjusted = adjusted_by(family)
        for each, p in zip(rows, adjusted.p.tolist(), strict=True):
            own = None if each.pairs.placebo or np.isnan(p) else p
            told = OUTSIDE if each.pairs.placebo else f"{adjusted.method}, {adjusted.family} comparisons"
            yield _finding(each, asked, p_adjusted=own, adjustment=told)


def name_of(pairs: Pairs, measure: str, position: str | None = None) -> str:
    """Return the name of a finding of two arms."""
    parts = [position, pairs.kind, group_label(pairs.group), group_label(pairs.reference), measure]
    return "_".join("_".join(part.split()) for part in parts if part is not None)


def where_of(pairs: Pairs, by: Sequence[str], position: str | None = None) -> dict[str, Any]:
    """Return the slice and the groups of a finding of two arms."""
    against = ("line",) if pairs.reference == NEUTRAL else by
    return {
        "slice": {"arm": pairs.kind} | ({} if position is None else {"position": position}),
        "focal": dict(zip(by, pairs.group, strict=True)),
        "reference": dict(zip(against, pairs.reference, strict=True)),
    }


@dataclass(frozen=True, kw_only=True)
class _Difference:
    """One row of perturb.csv before p is adjusted over all of them."""

    pairs: Pairs = field(repr=False)
    position: str | None
    primary: Primary
    pooled: PooledT
    paired: PairedT
    ranks: SignedRank
    p_signflip: float | None

    @property
    def p(self) -> float | None:
        """The p that the verdict goes by: where all pairs are alike, that of the sign flip."""
        return self.p_signflip if self.primary.alike else self.primary.p


def _differences(scored: ScoredArms, pairs: Pairs, asked: Asked, number: int) -> Iterator[_Difference]:
    """Yield the differences of two arms over all positions, and in each if there are several."""
    read = pairs.read()
    order = np.argsort(read.position, kind="stable")
    read = read.take(order)
    present = np.unique(pairs.position)
    ends = np.searchsorted(read.position, present, side="right")
    starts = np.searchsorted(read.position, present, side="left")
    slices: list[tuple[str | None, Pairs]] = [(None, read)]
    if present.size > 1:
        slices += [
            (scored.positions[code], read.take(slice(start, end)))
            for code, start, end in zip(present, starts, ends, strict=True)
        ]
    flipped = _sign_flips([each for _, each in slices], len(scored.people), asked, number)
    for (position, chosen), p in zip(slices, flipped, strict=True):
        means = person_means(chosen.difference, chosen.person)
        yield _Difference(
            pairs=chosen,
            position=position,
            primary=primary_difference(
                chosen.difference, chosen.person, chosen.name, margin=asked.margin, confidence=asked.confidence
            ),
            pooled=pooled_t(chosen.focal, chosen.other),
            paired=paired_t(means, confidence=asked.confidence),
            ranks=signed_rank(means),
            p_signflip=p,
        )


def _sign_flips(slices: Sequence[Pairs], people: int, asked: Asked, number: int) -> list[float | None]:
    """Return the p of each slice under random signs of whole résumés, which are the same in all slices."""
    means = np.full((people, len(slices)), np.nan)
    for column, pairs in enumerate(slices):
        n = np.bincount(pairs.person, minlength=people)
        total = np.bincount(pairs.person, weights=pairs.difference, minlength=people)
        means[n > 0, column] = total[n > 0] / n[n > 0]
    rng = np.random.default_rng((asked.seed, number))
    return sign_flip_columns(means, permutations=asked.permutations, rng=rng)


def _finding(found: _Difference, asked: Asked, *, p_adjusted: float | None, adjustment: str) -> Finding:
    primary, pairs = found.primary, found.pairs
    verdict = primary.verdict(
        margin=asked.margin, p=found.p if pairs.placebo else p_adjusted, confidence=asked.confidence
    )
    return Finding(
        name=name_of(pairs, SCORE_DIFFERENCE, found.position),
        measure=SCORE_DIFFERENCE,
        **where_of(pairs, asked.by, found.position),
        role="descriptive" if pairs.placebo else "planned" if found.position is None else "exploratory",
        estimate=primary.estimate,
        low=primary.low,
        high=primary.high,
        confidence=asked.confidence,
        measured_in=asked.measured_in,
        null_value=0.0,
        n=len(pairs),
        clusters=dict(primary.clusters),
        method=primary.method,
        alternatives=_alternatives(found),
        tests=tuple(_tests(found)),
        p_adjusted=p_adjusted,
        adjustment=adjustment,
        verdict=verdict,
        reason=primary.reason or (NO_MARGIN if asked.margin is None and primary.estimate is not None else None),
        details=_details(found, asked, p=found.p if pairs.placebo else p_adjusted),
    )


def _alternatives(found: _Difference) -> tuple[Alternative, ...]:
    if found.primary.method.startswith(PAIRED):
        return ()
    own = found.paired
    clusters = {"resume": own.n}
    return (Alternative(method=PAIRED, low=own.low, high=own.high, clusters=clusters, reason=own.reason),)


def _tests(found: _Difference) -> Iterator[Test]:
    primary = found.primary
    if not primary.method.startswith(PAIRED):
        told = " × ".join(primary.clusters)
        yield Test(name=f"t test, {told}", statistic=primary.t, p=primary.p, reason=primary.reason)
    yield Test(name=PAIRED, statistic=found.paired.t, p=found.paired.p, reason=found.paired.reason)
    yield Test(name=SIGN_FLIP, statistic=found.paired.estimate, p=found.p_signflip)
    ranks = found.ranks
    yield Test(name=f"{SIGNED_RANK}, {ranks.method}", statistic=ranks.statistic, p=ranks.p, reason=ranks.reason)
    yield Test(name=EQUIVALENCE, statistic=primary.estimate, p=primary.p_equivalence, reason=primary.reason)
    yield Test(name=POOLED, statistic=found.pooled.t, p=found.pooled.p, reason=found.pooled.reason)


def _details(found: _Difference, asked: Asked, *, p: float | None) -> PerturbedScores:
    pairs = found.pairs
    difference = pairs.difference
    edges = asked.edges if found.position is None and difference.size else ()
    return PerturbedScores(
        kind=pairs.kind,
        n_people=distinct(pairs.person),
        n_pairs=len(pairs),
        n_names=distinct(pairs.name),
        t_pooled=found.pooled.t,
        df_pooled=found.pooled.df,
        p_pooled=found.pooled.p,
        t_paired=found.paired.t,
        df_paired=found.paired.df,
        p_paired=found.paired.p,
        p_signflip=found.p_signflip,
        p_wilcoxon=found.ranks.p,
        p=found.p,
        p_equivalence=found.primary.p_equivalence,
        margin=asked.margin,
        equivalence_interval=found.primary.equivalence,
        difference_detected=None if p is None else p < 1 - asked.confidence,
        spread=tuple(float(each) for each in np.percentile(difference, SPREAD)) if difference.size else (),
        edges=edges,
        shares=_shares(difference, edges) if edges else (),
    )


def _shares(difference: Floats, edges: Sequence[float]) -> tuple[float, ...]:
    counts, _ = np.histogram(np.clip(difference, edges[0], edges[-1]), edges)
    return tuple(float(each) for each in counts / difference.size)
