"""What a server would not take, and how the requests were changed for it.

Wordings are those of OpenAI, Azure, OpenRouter, Mistral, vLLM, NIM, xAI, Moonshot, LiteLLM
and Anthropic, as users report them. Names of models say nothing here: a server is believed
only when it names a parameter that was sent and says that it does not take it. A value out
of range is the user's to mend.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from evenhand.models.http.bodies import loads
from evenhand.models.model import Adaptation, Request
from evenhand.patterns import lazy_re

__all__ = ["OTHER_NAMES", "Adaptations", "parameters_asked", "refused_parameters"]

#: A parameter that some servers take by another name only. The limit of tokens is never left out: it bounds the cost.
OTHER_NAMES = {"max_tokens": "max_completion_tokens"}

_PENALTIES = ("frequency_penalty", "presence_penalty")
_PARAMETERS = ("temperature", "top_p", *_PENALTIES, "seed", "max_completion_tokens", "max_tokens")
# Also as camelCase: presencePenalty.
_NAME = rf"\b(?P<name>{'|'.join(name.replace('_', '_?') for name in _PARAMETERS)})\b"
_QUOTE = r"[\"'`]*"
_THING = r"(?:parameters?|values?|arguments?|args?|fields?|keys?|names?|propert(?:y|ies)|options?|inputs?)"
_NOT_TAKEN = (
    r"(?:(?:is|are)\s+)?(?:not\s+(?:currently\s+)?(?:supported|permitted|allowed|accepted|available|recognized)"
    r"|unsupported|deprecated|unrecognized|does\s+not\s+support|extra\s+inputs\s+are\s+not\s+permitted|extra\s+fields\s+not\s+permitted)"
)
_PATTERNS = tuple(
    lazy_re(pattern, re.IGNORECASE)
    for pattern in (
        # Unsupported parameter: 'temperature' … · Unrecognized request argument supplied: seed · Unknown name "seed"
        rf"(?:unsupported|unrecognized|unknown|unexpected)\s+(?:request\s+|keyword\s+)?{_THING}(?:\s+supplied)?\s*:?\s*{_QUOTE}{_NAME}",
        # Argument not supported on this model: presencePenalty
        rf"{_THING}\s+not\s+supported\s+(?:on|with|by|for)\s+this\s+model\s*:\s*{_QUOTE}{_NAME}",
        # does not support parameter presencePenalty · don't support temperature=0.2 · parameters: ['seed']
        rf"(?:does\s+not|doesn't|do\s+not|don't)\s+support\s+(?:the\s+|setting\s+)?(?:{_THING}\s*:?\s*)?[\[{{(]*{_QUOTE}{_NAME}",
        # No digit in between: a value that is not allowed is no parameter that is not taken.
        # `temperature` is deprecated for this model. · property 'seed' is unsupported
        # "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"
        rf"{_NAME}{_QUOTE}[^.;{{}}\d]{{0,24}}?{_NOT_TAKEN}",
        # invalid temperature: only 1 is allowed for this model
        rf"{_NAME}{_QUOTE}\s*:\s*only\s+[\d.]+\s+is\s+(?:allowed|supported)",
    )
)
# `temperature` and `top_p` cannot both be specified for this model. Please use only one.
_NOT_BOTH = lazy_re(rf"temperature{_QUOTE}\s+and\s+{_QUOTE}top_p{_QUOTE}\s+(?:cannot|can't)\s+both", re.IGNORECASE)
_CODES = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter"})
_LOOKED_AT = 20_000


def parameters_asked(request: Request) -> dict[str, Any]:
    """Return the decoding parameters that a request names; what is left to the server is not among them."""
    generation = request.generation
    asked: dict[str, Any] = {}
    if generation.temperature is not None:
        asked["temperature"] = generation.temperature
    if generation.max_tokens is not None:
        asked["max_tokens"] = generation.max_tokens
    for name in ("top_p", *_PENALTIES):
        value = getattr(generation, name)
        if value is not None:
            asked[name] = value
    if request.seed is not None:
        asked["seed"] = request.seed
    return asked


def refused_parameters(body: bytes, sent: Collection[str]) -> list[str]:
    """Return which of the parameters that were sent the error body says the server does not take.

    >>> refused_parameters(b'{"error": "Argument not supported on this model: presencePenalty"}', ["presence_penalty"])
    ['presence_penalty']
    >>> refused_parameters(b'{"error": "temperature must be between 0 and 1"}', ["temperature"])
    []
    """
    text = body[:_LOOKED_AT].decode("utf-8", "replace")
    # Gateways pass an error on as text in their own: quotes and line breaks are escaped once or twice.
    text = re.sub(r"\\+n", " ", text)
    text = re.sub(r"\\+", "", text)
    if "top_p" in sent and _NOT_BOTH.search(text):
        return ["top_p"]
    error = loads(body)
    error = error.get("error") if isinstance(error, dict) else None
    named = [match.group("name") for pattern in _PATTERNS for match in pattern.finditer(text)]
    if isinstance(error, dict) and error.get("code") in _CODES and isinstance(error.get("param"), str):
        named.append(error["param"])
    plain = {name.replace("_", "").lower() for name in named}
    return [name for name in sent if name.replace("_", "") in plain]


class Adaptations:
    """How the requests of one run were changed; what was learned once holds for all that follow.

    `answered` is set once there are answers: they were given with what is left out later.
    """

    def __init__(self) -> None:
        self.all: list[Adaptation] = []
        self._left_out: set[str] = set()
        self.answered = False

    def taken(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters without those that are left out by now."""
        if not self._left_out:
            return dict(asked)
        return {name: value for name, value in asked.items() if name not in self._left_out}

    def resume(self, earlier: Iterable[Adaptation]) -> None:
        """Leave out what was left out before, without saying it again."""
        for adaptation in earlier:
            self._left_out.add(adaptation.parameter)
            self.all.append(adaptation)

    def leave_out(self, name: str, asked: object, *, reason: str, tell: Callable[[str], None]) -> None:
        """Send `name` no more."""
        if name not in self._left_out:
            self._left_out.add(name)
            partly = self.answered
            self._add(Adaptation(parameter=name, requested=asked, sent=None, reason=reason, partly=partly), tell)

    def note(self, name: str, asked: object, *, sent: str | int, reason: str, tell: Callable[[str], None]) -> None:
        """Record, once, that `name` is sent as `sent`."""
        if all(each.parameter != name or each.sent != sent for each in self.all):
            self._add(Adaptation(parameter=name, requested=asked, sent=sent, reason=reason), tell)

    def _add(self, adaptation: Adaptation, tell: Callable[[str], None]) -> None:
        self.all.append(adaptation)
        if adaptation.requested is not None:
            tell(adaptation.sentence)
