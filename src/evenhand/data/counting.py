"""Counts of applicants in the engine, by row or by unit, and the tallies by group made from them.

The engine counts by raw keys. Their labels are determined on those counts, and the rows of one unit become one row.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import ibis
import numpy as np
import polars as pl

from evenhand.data import count_tables
from evenhand.data import stages as data_stages
from evenhand.data.applicant_query import NOT_SELECTED, SELECTED, ApplicantQuery
from evenhand.data.attributes import Attribute
from evenhand.data.group_labels import LabelRules
from evenhand.data.labels import Decisions, Labels, decisions_of, labels_of, outcomes_of
from evenhand.data.open_table import OpenTable, is_text
from evenhand.data.roles import refuse_bad_outcome
from evenhand.data.score_cells import UNREADABLE, Threshold, score_state
from evenhand.errors import InputError, option_text
from evenhand.results.messages import quoted, shortened
from evenhand.results.schemas import PEOPLE, PROTECTED

#: Labels that mean that a qualification is not known.
NO_QUALIFICATION = frozenset({"", "nan", "null", "n/a", "unknown"})


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """The labels of raw keys: one entry per attribute, and those of positions and decisions."""

    attributes: Mapping[str, tuple[tuple[str, ...], Labels]]
    positions: Labels | None = None
    decisions: Decisions | None = None

    @property
    def groups(self) -> list[str]:
        """Return the columns of groups."""
        return [PROTECTED + name for name in self.attributes]


def labelled(frame: pl.DataFrame, meaning: Meaning) -> pl.DataFrame:
    """Return cells with `position`, `protected.*` and `decided` for their raw keys."""
    for name, (keys, labels) in meaning.attributes.items():
        frame = mapped(frame, list(keys), labels.of, PROTECTED + name, pl.String())
    frame = frame.drop([key for keys, _ in meaning.attributes.values() for key in keys])
    if meaning.positions is not None and "position" in frame.columns:
        frame = mapped(frame, ["position"], meaning.positions.of, "_position", pl.String())
        frame = frame.drop("position").rename({"_position": "position"})
    elif "position" not in frame.columns:
        frame = frame.with_columns(pl.lit("").alias("position"))
    if meaning.decisions is not None and "decision" in frame.columns:
        frame = mapped(frame, ["decision"], meaning.decisions.of, "decided", pl.Boolean()).drop("decision")
    return frame


def mapped(
    frame: pl.DataFrame, keys: list[str], values_of: Mapping[Any, Hashable | None], name: str, dtype: pl.DataType
) -> pl.DataFrame:
    """Return cells with a column that has the value of each key, or of each combination of several."""
    unique = frame.select(keys).unique()
    values = pl.Series(name, [values_of[key] for key in key_values(unique, keys)], dtype=dtype)
    return frame.join(unique.with_columns(values), on=keys, how="left", nulls_equal=True)


def key_values(frame: pl.DataFrame, keys: Sequence[str]) -> list[Any]:
    """Return the value of a key in each row, or of several the combination, as labels are looked up."""
    return frame[keys[0]].to_list() if len(keys) == 1 else frame.select(keys).rows()


def selected_tally(cells: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return n and successes of decisions."""
    known = cells.filter(pl.col("decided").is_not_null())
    counts = known.group_by(by).agg(pl.col("n").sum(), pl.col("n").filter(pl.col("decided")).sum().alias("successes"))
    return counts.with_columns(pl.lit("selected").alias("approach"), pl.lit(None, pl.Float64).alias("cutoff"))


def people_tally(cells: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Return n of people, without a selection."""
    counts = cells.group_by(by).agg(pl.col("n").sum())
    nothing = pl.lit(None, pl.Float64).alias("cutoff")
    return counts.with_columns(pl.lit(0, pl.Int64).alias("successes"), pl.lit(PEOPLE).alias("approach"), nothing)


def levels_tally(
    cells: pl.DataFrame,
    by: Sequence[str],
    bars: Sequence[Threshold],
    thresholds: Sequence[tuple[str, float, Threshold]],
) -> pl.DataFrame:
    """Return n and successes for each approach and cut-off with its threshold, one of `bars`."""
    usable = cells.filter(pl.col("level") >= 0)
    groups = usable.select(by).unique(maintain_order=True).with_row_index("_group")
    indexed = usable.join(groups, on=list(by), how="left", nulls_equal=True)
    width = len(bars) + 1
    place = indexed["_group"].to_numpy().astype(np.int64) * width + indexed["level"].to_numpy()
    at = np.zeros(groups.height * width, dtype=indexed["n"].to_numpy().dtype)  # expected numbers are fractions
    np.add.at(at, place, indexed["n"].to_numpy())
    # Column l: how many passed l thresholds or more.
    reached = at.reshape(groups.height, width)[:, ::-1].cumsum(axis=1)[:, ::-1]
    frames = [
        groups.drop("_group").with_columns(
            pl.lit(approach).alias("approach"),
            pl.lit(cutoff, pl.Float64).alias("cutoff"),
            pl.Series("n", reached[:, 0]),
            pl.Series("successes", reached[:, bars.index(threshold) + 1]),
        )
        for approach, cutoff, threshold in thresholds
    ]
    return pl.concat(frames)


def means_tally(cells: pl.DataFrame, by: Sequence[str], counted: data_stages.Cells) -> pl.DataFrame:
    """Return n, mean and Σ(x − mean)² of the scores of each group."""
    assert counted.steps is not None
    usable = cells.filter(pl.col("level") >= 0).with_columns(pl.col(data_stages.SUMS).cast(pl.Int128))
    if "weight" in cells.columns:
        usable = usable.with_columns(pl.col(data_stages.SUMS) * pl.col("weight").cast(pl.Int128))
    usable = usable.group_by(by).agg(pl.col("n", *data_stages.SUMS).sum())
    moments = [counted.steps.moments(n, tuple(sums)) for n, *sums in usable.select("n", *data_stages.SUMS).iter_rows()]
    return usable.drop(data_stages.SUMS).with_columns(
        pl.Series("mean", [mean for mean, _ in moments], dtype=pl.Float64),
        pl.Series("squares", [squares for _, squares in moments], dtype=pl.Float64),
    )


def sweep_tally(cells: pl.DataFrame, groups: Sequence[str], values: Sequence[float], *, strict: bool) -> pl.DataFrame:
    """Return n and successes of each group at every cut-off."""
    bars = [Threshold(value=value, strict=strict) for value in values]
    thresholds = [("sweep", threshold.value, threshold) for threshold in bars]
    return (
        levels_tally(cells, groups, bars, thresholds)
        .select("cutoff", *groups, "n", "successes")
        .sort("cutoff", *groups)
    )


def qualification_frame(
    cells: pl.DataFrame, names: Sequence[str], groups: Sequence[str], success: pl.Expr
) -> pl.DataFrame:
    """Return counts by position, groups, qualifications and clusters.

    A column whose known labels are all numbers is numeric. 'none' is a common degree here, not a missing value as it is
    among groups. Infinite numbers count as missing, like NaN.
    """
    for place, name in enumerate(names):
        raw = f"given_{place}"
        labels = labels_of(cells.group_by(raw).agg(pl.col("n").sum()).iter_rows(), NO_QUALIFICATION)
        cells = mapped(cells, [raw], labels.of, f"given.{name}", pl.String()).drop(raw)
        numbers = cells[f"given.{name}"].cast(pl.Float64, strict=False)
        if numbers.null_count() == cells[f"given.{name}"].null_count():
            cells = cells.with_columns(pl.when(numbers.is_finite()).then(numbers).alias(f"given.{name}"))
    clusters = [name for name in cells.columns if name.startswith(data_stages.CLUSTER)]
    cells = cells.with_columns(pl.col(clusters).rank("dense").cast(pl.Int64) - 1)
    by = ["position", *groups, *(f"given.{name}" for name in names), *clusters, *data_stages.sampled(cells)]
    counted = cells.group_by(by).agg(pl.col("n").sum(), pl.col("n").filter(success).sum().alias("successes"))
    return counted.sort(by)


def attribute_labels(
    attributes: Sequence[Attribute], cells: pl.DataFrame, rules: LabelRules
) -> dict[str, tuple[tuple[str, ...], Labels]]:
    """Return the keys and labels of each attribute, by name."""
    return {attribute.name: (tuple(attribute.keys), attribute.labels(cells, rules)) for attribute in attributes}


def groups_of_nobody(
    table: OpenTable,
    rows: Any,
    query: ApplicantQuery,
    *,
    attributes: Sequence[Attribute],
    counted: "Counted",
    rules: LabelRules,
) -> tuple[dict[str, str], ...]:
    """Return groups that are named, by attribute, and may have no people: of rows of 0 people, and of fixed lists."""
    named = [{attribute.name: category} for attribute in attributes for category in attribute.categories]
    weight = count_tables.weight_of(table, query)
    if weight is not None:
        keys = {key: column for attribute in attributes for key, column in attribute.keys.items()}
        weighted = rows.select(**keys, weight=weight)
        empty = table.fetch(weighted.filter(weighted.weight == 0).drop("weight").distinct()).with_columns(
            pl.lit(0, pl.Int64).alias("n")
        )
        together = pl.concat([*(part.frame.select(empty.columns) for part in counted.cells), empty])
        names = [attribute.name for attribute in attributes]
        groups = labelled(empty, Meaning(attributes=attribute_labels(attributes, together, rules)))
        rows_of_nobody = groups.select(PROTECTED + name for name in names).unique().sort(pl.all()).iter_rows()
        named += [{name: g for name, g in zip(names, group, strict=True) if g is not None} for group in rows_of_nobody]
    return tuple(named)


#: Columns that keep their values.
_AS_THEY_ARE = frozenset({"score", "state", "against", "against_state", "cluster", "weight"})


@dataclass(frozen=True, kw_only=True)
class Coded:
    """Rows whose keys are codes, and the meaning of the codes."""

    expr: Any
    meaning: Meaning


def coded(table: OpenTable, rows: Any, meaning: Meaning, unit: str | None, stages: data_stages.Stages | None) -> Coded:
    """Return the rows with a code for each group, decision and stage, so that rows can be compared.

    Raises
    ------
    InputError
        A row has no unit.

    """
    columns: dict[str, Any] = {}
    if unit is not None:
        _check_units(table, rows, unit)
        columns["unit"] = rows.unit
    attributes: dict[str, tuple[tuple[str, ...], Labels]] = {}
    for name, (keys, labels) in meaning.attributes.items():
        groups = sorted({label for label in labels.of.values() if label is not None})
        columns[key := f"key_{len(attributes)}"] = _code(
            rows, keys, labels.of, {group: n for n, group in enumerate(groups)}
        )
        attributes[name] = ((key,), replace(labels, of=dict(enumerate(groups)) | {None: None}))
    positions = None
    if meaning.positions is not None:
        columns["position"], positions = _one_spelling(rows.position, meaning.positions)
    decisions = None
    if meaning.decisions is not None:
        columns["decision"] = _code(rows, ("decision",), meaning.decisions.of, {True: 1, False: 0})
        decisions = replace(meaning.decisions, of={1: True, 0: False, None: None})
    if stages is not None:
        columns["stage"] = _code(rows, ("stage",), stages.of, stages.codes)
    for name in rows.columns:
        if name.startswith(("given_", "similar_", data_stages.CLUSTER)) or name in _AS_THEY_ARE:
            columns[name] = rows[name].cast("int8") if rows[name].type().is_boolean() else rows[name]
    return Coded(
        expr=rows.select(**columns),
        meaning=Meaning(attributes=attributes, positions=positions, decisions=decisions),
    )


def _check_units(table: OpenTable, rows: Any, unit: str) -> None:
    blank = rows.unit.isnull() | (rows.unit.strip() == "") if is_text(rows.unit) else rows.unit.isnull()
    missing = table.fetch(rows.aggregate(n=ibis.ifelse(blank, 1, 0).sum()))["n"][0]
    if missing:
        are = "1 row has" if missing == 1 else f"{missing:,} rows have"
        raise InputError(
            f"{are} no {quoted(unit)} in {table.name}; fill it in, or leave them out: "
            f'{option_text("where")} "{unit} is not null".'
        )


def one_row_per_unit(rows: Any, *, last: int | None = None) -> Any:
    """Return one row per unit and position (and stage): selected if any row is, with the highest score.

    A group is known where all rows with a known group agree. With `last`, the number of the last stage, rows of all
    stages are joined and only the last stage selects: the bottom line.
    """
    by = [name for name in ("unit", "position", "stage") if name in rows.columns and (last is None or name != "stage")]
    keys = [name for name in rows.columns if name.startswith("key_")]
    qualifications = [name for name in rows.columns if name.startswith("given_")]
    at_last = rows.stage == last if last is not None else None
    sums: dict[str, Any] = {"rows": rows.count()}
    apart = [name for name in rows.columns if name == "cluster" or name.startswith(data_stages.CLUSTER)]
    sums |= {name: rows[name].min() for name in apart}
    for name in (*keys, *qualifications):
        sums[f"{name}_low"], sums[f"{name}_high"] = rows[name].min(), rows[name].max()
    for name in ("decision", "state", "score", "against_state", "against"):
        if name in rows.columns:
            sums[name] = rows[name].max(where=at_last)
    if at_last is not None:
        sums["reached"] = ibis.ifelse(at_last, 1, 0).max()
    joined = rows.group_by(by).aggregate(**sums)
    agree = {name: joined[f"{name}_low"] == joined[f"{name}_high"] for name in (*keys, *qualifications)}
    retained = (*by, *apart, "rows", "score", "against")
    columns = {name: joined[name] for name in retained if name in joined.columns}
    for name in (*keys, *qualifications):
        columns[name] = ibis.ifelse(agree[name], joined[f"{name}_low"], ibis.null(joined[f"{name}_low"].type()))
    for name in ("decision", "state", "against_state"):
        if name in joined.columns:
            value = joined[name]
            # People who never reached the last stage were not selected at it and have no score there.
            columns[name] = value if at_last is None else ibis.ifelse(joined.reached == 0, ibis.literal(0), value)
    columns = {
        name: column.cast("int32") if name in {"decision", "state", "against_state"} else column
        for name, column in columns.items()
    }
    if at_last is not None:
        columns["reached"] = joined.reached
    disagree = ibis.or_(*(~ibis.coalesce(agree[name], ibis.literal(value=True)) for name in keys))
    columns["conflict"] = ibis.ifelse(disagree, 1, 0).cast("int32")
    return joined.select(**columns)


def refuse_units_apart(table: OpenTable, rows: Any, clusters: Mapping[str, tuple[str, str]], by: Sequence[str]) -> None:
    """Raise InputError where the rows of one unit belong to several clusters."""
    for key, (name, option) in clusters.items():
        column = rows[key]
        units = rows.group_by([key for key in ("unit", "position") if key in rows.columns]).aggregate(
            low=column.min(), high=column.max()
        )
        n = int(table.fetch(units.filter(units.low != units.high).count().as_table())[0, 0])
        if n:
            raise InputError(
                f"{option} {shortened(name)}: {n:,} applicants (by {', '.join(map(quoted, by))}) have several "
                "values; give a column that has one value for each applicant."
            )


def _code(rows: Any, keys: tuple[str, ...], value_of: Mapping[Any, Hashable | None], codes: Mapping[Any, int]) -> Any:
    """Return the code of each row's values, null where they have no meaning."""
    cases = []
    if len(keys) == 1:
        column = rows[keys[0]]
        for meaning, code in codes.items():
            raw = [value for value, known in value_of.items() if known == meaning]
            test = column.isin([value for value in raw if value is not None])
            cases.append((test | column.isnull() if None in raw else test, code))
    else:
        for values, value_meaning in value_of.items():
            if value_meaning is not None:
                matches = [
                    rows[key].isnull() if value is None else rows[key] == value
                    for key, value in zip(keys, values, strict=True)
                ]
                cases.append((ibis.and_(*matches), codes[value_meaning]))
    nothing = ibis.null("int32")
    return ibis.cases(*cases, else_=nothing).cast("int32") if cases else nothing


def _one_spelling(column: Any, labels: Labels) -> tuple[Any, Labels]:
    """Return a column with one spelling for each label."""
    first: dict[str, Hashable] = {}
    cases = []
    for value, label in sorted(labels.of.items(), key=lambda item: str(item[0])):
        if label is not None and first.setdefault(label, value) != value:
            cases.append((column == value, ibis.literal(first[label], type=column.type())))
    return (ibis.cases(*cases, else_=column) if cases else column), labels


#: Only a blank cell is no position: any other text may be the name of one.
_BLANK = frozenset({""})


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Counts by raw keys, one `Cells` per stage, and the meaning of the keys.

    `rows` is the number of rows that meet the conditions; `bottom` follows units through the stages. `once` are the
    cells that have each row once: those of all stages, or of a funnel's first one.
    """

    name: str
    meaning: Meaning
    by_stage: Mapping[str, Any]
    cells: tuple[data_stages.Cells, ...]
    rows: int
    bottom: data_stages.Cells | None = None
    unit: dict[str, Any] | None = None
    score_column: Any = None
    followed: bool = False

    @property
    def once(self) -> tuple[data_stages.Cells, ...]:
        """Return the cells that have each row once."""
        return self.cells[:1] if self.followed else self.cells


def counted_rows(
    table: OpenTable,
    rows: Any,
    query: ApplicantQuery,
    *,
    attributes: Sequence[Attribute],
    stages: data_stages.Stages | None,
    rules: LabelRules,
) -> Counted:
    """Count rows."""
    by_stage = {"": rows}
    if stages is not None:
        values = {name: [value for value, label in stages.of.items() if label == name] for name in stages.names}
        by_stage = {name: rows.filter(rows.stage.isin(values[name])) for name in stages.names}
    cells = tuple(data_stages.cells_of(table, stage, of_stage, query) for stage, of_stage in by_stage.items())
    _check_scores(table, query, cells)
    followed = stages is not None and stages.followed
    bottom = None
    if followed and len(cells) > 1:
        line = data_stages.BOTTOM_LINE
        bottom = data_stages.cells_of(table, line, rows.filter(rows.stage == line), query)
    together = pl.concat([part.frame.select(pl.exclude("level")) for part in (cells[:1] if followed else cells)])
    return Counted(
        name=table.name,
        meaning=_meaning(together, query, attributes, rules),
        by_stage=by_stage,
        cells=cells,
        rows=int(together["n"].sum()) + _unstaged(stages),
        bottom=bottom,
        followed=followed,
        score_column=table.expr[query.score] if query.score is not None else None,
    )


def counted_units(
    table: OpenTable,
    rows: Any,
    query: ApplicantQuery,
    *,
    attributes: Sequence[Attribute],
    stages: data_stages.Stages | None,
    rules: LabelRules,
) -> Counted:
    """Count units: the rows' spellings are merged first, so that rows of a unit can agree."""
    assert query.unit is not None
    staged = (
        rows.filter(rows.stage.isin([value for value, name in stages.of.items() if name is not None]))
        if stages
        else rows
    )
    keys = [name for name in (*data_stages.keys_of(rows), "position", "decision") if name in rows.columns]
    followed = stages is not None and stages.followed
    everyone = staged.filter(staged.stage == stages.names[0]) if stages is not None and followed else staged
    raw = table.fetch(everyone.group_by(keys).aggregate(n=everyone.count()))
    meaning = _meaning(raw, query, attributes, rules)
    codes = coded(table, staged, meaning, query.unit, stages)
    by = [query.unit, *([query.position] if query.position is not None else [])]
    refuse_units_apart(table, codes.expr, data_stages.named_clusters(query), by)
    once = one_row_per_unit(codes.expr)
    by_stage = {"": once}
    if stages is not None:
        by_stage = {name: once.filter(once.stage == n) for n, name in enumerate(stages.names)}
    cells = tuple(data_stages.cells_of(table, stage, of_stage, query) for stage, of_stage in by_stage.items())
    _check_scores(table, query, cells)
    bottom = None
    if stages is not None and followed and len(cells) > 1:
        reached = once.filter(once.stage == len(stages.names))
        bottom = data_stages.cells_of(table, data_stages.BOTTOM_LINE, reached, query)
    elif stages is not None and len(stages.names) > 1:
        joined = one_row_per_unit(codes.expr, last=len(stages.names) - 1)
        bottom = data_stages.cells_of(table, data_stages.BOTTOM_LINE, joined, query, like=cells[-1])
    n = int(raw["n"].sum())
    in_all = cells[:1] if followed else cells
    counted = sum(int(part.frame["n"].sum()) for part in in_all)
    conflicts = sum(int(part.frame.filter(pl.col("conflict") == 1)["n"].sum()) for part in in_all)
    return Counted(
        name=table.name,
        meaning=codes.meaning,
        by_stage=by_stage,
        cells=cells,
        rows=n + _unstaged(stages),
        bottom=bottom,
        followed=followed,
        unit={
            "column": query.unit,
            "by": [query.unit, *(name for name in (query.position, query.stage) if name is not None)],
            "rows": n,
            **_units(table, codes.expr),
            "counted": counted,
            "repeated_rows": n - counted,
            "conflicts": conflicts,
        },
        score_column=table.expr[query.score] if query.score is not None else None,
    )


def with_cluster_codes(counted: Counted) -> Counted:
    """Return the counts with clusters coded from 0, with the same codes in all cells."""
    cells = [*counted.cells, *([counted.bottom] if counted.bottom is not None else [])]
    frames = [part.frame for part in cells]
    for name in data_stages.clusters_of(frames[0]):
        texts = [frame[name].cast(pl.String) for frame in frames]
        values = pl.Enum(pl.concat(texts).unique().sort())
        frames = [
            frame.with_columns(text.cast(values).to_physical().cast(pl.Int64).alias(name))
            for frame, text in zip(frames, texts, strict=True)
        ]
    coded = [replace(part, frame=frame) for part, frame in zip(cells, frames, strict=True)]
    return replace(
        counted,
        cells=tuple(coded[: len(counted.cells)]),
        bottom=None if counted.bottom is None else coded[-1],
    )


def _units(table: OpenTable, rows: Any) -> dict[str, int]:
    """Return the number of distinct units, and of those with several positions."""
    units = int(table.fetch(rows.aggregate(n=rows.unit.nunique()))["n"][0])
    several = 0
    if "position" in rows.columns:
        pairs = data_stages.present(rows).select("unit", "position").distinct()
        by_unit = pairs.group_by("unit").aggregate(positions=pairs.count())
        several = int(table.fetch(by_unit.filter(by_unit.positions > 1).count().as_table())[0, 0])
    return {"units": units, "with_several_positions": several}


def _unstaged(stages: data_stages.Stages | None) -> int:
    return 0 if stages is None else stages.missing + sum(stages.left_out.values())


def _meaning(cells: pl.DataFrame, query: ApplicantQuery, attributes: Sequence[Attribute], rules: LabelRules) -> Meaning:
    positions = decisions = None
    if query.position is not None:
        positions = labels_of(cells.group_by("position").agg(pl.col("n").sum()).iter_rows(), _BLANK)
    if query.applicants is not None or query.is_funnel:
        decisions = _counted_decisions(cells)
    elif query.selected is not None:
        if not query.outcome and query.selected_value is None:
            refuse_bad_outcome(query.selected, cells["decision"].unique())
        decisions = (
            outcomes_of(cells, query.selected, query.selected_value)
            if query.outcome
            else decisions_of(cells, query.selected, query.selected_value, query.undecided)
        )
    return Meaning(attributes=attribute_labels(attributes, cells, rules), positions=positions, decisions=decisions)


def _counted_decisions(cells: pl.DataFrame) -> Decisions:
    """Return the decisions of a table with a row per group, or of a funnel."""
    found = dict(cells.group_by("decision").agg(pl.col("n").sum()).iter_rows())
    counts = {SELECTED: 0, NOT_SELECTED: 0} | {decision or "": n for decision, n in found.items()}
    return Decisions(of={SELECTED: True, NOT_SELECTED: False, None: None}, counts=counts, selected=(SELECTED,))


def _check_scores(table: OpenTable, query: ApplicantQuery, cells: Sequence[data_stages.Cells]) -> None:
    """Raise InputError that names the first score that is text but no number."""
    unread = pl.col("level") == UNREADABLE
    unreadable = sum(int(part.frame.filter(unread)["n"].sum()) for part in cells if "level" in part.frame.columns)
    if not unreadable or query.score is None:
        return
    name = query.score
    # DuckDB keeps the order of rows, so a message can give their numbers.
    numbered = table.expr.mutate(row=ibis.row_number() + 1) if table.ordered else table.expr.mutate(row=ibis.literal(0))
    state, _ = score_state(numbered[name])
    wrong = numbered.mutate(state=state).filter(lambda rows: rows.state == UNREADABLE)
    first = table.fetch(wrong.select(value=wrong[name], row=wrong.row).order_by("row").limit(1)).row(0)
    place = f" in row {first[1]}" if first[1] else ""
    more = f" and {unreadable - 1:,} more" if unreadable > 1 else ""
    comma = "; write decimals with a point" if "," in first[0] else ""
    raise InputError(
        f"The column {quoted(name)} of {table.name} holds {quoted(first[0])}{place}{more}; expected numbers{comma}."
    )
