"""Every view in Chromium with the network off: axe-core, nothing wider than the screen, nothing the policy refuses.

Where EVENHAND_PICTURES names a folder, a picture of each is left there.
"""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from asked_pages import Browser
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


@pytest.fixture(scope="module")
def asked(store, runs):
    """Return what answers an address, in a thread of its own as Playwright has the event loop of this one."""
    host = Access(host="127.0.0.1")
    shown = Browser(application(Dashboards(access=host, store=store, runs=runs)))
    start = Dashboards(access=host, synthetic=Synthetic(folder=Path("absent"), make=print))
    first = Browser(application(start))
    with ThreadPoolExecutor(1) as thread:
        yield lambda page: thread.submit(
            first.get if page == "start" else shown.get, page.replace("start", "/")
        ).result()


@pytest.fixture
def opened(browser, asked):
    """Return what opens a page, and all that was asked for and told meanwhile; the network is off."""
    contexts = []

    def page_at(address, *, width=1280, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=False)
        contexts.append(context)
        context.set_offline(True)
        page = context.new_page()
        told, urls = [], []
        page.on("console", lambda each: told.append(each.text))

        def fulfilled(route):
            urls.append(route.request.url)
            answer = asked(address if address == "start" else route.request.url.partition(":8400")[2])
            route.fulfill(status=200, body=answer.content, headers=dict(answer.headers))

        page.route("**", fulfilled)
        page.goto(f"http://127.0.0.1:8400{address if address != 'start' else '/'}", wait_until="load")
        return page, told, urls

    yield page_at
    for each in contexts:
        each.close()


@pytest.mark.parametrize(("address", "width", "scheme"), SEEN)
def test_axe_finds_nothing_and_nothing_overflows(opened, address, width, scheme):
    page, told, urls = opened(address, width=width, scheme=scheme)
    assert (told, len(urls)) == ([], 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(each["id"], node["html"][:200]) for each in found for node in each["nodes"]] == []
    if PICTURES:
        name = re.sub(r"\W+", "-", address).strip("-") or "overview"
        page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png", full_page=True)


def test_all_is_reached_and_done_with_the_keyboard(opened):
    page, _, urls = opened("/diversity")
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
    assert "by=" in urls[-1]
    assert page.locator("h1").inner_text() == "Diversity"
