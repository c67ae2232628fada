"""`evenhand features` as a user runs it: real résumés, expectations, drift, frames of four packages, wrong input."""

import re
import subprocess
import sys
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from _cli import evenhand, findings, refused
from sklearn.metrics import roc_auc_score

import evenhand as eh

ROWS = 600


def people(seed=0, shift=0.0):
    """Return a table in which height tells the gender, the year of graduation the age, and `leak` the label."""
    rng = np.random.default_rng(seed)
    male = rng.random(ROWS) < 0.5
    age = rng.integers(21, 66, ROWS)
    hired = rng.random(ROWS) < 0.3
    return pl.DataFrame(
        {
            "gender": np.where(male, "male", "female"),
            "age": age,
            "graduated": 2024 - age + rng.integers(20, 24, ROWS),
            "height": (165 + 13 * male + rng.normal(0, 7, ROWS) + shift).round(1),
            "skills": (n := rng.integers(0, 20, ROWS)),
            "skills_again": n,
            "years": 3 * hired + rng.integers(0, 6, ROWS),
            "gpa": np.where(rng.random(ROWS) < 0.4, 3.0, rng.uniform(2, 4, ROWS).round(3)),
            "one": 1,
            "empty": pl.Series([None] * ROWS, dtype=pl.Float64),
            "salary": [f"${n:,}" for n in rng.integers(30_000, 90_000, ROWS)],
            "remote": rng.choice(["yes", "no"], ROWS),
            "start": [date(2024, 1, 1 + n) for n in rng.integers(0, 28, ROWS)],
            "notes": [f"{'He' if m else 'She'} is fluent in German, applicant {n}" for n, m in enumerate(male)],
            "leak": 7 * hired,
            "hired": np.where(hired, "yes", "no"),
        }
    )


EXPECTED = """
label = "hired"

[features.skills]
range = [0, 30]
zeros = 0.1
distinct = [1, 20]

[features.years]
monotone = "rising"
median = [0, 20]

[features.graduated]
monotone = { with = "age", direction = "falling" }

[features.gpa]
range = [2.5, 4.0]
constant_stretch = 0.3

[features.remote]
values = ["yes", "no"]

[features.notes]
range = [0, 1]

[features.start]
monotone = "falling"

[all]
missing = 0.05
proxy = 0.75
drift = 0.25

[reference.gender]
female = 0.9
male = 0.1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("people")
    people().write_csv(folder / "people.csv")
    return folder


@pytest.fixture(scope="module")
def vetted(folder):
    """Return the run of everything at once."""
    people(1, shift=9.0).write_parquet(folder / "before.parquet")
    (folder / "expected.toml").write_text(EXPECTED, encoding="utf-8")
    asked = ("people.csv", "--protected", "gender,age", "--expect", "expected.toml", "--compare-with", "before.parquet")
    evenhand("features", *asked, "--out", "vetted", cwd=folder)
    return folder / "vetted"


def test_real_resumes_are_vetted_and_analysed(tmp_path):
    # Bertrand and Mullainathan (2004), Table 1: 9.65 % of the white names were called back, 6.45 % of the black ones.
    evenhand("data example bertrand-2004", cwd=tmp_path)
    asked = ("--protected", "race,gender", "--label", "called_back", "--sample", "500", "--out", "run", "--no-report")
    done = evenhand("features bertrand-2004.csv", *asked, cwd=tmp_path)
    assert "first_name  predicts race (AUC 1.000)" in done.stdout
    told = {(each["focal"].get("race"), each["measure"]): each for each in findings(tmp_path / "run")[0].values()}
    assert told[("white", "group_share")]["estimate"] == 0.5
    assert told[("black", "joint_proxy_power")]["estimate"] == pytest.approx(1.0)
    done = evenhand(
        "impact bertrand-2004.csv --selected called_back --protected race --out i --no-report", cwd=tmp_path
    )
    rates = (
        pl.read_csv(tmp_path / "i" / "impact.csv")
        .select("focal", "selected_focal", "n_focal", "selected_reference", "n_reference")
        .rows()
    )
    assert rates == [("black", 157, 2435, 235, 2435)]


def test_each_expectation_has_a_verdict_and_a_reason(vetted):
    told = {
        (each["slice"]["feature"], each["slice"]["rule"]): (each["details"]["judged"], each["details"]["observed"])
        for each in findings(vetted)[0].values()
        if each["measure"] == "expectation"
    }
    table, verdicts = people(), {key: judged for key, (judged, _) in told.items()}
    assert {rule: verdicts[("skills", rule)] for rule in ("range", "zeros", "distinct", "missing")} == dict.fromkeys(
        ("range", "zeros", "distinct", "missing"), "meets"
    )
    assert verdicts["years", "monotone"] == verdicts["graduated", "monotone"] == "meets"
    assert told["gpa", "range"] == ("violates", f"{table['gpa'].min():g} to {table['gpa'].max():g}")
    share = (table["gpa"] == 3.0).mean()
    assert told["gpa", "constant_stretch"] == ("violates", f"{share:.4g} (the value 3)")
    assert verdicts["remote", "values"] == "meets"
    assert told["notes", "range"] == ("not checked", "the column holds text, no numbers")
    assert verdicts["start", "monotone"] == "not shown"
    assert told["empty", "filled"] == ("violates", "no value in any row")
    assert told["one", "varies"] == ("violates", "1 in every row")
    assert told["skills", "duplicate"] == ("violates", "equal to skills_again, a feature, in every row")
    assert verdicts["leak", "label"] == verdicts["height", "drift"] == verdicts["graduated", "proxy"] == "violates"
    assert verdicts["skills", "drift"] == "meets"
    rows = pl.read_csv(vetted / "features.csv").select("feature", "verdict", "reasons").rows()
    reasons = {name: (verdict, reason) for name, verdict, reason in rows}
    assert reasons["years"] == ("meets", None)
    assert reasons["empty"][1].startswith("expected some value: no value in any row")


def test_the_table_of_distributions_is_that_of_numpy(vetted):
    table = people()
    written = {row["feature"]: row for row in pl.read_csv(vetted / "features.csv").iter_rows(named=True)}
    salary = table["salary"].str.replace_all(r"[$,]", "").cast(pl.Float64)
    days = table["start"].cast(pl.Int32).cast(pl.Float64)
    for name, values in {"height": table["height"], "gpa": table["gpa"], "salary": salary, "start": days}.items():
        found = [written[name][key] for key in ("p10", "p30", "p50", "p70", "p90", "min", "max", "mean", "stddev")]
        exact = [*np.percentile(values, [10, 30, 50, 70, 90]), values.min(), values.max(), values.mean(), values.std()]
        assert found == pytest.approx(exact, rel=1e-12)
    assert written["skills"]["nonzero"] == pytest.approx((table["skills"] != 0).mean())
    assert (written["empty"]["kind"], written["empty"]["missing"]) == ("empty", ROWS)
    assert written["notes"]["most_frequent"] is None  # it would tell who somebody is


def test_proxies_are_those_of_scikit_learn(vetted):
    table = people()
    rows = {
        (row["feature"], row["attribute"]): row for row in pl.read_csv(vetted / "proxies.csv").iter_rows(named=True)
    }
    for name in ("height", "skills", "gpa"):
        exact = roc_auc_score(table["gender"] == "male", table[name])
        row = rows[name, "gender"]
        assert row["auc"] == pytest.approx(max(exact, 1 - exact), abs=1e-12)
        assert row["low"] < row["auc"] < row["high"]
    assert rows["graduated", "age"]["auc"] > 0.98
    jointly = {
        next(iter(each["focal"])): each
        for each in findings(vetted)[0].values()
        if each["measure"] == "joint_proxy_power"
    }
    assert jointly["gender"]["low"] < rows["height", "gender"]["auc"] < jointly["gender"]["high"] + 0.02


def test_the_page_shows_drift_free_text_and_who_is_represented(vetted):
    found, audit = findings(vetted)
    (text,) = audit["free_text"]
    assert (text["feature"], text["found"]["GENDER"]) == ("notes", 200)
    assert found["population_stability_index_height"]["details"]["beyond_chance"]
    assert not found["population_stability_index_skills"]["details"]["beyond_chance"]
    share = found["group_share_gender_female"]
    assert share["details"]["stated_share"] == 0.9
    assert share["estimate"] == pytest.approx((people()["gender"] == "female").mean())
    # Kish: 1 / (.9² / women + .1² / men)
    women = (people()["gender"] == "female").sum()
    kish = 1 / (0.81 / women + 0.01 / (ROWS - women))
    assert found["effective_sample_size_gender"]["estimate"] == pytest.approx(kish)
    page = (vetted / "report.html").read_text("utf-8")
    for heading in (
        "Drift",
        "Columns that masking keeps out of training",
        "Who is in the table",
        "Feature distributions",
    ):
        assert heading in page


def test_frames_of_four_packages_give_one_answer(tmp_path):
    table = people().select("gender", "graduated", "height", "one", "salary", "remote", "start", "hired")
    ibis = pytest.importorskip("ibis")
    frames = [table, table.to_pandas(), pa.Table.from_pandas(table.to_pandas()), ibis.memtable(table.to_arrow())]
    assert isinstance(frames[1], pd.DataFrame)
    runs = [
        eh.features(
            frame, protected=["gender"], label="hired", sample=0, scan=0, out=tmp_path / f"run-{place}", report=False
        )
        for place, frame in enumerate(frames)
    ]
    first = runs[0].features
    assert [run.features.equals(first) for run in runs] == [True] * 4
    assert [run.proxies.equals(runs[0].proxies) for run in runs] == [True] * 4


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nowhere.csv"], ["nowhere.csv"]),
        (["people.csv", "--protected", "sex"], ["'sex'", "gender"]),
        (["people.csv", "--label", "hird"], ["'hird'", "Did you mean --label hired"]),
        (["people.csv", "--label", "hired", "--protected", "hired"], ["'hired'", "--protected and --label both name"]),
        (["people.csv", "--protected", "one"], ["'one'", "fewer than two groups"]),
        (["people.csv", "--age-at", "2026-01-01"], ["--age-at", "--age"]),
        (["people.csv", "--sample", "-1"], ["--sample", "from 0"]),
        (["people.csv", "--expect", "none.toml"], ["none.toml"]),
        (["people.csv", "--compare-with", "none.csv"], ["none.csv"]),
    ],
)
def test_wrong_input_is_one_line(folder, args, words):
    refused("features", *args, "--out", "run", told=words, cwd=folder)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[features.hight]\nrange = [0, 1]", 1, ["'hight'", "Did you mean height"]),
        ("[features.height]\nrnage = [0, 1]", 2, ["'rnage'", "Did you mean range"]),
        ("[features.height]\nrange = [2, 1]", 2, ["range", "[LOW, HIGH]"]),
        ("[features.height]\nrange = 3", 2, ["range is 3", "[LOW, HIGH]"]),
        ("[features.height]\nmissing = 1.5", 2, ["missing is 1.5", "largest share"]),
        ("[features.height]\nzeros = [0, 2]", 2, ["zeros", "largest share"]),
        ('[features.height]\nmonotone = "up"', 2, ["'up'", "rising"]),
        ('[features.height]\nmonotone = { with = "agee", direction = "rising" }', 2, ["'agee'", "Did you mean age"]),
        ("[feature.height]\nrange = [0, 1]", 1, ["'feature'", "Did you mean features"]),
        ("label = 3", 1, ["label is 3"]),
        ('label = "hird"', 1, ["'hird'", "Did you mean hired"]),
        ("features = 1", 1, ["a table of rules"]),
        ("[features]\nheight = 1", 2, ["height is 1"]),
        ("[all]\nmissing = nan", 2, ["missing is"]),
        ("[reference.gender]\nfemale = 0.5\nmale = 0.3", 1, ["add up to 0.8"]),
        ("[reference.gender]\nfemale = 1", 1, ["'male' has no share"]),
        ("[reference.gender]\nfemale = 0.5\nmale = 0.3\nmal = 0.2", 4, ["'mal'", "Did you mean male"]),
        ("[reference.height]\na = 1", 1, ["height is not in --protected"]),
        ("[all\nmissing = 0", 1, ["is not valid TOML"]),
    ],
)
def test_a_wrong_expectation_names_its_line(folder, text, line, words):
    (folder / "wrong.toml").write_text(text, encoding="utf-8")
    done = evenhand("features people.csv --protected gender --expect wrong.toml --out run", cwd=folder, code=2)
    (told,) = done.stderr.strip().splitlines()
    assert re.search(rf"wrong\.toml, line {line}(?: is not valid TOML)?: ", told)
    assert all(word in told for word in words), told


HIDDEN = (
    "import sys; sys.modules |= dict.fromkeys(['pandas', 'pyarrow', 'sklearn']); from evenhand.cli import main; main()"
)


def test_a_core_install_tells_all_but_the_joint_model(tmp_path):
    people().select("gender", "height", "skills").write_csv(tmp_path / "people.csv")
    words = ["features", "people.csv", "--protected", "gender", "--scan", "0", "--out", "run"]
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, *words], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )
    assert "predicts gender (AUC" in done.stdout
    told = " ".join(done.stdout.split())
    assert "not computed. That needs scikit-learn; install it with: pip install 'evenhand[match]'." in told


def test_a_constant_day_is_told_as_a_day(tmp_path):
    frame = pl.DataFrame({"start": [date(2020, 1, 1)] * 4, "x": [1, 2, 3, 4]})
    run = eh.features(frame, sample=0, scan=0, out=tmp_path / "run", report=False)
    assert not (tmp_path / "run" / "report.html").exists()
    assert run.features["reasons"].to_list() == ["expected more than one value: 2020-01-01 in every row", None]
