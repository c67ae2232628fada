"""The batch APIs of OpenAI and Anthropic: many prompts submitted at once, answered within a day.

OpenAI takes an uploaded file of requests and returns files of results (API reference of 2025: at most
50,000 requests and 200 MB). Anthropic takes the requests in one call and returns one file of results
(guide of 2025: at most 100,000 requests and 256 MB); there a token of ours has no place but the custom
ids, which are readable only after a batch has ended.
"""

import io
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

import orjson
from yarl import URL

from evenhand.models.http import HttpModel
from evenhand.models.http_client import (
    JSON,
    Connection,
    as_cut,
    count,
    cut_json,
    dumps,
    first_bytes,
    loads,
    mapping,
    string,
)
from evenhand.models.http_errors import read_failure
from evenhand.models.model import BatchAccess, BatchItem, BatchMatches, BatchState, Failure, Model, Request, Sought

if TYPE_CHECKING:
    import aiohttp

#: Bytes of one result; the rest of a longer one is thrown away.
LARGEST_LINE = 1_000_000

# A list of batches, or the state of one.
_LARGEST_REPLY = 20_000_000
_CONNECTIONS = 4


class BatchHTTP(Connection):
    """Calls the server of one model; use it as an async context manager.

    The timeout is how long the server may be silent: an upload or a download may last
    longer.
    """

    def __init__(self, access: BatchAccess) -> None:
        keys = () if access.key is None else (access.key,)
        super().__init__(
            headers=access.headers,
            keys=keys,
            timeout=access.timeout,
            limit=_CONNECTIONS,
            largest=_LARGEST_REPLY,
            streams=True,
        )
        self.base = access.base
        #: The server as messages show it.
        self.where = f"{access.base.scheme}://{access.base.authority}"
        self._key_variable = access.key_variable

    def at(self, path: str, **query: str | int) -> URL:
        """Return an address below the base."""
        return URL(f"{str(self.base).rstrip('/')}/{path}").with_query(query)

    async def call(self, method: str, url: URL, *, data: Any = None, json: bytes | None = None) -> dict[str, Any]:
        """Return the JSON object that the server answers.

        Raises
        ------
        Failure
            it answered something else, or nothing.
        """
        body = io.BytesIO(json) if json is not None else data
        reply = await self._reply(method, url, body, self.where, headers=JSON if json is not None else None)
        if not 200 <= reply.status < 300:
            raise self._refused(reply.status, reply.headers, reply.body)
        content = loads(reply.body)
        if not isinstance(content, dict):
            raise Failure("retry", "malformed", f"{self.where} sent something that is not a JSON object.")
        return content

    async def lines(self, url: URL) -> AsyncIterator[tuple[bytes, bool]]:
        """Yield the lines of a file, and whether each is whole; the end of one that is too long is left out."""
        import aiohttp

        assert self._session is not None, "BatchHTTP is used inside 'async with'"
        try:
            # A redirect is never followed: the key would go to a server that the user didn't name.
            async with self._session.get(url, allow_redirects=False) as response:
                if not 200 <= response.status < 300:
                    body, _ = await first_bytes(response, LARGEST_LINE)
                    raise self._refused(response.status, response.headers, body)
                async for line, whole in _split(response):
                    if line.strip():
                        yield self._long_keys.taken_from(line, whole=whole), whole
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._transport_failure(error, self.where) from None

    def same_server(self, address: str) -> bool:
        """Return whether an address is on the server that the key is for."""
        try:
            return URL(address).origin() == self.base.origin()
        except ValueError:
            return False

    def _refused(self, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
        if 300 <= status < 400:
            return self._redirected(status, headers, self.where)
        body = self._keys.taken_from(body, whole=True)
        failure = read_failure(status, headers, body, where=self.where, key_variable=self._key_variable)
        failure.args = (self.without_key(str(failure)),)
        return failure


async def _split(response: "aiohttp.ClientResponse") -> AsyncIterator[tuple[bytes, bool]]:
    """Yield the lines of a body without holding more than one."""
    line = bytearray()
    whole = True
    async for chunk in response.content.iter_any():
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            whole = whole and len(line) + len(part) <= LARGEST_LINE
            line += part[: LARGEST_LINE - len(line)]
            yield bytes(line), whole
            line.clear()
            whole = True
        whole = whole and len(line) + len(rest) <= LARGEST_LINE
        line += rest[: LARGEST_LINE - len(line)]
    if line:
        yield bytes(line), whole


_MOST_LISTED = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """One result as a single call would have brought it: a status, and the JSON of the body."""

    status: int
    data: Any


@dataclass(frozen=True, kw_only=True)
class BatchAPI:
    """What differs between providers.

    `path` lies below the base address, `page` and `cursor` are parameters of its list.
    `line` makes one prompt of an id and the body of a single call; `prepare` brings
    prompts there as far as nothing is run or paid; `order` is the body that creates a
    batch of what was prepared, marked with a token. `state` reads the provider's record of a
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
    find: Callable[["BatchService", Sought], Awaitable[BatchMatches]]


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
        """Return one prompt as a line of a batch."""
        return self._api.line(custom_id, self.access.body(request))

    async def prepare(self, lines: Sequence[bytes]) -> Any:
        """Bring prompts to the provider as far as nothing is run or paid."""
        return await self._api.prepare(self._http, lines)

    async def create(self, prepared: Any, *, token: str) -> BatchState:
        """Hand a prepared batch over. From here on it costs."""
        order = self._api.order(prepared, token)
        return self.state(await self._http.call("POST", self._http.at(self._api.path), json=order))

    async def find(self, sought: Sought) -> BatchMatches:
        """Return the batches that are the one looked for."""
        return await self._api.find(self, sought)

    async def listed(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the provider's record of each batch of the account."""
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
        """Return the state of a batch from the provider's record."""
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
        """Return one result; None without an id."""
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
            return BatchItem(custom_id=custom_id, failure=failure, rejection=dumps(reply.data))

    def _cut_item(self, content: Any) -> BatchItem | None:
        """Return what the beginning of an oversized result holds: its text, marked as cut."""
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


_ENDPOINT = "/v1/chat/completions"
#: The name of our token among a batch's metadata.
_METADATA = "evenhand_batch"
_ENDED = frozenset({"completed", "expired", "cancelled"})
_LEFTOVER = {"expired": "expired", "cancelled": "cancelled"}
_ITEM_ERRORS = {"batch_expired": "expired", "batch_cancelled": "cancelled", "request_timeout": "timeout"}


def _line(custom_id: str, body: dict[str, Any]) -> bytes:
    content = {"custom_id": custom_id, "method": "POST", "url": _ENDPOINT, "body": body}
    return orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE)


async def _prepare_openai(http: BatchHTTP, lines: Sequence[bytes]) -> str:
    """Upload the input file and return its id."""
    import aiohttp

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


async def _find_openai(service: BatchService, sought: Sought) -> BatchMatches:
    """Return the batches whose metadata hold the token; the order of the list is not documented."""
    states = [
        service.state(batch)
        async for batch in service.listed()
        if mapping(batch.get("metadata")).get(_METADATA) == sought.token
    ]
    return BatchMatches(states=tuple(state for state in states if not state.failed))


def _openai_state(http: BatchHTTP, batch: dict[str, Any]) -> BatchState:
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


def _openai_reply(content: Mapping[str, Any]) -> Reply | Failure:
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
    prepare=_prepare_openai,
    order=_order,
    state=_openai_state,
    reply=_openai_reply,
    find=_find_openai,
)

_PATH = "messages/batches"
# Clocks differ; an older batch can't be the one that is looked for.
_SLACK = timedelta(minutes=10)

# HTTP statuses of single calls for the types of error in results.
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


async def _prepare_anthropic(_http: BatchHTTP, lines: Sequence[bytes]) -> bytes:
    """Return the body that creates the batch; nothing is sent yet."""
    return b'{"requests":[' + b",".join(lines) + b"]}"


async def _find_anthropic(service: BatchService, sought: Sought) -> BatchMatches:
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
    return BatchMatches(states=tuple(states), undecided=undecided)


async def _holds(service: BatchService, state: BatchState, token: str) -> bool:
    """Return whether the first result is one of a batch with `token`."""
    async for item in service.results(state):
        return item.custom_id.endswith(f"-{token}")
    raise Failure("fatal", "malformed", f"{service.where} has no results of the batch {state.id} any more.")


def _anthropic_state(http: BatchHTTP, batch: dict[str, Any]) -> BatchState:
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


def _anthropic_reply(content: Mapping[str, Any]) -> Reply | Failure:
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
    """Return how many requests a batch has, or how many of them are finished."""
    counts = mapping(batch.get("request_counts"))
    return sum(count(value) or 0 for name, value in counts.items() if processing or name != "processing")


ANTHROPIC = BatchAPI(
    path=_PATH,
    page=1_000,
    cursor="after_id",
    most_requests=100_000,
    most_bytes=256_000_000,
    line=lambda custom_id, body: orjson.dumps({"custom_id": custom_id, "params": body}),
    prepare=_prepare_anthropic,
    order=lambda prepared, _token: prepared,
    state=_anthropic_state,
    reply=_anthropic_reply,
    find=_find_anthropic,
)

#: By the scheme of a model.
BATCH_APIS: Mapping[str, BatchAPI] = {"openai": OPENAI, "anthropic": ANTHROPIC}


def batches_of(model: Model) -> BatchService | None:
    """Return the batches of the model's provider, not yet connected; None where it has none."""
    api = BATCH_APIS.get(model.scheme) if isinstance(model, HttpModel) else None
    return BatchService(model.batch_access(), api) if isinstance(model, HttpModel) and api is not None else None
