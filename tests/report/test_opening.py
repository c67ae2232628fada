"""The opening as a whole: how many answers are unreadable, and where that is said."""

import pytest
from invented import audit, contrast, slope

from evenhand.report.page.contents import page_of
from evenhand.results.finding import FINDINGS_SCHEMA
from evenhand.results.result import parsed_result as checked

WHY = "None of the 200 answers states a decision: 200 refused."
UNKNOWN = [
    contrast("diff_acceptance_rate", "diff_acceptance_rate", None, reason=WHY, n=0),
    slope(None, reason=WHY, n=0),
]
KNOWN = [contrast("diff_acceptance_rate", "diff_acceptance_rate", 0.1, 0.02, verdict="difference")]


def told(rows, statuses):
    block = audit(statuses=statuses, headline=[row["name"] for row in rows])
    content = checked({"schema": FINDINGS_SCHEMA, "audit": block, "findings": rows})
    return page_of(content).opening(content).sentences


def test_nothing_but_refusals_is_the_whole_answer():
    assert told(UNKNOWN, {"observed": 0, "refused": 200}) == [
        "200 of 200 answers declined the task, so nothing can be said about how often male and female candidates are "
        "accepted or how the difference in acceptance rate between male and female candidates changes with masculinity."
    ]


def test_several_kinds_of_unreadable_answers_are_counted_the_largest_first():
    (words,) = told(UNKNOWN[:1], {"error": 20, "missing": 1, "refused": 179})
    assert words.startswith(
        "200 of 200 answers are unreadable (179 refused, 20 failed and 1 missing), so nothing can be said about"
    )


def test_one_reason_behind_several_measures_is_told_once():
    (words,) = told(UNKNOWN, {"observed": 200})
    assert words.startswith("Nothing can be said about how often male and female candidates are accepted or how the")
    assert words.count(WHY[1:].rstrip(".")) == 1


@pytest.mark.parametrize(("refused", "lines"), [(5, 1), (6, 2)])
def test_more_than_five_percent_unreadable_are_told(refused, lines):
    assert len(told(KNOWN, {"observed": 100 - refused, "refused": refused})) == lines


def test_how_many_are_unreadable_stands_behind_the_measures_and_a_majority_before_them():
    minority = told(KNOWN, {"observed": 143, "refused": 40, "undetected": 17})
    assert minority[0].startswith("Male candidates were accepted")
    assert minority[1] == (
        "57 of 200 answers (28.5 %) are unreadable: 40 refused and 17 without a readable decision. The rates rest on "
        "the other 143."
    )
    majority = told(KNOWN, {"observed": 20, "refused": 180})
    assert majority[0].startswith("180 of 200 answers (90.0 %) are unreadable: 180 refused.")
    assert majority[1].startswith("Male candidates were accepted")


@pytest.mark.parametrize("statuses", [None, {}, {"observed": 0}, {"observed": 9}])
def test_without_counts_nothing_is_said_of_them(statuses):
    assert [line.partition(" (")[0] for line in told(KNOWN, statuses)] == [
        "Male candidates were accepted 10.0 percentage points more often than female candidates"
    ]


BLACK_MALE, WHITE_MALE, WHITE_FEMALE = (
    {"race": race, "gender": gender} for race, gender in (("black", "male"), ("white", "male"), ("white", "female"))
)


def ratio(focal, **others):
    rates = {"type": "group_ratio", "rate_focal": 0.3, "rate_reference": 0.5, "four_fifths": "below"}
    between = {"focal": focal, "reference": WHITE_MALE, "role": "exploratory", "unit": "ratio", "null_value": 1.0}
    name = f"impact_ratio_{'_'.join(focal.values())}"
    return contrast(name, "impact_ratio", 0.6, 0.1, **between, details=rates, **others)


def with_known(*rows):
    block = audit(statuses={"observed": 200}, headline=["diff_acceptance_rate"], slices=["race"])
    content = checked({"schema": FINDINGS_SCHEMA, "audit": block, "findings": [*KNOWN, *rows]})
    return page_of(content).opening(content).sentences[1:]


def test_races_that_differ_after_adjustment_are_named():
    said = (
        "Exploratory: Black male candidates were accepted at a rate of 30.0 %, White male candidates at 50.0 % "
        "(n = 10,000): impact ratio 0.600 (95 % CI 0.500 to 0.700), below four-fifths, statistically significant "
        "(p = 0.049, permutation over names)."
    )
    assert with_known(ratio(BLACK_MALE, p_adjusted=0.049)) == [said]


def test_a_ratio_that_is_one_of_gender_or_does_not_survive_adjustment_is_not_named():
    assert with_known(ratio(WHITE_FEMALE, p_adjusted=0.001), ratio(BLACK_MALE, p_adjusted=0.05)) == []


def part(estimate, p, *, race="black", n=(60, 50), half=0.02):
    row = contrast(f"race_{race}_diff", "diff_acceptance_rate", estimate, half, slice={"race": race}, p=p, n=sum(n))
    row["claim"] |= {"n_focal": n[0], "n_reference": n[1]}
    return row


LESS = (
    "Exploratory: among Black names, male candidates were accepted 20.0 percentage points less often than female "
    "candidates (n = 60 and 50; 95 % CI 18.0 to 22.0), statistically significant (p = 0.010, permutation over names)."
)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([part(-0.2, 0.01)], [LESS]),
        ([part(0.2, 0.01)], []),  # as in the whole run
        ([part(-0.2, 0.05)], []),  # no difference
        ([part(-0.2, 0.01, n=(29, 81))], []),  # a group is small
        ([part(-0.2, 0.01), part(-0.2, 0.01, race="white")], [LESS]),  # the same answers
        (
            [part(-0.2, 0.01), *(part(-0.05 * size, 0.01, race=f"r{size}") for size in (1, 2, 3))],
            [LESS, "r3", "The tables have 2 more such differences in groups of at least 30."],
        ),
    ],
)
def test_parts_of_a_run_are_named_once_where_large_groups_have_a_difference_that_the_whole_run_has_not(parts, said):
    named = with_known(*parts)
    assert [text if text in said else text.partition("among ")[2].partition(" ")[0] for text in named] == said


def test_a_difference_in_the_other_direction_is_named_before_a_larger_one():
    differences = [part(size, 0.01, race=race) for race, size in (("black", -0.3), ("white", -0.2), ("asian", 0.1))]
    quiet = contrast("diff_acceptance_rate", "diff_acceptance_rate", 0.0, 0.02, verdict="no_difference_detected")
    block = audit(statuses={"observed": 200}, headline=["diff_acceptance_rate"], slices=["race"])
    content = checked({"schema": FINDINGS_SCHEMA, "audit": block, "findings": [quiet, *differences]})
    _, first, second, rest = page_of(content).opening(content).sentences
    assert (first.split()[2], second.split()[2], rest.split()[3]) == ("Black", "Asian", "1")
