"""Fairness criteria: a group's rate over that of all people, and the balance of errors."""

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Estimate, normal_quantile, read_counts, reasons
from evenhand.stats.rates import impact_ratio, wilson_limits


def ratio_to_all(
    selected: ArrayLike, n: ArrayLike, selected_others: ArrayLike, n_others: ArrayLike, *, confidence: float = 0.95
) -> Estimate:
    """Return a group's rate over that of all people; `others` are all but the group.

    Formula: with w the group's share of the people and R its rate over that of the others, the ratio is
    R / (w R + 1 - w), which grows with R: the limits are Koopman's of R, put into that formula. Of decisions it is
    demographic parity, P(selected | group) / P(selected); among those with the outcome it is equal opportunity.
    Assumes independent people, and takes w as it is.
    Fails: null when the group or the others are empty, or nobody was selected.

    Reference: Koopman (1984), Biometrics 40, 513-517, for the limits of R.

    Half of 10 against 1 of 10: .5 / .3.

    >>> result = ratio_to_all(5, 10, 1, 10)
    >>> round(result.estimate, 4), round(result.low, 3), round(result.high, 3)
    (1.6667, 0.997, 1.935)
    """
    call, (a, N1, c, N2) = read_counts(selected=selected, n=n, selected_others=selected_others, n_others=n_others)
    ratio = impact_ratio(a, N1, c, N2, confidence=confidence)
    reason = reasons(
        (N1 == 0, "The group has no people."),
        (N2 == 0, "All people are of this group."),
        (a + c == 0, "Nobody was selected."),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        share = N1 / (N1 + N2)
        estimate = np.where(reason == "", (a / N1) / ((a + c) / (N1 + N2)), np.nan)
        low, high = (end / (share * end + 1 - share) for end in (ratio.low, ratio.high))
        # Nobody of the others: R is infinite, and its low limit is that of the ratio turned round.
        turned = impact_ratio(c, N2, np.minimum(np.maximum(a, 1), N1), N1, confidence=confidence)
        low = np.where(c == 0, 1 / (share + (1 - share) * turned.high), low)
        high = np.where(c == 0, 1 / share, high)
    return call.estimate(
        estimate,
        np.where(reason == "", low, np.nan),
        np.where(reason == "", high, np.nan),
        n=N1 + N2,
        reason=reason,
        confidence=confidence,
        method="Koopman score, group against all others",
    )


def error_balance(false_negatives: ArrayLike, false_positives: ArrayLike, *, confidence: float = 0.95) -> Estimate:
    """Return false negatives over false positives (treatment equality).

    Formula: FN / FP = q / (1 - q) with q = FN / (FN + FP): the limits are Wilson's of q, put into that formula.
    Assumes independent people.
    Fails: null without a false positive.

    Reference: Berk, Heidari, Jabbari, Kearns and Roth (2021), Sociological Methods and Research 50, 3-44.

    >>> result = error_balance(6, 3)
    >>> result.estimate, round(result.low, 3), round(result.high, 3)
    (2.0, 0.548, 7.293)
    """
    call, (fn, fp) = read_counts(false_negatives=false_negatives, false_positives=false_positives)
    reason = reasons((fp == 0, "There is no false positive, so the ratio has no denominator."))
    errors = (fn + fp).astype(np.float64)
    low, high = wilson_limits(fn.astype(np.float64), errors, normal_quantile(confidence))
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(reason == "", fn / fp, np.nan)
        low, high = (np.where(reason == "", q / (1 - q), np.nan) for q in (low, high))
    return call.estimate(
        estimate,
        low,
        high,
        n=fn + fp,
        reason=reason,
        confidence=confidence,
        method="Wilson score of the share of false negatives among errors",
    )


def rate_at_other_base(base_rate: float, precision: float, tpr: float) -> float | None:
    """Return the false positive rate that follows from a base rate, a precision and a true positive rate.

    Formula: FPR = p / (1 - p) · (1 - PPV) / PPV · TPR, an identity of every table of decisions and outcomes. So with
    equal precision and TPR, groups of different base rates can't have one FPR.
    Fails: None where the base rate is 1 or nobody selected has the outcome.

    Reference: Chouldechova (2017), Big Data 5, 153-163, equation 2.6.

    >>> round(rate_at_other_base(0.5, 0.6, 0.6), 6), round(rate_at_other_base(0.4, 0.6, 0.6), 6)
    (0.4, 0.266667)
    """
    if not base_rate < 1 or not precision > 0:
        return None
    return base_rate / (1 - base_rate) * (1 - precision) / precision * tpr
