"""Numbers as people write them: what a column and its file say of commas, points and spaces."""

import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.tables import open_table
from evenhand.errors import InputError


def counted(tmp_path, text, name="t.csv", **asked):
    (tmp_path / name).write_text(text, "utf-8")
    with open_table(tmp_path / name) as table:
        return count_applicants(table, ApplicantQuery(protected=("g",), **asked))


@pytest.mark.parametrize(
    ("text", "people", "note"),
    [
        ('g,n,h\na,"1,204",312\nb,402,61\n', 1606, "commas between thousands"),
        ("g,n,h\na,1\u202f204,312\nb,402,61\n", 1606, "spaces or apostrophes between thousands"),
        ("g,n,h\na,1'204,312\nb,402,61\n", 1606, "spaces or apostrophes between thousands"),
        ("g;n;h\na;1.204;312\nb;402;61\n", 1606, "points between thousands"),
        ("g;n;h\na;1.000;312\nb;402;61\n", 1402, "points between thousands"),
        ("g;n;h\na;1.204,00;312\nb;402,0;61\n", 1606, "points between thousands and a decimal comma"),
        ("g\tn\th\tq\na\t1.204\t312\t25,9\nb\t402\t61\t15,2\n", 1606, "points between thousands"),
        ("g,n,h\na,1.204.000,312\nb,1.204,61\n", 1205204, "points between thousands"),
        ("g,n,h\na,120.0,31\nb,402,61\n", 522, None),
        ("g,n,h\na,1.000,1.000\nb,4.000,2.000\n", 5, None),
    ],
)
def test_counts_are_read_as_their_columns_and_file_write_them(tmp_path, text, people, note):
    found = counted(tmp_path, text, applicants="n", selected_count="h")
    assert found.accounting.rows_used == people
    assert [line for line in found.accounting.notes if "were read with" in line and "columns" not in line] == (
        [] if note is None else [f"Numbers of 'n' were read with {note}."]
    )


@pytest.mark.parametrize(
    ("separator", "cells", "median", "note"),
    [
        (";", ["4,79", "1,5", "3"], 3.0, "a decimal comma"),
        (";", ["1,204", "0,5", "3,25"], 1.204, "a decimal comma"),
        (";", ["1.204,5", "902,25", "3"], 902.25, "points between thousands and a decimal comma"),
        (";", ["1.204", "1.5", "1.3"], 1.3, None),
        (",", ["1.204", "2.301", "3.001"], 2.301, None),
        (",", ['"1,204.5"', '"1,300"', "7"], 1204.5, "commas between thousands"),
        (";", ["1 204", "902", "3"], 902.0, "spaces or apostrophes between thousands"),
    ],
)
def test_scores_are_read_as_their_column_and_file_write_them(tmp_path, separator, cells, median, note):
    text = "\n".join(["g;s", *(f"a;{cell}" for cell in cells), *(f"b;{cell}" for cell in cells)])
    found = counted(tmp_path, text.replace(";", separator) + "\n", score="s", median=True)
    assert found.accounting.scores.median == median
    said = [line for line in found.accounting.notes if line.startswith("Numbers of")]
    comma = "; a cut-off has a decimal point, such as 2.5" if "decimal" in str(note) else ""
    assert said == ([] if note is None else [f"Numbers of 's' were read with {note}{comma}."])


@pytest.mark.parametrize(
    ("text", "asked", "words"),
    [
        ("g,n,h\na,1.204,31\nb,402,61\n", {"applicants": "n", "selected_count": "h"}, "row 1 .* '1.204'.*: 1204"),
        ("g;n;h\na;1.000;3.000\nb;4.000;2.000\n", {"applicants": "n", "selected_count": "h"}, "'1.000'.*: 1000"),
        ('g,n,h\na,"1,204",31\nb,1.204.302,61\n', {"applicants": "n", "selected_count": "h"}, "separators differ"),
        ("g;s\na;1,5\nb;1.5\n", {"score": "s", "median": True}, "'1,5' in row 1 and '1.5' in row 2"),
        ("g;s\na;1,5\nb;1.500\n", {"score": "s", "median": True}, "'1.500' in row 2 and '1,5' in row 1"),
        ('g,s\na,"1,204"\nb,7\n', {"score": "s", "median": True}, "--score s: row 1 .* may be 1,204 or a fraction"),
        ("g;s\na;1,5\nb;high\n", {"score": "s", "median": True}, "holds 'high' in row 2; expected numbers"),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused_by_row_and_value(tmp_path, text, asked, words):
    with pytest.raises(InputError, match=words):
        counted(tmp_path, text, **asked)
