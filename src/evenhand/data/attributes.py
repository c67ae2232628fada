"""Protected attributes: from raw columns to the group of each row.

Covers labels that mean unknown, the EEO-1 categories of race and ethnicity, and the age that the ADEA protects.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import ibis
import polars as pl

from evenhand.data import labels as data_labels
from evenhand.data import score_cells
from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.group_labels import LabelRules, eeo1_codes, group_labels, label_rules, slice_labels
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.score_cells import NUMBER
from evenhand.data.totals import NAMED, total_name
from evenhand.errors import InputError, option_text
from evenhand.patterns import lazy_re
from evenhand.results.messages import listed, quoted

HISPANIC = "Hispanic or Latino"
TWO_OR_MORE = "Two or More Races"
_BETWEEN = lazy_re(r"[;|,+&]|\band\b")
_NOT_HISPANIC = lazy_re(r"\s*[,(]?\s*\bnon?t?[ -]+(?:hispanic|latino)(?: or latino)?\)?")


def eeo1_category(race: str | None, hispanic: str | None = None) -> str | None:
    """Return the EEO-1 category of a person: Hispanic first, several races as Two or More.

    `race` is a name or a usual code, or several of them ('White; Asian'); `hispanic` says yes
    or no, or names the ethnicity. Null where the race is not known and nobody is said to be
    Hispanic. Numbers are not understood: their meaning differs between systems.

    Raises
    ------
    KeyError
        The race, or the answer on ethnicity, fits no category.

    References
    ----------
    EEOC, EEO-1 Component 1 Data Collection Instruction Booklet, 'Race and Ethnicity Identification'.

    >>> eeo1_category("W"), eeo1_category("White; Asian"), eeo1_category("Black", "Hispanic or Latino")
    ('White', 'Two or More Races', 'Hispanic or Latino')

    """
    codes = eeo1_codes()
    if hispanic is not None and _is_hispanic(hispanic):
        return HISPANIC
    if race is None:
        return None
    bare = _bare(race)
    if bare in codes:
        return codes[bare]
    try:
        parts = {codes[part.strip()] for part in _BETWEEN.split(bare) if part.strip()}
    except KeyError:
        raise KeyError(race) from None
    if not parts:
        raise KeyError(race)
    if HISPANIC in parts:
        return HISPANIC
    return TWO_OR_MORE if len(parts) > 1 else parts.pop()


def _bare(label: str) -> str:
    """Return a normalised label without the suffix that forms add.

    >>> _bare("White (not Hispanic or Latino)")
    'white'
    """
    return _NOT_HISPANIC.sub("", data_labels.fold(label)).strip()


def _is_hispanic(answer: str) -> bool:
    normalised = data_labels.fold(answer)
    if normalised in data_labels.YES or eeo1_codes().get(normalised) == HISPANIC:
        return True
    if normalised in data_labels.NO or _NOT_HISPANIC.fullmatch(normalised):
        return False
    raise KeyError(answer)


#: Every group is compared with every other, so more are refused.
MOST_GROUPS = 500
#: Numbers or dates are rarely names of groups: codes are few, while ages, scores and days are many.
MOST_NUMBERS = 20
YOUNGEST, OLDEST = 14, 110
_MOST_EXAMPLES = 8
#: Texts in a column of ages that are looked at.
_MOST_TEXTS = 1000
#: Values of the age key that are no years: the reason why there is no age.
_NO_AGE, _ABSURD, _UNREADABLE, _NO_DAY = -1, -2, -3, -4


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """A protected attribute: its name, its key columns in the engine, and the function that labels their values.

    `categories` are all groups that there may be, where they are known; of some of them nobody may be.
    """

    name: str
    keys: dict[str, Any]
    read: Callable[[Sequence[tuple[Any, ...]], LabelRules], data_labels.Labels]
    categories: tuple[str, ...] = ()

    def labels(self, cells: pl.DataFrame, rules: LabelRules) -> data_labels.Labels:
        """Return the group of each combination of the keys; `cells.n` counts them.

        Raises
        ------
        InputError
            There are too many groups, or a value fits none.

        """
        combinations = list(cells.group_by(list(self.keys)).agg(pl.col("n").sum()).iter_rows())
        labels = self.read(combinations, rules)
        groups = {label for label in labels.of.values() if label is not None}
        numbers = all(re.search(NUMBER, label) or re.search(data_labels.MOMENT_OR_ZONE, label) for label in groups)
        most, which = (MOST_NUMBERS, "numbers or dates") if numbers else (MOST_GROUPS, "values")
        if len(groups) > most:
            raise InputError(
                f"The column {quoted(self.name)} has {len(groups):,} different {which}, and each would be a group; "
                f"expected at most {most}. For ages or dates of birth, impact and features have "
                f"{option_text('age', self.name)}; elsewhere give a column of age groups."
            )
        return labels


def attributes_of(table: OpenTable, rows: Any, query: ApplicantQuery) -> tuple[Attribute, ...]:
    """Return the attributes of a query in the user's order; age is last unless its column is among them.

    `rows` are the rows of the table that are counted.
    """
    if len(set(query.protected)) < len(query.protected):
        raise InputError(f"{option_text('protected')} names a column twice: {listed(query.protected)}.")
    attributes = []
    race = query.eeo1[0] if query.eeo1 is not None else None
    if race is not None and race not in query.protected:
        raise InputError(
            f"The race column {quoted(race)} is not among {option_text('protected', listed(query.protected))}; add it."
        )
    for place, name in enumerate(query.protected):
        key = f"key_{place}"
        if name == query.age:
            attributes.append(_age(table, rows, query, key))
        elif name == race and query.eeo1 is not None:
            attributes.append(_eeo1(table, query.eeo1, key))
        else:
            attributes.append(plain_attribute(table, name, key, "--protected"))
            if query.count is None and query.applicants is None and not query.wide:
                attributes[-1] = _without_totals(attributes[-1], table, rows)
    if query.age is not None and query.age not in query.protected:
        attributes.append(_age(table, rows, query, "key_age"))
    names = [attribute.name for attribute in attributes]
    if not names and query.membership is None:
        raise InputError(f"No attribute is given; add {option_text('protected', 'COLUMNS')}.")
    if len(set(names)) < len(names):
        raise InputError(
            f"{option_text('protected')} names a column 'age', and {option_text('age')} adds one; leave out one "
            "of them."
        )
    return tuple(attributes)


def plain_attribute(table: OpenTable, name: str, key: str, option: str) -> Attribute:
    """Return an attribute whose groups are a column's values; of --protected, with the labels of a group merged."""
    labels_of = group_labels if option == "--protected" else slice_labels

    def read(combinations: Sequence[tuple[Any, ...]], rules: LabelRules) -> data_labels.Labels:
        return labels_of(name, ((value, n) for value, n in combinations), rules)

    return Attribute(name=name, keys={key: checked_column(table, name, option)}, read=read)


def _without_totals(attribute: Attribute, table: OpenTable, rows: Any) -> Attribute:
    """Return an attribute that refuses the name of a total among its labels, where a row is one person."""
    ((_, column),) = attribute.keys.items()

    def read(combinations: Sequence[tuple[Any, ...]], rules: LabelRules) -> data_labels.Labels:
        texts = [text for value, _ in combinations if (text := data_labels.text_of(value)) is not None]
        mapped = rules.mapped(attribute.name, texts)
        for value in sorted((value for value, _ in combinations if isinstance(value, str)), key=data_labels.fold):
            if total_name(value) != NAMED or rules.unknown_label(value) or data_labels.fold(value) in mapped:
                continue
            place, _ = score_cells.first_row(table, rows, column == value)
            label = " ".join(value.split())
            raise InputError(
                f"{place[:1].upper()}{place[1:]} is called {quoted(label)} in {quoted(attribute.name)}, the name of a "
                "total, but a row here is one person or judgement: delete the row, or, if it is the name of a group, "
                f"give {option_text('map', data_labels.as_typed(f'{attribute.name}:{label}={label}'))}."
            )
        return attribute.read(combinations, rules)

    return replace(attribute, read=read)


def _eeo1(table: OpenTable, columns: tuple[str, str | None], key: str) -> Attribute:
    race, hispanic = columns
    keys = {key: checked_column(table, race, "--protected")}
    if hispanic is not None:
        keys[f"{key}_hispanic"] = checked_column(table, hispanic, f"{option_text('eeo1', race)},")

    def read(combinations: Sequence[tuple[Any, ...]], rules: LabelRules) -> data_labels.Labels:
        category_of: dict[Any, str | None] = {}
        unread: set[str] = set()
        nobody_knows: dict[str, int] = {}
        counts: dict[tuple[str, ...], int] = {}
        texts = [text for values in combinations if (text := data_labels.text_of(values[0])) is not None]
        mapped = rules.mapped(race, texts)
        for *values, n in combinations:
            named = mapped.get(data_labels.fold(data_labels.text_of(values[0]) or ""), values[0])
            known = [_known(value, rules) for value in (named, *values[1:])]
            try:
                key = tuple(values) if hispanic is not None else values[0]
                category = category_of[key] = eeo1_category(known[0], known[1] if len(known) > 1 else None)
            except KeyError as error:
                unread.add(str(error.args[0]).strip())
                continue
            label = [" ".join((data_labels.text_of(value) or "").split()) for value in values]
            if category is not None:
                counts[category, *label] = counts.get((category, *label), 0) + n
            elif label[0]:
                nobody_knows[label[0]] = nobody_knows.get(label[0], 0) + n
        if unread:
            examples = ", ".join(map(quoted, sorted(unread)[:_MOST_EXAMPLES])) + (
                " …" if len(unread) > _MOST_EXAMPLES else ""
            )
            raise InputError(
                f"No EEO-1 category matches {examples} in {quoted(race)}; map it, such as "
                f"{option_text('map', data_labels.as_typed(f'{race}:{min(unread)}=Asian'))}."
            )
        names = ("category", "label", "hispanic")
        return data_labels.Labels(
            of=category_of,
            unknown=dict(sorted(nobody_knows.items())),
            placed=tuple({**dict(zip(names, key, strict=False)), "n": n} for key, n in sorted(counts.items())),
        )

    return Attribute(name=race, keys=keys, read=read, categories=tuple(sorted(set(eeo1_codes().values()))))


def _known(value: Any, rules: LabelRules) -> str | None:
    text = data_labels.text_of(value)
    return None if text is None or rules.unknown_label(text) else text


def age_groups(bands: Sequence[int]) -> list[str]:
    """Return the groups of ages, the youngest first.

    >>> age_groups([40]), age_groups([40, 50])
    (['under 40', '40 or older'], ['under 40', '40 to 49', '50 or older'])
    """
    between = [f"{low} to {high - 1}" for low, high in pairwise(bands)]
    return [f"under {bands[0]}", *between, f"{bands[-1]} or older"]


def _age(table: OpenTable, rows: Any, query: ApplicantQuery, key: str) -> Attribute:
    assert query.age is not None
    column = checked_column(table, query.age, "--age")
    rules = label_rules(query.unknown)
    unknown = _unknown_texts(table, rows, column, rules) if is_text(column) else ()
    code = _years(column, _age_day(table, rows, query), unknown)
    name, groups = query.age, age_groups(query.age_bands)

    def read(combinations: Sequence[tuple[Any, ...]], _rules: LabelRules) -> data_labels.Labels:
        counts = dict(combinations)
        if counts.get(_NO_DAY):
            raise InputError(
                f"The column {quoted(name)} holds dates of birth; give the day for which ages are computed with "
                f"{option_text('age_at', '2024-12-31')}, or the column with the day of the decision."
            )
        if counts.get(_UNREADABLE):
            first = table.fetch(rows.filter(code == _UNREADABLE).select(value=column).order_by("value").limit(1))
            value, more = first["value"][0], counts[_UNREADABLE] - 1
            raise InputError(
                f"The column {quoted(name)} holds {quoted(value)}{f' and {more:,} more' if more else ''}, "
                "neither an age in years nor a date such as 1980-01-31; leave unknown ages blank."
            )
        absurd = counts.get(_ABSURD, 0)
        return data_labels.Labels(
            of={
                years: groups[bisect_right(query.age_bands, years)] if years is not None and years >= 0 else None
                for years in {*counts, _ABSURD, _NO_AGE}
            },
            unknown={f"below {YOUNGEST} or above {OLDEST} years": absurd} if absurd else {},
        )

    return Attribute(name="age", keys={key: code}, read=read)


def _age_day(table: OpenTable, rows: Any, query: ApplicantQuery) -> Any:
    """Return the day of the age as a whole number of the form YYYYMMDD, that of each decision by its column."""
    if query.age_at_column is None:
        return None if query.age_at is None else ibis.literal(int(f"{query.age_at:%Y%m%d}"), type="int64")
    column = checked_column(table, query.age_at_column, "--age-at")
    if is_text(column):
        wrong = table.fetch(score_cells.undated(rows, column).limit(1))
        if wrong.height:
            raise InputError(
                f"{option_text('age_at', query.age_at_column)} holds {quoted(wrong['value'][0])}; expected days such "
                "as 2024-01-31."
            )
    elif not (column.type().is_date() or column.type().is_timestamp()):
        raise InputError(f"{option_text('age_at', query.age_at_column)} holds {column.type()}; expected days.")
    return _day_number(column)


def _day_number(column: Any) -> Any:
    """Return days as whole numbers of the form YYYYMMDD; null of texts that are none."""
    year, month, day = score_cells.day_parts(column)
    return year * 10000 + month * 100 + day


def _unknown_texts(table: OpenTable, rows: Any, column: Any, rules: LabelRules) -> tuple[str, ...]:
    """Return the texts of a column of ages that are none and mean that the age is not known."""
    trimmed = column.strip()
    others = rows.filter(~trimmed.re_search(NUMBER) & ~trimmed.re_search(data_labels.MOMENT_OR_ZONE))
    texts = table.fetch(others.select(value=column).distinct().limit(_MOST_TEXTS))["value"]
    return tuple(sorted(text for text in texts.drop_nulls() if rules.unknown_label(text)))


def _years(column: Any, at: Any, unknown: Sequence[str]) -> Any:
    """Return the age of each cell in whole years, or a negative code; who turns 40 on the day is 40."""
    kind = column.type()
    if kind.is_date() or kind.is_timestamp():
        code = ibis.ifelse(column.isnull(), _NO_AGE, _since(_day_number(column), at))
    elif is_text(column):
        trimmed = column.strip()
        numeric, dated = trimmed.re_search(NUMBER), trimmed.re_search(data_labels.MOMENT_OR_ZONE)
        years = ibis.ifelse(numeric, trimmed, ibis.null("string")).cast("float64")
        code = ibis.cases(
            (column.isnull() | (trimmed == "") | column.isin(unknown), _NO_AGE),
            (numeric, _plausible(years)),
            (dated, _since(_day_number(column), at)),
            else_=_UNREADABLE,
        )
    elif kind.is_numeric() and not kind.is_boolean():
        years = column.cast("float64")
        code = ibis.ifelse(column.isnull() | score_cells.is_nan(column), _NO_AGE, _plausible(years))
    else:
        raise InputError(
            f"The column {quoted(column.get_name())} holds {kind}; expected ages in years or dates of birth."
        )
    return code.cast("int32")


def _plausible(years: Any) -> Any:
    return ibis.ifelse((years < YOUNGEST) | (years > OLDEST), _ABSURD, years.floor().cast("int64"))


def _since(born: Any, at: Any) -> Any:
    if at is None:
        return ibis.literal(_NO_DAY)
    # Days as whole numbers of the form YYYYMMDD differ by 10,000 for every full year.
    years = ((at - born) / 10000).floor().cast("int64")
    return ibis.cases((at.isnull(), _NO_AGE), ((years < YOUNGEST) | (years > OLDEST), _ABSURD), else_=years)
