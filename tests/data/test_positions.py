"""Positions from JSONL and CSV: what is read, and what is refused in one line."""

import pytest

from evenhand.data.inputs import Position, read_positions
from evenhand.errors import InputError


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_of_jsonl_become_positions(tmp_path):
    rows = (
        '{"id": "w1", "title": " Welder ", "skills": ["MIG", " TIG "], "location": "Ohio", "zone": 2}\n'
        '\n{"title": "Nurse", "text": null}\n'
    )
    assert read_positions(written(tmp_path, "positions.jsonl", rows)) == (
        Position(id="w1", title="Welder", skills=("MIG", "TIG"), location="Ohio", columns={"zone": "2"}),
        Position(id="2", title="Nurse"),
    )


def test_a_table_has_the_same_columns_with_skills_parted_by_semicolons(tmp_path):
    table = 'id,title,text,skills,location,zone\nw1,Welder,"Weld, cut.",MIG; TIG,Ohio,2\n,Nurse,,,,\n'
    assert read_positions(written(tmp_path, "positions.csv", table)) == (
        Position(
            id="w1", title="Welder", text="Weld, cut.", skills=("MIG", "TIG"), location="Ohio", columns={"zone": "2"}
        ),
        Position(id="2", title="Nurse"),
    )


def test_what_its_recruiter_asks_for_is_read_from_both(tmp_path):
    asked = Position(id="1", title="Welder", skills=("MIG", "TIG"), must=("MIG",), nice=("TIG",), years=(2, 5))
    row = '{"title": "Welder", "skills": ["MIG", "TIG"], "must": ["MIG"], "nice": ["TIG"], "years": [2, 5]}'
    table = "title,skills,must,nice,years\nWelder,MIG;TIG,MIG,TIG,2-5\n"
    assert read_positions(written(tmp_path, "positions.jsonl", row)) == (asked,)
    assert read_positions(written(tmp_path, "positions.csv", table)) == (asked,)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("p.jsonl", '{"id": "1", "text": "Weld."}', "Line 1 of .* has no title"),
        ("p.jsonl", '{"title": "A"}\n{"title": "  "}', "Line 2 of .* has no title"),
        ("p.jsonl", '{"id": "x", "title": "A"}\n{"id": "x", "title": "B"}', "Line 2 .* id 'x' already exists"),
        ("p.jsonl", '{"title": "A", "skills": "MIG"}', "Line 1 .* skills is 'MIG'; expected a list"),
        ("p.jsonl", '{"title": "A", "must": "MIG"}', "Line 1 .* must is 'MIG'; expected a list"),
        ("p.jsonl", '{"title": "A", "years": [5, 2]}', "Line 1 .* years is .* the fewest and the most years"),
        ("p.jsonl", '{"title": ["A"]}', "Line 1 .* 'title' is .* expected text"),
        ("p.jsonl", '["A"]', "Line 1 of .* is a JSON list; expected {"),
        ("p.jsonl", '{"title": ', "Line 1 of .* is not valid JSON"),
        ("p.jsonl", "\n \n", "has no rows; expected {"),
        ("p.csv", "id,text\n1,Weld\n", "No column 'title' in .*positions without titles. Columns: id, text"),
        ("p.csv", "id,title\n1,\n", "Row 1 of .* has no title"),
        ("p.docx", "", "ending .docx; expected positions as .jsonl or .csv"),
    ],
)
def test_what_is_no_position_is_told_in_one_line(tmp_path, name, text, told):
    with pytest.raises(InputError, match=told) as error:
        read_positions(written(tmp_path, name, text))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv"])
def test_a_file_that_is_not_there_is_told(tmp_path, name):
    with pytest.raises(InputError, match="No file"):
        read_positions(tmp_path / name)
