"""Findings over all positions of an attribute: in how many a group is below four-fifths."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from evenhand.findings.impact.cells import Flags, GroupCells, plain_number
from evenhand.findings.impact.references import References, compared_with
from evenhand.stats import four_fifths_false_positives
from evenhand.tables.audit.applicants.small_tables import Positions
from evenhand.tables.details import PositionsBelow
from evenhand.tables.finding import Finding
from evenhand.tables.impact_files import CROSSED, CUTOFF, MEANS, SELECTED

__all__ = ["chance_of_flags", "position_findings"]

#: How many positions, drawn at random, and permutations in each the false-positive rate rests on.
MOST_POSITIONS, DRAWS = 200, 100


def chance_of_flags(
    cells: GroupCells, references: References, eligible: Flags, *, seed: int = 0
) -> dict[tuple[Any, ...], float]:
    """Return the false-positive rate of the four-fifths rule over positions.

    By approach, cut-off and stage. Each position keeps its judged groups' sizes and their number of selections.
    """
    may_be = compared_with(cells, references, eligible)
    n, selected = cells.n * eligible, cells.selected * eligible
    rng = np.random.default_rng([seed, 7])
    found: dict[tuple[Any, ...], float] = {}
    keys = cells.keys.select("approach", "cutoff", "stage").rows()
    compared = ((n > 0).sum(axis=1) > 1) & (selected.sum(axis=1) > 0) & ~cells.whole
    for key in dict.fromkeys(keys):
        own = np.flatnonzero(compared & np.array([each == key for each in keys]))
        drawn = rng.choice(own, MOST_POSITIONS, replace=False) if own.size > MOST_POSITIONS else own
        rates = [
            # Where everybody is selected nobody is below.
            four_fifths_false_positives(
                n[cell], int(selected[cell].sum()), references=may_be[cell], draws=DRAWS, seed=seed
            ).estimate
            or 0.0
            for cell in drawn
        ]
        if rates:
            found[key] = float(np.mean(rates))
    return found


def position_findings(positions: Sequence[Positions]) -> Iterator[Finding]:
    """Yield the share of positions in which some group is below four fifths.

    Each position's own numbers stand in impact.csv. With many small positions some are below by
    chance alone: `expected_by_chance` in the details is the rule's false-positive rate over positions.
    `significant_adjusted` counts the statistically significant comparisons.
    """
    for each in positions:
        if each.approach == MEANS:
            continue
        suffix = [each.approach] if each.approach != SELECTED else []
        if each.cutoff is not None and each.approach == CUTOFF:
            suffix.append(plain_number(each.cutoff))
        suffix += [each.stage] if each.stage else []
        computed = each.positions_computed
        yield Finding(
            name="_".join("_".join(str(part).split()) for part in ["positions_below", _plain(each.attribute), *suffix]),
            measure="positions_below",
            slice={"approach": each.approach} | ({"stage": each.stage} if each.stage else {}),
            role="exploratory" if CROSSED in each.attribute else "planned",
            estimate=each.positions_below / computed if computed else None,
            n=computed,
            clusters={"position": computed},
            method="positions with a group below four fifths over positions with a ratio; no sampling error",
            reason=None if computed else "No position has two groups that can be compared.",
            details=PositionsBelow(
                attribute=each.attribute,
                positions=each.positions,
                comparisons=each.comparisons,
                expected_by_chance=each.expected_by_chance,
                significant=each.significant,
                significant_adjusted=each.significant_adjusted,
                four_fifths="below" if each.positions_below else "not_below" if computed else "not_computable",
                difference_detected=each.significant_adjusted > 0,
            ),
        )


def _plain(text: str) -> str:
    return text.replace(CROSSED, "_")
