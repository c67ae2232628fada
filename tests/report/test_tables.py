"""What the tables and the list of facts show."""

import re

import pytest
from invented import FEMALE, contrast, document, finding, full
from page import Page, rendered

from evenhand.report.page.contents import other_parameters, page_of, parameter_rows
from evenhand.results.finding import FINDINGS_SCHEMA
from evenhand.results.result import parsed_result as checked
from evenhand.results.result import read_audit

CLUSTERED = {"method": "cluster-robust by name × role", "clusters": {"name": 1794, "role": 339}}


def table(html, caption):
    """Return the lines of the table whose caption begins so, its headings first."""
    found = next(t for t in re.findall(r"<table.*?</table>", html, re.DOTALL) if f"<span>{caption}" in t)
    found = re.sub(r'<td class="drawn">.*?</td>', "", found)
    lines = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr.*?</tr>", found)]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def headline(**others):
    row = contrast("diff_acceptance_rate", "diff_acceptance_rate", 0.04, 0.012, **others)
    return rendered(document([row]))


def test_the_clusters_of_an_interval_are_counted_and_the_others_stand_in_detail():
    beside = {"method": "item bootstrap, percentile", "low": 0.01, "high": 0.065}
    html = headline(**CLUSTERED, alternatives=[beside])
    main, other = table(html, "Difference in acceptance rate, male")
    assert (main["Clusters"], main["Method"]) == ("1,794 names × 339 roles", "cluster-robust by name × role")
    assert (other["95 % CI"], other["Method"]) == ("+1.0 to +6.5", "item bootstrap, percentile")
    assert "95 % CI 2.8 to 5.2" in html


@pytest.mark.parametrize(("p", "shown"), [(0.04, False), (0.05, True)])
def test_a_statistic_that_repeats_the_estimate_is_left_out(p, shown):
    lines = table(headline(tests=[{"name": "permutation", "statistic": p, "p": 0.2}]), "Tests that there is")
    assert ("Statistic" in lines[0]) is shown
    assert lines[0]["p"] == "0.200"


def slices(*rows):
    whole = contrast("diff_acceptance_rate", "diff_acceptance_rate", 0.04, 0.012, verdict="difference")
    parts = [
        contrast(f"race_{n}", "diff_acceptance_rate", 0.04, 0.012, slice={"race": str(n)}, **row)
        for n, row in enumerate(rows)
    ]
    return table(rendered(document([whole, *parts])), "Difference in acceptance rate, male − female, by race")


def test_parts_of_the_run_have_a_verdict_in_words():
    lines = slices({"p": 0.2}, {"p": 0.2, "equivalent": True}, {"p": 0.02, "equivalent": True}, {})
    assert [line["Verdict"] for line in lines] == [
        "no difference detected",
        "equivalent within the margin",
        "difference, equivalent within the margin",
        "–",
        "difference",
    ]
    assert [line["Note"] for line in lines[:3]] == ["The test is stricter than the interval."] * 2 + [""]


def test_parts_of_the_run_show_their_interval_and_the_adjusted_p():
    lines = slices({"p_adjusted": 0.3}, {})
    assert [line["95 % CI"] for line in lines] == ["+2.8 to +5.2"] * 3
    assert lines[0]["p, adjusted"] == "0.300"


@pytest.mark.parametrize(("rate", "words"), [(0.312, "31 %"), (0.004, "0.4 %"), (0.0, "below 0.1 %"), (None, None)])
def test_how_often_the_four_fifths_rule_flags_shuffled_groups_stands_beside_its_verdicts(rate, words):
    black = {"race": "black", "gender": "male"}
    details = {"type": "group_ratio", "four_fifths": "below"} | ({} if rate is None else {"over_flagging_rate": rate})
    ratio = finding("x", "impact_ratio", 0.7, 0.1, focal=black, reference=FEMALE, unit="ratio", details=details)
    html = rendered(document([ratio]))
    assert ("false-positive rate of the rule" in html) is (words is not None)
    assert words is None or f"The false-positive rate of the rule on this table is {words}: " in html


def asked(*, saved=False, **block):
    given = {"model": "m", "returned_models": ["m"], **block}
    return parameter_rows(read_audit(given, source="findings.json"), saved=saved)[1:]


def test_equal_counts_are_one_fact():
    block = {"items": 200, "attempts": 200}
    saved = asked(saved=True, parameters={"answers": 200, "items": 200, "seed": 0}, **block)
    assert saved == [("Items", "200, one answer each"), ("Seed", "0")]
    assert asked(parameters={"sample": 200, "seed": 200}, **block) == [
        ("Prompts drawn", "200, each asked once"),
        ("Seed", "200"),
    ]


def test_counts_that_differ_are_each_shown_once():
    block = {"items": 200, "attempts": 600}
    saved = asked(saved=True, parameters={"answers": 600, "items": 200}, **block)
    assert saved == [("Items", "200"), ("Answers", "600")]
    cut_short = asked(parameters={"sample": 250}, **block)
    assert cut_short == [("Prompts drawn", "250"), ("Items", "200"), ("Answers requested", "600")]


def test_a_page_of_saved_answers_tells_how_many_were_given_not_asked_for():
    block = {"kind": "measure", "items": 200, "attempts": 600}
    content = checked({"schema": FINDINGS_SCHEMA, "audit": block, "findings": []})
    assert page_of(content).asked(content)[-1] == ("Answers", "600")


def test_the_wording_of_each_instruction_is_spelled_out():
    wordings = {str(n): f"Tell <{n}> of {{name}}'s result." for n in range(5)}
    html = rendered(full(level_texts={"template": wordings, "qualification": {"high": "Is well qualified."}}))
    lines = table(html, "The wording of each instruction")
    assert lines[3] == {"Instruction": "Instruction 3", "Wording": "Tell &lt;3&gt; of {name}&#39;s result."}
    assert len(lines) == 5
    assert table(html, "The wording of each qualification") == [
        {"Qualification": "High", "Wording": "Is well qualified."}
    ]
    assert "The wording of each" not in rendered(full())


def test_cells_of_broad_tables_carry_their_heading_for_narrow_screens():
    cells = Page(rendered(full())).named("td")
    assert {"Estimate", "Reference models", "Clusters"} <= {cell.get("data-label") for cell in cells}


def test_parameters_that_were_not_given_and_how_requests_were_sent_stand_apart():
    parameters = {"seed": 0, "temperature": None, "timeout": 120.0, "smoothing": 0.5}
    assert asked(parameters=parameters) == [("Seed", "0"), ("Smoothing", "0.5")]
    block = read_audit({"parameters": parameters}, source="findings.json")
    assert other_parameters(block) == [("Temperature", "not given"), ("Timeout", "120")]
