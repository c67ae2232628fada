"""Names that users bring, with the groups they signal."""

import pytest

from evenhand.data.inputs import read_group_names
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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,age\nJane Doe,30\n", "has the columns name, age; expected group,name"),
        ("group\nA\n", "has the columns group; expected group,name"),
        ("group,name\nA,Jane\n", "Row 1 of .*: 'Jane' is no first and last name"),
        ("group,name\nA,\n", "Row 1 of .*: '' is no first and last name"),
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
