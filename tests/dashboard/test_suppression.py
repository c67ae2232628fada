"""What is published of a cube is attacked; see published_counts.py for what an attacker knows."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.dashboard.disclosure import DECIDED, SHOWN, SMALL, WITHHELD, cube_of, suppressed
from evenhand.dashboard.views.diversity import Cut, diversity
from evenhand.monitoring.state import stage_above
from evenhand.synthetic.company import synthetic_company
from evenhand.synthetic.company_people import Size
from properties import dear
from published_counts import bounds, published

#: Sites of two places: whoever knows the company knows that.
SITES = {"x": "north", "y": "north", "z": "south"}
PARTS = [("site", "north", "place", ["x", "y"]), ("site", "south", "place", ["z"])]


@st.composite
def processes(draw):
    """Return rows of a process of two stages; the second goes on with those whom the first selected."""
    rows = []
    for gender, race, place in product("fm", "ab", SITES):
        decided = draw(st.integers(0, 14))
        selected = draw(st.integers(0, decided))
        of = {"protected.gender": gender, "protected.race": race, "by.place": place, "by.site": SITES[place]}
        rows.append({"stage": "applied", "decided": decided, "selected": selected} | of)
        rows.append({"stage": "met", "decided": selected, "selected": draw(st.integers(0, selected))} | of)
    return pl.DataFrame(rows)


@dear(4)
@given(processes())
def test_no_small_count_can_be_computed_from_what_is_published(rows):
    follows = [("met", "applied", ("", "place", "site"))]
    found = bounds(published(suppressed(cube_of(rows))), parts=PARTS, follows=follows, enough=1)
    assert all(high - low > 1 - 1e-6 for low, high in found.values())


@dear(4)
@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14), st.integers(0, 14)), min_size=6, max_size=6))
def test_no_small_count_can_be_computed_where_cutoffs_are_published_beside_the_decisions(counts):
    rows = []
    for (gender, place), numbers in zip(product("fm", SITES), counts, strict=True):
        high, low, scored = sorted(numbers)
        of = {"protected.gender": gender, "by.place": place}
        for stage, selected in (("", high), (stage_above("", 0.5), low), (stage_above("", 0.7), high)):
            rows.append({"stage": stage, "decided": scored, "selected": selected} | of)
    found = bounds(
        published(suppressed(cube_of(pl.DataFrame(rows)))),
        alike=[("", " above 0.5"), ("", " above 0.7")],
        below=[
            (("", "selected"), (" above 0.7", "selected")),
            ((" above 0.7", "selected"), ("", "selected")),
            ((" above 0.7", "selected"), (" above 0.5", "selected")),
            ((" above 0.5", "selected"), (" above 0.5", "decided")),
        ],
        enough=1,
    )
    assert all(high - low > 1 - 1e-6 for low, high in found.values())


@pytest.mark.parametrize("people", [0, 1, 4, 5, 9])
def test_where_all_are_in_one_cell_who_knows_the_sites_learns_nothing(people):
    rows = [
        {"stage": "", "decided": people if place == "x" else 0, "selected": 0, "by.place": place, "by.site": site}
        for place, site in SITES.items()
    ]
    found = bounds(published(suppressed(cube_of(pl.DataFrame(rows)))), parts=PARTS, enough=1)
    assert found
    assert all(high - low > 1 - 1e-6 for low, high in found.values())


def test_the_attack_recovers_a_small_count_that_alone_is_withheld():
    rows = pl.DataFrame({"stage": ["", ""], "decided": [30, 12], "selected": [10, 3], "protected.gender": ["m", "f"]})
    found = suppressed(cube_of(rows))
    alone = replace(found, states=np.where(found.cube.counts < 5, SMALL, SHOWN))
    assert list(bounds(published(alone)).values()) == [pytest.approx((3, 3))]
    assert (found.states == WITHHELD).any()


def test_that_no_more_are_selected_than_decided_tells_no_small_count():
    rows = pl.DataFrame({"stage": ["", ""], "decided": [25, 5], "selected": [25, 4], "protected.gender": ["m", "f"]})
    found = suppressed(cube_of(rows))
    women, men = found.cube.tables[("gender",), ""][0, :, 0, 1]
    told = np.zeros_like(found.states)
    told[[men, women]] = WITHHELD, SMALL
    assert list(bounds(published(replace(found, states=told))).values()) == [pytest.approx((4, 4))]
    assert all(high - low > 1 - 1e-6 for low, high in bounds(published(found), enough=1).values())


def test_the_attack_recovers_what_parts_of_a_site_tell():
    counts = {"x": 20, "y": 3, "z": 40}
    rows = pl.DataFrame(
        [
            {"stage": "", "decided": n + 20, "selected": n, "by.place": place, "by.site": SITES[place]}
            for place, n in counts.items()
        ]
    )
    found = suppressed(cube_of(rows))
    told = found.states.copy()
    (site,) = found.cube.tables[(), "site"][..., 1]
    told[found.cube.tables[(), "place"][0, :, 1]] = [WITHHELD, SMALL, WITHHELD]
    told[site] = SHOWN
    low, high = bounds(published(replace(found, states=told)), parts=PARTS)["", (), "place", "y", "selected"]
    assert high - low > 1  # x and y are withheld both
    told[found.cube.tables[(), "place"][0, 0, 1]] = SHOWN
    low, high = bounds(published(replace(found, states=told)), parts=PARTS)["", (), "place", "y", "selected"]
    assert (low, high) == pytest.approx((3, 3))


def test_what_is_withheld_depends_on_the_counts_alone():
    rows = [
        {"stage": "", "decided": n, "selected": n // 2, "by.place": f"p{n}", "by.site": f"s{n % 3}"} for n in range(40)
    ]
    code = (
        "import polars as pl, sys; from evenhand.dashboard.disclosure import cube_of, suppressed; "
        f"rows = pl.DataFrame({rows}).sample(fraction=1, shuffle=True, seed=int(sys.argv[1])); cube = cube_of(rows); "
        "print(cube.below.tolist(), cube.relations.indices.tolist(), suppressed(cube).states.tolist())"
    )
    seen = {
        subprocess.check_output([sys.executable, "-c", code, seed], env=os.environ | {"PYTHONHASHSEED": seed})
        for seed in "12"
    }
    assert len(seen) == 1


def test_where_only_who_was_selected_is_told_there_is_no_rate():
    rows = [{"stage": "", "decided": 40, "selected": 20, "by.team": "x", "protected.gender": g} for g in "fm"]
    found = suppressed(cube_of(pl.DataFrame(rows)))
    told = found.states.copy()
    told[found.cube.tables[("gender",), "team"][0, 0, 0, DECIDED]] = WITHHELD
    view = diversity(replace(found, states=told), Cut(model="m", by="team"), models=["m"])
    _, rates = view.page.sections[0].parts[0].tables
    assert rates.rows == [["x", "withheld", "50.0 %"]]


def test_a_cube_without_small_counts_is_shown_whole():
    axes = [
        {"stage": "", "decided": 40, "selected": 20, "protected.gender": g, "by.place": p}
        for g, p in product("fm", "xy")
    ]
    assert (suppressed(cube_of(pl.DataFrame(axes))).states == SHOWN).all()


@pytest.mark.slow
def test_the_synthetic_company_withstands_the_attack():
    table = synthetic_company(Size(people=2_000, positions=40, pairs=8_000, seed=0)).application_table()
    rows = table.select(
        "stage",
        pl.lit(1).alias("decided"),
        (pl.col("selected") == "yes").cast(pl.Int64).alias("selected"),
        pl.col("gender").alias("protected.gender"),
        pl.col("race").alias("protected.race"),
        pl.col("department").alias("by.department"),
        pl.col("recruiter").alias("by.recruiter"),
        pl.col("day").str.head(7).alias("by.month"),
    )
    found = suppressed(cube_of(rows))
    stages = ["applied", "screened", "interviewed", "offered", "hired"]
    follows = [(after, before, ("", "department", "recruiter")) for before, after in pairwise(stages)]
    rng = np.random.default_rng(1)
    kept = found.states[found.cube.tables[("race",), "recruiter"]]
    assert (kept == WITHHELD).sum() < 0.2 * (kept != SMALL).sum()
    some = bounds(published(found), follows=follows, some=lambda small: rng.choice(small, 100, replace=False), enough=1)
    assert all(high - low > 1 - 1e-6 for low, high in some.values())
