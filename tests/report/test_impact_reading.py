"""What the report of an analysis of applicants says about cut-offs, positions, unknown groups and qualifications."""

import re
from html import unescape

import polars as pl
import pytest
from test_impact_report import answers, section
from test_tables import table

import evenhand
from evenhand.hiring.examples import berkeley_applicants
from evenhand.report.page.document import read_findings


def analysed(frame, folder, **options):
    """Run the analysis; return its findings and its report."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        evenhand.impact(frame, out=folder, **options)
    return read_findings(folder), (folder / "report.html").read_text(encoding="utf-8")


def test_scores_that_are_all_alike_leave_out_the_chart_of_ratios_and_say_why(tmp_path):
    frame = pl.DataFrame({"gender": ["women", "men"] * 30, "score": [1.0] * 60})
    options = {"score": "score", "cutoff": [3.0], "median": True, "means": True, "protected": ["gender"]}
    _, html = analysed(frame, tmp_path / "run", **options)
    swept = section(html, "cutoffs")[0]
    assert "No chart of impact ratios: at no cut-off of the sweep is anybody selected" in swept
    assert "Impact ratio by cut-off" not in swept
    assert "Selection rate by cut-off" in swept


# Department A admitted 62 % of 825 men and 82 % of 108 women (Bickel, Hammel and O'Connell 1975).
def test_the_group_that_is_behind_in_a_position_is_named_with_what_chance_would_do(tmp_path):
    options = {"selected": "admitted", "protected": ["gender"], "position": "department"}
    content, html = analysed(berkeley_applicants(), tmp_path / "run", **options)
    said = next(text for text in answers(html) if "position by position" in text)
    assert "in 1 of 6 positions (A) male applicants are below four-fifths." in said
    (shown,) = content["audit"]["shown"]["positions"]
    expected = shown["expected_by_chance"] * 6
    found = re.search(r"Even-handed selection would put (?:about|fewer than) ([\d.]+) of 6 there", said)
    assert float(found[1]) == pytest.approx(expected, abs=0.1)
    assert found[0] in section(html, "positions")[0]
    assert "Of 6 comparisons, 1 shows a difference" in said


def test_one_position_is_no_plural_and_the_definition_is_named_where_several_ran(tmp_path):
    rows = [
        {"group": group, "job": "clerk", "score": 5.0 if number < high else 1.0}
        for group, high in (("4 x 4 club", 10), ("b", 20))
        for number in range(40)
    ]
    options = {"score": "score", "cutoff": [2.0, 3.0], "protected": ["group"], "position": "job"}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    said = next(text for text in answers(html) if "position by position" in text)
    assert said.startswith(
        "Group, position by position (score above 2): in 1 of 1 position (clerk) 4 x 4 club applicants"
    )
    assert "Of 1 comparison, none shows" in said or "Of 1 comparison, 1 shows" in said
    assert "1 position, 1 comparison; 1 has a ratio." in section(html, "positions")[0]
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
    said = next(text for text in answers(html) if "position by position" in text)
    assert "in 2 of 2 positions (one and two) a group is below four-fifths: a in 2 and b in 1." in said
    assert "Even-handed" not in said  # a group was named to compare with


def test_the_answer_says_that_unknown_groups_could_move_the_ratio_across_four_fifths(tmp_path):
    # Known: 30 of 50 women and 40 of 50 men. Of ten unknown people five were selected.
    rows = [
        {"gender": gender, "hired": "yes" if number < selected else "no"}
        for gender, selected, people in (("women", 30, 50), ("men", 40, 50), (None, 5, 10))
        for number in range(people)
    ]
    options = {"selected": "hired", "protected": ["gender"], "missing": "bounds"}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    said = next(text for text in answers(html) if "is not known" in text)
    # Lowest: the five who were not selected are women, the five others men, 30/55 over 45/55. Highest: the other
    # way round, 35/55 over 40/55.
    assert said == (
        "The gender of 10 people is not known. Depending on it, the ratio of selection rates could be another: that of "
        f"women to men applicants lies between {30 / 45:.3f} and {35 / 40:.3f}, on both sides of four-fifths."
    )


def test_bounds_on_one_side_of_four_fifths_are_not_in_the_answer(tmp_path):
    rows = [
        {"gender": gender, "hired": "yes" if number < selected else "no"}
        for gender, selected, people in (("women", 5, 50), ("men", 40, 50), (None, 1, 2))
        for number in range(people)
    ]
    options = {"selected": "hired", "protected": ["gender"], "missing": "bounds"}
    _, html = analysed(pl.DataFrame(rows), tmp_path / "run", **options)
    assert not any("is not known" in text for text in answers(html))


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
    (said,) = [text for text in answers(html) if "among people alike in" in text]
    crude = (25 * 25) / (35 * 35)
    assert said.startswith(
        "Gender, among people alike in degree: the odds of women applicants are 1.000 times those of men applicants "
        "(95 % interval "
    )
    assert f"without holding that fixed {crude:.3f}); no difference was detected (p = 1.000)." in said


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


def test_opposite_directions_say_on_which_side_a_difference_was_detected(tmp_path):
    options = {"selected": "admitted", "protected": ["gender"], "position": "department"}
    _, html = analysed(berkeley_applicants(), tmp_path / "run", **options)
    said = (
        "Simpson's paradox: in the whole sample female applicants are behind male applicants (a difference was "
        "detected), within positions ahead (no difference was detected); read the pooled odds ratio."
    )
    # Bickel, Hammel and O'Connell (1975): within departments no bias against women, the whole sample's is large.
    assert said in " ".join(answers(html))
    pooled = unescape(section(html, "pooled")[0])
    assert said in pooled
    assert "Within positions no difference was detected for female against male" in pooled


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
    assert "Within positions no difference was detected" in section(html, "pooled")[0]


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
