"""Selection by years of age: a curve with its band, and whether age goes along with selection at all."""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.comparisons.claims import HOLM, in_families, uncorrected
from evenhand.comparisons.impact import Impact
from evenhand.results.applicant_audit import AgeRate
from evenhand.results.finding import AgeCurve, Finding, Test
from evenhand.results.measures import AGE_ASSOCIATION, AGE_ODDS_RATIO
from evenhand.results.schemas import AGES

FAMILY, DECADE = "years of age", 10


def with_ages(
    impact: Impact, counts: pl.DataFrame, *, clusters: tuple[str, ...] = (), confidence: float = 0.95
) -> Impact:
    """Return an analysis with the curve of the selection rate by years of age; arguments as of `age_findings`."""
    rows, findings = age_findings(counts, clusters=clusters, confidence=confidence)
    shown = tuple(AgeRate(**row) for row in rows.drop_nulls().iter_rows(named=True))
    return replace(
        impact,
        findings=[*impact.findings, *in_families(findings)],
        further={**impact.further, "age": rows},
        small_tables=replace(impact.small_tables, ages=shown),
    )


def age_findings(
    counts: pl.DataFrame, *, clusters: tuple[str, ...] = (), confidence: float = 0.95
) -> tuple[pl.DataFrame, list[Finding]]:
    """Return the rows of age.csv, and whether the selection rate varies with age and by how much in ten years.

    `counts` are n and successes by years, and by the codes of `clusters`. Of two clusterings the larger p counts.
    """
    at = np.arange(int(counts["years"].min()), int(counts["years"].max()) + 1, dtype=np.float64)  # type: ignore[arg-type]
    columns = [counts[name].to_numpy() for name in ("years", "successes", "n")]
    ways: list[Any] = [counts[f"cluster_{place}"].to_numpy() for place in range(len(clusters))]
    curves = [stats.rate_curve(*columns, at=at, clusters=codes, confidence=confidence) for codes in ways or [None]]
    curve = max(curves, key=lambda each: 2.0 if each.p_association is None else each.p_association)
    by_age = counts.group_by("years").agg(pl.col("n", "successes").sum())
    rows = (
        pl.DataFrame({"years": at.astype(np.int64), "rate": curve.rate, "low": curve.low, "high": curve.high})
        .join(by_age, on="years", how="left")
        .with_columns(pl.col("n", "successes").fill_null(0), pl.col("rate", "low", "high").fill_nan(None))
        .rename({"successes": "selected"})
        .select(pl.col(name).cast(kind) for name, kind in AGES.items())
    )
    selected, people = int(by_age["successes"].sum()), int(by_age["n"].sum())
    inside = (at >= curve.knots[0]) & (at <= curve.knots[-1]) if curve.knots else np.zeros(at.shape, dtype=np.bool_)
    least, most = (float(end(curve.rate[inside])) if inside.any() else None for end in (np.min, np.max))
    suffix = f", cluster-robust by {' × '.join(clusters)}" if clusters else ""
    counted = {"person": people} if curve.clusters is None else {" × ".join(clusters): curve.clusters}
    any_age = Test(
        name=f"Any association with age, {curve.test}", statistic=curve.association, p=curve.p_association,
        reason=curve.reason,
    )  # fmt: skip
    straight = Test(
        name=f"Otherwise than in a straight line, {curve.test}", statistic=curve.curvature, p=curve.p_curvature,
        reason=curve.reason,
    )  # fmt: skip
    slope = Test(name="Straight line in log odds, Wald", statistic=curve.line, p=curve.p_line, reason=curve.reason)
    common: dict[str, Any] = {
        "role": "exploratory",
        "confidence": confidence,
        "measured_in": "ratio",
        "null_value": 1.0,
        "n": people,
        "clusters": counted,
        "reason": curve.reason,
        "details": AgeCurve(
            selected=selected,
            knots=curve.knots,
            lowest=least,
            highest=most,
            age_lowest=None if least is None else float(at[inside][np.argmin(curve.rate[inside])]),
            age_highest=None if most is None else float(at[inside][np.argmax(curve.rate[inside])]),
        ),
    }
    claims: dict[str, Any] = {"planned": False, "family": FAMILY, "correction": HOLM, "reason": curve.reason}

    def decade(value: float | None) -> float | None:
        return None if value is None else value**DECADE

    return rows, [
        Finding(
            name=AGE_ASSOCIATION,
            measure=AGE_ASSOCIATION,
            estimate=None if least is None or not most else least / most,
            method=f"lowest over highest rate of the curve between the outer knots{suffix}",
            tests=(any_age, straight),
            claim=uncorrected(any_age, **claims),
            **common,
        ),
        Finding(
            name=AGE_ODDS_RATIO,
            measure=AGE_ODDS_RATIO,
            estimate=decade(curve.odds_ratio),
            low=decade(curve.odds_low),
            high=decade(curve.odds_high),
            method=f"odds ratio of ten years more, logistic regression{suffix}",
            tests=(slope,),
            claim=uncorrected(slope, **claims),
            **common,
        ),
    ]
