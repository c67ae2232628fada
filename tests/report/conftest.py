import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "charts"), str(HERE / "openings"), str(HERE.parent / "flows")]

OPTIONS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


@pytest.fixture(scope="module")
def browser(chromium):
    """Return Chromium. Fixtures that run a model come before it: Playwright has an event loop of its own."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def real_reports(tmp_path_factory):
    """Return the folder with a run of each kind and its pages, which nobody changes."""
    from real_reports import write_reports

    folder = tmp_path_factory.mktemp("real")
    write_reports(folder)
    return folder
