"""The adjustment ladder on the page: a line per step, and who has what is adjusted for."""

from collections.abc import Sequence
from dataclasses import replace

from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import Intervals, Part, Section, Table, table_of
from evenhand.report.words import numbers
from evenhand.report.words.results import capital, in_words, listing, verdict_cell
from evenhand.results.applicant_audit import ImpactAudit, LadderStep
from evenhand.results.finding import Finding, QualificationShare
from evenhand.results.impact_groups import Definition, ImpactGroups

TEXT = (
    "Each line standardises: it compares the selection rates that all applicants of these lines would have as members "
    "of either group, with their own position and qualifications (g-computation from a logistic regression). The "
    "difference in people is how many more or fewer of the group are selected than at the reference's standardised "
    "rate. The people and what they bring are taken as given. A line's test is that of the impact ratio (crude), of "
    "the common odds ratio (positions), of the difference within blocks, or of the adjusted odds ratio, corrected as "
    "there; its interval is of this line alone.",
)
TAINTED = (
    "A variable of the adjustment may itself be tainted: if the employer decides it (a rating, a grade, an assigned "
    "position) and it differs by group, adjusting for it hides a part of the difference. The table compares the "
    "shares of each group with the value that is selected more often. No variable is left out for this reason; "
    "readers decide which lines to accept."
)


def step_name(step: LadderStep, audit: ImpactAudit) -> str:
    """Return what a line adds: 'Crude', 'Within team', '+ years'."""
    if step.kind == "crude":
        return "Crude"
    names = listing([added_name(name, audit) for name in step.added])
    return f"+ {names}" if step.kind == "given" else f"Within {names}"


def added_name(name: str, audit: ImpactAudit) -> str:
    """Return the name of a qualification; of positions that of their column."""
    return in_words(str(audit.parameters.get("position") or name) if name == "position" else name)


def ladder_sentences(groups: ImpactGroups, audit: ImpactAudit) -> list[str]:
    """Return the steps of the group furthest behind, per attribute, with more than one step of adjustment.

    What is said of positions or blocks alone stands in sentences of their own.
    """
    sentences = []
    for attribute in dict.fromkeys(steps[0].attribute for steps in groups.ladders):
        known = [
            steps
            for steps in groups.ladders
            if steps[0].attribute == attribute
            and (len(steps) > 2 or steps[-1].kind == "given")
            and None not in {step.difference for step in steps}
        ]
        if not known:
            continue
        steps = min(known, key=lambda steps: steps[0].difference or 0.0)
        last = steps[-1]
        parts = [f"{numbers.POINTS.number(step.difference or 0.0)} {_words(step, audit)}" for step in steps[:-1]]
        span = numbers.POINTS.interval(last.low, last.high)
        fewer = numbers.Scale(decimals=1).number(last.shortfall)
        shortfall = f", {fewer} people fewer than at the reference's rate" if (last.shortfall or 0.0) > 0 else ""
        parts.append(
            f"{numbers.POINTS.number(last.difference or 0.0)} {_words(last, audit)} "
            f"({'95 % CI ' + span if span != numbers.ABSENT else 'no interval'}; ratio "
            f"{impact_views.SHORT.text(last.ratio, apart=impact_views.APART)}{shortfall})"
        )
        sentences.append(
            f"Standardised over {numbers.count_text(last.n)} applicants, {last.focal} {numbers.MINUS} {last.reference} "
            f"({in_words(attribute)}) in percentage points: {', '.join(parts)}."
        )
    return sentences


def _words(step: LadderStep, audit: ImpactAudit) -> str:
    name = step_name(step, audit)
    if step.kind != "given":
        return name[:1].lower() + name[1:]
    also = " as well" if len(step.adjusted_for) > len(step.added) else ""
    return f"with the same {name[2:]}{also}"


def ladder_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the lines of every group, and who has what they adjust for; None without a step beyond the crude one."""
    shown = [steps for steps in groups.ladders if len(steps) > 1]
    if not shown:
        return None
    by_finding = {finding.name: finding for view in groups.views for finding in view.findings}
    by_finding |= {finding.name: finding for view in groups.pooled for finding in view.findings}
    by_finding |= {finding.name: finding for finding in groups.blocks}
    by_finding |= {finding.name: finding for findings in groups.adjusted.values() for finding in findings}
    first = shown[0][0]
    several = len({(steps[0].approach, steps[0].cutoff, steps[0].stage) for steps in shown}) > 1
    tables = [
        _lines(steps, by_finding, audit, several=several, folded=steps[0].attribute != first.attribute or place > MOST)
        for place, steps in enumerate(shown)
    ]
    text = [*TEXT, *_left_out(shown), *_notes(shown, audit)]
    parts = [Part(tables=tables)]
    if groups.shares:
        parts.append(
            Part(
                heading="Do the groups differ in the variables of the adjustment?",
                text=[TAINTED],
                tables=_shares(groups, audit),
            )
        )
    return Section(name="ladder", heading="The adjustment ladder", text=text, parts=parts)


#: Groups whose lines are open.
MOST = 3


def _notes(shown: Sequence[Sequence[LadderStep]], audit: ImpactAudit) -> list[str]:
    """Return what the models met, each note once with the lines that it is of."""
    of: dict[str, dict[str, None]] = {}
    several = len({steps[0].attribute for steps in shown}) > 1
    for step in (step for steps in shown for step in steps):
        name = f"{in_words(step.attribute)}: {step_name(step, audit)}" if several else step_name(step, audit)
        for note in step.notes:
            of.setdefault(note, {})[name] = None
    return [f"{listing(list(names))}. {note}" for note, names in of.items()]


def _left_out(shown: Sequence[Sequence[LadderStep]]) -> list[str]:
    omitted = {in_words(steps[0].attribute): steps[0].n_left_out for steps in shown if steps[0].n_left_out}
    if not omitted:
        return []
    named = listing([f"{numbers.count_text(n)} for {attribute}" for attribute, n in omitted.items()])
    return [
        f"People whose group, position or a qualification is not known are in none of these lines: {named}. The crude "
        "line may then differ from the rates of all applicants, and has no test of its own."
    ]


def _lines(
    steps: Sequence[LadderStep],
    by_finding: dict[str, Finding],
    audit: ImpactAudit,
    *,
    several: bool,
    folded: bool,
) -> Table:
    first = steps[0]
    definition = impact_views.definition_at(Definition(first.approach, first.cutoff, first.stage), audit)
    caption = (
        f"{capital(in_words(first.attribute))} {first.focal} against {first.reference}"
        f"{f', {definition}' if several else ''}: standardised over all {numbers.count_text(first.n)} applicants"
    )

    def verdict(step: LadderStep) -> str:
        finding = by_finding.get(step.finding or "")
        if finding is None or finding.claim is None:
            return numbers.ABSENT
        # The claim is the finding's; what disagrees is this line's interval.
        line = replace(finding, estimate=step.difference, low=step.low, high=step.high, null_value=0.0)
        return verdict_cell(line) if line.estimate is not None else "not judged"

    def detectable(step: LadderStep) -> str:
        finding = by_finding.get(step.finding or "")
        return capital(impact_views.detectable(finding)) if finding is not None else ""

    rows = [
        (numbers.POINTS.shown(step.low), numbers.POINTS.shown(step.difference), numbers.POINTS.shown(step.high))
        if step.low is not None and step.high is not None and step.difference is not None
        else (None, None, None)
        for step in steps
    ]
    lines = table_of(
        steps,
        {
            "Adjusted for": lambda step: step_name(step, audit),
            "Rates": lambda step: (
                f"{numbers.percent_text(step.rate_focal)}, {numbers.percent_text(step.rate_reference)}"
            ),
            "Difference": lambda step: numbers.POINTS.text(step.difference),
            "95 % CI": lambda step: numbers.POINTS.interval(step.low, step.high),
            "Ratio (95 % CI)": _ratio,
            "Difference in people": lambda step: impact_views.signed(
                None if step.shortfall is None else -step.shortfall, 1
            ),
            "Of the crude gap": _taken,
            "Significant?": verdict,
            "p": lambda step: numbers.p_text(step.p),
            "p, adjusted": lambda step: numbers.p_text(step.p_adjusted),
            "Note": lambda step: step.reason or detectable(step),
        },
        caption=caption,
        folded=folded,
    )
    return replace(lines, intervals=Intervals(rows=rows, lines=[0.0], ratio=False))


def _ratio(step: LadderStep) -> str:
    text = impact_views.SHORT.text(step.ratio, apart=impact_views.APART)
    if step.ratio_low is None or step.ratio_high is None:
        return text
    return f"{text} ({impact_views.SHORT.interval(step.ratio_low, step.ratio_high, apart=impact_views.APART)})"


def _taken(step: LadderStep) -> str:
    """Return which share of the crude difference a line takes, or adds."""
    if step.taken is None:
        return ""
    return f"{numbers.percent_text(abs(step.taken))} {'taken' if step.taken >= 0 else 'more'}"


def _stage(finding: Finding) -> str:
    return finding.slice.get("stage", "")


def _shares(groups: ImpactGroups, audit: ImpactAudit) -> list[Table]:
    tables = []
    for attribute, findings in groups.shares.items():
        over = next((finding.claim.corrected_over for finding in findings if finding.claim is not None), "")
        tables.append(
            table_of(
                findings,
                {
                    **({"Stage": _stage} if any(map(_stage, findings)) else {}),
                    "Adjusted for": lambda finding: added_name(QualificationShare.of(finding).column or "", audit),
                    "Selected more": lambda finding: QualificationShare.of(finding).favourable or "none",
                    "Groups": impact_views.pair_name,
                    "Shares": lambda finding: (
                        f"{numbers.percent_text(QualificationShare.of(finding).share_focal)}, "
                        f"{numbers.percent_text(QualificationShare.of(finding).share_reference)}"
                    ),
                    "Ratio (95 % CI)": impact_views.short_ratio,
                    "May be tainted?": lambda finding: (
                        "differs, if the employer decides it"
                        if finding.is_difference
                        else "not judged"
                        if finding.verdict == "not_judged"
                        else "no difference detected"
                    ),
                    "p": lambda finding: numbers.p_text(finding.p),
                    "p, adjusted": lambda finding: numbers.p_text(finding.p_adjusted),
                    "Note": lambda finding: finding.reason or "",
                },
                caption=f"{capital(in_words(attribute))}: shares with the value that is selected more often"
                + (f". p, adjusted: {over}" if over else ""),
            )
        )
    return tables
