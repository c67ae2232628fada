"""Position by position: those with the largest shortfall, and what all positions together show."""

from collections.abc import Sequence

from evenhand.report.impact.opening_positions import (
    detected_within,
    flagged_positions,
    turned_sentences,
)
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
    share_text,
    view_name,
)
from evenhand.report.page.parts import Part, Section, Table, interval_heading
from evenhand.report.words.numbers import ABSENT, SIGNIFICANCE, count_text, counted, p_text
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.audit.small_tables import ImpactRow, Positions
from evenhand.tables.details import PooledOdds
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, View, definition_of
from evenhand.tables.impact_files import CROSSED

__all__ = ["pooled_section", "position_section"]

#: Lines per attribute and definition of a selection; impact.csv has all.
MOST_LINES = 10
#: Sentences on opposite directions per table; its notes have all.
MOST_TURNED = 4


def position_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return the positions with the largest shortfall; None where positions were not told apart."""
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
        f"{counted(each.positions, 'position')}, {counted(each.comparisons, 'comparison')}; "
        f"{count_text(each.computed)} {'has' if each.computed == 1 else 'have'} a ratio. "
        f"{capital(flagged_positions(each))} p is below .05 in {counted(each.significant, 'comparison')}, adjusted "
        f"in {count_text(each.significant_adjusted)}."
    ]
    if not worst:
        return Part(heading=heading, text=[*text, "No group has a shortfall in any position."], folded=folded)
    return Part(heading=heading, text=text, tables=[_worst(worst, heading, folded=later and not folded)], folded=folded)


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
            "95 % interval": [RATIO.interval(row.ir_low, row.ir_high, apart=APART) for row in rows],
            "Four-fifths": [four_fifths_text(row.four_fifths).removesuffix(" four-fifths") for row in rows],
            "p, adjusted": [p_text(row.p_adjusted) for row in rows],
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
    """Return the odds ratios over all positions; None where positions were not told apart."""
    if not groups.pooled:
        return None
    text = [
        "The pooled odds ratio (Mantel-Haenszel) compares people within positions and then puts the positions "
        "together: it does not mistake for a preference that one group applies where few are selected.",
        "Breslow-Day asks whether the odds ratio is the same in all positions. Where its p is small, positions differ "
        "and one pooled number hides that; look at them one by one.",
    ]
    parts, seen = [], set()
    for view in groups.pooled:
        said = [detected_within(view.findings), *turned_sentences(view, groups.overall)[:MOST_TURNED]]
        parts.append(
            Part(
                heading=f"{capital(view_name(view))}: {definition_at(view.definition, audit)}",
                text=[text for text in said if text],
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
            "p": [p_text(found.get("Mantel-Haenszel")) for found in tests],
            "p, Breslow-Day": [p_text(found.get("Breslow-Day with Tarone")) for found in tests],
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
        found.append("opposite to the whole sample")
    if p is not None and p < SIGNIFICANCE:
        found.append("differs between positions")
    if finding.estimate is None and finding.reason:
        found.append(finding.reason)
    return "; ".join(found)
