"""People from folders, documents and JSONL: what is read, and what is refused in one line."""

import json

import docx
import pytest

from evenhand.errors import InputError
from evenhand.masking.people import Person, read_people

RESUME = {
    "$schema": "https://jsonresume.org/schema",
    "basics": {
        "name": "Ngozi Okafor",
        "label": "Auditor",
        "image": "me.png",
        "email": "n.okafor@example.org",
        "location": {"city": "Leeds", "countryCode": "GB"},
        "profiles": [{"network": "LinkedIn", "username": "nokafor", "url": "https://linkedin.com/in/nokafor"}],
        "summary": "Audits.",
    },
    "work": [
        {
            "name": "Acme",
            "position": "Auditor",
            "startDate": "2019-01",
            "summary": "Led audits.",
            "highlights": ["Cut costs", "Trained two"],
        }
    ],
    "education": [{"institution": "Leeds", "studyType": "BA", "area": "History", "endDate": "2012", "courses": []}],
    "skills": [{"name": "Audit", "keywords": ["SOX", "IFRS"]}],
    "references": [],
    "meta": {"version": "1"},
}
AS_TEXT = """Ngozi Okafor
Auditor
n.okafor@example.org | Leeds, GB
LinkedIn: https://linkedin.com/in/nokafor

Audits.

WORK
Auditor, Acme (since 2019-01)
Led audits.
- Cut costs
- Trained two

EDUCATION
BA, History, Leeds (2012)

SKILLS
Audit
SOX, IFRS
"""


def rows(folder, *lines):
    path = folder / "people.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def test_rows_of_jsonl_become_people(tmp_path):
    path = rows(
        tmp_path,
        {"id": "a", "text": "Jane Doe\nNurse", "known_names": ["Jane Doe"], "gender": "female", "race": None},
        {"id": 7, "resume": RESUME, "disabled": True},
    )
    assert read_people(path) == (
        Person(id="a", text="Jane Doe\nNurse", known_names=("Jane Doe",), protected={"gender": "female"}),
        Person(id="7", text=AS_TEXT, known_names=("Ngozi Okafor",), protected={"disabled": "True"}),
    )


def test_documents_of_a_folder_become_people_called_by_their_paths(tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "a.txt").write_bytes(b"Jane Doe\r\nNurse\r\n")
    (tmp_path / "more" / "b.md").write_text("# Jane Doe\n\n*Nurse*\n", "utf-8")
    (tmp_path / "c.json").write_text(json.dumps(RESUME), "utf-8")
    (tmp_path / "photo.png").write_bytes(b"")
    (tmp_path / ".hidden.txt").write_text("no", "utf-8")
    word = docx.Document()
    word.add_paragraph("Jane Doe")
    word.core_properties.author = "Jane Doe"
    word.save(tmp_path / "d.docx")
    found = read_people(tmp_path)
    assert [(person.id, person.text) for person in found] == [
        ("a.txt", "Jane Doe\nNurse\n"),
        ("c.json", AS_TEXT),
        ("d.docx", "Jane Doe"),
        ("more/b.md", "# Jane Doe\n\n*Nurse*\n"),
    ]
    assert "Jane Doe" in found[2].metadata
    assert [person.file_name for person in found] == ["a.txt", "c.json", "d.docx", "b.md"]
    assert read_people(tmp_path / "a.txt")[0].text == "Jane Doe\nNurse\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"text": "Jane Doe"}, "has no id"),
        ({"id": " ", "text": "Jane Doe"}, "has no id"),
        ({"id": "b"}, "has no text"),
        ({"id": "b", "text": " \n"}, "has no text"),
        ({"id": "b", "text": ["Jane"]}, "has no text"),
        ({"id": "b", "text": "Jane", "resume": {}}, "has both text and resume"),
        ({"id": "b", "resume": {"name": "Jane"}}, 'resume is not a JSON Resume: it has no object "basics"'),
        ({"id": "b", "resume": {"basics": {}}}, "resume holds no text"),
        ({"basics": {"name": "Jane Doe"}, "id": "b"}, "is a JSON Resume itself"),
        ({"id": "a", "text": "Jane"}, "the id 'a' already exists"),
        ({"id": "b", "text": "Jane", "known_names": "Jane Doe"}, "known_names is not a list"),
        ({"id": "b", "text": "Jane", "known_names": ["."]}, "known_names holds something that is not a name"),
        ({"id": "b", "text": "Jane", "gender": ["female"]}, "'gender' is not text"),
        ("[1]", "is a JSON list"),
        ('{"id": "b"', "is not valid JSON"),
    ],
)
def test_what_is_no_person_is_told_in_one_line(tmp_path, line, told):
    path = rows(tmp_path, {"id": "a", "text": "Jane Doe"}, line)
    with pytest.raises(InputError, match=f"Line 2 of .*{told}") as error:
        read_people(path)
    assert "\n" not in str(error.value)
    assert "Doe" not in str(error.value).replace("known_names", "").replace('["Jane Doe"]', "")


def test_a_row_may_hold_so_many_letters_as_its_limit_allows(tmp_path):
    path = rows(tmp_path, {"id": "a", "text": "x" * 8193})
    assert len(read_people(path, unpack_limit=2)) == 1
    with pytest.raises(InputError, match=r"Line 1 of .* holds more than 8,192 letters; .* raise --unpack-limit"):
        read_people(path, unpack_limit=1)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere", "No file .*; expected a folder of résumés, or JSONL"),
        ("nowhere.jsonl", "No file .*; expected {"),
        ("photo.png", "is not a résumé; expected .txt"),
        ("empty", "holds no résumé; expected .txt"),
    ],
)
def test_where_there_are_no_people_that_is_told(tmp_path, name, told):
    (tmp_path / "photo.png").write_bytes(b"x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=told):
        read_people(tmp_path / name)
