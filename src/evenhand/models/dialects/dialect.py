"""What differs between the protocols that models are asked in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from evenhand.models.http.bodies import loads
from evenhand.models.model import Answer, Failure

__all__ = ["Dialect"]


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One protocol: addresses, headers, the body that is sent and how the answer is read.

    `found` returns the answer in an object that `where` sent, its text None where there
    is none, or raises why there is no answer; `reply` is what such an object is called,
    `wordless` are the endings of answers that may have no text. `lacks` are parameters
    that the protocol does not have, `defaults` those that it requires. `other_names` are
    names that some servers want instead.
    """

    scheme: str
    protocol: str
    example: str
    base_url: str
    path: str
    key_variable: str
    key_headers: Callable[[str], Mapping[str, str]]
    body: Callable[[str, list[dict[str, str]], Mapping[str, Any]], dict[str, Any]]
    reply: str
    found: Callable[[dict[str, Any], str], Answer]
    wordless: frozenset[str]
    headers: Mapping[str, str] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    defaults: Mapping[str, int] = field(default_factory=dict)
    other_names: Mapping[str, str] = field(default_factory=dict)

    def read(self, body: bytes, *, where: str) -> Answer:
        """Return the answer in the body of a successful response; see `answer`."""
        return self.answer(loads(body), where=where)

    def answer(self, data: Any, *, where: str) -> Answer:
        """Return the answer in the JSON of a successful response.

        Raises
        ------
        Failure
            it holds none; `where` names the server in the message.
        """
        if not isinstance(data, dict):
            message = f"{where} sent something that is no {self.reply} (JSON). Check --base-url, which includes /v1."
            raise Failure("retry", "malformed", message)
        answer = self.found(data, where)
        if answer.text is not None:
            return answer
        if answer.finish_reason not in self.wordless:
            raise Failure("retry", "empty", f"{where} sent a {self.reply} without text.")
        return replace(answer, text="")
