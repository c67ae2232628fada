"""Fairness criteria: a group's rate over that of all people, the balance of errors, and similar people's decisions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Estimate, Floats, normal_quantile, read_counts, reasons
from evenhand.stats.predictions import logit_limits
from evenhand.stats.rates import impact_ratio, wilson_limits


@dataclass(frozen=True, kw_only=True)
class RatioToAll(Estimate):
    """A group's rate over the rate of all people, the group among them."""


@dataclass(frozen=True, kw_only=True)
class ErrorBalance(Estimate):
    """False negatives per false positive; equal in all groups where errors are treated equally."""


def ratio_to_all(
    selected: ArrayLike, n: ArrayLike, selected_others: ArrayLike, n_others: ArrayLike, *, confidence: float = 0.95
) -> RatioToAll:
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
        (N1 == 0, "The group has nobody in it."),
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
    return RatioToAll(
        estimate=call.value(estimate),
        low=call.value(np.where(reason == "", low, np.nan)),
        high=call.value(np.where(reason == "", high, np.nan)),
        confidence=confidence,
        n=call.count(N1 + N2),
        method="Koopman score, group against all others",
        reason=call.words(reason),
    )


def error_balance(false_negatives: ArrayLike, false_positives: ArrayLike, *, confidence: float = 0.95) -> ErrorBalance:
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
    return ErrorBalance(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        confidence=confidence,
        n=call.count(fn + fp),
        method="Wilson score of the share of false negatives among errors",
        reason=call.words(reason),
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


#: Rows of distances at a time.
ROWS = 256


@dataclass(frozen=True, kw_only=True)
class SimilarPairs:
    """Of pairs that are no farther apart than a threshold, the share with different decisions.

    `quotient` is the 95th percentile of |difference of scores| / distance over close pairs with a distance above 0
    (the Lipschitz quotient), `largest_quotient` the largest; `identical` counts close pairs without any distance, and
    `identical_apart` those of them whose scores differ.
    """

    estimate: float | None
    low: float | None
    high: float | None
    pairs: int
    different: int
    quotient: float | None
    largest_quotient: float | None
    identical: int
    identical_apart: int
    confidence: float
    n: int
    method: str
    reason: str | None


def gower_distance(numbers: Floats, words: ArrayLike, rows: slice) -> Floats:
    """Return distances of some rows to all, shape (rows, all): the mean over the columns.

    `numbers` has shape (people, columns) and is divided by each column's range, `words` has codes and counts 1 where
    they differ. Reference: Gower (1971), Biometrics 27, 857-871.

    >>> gower_distance(np.array([[0.0], [5.0], [10.0]]), np.array([[0], [0], [1]]), slice(0, 1)).tolist()
    [[0.0, 0.25, 1.0]]
    """
    codes = np.asarray(words)
    spread = np.ptp(numbers, axis=0) if numbers.shape[1] else np.ones(0)
    total = np.zeros((numbers[rows].shape[0] if numbers.shape[1] else codes[rows].shape[0], codes.shape[0]))
    for column, width in zip(numbers.T, spread, strict=True):
        if width > 0:
            total += np.abs(column[rows, None] - column[None, :]) / width
    for column in codes.T:
        total += column[rows, None] != column[None, :]
    return np.asarray(total / max(numbers.shape[1] + codes.shape[1], 1))


def similar_pairs(
    numbers: Floats,
    words: ArrayLike,
    score: ArrayLike,
    selected: ArrayLike | None,
    *,
    within: float,
    apart: ArrayLike | None = None,
    confidence: float = 0.95,
) -> SimilarPairs:
    """Return how often close pairs of people are decided differently.

    `numbers` and `words` have shape (people, columns), as in `gower_distance`; pairs up to `within` apart are close.
    With codes in `apart` only pairs of different codes count, such as those of two groups.
    Formula: R = Σ_i a_i / Σ_i b_i, with b_i the close pairs of person i and a_i those decided differently; its
    standard error is that of a ratio of U-statistics, 2 sqrt(Σ (a_i - R b_i)²) / Σ b_i, and the limits are those of
    logit R.
    Assumes that the people are drawn independently. Distance in the columns given is taken as what similar means.
    Fails: null without a close pair or without decisions; no interval at 0 or 1.

    References: Dwork, Hardt, Pitassi, Reingold and Zemel (2012), Fairness through Awareness, ITCS, 214-226; Hoeffding
    (1948), Annals of Mathematical Statistics 19, 293-325 (U-statistics).

    Two pairs of twins, one of them decided differently:

    >>> numbers, words = np.array([[0.0], [0.0], [9.0], [9.0]]), np.zeros((4, 0))
    >>> result = similar_pairs(numbers, words, [0.2, 0.4, 0.9, 0.9], [False, True, True, True], within=0.1)
    >>> result.estimate, result.pairs, result.identical_apart
    (0.5, 2, 1)
    """
    scores = np.asarray(score, dtype=np.float64)
    decided = None if selected is None else np.asarray(selected, dtype=np.bool_)
    codes = np.asarray(words)
    groups = None if apart is None else np.asarray(apart)
    close_of, different_of = np.zeros(scores.size), np.zeros(scores.size)
    identical = identical_apart = 0
    quotients: list[Floats] = []
    for begin in range(0, scores.size, ROWS):
        rows = slice(begin, min(begin + ROWS, scores.size))
        distance = gower_distance(numbers, codes, rows)
        close = distance <= within
        close[np.arange(distance.shape[0]), np.arange(rows.start, rows.stop)] = False
        if groups is not None:
            close &= groups[rows, None] != groups[None, :]
        gaps = np.abs(scores[rows, None] - scores[None, :])
        close_of[rows] = close.sum(axis=1)
        if decided is not None:
            different_of[rows] = (close & (decided[rows, None] != decided[None, :])).sum(axis=1)
        equal = close & (distance == 0)
        identical += int(equal.sum())
        identical_apart += int((equal & (gaps > 0)).sum())
        far = close & (distance > 0)
        quotients.append(gaps[far] / distance[far])
    pairs, different = int(close_of.sum()) // 2, int(different_of.sum()) // 2
    all_quotients = np.concatenate(quotients) if quotients else np.zeros(0)
    estimate = different / pairs if pairs and decided is not None else None
    error = None
    if estimate is not None:
        error = 2 * float(((different_of - estimate * close_of) ** 2).sum()) ** 0.5 / (2 * pairs)
    low, high = logit_limits(estimate, error, normal_quantile(confidence))
    return SimilarPairs(
        estimate=estimate,
        low=low,
        high=high,
        pairs=pairs,
        different=different,
        quotient=float(np.quantile(all_quotients, 0.95)) if all_quotients.size else None,
        largest_quotient=float(all_quotients.max()) if all_quotients.size else None,
        identical=identical // 2,
        identical_apart=identical_apart // 2,
        confidence=confidence,
        n=int(scores.size),
        method="ratio of U-statistics, logit",
        reason=_reason(pairs, decided is not None, low),
    )


def _reason(pairs: int, decided: bool, low: float | None) -> str | None:  # noqa: FBT001 - two facts and a limit
    if not pairs:
        return "No two people are that close."
    if not decided:
        return "Without a cut-off nobody is selected, so no decisions can differ."
    return None if low is not None else "All close pairs are decided alike, or none is, so there is no spread."
