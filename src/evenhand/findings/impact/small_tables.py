"""What the report shows of impact.csv in small: agreement of tests, worst positions, sweep, Z-curves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.impact.cells import cells_of
from evenhand.findings.impact.references import References, candidates, eligible_groups
from evenhand.stats import TWO_STANDARD_DEVIATIONS, selection_rate, z_curve
from evenhand.tables.audit.applicants.small_tables import Agreement, ImpactRow, Positions, SweepRate, ZCurve
from evenhand.tables.impact_files import WHOLE

__all__ = ["agreement", "positions", "sweep_rows", "z_curves"]

LEVEL = 0.05
MOST_POSITIONS = 20
FAMILY = ("approach", "cutoff", "stage", "attribute")


def agreement(rows: pl.DataFrame) -> tuple[Agreement, ...]:
    """Return how many rows each combination of the four-fifths rule, Z and Fisher's test has."""
    judged = rows.filter(pl.col("four_fifths").is_in(["below", "not_below", "above"]))
    counted = (
        judged.group_by(
            *FAMILY,
            pl.col("position").ne(WHOLE).alias("by_position"),
            "four_fifths",
            (pl.col("z").abs() > TWO_STANDARD_DEVIATIONS).alias("z"),
            (pl.col("p_fisher") < LEVEL).alias("fisher"),
        )
        .agg(pl.len().alias("rows"))
        .sort(*FAMILY, "by_position", "four_fifths", "z", "fisher", nulls_last=True)
    )
    return tuple(Agreement(**row) for row in counted.iter_rows(named=True))


def positions(rows: pl.DataFrame, chance: Mapping[tuple[Any, ...], float]) -> tuple[Positions, ...]:
    """Return, for each attribute, how many positions were compared, and those with the largest shortfall.

    `chance` has the share of positions that chance puts below four fifths, by approach, cut-off,
    stage and attribute.
    """
    own = rows.filter(pl.col("position") != WHOLE)
    p = "p_clustered" if "p_clustered" in rows.columns else "p_fisher"
    found = []
    for key, part in own.group_by(*FAMILY, maintain_order=True):
        worst = part.filter(pl.col("shortfall") > 0).sort(
            "shortfall", "position", "focal", descending=[True, False, False]
        )
        below = part.filter(pl.col("four_fifths") == "below")
        found.append(
            Positions(
                **dict(zip(FAMILY, key, strict=True)),
                positions=part["position"].n_unique(),
                comparisons=part.height,
                positions_computed=part.filter(pl.col("impact_ratio").is_not_null())["position"].n_unique(),
                computed=part.filter(pl.col("impact_ratio").is_not_null()).height,
                below=below.height,
                positions_below=below["position"].n_unique(),
                below_groups=dict(below["focal"].value_counts(sort=True).rows()),
                expected_by_chance=chance.get(key),
                significant=part.filter(pl.col(p) < LEVEL).height,
                significant_adjusted=part.filter(pl.col("p_adjusted") < LEVEL).height,
                worst=tuple(ImpactRow(**row) for row in worst.head(MOST_POSITIONS).iter_rows(named=True)),
            )
        )
    return tuple(found)


def sweep_rows(
    sweep: pl.DataFrame, attributes: Sequence[str], references: References, *, min_share: float = 0.0
) -> tuple[SweepRate, ...]:
    """Return each group's selection rate and impact ratio at each of many cut-offs.

    `reference` is the group that was named for the attribute, null where the highest rate at each
    cut-off is the reference.
    """
    counts = sweep.with_columns(approach=pl.lit("cutoff"), stage=pl.lit(""), position=pl.lit(WHOLE))
    found = []
    for name in attributes:
        cells = cells_of(counts, [name], by_position=False)
        if len(cells.groups) < 2:
            continue
        may_be = candidates(cells, references, eligible_groups(cells, min_share=min_share))
        for cell in range(cells.keys.height):
            rates = selection_rate(cells.selected[cell], cells.n[cell])
            present = cells.n[cell] > 0
            against = references.group(cells)
            base = np.max(rates.estimate[may_be[cell]], initial=0.0) if against is None else rates.estimate[against]
            for group, label in enumerate(cells.labels):
                if present[group]:
                    found.append(
                        SweepRate(
                            attribute=name,
                            group=label,
                            cutoff=cells.keys["cutoff"][cell],
                            n=int(cells.n[cell, group]),
                            selected=int(cells.selected[cell, group]),
                            rate=float(rates.estimate[group]),
                            low=float(rates.low[group]),
                            high=float(rates.high[group]),
                            impact_ratio=float(rates.estimate[group] / base) if base > 0 else None,
                            reference=None if against is None else cells.labels[against],
                        )
                    )
    return tuple(found)


def z_curves(rows: pl.DataFrame) -> Iterator[ZCurve]:
    """Yield, for the group furthest behind among all applicants, how Z would grow with the number of people.

    The rates are held as they are and the groups taken as equally large, as in Figure 14 of
    Eightfold's Responsible AI (2023).
    """
    whole = rows.filter(
        (pl.col("position") == WHOLE) & pl.col("z").is_not_null() & pl.col("impact_ratio").is_not_null()
    )
    for _, part in whole.group_by("approach", "cutoff", "stage", maintain_order=True):
        row = part.sort("impact_ratio").row(0, named=True)
        people = row["n_focal"] + row["n_reference"]
        rate = (row["selected_focal"] + row["selected_reference"]) / people
        difference = row["rate_focal"] - row["rate_reference"]
        if not difference:
            continue
        here = 2 / (1 / row["n_focal"] + 1 / row["n_reference"])
        crossing = z_curve(rate, difference, 2).crossing
        sizes = np.unique(np.geomspace(2, max(4 * here, 1.5 * (crossing or 0.0), 100.0), 60).astype(np.int64))
        curve = z_curve(rate, difference, sizes).statistic
        yield ZCurve(
            **{name: row[name] for name in (*FAMILY, "focal", "reference", "rate_focal", "rate_reference", "z")},
            overall_rate=rate,
            n_per_group=here,
            crossing=crossing,
            points=tuple((float(n), float(z)) for n, z in zip(sizes, curve, strict=True)),
        )
