"""Features are read and counted alike on every engine, and their quantiles and AUC are exact."""

import math
from datetime import date

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.feature_columns import MOST_STORED
from evenhand.data.feature_table import FeatureQuery, count_features
from evenhand.results.finding import as_json
from evenhand.stats import auc

#: Py4J leaves its sockets to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")

ROWS = 40
#: Forty seconds.
SPARK = pytest.param("spark", marks=pytest.mark.slow)
SMALL = pl.DataFrame(
    {
        "gender": ["f", "m"] * (ROWS // 2),
        "score": [math.nan, math.inf, -0.0, *[n / 7 for n in range(ROWS - 3)]],
        "pay": ["$1,200", "$950.50", " ", *[f"${n},000" for n in range(10, ROWS + 7)]],
        "born": ["1960-02-29", "1899-12-31", None, *[f"2000-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(ROWS - 3)]],
        "started": [date(1970, 1, 1), date(2000, 3, 1), None, *[date(1999, 2, 1 + n % 28) for n in range(ROWS - 3)]],
        "remote": ["yes", "No", "", *["Y", "n"] * ((ROWS - 3) // 2), "true"],
        "active": [True, None, False, *[n % 3 == 0 for n in range(ROWS - 3)]],
        "school": [None, " b", "b", *[f"s{n % 4}" for n in range(ROWS - 3)]],
        "mixed": ["1", "2", "x", *map(str, range(ROWS - 3))],
    }
)


def counted(frame, engine, **asked):
    query = FeatureQuery(groups=ApplicantQuery(protected=("gender",)), **asked)
    with engine.open(frame) as table:
        return count_features(table, query)


def plain(found):
    """Return the rows and counts as plain values; sums may differ in their last digits."""
    rows = []
    for each in found.features:
        row = {key: round(value, 9) if isinstance(value, float) else value for key, value in as_json(each.row).items()}
        rows.append((row, {name: crossed.counts.tolist() for name, crossed in each.by.items()}))
    return rows


@pytest.mark.parametrize("server", ["sqlite", "polars", "postgres", SPARK], indirect=True)
def test_every_engine_reads_a_table_alike(duckdb, server):
    found = plain(counted(SMALL, server, label="active", relations=(("score", "active"),)))
    assert found == plain(counted(SMALL, duckdb, label="active", relations=(("score", "active"),)))


def test_columns_are_read_as_what_they_hold(duckdb):
    rows = {each.row.feature: each.row for each in counted(SMALL, duckdb).features}
    kinds = {name: row.kind for name, row in rows.items()}
    assert kinds == {
        "score": "number", "pay": "money", "born": "date", "started": "date", "remote": "yes/no", "active": "yes/no",
        "school": "category", "mixed": "text",
    }  # fmt: skip
    assert (rows["pay"].min, rows["pay"].max, rows["pay"].missing) == (950.5, 46000, 1)
    assert rows["born"].min == date(1899, 12, 31).toordinal() - date(1970, 1, 1).toordinal()
    assert rows["score"].note == "1 infinite value counts as missing"
    assert (rows["score"].missing, rows["score"].min, rows["school"].most_frequent) == (2, 0, "s0")


def test_columns_of_a_wide_table_are_counted_as_those_of_a_narrow_one(duckdb):
    """Columns of all kinds stand at both ends, and those between are of a kind that is quickly read."""
    between = [pl.col("active").alias(f"active {n}") for n in range(MOST_STORED - 8)]
    ends = [pl.col(name).alias(f"{name} last") for name in SMALL.columns if name != "gender"]
    wide = SMALL.with_columns(*between, *ends)
    narrow = {row["feature"]: (row, by) for row, by in plain(counted(SMALL, duckdb))}
    found = plain(counted(wide, duckdb))
    assert len(found) > MOST_STORED
    for row, by in found:
        own, *_ = row["feature"].split(" ")
        assert (row | {"feature": own, "equal_to": None}, by) == (narrow[own][0] | {"equal_to": None}, narrow[own][1])


def drawn(kind, rng, n):
    return {
        "normal": lambda: rng.normal(3, 2, n),
        "long tail": lambda: rng.lognormal(0, 3, n),
        "mostly zero": lambda: np.where(rng.random(n) < 0.7, 0.0, rng.exponential(5, n)),
        "two heaps": lambda: np.concatenate([rng.normal(0, 1e-6, n // 2), rng.normal(1e9, 1, n - n // 2)]),
        "sorted by time": lambda: np.sort(rng.normal(0, 1, n)),
        "far outliers": lambda: np.where(rng.random(n) < 0.001, 1e300, rng.normal(0, 1, n)),
        "large and close": lambda: 1e15 + np.arange(n, dtype=float),
    }[kind]()


@pytest.mark.parametrize(
    "kind", ["normal", "long tail", "mostly zero", "two heaps", "sorted by time", "far outliers", "large and close"]
)
def test_quantiles_are_exact_and_auc_nearly_so(duckdb, kind):
    rng = np.random.default_rng(3)
    n = 15_000
    values = drawn(kind, rng, n)
    order = np.argsort(np.argsort(values)) / n
    group = np.where(rng.random(n) < 0.3 + 0.4 * order, "f", "m")
    (feature,) = counted(pl.DataFrame({"gender": group, "x": values}), duckdb).features
    row = feature.row
    found = [row.min, row.p10, row.p30, row.p50, row.p70, row.p90, row.max]
    assert found == pytest.approx(np.percentile(values, [0, 10, 30, 50, 70, 90, 100]), rel=1e-12, abs=1e-12)
    assert row.nonzero == pytest.approx((values != 0).mean())
    if kind != "far outliers":  # the square of 1e300 is no double
        assert (row.mean, row.stddev) == pytest.approx((values.mean(), values.std(ddof=1)), rel=1e-6)
    counts = feature.by["gender"].counts
    levels = np.tile(np.arange(len(counts)), 2)
    area = auc(levels, np.repeat([True, False], len(counts)), n=counts.T.ravel()).estimate
    assert area == pytest.approx(roc_auc_score(group == "f", values), abs=0.001)


def test_equal_columns_are_found_whatever_their_type(duckdb):
    frame = pl.DataFrame(
        {
            "gender": ["f", "m", "f", "m"],
            "sex": ["f", "m", "f", "m"],
            "x": [1, 2, None, 3],
            "same": ["1", "2", None, "3"],
            "other": [2, 1, None, 3],
            "id": [2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3],  # one double
            "id_2": [2**60 + 3, 2**60 + 1, 2**60 + 2, 2**60],
        }
    )
    assert counted(frame, duckdb).same == {"x": ("same",), "same": ("x",), "sex": ("gender",), "gender": ("sex",)}


@pytest.mark.parametrize(("values", "told"), [(1, "not hold two"), (2, ""), (20, ""), (21, "more than 20 values")])
def test_a_label_that_features_are_not_held_against_is_told(duckdb, values, told):
    frame = pl.DataFrame({"gender": ["f", "m"] * 21, "pay": [n % values for n in range(42)], "x": range(42)})
    notes = " ".join(counted(frame, duckdb, label="pay").notes)
    assert notes == "" if not told else told in notes
