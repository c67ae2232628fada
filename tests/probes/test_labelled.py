"""Answers labelled by somebody who had not seen the readers: the shares that each probe reads rightly."""

import json
from pathlib import Path

import polars as pl
import pytest

from evenhand.probes.business_vocabulary.outcomes import outcomes, saved_stimuli

LABELLED = Path(__file__).with_name("labelled")
#: Per probe the least shares read rightly of ordinary and of hard answers, and the largest share of wrong values.
FLOORS = {"business-vocabulary": (1.0, 0.95, 0.02)}


def documents(rows):
    """Return [status, male, female] of BSRI per row."""
    columns = ("item", "name", "gender", "race", "template", "finish_reason", "answer")
    saved = pl.DataFrame([{name: row[name] for name in columns} for row in rows]).rename({"answer": "text"})
    read = outcomes(
        saved_stimuli(saved, templates=3).hstack(
            saved.select("item", "text", "finish_reason").with_columns(
                pl.lit(None, pl.String).alias("error_class"),
                pl.lit(0, pl.Int32).alias("attempt"),
                pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
            )
        )
    ).outcomes
    values = {
        item: [status, male, trials - male] if status == "observed" else [status, None, None]
        for item, status, male, trials in read.filter(aspect="bsri")
        .select("item", "status", "successes", "trials")
        .iter_rows()
    }
    return [values[row["item"]] for row in rows]


READERS = {"business-vocabulary": documents}


def is_right(value, row):
    # An empty answer is one without a document.
    wanted = ["undetected", None, None] if row["right"] == ["empty", None, None] else row["right"]
    return value in [wanted, *row["also"]]


@pytest.mark.parametrize("probe", FLOORS)
def test_labelled_answers_are_read_rightly(probe):
    rows = [json.loads(line) for line in (LABELLED / f"{probe}.jsonl").read_text("utf-8").splitlines()]
    pairs = list(zip(rows, READERS[probe](rows), strict=True))
    ordinary, hard, wrong = FLOORS[probe]
    for kind, least in (("ordinary", ordinary), ("hard", hard)):
        right = [is_right(value, row) for row, value in pairs if row["set"] == kind]
        assert sum(right) >= least * len(right)
    observed = [row["item"] for row, value in pairs if value[0] == "observed" and not is_right(value, row)]
    assert len(observed) <= wrong * len(rows), observed
