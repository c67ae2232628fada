"""How long the report of an analysis of applicants is: what is read first stands open, the rest is folded."""

import re

import pytest
from page import Page, plain, written_page
from test_impact_report import answers, scored, section
from test_tables import table

import evenhand

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # remarks stand on the page


@pytest.fixture(scope="module")
def crossed(tmp_path_factory):
    """Return the run of two crossed attributes with three cut-offs, the median and thirty positions."""
    folder = tmp_path_factory.mktemp("length") / "run"
    run = evenhand.impact(
        scored(),
        score="score",
        cutoff=[3.0, 3.5, 4.0],
        median=True,
        protected=["gender", "race"],
        position="job",
        intersectional=True,
        missing="bounds",
        report=False,
        out=folder,
    )
    written_page(run)
    return folder


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    """Return the run of one definition of a selection, by position."""
    folder = tmp_path_factory.mktemp("single") / "run"
    options = {"selected": "hired", "protected": ["gender", "race"], "position": "job", "report": False}
    written_page(evenhand.impact(scored(), out=folder, **options))
    return folder


def test_a_crossed_report_with_three_cut_offs_can_be_read(crossed, browser):
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.goto((crossed / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") < 15_000
    page.locator("#attribute-1 > details > summary").click()
    folded = page.locator("#attribute-1 details.part:visible").last
    assert folded.locator("table").first.is_hidden()
    folded.locator("summary").first.click()
    assert page.locator("details.part[open]").count() == 1
    page.emulate_media(media="print")
    shown = page.evaluate(
        "() => [...document.querySelectorAll('details.part')].filter(part => part.scrollHeight > 60).length"
    )
    assert shown == 1  # what the reader opened


def test_a_printed_report_has_ten_pages_at_most(single, browser):
    page = browser.new_page(bypass_csp=True)
    page.goto((single / "report.html").as_uri())
    page.add_style_tag(content="details:not([open])::details-content { display: none !important; }")
    printed = page.pdf(prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 10


def test_folded_parts_have_their_heading_to_click_on_and_lose_no_table(crossed):
    html = (crossed / "report.html").read_text(encoding="utf-8")
    parts = re.findall(r'<details class="part"><summary>(.*?)</summary>', html)
    assert parts
    assert all(re.fullmatch(r"<h3>[^<]+</h3>", heading) for heading in parts)
    for cutoff in ("3", "3.5", "4"):
        assert f"<h3>Score above {cutoff}</h3>" in section(html, "attribute-1")[0]
        assert table(html, f"Gender: score above {cutoff}: the largest shortfalls")
    first = section(html, "attribute-1")[0].partition('<details class="part')[0]
    assert "<figure" in first
    assert "Tests, unadjusted" in first


def test_a_single_definition_stands_open(single):
    html = (single / "report.html").read_text(encoding="utf-8")
    for name in ("attribute-1", "positions", "pooled", "z-curve"):
        assert 'class="part"' not in section(html, name)[0]
    assert Page(html).text("h3")


def test_the_answer_and_the_chapter_pool_the_same_definition(crossed):
    html = plain((crossed / "report.html").read_text(encoding="utf-8"))
    (said,) = [text for text in answers(html) if text.startswith("Within positions")]
    lines = table(section(html, "pooled")[0], "Odds ratios over all positions: score above 3")
    line = next(line for line in lines if line["Group against reference"].startswith("Women"))
    assert float(re.search(r"common odds ratio ([\d.]+)", said)[1]) == pytest.approx(
        float(line["Odds ratio"]), abs=0.005
    )


def test_a_table_of_changed_selections_has_its_first_lines_and_says_of_how_many(tmp_path):
    groups = {f"g{number:02}": (2, 10) for number in range(44)}
    evenhand.impact({"all": (8, 10), **groups}, out=tmp_path / "run")
    html = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    title = "Ratios before and after one changed selection. The first 40 of 44; impact.csv has all"
    assert len(table(html, title)) == 40
