"""A provider of batches on this machine: OpenAI's and Anthropic's endpoints, with faults.

Faults are set as attributes; each holds until it is taken back:

    down              every connection is reset, as by a server that is gone
    die_on_create     'before' or 'after' a batch is taken: the server goes down and says nothing
    die_on_look       goes down at the n-th look at a batch (1 = the first)
    busy_looks        so many looks are answered with 429
    looks             looks until a batch has ended; `looks_of`: until the batch of that id has
    outcome           what becomes of prompts: a function from prompt to a word
    refuses           parameters that are refused in batches, and, if in `refuses_single`, in single calls
    refuse_over       batches of more prompts are refused as a whole: token_limit_exceeded
    lists             whether batches can be listed
    results_host      the host in Anthropic's results_url
    hold              paths whose requests wait until the event `release` is set
    cut_results       bytes after which a file of results breaks off, once

Words: ok, huge, surrogate, expired, cancelled, 500, 400, 429, 404, missing (no line at all). `paid` counts, per
prompt, the answers that a provider would charge for, single calls included.
"""

import asyncio
import json
from collections import Counter
from datetime import UTC, datetime

from aiohttp import web

from loopback import answer_to, structured

ENDINGS = {"expired": "batch_expired", "cancelled": "batch_cancelled"}
# json.dumps writes the half emoji as an escape, as Python servers do.
TEXTS = {"ok": None, "huge": "x" * 3_000_000, "surrogate": "half \ud83d whole \U0001f600"}
TYPES = {"500": "api_error", "400": "invalid_request_error", "429": "rate_limit_error", "404": "not_found_error"}


class Provider:
    """The server; an async context manager whose `url` is the base URL to give."""

    def __init__(self, *, port=0):
        self.port = port
        self.url = None
        self.down = False
        self.die_on_create = None
        self.die_on_look = None
        self.busy_looks = 0
        self.looks = 2
        self.looks_of = {}
        self.outcome = lambda _: "ok"
        self.refuses = self.refuses_single = ()
        self.refuse_over = None
        self.lists = True
        self.results_host = None
        self.hold = set()
        self.release = asyncio.Event()
        self.cut_results = None
        self.page = 100
        self.paid = Counter()
        self.single = Counter()
        self.files = {}
        self.batches = {}
        self.seen = []
        self.keys = set()
        self.cancelled = []
        self._runner = None
        self._arrival = asyncio.Event()
        self._looked = asyncio.Event()

    async def __aenter__(self):
        app = web.Application(client_max_size=1 << 29, middlewares=[self._gate])
        for method, path, handler in (
            ("POST", "/v1/files", self._upload),
            ("GET", "/v1/files/{id}/content", self._content),
            ("POST", "/v1/batches", self._create_openai),
            ("GET", "/v1/batches", self._list_openai),
            ("GET", "/v1/batches/{id}", self._look_openai),
            ("POST", "/v1/batches/{id}/cancel", self._cancel),
            ("POST", "/v1/messages/batches", self._create_anthropic),
            ("GET", "/v1/messages/batches", self._list_anthropic),
            ("GET", "/v1/messages/batches/{id}", self._look_anthropic),
            ("GET", "/v1/messages/batches/{id}/results", self._results),
            ("POST", "/v1/messages/batches/{id}/cancel", self._cancel),
            ("POST", "/v1/chat/completions", self._chat),
            ("POST", "/v1/messages", self._message),
        ):
            app.router.add_route(method, path, handler)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        return self

    async def __aexit__(self, *error):
        self.release.set()
        await self._runner.cleanup()

    async def asked_for(self, what, times=1):
        """Return when a request such as 'POST /v1/batches' has come so often."""
        while self.seen.count(what) < times:
            self._arrival.clear()
            await self._arrival.wait()

    async def looked_at(self, batches=1):
        """Return when somebody has looked how far so many batches are."""
        while sum(batch["looked"] > 0 for batch in self.batches.values()) < batches:
            self._looked.clear()
            await self._looked.wait()

    def asked(self, what):
        """Return how many requests began so."""
        return sum(line.startswith(what) for line in self.seen)

    @web.middleware
    async def _gate(self, request, handler):
        if self.down:
            return _reset(request)
        self.seen.append(f"{request.method} {request.path}")
        self.keys |= {request.headers.get("Authorization"), request.headers.get("x-api-key")} - {None}
        self._arrival.set()
        if request.path in self.hold:
            await request.read()  # what has arrived is worked on, even when the client is gone by then
            await self.release.wait()
            if self.down:
                return _reset(request)
        return await handler(request)

    # Single calls.

    async def _chat(self, request):
        body = await request.json()
        if (refused := _first_of(self.refuses_single, body)) is not None:
            return _error(400, _refusal_of(refused))
        prompt = self._single(body)
        return web.json_response(_completion(prompt, body["model"], structured(body)))

    async def _message(self, request):
        body = await request.json()
        if (refused := _first_of(self.refuses_single, body)) is not None:
            return _error(400, _refusal_of(refused))
        prompt = self._single(body)
        return web.json_response(_message(prompt, body["model"], structured(body)))

    def _single(self, body):
        prompt = body["messages"][-1]["content"]
        self.paid[prompt] += 1
        self.single[prompt] += 1
        return prompt

    # OpenAI.

    async def _upload(self, request):
        form = await request.post()
        assert form["purpose"] == "batch"
        name = f"file-{len(self.files)}"
        self.files[name] = form["file"].file.read()
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def _create_openai(self, request):
        body = await request.json()
        assert body["endpoint"] == "/v1/chat/completions"
        assert body["completion_window"] == "24h"
        lines = [json.loads(line) for line in self.files[body["input_file_id"]].splitlines()]
        assert all(line["method"] == "POST" and line["url"] == "/v1/chat/completions" for line in lines)
        asked = {line["custom_id"]: line["body"] for line in lines}
        batch = self._take(request, asked, metadata=body["metadata"])
        return batch if isinstance(batch, web.Response) else web.json_response(self._openai(batch))

    async def _list_openai(self, request):
        if not self.lists:
            return _error(404, "Unknown request URL.")
        page, more = self._page(request, request.query.get("after"))
        shown = [self._openai(batch) for batch in page]
        return web.json_response({"object": "list", "data": shown, "has_more": more})

    async def _look_openai(self, request):
        batch = self._look(request)
        return batch if isinstance(batch, web.Response) else web.json_response(self._openai(batch))

    async def _content(self, request):
        content = self.files[request.match_info["id"]]
        return await self._stream(request, content)

    def _openai(self, batch):
        ended = batch["looked"] >= self.looks_of.get(batch["id"], self.looks)
        status = "failed" if batch["failed"] else "in_progress"
        shown = {"id": batch["id"], "object": "batch", "metadata": batch["metadata"], "created_at": 1}
        total = len(batch["asked"])
        if batch["failed"]:
            shown["errors"] = {
                "object": "list",
                "data": [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached.", "line": None}],
            }
        elif ended:
            results = self._settle(batch)
            good = [line for line in results if _status(line) == 200]
            bad = [line for line in results if _status(line) != 200]
            words = {self._word(body) for body in batch["asked"].values()}
            status = next((word for word in ("expired", "cancelled") if word in words), "completed")
            for name, lines in (("output_file_id", good), ("error_file_id", bad)):
                if lines:
                    shown[name] = f"{name}-{batch['id']}"
                    self.files[shown[name]] = _jsonl(reversed(lines))
            shown["request_counts"] = {"total": total, "completed": len(good), "failed": len(bad)}
        if not ended:
            shown["request_counts"] = {"total": total, "completed": min(batch["looked"], total), "failed": 0}
        return {**shown, "status": status}

    # Anthropic.

    async def _create_anthropic(self, request):
        body = await request.json()
        assert request.headers["anthropic-version"]
        asked = {each["custom_id"]: each["params"] for each in body["requests"]}
        batch = self._take(request, asked)
        return batch if isinstance(batch, web.Response) else web.json_response(self._anthropic(batch))

    async def _list_anthropic(self, request):
        if not self.lists:
            return _error(404, "Not found.")
        for batch in self.batches.values():
            batch["looked"] += 1
        page, more = self._page(request, request.query.get("after_id"))
        shown = [self._anthropic(batch) for batch in page]
        last = shown[-1]["id"] if shown else None
        return web.json_response({"data": shown, "has_more": more, "last_id": last})

    async def _look_anthropic(self, request):
        batch = self._look(request)
        return batch if isinstance(batch, web.Response) else web.json_response(self._anthropic(batch))

    async def _results(self, request):
        lines = [_in_anthropics_words(line) for line in self._settle(self.batches[request.match_info["id"]])]
        return await self._stream(request, _jsonl(reversed(lines)))

    def _anthropic(self, batch):
        ended = batch["looked"] >= self.looks_of.get(batch["id"], self.looks)
        counts = Counter({"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0})
        if ended:
            names = {**dict.fromkeys(TEXTS, "succeeded"), "expired": "expired", "cancelled": "canceled"}
            counts.update(names.get(self._word(body), "errored") for body in batch["asked"].values())
        else:
            counts["processing"] = len(batch["asked"])
        host = self.results_host or f"http://127.0.0.1:{self.port}"
        return {
            "id": batch["id"],
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": batch["created"].isoformat(),
            "results_url": f"{host}/v1/messages/batches/{batch['id']}/results" if ended else None,
        }

    # Both.

    def _take(self, request, asked, metadata=None):
        """Take a batch, or go down before or after."""
        dying = self.die_on_create
        if dying == "before":
            return self._go_down(request)
        failed = self.refuse_over is not None and len(asked) > self.refuse_over
        name = f"batch_{len(self.batches)}"
        self.batches[name] = {
            "id": name,
            "asked": asked,
            "metadata": metadata,
            "looked": 0,
            "failed": failed,
            "created": datetime.now(UTC),
        }
        if not failed:
            for body in asked.values():
                # What expires or fails is not charged.
                self.paid[_prompt(body)] += self._word(body) in {*TEXTS, "missing"}
        return self._go_down(request) if dying == "after" else self.batches[name]

    def _word(self, body):
        return self.outcome(_prompt(body)) if _first_of(self.refuses, body) is None else "400"

    def _look(self, request):
        if self.busy_looks:
            self.busy_looks -= 1
            return _error(429, "Rate limit reached for requests per min.", headers={"Retry-After": "0.01"})
        if self.die_on_look is not None:
            self.die_on_look -= 1
            if not self.die_on_look:
                self.die_on_look = None
                return self._go_down(request)
        batch = self.batches.get(request.match_info["id"])
        if batch is None:
            return _error(404, "No such batch.")
        batch["looked"] += 1
        self._looked.set()
        return batch

    def _settle(self, batch):
        """Return the lines of results, as OpenAI writes them."""
        lines = []
        for custom_id, body in batch["asked"].items():
            word = self._word(body)
            line = {"id": f"batch_req_{custom_id}", "custom_id": custom_id, "response": None, "error": None}
            if word == "missing":
                continue
            if word in ENDINGS:
                line["error"] = {"code": ENDINGS[word], "message": "This request could not be executed."}
            elif word in TEXTS:
                completion = _completion(_prompt(body), body["model"], text=TEXTS[word] or structured(body))
                line["response"] = _response(200, completion)
            else:
                refused = _first_of(self.refuses, body)
                said = f"It failed with {word}." if refused is None else _refusal_of(refused)
                error = {"message": said, "type": TYPES[word]}
                line["response"] = _response(int(word), {"error": error})
            lines.append(line)
        return lines

    def _page(self, request, after):
        newest = list(reversed(self.batches.values()))
        if after is not None:
            newest = newest[[batch["id"] for batch in newest].index(after) + 1 :]
        limit = min(int(request.query["limit"]), self.page)
        return newest[:limit], len(newest) > limit

    async def _stream(self, request, content):
        response = web.StreamResponse(headers={"Content-Length": str(len(content))})
        await response.prepare(request)
        if self.cut_results is not None:
            await response.write(content[: self.cut_results])
            self.cut_results = None
            request.transport.close()
            return response
        await response.write(content)
        return response

    async def _cancel(self, request):
        self.cancelled.append(request.match_info["id"])
        return web.json_response({"id": request.match_info["id"], "status": "cancelling"})

    def _go_down(self, request):
        self.down = True
        return _reset(request)


def _reset(request):
    request.transport.abort()
    return web.Response()


def _first_of(parameters, body):
    return next((name for name in parameters if name in body), None)


def _refusal_of(parameter):
    """Return the message of OpenAI's reasoning models, which name a parameter that they don't take."""
    return f"Unsupported parameter: '{parameter}' is not supported with this model."


def _prompt(body):
    return body["messages"][-1]["content"]


def _completion(prompt, model, text=None):
    message = {"role": "assistant", "content": answer_to(prompt) if text is None else text}
    return {
        "id": "x",
        "model": f"{model}-2025",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": len(prompt.split()), "completion_tokens": 6},
    }


def _message(prompt, model, text=None):
    return {
        "id": "x",
        "type": "message",
        "model": f"{model}-2025",
        "content": [{"type": "text", "text": answer_to(prompt) if text is None else text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": len(prompt.split()), "output_tokens": 6},
    }


def _in_anthropics_words(line):
    response, error = line["response"], line["error"]
    if error is not None:
        result = {"type": "expired" if error["code"] == "batch_expired" else "canceled"}
    elif response["status_code"] == 200:
        body = response["body"]
        text = body["choices"][0]["message"]["content"]
        message = {
            "model": body["model"],
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": body["usage"]["prompt_tokens"], "output_tokens": 6},
        }
        result = {"type": "succeeded", "message": message}
    else:
        result = {"type": "errored", "error": {"type": "error", "error": response["body"]["error"]}}
    return {"custom_id": line["custom_id"], "result": result}


def _response(status, body):
    return {"status_code": status, "request_id": "r", "body": body}


def _status(line):
    return line["response"]["status_code"] if line["response"] is not None else None


def _jsonl(lines):
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _error(status, message, headers=None):
    return web.json_response({"error": {"message": message, "type": "x"}}, status=status, headers=headers)
