"""The answer in a sentence: one case per verdict."""

import pytest
from invented import audit, contrast, finding, slope

from evenhand.report._document import document as checked
from evenhand.report._wording import answer_sentence


def sentence(row, **block):
    content = checked({"schema": "evenhand.findings/1", "audit": audit(**block), "findings": [row]})
    return answer_sentence(content.rows[0], content.audit)


def difference(estimate, half=None, **others):
    return contrast("diff_acceptance_rate", "diff_acceptance_rate", estimate, half, **others)


def test_a_detected_difference_is_said_in_percentage_points():
    row = difference(0.041, 0.012, verdict="difference", mark="A", marks_touched=["A"])
    assert sentence(row) == (
        "Male candidates were accepted 4.1 percentage points more often than female candidates "
        "(95 % interval 2.9 to 5.3, n = 10,000): a difference was detected; mark A."
    )


def test_a_negative_difference_says_less_often_and_keeps_its_sign_in_the_bracket():
    row = difference(-0.2, 0.05, verdict="difference", mark="C", marks_touched=["B", "C"], n=9_812)
    assert sentence(row) == (
        "Male candidates were accepted 20.0 percentage points less often than female candidates "
        "(difference −20.0, 95 % interval −25.0 to −15.0, n = 9,812 answers): a difference was detected; "
        "mark C, and the interval touches B and C."
    )


def test_no_detected_difference_says_what_could_have_been_missed_by_the_widest_interval():
    wide = [{"method": "cluster-robust", "low": -0.035, "high": 0.03}]
    row = difference(0.004, 0.012, verdict="inconclusive", mark="A", marks_touched=["A"], alternatives=wide)
    assert sentence(row) == (
        "No difference was detected at n = 10,000. In these answers, male candidates were accepted 0.4 percentage "
        "points more often than female candidates (95 % interval −0.8 to 1.6); mark A. Differences smaller than "
        "3.5 percentage points could have been missed."
    )


def test_intervals_that_disagree_are_told():
    wide = [{"method": "cluster-robust name by role", "low": -0.002, "high": 0.042}]
    words = sentence(difference(0.02, 0.012, verdict="inconclusive", alternatives=wide))
    assert "That interval leaves out 0.0; the one by cluster-robust name by role (−0.2 to 4.2) does not." in words


def test_equivalence_names_the_band_and_a_difference_detected_within_it():
    row = difference(0.01, 0.012, verdict="equivalent", mark="A", details={"difference_detected": False})
    assert sentence(row).endswith(": any difference is smaller than the A band (5.0 percentage points); mark A.")
    row = difference(0.02, 0.012, verdict="equivalent", mark="A", details={"difference_detected": True})
    assert ": a difference was detected, and any difference is smaller than the A band (5.0" in sentence(row)


def test_an_unknown_estimate_gives_its_reason():
    assert sentence(difference(None, reason="no answer was observed.")) == (
        "Difference in acceptance rate, male − female: not computed. No answer was observed."
    )


def test_an_estimate_without_interval_says_so():
    assert "no interval: one cluster" in sentence(difference(0.1, reason="one cluster"))


def test_slopes_are_said_along_the_scale_that_the_audit_names():
    assert sentence(slope(-0.358, 0.071, verdict="difference", mark="C", marks_touched=["C"])) == (
        "As the scale “How masculine the occupation is seen to be (0 to 1)” goes up by 1, the acceptance rate of "
        "male candidates rises 35.8 percentage points less than that of female candidates (difference of slopes "
        "−0.358, 95 % interval −0.429 to −0.287, n = 10,000): a difference was detected; mark C."
    )


def test_a_label_of_the_audit_block_replaces_the_derived_one():
    row = finding("mean_diff", "mean_diff", 0.1, 0.02, null_value=0.0, verdict="difference")
    assert sentence(row, labels={"mean_diff": "Masculine words"}).startswith("The masculine words was 10.0 %")


@pytest.mark.parametrize("verdict", ["difference", "equivalent", "inconclusive", None])
def test_a_difference_of_zero_is_worded_without_direction(verdict):
    assert "ale candidates were accepted as often as female candidates" in sentence(
        difference(0.0, 0.01, verdict=verdict)
    )
