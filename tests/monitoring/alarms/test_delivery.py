"""Alarms at a webhook: signed with a time, tried again, and none lost."""

import hashlib
import hmac
import json
import threading
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from evenhand.errors import InputError, ServiceError
from evenhand.monitoring.alarms import Alarm, acknowledge, save_alarm
from evenhand.monitoring.store import LogHead, opened_store
from evenhand.monitoring.webhook import SIGNATURE, TIMESTAMP, Webhook, deliver, send_alarms

HEAD = LogHead(entries=3, digest="ab" * 32)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def alarm(**more):
    told = {
        "rule": "median score",
        "measure": "median_score",
        "model": "screener",
        "slice": {"gender": "female"},
        "day": date(2026, 2, 16),
        "since": date(2026, 2, 13),
        "state": "firing",
        "value": 0.56,
        "threshold": 0.59,
        "severity": "warning",
    }
    return Alarm(**(told | more))


@contextmanager
def receiver(*answers):
    """Yield a URL that gives these answers in turn, then 200, and what it was sent."""
    taken, left = [], list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((dict(self.headers), body, self.path))
            self.send_response(left.pop(0) if left else 200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook?team=a", taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def send(url, waits, clock=lambda: NOON):
    send_alarms(Webhook(url=url, secret="s3cret"), [alarm()], HEAD, clock=clock, sleep=waits.append)


def test_a_receiver_can_verify_who_sent_what_and_when():
    with receiver() as (url, taken):
        send(url, [])
    ((headers, body, path),) = taken
    assert path == "/hook?team=a"
    assert headers[TIMESTAMP] == str(int(NOON.timestamp()))
    expected = hmac.new(b"s3cret", f"{headers[TIMESTAMP]}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers[SIGNATURE] == f"sha256={expected}"
    content = json.loads(body)
    assert content["log"] == {"digest": "ab" * 32, "entries": 3}
    assert content["alarms"][0]["slice"] == {"gender": "female"}
    assert content["alarms"][0]["since"] == "2026-02-13"


@pytest.mark.parametrize(
    ("answers", "tries", "waits", "told"),
    [
        ((500, 429), 3, [1.0, 4.0], None),
        ((503,) * 4, 4, [1.0, 4.0, 16.0], "answered 503"),
        ((400,), 1, [], "answered 400"),
        ((302,), 1, [], "answered 302"),
    ],
)
def test_what_may_pass_is_tried_again_and_what_is_refused_is_not(answers, tries, waits, told):
    waited = []
    with receiver(*answers) as (url, taken):
        if told is None:
            send(url, waited)
        else:
            with pytest.raises(ServiceError, match=told):
                send(url, waited)
    assert (len(taken), waited) == (tries, waits)


def test_each_try_has_a_time_of_its_own():
    times = iter([NOON, NOON.replace(minute=5)])
    with receiver(500) as (url, taken):
        send(url, [], clock=lambda: next(times))
    assert taken[0][0][TIMESTAMP] != taken[1][0][TIMESTAMP]
    assert taken[0][0][SIGNATURE] != taken[1][0][SIGNATURE]


def test_a_receiver_that_is_away_is_told_in_a_line_without_what_is_secret():
    with receiver() as (url, _):
        pass
    away = url.replace("?team=a", "/secret?token=secret")
    with pytest.raises(ServiceError) as failed:
        send(away, [])
    assert "can't be reached" in str(failed.value)
    assert "secret" not in str(failed.value)
    assert "secret" not in repr(Webhook(url=away, secret="s3cret"))


@pytest.mark.parametrize(
    ("url", "secret", "told"),
    [
        ("ftp://host/x", "s", "not a URL with http"),
        ("hook", "s", "not a URL with http"),
        ("https://", "s", "not a URL with http"),
        ("https://host:99999/x", "s", "not a URL with http"),
        ("https://[host/x", "s", "not a URL with http"),
        ("https://host/a b", "s", "not a URL with http"),
        ("https://host/ä", "s", "not a URL with http"),
        ("https://host/x\ny", "s", "not a URL with http"),
        ("https://ana:hidden@host/x", "s", "has a user name; leave it out"),
        ("https://host/x", "", "set EVENHAND_WEBHOOK_SECRET"),
    ],
)
def test_a_webhook_needs_a_url_and_a_secret(url, secret, told):
    with pytest.raises(InputError, match=told) as refused:
        Webhook(url=url, secret=secret)
    assert "hidden" not in str(refused.value)


def test_each_change_of_an_alarm_is_delivered_once_and_again_after_a_failure(tmp_path):
    quick = partial(send_alarms, sleep=lambda _: None)

    def states(taken):
        return [[each["state"] for each in json.loads(body)["alarms"]] for _, body, _ in taken]

    with opened_store(str(tmp_path / "h.db"), create=True) as store, receiver(200, 400) as (url, taken):
        hook = Webhook(url=url, secret="s")
        assert deliver(store, hook, send=quick) == 0
        with store.writing() as writing:
            kept = save_alarm(writing, alarm())
            save_alarm(writing, alarm(model="other", state="pending"))
        assert deliver(store, hook, send=quick) == 1
        assert deliver(store, hook, send=quick) == 0
        with store.writing() as writing:
            acknowledge(writing, kept.id, by="ana", note="seen")
        with pytest.raises(ServiceError, match="the next check sends them"):
            deliver(store, hook, send=quick)
        assert deliver(store, hook, send=quick) == 1
        assert states(taken) == [["firing"], ["acknowledged"], ["acknowledged"]]
        assert json.loads(taken[-1][1])["alarms"][0]["acknowledged_by"] == "ana"


@pytest.mark.parametrize(
    ("states", "sent"),
    [
        (("pending", "resolved"), []),
        (("pending", "firing", "resolved"), ["resolved"]),
        (("pending", "acknowledged", "resolved"), ["resolved"]),
        (("resolved",), ["resolved"]),
    ],
)
def test_what_was_over_before_it_fired_is_not_sent(states, sent, tmp_path):
    with opened_store(str(tmp_path / "h.db"), create=True) as store, receiver() as (url, taken):
        hook = Webhook(url=url, secret="s")
        deliver(store, hook)
        with store.writing() as writing:
            for state in states:
                save_alarm(writing, alarm(state=state))
        assert deliver(store, hook) == len(sent)
        assert [each["state"] for _, body, _ in taken for each in json.loads(body)["alarms"]] == sent


def test_a_new_receiver_has_all_that_is_open(tmp_path):
    with opened_store(str(tmp_path / "h.db"), create=True) as store, receiver() as (url, taken):
        with store.writing() as writing:
            for state in ("pending", "firing", "acknowledged", "resolved"):
                save_alarm(writing, alarm(model=state, state=state))
        assert deliver(store, Webhook(url=url, secret="s")) == 2
        assert {each["model"] for each in json.loads(taken[0][1])["alarms"]} == {"firing", "acknowledged"}
