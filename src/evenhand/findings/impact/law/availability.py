"""People of a table against the shares of groups that are stated, such as those of a labour market."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.impact.cells import cells_of
from evenhand.stats import availability, holm
from evenhand.tables.details import Stated
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import AVAILABILITY as MEASURE
from evenhand.tables.impact_files import AVAILABILITY

__all__ = ["AvailabilityFound", "StatedShare", "availability_findings"]

LEVEL, TIE = 0.05, 1e-9


@dataclass(frozen=True, kw_only=True)
class StatedShare:
    """The share of a group that is stated to be available."""

    attribute: str
    group: str
    share: float


@dataclass(frozen=True, kw_only=True)
class AvailabilityFound:
    """The rows of availability.csv, and the findings."""

    rows: pl.DataFrame
    findings: list[Finding]


def availability_findings(
    counts: pl.DataFrame, stated: Sequence[StatedShare], *, confidence: float = 0.95
) -> AvailabilityFound:
    """Return how many of each group are there, against those expected by its stated share.

    `counts` are people joint over all attributes, as `measure_impact` takes them. People whose group is not known
    are not counted. p is adjusted over the groups of an attribute (Holm).
    """
    rows: list[pl.DataFrame] = []
    findings: list[Finding] = []
    for attribute in dict.fromkeys(each.attribute for each in stated):
        own = [each for each in stated if each.attribute == attribute]
        cells = cells_of(counts, [attribute], by_position=False)
        x = cells.n[0][[cells.labels.index(each.group) for each in own]]
        total = int(cells.n[0].sum())
        found = availability(x, total, [each.share for each in own], confidence=confidence)
        # Of two groups whose shares are all people, the numbers of one are those of the other.
        one_test = len(own) == 1 or (
            len(own) == len(cells.groups) == 2 and abs(sum(each.share for each in own) - 1) < TIE
        )
        p = found.p if one_test else holm(found.p).p
        name = f"Exact binomial, Holm over {'1 group' if one_test else f'{len(own)} groups'}"
        columns = {
            "attribute": [attribute] * len(own),
            "group": [each.group for each in own],
            "n": x,
            "expected": found.expected,
            "share": found.estimate,
            "stated_share": [each.share for each in own],
            "z": found.statistic,
            "p_exact": found.p,
            "shortfall": found.shortfall,
            "of": np.full(len(own), total),
            "low": found.low,
            "high": found.high,
            "p_adjusted": p,
            "adjustment": [name] * len(own),
        }
        table = pl.DataFrame(columns, schema=AVAILABILITY)
        rows.append(table)
        findings += [_finding(row, confidence=confidence) for row in table.iter_rows(named=True)]
    return AvailabilityFound(rows=pl.concat([pl.DataFrame(schema=AVAILABILITY), *rows]), findings=findings)


def _finding(row: Mapping[str, Any], *, confidence: float) -> Finding:
    n, adjusted = row["of"], row["p_adjusted"]
    return Finding(
        name="_".join([MEASURE, *row["attribute"].split(), *row["group"].split()]),
        measure=MEASURE,
        focal={row["attribute"]: row["group"]},
        reference={"stated": f"{row['stated_share']:g}"},
        role="planned",
        estimate=row["share"],
        low=row["low"],
        high=row["high"],
        confidence=confidence,
        null_value=row["stated_share"],
        n=n,
        clusters={"person": n},
        method="Wilson score",
        tests=(
            Test(name="Z, two standard deviations", statistic=row["z"], p=None),
            Test(name="Exact binomial", statistic=None, p=row["p_exact"]),
        ),
        p_adjusted=adjusted,
        adjustment=row["adjustment"],
        verdict="difference" if adjusted < LEVEL else "inconclusive",
        details=Stated(
            stated_share=row["stated_share"],
            people=row["n"],
            expected=row["expected"],
            shortfall=row["shortfall"],
        ),
    )
