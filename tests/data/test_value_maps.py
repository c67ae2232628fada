"""`--map`: which values of which column are renamed, and what is refused."""

from pathlib import Path

import polars as pl
import pytest

from evenhand.data.inputs import renamed_values, value_maps
from evenhand.errors import InputError

SOURCE = Path("a.jsonl")


@pytest.mark.parametrize(
    ("typed", "maps"),
    [
        ("race:A=asian", ("race:A=asian",)),
        ("race:A=asian, B=black", ("race:A=asian,B=black",)),
        (["race:A=asian", "gender:1=male,0=female"], ("race:A=asian", "gender:1=male,0=female")),
        ("race:A=asian,gender:1=male", ("race:A=asian", "gender:1=male")),
        (["race:A=asian", "race:A=asian,B=black"], ("race:A=asian,B=black",)),
        ("race:a=b=black", ("race:a=b=black",)),
        ("race:two words=black", ("race:two words=black",)),
        ({"race": {"A": "asian"}, "gender": {1: "male", 0: "female"}}, ("race:A=asian", "gender:1=male,0=female")),
        ({"race": {}}, ()),
    ],
)
def test_what_is_typed_is_a_text_per_column(typed, maps):
    assert value_maps(typed) == maps
    assert value_maps(maps) == maps


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("race", "--map is 'race'; expected COLUMN:FROM=TO,…, such as race:A=asian,B=black."),
        ("A:asian", "--map is 'A:asian'; expected COLUMN"),
        ("race:A", "--map is 'race:A'; expected COLUMN"),
        (":A=asian", "--map is ':A=asian'; expected COLUMN"),
        ("race:=asian", "--map holds 'race:=asian'; expected COLUMN"),
        ("race:A=", "--map holds 'race:A='; expected COLUMN"),
        ("race:A=asian,A=black", "it maps 'A' to both asian and black."),
        (["race:A=asian", "race:A=black"], "it maps 'A' to both asian and black."),
        ({"race": {"A,B": "asian"}}, "--map holds 'race:A,B=asian'; expected COLUMN"),
        ({"race": {"A": "x=y"}}, "--map holds 'race:A=x=y'; expected COLUMN"),
    ],
)
def test_what_is_no_map_is_refused(typed, told):
    with pytest.raises(InputError) as refused:
        value_maps(typed)
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("cells", "maps", "renamed"),
    [
        (["A", "B", "A"], ["race:A=asian,B=black"], ["asian", "black", "asian"]),
        ([" A ", "", None], ["race:A=asian,C=unused"], ["asian", "", None]),
        ([1, 0], ["race:1=asian,0=black"], ["asian", "black"]),
        ([1.0, None], ["race:1=asian"], ["asian", None]),
        ([1.5], ["race:1.5=asian"], ["asian"]),
        ([True, False], ["race:true=asian,false=black"], ["asian", "black"]),
        (["white", "black"], ["race:white=black,black=white"], ["black", "white"]),
    ],
)
def test_values_are_renamed_and_blank_cells_stay(cells, maps, renamed):
    frame = renamed_values(pl.DataFrame({"race": cells, "other": cells}), maps, source=SOURCE)
    assert frame["race"].to_list() == renamed
    assert frame["other"].to_list() == cells


@pytest.mark.parametrize(
    ("cells", "maps", "told"),
    [
        (["A"], ["rase:A=asian"], "--map: no column 'rase' in a.jsonl. Columns: race. Did you mean race?"),
        (["A", "W"], ["race:A=asian,B=black"], "Row 2 of a.jsonl: --map has no name for the race 'W', only for A, B;"),
        (["a"], ["race:A=asian"], "Row 1 of a.jsonl: --map has no name for the race 'a', only for A;"),
        ([["A"]], ["race:A=asian"], "--map: the column 'race' holds lists or objects; expected texts or numbers."),
    ],
)
def test_what_cannot_be_renamed_is_one_line(cells, maps, told):
    with pytest.raises(InputError) as refused:
        renamed_values(pl.DataFrame({"race": cells}), maps, source=SOURCE)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
