"""Versions of a golden set: the cases whose label is settled, with it; one that is closed never changes."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from evenhand.errors import InputError
from evenhand.monitoring.golden.cases import cases_of
from evenhand.monitoring.golden.labels import standings
from evenhand.monitoring.history.log import add_entry, canonical_json
from evenhand.monitoring.history.store import Store, Writing, utc_text

__all__ = ["Version", "close_version", "digest_of", "version_of"]


@dataclass(frozen=True, kw_only=True)
class Version:
    """A closed version: its cases with their labels, and the SHA-256 of these."""

    number: int
    labels: dict[str, int]
    digest: str


def digest_of(labels: Mapping[str, int]) -> str:
    """Return the SHA-256 of cases and their labels, in any order."""
    return hashlib.sha256(canonical_json(labels).encode()).hexdigest()


def close_version(writing: Writing, *, by: str) -> Version:
    """Close a version of all cases whose label is settled and whose text is there; return it.

    Raises
    ------
    InputError
        No case is settled, or the newest version has the same cases and labels.

    """
    texts = {each.id for each in cases_of(writing) if each.text is not None}
    labels = {name: each.label for name, each in standings(writing).items() if name in texts and each.label is not None}
    if not labels:
        raise InputError("No golden case is settled: each needs two labels that are alike, or an adjudicator.")
    digest = digest_of(labels)
    newest = writing.rows("SELECT number, digest FROM golden_versions ORDER BY number DESC LIMIT 1")
    if newest and newest[0][1] == digest:
        raise InputError(f"Version {newest[0][0]} has these cases and labels; nothing is new to close.")
    number = newest[0][0] + 1 if newest else 1
    writing.execute(
        "INSERT INTO golden_versions (number, closed, closed_by, digest) VALUES (?, ?, ?, ?)",
        (number, utc_text(writing.now), by, digest),
    )
    writing.execute_each(
        "INSERT INTO golden_members (version, case_id, label) VALUES (?, ?, ?)",
        [(number, name, label) for name, label in labels.items()],
    )
    add_entry(writing, "golden version", {"number": number, "by": by, "cases": len(labels), "digest": digest})
    return Version(number=number, labels=labels, digest=digest)


def version_of(store: Store | Writing, number: int | None = None) -> Version:
    """Return a version, the newest unless it is named.

    Raises
    ------
    InputError
        There is no such version, or it is not as it was closed.

    """
    found = store.rows("SELECT number, digest FROM golden_versions ORDER BY number")
    if not found:
        raise InputError("No version of the golden set is closed yet; evenhand monitor golden close does it.")
    digests = dict(found)
    chosen = found[-1][0] if number is None else number
    if chosen not in digests:
        raise InputError(f"There is no version {chosen} of the golden set; the newest is {found[-1][0]}.")
    labels = dict(store.rows("SELECT case_id, label FROM golden_members WHERE version = ? ORDER BY case_id", (chosen,)))
    if digest_of(labels) != digests[chosen]:
        raise InputError(f"Version {chosen} of the golden set is not as it was closed: its SHA-256 is another.")
    return Version(number=chosen, labels=labels, digest=digests[chosen])
