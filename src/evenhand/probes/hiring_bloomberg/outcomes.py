"""Answers of HiringBloomberg as outcomes, and saved answers as stimuli."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.probes.hiring_bloomberg.corpus import CARD_ROLES
from evenhand.probes.hiring_bloomberg.read_answer import read_ranking
from evenhand.probes.hiring_bloomberg.read_plain import plain_ranks
from evenhand.probes.hiring_bloomberg.reading.saved_candidates import saved_candidates
from evenhand.probes.shared.applicant import APPLICANT
from evenhand.probes.shared.probe import ReadAnswers
from evenhand.probes.shared.saved import folded, require_columns
from evenhand.tables.schemas import STATUS, conform_outcomes

__all__ = ["candidate_outcomes", "lineup", "outcomes", "saved_stimuli"]

#: Between two names of a lineup; as in the stimuli.
_BETWEEN = " | "
#: Of a candidate in a list.
_NAME = pl.element().struct.field("name")


def outcomes(answers: pl.DataFrame) -> ReadAnswers:
    """Return one outcomes row per candidate of each row of stimuli joined with answers."""
    quick = plain_ranks(answers)
    ranks = quick.ranks.copy()
    status = np.full(len(answers), "observed", dtype=object)
    rules = np.full(len(answers), "full names", dtype=object)
    left = np.flatnonzero(~quick.plain)
    rest = answers[left].select("text", "finish_reason", "error_class", pl.col("candidates").list.eval(_NAME))
    for row, (text, finish, error, names) in zip(left, rest.iter_rows(), strict=True):
        reading = read_ranking(text, finish, names=names, error_class=error)
        status[row], rules[row] = reading.status, reading.rule
        for rank, who in enumerate(reading.ranking, start=1):
            if who is not None:
                ranks[quick.first[row] + who] = rank
    return ReadAnswers(outcomes=candidate_outcomes(answers, ranks=ranks, status=list(status), rules=list(rules)))


def candidate_outcomes(
    answers: pl.DataFrame, *, ranks: NDArray[np.int16], status: Sequence[str], rules: Sequence[str]
) -> pl.DataFrame:
    """Return one outcomes row per candidate of answers whose rankings have been read.

    `ranks` holds the ranks of all candidates in slot order, one answer after the other, 0 for one who was not named.
    """
    frame = (
        answers.select(
            "item",
            pl.col("unit").alias("set"),
            "attempt",
            "role",
            "candidates",
            "time",
            pl.Series("status", status, dtype=STATUS),
            pl.Series("reading", rules, dtype=pl.String),
        )
        .explode("candidates")
        .unnest("candidates")
        .with_columns(pl.Series("rank", ranks).replace(0, None))
    )
    observed = pl.col("status") == "observed"
    return conform_outcomes(
        frame.select(
            "item",
            pl.concat_str("set", pl.lit("/"), pl.col("slot").cast(pl.String)).alias("unit"),
            "set",
            "attempt",
            pl.when(observed).then((pl.col("rank") == 1).fill_null(value=False).cast(pl.Int32)).alias("successes"),
            pl.when(observed).then(pl.lit(1, pl.Int32)).alias("trials"),
            "rank",
            "status",
            "reading",
            "time",
            *APPLICANT,
            pl.col("slot").cast(pl.String).alias("context.slot"),
            pl.col("cv").cast(pl.String).alias("context.cv"),
        )
    )


def lineup(candidates: pl.Expr) -> pl.Expr:
    """Return the names of a prompt in slot order as one text, so that prompts can be distinguished."""
    return candidates.list.eval(_NAME).list.join(_BETWEEN)


def saved_stimuli(saved: pl.DataFrame) -> pl.DataFrame:
    """Return the stimuli columns of saved answers, in the rows' order.

    Expects `role` and `candidates`: in each row a list of at least two with `name`, and
    `gender`, `race`, `slot` where they are given. Names are looked up for the groups that
    are not; without slots the order of the list counts.

    Raises
    ------
    InputError
        A column is missing, a row has no role, or its candidates can't be used; the row
        is named.

    """
    require_columns(saved, ("role", "candidates"), probe="hiring-bloomberg")
    candidates = (
        saved_candidates(saved)
        .with_columns(pl.col("slot").cast(pl.Int32), pl.lit(None, pl.Int32).alias("cv"))
        .group_by("row", maintain_order=True)
        .agg(
            pl.struct("name", "gender", "race", "slot", "cv").alias("candidates"),
            # The race of a prompt that mixes races is null.
            pl.when(pl.col("race").n_unique() == 1).then(pl.col("race").first()).alias("race"),
        )
    )
    frame = candidates.select(_roles(saved), "race", "candidates", lineup(pl.col("candidates")).alias("lineup"))
    prompt = frame.select(pl.concat_str(pl.col("role").str.to_lowercase(), "lineup", separator=": "))
    return frame.with_columns(pl.Series("unit", map(_short, prompt.to_series()), dtype=pl.String))


def _short(prompt: str) -> str:
    """Return a name for a prompt that is as short as a table with a row per candidate needs it."""
    return blake2b(prompt.encode(), digest_size=8).hexdigest()


def _roles(saved: pl.DataFrame) -> pl.Series:
    """Return the roles; those of the card are spelled as it spells them."""
    given = saved.select(
        pl.col("role").cast(pl.String).str.strip_chars().alias("role"), folded(pl.col("role")).alias("key")
    )
    blank = (given["key"].fill_null("") == "").arg_true()
    if len(blank):
        raise InputError(f"Row {blank[0] + 1} has no role; give every row one.")
    card = {role.lower(): role for role in CARD_ROLES}
    return given.select(pl.coalesce(pl.col("key").replace_strict(card, default=None), "role").alias("role"))["role"]
