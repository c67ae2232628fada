"""How the page of a run on golden cases opens: each case was read, and its numbers are those of its counts."""

import tomllib
from pathlib import Path

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


REVIEWED = tomllib.loads(Path(__file__).with_name("reviewed.toml").read_text("utf-8"))["golden"]
CASES = {
    "equal": {"counts": EQUAL},
    "widest in FPR": {"counts": {"men": (60, 40, 9, 21), "women": (60, 40, 15, 15)}},
    "worse": {"counts": MISSED, "before": {"men": (80, 20, 30, 70), "women": (80, 20, 30, 70)}},
    "grown": {"counts": EQUAL, "before": EQUAL, "scored_before": 50},
    "one group": {"counts": {"men": (60, 40, 30, 70)}},
    "no groups": {"counts": {None: (100, 0, 0, 100)}},
}


@pytest.mark.parametrize("name", CASES)
def test_opening(name):
    sentences = opened(**CASES[name]).sentences
    assert len(sentences) == len(REVIEWED[name]), sentences
    for found, expected in zip(sentences, REVIEWED[name], strict=True):
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
