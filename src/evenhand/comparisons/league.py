"""Ranks of three models or more by how far they lie from no difference, with intervals that hold together.

A model with the value a has the distance |a − c| from the value c of no difference. With D = a − b and T = a + b − 2c
of two models, the distances differ by min(|D|, |T|); the first is nearer where D and T have opposite signs. So equal
distances are refuted where D and T both differ from 0: the larger p of their t tests counts (intersection–union test,
Berger 1982, Technometrics 24, 295).

The score of a model is the mean of its distances, each as a share of the largest possible one. Where it is known on
which side of no difference each value lies, scores and their differences are sums of values with known signs, and the
sum of half-widths bounds that of the sum, however measures correlate (Cauchy–Schwarz). A tenth of the level goes to the
sides (Bonferroni), the rest to the sum over all sides that are possible (Berger and Boos 1994, Journal of the American
Statistical Association 89, 1012).

Pairs of models by the score are a family, and so are those by measures (Holm). A model's best rank is 1 plus the models
that were nearer, its worst the number of models minus those that were further; in a family these hold together
for all models with 95 % (Mogstad, Romano, Shaikh and Wilhelm 2024, Review of Economic Studies 91, section 3). So do the
intervals of the scores (Bonferroni over models).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import polars as pl

from evenhand.comparisons.claims import HOLM, uncorrected
from evenhand.comparisons.clusterings import Limits
from evenhand.results.finding import Finding, Test
from evenhand.results.probe_groups import DISTANCE, MODEL, RANK, SCORE

#: Fewer models have no league table: their differences say all.
FEWEST: Final = 3
FAMILY: Final = "ranks of the models by measures"
SCORE_FAMILY: Final = "ranks of the models by the score"
_CONFIDENCE: Final = 0.95
#: The share of a level that is spent on the sides of no difference.
_ON_SIDES: Final = 0.1
#: The least p of two scores, and how often the step towards a larger one is halved.
_LEAST_P: Final = 1e-12
_HALVINGS: Final = 40


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """A model's value minus that of no difference, or the difference or sum of two such, with its limits."""

    estimate: float
    limits: Limits

    def interval(self, confidence: float) -> tuple[float, float] | None:
        """Return the limits at a level; None where there are none."""
        limits = self.limits(confidence)
        return None if limits.low is None or limits.high is None else (limits.low, limits.high)


@dataclass(frozen=True, kw_only=True)
class Standings:
    """One measure of several models; `largest` is the largest possible distance from no difference.

    `rows` are the models' own findings, `own` their values, `pairs` the difference and the sum of each two; what has no
    limits is None.
    """

    prefix: str
    measure: str
    rows: Mapping[str, Finding]
    own: Mapping[str, Contrast | None]
    pairs: Mapping[tuple[str, str], tuple[Contrast | None, Contrast | None]]
    largest: float | None


def slug(label: str) -> str:
    """Return a model's label as part of a finding's name."""
    return "_".join(re.findall(r"[^\W_]+", label.lower()))


def distance_findings(measures: Sequence[Standings]) -> list[Finding]:
    """Return how much further than another each model lies in each measure, and the scores with their differences."""
    scored = [standings for standings in measures if standings.largest is not None]
    result = [_further(pair, [standings]) for standings in measures for pair in standings.pairs]
    if len(scored) > 1:
        result += [_score(model, scored) for model in scored[0].rows]
        result += [_further(pair, scored) for pair in scored[0].pairs]
    return result


def _further(pair: tuple[str, str], measures: Sequence[Standings]) -> Finding:
    """Return the first model's distance minus the second's, of one measure or averaged over several."""
    first, second = pair
    contrasts = [standings.pairs[pair] for standings in measures]
    owns = [[own for model in pair if (own := standings.own[model]) is not None] for standings in measures]
    known = [(one, both) for one, both in contrasts if one is not None and both is not None]
    weights = _weights(measures)
    n = [min(standings.rows[model].n for standings in measures) for model in pair]
    estimate = p = reason = None
    if len(known) < len(contrasts):
        reason = "One of the models has no value with an interval."
    else:
        estimate = sum(
            weight * _signed(one.estimate, both.estimate) for weight, (one, both) in zip(weights, known, strict=True)
        )
        p = _larger_p(*known[0]) if len(known) == 1 else _score_p(known, owns, weights)
        reason = None if p is not None else "The models agree on every prompt, or their answers don't vary."
    method = (
        "t tests of difference and sum, both"
        if len(measures) == 1
        else "limits of the sum over measures, Berger and Boos"
    )
    claim = uncorrected(
        Test(name=method, statistic=None, p=p),
        planned=False,
        family=FAMILY if len(measures) == 1 else SCORE_FAMILY,
        n=(n[0], n[1]),
        correction=HOLM,
        reason=reason,
    )
    return Finding(
        **_named(measures, DISTANCE, f"{slug(first)}_minus_{slug(second)}"),
        focal={MODEL: first},
        reference={MODEL: second},
        role="exploratory",
        estimate=estimate,
        null_value=0.0,
        n=sum(n),
        clusters={},
        method=method,
        reason=reason,
        claim=claim,
    )


def _named(measures: Sequence[Standings], what: str, of: str) -> dict[str, Any]:
    """Return name, measure and unit of a finding of one measure, or of the score of several."""
    if len(measures) > 1:
        return {"name": f"{SCORE}{what}_{of}", "measure": SCORE + what, "measured_in": "share"}
    measure = f"{measures[0].measure}{what}"
    unit = next(iter(measures[0].rows.values())).measured_in
    return {"name": f"{measures[0].prefix}_{measure}_{of}", "measure": measure, "measured_in": unit}


def _weights(measures: Sequence[Standings]) -> list[float]:
    if len(measures) == 1:
        return [1.0]
    return [1 / (len(measures) * (standings.largest or 1.0)) for standings in measures]


def _signed(difference: float, total: float) -> float:
    """Return the difference of two distances.

    >>> _signed(0.3 - -0.2, 0.3 + -0.2), _signed(-0.2 - 0.3, -0.2 + 0.3)
    (0.09999999999999998, -0.09999999999999998)
    """
    least = min(abs(difference), abs(total))
    return least if difference * total > 0 else -least


def _larger_p(difference: Contrast, total: Contrast) -> float | None:
    known = [p for p in (one.limits(_CONFIDENCE).p for one in (difference, total)) if p is not None]
    return max(known) if len(known) == 2 else None


#: A value with the sign that its side of no difference gives it; of two models the difference or the sum.
Signed = tuple[int, Contrast]


def _sides(own: Contrast, level: float) -> tuple[int, ...]:
    """Return the sides of no difference on which a value may lie."""
    low, high = own.interval(1 - level) or (0.0, 0.0)
    return (1,) if low > 0 else (-1,) if high < 0 else (1, -1)


def _summed(forms: Sequence[Sequence[Signed]], weights: Sequence[float], level: float) -> tuple[float, float]:
    """Return the limits of a weighted sum of measures, over all signs that each may have."""
    low = high = 0.0
    for weight, signed in zip(weights, forms, strict=True):
        ends = [sign * end for sign, one in signed for end in one.interval(1 - level) or (0.0, 0.0)]
        low, high = low + weight * min(ends), high + weight * max(ends)
    return low, high


def _score_p(
    known: Sequence[tuple[Contrast, Contrast]], owns: Sequence[Sequence[Contrast]], weights: Sequence[float]
) -> float | None:
    """Return the largest level whose limits allow equal scores; None without limits.

    `known` has the difference and the sum of two models in each measure, `owns` their values.
    """
    if any(one.interval(_CONFIDENCE) is None for both in (*known, *owns) for one in both):
        return None

    def holds_zero(level: float) -> bool:
        # |a| − |b| is a − b where both lie on one side, else a + b, with the sign of a.
        forms = [
            [(side, both[side != other]) for side, other in product(*(_sides(one, _spent(level, owns)) for one in own))]
            for both, own in zip(known, owns, strict=True)
        ]
        low, high = _summed(forms, weights, (1 - _ON_SIDES) * level)
        return low <= 0 <= high

    low, high = _LEAST_P, 1.0
    for _ in range(_HALVINGS):
        level = (low * high) ** 0.5
        low, high = (level, high) if holds_zero(level) else (low, level)
    return high


def _spent(level: float, owns: Sequence[Sequence[Contrast]]) -> float:
    """Return the level at which each side is decided."""
    return _ON_SIDES * level / sum(map(len, owns))


def _score(model: str, measures: Sequence[Standings]) -> Finding:
    """Return a model's mean distance, with limits that hold together for all models."""
    own = [standings.own[model] for standings in measures]
    known = [one for one in own if one is not None]
    values: dict[str, Any] = {"estimate": None, "reason": None}
    if len(known) < len(own):
        lacking = next(one.measure for one in measures if one.own[model] is None)
        values["reason"] = f"{model} has no value with an interval in {lacking}."
    else:
        weights = _weights(measures)
        values = {"estimate": sum(weight * abs(one.estimate) for weight, one in zip(weights, known, strict=True))}
        if any(one.interval(_CONFIDENCE) is None for one in known):
            values["reason"] = (
                "The answers to a measure don't vary, so the uncertainty of the score can't be estimated."
            )
        else:
            level = (1 - _CONFIDENCE) / len(measures[0].rows)
            spent = _spent(level, [known])
            forms = [[(side, one) for side in _sides(one, spent)] for one in known]
            low, high = _summed(forms, weights, (1 - _ON_SIDES) * level)
            values |= {"low": max(0.0, low), "high": min(1.0, high)}
    return Finding(
        **_named(measures, "", slug(model)),
        slice={MODEL: model},
        role="descriptive",
        n=min(standings.rows[model].n for standings in measures),
        clusters={},
        method="limits of the sum over measures, Berger and Boos; Bonferroni over models",
        **values,
    )


def rank_findings(findings: Sequence[Finding]) -> list[Finding]:
    """Return the rank of each model in each measure, by differences of distances whose claims are corrected."""
    result = []
    by_measure: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if (
            finding.measure.endswith(DISTANCE)
            and finding.claim is not None
            and finding.claim.family in {FAMILY, SCORE_FAMILY}
        ):
            prefix = finding.name.partition(finding.measure)[0]
            by_measure.setdefault((prefix, finding.measure.removesuffix(DISTANCE)), []).append(finding)
    for (prefix, measure), pairs in by_measure.items():
        models = list(dict.fromkeys(model for pair in pairs for model in (pair.focal[MODEL], pair.reference[MODEL])))
        for model in models:
            # Above 0 the model lies further from no difference than the other.
            beside = [
                (pair, (pair.estimate or 0.0) * (1 if pair.focal[MODEL] == model else -1))
                for pair in pairs
                if model in (pair.focal[MODEL], pair.reference[MODEL])
            ]
            known = any(pair.estimate is not None for pair, _ in beside)
            result.append(
                Finding(
                    name=f"{prefix}{measure}{RANK}_{slug(model)}",
                    measure=measure + RANK,
                    slice={MODEL: model},
                    role="descriptive",
                    estimate=1.0 + sum(further > 0 for _, further in beside) if known else None,
                    low=1.0 + sum(pair.is_difference and further > 0 for pair, further in beside) if known else None,
                    high=float(len(models) - sum(pair.is_difference and further < 0 for pair, further in beside))
                    if known
                    else None,
                    measured_in="place",
                    n=max(pair.n for pair, _ in beside),
                    clusters={},
                    method="best and worst rank by the corrected comparisons",
                    reason=None if known else "It has no value with an interval.",
                )
            )
    return result


def league_table(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return a row per measure and model: value, limits, rank and the ranks that are possible."""
    own = {(finding.name, finding.slice[MODEL]): finding for finding in findings if MODEL in finding.slice}
    rows = list[dict[str, Any]]()
    for (name, model), rank in own.items():
        if rank.measure.endswith(RANK):
            value = own[name.replace(rank.measure, rank.measure.removesuffix(RANK)), model]
            limits = {"estimate": value.estimate, "low": value.low, "high": value.high}
            ranks = {"rank": rank.estimate, "best_rank": rank.low, "worst_rank": rank.high}
            rows.append({"measure": name.partition(RANK)[0], "model": model, "n": value.n, **limits, **ranks})
    kinds: dict[str, Any] = {"measure": pl.String(), "model": pl.String(), "n": pl.Int64()}
    places = ("rank", "best_rank", "worst_rank")
    frame = pl.DataFrame(rows, schema=kinds | dict.fromkeys(("estimate", "low", "high", *places), pl.Float64()))
    return frame.with_columns(pl.col(places).cast(pl.Int64))
