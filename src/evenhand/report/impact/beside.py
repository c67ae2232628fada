"""What else could be behind a ratio: qualifications, what is held fixed, and people whose group is not known."""

from collections.abc import Sequence
from math import inf

from evenhand.report.charts import ratio_chart
from evenhand.report.impact.views import (
    APART,
    CLUSTER_ROBUST,
    EQUAL_RATES,
    FOUR_FIFTHS_LINE,
    ODDS_APART,
    RATIO,
    SHORT,
    columns_table,
    definition_at,
    group_name,
    interval_row,
    is_significant,
    named_group,
    p_cell,
    p_told,
    short_ratio,
    test_p,
)
from evenhand.report.page.parts import Figure, Part, Section, Table, interval_heading
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text, count_text, counted
from evenhand.report.words.wording import capital, in_words, listing, sentence_case
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import AdjustedOdds, Bounds, Given
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups
from evenhand.tables.grouped.keys import by_key

__all__ = ["block_section", "block_sentences", "bound_section", "bound_sentences", "given_section", "given_sentences"]

ALIKE = "Among people with the same qualifications"


def bound_sentences(groups: ImpactGroups) -> list[str]:
    """Return, per attribute, which ratios people of unknown group could move across four fifths or 1.

    They are those of the first definition of a selection, of the bottom line before a single stage.
    """
    return [text for view in groups.first_bounds if (text := _bound_sentence(view.attributes[0], view.findings))]


def _bound_sentence(attribute: str, findings: Sequence[Finding]) -> str:
    open_to = [(finding, crossed) for finding in findings if (crossed := _crossed(finding))]
    if not open_to:
        return ""
    unknown = counted(Bounds.of(findings[0]).n_unknown or 0, "person", "people")
    first, crossed = open_to[0]
    left = len(open_to) - 1
    more = f"; so {'do' if left > 1 else 'does'} {counted(left, 'more ratio')}" if left else ""
    return (
        f"Depending on the {unknown} of unknown {in_words(attribute)}, the impact ratio of {named_group(first.focal)} "
        f"lies {_ends(first)}, on both sides of {listing(crossed)}{more}."
    )


def _crossed(finding: Finding) -> list[str]:
    """Return what lies between the ends: four fifths, equal rates, or both."""
    if finding.low is None:
        return []
    high = inf if finding.high is None else finding.high
    limits = ((FOUR_FIFTHS_LINE, "four-fifths"), (1.0, "equal rates"))
    return [words for limit, words in limits if finding.low < limit <= high and (limit < 1 or high > 1)]


def _ends(finding: Finding) -> str:
    low = SHORT.text(finding.low, apart=APART)
    return (
        f"at {low} or above" if finding.high is None else f"between {low} and {SHORT.text(finding.high, apart=APART)}"
    )


def given_sentences(groups: ImpactGroups) -> list[str]:
    """Return the odds ratio among people with the same qualifications, per attribute that of the group behind."""
    own = [found for attribute, found in groups.adjusted.items() if attribute]
    named = [text for found in own if (text := _given_clause(found))]
    alike = _given([each for found in own for each in found])
    return [*([f"Among people alike in {alike}: {'; '.join(named)}."] if named else []), *_reasons(groups)]


def _reasons(groups: ImpactGroups) -> list[str]:
    """Return why there is no odds ratio of any group."""
    return [capital(str(finding.reason)) for finding in groups.adjusted.get("", ())]


def _given_clause(findings: Sequence[Finding]) -> str:
    """Return the smallest odds ratio, beside the crude one."""
    known = [finding for finding in findings if finding.estimate is not None]
    if not known:
        attribute = in_words(next(iter(findings[0].focal), ""))
        return f"no odds ratio of {attribute}, {sentence_case((findings[0].reason or '').rstrip('.'))}"
    finding = min(known, key=lambda each: each.estimate or 0.0)
    crude = SHORT.text(AdjustedOdds.of(finding).odds_ratio_crude, apart=ODDS_APART)
    significant = "" if finding.verdict == "difference" else "not "
    odds = short_ratio(finding, ODDS_APART, level=True)
    return (
        f"odds ratio {odds} for {named_group(finding.focal)} ({crude} without), "
        f"{significant}statistically significant ({p_told(_wald(finding))})"
    )


def _given(findings: Sequence[Finding]) -> str:
    return listing(list(dict.fromkeys(name for finding in findings for name in Given.of(finding).given)))


def _wald(finding: Finding) -> float | None:
    return test_p(finding, "Wald")


def given_section(groups: ImpactGroups) -> Section | None:
    """Return crude and adjusted odds ratios side by side; None where no qualifications were named."""
    if not groups.adjusted:
        return None
    found = [finding for attribute, own in groups.adjusted.items() if attribute for finding in own]
    if not found:
        return Section(name="given", heading=ALIKE, text=_reasons(groups))
    given = _given([*found, *groups.adjusted.get("", ())])
    left_out = {in_words(next(iter(finding.focal))): AdjustedOdds.of(finding).n_left_out or 0 for finding in found}
    drawn = [interval_row(finding, capital(group_name(finding.focal))) for finding in found]
    joint = [
        next((test.p for test in finding.tests if test.name.startswith("likelihood ratio")), None) for finding in found
    ]
    wald = [_wald(finding) for finding in found]
    table = columns_table(
        {
            "Crude": [RATIO.text(AdjustedOdds.of(finding).odds_ratio_crude, apart=ODDS_APART) for finding in found],
            "Adjusted": [RATIO.text(finding.estimate, apart=ODDS_APART) for finding in found],
            interval_heading(found): [RATIO.interval(finding.low, finding.high, apart=ODDS_APART) for finding in found],
            "p": [p_cell(p) for p in wald],
            "p, all groups": [p_cell(p) for p in joint],
            "People": [count_text(finding.n) for finding in found],
            "Note": [finding.reason or "" for finding in found],
        },
        caption=f"Odds ratios before and after holding {given} fixed; p is not adjusted for the number of groups",
        first="Group against reference",
        labels=[f"{capital(group_name(finding.focal))} against {group_name(finding.reference)}" for finding in found],
    )
    text = [
        f"The adjusted odds ratio compares people who are alike in {given} (logistic regression). Where it is "
        "nearer to 1 than the crude one, part of the difference goes along with these qualifications; where it is "
        "farther, they hid a part of it.",
        "That a qualification explains a difference does not show that asking for it is justified: it may itself stand "
        "for the group, and what was not named here is not held fixed.",
    ]
    text += _reasons(groups)
    if any(left_out.values()):
        told = listing([f"{count_text(n)} for {attribute}" for attribute, n in left_out.items()])
        text.append(f"People left out, because their group or a qualification is not known: {told}.")
    figure = Figure(
        title=f"Odds ratios among people alike in {given}",
        note="An odds ratio is farther from 1 than a ratio of rates, and is not judged by four fifths.",
        chart=lambda width: ratio_chart(drawn, title="Adjusted odds ratio", width=width, lines=[EQUAL_RATES]),
        tables=[table],
    )
    return Section(name="given", heading=ALIKE, text=text, parts=[Part(figures=[figure])])


def bound_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return what ratios could be if all unknown groups were known; None where that was not asked."""
    if not groups.bounds:
        return None
    tables: list[Table] = []
    for each in groups.bounds:
        caption = f"Impact ratios under every assignment of the unknown: {definition_at(each.definition, audit)}"
        caption += ", several attributes at once" if each.crossed else ""
        tables.append(_bounds(each.findings, caption, folded=each.crossed or bool(tables)))
    text = [
        "People whose group is not known are in no rate. If all of them belonged to these two groups, in the way most "
        "or least favourable to the first, the ratio would lie at these ends. This is what the data leave open, "
        "without any sampling error; where the ends are on both sides of 0.8, who did not answer decides.",
    ]
    return Section(name="unknown", heading="If the unknown groups were known", text=text, parts=[Part(tables=tables)])


def _bounds(findings: Sequence[Finding], caption: str, *, folded: bool) -> Table:
    return columns_table(
        {
            "Ratio of those known": [RATIO.text(finding.estimate, apart=APART) for finding in findings],
            "Lowest possible": [RATIO.text(finding.low, apart=APART) for finding in findings],
            "Highest possible": [RATIO.text(finding.high, apart=APART) for finding in findings],
            "Unknown": [count_text(Bounds.of(finding).n_unknown) for finding in findings],
            "Of them selected": [count_text(Bounds.of(finding).selected_unknown) for finding in findings],
            "Note": [finding.reason or "" for finding in findings],
        },
        caption=caption,
        first="Group against reference",
        labels=[
            f"{capital(group_name(finding.focal))} against {group_name(finding.reference)}" for finding in findings
        ],
        folded=folded,
    )


def block_sentences(groups: ImpactGroups) -> list[str]:
    """Return the differences within what is held fixed, those of a definition and a stage in one sentence."""
    told = []
    for found in by_key(lambda each: (tuple(each.focal), tuple(sorted(each.slice.items()))), groups.blocks).values():
        known = [each for each in found if each.estimate is not None][:MOST_BLOCKS]
        same = f"Within the same {in_words(next(iter(found[0].clusters)))}"
        if known:
            told.append(f"{same}, {listing([_within(each) for each in known])}.")
        else:
            told.append(f"{same} there is no difference to tell: {sentence_case(found[0].reason or '')}")
    return told


def _within(finding: Finding) -> str:
    significant, estimate = is_significant(finding), finding.estimate or 0.0
    scale, unit = _scale(finding)
    size, span = scale.number(abs(estimate), signed=False), scale.interval(finding.low, finding.high)
    side = ("lower", "less often") if estimate < 0 else ("higher", "more often")
    scored = finding.measured_in == "points"
    what = f"scored {size} {side[0]} than" if scored else f"was selected {size}{unit} {side[1]} than"
    if not size.strip("0."):
        what = "scored as high as" if scored else "was selected as often as"
    parts = [f"{named_group(finding.focal)} {what} {named_group(finding.reference)}"]
    if span != ABSENT:
        parts[0] += f" ({confidence_text(finding.confidence)} CI {span})"
    if significant is not None:
        adjusted = "" if finding.p_adjusted == test_p(finding, CLUSTER_ROBUST) else "adjusted "
        told = f"{adjusted}{p_told(finding.p_adjusted)}"
        parts.append(f"{'' if significant else 'not '}statistically significant ({told})")
    return ", ".join(parts)


def _scale(finding: Finding) -> tuple[Scale, str]:
    """Return how a difference is printed, and its unit: of rates in percentage points, of scores in their own."""
    if finding.measured_in == "points":
        return Scale(decimals=2, signed=True), ""
    return Scale(factor=100, decimals=1, signed=True), " percentage points"


def _difference(finding: Finding) -> str:
    """Return a difference with its interval."""
    scale, unit = _scale(finding)
    span = scale.interval(finding.low, finding.high)
    reach = f" ({confidence_text(finding.confidence)} CI {span})" if span != ABSENT else ""
    return f"{scale.text(finding.estimate)}{unit}{reach}"


def _varying(audit: ImpactAudit, blocks: str) -> list[str]:
    """Return what the intervals let vary: the clusters that were named, or the blocks."""
    named = audit.parameters.get("cluster")
    return [str(each) for each in named] if isinstance(named, list | tuple) and named else [blocks]


def block_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the differences within what is held fixed; None where nothing is."""
    found = groups.blocks
    if not found:
        return None
    blocks = in_words(next(iter(found[0].clusters)))
    table = columns_table(
        {
            "Compared with": [group_name(each.reference) for each in found],
            "Difference": [_difference(each) for each in found],
            "p": [p_cell(test_p(each, CLUSTER_ROBUST)) for each in found],
            "p, adjusted": [p_cell(each.p_adjusted) for each in found],
            "Blocks": [count_text(next(iter(each.clusters.values()))) for each in found],
            "n": [count_text(each.n) for each in found],
            "Selected by": [", ".join(each.slice.values()) or "decision" for each in found],
            "Note": [each.reason or "" for each in found],
        },
        caption=f"Differences among rows of one {blocks}; blocks with one group only are in none of them",
        first="Group",
        labels=[group_name(each.focal) for each in found],
        words=["Compared with", "Selected by"],
    )
    varying = listing([f"the {in_words(name)}" for name in _varying(audit, blocks)])
    text = [
        f"Groups are compared among rows of the same {blocks} only, so that it can't make the difference (fixed "
        f"effects; of rates, the difference after Mantel and Haenszel). The intervals let {varying} vary.",
    ]
    return Section(name="blocks", heading=f"Within the same {blocks}", text=text, parts=[Part(tables=[table])])


#: Groups that a sentence names.
MOST_BLOCKS = 3
