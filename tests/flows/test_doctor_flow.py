"""`evenhand doctor`: extras as pyproject.toml declares them, and servers of this machine."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from _cli import environment, evenhand

from evenhand.analyses import doctor


class Models(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.seen.append((self.path, self.headers.get("Authorization")))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    with HTTPServer(("127.0.0.1", 0), Models) as listening:
        listening.seen = []
        Thread(target=listening.serve_forever, daemon=True).start()
        monkeypatch.setattr(doctor, "LOCAL", {"vLLM": listening.server_port})
        yield listening
        listening.shutdown()


@pytest.mark.parametrize(
    ("body", "models"),
    [(b'{"data": [{"id": "a"}, {"id": "b"}]}', 2), (b"<html>", None), (b"[]", None), (b'{"data": {}}', None)],
)
def test_a_server_that_lists_models_answers_and_gets_no_key(server, tmp_path, body, models):
    server.body = body
    done = evenhand("doctor --json", cwd=tmp_path, env=environment(OPENAI_API_KEY="sk-secret"))
    found = json.loads(done.stdout)
    assert found["servers"]["vLLM"]["models"] == models
    assert found["servers"]["vLLM"]["answers"]
    assert ("answers, but lists no models" in evenhand("doctor", cwd=tmp_path).stdout) == (models is None)
    del server.seen[1:]
    assert server.seen == [("/v1/models", None)]
    assert found["keys"] == {"OPENAI_API_KEY": True, "ANTHROPIC_API_KEY": False, "RERANK_API_KEY": False}
    assert "sk-secret" not in done.stdout


def test_a_missing_package_and_a_version_that_does_not_fit_are_named(server, tmp_path, monkeypatch):
    server.body = b""
    monkeypatch.setattr(doctor, "BY_HAND", {"local": "no-build"})
    needed = ["orjson>=3.10", *["none-such>=1; extra == 'match'"] * 2, "orjson<1; extra == 'serve'"]
    monkeypatch.setattr(doctor, "requires", lambda name: needed if name == "evenhand" else [])
    done = evenhand("doctor", cwd=tmp_path)
    rows = {line.split()[0]: line for line in done.stdout.splitlines() if line.strip()}
    assert "no: none-such " in rows["match"]
    assert "no: no-build" in rows["local"]
    assert "needs <1" in " ".join(done.stdout.split())
    assert "yes" in rows["bundle"]
    needed.append("none-such>=1; extra == 'serve'")
    monkeypatch.setattr(doctor, "OR_OF_THE_SYSTEM", {"none-such": "json"})
    assert "no: none-such" not in evenhand("doctor", cwd=tmp_path).stdout
    monkeypatch.setattr(doctor, "OR_OF_THE_SYSTEM", {"none-such": "none_such"})
    assert "no: none-such" in evenhand("doctor", cwd=tmp_path).stdout
    needed.append("none-such>=1")
    evenhand("doctor", cwd=tmp_path, code=5)
