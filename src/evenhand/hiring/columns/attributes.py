"""Protected attributes: from columns as they are to the group each row belongs to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import ibis
import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.categories import ADEA_AGE, OVER, UNDER, eeo1_category, years_before
from evenhand.hiring.columns.folding import Labels, fold, labels_of, text_of
from evenhand.hiring.columns.iso_dates import MOMENT_OR_ZONE
from evenhand.hiring.columns.lookup import checked_column, is_nan, is_text
from evenhand.hiring.columns.scores import NUMBER
from evenhand.hiring.columns.unknown import UNKNOWN
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["Attribute", "attributes_of", "plain_attribute"]

#: More groups than that are no groups; each is compared with each.
MOST_GROUPS = 500
YOUNGEST, OLDEST = 14, 110
_SHOWN = 8
#: What the age key holds: a group, or why there is none.
_NO_AGE, _UNDER, _OVER, _ABSURD, _UNREADABLE, _NO_DAY = range(6)


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """A protected attribute: its name, the engine's columns it is read from, and how."""

    name: str
    keys: dict[str, Any]
    read: Callable[[Sequence[tuple[Any, ...]], frozenset[str]], Labels]

    def labels(self, cells: pl.DataFrame, unknown: frozenset[str]) -> Labels:
        """Return the group of each combination of the keys; `cells.n` counts them.

        Raises
        ------
        InputError
            There are too many groups, or a value fits none.

        """
        combinations = list(cells.group_by(list(self.keys)).agg(pl.col("n").sum()).iter_rows())
        found = self.read(combinations, unknown)
        groups = len({label for label in found.of.values() if label is not None})
        if groups > MOST_GROUPS:
            hint = "; for ages or dates of birth use --age"
            raise InputError(
                f"The column {quoted(self.name)} has {groups:,} different values, more than the {MOST_GROUPS} groups "
                f"an attribute may have{hint}."
            )
        return found


def attributes_of(table: OpenTable, kept: Any, query: ApplicantQuery) -> tuple[Attribute, ...]:
    """Return the attributes asked for, in the user's order; age is last unless its column is among them.

    `kept` are the rows of the table that are counted.
    """
    if len(set(query.protected)) < len(query.protected):
        raise InputError(f"--protected names a column twice: {listed(query.protected)}.")
    found = []
    race = query.eeo1[0] if query.eeo1 is not None else None
    if race is not None and race not in query.protected:
        raise InputError(f"The race column {quoted(race)} is not among --protected {listed(query.protected)}; add it.")
    for place, name in enumerate(query.protected):
        key = f"key_{place}"
        if name == query.age:
            found.append(_age(table, kept, query, key))
        elif name == race and query.eeo1 is not None:
            found.append(_eeo1(table, query.eeo1, key))
        else:
            found.append(plain_attribute(table, name, key, "--protected"))
    if query.age is not None and query.age not in query.protected:
        found.append(_age(table, kept, query, "key_age"))
    names = [attribute.name for attribute in found]
    if not names:
        raise InputError("No attribute was named; use --protected COLUMNS.")
    if len(set(names)) < len(names):
        raise InputError("The table has a column 'age' among --protected besides the column of --age; leave one out.")
    return tuple(found)


def plain_attribute(table: OpenTable, name: str, key: str, option: str) -> Attribute:
    """Return the groups that a column's values are, spellings taken together."""
    return Attribute(name=name, keys={key: checked_column(table, name, option)}, read=_plain)


def _plain(combinations: Sequence[tuple[Any, ...]], unknown: frozenset[str]) -> Labels:
    labels = labels_of(((value, n) for value, n in combinations), unknown)
    return Labels(
        of={(value,): label for value, label in labels.of.items()}, unknown=labels.unknown, folded=labels.folded
    )


def _eeo1(table: OpenTable, columns: tuple[str, str | None], key: str) -> Attribute:
    race, hispanic = columns
    keys = {key: checked_column(table, race, "--protected")}
    if hispanic is not None:
        keys[f"{key}_hispanic"] = checked_column(table, hispanic, "--hispanic")

    def read(combinations: Sequence[tuple[Any, ...]], unknown: frozenset[str]) -> Labels:
        of: dict[Any, str | None] = {}
        unread: set[str] = set()
        nobody_knows: dict[str, int] = {}
        placed: dict[tuple[str, ...], int] = {}
        for *values, n in combinations:
            known = [_known(value, unknown) for value in values]
            try:
                category = of[tuple(values)] = eeo1_category(known[0], known[1] if len(known) > 1 else None)
            except KeyError as error:
                unread.add(str(error.args[0]).strip())
                continue
            label = [" ".join((text_of(value) or "").split()) for value in values]
            if category is not None:
                placed[category, *label] = placed.get((category, *label), 0) + n
            elif label[0]:
                nobody_knows[label[0]] = nobody_knows.get(label[0], 0) + n
        if unread:
            examples = ", ".join(map(quoted, sorted(unread)[:_SHOWN])) + (" …" if len(unread) > _SHOWN else "")
            raise InputError(
                f"No EEO-1 category fits {examples} in {quoted(race)}; write its name, such as 'Asian', in the table."
            )
        names = ("category", "label", "hispanic")
        return Labels(
            of=of,
            unknown=dict(sorted(nobody_knows.items())),
            placed=tuple({**dict(zip(names, key, strict=False)), "n": n} for key, n in sorted(placed.items())),
        )

    return Attribute(name=race, keys=keys, read=read)


def _known(value: Any, unknown: frozenset[str]) -> str | None:
    text = text_of(value)
    return None if text is None or fold(text) in unknown else text


def _age(table: OpenTable, kept: Any, query: ApplicantQuery, key: str) -> Attribute:
    assert query.age is not None
    column = checked_column(table, query.age, "--age")
    code = _age_code(column, query.age_at)
    name = query.age

    def read(combinations: Sequence[tuple[Any, ...]], _unknown: frozenset[str]) -> Labels:
        counts = dict(combinations)
        if counts.get(_NO_DAY):
            raise InputError(
                f"The column {quoted(name)} holds dates of birth; say the day of the age with --age-at 2024-12-31."
            )
        if counts.get(_UNREADABLE):
            first = table.fetch(kept.filter(code == _UNREADABLE).select(value=column).order_by("value").limit(1))
            value, more = first["value"][0], counts[_UNREADABLE] - 1
            raise InputError(
                f"The column {quoted(name)} holds {quoted(value)}{f' and {more:,} more' if more else ''}, neither "
                "an age in years nor a day such as 1980-01-31; leave what is not known blank."
            )
        absurd = counts.get(_ABSURD, 0)
        return Labels(
            of={(_UNDER,): UNDER, (_OVER,): OVER, (_ABSURD,): None, (_NO_AGE,): None},
            unknown={f"below {YOUNGEST} or above {OLDEST} years": absurd} if absurd else {},
        )

    return Attribute(name="age", keys={key: code}, read=read)


def _age_code(column: Any, at: date | None) -> Any:
    """Return in which age group a cell is; dates are compared as whole numbers, year, month, day."""
    kind = column.type()
    if kind.is_date() or kind.is_timestamp():
        # Polars counts months in eight bits; to Ibis all are of 32, so only a cast to 64 reaches the engine.
        year, month, day = (part.cast("int64") for part in (column.year(), column.month(), column.day()))
        born = year * 10000 + month * 100 + day
        code = ibis.ifelse(column.isnull(), _NO_AGE, _of_birth(born, at))
    elif is_text(column):
        trimmed = column.strip()
        lower = trimmed.lower()
        unknown = tuple(sorted(UNKNOWN))
        numeric, dated = trimmed.re_search(NUMBER), trimmed.re_search(MOMENT_OR_ZONE)
        years = ibis.ifelse(numeric, trimmed, ibis.null("string")).cast("float64")
        day = trimmed.substr(0, 4) + trimmed.substr(5, 2) + trimmed.substr(8, 2)
        born = ibis.ifelse(dated, day, ibis.null("string")).cast("int64")
        code = ibis.cases(
            (column.isnull() | lower.isin(unknown), _NO_AGE),
            (numeric, _of_years(years)),
            (dated, _of_birth(born, at)),
            else_=_UNREADABLE,
        )
    elif kind.is_numeric() and not kind.is_boolean():
        years = column.cast("float64")
        code = ibis.ifelse(column.isnull() | is_nan(column), _NO_AGE, _of_years(years))
    else:
        raise InputError(
            f"The column {quoted(column.get_name())} holds {kind}; expected ages in years or dates of birth."
        )
    return code.cast("int32")


def _of_years(years: Any) -> Any:
    return ibis.cases(((years < YOUNGEST) | (years > OLDEST), _ABSURD), (years >= ADEA_AGE, _OVER), else_=_UNDER)


def _of_birth(born: Any, at: date | None) -> Any:
    if at is None:
        return ibis.literal(_NO_DAY)
    # Who turns 40 on the day is 40. Who would be 111 on it is not 110 any more.
    day = {years: int(f"{years_before(at, years):%Y%m%d}") for years in (YOUNGEST, ADEA_AGE, OLDEST + 1)}
    return ibis.cases(
        ((born > day[YOUNGEST]) | (born <= day[OLDEST + 1]), _ABSURD), (born <= day[ADEA_AGE], _OVER), else_=_UNDER
    )
