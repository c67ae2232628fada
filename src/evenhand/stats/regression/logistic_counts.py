"""Logistic regression on counts: selected of n per cell of groups and qualifications."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Flags,
    Floats,
    Strings,
    check_selected,
    normal_p,
    normal_quantile,
    positive_p,
    read_counts,
)
from evenhand.stats.regression._separation import independent_columns, row_space, separated_rows
from evenhand.stats.special import chdtrc, expit, log_expit, xlogy

__all__ = ["LogisticCounts", "LogisticTerm", "logistic_counts"]

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
    estimate: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    z: Floats
    p: Floats
    reasons: Strings
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

    X: Floats
    y: Floats
    trials: Floats


@dataclass(frozen=True)
class _Fit:
    """Maximum likelihood of some columns: coefficients and covariance in all of the columns' space."""

    coefficients: Floats
    covariance: Floats
    estimable: Floats
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
    z = normal_quantile(confidence)
    _, (s, n) = read_counts(successes=successes, trials=trials)
    check_selected(s, n, "successes", "trials")
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
    kept = independent_columns(X)
    whole = _fit(X[:, kept], y, trial) if reason is None else None
    if whole is not None and not whole.converged:
        reason = "The regression did not converge."
    estimate, error = np.full(len(names), np.nan), np.full(len(names), np.nan)
    why = np.array([reason or ("" if own else COMBINATION) for own in kept], dtype=object)
    terms: tuple[LogisticTerm, ...] = ()
    if whole is not None and reason is None:
        why[kept] = np.where(whole.estimable, "", NO_LIMIT)
        told = why == ""
        estimate[told] = whole.coefficients[whole.estimable] / scale[told]
        error[told] = np.sqrt(np.diag(whole.covariance)[whole.estimable]) / scale[told]
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
            p=normal_p(estimate / error),
            reasons=why.astype(np.str_),
            terms=terms,
            log_likelihood=likelihood,
            deviance=None if likelihood is None else max(2 * (saturated - likelihood), 0.0),
            df_residual=max(int(used.sum()) - int(kept.sum()), 0),
            separated=0 if whole is None else int(whole.separated),
            confidence=confidence,
            n=int(n.sum()),
            cells=int(used.sum()),
            method="logistic regression, maximum likelihood",
            reason=reason,
        )


def _unfit(y: Floats, trials: Floats) -> str | None:
    if not trials.size:
        return "Nobody was counted."
    if y.sum() in {0, trials.sum()}:
        return f"{'Nobody' if y.sum() == 0 else 'Everybody'} was selected, so there is nothing to explain."
    return None


def _fit(X: Floats, y: Floats, trials: Floats) -> _Fit:
    """Return the limit of the likelihood: cells predicted perfectly are taken out and add nothing to it."""
    out = separated_rows(X, y, trials)
    space = row_space(X[~out]) if out.any() else np.eye(X.shape[1])
    left, won, of = X[~out] @ space, y[~out], trials[~out]
    odds = np.log((won + 0.5) / (of - won + 0.5))
    found, likelihood, last = np.zeros(space.shape[1]), -np.inf, False
    weights = of * expit(odds) * expit(-odds)
    for _ in range(ITERATIONS):
        root = np.sqrt(weights)
        wanted = odds + (won - of * expit(odds)) / weights
        step = np.linalg.lstsq(root[:, None] * left, root * wanted, rcond=None)[0] - found
        now = _log_likelihood(left @ (found + step), won, of)
        while now < likelihood - ARRIVED * abs(likelihood) and np.abs(step).max() > ARRIVED:
            step = step / 2
            now = _log_likelihood(left @ (found + step), won, of)
        found = found + step
        odds = left @ found
        weights = of * expit(odds) * expit(-odds)
        done, last, likelihood = last, abs(now - likelihood) <= ARRIVED * (1 + abs(now)), now
        if done and last:
            break
    information = (weights[:, None] * left).T @ left
    covariance = space @ np.linalg.pinv(information, hermitian=True) @ space.T
    outside = np.linalg.norm(np.eye(X.shape[1]) - space @ space.T, axis=0)
    return _Fit(
        coefficients=space @ found,
        covariance=covariance,
        estimable=outside < ESTIMABLE,
        log_likelihood=likelihood if left.size else _log_likelihood(np.zeros(won.size), won, of),
        separated=float(trials[out].sum()),
        converged=last or not left.size,
    )


def _log_likelihood(log_odds: Floats, won: Floats, of: Floats) -> float:
    return float((won * log_expit(log_odds) + (of - won) * log_expit(-log_odds)).sum())


def _term(data: _Data, whole: _Fit, name: str, own: Flags) -> LogisticTerm:
    """Return the tests of one name's columns."""
    without = independent_columns(data.X[:, ~own])
    kept = independent_columns(data.X)
    df = int(kept.sum() - without.sum())
    if df == 0:
        return LogisticTerm(
            name=name, df=0, wald=None, p_wald=None, likelihood_ratio=None, p_likelihood_ratio=None, reason=NO_MORE
        )
    smaller = _fit(data.X[:, ~own][:, without], data.y, data.trials)
    ratio = max(2 * (whole.log_likelihood - smaller.log_likelihood), 0.0) if smaller.converged else None
    mine = own[kept]
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
    return None if statistic is None else float(positive_p(np.asarray(chdtrc(df, statistic))))
