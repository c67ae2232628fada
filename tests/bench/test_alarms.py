"""How often the default rules ring by chance, and how soon they find a step: the study of the benchmarks, smaller."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from alarms import YEAR, flat, found_changes


@pytest.mark.slow
def test_a_year_without_a_change_has_about_one_alarm_over_all_series():
    assert 0.8 < flat(1000, seed=7) < 1.2


@pytest.mark.slow
def test_a_step_of_three_deviations_is_found_within_days_while_all_rules_watch():
    delays, dated = found_changes(100, 8, np.full(YEAR, 3.0))
    assert np.mean(delays <= 6) > 0.85
    assert abs(np.nanmedian(dated)) <= 2
