"""The body of a request: a JSON document in which placeholders stand for the résumé and the position."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from evenhand.models.scorers.pair import Pair
from evenhand.patterns import lazy_re
from evenhand.resumes.documents.word.written import docx_bytes

__all__ = ["PLACEHOLDERS", "POSITION", "RESUME", "filled", "placeholders_in"]

#: What may stand in a body, and what is put in its place.
PLACEHOLDERS: Final[Mapping[str, Callable[[Pair], str]]] = {
    "resume": lambda pair: pair.resume,
    "resume_base64": lambda pair: b64encode(pair.resume.encode("utf-8", "replace")).decode(),
    "resume_docx": lambda pair: b64encode(docx_bytes(pair.resume)).decode(),
    "file_name": lambda pair: pair.file_name,
    "position": lambda pair: pair.position,
    "position_base64": lambda pair: b64encode(pair.position.encode("utf-8", "replace")).decode(),
    "title": lambda pair: pair.title,
    "position_id": lambda pair: pair.position_id,
    "id": lambda pair: pair.id,
}
#: Those of the résumé, and those of the position.
RESUME: Final = frozenset({"resume", "resume_base64", "resume_docx"})
POSITION: Final = frozenset({"position", "position_base64", "title", "position_id"})
_PLACEHOLDER = lazy_re(r"\{([a-z_0-9]+)\}")


def filled(body: Any, pair: Pair) -> Any:
    """Return a body with a pair in its placeholders, each filled once: what stands in a résumé is none.

    >>> pair = Pair(id="1", resume="{position}", position="Nurse", title="Nurse", position_id="n", file_name="1.txt")
    >>> filled({"cv": "{resume}", "job": ["For {position}"]}, pair)
    {'cv': '{position}', 'job': ['For Nurse']}
    """
    if isinstance(body, str):
        return _PLACEHOLDER.sub(lambda found: PLACEHOLDERS[found[1]](pair), body) if "{" in body else body
    if isinstance(body, list):
        return [filled(each, pair) for each in body]
    if isinstance(body, dict):
        return {key: filled(each, pair) for key, each in body.items()}
    return body


def placeholders_in(body: Any) -> Iterator[str]:
    """Yield the names of all placeholders in a body, those that there are not among them."""
    if isinstance(body, str):
        yield from (found[1] for found in _PLACEHOLDER.finditer(body))
    elif isinstance(body, list):
        for each in body:
            yield from placeholders_in(each)
    elif isinstance(body, dict):
        for each in body.values():
            yield from placeholders_in(each)
