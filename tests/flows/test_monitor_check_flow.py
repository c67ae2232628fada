"""`monitor check` and `acknowledge` as schedulers and people type them."""

import json
import shutil
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from _cli import environment, evenhand, refused
from _scored_days import scored_days

import evenhand as eh

RECORD = ("--store", "history.db", "--model", "screener", "--time", "decided_at")
CHECK = ("monitor", "check", "--store", "history.db")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "days.csv").write_text(scored_days(), encoding="utf-8")
    columns = ("--score", "score", "--selected", "invited", "--protected", "gender", "--by", "department")
    evenhand("monitor record days.csv", *RECORD, *columns, cwd=folder)
    return folder


@pytest.fixture
def folder(recorded, tmp_path):
    shutil.copytree(recorded, tmp_path / "copy")
    return tmp_path / "copy"


def checked(folder, *more):
    done = evenhand(*CHECK, "--json", *more, cwd=folder)
    return json.loads(done.stdout)


def test_women_who_are_scored_lower_from_day_40_on_ring_within_days(folder):
    found = checked(folder, "--as-of", "2026-03-05")
    ratio = next(each for each in found["alarms"] if each["measure"] == "log_impact_ratio")
    assert {"rule", "measure", "model", "slice", "day", "since", "state", "value", "threshold"} <= ratio.keys()
    assert (ratio["slice"], ratio["state"], ratio["severity"]) == ({"gender": "woman"}, "firing", "critical")
    assert "2026-02-14" <= ratio["day"] <= "2026-02-21"
    assert "2026-02-09" <= ratio["since"] <= "2026-02-16"
    assert ratio["value"] < ratio["threshold"]
    assert checked(folder, "--as-of", "2026-02-13")["alarms"] == []
    (scores,) = found["scores"]
    assert scores["slope"]["high"] < 0
    assert scores["psi"]["estimate"] > scores["psi"]["limit"]


def test_what_is_not_watched_yet_and_the_rate_that_is_not_known_are_said(folder):
    early = checked(folder, "--as-of", "2026-01-20")
    assert early["false_alarms_a_year"] == {}
    ratio = next(each for each in early["watched"] if each["measure"] == "log_impact_ratio")
    assert (ratio["since"], ratio["unit"], ratio["lack"]["needed"]) == (None, "day", 28)
    assert ratio["lack"]["has"] < 28
    assert "2026-01-21" < ratio["lack"]["day"] < "2026-02-21"
    screen = " ".join(evenhand(*CHECK, "--as-of", "2026-01-20", cwd=folder).stdout.split())
    assert f"can be watched from about {ratio['lack']['day']}" in screen
    assert checked(folder, "--as-of", "2026-03-05")["false_alarms_a_year"] == {"screener": None}


def test_a_scheduler_learns_from_the_exit_code(folder):
    until = ("--as-of", "2026-03-05", "--fail-on", "alarm")
    done = evenhand(*CHECK, *until, cwd=folder, code=1)
    assert "--fail-on alarm holds: " in done.stderr
    on = ("--store", "history.db", "--by", "ana")
    for alarm in (firing := checked(folder)["alarms"]):
        evenhand("monitor mute", alarm["id"], *on, "--days", 9, "--note", "Audit", cwd=folder)
    still = evenhand(*CHECK, "--fail-on", "alarm", cwd=folder, code=1)
    assert f"holds: {len(firing)} firing, {len(firing)} of them muted" in still.stderr
    evenhand("monitor assign", firing[0]["id"], *on, "--to", "owner", cwd=folder)
    evenhand("monitor mute 1", *on, "--days", 0, "--note", "x", cwd=folder, code=2)
    listed = " ".join(evenhand("monitor alarms --store history.db", cwd=folder).stdout.split())
    assert "assigned to owner by ana" in listed
    assert listed.count("by ana: Audit") == len(firing)
    for alarm in checked(folder)["alarms"]:
        told = ("monitor", "acknowledge", alarm["id"], "--store", "history.db", "--by", "ana", "--note", "New titles")
        seen = evenhand(*told, cwd=folder)
        assert "acknowledged by ana: New titles" in " ".join(seen.stdout.split())
    evenhand(*CHECK, "--fail-on", "alarm", cwd=folder)
    evenhand("monitor verify --store history.db", cwd=folder)


def test_the_state_tells_up_to_when_was_checked(folder):
    status = ("monitor", "status", "--store", "history.db")
    assert evenhand(*status, cwd=folder).stdout.startswith("No check was made yet")
    checked(folder, "--as-of", "2026-02-13")
    assert "No alarm is open, as of the last check, up to 2026-02-13 (UTC)." in evenhand(*status, cwd=folder).stdout


def test_python_has_the_same_as_the_command(folder):
    found = eh.monitor.check(store=str(folder / "history.db"))
    assert found["alarms"] == checked(folder)["alarms"]
    seen = eh.monitor.acknowledge(found["alarms"][0]["id"], store=str(folder / "history.db"), by="ana")
    assert (seen["state"], seen["acknowledged_by"]) == ("acknowledged", "ana")


def test_a_slice_that_the_store_does_not_keep_is_counted(folder):
    north = '[[rule]]\nmeasure = "selection_rate"\nslice = { department = "north" }\ncomparison = "below"\n'
    (folder / "rules.toml").write_text(f"{north}threshold = 0.3\nfor = 3\n", encoding="utf-8")
    found = checked(folder, "--rules", "rules.toml", "--as-of", "2026-03-01")
    assert [(each["slice"], each["days"]) for each in found["watched"]] == [({"department": "north"}, 56)]
    assert {each["threshold"] for each in found["alarms"]} == {0.3}


def test_a_rule_that_fits_nothing_is_named(folder):
    (folder / "rules.toml").write_text('[[rule]]\nmeasure = "auc"\n', encoding="utf-8")
    done = evenhand(*CHECK, "--rules", "rules.toml", "--fail-on", "alarm", cwd=folder, code=6)
    assert "Rule auc fits no series" in done.stderr
    assert "--fail-on alarm can't be judged: none is watched" in done.stderr
    assert "Nothing is watched" in done.stdout
    state = evenhand("monitor status --store history.db", cwd=folder).stdout
    assert "Not watched, as too few judgements are recorded or no rule applies: screener." in " ".join(state.split())


@pytest.mark.parametrize("answer", [200, 400])
def test_alarms_are_posted_and_what_was_not_taken_is_a_failure_of_a_service(answer, folder):
    taken = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            taken.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(answer)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/hook"
        env = environment(EVENHAND_WEBHOOK_SECRET="s3cret")
        done = evenhand(*CHECK, "--webhook", url, "--json", cwd=folder, env=env, code=0 if answer == 200 else 3)
        server.shutdown()
        thread.join()
    found = json.loads(done.stdout)
    assert ("answered 400" in done.stderr) == (answer == 400)
    assert [each["id"] for each in taken[0]["alarms"]] == [each["id"] for each in found["alarms"]] != []
    assert taken[0]["log"] == {"entries": found["log"]["entries"], "digest": found["log"]["head"]}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("check", "--store", "none.db"), "No store none.db"),
        (("check", "--store", "days.csv"), "is not an SQLite file"),
        (("check",), "Missing option '--store'"),
        (("check", "--store", "history.db", "--rules", "none.toml"), "--rules none.toml can't be read"),
        (("check", "--store", "history.db", "--fail-on", "below"), "--fail-on is 'below'; expected alarm"),
        (("check", "--store", "history.db", "--as-of", "March"), "--as-of"),
        (("check", "--store", "history.db", "--as-of", "2999-01-01"), "--as-of 2999-01-01 is in the future"),
        (("check", "--store", "history.db", "--webhook", "http://localhost/x"), "set EVENHAND_WEBHOOK_SECRET"),
        (("acknowledge", "99", "--store", "history.db", "--by", "ana"), "No alarm 99"),
        (("acknowledge", "one", "--store", "history.db", "--by", "ana"), "one"),
        (("acknowledge", "1", "--store", "history.db"), "Missing option '--by'"),
        (("acknowledge", "1", "--store", "history.db", "--by", " "), "--by is blank"),
    ],
)
def test_what_can_not_be_done_is_told_in_a_line(words, told, recorded):
    refused("monitor", *words, told=told, cwd=recorded)


def test_a_store_without_a_day_has_nothing_to_watch(tmp_path):
    from evenhand.monitoring.store import opened_store

    opened_store(str(tmp_path / "history.db"), create=True).connection.close()
    done = evenhand(*CHECK, cwd=tmp_path)
    assert "Nothing is watched" in done.stdout
