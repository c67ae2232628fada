"""`evenhand perturb` as a user runs it: a known effect is found, none is not, and closed systems are read back."""

import json
import math
import runpy
from pathlib import PurePath

import orjson
import polars as pl
import pytest
from _cli import evenhand, findings, journal, refused, words_of

import evenhand as eh
from loopback_rankers import Ranker
from loopback_scorer import Scorer, running

PEOPLE = [
    ("p1", "Jane Doe", "female", "Nurse for ten years. She led the ward."),
    ("p2", "John Smith", "male", "Nurse for two years."),
    ("p3", "Ana Lee", None, "Carpenter of houses."),
    ("p4", "Omar Reyes", "male", "Baker for three years. He bakes bread."),
    ("p5", "Ruth Weber", "female", "Joiner of doors and windows."),
    ("p6", "May Chen", "female", "Cook; maychenmailcom"),  # a word of the name stands elsewhere
]
POSITIONS = [("n", "Nurse", "Cares for patients."), ("c", "Carpenter", "Builds houses.")]
OWN = ("people.jsonl", "--positions", "positions.jsonl")
FEW = ("--names-per-group", "2", "--margin", "2")
NAME = "name_female_male_score_difference"

#: A scorer in Python: five points less for women's names, else what the text says.
SCORER = """
import hashlib

FIVE = {five}

def score(pairs):
    found = []
    for text, position in pairs:
        base = hashlib.blake2b((text.split(None, 2)[2] + position).encode()).digest()[0] / 8
        noise = hashlib.blake2b(text.encode()).digest()[0] / 256
        found.append(50 + base + noise - (5 if any(name in text for name in FIVE) else 0))
    return found
"""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with people and positions."""
    people = [
        {"id": key, "text": f"{name}\n\n{text}", "known_names": [name], "gender": gender}
        for key, name, gender, text in PEOPLE
    ]
    positions = [{"id": key, "title": title, "text": text} for key, title, text in POSITIONS]
    for file, rows in (("people", people), ("positions", positions)):
        (tmp_path / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def test_a_known_effect_is_found_and_the_placebo_shows_none(tmp_path):
    args = ("--scorer", "sim:shift?female=-0.8", "--margin", "2", "--sample", "9", "--out", "run")
    done = evenhand("perturb", *args, "--fail-on", "difference", cwd=tmp_path, code=1)
    assert f"--fail-on difference holds for 1 of 1 judged: {NAME} (" in done.stderr
    by_name, audit = findings(tmp_path / "run")
    found = by_name[NAME]
    assert found["low"] < -10 < found["high"] < 0  # .8 standard deviations of 12.5
    assert found["claim"]["verdict"] == "difference"
    for gender in ("female", "male"):
        placebo = by_name[f"placebo_{gender}_{gender}_score_difference"]
        assert placebo["low"] < 0 < placebo["high"]
        assert (placebo["claim"]["verdict"], placebo["claim"]["planned"]) == ("no_difference_detected", False)
    assert audit["simulated"]
    assert audit["synthetic"]
    assert audit["people"] == 9
    assert "SIMULATED" in done.stdout
    assert "were scored" in done.stdout
    assert "lower with female names than with male names" in " ".join(done.stdout.split())
    table = pl.read_csv(tmp_path / "run/perturb.csv")
    assert table.filter(pl.col("position").is_null()).height == 3
    whole = table.filter((pl.col("arm") == "name") & pl.col("position").is_null()).row(0, named=True)
    assert whole["difference"] == found["estimate"]
    outcomes = pl.read_parquet(tmp_path / "run/outcomes.parquet")
    assert outcomes.height == audit["attempts"] == len(journal(tmp_path / "run"))


@pytest.mark.parametrize(("margin", "code", "equivalent"), [("6", 0, True), ("0.01", 1, False), ("0.001sd", 1, False)])
def test_without_an_effect_the_margin_decides_whether_scores_are_equivalent(tmp_path, margin, code, equivalent):
    args = ("--scorer", "sim:unbiased", "--margin", margin, "--sample", "9", "--out", "run", "--quiet")
    done = evenhand("perturb", *args, "--fail-on", "not-equivalent", cwd=tmp_path, code=code)
    assert done.stdout.strip() == "run"
    by_name, _ = findings(tmp_path / "run")
    claim = by_name[NAME]["claim"]
    assert (claim["verdict"], claim["equivalent"]) == ("no_difference_detected", equivalent)


@pytest.mark.parametrize(
    ("by", "reference", "names"),
    [
        ("race", "black", {"name_asian_black_score_difference", "name_white_black_score_difference"}),
        ("gender,race", "female,black", {"name_male_×_white_female_×_black_score_difference"}),
        ("gender", "female", {"name_male_female_score_difference"}),
    ],
)
def test_groups_are_held_against_the_reference_that_was_given(tmp_path, by, reference, names):
    args = words_of("--scorer 'sim:shift?black=-1' --margin 2 --sample 3 --names-per-group 2 --out run")
    evenhand("perturb", *args, "--by", by, "--reference", reference, "--no-placebo", "--quiet", cwd=tmp_path)
    by_name, audit = findings(tmp_path / "run")
    assert names <= by_name.keys()
    assert audit["arms"] == ["name"]


def test_own_people_are_scored_by_a_function_and_stay_off_the_page(folder, monkeypatch):
    evenhand("perturb", *OWN, *FEW, "--write-arms", "arms", cwd=folder)
    key = pl.read_csv(folder / "arms-key.csv")
    women = sorted(key.filter(pl.col("names") == "female")["name"].unique())
    (folder / "own_scorer.py").write_text(SCORER.format(five=women), encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    evenhand("perturb", *OWN, *FEW, "--scorer", "python:own_scorer:score", "--out", "run", cwd=folder)
    by_name, audit = findings(folder / "run")
    assert -6.1 < by_name[NAME]["estimate"] < -3.9
    assert by_name["left_out_rate"]["n"] == 6
    assert by_name["female_left_out_rate"]["estimate"] == pytest.approx(1 / 3)
    page = (folder / "run/report.html").read_text("utf-8")
    findings_text = (folder / "run/findings.json").read_text("utf-8")
    for text in ("Jane Doe", "led the ward", "bakes bread"):
        assert text not in page
        assert text not in findings_text
    assert "a word of the name stands elsewhere" in page
    assert not audit["synthetic"]
    again = ("--scorer", "python:own_scorer:score", "--out", "run", "--force", "--show-pairs", "1")
    evenhand("perturb", *OWN, *FEW, *again, cwd=folder)
    _, audit = findings(folder / "run")
    assert [pair.get("text") is not None for pair in audit["pairs"][:2]] == [True, False]
    first = audit["pairs"][0]
    assert first["name"] in first["text"]
    assert first["reference_name"] in first["reference_text"]


OUTSIDE = """
import hashlib

def fit(text, position):
    base = hashlib.blake2b((text.split(None, 2)[2] + position).encode()).digest()[0] / 8
    return 50 + base - len(text.split()[0]) - 3 * ("she" in text.lower())

def score(pairs):
    return [fit(*pair) for pair in pairs]
"""
WRITTEN = ("--arms", "name+pronouns,affinity", "--by", "gender,race", "--reference", "male,white")


def test_arms_that_were_written_and_scored_elsewhere_are_what_a_scorer_would_have_been(folder, monkeypatch):
    (folder / "outside.py").write_text(OUTSIDE, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    args = ("perturb", *OWN, *FEW, *WRITTEN)
    done = evenhand(*args, "--scorer", "python:outside:score", "--out", "direct", "--quiet", cwd=folder)
    done = evenhand(*args, "--write-arms", "the arms", cwd=folder)
    assert "--write-arms 'the arms' --join SCORES.csv" in " ".join(done.stdout.split())
    written = folder / "the arms"
    fit = runpy.run_path(str(folder / "outside.py"))["fit"]
    rows = [
        {
            "attachment": f"inbox/{PurePath(row['document']).name}",
            "job": row["title"],
            "match": fit(*((written / row[name]).read_text("utf-8") for name in ("text", "position_text"))),
        }
        for row in pl.read_csv(written / "arms.csv").iter_rows(named=True)
    ]
    scores = pl.DataFrame(rows).sample(fraction=1.0, shuffle=True, seed=1)
    scores.write_parquet(folder / "scores.parquet")
    more = ("--write-arms", "the arms", "--item", "attachment,job", "--score", "match", "--quiet")
    done = evenhand(*args, *more, "--join", "scores.parquet", "--out", "joined", cwd=folder)
    assert (folder / "joined/perturb.csv").read_bytes() == (folder / "direct/perturb.csv").read_bytes()
    assert findings(folder / "joined")[0] == findings(folder / "direct")[0]
    settings = orjson.loads((folder / "joined/manifest.json").read_bytes())["settings"]
    assert (settings["written"], len(settings["scores"])) == ("the arms", 64)

    scores[:-1].vstack(scores[:2]).with_columns(job=pl.col("job").replace("Nurse", "Cook")).write_csv(folder / "s.csv")
    told = "was written from other people, positions, names, arms or another --seed"
    refused(*args, *more, "--join", "s.csv", "--out", "other", "--seed", "1", told=told, cwd=folder)
    done = evenhand(*args, *more, "--join", "s.csv", "--out", "other", cwd=folder)
    nurses = scores[:-1].vstack(scores[:2])["job"].to_list().count("Nurse")
    assert f"{nurses} rows of s.csv about no document and position of this experiment, left out" in done.stderr
    _, audit = findings(folder / "other")
    assert audit["statuses"]["missing"] == scores.height - scores[:-1].filter(pl.col("job") != "Nurse").height
    assert any("missing, of " in warning for warning in audit["warnings"])


def test_a_service_is_asked_stopped_and_goes_on(folder):
    with running(Scorer()) as scorer:
        args = ("perturb", *OWN, *FEW, "--scorer", f"{scorer.url}/score", "--range", "0-100", "--out", "run")
        done = evenhand(*args, "--max-requests", "5", cwd=folder, code=4)
        assert "scores are requested" in done.stderr
        assert len(journal(folder / "run")) == 5
        assert not (folder / "run/perturb.csv").exists()
        refused(*args[:-2], "--out", "run", "--cutoff", "50", "--resume", told="another --cutoff", cwd=folder)
        done = evenhand(*args, "--resume", cwd=folder)
        asked = scorer.requests
        done = evenhand(*args, "--resume", cwd=folder)
        assert scorer.requests == asked
    _, audit = findings(folder / "run")
    assert audit["statuses"] == {"observed": asked}


def test_scores_that_can_not_be_read_are_counted_by_arm(folder):
    with running(Scorer(then="bad:Nurse")) as scorer:
        args = ("--scorer", f"{scorer.url}/score", "--out", "run", "--arms", "name,affinity")
        done = evenhand("perturb", *OWN, *FEW, *args, cwd=folder)
    by_name, audit = findings(folder / "run")
    assert audit["statuses"]["error"] > 0
    assert by_name["undetected_rate_attempts"]["estimate"] > 0
    assert "held no score" in " ".join(done.stdout.split())
    assert "Unread scores" in (folder / "run/report.html").read_text("utf-8")


def test_json_is_all_that_is_on_stdout(folder):
    done = evenhand("perturb", *OWN, *FEW, "--scorer", "sim:shift?female=1", "--out", "run", "--json", cwd=folder)
    assert orjson.loads(done.stdout) == orjson.loads((folder / "run/findings.json").read_bytes())
    done = evenhand("perturb", *OWN, *FEW, "--write-arms", "arms", "--json", cwd=folder)
    written = orjson.loads(done.stdout)
    assert written["folder"] == "arms"
    assert written["rows"] == written["documents"] * written["positions"]
    refused("perturb", *OWN, *FEW, "--write-arms", "arms", "--quiet", told="already exists", cwd=folder)


def test_from_python(folder, monkeypatch):
    monkeypatch.chdir(folder)
    run = eh.perturb(
        "people.jsonl", "positions.jsonl", scorer="sim:shift?female=1", margin=2, out="run", names_per_group=2
    )
    assert run.finding(NAME).verdict == "difference"
    assert run.rows.filter(pl.col("position") == "").height == 3
    assert math.isclose(run.rows["difference"][0], run.finding(NAME).estimate)
    with pytest.raises(eh.errors.InputError, match=r"^margin is missing: give the largest difference"):
        eh.perturb("people.jsonl", "positions.jsonl", scorer="sim:unbiased")
    with pytest.raises(eh.errors.InputError, match="Résumés need positions"):
        eh.perturb("people.jsonl", scorer="sim:unbiased", margin="0.2sd")


SIM = ("--scorer", "sim:unbiased")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (
            SIM,
            "--margin is missing: give the largest difference of scores that counts as equivalent, such as 2 or 0.2sd.",
        ),
        (("--margin", "2"), "--scorer is missing: give one, or --write-arms DIR"),
        ((*SIM, "--margin", "x"), "--margin 'x'; expected a number above 0"),
        ((*SIM, "--margin", "-1"), "--margin '-1'; expected a number above 0"),
        (
            (*SIM, "--margin", "2", "--by", "faith"),
            "--by 'faith' is nothing that the names signal; expected gender, race",
        ),
        ((*SIM, "--margin", "2", "--arms", "nam"), "'nam' is not a kind of arm; expected name, name+pronouns"),
        ((*SIM, "--margin", "2", "people.jsonl"), "Résumés need --positions"),
        ((*SIM, "--margin", "2", "--positions", "positions.jsonl"), "--positions needs résumés"),
        ((*SIM, "--margin", "2", "--reference", "x"), "none of the groups; expected female or male."),
        ((*SIM, "--margin", "2", "--sample", "247"), "--sample is 247, and there are 246 résumés; give 246 at most."),
        ((*SIM, "--margin", "2", "--sample", "0"), "--sample is 0; expected a whole number from 1."),
        ((*SIM, "--margin", "2", "--top", "0"), "--top is 0; expected a whole number from 1."),
        ((*SIM, "--margin", "2", "--cutoff", "nan"), "--cutoff is nan; expected a number."),
        ((*SIM, "--margin", "2", "--names", "none.csv"), "none.csv"),
        ((*SIM, "--margin", "2", "--names-per-group", "0"), "--names-per-group is 0; expected a whole number from 1."),
        ((*SIM, "--margin", "2", "--write-arms", "arms"), "--write-arms and --scorer can't be given together"),
        ((*SIM, "--margin", "2", "--join", "s.csv"), "--join s.csv has the scores, so no --scorer is needed"),
        (("--margin", "2", "--join", "s.csv,t.csv"), "--join s.csv has the scores, so no other table is needed"),
        (("--margin", "2", "--join", "s.csv"), "No file s.csv"),
        (("--join", "s.csv"), "--margin is missing: give the largest difference"),
        (("--margin", "2", "--write-arms", "a", "--join", "s.csv"), "--write-arms a holds no arms.csv; leave out"),
        (
            ("--margin", "2", "--write-arms", "a", "--join", "part"),
            "--write-arms with --join takes the table of scores",
        ),
        ((*SIM, "--margin", "2", "--score", "fit"), "--score needs --scores TABLE"),
        (("--write-arms", "arms", "--fail-on", "difference"), "needs scores, and --write-arms has none yet; give it"),
        ((*SIM, "--margin", "2", "--resume"), "--resume needs --out"),
        ((*SIM, "--margin", "2", "--fail-on", "equivalent"), "--fail-on 'equivalent' is not understood"),
        (("--margin", "2", "--scorer", "mine"), "--scorer 'mine' is not a scorer; expected one of https://"),
        (("--margin", "2", "--scorer", "replay:none.csv"), "No file none.csv"),
        (("--margin", "2", "--scorer", "python:none:f"), "there is no module none"),
        ((*SIM, *OWN[:3], "none.jsonl", "--margin", "2"), "none.jsonl"),
    ],
)
def test_wrong_input_is_refused_in_one_line(folder, args, told):
    out = () if {"--resume", "--fail-on"} & set(args) else ("--out", "run")
    refused("perturb", *args, *out, told=told, cwd=folder)


def test_parts_of_a_run_are_joined_into_what_one_run_would_be(folder):
    args = ("perturb", *OWN, *FEW, "--scorer", "sim:shift?female=1", "--quiet")
    for number in (1, 2):
        evenhand(*args, "--shard", f"{number}/2", "--out", f"part{number}", cwd=folder)
    for more in (("--join", "part1,part2", "--out", "joined"), ("--out", "whole")):
        evenhand(*args, *more, cwd=folder)
    assert (folder / "joined/perturb.csv").read_bytes() == (folder / "whole/perturb.csv").read_bytes()
    refused("collect merge part1 part2 --out merged", told="evenhand perturb joins its parts with --join", cwd=folder)


def test_ranks_are_told_as_ranks(folder):
    evenhand("perturb", *OWN, *FEW, "--write-arms", "arms", cwd=folder)
    key = pl.read_csv(folder / "arms-key.csv")
    scores = pl.read_csv(folder / "arms/arms.csv").join(key, on="id").sort("names", "id", descending=True)
    ranks = scores.with_columns(rank=pl.int_range(1, pl.len() + 1).over("position"))  # all men's names before women's
    ranks.select("id", "position", "rank").write_csv(folder / "ranks.csv")
    done = evenhand("perturb", *OWN, *FEW, "--scorer", "replay:ranks.csv", "--cutoff", "10", "--out", "run", cwd=folder)
    told = " ".join(done.stdout.split())
    assert "Difference of ranks in places" in told
    assert "The same résumés were ranked" in told
    assert "lower with female names than with male names" in told
    by_name, _ = findings(folder / "run")
    assert by_name[NAME]["unit"] == "places"
    assert by_name[NAME]["estimate"] < 0


def test_a_service_that_answers_differently_each_time_is_asked_repeatedly(folder):
    with running(Scorer()) as scorer:
        args = ("--scorer", f"{scorer.url}/score", "--repetitions", "2", "--out", "run")
        done = evenhand("perturb", *OWN, *FEW, *args, cwd=folder)
    _, audit = findings(folder / "run")
    outcomes = pl.read_parquet(folder / "run/outcomes.parquet")
    assert outcomes.height == 2 * outcomes["unit"].n_unique() == audit["attempts"]
    assert "2 times each" in done.stderr
    assert "--repetitions 2" in audit["reproduce"]


ADVERTISED = ("Nurse\n\nCares for patients.", "Carpenter\n\nBuilds houses.")
GIVEN = {"female": ("Una", "Ida", "Eva", "Ada"), "male": ("Ivo", "Ugo", "Leo", "Abe")}


def similar(text, position):
    """A cosine that only the first word of a résumé and the position make: .05 less for women."""
    return 0.3 + 0.1 * (position == ADVERTISED[0]) - 0.05 * (text.split()[0] in GIVEN["female"])


@pytest.fixture
def named_folder(folder):
    """Return a folder with given names, people and positions."""
    rows = [f"{gender},{name}" for gender, names in GIVEN.items() for name in names]
    (folder / "given.csv").write_text("\n".join(["gender,name", *rows]) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("scheme", ["embedding", "rerank"])
def test_a_model_that_ranks_is_stopped_and_resumed_and_embeds_no_text_twice(named_folder, scheme):
    args = (*OWN, "--names", "given.csv", "--names-per-group", "4", "--margin", ".02", "--scorer", f"{scheme}:stub")
    with running(Ranker(similar, ADVERTISED)) as server:
        again = (*args, "--base-url", server.url, "--out", "run", "--quiet")
        stopped = evenhand("perturb", *again, "--max-requests", "10", cwd=named_folder, code=4)
        assert ("texts are embedded, each once" in stopped.stderr) == (scheme == "embedding")
        assert (named_folder / "run/embeddings.jsonl").exists() == (scheme == "embedding")
        evenhand("perturb", *again, "--resume", cwd=named_folder)
    assert not (named_folder / "run/embeddings.jsonl").exists()
    by_name, audit = findings(named_folder / "run")
    assert by_name[NAME]["estimate"] == pytest.approx(-0.05, abs=1e-6)
    assert by_name["placebo_female_female_score_difference"]["estimate"] == pytest.approx(0.0, abs=1e-9)
    surnames = {text.split()[1] for text in server.texts if text not in ADVERTISED}
    assert surnames == {"Doe", "Smith", "Lee", "Reyes", "Weber"}
    if scheme == "embedding":
        assert len(server.texts) == len(set(server.texts))
        assert audit["usage"]["input_tokens"] == 10 * len(server.texts)


@pytest.mark.parametrize("scheme", ["embedding", "rerank"])
def test_a_model_that_leaves_a_text_out_ends_the_run_in_one_line(named_folder, scheme):
    args = (*OWN, "--names", "given.csv", "--margin", ".02", "--scorer", f"{scheme}:stub", "--out", "run", "--quiet")
    with running(Ranker(similar, ADVERTISED, then="short")) as server:
        done = evenhand("perturb", *args, "--base-url", server.url, cwd=named_folder, code=3)
    assert "texts; expected one for each" in done.stderr.splitlines()[-1]


#: A scorer in Python: six points less for those who left college before 1990, else what the text says.
AGES = """
import hashlib, re

def score(pairs):
    found = []
    for text, position in pairs:
        left = int(re.search(r"College, (\\d{4})", text)[1])
        noise = hashlib.blake2b((text + position).encode()).digest()[0] / 256
        found.append(50 + noise - (6 if left < 1990 else 0))
    return found
"""
DATED = [
    {
        "id": f"d{n}",
        "text": f"{name}\n\nWelder, Forge Ltd, {year} - {year + 7}\nBA, East College, {year - 2}",
        "known_names": [name],
    }
    for n, (name, year) in enumerate(
        zip(("Jane Doe", "John Smith", "Ana Lee", "Omar Reyes"), range(2006, 2010), strict=True)
    )
]


def test_an_age_arm_finds_a_penalty_its_placebo_none_and_resumes_without_dates_are_counted(folder):
    (folder / "ages.py").write_text(AGES, "utf-8")
    undated = [{"id": "u", "text": "Ruth Weber\n\nJoiner of doors.", "known_names": ["Ruth Weber"]}]
    for file, rows in (("dated", [*DATED, *undated]), ("undated", undated)):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    few = ("--positions", "positions.jsonl", "--scorer", "python:ages:score", "--margin", "2", "--names-per-group", "4")
    args = ("perturb", "dated.jsonl", *few, "--out", "run", "--fail-on", "difference")
    done = evenhand(*args, "--arms", "age,parenthood,name+age", cwd=folder, code=1)
    by_name, audit = findings(folder / "run")
    penalty, placebo = (
        by_name[f"{name}_as_written_score_difference"] for name in ("age_older", "placebo_dates_a_year_apart")
    )
    assert penalty["low"] < -6 < penalty["high"]
    assert (penalty["focal"], penalty["reference"]) == ({"age": "older"}, {"age": "as written"})
    assert abs(placebo["estimate"]) < 0.5
    assert by_name["parenthood_parent_neutral_score_difference"]["clusters"] == {"text": 4, "resume": 4}
    page = (folder / "run" / "report.html").read_text("utf-8")
    assert page.count(">placebo: dates a year apart − as written<") == 2 * 3  # age and two crossings, in two widths
    assert audit["people"] == 4
    assert by_name["left_out_rate"]["details"]["reasons"] == {"it has no date to move, as age needs": 1}
    assert any(limit.startswith("Age: Every date is 20 years earlier") for limit in audit["limits"])
    done = evenhand("perturb undated.jsonl", *few, "--arms", "age", "--out", "other", cwd=folder, code=2)
    refused = "No résumé can have these arms: it has no date to move, as age needs. Leave it out of --arms and"
    assert done.stderr == f"{refused} --by.\n"


def test_arms_are_written_labelled_and_counted_by_arm(folder):
    done = evenhand("perturb", *OWN, *FEW[:2], "--arms", "religion", "--write-arms", "arms", cwd=folder)
    done = evenhand("data label-sheet arms --out sheet.csv --sample 40", cwd=folder)
    assert "to label as plausible, implausible or none" in " ".join(done.stdout.split())
    sheet = pl.read_csv(folder / "sheet.csv").with_columns(
        pl.when(pl.col("text").str.contains("Muslim|Hindu"))
        .then(pl.lit("Implausible"))
        .otherwise(pl.lit("plausible"))
        .alias(name)
        for name in ("annotator_1", "annotator_2")
    )
    sheet.write_csv(folder / "sheet.csv")
    done = evenhand("data agreement sheet.csv --key sheet-key.csv --json", cwd=folder)
    shares = {group["arm"]: group["alike"]["estimate"] for group in orjson.loads(done.stdout)["classifier"]["groups"]}
    assert {arm.rpartition(" ")[2]: share for arm, share in shares.items()} == {
        "Christian": 1.0,
        "Jewish": 1.0,
        "Hindu": 0.0,
        "Muslim": 0.0,
        "neutral": 1.0,
        "line": 1.0,
    }
    (folder / "arms-key.csv").unlink()
    refused("data label-sheet arms --out other.csv", told="arms-key.csv, the key to the arm of each text", cwd=folder)
