"""Anthropic's Message Batches API: the requests in one call, the results in one file."""

from collections.abc import AsyncIterator, Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Self

import orjson
from yarl import URL

from evenhand.models.batches.batch import BatchAccess, BatchItem, BatchState, Found
from evenhand.models.batches.calls import BatchHTTP
from evenhand.models.batches.openai import batch_id_in, cut_item, dumps
from evenhand.models.dialects.messages_reading import read_message
from evenhand.models.http.bodies import count, loads, string
from evenhand.models.http.error_reading import read_failure
from evenhand.models.model import Failure, Request

__all__ = ["AnthropicBatches"]

_PAGE = 1_000
_MOST_PAGES = 100
# Clocks differ; an older batch can't be the one that is looked for.
_SLACK = timedelta(minutes=10)

# The statuses that single calls answer with for the types of error that stand in results.
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class AnthropicBatches:
    """The batches of a workspace; use it as an async context manager.

    Limits are those of the guide of 2025: 100,000 requests and 256 MB. There is no place
    for a token of ours but the custom ids, and those are seen when a batch has ended.
    """

    most_requests = 100_000
    most_bytes = 256_000_000

    def __init__(self, access: BatchAccess) -> None:
        self.access = access
        self._http = BatchHTTP(access)
        self.where = self._http.where

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.__aexit__(*error)

    def line(self, custom_id: str, request: Request) -> bytes:
        """Return one of the requests."""
        return orjson.dumps({"custom_id": custom_id, "params": self.access.body(request)})

    async def prepare(self, lines: Sequence[bytes]) -> bytes:
        """Return the body that creates the batch; nothing is sent yet."""
        return b'{"requests":[' + b",".join(lines) + b"]}"

    async def create(self, prepared: Any, *, token: str) -> BatchState:  # noqa: ARG002 - the token is in the custom ids
        """Create a batch."""
        return self._state(await self._http.call("POST", self._http.at("messages/batches"), json=prepared))

    async def find(self, token: str, *, requests: int, since: datetime, known: Collection[str]) -> Found:
        """Return the batches whose custom ids hold `token`, among those of as many requests.

        Those that have not ended yet are undecided.
        """
        found: list[BatchState] = []
        undecided = 0
        query: dict[str, str | int] = {"limit": _PAGE}
        for _ in range(_MOST_PAGES):
            page = await self._http.call("GET", self._http.at("messages/batches", **query))
            listed = page.get("data")
            if not isinstance(listed, list):
                raise Failure("fatal", "malformed", f"{self.where} sent no list of batches.")
            for batch in listed:
                if not isinstance(batch, dict) or batch.get("id") in known:
                    continue
                # The newest come first.
                if _created(batch) < since - _SLACK:
                    return Found(states=tuple(found), undecided=undecided)
                if _requests(batch) != requests:
                    continue
                state = self._state(batch)
                if not state.ended:
                    undecided += 1
                elif await self._holds(state, token):
                    found.append(state)
            last = page.get("last_id")
            if not page.get("has_more") or not isinstance(last, str):
                return Found(states=tuple(found), undecided=undecided)
            query["after_id"] = last
        raise Failure("fatal", "malformed", f"{self.where} lists more than {_PAGE * _MOST_PAGES:,} batches.")

    async def look(self, batch_id: str) -> BatchState:
        """Return how far a batch is."""
        return self._state(await self._http.call("GET", self._http.at(f"messages/batches/{batch_id}")))

    async def results(self, state: BatchState) -> AsyncIterator[BatchItem]:
        """Yield the lines of the file of results."""
        for address in state.results:
            async for line, whole in self._http.lines(URL(address)):
                item = self._item(line) if whole else cut_item(line, self._item, where=self.where)
                if item is not None:
                    yield item

    async def cancel(self, batch_id: str) -> None:
        """Cancel a batch."""
        await self._http.call("POST", self._http.at(f"messages/batches/{batch_id}/cancel"))

    async def _holds(self, state: BatchState, token: str) -> bool:
        """Return whether the first result is one of a batch with `token`."""
        async for item in self.results(state):
            return item.custom_id.endswith(f"-{token}")
        raise Failure("fatal", "malformed", f"{self.where} has no results of the batch {state.id} any more.")

    def _state(self, batch: dict[str, Any]) -> BatchState:
        batch_id = batch_id_in(batch, self.where)
        status = string(batch.get("processing_status")) or "unknown"
        ended = status == "ended"
        address = batch.get("results_url")
        # The key goes to the server that the user named; a proxy's own address may differ from the one it passes on.
        if not isinstance(address, str) or not self._http.same_server(address):
            address = str(self._http.at(f"messages/batches/{batch_id}/results"))
        return BatchState(
            id=batch_id,
            status=status,
            ended=ended,
            done=_requests(batch, processing=False),
            results=(address,) if ended else (),
        )

    def _item(self, line: bytes) -> BatchItem | None:
        """Return one line of the file of results; None where it can't be told whose it is."""
        content = loads(line)
        if not isinstance(content, dict) or not isinstance(content.get("custom_id"), str):
            return None
        custom_id = content["custom_id"]
        result = content.get("result")
        kind = result.get("type") if isinstance(result, dict) else None
        if isinstance(result, dict) and kind == "succeeded":
            try:
                body = dumps(result.get("message"))
                return BatchItem(custom_id=custom_id, answer=read_message(body, where=self.where))
            except Failure as failure:
                return BatchItem(custom_id=custom_id, failure=failure)
        if isinstance(result, dict) and kind == "errored":
            error = result.get("error")
            return BatchItem(custom_id=custom_id, failure=self._errored(error), said=dumps(error))
        error_class = {"canceled": "cancelled", "expired": "expired"}.get(str(kind), "server_error")
        return BatchItem(custom_id=custom_id, failure=Failure("retry", error_class, error_class))

    def _errored(self, error: Any) -> Failure:
        inner = error.get("error") if isinstance(error, dict) else None
        kind = inner.get("type") if isinstance(inner, dict) else None
        status = _STATUS.get(kind, 500) if isinstance(kind, str) else 500
        return read_failure(status, {}, dumps(error), where=self.where, key_variable=self.access.key_variable)


def _created(batch: dict[str, Any]) -> datetime:
    """Return when a batch was created; one without a time may be the one looked for."""
    try:
        moment = datetime.fromisoformat(batch["created_at"])
    except (KeyError, TypeError, ValueError):
        return datetime.max.replace(tzinfo=UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _requests(batch: dict[str, Any], *, processing: bool = True) -> int:
    """Return how many requests a batch has, or how many of them are settled."""
    counts = batch.get("request_counts")
    if not isinstance(counts, dict):
        return 0
    return sum(count(value) or 0 for name, value in counts.items() if processing or name != "processing")
