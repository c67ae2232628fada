"""Columns and values that the user names, and the values of columns as labels, decisions and outcomes.

Spellings that differ only in spaces or case are one label. Columns with too many values are refused before their
counts leave the engine.

Engines read text as dates each in their own way: for 1980-02-30 one returns null, another fails, and all of them
accept '1980-01-31 or so' when it is cut to ten characters. The patterns here match only days of the calendar.
"""

import math
import re
import shlex
import unicodedata
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from difflib import get_close_matches
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import polars as pl

from evenhand.data.folding import latin_letters
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import listed, one_line, quoted, shortened

#: Limits on distinct raw values, ignoring case and outer spaces.
MOST_POSITIONS = 100_000
MOST_VALUES = 1_000
MOST_QUALIFICATIONS = 50_000
#: Characters of an option's value in a message; one that is longer is cut.
LONGEST_TYPED = 600


_LEAP_YEAR = "([1-9][0-9](0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)"
_OF_ANY_YEAR = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
_DAY = f"([1-9][0-9]{{3}}-({_OF_ANY_YEAR})|{_LEAP_YEAR}-02-29)"
_TIME = "[ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"

#: A day from the year 1000 on, with a time of day or without.
MOMENT = f"^{_DAY}({_TIME})?$"
#: The same, with an optional offset from UTC.
MOMENT_OR_ZONE = f"^{_DAY}({_TIME}(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?)?$"


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


_LATIN, _LOOKALIKE = lazy_re("[A-Za-z]"), lazy_re("[\u0131\u0251\u0261\u0370-\u03ff\u0400-\u052f]")
_DOTLESS_I = "\u0131"
_OTHER_LETTER = lazy_re("[\u0370-\u03ff\u0400-\u052f]")


def fold(text: str) -> str:
    """Return a text normalised for comparison: NFKC, single inner spaces, none around, casefolded.

    Invisible characters go, and in a word with Latin letters those of other alphabets that look like them are Latin.

    >>> fold(" Female "), fold("TWO  or more"), fold("Cafe\u0301") == fold("café"), fold("m\u0430le"), fold("\u039cale")
    ('female', 'two or more', True, 'male', 'male')
    """
    if text.isascii():
        return " ".join(text.split()).casefold()
    words = unicodedata.normalize("NFKC", _without_invisible(text)).split()
    shown = (latin_letters(word) if _LATIN.search(word) and _LOOKALIKE.search(word) else word for word in words)
    return " ".join(unicodedata.normalize("NFKC", " ".join(shown).casefold()).split())


def latin_labels(labels: Iterable[str]) -> dict[str, str]:
    """Return the Latin form of each normalised label of other letters, in a column where all of them look Latin.

    >>> latin_labels(["f", "\u043c"]), latin_labels(["f", "\u043c", "\u0436"])
    ({'м': 'm'}, {})
    """
    labels = list(labels)
    other = [label for label in labels if _OTHER_LETTER.search(label)]
    latin = {label: fold(latin_letters(label.upper())) for label in other}
    if len(other) == len(labels) or any(_OTHER_LETTER.search(label) for label in latin.values()):
        return {}
    return latin


def _without_invisible(text: str) -> str:
    return text if text.isascii() else "".join(letter for letter in text if unicodedata.category(letter) != "Cf")


def _looks_like(letter: str) -> str:
    """Return the letter that a character stands for where it looks like another, else itself."""
    if letter.isascii() or unicodedata.category(letter) == "Cf":
        return letter if letter.isascii() else ""
    plain = unicodedata.normalize("NFKC", letter)
    return plain if plain.isascii() else latin_letters(letter)


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a column's values.

    `of` has a label for each value, null where it is unknown. `unknown` counts the labels that mean unknown, `unsure`
    groups whose label may mean it; `folded` lists the labels that were merged, `placed` the EEO-1 category of each
    label with its number of rows.
    """

    of: Mapping[Hashable, str | None]
    unknown: Mapping[str, int] = field(default_factory=dict)
    unsure: Mapping[str, int] = field(default_factory=dict)
    folded: tuple[dict[str, Any], ...] = ()
    placed: tuple[dict[str, Any], ...] = ()


def labels_of(
    values: Iterable[tuple[Any, int]],
    unknown: frozenset[str],
    *,
    same: Mapping[str, str] = MappingProxyType({}),
    names: Mapping[str, str] = MappingProxyType({}),
) -> Labels:
    """Return the labels of values, each with how often it occurs.

    The label is the most frequent spelling; ties go to mixed case, then to the first in the alphabet. `same` has, by
    normalised label, the one that it is the same as; `names` how one is called. Null and blank are unknown and have no
    label.

    >>> labels = labels_of([("Female", 5), (" female", 2), ("N/A", 1), (None, 3)], frozenset({"n/a", ""}))
    >>> labels.of
    {'Female': 'Female', ' female': 'Female', 'N/A': None, None: None}
    >>> labels.unknown, labels.folded
    ({'N/A': 1}, ({'kept': 'Female', 'merged': {' female': 2}},))
    """
    spellings: dict[str, dict[str, int]] = {}
    raw_texts: dict[str, dict[str, int]] = {}
    keys: dict[Any, str | None] = {}
    for value, n in values:
        text = text_of(value)
        if text is None:
            keys[value] = None
            continue
        key = keys[value] = same.get(fold(text), fold(text))
        spelling = " ".join(unicodedata.normalize("NFKC", _without_invisible(text)).split())
        counts = spellings.setdefault(key, {})
        counts[spelling] = counts.get(spelling, 0) + n
        raw_texts.setdefault(key, {})[text] = raw_texts.get(key, {}).get(text, 0) + n
    best = {
        key: names.get(key) or min(counts, key=lambda spelling: _preference(spelling, counts[spelling]))
        for key, counts in spellings.items()
    }
    return Labels(
        of={value: None if key is None or key in unknown else best[key] for value, key in keys.items()},
        unknown={
            spelling: n
            for key in sorted(spellings)
            if key in unknown
            for spelling, n in spellings[key].items()
            if spelling
        },
        folded=tuple(
            {"kept": best[key], "merged": {_visible(text, best[key]): n for text, n in sorted(merged.items())}}
            for key in sorted(best)
            if key not in unknown and (merged := {text: n for text, n in raw_texts[key].items() if text != best[key]})
        ),
    )


def _preference(spelling: str, n: int) -> tuple[Any, ...]:
    """Return the place of a spelling that occurs `n` times among those of a label, the best first."""
    other = _OTHER_LETTER.search(spelling) is not None
    return other, -n, spelling.isupper() or spelling.islower(), spelling


def _visible(text: str, kept: str) -> str:
    """Return a spelling with the name of a character that looks like another, if there is one.

    The dotless i is a letter of Turkish and named only where it is what differs from the spelling that was kept.
    """
    usual = "" if fold(text) == fold(kept) else _DOTLESS_I
    odd = next((letter for letter in text if _looks_like(letter) != letter and letter != usual), None)
    return text if odd is None else f"{text} (with {unicodedata.name(odd, 'a control character').lower()})"


YES = frozenset({"true", "1", "yes", "y", "t"})
NO = frozenset({"false", "0", "no", "n", "f"})
#: How programs write an empty cell; any other text is a value that somebody chose.
EMPTY = frozenset({"", "nan", "<na>", "null"})
#: Values that may mean that nobody has decided; the user says what they are.
_PERHAPS_NONE = frozenset(
    {
        *("n/a", "na", "#n/a", "n.a.", "none", "nil", "-", "--", "?", ".", "missing", "blank", "unknown", "not known"),
        *("open", "active", "applied", "waiting", "incomplete", "undecided", "not decided", "no decision", "tbd"),
        *("to be decided", "to be determined", "in review", "not available", "not applicable", "not specified"),
        *("offen", "unentschieden", "en attente", "en cours", "pendiente", "en proceso", "en curso", "lopend"),
    }
)
#: The same within a longer text: 'in process, second interview', 'candidate withdrew'.
_PERHAPS_NONE_WITHIN = lazy_re(
    r"(?:pending|withdr[ae]w\w*|awaiting|in pro(?:cess|gress)|(?:under|in) (?:review|consideration)|on hold)\b"
    r"|.*\b(?:pending|withdr[ae]w\w*|not yet|noch (?:offen|nicht)|zurückgezogen|ausstehend|pas encore|désist\w+"
    r"|retirad[oa]|ingetrokken|teruggetrokken|in behandeling|in bearbeitung)\b"
)
#: Words that likely mean selected, unless a word of `_OPPOSITE` stands with them.
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
_LISTED_DECISIONS = 5


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """The meaning of each value of a decision column: True selected, False not, null no decision.

    `counts` has the people of each value, empty cells under ''. `selected` and `undecided` list the values that mean
    selected and no decision.
    """

    of: Mapping[Hashable, bool | None]
    counts: Mapping[str, int]
    selected: tuple[str, ...]
    undecided: tuple[str, ...] = ()


def decisions_of(
    cells: pl.DataFrame, column: str, selected_value: str | None, undecided: Sequence[str] = ()
) -> Decisions:
    """Read the values in `cells.decision`, counted in `cells.n`.

    `selected_value` is the value that means selected, or several separated by commas; then every other value
    that isn't empty means not selected, but for those of `undecided`. Without it yes and no are understood.
    An empty text among `undecided` says that no other value is without a decision.

    Raises
    ------
    InputError
        The values are dates, fractions or others that are not understood, `selected_value` or one of `undecided`
        does not occur, or a value that may be no decision is named by neither.

    """
    kind = cells["decision"].dtype
    if kind.is_temporal():
        raise InputError(f"The column {quoted(column)} holds dates; expected decisions such as yes and no.")
    values = list(cells.group_by("decision").agg(pl.col("n").sum()).iter_rows())
    labels = labels_of(values, EMPTY)
    known = sorted({label for label in labels.of.values() if label is not None})
    if selected_value is not None and len(known) > _MOST_LABELS:
        raise InputError(f"The column {quoted(column)} has {len(known):,} different values; expected decisions.")
    none = named_values(undecided, known, column, option="undecided")
    yes = YES if selected_value is None else named_values([selected_value], known, column, option="selected")
    if contradictory := sorted(
        label for label in known if fold(label) in none and (plain_value(label) in yes or fold(label) in yes)
    ):
        raise InputError(
            f"{option_text('undecided', f'{shortened(column)}={shortened(contradictory[0])}')}: this value "
            "means selected; give it in only one of the two options."
        )
    remaining = [label for label in known if fold(label) not in none]
    if selected_value is None:
        _check_plain(remaining, column)
    if "" not in undecided:
        _check_doubtful(
            [label for label in remaining if selected_value is None or fold(label) not in yes], column, selected_value
        )
    return _decisions(values, labels, yes, none, plain=selected_value is None)


def likely_meaning(label: str) -> str:
    """Return what a value of a decision likely means, for a person to confirm: selected, not or none.

    >>> [likely_meaning(label) for label in ("yes", "Hired", "not hired", "rejected", "in process")]
    ['selected', 'selected', 'not', 'not', 'none']
    """
    if plain_value(label) in YES:
        return "selected"
    if _doubtful(label):
        return "none"
    words = re.findall(r"[a-z]+", fold(label))
    return "selected" if _LIKELY.intersection(words) and not _OPPOSITE.search(fold(label)) else "not"


def _decisions(
    values: Sequence[tuple[Hashable, int]], labels: Labels, yes: frozenset[str], none: frozenset[str], *, plain: bool
) -> Decisions:
    """Return what each value means, given the normalised ones that mean yes and no decision; `plain` ones are 1.0."""
    of: dict[Hashable, bool | None] = {}
    counts: dict[str, int] = {}
    for value, n in values:
        label = labels.of[value]
        undecided = label is None or fold(label) in none
        of[value] = None if label is None or undecided else (plain_value(label) if plain else fold(label)) in yes
        text = label or " ".join((text_of(value) or "").split())
        text = "" if label is None and fold(text) in EMPTY else text
        counts[text] = counts.get(text, 0) + n
    known = sorted({(label, of[value]) for value, label in labels.of.items() if label is not None}, key=itemgetter(0))
    return Decisions(
        of=of,
        counts=dict(sorted(counts.items())),
        selected=tuple(label for label, decided in known if decided),
        undecided=tuple(label for label, _ in known if fold(label) in none),
    )


def plain_value(label: str) -> str:
    """Return a normalised label; 1.0 is 1, as frames with missing values write it."""
    normalised = fold(label)
    whole = _WHOLE.fullmatch(normalised)
    return whole[1] if whole else normalised


def _check_plain(known: Sequence[str], column: str) -> None:
    unclear = [label for label in known if plain_value(label) not in YES | NO]
    if not unclear:
        return
    if all(_COUNT.fullmatch(label) for label in known):
        raise InputError(
            f"The column {quoted(column)} holds {_listed(unclear)}; expected decisions such as yes and no. If it "
            f"says how many of a group were selected: {option_text('applicants', 'COLUMN')} "
            f"{option_text('selected_count', column)}; if one of the "
            f"values means selected: {option_text('selected', f'{column}=VALUE')}."
        )
    for kind, pattern in (("fractions", _FRACTION), ("dates", _DATE)):
        if all(pattern.fullmatch(label) for label in unclear):
            hint = f"; for scores use {option_text('score', column)}" if kind == "fractions" else ""
            raise InputError(f"The column {quoted(column)} holds {kind}; expected decisions such as yes and no{hint}.")
    if all(_doubtful(label) for label in unclear):
        return
    raise InputError(
        f"The column {quoted(column)} holds {_listed(unclear)}; expected yes/no, true/false, 1/0, y/n or t/f. "
        f"Give the value that means selected: {option_text('selected', f'{column}=VALUE')}."
    )


def _check_doubtful(labels: Sequence[str], column: str, selected_value: str | None) -> None:
    """Raise InputError for values that may be no decision."""
    doubtful = [label for label in labels if _doubtful(label)]
    if not doubtful:
        return
    selected = (
        f", or in {option_text('selected', f'{column}={selected_value}')},… if they are"
        if selected_value is not None
        else ""
    )
    column_name = shortened(column)
    raise InputError(
        f"The column {quoted(column)} holds {_listed(doubtful)}, which may mean no decision: give these values "
        f"with {option_text('undecided')} {as_typed(shortened(f'{column}={doubtful[0]}'))}{selected}, or "
        f"{option_text('undecided')} {as_typed(f'{column_name}=')} if there are none."
    )


def as_typed(text: str) -> str:
    """Return an option's value as it can be typed.

    >>> as_typed("hired=pending"), as_typed("hired=in process")
    ('hired=pending', "'hired=in process'")
    """
    text = one_line(shortened(text, most=LONGEST_TYPED))
    return text if re.fullmatch(r"[\w=.,:/…-]+", text) else shlex.quote(text)


def _doubtful(label: str) -> bool:
    plain = " ".join(re.sub("[-_]+(?=[a-z])", " ", fold(label)).split())
    return plain in _PERHAPS_NONE or fold(label) in _PERHAPS_NONE or _PERHAPS_NONE_WITHIN.match(plain) is not None


def named_values(typed: Sequence[str], known: Sequence[str], column: str, *, option: str) -> frozenset[str]:
    """Return the normalised values that an option names; commas separate, unless the whole text is a value.

    A typed 1 names the value 1.0, too.
    """
    matches: set[str] = set()
    forms = {label: {fold(label), plain_value(label)} for label in known}
    for option_value in typed:
        whole = any(fold(option_value) in of for of in forms.values())
        for part in [option_value] if whole else filter(str.strip, option_value.split(",")):
            named = {fold(label) for label, of in forms.items() if fold(part) in of}
            if not named:
                raise InputError(
                    f"{option_text(option, f'{shortened(column)}={shortened(option_value)}')}: no value "
                    f"{quoted(part.strip())} in the column {quoted(column)}. Values: {_listed(known)}."
                )
            matches |= named
    return frozenset(matches)


def _listed(labels: Sequence[str]) -> str:
    return listed(labels, most=_LISTED_DECISIONS, quotes=True)


def outcomes_of(cells: pl.DataFrame, column: str, selected_value: str | None) -> Decisions:
    """Read the values in `cells.decision`, counted in `cells.n`; empty cells are no outcome.

    `selected_value` is the value that means yes, or several separated by commas; then every other value means no.
    Without it yes/no, true/false, 1/0, y/n and t/f are understood.

    Raises
    ------
    InputError
        The values are not two, or which of them means yes is not known.

    >>> outcomes = outcomes_of(pl.DataFrame({"decision": [1.0, 0.0, None], "n": [3, 4, 1]}), "stayed", None)
    >>> outcomes.of, outcomes.selected
    ({None: None, 1.0: True, 0.0: False}, ('1',))
    """
    values = list(cells.group_by("decision").agg(pl.col("n").sum()).sort("decision", descending=True).iter_rows())
    labels = labels_of(values, EMPTY)
    known = sorted({label for label in labels.of.values() if label is not None})
    if not known:
        raise InputError(f"The label {quoted(column)} is empty; expected two outcomes, such as yes and no.")
    yes = YES if selected_value is None else named_values([selected_value], known, column, option="label")
    if selected_value is None and any(plain_value(label) not in YES | NO for label in known):
        raise InputError(_not_understood(column, known))
    outcomes = _decisions(values, labels, yes, frozenset(), plain=selected_value is None)
    if len(set(outcomes.of.values()) - {None}) < 2:
        problem = f"holds {quoted(known[0])} only" if len(known) == 1 else "means the same in every row"
        raise InputError(f"The label {quoted(column)} {problem}; expected two outcomes, such as yes and no.")
    return outcomes


def _not_understood(column: str, known: Sequence[str]) -> str:
    value_list = _listed(known)
    if len(known) == 2:
        return (
            f"The label {quoted(column)} holds {value_list}; say which of them is the outcome that the score should "
            f"find: {option_text('label', f'{shortened(column)}={shortened(known[0])}')}."
        )
    return (
        f"The label {quoted(column)} holds {len(known):,} different values ({value_list}); expected two outcomes. If "
        f"one value is meant against all others: {option_text('label', f'{shortened(column)}=VALUE')}."
    )


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
    name = "[^,:]+" if columns is None else rf"\s*(?:{'|'.join(map(re.escape, longest)) or '(?!)'})\s*"
    maps: dict[str, list[str]] = {}
    for text in [typed] if isinstance(typed, str) else typed:
        before, *pieces = re.split(rf"(?:^|,)({name}):", text)
        if before or not pieces or not all(map(str.strip, pieces[::2])):
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
    reach = 2 * max(map(len, labels), default=0) + 2  # a label may be typed with more spaces
    for text in typed:
        start = 0
        while start <= len(text):
            pair, start = _pair_at(text, start, labels, reach)
            said = f"{option_text('map')} is {quoted(f'{column}:{text}')}"
            if pair is None:
                raise InputError(f"{said}; {EXPECTED_MAP}.")
            before, now = pair
            if now == BLANK:
                raise InputError(f"{said}; write the meaning of {quoted(before)} in place of {BLANK}.")
            if pairs.setdefault(before, now) != now:
                raise InputError(f"{said}; it maps {quoted(before)} to both {pairs[before]} and {now}.")
    return pairs


def _pair_at(text: str, start: int, labels: Collection[str], reach: int) -> tuple[tuple[str, str] | None, int]:
    """Return FROM and TO that begin at a place of a text, if it has such, and the place behind the comma after them.

    Both end where the longest label does, or else at the last `=` before the first comma, and at the next comma.
    """
    comma = text.find(",", start)
    known = [place for place in _places(text, "=", start, reach) if fold(text[start:place]) in labels]
    sign = max(known, default=text.rfind("=", start, comma if comma >= 0 else len(text)))
    if sign < 0:
        return None, len(text) + 1
    comma = text.find(",", sign)
    after = comma if comma >= 0 else len(text)
    ends = [*_places(text, ",", sign + 1, reach), len(text)]
    end = max(
        (place for place in ends if place <= sign + reach and fold(text[sign + 1 : place]) in labels), default=after
    )
    return (text[start:sign].strip(), text[sign + 1 : end].strip()), end + 1


def _places(text: str, mark: str, start: int, reach: int) -> list[int]:
    return [place for place in range(start, min(len(text), start + reach)) if text[place] == mark]


#: The column with the sheet of each row, where the sheets of a workbook are read as stages.
STAGE = "sheet"


#: The column with the period of each row, where several tables are read, one a period.
PERIOD = "period"


def undecided_pairs(
    typed: Sequence[str], decisions: Sequence[str], columns: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the columns of decisions and their values that are no decision; '' says that all others are."""
    pairs = []
    for text in typed:
        column, value = parted(text, "=", columns)
        if "=" not in text[len(column) :]:
            raise InputError(
                f"{option_text('undecided')} is {quoted(text)}; expected COLUMN=VALUE, such as "
                f"{option_text('undecided', 'hired=pending')}."
            )
        if column not in decisions:
            raise InputError(
                f"{option_text('undecided', quoted(text))} names {quoted(column)}; "
                f"the decisions are in {listed(decisions, quotes=True)}."
            )
        pairs.append((column, value))
    return tuple(pairs)


def comma_separated(values: Sequence[str], columns: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the named columns; commas separate, unless the whole is a column.

    >>> comma_separated(["sex,race", "a, b"], ["sex", "race", "a, b"])
    ('sex', 'race', 'a, b')
    """
    columns_named = []
    for value in values:
        columns_named += [value] if value in columns else [part.strip() for part in value.split(",") if part.strip()]
    return tuple(dict.fromkeys(columns_named))


def parted(text: str | None, sign: str, columns: Sequence[str]) -> tuple[str, str]:
    """Return the text before and after the sign, which may be part of a column's name."""
    if text is None or text in columns:
        return text or "", ""
    for column in sorted(columns, key=len, reverse=True):
        if text.startswith(column + sign):
            return column, text.removeprefix(column + sign)
    before, _, behind = text.partition(sign)
    return before, behind.strip() if sign == "," else behind
