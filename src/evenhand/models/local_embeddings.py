"""Sentence-transformers weights in this process (`st:FOLDER`): from texts to embeddings, with torch and transformers.

The folder's modules.json says what is done: a transformer, the mean of its tokens or the first one, maybe a length
of 1. No code of the folder is run; a module that isn't one of these is refused.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from evenhand.errors import InputError
from evenhand.models.local import fingerprint, read_weights, weights_folder
from evenhand.models.model import Failure
from evenhand.models.rankers import PER_REQUEST, Embedded, EmbeddingScorer, checked_vector
from evenhand.results.files import file_json
from evenhand.results.messages import listed, quoted

_MODULES: Final = ("Transformer", "Pooling", "Normalize")
#: Poolings by their key in the folder of the module.
_POOLINGS: Final = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "first"}


@dataclass(frozen=True, kw_only=True)
class _Sentence:
    """What a folder says of its embeddings: pooling, whether they get length 1, and the tokens of a text at most."""

    pooling: str
    normalised: bool
    longest: int | None


class LocalEmbedder:
    """Embeds texts with the weights of a folder, which are read when the first text comes; an async context manager."""

    per_request = PER_REQUEST
    unencrypted: str | None = None

    def __init__(self, folder: Path, stated: _Sentence) -> None:
        self._folder = folder
        self._stated = stated
        self._thread: ThreadPoolExecutor | None = None
        self._weights: tuple[Any, Any, str] | None = None
        self._texts = self._cut = self._longest = 0

    async def __aenter__(self) -> Self:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evenhand-embeddings")
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._thread is not None:
            await asyncio.to_thread(self._thread.shutdown)
        self._thread = self._weights = None

    async def embedded(self, texts: Sequence[str]) -> list[Embedded | Failure]:
        """Return the embedding of each text; see `Embedder`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._embedded, list(texts))

    def remarks(self) -> Sequence[str]:
        """Return how many texts the model read in part only."""
        if not self._cut:
            return ()
        return [
            f"The model reads {self._longest:,} tokens of a text: {self._cut:,} of {self._texts:,} texts are "
            "longer, and their ends moved no score."
        ]

    def _embedded(self, texts: list[str]) -> list[Embedded | Failure]:
        """Return the embeddings of texts; runs in a thread of its own."""
        import torch

        if self._weights is None:
            model, tokenizer = read_weights(self._folder, "AutoModel", unused="pooler.")
            self._weights = model, tokenizer, f"{type(model).__name__} sha256:{fingerprint(self._folder)[:16]}"
        model, tokenizer, name = self._weights
        whole = [len(tokens) for tokens in tokenizer(texts, truncation=False, verbose=False)["input_ids"]]
        self._longest = longest = int(self._stated.longest or min(tokenizer.model_max_length, max(whole)))
        self._texts += len(texts)
        self._cut += sum(tokens > longest for tokens in whole)
        tokens = tokenizer(
            texts, truncation=True, max_length=longest, padding=True, padding_side="right", return_tensors="pt"
        ).to(model.device)
        with torch.inference_mode():
            try:
                states = model(**tokens).last_hidden_state.float()
            except torch.OutOfMemoryError:
                message = f"The memory of {model.device} is too small for {len(texts)} texts at once; use a larger one."
                raise Failure("fatal", "memory", message) from None
            if self._stated.pooling == "mean":
                mask = tokens["attention_mask"].unsqueeze(-1).float()
                vectors = (states * mask).sum(1) / mask.sum(1)
            else:
                vectors = states[:, 0]
            if self._stated.normalised:
                vectors = torch.nn.functional.normalize(vectors, dim=1)
        where = str(self._folder)
        return [
            Embedded(vector=checked_vector(vector.tolist(), where=where), model=name, tokens=min(count, longest))
            for vector, count in zip(vectors.cpu().numpy().astype(np.float32), whole, strict=True)
        ]


def open_sentence_model(path: str, *, name: str) -> EmbeddingScorer:
    """Return the scorer of a folder of sentence-transformers, its weights not yet read.

    Raises
    ------
    InputError
        torch or transformers are not installed, there is no such folder, or a module of it is unknown.
    """
    folder = weights_folder(path, name=name, files=("modules.json", "config.json"))
    return EmbeddingScorer(name, LocalEmbedder(folder, _stated(folder)), at_once=1)


def _stated(folder: Path) -> _Sentence:
    modules = _json(folder / "modules.json")
    rows = [row if isinstance(row, dict) else {} for row in modules] if isinstance(modules, list) else [{}]
    kinds = [str(row.get("type")) for row in rows]
    known = {f"sentence_transformers.models.{module}" for module in _MODULES}
    strange = next((kind for kind in kinds if kind not in known), None)
    names = [kind.rpartition(".")[2] for kind in kinds]
    if strange is not None or names not in (list(_MODULES), list(_MODULES[:2])):
        what = f"the module {quoted(strange)}" if strange is not None else f"the modules {listed(names)}"
        raise InputError(f"{folder} has {what} in modules.json; expected {listed(_MODULES)} in this order.")
    place = str(rows[1].get("path"))
    if not place or Path(place).name != place:
        raise InputError(f"{folder} has its pooling in {quoted(place)}; expected a folder in it, such as 1_Pooling.")
    pooling = _json(folder / place / "config.json")
    modes = [key for key, value in pooling.items() if key.startswith("pooling_mode") and value]
    if len(modes) != 1 or modes[0] not in _POOLINGS:
        raise InputError(f"{folder} has the pooling {listed(modes) or 'none'}; expected one of {listed(_POOLINGS)}.")
    prompted = _optional(folder / "config_sentence_transformers.json").get("default_prompt_name")
    if prompted is not None:
        raise InputError(
            f"{folder} puts the prompt {quoted(prompted)} before every text, which st: doesn't; run it on a "
            "server, and use embedding: with --base-url."
        )
    longest = _optional(folder / "sentence_bert_config.json").get("max_seq_length")
    return _Sentence(
        pooling=_POOLINGS[modes[0]],
        normalised="Normalize" in names,
        longest=longest if isinstance(longest, int) and longest > 0 else None,
    )


def _optional(path: Path) -> dict[str, Any]:
    content = _json(path) if path.is_file() else {}
    return content if isinstance(content, dict) else {}


def _json(path: Path) -> Any:
    try:
        return file_json(path)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} can't be read as JSON: {type(error).__name__}.") from None
