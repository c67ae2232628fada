"""From people to findings: texts of real arms, scored by functions whose effect is known."""

import polars as pl
import pytest

from evenhand.errors import InputError
from evenhand.findings.scores.perturbation.findings import Judging, perturb_table, perturbation_findings
from evenhand.findings.scores.perturbation.margin import margin_of
from evenhand.lexicons.names import group_names
from evenhand.resumes.arms.arms import KINDS, Arms
from evenhand.resumes.arms.choosing import choose_names
from evenhand.resumes.arms.experiment import experiment_of, outcome_columns
from evenhand.resumes.arms.template import templates_of
from evenhand.resumes.people.person import Person
from evenhand.tables.schemas import STATUS, conform_outcomes

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


def run(scorer, *, by=("gender",), kinds=KINDS, reference=None, genders=("female", "male", None)):
    templates = templates_of(people(15, genders))
    assert not templates.left_out
    arms = Arms(choice=choose_names(group_names(), by=by, per_group=10, seed=1), kinds=kinds)
    rows = [
        {**outcome_columns(arms, template, position, arm=arm, number=number), "score": scorer(found.text, position)}
        for template in templates.templates
        for arm, number, found in arms.texts(template)
        for position in ("baker", "welder")
    ]
    outcomes = conform_outcomes(
        pl.DataFrame(rows).with_columns(
            pl.lit(0, pl.Int32).alias("attempt"), pl.lit("observed").cast(STATUS).alias("status")
        )
    )
    experiment = experiment_of(arms, templates, reference=reference)
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
    # Of 15 people 5 are known to be women and 5 men, and those that a line is held against a control for are fewer.
    assert {row["difference"] for row in rows.values()} == {0.0}
    assert {rows[key]["verdict"] for key in rows if key[0] in {"name", "name+pronouns"}} == {"equivalent"}


@pytest.mark.parametrize("reference", [None, "male"])
def test_pronouns_move_what_goes_by_pronouns_and_nothing_else(reference):
    rows = run(likes_her, kinds=("name", "name+pronouns", "placebo"), reference=reference)
    sides = ("female", "male") if reference else ("male", "female")
    moved = rows["name+pronouns", *sides]
    assert moved["difference"] == pytest.approx(5.0 if reference else -5.0)
    assert (moved["n_people"], moved["n_pairs"], moved["verdict"]) == (15, 15 * 2 * 12, "difference")
    assert rows["name", *sides]["difference"] == 0.0
    assert rows["placebo", "female", "female"]["difference"] == 0.0


def test_a_line_is_held_against_the_control_line_for_each_own_group():
    rows = run(likes_women_in_lines, kinds=("affinity",))
    assert rows["affinity", "female", "male"]["difference"] == pytest.approx(5.0)  # of men
    assert rows["affinity", "male", "female"]["difference"] == 0.0
    assert rows["affinity", "female", "female"]["difference"] == pytest.approx(5.0)  # of those who tell nothing
    assert [rows[key]["n_people"] for key in rows] == [5, 5, 5, 5]


def test_crossed_groups_are_told_by_both():
    rows = run(years, by=("gender", "race"), kinds=("name",), genders=(None,))
    assert len(rows) == 8 * 7 / 2
    assert ("name", "male × white", "female × asian") in rows


def test_a_reference_that_is_no_group_is_refused():
    with pytest.raises(InputError, match="--reference 'women' is none of the groups; expected female, male"):
        run(years, kinds=("name",), reference="women")
