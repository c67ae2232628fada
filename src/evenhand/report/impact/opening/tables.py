"""Tables of groups against their reference: rate, impact ratio, four-fifths rule, significance."""

from collections.abc import Sequence

from evenhand.report.impact.views import (
    FISHER,
    adjusted_over,
    by_problem,
    clusters_told,
    columns_table,
    definition_at,
    four_fifths_text,
    group_name,
    is_significant,
    p_cell,
    share_text,
    short_ratio,
    signed,
    view_name,
)
from evenhand.report.page.parts import Table
from evenhand.report.words.numbers import ABSENT, confidence_text, count_text
from evenhand.report.words.wording import capital
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio, MeanRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, View

__all__ = ["MOST_LINES", "definitions_table", "rates_table"]

#: Groups per table of the first screen; the chapter has all of them.
MOST_LINES = 8
SIGNIFICANT = "Statistically significant?"
TESTS = {FISHER: "Fisher's exact test", "Welch t": "Welch's t test"}
WORDS = ("Four-fifths", SIGNIFICANT, "Compared with", "Group")


def rates_table(view: View, audit: ImpactAudit, *, folded: bool = False, most: int | None = MOST_LINES) -> Table:
    """Return one line per group, the largest problem first; the reference stands in the caption."""
    found = by_problem(view.findings)[:most]
    left = len(view.findings) - len(found)
    against = list(dict.fromkeys(_reference(each) for each in found if each.reference))
    columns = _means(found) if view.means else _rates(found)
    if len(against) > 1:
        columns["Compared with"] = [_reference(each) if each.reference else ABSENT for each in found]
    columns |= {
        SIGNIFICANT: [_significant(each) for each in found],
        "Note": [each.reason or "" for each in found],
    }
    name, what = capital(view_name(view)), definition_at(view.definition, audit)
    caption = [name if what == "decision" else f"{name}, {what}"]
    caption += [f"Reference: {against[0]}"] if len(against) == 1 else []
    caption += [f"The first {len(found)} of {count_text(len(view.findings))} groups"] if left else []
    return columns_table(
        columns,
        caption=". ".join([*caption, *_p_of(found)]),
        first="Group",
        labels=[group_name(each.focal) for each in found],
        words=WORDS,
        folded=folded,
    )


def _rates(found: Sequence[Finding]) -> dict[str, list[str]]:
    details = [ImpactRatio.of(each) for each in found]
    return {
        "n": [count_text(each.n_focal) for each in details],
        "Selection rate": [share_text(each.rate_focal) for each in details],
        _ratio_heading(found): [short_ratio(each) for each in found],
        "Four-fifths": [_four_fifths(each) for each in found],
    }


def _means(found: Sequence[Finding]) -> dict[str, list[str]]:
    details = [MeanRatio.of(each) for each in found]
    return {
        "n": [count_text(each.n_focal) for each in details],
        "Mean score": [signed(each.mean_focal, 3) for each in details],
        "Ratio (95 % CI)": [short_ratio(each, (1.0,)) for each in found],
        "Standardised difference": [
            f"{signed(each.standardised_difference)} ({signed(each.d_low)} to {signed(each.d_high)})"
            if each.standardised_difference is not None
            else ABSENT
            for each in details
        ],
    }


def _ratio_heading(found: Sequence[Finding]) -> str:
    return f"Impact ratio ({confidence_text(found[0].confidence)} CI)"


def _four_fifths(finding: Finding) -> str:
    return four_fifths_text(ImpactRatio.of(finding).four_fifths).removesuffix(" four-fifths")


def _significant(finding: Finding) -> str:
    significant = is_significant(finding)
    if significant is None:
        return ABSENT
    p = p_cell(finding.p_adjusted)
    return f"{'yes' if significant else 'no'} (p {p if p.startswith('<') else f'= {p}'})"


def _reference(finding: Finding) -> str:
    """Return the reference with its rate and size."""
    name = group_name(finding.reference)
    if isinstance(finding.details, MeanRatio):
        details = finding.details
        return f"{name}, n {count_text(details.n_reference)}, mean score {signed(details.mean_reference, 3)}"
    rates = ImpactRatio.of(finding)
    return f"{name}, n {count_text(rates.n_reference)}, selection rate {share_text(rates.rate_reference)}"


def _p_of(found: Sequence[Finding]) -> list[str]:
    """Return which test p is of, and what it was adjusted for."""
    told = next((each for each in found if each.adjustment), None)
    if told is None:
        return []
    test = TESTS.get((told.adjustment or "").partition(", ")[0], "")
    clusters = clusters_told(told)
    what, by = ("Intervals and p", f"cluster-robust ({clusters})") if clusters else ("p", test)
    return [f"{what}: {', '.join(filter(None, (by, adjusted_over(told))))}"]


def definitions_table(groups: ImpactGroups, audit: ImpactAudit) -> Table | None:
    """Return, for each other definition of a selection, the group that is furthest behind; None without others."""
    led = {(view.attributes, view.definition) for view in groups.leading}
    others = [
        view
        for each in groups.attributes
        for view in each.views
        if not view.crossed and (view.attributes, view.definition) not in led
    ]
    if not others:
        return None
    found = [by_problem(view.findings)[0] for view in others]
    names = [f"{capital(view_name(view))}, {definition_at(view.definition, audit)}" for view in others]
    ratios = [
        short_ratio(each, (1.0,)) if view.means else short_ratio(each) for view, each in zip(others, found, strict=True)
    ]
    return columns_table(
        {
            "Group": [f"{group_name(each.focal)} against {group_name(each.reference)}" for each in found],
            "Ratio (95 % CI)": ratios,
            "Four-fifths": [_four_fifths(each) for each in found],
            SIGNIFICANT: [_significant(each) for each in found],
            "Note": [each.reason or "" for each in found],
        },
        caption="Sensitivity to the definition of a selection: in each, the group furthest behind",
        first="Selected",
        labels=names,
        words=WORDS,
        folded=len(others) > MOST_OPEN,
    )


#: Other definitions of a selection whose table stands open.
MOST_OPEN = 4
