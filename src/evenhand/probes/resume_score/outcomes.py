"""Answers of resume-score as outcomes, and saved answers as stimuli."""

import polars as pl

from evenhand.errors import InputError
from evenhand.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.probes.resume_score.read_plain import read_scores
from evenhand.probes.resume_score.wordings import WORDINGS, range_text
from evenhand.probes.shared.probe import ReadAnswers
from evenhand.probes.shared.saved import folded_series, known_groups, require_columns, text_column
from evenhand.tables.messages.quoting import quoted
from evenhand.tables.schemas import conform_outcomes

__all__ = ["outcomes", "saved_stimuli"]


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


def saved_stimuli(saved: pl.DataFrame, *, low: float, high: float) -> pl.DataFrame:
    """Return the stimuli columns of saved answers, in the rows' order.

    Expects `name, resume, position, wording` and takes `gender, race, qualification, zone, low, high` where they are
    given; names of our tables have their groups.

    Raises
    ------
    InputError
        A column is missing, a name or wording is unknown, or the range is another one; the row is named.

    """
    require_columns(saved, ("name", "resume", "position", "wording"), probe="resume-score")
    names = known_groups(saved, column="name", table=bloomberg_names(), wanted={"gender": GENDERS, "race": RACES})
    for column in ("resume", "position"):
        blank = (folded_series(saved[column]).fill_null("") == "").arg_true()
        if len(blank):
            raise InputError(f"Row {blank[0] + 1}: {column} is empty. Say which one was scored.")
    _check_range(saved, low=low, high=high)
    texts = {
        column: saved[column].cast(pl.String)
        if column in saved.columns
        else pl.Series([None] * saved.height, dtype=pl.String)
        for column in ("resume", "position", "qualification", "zone")
    }
    frame = pl.DataFrame(
        {
            "name": names["name"],
            "gender": names["gender"],
            "race": names["race"],
            **texts,
            "wording": text_column(saved, "wording", allowed=tuple(WORDINGS)),
            "low": pl.Series([low] * saved.height, dtype=pl.Float64),
            "high": pl.Series([high] * saved.height, dtype=pl.Float64),
        }
    )
    key = [pl.col(part).str.to_lowercase() for part in ("name", "resume", "position", "wording")]
    return frame.with_columns(pl.concat_str(key, separator="\x1f").alias("unit"))


def _check_range(saved: pl.DataFrame, *, low: float, high: float) -> None:
    """Refuse rows that were asked for another range than the one that is read."""
    for column, expected in (("low", low), ("high", high)):
        if column not in saved.columns:
            continue
        values = saved[column].cast(pl.Float64, strict=False)
        wrong = (values != expected).fill_null(value=True).arg_true()
        if len(wrong):
            row = wrong[0]
            ends = [saved[name][row] if name in saved.columns else end for name, end in (("low", low), ("high", high))]
            raise InputError(
                f"Row {row + 1}: {column} is {quoted(saved[column][row])}, but scores are read from {range_text(low)} "
                f"to {range_text(high)}. Give --range {ends[0]}-{ends[1]}, and one range per file."
            )
