"""Dataclasses as the plain values of JSON."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from functools import cache
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
    if value is None or isinstance(value, (str, int, float)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        found = ((key, getattr(value, name), kept) for name, key, kept in _keys(type(value)))
        return {key: as_json(own) for key, own, kept in found if kept or own is not None}
    if isinstance(value, Mapping):
        return {key: as_json(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(own) for own in value]
    return value


@cache
def _keys(declared: Any) -> tuple[tuple[str, str, bool], ...]:
    """Return of each field its name, its key in JSON, and whether the key stands where the value is None."""
    return tuple((each.name, key_of(each), _LEFT_OUT not in each.metadata) for each in fields(declared))
