"""One column for each role, and of a kind that fits it: the same check for every command on tables."""

import re
import warnings
from datetime import UTC, datetime

import polars as pl
import pytest

import evenhand
from evenhand.analyses.monitor_record import record
from evenhand.analyses.options.monitoring import RecordOptions
from evenhand.data.daily import DatedQuery, dated_judgements
from evenhand.data.roles import names_bad_outcome
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.stats.rounding import kept_numbers

N = 60
TABLE = pl.DataFrame(
    {
        "person": [f"P{n}" for n in range(N)],
        "day": ["2026-03-01"] * N,
        "sex": ["f", "m"] * (N // 2),
        "good": [n % 3 % 2 for n in range(N)],
        "copy": [n % 3 % 2 for n in range(N)],
        "fit": [n / N for n in range(N)],
        "rejected": ["ja", "nein", "nein"] * (N // 3),
    }
)
BASE = {
    "impact": {"selected": "good", "protected": "sex"},
    "evaluate": {"label": "good", "score": "fit", "protected": "sex", "cutoff": 0.5},
    "features": {"protected": "sex", "label": "good"},
    "record": {"model": "m", "time": "day", "score": "fit", "protected": ("sex",), "selected": "copy"},
}


def analysed(command, folder, **options):
    """Return what was said."""
    options = BASE[command] | options
    if command == "record":
        said = []
        record(TABLE, RecordOptions(store=str(folder / "s.db"), time_zone="UTC", **options), notice=said.append)
        return " ".join(said)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        getattr(evenhand, command)(TABLE, out=folder / command, force=True, report=False, **options)
    return " ".join(str(warning.message) for warning in said)


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("record", {"selected": "good", "label": "good"}, "label and .*selected both name 'good'"),
        ("record", {"label": "fit"}, "label and .*score both name 'fit'"),
        ("record", {"protected": ("person",)}, "'person' of .* has 60 different values in 60 rows, like an id"),
        ("record", {"by": ("person",)}, "give another column for .*by"),
        ("record", {"selected": "rejected"}, "rejected=nein.*, or .*rejected=ja"),
        ("impact", {"selected": "rejected"}, "rejected=nein.*, or .*rejected=ja"),
        ("impact", {"protected": "person"}, "'person' of .* has 60 different values in 60 rows, like an id"),
        ("impact", {"unit": "sex"}, "unit and protected both name 'sex'"),
        ("impact", {"given": "good"}, "given and selected both name 'good'"),
        (
            "impact",
            {"given": "fit", "position": "fit"},
            "given and position both name 'fit'; the analysis adjusts for it once",
        ),
        ("evaluate", {"cluster": "sex"}, "cluster and protected both name 'sex'"),
        ("evaluate", {"unit": "good"}, "unit and label both name 'good'"),
        ("evaluate", {"protected": "person"}, "'person' of .* has 60 different values in 60 rows, like an id"),
        ("features", {"protected": "person"}, "'person' of .* has 60 different values in 60 rows, like an id"),
    ],
)
def test_a_column_that_does_not_fit_its_role_is_refused(tmp_path, command, options, message):
    with pytest.raises(InputError) as refused:
        analysed(command, tmp_path, **options)
    assert re.search(message, str(refused.value))


def test_a_bad_outcome_with_its_value_is_taken_as_said(tmp_path):
    assert "selected: 'nein' (40)" in analysed("impact", tmp_path, selected="rejected=nein")


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *((name, True) for name in ("Rejected", "NoHire", "GEKÜNDIGT", "refusée", "rechazada", "afgewezen")),
        *((name, False) for name in ("not_rejected", "Hired", "OfferAccepted", "firewall", "Exclusive", "Status")),
    ],
)
def test_the_name_of_a_column_says_whether_its_outcome_is_bad(name, bad):
    assert names_bad_outcome(name) is bad


def test_an_answer_that_is_the_label_is_said_first(tmp_path):
    assert analysed("evaluate", tmp_path, score="copy").startswith("'copy' equals 'good' in every row")
    assert "'copy' equals 'good' in every row" in analysed("record", tmp_path, label="good")
    assert "every row" not in analysed("evaluate", tmp_path)


def dated(**columns):
    frame = pl.DataFrame({"day": ["2026-03-01"] * len(next(iter(columns.values())))} | columns)
    name = next(iter(columns))
    role = "score" if name == "fit" else "latency"
    with open_table(frame) as table:
        judged = dated_judgements(table, DatedQuery(time="day", **{role: name}), now=datetime(2026, 4, 1, tzinfo=UTC))
        return pl.concat(judged.frames()), " ".join(judged.notes)


# 185 ms are .185 s, 185 microseconds .000185 s.
@pytest.mark.parametrize(("name", "seconds"), [("latency_ms", 0.185), ("latencyMicros", 0.000185), ("latency", 185)])
def test_a_latency_in_another_unit_by_its_name_is_kept_in_seconds(name, seconds):
    frame, notes = dated(**{name: [185]})
    assert kept_numbers(frame["seconds"]).tolist() == [seconds]
    assert (f"'{name}' is in units of" in notes) is (name != "latency")


# What is kept has four digits, whatever its scale and its binary digits.
@pytest.mark.parametrize(
    ("scores", "lost"),
    [([1.00001e-5, 1.00002e-5, 1.00003e-5], True), ([4.1e-5, 4.2e-5, 4.11e-5], False), ([0.25, 0.3, 0.1603], False)],
)
def test_distinct_scores_that_are_lost_are_counted(scores, lost):
    assert ("3 distinct values of 'fit' become 1" in dated(fit=scores)[1]) is lost
