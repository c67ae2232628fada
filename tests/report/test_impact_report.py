"""The report of an analysis of applicants: sentences, figures and tables, from tables of applicants to the page."""

import re
from html import unescape

import numpy as np
import polars as pl
import pytest
from page import CUT, Page, plain, read_findings, rendered, written_page
from test_tables import table

import evenhand
from evenhand.data.examples import berkeley_applicants
from evenhand.data.rules import used_by

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # remarks stand on the page
RACES = ("Asian", "Black", "Hispanic", "White", "Two or More Races", "Pacific Islander", "N/A")


def groups(**counts):
    """Return one row per applicant from 'group=(selected, applicants)'."""
    return pl.DataFrame(
        [
            {"group": name, "hired": "yes" if number < selected else "no"}
            for name, (selected, people) in counts.items()
            for number in range(people)
        ]
    )


def scored():
    """Return 1,200 applicants with scores, among them groups of a few people."""
    rng = np.random.default_rng(5)
    n = 1_200
    gender = rng.choice(["female", "male", "not said"], n, p=[0.48, 0.48, 0.04])
    score = rng.normal(3.0, 0.7, n) - 0.25 * (gender == "female")
    return pl.DataFrame(
        {
            "person": np.arange(n),
            "gender": gender,
            "race": rng.choice(RACES, n, p=[0.2, 0.2, 0.2, 0.3, 0.05, 0.01, 0.04]),
            "job": rng.choice([f"Job {number:02d}" for number in range(30)], n),
            "years": rng.integers(0, 10, n),
            "score": score,
            "hired": np.where(score + rng.normal(0, 0.4, n) > 3.4, "yes", "no"),
        }
    )


def stages():
    """Return two steps: women pass the first less often and the second more often."""
    rows = []
    for gender, screened, hired in (("female", 60, 45), ("male", 90, 45)):
        for number in range(150):
            person = {"person": f"{gender}{number}", "gender": gender, "score": number % 7 + number / 150}
            rows.append(person | {"stage": "screen", "passed": number < screened})
            if number < screened:
                rows.append(person | {"stage": "offer", "passed": number < hired})
    return pl.DataFrame(rows)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return the folder with the runs, each with its report."""
    folder = tmp_path_factory.mktemp("impact")
    # Q. 21 of the Questions and Answers on the Uniform Guidelines: 3 of 20 against 16 of 80 (44 FR 11996, 1979).
    asked = {
        "small": (groups(black=(3, 20), white=(16, 80)), {"selected": "hired", "protected": ["group"]}),
        "single": (groups(women=(3, 4)), {"selected": "hired", "protected": ["group"]}),
        "nobody": (groups(women=(0, 5), men=(0, 7)), {"selected": "hired", "protected": ["group"]}),
        "berkeley": (
            berkeley_applicants(),
            {"selected": "admitted", "protected": ["gender"], "position": "department"},
        ),
        "stages": (
            stages(),
            {"selected": "passed", "protected": ["gender"], "stage": "stage=screen,offer", "unit": "person"},
        ),
        "scored stages": (
            stages(),
            {
                "score": "score",
                "cutoff": [3.0],
                "median": True,
                "protected": ["gender"],
                "stage": "stage=screen,offer",
                "unit": "person",
            },
        ),
        "decided": (
            scored(),
            {
                "selected": "hired",
                "protected": ["gender", "race"],
                "position": "job",
                "given": ["years"],
                "intersectional": True,
                "missing": "bounds",
                "where": ["years BETWEEN 0 AND 8"],
                "unknown": ["not said"],
            },
        ),
        "scored": (
            scored(),
            {
                "score": "score",
                "protected": ["gender", "race"],
                "cutoff": [3.0, 4.5],
                "median": True,
                "means": True,
                "four_fifths": "two-sided",
                "reference": {"gender": "female"},
            },
        ),
    }
    for name, (frame, options) in asked.items():
        frame.write_csv(folder / f"{name}.csv")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            written_page(evenhand.impact(f"{name}.csv", out=folder / name, report=False, **options))
    return folder


@pytest.fixture(scope="module")
def html_of(pages):
    return {path.parent.name: plain(path.read_text(encoding="utf-8")) for path in pages.glob("*/report.html")}


def answers(html):
    """Return the sentences of the first screen: those before the table, and those behind it."""
    return [unescape(text) for text in re.findall(r"<p(?: class=\"result\")?>(.*?)</p>", section(html, "result")[0])]


def section(html, name):
    return re.search(rf'<section id="{name}".*?</section>', html, flags=re.DOTALL)


def words(html):
    """Return what a reader sees, without style and charts."""
    return unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", html, flags=re.DOTALL)))


def test_the_page_opens_with_the_answer_then_the_table_with_its_intervals_then_steps(html_of):
    result = section(html_of["berkeley"], "result")[0]
    order = [result.index(sign) for sign in ('class="result"', "<table", '<svg class="interval"', 'class="steps"')]
    assert order == sorted(order)
    (line,) = table(result, "Gender. Reference: men, n 2,691, selection rate 44.5 %")
    assert line == {
        "Group": "women",
        "n": "1,835",
        "Selection rate": "30.4 %",
        "Impact ratio (95 % CI)": "0.68 (0.63–0.74)",
        "Four-fifths": "below",
        "Statistically significant?": "yes (p &lt; 0.001 alone and over 3 comparisons)",
    }


def test_nothing_is_said_twice(html_of):
    for html in html_of.values():
        shown = re.sub(r'<section id="warnings".*?</section>', "", html, flags=re.DOTALL)
        said = [text for text in Page(shown).text("p") if len(text) > 60 and " at this size. " not in text]
        once = [text for text in said if not text.startswith("False-positive rate")]
        assert len(once) == len(set(once))


def test_each_chapter_tells_which_test_applies_at_this_size(html_of):
    assert "Fisher&#39;s exact test and the flip-flop rule apply at this size. An expected cell" in html_of["small"]
    assert "The Z test and Fisher&#39;s exact test apply at this size." in html_of["berkeley"]


def test_the_words_of_the_field_are_the_only_ones(html_of):
    gone = r"even-handed|, read (?:the|Fisher)|\b(?:fair|unbiased|no discrimination|no bias|discriminates)\b"
    for html in html_of.values():
        assert re.findall(gone, words(html).casefold()) == []


# 20 % and 18.75 % are the rates that the agencies' answer to Q. 21 gives after the change.
def test_the_flip_flop_shows_the_counts_before_and_after(html_of):
    first = table(html_of["small"], "Ratios before and after one changed selection")[0]
    assert (first["As it is"], first["With one selection moved"]) == ("3 of 20, 16 of 80", "4 of 20, 15 of 80")
    assert (first["Ratio after"], first["Direction after"]) == ("1.067", "reversed")  # .2/.1875
    kept = table(html_of["berkeley"], "Ratios before and after one changed selection")
    assert {line["Direction after"] for line in kept} == {"kept"}


def test_positions_that_point_elsewhere_are_said_and_their_odds_ratio_stands_there(html_of):
    html = html_of["berkeley"]
    assert "In 1 of 6 positions (A) the impact ratio of men is below four-fifths." in section(html, "positions")[0]
    (line,) = table(html, "Odds ratios over all positions: decision")
    assert line["Group against reference"] == "Women against men"
    assert float(line["Odds ratio"]) > 1
    assert "opposite to all applicants together" in line["Note"]
    assert "differs between positions" in line["Note"]
    worst = table(html, "Gender: decision: the largest shortfalls")
    shortfalls = [float(row["Shortfall"]) for row in worst]
    assert shortfalls == sorted(shortfalls, reverse=True)


def test_an_attribute_with_one_group_and_a_reference_without_selections_tell_why(html_of):
    assert answers(html_of["single"]) == [
        "Group: all people of a known group belong to women, so there are no groups to compare."
    ]
    (answer,) = answers(html_of["nobody"])
    assert answer.startswith("No impact ratio by group: nobody in the reference group was selected")
    assert "not computed" in html_of["nobody"]


def test_who_counts_is_told_row_by_row(html_of):
    lines = {line["What"]: line["Rows"] for line in table(html_of["decided"], "Rows of the table")}
    frame = scored()
    kept = frame.filter(pl.col("years") < 9)
    assert lines["Read"] == "1,200"
    assert lines["Left out by --where years BETWEEN 0 AND 8"] == str(frame.height - kept.height)
    assert lines["Used"].replace(",", "") == str(kept.height)
    assert lines["Of those used, gender not known"] == str(kept.filter(gender="not said").height)
    labels = table(html_of["decided"], "Labels that were taken to say: not known")
    assert {line["Label"] for line in labels} == {"not said", "N/A"}


def test_the_forest_has_lines_at_four_fifths_and_one_and_at_five_fourths_where_both_sides_count(html_of):
    def marks(html):
        forest = re.search(r"<figure.*?</figure>", section(html, "attribute-1")[0], flags=re.DOTALL)[0]
        return set(re.findall(r">(0\.8|1|1\.25)</text>", forest))

    assert {"0.8", "1"} <= marks(html_of["decided"])
    assert {"0.8", "1", "1.25"} <= marks(html_of["scored"])


def test_the_tables_print_the_findings(pages, html_of):
    html = html_of["decided"]
    (line,) = table(html, "Gender. Reference: men, n ")
    content = read_findings(pages / "decided")
    row = next(row for row in content["findings"] if row["name"] == "impact_ratio_gender_female")
    assert line["n"] == str(row["details"]["n_focal"])
    assert float(line["Impact ratio (95 % CI)"].partition(" ")[0]) == pytest.approx(row["estimate"], abs=5e-3)
    tests = table(section(html, "attribute-1")[0], "Tests, unadjusted")[0]
    assert tests["Selected"] == f"{row['details']['selected_focal']} of {row['details']['n_focal']}"
    assert float(tests["Minimum detectable ratio"]) == pytest.approx(row["details"]["detectable_ratio"], abs=5e-4)


def test_crude_and_adjusted_odds_ratios_stand_side_by_side(pages, html_of):
    lines = table(html_of["decided"], "Odds ratios before and after adjusting for position and years")
    rows = [row for row in read_findings(pages / "decided")["findings"] if row["measure"] == "adjusted_odds_ratio"]
    assert [float(line["Adjusted"]) for line in lines] == pytest.approx([row["estimate"] for row in rows], abs=5e-4)
    assert [float(line["Crude"]) for line in lines] == pytest.approx(
        [row["details"]["odds_ratio_crude"] for row in rows], abs=5e-4
    )
    assert "The analysis did not adjust for qualifications" not in html_of["decided"]
    assert "The analysis did not adjust for qualifications (--given)" in html_of["small"]


def test_bounds_are_shown_where_groups_are_unknown(html_of):
    lines = table(html_of["decided"], "Impact ratios under every assignment of the unknown")
    female = next(line for line in lines if line["Group against reference"].startswith("Women against"))
    assert float(female["Lowest possible"]) < float(female["Ratio of those known"]) < float(female["Highest possible"])
    assert section(html_of["small"], "unknown") is None


def test_agreement_counts_every_comparison_once(pages, html_of):
    lines = table(html_of["decided"], "Comparisons by what the rule and the tests say: decision")
    shown = read_findings(pages / "decided")["audit"]["shown"]["agreement"]
    assert sum(int(line["Compared"]) for line in lines) == sum(row["rows"] for row in shown)
    for line in lines:
        parts = [int(value) for head, value in line.items() if head not in {"Groups of", "Compared"}]
        assert sum(parts) == int(line["Compared"])


def test_positions_beyond_the_shown_ones_are_in_impact_csv(html_of):
    html = html_of["decided"]
    assert len(table(html, "Gender × race: decision: the largest shortfalls")) == 10
    assert "impact.csv has all comparisons" in html


def test_cut_offs_with_few_selections_are_hollow_and_marked(html_of):
    html = section(html_of["scored"], "cutoffs")[0]
    cells = [value for line in table(html, "Impact ratio by cut-off, groups of race") for value in line.values()]
    marked = sum(value.endswith("(few)") for value in cells)
    assert 0 < marked < len(cells)
    figures = re.findall(r"<figure.*?</figure>", html, flags=re.DOTALL)
    hollow = [len(re.findall(r'<title>[^<]*selected</title><\w+ class="hollow"', figure)) for figure in figures]
    ratios = [number for figure, number in zip(figures, hollow, strict=True) if "Impact ratio by cut-off" in figure]
    assert sum(ratios) == 2 * sum(cell.endswith("(few)") for cell in _ratio_cells(html))


def _ratio_cells(html):
    found = [text for text in Page(html).text("caption") if text.startswith("Impact ratio by cut-off")]
    return [value for caption in found for line in table(html, caption) for value in line.values()]


def test_lines_of_a_step_say_which_definition_of_a_selection_they_are_of(html_of):
    html = section(html_of["scored stages"], "stages")[0]
    charts = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(charts) == 6  # two steps and the way through both, each for a desk and a phone
    for chart in charts:
        labels = re.findall(r'class="label"[^>]*>(?:<title>[^<]*</title>)?((?:Wom|M)en [^<]*)<', chart)
        assert len(labels) == len(set(labels)) == 2


def test_the_z_curve_has_the_point_at_hand_and_both_limits(html_of):
    html = section(html_of["berkeley"], "z-curve")[0]
    assert "−1.96</text>" in html
    assert ">1.96</text>" in html
    (line,) = table(html, "The groups furthest behind")
    # Both groups as one size: the harmonic mean of 1,835 and 2,691.
    assert line["People per group"] == f"{round(2 / (1 / 1835 + 1 / 2691)):,}"
    assert float(line["Z here"].replace("−", "-")) < -1.96
    assert "Z = −" in html


def test_means_come_with_the_standardised_difference_and_their_caution(html_of):
    html = html_of["scored"]
    (line,) = table(html, "Gender, mean score. Reference: ")[:1]
    assert re.fullmatch(r"−?0\.\d\d \(−?0\.\d\d to −?0\.\d\d\)", line["Standardised difference"])
    assert "it does not depend on where the scale starts" in html


def test_each_stage_has_its_block_and_the_bottom_line_excuses_none(html_of):
    html = section(html_of["stages"], "stages")[0]
    assert Page(html).text("h3") == ["Stage: screen", "Stage: offer", "Bottom line: all stages together"]
    assert "does not excuse a stage" in html
    assert "Connecticut v. Teal" in html
    screen, offer, whole = (table(html, f"All groups, {stage}")[0] for stage in ("screen", "offer", "bottom line"))
    assert (screen["Ratio"], screen["Rates"]) == ("0.667", "40.0 % of 150, 60.0 % of 150")
    assert offer["Group"] == "Men against women"
    assert (offer["Ratio"], whole["Ratio"]) == ("0.667", "1.000")


def test_rules_are_printed_with_citation_and_dates(pages):
    content = read_findings(pages / "small")
    content["audit"]["rules"] = used_by(stages=True)
    lines = {line["Rule"]: line for line in table(rendered(content), "Thresholds and rules used here")}
    assert lines["Four-fifths rule"]["Citation"].startswith("29 CFR 1607.4(D)")
    assert lines["Four-fifths rule"]["In force from"] == "1978-09-25"
    assert "Age of forty" not in lines


def test_the_pages_fit_the_screen_and_cut_no_table(pages, browser):
    complaints = []
    for width in (390, 1280):
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("console", lambda message: complaints.append(message.text))
        for name in ("decided", "scored", "stages", "nobody"):
            page.goto((pages / name / "report.html").as_uri())
            fits_and_cuts_nothing(page, width)
    assert complaints == []


def fits_and_cuts_nothing(page, width):
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []


def test_print_shows_what_is_open_and_clips_nothing(pages, browser):
    page = browser.new_page(viewport={"width": 673, "height": 900})  # an A4 page within its margins
    page.goto((pages / "scored" / "report.html").as_uri())
    folded = page.locator("#cutoffs details table").first
    page.emulate_media(media="print")
    assert folded.is_hidden()
    fits_and_cuts_nothing(page, 673)
    assert folded.bounding_box()["height"] > 100
