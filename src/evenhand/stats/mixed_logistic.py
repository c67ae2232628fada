"""Odds ratios of groups from a mixed logistic model with crossed random intercepts of names and roles.

`laplace_mode` finds the mode of all effects for given SDs, `RestrictedSearch` the SDs with the highest restricted
likelihood and their profile intervals, `mixed_logistic` the groups' odds ratios.

einsum computes products as large as the table. BLAS would share each of them among threads, and on a busy machine
these wait for one another longer than they work.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.optimize import brentq, minimize, minimize_scalar

from evenhand.stats._arrays import Floats, Ints, check_confidence, normal_quantile, positive_p
from evenhand.stats.cluster_robust import t_interval
from evenhand.stats.special import expit, fdtrc

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
    effects. `converged` is False where Newton's method did not arrive.
    """

    point: Point
    log_density: float
    log_determinant: float
    covariance: Floats
    converged: bool

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
            return newton.mode(point.moved(step, 1.0), value, converged=True)
        share, hidden = 1.0, ROUNDING * max(abs(value), 1.0)
        while share > 1e-6:
            candidate = point.moved(step, share)
            odds_there = table.log_odds(candidate, sds)
            higher = table.log_density(candidate, odds_there)
            if higher >= value + 1e-4 * share * gain - hidden:
                break
            share /= 2
        else:
            return newton.mode(point, value, converged=gain <= 1e3 * hidden)
        point, value, odds = candidate, higher, odds_there
    p = table.design.shape[1]
    lost = np.full((p, p), np.nan)
    return Mode(point=point, log_density=value, log_determinant=np.nan, covariance=lost, converged=False)


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

    def mode(self, point: Point, value: float, *, converged: bool) -> Mode:
        """Return the point with the curvature there."""
        size = self.border.shape[1]
        determinant = np.log(self.diagonal).sum() + 2.0 * np.log(np.diag(self.factor[0])).sum()
        return Mode(
            point=point,
            log_density=value,
            log_determinant=float(determinant),
            covariance=cho_solve(self.factor, np.eye(size, self.fixed))[: self.fixed],
            converged=converged and bool(np.isfinite(value)),
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


#: Logarithms of the SDs of the first and the second random intercept.
Logs = tuple[float, float]

#: SDs in log odds that are looked at; the smallest counts as 0, an estimate at the largest as none.
SMALLEST_SD, LARGEST_SD = 1e-3, 10.0
BOUNDS: Logs = (float(np.log(SMALLEST_SD)), float(np.log(LARGEST_SD)))
ZERO, LIMIT = BOUNDS
#: Below this logarithm the search checks whether 0 is as good.
NEAR_ZERO = ZERO + 3.0
#: A log likelihood lower by this much is no worse.
NO_WORSE = 1e-4
#: Half the width of the parabolas in the logarithm of an SD, and how exactly its limits are sought there.
WIDTH, XTOL = 0.15, 1e-3
START = (0.3, 0.5)


@dataclass(kw_only=True)
class RestrictedSearch:
    """Looks for the SDs; each mode that was found is the start of the next.

    SDs go by their logarithms, and the smallest stands for 0.
    """

    table: CrossedTable
    last: Mode | None = None
    evaluations: int = 0
    lost: bool = False

    def mode(self, logs: Logs) -> Mode:
        """Return the mode of all effects at the given SDs."""
        self.evaluations += 1
        start = self.last.point if self.last is not None else None
        mode = laplace_mode(self.table, sds_of(logs), start=start)
        if mode.converged:
            self.last = mode
        return mode

    def minus(self, logs: Logs) -> float:
        """Return minus the restricted log likelihood, large where no mode was found."""
        mode = self.mode(logs)
        return -mode.laplace if mode.converged and np.isfinite(mode.laplace) else 1e300

    def best(self) -> Logs:
        """Return the SDs where the likelihood is highest."""
        if self.table.one_way:
            alone = minimize_scalar(lambda x: self.minus((x, ZERO)), bounds=BOUNDS, method="bounded")
            return self._at_zero((float(alone.x), ZERO))
        result = minimize(
            lambda x: self.minus((float(x[0]), float(x[1]))),
            np.log(START),
            method="Nelder-Mead",
            bounds=[BOUNDS, BOUNDS],
            options={"xatol": 1e-3, "fatol": 1e-6, "maxfev": 400},
        )
        self.lost = not result.success
        return self._at_zero((float(result.x[0]), float(result.x[1])))

    def _at_zero(self, logs: Logs) -> Logs:
        """Return SDs so small that they can't be told from 0 as 0."""
        near = [ZERO if log < NEAR_ZERO else log for log in logs]
        zero = (near[0], near[1])
        return zero if zero != logs and self.minus(zero) <= self.minus(logs) + NO_WORSE else logs

    def failure(self, logs: Logs) -> str | None:
        """Return why the optimum can't be used, None where it can."""
        if self.lost or not self.mode(logs).converged:
            return "The model did not converge."
        if max(logs) > LIMIT - 0.05:
            return (
                "Nearly all decisions about each name, or each role, are the same: their variance is not finite, and "
                "the effects of groups and names can't be separated."
            )
        return None

    def profile(self, logs: Logs, which: int, *, z: float) -> tuple[float | None, float | None]:
        """Return the SDs where twice the log likelihood, the other SD refitted, has fallen by z².

        The lower one is 0 where it never falls so far, the upper one then null.
        """
        lowest, at = self.minus(logs), logs[which]
        other = logs[1 - which]
        # Kept, as a second look from another start may differ in the last digits and lose the change of sign.
        known = {at: -z}

        def excess(x: float) -> float:
            nonlocal other
            if x not in known:
                value, other = self._refitted(which, x, other)
                # The root is nearly a straight line in the logarithm, so few steps find where it crosses.
                known[x] = float(np.sqrt(max(2.0 * (value - lowest), 0.0))) - z
            return known[x]

        low: float | None = 0.0
        if at > ZERO and excess(ZERO) > 0:
            low = float(np.exp(brentq(excess, ZERO, at, xtol=XTOL)))
        other = logs[1 - which]
        reach = next((x for x in (max(at, np.log(0.1)) + 0.7, LIMIT) if x <= LIMIT and excess(x) > 0), None)
        high = None if reach is None else float(np.exp(brentq(excess, at, reach, xtol=XTOL)))
        return low, high

    def _refitted(self, which: int, x: float, other: float) -> tuple[float, float]:
        """Return the lowest value with one SD held, and the other SD there: parabolas through three points."""
        if self.table.one_way or other <= ZERO:
            return self.minus((x, other) if which == 0 else (other, x)), other
        value = np.inf
        for _ in range(4):
            y = [self.minus((x, z) if which == 0 else (z, x)) for z in (other - WIDTH, other, other + WIDTH)]
            value = min(value, *y)
            bend, slope = y[0] - 2.0 * y[1] + y[2], y[0] - y[2]
            move = 0.5 * WIDTH * slope / bend if bend > 0 else float(np.sign(slope))
            if bend > 0 and abs(move) <= WIDTH:
                return min(value, y[1] - slope**2 / (8.0 * bend)), other + move
            other = float(np.clip(other + np.clip(move, -1.0, 1.0), ZERO, LIMIT))
        return value, other


def sds_of(logs: Logs) -> tuple[float, float]:
    """Return SDs from their logarithms; the smallest is 0.

    >>> sds_of((BOUNDS[0], 0.0))
    (0.0, 1.0)
    """
    first, second = (0.0 if log <= ZERO else float(np.exp(log)) for log in logs)
    return first, second


#: Names that a group needs: with fewer their spread is a guess, and every interval rests on it.
FEWEST_NAMES = 5
METHOD = "mixed logistic regression, Laplace approximation, restricted likelihood"


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Standard deviation of a random intercept in log odds, with its profile interval."""

    sd: float | None = None
    low: float | None = None
    high: float | None = None
    levels: int
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class GroupOdds:
    """A group's odds over the geometric mean of all groups' odds; the error is that of its logarithm."""

    odds_ratio: float
    low: float
    high: float
    standard_error: float
    t: float
    p: float


@dataclass(frozen=True, kw_only=True)
class MixedLogistic:
    """A fitted model; `groups` in the order of their codes, empty where there is a `reason`.

    `alike_p` belongs to the F test that all groups have the same odds. `dispersion` is
    Pearson's χ² per degree of freedom: clearly above 1, names fare differently in
    different roles, or the decisions of a cell hang together. `evaluations` counts how
    often the mode was sought.
    """

    groups: tuple[GroupOdds, ...] = ()
    names: Spread
    roles: Spread
    alike_f: float | None = None
    alike_p: float | None = None
    df: int
    dispersion: float | None = None
    confidence: float
    n: int
    cells: int
    evaluations: int = 0
    method: str = METHOD
    reason: str | None = None


def mixed_logistic(
    accepted: ArrayLike,
    n: ArrayLike,
    *,
    group: ArrayLike,
    name: ArrayLike,
    role: ArrayLike,
    confidence: float = 0.95,
) -> MixedLogistic:
    """Return each group's odds ratio to the mean of all, with random names and roles.

    Formula: accepted ~ Bin(n, p), logit p = β_group + u_name + w_role with normal u and w of
    unknown SD. A name belongs to one group; roles are crossed with names. β, u and w are
    integrated out by Laplace's method and the SDs maximise what is left: the restricted
    likelihood, as else the groups' own means would make names look too alike. The log odds
    ratio is β_g minus the mean of all β, unweighted. Its variance is that block of the
    inverse Hessian at the SDs found, its interval a t interval on names minus groups.
    SDs have profile likelihood intervals.
    `accepted` and `n` are counts per cell; `group`, `name` and `role` integer codes. Rows of
    one name and role are added up.
    Assumes normal effects on the log odds, the same group effect in every role, and
    independent decisions within a cell. Where names fare differently in different roles,
    the SD of names takes that up; the intervals of groups stay right as long as names meet
    the same roles, the interval of the SD does not.
    Fails: null with fewer than two groups, where a group has one outcome only (its odds
    have no limit) or fewer than 5 names, where an SD has no limit, or Newton's method does
    not arrive. With one role there is no random intercept of roles. With less than some
    ten decisions per name Laplace's method makes SDs too small.

    Reference: Breslow and Clayton (1993), Journal of the American Statistical Association
    88, 9-25, section 2; Tierney and Kadane (1986), ibid. 81, 82-86.

    Five names with 4 of 8 each and five with 2 of 8: odds 1 and 1/3, whose ratios to their
    geometric mean are √3 and 1/√3.

    >>> fit = mixed_logistic(
    ...     [4] * 5 + [2] * 5, [8] * 10, group=[0] * 5 + [1] * 5, name=list(range(10)), role=[0] * 10
    ... )
    >>> [round(group.odds_ratio, 4) for group in fit.groups], fit.names.sd
    ([1.7321, 0.5774], 0.0)
    """
    check_confidence(confidence)
    table, of_name, roles = _table(accepted, n, group, name, role)
    reason = _unfit(table, of_name)
    alone = "Decisions of one role only: no random intercept of roles was fitted." if table.one_way else None
    df = max(len(of_name) - table.design.shape[1], 0)
    result = MixedLogistic(
        names=Spread(levels=table.trials.shape[0], reason=reason),
        roles=Spread(levels=roles, reason=alone or reason),
        df=df,
        confidence=confidence,
        n=int(table.trials.sum()),
        cells=int((table.trials > 0).sum()),
        reason=reason,
    )
    if reason is not None:
        return result
    search = RestrictedSearch(table=table)
    logs = search.best()
    reason = search.failure(logs)
    if reason is not None:
        names, places = (replace(spread, reason=spread.reason or reason) for spread in (result.names, result.roles))
        return replace(result, names=names, roles=places, reason=reason, evaluations=search.evaluations)
    mode = search.mode(logs)
    k = table.design.shape[1]
    contrast = np.eye(k) - 1.0 / k
    effects, covariance = contrast @ mode.point.fixed, contrast @ mode.covariance @ contrast.T
    # The deviations add up to 0, so all but one of them tell everything.
    f = float(effects[1:] @ np.linalg.solve(covariance[1:, 1:], effects[1:])) / (k - 1)
    z = normal_quantile(confidence)
    return replace(
        result,
        groups=_groups(effects, np.diag(covariance), df, confidence=confidence),
        names=_spread(search, logs, 0, levels=len(of_name), z=z),
        roles=result.roles if alone is not None else _spread(search, logs, 1, levels=roles, z=z),
        alike_f=f,
        alike_p=float(positive_p(np.asarray(fdtrc(k - 1, df, f)))),
        dispersion=_dispersion(table, mode, sds_of(logs)),
        evaluations=search.evaluations,
    )


def _table(
    accepted: ArrayLike, n: ArrayLike, group: ArrayLike, name: ArrayLike, role: ArrayLike
) -> tuple[CrossedTable, Ints, int]:
    """Return names × roles, each name's group, and how many roles have a decision."""
    y, trials = np.asarray(accepted, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if y.ndim != 1 or y.shape != trials.shape or not ((y >= 0) & (y <= trials)).all():
        message = "accepted and n must be lists of one length with 0 <= accepted <= n."
        raise ValueError(message)
    used = trials > 0
    groups, names, roles = (np.unique(np.asarray(codes)[used], return_inverse=True)[1] for codes in (group, name, role))
    shape = (int(names.max(initial=-1)) + 1, int(roles.max(initial=-1)) + 1)
    of_name = np.zeros(shape[0], dtype=np.int64)
    of_name[names] = groups
    if (of_name[names] != groups).any():
        message = "Each name must belong to one group; number a name anew in each of its groups."
        raise ValueError(message)
    cells = names * shape[1] + roles
    size = shape[0] * shape[1]
    sums = [
        np.asarray(np.bincount(cells, weights=values[used], minlength=size), dtype=np.float64).reshape(shape)
        for values in (y, trials)
    ]
    design = (of_name[:, None] == np.arange(int(groups.max(initial=-1)) + 1)).astype(np.float64)
    return CrossedTable(successes=sums[0], trials=sums[1], design=design, one_way=shape[1] < 2), of_name, shape[1]


def _unfit(table: CrossedTable, of_name: Ints) -> str | None:
    """Return why no model can be fitted."""
    groups = table.design.shape[1]
    if groups < 2:
        return f"A comparison of groups needs two of them; there are decisions about {groups}."
    n = table.design.T @ table.trials.sum(axis=1)
    accepted = table.design.T @ table.successes.sum(axis=1)
    if accepted.sum() in {0, n.sum()}:
        return "All decisions are the same."
    if ((accepted == 0) | (accepted == n)).any():
        return "All decisions about one group are the same, so its odds are not finite, nor is the mean of all."
    fewest = int(np.bincount(of_name).min())
    if fewest < FEWEST_NAMES:
        counted = f"{fewest} name{'' if fewest == 1 else 's'}"
        return f"A group has {counted}; how much names differ takes at least {FEWEST_NAMES} in each."
    return None


def _groups(effects: Floats, variance: Floats, df: int, *, confidence: float) -> tuple[GroupOdds, ...]:
    interval = t_interval(effects, variance, df, confidence=confidence)
    ends = np.exp([effects, interval.low, interval.high])
    columns = np.stack([*ends, interval.standard_error, interval.t, interval.p], axis=1).tolist()
    names = ("odds_ratio", "low", "high", "standard_error", "t", "p")
    return tuple(GroupOdds(**dict(zip(names, row, strict=True))) for row in columns)


def _spread(search: RestrictedSearch, logs: Logs, which: int, *, levels: int, z: float) -> Spread:
    low, high = search.profile(logs, which, z=z)
    return Spread(sd=sds_of(logs)[which], low=low, high=high, levels=levels)


def _dispersion(table: CrossedTable, mode: Mode, sds: tuple[float, float]) -> float | None:
    """Return Pearson's χ² per degree of freedom, every level of the random intercepts taken as a parameter."""
    used = table.trials > 0
    df = int(used.sum()) - sum(table.levels)
    if df < 1:
        return None
    mean = expit(table.log_odds(mode.point, sds))[used]
    y, n = table.successes[used], table.trials[used]
    return float(((y - n * mean) ** 2 / (n * mean * (1.0 - mean))).sum() / df)
