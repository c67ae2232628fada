"""Times become days of UTC, alike in all engines, by Python's own clock and zones."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from evenhand.data.daily import DatedQuery, dated_judgements
from evenhand.data.tables import open_table
from evenhand.errors import InputError

#: Py4J leaves its sockets to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")

NOW = datetime(2027, 1, 1, tzinfo=UTC)
#: With offsets; the clocks of Berlin change on 29 March and 25 October 2026.
MOMENTS = [
    "2026-03-01T23:30:00-02:00",
    "2026-03-01 00:10+05:30",
    "2026-03-01T09:30:00Z",
    "2026-03-01T09:30:00.123456Z",
    "2024-02-29T23:59:59+0000",
    "1999-12-31T20:00-08:00",
]
LOCAL = ["2026-03-29 01:59:59", "2026-03-29 03:00:00", "2026-10-25 01:30:00", "2026-10-25 03:00:00", "2026-07-01 00:30"]


def seconds(engine, texts, **more):
    """Return the UTC seconds that a column of texts is read as, in order."""
    frame = pl.DataFrame({"id": [f"{n:03}" for n in range(len(texts))], "at": texts, "score": [0.5] * len(texts)})
    with engine.open(frame) as table:
        query = DatedQuery(time="at", score="score", unit="id", **more)
        found = pl.concat(dated_judgements(table, query, now=NOW).frames()).sort("unit")
    assert found["day"].to_list() == [datetime.fromtimestamp(each, UTC).date() for each in found["second"]]
    return found["second"].to_list()


def read(text, zone=None):
    told = datetime.fromisoformat(text)
    return int((told if told.tzinfo else told.replace(tzinfo=ZoneInfo(zone))).timestamp())


def test_days_stand_as_they_are(duckdb):
    days = ["2026-03-01", "2024-02-29"]
    assert seconds(duckdb, days) == [read(f"{day}T00:00:00Z") for day in days]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "UTC", "Asia/Kolkata", "America/Los_Angeles"])
def test_local_times_are_of_their_zone(duckdb, zone):
    assert seconds(duckdb, LOCAL, zone=zone) == [read(text, zone) for text in LOCAL]


def test_a_column_of_times_is_read_as_text_is(tmp_path):
    moments = [datetime.fromisoformat(text).astimezone(UTC) for text in MOMENTS]
    zoned = pl.DataFrame({"at": moments, "score": 0.5})
    plain = pl.DataFrame({"at": [each.replace(tzinfo=None) for each in moments], "score": 0.5})
    zoned.write_parquet(tmp_path / "zoned.parquet")
    wanted = sorted(each.date() for each in moments)
    for source, zone in ((zoned, None), (tmp_path / "zoned.parquet", None), (plain, "UTC")):
        with open_table(source) as table:
            found = pl.concat(
                dated_judgements(table, DatedQuery(time="at", score="score", zone=zone), now=NOW).frames()
            )
        assert (
            sorted(day for day, n in found.group_by("day").agg(pl.col("n").sum()).iter_rows() for _ in range(n))
            == wanted
        )


@pytest.mark.parametrize(
    "text",
    [
        "03/01/2026",
        "2026-13-01",
        "2026-02-30T10:00:00Z",
        "2026-03-01T25:00:00Z",
        "yesterday",
        "2026-03-01T10:00:00+99:00",
    ],
)
def test_what_is_no_time_is_refused(duckdb, text):
    with pytest.raises(InputError, match="expected times such as"):
        seconds(duckdb, ["2026-03-01T10:00:00Z", text])


@pytest.mark.parametrize(("ahead", "refused"), [(4, False), (6, True)])
def test_a_clock_that_is_minutes_ahead_is_no_future(duckdb, ahead, refused):
    text = (NOW + timedelta(minutes=ahead)).astimezone(timezone(timedelta(hours=3))).isoformat()
    if refused:
        with pytest.raises(InputError, match="in the future, the latest 2027-01-01 00:06 UTC"):
            seconds(duckdb, [text])
    else:
        assert seconds(duckdb, [text]) == [read(text)]


def test_rows_without_a_time_are_left_out_and_told(duckdb):
    frame = pl.DataFrame({"at": ["2026-03-01", "", None], "score": [0.5, 0.6, 0.7]})
    with duckdb.open(frame) as table:
        dated = dated_judgements(table, DatedQuery(time="at", score="score"), now=NOW)
        found = pl.concat(dated.frames())
    assert found.select("day", "score", "n").rows() == [(date(2026, 3, 1), 104000, 1)]
    assert "2 rows have no time in 'at' and were left out." in dated.notes


@pytest.mark.parametrize(
    "engine",
    ["duckdb", "sqlite", "polars", "postgres", pytest.param("spark", marks=pytest.mark.slow)],
    indirect=True,
)
def test_judgements_are_read_alike_in_all_engines(engine):
    rows = {
        "case": list("abcdef"),
        "at": MOMENTS,
        "score": ["0.5", "", None, "0.70004", "4.32151e-5", "nan"],
        "hired": ["yes", "no", "pending", "", "yes", None],
        "gender": ["Female", " female", "", None, "male", "unknown"],
        "status": ["", "observed", "observed", "error", "Refused", "observed"],
    }
    query = DatedQuery(
        time="at",
        score="score",
        selected="hired",
        undecided=("pending",),
        protected=("gender",),
        status="status",
        unit="case",
    )
    with engine.open(pl.DataFrame(rows)) as table:
        found = pl.concat(dated_judgements(table, query, now=NOW).frames()).sort("unit")
    assert found["second"].to_list() == [read(text) for text in MOMENTS]
    assert found["day"].to_list() == [datetime.fromtimestamp(read(text), UTC).date() for text in MOMENTS]
    assert found.select("score", "selected", "protected.gender", "failed", "undetected").rows() == [
        (104000, True, "Female", False, False),
        (None, False, "Female", False, False),
        (None, None, None, False, False),
        (106000, None, None, True, False),
        (67322, True, "male", False, True),
        (None, None, None, False, True),
    ]
