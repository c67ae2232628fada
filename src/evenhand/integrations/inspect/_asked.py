"""The probe that a task asks, with the settings it was given."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from evenhand.options import declared
from evenhand.probes import PROBES
from evenhand.probes.shared.probe import Probe

__all__ = ["PLACE", "configured_probe", "json_settings"]

#: Where a sample's metadata says which prompt it is in the order of asking, from 0.
PLACE = "place"


def json_settings(probe: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that were given, as JSON values.

    Files are text, and so is what a command line may read as numbers or lists where text is meant.

    >>> json_settings("an2024", {"roles": 7, "seeds": [1, 42], "labels": None})
    {'roles': '7', 'seeds': '1,42'}
    """
    texts = [each.name for each in declared(PROBES[probe].settings) if each.kind in {str, Path}]
    return {
        name: _text(value) if name in texts else value
        for name, value in settings.items()
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
    return _configured(name, orjson.dumps(json_settings(name, settings), option=orjson.OPT_SORT_KEYS))


@cache
def _configured(name: str, settings: bytes) -> Probe:
    # Scorer and metric are made with the same settings again and again; a corpus is read once.
    probe = PROBES[name]
    own = {each.name: each for each in declared(probe.settings)}
    values = orjson.loads(settings)
    return probe.with_settings({key: own[key].value(value, named=key) for key, value in values.items()})
