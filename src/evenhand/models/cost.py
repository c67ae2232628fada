"""Tokens and cost: estimates before a request, usage after it, prices from a TOML file, and a budget."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from math import ceil
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from evenhand.data.toml_files import read_toml
from evenhand.errors import InputError
from evenhand.models.journal import ANSWERS, journal_files
from evenhand.models.model import Answer, Request
from evenhand.results.audit import Price
from evenhand.results.messages import quoted

#: English prompts of the probes have 4.3 to 5.0 characters per token with OpenAI's cl100k and o200k, Anthropic's
#: published and DeepSeek's tokenizer (200 prompts per probe, counted once; see docs/design/collecting.md).
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


#: Characters of a message of the TOML reader.
_LONGEST = 200
_LAYOUT = 'expected [models."NAME"] with input and output, prices per million tokens'
#: The kind of error that pydantic finds in a key which is no field.
_UNKNOWN = "unexpected_keyword_argument"

_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]
_Share = Annotated[float, Field(ge=0, le=1, strict=True)]
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Prices by model name or pattern, as the file has them."""

    path: Path
    models: Mapping[str, Price]

    def of(self, model: str) -> Price | None:
        """Return the price of a model such as openai:gpt-4o; None where the file has none.

        A name counts with or without its scheme. A name that is spelled out goes before
        patterns (`*`, `?`), a longer pattern before a shorter one.
        """
        names = (model, model.partition(":")[2])
        for name in names:
            if name in self.models:
                return self.models[name]
        fitting = [pattern for pattern in self.models if any(fnmatchcase(name, pattern) for name in names)]
        return self.models[max(fitting, key=len)] if fitting else None

    def reason(self, model: str) -> str:
        """Return why there is no price for a model, in one sentence."""
        near = get_close_matches(model.partition(":")[2], self.models, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        return f"{self.path.name} has no price for {model}.{hint}"


@dataclass(frozen=True, kw_only=True)
class _Written:
    """The price of a model as the file has it."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    input: _Amount
    output: _Amount
    currency: _Text | None = None
    batch_discount: _Share = 0.0


@dataclass(frozen=True, kw_only=True)
class _File:
    __pydantic_config__ = ConfigDict(extra="forbid")

    models: Annotated[dict[str, _Written], Field(min_length=1)]
    currency: _Text | None = None


_FILE = TypeAdapter(_File)
_KEYS = [field.name for field in fields(Price)]


def read_prices(path: Path) -> Prices:
    """Return the prices in a TOML file.

    Raises
    ------
    InputError
        The file can't be read, is no TOML, or has something else in it than prices.

    """
    try:
        file = _FILE.validate_python(read_toml(path, option="--prices").values)
    except ValidationError as error:
        raise InputError(_message(path, error.errors(include_url=False, include_context=False))) from None
    models = {
        name: Price(**asdict(replace(price, currency=price.currency or file.currency)))
        for name, price in file.models.items()
    }
    return Prices(path=path, models=models)


def _message(path: Path, errors: Sequence[ErrorDetails]) -> str:
    """Return what is wrong with a file in one line; a key that nobody knows comes before what it leaves open."""
    error = min(errors, key=lambda detail: detail["type"] != _UNKNOWN)
    place, key, value = error["loc"], str(error["loc"][-1]), quoted(error["input"])
    if key == "currency" and len(place) != 2:
        return f'{path}: currency is {value}; expected a text such as "USD".'
    if len(place) == 1:
        if error["type"] == _UNKNOWN:
            return f"{path} has the unknown key {quoted(key)}; {_LAYOUT}, and if wanted currency."
        return f"{path} holds no prices; {_LAYOUT}."
    where = f'{path}, [models."{quoted(str(place[1]))[1:-1]}"]'
    if len(place) == 2:
        return f"{where} is {value}; {_LAYOUT}."
    return where + _wrong(error, key, value)


def _wrong(error: ErrorDetails, key: str, value: str) -> str:
    if error["type"] == "missing":
        return f" has no {key}; expected the price of a million {key} tokens."
    if isinstance(error["input"], dict):
        # Without quotes TOML reads the dots of gpt-4.1 as tables in tables.
        return ' holds tables; write a name with dots in quotes, as in [models."gpt-4.1"].'
    if error["type"] == _UNKNOWN:
        return f" has the unknown key {quoted(key)}; expected {', '.join(_KEYS)}."
    if error["type"] == "less_than_equal":
        return f": {key} is {value}; expected a share from 0 to 1, such as 0.5."
    return f": {key} is {value}; expected a number from 0."


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens of a journal, as the server counted them; repeated attempts count each time.

    `uncounted` answers came without usage, with so many characters of text. `batched` is
    the part of all this that a provider's batches answered.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    answers: int = 0
    uncounted: int = 0
    uncounted_characters: int = 0
    batched: "Usage | None" = None

    def cost(self, price: Price, *, prompt: float) -> float:
        """Return the cost; an answer without usage has `prompt` tokens before it, its own are estimated."""
        whole = price.cost(
            self.input_tokens + self.uncounted * prompt,
            self.output_tokens + estimated_tokens(self.uncounted_characters),
        )
        return whole if self.batched is None else whole - price.batch_discount * self.batched.cost(price, prompt=prompt)


def journaled_usage(folder: Path, stem: str = ANSWERS) -> Usage:
    """Return the tokens of all lines of a journal; a line that was cut short has none.

    An answer without a latency came in a batch. Lines of failures have no tokens: what
    a server may have billed for them is for `Budget.uncertain`.
    """
    tokens = _Tokens()
    for record in _records(folder, stem):
        tokens.add(record)
    return tokens.usage()


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """What one of several journals adds to those before it.

    `lines` are those that no journal before holds, with their `usage`; `copied` are the
    others: the same attempt, answered at the same time. `tries` and `copied_tries` are
    the requests that these lines stand for.
    """

    lines: int
    copied: int
    tries: int
    copied_tries: int
    usage: Usage


def journaled_shares(folders: Sequence[Path]) -> list[Share]:
    """Return what each journal adds to those before it; some 60 bytes per line."""
    seen: set[int] = set()
    shares = []
    for folder in folders:
        tokens = _Tokens()
        counts, tries = [0, 0], [0, 0]
        for record in _records(folder):
            key = hash((record.get("id"), record.get("time")))
            copied = key in seen
            counts[copied] += 1
            tries[copied] += 1 + (record.get("retries") or 0)
            if not copied:
                seen.add(key)
                tokens.add(record)
        shares.append(
            Share(lines=counts[0], copied=counts[1], tries=tries[0], copied_tries=tries[1], usage=tokens.usage())
        )
    return shares


def _records(folder: Path, stem: str = ANSWERS) -> Iterator[dict[str, Any]]:
    for file in journal_files(folder, stem):
        with file.path.open("rb", buffering=1 << 20) as lines:
            for line in lines:
                try:
                    yield orjson.loads(line)
                except orjson.JSONDecodeError:
                    continue  # the end that a crash left; the journal repairs or refuses it


class _Tokens:
    """Inputs, outputs, answers, uncounted ones and their characters: of single calls, and of batches."""

    def __init__(self) -> None:
        self._sums = [[0] * 5, [0] * 5]

    def add(self, record: dict[str, Any]) -> None:
        """Count one line."""
        if record.get("error_class") is not None:
            return
        tokens = self._sums[record.get("latency") is None]
        tokens[2] += 1
        tokens_in, tokens_out = record.get("input_tokens"), record.get("output_tokens")
        if tokens_in is None or tokens_out is None:
            tokens[3] += 1
            tokens[4] += len(record.get("text") or "")
        else:
            tokens[0] += tokens_in
            tokens[1] += tokens_out

    def usage(self) -> Usage:
        """Return the sums."""
        batched = _usage(self._sums[1])
        both = [single + batch for single, batch in zip(*self._sums, strict=True)]
        return _usage(both, batched if batched.answers else None)


def _usage(sums: Sequence[int], batched: Usage | None = None) -> Usage:
    inputs, outputs, answers, uncounted, characters = sums
    return Usage(
        input_tokens=inputs,
        output_tokens=outputs,
        answers=answers,
        uncounted=uncounted,
        uncounted_characters=characters,
        batched=batched,
    )


class Budget:
    """An amount that must not be exceeded, whatever requests in flight turn out to cost; infinite, it only counts.

    `spent` is what was paid, `uncertain` what tries without an answer may have cost at
    most (a server bills an answer that came too late), `reserved` what those in flight
    can cost at most. A request is sent only where all three and its own bound fit.
    """

    def __init__(self, price: Price, limit: float, *, spent: float = 0.0, uncertain: float = 0.0) -> None:
        self.price = price
        self.limit = limit
        self.spent = spent
        self.uncertain = uncertain
        self.reserved = 0.0

    def fits(self, most: float) -> bool:
        """Return whether a request that costs at most so much may be sent."""
        return self.spent + self.uncertain + self.reserved + most <= self.limit

    def is_exhausted(self, most: float) -> bool:
        """Return whether such a request does not fit, even if all in flight turn out to be free."""
        return self.spent + self.uncertain + most > self.limit

    def reserve(self, most: float) -> None:
        """Set the bound of a request aside."""
        self.reserved += most

    def settle(self, most: float, *, cost: float = 0.0, uncertain: float = 0.0) -> None:
        """Replace a reserved bound by what the request cost, or may have cost."""
        self.reserved = max(0.0, self.reserved - most)
        self.spent += cost
        self.uncertain += uncertain

    def sentence(self, most: float) -> str:
        """Return why asking stops."""
        unit = f" {self.price.currency}" if self.price.currency else ""
        maybe = f" and up to {self.uncertain:.6g} by tries without an answer" if self.uncertain else ""
        return (
            f"The next request could cost up to {most:.6g}{unit}, and {self.spent:.6g} of --max-cost {self.limit:g} "
            f"are spent{maybe}."
        )
