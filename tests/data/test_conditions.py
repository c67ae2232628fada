"""--where keeps the rows for which a condition is true, and takes nothing over that it does not know."""

from datetime import time

import duckdb
import polars as pl
import pytest

from evenhand.data.conditions import filtered_rows
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.results.messages import one_line

FRAME = pl.DataFrame(
    {
        "n": [1, 2, 3, None],
        "x": [0.5, float("nan"), 2.5, None],
        "s": ["yes", "no", "", None],
        "b": [True, False, None, True],
        "d": pl.Series(["2024-01-02", "2024-03-01", None, "2023-12-31"]).str.to_date(),
    }
)


def kept(source, *conditions):
    with open_table(source) as table:
        found = filtered_rows(table, conditions)
        return table.fetch(found.expr).height, [entry["rows_left_out"] for entry in found.left_out]


@pytest.mark.parametrize(
    "condition",
    [
        "n > 1",
        "n >= 2 and n <= 3",
        "not (n = 2)",
        "n <> 2 or s = 'yes'",
        "n in (1, 3, 7)",
        "n not in (1)",
        "n between 1 and 2",
        "s is null",
        "s is not null and s <> ''",
        "b",
        "not b",
        "b is true",
        "b is not true",
        "(not b) is null",
        "(not b) is not null",
        "coalesce(n, x, 0) > 0 and coalesce(b, false)",
        "coalesce(d, DATE '2024-01-01') > DATE '2023-12-31'",
        "s like 'y%'",
        "s ilike 'Y__'",
        "-n < -1",
        "n * 2 - 1 > n / 2 + 1",
        "abs(n - 2) >= 1",
        "coalesce(s, 'none') = 'none'",
        "lower(trim(s)) = 'yes' or upper(s) = 'NO'",
        "length(s) = 3",
        "d >= DATE '2024-01-02'",
        "d > '2024-01-02'",
        "year(d) = 2024 and month(d) < 3",
        "extract(day from d) = 31",
        "cast(n as double) > 1.5",
        '"n" = 1',
    ],
)
def test_rows_are_those_that_duckdb_itself_keeps(condition):
    expected = duckdb.from_arrow(FRAME.to_arrow()).filter(condition).to_arrow_table().num_rows
    assert kept(FRAME, condition) == (expected, [4 - expected])


def test_nan_compares_with_nothing():
    # DuckDB itself has NaN above all numbers, so that 'x > 1' would keep the row.
    assert kept(FRAME, "x > 1") == (1, [3])
    assert kept(FRAME, "x is not null") == (3, [1])


def test_each_condition_counts_what_the_ones_before_left(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("n,day,word\n1,2024-01-31,a\n 2 ,2024-02-29,b\n,,c\n10,2023-12-31,a\n")
    assert kept(path, "n < 10", "day >= '2024-02-01'", "word is not null") == (1, [2, 1, 0])
    assert kept(path, "n is not null") == (3, [1])


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("n >", "not a condition in SQL"),
        ("s = 'yes", "not a condition in SQL"),
        ("", "expected one condition"),
        ("select 1", "expected one condition"),
        ("n = 1; drop table rows_in_memory", "expected one condition"),
        ("drop table rows_in_memory", "expected one condition"),
        ("n in (select 1)", "not understood"),
        ("exists (select 1)", "not understood"),
        ("read_csv('/etc/passwd') = 1", "not understood"),
        ("getenv('HOME') = 'x'", "not understood"),
        ("m = 1", "No column 'm'"),
        ("S = 'yes'", "Did you mean --where s"),
        ("other.n = 1", "not understood"),
        ("n", "is int64, not true or false"),
        ("n = 'yes'", "without quotes"),
        ("s > 1", "s is not a number in 2 rows"),
        ("s > DATE '2024-01-01'", "s is not a date"),
        ("d > DATE '2024-02-30'", "is not a date"),
        ("b = 'yes'", "can't be compared"),
        ("coalesce(s, 1) = 'yes'", "s is not a number in 2 rows"),
        ("coalesce(b, 1)", "b is boolean, not a number"),
        ("coalesce(b, s) = 'x'", "can't be compared: boolean and string"),
        ("s = b", "can't be compared: string and boolean"),
        (" or ".join(f"n = {value}" for value in range(3000)), "6,000 names and values, more than 2,000"),
        ("n in (" + ", ".join(map(str, range(3000))) + ")", "3,001 names and values"),
        ("not " * 5000 + "b", "nested too deeply"),
        ("not (" * 150 + "b" + ")" * 150, "nested too deeply"),
        ("l\u200bower(s) = 'x'", "is not understood"),
        ("if you are accepted, or rejected", "expected one condition"),
        ("n > 100", "the frame has no rows left"),
    ],
)
def test_what_is_not_taken_over_is_told_in_one_line(condition, words, capfd):
    with pytest.raises(InputError, match=words) as told:
        kept(FRAME, condition)
    assert one_line(str(told.value)) == str(told.value)
    assert not any(capfd.readouterr())


@pytest.mark.parametrize(
    "condition", ["t = '03:00'", "t > DATE '2024-01-01'", "abs(t) = 1", "-t = 1", "t = t", "year(t) = 1", "t + 1 > 2"]
)
def test_a_time_of_day_is_compared_with_nothing(condition):
    with pytest.raises(InputError, match="a time of day"):
        kept(pl.DataFrame({"t": [time(3), time(4)]}), condition)


@pytest.mark.parametrize(
    "joined", [" or ".join(f"n = {value}" for value in range(2, 900)), f"n in ({', '.join(map(str, range(2, 400)))})"]
)
def test_hundreds_of_values_are_a_condition(joined):
    assert kept(FRAME, joined) == (2, [2])


def test_texts_are_compared_as_labels_are_and_what_is_empty_is_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,status\n1,withdrawn\n2, Withdrawn\n3,active\n4,\n5,  \n6,WITHDRAWN \n")
    with open_table(path) as table:
        found = filtered_rows(table, ["status <> 'Withdrawn '"])
        assert table.fetch(found.expr)["id"].to_list() == ["3"]
    assert found.left_out == ({"expression": "status <> 'Withdrawn '", "rows_left_out": 5, "of_these_empty": 2},)
    assert kept(path, "status is null or status <> 'withdrawn'") == (3, [3])
    assert kept(path, "status in ('ACTIVE', 'hired')") == (1, [5])
    # Order and patterns are of the text as it is.
    assert kept(path, "status like 'W%'") == (1, [5])


@pytest.mark.parametrize("ids", [[9007199254740993, 9007199254740992], ["9007199254740993", " 9007199254740992"]])
def test_whole_numbers_are_compared_exactly(tmp_path, ids):
    # As doubles 2**53 + 1 and 2**53 are one number.
    frame = pl.DataFrame({"id": ids, "o": [1, 2]})
    path = tmp_path / "a.csv"
    frame.write_csv(path)
    for source in (frame, path):
        assert kept(source, "id > 9007199254740992") == (1, [1])
        assert kept(source, "id = 9007199254740993") == (1, [1])
        assert kept(source, "id > -9223372036854775808 and id < 9223372036854775807") == (2, [0])
        assert kept(source, "id > -0.5 and id < 99999999999999999999") == (2, [0])
