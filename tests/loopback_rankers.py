"""A server on this machine that embeds and reranks texts, in no order, and misbehaves as told.

    POST /v1/embeddings   {"model", "input": […]} → {"data": [{"index", "embedding"}, …], "usage": {…}}
    POST /v1/rerank       {"model", "query", "documents", "top_n"} → {"results": [{"index", "relevance_score"}, …]}

`cosine_of(resume, position)` says what is answered: an embedding of a position is an axis of its own, that of a résumé
has that coordinate on each. Faults are those of `faulty`; a number is a status, and `word:WORD` refuses that word.
"""

import math

from aiohttp import web

from loopback import _error


class Ranker:
    """The server; an async context manager whose `url` ends in /v1."""

    def __init__(self, cosine_of, positions, *, faults=(), then="ok"):
        self.cosine_of, self.positions = cosine_of, list(positions)
        self.faults, self.then = list(faults), then
        self.texts, self.sizes, self.bodies, self.headers = [], [], [], []
        self.url = None
        self._runner = None

    async def __aenter__(self):
        app = web.Application(client_max_size=1 << 26)
        app.router.add_post("/v1/embeddings", self._embed)
        app.router.add_post("/v1/rerank", self._rerank)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *error):
        await self._runner.cleanup()

    def vector(self, text):
        """Return the embedding of a text: of length 2, which changes no cosine."""
        if text in self.positions:
            return [2.0 * (text == position) for position in self.positions] + [0.0]
        shares = [self.cosine_of(text, position) for position in self.positions]
        return [2 * share for share in shares] + [2 * math.sqrt(1 - sum(share**2 for share in shares))]

    async def _embed(self, request):
        body, fault = await self._begun(request)
        if isinstance(fault, web.Response):
            return fault
        rows = [{"index": place, "embedding": self.vector(text)} for place, text in enumerate(body["input"])]
        self.texts += body["input"]
        usage = {"prompt_tokens": 10 * len(rows), "total_tokens": 10 * len(rows)}
        return web.json_response({"model": "stub-1", "data": faulty(rows[::-1], fault, "embedding"), "usage": usage})

    async def _rerank(self, request):
        body, fault = await self._begun(request)
        if isinstance(fault, web.Response):
            return fault
        self.texts += body["documents"]
        rows = [
            {"index": place, "relevance_score": self.cosine_of(text, body["query"])}
            for place, text in enumerate(body["documents"])
        ]
        rows.sort(key=lambda row: -row["relevance_score"])
        rows = faulty(rows[: body.get("top_n", 3)], fault, "relevance_score")
        return web.json_response({"id": "r", "results": rows, "meta": {"billed_units": {"search_units": 1}}})

    async def _begun(self, request):
        body = await request.json()
        fault = self.faults[len(self.sizes)] if len(self.sizes) < len(self.faults) else self.then
        self.bodies.append(body)
        self.headers.append(request.headers)
        texts = body.get("input") or body["documents"]
        self.sizes.append(len(texts))
        if fault.isdigit():
            return body, _error(int(fault), "The service had an error.", "x", None)
        if fault.startswith("word:") and any(fault[5:] in text for text in texts):
            return body, _error(400, "This text is too long.", "x", None)
        return body, fault


def faulty(rows, fault, value):
    """Return results as a fault has them."""
    first, *rest = rows
    damaged = {
        "short": rest,
        "long": [*rows, first],
        "twice": [first | {"index": rest[0]["index"] if rest else 7}, *rest],
        "unnumbered": [{value: row[value]} for row in rows],
        "zero": [first | {value: [0.0] * 3}, *rest],
        "nan": [first | {value: [1.0, float("nan"), 1.0] if value == "embedding" else float("nan")}, *rest],
        "text": [first | {value: "AAAA"}, *rest],
        "wider": [first | {value: [1.0] * 9}, *rest],
    }
    return damaged.get(fault, rows)
