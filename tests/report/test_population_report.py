"""The report of groups against the average of all: run and published tables, marks, words."""

import csv
import re
from html import unescape

import pytest
from page import Page, read_findings, rendered
from test_tables import table

import evenhand
from evenhand.probes.an2024.probe import PROBE
from evenhand.report.page.contents import parameter_rows
from evenhand.report.population import published_tables
from evenhand.report.probe.sections import card_html
from evenhand.results.audit import Facts
from evenhand.results.result import read_audit

FACTS = PROBE.facts()
PUBLISHED = {(row.table, row.model, row.column, row.race, row.gender): row.value for row in FACTS.published}
GROUPS = [(race, gender) for race in ("white", "black", "hispanic") for gender in ("female", "male")]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    asked = {
        "whole": ("sim:stereotyping", {"sample": 400, "monte_carlo": 50}),
        "small": ("sim:stereotyping", {"sample": 20, "report": False}),
        "refusing": ("sim:refusing", {"sample": 30, "report": False}),
    }
    for name, (model, options) in asked.items():
        evenhand.probe("an2024", model, out=folder / name, **options)
    return folder


@pytest.fixture(scope="module")
def content(runs):
    return read_findings(runs / "whole")


@pytest.fixture(scope="module")
def html(content):
    return rendered(content)


def text_of(html):
    """Return what a reader sees, without style, charts, and the list of all findings."""
    shown = re.sub(
        r"<style>.*?</style>|<svg.*?</svg>", "", html.partition('<section id="everything"')[0], flags=re.DOTALL
    )
    return unescape(re.sub(r"<[^>]+>", " ", shown))


def captions(html):
    return [unescape(caption) for caption in Page(html).text("caption")]


def changed(content, **fields):
    """Return the findings with fields of rows of some measures replaced."""
    rows = [row | fields.get(row["measure"], {}) for row in content["findings"]]
    return content | {"findings": rows}


# Figures as printed under tables 1 to 3 and 6 of the study.
@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("1", "Mistral-7b", "7 roles", "", "Average"), "54.10"),
        (("1", "GPT-3.5", "7 roles", "", "Max difference"), "3.78"),
        (("1", "Llama2-70b", "7 roles", "", "Number of e-mails"), "48000"),
        (("1", "Llama2-13b", "41 roles", "", "Average"), "32.55"),
        (("2", "Mistral-7b", "Doctoral", "", "Average"), "61.34"),
        (("2", "Llama2-13b", "No formal", "", "Average"), "29.95"),
        (("2", "Llama2-7b", "High school", "", "Number of e-mails"), "126000"),
        (("3", "Llama2-7b", "medium", "", "Average"), "57.81"),
        (("3", "Mistral-7b", "low", "", "Number of e-mails"), "189000"),
        (("6", "Llama2-70b", "validity", "", "Std"), "0.05"),
    ],
)
def test_published_figures_over_all_groups_are_as_printed(place, value):
    assert PUBLISHED[place] == value


def test_published_widest_gaps_are_those_of_the_published_rates():
    found = [key for key in PUBLISHED if key[4] == "Max difference"]
    assert len(found) == 8
    for key in found:
        rates = [float(PUBLISHED[(*key[:3], *group)]) for group in GROUPS]
        assert max(rates) - min(rates) == pytest.approx(float(PUBLISHED[key]), abs=1e-9)


def test_each_published_table_follows_the_own_table_of_its_number(html):
    found = captions(html)
    own = {
        1: "Acceptance rate (%), all roles",
        2: "Acceptance rate (%) by education",
        3: "Acceptance rate (%) by qualification",
        4: "Acceptance rate (%) by role",
        5: "The classifier on e-mails",
        6: "Share of e-mails that state a decision",
    }
    for number, caption in own.items():
        place = next(place for place, each in enumerate(found) if each.startswith(caption))
        assert found[place + 1] == f"Table {number} as published: reference data, not measured here"
    assert html.count("reference data, not measured here: An et al. (2024)") == 1
    assert "Its significance marks are not restated." in html
    assert 'id="published"' not in html


def test_published_tables_have_lines_and_columns_like_the_own_ones(html):
    own, printed = table(html, "Acceptance rate (%), all roles"), table(html, "Table 1 as published")
    assert [line["Group"] for line in own] == [line["Group"] for line in printed]
    assert printed[-1]["Mistral-7b, 41 roles"] == "756,000"
    own, printed = table(html, "Acceptance rate (%) by qualification"), table(html, "Table 3 as published")
    heads = ["Not specified", "Highly qualified", "Somewhat qualified", "Not qualified"]
    assert list(own[0])[1:] == list(printed[0])[1:] == heads
    assert printed[0] == {"Model, group": "Mistral-7b, White female"} | dict(
        zip(heads, ("77.30", "98.47", "42.90", "0.24"), strict=True)
    )
    assert [line["Group"] for line in table(html, "Table 6 as published")][-1] == "Std"
    assert table(html, "Table 4 as published")[0]["Role, model"] == "Secretary, GPT-3.5"


def test_no_published_table_is_made_up():
    assert published_tables(Facts(), 1) == published_tables(FACTS, 7) == []


def test_tables_csv_has_the_published_figures_and_the_p_behind_the_mark(runs, content):
    lines = list(csv.DictReader((runs / "whole" / "tables.csv").read_text(encoding="utf-8").splitlines()))
    printed = [line for line in lines if line["source"] == "An et al. 2024: Mistral-7b" and line["table"] == "1"]
    assert {line["gender"] for line in printed if not line["race"]} == {
        "Average",
        "Max difference",
        "Number of e-mails",
    }
    own = next(line for line in lines if line["table"] == "3" and line["gender"] == "male")
    row = next(row for row in content["findings"] if row["name"].startswith("qualification_omitted_white_male"))
    # Simulated tests stand behind it in the list; the mark is the mid-p's.
    assert own["p"] == repr(next(test["p"] for test in row["tests"] if test["name"] == "paper, mid-p"))
    shares = [float(line["value"]) for line in lines if line["table"] == "6"]
    assert max(shares) <= 1


def test_simulated_permutations_have_columns_where_they_were_asked_for(html, runs):
    lines = table(html, "Acceptance rate of each group minus that of all")
    assert {"p, simulated", "p, simulated, Fisher over roles"} <= set(lines[0])
    assert "with 50 permutations" in html
    plain = rendered(read_findings(runs / "small"))
    assert not any("simulated" in head for head in table(plain, "Acceptance rate of each group minus that of all")[0])


def test_every_table_of_parts_says_how_many_marks_to_expect(html, content):
    notes = re.findall(r"([\d,]+) cells tested: without any effect, (.*?) would carry a mark", html)
    cuts = [("", 6), ("education", 36), ("qualification", 24), ("role", 246), ("template", 30), ("seed", 18)]
    for (column, most), (number, about) in zip(cuts, notes, strict=True):
        cells = [
            row
            for row in content["findings"]
            if row["measure"] == "acceptance_vs_population" and list(row["slice"]) == ([column] if column else [])
        ]
        name = "paper, mid-p" if column else "Fisher over roles, mid-p"
        tested = sum(test["p"] is not None for row in cells for test in row["tests"] if test["name"] == name)
        assert int(number) == tested <= most
        assert about == ("fewer than one" if tested < 10 else f"about {round(tested / 10)}")


def test_the_note_on_marks_stands_once_and_names_where_the_p_is(html):
    assert html.count("The test assumes that e-mails are exchangeable") == 1
    assert "in the figure's table is two-sided" not in html


def test_reading_the_report_explains_the_marks_that_occur(html, runs):
    terms = html.partition('<section id="reading"')[2]
    assert "<dt>Marks * and †</dt>" in terms
    assert "A letter from A (nearest)" not in terms
    assert "Marks * and †" not in rendered(read_findings(runs / "refusing"))


def test_the_joint_test_of_the_interactions_stands_once(html, content):
    lines = table(html, "Difference of the gaps female minus male")
    rows = [row for row in content["findings"] if row["measure"] == "race_gender_interaction"]
    assert [line["Groups"] for line in lines] == ["White − Black", "White − Hispanic", "Black − Hispanic"]
    # All three rows are of one joint test; each shows its own p.
    assert len({row["tests"][0]["p"] for row in rows}) == len({line["p"] for line in lines}) == 3
    assert text_of(html).count("Hotelling's T² on names, p") == 1


def test_the_detectable_difference_is_in_points(content):
    html = rendered(changed(content, detectable_difference={"estimate": 0.045, "reason": None}))
    assert "Between a group and all, it is 4.5 points with" in html
    everything = {line["Name"]: line["Estimate"] for line in table(html, "Every finding")}
    assert everything["detectable_difference"] == "4.5 points"


def test_without_a_detectable_difference_the_answer_leaves_it_out(content):
    quiet = {"acceptance_vs_population": {"verdict": "inconclusive"}}
    known = rendered(changed(content, detectable_difference={"estimate": 0.045, "reason": None}, **quiet))
    assert "the minimum detectable effect is 4.5 percentage points" in known
    unknown = {"estimate": None, "reason": "Too few names."}
    html = rendered(changed(content, detectable_difference=unknown, **quiet))
    assert "percentage points would be detected" not in html
    assert "No statistically significant difference from the average of all groups was detected for" in html
    assert "is not known. Too few names." in html


def test_one_decision_is_no_decisions(content):
    one = {"acceptance_vs_population": {"verdict": "inconclusive", "n": 1}}
    assert "at 1 decision per group." in rendered(changed(content, **one))
    two = {"acceptance_vs_population": {"verdict": "inconclusive", "n": 2}}
    assert "at 2 decisions per group." in rendered(changed(content, **two))


def test_one_group_has_no_gap_to_itself(content):
    hispanic = {"race": "hispanic", "gender": "male"}
    html = rendered(changed(content, max_difference={"focal": hispanic, "reference": hispanic, "estimate": 0.0}))
    assert "above Hispanic male" not in html
    assert "The widest gap" not in html
    line = next(line for line in table(html, "Acceptance rate (%), all roles") if line["Group"] == "Max difference")
    assert line["Acceptance rate (%)"] == "–"


def test_instructions_are_shown_with_their_texts(html):
    lines = table(html, "The wording of each instruction")
    assert lines[0]["Wording"].startswith("Write an email informing {name}")
    assert list(table(html, "Acceptance rate (%) by instruction")[0])[1:] == [f"Instruction {n}" for n in range(5)]
    assert "Seed 42" in table(html, "Acceptance rate (%) by seed")[0]


def test_gap_tables_name_levels_as_the_table_above_does(html):
    cells = [line["Most / least favoured"] for line in table(html, "Does the difference to the average of all groups")]
    assert cells
    found = re.findall(r"<td[^>]*data-label=\"Most / least favoured\">(.*?)</td>", html)
    assert not [cell for cell in found if re.search(r"\b(omitted|medium|low|high)\b", cell)]


def test_names_of_groups_are_capitalised(html):
    card = re.compile(r'<div class="card">.*?</div>', re.DOTALL)
    assert not re.search(r"\b(black|white|hispanic)\b", text_of(card.sub("", html)))


def test_a_run_of_refusals_says_what_nothing_can_be_said_about(runs):
    html = rendered(read_findings(runs / "refusing"))
    assert "nothing can be said about how often each group&#39;s names are accepted, against the average of all" in html
    assert "between  and" not in html
    assert "Table 6 as published: reference data" in html
    assert html.count("reference data, not measured here: An et al. (2024)") == 1


def test_what_was_asked_counts_prompts_and_their_seeds(content):
    def asked(**others):
        return dict(parameter_rows(read_audit(content["audit"] | others, source="findings.json")))

    rows = asked()
    assert rows["Prompts drawn"] == "400 of 738,000, a prompt counting once per seed"
    assert not {"Items", "Sample", "Population"} & set(rows)
    rows = asked(parameters={"sample": 8400, "population": 8400}, attempts=8000)
    assert rows["Prompts drawn"] == "all 8,400, a prompt counting once per seed"
    assert rows["Answers requested"] == "8,000"
    saved = asked(kind="measure", parameters={"answers": 400})
    assert saved["Answers"] == "400, a prompt counting once per seed"


def test_the_card_has_italics_and_no_asterisks(html):
    assert "<em>Do Large Language Models Discriminate" in html
    shown = card_html("A *title, here*, 2 * 3 * 4, `*` and **bold**.")
    assert shown == "<p>A <em>title, here</em>, 2 * 3 * 4, <code>*</code> and <strong>bold</strong>.</p>\n"
