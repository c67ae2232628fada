"""Dataclasses as the plain values of JSON."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from typing import Any, Final

__all__ = ["as_json", "key_of", "keyed", "left_out"]

_LEFT_OUT: Final = "left out"
_KEY: Final = "key"


def left_out() -> Any:
    """Return a field that is no key of the JSON where it is None."""
    return field(default=None, metadata={_LEFT_OUT: True})


def keyed(key: str, *, default: Any = MISSING) -> Any:
    """Return a field whose key in JSON is not its name."""
    return field(default=default, metadata={_KEY: key})


def key_of(declared: "Field[Any]") -> str:
    """Return the key of a field in JSON."""
    return str(declared.metadata.get(_KEY, declared.name))


def as_json(value: Any) -> Any:
    """Return dataclasses, however deep, as plain values: keys in the order of the fields.

    >>> from evenhand.tables.audit.measured import Bands
    >>> as_json({"rate": Bands(centre=0.5, edges=(0.1, 0.2))})
    {'rate': {'centre': 0.5, 'edges': [0.1, 0.2], 'source': None}}
    """
    if is_dataclass(value) and not isinstance(value, type):
        found = ((each, getattr(value, each.name)) for each in fields(value))
        return {key_of(each): as_json(own) for each, own in found if own is not None or _LEFT_OUT not in each.metadata}
    if isinstance(value, Mapping):
        return {key: as_json(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(own) for own in value]
    return value
