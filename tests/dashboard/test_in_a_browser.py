"""Every view in Chromium with the network off: axe-core, nothing wider than the screen, nothing the policy refuses."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from asked_pages import Browser
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.asked import Dashboards

PAGES = ("/", "/diversity", "/diversity?by=team", "/monitoring", "/audits", "/absent")
LOOKS = [(1280, "light"), (390, "dark"), (390, "light"), (1280, "dark")]
SEEN = [
    pytest.param(page, *look, marks=() if at % len(LOOKS) == number else pytest.mark.slow)
    for at, page in enumerate(PAGES)
    for number, look in enumerate(LOOKS)
]


@pytest.fixture(scope="module")
def answers(store):
    asked = Browser(application(Dashboards(access=Access(host="127.0.0.1"), store=store)))
    return {page: asked.get(page) for page in PAGES}


@pytest.mark.parametrize(("address", "width", "scheme"), SEEN)
def test_axe_finds_nothing_and_nothing_overflows(browser, answers, address, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=False)
    page = context.new_page()
    told, asked = [], []
    page.on("console", lambda each: told.append(each.text))
    answer = answers[address]

    def fulfilled(route):
        asked.append(route.request.url)
        route.fulfill(status=200, body=answer.content, headers=dict(answer.headers))

    page.route("**", fulfilled)
    page.goto(f"http://127.0.0.1:8400{address}", wait_until="load")
    assert (told, len(asked)) == ([], 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(each["id"], node["html"][:200]) for each in found for node in each["nodes"]] == []
    context.close()
