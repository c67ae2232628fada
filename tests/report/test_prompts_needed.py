"""How many prompts a report proposes: by a fixed difference and the width of the interval, not by the estimate."""

import pytest
from invented import audit, finding

from evenhand.report.probe.summary import conclusion_question, larger_sample_of
from evenhand.results.finding import FINDINGS_SCHEMA
from evenhand.results.result import parsed_result as document


def measured(estimate, *, margin=0.05, unit="share", half=0.1, family=1):
    details = {} if margin is None else {"type": "verdict_basis", "margin": margin}
    row = finding("diff", "diff", estimate, half, role="planned", verdict="no_difference_detected", details=details)
    row |= {"unit": unit, "null_value": 0.0, "n": 400}
    row["claim"]["family_size"] = family
    return document({"schema": FINDINGS_SCHEMA, "audit": audit(), "findings": [row]}).findings[0]


@pytest.mark.parametrize("estimate", [0.0, 0.02, 0.09])
def test_the_observed_difference_does_not_change_the_prompts_needed(estimate):
    # SE = .1/1.95996; 2.80159 SE must be .05: 400 (2.80159 · .051021/.05)² = 3269.1, rounded up to two digits.
    assert larger_sample_of(measured(estimate), 400) == 3300


def test_a_larger_margin_needs_fewer_prompts_and_the_sentence_states_what_is_taken_as_given():
    # 400 (2.80159 · .051021/.08)² = 1277.0
    finding_of_mark = measured(0.02, margin=0.08)
    assert larger_sample_of(finding_of_mark, 400) == 1300
    assert conclusion_question(finding_of_mark, 1300) == (
        "How many prompts until a conclusion? About 1,300 give a statistical power of 80 % for a difference of 8.0 "
        "percentage points, the edge of mark A, if answers vary as these do."
    )


def test_power_is_that_of_the_test_at_the_level_of_its_family():
    # Of 16 comparisons .05/16: 400 ((2.95516 + .84162) · .051021/.05)² = 6004.2.
    assert larger_sample_of(measured(0.02, family=16), 400) == 6100


def test_without_a_mark_a_share_has_five_points_and_a_score_has_no_proposal():
    share = measured(0.02, margin=None)
    assert larger_sample_of(share, 400) == 3300
    assert "of 5.0 percentage points, if answers vary as these do." in conclusion_question(share, 3300)
    assert larger_sample_of(measured(2.0, margin=None, unit="points", half=3.0), 400) is None


def test_no_more_prompts_are_proposed_where_these_suffice():
    assert larger_sample_of(measured(0.02, half=0.03), 400) is None
