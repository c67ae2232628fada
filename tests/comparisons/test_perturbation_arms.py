"""From people to findings: texts of real arms, scored by functions whose effect is known."""

import polars as pl
import pytest

from evenhand.comparisons.perturbation import Judging, margin_of, perturb_table, perturbation_findings
from evenhand.data.lexicons.names import group_names
from evenhand.masking.people import Person
from evenhand.results.schemas import STATUS, conform_outcomes
from evenhand.results.score_audit import arm_group_label
from evenhand.synthetic.arms import KINDS, Arms, choose_names, experiment_of
from evenhand.synthetic.templates import templates_of

TEXT = "{name}\n\n{title} {last} led {pronoun} team at Acme for {years} years.\n"
TOLD = {
    "female": ("Emily Walsh", "Ms.", "her"),
    "male": ("Todd Baker", "Mr.", "his"),
}


def people(n, genders=("female", "male", None)):
    for number in range(n):
        gender = genders[number % len(genders)]
        name, title, pronoun = TOLD[gender or "female"]
        text = TEXT.format(name=name, title=title, last=name.split()[1], pronoun=pronoun, years=number + 2)
        protected = {} if gender is None else {"gender": gender}
        yield Person(id=f"p{number}", text=text, known_names=(name,), protected=protected)


def row_of(arms, template, position, arm, number):
    """Return the columns that tell which text was scored."""
    place = f"{template.id}/{position}"
    own = arms.own_group(template)
    return {
        "item": template.id,
        "unit": f"{place}/{arm.label}/{number}",
        "set": place,
        "pair": f"{place}/{number}",
        "arm": arm.label,
        "context.person": template.id,
        "context.position": position,
        "context.name": arms.names(template, arm)[number].name.text,
        "context.own": None if own is None else arm_group_label(own),
    }


def run(scorer, *, by=("gender",), kinds=KINDS, reference=None, genders=("female", "male", None)):
    templates = templates_of(people(15, genders))
    assert not templates.left_out
    arms = Arms(choice=choose_names(group_names(), by=by, per_group=10, seed=1), kinds=kinds, reference=reference)
    rows = [
        {**row_of(arms, template, position, arm, number), "score": scorer(found.text, position)}
        for template in templates.templates
        for arm, number, found in arms.texts(template)
        for position in ("baker", "welder")
    ]
    outcomes = conform_outcomes(
        pl.DataFrame(rows).with_columns(
            pl.lit(0, pl.Int32).alias("attempt"), pl.lit("observed").cast(STATUS).alias("status")
        )
    )
    experiment = experiment_of(arms, templates)
    judging = Judging(margin=margin_of("1"))
    found = perturbation_findings(outcomes.lazy(), experiment, judging, seed=0, permutations=199, confidence=0.95)
    table = perturb_table(found).filter(pl.col("position") == "")
    return {(row["arm"], row["group"], row["reference"]): row for row in table.iter_rows(named=True)}


def years(text, position):
    return float(text.split(" years")[0].split()[-1]) + len(position)


def likes_her(text, position):
    return years(text, position) + 5.0 * ("her" in text.replace(",", " ").split() or "she/her" in text)


def likes_women_in_lines(text, position):
    return years(text, position) + 5.0 * ("Women" in text)


def test_a_scorer_that_is_blind_to_groups_is_equivalent_in_all_arms():
    rows = run(years)
    assert {row["difference"] for row in rows.values()} == {0.0}
    assert {row["verdict"] for row in rows.values()} == {"no_difference_detected"}
    assert {(row["n_people"], row["equivalent"]) for row in rows.values()} == {(15, True), (10, True), (5, None)}
    assert {row["n_people"] for key, row in rows.items() if key[0] != "placebo"} == {15}


@pytest.mark.parametrize("reference", [None, "female"])
def test_pronouns_move_what_goes_by_pronouns_and_nothing_else(reference):
    rows = run(likes_her, kinds=("name", "name+pronouns", "placebo"), reference=reference)
    sides = ("male", "female") if reference else ("female", "male")
    moved = rows["name+pronouns", *sides]
    assert moved["difference"] == pytest.approx(-5.0 if reference else 5.0)
    assert (moved["n_people"], moved["n_pairs"], moved["verdict"]) == (15, 15 * 2 * 12, "difference")
    assert rows["name", *sides]["difference"] == 0.0
    assert rows["placebo", "female", "female"]["difference"] == 0.0


@pytest.mark.parametrize("genders", [("female", "male", None), (None,), ("female",)])
def test_a_line_is_held_against_the_control_line_whatever_the_own_group(genders):
    rows = run(likes_women_in_lines, kinds=("affinity", "combined"), genders=genders)
    assert rows["affinity", "female", "neutral line"]["difference"] == pytest.approx(5.0)
    assert rows["affinity", "male", "neutral line"]["difference"] == 0.0
    assert rows["combined", "female", "male"]["difference"] == pytest.approx(5.0)
    assert {row["n_people"] for row in rows.values()} == {15}


def test_crossed_groups_are_told_by_both():
    rows = run(years, by=("gender", "race"), kinds=("name",), genders=(None,))
    assert len(rows) == 7
    assert ("name", "female × asian", "male × white") in rows
