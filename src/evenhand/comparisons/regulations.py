"""Tables that regulations ask for: New York's Local Law 144, and people compared with stated shares of groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons.claims import in_families, uncorrected
from evenhand.comparisons.impact_cells import Exclusion, GroupCells, cells_of
from evenhand.comparisons.units import Ints
from evenhand.errors import InputError, option_text
from evenhand.results.finding import Finding, Stated, Test
from evenhand.results.measures import AVAILABILITY as MEASURE
from evenhand.results.messages import listed
from evenhand.results.schemas import AVAILABILITY, LL144

EXACT, TIE = "Exact binomial", 1e-9
UNKNOWN = "unknown"
SEX_NAMES = ("sex", "gender")
RACE_NAMES = ("race", "ethnicity")


@dataclass(frozen=True, kw_only=True)
class StatedShare:
    """The share of a group that is stated to be available."""

    attribute: str
    group: str
    share: float


@dataclass(frozen=True, kw_only=True)
class AvailabilityResult:
    """The rows of availability.csv, and the findings."""

    rows: pl.DataFrame
    findings: list[Finding]


def availability_findings(
    counts: pl.DataFrame, stated: Sequence[StatedShare], *, confidence: float = 0.95
) -> AvailabilityResult:
    """Return how many of each group are there, against those expected by its stated share.

    `counts` are people joint over all attributes, as `measure_impact` takes them. People whose group is not known
    are not counted. p is adjusted over all groups (Holm).
    """
    rows: list[pl.DataFrame] = []
    for attribute in dict.fromkeys(share.attribute for share in stated):
        shares = [share for share in stated if share.attribute == attribute]
        cells = cells_of(counts, [attribute], by_position=False)
        x = cells.n[0][[cells.labels.index(share.group) for share in shares]]
        total = int(cells.n[0].sum())
        result = stats.availability(x, total, [share.share for share in shares], confidence=confidence)
        # Of two groups whose shares are all people, the numbers of one are those of the other: one comparison.
        mirrored = len(shares) == len(cells.groups) == 2 and abs(sum(share.share for share in shares) - 1) < TIE
        columns = {
            "attribute": [attribute] * len(shares),
            "group": [share.group for share in shares],
            "n": x,
            "expected": result.expected,
            "share": result.estimate,
            "stated_share": [share.share for share in shares],
            "z": result.statistic,
            "p_exact": result.p,
            "shortfall": result.shortfall,
            "of": np.full(len(shares), total),
            "low": result.low,
            "high": result.high,
            "mirrored": [mirrored and place == 1 for place in range(len(shares))],
        }
        rows.append(pl.DataFrame(columns, schema_overrides=AVAILABILITY))
    table = pl.concat(rows)
    findings = in_families([_finding(row, confidence=confidence) for row in table.iter_rows(named=True)])
    for place, (finding, mirrored) in enumerate(zip(findings, table["mirrored"], strict=True)):
        if mirrored and (other := findings[place - 1].claim) is not None:
            findings[place] = replace(finding, claim=replace(other, n_focal=table["n"][place]))
    claims = [finding.claim for finding in findings if finding.claim is not None]
    adjusted = table.with_columns(
        pl.Series("p_adjusted", [claim.p_adjusted for claim in claims], pl.Float64),
        pl.Series(
            "adjustment", [", ".join(filter(None, (EXACT, claim.corrected_over))) for claim in claims], pl.String
        ),
    )
    return AvailabilityResult(rows=adjusted.select(list(AVAILABILITY)), findings=findings)


def _finding(row: Mapping[str, Any], *, confidence: float) -> Finding:
    n, test = row["of"], Test(name=EXACT, statistic=None, p=row["p_exact"])
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
        tests=(Test(name="Z, two standard deviations", statistic=row["z"], p=None), test),
        # A mirrored group repeats the comparison before it, whose claim it gets.
        claim=uncorrected(replace(test, p=None) if row["mirrored"] else test, planned=True, n=(row["n"], None)),
        details=Stated(people=row["n"], **{name: row[name] for name in ("stated_share", "expected", "shortfall")}),
    )


@dataclass(frozen=True, kw_only=True)
class RequiredAttributes:
    """The columns that hold sex and race or ethnicity."""

    sex: str
    race: str

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Return the attributes of the three tables that the rule asks for."""
        return (self.sex,), (self.race,), (self.sex, self.race)


def required_attributes(attributes: Sequence[str]) -> RequiredAttributes:
    """Return which attributes are sex and race or ethnicity, by their names.

    Raises
    ------
    InputError
        One of the two is missing, or several fit.

    >>> required_attributes(["gender", "race_ethnicity"]).race
    'race_ethnicity'
    """
    matched = []
    for what, names in (("sex", SEX_NAMES), ("race or ethnicity", RACE_NAMES)):
        fitting = [
            name for name in attributes if any(word in name.casefold().replace("-", "_").split("_") for word in names)
        ]
        if len(fitting) != 1:
            fits = "none does" if not fitting else f"{' and '.join(fitting)} do"
            message = (
                f"{option_text('ll144')} needs one column of {option_text('protected')} for {what} (a name "
                f"with {' or '.join(names)}); {fits}. "
                f"Given: {listed(attributes)}."
            )
            raise InputError(message)
        matched.append(fitting[0])
    return RequiredAttributes(sex=matched[0], race=matched[1])


def ll144_rows(counts: pl.DataFrame, required: RequiredAttributes, *, exclude: bool) -> pl.DataFrame:
    """Return the rows of ll144.csv from joint counts of one approach and cut-off.

    The impact ratio is a category's rate over the highest rate. With `exclude`, categories of
    less than 2 % of the data used get no ratio and are no reference; their count and rate
    stand. People whose category is not known are one row per attribute, and are in no rate.
    `share` is of all rows used, the unknown ones included.
    """
    rows: list[dict[str, object]] = []
    for attributes in required.tables:
        cells = cells_of(counts, attributes, by_position=False, exclusion=Exclusion(ll144=exclude))
        if cells.keys.height:
            rows += _table(cells)
    return pl.DataFrame(rows, schema=LL144, orient="row")


def _table(cells: GroupCells) -> list[dict[str, object]]:
    n, selected, rates = cells.n[0], cells.selected[0], cells.rates[0]
    used = int(n.sum() + cells.unknown[0, 0])
    excluded = ~cells.judged
    candidates = [place for place in range(n.size) if not excluded[place] and n[place]]
    best = max(candidates, key=lambda place: rates[place], default=None)
    rows: list[dict[str, object]] = [
        {
            "attribute": cells.name,
            "category": label,
            "n": int(n[place]),
            "selected": int(selected[place]),
            "rate": float(rates[place]),
            "impact_ratio": None if excluded[place] or best is None else _ratio(n, selected, place, best),
            "share": int(n[place]) / used,
            "excluded": bool(excluded[place]),
        }
        for place, label in enumerate(cells.labels)
    ]
    unknown, chosen = (int(value) for value in cells.unknown[0])
    rows.append(
        {
            "attribute": cells.name,
            "category": UNKNOWN,
            "n": unknown,
            "selected": chosen,
            "rate": None,
            "impact_ratio": None,
            "share": unknown / used if used else None,
            "excluded": False,
        }
    )
    return rows


def _ratio(n: Ints, selected: Ints, focal: int, reference: int) -> float | None:
    """Return the ratio of two rates, divided once, so that 4/100 over 5/100 is 0.8."""
    ratio: float | None = stats.impact_ratio(
        int(selected[focal]), int(n[focal]), int(selected[reference]), int(n[reference])
    ).estimate
    return ratio
