"""The reference floor: groups too small to be compared with are judged, and what that changed is told."""

from math import comb

import polars as pl
import pytest

from evenhand.comparisons.impact import measure_impact
from evenhand.comparisons.impact_cells import Exclusion, ImpactChoices, References, floor_notes
from evenhand.results.applicant_audit import FloorNote
from evenhand.results.finding import as_json
from evenhand.stats import four_fifths_false_positives

#: Two of two, 12 of 29, and two large groups.
GROUPS = {"Native": (2, 2), "Other": (12, 29), "White": (120, 400), "Black": (100, 400)}


def measured(groups, *, positions=None, by_position=False, **asked):
    rows = [
        ("selected", None, "", position, group, n, chosen)
        for position, there in (positions or {"": groups}).items()
        for group, (chosen, n) in there.items()
    ]
    columns = ("approach", "cutoff", "stage", "position", "protected.race", "n", "successes")
    counts = pl.DataFrame(rows, schema=columns, orient="row").with_columns(pl.col("cutoff").cast(pl.Float64))
    return measure_impact(counts, ["race"], ImpactChoices(**asked), by_position=by_position)


def compared(found, position=""):
    rows = found.rows.filter(pl.col("position") == position)
    return dict(rows.select("focal", "reference").iter_rows())


def test_small_groups_are_judged_and_no_reference():
    found = measured(GROUPS)
    assert compared(found) == {"Black": "White", "Native": "White", "Other": "White"}
    native = next(row for row in found.findings if row.name == "impact_ratio_race_Native")
    assert native.estimate == pytest.approx(1 / 0.3)
    assert as_json(native.details.reference_floor) == {
        "share": 0.02,
        "people": 30,
        "reference": "White",
        "n_reference": 400,
        "none_large_enough": False,
        "passed_over": [
            {"group": "Native", "n": 2, "rate": 1.0},
            {"group": "Other", "n": 29, "rate": pytest.approx(12 / 29)},
        ],
        "positions_with_another_reference": 0,
    }
    assert floor_notes(found.findings) == (
        FloorNote(
            attributes=("race",),
            text="Native (n = 2), Other (n = 29) have a higher rate than the reference, White, but are too small "
            "to be it (under 2 % of the sample or under 30 people).",
        ),
    )


@pytest.mark.parametrize(
    ("references", "reference"),
    [
        (References(floor=0), "Native"),
        (References(named={"race": "Native"}), "Native"),
        (References(rule="largest"), "Black"),
        (References(floor=0.6), "Black"),
    ],
)
def test_a_named_reference_holds_and_the_floor_can_be_moved(references, reference):
    found = measured(GROUPS | {"Black": (100, 900)}, references=references)
    assert set(compared(found).values()) == {reference}


@pytest.mark.parametrize(
    ("n", "reference"), [(29, "White"), (30, "Small"), (31, "Small")], ids=["29 people", "30 people", "31 people"]
)
def test_thirty_people_are_enough(n, reference):
    found = measured({"Small": (n, n), "White": (100, 400), "Black": (90, 400)})
    assert compared(found)["Black"] == reference


@pytest.mark.parametrize(("n", "reference"), [(199, "White"), (200, "Small")])
def test_two_percent_are_enough(n, reference):
    found = measured({"Small": (n, n), "White": (100, 5000), "Black": (90, 10_000 - 5000 - n)})
    assert compared(found)["Black"] == reference


def test_where_no_group_is_large_enough_the_highest_holds_with_a_caution():
    found = measured({"a": (5, 10), "b": (2, 12)})
    assert compared(found) == {"b": "a"}
    (note,) = floor_notes(found.findings)
    assert note.text == (
        "Every group is under 2 % of the sample or under 30 people, so the highest is the reference whatever its size, "
        "a (n = 10): with so few people chance may have made it the highest."
    )


def test_the_floor_is_counted_over_the_whole_sample_and_never_in_a_position():
    # 20 people in a position are enough where the group has 40 in all; two of two are not.
    positions = {
        "x": {"White": (10, 20), "Black": (15, 20), "Native": (1, 1)},
        "y": {"White": (12, 20), "Black": (5, 20)},
        "z": {"Native": (1, 1), "Other": (0, 2)},
    }
    found = measured(None, positions=positions, by_position=True)
    assert compared(found, "x") == {"Native": "Black", "White": "Black", "Other": "Black"}
    assert compared(found, "y") == {"Black": "White", "Native": "White", "Other": "White"}
    # Nobody of a large group applied: the highest that is there.
    assert compared(found, "z")["Other"] == "Native"
    (note,) = floor_notes(found.findings)
    assert "In 1 position the highest group is too small to be the reference" in note.text


def test_pairs_that_are_never_compared_are_in_no_family():
    adjustments = set(measured(GROUPS).rows["adjustment"])
    # Six pairs of four groups, without Native against Other.
    assert adjustments == {"Fisher exact, Holm over 5 comparisons"}
    assert set(measured(GROUPS, references=References(floor=0)).rows["adjustment"]) == {
        "Fisher exact, Holm over 6 comparisons"
    }


def test_groups_that_are_not_judged_are_not_drawn():
    def chance(**asked):
        found = measured(GROUPS | {"Black": (70, 400)}, **asked)
        return {row.details.over_flagging_rate for row in found.findings if row.measure == "impact_ratio"}

    (judged,) = chance(exclusion=Exclusion(min_share=0.1))
    assert judged == four_fifths_false_positives([400, 400], 190).estimate
    (largest,) = chance(references=References(rule="largest"))
    first = [True, False, False, False]
    assert largest == four_fifths_false_positives([400, 2, 29, 400], 204, references=first, either=True).estimate
    (everybody,) = chance(references=References(floor=0))
    assert everybody > 0.5 > judged


def test_draws_compare_with_groups_that_may_be_the_reference_only():
    # Sizes 2 and 100, 51 of 102 selected. Independent route: the small group's count is hypergeometric.
    total = comb(102, 51)
    below = sum(comb(2, k) * comb(100, 51 - k) for k in range(3) if 5 * k * 100 < 4 * (51 - k) * 2)
    found = four_fifths_false_positives([2, 100], 51, references=[False, True], draws=20_000)
    assert found.estimate == pytest.approx(below / total, abs=0.01)
    either = four_fifths_false_positives([2, 100], 51, draws=20_000).estimate
    assert either > found.estimate + 0.1
    assert four_fifths_false_positives([2, 100], 51, references=[False, False]).reason is not None
    assert four_fifths_false_positives([2, 100], 51, references=[True, True], draws=20_000).estimate == either
    with pytest.raises(ValueError, match="a flag per group"):
        four_fifths_false_positives([2, 100], 51, references=[True])
