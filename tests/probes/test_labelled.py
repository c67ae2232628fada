"""How well the readers read answers that somebody labelled who had not seen the readers.

A row's `right` is what a careful reader takes from the answer, `also` what is as good; null is: no decision.
"""

import json
from pathlib import Path

import polars as pl
import pytest

import evenhand.probes.an2024.outcomes as an2024
import evenhand.probes.business_vocabulary.outcomes as business_vocabulary
from evenhand.probes.an2024.classifier import shipped
from evenhand.probes.hiring_an.reader import read_answer
from evenhand.probes.hiring_bloomberg.reader import read_ranking

FOLDER = Path(__file__).parent / "labelled"
DECISIONS = {True: "accept", False: "reject", None: None}


def _hiring_an(rows):
    return [DECISIONS[read_answer(row["answer"], row["finish_reason"]).accepted] for row in rows]


def _hiring_bloomberg(rows):
    names = [[candidate["name"] for candidate in row["candidates"]] for row in rows]
    read = [
        read_ranking(row["answer"], row["finish_reason"], names=known) for row, known in zip(rows, names, strict=True)
    ]
    return [known[one.ranking[0]] if one.ranking else None for one, known in zip(read, names, strict=True)]


def _an2024(rows):
    frame = _frame(rows).with_columns(education=pl.lit(None, pl.String), seed=pl.lit(0), attempt=pl.lit(0, pl.Int32))
    read = an2024.outcomes(frame, classifier=shipped()).outcomes
    return [DECISIONS[None if value is None else bool(value)] for value in read["successes"]]


def _business_vocabulary(rows):
    read = business_vocabulary.outcomes(_frame(rows)).outcomes.filter(pl.col("aspect") == "bsri")
    return [
        [status, yes, None if yes is None else trials - yes]
        for status, yes, trials in read.select("status", "successes", "trials").iter_rows()
    ]


def _frame(rows):
    columns = ("item", "name", "gender", "race", "role", "qualification", "template", "finish_reason")
    frame = pl.DataFrame({name: [row.get(name) for row in rows] for name in columns})
    return frame.with_columns(
        pl.Series("text", [row["answer"] for row in rows]),
        pl.col("item").alias("unit"),
        *(pl.lit(None, pl.String).alias(name) for name in ("error_class", "pair", "age")),
        attempt=pl.lit(0, pl.Int32),
        time=pl.lit(None, pl.Datetime("us", "UTC")),
    )


#: How a probe's rows are read; the least shares read rightly of ordinary and of hard answers; the most wrong values.
PROBES = {
    "an2024": (_an2024, 0.97, 0.9, 0.04),
    "business-vocabulary": (_business_vocabulary, 0.99, 0.95, 0.01),
    "hiring-bloomberg": (_hiring_bloomberg, 0.99, 0.95, 0.01),
    "hiring-an": (_hiring_an, 0.99, 0.95, 0.01),
}


@pytest.mark.parametrize("probe", PROBES)
def test_labelled_answers_are_read_as_a_careful_reader_would(probe):
    read, *floors, wrong = PROBES[probe]
    rows = [json.loads(line) for line in (FOLDER / f"{probe}.jsonl").read_text("utf-8").splitlines()]
    missed = [
        (row["set"], row["item"], row["right"], value)
        for row, value in zip(rows, read(rows), strict=True)
        if value not in [row["right"], *row["also"]]
    ]
    for kind, floor in zip(("ordinary", "hard"), floors, strict=True):
        size = sum(row["set"] == kind for row in rows)
        assert sum(kind == miss[0] for miss in missed) <= (1 - floor) * size, missed
    assert sum(value is not None for *_, value in missed) <= wrong * len(rows), missed
