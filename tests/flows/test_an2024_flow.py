"""The study of An et al. 2024 from the command line: asked, measured, reported, and fed with what is wrong."""

import csv
import json
import random
from pathlib import Path

import pytest
from _cli import evenhand, findings, loopback, refused, seen

import evenhand as evenhand_package

NAMES = ("Abbey", "Brody", "Shanika", "Akeem", "Luz", "Juan")
_RNG = random.Random(1)
ROWS = [
    {
        "name": name,
        "role": role,
        "qualification": "high",
        "template": template,
        "seed": seed,
        "answer": None,
        "accepted": _RNG.random() < 0.5,
    }
    for name in NAMES
    for role in ("nurse", None, "baker")
    for template in (0, 1)
    for seed in (1, 42)
]


def saved(folder, rows):
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


MEASURE = ("measure", "an2024", "answers.jsonl", "--out", "r", "--quiet", "--no-report")


def measured(folder, rows, *more):
    saved(folder, rows)
    evenhand(*MEASURE, *more, cwd=folder)
    return findings(folder / "r")[0]


def names_of_each_group(most):
    """Return the names of the study by group, at most so many of each."""
    names = {}
    table = Path(evenhand_package.__file__).with_name("data") / "lexicons" / "names_an2024.csv"
    for row in csv.DictReader(table.read_text("utf-8").splitlines()):
        names.setdefault((row["race"], row["gender"]), []).append(row["name"])
    return {group: known[:most] for group, known in names.items()}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return a folder with the runs of two models that were asked about ten names of each group."""
    folder = tmp_path_factory.mktemp("asked")
    rows = [f"{name},{gender},{race}" for (race, gender), known in names_of_each_group(10).items() for name in known]
    (folder / "names.csv").write_text("\n".join(["name,gender,race", *rows]), encoding="utf-8")
    probe = ("probe", "an2024", "--names", "names.csv", "--roles", "7", "--sample", 1200, "--quiet")
    evenhand(*probe, "--model", "sim:stereotyping", "--out", "stereotyping", cwd=folder)
    evenhand(*probe, "--model", "sim:unbiased", "--out", "unbiased", "--no-report", cwd=folder)
    return folder


def test_a_simulated_bias_is_found_in_its_own_e_mails(asked):
    stereotyping = asked / "stereotyping"
    found, audit = findings(stereotyping)
    low = found["hispanic_male_acceptance_vs_population"]
    # Rates by construction: .6 .6 .5 .5 .4 .3, so this group lies .183 below the mean.
    assert low["low"] < -0.5 / 3 - 1 / 60 < low["high"]
    assert (low["claim"]["verdict"], low["mark"]) == ("difference", "†")
    assert low["focal"] == {"race": "hispanic", "gender": "male"}
    assert low["reference"] == {"population": "all"}
    assert audit["statuses"]["observed"] > 1150
    accepted, rejected = audit["twins"]
    assert (accepted["accepted"], rejected["accepted"]) == (True, False)
    assert [accepted[key] for key in ("role", "qualification", "template", "seed")] == [
        rejected[key] for key in ("role", "qualification", "template", "seed")
    ]
    assert accepted["prompt"].replace(accepted["name"], "X") == rejected["prompt"].replace(rejected["name"], "X")
    lines = list(csv.DictReader((stereotyping / "tables.csv").read_text(encoding="utf-8").splitlines()))
    assert {line["table"] for line in lines} >= {"1", "2", "3", "4", "5", "6"}
    assert any(line["source"].startswith("An et al. 2024: Llama2-13b") for line in lines)
    page = (stereotyping / "report.html").read_text(encoding="utf-8")
    assert "Hispanic male names were accepted" in page
    assert "differ in the name only" in page


def test_the_first_screen_speaks_of_large_groups_and_of_answers_that_were_not_read(tmp_path):
    # Of Black women only two names, always accepted; of every fourth name of Black men no answer can be read.
    rows = [
        {**ROWS[0], "name": name, "role": role, "accepted": (place + at) % 2 == 0 or group == ("black", "female")}
        | ({"accepted": None, "answer": "I am not sure."} if group == ("black", "male") and place % 4 == 0 else {})
        for group, known in names_of_each_group(20).items()
        for place, name in enumerate(known[: 2 if group == ("black", "female") else 20])
        for at, role in enumerate(("nurse", "baker"))
    ]
    done = evenhand("measure an2024", saved(tmp_path, rows), "--out", "r", "--no-report", cwd=tmp_path)
    text = " ".join(done.stdout.split())
    assert "Black female names were accepted" not in text
    assert "Of fewer than 30 decisions, 2 % or 5 names, and in the table only: Black female names" in text
    assert "More answers were unreadable under Black names than in all others: 10 of 44 (22.7 %)" in text


def test_seed_and_decoding_parameters_reach_the_model(tmp_path):
    with loopback() as url:
        evenhand(
            *("probe", "an2024", "--model", "openai:m", "--base-url", url, "--sample", 6, "--seeds", "42"),
            *("--preset", "gpt-3.5", "--temperature", 0.2, "--out", "r", "--quiet", "--no-report"),
            cwd=tmp_path,
        )
        bodies = seen(url)["bodies"]
    assert len(bodies) == 6
    for body in bodies:
        assert body["seed"] == 42
        assert (body["temperature"], body["frequency_penalty"], body["presence_penalty"]) == (0.2, 0.9, 1.9)
        assert "{" not in body["messages"][-1]["content"]


def test_decisions_that_are_given_are_taken(tmp_path):
    found = measured(tmp_path, ROWS)
    share = sum(row["accepted"] for row in ROWS) / len(ROWS)
    assert found["acceptance_rate"]["estimate"] == pytest.approx(share)
    assert found["role_not_specified_acceptance_rate"]["n"] == 24
    assert {"role": "not specified"} in [row["slice"] for row in found.values()]


def test_all_accepted_is_null_with_a_reason(tmp_path):
    found = measured(tmp_path, [{**row, "accepted": True} for row in ROWS])
    row = found["white_male_acceptance_vs_population"]
    assert row["estimate"] == 0
    assert all(test["p"] is None and test["reason"] for test in row["tests"])


def test_one_role_only_has_no_combination(tmp_path):
    found = measured(tmp_path, [row for row in ROWS if row["role"] == "nurse"])
    tests = [test["name"] for test in found["white_male_acceptance_vs_population"]["tests"]]
    assert tests == ["permutation over names, studentised", "paper, strict", "paper, inclusive", "paper, mid-p"]


def test_a_group_without_a_decision_is_null_with_a_reason(tmp_path):
    rows = [{**row, "accepted": None if row["name"] == "Juan" else row["accepted"]} for row in ROWS]
    found = measured(tmp_path, rows)
    row = found["hispanic_male_acceptance_vs_population"]
    assert row["estimate"] is None
    assert row["reason"]


def test_own_names_come_with_their_groups(tmp_path):
    own = [{**row, "name": "Zorro", "gender": "male", "race": "hispanic"} for row in ROWS if row["name"] == "Juan"]
    found = measured(tmp_path, [*ROWS, *own])
    assert found["hispanic_male_acceptance_vs_population"]["n"] == 24


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "Zorro"}, "Row 1: name 'Zorro'"),
        ({"qualification": "super"}, "Row 1: qualification 'super'"),
        ({"template": 9}, "Row 1: template 9"),
        ({"seed": "x"}, "Row 1: seed 'x'"),
        ({"accepted": "maybe"}, "Row 1: accepted 'maybe'"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, change, message):
    saved(tmp_path, [{**ROWS[0], **change}, *ROWS[1:]])
    refused(*MEASURE, told=message, cwd=tmp_path)


def test_a_repeated_row_is_refused_unless_attempts_are_numbered(tmp_path):
    numbered = [{**row, "attempt": 0} for row in ROWS]
    for rows in (ROWS, numbered):
        saved(tmp_path, [*rows, rows[3]])
        refused(*MEASURE, told="Row 73 repeats another", cwd=tmp_path)
    measured(tmp_path, [*numbered, {**ROWS[3], "attempt": 1}], "--force")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seeds", "1,1"), "--seeds"),
        (("--base-templates", "6"), "from 1 to 5"),
        (("--roles", "none.csv"), "none.csv can't be read"),
        (("--preset", "x"), "its presets: llama2"),
        (("--labels", "none.jsonl"), "none.jsonl can't be read"),
        (("--monte-carlo", "0"), "--monte-carlo"),
    ],
)
def test_wrong_options_are_refused_in_one_line(tmp_path, options, message):
    refused("probe an2024 --model sim:unbiased --sample 60", *options, told=message, cwd=tmp_path)


def test_smaller_designs_are_asked_whole(tmp_path):
    (tmp_path / "roles.csv").write_text("role,education\nastronaut,Doctoral\n", encoding="utf-8")
    evenhand(
        *("probe", "an2024", "--model", "sim:unbiased", "--roles", "roles.csv", "--seeds", "1"),
        *("--base-templates", "1", "--all", "--monte-carlo", "50", "--out", "r", "--quiet", "--no-report"),
        cwd=tmp_path,
    )
    found, audit = findings(tmp_path / "r")
    assert audit["attempts"] == 300 * 4
    assert {"education": "Doctoral"} in [row["slice"] for row in found.values()]


def test_conditions_on_letter_marks_are_refused(tmp_path):
    saved(tmp_path, ROWS)
    told = "is not a condition of this probe; expected difference or undetected:SHARE"
    refused(*MEASURE, "--fail-on", "mark:B", told=told, cwd=tmp_path)
    # One name a group: no comparison can be judged, so that the gate doesn't pass.
    evenhand(*MEASURE, "--fail-on", "difference", cwd=tmp_path, code=6)


def test_models_are_compared_group_by_group(asked, tmp_path):
    runs = (asked / "stereotyping", asked / "unbiased")
    evenhand("compare", *runs, "--out", "c", "--quiet", cwd=tmp_path)
    own = [findings(run)[0] for run in runs]
    measure = "hispanic_male_acceptance_vs_population"
    found, audit = findings(tmp_path / "c")
    row = next(row for row in found.values() if row["measure"] == measure and "model" in row["reference"])
    assert row["estimate"] == pytest.approx(own[0][measure]["estimate"] - own[1][measure]["estimate"])
    assert row["claim"]["verdict"] == "difference"
    assert row["clusters"] == {"name": 60}
    assert audit["probes"][0]["headline"][-1] == measure


def test_spelling_of_unknown_names_and_roles_makes_no_new_ones(tmp_path):
    own = [
        {**row, "name": name, "role": role, "template": template, "gender": "male", "race": "hispanic"}
        for template, (name, role) in enumerate((("Zorro", "Tailor"), ("ZORRO", "tailor")))
        for row in ROWS
        if row["name"] == "Juan" and row["role"] == "nurse" and row["template"] == 0
    ]
    found = measured(tmp_path, [*ROWS, *own])
    assert found["hispanic_male_acceptance_vs_population"]["clusters"] == {"name": 2}
    assert found["role_tailor_hispanic_male_acceptance_rate"]["n"] == 4


def test_a_failed_answer_has_no_decision_whatever_else_is_given(tmp_path):
    rows = [{**row, "error": "timeout" if row["name"] == "Juan" else None} for row in ROWS]
    found = measured(tmp_path, rows)
    assert found["acceptance_rate"]["n"] == 60
    assert found["undetected_rate_attempts"]["estimate"] == pytest.approx(1 / 6)


def test_known_decisions_need_no_answers(tmp_path):
    found = measured(tmp_path, [{key: row[key] for key in row if key != "answer"} for row in ROWS])
    assert found["acceptance_rate"]["n"] == 72


def test_lists_as_decisions_are_refused(tmp_path):
    import polars as pl

    path = tmp_path / "a.parquet"
    pl.DataFrame(ROWS).with_columns(pl.concat_list("accepted"), pl.lit(None, pl.String).alias("answer")).write_parquet(
        path
    )
    refused("measure an2024", path, told="The column accepted holds lists", cwd=tmp_path)
