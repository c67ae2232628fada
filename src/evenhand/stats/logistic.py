"""Logistic regression on counts, with a check for perfectly predicted cells.

`clustered_logistic` has odds ratios without an assumption about how names differ; it needs statsmodels, an extra.
"""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.cluster_robust import multiway_variance, t_interval
from evenhand.stats.special import chdtrc, expit, log_expit, stdtrit

#: What is left of a column (a row) of length 1 when it is a combination of others.
NEGLIGIBLE = 1e-9
#: A linear program's solution is right to about this much.
SOLVED = 1e-6
#: Clusters are looked at in blocks of about this many numbers.
BLOCK = 1 << 20


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
WALD = "Wald"
SCORE = "Score test"
NO_LIMIT = (
    "Among people with the same other values everybody, or nobody, was selected, so the odds ratio is not finite."
)


@dataclass(frozen=True, kw_only=True)
class LogisticCounts:
    """A fitted regression: one entry per column of the design, of which `columns` are no combination of others.

    Where an entry of `reasons` is not '' that column's numbers are NaN, but for `z` and `p` where `test` names one;
    where `reason` is given all are. `separated` counts the people in cells that are predicted perfectly.
    """

    names: tuple[str, ...]
    estimate: _arrays.Floats
    standard_error: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    z: _arrays.Floats
    p: _arrays.Floats
    test: _arrays.Strings
    reasons: _arrays.Strings
    log_likelihood: float | None
    columns: int
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
    separated: _arrays.Flags
    converged: bool


def logistic_counts(
    design: ArrayLike, successes: ArrayLike, trials: ArrayLike, *, names: Sequence[str], confidence: float = 0.95
) -> LogisticCounts:
    """Return coefficients in log odds of a logistic regression on counts.

    Formula: successes_i ~ Bin(trials_i, p_i), logit p = Xβ, by maximum likelihood (Newton's
    method); β ± z SE. `likelihood_ratio` compares it with the regression without some of the columns.
    `design` has shape (cells, columns), an intercept among them where one is wanted.
    Assumes independent people within and between cells, and that log odds add up. What was
    selected by the same reasons as the outcome (a rating, say) must not be a column.
    Fails: a column that is a combination of those before it is left out. Where all or none
    were selected in cells that a column tells apart, its coefficient is null, and z is that of its score test (Rao):
    x'(y - n p)/√(x'w(x - x̂)), p fitted without the column and x̂ its weighted regression on the others. The other
    columns are those of the limit, from the remaining cells.
    Null when nobody is counted, or nobody or everybody was selected.

    References: McCullagh and Nelder (1989), Generalized Linear Models, 2nd edition, section
    4.4; Albert and Anderson (1984), Biometrika 71, 1-10, for cells predicted perfectly.

    3 of 4 against 1 of 4: log odds of log 3 less log ⅓ = 2 log 3, with SE √(4·(1/3 + 1)/2).

    >>> fit = logistic_counts([[1, 1], [1, 0]], [3, 1], [4, 4], names=["intercept", "focal"])
    >>> round(float(np.exp(fit.estimate[1])), 9), round(float(fit.standard_error[1]), 4)
    (9.0, 1.633)
    """
    z = _arrays.normal_quantile(confidence)
    fitted = _estimated(design, successes, trials, names)
    whole, reason, estimate, error = fitted.whole, fitted.reason, fitted.estimate, fitted.error
    trial = fitted.data.trials
    tested = estimate / error
    test = np.where(np.isnan(tested), "", WALD).astype(object)
    for column in np.flatnonzero(fitted.reasons == NO_LIMIT):
        tested[column] = _score_z(fitted, int(column))
        test[column] = "" if np.isnan(tested[column]) else SCORE
    with np.errstate(invalid="ignore"):
        return LogisticCounts(
            names=tuple(names),
            estimate=estimate,
            standard_error=error,
            low=estimate - z * error,
            high=estimate + z * error,
            z=tested,
            p=_arrays.normal_p(tested),
            test=test.astype(np.str_),
            reasons=fitted.reasons,
            log_likelihood=None if whole is None or reason is not None else whole.log_likelihood,
            columns=int(fitted.used_columns.sum()),
            separated=0 if whole is None else int(trial[whole.separated].sum()),
            confidence=confidence,
            n=int(trial.sum()),
            cells=trial.size,
            method="logistic regression, maximum likelihood",
            reason=reason,
        )


def _score_z(fitted: "_Estimated", column: int) -> float:
    """Return Z of the score test of one column beside all others, NaN where there is none."""
    x, y, trials = fitted.data.X[:, column], fitted.data.y, fitted.data.trials
    used = fitted.used_columns.copy()
    used[column] = False
    others = fitted.data.X[:, used]
    null = _fit(others, y, trials)
    expected = expit(others @ null.coefficients)
    weights = np.where(null.separated, 0.0, trials * expected * (1 - expected))
    root = np.sqrt(weights)
    rest = root * x - root[:, None] * others @ np.linalg.lstsq(root[:, None] * others, root * x, rcond=None)[0]
    information = float(rest @ rest)
    if not null.converged or information <= NEGLIGIBLE * float(trials.sum()):
        return np.nan
    return float(np.where(null.separated, 0.0, y - trials * expected) @ x / np.sqrt(information))


@dataclass(frozen=True)
class _Estimated:
    """The regression on all columns that are no combination of others, `data` with columns divided by their `scale`."""

    data: _Data
    scale: _arrays.Floats
    used_columns: _arrays.Flags
    whole: _Fit | None
    estimate: _arrays.Floats
    error: _arrays.Floats
    reasons: _arrays.Strings
    reason: str | None


def _estimated(design: ArrayLike, successes: ArrayLike, trials: ArrayLike, names: Sequence[str]) -> _Estimated:
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
    reasons = np.array([reason or ("" if is_used else COMBINATION) for is_used in used_columns], dtype=object)
    if whole is not None and reason is None:
        reasons[used_columns] = np.where(whole.estimable, "", NO_LIMIT)
        finite = reasons == ""
        estimate[finite] = whole.coefficients[whole.estimable] / scale[finite]
        error[finite] = np.sqrt(np.diag(whole.covariance)[whole.estimable]) / scale[finite]
    data = _Data(X, y, trial)
    return _Estimated(data, scale, used_columns, whole, estimate, error, reasons.astype(np.str_), reason)


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
        separated=out,
        converged=last or not columns.size,
    )


def _log_likelihood(log_odds: _arrays.Floats, won: _arrays.Floats, n: _arrays.Floats) -> float:
    return float((won * log_expit(log_odds) + (n - won) * log_expit(-log_odds)).sum())


@dataclass(frozen=True, kw_only=True)
class LikelihoodRatio:
    """Whether columns tell anything about selection beside the others; null where they are combinations of these."""

    statistic: float | None
    df: int
    p: float | None


def likelihood_ratio(fit: LogisticCounts, without: LogisticCounts) -> LikelihoodRatio:
    """Return the test of a regression against the one without some of its columns.

    Formula: twice the log likelihood lost without them, χ² on as many degrees of freedom.

    Reference: McCullagh and Nelder (1989), Generalized Linear Models, 2nd edition, section 4.4.

    3 of 4 against 1 of 4, and 4 of 8 together: 2(6 log ¾ + 2 log ¼ - 8 log ½).

    >>> fits = [logistic_counts(X, [3, 1], [4, 4], names="ab"[: len(X[0])]) for X in ([[1, 1], [1, 0]], [[1], [1]])]
    >>> round(likelihood_ratio(*fits).statistic, 4)
    2.093
    """
    df, statistic, p = fit.columns - without.columns, None, None
    if df and fit.log_likelihood is not None and without.log_likelihood is not None:
        statistic = max(2 * (fit.log_likelihood - without.log_likelihood), 0.0)
        p = float(_arrays.positive_p(np.asarray(chdtrc(df, statistic))))
    return LikelihoodRatio(statistic=statistic, df=df, p=p)


@dataclass(frozen=True, kw_only=True)
class ClusteredLogisticCounts:
    """A fitted regression with the variance that clusters show, one entry per column of the design.

    `t`, `df` and `p` are those of `test`. `clusters_focal` counts the clusters in which the column is not 0 somewhere,
    `clusters_reference` those that hold anybody of the reference group. `reasons` says why a column has no test,
    `interval_reasons` why it has no interval.
    """

    names: tuple[str, ...]
    estimate: _arrays.Floats
    standard_error: _arrays.Floats
    low: _arrays.Floats
    high: _arrays.Floats
    t: _arrays.Floats
    df: _arrays.Floats
    p: _arrays.Floats
    test: _arrays.Strings
    clusters_focal: _arrays.Ints
    clusters_reference: _arrays.Ints
    reasons: _arrays.Strings
    interval_reasons: _arrays.Strings
    clusters: int
    confidence: float
    n: int
    method: str


CR2_ODDS = "CR2 t of the log odds"
REVERSED_ODDS = f"{CR2_ODDS}, one decision reversed"
NOT_WITHOUT = (
    "Without one of the clusters the column is a linear combination of the others, or nothing varies between clusters."
)


def clustered_logistic_counts(
    design: ArrayLike,
    successes: ArrayLike,
    trials: ArrayLike,
    clusters: ArrayLike,
    *,
    names: Sequence[str],
    reference: ArrayLike | None = None,
    confidence: float = 0.95,
) -> ClusteredLogisticCounts:
    """Return coefficients in log odds of a logistic regression on counts, with the variance that clusters show.

    `design`, `successes` and `trials` are those of `logistic_counts`, a row per cell of a cluster; `clusters` are
    integer codes per row. `reference` says which rows are of the reference group, by default those where a column is 0.
    Formula: with weights w = n p(1 - p), information I = X'wX = LL', I_g and the score u_g = X'(y - n p) of cluster g,
    V = Σ_g (v_g'L⁻¹u_g)², v_g = (1 - L⁻¹I_g L⁻ᵀ)^(-½) L⁻¹c for a column c: CR2 with the working weights. t on
    Satterthwaite's degrees of freedom (tr M)²/‖M‖² of M = D - ZZ', Z_g = L⁻¹I_g L⁻ᵀ v_g and D_g = v_g'Z_g.
    Where nobody or everybody of a column of 0 and 1, or of the reference, was selected, there is no interval; the test
    reverses one decision, in the largest cluster, so that nobody selected is no weaker evidence than one selected.
    Assumes independent clusters. With 2 or 3 clusters of one group it rejects too seldom; with rates of .05 whose log
    odds vary with an SD of 1.5, 8 and 8 clusters of equal groups in 7 %.
    Fails: null where `logistic_counts` is, and where a column tells nothing without one of the clusters, such as a
    group that is in one cluster only.

    References: Bell and McCaffrey (2002), Survey Methodology 28, 169-181; McCaffrey and Bell (2006), Statistics in
    Medicine 25, 4081-4098 (generalised linear models).

    In two clusters of 10 each 2 and 4 are selected, in two others 5 and 7: β = log(6/14) - log(12/8). Each cluster has
    half of the information of its group, 20·.21 or 20·.24, and a score of ∓1: V = 2 · 2 (1/4.2² + 1/4.8²).
    Each group has one degree of freedom of its own: (1/4.2 + 1/4.8)²/(1/4.2² + 1/4.8²) = 1.99 together.

    >>> X = [[1, 1], [1, 1], [1, 0], [1, 0]]
    >>> fit = clustered_logistic_counts(X, [2, 4, 5, 7], [10] * 4, range(4), names=["intercept", "focal"])
    >>> np.round([fit.estimate[1], fit.standard_error[1] ** 2, fit.df[1]], 3).tolist()
    [-1.253, 0.4, 1.991]
    """
    _arrays.check_confidence(confidence)
    X, codes = np.asarray(design, dtype=np.float64), np.asarray(clusters)
    _, (s, n) = _arrays.read_counts(successes=successes, trials=trials)
    apart = np.ones(n.shape, dtype=np.bool_) if reference is None else np.asarray(reference, dtype=np.bool_)
    if X.ndim != 2 or not X.shape[:1] == codes.shape == apart.shape == n.shape:
        message = "design, clusters and reference must have an entry per cell, got"
        raise ValueError(f"{message} {X.shape}, {codes.shape} and {apart.shape} for {n.shape}.")
    order = np.flatnonzero(n)[np.argsort(codes[n > 0], kind="stable")]
    codes = np.unique(codes[order], return_inverse=True)[1].astype(np.int64)
    X, s, n = X[order], s[order], n[order]
    fitted, robust = _in_clusters(X, s, n, codes, names)
    t, df, interval_reasons = fitted.estimate / robust.error, robust.df.copy(), fitted.reasons
    test = np.where(np.isnan(t), "", CR2_ODDS).astype(object)
    reasons = np.where((interval_reasons == "") & np.isnan(t), NOT_WITHOUT, interval_reasons).astype(object)
    for column in np.flatnonzero(interval_reasons == NO_LIMIT):
        changed = s
        for rows in (X[:, column], apart[order].astype(np.float64)):
            changed = _one_reversed(rows, changed, n, codes, robust.score)
        if changed is s:
            continue
        other, its = _in_clusters(X, changed, n, codes, names)
        t[column], df[column] = other.estimate[column] / its.error[column], its.df[column]
        test[column], reasons[column] = ("", NOT_WITHOUT) if np.isnan(t[column]) else (REVERSED_ODDS, "")
    others = np.asarray(X == 0 if reference is None else np.broadcast_to(apart[order][:, None], X.shape))
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    focal, rest = (np.logical_or.reduceat(flags, starts, axis=0).sum(axis=0) for flags in (X != 0, others))
    width = stdtrit(robust.df, (1 + confidence) / 2) * robust.error
    return ClusteredLogisticCounts(
        names=tuple(names),
        estimate=fitted.estimate,
        standard_error=robust.error,
        low=fitted.estimate - width,
        high=fitted.estimate + width,
        t=t,
        df=df,
        p=_arrays.t_p(t, df),
        test=test.astype(np.str_),
        clusters_focal=focal,
        clusters_reference=rest,
        reasons=reasons.astype(np.str_),
        interval_reasons=np.where(interval_reasons == "", reasons, interval_reasons).astype(np.str_),
        clusters=int(codes.max(initial=-1)) + 1,
        confidence=confidence,
        n=int(n.sum()),
        method="logistic regression, cluster-robust",
    )


def _one_reversed(
    column: _arrays.Floats, s: _arrays.Ints, n: _arrays.Ints, codes: _arrays.Ints, score: _arrays.Floats
) -> _arrays.Ints:
    """Return the successes with one more, or one less, where the column is 1; unchanged where some were selected.

    It is in the cluster whose other people differ most that way, among those of none in the one with most people.
    """
    inside = column != 0
    successes, trials = int(s[inside].sum()), int(n[inside].sum())
    if not (column[inside] == 1).all() or 0 < successes < trials:
        return s
    change = 1 if successes == 0 else -1
    people, others = (np.bincount(codes, weights=values)[codes] for values in (np.where(inside, n, 0), score))
    changed = s.copy()
    changed[np.lexsort((n, people, change * others, inside))[-1]] += change
    return changed


def _in_clusters(
    X: _arrays.Floats, s: _arrays.Ints, n: _arrays.Ints, codes: _arrays.Ints, names: Sequence[str]
) -> "tuple[_Estimated, _Robust]":
    """Return the fit to the sums of all clusters, and CR2 of each column; rows are ordered by codes."""
    cells, place = np.unique(X, axis=0, return_inverse=True)
    place = place.reshape(-1)  # NumPy 2.0.0 has a second axis
    selected, people = (np.bincount(place, weights=count, minlength=len(cells)) for count in (s, n))
    fitted = _estimated(cells, selected, people, names)
    known = fitted.reasons == ""
    result = _Robust(np.full(len(names), np.nan), np.full(len(names), np.nan), np.zeros(n.shape))
    if fitted.whole is not None and known.any():
        columns = X[:, fitted.used_columns] / fitted.scale[fitted.used_columns]
        expected = expit(columns @ fitted.whole.coefficients)
        # Cells predicted perfectly add nothing to what the others say.
        separated = fitted.whole.separated[place]
        weights = np.where(separated, 0.0, n * expected * (1 - expected))
        result.score[:] = np.where(separated, 0.0, s - n * expected)
        robust = _robust(columns, weights, result.score, codes)
        here = known[fitted.used_columns]
        result.error[known], result.df[known] = robust.error[here] / fitted.scale[known], robust.df[here]
    return fitted, result


@dataclass(frozen=True)
class _Robust:
    """Standard error and degrees of freedom of each column's coefficient, NaN where there are none; score of rows."""

    error: _arrays.Floats
    df: _arrays.Floats
    score: _arrays.Floats


def _robust(X: _arrays.Floats, weights: _arrays.Floats, score: _arrays.Floats, codes: _arrays.Ints) -> _Robust:
    """Return the CR2 standard error of each coefficient and its degrees of freedom."""
    return _Robust(*robust_contrasts(X, weights, score, codes, np.eye(X.shape[1])), score)


def robust_contrasts(
    X: _arrays.Floats,
    weights: _arrays.Floats,
    score: _arrays.Floats,
    codes: _arrays.Ints,
    contrasts: _arrays.Floats,
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return the CR2 standard errors of contrasts of the coefficients (rows), and their degrees of freedom.

    Rows of X are ordered by their clusters' `codes`, from 0 without gaps.
    """
    root = information_root((weights[:, None] * X).T @ X)
    turned = X @ root
    edges = np.searchsorted(codes, np.arange(codes[-1] + 2))
    parts = [slice(first, last) for first, last in pairwise(edges.tolist())]
    step = max(BLOCK // max(root.shape[1] ** 2, 1), 1)
    blocks = (
        (
            np.stack([(weights[part, None] * turned[part]).T @ turned[part] for part in parts[start : start + step]]),
            np.stack([turned[part].T @ score[part] for part in parts[start : start + step]]),
        )
        for start in range(0, len(parts), step)
    )
    return bias_reduced(blocks, contrasts @ root)


def information_root(information: _arrays.Floats) -> _arrays.Floats:
    """Return coordinates in which the information of all clusters is the identity, as columns."""
    values, directions = np.linalg.eigh(information)
    kept = values > NEGLIGIBLE * values.max(initial=0.0)
    return np.asarray(directions[:, kept] / np.sqrt(values[kept]))


def bias_reduced(
    blocks: Iterable[tuple[_arrays.Floats, _arrays.Floats]], contrasts: _arrays.Floats
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return the CR2 standard errors and degrees of freedom of contrasts, NaN where a cluster alone tells them.

    `blocks` have the information and the score of clusters, in the coordinates of `information_root`, as have the
    contrasts (rows).
    """
    lengths_of = np.linalg.norm(contrasts, axis=1)
    deltas, D, Z, lost = [], [], [], np.zeros(len(contrasts), dtype=np.bool_)
    for information, scores in blocks:
        share, axes = np.linalg.eigh(information)
        alone = share > 1 - NEGLIGIBLE
        spread = axes / np.sqrt(np.where(alone, np.inf, 1 - share))[:, None, :]
        along = np.einsum("gab,ja->gbj", axes, contrasts)  # the contrasts along each axis
        lost |= (np.abs(along) * alone[:, :, None] > SOLVED * lengths_of).any(axis=(0, 1))
        v = spread @ along
        deltas.append(np.einsum("ga,gaj->gj", scores, v))
        moved = information @ v
        D.append(np.einsum("gaj,gaj->gj", v, moved))
        Z.append(moved)
    delta, d, z = np.concatenate(deltas), np.concatenate(D), np.concatenate(Z)
    error = np.sqrt((delta**2).sum(axis=0))
    lengths = (z**2).sum(axis=1)
    inner = np.array([(gram**2).sum() for gram in (z[:, :, j].T @ z[:, :, j] for j in range(len(contrasts)))])
    with np.errstate(divide="ignore", invalid="ignore"):
        df = (d - lengths).sum(axis=0) ** 2 / ((d * (d - 2 * lengths)).sum(axis=0) + inner)
        usable = ~lost & (error > NEGLIGIBLE * lengths_of)
    return np.where(usable, error, np.nan), np.where(usable, df, np.nan)


METHOD = "logistic regression with each role's own intercept, cluster-robust by name (statsmodels)"


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
    scores summed by name, times G/(G - 1) for G names; log odds ratio = β_g minus the mean of
    all β; t on names minus groups.
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
