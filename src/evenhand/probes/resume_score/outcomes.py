"""Answers of resume-score as outcomes, and saved answers as stimuli."""

from functools import cache, partial

import polars as pl

from evenhand.errors import InputError
from evenhand.probes.probe import ReadAnswers
from evenhand.probes.readers import known_groups, normalised_series, require_columns, text_column, unit_of
from evenhand.probes.resume_score.reader import read_score
from evenhand.probes.resume_score.stimuli import WORDINGS, range_text
from evenhand.results.messages import quoted
from evenhand.results.schemas import STATUS, conform_outcomes


def read_scores(answers: pl.DataFrame, *, low: float, high: float) -> pl.DataFrame:
    """Return the columns `status, score, reading` of answers with `text`, `finish_reason` and `error_class`.

    Each distinct answer is read once.

    >>> answers = pl.DataFrame({"text": ["72", "no"], "finish_reason": None, "error_class": None})
    >>> read_scores(answers, low=0, high=100).rows()
    [('observed', 72.0, 'number'), ('undetected', None, 'no number')]
    """
    read = cache(partial(read_score, low=low, high=high))
    rows = answers.select(pl.col("text", "finish_reason", "error_class").cast(pl.String)).iter_rows()
    readings = [read(text, finish, error_class=error) for text, finish, error in rows]
    return pl.DataFrame(
        {
            "status": pl.Series([reading.status for reading in readings], dtype=STATUS),
            "score": pl.Series([reading.score for reading in readings], dtype=pl.Float64),
            "reading": pl.Series([reading.rule for reading in readings], dtype=pl.String),
        }
    )


def outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return one outcomes row per row of stimuli joined with answers, whose range is that of the first row."""
    ends = answers.select("low", "high").row(0) if answers.height else (0.0, 1.0)
    read = read_scores(answers, low=ends[0], high=ends[1])
    frame = answers.select(
        "item",
        "unit",
        "attempt",
        "pair",
        "time",
        read["score"].alias("score"),
        read["status"].alias("status"),
        read["reading"].alias("reading"),
        pl.col("gender").alias("protected.gender"),
        pl.col("race").alias("protected.race"),
        *(pl.col(name).alias(f"context.{name}") for name in ("name", "resume", "position", "wording")),
        *(pl.col(name).alias(f"context.{name}") for name in ("qualification", "zone")),
    )
    return ReadAnswers(outcomes=conform_outcomes(frame))


def saved_stimuli(saved: pl.DataFrame, *, low: float, high: float, names: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the stimuli columns of saved answers, in the rows' order.

    Expects `name, resume, position, wording` and takes `gender, race, qualification, zone, low, high` where they are
    given; names of our tables, or of `names`, have their groups.

    Raises
    ------
    InputError
        A column is missing, a name or wording is unknown, or the range is another one; the row is named.

    """
    require_columns(saved, ("name", "resume", "position", "wording"), probe="resume-score")
    people = known_groups(saved, table=names)
    for column in ("resume", "position"):
        blank = (normalised_series(saved[column]).fill_null("") == "").arg_true()
        if len(blank):
            raise InputError(f"Row {blank[0] + 1}: {column} is empty. Fill it in.")
    _check_range(saved, low=low, high=high)
    texts = {
        column: saved[column].cast(pl.String)
        if column in saved.columns
        else pl.Series([None] * saved.height, dtype=pl.String)
        for column in ("resume", "position", "qualification", "zone")
    }
    frame = pl.DataFrame(
        {
            "name": people["name"],
            "gender": people["gender"],
            "race": people["race"],
            **texts,
            "wording": text_column(saved, "wording", allowed=tuple(WORDINGS)),
            "low": pl.Series([low] * saved.height, dtype=pl.Float64),
            "high": pl.Series([high] * saved.height, dtype=pl.Float64),
        }
    )
    return frame.with_columns(unit_of("name", "resume", "position", "wording"))


def _check_range(saved: pl.DataFrame, *, low: float, high: float) -> None:
    """Refuse rows whose range is another than the one that is read."""
    for column, expected in (("low", low), ("high", high)):
        if column not in saved.columns:
            continue
        values = saved[column].cast(pl.Float64, strict=False)
        wrong = (values != expected).fill_null(value=True).arg_true()
        if len(wrong):
            row = wrong[0]
            ends = [saved[name][row] if name in saved.columns else end for name, end in (("low", low), ("high", high))]
            raise InputError(
                f"Row {row + 1}: {column} is {quoted(saved[column][row])}, but the range of scores is "
                f"{range_text(low)} to {range_text(high)}. Give --range {ends[0]}-{ends[1]}, and one range per "
                "file."
            )
