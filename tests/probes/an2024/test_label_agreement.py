"""Labels read back: two annotators compared, and what they agree on."""

import csv
import io

import pytest

from evenhand.errors import InputError
from evenhand.probes.an2024.classifier import read_labels
from evenhand.probes.label_sheets import agreement, joined_sheets
from evenhand.results.result import csv_bytes, unguarded


def sheet(path, rows, columns=("email", "text", "annotator_1", "annotator_2")):
    file = io.StringIO(newline="")
    csv.writer(file).writerows([columns, *rows])
    path.write_text(file.getvalue(), encoding="utf-8")
    return path


ROWS = [
    ("e1", "yes", "accept", "Accepted"),
    ("e2", "no", "reject", "none"),
    ("e3", "no!", "0", "REJECT"),
    ("e4", "hm", "", "none"),
]


def test_agreement_of_one_sheet_by_hand(tmp_path):
    # 2 of 3 agree; rows 1 2 0, columns 1 1 1: chance (1 · 1 + 2 · 1) / 9; kappa (2/3 - 1/3) / (2/3) = .5
    joined = joined_sheets([sheet(tmp_path / "s.csv", ROWS)]).sheet
    found = agreement(joined)
    assert found.kappa.agreement == pytest.approx(2 / 3)
    assert found.kappa.estimate == pytest.approx(0.5)
    assert found.table.rows() == [("accept", 1, 0, 0), ("reject", 0, 1, 1), ("none", 0, 0, 0)]
    assert found.disagreements.rows() == [("e2", "reject", "none", None)]
    assert found.labels.rows() == [("yes", "", "accept"), ("no!", "", "reject")]
    assert (found.emails, found.unlabelled, found.resolved) == (4, 1, 0)


@pytest.mark.parametrize(
    "columns", [("annotator_1", "annotator_2"), ("annotator_1", "annotator_1"), ("annotator", "Label")]
)
def test_two_sheets_say_the_same_as_one(tmp_path, columns):
    one = joined_sheets([sheet(tmp_path / "s.csv", ROWS)]).sheet
    paths = [
        sheet(tmp_path / f"{place}.csv", [(row[0], row[1], row[1 + place]) for row in rows], ("email", "text", column))
        for place, rows, column in ((1, ROWS, columns[0]), (2, ROWS[::-1], columns[1]))
    ]
    two = joined_sheets(paths).sheet
    assert two.sort("email").equals(one.select(two.columns))


def test_a_resolved_label_wins_and_is_counted(tmp_path):
    rows = [(*row, {"e2": "accept", "e4": "none"}.get(row[0], "")) for row in ROWS]
    columns = ("email", "text", "annotator_1", "annotator_2", "resolved")
    found = agreement(joined_sheets([sheet(tmp_path / "s.csv", rows, columns)]).sheet)
    assert found.labels["label"].to_list() == ["accept", "accept", "reject", "none"]
    assert (found.resolved, found.kappa.n) == (2, 3)


@pytest.mark.parametrize(
    ("sheets", "words"),
    [
        ([[("e1", "x", "maybe", "")]], "Row 1 of .*annotator_1 is 'maybe'; expected accept, reject or none"),
        ([[("e1", "x", "", ""), ("e1", "x", "", "")]], "Row 2 of .* repeats the e-mail 'e1'"),
        ([[("", "x", "accept", "")]], "Row 1 of .* has no email"),
        ([[("e1", "", "accept", "")]], "Row 1 of .* has no text"),
        ([ROWS, ROWS], "has labels under annotator_1 and annotator_2"),
        ([[("e1", "x", "accept", "")], [("e1", "y", "", "accept")]], "E-mail 'e1': the text differs"),
    ],
    ids=str,
)
def test_sheets_that_are_not_understood(tmp_path, sheets, words):
    paths = [sheet(tmp_path / f"{place}.csv", rows) for place, rows in enumerate(sheets)]
    with pytest.raises(InputError, match=words):
        joined_sheets(paths)


def test_labels_can_be_trained_on(tmp_path):
    rows = [(f"e{number}", f"'=letter {number}", *[("accept", "reject")[number % 2]] * 2) for number in range(10)]
    found = agreement(joined_sheets([sheet(tmp_path / "s.csv", rows)]).sheet).labels
    assert found["text"][0] == "=letter 0"
    (tmp_path / "labels.csv").write_bytes(csv_bytes(found, mark=True))
    read = read_labels(tmp_path / "labels.csv")
    assert read["decision"].to_list() == ["accept", "reject"] * 5
    assert [unguarded(text) for text in read["text"]] == found["text"].to_list()
