"""How well the readers read answers that somebody labelled who had not seen the readers.

A row's `right` is what a careful reader takes from the answer, `also` what is as good; null is: no reading.
"""

import json
from pathlib import Path

import pytest

from evenhand.probes.resume_score.reader import read_score

FOLDER = Path(__file__).parent / "labelled"


def _resume_score(rows):
    return [read_score(row["answer"], row["finish_reason"], low=row["low"], high=row["high"]).score for row in rows]


#: How a probe's rows are read; the least shares read rightly of ordinary and of hard answers; the most wrong values.
PROBES = {
    "resume-score": (_resume_score, 0.98, 0.95, 0.01),
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
