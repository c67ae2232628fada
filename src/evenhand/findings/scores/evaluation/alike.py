"""Individual fairness: whether similar people are scored and decided alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.findings.scores.evaluation.judged import Floats, Ints
from evenhand.stats import similar_pairs
from evenhand.tables.audit.applicants.predictions import SimilarDecisions
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import LIPSCHITZ, SIMILAR_APART
from evenhand.tables.schemas import PROTECTED

__all__ = ["Alike", "similar_findings"]


@dataclass(frozen=True, kw_only=True)
class Alike:
    """People with the columns by which they are alike; `rows` as those of `Predictions`."""

    numbers: Floats
    words: Ints
    rows: pl.DataFrame
    within: float


def similar_findings(alike: Alike, attributes: Sequence[str], *, confidence: float) -> Iterator[Finding]:
    """Yield the share of close pairs that were decided differently, of all and of two groups, and the quotient."""
    score = alike.rows["score"].to_numpy()
    selected = alike.rows["selected"].to_numpy() if "selected" in alike.rows.columns else None
    apart: dict[str | None, Ints | None] = {None: None}
    for name in attributes:
        apart[name] = alike.rows[PROTECTED + name].fill_null(-1).to_numpy().astype(np.int64)
    for attribute, codes in apart.items():
        known = np.ones(score.size, dtype=np.bool_) if codes is None else codes >= 0
        found = similar_pairs(
            alike.numbers[known],
            alike.words[known],
            score[known],
            None if selected is None else selected[known],
            within=alike.within,
            apart=None if codes is None else codes[known],
            confidence=confidence,
        )
        details = SimilarDecisions(
            attribute=attribute,
            within=alike.within,
            pairs=found.pairs,
            different=found.different,
            largest_quotient=found.largest_quotient,
            identical=found.identical,
            identical_apart=found.identical_apart,
        )
        suffix = "" if attribute is None else "_across_" + "_".join(attribute.split())
        where: Mapping[str, str] = {} if attribute is None else {"pairs of different": attribute}
        yield Finding(
            name=f"{SIMILAR_APART}{suffix}",
            measure=SIMILAR_APART,
            slice=dict(where),
            role="descriptive",
            estimate=found.estimate,
            low=found.low,
            high=found.high,
            confidence=confidence,
            n=found.n,
            clusters={"person": found.n},
            method=found.method,
            reason=found.reason,
            details=details,
        )
        if attribute is None:
            yield Finding(
                name=LIPSCHITZ,
                measure=LIPSCHITZ,
                role="descriptive",
                estimate=found.quotient,
                confidence=confidence,
                measured_in="score per distance",
                n=found.n,
                clusters={"person": found.n},
                method="95th percentile over close pairs",
                reason="No two people are that close, and not identical." if found.quotient is None else NO_INTERVAL,
                details=details,
            )


NO_INTERVAL = "An extreme of pairs that share people has no interval."
