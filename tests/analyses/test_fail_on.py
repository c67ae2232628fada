import pytest

from evenhand.analyses.fail_on import CONDITIONS, check_conditions, conditions_met
from evenhand.errors import InputError
from evenhand.results.finding import Finding, GroupRatio, PerturbedScores, VerdictBasis


def row(**values):
    usual = {
        "name": "diff_acceptance_rate",
        "measure": "diff_acceptance_rate",
        "role": "planned",
        "verdict": "inconclusive",
        "mark": "A",
        "estimate": 0.01,
        "n": 100,
        "clusters": {"item": 100},
        "method": "item bootstrap",
    }
    return Finding(**{**usual, **values})


@pytest.mark.parametrize(
    ("condition", "finding", "holds"),
    [
        ("difference", row(verdict="difference"), True),
        ("difference", row(verdict="inconclusive"), False),
        ("difference", row(verdict="equivalent", details=VerdictBasis(difference_detected=True)), True),
        ("difference", row(role="exploratory", verdict="difference"), False),
        ("mark:C", row(mark="B"), False),
        ("mark:C", row(mark="C"), True),
        ("mark:C", row(mark="D"), True),
        ("mark:B", row(mark=None), False),
        ("below", row(details=GroupRatio(four_fifths="below")), True),
        ("below", row(details=GroupRatio(four_fifths="not_below")), False),
        ("not-equivalent", row(verdict="equivalent", details=PerturbedScores(n_pairs=1)), False),
        ("not-equivalent", row(verdict="inconclusive", details=PerturbedScores(n_pairs=1)), True),
        ("not-equivalent", row(verdict="difference", details=PerturbedScores(n_pairs=1)), True),
        ("not-equivalent", row(verdict=None, details=PerturbedScores(n_pairs=1)), True),
        ("not-equivalent", row(role="descriptive", verdict=None, details=PerturbedScores(n_pairs=1)), False),
        ("difference", row(verdict="equivalent", details=PerturbedScores(difference_detected=True)), True),
        ("undetected:0.05", row(measure="undetected_rate_attempts", estimate=0.05), False),
        ("undetected:0.05", row(measure="undetected_rate_attempts", estimate=0.0501), True),
        ("undetected:0.05", row(measure="undetected_rate_attempts", focal={"race": "white"}, estimate=0.9), False),
    ],
)
def test_condition(condition, finding, holds):
    assert bool(conditions_met([condition], [finding])) is holds


@pytest.mark.parametrize(
    "word",
    [
        "alarm",
        "mark",
        "mark:A",
        "mark:E",
        "undetected",
        "undetected:2",
        "below:1",
        "gap",
        "gap:height=1",
        "worse:auc",
        "worse:auc=-1",
        "worse:selection_rate=.1",
        "gap:tpr=nan",
        "",
    ],
)
def test_a_condition_that_is_not_understood_is_refused(word):
    with pytest.raises(InputError, match="expected below, difference"):
        check_conditions([word])


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_is_understood_as_a_message_writes_it(name):
    for form in CONDITIONS[name].written:
        check_conditions([form.replace("SHARE", "0.05").replace("MEASURE=LIMIT", "auc=.01")])
        with pytest.raises(InputError, match=f"expected .*{form}"):
            check_conditions([f"{form}!"])


def test_met_conditions_name_the_finding():
    assert conditions_met(["mark:D"], [row(mark="D")]) == ["mark:D (diff_acceptance_rate, verdict inconclusive)"]


def test_a_group_below_four_fifths_is_told_with_the_false_positive_rate_of_the_rule():
    finding = row(name="impact_ratio_white_female", details=GroupRatio(four_fifths="below", over_flagging_rate=0.64))
    (told,) = conditions_met(["below"], [finding])
    assert "impact_ratio_white_female" in told
    assert "false-positive rate of the four-fifths rule: 64%" in told
