"""Every view in Chromium with the network off: axe-core, nothing wider than the screen, nothing the policy refuses.

Where EVENHAND_PICTURES names a folder, a picture of each is left there.
"""

import os
import re
from pathlib import Path

import pytest

from asked_pages import look_at
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards, Synthetic

PICTURES = os.environ.get("EVENHAND_PICTURES")
PAGES = (
    "/",
    "/diversity",
    "/diversity?by=team",
    "/monitoring",
    "/audits",
    "/audits?first=first&second=second",
    "/absent",
    "start",
    "/login",
)
LOOKS = [(1280, "light"), (390, "dark"), (390, "light"), (1280, "dark")]
#: One look of each page, two of them where pictures are kept; the others are slow.
SEEN = [
    pytest.param(page, *look, marks=() if at % len(LOOKS) == number or (PICTURES and number < 2) else pytest.mark.slow)
    for at, page in enumerate(PAGES)
    for number, look in enumerate(LOOKS)
]


@pytest.fixture
def open_page(visit, store, runs):
    """Return what opens an address of a server that has a store and runs; `start` is that of one without any."""
    host = Access(host="127.0.0.1")
    shown = application(Dashboards(access=host, store=store, runs=runs))
    first = application(Dashboards(access=host, synthetic=Synthetic(folder=Path("absent"), make=print)))
    return lambda address, **look: visit(first, "/", **look) if address == "start" else visit(shown, address, **look)


@pytest.mark.parametrize(("address", "width", "scheme"), SEEN)
def test_axe_finds_nothing_and_nothing_overflows(open_page, address, width, scheme):
    page, console = open_page(address, width=width, scheme=scheme)
    assert [text for text in console if "status of 404" not in text or address != "/absent"] == []
    assert page.evaluate("performance.getEntriesByType('resource')") == []  # nothing else is fetched
    name = re.sub(r"\W+", "-", address).strip("-") or "overview"
    look_at(page, f"{name}-{scheme}", width=width)


def test_all_is_reached_and_done_with_the_keyboard(open_page):
    page, _ = open_page("/diversity")
    focused = "document.activeElement.name || document.activeElement.textContent.trim()"
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        here = page.evaluate(focused)
        reached.append(here)
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", here
        if here == "by":
            page.keyboard.press("ArrowDown")
        if here == "As one file":
            break
    order = [reached.index(name) for name in ("Overview", "Monitoring", "model", "attribute", "by", "Show", "As CSV")]
    assert order == sorted(order)
    for _ in range(reached[::-1].index("Show")):
        page.keyboard.press("Shift+Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert "by=" in page.url
    assert page.locator("h1").inner_text() == "Diversity"


#: Who wants what: the page that they begin with, what they click one after another, and what they see in the end.
#: Something is typed into a field.
TASKS = {
    "director: the worst department, without a click": ("/", [], ".question >> text=department press"),
    "director: how it is there, in 1": ("/", ["#worst tbody a >> nth=0"], "h2 >> text=Impact ratios by department"),
    "director: since when, in 2": (
        "/",
        ["#worst tbody a >> nth=0", "#passed tbody a >> text=press"],
        "#passed .wide path.area >> nth=0",
    ),
    "director: the map leads to the place, in 1": ("/", [".wide a >> nth=0"], "h2 >> text=Impact ratios by department"),
    "engineer: an alarm and its chart, in 1": ("/", ["#alarms a >> text=Median score"], ".wide rect.since"),
    "engineer: from the tile to the alarms, in 1": ("/", [".tiles a >> text=Open alarms"], "#alarms h2"),
    "engineer: from a point to the alarm, in 2": (
        "/",
        ["#models a >> text=Scores", "#median_score .wide a >> nth=0"],
        "h1 >> text=Alarm",
    ),
    "supervisor: an alarm is muted, in 3": (
        "/",
        ["#alarms a >> text=Median score", "form:has-text('Mute') [name=note]", "text=Mute >> nth=-1"],
        "#done >> text=by local: typed",
    ),
    "supervisor: recruiters within positions, in 1": ("/", ["nav >> text=Recruiters"], "h2 >> text=Within positions"),
    "recruiter: an applicant's positions, in 1": (
        "/candidates?position=J00001",
        ["#list tbody a >> nth=0"],
        "h2 >> text=Ranked positions",
    ),
    "recruiter: a résumé before and after masking, in 2": (
        "/candidates?position=J00001",
        ["#list tbody a >> nth=0", "text=Before and after masking"],
        "mark >> text=[NAME]",
    ),
    "engineer: what an audit found, in 2": (
        "/",
        ["nav >> text=Audits", "#runs tbody a >> nth=0"],
        "h2 >> text=Limits",
    ),
    "anybody: a month of a line, in 2": (
        "/",
        [".tiles a >> text=Hiring: impact ratio", "#passed tbody a >> text=2025-09"],
        "select[name=to]:has(option[selected]:text('2025-09'))",
    ),
    "anybody: months stay from page to page, in 2": (
        "/diversity?model=Hiring&attribute=gender&from=2025-06&to=2025-12",
        ["nav >> text=Monitoring", "nav >> text=Bias"],
        "select[name=from]:has(option[selected]:text('2025-06'))",
    ),
}
WALKED = [
    pytest.param(task, *look, marks=() if at % len(LOOKS) == number else pytest.mark.slow)
    for at, task in enumerate(TASKS)
    for number, look in enumerate(LOOKS)
]


@pytest.fixture
def walker(visit, firm, ranked):
    """Return what opens a page of the firm at a width and in a scheme."""
    app = application(Dashboards(access=Access(host="127.0.0.1"), store=firm, runs=ranked / "runs"))
    return lambda address, **look: visit(app, address, height=800, **look)


@pytest.mark.parametrize(("task", "width", "scheme"), WALKED)
def test_a_task_takes_so_many_clicks(walker, task, width, scheme):
    start, clicks, seen = TASKS[task]
    if width < 1280:
        clicks, seen = [each.replace(".wide", ".narrow") for each in clicks], seen.replace(".wide", ".narrow")
    page, console = walker(start, width=width, scheme=scheme)
    addresses = [page.url]
    for each in clicks:
        place = page.locator(each).first
        place.click()
        if "[name=" in each:
            place.fill("typed")
        addresses.append(page.url)
    assert page.locator(seen).first.is_visible()
    assert console == []
    look_at(page, re.sub(r"\W+", "-", task), width=width)
    if not any("[name=" in each for each in clicks):
        for before in addresses[-2::-1]:
            page.go_back()
            assert page.url == before


def test_the_first_screen_has_the_answer_the_tiles_and_the_worst_places(walker):
    page, _ = walker("/")
    for place in (".question", ".tiles", "#worst .wide svg", "#worst .tables table"):
        box = page.locator(place).first.bounding_box()
        assert 0 < box["y"] + box["height"] <= 800, place
    chart, worst = (page.locator(place).first.bounding_box() for place in ("#worst .wide", "#worst .tables"))
    assert chart["x"] + chart["width"] <= worst["x"]
    assert worst["x"] + worst["width"] - chart["x"] == pytest.approx(1240, abs=2)
    states = page.locator(".tiles .state").all_inner_texts()
    assert all(text[0] in "◆◇○" and len(text) > 5 for text in states), states
