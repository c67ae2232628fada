"""What a run costs: what its journal shows, and a budget that asking must not exceed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from evenhand.collect.cost.price import Price
from evenhand.collect.cost.tokens import estimated_tokens
from evenhand.collect.journal.files import journal_files

__all__ = ["Budget", "Share", "Usage", "journaled_shares", "journaled_usage"]


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


def journaled_usage(folder: Path) -> Usage:
    """Return the tokens of all lines of a journal; a line that was cut short has none.

    An answer without a latency came in a batch. Lines of failures have no tokens: what
    a server may have billed for them is for `Budget.uncertain`.
    """
    tokens = _Tokens()
    for record in _records(folder):
        tokens.add(record)
    return tokens.usage()


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """What one of several journals adds to those before it.

    `lines` are those that no journal before holds, with their `usage`; `copied` are the
    others: the same attempt, answered at the same time. `tries` and `copied_tries` are
    the requests that these lines tell of.
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


def _records(folder: Path) -> Iterator[dict[str, Any]]:
    for file in journal_files(folder):
        with file.path.open("rb", buffering=1 << 20) as lines:
            for line in lines:
                try:
                    yield orjson.loads(line)
                except orjson.JSONDecodeError:
                    continue  # the end that a crash left; the journal mends or refuses it


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
