"""What is asked, in which order, under which id."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.models.model import Generation, Request

__all__ = ["CHUNK", "Planned", "attempt_id", "planned", "shard_part"]

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


def attempt_id(
    *,
    probe: str,
    version: str,
    index: int,
    model: str,
    generation: Generation,
    messages: list[dict[str, str]],
    seed: int | None,
    repetition: int,
) -> str:
    """Return 16 hex digits that name one attempt by all that could change its answer.

    >>> same = {"probe": "p", "version": "1", "index": 0, "model": "m", "generation": Generation(), "seed": 0}
    >>> first = attempt_id(**same, messages=[{"role": "user", "content": "a"}], repetition=0)
    >>> first == attempt_id(**same, messages=[{"role": "user", "content": "b"}], repetition=0)
    False
    """
    return _digest(_fixed(probe, version, model, generation), index, messages, seed, repetition)


def planned(
    indices: NDArray[np.int64],
    *,
    stimuli: Callable[[NDArray[np.int64]], pl.DataFrame],
    probe: str,
    version: str,
    model: str,
    generation: Generation,
    seed: int | None,
    order_seed: int,
    repetitions: int = 1,
    part: NDArray[np.bool_] | None = None,
    chunk: int = CHUNK,
) -> Iterator[list[Planned]]:
    """Yield all attempts in the order of sending, a list of at most `chunk` at a time.

    `indices` are stimuli in shuffled order, and that is the order of sending when each
    is asked once. With more repetitions the attempts themselves are shuffled, from
    `order_seed`, so that the repetitions of a stimulus are spread over the run.
    `stimuli` returns one row per index given, in that order, with a `prompt`. Attempt r
    is sent with `seed + r`; None sends no seed. `part` says which of `indices` this
    machine asks; its attempts keep their place in the order of all.
    """
    fixed = _fixed(probe, version, model, generation)
    slots = _slots(len(indices), repetitions, order_seed)
    own = None if part is None else np.flatnonzero(part if slots is None else part[slots // repetitions])
    total = len(indices) * repetitions if own is None else len(own)
    for start in range(0, total, chunk):
        orders = np.arange(start, min(start + chunk, total)) if own is None else own[start : start + chunk]
        places: NDArray[np.int64] = orders if slots is None else slots[orders].astype(np.int64)
        asked = np.asarray(indices, dtype=np.int64)[places // repetitions]
        rows = stimuli(asked).iter_rows(named=True)
        pieces = zip(orders.tolist(), asked.tolist(), (places % repetitions).tolist(), rows, strict=True)
        yield [
            _plan(
                fixed,
                generation=generation,
                index=index,
                repetition=repetition,
                row=row,
                seed=seed,
                sent_order=sent_order,
            )
            for sent_order, index, repetition, row in pieces
        ]


def shard_part(size: int, *, block: int, number: int, of: int) -> NDArray[np.bool_]:
    """Return which of `size` shuffled stimuli the `number`-th of `of` machines asks.

    Blocks go round the machines in turn, so pairs stay together and each part is itself
    a random sample.

    >>> shard_part(8, block=2, number=1, of=2).tolist()
    [True, True, False, False, True, True, False, False]
    """
    return np.asarray(np.arange(size) // block % of == number - 1)


def _plan(
    fixed: list[Any],
    *,
    generation: Generation,
    index: int,
    repetition: int,
    row: Mapping[str, Any],
    seed: int | None,
    sent_order: int,
) -> Planned:
    messages = [{"role": "user", "content": row["prompt"]}]
    own = row.get("seed")  # some designs ask one prompt with several seeds
    sent_seed = own + repetition if own is not None else None if seed is None else seed + repetition
    request = Request(
        id=_digest(fixed, index, messages, sent_seed, repetition),
        stimulus=row,
        attempt=repetition,
        messages=messages,
        generation=generation,
        seed=sent_seed,
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


def _fixed(probe: str, version: str, model: str, generation: Generation) -> list[Any]:
    # 0 and 0.0 are one temperature.
    temperature = None if generation.temperature is None else float(generation.temperature)
    fixed = [probe, version, model, temperature, generation.max_tokens]
    others = (generation.top_p, generation.frequency_penalty, generation.presence_penalty)
    # Ids of runs without these parameters stay what they were.
    return fixed if others == (None, None, None) else [*fixed, *others]


def _digest(fixed: list[Any], index: int, messages: list[dict[str, str]], seed: int | None, repetition: int) -> str:
    content = orjson.dumps([*fixed, int(index), messages, seed, int(repetition)], option=orjson.OPT_SORT_KEYS)
    return hashlib.blake2b(content, digest_size=8).hexdigest()
