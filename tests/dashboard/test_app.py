"""The application over a small store: what is shown to whom, and what is refused."""

import pytest

from asked_pages import Browser
from evenhand.commands.serve import served
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.asked import Dashboards
from evenhand.errors import InputError
from evenhand.monitoring.history.alarms import (
    Alarm,
    alarms,
    save_alarm,
)
from evenhand.monitoring.history.store import opened_store
from evenhand.runs.options.serve import ServeOptions

PAGES = ("/", "/diversity", "/diversity?by=team&attribute=gender", "/monitoring", "/audits")


def client(store, *, runs=None, **access):
    return Browser(application(Dashboards(access=Access(**({"host": "127.0.0.1"} | access)), store=store, runs=runs)))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_a_title_a_sentence_and_no_script(store, page):
    got = client(store).get(page)
    assert got.status_code == 200, got.text
    assert "<h1>" in got.text
    assert 'class="question"' in got.text
    assert "<script" not in got.text
    assert "<hiring>" not in got.text
    policy = got.headers["content-security-policy"]
    assert "script-src 'none'" in policy
    assert "form-action 'self'" in policy


def test_small_counts_are_told_as_such_in_page_and_exports(store):
    asked = "/diversity?by=team&attribute=gender"
    assert "fewer than 5" in client(store).get(asked).text
    csv = client(store).get(f"{asked}&format=csv").text
    assert "fewer than 5" in csv
    assert client(store).get(f"{asked}&format=json").json()["rows"][0]["gender"] == "f"
    assert "fewer than" not in client(store).get(f"{asked}&format=csv&exact=yes").text


def test_a_viewer_gets_no_exact_counts(store):
    proxy = client(store, user_header="X-User", roles={"ana": "viewer"})
    asked = "/diversity?by=team&attribute=gender&format=csv&exact=yes"
    assert "fewer than 5" in proxy.get(asked, headers={"X-User": "ana"}).text
    assert proxy.get(asked, headers={"X-User": "eve"}).status_code == 401
    assert proxy.get(asked).status_code == 401


def test_a_token_is_asked_for_and_kept_in_a_cookie(store):
    browser = client(store, host="0.0.0.0", token="a long enough token")
    assert browser.get("/").headers["location"] == "/login"
    assert browser.post("/login", data={"token": "another"}).status_code == 403
    assert browser.post("/login", data={"token": "a long enough token"}).status_code == 303
    assert browser.get("/").status_code == 200
    assert client(store, host="0.0.0.0", token="t" * 16).get("/healthz").text == "ok\n"


@pytest.mark.parametrize(
    "address", ["/audits/../../etc/report", "/audits/%2e%2e%2f%2e%2e/report", "/static/x", "/audits//etc/report"]
)
def test_no_path_leads_elsewhere(store, tmp_path, address):
    assert client(store, runs=tmp_path).get(address).status_code == 404


@pytest.mark.parametrize(
    "query", ["by=%00", "attribute=<b>&stage=<b>", "model=<script>", "by=team&by=gender", "format=exe"]
)
def test_hostile_queries_get_the_page(store, query):
    got = client(store).get(f"/diversity?{query}")
    assert got.status_code == 200
    assert "<script" not in got.text


def test_another_host_is_refused(store):
    assert client(store).get("/", headers={"host": "evil.example"}).status_code == 400


def test_an_alarm_is_acknowledged_with_a_note_by_a_form_of_ours_only(store):
    from datetime import date

    alarm = Alarm(
        rule="median",
        measure="median_score",
        model="<hiring>",
        slice={},
        day=date(2026, 3, 9),
        since=None,
        state="firing",
        value=0.7,
        threshold=0.5,
        severity="warning",
    )
    with opened_store(store) as opened, opened.writing() as writing:
        number = save_alarm(writing, alarm).id
    browser = client(store)
    page = browser.get("/monitoring").text
    form = page.split('name="form" value="')[1].split('"')[0]
    address = f"/monitoring/alarms/{number}"
    assert browser.post(address, data={"note": "seen"}).status_code == 403
    assert (
        browser.post(address, data={"note": "seen", "form": form}, headers={"origin": "http://evil"}).status_code == 403
    )
    assert browser.post(address, data={"note": " ", "form": form}).status_code == 400
    assert browser.post(address, data={"note": "New titles", "form": form}).status_code == 303
    with opened_store(store) as opened:
        assert [(each.state, each.acknowledged_by, each.note) for each in alarms(opened)] == [
            ("acknowledged", "local", "New titles")
        ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "nothing to show"),
        ({"runs": "."}, None),
        ({"runs": ".", "host": "0.0.0.0"}, "EVENHAND_TOKEN"),
        ({"store": "absent.db"}, "no store absent.db"),
        ({"runs": ".", "user_header": "X-User"}, "--roles"),
    ],
)
def test_what_cannot_be_shown_is_said_before_anything_listens(given, words, tmp_path):
    options = ServeOptions(**given | ({"runs": tmp_path} if "runs" in given else {}))
    if words is None:
        assert served(options, {}).runs == tmp_path
        return
    with pytest.raises(InputError, match=words):
        served(options, {})
