"""Cubes are computed once per version of the counts, ahead of who asks, and are told whole or not at all."""

import threading
from unittest.mock import Mock

import numpy as np
import polars as pl
from scipy.optimize import linprog

from asked_pages import Browser
from evenhand.dashboard import disclosure as cells
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.disclosure import WITHHELD, Cubes, cube_of, suppressed
from evenhand.dashboard.request import Dashboards

ROWS = pl.DataFrame(
    {
        "stage": ["", "", "", ""],
        "decided": [30, 12, 9, 8],
        "selected": [10, 3, 2, 8],
        "protected.gender": ["m", "f", "m", "f"],
        "by.team": ["x", "x", "y", "y"],
        "by.place": ["a", "b", "c", "d"],
    }
)


def test_a_cube_is_computed_once_and_again_when_more_was_recorded(store):
    cubes = Cubes()
    cubes.prepare(store)
    first = cubes.of(store, "<hiring>")
    assert first.result().cube.counts.size
    assert cubes.of(store, "<hiring>") is first
    cubes.begun[store, "<hiring>"] = ("another version", first)
    assert cubes.of(store, "<hiring>") is not first


def test_who_asks_before_a_cube_is_there_gets_a_page_that_asks_again(store):
    cubes = Cubes(patience=0.01)
    shown = Dashboards(access=Access(host="127.0.0.1"), store=store, cubes=cubes)
    browser = Browser(application(shown))
    with cubes.turn:  # another cube is being computed
        got = browser.get("/diversity")
        assert got.headers["refresh"] == "3"
        assert "asks again by itself" in got.text
        assert (got.status_code, browser.get("/diversity?format=csv").status_code) == (200, 503)
    while "refresh" in browser.get("/diversity").headers:
        threading.Event().wait(0.01)


def test_without_time_nothing_is_told():
    assert (suppressed(cube_of(ROWS), left=lambda: 0.0).states == WITHHELD).all()


def test_no_time_limit_reaches_the_solver_as_its_answer_would_depend_on_how_busy_the_machine_is(monkeypatch):
    monkeypatch.setattr("scipy.optimize.linprog", solver := Mock(wraps=linprog))
    suppressed(cube_of(ROWS), left=lambda: 60.0)
    assert not solver.call_args.kwargs.get("options")


def test_breakdowns_that_make_a_cube_too_large_are_left_out(monkeypatch):
    monkeypatch.setattr(cells, "MOST_CELLS", 20)
    cube = cube_of(ROWS)
    assert cube.left_out == ["place"]
    assert list(cube.values) == ["", "team"]
    assert np.array_equal(cube.counts[cube.tables[(), "team"]][0], [[42, 13], [17, 10]])
