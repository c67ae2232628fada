"""Logistic regression on counts."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, log_expit
from scipy.stats import chi2

from evenhand.stats import LikelihoodRatio, likelihood_ratio, logistic_counts, mantel_haenszel, odds_ratio


def simulated(seed, cells=60):
    rng = np.random.default_rng(seed)
    pay = rng.normal(40_000, 9_000, cells)  # columns of very different size
    design = np.column_stack([np.ones(cells), rng.integers(0, 2, cells), rng.integers(0, 2, cells), pay])
    n = rng.integers(0, 25, cells)
    return design, rng.binomial(n, 1 / (1 + np.exp(-(design @ [-1.0, 0.6, -0.8, 2e-5])))), n


def by_statsmodels(design, y, n):
    used = n > 0
    counts = np.column_stack([y, n - y])[used]
    return sm.GLM(counts, design[used], family=sm.families.Binomial()).fit(tol=1e-13, maxiter=50)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25)
def test_agrees_with_statsmodels(seed):
    design, y, n = simulated(seed)
    ours, oracle = logistic_counts(design, y, n, names=["all", "focal", "degree", "pay"]), by_statsmodels(design, y, n)
    assert ours.estimate == pytest.approx(oracle.params, rel=1e-6)
    assert ours.standard_error == pytest.approx(oracle.bse, rel=1e-6)
    assert ours.p == pytest.approx(oracle.pvalues, rel=1e-5)
    assert np.column_stack([ours.low, ours.high]) == pytest.approx(oracle.conf_int(), rel=1e-5)
    smaller = logistic_counts(design[:, :2], y, n, names=["all", "focal"])
    ratio, lost = likelihood_ratio(ours, smaller), by_statsmodels(design[:, :2], y, n).deviance - oracle.deviance
    assert (ratio.statistic, ratio.p, ratio.df) == pytest.approx((lost, chi2.sf(lost, 2), 2), rel=1e-6)
    assert (ours.n, ours.cells, ours.separated) == (n.sum(), (n > 0).sum(), 0)
    assert ours.reasons.tolist() == [""] * 4


def test_two_cells_give_the_odds_ratio():
    fit = logistic_counts([[1, 1], [1, 0]], [7, 14], [15, 25], names=["all", "focal"])
    assert np.exp(fit.estimate[1]) == pytest.approx(odds_ratio(7, 15, 14, 25).estimate)
    assert fit.standard_error[1] == pytest.approx(np.sqrt(1 / 7 + 1 / 8 + 1 / 14 + 1 / 11))


def test_people_instead_of_cells_change_nothing():
    design, y, n = simulated(1)
    cells = logistic_counts(design, y, n, names=list("abcd"))
    rows = np.repeat(np.arange(n.size), n)
    drawn = np.concatenate([np.arange(size) < won for size, won in zip(n, y, strict=True)]).astype(int)
    people = logistic_counts(design[rows], drawn, np.ones(rows.size, dtype=int), names=list("abcd"))
    assert people.estimate == pytest.approx(cells.estimate, rel=1e-8)
    assert people.standard_error == pytest.approx(cells.standard_error, rel=1e-8)
    assert people.log_likelihood == pytest.approx(cells.log_likelihood, rel=1e-9)


def test_departments_as_columns_come_near_the_common_odds_ratio():
    # Berkeley 1973, tests/oracles/selection.json; both estimate what departments have in common.
    men, women = [(512, 825), (353, 560), (120, 325), (138, 417)], [(89, 108), (17, 25), (202, 593), (131, 375)]
    design = np.array(
        [[sex, *(department == i for i in range(4))] for sex in (1, 0) for department in range(4)], dtype=float
    )
    selected, n = np.array(men + women).T
    fit = logistic_counts(design, selected, n, names=["men", *["department"] * 4])
    pooled = mantel_haenszel(*np.array(men).T, *np.array(women).T)
    assert np.exp(fit.estimate[0]) == pytest.approx(pooled.estimate, rel=0.02)


def test_a_repeated_column_is_left_out_and_said():
    design, y, n = simulated(2)
    wide = np.column_stack([design, 1 - design[:, 1]])
    ours, without = logistic_counts(wide, y, n, names=list("abcde")), logistic_counts(design, y, n, names=list("abcd"))
    assert ours.estimate[:4] == pytest.approx(without.estimate)
    assert np.isnan(ours.estimate[4])
    assert ours.reasons[4] == "The column is a combination of columns before it, so it is left out."
    assert likelihood_ratio(ours, without) == LikelihoodRatio(statistic=None, df=0, p=None)


#: All with a doctorate were selected; below that the groups differ.
DOCTORS = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], dtype=float)


def test_a_level_where_all_were_selected_has_no_limit_and_leaves_the_rest_alone():
    fit = logistic_counts(DOCTORS, [5, 3, 4, 2], [10, 10, 4, 2], names=["all", "focal", "doctor"])
    below = logistic_counts(DOCTORS[:2, :2], [5, 3], [10, 10], names=["all", "focal"])
    assert fit.estimate[:2] == pytest.approx(below.estimate, abs=1e-9)
    assert fit.standard_error[:2] == pytest.approx(below.standard_error)
    assert np.isnan([fit.estimate[2], fit.standard_error[2], fit.low[2]]).all()
    assert "is not finite" in fit.reasons[2]
    assert (fit.separated, fit.n) == (6, 26)
    # Without the column 9 of 14 and 5 of 12 were selected. Score 6 - 4 · 9/14 - 2 · 5/12; information of the column
    # about the mean of each half: 14 · 9/14 · 5/14 · 4/14 · 10/14 and 12 · 5/12 · 7/12 · 2/12 · 10/12.
    information = 45 / 14 * 40 / 196 + 35 / 12 * 20 / 144
    assert fit.test.tolist() == ["Wald", "Wald", "Score test"]
    assert fit.z[2] == pytest.approx((6 - 36 / 14 - 10 / 12) / information**0.5)


def test_the_likelihood_ratio_of_a_separated_term_is_the_limit_of_statsmodels_own():
    # A coefficient of 25 in place of infinity: the log likelihood is then short by some 1e-10.
    selected, n = np.array([5, 3, 4, 2]), np.array([10, 10, 4, 2])
    fit = logistic_counts(DOCTORS, selected, n, names=["all", "focal", "doctor"])

    def kernel(p):
        return (selected * np.log(p) + (n - selected) * np.log1p(-p)).sum()

    limit = kernel(expit(DOCTORS @ [*fit.estimate[:2], 25.0]))
    assert fit.log_likelihood == pytest.approx(limit, abs=1e-8)
    without = logistic_counts(DOCTORS[:, :2], selected, n, names=["all", "focal"])
    lost = 2 * (limit - kernel(by_statsmodels(DOCTORS[:, :2], selected, n).fittedvalues))
    assert likelihood_ratio(fit, without).statistic == pytest.approx(lost, rel=1e-7)


def test_separation_across_several_columns_is_found():
    # No column alone predicts anything; the sum of both does: selected where x + y > 0.
    design = np.array([[1, 2, -1], [1, -1, 2], [1, -2, 1], [1, 1, -2], [1, 0.5, 0.4], [1, -0.5, -0.4]])
    fit = logistic_counts(design, [3, 2, 0, 0, 4, 0], [3, 2, 3, 2, 4, 5], names=["all", "x", "y"])
    assert np.isnan(fit.estimate).all()
    assert fit.separated == fit.n == 19
    assert fit.log_likelihood == 0.0
    # With both outcomes in as many cells as there are columns no direction is free.
    fit = logistic_counts(design, [3, 2, 1, 1, 4, 1], [3, 2, 3, 2, 4, 5], names=["all", "x", "y"])
    assert (fit.separated, fit.reasons.tolist()) == (0, [""] * 3)


@given(
    counts=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=6, max_size=6).filter(
        lambda cells: sum(won for won, _ in cells) > 0 and sum(lost for _, lost in cells) > 0
    )
)
@settings(max_examples=60, deadline=None)
def test_separated_cells_are_those_whose_probability_goes_to_one(counts):
    # A group and a qualification of three levels, main effects. A ridge of 1e-7 keeps every coefficient finite; cells
    # predicted perfectly come within 1e-4 of their outcome, others stay away from 0 and 1.
    design = np.array([[1, group, level == 1, level == 2] for group in (0, 1) for level in range(3)], dtype=float)
    won, n = np.array([won for won, _ in counts]), np.array([sum(cell) for cell in counts])
    fit = logistic_counts(design, won, n, names=["all", "group", "level", "level"])
    beta = np.zeros(4)
    for _ in range(200):
        p = expit(design @ beta)
        information = (design.T * (n * p * (1 - p))) @ design + 1e-7 * np.eye(4)
        step = np.linalg.solve(information, design.T @ (won - n * p) - 1e-7 * beta)
        beta += step / max(1.0, np.abs(step).max())
    certain = ((expit(-np.abs(design @ beta)) < 1e-4) & (n > 0)) @ n
    assert fit.separated == certain
    kernel = (won * log_expit(design @ beta) + (n - won) * log_expit(-(design @ beta))).sum()
    assert fit.log_likelihood == pytest.approx(kernel, abs=1e-3)


@pytest.mark.parametrize(
    ("selected", "n", "reason"),
    [
        ([0, 0], [0, 0], "Nobody was counted."),
        ([0, 0], [3, 4], "Nobody was selected, so there is nothing to explain."),
        ([3, 4], [3, 4], "Everybody was selected, so there is nothing to explain."),
    ],
)
def test_nothing_to_explain_is_null_with_its_reason(selected, n, reason):
    fit = logistic_counts([[1, 0], [1, 1]], selected, n, names=["all", "focal"])
    assert (fit.log_likelihood, likelihood_ratio(fit, fit).p, fit.reason) == (None, None, reason)
    assert np.isnan(fit.estimate).all()
    assert fit.reasons.tolist() == [reason, reason]


@pytest.mark.parametrize("design", [[[1, 0]], [[1], [1]], [[1, np.nan], [1, 0]]])
def test_a_design_that_does_not_fit_is_refused(design):
    with pytest.raises(ValueError, match="one row per cell and one column per name"):
        logistic_counts(design, [1, 2], [3, 3], names=["all", "focal"])
