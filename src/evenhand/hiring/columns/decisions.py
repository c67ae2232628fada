"""Decisions: which values of a column mean selected, which not, and which are none."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.folding import Labels, fold, labels_of, text_of
from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import listed, quoted, shortened

__all__ = ["EMPTY", "NO", "YES", "Decisions", "decisions_of", "likely_meaning"]

YES = frozenset({"true", "1", "yes", "y", "t"})
NO = frozenset({"false", "0", "no", "n", "f"})
#: What an empty cell is written as by programs; any other text is a value that somebody chose.
EMPTY = frozenset({"", "nan", "<na>", "null"})
#: Values that may as well mean that nobody has decided; the user says what they are.
_PERHAPS_NONE = frozenset(
    {
        *("n/a", "na", "#n/a", "n.a.", "none", "nil", "-", "--", "?", ".", "missing", "blank", "unknown", "not known"),
        *("open", "active", "applied", "waiting", "incomplete", "undecided", "not decided", "no decision", "tbd"),
        *("to be decided", "to be determined", "in review", "not available", "not applicable", "not specified"),
    }
)
#: The same, with whatever follows ('in process, second interview'), or with words around ('candidate withdrew').
_PERHAPS_NONE_WITHIN = lazy_re(
    r"(?:pending|withdr[ae]w\w*|awaiting|in pro(?:cess|gress)|(?:under|in) (?:review|consideration)|on hold)\b"
    r"|.*\b(?:pending|withdr[ae]w\w*|not yet)\b"
)
#: Words of values that likely mean selected, unless a word says the opposite.
_LIKELY = frozenset(
    (
        *("hired", "hire", "selected", "admitted", "accepted", "offered", "offer", "passed", "pass", "promoted"),
        *("approved", "invited", "shortlisted"),
    )
)
_OPPOSITE = lazy_re(r"\b(?:not|no|non|never|declin\w+|reject\w*|refus\w*|fail\w*|un\w+)\b")
_FRACTION = lazy_re(r"[+-]?[0-9]*[.,][0-9]+")
_WHOLE = lazy_re(r"([01])[.]0+")
_COUNT = lazy_re(r"[0-9]+(?:[.]0+)?")
_DATE = lazy_re(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}.*")
_MOST_LABELS = 1000
_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """What each value of the column means: True selected, False not, null no decision.

    `counts` has the people of each value, empty cells under ''; `selected` and `undecided` name
    the values that mean so.
    """

    of: Mapping[Hashable, bool | None]
    counts: Mapping[str, int]
    selected: tuple[str, ...]
    undecided: tuple[str, ...] = ()


def decisions_of(cells: pl.DataFrame, column: str, wanted: str | None, undecided: Sequence[str] = ()) -> Decisions:
    """Read the values in `cells.decision`, counted in `cells.n`.

    `wanted` is the value that means selected, or several separated by commas; then every other value
    that isn't empty means not selected, but for those of `undecided`. Without it yes and no are understood.
    An empty text among `undecided` says that no other value is without a decision.

    Raises
    ------
    InputError
        The values are dates, fractions or others that are not understood, `wanted` or one of `undecided`
        does not occur, or a value that may be no decision is named by neither.

    """
    kind = cells["decision"].dtype
    if kind.is_temporal():
        raise InputError(f"The column {quoted(column)} holds dates; expected decisions such as yes and no.")
    values = list(cells.group_by("decision").agg(pl.col("n").sum()).iter_rows())
    labels = labels_of(values, EMPTY)
    known = sorted({label for label in labels.of.values() if label is not None})
    if wanted is not None and len(known) > _MOST_LABELS:
        raise InputError(f"The column {quoted(column)} has {len(known):,} different values; expected decisions.")
    none = _named(undecided, known, column, option="--undecided")
    yes = YES if wanted is None else _named([wanted], known, column, option="--selected")
    if both := sorted(label for label in known if fold(label) in none and (_plain(label) in yes or fold(label) in yes)):
        raise InputError(
            f"--undecided {shortened(column)}={shortened(both[0])}: this value means selected; name it in one of the "
            "two."
        )
    rest = [label for label in known if fold(label) not in none]
    if wanted is None:
        _check_plain(rest, column)
    if "" not in undecided:
        _check_doubtful([label for label in rest if wanted is None or fold(label) not in yes], column, wanted)
    meaning = {value: _meaning(label, yes, none, plain=wanted is None) for value, label in labels.of.items()}
    return Decisions(
        of=meaning,
        counts=_counts(values, labels),
        selected=tuple(sorted({label for value, label in labels.of.items() if label is not None and meaning[value]})),
        undecided=tuple(label for label in known if fold(label) in none),
    )


def likely_meaning(label: str) -> str:
    """Return what a value of a decision likely means, for a person to confirm: selected, not or none.

    >>> [likely_meaning(each) for each in ("yes", "Hired", "not hired", "rejected", "in process")]
    ['selected', 'selected', 'not', 'not', 'none']
    """
    if _plain(label) in YES:
        return "selected"
    if _doubtful(label):
        return "none"
    words = re.findall(r"[a-z]+", fold(label))
    return "selected" if _LIKELY.intersection(words) and not _OPPOSITE.search(fold(label)) else "not"


def _meaning(label: str | None, yes: frozenset[str], none: frozenset[str], *, plain: bool) -> bool | None:
    if label is None or fold(label) in none:
        return None
    return (_plain(label) if plain else fold(label)) in yes


def _counts(values: Sequence[tuple[Hashable, int]], labels: Labels) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value, n in values:
        label = labels.of[value]
        if label is None:
            label = " ".join((text_of(value) or "").split())
            label = "" if fold(label) in EMPTY else label
        counts[label] = counts.get(label, 0) + n
    return dict(sorted(counts.items()))


def _plain(label: str) -> str:
    """Return a folded label; 1.0 is 1, as frames with gaps write it."""
    folded = fold(label)
    whole = _WHOLE.fullmatch(folded)
    return whole[1] if whole else folded


def _check_plain(known: Sequence[str], column: str) -> None:
    """Raise InputError where values are neither yes nor no."""
    others = [label for label in known if _plain(label) not in YES | NO]
    if not others:
        return
    if all(_COUNT.fullmatch(label) for label in known):
        raise InputError(
            f"The column {quoted(column)} holds {_listed(others)}; expected decisions such as yes and no. If it "
            f"says how many of a group were selected: --applicants COLUMN --selected-count {column}; if one of the "
            f"values means selected: --selected {column}=VALUE."
        )
    for what, pattern in (("fractions", _FRACTION), ("dates", _DATE)):
        if all(pattern.fullmatch(label) for label in others):
            hint = f"; for scores use --score {column}" if what == "fractions" else ""
            raise InputError(f"The column {quoted(column)} holds {what}; expected decisions such as yes and no{hint}.")
    if all(_doubtful(label) for label in others):
        return
    raise InputError(
        f"The column {quoted(column)} holds {_listed(others)}; expected yes/no, true/false, 1/0, y/n or t/f. "
        f"Name the value that means selected: --selected {column}=VALUE."
    )


def _check_doubtful(labels: Sequence[str], column: str, wanted: str | None) -> None:
    """Raise InputError for values that may be no decision."""
    doubtful = [label for label in labels if _doubtful(label)]
    if not doubtful:
        return
    selected = f", or in --selected {column}={wanted},… if they are" if wanted is not None else ""
    own = shortened(column)
    raise InputError(
        f"The column {quoted(column)} holds {_listed(doubtful)}, which may be no decision: name what is none, "
        f"--undecided {_typed(shortened(f'{column}={doubtful[0]}'))}{selected}, or --undecided {_typed(f'{own}=')} "
        "if no value is."
    )


def _typed(text: str) -> str:
    """Return an option's value as it can be typed.

    >>> _typed("hired=pending"), _typed("hired=in process")
    ('hired=pending', "'hired=in process'")
    """
    return text if re.fullmatch(r"[\w=./-]+", text) else f"'{text}'"


def _doubtful(label: str) -> bool:
    plain = " ".join(re.sub("[-_]+(?=[a-z])", " ", fold(label)).split())
    return plain in _PERHAPS_NONE or fold(label) in _PERHAPS_NONE or _PERHAPS_NONE_WITHIN.match(plain) is not None


def _named(wanted: Sequence[str], known: Sequence[str], column: str, *, option: str) -> frozenset[str]:
    """Return the folded values that an option names; commas separate, unless the whole is a value."""
    there = {fold(label) for label in known}
    found: set[str] = set()
    for each in wanted:
        parts = [each] if fold(each) in there else [part for part in each.split(",") if part.strip()]
        for part in parts:
            if fold(part) not in there:
                raise InputError(
                    f"{option} {shortened(column)}={shortened(each)}: no value {quoted(part.strip())} in the column "
                    f"{quoted(column)}. Values: {_listed(known)}."
                )
            found.add(fold(part))
    return frozenset(found)


def _listed(labels: Sequence[str]) -> str:
    return listed(labels, most=_SHOWN, quotes=True)
