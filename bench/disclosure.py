"""What published counts tell, and what verdicts survive: attacks and comparisons of docs/design/disclosure.md.

    python bench/disclosure.py [--companies 10] [--attacks 3] [--attacked 2000] [--steps 3000000]

The attack knows the table of deviations and draws companies from all that agree with every number that pages show at
once, of all periods, groups, crossed groups and breakdowns (simulated annealing, then a Markov chain). It names the
likeliest value of each count, and guesses the outcome of each person, of whom it knows all but that.
"""

import argparse
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import product

import numpy as np
import polars as pl

from evenhand.dashboard.disclosure import FEWEST, MOST, Counts, counts_of, deviations, spans_of
from evenhand.dashboard.views.ratios import compared_cells
from evenhand.monitoring.counts import KEYS
from evenhand.monitoring.state import NUMBERS, month_name, month_number

GROUPS = ("gender", "origin")
#: What distinguishes people, and what tables are broken down by; a position is of one department.
AXES = (*GROUPS, "position", "site", "month")
PLACES = ("department", "position", "site")
#: In place of a number: of fewer than FEWEST people, and of nothing that is shown.
UNDER, NOTHING = -1, -2
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


def printed(counts: Counts, people: pl.DataFrame) -> tuple[np.ndarray, pl.DataFrame]:
    """Return all that pages and exports show of each cell, and in which cells each kind of `people` is.

    Of a cell: how many were decided on at the first stage, at the second, and selected there.
    """
    months = counts.months
    chosen = product(map(month_number, months), repeat=2)
    ends = month_number(months[0]), month_number(months[-1])
    spans = {span for first, last in chosen for span in spans_of(first, last, *ends)}
    shown, within = [], []
    for first, last in sorted((month_name(first), month_name(last)) for first, last in spans):
        of_span = replace(counts, first=max(first, months[0]), last=min(last, months[-1]))
        there = people.filter(pl.col("month").is_between(pl.lit(first), pl.lit(last)))
        for crossed, by in product(((), ("gender",), ("origin",), ("gender", "origin")), ("", *PLACES)):
            names = [*crossed, *([by] if by else [])]
            cells: dict[tuple[str, ...], list[tuple[int, int]]] = {}
            for cell in of_span.cells(crossed, by):
                numbers = (UNDER, UNDER) if cell.withheld else (cell.decided, cell.selected)
                cells.setdefault((*cell.groups, cell.value)[: len(names)], []).append(numbers)
            places = [dict(zip(names, key, strict=True)) | {"cell": len(shown) + at} for at, key in enumerate(cells)]
            for (decided, selected), (met, taken) in cells.values():
                shown.append((decided, selected, NOTHING) if met == UNDER else (decided, met, taken))
            frame = pl.DataFrame(places)
            within.append((there.join(frame, on=names) if names else there.join(frame, how="cross"))["kind", "cell"])
    return np.array(shown).ravel(), pl.concat(within)


@cache
def tables() -> tuple[np.ndarray, np.ndarray]:
    """Return the log probabilities of deviations, and of fewer than FEWEST being shown, by the true count."""
    chances = deviations()
    sums = [chances[min(n, len(chances) - 1), : max(FEWEST - n + MOST, 0)].sum() for n in range(FEWEST + MOST + 2)]
    return np.log(np.maximum(chances, 1e-9)), np.log(np.maximum(sums, 1e-9))


def likelihood(shown: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Return the log probability of what is shown; beyond the largest deviation it falls, so that chains get there."""
    chances, under = tables()
    apart = np.abs(shown - true)
    known = chances[np.minimum(true, len(chances) - 1), np.clip(shown - true, -MOST, MOST) + MOST]
    known = np.where(apart <= MOST, known, -20 - 5 * apart)
    return np.where(shown == UNDER, under[np.minimum(true, len(under) - 1)], known)


def attacked(seed: int, decisions: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return which counts of 1 to 4 the attack names rightly, and which the commonest value does; and `guessed`."""
    rng = np.random.default_rng(seed)
    counts = company(seed, decisions)[0]
    columns = {name: pl.col(f"{'protected' if name in GROUPS else 'by'}.{name}") for name in AXES}
    rows = counts.rows.select("stage", "decided", "selected", **columns)
    levels = [rows[name].unique().sort().to_list() for name in AXES]
    kinds = pl.DataFrame(list(product(*levels)), schema=list(AXES), orient="row").with_row_index("kind")
    kinds = kinds.with_columns(department=pl.col("position").str.head(1))
    told, within = printed(counts, kinds)
    cells_of = [cells.to_numpy() for cells in within.group_by("kind").agg("cell").sort("kind")["cell"]]
    sizes = (*map(len, levels), 3)

    @cache
    def numbers_of(*person: int) -> np.ndarray:
        """Return the places in `told` of the numbers that count a person: the last item is 0, 1 or 2 stages passed."""
        cells = cells_of[np.ravel_multi_index(person[:-1], sizes[:-1])]
        places = (cells[:, np.newaxis] * 3 + np.arange(person[-1] + 1)).ravel()
        return places[told[places] != NOTHING]

    n = int(told[::3].max())
    people = np.stack([rng.integers(size, size=n) for size in sizes], axis=1)
    now, changed = np.zeros(told.size, dtype=int), np.zeros(told.size, dtype=bool)
    for person in people.tolist():
        now[numbers_of(*person)] += 1
    seen, guesses = np.zeros((told.size, 6), dtype=int), np.zeros(sizes)
    for step in range(steps):
        heat = max(1.0, 8 * (1 - step / (0.4 * steps)))
        who, axis = int(rng.integers(n)), int(rng.integers(len(sizes)))
        person = people[who].copy()
        person[axis] = rng.integers(sizes[axis])
        old, new = numbers_of(*people[who].tolist()), numbers_of(*person.tolist())
        changed[old] ^= True
        changed[new] ^= True
        left, entered = old[changed[old]], new[changed[new]]
        places = np.concatenate([left, entered])
        changed[places] = False
        moved = now[places] + np.repeat([-1, 1], [left.size, entered.size])
        gain = (likelihood(told[places], moved) - likelihood(told[places], now[places])).sum()
        if np.log(rng.random()) * heat < gain:
            now[places] = moved
            people[who] = person
        if step > 0.5 * steps and step % 1_000 == 0:
            seen[np.arange(told.size), np.minimum(now, 5)] += 1
            np.add.at(guesses, tuple(people.T), 1)
    people_of = np.zeros(sizes, dtype=int)
    for stage, decided, selected, *place in rows.iter_rows():
        at = tuple(of.index(level) for of, level in zip(levels, place, strict=True))
        people_of[at] += (decided - selected, 0, 0) if stage == "sifted" else (0, decided - selected, selected)
    people_of, guesses = people_of.reshape(-1, 3), guesses.reshape(-1, 3)
    true = np.zeros(told.size, dtype=int)
    for cells, of in zip(cells_of, people_of, strict=True):
        true[(cells[:, np.newaxis] * 3 + np.arange(3)).ravel()] += np.tile(of[::-1].cumsum()[::-1], cells.size)
    small = (true >= 1) & (true <= 4) & (told != NOTHING)
    named = np.array([seen.argmax(axis=1)[small] == true[small], true[small] == np.bincount(true[small]).argmax()])
    return named, guessed(people_of, guesses, kinds)


def guessed(people: np.ndarray, guesses: np.ndarray, kinds: pl.DataFrame) -> np.ndarray:
    """Return the shares of outcomes guessed rightly by stage: by the rate of all, of each one's groups, and guesses."""
    group = kinds.select(pl.struct(*GROUPS, "department").rank("dense") - 1).to_series().to_numpy()
    right = []
    for passed in (1, 2):
        of, guess = (np.stack([all_[:, passed - 1], all_[:, passed:].sum(axis=1)]) for all_ in (people, guesses))
        by_group = [np.bincount(group, weights=outcome) for outcome in of]
        attack = np.where(guess[1] > guess[0], of[1], of[0]).sum()
        right.append(np.array([of.sum(axis=1).max(), np.maximum(*by_group).sum(), attack]) / of.sum())
    return np.array(right)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--companies", type=int, default=10)
    parser.add_argument("--attacks", type=int, default=3)
    parser.add_argument("--attacked", type=int, default=2_000)
    parser.add_argument("--steps", type=int, default=3_000_000)
    given = parser.parse_args()
    compared, kept = verdicts(given.companies)
    print(f"{compared:,} comparisons of groups of 30 and more: {kept:.1%} keep their verdict")
    found = [attacked(seed, given.attacked, given.steps) for seed in range(given.attacks)]
    named, right = (
        np.concatenate([each for each, _ in found], axis=1),
        100 * np.mean([shares for _, shares in found], axis=0),
    )
    attack, commonest = named.mean(axis=1)
    print(f"{attack:.1%} of {named.shape[1]:,} counts of 1 to 4; the commonest value names {commonest:.1%}")
    for stage, (of_all, of_group, attack) in zip(("first", "second"), right, strict=True):
        print(
            f"{stage} stage: {attack:.1f} % of outcomes; by the rate {of_all:.1f} %, by that of groups {of_group:.1f} %"
        )


if __name__ == "__main__":
    main()
