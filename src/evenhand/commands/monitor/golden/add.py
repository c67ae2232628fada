"""`evenhand monitor golden add`: cases into the golden set, each with the reason it was chosen for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Final

from evenhand.commands.monitor.told import Told, told
from evenhand.errors import InputError
from evenhand.intake.positions import Position, read_positions
from evenhand.intake.text_tables import read_text_table
from evenhand.monitoring.golden.cases import TEXTS, Case, Scale, add_cases, cases_of, forget_case
from evenhand.monitoring.golden.choosing import Candidate, chosen
from evenhand.monitoring.history.store import opened_store, utc_now
from evenhand.report.words.numbers import counted
from evenhand.resumes.people.person import Person
from evenhand.resumes.people.reading import people_of, read_people
from evenhand.runs.options.monitoring.golden import GoldenAddOptions
from evenhand.runs.progress import Notices
from evenhand.tables.csv_files import unguarded
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["add", "forget"]

#: Keys of a row that are no group.
_OWN: Final = ("position", "twin", "reason")
_YES, _NO = frozenset({"yes", "true", "1", "y"}), frozenset({"no", "false", "0", "n"})


def add(source: Path, options: GoldenAddOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> Told:
    """Add cases of a file, all of it or some that are chosen; return how many are new.

    Raises
    ------
    InputError
        A file can't be used, a case has no reason or no position, or is there as another.

    """
    positions = {each.id: each for each in read_positions(options.positions)}
    people = _people(source)
    scale = _scale(options)
    with opened_store(options.store, create=True, notice=notice, clock=clock) as store, store.writing() as writing:
        there = cases_of(writing)
        reasons = None if options.choose is None else _chosen(people, options, there)
        taken = people if reasons is None else [each for each in people if each.id in reasons]
        cases = [_case(each, positions, options, reasons or {}) for each in taken]
        new = add_cases(writing, cases, scale)
        of = len(there) + new
    known = len(cases) - new
    again = f" {counted(known, 'case was', 'cases were')} there before." if known else ""
    again += "" if reasons is None or len(reasons) == options.choose else " No reason holds for more."
    attributes = sorted({name for each in cases for name in each.groups})
    groups = f" Protected attributes: {listed(attributes)}." if attributes else ""
    return told(
        {"new": new, "known": known, "cases": of, "attributes": attributes, "chosen": reasons},
        f"Added {counted(new, 'case')}; the golden set has {of:,}.{again}{groups}",
    )


def forget(name: str, store: str, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> Told:
    """Remove a case's text; return the cases that lost theirs, and their twins that have one.

    Raises
    ------
    InputError
        There is no such case, or its text was removed before.

    """
    with opened_store(store, notice=notice, clock=clock) as opened:
        with opened.writing() as writing:
            ids = forget_case(writing, name)
            cases = cases_of(writing)
        left = opened.connection.write_over(TEXTS)
    if left is not None:
        notice(f"It may still lie in {left}.")
    also = f", which {listed(ids)} had together" if len(ids) > 1 else ""
    of = {each.twin for each in cases if each.id in ids} - {None}
    twins = [each.id for each in cases if each.twin in of and each.text is not None]
    text = f"The text of {quoted(name)} is removed{also}. Labels and scores stay."
    text += f" Twins whose text stays: {listed(twins)}." if twins else ""
    return told({"forgotten": ids, "twins": twins}, text)


def _people(source: Path) -> tuple[Person, ...]:
    """Return the people of JSONL or résumés, or of a CSV with the same columns, names there parted by semicolons."""
    if source.suffix.lower() not in {".csv", ".tsv"} or source.is_dir():
        return read_people(source)
    rows = []
    for number, cells in enumerate(read_text_table(source).frame.iter_rows(named=True), 1):
        row = {name: None if cell is None else unguarded(cell) for name, cell in cells.items()}
        names = [name.strip() for name in (row.get("known_names") or "").split(";") if name.strip()]
        rows.append((f"Row {number} of {source}", {**row, "known_names": names}))
    return people_of(rows)


def _scale(options: GoldenAddOptions) -> Scale | None:
    if not options.labels:
        if options.positive is not None:
            raise InputError("--positive needs --labels, of which it is one.")
        return None
    return Scale(labels=options.labels, positive=options.positive or options.labels[-1])


def _case(
    person: Person, positions: Mapping[str, Position], options: GoldenAddOptions, reasons: Mapping[str, str]
) -> Case:
    """Return a person for a position as a case."""
    reason = reasons.get(person.id) or person.protected.get("reason") or options.reason
    if not (reason or "").strip():
        raise InputError(f"Case {quoted(person.id)} has no reason; give --reason, or a key reason in the file.")
    name = person.protected.get("position") or (next(iter(positions)) if len(positions) == 1 else None)
    if name is None:
        raise InputError(
            f"Case {quoted(person.id)} has no position, and there are {len(positions)}; give a key position."
        )
    if name not in positions:
        raise InputError(f"Case {quoted(person.id)} is for {quoted(name)}, which is none of {listed(positions)}.")
    return Case(
        id=person.id,
        text=person.text,
        known_names=person.known_names,
        position=asdict(positions[name]),
        groups=_groups(person, options),
        twin=person.protected.get("twin"),
        reason=str(reason).strip(),
    )


def _chosen(people: Sequence[Person], options: GoldenAddOptions, there: Sequence[Case]) -> dict[str, str]:
    """Return which people are chosen, and why."""
    known = {each.id for each in there}
    candidates = [
        Candidate(
            id=each.id,
            groups=_groups(each, options),
            scores={name: _number(each, name) for name in options.scores if name in each.protected},
            decided=None if options.decision is None else _decided(each, options.decision),
        )
        for each in people
        if each.id not in known
    ]
    for name in (*options.scores, *([options.decision] if options.decision else [])):
        if not any(name in each.protected for each in people):
            raise InputError(f"No row has a key {quoted(name)}.")
    found = chosen(candidates, options.choose or 0, there=[each.groups for each in there])
    if not found:
        raise InputError("Nothing to choose by: name --scores and --decision, or give rows a protected attribute.")
    return found


def _groups(person: Person, options: GoldenAddOptions) -> dict[str, str]:
    """Return the protected attributes of a row: all keys that are nothing else."""
    left_out = {*_OWN, *options.scores, options.decision}
    return {key: value for key, value in person.protected.items() if key not in left_out}


def _number(person: Person, name: str) -> float:
    try:
        number = float(person.protected[name])
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise InputError(f"{quoted(name)} of case {quoted(person.id)} is no number.")
    return number


def _decided(person: Person, name: str) -> bool | None:
    value = person.protected.get(name)
    if value is None:
        return None
    if value.casefold() not in _YES | _NO:
        raise InputError(f"{quoted(name)} of case {quoted(person.id)} is {quoted(value)}; expected yes or no.")
    return value.casefold() in _YES
