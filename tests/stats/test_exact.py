"""Fisher's exact test: exact ties, any size."""

from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from evenhand.stats import fisher_exact
from evenhand.stats.association import log_pmf, mode_of, two_sided_by_bisection

sizes = st.integers(1, 60)
shares = st.floats(0, 1)


def enumerated(a, n1, c, n2):
    """Both p-values as fractions of whole numbers of tables."""
    selected = a + c
    weights = [comb(n1, k) * comb(n2, selected - k) for k in range(max(0, selected - n2), min(selected, n1) + 1)]
    own, everything = comb(n1, a) * comb(n2, c), sum(weights)
    less, tied = sum(w for w in weights if w < own), sum(w for w in weights if w == own)
    return float(Fraction(less + tied, everything)), float(Fraction(2 * less + tied, 2 * everything))


@given(n1=sizes, n2=sizes, share1=shares, share2=shares)
@example(n1=2, n2=2, share1=0.5, share2=0.0)  # two equal modes, the upper one observed
@example(n1=1, n2=1, share1=1.0, share2=1.0)  # a single possible table
def test_small_tables_agree_with_enumeration(n1, n2, share1, share2):
    a, c = round(n1 * share1), round(n2 * share2)
    test = fisher_exact(a, n1, c, n2)
    assert (test.p, test.mid_p) == pytest.approx(enumerated(a, n1, c, n2), rel=1e-12)


def unequal_ties(limit):
    """Return tables whose tie has no symmetry behind it: unequal groups, not half selected."""
    found = []
    for n1 in range(2, limit):
        for n2 in range(n1 + 1, limit):
            for selected in range(2, (n1 + n2) // 2):
                ks = range(max(0, selected - n2), min(selected, n1) + 1)
                weights = {}
                for k in ks:
                    weights.setdefault(comb(n1, k) * comb(n2, selected - k), []).append(k)
                found += [(k, n1, selected - k, n2) for same in weights.values() if len(same) == 2 for k in same]
    return found


def test_ties_without_symmetry_are_found():
    tables = unequal_ties(18)
    assert len(tables) > 50
    test = fisher_exact(*np.array(tables).T)
    expected = np.array([enumerated(*table) for table in tables])
    assert test.p == pytest.approx(expected[:, 0], rel=1e-12)
    assert test.mid_p == pytest.approx(expected[:, 1], rel=1e-12)


@pytest.mark.parametrize("n", [10**4, 10**8])
def test_a_table_one_step_from_a_tie_is_not_tied(n):
    # Equal groups tie at k and K - k; one more person in a group breaks the tie by some 1e-8 at n = 1e8,
    # in favour of the smaller count when the focal group has one more.
    a, c = n // 2 - n // 10**4, n // 2
    tied, fewer, more = fisher_exact(a, n, c, n), fisher_exact(a, n, c, n + 1), fisher_exact(a, n + 1, c, n)
    own = [float(np.exp(log_pmf(*(np.array([v]) for v in (a, n1, n2, a + c)))[0])) for n1, n2 in
           ((n, n), (n, n + 1), (n + 1, n))]  # fmt: skip
    assert tied.p - tied.mid_p == pytest.approx(own[0], rel=1e-6)
    assert fewer.p - fewer.mid_p == pytest.approx(own[1] / 2, rel=1e-6)
    assert more.p - more.mid_p == pytest.approx(own[2] / 2, rel=1e-6)


def by_recurrence(a, n1, c, n2):
    """Both p-values at 40 digits: the log-gamma probability of the table, and steps to its neighbours."""
    with mpmath.workdps(40):
        selected = a + c

        def log_choose(n, k):
            return mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)

        def step(k):  # pmf(k + 1) / pmf(k)
            return mpmath.mpf((n1 - k) * (selected - k)) / ((k + 1) * (n2 - selected + k + 1))

        own = mpmath.exp(log_choose(n1, a) + log_choose(n2, c) - log_choose(n1 + n2, selected))
        less = tied = mpmath.mpf(0)
        for direction in (1, -1):
            k, share, last = a, mpmath.mpf(1), mpmath.mpf(0)
            edge = min(selected, n1) if direction == 1 else max(0, selected - n2)
            while k != edge and not (share < last and share < mpmath.mpf(10) ** -20):
                last = share
                share = share * step(k) if direction == 1 else share / step(k - 1)
                k += direction
                tied += share if abs(share - 1) < mpmath.mpf(10) ** -30 else 0
                less += share if share < 1 - mpmath.mpf(10) ** -30 else 0
        return float(own * (less + tied + 1)), float(own * (less + (tied + 1) / 2))


@pytest.mark.parametrize(
    "table",
    [
        (5 * 10**5 - 300, 10**6, 5 * 10**5, 10**6),
        (5 * 10**6 - 1000, 10**7, 5 * 10**6, 10**7 + 12345),
        (40, 10**8, 55, 10**8),
        (0, 10**8, 3, 3 * 10**8),
        (10**8 - 1, 10**8, 10**8 - 14, 10**8),
        (1, 20, 30_000, 10**8),
    ],
)
def test_huge_tables_agree_with_mpmath(table):
    test = fisher_exact(*table)
    assert (test.p, test.mid_p) == pytest.approx(by_recurrence(*table), rel=1e-12)


def test_a_vanishing_p_is_not_zero():
    test = fisher_exact(0, 10**6, 10**6, 10**6)
    assert test.p == np.finfo(float).tiny
    # 1/C(100225, 225) in a short walk, whose products pass the largest float
    assert fisher_exact(0, 225, 10**5, 10**5).p == np.finfo(float).tiny
    assert fisher_exact([0, 7], [225, 15], [10**5, 14], [10**5, 25]).p[1] == pytest.approx(0.7450996602831976)


@given(n1=st.integers(1, 800), n2=st.integers(1, 800), share1=shares, share2=shares)
def test_p_ignores_which_group_and_which_outcome_comes_first(n1, n2, share1, share2):
    a, c = round(n1 * share1), round(n2 * share2)
    tests = [fisher_exact(a, n1, c, n2), fisher_exact(c, n2, a, n1), fisher_exact(n1 - a, n1, n2 - c, n2)]
    assert [test.p for test in tests] == pytest.approx([tests[0].p] * 3, rel=1e-9)
    assert [test.mid_p for test in tests] == pytest.approx([tests[0].mid_p] * 3, rel=1e-9)
    assert 0 < tests[0].mid_p <= tests[0].p <= 1


def test_many_tables_are_the_single_ones_and_nulls_stay_apart():
    tables = [(7, 15, 14, 25), (0, 0, 3, 4), (500, 1000, 40_000, 90_000), (0, 5, 0, 5)]
    many = fisher_exact(*np.array(tables).T)
    single = [fisher_exact(*table) for table in tables]
    assert many.p[[0, 2, 3]].tolist() == [single[0].p, single[2].p, single[3].p]
    assert np.isnan(many.p).tolist() == [False, True, False, False]
    assert many.reason[1] == single[1].reason == "The focal group has no people."
    assert (single[3].p, single[3].mid_p) == pytest.approx((1.0, 0.5))


@pytest.mark.parametrize("table", [(3, 10**8, 9, 10**8 + 7), (10**8 // 3, 10**8, 10**8 // 3 + 10**4, 10**8)])
def test_log_pmf_agrees_with_mpmath(table):
    a, n1, c, n2 = table
    with mpmath.workdps(40):
        whole = mpmath.binomial(n1, a) * mpmath.binomial(n2, c) / mpmath.binomial(n1 + n2, a + c)
        expected = float(mpmath.log(whole))
    ours = log_pmf(*(np.array([value]) for value in (a, n1, n2, a + c)))[0]
    assert ours == pytest.approx(expected, rel=1e-13)


@given(n1=st.integers(1, 4000), n2=st.integers(1, 6000), share1=shares, lift=st.floats(-0.2, 0.2), part=st.floats(0, 1))
def test_walking_and_searching_agree(n1, n2, share1, lift, part):
    a, c = round(n1 * share1), round(n2 * min(max(share1 + lift * part, 0), 1))
    test = fisher_exact(a, n1, c, n2)
    selected = np.array([a + c])
    focal, n_focal, n_other = np.array([a]), np.array([n1]), np.array([n2])
    mode, twin = mode_of(n_focal, n_other, selected)
    if a > mode[0] or (a == mode[0] and twin[0]):
        focal, n_focal, n_other = np.array([c]), n_other, n_focal
    p, ties = two_sided_by_bisection(focal, n_focal, n_other, selected)
    assume(p[0] > 1e-300)
    assert (test.p, test.mid_p) == pytest.approx((min(p[0], 1), min(p[0], 1) - ties[0] / 2), rel=3e-12)


@pytest.mark.parametrize("people", [9_973, 20_000_003])  # primes
def test_neighbours_that_differ_by_one_part_in_all_their_ways_are_no_tie(people):
    # pmf(m)/pmf(m - 1) = 1 + r/(m (N2 - K + m)) with r = (N1 + 1)(K + 1) - m (N1 + N2 + 2). Here r = 1, so the table at
    # m - 1 is the less likely one by some 1e-13 at 20 million people, and p leaves out m alone.
    n1 = people // 3
    selected = pow(n1 + 1, -1, people) - 1
    n2 = people - 2 - n1
    m = (n1 + 1) * (selected + 1) // people
    assert (n1 + 1) * (selected + 1) - m * people == 1
    test = fisher_exact(m - 1, n1, selected - m + 1, n2)
    assert (test.p, test.mid_p) == pytest.approx(by_recurrence(m - 1, n1, selected - m + 1, n2), rel=1e-12)
    assert test.p < 1 - 1e-5


@pytest.mark.parametrize(
    "table",
    [
        (4000, 8000, 4150, 8001),  # p of some percent, summed from the middle
        (3900, 8000, 4250, 8001),  # p of 1e-7, summed from the tails
        (40_000, 90_000, 45_900, 100_000),
        (7, 50_000, 22, 60_000),
        (12_345, 33_333, 55_555, 99_999),
    ],
)
def test_counts_to_a_hundred_thousand_agree_with_mpmath(table):
    test = fisher_exact(*table)
    assert (test.p, test.mid_p) == pytest.approx(by_recurrence(*table), rel=1e-11)


def test_tables_of_all_sizes_in_one_call_are_the_single_ones():
    rng = np.random.default_rng(9)
    n1, n2 = (np.round(10 ** rng.uniform(0, 8, 300)).astype(int) for _ in range(2))
    rate = rng.uniform(0, 1, 300)
    a, c = rng.binomial(n1, rate), rng.binomial(n2, rate)
    many = fisher_exact(a, n1, c, n2)
    single = [fisher_exact(*table) for table in zip(a, n1, c, n2, strict=True)]
    # blocks differ in how many terms are taken, by rounding only
    assert many.p == pytest.approx([one.p for one in single], rel=1e-12)
    assert many.mid_p == pytest.approx([one.mid_p for one in single], rel=1e-12)
