"""Names that users bring, with the groups they signal."""

import pytest

from evenhand.data.inputs import name_source, read_group_names
from evenhand.data.lexicons.names import GroupName
from evenhand.errors import InputError


def written(folder, text):
    path = folder / "names.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_names_of_groups_are_read(tmp_path):
    assert read_group_names(written(tmp_path, "group,name\nA, Jane  Doe \nB,Li Wei\n")) == (
        GroupName(name="Jane Doe", signals={"group": "A"}),
        GroupName(name="Li Wei", signals={"group": "B"}),
    )


def test_names_of_a_gender_and_a_race_with_their_frequency_are_read(tmp_path):
    assert read_group_names(written(tmp_path, "name,race,gender,count\nJane Doe,white,female,120\n")) == (
        GroupName(name="Jane Doe", signals={"gender": "female", "race": "white"}, frequency=120.0),
    )


def test_given_names_alone_and_the_tables_of_the_package_are_names_too(tmp_path, monkeypatch):
    given = read_group_names(written(tmp_path, "gender,name\nfemale,Una\nmale,Ivo\n"))
    assert [name.name for name in given] == ["Una", "Ivo"]
    monkeypatch.chdir(tmp_path)
    table = read_group_names(name_source("an2024"))
    assert len(table) == 300
    assert {tuple(name.signals) for name in table} == {("gender", "race")}
    written(tmp_path, "group,name\nA,Una\n").rename("an2024")  # a file goes before a table
    assert len(read_group_names(name_source("an2024"))) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,age\nJane Doe,30\n", "has the columns name, age; expected group,name"),
        ("group\nA\n", "has the columns group; expected group,name"),
        ("group,name\nA,Jane\nB,Li Wei\n", "Row 2 of .*: 'Li Wei' is first and last name, and row 1 has a given name"),
        ("group,name\nA,Jane Doe\nB,Li\n", "Row 2 of .*: 'Li' is a given name alone, and row 1 has first and last"),
        ("group,name\nA,\n", "Row 1 of .* has no name; expected a name such as Jane Doe, or a given name"),
        ("group,name\n ,Jane\n", "Row 1 of .*: 'Jane' has no group"),
        ("group,name\nA,Jane Doe\n,Li Wei\n", "Row 2 of .*: 'Li Wei' has no group"),
        ("group,name,frequency\nA,Jane Doe,often\n", "Row 1 of .* the frequency of 'Jane Doe' is 'often'"),
        ("group,name,frequency\nA,Jane Doe,0\n", "is '0'; expected a number above 0"),
        ("group,name,frequency\nA,Jane Doe,nan\n", "is 'nan'; expected a number above 0"),
        ("group,name\n", "has no rows"),
    ],
)
def test_what_is_no_table_of_names_is_told_in_one_line(tmp_path, text, told):
    with pytest.raises(InputError, match=told) as error:
        read_group_names(written(tmp_path, text))
    assert "\n" not in str(error.value)
