"""Open the model that `--model` names."""

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from evenhand.analyses.options.probes import Service
from evenhand.data.inputs import read_saved_answers
from evenhand.errors import InputError, option_text
from evenhand.models.dialects import DIALECTS
from evenhand.models.functions import open_function_model
from evenhand.models.http import open_http_model
from evenhand.models.local import UNKNOWN_PARAMETERS, open_local
from evenhand.models.model import Generation, Model, ReplayModel
from evenhand.models.order import SimulatedModel
from evenhand.options import declared
from evenhand.probes.probe import Probe
from evenhand.results.messages import quoted

MODEL_SCHEMES = (
    "sim:KIND",
    *(f"{scheme}:NAME" for scheme in DIALECTS),
    "hf:FOLDER",
    "replay:FILE",
    "python:MODULE:FUNCTION",
)


def open_model(spec: str, *, probe: Probe, seed: int, service: Service) -> Model:
    """Return the model that `spec` names, not yet connected; `seed` is that of the run.

    Raises
    ------
    InputError
        The scheme, kind or an option is unknown, a key is missing, or a file of saved answers can't be read.

    """
    scheme, rest = split_spec(spec)
    if service.base_url and scheme not in DIALECTS:
        schemes = " and ".join(f"{dialect}:" for dialect in DIALECTS)
        raise InputError(
            f"--base-url belongs to {schemes} models, and the model is {quoted(spec)}. Leave it out, or mend --model."
        )
    if scheme == "sim":
        return _simulated(spec, rest, probe, seed=seed)
    if scheme == "hf":
        return open_local(rest, name=spec, concurrency=service.concurrency)
    if scheme == "python":
        return open_function_model(spec, concurrency=service.concurrency, timeout=service.timeout)
    if scheme == "replay":
        saved = read_saved_answers(Path(rest))
        stimuli = probe.saved(saved).select(probe.saved_key)
        common = saved.select("answer", "finish_reason", "error", "attempt")
        return ReplayModel(spec, stimuli.hstack(common), key=probe.saved_key)
    return open_http_model(
        rest,
        dialect=DIALECTS[scheme],
        base_urls=service.base_url,
        environ=os.environ,
        timeout=service.timeout,
        concurrency=service.concurrency,
    )


def refuse_unobeyed(spec: str, generation: Generation, settings: Mapping[str, Any] | None = None) -> None:
    """Refuse a decoding parameter, or a setting of the probe, that the model would ignore.

    Temperature and the limit of tokens are accepted: simulated models rehearse the requests to others.

    Raises
    ------
    InputError
        The model has no such parameter, or there is no such scheme.

    >>> refuse_unobeyed("anthropic:claude", Generation(presence_penalty=1.0))
    Traceback (most recent call last):
    evenhand.errors.InputError: 'anthropic:claude' doesn't support --presence-penalty: Anthropic's Messages API has \
no such parameter. Leave it out.
    """
    scheme = split_spec(spec)[0]
    if (settings or {}).get("structured") and scheme in {"hf", "python"}:
        raise InputError(
            f"{spec!r} doesn't support {option_text('structured')}; openai: and anthropic: do. Leave it out."
        )
    ignored: frozenset[str]
    if scheme in DIALECTS:
        ignored, reason = DIALECTS[scheme].lacks, f"{DIALECTS[scheme].protocol} has no such parameter"
    elif scheme == "hf":
        ignored, reason = (
            UNKNOWN_PARAMETERS,
            "transformers has no such parameter, but a server of vLLM or SGLang has it",
        )
    elif scheme == "python":
        ignored, reason = frozenset(entry.name for entry in declared(Generation)), "the function decides on it"
    else:
        ignored = frozenset({"top_p", "frequency_penalty", "presence_penalty"})
        reason = "simulated answers don't depend on it" if scheme == "sim" else "saved answers are there already"
    for parameter in declared(Generation):
        if parameter.name in ignored and parameter.of(generation) is not None:
            raise InputError(f"{quoted(spec)} doesn't support {parameter.flag}: {reason}. Leave it out.")


def split_spec(spec: str) -> tuple[str, str]:
    """Return the scheme of a model and what follows it, without opening anything.

    Raises
    ------
    InputError
        There is no scheme, an unknown one, or nothing after it.

    >>> split_spec("openai:gpt-4o")
    ('openai', 'gpt-4o')
    """
    scheme, colon, rest = spec.partition(":")
    if colon and not rest:
        raise InputError(
            f"Model {quoted(spec)} names no model behind the colon; expected one of {', '.join(MODEL_SCHEMES)}."
        )
    if not colon:
        named = quoted(spec)[1:-1]
        raise InputError(
            f"Model {quoted(spec)} has no scheme; expected one of {', '.join(MODEL_SCHEMES)}, "
            f"for example openai:{named or 'NAME'}."
        )
    known = [name.partition(":")[0] for name in MODEL_SCHEMES]
    if scheme not in known:
        near = get_close_matches(scheme, known, n=1)
        named = quoted(rest)[1:-1]
        hint = (
            f" Did you mean {near[0]}:{named}?"
            if near
            else f" For a server that speaks OpenAI's protocol: openai:{named}."
        )
        expected = ", ".join(MODEL_SCHEMES)
        raise InputError(
            f"Model {quoted(spec)} has the unknown scheme {quoted(scheme)}; expected one of {expected}.{hint}"
        )
    return scheme, rest


def _simulated(spec: str, rest: str, probe: Probe, *, seed: int) -> SimulatedModel:
    kind, _, query = rest.partition("?")
    if kind not in probe.kinds:
        raise InputError(
            f"Model {quoted(spec)}: {quoted(kind)} is not a simulated kind; expected one of {', '.join(probe.kinds)}."
        )
    options = dict(parse_qsl(query, keep_blank_values=True))
    unknown = sorted(set(options) - {"strength", "seed"})
    if unknown:
        raise InputError(f"Model {quoted(spec)}: unknown option {quoted(unknown[0])}; expected strength or seed.")
    return SimulatedModel(
        spec, probe, kind=kind, strength=_strength(spec, options), seed=_seed(spec, options, default=seed)
    )


def _strength(spec: str, options: Mapping[str, str]) -> float:
    try:
        strength = float(options.get("strength", "1"))
    except ValueError:
        strength = float("nan")
    if not 0 <= strength <= 1:
        raise InputError(
            f"Model {quoted(spec)}: strength is {quoted(options['strength'])}; expected a number from 0 to 1."
        )
    return strength


def _seed(spec: str, options: Mapping[str, str], *, default: int) -> int:
    if "seed" not in options:
        return default
    try:
        return int(options["seed"])
    except ValueError:
        raise InputError(f"Model {quoted(spec)}: seed is {quoted(options['seed'])}; expected a whole number.") from None
