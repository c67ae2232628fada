"""What scorers gave as outcomes: one number, in the range that was stated."""

from typing import Final

import polars as pl

from evenhand.models.scorers.saved_scores import RANK
from evenhand.probes.resume_score.read_plain import read_scores
from evenhand.probes.shared.probe import ReadAnswers
from evenhand.tables.schemas import CONTEXT, PROTECTED, STATUS, conform_outcomes

__all__ = ["RULES", "model_outcomes", "read_numbers", "scorer_outcomes"]

#: Every rule that can stand in a reading of a scorer's answer, with its status; errors have their class instead.
RULES: Final = {
    "number": "observed",
    "rank": "observed",
    "out of range": "undetected",
    "no finite number": "undetected",
    "no number": "undetected",
    "empty": "undetected",
    "missing": "missing",
}
_NUMBER: Final = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_NOT_FINITE: Final = r"(?i)^[+-]?(nan|inf|infinity)$"
_SHOWN: Final = ("person", "position", "title", "name", "own", "document", "qualification")


def scorer_outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return the outcomes of stimuli joined with what a scorer gave, a row each."""
    return _outcomes(answers, read_numbers(answers))


def model_outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return the outcomes of stimuli joined with what a language model wrote, read as resume-score reads it."""
    ends = answers.select("low", "high").row(0) if answers.height else (0.0, 1.0)
    read = read_scores(answers, low=ends[0], high=ends[1])
    return _outcomes(answers, read.with_columns(pl.lit(None, pl.Int16).alias("rank")))


def read_numbers(answers: pl.DataFrame) -> pl.DataFrame:
    """Return the columns `status, score, rank, reading` of answers with `text`, `error_class`, `low` and `high`.

    >>> columns = {"error_class": [None, None, "timeout"], "low": 0.0, "high": 1.0}
    >>> read_numbers(pl.DataFrame({"text": ["0.72", "72", None], **columns})).rows()
    [('observed', 0.72, None, 'number'), ('undetected', None, None, 'out of range'), ('error', None, None, 'timeout')]
    """
    text = pl.col("text").cast(pl.String).str.strip_chars()
    error = pl.col("error_class").cast(pl.String)
    place = text.str.strip_prefix(RANK).cast(pl.Int16, strict=False)
    frame = answers.select(
        text.alias("text"),
        error.alias("error"),
        pl.col("low").cast(pl.Float64),
        pl.col("high").cast(pl.Float64),
        pl.when(text.str.contains(_NUMBER)).then(text).cast(pl.Float64, strict=False).alias("number"),
        pl.when(text.str.starts_with(RANK), place >= 1).then(place).alias("rank"),
    )
    number = pl.col("number")
    rule = (
        pl.when(pl.col("error") == "missing")
        .then(pl.lit("missing"))
        .when(pl.col("error").is_not_null())
        .then(pl.col("error"))
        .when(pl.col("text").is_null())
        .then(pl.lit("missing"))
        .when(pl.col("text") == "")
        .then(pl.lit("empty"))
        .when(pl.col("rank").is_not_null())
        .then(pl.lit("rank"))
        .when(pl.col("text").str.contains(_NOT_FINITE) | number.is_infinite())
        .then(pl.lit("no finite number"))
        .when(number.is_null())
        .then(pl.lit("no number"))
        .when((number < pl.col("low")) | (number > pl.col("high")))
        .then(pl.lit("out of range"))
        .otherwise(pl.lit("number"))
    )
    frame = frame.with_columns(rule.alias("reading"))
    status = pl.when(pl.col("error").is_not_null() & (pl.col("error") != "missing")).then(pl.lit("error"))
    return frame.select(
        status.otherwise(pl.col("reading").replace_strict(RULES, default="error")).cast(STATUS).alias("status"),
        pl.when(pl.col("reading") == "number").then(number).alias("score"),
        pl.when(pl.col("reading") == "rank").then("rank").alias("rank"),
        "reading",
    )


def _outcomes(answers: pl.DataFrame, read: pl.DataFrame) -> ReadAnswers:
    frame = answers.select(
        *("item", "unit", "set", "pair", "arm", "attempt", "time"),
        *(read[name].alias(name) for name in ("score", "rank", "status", "reading")),
        pl.col(f"^{PROTECTED}.*$"),
        *(pl.col(name).alias(f"{CONTEXT}{name}") for name in _SHOWN),
    )
    return ReadAnswers(outcomes=conform_outcomes(frame))
