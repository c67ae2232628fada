"""How often the default rules ring by chance, how fast they find a step, and how long a check takes.

    python bench/alarms.py flat [--years 1000] [--seed 1]      false alarms in years in which nothing changes
    python bench/alarms.py steps [--models 300] [--seed 2]     days until a step is found, and how it is dated
    python bench/alarms.py drifts [--models 300] [--seed 3]    the same of slow drifts
    python bench/alarms.py speed                               a check over 2 years and 50 models
    python bench/alarms.py others                              river and ruptures on the same values

A simulated model judges 60 to 2,000 people a working day, fewer at weekends, of two genders and four races, with rates
and times that depend on the weekday and vary from day to day beyond what sampling does; the day effects are
autocorrelated. Its daily values go through the default rules as those of a store do.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta

import numpy as np

from evenhand.monitoring.alarms.episodes import Evaluated, evaluated
from evenhand.monitoring.alarms.rules import Rules, read_rules
from evenhand.monitoring.history.daily import DailySeries

FIRST = date(2025, 1, 6)
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
            values = np.stack([each[0] for each in of_groups])
            at = np.argmin(np.where(np.isfinite(values), values, np.inf), axis=0)
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


def flat(years: int, seed: int) -> None:
    """Print how many alarms a year without any change has, by rule and by size."""
    rules, rng = read_rules(), np.random.default_rng(seed)
    counts, by_rule, early, series = [], Counter(), 0, []
    sizes = []
    for begun in range(0, years, AT_ONCE):
        models = [
            Simulated(f"model {begun + k}", each, BASELINE + YEAR)
            for k, each in enumerate(rng.spawn(min(AT_ONCE, years - begun)))
        ]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", choices=["flat"])
    parser.add_argument("--years", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    started = time.perf_counter()
    flat(args.years, args.seed)
    print(f"{time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
