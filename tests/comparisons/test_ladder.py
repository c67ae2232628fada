"""The adjustment ladder: the same people crude, within positions, and with the same qualifications.

Expected numbers are those of statsmodels' GLM with a column per position, standardised by hand over all people.
"""

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy.special import expit

import evenhand as eh
from evenhand.errors import InputError


def applicants(n=1_500):
    rng = np.random.default_rng(11)
    site, woman = rng.integers(0, 4, n), rng.random(n) < 0.45
    exam = np.round(rng.normal(50 - 4 * woman, 8, n), 0)
    rating = np.where(rng.random(n) < 0.6 - 0.25 * woman, "good", "fair")
    odds = -4 + 0.06 * exam + 0.5 * (rating == "good") - 0.3 * woman + 0.2 * site
    hired = rng.random(n) < expit(odds)
    return pl.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "site": [f"s{i}" for i in site],
            "exam": exam,
            "rating": rating,
            "hired": hired,
        }
    ).with_columns(pl.col("hired").cast(pl.Int64), ad=pl.Series(np.arange(n) // 3))


def impact(frame, tmp_path, **options):
    asked = {"selected": "hired", "protected": "sex", "reference": "sex=m", "report": False, "force": True}
    asked["out"] = tmp_path / "r"
    return eh.impact(frame, **asked | options)


def steps_of(run):
    return run.audit.shown.ladder


def by_statsmodels(frame, columns):
    """Return difference, its standard error, ratio and odds ratio of women, standardised over all people."""
    woman = (frame["sex"] == "f").to_numpy().astype(float)
    design = np.column_stack([np.ones(frame.height), woman, *columns])
    fit = sm.GLM(frame["hired"].to_numpy(), design, family=sm.families.Binomial()).fit(tol=1e-12)
    rates, gradients = [], []
    for value in (1, 0):
        design[:, 1] = value
        p = expit(design @ fit.params)
        rates.append(p.mean())
        gradients.append((p * (1 - p)) @ design / len(p))
    gradient = gradients[0] - gradients[1]
    error = np.sqrt(gradient @ fit.cov_params() @ gradient)
    return rates[0] - rates[1], error, rates[0] / rates[1], np.exp(fit.params[1])


def levels(column):
    return [(column == level).to_numpy().astype(float) for level in column.unique().sort()[1:]]


def test_each_line_is_the_standardised_difference_of_the_same_people(tmp_path):
    frame = applicants()
    run = impact(frame, tmp_path, position="site", given=["exam", "exam,rating"])  # what is held fixed stays so
    columns = [[], levels(frame["site"])]
    columns.append([*columns[1], frame["exam"].to_numpy()])
    columns.append([*columns[2], *levels(frame["rating"])])
    lines = steps_of(run)
    assert [line.added for line in lines] == [(), ("position",), ("exam",), ("rating",)]
    women = (frame["sex"] == "f").sum()
    crude = lines[0].difference
    last = crude
    for line, held in zip(lines, columns, strict=True):
        difference, error, ratio, _ = by_statsmodels(frame, held)
        assert (line.difference, line.standard_error, line.ratio) == pytest.approx((difference, error, ratio), rel=1e-6)
        assert line.shortfall == pytest.approx(-difference * women, rel=1e-6)
        assert line.taken == (None if line.step == 0 else pytest.approx((last - line.difference) / crude))
        last = line.difference
    for name, held in (("adjusted_odds_ratio_sex_f_given_exam", columns[2]), ("adjusted_odds_ratio_sex_f", columns[3])):
        assert run.finding(name).estimate == pytest.approx(by_statsmodels(frame, held)[3], rel=1e-6)
    # Each line's verdict is that of its finding, in the one family of the run.
    assert [line.finding for line in lines[2:]] == ["adjusted_odds_ratio_sex_f_given_exam", "adjusted_odds_ratio_sex_f"]
    named = [run.finding(line.finding).claim for line in lines]
    assert [(line.p, line.p_adjusted, line.verdict) for line in lines] == [
        (claim.p, claim.p_adjusted, claim.verdict) for claim in named
    ]
    assert {claim.family_size for claim in named} == {5}  # and that of whether any position differs
    table = pl.read_csv(tmp_path / "r" / "ladder.csv")
    assert table["adjusted_for"].to_list() == [None, "position", "position + exam", "position + exam + rating"]


def test_what_is_held_fixed_is_compared_by_group_and_may_be_tainted(tmp_path):
    frame = applicants()
    run = impact(frame, tmp_path, given="exam,rating", report=True)
    found = run.finding("qualification_ratio_sex_f_rating")
    share = frame.group_by("sex").agg((pl.col("rating") == "good").mean()).sort("sex")["rating"]
    assert found.details.favourable == "good"
    assert found.estimate == pytest.approx(share[0] / share[1])
    assert found.is_difference
    assert not found.claim.planned
    assert [line.added for line in steps_of(run)] == [(), ("exam", "rating")]
    assert "may itself be tainted" in (tmp_path / "r" / "report.html").read_text("utf-8")


def test_who_holds_which_position_is_told_by_stage(tmp_path):
    frame = applicants().with_columns(step=pl.lit("applied"))
    hired = frame.filter(pl.col("hired") == 1).with_columns(step=pl.lit("started"))
    run = impact(pl.concat([frame, hired]), tmp_path, position="site", stage="step=applied,started")
    found = {each.slice["stage"]: each for each in run.findings if each.measure == "qualification_ratio"}
    assert {"applied", "started"} <= found.keys()
    assert found["applied"].estimate is not None
    assert found["started"].reason == "All values were selected equally often, so none is selected more."


def test_clusters_widen_the_lines_and_keep_the_estimates(tmp_path):
    frame = pl.concat([applicants()] * 3)  # every person three times, in one cluster
    alone = steps_of(impact(applicants(), tmp_path, position="site", given="exam"))
    frame = frame.with_columns(person=pl.int_range(1_500).append(pl.int_range(1_500)).append(pl.int_range(1_500)))
    run = impact(frame, tmp_path, position="site", given="exam", cluster="person")
    for line, single in zip(steps_of(run), alone, strict=True):
        assert line.difference == pytest.approx(single.difference, rel=1e-6)
        assert line.standard_error == pytest.approx(single.standard_error, rel=0.1)
        assert "CR2" in line.method
    assert all("Fisher" not in test.name for finding in run.findings for test in finding.tests)


def test_blocks_are_conditioned_on(tmp_path):
    frame = applicants()
    run = impact(frame, tmp_path, block="ad", given="exam")
    frame = frame.filter(pl.col("hired").n_unique().over("ad") > 1)
    woman = (frame["sex"] == "f").to_numpy().astype(float)
    design = np.column_stack([frame["exam"].to_numpy(), woman])
    oracle = sm.ConditionalLogit(frame["hired"].to_numpy(), design, groups=frame["ad"].to_numpy()).fit()
    found = run.finding("adjusted_odds_ratio_sex_f")
    assert np.log(found.estimate) == pytest.approx(oracle.params[1], rel=1e-4)
    assert found.claim.p == pytest.approx(oracle.pvalues[1], rel=1e-3)
    assert found.details.within == ("ad",)
    assert steps_of(run)[-1].notes[0].startswith("Sparse (")


@pytest.mark.parametrize(
    ("frame", "notes", "difference", "reason"),
    [
        (
            applicants(600).with_columns(exam=pl.col("hired") * 10.0),
            [
                "Separation: exam can predict the selection of some people perfectly.",
                "Sparse (a column predicts the selection of some people perfectly), so the likelihood is penalised "
                "(Firth, with intercept correction).",
            ],
            pytest.approx(0, abs=0.002),  # the exam decides
            None,
        ),
        (
            applicants().with_columns(
                rating=pl.when(pl.col("exam") > 50).then(1.0).otherwise(0.0), exam=pl.col("exam") > 50
            ),
            ["Collinear: rating is, in part or whole, a combination of what stands before it."],
            pytest.approx(-0.1399, abs=1e-4),  # statsmodels without the rating
            None,
        ),
        (
            applicants().with_columns(hired=pl.when(pl.col("site") == "s1").then(1).otherwise(pl.col("hired"))),
            ["In 1 of 4 positions everybody, or nobody, was selected."],
            pytest.approx(-0.0760, abs=1e-4),  # statsmodels without the position, over all people
            None,
        ),
        (
            applicants().with_columns(site=pl.when(pl.col("sex") == "m").then(pl.lit("men")).otherwise(pl.col("site"))),
            [
                "5 of 5 positions have people of one group only (1,500 people): what another group's rate would be "
                "there is the model's."
            ],
            None,
            "No people of the group and of another one have the same other values, so the effect of the group can't be "
            "estimated.",
        ),
    ],
)
def test_what_a_regression_can_not_tell_is_said(tmp_path, frame, notes, difference, reason):
    frame = frame.with_columns(pl.col("exam").cast(pl.Float64))
    line = steps_of(impact(frame, tmp_path, position="site", given="exam,rating"))[-1]
    assert [*line.notes] == notes
    assert (line.difference, line.reason) == (difference, reason)


def test_people_of_whom_something_is_unknown_are_left_out_of_all_lines(tmp_path):
    frame = applicants().with_columns(pl.when(pl.int_range(pl.len()) % 10 > 0).then("exam").alias("exam"))
    lines = steps_of(impact(frame, tmp_path, given="exam"))
    assert [(line.n, line.n_left_out) for line in lines] == [(1_350, 150)] * 2
    assert (lines[0].finding, lines[0].verdict) == (None, None)  # the impact ratio is of other people


def test_several_groups_stages_and_an_empty_ladder(tmp_path):
    frame = applicants().with_columns(race=pl.Series(np.resize(["x", "y", "z"], 1_500)), stage=pl.lit("screen"))
    run = impact(frame, tmp_path, protected="race", reference="race=x", given="exam", intersectional=True)
    assert [(line.focal, line.step) for line in steps_of(run)] == [("y", 0), ("z", 0), ("y", 1), ("z", 1)]
    assert steps_of(impact(frame, tmp_path)) == ()
    with pytest.raises(InputError, match="given"):
        impact(frame.with_columns(exam=pl.format("{} {}", "exam", "ad")), tmp_path, given="exam")
