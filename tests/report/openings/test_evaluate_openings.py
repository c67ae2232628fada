"""How the page of an evaluation opens: each case was read, and its numbers are those of its counts."""

import polars as pl
import pytest

from evenhand.comparisons.evaluated_groups import Choices
from evenhand.comparisons.evaluation import EvaluationRequest, evaluate
from evenhand.report.evaluate.summary import NO_CUTOFF, evaluate_summary
from evenhand.results.score_audit import Decided, EvaluateAudit
from evenhand.results.table_groups import evaluate_groups

#: Scores of those who are selected and of those who are not.
HIGH, LOW = 0.7, 0.3


def rows_of(counts, versions=None):
    """Return rows of counts: true positives, false negatives, false positives, true negatives of each group.

    `versions` has, likewise, those of the previous version, of whom as many are selected by both as can be.
    """
    rows = []
    for code, (group, own) in enumerate(counts.items()):
        before = own if versions is None else versions[group]
        for place in (0, 2):
            both = own[place] + own[place + 1]
            for person in range(both):
                now, then = person < own[place], person < before[place]
                rows.append((code, place == 0, HIGH if now else LOW, now, HIGH if then else LOW, then))
    names = ["protected.sex", "label", "score", "selected", "against", "against_selected"]
    frame = pl.DataFrame(rows, schema=names, orient="row").with_columns(n=pl.lit(1, pl.Int64))
    frame = frame if versions is not None else frame.drop("against", "against_selected")
    return frame.group_by(pl.exclude("n")).agg(pl.col("n").sum().cast(pl.Int64)).sort("score", "label", *names[:1])


def opened(counts, *, versions=None, cutoff=0.5, probabilities=False):
    rows = rows_of(counts, versions)
    rows = rows if cutoff is not None else rows.drop("selected")
    asked = EvaluationRequest(
        attributes=("sex",),
        by=(),
        levels={"sex": tuple(counts)},
        choices=Choices(),
        probabilities=probabilities,
        ranked=False,
        at_least=False,
    )
    found = evaluate(rows, asked)
    audit = EvaluateAudit(
        attributes=("sex",),
        decided=Decided(
            label="stayed",
            positive=("yes",),
            score="fit",
            cutoff=cutoff,
            against=None if versions is None else "old",
        ),
        cutoffs=found.cutoffs,
        tensions=found.tensions,
        reproduce="evenhand evaluate people.csv --label stayed --score fit --protected sex",
    )
    return evaluate_summary(evaluate_groups(found.findings, audit), audit)


EQUAL = {"men": (60, 40, 30, 70), "women": (60, 40, 30, 70)}
MISSED = {"men": (80, 20, 30, 70), "women": (50, 50, 30, 70)}
WIDER_OF_FEW = {"men": (160, 40, 60, 140), "women": (130, 70, 60, 140), "other": (14, 10, 7, 17)}
FEW_WOMEN = {"men": (60, 40, 30, 70), "women": (10, 10, 4, 16), "other": (5, 0, 0, 5)}
OTHER_BASE = {"men": (120, 60, 10, 30), "women": (30, 15, 40, 120)}


@pytest.mark.parametrize(
    ("case", "sentences"),
    [
        (
            {"counts": EQUAL},
            [
                "By sex, no statistically significant difference was detected in AUC, selection rate, FNR and FPR "
                "(the 4 comparisons shown). The widest difference of rates is in selection rate: 0.0 points, 95 % CI "
                "−9.7 to +9.7, p = 1.000 alone and over 4 comparisons, women − men."
            ],
        ),
        (
            {"counts": MISSED},
            [
                "By sex, groups differ statistically significantly in AUC, selection rate and FNR (3 of the 4 "
                "comparisons shown); none was detected in FPR.",
                "Missed: of those with stayed = yes, 50.0 % were not selected (women), against 20.0 % (men): +30.0 "
                "points, 95 % CI +16.9 to +41.7, p < 0.001 alone and over 4 comparisons.",
                # Variances by DeLong: .03408² and .03057², so the interval is about −.15 ± 1.96 · .0458.
                # (80 · 70 + (80 · 30 + 20 · 70) / 2) / 100² = .75 and (50 · 70 + (50 · 30 + 50 · 70) / 2) / 100² = .6
                "Ranking: the AUC is 0.600 (women), against 0.750 (men): −0.150, 95 % CI −0.238 to −0.059, p = 0.001 "
                "alone, 0.004 over 4 comparisons.",
                "Selected: 40.0 % (women), against 55.0 % (men): impact ratio 0.727 (95 % CI 0.587 to 0.896), below "
                "four-fifths, p = 0.004 alone, 0.007 over 4 comparisons.",
            ],
        ),
        (
            {"counts": WIDER_OF_FEW},
            [
                "By sex, groups differ statistically significantly in FNR (1 of the 8 comparisons shown); none was "
                "detected in AUC, selection rate and FPR.",
                "Missed: of those with stayed = yes, 35.0 % were not selected (women), against 20.0 % (men): +15.0 "
                "points, 95 % CI +6.3 to +23.4, p = 0.001 alone, 0.013 over 12 comparisons; a wider one is not "
                "statistically significant.",
                "Selected: 43.8 % (other), against 55.0 % (men)",
            ],
        ),
        (
            {"counts": FEW_WOMEN},
            [
                "By sex, no statistically significant difference was detected in AUC, selection rate, FNR and FPR "
                "(the 4 comparisons of larger groups).",
                "Selected: 35.0 % (women), against 45.0 % (men): impact ratio 0.778 (95 % CI 0.481 to 1.165), below "
                "four-fifths, p = 0.295 alone, 1.000 over 10 comparisons, not statistically significant.",
                "Of fewer than 30 people or 2 %, in the tables only: other.",
            ],
        ),
        (
            {"counts": {"men": (10, 90, 80, 20), "women": (10, 90, 80, 20)}},
            [
                "The AUC of all people is 0.150 (",
                "By sex, no statistically significant difference was detected",
            ],
        ),
        (
            {"counts": EQUAL, "versions": {"men": (50, 50, 30, 70), "women": (70, 30, 30, 70)}},
            [
                "On the same people, the new version was not detected to be better or worse.",
                "AUC: 0.650 after 0.650 (0.000, 95 % CI ",
                "It is statistically significantly worse for women in AUC",
                "It is statistically significantly better for men in AUC",
                "It is statistically significantly different for men in selection rate",
                "By sex, no statistically significant difference was detected",
            ],
        ),
        (
            {"counts": EQUAL, "cutoff": None},
            [
                "By sex, no statistically significant difference was detected in AUC (the comparison shown). The "
                "widest is in AUC: 0.000",
                NO_CUTOFF,
            ],
        ),
        (
            {"counts": {"men": (60, 40, 30, 70)}},
            ["By sex there are no groups to compare: all people are men."],
        ),
        (
            {"counts": OTHER_BASE},
            [
                "By sex, groups differ statistically significantly in selection rate (1 of the 4 comparisons shown); "
                "none was detected in AUC, FNR and FPR.",
                "Selected: 34.1 % (women), against 59.1 % (men): impact ratio 0.578 (95 % CI 0.462 to 0.716), below "
                "four-fifths, p < 0.001 alone and over 4 comparisons.",
                "81.8 % (men) and 22.0 % (women) have stayed = yes. At different base rates a score that selects some "
                "rightly and some wrongly cannot have the same precision, FPR and FNR in both groups; here: precision "
                "92.3 % against 42.9 %, FPR 25.0 % against 25.0 %, FNR 33.3 % against 33.3 %.",
            ],
        ),
    ],
    ids=[
        "equal",
        "missed",
        "a wider of few",
        "few women",
        "turned round",
        "versions",
        "no cut-off",
        "one group",
        "base rates",
    ],
)
def test_opening(case, sentences):
    opening = opened(**case)
    assert len(opening.sentences) == len(sentences), opening.sentences
    for found, expected in zip(opening.sentences, sentences, strict=True):
        assert found.startswith(expected), found


def test_the_table_marks_what_differs_from_the_best_value():
    (table,) = opened(MISSED).tables
    assert table.caption == "Sex, fit above 0.5. * differs from the best value, adjusted p < 0.05"
    assert [list(row) for row in table.rows] == [
        ["All", "400", "50.0 %", "47.5 %", "–", "0.675", "35.0 %", "30.0 %"],
        ["men", "200", "50.0 %", "55.0 %", "–", "0.750", "20.0 %", "30.0 %"],
        ["women", "200", "50.0 %", "40.0 %*", "0.727", "0.600*", "50.0 %*", "30.0 %"],
    ]


@pytest.mark.parametrize(
    ("case", "questions"),
    [
        ({"counts": EQUAL, "cutoff": None}, ["Whom does the score miss", "Is a new version better"]),
        ({"counts": OTHER_BASE}, ["Which criteria cannot", "What would another cut-off", "Is a new version better"]),
        ({"counts": EQUAL, "versions": EQUAL}, ["What would another cut-off"]),
    ],
)
def test_next_steps(case, questions):
    steps = opened(**case).steps
    assert [step.question.startswith(start) for step, start in zip(steps, questions, strict=True)] == [True] * len(
        steps
    )
    if case.get("cutoff", 0.5) is None:
        assert steps[0].command.endswith("--protected sex --cutoff 0.3")


def test_probabilities_that_promise_too_much_stand_in_the_table():
    counts = {"men": (70, 30, 30, 70), "women": (30, 70, 10, 190)}
    (table,) = opened(counts, probabilities=True, cutoff=None).tables
    # Of 300 women 100 stayed, and 40 · .7 + 260 · .3 = 106 were promised; of 200 men 100 of 100.
    place = [column.label for column in table.columns].index("Calibration intercept")
    men, women = (float(row[place].replace("−", "-").rstrip("*")) for row in table.rows[1:])
    assert women < men == pytest.approx(0, abs=0.001)
