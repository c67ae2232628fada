"""Values of a column as labels: spellings that differ in spaces or case only are one."""

import math
import unicodedata
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

__all__ = ["Labels", "fold", "labels_of", "text_of"]


def text_of(value: Any) -> str | None:  # noqa: PLR0911 - one line per kind
    """Return a cell as text that is the same on every engine; null stays null.

    >>> text_of(True), text_of(2.0), text_of(Decimal("1.50")), text_of(" x")
    ('true', '2', '1.5', ' x')
    """
    match value:
        case None | str():
            return value
        case bool():
            return "true" if value else "false"
        case float():
            return str(int(value)) if value.is_integer() else ("NaN" if math.isnan(value) else repr(value))
        case Decimal():
            return (
                ("NaN" if value.is_nan() else f"{value.normalize():f}")
                if value.is_finite() or value.is_nan()
                else str(value)
            )
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
        case date():
            return value.isoformat()
    return str(value)


def fold(text: str) -> str:
    """Return what spellings have in common: NFC, single spaces, none around, no case.

    >>> fold(" Female "), fold("TWO  or more"), fold("Cafe\u0301") == fold("café")
    ('female', 'two or more', True)
    """
    plain = unicodedata.normalize("NFC", text.replace("\u200b", "").replace("\ufeff", ""))
    return unicodedata.normalize("NFC", " ".join(plain.split()).casefold())


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What the values of a column are called.

    `of` has a label for each value, null where it is unknown. `unknown` counts the labels
    that were taken as unknown; `folded` says which spellings were taken together, `placed`
    which category of the EEO-1 a label is, with how many rows.
    """

    of: Mapping[Hashable, str | None]
    unknown: Mapping[str, int] = field(default_factory=dict)
    folded: tuple[dict[str, Any], ...] = ()
    placed: tuple[dict[str, Any], ...] = ()


def labels_of(values: Iterable[tuple[Any, int]], unknown: frozenset[str]) -> Labels:
    """Return the labels of values, each with how often it occurs.

    Of several spellings the most frequent is the label, of equally frequent ones one in mixed
    case, then the first by the alphabet. Null and blank are unknown without a label.

    >>> found = labels_of([("Female", 5), (" female", 2), ("N/A", 1), (None, 3)], frozenset({"n/a", ""}))
    >>> found.of
    {'Female': 'Female', ' female': 'Female', 'N/A': None, None: None}
    >>> found.unknown, found.folded
    ({'N/A': 1}, ({'kept': 'Female', 'merged': [' female']},))
    """
    spellings: dict[str, dict[str, int]] = {}
    written: dict[str, set[str]] = {}
    keys: dict[Any, str | None] = {}
    for value, n in values:
        text = text_of(value)
        key = keys[value] = None if text is None else fold(text)
        if text is None or key is None:
            continue
        spelling = " ".join(unicodedata.normalize("NFC", text).split())
        counts = spellings.setdefault(key, {})
        counts[spelling] = counts.get(spelling, 0) + n
        written.setdefault(key, set()).add(text)
    best = {
        key: min(counts, key=lambda spelling: (-counts[spelling], spelling.isupper() or spelling.islower(), spelling))
        for key, counts in spellings.items()
    }
    return Labels(
        of={value: None if key is None or key in unknown else best[key] for value, key in keys.items()},
        unknown={best[key]: sum(spellings[key].values()) for key in sorted(best) if key in unknown and best[key]},
        folded=tuple(
            {"kept": best[key], "merged": sorted(merged)}
            for key in sorted(best)
            if key not in unknown and (merged := written[key] - {best[key]})
        ),
    )
