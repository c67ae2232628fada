"""A small store: ninety decisions of two teams, one of seven people; audits, golden cases, a ranked list; a browser."""

import json
import random
from datetime import date, timedelta

import pytest
from playwright import sync_api

import evenhand as eh
from asked_pages import answer_in_process
from evenhand.analyses.data import write_company
from evenhand.analyses.golden_set import add
from evenhand.analyses.monitor import check
from evenhand.analyses.options.golden import GoldenAddOptions
from evenhand.analyses.options.monitoring import CheckOptions
from evenhand.analyses.options.output import CompanyOptions


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serve")
    rows = [
        {"at": f"2026-03-{1 + n % 9:02}T00:00:00Z", "hired": "yes" if n % 3 else "no", "gender": "f" if n % 4 else "m"}
        | {"team": "east" if n < 83 else "west", "score": n / 100}
        for n in range(90)
    ]
    place = str(folder / "h.db")
    of = {"model": "<hiring>", "selected": "hired", "score": "score", "protected": "gender", "by": "team"}
    eh.monitor.record(rows, store=place, time="at", **of)
    return place


#: The share selected at the press that women are of, where it is lower; elsewhere everybody has the higher one.
LOWER, HIGHER = 0.2, 0.5


@pytest.fixture(scope="session")
def firm(tmp_path_factory):
    """Return a store of a firm whose press selects women less often, and of a scorer whose scores fell in March."""
    folder = tmp_path_factory.mktemp("firm")
    drawn = random.Random(7)
    rows = []
    for n in range(9_000):
        day = date(2025, 4, 1) + timedelta(n * 365 // 9_000)
        place, woman = drawn.choice(["press", "yard", "kiln"]), drawn.random() < 0.5
        rate = LOWER if (place, woman) == ("press", True) else HIGHER
        row = {"at": f"{day}T09:00:00Z", "department": place, "gender": "woman" if woman else "man"}
        row |= {"recruiter": drawn.choice(["r1", "r2"]), "position": place, "taken": int(drawn.random() < rate)}
        rows.append(row | {"score": round(drawn.gauss(0.6 if day < date(2026, 3, 1) else 0.2, 0.05), 3)})
    place = str(folder / "h.db")
    of_people = {"position": "position", "by": ("department", "recruiter"), "protected": "gender"}
    eh.monitor.record(rows, store=place, time="at", model="Hiring", selected="taken", **of_people)
    eh.monitor.record(rows, store=place, time="at", model="Scores", score="score")
    check(CheckOptions(store=place, as_of=date(2026, 3, 31)), notice=lambda _: None)
    return place


OPTIONS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


@pytest.fixture
def golden_store(tmp_path):
    """Return a store of ten golden cases: five nurses, each under two names."""
    rows = [
        {
            "id": f"twin-{years}-{gender}",
            "text": f"{name}\n(312) 555-0188\nNurse for {years} years.",
            "known_names": [name],
        }
        | {"gender": gender, "twin": f"twin-{years}"}
        for years in range(5)
        for gender, name in (("female", "Emily Walsh"), ("male", "Greg Walsh"))
    ]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "positions.jsonl").write_text('{"id": "p1", "title": "Nurse", "text": "Care."}\n', "utf-8")
    options = GoldenAddOptions(
        store=str(tmp_path / "golden.db"), positions=tmp_path / "positions.jsonl", reason="where models disagree"
    )
    add(tmp_path / "cases.jsonl", options, notice=lambda _: None)
    return options.store


@pytest.fixture(scope="session")
def ranked(tmp_path_factory):
    """Return a folder with a company, and in `runs` the candidates that a matcher ranked, and why it did."""
    folder = tmp_path_factory.mktemp("ranked")
    company = folder / "company"
    write_company(CompanyOptions(people=60, positions=12, pairs=500, out=company))
    of = {"people": company / "people.jsonl", "positions": company / "positions.jsonl"}
    chosen = {"label": "advanced", "protected": ("gender",), "stop_on": "all"}
    run = eh.match_train(company / "pairs.csv", **of, **chosen, out=folder / "runs" / "matcher")
    of["matcher"] = run.folder / "matcher.json"
    eh.match_recommend(**of, ranked="positions", listed=3, out=folder / "runs" / "candidates")
    eh.match_explain(**of, out=folder / "runs" / "explained")
    return folder


@pytest.fixture(scope="module")
def tab(chromium):
    """Return one page of Chromium: starting the browser, or only a page, takes more than most tests do in it."""
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        yield launched.new_page()
        launched.close()


@pytest.fixture
def visit(tab):
    """Return what opens an address of an application as somebody, with the list of what the console says."""
    console = []

    def heard(message):
        console.append(message.text)

    def opened(app, address, *, user=None, width=1280, height=900, scheme="light"):
        tab.context.clear_cookies()
        tab.unroute_all()
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme=scheme)
        answer_in_process(tab, app, user=user)
        tab.goto(f"http://127.0.0.1:8400{address}", wait_until="load")
        return tab, console

    tab.on("console", heard)
    yield opened
    tab.remove_listener("console", heard)
    tab.unroute_all()


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, women in (("first", 40), ("second", 60)):
        eh.impact({"women": (women, 200), "men": (80, 200)}, out=folder / name)
    return folder
