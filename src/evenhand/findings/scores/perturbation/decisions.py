"""Decisions and ranks that move with the arm: at a cut-off, and within a position."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.scores.perturbation.arms import Pairs
from evenhand.findings.scores.perturbation.beside import finding_beside
from evenhand.findings.scores.perturbation.differences import Asked
from evenhand.stats import mcnemar
from evenhand.tables.details import Flips, Moves
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import DIFFERENCE, RANK_CHANGE, SELECTION_RATE

__all__ = ["flips", "rank_change"]

Floats = NDArray[np.float64]

MCNEMAR: Final = "McNemar, exact, pairs taken as independent"


def flips(pairs: Pairs, cutoff: float, asked: Asked, *, at_least: bool = False) -> Finding:
    """Return how decisions at a cut-off differ: the share selected as the group less that as the reference.

    Selected is a score above the cut-off, or at it with `at_least`. Résumés and names vary in the interval and its
    test; McNemar's takes every pair as independent.
    """
    read = pairs.read()
    focal, other = (side >= cutoff if at_least else side > cutoff for side in (read.focal, read.other))
    counts = mcnemar(int((focal & ~other).sum()), int((other & ~focal).sum()), len(read))
    return finding_beside(
        read,
        focal.astype(np.float64) - other,
        asked,
        measure=f"{DIFFERENCE}{SELECTION_RATE}",
        tests=(Test(name=MCNEMAR, statistic=counts.difference, p=counts.p, reason=counts.reason),),
        details=Flips(
            cutoff=-cutoff if asked.ranked else cutoff,
            only_focal=counts.only_focal,
            only_reference=counts.only_reference,
            n_pairs=counts.n,
            flip_rate=counts.flip_rate,
            p_mcnemar=counts.p,
            p_mcnemar_mid=counts.p_mid,
        ),
    )


def rank_change(pairs: Pairs, top: int, asked: Asked) -> Finding:
    """Return by how many places somebody rises within a position as the group instead of as the reference.

    A place is one plus how many others score higher, ties counting half; the others have their mean scores as the
    reference, both times. Positions with one résumé count nothing.
    """
    read, before, after = _places(pairs.read())
    moves = before - after
    entered, left = (int(each.sum()) for each in ((after <= top) & (before > top), (before <= top) & (after > top)))
    return finding_beside(
        read,
        moves,
        asked,
        measure=RANK_CHANGE,
        measured_in="places",
        reason=None if moves.size else "No position has two résumés with scores on both sides.",
        details=Moves(
            n_places=moves.size,
            moved=int(np.count_nonzero(moves)),
            mean_move=float(np.abs(moves).mean()) if moves.size else None,
            largest_move=float(np.abs(moves).max()) if moves.size else None,
            top=top,
            entered=entered,
            left=left,
            p_mcnemar=mcnemar(entered, left, moves.size).p,
        ),
    )


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
