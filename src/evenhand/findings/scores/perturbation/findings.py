"""All findings of a perturbation test, its table, and the pairs that moved most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.scores.perturbation.arms import Pairs, ScoredArms, pairs_of, scored_arms
from evenhand.findings.scores.perturbation.decisions import flips, rank_change
from evenhand.findings.scores.perturbation.differences import Asked, difference_findings, edges_of
from evenhand.findings.scores.perturbation.margin import Margin
from evenhand.findings.scores.perturbation.unread import left_out_findings, unread_difference, unread_findings
from evenhand.tables.audit.perturb import Experiment, group_label
from evenhand.tables.details import PerturbedScores
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import CUTOFF, SCORE_DIFFERENCE
from evenhand.tables.schemas import PERTURB

__all__ = ["Judging", "moved_most", "perturb_table", "perturbation_findings"]

#: The columns of `moved_most` that are texts.
MOVED = ("arm", "group", "reference", "person", "position", "name", "reference_name", "group_arm", "reference_arm")


@dataclass(frozen=True, kw_only=True)
class Judging:
    """What was fixed before scores were seen: the margin, the cut-off, and how many places are the top.

    Without a cut-off it is the median of all scores, strictly above it. Of ranks, selected are those up to the cut-off.
    """

    margin: Margin
    cutoff: float | None = None
    top: int = 5


def perturbation_findings(
    outcomes: pl.LazyFrame,
    experiment: Experiment,
    judging: Judging,
    *,
    seed: int,
    permutations: int,
    confidence: float,
) -> list[Finding]:
    """Return the findings of a perturbation test: differences of scores first, over all positions and in each.

    Raises
    ------
    InputError
        The outcomes lack a column, or scores where they should have some.

    """
    scored = scored_arms(outcomes)
    compared = pairs_of(scored, experiment)
    asked = Asked(
        by=experiment.by,
        margin=judging.margin.of(_spread_of_reference(compared)),
        ranked=scored.ranked,
        seed=seed,
        permutations=permutations,
        confidence=confidence,
        edges=edges_of(compared),
    )
    found = [*difference_findings(scored, compared, asked)]
    if np.isfinite(scored.score).any():
        cutoff, given = _cutoff(scored, judging.cutoff)
        found.append(_told_cutoff(cutoff, scored, asked, given=given))
        for pairs in compared:
            found.append(flips(pairs, cutoff, asked, at_least=scored.ranked and given))
            found.append(rank_change(pairs, judging.top, asked))
    return [
        *found,
        *unread_findings(outcomes, scored, confidence=confidence),
        *(unread_difference(pairs, asked) for pairs in compared),
        *left_out_findings(scored, experiment, confidence=confidence),
    ]


def perturb_table(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return perturb.csv: a row per kind of arm, group, reference and position, those over all positions first."""
    rows = [_row(finding) for finding in findings if finding.measure == SCORE_DIFFERENCE]
    return pl.DataFrame(rows, schema=PERTURB)


def moved_most(outcomes: pl.LazyFrame, experiment: Experiment, *, most: int) -> pl.DataFrame:
    """Return the pairs of each comparison whose scores differ most, the widest first.

    Columns: `arm, group, reference, person, position, name, reference_name, score, reference_score, difference, pair,
    group_arm, reference_arm`; `pair` and either arm's label find the rows of outcomes.
    """
    scored = scored_arms(outcomes)
    return pl.concat(
        [_widest(pairs.read(), scored, most) for pairs in pairs_of(scored, experiment)] or [pl.DataFrame()]
    )


def _spread_of_reference(compared: Sequence[Pairs]) -> float:
    """Return the standard deviation of scores as the reference, of all résumés and positions, without placebos."""
    own = [pairs.other[np.isfinite(pairs.other)] for pairs in compared if not pairs.placebo]
    scores = np.concatenate(own) if own else np.zeros(0)
    return float(scores.std(ddof=1)) if scores.size > 1 else 0.0


def _cutoff(scored: ScoredArms, given: float | None) -> tuple[float, bool]:
    """Return the cut-off in terms of scores, and whether it was given."""
    if given is None:
        return float(np.nanmedian(scored.score)), False
    return (-given if scored.ranked else given), True


def _told_cutoff(cutoff: float, scored: ScoredArms, asked: Asked, *, given: bool) -> Finding:
    return Finding(
        name=CUTOFF,
        measure=CUTOFF,
        role="descriptive",
        estimate=-cutoff if scored.ranked else cutoff,
        confidence=asked.confidence,
        measured_in=asked.measured_in,
        n=int(np.isfinite(scored.score).sum()),
        clusters={},
        method="as given" if given else "median of all scores",
    )


def _row(finding: Finding) -> dict[str, Any]:
    details = PerturbedScores.of(finding)
    low, high = details.equivalence_interval or (None, None)
    known = {
        "arm": details.kind,
        "group": group_label(tuple(finding.focal.values())),
        "reference": group_label(tuple(finding.reference.values())),
        "position": finding.slice.get("position", ""),
        "difference": finding.estimate,
        "low_90": low,
        "high_90": high,
    }
    return {
        name: known[name] if name in known else getattr(details if hasattr(details, name) else finding, name)
        for name in PERTURB
    }


def _widest(read: Pairs, scored: ScoredArms, most: int) -> pl.DataFrame:
    size = np.abs(read.difference)
    chosen = read.take(np.argsort(-size, kind="stable")[:most])
    return pl.DataFrame(
        {
            "arm": [read.kind] * len(chosen),
            "group": [group_label(read.group)] * len(chosen),
            "reference": [group_label(read.reference)] * len(chosen),
            "person": [scored.people[code] for code in chosen.person],
            "position": [scored.positions[code] for code in chosen.position],
            "name": [scored.names[code] for code in chosen.focal_name],
            "reference_name": [scored.names[code] for code in chosen.name],
            "score": chosen.focal,
            "reference_score": chosen.other,
            "difference": chosen.difference,
            "pair": scored.pairs.gather(chosen.row),
            "group_arm": [scored.arms[code] for code in chosen.focal_arm],
            "reference_arm": [scored.arms[code] for code in chosen.other_arm],
        },
        schema_overrides=dict.fromkeys(MOVED, pl.String()),
    )
