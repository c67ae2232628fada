"""Many positions on the page: ranked by the probability of a ratio below four fifths, and how many of them differ."""

from collections.abc import Sequence

from evenhand.report.charts.intervals import IntervalRow, ratio_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import Figure, Part, Section, table_of
from evenhand.report.words.numbers import ABSENT, count_text, counted, p_text, simulated_share
from evenhand.report.words.results import capital, in_words
from evenhand.results.applicant_audit import ImpactAudit, PositionRank
from evenhand.results.finding import Finding, PositionsRanked
from evenhand.results.impact_groups import ImpactGroups, Ranked, definition_of_finding

TEXT = (
    "With few people in a position its own ratio is mostly chance. Here each ratio is shrunk towards those of all "
    "positions, the more so the fewer people it is from (empirical Bayes: log ratios are normal between positions, "
    "rates of the reference are beta-binomial; the variance between positions is estimated, with its uncertainty). "
    "Positions are ranked by the probability that their ratio is below four fifths. The reference is that of all "
    "applicants, in every position the same. positions.csv has all positions."
)
#: Groups whose chart is open; positions from which the first screen says how many differ.
MOST_OPEN, MANY = 2, 20
#: Lines of a table; positions.csv has all.
MOST_LINES = 20


def ranks_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return a caterpillar plot for each group; None without ranked positions."""
    parts = [
        _part(each, audit, folded=place >= MOST_OPEN)
        for place, each in enumerate(sorted(groups.ranked, key=lambda each: -each.finding.n))
    ]
    if not parts:
        return None
    return Section(name="ranks", heading="Positions ranked", text=[TEXT], parts=parts)


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
        rows[:MOST_LINES],
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
        caption=f"{name}: the first {len(rows[:MOST_LINES])} positions",
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
