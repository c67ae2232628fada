"""The result in a sentence: one case per verdict."""

import pytest
from invented import audit, contrast, finding, slope

from evenhand.report.page.document import document as checked
from evenhand.report.words.wording import result_sentence


def sentence(row, **block):
    content = checked({"schema": "evenhand.findings/1", "audit": audit(**block), "findings": [row]})
    return result_sentence(content.findings[0], content.audit)


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


def test_the_one_interval_is_told_and_bounds_what_could_have_been_missed():
    other = [{"method": "item bootstrap, percentile", "low": -0.001, "high": 0.009}]
    row = difference(0.004, 0.012, verdict="inconclusive", mark="A", marks_touched=["A"], alternatives=other)
    assert sentence(row) == (
        "No difference was detected at n = 10,000. In these answers, male candidates were accepted 0.4 percentage "
        "points more often than female candidates (95 % interval −0.8 to 1.6); mark A. Differences smaller than "
        "1.6 percentage points could have been missed."
    )


@pytest.mark.parametrize(("adjusted", "told"), [(0.2, True), (None, False)])
def test_an_interval_clear_of_no_difference_that_does_not_survive_adjustment_is_told(adjusted, told):
    words = sentence(difference(0.02, 0.012, verdict="inconclusive", p_adjusted=adjusted))
    said = "The interval leaves out 0.0, but not after adjustment for several comparisons (adjusted p = 0.200)."
    assert (said in words) is told


def equivalent(**details):
    return sentence(difference(0.014, 0.02, verdict="equivalent", mark="A", details=details))


def test_equivalence_names_its_interval_the_margin_and_whether_a_difference_was_detected():
    inside = {"equivalence_interval": [-0.015, 0.043], "margin": 0.05}
    stated = "the 90 % interval (−1.5 to +4.3 points) lies inside ±5 points, the A band; mark A."
    assert equivalent(**inside).endswith(f"n = 10,000): {stated}")
    assert equivalent(**inside, difference_detected=False).endswith(f": no difference was detected, and {stated}")
    assert equivalent(**inside, difference_detected=True).endswith(f": a difference was detected, and {stated}")


def test_a_margin_other_than_the_bands_is_not_called_the_a_band():
    words = equivalent(equivalence_interval=[-0.015, 0.043], margin=0.1)
    assert words.endswith("lies inside ±10 points; mark A.")


def test_equivalence_without_its_interval_falls_back_on_the_bands():
    assert equivalent().endswith(": the 90 % interval lies inside ±5 points, the A band; mark A.")


def test_equivalence_does_not_round_onto_the_margin():
    assert "(−1.5 to +4.97 points)" in equivalent(equivalence_interval=[-0.015, 0.0497], margin=0.05)


def test_a_missing_interval_gives_its_reason_and_no_other_in_its_place():
    few = "There are 8 items; resampling tells the uncertainty from 20 on."
    robust = [{"method": "cluster-robust name × role", "low": -0.1, "high": 0.3}]
    words = sentence(difference(0.1, low=None, high=None, reason=few, alternatives=robust, n=8))
    assert words.endswith("(no interval: There are 8 items; resampling tells the uncertainty from 20 on, n = 8).")


def test_an_unknown_estimate_gives_its_reason():
    assert sentence(difference(None, reason="no answer was observed.")) == (
        "Difference in acceptance rate, male − female: not computed. No answer was observed."
    )


def test_an_estimate_without_interval_says_so():
    assert "no interval: one cluster" in sentence(difference(0.1, reason="one cluster"))


@pytest.mark.parametrize(("value", "towards"), [(-0.358, "female"), (0.358, "male")])
def test_slopes_are_said_as_a_shift_per_unit_of_the_scale_that_the_audit_names(value, towards):
    words = sentence(slope(value, 0.071, verdict="difference", mark="C", marks_touched=["C"]))
    assert words.startswith(
        "For each unit of masculinity, the difference in acceptance rate between male and female candidates shifted "
        f"by 35.8 percentage points towards {towards} candidates (difference of slopes "
    )
    assert words.endswith(
        ": a difference was detected; mark C. Masculinity is how masculine the occupation is seen to be (0 to 1)."
    )


def test_the_sentence_on_a_slope_works_for_any_covariate():
    years = {"measure": "hire_rate", "against": "years_of_experience", "label": "Years since the first job."}
    words = sentence(slope(0.02, 0.01, verdict="difference"), regression=years, subject="applicants")
    assert "For each unit of years of experience, the difference in hire rate between male and female app" in words
    assert words.endswith(" Years of experience is years since the first job.")
    words = sentence(slope(0.0, 0.01, verdict="inconclusive"), regression={"against": "age"})
    assert "for each unit of age, the difference in rate between male and female candidates stayed the same" in words


def test_a_label_of_the_audit_block_replaces_the_derived_one():
    row = finding("mean_diff", "mean_diff", 0.1, 0.02, null_value=0.0, verdict="difference")
    assert sentence(row, labels={"mean_diff": "Masculine words"}).startswith("The masculine words was +10.0 points")


@pytest.mark.parametrize("verdict", ["difference", "equivalent", "inconclusive", None])
def test_a_difference_of_zero_is_worded_without_direction(verdict):
    assert "ale candidates were accepted as often as female candidates" in sentence(
        difference(0.0, 0.01, verdict=verdict)
    )
