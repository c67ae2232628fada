"""Odds ratios of groups from a mixed logistic model with random names and roles, and how far these differ."""

from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np

from evenhand.findings.population.decisions import Decisions
from evenhand.measures import MeasureSet
from evenhand.stats import holm
from evenhand.stats.regression.clustered_logistic import ClusteredLogistic, clustered_logistic
from evenhand.stats.regression.mixed_logistic import MixedLogistic, Spread, mixed_logistic
from evenhand.tables.details import FittedOdds, MixedOdds, MixedSpread
from evenhand.tables.finding import Alternative, Finding, Test
from evenhand.tables.grouped.names import MIXED_ODDS_RATIO, MIXED_SD

__all__ = ["MIXED_ODDS_RATIO", "MIXED_SD", "mixed_findings"]


def mixed_findings(decisions: Decisions, measured: MeasureSet, *, confidence: float) -> list[Finding]:
    """Return each group's odds ratio to the mean of all groups, and the SDs of names and roles.

    Beside each stands the odds ratio of a regression without random effects, whose
    interval assumes nothing about how names differ.
    """
    setting = measured.population or ""
    cells: dict[str, Any] = {
        "accepted": decisions.whole.accepted,
        "n": decisions.whole.n,
        "group": decisions.group[decisions.whole.carrier],
        "name": decisions.whole.carrier,
        "role": decisions.whole.second,
        "confidence": confidence,
    }
    fit = mixed_logistic(**cells)
    beside = clustered_logistic(**cells) if fit.reason is None else None
    factors = (measured.clusters[0], setting)
    return [
        *_odds_ratios(decisions, fit, beside, measured, factors=factors),
        *(_spread(spread, fit, factor=factor) for spread, factor in zip((fit.names, fit.roles), factors, strict=True)),
    ]


def _odds_ratios(
    decisions: Decisions,
    fit: MixedLogistic,
    beside: ClusteredLogistic | None,
    measured: MeasureSet,
    *,
    factors: tuple[str, str],
) -> list[Finding]:
    # Groups without a decision have no code in the fit.
    present = np.unique(decisions.group[decisions.whole.carrier]).tolist()
    adjusted = holm([each.p for each in fit.groups]).p if fit.groups else []
    n = decisions.by_group()[0][:, 0]
    random = [
        f"(1 | {factor})" for factor, spread in zip(factors, (fit.names, fit.roles), strict=True) if spread.levels > 1
    ]
    model = MixedOdds(
        formula=" + ".join([f"accepted ~ {' × '.join(measured.groups)}", *random]),
        cells=fit.cells,
        df=fit.df,
        dispersion=fit.dispersion,
    )
    findings = []
    for number, group in enumerate(decisions.groups):
        common: dict[str, Any] = {
            "name": f"{'_'.join('_'.join(value.lower().split()) for value in group.values())}_{MIXED_ODDS_RATIO}",
            "measure": MIXED_ODDS_RATIO,
            "focal": group,
            "reference": {"population": "mean of groups"},
            "role": "exploratory",
            "confidence": fit.confidence,
            "measured_in": "ratio",
            "null_value": 1.0,
            "n": fit.n,
            "clusters": {"name": fit.names.levels},
            "method": f"{fit.method}; odds over the geometric mean of all groups' odds",
        }
        own = replace(model, n_group=int(n[number]), names_group=int((decisions.group == number).sum()))
        if not fit.groups or number not in present:
            reason = fit.reason or "The group has no decision here."
            findings.append(Finding(**common, estimate=None, reason=reason, details=own))
            continue
        place = present.index(number)
        findings.append(_fitted(fit, place, _beside(beside, place), own, p_adjusted=float(adjusted[place]), **common))
    return findings


def _fitted(
    fit: MixedLogistic,
    place: int,
    beside: tuple[Alternative, float | None],
    own: MixedOdds,
    *,
    p_adjusted: float,
    **common: Any,
) -> Finding:
    """Return the odds ratio of the group that is at `place` in the fit."""
    odds = fit.groups[place]
    alternative, second = beside
    clear = odds.low is not None and odds.high is not None and not odds.low <= 1 <= odds.high
    return Finding(
        **common,
        estimate=odds.odds_ratio,
        low=odds.low,
        high=odds.high,
        alternatives=(alternative,),
        tests=(
            Test(name="t on names less groups", statistic=odds.t, p=odds.p),
            Test(name="F, all groups alike", statistic=fit.alike_f, p=fit.alike_p),
        ),
        p_adjusted=p_adjusted,
        adjustment=f"Holm over {len(fit.groups)} groups, t on names less groups",
        verdict="difference" if clear and p_adjusted < 1 - fit.confidence else "inconclusive",
        details=FittedOdds(
            **vars(own),
            log_odds_ratio=float(np.log(odds.odds_ratio)),
            standard_error=odds.standard_error,
            odds_ratio_without_random_effects=second,
            statsmodels=version("statsmodels"),
        ),
    )


def _beside(beside: ClusteredLogistic | None, place: int) -> tuple[Alternative, float | None]:
    """Return the interval without random effects, and its odds ratio."""
    if beside is None or beside.reason is not None:
        reason = beside.reason if beside is not None else "No model was fitted."
        method = beside.method if beside is not None else ""
        return Alternative(method=method, low=None, high=None, reason=reason), None
    low, high = float(beside.low[place]), float(beside.high[place])
    return Alternative(method=beside.method, low=low, high=high), float(beside.odds_ratio[place])


def _spread(spread: Spread, fit: MixedLogistic, *, factor: str) -> Finding:
    return Finding(
        name=f"{MIXED_SD}_{factor}",
        measure=MIXED_SD,
        role="descriptive",
        estimate=spread.sd,
        low=spread.low if spread.high is not None else None,
        high=spread.high,
        confidence=fit.confidence,
        measured_in="log odds",
        n=fit.n,
        clusters={factor: spread.levels},
        method=f"{fit.method}; profile likelihood",
        reason=spread.reason if spread.sd is None or spread.high is not None else _OPEN,
        details=MixedSpread(
            factor=factor,
            odds_ratio_of_one_sd=None if spread.sd is None else float(np.exp(spread.sd)),
            dispersion=fit.dispersion,
        ),
    )


_OPEN = "The likelihood falls too little towards large values: no upper limit, so no interval."
