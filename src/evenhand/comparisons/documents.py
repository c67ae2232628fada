"""Findings about documents: declared measures, length, refusals, and words that differ between two groups."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evenhand.comparisons.claims import corrected, uncorrected
from evenhand.comparisons.declared import Sequential, declared_findings
from evenhand.comparisons.measure import everyone_of, observed_findings
from evenhand.comparisons.undetected import statuses_of, undetected_findings
from evenhand.comparisons.units import Draw, Floats, Units, bare
from evenhand.comparisons.weighted_sums import resampled_units
from evenhand.results.finding import Finding, Test, Word
from evenhand.results.measures import DOCUMENT_LENGTH, REFUSED_RATE, WORD_LOG_ODDS, Contrast, MeasureSet
from evenhand.results.schemas import CONTEXT, PROTECTED
from evenhand.stats import benjamini_hochberg
from evenhand.stats.association import log_odds
from evenhand.stats.special import ndtr

RESAMPLED_Z = "z, documents resampled"
METHOD = "log odds, Dirichlet prior; documents resampled, percentile"
#: A word in fewer documents than this has no interval that could be trusted.
FEWEST_DOCUMENTS = 20
RESAMPLES = 500
#: Resamples in memory at once; they divide evenly.
BLOCK = 100
#: The words per direction that become findings, and the terms of the inventories; words.csv has all.
MOST_WORDS = 25

#: Words that state the gender: they differ by the design of the prompt.
PRONOUNS = frozenset(
    [
        *("he", "him", "his", "himself", "he's", "he'll", "he'd", "mr", "sir"),
        *("she", "her", "hers", "herself", "she's", "she'll", "she'd", "mrs", "ms", "miss", "madam"),
    ]
)


def length_findings(
    outcomes: pl.LazyFrame,
    everyone: Units,
    measured: MeasureSet,
    draw: Draw,
) -> Iterator[Finding]:
    """Yield mean length in words and refusal rate per group, and their differences.

    `everyone` are the documents in the order of the outcomes, one unit each.
    """
    contrast = measured.contrast
    if contrast is None:
        return
    summed = (
        outcomes.filter(pl.col("aspect") == pl.col("aspect").min())
        .group_by("item", "unit", maintain_order=True)
        .agg(pl.col("score").mean(), (pl.col("status") == "refused").mean().alias("refused"))
        .collect()
    )
    for name, values, unit in (
        (DOCUMENT_LENGTH, summed["score"], "words"),
        (REFUSED_RATE, summed["refused"], "share"),
    ):
        score = values.fill_null(float("nan")).to_numpy()
        units = replace(everyone, score=score, successes=score, trials=np.ones(len(everyone)), aspects=1)
        units = units.take(np.isfinite(score))
        if len(units):
            changes: dict[str, Any] = {"pool": "units", "smoothing": 0.0, "aspect": None}
            sides = contrast.focal, contrast.reference
            of_value = measured.of_groups(name, *sides, measured_in=unit, **changes)
            yield from declared_findings(resampled_units(units, of_value, draw))


@dataclass(frozen=True, kw_only=True)
class WordTable:
    """Per word of the vocabulary: counts in both groups, log odds with interval, p and adjusted p."""

    focal: Mapping[str, str]
    reference: Mapping[str, str]
    documents: int
    frame: pl.DataFrame


def word_findings(table: WordTable, *, confidence: float = 0.95) -> list[Finding]:
    """Return the words that differ most, and the inventory terms that do.

    They are chosen post hoc, so p is adjusted over all words tested.
    """
    frame = table.frame.sort(pl.col("z").abs(), descending=True)
    strongest = [frame.filter(sign * pl.col("z") > 0).head(MOST_WORDS) for sign in (1, -1)]
    coded = frame.filter(pl.col("coded").is_not_null()).head(MOST_WORDS)
    chosen = pl.concat([*strongest, coded]).unique("word", keep="first", maintain_order=True)
    chosen = chosen.sort("estimate", descending=True)
    return [_finding(row, table, frame.height, confidence=confidence) for row in chosen.iter_rows(named=True)]


def _finding(row: dict[str, Any], table: WordTable, words: int, *, confidence: float) -> Finding:
    test = Test(name=RESAMPLED_Z, statistic=row["z"], p=row["p"])
    claim = uncorrected(test, planned=False, family="words")
    return Finding(
        name=f"word_{row['word']}_log_odds",
        measure=WORD_LOG_ODDS,
        slice={"word": row["word"]},
        focal=dict(table.focal),
        reference=dict(table.reference),
        role="exploratory",
        **{name: row[name] for name in ("estimate", "low", "high")},
        confidence=confidence,
        measured_in="log odds ratio",
        null_value=0.0,
        n=row["documents"],
        clusters={"document": table.documents},
        method=METHOD,
        claim=corrected(claim, row["p_adjusted"], size=words, correction="Benjamini-Hochberg"),
        details=Word(**{name: row[name] for name in ("count_focal", "count_reference", "z", "p", "coded")}),
    )


def word_table(
    outcomes: pl.LazyFrame, words: pl.LazyFrame, measured: MeasureSet, *, seed: int, confidence: float = 0.95
) -> WordTable | None:
    """Return the log odds of every word in enough documents; None where a group has no documents.

    The documents of each group are resampled as a whole, so that a word which one long
    document repeats does not look certain.
    """
    contrast = measured.contrast
    if contrast is None:
        return None
    documents = _documents(outcomes, contrast)
    counts = (
        words.filter(~pl.col("word").is_in(list(PRONOUNS)))
        .join(documents.lazy(), on=["item", "unit", "attempt"])
        .select("word", "document", "n")
        .collect()
    )
    sides = [documents.filter(side=side)["document"].to_numpy() for side in (True, False)]
    if min(map(len, sides)) < FEWEST_DOCUMENTS:
        return None
    known, matrix = _matrix(counts, documents.height)
    if not known.height:
        return None
    both = [matrix[side].sum(axis=0) for side in sides]
    odds = log_odds(both[0], both[1])
    draws = _draws(matrix, sides, seed=seed)
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
    error = draws.std(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(error > 0, odds.estimate / error, 0.0)
    p = 2 * ndtr(-np.abs(z))
    frame = known.with_columns(
        pl.Series("count_focal", both[0].astype(np.int64)),
        pl.Series("count_reference", both[1].astype(np.int64)),
        pl.Series("estimate", odds.estimate),
        pl.Series("low", low),
        pl.Series("high", high),
        pl.Series("z", z),
        pl.Series("p", p),
        pl.Series("p_adjusted", benjamini_hochberg(p).p),
        pl.col("word").replace_strict(dict(measured.word_labels), default=None, return_dtype=pl.String).alias("coded"),
    )
    return WordTable(focal=contrast.focal, reference=contrast.reference, documents=sum(map(len, sides)), frame=frame)


def _documents(outcomes: pl.LazyFrame, contrast: Contrast) -> pl.DataFrame:
    """Return the observed documents of both groups, numbered; `side` is true for the focal group."""
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    ((column, focal),) = contrast.focal.items()
    ((_, reference),) = contrast.reference.items()
    return (
        outcomes.filter(pl.col("status") == "observed")
        .select("item", "unit", "attempt", pl.col(full[column]).alias("group"))
        .unique()
        .filter(pl.col("group").is_in([focal, reference]))
        .sort("item", "unit", "attempt")
        .with_columns((pl.col("group") == focal).alias("side"))
        .collect()
        .with_row_index("document")
    )


def _matrix(counts: pl.DataFrame, documents: int) -> tuple[pl.DataFrame, Any]:
    """Return the words in enough documents, with in how many each is, and their counts as documents × words."""
    words = counts["word"].unique().sort()
    number = counts["word"].cast(pl.Enum(words)).to_physical().to_numpy()
    within = np.bincount(number, minlength=len(words))
    enough = within >= FEWEST_DOCUMENTS
    known = pl.DataFrame({"word": words.filter(enough), "documents": within[enough].astype(np.uint32)})
    rows = enough[number]
    column = (np.cumsum(enough) - 1)[number[rows]]
    values = counts["n"].to_numpy()[rows].astype(np.float64)
    places = (counts["document"].to_numpy()[rows], column)
    return known, csr_array((values, places), shape=(documents, known.height))


def _draws(matrix: Any, sides: list[NDArray[Any]], *, seed: int) -> Floats:
    """Return the log odds per resample of the documents of each group, (resamples, words)."""
    rng = np.random.default_rng([seed, 8])
    sums = []
    for side in sides:
        part = matrix[side]
        blocks = []
        for _ in range(RESAMPLES // BLOCK):
            drawn = rng.integers(0, len(side), size=(len(side), BLOCK)) * BLOCK + np.arange(BLOCK)
            weights = np.bincount(drawn.ravel(), minlength=len(side) * BLOCK).reshape(len(side), BLOCK)
            blocks.append((part.T @ weights.astype(np.float64)).T)
        sums.append(np.concatenate(blocks))
    return log_odds(sums[0], sums[1]).estimate


def document_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    draw: Draw,
    *,
    sequential: Sequential | None = None,
) -> list[Finding]:
    """Return the findings of documents, which have a row for each aspect: declared measures first."""
    aspects, statuses = everyone_of(outcomes, measured), statuses_of(outcomes, aspect=True)
    column = measured.aspect or ""
    documents = aspects.take(aspects.where({column: min(aspects.levels[column])}))
    return [
        *observed_findings(aspects, statuses, measured, draw, sequential=sequential),
        *length_findings(outcomes, documents, measured, draw),
        *undetected_findings(documents, statuses, measured, draw),
    ]
