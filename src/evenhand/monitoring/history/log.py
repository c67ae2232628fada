"""The log of a store: entries that are only added, each holding the digest of the one before it.

A chain proves nothing by itself: who can write the store can write all of it anew. Its head, kept elsewhere (a
webhook, a bundle, a ticket), proves that nothing before it was changed since.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from evenhand.monitoring.history.store import Store, Writing, utc_text

__all__ = ["FIRST", "LogEntry", "LogHead", "Verified", "add_entry", "canonical_json", "log_head", "verified_log"]

#: What stands for the digest before the first entry.
FIRST: Final = "0" * 64


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """An entry: its place from 1, when and of what kind it is, what it says, and its digest (SHA-256, hexadecimal)."""

    number: int
    time: str
    kind: str
    content: Mapping[str, Any]
    digest: str


@dataclass(frozen=True, kw_only=True)
class LogHead:
    """How many entries there are, and the digest of the last."""

    entries: int
    digest: str


@dataclass(frozen=True, kw_only=True)
class Verified:
    """The head of a log that was walked; `wrong` is the number of the first entry that is not as it was written."""

    head: LogHead
    wrong: int | None = None
    reason: str | None = None


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, without spaces, in UTF-8: the same text for the same value.

    >>> canonical_json({"b": 1, "a": [0.5, None]})
    '{"a":[0.5,null],"b":1}'
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def add_entry(writing: Writing, kind: str, content: Mapping[str, Any]) -> LogEntry:
    """Add an entry and return it; it is there when the writing is done, with all else that was written."""
    head = log_head(writing)
    number, time = head.entries + 1, utc_text(writing.now)
    body = {"content": content, "kind": kind, "number": number, "previous": head.digest, "time": time}
    entry = canonical_json(body)
    digest = _digest(entry)
    writing.execute("INSERT INTO log (number, entry, digest) VALUES (?, ?, ?)", (number, entry, digest))
    return LogEntry(number=number, time=time, kind=kind, content=content, digest=digest)


def log_head(store: Store | Writing) -> LogHead:
    """Return how long the log is, and its last digest."""
    found = store.rows("SELECT number, digest FROM log ORDER BY number DESC LIMIT 1")
    return LogHead(entries=found[0][0], digest=found[0][1]) if found else LogHead(entries=0, digest=FIRST)


def verified_log(store: Store | Writing) -> Verified:
    """Return the log's head, and the first entry that was changed, taken out or put in, if there is one."""
    previous, count = FIRST, 0
    for number, entry, digest in store.rows("SELECT number, entry, digest FROM log ORDER BY number"):
        count += 1
        reason = _wrong(count, previous, number, entry, digest)
        if reason is not None:
            return Verified(head=log_head(store), wrong=count, reason=reason)
        previous = digest
    return Verified(head=LogHead(entries=count, digest=previous))


def _wrong(count: int, previous: str, number: int, entry: str, digest: str) -> str | None:
    """Return why an entry is not as it was written, None where it is."""
    if number != count:
        return f"entry {count} is missing"
    if _digest(entry) != digest:
        return f"entry {count} was changed: its SHA-256 is another"
    body = orjson.loads(entry)
    if body.get("previous") != previous or body.get("number") != count:
        return f"entry {count} does not follow the one before it"
    return None


def _digest(entry: str) -> str:
    return hashlib.sha256(entry.encode()).hexdigest()
