"""The interface of models: a request goes in, an answer or a failure comes out.

Also here: a model that replays saved answers, the batcher for models that answer several requests
together, and the types that all batch APIs share.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Annotated, Any, Generic, Protocol, Self, TypeAlias, TypeVar

import polars as pl
from yarl import URL

from evenhand.options import Option

#: Error classes that may not come again: an unfinished run asks these prompts once more.
TRANSIENT_ERRORS = frozenset(
    {
        *("rate_limit", "server_error", "timeout", "connection", "malformed", "empty", "unreachable"),
        *("expired", "cancelled"),  # of prompts in a batch
    }
)


def _penalty(help_text: str) -> Option:
    return Option(
        f"{help_text}; default: the server's.",
        check=lambda penalty: -2 <= penalty <= 2,
        expected="a number from -2 to 2",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Generation:
    """Decoding parameters that are sent with every request; None is left to the server."""

    temperature: Annotated[
        float | None,
        Option(
            "Temperature of the model; default: the server's.",
            check=lambda heat: 0 <= heat <= 2,
            expected="a number from 0 to 2",
        ),
    ] = None
    max_tokens: Annotated[
        int | None,
        Option(
            "Most tokens of an answer; default: the server's.",
            check=lambda tokens: tokens >= 1,
            expected="a whole number from 1",
        ),
    ] = None
    top_p: Annotated[
        float | None,
        Option(
            "Sample from the most likely tokens up to this cumulative probability; default: the server's.",
            check=lambda share: 0 < share <= 1,
            expected="a number above 0 and up to 1",
        ),
    ] = None
    frequency_penalty: Annotated[float | None, _penalty("Penalty on a token by its frequency in the answer")] = None
    presence_penalty: Annotated[float | None, _penalty("Penalty on a token that the answer already has")] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One prompt to be answered once.

    `stimulus` is the row of the stimuli table, for simulated and replayed models; a
    model behind HTTP sends `messages`, and the JSON `schema` of the answer, if there is one.
    """

    id: str
    stimulus: Mapping[str, Any]
    attempt: int
    messages: list[dict[str, str]]
    generation: Generation
    seed: int | None
    schema: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportedLimit:
    """One limit as the server reports it with an answer or a refusal.

    `kind` is requests, tokens, input-tokens or output-tokens; `remaining` of them may be
    sent before the limit is filled again, `reset` seconds from now, up to `limit`, which
    is None where the server does not say it.
    """

    kind: str
    remaining: float
    reset: float
    limit: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back: the raw text, why it ended, and what it cost.

    `chunk` is what sampling the answer again takes, where prompts are answered together:
    id, size and seed of its chunk, and its place there. `limits` are those that the
    server reported.
    """

    text: str | None
    finish_reason: str | None = None
    returned_model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    error_class: str | None = None
    chunk: Mapping[str, int | str | None] | None = None
    limits: tuple[ReportedLimit, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Adaptation:
    """One decoding parameter that was not sent as requested.

    `sent` is what was sent in its place, such as another parameter's name, and None where
    the parameter was left out; `requested` is None where a value was sent that nobody requested.
    `partly` is True where earlier answers of the run were given with the parameter.
    """

    parameter: str
    requested: Any
    sent: str | int | None
    reason: str
    partly: bool = False

    @property
    def sentence(self) -> str:
        """Return what a reader of the results should know."""
        if self.parameter == "seed":
            some = "From some answer on, no" if self.partly else "No"
            return f"{some} seed was sent: {self.reason} The answers can't be drawn again."
        if self.sent is None:
            used = "was used for some answers, then not any more" if self.partly else "was not used"
            return f"{self.parameter} {self.requested:g} {used}, but the server's own: {self.reason}"
        return f"{self.parameter} {self.requested:g} was sent as {self.sent}: {self.reason}"

    def record(self) -> dict[str, Any]:
        """Return the fields and the sentence, for the manifest."""
        return {**asdict(self), "sentence": self.sentence if self.requested is not None else None}


class Failure(Exception):
    """An attempt that brought no answer.

    `kind` says what to do: `retry` (busy, broken, slow), `unreachable` (no connection:
    retried, and when it lasts the run stops), `fatal` (key, credit, permission: the run
    stops at once), `final` (this prompt will never be answered; it is recorded), `adapted`
    (the server does not take a parameter, and the model has learned to do without: sent
    again at once, which is one request more), `elsewhere` (of several servers this one
    failed: sent again at once, to another).
    `retry_after` is in seconds where the server named it. `refused` is True where the
    server is busy or the account at a limit; `limits` are those that it reported.
    """

    def __init__(
        self,
        kind: str,
        error_class: str,
        message: str,
        *,
        retry_after: float | None = None,
        refused: bool = False,
        limits: tuple[ReportedLimit, ...] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.error_class = error_class
        self.retry_after = retry_after
        self.refused = refused or error_class == "rate_limit"
        self.limits = limits


class Model(Protocol):
    """Anything that answers requests."""

    name: str
    simulated: bool

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *error: object) -> None: ...

    async def answer(self, request: Request) -> Answer:
        """Return the answer, or raise `Failure`."""
        ...


class InProcess:
    """A model in this process, for which nothing has to be opened or closed."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close nothing."""


class ReplayModel(InProcess):
    """Answers each prompt from a table of saved answers.

    `saved` has the columns `key` (those of the stimuli that identify a prompt) and
    `answer, finish_reason, error, attempt`. The n-th repetition of a prompt gets its n-th
    saved answer, in the order of `attempt` where there is one, else of the file; when
    none is left the answer has the error class `missing`.
    """

    simulated = False

    def __init__(self, name: str, saved: pl.DataFrame, *, key: Sequence[str]) -> None:
        self.name = name
        self._key = tuple(key)
        ordered = saved.sort("attempt", maintain_order=True, nulls_last=False) if "attempt" in saved.columns else saved
        self._answers = ordered.select("answer", "finish_reason", "error")
        self._rows: dict[tuple[Any, ...], list[int]] = {}
        for row, values in enumerate(ordered.select(self._key).iter_rows()):
            self._rows.setdefault(values, []).append(row)

    async def answer(self, request: Request) -> Answer:
        """Return the saved answer of this prompt and attempt."""
        rows = self._rows.get(tuple(request.stimulus[name] for name in self._key), [])
        if request.attempt >= len(rows):
            return Answer(text=None, error_class="missing")
        text, finish_reason, error = self._answers.row(rows[request.attempt])
        if text is None and error is None:
            error = "missing"
        return Answer(text=text, finish_reason=finish_reason, error_class=error)


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchAccess:
    """What a model behind HTTP lends to the batches of its provider.

    `base` is the base URL, version included. `body` makes of a request what a single
    call would send, as far as it is known what the server takes, and `parameters` names
    what is in it besides model and messages; `answer` reads the answer. `adapts` learns from the rejection of a
    request that was sent with such parameters: a request, the failure, the server's words
    and the parameters; it returns whether that request would have others now.
    """

    base: URL
    headers: Mapping[str, str] = field(repr=False)
    key: str | None = field(repr=False)
    key_variable: str
    timeout: float
    body: Callable[[Request], dict[str, Any]]
    answer: Callable[..., Answer]
    parameters: Callable[[Request], frozenset[str]]
    adapts: Callable[[Request, Failure, bytes, frozenset[str]], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchState:
    """The state of one batch at its provider.

    `failed` is one that was refused as a whole: nothing of it was run or paid. `full` is
    such a refusal because too much is queued already. `leftover` is the error class of
    prompts that an ended batch has no result for. `results` are the addresses of its results.
    """

    id: str
    status: str
    ended: bool
    waiting: bool = False
    failed: bool = False
    full: bool = False
    done: int = 0
    leftover: str = "empty"
    message: str = ""
    results: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchItem:
    """The result of one prompt: an answer, or why there is none; `rejection` is the body of a rejection."""

    custom_id: str
    answer: Answer | None = None
    failure: Failure | None = None
    rejection: bytes = b""


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchMatches:
    """The batches that match the one looked for, and how many are undecided yet."""

    states: tuple[BatchState, ...]
    undecided: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Sought:
    """A batch of which it is not known whether the provider took it.

    It was created with `token` and holds so many `requests`. `since` is when the first
    try can have been made, `known` are ids of batches that are others.
    """

    token: str
    requests: int
    since: datetime
    known: Collection[str]


Q = TypeVar("Q")
A = TypeVar("A")
#: Returns an answer per request, or why there is none, in their order; raises what concerns all of them.
Together: TypeAlias = Callable[[Sequence[Q]], Awaitable[Sequence[A | Failure]]]

# Turns of the event loop without a new request after which a chunk is begun with those that wait. Turns are
# counted, not time: which requests are answered together must not depend on how fast the machine is.
_QUIET_TURNS = 16


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Q, A]):
    request: Q
    answer: "asyncio.Future[A]"


class RequestBatcher(Generic[Q, A]):
    """Gathers requests into chunks of `most`, or of all that wait when no more come; an async context manager.

    Requests of a chunk have the same `key`. At most `at_once` chunks are under way.
    """

    def __init__(
        self, together: Together[Q, A], *, most: int, at_once: int = 1, key: Callable[[Q], Hashable] | None = None
    ) -> None:
        self._together = together
        self._most = most
        self._free = asyncio.Semaphore(at_once)
        self._key = key
        self._waiting: list[_Waiting[Q, A]] = []
        self._arrived = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._under_way: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._serving = asyncio.create_task(self._serve())
        return self

    async def __aexit__(self, *error: object) -> None:
        tasks = [*self._under_way, *([self._serving] if self._serving is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._serving = None

    async def answer(self, request: Q) -> A:
        """Return the answer to a request, given together with the others that wait.

        Raises
        ------
        Failure
            No answer came; `kind` says whether to ask again.
        """
        assert self._serving is not None, "requests are gathered inside 'async with'"
        waiting: _Waiting[Q, A] = _Waiting(request, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._arrived.set()
        return await waiting.answer

    async def _serve(self) -> None:
        """Hand on chunk after chunk until the task is cancelled."""
        while True:
            await self._free.acquire()
            chunk: list[_Waiting[Q, A]] = []
            while not chunk:
                await self._arrived.wait()
                await self._wait_for_requests()
                chunk = self._next_chunk()
                if not chunk:
                    self._arrived.clear()
            task = asyncio.create_task(self._answered(chunk))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _wait_for_requests(self) -> None:
        """Return when a chunk is full, or when no more requests come."""
        quiet, seen = 0, len(self._waiting)
        while len(self._waiting) < self._most and quiet < _QUIET_TURNS:
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._waiting) == seen else 0
            seen = len(self._waiting)

    def _next_chunk(self) -> list[_Waiting[Q, A]]:
        """Take the requests of the next chunk, all of one kind."""
        open_requests = [waiting for waiting in self._waiting if not waiting.answer.done()]
        compatible = open_requests
        if self._key is not None and open_requests:
            first = self._key(open_requests[0].request)
            compatible = [waiting for waiting in open_requests if self._key(waiting.request) == first]
        chunk = compatible[: self._most]
        taken = {id(waiting) for waiting in chunk}
        self._waiting = [waiting for waiting in open_requests if id(waiting) not in taken]
        return chunk

    async def _answered(self, chunk: Sequence[_Waiting[Q, A]]) -> None:
        """Give each request of a chunk its answer, or the reason why there is none."""
        try:
            answers = await self._together([waiting.request for waiting in chunk])
            for waiting, answer in zip(chunk, answers, strict=True):
                with suppress(asyncio.InvalidStateError):  # the waiting task may have been cancelled
                    if isinstance(answer, Failure):
                        waiting.answer.set_exception(answer)
                    else:
                        waiting.answer.set_result(answer)
        except Exception as error:  # noqa: BLE001 - whoever waits for an answer raises it
            for waiting in chunk:
                if not waiting.answer.done():
                    waiting.answer.set_exception(copied_failure(error) if isinstance(error, Failure) else error)
        finally:
            self._free.release()


async def answers_in_halves(together: Together[Q, A], requests: Sequence[Q]) -> list[A | Failure]:
    """Return the answers to requests that are sent together; where that fails for good, each half is sent alone.

    So one request that can't be answered does not take its neighbours with it.
    """
    try:
        return list(await together(requests))
    except Failure as failure:
        if failure.kind != "final" or len(requests) == 1:
            return [copied_failure(failure) for _ in requests]
    middle = len(requests) // 2
    halves = [await answers_in_halves(together, half) for half in (requests[:middle], requests[middle:])]
    return halves[0] + halves[1]


def copied_failure(failure: Failure) -> Failure:
    """Return a failure like another one: each request raises its own."""
    return Failure(
        failure.kind,
        failure.error_class,
        str(failure),
        retry_after=failure.retry_after,
        refused=failure.refused,
        limits=failure.limits,
    )
