"""How the page of an evaluation opens: each case was read, and its numbers are those of its counts."""

import tomllib
from pathlib import Path

import polars as pl
import pytest

from evenhand.comparisons.evaluated_groups import Choices
from evenhand.comparisons.evaluation import EvaluationRequest, evaluate
from evenhand.report.evaluate.summary import evaluate_summary
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


REVIEWED = tomllib.loads(Path(__file__).with_name("reviewed.toml").read_text("utf-8"))["evaluate"]
CASES = {
    "equal": {"counts": EQUAL},
    "missed": {"counts": MISSED},
    "a wider of few": {"counts": WIDER_OF_FEW},
    "few women": {"counts": FEW_WOMEN},
    "turned round": {"counts": {"men": (10, 90, 80, 20), "women": (10, 90, 80, 20)}},
    "versions": {"counts": EQUAL, "versions": {"men": (50, 50, 30, 70), "women": (70, 30, 30, 70)}},
    "no cut-off": {"counts": EQUAL, "cutoff": None},
    "one group": {"counts": {"men": (60, 40, 30, 70)}},
    "base rates": {"counts": OTHER_BASE},
}


@pytest.mark.parametrize("name", CASES)
def test_opening(name):
    sentences = opened(**CASES[name]).sentences
    assert len(sentences) == len(REVIEWED[name]), sentences
    for found, expected in zip(sentences, REVIEWED[name], strict=True):
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
