"""Stages of selection: their order, and who of those who entered was selected in the end."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.folding import Labels, fold, labels_of
from evenhand.tables.messages.quoting import listed, quoted, shortened

__all__ = ["BOTTOM_LINE", "Stages", "bottom_line", "stages_of"]

BOTTOM_LINE = "bottom line"


@dataclass(frozen=True, kw_only=True)
class Stages:
    """The stages in order, the values of each, and how the order was found."""

    names: tuple[str, ...]
    of: Mapping[Hashable, str | None]
    missing: int
    left_out: Mapping[str, int]
    accounting: dict[str, Any]
    labels: Labels


def stages_of(counts: pl.DataFrame, column: str, order: Sequence[str]) -> Stages:
    """Return the stages in `counts` (`stage`, `n`): in the order given, else by falling number of applicants.

    Raises
    ------
    InputError
        A stage of the order given does not occur, or one is given twice.

    """
    labels = labels_of(counts.select("stage", "n").iter_rows(), frozenset({""}))
    sizes: dict[str, int] = {}
    missing = 0
    for value, n in counts.select("stage", "n").iter_rows():
        label = labels.of[value]
        if label is None:
            missing += n
        else:
            sizes[label] = sizes.get(label, 0) + n
    if not sizes:
        raise InputError(f"The column {quoted(column)} names no stage.")
    how = "given"
    if order:
        folded = {fold(name): name for name in sizes}
        wrong = [name for name in order if fold(name) not in folded]
        if wrong:
            raise InputError(f"No stage {quoted(wrong[0])} in the column {quoted(column)}. Stages: {listed(sizes)}.")
        names = tuple(folded[fold(name)] for name in order)
        if len(set(names)) < len(names):
            raise InputError(f"--stage {shortened(column)} names a stage twice: {listed(order)}.")
    else:
        names = tuple(sorted(sizes, key=lambda name: (-sizes[name], name)))
        how = "by falling number of applicants"
    left_out = {name: n for name, n in sorted(sizes.items()) if name not in names}
    return Stages(
        names=names,
        of={value: label if label in names else None for value, label in labels.of.items()},
        missing=missing,
        left_out=left_out,
        accounting={"column": column, "stages": list(names), "how": how, "rows": {name: sizes[name] for name in names}},
        labels=labels,
    )


def bottom_line(counts: pl.DataFrame, names: Sequence[str], groups: Sequence[str]) -> tuple[pl.DataFrame, list[str]]:
    """Return who was selected at the last stage, of all at the first, from the counts of both.

    Rows are not followed from stage to stage: a position in which a group has more people
    selected at the last stage than there were at the first has no bottom line. The
    positions that were left out come second.
    """
    key = ["approach", "position", *groups]
    # Cut-offs are the same at all stages, medians are not.
    at = pl.when(pl.col("approach") == "median").then(None).otherwise(pl.col("cutoff")).alias("_cutoff")
    counts = counts.with_columns(at)
    first = counts.filter(pl.col("stage") == names[0]).select(*key, "_cutoff", "n")
    last = counts.filter(pl.col("stage") == names[-1]).select(*key, "_cutoff", "successes", pl.col("n").alias("n_last"))
    joined = first.join(last, on=[*key, "_cutoff"], how="full", nulls_equal=True, coalesce=True).with_columns(
        pl.col("n", "successes", "n_last").fill_null(0)
    )
    impossible = joined.filter(pl.col("n_last") > pl.col("n"))["position"].unique().sort().to_list()
    medians = counts.filter((pl.col("stage") == names[-1]) & (pl.col("approach") == "median"))["cutoff"]
    median = medians[0] if len(medians) else None
    kept = joined.filter(~pl.col("position").is_in(impossible)).with_columns(
        pl.lit(BOTTOM_LINE).alias("stage"),
        pl.when(pl.col("approach") == "median")
        .then(pl.lit(median, pl.Float64))
        .otherwise(pl.col("_cutoff"))
        .alias("cutoff"),
    )
    return kept.drop("_cutoff", "n_last"), impossible
