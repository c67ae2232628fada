"""A scorer behind HTTP: a résumé and a position are posted, a number comes back.

The request is a JSON template with placeholders (`--request TEMPLATE.json`), the score is found by a JSON
pointer (RFC 6901). A service that works the score out later is polled.
"""

import asyncio
import hashlib
import time
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Self

import orjson
from yarl import URL

from evenhand.errors import InputError
from evenhand.masking.documents.blocks import paragraphs_of
from evenhand.masking.documents.word_writing import docx_bytes
from evenhand.models.http_client import Connection, Reply, http_address, is_loopback, loads
from evenhand.models.http_errors import read_failure, reported_limits
from evenhand.models.model import Answer, Failure, ReportedLimit, Request, RequestBatcher, answers_in_halves
from evenhand.models.scorers import Pair, pair_of, score_text
from evenhand.patterns import lazy_re
from evenhand.results.files import file_json
from evenhand.results.messages import listed, quoted, shortened

#: Placeholders of a body, and the values that replace them.
PLACEHOLDERS: Final[Mapping[str, Callable[[Pair], str]]] = {
    "resume": lambda pair: pair.resume,
    "resume_base64": lambda pair: b64encode(pair.resume.encode("utf-8", "replace")).decode(),
    "resume_docx": lambda pair: b64encode(docx_bytes(paragraphs_of(pair.resume))).decode(),
    "file_name": lambda pair: pair.file_name,
    "position": lambda pair: pair.position,
    "position_base64": lambda pair: b64encode(pair.position.encode("utf-8", "replace")).decode(),
    "title": lambda pair: pair.title,
    "position_id": lambda pair: pair.position_id,
    "id": lambda pair: pair.id,
}
#: Those of the résumé, and those of the position.
RESUME: Final = frozenset({"resume", "resume_base64", "resume_docx"})
POSITION: Final = frozenset({"position", "position_base64", "title", "position_id"})
_PLACEHOLDER = lazy_re(r"\{([a-z_0-9]+)\}")


def filled(body: Any, pair: Pair) -> Any:
    """Return a body with a pair in its placeholders; braces in a résumé are no placeholders.

    >>> pair = Pair(id="1", resume="{position}", position="Nurse", title="Nurse", position_id="n", file_name="1.txt")
    >>> filled({"cv": "{resume}", "job": ["For {position}"]}, pair)
    {'cv': '{position}', 'job': ['For Nurse']}
    """
    return _changed(body, lambda text: _PLACEHOLDER.sub(lambda match: PLACEHOLDERS[match[1]](pair), text))


def _changed(document: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of a document in which every text is changed; keys stay."""
    if isinstance(document, str):
        return change(document)
    if isinstance(document, list):
        return [_changed(item, change) for item in document]
    if isinstance(document, dict):
        return {key: _changed(item, change) for key, item in document.items()}
    return document


def placeholders_in(body: Any) -> Iterator[str]:
    """Yield the names of all placeholders in a body, those that there are not among them."""
    if isinstance(body, str):
        yield from (match[1] for match in _PLACEHOLDER.finditer(body))
    elif isinstance(body, list):
        for item in body:
            yield from placeholders_in(item)
    elif isinstance(body, dict):
        for item in body.values():
            yield from placeholders_in(item)


#: The parts of a JSON pointer (RFC 6901); none means the whole document.
Pointer = tuple[str, ...]


class Nothing(LookupError):
    """A pointer leads nowhere; the message says what is there instead."""


def pointer_of(text: str, *, named: str) -> Pointer:
    """Return the parts of a pointer; `named` is what a message calls it.

    >>> pointer_of("/results/0/a~1b", named="--score-at"), pointer_of("", named="--score-at")
    (('results', '0', 'a/b'), ())

    Raises
    ------
    InputError
        It does not begin with a slash.

    """
    if text and not text.startswith("/"):
        raise InputError(
            f"{named} {quoted(text)} is not a JSON pointer; expected "
            f"/{quoted(text)[1:-1].lstrip('$.').replace('.', '/')}."
        )
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:])


def value_at(document: Any, pointer: Pointer) -> Any:
    """Return the value at a pointer.

    >>> value_at({"results": [{"score": 72}]}, ("results", "0", "score"))
    72

    Raises
    ------
    Nothing
        There is no value.

    """
    value = document
    for part in pointer:
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise Nothing(_value_text(value))
    return value


def put_at(document: Any, pointer: Pointer, value: object) -> Any:
    """Return a copy of a document in which a value replaces the one at a pointer.

    >>> put_at({"items": [1], "job": 2}, ("items",), [3, 4])
    {'items': [3, 4], 'job': 2}
    """
    if not pointer:
        return value
    first, rest = pointer[0], pointer[1:]
    if isinstance(document, list):
        place = int(first)
        return [put_at(item, rest, value) if at == place else item for at, item in enumerate(document)]
    return {key: put_at(item, rest, value) if key == first else item for key, item in document.items()}


def _value_text(value: object) -> str:
    if isinstance(value, dict):
        return f"the keys there are {listed(list(value), most=8)}" if value else "an empty object is there"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"a list of {len(value)} is there"
    return f"there is {'null' if value is None else f'a {type(value).__name__}'}"


#: Where our own shape has the score.
DEFAULT_SCORE: Final = "/score"
EXPECTED: Final = '{"body": {"cv": "{resume}", "job": "{position}"}}'
_KEYS: Final = ("body", "headers", "query", "several", "poll")
_POLL: Final = ("status", "until", "failed", "result", "every", "within")
_SEVERAL: Final = ("list", "at_most", "answers", "id")
_VARIABLE = lazy_re(r"\$\{(\w+)\}")
_HEADER = lazy_re(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


@dataclass(frozen=True, kw_only=True)
class Polling:
    """How the score is polled where the first answer says only that the work has begun.

    The status is read where `status` points to in the first answer, or else its Location, `every` so many seconds,
    until each value of `until` is there; `failed` are values that end the waiting. `result` points to the address of
    the result in the last status; without it the status holds the result.
    """

    status: Pointer | None = None
    until: Mapping[Pointer, Sequence[Any]] = field(default_factory=dict)
    failed: Mapping[Pointer, Sequence[Any]] = field(default_factory=dict)
    result: Pointer | None = None
    every: float = 1.0
    within: float = 600.0


@dataclass(frozen=True, kw_only=True)
class Several:
    """How several pairs are sent in one request.

    `items` is the list in the body whose one element is repeated for each pair, `answers` the list of results. With
    `id` a result is that of the pair whose id it repeats there; else results are in the order of the pairs.
    """

    items: Pointer
    at_most: int
    answers: Pointer = ()
    id: Pointer | None = None


@dataclass(frozen=True, kw_only=True)
class RequestForm:
    """The request that is sent to a service, and where the score is in the response.

    `secrets` are values of the environment in headers and the query; `digest` identifies the form without them.
    """

    body: Any
    score: Pointer
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    several: Several | None = None
    poll: Polling | None = None
    digest: str = ""

    def payload(self, pairs: Sequence[Pair]) -> bytes:
        """Return the body of a request about these pairs; of several the list is filled, the rest from the first."""
        if self.several is None:
            return orjson.dumps(sendable(filled(self.body, pairs[0])))
        item = value_at(self.body, self.several.items)[0]
        body = filled(put_at(self.body, self.several.items, []), pairs[0])
        return orjson.dumps(sendable(put_at(body, self.several.items, [filled(item, pair) for pair in pairs])))

    def shared(self, pair: Pair) -> bytes:
        """Return what pairs in one request must have in common: the body besides the list."""
        assert self.several is not None
        return orjson.dumps(sendable(filled(put_at(self.body, self.several.items, []), pair)))


#: Our own shape: {"resume", "position"} is answered by {"score"}.
DEFAULT_FORM: Final = RequestForm(body={"resume": "{resume}", "position": "{position}"}, score=("score",))


def read_request_form(path: Path | None, *, score_at: str | None, environ: Mapping[str, str]) -> RequestForm:
    """Return the request form of a template file, or else our own.

    Raises
    ------
    InputError
        The file can't be read, has an unknown key or no place for the résumé, or a variable is not set.

    """
    score = pointer_of(DEFAULT_SCORE if score_at is None else score_at, named="--score-at")
    if path is None:
        return RequestForm(body=DEFAULT_FORM.body, score=score, digest=_digest({}, score))
    content = _read(path)
    _refuse_unknown_keys(content, _KEYS, f"--request {path}")
    if "body" not in content:
        raise InputError(f"--request {path} has no body; expected {EXPECTED}.")
    several = _several(content["several"], content["body"], str(path)) if "several" in content else None
    _check_body(content["body"], several, str(path))
    secrets: list[str] = []
    headers = _texts(content, "headers", str(path), environ, secrets)
    strange = next((name for name in headers if not _HEADER.fullmatch(name)), None)
    if strange is not None:
        raise InputError(f"--request {path}: {quoted(strange)} is not the name of a header.")
    return RequestForm(
        body=content["body"],
        score=score,
        headers=headers,
        query=_texts(content, "query", str(path), environ, secrets),
        secrets=tuple(dict.fromkeys(secrets)),
        several=several,
        poll=_polling(content["poll"], str(path)) if "poll" in content else None,
        digest=_digest(content, score),
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        content = file_json(path)
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"--request {path} can't be read: {reason}.") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"--request {path} is not valid JSON ({error}); expected {EXPECTED}.") from error
    if not isinstance(content, dict):
        raise InputError(f"--request {path} is not a JSON object; expected {EXPECTED}.")
    return content


def _refuse_unknown_keys(content: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    strange = next((key for key in content if key not in keys), None)
    if strange is not None:
        near = get_close_matches(strange, keys, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise InputError(f"{where} has {quoted(strange)}; expected {listed(keys)}.{hint}")


def _check_body(body: Any, several: Several | None, path: str) -> None:
    """Refuse unknown placeholders, and a body without a place for the résumé or the position."""
    there = set(placeholders_in(body))
    strange = sorted(there - PLACEHOLDERS.keys())
    if strange:
        braced = listed([f"{{{name}}}" for name in PLACEHOLDERS])
        raise InputError(f"--request {path}: {{{quoted(strange[0])[1:-1]}}} is not a placeholder; expected {braced}.")
    if not there & RESUME:
        raise InputError(f"--request {path} has no place for the résumé; write {{resume}} where its text goes.")
    if not there & POSITION:
        raise InputError(f"--request {path} has no place for the position; write {{position}} where its text goes.")
    if several is None:
        return
    outside = set(placeholders_in(put_at(body, several.items, [])))
    if outside & (RESUME | {"id", "file_name"}):
        raise InputError(f"--request {path}: the résumé is outside the list of several; put it into the list.")
    if several.id is not None and "id" not in there:
        raise InputError(f"--request {path}: several has an id, but the body sends none; write {{id}} into the list.")


def _texts(
    content: Mapping[str, Any], key: str, path: str, environ: Mapping[str, str], secrets: list[str]
) -> dict[str, str]:
    """Return headers or the query, with values of the environment put in; `secrets` gets these."""
    values = content.get(key, {})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise InputError(f'--request {path}: {key} is not an object of texts; expected {{"X-Key": "${{SCORER_KEY}}"}}.')

    def put(name: str) -> str:
        value = environ.get(name, "").strip()
        if not value:
            raise InputError(f"--request {path} names the environment variable {name} in {key}, but it is not set.")
        if not (value.isascii() and value.isprintable()):
            raise InputError(f"The value of {name} holds characters that a header can't have; copy it again.")
        secrets.append(value)
        return value

    texts = {name: _VARIABLE.sub(lambda variable: put(variable[1]), value) for name, value in values.items()}
    wrong = next((name for name, value in texts.items() if not (value.isascii() and value.isprintable())), None)
    if wrong is not None:
        raise InputError(f"--request {path}: {quoted(wrong)} in {key} holds characters that a header can't have.")
    return texts


def _several(content: Any, body: Any, path: str) -> Several:
    where = f"--request {path}: several"
    if not isinstance(content, dict):
        raise InputError(
            f'{where} is not an object; expected {{"list": "/items", "at_most": 20, "answers": "/results"}}.'
        )
    _refuse_unknown_keys(content, _SEVERAL, where)
    at_most = content.get("at_most")
    if not isinstance(at_most, int) or isinstance(at_most, bool) or not 1 <= at_most <= 1_000:
        raise InputError(f"{where}: at_most is {quoted(at_most)}; expected a whole number from 1 to 1000.")
    items = _pointer(content, "list", where, default="")
    try:
        repeated = value_at(body, items)
    except Nothing as nothing:
        raise InputError(f"{where}: the body has nothing at {quoted(content['list'])}: {nothing}.") from None
    if not isinstance(repeated, list) or len(repeated) != 1:
        raise InputError(f"{where}: at {quoted(content.get('list', ''))} the body has no list with one element.")
    return Several(
        items=items,
        at_most=at_most,
        answers=_pointer(content, "answers", where, default=""),
        id=_pointer(content, "id", where, default="") if "id" in content else None,
    )


def _polling(content: Any, path: str) -> Polling:
    where = f"--request {path}: poll"
    if not isinstance(content, dict) or "until" not in content:
        raise InputError(f'{where} has no definition of the end; expected {{"until": {{"/status": "done"}}}}.')
    _refuse_unknown_keys(content, _POLL, where)
    return Polling(
        status=_pointer(content, "status", where, default="") if "status" in content else None,
        until=_values(content, "until", where),
        failed=_values(content, "failed", where),
        result=_pointer(content, "result", where, default="") if "result" in content else None,
        every=_seconds(content, "every", where, default=1.0),
        within=_seconds(content, "within", where, default=600.0),
    )


def _pointer(content: Mapping[str, Any], key: str, where: str, *, default: str) -> Pointer:
    text = content.get(key, default)
    if not isinstance(text, str):
        raise InputError(f"{where}: {key} is {quoted(text)}; expected a JSON pointer such as /{key}.")
    return pointer_of(text, named=f"{where}: {key}")


def _values(content: Mapping[str, Any], key: str, where: str) -> dict[Pointer, Sequence[Any]]:
    values = content.get(key, {})
    if not isinstance(values, dict) or (key == "until" and not values):
        raise InputError(f'{where}: {key} is {quoted(values)}; expected {{"/status": "done"}}.')
    return {
        pointer_of(pointer, named=f"{where}: {key}"): value if isinstance(value, list) else [value]
        for pointer, value in values.items()
    }


def _seconds(content: Mapping[str, Any], key: str, where: str, *, default: float) -> float:
    value = content.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 86_400:
        raise InputError(f"{where}: {key} is {quoted(value)}; expected seconds above 0.")
    return float(value)


def _digest(template: Mapping[str, Any], score: Pointer) -> str:
    content = orjson.dumps([template, score], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(content).hexdigest()[:16]


def sendable(value: Any) -> Any:
    """Return a document that JSON can hold: half of a surrogate pair becomes a question mark."""
    return _changed(value, lambda text: text.encode("utf-8", "replace").decode())


_GROWTH = 1.5
_LONGEST = 30.0


async def awaited(
    poll: Polling,
    document: Any,
    location: str | None,
    *,
    url: URL,
    get: Callable[[URL], Awaitable[Any]],
    sleep: Callable[[float], Awaitable[Any]],
    clock: Callable[[], float] = time.monotonic,
) -> Any:
    """Return the document that holds the score, after polling the status.

    `document` and `location` are what came back from `url` at first. The waits grow from `every` to 30 seconds; a
    busy service gets more time.

    Raises
    ------
    Failure
        The service says that it failed, does not come to an end, or names a status that is not its own.
    """
    where = str(url.origin())
    begun, wait = clock(), poll.every
    status: URL | None = None
    while not all(_has_value(document, pointer, values) for pointer, values in poll.until.items()):
        if any(_has_value(document, pointer, values) for pointer, values in poll.failed.items()):
            raise Failure("final", "failed", f"{where} says that scoring failed.")
        if status is None:
            status = _status_address(poll, document, location, url=url)
        if clock() - begun + wait > poll.within:
            raise Failure("retry", "timeout", f"{where} came to no score within {poll.within:g} s (poll: within).")
        await sleep(wait)
        wait = min(_LONGEST, wait * _GROWTH)
        try:
            document = await get(status)
        except Failure as failure:
            if failure.kind != "retry":
                raise
            wait = max(wait, failure.retry_after or 0.0)
    if poll.result is None:
        return document
    return await get(_same_origin_url(_address_at(document, poll.result, "the result", where), url=url))


def _has_value(document: Any, pointer: Pointer, values: Sequence[Any]) -> bool:
    try:
        actual = value_at(document, pointer)
    except Nothing:
        return False
    return any(actual == value and isinstance(actual, bool) == isinstance(value, bool) for value in values)


def _status_address(poll: Polling, document: Any, location: str | None, *, url: URL) -> URL:
    where = str(url.origin())
    if poll.status is not None:
        return _same_origin_url(_address_at(document, poll.status, "the status", where), url=url)
    if not location:
        message = f"{where} named no Location of the status; say where it stands in the answer with poll: status."
        raise Failure("fatal", "no_status", message)
    return _same_origin_url(location, url=url)


def _address_at(document: Any, pointer: Pointer, what: str, where: str) -> str:
    at = "/" + "/".join(pointer)
    try:
        address = value_at(document, pointer)
    except Nothing as nothing:
        raise Failure(
            "fatal", "no_status", f"{where} answered, and no address of {what} stands at {at}: {nothing}."
        ) from None
    if not isinstance(address, str):
        raise Failure("fatal", "no_status", f"{where} answered, and at {at} stands no address of {what}.")
    return address


def _same_origin_url(text: str, *, url: URL) -> URL:
    """Return an address of the same service: the keys would go to any other as well."""
    try:
        address = url.with_query(None).join(URL(text))
        is_same = address.origin() == url.origin()
    except ValueError:
        is_same = False
    if not is_same:
        message = f"{url.origin()} names a status at another address than its own; headers are not sent there."
        raise Failure("fatal", "redirect", message)
    return address if address.query or not url.query else address.with_query(url.query)


_ACCEPTED: Final = 202
_REPAIRS: Final = {
    401: "Check the headers in --request, and the variables that they name.",
    402: "Check the account's credit.",
    403: "Check what the key in --request is allowed to do.",
    404: "Check the address in --scorer.",
    405: "Check the address in --scorer: it takes no POST.",
    410: "Check the address in --scorer.",
}


class JsonService(Connection):
    """The connections to one address that answers JSON with JSON; no key is in what leaves it."""

    def __init__(
        self, url: URL, *, repairs: Mapping[int, str] = _REPAIRS, key_variable: str = "", **connection: Any
    ) -> None:
        super().__init__(**connection)
        self.where = str(url.origin())
        self._url = url
        self._failed: Mapping[str, Any] = {"where": self.where, "repairs": repairs, "key_variable": key_variable}
        self._has_keys = bool(connection.get("keys"))

    @property
    def unencrypted(self) -> str | None:
        """Return a warning about keys that are sent unencrypted to another machine, None where none are."""
        if not self._has_keys or self._url.scheme == "https" or is_loopback(self._url.host or ""):
            return None
        return f"The key goes to {self.where} unencrypted: everybody on the way can read it."

    async def posted(self, payload: bytes) -> tuple[Any, Reply, tuple[ReportedLimit, ...]]:
        """Return the JSON that the address answers, None where a success has no body, with the reply and its limits.

        Raises
        ------
        Failure
            There is no reply, it reports an error, is too large or no JSON.
        """
        reply = await self.post(self._url, payload, where=self.where)
        limits = () if reply.status >= 300 else reported_limits(reply.headers, now=datetime.now(UTC))
        return self._document(reply), reply, limits

    async def got(self, url: URL) -> Any:
        """Return the JSON that an address of the service holds."""
        return self._document(await self.get(url, where=self.where))

    def _document(self, reply: Reply) -> Any:
        if not 200 <= reply.status < 300:
            raise read_failure(reply.status, reply.headers, reply.body, **self._failed)
        if not reply.whole:
            raise Failure("final", "too_large", f"{self.where} sent an answer of more than {self.largest:,} bytes.")
        if not reply.body.strip():
            return None
        document = loads(reply.body)
        if document is None and reply.body.strip() != b"null":
            raise Failure("retry", "malformed", f"{self.where} sent something that is not valid JSON.")
        return document


class HttpScorer:
    """Asks one service for scores; use it as an async context manager.

    `timeout` is for a single request in seconds, `concurrency` bounds the requests under way. Values of the
    environment that `form` holds are in no message and in no answer that leaves this object.
    """

    simulated = False

    def __init__(self, url: URL, form: RequestForm, *, timeout: float, concurrency: int) -> None:
        self.name = str(url)
        self.form = form
        self._url = url.with_query(dict(form.query)) if form.query else url
        self._service = JsonService(
            self._url, headers=form.headers, keys=form.secrets, timeout=timeout, limit=concurrency, named="--scorer"
        )
        self._batcher: RequestBatcher[Request, Answer] | None = None
        if form.several is not None:
            self._batcher = RequestBatcher(
                lambda requests: answers_in_halves(self._scored, requests),
                most=form.several.at_most,
                at_once=concurrency,
                key=lambda request: form.shared(pair_of(request)),
            )

    @property
    def unencrypted(self) -> str | None:
        """Return a warning about keys that are sent unencrypted to another machine, None where none are."""
        return self._service.unencrypted

    @property
    def per_request(self) -> int:
        """Return how many pairs one request is about at most."""
        return 1 if self.form.several is None else self.form.several.at_most

    async def __aenter__(self) -> Self:
        await self._service.__aenter__()
        if self._batcher is not None:
            await self._batcher.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._batcher is not None:
            await self._batcher.__aexit__(*error)
        await self._service.__aexit__(*error)

    async def answer(self, request: Request) -> Answer:
        """Return the score of a pair as text, requested once.

        Raises
        ------
        Failure
            No score came; `kind` says whether to ask again.
        """
        if self._batcher is not None:
            return await self._batcher.answer(request)
        (result,) = await self._scored([request])
        if isinstance(result, Failure):
            raise result
        return result

    async def _scored(self, requests: Sequence[Request]) -> list[Answer | Failure]:
        """Return the scores of pairs that are sent in one request."""
        pairs = [pair_of(request) for request in requests]
        try:
            document, reply, limits = await self._service.posted(self.form.payload(pairs))
            if self.form.poll is not None:
                document = await awaited(
                    self.form.poll,
                    document,
                    reply.headers.get("Location"),
                    url=self._url,
                    get=self._service.got,
                    sleep=asyncio.sleep,
                )
        except Failure as failure:
            failure.args = (self._service.without_key(str(failure)),)
            raise
        results = read_scored(document, pairs, self.form, where=self._service.where)
        if (
            reply.status == _ACCEPTED
            and self.form.poll is None
            and all(isinstance(result, Failure) for result in results)
        ):
            message = f"{self._service.where} answered 202 Accepted and no score: it comes later."
            raise Failure("final", "no_score", f"{message} Say with poll in --request how it is waited for.")
        return [self._without_keys(result, limits) for result in results]

    def _without_keys(self, result: Answer | Failure, limits: tuple[ReportedLimit, ...]) -> Answer | Failure:
        if isinstance(result, Failure):
            result.args = (self._service.without_key(str(result)),)
            return result
        return Answer(text=self._service.without_long_key(result.text), limits=limits)


def read_scored(document: Any, pairs: Sequence[Pair], form: RequestForm, *, where: str) -> list[Answer | Failure]:
    """Return the score of each pair in what a service answered, or why there is none.

    Raises
    ------
    Failure
        The response is about none of the pairs, or it is unclear about which.
    """
    several = form.several
    if several is None:
        return [_score(document, form, where)]
    at = "/" + "/".join(several.answers) if several.answers else "the top"
    try:
        results = value_at(document, several.answers)
    except Nothing as nothing:
        raise Failure("final", "no_score", f"{where} answered, and nothing stands at {at}: {nothing}.") from None
    if not isinstance(results, list):
        raise Failure("final", "no_score", f"{where} answered, and at {at} stands no list of results.")
    if several.id is None:
        if len(results) != len(pairs):
            problem = f"{where} answered {len(results)} results for {len(pairs)} pairs"
            raise Failure("final", "wrong_length", f"{problem}; expected one for each, in their order.")
        return [_score(result, form, where) for result in results]
    by_id: dict[str, Any] = {}
    for result in results:
        try:
            by_id[str(value_at(result, several.id))] = result
        except Nothing:
            continue
    return [
        _score(by_id[pair.id], form, where)
        if pair.id in by_id
        else Failure("final", "no_score", f"{where} answered about others, and not about a pair that was sent.")
        for pair in pairs
    ]


def _score(result: Any, form: RequestForm, where: str) -> Answer | Failure:
    try:
        return Answer(text=score_text(value_at(result, form.score)))
    except Nothing as nothing:
        at = "/" + "/".join(form.score)
        message = f"{where} answered, and no score stands at {shortened(at)}: {nothing}. Give --score-at."
        return Failure("final", "no_score", message)


def scorer_address(text: str) -> URL:
    """Return the address of a scorer.

    Raises
    ------
    InputError
        It is no HTTP address, or holds a user, a password or a query.

    >>> str(scorer_address("http://127.0.0.1:8000/score"))
    'http://127.0.0.1:8000/score'
    """
    return URL(
        http_address(
            text,
            named="--scorer",
            expected="expected an address such as http://127.0.0.1:8000/score",
            secrets='secrets as "${NAME}" in "headers" of --request',
            followed=', and the address is kept on disk; put what follows into "query" of --request, secrets as '
            '"${NAME}"',
        )
    )
