"""Translate and check the options of `evenhand impact`: query of the table, comparison, `--counts`, `--share`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.analyses.options.impact import ImpactOptions
from evenhand.comparisons.impact_cells import HIGHEST, LARGEST, Exclusion, ImpactChoices, References
from evenhand.data.applicant_query import ADEA_AGE, MOST_PEOPLE, ApplicantQuery
from evenhand.data.labels import STAGE, as_typed, comma_separated, parted, undecided_pairs
from evenhand.errors import InputError, flag, option_text
from evenhand.options import refuse
from evenhand.patterns import lazy_re
from evenhand.results.finding import copied
from evenhand.results.messages import is_url, listed, quoted, shortened

GROUP, OF, SELECTED = "group", "applicants", "selected"
_PART = lazy_re(r"(.+)=\s*([0-9]{1,16})\s*/\s*([0-9]{1,16})\s*", re.DOTALL)
_WIDE_SHAPE = "expected GROUP=SELECTED/APPLICANTS with columns of the table, such as 'women=Hired W/Applied W'"
_COUNT_SHAPE = "expected GROUP=SELECTED/APPLICANTS in whole numbers, such as women=557/1835"


def read_counts(typed: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return selected and applicants by group, from `--counts`.

    Raises
    ------
    InputError
        A part is not GROUP=SELECTED/APPLICANTS, or a group is there twice.

    >>> read_counts(["women=557/1835, men=1198/2691"])
    {'women': (557, 1835), 'men': (1198, 2691)}
    """
    counts: dict[str, tuple[int, int]] = {}
    seen: set[str] = set()
    for part in (part for value in typed for part in value.split(",")):
        read = _PART.fullmatch(part.strip())
        if read is None:
            raise InputError(f"--counts: {quoted(part.strip())} is not understood; {_COUNT_SHAPE}.")
        group = read[1].strip()
        if group.casefold() in seen:
            raise InputError(f"--counts names {quoted(group)} twice; give each group once.")
        seen.add(group.casefold())
        counts[group] = int(read[2]), int(read[3])
    return counts


def tables_of_periods(source: Any, options: ImpactOptions) -> dict[str, Any] | None:
    """Return several tables by their period, None of one table or of counts.

    Raises
    ------
    InputError
        A table has no period, or one occurs twice.

    >>> options = ImpactOptions(protected=("sex",))
    >>> tables_of_periods(["2024=a.csv", "2025=b.csv"], options), tables_of_periods("a.csv", options)
    ({'2024': 'a.csv', '2025': 'b.csv'}, None)
    """
    if isinstance(source, Mapping):
        # Counts are pairs of numbers.
        pairs = any(isinstance(value, Sequence) and not isinstance(value, str) for value in source.values())
        tables = {} if pairs else {str(period): table for period, table in source.items()}
        if not tables:
            return None
    elif isinstance(source, list):
        parts = [text.partition("=") for text in source]
        wrong = next(
            (text for text, (period, _, table) in zip(source, parts, strict=True) if not period or not table), ""
        )
        if wrong:
            raise InputError(
                f"{quoted(wrong)} has no period; give several TABLEs as PERIOD=TABLE, such as 2024=a.csv 2025=b.csv."
            )
        tables = {period: table for period, _, table in parts}
        if len(tables) < len(parts):
            raise InputError("Two TABLEs have the same period; give each period once.")
    else:
        return None
    if len(tables) < 2:
        raise InputError(
            f"Only the period {quoted(next(iter(tables)))} is given; give two periods or more, or the table without "
            "a period."
        )
    if options.period is not None:
        raise InputError("--period and several TABLEs are both given; each table is one period: drop --period.")
    if options.sheets:
        raise InputError("--sheets and several TABLEs are both given; --sheets takes one workbook: drop --sheets.")
    return tables


def is_period(text: str) -> bool:
    """Say whether a word is PERIOD=TABLE rather than a table."""
    period, equals, table = text.partition("=")
    return bool(equals and period and table) and not is_url(text) and not Path(text).exists()


#: Options that numbers can't have.
_OF_TABLES = (
    "selected score applicants count selected_count ll144 sheet table header_row footer selection_rate totals "
    "suppressed position stage unit where given cluster block period eeo1 age funnel furthest sheets"
)


def counts_table(counts: Mapping[Any, Any], options: ImpactOptions) -> tuple[pl.DataFrame, ImpactOptions]:
    """Return counts as a table with a row per group, and the options that read it.

    `protected` may name the attribute.

    Raises
    ------
    InputError
        The numbers are no counts, or an option needs a table.

    """
    if len(options.protected) > 1:
        raise InputError(f"--counts has one attribute; --protected names {', '.join(options.protected)}.")
    for option in _given(options, _OF_TABLES):
        raise InputError(f"--counts and {option} are both given; {option} needs a table: drop one of them.")
    rows = [_row(group, pair) for group, pair in counts.items()]
    if len(rows) < 2:
        raise InputError(f"--counts needs two groups or more to compare; {_COUNT_SHAPE},men=1198/2691.")
    attribute = options.protected[0] if options.protected else GROUP
    if attribute in {OF, SELECTED}:
        raise InputError(f"--protected {attribute}: give the attribute another name with --counts, such as gender.")
    frame = pl.DataFrame(rows, schema={attribute: pl.String, SELECTED: pl.Int64, OF: pl.Int64}, orient="row")
    return frame, replace(options, protected=(attribute,), applicants=OF, selected_count=SELECTED)


def _row(group: Any, pair: Any) -> tuple[str, int, int]:
    label = str(group).strip()
    if not label:
        raise InputError(f"--counts: a group has no name; {_COUNT_SHAPE}.")
    whole = isinstance(pair, Sequence) and len(pair) == 2
    whole = whole and all(hasattr(n, "__index__") and not isinstance(n, bool) for n in pair)
    if not whole:
        raise InputError(
            f"--counts: {quoted(label)} has {quoted(pair)}; expected two whole numbers, selected and applicants."
        )
    selected, applicants = (int(n) for n in pair)
    if not 0 <= selected <= applicants <= MOST_PEOPLE:
        raise InputError(
            f"--counts: {quoted(label)} has {selected:,} selected of {applicants:,}; expected 0 up to the number of "
            "applicants."
        )
    if not applicants:
        raise InputError(f"--counts: {quoted(label)} has no applicants; leave the group out.")
    return label, selected, applicants


#: Cut-offs of the sensitivity analysis, at equally spaced ranks of the scores.
SWEEP = 19
#: What dates of --period are cut by; by year where nothing is said.
_UNITS = ("year", "quarter", "month")
#: The value of --count if no column counts people.
NO_COUNT = "none"


def query_of(
    options: ImpactOptions, *, columns: Sequence[str] = (), sheets: Sequence[str] = (), run: bool = False
) -> ApplicantQuery:
    """Return the query of the table; `run` marks the run of a probe, whose decisions are known.

    `columns` are those of the table: their names may contain commas and signs. `sheets` are those that were read as
    stages.

    Raises
    ------
    InputError
        Options contradict each other, or are incomplete.

    """
    _check(options, run=run)
    column, value = parted(options.selected, "=", columns)
    stage, order = parted(options.stage, "=", columns)
    furthest, furthest_order = parted(options.furthest, "=", columns)
    funnel = comma_separated(options.funnel, columns)
    decisions = (*funnel, *filter(None, (column, furthest)))
    undecided = undecided_pairs(options.undecided, decisions, columns)
    if columns and stage and stage == column:
        raise InputError(_one_column(stage, order))
    _check_order("funnel", funnel, given=bool(funnel))
    _check_order("furthest", order_of_furthest := _parts(furthest_order), given=bool(furthest))
    day, day_column = _age_day(options.age_at)
    period, unit = parted(options.period, "=", columns)
    if unit not in {"", *_UNITS}:
        raise InputError(
            f"{option_text('period', shortened(options.period or ''))} cuts by {quoted(unit)}; expected one of "
            f"{listed(_UNITS)}, or a column alone."
        )
    race, hispanic = parted(options.eeo1, ",", columns)
    score_alone = options.score is not None and not (options.cutoff or options.median or options.means or options.ll144)
    scored, low = options.score is not None, options.at_most or options.below
    membership, members = membership_of(options.protected, columns)
    is_weighted = options.weight is not None or bool(members)
    wide = _wide(options, columns) if options.counts and columns else ()
    query = ApplicantQuery(
        protected=() if members else _protected(options, columns, wide=bool(wide)),
        membership=membership,
        members=members,
        people=bool(options.share),
        selected=column or None,
        selected_value=value or None,
        undecided=tuple(value for _, value in undecided),
        bounds=options.missing == "bounds" or bool(options.availability),
        count=None if options.count == NO_COUNT and NO_COUNT not in columns else options.count,
        no_count=options.count == NO_COUNT and NO_COUNT not in columns,
        **copied(options, "applicants selected_count selection_rate totals score position unit age weight"),
        age_at=day,
        age_at_column=day_column,
        age_bands=tuple(sorted({int(age) for age in options.age_bands})) or (ADEA_AGE,),
        suppressed=None if options.suppressed is None else _suppressed(options.suppressed),
        wide=wide,
        cutoffs=tuple(sorted(set(options.cutoff))),
        median=options.median or score_alone or (options.ll144 and scored),
        means=options.means or (score_alone and not low),
        at_least=options.at_least or options.at_most,
        low=low,
        sweep=SWEEP if scored and not is_weighted else 0,
        stage=STAGE if sheets else stage or None,
        stages=tuple(sheets) or _parts(order),
        funnel=funnel,
        furthest=furthest or None,
        furthest_order=order_of_furthest,
        undecided_at=undecided,
        where=tuple(options.where),
        given=tuple(dict.fromkeys(comma_separated(options.given, columns))),
        clusters=_clusters(options, columns),
        blocks=comma_separated(options.block, columns),
        period=period or None,
        period_unit=unit,
        eeo1=(race, hispanic or None) if race else None,
        unknown=tuple(options.unknown),
        mapped=tuple(options.map),
        nobody=options.ll144,
    )
    if columns or not options.counts:
        from evenhand.data.roles import check_roles  # noqa: PLC0415 - numbers have no columns

        check_roles(query)
    return query


_PROBABLE = lazy_re(r"([^=]+)=\s*+prob:(.*)", re.DOTALL)
_PROBABLE_SHAPE = "expected ATTRIBUTE=prob:GROUP=COLUMN,GROUP=COLUMN, such as race=prob:white=p_white,black=p_black"


def membership_of(
    protected: Sequence[str], columns: Sequence[str] = ()
) -> tuple[str | None, tuple[tuple[str, str], ...]]:
    """Return the attribute whose groups rows belong to with some probability, and the column of each group.

    Raises
    ------
    InputError
        The groups are not understood, or another attribute is named besides.

    >>> membership_of(["race=prob:white=p_white, black=p_black"])
    ('race', (('white', 'p_white'), ('black', 'p_black')))
    >>> membership_of(["race", "sex"])
    (None, ())
    """
    typed = [match for value in protected if value not in columns and (match := _PROBABLE.fullmatch(value))]
    if not typed:
        return None, ()
    if len(protected) > 1:
        raise InputError(
            "--protected names an attribute by probabilities and another one; analyse each in a separate run."
        )
    pairs = [part.partition("=") for part in typed[0][2].split(",")]
    members = tuple((label.strip(), column.strip()) for label, _, column in pairs)
    labels, named = ({member[side] for member in members} for side in (0, 1))
    if len(members) < 2 or len(labels) < len(members) or len(named) < len(members) or "" in labels | named:
        raise InputError(f"--protected {quoted(protected[0])} is not understood; {_PROBABLE_SHAPE}, each once.")
    return typed[0][1].strip(), members


#: Options that need whole people, each with the reason, where rows have weights or probabilities.
_NEED_PEOPLE = {
    **dict.fromkeys(("count", "applicants", "counts", "selection_rate"), "a row of counts is of several people"),
    **dict.fromkeys(("share", "availability"), "it compares numbers of people"),
    "ll144": "Local Law 144 counts people",
    "ll144_tables": "Local Law 144 counts people",
    "missing": "its bounds count people",
    "period": "compare each period in a run of its own, with --where",
    "block": "name its columns with --cluster or --position",
    "unit": "give a table with one row for each person",
    **dict.fromkeys(("stage", "sheets"), "choose one stage with --where, or give --funnel with a row for each person"),
    **dict.fromkeys(("median", "means"), "give --cutoff T"),
}


def _check_weighted(options: ImpactOptions, *, run: bool) -> None:
    """Raise InputError for options that need whole people beside weights or probabilities of belonging to a group."""
    membership, _ = membership_of(options.protected)
    if options.weight is None and membership is None:
        return
    given = "--weight" if options.weight is not None else "--protected with probabilities"
    if run:
        raise InputError(f"{given} needs a table of people; in the run of a probe a row is one answer.")
    for name, reason in _NEED_PEOPLE.items():
        value = getattr(options, name)
        if value and value != NO_COUNT:
            raise InputError(f"{given} and {option_text(name)} can't be given together: {reason}.")
    if options.score is not None and not options.cutoff:
        raise InputError(f"{given} and --score need --cutoff T: the median and mean scores can't be weighted.")
    if membership is not None and (options.age or options.eeo1):
        raise InputError(
            "--protected names an attribute by probabilities; drop --age and --eeo1, which add another one."
        )


def _age_day(typed: str | None) -> tuple[date | None, str | None]:
    """Return the day of --age-at, or its column."""
    try:
        return None if typed is None else date.fromisoformat(typed), None
    except ValueError:
        return None, typed


def _parts(typed: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in typed.split(",") if part.strip())


def _one_column(column: str, order: str) -> str:
    """Return what to say of a column that is stage and decision: it has the furthest stage of each person."""
    stages = option_text("furthest", as_typed(f"{shortened(column)}={shortened(order) or 'FIRST,SECOND,…'}"))
    return (
        f"{option_text('stage')} and {option_text('selected')} both name {quoted(column)}; if it has the stage that "
        f"each person reached last, give {stages} with the stages in order, and no {option_text('selected')}."
    )


def _check_order(field: str, names: Sequence[str], *, given: bool) -> None:
    """Raise InputError for a funnel of one stage."""
    if given and len(names) < 2:
        what = "columns of stages" if field == "funnel" else "stages"
        raise InputError(f"{option_text(field)} names {len(names)} of the {what}; expected two or more, in order.")


def _suppressed(typed: str) -> tuple[int, int]:
    from evenhand.data.published_cells import read_range  # noqa: PLC0415 - few tables have such cells

    return read_range(typed)


def _protected(options: ImpactOptions, columns: Sequence[str], *, wide: bool) -> tuple[str, ...]:
    """Return the attributes, first that of groups with columns of their own: the one that is no column itself."""
    named = comma_separated(options.protected, columns)
    if not wide:
        return named
    others = [name for name in named if name not in columns]
    if len(others) > 1:
        raise InputError(f"--counts has one attribute; --protected names {', '.join(map(shortened, others))}.")
    attribute = others[0] if others else GROUP
    if attribute in columns:
        raise InputError(
            f"The table has a column {quoted(GROUP)}: give the attribute of --counts another name with "
            "--protected, such as gender."
        )
    return (attribute, *(name for name in named if name != attribute))


def _wide(options: ImpactOptions, columns: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    for option in _given(options, "selected score applicants count unit share"):
        raise InputError(f"--counts and {option} are both given; --counts says who is selected: drop one of them.")
    return wide_counts(options.counts, columns)


def wide_counts(typed: Sequence[str], columns: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
    """Return label, column of the selected and column of the applicants of each group, of `--counts` with a table.

    Names of columns may contain commas, slashes and equals signs.

    Raises
    ------
    InputError
        A part is not GROUP=SELECTED/APPLICANTS with columns of the table, or a group is there twice.

    >>> wide_counts(["women=Hired, W/W,men=Hired M/M"], ["Hired, W", "W", "Hired M", "M"])
    (('women', 'Hired, W', 'W'), ('men', 'Hired M', 'M'))
    """
    groups: list[tuple[str, str, str]] = []
    for text in typed:
        found = _wide_parts(text, sorted(columns, key=len, reverse=True))
        if found is None:
            _refuse_wide(text, columns)
        groups += found or ()
    seen = [label.casefold() for label, _, _ in groups]
    if twice := next((label for label, _, _ in groups if seen.count(label.casefold()) > 1), None):
        raise InputError(f"--counts names {quoted(twice)} twice; give each group once.")
    used = [name for _, *pair in groups for name in pair]
    if twice := next((name for name in used if used.count(name) > 1), None):
        raise InputError(f"--counts names the column {quoted(twice)} twice; give each group its own columns.")
    if len(groups) < 2:
        raise InputError(f"--counts needs two groups or more to compare; {_WIDE_SHAPE}.")
    return tuple(groups)


def _wide_parts(text: str, columns: Sequence[str]) -> tuple[tuple[str, str, str], ...] | None:
    """Return the groups of a text, by its first way to be read as GROUP=COLUMN/COLUMN,…; None where there is none."""
    for equals in [place for place, letter in enumerate(text) if letter == "="]:
        label, behind = text[:equals].strip(), text[equals + 1 :].lstrip()
        for selected in [name for name in columns if label and behind.startswith(name)]:
            slash = behind[len(selected) :].lstrip()
            rest = slash[1:].lstrip()
            for applicants in [name for name in columns if slash.startswith("/") and rest.startswith(name)]:
                after = rest[len(applicants) :].strip()
                if not after:
                    return ((label, selected, applicants),)
                more = _wide_parts(after[1:], columns) if after.startswith(",") else None
                if more is not None:
                    return ((label, selected, applicants), *more)
    return None


def _refuse_wide(text: str, columns: Sequence[str]) -> None:
    """Raise InputError that names the first part that is not understood, or the column that is not there."""
    for part in text.split(","):
        if _PART.fullmatch(part.strip()) is not None:
            raise InputError("TABLE and --counts are both given; the numbers come from one of them: drop the other.")
        _, equals, pair = part.partition("=")
        names = [name.strip() for name in pair.split("/")]
        if not equals or len(names) != 2:
            raise InputError(f"--counts: {quoted(part.strip())} is not understood; {_WIDE_SHAPE}.")
        for name in names:
            if name not in columns:
                near = next(iter(get_close_matches(name, columns, n=1)), None)
                hint = f" Did you mean {quoted(near)}?" if near else ""
                raise InputError(f"--counts: no column {quoted(name)} in the table. Columns: {listed(columns)}.{hint}")
    raise InputError(f"--counts: {quoted(text)} is not understood; {_WIDE_SHAPE}.")


def _clusters(options: ImpactOptions, columns: Sequence[str]) -> tuple[str, ...]:
    names = comma_separated(options.cluster, columns)
    if len(names) > 2:
        raise InputError(f"--cluster names {len(names)} columns, {', '.join(map(shortened, names))}; give one or two.")
    return names


def choices_of(options: ImpactOptions, attributes: Sequence[str] = ()) -> ImpactChoices:
    """Return how groups are compared.

    Raises
    ------
    InputError
        A reference is malformed, or a value out of its range.

    """
    return ImpactChoices(
        references=references_of(options.reference, attributes, floor=options.reference_floor),
        intersectional=options.intersectional,
        exclusion=Exclusion(
            min_share=options.min_share, reason=options.exclusion_reason, of_known=options.exclusion_base == "known"
        ),
        rule="two_sided" if options.four_fifths == "two-sided" else "against_highest",
        margin=options.margin,
        ladder=True,
        missing_bounds=options.missing == "bounds",
        seed=options.seed,
    )


def references_of(typed: Sequence[str], attributes: Sequence[str], *, floor: float | None = None) -> References:
    """Return the references of --reference.

    Raises
    ------
    InputError
        A reference is malformed, or names no attribute.

    """
    rule, named = HIGHEST, {}
    for text in typed:
        attribute, equals, group = text.partition("=")
        if not equals and attribute.strip() in {HIGHEST, LARGEST}:
            rule = attribute.strip()
        elif equals and attribute.strip() and group.strip():
            named[attribute.strip()] = group.strip()
        else:
            raise InputError(
                f"--reference {quoted(text)} is not understood; expected highest, largest or ATTRIBUTE=GROUP."
            )
    for attribute in named:
        if attributes and attribute not in attributes:
            among = ",".join(map(shortened, attributes))
            raise InputError(f"--reference names {quoted(attribute)}, which is not in --protected {among}.")
    return References(rule=rule, named=named, **({} if floor is None else {"floor": floor}))


def _check(options: ImpactOptions, *, run: bool) -> None:
    of_people = "in the run of a probe a row is one answer"
    refuse(
        {
            "--protected is missing: give the columns with the groups, such as --protected gender,race.": not (
                options.protected or options.age is not None or run or options.counts
            ),
            "--age-at needs --age COLUMN.": options.age_at and options.age is None,
            "--age-bands needs --age COLUMN.": options.age_bands and options.age is None,
        }
    )
    _check_counts(options, run=run)
    _check_stages(options, run=run)
    _check_selection(options, run=run)
    _check_weighted(options, run=run)
    if options.availability:
        refuse(
            {
                f"--availability needs a table of people; {of_people}.": run,
                "--availability and --cluster are both given; the exact binomial test assumes independent "
                "applicants: compare with the stated shares in a separate run.": options.cluster,
                "--availability and --suppressed are both given; the test of --availability needs known counts: drop "
                "one.": options.suppressed is not None,
            }
        )
    _check_ll144(options)


def _given(options: ImpactOptions, names: str) -> list[str]:
    """Return the flags of the options that are given, of several by their fields."""
    return [flag(name) for name in names.split() if getattr(options, name)]


def _check_stages(options: ImpactOptions, *, run: bool) -> None:
    """Raise InputError for two ways to give the stages, or for another selection beside a funnel."""
    first, second, *_ = *_given(options, "stage funnel furthest sheets"), "", ""
    other = next(iter(_given(options, "selected score applicants")), "")
    refuse(
        {
            f"{first} and {second} are both given; each defines the stages: drop one.": second,
            f"{first} needs a table of people; in the run of a probe a row is one answer.": (
                run and first not in {"", "--stage"}
            ),
            "--sheet and --sheets are both given; name every sheet in --sheets.": (
                options.sheets and options.sheet is not None
            ),
            f"{first} and {other} are both given; {first} defines who was selected at each stage: drop {other}.": other
            and first in {"--funnel", "--furthest"},
        }
    )


def _check_selection(options: ImpactOptions, *, run: bool) -> None:
    funnel = options.funnel or options.furthest is not None
    defined = _given(options, "selected score applicants counts share") or funnel or run
    of_scores = next(iter(_given(options, "cutoff median means at_least at_most below")), "")
    side, second, *_ = *_given(options, "at_least at_most below"), "", ""
    low = options.at_most or options.below
    refuse(
        {
            "--selected and --score are both given; each defines the selection: drop one.": (
                options.selected is not None and options.score is not None
            ),
            "--undecided needs --selected COLUMN: it names the values of that column that mean no decision.": (
                options.undecided and options.selected is None and not funnel
            ),
            "The selection is missing: give --selected COLUMN; --score COLUMN with --cutoff T or --median; for "
            "a table with a row per group --applicants COLUMN --selected-count COLUMN; or for stages in "
            "columns --funnel COLUMNS.": not defined,
            f"{of_scores} needs --score COLUMN: it selects by the score.": (of_scores and options.score is None),
            f"{side} and {second} are both given; a cut-off has one side: drop one of them.": second,
            f"{side} needs --cutoff T: scores equal to T are then selected, too; --median has no such option.": (
                side not in {"", "--below"} and not options.cutoff
            ),
            f"--means and {side} are both given; a ratio of mean scores needs scores of which high ones are good: "
            "drop one.": low and options.means,
            f"--ll144 and {side} are both given; Local Law 144 counts scores above the median, so high scores must "
            f"be good: drop {side}.": low and options.ll144,
            "--cutoff must be a finite number.": not all(map(isfinite, options.cutoff)),
        }
    )


def _check_counts(options: ImpactOptions, *, run: bool) -> None:
    columns = _given(options, "applicants selected_count selection_rate")
    other = "--applicants" if options.applicants is None else "--selected-count"
    if len(columns) == 1:
        raise InputError(
            f"{columns[0]} needs {other} COLUMN: a row is a group, with the numbers of applicants and of selected."
        )
    _check_published(options)
    counted = [*columns, *(["--count"] if options.count not in {None, NO_COUNT} else [])]
    if not counted:
        return
    both = {"--selected": options.selected, "--score": options.score} if columns else {}
    refuse(
        {
            f"{counted[0]} needs a table of counts; in the run of a probe a row is one answer.": run,
            "--count and --applicants are both given; with --count a row is that many people, with --applicants a "
            "group: drop one.": len(counted) > 2,
            **{
                f"{name} and {columns[-1]} are both given; drop {name} {column}.": column is not None
                for name, column in both.items()
            },
            f"--unit {options.unit} and {counted[0]} are both given; a table of counts has no rows of single "
            "persons: drop one.": options.unit is not None,
        }
    )


def _check_published(options: ImpactOptions) -> None:
    """Raise InputError for options of published counts that don't fit together."""
    suppressed = options.suppressed is not None
    counted = options.counts or options.applicants or options.count or options.funnel
    left = next(iter(_given(options, "ll144 given block period")), "")
    refuse(
        {
            "--selected-count and --selection-rate are both given; drop one of them.": (
                options.selected_count is not None and options.selection_rate is not None
            ),
            "--totals needs a table of counts: give --count, --applicants with --selected-count, or --funnel "
            "with numbers of people.": options.totals is not None and not counted,
            "--suppressed and --furthest are both given; --furthest needs a row per person: drop --suppressed.": (
                suppressed and options.furthest is not None
            ),
            "--suppressed and --funnel are both given; a funnel needs known counts. For bounds, compare one step "
            "alone: --applicants with the earlier stage and --selected-count with the later one.": (
                suppressed and options.funnel
            ),
            "--suppressed needs --applicants and --selected-count, or --counts with columns: it gives the range of "
            "suppressed counts.": suppressed and not (options.counts or options.selected_count),
            f"--suppressed and {left} are both given; {left} needs known counts: drop {left}.": suppressed and left,
        }
    )


def _check_ll144(options: ImpactOptions) -> None:
    given = {"exclude": options.exclude, "exclusion_reason": options.exclusion_reason is not None}
    given |= {"exclusion_base": options.exclusion_base != "all"}
    alone = next((name for name, value in given.items() if value and not options.ll144), "")
    refuse(
        {
            "--min-share and --ll144 are both given; Local Law 144 leaves out categories below 2 % only, and with "
            "--exclude 'CATEGORY=REASON': drop --min-share.": options.ll144 and options.min_share,
            "--ll144 with --score and --period are given; each year's audit has its own median: run each year "
            "separately, with --where, and leave out --period.": (
                options.ll144 and options.period is not None and options.score is not None
            ),
            f"{option_text(alone)} needs {option_text('ll144')}: only Local Law 144 lets the auditor leave out small "
            "categories.": alone,
            "--exclusion-reason is blank; give the auditor's reason, which Local Law 144 requires.": (
                options.exclusion_reason is not None and not options.exclusion_reason.strip()
            ),
        }
    )
