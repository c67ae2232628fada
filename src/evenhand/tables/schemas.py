"""The columns of stimuli, answers, outcomes, counts by day and perturb.csv, and a check of those of outcomes.

Outcomes are the one table that everything downstream reads: one row is one judgement
of one person, CV or document. Prefixes declare which columns are protected attributes
(`protected.`) and which are context (`context.`); users type the bare names.
"""

import polars as pl

from evenhand.errors import InputError

__all__ = [
    "ANSWERS",
    "BREAKDOWN",
    "CONTEXT",
    "DATED",
    "LARGEST",
    "OUTCOMES",
    "PERTURB",
    "PROTECTED",
    "STATUS",
    "STATUSES",
    "STEPS",
    "conform_outcomes",
]

PROTECTED = "protected."
CONTEXT = "context."

STATUSES = ("observed", "refused", "undetected", "ambiguous", "truncated", "error", "missing")
STATUS = pl.Enum(STATUSES)

#: One row per attempt: a prompt that was sent, and what came back.
ANSWERS: dict[str, pl.DataType] = {
    "id": pl.String(),
    "index": pl.Int64(),
    "attempt": pl.Int32(),
    "sent_order": pl.Int64(),
    "text": pl.String(),
    "finish_reason": pl.String(),
    "returned_model": pl.String(),
    "input_tokens": pl.Int64(),
    "output_tokens": pl.Int64(),
    "latency": pl.Float64(),
    "retries": pl.Int32(),
    "error_class": pl.String(),
    "time": pl.Datetime("us", "UTC"),
}

#: One row per judgement; `protected.*` and `context.*` columns follow these.
OUTCOMES: dict[str, pl.DataType] = {
    "item": pl.String(),
    "unit": pl.String(),
    "set": pl.String(),
    "attempt": pl.Int32(),
    "pair": pl.String(),
    "arm": pl.String(),
    "aspect": pl.String(),
    "successes": pl.Int32(),
    "trials": pl.Int32(),
    "rank": pl.Int16(),
    "score": pl.Float64(),
    "label": pl.Boolean(),
    "status": STATUS,
    "reading": pl.String(),
    "time": pl.Datetime("us", "UTC"),
}

#: perturb.csv: a row per kind of arm, group, reference and position (empty = all); the columns behind `reason` go
#: beyond the documented ones.
PERTURB: dict[str, pl.DataType] = {
    **dict.fromkeys(("arm", "group", "reference", "position"), pl.String()),
    **dict.fromkeys(("n_people", "n_pairs"), pl.Int64()),
    **dict.fromkeys(("difference", "low", "high"), pl.Float64()),
    "t_pooled": pl.Float64(),
    "df_pooled": pl.Int64(),
    **dict.fromkeys(("p_pooled", "t_paired"), pl.Float64()),
    "df_paired": pl.Int64(),
    **dict.fromkeys(("p_paired", "p_signflip", "p_wilcoxon", "p_adjusted", "margin"), pl.Float64()),
    **dict.fromkeys(("verdict", "reason"), pl.String()),
    "measured_in": pl.String(),
    **dict.fromkeys(("p", "p_equivalence", "low_90", "high_90"), pl.Float64()),
    **dict.fromkeys(("adjustment", "method"), pl.String()),
}

#: The prefix of the columns of --by; protected attributes have that of outcomes.
BREAKDOWN = "by."
#: Steps of scores and seconds in 1.
STEPS = 10_000
#: Beyond it steps are no whole numbers that an engine holds.
LARGEST = 1e12

#: Judgements of a system by day, summed: what a monitoring store counts. One row per combination; `by.*` and
#: `protected.*` follow. All are text, null where it is not known, as in `position`, `stage` and `decided_by`. Scores
#: and seconds are in steps. `n` judgements are so: `failed` by an error, `undetected` without a score or decision that
#: can be read; each null where the table doesn't tell. With a column of units each row is one judgement, and `unit`
#: and `second` (since 1970, UTC) tell which.
DATED: dict[str, pl.DataType] = {
    "day": pl.Date(),
    "position": pl.String(),
    "stage": pl.String(),
    "decided_by": pl.String(),
    "score": pl.Int64(),
    "seconds": pl.Int64(),
    "selected": pl.Boolean(),
    "label": pl.Boolean(),
    "failed": pl.Boolean(),
    "undetected": pl.Boolean(),
    "n": pl.Int64(),
}


def conform_outcomes(frame: pl.DataFrame) -> pl.DataFrame:
    """Return `frame` with every outcomes column, in order and of its type.

    Columns that are absent become null; `protected.*` and `context.*` columns keep
    their order behind the fixed ones.

    Raises
    ------
    InputError
        A column is neither fixed nor prefixed.

    >>> conform_outcomes(pl.DataFrame({"item": ["a"], "unit": ["a"]})).columns[:4]
    ['item', 'unit', 'set', 'attempt']
    """
    fixed = [
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in OUTCOMES.items()
    ]
    others = [name for name in frame.columns if name not in OUTCOMES]
    for name in others:
        if not name.startswith((PROTECTED, CONTEXT)):
            message = (
                f"Column {name!r} is no outcomes column; "
                f"expected one of {', '.join(OUTCOMES)}, or a name with the prefix {PROTECTED} or {CONTEXT}."
            )
            raise InputError(message)
    return frame.select(*fixed, *others)
