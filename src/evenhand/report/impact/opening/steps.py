"""What to look at next: questions that a result suggests, with the command that answers them where there is one."""

import shlex
from collections.abc import Iterator, Sequence

from evenhand.report.impact.opening.within import Reversal, reversals
from evenhand.report.impact.views import (
    by_problem,
    clusters_told,
    is_significant,
    named_group,
    outside,
    short_ratio,
    view_name,
)
from evenhand.report.page.parts import NextStep
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.wording import in_words, listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, View
from evenhand.tables.impact_files import BOTTOM_LINE

__all__ = ["condition", "next_steps"]

MOST_STEPS = 3
#: What stands in a command for a table that was in memory, or for what is not shown of a connection.
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
    """Return at most three steps, those first that could change what the result says."""
    found: dict[str, NextStep] = {}
    for step in _candidates(groups, views, audit):
        found.setdefault(step.command or step.question, step)
    return list(found.values())[:MOST_STEPS]


def _candidates(groups: ImpactGroups, views: Sequence[View], audit: ImpactAudit) -> Iterator[NextStep]:
    worst = by_problem(views[0].findings)[0] if views and views[0].known else None
    if worst is None:
        if views:
            yield from _not_known(audit)
        return
    significant = bool(is_significant(worst))
    yield from _against_highest(worst, audit)
    turned = reversals(groups)[:1]
    if not significant and not turned:
        yield from _more_decisions(worst, groups)
    yield from _unknown(audit)
    yield from _positions(groups, audit, turned=turned, significant=significant)
    stages = list(_stages(groups))
    yield from stages
    yield from _cut_off(groups, audit)
    if significant and outside(worst) and not turned and not stages:
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
    kept = [word for word, last in zip(words, before, strict=False) if not without or without not in {word, last}]
    return " ".join(_typed(word) for word in [*kept, *extra])


def _typed(word: str) -> str:
    """Return a word as a shell reads it; one with apostrophes stands in quotation marks.

    >>> print(_typed("department = 'A'"), _typed("applicants.csv"))
    "department = 'A'" applicants.csv
    """
    if "'" in word and not set(word) & set('"$`\\!'):
        return f'"{word}"'
    return shlex.quote(word)


def _asked(question: str, line: str) -> Iterator[NextStep]:
    """Yield a step that needs its command, where there is one."""
    if line:
        yield NextStep(question=question, command=line)


def _not_known(audit: ImpactAudit) -> Iterator[NextStep]:
    decisions = audit.accounting.decisions
    if decisions is not None and decisions.column and "selected" in audit.parameters:
        column = decisions.column
        yield NextStep(question=f"Which values of {column} are a selection? Name them with --selected {column}=VALUE.")


def _against_highest(worst: Finding, audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the comparison with the group that is ahead of the one that was named."""
    if "references" in audit.parameters and (worst.estimate or 0.0) > 1:
        line = command(audit, without="--reference")
        yield from _asked("What are the impact ratios to the group with the highest selection rate?", line)


def _more_decisions(worst: Finding, groups: ImpactGroups) -> Iterator[NextStep]:
    """Yield how many people it takes at these rates, and whether one decision hangs on the result."""
    attribute, (focal, reference) = next(iter(worst.focal), ""), _labels(worst)
    for curve in (each for own in groups.curves.values() for each in own):
        if (curve.attribute, curve.focal, curve.reference) != (attribute, focal, reference):
            continue
        if (curve.approach, curve.cutoff) != (ImpactRatio.of(worst).approach, ImpactRatio.of(worst).cutoff):
            continue
        if curve.crossing is not None and curve.crossing > curve.n_per_group:
            needed, here = count_text(int(-(-curve.crossing // 1))), count_text(round(curve.n_per_group))
            alone = "independent " if clusters_told(worst) else ""
            yield NextStep(
                question=f"How many more decisions until a conclusion? At these rates Z passes 1.96 with {needed} "
                f"{alone}people per group; here there are {here} (harmonic mean)."
            )
    if ImpactRatio.of(worst).flip_flop_reverses:
        yield NextStep(
            question="Is there a pattern over positions or time? One changed selection reverses this table alone."
        )


def _labels(finding: Finding) -> tuple[str, str]:
    return next(iter(finding.focal.values()), ""), next(iter(finding.reference.values()), "")


def _unknown(audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield what people of unknown group could change."""
    unknown = {name: count for name, count in audit.accounting.unknown.items() if count}
    if not unknown or "missing" in audit.parameters:
        return
    name, count = max(unknown.items(), key=lambda pair: pair[1])
    # With stages an applicant has a row per stage, and is counted in each.
    people = counted(count, "row") if "stage" in audit.parameters else counted(count, "person", "people")
    question = f"Could the {people} of unknown {in_words(name)} change the result?"
    yield from _asked(question, command(audit, "--missing", "bounds"))


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
    worst = [row for each in groups.first_positions for row in each.worst if (row.shortfall or 0) > 0]
    row = max(worst, key=lambda row: row.shortfall or 0.0, default=None)
    merged = any(each.column == column for each in audit.accounting.folded)
    if row is None or merged or not row.position.isprintable() or not (turned or significant):
        return
    position, group = row.position, named_group({row.attribute: row.focal})
    if turned:
        question = f"What does position {position} alone show? It has the largest shortfall ({group})."
        yield from _asked(question, command(audit, "--where", condition(str(column), "=", position)))
    else:
        question = f"What is left without position {position}? It has the largest shortfall ({group})."
        yield from _asked(question, command(audit, "--where", condition(str(column), "<>", position)))


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
        (step.stage, by_problem(view.findings)[0])
        for step in groups.steps
        if step.stage != BOTTOM_LINE
        for view in step.views
        if view.known and not view.crossed and not view.means
    ]
    if not known or len({stage for stage, _ in known}) < 2:
        return
    first = by_problem([finding for _, finding in known])[0]
    stage = next(stage for stage, finding in known if finding is first)
    yield NextStep(
        question=f"Which documents validate stage {stage}? It has the lowest impact ratio: {named_group(first.focal)} "
        f"{short_ratio(first)}."
    )


def _cut_off(groups: ImpactGroups, audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield another cut-off: the median, or one that a quarter of the scores are above."""
    asked = audit.parameters
    if audit.accounting.scores is None or asked.get("ll144"):
        return
    if asked.get("cutoffs") and not asked.get("median"):
        yield from _asked("What changes with the median score as the cut-off?", command(audit, "--median"))
        return
    rows = [row for own in groups.sweep.values() for row in own]
    nobody = {row.cutoff for row in rows if not row.selected}
    cutoffs = sorted({row.cutoff for row in rows} - nobody)
    if cutoffs and not asked.get("cutoffs"):
        cutoff = f"{cutoffs[len(cutoffs) * (1 if audit.low else 3) // 4]:.6g}"
        yield from _asked(f"What changes with a cut-off of {cutoff}?", _defined(audit, cutoff))


def _defined(audit: ImpactAudit, cutoff: str) -> str:
    """Return the command with a cut-off beside the definitions of a selection that it had."""
    own = [] if any(audit.parameters.get(name) for name in ("median", "means")) else ["--median"]
    return command(audit, *own, "--cutoff", cutoff)


def _others(groups: ImpactGroups, views: Sequence[View], audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the largest group as the reference, and groups of several attributes at once."""
    if "references" not in audit.parameters and not audit.parameters.get("ll144"):
        for view in views:
            size = {tuple(rate.focal.values()): rate.n for rate in view.rates}
            used = {tuple(each.reference.values()) for each in view.findings}
            if len(size) > 2 and max(size, key=lambda group: size[group]) not in used:
                question = f"What changes where the largest group is the reference ({view_name(view)})?"
                yield from _asked(question, command(audit, "--reference", "largest"))
                break
    single = [view for view in groups.leading if not view.crossed]
    if len(single) > 1 and not any(view.crossed for view in groups.leading):
        names = listing([view_name(view) for view in single])
        yield from _asked(f"Which groups of {names} together are furthest behind?", command(audit, "--intersectional"))
