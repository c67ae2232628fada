"""Columns of all tables that runs read and write: stimuli, answers, outcomes, counts, and the CSVs of analyses.

Outcomes are the central table: one row is one judgement of one person, CV or document. Prefixes mark columns of
protected attributes (`protected.`) and of context (`context.`); users type the bare names.
"""

import polars as pl

from evenhand.errors import InputError
from evenhand.results.columns import CLUSTER_COLUMNS, IMPACT_COLUMNS

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
    "equivalent": pl.Boolean(),
    "caution": pl.String(),
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
    context_columns = [name for name in frame.columns if name not in OUTCOMES]
    for name in context_columns:
        if not name.startswith((PROTECTED, CONTEXT)):
            message = (
                f"Column {name!r} is no outcomes column; "
                f"expected one of {', '.join(OUTCOMES)}, or a name with the prefix {PROTECTED} or {CONTEXT}."
            )
            raise InputError(message)
    return frame.select(*fixed, *context_columns)


#: How a selection is defined: a decision, scores above a cut-off, above the median, or mean scores.
SELECTED, CUTOFF, MEDIAN, MEANS = APPROACHES = ("selected", "cutoff", "median", "means")
#: What is counted where nobody was selected: people.
PEOPLE = "people"
#: How attributes, and groups of several, are joined.
CROSSED = " x "
#: The position that stands for all of them together.
WHOLE = ""
#: The stage that stands for all of them together.
BOTTOM_LINE = "bottom line"

#: counts.parquet; `protected.*` columns stand between position and n.
COUNTS: dict[str, pl.DataType] = {
    "approach": pl.String(),
    "cutoff": pl.Float64(),
    "stage": pl.String(),
    "position": pl.String(),
    "n": pl.Int64(),
    "successes": pl.Int64(),
}

IMPACT: dict[str, pl.DataType] = {column.name: column.dtype for column in IMPACT_COLUMNS}
CLUSTERED: dict[str, pl.DataType] = {column.name: column.dtype for column in CLUSTER_COLUMNS}

#: pooled.csv; the columns behind `simpson` go beyond the documented ones.
POOLED: dict[str, pl.DataType] = {
    **dict.fromkeys(("attribute", "focal", "reference"), pl.String()),
    "strata": pl.Int64(),
    **dict.fromkeys(("or_mh", "or_low", "or_high", "chi2_mh", "p_mh", "chi2_mh_cc", "p_mh_cc"), pl.Float64()),
    **dict.fromkeys(("chi2_bd", "p_bd", "chi2_bd_tarone", "p_bd_tarone"), pl.Float64()),
    "simpson": pl.Boolean(),
    "approach": pl.String(),
    "cutoff": pl.Float64(),
    "stage": pl.String(),
    **dict.fromkeys(("rate_focal", "rate_reference"), pl.Float64()),
    "n": pl.Int64(),
    "reason": pl.String(),
    **dict.fromkeys(("n_focal", "n_reference"), pl.Int64()),
    **dict.fromkeys(("statistic", "df", "p_gs"), pl.Float64()),
    **dict.fromkeys(("test", "caution"), pl.String()),
}

#: availability.csv; the columns behind `shortfall` go beyond the documented ones.
AVAILABILITY: dict[str, pl.DataType] = {
    **dict.fromkeys(("attribute", "group"), pl.String()),
    "n": pl.Int64(),
    **dict.fromkeys(("expected", "share", "stated_share", "z", "p_exact", "shortfall"), pl.Float64()),
    "of": pl.Int64(),
    **dict.fromkeys(("low", "high", "p_adjusted"), pl.Float64()),
    "adjustment": pl.String(),
}

#: ll144.csv
LL144: dict[str, pl.DataType] = {
    **dict.fromkeys(("attribute", "category"), pl.String()),
    **dict.fromkeys(("n", "selected"), pl.Int64()),
    **dict.fromkeys(("rate", "impact_ratio", "share"), pl.Float64()),
    "excluded": pl.Boolean(),
}

#: The columns of features.csv.
FEATURES: dict[str, pl.DataType] = {
    **dict.fromkeys(("feature", "kind"), pl.String()),
    **dict.fromkeys(("n", "missing"), pl.Int64()),
    **dict.fromkeys(("p10", "p30", "p50", "p70", "p90", "min", "max", "mean", "stddev", "nonzero"), pl.Float64()),
    "distinct": pl.Int64(),
    "most_frequent": pl.String(),
    "most_frequent_n": pl.Int64(),
    "verdict": pl.String(),
    "reasons": pl.String(),
    "note": pl.String(),
}
#: Those of proxies.csv.
PROXIES: dict[str, pl.DataType] = {
    **dict.fromkeys(("feature", "attribute", "group", "direction"), pl.String()),
    **dict.fromkeys(("auc", "low", "high"), pl.Float64()),
    **dict.fromkeys(("n_group", "n_rest"), pl.Int64()),
    **dict.fromkeys(("method", "reason"), pl.String()),
}
