"""The baseline of many series: what the days so far foretell of the next."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

__all__ = ["Baseline", "Foretold", "first_baseline"]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: 1.4826 medians of absolute deviations are a standard deviation of normal values.
MAD = 1.4826
#: Days that happen to be alike do not make the next one certain; rare events would ring, the first time they come.
LEAST_SHARE = 0.5


@dataclass(frozen=True, kw_only=True)
class Foretold:
    """What is foretold of a day: its mean and standard deviation; `known` where its weekday had a value before."""

    mean: Floats
    scale: Floats
    known: Flags


class Baseline:
    """Sums of the days so far, a column for each series."""

    WEIGHT, MEAN = slice(0, 7), slice(7, 14)
    SQUARES, FREEDOM, EXCESS, DAYS, PRODUCTS, PAIRS = range(14, 20)

    def __init__(self, sums: Floats, sampling: Floats) -> None:
        self._sums, self._sampling = sums, sampling

    @property
    def freedom(self) -> Floats:
        """Return the degrees of freedom of each scale."""
        return np.asarray(self._sums[self.FREEDOM])

    @property
    def _squared_scale(self) -> Floats:
        """Return the variance of a day of usual size: never below half of its sampling variance."""
        return np.asarray(np.maximum(self._sums[self.SQUARES] / self.freedom, LEAST_SHARE * self._sampling))

    def copy(self) -> "Baseline":
        """Return another with the same sums."""
        return Baseline(self._sums.copy(), self._sampling)

    def take(self, other: Self, rows: Flags) -> None:
        """Take over the sums of some series."""
        self._sums[:, rows] = other._sums[:, rows]

    def restore(self, other: Self, row: int) -> None:
        """Take over the sums of one series."""
        self.take(other, np.arange(self._sums.shape[1]) == row)

    def relative(self, variances: Floats) -> Floats:
        """Return the variances of days over that of a day of usual size."""
        excess = np.maximum(self._sums[self.EXCESS] / self._sums[self.DAYS], 0.0)
        return relative_variances(excess, self._sampling, variances)

    def foretold(self, weekday: int, variances: Floats) -> Foretold:
        """Return what is foretold of a day."""
        weight = self._sums[self.WEIGHT][weekday]
        known = weight > 0
        spread = self.relative(variances) + 1 / np.where(known, weight, 1.0)
        scale = np.sqrt(spread * self._squared_scale)
        return Foretold(mean=self._sums[self.MEAN][weekday], scale=np.maximum(scale, 1e-12), known=known)

    def autocorrelation(self, prior: float, days: int, largest: float) -> Floats:
        """Return the correlation of neighbouring days, shrunk towards `prior` as if that were `days` days."""
        found = (self._sums[self.PRODUCTS] + prior * days) / (self._sums[self.PAIRS] + days)
        return np.asarray(np.clip(found, 0.0, largest))

    def learn(
        self,
        weekday: int,
        values: Floats,
        variances: Floats,
        *,
        before: Floats,
        residual: Floats,
        new: Flags,
        known: Flags,
    ) -> None:
        """Let a day join: the first of its weekday (`new`), or one that was foretold (`known`), by its residual."""
        sums, weight = self._sums, self._sums[self.WEIGHT][weekday].copy()
        relative = self.relative(variances)
        spread = relative + 1 / np.where(weight > 0, weight, 1.0)
        away = residual * np.sqrt(spread * self._squared_scale)
        joins = np.where(new | known, 1 / np.where(new | known, relative, 1.0), 0.0)
        mean = sums[self.MEAN][weekday]
        moved = mean + away * joins / np.where(new | known, weight + joins, 1.0)
        sums[self.MEAN][weekday] = np.where(new, np.where(new, values, 0), np.where(known, moved, mean))
        sums[self.WEIGHT][weekday] = weight + joins
        paired = known & np.isfinite(before)
        sums[self.PRODUCTS] += np.where(paired, residual * np.nan_to_num(before), 0.0)
        sums[self.PAIRS] += np.where(paired, np.nan_to_num(before) ** 2, 0.0)
        excess = away**2 * relative / spread - np.where(known, variances, 0.0)
        sums[self.EXCESS] += np.where(known, excess, 0.0)
        sums[self.SQUARES] += np.where(known, residual**2 * self._squared_scale, 0.0)
        sums[self.FREEDOM] += known
        sums[self.DAYS] += known


def relative_variances(excess: Floats, sampling: Floats, variances: Floats) -> Floats:
    """Return (τ² + variance) / (τ² + usual variance); 1 where neither is known."""
    usual = excess + sampling
    return np.where(usual > 0, (excess + variances) / np.where(usual > 0, usual, 1.0), 1.0)


def first_baseline(
    values: Floats, variances: Floats, *, first_weekday: int, days: int, cut: float
) -> tuple[Baseline, NDArray[np.int64]]:
    """Return the baseline of the first `days` days that have a value, and the day after them (past the end: none)."""
    there = np.isfinite(values)
    rows, all_days = values.shape
    enough = there.sum(axis=1) >= days
    if not enough.any():
        return Baseline(np.ones((20, rows)), np.zeros(rows)), np.full(rows, all_days + 1)
    places = np.argsort(~there, axis=1, kind="stable")[:, :days]
    y = np.where(enough[:, None], np.take_along_axis(values, places, 1), 0.0)
    sampled = np.where(enough[:, None], np.take_along_axis(variances, places, 1), 0.0)
    weekdays = (first_weekday + places) % 7
    of_weekday = weekdays[:, :, None] == np.arange(7)
    freedom = np.maximum(days - of_weekday.any(axis=1).sum(axis=1), 1)
    y = _drawn_in(y, weekdays, of_weekday, cut=cut * np.sqrt(days / freedom))
    sampling = sampled.mean(axis=1)
    plain = y - _means(y, np.ones_like(y), weekdays, of_weekday)[2]
    excess = (plain**2).sum(axis=1) * days / freedom - sampled.sum(axis=1)
    relative = relative_variances(np.maximum(excess / days, 0)[:, None], sampling[:, None], sampled)
    weight, mean, fitted = _means(y, 1 / np.maximum(relative, 1e-12), weekdays, of_weekday)
    r = (y - fitted) / np.sqrt(relative)
    squares = (r**2).sum(axis=1)
    standard = r / np.sqrt(np.maximum(squares / freedom, 1e-300))[:, None]
    paired = np.diff(places, axis=1) == 1
    sums = np.zeros((20, rows))
    sums[Baseline.WEIGHT], sums[Baseline.MEAN] = weight.T, mean.T
    sums[Baseline.SQUARES], sums[Baseline.FREEDOM] = squares, freedom
    sums[Baseline.EXCESS], sums[Baseline.DAYS] = excess, days
    sums[Baseline.PRODUCTS] = (standard[:, 1:] * standard[:, :-1] * paired).sum(axis=1)
    sums[Baseline.PAIRS] = (standard[:, :-1] ** 2 * paired).sum(axis=1)
    return Baseline(sums, sampling), np.where(enough, places[:, -1] + 1, all_days + 1)


def _drawn_in(y: Floats, weekdays: NDArray[np.int64], of_weekday: Flags, *, cut: Floats) -> Floats:
    """Return values at most `cut` robust standard deviations from their weekday's median."""
    medians = np.zeros((y.shape[0], 7))
    for weekday in range(7):
        own = of_weekday[:, :, weekday]
        ordered = np.sort(np.where(own, y, np.inf), axis=1)
        count = np.maximum(own.sum(axis=1), 1)
        middle = np.stack([(count - 1) // 2, count // 2], axis=1)
        medians[:, weekday] = np.nan_to_num(np.take_along_axis(ordered, middle, 1), posinf=0.0).mean(axis=1)
    away = y - np.take_along_axis(medians, weekdays, 1)
    reach = (cut * MAD * np.median(np.abs(away), axis=1))[:, None]
    return np.where(reach > 0, y - away + np.clip(away, -reach, reach), y)


def _means(y: Floats, weight: Floats, weekdays: NDArray[np.int64], of_weekday: Flags) -> tuple[Floats, Floats, Floats]:
    """Return the weights, weighted means and fitted values by weekday."""
    weights = (weight[:, :, None] * of_weekday).sum(axis=1)
    means = ((weight * y)[:, :, None] * of_weekday).sum(axis=1) / np.where(weights > 0, weights, 1.0)
    return weights, means, np.take_along_axis(means, weekdays, 1)
