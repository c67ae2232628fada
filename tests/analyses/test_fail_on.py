from dataclasses import replace

import pytest

from evenhand.analyses.fail_on import check_conditions, conditions_without, gate
from evenhand.analyses.options.conditions import CONDITIONS
from evenhand.comparisons.claims import PLANNED, in_families, uncorrected
from evenhand.errors import InputError
from evenhand.probes import PROBES
from evenhand.results import finding
from evenhand.results.finding import Finding, GroupRatio, ImpactRatio, PerturbedScores, PositionsBelow
from evenhand.results.score_audit import VersionChange


def row(p=0.5, *, n=(100, 100), planned=True, equivalent=None, **values):
    """A finding with an uncorrected claim of this p; without one where p is "none"."""
    family = PLANNED if planned else "other"
    claim = None
    if p != "none":
        test = finding.Test(name="a test", statistic=None, p=p, reason="Why not.")
        claim = uncorrected(test, planned=planned, family=family, n=n, equivalent=equivalent)
    usual = {
        "name": "diff_acceptance_rate",
        "measure": "diff_acceptance_rate",
        "role": "planned" if planned else "exploratory",
        "mark": "A",
        "marks_touched": ("A",),
        "estimate": 0.01,
        "n": 100,
        "clusters": {"item": 100},
        "method": "item bootstrap",
        "claim": claim,
    }
    return Finding(**{**usual, **values})


def code(condition, *rows, kind=None, unseen=0):
    of_probes = [
        finding
        for probe in dict.fromkeys(finding.probe for finding in rows)
        for finding in in_families([row for row in rows if row.probe == probe], unseen={PLANNED: [1.0] * unseen})
    ]
    return gate([condition], of_probes, kind).exit_code


def below(four_fifths="below", p=0.5, **values):
    return row(p, details=ImpactRatio(four_fifths=four_fifths), **values)


def above(reference, p=0.01):
    """A chosen reference of 100 people at this rate, below a group of 100 at .5."""
    counts = {"rate_focal": 0.5, "n_focal": 100, "rate_reference": reference, "n_reference": 100}
    return row(p, details=ImpactRatio(four_fifths="not_below", **counts))


def arms(equivalent, p=0.5):
    return row(p, equivalent=equivalent, details=PerturbedScores(n_pairs=1))


def shown(above_margin, *, equivalent=None, planned=True, **values):
    """A ratio that was, or was not, shown to be above and within the margin."""
    ratio = row(details=ImpactRatio(margin=0.8), equivalent=equivalent, planned=planned, **values)
    return replace(ratio, claim=replace(ratio.claim, above_margin=above_margin))


def worse_by(value):
    return row(measure="change_accuracy", estimate=-value, details=VersionChange(worse_by=value))


UNREAD = "undetected_rate_attempts"
SMALL = {"n": (29, 1000), "focal": {"race": "a"}}


@pytest.mark.parametrize(
    ("condition", "rows", "exit_code"),
    [
        ("difference", [row(0.049)], 1),
        ("difference", [row(0.051)], 0),
        # Holm over all planned claims, of all probes.
        ("difference", [row(0.026), row(0.9)], 0),
        ("difference", [row(0.024), row(0.9)], 1),
        ("difference", [row(0.026, probe="a"), row(0.9, probe="b")], 0),
        ("difference", [row(0.024, probe="a"), row(0.9, probe="b")], 1),
        # An equivalent difference is a difference; an exploratory one is not looked at.
        ("difference", [row(0.01, equivalent=True)], 1),
        ("difference", [row(0.5), row(0.001, planned=False)], 0),
        # Nothing was judged, or a large group was not.
        ("difference", [], 6),
        ("difference", [row("none")], 6),
        ("difference", [row(0.001, planned=False)], 6),
        ("difference", [row(None)], 6),
        ("difference", [row(0.5), row(None)], 6),
        ("difference", [row(0.5), row(None, **SMALL)], 0),
        ("difference", [row(0.5), row(None, n=(31, 3000), focal={"race": "a"})], 0),
        ("difference", [row(0.5), row(None, n=(31, 300), focal={"race": "a"})], 6),
        ("difference", [row(0.001), row(None)], 1),
        ("adverse-impact", [below(p=0.01)], 1),
        ("adverse-impact", [below(p=0.2)], 0),
        ("adverse-impact", [below("not_below", p=0.01)], 0),
        # A chosen reference may be the group that fares worse; at exactly four fifths it is not below.
        ("adverse-impact", [above(0.39)], 1),
        ("adverse-impact", [above(0.40)], 0),
        ("adverse-impact", [above(0.39, p=0.2)], 0),
        ("below", [above(0.39, p=0.9)], 1),
        ("below", [above(0.40)], 0),
        ("adverse-impact", [below("not_computable", p=None, estimate=None)], 6),
        ("adverse-impact", [row(0.01, details=PositionsBelow(four_fifths="below", below_significant=2))], 1),
        ("adverse-impact", [row(0.01, details=PositionsBelow(four_fifths="below", below_significant=0))], 0),
        ("below", [below(p=0.9)], 1),
        ("below", [below("not_below")], 0),
        ("below", [row(details=GroupRatio(four_fifths="below"), planned=False)], 1),
        ("below", [below(planned=False)], 6),
        ("below", [below("not_computable", p=None)], 6),
        ("mark:C", [row(mark="D", marks_touched=("C", "D"))], 1),
        ("mark:C", [row(mark="C", marks_touched=("B", "C", "D"))], 0),
        ("mark:C", [row(mark="C", marks_touched=())], 6),
        ("mark:B", [row(mark=None)], 6),
        ("mark:B", [row(mark="†")], 6),
        ("mark-estimate:C", [row(mark="C", marks_touched=("A", "B", "C", "D"))], 1),
        ("mark-estimate:C", [row(mark="B", marks_touched=("B", "C"))], 0),
        ("not-equivalent", [arms(True)], 0),
        ("not-equivalent", [arms(False)], 1),
        ("not-equivalent", [arms(None)], 6),
        ("not-equivalent", [row()], 6),
        ("not-equivalent", [shown(True, equivalent=False)], 1),
        ("not-above", [shown(True, equivalent=False)], 0),
        ("not-above", [shown(True), shown(False)], 1),
        ("not-above", [shown(True), shown(False, planned=False)], 0),
        ("not-above", [shown(True), shown(None)], 6),
        ("not-above", [shown(True), shown(None, **SMALL)], 0),
        ("not-above", [arms(True)], 6),
        ("undetected:0.05", [row(measure=UNREAD, estimate=0.05)], 0),
        ("undetected:0.05", [row(measure=UNREAD, estimate=0.0501)], 1),
        ("undetected:0.05", [row(measure=UNREAD, focal={"race": "white"}, estimate=0.9)], 6),
        # .75 - .70 is a hair above .05 in binary.
        ("worse:accuracy=.05", [worse_by(0.75 - 0.70)], 0),
        ("worse:accuracy=.0499", [worse_by(0.05)], 1),
        ("worse:auc=.05", [worse_by(0.9)], 6),
        ("gap:tpr=.1", [row(measure="diff_tpr", estimate=-0.2)], 1),
        ("gap:tpr=.1", [row(measure="diff_tpr", estimate=-0.2, slice={"year": "1"})], 6),
        ("gap:tpr=.1", [row(None, measure="diff_tpr", estimate=None, reason="Why.")], 6),
    ],
)
def test_condition(condition, rows, exit_code):
    assert code(condition, *rows) == exit_code


def test_pairs_that_the_data_could_have_chosen_count():
    assert code("difference", row(0.02), unseen=1) == 1
    assert code("difference", row(0.02), unseen=2) == 0


def test_one_condition_that_holds_outweighs_one_that_is_not_judged():
    result = gate(["difference", "mark:C"], in_families([row(0.001, mark=None)]), "probe")
    assert result.exit_code == 1
    assert result.lines == [
        "--fail-on difference holds for 1 of 1 judged: diff_acceptance_rate (Holm over 1 planned comparison at 5 %).",
        "--fail-on mark:C can't be judged: no planned finding has a mark.",
    ]


@pytest.mark.parametrize(
    ("condition", "rows", "said"),
    [
        ("difference", [row(None)], "can't be judged for diff_acceptance_rate (Why not)."),
        (
            "difference",
            [row(0.5), row(None)],
            "can't be judged for diff_acceptance_rate (Why not). It holds for none of 1 judged (Holm",
        ),
        ("difference", [row(0.01), row(None)], "Not judged: diff_acceptance_rate (Why not)."),
        (
            "difference",
            [row(0.5), row(None, **SMALL)],
            "fewer than 30 or 2 % on one side: diff_acceptance_rate",
        ),
        ("difference", [], "can't be judged: there is no planned comparison of groups."),
        ("difference", [row(None, **SMALL)], "can't be judged: no comparison could be. Not judged, with fewer"),
        (
            "mark:C",
            [row(mark=None, estimate=None, reason="No answer.")],
            "diff_acceptance_rate (No answer)",
        ),
        (
            "undetected:.1",
            [row(measure=UNREAD, estimate=None, reason="No answer.")],
            "for diff_acceptance_rate (No answer)",
        ),
        ("gap:TPR=.1", [row(measure="diff_tpr", estimate=-0.2)], "holds for 1 of 1 judged: diff_acceptance_rate -0.2"),
    ],
)
def test_what_held_and_what_was_not_judged_is_named(condition, rows, said):
    (line,) = gate([condition], in_families(rows), None).lines
    assert said in line


def test_the_bare_rule_says_how_often_it_is_wrong():
    finding = row(name="impact_ratio_f", details=ImpactRatio(four_fifths="below", over_flagging_rate=0.64))
    (line,) = gate(["below"], in_families([finding]), "impact").lines
    assert "its false-positive rate with these numbers is 64 %" in line


@pytest.mark.parametrize(
    "word",
    [
        *("alarm", "mark", "mark:A", "mark-estimate:E", "undetected", "undetected:2", "below:1", "gap", "gap:height=1"),
        *("worse:auc", "worse:auc=-1", "worse:selection_rate=.1", "gap:tpr=nan", "difference:1", ""),
    ],
)
def test_a_condition_that_is_not_understood_is_refused(word):
    with pytest.raises(InputError, match="is not understood; expected difference, adverse-impact"):
        check_conditions([word], None)


@pytest.mark.parametrize(
    ("condition", "kind"),
    [("mark:C", "impact"), ("worse:auc=.1", "probe"), ("below", "perturb"), ("gap:tpr=.1", "suite")],
)
def test_a_condition_that_a_command_cannot_have_is_refused_with_those_that_it_can(condition, kind):
    with pytest.raises(
        InputError, match=f"is not a condition of {'audit' if kind == 'suite' else kind}; expected difference"
    ):
        check_conditions([condition], kind)


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_is_understood_as_a_message_writes_it(name):
    for form in CONDITIONS[name].written:
        check_conditions([form.replace("SHARE", "0.05").replace("MEASURE=LIMIT", "auc=.01")], None)
        with pytest.raises(InputError, match=f"expected .*{form}"):
            check_conditions([f"{form}!"], None)


@pytest.mark.parametrize(
    ("probe", "refused"),
    [("an2024", ("below", "mark:C")), ("business-vocabulary", ("adverse-impact",)), ("resume-score", ("mark:B",))],
)
def test_a_condition_that_a_probe_cannot_have_is_refused(probe, refused):
    without = conditions_without(PROBES[probe].measured)
    check_conditions(["difference"], "probe", without=without)
    for condition in refused:
        with pytest.raises(InputError, match="is not a condition of this probe; expected difference"):
            check_conditions([condition], "probe", without=without)
