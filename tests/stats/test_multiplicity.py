"""Adjusted p-values."""

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evenhand.stats import benjamini_hochberg, holm

ps = st.lists(st.floats(0, 1), min_size=1, max_size=30)
METHODS = [(holm, "holm"), (benjamini_hochberg, "fdr_bh")]


@pytest.fixture(autouse=True, scope="module")
def little_garbage():
    """Leave what other tests made out of garbage collection, which statsmodels starts at every call."""
    gc.collect()
    gc.freeze()


@pytest.mark.parametrize(("method", "name"), METHODS)
@given(p=ps)
def test_adjustment_agrees_with_statsmodels(method, name, p):
    assert method(p).p == pytest.approx(multipletests(p, method=name)[1], abs=1e-12)


@pytest.mark.parametrize(("method", "name"), METHODS)
def test_nulls_stay_null_and_do_not_enlarge_the_family(method, name):
    adjusted = method([None, 0.01, float("nan"), 0.02])
    assert adjusted.family == 2
    assert np.isnan(adjusted.p).tolist() == [True, False, True, False]
    assert adjusted.p[[1, 3]].tolist() == pytest.approx(multipletests([0.01, 0.02], method=name)[1].tolist())
    assert adjusted.reason.tolist() == ["There is no p-value to adjust.", "", "There is no p-value to adjust.", ""]


@pytest.mark.parametrize("method", [holm, benjamini_hochberg])
def test_one_test_alone_and_none_at_all(method):
    assert (method(0.03).p, method(0.03).family) == (0.03, 1)
    assert (method(None).p, method(None).reason) == (None, "There is no p-value to adjust.")
    assert (method([]).p.size, method([]).family) == (0, 0)


@pytest.mark.parametrize("method", [holm, benjamini_hochberg])
@given(p=ps, seed=st.integers(0, 99))
def test_order_is_irrelevant(method, p, seed):
    order = np.random.default_rng(seed).permutation(len(p))
    assert method(np.array(p)[order]).p == pytest.approx(method(p).p[order])


def test_what_is_no_p_is_refused():
    with pytest.raises(ValueError, match=r"p must lie between 0 and 1, got 1\.5"):
        holm([0.1, 1.5])
    with pytest.raises(ValueError, match=r"got shape \(1, 2\)"):
        holm([[0.1, 0.2]])
