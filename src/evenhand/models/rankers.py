"""Models that rank texts: the cosine of two embeddings, and rerankers.

Embeddings come from `/v1/embeddings` of a server (`embedding:`) or from weights in this process (`st:`); a reranker is
`/v1/rerank` of a server (`rerank:`) as vLLM, Jina and Cohere have it. What a server sends is read by `index`, never by
its order, and an answer that leaves a text out ends the run: no score is of another text.
"""

import asyncio
import hashlib
import itertools
import math
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, Self

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.models.http import server_key
from evenhand.models.http_client import count, endpoint, mapping, string
from evenhand.models.http_errors import REPAIRS
from evenhand.models.limits import Backoff
from evenhand.models.model import (
    Answer,
    Failure,
    ReportedLimit,
    Request,
    RequestBatcher,
    answers_in_halves,
    copied_failure,
)
from evenhand.models.scorer_service import JsonService, sendable
from evenhand.models.scorers import pair_of, score_text
from evenhand.results.files import append_line
from evenhand.results.messages import quoted

Vector = NDArray[np.float32] | NDArray[np.float64]

#: Texts in one request: what servers of every kind take by default.
PER_REQUEST: Final = 32
#: Bytes of an answer that are read: 32 embeddings of 8,192 numbers as JSON are 6 MB.
_LARGEST_BODY: Final = 64_000_000
#: The file of a run with the embeddings that it has, until it is finished.
EMBEDDINGS_FILE: Final = "embeddings.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Embedded:
    """The embedding of a text, the model's name as it names itself, and what the text took of tokens and limits."""

    vector: Vector
    model: str | None = None
    tokens: int | None = None
    limits: tuple[ReportedLimit, ...] = ()


class Embedder(Protocol):
    """Embeds texts, several at once; an async context manager."""

    per_request: int
    #: A warning about a key that is sent unencrypted, None without one.
    unencrypted: str | None

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *error: object) -> None: ...

    async def embedded(self, texts: Sequence[str]) -> Sequence[Embedded | Failure]:
        """Return the embedding of each text, or raise `Failure`."""
        ...

    def remarks(self) -> Sequence[str]:
        """Return what a reader of the scores should know."""
        ...


class EmbeddingScorer:
    """Scores a pair by the cosine of its two embeddings; each distinct text is embedded once.

    At most `at_once` requests are under way. With `keep_in` embeddings outlive the process.
    """

    simulated = False

    def __init__(self, name: str, embedder: Embedder, *, at_once: int) -> None:
        self.name = name
        self.embedder = embedder
        self._batcher: RequestBatcher[str, Embedded] = RequestBatcher(
            lambda texts: answers_in_halves(embedder.embedded, texts), most=embedder.per_request, at_once=at_once
        )
        self._known: dict[str, Vector] = {}
        self._under_way: dict[str, asyncio.Task[Embedded]] = {}
        self._file: Path | None = None

    @property
    def per_request(self) -> int:
        """Return how many texts one request holds at most."""
        return self.embedder.per_request

    @property
    def unencrypted(self) -> str | None:
        """Return a warning about a key that is sent unencrypted, None without one."""
        return self.embedder.unencrypted

    def keep_in(self, folder: Path) -> None:
        """Keep embeddings in a file of a run, and take those that it holds already; a damaged line is left out."""
        self._file = folder / EMBEDDINGS_FILE
        if not self._file.exists():
            return
        content = self._file.read_bytes()
        for line in content.splitlines():
            try:
                kept = orjson.loads(line)
                self._known[kept["text"]] = np.frombuffer(b64decode(kept["vector"]), dtype=kept["type"])
            except (ValueError, KeyError, TypeError):
                continue
        if content and not content.endswith(b"\n"):
            append_line(self._file, b"\n")

    def forget(self) -> None:
        """Remove the file of embeddings, which a finished run has no use for."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    async def __aenter__(self) -> Self:
        await self.embedder.__aenter__()
        await self._batcher.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._batcher.__aexit__(*error)
        await self.embedder.__aexit__(*error)

    async def answer(self, request: Request) -> Answer:
        """Return the cosine of a pair as text; the tokens are those of texts that are embedded for it.

        Raises
        ------
        Failure
            A text was not embedded; `kind` says whether to ask again.
        """
        pair = pair_of(request)
        resume, position = await asyncio.gather(self._embedding(pair.resume), self._embedding(pair.position))
        new = [embedded for _, embedded in (resume, position) if embedded is not None]
        tokens = [embedded.tokens for embedded in new]
        return Answer(
            text=score_text(cosine(resume[0], position[0])),
            returned_model=next((embedded.model for embedded in new), None),
            input_tokens=None if None in tokens else sum(known for known in tokens if known is not None),
            output_tokens=0,
            limits=new[-1].limits if new else (),
        )

    async def vectors(self, texts: Sequence[str], *, backoff: Backoff, tries: int = 6) -> list[Vector | None]:
        """Return the embedding of each text, retried after transient failures; None where the server refuses it.

        Raises
        ------
        Failure
            The server does not serve, or not any more.
        """
        rng = np.random.default_rng()

        async def vector(text: str) -> Vector | None:
            for failures in itertools.count(1):
                try:
                    return (await self._embedding(text))[0]
                except Failure as failure:
                    if failure.kind == "final":
                        return None
                    if failure.kind == "fatal" or failures == tries:
                        raise
                    await asyncio.sleep(backoff.delay(failures, named=failure.retry_after, rng=rng))
            raise AssertionError

        async with self:
            return await asyncio.gather(*map(vector, texts))

    async def _embedding(self, text: str) -> tuple[Vector, Embedded | None]:
        """Return the vector of a text, and what it took if it is embedded for this request."""
        text = sendable(text)
        key = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        if key in self._known:
            return self._known[key], None
        task = self._under_way.get(key)
        is_first = task is None
        if task is None:
            task = self._under_way[key] = asyncio.ensure_future(self._embedded(key, text))
        try:
            embedded = await asyncio.shield(task)
        except Failure as failure:
            raise copied_failure(failure) from None
        return embedded.vector, embedded if is_first else None

    async def _embedded(self, key: str, text: str) -> Embedded:
        try:
            embedded = await self._batcher.answer(text)
            vector = embedded.vector
            known = next(iter(self._known.values()), vector)
            if known.size != vector.size:
                sizes = f"{known.size} and of {vector.size} numbers"
                raise Failure("fatal", "wrong_length", f"{self.name} gave embeddings of {sizes}; they share no space.")
            self._known[key] = vector
            if self._file is not None:
                line = {"text": key, "type": vector.dtype.str, "vector": b64encode(vector.tobytes()).decode()}
                with suppress(OSError):  # without it a text is embedded once more; the journal tells of a full disk
                    append_line(self._file, orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE), sync=False)
            return embedded
        finally:
            del self._under_way[key]


def cosine(first: Vector, second: Vector) -> float:
    """Return the cosine of two vectors, neither of them zero.

    >>> cosine(np.array([3.0, 4.0]), np.array([1.0, 0.0]))
    0.6
    """
    one, other = first.astype(np.float64), second.astype(np.float64)
    return float(np.clip(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)), -1.0, 1.0))


def checked_vector(values: object, *, where: str) -> Vector:
    """Return an embedding, in single precision where that holds all of it.

    Raises
    ------
    Failure
        It is no list of numbers, one of them is not finite, or all are zero.
    """
    try:
        vector = np.array(values, dtype=np.float64) if isinstance(values, list) else np.zeros(0)
    except (TypeError, ValueError):
        vector = np.zeros(0)
    if vector.ndim != 1 or not vector.size or any(isinstance(value, bool | str) for value in values[:1]):  # type: ignore[index]
        raise Failure("fatal", "malformed", f"{where} sent an embedding that is not a list of numbers.")
    if not np.isfinite(vector).all():
        raise Failure("fatal", "malformed", f"{where} sent an embedding with a number that is not finite.")
    if not vector.any():
        raise Failure("fatal", "malformed", f"{where} sent an embedding of zeros only, which has no direction.")
    with np.errstate(over="ignore"):
        single = vector.astype(np.float32)
    return single if np.array_equal(single, vector) else vector


def by_index(document: Any, at: str, n: int, *, what: str, where: str) -> list[Mapping[str, Any]]:
    """Return the n results of an answer in the order of what was sent, by their `index`.

    Raises
    ------
    Failure
        There is no such list, a result is lacking or too many, or indices are not those of what was sent.

    >>> sent = {"data": [{"index": 1, "x": "b"}, {"index": 0, "x": "a"}]}
    >>> [row["x"] for row in by_index(sent, "data", 2, what="embeddings", where="127.0.0.1")]
    ['a', 'b']
    """
    rows = mapping(document).get(at)
    if not isinstance(rows, list):
        raise Failure("fatal", "malformed", f"{where} answered without a list {quoted(at)}. Check --base-url.")
    if len(rows) != n:
        raise Failure("fatal", "wrong_length", f"{where} sent {len(rows)} {what} for {n} texts; expected one for each.")
    placed = {row["index"]: row for row in map(mapping, rows) if type(row.get("index")) is int}
    if set(placed) != set(range(n)):
        expected = f"expected each of 0 to {n - 1} once"
        raise Failure("fatal", "malformed", f"{where} sent {what} whose 'index' is missing or wrong; {expected}.")
    return [placed[place] for place in range(n)]


def shared_tokens(document: Any, n: int) -> list[int | None]:
    """Return the tokens that an answer counts, shared out among its n texts; None where it counts none.

    >>> shared_tokens({"usage": {"prompt_tokens": 5}}, 2), shared_tokens({}, 1)
    ([3, 2], [None])
    """
    usage = mapping(mapping(document).get("usage"))
    total = next((known for name in ("prompt_tokens", "total_tokens") if (known := count(usage.get(name)))), None)
    if total is None:
        return [None] * n
    return [total // n + (place < total % n) for place in range(n)]


class _Server:
    """A server of one of these models; an async context manager."""

    per_request = PER_REQUEST

    def __init__(self, model: str, service: JsonService) -> None:
        self._model = model
        self._service = service
        self.unencrypted = service.unencrypted

    async def __aenter__(self) -> Self:
        await self._service.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._service.__aexit__(*error)

    async def _posted(self, body: Mapping[str, Any]) -> tuple[Any, tuple[ReportedLimit, ...]]:
        """Return what the server answers, and the limits that it reports; no failure names the key."""
        try:
            document, _, limits = await self._service.posted(orjson.dumps({"model": self._model, **body}))
        except Failure as failure:
            failure.args = (self._service.without_key(str(failure)),)
            raise
        return document, limits


class HttpEmbedder(_Server):
    """Embeds texts by `/v1/embeddings` of a server."""

    async def embedded(self, texts: Sequence[str]) -> list[Embedded | Failure]:
        """Return the embedding of each text; see `Embedder`."""
        document, limits = await self._posted({"input": list(texts)})
        rows = by_index(document, "data", len(texts), what="embeddings", where=self._service.where)
        model = self._service.without_long_key(string(mapping(document).get("model")))
        return [
            Embedded(
                vector=checked_vector(row.get("embedding"), where=self._service.where),
                model=model,
                tokens=tokens,
                limits=limits,
            )
            for row, tokens in zip(rows, shared_tokens(document, len(texts)), strict=True)
        ]

    def remarks(self) -> Sequence[str]:
        """Return nothing: a server does not say what it read of a text."""
        return ()


class RerankScorer(_Server):
    """Scores the résumés that wait for one position together, by `/v1/rerank` of a server."""

    simulated = False

    def __init__(self, name: str, service: JsonService, *, at_once: int) -> None:
        super().__init__(name.partition(":")[2], service)
        self.name = name
        self._batcher: RequestBatcher[Request, Answer] = RequestBatcher(
            lambda requests: answers_in_halves(self._scored, requests),
            most=self.per_request,
            at_once=at_once,
            key=lambda request: pair_of(request).position,
        )

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        await self._batcher.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._batcher.__aexit__(*error)
        await super().__aexit__(*error)

    async def answer(self, request: Request) -> Answer:
        """Return the relevance of a résumé to its position as text.

        Raises
        ------
        Failure
            No score came; `kind` says whether to ask again.
        """
        return await self._batcher.answer(request)

    async def _scored(self, requests: Sequence[Request]) -> list[Answer | Failure]:
        pairs = [pair_of(request) for request in requests]
        documents = [sendable(pair.resume) for pair in pairs]
        # Without top_n some servers send a few of the best only.
        body = {"query": sendable(pairs[0].position), "documents": documents, "top_n": len(documents)}
        document, limits = await self._posted(body)
        rows = by_index(document, "results", len(pairs), what="results", where=self._service.where)
        scores = [row.get("relevance_score") for row in rows]
        if not all(isinstance(score, int | float) and math.isfinite(score) for score in scores):
            raise Failure("fatal", "malformed", f"{self._service.where} sent a relevance_score that is not a number.")
        model = self._service.without_long_key(string(mapping(document).get("model")))
        return [
            Answer(text=score_text(score), returned_model=model, input_tokens=tokens, output_tokens=0, limits=limits)
            for score, tokens in zip(scores, shared_tokens(document, len(pairs)), strict=True)
        ]


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """Where a kind of model is served, and the variable of its key."""

    path: str
    key_variable: str
    base_url: str | None = None


SERVERS: Final = {
    "embedding": _Kind(path="/embeddings", key_variable="OPENAI_API_KEY", base_url="https://api.openai.com/v1"),
    "rerank": _Kind(path="/rerank", key_variable="RERANK_API_KEY"),
}
#: Kinds of scorers that embed texts.
EMBEDDED: Final = frozenset({"embedding", "st"})
#: Kinds of scorers that a server has, at --base-url.
SERVED: Final = frozenset(SERVERS)


def open_served(
    spec: str,
    *,
    base_urls: Sequence[str],
    environ: Mapping[str, str],
    timeout: float,
    concurrency: int,
    option: str = "--scorer",
) -> EmbeddingScorer | RerankScorer:
    """Return the scorer `embedding:NAME` or `rerank:NAME` that an option names, its key taken from `environ`.

    Raises
    ------
    InputError
        There is no address, more than one, or none that can be used; or there is no key.
    """
    scheme, _, model = spec.partition(":")
    kind = SERVERS[scheme]
    addresses = base_urls or (() if kind.base_url is None else (kind.base_url,))
    if len(addresses) != 1:
        problem = "names no server" if not addresses else f"has {len(addresses)} servers"
        raise InputError(
            f"{option} {quoted(spec)} {problem}; expected one --base-url, such as http://127.0.0.1:8000/v1."
        )
    url = endpoint(addresses[0], kind.path, key_variable=kind.key_variable)
    key = server_key(spec, addresses=addresses, variable=kind.key_variable, environ=environ)
    if key and (key in spec or key in str(url)):
        raise InputError(f"The key in {kind.key_variable} is also in {option} or --base-url, which are kept on disk.")
    service = JsonService(
        url,
        repairs=REPAIRS,
        key_variable=kind.key_variable,
        headers={"Authorization": f"Bearer {key}"} if key else {},
        keys=(key,) if key else (),
        timeout=timeout,
        limit=concurrency,
        largest=_LARGEST_BODY,
    )
    if scheme == "embedding":
        return EmbeddingScorer(spec, HttpEmbedder(model, service), at_once=concurrency)
    return RerankScorer(spec, service, at_once=concurrency)
