"""The result in a sentence: one case per verdict."""

import pytest
from invented import audit, contrast, finding, slope

from evenhand.report.page.document import document as checked
from evenhand.report.words.results import detail_sentences, result_sentence

PERMUTED = [{"name": "permutation over names", "statistic": None, "p": 0.012}]


def sentence(row, **block):
    content = checked({"schema": "evenhand.findings/1", "audit": audit(**block), "findings": [row]})
    return result_sentence(content.findings[0], content.audit)


def detail(row, **block):
    content = checked({"schema": "evenhand.findings/1", "audit": audit(**block), "findings": [row]})
    return detail_sentences(content.findings[0])


def difference(estimate, half=None, **others):
    return contrast("diff_acceptance_rate", "diff_acceptance_rate", estimate, half, **others)


def test_a_detected_difference_is_said_in_percentage_points_with_its_p():
    row = difference(0.041, 0.012, verdict="difference", tests=PERMUTED)
    assert sentence(row) == (
        "Male candidates were accepted 4.1 percentage points more often than female candidates (95 % CI 2.9 to 5.3), "
        "statistically significant (p = 0.012, permutation over names)."
    )


def test_less_often_needs_no_sign_neither_in_the_size_nor_in_the_interval():
    assert sentence(difference(-0.2, 0.05, verdict="difference")) == (
        "Male candidates were accepted 20.0 percentage points less often than female candidates (95 % CI 15.0 to "
        "25.0), statistically significant."
    )


def test_both_rates_stand_before_the_interval():
    rows = [
        finding(f"{gender}_acceptance_rate", f"{gender}_acceptance_rate", rate, 0.01, focal={"gender": gender})
        for gender, rate in (("male", 0.5), ("female", 0.4))
    ]
    rows.append(difference(0.1, 0.02, verdict="difference"))
    content = checked({"schema": "evenhand.findings/1", "audit": audit(), "findings": rows})
    words = result_sentence(content.findings[2], content.audit, content.findings[:2])
    assert "(50.0 % against 40.0 %; 95 % CI 8.0 to 12.0)" in words


def test_a_test_that_does_not_agree_with_the_interval_is_said_not_to():
    words = sentence(difference(0.1, 0.02, verdict="difference", tests=[PERMUTED[0] | {"p": 0.06}]))
    assert words.endswith(
        "significant by the confidence interval, but not by the test (p = 0.060, permutation over names)."
    )


def test_an_adjusted_p_says_what_it_was_adjusted_for():
    over = "Benjamini\u2013Hochberg over 8 exploratory slices of diff_acceptance_rate, permutation over names"
    words = sentence(difference(0.1, 0.02, verdict="difference", p_adjusted=0.03, adjustment=over))
    assert words.endswith("(adjusted p = 0.030, Benjamini\u2013Hochberg over 8 exploratory slices).")


def test_where_no_difference_was_detected_the_numbers_keep_their_signs():
    tests = [PERMUTED[0] | {"p": 0.5}]
    assert sentence(difference(-0.004, 0.012, verdict="inconclusive", tests=tests)) == (
        "No statistically significant difference was detected in how often male and female candidates are accepted: "
        "a difference of \u22120.4 points (95 % CI \u22121.6 to +0.8; p = 0.500, permutation over names)."
    )


def test_a_test_that_finds_what_the_interval_does_not_is_said_to():
    assert sentence(difference(-0.004, 0.012, verdict="inconclusive", tests=PERMUTED)) == (
        "Male candidates were accepted 0.4 percentage points less often than female candidates (95 % CI \u22120.8 to "
        "1.6), not statistically significant by the confidence interval, but by the test (p = 0.012, permutation over "
        "names)."
    )


def test_marks_within_the_interval_and_how_large_a_difference_may_be_stand_in_detail():
    row = difference(0.004, 0.012, verdict="inconclusive", mark="A", marks_touched=["A", "B"])
    assert detail(row) == [
        "The estimate has mark A; the confidence interval reaches A and B.",
        "The confidence interval is compatible with a difference of up to 1.6 percentage points.",
    ]
    assert "reaches" not in sentence(row)


@pytest.mark.parametrize(("adjusted", "told"), [(0.2, True), (None, False)])
def test_an_interval_clear_of_no_difference_that_does_not_survive_adjustment_is_told(adjusted, told):
    words = detail(difference(0.02, 0.012, verdict="inconclusive", p_adjusted=adjusted))
    said = "The interval leaves out 0.0, but not after adjustment for several comparisons (adjusted p = 0.200)."
    assert (said in words) is told


def equivalent(told, **details):
    return told(difference(0.014, 0.02, verdict="equivalent", mark="A", details=details))


@pytest.mark.parametrize(
    ("details", "end"),
    [
        ({"margin": 0.05, "equivalence_interval": [-0.015, 0.043]}, "±5.0 percentage points (90 % CI −1.5 to +4.3)."),
        ({"margin": 0.05, "equivalence_interval": [-0.015, 0.0497]}, "±5.0 percentage points (90 % CI −1.5 to +4.97)."),
        ({"margin": 0.05}, "±5.0 percentage points (90 % CI inside it)."),
        ({}, "mark A (90 % CI inside it)."),
    ],
)
def test_equivalence_is_told_with_its_margin_and_interval(details, end):
    quiet = equivalent(sentence, **details, difference_detected=False)
    assert quiet.startswith("No statistically significant difference was detected in how often male and female")
    assert quiet.endswith(f". Equivalent within {end}")


def test_a_significant_difference_may_be_equivalent_within_the_margin():
    found = equivalent(sentence, margin=0.05, equivalence_interval=[0.002, 0.026], difference_detected=True)
    assert found.endswith(
        "(95 % CI \u22120.6 to 3.4), statistically significant; equivalent within ±5.0 percentage points (90 % CI 0.2 "
        "to 2.6)."
    )


def test_equivalence_to_a_share_names_it():
    details = {"margin": 0.03, "equivalence_interval": [0.488, 0.513]}
    row = finding("m", "m", 0.501, 0.015, null_value=0.5, verdict="equivalent", details=details)
    assert sentence(row).endswith("Equivalent to 50.0 % within ±3.0 percentage points (90 % CI 48.8 to 51.3 %).")


def test_a_missing_interval_gives_its_reason_and_no_other_in_its_place():
    few = "There are 8 items; resampling tells the uncertainty from 20 on."
    robust = [{"method": "cluster-robust name × role", "low": -0.1, "high": 0.3}]
    assert sentence(difference(0.1, low=None, high=None, reason=few, alternatives=robust, n=8)) == (
        "In these answers, male candidates were accepted 10.0 percentage points more often than female candidates. "
        "There is no confidence interval: there are 8 items; resampling tells the uncertainty from 20 on."
    )


def test_an_unknown_estimate_gives_its_reason():
    assert sentence(difference(None, reason="no answer was observed.")) == (
        "Nothing can be said about how often male and female candidates are accepted (no answer was observed)."
    )


@pytest.mark.parametrize(("value", "towards"), [(-0.358, "female"), (0.358, "male")])
def test_slopes_are_said_as_a_shift_in_percentage_points(value, towards):
    assert sentence(slope(value, 0.071, verdict="difference")) == (
        "For each unit of masculinity, the difference in acceptance rate between male and female candidates shifts "
        f"35.8 percentage points towards {towards} candidates (95 % CI 28.7 to 42.9), statistically significant."
    )


def test_the_sentence_on_a_slope_works_for_any_covariate():
    years = {"measure": "hire_rate", "against": "years_of_experience", "label": "Years since the first job."}
    words = sentence(slope(0.02, 0.01, verdict="difference"), regression=years, subject="applicants")
    assert words.startswith("For each unit of years of experience, the difference in hire rate between male and female")


WORDING = {
    "heading": "Ranked first",
    "topic": "who is ranked first",
    "higher": "men came first in {value} of lists, {size} above {null}",
    "lower": "women came first in all but {value} of lists",
    "larger": "men came first more often",
}


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (0.6, "Men came first in 60.0 % of lists, 10.0 percentage points above 50.0 % ("),
        (0.4, "Women came first in all but 40.0 % of lists ("),
        (0.5, "No difference was seen in who is ranked first ("),
    ],
)
def test_a_probe_tells_its_measures_in_its_own_words(estimate, words):
    row = finding("m", "m", estimate, 0.02, null_value=0.5, verdict="difference")
    assert sentence(row, wordings={"m": WORDING}).startswith(words)


def test_what_has_no_value_for_no_difference_is_not_told_from_one():
    row = finding("masculine_rate", "masculine_rate", 0.6, 0.02)
    assert (
        sentence(row, wordings={"masculine_rate": WORDING}) == "The masculine rate was 60.0 % (95 % CI 58.0 to 62.0 %)."
    )


def test_a_label_of_the_audit_block_replaces_the_derived_one():
    row = finding("mean_diff", "mean_diff", 0.1, 0.02, null_value=0.0, verdict="difference")
    assert sentence(row, labels={"mean_diff": "Masculine words"}).startswith("The masculine words was +10.0 points")


@pytest.mark.parametrize("verdict", ["difference", "equivalent", None])
def test_a_difference_of_zero_is_worded_without_direction(verdict):
    words = sentence(difference(0.0, 0.01, verdict=verdict))
    assert "more often" not in words
    assert "less often" not in words
