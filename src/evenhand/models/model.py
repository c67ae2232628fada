"""The one shape that everything which answers has: from a request to an answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Protocol, Self

from evenhand.options import Option

__all__ = ["TRANSIENT_ERRORS", "Adaptation", "Answer", "Failure", "Generation", "Model", "Request", "ToldLimit"]

#: Error classes that may not come again: an unfinished run asks these prompts once more.
TRANSIENT_ERRORS = frozenset(
    {
        *("rate_limit", "server_error", "timeout", "connection", "malformed", "empty", "unreachable"),
        *("expired", "cancelled"),  # of prompts in a batch
    }
)


def _penalty(told: str) -> Option:
    return Option(
        f"{told}; default: the server's.",
        check=lambda penalty: -2 <= penalty <= 2,
        expected="a number from -2 to 2",
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Generation:
    """Decoding parameters that are sent with every request; None is left to the server."""

    temperature: Annotated[
        float | None,
        Option(
            "Sent to the model; default: the server's.",
            check=lambda heat: 0 <= heat <= 2,
            expected="a number from 0 to 2",
        ),
    ] = None
    max_tokens: Annotated[
        int | None,
        Option(
            "Longest answer; default: the server's.",
            check=lambda tokens: tokens >= 1,
            expected="a whole number from 1",
        ),
    ] = None
    top_p: Annotated[
        float | None,
        Option(
            "Sample from the likeliest tokens that have this share together; default: the server's.",
            check=lambda share: 0 < share <= 1,
            expected="a number above 0 and up to 1",
        ),
    ] = None
    frequency_penalty: Annotated[float | None, _penalty("Against a token by how often the answer has it")] = None
    presence_penalty: Annotated[float | None, _penalty("Against a token that the answer has")] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One prompt to be answered once.

    `stimulus` is the row of the stimuli table, for simulated and replayed models; a
    model behind HTTP sends `messages` only.
    """

    id: str
    stimulus: Mapping[str, Any]
    attempt: int
    messages: list[dict[str, str]]
    generation: Generation
    seed: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldLimit:
    """What a server says of one of its limits with an answer or a refusal.

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
    id, size and seed of its chunk, and its place there. `told` is what the server said
    of its limits.
    """

    text: str | None
    finish_reason: str | None = None
    returned_model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    error_class: str | None = None
    chunk: Mapping[str, int | str | None] | None = None
    told: tuple[ToldLimit, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Adaptation:
    """One decoding parameter that was not sent as it was asked for.

    `sent` is what was sent in its place, such as another parameter's name, and None where
    the parameter was left out; `requested` is None where a value was sent that nobody asked for.
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
    (the server does not take a parameter, and the model has learned to do without: asked
    again at once, which is one request more), `elsewhere` (of several servers this one
    failed: asked again at once, which another gets).
    `retry_after` is in seconds where the server named it. `refused` is True where the
    server is busy or the account at a limit; `told` is what it said of its limits.
    """

    def __init__(
        self,
        kind: str,
        error_class: str,
        message: str,
        *,
        retry_after: float | None = None,
        refused: bool = False,
        told: tuple[ToldLimit, ...] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.error_class = error_class
        self.retry_after = retry_after
        self.refused = refused or error_class == "rate_limit"
        self.told = told


class Model(Protocol):
    """Anything that answers requests."""

    name: str
    simulated: bool

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *error: object) -> None: ...

    async def answer(self, request: Request) -> Answer:
        """Return the answer, or raise `Failure`."""
        ...
