"""How far two people, or people and a classifier, who label the same items agree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Call, Count, Estimate, Floats, Value, Words, normal_quantile, read_counts, reasons
from evenhand.stats.two_groups.rates import wilson_limits

__all__ = ["F1", "CohensKappa", "cohens_kappa", "f1_score"]

LARGE_SAMPLE = "Fleiss, Cohen and Everitt (1969), large sample"
FROM_AGREEMENT = "Wilson limits of the agreement, chance agreement as observed"


@dataclass(frozen=True, kw_only=True)
class CohensKappa:
    """Cohen's kappa with interval, the agreement it is made of, and the agreement that chance gives."""

    estimate: Value
    low: Value
    high: Value
    confidence: float
    standard_error: Value
    agreement: Value
    expected_agreement: Value
    n: Count
    method: Words
    reason: Words


def cohens_kappa(table: ArrayLike, *, confidence: float = 0.95) -> CohensKappa:
    """Return Cohen's kappa of two annotators from their confusion table.

    `table` counts items: a row per label of the first annotator, a column per label of
    the second, in one order; shape (k, k), or (tables, k, k) for many tables at once.
    Formula: κ = (p_o - p_e) / (1 - p_e) with p_o = Σ p_ii and p_e = Σ p_i. p_.i. Its variance is
    {Σ p_ii [1 - (p_i. + p_.i)(1 - κ)]² + (1 - κ)² Σ_{i≠j} p_ij (p_.i + p_j.)² - [κ - p_e (1 - κ)]²} / (n (1 - p_e)²),
    and the interval κ ± z SE, cut at ±1. Where that variance is 0, as when all labels agree,
    Wilson's limits of p_o are put into κ's formula instead, since no width would claim certainty.
    Assumes items drawn independently, labels without an order, and annotators who did not
    talk. Rare labels make κ small at high agreement: read both. The interval is rough below
    50 items, and too short where κ is nearly 1 (simulated with two labels, κ = .96 and 200
    items, 95 % of it hold κ in 90 % of samples).
    Fails: null when no item has both labels, or when both annotators gave one and the same
    label throughout: chance then agrees as well as they do.

    Reference: Cohen (1960), Educational and Psychological Measurement 20, 37-46; Fleiss, Cohen
    and Everitt (1969), Psychological Bulletin 72, 323-327, eq. 13.

    20 + 15 of 50 agree, .7; chance gives .5 · .6 + .5 · .4 = .5; so κ = .2 / .5 = .4.

    >>> kappa = cohens_kappa([[20, 5], [10, 15]])
    >>> round(kappa.estimate, 10), kappa.agreement, kappa.expected_agreement
    (0.4, 0.7, 0.5)
    >>> cohens_kappa([[7, 0], [0, 0]]).reason
    'Both annotators gave every item the same one label, so chance agrees as well as they do.'
    """
    _, (counts,) = read_counts(table=table)
    if counts.ndim not in {2, 3} or counts.shape[-1] != counts.shape[-2] or counts.shape[-1] < 1:
        message = f"table must have as many rows as columns, shape (k, k) or (tables, k, k), got {np.shape(table)}."
        raise ValueError(message)
    call = Call(scalar=counts.ndim == 2)
    counts = counts.reshape(-1, *counts.shape[-2:])
    n = counts.sum(axis=(1, 2))
    same = np.einsum("tii->t", counts)
    rows, columns = counts.sum(axis=2), counts.sum(axis=1)
    # One label throughout: told from counts, since p_e may miss 1 by a rounding error.
    single = (n > 0) & ((rows == n[:, None]) & (columns == n[:, None])).any(axis=1)
    reason = reasons(
        (n == 0, "No item has a label of both annotators."),
        (single, "Both annotators gave every item the same one label, so chance agrees as well as they do."),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = same / n
        chance = (rows / n[:, None] * (columns / n[:, None])).sum(axis=1)
        estimate = np.where(reason == "", (observed - chance) / (1 - chance), np.nan)
        variance = _variance(counts / n[:, None, None], estimate, chance) / n
        error = np.sqrt(np.maximum(variance, 0.0))
        z = normal_quantile(confidence)
        flat = variance < 1e-14  # rounding errors of a variance that is 0
        limits = wilson_limits(same.astype(np.float64), n.astype(np.float64), z)
        low, high = (
            np.clip(np.where(flat, (limit - chance) / (1 - chance), estimate + side * z * error), -1.0, 1.0)
            for limit, side in zip(limits, (-1, 1), strict=True)
        )
    known = reason == ""
    return CohensKappa(
        estimate=call.value(estimate),
        low=call.value(np.where(known, low, np.nan)),
        high=call.value(np.where(known, high, np.nan)),
        confidence=confidence,
        standard_error=call.value(np.where(known & ~flat, error, np.nan)),
        agreement=call.value(observed),
        expected_agreement=call.value(chance),
        n=call.count(n),
        method=call.words(np.where(flat, FROM_AGREEMENT, LARGE_SAMPLE)),
        reason=call.words(reason),
    )


def _variance(p: Floats, kappa: Floats, chance: Floats) -> Floats:
    """Return n times the large-sample variance; the diagonal and the rest as in the formula."""
    rows, columns = p.sum(axis=2), p.sum(axis=1)
    rest = 1 - kappa
    diagonal = np.einsum("tii->ti", p)
    agreeing = (diagonal * (1 - (rows + columns) * rest[:, None]) ** 2).sum(axis=1)
    both = p * (columns[:, :, None] + rows[:, None, :]) ** 2
    crossing = both.sum(axis=(1, 2)) - np.einsum("tii->t", both)
    result: Floats = (agreeing + rest**2 * crossing - (kappa - chance * rest) ** 2) / (1 - chance) ** 2
    return result


@dataclass(frozen=True, kw_only=True)
class F1(Estimate):
    """The F1 of a label with interval; `n` counts the items that either of both gave it."""


def f1_score(both: ArrayLike, found_only: ArrayLike, true_only: ArrayLike, *, confidence: float = 0.95) -> F1:
    """Return the F1 of a label: the harmonic mean of precision and recall.

    `both` counts items that have the label and were given it, `found_only` those that were given it and don't have
    it, `true_only` those that have it and were not given it. Between two people it is their specific agreement.
    Formula: F1 = 2 both / (2 both + found_only + true_only). J = both / (both + found_only + true_only) is a share,
    and F1 = 2J / (1 + J) grows with it: the limits are Wilson's of J, put into that formula.
    Assumes items drawn independently. Items that neither names enter nowhere.
    Fails: null when nothing has the label and nothing was given it.

    Reference: Dice (1945), Ecology 26, 297-302, for the formula; Wilson (1927), Journal of the American Statistical
    Association 22, 209-212, for the limits of J.

    8 of 10 found are right, and 8 of 12 that there are were found: precision .8, recall 2/3, F1 = 16/22.

    >>> found = f1_score(8, 2, 4)
    >>> round(found.estimate, 4), found.n, round(found.low, 4), round(found.high, 4)
    (0.7273, 14, 0.4916, 0.8803)
    """
    call, (both, found, true) = read_counts(both=both, found_only=found_only, true_only=true_only)
    either = both + found + true
    reason = reasons((either == 0, "No item has the label, and none was given it."))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = both / either
        limits = wilson_limits(both.astype(np.float64), either.astype(np.float64), normal_quantile(confidence))
    estimate, low, high = (2 * each / (1 + each) for each in (share, *limits))
    return F1(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        confidence=confidence,
        n=call.count(either),
        method="Wilson score of the share that both name",
        reason=call.words(reason),
    )
