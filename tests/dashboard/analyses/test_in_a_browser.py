"""An analyst without a terminal: Berkeley's table in Chromium, from the file to the reversal; nothing else is asked."""

import os
import socket
import threading
from pathlib import Path

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe

from evenhand.dashboard.access import Access
from evenhand.dashboard.analyses import Analyses, private_folder
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards
from evenhand.data.examples import berkeley_applicants

LOOKS = [(1280, "light"), (390, "dark")]
#: Pages that axe sees at a desk; it sees the others on a phone, and each of them in both where pictures are taken.
AT_A_DESK = {"columns", "found", "progress"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return Analyses(folder=private_folder(tmp_path_factory.mktemp("analyses") / "own"), largest=8, days=7)


@pytest.fixture(scope="module")
def address(kept):
    app = application(Dashboards(access=Access(host="127.0.0.1"), analyses=kept))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.fixture
def page(tab, address):
    with tab.context.browser.new_context() as context:
        page = context.new_page()
        page.elsewhere, page.told = [], []
        page.on("console", lambda each: page.told.append(each.text))
        page.on("request", lambda each: page.elsewhere.append(each.url) if not each.url.startswith(address) else None)
        yield page


def looked_at(page, name):
    """A page as it is for everybody: no fault of access, nothing wider than the screen, at a desk and on a phone."""
    pictures = os.environ.get("EVENHAND_PICTURES")
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        if pictures:
            page.screenshot(path=Path(pictures) / f"{name}-{width}-{scheme}.png", full_page=True)
        if not pictures and (width == 1280) is not (name in AT_A_DESK):
            continue
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(each["id"], node["html"][:200]) for each in found for node in each["nodes"]] == [], name


def test_an_analyst_brings_a_table_and_reads_the_reversal(page, address, tmp_path):
    table = tmp_path / "Berkeley 1973.csv"
    berkeley_applicants().write_csv(table)
    page.goto(f"{address}/analyses")
    looked_at(page, "new")
    chooser = page.get_by_label("Table: drop a file here, or choose one")
    chooser.set_input_files(table)
    chooser.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # by keyboard: the button is next
    page.get_by_role("button", name="Yes, continue").wait_for(timeout=30_000)
    assert page.get_by_text("Counted by gender").is_visible()
    page.get_by_text("No, choose other columns").click()
    assert page.get_by_text("Its name has the word 'admitted'").is_visible()
    assert page.get_by_label("Decision: who was selected").locator("option:checked").inner_text() == "admitted"
    looked_at(page, "columns")
    page.get_by_role("button", name="Yes, continue").click()
    page.get_by_role("button", name="Compute the report").wait_for(timeout=30_000)
    assert page.get_by_text("4,526 of 4,526 are counted").is_visible()
    looked_at(page, "counted")
    page.get_by_role("button", name="Compute the report").click()
    answer = page.get_by_text("within positions no difference was detected (Simpson's paradox)")
    answer.wait_for(timeout=30_000)
    looked_at(page, "found")
    with page.expect_download() as saved:
        page.get_by_role("link", name="All tables as a workbook").click()
    assert Path(saved.value.path()).read_bytes()[:2] == b"PK"
    assert page.get_by_text("evenhand impact 'Berkeley 1973.csv' --protected=gender").is_visible()
    page.get_by_role("link", name="The whole report").click()
    page.get_by_role("heading", name="Adverse impact").first.wait_for(timeout=30_000)
    page.go_back()
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Read the table").wait_for()
    assert page.get_by_text("Berkeley").count() == 0
    assert (page.told, page.elsewhere) == ([], [])


def test_progress_reloads_until_it_is_told_to_stand_still_or_stopped(page, address, kept, tmp_path):
    received = tmp_path / "received"
    received.write_bytes(b"sex,hired\n")
    analysis = kept.add(received, "t.csv", by="ana")
    analysis.start(analysis.look, ["serve", "--runs", ".", "--port", "0"])  # runs until it is stopped
    page.goto(f"{address}/analyses/{analysis.number}")
    with page.expect_navigation():  # by itself
        pass
    page.get_by_role("link", name="Stop reloading").click()
    looked_at(page, "progress")
    assert page.get_by_text("This page does not reload.").is_visible()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("It was stopped.").first.wait_for()
    looked_at(page, "stopped")
    page.get_by_role("button", name="Read", exact=True).click()
    page.get_by_text("t.csv has no rows").wait_for(timeout=30_000)
    assert (page.told, page.elsewhere) == ([], [])
