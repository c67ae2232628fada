"""How many tokens a request has: estimated before, bounded from above, known after."""

from collections.abc import Sequence
from math import ceil

from evenhand.models.model import Answer, Request

__all__ = [
    "CHARACTERS_PER_TOKEN",
    "TOKENS_PER_MESSAGE",
    "TokenCount",
    "estimated_tokens",
    "mean_prompt_tokens",
    "prompt_tokens",
]

#: English prompts of the probes have 4.3 to 5.0 characters per token with OpenAI's cl100k and o200k, Anthropic's
#: published and DeepSeek's tokenizer (200 prompts per probe, counted once; see docs/statistics.md).
CHARACTERS_PER_TOKEN = 4.5
#: What a chat template puts around a message: role, begin, end.
TOKENS_PER_MESSAGE = 8

# Before anything was answered: what an answer is taken for when no --max-tokens is given.
_FIRST_ANSWER = 256
# An answer is bounded by so many times the largest one seen.
_ANSWER_MARGIN = 2.0
# A prompt is bounded by so many times the tokens per character seen at most.
_PROMPT_MARGIN = 1.5
_MESSAGE_BOUND = 64


def estimated_tokens(characters: float) -> float:
    """Return about how many tokens a text of so many characters has.

    >>> estimated_tokens(900)
    200.0
    """
    return characters / CHARACTERS_PER_TOKEN


def mean_prompt_tokens(prompts: Sequence[str]) -> float:
    """Return about how many tokens one of these prompts has as a message of its own.

    >>> mean_prompt_tokens(["x" * 90, "y" * 180])
    38.0
    """
    return TOKENS_PER_MESSAGE + estimated_tokens(sum(map(len, prompts)) / len(prompts))


def prompt_tokens(request: Request) -> float:
    """Return about how many tokens the messages of a request have."""
    return sum(TOKENS_PER_MESSAGE + estimated_tokens(len(message["content"])) for message in request.messages)


class TokenCount:
    """What is known of a model's tokens, from the answers so far.

    `expected` is the mean: the estimate from characters, scaled by the usage seen, and
    the mean answer, or before the first one --max-tokens, else 256 tokens.

    `bounds` is what a request can have at most: as many input tokens as bytes plus 64
    per message, and once usage is known 1.5 times the tokens per character seen at
    most, if that is less; output tokens by --max-tokens, else twice the largest answer
    so far, and never less than 256.
    """

    def __init__(self) -> None:
        self.answers = 0
        self._estimated = self._input = 0.0
        self._output = 0.0
        self._largest_output = 0.0
        self._largest_ratio = 0.0

    def expected(self, request: Request) -> float:
        """Return about how many tokens a request and its answer have."""
        scale = self._input / self._estimated if self._estimated else 1.0
        longest = request.generation.max_tokens
        if self.answers:
            output = self._output / self.answers
            output = output if longest is None else min(output, longest)
        else:
            output = _FIRST_ANSWER if longest is None else longest
        return prompt_tokens(request) * scale + output

    def bounds(self, request: Request) -> tuple[float, float]:
        """Return the most input and output tokens that a request can have."""
        messages = _MESSAGE_BOUND * len(request.messages)
        prompt = float(messages + sum(len(message["content"].encode()) for message in request.messages))
        if self._largest_ratio:
            seen = self._largest_ratio * sum(len(message["content"]) for message in request.messages)
            prompt = min(prompt, ceil(_PROMPT_MARGIN * seen) + messages)
        longest = request.generation.max_tokens
        if longest is not None:
            return prompt, float(longest)
        return prompt, max(float(_FIRST_ANSWER), _ANSWER_MARGIN * self._largest_output)

    def add(self, request: Request, answer: Answer) -> tuple[float, float]:
        """Learn from an answer; return its input and output tokens, estimated where the server names none."""
        estimated = prompt_tokens(request)
        if answer.input_tokens is None:
            used = estimated
        else:
            used = float(answer.input_tokens)
            self._input += used
            self._estimated += estimated
            characters = sum(len(message["content"]) for message in request.messages)
            self._largest_ratio = max(self._largest_ratio, used / max(characters, 1))
        output = answer.output_tokens
        made = estimated_tokens(len(answer.text or "")) if output is None else float(output)
        self.answers += 1
        self._output += made
        self._largest_output = max(self._largest_output, made)
        return used, made
