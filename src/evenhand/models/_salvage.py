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

    The first closes a text that was cut within; the second drops the last, unfinished
    member. Whether they parse is for the reader to find out.

    >>> salvaged(b'{"a": {"text": "one two th')
    [b'{"a": {"text": "one two th"}}']
    >>> salvaged(b'{"a": {"text": "one", "b": tr')
    [b'{"a": {"text": "one"}}']
    """
    text = body.decode("utf-8", "ignore")
    stack: list[str] = []
    member: str | None = None
    cut: str | None = None
    for match in _TOKEN.finditer(text):
        sign = match.group()
        if sign[0] == '"':
            if not match.group("end"):
                cut = _open_end(text, match.start())
        elif sign in _CLOSING:
            stack.append(_CLOSING[sign])
            if len(stack) > _DEEPEST:
                return []
        elif sign == ",":
            member, place = "".join(reversed(stack)), match.start()
        elif not stack or stack.pop() != sign:
            return []
    candidates = []
    if cut is not None:
        candidates.append(f'{cut}"{"".join(reversed(stack))}')
    if member is not None:
        candidates.append(text[:place] + member)
    return [candidate.encode() for candidate in candidates]


def _open_end(text: str, start: int) -> str:
    """Return the text without half an escape at the end of the string that begins at `start`."""
    half = _HALF_ESCAPE.search(text, max(start, len(text) - 6))
    if half is None:
        return text
    # An even number of backslashes before it would make the last one the end of a whole escape.
    before = len(text[: half.start()]) - len(text[: half.start()].rstrip("\\"))
    return text[: half.start()] if before % 2 == 0 else text
