"""Which prompts a task asks: the same that `evenhand probe` asks, in its order."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.options import declared
from evenhand.probes import PROBES
from evenhand.probes.shared.probe import Design, Probe
from evenhand.probes.shared.sampling import shuffled_indices

__all__ = ["PLACE", "chosen_design", "configured_probe", "drawn_indices", "plain_settings"]

#: Where a sample's metadata says which prompt it is in the order of asking, from 0.
PLACE = "place"


def plain_settings(probe: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that were given, as JSON values.

    Files are text, and so is what a command line may read as numbers or lists where text is meant.

    >>> plain_settings("an2024", {"roles": 7, "seeds": [1, 42], "labels": None})
    {'roles': '7', 'seeds': '1,42'}
    """
    texts = [each.name for each in declared(PROBES[probe].settings) if each.kind in {str, Path}]
    return {
        name: _text(value) if name in texts else value
        for name, value in given.items()
        if value is not None and value is not False
    }


def _text(value: Any) -> str:
    several = isinstance(value, Iterable) and not isinstance(value, str)
    return ",".join(map(str, value)) if several else str(value)


def configured_probe(name: str, settings: Mapping[str, Any]) -> Probe:
    """Return the probe with these settings.

    Raises
    ------
    InputError
        The probe refuses a value.

    """
    return _configured(name, orjson.dumps(plain_settings(name, settings), option=orjson.OPT_SORT_KEYS))


@cache
def _configured(name: str, settings: bytes) -> Probe:
    # Scorer and metric are made with the same settings again and again; a corpus is read once.
    probe = PROBES[name]
    kinds = {each.name: each.kind for each in declared(probe.settings)}
    given = orjson.loads(settings)
    return probe.with_settings({key: Path(value) if kinds[key] is Path else value for key, value in given.items()})


def chosen_design(probe: Probe, name: str | None) -> Design:
    """Return the design called `name`, the probe's first where None is given.

    Raises
    ------
    InputError
        The probe has no such design.

    """
    chosen = next(iter(probe.designs)) if name is None else name
    if chosen not in probe.designs:
        raise InputError(f"design {chosen!r} is unknown to {probe.name}; expected one of {', '.join(probe.designs)}.")
    return probe.designs[chosen]


def drawn_indices(probe: Probe, design: Design, *, sample: int | None, seed: int) -> NDArray[np.int64]:
    """Return the indices of the prompts in the order of asking; `sample` None is the probe's default.

    Raises
    ------
    InputError
        The design can't give such a sample.

    """
    default = probe.default_sample if probe.default_sample is not None else design.size
    size = min(default, design.size) if sample is None else sample
    if not design.block <= size <= design.size or size % design.block:
        multiple = f", a multiple of {design.block}" if design.block > 1 else ""
        raise InputError(
            f"sample is {size}; the design {design.name} of {probe.name} has {design.size:,} prompts, "
            f"so expected a number from {design.block} to {design.size}{multiple}."
        )
    return shuffled_indices(design.size, size, seed=seed, block=design.block)
