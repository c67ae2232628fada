"""How the page of a run on golden cases opens: each case was read, and its numbers are those of its counts."""

import polars as pl
import pytest

from evenhand.analyses.golden import GoldenCases, analyse_golden
from evenhand.report.evaluate.golden import golden_summary
from evenhand.results.score_audit import PreviousGoldenRun


def opened(counts, *, before=None, scored_before=None):
    """Return the opening of cases: true positives, false negatives, false positives, true negatives of each group.

    `before` has those of the run before, which scored the first cases of each group only, if `scored_before` says so.
    """
    rows = []
    for group, own in counts.items():
        then = None if before is None else before[group]
        for place, label in ((0, "yes"), (2, "no")):
            for number in range(own[place] + own[place + 1]):
                known = then is not None and (scored_before is None or number < scored_before)
                rows.append(
                    {
                        "case": f"{group} {label} {number}",
                        "twin": f"{group} {label} {number}",
                        "label": label,
                        "yes": label,
                        "score": 9.0 if number < own[place] else 1.0,
                        "previous": (9.0 if number < then[place] else 1.0) if known else None,
                        **({} if group is None else {"sex": group}),
                    }
                )
    table = pl.DataFrame(rows, schema_overrides={"previous": pl.Float64})
    both = table.filter(pl.col("previous").is_not_null()).height
    held = (
        PreviousGoldenRun(model="screener", scorer="old", started="2026-03-02", cutoff=5, cases=both) if both else None
    )
    labels = {"labels": ("no", "yes"), "positive": "yes", "digest": "", "version": 1, "forgotten": 0}
    result = analyse_golden(GoldenCases(table=table, cutoff=5, **labels, model="screener", against=held))
    return golden_summary(result.groups, result.audit)


EQUAL = {"men": (60, 40, 30, 70), "women": (60, 40, 30, 70)}
MISSED = {"men": (80, 20, 30, 70), "women": (50, 50, 30, 70)}


@pytest.mark.parametrize(
    ("case", "sentences"),
    [
        (
            {"counts": EQUAL},
            [
                "260 of 400 golden cases are judged as people labelled them: accuracy 65.0 % (60.2 to 69.5); AUC "
                "0.650 (",
                "There is no earlier run of screener to compare it with.",
                "By sex, no statistically significant difference was detected in accuracy, AUC, FNR and FPR (the 4 "
                "comparisons shown). The widest difference of rates is in accuracy: 0.0 points, 95 % CI −9.3 to +9.3, "
                "p = 1.000 alone and over 4 comparisons, women − men.",
            ],
        ),
        (
            {"counts": {"men": (60, 40, 9, 21), "women": (60, 40, 15, 15)}},
            [
                "156 of 260 golden cases are judged",
                "There is no earlier run",
                "By sex, no statistically significant difference was detected in accuracy, AUC, FNR and FPR (the 4 "
                "comparisons shown). The widest difference of rates is in FPR: +20.0 points, ",  # accuracy: -4.6
            ],
        ),
        (
            {"counts": MISSED, "before": {"men": (80, 20, 30, 70), "women": (80, 20, 30, 70)}},
            [
                "270 of 400 golden cases are judged as people labelled them: accuracy 67.5 %",
                "On the 400 cases that screener of 2026-03-02 scored, too, this run is statistically significantly "
                "worse in accuracy, AUC and FNR.",
                "Accuracy: 67.5 % after 75.0 % (−7.5 points, ",
                "AUC: 0.675 after 0.750 (−0.075, ",
                "FNR: 35.0 % after 20.0 % (+15.0 points, ",
                "It is statistically significantly worse for women in accuracy (−15.0 points, ",
                "By sex, groups differ statistically significantly in accuracy, AUC and FNR (3 of the 4 comparisons "
                "shown); none was detected in FPR.",
                "Missed: of those with the label yes, 50.0 % were not selected (women), against 20.0 % (men): "
                "+30.0 points",
                "Accuracy: 60.0 % (women), against 75.0 % (men): −15.0 points, ",
                "Ranking: the AUC is 0.600 (women), against 0.750 (men): −0.150, ",
            ],
        ),
        (
            {"counts": EQUAL, "before": EQUAL, "scored_before": 50},
            [
                "260 of 400 golden cases are judged as people labelled them",
                "On the 200 cases that screener of 2026-03-02 scored, too, this run was not detected to be better or "
                "worse.",
                "Accuracy: 70.0 % after 70.0 % (0.0 points, ",  # 2 · (50 + 20) of 200
                "AUC: ",
                "It was not detected to be worse in any of the 8 comparisons of groups.",
                "By sex, no statistically significant difference was detected",
            ],
        ),
        (
            {"counts": {"men": (60, 40, 30, 70)}},
            [
                "130 of 200 golden cases are judged as people labelled them: accuracy 65.0 %",
                "There is no earlier run",
                "By sex there are no groups to compare: all cases are men.",
            ],
        ),
        (
            {"counts": {None: (100, 0, 0, 100)}},
            ["200 of 200 golden cases are judged as people labelled them: accuracy 100.0 %", "There is no earlier run"],
        ),
    ],
    ids=["equal", "widest in FPR", "worse", "grown", "one group", "no groups"],
)
def test_opening(case, sentences):
    opening = opened(**case)
    assert len(opening.sentences) == len(sentences), opening.sentences
    for found, expected in zip(opening.sentences, sentences, strict=True):
        assert found.startswith(expected), found


def test_the_table_has_accuracy_and_marks_what_differs():
    (table,) = opened(MISSED).tables
    assert table.caption == "Sex, score above 5. * differs from the best value, adjusted p < 0.05"
    assert [each.label for each in table.columns] == ["Group", "Cases", "Base rate", "Accuracy", "AUC", "FNR", "FPR"]
    assert [list(row) for row in table.rows] == [
        ["All", "400", "50.0 %", "67.5 %", "0.675", "35.0 %", "30.0 %"],
        ["men", "200", "50.0 %", "75.0 %", "0.750", "20.0 %", "30.0 %"],
        ["women", "200", "50.0 %", "60.0 %*", "0.600*", "50.0 %*", "30.0 %"],
    ]
