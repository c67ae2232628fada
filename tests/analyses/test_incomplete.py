"""How many answers a run lacks: each is one, however many rows it has, and each group has the limit of all."""

import polars as pl
import pytest

from evenhand.analyses.finish import missing_answers
from evenhand.results.schemas import STATUS

ONE_MORE = "21 of 400 (5.2 %) overall, 6 of 100 (6.0 %) of Black names, 11 of 200 (5.5 %) of male names"
GENDERS, RACES = ("female", "male"), ("asian", "black", "hispanic", "white")


def lacking(failed, *, empty=(), prompts=400):
    """Return what is said of prompts of which some failed and some were answered without a text.

    Each has two rows. The eight groups take turns: prompt 8 is about an Asian woman, as prompt 0 is.
    """
    status = ["error" if n in failed else "undetected" if n in empty else "observed" for n in range(prompts)]
    rows = [
        {
            "item": str(n),
            "set": None,
            "unit": f"unit {n}",
            "attempt": 0,
            "aspect": aspect,
            "status": status[n],
            "reading": "empty" if n in empty else None,
            "protected.gender": GENDERS[n % 2],
            "protected.race": RACES[n // 2 % 4],
        }
        for n in range(prompts)
        for aspect in ("one", "two")
    ]
    outcomes = pl.LazyFrame(rows, schema_overrides={"status": STATUS, "set": pl.String, "reading": pl.String})
    return missing_answers(outcomes, ["race", "gender"], ["error"], subject="names")


@pytest.mark.parametrize(
    ("failed", "prompts", "above"),
    [
        # 5 %, wherever they are; and one more.
        ([*range(16), 16, 19, 20, 23], 400, None),
        ([*range(16), 16, 19, 20, 23, 27], 400, ONE_MORE),
        # A single one, of few: 8.3 %; two are more than one.
        ([0], 12, None),
        ([0, 1], 12, "2 of 12 (16.7 %) overall"),
        # Of 200 women 10 and 11, spread evenly over the races.
        (range(0, 20, 2), 400, None),
        (range(0, 22, 2), 400, "11 of 200 (5.5 %) of female names"),
        # Of 50 Asian women 4 and 5, of 100 Asian names and 200 women too few.
        (range(0, 32, 8), 400, None),
        (range(0, 40, 8), 400, "5 of 50 (10.0 %) of Asian female names"),
    ],
)
def test_more_than_five_percent_overall_or_in_any_group_is_too_much(failed, prompts, above):
    incomplete = lacking(failed, prompts=prompts).incomplete
    if above is None:
        assert incomplete is None
    else:
        assert incomplete.startswith(f"Incomplete: more than 5 % of the answers are missing, {above}. ")


def test_what_is_missing_or_empty_is_counted_by_group_below_the_limit_too():
    assert lacking([]) is None
    assert lacking([0, 1], empty=[8]).sentence == (
        "3 of 400 answers (0.8 %) are missing or have no text: Asian names 3 of 100, Black names 0 of 100, "
        "Hispanic names 0 of 100, White names 0 of 100, female names 2 of 200, male names 1 of 200."
    )
    assert lacking([], empty=range(200)).incomplete is None
