"""Cohen's kappa: published tables, an independent implementation, and its limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa

from evenhand.stats.agreement import cohens_kappa, f1_score

#: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, table 18.1.
DIAGNOSES = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]


def test_published_table():
    # p_o = .89; p_e = .80 · .80 + .10 · .05 + .10 · .15 = .66; kappa = .23 / .34 = .68
    kappa = cohens_kappa(DIAGNOSES)
    assert (kappa.agreement, kappa.n) == (0.89, 100)
    assert kappa.expected_agreement == pytest.approx(0.66)
    assert kappa.estimate == pytest.approx(0.23 / 0.34)


def test_the_table_of_the_paper_on_weights():
    # Cohen (1968), Psychological Bulletin 70, 213-220, 200 patients; he prints .492.
    # p_o = .44 + .20 + .06 = .70; p_e = .6 · .5 + .3 · .3 + .1 · .2 = .41; kappa = .29 / .59
    kappa = cohens_kappa([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    assert kappa.estimate == pytest.approx(0.29 / 0.59)
    assert round(kappa.estimate, 3) == 0.492


def test_quadratic_weights_by_hand():
    # Of the same table: w = 1, .75 or 0; p_o = .70 + .75 (.07 + .05 + .05 + .03) = .85;
    # p_e = .41 + .75 (.6 · .3 + .3 · .5 + .3 · .2 + .1 · .3) = .725; kappa = .125 / .275
    kappa = cohens_kappa([[88, 14, 18], [10, 40, 10], [2, 6, 12]], weights="quadratic")
    assert kappa.estimate == pytest.approx(0.125 / 0.275)


def test_standard_error_by_hand():
    # κ = .4, p_e = .5, so 1 - κ = .6; rows .5 .5, columns .6 .4; p = .4 .1 / .2 .3
    agreeing = 0.4 * (1 - 1.1 * 0.6) ** 2 + 0.3 * (1 - 0.9 * 0.6) ** 2
    crossing = 0.6**2 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)  # p_12 (p_.1 + p_2.)², p_21 (p_.2 + p_1.)²
    variance = (agreeing + crossing - (0.4 - 0.5 * 0.6) ** 2) / (50 * 0.5**2)
    kappa = cohens_kappa([[20, 5], [10, 15]])
    assert kappa.standard_error == pytest.approx(variance**0.5)


tables = st.integers(2, 4).flatmap(lambda k: st.lists(st.integers(1, 60), min_size=k * k, max_size=k * k))


@given(cells=tables, weights=st.sampled_from(["none", "linear", "quadratic"]))
def test_estimate_and_error_are_those_of_statsmodels(cells, weights):
    table = np.reshape(cells, (round(len(cells) ** 0.5), -1))
    ours = cohens_kappa(table, weights=weights)
    theirs = statsmodels_kappa(table, wt=None if weights == "none" else weights)
    assert ours.estimate == pytest.approx(theirs.kappa, abs=1e-12)
    assert ours.standard_error == pytest.approx(theirs.std_kappa, rel=1e-9)
    # The interval is statsmodels' of the table with two items more, spread evenly.
    more = statsmodels_kappa(table + 2 / table.size, wt=None if weights == "none" else weights)
    assert ours.low == pytest.approx(max(more.kappa_low, -1), abs=1e-9)
    assert ours.high == pytest.approx(min(more.kappa_upp, 1), abs=1e-9)


@given(cells=tables)
def test_it_does_not_matter_who_is_first(cells):
    table = np.reshape(cells, (round(len(cells) ** 0.5), -1))
    assert cohens_kappa(table).low == pytest.approx(cohens_kappa(table.T).low, abs=1e-12)


def test_a_label_that_nobody_gave_changes_nothing():
    with_third = cohens_kappa([[20, 5, 0], [10, 15, 0], [0, 0, 0]])
    assert with_third.estimate == pytest.approx(0.4)
    assert with_third.low == pytest.approx(cohens_kappa([[20, 5], [10, 15]]).low)


def test_full_agreement_is_not_certain():
    kappa = cohens_kappa([[5, 0], [0, 7]])
    assert (kappa.estimate, kappa.high, kappa.standard_error) == (1.0, 1.0, None)
    assert kappa.low == pytest.approx(statsmodels_kappa(np.array([[5.5, 0.5], [0.5, 7.5]])).kappa_low)


@pytest.mark.parametrize(
    "table", [[[9, 1], [0, 0]], [[0, 1], [0, 0]], [[1, 0], [0, 1]], [[0, 0, 3], [0, 0, 0], [0, 0, 0]]]
)
def test_one_label_of_one_person_has_a_wide_interval(table):
    for weights in ("none", "quadratic"):
        kappa = cohens_kappa(table, weights=weights)
        assert -1 <= kappa.low <= kappa.estimate <= kappa.high <= 1
        assert kappa.high - kappa.low > 0.9


@pytest.mark.parametrize("weights", ["none", "quadratic"])
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.9, 0.1), (0.7, 0.2, 0.1)])
@pytest.mark.parametrize("n", [30, 100])
def test_limits_of_kappa_hold_it_about_as_often_as_they_say(weights, shares, n):
    drawn = np.random.default_rng(3)
    for kappa in (0.4, 0.8):
        # Both give the same label with probability kappa, and else as each would alone: kappa with any weights.
        cells = (1 - kappa) * np.outer(shares, shares) + kappa * np.diag(shares)
        tables = drawn.multinomial(n, cells.ravel(), size=2000).reshape(-1, *cells.shape)
        found = cohens_kappa(tables, weights=weights)
        known = found.reason == ""
        assert np.mean((found.low <= kappa) & (kappa <= found.high), where=known) > 0.90


def test_no_agreement_at_all_is_not_certain_either():
    kappa = cohens_kappa([[0, 5], [5, 0]])
    assert (kappa.estimate, kappa.low) == (-1.0, -1.0)
    assert kappa.high > -0.6


def test_kappa_is_null_without_items():
    kappa = cohens_kappa([[0, 0], [0, 0]])
    assert (kappa.estimate, kappa.low, kappa.high, kappa.agreement, kappa.n) == (None, None, None, None, 0)
    assert kappa.reason == "No item has a label of both annotators."


@pytest.mark.parametrize("n", [1, 7, 49, 10_000])
def test_kappa_is_null_when_everything_got_one_label(n):
    kappa = cohens_kappa([[0, 0, 0], [0, n, 0], [0, 0, 0]])
    assert (kappa.estimate, kappa.low, kappa.high, kappa.agreement) == (None, None, None, 1.0)
    assert "one label" in kappa.reason


def test_kappa_is_zero_when_one_annotator_never_varies():
    assert cohens_kappa([[6, 0], [4, 0]]).estimate == pytest.approx(0.0)


def test_many_tables_are_the_single_ones():
    many = cohens_kappa([[[20, 5], [10, 15]], [[0, 0], [0, 0]]])
    assert many.estimate[0] == cohens_kappa([[20, 5], [10, 15]]).estimate
    assert np.isnan(many.estimate[1])
    assert many.reason.tolist() == ["", "No item has a label of both annotators."]


@pytest.mark.parametrize("table", [[[1, 2, 3], [4, 5, 6]], [1, 2], []])
def test_a_table_that_is_not_square_is_refused(table):
    with pytest.raises(ValueError, match="as many rows as columns"):
        cohens_kappa(table)


@pytest.mark.parametrize("cell", [-1, 1.5, float("nan")])
def test_cells_are_whole_counts(cell):
    with pytest.raises(ValueError, match="whole counts"):
        cohens_kappa([[cell, 1], [1, 1]])


counts = st.integers(0, 500)


@given(both=counts, found=counts, true=counts)
def test_f1_is_the_harmonic_mean_of_precision_and_recall_within_its_limits(both, found, true):
    score = f1_score(both, found, true)
    if both + found + true == 0:
        assert (score.estimate, score.low, score.reason) == (
            None, None, "No item has the label, and none was given it.",
        )  # fmt: skip
        return
    assert score.n == both + found + true
    assert 0 <= score.low <= score.estimate <= score.high <= 1
    if both:
        precision, recall = both / (both + found), both / (both + true)
        assert score.estimate == pytest.approx(2 * precision * recall / (precision + recall))
    else:
        assert (score.estimate, score.low) == (0, 0)


def test_limits_of_f1_hold_it_as_often_as_they_say():
    # 200 items; the label is true and found of .30, found only of .06, true only of .09: F1 = .6 / .75 = .8
    drawn = np.random.default_rng(5).multinomial(200, [0.30, 0.06, 0.09, 0.55], size=4000)
    score = f1_score(*drawn.T[:3])
    # Four standard errors of a share of .95 among 4,000 are .014.
    assert np.mean((score.low <= 0.8) & (score.high >= 0.8)) == pytest.approx(0.95, abs=0.014)
