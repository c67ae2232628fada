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
from evenhand.report._wording import capital, listing
from evenhand.report.charts import ratio_chart

__all__ = ["bound_section", "given_section"]

BOUNDS, GIVEN = "impact_ratio_missing_bounds", "adjusted_odds_ratio"


def given_section(rows: Sequence[Row]) -> Section | None:
    """Return crude and adjusted odds ratios side by side; None where no qualifications were named."""
    found = [row for row in rows if row.measure == GIVEN]
    if not found:
        return None
    given = listing(list(dict.fromkeys(str(name) for row in found for name in row.details.get("given") or ())))
    left_out = sorted({int(row.details.get("n_left_out") or 0) for row in found})
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
    if left_out[-1]:
        text.append(
            "Left out, because the group or a qualification is not known: "
            f"{listing([count_text(n) for n in left_out])} people."
        )
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
    for (approach, cutoff, stage), own in by_definition(found, slice_key).items():
        what = definition_of(approach, cutoff, audit) + (f", {stage}" if stage else "")
        tables.append(
            columns_table(
                {
                    "Ratio of those known": [RATIO.text(row.estimate, apart=APART) for row in own],
                    "Lowest possible": [RATIO.text(row.low, apart=APART) for row in own],
                    "Highest possible": [RATIO.text(row.high, apart=APART) for row in own],
                    "Unknown, selected": [
                        f"{count_text(row.details.get('n_unknown'))}, {count_text(row.details.get('selected_unknown'))}"
                        for row in own
                    ],
                    "Note": [row.reason or "" for row in own],
                },
                caption=f"Impact ratios under every assignment of the unknown: {what}",
                first="Group against reference",
                labels=[f"{capital(group_name(row.focal))} against {group_name(row.reference)}" for row in own],
                folded=bool(tables),
            )
        )
    text = [
        "People whose group is not known are in no rate. If all of them belonged to these two groups, in the way most "
        "or least favourable to the first, the ratio would lie at these ends. This is what the data leave open, "
        "without any sampling error; where the ends are on both sides of 0.8, who did not answer decides.",
    ]
    return Section(name="unknown", heading="If the unknown groups were known", text=text, parts=[Part(tables=tables)])
