"""Names chosen from a table by the rule of appendix A.1, at its limits."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import InputError
from evenhand.probes.an2024.names import name_columns, selected_names

COLUMNS = ("name", "count", "white", "black", "female", "male")


def table(*rows):
    return pl.DataFrame([dict(zip(COLUMNS, row, strict=True)) for row in rows], infer_schema_length=None)


def chosen(frame, **options):
    return selected_names(frame, name_columns(frame.columns), **options)


def names_of(selection):
    return selection.names["name"].to_list()


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
        (["name", "white", "black", "female"], {"count": "cuont"}, "--count-column 'cuont' is not a column"),
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
