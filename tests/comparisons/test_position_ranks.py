"""Many positions against one reference: rank, shrunken ratio, and how many differ at a false discovery rate."""

import re

import numpy as np
import polars as pl
import pytest
from scipy.stats import fisher_exact

import evenhand as eh
from evenhand import stats

#: Position, then selected and people of women, and of men.
TABLE = [("low", 2, 60, 30, 60), ("high", 29, 30, 12, 30), ("none", 0, 8, 0, 9), ("men", 0, 0, 5, 9)] + [
    (f"p{place}", 10 + place % 3, 30, 11, 30) for place in range(26)
]


def people(table, *, twice=False):
    """Return a row per person; `twice` has everybody twice, with the same person."""
    rows = [
        {"position": position, "sex": sex, "hired": int(at < selected), "person": f"{position} {sex} {at}"}
        for position, *counts in table
        for sex, (selected, n) in (("woman", counts[:2]), ("man", counts[2:]))
        for at in range(n)
    ]
    return pl.DataFrame(rows * (1 + twice))


def ranked(frame, tmp_path, **options):
    asked = {"selected": "hired", "protected": "sex", "position": "position", "report": False, "out": tmp_path / "r"}
    run = eh.impact(frame, **asked | options)
    (finding,) = [finding for finding in run.findings if finding.measure == "positions_differing"]
    return pl.read_csv(run.folder / "positions.csv"), finding, run


def test_positions_are_ranked_against_one_reference_and_counted_at_a_false_discovery_rate(tmp_path):
    table, finding, run = ranked(people(TABLE), tmp_path, report=True)
    counts = [counts for _, *counts in TABLE]
    p = [fisher_exact([[a, n - a], [c, m - c]])[1] for a, n, c, m in counts if n and a + c]
    assert set(table["reference"]) == {"man"}  # also where women are selected more
    assert (table["position"][0], table["rank"].to_list()[:3]) == ("low", [1, 2, 3])
    by_position = {row["position"]: row for row in table.iter_rows(named=True)}
    assert by_position["low"]["probability_below"] > 0.99
    assert by_position["high"]["probability_below"] < 0.05
    assert 2 / 30 < by_position["low"]["shrunken_ratio"] < 0.5
    for name in ("none", "men"):
        assert by_position[name]["rank"] is None
        assert by_position[name]["p"] is None
        assert by_position[name]["reason"]
    assert by_position["low"]["p_fdr"] == pytest.approx(stats.benjamini_hochberg(p).p[0])
    assert (finding.n, finding.details.lower, finding.details.higher, finding.details.comparisons) == (28, 1, 1, 28)
    assert finding.estimate == pytest.approx(1 / 28)
    assert finding.claim is None
    page = re.sub("<[^>]+>", "", (run.folder / "report.html").read_text("utf-8")).replace("\xa0", " ")
    assert (
        "In 1 of 28 positions the selection rate was lower for women than for men and in 1 higher, at a false "
        "discovery rate of 5 % (Benjamini-Hochberg over 28 comparisons)."
    ) in page
    assert "Over 28 of 30 positions (others have people of one group only" in page
    assert "above 99.9 %" in page
    assert re.search(r"positions_differing_sex_woman\s*3\.6 %", page)


def test_whoever_stands_there_twice_counts_once(tmp_path):
    once, before, _ = ranked(people(TABLE), tmp_path)
    twice, finding, _ = ranked(people(TABLE, twice=True), tmp_path / "twice", cluster="person")
    assert finding.details.design_effect == pytest.approx(2, abs=0.08)
    both = once.join(twice, on="position").drop_nulls("shrunken_ratio")
    assert both.height
    assert np.allclose(both["shrunken_ratio"], both["shrunken_ratio_right"], atol=0.01)
    assert (finding.details.lower, finding.details.higher) == (before.details.lower, before.details.higher)


def test_two_positions_are_not_ranked(tmp_path):
    options = {"selected": "hired", "protected": "sex", "position": "position", "report": False}
    run = eh.impact(people(TABLE[4:6]), **options, out=tmp_path / "r")
    assert not (run.folder / "positions.csv").exists()
    assert "positions_differing" not in {finding.measure for finding in run.findings}
