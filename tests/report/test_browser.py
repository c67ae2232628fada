"""The report in a browser: no network, no error, no sideways scrolling, readable charts."""

import pytest
from invented import full
from page import CUT, render_report
from test_page import hostile_everywhere

LONG = {"race": "a group with a name that is longer than any column of a chart has room for, and then some"}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    whole = full()
    for row in whole["findings"]:
        if row["slice"].get("race") == "white":
            row["slice"] = LONG
    folder = tmp_path_factory.mktemp("reports")
    for name, content in (("whole", whole), ("hostile", hostile_everywhere())):
        (folder / f"{name}.html").write_text(render_report(content), encoding="utf-8")
    return folder


def opened(browser, path, width):
    """Return the page, and what it complained about or asked for besides itself."""
    context = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    complaints = []

    def judge(route):
        address = route.request.url
        if address == path.as_uri() or address.startswith("data:"):
            route.continue_()
        else:
            complaints.append(address)
            route.abort()

    context.set_offline(True)
    context.route("**/*", judge)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri(), wait_until="load")
    return page, complaints


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["whole", "hostile"])
def test_the_page_opens_offline_without_a_complaint_and_fits_the_screen(browser, reports, name, width):
    page, complaints = opened(browser, reports / f"{name}.html", width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("h1").count() == 1
    assert complaints == []
    page.context.close()


def test_the_complaint_catcher_catches(browser, tmp_path):
    path = tmp_path / "bad.html"
    path.write_text(
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'\">"
        "<script>1</script><img src='http://localhost:9/x.png'>"
    )
    page, complaints = opened(browser, path, 390)
    assert any("Content Security Policy" in complaint for complaint in complaints)
    page.context.close()


def unfold(page):
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")


def test_the_table_of_contents_and_scrolling_tables_are_reached_by_keyboard(browser, reports):
    page, _ = opened(browser, reports / "whole.html", 390)
    assert page.locator("main").count() == page.locator("header").count() == page.locator("footer").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className").startswith("scroll")  # the table of headline measures
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#reading"
    assert page.locator(".scroll:not([tabindex='0'])").count() == 0
    page.context.close()


@pytest.mark.parametrize("width", [390, 700, 800, 1280])
def test_no_table_is_cut_behind_a_sideways_scroll(browser, reports, width):
    page, _ = opened(browser, reports / "whole.html", width)
    unfold(page)
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


def test_a_stacked_table_is_still_a_table_to_a_screen_reader(browser, reports):
    page, _ = opened(browser, reports / "whole.html", 390)
    unfold(page)
    marks = page.get_by_role("table").filter(has_text="Reference models").first
    assert marks.get_by_role("columnheader").count() == 4
    assert marks.get_by_role("row").count() == 5
    page.context.close()
