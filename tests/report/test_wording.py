"""The result in a sentence: one case per verdict."""

import pytest
from invented import audit, contrast, finding, slope

from evenhand.report.words.results import detail_sentences, result_sentence
from evenhand.results.finding import FINDINGS_SCHEMA
from evenhand.results.result import parsed_result as checked


def sentence(row, **block):
    content = checked({"schema": FINDINGS_SCHEMA, "audit": audit(**block), "findings": [row]})
    return result_sentence(content.findings[0], content.audit)


def detail(row, **block):
    content = checked({"schema": FINDINGS_SCHEMA, "audit": audit(**block), "findings": [row]})
    return detail_sentences(content.findings[0])


def difference(estimate, half=None, **others):
    return contrast("diff_acceptance_rate", "diff_acceptance_rate", estimate, half, **others)


MEN_MORE = "Male candidates were accepted 4.1 percentage points more often than female candidates"
NOT_DETECTED = (
    "No statistically significant difference was detected in how often male and female candidates are accepted: "
    "a difference of"
)
OVER_8 = {"family_size": 8, "correction": "Holm"}


@pytest.mark.parametrize(
    ("estimate", "half", "claimed", "words"),
    [
        (
            *(0.041, 0.012, {"p": 0.012}),
            f"{MEN_MORE} (95 % CI 2.9 to 5.3), statistically significant (p = 0.012, permutation over names).",
        ),
        (
            *(-0.2, 0.05, {"verdict": "difference"}),
            "Male candidates were accepted 20.0 percentage points less often than female candidates (95 % CI 15.0 to "
            "25.0), statistically significant.",
        ),
        (
            *(0.041, 0.012, {"p": 0.004, "p_adjusted": 0.03, **OVER_8}),
            f"{MEN_MORE} (95 % CI 2.9 to 5.3), statistically significant (p = 0.004 alone, 0.030 over 8 comparisons, "
            "permutation over names).",
        ),
        (
            *(0.041, 0.05, {"p": 0.02}),
            f"{MEN_MORE} (95 % CI −0.9 to 9.1), statistically significant (p = 0.020, permutation over names; the test "
            "finds what this interval does not).",
        ),
        (
            *(-0.004, 0.012, {"p": 0.5}),
            f"{NOT_DETECTED} −0.4 points (95 % CI −1.6 to +0.8; p = 0.500, permutation over names).",
        ),
        (
            *(0.02, 0.012, {"p": 0.02, "p_adjusted": 0.081, **OVER_8}),
            f"{NOT_DETECTED} +2.0 points (95 % CI +0.8 to +3.2; p = 0.020 alone, 0.081 over 8 comparisons, "
            "permutation over names).",
        ),
        (
            *(0.02, 0.012, {"p": 0.06}),
            f"{NOT_DETECTED} +2.0 points (95 % CI +0.8 to +3.2; p = 0.060, permutation over names; the test is "
            "stricter than the interval).",
        ),
        (
            0.041,
            None,
            {"verdict": "not_judged", "reason": "There are too few names."},
            "Nothing can be said about how often",
        ),
    ],
)
def test_a_sentence_says_what_its_claim_says_and_why_it_departs_from_the_interval(estimate, half, claimed, words):
    assert sentence(difference(estimate, half, **claimed)).startswith(words)


def test_both_rates_stand_before_the_interval():
    rows = [
        finding(f"{gender}_acceptance_rate", f"{gender}_acceptance_rate", rate, 0.01, focal={"gender": gender})
        for gender, rate in (("male", 0.5), ("female", 0.4))
    ]
    rows.append(difference(0.1, 0.02, verdict="difference"))
    content = checked({"schema": FINDINGS_SCHEMA, "audit": audit(), "findings": rows})
    words = result_sentence(content.findings[2], content.audit, content.findings[:2])
    assert "(50.0 % against 40.0 %; 95 % CI 8.0 to 12.0)" in words


def test_marks_within_the_interval_and_how_large_a_difference_may_be_stand_in_detail():
    row = difference(0.004, 0.012, verdict="no_difference_detected", mark="A", marks_touched=["A", "B"])
    assert detail(row) == [
        "The estimate has mark A; the confidence interval reaches A and B.",
        "The confidence interval is compatible with a difference of up to 1.6 percentage points.",
    ]
    assert "reaches" not in sentence(row)


@pytest.mark.parametrize(
    ("claimed", "why"),
    [
        (
            {"p": 0.02, "p_adjusted": 0.2, **OVER_8},
            "corrected for several comparisons it is not a significant difference (p = 0.020 alone, 0.200 over 8 "
            "comparisons)",
        ),
        ({"p": 0.06}, "the test is stricter than the interval"),
        ({"p": 0.02}, None),
    ],
)
def test_the_detail_says_why_an_interval_that_leaves_out_no_difference_shows_none(claimed, why):
    words = [text for text in detail(difference(0.02, 0.012, **claimed)) if "leaves out" in text]
    assert words == ([] if why is None else [f"The interval leaves out 0.0; {why}."])


def equivalent(p, **details):
    details = {"type": "verdict_basis"} | details
    return sentence(difference(0.014, 0.02, p=p, equivalent=True, mark="A", details=details))


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
    quiet = equivalent(0.2, **details)
    assert quiet.startswith("No statistically significant difference was detected in how often male and female")
    assert quiet.endswith(f". Equivalent within {end}")


def test_a_significant_difference_may_be_equivalent_within_the_margin():
    found = equivalent(0.01, margin=0.05, equivalence_interval=[0.002, 0.026])
    assert found.endswith("; equivalent within ±5.0 percentage points (90 % CI 0.2 to 2.6).")


def test_equivalence_to_a_share_names_it():
    details = {"type": "verdict_basis", "margin": 0.03, "equivalence_interval": [0.488, 0.513]}
    row = finding("m", "m", 0.501, 0.015, null_value=0.5, p=0.8, equivalent=True, details=details)
    assert sentence(row).endswith("Equivalent to 50.0 % within ±3.0 percentage points (90 % CI 48.8 to 51.3 %).")


def test_a_missing_interval_gives_its_reason_and_no_other_in_its_place():
    few = "There are 8 items; resampling needs 20 or more."
    robust = [{"method": "cluster-robust by name × role", "low": -0.1, "high": 0.3}]
    assert sentence(difference(0.1, low=None, high=None, reason=few, alternatives=robust, n=8)) == (
        "In these answers, male candidates were accepted 10.0 percentage points more often than female candidates. "
        "There is no confidence interval: there are 8 items; resampling needs 20 or more."
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
        (0.5, "The estimate on who is ranked first is exactly 50.0 %, the value without a difference ("),
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


@pytest.mark.parametrize("claimed", [{"p": 0.01}, {"p": 0.9, "equivalent": True}, {}])
def test_a_difference_of_zero_is_worded_without_direction(claimed):
    words = sentence(difference(0.0, 0.01, **claimed))
    assert "more often" not in words
    assert "less often" not in words


@pytest.mark.parametrize(("women", "rates"), [(0.4589999, "50.0 % against 45.9 %; "), (0.52, "")])
def test_rates_stand_beside_a_difference_only_where_it_is_theirs(women, rates):
    rows = [
        difference(0.041, 0.012, p=0.012),
        finding("men", "acceptance_rate", 0.5, focal={"gender": "male"}),
        finding("women", "acceptance_rate", women, focal={"gender": "female"}),
    ]
    content = checked({"schema": FINDINGS_SCHEMA, "audit": audit(), "findings": rows})
    compared, *groups = content.findings
    assert f"{MEN_MORE} ({rates}95 % CI 2.9 to 5.3)" in result_sentence(compared, content.audit, groups)
