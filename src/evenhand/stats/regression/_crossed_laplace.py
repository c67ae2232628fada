"""Mode and curvature of a logistic model with one or two crossed random intercepts, from a table of counts.

Products as large as the table are left to einsum. BLAS would share each of them among
threads, and on a busy machine these wait for one another longer than they work.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from evenhand.stats.special import expit

__all__ = ["CrossedTable", "Mode", "Point", "laplace_mode"]

Floats = NDArray[np.float64]

#: Newton steps until the mode counts as not found; from a warm start it takes 3 to 5.
MOST_STEPS = 60
#: The mode is found when a whole step would raise the log density by less. The determinant is off by
#: the root of it, so a larger one would roughen the likelihood of the SDs.
CLOSE = 1e-10
#: Share of the log density that rounding may hide.
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class CrossedTable:
    """Successes of trials, rows being the levels of the first random intercept.

    Columns are the levels of the second; with `one_way` they have none. A cell without
    trials counts for nothing. `design` has one row per row of the table and one column per
    fixed effect (none are allowed), `offset` is added to the log odds.
    """

    successes: Floats
    trials: Floats
    design: Floats
    one_way: bool = False
    offset: Floats | float = 0.0

    @property
    def levels(self) -> tuple[int, int]:
        """How many random effects there are of each kind."""
        rows, columns = self.trials.shape
        return rows, 0 if self.one_way else columns

    def log_odds(self, point: "Point", sds: tuple[float, float]) -> Floats:
        """Return each cell's log odds."""
        odds = self.offset + np.zeros(self.trials.shape)
        odds += (self.design @ point.fixed + sds[0] * point.first)[:, None]
        if not self.one_way:
            odds += sds[1] * point.second
        return odds

    def log_density(self, point: "Point", odds: Floats) -> float:
        """Return the log density of counts and random effects, without constants."""
        # Quick and safe: log(1 + e^x) = max(x, 0) + log(1 + e^-|x|).
        soft = np.log1p(np.exp(-np.abs(odds))) + np.maximum(odds, 0.0)
        likelihood = (self.successes * odds - self.trials * soft).sum()
        return float(likelihood - 0.5 * (point.first @ point.first + point.second @ point.second))


@dataclass(frozen=True, kw_only=True)
class Point:
    """Fixed effects, and random ones in units of their SD."""

    fixed: Floats
    first: Floats
    second: Floats

    def moved(self, step: "Point", share: float) -> "Point":
        """Return the point plus a share of a step."""
        return Point(
            fixed=self.fixed + share * step.fixed,
            first=self.first + share * step.first,
            second=self.second + share * step.second,
        )


@dataclass(frozen=True, kw_only=True)
class Mode:
    """Where the joint log density of fixed and random effects is highest, given the SDs.

    `log_density` is taken there, without constants; `log_determinant` is that of the
    negative Hessian in all of them. `covariance` is the inverse's block of the fixed
    effects. `found` is False where Newton's method did not arrive.
    """

    point: Point
    log_density: float
    log_determinant: float
    covariance: Floats
    found: bool

    @property
    def laplace(self) -> float:
        """Log of the density integrated over all effects, by Laplace's method, without constants."""
        return self.log_density - 0.5 * self.log_determinant


def laplace_mode(table: CrossedTable, sds: tuple[float, float], *, start: Point | None = None) -> Mode:
    """Return the mode of effects for given SDs of the random intercepts.

    Formula: with η = offset + Xβ + s₁ u + s₂ v, u and v standard normal and y ~ Bin(n, logit⁻¹ η),
    the log density is Σ [y η - n log(1 + e^η)] - ½|u|² - ½|v|², concave in (β, u, v). The
    first random intercept is eliminated from Newton's equations, as its block is diagonal;
    what is left is as large as fixed effects and columns together.
    With a flat prior on β, `laplace` is the restricted log likelihood; without columns in X
    it is the log likelihood of the offset.
    Assumes that no fixed effect is unlimited: both outcomes occur in each of its levels.
    """
    rows, columns = table.levels
    point = start or Point(fixed=np.zeros(table.design.shape[1]), first=np.zeros(rows), second=np.zeros(columns))
    odds = table.log_odds(point, sds)
    value = table.log_density(point, odds)
    for _ in range(MOST_STEPS):
        newton = _newton(table, point, odds, sds)
        if newton is None:
            break
        step, gain = newton.step()
        if gain <= CLOSE:
            return newton.mode(point.moved(step, 1.0), value, found=True)
        share, hidden = 1.0, ROUNDING * max(abs(value), 1.0)
        while share > 1e-6:
            candidate = point.moved(step, share)
            odds_there = table.log_odds(candidate, sds)
            higher = table.log_density(candidate, odds_there)
            if higher >= value + 1e-4 * share * gain - hidden:
                break
            share /= 2
        else:
            return newton.mode(point, value, found=gain <= 1e3 * hidden)
        point, value, odds = candidate, higher, odds_there
    p = table.design.shape[1]
    lost = np.full((p, p), np.nan)
    return Mode(point=point, log_density=value, log_determinant=np.nan, covariance=lost, found=False)


@dataclass(frozen=True, kw_only=True)
class _Newton:
    """Newton's equations with the first random intercept eliminated.

    `diagonal` is its block, `border` (rows × rest) what ties it to the others, `factor`
    the Cholesky factor of the others' Schur complement.
    """

    diagonal: Floats
    border: Floats
    factor: tuple[Floats, bool]
    gradient_first: Floats
    gradient_rest: Floats
    fixed: int

    def step(self) -> tuple[Point, float]:
        """Return the Newton step and the rise that it promises to first order."""
        rest = cho_solve(
            self.factor,
            self.gradient_rest - np.einsum("ij,i->j", self.border, self.gradient_first / self.diagonal),
        )
        first = (self.gradient_first - np.einsum("ij,j->i", self.border, rest)) / self.diagonal
        gain = float(self.gradient_first @ first + self.gradient_rest @ rest)
        return Point(fixed=rest[: self.fixed], first=first, second=rest[self.fixed :]), gain

    def mode(self, point: Point, value: float, *, found: bool) -> Mode:
        """Return the point with the curvature there."""
        size = self.border.shape[1]
        determinant = np.log(self.diagonal).sum() + 2.0 * np.log(np.diag(self.factor[0])).sum()
        return Mode(
            point=point,
            log_density=value,
            log_determinant=float(determinant),
            covariance=cho_solve(self.factor, np.eye(size, self.fixed))[: self.fixed],
            found=found and bool(np.isfinite(value)),
        )


def _newton(table: CrossedTable, point: Point, odds: Floats, sds: tuple[float, float]) -> _Newton | None:
    """Return the equations at a point; None where they are singular."""
    mean = expit(odds)
    expected = table.trials * mean
    residual, weight = table.successes - expected, expected * (1.0 - mean)
    by_row, residual_by_row = weight.sum(axis=1), residual.sum(axis=1)
    design, p = table.design, table.design.shape[1]
    second = 0 if table.one_way else weight.shape[1]
    border = np.empty((by_row.size, p + second))
    border[:, :p] = design * (sds[0] * by_row)[:, None]
    rest = np.zeros((p + second, p + second))
    rest[:p, :p] = design.T @ (design * by_row[:, None])
    gradient = np.empty(p + second)
    gradient[:p] = design.T @ residual_by_row
    if second:
        border[:, p:] = sds[0] * sds[1] * weight
        rest[:p, p:] = sds[1] * np.einsum("ij,ik->jk", design, weight)
        rest[p:, :p] = rest[:p, p:].T
        rest[p:, p:] = np.diag(sds[1] ** 2 * weight.sum(axis=0) + 1.0)
        gradient[p:] = sds[1] * residual.sum(axis=0) - point.second
    diagonal = sds[0] ** 2 * by_row + 1.0
    rest -= np.einsum("ij,ik->jk", border, border / diagonal[:, None])
    try:
        factor = cho_factor(rest, lower=True)
    except (LinAlgError, ValueError):
        return None
    return _Newton(
        diagonal=diagonal,
        border=border,
        factor=factor,
        gradient_first=sds[0] * residual_by_row - point.first,
        gradient_rest=gradient,
        fixed=p,
    )
