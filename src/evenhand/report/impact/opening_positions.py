"""What an analysis of applicants says about positions: which groups are behind where, and all positions together."""

from collections.abc import Sequence

from evenhand.report.impact.views import (
    CROSSED,
    ODDS_APART,
    RATIO,
    attribute_name,
    definition_at,
    group_label,
    group_name,
)
from evenhand.report.words.numbers import SIGNIFICANCE, count_text, counted, p_equals
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.definitions import Grouped, of_shown
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.audit.shown import Positions
from evenhand.tables.details import PooledOdds
from evenhand.tables.finding import Finding

__all__ = [
    "detected_within",
    "flagged_positions",
    "paradoxes",
    "pooled_sentences",
    "position_sentences",
    "turned_sentence",
]

#: Positions named after their number; groups named with the number of their positions.
MOST_POSITIONS, MOST_GROUPS = 3, 4


def position_sentences(groups: Grouped, audit: ImpactAudit) -> list[str]:
    """Return in how many positions which groups are below four fifths, for the first definition of each attribute.

    Intersections are left to their chapter: they have few people in each position.
    """
    ordered = [each for own in groups.positions.values() for each in own if CROSSED not in each.attribute]
    attributes = list(dict.fromkeys(each.attribute for each in ordered))
    # The way through all steps is what counts as the selection; single steps have their chapter.
    ordered.sort(key=lambda each: not of_shown(each).whole_way)
    several = len({of_shown(each) for each in ordered}) > 1
    first: dict[str, str] = {}
    for attribute in attributes:
        each = next(row for row in ordered if row.attribute == attribute)
        if not each.computed:
            continue
        what = f" ({definition_at(of_shown(each), audit)})" if several else ""
        many = each.significant_adjusted
        verb = "shows" if many == 1 else "show"
        first[attribute] = (
            f"{capital(attribute_name(attribute))}, position by position{what}: {flagged_positions(each)} "
            f"Of {counted(each.comparisons, 'comparison')}, {count_text(many) if many else 'none'} "
            f"{verb if many else 'shows'} a difference that chance alone does not explain (adjusted p < .05)."
        )
    return list(first.values())


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


def pooled_sentences(groups: Grouped, rows: Sequence[Finding], audit: ImpactAudit) -> list[str]:
    """Return what all positions together show, for the first definition of each attribute."""
    told = {
        key: [row for row in own if len(row.focal) == 1 and row.estimate is not None]
        for key, own in groups.pooled.items()
    }
    together = {key: own for key, own in told.items() if own}
    keys = sorted(together, key=lambda key: not key.whole_way)
    sentences = []
    for attribute in dict.fromkeys(next(iter(row.focal)) for own in together.values() for row in own):
        key = next(key for key in keys if any(attribute in row.focal for row in together[key]))
        first = [row for row in together[key] if attribute in row.focal]
        what = f" ({definition_at(key, audit)})" if len(keys) > 1 else ""
        row = min(first, key=lambda each: each.estimate or 0.0)
        span = RATIO.interval(row.low, row.high, apart=ODDS_APART)
        text = (
            f"{capital(in_words(attribute))}, within positions{what}: the odds of {group_name(row.focal)} "
            f"applicants are {RATIO.text(row.estimate, apart=ODDS_APART)} times those of {group_name(row.reference)} "
            f"applicants (pooled over {counted(PooledOdds.of(row).strata or 0, 'position')}, {span}); "
            f"{'not explained by chance alone' if _within(row) else 'no difference detected'} "
            f"(p {p_equals(_pooled_p(row))})."
        )
        sentences.append(" ".join([text, *(turned_sentence(each, rows) for each in paradoxes(first, rows))]))
    return sentences


def paradoxes(pooled: Sequence[Finding], rows: Sequence[Finding]) -> list[Finding]:
    """Return the pooled rows that point away from the whole sample, where a difference was detected in one of both."""
    return [row for row in pooled if PooledOdds.of(row).simpson and (_within(row) or _overall(row, rows))]


def turned_sentence(row: Finding, rows: Sequence[Finding]) -> str:
    """Return where the whole sample and the positions point, and in which of both a difference was detected."""
    behind = (PooledOdds.of(row).rate_focal or 0.0) < (PooledOdds.of(row).rate_reference or 0.0)
    whole, within = (
        f"({'a' if detected else 'no'} difference was detected)" for detected in (_overall(row, rows), _within(row))
    )
    first, second = ("behind", "ahead") if behind else ("ahead of", "behind")
    return (
        f"Simpson's paradox: in the whole sample {group_name(row.focal)} applicants are {first} "
        f"{group_name(row.reference)} applicants {whole}, within positions {second} {within}; read the pooled "
        "odds ratio."
    )


def detected_within(pooled: Sequence[Finding]) -> str:
    """Return for which groups a difference was detected within positions, and for which none was."""
    known = [row for row in pooled if row.estimate is not None and _pooled_p(row) is not None]
    parts = []
    for found, words in ((True, "a difference was detected for"), (False, "no difference was detected for")):
        own = [row for row in known if _within(row) is found]
        named = [f"{group_name(row.focal)} against {group_name(row.reference)}" for row in own[:MOST_GROUPS]]
        left = len(own) - len(named)
        if own:
            parts.append(f"{words} {listing([*named, counted(left, 'more group')] if left else named)}")
    return f"Within positions {'; '.join(parts)} (p of Mantel-Haenszel's test below .05)." if parts else ""


def _within(row: Finding) -> bool:
    p = _pooled_p(row)
    return p is not None and p < SIGNIFICANCE


def _pooled_p(row: Finding) -> float | None:
    return next((test.p for test in row.tests if test.name == "Mantel-Haenszel"), None)


def _overall(row: Finding, rows: Sequence[Finding]) -> bool:
    """Return whether Fisher's test finds a difference between the same groups in the whole sample."""
    same = [
        each for each in rows if each.measure == "impact_ratio" and each.slice == row.slice and each.focal == row.focal
    ]
    p = [test.p for each in same for test in each.tests if test.name == "Fisher exact"]
    return any(value is not None and value < SIGNIFICANCE for value in p)
