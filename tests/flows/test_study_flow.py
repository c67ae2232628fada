"""`evenhand perturb --scores` as a user runs it: a study of real models, its page, gates, bundle, wrong input."""

import re
from html import unescape

import numpy as np
import polars as pl
import pytest
from _cli import evenhand, findings, refused

import evenhand as eh
from evenhand.errors import InputError
from evenhand.report.words.numbers import first_other_number
from evenhand.results.result import read_result

TABLE = "hiring-bias-2026.parquet"
COLUMNS = ("--arm", "axis", "--level", "level", "--item", "model,jd", "--run", "run")
BASELINE, SCORE = ("--baseline", "baseline"), ("--score", "score")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    written = evenhand("data example hiring-bias-2026", cwd=folder)
    assert (written.stdout.strip(), "CC BY 4.0" in written.stderr) == (TABLE, True)
    asked = (*COLUMNS, *BASELINE, *SCORE, "--compare-by", "model", "--reference", "james-smith", "--margin", "0.2sd")
    done = evenhand("perturb --scores", TABLE, *asked, "--out", "run", cwd=folder)
    return folder, done


def test_the_study_of_2026_says_what_holds_after_correction(study):
    by_name, audit = findings(study[0] / "run")
    # Means of jobs by another route: polars on the table, then scipy's paired t.
    rows = pl.read_parquet(study[0] / TABLE).drop_nulls("score")
    means = rows.group_by("axis", "level", "model", "jd").agg(pl.col("score").mean())
    wide = means.filter(pl.col("axis") == "firstName").pivot("level", index=["model", "jd"], values="score")
    by_job = wide.group_by("jd").agg((pl.col("aisha-okonkwo") - pl.col("james-smith")).mean().alias("difference"))
    stats = pytest.importorskip("scipy.stats")
    expected = stats.ttest_1samp(by_job["difference"], 0.0)
    name = by_name["firstName_aisha-okonkwo_james-smith_score_difference"]
    assert name["estimate"] == pytest.approx(by_job["difference"].mean())
    assert name["claim"]["p"] == pytest.approx(expected.pvalue)
    assert name["claim"]["verdict"] == "no_difference_detected"
    assert name["claim"]["p"] < 0.05 < name["claim"]["p_adjusted"]
    floors = [finding for key, finding in by_name.items() if key.endswith("_floor_ratio") and not finding["slice"]]
    assert len(floors) == 8
    assert all(finding["claim"]["verdict"] == "no_difference_detected" for finding in floors)
    assert "qwen-3-next-80b is unstable" in study[1].stdout.replace("\n", " ")
    assert audit["attribution"].startswith("Hiring-Bias dataset")


def test_the_page_says_what_findings_json_holds_and_whose_data_it_shows(study):
    page = (study[0] / "run" / "report.html").read_text("utf-8")
    result = read_result(study[0] / "run")
    assert first_other_number(page, result.findings) is None
    for text in ("Hiring-Bias dataset, Bogdan Szabo", "Ranks that the data allow", "The placebo floor"):
        assert text in page


def test_a_bundle_with_the_table_is_computed_again(study):
    folder, _ = study
    evenhand("bundle run --with", TABLE, "--out", "run.zip", cwd=folder)
    checked = evenhand("verify run.zip", cwd=folder)
    computed = re.search(r"(\d+) of (\d+) findings computed again from the rows", " ".join(checked.stdout.split()))
    assert computed[1] == computed[2] != "0"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--fail-on", "difference"), 1),
        (("--fail-on", "not-equivalent", "--margin", "1"), 0),
        (("--fail-on", "not-equivalent", "--margin", "0.01"), 1),
        (("--fail-on", "not-equivalent"), 2),
        (("--fail-on", "undetected:0.0001"), 1),
        (("--fail-on", "difference", "--where", "jd = 'jd_cpp_finance'"), 6),
        (("--fail-on", "mark:B"), 2),
    ],
)
def test_a_gate_judges_the_planned_comparisons(study, options, code):
    asked = ("--scores", TABLE, *COLUMNS, *BASELINE, *SCORE, "--compare-by", "model", "--quiet", "--out", "gate")
    evenhand("perturb", *asked, *options, "--force", cwd=study[0], code=code)


NAMES = ("--where", "axis in ('firstName', 'placebo')", "--reference", "james-smith")
APART = "(level = 'wei-chen') = (jd like 'jd_c%')"


@pytest.mark.parametrize(
    ("where", "code", "line"),
    [
        ("run = 1", 6, "for firstName_floor_ratio (No cell has two scores"),
        (APART, 6, "for firstName_wei-chen_james-smith_score_difference (No item has scores on both sides)"),
        ("jd = 'jd_cpp_finance'", 6, "(With one jd their variation can't be estimated)"),
        ("model = 'qwen-3-next-80b'", 1, "firstName_floor_ratio (less than the placebo) (Holm over 6"),
    ],
)
def test_no_gate_passes_because_nothing_was_judged(study, where, code, line):
    asked = ("--scores", TABLE, *COLUMNS, *SCORE, "--compare-by", "model", *NAMES, "--where", where)
    done = evenhand(
        "perturb", *asked, "--fail-on", "difference", "--quiet", "--out", "g", "--force", cwd=study[0], code=code
    )
    assert line in done.stderr, done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((*COLUMNS, *SCORE), "give the level to compare with, or --baseline VALUE"),
        ((*COLUMNS, *BASELINE), "give the column with the score, or --selected COLUMN=VALUE"),
        ((*COLUMNS, *BASELINE, "--score", "recommend"), "give --selected recommend=VALUE"),
        ((*COLUMNS, *BASELINE, "--selected", "recommend=no,yes"), "holds 'maybe', too"),
        ((*COLUMNS, *BASELINE, "--selected", "recommend=yes", "--margin", "2"), "give a difference of shares"),
        ((*COLUMNS, *BASELINE, *SCORE, "--placebo-arm", "sham"), "--placebo-arm is 'sham', which is not an arm"),
        ((*COLUMNS, *SCORE, "--reference", "jim"), "--reference is 'jim'; expected a level"),
        ((*COLUMNS, *BASELINE, *SCORE, "--scorer", "sim:unbiased"), "--scorer and --scores can't be given together"),
        (("--arm", "axs", *COLUMNS[2:], *BASELINE, *SCORE), "Did you mean --arm axis?"),
        ((*COLUMNS[:4], "--item", "jd", "--run", "run", *BASELINE, *SCORE), "have the same arm, level, item and run"),
        ((*COLUMNS[:4], "--item", "model", "--compare-by", "model", *BASELINE, *SCORE), "--item is missing"),
        ((*COLUMNS[:4], "--item", "model,jd,vendor", *BASELINE, *SCORE), "expected 2 at most"),
        ((*COLUMNS, *BASELINE, "--score", "vendor"), "holds no numbers"),
        (("--wide", "score", "--item", "jd", *SCORE), "leave out --level, --score and --selected"),
        (("--wide", "score", "--item", "jd", "--reference", "score"), "Each arm has one level in --wide"),
        ((*COLUMNS, "--baseline", "nope", *SCORE), "--baseline is 'nope', which is not an arm. Arms: 'addressCountry'"),
        ((*COLUMNS, *BASELINE, *SCORE, "--map", "level:jim=james-smith"), "no label 'jim' in the column 'level'"),
    ],
)
def test_what_cannot_be_analysed_is_refused_in_one_line_that_names_the_option(study, options, message):
    refused("perturb --scores", TABLE, *options, told=message, cwd=study[0])


def test_columns_of_a_study_need_its_table(tmp_path):
    refused("perturb --arm axis --scorer sim:unbiased --margin 2", told="--arm needs --scores TABLE", cwd=tmp_path)


def test_names_that_were_drawn_vary_in_the_interval_of_the_callback_experiment(tmp_path):
    evenhand("data example bertrand-2004", cwd=tmp_path)
    asked = ("--level", "race", "--reference", "white", "--item", "ad", "--selected", "called_back=yes")
    for options, out in (((), "ads"), (("--name", "first_name"), "names")):
        evenhand("perturb --scores bertrand-2004.csv", *asked, *options, "--out", out, cwd=tmp_path)
    ads, names = (findings(tmp_path / out)[0]["race_black_white_diff_selection_rate"] for out in ("ads", "names"))
    # Bertrand and Mullainathan (2004), Table 1: 6.45 % less 9.65 %; here in advertisements that got both.
    assert names["estimate"] == pytest.approx(-0.032, abs=0.002)
    assert names["clusters"] == {"ad": 1323, "name": 18}
    assert names["high"] - names["low"] > ads["high"] - ads["low"]


def test_a_table_with_a_column_per_group_is_read_from_python(tmp_path):
    frame = pl.DataFrame({"job": [f"j{n}" for n in range(12)], "a": range(12), "b": [n + 1 + n % 3 for n in range(12)]})
    run = eh.perturb(scores=frame, wide=["a", "b"], reference="a", item=["job"], out=tmp_path / "run")
    finding = run.finding("group_b_a_score_difference")
    assert (finding.estimate, finding.n, finding.is_difference) == (2.0, 12, True)
    with pytest.raises(InputError, match="Did you mean wide=B"):
        eh.perturb(scores=frame.rename({"b": "B"}), wide=["a", "b"], reference="a", item=["job"], out=tmp_path / "no")


def test_published_means_and_counts_are_compared_by_welchs_t(tmp_path):
    stats = pytest.importorskip("scipy.stats")
    means = pl.DataFrame(
        {
            "model": ["a", "a", "b", "b", "b"],
            "group": ["white", "black", "white", "black", "All groups"],
            "mean": [6.1, 5.9, 7.0, 6.8, 6.9],
            "sd": [1.2, 1.3, 1.0, 1.1, 1.05],
            "n": [400, 380, 90, 110, 200],
        }
    )
    counts = pl.DataFrame(
        {
            "race": ["w", "w", "w", "b", "b", "b"],
            "name": list("uvwxyz"),
            "sent": [100] * 6,
            "calls": [9, 12, 8, 4, 7, 5],
        }
    )
    asked = {"reference": "white", "compare_by": "model", "summary": "mean=mean,sd=sd,n=n"}
    with pytest.warns(UserWarning, match="'All groups' are totals"):
        run = eh.perturb(scores=means, level="group", **asked, out=tmp_path / "means")
    single, both = (run.finding(f"{unit}group_black_white_score_difference") for unit in ("a_", ""))
    expected = stats.ttest_ind_from_stats(5.9, 1.3, 380, 6.1, 1.2, 400, equal_var=False)
    assert (single.estimate, single.p) == (pytest.approx(-0.2), pytest.approx(expected.pvalue))
    assert both.estimate == pytest.approx(-0.2)
    variances = [1.3**2 / 380, 1.2**2 / 400, 1.1**2 / 110, 1.0**2 / 90]
    assert both.claim.statistic == pytest.approx(-0.2 / (sum(variances) / 4) ** 0.5)
    names = {"reference": "w", "name": "name", "summary": "selected=calls,n=sent"}
    run = eh.perturb(scores=counts, level="race", **names, out=tmp_path / "counts")
    finding = run.finding("race_b_w_diff_selection_rate")
    welch = stats.ttest_ind([0.04, 0.07, 0.05], [0.09, 0.12, 0.08], equal_var=False)
    assert (finding.clusters, finding.p) == ({"name": 3}, pytest.approx(welch.pvalue))
    assert finding.claim.caution.startswith(
        "There are 3 names; with so few, only differences of 5.71 percentage points"
    )
    page = (tmp_path / "counts" / "report.html").read_text("utf-8")
    assert first_other_number(page, run.findings) is None
    assert "The table has no single scores" in page


@pytest.mark.parametrize(
    ("summary", "message"),
    [
        ("mean=mean", "expected mean=COLUMN,sd=COLUMN,n=COLUMN"),
        ("mean=mean,sd=sd,n=half", "summary: 1 row with a number of scores that is not a whole number"),
        ("mean=mean,sd=sd,n=m", "No column 'm'"),
        ("selected=sd,n=mean", "summary selected=… needs name"),
    ],
)
def test_a_summary_that_can_not_be_read_is_refused(tmp_path, summary, message):
    frame = pl.DataFrame({"g": ["a", "b"], "mean": [1.0, 2.0], "sd": [1.0, 1.0], "half": [3.5, 4.0]})
    with pytest.raises(InputError) as refused:
        eh.perturb(scores=frame, level="g", reference="a", summary=summary, out=tmp_path / "run")
    assert message in str(refused.value)


def study_table(**arms):
    """Return scores of three models for 12 jobs, 3 runs each: noise, and what each level adds with its SD."""
    rng = np.random.default_rng(5)
    rows = [
        {"arm": arm, "level": level, "model": f"m{m}", "job": f"j{j}", "score": float(s)}
        for arm, levels in arms.items()
        for level, (shift, sd) in levels.items()
        for m in range(3)
        for j in range(12)
        for s in 5 + shift + sd * rng.normal() + 0.3 * rng.normal(size=3)
    ]
    return pl.DataFrame(rows)


ALIKE = dict.fromkeys("ab", (0, 0.1))
FAR = dict.fromkeys("pqr", (0, 1.0))
BASE = {"": (0, 0)}
STUDY = {"arm": "arm", "level": "level", "score": "score"}
MODELS = {"item": "model,job", "compare_by": "model"}


@pytest.mark.parametrize(
    ("arms", "options", "said", "unsaid"),
    [
        (
            {"base": BASE, "placebo": {"p": (0, 0), "q": (1, 0)}},
            {"baseline": "base", **MODELS},
            ["1 of the 2 placebo levels compared over all 3 models differs", "What moves the scores?"],
            ["No arm", "unstable", "more than edits"],
        ),
        (
            {"name": ALIKE, "placebo": FAR},
            {"reference": "a,p", **MODELS},
            [
                "Name moved scores less than the placebo",
                "either",
                "unstable: edits without meaning move",
                "about these levels and models",
            ],
            ["; that of", "baseline: ", "n are items"],
        ),
        (
            {arm: {"a": (0, 0), arm: (shift, 0)} for arm, shift in (("age", 1), ("hobby", 2), ("name", 3))}
            | {"placebo": dict.fromkeys("pq", (0, 0))},
            {"reference": "a", **MODELS},
            ["So did age; see the table.", "Name moved scores more than the placebo"],
            ["Age moved"],
        ),
        (
            {"name": ALIKE, "placebo": dict.fromkeys("pq", (0, 0))},
            {"reference": "a", "margin": "0.001", **MODELS},
            ["Equivalence within ±0.001 was not shown for the one level", "is not above 0, so there is no ratio"],
            ["is equivalent", "no row"],
        ),
        (
            {"name": ALIKE, "placebo": FAR},
            {"reference": "a", "item": "model,job"},
            [
                "The interval accounts for variation between model and job.",
                "They are about these levels.",
                "one repetition to the next",
            ],
            ["about these levels and models", "values of model"],
        ),
        (
            {"name": {"a": (0, 0), "b": (-2, 0), "c": (-2, 0)}},
            {"reference": "a", "score": None, "selected": "decision=no,maybe,yes", **MODELS},
            [
                "All 4 pairs of decision and level compared",
                "was less often the outcome with",
                "What moves the decisions?",
            ],
            ["no decision yet", "levels compared", "+0.0"],
        ),
    ],
)
def test_a_page_says_what_the_table_can_tell(tmp_path, arms, options, said, unsaid):
    graded = pl.when(pl.col("score") < 3.5).then(pl.lit("no")).when(pl.col("score") < 4.8).then(pl.lit("maybe"))
    frame = study_table(**arms).with_columns(decision=graded.otherwise(pl.lit("yes")))
    run = eh.perturb(scores=frame, **STUDY | options, out=tmp_path / "run")
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert first_other_number(page, run.findings) is None
    text = " ".join(unescape(re.sub(r"<[^>]*>", "", page)).replace("\N{NO-BREAK SPACE}", " ").split())
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []


def test_an_arm_that_nothing_is_compared_in_is_refused(tmp_path):
    frame = pl.DataFrame(
        {
            "arm": ["race", "race", "age", "age"],
            "level": ["w", "b", "old", "young"],
            "job": ["a"] * 4,
            "s": [1.0, 2, 3, 4],
        }
    )
    with pytest.raises(InputError, match="Nothing is compared in the arm 'age': add ARM=LEVEL to reference"):
        eh.perturb(scores=frame, arm="arm", level="level", reference="w", item="job", score="s", out=tmp_path / "run")
