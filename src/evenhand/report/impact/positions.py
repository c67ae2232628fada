"""Position by position: those with the largest shortfall, and what all positions together show."""

from collections.abc import Sequence

from evenhand.report.impact.views import (
    APART,
    ODDS_APART,
    RATIO,
    attribute_name,
    columns_table,
    definition_at,
    four_fifths_text,
    group_label,
    group_name,
    p_cell,
    share_text,
    view_name,
)
from evenhand.report.page.parts import Part, Section, Table, interval_heading
from evenhand.report.words.numbers import ABSENT, SIGNIFICANCE, count_text, counted
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.applicants.small_tables import ImpactRow, Positions
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import PooledOdds
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, View, definition_of
from evenhand.tables.impact_files import CROSSED

__all__ = ["pooled_section", "position_section"]

#: Lines per attribute and definition of a selection; impact.csv has all.
MOST_LINES = 10
#: Positions named after their number; groups named with the number of their positions.
MOST_POSITIONS, MOST_GROUPS = 3, 4


def position_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the positions with the largest shortfall; None where positions were not distinguished."""
    seen: set[str] = set()
    parts = []
    for each in (each for own in groups.positions.values() for each in own):
        parts.append(
            _positions(each, audit, folded=each.attribute in seen or CROSSED in each.attribute, later=bool(seen))
        )
        seen.add(each.attribute)
    if not parts:
        return None
    text = [
        "The shortfall is how many more people of a group would have been selected had all of the position been "
        "selected at one rate. It weighs the size of a position; the ratio does not. p is adjusted for the number of "
        "groups and positions. The tables show the largest shortfalls; impact.csv has all comparisons.",
    ]
    return Section(name="positions", heading="Positions by shortfall", text=text, parts=parts)


def _positions(each: Positions, audit: ImpactAudit, *, folded: bool, later: bool) -> Part:
    name = capital(attribute_name(each.attribute))
    heading = f"{name}: {definition_at(definition_of(each), audit)}"
    worst = each.worst[:MOST_LINES]
    text = [
        f"{capital(_flagged(each))} Of {counted(each.comparisons, 'comparison')}, {count_text(each.computed)} "
        f"{'has' if each.computed == 1 else 'have'} an impact ratio; statistically significant: "
        f"{count_text(each.significant_adjusted)} after adjustment, {count_text(each.significant)} before."
    ]
    if not worst:
        return Part(heading=heading, text=[*text, "No group has a shortfall in any position."], folded=folded)
    return Part(heading=heading, text=text, tables=[_worst(worst, heading, folded=later and not folded)], folded=folded)


def _flagged(each: Positions) -> str:
    """Return in how many positions which groups are below four fifths, and how many chance would put there."""
    people = each.positions_computed
    of = f"{count_text(each.positions_below)} of {counted(people, 'position')}"
    groups = {group_label(label, each.attribute): number for label, number in each.below_groups.items() if number}
    if not groups:
        said = f"in none of {counted(people, 'position')} is a group below four-fifths."
    elif len(groups) == 1:
        said = f"in {of}{_where(each)} {next(iter(groups))} is below four-fifths."
    else:
        named = [f"{group} in {count_text(number)}" for group, number in list(groups.items())[:MOST_GROUPS]]
        left = len(groups) - len(named)
        named += [counted(left, "more group")] if left else []
        said = f"in {of}{_where(each)} a group is below four-fifths: {listing(named)}."
    expected = each.expected_by_chance
    if expected is not None:
        said += (
            f" False positives to expect of the four-fifths rule: {_about(expected * people)} of {count_text(people)}."
        )
    return said


def _where(each: Positions) -> str:
    """Return the names of the positions in brackets, if they are few and all known."""
    below = [row for row in each.worst if row.four_fifths == "below"]
    names = list(dict.fromkeys(row.position for row in below))
    return f" ({listing(names)})" if len(names) == each.positions_below <= MOST_POSITIONS else ""


def _about(number: float) -> str:
    """Return an expected number of positions.

    >>> _about(0.03), _about(5.61), _about(6.0), _about(31.4)
    ('fewer than 0.1', 'about 5.6', 'about 6', 'about 31')
    """
    if number < 0.1:
        return "fewer than 0.1"
    return f"about {f'{number:.1f}'.removesuffix('.0') if number < 10 else count_text(round(number))}"


def _worst(rows: Sequence[ImpactRow], heading: str, *, folded: bool) -> Table:
    return columns_table(
        {
            "Group, against": [
                f"{group_label(row.focal, row.attribute)}, {group_label(row.reference, row.attribute)}" for row in rows
            ],
            "Rates": [
                f"{share_text(row.rate_focal)} of {count_text(row.n_focal)}, "
                f"{share_text(row.rate_reference)} of {count_text(row.n_reference)}"
                for row in rows
            ],
            "Ratio": [RATIO.text(row.impact_ratio, apart=APART) for row in rows],
            "95 % CI": [RATIO.interval(row.ir_low, row.ir_high, apart=APART) for row in rows],
            "Four-fifths": [four_fifths_text(row.four_fifths).removesuffix(" four-fifths") for row in rows],
            "p, adjusted": [p_cell(row.p_adjusted) for row in rows],
            "Shortfall": [_tenths(row.shortfall) for row in rows],
        },
        caption=f"{heading}: the largest shortfalls",
        first="Position",
        labels=[row.position for row in rows],
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
        "The common odds ratio (Mantel-Haenszel) compares people within positions and then puts the positions "
        "together: it does not mistake for a preference that one group applies where few are selected.",
        "Breslow-Day asks whether the odds ratio is the same in all positions. Where its p is small, positions differ "
        "and one pooled number hides that; look at them one by one.",
    ]
    parts, seen = [], set()
    for view in groups.pooled:
        parts.append(
            Part(
                heading=f"{capital(view_name(view))}: {definition_at(view.definition, audit)}",
                tables=[_pooled(view, audit)],
                folded=view.attributes in seen or view.crossed,
            )
        )
        seen.add(view.attributes)
    return Section(name="pooled", heading="All positions together", text=text, parts=parts)


def _pooled(view: View, audit: ImpactAudit) -> Table:
    rows = view.findings
    tests = [{test.name: test.p for test in finding.tests} for finding in rows]
    named = [in_words(name) for name in view.attributes]
    return columns_table(
        {
            "Odds ratio": [RATIO.text(finding.estimate, apart=ODDS_APART) for finding in rows],
            interval_heading(rows): [RATIO.interval(finding.low, finding.high, apart=ODDS_APART) for finding in rows],
            "p": [p_cell(found.get("Mantel-Haenszel")) for found in tests],
            "p, Breslow-Day": [p_cell(found.get("Breslow-Day with Tarone")) for found in tests],
            "Positions": [count_text(PooledOdds.of(finding).strata) for finding in rows],
            "Note": [
                _note(finding, found.get("Breslow-Day with Tarone")) for finding, found in zip(rows, tests, strict=True)
            ],
        },
        caption=f"Odds ratios over all positions: {definition_at(view.definition, audit)}"
        + (f", {listing(named)}" if len(named) > 1 else ""),
        first="Group against reference",
        labels=[f"{capital(group_name(finding.focal))} against {group_name(finding.reference)}" for finding in rows],
    )


def _note(finding: Finding, p: float | None) -> str:
    found = []
    if PooledOdds.of(finding).simpson:
        found.append("opposite to all applicants together")
    if p is not None and p < SIGNIFICANCE:
        found.append("differs between positions")
    if finding.estimate is None and finding.reason:
        found.append(finding.reason)
    return "; ".join(found)
