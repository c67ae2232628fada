"""Where a name that is known stands in a text.

A name stands where its letters do and no letter touches them: digits, underscores and
marks may (`doe84`, `jane_doe`, `(Jane)`), so it is found in handles and file names too.
"""

from collections.abc import Iterator


def name_places(text: str, name: str) -> Iterator[int]:
    """Yield the offsets of a name in a text; both are folded alike.

    >>> list(name_places("ann met annabel and dr.ann", "ann"))
    [0, 23]
    """
    length = len(name)
    if not length:
        return
    place = text.find(name)
    while place >= 0:
        end = place + length
        if (not place or not _is_letter(text[place - 1])) and (end == len(text) or not _is_letter(text[end])):
            yield place
            place = text.find(name, end)
        else:
            place = text.find(name, place + 1)


def without_name(text: str, name: str, *, token: str = "[name]") -> str:  # noqa: S107 - no password
    """Return a text with a token wherever the name stood.

    >>> without_name("dear juan, juanita's cv", "juan")
    "dear [name], juanita's cv"
    """
    if name not in text:
        return text
    pieces, end = [], 0
    for place in name_places(text, name):
        pieces += [text[end:place], token]
        end = place + len(name)
    return "".join([*pieces, text[end:]])


def _is_letter(character: str) -> bool:
    return character.isalnum() and not character.isdecimal()
