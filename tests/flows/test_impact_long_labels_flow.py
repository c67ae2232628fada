"""Labels as long as a page: messages, notes and the terminal repeat their beginning, the files have them whole."""

import warnings

import polars as pl
import pytest

import evenhand as eh
from evenhand.errors import InputError
from evenhand.report.page.contents import run_text

LONG = "x" * 20_000
SEXES = ([LONG] * 10 + ["men"] * 10) * 4


def table(**columns):
    frame = pl.DataFrame({"sex": SEXES, "hired": ["yes", "no"] * 40, "age": [30] * 80})
    return frame.with_columns(**{name: pl.Series(values) for name, values in columns.items()})


def shown(frame, folder, **options):
    """Return all that a person is shown: the notes and what stands on the terminal."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        run = eh.impact(frame, protected=["sex"], out=folder / "run", report=False, **options)
    return "\n".join([*(str(each.message) for each in told), run_text(run, run.folder)]), run


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({}, {"selected": "hired"}),
        ({"sex": [LONG, LONG.upper(), "men", "women"] * 20}, {"selected": "hired"}),
        ({"sex": [LONG, "men"] * 40}, {"selected": "hired", "unknown": [LONG]}),
        ({"hired": ["yes", LONG] * 40}, {"selected": "hired=yes"}),
        ({"job": [LONG, "b"] * 40}, {"selected": "hired", "position": "job"}),
        ({"job": [LONG, "b"] * 40}, {"selected": "hired", "stage": "job"}),
        ({LONG: [1] * 80}, {"selected": "hired"}),
        ({}, {"selected": "hired", "where": [f"sex <> '{LONG[:10_000]}'"]}),
        ({"sex": [LONG] * 5 + ["men"] * 75}, {"selected": "hired"}),
    ],
)
def test_what_is_shown_stays_short(tmp_path, columns, options):
    text, _ = shown(table(**columns), tmp_path, **options)
    assert len(text) < 8_000


def test_the_findings_have_labels_whole(tmp_path):
    text, run = shown(table(), tmp_path, selected="hired")
    assert "xx…" in text.replace("\n", "")
    assert any(LONG in finding.focal.values() for finding in run.findings)
    assert LONG in (run.folder / "impact.csv").read_text()


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({}, {"selected": LONG}),
        ({LONG: [1] * 80}, {"selected": LONG[1:]}),
        ({}, {"selected": "sex"}),
        ({}, {"score": "sex", "median": True}),
        ({}, {"selected": "hired", "reference": {"sex": "zz"}}),
        ({}, {"selected": "hired", "stage": "sex=a,b"}),
        ({}, {"selected": "hired", "eeo1": "sex"}),
        ({}, {"selected": "hired", "age": "sex"}),
        ({}, {"selected": "hired", "count": "sex"}),
        ({}, {"selected": "hired", "where": [f"sex < 3 or sex = '{LONG}'"]}),
        ({}, {"selected": f"hired={LONG}"}),
        ({"hired": ["yes", f"pending {LONG}"] * 40}, {"selected": "hired"}),
        ({f"{n}{LONG[:1000]}": [1] * 80 for n in range(25)}, {"selected": "nosuch"}),
    ],
)
def test_a_refusal_stays_short(tmp_path, columns, options):
    with pytest.raises(InputError) as told:
        shown(table(**columns), tmp_path, **options)
    assert len(str(told.value)) < 1_600
    assert "\n" not in str(told.value)
