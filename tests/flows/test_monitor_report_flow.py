"""`monitor report`: a period of a store as a run that is bundled, verified and gated as others are."""

import hashlib
import json
import shutil
import warnings

import numpy as np
import polars as pl
import pytest
from _cli import evenhand, refused

import evenhand as eh
from evenhand.results.result import read_result

REPORT = ("monitor", "report", "--store", "history.db")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return a folder with decisions of July to September 2026: women at the second stage at half the rate of men."""
    folder = tmp_path_factory.mktemp("recorded")
    rows = [
        {
            "at": f"2026-{month:02}-{1 + number % 28:02}",
            "stage": stage,
            "unit_": unit,
            "sex": sex,
            "taken": "yes" if number < of else "no",
            "score": round(0.2 + 0.01 * (number % 50), 2),
            "hired": "yes" if (number + (sex == "man")) % 3 == 0 else "no",
        }
        for month in (7, 8, 9)
        for stage, n, women, men in (("screen", 120, 60, 60), ("talk", 60, 15, 30))
        for unit in ("kiln", "glaze")
        for sex, of in (("woman", women), ("man", men))
        for number in range(n)
    ]
    pl.DataFrame(rows).write_csv(folder / "rows.csv")
    evenhand(
        *("monitor", "record", "rows.csv", "--store", "history.db", "--model", "hiring", "--time", "at"),
        *("--time-zone", "UTC", "--selected", "taken", "--protected", "sex", "--stage", "stage", "--by", "unit_"),
        *("--score", "score", "--label", "hired", "--quiet"),
        cwd=folder,
    )
    evenhand("monitor check --store history.db --as-of 2026-09-30", cwd=folder)
    seen = ("--by", "ana", "--note", "Interviews are structured from October on")
    evenhand("monitor acknowledge 1 --store history.db", *seen, cwd=folder)
    return folder


@pytest.fixture
def folder(recorded, tmp_path):
    shutil.copytree(recorded, tmp_path / "copy")
    return tmp_path / "copy"


def test_a_quarter_is_reported_bundled_and_verified(folder):
    done = evenhand(*REPORT, "--period", "2026-Q3", "--by", "unit_", "--out", "q3", "--json", cwd=folder)
    content = json.loads(done.stdout)
    ratios = {
        (finding["slice"].get("stage"), finding["slice"].get("position", "")): finding
        for finding in content["findings"]
        if finding["measure"] == "impact_ratio"
    }
    talk = ratios["talk", ""]
    assert (talk["focal"], talk["estimate"], talk["claim"]["verdict"]) == ({"sex": "woman"}, 0.5, "difference")
    assert (talk["details"]["selected_focal"], talk["details"]["n_focal"]) == (90, 360)
    assert ratios["screen", ""]["estimate"] == 1.0
    assert not any("bottom line" in str(place) for place in ratios)
    monitored = content["audit"]["monitored"]
    assert (monitored["first"], monitored["last"]) == ("2026-07-01", "2026-09-30")
    assert {(row["stage"], row["group"]): row["n"] for row in monitored["composition"]} == {
        (stage, group): n for stage, n in (("screen", 720), ("talk", 360)) for group in ("man", "woman")
    }
    assert any(
        "stage = talk, sex = woman: 25.0 % selected (90 of 360), against 50.0 % of sex = man (180 of 360)" in text
        for text in monitored["standing"]
    )
    assert {row["group"]: (row["labelled"], row["compared"]) for row in monitored["quality"]} == {
        "man": (1080, 1080),
        "woman": (1080, 1080),
    }
    page = " ".join((folder / "q3" / "report.html").read_text("utf-8").split())
    for text in ("Interviews are structured from October on", "Standing disparities", "720 (50.0", "AUC (95"):
        assert text in page.replace("\N{NO-BREAK SPACE}", " ")
    evenhand("bundle q3 --out q3.zip --quiet", cwd=folder)
    verified = evenhand("verify q3.zip", cwd=folder)
    n = len(content["findings"])
    assert f"{n} of {n} findings" in " ".join(verified.stdout.split())
    evenhand("report q3", cwd=folder)


#: More take the permutations of people longer.
PEOPLE = 30


def drawn(seed, *, rate, people=90):
    """Return decisions of August and September 2026 on people who apply several times, alike each time."""
    rng = np.random.default_rng(seed)
    rows = []
    for person in range(people):
        sex, own_rate = ("woman", "man")[person % 2], rng.beta(2, 3) * (rate if person % 2 == 0 else 1)
        for time in range(rng.integers(1, 6)):
            day = f"2026-0{8 + time % 2}-{time * 5 + rng.integers(1, 5):02}"
            place = {"at": day, "person": person, "sex": sex, "site": str(rng.choice(["kiln", "glaze"]))}
            passed = rng.random() < own_rate
            rows.append({**place, "stage": "screen", "taken": int(passed)})
            if passed:
                rows.append({**place, "stage": "talk", "taken": int(rng.random() < 0.5)})
    return pl.DataFrame(rows)


def record(folder, model, rows, *words):
    rows.write_csv(folder / "rows.csv")
    typed = ("--model", model, "--time", "at", "--time-zone", "UTC", "--selected", "taken", "--protected", "sex")
    typed = ("rows.csv", "--store", "s.db", *typed, "--by", "site", "--quiet", *words)
    evenhand("monitor record", *typed, cwd=folder)


def claims(done):
    """Return estimate, interval, p and verdict of each finding that `--json` printed."""
    return {
        finding["name"]: (
            *(finding[name] for name in ("estimate", "low", "high", "n")),
            finding["clusters"].get("person"),
            *((finding.get("claim") or {}).get(name) for name in ("p", "p_adjusted", "family_size", "verdict", "test")),
        )
        for finding in json.loads(done.stdout)["findings"]
    }


@pytest.mark.parametrize(("seed", "rate"), [(2, 1.0), (3, 0.0)])
def test_people_are_clusters_as_in_impact_where_the_store_knows_them(seed, rate, tmp_path):
    rows = drawn(seed, rate=rate, people=PEOPLE).filter(pl.col("stage") == "screen")
    record(tmp_path, "hiring", rows, "--unit", "person")
    gate = ("--fail-on", "difference", "--json", "--no-report")
    months = ("--store", "s.db", "--period", "2026-08..2026-09", "--by", "site")
    report = evenhand("monitor report", *months, "--out", "r", *gate, cwd=tmp_path, code=None)
    columns = ("--selected", "taken", "--protected", "sex", "--position", "site")
    impact = evenhand("impact rows.csv", *columns, "--cluster", "person", "--out", "i", *gate, cwd=tmp_path, code=None)
    assert report.returncode == impact.returncode == (1 if rate < 1 else 0)
    reported, same_rows = claims(report), claims(impact)
    assert reported.keys() == same_rows.keys()
    for name, values in same_rows.items():
        assert reported[name] == pytest.approx(values), name
    ratio = next(name for name in reported if name.startswith("impact_ratio"))
    assert reported[ratio][4] == PEOPLE
    assert "taken as independent" not in report.stdout
    evenhand("bundle r --out r.zip --quiet", cwd=tmp_path)
    verified = evenhand("verify r.zip", cwd=tmp_path)
    assert f"{len(reported)} of {len(reported)} findings" in " ".join(verified.stdout.split())


def test_without_a_model_all_processes_are_reported_as_one_family(tmp_path):
    record(tmp_path, "hiring", drawn(1, rate=0.2), "--stage", "stage", "--unit", "person")
    record(tmp_path, "promotion", drawn(2, rate=1.0), "--stage", "stage")
    months = [pl.col("at").str.replace("-08-", "-05-").str.replace("-09-", "-06-")]
    record(tmp_path, "interviews", drawn(3, rate=0.2).with_columns(months), "--unit", "person")
    several = ("--store", "s.db", "--period", "2026-08..2026-10", "--json", "--no-report")
    both = evenhand("monitor report", *several, "--out", "both", cwd=tmp_path)
    alone = evenhand("monitor report", *several, "--model", "hiring", "--out", "alone", cwd=tmp_path)
    audit = json.loads(both.stdout)["audit"]
    assert audit["title"] == "Decisions of 3 processes, 2026-08..2026-10"
    assert {row["stage"] for row in audit["monitored"]["composition"]} == {
        f"{model}: {stage}" for model in ("hiring", "promotion") for stage in ("screen", "talk")
    }
    assert {*audit["warnings"][:2]} == {
        "Without decisions in 2026-10: hiring, promotion.",
        "Without decisions in the period: interviews.",
    }
    assert "on one person, of promotion: they were recorded without a unit" in audit["warnings"][2]
    # A disparity of May and June is still that of the last 12 months.
    standing = {text.partition(":")[0] for text in audit["monitored"]["standing"]}
    assert {"hiring, stage = screen, sex = woman", "interviews, sex = woman"} <= standing
    together, single = claims(both), claims(alone)
    ratio = "impact_ratio_sex_woman_{}screen"
    assert together[ratio.format("hiring:_")][:6] == pytest.approx(single[ratio.format("")][:6])
    assert together[ratio.format("hiring:_")][7] == 2 * single[ratio.format("")][7]
    for run in ("both", "alone"):
        evenhand("bundle", run, "--out", f"{run}.zip", "--quiet", cwd=tmp_path)
        evenhand("verify", f"{run}.zip", cwd=tmp_path)
    # Of other processes a report keeps no counts, only the p that Holm's method needs.
    assert set(pl.read_parquet(tmp_path / "alone" / "standing.parquet")["model"]) == {"hiring"}
    assert pl.read_parquet(tmp_path / "alone" / "standing_others.parquet").height > 0


def test_verify_finds_standing_disparities_again(folder):
    evenhand(*REPORT, "--period", "2026-Q3", "--out", "q3", "--quiet", cwd=folder)
    counts = folder / "q3" / "standing.parquet"
    few = pl.read_parquet(counts).with_columns(
        successes=pl.when(pl.col("group") == "man").then(0).otherwise("successes")
    )
    few.write_parquet(counts)
    manifest = json.loads((folder / "q3" / "manifest.json").read_text("utf-8"))
    manifest["files"]["standing.parquet"] = hashlib.sha256(counts.read_bytes()).hexdigest()
    (folder / "q3" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    evenhand("bundle q3 --out q3.zip --quiet", cwd=folder)
    verified = evenhand("verify q3.zip", cwd=folder, code=5)
    assert "monitored.standing" in verified.stderr


def test_standing_disparities_are_those_of_the_rules_of_the_checks(folder):
    (folder / "rules.toml").write_text('[[rule]]\nkind = "level"\nmonths = 2\nthreshold = 0.4\n', encoding="utf-8")
    done = evenhand(*REPORT, "--period", "2026-Q3", "--rules", "rules.toml", "--out", "q3", "--json", cwd=folder)
    monitored = json.loads(done.stdout)["audit"]["monitored"]
    assert (monitored["months"], monitored["standing"], monitored["compared"] > 0) == (2, [], True)


def test_python_has_the_same_as_the_command(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = eh.monitor.report(store=str(folder / "history.db"), period="2026-Q3", out=folder / "python")
    evenhand(*REPORT, "--period", "2026-Q3", "--out", "typed", "--quiet", cwd=folder)
    assert [finding.as_dict() for finding in run.findings] == [
        finding.as_dict() for finding in read_result(folder / "typed").findings
    ]
    assert run.audit.monitored.period == "2026-Q3"


@pytest.mark.parametrize(("period", "code"), [("2026-07..2026-09", 1), ("2026-08", 1)])
def test_the_gates_of_impact_hold(period, code, folder):
    done = evenhand(
        *REPORT, "--period", period, "--fail-on", "adverse-impact", "--quiet", "--out", "r", cwd=folder, code=code
    )
    assert "--fail-on adverse-impact holds" in done.stderr


def test_a_store_that_was_not_checked_up_to_the_end_says_so(folder):
    (folder / "rows.csv").write_text("at,taken,sex\n2026-10-05,yes,man\n2026-10-06,no,woman\n", encoding="utf-8")
    columns = ("--time", "at", "--time-zone", "UTC", "--selected", "taken", "--protected", "sex", "--quiet")
    record = ("monitor", "record", "rows.csv", "--store", "history.db", "--model", "hiring", *columns)
    evenhand(*record, cwd=folder)
    done = evenhand(*REPORT, "--period", "2026-10", "--out", "october", cwd=folder)
    assert "last checked up to 2026-09-30, before the period ended" in done.stderr


@pytest.mark.parametrize(("period", "states"), [("2026-07", ["warning, resolved on 2026-08-02"]), ("2026-09", [])])
def test_an_alarm_is_reported_where_it_was_open_by_the_data_not_by_a_late_check(period, states, tmp_path):
    (tmp_path / "rules.toml").write_text(
        '[[rule]]\nmeasure = "selection_rate"\ncomparison = "below"\nthreshold = 0.3\n', encoding="utf-8"
    )
    shares = {"2026-07-02": 2, "2026-08-02": 5, "2026-09-02": 5}
    rows = [
        {"at": day, "sex": ("woman", "man")[number % 2], "site": "kiln", "taken": int(number % 10 < share)}
        for day, share in shares.items()
        for number in range(40)
    ]
    record(tmp_path, "hiring", pl.DataFrame(rows))
    rules = ("--store", "s.db", "--rules", "rules.toml")
    evenhand("monitor check", *rules, "--as-of", "2026-09-30", cwd=tmp_path)
    done = evenhand("monitor report", *rules, "--period", period, "--out", "r", "--json", "--no-report", cwd=tmp_path)
    assert [alarm["state"] for alarm in json.loads(done.stdout)["audit"]["monitored"]["alarms"]] == states


@pytest.mark.parametrize(("taken", "code"), [("no", 6), ("yes", 0)])
def test_a_period_in_which_everybody_fared_alike_is_reported(taken, code, tmp_path):
    record(tmp_path, "hiring", drawn(1, rate=1.0).with_columns(taken=pl.lit(taken)))
    months = ("--store", "s.db", "--period", "2026-08..2026-09", "--fail-on", "difference", "--json", "--no-report")
    done = evenhand("monitor report", *months, "--out", "r", cwd=tmp_path, code=code)
    rates = {row[0] for name, row in claims(done).items() if name.startswith("selection_rate")}
    assert rates == {float(taken == "yes")}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--period", "2026-Q5"), "--period is '2026-Q5'; expected 2026-Q3, 2026, 2026-07 or 2026-07..2026-09"),
        (("--period", "2026-09..2026-07"), "ends before it begins"),
        (("--period", "2999"), "--period 2999 is not complete: its last day is 2999-12-31"),
        (("--period", "2026-01"), "hiring has no decisions in 2026-01; there are decisions from 2026-07 to 2026-09"),
        (("--period", "2026-07", "--model", "firing"), "--model 'firing' has no decisions"),
        (("--period", "2026-07", "--by", "site"), "--by 'site' is not a breakdown of these decisions; there are unit_"),
        (("--period", "2026-07", "--reference", "sex=nobody"), "sex has no such group"),
        ((), "Missing option '--period'"),
    ],
)
def test_what_can_not_be_reported_is_told_in_a_line(words, told, recorded):
    refused(*REPORT, *words, told=told, cwd=recorded)
