"""How far two people, or people and a classifier, who label the same items agree."""

from dataclasses import dataclass
from typing import Final, Literal

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


#: By how many steps of the scale two labels may differ, to which power, until nothing is left of their agreement.
_POWERS: Final = {"linear": 1, "quadratic": 2}


def cohens_kappa(
    table: ArrayLike, *, weights: Literal["none", "linear", "quadratic"] = "none", confidence: float = 0.95
) -> CohensKappa:
    """Return Cohen's kappa of two annotators from their confusion table.

    `table` counts items: a row per label of the first annotator, a column per label of
    the second, in one order; shape (k, k), or (tables, k, k) for many tables at once.
    `weights` say what labels agree that are i and j on an ordered scale of k: w = 1 where i = j and else 0 ("none"),
    1 - |i - j| / (k - 1) ("linear"), or 1 - (i - j)² / (k - 1)² ("quadratic").
    Formula: κ = (p_o - p_e) / (1 - p_e) with p_o = Σ w_ij p_ij and p_e = Σ w_ij p_i. p_.j. Its variance is
    {Σ p_ij [w_ij (1 - p_e) - (w_i. + w_.j)(1 - p_o)]² - (p_o p_e - 2 p_e + p_o)²} / (n (1 - p_e)⁴), where
    w_i. = Σ w_ij p_.j and w_.j = Σ w_ij p_i., and the interval κ ± z SE, cut at ±1. Where that variance is 0, as when
    all labels agree, Wilson's limits of p_o are put into κ's formula instead, since no width would claim certainty.
    Assumes items drawn independently, labels in the table's order where they are weighted, and annotators who did not
    talk. Rare labels make κ small at high agreement: read both. The interval is rough below
    50 items, and too short where κ is nearly 1 (simulated with two labels, κ = .96 and 200
    items, 95 % of it hold κ in 90 % of samples).
    Fails: null when no item has both labels, or when both annotators gave one and the same
    label throughout: chance then agrees as well as they do.

    Reference: Cohen (1960), Educational and Psychological Measurement 20, 37-46; Cohen (1968), Psychological Bulletin
    70, 213-220; Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72, 323-327, eq. 8.

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
    rows, columns = counts.sum(axis=2), counts.sum(axis=1)
    # One label throughout: told from counts, since p_e may miss 1 by a rounding error.
    single = (n > 0) & ((rows == n[:, None]) & (columns == n[:, None])).any(axis=1)
    reason = reasons(
        (n == 0, "No item has a label of both annotators."),
        (single, "Both annotators gave every item the same one label, so chance agrees as well as they do."),
    )
    weight = _weights(counts.shape[-1], weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = counts / n[:, None, None]
        observed = (weight * shares).sum(axis=(1, 2))
        chance = np.einsum("ij,ti,tj->t", weight, rows / n[:, None], columns / n[:, None])
        estimate = np.where(reason == "", (observed - chance) / (1 - chance), np.nan)
        variance = _variance(shares, weight, observed, chance) / n
        error = np.sqrt(np.maximum(variance, 0.0))
        z = normal_quantile(confidence)
        flat = variance < 1e-14  # rounding errors of a variance that is 0
        limits = wilson_limits(observed * n, n.astype(np.float64), z)
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


def _weights(size: int, kind: str) -> Floats:
    """Return how far two labels of a scale agree, from 0 to 1; shape (size, size)."""
    if kind not in {"none", *_POWERS}:
        message = f'weights must be "none", "linear" or "quadratic", got {kind!r}.'
        raise ValueError(message)
    if kind == "none":
        return np.eye(size)
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / max(size - 1, 1)
    result: Floats = 1 - apart ** _POWERS[kind]
    return result


def _variance(p: Floats, weight: Floats, observed: Floats, chance: Floats) -> Floats:
    """Return n times the large-sample variance."""
    by_row = p.sum(axis=1) @ weight.T
    by_column = p.sum(axis=2) @ weight
    po, pe = observed[:, None, None], chance[:, None, None]
    each = weight * (1 - pe) - (by_row[:, :, None] + by_column[:, None, :]) * (1 - po)
    centre = observed * chance - 2 * chance + observed
    result: Floats = ((p * each**2).sum(axis=(1, 2)) - centre**2) / (1 - chance) ** 4
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
