"""What the user says that labels stand for: `--map COLUMN:FROM=TO,…`."""

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches

from evenhand.data.labels import fold
from evenhand.errors import InputError, option_text
from evenhand.results.messages import listed, quoted, shortened

EXPECTED_MAP = "expected COLUMN:FROM=TO,…, such as race:A=asian,B=black"
#: How messages write what the user has to say.
BLANK = "…"


def read_maps(typed: str | Sequence[str]) -> dict[str, dict[str, str]]:
    """Return what labels stand for, by column, as `--map` says it; a part without a column is of the column before it.

    Raises
    ------
    InputError
        A part is not FROM=TO, or a label has two meanings.

    >>> read_maps("sexo:M=Mujer,H=Hombre,race:W=White")
    {'sexo': {'M': 'Mujer', 'H': 'Hombre'}, 'race': {'W': 'White'}}
    """
    return {column: meanings(column, pairs) for column, pairs in maps_by_column(typed).items()}


def maps_by_column(typed: str | Sequence[str], columns: Sequence[str] | None = None) -> dict[str, list[str]]:
    """Return the FROM=TO,… of each column. The names of `columns`, where they are known, may hold colons and commas.

    Raises
    ------
    InputError
        No column is named, or none of `columns`.

    >>> maps_by_column("Race: own:W=White,sex:F=w", ["Race: own", "sex"])
    {'Race: own': ['W=White'], 'sex': ['F=w']}
    """
    longest = sorted(columns or (), key=len, reverse=True)
    name = "[^,:]*[^,:\\s][^,:]*" if columns is None else "|".join(map(re.escape, longest)) or "(?!)"
    maps: dict[str, list[str]] = {}
    for text in [typed] if isinstance(typed, str) else typed:
        before, *pieces = re.split(rf"(?:^|,)\s*({name})\s*:", text)
        if before or not pieces:
            _refuse_column(text, columns)
        for column, pairs in zip(pieces[::2], pieces[1::2], strict=True):
            maps.setdefault(column.strip(), []).append(pairs)
    return maps


def _refuse_column(text: str, columns: Sequence[str] | None) -> None:
    column, colon, _ = text.partition(":")
    if columns is None or not colon or not column.strip():
        raise InputError(f"{option_text('map')} is {quoted(text)}; {EXPECTED_MAP}.")
    near = next(iter(get_close_matches(column.strip(), columns, n=1)), None)
    hint = f" Did you mean {shortened(near)}?" if near else ""
    raise InputError(
        f"{option_text('map')} is {quoted(text)}; no column {quoted(column.strip())} has groups here. "
        f"Columns: {listed(list(columns)) or 'none'}.{hint}"
    )


def meanings(column: str, typed: Sequence[str], labels: Collection[str] = ()) -> dict[str, str]:
    """Return what the labels of a column stand for; those among `labels`, which are normalised, may hold commas.

    Raises
    ------
    InputError
        A part is not FROM=TO, or a label has two meanings.

    >>> meanings("race", ["W=White, not Hispanic,B=Black"], {"w", "white, not hispanic", "b"})
    {'W': 'White, not Hispanic', 'B': 'Black'}
    """
    pairs: dict[str, str] = {}
    for text in typed:
        rest: str | None = text
        while rest is not None:
            pair, rest = _first_pair(rest, labels)
            said = f"{option_text('map')} is {quoted(f'{column}:{text}')}"
            if pair is None:
                raise InputError(f"{said}; {EXPECTED_MAP}.")
            before, now = pair
            if now == BLANK:
                raise InputError(f"{said}; write what {quoted(before)} stands for in place of {BLANK}.")
            if pairs.setdefault(before, now) != now:
                raise InputError(f"{said}; it calls {quoted(before)} both {pairs[before]} and {now}.")
    return pairs


def _first_pair(text: str, labels: Collection[str]) -> tuple[tuple[str, str] | None, str | None]:
    """Return the first FROM and TO of a text, if it begins with such, and what follows the comma, if there is one.

    Both end where the longest label does, or else at the last `=` before the first comma, and at the next comma.
    """
    first = text.partition(",")[0]
    signs = [place for place, sign in enumerate(text) if sign == "="]
    known = [place for place in signs if fold(text[:place]) in labels]
    sign = max(known, default=first.rfind("="))
    commas = [place for place, mark in enumerate(text) if mark == "," and place > sign]
    ends = [*commas, len(text)]
    end = max((place for place in ends if fold(text[sign + 1 : place]) in labels), default=ends[0])
    pair = None if sign < 0 else (text[:sign].strip(), text[sign + 1 : end].strip())
    return pair, text[end + 1 :] if end < len(text) else None
