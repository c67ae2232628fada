"""Decisions and ranks that move with the arm: at a cut-off, and within a position."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.scores.perturbation.arms import Pairs
from evenhand.findings.scores.perturbation.differences import SIGN_FLIP, Asked, name_of, where_of
from evenhand.findings.scores.perturbation.primary import person_means, primary_difference
from evenhand.stats import mcnemar, sign_flip_columns
from evenhand.tables.details import Flips, Moves
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import DIFFERENCE, RANK_CHANGE, SELECTION_RATE

__all__ = ["flip_findings", "rank_findings"]

Floats = NDArray[np.float64]

MCNEMAR: Final = "McNemar, exact, pairs taken as independent"


def flip_findings(pairs: Pairs, cutoff: float, asked: Asked, *, at_least: bool = False) -> Iterator[Finding]:
    """Yield how decisions at a cut-off differ: the share selected as the group less that as the reference.

    Selected is a score above the cut-off, or at it with `at_least`. Résumés and names vary in the interval and its
    test; McNemar's takes every pair as independent.
    """
    read = pairs.read()
    focal, other = (side >= cutoff if at_least else side > cutoff for side in (read.focal, read.other))
    difference = focal.astype(np.float64) - other
    primary = primary_difference(difference, read.person, read.name, margin=None, confidence=asked.confidence)
    counts = mcnemar(int((focal & ~other).sum()), int((other & ~focal).sum()), len(read))
    measure = f"{DIFFERENCE}{SELECTION_RATE}"
    told = " × ".join(primary.clusters)
    yield Finding(
        name=name_of(pairs, measure),
        measure=measure,
        **where_of(pairs, asked.by),
        role="descriptive",
        estimate=primary.estimate,
        low=primary.low,
        high=primary.high,
        confidence=asked.confidence,
        null_value=0.0,
        n=len(read),
        clusters=dict(primary.clusters),
        method=primary.method,
        tests=(
            Test(name=f"t test, {told}", statistic=primary.estimate, p=primary.p, reason=primary.reason),
            Test(name=SIGN_FLIP, statistic=primary.estimate, p=_sign_flip(difference, read, asked)),
            Test(name=MCNEMAR, statistic=counts.difference, p=counts.p, reason=counts.reason),
        ),
        reason=primary.reason,
        details=Flips(
            cutoff=abs(cutoff) if at_least else cutoff,
            only_focal=counts.only_focal,
            only_reference=counts.only_reference,
            n_pairs=counts.n,
            flip_rate=counts.flip_rate,
            p_mcnemar=counts.p,
            p_mcnemar_mid=counts.p_mid,
        ),
    )


def rank_findings(pairs: Pairs, top: int, asked: Asked) -> Iterator[Finding]:
    """Yield by how many places somebody rises within a position as the group instead of as the reference.

    A place is one plus how many others score higher, ties counting half; the others have their mean scores as the
    reference, both times. Positions with one résumé count nothing.
    """
    read, before, after = _places(pairs.read())
    moves = before - after
    primary = primary_difference(moves, read.person, read.name, margin=None, confidence=asked.confidence)
    entered, left = (int(each.sum()) for each in ((after <= top) & (before > top), (before <= top) & (after > top)))
    counts = mcnemar(entered, left, moves.size)
    told = " × ".join(primary.clusters)
    yield Finding(
        name=name_of(pairs, RANK_CHANGE),
        measure=RANK_CHANGE,
        **where_of(pairs, asked.by),
        role="descriptive",
        estimate=primary.estimate,
        low=primary.low,
        high=primary.high,
        confidence=asked.confidence,
        measured_in="places",
        null_value=0.0,
        n=moves.size,
        clusters=dict(primary.clusters),
        method=primary.method,
        tests=(
            Test(name=f"t test, {told}", statistic=primary.estimate, p=primary.p, reason=primary.reason),
            Test(name=SIGN_FLIP, statistic=primary.estimate, p=_sign_flip(moves, read, asked)),
        ),
        reason=primary.reason if moves.size else "No position has two résumés with scores on both sides.",
        details=Moves(
            n_places=moves.size,
            moved=int(np.count_nonzero(moves)),
            mean_move=float(np.abs(moves).mean()) if moves.size else None,
            largest_move=float(np.abs(moves).max()) if moves.size else None,
            top=top,
            entered=entered,
            left=left,
            p_mcnemar=counts.p,
        ),
    )


def _sign_flip(difference: Floats, read: Pairs, asked: Asked) -> float | None:
    means = person_means(difference, read.person)[:, None]
    (p,) = sign_flip_columns(means, permutations=asked.permutations, rng=np.random.default_rng((asked.seed, 1)))
    return p


def _places(read: Pairs) -> tuple[Pairs, Floats, Floats]:
    """Return the pairs of positions with several people, and their places as the reference and as the group."""
    people = int(read.person.max(initial=-1)) + 1
    cells, cell, n = np.unique(read.position * max(people, 1) + read.person, return_inverse=True, return_counts=True)
    means = np.bincount(cell, weights=read.other, minlength=cells.size) / np.maximum(n, 1)
    position = cells // max(people, 1)
    before, after = np.full(len(read), np.nan), np.full(len(read), np.nan)
    # Cells are in the order of positions.
    for code in np.unique(position):
        first, last = np.searchsorted(position, [code, code + 1])
        if last - first > 1:
            own = np.flatnonzero(read.position == code)
            before[own], after[own] = (
                _among_others(side[own], means[cell[own]], means[first:last]) for side in (read.other, read.focal)
            )
    known = np.isfinite(before)
    return read.take(known), before[known], after[known]


def _among_others(values: Floats, own: Floats, scores: Floats) -> Floats:
    """Return the place of each value among scores, of which its own is left out."""
    ordered = np.sort(scores)
    left, right = (np.searchsorted(ordered, values, side=side) for side in ("left", "right"))
    higher = (ordered.size - right) - (own > values)
    ties = (right - left) - (own == values)
    return np.asarray(1 + higher + ties / 2)
