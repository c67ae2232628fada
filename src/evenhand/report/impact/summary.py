"""The first screen of an analysis of applicants: rates, ratios, sentences of the result, and next steps."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import NextStep, PageSummary, Table, intervals_of
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text, count_text, counted, named_p, percent_text
from evenhand.report.words.results import capital, corrected_p, in_words, listing, sentence_case, why_not
from evenhand.results.applicant_audit import ImpactAudit, Positions
from evenhand.results.finding import LEVEL, Finding, ImpactRatio, MeanRatio, PooledOdds
from evenhand.results.impact_groups import Definition, ImpactGroups, View
from evenhand.results.schemas import BOTTOM_LINE, CROSSED

#: Groups per table of the first screen; the section has all of them.
MOST_LINES = 8
SIGNIFICANT = "Statistically significant?"
WORDS = ("Four-fifths", SIGNIFICANT, "Compared with", "Group", "Clusters")


def rates_table(
    view: View, audit: ImpactAudit, *, folded: bool = False, most: int | None = MOST_LINES, unseen: int = 0
) -> Table:
    """Return one line per group, the largest problem first; the caption has the reference.

    `unseen` of the comparisons that p is corrected over are with another reference.
    """
    findings = impact_views.by_problem(view.findings)[:most]
    omitted = len(view.findings) - len(findings)
    against = list(dict.fromkeys(_reference(finding) for finding in findings if finding.reference))
    columns = _means(findings) if view.means else _rates(findings)
    if len(against) > 1:
        columns["Compared with"] = [_reference(finding) if finding.reference else ABSENT for finding in findings]
    clusters = [impact_views.cluster_counts_text(finding) for finding in findings]
    columns |= {
        "Clusters": clusters if len(set(clusters)) > 1 and not clusters[0].endswith(" rows") else [],
        SIGNIFICANT: [significant_cell(finding) for finding in findings],
        # A sentence says what suppressed counts leave open.
        "Note": ["" if impact_views.is_bounded(finding) else finding.reason or "" for finding in findings],
    }
    name, definition = capital(impact_views.view_name(view)), impact_views.definition_at(view.definition, audit)
    caption = [name if definition == "decision" else f"{name}, {definition}"]
    caption += [f"Reference: {against[0]}"] if len(against) == 1 else []
    caption += [f"The first {len(findings)} of {count_text(len(view.findings))} groups"] if omitted else []
    table = impact_views.columns_table(
        columns,
        caption=". ".join([*caption, *_p_of(findings, unseen)]),
        first="Group",
        labels=[impact_views.group_name(finding.focal) for finding in findings],
        words=WORDS,
        folded=folded,
    )
    lines = [line.value for line in impact_views.ratio_lines(audit)] if not view.means else [1.0]
    return replace(table, intervals=intervals_of(findings, lines))


def _rates(findings: Sequence[Finding]) -> dict[str, list[str]]:
    details = [ImpactRatio.of(finding) for finding in findings]
    return {
        "n": [ABSENT if detail.n_focal is None else count_text(detail.n_focal) for detail in details],
        "Effective n": [_effective(detail.effective_focal, detail.n_focal) or ABSENT for detail in details],
        "Selection rate": [impact_views.rate_text(detail.rate_focal, detail.rate_bounds) for detail in details],
        f"Impact ratio ({confidence_text(findings[0].confidence)} CI)": [
            impact_views.short_ratio(finding) for finding in findings
        ],
        "Four-fifths": [impact_views.four_fifths_cell(detail.four_fifths) for detail in details],
        **impact_views.statistics_columns(details, headline=True),
    }


def _effective(effective: float | None, n: int | None) -> str:
    """Return the effective number of weighted people, "" where weights take nothing away."""
    return "" if effective is None or n is None or abs(effective - n) < 1 else Scale(decimals=1).text(effective)


def _means(findings: Sequence[Finding]) -> dict[str, list[str]]:
    details = [MeanRatio.of(finding) for finding in findings]
    return {
        "n": [count_text(detail.n_focal) for detail in details],
        "Mean score": [impact_views.signed(detail.mean_focal, 3) for detail in details],
        "Ratio (95 % CI)": [impact_views.short_ratio(finding, (1.0,)) for finding in findings],
        "Standardised difference": [
            f"{impact_views.signed(detail.standardised_difference)}{impact_views.standardised_interval(detail)}"
            if detail.standardised_difference is not None
            else ABSENT
            for detail in details
        ],
    }


def significant_cell(finding: Finding) -> str:
    """Return whether a difference is statistically significant, with its p alone and corrected."""
    significant, claim = impact_views.is_significant(finding), finding.claim
    if claim is None:
        return ABSENT
    if significant is None:
        return "not judged"
    disagreement = why_not(finding)
    because = f"; {disagreement}" if disagreement else ""
    return f"{'yes' if significant else 'no'} ({corrected_p(claim)}{because})"


def _reference(finding: Finding) -> str:
    name = impact_views.group_name(finding.reference)
    if isinstance(finding.details, MeanRatio):
        details = finding.details
        return (
            f"{name}, n {count_text(details.n_reference)}, mean score {impact_views.signed(details.mean_reference, 3)}"
        )
    rates = ImpactRatio.of(finding)
    rate = impact_views.rate_text(rates.rate_reference, rates.rate_bounds_reference)
    n = "not shown" if rates.n_reference is None else count_text(rates.n_reference)
    effective = _effective(rates.effective_reference, rates.n_reference)
    effective = effective and f", effective n {effective}"
    return f"{name}, n {n}{effective}, selection rate {rate}"


def _p_of(findings: Sequence[Finding], unseen: int) -> list[str]:
    """Return the test behind p, and what it is corrected over."""
    claims = [finding.claim for finding in findings if finding.claim is not None and finding.claim.p is not None]
    if not claims:
        return []
    tests = listing(list(dict.fromkeys(impact_views.test_name(claim) for claim in claims)))
    clusters = list(dict.fromkeys(impact_views.cluster_counts_text(finding) for finding in findings))
    subject = "Intervals and p" if any(clusters) else "p"
    by = f"{tests} ({clusters[0]})" if any(clusters) and len(clusters) == 1 else tests
    over = claims[0].corrected_over + (f" ({count_text(unseen)} with another reference)" if unseen else "")
    return [f"{subject}: {', '.join(filter(None, (by, over)))}"]


def definitions_table(groups: ImpactGroups, audit: ImpactAudit) -> Table | None:
    """Return, for each other definition of a selection, the group that is furthest behind; None without others."""
    led = {(view.attributes, view.definition) for view in groups.leading}
    others = [
        view
        for attribute in groups.attributes
        for view in attribute.views
        if not view.crossed and (view.attributes, view.definition) not in led
    ]
    if not others:
        return None
    worst = [impact_views.by_problem(view.findings)[0] for view in others]
    names = [
        f"{capital(impact_views.view_name(view))}, {impact_views.definition_at(view.definition, audit)}"
        for view in others
    ]
    ratios = [
        impact_views.short_ratio(finding, (1.0,)) if view.means else impact_views.short_ratio(finding)
        for view, finding in zip(others, worst, strict=True)
    ]
    return impact_views.columns_table(
        {
            "Group": [impact_views.pair_name(finding) for finding in worst],
            "Ratio (95 % CI)": ratios,
            "Four-fifths": [impact_views.four_fifths_cell(ImpactRatio.of(finding).four_fifths) for finding in worst],
            SIGNIFICANT: [significant_cell(finding) for finding in worst],
            "Note": [finding.reason or "" for finding in worst],
        },
        caption="Sensitivity to the definition of a selection: in each, the group furthest behind",
        first="Selected",
        labels=names,
        words=WORDS,
        folded=len(others) > MOST_OPEN,
    )


#: Other definitions of a selection up to which their table is open.
MOST_OPEN = 4


#: Attributes whose table is open, and sentences.
MOST_TABLES, MOST_SENTENCES = 3, 5
#: Other differences that are named.
MOST_OTHERS = 3
#: Attributes that have a sentence.
MOST_VIEWS_NAMED = 3


def impact_summary(groups: ImpactGroups, audit: ImpactAudit) -> PageSummary:
    """Return the first screen."""
    if groups.availability and not groups.views:
        from evenhand.report.impact.availability import availability_summary  # noqa: PLC0415 - few runs have shares

        return availability_summary(groups.availability)
    views = leading_views(groups)
    tables = [
        rates_table(view, audit, folded=place >= MOST_TABLES, unseen=0 if place else groups.unseen)
        for place, view in enumerate(views)
    ]
    others = definitions_table(groups, audit)
    sentences = _sentences(groups, views, audit)
    if audit.monitored is not None:
        from evenhand.report.impact.monitored import monitored_sentence  # noqa: PLC0415 - few runs are of a store

        sentences.insert(0 if audit.monitored.standing else 1, monitored_sentence(audit.monitored))
    return PageSummary(
        tables=[*tables, *([others] if others else [])],
        sentences=sentences,
        steps=next_steps(groups, views, audit),
    )


def leading_views(groups: ImpactGroups) -> list[View]:
    """Return the leading view of each single attribute, the largest problem first."""
    single = [view for view in groups.leading if not view.crossed]
    worst = {view.attributes: impact_views.by_problem(view.findings)[0] for view in single}
    order = impact_views.by_problem(list(worst.values()))
    return sorted(single, key=lambda view: order.index(worst[view.attributes]))


def _other_differences(groups: ImpactGroups, views: Sequence[View], named: Sequence[Finding]) -> str:
    """Return the planned differences that neither the tables of the first screen nor other sentences have."""
    in_steps = [view for step in groups.steps for view in step.views]
    shown = {id(finding) for view in (*views, *in_steps) for finding in view.findings} | {id(each) for each in named}
    remaining = [view for view in groups.views if not view.crossed and view not in views and view not in in_steps]
    shown |= {id(impact_views.by_problem(view.findings)[0]) for view in remaining}
    by_attribute = [found for attribute, found in groups.adjusted.items() if attribute]
    shown |= {id(impact_views.by_problem(found)[0]) for found in by_attribute}
    shown |= {id(finding) for finding in within_differences(groups)}
    # Without any odds ratio another sentence has them.
    pooled = [view for view in groups.pooled if groups.first_pooled and not view.crossed]
    compared = [*(view.findings for view in (*remaining, *pooled)), *by_attribute]
    candidates = [
        finding for findings in compared for finding in findings if impact_views.is_sizeable(finding, findings)
    ]
    differences = [finding for finding in candidates if finding.is_difference and id(finding) not in shown]
    parts = [
        f"{f'{in_words(finding.measure)} {impact_views.size_text(finding)}'.removesuffix(f' {ABSENT}')} for "
        f"{impact_views.named_group(finding.focal)}"
        f"{''.join(f', {part}' for part in finding.slice.values())} ({corrected_p(finding.claim)})"
        for finding in differences[:MOST_OTHERS]
        if finding.claim is not None
    ]
    parts += [f"{len(differences) - MOST_OTHERS} more in the report"] if len(differences) > MOST_OTHERS else []
    return f"Statistically significant, too: {listing(parts)}." if parts else ""


def _sentences(groups: ImpactGroups, views: list[View], audit: ImpactAudit) -> list[str]:
    """Return the result in sentences, a reversal first."""
    turned = reversals(groups)
    first = [text for reversal in turned[:1] for text in reversal_sentences(reversal, audit)]
    stated = {tuple(reversal.whole.focal) for reversal in turned[:1]}
    of_views: list[str] = []
    remaining = [view for view in views if view.attributes not in stated][:MOST_VIEWS_NAMED]
    for place, view in enumerate(remaining):
        again = place > 0 and view.definition == remaining[0].definition
        of_views.append(impact_views.view_sentence(view, audit, again=again))
        if place == 0 and view.known:
            worst = impact_views.by_problem(view.findings)[0]
            margin = impact_views.margin_sentence(view, parts=bool(groups.positions or groups.over_time))
            of_views.append(" ".join(filter(None, [margin, *impact_views.cautions(worst)])))
    if not first:
        first, of_views = of_views[:2], of_views[2:]
    # What all together hide is never cut: stages and positions that differ.
    by_position = position_sentences(groups, audit, stated=stated)
    if groups.ranked:
        from evenhand.report.impact.positions import many_positions_sentence  # noqa: PLC0415 - totals have none

        by_position.append(many_positions_sentence(groups))
    hidden = [*stage_sentences(groups), *by_position, between_positions_sentence(groups)]
    together = any(finding.is_difference for view in views for finding in view.findings)
    elsewhere = any(finding.is_difference for step in groups.steps for view in step.views for finding in view.findings)
    differences_first = not turned and not together and (elsewhere or any(by_position))
    leading = [*hidden, *first] if differences_first else [*first, *hidden]
    # Nor is a difference that another estimator shows, or why a higher rate is not the reference.
    known = {view.attributes for view in views if view.known}
    leading += [note.text for note in audit.reference_floor.notes if note.attributes in known]
    estimated = _estimated_within(groups, audit)
    if groups.over_time:
        from evenhand.report.impact.series import over_time_sentence  # noqa: PLC0415 - few runs are over time

        # Who asks for periods reads of them first, whether they differ or not.
        leading.append(over_time_sentence(groups))
    others = [finding for view in groups.pooled for finding in view.findings]
    others += [*groups.blocks, *(finding for found in groups.adjusted.values() for finding in found)]
    if any(finding.is_difference for finding in others):
        leading, estimated = [*leading, *estimated], []
    leading += [text for view in views if (text := impact_views.suppressed_sentence(view, audit))]
    if groups.availability:
        from evenhand.report.impact.availability import first_sentence  # noqa: PLC0415 - few runs have shares

        leading.append(first_sentence(groups.availability))
    leading.append(_other_differences(groups, views, [reversal.within for reversal in turned[:1]]))
    leading = [text for text in leading if text]
    sentences = [*leading, *of_views]
    sentences += [capital((finding.reason or "").rstrip(".")) + "." for finding in groups.alone]
    sentences += estimated
    if groups.bounds or groups.undecided:
        from evenhand.report.impact.adjusted import bound_sentences  # noqa: PLC0415 - where all groups are known, none

        sentences += bound_sentences(groups)
    sentences += [impact_views.view_sentence(view, audit) for view in groups.leading if view.crossed]
    return [text for text in dict.fromkeys(sentences) if text][: max(MOST_SENTENCES, len(leading))]


def _estimated_within(groups: ImpactGroups, audit: ImpactAudit) -> list[str]:
    """Return what estimators within positions, blocks or qualifications find."""
    sentences = [within_sentence(groups)]
    if groups.blocks or groups.adjusted:
        from evenhand.report.impact.adjusted import adjusted_sentences, block_sentences  # noqa: PLC0415 - totals have none

        sentences += [*block_sentences(groups, audit), *adjusted_sentences(groups)]
    if groups.ladders:
        from evenhand.report.impact.ladder import ladder_sentences  # noqa: PLC0415 - totals have none

        sentences += ladder_sentences(groups, audit)
    return sentences


#: Groups named in a sentence.
MOST_IN_SENTENCE = 3


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
        for row in below[:MOST_IN_SENTENCE]
    ]
    more = positions.below_significant - len(dict.fromkeys(row["position"] for row in below[:MOST_IN_SENTENCE]))
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
        for finding in shown[:MOST_IN_SENTENCE]
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


def _unknown(audit: ImpactAudit) -> Iterator[NextStep]:
    """Yield the bounds for people of unknown group."""
    unknown = {name: count for name, count in audit.accounting.unknown.items() if count}
    if not unknown or "missing" in audit.parameters:
        return
    name, count = max(unknown.items(), key=lambda pair: pair[1])
    noun, _, together = impact_views.people_noun(audit).partition(" ")
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
