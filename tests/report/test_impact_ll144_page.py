"""The page of New York's Local Law 144: three tables without a verdict, and the fields to be published."""

import re
from html import unescape

import polars as pl
import pytest
from page import Page, plain, read_findings, rendered
from test_tables import table

import evenhand
from evenhand.report.local_law_144 import ll144_page
from evenhand.results.result import read_audit

HEADING = "Calculations for a bias audit; the audit must be made by an independent auditor."

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # remarks stand on the page


def applicants():
    """Return the sexes of the example in 6 RCNY 5-301(d): 92 men and 76 women, 54.3 % and 44.7 % above the median.

    The races are ours: of two people each 1 % of the data are one category, so that it may be left out.
    """
    rows = []
    for sex, above, people in (("Male", 50, 92), ("Female", 34, 76)):
        for number in range(people):
            race = "Pacific Islander" if number == 0 else ("Asian", "White", "Hispanic or Latino")[number % 3]
            rows.append({"sex": sex, "race": race, "score": 2.0 if number < above else 1.0})
    rows += [{"sex": None, "race": "White", "score": 1.0}] * 3
    return pl.DataFrame(rows, schema_overrides={"sex": pl.String})


def analysed(folder, **options):
    evenhand.impact(applicants(), score="score", protected=["sex", "race"], ll144=True, out=folder, **options)
    return folder


@pytest.fixture(scope="module")
def excluding(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ll144") / "run"
    published = {"tool": "Ranker 2", "audit_date": "2026-11-01"}
    return analysed(folder, exclusion_reason="Two people have no stable rate.", **published)


@pytest.fixture(scope="module")
def html(excluding):
    return page_of(excluding)


def fields(html):
    found = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html)
    return {unescape(term): unescape(re.sub(r"<[^>]+>", "", value)) for term, value in found}


def test_the_heading_stands_to_the_letter_and_there_is_no_verdict(html):
    assert Page(html).text("h1") == [HEADING]
    assert html.count(HEADING) == 2  # heading and title
    shown = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL).casefold()
    for word in ("four-fifths", "four fifths", "below", "adverse", "significant", "chance"):
        assert word not in shown


# Rates and ratios as printed in the example of 6 RCNY 5-301(d): male 54.3 %, 1.00; female 44.7 %, 0.82.
def test_the_example_of_the_rule_comes_out(html):
    female, male = table(html, "Scoring rates and impact ratios")
    assert (male["Applicants"], male["Scoring rate"], male["Impact ratio"]) == ("92", "54.3 %", "1.000")
    assert (female["Applicants"], female["Scoring rate"]) == ("76", "44.7 %")
    assert round(float(female["Impact ratio"]), 2) == 0.82


def test_there_are_three_tables_and_the_unknown_are_counted(html):
    headings = Page(html).text("h2")
    assert headings == [
        "Fields to be published",
        "Sex",
        "Race",
        "Sex by race (intersectional)",
        "How it was calculated",
    ]
    assert fields(html)["Individuals in an unknown category"] == "sex: 3; race: 0; sex by race: 3"
    assert "3 people are in an unknown category (1.8 % of all), in no rate and in no ratio." in html
    assert "Nobody is in an unknown category." in html
    assert "above the median of all scores, 1" in html


def test_small_categories_that_were_left_out_keep_count_rate_and_reason(html):
    found = re.findall(r"Categories of less than 2 % of the data, left out", html)
    assert found
    (line,) = table(html.partition(">Race</h2>")[2], "Categories of less than 2 %")
    assert line["Category"] == "Pacific Islander"
    assert line["Applicants"] == "2"
    assert line["Scoring rate"] == "100.0 %"
    assert line["Reason, by the auditor"] == "Two people have no stable rate."
    kept = [row["Category"] for row in table(html.partition(">Race</h2>")[2], "Scoring rates")]
    assert kept == ["Asian", "Hispanic or Latino", "White"]


def test_without_a_reason_no_category_is_left_out(tmp_path):
    html = page_of(analysed(tmp_path / "run"))
    kept = [row["Category"] for row in table(html.partition(">Race</h2>")[2], "Scoring rates")]
    assert "Pacific Islander" in kept
    assert "No category was left out of the ratios." in html


def test_fields_that_nobody_filled_in_say_who_has_to(html):
    found = fields(html)
    assert found["Automated employment decision tool"] == "Ranker 2"
    assert found["Date of the most recent bias audit"] == "2026-11-01"
    assert found["Independent auditor"] == "To be filled in by the independent auditor."
    assert found["Distribution date of the tool"] == "To be filled in by the employer or employment agency."
    assert found["Source and explanation of the data"] == "To be filled in by the independent auditor."
    assert "3 fields are still to be filled in" in html


def test_the_report_points_to_the_page(excluding):
    report = plain((excluding / "report.html").read_text(encoding="utf-8"))
    assert '<a href="ll144.html">' in report
    assert rendered(read_findings(excluding)) == report


def test_a_run_without_the_tables_has_no_page(tmp_path):
    evenhand.impact(applicants(), score="score", protected=["sex"], median=True, out=tmp_path / "run")
    assert not (tmp_path / "run" / "ll144.html").exists()


def page_of(folder):
    """Return the page of a run."""
    return plain((folder / "ll144.html").read_text(encoding="utf-8"))


def page_of_rows(rows):
    """Return the page with these rows of the law's tables."""
    audit = read_audit(
        {"kind": "impact", "title": "Adverse impact", "source": "a.csv", "ll144": {"rows": rows, "scoring": False}},
        source="a test",
    )
    return plain(ll144_page(audit, audit.ll144))


def test_a_group_name_with_an_x_stays_as_it_is_and_intersections_have_a_sign(tmp_path):
    frame = pl.DataFrame(
        {
            "sex": ["female", "male"] * 40,
            "race": ["Group 2 x 3", "White"] * 20 + ["White", "Group 2 x 3"] * 20,
            "hired": ["yes", "no", "no", "yes"] * 20,
        }
    )
    evenhand.impact(frame, selected="hired", protected=["sex", "race"], ll144=True, out=tmp_path / "run")
    html = page_of(tmp_path / "run")
    categories = [row["Category"] for row in table(html.partition(">Race</h2>")[2], "Selection rates")]
    assert categories == ["Group 2 x 3", "White"]
    crossed = table(html.partition("(intersectional)</h2>")[2], "Selection rates")
    assert "Female \N{MULTIPLICATION SIGN} White" in [row["Category"] for row in crossed]


@pytest.mark.parametrize("some", [False, True])
def test_tables_without_a_category_say_that_there_are_no_rows(some):
    unknown = {"attribute": "sex", "category": "unknown", "n": 7, "share": 1.0, "excluded": False}
    html = page_of_rows([unknown] if some else [])
    assert "in the tables that follow" not in html
    assert fields(html)["Applicants, rates and impact ratios of all categories"].startswith("no rows")
    assert ("7 people are in an unknown category" in html) is some
    assert "No category was left out" not in html
    assert "<table" not in html
