"""What else could be behind a ratio: qualifications that differ, and people whose group is not known."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.report._document import Row
from evenhand.report._impact_views import (
    APART,
    ODDS_APART,
    RATIO,
    by_definition,
    columns_table,
    definition_of,
    group_name,
    interval_row,
    ratio_lines,
    slice_key,
)
from evenhand.report._numbers import count_text, p_text
from evenhand.report._parts import Figure, Part, Section, Table, interval_heading
from evenhand.report._wording import capital, listing, plain
from evenhand.report.charts import ratio_chart

__all__ = ["bound_section", "given_section"]

BOUNDS, GIVEN = "impact_ratio_missing_bounds", "adjusted_odds_ratio"


def given_section(rows: Sequence[Row]) -> Section | None:
    """Return crude and adjusted odds ratios side by side; None where no qualifications were named."""
    found = [row for row in rows if row.measure == GIVEN]
    if not found:
        return None
    given = listing(list(dict.fromkeys(str(name) for row in found for name in row.details.get("given") or ())))
    left_out = {plain(next(iter(row.focal))): int(row.details.get("n_left_out") or 0) for row in found}
    drawn = [interval_row(row, capital(group_name(row.focal))) for row in found]
    joint = [next((test.p for test in row.tests if test.name.startswith("likelihood ratio")), None) for row in found]
    wald = [next((test.p for test in row.tests if test.name == "Wald"), None) for row in found]
    table = columns_table(
        {
            "Crude": [RATIO.text(row.details.get("odds_ratio_crude"), apart=ODDS_APART) for row in found],
            "Adjusted": [RATIO.text(row.estimate, apart=ODDS_APART) for row in found],
            interval_heading(found): [RATIO.interval(row.low, row.high, apart=ODDS_APART) for row in found],
            "p": [p_text(p) for p in wald],
            "p, all groups": [p_text(p) for p in joint],
            "People": [count_text(row.n) for row in found],
            "Note": [row.reason or "" for row in found],
        },
        caption=f"Odds ratios before and after holding {given} fixed; p is not adjusted for the number of groups",
        first="Group against reference",
        labels=[f"{capital(group_name(row.focal))} against {group_name(row.reference)}" for row in found],
    )
    text = [
        f"The adjusted odds ratio compares people who are alike in {given} (logistic regression). Where it is "
        "nearer to "
        "1 than the crude one, part of the difference goes along with these qualifications; where it is farther, they "
        "hid a part of it.",
        "That a qualification explains a difference does not show that asking for it is justified: it may itself stand "
        "for the group, and what was not named here is not held fixed.",
    ]
    if any(left_out.values()):
        told = listing([f"{count_text(n)} for {attribute}" for attribute, n in left_out.items()])
        text.append(f"People left out, because their group or a qualification is not known: {told}.")
    figure = Figure(
        title=f"Odds ratios among people alike in {given}",
        note="An odds ratio is farther from 1 than a ratio of rates, and is not judged by four fifths.",
        chart=lambda width: ratio_chart(drawn, title="Adjusted odds ratio", width=width, lines=ratio_lines({})[1:]),
        tables=[table],
    )
    return Section(
        name="given", heading="Among people with the same qualifications", text=text, parts=[Part(figures=[figure])]
    )


def bound_section(rows: Sequence[Row], audit: Mapping[str, Any]) -> Section | None:
    """Return what ratios could be if all unknown groups were known; None where that was not asked."""
    found = [row for row in rows if row.measure == BOUNDS and row.details.get("n_unknown")]
    if not found:
        return None
    tables: list[Table] = []
    for (approach, cutoff, stage), together in by_definition(found, slice_key).items():
        what = definition_of(approach, cutoff, audit) + (f", {stage}" if stage else "")
        for crossed in (False, True):
            own = [row for row in together if (len(row.focal) > 1) is crossed]
            if own:
                caption = f"Impact ratios under every assignment of the unknown: {what}"
                caption += ", several attributes at once" if crossed else ""
                tables.append(_bounds(own, caption, folded=crossed or bool(tables)))
    text = [
        "People whose group is not known are in no rate. If all of them belonged to these two groups, in the way most "
        "or least favourable to the first, the ratio would lie at these ends. This is what the data leave open, "
        "without any sampling error; where the ends are on both sides of 0.8, who did not answer decides.",
    ]
    return Section(name="unknown", heading="If the unknown groups were known", text=text, parts=[Part(tables=tables)])


def _bounds(rows: Sequence[Row], caption: str, *, folded: bool) -> Table:
    return columns_table(
        {
            "Ratio of those known": [RATIO.text(row.estimate, apart=APART) for row in rows],
            "Lowest possible": [RATIO.text(row.low, apart=APART) for row in rows],
            "Highest possible": [RATIO.text(row.high, apart=APART) for row in rows],
            "Unknown": [count_text(row.details.get("n_unknown")) for row in rows],
            "Of them selected": [count_text(row.details.get("selected_unknown")) for row in rows],
            "Note": [row.reason or "" for row in rows],
        },
        caption=caption,
        first="Group against reference",
        labels=[f"{capital(group_name(row.focal))} against {group_name(row.reference)}" for row in rows],
        folded=folded,
    )
