"""A provider that takes many prompts at once and answers within a day."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from yarl import URL

from evenhand.models.batches.batch import BatchAccess, BatchItem, BatchState, Found, Sought
from evenhand.models.batches.calls import LARGEST_LINE, BatchHTTP
from evenhand.models.http.bodies import dumps, loads
from evenhand.models.http.error_reading import read_failure
from evenhand.models.http.salvage import as_cut, cut_json
from evenhand.models.model import Failure, Request

__all__ = ["BatchAPI", "BatchService", "Reply", "batch_id_in"]

_MOST_LISTED = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One result as a single call would have brought it: a status, and the JSON of the body."""

    status: int
    data: Any


@dataclass(frozen=True, kw_only=True)
class BatchAPI:
    """What differs between providers.

    `path` lies below the base address, `page` and `cursor` are how its list is asked for.
    `line` makes one prompt of an id and the body of a single call; `prepare` brings
    prompts there as far as nothing is run or paid; `order` is the body that creates a
    batch of what was prepared, marked with a token. `state` reads what is said about a
    batch, `reply` one line of its results; `find` looks for a batch.
    """

    path: str
    page: int
    cursor: str
    most_requests: int
    most_bytes: int
    line: Callable[[str, dict[str, Any]], bytes]
    prepare: Callable[[BatchHTTP, Sequence[bytes]], Awaitable[Any]]
    order: Callable[[Any, str], bytes]
    state: Callable[[BatchHTTP, dict[str, Any]], BatchState]
    reply: Callable[[Mapping[str, Any]], Reply | Failure]
    find: Callable[["BatchService", Sought], Awaitable[Found]]


class BatchService:
    """The batches of one account; use it as an async context manager.

    Every method raises `Failure`; see there for what its kinds mean.
    """

    def __init__(self, access: BatchAccess, api: BatchAPI) -> None:
        self.access = access
        self.most_requests = api.most_requests
        self.most_bytes = api.most_bytes
        self._api = api
        self._http = BatchHTTP(access)
        self.where = self._http.where

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._http.__aexit__(*error)

    def line(self, custom_id: str, request: Request) -> bytes:
        """Return one prompt as it stands in a batch."""
        return self._api.line(custom_id, self.access.body(request))

    async def prepare(self, lines: Sequence[bytes]) -> Any:
        """Bring prompts to the provider as far as nothing is run or paid."""
        return await self._api.prepare(self._http, lines)

    async def create(self, prepared: Any, *, token: str) -> BatchState:
        """Hand a prepared batch over. From here on it costs."""
        order = self._api.order(prepared, token)
        return self.state(await self._http.call("POST", self._http.at(self._api.path), json=order))

    async def find(self, sought: Sought) -> Found:
        """Return the batches that are the one looked for."""
        return await self._api.find(self, sought)

    async def listed(self) -> AsyncIterator[dict[str, Any]]:
        """Yield what the provider says about each batch of the account."""
        query: dict[str, str | int] = {"limit": self._api.page}
        for _ in range(_MOST_LISTED // self._api.page):
            page = await self._http.call("GET", self._http.at(self._api.path, **query))
            listed = page.get("data")
            if not isinstance(listed, list):
                raise Failure("fatal", "malformed", f"{self.where} sent no list of batches.")
            batches = [batch for batch in listed if isinstance(batch, dict)]
            for batch in batches:
                yield batch
            last = page.get("last_id") or (batches[-1].get("id") if batches else None)
            if not page.get("has_more") or not isinstance(last, str):
                return
            query[self._api.cursor] = last
        raise Failure("fatal", "malformed", f"{self.where} lists more than {_MOST_LISTED:,} batches.")

    def state(self, batch: dict[str, Any]) -> BatchState:
        """Return what is said about a batch."""
        return self._api.state(self._http, batch)

    async def look(self, batch_id: str) -> BatchState:
        """Return how far a batch is."""
        state = self.state(await self._http.call("GET", self._http.at(f"{self._api.path}/{batch_id}")))
        if state.status == "completed" and not state.results:
            # The files of a batch may come a moment after its status.
            raise Failure("retry", "malformed", f"{self.where} names no file for the completed batch {batch_id}.")
        return state

    async def results(self, state: BatchState) -> AsyncIterator[BatchItem]:
        """Yield the results of an ended batch, in any order."""
        for address in state.results:
            async for line, whole in self._http.lines(URL(address)):
                item = self._item(loads(line)) if whole else self._cut_item(cut_json(line))
                if item is not None:
                    yield item

    async def cancel(self, batch_id: str) -> None:
        """Stop a batch; what is done already stays done."""
        await self._http.call("POST", self._http.at(f"{self._api.path}/{batch_id}/cancel"))

    def _item(self, content: Any) -> BatchItem | None:
        """Return one result; None where it can't be told whose it is."""
        if not isinstance(content, dict) or not isinstance(content.get("custom_id"), str):
            return None
        custom_id = content["custom_id"]
        reply = self._api.reply(content)
        if isinstance(reply, Failure):
            return BatchItem(custom_id=custom_id, failure=reply)
        try:
            if 200 <= reply.status < 300:
                return BatchItem(custom_id=custom_id, answer=self.access.answer(reply.data, where=self.where))
            body = dumps(reply.data)
            raise read_failure(reply.status, {}, body, where=self.where, key_variable=self.access.key_variable)
        except Failure as failure:
            return BatchItem(custom_id=custom_id, failure=failure, said=dumps(reply.data))

    def _cut_item(self, content: Any) -> BatchItem | None:
        """Return what the beginning of a result holds that is too long: its text, marked as cut."""
        item = self._item(content)
        if item is None:
            return None
        if item.answer is not None and item.answer.text:
            return BatchItem(custom_id=item.custom_id, answer=as_cut(item.answer))
        failure = Failure("final", "too_large", f"{self.where} sent an answer of more than {LARGEST_LINE:,} bytes.")
        return BatchItem(custom_id=item.custom_id, failure=failure)


def batch_id_in(content: Mapping[str, Any], where: str) -> str:
    """Return the provider's id in what it sent, fit to stand in an address."""
    value = content.get("id")
    if not isinstance(value, str) or not value or not value.replace("-", "").replace("_", "").isalnum():
        raise Failure("retry", "malformed", f"{where} sent no id.")
    return value
