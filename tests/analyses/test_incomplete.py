"""How many answers a run lacks: each is one, however many rows it has."""

import polars as pl
import pytest

from evenhand.analyses.finish import incomplete_text
from evenhand.results.schemas import STATUS


@pytest.mark.parametrize(("failed", "lacking"), [((), None), ((0, 1, 2), None), (range(7), "7 of 60 answers (11.7 %)")])
def test_an_answer_about_eight_candidates_fails_once(failed, lacking):
    rows = [
        {
            "item": str(prompt // 2),
            "set": f"{prompt}",
            "unit": f"{prompt} {candidate}",
            "attempt": 0,
            "status": "error" if prompt in failed else "observed",
            "protected.gender": "male" if candidate % 2 else "female",
            "protected.race": "asian" if prompt < 18 else "white",
        }
        for prompt in range(60)
        for candidate in range(8)
    ]
    outcomes = pl.LazyFrame(rows, schema_overrides={"status": STATUS})
    text = incomplete_text(outcomes, ["gender", "race"], ["error"])
    assert text is None if lacking is None else text.startswith(f"Incomplete: {lacking} are missing, 7 of 18 (38.9 %)")
