"""What guards the server: slow connections, guesses at the token, sessions, faults of ours, and the log of all that."""

import contextlib
import select
import shutil
import socket
import sqlite3
import time
from pathlib import Path
from threading import Thread

import orjson
import pytest
import uvicorn

from asked_pages import Browser
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.connections import Log, Throttle
from evenhand.dashboard.request import Dashboards
from evenhand.dashboard.serve import server_config

TOKEN = "a long enough token"
USERS = {"user_header": "X-User", "roles": {"ana": "viewer", "eve": "admin"}}


def app(store=None, *, log=None, **access):
    return application(Dashboards(access=Access(**({"host": "127.0.0.1"} | access)), store=store), log=log)


def form_of(page):
    return page.text.split('name="form" value="')[1].split('"')[0]


@contextlib.contextmanager
def listening(**more):
    """Serve in a thread; yield where."""
    with socket.create_server(("127.0.0.1", 0)) as at:
        server = uvicorn.Server(server_config(app(), **more))
        thread = Thread(target=server.run, kwargs={"sockets": [at]})
        thread.start()
        try:
            yield at.getsockname()
        finally:
            server.should_exit = True
            thread.join()


def answer_of(connection):
    """Return the first line of what a connection brings until it is closed."""
    connection.settimeout(20)
    return b"".join(iter(lambda: connection.recv(65_536), b"")).partition(b"\r\n")[0]


def sent_slowly(connection, pieces, *, every):
    """Send the pieces, until the other side is gone."""
    with contextlib.suppress(OSError):
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(every)


def test_half_open_connections_are_closed_while_others_are_served():
    with listening(timeout=2) as place, contextlib.ExitStack() as closing:
        half_open = [closing.enter_context(socket.create_connection(place)) for _ in range(300)]
        for number, connection in enumerate(half_open):
            connection.sendall((b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")[number % 3])
        with socket.create_connection(place) as visitor:
            visitor.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert answer_of(visitor) == b"HTTP/1.1 200 OK"
        assert select.select(half_open[-100:], [], [], 0)[0] == []  # they are still open
        assert {answer_of(connection) for connection in half_open} == {b""}


HEAD = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 12000\r\n\r\n"


@pytest.mark.parametrize(
    ("pieces", "answer"),
    [
        ([b"GET / HTTP/1.1\r\n", *[b"X"] * 20], b""),
        ([HEAD, *[b"x"] * 20], b""),
        ([HEAD, *[b"x" * 3_000] * 4], b"HTTP/1.1 403 Forbidden"),
    ],
    ids=["a letter of a header at a time", "a letter of a body at a time", "a body on a slow line"],
)
def test_a_request_may_take_its_time_as_long_as_it_brings_bytes(pieces, answer):
    with listening(timeout=1) as place, socket.create_connection(place) as connection:
        sending = Thread(target=sent_slowly, args=(connection, pieces), kwargs={"every": 0.4})
        begin = time.monotonic()
        sending.start()
        with contextlib.suppress(ConnectionResetError):
            assert answer_of(connection) == answer
        assert 0.9 < time.monotonic() - begin < 5
        sending.join()


def test_guesses_are_limited_by_address_and_in_all_and_whoever_gave_the_token_before_goes_on():
    now = [0.0]
    throttle = Throttle(clock=lambda: now[0])
    for failures, wait in enumerate((0, 0, 0, 0, 0, 60)):
        assert throttle.wait("192.0.2.1") == wait, failures
        throttle.failed("192.0.2.1")
    now[0] = 121
    assert throttle.wait("192.0.2.1") == 0  # six minutes for six failures, of which four are free
    for number in range(1, 10):
        throttle.failed(f"2001:db8::{number}")  # one network
    assert throttle.wait("2001:db8::77") > 0 == throttle.wait("2001:db9::")
    throttle.succeeded("192.0.2.7")
    for number in range(5_000):
        throttle.failed(f"198.51.{number // 250}.{number % 250}")
    assert throttle.wait("203.0.113.1") > 0 == throttle.wait("192.0.2.7")
    assert len(throttle.failures) <= 1_024
    now[0] += 20_000
    assert throttle.wait("203.0.113.1") == throttle.wait("192.0.2.1") == 0


@pytest.mark.parametrize("by", ["form", "header"])
def test_wrong_tokens_are_logged_and_then_refused_but_not_who_is_signed_in(tmp_path, by):
    now, path = [0.0], tmp_path / "log"
    browser = Browser(app(token=TOKEN, throttle=Throttle(clock=lambda: now[0]), log=Log(path=path)))
    signed_in = Browser(browser.app)
    assert signed_in.post("/login", data={"token": TOKEN}).status_code == 303

    def tried(token):
        if by == "form":
            return browser.post("/login", data={"token": token})
        return browser.get("/", headers={"authorization": f"Bearer {token}"})

    assert [tried("wrong").status_code for _ in range(7)] == [403 if by == "form" else 303] * 5 + [429] * 2
    refused = tried(TOKEN)  # so that nobody learns that a guess was right
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert "Try again in 60 seconds." in refused.text
    assert signed_in.get("/").status_code == 200
    now[0] = 61
    assert tried(TOKEN).status_code in {200, 303}
    lines = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    wrong = [line for line in lines if line["event"] == "wrong token"]
    assert [line["refused_for"] for line in wrong] == [0, 0, 0, 0, 60]
    assert {line["address"] for line in wrong} == {"127.0.0.1"}
    assert b"wrong" not in path.read_bytes().replace(b"wrong token", b"")


def test_whoever_signs_out_has_to_sign_in_again_also_with_a_copy_of_the_cookie():
    now = [0.0]
    browser = Browser(app(token=TOKEN, clock=lambda: now[0]))
    browser.post("/login", data={"token": TOKEN})
    assert '<a href="/logout"' in browser.get("/").text
    thief = Browser(browser.app)
    thief.cookies.update(browser.cookies)
    other = Browser(browser.app)
    other.post("/login", data={"token": TOKEN})
    assert browser.post("/logout").status_code == 403  # without what the page has
    assert browser.post("/logout", data={"form": form_of(browser.get("/logout"))}).headers["location"] == "/login"
    assert [each.get("/").status_code for each in (browser, thief, other)] == [303, 303, 200]
    now[0] += 12 * 3_600
    assert other.get("/").status_code == 303
    local = Browser(app())
    assert "/logout" not in local.get("/").text
    assert local.get("/logout").status_code == 404


@pytest.mark.parametrize(
    ("proxies", "proto", "secure"),
    [(("127.0.0.1",), "https", True), (("127.0.0.1",), "http", False), (("192.0.2.1",), "https", False)],
)
def test_a_cookie_is_secure_where_the_proxy_that_is_named_says_https(tmp_path, proxies, proto, secure):
    config = server_config(app(token=TOKEN, log=Log(path=tmp_path / "log")), proxies=proxies)
    config.load()
    headers = {"x-forwarded-proto": proto, "x-forwarded-for": "203.0.113.9", "host": "audit.example"}
    got = Browser(config.loaded_app).post("/login", data={"token": TOKEN}, headers=headers)
    assert ("; Secure" in got.headers["set-cookie"]) == secure
    assert "HttpOnly" in got.headers["set-cookie"]
    address = orjson.loads((tmp_path / "log").read_bytes())["address"]
    assert address == ("127.0.0.1" if proxies[0] == "192.0.2.1" else "203.0.113.9")


def test_a_fault_of_ours_is_503_and_names_no_place_to_viewers(store, tmp_path, capsys):
    place = tmp_path / "h.db"
    shutil.copy(store, place)
    browser = Browser(app(str(place), **USERS))
    torn = bytearray(place.read_bytes())  # found when it is read, not when it is opened
    with contextlib.closing(sqlite3.connect(place)) as opened:
        for (page,) in opened.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name != 'settings' AND rootpage"):
            torn[(page - 1) * 4_096 : page * 4_096] = b"\xff" * 4_096
    for content, words in ((torn, "damaged"), (b"none" * 999, "damaged"), (None, "No store")):
        place.unlink() if content is None else place.write_bytes(content)
        for user, named in (("ana", False), ("eve", True)):
            for address in ("/", "/diversity", "/monitoring?format=csv"):
                got = browser.get(address, headers={"X-User": user})
                assert (got.status_code, got.headers["retry-after"]) == (503, "30")
                assert ((str(place) in got.text), (words in got.text)) == (named, named)
        logged = [orjson.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert len(logged) == 6
        assert all(line["event"] == "failed" and words in line["reason"] for line in logged)


def test_every_request_is_a_line_of_json_without_its_query(store, tmp_path):
    path = tmp_path / "log"
    browser = Browser(app(store, log=Log(path=path), **USERS))
    browser.get("/diversity?attribute=secret", headers={"X-User": "ana"})
    path.rename(tmp_path / "log.1")  # as logrotate does
    browser.get("/metrics", headers={"X-User": "ana"})
    browser.get("/no%22such%0apage")
    lines = [orjson.loads(line) for each in (tmp_path / "log.1", path) for line in each.read_bytes().splitlines()]
    assert [(line["visitor"], line["role"], line["method"], line["path"], line["status"]) for line in lines] == [
        ("ana", "viewer", "GET", "/diversity", 200),
        ("ana", "viewer", "GET", "/metrics", 403),
        (None, None, "GET", '/no"such\npage', 401),
    ]
    assert all(line["event"] == "request" and line["ms"] >= 0 and line["time"].endswith("Z") for line in lines)
    assert "secret" not in (tmp_path / "log.1").read_text()


def test_a_log_that_takes_no_more_keeps_no_page_away(store):
    browser = Browser(app(store, log=Log(path=Path("/dev/full"))))
    assert browser.get("/diversity").status_code == 200
