"""Terms and words of documents, counted in one pass for all inventories."""

from dataclasses import dataclass
from functools import cache

import polars as pl

from evenhand.probes.business_vocabulary._phrases import phrases
from evenhand.probes.business_vocabulary.inventories import inventory_table

__all__ = ["TermCounts", "count_terms"]

#: A word: letters, with apostrophes and hyphens inside ('self-reliant', "don't").
WORD = r"\p{L}+(?:['-]\p{L}+)*"
POSSESSIVE = r"'s?$"
_APOSTROPHES = "[\u2018\u2019\u02bc\u2032`]"
_HYPHENS = "[\u2010\u2011\u00ad]"


@dataclass(frozen=True, kw_only=True)
class TermCounts:
    """What was counted in documents 0, 1, ….

    `terms` has `document, inventory, male, female`, no row where both are 0; `lengths` the
    number of words per document; `words` one row per document and distinct word: `document,
    word, n`, the candidate's own name left out.
    """

    terms: pl.DataFrame
    lengths: pl.Series
    words: pl.DataFrame


def count_terms(texts: pl.Series, names: pl.Series | None = None) -> TermCounts:
    """Return the terms and words of `texts`; `names` are the candidates', one per text.

    Words are compared without regard to case; a possessive 's is left off. A hyphenated
    word counts as a whole. A part of the candidate's own name is no term.

    >>> counts = count_terms(pl.Series(["She's Ambitious, ambitious and **gentle**."]))
    >>> counts.terms.filter(inventory="bsri").row(0), counts.lengths.to_list()
    ((0, 'bsri', 2, 1), [5])
    """
    folded = texts.fill_null("").str.to_lowercase()
    if not folded.str.contains(r"^[\x00-\x7f]*$").all():
        folded = folded.str.replace_all(_APOSTROPHES, "'").str.replace_all(_HYPHENS, "-")
    tokens = folded.str.extract_all(WORD)
    listed = pl.DataFrame({"document": pl.int_range(len(texts), dtype=pl.UInt32, eager=True), "word": tokens})
    words = _words(listed.explode("word").drop_nulls("word"))
    if names is not None:
        words = words.join(_name_parts(names), on=["document", "word"], how="anti")
    terms = pl.concat([_single_terms(words), _phrase_terms(folded)])
    summed = (
        terms.group_by("document", "inventory")
        .agg(pl.col("male").sum(), pl.col("female").sum())
        .sort("document", "inventory")
    )
    return TermCounts(terms=summed, lengths=tokens.list.len(), words=words)


def _words(tokens: pl.DataFrame) -> pl.DataFrame:
    """Return `document, word, n`; possessives join their word."""
    counted = tokens.group_by("document", "word").agg(pl.len().cast(pl.Int32).alias("n"))
    owned = pl.col("word").str.contains("'", literal=True)
    possessive = counted.filter(owned)
    if not possessive.height:
        return counted
    joined = pl.concat([counted.filter(~owned), possessive.with_columns(pl.col("word").str.replace(POSSESSIVE, ""))])
    return joined.group_by("document", "word").agg(pl.col("n").sum())


def _name_parts(names: pl.Series) -> pl.DataFrame:
    parts = names.fill_null("").str.to_lowercase().str.replace_all(_APOSTROPHES, "'").str.extract_all(WORD)
    document = pl.int_range(len(names), dtype=pl.UInt32, eager=True)
    return pl.DataFrame({"document": document, "word": parts}).explode("word").drop_nulls("word").unique()


@cache
def _singles() -> pl.DataFrame:
    """Return `word, inventory, male, female` of the terms of one word."""
    table = inventory_table().filter(~pl.col("term").str.contains(" ", literal=True))
    return table.select(
        pl.col("term").alias("word"),
        "inventory",
        (pl.col("gender") == "male").cast(pl.Int32).alias("male"),
        (pl.col("gender") == "female").cast(pl.Int32).alias("female"),
    )


def _single_terms(words: pl.DataFrame) -> pl.DataFrame:
    found = words.join(_singles(), on="word")
    return found.select("document", "inventory", pl.col("male") * pl.col("n"), pl.col("female") * pl.col("n"))


def _phrase_terms(folded: pl.Series) -> pl.DataFrame:
    """Return the phrases of the documents; a line break inside a phrase is a space."""
    schema = {"document": pl.UInt32, "inventory": pl.String, "male": pl.Int32, "female": pl.Int32}
    anchors = list(dict.fromkeys(phrase.anchor for phrase in phrases()))
    frame = pl.DataFrame({"document": pl.int_range(len(folded), dtype=pl.UInt32, eager=True), "text": folded})
    frame = frame.filter(pl.col("text").str.contains_any(anchors))
    if not frame.height:
        return pl.DataFrame(schema=schema)
    frame = frame.with_columns(pl.col("text").str.replace_all(r"[*_#\s]+", " "))
    parts = []
    for phrase in phrases():
        hits = frame.filter(pl.col("text").str.contains(phrase.anchor, literal=True)).with_columns(
            pl.col("text").str.count_matches(phrase.pattern).cast(pl.Int32).alias("n")
        )
        male = pl.col("n") if phrase.gender == "male" else pl.lit(0, pl.Int32)
        female = pl.col("n") if phrase.gender == "female" else pl.lit(0, pl.Int32)
        parts.append(
            hits.filter(pl.col("n") > 0).select(
                "document", pl.lit(phrase.inventory).alias("inventory"), male.alias("male"), female.alias("female")
            )
        )
    return pl.concat(parts)
