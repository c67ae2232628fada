"""The probe resume-score as a user runs it: a bias that a server has is found, wrong input is refused in a line."""

import json

import polars as pl
import pytest
from _cli import evenhand, findings, loopback, refused

NAMES = "name,gender,race\nAnna Bell,female,white\nEve Moss,female,white\nTom Bell,male,white\nBob Li,male,white\n"
POSITION = '{"id": "1", "title": "Baker", "text": "We bake."}\n'
RESUME = '{"id": "a", "text": "Jane Doe\\njane.doe@example.org\\n\\nShe led a team of four bakers."}\n'


def test_a_servers_three_points_less_for_one_group_are_found(tmp_path):
    with loopback(then="score:black=-3") as url:
        args = ("--model", "openai:m", "--base-url", url, "--sample", "2000", "--out", "run", "--no-report")
        evenhand("probe resume-score", *args, cwd=tmp_path)
    by_name, audit = findings(tmp_path / "run")
    black = by_name["diff_score_black"]
    assert audit["statuses"] == {"observed": 2000}
    assert black["low"] < -3 < black["high"] < 0
    assert black["claim"]["verdict"] == "difference"
    assert black["clusters"] == {"name": 40, "resume": 50}
    for other in ("diff_score", "diff_score_asian", "diff_score_hispanic"):
        assert by_name[other]["claim"]["verdict"] == "no_difference_detected", other


def files(folder):
    for name, text in (("names.csv", NAMES), ("positions.jsonl", POSITION), ("resumes.jsonl", RESUME)):
        (folder / name).write_text(text, encoding="utf-8")


OWN = ("--positions", "positions.jsonl", "--resumes", "resumes.jsonl", "--names", "names.csv")


def test_own_positions_resumes_and_names_are_asked_and_asked_again_only_as_they_were(tmp_path):
    files(tmp_path)
    args = ("probe", "resume-score", "--model", "sim:unbiased", *OWN, "--range", "1-5", "--pronouns", "--out", "run")
    evenhand(*args, cwd=tmp_path)
    first = json.loads((tmp_path / "run/answers-000.jsonl").read_text("utf-8").splitlines()[0])
    outcomes = pl.read_parquet(tmp_path / "run/outcomes.parquet")
    assert outcomes.height == 12  # one résumé, three wordings, four names
    assert outcomes["score"].is_between(1, 5).all()
    assert first["returned_model"] == "sim:unbiased"
    _, audit = findings(tmp_path / "run")
    prompt = audit["example"]["prompt"]
    who = {"Anna Bell": "She", "Eve Moss": "She", "Tom Bell": "He", "Bob Li": "He"}
    name = next(each for each in who if each in prompt)
    assert "Jane" not in prompt
    assert f"{name}\n" in prompt
    assert f"{who[name]} led a team of four bakers." in prompt
    assert "from 1 (no fit) to 5 (perfect fit)" in prompt
    (tmp_path / "resumes.jsonl").write_text(RESUME.replace("four", "five"), encoding="utf-8")
    refused(*args, "--resume", told="resumes.jsonl", cwd=tmp_path)


WRONG = {
    "a range the wrong way round": (("--range", "100-0"), "did you mean 0-100?"),
    "no range": (("--range", "high"), "expected two numbers such as 0-100"),
    "a range of one number": (("--range", "5-5"), "a score needs two ends"),
    "an unknown occupation": (("--occupations", "Registered Nurse"), "Did you mean Registered Nurses?"),
    "a cut-off that no score exceeds": (("--cutoff", "100"), "expected a score from 0 to below 100"),
    "positions alone": (("--positions", "positions.jsonl"), "--positions needs --resumes"),
    "positions beside occupations": (
        (*OWN, "--occupations", "Cashiers"),
        "--occupations and --positions are both given",
    ),
    "a sample that breaks a round of names": (("--sample", "100"), "blocks of 8"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_refused_in_a_line_and_leaves_nothing_behind(tmp_path, case):
    files(tmp_path)
    args, said = WRONG[case]
    refused("probe resume-score --model sim:unbiased", *args, "--out", "run", told=said, cwd=tmp_path)


FILES = {
    "positions without titles": ("positions.jsonl", '{"id": "1", "text": "We bake."}\n', "no title"),
    "one name of a group": ("names.csv", "name,gender,race\nA B,female,white\nC D,male,white\n", "1 name of"),
    "unequal groups": ("names.csv", NAMES + "Ada Wu,female,white\n", "the same number for each group"),
    "one group": ("names.csv", "name,gender,race\nA B,female,white\nC D,female,white\n", "one group only"),
    "a name of one word": ("names.csv", NAMES.replace("Tom Bell", "Tom"), "is a given name alone, and row 1"),
    "an unknown group": ("names.csv", NAMES.replace("Li,male", "Li,man"), "is not one of male, female"),
    "a résumé without a name": ("resumes.jsonl", '{"id": "a", "text": "I bake."}\n', "no name was found"),
}


@pytest.mark.parametrize("case", FILES)
def test_files_that_can_not_be_asked_with_are_refused_in_a_line(tmp_path, case):
    files(tmp_path)
    name, text, said = FILES[case]
    (tmp_path / name).write_text(text, encoding="utf-8")
    refused("probe resume-score --model sim:unbiased", *OWN, "--out", "run", told=said, cwd=tmp_path)
