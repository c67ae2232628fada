"""How often standing disparities are found where there is none: the study of the benchmarks, smaller."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from standing import null


@pytest.mark.slow
def test_of_years_without_a_disparity_at_most_5_percent_find_one():
    shares = null(400, seed=7)
    assert max(shares) <= 0.05
    assert sum(shares) > 0
