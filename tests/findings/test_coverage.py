"""The intervals hold the truth as often as they say: 1,000 simulated audits per case."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import coverage_study

SHARE = "diff_acceptance_rate"


@pytest.mark.slow
def test_95_percent_intervals_cover_the_truth_in_92_to_98_percent_of_audits():
    for row in coverage_study.coverage(1000):
        assert 0.92 <= row.robust <= 0.98, row
        # Where single names are preferred, prompts are no independent evidence.
        assert (0.92 <= row.bootstrap <= 0.98) == (row.kind != coverage_study.NAMES or row.measure != SHARE), row
