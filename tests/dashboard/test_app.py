"""The application over a small store: what is shown to whom, and what is refused."""

import os
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Event
from types import ModuleType
from typing import get_args

import orjson
import pytest

import evenhand as eh
from asked_pages import Browser
from evenhand.analyses.options.output import ServeOptions
from evenhand.dashboard.access import Access, Role
from evenhand.dashboard.app import ADDRESSES, addresses, application
from evenhand.dashboard.disclosure import FEWEST, MOST
from evenhand.dashboard.request import LABEL, Dashboards, Synthetic
from evenhand.dashboard.serve import served
from evenhand.errors import InputError
from evenhand.monitoring.alarms import Alarm, alarms, check_store, save_alarm
from evenhand.monitoring.rules import read_rules
from evenhand.monitoring.store import opened_store, verified_log
from evenhand.monitoring.words import action_text
from evenhand.report.page.live import LivePage

PAGES = (
    "/",
    "/diversity",
    "/diversity?by=team&attribute=gender",
    "/monitoring",
    "/monitoring?days=all",
    "/audits",
    "/audits?first=first&second=second",
)
HOSTILE = (
    "by=%00",
    "attribute=<b>&stage=<b>",
    "model=<script>",
    "by=team&by=gender",
    "format=exe",
    "days=-1",
    "first=../x",
)


def client(store, *, runs=None, synthetic=None, **access):
    found = Dashboards(access=Access(**({"host": "127.0.0.1"} | access)), store=store, runs=runs, synthetic=synthetic)
    return Browser(application(found))


def test_a_view_that_no_path_leads_to_is_named():
    view = ModuleType("evenhand.dashboard.views.volumes")
    view.LivePage = LivePage
    with pytest.raises(InputError, match=r"views\.volumes makes a page but has no ADDRESSES"):
        addresses([view])


def form_of(page):
    return page.split('name="form" value="')[1].split('"')[0]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_a_title_a_sentence_and_no_script_and_is_exported(store, runs, page):
    browser = client(store, runs=runs)
    got = browser.get(page)
    assert got.status_code == 200, got.text
    assert "<h1>" in got.text
    assert 'class="question"' in got.text
    assert "<script" not in got.text
    assert "<hiring>" not in got.text
    policy = got.headers["content-security-policy"]
    assert "script-src 'none'" in policy
    assert "form-action 'self'" in policy
    for kind, start in (("csv", "\ufeff"), ("json", "{"), ("html", "<!DOCTYPE")):
        saved = browser.get(f"{page}{'&' if '?' in page else '?'}format={kind}")
        assert saved.headers["content-disposition"].startswith("attachment")
        assert saved.content.decode().lstrip().startswith(start)
    assert "<form" not in saved.text
    assert not re.search(r'(?:src|href)="(?!data:,|#)', saved.text)


def test_a_viewer_gets_counts_that_deviate_and_who_may_see_rows_exact_ones(store):
    proxy = client(store, user_header="X-User", roles={"ana": "viewer", "carla": "admin"})
    asked = "/diversity?by=team&attribute=gender&format=json&exact=yes"
    shown, exact = (proxy.get(asked, headers={"X-User": user}).json()["rows"] for user in ("ana", "carla"))
    counts = [(row["team"], row["gender"], row["decided"], row["selected"]) for row in exact]
    assert counts == [("east", "f", 62, 41), ("west", "f", 5, 4), ("east", "m", 21, 14), ("west", "m", 2, 1)]
    # West is of seven people, and the 23 men may be shown as fewer than 20.
    assert [(row["team"], row["gender"]) for row in shown] in ([("east", "f"), ("east", "m")], [("east", "f")])
    for row, (*_, decided, selected) in zip(shown, counts[::2], strict=False):
        few = row["decided"] is None
        assert decided < FEWEST + MOST if few else abs(row["decided"] - decided) <= MOST
        assert row["selected"] is None if few else abs(row["selected"] - selected) <= MOST
    assert proxy.get(asked, headers={"X-User": "eve"}).status_code == 401
    assert proxy.get(asked).status_code == 401


def test_a_user_is_named_once_and_with_the_token_where_there_is_one(store):
    named = {"user_header": "X-User", "roles": {"ana": "admin", "eve": "viewer"}}
    twice = [("X-User", "ana"), ("X-User", "eve")]  # of a proxy that adds its header to the sender's
    assert client(store, **named).get("/", headers=twice).status_code == 401
    proxy = client(store, token="t" * 16, **named)
    assert proxy.get("/", headers={"X-User": "ana"}).status_code == 401
    assert proxy.get("/", headers={"X-User": "ana", "authorization": f"Bearer {'t' * 16}"}).status_code == 200
    assert proxy.get("/", headers={"authorization": f"Bearer {'t' * 16}"}).status_code == 401


def test_a_page_elsewhere_reads_nothing_by_showing_it(store):
    within = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"}
    assert client(store).get("/diversity?exact=yes", headers=within).status_code == 403
    assert (
        client(store).get("/", headers={"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"}).status_code
        == 200
    )


def test_a_report_that_somebody_put_there_runs_no_script(store, tmp_path, runs):
    shutil.copytree(runs / "first", tmp_path / "own")
    (tmp_path / "own" / "report.html").write_text("<script>alert(1)</script>", "utf-8")
    policy = client(store, runs=tmp_path).get("/audits/own/report").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_a_token_is_asked_for_and_kept_in_a_cookie(store):
    browser = client(store, host="0.0.0.0", token="a long enough token")
    assert browser.get("/").headers["location"] == "/login"
    assert browser.post("/login", data={"token": "another"}).status_code == 403
    assert browser.post("/login", data={"token": "a long enough token"}).status_code == 303
    assert browser.get("/").status_code == 200
    assert "evenhand-8400" in browser.cookies  # another server of this host has another one
    assert client(store, host="0.0.0.0", token="t" * 16).get("/healthz").text == "ok\n"


@pytest.mark.parametrize(
    "address", ["/audits/../../etc/report", "/audits/%2e%2e%2f%2e%2e/report", "/static/x", "/audits//etc/report"]
)
def test_no_path_leads_elsewhere(store, tmp_path, address):
    assert client(store, runs=tmp_path).get(address).status_code == 404


def test_a_link_or_pipe_among_the_runs_is_no_run(store, tmp_path, runs):
    (tmp_path / "runs" / "pipe").mkdir(parents=True)
    os.mkfifo(tmp_path / "runs" / "pipe" / "findings.json")  # whoever reads it waits for ever
    shutil.copytree(runs / "first", tmp_path / "elsewhere")
    (tmp_path / "runs" / "link").symlink_to(tmp_path / "elsewhere")
    browser = client(store, runs=tmp_path / "runs")
    assert "Report of" not in browser.get("/audits").text
    assert browser.get("/audits/link/report").status_code == 404


@pytest.mark.parametrize("page", ["/", "/diversity", "/monitoring", "/audits"])
def test_hostile_queries_get_the_page(store, runs, page):
    browser = client(store, runs=runs)
    for query in HOSTILE:
        got = browser.get(f"{page}?{query}")
        assert got.status_code == 200, query
        assert "<script" not in got.text
    assert browser.get(f"{page}?model={'x' * 5000}").status_code == 414


@pytest.mark.parametrize("role", get_args(Role))
def test_a_role_may_what_the_table_of_addresses_says(store, runs, role):
    browser = client(store, runs=runs, user_header="X-User", roles={"ana": role})
    ana, roles = {"X-User": "ana"}, list(get_args(Role))
    shown = browser.get("/", headers=ana).text
    for each in ADDRESSES:
        if each.title:
            may = roles.index(role) >= roles.index(each.role)
            has = {"store", "runs"} & {*each.of}  # the server takes no tables
            assert (f">{each.title}</a>" in shown) == (may and bool(has)), each.path
        if roles.index(role) < roles.index(each.role):
            address = each.path.replace("{number:int}", "1").replace("{name:path}", "first")
            asked = browser.post if each.method == "POST" else browser.get
            assert asked(address, headers=ana).status_code == 403, each.path
    assert ('action="/monitoring/alarms' in browser.get("/monitoring", headers=ana).text) is False  # none rings


def test_exact_numbers_are_shown_only_once_it_is_logged_who_reads_them(store):
    def reads():
        with opened_store(store) as opened:
            entries = [orjson.loads(entry) for (entry,) in opened.rows("SELECT entry FROM log ORDER BY number")]
            return [each["content"] for each in entries if each["kind"] == "read"]

    before = len(reads())
    browser = client(store, user_header="X-User", roles={"ana": "viewer", "eve": "admin"})
    browser.get("/diversity?exact=yes", headers={"X-User": "ana"})
    assert len(reads()) == before
    assert "fewer than" not in browser.get("/diversity?by=team&exact=yes", headers={"X-User": "eve"}).text
    browser.get("/monitoring?exact=yes&model=<hiring>", headers={"X-User": "eve"})
    assert reads()[before:] == [
        {"by": "eve", "what": "exact numbers of /diversity"},
        {"by": "eve", "what": "exact numbers of /monitoring, <hiring>"},
    ]


def test_days_of_few_judgements_are_told_to_those_with_access_to_rows_alone(tmp_path):
    rows = [{"at": f"2026-03-0{1 + n // 6}T00:00:00Z", "score": 0.11 * n, "label": n % 2} for n in range(8)]
    place = str(tmp_path / "h.db")
    eh.monitor.record(rows, store=place, model="scorer", time="at", score="score", label="label")
    assert "No decisions are recorded yet" in client(place).get("/diversity").text

    def told(address):
        return client(place).get(f"{address}format=json").json()["rows"]

    assert {row["day"] for row in told("/monitoring?")} == {"2026-03-01"}
    assert {row["day"] for row in told("/monitoring?exact=yes&")} == {"2026-03-01", "2026-03-02"}
    assert "fewer than 5 judgements" in client(place).get("/monitoring").text
    ((row,), (exact,)) = told("/?"), told("/?exact=yes&")
    assert (row["median_score"], exact["median_score"], exact["n"]) == (None, pytest.approx(0.715), 2)
    assert set(exact) - set(row) == {"n", "auc"}


def test_impact_ratios_are_those_of_evenhand_impact(store, tmp_path):
    rows = client(store).get("/diversity?attribute=gender&format=json&exact=yes").json()["rows"]
    told = {row["gender"]: (int(row["selected"]), int(row["decided"])) for row in rows}
    run = eh.impact(told, out=tmp_path / "run")
    expected = next(each for each in run.findings if each.measure == "impact_ratio")
    focal = next(row for row in rows if row["impact_ratio"] is not None)
    assert (focal["impact_ratio"], focal["low"], focal["high"], focal["p_adjusted"]) == pytest.approx(
        (expected.estimate, expected.low, expected.high, expected.p_adjusted)
    )


def test_a_company_that_takes_long_says_how_far_it_is_and_one_that_fails_why(store, tmp_path):
    go_on = Event()

    def make(place):
        place.steps.append("decisions")
        go_on.wait(60)
        if not (tmp_path / "room").exists():
            raise InputError("The disk is full.")
        place.runs.mkdir()
        shutil.copy(store, place.store)
        place.ready()

    company = Synthetic(folder=tmp_path, make=make)
    browser = client(None, synthetic=company)
    assert "The synthetic company has not been made yet" in browser.get("/company").text
    token = {"form": form_of(browser.get("/").text)}
    assert browser.post("/company", data=token).headers["location"] == "/company"
    page = browser.get("/company")
    assert "decisions (step 2 of 6)" in page.text
    assert page.headers["refresh"] == "1"
    go_on.set()
    while company.steps:
        time.sleep(0.01)
    assert "The disk is full." in browser.get("/company").text
    (tmp_path / "room").touch()
    assert browser.post("/company", data=token).headers["location"] == "/"
    assert browser.get("/company").headers["location"] == "/"


def test_two_runs_stand_beside_each_other(store, runs):
    browser = client(store, runs=runs)
    page = browser.get("/audits?first=first&second=second").text
    assert "0.500" in page
    assert "0.750" in page
    assert browser.get("/audits/first/report").status_code == 200
    assert browser.get("/audits?first=first&second=../etc").text.count('/report">') == 2


def test_a_first_visit_shows_a_company_in_one_click_labelled_and_leaves_it_again(store, tmp_path):
    def make(place):
        place.runs.mkdir()
        shutil.copy(store, place.store)
        place.ready()

    browser = client(None, synthetic=Synthetic(folder=tmp_path, make=make))
    page = browser.get("/")
    assert page.status_code == 200
    assert "Nothing is recorded yet" in page.text
    assert LABEL not in page.text
    assert browser.post("/company").status_code == 403
    assert browser.post("/company", data={"form": form_of(page.text)}).headers["location"] == "/"
    assert "are being ranked" in browser.get("/candidates").text
    for address in ("/", "/diversity", "/monitoring", "/audits", "/diversity?format=html"):
        assert LABEL in browser.get(address).text
    assert browser.get("/diversity?format=json").json()["label"] == LABEL
    assert "synthetic-" in browser.get("/diversity?format=csv").headers["content-disposition"]
    browser.post("/company/leave", data={"form": form_of(browser.get("/").text)})
    assert "Nothing is recorded yet" in browser.get("/").text


def test_a_store_without_anything_says_what_to_do(tmp_path):
    with opened_store(tmp_path / "h.db", create=True):
        pass
    browser = client(str(tmp_path / "h.db"))
    for address, words in (
        ("/", "Nothing is recorded yet"),
        ("/diversity", "No decisions are recorded yet"),
        ("/monitoring", "Nothing is recorded yet"),
        ("/audits", "--out makes one"),
    ):
        for visitor in (browser, client(None)):
            got = visitor.get(address)
            assert got.status_code == 200
            assert words in got.text or visitor is not browser


def test_a_store_that_is_taken_away_or_damaged_is_told_in_a_sentence(store, tmp_path):
    own = tmp_path / "h.db"
    shutil.copy(store, own)
    browser = client(str(own))
    assert browser.get("/monitoring").status_code == 200
    own.write_bytes(b"no store at all" * 100)
    for address in ("/", "/diversity", "/monitoring", "/metrics"):
        got = browser.get(address)
        assert got.status_code == 503
        assert "damaged" in got.text
    own.unlink()
    assert "No store" in browser.get("/").text


def test_two_servers_on_one_store_lose_nothing(store, tmp_path):
    own = tmp_path / "h.db"
    shutil.copy(store, own)
    first, second = client(str(own)), client(str(own))
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda n: (first, second)[n % 2].get("/diversity?exact=yes").status_code, range(12)))
    assert got == [200] * 12
    with opened_store(own) as opened:
        assert verified_log(opened).wrong is None
        assert len(opened.rows('SELECT 1 FROM log WHERE entry LIKE \'%"kind":"read"%\'')) >= 12


def test_monitoring_counts_the_days_of_the_span_alone(firm):
    assert "There were none on the 90 days shown." in client(firm).get("/monitoring?model=Scores").text.replace(
        "\xa0", " "
    )


def test_metrics_are_not_for_viewers(store):
    browser = client(store, user_header="X-User", roles={"ana": "viewer", "prometheus": "admin"})
    assert browser.get("/metrics", headers={"X-User": "ana"}).status_code == 403
    assert browser.get("/metrics", headers={"X-User": "prometheus"}).status_code == 200


def test_metrics_and_health_are_answered(store):
    browser = client(store, host="0.0.0.0", token="t" * 16)
    assert browser.get("/healthz").text == "ok\n"
    assert browser.get("/metrics").headers["location"] == "/login"
    bearer = {"authorization": f"Bearer {'t' * 16}"}
    assert 'evenhand_judgements{model="<hiring>"}' in browser.get("/metrics", headers=bearer).text


def test_series_that_are_not_watched_are_named_with_what_they_lack(store):
    with opened_store(store) as opened:
        lacking = [one for one in check_store(opened, read_rules(), as_of=date(2026, 3, 31)).watched if one.lack]
    page = " ".join(client(store).get("/monitoring?model=<hiring>").text.split())
    assert lacking
    assert "Not watched for changes" in page
    assert f"{lacking[0].lack.needed} {lacking[0].lack.unit.name}s with 20 judgements" in page


def test_another_host_is_refused(store):
    assert client(store).get("/", headers={"host": "evil.example"}).status_code == 400


#: What is done about an alarm: the end of its address, the lowest role, fields, fields that are refused, and its log.
DEEDS = [
    ("", "labeller", {"note": "New titles"}, [{"note": " "}], "acknowledged by {}: New titles"),
    ("/assign", "labeller", {"to": "model owner"}, [{"to": ""}], "assigned to model owner by {}"),
    (
        "/mute",
        "supervisor",
        {"note": "Audit", "until": "{later}"},
        [{"note": "", "until": "{later}"}, {"note": "x", "until": "soon"}, {"note": "x", "until": "2026-01-01"}],
        "muted until {later} by {}: Audit",
    ),
]


@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_done_about_an_alarm_is_kept_with_who_and_when(store, tmp_path, deed):
    end, role, fields, refused, done = deed
    later = (datetime.now(UTC).date() + timedelta(days=40)).isoformat()
    shutil.copy(store, own := tmp_path / "h.db")
    with opened_store(str(own)) as opened:
        check_store(opened, read_rules(), as_of=date(2026, 3, 31))
    number = ringing(str(own))
    roles = {f"a {name}": name for name in get_args(Role)}
    browser = client(str(own), user_header="X-User", roles=roles)
    address = f"/monitoring/alarms/{number}"

    def post(user, given):
        page = browser.get(address, headers={"X-User": user}).text
        given = {name: value.replace("{later}", later) for name, value in given.items()}
        form = {"form": form_of(page)} if 'name="form"' in page else {}
        return browser.post(f"{address}{end}", data=given | form, headers={"X-User": user})

    for user, known in roles.items():
        may = get_args(Role).index(known) >= get_args(Role).index(role)
        page = browser.get(address, headers={"X-User": user}).text
        assert (f'action="{address}{end}"' in page) is may
        if not may:
            assert post(user, fields).status_code == 403
    assert [post(f"a {role}", given).status_code for given in refused] == [400] * len(refused)
    assert post(f"a {role}", fields).headers["location"] == address
    words = done.format(f"a {role}", later=later)
    assert words in browser.get(address, headers={"X-User": "a viewer"}).text.replace("\N{NO-BREAK SPACE}", " ")
    listed = browser.get("/monitoring?model=<hiring>", headers={"X-User": "a viewer"}).text
    assert ("&lt;hiring&gt; has 1 unacknowledged alarm, 1 muted" in listed) is (end == "/mute")
    with opened_store(str(own)) as opened:
        (alarm,) = alarms(opened)
        assert words in action_text(alarm.actions[0])
        assert verified_log(opened).wrong is None
        entry = opened.rows("SELECT entry FROM log ORDER BY number DESC LIMIT 1")[0][0]
        assert orjson.loads(entry)["content"]["actions"][0]["by"] == f"a {role}"


def decided(store, *, model, days):
    """Record ninety decisions of a model."""
    rows = [{"at": day, "hired": "yes" if n % 3 else "no", "gender": "fm"[n % 2]} for n in range(45) for day in days]
    eh.monitor.record(rows, store=store, model=model, time="at", selected="hired", protected="gender")


def test_a_process_whose_month_has_not_ended_is_no_error(tmp_path):
    decided(str(tmp_path / "h.db"), model="new", days=[f"{datetime.now(UTC).date()}T00:00:00Z"] * 2)
    proxy = client(str(tmp_path / "h.db"), user_header="X-User", roles={"ana": "viewer", "carla": "admin"})
    for user in ("ana", "carla"):
        assert proxy.get("/", headers={"X-User": user}).status_code == 200


def test_a_small_team_has_no_name_in_months_without_its_process(store, tmp_path):
    own = str(tmp_path / "own.db")
    shutil.copy(store, own)
    decided(own, model="later", days=["2026-05-04T09:00:00Z", "2026-05-05T09:00:00Z"])
    ringing(own, measure="selection_rate", slice={"team": "west"})
    viewer = client(own, user_header="X-User", roles={"ana": "viewer"})
    for query in ("", "?from=2026-05"):
        page = viewer.get(f"/{query}", headers={"X-User": "ana"}).text
        assert ("Selection rate" in page, re.findall(r"\bwest\b", page)) == (True, []), query


def ringing(store, **more):
    """Return the number of an alarm that rings from now on."""
    told = {"measure": "median_score", "slice": {}} | more
    alarm = Alarm(
        rule="median",
        model="<hiring>",
        **told,
        day=date(2026, 3, 9),
        since=None,
        state="firing",
        value=0.7,
        threshold=0.5,
        severity="warning",
    )
    with opened_store(store) as opened, opened.writing() as writing:
        return save_alarm(writing, alarm).id


def test_an_alarm_is_acknowledged_with_a_note_by_a_form_of_ours_only(store):
    browser, address = client(store), f"/monitoring/alarms/{ringing(store)}"
    assert f'href="{address}?model=' in browser.get("/monitoring?model=<hiring>").text
    form = form_of(browser.get(address).text)
    assert browser.get(f"{address}9").status_code == 404
    assert browser.post(address, data={"note": "seen"}).status_code == 403
    assert (
        browser.post(address, data={"note": "seen", "form": form}, headers={"origin": "http://evil"}).status_code == 403
    )
    assert browser.post(address, data={"note": "seen", "form": form}, headers={"origin": "http://["}).status_code == 403
    assert browser.post(f"{address}{'0' * 20}", data={"note": "seen", "form": form}).status_code == 400
    assert browser.post(address, data={"note": " ", "form": form}).status_code == 400
    assert browser.post(address, data={"note": "New titles", "form": form}).status_code == 303
    with opened_store(store) as opened:
        assert [(each.state, each.acknowledged_by, each.note) for each in alarms(opened)] == [
            ("acknowledged", "local", "New titles")
        ]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"runs": "."}, None),
        ({"runs": ".", "host": "0.0.0.0"}, "EVENHAND_TOKEN"),
        ({"store": "absent.db"}, "No store absent.db"),
        ({"runs": ".", "user_header": "X-User"}, "--roles"),
        ({"runs": ".", "analyses": "."}, "lies in --runs"),
        ({"runs": ".", "cutoffs": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)}, "--cutoffs has 6"),
    ],
)
def test_what_cannot_be_shown_is_said_before_anything_listens(given, words, tmp_path):
    options = ServeOptions(**given | {name: tmp_path for name in ("runs", "analyses") if name in given})
    if words is None:
        assert served(options, {}).runs == tmp_path
        return
    with pytest.raises(InputError, match=words):
        served(options, {})
