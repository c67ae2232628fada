"""How often river and ruptures ring on the medians of bench/alarms.py, as they are set by default.

    pip install river ruptures; PYTHONPATH=src:bench python bench/_other_alarms.py [--models 200] [--seed 5]

Each has the same medians in standard deviations of the baseline, flat and with a step of 3 of them.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import river.drift
import ruptures

from alarms import BASELINE, FIRST, YEAR, Simulated, changed
from evenhand.monitoring.daily import DailySeries
from evenhand.stats.change_detection import Calendar, limits_of, self_starting

STEP = BASELINE + 100


def streamed(make: Callable) -> Callable:
    """Return what gives the days on which a detector of river rings."""

    def rang(value: np.ndarray) -> list[int]:
        detector, found = make(), []
        for day, each in enumerate(value):
            detector.update(each)
            if detector.drift_detected:
                found.append(day)
        return found

    return rang


def pelt(value: np.ndarray) -> list[int]:
    """Return changes in hindsight, by the penalty of the Bayesian information criterion."""
    penalty = 2 * np.log(value.size) * np.var(np.diff(value)) / 2
    return ruptures.Pelt(model="l2", min_size=3, jump=1).fit(value).predict(pen=penalty)[:-1]


def ours(value: np.ndarray) -> list[int]:
    """Return our alarms on one of 13 series, from the values alone: their sampling errors are not used."""
    limits = limits_of(np.full((1, value.size), 13), np.arange(value.size)[None].clip(BASELINE))
    calendar = Calendar.of_days(np.datetime64(FIRST), value.size)
    found = self_starting(value[None], np.zeros((1, value.size)), calendar=calendar, limits=limits)
    return [each.day for each in found.alarms]


def standard(series: DailySeries) -> np.ndarray:
    first = series.value[:BASELINE]
    return np.nan_to_num((series.value - np.nanmean(first)) / np.nanstd(first))


ARMS = {
    "evenhand, as one of 13 series": ours,
    "river ADWIN": streamed(river.drift.ADWIN),
    "river Page-Hinkley": streamed(river.drift.PageHinkley),
    "river KSWIN": streamed(lambda: river.drift.KSWIN(seed=0)),
    "ruptures PELT, in hindsight": pelt,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    flat, stepped = [], []
    for number, rng in enumerate(np.random.default_rng(args.seed).spawn(args.models)):
        (series,) = Simulated(str(number), rng, BASELINE + YEAR).scores()
        flat.append(standard(series))
        stepped.append(standard(changed(series, STEP, np.full(YEAR, 3.0))))
    for name, rang in ARMS.items():
        started = time.perf_counter()
        alone = [[day for day in rang(each) if day >= BASELINE] for each in flat]
        first = [next((day for day in rang(each) if day >= STEP), None) for each in stepped]
        delays = [day - STEP + 1 for day in first if day is not None]
        print(
            f"{name}: {np.mean([len(days) for days in alone]):.2f} alarms in a flat year; "
            f"after a step of 3 SD one in {len(delays) / args.models:.0%}, after {np.median(delays):.0f} days; "
            f"{time.perf_counter() - started:.1f} s"
        )


if __name__ == "__main__":
    main()
