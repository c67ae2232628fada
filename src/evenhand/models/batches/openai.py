"""OpenAI's Batch API: a file of requests, a batch of it, files of results."""

import io
import json
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

import aiohttp
import orjson

from evenhand.models.batches.batch import BatchAccess, BatchItem, BatchState, Found
from evenhand.models.batches.calls import LARGEST_LINE, BatchHTTP
from evenhand.models.dialects.chat_reading import read_answer
from evenhand.models.http.bodies import count, loads, string
from evenhand.models.http.error_reading import read_failure
from evenhand.models.http.model import KEPT_ENDINGS
from evenhand.models.http.salvage import salvaged
from evenhand.models.model import Failure, Request

__all__ = ["OpenAIBatches", "batch_id_in", "cut_item", "dumps"]

_ENDPOINT = "/v1/chat/completions"
#: The name of our token among a batch's metadata.
_METADATA = "evenhand_batch"
_ENDED = frozenset({"completed", "expired", "cancelled"})
_LEFTOVER = {"expired": "expired", "cancelled": "cancelled"}
_ITEM_ERRORS = {"batch_expired": "expired", "batch_cancelled": "cancelled", "request_timeout": "timeout"}
_PAGE = 100
_MOST_PAGES = 1_000


class OpenAIBatches:
    """The batches of an account; use it as an async context manager.

    Limits are those of the API reference of 2025: 50,000 requests and 200 MB.
    """

    most_requests = 50_000
    most_bytes = 200_000_000

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
        """Return one line of the input file."""
        content = {"custom_id": custom_id, "method": "POST", "url": _ENDPOINT, "body": self.access.body(request)}
        return orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE)

    async def prepare(self, lines: Sequence[bytes]) -> str:
        """Upload the input file and return its id."""
        form = aiohttp.FormData()
        form.add_field("purpose", "batch")
        form.add_field("file", io.BytesIO(b"".join(lines)), filename="evenhand.jsonl", content_type="application/jsonl")
        return batch_id_in(await self._http.call("POST", self._http.at("files"), data=form), self.where)

    async def create(self, prepared: Any, *, token: str) -> BatchState:
        """Create a batch of an uploaded file, marked with `token`."""
        content = {
            "input_file_id": prepared,
            "endpoint": _ENDPOINT,
            "completion_window": "24h",
            "metadata": {_METADATA: token},
        }
        return self._state(await self._http.call("POST", self._http.at("batches"), json=orjson.dumps(content)))

    async def find(self, token: str, *, requests: int, since: datetime, known: Collection[str]) -> Found:  # noqa: ARG002 - the protocol's
        """Return the batches whose metadata hold `token`."""
        found = []
        query: dict[str, str | int] = {"limit": _PAGE}
        # The order of the list is not documented, so all of it is read.
        for _ in range(_MOST_PAGES):
            page = await self._http.call("GET", self._http.at("batches", **query))
            listed = page.get("data")
            if not isinstance(listed, list):
                raise Failure("fatal", "malformed", f"{self.where} sent no list of batches.")
            for batch in listed:
                metadata = batch.get("metadata") if isinstance(batch, dict) else None
                if isinstance(metadata, dict) and metadata.get(_METADATA) == token:
                    found.append(self._state(batch))
            last = page.get("last_id") or (listed[-1].get("id") if listed and isinstance(listed[-1], dict) else None)
            if not page.get("has_more") or not isinstance(last, str):
                return Found(states=tuple(state for state in found if not state.failed))
            query["after"] = last
        raise Failure("fatal", "malformed", f"{self.where} lists more than {_PAGE * _MOST_PAGES:,} batches.")

    async def look(self, batch_id: str) -> BatchState:
        """Return how far a batch is."""
        state = self._state(await self._http.call("GET", self._http.at(f"batches/{batch_id}")))
        if state.status == "completed" and not state.results:
            # The files of a batch may come a moment after its status.
            raise Failure("retry", "malformed", f"{self.where} names no file for the completed batch {batch_id}.")
        return state

    async def results(self, state: BatchState) -> AsyncIterator[BatchItem]:
        """Yield what is in the files of answers and of errors."""
        for file in state.results:
            async for line, whole in self._http.lines(self._http.at(f"files/{file}/content")):
                item = self._item(line) if whole else cut_item(line, self._item, where=self.where)
                if item is not None:
                    yield item

    async def cancel(self, batch_id: str) -> None:
        """Cancel a batch."""
        await self._http.call("POST", self._http.at(f"batches/{batch_id}/cancel"))

    def _state(self, batch: dict[str, Any]) -> BatchState:
        status = string(batch.get("status")) or "unknown"
        counts = batch.get("request_counts")
        counts = counts if isinstance(counts, dict) else {}
        done = (count(counts.get("completed")) or 0) + (count(counts.get("failed")) or 0)
        files = tuple(batch[name] for name in ("output_file_id", "error_file_id") if string(batch.get(name)))
        message, codes = _errors(batch)
        return BatchState(
            id=batch_id_in(batch, self.where),
            status=status,
            ended=status in _ENDED,
            waiting=status == "validating",
            failed=status == "failed",
            full=status == "failed" and "token_limit_exceeded" in codes,
            done=done,
            leftover=_LEFTOVER.get(status, "empty"),
            message=f"{self.where} refused the batch {batch.get('id')}: {message or 'no reason given'}"
            if status == "failed"
            else "",
            results=files,
        )

    def _item(self, line: bytes) -> BatchItem | None:
        """Return one line of a file of results; None where it can't be told whose it is."""
        content = loads(line)
        if not isinstance(content, dict) or not isinstance(content.get("custom_id"), str):
            return None
        custom_id = content["custom_id"]
        response = content.get("response")
        error = content.get("error")
        # A request that the model refused has a response with its status; one that never ran has an error only.
        if isinstance(response, dict) and isinstance(response.get("status_code"), int) and response["status_code"]:
            body = dumps(response.get("body"))
            status = response["status_code"]
            try:
                if 200 <= status < 300:
                    return BatchItem(custom_id=custom_id, answer=read_answer(body, where=self.where))
                raise read_failure(status, {}, body, where=self.where, key_variable=self.access.key_variable)
            except Failure as failure:
                return BatchItem(custom_id=custom_id, failure=failure, said=body)
        code = error.get("code") if isinstance(error, dict) else None
        error_class = _ITEM_ERRORS.get(code, "server_error") if isinstance(code, str) else "server_error"
        said = string(error.get("message")) if isinstance(error, dict) else None
        return BatchItem(custom_id=custom_id, failure=Failure("retry", error_class, said or error_class))


def dumps(value: Any) -> bytes:
    """Return JSON; half an emoji, which orjson refuses, is kept as the escape that it came as."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value).encode()


def batch_id_in(content: dict[str, Any], where: str) -> str:
    """Return the provider's id in what it sent, fit to stand in an address."""
    value = content.get("id")
    if not isinstance(value, str) or not value or not value.replace("-", "").replace("_", "").isalnum():
        raise Failure("retry", "malformed", f"{where} sent no id.")
    return value


def _errors(batch: dict[str, Any]) -> tuple[str, set[str]]:
    """Return the first message of a refused batch, and the codes of all."""
    errors = batch.get("errors")
    data = errors.get("data") if isinstance(errors, dict) else None
    listed = [error for error in data if isinstance(error, dict)] if isinstance(data, list) else []
    messages = [error["message"] for error in listed if isinstance(error.get("message"), str)]
    codes = {error["code"] for error in listed if isinstance(error.get("code"), str)}
    return " ".join(messages[0].split())[:240] if messages else "", codes


def cut_item(line: bytes, read: Callable[[bytes], BatchItem | None], *, where: str) -> BatchItem | None:
    """Return what the beginning of a result holds that is too long: its text, marked as cut.

    None where it can't be told whose it is.
    """
    for body in salvaged(line):
        item = read(body)
        if item is not None and item.answer is not None and item.answer.text:
            kept = item.answer.finish_reason in KEPT_ENDINGS
            return item if kept else replace(item, answer=replace(item.answer, finish_reason="incomplete"))
    _, found, rest = line[:1_000].partition(b'"custom_id"')
    parts = rest.split(b'"', 2)
    if not found or len(parts) < 3:
        return None
    failure = Failure("final", "too_large", f"{where} sent an answer of more than {LARGEST_LINE:,} bytes.")
    return BatchItem(custom_id=parts[1].decode("ascii", "replace"), failure=failure)
