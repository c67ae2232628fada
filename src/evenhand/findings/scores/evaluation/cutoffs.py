"""What every cut-off would do to each group: rates, ratios and errors."""

from collections.abc import Iterator

import numpy as np

from evenhand.findings.impact.references import FLOOR_PEOPLE, LARGEST
from evenhand.findings.scores.evaluation.compared import Choices
from evenhand.findings.scores.evaluation.judged import Floats, Ints, Judged, Parts
from evenhand.tables.audit.applicants.evaluate import CutoffRates

__all__ = ["cutoff_rates", "cutoffs_of"]

#: Cut-offs at equally spaced ranks of all scores; of fewer different scores all of them.
MOST = 19


def cutoffs_of(everybody: Judged) -> Floats:
    """Return the cut-offs that are tried; above the largest score nobody would be selected."""
    different, first = np.unique(everybody.score, return_index=True)
    if different.size <= MOST + 1:
        return different[:-1]
    below = np.cumsum(everybody.n)
    ranks = below[-1] * np.arange(1, MOST + 1) / (MOST + 1)
    assert first.size
    return np.unique(everybody.score[np.searchsorted(below, ranks)])


def cutoff_rates(
    parts: Parts, cutoffs: Floats, choices: Choices, *, at_least: bool, ranked: bool
) -> Iterator[CutoffRates]:
    """Yield the rates of every group at every cut-off; of ranks the cut-off is the last place that is selected."""
    counts = [_counts(part, cutoffs, at_least=at_least or ranked) for part in parts.parts]
    people = np.array([part.people for part in parts.parts])
    large = (people >= choices.references.floor * people.sum()) & (people >= FLOOR_PEOPLE)
    may_be = large if choices.references.floor and large.any() else np.ones(people.size, dtype=np.bool_)
    for place, cutoff in enumerate(cutoffs):
        rates = np.array([(each[0][place] + each[1][place]) / n for each, n in zip(counts, people, strict=True)])
        named = choices.references.named.get(parts.attributes[0])
        labels = [group[0].casefold() for group in parts.groups]
        if named is not None and named.casefold() in labels:
            reference = labels.index(named.casefold())
        elif choices.references.rule == LARGEST:
            reference = int(np.argmax(people))
        else:
            reference = int(np.argmax(np.where(may_be, rates, -1.0)))
        for group, (hits, others, positives, negatives) in enumerate(counts):
            true, false = int(hits[place]), int(others[place])
            yield CutoffRates(
                attribute=parts.attributes[0],
                group=parts.groups[group][0],
                cutoff=-float(cutoff) if ranked else float(cutoff),
                n=int(people[group]),
                selected=true + false,
                selection_rate=float(rates[group]),
                impact_ratio=float(rates[group] / rates[reference]) if rates[reference] > 0 else None,
                tpr=true / positives if positives else None,
                fpr=false / negatives if negatives else None,
                precision=true / (true + false) if true + false else None,
            )


def _counts(part: Judged, cutoffs: Floats, *, at_least: bool) -> tuple[Ints, Ints, int, int]:
    """Return how many with and without the outcome pass each cut-off, and how many there are."""
    place = np.searchsorted(part.score, cutoffs, side="left" if at_least else "right")
    found = []
    for own in (part.label, ~part.label):
        below = np.concatenate(([0], np.cumsum(np.where(own, part.n, 0))))
        found.append((below[-1] - below[place], int(below[-1])))
    return found[0][0], found[1][0], found[0][1], found[1][1]
