"""Annotated texts, and what masking found of the annotations."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import BaseModel, ValidationError

from evenhand.errors import InputError
from evenhand.json_rows import json_rows
from evenhand.patterns import lazy_re
from evenhand.resumes.mask import check_names
from evenhand.resumes.spans import CATEGORIES, OPTIONAL
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["AnnotatedText", "Judged", "annotated_texts", "judged"]

_WORD = lazy_re(r"\w+")
_EXPECTED = 'rows {"text": "…", "spans": [[start, end, "NAME"], …], "origin": "…"}'


@dataclass(frozen=True, kw_only=True)
class AnnotatedText:
    """A text, what in it tells who the person is, what may be masked or not, and the origin of the person's name.

    `spans` are start, end and category, `ignored` start and end, in code points.
    """

    text: str
    spans: Sequence[tuple[int, int, str]]
    ignored: Sequence[tuple[int, int]] = ()
    known_names: Sequence[str] = ()
    origin: str | None = None


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Counts of one text, by category.

    `annotated` spans, and of these `found`: all their letters and digits are masked, by whatever category. `masked`
    spans, and of these `right`: half of their letters and digits at least are annotated. `needless` words are masked
    whole and hold nothing annotated, of `words` that hold nothing annotated.
    """

    annotated: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    masked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    needless: Counter[str] = field(default_factory=Counter)
    words: int = 0


def annotated_texts(source: Path) -> Iterator[AnnotatedText]:
    """Yield the rows of a file; nothing of a text stands in a message.

    Raises
    ------
    InputError
        The file can't be read, or a row has no text, or spans that don't fit it.

    """
    for number, row in json_rows(source, expected=_EXPECTED):
        place = f"line {number} of {source}"
        try:
            given = _Row.model_validate_json(orjson.dumps(row), strict=True)
        except ValidationError as error:
            field = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise InputError(f"{field} in {place} is missing or of another type; expected {_EXPECTED}.") from None
        categories = {category for _, _, category in given.spans} - {*CATEGORIES, *OPTIONAL.values()}
        if categories:
            known = listed((*CATEGORIES, *OPTIONAL.values()))
            raise InputError(f"A span in {place} is of category {quoted(min(categories))}; expected {known}.")
        stretches = [*given.ignored, *((start, end) for start, end, _ in given.spans)]
        if not all(0 <= start < end <= len(given.text) for start, end in stretches):
            raise InputError(f"A span in {place} does not lie within its text; offsets count characters from 0.")
        check_names(given.known_names)
        yield AnnotatedText(
            text=given.text,
            spans=given.spans,
            ignored=given.ignored,
            known_names=given.known_names,
            origin=(given.origin or "").strip() or None,
        )


class _Row(BaseModel):
    text: str
    spans: list[tuple[int, int, str]]
    ignored: list[tuple[int, int]] = []
    known_names: list[str] = []
    origin: str | None = None


def judged(given: AnnotatedText, masked: Sequence[tuple[int, int, str]], *, wanted: Collection[str]) -> Judged:
    """Return what masked spans are to the annotations of the categories wanted; others may be masked or not.

    >>> given = AnnotatedText(text="Jane Doe, nurse", spans=[(0, 8, "NAME")])
    >>> found = judged(given, [(0, 4, "NAME"), (10, 15, "GENDER")], wanted=["NAME"])
    >>> found.found["NAME"], found.right["NAME"], found.needless["GENDER"], found.words
    (0, 1, 1, 1)
    """
    claims: list[str | None] = [None] * len(given.text)
    for start, end, category in masked:
        claims[start:end] = [category] * (end - start)
    truth = [0] * len(given.text)  # 1: annotated; 2: may be masked or not
    for start, end in [*given.ignored, *((start, end) for start, end, kind in given.spans if kind not in wanted)]:
        truth[start:end] = [2] * (end - start)
    of_these = [each for each in given.spans if each[2] in wanted]
    for start, end, _ in of_these:
        truth[start:end] = [1] * (end - start)
    found = Judged(words=0)
    for start, end, category in of_these:
        letters = [place for place in range(start, end) if given.text[place].isalnum()]
        found.annotated[category] += 1
        found.found[category] += all(claims[place] is not None for place in letters)
    for start, end, category in masked:
        letters = [place for place in range(start, end) if given.text[place].isalnum()] or list(range(start, end))
        if all(truth[place] == 2 for place in letters):
            continue
        found.masked[category] += 1
        found.right[category] += 2 * sum(truth[place] > 0 for place in letters) >= len(letters)
    plain = [word.span() for word in _WORD.finditer(given.text) if not any(truth[slice(*word.span())])]
    for start, end in plain:
        claim = claims[start]
        if claim is not None and all(claims[start:end]):
            found.needless[claim] += 1
    return Judged(
        annotated=found.annotated,
        found=found.found,
        masked=found.masked,
        right=found.right,
        needless=found.needless,
        words=len(plain),
    )
