"""Résumés in the JSON Resume schema (jsonresume.org): keys and structure stay, values are masked.

What a field holds is known by its place (`basics.name`) or its key (`gender`), or by those
of a field that it is in, or by what key and value say as a line of a form (`isMarried: yes`);
every other string is masked as text. Numbers and booleans stay unless their field is masked.
"""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from evenhand.errors import InputError
from evenhand.resumes.documents.check import Trace, refuse_leaks
from evenhand.resumes.documents.request import DocumentText, MaskedDocument, Request, Tally
from evenhand.resumes.documents.text.json_fields import Path, category_of
from evenhand.resumes.documents.text.plain import decoded, masked_in
from evenhand.resumes.documents.text.resume_text import resume_text
from evenhand.resumes.documents.views import rendered, without_markup, without_returns
from evenhand.resumes.mask import find_names
from evenhand.resumes.spans import OPTIONAL, token_of
from evenhand.tables.unpacking import Budget

__all__ = ["document_text", "masked_document"]

Node = tuple[Path, Any]
#: Strings are plain text; many sites show them as Markdown.
_VIEWS = (without_returns, without_markup, rendered)
_SCHEMA = ("https://raw.githubusercontent.com/jsonresume/resume-schema/", "https://jsonresume.org/")
_INDENT = 2
_HEADING = ("", "SUMMARY", "")


def masked_document(content: bytes, request: Request) -> MaskedDocument:
    """Return a masked JSON Resume.

    Raises
    ------
    InputError
        The bytes are no JSON, or no JSON Resume.
    CheckFailed
        Something still stands, in a key for example.

    """
    source = decoded(content)
    resume = _parsed(source.text)
    fields = [(path, value, category_of(path, value, request.options)) for path, value in _leaves(resume)]
    own = [value for path, value, category in fields if category == "NAME" and value and isinstance(value, str)]
    addresses = [str(value) for path, value, category in fields if category in {"EMAIL", "URL"} and value]
    free = [value for path, value, category in fields if category is None and _is_text(path, value)]
    # What stands under a name and addresses is no header: a heading says so.
    text = "\n".join((*own[:1], *addresses, *(_HEADING if own else ()), *free))
    names = find_names(text, known_names=(*request.known_names, *own), file_name=request.file_name)
    tally = Tally()
    tally.note_absent(request, text)
    _note_kept([(path, value) for path, value, category in fields if category is None and value], request, tally)
    masked: set[tuple[str, str]] = set()

    def instead(path: Path, value: Any) -> Any:
        category = category_of(path, value, request.options)
        if category is not None:
            if value is None or value == "" or isinstance(value, (dict, list)):
                return value
            if category == "IMAGE":
                tally.note("pictures removed")
                return ""
            tally.spans[category] += 1
            masked.add((category, str(value)))
            return token_of(category)
        if not _is_text(path, value):
            return value
        return masked_in(value, _VIEWS, names=names, request=request, tally=tally, masked=masked)

    result = _mapped(resume, instead)
    written = json.dumps(result, ensure_ascii=_not_writable(result, source.codec), indent=_INDENT) + "\n"
    again = _parsed(written)
    trace = Trace(names, frozenset(masked))
    texts = [value for path, value in _leaves(again) if _is_text(path, value)]
    refuse_leaks(
        texts=dict.fromkeys(view_of(text).text for text in texts for view_of in _VIEWS),
        bare=[*_keys(again), *(str(value) for _, value in _leaves(again) if not isinstance(value, bool))],
        trace=trace,
        options=request.options,
        mend="Rename a key that tells it, and mask it again.",
    )
    return tally.document(source.encoded(written.replace("\n", "\r\n") if "\r\n" in source.text else written))


def document_text(content: bytes, *, unpack_limit: int) -> DocumentText:
    """Return a JSON Resume as a reader sees it, and the person's name.

    Raises
    ------
    InputError
        The bytes are no JSON, or no JSON Resume.

    """
    source = decoded(content).text
    Budget(unpack_limit).spend("letters", len(source))
    text, names = resume_text(_parsed(source))
    return DocumentText(text=text, names=names)


def _note_kept(fields: list[Node], request: Request, tally: Tally) -> None:
    """Count what would be masked if its option were given: fields by what they hold, and in the text of others."""
    every = replace(request.options, optional=frozenset(OPTIONAL))
    options = {category: name for name, category in OPTIONAL.items()}
    told = [(path, value, options.get(category_of(path, value, every) or "")) for path, value in fields]
    tally.kept.update(option for _, _, option in told if option)
    free = [value for path, value, option in told if not option and _is_text(path, value)]
    tally.note_kept(request, "\n\n".join(free))


def _parsed(text: str) -> dict[str, Any]:
    try:
        resume = json.loads(text, object_pairs_hook=_once, parse_constant=_refused, parse_float=_number)
    except RecursionError as error:
        raise InputError("is no JSON Resume: it is nested too deeply.") from error
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON ({error.msg} in line {error.lineno}).") from error
    except ValueError as error:
        raise InputError("is no JSON Resume: it holds a number of thousands of digits.") from error
    if not (isinstance(resume, dict) and isinstance(resume.get("basics"), dict)):
        raise InputError('is no JSON Resume: it has no object "basics"; see jsonresume.org/schema.')
    return resume


def _refused(constant: str) -> float:
    raise InputError(f"is no JSON: {constant} is no number there.")


def _number(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(text[:20])


def _not_writable(resume: Any, codec: str) -> bool:
    """Say whether the file's encoding lacks a letter that stands in it as an escape."""
    try:
        json.dumps(resume, ensure_ascii=False).encode(codec)
    except UnicodeEncodeError:
        return True
    return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("is no JSON Resume: an object has one key twice.")
    return found


def _leaves(node: Any, path: Path = ()) -> Iterator[Node]:
    """Yield the values that are no object and no list, with their places."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _leaves(value, (*path, key))
    elif isinstance(node, list):
        for value in node:
            yield from _leaves(value, path)
    else:
        yield path, node


def _mapped(node: Any, instead: Callable[[Path, Any], Any], path: Path = ()) -> Any:
    if isinstance(node, dict):
        return {key: _mapped(value, instead, (*path, key)) for key, value in node.items()}
    if isinstance(node, list):
        return [_mapped(value, instead, path) for value in node]
    return instead(path, node)


def _keys(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield key
            yield from _keys(value)
    elif isinstance(node, list):
        for value in node:
            yield from _keys(value)


def _is_text(path: Path, value: Any) -> bool:
    return isinstance(value, str) and not (path[-1:] == ("$schema",) and value.startswith(_SCHEMA))
