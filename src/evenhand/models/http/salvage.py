"""Makes whole JSON of a body that was cut off, so that its beginning can be read."""

import re

__all__ = ["salvaged"]

# A string, whole or open at the end; or a sign of structure. The possessive signs keep it linear.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?P<end>"?)|[{}\[\],]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}
# A half escape at the end of an open string: a lone backslash, or \u with less than four digits.
_HALF_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_DEEPEST = 64


def salvaged(body: bytes) -> list[bytes]:
    """Return what the cut body may have been, each as closed JSON, the longest first.

    The first closes what is open, a text that was cut within included; the second drops
    the last, unfinished member. Whether they parse is for the reader to find out.

    >>> salvaged(b'{"a": {"text": "one two th')
    [b'{"a": {"text": "one two th"}}']
    >>> salvaged(b'{"a": {"text": "one", "b": tr')
    [b'{"a": {"text": "one", "b": tr}}', b'{"a": {"text": "one"}}']
    """
    text = body.decode("utf-8", "ignore")
    comma = -1
    opened: int | None = None
    stack: list[str] = []
    for match in _TOKEN.finditer(text):
        sign = match.group()
        if sign == ",":
            comma = match.start()
        elif sign[0] == '"':
            opened = None if match.group("end") else match.start()
        elif not _step(stack, sign):
            return []
    whole = text if opened is None else _without_half_escape(text, opened) + '"'
    candidates = [whole + _closing(stack)]
    if comma >= 0:
        stack = []
        for match in _TOKEN.finditer(text, 0, comma):
            if match.group()[0] in "{}[]":
                _step(stack, match.group())
        candidates.append(text[:comma] + _closing(stack))
    return [candidate.encode() for candidate in candidates]


def _step(stack: list[str], sign: str) -> bool:
    """Keep what is to be closed; return False where the signs make no JSON, or too deep a one."""
    if sign in _CLOSING:
        stack.append(_CLOSING[sign])
        return len(stack) <= _DEEPEST
    return bool(stack) and stack.pop() == sign


def _closing(stack: list[str]) -> str:
    return "".join(reversed(stack))


def _without_half_escape(text: str, opened: int) -> str:
    """Return the text without half an escape at the end of the string that was opened there."""
    half = _HALF_ESCAPE.search(text, max(opened, len(text) - 6))
    if half is None:
        return text
    # After an odd number of backslashes, this one is the second half of a whole escape.
    before = text[: half.start()]
    return before if (len(before) - len(before.rstrip("\\"))) % 2 == 0 else text
