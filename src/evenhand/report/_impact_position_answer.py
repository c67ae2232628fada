"""What an analysis of applicants says about positions: which groups are behind where, and all positions together."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.report._document import Row
from evenhand.report._impact_views import (
    MEANS,
    ODDS_APART,
    RATIO,
    attribute_name,
    by_definition,
    definition_of,
    group_label,
    group_name,
    shown_key,
)
from evenhand.report._numbers import SIGNIFICANCE, count_text, counted, is_number, p_equals
from evenhand.report._wording import capital, listing, plain
from evenhand.tables.impact_files import BOTTOM_LINE

__all__ = ["flagged_positions", "pooled_answers", "position_answers"]

#: Positions named after their number; groups named with the number of their positions.
MOST_POSITIONS, MOST_GROUPS = 3, 4


def position_answers(audit: Mapping[str, Any]) -> list[str]:
    """Return in how many positions which groups are below four fifths, for the first definition of each attribute."""
    found = [each for each in (audit.get("shown") or {}).get("positions") or () if each["approach"] != MEANS]
    ordered = [each for own in by_definition(found, shown_key).values() for each in own]
    # The way through all steps is what counts as the selection; single steps have their chapter.
    ordered.sort(key=lambda each: each["stage"] not in {"", BOTTOM_LINE})
    several = len({shown_key(each) for each in ordered}) > 1
    first: dict[str, str] = {}
    for attribute in dict.fromkeys(each["attribute"] for each in found):
        each = next(row for row in ordered if row["attribute"] == attribute)
        if not each["computed"]:
            continue
        stage = f", {each['stage']}" if each["stage"] else ""
        what = f" ({definition_of(each['approach'], each['cutoff'], audit)}{stage})" if several else ""
        many = each["significant_adjusted"]
        verb = "shows" if many == 1 else "show"
        first[attribute] = (
            f"{capital(attribute_name(attribute))}, position by position{what}: {flagged_positions(each)} "
            f"Of {counted(each['comparisons'], 'comparison')}, {count_text(many) if many else 'none'} "
            f"{verb if many else 'shows'} a difference that chance alone does not explain (adjusted p < .05)."
        )
    return list(first.values())


def flagged_positions(each: Mapping[str, Any]) -> str:
    """Return in how many positions which groups are below four fifths, and how many chance would put there."""
    people = int(each["positions_computed"])
    of = f"{count_text(int(each['positions_below']))} of {counted(people, 'position')}"
    groups = {
        group_label(label, each["attribute"]): int(number) for label, number in each["below_groups"].items() if number
    }
    if not groups:
        said = f"in none of {counted(people, 'position')} is a group below four-fifths."
    elif len(groups) == 1:
        said = f"in {of}{_where(each)} {next(iter(groups))} applicants are below four-fifths."
    else:
        named = [f"{group} in {count_text(number)}" for group, number in list(groups.items())[:MOST_GROUPS]]
        left = len(groups) - len(named)
        named += [counted(left, "more group")] if left else []
        said = f"in {of}{_where(each)} a group is below four-fifths: {listing(named)}."
    expected = each.get("expected_by_chance")
    if is_number(expected):
        said += (
            f" Even-handed selection would put {_about(float(expected or 0) * people)} of {count_text(people)} there."
        )
    return said


def _where(each: Mapping[str, Any]) -> str:
    """Return the names of the positions in brackets, if they are few and all known."""
    below = [row for row in each["worst"] if row["four_fifths"] == "below"]
    names = list(dict.fromkeys(str(row["position"]) for row in below))
    return f" ({listing(names)})" if len(names) == each["positions_below"] <= MOST_POSITIONS else ""


def _about(number: float) -> str:
    """Return an expected number of positions.

    >>> _about(0.03), _about(5.61), _about(6.0), _about(31.4)
    ('fewer than 0.1', 'about 5.6', 'about 6', 'about 31')
    """
    if number < 0.1:
        return "fewer than 0.1"
    return f"about {f'{number:.1f}'.removesuffix('.0') if number < 10 else count_text(round(number))}"


def pooled_answers(rows: Sequence[Row]) -> list[str]:
    """Return what all positions together show, for the first definition of each attribute."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if row.measure == "common_odds_ratio" and len(row.focal) == 1 and row.estimate is not None:
            found.setdefault((*row.focal, row.slice.get("stage", "")), []).append(row)
    sentences = []
    for own in found.values():
        first = [row for row in own if row.slice == own[0].slice]
        row = min(first, key=lambda each: each.estimate or 0.0)
        turned = [group_name(each.focal) for each in first if each.details.get("simpson") is True]
        span = RATIO.interval(row.low, row.high, apart=ODDS_APART)
        p = next((test.p for test in row.tests if test.name == "Mantel-Haenszel"), None)
        text = (
            f"{capital(plain(next(iter(row.focal))))}, within positions: the odds of {group_name(row.focal)} "
            "applicants "
            f"are {RATIO.text(row.estimate, apart=ODDS_APART)} times those of {group_name(row.reference)} applicants "
            f"(pooled over {count_text(row.details.get('strata'))} positions, {span}); "
            f"{'not explained by chance alone' if p is not None and p < SIGNIFICANCE else 'no difference detected'} "
            f"(p {p_equals(p)})."
        )
        if turned:
            text += (
                f" For {listing(turned)} the positions point in another direction than the whole sample (Simpson's "
                "paradox): read the pooled odds ratio."
            )
        sentences.append(text)
    return sentences
