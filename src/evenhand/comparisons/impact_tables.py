"""Adjusted p-values of impact.csv, findings over positions, and the report's small tables of impact.csv.

The small tables are the agreement of tests, the worst positions, the sweep of cut-offs and the Z-curves.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons import impact_cells
from evenhand.comparisons.claims import uncorrected
from evenhand.comparisons.impact_cells import Exclusion, Floats, GroupCells, Ints, References
from evenhand.results.applicant_audit import Agreement, Positions, SweepRate, ZCurve
from evenhand.results.finding import Finding, PositionsBelow, Test, copied
from evenhand.results.measures import POSITIONS_BELOW
from evenhand.results.schemas import CROSSED, MEANS, WHOLE
from evenhand.stats.special import stdtr

WEIGHTED = ", weighted"
#: Rows up to which one-sided tests of a margin within positions are exact, and that of clusters.
MOST_EXACT_MARGINS, CLUSTERED_MARGIN = 500, "cluster-robust t of the log ratio, CR2"
FISHER, WELCH, CLUSTER_ROBUST = "Fisher exact", "Welch t", "Cluster-robust t"
#: Of counts that deviate: the larger p of two.
NOISY = "Fisher exact and score test"
LEVEL = 0.05
FAMILY = ("approach", "cutoff", "stage", "attribute")
#: Positions with the largest shortfall that the report lists.
MOST_POSITIONS = 20
#: Positions drawn at random for the false-positive rate, and permutations in each.
SIMULATED_POSITIONS, DRAWS = 200, 100


def decisive_test(cells: GroupCells) -> str:
    """Return the test that decides whether the groups of cells differ."""
    return CLUSTER_ROBUST if cells.clusters is not None else FISHER if cells.mean is None else WELCH


@dataclass(frozen=True, kw_only=True)
class UnseenPairs:
    """Pairs of groups that the data could have chosen to compare and did not: their cells and groups, and their p."""

    cell: Ints
    first: Ints
    second: Ints
    p: Floats


def unseen_pairs(cells: GroupCells, references: References, reference: Ints) -> UnseenPairs:
    """Return the pairs without the reference of their cell; with clusters their p are taken to be 1, the largest."""
    groups = np.flatnonzero(cells.judged)
    first, second = (groups[side] for side in np.triu_indices(groups.size, 1))
    cell = np.repeat(np.arange(cells.keys.height), first.size)
    first, second = np.tile(first, cells.keys.height), np.tile(second, cells.keys.height)
    used = (cells.n[cell, first] > 0) & (cells.n[cell, second] > 0)
    used &= ~cells.bounded(cell, first, second)
    used &= (first != reference[cell]) & (second != reference[cell])
    if not references.by_highest(cells):
        used[:] = False
    else:
        may_be = impact_cells.candidates(cells, references)
        used &= may_be[cell, first] | may_be[cell, second]
    cell, first, second = cell[used], first[used], second[used]
    if cells.clusters is not None:
        p = np.ones(cell.size)
    elif cells.mean is None or cells.squares is None:
        counts = [matrix[cell, group] for group in (first, second) for matrix in (cells.selected, cells.n)]
        p = np.asarray(stats.fisher_exact(*counts).p, dtype=np.float64)
    else:
        moments = [matrix[cell, group] for group in (first, second) for matrix in (cells.n, cells.mean, cells.squares)]
        p = np.asarray(stats.mean_ratio(*moments).p, dtype=np.float64)
    known = ~np.isnan(p)
    return UnseenPairs(cell=cell[known], first=first[known], second=second[known], p=p[known])


def adjusted_p(
    cells: GroupCells, p: Floats, unseen: UnseenPairs, family: Ints, *, cell: Ints
) -> tuple[Floats, NDArray[np.object_], Ints]:
    """Return the adjusted p of each row, the test and method of adjustment, and the number of comparisons.

    `p` are those of the rows, NaN where there is none, and `family` is the number of each cell's family, -1 where
    nothing is adjusted. Groups of one attribute are adjusted by Holm; intersections, which explore, by Benjamini and
    Hochberg.
    """
    adjusted = np.full(p.shape, np.nan)
    names, sizes = np.full(p.shape, None, dtype=object), np.zeros(p.shape, dtype=np.int64)
    adjust = stats.holm if len(cells.attributes) == 1 else stats.benjamini_hochberg
    for number in np.unique(family[family >= 0]):
        rows = np.flatnonzero((family[cell] == number) & ~np.isnan(p))
        result = adjust(np.concatenate([p[rows], unseen.p[family[unseen.cell] == number]]))
        adjusted[rows], sizes[rows] = result.p[: rows.size], result.family
        size = f"{result.family:,} comparison{'' if result.family == 1 else 's'}"
        names[rows] = f"{decisive_test(cells)}, {result.method} over {size}"
    return adjusted, names, sizes


def margin_columns(counts: Sequence[Any], whole: NDArray[np.bool_], margin: float) -> dict[str, Any]:
    """Return the columns of one-sided tests of independent people: selected and people, focal then reference.

    They are exact in the rows of `whole`, which are claims, and in all where they are few.
    """
    exact = whole | (whole.size <= MOST_EXACT_MARGINS)
    above = stats.ratio_above(*counts, margin=margin, exact=exact)
    below = stats.ratio_above(*counts[2:], *counts[:2], margin=margin, exact=exact)
    tests = np.where(below.test == stats.SCORE, below.test, above.test)
    return {
        "p_above_margin": above.p,
        # Of a group of which nobody was selected the ratio is 0, and certainly not within.
        "p_within_margin": np.where(
            np.isnan(below.p), np.where(np.isnan(above.p), np.nan, 1.0), np.fmax(above.p, below.p)
        ),
        "margin_test": tests,
    }


def clustered_margin_columns(compared: "stats.ClusterComparisons", *, margin: float) -> dict[str, Any]:
    """Return the columns of one-sided tests by clusters: t of the log ratio; none where it has no interval."""
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.log(compared.ratio)
    above, below = (
        stdtr(compared.log_df, (np.log(margin) + side) / compared.log_standard_error) for side in (-log, log)
    )
    return {
        "p_above_margin": above,
        "p_within_margin": np.maximum(above, below),
        "margin_test": np.where(np.isnan(above), "", CLUSTERED_MARGIN),
    }


def corrected_within(p: Floats, family: Ints) -> Floats:
    """Return one-sided p corrected within each family (Holm), NaN where there is none; -1 is no family."""
    corrected = np.where(family < 0, p, np.nan)
    for number in np.unique(family[family >= 0]):
        rows = np.flatnonzero((family == number) & ~np.isnan(p))
        corrected[rows] = stats.holm(p[rows]).p
    return corrected


def families_of(cells: GroupCells) -> Ints:
    """Return the number of each position's family: its approach, cut-off and stage; -1 for all applicants together.

    The claims about all applicants are findings, which are corrected together.
    """
    keys = cells.keys.select("approach", "cutoff", "stage")
    numbered = keys.unique().with_row_index("family")
    matched = keys.join(numbered, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")
    numbers = matched["family"].to_numpy().astype(np.int64)
    return np.where(cells.whole, -1, numbers)


def chance_of_flags(cells: GroupCells, references: References, *, seed: int = 0) -> dict[tuple[Any, ...], float]:
    """Return the false-positive rate of the four-fifths rule over positions.

    By approach, cut-off and stage. Each position keeps its judged groups' sizes and their number of selections.
    """
    may_be = impact_cells.possible_references(cells, references)
    known = cells.judged & ~cells.hidden
    n, selected = cells.n * known, cells.selected * known
    rng = np.random.default_rng([seed, 7])
    rates_by_key: dict[tuple[Any, ...], float] = {}
    keys = cells.keys.select("approach", "cutoff", "stage").rows()
    compared = ((n > 0).sum(axis=1) > 1) & (selected.sum(axis=1) > 0) & ~cells.whole
    for key in dict.fromkeys(keys):
        members = np.flatnonzero(compared & np.array([row == key for row in keys]))
        drawn = members
        if members.size > SIMULATED_POSITIONS:
            drawn = rng.choice(members, SIMULATED_POSITIONS, replace=False)
        rates = [
            # Where everybody is selected nobody is below.
            stats.four_fifths_false_positives(
                n[cell], int(selected[cell].sum()), references=may_be[cell], draws=DRAWS, seed=seed
            ).estimate
            or 0.0
            for cell in drawn
        ]
        if rates:
            rates_by_key[key] = float(np.mean(rates))
    return rates_by_key


NO_POSITION = "No position has two groups that can be compared."
NO_VERDICT = "In no position do the counts that are possible agree on four fifths."


def position_findings(positions: Sequence[Positions]) -> Iterator[Finding]:
    """Yield the share of positions in which some group is below four fifths.

    Each position's own numbers stand in impact.csv. With many small positions some are below by
    chance alone: `expected_by_chance` in the details is the rule's false-positive rate over positions.
    `significant_adjusted` counts the statistically significant comparisons, and the claim that there is one in any
    position has the smallest p adjusted over all of them.
    """
    for position in positions:
        if position.approach == MEANS:
            continue
        computed = position.positions_computed
        ratio = "ratio, or bounds that agree" if position.suppressed else "ratio"
        yield Finding(
            name="_".join(
                [POSITIONS_BELOW, impact_cells.plain(position.attribute), *impact_cells.suffix_of(vars(position))]
            ),
            measure=POSITIONS_BELOW,
            slice={"approach": position.approach} | ({"stage": position.stage} if position.stage else {}),
            role="exploratory" if CROSSED in position.attribute else "planned",
            estimate=position.positions_below / computed if computed else None,
            n=computed,
            clusters={"position": computed},
            method=f"positions with a group below four fifths over positions with a {ratio}; no sampling error",
            reason=None if computed else NO_VERDICT if position.undetermined else NO_POSITION,
            claim=uncorrected(
                Test(name="smallest adjusted p of all positions", statistic=None, p=position.least_p),
                planned=CROSSED not in position.attribute,
                family=f"positions, {position.attribute}",
                reason=impact_cells.SUPPRESSED
                if position.suppressed
                else "No position has two groups that can be tested.",
            ),
            details=PositionsBelow(
                **copied(position, "attribute positions comparisons expected_by_chance"),
                **copied(position, "significant significant_adjusted below_significant"),
                four_fifths=_verdict(position),
            ),
        )


def _verdict(position: Positions) -> str:
    """Return whether some group is below four fifths in a position."""
    if position.positions_below:
        return "below"
    if position.undetermined:
        return impact_cells.NOT_DETERMINED
    return "not_below" if position.positions_computed else "not_computable"


def with_verdicts(positions: Sequence[Positions], findings: Sequence[Finding]) -> tuple[Positions, ...]:
    """Return positions with whether the claims of their findings, in the family of the run, are differences."""
    verdicts = iter([finding.is_difference for finding in findings if finding.measure == POSITIONS_BELOW])
    return tuple(each if each.approach == MEANS else replace(each, differs=next(verdicts)) for each in positions)


def agreement(rows: pl.DataFrame) -> tuple[Agreement, ...]:
    """Return how many rows each combination of the four-fifths rule, Z and Fisher's test has; none with clusters."""
    judged = rows.filter(pl.col("four_fifths").is_in(["below", "not_below", "above"]), pl.col("p_fisher").is_not_null())
    counted = (
        judged.group_by(
            *FAMILY,
            pl.col("position").ne(WHOLE).alias("by_position"),
            "four_fifths",
            (pl.col("z").abs() > stats.TWO_STANDARD_DEVIATIONS).alias("z"),
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
    by_position = rows.filter(pl.col("position") != WHOLE)
    p = "p_clustered" if "p_clustered" in rows.columns else "p_fisher"
    summaries = []
    for key, part in by_position.group_by(*FAMILY, maintain_order=True):
        worst = part.filter(pl.col("shortfall") > 0).sort(
            "shortfall", "position", "focal", descending=[True, False, False]
        )
        below = part.filter(pl.col("four_fifths") == "below")
        computed = part.filter(pl.col("impact_ratio").is_not_null())
        hidden = part.filter(pl.col("reason") == impact_cells.SUPPRESSED)
        undetermined = part.filter(pl.col("four_fifths") == impact_cells.NOT_DETERMINED)
        ruled = part.filter(pl.col("four_fifths").is_in(["below", "not_below", "above"]))
        summaries.append(
            Positions(
                **dict(zip(FAMILY, key, strict=True)),
                positions=part["position"].n_unique(),
                comparisons=part.height,
                positions_computed=ruled["position"].n_unique(),
                computed=computed.height,
                below=below.height,
                positions_below=below["position"].n_unique(),
                below_groups=dict(below["focal"].value_counts(sort=True).rows()),
                expected_by_chance=None if hidden.height else chance.get(key),
                significant=part.filter(pl.col(p) < LEVEL).height,
                significant_adjusted=part.filter(pl.col("p_adjusted") < LEVEL).height,
                below_significant=below.filter(pl.col("p_adjusted") < LEVEL)["position"].n_unique(),
                least_p=None if hidden.height else min(part["p_adjusted"].drop_nulls().to_list(), default=None),
                suppressed=hidden.height,
                undetermined=undetermined["position"].n_unique(),
                worst=tuple(worst.head(MOST_POSITIONS).iter_rows(named=True)),
            )
        )
    return tuple(summaries)


def sweep_rows(
    sweep: pl.DataFrame, attributes: Sequence[str], references: References, exclusion: Exclusion
) -> tuple[SweepRate, ...]:
    """Return each group's selection rate and impact ratio at each of many cut-offs.

    `reference` is the group that was named for the attribute, null where the highest rate at each
    cut-off is the reference.
    """
    counts = sweep.with_columns(approach=pl.lit("cutoff"), stage=pl.lit(""), position=pl.lit(WHOLE))
    swept = []
    for name in attributes:
        cells = impact_cells.cells_of(counts, [name], by_position=False, exclusion=exclusion)
        if len(cells.groups) < 2:
            continue
        may_be = impact_cells.candidates(cells, references)
        for cell in range(cells.keys.height):
            rates = stats.selection_rate(cells.selected[cell], cells.n[cell])
            present = cells.n[cell] > 0
            against = references.group(cells)
            base = np.max(rates.estimate[may_be[cell]], initial=0.0) if against is None else rates.estimate[against]
            for group, label in enumerate(cells.labels):
                if present[group]:
                    swept.append(
                        SweepRate(
                            attribute=name,
                            group=label,
                            cutoff=cells.keys["cutoff"][cell],
                            n=int(cells.n[cell, group]),
                            selected=int(cells.selected[cell, group]),
                            rate=float(rates.estimate[group]),
                            low=float(rates.low[group]),
                            high=float(rates.high[group]),
                            impact_ratio=float(rates.estimate[group] / base)
                            if base > 0 and cells.judged[group]
                            else None,
                            reference=None if against is None else cells.labels[against],
                        )
                    )
    return tuple(swept)


def z_curves(rows: pl.DataFrame) -> Iterator[ZCurve]:
    """Yield, for the group furthest behind among all applicants, how Z would grow with the number of people.

    The rates stay as they are and the groups count as equally large, as in Figure 14 of
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
        crossing = stats.z_curve(rate, difference, 2).crossing
        sizes = np.unique(np.geomspace(2, max(4 * here, 1.5 * (crossing or 0.0), 100.0), 60).astype(np.int64))
        curve = stats.z_curve(rate, difference, sizes).statistic
        yield ZCurve(
            **{name: row[name] for name in (*FAMILY, "focal", "reference", "rate_focal", "rate_reference", "z")},
            n_per_group=here,
            crossing=crossing,
            points=tuple((float(n), float(z)) for n, z in zip(sizes, curve, strict=True)),
        )
