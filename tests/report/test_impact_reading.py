"""What the report of an analysis of applicants says about cut-offs, positions, unknown groups and qualifications."""

import re
from html import unescape

import polars as pl
import pytest
from page import read_findings, written_page
from test_impact_report import answers, section
from test_tables import table

import evenhand
from evenhand.data.examples import berkeley_applicants

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # remarks stand on the page


def analysed(frame, folder, **options):
    """Run the analysis; return its findings and its report."""
    run = evenhand.impact(frame, out=folder, report=False, **options)
    return read_findings(folder), written_page(run)


def test_scores_that_are_all_alike_leave_out_the_chart_of_ratios_and_say_why(tmp_path):
    frame = pl.DataFrame({"gender": ["women", "men"] * 30, "score": [1.0] * 60})
    options = {"score": "score", "cutoff": [3.0], "median": True, "means": True, "protected": ["gender"]}
    _, html = analysed(frame, tmp_path / "run", **options)
    swept = section(html, "cutoffs")[0]
    assert "No chart of impact ratios: at none of the cut-offs is anybody selected" in swept
    assert "Impact ratio by cut-off" not in swept
    assert "Selection rate by cut-off" in swept


# Department A admitted 62 % of 825 men and 82 % of 108 women (Bickel, Hammel and O'Connell 1975).
def test_the_group_that_is_behind_in_a_position_is_named_with_what_chance_would_do(tmp_path):
    options = {"selected": "admitted", "protected": ["gender"], "position": "department"}
    content, html = analysed(berkeley_applicants(), tmp_path / "run", **options)
    said = unescape(section(html, "positions")[0])
    assert "In 1 of 6 positions (A) the impact ratio of men is below four-fifths." in said
    (shown,) = content["audit"]["shown"]["positions"]
    expected = shown["expected_by_chance"] * 6
    found = re.search(r"False positives to expect of the four-fifths rule: (?:about|fewer than) ([\d.]+) of 6", said)
    assert float(found[1]) == pytest.approx(expected, abs=0.1)
    assert "Of 6 comparisons, 6 have an impact ratio; statistically significant: 1 after adjustment, 1 before." in said


def test_one_position_is_no_plural_and_the_definition_is_named_where_several_ran(tmp_path):
    rows = [
        {"group": group, "job": "clerk", "score": 5.0 if number < high else 1.0}
        for group, high in (("4 x 4 club", 10), ("4 x 6 club", 20))
        for number in range(40)
    ]
    options = {"score": "score", "cutoff": [2.0, 3.0], "protected": ["group"], "position": "job"}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    said = section(html, "positions")[0]
    assert "<h3>Group: score above 2</h3>" in said
    assert "In 1 of 1 position (clerk) the impact ratio of 4 x 4 club is below four-fifths." in said
    assert "Of 1 comparison, 1 has an impact ratio; statistically significant: " in said
    assert "4 × 4" not in html


def test_several_groups_behind_are_counted_by_position(tmp_path):
    counts = {"one": (2, 4, 10), "two": (2, 9, 10)}  # selected of twenty each in groups a, b and c
    rows = [
        {"group": group, "job": job, "hired": "yes" if number < selected else "no"}
        for job, numbers in counts.items()
        for group, selected in zip("abc", numbers, strict=True)
        for number in range(20)
    ]
    options = {"selected": "hired", "protected": ["group"], "position": "job", "reference": {"group": "c"}}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    said = section(html, "positions")[0]
    assert "In 2 of 2 positions (one and two) a group is below four-fifths: a in 2 and b in 1." in said
    assert "False positives" not in said  # a group was named to compare with


def test_the_answer_says_that_unknown_groups_could_move_the_ratio_across_four_fifths(tmp_path):
    # Known: 30 of 50 women and 40 of 50 men. Of ten unknown people five were selected.
    rows = [
        {"gender": gender, "hired": "yes" if number < selected else "no"}
        for gender, selected, people in (("women", 30, 50), ("men", 40, 50), (None, 5, 10))
        for number in range(people)
    ]
    options = {"selected": "hired", "protected": ["gender"], "missing": "bounds"}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    said = next(text for text in answers(html) if "of unknown" in text)
    # Lowest: the five who were not selected are women, the five others men, 30/55 over 45/55. Highest: the other
    # way round, 35/55 over 40/55.
    assert said == (
        "Depending on the 10 people of unknown gender, the impact ratio of women lies between "
        f"{30 / 45:.2f} and {35 / 40:.2f}, on both sides of four-fifths."
    )


def test_bounds_on_one_side_of_four_fifths_are_not_in_the_answer(tmp_path):
    rows = [
        {"gender": gender, "hired": "yes" if number < selected else "no"}
        for gender, selected, people in (("women", 5, 50), ("men", 40, 50), (None, 1, 2))
        for number in range(people)
    ]
    options = {"selected": "hired", "protected": ["gender"], "missing": "bounds"}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    assert not any("of unknown" in text for text in answers(html))


def test_the_answer_has_the_odds_ratio_among_people_alike(tmp_path):
    # Among people with the same degree both genders have the same odds: 3 of 4 with, 1 of 4 without.
    counts = (("women", "no", 10, 40), ("women", "yes", 15, 20), ("men", "no", 5, 20), ("men", "yes", 30, 40))
    rows = [
        {"gender": gender, "degree": degree, "hired": "yes" if number < selected else "no"}
        for gender, degree, selected, people in counts
        for number in range(people)
    ]
    options = {"selected": "hired", "protected": ["gender"], "given": ["degree"]}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    (said,) = [text for text in answers(html) if text.startswith("Among people with the same")]
    crude = (25 * 25) / (35 * 35)
    assert said.startswith("Among people with the same degree: odds ratio 1.00 (95 % CI ")
    assert said.endswith(
        f" for women ({crude:.2f} without), not statistically significant "
        "(Wald test: p = 1.000 alone and over 2 comparisons; minimum detectable odds ratio 0.25)."
    )


@pytest.mark.parametrize("clusters", [None, "agency"])
def test_a_group_of_which_nobody_is_selected_is_judged_among_people_alike(tmp_path, clusters):
    rows = [
        {"gender": gender, "degree": "yes" if number % 2 else "no", "agency": number % 20, "hired": hired}
        for gender, selected in (("women", 0), ("men", 24))
        for number in range(60)
        for hired in ["yes" if number < selected else "no"]
    ]
    options = {"selected": "hired", "protected": ["gender"], "given": ["degree"], "cluster": clusters}
    content, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    (finding,) = [row for row in content["findings"] if row["measure"] == "adjusted_odds_ratio"]
    assert (finding["estimate"], finding["claim"]["verdict"]) == (None, "difference")
    (said,) = [text for text in answers(html) if text.startswith("Among people with the same")]
    assert "as the selection rate of women is 0 %" in said
    assert "the difference is statistically significant" in said


def test_clusters_of_a_column_called_person_are_said_and_no_power_of_independent_people(tmp_path):
    rows = [
        {"gender": gender, "person": f"{gender} {number}", "hired": "yes" if number < selected else "no"}
        for gender, selected in (("women", 20), ("men", 25))
        for number in range(50)
    ]
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", selected="hired", protected=["gender"], cluster="person")
    assert "clusters: 100 by person" in html
    assert "would be detected" not in html


def test_people_of_one_group_with_qualifications_have_no_odds_ratio_and_a_reason(tmp_path):
    rows = [
        {"gender": gender, "years": years, "hired": "yes" if number < 9 else "no"}
        for gender, years in (("women", 3), ("men", None))
        for number in range(20)
    ]
    frame = pl.DataFrame(rows, schema_overrides={"years": pl.Int64})
    content, html = analysed(frame, tmp_path / "run", selected="hired", protected=["gender"], given=["years"])
    (reason,) = [row["reason"] for row in content["findings"] if row["measure"] == "adjusted_odds_ratio"]
    assert reason in answers(html)
    assert reason in section(html, "given")[0]


def test_opposite_directions_within_chance_are_no_paradox(tmp_path):
    # Women: 1 of 4 and 9 of 12; men: 4 of 12 and 3 of 4 - ahead overall, behind in the first position, even in the
    # second; with so few people neither is more than chance.
    counts = (("women", "x", 1, 4), ("women", "y", 9, 12), ("men", "x", 4, 12), ("men", "y", 3, 4))
    rows = [
        {"gender": gender, "job": job, "hired": "yes" if number < selected else "no"}
        for gender, job, selected, people in counts
        for number in range(people)
    ]
    options = {"selected": "hired", "protected": ["gender"], "position": "job"}
    content, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    (pooled,) = [row for row in content["findings"] if row["measure"] == "common_odds_ratio"]
    assert pooled["details"]["simpson"] is True
    assert "Simpson" not in " ".join(answers(html))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "the ratio is to the group with the highest rate there."),
        ({"reference": {"gender": "women"}}, "the ratio is to women, the group that was named."),
    ],
)
def test_the_sweep_says_whom_its_ratios_are_to(tmp_path, options, said):
    frame = pl.DataFrame(
        {"gender": ["women", "men", "other"] * 40, "score": [float(number % 7) for number in range(120)]}
    )
    _, html = analysed(frame, tmp_path / "run", score="score", cutoff=[3.0], protected=["gender"], **options)
    swept = section(html, "cutoffs")[0]
    assert said in swept
    assert ("highest rate" in swept) is (not options)


def test_few_selections_in_the_named_group_make_all_ratios_to_it_uncertain(tmp_path):
    # Above 1 three of the women are selected and thirty of the men: each ratio to women hangs on the three.
    rows = [
        {"gender": gender, "score": 2.0 if number < high else 1.0}
        for gender, high in (("women", 3), ("men", 30))
        for number in range(60)
    ]
    options = {"score": "score", "cutoff": [1.0], "protected": ["gender"], "reference": {"gender": "women"}}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    (line,) = [line for line in table(section(html, "cutoffs")[0], "Impact ratio by cut-off") if line["Cut-off"] == "1"]
    assert line["men"].endswith("(few)")
