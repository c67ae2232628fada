"""`--counts`: four numbers instead of a table."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from evenhand.errors import InputError
from evenhand.patterns import lazy_re
from evenhand.runs.options.impact import ImpactOptions
from evenhand.tables.messages.quoting import quoted

__all__ = ["counts_table", "read_counts", "typed_counts"]

GROUP, OF, SELECTED = "group", "applicants", "selected"
MOST = 2**53
_PART = lazy_re(r"(.+)=\s*([0-9]{1,16})\s*/\s*([0-9]{1,16})\s*", re.DOTALL)
_SHAPE = "expected GROUP=SELECTED/APPLICANTS in whole numbers, such as women=557/1835"


def read_counts(typed: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return selected and applicants by group, as `--counts` has them.

    Raises
    ------
    InputError
        A part is not GROUP=SELECTED/APPLICANTS, or a group is there twice.

    >>> read_counts(["women=557/1835, men=1198/2691"])
    {'women': (557, 1835), 'men': (1198, 2691)}
    """
    found: dict[str, tuple[int, int]] = {}
    taken: set[str] = set()
    for part in (part for value in typed for part in value.split(",")):
        read = _PART.fullmatch(part.strip())
        if read is None:
            raise InputError(f"--counts: {quoted(part.strip())} is not understood; {_SHAPE}.")
        group = read[1].strip()
        if group.casefold() in taken:
            raise InputError(f"--counts names {quoted(group)} twice; give each group once.")
        taken.add(group.casefold())
        found[group] = int(read[2]), int(read[3])
    return found


def counts_table(counts: Mapping[Any, Any], options: ImpactOptions) -> tuple[pl.DataFrame, ImpactOptions]:
    """Return numbers as a table with a row per group, and the options that read it.

    A column that `protected` names is what the attribute is called.

    Raises
    ------
    InputError
        Numbers that are no counts, or options that need a table.

    """
    if len(options.protected) > 1:
        raise InputError(f"--counts has one attribute; --protected names {', '.join(options.protected)}.")
    named = {"selected": "--selected", "score": "--score", "applicants": "--applicants", "count": "--count"}
    named |= {"selected_count": "--selected-count", "ll144": "--ll144", "sheet": "--sheet", "table": "--table"}
    named |= {
        name: f"--{name}" for name in ("position", "stage", "unit", "where", "given", "cluster", "block", "eeo1", "age")
    }
    for name, option in named.items():
        if getattr(options, name):
            raise InputError(f"--counts and {option} are both given; {option} needs a table: drop one of them.")
    rows = [_row(group, pair) for group, pair in counts.items()]
    if len(rows) < 2:
        raise InputError(f"--counts needs two groups or more to compare; {_SHAPE},men=1198/2691.")
    attribute = options.protected[0] if options.protected else GROUP
    if attribute in {OF, SELECTED}:
        raise InputError(f"--protected {attribute}: give the attribute another name with --counts, such as gender.")
    frame = pl.DataFrame(rows, schema={attribute: pl.String, SELECTED: pl.Int64, OF: pl.Int64}, orient="row")
    return frame, replace(options, protected=(attribute,), applicants=OF, selected_count=SELECTED)


def typed_counts(counts: Mapping[Any, Any]) -> str:
    """Return the counts as `--counts` takes them."""
    return ",".join(f"{group}={selected}/{of}" for group, (selected, of) in counts.items())


def _row(group: Any, pair: Any) -> tuple[str, int, int]:
    label = str(group).strip()
    if not label:
        raise InputError(f"--counts: a group has no name; {_SHAPE}.")
    whole = isinstance(pair, Sequence) and len(pair) == 2
    whole = whole and all(hasattr(n, "__index__") and not isinstance(n, bool) for n in pair)
    if not whole:
        raise InputError(
            f"--counts: {quoted(label)} has {quoted(pair)}; expected two whole numbers, selected and applicants."
        )
    selected, of = (int(n) for n in pair)
    if not 0 <= selected <= of <= MOST:
        raise InputError(
            f"--counts: {quoted(label)} has {selected:,} selected of {of:,}; expected 0 up to the number of applicants."
        )
    if not of:
        raise InputError(f"--counts: nobody of {quoted(label)} applied; leave the group out.")
    return label, selected, of
