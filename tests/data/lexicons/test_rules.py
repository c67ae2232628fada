"""The register of rules: complete, dated, and the one source of the numbers that the code uses."""

import re
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from evenhand.comparisons.impact_cells import SMALLEST_SHARE
from evenhand.data.applicant_query import ADEA_AGE
from evenhand.data.rules import rule, rules, used_by
from evenhand.report.impact.views import FOUR_FIFTHS_LINE, TWO_SIDED_LINE, Z_LIMIT
from evenhand.stats import FOUR_FIFTHS, TWO_STANDARD_DEVIATIONS


def test_the_numbers_in_the_code_are_those_of_the_register():
    values = rule("four_fifths")["values"]
    assert Fraction(values["numerator"], values["denominator"]) == FOUR_FIFTHS
    assert rule("two_standard_deviations")["values"]["z"] == TWO_STANDARD_DEVIATIONS
    assert rule("ll144_small_categories")["values"]["share"] == SMALLEST_SHARE
    assert rule("age_forty")["values"]["age"] == ADEA_AGE


def test_the_lines_that_charts_draw_are_those_of_the_register():
    values = rule("four_fifths")["values"]
    assert values["numerator"] / values["denominator"] == FOUR_FIFTHS_LINE
    assert values["denominator"] / values["numerator"] == TWO_SIDED_LINE
    assert rule("two_standard_deviations")["values"]["z"] == Z_LIMIT


@pytest.mark.parametrize("entry", rules(), ids=lambda entry: entry["key"])
def test_each_entry_has_title_citation_words_and_two_dates(entry):
    law = {"figure", "url"} & set(entry)
    assert set(entry) == {"key", "title", "citation", "words", "values", "in_force", "checked"} | law
    assert entry["title"]
    assert entry["citation"]
    assert entry["words"].endswith(".")
    assert date.fromisoformat(entry["in_force"]) >= date(1977, 1, 1)
    # A law may be read before it is in force.
    assert (
        law or entry["checked"] is None or date.fromisoformat(entry["checked"]) > date.fromisoformat(entry["in_force"])
    )


DOCUMENT = (Path(__file__).parents[3] / "docs" / "impact.md").read_text("utf-8")


@pytest.mark.parametrize("entry", [entry for entry in rules() if "figure" in entry], ids=lambda entry: entry["key"])
def test_laws_stand_in_the_document_and_no_figure_is_said_to_meet_one(entry):
    assert entry["url"].startswith("https://")
    row = next(line for line in DOCUMENT.splitlines() if line.startswith(f"| {entry['title']} |"))
    assert (
        row == f"| {entry['title']} | [{entry['citation']}]({entry['url']}) | {entry['in_force']} | {entry['figure']} |"
    )
    for text in (entry["words"], entry["figure"]):
        assert not re.search(r"\b(compl|satisf|cover|fulfil|ensure|guarantee)", text)
    assert all(entry["key"] != used["key"] for used in used_by(min_share=True, stages=True, age=True, ll144=True))


def test_options_add_the_rules_that_they_rest_on():
    plain = {entry["key"] for entry in used_by()}
    added = {
        option: {entry["key"] for entry in used_by(**{option: True})} - plain
        for option in ("min_share", "stages", "age", "ll144")
    }
    assert added["min_share"] == {"two_percent_of_people"}
    assert added["stages"] == {"bottom_line"}
    assert added["age"] == {"age_forty", "age_older_only", "age_reasonable_factor", "age_guidelines"}
    assert added["ll144"] == {"ll144_rates", "ll144_small_categories", "ll144_data", "ll144_published"}


def test_a_reader_may_change_what_it_got_without_changing_the_register():
    rule("age_forty")["values"]["age"] = 50
    assert rule("age_forty")["values"] == {"age": 40}


def test_an_unknown_rule_is_refused():
    with pytest.raises(KeyError):
        rule("five_sixths")
