"""The study's selection of first names (appendix A.1), for any table of names.

A name is selected if it occurs more than 1,000 times and more than half of its bearers have one race
and one gender. Of each race and gender, those names are chosen whose race is most certain.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.patterns import WordTable
from evenhand.results.messages import listed, quoted

#: Names by which columns are recognised.
NAME_COLUMN_WORDS = WordTable("evenhand.probes.an2024", "name_columns.toml")


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
    options = {"--name-column": name, "--count-column": count}
    pairs = [*options.items(), *(("--race", column) for column in (races or {}).values())]
    for option, column in [*pairs, *(("--gender", column) for column in (genders or {}).values())]:
        if column is not None and column not in columns:
            near = get_close_matches(column, columns, n=1)
            hint = f" Did you mean {quoted(near[0])}?" if near else ""
            raise InputError(
                f"{option} {quoted(column)} is not a column of the table. Columns: {listed(columns)}.{hint}"
            )
    recognised = NameColumns(
        name=name or _single(columns, NAME_COLUMN_WORDS.names, "names", "--name-column") or "",
        count=count or _single(columns, NAME_COLUMN_WORDS.counts, "counts", "--count-column"),
        races=races or _groups(columns, NAME_COLUMN_WORDS.races, "--race"),
        genders=genders or _groups(columns, NAME_COLUMN_WORDS.genders, "--gender"),
    )
    there = f"Columns: {listed(columns)}."
    if not recognised.name:
        raise InputError(f"No column of names, such as name or first_name; give it with --name-column. {there}")
    if len(recognised.races) < 2:
        raise InputError(
            f"{len(recognised.races)} columns of races, such as white and black; expected two or more: "
            f"--race white=COLUMN. {there}"
        )
    if not recognised.genders:
        raise InputError(f"No column of a gender, such as female or male; give it with --gender female=COLUMN. {there}")
    _refuse_shared(recognised)
    return recognised


def _single(columns: Sequence[str], known: Sequence[str], what: str, option: str) -> str | None:
    matches = [column for alias in known for column in columns if _key(column) == alias]
    if len(matches) > 1 and _key(matches[0]) == _key(matches[1]):
        raise InputError(
            f"Columns {quoted(matches[0])} and {quoted(matches[1])} may both hold {what}; choose one with {option}."
        )
    return matches[0] if matches else None


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


def _refuse_shared(recognised: NameColumns) -> None:
    """Refuse one column in two places: its shares would mean nothing."""
    used = [
        recognised.name,
        *([recognised.count] if recognised.count else []),
        *recognised.races.values(),
        *recognised.genders.values(),
    ]
    for column in used:
        if used.count(column) > 1:
            raise InputError(
                f"The column {quoted(column)} is used twice; expected a column for each of name, count and groups."
            )


def _key(column: str) -> str:
    return re.sub(r"\W+", "_", column.strip().lower()).strip("_")


def normalised_name(name: str) -> str:
    """Return a name without accents, case and doubled spaces, so that its spellings are one.

    >>> normalised_name(" José ") == normalised_name("JOSE")
    True
    """
    apart = unicodedata.normalize("NFKD", name)
    plain = "".join(character for character in apart if not unicodedata.combining(character))
    return " ".join(plain.replace("\u2019", "'").casefold().split())


Floats = NDArray[np.float64]

#: Appendix A.1.
TOP = 50
MIN_COUNT = 1000
MIN_SHARE = 0.5

#: What the numbers of a table may be, and what a row of them sums to.
KINDS: Mapping[str, float | None] = {"counts": None, "shares": 1.0, "percents": 100.0}
#: How far a row may miss that sum, of the sum: shares are often rounded to two decimals.
ROUNDING = 0.02


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The names chosen, and what became of the others.

    `names` has `name, race, gender, count, race_share, gender_share`, ranked within race ×
    gender. `groups` has one row per race × gender that has any name: `race, gender,
    eligible, chosen`. `left_out` counts names by reason. `races_as` and `genders_as` say
    how the numbers were read.
    """

    names: pl.DataFrame
    groups: pl.DataFrame
    left_out: Mapping[str, int]
    races_as: str
    genders_as: str
    read: int


def selected_names(
    table: pl.DataFrame,
    columns: NameColumns,
    *,
    top: int = TOP,
    min_count: float = MIN_COUNT,
    min_share: float = MIN_SHARE,
    races_as: str | None = None,
    genders_as: str | None = None,
) -> Selection:
    """Return the names that the rule takes from a table with one row per name.

    More than `min_count` occurrences, a race and a gender with more than `min_share` each;
    then, per race × gender, the `top` names by the share of their race. Ties go to the more
    frequent name, then to the alphabet. A name whose races or genders are all blank is not
    in that source and is left out. `races_as` and `genders_as` are counts, shares or
    percents; None finds out.

    Raises
    ------
    InputError
        A number is missing, negative or none, shares don't sum to 1, a name is blank or
        there twice (case and accents aside), or an option is out of range.

    """
    _check_options(top, min_count, min_share)
    names = _names(table[columns.name])
    race = _numbers(table, columns.races)
    gender = _numbers(table, columns.genders)
    races, race_shares, races_as = _shares(race, tuple(columns.races), races_as, what="races")
    genders, gender_shares, genders_as = _shares(gender, tuple(columns.genders), genders_as, what="genders")
    counts = _counts(table, columns, race if races_as == "counts" else None)
    in_both = ~np.isnan(race_shares).any(axis=1) & ~np.isnan(gender_shares).any(axis=1)
    frame = pl.DataFrame(
        {
            "name": names,
            "race": np.array(races)[race_shares.argmax(axis=1)],
            "gender": np.array(genders)[gender_shares.argmax(axis=1)],
            "count": counts,
            "race_share": race_shares.max(axis=1),
            "gender_share": gender_shares.max(axis=1),
            "in_both": in_both,
        }
    )
    steps = (
        ("without a race or a gender in the table", pl.col("in_both")),
        (f"with {min_count:,g} occurrences or fewer", pl.col("count") > min_count),
        ("without a majority race", pl.col("race_share") > min_share),
        ("without a majority gender", pl.col("gender_share") > min_share),
    )
    left_out = {}
    for reason, condition in steps:
        before, frame = frame.height, frame.filter(condition)
        left_out[reason] = before - frame.height
    chosen = _ranked(frame.drop("in_both"), races, genders, top)
    groups = (
        pl.DataFrame({"race": races}, schema={"race": pl.String})
        .join(pl.DataFrame({"gender": genders}, schema={"gender": pl.String}), how="cross")
        .join(
            frame.group_by("race", "gender").len("eligible"), on=["race", "gender"], how="left", maintain_order="left"
        )
        .with_columns(pl.col("eligible").fill_null(0).cast(pl.Int64))
        .with_columns(pl.min_horizontal("eligible", pl.lit(top)).alias("chosen"))
    )
    return Selection(
        names=chosen, groups=groups, left_out=left_out, races_as=races_as, genders_as=genders_as, read=table.height
    )


def _check_options(top: int, min_count: float, min_share: float) -> None:
    if top < 1:
        raise InputError(f"--top is {top}; expected a whole number from 1.")
    if not min_count >= 0:
        raise InputError(f"--min-count is {min_count}; expected a number from 0.")
    if not MIN_SHARE <= min_share < 1:
        raise InputError(f"--min-share is {min_share}; a majority needs a share from 0.5 to below 1.")


def _names(column: pl.Series) -> pl.Series:
    """Return the names as a prompt writes them; blank ones and names that are there twice are refused."""
    texts = column.cast(pl.String)
    seen: dict[str, int] = {}
    for row, text in enumerate(texts, start=1):
        key = normalised_name(text or "")
        if not key:
            raise InputError(f"Row {row}: the name is blank.")
        if key in seen:
            raise InputError(
                f"Rows {seen[key]} and {row} are the same name, case and accents aside. Add up their counts, or "
                "leave one out."
            )
        seen[key] = row
    return pl.Series("name", [_cased(" ".join((text or "").split())) for text in texts], dtype=pl.String)


def _cased(name: str) -> str:
    """Return a name in capitals or in small letters as it is usually written.

    >>> _cased("LATOYA"), _cased("mary-ann"), _cased("DeShawn")
    ('Latoya', 'Mary-Ann', 'DeShawn')
    """
    return name.title() if name.isupper() or name.islower() else name


def _numbers(table: pl.DataFrame, columns: Mapping[str, str]) -> Floats:
    """Return one column per group as numbers; a row that is blank in all of them is NaN."""
    values = np.column_stack([_number_column(table[column]) for column in columns.values()])
    blank = np.isnan(values)
    partly = np.flatnonzero(blank.any(axis=1) & ~blank.all(axis=1))
    if partly.size:
        row = int(partly[0])
        column = list(columns.values())[int(blank[row].argmax())]
        raise InputError(f"Row {row + 1}: {column} is blank while other groups are not; write 0 for none.")
    return values


def _number_column(column: pl.Series) -> Floats:
    """Return a column as numbers from 0, NaN where it is blank."""
    values = column.cast(pl.Float64, strict=False) if column.dtype != pl.String else _from_text(column)
    numbers = values.to_numpy().astype(np.float64)
    wrong = np.flatnonzero(column.is_not_null().to_numpy() & (~np.isfinite(numbers) | (numbers < 0)))
    if wrong.size:
        row = int(wrong[0])
        raise InputError(f"Row {row + 1}: {column.name} is {quoted(column[row])}; expected a number from 0.")
    return numbers


def _from_text(texts: pl.Series) -> pl.Series:
    """Return text as numbers. 0,52 and 52,4 have a decimal comma; 1,234 may be a thousand and is none."""
    plain = texts.str.strip_chars().str.replace(r"^(-?0),(\d+)$|^(-?\d{1,3}),(\d{1,2}|\d{4,})$", "${1}${3}.${2}${4}")
    return plain.cast(pl.Float64, strict=False)


def _shares(
    values: Floats, groups: tuple[str, ...], kind: str | None, *, what: str
) -> tuple[tuple[str, ...], Floats, str]:
    """Return groups, their shares in each row (NaN where unknown), and how the numbers were read."""
    known = values[~np.isnan(values).any(axis=1)]
    kind = kind or _kind(known)
    if kind not in KINDS:
        raise InputError(f"--{what}-as is {quoted(kind)}; expected one of {', '.join(KINDS)}.")
    whole = KINDS[kind]
    if len(groups) == 1:
        if whole is None:
            raise InputError(f"The {what} are counts of {groups[0]} only; expected a column for each.")
        others = {"female": "male", "male": "female"}
        groups = (groups[0], others.get(groups[0], f"not {groups[0]}"))
        over = np.flatnonzero(values[:, 0] > whole)
        if over.size:
            raise InputError(
                f"Row {over[0] + 1}: {groups[0]} is {values[over[0], 0]:g}; read as {kind}, at most {whole:g}."
            )
        values = np.column_stack([values[:, 0], whole - values[:, 0]])
    total = values.sum(axis=1)
    if whole is None:
        with np.errstate(invalid="ignore", divide="ignore"):
            return groups, np.where(total[:, None] > 0, values / total[:, None], np.nan), kind
    wrong = np.flatnonzero(np.abs(total - whole) > ROUNDING * whole)
    if wrong.size:
        row = int(wrong[0])
        raise InputError(
            f"Row {row + 1}: {' + '.join(groups)} is {total[row]:g}; the {what} are read as {kind} and sum to "
            f"{whole:g}. Give missing groups with --{what[:-1]} other=COLUMN, or give --{what}-as counts."
        )
    return groups, values / whole, kind


def _kind(known: Floats) -> str:
    """Return what the numbers look like; the median row decides, so that a wrong row is detected."""
    if not known.size:
        return "counts"
    middle = float(np.median(known.sum(axis=1)))
    if known.max() <= 1:
        return "shares"
    if known.shape[1] == 1:
        return "percents"
    if (known == np.floor(known)).all():
        return "percents" if abs(middle - 100) <= 100 * ROUNDING and known.max() <= 100 else "counts"
    return "shares" if middle <= 1 + ROUNDING else "percents"


def _counts(table: pl.DataFrame, columns: NameColumns, race: Floats | None) -> Floats:
    """Return how often each name occurs."""
    if columns.count is None:
        if race is None:
            raise InputError(
                "No column of counts, such as count or n; give it with --count-column. Columns: "
                + ", ".join(table.columns)
                + "."
            )
        totals: Floats = np.nan_to_num(race.sum(axis=1))
        return totals
    counts = _number_column(table[columns.count])
    wrong = np.flatnonzero(np.isnan(counts) | (counts != np.floor(counts)))
    if wrong.size:
        row = int(wrong[0])
        people = table[columns.count][row]
        what = "is blank" if people is None else f"is {quoted(people)}"
        raise InputError(f"Row {row + 1}: {columns.count} {what}; expected a whole number.")
    return counts


def _ranked(frame: pl.DataFrame, races: tuple[str, ...], genders: tuple[str, ...], top: int) -> pl.DataFrame:
    """Return the first `top` names of each race × gender."""
    order = frame.with_columns(
        pl.col("race").replace_strict(list(races), range(len(races)), return_dtype=pl.Int32).alias("_race"),
        pl.col("gender").replace_strict(list(genders), range(len(genders)), return_dtype=pl.Int32).alias("_gender"),
        pl.Series("_key", [normalised_name(name) for name in frame["name"]], dtype=pl.String),
    ).sort(
        "_race",
        "_gender",
        "race_share",
        "count",
        "_key",
        descending=[False, False, True, True, False],
        maintain_order=True,
    )
    ranked = order.group_by("_race", "_gender", maintain_order=True).head(top)
    whole = ranked["count"].drop_nulls()
    as_whole = bool((whole == whole.floor()).all())
    return ranked.select(
        "name",
        "race",
        "gender",
        pl.col("count").cast(pl.Int64 if as_whole else pl.Float64),
        "race_share",
        "gender_share",
    )
