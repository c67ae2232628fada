"""The one shape that providers' batch APIs are brought into."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from yarl import URL

from evenhand.models.model import Answer, Failure, Request

__all__ = ["BatchAccess", "BatchItem", "BatchState", "Found", "ReadAnswer", "Sought"]


class ReadAnswer(Protocol):
    """Reads the JSON of a successful response, or raises why it holds no answer."""

    def __call__(self, data: Any, *, where: str) -> Answer:
        """Return the answer in what a server sent."""
        ...


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
    answer: ReadAnswer
    parameters: Callable[[Request], frozenset[str]]
    adapts: Callable[[Request, Failure, bytes, frozenset[str]], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchState:
    """What a provider says about one batch.

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
