"""A finding beside the differences of scores: the mean of any value of pairs, with the primary interval and tests."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.scores.perturbation.arms import Pairs
from evenhand.findings.scores.perturbation.differences import SIGN_FLIP, Asked, name_of, where_of
from evenhand.findings.scores.perturbation.primary import person_means, primary_difference
from evenhand.stats import sign_flip_columns
from evenhand.tables.details import Details
from evenhand.tables.finding import Finding, Test

__all__ = ["finding_beside"]


def finding_beside(
    pairs: Pairs,
    values: NDArray[np.float64],
    asked: Asked,
    *,
    measure: str,
    measured_in: str = "share",
    tests: Sequence[Test] = (),
    details: Details | None = None,
    reason: str | None = None,
) -> Finding:
    """Return the mean of a value of each pair, as the group less as the reference; `reason` goes before its own.

    Limits of a difference of shares that no shares can have are cut to -1 and 1.
    """
    primary = primary_difference(values, pairs.person, pairs.name, margin=None, confidence=asked.confidence)
    low, high = primary.low, primary.high
    if measured_in == "share" and low is not None and high is not None:
        low, high = max(low, -1.0), min(high, 1.0)
    p_signflip = None
    if values.size:
        means = person_means(values, pairs.person)[:, None]
        rng = np.random.default_rng((asked.seed, len(measure)))
        (p_signflip,) = sign_flip_columns(means, permutations=asked.permutations, rng=rng)
    told = " × ".join(primary.clusters) or "resume"
    return Finding(
        name=name_of(pairs, measure),
        measure=measure,
        **where_of(pairs, asked.by),
        role="descriptive",
        estimate=primary.estimate,
        low=low,
        high=high,
        confidence=asked.confidence,
        measured_in=measured_in,
        null_value=0.0,
        n=values.size,
        clusters=dict(primary.clusters),
        method=primary.method,
        tests=(
            Test(name=f"t test, {told}", statistic=primary.t, p=primary.p, reason=primary.reason),
            Test(name=SIGN_FLIP, statistic=primary.estimate, p=p_signflip),
            *tests,
        ),
        reason=reason or primary.reason,
        details=Details() if details is None else details,
    )
