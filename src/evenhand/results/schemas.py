"""Columns of all tables that runs read and write: stimuli, answers, outcomes, counts, and the CSVs of analyses.

Outcomes are the central table: one row is one judgement of one person, CV or document. Prefixes mark columns of
protected attributes (`protected.`) and of context (`context.`); users type the bare names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

from evenhand.errors import InputError

PROTECTED = "protected."
CONTEXT = "context."

STATUSES = ("observed", "refused", "undetected", "ambiguous", "truncated", "error", "missing")
STATUS = pl.Enum(STATUSES)
#: Of answers that came, and in which no decision or more than one was found.
UNREAD = ("undetected", "ambiguous")
#: Readings of unread answers that have no text, so that nobody could read them.
WITHOUT_TEXT = ("empty", "reasoning only")
#: Readings of decisions and scores that are given as such, so that nobody had to read them.
AS_GIVEN = ("decision given", "number")

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
    "top": pl.Int64(),
    **dict.fromkeys(("top_difference", "top_low", "top_high", "top_p_adjusted"), pl.Float64()),
    "top_verdict": pl.String(),
    **dict.fromkeys(("crossed", "crossed_low", "crossed_high"), pl.Float64()),
}

#: The prefix of the columns of --by; protected attributes have that of outcomes.
BREAKDOWN = "by."
#: Its values are people, whom only a page for those with access to the rows compares.
RECRUITER = f"{BREAKDOWN}recruiter"
#: Beyond it the codes of scores and seconds are no whole numbers that an engine holds (see stats/rounding.py).
LARGEST = 1e12

#: Judgements of a system by day, summed: what a monitoring store counts. One row per combination; `by.*` and
#: `protected.*` follow. All are text, null where it is not known, as in `position`, `stage` and `decided_by`. Scores
#: and seconds are codes (see stats/rounding.py). `n` judgements are so: `failed` by an error, `undetected` without a
#: score or decision that can be read; each null where the table doesn't tell. With a column of units each row is one
#: judgement, and `unit` and `second` (since 1970, UTC) tell which.
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
            raise InputError(
                f"Column {name!r} is not a column of outcomes; expected one of {', '.join(OUTCOMES)}, or a name with "
                f"the prefix {PROTECTED} or {CONTEXT}."
            )
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

NUMBER: Final = pl.Float64()
Format = Literal["ratio", "odds", "signed", "people"]


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of impact.csv.

    `statistic` is the function of the selections of two groups (a of N1, c of N2) whose `estimate` it has, as
    'module:function' of `evenhand.stats`; other columns are filled by the analysis. It is shown under `heading` in the
    format `shown_as`: in the first table of a page and in the terminal where it is a `headline`, else among the
    measures of size. `text` is its line in docs/impact.md, which columns with the same text share.
    """

    name: str
    dtype: pl.DataType = NUMBER
    text: str = ""
    statistic: str | None = None
    heading: str = ""
    shown_as: Format = "signed"
    headline: bool = False


def columns(names: str, dtype: pl.DataType = NUMBER, text: str = "") -> tuple[Column, ...]:
    """Return a column for each name.

    >>> [column.name for column in columns("z p_z")]
    ['z', 'p_z']
    """
    return tuple(Column(name=name, dtype=dtype, text=text) for name in names.split())


#: In the order of the file. What a text calls a, N1, c and N2 is defined above the table in docs/impact.md.
IMPACT_COLUMNS: Final[Sequence[Column]] = (
    Column(name="approach", dtype=pl.String()),
    Column(name="cutoff"),
    *columns("position attribute focal reference", pl.String()),
    *columns("n_focal selected_focal n_reference selected_reference", pl.Int64()),
    *columns("rate_focal rate_reference mean_focal mean_reference"),
    *columns("impact_ratio ir_low ir_high", text="(a/N1) / (c/N2), Koopman's score interval"),
    Column(
        name="four_fifths",
        dtype=pl.String(),
        text="below iff 5·a·N2 < 4·c·N1: exactly 0.8 is not below. `--four-fifths two-sided`: above iff 4·a·N2 > "
        "5·c·N1. not_determined where suppressed counts or rounded rates leave it open",
    ),
    *columns(
        "z p_z",
        text="the difference of the rates in standard deviations (standard error under P), and its p",
    ),
    *columns(
        "p_fisher p_fisher_mid",
        text="Fisher's exact test, two-sided, and its mid-p",
    ),
    Column(
        name="p_adjusted",
        text="p of the test that decides (Fisher's; Welch's for means; CR2's with `--cluster`), corrected over its "
        "[family](statistics.md#claims-and-families)",
    ),
    Column(name="adjustment", dtype=pl.String(), text="the test and the method of correction"),
    Column(
        name="flip_flop_ratio",
        text="the flip-flop rule (UGESP Q&A 21): the ratio after one selection moves to the disadvantaged group",
    ),
    Column(name="flip_flop_reverses", dtype=pl.Boolean(), text="whether the direction reverses then"),
    Column(
        name="expected",
        statistic="association:expected",
        heading="Expected",
        shown_as="people",
        text="N1·P: selected of the group at one rate for all",
    ),
    Column(
        name="shortfall",
        statistic="association:shortfall",
        heading="Shortfall",
        shown_as="people",
        text="N1·P − a",
    ),
    Column(
        name="odds_ratio",
        statistic="association:odds_ratio",
        heading="Odds ratio",
        shown_as="odds",
        text="a·(N2 − c) / (c·(N1 − a))",
    ),
    Column(
        name="cohens_h",
        statistic="association:cohens_h",
        heading="Cohen's h",
        text="2·arcsin √(a/N1) − 2·arcsin √(c/N2) (Cohen 1988)",
    ),
    Column(
        name="detectable_ratio",
        text="the minimum detectable ratio: the largest ratio below 1 that the test that decides detects with "
        "[power .8](statistics.md#power-of-fishers-exact-test) at the level of its family",
    ),
    Column(
        name="read_with",
        dtype=pl.String(),
        text="the recommended test for this size: Fisher and the flip-flop rule where an expected cell is below 5 or "
        "M < 30; ratio and h where M > 10,000; else Z and Fisher",
    ),
    *columns("reason stage", pl.String()),
    *columns(
        "standardised_difference d_low d_high p_welch t_welch df_welch",
        text="for means: Hedges' g with its interval, Welch's t test",
    ),
    Column(name="comparisons", dtype=pl.Int64(), text="the size of the family"),
    *columns(
        "low_90 high_90",
        text="the 90 % interval of the ratio by the same method",
    ),
    Column(
        name="equivalent",
        dtype=pl.Boolean(),
        text="whether the ratio was shown to lie between .8 and 1.25 (`--margin`)",
    ),
    *columns(
        "p_above_margin p_within_margin",
        text="[one-sided p](statistics.md#shown-to-be-above-four-fifths) of a ratio of .8 or less, and the larger of "
        "that and of 1.25 or more",
    ),
    Column(
        name="above_margin",
        dtype=pl.Boolean(),
        text="whether the ratio was shown to be above .8",
    ),
    Column(name="margin_test", dtype=pl.String(), text="the one-sided test behind p_above_margin"),
)
#: What impact.csv has besides with --cluster; no interval or p of it takes people as independent then.
CLUSTER_COLUMNS: Final[Sequence[Column]] = (
    *columns("low_clustered high_clustered p_clustered t_clustered df_clustered"),
    *columns("clusters clusters_focal clusters_reference", pl.Int64()),
    *columns("test_clustered caution", pl.String()),
    *columns("effective_focal effective_reference"),
)
#: The statistics of the selections of two groups.
STATISTICS: Final[Sequence[Column]] = tuple(column for column in IMPACT_COLUMNS if column.statistic is not None)

IMPACT: dict[str, pl.DataType] = {column.name: column.dtype for column in IMPACT_COLUMNS}
IMPACT_BY_CLUSTER: dict[str, pl.DataType] = IMPACT | {column.name: column.dtype for column in CLUSTER_COLUMNS}

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
    "observed": pl.Int64(),
    **dict.fromkeys(("expected", "shortfall", "z", "p_exact", "p_exact_lower"), pl.Float64()),
    "pools": pl.Int64(),
    "pools_reason": pl.String(),
    **dict.fromkeys(("q_plus", "q_minus"), pl.Float64()),
    **dict.fromkeys(("common_ratio", "common_low", "common_high", "p_above_margin"), pl.Float64()),
    "margin_test": pl.String(),
}

#: positions.csv: a row per position and group against the reference of all applicants.
POSITIONS: dict[str, pl.DataType] = {
    **dict.fromkeys(("attribute", "focal", "reference", "position"), pl.String()),
    **dict.fromkeys(("rank", "n_focal", "selected_focal", "n_reference", "selected_reference"), pl.Int64()),
    **dict.fromkeys(("impact_ratio", "shrunken_ratio", "low", "high", "probability_below"), pl.Float64()),
    **dict.fromkeys(("p", "p_fdr"), pl.Float64()),
    **dict.fromkeys(("reason", "approach", "stage"), pl.String()),
    "cutoff": pl.Float64(),
}

#: periods.csv: a row per period and group against the reference of all periods.
PERIODS: dict[str, pl.DataType] = {
    **dict.fromkeys(("attribute", "period", "focal", "reference"), pl.String()),
    **dict.fromkeys(("n_focal", "selected_focal", "n_reference", "selected_reference"), pl.Int64()),
    **dict.fromkeys(("rate_focal", "rate_reference", "impact_ratio", "ir_low", "ir_high", "distance"), pl.Float64()),
    **dict.fromkeys(("four_fifths", "test"), pl.String()),
    **dict.fromkeys(("p", "p_adjusted"), pl.Float64()),
    "verdict": pl.String(),
    "planned": pl.Boolean(),
    **dict.fromkeys(("reason", "approach", "stage"), pl.String()),
    "cutoff": pl.Float64(),
}
#: pools.csv: a row per position, period and group; '' stands for all of them.
POOLS: dict[str, pl.DataType] = {
    **dict.fromkeys(("attribute", "period", "position", "focal", "reference"), pl.String()),
    **dict.fromkeys(("pools", "n_focal", "n_reference", "observed"), pl.Int64()),
    **dict.fromkeys(("expected", "shortfall", "z", "p"), pl.Float64()),
    **dict.fromkeys(("reason", "approach", "stage"), pl.String()),
    "cutoff": pl.Float64(),
}

#: age.csv: a row per year of age, with the curve of the selection rate.
AGES: dict[str, pl.DataType] = {
    **dict.fromkeys(("years", "n", "selected"), pl.Int64()),
    **dict.fromkeys(("rate", "low", "high"), pl.Float64()),
}

#: ladder.csv: a row per line and group.
LADDER: dict[str, pl.DataType] = {
    **dict.fromkeys(("attribute", "focal", "reference"), pl.String()),
    "step": pl.Int64(),
    **dict.fromkeys(("kind", "adjusted_for"), pl.String()),
    **dict.fromkeys(("n", "n_focal", "n_left_out"), pl.Int64()),
    **dict.fromkeys(("rate_focal", "rate_reference", "difference", "low", "high", "standard_error"), pl.Float64()),
    **dict.fromkeys(("ratio", "ratio_low", "ratio_high", "shortfall", "taken"), pl.Float64()),
    **dict.fromkeys(("test", "verdict"), pl.String()),
    **dict.fromkeys(("p", "p_adjusted"), pl.Float64()),
    **dict.fromkeys(("method", "notes", "reason", "approach", "stage"), pl.String()),
    "cutoff": pl.Float64(),
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
    **dict.fromkeys(("reason", "share_of"), pl.String()),
}

#: ll144_periods.csv
LL144_PERIODS: dict[str, pl.DataType] = {"period": pl.String(), **LL144}

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
