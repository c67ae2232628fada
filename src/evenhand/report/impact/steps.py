"""Next steps of an analysis of applicants, and reversals between pooled and within-position results."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import NextStep
from evenhand.report.words.numbers import SIGNIFICANCE, count_text, counted
from evenhand.report.words.results import capital, in_words, listing
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Finding, ImpactRatio, PooledOdds
from evenhand.results.schemas import BOTTOM_LINE
from evenhand.results.table_groups import Definition, ImpactGroups, View

MANTEL_HAENSZEL = "Mantel-Haenszel"
#: Groups named in a sentence.
MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Reversal:
    """Groups of which all applicants together say another thing than the positions do.

    `compared` is the number of groups compared within positions, whose p is not adjusted.
    """

    definition: Definition
    whole: Finding
    within: Finding
    compared: int


def reversals(groups: ImpactGroups) -> list[Reversal]:
    """Return where positions contradict all applicants together, the largest contradiction first.

    They do where the other group is ahead within positions and one of both differences is significant, and where
    one of them is significant and the other is not. Within positions p is not adjusted: what only they show has to
    pass .05 divided by the number of groups compared.
    """
    reversed_findings = [
        Reversal(definition=view.definition, whole=overall, within=within, compared=len(view.known))
        for view in groups.first_pooled
        for within in view.known
        for overall in groups.overall.get(within.name, ())
        if overall.reference == within.reference and _contradicts(overall, within, compared=len(view.known))
    ]
    return sorted(
        reversed_findings,
        key=lambda reversal: (not PooledOdds.of(reversal.within).simpson, reversal.whole.p_adjusted or 1.0),
    )


def _contradicts(overall: Finding, within: Finding, *, compared: int) -> bool:
    p = impact_views.test_p(within, MANTEL_HAENSZEL)
    if overall.estimate is None or overall.p_adjusted is None or p is None:
        return False
    pooled, only_within = bool(impact_views.is_significant(overall)), p < SIGNIFICANCE / compared
    if PooledOdds.of(within).simpson:
        return pooled or only_within
    hidden = only_within and (impact_views.unadjusted_p(overall) or 0.0) >= SIGNIFICANCE
    return hidden or (pooled and p >= SIGNIFICANCE)


def _significant(within: Finding) -> bool:
    p = impact_views.test_p(within, MANTEL_HAENSZEL)
    return p is not None and p < SIGNIFICANCE


def reversal_sentences(reversal: Reversal, audit: ImpactAudit) -> list[str]:
    """Return the reversal first, then the numbers of all applicants together and those within positions."""
    overall, within = reversal.whole, reversal.within
    details = ImpactRatio.of(overall)
    column = in_words(str(audit.parameters.get("position") or ""))
    strata = counted(PooledOdds.of(within).strata or 0, "position")
    scope = f"{strata} ({column})" if column not in {"", "position"} else strata
    focal, reference = impact_views.named_group(overall.focal), impact_views.named_group(overall.reference)
    behind = (overall.estimate or 0.0) < 1
    opposite = bool(PooledOdds.of(within).simpson)
    often = "less" if behind else "more"
    start = capital(f"{impact_views.selected_by(reversal.definition, audit)}pooled over {scope}")
    if impact_views.is_significant(overall):
        turn = _turn(behind, opposite=opposite, significant=_significant(within))
        first = f"{start}, {focal} was selected {often} often than {reference}; within positions {turn}"
    else:
        often = "less" if behind != opposite else "more"
        first = (
            f"{start}, there is no statistically significant difference between {focal} and {reference}; "
            f"within positions {focal} was selected {often} often"
        )
    rates = f"{impact_views.share_text(details.rate_focal)} against {impact_views.share_text(details.rate_reference)}"
    return [
        first + (" (Simpson's paradox)." if opposite else "."),
        f"Pooled: {rates}, impact ratio {impact_views.short_ratio(overall, level=True)}, "
        f"{impact_views.four_fifths_text(details.four_fifths)}, "
        f"{impact_views.significance(overall)}.",
        f"Within positions: {_odds(within, compared=reversal.compared)}.",
    ]


def _turn(behind: bool, *, opposite: bool, significant: bool) -> str:  # noqa: FBT001 - a direction
    if not significant:
        return "it was not" if opposite else "no statistically significant difference is left"
    return f"it was selected {'more' if behind else 'less'} often"


def _odds(within: Finding, *, compared: int) -> str:
    """Return the odds ratio over all positions with its test."""
    p = impact_views.named_p(impact_views.test_p(within, MANTEL_HAENSZEL)) + (", not adjusted" if compared > 1 else "")
    return (
        f"common odds ratio {impact_views.short_ratio(within, impact_views.ODDS_APART, level=True)}, "
        f"{'' if _significant(within) else 'not '}"
        f"statistically significant ({MANTEL_HAENSZEL} {p})"
    )


def within_sentence(groups: ImpactGroups) -> str:
    """Return the common odds ratios of groups whose difference is significant both pooled and within positions."""
    remaining = [
        within
        for view in groups.first_pooled
        for within in view.known
        for overall in groups.overall.get(within.name, ())
        if impact_views.is_significant(overall) and _significant(within) and not PooledOdds.of(within).simpson
    ]
    if not remaining:
        return ""
    return f"Within positions {_remaining(remaining)}."


def _remaining(remaining: Sequence[Finding]) -> str:
    named = [
        f"{impact_views.short_ratio(finding, impact_views.ODDS_APART, level=place == 0)} for "
        f"{impact_views.named_group(finding.focal)}"
        for place, finding in enumerate(remaining)
    ]
    sentence = "the difference remains" if len(remaining) == 1 else "the differences remain"
    return f"{sentence}: common odds ratio {listing(named[:MOST_NAMED])}"


MOST_STEPS = 3
#: Placeholders in a command: a table that was in memory, the hidden part of a connection.
NOT_TYPED = frozenset({"FRAME", "…"})
#: Words of SQL that name a column only in quotation marks.
RESERVED = (
    " alter analyze and any as attach begin between cache call case comment commit connect copy create cross"
    " current_catalog current_date current_time current_timestamp current_user delete desc describe detach"
    " disconnect distinct drop else except execute explain false fetch for force from glob grant having ilike"
    " inner insert install intersect into join kill lateral like load localtime localtimestamp map merge not"
    " notnull null on only optimize or outer partitioned_by pivot pivot_wider positional pragma prepare qualify"
    " regexp rename reset returning revoke rlike rollback select session_user set show summarize tablesample"
    " then true truncate uncache union unpivot update use using vacuum when where with xor "
)
VALIDATED = "Which documents validate the selection procedure as job-related (UGESP, 29 CFR 1607.15)?"
COUNTS_ONLY = (
    "Which position or stage carries the difference? Totals do not tell; a table with a column for it does "
    "(--position, --stage)."
)
NO_POSITION = "Does the difference remain within positions? Add --position and a column, if the table has one."
APPLY = "Do the groups apply to different positions? Their rates are in the tables by position."


def next_steps(groups: ImpactGroups, views: Sequence[View], audit: ImpactAudit) -> list[NextStep]:
    """Return at most three steps, those that could change the result first."""
    steps: dict[str, NextStep] = {}
    for step in _candidates(groups, views, audit):
        steps.setdefault(step.command or step.question, step)
    return list(steps.values())[:MOST_STEPS]


def _candidates(groups: ImpactGroups, views: Sequence[View], audit: ImpactAudit) -> Iterator[NextStep]:
    worst = impact_views.by_problem(views[0].findings)[0] if views and views[0].known else None
    if worst is None:
        if views:
            yield from _not_known(audit)
        return
    significant = bool(impact_views.is_significant(worst))
    yield from _against_highest(worst, audit)
    turned = reversals(groups)[:1]
    if not significant and not turned:
        yield from _more_decisions(worst, groups)
    yield from _unknown(audit)
    yield from _positions(groups, audit, turned=turned, significant=significant)
    stages = list(_stages(groups))
    yield from stages
    yield from _cut_off(groups, audit)
    if significant and impact_views.outside(worst) and not turned and not stages:
        yield NextStep(question=VALIDATED)
    yield from _others(groups, views, audit)


def command(audit: ImpactAudit, *extra: str, without: str = "") -> str:
    """Return the command of the run with more options, or without one; "" where the run's own can't be typed again."""
    try:
        words = shlex.split(audit.reproduce)
    except ValueError:  # an apostrophe without its other one: findings.json was changed
        return ""
    if not words or any(sign in word for word in words[2:3] for sign in NOT_TYPED):
        return ""
    before = ["", *words]
    retained = [word for word, last in zip(words, before, strict=False) if not without or without not in {word, last}]
    return " ".join(_typed(word) for word in [*retained, *extra])


def _typed(word: str) -> str:
    """Return a word quoted for a shell; one with apostrophes in quotation marks.

    >>> print(_typed("department = 'A'"), _typed("applicants.csv"))
    "department = 'A'" applicants.csv
    """
    if "'" in word and not set(word) & set('"$`\\!'):
        return f'"{word}"'
    return shlex.quote(word)


def _command_step(question: str, line: str) -> Iterator[NextStep]:
    """Yield a step with its command, where there is one."""
    if line:
        yield NextStep(question=question, command=line)


def _not_known(audit: ImpactAudit) -> Iterator[NextStep]:
    decisions = audit.accounting.decisions
    if decisions is not None and decisions.column and "selected" in audit.parameters:
        column = decisions.column
        yield NextStep(question=f"Which values of {column} are a selection? Name them with --selected {column}=VALUE.")


def _against_highest(worst: Finding, audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the comparison with the highest rate, where a named reference has a lower one."""
    if "references" in audit.parameters and (worst.estimate or 0.0) > 1:
        line = command(audit, without="--reference")
        yield from _command_step("What are the impact ratios to the group with the highest selection rate?", line)


def _more_decisions(worst: Finding, groups: ImpactGroups) -> Iterator[NextStep]:
    """Yield the number of people needed at these rates, and whether one decision reverses the result."""
    attribute, (focal, reference) = next(iter(worst.focal), ""), _labels(worst)
    for curve in (curve for curves in groups.curves.values() for curve in curves):
        if (curve.attribute, curve.focal, curve.reference) != (attribute, focal, reference):
            continue
        if (curve.approach, curve.cutoff) != (ImpactRatio.of(worst).approach, ImpactRatio.of(worst).cutoff):
            continue
        if curve.crossing is not None and curve.crossing > curve.n_per_group:
            needed, current = count_text(int(-(-curve.crossing // 1))), count_text(round(curve.n_per_group))
            alone = "independent " if impact_views.cluster_counts_text(worst) else ""
            yield NextStep(
                question=f"How many more decisions until a conclusion? At these rates Z passes 1.96 with {needed} "
                f"{alone}people per group; here there are {current} (harmonic mean)."
            )
    if ImpactRatio.of(worst).flip_flop_reverses:
        yield NextStep(
            question="Is there a pattern over positions or time? One changed selection reverses this table alone."
        )


def _labels(finding: Finding) -> tuple[str, str]:
    return next(iter(finding.focal.values()), ""), next(iter(finding.reference.values()), "")


def _unknown(audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the bounds for people of unknown group."""
    unknown = {name: count for name, count in audit.accounting.unknown.items() if count}
    if not unknown or "missing" in audit.parameters:
        return
    name, count = max(unknown.items(), key=lambda pair: pair[1])
    # With stages an applicant has a row per stage, and is counted in each.
    people = counted(count, "row") if "stage" in audit.parameters else counted(count, "person", "people")
    question = f"Could the {people} of unknown {in_words(name)} change the result?"
    yield from _command_step(question, command(audit, "--missing", "bounds"))


def _positions(
    groups: ImpactGroups, audit: ImpactAudit, *, turned: Sequence[Reversal], significant: bool
) -> Iterator[NextStep]:
    """Yield the position with the largest shortfall, alone or left out; else ask for positions."""
    column = audit.parameters.get("position")
    if column is None:
        if significant:
            yield NextStep(question=COUNTS_ONLY if "counts" in audit.parameters else NO_POSITION)
        return
    if turned:
        yield NextStep(question=APPLY)
    worst = [row for positions in groups.first_positions for row in positions.worst if (row.shortfall or 0) > 0]
    row = max(worst, key=lambda row: row.shortfall or 0.0, default=None)
    merged = any(spelling.column == column for spelling in audit.accounting.folded)
    if row is None or merged or not row.position.isprintable() or not (turned or significant):
        return
    position, group = row.position, impact_views.named_group({row.attribute: row.focal})
    if turned:
        question = f"What does position {position} alone show? It has the largest shortfall ({group})."
        yield from _command_step(question, command(audit, "--where", condition(str(column), "=", position)))
    else:
        question = f"What is left without position {position}? It has the largest shortfall ({group})."
        yield from _command_step(question, command(audit, "--where", condition(str(column), "<>", position)))


def condition(column: str, sign: str, value: str) -> str:
    """Return a condition on the rows.

    >>> print(condition("department", "=", "A"), condition("job title", "<>", "men's wear"))
    department = 'A' "job title" <> 'men''s wear'
    """
    plain = column.isascii() and column.isidentifier() and f" {column.lower()} " not in RESERVED
    name = column if plain else '"' + column.replace('"', '""') + '"'
    return f"{name} {sign} '" + value.replace("'", "''") + "'"


def _stages(groups: ImpactGroups) -> Iterator[NextStep]:
    """Yield the stage that carries most of the difference."""
    known = [
        (step.stage, impact_views.by_problem(view.findings)[0])
        for step in groups.steps
        if step.stage != BOTTOM_LINE
        for view in step.views
        if view.known and not view.crossed and not view.means
    ]
    if not known or len({stage for stage, _ in known}) < 2:
        return
    first = impact_views.by_problem([finding for _, finding in known])[0]
    stage = next(stage for stage, finding in known if finding is first)
    yield NextStep(
        question=(
            f"Which documents validate stage {stage}? It has the lowest impact ratio: "
            f"{impact_views.named_group(first.focal)} {impact_views.short_ratio(first)}."
        )
    )


def _cut_off(groups: ImpactGroups, audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield another cut-off: the median, or the upper quartile of the scores."""
    parameters = audit.parameters
    if audit.accounting.scores is None or parameters.get("ll144"):
        return
    if parameters.get("cutoffs") and not parameters.get("median"):
        yield from _command_step("What changes with the median score as the cut-off?", command(audit, "--median"))
        return
    rows = [row for rates in groups.sweep.values() for row in rates]
    nobody = {row.cutoff for row in rows if not row.selected}
    cutoffs = sorted({row.cutoff for row in rows} - nobody)
    if cutoffs and not parameters.get("cutoffs"):
        cutoff = f"{cutoffs[len(cutoffs) * (1 if audit.low else 3) // 4]:.6g}"
        yield from _command_step(f"What changes with a cut-off of {cutoff}?", _defined(audit, cutoff))


def _defined(audit: ImpactAudit, cutoff: str) -> str:
    """Return the command with an additional cut-off."""
    median = [] if any(audit.parameters.get(name) for name in ("median", "means")) else ["--median"]
    return command(audit, *median, "--cutoff", cutoff)


def _others(groups: ImpactGroups, views: Sequence[View], audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the largest group as the reference, and groups of several attributes at once."""
    if "references" not in audit.parameters and not audit.parameters.get("ll144"):
        for view in views:
            size = {tuple(rate.focal.values()): rate.n for rate in view.rates}
            used = {tuple(finding.reference.values()) for finding in view.findings}
            if len(size) > 2 and max(size, key=lambda group: size[group]) not in used:
                question = f"What changes where the largest group is the reference ({impact_views.view_name(view)})?"
                yield from _command_step(question, command(audit, "--reference", "largest"))
                break
    single = [view for view in groups.leading if not view.crossed]
    if len(single) > 1 and not any(view.crossed for view in groups.leading):
        names = listing([impact_views.view_name(view) for view in single])
        yield from _command_step(
            f"Which groups of {names} together are furthest behind?", command(audit, "--intersectional")
        )
