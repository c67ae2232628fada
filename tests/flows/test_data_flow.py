"""`evenhand data` from the shell: files, streams, exit codes."""

import csv
import json

import polars as pl
import pytest
from _cli import evenhand, refused

NAMES = """name,count,white,black,female,male
MCKENNA,5000,.92,.08,980,20
Latoya,3000,.04,.96,1000,3
José,1000,.9,.1,12,88000
"""


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows, **options):
    with path.open("w", newline="", encoding=options.pop("encoding", "utf-8")) as file:
        writer = csv.DictWriter(file, rows[0], **options)
        writer.writeheader()
        writer.writerows(rows)


def test_data_lists_what_the_package_holds(tmp_path):
    done = evenhand("data", cwd=tmp_path)
    assert "Apache-2.0" in done.stdout
    listed = json.loads(evenhand("data --json", cwd=tmp_path).stdout)["data"]
    entries = {entry["file"]: entry for entry in listed}
    assert entries["lexicons/names_bloomberg.csv"]["rows"] == 800
    assert all({"licence", "sha256", "limits"} <= set(entry) for entry in listed)


def test_names_go_to_stdout_and_what_was_understood_to_stderr(tmp_path):
    (tmp_path / "t.csv").write_text(NAMES, encoding="utf-8")
    done = evenhand("data names t.csv", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "name,race,gender,count,race_share,gender_share",
        "Mckenna,white,female,5000,0.92,0.98",
        f"Latoya,black,female,3000,0.96,{1000 / 1003}",
    ]
    assert "races as shares" in done.stderr
    assert "genders as counts" in done.stderr
    assert "Short of 50 names: white female 1, white male 0" in done.stderr
    assert "1 left out with 1,000 occurrences or fewer" in done.stderr
    assert not evenhand("data names t.csv --quiet", cwd=tmp_path).stderr


def test_names_from_parquet_into_a_file_that_is_not_replaced(tmp_path):
    pl.read_csv(NAMES.encode()).write_parquet(tmp_path / "t.parquet")
    args = ("data", "names", "t.parquet", "--out", "n.csv", "--top", 1, "--min-count", 0)
    assert evenhand(*args, cwd=tmp_path).stdout.splitlines()[-1] == "n.csv"
    assert [row["name"] for row in rows_of(tmp_path / "n.csv")] == ["Mckenna", "José", "Latoya"]
    refused(*args, told=("n.csv", "--force"), cwd=tmp_path)
    evenhand(*args, "--force", cwd=tmp_path)
    content = json.loads(evenhand("data names t.parquet --json", cwd=tmp_path).stdout)
    assert [row["name"] for row in content["names"]] == ["Mckenna", "Latoya"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["names"], ["TABLE"]),
        (["names", "nowhere.csv"], ["nowhere.csv"]),
        (["names", "t.csv", "--race", "white"], ["--race", "GROUP=COLUMN"]),
        (["names", "t.csv", "--race", "white=whte,black=black"], ["whte", "Did you mean 'white'"]),
        (["names", "t.csv", "--races-as", "percent"], ["percent"]),
        (["names", "t.csv", "--races-as", "percents"], ["Row 1", "read as percents"]),
        (["names", "t.csv", "--top", "0"], ["--top"]),
        (["names", "t.csv", "--out", "no/n.csv"], ["no"]),
        (["label-sheet", "t.csv", "--out", "s.csv"], ["'answer'"]),
        (["label-sheet", ".", "--out", "s.csv"], ["no run"]),
        (["label-sheet", "a.jsonl"], ["--out"]),
        (["label-sheet", "a.jsonl", "--out", "s.csv"], ["'name'"]),
        (["agreement", "nowhere.csv"], ["nowhere.csv"]),
        (["agreement", "t.csv"], ["email", "Columns: name"]),
        (["agreement", "t.csv", "--out", "labels.txt"], [".txt", ".jsonl"]),
        (["nmes"], ["nmes"]),
    ],
    ids=" ".join,
)
def test_wrong_input_is_one_line(tmp_path, args, words):
    (tmp_path / "t.csv").write_text(NAMES, encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"answer": "x"}\n', encoding="utf-8")
    refused("data", *args, told=words, cwd=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "t.csv"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    evenhand("probe an2024 --model sim:unbiased --sample 300 --out run --quiet --no-report", cwd=folder)
    return folder / "run"


def test_a_run_becomes_a_sheet_labels_and_a_classifier_s_training(run, tmp_path):
    done = evenhand("data label-sheet", run, "--out", "sheet.csv", "--sample", 60, cwd=tmp_path)
    assert "white female 10" in done.stdout
    rows, key = rows_of(tmp_path / "sheet.csv"), rows_of(tmp_path / "sheet-key.csv")
    for row, whose in zip(rows, key, strict=True):
        assert whose["name"].lower() not in row["text"].replace("'", " ").replace(",", " ").split()
    refused("data label-sheet", run, "--out", "sheet.csv", told="--force", cwd=tmp_path)

    outcomes = pl.read_parquet(run / "outcomes.parquet")
    assert {row["name"] for row in key} <= set(outcomes["context.name"])
    for number, row in enumerate(rows):
        row["annotator_1"] = "accept" if number % 2 else "reject"
        row["annotator_2"] = "none" if number < 6 else row["annotator_1"]
    write_rows(tmp_path / "first.csv", [{**row, "annotator_2": ""} for row in rows], delimiter=";", encoding="cp1252")
    write_rows(tmp_path / "second.csv", [{**row, "annotator_1": ""} for row in reversed(rows)])
    done = evenhand("data agreement first.csv second.csv --out labels.csv --json", cwd=tmp_path)
    found = json.loads(done.stdout)
    # 54 of 60 agree; chance: (30 · 27 + 30 · 27) / 60² = .45; kappa (.9 - .45) / .55
    assert found["agreement"] == pytest.approx(0.9)
    assert found["kappa"]["estimate"] == pytest.approx(0.45 / 0.55)
    assert found["kappa"]["low"] < found["kappa"]["estimate"] < found["kappa"]["high"]
    assert len(found["disagreements"]) == 6
    assert "Left out of the labels: 6 disagreements" in done.stderr
    assert "semicolons" in done.stderr
    assert "classifier" not in found
    labels = rows_of(tmp_path / "labels.csv")
    assert len(labels) == 54
    assert list(labels[0]) == ["text", "name", "label"]
    assert {row["text"] for row in labels} <= {row["text"] for row in rows}


def test_saved_answers_become_a_sheet_whose_formulas_do_not_run(tmp_path):
    saved = [{"name": "Jill", "answer": f"=HYPERLINK({number}) Jill"} for number in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in saved), encoding="utf-8")
    done = evenhand("data label-sheet a.jsonl --out s.csv --sample 9", cwd=tmp_path)
    assert "3 answers; 9 were requested" in done.stderr
    rows = rows_of(tmp_path / "s.csv")
    assert all(row["text"].startswith("'=hyperlink(") for row in rows)
    for row in rows:
        row.update(annotator_1="none", annotator_2="none")
    write_rows(tmp_path / "s.csv", rows)
    done = evenhand("data agreement s.csv --out l.jsonl", cwd=tmp_path)
    assert "kappa: not computed. Both annotators gave every item the same one label" in done.stdout
    texts = {json.loads(line)["text"] for line in (tmp_path / "l.jsonl").read_text(encoding="utf-8").splitlines()}
    assert texts == {f"=hyperlink({number}) [name]" for number in range(3)}


def test_a_sheet_without_labels_has_no_kappa_and_gives_no_file(tmp_path):
    (tmp_path / "s.csv").write_text("email,text,annotator_1,annotator_2\ne1,hi,,\n", encoding="utf-8")
    done = evenhand("data agreement s.csv --json --quiet", cwd=tmp_path)
    assert json.loads(done.stdout)["kappa"]["reason"] == "No item has a label of both annotators."
    refused("data agreement s.csv --out l.csv", told="no label", cwd=tmp_path)
    assert not (tmp_path / "l.csv").exists()


def test_the_key_says_how_well_the_classifier_reads_each_group(run, tmp_path):
    evenhand("data label-sheet", run, "--out", "s.csv", "--sample", 60, cwd=tmp_path)
    rows, key = rows_of(tmp_path / "s.csv"), rows_of(tmp_path / "s-key.csv")
    outcomes = pl.read_parquet(run / "outcomes.parquet").filter(pl.col("status") == "observed")
    assert {row["decision"] for row in key} <= {"accept", "reject", "none"}
    assert sum(row["decision"] == "none" for row in key) <= 300 - outcomes.height
    # People say what was read, but for one e-mail of a Black woman in which they find no decision.
    for row, whose in zip(rows, key, strict=True):
        row.update(annotator_1=whose["decision"], annotator_2=whose["decision"])
    odd = next(n for n, whose in enumerate(key) if (whose["race"], whose["gender"]) == ("black", "female"))
    rows[odd].update(annotator_1="none", annotator_2="none")
    write_rows(tmp_path / "s.csv", rows)
    done = evenhand("data agreement s.csv --key s-key.csv --json", cwd=tmp_path)
    found = json.loads(done.stdout)["classifier"]
    assert (found["alike"]["count"], found["alike"]["n"], found["accuracy"]["estimate"]) == (59, 60, 1)
    # Wilson's limits of 59 of 60.
    assert [round(found["alike"][side], 4) for side in ("low", "high")] == [0.9114, 0.9971]
    by_group = {(each["race"], each["gender"]): each for each in found["groups"]}
    assert len(by_group) == 6
    assert by_group["black", "female"]["alike"]["count"] == 9
    assert {each["alike"]["count"] for group, each in by_group.items() if group != ("black", "female")} == {10}
    text = evenhand("data agreement s.csv --key s-key.csv", cwd=tmp_path).stdout
    assert "Read alike: 59 of 60, 98.3 % (91.1 to 99.7)." in text
    assert "black female" in text
    refused("data agreement s.csv --key s.csv", told="has no column race or gender", cwd=tmp_path)
