"""Anthropic's Message Batches API: the requests in one call, the results in one file.

Limits are those of the guide of 2025: 100,000 requests and 256 MB. There is no place for
a token of ours but the custom ids, and those are seen when a batch has ended.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from evenhand.models.batches.batch import BatchState, Found, Sought
from evenhand.models.batches.calls import BatchHTTP
from evenhand.models.batches.service import BatchAPI, BatchService, Reply, batch_id_in
from evenhand.models.http.bodies import count, mapping, string
from evenhand.models.model import Failure

__all__ = ["ANTHROPIC"]

_PATH = "messages/batches"
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


async def _prepare(_http: BatchHTTP, lines: Sequence[bytes]) -> bytes:
    """Return the body that creates the batch; nothing is sent yet."""
    return b'{"requests":[' + b",".join(lines) + b"]}"


async def _find(service: BatchService, sought: Sought) -> Found:
    """Return the batches whose custom ids hold the token, among those of as many requests.

    Those that have not ended yet are undecided.
    """
    states: list[BatchState] = []
    undecided = 0
    async for batch in service.listed():
        if batch.get("id") in sought.known:
            continue
        # The newest come first.
        if _created(batch) < sought.since - _SLACK:
            break
        if _requests(batch) != sought.requests:
            continue
        state = service.state(batch)
        if not state.ended:
            undecided += 1
        elif await _holds(service, state, sought.token):
            states.append(state)
    return Found(states=tuple(states), undecided=undecided)


async def _holds(service: BatchService, state: BatchState, token: str) -> bool:
    """Return whether the first result is one of a batch with `token`."""
    async for item in service.results(state):
        return item.custom_id.endswith(f"-{token}")
    raise Failure("fatal", "malformed", f"{service.where} has no results of the batch {state.id} any more.")


def _state(http: BatchHTTP, batch: dict[str, Any]) -> BatchState:
    batch_id = batch_id_in(batch, http.where)
    status = string(batch.get("processing_status")) or "unknown"
    ended = status == "ended"
    address = batch.get("results_url")
    # The key goes to the server that the user named; a proxy's own address may differ from the one it passes on.
    if not isinstance(address, str) or not http.same_server(address):
        address = str(http.at(f"{_PATH}/{batch_id}/results"))
    return BatchState(
        id=batch_id,
        status=status,
        ended=ended,
        done=_requests(batch, processing=False),
        results=(address,) if ended else (),
    )


def _reply(content: Mapping[str, Any]) -> Reply | Failure:
    result = mapping(content.get("result"))
    kind = string(result.get("type")) or ""
    if kind == "succeeded":
        return Reply(status=200, data=result.get("message"))
    if kind == "errored":
        error = mapping(result.get("error"))
        return Reply(status=_STATUS.get(string(mapping(error.get("error")).get("type")) or "", 500), data=error)
    error_class = {"canceled": "cancelled", "expired": "expired"}.get(kind, "server_error")
    return Failure("retry", error_class, error_class)


def _created(batch: Mapping[str, Any]) -> datetime:
    """Return when a batch was created; one without a time may be the one looked for."""
    try:
        moment = datetime.fromisoformat(batch["created_at"])
    except (KeyError, TypeError, ValueError):
        return datetime.max.replace(tzinfo=UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _requests(batch: Mapping[str, Any], *, processing: bool = True) -> int:
    """Return how many requests a batch has, or how many of them are settled."""
    counts = mapping(batch.get("request_counts"))
    return sum(count(value) or 0 for name, value in counts.items() if processing or name != "processing")


ANTHROPIC = BatchAPI(
    path=_PATH,
    page=1_000,
    cursor="after_id",
    most_requests=100_000,
    most_bytes=256_000_000,
    line=lambda custom_id, body: orjson.dumps({"custom_id": custom_id, "params": body}),
    prepare=_prepare,
    order=lambda prepared, _token: prepared,
    state=_state,
    reply=_reply,
    find=_find,
)
