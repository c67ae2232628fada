"""The columns of features.csv and proxies.csv."""

import polars as pl

__all__ = ["FEATURES", "PROXIES"]

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
