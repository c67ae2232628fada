"""Who applied for what, as every probe's outcomes name it."""

import polars as pl

__all__ = ["APPLICANT"]

#: Of a table with these columns of the stimuli.
APPLICANT = (
    pl.col("gender").alias("protected.gender"),
    pl.col("race").alias("protected.race"),
    pl.col("name").alias("context.name"),
    pl.col("role").alias("context.role"),
)
