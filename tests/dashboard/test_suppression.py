"""What is published of a cube is attacked: its relations are solved for every count that is not shown."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from evenhand.dashboard.cube.cells import cube_of
from evenhand.dashboard.cube.suppression import SHOWN, SMALL, WITHHELD, suppressed


def attacked(found):
    """Return the least and the largest value that each small count may have, by all that is published."""
    cube, told = found.cube, found.told
    unknown = np.flatnonzero(told != SHOWN)
    left = cube.relations[:, unknown].astype(float)
    right = -(cube.relations[:, np.flatnonzero(told == SHOWN)] @ cube.counts[told == SHOWN])
    most = np.where(told[unknown] == SMALL, found.least - 1, np.inf)
    least = np.where(told[unknown] == SMALL, 0, found.least)
    within = {}
    for place in np.flatnonzero(told[unknown] == SMALL):
        aim = np.zeros(unknown.size)
        aim[place] = 1
        ends = [
            sign * linprog(sign * aim, A_eq=left, b_eq=right, bounds=np.stack([least, most], axis=1)).fun
            for sign in (1, -1)
        ]
        within[int(unknown[place])] = ends
    return within


def cells(gender, race, place, stages, people):
    axes = list(product(stages, gender, race, place))
    frame = pl.DataFrame(axes, schema=["stage", "protected.gender", "protected.race", "by.place"], orient="row")
    return frame.with_columns(decided=pl.Series([n for n, _ in people]), selected=pl.Series([k for _, k in people]))


@st.composite
def drawn_rows(draw):
    groups, races, places = (draw(st.integers(1, most)) for most in (2, 2, 3))
    size = groups * races * places
    people = [(n, draw(st.integers(0, n))) for n in draw(st.lists(st.integers(0, 14), min_size=size, max_size=size))]
    return cells("fm"[:groups], "ab"[:races], "xyz"[:places], ["applied"], people)


@given(drawn_rows())
@settings(max_examples=40, deadline=None)
def test_no_small_count_can_be_computed_from_what_is_published(rows):
    found = suppressed(cube_of(rows))
    for low, high in attacked(found).values():
        assert high - low > 1 - 1e-6


def test_the_attack_recovers_a_small_count_that_alone_is_withheld():
    rows = pl.DataFrame({"stage": ["", ""], "decided": [30, 12], "selected": [10, 3], "protected.gender": ["m", "f"]})
    cube = cube_of(rows)
    found = suppressed(cube)
    alone = np.where(cube.counts < 5, SMALL, SHOWN)
    ends = attacked(type(found)(cube=cube, told=alone, least=5))
    assert [ends[cell] for cell in ends] == [pytest.approx([3, 3])]
    assert (found.told == WITHHELD).any()


def test_counts_of_a_stage_that_goes_on_with_those_selected_are_withheld_with_them():
    first = [(40, 20), (36, 18), (30, 6), (9, 3)]
    second = [(k, k // 2) for _, k in first]
    rows = pl.concat([cells("fm", "a", "xy", [stage], people) for stage, people in (("a", first), ("b", second))])
    found = suppressed(cube_of(rows))
    assert all(high - low > 1 - 1e-6 for low, high in attacked(found).values())


def test_a_cube_without_small_counts_is_shown_whole():
    rows = cells("fm", "ab", "xy", ["applied"], [(40, 20)] * 8)
    assert (suppressed(cube_of(rows)).told == SHOWN).all()
