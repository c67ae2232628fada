"""`evenhand serve` as a process: where it listens, a second one beside it, and how it ends."""

import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from _cli import environment, evenhand

from evenhand.monitoring.store import migrations, opened_store


@pytest.fixture
def server(tmp_path):
    """A server without options on any free port; the browser of its user writes down what it is to open."""
    command = [sys.executable, "-m", "evenhand", "serve", "--port", "0"]
    (tmp_path / "tmp").mkdir()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o700)
    env = environment(TMPDIR=str(tmp_path / "tmp"), XDG_DATA_HOME=str(tmp_path / "data"), BROWSER=f"{browser} %s")
    process = subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True)
    told = process.stderr.readline()
    address = re.search(r"(http://127\.0\.0\.1:(\d+))/login\?token=(\S{32}) ", told)
    assert address, told + process.stderr.read()
    yield process, address[1], int(address[2]), address[3]
    process.kill()
    process.wait()
    process.stderr.close()


def opened(address, path=""):
    """Return where a browser that has no cookie yet ends up, and the page."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(f"{address}{path}", timeout=10) as got:
        return got.url, got.read().decode()


def test_a_server_without_options_opens_the_page_that_takes_a_table_and_ctrl_c_ends_it(server, tmp_path):
    process, address, port, token = server
    own = tmp_path / "data" / "evenhand" / "analyses"
    assert process.stderr.readline() == f"Tables and reports are stored in {own}.\n"
    url, page = opened(address, f"/login?token={token}")
    assert url == f"{address}/analyses"
    assert "Show the synthetic company" in page
    assert f"keeps tables and reports in {own} until you remove them" in page
    assert re.findall(r'<li><a href="([^"]+)"', page) == ["/analyses"]  # nothing that needs a store
    assert own.stat().st_mode & 0o077 == 0
    end = time.monotonic() + 20
    while not ((tmp_path / "opened").exists() and (tmp_path / "opened").read_text()):
        assert time.monotonic() < end
        time.sleep(0.05)
    entry = (tmp_path / "opened").read_text().strip()
    assert entry.startswith(f"{address}/login?token=")
    assert token not in entry  # the command line of a browser is no secret
    # Its ticket lets in once; without the address another account of this machine reads nothing.
    assert opened(entry)[0] == f"{address}/analyses"
    with pytest.raises(urllib.error.HTTPError, match="403"):
        opened(entry)
    for path in ("/", "/analyses", "/metrics"):
        assert opened(address, path)[0] == f"{address}/login"
    second = evenhand("serve --port", port, cwd=tmp_path, code=2)
    assert second.stderr == (
        f"--port {port} at 127.0.0.1 can't be used: Address already in use; give another --port.\n"
    )
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) in {0, 130}
    assert "Traceback" not in process.stderr.read()
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_server_that_is_terminated_leaves_no_folder(server, tmp_path):
    process, *_ = server
    assert len(list((tmp_path / "tmp").iterdir())) == 1
    process.terminate()
    assert process.wait(timeout=20) == 0
    assert "Traceback" not in process.stderr.read()
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("--runs", "absent"), "--runs absent is not a folder."),
        (("--user-header", "X-User"), "--user-header and --roles need each other: give both."),
        (
            ("--user-header", "X-User", "--roles", "roles.toml"),
            "--roles roles.toml gives 'ana' the role 'owner'; expected viewer, labeller, supervisor, admin.",
        ),
        (("--port", "70000"), "--port is 70000; expected a number from 0 to 65535."),
        (("--proxy", "proxy.example"), "--proxy is 'proxy.example'; expected an address, such as 127.0.0.1."),
        (
            ("--proxy", "10.0.0.2"),
            "with --proxy alone, everybody who passes it is an admin; set EVENHAND_TOKEN, or give --user-header.",
        ),
        (("--access-log", "."), "--access-log . is not a file; give a file, or - for stderr."),
        (("--access-log", "no/log"), "--access-log no/log can't be written: No such file or directory."),
    ],
)
def test_what_can_not_be_served_is_told_in_a_line(typed, told, tmp_path):
    (tmp_path / "roles.toml").write_text('ana = "owner"\n')
    for check in ((), ("--check-config",)):
        done = evenhand("serve", *typed, *check, cwd=tmp_path, code=2)
        assert (done.stdout, done.stderr) == ("", f"{told}\n")


def test_a_configuration_is_checked_and_said_without_listening(tmp_path):
    (tmp_path / "roles.toml").write_text('ana = "viewer"\nben = "viewer"\neve = "admin"\n')
    with opened_store(tmp_path / "h.db", create=True, schema=migrations()[:1]):
        pass
    users = ("--user-header", "X-User", "--roles", "roles.toml")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        given = ("--store", "h.db", "--runs", ".", "--port", port, "--proxy", "10.0.0.2", "--access-log", "-")
        done = evenhand("serve", *given, *users, "--check-config", cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"Address: 127.0.0.1, port {port}",
        "Visitors: users that X-User names (2 viewer, 1 admin)",
        "Proxy: 10.0.0.2",
        "Store: h.db",
        "Runs: .",
        "New analysis: none",
        "Requests: logged on stderr",
    ]
    with opened_store(tmp_path / "h.db", as_is=True) as store:  # it is brought up to date by the server alone
        assert store.rows("SELECT value FROM settings WHERE name = 'schema'") == [("1",)]
    done = evenhand("serve --store postgres://ana:secret@127.0.0.1:1/hr --check-config", cwd=tmp_path, code=3)
    assert done.stdout == ""
    assert "secret" not in done.stderr


@pytest.mark.parametrize("given", [("--store", "h.db"), ("--runs", "."), ("--analyses", "own")])
def test_a_server_with_something_to_show_has_no_folder_of_the_user(given, tmp_path):
    with opened_store(tmp_path / "h.db", create=True):
        pass
    done = evenhand("serve", *given, "--check-config", cwd=tmp_path, env=environment(XDG_DATA_HOME=str(tmp_path)))
    shown = tmp_path / "own" if "--analyses" in given else "none"
    assert f"New analysis: {shown} Requests:" in " ".join(done.stdout.split())
    assert not (tmp_path / "evenhand").exists()


def test_a_token_that_is_short_is_refused(tmp_path):
    done = evenhand("serve", cwd=tmp_path, env=environment(EVENHAND_TOKEN="short"), code=2)
    assert done.stderr == "EVENHAND_TOKEN has fewer than 16 characters; use a longer one.\n"
