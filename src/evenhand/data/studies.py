"""Tables of scores that exist: rows of a study, each one judgement of an item with one thing changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import polars as pl

from evenhand.data.conditions import filtered_rows
from evenhand.data.group_labels import label_rules
from evenhand.data.labels import fold, labels_of, named_values, text_of
from evenhand.data.open_table import OpenTable, checked_column
from evenhand.data.score_cells import UNREADABLE, USABLE, score_state
from evenhand.data.totals import total_name
from evenhand.data.written_numbers import with_plain_numbers
from evenhand.errors import InputError, option_text
from evenhand.results.messages import listed, number_of, quoted

#: More rows don't fit into memory together.
MOST_ROWS: Final = 40_000_000
#: More levels of all arms are ids.
MOST_LEVELS: Final = 500
_OF_LEVELS: Final = ("level", "name")


@dataclass(frozen=True, kw_only=True)
class StudyQuery:
    """The query of a study; column names as typed.

    `items` are the columns that name what was held, without `unit`, the column whose values are compared. `selected`
    are values of the column `decision`, from the worst on, where decisions are analysed and no scores; one value is
    held against all others. With `wide`, each of these columns has the scores of one level. `baseline` is the arm whose
    rows need no level and no name. `summary` has the columns of tables whose rows are many scores each: `n`, with
    `mean` and `sd`, or with `selected`.
    """

    level: str | None
    items: tuple[str, ...]
    arm: str | None = None
    baseline: str | None = None
    unit: str | None = None
    name: str | None = None
    run: str | None = None
    score: str | None = None
    decision: str | None = None
    selected: tuple[str, ...] = ()
    wide: tuple[str, ...] = ()
    summary: Mapping[str, str] = field(default_factory=dict)
    where: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    mapped: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Study:
    """The rows of a study: `arm, level, name, unit, run`, a column `item_0…` for each of the items, and `score`.

    All but the score are labels, "" where the table has no such column; a score is null where there is none. Of
    decisions `score` counts how many of `grades` a row reaches: the values from which on it counts, the lowest first.
    `labels` are those of arms, units and items.
    """

    rows: pl.DataFrame
    grades: tuple[str, ...] = ()
    left_out: tuple[Mapping[str, Any], ...] = ()
    without_item: int = 0
    notes: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_study(table: OpenTable, query: StudyQuery) -> Study:
    """Return the rows of a study.

    Raises
    ------
    InputError
        A column, value or combination of them that can't be used.
    ServiceError
        The engine failed.

    >>> from evenhand.data.tables import open_table
    >>> frame = pl.DataFrame({"job": ["a", "a"], "name": ["Ann", "Bob"], "points": [3, 5]})
    >>> with open_table(frame) as table:
    ...     study = read_study(table, StudyQuery(level="name", items=("job",), score="points"))
    >>> study.rows.select("arm", "level", "item_0", "score").rows()
    [('name', 'Ann', 'a', 3.0), ('name', 'Bob', 'a', 5.0)]
    """
    scores = query.wide or tuple(query.summary.values()) or ((query.score,) if query.score is not None else ())
    table = with_plain_numbers(table, dict.fromkeys(scores, _option(query)))
    filtered = filtered_rows(table, query.where)
    keys = _keys(query)
    expr = filtered.expr
    columns = {key: checked_column(table, name, option) for key, (name, option) in keys.items()}
    if query.decision is not None:
        columns["decision"] = checked_column(table, query.decision, "--selected")
    states = []
    for place, name in enumerate(scores):
        state, score = score_state(checked_column(table, name, _option(query)))
        columns |= {f"score_{place}": score, f"state_{place}": state}
        states.append(f"state_{place}")
    frame = table.fetch(expr.select(**columns), most=MOST_ROWS)
    _refuse_texts(frame, scores, table, _option(query))
    notes: list[str] = []
    known = [key for key in keys if key in frame.columns] + ["decision"] * (query.decision is not None)
    columns_of = {key: str(name) for key, (name, _) in (keys | {"decision": (query.decision, "")}).items()}
    rules = label_rules(query.unknown, query.mapped, columns=[columns_of[key] for key in known])
    for key in known:
        counts = frame.group_by(key, maintain_order=True).len()
        mapped = rules.mapped(columns_of[key], list(filter(None, map(text_of, counts[key]))))
        labels = labels_of(
            counts.iter_rows(),
            rules.unknown | {""},
            same={label: fold(target) for label, target in mapped.items()},
            names={fold(target): target for target in mapped.values()},
        )
        notes += [
            f"{quoted(folded['kept'])} in {quoted(columns_of[key])} stands for "
            f"{listed(list(folded['merged']), quotes=True)}, too."
            for folded in labels.folded
            if not any(fold(text) in mapped for text in folded["merged"])
        ]
        texts = pl.Series([labels.of[value] for value in counts[key]], dtype=pl.String)
        frame = frame.with_columns(frame[key].replace_strict(counts[key], texts, return_dtype=pl.String).alias(key))
    grades: tuple[str, ...] = ()
    if query.wide:
        frame = pl.concat(
            frame.select(*keys, pl.lit(name).alias("level"), pl.col(f"score_{place}").alias("score"))
            for place, name in enumerate(query.wide)
        )
    elif query.summary:
        frame = _summarised(frame, query, notes)
        grades = ("selected",) if "selected" in query.summary else ()
    elif query.decision is not None:
        frame, grades = _graded(frame, query)
    else:
        frame = frame.rename({"score_0": "score"})
    default = {"arm": query.arm or query.level or "group", "level": None, "name": "", "unit": "", "run": ""}
    frame = frame.with_columns(pl.lit(text, pl.String).alias(key) for key, text in default.items() if key not in frame)
    items = [key for key in keys if key.startswith("item_") or key in {"unit", "arm"}]
    if query.baseline is not None:
        bare = pl.col("arm") == arm_named(query.baseline, sorted(frame["arm"].drop_nulls().unique()), "baseline")
        frame = frame.with_columns(pl.when(bare).then(pl.col(key).fill_null("")).otherwise(key) for key in _OF_LEVELS)
    complete = frame.drop_nulls([*items, *_OF_LEVELS])
    if not complete["score"].count():
        raise InputError(
            f"No row of {table.name} has a score, a level and all columns of {option_text('item')}; see "
            f"{option_text('score')}, {option_text('level')} and {option_text('where')}."
        )
    _check(complete, query, table)
    return Study(
        rows=complete,
        grades=grades,
        left_out=filtered.left_out,
        without_item=frame.height - complete.height,
        notes=tuple(notes),
        labels={key: tuple(complete[key].unique().sort()) for key in items},
    )


def arm_named(typed: str, arms: Sequence[str], option: str) -> str:
    """Return the arm that an option names.

    Raises
    ------
    InputError
        There is none.

    """
    for arm in arms:
        if fold(arm) == fold(typed):
            return arm
    raise InputError(
        f"{option_text(option)} is {quoted(typed)}, which is not an arm. Arms: {listed(list(arms), quotes=True)}."
    )


def _option(query: StudyQuery) -> str:
    return "--wide" if query.wide else "--summary" if query.summary else "--score"


def _summarised(frame: pl.DataFrame, query: StudyQuery, notes: list[str]) -> pl.DataFrame:
    """Return rows of many scores with `score, sd, n`, without those that are named a total of others."""
    if "selected" in query.summary and query.name is None:
        raise InputError(
            f"{option_text('summary')} selected=… needs {option_text('name')}; counts alone have an exact test in "
            f"impact, by {option_text('protected', 'COLUMN')} {option_text('applicants', 'COLUMN')}."
        )
    frame = frame.rename({f"score_{place}": key for place, key in enumerate(query.summary)})
    for key in ("level", "unit"):
        known = list(frame[key].drop_nulls().unique()) if key in frame.columns else []
        totals = sorted(
            label for label in known if total_name(label, [text for text in known if text != label]) == "named"
        )
        if totals:
            notes.append(f"Rows of {listed(totals, quotes=True)} are totals of others, and are left out.")
            frame = frame.filter(~pl.col(key).is_in(totals).fill_null(value=False))
    n = pl.col("n")
    usable = (n >= 1) & (n == n.round()) & (pl.col("sd") >= 0 if "sd" in frame.columns else pl.col("selected") <= n)
    if (odd := frame.filter(~usable)).height:
        raise InputError(
            f"{option_text('summary')}: {number_of(odd.height, 'row')} with a number of scores that is not a whole "
            f"number from 1, an SD below 0, or more selected than there are; leave them out with "
            f"{option_text('where')}."
        )
    frame = frame.drop_nulls(list(query.summary))
    if "sd" in frame.columns:
        return frame.with_columns(score=pl.col("mean"))
    rate = pl.col("selected") / n
    return frame.with_columns(score=rate, sd=(rate * (1 - rate) * n / (n - 1).clip(lower_bound=1)).sqrt())


def _keys(query: StudyQuery) -> dict[str, tuple[str, str]]:
    """Return the column and the option of each key."""
    named = {
        "arm": (query.arm, "--arm"),
        "level": (query.level, "--level"),
        "name": (query.name, "--name"),
        "unit": (query.unit, "--compare-by"),
        "run": (query.run, "--run"),
    }
    keys = {key: (name, option) for key, (name, option) in named.items() if name is not None}
    keys |= {f"item_{place}": (name, "--item") for place, name in enumerate(query.items)}
    options = [*keys.values(), *((name, "--score") for name in (query.score, query.decision) if name is not None)]
    for place, (name, option) in enumerate(options):
        for other, other_option in options[:place]:
            if name == other:
                raise InputError(
                    f"{option_text(other_option[2:].replace('-', '_'))} and "
                    f"{option_text(option[2:].replace('-', '_'))} both name {quoted(name)}; give each its own column."
                )
    return keys


def _refuse_texts(frame: pl.DataFrame, scores: Sequence[str], table: OpenTable, option: str) -> None:
    for place, name in enumerate(scores):
        lacking = (frame[f"state_{place}"] == UNREADABLE).sum()
        if lacking and not (frame[f"state_{place}"] == USABLE).any():
            hint = "" if option != "--score" else f"; of decisions give {option_text('selected', f'{name}=VALUE')}"
            raise InputError(f"The column {quoted(name)} of {table.name} ({option}) holds no numbers{hint}.")


def _graded(frame: pl.DataFrame, query: StudyQuery) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return rows whose score counts the grades that each decision reaches, and the grades."""
    assert query.decision is not None
    known = list(frame["decision"].drop_nulls().unique(maintain_order=True))
    typed = query.selected
    values = [
        next(label for label in known if fold(label) in named_values([value], known, query.decision, option="selected"))
        for value in typed
    ]
    if len(set(values)) < len(values):
        raise InputError(
            f"{option_text('selected', quoted(','.join(typed)))} names a value twice; give each once, from the "
            "worst to the best."
        )
    if len(values) == 1:
        grade = pl.when(pl.col("decision").is_not_null()).then((pl.col("decision") == values[0]).cast(pl.Float64))
        return frame.with_columns(grade.alias("score")), (values[0],)
    if others := sorted(set(known) - set(values)):
        raise InputError(
            f"The column {quoted(query.decision)} holds {listed(others, quotes=True)}, too; give all values in "
            f"{option_text('selected')}, from the worst to the best, or only the one that means selected."
        )
    places = {value: float(place) for place, value in enumerate(values)}
    return (
        frame.with_columns(pl.col("decision").replace_strict(places, default=None).cast(pl.Float64).alias("score")),
        tuple(values[1:]),
    )


def _check(rows: pl.DataFrame, query: StudyQuery, table: OpenTable) -> None:
    """Refuse ids as levels, and two rows of one run."""
    levels = rows.select("arm", "level").unique().height
    if levels > MOST_LEVELS:
        raise InputError(
            f"The columns of {option_text('arm')} and {option_text('level')} have {levels:,} different values, "
            f"more than {MOST_LEVELS}; give columns with fewer values."
        )
    if query.run is not None:
        cell = [key for key in rows.columns if key in {"arm", "level", "name", "unit", "run"} or "item_" in key]
        twice = rows.filter(rows.select(cell).is_duplicated())
        if twice.height:
            raise InputError(
                f"Several rows of {table.name} ({twice.height:,}) have the same arm, level, item and run; add the "
                f"column that distinguishes them to {option_text('item')}, or leave out "
                f"{option_text('run')}."
            )
