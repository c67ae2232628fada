"""Positions on the page: by shortfall, by the probability of a ratio below four fifths, and all of them pooled."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.report.charts.intervals import IntervalRow, ratio_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import Figure, Part, Section, Table, interval_heading, table_of
from evenhand.report.words.numbers import (
    ABSENT,
    SIGNIFICANCE,
    count_text,
    counted,
    p_text,
    percent_text,
    simulated_share,
)
from evenhand.report.words.results import capital, in_words, listing, why_not
from evenhand.results.applicant_audit import ImpactAudit, PositionRank, Positions
from evenhand.results.finding import Finding, PooledOdds, PositionsRanked
from evenhand.results.impact_groups import ImpactGroups, Ranked, View, definition_of, definition_of_finding
from evenhand.results.schemas import CROSSED

RANKED_TEXT = (
    "With few people in a position its own ratio is mostly chance. Here each ratio is shrunk towards those of all "
    "positions, the more so the fewer people it is from (empirical Bayes: log ratios are normal between positions, "
    "rates of the reference are beta-binomial; the variance between positions is estimated, with its uncertainty). "
    "Positions are ranked by the probability that their ratio is below four fifths. The reference is that of all "
    "applicants, in every position the same. positions.csv has all positions."
)
#: Groups whose chart is open; positions from which the first screen says how many differ.
MOST_OPEN, MANY = 2, 20
#: Lines of a table; positions.csv has all.
MOST_RANKED_LINES = 20


def ranks_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return a caterpillar plot for each group; None without ranked positions."""
    parts = [
        _part(each, audit, folded=place >= MOST_OPEN)
        for place, each in enumerate(sorted(groups.ranked, key=lambda each: -each.finding.n))
    ]
    if not parts:
        return None
    return Section(name="ranks", heading="Positions ranked", text=[RANKED_TEXT], parts=parts)


def many_positions_sentence(groups: ImpactGroups) -> str:
    """Return in how many of many positions a group differs, of the group with most; "" where none does."""
    many = [
        (details.lower or 0, details.higher or 0, each.finding)
        for each in groups.ranked
        for details in [PositionsRanked.of(each.finding)]
        if each.finding.n >= MANY and ((details.lower or 0) + (details.higher or 0))
    ]
    return discovery_sentence(max(many, key=lambda entry: entry[:2])[2]) if many else ""


def discovery_sentence(finding: Finding) -> str:
    """Return in how many positions the rate of a group is lower, or higher, at a false discovery rate of 5 %."""
    details = PositionsRanked.of(finding)
    focal, reference = impact_views.named_group(finding.focal), impact_views.reference_name(finding.reference)
    stage = "".join(f"{value}: " for value in finding.slice.values())
    positions, lower, higher = counted(finding.n, "position"), details.lower or 0, details.higher or 0
    rate = f"of 5 % (Benjamini-Hochberg over {counted(details.comparisons or 0, 'comparison')})"
    if not lower and not higher:
        difference = f"a difference of {focal} against {reference}"
        return (
            f"{stage}{capital(f'in none of {positions}')} was {difference} detected, at a false discovery rate {rate}."
        )
    start = (
        f"{stage}In {count_text(lower)} of {positions} the selection rate was lower for {focal} than for {reference}"
    )
    also = f" and in {count_text(higher)} higher" if higher else ""
    return f"{start}{also}, at a false discovery rate {rate}."


def _part(ranked: Ranked, audit: ImpactAudit, *, folded: bool) -> Part:
    finding, rows = ranked.finding, ranked.rows
    details = PositionsRanked.of(finding)
    definition = impact_views.definition_at(definition_of_finding(finding), audit)
    name = f"{capital(in_words(next(iter(finding.focal))))} {impact_views.pair_name(finding)}, {definition}"
    text = [discovery_sentence(finding) if finding.reason is None else finding.reason]
    if details.mean_ratio is not None:
        effect, ranked_ones, of_all = details.design_effect or 1.0, details.ranked or 0, details.positions or 0
        others = "" if ranked_ones == of_all else " (others have people of one group only, or nobody selected)"
        text.append(
            f"Over {count_text(ranked_ones)} of {counted(of_all, 'position')}{others} the geometric mean of the ratio "
            f"is {impact_views.ratio_text(details.mean_ratio)}; its logarithm varies between positions with a standard "
            f"deviation of {details.spread or 0.0:.2f}."
            + (f" Numbers are divided by {effect:.2f}, the design effect of clusters." if effect > 1 else "")
        )
    return Part(heading=name, text=text, figures=[_figure(name, rows, details, audit)] if rows else [], folded=folded)


def _figure(name: str, rows: Sequence[PositionRank], details: PositionsRanked, audit: ImpactAudit) -> Figure:
    drawn = [
        IntervalRow(
            label=row.position,
            estimate=row.shrunken_ratio,
            low=row.low,
            high=row.high,
            text=f"{row.position}: {_shrunken(row)}, probability below four fifths "
            f"{simulated_share(row.probability_below)}; unshrunken {impact_views.ratio_text(row.impact_ratio)}",
        )
        for row in rows
    ]
    note = "Shrunken ratios with 95 % posterior intervals, the likeliest below four fifths first."
    if (details.ranked or 0) > len(rows):
        note += f" The first {len(rows)} of {count_text(details.ranked or 0)} positions are drawn."
    lines = impact_views.ratio_lines(audit)
    table = table_of(
        rows[:MOST_RANKED_LINES],
        {
            "Position": lambda row: row.position,
            "Selected": lambda row: (
                f"{count_text(row.selected_focal)} of {count_text(row.n_focal)}, "
                f"{count_text(row.selected_reference)} of {count_text(row.n_reference)}"
            ),
            "Ratio": lambda row: impact_views.ratio_text(row.impact_ratio),
            "Shrunken (95 %)": _shrunken,
            "Probability below 4/5": lambda row: simulated_share(row.probability_below),
            "p": lambda row: p_text(row.p),
            "p, false discovery rate": lambda row: p_text(row.p_fdr),
        },
        caption=f"{name}: the first {len(rows[:MOST_RANKED_LINES])} positions",
        folded=True,
    )
    return Figure(
        title=f"Shrunken impact ratio by position: {name}",
        note=note,
        chart=lambda width: ratio_chart(drawn, title="Shrunken impact ratio", width=width, lines=lines),
        tables=[table],
    )


def _shrunken(row: PositionRank) -> str:
    span = impact_views.RATIO.interval(row.low, row.high, apart=impact_views.APART)
    return f"{impact_views.ratio_text(row.shrunken_ratio)}" + (f" ({span})" if span != ABSENT else "")


#: Lines per attribute and definition of a selection; impact.csv has all.
MOST_POSITION_LINES = 10


#: Positions named after their number; groups named with the number of their positions.
MOST_POSITIONS, MOST_GROUPS = 3, 4


def position_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the positions with the largest shortfall; None where positions were not distinguished."""
    listed_attributes: set[str] = set()
    parts = []
    for positions in (positions for ranked in groups.positions.values() for positions in ranked):
        parts.append(
            _positions(
                positions,
                audit,
                folded=positions.attribute in listed_attributes or CROSSED in positions.attribute,
                later=bool(listed_attributes),
            )
        )
        listed_attributes.add(positions.attribute)
    if not parts:
        return None
    text = [
        "The shortfall is how many more people of a group would have been selected had all of the position been "
        "selected at one rate. It weighs the size of a position; the ratio does not. p is adjusted for the number of "
        "groups and positions, the interval is not, and the test may be stricter than it: an interval may leave out 1 "
        "where the adjusted p is above 0.05. The tables show the largest shortfalls; impact.csv has all comparisons.",
    ]
    return Section(name="positions", heading="Positions by shortfall", text=text, parts=parts)


def _positions(positions: Positions, audit: ImpactAudit, *, folded: bool, later: bool) -> Part:
    name = capital(impact_views.attribute_name(positions.attribute))
    heading = f"{name}: {impact_views.definition_at(definition_of(positions), audit)}"
    worst = positions.worst[:MOST_POSITION_LINES]
    text = [
        f"{capital(_flagged(positions))} Of {counted(positions.comparisons, 'comparison')}, "
        f"{count_text(positions.computed)} {'has' if positions.computed == 1 else 'have'} an impact ratio; "
        "statistically significant: "
        f"{count_text(positions.significant_adjusted)} after adjustment, {count_text(positions.significant)} before."
    ]
    if positions.suppressed:
        suppressed = counted(positions.suppressed, "comparison")
        text.append(
            f"Counts of {suppressed} are suppressed: of these, four-fifths is judged where every possible count "
            "gives the same answer; ratio, significance and shortfall are not given."
        )
    elif not worst:
        text.append("No group has a shortfall in any position.")
    tables = [_worst(worst, heading, folded=later and not folded)] if worst else []
    return Part(heading=heading, text=text, tables=tables, folded=folded)


def _flagged(positions: Positions) -> str:
    """Return in how many positions which groups are below four fifths, and how many to expect by chance."""
    people = positions.positions_computed
    share = f"{count_text(positions.positions_below)} of {counted(people, 'position')}"
    groups = {
        impact_views.group_label(label, positions.attribute): number
        for label, number in positions.below_groups.items()
        if number
    }
    if positions.undetermined and not people:
        return (
            f"whether a group is below four-fifths is not determined in {counted(positions.undetermined, 'position')}."
        )
    if not groups:
        sentence = f"in none of {counted(people, 'position')} is a group below four-fifths."
    elif len(groups) == 1:
        whose = impact_views.reference_name({positions.attribute: next(iter(groups))})
        sentence = f"in {share}{_position_names(positions)} the impact ratio of {whose} is below four-fifths."
    else:
        named = [f"{group} in {count_text(number)}" for group, number in list(groups.items())[:MOST_GROUPS]]
        left = len(groups) - len(named)
        named += [counted(left, "more group")] if left else []
        sentence = f"in {share}{_position_names(positions)} a group is below four-fifths: {listing(named)}."
    if positions.undetermined:
        sentence += f" For a group in {counted(positions.undetermined, 'position')} that is not determined."
    expected = positions.expected_by_chance
    if expected is not None:
        sentence += (
            f" False positives to expect of the four-fifths rule: {_about(expected * people)} of {count_text(people)}."
        )
    return sentence


def _position_names(positions: Positions) -> str:
    """Return the names of the positions in brackets, if they are few and all known."""
    below = [row for row in positions.worst if row["four_fifths"] == "below"]
    names = list(dict.fromkeys(row["position"] for row in below))
    return f" ({listing(names)})" if len(names) == positions.positions_below <= MOST_POSITIONS else ""


def _about(number: float) -> str:
    """Return an expected number of positions.

    >>> _about(0.03), _about(5.61), _about(6.0), _about(31.4)
    ('fewer than 0.1', 'about 5.6', 'about 6', 'about 31')
    """
    if number < 0.1:
        return "fewer than 0.1"
    return f"about {f'{number:.1f}'.removesuffix('.0') if number < 10 else count_text(round(number))}"


def _worst(rows: Sequence[Mapping[str, Any]], heading: str, *, folded: bool) -> Table:
    return impact_views.columns_table(
        {
            "Group, against": [
                f"{impact_views.group_label(row['focal'], row['attribute'])}, "
                f"{impact_views.group_label(row['reference'], row['attribute'])}"
                for row in rows
            ],
            "Rates": [
                f"{percent_text(row['rate_focal'])} of {count_text(row['n_focal'])}, "
                f"{percent_text(row['rate_reference'])} of {count_text(row['n_reference'])}"
                for row in rows
            ],
            "Ratio": [impact_views.ratio_text(row["impact_ratio"]) for row in rows],
            "95 % CI": [
                impact_views.RATIO.interval(row["ir_low"], row["ir_high"], apart=impact_views.APART) for row in rows
            ],
            "Four-fifths": [impact_views.four_fifths_cell(row["four_fifths"]) for row in rows],
            "p": [p_text(row.get("p_clustered", row["p_fisher"])) for row in rows],
            "p, adjusted": [p_text(row["p_adjusted"]) for row in rows],
            "Expected": [_tenths(row["expected"]) for row in rows],
            "Shortfall": [_tenths(row["shortfall"]) for row in rows],
        },
        caption=f"{heading}: the largest shortfalls",
        first="Position",
        labels=[row["position"] for row in rows],
        words=["Group, against", "Rates"],
        folded=folded,
    )


def _tenths(value: float | None) -> str:
    return ABSENT if value is None else f"{value:,.1f}"


def pooled_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the odds ratios over all positions; None where positions were not distinguished."""
    if not groups.pooled:
        return None
    text = [
        "The common odds ratio (Mantel-Haenszel) compares people within positions and then combines the positions. "
        "If one group applies where few are selected, that is not mistaken for a preference.",
        "The Breslow-Day test asks whether the odds ratio is the same in all positions. Its p is not corrected in "
        "the table; the note says where it is below 0.05 over all such tests of the run. One pooled number then "
        "hides that positions differ; read them one by one. The Gail-Simon test asks whether odds ratios lie on both "
        "sides of 1.",
        "As pools: in each position the expected number is that of one rate for both groups, and the shortfall is the "
        "expected number minus the observed one, in people and in standard deviations. The exact p is that of the sum "
        "over pools, "
        "two-sided by probability; it is not corrected, and the claim is that of the common odds ratio.",
    ]
    parts, listed_attributes = [], set()
    for view in groups.pooled:
        parts.append(
            Part(
                heading=(
                    f"{capital(impact_views.view_name(view))}: {impact_views.definition_at(view.definition, audit)}"
                ),
                text=_dependent(view),
                tables=[_pooled(view, audit), *_pools(view, audit)],
                folded=view.attributes in listed_attributes or view.crossed,
            )
        )
        listed_attributes.add(view.attributes)
    return Section(name="pooled", heading="All positions together", text=text, parts=parts)


def _pooled(view: View, audit: ImpactAudit) -> Table:
    rows = view.findings
    tests = [{test.name: test.p for test in finding.tests} for finding in rows]
    named = [in_words(name) for name in view.attributes]
    return impact_views.columns_table(
        {
            "Odds ratio": [impact_views.odds_text(finding.estimate) for finding in rows],
            interval_heading(rows): [
                impact_views.RATIO.interval(row.low, row.high, apart=impact_views.ODDS_APART) for row in rows
            ],
            "p": [p_text(finding.p) for finding in rows],
            "p, adjusted": [p_text(finding.p_adjusted) for finding in rows],
            "p, Breslow-Day": [p_text(p_values.get("Breslow-Day with Tarone")) for p_values in tests],
            "Positions": [count_text(PooledOdds.of(finding).strata) for finding in rows],
            "Note": [_note(finding) for finding in rows],
        },
        caption=f"Odds ratios over all positions: {impact_views.definition_at(view.definition, audit)}"
        + (f", {listing(named)}" if len(named) > 1 else ""),
        first="Group against reference",
        labels=[capital(impact_views.pair_name(finding)) for finding in rows],
    )


def _dependent(view: View) -> list[str]:
    """Return why there are no standard deviations over the pools."""
    reasons = [PooledOdds.of(finding).pools_reason for finding in view.findings]
    return [reason for reason in dict.fromkeys(reasons) if reason and "clusters" in reason]


def _pools(view: View, audit: ImpactAudit) -> list[Table]:
    """Return the selections over all positions against those expected; none where people are not independent."""
    rows = [finding for finding in view.findings if PooledOdds.of(finding).observed is not None]
    if not rows:
        return []
    details = [PooledOdds.of(finding) for finding in rows]
    tests = [{test.name: test.p for test in finding.tests} for finding in rows]
    return [
        impact_views.columns_table(
            {
                "Selected": [count_text(detail.observed) for detail in details],
                "Expected": [_tenths(detail.expected) for detail in details],
                "Shortfall": [impact_views.signed(detail.shortfall, 1) for detail in details],
                "Standard deviations": [impact_views.signed(detail.z) for detail in details],
                "p, exact": [p_text(detail.p_exact) for detail in details],
                "p, so few or fewer": [p_text(detail.p_exact_lower) for detail in details],
                "p, Gail-Simon": [p_text(p_values.get("Gail-Simon, one direction")) for p_values in tests],
                "Note": [detail.pools_reason or "" for detail in details],
            },
            caption=f"Selections over all positions as pools: {impact_views.definition_at(view.definition, audit)}",
            first="Group against reference",
            labels=[capital(impact_views.pair_name(finding)) for finding in rows],
        )
    ]


def _note(finding: Finding) -> str:
    notes, details = [], PooledOdds.of(finding)
    if details.simpson:
        notes.append("opposite to all applicants together")
    if (details.p_breslow_day_adjusted or 1.0) < SIGNIFICANCE:
        notes.append("differs between positions")
    if disagreement := why_not(finding):
        notes.append(disagreement)
    if finding.estimate is None and finding.reason:
        notes.append(finding.reason)
    return "; ".join(notes)
