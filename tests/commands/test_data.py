"""Names chosen from a table, e-mails drawn for labelling, labels read back."""

import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import InputError
from evenhand.intake.text_tables import guarded, read_text_table, unguarded, written_csv
from evenhand.probes.an2024.features import redacted
from evenhand.probes.an2024.label_agreement import agreement, joined_sheets
from evenhand.probes.an2024.label_sheet import label_sheet
from evenhand.probes.an2024.name_columns import name_columns
from evenhand.probes.an2024.name_selection import selected_names
from evenhand.probes.an2024.train import read_labels

COLUMNS = ("name", "count", "white", "black", "female", "male")


def table(*rows):
    return pl.DataFrame([dict(zip(COLUMNS, row, strict=True)) for row in rows], infer_schema_length=None)


def chosen(frame, **options):
    return selected_names(frame, name_columns(frame.columns), **options)


def names_of(selection):
    return selection.names["name"].to_list()


# The rule of appendix A.1, at its limits


@pytest.mark.parametrize(
    ("row", "taken"),
    [
        (("Ann", 1001, 0.9, 0.1, 0.9, 0.1), True),
        (("Ann", 1000, 0.9, 0.1, 0.9, 0.1), False),
        (("Ann", 5000, 0.51, 0.49, 0.9, 0.1), True),
        (("Ann", 5000, 0.5, 0.5, 0.9, 0.1), False),
        (("Ann", 5000, 0.9, 0.1, 0.51, 0.49), True),
        (("Ann", 5000, 0.9, 0.1, 0.5, 0.5), False),
        (("Ann", 5000, 0.9, 0.1, None, None), False),
    ],
)
def test_more_than_1000_and_more_than_half(row, taken):
    assert set(names_of(chosen(table(row, ("Zoe", 2000, 0.9, 0.1, 1.0, 0.0))))) == (
        {"Ann", "Zoe"} if taken else {"Zoe"}
    )


def test_the_most_certain_names_of_each_group_are_taken():
    rows = [
        ("Abby", 2000, 0.90, 0.10, 1.0, 0.0),
        ("Jill", 9000, 0.80, 0.20, 1.0, 0.0),
        ("Molly", 2000, 0.95, 0.05, 0.6, 0.4),
        ("Brett", 2000, 0.70, 0.30, 0.1, 0.9),
        ("Tyrone", 2000, 0.20, 0.80, 0.0, 1.0),
    ]
    found = chosen(table(*rows), top=2)
    assert found.names.rows() == [
        ("Molly", "white", "female", 2000, 0.95, 0.6),
        ("Abby", "white", "female", 2000, 0.90, 1.0),
        ("Brett", "white", "male", 2000, 0.70, 0.9),
        ("Tyrone", "black", "male", 2000, 0.80, 1.0),
    ]
    assert found.groups.rows() == [
        ("white", "female", 3, 2), ("white", "male", 1, 1), ("black", "female", 0, 0), ("black", "male", 1, 1),
    ]  # fmt: skip


def test_ties_go_to_the_more_frequent_name_then_to_the_alphabet():
    rows = [(name, count, 0.9, 0.1, 1.0, 0.0) for name, count in (("Zoe", 2000), ("Ébony", 2000), ("Eve", 3000))]
    assert names_of(chosen(table(*rows))) == ["Eve", "Ébony", "Zoe"]
    assert names_of(chosen(table(*reversed(rows)), top=2)) == ["Eve", "Ébony"]


people = st.lists(st.tuples(st.integers(0, 3000), *[st.integers(0, 50)] * 4), min_size=1, max_size=30)


@given(rows=people, seed=st.integers(0, 9))
def test_counts_shares_and_percents_choose_the_same_in_any_order(rows, seed):
    counts = [
        (f"N{number:02d}", count, *rest) for number, (count, *rest) in enumerate(rows) if sum(rest[:2]) * sum(rest[2:])
    ]
    if not counts:
        return

    def scaled(whole):
        return table(*(
            (name, count, *(whole * x / (w + b) for x in (w, b)), *(whole * x / (f + m) for x in (f, m)))
            for name, count, w, b, f, m in counts
        ))  # fmt: skip

    expected = set(names_of(chosen(table(*counts), races_as="counts", genders_as="counts")))
    for kind, whole in (("shares", 1.0), ("percents", 100.0)):
        frame = scaled(whole).sample(fraction=1, shuffle=True, seed=seed)
        assert set(names_of(chosen(frame, races_as=kind, genders_as=kind))) == expected


@pytest.mark.parametrize(
    ("rows", "races_as", "genders_as"),
    [
        ([("A", 2000, 0.9, 0.1, 0.7, 0.3)], "shares", "shares"),
        ([("A", 2000, 90, 10, 70.5, 29.5)], "percents", "percents"),
        ([("A", 2000, 1900, 100, 60, 40)], "counts", "percents"),
        ([("A", 2000, 1, 0, 0, 1), ("B", 1, 1, 0, 7, 2)], "shares", "counts"),
    ],
)
def test_what_the_numbers_are_is_found_out(rows, races_as, genders_as):
    found = chosen(table(*rows))
    assert (found.races_as, found.genders_as) == (races_as, genders_as)


def test_one_gender_column_stands_for_both():
    frame = pl.DataFrame(
        {"name": ["Ann", "Bob"], "n": [2000, 2000], "whi": [1, 1], "bla": [0, 0], "pct_female": [99, 3]}
    )
    assert chosen(frame).names.select("name", "gender", "gender_share").rows() == [
        ("Ann", "female", 0.99), ("Bob", "male", 0.97),
    ]  # fmt: skip


def test_race_counts_are_their_own_count():
    frame = pl.DataFrame(
        {"first_name": ["ANN", "eve"], "white": [900, 700], "black": [101, 300], "female": [9, 9], "male": [0, 0]}
    )
    assert chosen(frame).names.rows() == [("Ann", "white", "female", 1001, 900 / 1001, 1.0)]


ANN = ("Ann", 2000, 0.9, 0.1, 1.0, 0.0)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (("ANN", 2000, 0.9, 0.1, 1.0, 0.0), "Rows 1 and 2 are the same name"),
        ((" Ánn ", 2000, 0.9, 0.1, 1.0, 0.0), "Rows 1 and 2 are the same name"),
        (("", 2000, 0.9, 0.1, 1.0, 0.0), "Row 2: the name is blank"),
        ((None, 2000, 0.9, 0.1, 1.0, 0.0), "Row 2: the name is blank"),
        (("Bea", None, 0.9, 0.1, 1.0, 0.0), "Row 2: count is blank"),
        (("Bea", 2000.5, 0.9, 0.1, 1.0, 0.0), "Row 2: count is 2000.5"),
        (("Bea", -3, 0.9, 0.1, 1.0, 0.0), "Row 2: count is -3"),
        (("Bea", 2000, 1.1, -0.1, 1.0, 0.0), "Row 2: black is -0.1"),
        (("Bea", 2000, 0.9, None, 1.0, 0.0), "Row 2: black is blank"),
        (("Bea", 2000, 0.9, 0.3, 1.0, 0.0), r"Row 2: white \+ black is 1.2; the races are read as shares"),
        (("Bea", 2000, 0.5, 0.1, 1.0, 0.0), r"Row 2: white \+ black is 0.6"),
        (("Bea", 2000, 0.9, 0.1, float("nan"), 0.0), "Row 2: female is nan"),
        (("Bea", 2000, 0.9, 0.1, float("inf"), 0.0), "Row 2: female is inf"),
    ],
    ids=str,
)
def test_a_wrong_row_is_named(second, words):
    with pytest.raises(InputError, match=words):
        chosen(table(ANN, second))


@pytest.mark.parametrize("text", ["1,234", "12 %", "many", "1e999"])
def test_a_cell_that_is_no_number_is_named(text):
    with pytest.raises(InputError, match="Row 1: white is"):
        chosen(table(("Ann", "2000", text, "0", "1", "0")))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"top": 0}, "--top"),
        ({"min_count": -1}, "--min-count"),
        ({"min_share": 0.49}, "--min-share"),
        ({"min_share": 1}, "--min-share"),
    ],
    ids=str,
)
def test_limits_out_of_range_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        chosen(table(ANN), **options)


@pytest.mark.parametrize(
    ("columns", "options", "words"),
    [
        (["count", "white", "black", "female"], {}, "No column of names"),
        (["name", "white", "female"], {}, "1 columns of races"),
        (["name", "white", "black"], {}, "No column of a gender"),
        (["name", "white", "pctwhite", "black", "female"], {}, "are both for white"),
        (["name", "white", "black", "female"], {"count": "cuont"}, "--count-column 'cuont' is no column"),
        (["name", "white", "black", "female"], {"races": {"white": "white", "black": "white"}}, "used twice"),
    ],
    ids=str,
)
def test_columns_that_are_not_told_apart(columns, options, words):
    with pytest.raises(InputError, match=words):
        name_columns(columns, **options)


def test_columns_of_known_sources_are_recognised():
    found = name_columns(
        ["firstname", "obs", "pcthispanic", "pctwhite", "pctblack", "pctapi", "pctaian", "pct2prace", "F", "M"]
    )
    assert (found.name, found.count) == ("firstname", "obs")
    assert found.races == {
        "white": "pctwhite", "black": "pctblack", "hispanic": "pcthispanic", "asian": "pctapi", "native": "pctaian",
        "multiracial": "pct2prace",
    }  # fmt: skip
    assert found.genders == {"female": "F", "male": "M"}


# Cells that a spreadsheet must not run, and files that one has saved


@given(text=st.text())
def test_guarded_text_comes_back_and_never_starts_a_formula(text):
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-- \nhi", "@SUM(A1)", "'tis", "'=1", 'a;b,"c"\nd', "  =1"])
@pytest.mark.parametrize(("encoding", "delimiter"), [("utf-8-sig", ","), ("cp1252", ";"), ("utf-16", "\t")])
def test_text_survives_a_spreadsheet(tmp_path, text, encoding, delimiter):
    written = written_csv(pl.DataFrame({"email": ["e1"], "text": [f"{text}é"]})).decode("utf-8-sig")
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter).writerows([*csv.reader(io.StringIO(written, newline="")), ["", ""]])
    (tmp_path / "saved.csv").write_bytes(file.getvalue().encode(encoding))
    assert unguarded(read_text_table(tmp_path / "saved.csv").frame["text"][0]) == f"{text}é"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no rows"),
        (b"a,b\n", "has no rows"),
        (b"a,b\n1\n", "Row 1 of .* has 1 fields, the header 2"),
        (b"a,b\n1,2,3\n", "Row 1 of .* has 3 fields"),
        (b"a,a\n1,2\n", "the column 'a' twice"),
        (b"a,\n1,2\n", "Column 2 of .* has values but no header"),
        (b'a,b\n"1,2\n', "can't be read as CSV"),
        (b"PK\x03\x04rest", "workbook"),
        (b"a\x00b", "NUL"),
        (b"a\n\x81\n", "neither UTF-8"),
    ],
    ids=str,
)
def test_files_that_are_no_table(tmp_path, content, words):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_text_table(tmp_path / "t.csv")


def test_blank_rows_and_columns_and_the_sep_line_are_left_out(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"sep=;\r\na;b;\r\n1;;\r\n;;\r\n")
    assert read_text_table(tmp_path / "t.csv").frame.to_dicts() == [{"a": "1", "b": None}]


# Sheets


def answers(*rows):
    return pl.DataFrame(
        [{"answer": str(number), "name": name, "text": text} for number, (name, text) in enumerate(rows, start=1)]
    )


LETTERS = answers(
    *((name, f"Dear {name},\nletter {number}.") for number in range(10) for name in ("Jill", "Scott", "Juan"))
)


def test_groups_are_drawn_evenly_and_not_shown():
    drawn = label_sheet(LETTERS, sample=9)
    assert drawn.groups == {"hispanic male": 3, "white female": 3, "white male": 3}
    assert drawn.sheet.columns == ["email", "text", "annotator_1", "annotator_2", "resolved"]
    shown = " ".join(drawn.sheet["text"]).lower()
    assert not any(word in shown for word in ("jill", "scott", "juan"))
    assert shown.count("[name]") == 9


def test_a_small_group_gives_what_it_has_and_others_the_rest():
    drawn = label_sheet(pl.concat([LETTERS, answers(("Latoya", "Dear Latoya, yes."))]), sample=10)
    assert drawn.groups == {"black female": 1, "hispanic male": 3, "white female": 3, "white male": 3}


def test_the_key_says_whose_an_email_is():
    drawn = label_sheet(LETTERS, sample=6)
    texts = dict(LETTERS.select("answer", "text").iter_rows())
    for (email, text, *_), (same, answer, name, *_) in zip(drawn.sheet.iter_rows(), drawn.key.iter_rows(), strict=True):
        assert email == same
        assert text == texts[answer].lower().replace(name.lower(), "[name]")


def test_the_seed_decides_and_nothing_else():
    one, same, other = (label_sheet(LETTERS, sample=9, seed=seed).sheet["text"].to_list() for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_what_reads_the_same_without_names_is_shown_once():
    drawn = label_sheet(answers(("Jill", "Dear Jill, no."), ("Juan", "Dear Juan, no."), ("Juan", None)), sample=5)
    assert drawn.sheet["text"].to_list() == ["dear [name], no."]
    assert drawn.passed_over == {
        "have no text": 1,
        "read the same as one on the sheet": 1,
        "are too long for a cell": 0,
    }


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("Jose", "Dear JOSÉ,", "dear [name],"),
        ("José", "Dear Jose's,", "dear [name]'s,"),
        ("Abigail Li", "Dear Abigail, Ms. Li,", "dear [name], ms. [name],"),
        ("Jo", "Joanna and John", "joanna and john"),
    ],
)
def test_names_are_redacted_however_they_are_written(name, text, shown):
    assert label_sheet(answers((name, text)), sample=1).sheet["text"][0] == shown


def test_groups_in_the_answers_win_and_unknown_names_are_a_group_of_their_own():
    frame = answers(("Jill", "a"), ("Qwx", "b")).with_columns(pl.Series("race", ["black", None]))
    assert label_sheet(frame, sample=2).groups == {"black female": 1, "unknown unknown": 1}


@pytest.mark.parametrize(
    ("frame", "sample", "words"),
    [
        (LETTERS, 0, "--sample is 0"),
        (answers(("Jill", " ")), 1, "No answer has a text"),
        (answers((" ", "x"), ("Jill", "y")), 1, "Row 1 has no name"),
        (answers(("Jill", "y"), (None, "x")), 1, "Row 2 has no name"),
    ],
)
def test_answers_that_give_no_sheet(frame, sample, words):
    with pytest.raises(InputError, match=words):
        label_sheet(frame, sample=sample)


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
    joined, _ = joined_sheets([sheet(tmp_path / "s.csv", ROWS)])
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
    one, _ = joined_sheets([sheet(tmp_path / "s.csv", ROWS)])
    paths = [
        sheet(tmp_path / f"{place}.csv", [(row[0], row[1], row[1 + place]) for row in rows], ("email", "text", column))
        for place, rows, column in ((1, ROWS, columns[0]), (2, ROWS[::-1], columns[1]))
    ]
    two, _ = joined_sheets(paths)
    assert two.sort("email").equals(one.select(two.columns))


def test_a_resolved_label_wins_and_is_counted(tmp_path):
    rows = [(*row, {"e2": "accept", "e4": "none"}.get(row[0], "")) for row in ROWS]
    columns = ("email", "text", "annotator_1", "annotator_2", "resolved")
    found = agreement(joined_sheets([sheet(tmp_path / "s.csv", rows, columns)])[0])
    assert found.labels["label"].to_list() == ["accept", "accept", "reject", "none"]
    assert (found.resolved, found.kappa.n) == (2, 3)


@pytest.mark.parametrize(
    ("sheets", "words"),
    [
        ([[("e1", "x", "maybe", "")]], "Row 1 of .*annotator_1 is 'maybe'; expected accept, reject, none"),
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
    found = agreement(joined_sheets([sheet(tmp_path / "s.csv", rows)])[0]).labels
    assert found["text"][0] == "=letter 0"
    (tmp_path / "labels.csv").write_bytes(written_csv(found))
    read = read_labels(tmp_path / "labels.csv")
    assert read["decision"].to_list() == ["accept", "reject"] * 5
    assert [unguarded(text) for text in read["text"]] == found["text"].to_list()


def test_a_redacted_email_is_not_changed_by_the_classifier_s_own_redaction():
    text = label_sheet(
        answers(("Jill", "Dear Jill,\n\nYou\u2019re in!\n\nOn Monday, 3 May 2024 Jill wrote:\n> hi")), sample=1
    ).sheet["text"]
    assert redacted(text, pl.Series([""])).to_list() == text.to_list() == ["dear [name],\n\nyou're in!\n"]
