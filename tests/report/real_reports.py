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
    "evaluate": "evaluate/report.html",
    "match": "match/report.html",
    "explained": "explained/report.html",
    "cards": "candidates/recommendations.html",
}


def write_reports(folder):
    """Write a run of each kind below `folder`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in PROBES:
            evenhand.probe(name, "sim:stereotyping", sample=120, out=folder / name)
        evenhand.probe("hiring-an", "sim:unbiased", sample=120, out=folder / "other", report=False)
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
        evenhand.evaluate(
            scored(),
            label="stayed",
            score="fit",
            against="old",
            cutoff=0.5,
            protected=["sex", "race"],
            by=["position"],
            similar_by=["years"],
            out=folder / "evaluate",
        )
        write_matches(folder)
    compared = [str(folder / name) for name in ("hiring-an", "other")]
    assert CliRunner().invoke(app, ["compare", *compared, "--out", str(folder / "comparison")]).exit_code == 0


def write_matches(folder):
    """Write a matcher that was trained, scores that are explained, and a list of candidates."""
    size = ["--people", "60", "--positions", "12", "--pairs", "500"]
    company = folder / "company"
    assert CliRunner().invoke(app, ["data", "company", *size, "--out", str(company)]).exit_code == 0
    whom = {
        "people": company / "people.jsonl",
        "positions": company / "positions.jsonl",
        "cache": folder / "masked.sqlite",
    }
    pairs = company / "pairs.csv"
    run = evenhand.match_train(pairs, label="advanced", protected=["gender", "race"], out=folder / "match", **whom)
    matcher = run.folder / "matcher.json"
    evenhand.match_explain(matcher=matcher, pairs=pairs, out=folder / "explained", **whom)
    evenhand.match_recommend(matcher=matcher, ranked="positions", out=folder / "candidates", **whom)


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


def scored():
    """Return applicants with two versions of a score, and whether they stayed."""
    draw = random.Random(6)
    happened = []
    for _ in range(600):
        merit = draw.random()
        fit, old = (round(0.05 + 0.9 * (0.6 * merit + 0.4 * draw.random()), 3) for _ in range(2))
        happened.append({"fit": fit, "old": old, "stayed": draw.random() < merit, "years": draw.randrange(20)})
    return pl.concat([applicants(), pl.DataFrame(happened)], how="horizontal")
