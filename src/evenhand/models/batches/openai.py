"""OpenAI's Batch API: a file of requests, a batch of it, files of results.

Limits are those of the API reference of 2025: 50,000 requests and 200 MB.
"""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
import orjson

from evenhand.models.batches.batch import BatchState, Found, Sought
from evenhand.models.batches.calls import BatchHTTP
from evenhand.models.batches.service import BatchAPI, BatchService, Reply, batch_id_in
from evenhand.models.http.bodies import count, mapping, string
from evenhand.models.model import Failure

__all__ = ["OPENAI"]

_ENDPOINT = "/v1/chat/completions"
#: The name of our token among a batch's metadata.
_METADATA = "evenhand_batch"
_ENDED = frozenset({"completed", "expired", "cancelled"})
_LEFTOVER = {"expired": "expired", "cancelled": "cancelled"}
_ITEM_ERRORS = {"batch_expired": "expired", "batch_cancelled": "cancelled", "request_timeout": "timeout"}


def _line(custom_id: str, body: dict[str, Any]) -> bytes:
    content = {"custom_id": custom_id, "method": "POST", "url": _ENDPOINT, "body": body}
    return orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE)


async def _prepare(http: BatchHTTP, lines: Sequence[bytes]) -> str:
    """Upload the input file and return its id."""
    form = aiohttp.FormData()
    form.add_field("purpose", "batch")
    form.add_field("file", io.BytesIO(b"".join(lines)), filename="evenhand.jsonl", content_type="application/jsonl")
    return batch_id_in(await http.call("POST", http.at("files"), data=form), http.where)


def _order(prepared: Any, token: str) -> bytes:
    content = {
        "input_file_id": prepared,
        "endpoint": _ENDPOINT,
        "completion_window": "24h",
        "metadata": {_METADATA: token},
    }
    return orjson.dumps(content)


async def _find(service: BatchService, sought: Sought) -> Found:
    """Return the batches whose metadata hold the token; the order of the list is not documented."""
    states = [
        service.state(batch)
        async for batch in service.listed()
        if mapping(batch.get("metadata")).get(_METADATA) == sought.token
    ]
    return Found(states=tuple(state for state in states if not state.failed))


def _state(http: BatchHTTP, batch: dict[str, Any]) -> BatchState:
    status = string(batch.get("status")) or "unknown"
    counts = mapping(batch.get("request_counts"))
    files = [batch[name] for name in ("output_file_id", "error_file_id") if string(batch.get(name))]
    message, codes = _errors(batch)
    failed = status == "failed"
    return BatchState(
        id=batch_id_in(batch, http.where),
        status=status,
        ended=status in _ENDED,
        waiting=status == "validating",
        failed=failed,
        full=failed and "token_limit_exceeded" in codes,
        done=(count(counts.get("completed")) or 0) + (count(counts.get("failed")) or 0),
        leftover=_LEFTOVER.get(status, "empty"),
        message=f"{http.where} refused the batch {batch.get('id')}: {message or 'no reason given'}" if failed else "",
        results=tuple(str(http.at(f"files/{file}/content")) for file in files),
    )


def _errors(batch: Mapping[str, Any]) -> tuple[str, set[str]]:
    """Return the first message of a refused batch, and the codes of all."""
    data = mapping(batch.get("errors")).get("data")
    listed = [error for error in data if isinstance(error, dict)] if isinstance(data, list) else []
    messages = [error["message"] for error in listed if isinstance(error.get("message"), str)]
    codes = {error["code"] for error in listed if isinstance(error.get("code"), str)}
    return " ".join(messages[0].split())[:240] if messages else "", codes


def _reply(content: Mapping[str, Any]) -> Reply | Failure:
    """Return a result: a request that the model refused has a status, one that never ran has an error only."""
    response = mapping(content.get("response"))
    status = response.get("status_code")
    if isinstance(status, int) and status:
        return Reply(status=status, data=response.get("body"))
    error = mapping(content.get("error"))
    error_class = _ITEM_ERRORS.get(string(error.get("code")) or "", "server_error")
    return Failure("retry", error_class, string(error.get("message")) or error_class)


OPENAI = BatchAPI(
    path="batches",
    page=100,
    cursor="after",
    most_requests=50_000,
    most_bytes=200_000_000,
    line=_line,
    prepare=_prepare,
    order=_order,
    state=_state,
    reply=_reply,
    find=_find,
)
