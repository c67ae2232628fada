"""What published counts tell, and what verdicts survive: attacks and comparisons of docs/dashboards.md.

    python bench/disclosure.py [--companies 10] [--attacks 5]

The attack knows the table of deviations and which people may be in each cell, and draws companies from all that agree
with every number that pages show at once (simulated annealing, then a Markov chain). It names the likeliest value of
each count, and guesses each person's outcome from their finest cell. That equal numbers may be of the same people it
does not use.
"""

import argparse
from datetime import date, timedelta
from itertools import product

import numpy as np
import polars as pl

from evenhand.dashboard.disclosure import MOST, Counts, counts_of, deviations, shown_counts
from evenhand.dashboard.views.ratios import compared_cells
from evenhand.monitoring.counts import KEYS
from evenhand.monitoring.state import NUMBERS

SHAPE = (3, 3, 2, 4, 2)  # groups, teams, sites, months, selected
BREAKDOWNS = ("", "department", "site", "recruiter", "position")


def company(seed: int, decisions: int) -> tuple[Counts, Counts]:
    """Return published and exact counts of two stages; women of one department are taken less often."""
    rng = np.random.default_rng(seed)
    people = decisions * 100 // 155
    department = rng.choice(4, people, p=[0.18, 0.32, 0.27, 0.23])
    first = pl.DataFrame(
        {
            "key": rng.integers(0, KEYS, people),
            "by.department": department.astype(str),
            "by.position": [f"{of}{post}" for of, post in zip(department, rng.integers(1, 6, people), strict=True)],
            "by.site": rng.choice(["N", "S"], people),
            "by.recruiter": rng.choice(list("abcd"), people),
            "by.month": [f"{date(2026, 3, 1) - timedelta(int(day)):%Y-%m}" for day in rng.integers(0, 365, people)],
            "protected.gender": rng.choice(["f", "m", "x", ""], people, p=[0.44, 0.52, 0.01, 0.03]),
            "protected.origin": rng.choice(["n", "s", "e"], people, p=[0.5, 0.3, 0.2]),
            "taken": (rng.random(people) < 0.55).astype(int),
        }
    )
    unlike = ((pl.col("by.department") == "0") & (pl.col("protected.gender") == "f")).cast(pl.Float64)
    second = first.filter(pl.col("taken") == 1)
    chance = second.select(0.5 - 0.22 * unlike).to_series()
    second = second.with_columns(taken=(pl.Series(rng.random(second.height)) < chance).cast(pl.Int64))
    rows = pl.concat([first.with_columns(stage=pl.lit("sifted")), second.with_columns(stage=pl.lit("met"))])
    rows = rows.with_columns(
        decided=pl.lit(1, pl.Int64), selected="taken", decided_key="key", selected_key=pl.col("key") * pl.col("taken")
    ).drop("key", "taken")
    summed = rows.group_by(pl.exclude(NUMBERS)).agg(pl.col(name).sum() for name in NUMBERS)
    return counts_of(summed, secret=seed), counts_of(summed, secret=seed, published=False)


def verdicts(companies: int) -> tuple[int, float]:
    """Return the comparisons of groups of 30 and more, and the share whose verdict is that of exact counts."""
    kept = []
    sizes = np.geomspace(2_000, 50_000, companies).astype(int)
    for seed, size in enumerate(sizes.tolist()):
        for attribute, by in product(("gender", "origin"), BREAKDOWNS):
            shown, exact = (
                {
                    (str(each.slice), *sorted([*each.focal.values(), *each.reference.values()])): each
                    for each in compared_cells(counts.cells([attribute], by), [attribute], counts.noise)
                }
                for counts in company(seed, size)
            )
            for pair, each in exact.items():
                if each.claim is not None and min(each.claim.n_focal or 0, each.claim.n_reference or 0) >= 30:
                    kept.append(pair in shown and shown[pair].is_difference == each.is_difference)
    return len(kept), float(np.mean(kept))


def attacked(seed: int, rate: float, *, steps: int = 150_000) -> tuple[np.ndarray, float]:
    """Return which counts of 1 to 4 are named rightly, and how much better outcomes are guessed than by the rate."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(120, 400))
    of = [rng.choice(3, n, p=[0.47, 0.45, 0.08]), *(rng.integers(0, size, n) for size in SHAPE[1:4])]
    taken = (rng.random(n) < rate).astype(int)
    person = np.ravel_multi_index((*of, taken), SHAPE)
    axes = np.array(list(np.ndindex(*SHAPE)))
    parts = [(1, None), *((1, team) for team in range(3)), *((2, site) for site in range(2))]
    told = np.array(
        [
            np.isin(axes[:, 3], span)
            & (group is None or axes[:, 0] == group)
            & (part is None or axes[:, axis] == part)
            & (axes[:, 4] >= selected)
            for group, (axis, part), span, selected in product(
                (None, 0, 1, 2), parts, ([0], [1], [2], [3], [0, 1, 2], [0, 1, 2, 3]), (0, 1)
            )
        ]
    )
    keys = rng.integers(0, KEYS, n)
    true = told @ np.bincount(person, minlength=len(axes))
    shown = shown_counts(true, np.array([keys[cell[person]].sum() % KEYS for cell in told]), seed)
    chances = np.log(np.maximum(deviations(), 1e-22))

    def likelihood(counts: np.ndarray) -> np.ndarray:
        deviation = shown - counts
        known = chances[np.minimum(counts, len(chances) - 1), np.clip(deviation, -MOST, MOST) + MOST]
        return np.where(np.abs(deviation) <= MOST, known, -50 - 5 * np.abs(deviation))

    guess = np.maximum(np.linalg.lstsq(told.astype(float), shown.astype(float), rcond=None)[0].round(), 0).astype(int)
    counts = told @ guess
    now = likelihood(counts).sum()
    seen, people = np.zeros((len(told), counts.max() + 60), dtype=int), np.zeros(len(axes))
    for step in range(steps):
        heat = max(1.0, 20 * (1 - step / (0.3 * steps)))
        first, second = rng.integers(len(axes), size=2)
        change = np.zeros(len(axes), dtype=int)
        if rng.random() < 0.5:
            change[first] = rng.choice((-1, 1))
        elif first != second:
            change[[first, second]] = 1, -1
        moved = np.flatnonzero(change)
        if (guess[moved] + change[moved] >= 0).all():
            new = counts + told[:, moved] @ change[moved]
            then = likelihood(new).sum()
            if np.log(rng.random()) * heat < then - now:
                guess, counts, now = guess + change, new, then
        if step > 0.4 * steps and step % 20 == 0:
            seen[np.arange(len(told)), np.minimum(counts, seen.shape[1] - 1)] += 1
            people += guess
    small = (true >= 1) & (true <= 4)
    share = people[1::2] / np.maximum(people[::2] + people[1::2], 1e-9)
    better = ((share[person // 2] > 0.5) == taken).mean() - max(taken.mean(), 1 - taken.mean())
    return (seen.argmax(axis=1) == true)[small], float(better)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--companies", type=int, default=10)
    parser.add_argument("--attacks", type=int, default=5)
    given = parser.parse_args()
    compared, kept = verdicts(given.companies)
    print(f"{compared:,} comparisons of groups of 30 and more: {kept:.1%} keep their verdict")
    for rate in (0.3, 0.5):
        found = [attacked(seed, rate) for seed in range(given.attacks)]
        named, better = np.concatenate([each for each, _ in found]), np.mean([gain for _, gain in found])
        print(f"rate {rate}: {named.mean():.1%} of {named.size} counts of 1 to 4; outcomes {100 * better:+.1f} points")


if __name__ == "__main__":
    main()
