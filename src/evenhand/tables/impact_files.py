"""The columns of counts of applicants, and of the files that are made of them."""

import polars as pl

__all__ = [
    "APPROACHES",
    "AVAILABILITY",
    "BOTTOM_LINE",
    "CLUSTERED",
    "COUNTS",
    "CROSSED",
    "IMPACT",
    "LL144",
    "MEANS",
    "PEOPLE",
    "POOLED",
    "WHOLE",
]

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

#: impact.csv; the columns from `stage` on go beyond the documented ones.
IMPACT: dict[str, pl.DataType] = {
    "approach": pl.String(),
    "cutoff": pl.Float64(),
    **dict.fromkeys(("position", "attribute", "focal", "reference"), pl.String()),
    **dict.fromkeys(("n_focal", "selected_focal", "n_reference", "selected_reference"), pl.Int64()),
    **dict.fromkeys(("rate_focal", "rate_reference", "mean_focal", "mean_reference"), pl.Float64()),
    **dict.fromkeys(("impact_ratio", "ir_low", "ir_high"), pl.Float64()),
    "four_fifths": pl.String(),
    **dict.fromkeys(("z", "p_z", "p_fisher", "p_fisher_mid", "p_adjusted"), pl.Float64()),
    "adjustment": pl.String(),
    "flip_flop_ratio": pl.Float64(),
    "flip_flop_reverses": pl.Boolean(),
    **dict.fromkeys(("shortfall", "odds_ratio", "cohens_h", "detectable_ratio"), pl.Float64()),
    "read_with": pl.String(),
    "reason": pl.String(),
    "stage": pl.String(),
    **dict.fromkeys(("standardised_difference", "d_low", "d_high", "p_welch"), pl.Float64()),
}

#: What impact.csv has besides with --cluster.
CLUSTERED: dict[str, pl.DataType] = {
    **dict.fromkeys(("low_clustered", "high_clustered", "p_clustered"), pl.Float64()),
    "clusters": pl.Int64(),
}

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
