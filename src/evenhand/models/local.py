"""A local model: a folder of weights, run in this process by transformers."""

import asyncio
import hashlib
import importlib.util
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

import orjson

from evenhand.errors import InputError
from evenhand.models.local_weights import Generated, Weights, load_weights
from evenhand.models.model import Answer, Generation, Request, RequestBatcher

#: Decoding parameters that transformers hasn't.
UNKNOWN_PARAMETERS = frozenset({"frequency_penalty", "presence_penalty"})


class LocalModel:
    """A language model that runs in this process; use it as an async context manager.

    Requests are gathered into chunks: of `concurrency` prompts, or of all that wait when
    no more come. The prompts of a chunk are padded to one length and generated together.
    Weights are read when the first prompt comes.
    """

    simulated = False

    def __init__(self, folder: Path, *, name: str, concurrency: int) -> None:
        self.name = name
        self._folder = folder
        self._concurrency = concurrency
        self._weights: Weights | None = None
        self._stop = threading.Event()
        self._thread: ThreadPoolExecutor | None = None
        self._batcher: RequestBatcher[Request, Answer] | None = None

    async def __aenter__(self) -> Self:
        self._stop.clear()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evenhand-local")
        batcher: RequestBatcher[Request, Answer] = RequestBatcher(
            self._together, most=self._concurrency, key=lambda request: request.generation
        )
        self._batcher = await batcher.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        # Generation looks at this once per token, so a stop takes no longer than the token under way.
        self._stop.set()
        if self._batcher is not None:
            await self._batcher.__aexit__(*error)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.shutdown)
        self._weights = self._thread = self._batcher = None

    async def answer(self, request: Request) -> Answer:
        """Return the model's answer, generated together with the other requests that wait.

        Raises
        ------
        InputError
            an unknown decoding parameter, or a folder whose weights can't be used.
        Failure
            no answer came; `kind` says whether to ask again.
        """
        assert self._batcher is not None, "LocalModel is used inside 'async with'"
        _check(request.generation, name=self.name)
        return await self._batcher.answer(request)

    async def _together(self, requests: Sequence[Request]) -> list[Answer]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._generated, requests)

    def _generated(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the answers of one chunk; runs in the model's own thread."""
        if self._weights is None:
            self._weights = load_weights(self._folder)
        seed = chunk_seed(requests)
        generation = requests[0].generation
        texts = self._weights.generate(
            [request.messages for request in requests], generation=generation, seed=seed, stop=self._stop
        )
        sampled = self._weights.samples(generation)
        return [
            _answer(
                text,
                fingerprint=self._weights.fingerprint,
                chunk={
                    "id": f"{seed:012x}",
                    "place": place,
                    "size": len(requests),
                    "seed": seed if sampled else None,
                },
            )
            for place, text in enumerate(texts)
        ]


def open_local(path: str, *, name: str, concurrency: int) -> LocalModel:
    """Return the model in the folder `path`, nothing of it read yet.

    Raises
    ------
    InputError
        torch or transformers are not installed, or there is no such folder.
    """
    return LocalModel(weights_folder(path, name=name, files=("config.json",)), name=name, concurrency=concurrency)


def weights_folder(path: str, *, name: str, files: Sequence[str]) -> Path:
    """Return the folder of a model that has these files, nothing of it read yet.

    Raises
    ------
    InputError
        torch or transformers are not installed, or there is no such folder.
    """
    folder = Path(path).expanduser()
    expected = f"expected a folder with {', '.join(files)}, a tokenizer and weights; evenhand downloads nothing"
    if not folder.is_dir():
        raise InputError(f"Model {name!r}: there is no folder {path}; {expected}.")
    for file in files:
        if not (folder / file).is_file():
            raise InputError(f"Model {name!r}: {path} has no {file}; {expected}.")
    missing = [package for package in ("torch", "transformers") if importlib.util.find_spec(package) is None]
    if missing:
        raise InputError(
            f"Model {name!r} needs {' and '.join(missing)}, not installed here: "
            "pip install torch, then pip install 'evenhand[local]'."
        )
    return folder


def chunk_seed(requests: Sequence[Request]) -> int:
    """Return the seed that a chunk is sampled with, 48 bits from its requests.

    The same prompts in the same order, with the same seeds and repetitions, give the
    same seed; where the weights lie doesn't matter.
    """
    parts = [[request.messages, request.seed, request.attempt] for request in requests]
    content = orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
    return int.from_bytes(hashlib.blake2b(content, digest_size=6).digest(), "big")


def _check(generation: Generation, *, name: str) -> None:
    """Refuse parameters that would be ignored."""
    for option in sorted(UNKNOWN_PARAMETERS):
        if getattr(generation, option):
            parameter = option.replace("_", " ")
            raise InputError(f"Model {name!r} doesn't support {parameter}; use a server of vLLM or SGLang.")


def _answer(generated: Generated, *, fingerprint: str, chunk: dict[str, int | str | None]) -> Answer:
    return Answer(
        text=generated.text,
        finish_reason=generated.finish_reason,
        returned_model=fingerprint,
        input_tokens=generated.input_tokens,
        output_tokens=generated.output_tokens,
        error_class=generated.error_class,
        chunk=chunk,
    )
