"""The outcomes of a finished probe as applicants: who a model decided for."""

from dataclasses import replace
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.applicants import count_applicants
from evenhand.hiring.query import ApplicantQuery, Applicants
from evenhand.intake.tables import open_table
from evenhand.tables.messages.quoting import quoted
from evenhand.tables.schemas import CONTEXT, PROTECTED

__all__ = ["count_outcomes"]

DECISION = "successes"


def count_outcomes(outcomes: pl.LazyFrame | Path, query: ApplicantQuery) -> Applicants:
    """Return the judgements of outcomes.parquet as applicants; columns by their bare names.

    Judgements that are not observed (refused, undetected …) are in no n; the accounting
    counts them under `statuses`. Without `protected` all attributes of the run are taken, and
    without `selected` and `score` who succeeded was selected.

    Raises
    ------
    InputError
        The judgements are counts of words, two columns have one bare name, or as for
        `count_applicants`.

    """
    frame = outcomes if isinstance(outcomes, pl.LazyFrame) else pl.scan_parquet(outcomes)
    names = frame.collect_schema().names()
    bare = [name.removeprefix(PROTECTED).removeprefix(CONTEXT) for name in names]
    twice = sorted({name for name in bare if bare.count(name) > 1})
    if twice:
        raise InputError(
            f"The outcomes have the column {quoted(twice[0])} twice, protected and as context; rename one."
        )
    trials = frame.select(pl.col("trials").max()).collect().item()
    if trials is not None and trials > 1:
        raise InputError(
            "These outcomes are counts of words in documents, not decisions; adverse impact needs decisions."
        )
    statuses = dict(frame.group_by(pl.col("status").cast(pl.String)).len().sort("status").collect().iter_rows())
    observed = (
        frame.filter(pl.col("status") == "observed")
        .rename(dict(zip(names, bare, strict=True)))
        .drop("status")
        .collect()
    )
    if not observed.height:
        raise InputError("None of the outcomes is observed: there are no decisions to count.")
    undecided = query.selected is None and query.score is None and not observed[DECISION].count()
    if undecided and "score" in bare and observed["score"].count():
        raise InputError("These outcomes are scores, not decisions; add --score score with --cutoff T or --median.")
    asked = replace(
        query,
        no_count=True,
        protected=query.protected or tuple(n.removeprefix(PROTECTED) for n in names if n.startswith(PROTECTED)),
        selected=query.selected or (None if query.score is not None else DECISION),
    )
    with open_table(observed) as table:
        found = count_applicants(replace(table, name="outcomes.parquet"), asked)
    return replace(found, accounting=replace(found.accounting, source="outcomes.parquet", statuses=statuses))
