"""A service on this machine that scores résumés, and misbehaves as told.

    POST /score     {"resume", "position"} → {"score"}
    POST /nested    {"cv", "job"} → {"result": {"value"}}; cv may be base64, as told by "kind": "base64"
    POST /several   {"job", "items": [{"id", "cv"}]} → {"results": [{"id", "score"}, …]}, the last one first
    POST /jobs      202 with a Location, whose status is "running" for `looks` looks, then "done", with the score

The n-th POST gets the n-th fault of a list, later ones get `then`. Faults are those of `loopback` that fit, and:

    value:JSON      that value as the score       lacking      no score in the answer
    short           of several, one result less   bad:WORD     400 if the word is in a résumé, else an answer
    failed          of a job, the status "failed"  away        of a job, a Location at another server
"""

import asyncio
import base64
import contextlib
import hashlib
import json
import threading

from aiohttp import web

from evenhand.models.model import Generation, Request
from loopback import _break_off, _error, _key_sent

#: The position of `request`.
JOB = "Cares for patients."


def request(number=0, resume="Jane Doe, nurse"):
    """Return a request for the score of a résumé for one position."""
    shown = {"resume_text": resume, "position_text": JOB, "title": "Nurse", "position": "n1", "file_name": "r1.txt"}
    return Request(
        id=f"{number:016x}",
        stimulus=shown,
        attempt=0,
        messages=[{"role": "user", "content": resume}],
        generation=Generation(),
        seed=0,
    )


def score_of(resume, position):
    """Return a score from 0 to 100 that depends on both texts only."""
    return hashlib.blake2b(f"{resume}\x1f{position}".encode()).digest()[0] % 101


class Scorer:
    """The service; an async context manager whose `url` has no path yet."""

    def __init__(self, faults=(), *, then="ok", looks=1, delay=0.0):
        self.faults, self.then, self.looks, self.delay = list(faults), then, looks, delay
        self.requests = self.polls = self.at_once = self.most_at_once = 0
        self.bodies, self.headers, self.queries = [], [], []
        self.sizes = []
        self.busy_polls = 0
        self.url = None
        self._jobs = {}
        self._runner = None

    async def __aenter__(self):
        app = web.Application(client_max_size=1 << 26)
        for path in ("/score", "/nested", "/several", "/jobs"):
            app.router.add_post(path, self._post)
        app.router.add_get("/jobs/{number}", self._look)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *error):
        await self._runner.cleanup()

    async def _post(self, request):
        body = await request.json()
        fault = self.faults[self.requests] if self.requests < len(self.faults) else self.then
        self.requests += 1
        self.bodies.append(body)
        self.headers.append(request.headers)
        self.queries.append(dict(request.query))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            return await self._respond(request, body, *fault.partition(":")[::2])
        finally:
            self.at_once -= 1

    async def _respond(self, request, body, name, argument):
        if name == "slow":
            await asyncio.sleep(float(argument))
        if name in {"reset", "cut"}:
            return await _break_off(request, name)
        return self._faulty(request, body, name, argument) or self._scored(request, body, name, argument)

    def _faulty(self, request, body, name, argument):
        """Return the response that is called so, None where a score is."""
        if name.isdigit():
            headers = {"Retry-After": argument} if argument else None
            return _error(int(name), "The service had an error.", "x", None, headers=headers)
        if name == "bad":
            unreadable = argument in json.dumps(body)
            return _error(400, "This document can't be read.", "x", None) if unreadable else None
        faulty = {
            "redirect": lambda: web.Response(status=307, headers={"Location": argument}),
            "html": lambda: web.Response(text="<html>Welcome</html>", content_type="text/html"),
            "echo": lambda: _error(401, f"Wrong key {_key_sent(request)}.", "x", None),
            "huge": lambda: web.json_response({"score": "x" * 3_000_000}),
        }
        return faulty[name]() if name in faulty else None

    def _scored(self, request, body, name, argument):
        path = request.path
        if path == "/several":
            self.sizes.append(len(body["items"]))
            results = [
                self._result(item["cv"], body["job"], name, argument) | {"id": item["id"]} for item in body["items"]
            ]
            return web.json_response({"results": results[::-1][name == "short" :]}, dumps=json.dumps)
        if path == "/jobs":
            number = str(len(self._jobs))
            self._jobs[number] = [self.looks, self._result(body["resume"], body["position"], name, argument), name]
            where = "http://elsewhere.example.org/jobs/0" if name == "away" else f"/jobs/{number}"
            return web.json_response({"status": "running"}, status=202, headers={"Location": where})
        if path == "/nested":
            cv = base64.b64decode(body["cv"]).decode("latin-1") if body.get("kind") == "base64" else body["cv"]
            score = self._result(cv, body["job"], name, argument).get("score")
            return web.json_response({"result": {"value": score}})
        return web.json_response(self._result(body["resume"], body["position"], name, argument))

    def _result(self, resume, position, name, argument):
        if name == "lacking":
            return {"points": 3, "unit": "%"}
        return {"score": json.loads(argument) if name == "value" else score_of(resume, position)}

    async def _look(self, request):
        self.polls += 1
        if self.busy_polls:
            self.busy_polls -= 1
            return _error(503, "Busy.", "x", None)
        job = self._jobs[request.match_info["number"]]
        job[0] -= 1
        if job[2] == "failed":
            return web.json_response({"status": "failed"})
        return web.json_response({"status": "running"} if job[0] >= 0 else {"status": "done", **job[1]})


@contextlib.contextmanager
def running(server):
    """Run a service in a thread of its own, for what blocks this one."""
    loop = asyncio.new_event_loop()
    started, end = threading.Event(), asyncio.Event()

    async def serve():
        async with server:
            started.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    started.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
        loop.close()
