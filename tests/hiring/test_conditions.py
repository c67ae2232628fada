"""--where keeps the rows for which a condition is true, and takes nothing over that it does not know."""

import duckdb
import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.hiring.conditions import kept_rows
from evenhand.intake.tables import open_table

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
        found = kept_rows(table, conditions)
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
        ("n >", "no condition in SQL"),
        ("s = 'yes", "no condition in SQL"),
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
        ("d > DATE '2024-02-30'", "is no date"),
        ("b = 'yes'", "can't be compared"),
        ("n > 100", "No row of the frame is left"),
    ],
)
def test_what_is_not_taken_over_is_told_in_one_line(condition, words):
    with pytest.raises(InputError, match=words) as told:
        kept(FRAME, condition)
    assert "\n" not in str(told.value)
