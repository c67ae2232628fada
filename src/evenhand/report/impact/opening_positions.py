"""What an analysis of applicants says about positions: which groups are behind where, and all positions together."""

from collections.abc import Mapping, Sequence

from evenhand.report.impact.views import (
    ODDS_APART,
    RATIO,
    attribute_name,
    definition_at,
    group_label,
    group_name,
)
from evenhand.report.words.numbers import SIGNIFICANCE, count_text, counted, p_equals
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.audit.small_tables import Positions
from evenhand.tables.details import PooledOdds
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, View, definition_of

__all__ = [
    "detected_within",
    "flagged_positions",
    "pooled_sentences",
    "position_sentences",
    "turned_sentences",
]

#: Positions named after their number; groups named with the number of their positions.
MOST_POSITIONS, MOST_GROUPS = 3, 4


def position_sentences(groups: ImpactGroups, audit: ImpactAudit) -> list[str]:
    """Return in how many positions which groups are below four fifths, for the first definition of each attribute.

    Intersections are left to their chapter: they have few people in each position.
    """
    several = len(groups.positions) > 1
    sentences = []
    for each in groups.first_positions:
        if not each.computed:
            continue
        what = f" ({definition_at(definition_of(each), audit)})" if several else ""
        many = each.significant_adjusted
        verb = "shows" if many == 1 else "show"
        sentences.append(
            f"{capital(attribute_name(each.attribute))}, position by position{what}: {flagged_positions(each)} "
            f"Of {counted(each.comparisons, 'comparison')}, {count_text(many) if many else 'none'} "
            f"{verb if many else 'shows'} a difference that chance alone does not explain (adjusted p < .05)."
        )
    return sentences


def flagged_positions(each: Positions) -> str:
    """Return in how many positions which groups are below four fifths, and how many chance would put there."""
    people = each.positions_computed
    of = f"{count_text(each.positions_below)} of {counted(people, 'position')}"
    groups = {group_label(label, each.attribute): number for label, number in each.below_groups.items() if number}
    if not groups:
        said = f"in none of {counted(people, 'position')} is a group below four-fifths."
    elif len(groups) == 1:
        said = f"in {of}{_where(each)} {next(iter(groups))} applicants are below four-fifths."
    else:
        named = [f"{group} in {count_text(number)}" for group, number in list(groups.items())[:MOST_GROUPS]]
        left = len(groups) - len(named)
        named += [counted(left, "more group")] if left else []
        said = f"in {of}{_where(each)} a group is below four-fifths: {listing(named)}."
    expected = each.expected_by_chance
    if expected is not None:
        said += f" Even-handed selection would put {_about(expected * people)} of {count_text(people)} there."
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


def pooled_sentences(groups: ImpactGroups, audit: ImpactAudit) -> list[str]:
    """Return what all positions together show, for the first definition of each attribute."""
    several = len({view.definition for view in groups.pooled if view.known and not view.crossed}) > 1
    sentences = []
    for view in groups.first_pooled:
        what = f" ({definition_at(view.definition, audit)})" if several else ""
        finding = view.known[0]
        span = RATIO.interval(finding.low, finding.high, apart=ODDS_APART)
        text = (
            f"{capital(in_words(view.attributes[0]))}, within positions{what}: the odds of {group_name(finding.focal)} "
            f"applicants are {RATIO.text(finding.estimate, apart=ODDS_APART)} times those of "
            f"{group_name(finding.reference)} applicants (pooled over "
            f"{counted(PooledOdds.of(finding).strata or 0, 'position')}, {span}); "
            f"{'not explained by chance alone' if _within(finding) else 'no difference detected'} "
            f"(p {p_equals(_pooled_p(finding))})."
        )
        sentences.append(" ".join([text, *turned_sentences(view, groups.overall)]))
    return sentences


def turned_sentences(view: View, overall: Mapping[str, Sequence[Finding]]) -> list[str]:
    """Return, for each odds ratio that points away from all applicants, in which of both a difference was detected.

    Those where none was detected in either are left out; `overall` has the ratios among all applicants.
    """
    turned = [
        (finding, _detected(overall[finding.name])) for finding in view.findings if PooledOdds.of(finding).simpson
    ]
    return [_turned(finding, whole=whole) for finding, whole in turned if whole or _within(finding)]


def _turned(finding: Finding, *, whole: bool) -> str:
    behind = (PooledOdds.of(finding).rate_focal or 0.0) < (PooledOdds.of(finding).rate_reference or 0.0)
    seen, within = (f"({'a' if detected else 'no'} difference was detected)" for detected in (whole, _within(finding)))
    first, second = ("behind", "ahead") if behind else ("ahead of", "behind")
    return (
        f"Simpson's paradox: in the whole sample {group_name(finding.focal)} applicants are {first} "
        f"{group_name(finding.reference)} applicants {seen}, within positions {second} {within}; read the pooled "
        "odds ratio."
    )


def detected_within(pooled: Sequence[Finding]) -> str:
    """Return for which groups a difference was detected within positions, and for which none was."""
    known = [finding for finding in pooled if finding.estimate is not None and _pooled_p(finding) is not None]
    parts = []
    for found, words in ((True, "a difference was detected for"), (False, "no difference was detected for")):
        own = [finding for finding in known if _within(finding) is found]
        named = [
            f"{group_name(finding.focal)} against {group_name(finding.reference)}" for finding in own[:MOST_GROUPS]
        ]
        left = len(own) - len(named)
        if own:
            parts.append(f"{words} {listing([*named, counted(left, 'more group')] if left else named)}")
    return f"Within positions {'; '.join(parts)} (p of Mantel-Haenszel's test below .05)." if parts else ""


def _within(finding: Finding) -> bool:
    p = _pooled_p(finding)
    return p is not None and p < SIGNIFICANCE


def _pooled_p(finding: Finding) -> float | None:
    return next((test.p for test in finding.tests if test.name == "Mantel-Haenszel"), None)


def _detected(ratios: Sequence[Finding]) -> bool:
    """Return whether Fisher's test finds a difference between the groups."""
    p = [test.p for each in ratios for test in each.tests if test.name == "Fisher exact"]
    return any(value is not None and value < SIGNIFICANCE for value in p)
