"""Many positions against one reference: shrunken ratios, their rank, and which differ at a false discovery rate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons import impact_cells, impact_tables
from evenhand.comparisons.impact_cells import Floats, GroupCells, ImpactChoices, Ints, Pairs
from evenhand.results.finding import LEVEL, Finding, PositionsRanked
from evenhand.results.measures import POSITIONS_DIFFERING
from evenhand.results.schemas import POSITIONS

METHOD = "Benjamini-Hochberg"


@dataclass(frozen=True, kw_only=True)
class PositionRanks:
    """The rows of positions.csv, and how many positions of each group differ."""

    rows: pl.DataFrame
    findings: list[Finding]


def position_ranks(cells: GroupCells, choices: ImpactChoices) -> PositionRanks:
    """Return the positions of each approach, cut-off, stage and group, the likeliest below four fifths first.

    The reference is that of all applicants: the group with the highest rate of a position alone would be another in the
    next one, and no ratio above 1. p is that of the deciding test, corrected over all groups and positions; pairs that
    another reference would have made count.
    """
    parts = list(_ranked(cells, choices))
    return PositionRanks(
        rows=pl.concat([pl.DataFrame(schema=POSITIONS), *(rows for rows, _ in parts)]),
        findings=[finding for _, finding in parts],
    )


def relative_rates(
    counts: Mapping[tuple[str, ...], Mapping[str, tuple[int, int]]],
) -> dict[tuple[str, ...], dict[str, float]]:
    """Return each group's rate over that of the largest group in the same place, shrunk over all places.

    `counts` are selected and people by group and place. Where the largest group is absent there is none. Fewer than
    three places are not shrunk; half a person more keeps their ratios finite.

    >>> relative_rates({("f",): {"a": (1, 10), "b": (0, 4)}, ("m",): {"a": (4, 20)}})
    {('f',): {'a': 0.6363636363636364}, ('m',): {'a': 1.0}}
    """
    largest = max(counts.values(), key=lambda of: sum(n for _, n in of.values()))
    rates = {}
    for group, of in counts.items():
        places = [place for place in of if place in largest]
        both = np.array([(*of[place], *largest[place]) for place in places], dtype=np.float64).reshape(-1, 4).T
        ratios = np.ones(len(places))
        if of is not largest:
            shrunken = stats.shrunken_ratios(*both).estimate
            raw = (both[0] + 0.5) / (both[1] + 1) / ((both[2] + 0.5) / (both[3] + 1))
            ratios = np.where(np.isnan(shrunken), raw, shrunken)
        rates[group] = dict(zip(places, ratios.tolist(), strict=True))
    return rates


def _ranked(cells: GroupCells, choices: ImpactChoices) -> Iterator[tuple[pl.DataFrame, Finding]]:
    if cells.mean is not None or cells.suppressed is not None or len(cells.groups) < 2:
        return
    reference = impact_cells.reference_groups(cells, choices.references)
    for whole in np.flatnonzero(cells.whole):
        against = int(reference[whole])
        strata = np.flatnonzero((cells.whole_of == whole) & ~cells.whole)
        groups = [group for group in np.flatnonzero(cells.judged).tolist() if group != against]
        if against < 0 or strata.size < stats.FEWEST_PLACES or not groups:
            continue
        p = np.array([_p(cells, _pairs(strata, group, against), confidence=choices.confidence) for group in groups])
        unseen = impact_tables.unseen_pairs(cells, choices.references, np.full(cells.keys.height, against))
        others = unseen.p[np.isin(unseen.cell, strata)]
        known = ~np.isnan(p)
        corrected = np.full(p.shape, np.nan)
        family = stats.benjamini_hochberg(np.concatenate([p[known], others]))
        corrected[known] = family.p[: int(known.sum())]
        for group, own, adjusted in zip(groups, p, corrected, strict=True):
            yield _of_group(
                cells,
                int(whole),
                strata,
                (group, against),
                p=own,
                adjusted=adjusted,
                comparisons=family.family,
                confidence=choices.confidence,
            )


def _p(cells: GroupCells, pairs: Pairs, *, confidence: float) -> Floats:
    """Return the p of the deciding test in each position, NaN where there is none."""
    a, n, c, m = pairs.counts(cells)
    if cells.clusters is None:
        p = np.asarray(stats.fisher_exact(a, n, c, m).p, dtype=np.float64)
    else:
        level = np.full(n.size, LEVEL / n.size)
        p = cells.clusters.compared(pairs, binary=True, level=level, confidence=confidence).p
    return np.where((n > 0) & (m > 0) & (a + c > 0), p, np.nan)


def _pairs(strata: Ints, group: int, against: int) -> Pairs:
    return Pairs(strata, np.full(strata.size, group), np.full(strata.size, against))


def _effect(cells: GroupCells, strata: Ints, pair: tuple[int, int]) -> float:
    """Return the design effect of clusters within positions, the larger one of two clusterings; at least 1."""
    clusters = cells.clusters
    if clusters is None:
        return 1.0
    entries = np.flatnonzero(np.isin(clusters.cell, strata) & np.isin(clusters.group, pair))
    place = clusters.cell[entries] * len(cells.groups) + clusters.group[entries]
    effects = [1.0]
    for codes in clusters.codes:
        at = np.stack([place, codes[entries]])
        (of, _), inverse = np.unique(at, axis=1, return_inverse=True)
        total, n = (np.bincount(inverse.ravel(), each[entries]) for each in (clusters.total, clusters.n))
        effects.append(stats.design_effect(of, total, n).estimate or 1.0)
    return max(effects)


def _of_group(
    cells: GroupCells,
    whole: int,
    strata: Ints,
    pair: tuple[int, int],
    *,
    p: Floats,
    adjusted: Floats,
    comparisons: int,
    confidence: float,
) -> tuple[pl.DataFrame, Finding]:
    a, n, c, m = _pairs(strata, *pair).counts(cells)
    effect = _effect(cells, strata, pair)
    shrunken = stats.shrunken_ratios(a, n, c, m, effect=effect, confidence=confidence)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where((n > 0) & (m > 0) & (c > 0), (a / n) / (c / m), np.nan)
        lower = a * m < c * n
    keys, focal, reference = cells.keys.row(whole, named=True), *(cells.labels[group] for group in pair)
    rows = pl.DataFrame(
        {
            **{name: [keys[name]] * strata.size for name in ("approach", "cutoff", "stage")},
            "attribute": [cells.name] * strata.size,
            "focal": [focal] * strata.size,
            "reference": [reference] * strata.size,
            "position": cells.keys["position"].gather(strata),
            "n_focal": n,
            "selected_focal": a,
            "n_reference": m,
            "selected_reference": c,
            "impact_ratio": ratio,
            "shrunken_ratio": shrunken.estimate,
            "low": shrunken.low,
            "high": shrunken.high,
            "probability_below": shrunken.below,
            "p": p,
            "p_fdr": adjusted,
            "reason": shrunken.reason,
        },
        schema_overrides={"cutoff": pl.Float64},
    ).with_columns(pl.selectors.float().fill_nan(None), pl.col("reason").replace("", None))
    order = ["probability_below", "shrunken_ratio", "position"]
    rows = rows.sort(order, descending=[True, False, False], nulls_last=True)
    rank = pl.when(pl.col("probability_below").is_not_null()).then(pl.int_range(1, pl.len() + 1))
    rows = rows.with_columns(rank=rank).select(list(POSITIONS)).cast(POSITIONS)  # type: ignore[arg-type]
    differs = adjusted < LEVEL
    tested = int((~np.isnan(p)).sum())
    nothing = "No position has two groups that can be tested."
    finding = Finding(
        **cells.of_group(focal, POSITIONS_DIFFERING, keys),
        reference=cells.named(reference),
        role="exploratory",
        estimate=float((differs & lower).sum() / tested) if tested else None,
        n=tested,
        clusters={"position": tested},
        method=f"positions with a lower rate and {METHOD}'s p below {LEVEL:g}, over positions with a test",
        reason=None if tested else nothing,
        details=PositionsRanked(
            positions=int(strata.size),
            lower=int((differs & lower).sum()),
            higher=int((differs & ~lower).sum()),
            comparisons=comparisons,
            ranked=shrunken.places,
            mean_ratio=shrunken.mean,
            spread=shrunken.spread,
            design_effect=effect if cells.clusters is not None else None,
        ),
    )
    return rows, finding
