"""Two people label golden cases by keyboard, a third decides where they differ; nobody sees what others said."""

import re

import pytest

from asked_pages import Browser, look_at
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards
from evenhand.monitoring.golden_labels import case_labels
from evenhand.monitoring.store import opened_store

#: Words of the golden cases that nobody who labels may see: names, the group, the reason, what cases share.
HIDDEN = ("Emily", "Greg", "555-0188", "female", "where models disagree", "twin-")
ROLES = {"ana": "labeller", "ben": "labeller", "carla": "labeller", "eve": "viewer"}
#: From so many years on each of them says yes.
FROM = {"ana": 3, "ben": 2}


@pytest.fixture
def app(golden_store):
    return application(
        Dashboards(access=Access(host="127.0.0.1", user_header="X-User", roles=ROLES), store=golden_store)
    )


def said(store):
    with opened_store(store) as opened:
        return case_labels(opened)


def label_by_keyboard(visit, app, user, *, width=1280, scheme="light", most=10):
    """Label what is open to somebody, with the keyboard alone; return the texts that were shown."""
    page, console = visit(app, "/labelling", user=user, width=width, scheme=scheme)
    seen = []
    look_at(page, "labelling", width=width)
    while len(seen) < most and page.locator("form.first").count():
        seen.append(page.locator("main").inner_text())
        years = int(re.search(r"for (\d+) years", seen[-1])[1])
        page.keyboard.press("ArrowRight" if years >= FROM[user] else "Space")
        with page.expect_navigation(wait_until="load"):
            page.keyboard.press("Enter")
    assert console == []
    assert page.locator(".question").inner_text().startswith(f"You have labelled {len(seen)} case")
    return seen


def test_two_label_ten_cases_each_by_keyboard_and_a_third_decides(visit, app, golden_store):
    shown = label_by_keyboard(visit, app, "ana")
    assert len(shown) == 10
    asked = Browser(app)
    assert "none is open to you" in asked.get("/labelling", headers={"X-User": "ana"}).text
    shown += label_by_keyboard(visit, app, "ben", width=390, scheme="dark", most=2)
    for _ in range(8):
        page = asked.get("/labelling", headers={"X-User": "ben"}).text
        fields = {name: re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("form", "case")}
        years = int(re.search(r"for.(\d+).years", page)[1])
        fields["label"] = "yes" if years >= FROM["ben"] else "no"
        assert asked.post("/labelling", data=fields, headers={"X-User": "ben"}).status_code == 303
    assert not any(word in text for word in (*HIDDEN, "ana", "ben") for text in shown)
    standing = said(golden_store)
    years = {name: int(name.split("-")[1]) for name in standing}
    assert {name: {each.by: each.label for each in own.labels} for name, own in standing.items()} == {
        name: {by: int(of >= least) for by, least in FROM.items()} for name, of in years.items()
    }
    for user in ("ana", "ben"):
        assert "No case waits" in asked.get("/labelling/differences", headers={"X-User": user}).text
    for left in (2, 1):
        page = asked.get("/labelling/differences", headers={"X-User": "carla"}).text
        assert "One said no, the other yes." in page
        assert f"{left} case" in page
        assert not any(word in page for word in (*HIDDEN, "ana", "ben"))
        fields = {name: re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("form", "case")}
        got = asked.post("/labelling/differences", data=fields | {"label": "yes"}, headers={"X-User": "carla"})
        assert got.status_code == 303
    assert [own.label for name, own in said(golden_store).items() if years[name] == 2] == [1, 1]


@pytest.mark.parametrize(
    ("user", "change", "refused"),
    [
        ("ana", {"label": "maybe"}, (400, "not one of")),
        ("ana", {"label": ""}, (400, "No label was chosen")),
        ("ana", {"case": "g0"}, (400, "no golden case")),
        ("ana", {"case": "<b>\0"}, (400, "no golden case")),
        ("ana", {"form": "0"}, (403, "another page")),
        ("ben", {}, (403, "another page")),
        ("eve", {}, (403, "labeller")),
        ("mallory", {}, (401, "Sign in")),
    ],
)
def test_what_is_no_label_of_somebody_shown_the_case_changes_nothing(app, golden_store, user, change, refused):
    asked = Browser(app)
    page = asked.get("/labelling", headers={"X-User": "ana"}).text
    fields = {name: re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("form", "case")}
    got = asked.post("/labelling", data=fields | {"label": "yes"} | change, headers={"X-User": user})
    assert got.status_code == refused[0]
    assert refused[1] in got.text
    assert not any(each.labels for each in said(golden_store).values())


def test_a_label_stays_and_who_labelled_does_not_decide(app):
    asked = Browser(app)
    ana = {"X-User": "ana"}
    page = asked.get("/labelling", headers=ana).text
    fields = {name: re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("form", "case")}
    assert asked.post("/labelling", data=fields | {"label": "yes"}, headers=ana).status_code == 303
    for address, words in (("/labelling", "be changed"), ("/labelling/differences", "another person")):
        got = asked.post(address, data=fields | {"label": "no"}, headers=ana).text
        assert all(word in got for word in ("Not done", words, fields["case"]))
        assert not any(word in got for word in HIDDEN)


def test_each_case_that_is_shown_is_logged(app, golden_store):
    Browser(app).get("/labelling", headers={"X-User": "ana"})
    with opened_store(golden_store) as store:
        ((entry,),) = store.rows("SELECT entry FROM log ORDER BY number DESC LIMIT 1")
    assert '"by":"ana","what":"golden case g' in entry


def test_without_golden_cases_the_page_says_what_to_do(tmp_path):
    with opened_store(str(tmp_path / "h.db"), create=True):
        pass
    access = Access(host="127.0.0.1")
    for store, words in ((str(tmp_path / "h.db"), "evenhand monitor golden add"), (None, "--store FILE")):
        for path in ("/labelling", "/labelling/differences"):
            got = Browser(application(Dashboards(access=access, store=store, runs=tmp_path))).get(path)
            assert (got.status_code, words in got.text) == (200, True)
