"""The adjustment ladder: crude, within positions, and with the same qualifications, each as rates, people and odds.

Every line standardises over all applicants of whom all is known, so that the lines are of the same people.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons.claims import few_clusters, uncorrected
from evenhand.comparisons.impact_cells import GroupCells, References, of_definition, plain, reference_groups, suffix_of
from evenhand.comparisons.stratified import CLUSTERED_T
from evenhand.comparisons.units import Floats, Ints
from evenhand.errors import InputError, option_text
from evenhand.results.applicant_audit import LadderStep
from evenhand.results.finding import AdjustedFor, AdjustedOdds, Finding, QualificationShare, Test, copied
from evenhand.results.measures import (
    ADJUSTED_ODDS_RATIO,
    BLOCK_DIFFERENCE,
    COMMON_ODDS_RATIO,
    IMPACT_RATIO,
    QUALIFICATION_RATIO,
)
from evenhand.results.messages import listed, shortened
from evenhand.results.schemas import PROTECTED, WHOLE

GIVEN, POSITION = "given.", "position"
#: A text column with more values than this identifies people rather than their qualifications.
MOST_LEVELS = 100
#: Strata that are columns of a regression; of more the intercepts are solved first, which has no score test.
MOST_STRATA = 50
METHOD = "logistic regression, Wald interval"
NO_SPREAD = "The clusters show no variance."
#: Levels of a qualification that are named.
MOST_NAMED = 3
#: The finding whose claim decides a line, by the kind of line.
DECIDED_BY: Final[Mapping[str, str]] = {
    "crude": IMPACT_RATIO,
    POSITION: COMMON_ODDS_RATIO,
    "block": BLOCK_DIFFERENCE,
    "given": ADJUSTED_ODDS_RATIO,
}


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The lines of all groups, and the findings: adjusted odds ratios, and who has the qualifications."""

    steps: list[LadderStep] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class _Step:
    """What a line holds fixed: names as they are added, and the columns of strata and of qualifications so far."""

    kind: str
    added: tuple[str, ...]
    strata: tuple[str, ...] = ()
    qualifications: tuple[str, ...] = ()

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the qualifications."""
        return tuple(name.removeprefix(GIVEN) for name in self.qualifications)


@dataclass(frozen=True, kw_only=True)
class _People:
    """Counts of people of whom group, position and qualifications are known; the first of `groups` is the reference.

    They are `complete` where nobody of a known group is left out.
    """

    counts: pl.DataFrame
    attribute: str
    groups: tuple[str, ...]
    keys: Mapping[str, Any]
    left_out: int
    complete: bool
    clusters: tuple[str, ...]
    confidence: float

    @property
    def codes(self) -> list[str]:
        """The columns of the clusters."""
        return [f"cluster_{place}" for place in range(len(self.clusters))]

    @property
    def is_weighted(self) -> bool:
        """Say whether counts are sums of weights."""
        return self.counts["n"].dtype.is_float()

    @property
    def of_groups(self) -> dict[str, tuple[Any, Any]]:
        """Selected people and all people of each group, or sums of weights."""
        sums = self.counts.group_by(PROTECTED + self.attribute).agg(pl.col("successes", "n").sum())
        return {group: (selected, n) for group, selected, n in sums.iter_rows()}

    def rows(self, columns: Sequence[str]) -> pl.DataFrame:
        """Return n and successes by group, clusters and some columns."""
        by = [PROTECTED + self.attribute, *columns, *self.codes]
        return self.counts.group_by(by).agg(pl.col("n", "successes").sum()).sort(by)

    def held(self, rows: pl.DataFrame, label: str, way: int = 0) -> dict[str, int]:
        """Return how many clusters hold anybody of a group, and of the reference; nothing without clusters."""
        codes = self.codes[way : way + 1]
        of_group = pl.col(PROTECTED + self.attribute)
        return {
            name: rows.filter(of_group == name)[code].n_unique() for code in codes for name in (label, self.groups[0])
        }

    def held_by(self, rows: pl.DataFrame) -> dict[str, int]:
        """Return how many clusters of each name there are."""
        return {name: rows[code].n_unique() for name, code in zip(self.clusters, self.codes, strict=True)}

    @property
    def robust(self) -> str:
        """By what variances are robust."""
        return f"cluster-robust by {' × '.join(self.clusters)}"

    def group_of(self, rows: pl.DataFrame) -> Ints:
        """Return the place of each row's group."""
        order = pl.Enum(self.groups)
        return np.asarray(rows[PROTECTED + self.attribute].cast(order).to_physical().to_numpy(), dtype=np.int64)


def ladder(
    counts: pl.DataFrame,
    cells: GroupCells,
    references: References,
    *,
    steps: Sequence[Sequence[str]] = (),
    clusters: Sequence[str] = (),
    blocks: Sequence[str] = (),
    confidence: float = 0.95,
) -> Ladder:
    """Return the lines of one definition of a selection, and the findings about qualifications.

    `counts` has approach, cutoff, stage, position, `protected.<name>`, `given.<name>` (numbers or text; null where not
    known), n and successes, and a column of codes for each of `clusters`, then `blocks`. Selection is regressed on the
    groups of `cells`, an intercept per position and block, and the qualifications: numbers linearly in the log odds,
    texts as factors. Each of `steps` names the qualifications that a line adds; without them there is one line for all.
    Rows with an unknown group, position or qualification are left out and counted. The reference is that of all
    applicants.

    Raises
    ------
    InputError
        A text column has more values than a regression can take.

    """
    qualifications = [name for name in counts.columns if name.startswith(GIVEN)]
    for name in qualifications:
        levels = counts[name].n_unique() if counts[name].dtype == pl.String else 0
        if levels > MOST_LEVELS:
            message = (
                f"{option_text('given', name.removeprefix(GIVEN))} has {levels} values, more than "
                f"{MOST_LEVELS}; group them first."
            )
            raise InputError(message)
    column, by_position = PROTECTED + cells.name, bool((counts[POSITION] != WHOLE).any())
    needed = [column, *qualifications, *([POSITION] if by_position else [])]
    judged = [label for label, judged in zip(cells.labels, cells.judged, strict=True) if judged]
    of_known = counts.filter(pl.col(column).is_in(judged), pl.col("n") > 0)
    used = of_known.drop_nulls(needed)
    keys = {name: counts[name][0] if counts.height else None for name in ("approach", "cutoff", "stage")}
    whole = cells.keys.with_row_index("cell").filter(of_definition(keys), pl.col(POSITION) == WHOLE)
    if not whole.height:
        return Ladder()
    reference = int(reference_groups(cells, references)[whole["cell"][0]])
    present = used[column].unique().to_list()
    if reference < 0 or len(present) < 2 or cells.labels[reference] not in present:
        return Ladder(findings=[_nothing(cells.name, qualifications, used)] if qualifications else [])
    people = _People(
        counts=used,
        attribute=cells.name,
        groups=(cells.labels[reference], *sorted(label for label in present if label != cells.labels[reference])),
        keys=keys,
        left_out=round(float(counts["n"].sum()) - float(used["n"].sum())),
        complete=used.height == of_known.height,
        clusters=tuple(clusters),
        confidence=confidence,
    )
    named = [name.removeprefix(GIVEN) for name in qualifications]
    lines = _steps(by_position=by_position, blocks=blocks, first=len(clusters), given=steps or [named] * bool(named))
    result = Ladder()
    for step in lines:
        (fit, rows), is_last = _standardised(people, step), step is lines[-1]
        result.steps.extend(_lines(people, step, fit, lines.index(step), tuple(result.steps), is_last=is_last))
        if step.kind == "given":
            result.findings.extend(_odds_ratios(people, rows, step, fit, last=is_last, blocks=blocks))
    for name in [*([POSITION] if by_position else []), *qualifications]:
        result.findings.extend(_shares(people, name))
    return result


def _steps(*, by_position: bool, blocks: Sequence[str], first: int, given: Sequence[Sequence[str]]) -> list[_Step]:
    """Return the lines in order, each with what is new in it; columns of blocks follow the `first` clusters."""
    lines = [_Step("crude", ())]
    if by_position:
        lines.append(_Step(POSITION, (POSITION,), (POSITION,)))
    if blocks:
        codes = tuple(f"cluster_{first + place}" for place in range(len(blocks)))
        lines.append(_Step("block", tuple(blocks), (*lines[-1].strata, *codes)))
    for names in given:
        before = lines[-1]
        new = tuple(name for name in dict.fromkeys(names) if GIVEN + name not in before.qualifications)
        if new:
            added = tuple(GIVEN + name for name in new)
            lines.append(_Step("given", new, before.strata, (*before.qualifications, *added)))
    return lines


def _standardised(people: _People, step: _Step) -> "tuple[stats.StandardisedRates, pl.DataFrame]":
    """Return the rates of all people as if of each group, and the counts they are from."""
    rows = people.rows([*step.strata, *step.qualifications])
    columns, names = _design(rows, step.qualifications)
    return stats.standardised_rates(
        people.group_of(rows),
        columns,
        _strata(rows, step),
        rows["successes"],
        rows["n"],
        names=names,
        clusters=[rows[name].to_numpy() for name in people.codes],
        confidence=people.confidence,
    ), rows


def _strata(rows: pl.DataFrame, step: _Step) -> Ints:
    if not step.strata:
        return np.zeros(rows.height, dtype=np.int64)
    return np.asarray(rows.select(pl.struct(step.strata).rank("dense")).to_series().to_numpy(), dtype=np.int64)


def _design(rows: pl.DataFrame, qualifications: Sequence[str]) -> tuple[Floats, list[str]]:
    """Return the columns of the qualifications, and the name of each."""
    parts = [(name.removeprefix(GIVEN), values) for name in qualifications for values in _columns(rows[name])]
    design = np.column_stack([values for _, values in parts]) if parts else np.zeros((rows.height, 0))
    return design, [name for name, _ in parts]


def _lines(
    people: _People,
    step: _Step,
    fit: "stats.StandardisedRates",
    number: int,
    before: Sequence[LadderStep],
    *,
    is_last: bool,
) -> Iterator[LadderStep]:
    """Yield the line of each group; `before` are those of the steps before."""
    of_groups, last = people.of_groups, before[-(len(people.groups) - 1) :] if before else []
    for place, label in enumerate(people.groups[1:]):
        selected, n = of_groups[label]
        names = "difference low high standard_error ratio ratio_low ratio_high"
        numbers: dict[str, Any] = {name: values[place] for name, values in copied(fit, names).items()}
        numbers |= {"rate_focal": fit.rates[place + 1], "rate_reference": fit.rates[0]}
        numbers["shortfall"] = -fit.difference[place] * n
        robust = people.clusters or fit.method == stats.LEAST_SQUARES
        method = f"{fit.method}; {'CR2' if robust else 'delta method'}"
        if step.kind == "crude" and not people.clusters:
            # Of two groups alone the usual intervals, which hold at rates of 0 and 1, too.
            counts = selected, n, *of_groups[people.groups[0]]
            direct = stats.rate_difference(*counts, confidence=people.confidence)
            ratio = stats.impact_ratio(*counts, confidence=people.confidence)
            numbers |= {"low": direct.low, "high": direct.high, "ratio_low": ratio.low, "ratio_high": ratio.high}
            method = f"{direct.method}; {ratio.method}"
        known: dict[str, Any] = dict(zip(numbers, _finite(*numbers.values()), strict=True))
        crude = before[place].difference if before else known["difference"]
        earlier, now = (last[place].difference if last else None), known["difference"]
        taken = None if earlier is None or now is None or not crude else (earlier - now) / crude
        named = "_".join([DECIDED_BY[step.kind], *map(plain, (people.attribute, label, *suffix_of(people.keys)))])
        if step.kind == "given":
            named = _adjusted_name(people.attribute, label, () if is_last else step.given)
        yield LadderStep(
            approach=people.keys["approach"],
            cutoff=people.keys["cutoff"],
            stage=people.keys["stage"] or "",
            attribute=people.attribute,
            focal=label,
            reference=people.groups[0],
            step=number,
            kind=step.kind,
            added=step.added,
            adjusted_for=(*(last[place].adjusted_for if last else ()), *step.added),
            n=fit.n,
            n_focal=round(n),
            n_left_out=people.left_out,
            **known,
            taken=taken,
            method=method,
            notes=tuple(_notes(fit, step)),
            reason=fit.reasons[place] or None,
            finding=named if step.kind == "given" or people.complete else None,
        )


def _notes(fit: "stats.StandardisedRates", step: _Step) -> Iterator[str]:
    """Yield what the model met: separation, collinearity, and strata that say nothing of a difference."""
    if fit.separating:
        yield f"Separation: {listed(fit.separating)} can predict the selection of some people perfectly."
    if fit.group_separated and fit.sparse:
        yield "Separation: among people with the same other values, all or none of a group were selected."
    if fit.sparse:
        instead = "the likelihood is penalised (Firth, with intercept correction)"
        if fit.method == stats.LEAST_SQUARES:
            instead = "rates are by least squares with an intercept per stratum, as many small strata allow"
        yield f"Sparse ({fit.sparse}), so {instead}."
    if fit.collinear:
        yield f"Collinear: {listed(fit.collinear)} is, in part or whole, a combination of what stands before it."
    if not step.strata or fit.strata < 2:
        return
    noun = "positions" if step.kind == POSITION or step.strata == (POSITION,) else "strata"
    if fit.same_outcome:
        yield f"In {fit.same_outcome:,} of {fit.strata:,} {noun} everybody, or nobody, was selected."
    if fit.one_group:
        have = "has" if fit.one_group == 1 else "have"
        yield (
            f"{fit.one_group:,} of {fit.strata:,} {noun} {have} people of one group only "
            f"({fit.people_one_group:,} people): what another group's rate would be there is the model's."
        )


def _nothing(attribute: str, qualifications: Sequence[str], used: pl.DataFrame) -> Finding:
    """Return the finding that says why groups are not compared given qualifications."""
    names = ", ".join(name.removeprefix(GIVEN) for name in qualifications)
    people = int(used["n"].sum())
    return Finding(
        name=f"{ADJUSTED_ODDS_RATIO}_{attribute}",
        measure=ADJUSTED_ODDS_RATIO,
        role="exploratory",
        estimate=None,
        measured_in="ratio",
        n=people,
        clusters={"person": people},
        method=METHOD,
        reason=f"{people:,} people of known {attribute} have all of {names}, in fewer than two groups.",
        details=AdjustedFor(given=tuple(name.removeprefix(GIVEN) for name in qualifications)),
    )


def _adjusted_name(attribute: str, label: str, given: Sequence[str]) -> str:
    """Return the name of an adjusted odds ratio; a line that is not the last one has its qualifications in it."""
    more = ["given", *map(plain, given)] if given else []
    return "_".join([ADJUSTED_ODDS_RATIO, attribute, "_".join(label.split()), *more])


@dataclass(frozen=True)
class _Odds:
    """The odds ratio of one group, and the test that decides; `untested` is why it has no p."""

    estimate: float | None
    low: float | None
    high: float | None
    statistic: float | None
    df: float | None
    p: float | None
    _: KW_ONLY
    test: str
    untested: str | None
    more: tuple[Test, ...] = ()
    clusters: Mapping[str, int]
    of_groups: Mapping[str, int]
    n: int
    method: str
    reason: str | None


def _finite(*values: float | None) -> list[float | None]:
    """Return numbers as floats, None for those that are not finite."""
    return [None if value is None or not np.isfinite(value) else float(value) for value in values]


def _odds_ratios(
    people: _People,
    rows: pl.DataFrame,
    step: _Step,
    fit: "stats.StandardisedRates",
    *,
    last: bool,
    blocks: Sequence[str],
) -> Iterator[Finding]:
    """Yield the odds ratio of each group against the reference with the same qualifications."""
    odds: list[_Odds] = []
    few = fit.strata <= MOST_STRATA
    if people.is_weighted:  # whole people only can be conditioned on
        odds = [_solved(people, rows, fit, at) for at in range(len(people.groups) - 1)]
    elif step.strata and (blocks or fit.sparse is not None):
        odds = _conditional(people, rows, step)
        # Where it can't be conditional: clusters across strata, large strata, and nobody selected in clusters.
        if any(each.p is None for each in odds):
            odds = [] if few else [_solved(people, rows, fit, at) if o.p is None else o for at, o in enumerate(odds)]
    elif not few:
        odds = [_solved(people, rows, fit, at) for at in range(len(people.groups) - 1)]
    odds = odds or _regressed(people, rows, step)
    of_groups = people.of_groups
    c, m = of_groups[people.groups[0]]
    for label, result in zip(people.groups[1:], odds, strict=True):
        a, n = of_groups[label]
        test = Test(
            name=result.test,
            statistic=result.statistic,
            p=result.p,
            reason=result.untested if result.p is None else None,
        )
        yield Finding(
            name=_adjusted_name(people.attribute, label, () if last else step.given),
            measure=ADJUSTED_ODDS_RATIO,
            focal={people.attribute: label},
            reference={people.attribute: people.groups[0]},
            role="planned",
            **copied(result, "estimate low high n method"),
            confidence=people.confidence,
            measured_in="ratio",
            null_value=1.0,
            clusters=dict(result.clusters),
            tests=(test, *result.more),
            claim=uncorrected(
                test,
                planned=True,
                df=result.df,
                n=(round(n), round(m)),
                reason=test.reason or result.reason,
                caution=few_clusters(" × ".join(people.clusters), result.of_groups, result.df),
            ),
            reason=None if result.estimate is not None else result.reason,
            details=AdjustedOdds(
                given=step.given,
                within=(*(name for name in step.strata if name == POSITION), *blocks),
                odds_ratio_crude=_crude_odds(a, n, c, m)
                if people.is_weighted
                else stats.odds_ratio(a, n, c, m).estimate,
                n_left_out=people.left_out,
                rate_focal=a / n if n else None,
                rate_reference=c / m if m else None,
            ),
        )


def _crude_odds(a: float, n: float, c: float, m: float) -> float | None:
    """Return the odds ratio of sums of weights."""
    return float(a * (m - c) / (c * (n - a))) if c > 0 and n > a else None


def _conditional(people: _People, rows: pl.DataFrame, step: _Step) -> list[_Odds]:
    """Return the odds ratios of small strata: given how many of each were selected."""
    qualifications, _ = _design(rows, step.qualifications)
    groups = people.group_of(rows)
    member = (groups[:, None] == np.arange(1, len(people.groups))).astype(np.float64)
    design = np.column_stack([qualifications, member])
    ways = [
        stats.conditional_logistic(
            design,
            _strata(rows, step),
            rows["successes"],
            rows["n"],
            clusters=codes,
            confidence=people.confidence,
        )
        for codes in (*(rows[name].to_numpy() for name in people.codes), *([] if people.codes else [None]))
    ]
    results = []
    for number, label in enumerate(people.groups[1:], start=qualifications.shape[1]):
        way = max(ways, key=lambda each: np.nan_to_num(each.p[number], nan=2.0))
        reason, held = way.reasons[number] or None, people.held(rows, label, ways.index(way))
        results.append(
            _Odds(
                *_finite(*np.exp([way.estimate[number], way.low[number], way.high[number]])),
                *_finite(way.statistic[number], way.df[number], way.p[number]),
                test=way.test[number] or stats.CONDITIONAL_WALD,
                untested=reason,
                clusters={name: each.clusters for name, each in zip(people.clusters, ways, strict=False)}
                or {"person": way.n},
                of_groups=held,
                n=way.n,
                method=way.method + (f", {people.robust}, CR2" if held else ""),
                reason=reason,
            )
        )
    return results


def _solved(people: _People, rows: pl.DataFrame, fit: "stats.StandardisedRates", place: int) -> _Odds:
    """Return the odds ratio of the regression behind the rates, which has an intercept for each of many strata."""
    label = people.groups[place + 1]
    tested = _finite(fit.log_odds_t[place], fit.log_odds_df[place], fit.log_odds_p[place])
    reason, held = fit.reasons[place] or (NO_SPREAD if tested[-1] is None else None), people.held(rows, label)
    return _Odds(
        *_finite(*np.exp([fit.log_odds[place], fit.log_odds_low[place], fit.log_odds_high[place]])),
        *tested,
        test="CR2 t of the log odds" if held else "Wald",
        untested=reason,
        clusters=people.held_by(rows) or {"person": fit.n},
        of_groups=held,
        n=fit.n,
        method=fit.method + (f", {people.robust}" if held else ""),
        reason=reason,
    )


def _regressed(people: _People, rows: pl.DataFrame, step: _Step) -> list[_Odds]:
    """Return the odds ratios of a regression with an intercept for each stratum."""
    qualifications, named = _design(rows, step.qualifications)
    strata, groups = _strata(rows, step), people.group_of(rows)
    dummies = (strata[:, None] == np.unique(strata)[1:]).astype(np.float64)
    member = (groups[:, None] == np.arange(1, len(people.groups))).astype(np.float64)
    # Qualifications first: where a group and a qualification can't be separated, the group has no estimate.
    design = np.column_stack([np.ones(rows.height), dummies, qualifications, member])
    names = ["intercept", *[POSITION] * dummies.shape[1], *named, *[people.attribute] * member.shape[1]]
    counts = design, rows["successes"], rows["n"]
    fit = stats.logistic_counts(*counts, names=names, confidence=people.confidence)
    robust = [
        stats.clustered_logistic_counts(
            *counts, rows[codes].to_numpy(), names=names, reference=groups == 0, confidence=people.confidence
        )
        for codes in people.codes
    ]
    of_groups_together = []
    if not robust:
        columns = len(names) - member.shape[1]
        without = stats.logistic_counts(design[:, :columns], *counts[1:], names=names[:columns])
        term = stats.likelihood_ratio(fit, without)
        name = f"likelihood ratio, all groups of {people.attribute}"
        of_groups_together = [Test(name=name, statistic=term.statistic, p=term.p)]
    of_groups, results = people.of_groups, []
    for number, label in enumerate(people.groups[1:], start=len(names) - len(people.groups) + 1):
        sides = ((name, *of_groups[name]) for name in (label, people.groups[0]))
        one_sided = next((text for text in (_one_sided(*side) for side in sides) if text), None)
        # Of two ways of clusters the one with the larger p.
        way = max(robust, key=lambda each: np.nan_to_num(each.p[number], nan=2.0), default=None)
        known = bool(np.isfinite(fit.estimate[number]))
        if way is None:
            limits, tested = (fit.low, fit.high), (fit.z[number], None, fit.p[number])
            name, untested = fit.test[number], fit.reason or fit.reasons[number]
        else:
            limits, tested = (way.low, way.high), (way.t[number], way.df[number], way.p[number])
            name, untested = way.test[number] or CLUSTERED_T, way.reasons[number]
        results.append(
            _Odds(
                float(np.exp(fit.estimate[number])) if known else None,
                *_finite(*(np.exp(limit[number]) for limit in limits), *tested),
                test=str(name) or "Wald",
                untested=str(untested),
                more=tuple(of_groups_together),
                clusters={name: each.clusters for name, each in zip(people.clusters, robust, strict=True)}
                or {"person": fit.n},
                of_groups={}
                if way is None
                else {label: way.clusters_focal[number], people.groups[0]: way.clusters_reference[number]},
                n=fit.n,
                method=METHOD if way is None else f"logistic regression, {people.robust}, CR2",
                reason=str(fit.reason or (fit.test[number] and one_sided) or fit.reasons[number]) or None,
            )
        )
    return results


def _one_sided(group: str, selected: int, n: int) -> str | None:
    """Return why a group of which nobody or everybody was selected has no finite odds ratio; None of other groups."""
    if 0 < selected < n:
        return None
    return f"The selection rate of {group} is {'0' if selected == 0 else '100'} %, so the odds ratio is not finite."


def _columns(values: pl.Series) -> list[Floats]:
    """Return a number as one centred column, a text as one column per value but the most frequent."""
    if values.dtype != pl.String:
        numbers = values.cast(pl.Float64).to_numpy()
        spread = float(numbers.std()) if numbers.size else 0.0
        return [(numbers - numbers.mean()) / spread] if spread else []
    counted = values.value_counts(sort=True, name="rows").sort("rows", values.name, descending=[True, False])
    return [(values == level).to_numpy().astype(np.float64) for level in counted[values.name][1:]]


#: Why the shares of people with what is selected more have no ratio.
NOBODY_HAS: Final = "All values were selected equally often, so none is selected more."
NO_REFERENCE_HAS: Final = "Nobody in the reference group has what is selected more, so there is no ratio to its share."


def _shares(people: _People, column: str) -> Iterator[Finding]:
    """Yield how many of each group have what is selected more of a qualification, or position, as a ratio.

    A qualification that the employer decides, such as a rating, may be tainted by what it is to explain.
    """
    rows = people.rows([column])
    favourable, words = _favourable(rows, column)
    groups, n = people.group_of(rows), rows["n"].to_numpy()
    having = np.where(favourable, n, 0)
    of_groups = [(having[groups == code].sum(), n[groups == code].sum()) for code in range(len(people.groups))]
    name = column.removeprefix(GIVEN)
    robust = (
        stats.standardised_rates(
            groups,
            np.zeros((rows.height, 0)),
            np.zeros(rows.height),
            having,
            n,
            clusters=[rows[codes].to_numpy() for codes in people.codes],
            confidence=people.confidence,
        )
        if people.clusters
        else None
    )
    stage = people.keys["stage"] or ""
    for place, label in enumerate(people.groups[1:]):
        shares = [part / whole for part, whole in (of_groups[place + 1], of_groups[0])]
        counts = tuple(round(count) for group in (of_groups[place + 1], of_groups[0]) for count in group)
        ratio = stats.impact_ratio(*counts, confidence=people.confidence)
        reason = NOBODY_HAS if not words else NO_REFERENCE_HAS if counts[3] and not counts[2] else ratio.reason
        test = Test(name="Fisher exact", statistic=None, p=stats.fisher_exact(*counts).p)
        limits = {"low": ratio.low, "high": ratio.high}
        df, method, clusters = None, ratio.method, {"person": counts[1] + counts[3]}
        if robust is not None:
            columns = (
                robust.difference / robust.standard_error,
                robust.p,
                robust.df,
                robust.ratio_low,
                robust.ratio_high,
            )
            t, p, df, low, high = _finite(*(values[place] for values in columns))
            test = Test(name=CLUSTERED_T, statistic=t, p=p, reason=NO_SPREAD if p is None else None)
            limits = {"low": low, "high": high}
            method, clusters = f"{people.robust}, CR2, log ratio", people.held_by(rows)
        yield Finding(
            name="_".join([QUALIFICATION_RATIO, *map(plain, filter(None, (people.attribute, label, name, stage)))]),
            measure=QUALIFICATION_RATIO,
            slice={"stage": stage} if stage else {},
            focal={people.attribute: label},
            reference={people.attribute: people.groups[0]},
            role="exploratory",
            estimate=ratio.estimate if not people.is_weighted or not shares[1] else float(shares[0] / shares[1]),
            **limits,
            confidence=people.confidence,
            measured_in="ratio",
            null_value=1.0,
            n=counts[1] + counts[3],
            clusters=clusters,
            method=method,
            tests=(test,),
            claim=uncorrected(
                test,
                planned=False,
                family=f"qualifications by {people.attribute}",
                df=df,
                n=(counts[1], counts[3]),
                reason=reason,
            ),
            reason=reason,
            details=QualificationShare(
                column=name,
                favourable=words,
                share_focal=float(shares[0]),
                share_reference=float(shares[1]),
            ),
        )


def _favourable(rows: pl.DataFrame, column: str) -> tuple[NDArray[np.bool_], str]:
    """Return which rows have the side of a column that is selected more, and what that is.

    Of a number that is the side of its median, of a text all values with a selection rate above that of all people.
    """
    levels = rows.group_by(column).agg(pl.col("n", "successes").sum()).sort(column)
    n, selected = (levels[name].to_numpy().astype(np.float64) for name in ("n", "successes"))
    overall = selected.sum() / n.sum()
    if rows[column].dtype == pl.String:
        names = levels.filter(pl.Series(selected / n > overall))[column].to_list()
        return rows[column].is_in(names).to_numpy(), listed([shortened(name) for name in names], most=MOST_NAMED)
    middle = float(levels[column][int(np.searchsorted(np.cumsum(n), n.sum() / 2))])
    # Where half of the people or more have the largest value it is the upper side.
    top = middle == levels[column].max()
    upper, lower = (f"{middle:g} or more", f"below {middle:g}") if top else (f"above {middle:g}", f"up to {middle:g}")
    above, of_levels = (
        ((values >= middle) if top else (values > middle)).to_numpy() for values in (rows[column], levels[column])
    )
    if selected[~of_levels].sum() > overall * n[~of_levels].sum():
        return ~above, lower
    return above, upper
