"""`monitor golden propose` as people type it: from recorded decisions to estimates of all, apart from chosen cases.

Of 600 people the screener judges 85 % as people do; where its score is near to the cut-off, half.
"""

import csv
import json
import random
import re

import pytest
from _cli import environment, evenhand, findings, refused
from _golden import POSITIONS

STORE = ("--store", "history.db")
#: The draw follows the key.
KEY = environment(EVENHAND_STORE_KEY="of tests")
TRUE_ACCURACY, NEAR = 0.86, 0.06


def golden(folder, *words, code=0):
    return evenhand("monitor golden", *words, cwd=folder, env=KEY, code=code)


def people(n=600):
    """Return people with the score of the screener, the years in their texts, and whether these say otherwise."""
    drawn = random.Random(4)
    rows = []
    for number in range(n):
        score = round(drawn.uniform(0.02, 0.98), 3)
        near = abs(score - 0.5) < NEAR
        wrong = drawn.random() < (0.5 if near else 0.1)
        rows.append({"unit": f"c{number}", "score": score, "yes": (score > 0.5) != wrong, "woman": number % 3 == 0})
    return rows


def write_stream(folder):
    """Write the decisions, the texts, and the scores of the next version, by the text."""
    with (folder / "decisions.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["at", "case", "score", "invited", "gender"])
        for number, row in enumerate(people()):
            day = f"2026-03-{number // 20 + 1:02}"
            decided = "yes" if row["score"] > 0.5 else "no"
            writer.writerow([day, row["unit"], row["score"], decided, "female" if row["woman"] else "male"])
    texts = [
        {
            "id": f"text {number}",
            "case": row["unit"],
            "text": f"Emily Walsh\nNurse for {40 if row['yes'] else 2} years and {number} days.",
            "known_names": ["Emily Walsh"],
        }
        for number, row in enumerate(people())
    ]
    (folder / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
    (folder / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")


PROPOSE = ("propose", "texts.jsonl", *STORE, "--model", "screener", "--positions", "positions.jsonl", "--unit", "case")


def labelled(folder, *, by):
    """Label the cases that are open, by the years."""
    golden(folder, "label", *STORE, "--by", by, "--out", f"{by}.csv", "--force")
    with (folder / f"{by}.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["label"] = "yes" if "for 40 years" in row["resume"] else "no"
    with (folder / f"{by}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    golden(folder, "label", f"{by}.csv", *STORE, "--by", by)
    return rows


def export(folder, store=STORE):
    golden(folder, "export", *store, "--out", "golden.jsonl", "--force")
    return [json.loads(line) for line in (folder / "golden.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a store of proposed cases, labelled and closed, and a run of the screener on them."""
    folder = tmp_path_factory.mktemp("stream")
    write_stream(folder)
    record = ("monitor", "record", "decisions.csv", *STORE, "--model", "screener", "--time", "at", "--unit", "case")
    columns = ("--score", "score", "--selected", "invited", "--protected", "gender")
    evenhand(*record, *columns, cwd=folder, env=KEY)
    golden(folder, "propose", *STORE, "--switch-on", "--by", "carla")
    told = golden(folder, *PROPOSE, "--draw", "90", "--choose", "40", "--cutoff", ".5").stdout
    assert "90 of 600 new cases were drawn at random, in 2 strata;" in " ".join(told.split())
    for by in ("ana", "ben"):
        rows = labelled(folder, by=by)
        assert len(rows) == 130
        sheet = repr(rows)
        assert not any(word in sheet for word in ("random", "margin", "covered", "Emily", "female"))
    golden(folder, "close", *STORE, "--by", "carla")
    scores = {f"{number} days": row["score"] for number, row in enumerate(people())}
    rows = [f"{row['id']},{scores[re.search(r'[0-9]+ days', row['text'])[0]]}\n" for row in export(folder)]
    (folder / "scores.csv").write_text("".join(["id,score\n", *rows]), encoding="utf-8")
    golden(folder, *RUN, "--out", "first")
    return folder


RUN = ("run", *STORE, "--model", "screener", "--scorer", "replay:scores.csv", "--cutoff", ".5")


def test_accuracy_and_kappa_are_estimated_from_the_drawn_alone(folder):
    rows, audit = findings(folder / "first")
    right = [(row["score"] > 0.5) == row["yes"] for row in people()]
    true = sum(right) / len(right)
    assert true == pytest.approx(TRUE_ACCURACY, abs=0.015)
    drawn, of_cases, kappa = (rows[name] for name in ("drawn_accuracy", "accuracy", "drawn_kappa"))
    assert (drawn["n"], of_cases["n"], audit["drawn"], audit["drawn_of"]) == (90, 130, 90, 90)
    assert drawn["low"] < true < drawn["high"]
    assert of_cases["estimate"] < drawn["estimate"]  # low margins are hard
    assert kappa["low"] < 2 * true - 1 < kappa["high"]  # as many yes as no
    groups = {tuple(row["focal"].values()) for row in rows.values() if row["measure"] == "drawn_kappa"}
    assert groups == {(), ("female",), ("male",)}
    chosen = {row["reason"]: row["cases"] for row in audit["chosen"]}
    assert sum(chosen.values()) == 40
    assert chosen.keys() == {"low margin", "thinly covered"}
    page = (folder / "first" / "report.html").read_text("utf-8")
    assert "Estimates from drawn cases" in page
    assert "Cases chosen to be looked at" in page
    days = json.loads(evenhand("monitor status", *STORE, "--json", cwd=folder).stdout)["days"]
    (today,) = [day["golden_accuracy"] for day in days if "golden_accuracy" in day and day["model"] == "screener"]
    assert today == drawn["estimate"]


def test_a_page_tells_coverage_and_a_bundle_is_computed_again(folder):
    coverage = {(row["name"], row["value"]): row for row in findings(folder / "first")[1]["coverage"]}
    assert coverage["gender", "female"]["recorded"] == pytest.approx(1 / 3)
    assert coverage["", ""]["cases"] == 130
    evenhand("bundle first --out first.zip --force", cwd=folder)
    done = evenhand("verify first.zip --json", cwd=folder)
    (run,) = json.loads(done.stdout)["runs"]
    assert run["findings"] == run["recomputed"]


def test_labellers_agreement_is_estimated_from_the_drawn_too(folder):
    rows = json.loads(golden(folder, "agreement", *STORE, "--json").stdout)["kappa"]
    assert [(row["drawn"], row["plain"]["n"]) for row in rows[:2]] == [(True, 90), (False, 130)]


def test_strata_and_the_days_to_keep_go_with_an_export(folder):
    rows = export(folder)
    golden(folder, "import", "golden.jsonl", "--store", "other.db")
    again = export(folder, ("--store", "other.db"))
    assert [row | {"versions": []} for row in rows] == again
    assert sum(row["drawn"] is not None for row in rows) == 90
    assert all(row["keep_until"] for row in rows)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("propose", *STORE), "TEXTS is missing"),
        (("propose", *STORE, "--switch-on"), "--by NAME is missing: give the person who decides this."),
        (
            ("propose", *STORE, "--switch-on", "--switch-off", "--by", "x"),
            "alone, without the other and without TEXTS.",
        ),
        (("propose", "texts.jsonl", *STORE, "--switch-on", "--by", "x"), "alone, without the other and without TEXTS."),
        ((*PROPOSE, "--keep-days", "999"), "--keep-days 999: carla allowed 180 days; give that many or fewer."),
        ((*PROPOSE[:4], "--model", "screener"), "--positions is missing"),
        (("forget", *STORE), "Give one of these: the ID of a case, --unit UNIT or --expired."),
        (("forget", "x", *STORE, "--expired"), "Give one of these: the ID of a case, --unit UNIT or --expired."),
        (("forget", *STORE, "--unit", "nobody"), "No golden case with a text belongs to this unit"),
    ],
)
def test_what_can_not_be_is_told_in_a_line(folder, words, told):
    refused("monitor golden", *words, told=told, cwd=folder, env=KEY)
