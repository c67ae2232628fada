"""Standing disparities of simulated processes: how many years without any find one, and how soon one is found.

Each process has 19 departments, which are compared as a whole and one by one: 20 pairs of two groups. A family is one
process. Decisions of a month are counted on its first day, as a store counts them; the looks are those of a check.
"""

import argparse
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np

from evenhand.monitoring.counts import CellCounts, add_counts, cell_ids
from evenhand.monitoring.daily import known_model
from evenhand.monitoring.rules import LevelRule
from evenhand.monitoring.standing import standing_disparities
from evenhand.monitoring.store import canonical_json, opened_store

DEPARTMENTS = [f"department {number}" for number in range(19)]
GROUPS = ("female", "male")
FIRST_YEAR = 2024


def found_at(people: np.ndarray, selected: np.ndarray) -> list[dict]:
    """Return, by process, the look at which each place was found first; arrays are by process, place, group, month."""
    processes, _, _, months = people.shape
    days = [date(FIRST_YEAR + month // 12, month % 12 + 1, 1) for month in range(months)]
    last = date(FIRST_YEAR + (months + 1) // 12, (months + 1) % 12 or 12, 1)
    found = []
    with tempfile.TemporaryDirectory() as folder, opened_store(str(Path(folder) / "s.db"), create=True) as store:
        store.connection.execute("PRAGMA synchronous = OFF")
        with store.writing() as writing:
            counts = {}
            for process in range(processes):
                name = f"process {process}"
                known_model(writing, name)
                cells = [
                    ("", "", "", canonical_json({"department": place}), canonical_json({"gender": group}))
                    for place in DEPARTMENTS
                    for group in GROUPS
                ]
                ids = cell_ids(writing, name, cells)
                for number, cell in enumerate(cells):
                    at = process, number // 2, number % 2
                    for month, day in enumerate(days):
                        n = int(people[at][month])
                        packed = CellCounts(n=n, decided=n, selected=int(selected[at][month])).packed()
                        counts[ids[cell], day.isoformat()] = packed
            add_counts(writing, counts)
        for process in range(processes):
            rules = [LevelRule(models=(f"process {process}",))]
            first: dict[str, int] = {}
            for episode in standing_disparities(store, rules, as_of=last).episodes:
                look = (episode.day.year - FIRST_YEAR) * 12 + episode.day.month
                first.setdefault(episode.series.slice.get("department", ""), look)
            found.append(first)
    return found


def null(years: int, seed: int) -> list[float]:
    """Return the share of processes without a disparity that find one first in each of 3 years in a row."""
    rng = np.random.default_rng(seed)
    shape = (years, len(DEPARTMENTS), len(GROUPS), 36)
    volume = rng.lognormal(np.log(25), 0.8, size=(*shape[:2], 1, 1))
    rate = rng.uniform(0.05, 0.6, size=(*shape[:2], 1, 1))
    people = rng.poisson(np.broadcast_to(volume, shape))
    first = found_at(people, rng.binomial(people, np.broadcast_to(rate, shape)))
    shares = []
    for year in range(3):
        shares.append(np.mean([any(year * 12 < look <= (year + 1) * 12 for look in each.values()) for each in first]))
        print(f"year {year + 1} of {years} processes without a disparity: {shares[-1]:.1%} find one for the first time")
    return shares


def delay(processes: int, seed: int) -> None:
    """Print how many months it takes to find one department's disparity, by ratio and decisions of a group a month."""
    for ratio in (0.53, 0.7):
        for volume in (10, 25, 70, 200):
            rng = np.random.default_rng(seed)
            shape = (processes, len(DEPARTMENTS), len(GROUPS), 12)
            people, rate = rng.poisson(volume, size=shape), np.full(shape, 0.4)
            rate[:, 0, 0] *= ratio
            first = found_at(people, rng.binomial(people, rate))
            looks = np.array([each.get(DEPARTMENTS[0], np.inf) for each in first])
            others = np.mean([bool(each.keys() - {DEPARTMENTS[0]}) for each in first])
            half, most = np.quantile(looks, (0.5, 0.9), method="higher")
            print(
                f"ratio {ratio}, {volume} decisions of a group a month: in a year {np.isfinite(looks).mean():.0%}; "
                f"half within {half:.0f} months, 9 of 10 within {most:.0f}; another place: {others:.1%}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    studies = {"null": (null, 1000, 1), "delay": (delay, 200, 2)}
    parser.add_argument("study", choices=studies)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    study, processes, seed = studies[args.study]
    started = time.perf_counter()
    study(args.processes or processes, seed if args.seed is None else args.seed)
    print(f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
