"""The rows of pooled.csv: one odds ratio over all positions, with the reference held fixed."""

import numpy as np
import polars as pl

from evenhand.findings.impact.cells import GroupCells
from evenhand.findings.impact.references import References, eligible_groups, reference_groups
from evenhand.stats import breslow_day, mantel_haenszel
from evenhand.tables.impact_files import POOLED

__all__ = ["pooled_rows"]


def pooled_rows(
    cells: GroupCells, references: References, *, min_share: float = 0.0, confidence: float = 0.95
) -> pl.DataFrame:
    """Return one row per approach, cut-off, stage and group, over the positions as strata.

    The reference is that of all applicants together. `simpson` is true where these and the
    strata point in different directions: whom the pooled rates show behind is ahead within
    positions. Scores have no such table.
    """
    if cells.mean is not None or cells.whole.all() or len(cells.groups) < 2:
        return pl.DataFrame(schema=POOLED)
    eligible = eligible_groups(cells, min_share=min_share)
    reference = reference_groups(cells, references, eligible)
    rows = []
    for whole in np.flatnonzero(cells.whole):
        own = cells.keys.select(
            (pl.col(name).eq_missing(pl.lit(cells.keys[name][int(whole)], cells.keys[name].dtype))).alias(name)
            for name in ("approach", "cutoff", "stage")
        )
        strata = np.flatnonzero(own.select(pl.all_horizontal(pl.all())).to_series().to_numpy() & ~cells.whole)
        against = int(reference[whole])
        if against < 0 or not strata.size:
            continue
        rows += [
            _row(cells, int(whole), strata, group, against, confidence=confidence)
            for group in range(len(cells.groups))
            if group != against and eligible[group]
        ]
    return pl.DataFrame(rows, schema=POOLED, orient="row")


def _row(
    cells: GroupCells, whole: int, strata: np.ndarray, group: int, against: int, *, confidence: float
) -> dict[str, object]:
    counts = [matrix[strata, column] for column in (group, against) for matrix in (cells.selected, cells.n)]
    common, alike = mantel_haenszel(*counts, confidence=confidence), breslow_day(*counts)
    focal, reference = (float(cells.rates[whole, column]) for column in (group, against))
    keys = cells.keys.row(whole, named=True)
    directions = 0.0 if common.estimate is None else np.sign(focal - reference) * np.sign(common.estimate - 1)
    return {
        "attribute": cells.name,
        "focal": cells.labels[group],
        "reference": cells.labels[against],
        "strata": common.strata,
        "or_mh": common.estimate,
        "or_low": common.low,
        "or_high": common.high,
        "chi2_mh": common.chi2,
        "p_mh": common.p,
        "chi2_mh_cc": common.chi2_corrected,
        "p_mh_cc": common.p_corrected,
        "chi2_bd": alike.chi2,
        "p_bd": alike.p,
        "chi2_bd_tarone": alike.chi2_tarone,
        "p_bd_tarone": alike.p_tarone,
        "simpson": None if common.estimate is None else bool(directions < 0),
        "approach": keys["approach"],
        "cutoff": keys["cutoff"],
        "stage": keys["stage"],
        "rate_focal": focal,
        "rate_reference": reference,
        "n": common.n,
        "reason": common.reason or alike.reason,
    }
