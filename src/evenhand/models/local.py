"""A local model: a folder of weights, run in this process by transformers; its weights, from prompts to texts.

Torch and transformers are imported when a folder is loaded: they are an extra, and take seconds to import.
"""

import asyncio
import contextlib
import copy
import hashlib
import importlib.util
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import orjson

from evenhand.errors import InputError
from evenhand.models.model import Answer, Failure, Generation, Request, RequestBatcher
from evenhand.results.files import sha256_of

#: Tokens that an answer may have where --max-tokens is not given; transformers' own default is 20.
DEFAULT_MAX_TOKENS = 1024

_MESSAGE_LENGTH = 240

_TOKENIZER_AND_CONFIG = {".json", ".jinja", ".model", ".txt"}
# Read in this order; where there are several, transformers takes the first kind.
_WEIGHTS = (".safetensors", ".bin")


@dataclass(frozen=True, kw_only=True, slots=True)
class Generated:
    """What was generated for one prompt; `output_tokens` count the one that ends it."""

    text: str | None
    finish_reason: str | None
    input_tokens: int
    output_tokens: int
    error_class: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """A model and its tokenizer, with what its folder states about decoding.

    `fingerprint` names architecture and content, so that answers can be traced to their weights.
    """

    model: Any
    tokenizer: Any
    stated: dict[str, Any]
    fingerprint: str

    def samples(self, generation: Generation) -> bool:
        """Return whether answers are drawn, not the likeliest token each time."""
        if generation.temperature is not None:
            return generation.temperature > 0
        return bool(self.stated.get("do_sample", False)) or generation.top_p is not None

    def generate(
        self,
        conversations: Sequence[list[dict[str, str]]],
        *,
        generation: Generation,
        seed: int,
        stop: threading.Event,
    ) -> list[Generated]:
        """Return one answer per conversation, all generated together.

        Conversations without room for `max_tokens` are generated alone, so that the
        others don't depend on them; one without any room is rejected.
        """
        import torch

        prompts = [self._tokens(messages) for messages in conversations]
        wanted = generation.max_tokens if generation.max_tokens is not None else DEFAULT_MAX_TOKENS
        context = getattr(self.model.config.get_text_config(), "max_position_embeddings", None)
        room = [wanted if context is None else min(wanted, context - len(prompt)) for prompt in prompts]
        together = [place for place, tokens in enumerate(room) if tokens == wanted]
        alone = [[place] for place, tokens in enumerate(room) if 0 < tokens < wanted]
        answers = {
            place: Generated(
                text=None, finish_reason=None, input_tokens=len(prompt), output_tokens=0, error_class="rejected"
            )
            for place, prompt in enumerate(prompts)
        }
        devices = [self.model.device] if self.model.device.type == "cuda" else []
        # The generator that transformers draws from is torch's own; whatever else uses it finds it as it was.
        with torch.random.fork_rng(devices=devices), torch.inference_mode(), _quiet():
            torch.manual_seed(seed)
            for places in [together, *alone]:
                if places:
                    chosen = [prompts[place] for place in places]
                    new = self._continued(chosen, self._parameters(generation, room[places[0]]), stop)
                    for place, tokens in zip(places, new, strict=True):
                        answers[place] = self._read(tokens, len(prompts[place]))
        return [answers[place] for place in range(len(prompts))]

    def _tokens(self, messages: list[dict[str, str]]) -> list[int]:
        """Return the tokens of a prompt: in the chat template where there is one, else the plain text."""
        if self.tokenizer.chat_template is None:
            plain = "\n\n".join(message["content"] for message in messages)
            return list(self.tokenizer(plain)["input_ids"])
        # The template writes the special tokens itself.
        text = self.tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _parameters(self, generation: Generation, max_new_tokens: int) -> Any:
        """Return transformers' decoding parameters: the user's, then those that the folder states."""
        parameters = copy.deepcopy(self.model.generation_config)
        parameters.max_new_tokens = max_new_tokens
        parameters.max_length = None
        parameters.num_beams = parameters.num_return_sequences = 1
        parameters.do_sample = self.samples(generation)
        # Left unset, transformers cuts to the 50 likeliest tokens; no server does so unasked.
        parameters.top_k = self.stated.get("top_k") or 0
        if generation.temperature:
            parameters.temperature = float(generation.temperature)
        if generation.top_p is not None:
            parameters.top_p = float(generation.top_p)
        parameters.pad_token_id = self._pad()
        parameters.eos_token_id = self._ends() or None
        return parameters

    def _continued(self, prompts: list[list[int]], parameters: Any, stop: threading.Event) -> list[list[int]]:
        import torch

        # The last tokens of all prompts must be in one column: padding goes to the left.
        length = max(map(len, prompts))
        tokens = torch.full((len(prompts), length), self._pad())
        mask = torch.zeros((len(prompts), length), dtype=torch.long)
        for row, prompt in enumerate(prompts):
            tokens[row, length - len(prompt) :] = torch.tensor(prompt)
            mask[row, length - len(prompt) :] = 1
        device = self.model.device
        try:
            output = self.model.generate(
                tokens.to(device),
                attention_mask=mask.to(device),
                generation_config=parameters,
                stopping_criteria=[_stopped(stop)],
            )
        except torch.OutOfMemoryError:
            message = f"The memory of {device} is too small for {len(prompts)} prompts at once; lower --concurrency."
            raise Failure("fatal", "memory", message) from None
        new: list[list[int]] = output[:, length:].tolist()
        return new

    def _read(self, tokens: list[int], input_tokens: int) -> Generated:
        """Return the text up to the first token that ends an answer."""
        ends = self._ends()
        end = next((place for place, token in enumerate(tokens) if token in ends), None)
        text = self.tokenizer.decode(
            tokens if end is None else tokens[:end], skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return Generated(
            text=text,
            finish_reason="length" if end is None else "stop",
            input_tokens=input_tokens,
            output_tokens=len(tokens) if end is None else end + 1,
        )

    def _ends(self) -> list[int]:
        ends = self.model.generation_config.eos_token_id
        if ends is None:
            ends = self.tokenizer.eos_token_id
        return ends if isinstance(ends, list) else [] if ends is None else [ends]

    def _pad(self) -> int:
        """Return a token to fill rows with; it is masked, so any will do."""
        pad = self.tokenizer.pad_token_id
        return pad if pad is not None else next(iter(self._ends()), 0)


def load_weights(folder: Path) -> Weights:
    """Return the model in `folder`, on the accelerator that torch finds, else on the CPU.

    No code of the folder is run, and nothing is downloaded.

    Raises
    ------
    InputError
        the folder holds no causal language model that transformers can read whole.
    """
    model, tokenizer = read_weights(folder, "AutoModelForCausalLM")
    return Weights(
        model=model,
        tokenizer=tokenizer,
        stated=_stated(folder),
        fingerprint=f"{type(model).__name__} sha256:{fingerprint(folder)[:16]}",
    )


def read_weights(folder: Path, architecture: str, *, unused: str | None = None) -> tuple[Any, Any]:
    """Return the model in a folder and its tokenizer; `architecture` is a class of transformers.

    Weights whose names begin with `unused` may be lacking.

    Raises
    ------
    InputError
        the folder holds no such model that transformers can read whole.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise InputError(f"torch or transformers can't be imported: {_line(error)}") from None
    from safetensors import SafetensorError

    try:
        with _quiet():
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model, read = getattr(transformers, architecture).from_pretrained(
                folder, local_files_only=True, dtype="auto", output_loading_info=True
            )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        raise InputError(f"{folder} holds no model that transformers can read: {_line(error)}") from None
    # transformers makes up the weights that a folder lacks, at random.
    names = sorted(str(name) for name in read["missing_keys"] if unused is None or not str(name).startswith(unused))
    if names:
        raise InputError(
            f"{folder} lacks {len(names)} of the model's weights, such as {names[0]}; copy the whole folder."
        )
    accelerator = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    return (model if accelerator is None else model.to(accelerator)).eval(), tokenizer


def _stated(folder: Path) -> dict[str, Any]:
    """Return what generation_config.json states; transformers' object mixes it with defaults."""
    try:
        stated = json.loads((folder / "generation_config.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return stated if isinstance(stated, dict) else {}


def fingerprint(folder: Path) -> str:
    """Return a sha256 over configuration, tokenizer and weights: the files' own hashes by name."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    kinds = {path.suffix for path in files}
    weights = next((suffix for suffix in _WEIGHTS if suffix in kinds), None)
    chosen = [path for path in files if path.suffix in _TOKENIZER_AND_CONFIG or path.suffix == weights]
    lines = "".join(f"{sha256_of(path)}  {path.name}\n" for path in chosen)
    return hashlib.sha256(lines.encode()).hexdigest()


def _stopped(stop: threading.Event) -> Callable[..., Any]:
    """Return a criterion that ends all rows once `stop` is set."""
    import torch

    def criterion(tokens: Any, _scores: Any, **_: Any) -> Any:
        return torch.full((tokens.shape[0],), stop.is_set(), dtype=torch.bool, device=tokens.device)

    return criterion


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers' remarks and bars off the user's terminal; afterwards it talks as before."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _line(error: Exception) -> str:
    """Return a library's message on one line, shortened."""
    message = " ".join(str(error).split()) or type(error).__name__
    return message if len(message) <= _MESSAGE_LENGTH else message[: _MESSAGE_LENGTH - 1] + "…"


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
