"""Answers that could not be read: their rates by group, and what they could change.

A group's rate is tested against that of all others. Headline comparisons are also as if unread answers were read: for
one group, for the other, as a judge reads them. Only answers without a decision, and with several, are taken either way
(Horowitz and Manski 1998, J. Econometrics 84). Refusals, answers without a text or cut off, and failed requests could
not have been read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pkgutil import resolve_name
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons.claims import HOLM, PLANNED, in_families, uncorrected
from evenhand.comparisons.clusterings import difference_interval_of, rate_interval_of
from evenhand.comparisons.units import Draw, Floats, Ints, Units, bare
from evenhand.comparisons.weighted_sums import shuffled_labels
from evenhand.results.finding import AsJudged, Details, Finding, Statuses, Test, Unread, UnreadBounds, copied
from evenhand.results.measures import (
    ACCEPT,
    AS_JUDGED,
    DIFFERENCE,
    NONE,
    OTHERS,
    UNDETECTED_ATTEMPTS,
    UNDETECTED_ITEMS,
    UNREAD_BOUNDS,
    Alias,
    Contrast,
    Distance,
    MeasureSet,
    Slice,
    Summary,
)
from evenhand.results.schemas import CONTEXT, PROTECTED, STATUS, STATUSES, UNREAD, WITHOUT_TEXT
from evenhand.stats.resampling import label_permutations, permutation_p, permuted_counts

FAMILY = "unreadable answers"
OVER_NAMES, OVER_ITEMS = "permutation over names", "permutation over items"


def undetected_findings(units: Units, statuses: pl.DataFrame, measured: MeasureSet, draw: Draw) -> Iterator[Finding]:
    """Yield the rates of unreadable answers: of all, per group, per combination of groups, and their differences.

    An answer is unreadable when its status is not `observed`, refusals included; an
    item counts when none of its answers is observed. `statuses` counts attempts per protected
    attributes and status.
    """
    by_attempt, by_item = _per_attempt(units), _per_item(units)
    test = _homogeneity(by_attempt, measured, draw)
    common: dict[str, Any] = {
        "statuses": statuses.to_dicts(),
        "confidence": draw.confidence,
        "clusters": measured.clusters,
    }
    for name, counted in ((UNDETECTED_ATTEMPTS, by_attempt), (UNDETECTED_ITEMS, by_item)):
        tests = (test,) if name == UNDETECTED_ATTEMPTS and test is not None else ()
        yield _rate(name, name, counted, focal={}, tests=tests, **common)
    for size in range(1, len(measured.groups) + 1):
        for columns in combinations(measured.groups, size):
            for focal in units.groups(columns):
                label = "_".join(focal.values())
                yield _rate(f"{label}_{UNDETECTED_ATTEMPTS}", UNDETECTED_ATTEMPTS, by_attempt, focal=focal, **common)
                yield _rate(f"{label}_{UNDETECTED_ITEMS}", UNDETECTED_ITEMS, by_item, focal=focal, **common)
    contrast = measured.contrast
    if contrast is not None:
        yield _difference(by_attempt, contrast, measured, draw)
    permuted = _PermutedNames.of(by_attempt, measured, draw)
    for size in range(1, len(measured.groups) + 1):
        for columns in combinations(measured.groups, size):
            for focal in _compared(units, columns, contrast):
                test = permuted.test(focal)
                yield _against_others(by_attempt, focal, test, clusters=measured.clusters, confidence=draw.confidence)


def _compared(units: Units, columns: Sequence[str], contrast: Contrast | None = None) -> list[dict[str, str]]:
    """Return the groups that are compared with all others: of two, or of a declared contrast, one comparison does."""
    groups = units.groups(columns)
    if contrast is not None and set(contrast.focal) == set(columns) and len(groups) < 3:
        return []
    return groups if len(groups) > 2 else groups[: len(groups) - 1]


def choice_undetected_findings(
    items: Units, statuses: pl.DataFrame, measured: MeasureSet, draw: Draw
) -> Iterator[Finding]:
    """Yield the rates of unreadable choices: of all, and per level of the columns that items have.

    An item has several names, so the tests whether levels differ permute whole items.
    """
    by_attempt, by_item = _per_attempt(items), _per_item(items)
    columns = [name for name in measured.slice_columns() if len(items.levels.get(name, ())) > 1]
    tests = tuple(test for name in columns if (test := _items_differ(by_attempt, name, draw)) is not None)
    common: dict[str, Any] = {"statuses": statuses.to_dicts(), "confidence": draw.confidence}
    yield _rate(UNDETECTED_ATTEMPTS, UNDETECTED_ATTEMPTS, by_attempt, focal={}, tests=tests, **common)
    yield _rate(UNDETECTED_ITEMS, UNDETECTED_ITEMS, by_item, focal={}, **common)
    for name in columns:
        for level in items.levels[name]:
            label = "_".join(level.lower().split())
            for measure, units in ((UNDETECTED_ATTEMPTS, by_attempt), (UNDETECTED_ITEMS, by_item)):
                finding = _rate(f"{label}_{measure}", measure, units, focal={name: level}, **common)
                protected = PROTECTED + name in statuses.columns
                yield finding if protected else replace(finding, focal={}, slice={name: level})
    for name in columns:
        by_level = _levels_differ(by_attempt, name, draw)
        for focal in _compared(items, (name,)):
            test = by_level[items.levels[name].index(focal[name])]
            yield _against_others(by_attempt, focal, test, confidence=draw.confidence)


def _items_differ(units: Units, column: str, draw: Draw) -> Test | None:
    """Return the test that all levels of `column` share one rate of unreadable answers, over shuffled items."""
    name = f"{OVER_ITEMS}, spread over {column}"
    permuted = _permuted_items(units, column, draw)
    if permuted is None:
        return None
    if permuted.reason is not None:
        return Test(name=name, statistic=0.0, p=None, reason=permuted.reason)
    overall, sizes = permuted.overall, permuted.sizes
    null, observed = (
        ((sums - overall * sizes) ** 2 / sizes).sum(axis=-1) for sums in (permuted.shuffled, permuted.sums)
    )
    return Test(name=name, statistic=float(observed), p=permutation_p(float(observed), null))


def _levels_differ(units: Units, column: str, draw: Draw) -> dict[int, Test]:
    """Return, by code, the test that a level of `column` has the rate of all others, over shuffled items."""
    permuted = _permuted_items(units, column, draw)
    if permuted is None:
        return {}
    if permuted.reason is not None:
        return {code: Test(name=OVER_ITEMS, statistic=0.0, p=None, reason=permuted.reason) for code in permuted.codes}
    total, n = permuted.sums.sum(), permuted.sizes.sum()
    observed, null = (
        sums / permuted.sizes - (total - sums) / (n - permuted.sizes) for sums in (permuted.sums, permuted.shuffled)
    )
    return {
        code: Test(name=OVER_ITEMS, statistic=float(value), p=permutation_p(float(value), null[:, place]))
        for place, (code, value) in enumerate(zip(permuted.codes, observed, strict=True))
    }


@dataclass(frozen=True, kw_only=True)
class _PermutedItems:
    """The items of each level of a column, with their summed shares of unreadable answers, and those of shuffles.

    `shuffled` has shape (permutations, levels). Where no test can tell levels apart, `reason` says why.
    """

    codes: list[int]
    sizes: Ints
    sums: Floats
    shuffled: Floats
    overall: float
    reason: str | None = None


def _permuted_items(units: Units, column: str, draw: Draw) -> _PermutedItems | None:
    """Return the levels of a column with shuffled items; None where it has fewer than two levels."""
    group = units.codes[column]
    known = [int(code) for code in np.unique(group) if code >= 0]
    if len(known) < 2:
        return None
    total = units.score
    inside = group >= 0
    overall = float(total[inside].mean())
    sizes = np.array([(group == code).sum() for code in known])
    sums = np.array([total[group == code].sum() for code in known])
    if overall in (0.0, 1.0):
        reason = "All attempts had the same status."
        return _PermutedItems(codes=known, sizes=sizes, sums=sums, shuffled=sums, overall=overall, reason=reason)
    rng = np.random.default_rng([draw.seed, 7])
    # There are few different scores (0, ½, 1), so the counts of each in a group are drawn without shuffling items.
    values, kinds = np.unique(total[inside], return_counts=True)
    shuffled = permuted_counts(sizes, kinds, permutations=draw.permutations, rng=rng) @ values
    return _PermutedItems(codes=known, sizes=sizes, sums=sums, shuffled=shuffled, overall=overall)


def _per_attempt(units: Units) -> Units:
    """Return units whose successes are the attempts that were not observed, of all attempts as trials."""
    attempts = units.attempts.astype(np.float64)
    lost = attempts - units.observed
    return replace(units, score=lost / attempts, successes=lost, trials=attempts)


def _per_item(units: Units) -> Units:
    """Return units scored 1 where none of the attempts was observed.

    A pair is one item for resampling, but each of its two prompts is counted here.
    """
    return replace(units, score=(units.observed == 0).astype(np.float64))


def _rate(
    name: str,
    measure: str,
    units: Units,
    *,
    focal: Mapping[str, str],
    statuses: Sequence[Mapping[str, Any]],
    confidence: float,
    clusters: Sequence[str] = (),
    tests: tuple[Test, ...] = (),
) -> Finding:
    chosen = units.take(units.where(focal)) if focal else units
    pooled = measure == UNDETECTED_ATTEMPTS
    counts: dict[str, int] = {}
    for row in statuses:
        bare_row = {bare(key): value for key, value in row.items()}
        if all(bare_row.get(key, value) == value for key, value in focal.items()):
            counts[bare_row["status"]] = counts.get(bare_row["status"], 0) + int(bare_row["n"])
    counts = dict(sorted(counts.items(), key=lambda pair: STATUSES.index(pair[0])))
    return Finding(
        name=name,
        measure=measure,
        focal=dict(focal),
        role="descriptive",
        confidence=confidence,
        tests=tests,
        details=Statuses(statuses=counts) if pooled else Details(),
        **rate_interval_of(chosen, confidence=confidence, clusters=clusters, pooled=pooled),
    )


def _difference(units: Units, contrast: Contrast, measured: MeasureSet, draw: Draw) -> Finding:
    focal, reference = units.where(contrast.focal), units.where(contrast.reference)
    interval = difference_interval_of(
        units, focal, reference, confidence=draw.confidence, clusters=measured.clusters, pooled=True
    )
    ((column, level),) = contrast.focal.items()
    ((_, other),) = contrast.reference.items()
    carrier, rows = units.combined([measured.clusters[0], *measured.groups])
    drawn = shuffled_labels(rows[:, 1:], measured.groups, column, draw)
    n, total = _sums(carrier, units)
    p = None
    if interval["estimate"] is not None:
        rates = []
        for value in (level, other):
            chosen = (drawn == units.levels[column].index(value)).astype(np.float64)
            rates.append((chosen @ total) / (chosen @ n))
        p = permutation_p(float(interval["estimate"]), rates[0] - rates[1])
    test = Test(name=OVER_NAMES, statistic=interval["estimate"], p=p, reason=interval.get("reason"))
    sides = (units.take(focal), units.take(reference))
    return _comparison(contrast.focal, contrast.reference, interval, test, sides, prefix="", confidence=draw.confidence)


def _against_others(
    units: Units, focal: Mapping[str, str], test: Test, *, confidence: float, clusters: Sequence[str] = ()
) -> Finding:
    """Return a group's rate minus that of all whose group is known and another one."""
    inside, known = units.where(focal), np.ones(len(units), dtype=bool)
    for column in focal:
        known &= units.codes[column] >= 0
    others = known & ~inside
    interval = difference_interval_of(units, inside, others, confidence=confidence, clusters=clusters, pooled=True)
    sides = (units.take(inside), units.take(others))
    label = "_".join("_".join(level.lower().split()) for level in focal.values())
    reference = dict.fromkeys(focal, OTHERS)
    return _comparison(focal, reference, interval, test, sides, prefix=f"{label}_", confidence=confidence)


def _comparison(
    focal: Mapping[str, str],
    reference: Mapping[str, str],
    interval: Mapping[str, Any],
    test: Test,
    sides: tuple[Units, Units],
    *,
    prefix: str,
    confidence: float,
) -> Finding:
    """Return the difference of two rates of unreadable answers with its claim."""
    (n_focal, unread_focal), (n_reference, unread_reference) = (
        (int(side.trials.sum()), int(side.successes.sum())) for side in sides
    )
    return Finding(
        name=f"{prefix}{DIFFERENCE}{UNDETECTED_ATTEMPTS}",
        measure=f"{DIFFERENCE}{UNDETECTED_ATTEMPTS}",
        focal=dict(focal),
        reference=dict(reference),
        role="exploratory",
        confidence=confidence,
        null_value=0.0,
        tests=(test,),
        claim=uncorrected(test, planned=False, family=FAMILY, n=(n_focal, n_reference), correction=HOLM),
        details=Unread(unread_focal=unread_focal, unread_reference=unread_reference),
        **interval,
    )


@dataclass(frozen=True, kw_only=True)
class _PermutedNames:
    """Attempts and those that were not read per name, with the names' groups as they are and shuffled.

    `labels` has, by column, the groups shuffled among names that share their other groups, `whole` the numbers of
    names whose groups all are shuffled together; the first row of each is what was observed.
    """

    n: Floats
    lost: Floats
    columns: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    rows: Ints
    labels: Mapping[str, NDArray[Any]]
    whole: NDArray[Any]

    @classmethod
    def of(cls, units: Units, measured: MeasureSet, draw: Draw) -> "_PermutedNames":
        carrier, combined = units.combined([measured.clusters[0], *measured.groups])
        rows = combined[:, 1:]
        n, lost = _sums(carrier, units)
        labels = {
            column: np.concatenate(
                [
                    rows[None, :, place],
                    shuffled_labels(rows, measured.groups, column, draw),
                ]
            )
            for place, column in enumerate(measured.groups)
        }
        groups, group = np.unique(rows, axis=0, return_inverse=True)
        strata = np.where((rows < 0).any(axis=1), -1, 0)
        rng = np.random.default_rng([draw.seed, 5])
        shuffled = label_permutations(group, strata, permutations=draw.permutations, rng=rng)
        return cls(
            n=n,
            lost=lost,
            columns=measured.groups,
            levels=units.levels,
            rows=groups,
            labels=labels,
            whole=np.concatenate([group[None, :], shuffled]),
        )

    def test(self, focal: Mapping[str, str]) -> Test:
        """Return the test that a group has the rate of all others, over shuffled names."""
        codes = {column: self.levels[column].index(level) for column, level in focal.items()}
        if len(focal) == 1:
            ((column, code),) = codes.items()
            inside, known = self.labels[column] == code, self.labels[column] >= 0
        else:
            places = [self.columns.index(column) for column in focal]
            of_group = np.all(np.equal(self.rows[:, places], list(codes.values())), axis=1)
            of_known = np.all(self.rows[:, places] >= 0, axis=1)
            inside, known = of_group[self.whole], of_known[self.whole]
        rates = []
        for chosen in (inside, known & ~inside):
            with np.errstate(invalid="ignore", divide="ignore"):
                rates.append((chosen @ self.lost) / (chosen @ self.n))
        observed, *null = rates[0] - rates[1]
        if self.lost.sum() in (0.0, self.n.sum()):
            return Test(name=OVER_NAMES, statistic=0.0, p=None, reason="All attempts had the same status.")
        return Test(name=OVER_NAMES, statistic=float(observed), p=permutation_p(float(observed), np.array(null)))


def _homogeneity(units: Units, measured: MeasureSet, draw: Draw) -> Test | None:
    """Return the test that all combinations of groups share one rate of unreadable answers.

    The statistic is Σ n (rate − overall)², its null the permutation of names over groups.
    """
    name = f"permutation over names, spread over {' × '.join(measured.groups)}"
    carrier, rows = units.combined([measured.clusters[0], *measured.groups])
    _, group = np.unique(rows[:, 1:], axis=0, return_inverse=True)
    group = np.where((rows[:, 1:] < 0).any(axis=1), -1, group)
    known = [code for code in np.unique(group) if code >= 0]
    if len(known) < 2:
        return None
    n, total = _sums(carrier, units)
    inside = group >= 0
    overall = total[inside].sum() / n[inside].sum()
    if overall in (0.0, 1.0):
        return Test(name=name, statistic=0.0, p=None, reason="All attempts had the same status.")
    rng = np.random.default_rng([draw.seed, 5])
    strata = np.where(inside, 0, -1)
    drawn = label_permutations(group, strata, permutations=draw.permutations, rng=rng)
    observed = _spread(group[None, :], known, n, total, overall)[0]
    return Test(
        name=name, statistic=float(observed), p=permutation_p(float(observed), _spread(drawn, known, n, total, overall))
    )


def _sums(carrier: Ints, units: Units) -> tuple[Floats, Floats]:
    """Return how many attempts each carrier has, and how many of them were not observed."""
    n, lost = (np.bincount(carrier, weights=values) for values in (units.trials, units.successes))
    return np.asarray(n), np.asarray(lost)


def _spread(labels: NDArray[Any], known: Sequence[int], n: Floats, total: Floats, overall: float) -> Floats:
    spread = np.zeros(labels.shape[0])
    for code in known:
        chosen = (labels == code).astype(np.float64)
        size = chosen @ n
        with np.errstate(invalid="ignore", divide="ignore"):
            spread += np.where(size > 0, (chosen @ total - overall * size) ** 2 / size, 0.0)
    return spread


def nothing_read(statuses: pl.DataFrame, *, counted: str = "answers") -> str:
    """Return why nothing was measured: the statuses of the answers, or of what else is counted."""
    counts = statuses.group_by("status").agg(pl.col("n").sum()).sort("status")
    kinds = ", ".join(f"{n:,} {status}" for status, n in counts.iter_rows())
    return f"None of the {counts['n'].sum():,} {counted} could be read: {kinds}."


def statuses_of(outcomes: pl.LazyFrame, *, aspect: bool = False) -> pl.DataFrame:
    """Return attempts counted by protected attributes and status.

    With `aspect`, an attempt has a row per aspect and is counted by the first of them.
    """
    names = [name for name in outcomes.collect_schema().names() if name.startswith(PROTECTED)]
    keys = [pl.col(name) for name in names]
    if aspect:
        outcomes = outcomes.filter(pl.col("aspect") == pl.col("aspect").min())
    return outcomes.group_by([*keys, pl.col("status")]).agg(pl.len().alias("n")).collect()


def statuses_of_choices(outcomes: pl.LazyFrame) -> pl.DataFrame:
    """Return choices (not candidates) counted by status, and by every column that a choice shares."""
    names = [name for name in outcomes.collect_schema().names() if name.startswith((PROTECTED, CONTEXT))]
    shared = [name for name in names if bare(name) not in {"name", "slot", "cv"}]
    one = [
        pl.when(pl.col(name).n_unique() == 1).then(pl.col(name).first().cast(pl.String)).alias(name) for name in shared
    ]
    keys = ["item", pl.col("set").fill_null(pl.col("unit")), "attempt"]
    choice = outcomes.group_by(keys).agg(pl.col("status").first(), *one)
    return (
        choice.group_by([*shared, "status"])
        .agg(pl.len().alias("n"))
        .rename({name: bare(name) for name in shared if name.startswith(CONTEXT)})
        .collect()
    )


#: Which rows are of unread answers.
_UNREAD = pl.col("status").is_in(UNREAD) & ~pl.col("reading").cast(pl.String).fill_null("").is_in(WITHOUT_TEXT)
METHOD = "unread answers read for one group and against the other; no sampling error"
JUDGED_METHOD = "unread answers as a judge reads them; not tested"


@dataclass(frozen=True, kw_only=True)
class JudgedAnswers:
    """What a judge reads in unread answers: a row of `item, prompt, attempt, label` each, null where it said no label.

    Labels are decisions, scores, or the names of those ranked first.
    """

    judge: str
    readings: pl.DataFrame


def unread_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    findings: Sequence[Finding],
    judged: JudgedAnswers | None,
    draw: Draw,
) -> list[Finding]:
    """Return the bounds of each headline comparison over all readings of unread answers; none where all were read.

    Where a judge read them, each comparison with its readings follows the bounds.

    The comparison is made again with either reading, with its test and correction. A document is read as a whole
    and has no worst reading, nor has a slope.
    """
    headline = [finding for finding in findings if _is_bounded(finding, measured)]
    if not headline or not outcomes.select(_UNREAD.any()).collect().item():
        return []
    sets = _set_keys(measured)
    measures = {measure.name for measure in measured.measures}
    planned = [finding for finding in findings if finding.claim is not None and finding.claim.planned]
    # Of a process in steps the other steps are compared, too.
    others = [finding.claim.p or 1.0 for finding in planned if finding.claim and finding.measure not in measures]
    result = []
    for finding in headline:
        focal = finding.focal or dict(measured.choice or {})
        if not focal:
            continue  # nobody was compared
        sides = [_has(outcomes, focal), ~_has(outcomes, focal)]
        if set(finding.reference) == set(focal):
            sides[1] = _has(outcomes, finding.reference)
        counted = outcomes.filter(_UNREAD)
        if sets:
            counts = [counted.select(pl.struct(sets).n_unique()).collect().item(), 0]
        else:
            counts = list(counted.select(side.sum().alias(str(n)) for n, side in enumerate(sides)).collect().row(0))
        if not sum(counts):
            continue
        ends = []
        for favoured in (sides[0], ~sides[0]):
            filled = _read_for(outcomes, favoured, measured)
            ends.append(_measured_again(filled, finding, measured, draw, others=others))
        if any(end.estimate is None for end in ends):
            continue
        low, high = sorted(ends, key=lambda end: end.estimate or 0.0)
        result.append(
            _beside(
                finding,
                UNREAD_BOUNDS,
                focal=focal,
                estimate=finding.estimate,
                reason=finding.reason,
                low=low.estimate,
                high=high.estimate,
                n=high.n,
                clusters=high.clusters,
                method=METHOD,
                details=UnreadBounds(
                    comparison=finding.name,
                    unread=sum(counts),
                    unread_focal=None if sets else counts[0],
                    unread_reference=None if sets else counts[1],
                    verdict=finding.verdict,
                    verdict_low=low.verdict,
                    verdict_high=high.verdict,
                ),
            )
        )
        if judged is not None:
            result.append(_as_judged(outcomes, measured, finding, judged, draw, sides=sides))
    return result


def _as_judged(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    finding: Finding,
    judged: JudgedAnswers,
    draw: Draw,
    *,
    sides: Sequence[pl.Expr],
) -> Finding:
    """Return a headline comparison with the judge's readings in place of none."""
    unread, said = _UNREAD, pl.col("judged")
    keys = {"item": pl.col("item"), "prompt": pl.coalesce("set", "unit"), "attempt": pl.col("attempt")}
    joined = (
        outcomes.with_columns(keys["prompt"].alias("prompt"))
        .join(
            judged.readings.lazy().rename({"label": "judged"}),
            on=list(keys),
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
        .drop("prompt")
    )
    choice = measured.choice is not None
    favoured = said == (pl.col("context.name") if choice else pl.lit(ACCEPT))
    score = said.cast(pl.Float64, strict=False) if measured.scored is not None else pl.lit(None)
    read = _filled(joined, unread & (said != NONE).fill_null(value=False), favoured, score, measured)
    end = _measured_again(read.drop("judged"), finding, measured, draw, others=())
    label = said if measured.scored is None else pl.when(score.is_not_null()).then(pl.lit("score")).otherwise(said)
    label = pl.when(choice & favoured).then(pl.lit("first")).otherwise(label).fill_null(UNREAD[0])
    rows = joined.filter(unread).with_columns(
        label.alias("judged"), *(side.alias(f"side{n}") for n, side in enumerate(sides))
    ).collect()  # fmt: skip
    chosen = rows.filter(pl.col("judged") == "first") if choice else rows
    without = rows.filter(pl.col("judged").is_in([NONE, *UNREAD])).unique(_set_keys(measured)) if choice else rows[:0]
    focal, reference, others = (
        dict(sorted(part["judged"].value_counts().iter_rows()))
        for part in (chosen.filter("side0"), chosen.filter("side1"), without)
    )
    return _beside(
        finding,
        AS_JUDGED,
        focal=finding.focal or dict(measured.choice or {}),
        **copied(end, "estimate reason n clusters"),
        method=JUDGED_METHOD,
        details=AsJudged(
            comparison=finding.name,
            judge=judged.judge,
            unread=sum(sum(labels.values()) for labels in (focal, reference, others)),
            labels_focal=focal,
            labels_reference=reference,
            labels=others,
        ),
    )


def _beside(finding: Finding, measure: str, **values: Any) -> Finding:
    """Return a descriptive finding that stands beside a headline comparison."""
    same = copied(finding, "reference confidence measured_in null_value")
    return Finding(name=f"{finding.name}_{measure}", measure=measure, role="descriptive", **same, **values)


def _is_bounded(finding: Finding, measured: MeasureSet) -> bool:
    """Return whether a headline comparison lies between two extreme readings: no slope, and no difference of roles."""
    if finding.role != "planned" or finding.slice or measured.aspect is not None:
        return False
    measure = next((measure for measure in measured.measures if measure.name == finding.measure), None)
    if not isinstance(measure, Summary | Contrast):
        return measured.population is not None
    weights = (measure.over.weights if measure.over is not None else None) or {}
    return measure.statistic == "rate" and min(weights.values(), default=0.0) >= 0


def _set_keys(measured: MeasureSet) -> list[pl.Expr]:
    """Return what tells choices apart; nothing where each row is a judgement by itself."""
    keys = [pl.col("item"), pl.col("set").fill_null(pl.col("unit")).alias("set"), pl.col("attempt")]
    return keys if measured.choice is not None else []


def _has(outcomes: pl.LazyFrame, group: Mapping[str, str]) -> pl.Expr:
    """Return which rows are of a group; those of unknown group are not."""
    names = outcomes.collect_schema().names()
    full = {bare(name): name for name in names if name.startswith((PROTECTED, CONTEXT))}
    has = [pl.col(full[column]).cast(pl.String) == level for column, level in group.items()]
    return pl.all_horizontal(has).fill_null(value=False)


def _read_for(outcomes: pl.LazyFrame, favoured: pl.Expr, measured: MeasureSet) -> pl.LazyFrame:
    """Return outcomes with unread answers read for the favoured rows; of a choice the first of them is chosen."""
    scored = measured.scored
    sets = _set_keys(measured)
    if sets:
        first = pl.int_range(pl.len()).over(sets) == 0
        favoured = (
            pl.when(favoured.any().over(sets)).then(favoured & (favoured.cum_sum().over(sets) == 1)).otherwise(first)
        )
    score = pl.lit(None) if scored is None else pl.when(favoured).then(scored.high).otherwise(scored.low)
    return _filled(outcomes, _UNREAD, favoured, score, measured)


def _filled(
    outcomes: pl.LazyFrame, which: pl.Expr, favoured: pl.Expr, score: pl.Expr, measured: MeasureSet
) -> pl.LazyFrame:
    """Return outcomes in which some rows are observed: a success where they are favoured, or with a score."""
    filled = {
        "successes": None if measured.scored is not None else favoured.cast(pl.Int32),
        "trials": pl.lit(1, pl.Int32),
        "score": score.cast(pl.Float64),
        "status": pl.lit("observed", STATUS),
    }
    return outcomes.with_columns(
        pl.when(which).then(value).otherwise(pl.col(name)).alias(name)
        for name, value in filled.items()
        if value is not None
    )


def _measured_again(
    outcomes: pl.LazyFrame, finding: Finding, measured: MeasureSet, draw: Draw, *, others: Sequence[float]
) -> Finding:
    """Return a headline finding of other outcomes, corrected with all headline findings; itself where none is read.

    `others` are the p of comparisons besides those of `measured`.
    """
    measures = tuple(measure for measure in measured.measures if measure.name in measured.headline)
    combined = {
        measure.over.column for measure in measures if not isinstance(measure, Alias | Distance) and measure.over
    }
    headline = replace(
        measured,
        measures=measures,
        slices=tuple(Slice(columns=(column,), prefix="", measures=()) for column in sorted(combined)),
        monte_carlo=None,
    )
    findings = in_families(
        resolve_name(measured.judgement.declared)(outcomes, headline, draw), unseen={PLANNED: others}
    )
    return next((result for result in findings if result.name == finding.name), finding)
