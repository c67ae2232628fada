"""Whether ratios of rates were shown to be above a margin, such as four fifths, and within it and its inverse."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand import stats
from evenhand.results.finding import LEVEL, Finding, ImpactRatio, PooledOdds
from evenhand.stats.special import stdtr

Floats = NDArray[np.float64]
#: Rows up to which one-sided tests within positions are exact.
MOST_EXACT: Final = 500
CLUSTERED: Final = "cluster-robust t of the log ratio, CR2"


def margin_columns(counts: Sequence[Any], *, whole: NDArray[np.bool_], margin: float) -> dict[str, Any]:
    """Return the columns of one-sided tests of independent people: selected and people, focal then reference.

    They are exact in the rows of `whole`, which are claims, and in all where they are few.
    """
    exact = whole | (whole.size <= MOST_EXACT)
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
        "margin_test": np.where(np.isnan(above), "", CLUSTERED),
    }


def corrected_within(p: Floats, family: NDArray[np.int64]) -> Floats:
    """Return one-sided p corrected within each family (Holm), NaN where there is none; -1 is no family."""
    corrected = np.where(family < 0, p, np.nan)
    for number in np.unique(family[family >= 0]):
        rows = np.flatnonzero((family == number) & ~np.isnan(p))
        corrected[rows] = stats.holm(p[rows]).p
    return corrected


def with_margin_claims(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings whose ratios of rates were, or were not, shown to be above and within the margin.

    All planned ones of a run are one family (Holm), whatever estimates them; crossed groups are one by attributes.
    """
    result = list(findings)
    families: dict[str, list[int]] = {}
    for place, finding in enumerate(findings):
        details = finding.details
        if finding.claim is None or not isinstance(details, ImpactRatio | PooledOdds) or details.p_above_margin is None:
            continue
        families.setdefault("" if finding.claim.planned else finding.claim.family, []).append(place)
    for places in families.values():
        for name in ("above", "within"):
            p = [getattr(result[place].details, f"p_{name}_margin", None) for place in places]
            judged = [(place, value) for place, value in zip(places, p, strict=True) if value is not None]
            corrected = stats.holm([value for _, value in judged]).p
            for (place, _), value in zip(judged, corrected.tolist(), strict=True):
                finding = result[place]
                known: dict[str, Any] = {f"p_{name}_adjusted": value, "margin_comparisons": len(places)}
                field = "above_margin" if name == "above" else "equivalent"
                assert finding.claim is not None
                result[place] = replace(
                    finding,
                    details=replace(finding.details, **known),
                    claim=replace(finding.claim, **{field: value < LEVEL}),
                )
    return result
