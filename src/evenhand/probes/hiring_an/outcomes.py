"""Answers of HiringAn as outcomes, and saved answers as stimuli."""

import polars as pl

from evenhand.errors import InputError
from evenhand.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.lexicons.occupations import kennison_occupations
from evenhand.probes.hiring_an.read_answer import read_answer
from evenhand.probes.hiring_an.stimuli import INSTRUCTIONS, QUALIFICATIONS
from evenhand.probes.shared.applicant import APPLICANT
from evenhand.probes.shared.probe import ReadAnswers
from evenhand.probes.shared.saved import code_column, known_groups, require_columns, text_column
from evenhand.tables.messages.quoting import quoted
from evenhand.tables.schemas import STATUS, conform_outcomes

__all__ = ["outcomes", "outcomes_of", "saved_stimuli"]


def outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return one outcomes row per row of stimuli joined with answers."""
    rows = answers.select("text", "finish_reason", "error_class").iter_rows()
    readings = [read_answer(text, finish, error_class=error) for text, finish, error in rows]
    frame = outcomes_of(
        answers,
        accepted=pl.Series([reading.accepted for reading in readings], dtype=pl.Boolean),
        status=pl.Series([reading.status for reading in readings], dtype=pl.String),
        rules=pl.Series([reading.rule for reading in readings], dtype=pl.String),
    )
    return ReadAnswers(outcomes=frame)


def outcomes_of(answers: pl.DataFrame, *, accepted: pl.Series, status: pl.Series, rules: pl.Series) -> pl.DataFrame:
    """Return the outcomes of answers whose decisions (null where there is none) have been read."""
    return conform_outcomes(
        answers.select(
            "item",
            "unit",
            "attempt",
            "pair",
            accepted.cast(pl.Int32).alias("successes"),
            pl.when(accepted.is_not_null()).then(1).cast(pl.Int32).alias("trials"),
            status.cast(STATUS).alias("status"),
            rules.alias("reading"),
            "time",
            *APPLICANT,
            pl.col("masculinity").alias("context.masculinity"),
            pl.col("qualification").alias("context.qualification"),
            pl.col("template").cast(pl.String).alias("context.template"),
        )
    )


def saved_stimuli(saved: pl.DataFrame) -> pl.DataFrame:
    """Return the stimuli columns of saved answers, in the rows' order.

    Expects `name, role, qualification, template` and takes `gender, race, masculinity`
    where they are given; else they are looked up.

    Raises
    ------
    InputError
        A column is missing, or a name, role or level is unknown; the row is named.

    """
    require_columns(saved, ("name", "role", "qualification", "template"), probe="hiring-an")
    names = known_groups(saved, column="name", table=bloomberg_names(), wanted={"gender": GENDERS, "race": RACES})
    roles = known_groups(
        saved,
        column="role",
        table=kennison_occupations().rename({"occupation": "role"}),
        wanted={"masculinity": None},
    )
    _check_masculinity(roles["masculinity"])
    unit = pl.concat_str(
        [pl.col(part).cast(pl.String).str.to_lowercase() for part in ("name", "role", "qualification", "template")],
        separator="\x1f",
    )
    frame = pl.DataFrame(
        {
            "name": names["name"],
            "gender": names["gender"],
            "race": names["race"],
            "role": roles["role"],
            "masculinity": roles["masculinity"],
            "qualification": text_column(saved, "qualification", allowed=tuple(QUALIFICATIONS)),
            "template": code_column(saved, "template", size=len(INSTRUCTIONS)),
        }
    )
    return frame.with_columns(unit.alias("unit"))


def _check_masculinity(values: pl.Series) -> None:
    """Refuse ratings outside [0, 1]."""
    wrong = (values.is_null() | values.is_nan() | (values < 0) | (values > 1)).arg_true()
    if len(wrong):
        message = (
            f"Row {wrong[0] + 1}: masculinity {quoted(values[wrong[0]])} is no number "
            "between 0 (feminine) and 1 (masculine)."
        )
        raise InputError(message)
