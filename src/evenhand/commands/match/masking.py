"""Masked texts of people: each is masked once, and kept by a hash of what it was made of."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path

import orjson

from evenhand.errors import InputError
from evenhand.matching.masking import MASKING
from evenhand.resumes.mask import mask_text
from evenhand.resumes.people.person import Person
from evenhand.runs.processes import cores, processes
from evenhand.runs.progress import Progress

__all__ = ["masked_texts"]

#: People that one process masks at a time; and so many are masked in this one, as others take a second to start.
_PEOPLE, _FEW = 64, 256


def masked_texts(people: Sequence[Person], kept: Path, *, progress: Progress | None = None) -> list[str]:
    """Return the masked text of each person; those in the file `kept` are not masked again.

    Raises
    ------
    InputError
        The file can't be used.

    """
    keys = [_key(person) for person in people]
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(kept, timeout=60)) as store:
            store.execute("CREATE TABLE IF NOT EXISTS masked (key TEXT PRIMARY KEY, text TEXT NOT NULL)")
            known = dict(_known(store, keys))
            missing = [number for number, key in enumerate(keys) if key not in known]
            done = 0
            for batch in _masked([people[number] for number in missing]):
                rows = list(zip((keys[number] for number in missing[done : done + len(batch)]), batch, strict=True))
                with store:
                    store.executemany("INSERT OR REPLACE INTO masked VALUES (?, ?)", rows)
                known.update(rows)
                done += len(batch)
                if progress is not None:
                    progress("masking", done, len(missing))
    except (sqlite3.Error, OSError) as error:
        raise InputError(f"--cache {kept} can't be used ({error}); give another file.") from error
    return [known[key] for key in keys]


def _known(store: sqlite3.Connection, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    rest = iter(keys)
    while part := list(islice(rest, 500)):
        marks = ",".join("?" * len(part))
        yield from store.execute(f"SELECT key, text FROM masked WHERE key IN ({marks})", part)  # noqa: S608 - marks alone


def _masked(people: Sequence[Person]) -> Iterator[list[str]]:
    """Yield masked texts in the order of people."""
    batches = [people[start : start + _PEOPLE] for start in range(0, len(people), _PEOPLE)]
    workers = min(cores(), len(batches))
    if len(people) <= _FEW or workers == 1:
        yield from map(_batch, batches)
        return
    with processes(workers) as pool:
        yield from pool.map(_batch, batches)


def _batch(people: Sequence[Person]) -> list[str]:
    return [
        mask_text(
            person.text,
            known_names=person.known_names,
            file_name=person.file_name,
            metadata=person.metadata,
            options=MASKING,
        ).text
        for person in people
    ]


def _key(person: Person) -> str:
    """Return the hash of all that a masked text is made of, the rules among it."""
    made_of = [_rules(), person.text, *person.known_names, "", person.file_name or "", *person.metadata]
    return hashlib.sha256(orjson.dumps(made_of)).hexdigest()


@cache
def _rules() -> str:
    """Return the hash of the code and the lists that mask."""
    package = Path(str(files("evenhand")))
    found = hashlib.sha256(repr(sorted(MASKING.optional)).encode())
    for folder in ("resumes", "lexicons"):
        for file in sorted((package / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                found.update(file.read_bytes())
    return found.hexdigest()
