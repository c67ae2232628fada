import numpy as np
import pytest

from evenhand.stats.association import log_odds


def test_value_by_hand():
    # Counts (4, 6) and (1, 9), prior 10 words: a = 10 · (5, 15)/20 = (2.5, 7.5).
    # log(6.5 / (20 − 6.5)) − log(3.5 / (20 − 3.5))
    result = log_odds([4, 6], [1, 9], prior_words=10)
    expected = np.log(6.5 / 13.5) - np.log(3.5 / 16.5)
    assert result.estimate[0] == pytest.approx(expected, rel=1e-12)
    assert result.z[0] == pytest.approx(expected / np.sqrt(1 / 6.5 + 1 / 3.5), rel=1e-12)


def test_swapping_the_groups_swaps_the_sign():
    there, back = log_odds([4, 6, 2], [1, 9, 0]), log_odds([1, 9, 0], [4, 6, 2])
    assert there.estimate == pytest.approx(-back.estimate)


def test_a_stronger_prior_draws_to_zero():
    weak, strong = (abs(log_odds([9, 1], [1, 9], prior_words=n).estimate[0]) for n in (1, 1000))
    assert strong < weak


def test_a_word_of_neither_group_has_no_value():
    result = log_odds([3, 0], [2, 0])
    assert np.isnan(result.estimate[1])
    assert np.isnan(result.z[1])


def test_leading_axes_are_resamples():
    rows = log_odds([[4, 6], [1, 9]], [[1, 9], [4, 6]], prior_words=10).estimate
    assert rows[0] == pytest.approx(log_odds([4, 6], [1, 9], prior_words=10).estimate)
    assert rows[1] == pytest.approx(-rows[0])
