"""The plan of a run: which prompts are sent, in which order, under which id; and the simulated model."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.models.model import Answer, Generation, InProcess, Request
from evenhand.probes.probe import Probe

#: Requests that are built at a time; nothing holds more of them.
CHUNK = 4_096

# Keeps this shuffle apart from other draws that start from the run's seed.
_ORDER_STREAM = 0x6F72646572


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """A request with its stimulus index and its place in the order of sending."""

    request: Request
    index: int
    sent_order: int


@dataclass(frozen=True, kw_only=True)
class OrderedPrompts:
    """What all attempts of a run have in common; their ids depend on it. `seed` is None where none is sent."""

    probe: str
    version: str
    model: str
    generation: Generation
    seed: int | None

    def attempt_id(
        self,
        index: int,
        messages: list[dict[str, str]],
        *,
        seed: int | None,
        repetition: int,
        schema: str | None = None,
    ) -> str:
        """Return 16 hex digits that name one attempt, sent with `seed`, by all that could change its answer.

        >>> prompts = OrderedPrompts(probe="p", version="1", model="m", generation=Generation(), seed=0)
        >>> first = prompts.attempt_id(0, [{"role": "user", "content": "a"}], seed=0, repetition=0)
        >>> first == prompts.attempt_id(0, [{"role": "user", "content": "b"}], seed=0, repetition=0)
        False
        """
        content = [*self._common, int(index), messages, seed, int(repetition), *([] if schema is None else [schema])]
        return hashlib.blake2b(orjson.dumps(content, option=orjson.OPT_SORT_KEYS), digest_size=8).hexdigest()

    @cached_property
    def _common(self) -> list[Any]:
        """What the ids of all attempts are made of."""
        generation = self.generation
        common = [self.probe, self.version, self.model, _number(generation.temperature), generation.max_tokens]
        others = [
            _number(parameter)
            for parameter in (generation.top_p, generation.frequency_penalty, generation.presence_penalty)
        ]
        # Ids of runs without these parameters stay what they were.
        return common if others == [None, None, None] else [*common, *others]


def _number(value: float | None) -> float | None:
    """Return a parameter as it stands in ids: 0 and 0.0 are one."""
    return None if value is None else float(value)


def planned(
    indices: NDArray[np.int64],
    *,
    stimuli: Callable[[NDArray[np.int64]], pl.DataFrame],
    asked: OrderedPrompts,
    order_seed: int,
    repetitions: int = 1,
    part: NDArray[np.bool_] | None = None,
    follow: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
    chunk: int = CHUNK,
) -> Iterator[list[Planned]]:
    """Yield all attempts in the order of sending, a list of at most `chunk` at a time.

    `indices` are stimuli in shuffled order, and that is the order of sending when each
    is sent once. With more repetitions the attempts themselves are shuffled, from
    `order_seed`, so that the repetitions of a stimulus are spread over the run.
    `stimuli` returns one row per index given, in that order, with a `prompt`. Attempt r
    is sent with the seed of `asked` + r. `part` says which of `indices` this
    machine sends; its attempts keep their place in the order of all. `follow` takes the rows
    with their `attempt`, and returns those that can be sent.
    """
    slots = _slots(len(indices), repetitions, order_seed)
    shard_slots = None if part is None else np.flatnonzero(part if slots is None else part[slots // repetitions])
    total = len(indices) * repetitions if shard_slots is None else len(shard_slots)
    for start in range(0, total, chunk):
        orders = (
            np.arange(start, min(start + chunk, total)) if shard_slots is None else shard_slots[start : start + chunk]
        )
        places: NDArray[np.int64] = orders if slots is None else slots[orders].astype(np.int64)
        chosen = np.asarray(indices, dtype=np.int64)[places // repetitions]
        numbers = pl.DataFrame({"sent_order": orders, "place": chosen, "attempt": places % repetitions})
        rows = stimuli(chosen)
        if follow is not None:
            rows = follow(rows.with_columns(numbers["sent_order"], numbers["place"], numbers["attempt"]))
            numbers, rows = rows.select(numbers.columns), rows.drop(numbers.columns)
        yield [
            _plan(asked, index=index, repetition=repetition, row=row, sent_order=sent_order)
            for (sent_order, index, repetition), row in zip(
                numbers.iter_rows(), rows.iter_rows(named=True), strict=True
            )
        ]


def shard_part(size: int, *, block: int, number: int, of: int) -> NDArray[np.bool_]:
    """Return which of `size` shuffled stimuli the `number`-th of `of` machines sends.

    Blocks go round the machines in turn, so pairs stay together and each part is itself
    a random sample.

    >>> shard_part(8, block=2, number=1, of=2).tolist()
    [True, True, False, False, True, True, False, False]
    """
    return np.asarray(np.arange(size) // block % of == number - 1)


def _plan(asked: OrderedPrompts, *, index: int, repetition: int, row: Mapping[str, Any], sent_order: int) -> Planned:
    system = [{"role": "system", "content": row["system"]}] if row.get("system") else []
    messages = [*system, {"role": "user", "content": row["prompt"]}]
    row_seed = row.get("seed")  # some designs ask one prompt with several seeds
    seed = asked.seed if row_seed is None else row_seed
    sent_seed = None if seed is None else seed + repetition
    schema = row.get("schema")
    request = Request(
        id=asked.attempt_id(index, messages, seed=sent_seed, repetition=repetition, schema=schema),
        stimulus=row,
        attempt=repetition,
        messages=messages,
        generation=asked.generation,
        seed=sent_seed,
        schema=schema,
    )
    return Planned(request=request, index=index, sent_order=sent_order)


def _slots(stimuli: int, repetitions: int, order_seed: int) -> NDArray[np.uint32] | None:
    """Return the shuffled slots (stimulus by repetition), None where the order is given."""
    if repetitions == 1:
        return None
    total = stimuli * repetitions
    # Half the memory of int64; a plan of more than four billion attempts is not sent.
    slots = np.arange(total, dtype=np.uint32)
    np.random.Generator(np.random.PCG64([order_seed, _ORDER_STREAM])).shuffle(slots)
    return slots


class SimulatedModel(InProcess):
    """Answers like a model whose bias is known.

    `strength` 1 hits the reference values of the probe's card, 0 is at chance. An
    answer depends on `seed`, the stimulus and the attempt, on nothing else.
    """

    simulated = True

    def __init__(self, name: str, probe: Probe, *, kind: str, strength: float, seed: int) -> None:
        self.name = name
        self._probe = probe
        self._kind = kind
        self._strength = strength
        self._seed = seed

    async def answer(self, request: Request) -> Answer:
        """Return the respondent's text."""
        rng = Random(f"{self._seed}/{request.stimulus['index']}/{request.attempt}")  # noqa: S311 - no secrets here
        text = self._probe.respond(request.stimulus, self._kind, self._strength, rng)
        return Answer(text=text, finish_reason="stop", returned_model=self.name)
