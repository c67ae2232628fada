"""Selection rates that groups would have with the qualifications of all people: standardisation (g-computation)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.cluster_robust import multiway_variance
from evenhand.stats.logistic import NEGLIGIBLE, independent_columns, robust_contrasts
from evenhand.stats.special import expit, stdtrit

#: Of fewer selected (or not selected) people for each coefficient the likelihood is penalised.
FEWEST_EVENTS = 5
#: Of sparse strata so many or more the penalty would draw the difference to none.
MANY_STRATA = 10
#: Newton's steps of a likelihood without a finite maximum don't end within so many.
ITERATIONS, PENALISED_ITERATIONS = 25, 500
ARRIVED, MOVING, LONGEST_STEP = 1e-9, 1e-3, 5.0
#: A coefficient of which so little of the information at first is left has none either.
LEAST_INFORMATION = 1e-6
#: CR2 diagonalises a matrix of all coefficients for each cluster; above so many operations the sums of influences are
#: used, which many clusters allow.
MOST_OPERATIONS = 3e8
#: The name of the columns of groups.
GROUP = "the group"

MAXIMUM_LIKELIHOOD = "logistic regression with an intercept per stratum"
FLIC = "Firth's logistic regression with intercept correction (FLIC)"
LEAST_SQUARES = "least squares with an intercept per stratum"
CONFOUNDED = (
    "No people of the group and of another one have the same other values, so the effect of the group can't be "
    "estimated."
)
NO_REFERENCE = "Nobody of the reference group would be selected, so there is no ratio."
NO_OUTCOMES = "Nobody, or everybody, was selected, so there is nothing to adjust."
NOT_CONVERGED = "The regression did not converge."


@dataclass(frozen=True, kw_only=True)
class StandardisedRates:
    """Selection rates of all people as if of each group, and each group's difference and ratio to the first one.

    `rates` have an entry per group, the others one per group but the first; NaN where `reasons` says why. `p` tests the
    difference; `log_odds` are the groups' coefficients, `log_odds_t` their tests. `sparse` says why the likelihood was
    penalised, `separating` names the columns without a finite estimate (`group_separated`: a group is one), `collinear`
    those that are combinations of others. `same_outcome` counts the strata in which everybody, or nobody, was selected,
    `one_group` those with people of one group, and `people_one_group` the people in them.
    """

    rates: _arrays.Floats
    difference: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    standard_error: _arrays.Floats
    ratio: _arrays.Floats
    ratio_low: _arrays.Floats
    ratio_high: _arrays.Floats
    df: _arrays.Floats
    p: _arrays.Floats
    log_odds: _arrays.Floats
    log_odds_low: _arrays.Floats
    log_odds_high: _arrays.Floats
    log_odds_t: _arrays.Floats
    log_odds_df: _arrays.Floats
    log_odds_p: _arrays.Floats
    reasons: tuple[str, ...]
    sparse: str | None
    separating: tuple[str, ...]
    group_separated: bool
    collinear: tuple[str, ...]
    strata: int
    same_outcome: int
    one_group: int
    people_one_group: int
    n: int
    confidence: float
    method: str


@dataclass(frozen=True)
class _Rows:
    """Counts by pattern: stratum, columns (qualifications, then groups but the first), successes and trials."""

    stratum: _arrays.Ints
    X: _arrays.Floats
    y: _arrays.Floats
    n: _arrays.Floats

    @property
    def strata(self) -> int:
        """The number of strata; codes have no gaps."""
        return int(self.stratum.max(initial=-1)) + 1

    def take(self, used: _arrays.Flags) -> "_Rows":
        """Return some rows, their strata numbered anew."""
        stratum = np.unique(self.stratum[used], return_inverse=True)[1].astype(np.int64)
        return _Rows(stratum, self.X[used], self.y[used], self.n[used])

    def columns(self, kept: _arrays.Flags) -> "_Rows":
        """Return the rows with some of the columns."""
        return replace(self, X=self.X[:, kept])

    def independent(self) -> _arrays.Flags:
        """Return which columns are no combination of strata and of the columns before them."""
        if not self.n.size:
            return np.zeros(self.X.shape[1], dtype=np.bool_)
        sums, people = self.by_stratum(self.X), np.bincount(self.stratum)
        centred = self.X - (sums / people[:, None])[self.stratum]
        # Rounding of the means is no difference within strata.
        centred[:, np.abs(centred).max(axis=0) <= NEGLIGIBLE * np.abs(self.X).max(axis=0)] = 0.0
        return independent_columns(centred)

    def by_stratum(self, values: _arrays.Floats) -> _arrays.Floats:
        """Return sums by stratum of a column, or of several."""
        columns = values.reshape(len(values), int(np.prod(values.shape[1:]))).T
        sums = np.zeros((self.strata, len(columns)))
        for place, column in enumerate(columns):
            sums[:, place] = np.bincount(self.stratum, weights=column, minlength=self.strata)
        return sums.reshape(self.strata, *values.shape[1:])


@dataclass(frozen=True)
class _Information:
    """The information of intercepts per stratum and of columns, solved by the intercepts first.

    `per_stratum` is that of each intercept, `means` are the columns' weighted means of each stratum, and `inverse` is
    the covariance of the columns' coefficients.
    """

    per_stratum: _arrays.Floats
    means: _arrays.Floats
    centred: _arrays.Floats
    inverse: _arrays.Floats

    @classmethod
    def of(cls, rows: _Rows, weights: _arrays.Floats) -> "_Information":
        per_stratum = rows.by_stratum(weights)
        means = rows.by_stratum(weights[:, None] * rows.X) / np.maximum(per_stratum, 1e-300)[:, None]
        centred = rows.X - means[rows.stratum]
        inverse = np.asarray(np.linalg.pinv((weights[:, None] * centred).T @ centred, hermitian=True), dtype=np.float64)
        return cls(per_stratum, means, centred, inverse)

    def leverage(self, rows: _Rows, weights: _arrays.Floats) -> _arrays.Floats:
        """Return the diagonal of the hat matrix, summed over the people of each pattern."""
        along = np.einsum("ij,jk,ik->i", self.centred, self.inverse, self.centred)
        return np.asarray(weights * (1 / np.maximum(self.per_stratum, 1e-300)[rows.stratum] + along))

    def solve(self, rows: _Rows, score: _arrays.Floats) -> tuple[_arrays.Floats, _arrays.Floats]:
        """Return the step of the intercepts and of the columns' coefficients."""
        of_columns = self.inverse @ (self.centred.T @ score)
        return rows.by_stratum(score) / np.maximum(self.per_stratum, 1e-300) - self.means @ of_columns, of_columns

    def turned(self, intercepts: _arrays.Floats, columns: _arrays.Floats) -> _arrays.Floats:
        """Return contrasts of the columns that are left once the intercepts are solved; a row per contrast."""
        return np.asarray(columns - intercepts @ self.means)

    def variance(self, intercepts: _arrays.Floats, columns: _arrays.Floats) -> _arrays.Floats:
        """Return the variance of contrasts, one per row."""
        left = self.turned(intercepts, columns)
        own = (intercepts**2 / np.maximum(self.per_stratum, 1e-300)).sum(axis=1)
        return np.asarray(own + np.einsum("ij,jk,ik->i", left, self.inverse, left))


def standardised_rates(
    group: ArrayLike,
    qualifications: ArrayLike,
    stratum: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    names: Sequence[str] = (),
    clusters: Sequence[ArrayLike] = (),
    confidence: float = 0.95,
) -> StandardisedRates:
    """Return the rates that all people would have as members of each group, with qualifications and stratum as now.

    A row is `trials` people of one `group` (codes from 0, the reference) and `stratum` (codes) with the same
    `qualifications` (rows, columns), of whom `successes` were selected; `clusters` are one or two columns of codes.
    Formula: logit p = a_stratum + b_group + z d; the rate of group g is Σ_i n_i expit(a_i + b_g + z_i d)/Σ n_i over all
    rows, whatever their own group. Differences and log ratios have their variance by the delta method, g'Vg with V the
    inverse information, or CR2 with t on Satterthwaite's degrees of freedom (with very many coefficients, and where a
    stratum lies within one cluster, those of the columns once the intercepts are solved, V at least that of the sums of
    the clusters' influences); people and their qualifications are taken as given, so that V is not that of other
    people. In strata where everybody, or nobody, was selected the rate is that of all groups. Where a coefficient has
    no finite estimate, or fewer than 5 people were selected (or were not) per coefficient, the likelihood is penalised
    (Firth), and the intercepts are moved together so that as many people are expected as were selected: Firth's penalty
    alone draws all rates towards one half. Of 10 sparse strata or more it would draw the difference to none as well:
    there the rate itself is a_stratum + b_group + z d by least squares, with CR2 by clusters or strata (the log odds
    stay those of the penalised likelihood).
    Assumes independent people (or clusters), and one odds ratio in all strata.
    Fails: null for a group that strata and qualifications tell from all others, and where nobody or everybody was
    selected.

    References: Lane and Nelder (1982), Biometrics 38, 613-621 (standardisation); Firth (1993), Biometrika 80, 27-38;
    Puhr et al. (2017), Statistics in Medicine 36, 2302-2317 (FLIC); Vittinghoff and McCulloch (2007), American Journal
    of Epidemiology 165, 710-718 (5 events per coefficient).

    Without strata and qualifications the rates are those of the groups, 20 of 100 and 30 of 100, and the variance is
    that of two proportions, (.2·.8 + .3·.7)/100.

    >>> fit = standardised_rates([0, 1], np.zeros((2, 0)), [0, 0], [30, 20], [100, 100])
    >>> np.round([fit.difference[0], fit.ratio[0], fit.standard_error[0] ** 2], 6).tolist()
    [-0.1, 0.666667, 0.0037]
    """
    _arrays.check_confidence(confidence)
    s, n = _arrays.read_sums(successes=successes, trials=trials)
    Z, used = np.asarray(qualifications, dtype=np.float64), n > 0
    if Z.ndim != 2 or Z.shape != (n.size, len(names)) or not np.isfinite(Z).all():
        raise ValueError(f"qualifications must be finite, one row per cell and one column per name, got {Z.shape}.")
    codes = np.asarray(group)[used].astype(np.int64)
    size, strata = int(codes.max(initial=0)) + 1, np.unique(np.asarray(stratum)[used], return_inverse=True)[1]
    member = codes[:, None] == np.arange(size)
    every = _Rows(
        strata.astype(np.int64),
        np.column_stack([Z[used], member[:, 1:]]),
        s[used].astype(np.float64),
        n[used].astype(np.float64),
    )
    model = _model(every, [*names, *([GROUP] * (size - 1))])
    people, present = every.by_stratum(every.n), every.by_stratum(member * every.n[:, None]) > 0
    alone = present.sum(axis=1) < 2
    numbers: dict[str, Any] = {"strata": every.strata, "n": round(every.n.sum()), "confidence": confidence}
    numbers |= {"same_outcome": int(model.fixed.sum()), "one_group": int(alone.sum())}
    numbers |= {"people_one_group": int(people[alone].sum()), "method": model.method, "sparse": model.sparse}
    numbers |= {
        side: tuple(name for name in getattr(model, side) if name != GROUP) for side in ("separating", "collinear")
    }
    numbers |= {"group_separated": GROUP in model.separating}
    known = model.kept[len(names) :]
    if model.reason is not None:
        nothing = np.full(size - 1, np.nan)
        columns = "difference low high standard_error ratio ratio_low ratio_high df p log_odds log_odds_low"
        columns = f"{columns} log_odds_high log_odds_t log_odds_df log_odds_p"
        numbers |= dict.fromkeys(columns.split(), nothing) | {"rates": np.full(size, np.nan)}
        return StandardisedRates(**numbers, reasons=(model.reason,) * (size - 1))
    rates, gradients = _predicted(every, model, size)
    rates = np.where(np.minimum(rates, 1 - rates) < NEGLIGIBLE, np.round(rates), rates)
    rates[1:][~known] = np.nan
    ways = [np.asarray(way)[used] for way in clusters]
    linear = _least_squares(every, size, ways) if model.sparse is not None and every.strata >= MANY_STRATA else None
    if linear is not None:
        rates, numbers["method"] = linear.rates, LEAST_SQUARES
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(rates[0] > 0, rates[1:] / rates[0], np.nan)
        logs = np.where(rates > 0, 1 / rates, np.nan)[:, None] * gradients
    # The coefficients of the groups are the last ones.
    odds = np.zeros((size - 1, gradients.shape[1]))
    odds[known, gradients.shape[1] - int(known.sum()) :] = np.eye(int(known.sum()))
    contrasts = np.concatenate([gradients[1:] - gradients[0], logs[1:] - logs[0], odds])
    usable = np.isfinite(contrasts).all(axis=1)
    error, df = _errors(model, np.where(usable[:, None], contrasts, 0.0), ways)
    if linear is not None:
        both = slice(0, 2 * (size - 1))
        error[both], df[both], usable[both] = linear.errors, linear.df, np.isfinite(linear.errors)
    error = np.where(usable & (error > 0), error, np.nan)
    t = stdtrit(np.where(df >= 1, df, np.nan), (1 + confidence) / 2)
    half, log_half, odds_half = np.split(t * error, 3)
    (first_error, _, odds_error), (first_df, _, odds_df) = (np.split(values, 3) for values in (error, df))
    difference = rates[1:] - rates[0]
    log_odds = np.full(size - 1, np.nan)
    log_odds[known] = model.coefficients[model.coefficients.size - int(known.sum()) :]
    return StandardisedRates(
        rates=rates,
        difference=difference,
        low=difference - half,
        high=difference + half,
        standard_error=first_error,
        ratio=ratio,
        ratio_low=ratio * np.exp(-log_half),
        ratio_high=ratio * np.exp(log_half),
        df=first_df,
        p=_arrays.t_p(difference / first_error, first_df),
        log_odds=log_odds,
        log_odds_low=log_odds - odds_half,
        log_odds_high=log_odds + odds_half,
        log_odds_t=log_odds / odds_error,
        log_odds_df=odds_df,
        log_odds_p=_arrays.t_p(log_odds / odds_error, odds_df),
        reasons=tuple(CONFOUNDED if not is_known else "" if rates[0] > 0 else NO_REFERENCE for is_known in known),
        **numbers,
    )


@dataclass(frozen=True)
class _Model:
    """A fitted model: `rows` are those that were fitted, `used` which ones of all; `intercepts` are of all strata."""

    rows: _Rows
    used: _arrays.Flags
    fixed: _arrays.Flags
    kept: _arrays.Flags
    intercepts: _arrays.Floats
    coefficients: _arrays.Floats
    method: str
    sparse: str | None
    separating: tuple[str, ...]
    collinear: tuple[str, ...]
    reason: str | None

    @property
    def fitted_strata(self) -> _arrays.Flags:
        """The strata that have a fitted intercept."""
        return np.asarray(np.isfinite(self.intercepts))


def _model(every: _Rows, names: Sequence[str]) -> _Model:
    """Return the likelihood's maximum where it is finite and cells are not sparse, else that of FLIC."""
    won, people = every.by_stratum(every.y), every.by_stratum(every.n)
    fixed = (won == 0) | (won == people)
    informative = ~fixed[every.stratum]
    rows = every.take(informative)
    kept = rows.independent()
    columns = int(kept.sum())
    if not informative.any():
        nothing = np.zeros(0)
        return _Model(
            rows, informative, fixed, kept, nothing, nothing, MAXIMUM_LIKELIHOOD, None, (), (), reason=NO_OUTCOMES
        )
    fit = _fitted(rows.columns(kept))
    # Where a column predicts all, no information is left of any: those that separate are far from 0.
    reach = np.abs(fit.coefficients) * np.abs(rows.X[:, kept] - rows.X[:1, kept]).max(axis=0, initial=0.0)
    far = fit.moving & (reach >= reach.max(initial=0.0) / 3)
    separating = tuple(dict.fromkeys(names[place] for place in np.flatnonzero(kept)[far]))
    events, parameters = min(rows.y.sum(), (rows.n - rows.y).sum()), rows.strata + columns - 1
    sparse = None
    if every.strata == 1 and separating in {(), (GROUP,)} and len(names) == sum(name == GROUP for name in names):
        # Rates of groups need no regression: nobody of a group is a rate of 0.
        fit = replace(fit, arrived=True)
    elif not fit.arrived:
        sparse = "a column predicts the selection of some people perfectly"
    elif events < FEWEST_EVENTS * parameters:
        sparse = f"{events:,.0f} people selected, or not, for {parameters:,} coefficients"
    intercepts = np.where(won == 0, -np.inf, np.inf)
    if sparse is None:
        intercepts[~fixed] = fit.intercepts
    else:
        rows, informative, kept = every, np.ones(every.n.shape, dtype=np.bool_), every.independent()
        fit = _corrected(rows.columns(kept), _fitted(rows.columns(kept), penalised=True))
        intercepts = fit.intercepts
    return _Model(
        rows=rows.columns(kept),
        used=informative,
        fixed=fixed,
        kept=kept,
        intercepts=intercepts,
        coefficients=fit.coefficients,
        method=MAXIMUM_LIKELIHOOD if sparse is None else FLIC,
        sparse=sparse,
        separating=separating,
        collinear=tuple(dict.fromkeys(name for name, is_kept in zip(names, kept, strict=True) if not is_kept)),
        reason=None if fit.arrived else NOT_CONVERGED,
    )


@dataclass(frozen=True)
class _Fit:
    """Intercepts and coefficients; `moving` are the columns whose coefficients had not arrived."""

    intercepts: _arrays.Floats
    coefficients: _arrays.Floats
    arrived: bool
    moving: _arrays.Flags

    def log_odds(self, rows: _Rows) -> _arrays.Floats:
        return np.asarray(self.intercepts[rows.stratum] + rows.X @ self.coefficients)


def _fitted(rows: _Rows, *, penalised: bool = False) -> _Fit:
    """Return the maximum of the likelihood, or of Firth's: each pattern has half its leverage more of both outcomes."""
    rates = (rows.by_stratum(rows.y) + 0.5) / (rows.by_stratum(rows.n) + 1)
    intercepts, coefficients = np.log(rates / (1 - rates)), np.zeros(rows.X.shape[1])
    fit = _Fit(intercepts, coefficients, arrived=False, moving=np.ones(coefficients.shape, dtype=np.bool_))
    spread = np.abs(rows.X - rows.X[:1]).max(axis=0, initial=0.0)
    first = np.zeros(0)
    for _ in range(PENALISED_ITERATIONS if penalised else ITERATIONS):
        expected = expit(fit.log_odds(rows))
        weights = rows.n * expected * (1 - expected)
        information = _Information.of(rows, weights)
        left = (weights[:, None] * information.centred**2).sum(axis=0)
        first = first if first.size else left
        score = rows.y - rows.n * expected
        if penalised:
            score = score + information.leverage(rows, weights) * (0.5 - expected)
        of_strata, of_columns = information.solve(rows, score)
        along = np.abs(of_columns) * spread
        shrink = 1 / max(1.0, np.abs(of_strata).max(initial=0.0) / LONGEST_STEP, along.max(initial=0.0) / LONGEST_STEP)
        fit = _Fit(
            fit.intercepts + shrink * of_strata,
            fit.coefficients + shrink * of_columns,
            arrived=bool(max(np.abs(of_strata).max(initial=0.0), along.max(initial=0.0)) < ARRIVED),
            moving=(along > MOVING) | (left < LEAST_INFORMATION * first),
        )
        if fit.arrived:
            break
    return fit if penalised else replace(fit, arrived=fit.arrived and not fit.moving.any())


def _corrected(rows: _Rows, fit: _Fit) -> _Fit:
    """Return the fit with all intercepts moved by one number, so that as many are expected as were selected."""
    odds, moved = fit.log_odds(rows), 0.0
    for _ in range(ITERATIONS):
        expected = expit(odds + moved)
        step = float((rows.y - rows.n * expected).sum() / (rows.n * expected * (1 - expected)).sum())
        moved += step
        if abs(step) < ARRIVED:
            break
    return replace(fit, intercepts=fit.intercepts + moved)


@dataclass(frozen=True)
class _Linear:
    """Rates as if of each group, and the errors and degrees of freedom of the differences, then of the log ratios."""

    rates: _arrays.Floats
    errors: _arrays.Floats
    df: _arrays.Floats


def _least_squares(every: _Rows, size: int, clusters: Sequence[_arrays.Ints]) -> _Linear | None:
    """Return rates with an intercept per stratum that adds to the rate itself; None where one would be no rate.

    Without `clusters` the strata are.
    """
    kept = every.independent()
    rows, total = every.columns(kept), every.n.sum()
    information = _Information.of(rows, every.n)
    coefficients = np.zeros(kept.size)
    coefficients[kept] = information.inverse @ (information.centred.T @ every.y)
    means = every.by_stratum(every.y) / every.by_stratum(every.n)
    score = every.y - every.n * (means[every.stratum] + information.centred @ coefficients[kept])
    groups = slice(kept.size - size + 1, kept.size)
    shares, level = every.n @ every.X[:, groups] / total, every.y.sum() / total
    effects = np.concatenate([[0.0], np.where(kept[groups], coefficients[groups], np.nan)])
    rates = np.asarray(level + effects - shares @ coefficients[groups])
    if not (np.nan_to_num(rates, nan=level) > 0).all() or (rates > 1).any():
        return None
    of_groups = np.zeros((size, kept.size))
    of_groups[1:, groups] = np.eye(size - 1)
    of_rates = of_groups - np.concatenate([np.zeros(kept.size - size + 1), shares])
    with np.errstate(invalid="ignore"):
        logs = of_rates / rates[:, None]
    contrasts = np.nan_to_num(np.concatenate([of_groups[1:], logs[1:] - logs[0]])[:, kept])
    errors, df = _widest(
        [
            _by_clusters(information, every.n, score, codes, contrasts)
            for codes in (
                np.unique(way, return_inverse=True)[1].astype(np.int64) for way in clusters or [every.stratum]
            )
        ]
    )
    # What chance adds to the level of all rates, which their ratio turns on.
    chance = (every.by_stratum(every.y) * (1 - means)).sum() / total**2
    errors[size - 1 :] = np.sqrt(errors[size - 1 :] ** 2 + (1 / rates[1:] - 1 / rates[0]) ** 2 * chance)
    return _Linear(rates, np.where(np.tile(kept[groups], 2), errors, np.nan), df)


def _by_clusters(
    information: _Information,
    weights: _arrays.Floats,
    score: _arrays.Floats,
    codes: _arrays.Ints,
    contrasts: _arrays.Floats,
    *,
    own: _arrays.Floats | float = 0.0,
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return CR2's errors and df of the columns once the intercepts are solved, at least those of summed influences.

    `own` is what the intercepts of each row add to the influence of a score.
    """
    order = np.argsort(codes, kind="stable")
    error, df = robust_contrasts(information.centred[order], weights[order], score[order], codes[order], contrasts)
    influence = score[:, None] * (own + information.centred @ (contrasts @ information.inverse).T)
    return np.fmax(error, np.sqrt(np.asarray(multiway_variance(influence, [codes]).variance))), df


def _widest(ways: Sequence[tuple[_arrays.Floats, _arrays.Floats]]) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return errors and degrees of freedom, each of the way with the larger error."""
    errors, dfs = (np.stack([way[side] for way in ways]) for side in (0, 1))
    widest = np.argmax(np.nan_to_num(errors, nan=np.inf), axis=0)
    return errors[widest, np.arange(errors.shape[1])], dfs[widest, np.arange(errors.shape[1])]


def _predicted(every: _Rows, model: _Model, size: int) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return the rate of all people as if of each group, and its derivatives by fitted intercepts and coefficients."""
    columns = int(model.kept[: every.X.shape[1] - size + 1].sum())
    shared = model.intercepts[every.stratum] + every.columns(model.kept).X[:, :columns] @ model.coefficients[:columns]
    place = columns - 1 + np.cumsum(model.kept[every.X.shape[1] - size + 1 :])
    rates, gradients = np.zeros(size), []
    total = every.n.sum()
    for code in range(size):
        design = every.columns(model.kept).X.copy()
        design[:, columns:] = 0.0
        is_known = code > 0 and model.kept[every.X.shape[1] - size + code]
        odds = shared
        if is_known:
            design[:, place[code - 1]] = 1.0
            odds = shared + model.coefficients[place[code - 1]]
        expected = expit(odds)
        weights = every.n * expected * (1 - expected) / total
        rates[code] = float(every.n @ expected / total)
        gradients.append(np.concatenate([every.by_stratum(weights)[model.fitted_strata], weights @ design]))
    return rates, np.stack(gradients)


def _errors(
    model: _Model, contrasts: _arrays.Floats, clusters: Sequence[_arrays.Ints]
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return the standard errors of contrasts and their degrees of freedom; of two ways of clusters the wider one."""
    rows = model.rows
    intercepts = model.intercepts[model.fitted_strata]
    expected = expit(_Fit(intercepts, model.coefficients, arrived=True, moving=np.zeros(0, bool)).log_odds(rows))
    weights, score = rows.n * expected * (1 - expected), rows.y - rows.n * expected
    information = _Information.of(rows, weights)
    of_strata, of_columns = contrasts[:, : rows.strata], contrasts[:, rows.strata :]
    if not clusters:
        return np.sqrt(information.variance(of_strata, of_columns)), np.full(len(contrasts), np.inf)
    ways = []
    for way in clusters:
        codes = np.unique(way[model.used], return_inverse=True)[1].astype(np.int64)
        pairs = np.unique(np.column_stack([rows.stratum, codes]), axis=0)[:, 0]
        # CR2 leaves out each cluster in turn, and an intercept that one of them alone tells has no other estimate.
        alone = rows.strata > 1 and bool((np.bincount(pairs) == 1).any())
        operations = (codes.max(initial=0) + 1) * float(rows.strata + rows.X.shape[1]) ** 3
        if operations <= MOST_OPERATIONS and not alone:
            order = np.argsort(codes, kind="stable")
            design = np.column_stack([rows.stratum[order, None] == np.arange(rows.strata), rows.X[order]])
            ways.append(
                robust_contrasts(design.astype(np.float64), weights[order], score[order], codes[order], contrasts)
            )
            continue
        own = (of_strata / np.maximum(information.per_stratum, 1e-300)).T[rows.stratum]
        turned = information.turned(of_strata, of_columns)
        ways.append(_by_clusters(information, weights, score, codes, turned, own=own))
    return _widest(ways)
