"""Logistic regression on counts, with a check for perfectly predicted cells.

`clustered_logistic` has odds ratios without an assumption about how names differ; it needs statsmodels, an extra.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.cluster_robust import multiway_variance, t_interval
from evenhand.stats.special import chdtrc, expit, log_expit, xlogy

#: What is left of a column (a row) of length 1 when it is a combination of others.
NEGLIGIBLE = 1e-9
#: A linear program's solution is right to about this much.
SOLVED = 1e-6


def independent_columns(design: _arrays.Floats) -> _arrays.Flags:
    """Return which columns are no combination of the columns before them.

    >>> independent_columns(np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 1.0]])).tolist()
    [True, False, True]
    """
    independent = np.zeros(design.shape[1], dtype=np.bool_)
    basis = np.zeros((design.shape[0], 0))
    for place, column in enumerate(design.T):
        size = np.linalg.norm(column)
        if size == 0:
            continue
        rest = column / size
        for _ in range(2):  # once leaves rounding of the size of the basis
            rest = rest - basis @ (basis.T @ rest)
        length = np.linalg.norm(rest)
        if length > NEGLIGIBLE:
            independent[place] = True
            basis = np.column_stack([basis, rest / length])
    return independent


def row_space(design: _arrays.Floats) -> _arrays.Floats:
    """Return orthonormal columns that span the rows; none for an empty design."""
    if not design.size:
        return np.zeros((design.shape[1], 0))
    _, values, directions = np.linalg.svd(design, full_matrices=False)
    return np.asarray(directions[values > NEGLIGIBLE * values.max(initial=0.0) * np.sqrt(design.shape[0])].T)


def separated_rows(design: _arrays.Floats, successes: _arrays.Floats, trials: _arrays.Floats) -> _arrays.Flags:
    """Return the rows that are predicted perfectly as some coefficients go to infinity.

    A direction in which the log odds grow nowhere with failures, fall nowhere with
    successes, and move somewhere. Rows with both outcomes can't move, so the direction is
    sought among those that leave them as they are: mostly there is none, and no linear
    program is solved. (Albert and Anderson 1984, Biometrika 71, 1-10; Konis 2007,
    dissertation, University of Oxford, chapter 4.)

    >>> one_column = np.ones((2, 1))
    >>> separated_rows(one_column, np.array([3.0, 2.0]), np.array([3.0, 2.0])).tolist()
    [True, True]
    >>> separated_rows(one_column, np.array([3.0, 0.0]), np.array([3.0, 2.0])).tolist()
    [False, False]
    """
    won, lost = successes == trials, successes == 0
    free = _complement(row_space(design[~(won | lost)]))
    separated = np.zeros(trials.shape, dtype=np.bool_)
    pushed = np.where(won, 1.0, -1.0)[:, None] * (design @ free)
    sizes = np.linalg.norm(pushed, axis=1)
    movable = (won | lost) & (sizes > NEGLIGIBLE * np.linalg.norm(design, axis=1))
    while free.shape[1] and (movable & ~separated).any():
        # Few tables have such cells, and this takes a while to load.
        from scipy.optimize import linprog  # noqa: PLC0415

        rows = np.flatnonzero(movable & ~separated)
        along = pushed[rows] / sizes[rows][:, None]
        solved = linprog(-along.sum(axis=0), A_ub=-along, b_ub=np.zeros(rows.size), bounds=(-1, 1), method="highs")
        moved = rows[along @ solved.x > SOLVED]
        if not moved.size:
            break
        # Rows found may move back in the next direction: it is taken with a lesser weight than this one.
        separated[moved] = True
    return separated


def _complement(basis: _arrays.Floats) -> _arrays.Floats:
    """Return orthonormal columns that span what the given ones don't."""
    whole, _ = np.linalg.qr(basis, mode="complete")
    return np.asarray(whole[:, basis.shape[1] :])


ITERATIONS = 100
#: Relative change of the deviance at which Newton's steps have arrived; the next step is taken as well.
ARRIVED = 1e-10
#: Length of what is left of a column's axis outside the space that the data speak about.
ESTIMABLE = 1e-6

COMBINATION = "The column is a combination of columns before it, so it is left out."
NO_MORE = "The columns tell nothing that the others don't."
NO_LIMIT = "All or none were selected in cells that only this column tells apart, so its coefficient has no limit."


@dataclass(frozen=True, kw_only=True)
class LogisticTerm:
    """Whether the columns of one name tell anything about selection, beside all others."""

    name: str
    df: int
    wald: float | None
    p_wald: float | None
    likelihood_ratio: float | None
    p_likelihood_ratio: float | None
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class LogisticCounts:
    """A fitted regression: one entry per column of the design, one term per name.

    Where an entry of `reasons` is not '' that column's numbers are NaN; where `reason` is
    given all are. `separated` counts the people in cells that are predicted perfectly.
    """

    names: tuple[str, ...]
    estimate: _arrays.Floats
    standard_error: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    z: _arrays.Floats
    p: _arrays.Floats
    reasons: _arrays.Strings
    terms: tuple[LogisticTerm, ...]
    log_likelihood: float | None
    deviance: float | None
    df_residual: int
    separated: int
    confidence: float
    n: int
    cells: int
    method: str
    reason: str | None


@dataclass(frozen=True)
class _Data:
    """Cells with anybody in them."""

    X: _arrays.Floats
    y: _arrays.Floats
    trials: _arrays.Floats


@dataclass(frozen=True)
class _Fit:
    """Maximum likelihood of some columns: coefficients and covariance in all of the columns' space."""

    coefficients: _arrays.Floats
    covariance: _arrays.Floats
    estimable: _arrays.Floats
    log_likelihood: float
    separated: float
    converged: bool


def logistic_counts(
    design: ArrayLike, successes: ArrayLike, trials: ArrayLike, *, names: Sequence[str], confidence: float = 0.95
) -> LogisticCounts:
    """Return coefficients in log odds of a logistic regression on counts, and a test per term.

    Formula: successes_i ~ Bin(trials_i, p_i), logit p = Xβ, by maximum likelihood (Newton's
    method); β ± z SE. Columns of one name are a term: Wald β'V⁻¹β over its columns, and twice
    the log likelihood lost without them, both χ² on as many degrees of freedom.
    `design` has shape (cells, columns), an intercept among them where one is wanted.
    Assumes independent people within and between cells, and that log odds add up. What was
    selected by the same reasons as the outcome (a rating, say) must not be a column.
    Fails: a column that is a combination of those before it is left out. Where all or none
    were selected in cells that a column tells apart, its coefficient is null; the others are
    those of the limit, from the remaining cells, and the term has its likelihood ratio.
    Null when nobody is counted, or nobody or everybody was selected.

    References: McCullagh and Nelder (1989), Generalized Linear Models, 2nd edition, section
    4.4; Albert and Anderson (1984), Biometrika 71, 1-10, for cells predicted perfectly.

    3 of 4 against 1 of 4: log odds of log 3 less log ⅓ = 2 log 3, with SE √(4·(1/3 + 1)/2).

    >>> fit = logistic_counts([[1, 1], [1, 0]], [3, 1], [4, 4], names=["intercept", "focal"])
    >>> round(float(np.exp(fit.estimate[1])), 9), round(float(fit.standard_error[1]), 4)
    (9.0, 1.633)
    """
    z = _arrays.normal_quantile(confidence)
    _, (s, n) = _arrays.read_counts(successes=successes, trials=trials)
    _arrays.check_selected(s, n, "successes", "trials")
    X = np.asarray(design, dtype=np.float64)
    if X.ndim != 2 or X.shape != (s.size, len(names)) or not np.isfinite(X).all():
        message = f"design must be finite, one row per cell and one column per name ({s.size}, {len(names)})."
        raise ValueError(f"{message} Its shape is {X.shape}.")
    used = n > 0
    y, trial, X = s[used].astype(np.float64), n[used].astype(np.float64), X[used]
    # Columns of one size, so that one bound tells what is negligible in each.
    scale = np.maximum(np.abs(X).max(axis=0, initial=0.0), 1e-300)
    X = X / scale
    reason = _unfit(y, trial)
    used_columns = independent_columns(X)
    whole = _fit(X[:, used_columns], y, trial) if reason is None else None
    if whole is not None and not whole.converged:
        reason = "The regression did not converge."
    estimate, error = np.full(len(names), np.nan), np.full(len(names), np.nan)
    column_reasons = np.array([reason or ("" if is_used else COMBINATION) for is_used in used_columns], dtype=object)
    terms: tuple[LogisticTerm, ...] = ()
    if whole is not None and reason is None:
        column_reasons[used_columns] = np.where(whole.estimable, "", NO_LIMIT)
        finite = column_reasons == ""
        estimate[finite] = whole.coefficients[whole.estimable] / scale[finite]
        error[finite] = np.sqrt(np.diag(whole.covariance)[whole.estimable]) / scale[finite]
        data, columns = _Data(X, y, trial), np.asarray(names)
        terms = tuple(_term(data, whole, name, columns == name) for name in dict.fromkeys(names))
    likelihood = None if whole is None or reason is not None else whole.log_likelihood
    saturated = float((xlogy(y, y / trial) + xlogy(trial - y, 1 - y / trial)).sum())
    with np.errstate(invalid="ignore"):
        return LogisticCounts(
            names=tuple(names),
            estimate=estimate,
            standard_error=error,
            low=estimate - z * error,
            high=estimate + z * error,
            z=estimate / error,
            p=_arrays.normal_p(estimate / error),
            reasons=column_reasons.astype(np.str_),
            terms=terms,
            log_likelihood=likelihood,
            deviance=None if likelihood is None else max(2 * (saturated - likelihood), 0.0),
            df_residual=max(int(used.sum()) - int(used_columns.sum()), 0),
            separated=0 if whole is None else int(whole.separated),
            confidence=confidence,
            n=int(n.sum()),
            cells=int(used.sum()),
            method="logistic regression, maximum likelihood",
            reason=reason,
        )


def _unfit(y: _arrays.Floats, trials: _arrays.Floats) -> str | None:
    if not trials.size:
        return "Nobody was counted."
    if y.sum() in {0, trials.sum()}:
        return f"{'Nobody' if y.sum() == 0 else 'Everybody'} was selected, so there is nothing to explain."
    return None


def _fit(X: _arrays.Floats, y: _arrays.Floats, trials: _arrays.Floats) -> _Fit:
    """Return the limit of the likelihood: cells predicted perfectly are taken out and add nothing to it."""
    out = separated_rows(X, y, trials)
    space = row_space(X[~out]) if out.any() else np.eye(X.shape[1])
    columns, won, n = X[~out] @ space, y[~out], trials[~out]
    odds = np.log((won + 0.5) / (n - won + 0.5))
    coefficients, likelihood, last = np.zeros(space.shape[1]), -np.inf, False
    weights = n * expit(odds) * expit(-odds)
    for _ in range(ITERATIONS):
        root = np.sqrt(weights)
        response = odds + (won - n * expit(odds)) / weights
        step = np.linalg.lstsq(root[:, None] * columns, root * response, rcond=None)[0] - coefficients
        now = _log_likelihood(columns @ (coefficients + step), won, n)
        while now < likelihood - ARRIVED * abs(likelihood) and np.abs(step).max() > ARRIVED:
            step = step / 2
            now = _log_likelihood(columns @ (coefficients + step), won, n)
        coefficients = coefficients + step
        odds = columns @ coefficients
        weights = n * expit(odds) * expit(-odds)
        done, last, likelihood = last, abs(now - likelihood) <= ARRIVED * (1 + abs(now)), now
        if done and last:
            break
    information = (weights[:, None] * columns).T @ columns
    covariance = space @ np.linalg.pinv(information, hermitian=True) @ space.T
    outside = np.linalg.norm(np.eye(X.shape[1]) - space @ space.T, axis=0)
    return _Fit(
        coefficients=space @ coefficients,
        covariance=covariance,
        estimable=outside < ESTIMABLE,
        log_likelihood=likelihood if columns.size else _log_likelihood(np.zeros(won.size), won, n),
        separated=float(trials[out].sum()),
        converged=last or not columns.size,
    )


def _log_likelihood(log_odds: _arrays.Floats, won: _arrays.Floats, n: _arrays.Floats) -> float:
    return float((won * log_expit(log_odds) + (n - won) * log_expit(-log_odds)).sum())


def _term(data: _Data, whole: _Fit, name: str, own_columns: _arrays.Flags) -> LogisticTerm:
    """Return the tests of one name's columns."""
    without = independent_columns(data.X[:, ~own_columns])
    used_columns = independent_columns(data.X)
    df = int(used_columns.sum() - without.sum())
    if df == 0:
        return LogisticTerm(
            name=name, df=0, wald=None, p_wald=None, likelihood_ratio=None, p_likelihood_ratio=None, reason=NO_MORE
        )
    smaller = _fit(data.X[:, ~own_columns][:, without], data.y, data.trials)
    ratio = max(2 * (whole.log_likelihood - smaller.log_likelihood), 0.0) if smaller.converged else None
    mine = own_columns[used_columns]
    wald, reason = None, None
    if not whole.estimable[mine].all():
        reason = "A coefficient has no limit; read the likelihood ratio."
    elif mine.sum() != df:
        reason = "Other columns partly tell the same; read the likelihood ratio."
    else:
        effects = whole.coefficients[mine]
        wald = float(effects @ np.linalg.solve(whole.covariance[np.ix_(mine, mine)], effects))
    return LogisticTerm(
        name=name,
        df=df,
        wald=wald,
        p_wald=_tail(df, wald),
        likelihood_ratio=ratio,
        p_likelihood_ratio=_tail(df, ratio),
        reason=reason if ratio is not None else "The regression without these columns did not converge.",
    )


def _tail(df: int, statistic: float | None) -> float | None:
    return None if statistic is None else float(_arrays.positive_p(np.asarray(chdtrc(df, statistic))))


METHOD = "logistic regression with each role's own intercept, cluster-robust name (statsmodels)"


@dataclass(frozen=True, kw_only=True)
class ClusteredLogistic:
    """Per group in the order of the codes: odds over the geometric mean of all groups' odds, with interval.

    All three are empty where there is a `reason`.
    """

    odds_ratio: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    df: int
    method: str
    reason: str | None


def clustered_logistic(
    accepted: ArrayLike,
    n: ArrayLike,
    *,
    group: ArrayLike,
    name: ArrayLike,
    role: ArrayLike,
    confidence: float = 0.95,
) -> ClusteredLogistic:
    """Return each group's odds ratio to the mean of all, from a regression without random effects.

    Formula: logit p = β_group + c_role, fitted by maximum likelihood to groups × roles (names
    of a group and role have one p, so nothing is lost); the variance is the sandwich with
    scores summed by name, times G/(G - 1) for G names; log odds ratio = β_g less the mean of
    all β; t on names less groups.
    `accepted` and `n` are counts per cell; `group`, `name` and `role` integer codes.
    Assumes independent names, and some ten of them per group: with fewer the intervals
    are too short. Says nothing about how far names differ. Averaged over names, log odds
    ratios are smaller than at one name: by 1.5 % at an SD of names of .3, by 14 % at 1.
    Fails: null where a group has one outcome only, or statsmodels does not converge. Roles
    with one outcome only tell nothing about groups and are left out.

    Reference: Liang and Zeger (1986), Biometrika 73, 13-22; for the attenuation Zeger,
    Liang and Albert (1988), Biometrics 44, 1049-1060, section 3.
    """
    # The extra brings pandas along; nothing else of evenhand needs either.
    import statsmodels.api as sm  # noqa: PLC0415

    _arrays.check_confidence(confidence)
    y, trials = np.asarray(accepted, dtype=np.float64), np.asarray(n, dtype=np.float64)
    roles = np.unique(np.asarray(role), return_inverse=True)[1]
    of_role, won = (np.bincount(roles, weights=values) for values in (trials, y))
    used = ((won > 0) & (won < of_role))[roles] & (trials > 0)
    size = np.unique(np.asarray(group)[trials > 0]).size
    y, trials = y[used], trials[used]
    present, groups = np.unique(np.asarray(group)[used], return_inverse=True)
    levels, roles = np.unique(roles[used], return_inverse=True)
    names = np.unique(np.asarray(name)[used], return_inverse=True)[1]
    in_group, accepted_in = (np.bincount(groups, weights=values, minlength=size) for values in (trials, y))
    df = int(names.max(initial=-1)) + 1 - size
    if present.size < max(size, 2) or df < 1 or ((accepted_in == 0) | (accepted_in == in_group)).any():
        return _nothing(df, "A group has one outcome only in the roles that have both.")
    cell = groups * levels.size + roles
    cells = np.unique(cell)
    of_group, at = cells // levels.size, cells % levels.size
    design = np.concatenate([of_group[:, None] == np.arange(size), at[:, None] == np.arange(1, levels.size)], axis=1)
    counts = np.stack([np.bincount(cell, weights=values)[cells] for values in (y, trials - y)], axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what statsmodels warns of is checked below
        fitted = sm.GLM(counts, design.astype(np.float64), family=sm.families.Binomial()).fit(maxiter=100)
    # Each cell's influence on the coefficients: inverse information times its score.
    place = np.searchsorted(cells, cell)
    residual = y - trials * np.asarray(fitted.fittedvalues)[place]
    contrast = np.eye(size) - 1.0 / size
    influence = residual[:, None] * (design @ np.asarray(fitted.cov_params())[:, :size] @ contrast)[place]
    effects = contrast @ np.asarray(fitted.params)[:size]
    variance = multiway_variance(influence, [names]).variance
    if not fitted.converged or not np.isfinite(effects).all() or not (variance > 0).all():
        return _nothing(df, "The regression without random effects did not converge, or nothing varies.")
    interval = t_interval(effects, variance, df, confidence=confidence)
    return ClusteredLogistic(
        odds_ratio=np.exp(effects),
        low=np.exp(interval.low),
        high=np.exp(interval.high),
        df=df,
        method=METHOD,
        reason=None,
    )


def _nothing(df: int, reason: str) -> ClusteredLogistic:
    none = np.zeros(0)
    return ClusteredLogistic(odds_ratio=none, low=none, high=none, df=max(df, 0), method=METHOD, reason=reason)
