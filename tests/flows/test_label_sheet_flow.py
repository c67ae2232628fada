"""Sheets of every probe: what annotators see, what can be a label, and how the reader is held against the labels."""

import csv
import json

import polars as pl
import pytest

from evenhand.probes.label_sheets import DECISION, DOCUMENTS, FIRST, SCORE, fingerprints, joined_sheets
from flows._cli import evenhand, refused

NAMES = ("Ann Li", "Bo Li", "Jose Wong")
EMILY = {"name": "Emily Weiss", "gender": "female", "race": "white"}
WOMEN = [{"name": name, "gender": "female", "race": "asian"} for name in NAMES]
DOCUMENT = "Dear Committee, Emily is warm and attended every seminar of the past year."
#: Of each probe, what prompts are about, and the answers.
ANSWERED = {
    "hiring-bloomberg": (
        {"role": "chef", "race": "asian", "candidates": WOMEN},
        ("Bo Li, Ann Li, Jose Wong", "I would hire José.", "1. Ann Li\n2. Bo Li\n3. Jose Wong"),
    ),
    "resume-score": (
        {**EMILY, "resume": "r1", "position": "clerk", "wording": "number"},
        ("Emily deserves 72.", "81", "A fine résumé."),
    ),
    "hiring-an": (
        {**EMILY, "role": "nurse", "qualification": "high", "template": 0},
        ("<think>Refuse her?</think>Emily, you have been selected.", "We regret to inform you.", "More next week."),
    ),
    "business-vocabulary": ({**EMILY, "template": 0}, (DOCUMENT, "What is her field?")),
}
ROWS = {probe: [{**prompt, "answer": answer} for answer in answers] for probe, (prompt, answers) in ANSWERED.items()}
#: What people would say of each answer, in their words, and the label that is in the key.
LABELS = {
    "hiring-bloomberg": [("b", "Candidate B"), ("Candidate C", "Candidate C"), ("A", "Candidate A")],
    "resume-score": [("72.0", "72"), ("81", "81"), ("none", "none")],
    "hiring-an": [("yes", "accept"), ("Rejected", "reject"), ("none", "none")],
    "business-vocabulary": [("Document", "document"), ("none", "none")],
}


def rows_of(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("probe", ROWS)
def test_a_sheet_of_saved_answers_measures_the_reader(probe, tmp_path):
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, ROWS[probe])) + "\n", "utf-8")
    done = evenhand("data label-sheet a.jsonl --probe", probe, "--out", "s.csv", cwd=tmp_path)
    sheet, key = rows_of(tmp_path / "s.csv"), {row["email"]: row for row in rows_of(tmp_path / "s-key.csv")}
    assert not any(name.split()[0].lower() in row["text"].lower() for row in sheet for name in (*NAMES, "Emily Weiss"))
    assert not any("refuse her" in row["text"] for row in sheet)
    for row in sheet:
        said, label = LABELS[probe][int(key[row["email"]]["answer"]) - 1]
        # The readers are tested elsewhere: the label of an answer that this one leaves unread is people's.
        assert key[row["email"]]["decision"] in {label, "none"}
        row["annotator_1"] = row["annotator_2"] = said
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, sheet[0])
        writer.writeheader()
        writer.writerows(sheet)
    done = evenhand("data agreement filled.csv --key s-key.csv --json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (found["agreement"], found["emails"]) == (1.0, len(sheet))
    same = sum(key[row["email"]]["decision"] == dict(LABELS[probe]).get(row["annotator_1"]) for row in sheet)
    assert found["classifier"]["alike"]["count"] == same >= 2
    assert (found["kappa"] is None) == (probe in {"hiring-bloomberg", "resume-score"})


@pytest.mark.parametrize(
    ("vocabulary", "cell", "label"),
    [
        (DECISION, "Yes", "accept"),
        (DOCUMENTS, "no", "none"),
        (DOCUMENTS, "72", None),
        (FIRST, "candidate h", "Candidate H"),
        (FIRST, "Ann Li", None),
        (SCORE, "72.50", "72.5"),
        (SCORE, "nan", None),
        (SCORE, "unclear", "none"),
    ],
)
def test_labels_are_understood_as_the_sheet_says(vocabulary, cell, label):
    assert vocabulary.understood(cell) == label


def test_a_sheet_whose_labels_are_of_another_kind_is_refused(tmp_path):
    (tmp_path / "s.csv").write_text("email,text,allowed,annotator_1,annotator_2\ne1,x,a colour,red,red\n", "utf-8")
    with pytest.raises(Exception, match=r"'allowed' of .* has 'a colour'; expected one of 'accept, reject or none'"):
        joined_sheets([tmp_path / "s.csv"])


@pytest.mark.parametrize(
    ("rows", "given", "words"),
    [
        ("hiring-bloomberg", (), "give --probe hiring-bloomberg"),
        ("resume-score", (), "give --probe resume-score"),
        ("resume-score", ("--probe", "nobody"), "nobody"),
    ],
)
def test_answers_that_are_no_emails_need_their_probe(rows, given, words, tmp_path):
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, ROWS[rows])) + "\n", "utf-8")
    refused("data label-sheet a.jsonl --out s.csv", *given, told=words, cwd=tmp_path)


def test_a_key_tells_bare_numbers_apart():
    assert fingerprints(pl.Series(["72", "81", "72."])).n_unique() == 2


def test_labels_of_one_annotator_alone_are_said_to_measure_nothing(tmp_path):
    rows = "email,text,annotator_1,annotator_2\ne1,You are selected.,accept,\ne2,Maybe.,,\n"
    (tmp_path / "s.csv").write_text(rows, "utf-8")
    done = evenhand("data agreement s.csv", cwd=tmp_path)
    assert "Only annotator_1 has labels: agreement and the accuracy" in done.stderr
    assert "counted for no agreement: 2 of 2 answers." in done.stderr
