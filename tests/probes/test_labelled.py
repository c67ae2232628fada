"""How well the readers read answers that somebody labelled who had not seen the readers.

A row's `right` is what a careful reader takes from the answer, `also` what is as good; null is: no reading.
"""

import json
from pathlib import Path

import pytest

from evenhand.probes.hiring_bloomberg.reader import read_ranking

FOLDER = Path(__file__).parent / "labelled"


def _hiring_bloomberg(rows):
    names = [[candidate["name"] for candidate in row["candidates"]] for row in rows]
    readings = [
        read_ranking(row["answer"], row["finish_reason"], names=each, role=row["role"])
        for row, each in zip(rows, names, strict=True)
    ]
    return [
        each[reading.ranking[0]] if reading.ranking else None for reading, each in zip(readings, names, strict=True)
    ]


#: How a probe's rows are read; the least shares read rightly of ordinary and of hard answers; the most wrong values.
PROBES = {
    "hiring-bloomberg": (_hiring_bloomberg, 0.98, 0.95, 0.01),
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
