"""`--block`: groups compared within blocks, such as the advertisement that all of a block applied to."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.impact.cells import GroupCells, cells_of
from evenhand.findings.impact.references import References, eligible_groups, reference_groups
from evenhand.stats import WithinBlocks, holm, within_blocks
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import BLOCK_DIFFERENCE
from evenhand.tables.impact_files import MEANS
from evenhand.tables.schemas import PROTECTED

__all__ = ["block_findings"]

LEVEL = 0.05


def block_findings(
    counts: pl.DataFrame,
    attributes: Sequence[str],
    references: References,
    *,
    clusters: Sequence[str],
    blocks: Sequence[str],
    confidence: float = 0.95,
) -> Iterator[Finding]:
    """Yield the difference of each group within blocks, among all applicants of a definition and a stage.

    `counts` are those of `measure_impact`, decisions or scores, apart by cluster and block: the codes of the columns
    `clusters`, and behind them those of `blocks`, stand in `cluster_0`, `cluster_1` and so on. p is adjusted over
    the groups of an attribute (Holm).
    """
    scores = "mean" in counts.columns
    if scores:
        counts = counts.with_columns(approach=pl.lit(MEANS), cutoff=pl.lit(None, pl.Float64))
        counts = counts.with_columns(value=pl.col("n") * pl.col("mean"))
    else:
        counts = counts.with_columns(value=pl.col("successes"))
    codes = [f"cluster_{place}" for place in range(len(clusters) + len(blocks))]
    for attribute in attributes:
        cells = cells_of(counts, [attribute], by_position=False)
        if len(cells.groups) < 2:
            continue
        reference = reference_groups(cells, references, eligible_groups(cells, min_share=0))
        for cell in np.flatnonzero(cells.whole):
            keys = cells.keys.row(int(cell), named=True)
            same = [pl.col(name).eq_missing(pl.lit(keys[name], counts[name].dtype)) for name in ("approach", "cutoff")]
            own = counts.filter(*same, pl.col("stage") == keys["stage"], pl.col(PROTECTED + attribute).is_not_null())
            entries = own.group_by(PROTECTED + attribute, *codes).agg(pl.col("n", "value").sum())
            against = int(reference[cell])
            groups = [group for group in range(len(cells.groups)) if group != against and cells.n[cell, group]]
            found = [
                _compared(entries, cells, (group, against), codes, clusters=len(clusters), confidence=confidence)
                for group in groups
            ]
            adjusted = holm([np.nan if each.p is None else each.p for each in found])
            for group, each, p in zip(groups, found, np.atleast_1d(adjusted.p), strict=True):
                yield _finding(cells, keys, group, against, each, p=float(p), clusters=clusters, blocks=blocks)


def _compared(
    entries: pl.DataFrame,
    cells: GroupCells,
    pair: tuple[int, int],
    codes: Sequence[str],
    *,
    clusters: int,
    confidence: float,
) -> WithinBlocks:
    """Return a group against the reference within blocks."""
    attribute = PROTECTED + cells.attributes[0]
    first, second = (cells.groups[group][0] for group in pair)
    both = entries.filter(pl.col(attribute).is_in([first, second]))
    focal = (both[attribute] == first).to_numpy()
    n, value = both["n"].to_numpy().astype(np.float64), both["value"].to_numpy().astype(np.float64)
    block = both.select(pl.struct(codes[clusters:]).rank("dense")).to_series().to_numpy()
    ways = [both[name].to_numpy() for name in codes[:clusters]]
    return within_blocks(
        value * focal, n * focal, value * ~focal, n * ~focal, block.astype(np.int64), ways, confidence=confidence
    )


def _finding(
    cells: GroupCells,
    keys: dict[str, Any],
    group: int,
    against: int,
    found: WithinBlocks,
    *,
    p: float,
    clusters: Sequence[str],
    blocks: Sequence[str],
) -> Finding:
    names = clusters or [" × ".join(blocks)]
    parts = {name: str(keys[name]) for name in ("approach", "stage") if keys[name] not in {"", "selected"}}
    if keys["cutoff"] is not None and keys["approach"] == "cutoff":
        parts["cutoff"] = f"{keys['cutoff']:g}"
    label = cells.labels[group]
    adjusted = None if np.isnan(p) else p
    return Finding(
        name="_".join("_".join([BLOCK_DIFFERENCE, cells.name, label, *parts.values()]).split()),
        measure=BLOCK_DIFFERENCE,
        slice=parts,
        focal=cells.named(label),
        reference=cells.named(cells.labels[against]),
        role="planned",
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        confidence=found.confidence,
        measured_in="points" if cells.mean is not None else "share",
        null_value=0.0,
        n=found.n,
        clusters={" × ".join(blocks): found.blocks} | dict(zip(names, found.clusters, strict=False)),
        method=f"{found.method} ({', '.join(names)})",
        tests=(Test(name="Cluster-robust t", statistic=found.t, p=found.p, reason=found.reason),),
        p_adjusted=adjusted,
        adjustment=None if adjusted is None else "Cluster-robust t, Holm over the groups",
        verdict=None if adjusted is None else "difference" if adjusted < LEVEL else "inconclusive",
        reason=found.reason,
    )
