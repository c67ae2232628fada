"""Every declared measure as a weighted sum of one statistic of several sets of units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.findings.units import Units, distinct
from evenhand.measures import Contrast, Over, Statistic, Summary
from evenhand.stats.clusters.moments import influence

__all__ = ["Term", "Terms", "point", "resampled", "terms_of", "unit_influence"]

NO_ANSWER = "{lead}No answer{told} was observed{{at}}."
#: A share by chance this near to 0 or 1 is 0 or 1 but for rounding.
ALONE = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Term:
    """One set of units: those with `where`, and how much their statistic weighs.

    `shuffled` is the column and level that a permutation shuffles, None where the
    measure compares no groups.
    """

    weight: float
    where: Mapping[str, str]
    shuffled: tuple[str, str] | None


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The terms of a measure; without terms, `reason` says what is missing.

    `levels` are those that a combination used, where it had to leave some out.
    """

    statistic: Statistic
    terms: tuple[Term, ...] = ()
    reason: str | None = None
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)


def terms_of(
    drawn: ResampledUnits, measure: Summary | Contrast, where: Mapping[str, str], *, choice: Mapping[str, str] | None
) -> Terms:
    """Return the terms of a measure within the slice `where`.

    A choice among candidates of one group only is no evidence: its share is 0 or 1 by itself.
    """
    sides = _sides(measure, choice)
    over = measure.over
    if over is None or over.column in where:
        terms = [Term(weight=w, where={**where, **group}, shuffled=shuffled) for w, group, shuffled in sides]
        gaps = [gap for term in terms if (gap := _gap(drawn, term, measure, where, choice)) is not None]
        if gaps:
            return Terms(statistic=measure.statistic, reason=gaps[0].format(at=""))
        return Terms(statistic=measure.statistic, terms=tuple(terms))
    return _combined(drawn, measure, over, where, sides, choice=choice)


def _sides(
    measure: Summary | Contrast, choice: Mapping[str, str] | None
) -> list[tuple[float, Mapping[str, str], tuple[str, str] | None]]:
    if isinstance(measure, Contrast):
        sides = ((1.0, measure.focal), (-1.0, measure.reference))
        return [(weight, group, next(iter(group.items()))) for weight, group in sides]
    shuffled = next(iter(choice.items())) if choice is not None else None
    return [(1.0, measure.group, shuffled)]


def _combined(
    drawn: ResampledUnits,
    measure: Summary | Contrast,
    over: Over,
    where: Mapping[str, str],
    sides: list[tuple[float, Mapping[str, str], tuple[str, str] | None]],
    *,
    choice: Mapping[str, str] | None,
) -> Terms:
    known = drawn.units.levels[over.column]
    weights = over.weights if over.weights is not None else dict.fromkeys(known, 1.0 / max(len(known), 1))
    found: dict[str, list[Term]] = {}
    gaps: dict[str, str] = {}
    for level, weight in weights.items():
        terms = [
            Term(weight=weight * sign, where={**where, **group, over.column: level}, shuffled=shuffled)
            for sign, group, shuffled in sides
        ]
        inside = {**where, over.column: level}
        lacks = [gap for term in terms if (gap := _gap(drawn, term, measure, inside, choice)) is not None]
        if len(lacks) == len(terms) and not len(_of(drawn, inside)):
            lacks = [NO_ANSWER.format(lead="", told=_told(measure))]
        if lacks:
            gaps[level] = lacks[0]
        else:
            found[level] = terms
    if gaps and (not found or not (over.partial or over.weights is None)):
        # What holds of all rows is no matter of single levels: a group is missing altogether.
        parts = [Term(weight=sign, where={**where, **group}, shuffled=None) for sign, group, _ in sides]
        whole = [gap for part in parts if (gap := _gap(drawn, part, measure, where, choice)) is not None]
        reason = whole[0].format(at="") if whole and not found else _listed(gaps, over.column)
        return Terms(statistic=measure.statistic, reason=reason)
    lacking = list(gaps)
    scale = sum(map(abs, weights.values())) / sum(abs(weights[level]) for level in found)
    return Terms(
        statistic=measure.statistic,
        terms=tuple(
            Term(weight=term.weight * scale, where=term.where, shuffled=term.shuffled)
            for terms in found.values()
            for term in terms
        ),
        levels={over.column: list(found)} if lacking else {},
    )


def _listed(gaps: Mapping[str, str], column: str) -> str:
    """Return the reasons of levels, each once with the levels that it holds of."""
    return " ".join(
        gap.format(at=f" for {column} {' or '.join(level for level in gaps if gaps[level] == gap)}")
        for gap in dict.fromkeys(gaps.values())
    )


def _gap(
    drawn: ResampledUnits,
    term: Term,
    measure: Summary | Contrast,
    where: Mapping[str, str],
    choice: Mapping[str, str] | None,
) -> str | None:
    """Return why a term has no value, with a place `{at}` for the levels it holds of; None where it has one."""
    chance = drawn.chance(term.where)
    if chance is not None and choice is not None and not ALONE < chance < 1 - ALONE:
        ((column, level),) = choice.items()
        who = "No candidate{at} is" if chance <= ALONE else "All candidates{at} are"
        return f"{who} {_plain(level)}, so who wins tells nothing about {_plain(column)}."
    if point(drawn, (term,), measure.statistic) is not None:
        return None
    units = _of(drawn, term.where)
    own = [level for column, level in term.where.items() if column not in where]
    lead = _plain(f"{', '.join(own)}: ") if isinstance(measure, Contrast) else ""
    if not len(units):
        return NO_ANSWER.format(lead=lead, told=_told(measure))
    if measure.statistic == "rate":
        size = distinct(units.number)  # a document is counted once in each inventory
        return f"{lead}No term was counted{{at}} in {size} document{'s' if size > 1 else ''}."
    if units.x is not None and np.isnan(units.x).any():
        return f"{lead}The covariate of the line is unknown{{at}} for some units."
    return f"{lead}A line needs two different values of the covariate; there is one{{at}}, in {len(units)} units."


def _of(drawn: ResampledUnits, where: Mapping[str, str]) -> Units:
    return drawn.units.take(drawn.units.where(where))


def _told(measure: Summary | Contrast) -> str:
    """Return the group of a summary, as in 'No answer with gender = male'."""
    own = [f"{column} = {level}" for column, level in measure.group.items()] if isinstance(measure, Summary) else []
    return _plain(f" with {', '.join(own)}") if own else ""


def _plain(text: str) -> str:
    """Return text that stands as it is in a format string."""
    return text.replace("{", "{{").replace("}", "}}")


def point(drawn: ResampledUnits, terms: Sequence[Term], name: Statistic) -> float | None:
    """Return the weighted sum over all units, None where a term has no value."""
    values = [drawn.value(term.where, name) for term in terms]
    total = sum(term.weight * value for term, value in zip(terms, values, strict=True))
    return total if np.isfinite(total) else None


def resampled(drawn: ResampledUnits, terms: Sequence[Term], name: Statistic) -> Floats:
    """Return the weighted sum per resample."""
    draws = [term.weight * drawn.statistic(drawn.resampled_moments(term.where), name) for term in terms]
    return np.asarray(np.sum(draws, axis=0))


def unit_influence(drawn: ResampledUnits, terms: Sequence[Term], name: Statistic) -> Floats:
    """Return each unit's influence on the weighted sum; 0 for units that are not in it."""
    units = drawn.units
    psi = np.zeros(len(units))
    for term in terms:
        mask = units.where(term.where)
        n, y = (drawn.values[:, column][mask] for column in (0, 1))
        x = None if units.x is None else units.x[mask]
        trials = None if (n == 1.0).all() and not drawn.smoothing else n
        psi[mask] += term.weight * influence(y, x, name, trials=trials, smoothing=drawn.smoothing)
    return psi
