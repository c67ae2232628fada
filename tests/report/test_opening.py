"""The opening as a whole: how many answers carry no decision, and where that is said."""

import pytest
from invented import audit, contrast, slope

from evenhand.report.page.contents import page_of
from evenhand.report.page.document import document as checked
from evenhand.report.probe.opening import opening_sentences

WHY = "None of the 200 answers states a decision: 200 refused."
UNKNOWN = [
    contrast("diff_acceptance_rate", "diff_acceptance_rate", None, reason=WHY, n=0),
    slope(None, reason=WHY, n=0),
]
KNOWN = [contrast("diff_acceptance_rate", "diff_acceptance_rate", 0.1, 0.02, verdict="difference")]


def told(rows, statuses):
    content = checked({"schema": "evenhand.findings/1", "audit": audit(statuses=statuses), "findings": rows})
    return opening_sentences(content.findings, content.audit)


def test_nothing_but_refusals_is_the_whole_answer():
    assert told(UNKNOWN, {"observed": 0, "refused": 200}) == [
        "200 of 200 answers declined the task, so nothing can be said about the difference in acceptance rate between "
        "male and female candidates or the difference in slope of acceptance rate on masculinity between male and "
        "female candidates."
    ]


def test_several_kinds_of_answers_without_a_decision_are_counted_the_largest_first():
    (words,) = told(UNKNOWN[:1], {"error": 20, "missing": 1, "refused": 179})
    assert words.startswith(
        "200 of 200 answers carry no decision (179 refused, 20 error and 1 missing), so nothing can be said about"
    )


@pytest.mark.parametrize(("refused", "lines"), [(5, 1), (6, 2)])
def test_more_than_five_percent_without_a_decision_are_told(refused, lines):
    assert len(told(KNOWN, {"observed": 100 - refused, "refused": refused})) == lines


def test_how_many_carry_no_decision_stands_behind_the_measures_and_a_majority_before_them():
    minority = told(KNOWN, {"observed": 143, "refused": 40, "undetected": 17})
    assert minority[0].startswith("Male candidates were accepted")
    assert minority[1] == (
        "57 of 200 answers (28.5 %) carry no decision: 40 refused and 17 undetected. The rates rest on the other 143."
    )
    majority = told(KNOWN, {"observed": 20, "refused": 180})
    assert majority[0].startswith("180 of 200 answers (90.0 %) carry no decision: 180 refused.")
    assert majority[1].startswith("Male candidates were accepted")


@pytest.mark.parametrize("statuses", [None, {}, {"observed": 0}, {"observed": 9}])
def test_without_counts_nothing_is_said_of_them(statuses):
    assert [line.partition(" (")[0] for line in told(KNOWN, statuses)] == [
        "Male candidates were accepted 10.0 percentage points more often than female candidates"
    ]


@pytest.mark.parametrize(("estimate", "verdict"), [(0.4, "difference"), (0.1, "inconclusive"), (None, None)])
def test_two_groups_are_not_said_to_be_compared_with_all(estimate, verdict):
    row = contrast("diff_acceptance_rate", "diff_acceptance_rate", estimate, 0.02, verdict=verdict, reason=WHY)
    block = audit(headline=["diff_acceptance_rate"])
    content = checked({"schema": "evenhand.findings/1", "audit": block, "findings": [row]})
    (said,) = page_of(content).opening(content).sentences
    assert "all groups together" not in said
    assert "Male names" not in said
