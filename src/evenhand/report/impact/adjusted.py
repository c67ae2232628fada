"""Estimates besides an impact ratio: within blocks, adjusted for qualifications, bounds for what is not known."""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from evenhand.report.charts.intervals import ratio_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.page import parts as page_parts
from evenhand.report.words import numbers
from evenhand.report.words.results import capital, estimate_text, in_words, listing, sentence_case
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import AdjustedFor, AdjustedOdds, Bounds, Finding, UndecidedBounds, by_key
from evenhand.results.impact_groups import ImpactGroups, definition_of_finding

SAME_QUALIFICATIONS = "Among people with the same qualifications"


def bound_sentences(groups: ImpactGroups) -> list[str]:
    """Return, per attribute, which ratios people of unknown group could move across four fifths or 1.

    They are those of the first definition of a selection, of the bottom line before a single stage.
    """
    unknown = [_bound_sentence(view.attributes[0], view.findings) for view in groups.first_bounds]
    undecided = [_undecided_sentence(view.findings) for view in groups.undecided if not view.crossed]
    return [text for text in (*unknown, *undecided[:1]) if text]


def _undecided_sentence(findings: Sequence[Finding]) -> str:
    """Return between which ratios decisions on people without one could move the one that they move farthest."""
    width = {
        id(finding): (inf if finding.high is None else finding.high) - (finding.low or 0.0) for finding in findings
    }
    first = max(findings, key=lambda finding: (bool(_crossed(finding)), width[id(finding)]))
    details, sides = UndecidedBounds.of(first), listing(_crossed(first))
    omitted = sum(1 for finding in findings if finding is not first and _crossed(finding))
    ratios = numbers.counted(omitted, "more ratio")
    more = f" {capital(ratios)} could lie on either side of four-fifths or equal rates." if omitted else ""
    waiting = [
        f"{numbers.counted(n or 0, 'person', 'people')} ({impact_views.named_group(group)})"
        for group, n in (
            (first.focal, details.undecided_focal),
            (first.reference, details.undecided_reference),
        )
    ]
    ends = [
        f"{impact_views.SHORT.text(ratio, apart=impact_views.APART)} had {who} of them been selected"
        for who, ratio in (("all", details.ratio_if_all), ("none", details.ratio_if_none))
        if ratio is not None
    ]
    return (
        f"No decision is known for {listing(waiting)}. Depending on it, the impact ratio of "
        f"{impact_views.named_group(first.focal)} lies {_ends(first)}{f', on both sides of {sides}' if sides else ''}"
        f"{f': {listing(ends)}' if ends else ''}."
        f"{more}"
    )


def _bound_sentence(attribute: str, findings: Sequence[Finding]) -> str:
    open_to = [(finding, crossed) for finding in findings if (crossed := _crossed(finding))]
    if not open_to:
        return ""
    people = numbers.counted(Bounds.of(findings[0]).n_unknown or 0, "person", "people")
    first, crossed = open_to[0]
    omitted = len(open_to) - 1
    more = f"; so {'do' if omitted > 1 else 'does'} {numbers.counted(omitted, 'more ratio')}" if omitted else ""
    return (
        f"Depending on the {people} of unknown {in_words(attribute)}, the impact ratio of "
        f"{impact_views.named_group(first.focal)} "
        f"lies {_ends(first)}, on both sides of {listing(crossed)}{more}."
    )


def _crossed(finding: Finding) -> list[str]:
    """Return the limits between the ends of an interval: four fifths, equal rates, or both."""
    if finding.low is None:
        return []
    high = inf if finding.high is None else finding.high
    limits = ((impact_views.FOUR_FIFTHS_LINE, "four-fifths"), (1.0, "equal rates"))
    return [words for limit, words in limits if finding.low < limit <= high and (limit < 1 or high > 1)]


def _ends(finding: Finding) -> str:
    low = impact_views.SHORT.text(finding.low, apart=impact_views.APART)
    return (
        f"at {low} or above"
        if finding.high is None
        else f"between {low} and {impact_views.SHORT.text(finding.high, apart=impact_views.APART)}"
    )


def adjusted_sentences(groups: ImpactGroups) -> list[str]:
    """Return the odds ratio among people with the same qualifications, per attribute that of the group behind."""
    by_attribute = [_last_line(findings) for attribute, findings in groups.adjusted.items() if attribute]
    named = [text for findings in by_attribute if (text := _adjusted_clause(findings))]
    qualifications = _qualification_names([finding for findings in by_attribute for finding in findings])
    return [
        *([f"Among people with the same {qualifications}: {'; '.join(named)}."] if named else []),
        *_reasons(groups),
    ]


def _last_line(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings adjusted for all qualifications."""
    most = max(len(AdjustedFor.of(finding).given) for finding in findings)
    return [finding for finding in findings if len(AdjustedFor.of(finding).given) == most]


def _reasons(groups: ImpactGroups) -> list[str]:
    """Return why there is no odds ratio of any group."""
    return [capital(str(finding.reason)) for finding in groups.adjusted.get("", ())]


def _adjusted_clause(findings: Sequence[Finding]) -> str:
    """Return the smallest odds ratio, with the crude one, or its test alone; then which are not judged, and why."""
    finding = impact_views.by_problem(findings)[0]
    name, significance = impact_views.named_group(finding.focal), impact_views.significance(finding)
    if finding.estimate is None:
        clauses = (
            []
            if finding.p is None
            else [f"no odds ratio for {name}, {_reason(finding)}; the difference is {significance}"]
        )
    else:
        crude = impact_views.SHORT.text(AdjustedOdds.of(finding).odds_ratio_crude, apart=impact_views.ODDS_APART)
        odds = impact_views.short_ratio(finding, impact_views.ODDS_APART, level=True)
        clauses = [f"odds ratio {odds} for {name} ({crude} without), {significance}"]
    unjudged = by_key(_reason, [each for each in findings if each.estimate is None and each.p is None])
    for reason, group in unjudged.items():
        names = listing([impact_views.named_group(each.focal) for each in group])
        clauses.append(f"no odds ratio for {names}, {reason}")
    return "; ".join(clauses)


def _reason(finding: Finding) -> str:
    return f"as {sentence_case((finding.reason or '').rstrip('.'))}"


def _qualification_names(findings: Sequence[Finding]) -> str:
    names = [(*AdjustedOdds.of(finding).within, *AdjustedFor.of(finding).given) for finding in findings]
    return listing(list(dict.fromkeys(in_words(name) for every in names for name in every)))


def adjusted_section(groups: ImpactGroups) -> page_parts.Section | None:
    """Return crude and adjusted odds ratios side by side; None where no qualifications were named."""
    if not groups.adjusted:
        return None
    compared = [finding for attribute, findings in groups.adjusted.items() if attribute for finding in findings]
    if not compared:
        return page_parts.Section(name="given", heading=SAME_QUALIFICATIONS, text=_reasons(groups))
    qualifications = _qualification_names([*compared, *groups.adjusted.get("", ())])
    lines = {AdjustedFor.of(finding).given for finding in compared}
    left_out = {in_words(next(iter(finding.focal))): AdjustedOdds.of(finding).n_left_out or 0 for finding in compared}
    drawn = [
        impact_views.interval_row(finding, capital(impact_views.group_name(finding.focal))) for finding in compared
    ]
    odds = page_parts.table_of(
        compared,
        {
            "Group against reference": lambda finding: capital(impact_views.pair_name(finding)),
            **({"Adjusted for": lambda finding: _qualification_names([finding])} if len(lines) > 1 else {}),
            "Crude": lambda finding: impact_views.odds_text(AdjustedOdds.of(finding).odds_ratio_crude),
            "Adjusted": estimate_text,
            **page_parts.columns_of(compared, page_parts.CI, "p", "p, adjusted"),
            "p, all groups": lambda finding: numbers.p_text(
                next((test.p for test in finding.tests if test.name.startswith("likelihood ratio")), None)
            ),
            "People": lambda finding: numbers.count_text(finding.n),
            "Note": lambda finding: finding.reason or "",
        },
        caption=f"Odds ratios before and after adjusting for {qualifications}",
    )
    text = [
        f"The adjusted odds ratio compares people with the same {qualifications} (logistic regression). Where it is "
        "nearer to 1 than the crude one, part of the difference goes along with these qualifications; where it is "
        "farther, they hid a part of the difference.",
        "A qualification that explains a difference need not be a justified requirement: it may be a proxy for the "
        "group. The analysis does not adjust for other variables.",
    ]
    text += _reasons(groups)
    if any(left_out.values()):
        omitted = listing([f"{numbers.count_text(n)} for {attribute}" for attribute, n in left_out.items()])
        text.append(f"People left out, because their group or a qualification is not known: {omitted}.")
    figure = page_parts.Figure(
        title=f"Odds ratios among people with the same {qualifications}",
        note="An odds ratio is farther from 1 than a ratio of rates, and is not judged by four fifths.",
        chart=lambda width: ratio_chart(
            drawn, title="Adjusted odds ratio", width=width, lines=[impact_views.EQUAL_RATES]
        ),
        tables=[odds],
    )
    return page_parts.Section(
        name="given", heading=SAME_QUALIFICATIONS, text=text, parts=[page_parts.Part(figures=[figure])]
    )


def bound_section(groups: ImpactGroups, audit: ImpactAudit) -> page_parts.Section | None:
    """Return the bounds of ratios over all assignments of unknown groups; None where they were not requested."""
    if not groups.bounds and not groups.undecided:
        return None
    tables: list[page_parts.Table] = []
    for decided in groups.undecided:
        caption = f"Impact ratios under every decision: {impact_views.definition_at(decided.definition, audit)}"
        folded = decided.crossed or bool(tables)
        tables.append(_ends_table(decided.findings, "Ratio of those decided on", _UNDECIDED, caption, folded=folded))
    for view in groups.bounds:
        caption = (
            f"Impact ratios under every assignment of the unknown: {impact_views.definition_at(view.definition, audit)}"
        )
        caption += ", several attributes at once" if view.crossed else ""
        folded = view.crossed or bool(tables)
        tables.append(_ends_table(view.findings, "Ratio of those known", _UNKNOWN, caption, folded=folded))
    text = [
        "People whose group is not known are in no rate. If all of them belonged to these two groups, in the way most "
        "or least favourable to the first, the ratio would lie at these ends. This is what the data leave open, "
        "without any sampling error; where the ends are on both sides of 0.8, who did not answer decides.",
    ] * bool(groups.bounds)
    if groups.undecided:
        text.append(
            "People without a decision, such as pending or withdrawn ones (--undecided), are in no rate. The ends are "
            "those of all decisions on them, the worst and the best for the group; the reference stays the same. Those "
            "who withdrew may have done so because of what they met, or for other reasons: the data don't show it."
        )
    heading = "If the unknown groups were known" if groups.bounds else "If all had been decided on"
    return page_parts.Section(name="unknown", heading=heading, text=text, parts=[page_parts.Part(tables=tables)])


def _ends_table(
    findings: Sequence[Finding],
    first: str,
    columns: Mapping[str, Callable[[Finding], str]],
    caption: str,
    *,
    folded: bool,
) -> page_parts.Table:
    """Return the ratio of those whose group and decision are known, the ends between which it lies, and more."""
    ratio = impact_views.ratio_text
    return page_parts.table_of(
        findings,
        {
            "Group against reference": lambda finding: capital(impact_views.pair_name(finding)),
            first: lambda finding: ratio(finding.estimate),
            "Lowest possible": lambda finding: ratio(finding.low),
            "Highest possible": lambda finding: ratio(finding.high),
            **columns,
            "Note": lambda finding: finding.reason or "",
        },
        caption=caption,
        folded=folded,
    )


def _selected_unknown(bounds: Bounds) -> str:
    most = bounds.most_selected_unknown
    return numbers.count_text(bounds.selected_unknown) + ("" if most is None else f" to {numbers.count_text(most)}")


_UNDECIDED: Mapping[str, Callable[[Finding], str]] = {
    "All selected": lambda finding: impact_views.ratio_text(UndecidedBounds.of(finding).ratio_if_all),
    "None selected": lambda finding: impact_views.ratio_text(UndecidedBounds.of(finding).ratio_if_none),
    "Undecided": lambda finding: numbers.count_text(UndecidedBounds.of(finding).undecided_focal),
    "Of the reference": lambda finding: numbers.count_text(UndecidedBounds.of(finding).undecided_reference),
}
_UNKNOWN: Mapping[str, Callable[[Finding], str]] = {
    "Unknown": lambda finding: numbers.count_text(Bounds.of(finding).n_unknown),
    "Of them selected": lambda finding: _selected_unknown(Bounds.of(finding)),
}


def block_sentences(groups: ImpactGroups, audit: ImpactAudit) -> list[str]:
    """Return the differences within blocks, those of a definition and a stage in one sentence."""
    sentences = []
    for findings in by_key(
        lambda finding: (tuple(finding.focal), tuple(sorted(finding.slice.items()))), groups.blocks
    ).values():
        known = sorted(
            (finding for finding in findings if finding.estimate is not None),
            key=lambda finding: not finding.is_difference,
        )
        known = known[: max(MOST_BLOCKS, sum(finding.is_difference for finding in known))]
        scope = f"Within the same {in_words(next(iter(findings[0].clusters)))}"
        if len({tuple(finding.slice.items()) for finding in groups.blocks}) > 1:
            scope += f" ({impact_views.definition_at(definition_of_finding(findings[0]), audit)})"
        if known:
            sentences.append(f"{scope}, {listing([_within(finding) for finding in known])}.")
        else:
            sentences.append(f"{scope} there is no difference to tell: {sentence_case(findings[0].reason or '')}")
    return sentences


def _within(finding: Finding) -> str:
    estimate = finding.estimate or 0.0
    focal, reference = impact_views.named_group(finding.focal), impact_views.named_group(finding.reference)
    if not finding.is_difference:
        return f"{focal} against {reference}: {_difference(finding)}, {impact_views.significance(finding)}"
    scale, unit = _scale(finding)
    size, span = scale.number(abs(estimate), signed=False), scale.interval(finding.low, finding.high)
    side = "lower" if estimate < 0 else "higher"
    rate = "mean score" if finding.measured_in == "points" else "selection rate"
    parts = [f"the {rate} was {size}{unit} {side} for {focal} than for {reference}"]
    if span != numbers.ABSENT:
        parts[0] += f" ({numbers.confidence_text(finding.confidence)} CI {span})"
    parts.append(impact_views.significance(finding))
    return ", ".join(parts)


def _scale(finding: Finding) -> tuple[numbers.Scale, str]:
    """Return the scale and unit of a difference: rates in percentage points, scores in their own unit."""
    if finding.measured_in == "points":
        return numbers.Scale(decimals=2, signed=True), ""
    return numbers.Scale(factor=100, decimals=1, signed=True), " percentage points"


def _difference(finding: Finding) -> str:
    scale, unit = _scale(finding)
    span = scale.interval(finding.low, finding.high)
    reach = f" ({numbers.confidence_text(finding.confidence)} CI {span})" if span != numbers.ABSENT else ""
    return f"{scale.text(finding.estimate)}{unit}{reach}"


def _varying(audit: ImpactAudit, blocks: str) -> list[str]:
    """Return the clusters of the intervals: those that were named, or the blocks."""
    named = audit.parameters.get("cluster")
    return [str(name) for name in named] if isinstance(named, list | tuple) and named else [blocks]


def block_section(groups: ImpactGroups, audit: ImpactAudit) -> page_parts.Section | None:
    """Return the differences within blocks; None without any."""
    findings = groups.blocks
    if not findings:
        return None
    blocks = in_words(next(iter(findings[0].clusters)))
    differences = page_parts.table_of(
        findings,
        {
            "Group": lambda finding: impact_views.group_name(finding.focal),
            "Compared with": lambda finding: impact_views.group_name(finding.reference),
            "Difference": _difference,
            **page_parts.columns_of(findings, "p", "p, adjusted"),
            "Blocks": lambda finding: numbers.count_text(next(iter(finding.clusters.values()))),
            "n": lambda finding: numbers.count_text(finding.n),
            "Selected by": lambda finding: ", ".join(finding.slice.values()) or "decision",
            "Note": lambda finding: finding.reason or "",
        },
        caption=f"Differences among rows of one {blocks}; blocks with one group only are in none of them",
    )
    varying = listing([in_words(name) for name in _varying(audit, blocks)])
    text = [
        f"Groups are compared among rows of the same {blocks} only (fixed effects; of rates, the "
        f"Mantel-Haenszel risk difference). The intervals are cluster-robust by {varying}.",
    ]
    return page_parts.Section(
        name="blocks", heading=f"Within the same {blocks}", text=text, parts=[page_parts.Part(tables=[differences])]
    )


#: Groups that a sentence names, besides all that differ.
MOST_BLOCKS = 3
