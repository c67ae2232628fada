"""Two groups, one decision: Z, odds ratio, Cohen's h, shortfall, the flip-flop rule, and which test to read.

`log_odds` compares how often two groups of texts use a word.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.rates import FourFifthsRule, no_reference_rate, outside_limits, ratio_of_rates

#: 'Two or three standard deviations', Hazelwood v. United States, 433 U.S. 299, 308 n.14 (1977), as the 5 % level.
TWO_STANDARD_DEVIATIONS = 1.96


@dataclass(frozen=True, kw_only=True)
class ZTest:
    """The pooled Z of two rates; negative when the focal group is worse off."""

    statistic: _arrays.Value
    p: _arrays.Value
    significant: _arrays.Flag
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True, kw_only=True)
class PeopleSelected:
    """How many more of the focal group the common rate would have selected."""

    estimate: _arrays.Value
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True, kw_only=True)
class FlipFlop:
    """What one selection moved to the disadvantaged group does to the impact ratio.

    `applies` is False, with the reason, where the rule is silent; all else is null then, but for `flipped_focal` and
    `flipped_reference`, which are the counts as given. Elsewhere they are those after the move. `ratio` may be null,
    where nobody of the reference group is selected then, although `reverses` is decided.
    """

    applies: bool | _arrays.Flags
    flipped_focal: _arrays.Count
    flipped_reference: _arrays.Count
    ratio: _arrays.Value
    reverses: _arrays.Flag
    n: _arrays.Count
    reason: _arrays.Words


def z_test(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    noise: float = 0.0,
    inflation: ArrayLike = 1.0,
) -> ZTest:
    """Return the pooled two-sample Z of the rates, its two-sided p and the 1.96 verdict.

    Formula: Z = (a/N1 - c/N2) / sqrt(P(1 - P)(1/N1 + 1/N2)), P = (a + c) / (N1 + N2).
    Z² is Pearson's chi-square without continuity correction. `noise` is the variance of deviations that
    every count was given before it was published; the variance then has noise (1 + P²)(1/N1² + 1/N2²) more.
    `inflation` multiplies the variance of the rates where people have several decisions (see `design_effect`).
    Assumes two independent groups of independent people, and expected cells of 5 or
    more; read Fisher's exact test below that.
    Fails: null when a group is empty, or when all or none were selected.
    A p below 2.2e-308 is given as 2.2e-308.

    Reference: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and
    Proportions, 3rd edition, section 3.1; Hazelwood, 433 U.S. at 308 n.14.

    1/2 against 0/2: P = 1/4, so Z = .5 / sqrt(3/16 · 1) = 1.1547.

    >>> test = z_test(1, 2, 0, 2)
    >>> round(test.statistic, 4), round(test.p, 4), test.significant
    (1.1547, 0.2482, False)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    selected, n = groups.a + groups.c, groups.N1 + groups.N2
    reason = _arrays.reasons(
        *groups.empty,
        (selected == 0, "Nobody was selected in either group, so the rates do not vary."),
        (selected == n, "Everybody was selected in both groups, so the rates do not vary."),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        rate, rest = selected / n, (n - selected) / n
        variance = rate * rest * (1 / groups.N1 + 1 / groups.N2)
        error = np.sqrt(inflation * variance + noise * (1 + rate**2) * (1 / groups.N1**2 + 1 / groups.N2**2))
        z: _arrays.Floats = np.where(reason == "", _arrays.rate_gap(groups) / error, np.nan)
    return ZTest(
        statistic=call.value(z),
        p=call.value(_arrays.normal_p(z)),
        significant=call.flag(np.abs(z) > TWO_STANDARD_DEVIATIONS, reason),
        n=call.count(n),
        method="pooled Z, two-sided",
        reason=call.words(reason),
    )


def odds_ratio(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> _arrays.Estimate:
    """Return the ratio of the odds of selection, with Cornfield's score interval.

    Formula: OR = a (N2 - c) / (c (N1 - a)). The limits are the odds ratios of the tables
    with the same margins and focal count E for which
    (a - E)² (1/E + 1/(N1 - E) + 1/(K - E) + 1/(N2 - K + E)) = z², K = a + c.
    No continuity correction, nothing is added to empty cells.
    Assumes two independent groups of independent people.
    Fails: null when a group is empty, nobody in the reference group or everybody in the
    focal group was selected (the ratio has no finite value). Where nobody in the focal
    or everybody in the reference group was selected, the estimate and low limit are 0.

    Reference: Cornfield (1956), Proceedings of the Third Berkeley Symposium 4, 135-148;
    Miettinen and Nurminen (1985), Statistics in Medicine 4, 213-226.

    >>> odds_ratio(7, 15, 14, 25).estimate  # 7·11 / (14·8)
    0.6875
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    z = _arrays.normal_quantile(confidence)
    a, f1, c, f2 = (
        counts.astype(np.float64) for counts in (groups.a, groups.N1 - groups.a, groups.c, groups.N2 - groups.c)
    )
    reason = _arrays.reasons(
        *groups.empty,
        (c == 0, "Nobody in the reference group was selected, so the odds ratio is not finite."),
        (f1 == 0, "Everybody in the focal group was selected, so the odds ratio is not finite."),
    )
    known = reason == ""
    a, f1, c, f2 = a[known], f1[known], c[known], f2[known]
    estimate = np.full(known.shape, np.nan)
    low, high = estimate.copy(), estimate.copy()
    estimate[known] = (a / c) * (f2 / f1)
    low[known], high[known] = _cornfield(a, f1, c, f2, z)
    return call.estimate(
        estimate, low, high, n=groups.N1 + groups.N2, reason=reason, confidence=confidence, method="Cornfield score"
    )


def _cornfield(
    a: _arrays.Floats, f1: _arrays.Floats, c: _arrays.Floats, f2: _arrays.Floats, z: float
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return both limits. Only the move from the observed table is solved for, so that small cells stay exact."""

    def gap(move: _arrays.Floats) -> _arrays.Floats:
        # Infinite at the end of the range, where a cell is empty; a cell that is empty at first adds nothing there.
        cells = (a + move, f1 - move, c - move, f2 + move)
        square = move * move
        distances = (np.where(square > 0, square / cell, 0.0) for cell in cells)
        return np.sqrt(sum(distances, start=np.zeros_like(move))) - z

    down, up = -np.minimum(a, f2), np.minimum(f1, c)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = _arrays.bracketed_root(gap, down, np.zeros_like(a))
        upper = _arrays.bracketed_root(gap, np.zeros_like(a), up)
        low = (a + lower) / (c - lower) * ((f2 + lower) / (f1 - lower))
        high = (a + upper) / (c - upper) * ((f2 + upper) / (f1 - upper))
    return np.where(down == 0, 0.0, low), high


def cohens_h(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> _arrays.Estimate:
    """Return Cohen's h of the two rates, with a normal interval.

    Formula: h = 2 arcsin sqrt(a/N1) - 2 arcsin sqrt(c/N2), ± z sqrt(1/N1 + 1/N2), cut at ±π.
    Cohen calls |h| of .2 small, .5 medium, .8 large. The sign is kept.
    Assumes two independent groups of independent people.
    Fails: null when a group is empty. The interval is too short in small groups whose
    rate is near 0 or 1.

    Reference: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences,
    2nd edition, pp. 179-185.

    >>> h = cohens_h(1, 4, 3, 4)  # arcsin sqrt(1/4) = π/6, arcsin sqrt(3/4) = π/3
    >>> round(h.estimate, 4)
    -1.0472
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    z = _arrays.normal_quantile(confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = 2 * (np.arcsin(np.sqrt(groups.a / groups.N1)) - np.arcsin(np.sqrt(groups.c / groups.N2)))
        width = z * np.sqrt(1 / groups.N1 + 1 / groups.N2)
        # An empty group makes the width infinite; the estimate's NaN says so in both limits.
        low, high = np.maximum(estimate - width, -np.pi), np.minimum(estimate + width, np.pi)
    return groups.estimate(estimate, low, high, confidence=confidence, method="arcsine, normal interval")


def shortfall(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> PeopleSelected:
    """Return how many selections the focal group lacks at the common rate.

    Formula: N1·P - a, P = (a + c) / (N1 + N2). Positive when the focal group is short,
    negative when it has more than its share. In people, not rounded.
    Fails: null when a group is empty.

    Reference: Hazelwood, 433 U.S. at 308 n.14, expected minus observed.

    >>> shortfall(2, 10, 6, 10).estimate  # expected 10 · 8/20 = 4
    2.0
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = _arrays.reasons(*groups.empty)
    # N1·P - a = (c N1 - a N2) / (N1 + N2): whole numbers until the division, so equal rates give 0 exactly.
    lacking = _arrays.exact_products(groups.c, groups.N1) - _arrays.exact_products(groups.a, groups.N2)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.asarray(lacking, dtype=np.float64) / (groups.N1 + groups.N2)
    return PeopleSelected(
        estimate=groups.call.value(np.where(reason == "", estimate, np.nan)),
        n=groups.call.count(groups.N1 + groups.N2),
        method="expected at the common rate minus observed",
        reason=groups.call.words(reason),
    )


def expected(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> PeopleSelected:
    """Return how many selections the focal group would have at the common rate.

    Formula: N1·P, P = (a + c) / (N1 + N2). In people, not rounded.
    Fails: null when a group is empty.

    Reference: Hazelwood, 433 U.S. at 308 n.14.

    >>> expected(2, 10, 6, 10).estimate  # 10 · 8/20
    4.0
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    reason = _arrays.reasons(*groups.empty)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.asarray(groups.N1 / (groups.N1 + groups.N2) * (groups.a + groups.c), dtype=np.float64)
    return PeopleSelected(
        estimate=groups.call.value(np.where(reason == "", estimate, np.nan)),
        n=groups.call.count(groups.N1 + groups.N2),
        method="at the common rate",
        reason=groups.call.words(reason),
    )


def flip_flop(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    rule: FourFifthsRule = "against_highest",
) -> FlipFlop:
    """Return what one changed selection does to an impact ratio outside its limits.

    One selection moves to the disadvantaged group: the focal group below four-fifths,
    with `two_sided` also the reference group above 1.25. It reverses the direction iff
    that group's rate is higher than the other's afterwards. Whole numbers decide.
    A caution against reading much into few selections; it never overrides a pattern
    that recurs or shows when pooled.
    Silent where the ratio is within its limits or can't be computed. (Outside the
    limits the disadvantaged group always has room, and the other a selection to give.)

    Reference: Uniform Guidelines Questions and Answers, Q. 21, 44 FR 11996 (1979).

    >>> flip = flip_flop(2, 5, 3, 5)  # 2/5 against 3/5 becomes 3/5 against 2/5
    >>> flip.flipped_focal, flip.flipped_reference, flip.ratio, flip.reverses
    (3, 2, 1.5, True)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    below, above = outside_limits(groups, rule)
    reason = _arrays.reasons(
        *groups.empty,
        no_reference_rate(groups),
        (~(below | above), "The impact ratio is within its limits."),
    )
    applies = reason == ""
    move = np.where(applies, np.where(below, 1, -1), 0)
    flipped = _arrays.TwoGroups(call, groups.a + move, groups.N1, groups.c - move, groups.N2)
    focal, reference = _arrays.exact_products(flipped.a, flipped.N2), _arrays.exact_products(flipped.c, flipped.N1)
    reverses = np.asarray(np.where(below, focal > reference, reference > focal), dtype=np.bool_)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = ratio_of_rates(flipped.a, flipped.N1, flipped.c, flipped.N2)
    return FlipFlop(
        applies=bool(applies[0]) if call.scalar else applies,
        flipped_focal=call.count(flipped.a),
        flipped_reference=call.count(flipped.c),
        ratio=call.value(np.where(applies & (flipped.c > 0), ratio, np.nan)),
        reverses=call.flag(reverses, reason),
        n=call.count(groups.N1 + groups.N2),
        reason=call.words(reason),
    )


#: Weight of the prior in words; the prior's own mix is the use of both groups together.
PRIOR_WORDS = 500.0


@dataclass(frozen=True, kw_only=True)
class LogOdds:
    """Log odds ratio per word, focal against reference, and its z."""

    estimate: _arrays.Floats
    z: _arrays.Floats
    method: str


def log_odds(focal: ArrayLike, reference: ArrayLike, *, prior_words: float = PRIOR_WORDS) -> LogOdds:
    """Return the log odds ratio of each word with an informative Dirichlet prior.

    Formula: with counts y and total n per group, and a_w = `prior_words` times the word's
    share in both groups together (a_0 their sum),
    δ_w = log((y + a_w)/(n + a_0 - y - a_w)) in the focal group minus the same in the
    reference group; z = δ_w / sqrt(1/(y_focal + a_w) + 1/(y_reference + a_w)).
    `focal` and `reference` have shape (..., words); leading axes are resamples, and the
    prior is made anew in each.
    Assumes counts of one word list; z takes words as independent draws, which they are
    not within a document: resample documents for an interval.
    Fails: NaN for a word that neither group uses.

    Reference: Monroe, Colaresi and Quinn (2008), Political Analysis 16, 372-403, section 3.5.

    Equal use gives 0; a word that only one group uses stays finite:

    >>> result = log_odds([10, 30], [10, 30])
    >>> result.estimate.round(12).tolist()
    [0.0, 0.0]
    >>> bool(0 < log_odds([1, 99], [0, 100]).estimate[0] < 1)
    True
    """
    y = np.asarray(focal, dtype=np.float64)
    x = np.asarray(reference, dtype=np.float64)
    together = y + x
    with np.errstate(divide="ignore", invalid="ignore"):
        prior = prior_words * together / together.sum(axis=-1, keepdims=True)
        weights = prior.sum(axis=-1, keepdims=True)

        def log_odd(counts: _arrays.Floats) -> _arrays.Floats:
            smoothed = counts + prior
            return np.asarray(np.log(smoothed) - np.log(counts.sum(axis=-1, keepdims=True) + weights - smoothed))

        estimate = log_odd(y) - log_odd(x)
        z = estimate / np.sqrt(1.0 / (y + prior) + 1.0 / (x + prior))
    unused = together == 0
    return LogOdds(
        estimate=np.where(unused, np.nan, estimate),
        z=np.where(unused, np.nan, z),
        method="log odds ratio, informative Dirichlet prior",
    )


#: An expected cell below this makes the normal approximation rough (Cochran 1954, Biometrics 10, 417-451).
FEWEST_EXPECTED = 5
#: UGESP Q&A 21 warns of small numbers without a figure; this one is a convention of ours.
FEWEST_PEOPLE = 30
#: Above this many people a difference of one percentage point comes near significance at rates of 30 %
#: (by the formula of Eightfold AI 2023, Responsible AI, figure 14, |Z| passes 1.96 at 16,135 people per group).
LARGE_SAMPLE = 10_000
#: Below this selection rate of both groups together a few selections move the impact ratio far.
LOW_RATE = Fraction(1, 20)

FEW_PEOPLE = "There are fewer than 30 people, too few for the Z test."
FEW_EXPECTED = "An expected cell is below 5, too few for the Z test."
MODERATE = "No expected cell is below 5, so the Z test and Fisher's exact test should agree."
LARGE = (
    "There are more than 10,000 people, so tests detect differences too small to matter; the impact ratio and Cohen's "
    "h show how large the difference is."
)
LOW = " Fewer than 5 % were selected, so a few selections move the impact ratio far."

# By kind: nothing to read, few people, a small expected cell, moderate, large. Arrays of objects, since arrays
# of long texts would be larger than the tables.
SIZES = np.array(["", "small", "small", "moderate", "large"], dtype=object)
READ_WITH = np.array(["", *["Fisher, flip-flop"] * 2, "Z, Fisher", "impact ratio, Cohen's h"], dtype=object)
#: Everything `reason` can say where no group is empty; the second row for low rates.
SENTENCES = np.array(
    [[text + rate for text in ("", FEW_PEOPLE, FEW_EXPECTED, MODERATE, LARGE)] for rate in ("", LOW)], dtype=object
)


@dataclass(frozen=True, kw_only=True)
class RecommendedTest:
    """Which figures to read for a table of this size, and why.

    `size` is small, moderate or large; null where a group is empty. `reason` always says
    why, also where all was computed. In an array call `size`, `read_with` and `reason` hold
    Python strings.
    """

    size: _arrays.Words
    low_rate: _arrays.Flag
    read_with: _arrays.Words
    smallest_expected: _arrays.Value
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True, kw_only=True)
class ZCurve:
    """Z of one difference at different sizes; `crossing` is the size where it becomes significant."""

    statistic: _arrays.Value
    crossing: _arrays.Value
    confidence: float
    n: _arrays.Count
    method: str
    reason: _arrays.Words


def recommended_test(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> RecommendedTest:
    """Return which tests to read for a table of this size.

    Formula: with M people and K selected in both groups, small iff the smallest expected cell
    min(N1, N2)·min(K, M - K)/M is below 5 or M < 30; else large iff M > 10,000; else
    moderate. `low_rate` iff K/M < .05. Whole numbers decide.
    Small: Fisher's exact test, and what one changed selection does. Moderate: Z and Fisher.
    Large: impact ratio and Cohen's h, as nearly every difference is significant. A low rate
    is reported with any of them. These are conventions, none of them law.
    Fails: null when a group is empty.

    Reference: Cochran (1954), Biometrics 10, 417-451; Uniform Guidelines Questions and
    Answers, Q. 21, 44 FR 11996 (1979).

    7/15 against 14/25: the smallest expected cell is 15 · 19/40 = 7.125.

    >>> choice = recommended_test(7, 15, 14, 25)
    >>> choice.size, choice.read_with, choice.smallest_expected, choice.low_rate
    ('moderate', 'Z, Fisher', 7.125, False)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    call = groups.call
    selected, n = groups.a + groups.c, groups.N1 + groups.N2
    empty = _arrays.reasons(*groups.empty)
    # The smallest expected cell times M.
    cell = _arrays.exact_products(np.minimum(groups.N1, groups.N2), np.minimum(selected, n - selected))
    few_expected = np.asarray(cell < FEWEST_EXPECTED * n, dtype=np.bool_)
    low_rate = selected * LOW_RATE.denominator < n * LOW_RATE.numerator
    kind = np.select([empty != "", n < FEWEST_PEOPLE, few_expected, n > LARGE_SAMPLE], [0, 1, 2, 4], default=3)
    with np.errstate(divide="ignore", invalid="ignore"):
        smallest = np.where(empty == "", np.asarray(cell, dtype=np.float64) / n, np.nan)
    return RecommendedTest(
        size=call.words(SIZES[kind]),
        low_rate=call.flag(low_rate, empty),
        read_with=call.words(READ_WITH[kind]),
        smallest_expected=call.value(smallest),
        n=call.count(n),
        method="smallest expected cell and number of people",
        reason=call.words(np.where(empty == "", SENTENCES[low_rate.astype(np.int64), kind], empty.astype(object))),
    )


def z_curve(rate: ArrayLike, difference: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> ZCurve:
    """Return the Z that one difference of rates has at different group sizes.

    Formula: Z = d / sqrt(P(1 - P)·2/n) with the common rate P, the difference d and n people in
    each of two groups; |Z| reaches the normal quantile z at n = 2 P(1 - P)(z/d)², the `crossing`.
    The difference stays the same, Z grows with √n: significance tells of size as well.
    Assumes groups of equal size.
    Fails: null at a rate of 0 or 1; `crossing` is also null where the difference is 0.

    Reference: Eightfold AI (2023), Responsible AI, figure 14 (P = .3, d = .01).

    >>> curve = z_curve(0.3, 0.01, [1000, 50_000])
    >>> curve.statistic.round(4).tolist(), curve.crossing.round(1).tolist()
    ([0.488, 3.4503], [16134.1, 16134.1])
    """
    counts_call, (size,) = _arrays.read_counts(n=n)
    rates, gaps = np.asarray(rate, dtype=np.float64), np.asarray(difference, dtype=np.float64)
    if not ((rates >= 0) & (rates <= 1)).all() or not (np.abs(gaps) <= 1).all():
        message = f"rate must lie between 0 and 1 and difference between -1 and 1, got {rate!r} and {difference!r}."
        raise ValueError(message)
    call = _arrays.Call(scalar=counts_call.scalar and rates.ndim == 0 and gaps.ndim == 0)
    P, d, size = np.broadcast_arrays(np.atleast_1d(rates), np.atleast_1d(gaps), size)
    reason = _arrays.reasons(
        (size == 0, "The groups have nobody in them."),
        ((P == 0) | (P == 1), "Nobody or everybody is selected, so the rates do not vary."),
    )
    known = reason == ""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = d / np.sqrt(P * (1 - P) * 2 / size)
        crossing = 2 * P * (1 - P) * (_arrays.normal_quantile(confidence) / d) ** 2
    return ZCurve(
        statistic=call.value(np.where(known, z, np.nan)),
        crossing=call.value(np.where(known & (d != 0), crossing, np.nan)),
        confidence=confidence,
        n=call.count(size),
        method="pooled Z of two groups of n each",
        reason=call.words(reason),
    )
