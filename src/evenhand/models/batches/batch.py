"""The one shape that providers' batch APIs are brought into."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self

from yarl import URL

from evenhand.models.model import Answer, Failure, Request

__all__ = ["BatchAccess", "BatchItem", "BatchService", "BatchState", "Found"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchAccess:
    """What a model behind HTTP lends to the batches of its provider.

    `base` is the base URL, version included. `body` makes of a request what a single
    call would send, as far as it is known what the server takes, and `parameters` names
    what is in it besides model and messages. `adapts` learns from the rejection of a
    request that was sent with such parameters: a request, the failure, the server's words
    and the parameters; it returns whether that request would have others now.
    """

    base: URL
    headers: Mapping[str, str] = field(repr=False)
    key: str | None = field(repr=False)
    key_variable: str
    timeout: float
    body: Callable[[Request], dict[str, Any]]
    parameters: Callable[[Request], frozenset[str]]
    adapts: Callable[[Request, Failure, bytes, frozenset[str]], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchState:
    """What a provider says about one batch.

    `failed` is one that was refused as a whole: nothing of it was run or paid. `full` is
    such a refusal because too much is queued already. `leftover` is the error class of
    prompts that an ended batch has no result for. `results` are where its results are.
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
    """The result of one prompt: an answer, or why there is none; `said` is a rejection in the server's words."""

    custom_id: str
    answer: Answer | None = None
    failure: Failure | None = None
    said: bytes = b""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The batches that are the one looked for, and how many can't be told yet."""

    states: tuple[BatchState, ...]
    undecided: int = 0


class BatchService(Protocol):
    """A provider that takes many prompts at once and answers within a day.

    Every method raises `Failure`; see there for what its kinds mean.
    """

    access: BatchAccess
    where: str
    most_requests: int
    most_bytes: int

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *error: object) -> None: ...

    def line(self, custom_id: str, request: Request) -> bytes:
        """Return one prompt as it stands in a batch."""
        ...

    async def prepare(self, lines: Sequence[bytes]) -> Any:
        """Bring prompts to the provider as far as nothing is run or paid."""
        ...

    async def create(self, prepared: Any, *, token: str) -> BatchState:
        """Hand a prepared batch over. From here on it costs."""
        ...

    async def find(self, token: str, *, requests: int, since: datetime, known: Collection[str]) -> Found:
        """Return the batches that were created with `token`.

        `since` is when the first of them can have been created, `known` are ids of
        batches that are others.
        """
        ...

    async def look(self, batch_id: str) -> BatchState:
        """Return how far a batch is."""
        ...

    def results(self, state: BatchState) -> AsyncIterator[BatchItem]:
        """Yield the results of an ended batch, in any order."""
        ...

    async def cancel(self, batch_id: str) -> None:
        """Stop a batch; what is done already stays done."""
        ...
