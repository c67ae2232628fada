"""How often the default rules ring by chance, how fast they find a step, and how long a check takes.

    python bench/alarms.py flat [--models 1000] [--seed 1]    alarms by chance in years in which nothing changes
    python bench/alarms.py steps [--models 300] [--seed 2]    days until a step is found, and how it is dated
    python bench/alarms.py drifts [--models 300] [--seed 3]   the same of slow drifts
    python bench/alarms.py streams [--models 500] [--seed 6]  alarms by chance by days of history, and steps
    python bench/alarms.py single [--models 1000] [--seed 7]  a group of .3 judgements a day, one by one
    python bench/alarms.py speed [--models 50]                a check over 2 years; from 50 on models are copied

A simulated model judges 60 to 2,000 people a working day, fewer at weekends, of two genders and four races, with rates
and times that depend on the weekday and vary from day to day beyond what sampling does; the day effects are
autocorrelated. Its daily values go through the default rules as those of a store do.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise, product
from pathlib import Path

import numpy as np

from evenhand.monitoring.alarms import Evaluated, evaluated
from evenhand.monitoring.counts import CellCounts, ValueCounts, add_counts, cell_ids
from evenhand.monitoring.daily import FEWEST_LABELS, DailySeries, DailyValue, known_model, save_values
from evenhand.monitoring.rules import Rules, read_rules
from evenhand.monitoring.store import Store, Writing, canonical_json, opened_store
from evenhand.stats.change_detection import EVERY
from evenhand.stats.rate_changes import rate_changes

FIRST = date(2023, 1, 2)
WEEK = np.array([1.2, 1.15, 1.05, 1.0, 0.85, 0.3, 0.25])
GENDERS = {"male": 0.55, "female": 0.45}
RACES = {"white": 0.5, "black": 0.2, "hispanic": 0.2, "asian": 0.1}
BASELINE, YEAR = 28, 365
AT_ONCE = 50


class Simulated:
    """A model over its days: sizes, day effects, and the series that follow from them."""

    def __init__(self, name: str, rng: np.random.Generator, days: int, *, size: float | None = None) -> None:
        self.name, self.rng = name, rng
        self.days = np.datetime64(FIRST, "D") + np.arange(days)
        self.weekday = np.arange(days) % 7
        usual = np.exp(rng.uniform(np.log(60), np.log(2000))) if size is None else size
        self.people = rng.poisson(usual * WEEK[self.weekday] * np.exp(0.15 * rng.standard_normal(days)))
        self.memory = rng.uniform(0.2, 0.6)

    def effect(self, deviation: float, weekly: float) -> np.ndarray:
        """Return day effects: of the weekday, and autocorrelated ones of this standard deviation."""
        noise = self.rng.standard_normal(self.days.size)
        found = np.empty_like(noise)
        found[0] = noise[0]
        for day in range(1, noise.size):
            found[day] = self.memory * found[day - 1] + np.sqrt(1 - self.memory**2) * noise[day]
        return deviation * found + weekly * self.rng.standard_normal(7)[self.weekday]

    def series(self, measure: str, slice_: dict, value, n, error=None) -> DailySeries:
        value = np.where(n > 0, value, np.nan)
        error = np.full(value.size, np.nan) if error is None else error
        return DailySeries(
            model=self.name, measure=measure, slice=slice_, days=self.days, value=value, standard_error=error, n=n
        )

    def share(self, measure: str, slice_: dict, p, n) -> DailySeries:
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.series(measure, slice_, self.rng.binomial(n, p) / n, n)

    def all(self) -> list[DailySeries]:
        """Return the series that a store has of the model, as far as the default rules watch or need them."""
        return [*self.scores(), *self.selections(), *self.accuracy(), *self.service()]

    def scores(self) -> list[DailySeries]:
        """The median of scores between 0 and 1: an order statistic of a beta distribution moved by the day."""
        half = (self.people + 1) / 2
        share = self.rng.beta(half, half)
        centre, width = self.rng.uniform(0.3, 0.7), self.rng.uniform(0.1, 0.2)
        value = centre + width * logit(share) / 1.7 + self.effect(width * self.rng.uniform(0.0, 0.08), 0.05 * width)
        error = (
            width * 2 / 1.7 / np.sqrt(np.maximum(self.people, 1)) * np.exp(0.2 * self.rng.standard_normal(half.size))
        )
        return [self.series("median_score", {}, value, self.people, error)]

    def selections(self) -> list[DailySeries]:
        """Selection rates of groups, overall and against the largest group of an attribute."""
        base = logit(self.rng.uniform(0.1, 0.4)) + self.effect(self.rng.uniform(0.0, 0.12), 0.1)
        found = []
        for attribute, groups in (("gender", GENDERS), ("race", RACES)):
            rates = {}
            for group, n in zip(groups, self.divided(groups), strict=True):
                gap = self.rng.uniform(-0.3, 0.3)
                rates[group] = self.share("selection_rate", {attribute: group}, expit(base + gap), n)
            reference, *others = rates
            found += [*rates.values(), *(self.ratio(rates[each], rates[reference]) for each in others)]
        n = sum(each.n for each in found[:2])
        x = sum(np.round(np.nan_to_num(each.value) * each.n) for each in found[:2])
        with np.errstate(invalid="ignore", divide="ignore"):
            return [*found, self.series("selection_rate", {}, x / n, n)]

    def divided(self, groups: dict) -> list[np.ndarray]:
        return list(self.rng.multinomial(self.people, list(groups.values())).T)

    def ratio(self, of: DailySeries, beside: DailySeries) -> DailySeries:
        with np.errstate(invalid="ignore", divide="ignore"):
            value = np.log(of.value / beside.value)
        value = np.where(np.isfinite(value), value, np.nan)
        return self.series("log_impact_ratio", of.slice, value, of.n + beside.n)

    def accuracy(self) -> list[DailySeries]:
        """Labels are known of a third: the lowest AUC of any group by Hanley and McNeil's variance, and agreement."""
        found = []
        effect = self.effect(self.rng.uniform(0.0, 0.01), 0.005)
        for attribute, groups in (("gender", GENDERS), ("race", RACES)):
            of_groups = []
            for n in self.divided(groups):
                auc = np.clip(self.rng.uniform(0.7, 0.8) + effect, 0.5, 0.99)
                true = np.maximum(n // 3 * 0.3, 0.5)
                false = np.maximum(n // 3 * 0.7, 0.5)
                first, second = auc / (2 - auc), 2 * auc**2 / (1 + auc)
                variance = auc * (1 - auc) + (true - 1) * (first - auc**2) + (false - 1) * (second - auc**2)
                error = np.sqrt(np.maximum(variance, 1e-4) / (true * false))
                drawn = np.clip(auc + error * self.rng.standard_normal(auc.size), 0, 1)
                of_groups.append((np.where(n // 3 >= 10, drawn, np.nan), error, n // 3))
            values, labels = np.stack([each[0] for each in of_groups]), np.stack([each[2] for each in of_groups])
            enough = (labels >= FEWEST_LABELS) | ~(labels >= FEWEST_LABELS).any(axis=0)
            at = np.argmin(np.where(np.isfinite(values) & enough, values, np.inf), axis=0)
            value, error, n = (np.stack(part)[at, np.arange(at.size)] for part in zip(*of_groups, strict=True))
            found.append(self.series("worst_group_auc", {"attribute": attribute}, value, n, error))
        agreed = expit(logit(0.8) + self.effect(self.rng.uniform(0.0, 0.1), 0.05))
        return [*found, self.share("agreement", {}, agreed, self.people // 3)]

    def service(self) -> list[DailySeries]:
        """Latency, errors, answers that can't be read, and the recall of masking in a daily sample."""
        found = []
        for measure, share in (("latency_p50", 0.5), ("latency_p95", 0.95)):
            at = self.rng.beta(share * self.people + 0.5, (1 - share) * self.people + 0.5)
            value = np.exp(0.5 + 0.5 * logit(at) / 1.7 + self.effect(self.rng.uniform(0.0, 0.06), 0.05))
            error = value * 0.5 / 1.7 / np.sqrt(share * (1 - share) * np.maximum(self.people, 1))
            found.append(self.series(measure, {}, value, self.people, error))
        for measure, p, n in (
            ("error_rate", self.rng.uniform(0.001, 0.02), self.people),
            ("undetected_rate", self.rng.uniform(0.002, 0.03), self.people),
            ("masking_recall", self.rng.uniform(0.95, 0.995), np.minimum(self.people, 200)),
        ):
            found.append(self.share(measure, {}, expit(logit(p) + self.effect(self.rng.uniform(0.0, 0.2), 0.05)), n))
        return found


def logit(p):
    return np.log(p / (1 - p))


def expit(x):
    return 1 / (1 + np.exp(-x))


def references(models: list[Simulated]) -> dict:
    return {each.name: {"gender": "male", "race": "white"} for each in models}


def watched(models: list[Simulated], rules: Rules, change: Callable = lambda series: series) -> Evaluated:
    series = [change(each) for model in models for each in model.all()]
    last = FIRST + timedelta(days=models[0].days.size - 1)
    return evaluated(series, rules, until=last, references=references(models))


def drawn(models: int, seed: int) -> Iterator[list[Simulated]]:
    """Yield models of a baseline and a year, some at once."""
    rng = np.random.default_rng(seed)
    for begun in range(0, models, AT_ONCE):
        some = rng.spawn(min(AT_ONCE, models - begun))
        yield [Simulated(f"model {begun + place}", each, BASELINE + YEAR) for place, each in enumerate(some)]


def flat(years: int, seed: int) -> float:
    """Print how many alarms a year without any change has, by rule and by size; return their mean number."""
    rules = read_rules()
    counts, by_rule, early, series = [], Counter(), 0, []
    sizes = []
    for models in drawn(years, seed):
        found = watched(models, rules)
        rang = Counter(each.series.model for each in found.episodes)
        counts += [rang[each.name] for each in models]
        sizes += [each.people.mean() for each in models]
        by_rule.update(each.rule.name for each in found.episodes)
        early += sum(each.day < FIRST + timedelta(days=BASELINE + 90) for each in found.episodes)
        series += [
            sum(each.series.model == model.name and each.since is not None for each in found.watched)
            for model in models
        ]
    number, size = np.array(counts), np.array(sizes)
    error = number.std(ddof=1) / np.sqrt(number.size)
    print(f"{years} flat years, seed {seed}: {np.mean(series):.1f} series watched for each model")
    print(
        f"alarms a year: {number.mean():.2f} (standard error {error:.2f}); none in {np.mean(number == 0):.0%} of years"
    )
    print(f"in the first 90 days after the baseline: {early / years:.2f}")
    for low, high in ((0, 150), (150, 500), (500, 5000)):
        part = number[(size >= low) & (size < high)]
        print(f"{low} to {high} people a day: {part.mean():.2f} in {part.size} years")
    for rule, n in by_rule.most_common():
        print(f"  {rule}: {n / years:.3f}")
    return float(number.mean())


def changed(series: DailySeries, day: int, shape: np.ndarray) -> DailySeries:
    """Return a series that changes from a day on: by `shape` standard deviations of a day about its weekday's mean."""
    before = series.value[:day]
    left = before - np.array([np.nanmean(before[start::7]) for start in range(7)])[np.arange(day) % 7]
    value = series.value.copy()
    value[day:] += shape[: value.size - day] * np.nanstd(left)
    return replace(series, value=value)


def found_changes(models: int, seed: int, shape: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return days until the median's alarm after a change, NaN where there was none, and how late it dates it.

    The change begins 40 to 200 days after the baseline; models whose median rang before are left out.
    """
    rules, rng = read_rules(), np.random.default_rng(seed)
    delays, dated = [], []
    for some in drawn(models, seed):
        begins = {each.name: BASELINE + int(rng.integers(40, 200)) for each in some}

        def change(each: DailySeries, begins: dict = begins) -> DailySeries:
            return changed(each, begins[each.model], shape) if each.measure == "median_score" else each

        first = {}
        for each in watched(some, rules, change).episodes:
            if each.series.measure == "median_score":
                first.setdefault(each.series.model, each)
        for name, day in begins.items():
            start, alarm = FIRST + timedelta(days=day), first.get(name)
            if alarm is None or alarm.day >= start:
                delays.append(np.nan if alarm is None else (alarm.day - start).days + 1)
                dated.append(np.nan if alarm is None else (alarm.since - start).days)
    return np.array(delays), np.array(dated)


def changes(models: int, seed: int, kinds: dict[str, np.ndarray]) -> None:
    """Print how soon changes of the median are found while all default rules watch, and how they are dated."""
    for name, shape in kinds.items():
        delays, dated = found_changes(models, seed, shape)
        there = delays[np.isfinite(delays)]
        print(
            f"{name}: found in {np.mean(np.isfinite(delays)):.0%}; days to the alarm: median {np.median(there):.0f}, "
            f"9 of 10 within {np.quantile(there, 0.9):.0f}; dated {np.nanmedian(dated):+.0f} days (median), "
            f"before it began {np.nanmean(dated < 0):.0%}, by more than a week {np.nanmean(dated < -7):.0%}"
        )


def steps(models: int, seed: int) -> None:
    changes(models, seed, {f"a step of {size} SD": np.full(YEAR, float(size)) for size in (1, 2, 3)})


def drifts(models: int, seed: int) -> None:
    changes(models, seed, {f"a drift of {rate} SD a day": rate * np.arange(1, YEAR + 1) for rate in (0.02, 0.05, 0.1)})


#: Streams without a change: autocorrelation of what a day adds, its standard deviation in that of a day's sampling,
#: judgements a day, what weekends and the last two days of a month add in standard deviations of a day, rate of errors.
STREAMS = {
    "flat": {},
    "weekday": {"weekend": -1.5},
    "month end": {"month_end": 1.5},
    "month end, strong": {"month_end": 5},
    "AR .5": {"memory": 0.5, "spread": 1.0},
    "AR .8": {"memory": 0.8, "spread": 0.6},
    "AR .9": {"memory": 0.9, "spread": 0.6},
    "AR .9, days vary more": {"memory": 0.9, "spread": 1.5},
    "small n": {"people": 24},
    "rare shares": {"people": 300, "rate": 0.01},
}
#: Days of history between which alarms are counted, and the day of a step.
HISTORY = (28, 90, 180, 365, 730)
STEPS = (90, 180, 365)


def stream(
    rng: np.random.Generator, name: str, days: int, *, step: int | None = None, **kind: float
) -> list[DailySeries]:
    """Return the median of scores and a share, both moved by what a day adds; a step is of 3 standard deviations."""
    kind = {"memory": 0.0, "spread": 0.5, "people": 45, "weekend": 0.0, "month_end": 0.0, "rate": 0.5} | kind
    model = Simulated(name, rng, days, size=kind["people"])
    model.memory = kind["memory"]
    n = np.full(days, int(kind["people"]))
    month_end = (model.days + 2).astype("datetime64[M]") != model.days.astype("datetime64[M]")
    moved = model.effect(kind["spread"], 0.0) + np.hypot(1, kind["spread"]) * (
        kind["weekend"] * (model.weekday >= 5) + kind["month_end"] * month_end
    )
    if step is not None:
        moved[step:] += 3 * np.hypot(1, kind["spread"])
    error = 0.25 / np.sqrt(n)
    median = model.series("median_score", {}, 0.5 + error * (moved + rng.standard_normal(days)), n, error)
    slope = 1 / np.sqrt(n * kind["rate"] * (1 - kind["rate"]))
    return [median, model.share("error_rate", {}, expit(logit(kind["rate"]) + slope * moved), n)]


def streams(models: int, seed: int) -> None:
    """Print alarms a year by chance by days of history, and the steps that are found by their tenth day."""
    rules = read_rules()
    ends = [f"{low}-{high}" for low, high in pairwise(HISTORY)]
    print(f"{models} models; alarms a year by days of history {', '.join(ends)}")
    for name, kind in STREAMS.items():
        rang: list[int] = []
        for begun in range(0, models, AT_ONCE):
            generators = np.random.default_rng((seed, begun)).spawn(min(AT_ONCE, models - begun))
            series = [
                one for number, rng in enumerate(generators) for one in stream(rng, str(number), HISTORY[-1], **kind)
            ]
            last = FIRST + timedelta(days=HISTORY[-1] - 1)
            rang += [(each.day - FIRST).days for each in evaluated(series, rules, until=last, references={}).episodes]
        counts = np.histogram(rang, HISTORY)[0] / models * YEAR / np.diff(HISTORY)
        print(f"  {name}: {', '.join(f'{count:.2f}' for count in counts)}", flush=True)
    for step in STEPS:
        generators = np.random.default_rng((seed, step)).spawn(models)
        series = [
            one for number, rng in enumerate(generators) for one in stream(rng, str(number), step + 10, step=step)
        ]
        last = FIRST + timedelta(days=step + 9)
        rang = {
            each.series.model
            for each in evaluated(series, rules, until=last, references={}).episodes
            if each.day >= FIRST + timedelta(days=step)
        }
        print(f"  a step of 3 SD on day {step}: found by its tenth day in {len(rang) / models:.1%}", flush=True)


def single(streams: int, seed: int) -> None:
    """Print how often a rate of .3 judgements a day rings in a year by chance, and finds a fall to half."""
    a_day, chance = 0.3, 1 / (EVERY * 0.3)
    for baseline, rate, fall in product((30, 90, 200), (0.1, 0.4), (1.0, 0.5)):
        rng = np.random.default_rng((seed, baseline, int(100 * rate)))
        days = int(2 * baseline / a_day) + YEAR
        found = []
        for _ in range(streams):
            trials = rng.poisson(a_day, days)
            start = int(np.searchsorted(trials.cumsum(), baseline)) + 1
            p = np.where(np.arange(days) < start, rate, fall * rate)
            events = rng.binomial(trials, p)
            alarms = rate_changes(events, trials, chances=np.full(days, chance), start=start).alarms
            found.append([(each.direction, each.day - start) for each in alarms if each.day < start + YEAR])
        rang = [falls[0] for falls in ([day for sign, day in each if sign < 0] for each in found) if falls]
        print(
            f"baseline {baseline}, rate {rate:.0%} to {fall * rate:.0%}: {sum(map(len, found)) / streams:.2f} alarms a "
            f"year, a fall in {len(rang) / streams:.1%}, after {np.median(rang):.0f} days (median)",
            flush=True,
        )


def speed(models: int, seed: int) -> None:
    """Print how long a check of a store of 2 years takes, in a process of its own, and what the store holds."""
    place = Path(tempfile.mkdtemp()) / "history.db"
    rng = np.random.default_rng(seed)
    with opened_store(str(place), create=True) as store:
        store.connection.execute("PRAGMA synchronous = OFF")
        for number in range(min(models, AT_ONCE)):
            model = Simulated(f"model {number}", rng.spawn(1)[0], 730, size=400)
            with store.writing() as writing:
                fill(writing, model, rng)
        copy(store, models // AT_ONCE)
        rows = store.rows("SELECT count(*) FROM daily_values")[0][0]
    print(f"{models} models, 730 days: {rows:,} daily values, {place.stat().st_size / 1e6:.0f} MB")
    last = (FIRST + timedelta(days=729)).isoformat()
    command = [sys.executable, "-m", "evenhand", "monitor", "check", "--store", place, "--as-of", last, "--quiet"]
    for name in ("first check", "second check"):
        started, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        print(f"{name}: {time.perf_counter() - started:.2f} s, {cpu:.2f} s of CPU, {now.ru_maxrss / 1024:.0f} MB")
    shutil.rmtree(place.parent)


def copy(store: Store, times: int) -> None:
    """Copy the models of a store, with their series and daily values, until it has each so many times."""
    last = store.rows("SELECT max(id) FROM series")[0][0]
    for number in range(1, times):
        with store.writing() as writing:
            for table, others in (
                ("models (name, since)", "name || ?, since FROM models WHERE ? AND name NOT LIKE '%copy%'"),
                (
                    "reference_groups (model, attribute, reference, settled)",
                    "model || ?, attribute, reference, settled FROM reference_groups "
                    "WHERE ? AND model NOT LIKE '%copy%'",
                ),
                (
                    "series (id, model, measure, slice)",
                    f"id + {last * number}, model || ?, measure, slice FROM series WHERE id <= ?",
                ),
            ):
                writing.execute(f"INSERT INTO {table} SELECT {others}", (f" copy {number}", last))
            writing.execute(
                "INSERT INTO daily_values (series, day, value, standard_error, n, reason) SELECT series + ?, day, "
                "value, standard_error, n, reason FROM daily_values WHERE series <= ?",
                (last * number, last),
            )


def fill(writing: Writing, model: Simulated, rng: np.random.Generator) -> None:
    """Keep a model's daily values, and its scores as a store counts them, in eight cells."""
    known_model(writing, model.name)
    days = [str(day) for day in model.days]
    found = [
        DailyValue(
            model=each.model,
            measure=each.measure,
            slice=each.slice,
            day=date.fromisoformat(day),
            value=None if np.isnan(value) else float(value),
            standard_error=None if np.isnan(error) else float(error),
            n=int(n),
        )
        for each in model.all()
        for day, value, error, n in zip(days, each.value, each.standard_error, each.n, strict=True)
    ]
    save_values(writing, found)
    writing.execute_each(
        "INSERT INTO reference_groups (model, attribute, reference, settled) VALUES (?, ?, ?, 1)",
        [(model.name, "gender", "male"), (model.name, "race", "white")],
    )
    cells = [("", "", "", "{}", canonical_json({"gender": a, "race": b})) for a in GENDERS for b in RACES]
    ids = cell_ids(writing, model.name, cells)
    counts = {}
    for place, day in enumerate(days):
        for cell in cells:
            scores = rng.integers(2_000, 9_000, max(model.people[place] // len(cells), 1))
            kept = CellCounts(n=scores.size, scores=ValueCounts.of(scores, np.ones_like(scores)))
            counts[ids[cell], day] = kept.packed()
    add_counts(writing, counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    studies = {
        "flat": (flat, 1000, 1),
        "steps": (steps, 300, 2),
        "drifts": (drifts, 300, 3),
        "streams": (streams, 500, 6),
        "single": (single, 1000, 7),
        "speed": (speed, 50, 4),
    }
    parser.add_argument("study", choices=studies)
    parser.add_argument("--models", type=int, help="how many models, each with a year")
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    study, models, seed = studies[args.study]
    started = time.perf_counter()
    study(args.models or models, seed if args.seed is None else args.seed)
    print(f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
