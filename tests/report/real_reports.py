"""A small run of each kind, with its pages."""

import random
import warnings

import polars as pl
from typer.testing import CliRunner

import evenhand
from evenhand.cli import app

PROBES = ("hiring-an", "hiring-bloomberg", "business-vocabulary", "an2024")
#: Where the page of each run lies.
PAGES = {
    **{name: f"{name}/report.html" for name in PROBES},
    "suite": "suite/report.html",
    "comparison": "comparison/report.html",
    "impact": "impact/report.html",
    "law": "impact/ll144.html",
    "perturb": "perturb/report.html",
}


def write_reports(folder):
    """Write a run of each kind below `folder`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in PROBES:
            evenhand.probe(name, "sim:stereotyping", sample=120, out=folder / name)
        evenhand.probe("hiring-an", "sim:unbiased", sample=120, out=folder / "other")
        evenhand.audit("sim:masculine", sample=40, out=folder / "suite")
        evenhand.impact(
            applicants(),
            protected=["sex", "race"],
            selected="decision=hired",
            position="position",
            ll144=True,
            out=folder / "impact",
        )
        evenhand.perturb(
            scorer="sim:shift?female=-1",
            margin=2,
            sample=6,
            names_per_group=2,
            arms=["name", "affinity"],
            out=folder / "perturb",
        )
    compared = [str(folder / name) for name in ("hiring-an", "other")]
    assert CliRunner().invoke(app, ["compare", *compared, "--out", str(folder / "comparison")]).exit_code == 0


def applicants():
    draw = random.Random(5)
    rows = [
        {
            "sex": sex,
            "race": draw.choice(("White", "Black", "Asian", "Hispanic")),
            "decision": "hired" if draw.random() < (0.5 if sex == "male" else 0.3) else "no",
            "position": draw.choice(("nurse", "clerk", "driver")),
        }
        for sex in ("female", "male") * 300
    ]
    return pl.DataFrame(rows)
