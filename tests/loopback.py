"""A chat server on this machine that misbehaves as told; also runs as a process.

The n-th request gets the n-th fault of a list, later ones get `then`. A fault is a word
with an optional argument, `name:argument`; `name*3` stands for three in a row:

    ok              an answer                     slow:2       an answer after 2 s
    429:1  503:1    busy, Retry-After 1 s         429  500 …   that status, with a JSON error
    429ms:50        busy, retry-after-ms 50       quota        429, insufficient_quota
    reset           the connection is reset       cut          the body ends too early
    malformed       half a JSON object            html         an HTML page with status 200
    empty           no choices                    nocontent    a message without content
    parts           content as a list of parts    refusal      the refusal field
    surrogate       half an emoji, NUL, an emoji  huge         an answer of 3 MB
    redirect:URL    307 to that address           die          the process ends at once
    filtered        400, content_filter           echo         401 that repeats the key
    wrapped:503     200 with an error inside      text:WORD    that word as the answer
    left:7          an answer with headers: 7 of 60 requests are left, the reset is in 1 s
    refuse:a+b      400 while a parameter a or b is sent, else an answer
    huge:thinking   3 MB before the answer        huge:key     the key at the cut of 1 MB (huge:block)
    echo:text       the key in the answer         echo:model   … in model and finish reason
    echo:escaped    … as \\u escapes               echo:header  … in Retry-After of a 429
    echo:redirect   … in Location of a 307        echo:200     … in an error with status 200
    score:black=-3  a score of 0 to 100 that follows the prompt; names of that group get 3 points less on
                    average, which varies from name to name

Where a JSON schema is sent, an answer is JSON by it: an object for each candidate, 50 as every number.
`/v1/messages` answers likewise in the words of Anthropic's Messages API. With `tls`, a server
context, it speaks HTTPS.

As a process, for benchmarks: `python tests/loopback.py --static` prints its base URL. `GET /seen` says what was asked:
{"requests", "most_at_once", "asked", "answered", "bodies"}.
"""

import argparse
import asyncio
import contextlib
import functools
import hashlib
import json
import os
import random
import socket
import ssl
import struct
from collections import Counter

from aiohttp import web

ERRORS = {
    400: ("Invalid value for 'messages'.", "invalid_request_error", None),
    401: ("Incorrect API key provided.", "invalid_request_error", "invalid_api_key"),
    402: ("Payment required.", "billing", None),
    403: ("Your country is not supported.", "permission", None),
    404: ("The model `m` does not exist.", "invalid_request_error", "model_not_found"),
    413: ("The prompt is too long.", "invalid_request_error", None),
    429: ("Rate limit reached for requests per min; add a payment method at /account/billing.", "requests", None),
}

STATUSES = {
    "quota": (429, "You exceeded your current quota.", "insufficient_quota", "insufficient_quota"),
    "filtered": (400, "The prompt was filtered.", None, "content_filter"),
}


def faults_from(words):
    """Return the faults that a text such as 'ok*2,429:1' names."""
    faults = []
    for word in filter(None, (part.strip() for part in words.split(","))):
        name, _, times = word.partition("*")
        faults += [name] * int(times or 1)
    return faults


def answer_to(prompt):
    """Return a text that depends on the prompt only."""
    selected = hashlib.blake2b(prompt.encode()).digest()[0] % 2
    return "You have been selected." if selected else "We regret to inform you that we chose somebody else."


@functools.cache
def _races():
    from evenhand.probes.resume_score.stimuli import builtin_names  # only where scores are asked for

    return dict(builtin_names().select("name", "race").iter_rows())


def score_for(prompt, biased):
    """Return a score that depends on the prompt but for the name, on the name, and on the name's race."""
    group, shift = biased.split("=")
    name = next(name for name in _races() if name in prompt)
    plain = prompt.replace(name, "").replace(".".join(name.lower().split()), "")
    spread = {part: random.Random(part).gauss(0, 1) for part in (plain, name, prompt)}
    moved = float(shift) if _races()[name] == group else 0.0
    return f"Score: {70 + 6 * spread[plain] + spread[name] + 3 * spread[prompt] + moved:.0f}"


def structured(body):
    """Return an answer by the JSON schema of a request, None where there is none."""
    sent = body.get("response_format", {}).get("json_schema") or body.get("output_config", {}).get("format")
    return None if sent is None else json.dumps(_instance(sent["schema"]))


def _instance(schema):
    """Return a value of a JSON schema; a list of objects has one for each value of their first enumeration."""
    if schema["type"] == "object":
        return {name: _instance(inner) for name, inner in schema["properties"].items()}
    if schema["type"] == "array" and schema["items"]["type"] == "object":
        (key, inner), *_ = schema["items"]["properties"].items()
        return [{**_instance(schema["items"]), key: value} for value in inner["enum"]]
    if schema["type"] == "array":
        return [_instance(schema["items"])]
    return 50 if schema["type"] == "number" else schema.get("enum", ["How do you plan a week?"])[0]


class Loopback:
    """The server; an async context manager whose `url` is the base URL to give."""

    def __init__(self, faults=(), *, then="ok", delay=0.0, by_prompt=None, port=0, static=False, tls=None):
        self.faults = list(faults)
        self.then = then
        self.delay = delay
        self.by_prompt = by_prompt or {}
        self.port = port
        self.static = static
        self.tls = tls
        self.requests = 0
        self.at_once = self.most_at_once = 0
        self.asked = Counter()
        self.answered = Counter()
        self.order = []
        self.bodies = []
        self.keys = set()
        self.headers = []
        self.url = None
        self._runner = None
        self._arrival = asyncio.Event()

    async def __aenter__(self):
        app = web.Application(client_max_size=1 << 26)
        app.router.add_post("/v1/chat/completions", self._static if self.static else self._chat)
        app.router.add_post("/v1/messages", self._chat)
        app.router.add_get("/seen", self._seen)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, ssl_context=self.tls)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]
        self.url = f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}/v1"
        return self

    async def __aexit__(self, *error):
        await self._runner.cleanup()

    async def asked_for(self, requests):
        """Return when that many requests have come."""
        while self.requests < requests:
            self._arrival.clear()
            await self._arrival.wait()

    async def _seen(self, _request):
        return web.json_response(
            {
                "requests": self.requests,
                "most_at_once": self.most_at_once,
                "asked": self.asked,
                "answered": self.answered,
                "bodies": self.bodies,
            },
        )

    async def _static(self, request):
        await request.read()
        self.requests += 1
        return web.Response(body=STATIC, content_type="application/json")

    async def _chat(self, request):
        body = await request.json()
        prompt = body["messages"][-1]["content"]
        fault = self.faults[self.requests] if self.requests < len(self.faults) else self.then
        fault = self.by_prompt.get(prompt, fault)
        self.requests += 1
        self._arrival.set()
        self.asked[prompt] += 1
        self.order.append(prompt)
        self.bodies.append(body)
        self.keys.add(_key_sent(request))
        self.headers.append(request.headers)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            response = await self._respond(request, prompt, body, *fault.partition(":")[::2])
            return _as_message(response) if request.path.endswith("/messages") else response
        finally:
            self.at_once -= 1

    async def _respond(self, request, prompt, body, name, argument):
        if name == "slow":
            await asyncio.sleep(float(argument))
            name = "ok"
        if name in {"die", "reset", "cut"}:
            return await _break_off(request, name)
        if name == "redirect":
            return web.Response(status=307, headers={"Location": argument})
        key = str(_key_sent(request)).removeprefix("Bearer ")
        if name == "echo":
            return self._echo(key, prompt, argument)
        if name == "huge" and argument:
            return self._huge(key, prompt, argument)
        if name == "refuse":
            refused = [parameter for parameter in argument.split("+") if parameter in body]
            return _refusal(refused[0]) if refused else self._answer(prompt, "ok", "")
        if name == "ok" and (text := structured(body)) is not None:
            name, argument = "text", text
        return self._error_named(name, argument) or self._answer(prompt, name, argument)

    def _error_named(self, name, argument):
        """Return the error response that is called so, None where an answer is."""
        if name in STATUSES:
            return _error(*STATUSES[name])
        if name.removesuffix("ms").isdigit():
            status = int(name.removesuffix("ms"))
            said = ERRORS.get(status, ("The server had an error.", "server_error", None))
            header = "retry-after-ms" if name.endswith("ms") else "Retry-After"
            return _error(status, *said, headers={header: argument} if argument else None)
        return None

    def _answer(self, prompt, name, argument):
        if name == "wrapped":
            return web.json_response({"error": {"message": "Provider returned error", "code": int(argument)}})
        if name == "malformed":
            return web.Response(text='{"choices": [{"message": {"content": "You have', content_type="application/json")
        if name == "html":
            return web.Response(text="<html><body>Welcome to our proxy</body></html>", content_type="text/html")
        headers = None
        if name == "left":
            told = {"limit": "60", "remaining": argument, "reset": "1s"}
            headers = {f"x-ratelimit-{what}-requests": value for what, value in told.items()}
            name = "ok"
        text = score_for(prompt, argument) if name == "score" else answer_to(prompt)
        message = {
            "ok": {"content": text},
            "score": {"content": text},
            "text": {"content": argument},
            "empty": {},
            "nocontent": {"content": None},
            "parts": {"content": [{"type": "text", "text": text[:5]}, {"type": "text", "text": text[5:]}]},
            "refusal": {"content": None, "refusal": "I can't help with that."},
            "thinking": {"reasoning_content": argument, "content": text},
            # json.dumps writes the half emoji as an escape, as Python servers do.
            "surrogate": {"content": "half \ud83d NUL \0 whole \U0001f600"},
            "huge": {"content": "x" * 3_000_000},
        }[name]
        choices = [] if name == "empty" else [{"index": 0, "finish_reason": "stop", "message": message}]
        self.answered[prompt] += name != "empty"
        return web.json_response(
            {
                "id": "x",
                "model": "m-2024-01-01",
                "choices": choices,
                "usage": {"prompt_tokens": len(prompt.split()), "completion_tokens": 6},
            },
            headers=headers,
        )

    def _echo(self, key, prompt, how):
        """Give the key back where no key belongs."""
        if not how:
            return _error(401, f"Incorrect API key provided: {key}", "x", None)
        if how == "header":
            return _error(429, "Slow down.", "requests", None, headers={"Retry-After": key, "retry-after-ms": "1"})
        if how == "redirect":
            return web.Response(status=307, headers={"Location": f"https://{key}.example.org/{key}?key={key}"})
        if how == "200":
            return web.json_response({"error": {"message": f"No access with {key}", "code": key, "type": key}})
        if how == "escaped":
            key = "".join(f"\\u{ord(sign):04x}" for sign in key)
            response = self._answer(prompt, "text", "the key is KEY")
            response.text = response.text.replace("KEY", key)
            return response
        response = self._answer(prompt, "text", f"the key is {key}" if how == "text" else "an answer")
        if how == "model":
            content = json.loads(response.text)
            content["model"] = content["choices"][0]["finish_reason"] = content["id"] = key
            response.text = json.dumps(content)
        return response

    def _huge(self, key, prompt, how):
        """Send more than a megabyte: thinking before the answer, or the key across the cut."""
        if how == "thinking":
            return self._answer(prompt, "thinking", "x" * 3_000_000)
        # The text begins behind this; the second is that of a message of Anthropic's.
        begin = '{"choices": [{"message": {"content": "' if how == "key" else '{"content": [{"type": "text", "text": "'
        text = "x" * (1_000_000 - len(begin) - len(key) + 3) + key + "y" * 2_000_000
        return web.Response(text=f'{begin}{text}"}}}}]}}', content_type="application/json")


STATIC = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "static-1",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Dear Jane,\n\nYou have been selected. " + "Welcome! " * 40},
        },
    ],
    "usage": {"prompt_tokens": 40, "completion_tokens": 90, "total_tokens": 130},
}
STATIC = json.dumps(STATIC).encode()


def _key_sent(request):
    return request.headers.get("Authorization") or request.headers.get("x-api-key")


def _refusal(parameter):
    """Return the error of OpenAI's reasoning models, which name a parameter that they don't take."""
    if parameter == "max_tokens":
        message = f"Unsupported parameter: '{parameter}' is not supported with this model."
        message, code = f"{message} Use 'max_completion_tokens' instead.", "unsupported_parameter"
    else:
        message = f"Unsupported value: '{parameter}' does not support 0.5 with this model."
        message, code = f"{message} Only the default (1) value is supported.", "unsupported_value"
    return _error(400, message, "invalid_request_error", code, param=parameter)


ENDINGS = {"stop": "end_turn", "length": "max_tokens"}


def _as_message(response):
    """Return a chat completions response in the shape of the Messages API."""
    if not isinstance(response, web.Response) or response.content_type != "application/json":
        return response
    try:
        content = json.loads(response.text)
    except ValueError:
        return response
    if "error" in content:
        kind = {"401": "authentication_error", "429": "rate_limit_error", "529": "overloaded_error"}
        error = {
            "type": kind.get(str(response.status), "invalid_request_error"),
            "message": content["error"]["message"],
        }
        response.text = json.dumps({"type": "error", "error": error, "request_id": "req_1"})
        return response
    if "usage" not in content:
        return response
    choice = content["choices"][0] if content["choices"] else {"finish_reason": "stop", "message": {}}
    message = choice["message"]
    blocks = [{"type": "thinking", "thinking": message.get("reasoning_content", "Let me see."), "signature": "x"}]
    ending = ENDINGS.get(choice["finish_reason"], choice["finish_reason"])
    if message.get("refusal"):
        ending = "refusal"
    elif isinstance(message.get("content"), list):
        blocks += message["content"]
    elif message.get("content") is not None:
        blocks.append({"type": "text", "text": message["content"]})
    response.text = json.dumps(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": content["model"],
            "content": blocks,
            "stop_reason": ending,
            "stop_sequence": None,
            "usage": {
                "input_tokens": content["usage"]["prompt_tokens"],
                "cache_read_input_tokens": 2,
                "output_tokens": content["usage"]["completion_tokens"],
            },
        },
    )
    return response


async def _break_off(request, name):
    """End the connection, or the whole server, before the answer is complete."""
    if name == "die":
        os._exit(1)
    if name == "reset":
        # Linger 0 makes the kernel send a reset instead of an orderly end.
        connection = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()
        return web.Response()
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    request.transport.close()
    return response


def _error(status, message, kind, code, *, headers=None, param=None):
    error = {"message": message, "type": kind, "param": param, "code": code}
    return web.json_response({"error": error}, status=status, headers=headers)


def tls_context(certificate, private_key):
    """Return the context of a server that shows this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, private_key)
    return context


async def _serve(arguments):
    async with Loopback(port=arguments.port, static=arguments.static) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--static", action="store_true", help="one fixed answer, nothing recorded: for benchmarks")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(parser.parse_args()))


if __name__ == "__main__":
    main()
