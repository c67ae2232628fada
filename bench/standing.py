"""Standing disparities of simulated processes: how many years without any find one, and how soon one is found.

Each process has 19 departments, which are compared as a whole and one by one: 20 pairs of two groups. A family is one
process. Decisions are counted by month, as a store counts them; the looks are those of a check.
"""

import argparse
import time
from functools import partial

import numpy as np
import polars as pl

from evenhand.monitoring.rules import LevelRule
from evenhand.monitoring.standing import Decisions, looks_at, people_of
from evenhand.monitoring.state import month_end, month_name
from evenhand.results.schemas import BREAKDOWN, PROTECTED

DEPARTMENTS = [f"department {number}" for number in range(19)]
GROUPS = ("female", "male")
FIRST = 2024 * 12
#: How alike decisions on one person are: the share of the variance that lies between people.
ALIKE = 0.5


def first_looks(months: pl.DataFrame, people=lambda _: None, *, last: int) -> dict[str, int]:
    """Return the look, from 1 on, at which each place was found first, "" as a whole.

    `months` has place, group, month, n and successes.
    """
    named = months.with_columns(stage=pl.lit(""), attribute=pl.lit("gender"), month=_month_names(pl.col("month")))
    parts = [
        named.with_columns(by=pl.lit("department"), value="place"),
        named.with_columns(by=pl.lit(""), value=pl.lit("")),
    ]
    keys = ("attribute", "by", "stage", "value", "month", "group")
    counts = pl.concat(parts).group_by(keys).agg(pl.sum("n", "successes"))
    process = Decisions(model="process", months=counts, people=people)
    standing = looks_at([process], [LevelRule()], as_of=month_end(FIRST + last)).standing
    first: dict[str, int] = {}
    for episode in standing.episodes:
        look = episode.day.year * 12 + episode.day.month - FIRST
        first.setdefault(episode.series.slice.get("department", ""), look)
    return first


def _month_names(number: pl.Expr) -> pl.Expr:
    return number.replace_strict({month: month_name(FIRST + month) for month in range(120)}, return_dtype=pl.String)


def found_at(people: np.ndarray, selected: np.ndarray) -> list[dict[str, int]]:
    """Return `first_looks` by process; arrays are by process, place, group, month."""
    found = []
    for n, successes in zip(people, selected, strict=True):
        place, group, month = (axis.ravel() for axis in np.indices(n.shape))
        columns = {"place": np.array(DEPARTMENTS)[place], "group": np.array(GROUPS)[group], "month": month}
        table = pl.DataFrame(columns | {"n": n.ravel(), "successes": successes.ravel()}).filter(pl.col("n") > 0)
        found.append(first_looks(table, last=n.shape[2] - 1))
    return found


def people(years: int, seed: int) -> list[float]:
    """Return the share of processes without a disparity that find one first in each of 2 years, by person.

    People have 3 to 5 decisions each within half a year, alike by ALIKE: the variance of a person's rate is that share
    of that of a decision.
    """
    rng, first = np.random.default_rng(seed), []
    for _ in range(years):
        volume = rng.lognormal(np.log(25), 0.8, size=len(DEPARTMENTS))
        rate = rng.uniform(0.05, 0.6, size=len(DEPARTMENTS))
        number = rng.poisson(volume[:, None] * 30 / 4, size=(len(DEPARTMENTS), 2)).ravel()
        place, group = np.divmod(np.repeat(np.arange(number.size), number), 2)
        spread = (1 - ALIKE) / ALIKE
        own_rate = rng.beta(rate[place] * spread, (1 - rate[place]) * spread)
        times = rng.integers(3, 6, size=place.size)
        unit = np.repeat(np.arange(place.size), times)
        month = rng.integers(-6, 24, size=place.size)[unit] + rng.integers(0, 6, size=unit.size)
        decided = pl.DataFrame(
            {
                "unit": unit,
                "place": np.array(DEPARTMENTS)[place[unit]],
                "group": np.array(GROUPS)[group[unit]],
                "month": month,
                "selected": (rng.random(unit.size) < own_rate[unit]).astype(np.int64),
            }
        ).filter(pl.col("month").is_between(0, 23))
        names = {"place": f"{BREAKDOWN}department", "group": f"{PROTECTED}gender", "month": f"{BREAKDOWN}month"}
        named = decided.with_columns(month=_month_names(pl.col("month")), stage=pl.lit("")).rename(names)
        counts = decided.group_by("place", "group", "month").agg(
            n=pl.len().cast(pl.Int64), successes=pl.sum("selected")
        )
        first.append(first_looks(counts, partial(people_of, repeated=lambda named=named: named), last=23))
    return _shares(first, 2)


def _shares(first: list[dict[str, int]], years: int) -> list[float]:
    shares = []
    for year in range(years):
        shares.append(np.mean([any(year * 12 < look <= (year + 1) * 12 for look in each.values()) for each in first]))
        n = f"{len(first):,} processes without a disparity"
        print(f"year {year + 1} of {n}: {shares[-1]:.1%} find one for the first time", flush=True)
    return shares


def null(years: int, seed: int) -> list[float]:
    """Return the share of processes without a disparity that find one first in each of 3 years in a row."""
    rng = np.random.default_rng(seed)
    shape = (years, len(DEPARTMENTS), len(GROUPS), 36)
    volume = rng.lognormal(np.log(25), 0.8, size=(*shape[:2], 1, 1))
    rate = rng.uniform(0.05, 0.6, size=(*shape[:2], 1, 1))
    people = rng.poisson(np.broadcast_to(volume, shape))
    return _shares(found_at(people, rng.binomial(people, np.broadcast_to(rate, shape))), 3)


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
    studies = {"null": (null, 1000, 1), "delay": (delay, 200, 2), "people": (people, 1000, 3)}
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
