"""Résumés in the JSON Resume schema (jsonresume.org): keys and structure stay, values are masked.

What a field holds is known by its place (`basics.name`) or its key (`gender`), or by those
of a field that it is in; every other string is masked as text. Numbers and booleans stay
unless their field is masked.
"""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

from evenhand.errors import InputError
from evenhand.resumes.documents.check import Trace, refuse_leaks
from evenhand.resumes.documents.plain_text import decoded, masked_in
from evenhand.resumes.documents.request import MaskedDocument, Request, Tally
from evenhand.resumes.documents.views import rendered, without_markup, without_returns
from evenhand.resumes.mask import find_names
from evenhand.resumes.spans import OPTIONAL, token_of

__all__ = ["masked_document"]

Path = tuple[str, ...]
Node = tuple[Path, Any]
#: By place; list positions are left out of places.
_PLACES: dict[Path, str] = {
    ("basics", "name"): "NAME",
    ("basics", "email"): "EMAIL",
    ("basics", "phone"): "PHONE",
    ("basics", "url"): "URL",
    ("basics", "website"): "URL",
    ("basics", "image"): "IMAGE",
    ("basics", "picture"): "IMAGE",
    ("basics", "profiles", "username"): "URL",
    ("basics", "profiles", "url"): "URL",
    ("basics", "location"): "ADDRESS",
    ("basics", "address"): "ADDRESS",
    ("references", "name"): "NAME",
    ("meta", "canonical"): "URL",
    ("education", "institution"): "SCHOOL",
    ("education", "endDate"): "GRADYEAR",
}
#: By key, in lower case without marks, wherever it stands.
_KEYS = {
    **dict.fromkeys(("firstname", "lastname", "fullname", "givenname", "familyname", "surname", "middlename"), "NAME"),
    **dict.fromkeys(
        ("maidenname", "birthname", "formername", "nickname", "preferredname", "referee", "author"), "NAME"
    ),
    **dict.fromkeys(("father", "mother", "fathersname", "mothersname", "mothersmaidenname", "guardian"), "NAME"),
    **dict.fromkeys(("supervisor", "emergencycontact", "contactperson"), "NAME"),
    **dict.fromkeys(("email", "mail", "emailaddress"), "EMAIL"),
    **dict.fromkeys(("phone", "mobile", "telephone", "phonenumber", "fax"), "PHONE"),
    **dict.fromkeys(("phones", "tel", "cell", "cellphone", "mobilephone", "homephone", "workphone"), "PHONE"),
    **dict.fromkeys(("image", "photo", "picture", "avatar", "thumbnail"), "IMAGE"),
    **dict.fromkeys(("gender", "sex", "pronouns", "pronoun"), "GENDER"),
    **dict.fromkeys(("ethnicity", "race", "nationality", "citizenship", "birthplace", "placeofbirth"), "ETHNICITY"),
    **dict.fromkeys(("religion", "faith"), "RELIGION"),
    **dict.fromkeys(("maritalstatus", "children", "spouse", "husband", "wife"), "MARITAL"),
    **dict.fromkeys(("disability", "disabilities"), "DISABILITY"),
    **dict.fromkeys(("sexualorientation", "orientation"), "ORIENTATION"),
    **dict.fromkeys(("birthdate", "dateofbirth", "dob", "birthday", "birth", "age"), "DOB"),
}
#: Strings are plain text; many sites show them as Markdown.
_VIEWS = (without_returns, without_markup, rendered)
_SCHEMA = ("https://raw.githubusercontent.com/jsonresume/resume-schema/", "https://jsonresume.org/")
_INDENT = 2
_HEADING = ("", "SUMMARY", "")
_MIXED = frozenset({"NAME"})
#: Keys of an object about a person, and of its name in it.
_PERSONS = frozenset({"contact", "contactperson", "manager", "supervisor", "referee", "reference", "author", "spouse"})
_NAMED = frozenset({"name", "first", "last", "given", "family"})


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
    optional = {OPTIONAL[name] for name in request.options.optional}
    fields = [(path, value, _category(path, optional)) for path, value in _leaves(resume)]
    own = [str(value) for path, value, category in fields if category == "NAME" and value]
    addresses = [str(value) for path, value, category in fields if category in {"EMAIL", "URL"} and value]
    free = [value for path, value, category in fields if category is None and _is_text(path, value)]
    # What stands under a name and addresses is no header: a heading says so.
    text = "\n".join((*own[:1], *addresses, *(_HEADING if own else ()), *free))
    names = find_names(text, known_names=(*request.known_names, *own), file_name=request.file_name)
    tally = Tally()
    masked: set[tuple[str, str]] = set()

    def instead(path: Path, value: Any) -> Any:
        category = _category(path, optional)
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
    )
    return tally.document(source.encoded(written.replace("\n", "\r\n") if "\r\n" in source.text else written))


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


def _category(path: Path, optional: set[str]) -> str | None:
    """Return what a field holds, None where it is text or its category was not asked for.

    >>> _category(("personal", "gender", "value"), set()), _category(("references", "name", "firm"), set())
    ('GENDER', None)
    """
    if len(path) > 1 and _plain(path[-1]) in _NAMED and _plain(path[-2]) in _PERSONS:
        return "NAME"
    for length in range(len(path), 0, -1):
        category = _PLACES.get(path[:length])
        if category is None and path[0] != "meta":
            category = _KEYS.get(_plain(path[length - 1]))
        if category in _MIXED and length < len(path):
            continue  # a firm stands beside a referee's name
        if category is not None and (category not in OPTIONAL.values() or category in optional):
            return category
    return None


def _plain(key: str) -> str:
    return "".join(letter for letter in key.lower() if letter.isalpha())


def _is_text(path: Path, value: Any) -> bool:
    return isinstance(value, str) and not (path[-1:] == ("$schema",) and value.startswith(_SCHEMA))
