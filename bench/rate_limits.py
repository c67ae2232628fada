"""How close collecting comes to the ideal schedule where a server limits, and what it keeps to.

    python bench/rate_limits.py [--n 3000] [--concurrency 64] [--only sporadic|tells|silent] [--latency 0.3]

Three servers on this machine, each in a process of its own, and three latencies:

sporadic    one request in ten gets a 429 with Retry-After 1, one in twenty a 500, one in fifty a reset
tells       a bucket of 1,200 that is filled by 1,200 a minute, with OpenAI's headers; a 429 with Retry-After 1
silent      the same bucket; a 429 that says nothing

The ideal schedule knows all limits and faults: it never sends what would be refused for the
bucket, waits no longer than Retry-After says, and asks again at once after a 500 or a
reset. All cases run at the same time, as they mostly wait. A server notes every prompt
that came before its Retry-After was over, and every one that was asked after its answer.
"""

import argparse
import asyncio
import hashlib
import heapq
import json
import math
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

KINDS = ("sporadic", "tells", "silent")
LATENCIES = (0.01, 0.3, 3.0)
PER_MINUTE = 1200
ASKED_FOR = {"sporadic": 1.3, "tells": 1.3, "silent": 2.0}


def fault_of(prompt, attempt):
    """Return what happens to the n-th try of a prompt at the sporadic server."""
    draw = hashlib.blake2b(f"{prompt}/{attempt}".encode(), digest_size=8).digest()
    share = int.from_bytes(draw) / 2**64
    return "429" if share < 0.10 else "500" if share < 0.15 else "reset" if share < 0.17 else "ok"


class Server:
    """One limited server."""

    def __init__(self, kind, latency):
        self.kind, self.latency = kind, latency
        self.level, self.at = float(PER_MINUTE), time.monotonic()
        self.tries, self.answered, self.refused = Counter(), Counter(), 0
        self.not_before = {}
        self.too_early = self.again = 0

    def takes(self):
        now = time.monotonic()
        self.level = min(PER_MINUTE, self.level + (now - self.at) * PER_MINUTE / 60)
        self.at = now
        taken = self.level >= 1
        self.level -= taken
        return taken

    def headers(self):
        if self.kind != "tells":
            return {}
        return {
            "x-ratelimit-limit-requests": str(PER_MINUTE),
            "x-ratelimit-remaining-requests": str(int(self.level)),
            "x-ratelimit-reset-requests": f"{(PER_MINUTE - self.level) * 60 / PER_MINUTE:.3f}s",
        }

    async def chat(self, request):
        from aiohttp import web

        body = await request.json()
        prompt = body["messages"][-1]["content"]
        self.too_early += time.monotonic() < self.not_before.get(prompt, 0.0)
        self.again += prompt in self.answered
        self.tries[prompt] += 1
        fault = fault_of(prompt, self.tries[prompt]) if self.kind == "sporadic" else "ok" if self.takes() else "429"
        headers = self.headers()
        if fault == "429":
            self.refused += 1
            if self.kind != "silent":
                self.not_before[prompt] = time.monotonic() + 1.0
                headers["Retry-After"] = "1"
            return web.json_response({"error": {"message": "Rate limit reached."}}, status=429, headers=headers)
        await asyncio.sleep(self.latency)
        if fault == "500":
            return web.json_response({"error": {"message": "The server had an error."}}, status=500)
        if fault == "reset":
            connection = request.transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            request.transport.abort()
            return web.Response()
        self.answered[prompt] += 1
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Yes."}}
        usage = {"prompt_tokens": 40, "completion_tokens": 2}
        return web.json_response({"model": "m", "choices": [choice], "usage": usage}, headers=headers)

    async def seen(self, _request):
        from aiohttp import web

        counts = {"requests": self.tries.total(), "refused": self.refused, "answered": len(self.answered)}
        return web.json_response(counts | {"too_early": self.too_early, "again": self.again})


async def serve(kind, latency):
    from aiohttp import web

    server = Server(kind, latency)
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.chat)
    app.router.add_get("/v1/seen", server.seen)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


def ideal(kind, latency, prompts, concurrency):
    """Return the seconds that the ideal schedule takes."""
    if kind != "sporadic":
        # The last request is sent when the bucket has it, or when a place is free; then it is answered.
        return max(
            (len(prompts) - PER_MINUTE) * 60 / PER_MINUTE + latency, math.ceil(len(prompts) / concurrency) * latency
        )
    free = [0.0] * concurrency
    due = [(0.0, number, prompt, 1) for number, prompt in enumerate(prompts)]
    heapq.heapify(due)
    end = 0.0
    while due:
        at, number, prompt, attempt = heapq.heappop(due)
        at = max(at, heapq.heappop(free))
        fault = fault_of(prompt, attempt)
        done = at + (0.0 if fault == "429" else latency)
        heapq.heappush(free, done)
        if fault == "ok":
            end = max(end, done)
        else:
            heapq.heappush(due, (done + (1.0 if fault == "429" else 0.0), number, prompt, attempt + 1))
    return end


def prompts_of(n):
    return [f"ask {number}" for number in range(n)]


def client(url, n, concurrency):
    """Ask all and print what it took."""
    import numpy as np
    import polars as pl

    from evenhand.models.collecting import Settings, collect, run
    from evenhand.models.concurrency import ConcurrencyLimiter
    from evenhand.models.dialects import CHAT_COMPLETIONS
    from evenhand.models.http import HttpModel
    from evenhand.models.journal import Journal
    from evenhand.models.model import Generation
    from evenhand.models.order import OrderedPrompts, planned

    def stimuli(indices):
        return pl.DataFrame({"index": indices, "prompt": [f"ask {index}" for index in indices.tolist()]})

    async def main(folder):
        plan = planned(
            np.arange(n),
            stimuli=stimuli,
            asked=OrderedPrompts(probe="bench", version="1", model="openai:m", generation=Generation(), seed=0),
            order_seed=0,
        )
        window = ConcurrencyLimiter(concurrency, clock=time.perf_counter)
        async with HttpModel(
            "m", dialect=CHAT_COMPLETIONS, base_urls=[url], key=None, timeout=60, concurrency=concurrency
        ) as model:
            with Journal(folder) as journal:
                started = time.perf_counter()
                nothing = np.empty(0, np.uint64)
                done = await collect(
                    model, plan, journal, Settings(concurrency=concurrency, window=window), answered=nothing
                )
                seconds = time.perf_counter() - started
        assert done.answered == n, done
        print(json.dumps({"seconds": seconds, "learned": window.learned()}))

    with tempfile.TemporaryDirectory() as folder:
        run(main(Path(folder)))


def start(*arguments):
    return subprocess.Popen([sys.executable, __file__, *map(str, arguments)], stdout=subprocess.PIPE, text=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=3000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--latency", type=float)
    parser.add_argument("--serve", choices=KINDS)
    parser.add_argument("--url")
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve, given.latency))
    elif given.url:
        client(given.url, given.n, given.concurrency)
    else:
        compare(given)


def compare(given):
    import urllib.request

    prompts = prompts_of(given.n)
    cases = [
        (kind, latency)
        for kind in ([given.only] if given.only else KINDS)
        for latency in ([given.latency] if given.latency is not None else LATENCIES)
    ]
    servers = [start("--serve", kind, "--latency", latency) for kind, latency in cases]
    urls = [server.stdout.readline().strip() for server in servers]
    clients = [start("--url", url, "--n", given.n, "--concurrency", given.concurrency) for url in urls]
    print("server    latency     ideal     taken   ratio (asked for)   requests  refused  too early  again   learned")
    failed = False
    for (kind, latency), url, each in zip(cases, urls, clients, strict=True):
        result = json.loads(each.communicate()[0])
        with urllib.request.urlopen(f"{url}/seen") as response:
            seen = json.load(response)
        least = ideal(kind, latency, prompts, given.concurrency)
        ratio = result["seconds"] / least
        failed |= ratio > ASKED_FOR[kind] or seen["too_early"] > 0 or seen["again"] > 0
        learned = result["learned"]
        print(
            f"{kind:<9} {latency:>6g} s {least:>7.1f} s {result['seconds']:>7.1f} s   "
            f"{ratio:>5.2f} ({ASKED_FOR[kind]:g})"
            f"          {seen['requests']:>8,} {seen['refused']:>8,} {seen['too_early']:>10} {seen['again']:>6}   "
            f"{learned['requests_per_minute']} a minute, told {learned['told'] or 'nothing'}",
            flush=True,
        )
    for server in servers:
        server.terminate()
        server.wait()
    sys.exit(failed)


if __name__ == "__main__":
    main()
