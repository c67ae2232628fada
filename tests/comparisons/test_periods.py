"""Ratios over time: one reference for all periods, whether the ratio changed, gates, pools, tables one a period."""

import html
import re

import polars as pl
import pytest
from typer.testing import CliRunner

import evenhand as eh
from evenhand import stats
from evenhand.cli import app
from evenhand.errors import InputError

#: Selected and people of women, then of men, by year: men are the reference of all years, in 2023 women are ahead.
YEARS = {2022: (20, 80, 40, 100), 2023: (45, 90, 30, 90), 2024: (18, 90, 40, 100)}


def people(years=YEARS, **more):
    """Return a row per person with the day of decision, in two jobs."""
    rows = [
        {"sex": sex, "hired": int(at < selected), "day": f"{year}-0{1 + at % 6}-1{at % 9}", "job": "ab"[at % 2]}
        | {"person": f"{sex} {at % 40}"}
        for year, counts in years.items()
        for sex, (selected, n) in (("woman", counts[:2]), ("man", counts[2:]))
        for at in range(n)
    ]
    return pl.DataFrame(rows).with_columns(**more)


def analysed(frame, tmp_path, **options):
    asked = {"selected": "hired", "protected": "sex", "report": False, "out": tmp_path / "r", "force": True}
    run = eh.impact(frame, **asked | options)
    return run, pl.read_csv(run.folder / "periods.csv", infer_schema_length=None)


def by_name(run):
    return {finding.name: finding for finding in run.findings}


def test_every_period_is_compared_with_the_reference_of_all_and_the_change_is_tested(tmp_path):
    run, table = analysed(people(), tmp_path, period="day", report=True)
    assert table["period"].to_list() == [2022, 2023, 2024]
    assert set(table["reference"]) == {"man"}
    assert table["impact_ratio"].to_list() == pytest.approx([0.625, 1.5, 0.5])
    assert table["distance"].to_list() == pytest.approx([-0.175, 0.7, -0.3])
    assert table["planned"].to_list() == [False, False, True]
    change, findings = stats.ratio_change(*zip(*YEARS.values(), strict=True)), by_name(run)
    one, trend = findings["ratio_homogeneity_sex_woman"], findings["ratio_trend_sex_woman"]
    assert (one.p, one.claim.statistic, one.claim.df) == (change.p, change.statistic, 2)
    assert one.is_difference
    assert one.estimate == pytest.approx(3.0)
    assert (trend.estimate, trend.low, trend.p) == (change.factor, change.low, change.trend_p)
    assert trend.details.unit == "year"
    text = (run.folder / "report.html").read_text("utf-8")
    assert "The ratio differs between periods" in text
    assert "Impact ratio over time" in text


@pytest.mark.parametrize(
    ("years", "options", "said", "unsaid"),
    [
        # Nobody of one year has no log ratio, so clusters test the other two.
        (
            {2022: (0, 60, 30, 60), 2023: (30, 60, 31, 60), 2024: (29, 60, 30, 60)},
            {"cluster": "person"},
            ["0.00 in 2022", "the rates differ in 2022. Only 2 of 3 periods can be tested for a change. No change"],
            [],
        ),
        (
            {2023: (0, 20, 12, 20), 2024: (0, 20, 12, 20)},
            {},
            ["change between periods can't be tested: nobody of a group was selected", "differ in 2023 and 2024"],
            ["No change between periods"],
        ),
        # A last year without a ratio hides no other.
        ({2023: (20, 80, 40, 80), 2024: (0, 40, 0, 40)}, {}, ["0.50 in 2023 and none in 2024"], ["four-fifths in the"]),
        (
            {2023: (50, 100, 50, 100), 2024: (150, 300, 150, 300)},
            {"position": "job"},
            ["The ratio of all applicants together was shown to be above", "Over positions together the ratio of"],
            ["Within positions shown"],
        ),
    ],
)
def test_a_sentence_says_which_periods_differ_and_which_the_test_of_a_change_uses(
    tmp_path, years, options, said, unsaid
):
    run, _ = analysed(people(years), tmp_path, period="day", reference="sex=man", report=True, **options)
    text = " ".join((run.folder / "report.html").read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ").split())
    text = html.unescape(re.sub("<[^>]+>", "", text))
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []


YEAR = pl.col("day").str.head(4)


@pytest.mark.parametrize(
    ("frame", "period", "labels"),
    [
        (people(), "day=quarter", ["2022-Q1", "2022-Q2", "2023-Q1"]),
        (people(day=pl.col("day").str.to_date()), "day=month", ["2022-01", "2022-02", "2022-03"]),
        (people(year="FY" + YEAR), "year", ["FY2022", "FY2023", "FY2024"]),
        (
            people(year=YEAR + "-" + (YEAR.str.tail(2).cast(pl.Int64) + 1).cast(pl.String)),
            "year",
            ["2022-23", "2023-24", "2024-25"],
        ),
    ],
    ids=["days as text", "days", "labels", "academic years"],
)
def test_days_are_cut_and_labels_stay(tmp_path, frame, period, labels):
    _, table = analysed(frame, tmp_path, period=period)
    assert table["period"].unique(maintain_order=True).to_list()[:3] == labels


def test_the_gate_judges_all_periods_and_the_last(tmp_path):
    path = tmp_path / "a.csv"
    for counts, code in (((50, 100, 51, 100), 0), ((20, 100, 51, 100), 1)):
        people({2022: (10, 60, 40, 60), 2023: (90, 100, 50, 100), 2024: counts}).write_csv(path)
        asked = "--selected hired --protected sex --reference sex=man --period day --fail-on adverse-impact"
        command = ["impact", str(path), *asked.split(), "--no-report", "--force", "--out", str(tmp_path / "r")]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == code, result.output


def test_pools_are_positions_in_periods_and_sum_up(tmp_path):
    run, _ = analysed(people(), tmp_path, period="day", position="job")
    pools = pl.read_csv(run.folder / "pools.csv", infer_schema_length=None)
    single = pools.filter(pl.col("position").is_not_null())
    assert single.height == 6
    last = single.filter(pl.col("period") == 2024)
    assert last["expected"].sum() == pytest.approx(90 * 58 / 190, abs=0.3)
    whole = pools.filter(pl.col("position").is_null())
    assert whole.filter(pl.col("period") == 2024)["shortfall"][0] == pytest.approx(last["shortfall"].sum())
    of_all = whole.filter(pl.col("period").is_null())
    assert (of_all["pools"][0], of_all["shortfall"][0]) == (6, pytest.approx(single["shortfall"].sum()))


def test_people_in_several_periods_are_clusters(tmp_path):
    run, table = analysed(people(), tmp_path, period="day", cluster="person", position="job", report=True)
    one = by_name(run)["ratio_homogeneity_sex_woman"]
    assert one.claim.test == "Cluster-robust F, one ratio"
    assert one.clusters["person"] == 80
    assert by_name(run)["common_odds_ratio_sex_woman"].clusters == {"position": 2, "person": 80}
    page = (run.folder / "report.html").read_text("utf-8")
    assert not re.search(r"clusters: \d+ by position", page.replace("\N{NO-BREAK SPACE}", " "))
    assert set(table["test"]) == {"CR2 t"}
    assert not (run.folder / "pools.csv").exists()


def test_a_ratio_of_a_period_counts_the_pairs_that_its_stage_has(tmp_path):
    stages = {"test": {"a": 20, "b": 24, "c": 30}, "interview": {"a": 12, "b": 20}}
    rows = [
        {"sex": group, "day": f"{year}-03-01", "stage": stage, "hired": int(place < selected)}
        for year in (2023, 2024)
        for stage, groups in stages.items()
        for group, selected in groups.items()
        for place in range(60 if stage == "test" else stages["test"][group])
    ]
    run, _ = analysed(pl.DataFrame(rows), tmp_path, stage="stage=test,interview", period="day")
    first = [each.claim for name, each in by_name(run).items() if name.endswith("_2023")]
    # Two ratios at the test and of the bottom line, one at the interview; a pair more where three groups are.
    assert {claim.family_size for claim in first} == {len(first) + 2}
    assert len(first) == 5


def test_several_tables_are_periods(tmp_path):
    frames = {str(year): people({year: counts}).drop("day") for year, counts in YEARS.items()}
    run, table = analysed(frames, tmp_path)
    assert table["impact_ratio"].to_list() == pytest.approx([0.625, 1.5, 0.5])
    frames["2023"].write_csv(tmp_path / "b.csv")
    frames["2024"].write_parquet(tmp_path / "c.parquet")
    run, table = analysed([f"2023={tmp_path / 'b.csv'}", f"2024={tmp_path / 'c.parquet'}"], tmp_path)
    assert table["selected_focal"].to_list() == [45, 18]
    assert "--period" not in run.audit.reproduce
    assert f"2023={tmp_path / 'b.csv'}" in run.audit.reproduce


def test_years_of_local_law_144_stand_side_by_side(tmp_path):
    frame = people(race=pl.when(pl.int_range(pl.len()) % 3 == 0).then(pl.lit("b")).otherwise(pl.lit("w")))
    run = eh.impact(frame, selected="hired", protected=["sex", "race"], ll144=True, period="day", out=tmp_path / "r")
    law = pl.read_csv(run.folder / "ll144_periods.csv")
    women = law.filter(pl.col("category") == "woman")
    assert women["impact_ratio"].to_list() == pytest.approx([0.625, 1.0, 0.5])  # of the highest rate of its year
    assert "2023, ratio" in (run.folder / "ll144.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"period": "job=year"}, "groups dates such as 2024-01-31"),
        ({"period": "day=week"}, "expected one of year, quarter, month"),
        ({"period": "job", "position": "job"}, "a period is when people were decided on"),
        ({"period": "day", "where": "day < '2023'"}, "has one period"),
        ({"period": "nope"}, "No column 'nope'"),
        ({"period": "day", "selected": None, "score": "hired", "means": True}, "mean scores have none"),
    ],
)
def test_what_can_not_be_cut_is_refused(tmp_path, options, message):
    with pytest.raises(InputError, match=message):
        analysed(people(), tmp_path, **options)


def test_a_person_in_two_periods_can_not_count_once(tmp_path):
    with pytest.raises(InputError, match="several values"):
        analysed(people(), tmp_path, period="day", unit="person")
