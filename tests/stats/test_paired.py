"""Pairs: t, pooled t, signed rank, McNemar and equivalence against SciPy, a published table and identities."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import ttost_paired

from evenhand.stats import equivalence, mcnemar, paired_t, pooled_t, sign_flip_columns, sign_flip_p, signed_rank


def sample(seed, n=30, decimals=None):
    values = np.random.default_rng(seed).normal(0.4, 1, n)
    return values if decimals is None else values.round(decimals)


@pytest.mark.parametrize("seed", range(4))
def test_paired_t_is_that_of_scipy(seed):
    d = sample(seed)
    expected = scipy_stats.ttest_1samp(d, 0)
    interval = expected.confidence_interval(0.9)
    found = paired_t(d, confidence=0.9)
    assert (found.t, found.p, found.df) == pytest.approx((expected.statistic, expected.pvalue, expected.df))
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("seed", range(4))
def test_pooled_t_is_that_of_scipy(seed):
    x, y = sample(seed, 12), sample(seed + 9, 17)
    expected = scipy_stats.ttest_ind(x, y)
    found = pooled_t(x, y)
    assert (found.t, found.p, found.df) == pytest.approx((expected.statistic, expected.pvalue, expected.df))


@pytest.mark.parametrize("zeros", ["pratt", "wilcoxon"])
@pytest.mark.parametrize(("n", "decimals"), [(8, None), (50, None), (51, None), (200, None), (30, 1), (60, 0)])
def test_signed_rank_is_that_of_scipy(n, decimals, zeros):
    d = sample(n, n, decimals)
    exact = n <= 50 and decimals is None
    expected = scipy_stats.wilcoxon(
        d,
        zero_method="wilcox" if zeros == "wilcoxon" else zeros,
        method="exact" if exact else "asymptotic",
        correction=False,
        alternative="greater",  # whose statistic is the sum of positive ranks
    )
    two_sided = scipy_stats.wilcoxon(
        d,
        zero_method="wilcox" if zeros == "wilcoxon" else zeros,
        method="exact" if exact else "asymptotic",
        correction=False,
    )
    found = signed_rank(d, zeros=zeros)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, two_sided.pvalue))
    assert found.method.startswith("exact" if exact else "normal")
    assert found.zeros == np.count_nonzero(d == 0)
    assert ("zeros" in found.method) == (found.zeros > 0)


def test_the_zeros_of_a_method_are_named_and_dropped():
    with_zeros, without = [0.0, 0.0, 1.0, 2.0, -3.0], [1.0, 2.0, -3.0]
    found = signed_rank(with_zeros, zeros="wilcoxon")
    assert found.method == "exact, Wilcoxon zeros"
    assert found.p == signed_rank(without).p
    assert signed_rank(with_zeros).method == "normal, Pratt zeros"


@pytest.mark.parametrize(("b", "c"), [(46, 14), (14, 46), (3, 3), (0, 7), (1, 0), (900, 1100), (4, 5)])
def test_mcnemar_is_the_binomial_test_of_discordant_pairs(b, c):
    found = mcnemar(b, c, b + c + 10)
    assert found.p == pytest.approx(scipy_stats.binomtest(b, b + c).pvalue)
    pmf = scipy_stats.binom.pmf(np.arange(b + c + 1), b + c, 0.5)
    own = pmf[b]
    equal = np.isclose(pmf, own)
    assert found.p_mid == pytest.approx(pmf[(pmf < own) & ~equal].sum() + pmf[equal].sum() / 2)


def test_the_pairs_of_washington():
    """Urban Institute 1990: of 241 matched pairs, in 46 the White tester alone was offered the job, in 14 the other."""
    found = mcnemar(46, 14, 241)
    assert found.flip_rate == pytest.approx(60 / 241)
    assert found.difference == pytest.approx(0.1328, abs=5e-5)
    assert found.p == pytest.approx(2 * sum(math.comb(60, k) for k in range(15)) / 2**60)
    outcomes = np.repeat([1.0, -1.0, 0.0], [46, 14, 181])
    # The same numbers as paired differences: every route says the same.
    assert paired_t(outcomes).estimate == pytest.approx(found.difference)
    assert paired_t(outcomes).p < 1e-4
    assert sign_flip_p(outcomes, permutations=9999, rng=np.random.default_rng(0)) < 1e-3


def test_mcnemar_of_many_tables_is_that_of_each():
    many = mcnemar([46, 0, 0], [14, 0, 5], [241, 20, 5])
    assert many.p[0] == mcnemar(46, 14, 241).p
    assert np.isnan(many.p[1])
    assert many.reason.tolist() == ["", "No pair was decided differently.", ""]


@pytest.mark.parametrize("margin", [0.2, 0.5, 1.0])
def test_equivalence_is_two_one_sided_tests_of_statsmodels(margin):
    d = sample(3, 40)
    p, low, high = ttost_paired(d, np.zeros_like(d), -margin, margin)
    own = paired_t(d)
    found = equivalence(own.estimate, own.standard_error**2, own.df, margin=margin)
    assert (found.p_low, found.p_high, found.p) == pytest.approx((low[1], high[1], p))
    assert found.equivalent == (p < 0.05)
    narrow = paired_t(d, confidence=0.9)
    assert (found.low, found.high) == pytest.approx((narrow.low, narrow.high))


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (paired_t([]), "no pairs"),
        (paired_t([1.0]), "one pair"),
        (paired_t([1.0, 1.0]), "all the same"),
        (paired_t([1.0, np.nan]), "not finite"),
        (pooled_t([], [1.0]), "no values"),
        (pooled_t([1.0], [2.0]), "Two values"),
        (pooled_t([1.0, 1.0], [2.0, 2.0]), "all the same"),
        (pooled_t([1.0, np.inf], [2.0, 2.0]), "not finite"),
        (signed_rank([]), "no pairs"),
        (signed_rank([0.0, 0.0]), "differs from zero"),
        (signed_rank([np.nan]), "not finite"),
        (mcnemar(0, 0, 0), "no pairs"),
        (mcnemar(0, 0, 9), "decided differently"),
        (equivalence(0.0, 0.0, 5, margin=1.0), "variance is 0"),
        (equivalence(np.nan, 1.0, 5, margin=1.0), "no estimate"),
    ],
)
def test_what_cannot_be_computed_is_null_with_a_reason(found, reason):
    assert found.p is None
    assert reason in found.reason


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_t([[1.0]]), "one dimension"),
        (lambda: pooled_t([[1.0]], [1.0]), "one dimension"),
        (lambda: signed_rank([1.0], zeros="drop"), "pratt or wilcoxon"),
        (lambda: equivalence(0.0, 1.0, 5, margin=0.0), "above 0"),
        (lambda: mcnemar(5, 6, 10), "must not exceed n"),
    ],
)
def test_input_that_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_signs_flipped_for_several_columns_at_once_give_the_p_of_each():
    d = np.column_stack([sample(1, 40), sample(2, 40) + 0.3, np.zeros(40)])
    found = sign_flip_columns(d, permutations=20_000, rng=np.random.default_rng(0))
    single = [sign_flip_p(each, permutations=20_000, rng=np.random.default_rng(1)) for each in d.T]
    assert found[2] == single[2] == 1.0
    # Two Monte-Carlo p of 20,000 draws each differ by less than five standard errors.
    assert found[0] == pytest.approx(single[0], abs=5 * (2 * single[0] / 20_000) ** 0.5)
    assert found[1] == pytest.approx(single[1], abs=5 * (2 * single[1] / 20_000) ** 0.5)
    (few,) = sign_flip_columns(np.array([[1.0], [2.0], [np.nan]]), permutations=40_000, rng=np.random.default_rng(0))
    assert few == pytest.approx(0.5, abs=0.02)  # two of four ways; who was not there changes nothing
