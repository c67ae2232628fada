"""Waits, computed without waiting."""

import numpy as np
import pytest

from evenhand.models.limits import Backoff


# With first = 1 and longest = 8 the waits double to 8; jitter takes at most half of each.
@pytest.mark.parametrize(("failures", "longest"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 8), (5000, 8)])
def test_waits_double_up_to_a_limit(failures, longest):
    backoff = Backoff(first=1.0, longest=8.0)
    rng = np.random.default_rng(0)
    waits = [backoff.delay(failures, named=None, rng=rng) for _ in range(200)]
    assert longest / 2 <= min(waits) < longest * 0.55
    assert longest * 0.95 < max(waits) <= longest


def test_a_wait_that_the_server_names_is_kept_and_limited():
    backoff = Backoff(first=1.0, longest_named=60.0)
    rng = np.random.default_rng(0)
    assert 7.0 <= backoff.delay(1, named=7.0, rng=rng) <= 8.0
    assert 60.0 <= backoff.delay(1, named=86_400.0, rng=rng) <= 61.0
