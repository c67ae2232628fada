"""`evenhand plan impact`: how many decisions the deciding test needs, or what it finds with those there are."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from math import ceil
from typing import Final

from evenhand import stats
from evenhand.analyses.options.impact import ImpactPlanOptions
from evenhand.errors import InputError
from evenhand.report.plan import (
    PlannedComparison,
    PlannedPoint,
    PlannedSizes,
    power_table,
    size_sentences,
    sizes_table,
    write_plan_page,
)
from evenhand.results.finding import LEVEL, as_json, copied
from evenhand.results.terminal import CommandOutput, Screen

#: Impact ratios of the table, and of the curve.
DISPLAYED_RATIOS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
CURVE: Final = tuple(round(0.5 + 0.01 * step, 2) for step in range(46))
#: How far a simulated number of decisions may be from the smallest one.
TOLERANCE: Final = 0.02

FISHER: Final = "Fisher exact"
APPLICANTS, POSITIONS, POSITION = "all applicants", "positions together", "one position"


PowerAt = Callable[[int, int, float], stats.Power]


@dataclass(frozen=True)
class _Question:
    """One comparison of the report: its test, its level, and the power with some people and a ratio."""

    name: str
    test: str
    level: float
    power_at: PowerAt


def plan_decisions(options: ImpactPlanOptions) -> CommandOutput:
    """Return the plan; write a page with the curve to `out`.

    Raises
    ------
    InputError
        Options exclude each other, or the page exists already or can't be written.

    """
    if options.out is not None and options.out.exists() and not options.force:
        raise InputError(f"--out {options.out} already exists; use --force to replace it.")
    _refuse(options)
    groups = len(options.sizes) or options.groups or 2
    pairs = groups - 1 if options.reference == "named" else groups * (groups - 1) // 2
    # As a report counts them: the ratio of all applicants, the common odds ratio, and whether any position differs.
    family = pairs if options.positions is None else 2 * pairs + 1
    questions = list(_questions(options, level=LEVEL / family, in_positions=LEVEL / (pairs * (options.positions or 1))))
    is_given = bool(options.sizes) and options.sizes[0] >= 1
    shares = options.sizes or (1.0,) * groups
    sizes = tuple(map(int, shares)) if is_given else _sizes(options, shares, questions)
    comparisons = tuple(_comparisons(options, sizes, questions, is_given=is_given))
    planned = PlannedSizes(
        **copied(options, "rate ratio power positions cluster_size intraclass"),
        groups=groups,
        level=questions[0].level,
        test=f"{questions[0].test}, two-sided",
        family_size=family,
        sizes=sizes,
        per_group=sizes[0] if len(set(sizes)) == 1 else None,
        decisions=sum(sizes),
        crossed=options.crossed,
        given=is_given,
        comparisons=comparisons,
        curve=tuple(_curve(options, sizes, shares, questions[0], is_given=is_given)),
    )
    if options.out is not None:
        write_plan_page(planned, options.out, DISPLAYED_RATIOS)
    screen = Screen()
    first, *others = size_sentences(planned)
    screen.say(first)
    for table in (power_table(planned), sizes_table(planned, DISPLAYED_RATIOS)):
        if table is not None:
            screen.say()
            screen.draw(table)
    for line in others:
        screen.say(f"\n{line}")
    if options.out is not None:
        screen.say()
        screen.keep(str(options.out))
    content = {"schema": "evenhand.plan/1", "kind": "impact", **as_json(planned)}
    return CommandOutput(content=content, text=screen.text)


def _refuse(options: ImpactPlanOptions) -> None:
    sizes = options.sizes
    typed = ",".join(f"{size:g}" for size in sizes)
    if sizes and (len(sizes) < 2 or len({size < 1 for size in sizes}) > 1):
        raise InputError(
            f"--sizes is {typed}; expected two numbers or more, either all numbers of decisions or all shares below 1."
        )
    if sizes and sizes[0] < 1 and abs(sum(sizes) - 1) > 1e-6:
        raise InputError(f"--sizes is {typed}, which adds up to {sum(sizes):g}; expected shares that add up to 1.")
    if sizes and options.groups not in {None, len(sizes)}:
        raise InputError(f"--groups is {options.groups} and --sizes has {len(sizes)}; leave out --groups.")
    if (options.cluster_size is None) != (options.intraclass is None):
        given, lacking = "--cluster-size", "--intraclass, the correlation of decisions within a cluster, such as .05"
        if options.cluster_size is None:
            given, lacking = "--intraclass", "--cluster-size, the decisions in each cluster"
        raise InputError(f"{given} needs {lacking}.")
    if options.crossed and options.cluster_size is None:
        raise InputError("--crossed needs --cluster-size and --intraclass.")
    if options.cluster_size is not None and options.positions is not None:
        raise InputError(
            "--positions and --cluster-size can't be given together: plan with each, and take the larger number."
        )


def _questions(options: ImpactPlanOptions, *, level: float, in_positions: float) -> Iterator[_Question]:
    def spread(people: int) -> list[int]:
        return list(stats.spread_evenly(people, options.positions or 1))

    def fisher(n: int, m: int, ratio: float, *, level: float) -> stats.Power:
        return stats.fisher_power(n, m, options.rate, ratio, confidence=1 - level)

    if options.cluster_size is not None and options.intraclass is not None:
        yield _Question(APPLICANTS, stats.CR2, level, cache(partial(_in_clusters, options, level=level)))
    else:
        yield _Question(APPLICANTS, FISHER, level, partial(fisher, level=level))
    if options.positions is not None:
        yield _Question(
            POSITIONS,
            "Mantel-Haenszel",
            level,
            lambda n, m, ratio: stats.stratified_power(spread(n), spread(m), options.rate, ratio, confidence=1 - level),
        )
        yield _Question(POSITION, FISHER, in_positions, partial(fisher, level=in_positions))


def _in_clusters(options: ImpactPlanOptions, n: int, m: int, ratio: float, *, level: float) -> stats.Power:
    size, groups = options.cluster_size or 1, len(options.sizes) or options.groups or 2
    # A crossed cluster has people of the other groups, too, here as many as of these two.
    whole = ceil((n + m) * groups / 2 / size)
    places = (whole, whole) if options.crossed else (ceil(n / size), ceil(m / size))
    return stats.clustered_power(
        stats.spread_evenly(n, places[0]),
        stats.spread_evenly(m, places[1]),
        options.rate,
        ratio,
        intraclass=options.intraclass or 0.0,
        crossed=options.crossed,
        confidence=1 - level,
    )


def _sizes(options: ImpactPlanOptions, shares: tuple[float, ...], questions: list[_Question]) -> tuple[int, ...]:
    """Return the decisions in each group with which all applicants, and all positions together, have the power."""
    smallest = min(shares[:-1])
    per_focal = shares[-1] / smallest
    needed: int = stats.decisions_needed(
        options.rate,
        options.ratio,
        power=options.power,
        confidence=1 - questions[0].level,
        reference_per_focal=per_focal,
    ).estimate
    unit = options.cluster_size or 1
    for question in questions:
        if question.name == POSITION or question.test == FISHER:
            continue

        def reached(clusters: int, question: _Question = question) -> float:
            n = clusters * unit
            return float(question.power_at(n, ceil(n * per_focal), options.ratio).estimate or 0.0)

        # A rate varies in clusters of one group so many times as much as of independent people.
        design_effect = 1.0 if options.crossed else 1 + (unit - 1) * (options.intraclass or 0.0)
        guess = ceil(needed * design_effect / unit)
        found = unit * stats.size_with_power(
            reached, guess, power=options.power, confidence=1 - question.level, tolerance=TOLERANCE
        )
        needed = max(needed, found) if unit == 1 else found
    return tuple(ceil(needed * share / smallest - 1e-9) for share in shares)


def _comparisons(
    options: ImpactPlanOptions, sizes: tuple[int, ...], questions: list[_Question], *, is_given: bool
) -> Iterator[PlannedComparison]:
    """Yield each question of each size of a group against the last one, groups of one size once."""
    for question in questions:
        parts = (options.positions or 1) if question.name == POSITION else 1
        for n, m in dict.fromkeys((ceil(size / parts), ceil(sizes[-1] / parts)) for size in sizes[:-1]):
            reached = question.power_at(n, m, options.ratio)
            is_asked = question.test == stats.CR2 and not is_given
            yield PlannedComparison(
                question=question.name,
                n_focal=n,
                n_reference=m,
                test=question.test,
                level=question.level,
                power_at_ratio=float(reached.estimate or 0.0),
                computed_by=reached.method,
                detectable_ratio=options.ratio if is_asked else _detectable(options, question, n, m),
            )


def _detectable(options: ImpactPlanOptions, question: _Question, n: int, m: int) -> float | None:
    ratio: float | None
    if question.test == FISHER:
        ratio = stats.detectable_ratio(n, m, options.rate, power=options.power, confidence=1 - question.level).estimate
        return ratio
    return stats.ratio_with_power(
        lambda ratio: float(question.power_at(n, m, ratio).estimate or 0.0),
        options.ratio,
        power=options.power,
        confidence=1 - question.level,
    )


def _curve(
    options: ImpactPlanOptions,
    sizes: tuple[int, ...],
    shares: tuple[float, ...],
    question: _Question,
    *,
    is_given: bool,
) -> Iterator[PlannedPoint]:
    """Yield the decisions that each ratio needs; of given sizes the power of the smallest group at each ratio."""
    smallest = min(shares[:-1])
    if is_given:
        exact = question.test == FISHER
        for ratio in sorted({*(CURVE if exact else ()), *DISPLAYED_RATIOS, options.ratio}):
            reached = question.power_at(int(smallest), sizes[-1], ratio)
            yield PlannedPoint(ratio=ratio, power=float(reached.estimate or 0.0))
        return
    ratios = sorted({*CURVE, *DISPLAYED_RATIOS, options.ratio})
    needed = stats.decisions_needed(
        options.rate,
        ratios,
        power=options.power,
        confidence=1 - question.level,
        reference_per_focal=shares[-1] / smallest,
    )
    # What was simulated needs so many times what Fisher's test of independent people would.
    scale = sizes[shares.index(smallest)] / needed.estimate[ratios.index(options.ratio)]
    for ratio, n in zip(ratios, (needed.estimate * scale).tolist(), strict=True):
        each = sizes if ratio == options.ratio else [ceil(n * share / smallest - 1e-9) for share in shares]
        alike = each[0] if len(set(each)) == 1 else None
        yield PlannedPoint(ratio=ratio, per_group=alike, decisions=sum(each))
