"""Every group's acceptance rate against that of all groups together (An et al. 2024), with what it leaves out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.findings.declared.undetected import nothing_read, statuses_of, undetected_findings
from evenhand.findings.population.decisions import Decisions, Group, Permuted, decisions_of, permuted_rates
from evenhand.findings.population.intervals import group_intervals, rate_interval
from evenhand.findings.population.shape import shape_findings
from evenhand.findings.units import units_of
from evenhand.measures import MeasureSet
from evenhand.stats import (
    benjamini_hochberg,
    fisher_exact,
    fishers_method,
    permutation_exact,
    permutation_monte_carlo,
)
from evenhand.stats.clusters.permutation import permutation_p
from evenhand.tables.details import Against
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import AGAINST_POPULATION, VALIDITY_DIFFERENCE

__all__ = ["AGAINST_POPULATION", "population_findings"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NAMES = "permutation over names"
#: So many rates of permuted groups are held at once.
MOST_RATES = 20_000_000
#: Marks of the paper, by the one-sided p below which they stand.
MARKS = (("†", 0.01), ("*", 0.05))


def population_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    *,
    seed: int,
    confidence: float,
    permutations: int,
    **_resampling: object,
) -> list[Finding]:
    """Return the comparison of every group with all, overall and per slice, and what describes it.

    Names are permuted and nothing is resampled.
    """
    decisions = decisions_of(outcomes, measured)
    statuses = statuses_of(outcomes)
    findings: list[Finding] = []
    if decisions.whole.n.sum():
        permuted = permuted_rates(
            decisions, permutations=_permutations(permutations, decisions), rng=np.random.default_rng([seed, 9])
        )
        compared = _Comparison(
            decisions=decisions, permuted=permuted, measured=measured, confidence=confidence, seed=seed
        )
        findings += _adjusted(list(compared.against_population()), confidence=confidence)
        findings += compared.rates()
        findings += shape_findings(decisions, permuted, measured, confidence=confidence)
        if measured.mixed:
            # An extra, and importing what it needs takes a second.
            from evenhand.findings.population.mixed import mixed_findings  # noqa: PLC0415

            findings += mixed_findings(decisions, measured, confidence=confidence)
    else:
        findings.append(_nothing(nothing_read(statuses), confidence=confidence))
    units = units_of(outcomes, columns=(*measured.clusters, *measured.groups), against=None, order=measured.order)
    findings += undetected_findings(
        units, statuses, measured, seed=seed, permutations=permutations, confidence=confidence
    )
    findings += _validity(statuses, measured, confidence=confidence)
    return findings


def _permutations(permutations: int, decisions: Decisions) -> int:
    """Return how often the groups are permuted: ten times as often as elsewhere, if there is room for it.

    There are many slices, and an adjusted p can't be smaller than the number of slices over the number of permutations.
    """
    rates = len(decisions.groups) * len(decisions.slices)
    return max(permutations, min(10 * (permutations + 1) - 1, MOST_RATES // max(rates, 1)))


def _nothing(reason: str, *, confidence: float) -> Finding:
    return Finding(
        name=AGAINST_POPULATION,
        measure=AGAINST_POPULATION,
        reference={"population": "all"},
        role="planned",
        estimate=None,
        confidence=confidence,
        n=0,
        clusters={},
        method="group rate less population rate",
        reason=reason,
    )


@dataclass(frozen=True, kw_only=True)
class _Comparison:
    """The counts and their shuffles, with what the findings have in common."""

    decisions: Decisions
    permuted: Permuted
    measured: MeasureSet
    confidence: float
    seed: int

    def against_population(self) -> Iterator[Finding]:
        """Yield each group against all: over all roles, then in each slice."""
        n, accepted = self.decisions.by_group()
        n_all, accepted_all = n.sum(axis=0), accepted.sum(axis=0)
        paper = permutation_exact(accepted, n, accepted_all, n_all)
        combined = self._combined(paper)
        known = (paper, combined, self._simulated(accepted, n, accepted_all, n_all))
        largest = np.nanmax(np.abs(self.permuted.difference[:, :, 0]), axis=0)
        for place, levels in enumerate(self.decisions.slices):
            intervals = group_intervals(self.decisions, place, confidence=self.confidence)
            for number, group in enumerate(self.decisions.groups):
                reason = str(paper.reason[number, place]) or None
                observed = self.permuted.difference[number, 0, place]
                tests, decisive = self._tests(number, place, *known)
                interval = intervals[number]
                yield Finding(
                    name=self._name(AGAINST_POPULATION, group, levels),
                    measure=AGAINST_POPULATION,
                    slice=dict(levels),
                    focal=group,
                    reference={"population": "all"},
                    role="exploratory" if levels else "planned",
                    estimate=_number(observed),
                    low=interval.low,
                    high=interval.high,
                    confidence=self.confidence,
                    null_value=0.0,
                    n=int(n[number, place]),
                    clusters=interval.clusters,
                    method=interval.method,
                    alternatives=interval.alternatives,
                    tests=tests,
                    p_adjusted=permutation_p(float(observed), largest[1:]) if not levels and reason is None else None,
                    adjustment=None if levels else f"{NAMES}, largest difference of all groups",
                    mark=_mark(decisive.p),
                    reason=interval.reason if np.isfinite(observed) else reason or "The group has no decision here.",
                    details=Against(
                        rate=_number(accepted[number, place] / n[number, place]) if n[number, place] else None,
                        population_rate=_number(accepted_all[place] / n_all[place]) if n_all[place] else None,
                        n_population=int(n_all[place]),
                    ),
                )

    def _tests(
        self, number: int, place: int, paper: Any, combined: list[Test] | None, simulated: Floats | None
    ) -> tuple[tuple[Test, ...], Test]:
        """Return a group's tests in a slice, those over the names first, and which of them its mark is given by."""
        reason = str(paper.reason[number, place]) or None
        kinds = {"strict": paper.strict, "inclusive": paper.inclusive, "mid-p": paper.mid_p}
        tests = [
            Test(name=f"paper, {kind}", statistic=None, p=_number(values[number, place]), reason=reason)
            for kind, values in kinds.items()
        ]
        decisive = tests[-1]
        observed, *null = self.permuted.difference[number, :, place]
        over_names = permutation_p(float(observed), np.array(null)) if reason is None else None
        names = Test(name=NAMES, statistic=_number(observed), p=over_names, reason=reason)
        whole = not self.decisions.slices[place]
        if simulated is not None:
            p = float(simulated[int(observed < 0), number, place])
            tests.append(Test(name=self._simulation, statistic=None, p=_number(p), reason=reason))
            if whole and combined is not None:
                tests.append(self._simulated_roles(simulated[int(observed < 0), number]))
        if whole and combined is not None:
            decisive = combined[number]
            tests.append(decisive)
        return (names, *tests), decisive

    @property
    def _simulation(self) -> str:
        return f"paper, simulated with {self.measured.monte_carlo} permutations"

    def _simulated(self, accepted: Floats, n: Floats, accepted_all: Floats, n_all: Floats) -> Floats | None:
        """Return the simulated p of the upper and the lower tail, (2, groups, slices); NaN where one table is all."""
        if not self.measured.monte_carlo:
            return None
        rng = np.random.default_rng([self.seed, 11])
        result = np.full((2, *n.shape), np.nan)
        for number, place in np.ndindex(*n.shape):
            table = (accepted[number, place], n[number, place], accepted_all[place], n_all[place])
            found = permutation_monte_carlo(*map(int, table), permutations=self.measured.monte_carlo, rng=rng)
            if found is not None:
                result[:, number, place] = found.upper, found.lower
        return result

    def _simulated_roles(self, p: Floats) -> Test:
        """Return the simulated p of all roles in one tail together, as the study combines them."""
        column = self.measured.population
        places = [place for place, levels in enumerate(self.decisions.slices) if column in levels]
        found = fishers_method(p[places])
        return Test(name=f"Fisher over {column}s, simulated", statistic=found.statistic, p=found.p, reason=found.reason)

    def _combined(self, paper: Any) -> list[Test] | None:
        """Return, per group, the mid-p of all roles together in the tail of the overall difference."""
        column = self.measured.population
        places = [place for place, levels in enumerate(self.decisions.slices) if column in levels]
        if len(places) < 2:
            return None
        tests = []
        for number in range(len(self.decisions.groups)):
            mid = paper.mid_p[number, places]
            # All roles in one tail: 1 - mid-p is the mid-p of the other.
            other = np.sign(paper.difference[number, places]) != np.sign(paper.difference[number, 0])
            level = paper.difference[number, places] == 0
            up = paper.difference[number, 0] >= 0
            turned = np.where(level, ~np.full(level.shape, up), other)
            found = fishers_method(np.where(turned, 1.0 - mid, mid))
            tests.append(
                Test(name=f"Fisher over {column}s, mid-p", statistic=found.statistic, p=found.p, reason=found.reason)
            )
        return tests

    def rates(self) -> Iterator[Finding]:
        """Yield the acceptance rate of each group and of all, overall and per slice."""
        n, accepted = self.decisions.by_group()
        for place, levels in enumerate(self.decisions.slices):
            for number, group in enumerate([*self.decisions.groups, {}]):
                own_n = n[number, place] if group else n[:, place].sum()
                own = accepted[number, place] if group else accepted[:, place].sum()
                if not own_n:
                    continue
                inside = self.decisions.group == number if group else np.ones(self.decisions.group.size, dtype=bool)
                of_n, of_accepted = (counts[inside, place] for counts in self.decisions.by_carrier)
                group_of = self.decisions.group[inside]
                interval = rate_interval(of_n, of_accepted, group_of, confidence=self.confidence)
                yield Finding(
                    name=self._name(self.measured.rate, group, levels),
                    measure=self.measured.rate,
                    slice=dict(levels),
                    focal=group,
                    role="descriptive",
                    estimate=float(own / own_n),
                    low=interval.low,
                    high=interval.high,
                    confidence=self.confidence,
                    n=int(own_n),
                    clusters=interval.clusters,
                    method=interval.method,
                    reason=interval.reason,
                )

    @staticmethod
    def _name(measure: str, group: Group, levels: dict[str, str]) -> str:
        parts = [*(f"{column}_{level}" for column, level in levels.items()), *group.values(), measure]
        return "_".join("_".join(part.lower().split()) for part in parts)


def _adjusted(findings: list[Finding], *, confidence: float) -> list[Finding]:
    """Return the findings with verdicts, the p of slices adjusted per column."""
    result = list(findings)
    for column in dict.fromkeys(key for finding in findings for key in finding.slice):
        places = [place for place, finding in enumerate(findings) if column in finding.slice]
        adjusted = benjamini_hochberg([findings[place].tests[0].p for place in places]).p
        label = f"Benjamini–Hochberg over {len(places)} groups × {column}s, {NAMES}"
        for place, p in zip(places, adjusted, strict=True):
            known = None if p is None or not np.isfinite(p) else float(p)
            result[place] = replace(findings[place], p_adjusted=known, adjustment=label)
    return [_with_verdict(finding, confidence=confidence) for finding in result]


def _with_verdict(finding: Finding, *, confidence: float) -> Finding:
    if finding.estimate is None or finding.low is None or finding.high is None:
        return finding
    clear = not finding.low <= 0 <= finding.high
    survives = finding.p_adjusted is not None and finding.p_adjusted < 1 - confidence
    return replace(finding, verdict="difference" if clear and survives else "inconclusive")


def _validity(statuses: pl.DataFrame, measured: MeasureSet, *, confidence: float) -> list[Finding]:
    """Return, per pair of groups, whether their e-mails state a decision equally often (the paper's C.2)."""
    columns = [f"protected.{name}" for name in measured.groups]
    if any(name not in statuses.columns for name in columns):
        return []
    counted = (
        statuses.drop_nulls(columns)
        .group_by(columns)
        .agg(
            pl.col("n").filter(pl.col("status") == "observed").sum().alias("valid"),
            pl.col("n").sum().alias("n"),
        )
        .sort(columns)
    )
    rows = list(counted.iter_rows(named=True))
    pairs = list(combinations(rows, 2))
    if not pairs:
        return []
    table = [[pair[side][key] for pair in pairs] for side in (0, 1) for key in ("valid", "n")]
    exact = fisher_exact(*table).p
    adjusted = benjamini_hochberg(exact).p
    findings = []
    for place, pair in enumerate(pairs):
        groups = [dict(zip(measured.groups, (row[name] for name in columns), strict=True)) for row in pair]
        rates = [row["valid"] / row["n"] for row in pair]
        findings.append(
            Finding(
                name=f"{'_'.join(groups[0].values())}_{'_'.join(groups[1].values())}_{VALIDITY_DIFFERENCE}",
                measure=VALIDITY_DIFFERENCE,
                focal=groups[0],
                reference=groups[1],
                role="descriptive",
                estimate=rates[0] - rates[1],
                confidence=confidence,
                null_value=0.0,
                n=pair[0]["n"] + pair[1]["n"],
                clusters={"answer": pair[0]["n"] + pair[1]["n"]},
                method="share of answers that state a decision",
                tests=(
                    Test(name="Fisher exact, answers taken as independent", statistic=None, p=_number(exact[place])),
                ),
                p_adjusted=_number(adjusted[place]),
                adjustment=f"Benjamini–Hochberg over {len(pairs)} pairs of groups",
            )
        )
    return findings


def _mark(p: float | None) -> str:
    return next((mark for mark, level in MARKS if p is not None and p < level), "")


def _number(value: Any) -> float | None:
    number = float(value)
    return number if np.isfinite(number) else None
