"""How the page of a perturbation test opens: each case was read, and its numbers are those of its scores."""

import tomllib
from pathlib import Path

import polars as pl
import pytest

from evenhand.comparisons.perturbation import Judging, margin_of, perturbation_findings
from evenhand.report.perturb.summary import perturb_summary
from evenhand.results.schemas import conform_outcomes
from evenhand.results.score_audit import NEUTRAL, ArmComparison, Experiment, PerturbAudit
from evenhand.results.table_groups import perturb_groups

GROUPS = ("male", "female")
REVIEWED = tomllib.loads(Path(__file__).with_name("reviewed.toml").read_text("utf-8"))["perturb"]


def experiment(kinds):
    compared = [
        ArmComparison(
            kind=kind,
            own=None,
            group=("female",),
            reference=NEUTRAL if kind == "affinity" else ("male",),
            arm=f"{kind} female",
            against=f"{kind} male",
        )
        for kind in kinds
    ]
    placebo = [
        ArmComparison(
            kind="placebo",
            own=None,
            group=("female",),
            reference=("female",),
            arm="other female",
            against=f"{kinds[0]} female",
        )
    ]
    return Experiment(by=("gender",), groups=tuple((each,) for each in GROUPS), compared=(*compared, *placebo))


def moved(person, kind):
    """Return by how much a résumé's scores move by more than the effect: the same for all names of one person."""
    return (person % 5 - 2) * (0.5 if kind == "placebo" else 1.0)


def outcomes(effects, *, people, names=10, moves=True, status=lambda *_: "observed"):
    """Return scores of a person for one position: `effects` are by kind, the placebo's among them."""
    rows = []
    for person in range(people):
        for name in range(names):
            arms = {"other female": 40 + effects.get("placebo", 0.0) + moves * moved(person, "placebo")}
            first = next(kind for kind in effects if kind != "placebo")
            for kind, effect in effects.items():
                if kind != "placebo":
                    arms[f"{kind} female"] = 40.0
                    arms[f"{kind} male"] = 40.0 - effect - moves * moved(person, kind)
            arms["other female"] += arms[f"{first} female"] - 40
            for arm, score in arms.items():
                observed = status(person, arm) == "observed"
                rows.append(
                    {
                        "item": f"p{person}",
                        "unit": f"p{person}/{arm}/{name}",
                        "set": f"p{person}",
                        "pair": f"p{person}/{name}",
                        "arm": arm,
                        "attempt": 0,
                        "score": score if observed else None,
                        "status": status(person, arm),
                        "reading": "number" if observed else "out of range",
                        "protected.gender": arm.split()[-1],
                        "context.person": f"p{person}",
                        "context.position": "n",
                        "context.name": f"{arm} {name}",
                        "context.own": None,
                    }
                )
    frame = pl.DataFrame(rows, schema_overrides={"context.own": pl.String, "score": pl.Float64})
    return conform_outcomes(frame).lazy()


def opened(effects, *, margin="1", arms=None, model="", **more):
    """Return the opening of scores, and their differences by kind of arm."""
    kinds = [kind for kind in effects if kind != "placebo"]
    found = perturbation_findings(
        outcomes(effects, **more),
        experiment(kinds),
        Judging(margin=margin_of(margin)),
        seed=1,
        permutations=999,
        confidence=0.95,
    )
    audit = PerturbAudit(
        arms=arms or (*kinds, "placebo"),
        experiment=experiment(kinds),
        model=model,
        reproduce="evenhand perturb --scorer x",
    )
    groups = perturb_groups(found, audit)
    return perturb_summary(groups, audit), {each.slice["arm"]: each for each in groups.whole}


@pytest.mark.parametrize("case", REVIEWED.values(), ids=REVIEWED)
def test_opening(case):
    opening, _ = opened(case["effects"], **case["more"])
    assert [text for text in opening.sentences if not text.startswith("Exploratory: ")] == case["sentences"]


# 8 of 20 people cross the median of the scores: a standard error of (.4 · .6 / 19)^.5 = .1124, t(19) = 3.559.


@pytest.mark.parametrize(
    ("effects", "decisions"),
    [
        (
            {"name": 0.2, "placebo": 0.0},
            "2 of 2 comparisons, placebos included; the largest difference is −40.0 percentage points, "
            "Name: female − male (95 % CI −63.5 to −16.5; p = 0.002 alone and over 2 comparisons).",
        ),
        (
            {"name": 3.0, "placebo": 0.0},  # its mean scores differ, and the placebo's do not
            "1 of 2 comparisons, placebos included; the largest difference is +40.0 percentage points, "
            "Placebo: female, other names (95 % CI +16.5 to +63.5; p = 0.002 alone, 0.004 over 2 comparisons).",
        ),
    ],
)
def test_decisions_that_differ_are_named_where_mean_scores_do_not(effects, decisions):
    opening, _ = opened(effects, people=20)
    said, *_ = (text for text in opening.sentences if text.startswith("Exploratory: "))
    assert said == f"Exploratory: selection rates at the cut-off differ statistically significantly in {decisions}"


def test_who_is_in_the_first_places_is_named_where_mean_scores_differ_too():
    opening, _ = opened({"name": -3.0, "placebo": 0.0}, people=20)
    *_, said = (text for text in opening.sentences if text.startswith("Exploratory: "))
    assert said.startswith(
        "Exploratory: shares in the top 5 of all résumés for a position differ statistically significantly in 2 of 2 "
        "comparisons, placebos included; the largest difference is "
    )


def test_one_resume_is_too_few():
    opening, _ = opened({"name": -3.0, "placebo": 0.0}, people=1)
    assert opening.sentences[0].startswith("In these scores, the same résumés were scored 5.0 points lower")
    assert "There is no verdict:" in opening.sentences[0]


def test_nothing_that_was_read():
    opening, _ = opened({"name": -3.0, "placebo": 0.0}, people=5, status=lambda *_: "undetected")
    assert opening.sentences[0].startswith("Nothing can be said about these scores: ")
    assert opening.sentences[-1] == "150 of 150 answers (100.0 %) held no score."


def test_scores_that_lack_in_one_arm_are_told():
    opening, by_kind = opened(
        {"name": -3.0, "placebo": 0.0},
        people=20,
        status=lambda person, arm: "undetected" if arm == "name female" and person < 8 else "observed",
    )
    assert opening.sentences[-1] == (
        "80 of 600 answers (13.3 %) held no score. More often in one arm than in another: see Unread scores."
    )
    assert by_kind["name"].n == 120


def test_the_table_has_every_arm_and_the_placebo_last():
    opening, by_kind = opened({"name": -3.0, "affinity": 0.0, "placebo": 0.1}, people=20)
    (table,) = opening.tables
    assert table.caption == "Difference of scores in points, the same résumés in two arms; margin ±1"
    assert [list(row) for row in table.rows] == [
        ["Name: female − male", "−3.00", "−3.68 to −2.32", "20", "200", "< 0.001", "difference"],
        ["Affinity: female − neutral line", "0.00", "−0.68 to +0.68", "20", "200", "1.000", "equivalent"],
        ["Placebo: female, other names", "+0.10", "−0.24 to +0.44", "20", "200", "1.000", "equivalent"],
    ]
    assert by_kind["name"].low == pytest.approx(-3 - 2.0930 * (40 / 19 / 20) ** 0.5, abs=1e-4)


@pytest.mark.parametrize(
    ("effects", "arms", "questions"),
    [
        ({"name": -3.0, "placebo": 0.0}, None, ["Do pronouns or a line", "In which positions"]),
        ({"name": 0.5, "placebo": 0.0}, None, ["Would more than 20 résumés decide it?", "Do pronouns or a line"]),
        ({"name": 0.0, "affinity": 0.0, "placebo": 0.0}, None, []),
        ({"name": 0.0, "placebo": 0.0}, ("name",), ["How far do names move scores", "Do pronouns or a line"]),
    ],
)
def test_next_steps(effects, arms, questions):
    opening, _ = opened(effects, people=20, arms=arms)
    assert [step.question.startswith(begin) for step, begin in zip(opening.steps, questions, strict=True)] == [
        True for _ in questions
    ]
    for step in opening.steps:
        assert not step.command or step.command.startswith("evenhand perturb --scorer x ")


def test_a_placebo_of_saved_scores_needs_other_arms():
    opening, _ = opened({"name": 0.0, "placebo": 0.0}, people=20, arms=("name",), model="replay:scores.csv")
    (step,) = opening.steps
    assert step.question.endswith("Write the arms, and have them scored, without --no-placebo.")
