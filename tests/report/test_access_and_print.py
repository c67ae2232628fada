"""Every kind of report as axe-core finds it, in forced colours, and on paper."""

import re

import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe
from invented import full
from page import TRACED, render_report
from real_reports import PAGES

from evenhand.report.words.numbers import MARKS, first_other_number
from evenhand.results.result import read_result

LONG = "Aardvarks of {} come first in a name longer than any column of a table has room for, and last of all zebras"
COMMAND = "evenhand probe hiring-an --model sim:masculine " + " ".join(f"--option-{n} value-{n}" for n in range(60))
#: What axe-core can't tell of text in a drawing; charts/test_in_a_browser.py measures its contrast.
UNDECIDED = {"color-contrast"}
#: Rows of a table that differ from its first ones in their numbers only.
LIKE_THOSE_ABOVE = "tbody tr:nth-child(n+5)"
OPEN = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
#: What must have something after it on its page: headings, captions, and the heads of tables.
BEGINNINGS = """() => [...document.querySelectorAll('h2, h3, h4, summary, caption, figcaption, thead tr')]
    .filter(each => each.checkVisibility()).map(each => each.innerText)"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    content = full(reproduce=COMMAND)
    for row in content["findings"]:
        if "race" in row["slice"]:
            row["slice"] = {"race": LONG.format(row["slice"]["race"])}
    path = tmp_path_factory.mktemp("whole") / "whole.html"
    path.write_text(render_report(content), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def page(real_reports, browser):  # noqa: ARG001 - the runs are made before Playwright's event loop runs
    return browser.new_context(reduced_motion="reduce").new_page()


KINDS = [name for name, path in PAGES.items() if path.endswith("report.html") and name != "explained"]


@pytest.mark.parametrize("name", KINDS)
def test_each_number_of_a_finding_says_whose_it_is_and_is_read_back(real_reports, name):
    html = (real_reports / PAGES[name]).read_text(encoding="utf-8")
    findings = read_result((real_reports / PAGES[name]).parent).findings
    numbers = [*TRACED.finditer(html)]
    assert len(numbers) > 10
    assert not set(html) & set(MARKS)
    assert not re.search(r'="[^"<>]*<span', html)
    assert first_other_number(html, findings) is None
    for number in numbers[:: len(numbers) // 3]:
        digit = number.start(1) + re.search(r"\d", number[1]).start()
        # Never 0, as 0.1 could be 5.1 % as a share.
        altered = html[:digit] + ("4" if html[digit] == "9" else "9") + html[digit + 1 :]
        assert "it prints" in first_other_number(altered, findings)


def opened(page, path, width=1280, scheme="light", *, forced="none"):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media="null", color_scheme=scheme, forced_colors=forced)
    page.goto(path.as_uri(), wait_until="load")
    return page


def found_by_axe(page):
    options = {"resultTypes": ["violations", "incomplete"]}
    found = Axe().run(page, context={"exclude": [[LIKE_THOSE_ABOVE]]}, options=options).response
    told = [*found["violations"], *(each for each in found["incomplete"] if each["id"] not in UNDECIDED)]
    return [(each["id"], node["html"][:200]) for each in told for node in each["nodes"]]


#: Probes whose page has the kinds of sections that another page has.
ALIKE = {"hiring-bloomberg", "business-vocabulary"}
#: One look at each kind of report; the others are looked at by `make test-slow`.
LOOKS = [(400, "dark"), (1280, "light"), (400, "light"), (1280, "dark")]
SEEN = [
    pytest.param(name, *look, marks=() if place % len(LOOKS) == number else pytest.mark.slow)
    for place, name in enumerate(name for name in PAGES if name not in ALIKE)
    for number, look in enumerate(LOOKS)
]


@pytest.mark.parametrize(("name", "width", "scheme"), SEEN)
def test_axe_finds_nothing_and_nothing_overflows(page, real_reports, name, width, scheme):
    opened(page, real_reports / PAGES[name], width, scheme)
    page.evaluate(OPEN)
    assert found_by_axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_axe_finds_what_is_wrong(page, tmp_path):
    path = tmp_path / "wrong.html"
    path.write_text("<html><title>a</title><main><h1>a</h1><h4>b</h4><p style='color: #bbb'>c</p></main>")
    assert {name for name, _ in found_by_axe(opened(page, path))} >= {"html-has-lang", "heading-order"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_charts_follow_forced_colours(page, whole, scheme):
    opened(page, whole, scheme=scheme, forced="active")
    ink, paper = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    colours = page.evaluate(
        """() => [...document.querySelectorAll('svg.chart text, svg.chart .dot, svg.chart .band')]
            .map(each => [each.getAttribute('class'), getComputedStyle(each).fill])"""
    )
    assert len(colours) > 100
    for kind, fill in colours:
        assert fill == (paper if kind and kind.startswith("band") else ink), kind


def printed(page, folder, height=297):
    """Return the lines of each page on paper of this height in millimetres: title, page number, and what it holds."""
    path = folder / "report.pdf"
    page.pdf(path=path, width="210mm", height=f"{height}mm", print_background=True)
    with pypdfium2.PdfDocument(path) as pdf:
        return [each.get_textpage().get_text_bounded().splitlines() for each in pdf]


def squeezed(text):
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ALIKE])
def test_every_page_on_paper_has_its_title_and_number_and_ends_with_no_beginning(page, real_reports, name, tmp_path):
    opened(page, real_reports / PAGES[name])
    title = page.title() if name != "law" else "New York City Local Law 144: calculations for a bias audit"
    page.emulate_media(media="print")
    beginnings = tuple(filter(None, map(squeezed, page.evaluate(BEGINNINGS))))
    pages = printed(page, tmp_path)
    for number, lines in enumerate(pages, start=1):
        assert lines[:2] == [title, f"Page {number} of {len(pages)}"]
        assert not squeezed("".join(lines)).endswith(beginnings), number


@pytest.mark.parametrize("height", [297, 250])
def test_no_row_is_split_over_two_pages(page, whole, height, tmp_path):
    opened(page, whole)
    page.evaluate(OPEN)
    page.evaluate("document.querySelectorAll('svg').forEach(each => { each.remove(); })")  # they shorten names
    pages = ["".join(lines) for lines in printed(page, tmp_path, height)]
    assert sum(text.count("Aardvarks") for text in pages) > 3
    for text in pages:
        assert text.count("Aardvarks") == text.count("zebras")


def test_what_is_closed_is_not_printed_what_is_open_is_and_a_command_in_full(page, whole, tmp_path):
    opened(page, whole)
    closed = " ".join(line for lines in printed(page, tmp_path) for line in lines)
    assert "Every finding under its name" not in closed
    assert "Sections that are closed on the screen" in closed
    assert squeezed(COMMAND) in squeezed(closed)
    page.evaluate(OPEN)
    everything = " ".join(line for lines in printed(page, tmp_path) for line in lines)
    assert "Every finding under its name" in everything
    assert "Sections that are closed on the screen" not in everything
