"""Embeddings of a table's texts, by which people are similar."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import polars as pl

from evenhand.analyses.options.scores import EvaluateOptions
from evenhand.data.labels import comma_separated
from evenhand.data.open_table import OpenTable
from evenhand.data.predictions import EMBEDDING
from evenhand.data.tables import open_table
from evenhand.errors import InputError, ServiceError, option_text
from evenhand.models.collecting import run
from evenhand.models.limits import Backoff
from evenhand.models.model import Failure
from evenhand.models.rankers import EmbeddingScorer, open_served
from evenhand.results.messages import Notices, listed, number_of, quoted

#: Columns of texts, the first of which is embedded where none is named.
TEXTS: Final = ("text", "resume")
_AT_ONCE: Final = 16
_TIMEOUT: Final = 120.0


@contextmanager
def with_embeddings(table: OpenTable, options: EvaluateOptions, *, most: int, notice: Notices) -> Iterator[OpenTable]:
    """Open a table with the embedding of each row's text, in a column with the name of the model.

    Each distinct text is embedded once; one that the server refuses has no vector, as an empty one.

    Raises
    ------
    InputError
        There is no such column, no key, or a column is called as the model.
    ServiceError
        The server does not serve.

    """
    columns = table.expr.columns
    values = comma_separated(options.similar_by, columns)
    model = next(value for value in values if value.startswith(EMBEDDING)).removeprefix(EMBEDDING)
    named = option_text("similar_by", f"{EMBEDDING}{model}")
    if model in columns:
        raise InputError(
            f"{named} names a column, and {option_text('base_url')} is the server of a model; drop one of them."
        )
    text = options.text or next((name for name in TEXTS if name in columns), "")
    if text not in columns:
        problem = f"the table has no column {quoted(text)}" if text else f"no column is called {' or '.join(TEXTS)}"
        raise InputError(f"{named}: {problem}; give {option_text('text', 'COLUMN')}. Columns: {listed(columns)}.")
    rows = table.fetch(table.expr, most=most)
    cells = rows[text].cast(pl.String)
    texts = [cell for cell in cells.unique(maintain_order=True) if cell and cell.strip()]
    scorer = open_served(
        f"{EMBEDDING}{model}",
        base_urls=options.base_url,
        environ=os.environ,
        timeout=_TIMEOUT,
        concurrency=_AT_ONCE,
        option="--similar-by",
    )
    assert isinstance(scorer, EmbeddingScorer)
    notice(f"Sending {number_of(len(texts), 'text')} of the column {text} to {options.base_url[0]}, each once.")
    if scorer.unencrypted is not None:
        notice(scorer.unencrypted)
    try:
        vectors = run(scorer.vectors(texts, backoff=Backoff()))
    except Failure as failure:
        raise ServiceError(str(failure)) from failure
    of_text = {cell: None if vector is None else vector.tolist() for cell, vector in zip(texts, vectors, strict=True)}
    embedded = pl.Series(model, [of_text.get(cell) for cell in cells], pl.List(pl.Float64))
    with open_table(rows.with_columns(embedded)) as opened:
        yield replace(table, expr=opened.expr, ordered=False)
