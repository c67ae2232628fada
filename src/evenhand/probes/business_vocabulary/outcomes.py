"""Documents as outcomes, one row per inventory, and saved documents as stimuli."""

from collections.abc import Sequence

import polars as pl

from evenhand.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.probes.business_vocabulary.counting.count import count_terms
from evenhand.probes.business_vocabulary.counting.inventories import Inventories, card_inventories
from evenhand.probes.business_vocabulary.read_answer import document_of, read_document
from evenhand.probes.shared.probe import ReadAnswers
from evenhand.probes.shared.saved import code_column, known_groups, require_columns
from evenhand.tables.schemas import STATUS, conform_outcomes

__all__ = ["document_outcomes", "outcomes", "saved_stimuli"]


def outcomes(answers: pl.DataFrame, *, inventories: Inventories | None = None) -> ReadAnswers:
    """Return one outcomes row per document and inventory (else the card's), and the words of the documents."""
    counting = inventories if inventories is not None else card_inventories()
    rows = list(answers.select("text", "finish_reason", "error_class").iter_rows())
    readings = [read_document(text, finish, error_class=error) for text, finish, error in rows]
    texts = pl.Series(
        [document_of(row[0]) if reading[0] == "observed" else "" for row, reading in zip(rows, readings, strict=True)],
        dtype=pl.String,
    )
    counted = count_terms(texts, answers["name"], inventories=counting)
    frame = document_outcomes(
        answers,
        status=[status for status, _ in readings],
        rules=[rule for _, rule in readings],
        terms=counted.terms,
        lengths=counted.lengths,
        inventories=counting.names,
    )
    keys = answers.select("item", "unit", "attempt").with_row_index("document")
    words = counted.words.join(keys, on="document").select("item", "unit", "attempt", "word", "n")
    return ReadAnswers(outcomes=frame, words=words)


def document_outcomes(
    answers: pl.DataFrame,
    *,
    status: list[str],
    rules: list[str],
    terms: pl.DataFrame,
    lengths: pl.Series,
    inventories: Sequence[str],
) -> pl.DataFrame:
    """Return the outcomes of documents whose terms (`document, inventory, male, female`) are counted."""
    documents = answers.select(
        "item",
        "unit",
        "attempt",
        "time",
        pl.col("gender").alias("protected.gender"),
        pl.col("race").alias("protected.race"),
        pl.col("name").alias("context.name"),
        pl.col("template").cast(pl.String).alias("context.template"),
        pl.Series("status", status, dtype=STATUS),
        pl.Series("reading", rules, dtype=pl.String),
        lengths.cast(pl.Float64).alias("words"),
    ).with_row_index("document")
    rows = documents.join(pl.DataFrame({"aspect": inventories}), how="cross", maintain_order="left_right").join(
        terms.rename({"inventory": "aspect"}), on=["document", "aspect"], how="left", maintain_order="left"
    )
    observed = pl.col("status") == "observed"
    male, female = (pl.col(side).fill_null(0).cast(pl.Int32) for side in ("male", "female"))
    return conform_outcomes(
        rows.select(
            "item",
            "unit",
            "attempt",
            "aspect",
            pl.when(observed).then(male).alias("successes"),
            pl.when(observed).then(male + female).alias("trials"),
            pl.when(observed).then("words").alias("score"),
            "status",
            "reading",
            "time",
            "protected.gender",
            "protected.race",
            "context.name",
            "context.template",
        )
    )


def saved_stimuli(saved: pl.DataFrame, *, templates: int) -> pl.DataFrame:
    """Return the stimuli columns of saved documents, in the rows' order.

    Expects `name` and `template` (from 0 to `templates` − 1), and takes `gender` and
    `race` where they are given; else they are looked up.

    Raises
    ------
    InputError
        A column is missing, or a name or template is unknown; the row is named.

    """
    require_columns(saved, ("name", "template"), probe="business-vocabulary")
    names = known_groups(saved, column="name", table=bloomberg_names(), wanted={"gender": GENDERS, "race": RACES})
    frame = names.with_columns(code_column(saved, "template", size=templates).alias("template"))
    unit = pl.concat_str(pl.col("name").str.to_lowercase(), pl.col("template").cast(pl.String), separator="\x1f")
    return frame.with_columns(unit.alias("unit"))
