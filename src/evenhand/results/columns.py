"""Columns of impact.csv, each declared once: its type, its heading and format on pages, and what it is.

The CSV, the workbook, the page, the terminal, the Bias page of dashboards and the table of docs/impact.md follow from
these; `verify` compares each. A statistic of the selections of two groups is an entry that names its function.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

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
        text="below iff 5·a·N2 < 4·c·N1, in whole numbers: exactly 0.8 is not below. `--four-fifths two-sided`: above "
        "iff 4·a·N2 > 5·c·N1",
    ),
    *columns(
        "z p_z",
        text="the difference of the rates in standard deviations: over its standard error under P; beyond ±1.96 it is "
        "statistically significant",
    ),
    *columns(
        "p_fisher p_fisher_mid",
        text="Fisher's exact test, two-sided; mid-p counts half the probability of the observed table",
    ),
    Column(
        name="p_adjusted",
        text="the p of the test that decides (Fisher's, Welch's for means, that of the clusters with `--cluster`) "
        "corrected: among all applicants over all planned comparisons of the run (Holm), in positions over groups × "
        "positions (Holm), for intersections over their groups (Benjamini-Hochberg); "
        "[which](statistics.md#claims-and-families). With `highest` as reference all pairs of groups count of which "
        "one may be the reference, because the rates determine the reference",
    ),
    Column(name="adjustment", dtype=pl.String(), text="the test, the method of correction and the comparisons"),
    Column(
        name="flip_flop_ratio",
        text="the flip-flop rule (UGESP Q&A 21): the ratio after one selection moves to the disadvantaged group, for "
        "ratios outside the limits",
    ),
    Column(name="flip_flop_reverses", dtype=pl.Boolean(), text="whether the direction reverses then"),
    Column(
        name="shortfall",
        statistic="association:shortfall",
        heading="Shortfall",
        shown_as="people",
        text="N1·P − a: how many more of the group one rate for all would have selected",
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
        text="the minimum detectable ratio: the largest ratio below 1 that Fisher's exact test detects with "
        "statistical power .8, at the level of its family, with these N1, N2 and the reference's rate; of more than "
        "500 positions by a formula ([statistics](statistics.md#power-of-fishers-exact-test))",
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
        text="for means: Hedges' g with its interval, Welch's t test. A ratio of means depends on the zero point of "
        "the scale",
    ),
    Column(name="comparisons", dtype=pl.Int64(), text="over how many comparisons p is corrected"),
    *columns(
        "low_90 high_90",
        text="the 90 % interval of the ratio by the same method",
    ),
    Column(
        name="equivalent",
        dtype=pl.Boolean(),
        text="whether that interval lies between .8 and 1.25: two one-sided tests at 5 %. `--margin .9` takes .9 to "
        "1/.9. A difference can be equivalent, and a ratio that was not shown to be within the margin may be",
    ),
)
#: What impact.csv has besides with --cluster; no interval or p of it takes people as independent then.
CLUSTER_COLUMNS: Final[Sequence[Column]] = (
    *columns("low_clustered high_clustered p_clustered t_clustered df_clustered"),
    *columns("clusters clusters_focal clusters_reference", pl.Int64()),
    *columns("test_clustered caution", pl.String()),
)
#: The statistics of the selections of two groups.
STATISTICS: Final[Sequence[Column]] = tuple(column for column in IMPACT_COLUMNS if column.statistic is not None)
