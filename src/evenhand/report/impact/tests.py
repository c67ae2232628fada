"""Sections that question an impact ratio: agreement of tests, flip-flop, sample size, bounds, adjustment, blocks."""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import ratio_chart
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.page import parts as page_parts
from evenhand.report.words import numbers
from evenhand.report.words.results import capital, estimate_text, in_words, listing, sentence_case
from evenhand.results.applicant_audit import Agreement, ImpactAudit, ZCurve
from evenhand.results.finding import AdjustedFor, AdjustedOdds, Bounds, Finding, ImpactRatio, UndecidedBounds, by_key
from evenhand.results.impact_groups import ImpactGroups, View, definition_of, definition_of_finding

WHY_THEY_DIFFER = (
    "The four-fifths rule looks at the size of a difference and not at how many people it rests on; the tests ask "
    "how often groups with the same chance would differ as much, and their answer depends on the number of people.",
    "Outside four-fifths, but neither test finds a difference: few people or low rates, so that one or two selections "
    "move the ratio across 0.8. Not outside, but both tests find one: many people, so that a small difference is "
    "established all the same. Only one of Z and Fisher: a p near 0.05, or a small expected count, where the normal "
    "approximation behind Z is rough and Fisher's exact test is to be read.",
    "Rows are counted before any adjustment for the number of comparisons: among many positions without any "
    "difference, one in twenty has p below 0.05.",
)
MOST_CURVES = 6
MOST_CURVE_FIGURES = 4


def agreement_section(groups: ImpactGroups, audit: ImpactAudit) -> page_parts.Section | None:
    """Return how many comparisons each combination of rule and tests has; None without any."""
    tables = [_agreement(rows, audit, folded=place > 0) for place, rows in enumerate(groups.agreement.values())]
    if not tables:
        return None
    return page_parts.Section(
        name="agreement",
        heading="Where the rule and the tests agree",
        parts=[
            page_parts.Part(tables=tables),
            page_parts.Part(heading="Why they may not agree", text=WHY_THEY_DIFFER, folded=True),
        ],
    )


def _agreement(rows: Sequence[Agreement], audit: ImpactAudit, *, folded: bool) -> page_parts.Table:
    lines: dict[tuple[str, bool], dict[str, int]] = {}
    for row in rows:
        counts = lines.setdefault((row.attribute, bool(row.by_position)), {})
        head = _combination(row)
        counts[head] = counts.get(head, 0) + row.rows
    labels = [
        f"{capital(impact_views.attribute_name(attribute))}, {'by position' if by else 'all applicants'}"
        for attribute, by in lines
    ]
    heads = [head for head in COMBINATIONS if any(head in counts for counts in lines.values())]
    cells = [
        (label, *map(numbers.count_text, (sum(counts.values()), *(counts.get(head, 0) for head in heads))))
        for label, counts in zip(labels, lines.values(), strict=True)
    ]
    caption = (
        f"Comparisons by what the rule and the tests say: {impact_views.definition_at(definition_of(rows[0]), audit)}"
    )
    return page_parts.table(caption, ("Groups of", "Compared", *heads), cells, folded=folded)


COMBINATIONS = (
    "Outside four-fifths, both tests",
    "Outside four-fifths, neither test",
    "Not outside, both tests",
    "Not outside, neither test",
    "Only one of Z and Fisher",
)


def _combination(row: Agreement) -> str:
    z, fisher = bool(row.z), bool(row.fisher)
    if z != fisher:
        return COMBINATIONS[4]
    outside = row.four_fifths in {"below", "above"}
    return COMBINATIONS[(0 if outside else 2) + (0 if z else 1)]


def flip_flop_section(views: Sequence[View], audit: ImpactAudit) -> page_parts.Section | None:
    """Return the tables before and after one changed selection, where a ratio is outside its limits."""
    flipped = [(view, finding) for view in views for finding in view.findings if _applies(finding)]
    if not flipped:
        return None
    order = sorted(
        flipped, key=lambda pair: (not ImpactRatio.of(pair[1]).flip_flop_reverses, pair[0].crossed, pair[1].n)
    )
    text = [
        "Where a ratio is outside its limits, one selection is moved to the group that is behind. If its rate is then "
        f"the higher one, this table alone is a weak basis ({impact_views.FLIP_FLOP}). That says nothing "
        f"against a pattern over "
        "positions or time.",
    ]
    columns: dict[str, Callable[[tuple[View, Finding]], str]] = {
        "Groups": lambda row: _pair(*row, audit),
        "As it is": lambda row: _selected(row[1]),
        "Ratio": lambda row: impact_views.ratio_text(row[1].estimate),
        "With one selection moved": lambda row: _selected(
            row[1], move=1 if ImpactRatio.of(row[1]).four_fifths == "below" else -1
        ),
        "Ratio after": lambda row: impact_views.ratio_text(ImpactRatio.of(row[1]).flip_flop_ratio),
        "Direction after": lambda row: "reversed" if ImpactRatio.of(row[1]).flip_flop_reverses else "kept",
    }
    table = page_parts.table_of(order, columns, caption="Ratios before and after one changed selection")
    return page_parts.Section(
        name="flip-flop",
        heading="Flip-flop rule: one changed selection",
        text=text,
        parts=[page_parts.Part(tables=[table])],
    )


def _applies(finding: Finding) -> bool:
    details = ImpactRatio.of(finding)
    counts = details.selected_focal, details.selected_reference, details.n_focal, details.n_reference
    return details.flip_flop_reverses is not None and None not in counts


def _pair(view: View, finding: Finding, audit: ImpactAudit) -> str:
    definition = impact_views.definition_at(view.definition, audit)
    return (
        f"{capital(impact_views.group_name(finding.focal))} against "
        f"{impact_views.group_name(finding.reference)} ({definition})"
    )


def _selected(finding: Finding, *, move: int = 0) -> str:
    """Return the people selected of both groups, with `move` more of the first and fewer of the second."""
    row = ImpactRatio.of(finding)
    sides = ((row.selected_focal, row.n_focal, move), (row.selected_reference, row.n_reference, -move))
    counts = [f"{numbers.count_text((chosen or 0) + moved)} of {numbers.count_text(n)}" for chosen, n, moved in sides]
    return ", ".join(counts)


def z_curve_section(groups: ImpactGroups, audit: ImpactAudit) -> page_parts.Section | None:
    """Return how Z would grow with the number of people, and where the data at hand are; None without a curve."""
    figures = [_z_figure(curves[:MOST_CURVES], audit) for curves in groups.curves.values()]
    if not figures:
        return None
    text = [
        "The curve keeps the rates, takes the groups as equally large, and varies only the number of people. Beyond "
        f"±{impact_views.Z_LIMIT:g} standard deviations a difference is statistically significant. With enough "
        "people every difference is significant, however small; with few people hardly any is. The curve is that of "
        "Figure 14 of Eightfold's Responsible AI (2023), for the rates at hand.",
    ]
    if len(figures) > MOST_CURVE_FIGURES:
        text.append(
            f"{len(figures) - MOST_CURVE_FIGURES} more curves are in findings.json under audit, shown, z_curves."
        )
    return page_parts.Section(
        name="z-curve",
        heading="Z by the number of people",
        text=text,
        parts=[page_parts.Part(figures=figures)] if len(figures) == 1 else _curves(figures[:MOST_CURVE_FIGURES]),
    )


def _curves(figures: Sequence[page_parts.Figure]) -> list[page_parts.Part]:
    return [page_parts.Part(heading=figure.title, figures=[figure], folded=True) for figure in figures]


def _z_figure(curves: Sequence[ZCurve], audit: ImpactAudit) -> page_parts.Figure:
    names = [
        f"{impact_views.group_label(curve.focal, curve.attribute)} against "
        f"{impact_views.group_label(curve.reference, curve.attribute)} "
        f"({numbers.percent_text(curve.rate_focal)} and {numbers.percent_text(curve.rate_reference)})"
        for curve in curves
    ]
    points = []
    for curve, name in zip(curves, names, strict=True):
        series = name.partition(" (")[0]
        points += [LinePoint(at=n, value=z, series=series, mark=False) for n, z in curve.points]
        people = numbers.count_text(round(curve.n_per_group))
        point_text = f"{name}: Z = {impact_views.signed(curve.z)} at {people} people per group"
        points.append(LinePoint(at=curve.n_per_group, value=curve.z, series=series, text=point_text, joined=False))
    limits = [
        MarkedLine(
            value=sign * impact_views.Z_LIMIT, text=f"{'' if sign > 0 else numbers.MINUS}{impact_views.Z_LIMIT:g}"
        )
        for sign in (1, -1)
    ]
    title = f"Z by the number of people per group: {impact_views.definition_at(definition_of(curves[0]), audit)}"
    here = page_parts.table_of(
        curves,
        {
            "Groups": lambda curve: capital(names[curves.index(curve)]),
            "People per group": lambda curve: numbers.count_text(round(curve.n_per_group)),
            "Z here": lambda curve: impact_views.signed(curve.z),
            f"±{impact_views.Z_LIMIT:g} is passed at": lambda curve: (
                numbers.ABSENT if curve.crossing is None else numbers.count_text(int(-(-curve.crossing // 1)))
            ),
        },
        caption="The groups furthest behind among all applicants",
    )
    return page_parts.Figure(
        title=title,
        note="The point is the data at hand; of groups of different size, their harmonic mean. The axis of "
        "people is logarithmic.",
        chart=lambda width: line_chart(
            points, title="Z", along="people per group", width=width, lines=limits, axis="log"
        ),
        tables=[here],
    )


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
