"""Which columns of a user's table hold names, counts, races and genders."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from evenhand.errors import InputError
from evenhand.tables.messages.quoting import listed, quoted
from evenhand.word_tables import WordTable

__all__ = ["NAME_COLUMN_WORDS", "NameColumns", "folded_name", "name_columns"]

#: What columns are called.
NAME_COLUMN_WORDS = WordTable("evenhand.probes.an2024.names", "columns.toml")


@dataclass(frozen=True, kw_only=True)
class NameColumns:
    """Columns of a table of names; `count` is None where the race columns are counts that sum to it."""

    name: str
    count: str | None
    races: Mapping[str, str]
    genders: Mapping[str, str]


def name_columns(
    columns: Sequence[str],
    *,
    name: str | None = None,
    count: str | None = None,
    races: Mapping[str, str] | None = None,
    genders: Mapping[str, str] | None = None,
) -> NameColumns:
    """Return which columns are which; those that are given win over those that are recognised.

    Raises
    ------
    InputError
        A column that was given isn't there, none is recognised, or two are for one group.

    >>> found = name_columns(["firstname", "obs", "pctwhite", "pctblack", "female"])
    >>> found.name, found.count, dict(found.races), dict(found.genders)
    ('firstname', 'obs', {'white': 'pctwhite', 'black': 'pctblack'}, {'female': 'female'})
    """
    named = {"--name-column": name, "--count-column": count}
    pairs = [*named.items(), *(("--race", each) for each in (races or {}).values())]
    for option, column in [*pairs, *(("--gender", each) for each in (genders or {}).values())]:
        if column is not None and column not in columns:
            near = get_close_matches(column, columns, n=1)
            hint = f" Did you mean {quoted(near[0])}?" if near else ""
            raise InputError(f"{option} {quoted(column)} is no column of the table. Columns: {listed(columns)}.{hint}")
    found = NameColumns(
        name=name or _single(columns, NAME_COLUMN_WORDS.names, "names", "--name-column") or "",
        count=count or _single(columns, NAME_COLUMN_WORDS.counts, "counts", "--count-column"),
        races=races or _groups(columns, NAME_COLUMN_WORDS.races, "--race"),
        genders=genders or _groups(columns, NAME_COLUMN_WORDS.genders, "--gender"),
    )
    there = f"Columns: {listed(columns)}."
    if not found.name:
        raise InputError(f"No column of names, such as name or first_name; say which with --name-column. {there}")
    if len(found.races) < 2:
        raise InputError(
            f"{len(found.races)} columns of races, such as white and black; expected two or more: --race white=COLUMN. "
            f"{there}"
        )
    if not found.genders:
        raise InputError(
            f"No column of a gender, such as female or male; say which with --gender female=COLUMN. {there}"
        )
    _refuse_shared(found)
    return found


def _single(columns: Sequence[str], known: Sequence[str], what: str, option: str) -> str | None:
    found = [column for alias in known for column in columns if _key(column) == alias]
    if len(found) > 1 and _key(found[0]) == _key(found[1]):
        raise InputError(
            f"Columns {quoted(found[0])} and {quoted(found[1])} may both hold {what}; choose one with {option}."
        )
    return found[0] if found else None


def _groups(columns: Sequence[str], known: Mapping[str, Sequence[str]], option: str) -> dict[str, str]:
    groups: dict[str, str] = {}
    around = NAME_COLUMN_WORDS.around
    for column in columns:
        key = _key(column)
        bare = "_".join(word for word in key.removeprefix("pct").split("_") if word and word not in around)
        for group, aliases in known.items():
            if key in aliases or bare in aliases:
                if group in groups:
                    raise InputError(
                        f"Columns {quoted(groups[group])} and {quoted(column)} are both for {group}; "
                        f"choose with {option} {group}=COLUMN."
                    )
                groups[group] = column
    return {group: groups[group] for group in known if group in groups}


def _refuse_shared(found: NameColumns) -> None:
    """Refuse one column in two places, which makes a majority of nothing."""
    used = [found.name, *([found.count] if found.count else []), *found.races.values(), *found.genders.values()]
    for column in used:
        if used.count(column) > 1:
            raise InputError(
                f"The column {quoted(column)} is used twice; expected a column for each of name, count and groups."
            )


def _key(column: str) -> str:
    return re.sub(r"\W+", "_", column.strip().lower()).strip("_")


def folded_name(name: str) -> str:
    """Return a name without accents, case and doubled spaces: names that read alike are one.

    >>> folded_name(" José ") == folded_name("JOSE")
    True
    """
    apart = unicodedata.normalize("NFKD", name)
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    return " ".join(plain.replace("\u2019", "'").casefold().split())
