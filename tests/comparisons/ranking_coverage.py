"""How often intervals of models that rank, and of arms beyond names, hold a known truth; how often a null is claimed.

    python tests/comparisons/ranking_coverage.py [SEEDS]

An embedding model shifts the cosine of women's names; a reranker puts women one place lower in one list of ten, a list
being the ranking of a position under a pair of names. A scorer takes off points for older people, and for a line of
membership, whose texts alternate. Prints the table that stands in bench/RESULTS.md.
"""

import sys
from dataclasses import dataclass, replace

import numpy as np

from evenhand.comparisons.perturbation import PerturbationRequest, difference_findings, rank_findings
from evenhand.comparisons.perturbation_pairs import Pairs, ScoredArms

PEOPLE, NAMES, TOP = 30, 12, 5
SHIFT, SHARE = -0.02, 0.1
PENALTY, TEXTS = -0.06, 10
#: Half of the people have names of one gender.
GENDER = np.arange(PEOPLE) % 2
REQUEST = PerturbationRequest(
    by=("gender",), margin=None, ranked=False, seed=0, permutations=19, confidence=0.95, edges=()
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A model and its truth: the mean difference, places gained, the share in the top, or the share that crosses it."""

    label: str
    measure: str
    truth: float
    null: bool = False
    positions: int = 12
    arm: str = ""


def embedded(rng, positions, shift):
    """Return the scores of (person, position, name) as men and as women: cosines with a shift for women.

    A name, a résumé and a position have parts of their own in how women are scored. With few positions their parts
    have no mean, as the result is of these alone.
    """
    shape = (PEOPLE, positions, NAMES)
    base = rng.normal(0.4, 0.1, (PEOPLE, positions, 1)) + np.zeros(shape)
    by_position = rng.normal(0, 0.01, (1, positions, 1))
    moved = rng.normal(0, 0.01, (PEOPLE, 1, 1)) + rng.normal(0, 0.01, (1, 1, NAMES))
    moved = moved + by_position - (0 if positions >= 10 else by_position.mean())
    return base, base + shift + moved + rng.normal(0, 0.02, shape)


def reranked(rng, positions, direction):
    """Return scores that are places; in a tenth of the lists women are moved one place.

    Names and positions differ in how often that is. Without a direction each name has one of its own, up or down.
    """
    order = np.argsort(rng.random((PEOPLE, positions)), axis=0)[..., None].astype(float)
    often = SHARE * rng.uniform(0, 2, (1, 1, NAMES)) * rng.uniform(0.5, 1.5, (1, positions, 1))
    moved = (rng.random((1, positions, NAMES)) < often) * (direction or rng.choice([-1, 1], (1, 1, NAMES)))
    base = order + np.zeros((1, 1, NAMES))
    after = np.clip(order + 1.5 * moved, -0.25, PEOPLE - 0.75)
    return base, np.where(moved == 0, base, after)


def shown(rng, case):
    """Return the pairs of (person, position, name) as neutral and as a level of an identity.

    A penalty differs by résumé, position and name; of a line also by text. In the placebo of ages every year takes off
    points, and dates are a year earlier or later in turn.
    """
    shape = (PEOPLE, case.positions, NAMES)
    text = np.arange(NAMES) % TEXTS
    by_position = rng.normal(0, 0.01, (1, case.positions, 1))
    moved = case.truth + by_position - (0 if case.positions >= 10 else by_position.mean())
    moved = moved + rng.normal(0, 0.01, (PEOPLE, 1, 1)) + rng.normal(0, 0.005, (2, 1, NAMES))[GENDER]
    if case.arm == "line":
        moved = moved + rng.normal(0, 0.01, TEXTS)[text]
    if case.arm == "years":
        moved = moved + 0.003 * np.where(np.arange(NAMES) % 2, 1, -1)
    base = rng.normal(0.5, 0.1, (PEOPLE, case.positions, 1)) + np.zeros(shape)
    pairs = pairs_of(base, base + moved + rng.normal(0, 0.02, shape), (case.arm == "line") * (text + 1) - 1)
    name = pairs.name + NAMES * np.arange(2)[GENDER][pairs.person]
    return replace(pairs, name=name, focal_name=name)


def pairs_of(other, focal, text=None):
    """Return the pairs of two arms; `text` has the number of the text under each name, if texts alternate."""
    person, position, name = (index.ravel() for index in np.indices(other.shape))
    none = np.zeros(person.size)
    whole = np.zeros(person.size, dtype=np.int64)
    return Pairs(
        kind="name",
        group=("female",),
        reference=("male",),
        placebo=False,
        focal=focal.ravel(),
        other=other.ravel(),
        unread_focal=none,
        unread_other=none,
        person=person,
        position=position,
        name=name,
        focal_name=name + NAMES,
        row=np.arange(person.size),
        focal_arm=whole,
        other_arm=whole,
        text=whole - 1 if text is None else text[name],
    )


#: One place of thirty is the last before the top ends, and the lowest place can't be lost.
CASES = (
    Case(label="embedding, ten and more positions", measure="score_difference", truth=SHIFT),
    Case(label="embedding, 4 positions, held fixed", measure="score_difference", truth=SHIFT, positions=4),
    Case(label="embedding, no shift", measure="score_difference", truth=0.0, null=True),
    Case(label="reranker, places", measure="rank_change", truth=-SHARE * (PEOPLE - 1) / PEOPLE),
    Case(label="reranker, share in the top", measure="diff_top_rate", truth=-SHARE / PEOPLE),
    Case(label="reranker, share that crosses", measure="crossed", truth=SHARE / PEOPLE),
    Case(label="reranker, either way, places", measure="rank_change", truth=0.0, null=True),
    Case(label="reranker, either way, share in the top", measure="diff_top_rate", truth=0.0, null=True),
    Case(label="age, a penalty", measure="score_difference", truth=PENALTY, arm="age"),
    Case(label="age, 4 positions, held fixed", measure="score_difference", truth=PENALTY, positions=4, arm="age"),
    Case(label="age, no penalty", measure="score_difference", truth=0.0, null=True, arm="age"),
    Case(label="placebo of age, each year counts", measure="score_difference", truth=0.0, null=True, arm="years"),
    Case(label="line of ten texts, a penalty", measure="score_difference", truth=PENALTY, arm="line"),
    Case(label="line of ten texts, none", measure="score_difference", truth=0.0, null=True, arm="line"),
)


def finding_of(case, seed):
    """Return the finding of one audit."""
    rng = np.random.default_rng((seed, CASES.index(case)))
    if case.arm:
        return next(difference_findings(_scored(case.positions), [shown(rng, case)], REQUEST))
    if case.measure == "score_difference":
        pairs = pairs_of(*embedded(rng, case.positions, 0.0 if case.null else SHIFT))
        return next(difference_findings(_scored(case.positions), [pairs], REQUEST))
    pairs = pairs_of(*reranked(rng, case.positions, 0 if case.null else -1))
    places, top = rank_findings(pairs, pairs, TOP, REQUEST)
    return places if case.measure == "rank_change" else top


def _scored(positions):
    """Return what differences need of the scores: the labels."""
    empty = np.zeros(0)
    labels = {name: tuple(map(str, range(n))) for name, n in (("people", PEOPLE), ("positions", positions))}
    rest = dict.fromkeys(("score", "attempts", "unread", "name", "person", "position", "own", "pairs"), empty)
    return ScoredArms(**rest, **labels, arms=(), names=(), groups=(), ranked=False)


def shares(case, seeds):
    """Return the share of audits whose interval holds the truth, and of those that claim a difference."""
    held = claimed = 0
    for seed in range(seeds):
        found = finding_of(case, seed)
        low, high = found.low, found.high
        if case.measure == "crossed":
            low, high = found.details.crossed_low, found.details.crossed_high
        held += low is not None and low <= case.truth <= high
        p = found.claim.p
        claimed += p is not None and p < 0.05
    return held / seeds, claimed / seeds


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print("| model | truth | interval holds it | claimed |\n|---|---|---|---|")
    for case in CASES:
        if len(sys.argv) > 2 and bool(case.arm) != (sys.argv[2] == "arms"):
            continue
        held, claimed = shares(case, seeds)
        print(f"| {case.label} | {case.truth:.4g} | {100 * held:.1f} % | {100 * claimed:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
