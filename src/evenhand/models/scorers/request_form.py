"""How a service is asked for scores: `--request TEMPLATE.json`, checked."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.errors import InputError
from evenhand.models.scorers.pair import Pair
from evenhand.models.scorers.placeholders import PLACEHOLDERS, POSITION, RESUME, filled, placeholders_in
from evenhand.models.scorers.pointers import Nothing, Pointer, pointer_of, put_at, value_at
from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["DEFAULT_FORM", "DEFAULT_SCORE", "Polling", "RequestForm", "Several", "read_request_form"]

#: Where our own shape has the score.
DEFAULT_SCORE: Final = "/score"
EXPECTED: Final = '{"body": {"cv": "{resume}", "job": "{position}"}}'
_KEYS: Final = ("body", "headers", "query", "several", "poll")
_POLL: Final = ("status", "until", "failed", "result", "every", "within")
_SEVERAL: Final = ("list", "at_most", "answers", "id")
_VARIABLE = lazy_re(r"\$\{(\w+)\}")
_HEADER = lazy_re(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")


@dataclass(frozen=True, kw_only=True)
class Polling:
    """How the score is waited for where the first answer says only that the work has begun.

    The status is looked at where `status` points to in the first answer, or else its Location, `every` so many seconds,
    until each value of `until` is there; `failed` are values that end the waiting. `result` points to the address of
    the result in the last status; without it the status holds the result.
    """

    status: Pointer | None = None
    until: Mapping[Pointer, Sequence[Any]] = field(default_factory=dict)
    failed: Mapping[Pointer, Sequence[Any]] = field(default_factory=dict)
    result: Pointer | None = None
    every: float = 1.0
    within: float = 600.0


@dataclass(frozen=True, kw_only=True)
class Several:
    """How several pairs are asked about in one request.

    `items` is the list in the body whose one element is repeated for each pair, `answers` the list of results. With
    `id` a result is that of the pair whose id it repeats there; else results are in the order of the pairs.
    """

    items: Pointer
    at_most: int
    answers: Pointer = ()
    id: Pointer | None = None


@dataclass(frozen=True, kw_only=True)
class RequestForm:
    """What is sent to a service, and where the score stands in what comes back.

    `secrets` are values of the environment in headers and the query; `digest` tells forms apart and holds none of them.
    """

    body: Any
    score: Pointer
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    several: Several | None = None
    poll: Polling | None = None
    digest: str = ""

    def payload(self, pairs: Sequence[Pair]) -> bytes:
        """Return the body of a request about these pairs; of several the list is filled, the rest from the first."""
        if self.several is None:
            return orjson.dumps(_sendable(filled(self.body, pairs[0])))
        item = value_at(self.body, self.several.items)[0]
        body = filled(put_at(self.body, self.several.items, []), pairs[0])
        return orjson.dumps(_sendable(put_at(body, self.several.items, [filled(item, pair) for pair in pairs])))

    def shared(self, pair: Pair) -> bytes:
        """Return what pairs in one request must have in common: the body besides the list."""
        assert self.several is not None
        return orjson.dumps(_sendable(filled(put_at(self.body, self.several.items, []), pair)))


#: Our own shape: {"resume", "position"} is answered by {"score"}.
DEFAULT_FORM: Final = RequestForm(body={"resume": "{resume}", "position": "{position}"}, score=("score",))


def read_request_form(path: Path | None, *, score_at: str | None, environ: Mapping[str, str]) -> RequestForm:
    """Return how a service is asked, by a template file or else in our own shape.

    Raises
    ------
    InputError
        The file can't be read, holds what nobody knows or no place for the résumé, or a variable is not set.

    """
    score = pointer_of(DEFAULT_SCORE if score_at is None else score_at, named="--score-at")
    if path is None:
        return RequestForm(body=DEFAULT_FORM.body, score=score, digest=_digest({}, score))
    found = _read(path)
    _known(found, _KEYS, f"--request {path}")
    if "body" not in found:
        raise InputError(f"--request {path} has no body; expected {EXPECTED}.")
    several = _several(found["several"], found["body"], str(path)) if "several" in found else None
    _check_body(found["body"], several, str(path))
    secrets: list[str] = []
    headers = _texts(found, "headers", str(path), environ, secrets)
    strange = next((name for name in headers if not _HEADER.fullmatch(name)), None)
    if strange is not None:
        raise InputError(f"--request {path}: {quoted(strange)} is no name of a header.")
    return RequestForm(
        body=found["body"],
        score=score,
        headers=headers,
        query=_texts(found, "query", str(path), environ, secrets),
        secrets=tuple(dict.fromkeys(secrets)),
        several=several,
        poll=_polling(found["poll"], str(path)) if "poll" in found else None,
        digest=_digest(found, score),
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        found = orjson.loads(path.read_bytes())
    except OSError as error:
        told = "no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"--request {path} can't be read: {told}.") from error
    except orjson.JSONDecodeError as error:
        raise InputError(f"--request {path} is no JSON ({error}); expected {EXPECTED}.") from error
    if not isinstance(found, dict):
        raise InputError(f"--request {path} is no JSON object; expected {EXPECTED}.")
    return found


def _known(found: Mapping[str, Any], keys: Sequence[str], named: str) -> None:
    strange = next((key for key in found if key not in keys), None)
    if strange is not None:
        near = get_close_matches(strange, keys, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise InputError(f"{named} has {quoted(strange)}; expected {listed(keys)}.{hint}")


def _check_body(body: Any, several: Several | None, path: str) -> None:
    """Refuse placeholders that there are not, and a body without a place for the résumé or the position."""
    there = set(placeholders_in(body))
    strange = sorted(there - PLACEHOLDERS.keys())
    if strange:
        braced = listed([f"{{{name}}}" for name in PLACEHOLDERS])
        raise InputError(f"--request {path}: {{{quoted(strange[0])[1:-1]}}} is no placeholder; expected {braced}.")
    if not there & RESUME:
        raise InputError(f"--request {path} has no place for the résumé; write {{resume}} where its text goes.")
    if not there & POSITION:
        raise InputError(f"--request {path} has no place for the position; write {{position}} where its text goes.")
    if several is None:
        return
    outside = set(placeholders_in(put_at(body, several.items, [])))
    if outside & (RESUME | {"id", "file_name"}):
        raise InputError(f"--request {path}: the résumé stands outside of the list of several; it belongs into it.")
    if several.id is not None and "id" not in there:
        raise InputError(f"--request {path}: several has an id, and the body sends none; write {{id}} into the list.")


def _texts(
    found: Mapping[str, Any], key: str, path: str, environ: Mapping[str, str], secrets: list[str]
) -> dict[str, str]:
    """Return headers or the query, with values of the environment put in; `secrets` gets these."""
    values = found.get(key, {})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise InputError(f'--request {path}: {key} is no object of texts; expected {{"X-Key": "${{SCORER_KEY}}"}}.')

    def put(name: str) -> str:
        value = environ.get(name, "").strip()
        if not value:
            raise InputError(f"--request {path} names the environment variable {name} in {key}, and it is not set.")
        if not (value.isascii() and value.isprintable()):
            raise InputError(f"The value of {name} holds signs that no header can carry; copy it again.")
        secrets.append(value)
        return value

    texts = {name: _VARIABLE.sub(lambda variable: put(variable[1]), value) for name, value in values.items()}
    wrong = next((name for name, value in texts.items() if not (value.isascii() and value.isprintable())), None)
    if wrong is not None:
        raise InputError(f"--request {path}: {quoted(wrong)} in {key} holds signs that no header can carry.")
    return texts


def _several(found: Any, body: Any, path: str) -> Several:
    named = f"--request {path}: several"
    if not isinstance(found, dict):
        raise InputError(f'{named} is no object; expected {{"list": "/items", "at_most": 20, "answers": "/results"}}.')
    _known(found, _SEVERAL, named)
    at_most = found.get("at_most")
    if not isinstance(at_most, int) or isinstance(at_most, bool) or not 1 <= at_most <= 1_000:
        raise InputError(f"{named}: at_most is {quoted(at_most)}; expected a whole number from 1 to 1000.")
    items = _pointer(found, "list", named, default="")
    try:
        repeated = value_at(body, items)
    except Nothing as nothing:
        raise InputError(f"{named}: nothing stands in the body at {quoted(found['list'])}: {nothing}.") from None
    if not isinstance(repeated, list) or len(repeated) != 1:
        raise InputError(f"{named}: at {quoted(found.get('list', ''))} of the body stands no list with one element.")
    return Several(
        items=items,
        at_most=at_most,
        answers=_pointer(found, "answers", named, default=""),
        id=_pointer(found, "id", named, default="") if "id" in found else None,
    )


def _polling(found: Any, path: str) -> Polling:
    named = f"--request {path}: poll"
    if not isinstance(found, dict) or "until" not in found:
        raise InputError(f'{named} says nothing of the end; expected {{"until": {{"/status": "done"}}}}.')
    _known(found, _POLL, named)
    return Polling(
        status=_pointer(found, "status", named, default="") if "status" in found else None,
        until=_values(found, "until", named),
        failed=_values(found, "failed", named),
        result=_pointer(found, "result", named, default="") if "result" in found else None,
        every=_seconds(found, "every", named, default=1.0),
        within=_seconds(found, "within", named, default=600.0),
    )


def _pointer(found: Mapping[str, Any], key: str, named: str, *, default: str) -> Pointer:
    text = found.get(key, default)
    if not isinstance(text, str):
        raise InputError(f"{named}: {key} is {quoted(text)}; expected a JSON pointer such as /{key}.")
    return pointer_of(text, named=f"{named}: {key}")


def _values(found: Mapping[str, Any], key: str, named: str) -> dict[Pointer, Sequence[Any]]:
    values = found.get(key, {})
    if not isinstance(values, dict) or (key == "until" and not values):
        raise InputError(f'{named}: {key} is {quoted(values)}; expected {{"/status": "done"}}.')
    return {
        pointer_of(pointer, named=f"{named}: {key}"): value if isinstance(value, list) else [value]
        for pointer, value in values.items()
    }


def _seconds(found: Mapping[str, Any], key: str, named: str, *, default: float) -> float:
    value = found.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 86_400:
        raise InputError(f"{named}: {key} is {quoted(value)}; expected seconds above 0.")
    return float(value)


def _digest(found: Mapping[str, Any], score: Pointer) -> str:
    content = orjson.dumps([found, score], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(content).hexdigest()[:16]


def _sendable(value: Any) -> Any:
    """Return a document that JSON can hold: half of a surrogate pair becomes a question mark."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_sendable(each) for each in value]
    if isinstance(value, dict):
        return {key: _sendable(each) for key, each in value.items()}
    return value
