"""Next steps of an analysis of applicants, and reversals between pooled and within-position results."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import NextStep
from evenhand.report.words.numbers import count_text, counted, named_p, percent_text
from evenhand.report.words.results import capital, corrected_p, in_words, listing, sentence_case
from evenhand.results.applicant_audit import ImpactAudit, Positions
from evenhand.results.finding import LEVEL, Finding, ImpactRatio, PooledOdds
from evenhand.results.impact_groups import Definition, ImpactGroups, View
from evenhand.results.schemas import BOTTOM_LINE, CROSSED

#: Groups named in a sentence.
MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Reversal:
    """Groups of which all applicants together say another thing than the positions do."""

    definition: Definition
    whole: Finding
    within: Finding


def reversals(groups: ImpactGroups) -> list[Reversal]:
    """Return where positions contradict all applicants together, the largest contradiction first.

    They do where the other group is ahead within positions and one of both claims is a difference, and where one of
    them is a difference and the other is not.
    """
    reversed_findings = [
        Reversal(definition=view.definition, whole=overall, within=within)
        for view in groups.first_pooled
        for within in view.known
        for overall in groups.overall.get(within.name, ())
        if overall.reference == within.reference and _contradicts(overall, within)
    ]
    return sorted(
        reversed_findings,
        key=lambda reversal: (not PooledOdds.of(reversal.within).simpson, reversal.whole.p_adjusted or 1.0),
    )


def _contradicts(overall: Finding, within: Finding) -> bool:
    if overall.p_adjusted is None or within.p_adjusted is None or overall.estimate is None:
        return False
    if PooledOdds.of(within).simpson:
        return overall.is_difference or within.is_difference
    return overall.is_difference != within.is_difference


def reversal_sentences(reversal: Reversal, audit: ImpactAudit) -> list[str]:
    """Return the reversal first, then the numbers of all applicants together and those within positions."""
    overall, within = reversal.whole, reversal.within
    details, pooled = ImpactRatio.of(overall), PooledOdds.of(within)
    column = in_words(str(audit.parameters.get("position") or ""))
    focal, reference = impact_views.named_group(overall.focal), impact_views.named_group(overall.reference)
    behind, opposite = (overall.estimate or 0.0) < 1, bool(pooled.simpson)
    start = capital(f"{impact_views.selected_by(reversal.definition, audit)}over all positions together")
    if overall.is_difference:
        turn = f"it was {_side(not behind)}" if within.is_difference else "no difference was detected"
        first = (
            f"{start}, the selection rate was {_side(behind)} for {focal} than for {reference}; within positions {turn}"
        )
    else:
        first = (
            f"{start}, no statistically significant difference between {focal} and {reference} was detected; "
            f"within positions the selection rate was {_side((within.estimate or 0.0) < 1)} for {focal}"
        )
    rates = f"{percent_text(details.rate_focal)} against {percent_text(details.rate_reference)}"
    positions = counted(pooled.strata or 0, "position") + (f" ({column})" if column not in {"", "position"} else "")
    return [
        first + (" (Simpson's paradox)." if opposite else "."),
        f"Together: {rates}, impact ratio {impact_views.short_ratio(overall, level=True)}, "
        f"{impact_views.four_fifths_text(details.four_fifths)}, "
        f"{impact_views.significance(overall)}.",
        f"Within the {positions} with people of both groups: {_odds(within)}.",
    ]


def _side(lower: bool) -> str:  # noqa: FBT001 - a direction
    return "lower" if lower else "higher"


def _odds(within: Finding) -> str:
    """Return the odds ratio over all positions with its test."""
    odds = impact_views.short_ratio(within, impact_views.ODDS_APART, level=True)
    return f"common odds ratio {odds}, {impact_views.significance(within)}"


def position_sentences(groups: ImpactGroups, audit: ImpactAudit, *, stated: Collection[tuple[str, ...]]) -> list[str]:
    """Return the positions that differ, of every definition and attribute whose other comparisons don't say so.

    Of the attributes in `stated` another sentence compares all applicants together.
    """
    sentences = []
    for definition, every in groups.positions.items():
        for positions in every:
            # Crossed groups differ, too, where one of their attributes does.
            attributes = positions.attribute.split(CROSSED)
            together, pooled = (
                [
                    finding
                    for view in views
                    if view.definition == definition and set(view.attributes) <= {*attributes}
                    for finding in view.findings
                ]
                for views in (groups.views, groups.pooled)
            )
            opposed = any(_between_positions(pooled))
            both = all(any(finding.is_difference for finding in findings) for findings in (together, pooled))
            if positions.below_significant and positions.differs and (opposed or not both):
                found = tuple(attributes) in stated or any(finding.is_difference for finding in together)
                nothing = "" if found else " Over all positions together no difference was detected."
                sentences.append(f"{_of_positions(positions, definition, groups, audit)}{nothing}")
    return sentences


def between_positions_sentence(groups: ImpactGroups) -> str:
    """Return which tests find that the odds ratios of positions differ, or point in both directions, of all groups."""
    parts = _between_positions([finding for view in groups.pooled if not view.crossed for finding in view.findings])
    return f"{capital(listing(parts))}." if parts else ""


def _of_positions(positions: Positions, definition: Definition, groups: ImpactGroups, audit: ImpactAudit) -> str:
    below = [
        row
        for row in positions.worst
        if row["four_fifths"] == "below" and row["p_adjusted"] is not None and row["p_adjusted"] < LEVEL
    ]
    named = [
        f"{row['position']} ({impact_views.group_label(row['focal'], row['attribute'])}, ratio "
        f"{impact_views.SHORT.text(row['impact_ratio'], apart=impact_views.APART)})"
        for row in below[:MOST_NAMED]
    ]
    more = positions.below_significant - len(dict.fromkeys(row["position"] for row in below[:MOST_NAMED]))
    named += [f"{count_text(more)} more"] if more > 0 else []
    of = f", {impact_views.definition_at(definition, audit)}" if len(groups.positions) > 1 else ""
    return (
        f"In {count_text(positions.below_significant)} of {counted(positions.positions_computed, 'position')} "
        f"({in_words(positions.attribute)}{of}) a group is below four-fifths and the difference is statistically "
        f"significant after correction: {listing(named)}."
    )


def _between_positions(findings: Sequence[Finding]) -> list[str]:
    """Return, for each test of whether positions differ, the groups with the smallest corrected p below 0.05."""
    parts = []
    for words, name, test in (
        ("the odds ratios of positions differ", "p_breslow_day_adjusted", "Breslow-Day"),
        ("the differences of positions point in both directions", "p_gail_simon_adjusted", "Gail-Simon"),
    ):
        known = [(p, finding) for finding in findings if (p := getattr(PooledOdds.of(finding), name)) is not None]
        p, first = min(known, key=lambda pair: pair[0], default=(1.0, None))
        if first is not None and p < LEVEL:
            scope = ", ".join([impact_views.named_group(first.focal), *first.slice.values()])
            tests = counted(PooledOdds.of(first).position_tests or 0, "such test")
            over = "" if tests == "1 such test" else f" over {tests}"
            parts.append(f"{words} ({scope}: {test} {named_p(p)}{over})")
    return parts


def stage_sentences(groups: ImpactGroups) -> list[str]:
    """Return every stage with a difference, the largest first."""
    named = [
        (finding, step.stage)
        for step in groups.steps
        if step.stage != BOTTOM_LINE
        for view in step.views
        if not view.crossed
        for finding in view.findings
        if finding.is_difference
    ]
    order = impact_views.by_problem([finding for finding, _ in named])
    named.sort(key=lambda pair: order.index(pair[0]))
    parts = [
        f"{stage}, {impact_views.named_group(finding.focal)} against {impact_views.reference_name(finding.reference)} "
        f"{impact_views.size_text(finding)}, {corrected_p(finding.claim)}"
        for finding, stage in named
        if finding.claim is not None
    ]
    if parts:
        return [f"Stages with a statistically significant difference: {'; '.join(parts)}."]
    judged = {
        step.stage: sum(
            finding.verdict == "no_difference_detected"
            for view in step.views
            if not view.crossed
            for finding in view.findings
        )
        for step in groups.steps
        if step.stage != BOTTOM_LINE
    }
    compared = sum(judged.values())
    if not judged:
        return []
    unjudged = [stage for stage, n in judged.items() if not n]
    lacking = f"; not judged: {listing(unjudged)}" if unjudged else ""
    if not compared:
        return [f"No stage could be judged by all its applicants ({listing(unjudged)})."]
    return [
        f"Among all applicants of a stage no difference was detected in the "
        f"{counted(len(judged) - len(unjudged), 'stage')} judged ({counted(compared, 'comparison')}){lacking}."
    ]


def within_sentence(groups: ImpactGroups) -> str:
    """Return the common odds ratios of groups that differ both together and within positions, or why there is none."""
    pooled = [view for view in groups.pooled if not view.crossed]
    if pooled and not any(view.known for view in pooled):
        return _without_odds([finding for view in pooled for finding in view.findings])
    remaining = within_differences(groups)
    if not remaining:
        return "" if reversals(groups) else _common_ratios(pooled, adjusted=bool(groups.adjusted))
    named = [
        f"{impact_views.short_ratio(finding, impact_views.ODDS_APART, level=place == 0)} for "
        f"{impact_views.named_group(finding.focal)}"
        for place, finding in enumerate(remaining)
    ]
    sentence = "the difference remains" if len(remaining) == 1 else "the differences remain"
    return f"Within positions {sentence}: common odds ratio {listing(named)}."


def _common_ratios(pooled: Sequence[View], *, adjusted: bool) -> str:
    """Return which common ratios of rates were shown to be above the margin, or the lowest odds ratio and its power.

    Ratios of positions that differ have none in common that could be above. Where people with the same qualifications
    are compared, too, that odds ratio is within positions and stands for this one.
    """
    differences = [
        finding
        for view in pooled
        for finding in view.findings
        if finding.is_difference and impact_views.is_sizeable(finding, view.findings)
    ]
    if differences or not any(view.findings for view in pooled):
        return ""
    first = [finding for view in pooled if view.definition == pooled[0].definition for finding in view.findings]
    shown = [
        finding
        for finding in first
        if finding.claim is not None and finding.claim.above_margin and not _between_positions([finding])
    ]
    if not shown and adjusted:
        return ""
    if not shown:
        worst = impact_views.by_problem(first)[0]
        odds = impact_views.short_ratio(worst, impact_views.ODDS_APART, level=True)
        focal = impact_views.named_group(worst.focal)
        return f"Within positions: common odds ratio {odds} for {focal}, {impact_views.significance(worst)}."
    named = [
        f"{impact_views.named_group(finding.focal)}, common ratio {impact_views.ratio_text(details.common_ratio)} "
        f"(Mantel-Haenszel; one-sided {named_p(details.p_above_adjusted)})"
        for finding in shown[:MOST_NAMED]
        for details in [PooledOdds.of(finding)]
    ]
    margin = impact_views.margin_name(PooledOdds.of(shown[0]).margin)
    return f"Over positions together the ratio of rates was shown to be above {margin}: {listing(named)}."


def within_differences(groups: ImpactGroups) -> list[Finding]:
    """Return the common odds ratios of groups of some size that differ both together and within positions."""
    return [
        within
        for view in groups.first_pooled
        for within in view.known
        for overall in groups.overall.get(within.name, ())
        if overall.is_difference
        and within.is_difference
        and not PooledOdds.of(within).simpson
        and impact_views.is_sizeable(within, view.findings)
    ]


def _without_odds(findings: Sequence[Finding]) -> str:
    """Return why groups have no common odds ratio, and which of them differ all the same."""
    reasons = listing(list(dict.fromkeys(sentence_case((finding.reason or "").rstrip(".")) for finding in findings)))
    different = [
        f"that of {impact_views.named_group(finding.focal)} is {impact_views.significance(finding)}"
        for finding in findings
        if finding.is_difference
    ]
    differ = f" The difference remains: {listing(different)}." if different else ""
    return f"There is no common odds ratio within positions: {reasons}.{differ}"


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
    "Which position or stage carries the difference? Totals don't show it; a table with a column for it does "
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
        yield from _more_decisions(worst)
    yield from _unknown(audit)
    yield from _positions(groups, audit, turned=turned, significant=significant)
    stages = list(_stages(groups))
    yield from stages
    yield from _cut_off(groups, audit)
    if significant and impact_views.outside(worst) and not turned and not stages:
        yield NextStep(question=VALIDATED)
    yield from _others(groups, views, audit)


def command(audit: ImpactAudit, *extra: str, without: str = "") -> str:
    """Return the command of the run with more options, or without one; "" where it can't be typed so.

    Decisions of a store can't be restricted to some rows.
    """
    known = {"--intersectional", "--reference"}
    if audit.monitored is not None and {word for word in extra if word.startswith("--")} - known:
        return ""
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
    if decisions is None or not decisions.column or "selected" not in audit.parameters:
        return
    selected = sum(n for value, n in decisions.counts.items() if value in decisions.selected_values)
    if selected in {0, sum(decisions.counts.values())}:
        column = decisions.column
        yield NextStep(question=f"Which values of {column} mean selected? Give them with --selected {column}=VALUE.")


def _against_highest(worst: Finding, audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the comparison with the highest rate, where a named reference has a lower one."""
    if "references" in audit.parameters and (worst.estimate or 0.0) > 1:
        line = command(audit, without="--reference")
        yield from _command_step("What are the impact ratios to the group with the highest selection rate?", line)


def _more_decisions(worst: Finding) -> Iterator[NextStep]:
    """Yield the number of people that would show four fifths, and whether one decision reverses the result."""
    details = ImpactRatio.of(worst)
    if details.needed_per_group is not None and details.needed_per_group > min(
        details.n_focal or 0, details.n_reference or 0
    ):
        yield NextStep(
            question="How many decisions would show an impact ratio of 0.8? With 80 % statistical power "
            f"{count_text(details.needed_per_group)} per group at the reference's rate; here there are "
            f"{count_text(details.n_focal)} and {count_text(details.n_reference)}."
        )
    if details.flip_flop_reverses:
        yield NextStep(
            question="Is there a pattern over positions or time? One changed selection reverses this table alone."
        )


def people_noun(audit: ImpactAudit) -> str:
    """Return what people of unknown group are counted in: with stages an applicant has a row per stage."""
    if audit.accounting.count is not None:
        return audit.accounting.noun
    if audit.monitored is not None:
        return "decisions"
    return "rows" if {"stage", "sheets"} & set(audit.parameters) else "people"


def _unknown(audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the bounds for people of unknown group."""
    unknown = {name: count for name, count in audit.accounting.unknown.items() if count}
    if not unknown or "missing" in audit.parameters:
        return
    name, count = max(unknown.items(), key=lambda pair: pair[1])
    noun, _, together = people_noun(audit).partition(" ")
    people = counted(count, "row" if noun == "rows" else "person", noun)
    question = f"Could the {people} of unknown {in_words(name)}{together and f', {together},'} change the result?"
    yield from _command_step(question, command(audit, "--missing", "bounds"))


def _positions(
    groups: ImpactGroups, audit: ImpactAudit, *, turned: Sequence[Reversal], significant: bool
) -> Iterator[NextStep]:
    """Yield the position with the largest shortfall, alone or left out; else ask for positions."""
    column = audit.parameters.get("position")
    if column is None:
        if significant and audit.monitored is None:
            typed = "counts" in audit.parameters and audit.accounting.source is None
            yield NextStep(question=COUNTS_ONLY if typed else NO_POSITION)
        return
    if turned:
        yield NextStep(question=APPLY)
    worst = [row for positions in groups.first_positions for row in positions.worst if (row["shortfall"] or 0) > 0]
    row = max(worst, key=lambda row: row["shortfall"] or 0.0, default=None)
    merged = any(spelling.column == column for spelling in audit.accounting.folded)
    if row is None or merged or not row["position"].isprintable() or not (turned or significant):
        return
    position, group = row["position"], impact_views.named_group({row["attribute"]: row["focal"]})
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
            f"Which documents validate stage {stage}, where the impact ratio is "
            f"{impact_views.short_ratio(first)} for {impact_views.named_group(first.focal)}?"
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
