"""JSON pointers (RFC 6901): where something stands in a JSON document."""

from collections.abc import Sequence
from typing import Any

from evenhand.errors import InputError
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["Nothing", "Pointer", "pointer_of", "put_at", "value_at"]

#: The parts of a pointer; none stands for the whole document.
Pointer = tuple[str, ...]


class Nothing(LookupError):
    """Nothing stands there; the message says what does."""


def pointer_of(text: str, *, named: str) -> Pointer:
    """Return the parts of a pointer; `named` is what a message calls it.

    >>> pointer_of("/results/0/a~1b", named="--score-at"), pointer_of("", named="--score-at")
    (('results', '0', 'a/b'), ())

    Raises
    ------
    InputError
        It does not begin with a slash.

    """
    if text and not text.startswith("/"):
        raise InputError(
            f"{named} {quoted(text)} is no JSON pointer; expected /{quoted(text)[1:-1].lstrip('$.').replace('.', '/')}."
        )
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:])


def value_at(document: Any, pointer: Pointer) -> Any:
    """Return what stands at a pointer.

    >>> value_at({"results": [{"score": 72}]}, ("results", "0", "score"))
    72

    Raises
    ------
    Nothing
        Nothing does.

    """
    found = document
    for part in pointer:
        if isinstance(found, dict) and part in found:
            found = found[part]
        elif isinstance(found, list) and part.isdecimal() and int(part) < len(found):
            found = found[int(part)]
        else:
            raise Nothing(_told(found))
    return found


def put_at(document: Any, pointer: Pointer, value: object) -> Any:
    """Return a document with a value in the place of what stands at a pointer; the document given stays as it is.

    >>> put_at({"items": [1], "job": 2}, ("items",), [3, 4])
    {'items': [3, 4], 'job': 2}
    """
    if not pointer:
        return value
    first, rest = pointer[0], pointer[1:]
    if isinstance(document, list):
        place = int(first)
        return [put_at(each, rest, value) if at == place else each for at, each in enumerate(document)]
    return {key: put_at(each, rest, value) if key == first else each for key, each in document.items()}


def _told(found: object) -> str:
    if isinstance(found, dict):
        return f"the keys there are {listed(list(found), most=8)}" if found else "an empty object is there"
    if isinstance(found, Sequence) and not isinstance(found, str):
        return f"a list of {len(found)} is there"
    return f"there is {'null' if found is None else f'a {type(found).__name__}'}"
