"""Read people from a document, a folder of documents, or JSONL."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from evenhand.data.toml_files import json_rows
from evenhand.errors import InputError
from evenhand.masking.documents.formats import ENDINGS, document_text, is_document
from evenhand.masking.documents.json_resume import resume_text
from evenhand.masking.documents.request import within_limits
from evenhand.masking.mask import check_names
from evenhand.results.files import UNPACK_LIMIT, Budget
from evenhand.results.messages import quoted


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person: the résumé as text, the names that are known, protected attributes, and the file's name and author.

    `protected` has no entry where an attribute is unknown; `source` is the document that was read.
    """

    id: str
    text: str = field(repr=False)
    known_names: tuple[str, ...] = field(default=(), repr=False)
    protected: Mapping[str, str] = field(default_factory=dict)
    file_name: str | None = field(default=None, repr=False)
    metadata: tuple[str, ...] = field(default=(), repr=False)
    source: Path | None = field(default=None, repr=False)


DOCUMENTS = f"{', '.join(ENDINGS)}, or a .jsonl file"
EXPECTED = '{"id": "…", "text": "…", "known_names": ["…"]}'
#: Letters of a résumé for each megabyte of the limit: masking takes longer than reading.
LETTERS: Final = 2**13
#: Keys that are fields of a person; all others are protected attributes.
_PERSON_KEYS = frozenset({"id", "text", "resume", "known_names"})


def read_people(path: Path, *, unpack_limit: int = UNPACK_LIMIT) -> tuple[Person, ...]:
    """Return the people of a folder of documents, of one document, or of the rows of a JSONL file.

    A row has `id`, the résumé as `text` (plain or Markdown) or as `resume` (a JSON Resume object),
    `known_names` if they are known, and protected attributes. In a folder each document is a person, whose id
    is its path there; files of other endings are passed over.

    Raises
    ------
    InputError
        Nothing is there, a document can't be read, a row has no id or no text, or an id is there twice.

    """
    Budget(unpack_limit)
    if path.suffix.lower() in {".jsonl", ".ndjson"} and not path.is_dir():
        rows = json_rows(path, expected=EXPECTED)
        return people_of(((f"Line {number} of {path}", row) for number, row in rows), unpack_limit=unpack_limit)
    if path.is_dir():
        files = sorted(Path(at) / name for at, _, names in os.walk(path) for name in names)
        files = [file for file in files if is_document(file)]
        if not files:
            raise InputError(f"{path} holds no résumé; expected {DOCUMENTS}.")
        return tuple(_from_document(file, file.relative_to(path).as_posix(), unpack_limit) for file in files)
    if not path.exists():
        raise InputError(f"No file {path}; expected a folder of résumés, or JSONL: {EXPECTED} a line.")
    if not is_document(path):
        raise InputError(f"{path} is not a résumé; expected {DOCUMENTS}.")
    return (_from_document(path, path.name, unpack_limit),)


def people_of(rows: Iterable[tuple[str, Mapping[str, Any]]], *, unpack_limit: int = UNPACK_LIMIT) -> tuple[Person, ...]:
    """Return the people of rows, each with the place that messages name.

    Raises
    ------
    InputError
        A row has no id or no text, or an id is there twice.

    """
    people: dict[str, Person] = {}
    for place, row in rows:
        person = _person(row, place, unpack_limit)
        if person.id in people:
            raise InputError(f"{place}: the id {quoted(person.id)} already exists; give each person their own id.")
        people[person.id] = person
    return tuple(people.values())


def _from_document(path: Path, name: str, unpack_limit: int) -> Person:
    read = partial(document_text, path, unpack_limit=unpack_limit)
    content = within_limits(read, source=str(path), unpack_limit=unpack_limit)
    _check_letters(content.text, str(path), unpack_limit)
    return Person(
        id=name,
        text=content.text,
        known_names=content.names,
        file_name=path.name,
        metadata=content.metadata,
        source=path,
    )


def _check_letters(text: str, place: str, unpack_limit: int) -> None:
    """Refuse a text that is too long to be masked in this process."""
    budget = Budget(unpack_limit)
    most = LETTERS * budget.megabytes
    if len(text) > most:
        raise InputError(f"{place} {budget.refused(f'holds more than {most:,} letters')}")


def _person(row: Mapping[str, Any], place: str, unpack_limit: int) -> Person:
    """Return a row's person; messages never quote the résumé or names."""
    name = row.get("id")
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"{place} has no id; expected {EXPECTED}.")
    known = row.get("known_names") or []
    if not (isinstance(known, list) and all(isinstance(name, str) for name in known)):
        raise InputError(f'{place}: known_names is not a list of names; expected ["Jane Doe"].')
    try:
        check_names(known)
    except InputError:
        raise InputError(
            f"{place}: known_names holds something that is not a name; expected a word of two letters at least."
        ) from None
    text, row_text = _text(row, place)
    _check_letters(text, place, unpack_limit)
    return Person(
        id=name.strip(),
        text=text,
        known_names=tuple(dict.fromkeys((*known, *row_text))),
        protected={
            key: value
            for key in row
            if key not in _PERSON_KEYS and (value := _attribute(row[key], key, place)) is not None
        },
    )


def _text(row: Mapping[str, Any], place: str) -> tuple[str, tuple[str, ...]]:
    """Return a résumé's text, and the names in its fields."""
    text, resume = row.get("text"), row.get("resume")
    if text is not None and resume is not None:
        raise InputError(f"{place} has both text and resume; give one of them.")
    if resume is not None:
        try:
            return resume_text(resume)
        except InputError as error:
            raise InputError(f"{place}: resume {error}") from error
    if text is None and isinstance(row.get("basics"), dict):
        raise InputError(f'{place} is a JSON Resume itself; write it as {{"id": "…", "resume": {{…}}}}.')
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{place} has no text; expected {EXPECTED}.")
    return text, ()


def _attribute(value: Any, key: str, place: str) -> str | None:
    if isinstance(value, bool | int | float):
        return str(value)
    if not isinstance(value, str | None):
        raise InputError(
            f"{place}: {quoted(key)} is not text; expected a protected attribute, such as female, or null."
        )
    return (value.strip() or None) if value is not None else None
