"""Declared measures as weighted sums of one statistic over sets of units, with resampled and permuted sums.

`resampled_units` draws the sums of a table of units once for all measures; `terms_of` gives the terms of a measure.
`degenerate_limits` serves measures with a term that does not vary, where resampling and clusters would claim certainty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons.units import MIRRORS, Ballots, Draw, Floats, Ints, Units, distinct
from evenhand.results.finding import Finding, VerdictBasis, copied
from evenhand.results.measures import Contrast, MeasureSet, Over, Summary
from evenhand.stats import combined_interval, rate_difference, resampling, selection_rate

NO_ANSWER = "{lead}No answer{group} was observed{{at}}."
WILSON_AND_PERCENTILE = "Wilson and percentile limits combined, as some groups have identical answers"
#: A share by chance this near to 0 or 1 is 0 or 1 but for rounding.
ALONE = 1e-9


@dataclass(frozen=True, kw_only=True)
class ResampledUnits:
    """Units that were observed, with bootstrap sums per cell and permuted labels.

    A cell is a combination of `cell_columns`; `cell` numbers it per unit, `cells` has one
    row of codes per cell, `values` the moments of each unit, `totals` their sums per cell
    (cells, 2 or 5), and `resampled` those per resample (cells, resamples, 2 or 5). Of
    choices, `chances` sums per cell what each item would score by chance. A
    carrier is the cluster that carries the protected attributes (the name):
    `carrier_groups` holds its groups, `carried` its part of the moments in each cell, and
    `base` what the cells have whatever the labels.
    """

    measured: MeasureSet
    draw: Draw
    units: Units
    values: Floats
    totals: Floats
    cell_columns: tuple[str, ...]
    cell: Ints
    cells: Ints
    resampled: Floats
    carrier: Ints
    carrier_groups: Ints
    carrier_levels: Mapping[str, tuple[str, ...]]
    carried: Floats
    base: Floats
    ballots: Ballots | None = None
    chances: Floats | None = None
    permuted: dict[tuple[str, ...], Floats] = field(default_factory=dict)
    sets: dict[tuple[tuple[str, str], ...], Ints] = field(default_factory=dict)
    known: dict[tuple[resampling.Statistic, tuple[tuple[str, str], ...]], float] = field(default_factory=dict)

    def statistic(self, moments: Floats, name: resampling.Statistic) -> Floats:
        """Return a statistic of moments, with the sample's smoothing."""
        return resampling.statistic(moments, name, smoothing=self.measured.smoothing)

    def resampled_moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`, per resample."""
        return _added(self.resampled, self._cells_with(where))

    def _cells_with(self, where: Mapping[str, str]) -> Ints:
        """Return the numbers of the cells with `where`, which are looked for once."""
        key = tuple(where.items())
        if key not in self.sets:
            mask = np.ones(len(self.cells), dtype=bool)
            for column, level in key:
                known = self.units.levels[column]
                code = known.index(level) if level in known else -2
                mask &= self.cells[:, self.cell_columns.index(column)] == code
            self.sets[key] = np.flatnonzero(mask)
        return self.sets[key]

    def moments(self, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where`."""
        return np.asarray(self.totals[self._cells_with(where)].sum(axis=0))

    def value(self, where: Mapping[str, str], name: resampling.Statistic) -> float:
        """Return a statistic of the units with `where`, which is computed once."""
        key = (name, tuple(where.items()))
        if key not in self.known:
            self.known[key] = float(self.statistic(self.moments(where), name))
        return self.known[key]

    def chance(self, where: Mapping[str, str]) -> float | None:
        """Return the mean score that chance would give the items with `where`: the focal share of candidates.

        None where there is no item, and where nothing is chosen.
        """
        if self.chances is None:
            return None
        cells = self._cells_with(where)
        n = float(self.totals[cells, 0].sum())
        return float(self.chances[cells].sum()) / n if n else None

    def carrier_rates(self) -> tuple[Floats, Floats]:
        """Return how many units each carrier has, and the sum of their scores."""
        size = len(self.carrier_groups)
        n = np.bincount(self.carrier, minlength=size)
        total = np.bincount(self.carrier, weights=self.units.score, minlength=size)
        return np.asarray(n, dtype=np.float64), np.asarray(total, dtype=np.float64)

    def permuted_moments(self, column: str, level: str, where: Mapping[str, str]) -> Floats:
        """Return the moments of the units with `where` whose carrier is labelled `level`.

        The first row is the labels as they are, then one row per permutation.
        The labels of `column` are shuffled among the carriers that share their other
        groups. The same shuffles serve every slice, so they are summed per cell once.
        """
        key = (column, level)
        if key not in self.permuted:
            groups = self.measured.groups
            labels = shuffled_labels(self.carrier_groups, groups, column, self.draw)
            observed = self.carrier_groups[:, groups.index(column)].astype(np.int16)
            labels = np.concatenate([observed[None, :], labels])  # the first row is what was observed
            labelled = (labels == self.carrier_levels[column].index(level)).astype(np.float64)
            sums = labelled @ self.carried.reshape(len(self.carrier_groups), -1)
            self.permuted[key] = _by_cell(sums.reshape(len(labels), len(self.cells), -1) + self.base)
        return _added(self.permuted[key], self._cells_with(where))


def _added(blocks: Floats, numbers: Ints) -> Floats:
    """Return the sum of some of the blocks; adding them one by one is faster than copying them."""
    total = np.zeros(blocks.shape[1:])
    for number in numbers:
        total += blocks[number]
    return total


def _by_cell(sums: Floats) -> Floats:
    """Return (draws, cells, moments) as (cells, draws, moments): a slice then adds up whole blocks."""
    return np.ascontiguousarray(np.swapaxes(sums, 0, 1))


def shuffled_labels(groups: Ints, columns: Sequence[str], column: str, draw: Draw) -> NDArray[np.int16]:
    """Return the carriers' codes of `column`, shuffled within their other groups.

    `groups` has one row per carrier and one column per name in `columns`; the result
    one row per permutation. Unknown groups are never shuffled into known ones.
    Several findings about the same carriers share their shuffles.
    """
    return _shuffled(groups.tobytes(), groups.shape, list(columns).index(column), draw)


@lru_cache(maxsize=4)
def _shuffled(packed: bytes, shape: tuple[int, ...], place: int, draw: Draw) -> NDArray[np.int16]:
    groups = np.frombuffer(packed, dtype=np.int64).reshape(shape)
    labels = groups[:, place]
    others = np.delete(groups, place, axis=1)
    strata = np.zeros(len(labels), dtype=np.int64)
    if others.shape[1]:
        _, strata = np.unique(others, axis=0, return_inverse=True)
    strata = np.where(labels < 0, -1, strata)
    rng = np.random.default_rng((draw.seed, 2))
    return resampling.label_permutations(labels, strata, permutations=draw.permutations, rng=rng)


def resampled_units(
    units: Units, measured: MeasureSet, draw: Draw, *, ballots: Ballots | None = None
) -> ResampledUnits:
    """Return the bootstrap sums of `units`, all of which must be observed.

    With `ballots` the units are items of choices: the groups belong to the candidates,
    and a permutation shuffles the groups of the names.
    """
    pooled = measured.pool == "trials"
    values = resampling.row_moments(
        units.successes if pooled else units.score, units.x, trials=units.trials if pooled else None
    )
    requested = tuple(dict.fromkeys([*measured.groups, *measured.slice_columns(), MIRRORS]))
    cell_columns = tuple(name for name in requested if name in units.codes)
    cell, cells = units.combined(cell_columns)
    rng = np.random.default_rng([draw.seed, 1])
    resampled = resampling.bootstrap_moments(
        values, cell=cell, item=units.item, n_cells=len(cells), resamples=draw.resamples, rng=rng
    )
    if ballots is None:
        carriers = _carriers(units, measured, values, cell, cells)
    else:
        carriers = _names_on_ballots(units, ballots, measured, cell, cells)
    return ResampledUnits(
        measured=measured,
        draw=draw,
        units=units,
        values=values,
        totals=_summed(cell, values, len(cells)),
        cell_columns=cell_columns,
        cell=cell,
        cells=cells,
        resampled=_by_cell(resampled),
        ballots=ballots,
        **carriers,
    )


def _carriers(units: Units, measured: MeasureSet, values: Floats, cell: Ints, cells: Ints) -> dict[str, Any]:
    """Return the carriers of units that belong to one name each: their own moments per cell."""
    carrier, rows = units.combined([measured.clusters[0], *measured.groups])
    return {
        "carrier": carrier,
        "carrier_groups": rows[:, 1:],
        "carrier_levels": units.levels,
        "carried": _summed(carrier * len(cells) + cell, values, len(rows) * len(cells)).reshape(
            len(rows), len(cells), -1
        ),
        "base": np.zeros((len(cells), values.shape[1])),
    }


def _names_on_ballots(units: Units, ballots: Ballots, measured: MeasureSet, cell: Ints, cells: Ints) -> dict[str, Any]:
    """Return the names of candidates as carriers of what they won beyond an equal share.

    The focal share of an item's choices is one half plus what its focal candidates won
    beyond their equal shares, where half of the candidates are focal. Under permuted
    labels the sum runs over the candidates with the focal label.
    """
    coded = _as_units(ballots)
    carrier, rows = coded.combined([measured.clusters[0], *measured.groups])
    cell_of_item = np.zeros(len(units.item_labels), dtype=np.int64)
    cell_of_item[units.item] = cell
    share = np.stack([np.zeros(len(carrier)), ballots.residual / ballots.choices], axis=1)
    code = carrier * len(cells) + cell_of_item[ballots.item]
    n = np.bincount(cell, minlength=len(cells)).astype(np.float64)
    return {
        "carrier": carrier,
        "carrier_groups": rows[:, 1:],
        "carrier_levels": ballots.levels,
        "carried": _summed(code, share, len(rows) * len(cells)).reshape(len(rows), len(cells), -1),
        "base": np.stack([n, n / 2], axis=1),
        "chances": np.bincount(
            cell_of_item[ballots.item],
            weights=ballots.focal / (ballots.size * ballots.choices),
            minlength=len(cells),
        ),
    }


def _as_units(ballots: Ballots) -> Units:
    """Return the candidates as units, for their codes."""
    size = ballots.item.size
    ones = np.ones(size, dtype=np.int64)
    return Units(
        score=ballots.won,
        successes=ballots.won,
        trials=ones.astype(np.float64),
        x=None,
        **copied(ballots, "item codes levels"),
        item_labels=pl.Series([], dtype=pl.String),
        number=np.arange(size),
        aspects=1,
        attempts=ones,
        observed=ones,
    )


def _summed(code: Ints, values: Floats, size: int) -> Floats:
    """Return the sums of each column of `values` per code, (size, columns)."""
    return np.stack([np.bincount(code, weights=column, minlength=size) for column in values.T], axis=1)


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

    statistic: resampling.Statistic
    terms: tuple[Term, ...] = ()
    reason: str | None = None
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)


def terms_of(drawn: ResampledUnits, measure: Summary | Contrast, where: Mapping[str, str]) -> Terms:
    """Return the terms of a measure within the slice `where`.

    A choice among candidates of one group only is no evidence: its share is 0 or 1 by itself.
    """
    sides = _sides(measure, drawn.measured.choice)
    over = measure.over
    if over is None or over.column in where:
        terms = [Term(weight=w, where={**where, **group}, shuffled=shuffled) for w, group, shuffled in sides]
        gaps = [gap for term in terms if (gap := _gap(drawn, term, measure, where)) is not None]
        if gaps:
            return Terms(statistic=measure.statistic, reason=gaps[0].format(at=""))
        return Terms(statistic=measure.statistic, terms=tuple(terms))
    return _combined(drawn, measure, over, where, sides)


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
) -> Terms:
    known = drawn.units.levels[over.column]
    weights = over.weights if over.weights is not None else dict.fromkeys(known, 1.0 / max(len(known), 1))
    complete: dict[str, list[Term]] = {}
    gaps: dict[str, str] = {}
    for level, weight in weights.items():
        terms = [
            Term(weight=weight * sign, where={**where, **group, over.column: level}, shuffled=shuffled)
            for sign, group, shuffled in sides
        ]
        inside = {**where, over.column: level}
        lacks = [gap for term in terms if (gap := _gap(drawn, term, measure, inside)) is not None]
        if len(lacks) == len(terms) and not len(_of(drawn, inside)):
            lacks = [NO_ANSWER.format(lead="", group=_group_clause(measure))]
        if lacks:
            gaps[level] = lacks[0]
        else:
            complete[level] = terms
    if gaps and (not complete or not (over.partial or over.weights is None)):
        # If a term has no value over all rows, a group is missing altogether and levels don't matter.
        parts = [Term(weight=sign, where={**where, **group}, shuffled=None) for sign, group, _ in sides]
        whole = [gap for part in parts if (gap := _gap(drawn, part, measure, where)) is not None]
        reason = whole[0].format(at="") if whole and not complete else _listed(gaps, over.column)
        return Terms(statistic=measure.statistic, reason=reason)
    lacking = list(gaps)
    scale = sum(map(abs, weights.values())) / sum(abs(weights[level]) for level in complete)
    return Terms(
        statistic=measure.statistic,
        terms=tuple(
            Term(weight=term.weight * scale, where=term.where, shuffled=term.shuffled)
            for terms in complete.values()
            for term in terms
        ),
        levels={over.column: list(complete)} if lacking else {},
    )


def _listed(gaps: Mapping[str, str], column: str) -> str:
    """Return the reasons of levels, each once with its levels."""
    return " ".join(
        gap.format(at=f" for {column} {' or '.join(level for level in gaps if gaps[level] == gap)}")
        for gap in dict.fromkeys(gaps.values())
    )


def _gap(drawn: ResampledUnits, term: Term, measure: Summary | Contrast, where: Mapping[str, str]) -> str | None:
    """Return why a term has no value, with a place `{at}` for the levels concerned; None where it has one."""
    chance, choice = drawn.chance(term.where), drawn.measured.choice
    if chance is not None and choice is not None and not ALONE < chance < 1 - ALONE:
        ((column, level),) = choice.items()
        who = "No candidate{at} is" if chance <= ALONE else "All candidates{at} are"
        return f"{who} {_plain(level)}, so the winner says nothing about {_plain(column)}."
    if point(drawn, (term,), measure.statistic) is not None:
        return None
    units = _of(drawn, term.where)
    levels = [level for column, level in term.where.items() if column not in where]
    lead = _plain(f"{', '.join(levels)}: ") if isinstance(measure, Contrast) else ""
    if not len(units):
        return NO_ANSWER.format(lead=lead, group=_group_clause(measure))
    if measure.statistic == "rate":
        size = distinct(units.number)  # a document is counted once in each inventory
        return f"{lead}No term was counted{{at}} in {size} document{'s' if size > 1 else ''}."
    if units.x is not None and np.isnan(units.x).any():
        return f"{lead}The covariate of the line is unknown{{at}} for some units."
    return f"{lead}A line needs two different values of the covariate; there is one{{at}}, in {len(units)} units."


def _of(drawn: ResampledUnits, where: Mapping[str, str]) -> Units:
    return drawn.units.take(drawn.units.where(where))


def _group_clause(measure: Summary | Contrast) -> str:
    """Return the group of a summary, as in 'No answer with gender = male'."""
    conditions = (
        [f"{column} = {level}" for column, level in measure.group.items()] if isinstance(measure, Summary) else []
    )
    return _plain(f" with {', '.join(conditions)}") if conditions else ""


def _plain(text: str) -> str:
    """Return text with its braces escaped for a format string."""
    return text.replace("{", "{{").replace("}", "}}")


def point(drawn: ResampledUnits, terms: Sequence[Term], name: resampling.Statistic) -> float | None:
    """Return the weighted sum over all units, None where a term has no value."""
    values = [drawn.value(term.where, name) for term in terms]
    total = sum(term.weight * value for term, value in zip(terms, values, strict=True))
    return total if np.isfinite(total) else None


def resampled(drawn: ResampledUnits, terms: Sequence[Term], name: resampling.Statistic) -> Floats:
    """Return the weighted sum per resample."""
    draws = [term.weight * drawn.statistic(drawn.resampled_moments(term.where), name) for term in terms]
    return np.asarray(np.sum(draws, axis=0))


def unit_influence(drawn: ResampledUnits, terms: Sequence[Term], name: resampling.Statistic) -> Floats:
    """Return each unit's influence on the weighted sum; 0 for units that are not in it."""
    units = drawn.units
    psi = np.zeros(len(units))
    for term in terms:
        mask = units.where(term.where)
        n, y = (drawn.values[:, column][mask] for column in (0, 1))
        x = None if units.x is None else units.x[mask]
        trials = None if (n == 1.0).all() and not drawn.measured.smoothing else n
        psi[mask] += term.weight * resampling.influence(y, x, name, trials=trials, smoothing=drawn.measured.smoothing)
    return psi


@dataclass(frozen=True, kw_only=True)
class DegenerateLimits:
    """The limits at the given confidence and at 90 %, or why there are none."""

    method: str
    wide: tuple[float, float] | None = None
    narrow: tuple[float, float] | None = None
    reason: str | None = None


def degenerate_limits(
    drawn: ResampledUnits,
    terms: Terms,
    masks: Sequence[NDArray[np.bool_]],
    constant: Sequence[bool],
) -> DegenerateLimits | None:
    """Return the limits of a rate some of whose terms are `constant`, None of anything but a rate.

    Such a term gets Wilson's limits on its items. A share in [0, 1] varies no more than
    a yes or no of the same mean, so they are wide enough for scores between the two.
    """
    if terms.statistic != "rate":
        return None
    confidence = drawn.draw.confidence
    wide, narrow = (
        combined_limits(drawn, terms, masks, constant, confidence=level) for level in (confidence, 2 * confidence - 1)
    )
    if wide is None or narrow is None:
        return DegenerateLimits(
            method=WILSON_AND_PERCENTILE,
            reason="Some groups have identical answers, and the others are too few to resample.",
        )
    return DegenerateLimits(method=_degenerate_method(terms.terms, constant), wide=wide, narrow=narrow)


def _degenerate_method(terms: Sequence[Term], constant: Sequence[bool]) -> str:
    if len(terms) == 1:
        return "Wilson on items"
    if len(terms) == 2 and terms[0].weight == -terms[1].weight:
        return "Newcombe on items, as one group's answers are all the same"
    return WILSON_AND_PERCENTILE if not all(constant) else "Wilson limits combined, as all answers are the same"


def combined_limits(
    drawn: ResampledUnits,
    terms: Terms,
    masks: Sequence[NDArray[np.bool_]],
    constant: Sequence[bool],
    *,
    confidence: float,
) -> tuple[float, float] | None:
    """Return the limits of a rate some of whose terms are `constant`; None where others are too few to resample."""
    chosen = [drawn.units.take(mask) for mask in masks]
    counts = [whole_successes(units) for units in chosen]
    if len(masks) == 2 and terms.terms[0].weight == 1.0 == -terms.terms[1].weight and None not in counts:
        (a, n), (c, m) = (count for count in counts if count is not None)
        newcombe = rate_difference(a, n, c, m, confidence=confidence)
        assert newcombe.low is not None
        assert newcombe.high is not None
        return newcombe.low, newcombe.high
    limits = []
    for one, units, degenerate in zip(terms.terms, chosen, constant, strict=True):
        if degenerate:
            scores = units.score[np.isfinite(units.score)]
            n_items = distinct(units.item[np.isfinite(units.score)])
            wilson = selection_rate(round(float(scores[0]) * n_items), n_items, confidence=confidence)
            limits.append((float(scores[0]), wilson.low, wilson.high))
        else:
            draws = drawn.statistic(drawn.resampled_moments(one.where), "rate")
            interval = resampling.percentile_interval(draws, confidence=confidence)
            if interval is None:
                return None
            limits.append((float(drawn.statistic(drawn.moments(one.where), "rate")), *interval))
    low, high = combined_interval(
        [term.weight for term in terms.terms], *([float(v) for v in side] for side in zip(*limits, strict=True))
    )
    return low, high


def whole_successes(units: Units) -> tuple[int, int] | None:
    """Return successes and units where each unit is a yes or no of its own item, else None."""
    total = float(units.score.sum())
    single = distinct(units.item) == len(units) and bool(np.isin(units.score, (0.0, 1.0)).all())
    return (round(total), len(units)) if single else None


def with_pairing(finding: Finding, drawn: ResampledUnits) -> Finding:
    """Return a contrast with the ratio of its standard error to that of unpaired answers.

    Both come from the same answers: once summed by pair, once by single prompt, which
    is what a sample of as many unmatched prompts would have. Below 1, pairing narrowed
    the interval. Other findings, and items that are no pairs, come back as they are.
    """
    measure = next((row for row in drawn.measured.measures if row.name == finding.name), None)
    if not isinstance(measure, Contrast) or finding.estimate is None or drawn.units.aspects > 1:
        return finding
    units = drawn.units
    focal, reference = units.where(measure.focal), units.where(measure.reference)
    if not len(units) or not (_has(units.item, focal) & _has(units.item, reference)).any():
        return finding
    psi = np.zeros(len(units))
    for side, sign in ((focal, 1.0), (reference, -1.0)):
        x = None if units.x is None else units.x[side]
        psi[side] = sign * resampling.influence(units.score[side], x, measure.statistic)
    paired, single = float((np.bincount(units.item, weights=psi) ** 2).sum()), float((psi**2).sum())
    if not single > 0:
        return finding
    return replace(finding, details=replace(VerdictBasis.of(finding), width_ratio_to_unpaired=(paired / single) ** 0.5))


def _has(item: NDArray[np.int64], side: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which items have a unit on this side."""
    return np.asarray(np.bincount(item, weights=side) > 0)
