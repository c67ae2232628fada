"""Our probes as tasks: `inspect eval evenhand/hiring_an --model openai/NAME`."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from inspect_ai import Epochs, Task, task
from inspect_ai._util.error import PrerequisiteError  # the only error that inspect shows as one line
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.integrations.inspect._asked import (
    PLACE,
    configured_probe,
    json_settings,
)
from evenhand.integrations.inspect.ask import ask
from evenhand.integrations.inspect.metric import findings
from evenhand.integrations.inspect.scorer import reading
from evenhand.options import declared
from evenhand.probes import PROBES
from evenhand.probes.shared.probe import Design, Probe
from evenhand.probes.shared.sampling import shuffled_indices
from evenhand.runs.sample import chosen_design, chosen_sample

__all__ = ["TASKS", "samples"]

#: Stimuli that are built at a time.
_PIECE = 2_000
#: Of a stimulus, what no sample repeats in its metadata: its place, and the prompt, which is its input.
_NO_FACTORS = ("index", "prompt")


@dataclass(frozen=True, kw_only=True)
class _Common:
    """The parameters that all tasks take; `show` is `main` or `all` findings."""

    sample: int | None = None
    seed: int = 0
    design: str | None = None
    repetitions: int = 1
    show: str = "main"


def _task_of(name: str) -> Callable[..., Task]:
    """Return the task of a probe: it takes what all tasks take, and the probe's own settings."""
    common = inspect.signature(_Common).parameters
    own = {each.name: each.default for each in declared(PROBES[name].settings)}
    own |= {"preset": None} if PROBES[name].presets else {}
    settings = [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=value) for each, value in own.items()]
    signature = inspect.Signature([*common.values(), *settings], return_annotation=Task)

    def asked(**parameters: Any) -> Task:
        bound = signature.bind(**parameters).arguments
        preset = bound.pop("preset", None)
        of_all = _Common(**{each: bound.pop(each) for each in common if each in bound})
        try:
            return _task(name, of_all, bound, preset=preset)
        except InputError as error:
            raise PrerequisiteError(str(error)) from error

    asked.__name__, asked.__doc__ = name.replace("-", "_"), _told(PROBES[name])
    asked.__signature__ = signature  # type: ignore[attr-defined]
    return task(asked)


def _told(probe: Probe) -> str:
    """Return what a task does, and what its parameters are."""
    sample = "all" if probe.default_sample is None else f"{probe.default_sample:,}"
    designs = " or ".join(f"`{each}`" for each in probe.designs)
    lines = [
        f"Ask {probe.name}: {probe.question}",
        "",
        f"`sample` prompts are drawn by `seed` (default: {sample}) in the design {designs},",
        "each asked `repetitions` times. `show` is `main` or `all` findings.",
    ]
    if probe.presets:
        lines.append(f"`preset` gives decoding parameters of the study: {', '.join(probe.presets)}.")
    return "\n".join(lines)


#: The task of every probe, by the probe's name.
TASKS: Final[Mapping[str, Callable[..., Task]]] = {name: _task_of(name) for name in PROBES}


def _task(name: str, common: _Common, settings: Mapping[str, Any], *, preset: str | None) -> Task:
    """Return the task of a probe.

    Raises
    ------
    InputError
        A parameter can't be used.

    """
    settings = json_settings(name, settings)
    probe = configured_probe(name, settings)
    layout = chosen_design(probe, common.design)
    size = chosen_sample(probe, layout, common.sample)
    indices = shuffled_indices(layout.size, size, seed=common.seed, block=layout.block)
    if common.repetitions < 1:
        raise InputError(f"repetitions is {common.repetitions}; expected a number from 1.")
    if preset is not None and preset not in probe.presets:
        raise InputError(f"preset {preset!r} is unknown to {name}; its presets: {', '.join(probe.presets)}.")
    decoding: Mapping[str, Any] = probe.presets[preset] if preset is not None else {}
    starts = range(0, len(indices), _PIECE)
    drawn = [each for start in starts for each in samples(layout, indices[start : start + _PIECE], first=start)]
    return Task(
        dataset=MemoryDataset(drawn, name=name, location=f"evenhand/{name}"),
        solver=ask(seed=common.seed),
        scorer=reading(probe=name, design=layout.name, settings=settings),
        metrics=[
            findings(probe=name, design=layout.name, seed=common.seed, show=common.show, settings=settings),
        ],
        epochs=Epochs(common.repetitions),
        config=GenerateConfig(**decoding),
        version=probe.version,
        metadata={"question": probe.question, "design": layout.note, "prompts": layout.size, "limits": probe.limits},
    )


def samples(design: Design, indices: NDArray[np.int64], *, first: int) -> list[Sample]:
    """Return the prompts at `indices` as samples; the id is the index, `first` the place of the first.

    The metadata holds the place and the factors.
    """
    rows = design.stimuli(indices).iter_rows(named=True)
    return [
        Sample(
            id=index,
            input=row["prompt"],
            metadata={PLACE: place}
            | {name: value for name, value in row.items() if name not in _NO_FACTORS and value is not None},
        )
        for place, (index, row) in enumerate(zip(indices.tolist(), rows, strict=True), start=first)
    ]
