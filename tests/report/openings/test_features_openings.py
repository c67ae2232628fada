"""How the page of a table of features opens: reviewed sentences over tables whose features are known."""

import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import evenhand
from evenhand.report.page.contents import page_of
from evenhand.results.result import read_result

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # remarks stand on the page
REVIEWED = tomllib.loads(Path(__file__).with_name("reviewed.toml").read_text("utf-8"))["features"]
ROWS = 400
SEX = ["f", "m"] * (ROWS // 2)
#: Numbers that tell nothing of every second row.
EVEN = [n // 2 % 20 for n in range(ROWS)]
#: Of people of the same sex all values differ; of 100 pairs 75 have the man above.
TELLS = [n // 2 % 100 + (50 if n % 2 else 0) for n in range(ROWS)]
#: The same with 100 pairs and a man 10 above.
WEAK = [n // 2 % 100 + (10 if n % 2 else 0) for n in range(ROWS)]
RANGES = """
[features.x]
range = [0, 10]
[features.z]
range = [0, 150]
zeros = 0.1
[features.one]
range = [0, 1]
"""

CASES = {
    "nothing to see": ({"x": EVEN, "y": EVEN[::-1]}, {}),
    "a proxy": ({"x": EVEN, "z": TELLS}, {}),
    "proxies below the strongest": (
        {"x": EVEN, "z": TELLS, **{f"w{place}": WEAK[2 * place :] + WEAK[: 2 * place] for place in range(5)}},
        {},
    ),
    "stated": ({"x": EVEN, "z": TELLS, "one": ["a"] * ROWS}, {"expect": RANGES}),
    "shares and text": (
        {"x": EVEN, "told": [f"{('He' if n % 2 else 'She')} sings, number {n}" for n in range(ROWS)]},
        {"expect": "[reference.sex]\nf = 0.6\nm = 0.4\n", "scan": 50},
    ),
}


def test_a_small_group_that_chance_tells_best_hides_no_proxy_of_others(tmp_path):
    sex = ["f", "m"] * 200 + ["x"] * 12
    slightly = [n // 2 % 100 + (10 if n % 2 else 0) for n in range(400)] + [99] * 8 + [0] * 4
    run = evenhand.features(
        pl.DataFrame({"sex": sex, "z": slightly}), protected=["sex"], sample=0, out=tmp_path / "run"
    )
    areas = {each.focal["sex"]: each for each in run.findings if each.measure == "proxy_power"}
    assert areas["x"].estimate > max(areas["f"].estimate, areas["m"].estimate)
    assert areas["x"].p_adjusted > 0.05 > areas["m"].p_adjusted
    content = read_result(run.folder)
    told = page_of(content).opening(content).sentences
    (also,) = (each for each in told if "predicts sex" in each)
    assert "z predicts sex m (AUC" in also
    assert "z predicts sex f (AUC" in also
    assert not any("No single feature" in each for each in told)


@pytest.fixture(scope="module")
def openings(tmp_path_factory):
    found = {}
    for name, (columns, options) in CASES.items():
        folder = tmp_path_factory.mktemp("features")
        asked = {"protected": ["sex"], "sample": 0, **options}
        if "expect" in asked:
            (folder / "expected.toml").write_text(asked["expect"], encoding="utf-8")
            asked["expect"] = folder / "expected.toml"
        run = evenhand.features(pl.DataFrame({"sex": SEX, **columns}), out=folder / "run", report=False, **asked)
        content = read_result(run.folder)
        found[name] = page_of(content).opening(content)
    return found


@pytest.mark.parametrize("name", CASES)
def test_opening(openings, name):
    assert list(openings[name].sentences) == REVIEWED[name]["sentences"]
    assert [list(row) for table in openings[name].tables for row in table.rows] == REVIEWED[name]["rows"]


@pytest.mark.parametrize(("values", "told"), [(TELLS, (0.875, 0.840, 0.903)), (EVEN, (0.5, 0.444, 0.556))])
def test_areas_are_those_of_all_pairs(values, told):
    # DeLong, DeLong and Clarke-Pearson (1988) on the matrix of pairs; limits on the logit.
    values, men = np.array(values), np.array(SEX) == "m"
    above = np.heaviside(values[men][:, None] - values[~men][None, :], 0.5)
    area = above.mean()
    variance = sum(above.mean(axis=axis).var(ddof=1) / (ROWS / 2) for axis in (0, 1))
    ends = np.log(area / (1 - area)) + np.array([-1.959964, 1.959964]) * variance**0.5 / (area * (1 - area))
    assert (area, *(1 / (1 + np.exp(-ends)))) == pytest.approx(told, abs=0.0005)
