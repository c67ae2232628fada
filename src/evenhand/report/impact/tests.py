"""Where the four-fifths rule and the tests disagree, what one changed selection does, and what size does to Z."""

from collections.abc import Sequence

from evenhand.report.charts import LinePoint, MarkedLine, line_chart
from evenhand.report.impact.comparison import FLIP_FLOP
from evenhand.report.impact.views import (
    APART,
    RATIO,
    Z_LIMIT,
    attribute_name,
    columns_table,
    definition_at,
    group_label,
    group_name,
    share_text,
    signed,
)
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import ABSENT, MINUS, count_text
from evenhand.report.words.wording import capital
from evenhand.tables.audit.applicants.small_tables import Agreement, ZCurve
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import ImpactGroups, View, definition_of

__all__ = ["agreement_section", "flip_flop_section", "z_curve_section"]

WHY_THEY_DIFFER = (
    "The four-fifths rule looks at the size of a difference and not at how many people it rests on; the tests ask "
    "how often groups with the same chance would differ as much, and their answer depends on the number of people.",
    "Outside four-fifths, but neither test finds a difference: few people or low rates, so that one or two selections "
    "move the ratio across 0.8. Not outside, but both tests find one: many people, so that a small difference is "
    "established all the same. Only one of Z and Fisher: a p near .05, or a small expected count, where the normal "
    "approximation behind Z is rough and Fisher's exact test is to be read.",
    "Rows are counted before any adjustment for the number of comparisons: among many positions without any "
    "difference, one in twenty has p below .05.",
)
#: Both tables of the flip-flop are printed for this many rows, those that reverse first.
MOST_FLIPPED = 6
MOST_CURVES = 6
MOST_CURVE_FIGURES = 4


def agreement_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return how many comparisons each combination of rule and tests has; None without any."""
    tables = [_agreement(own, audit, folded=place > 0) for place, own in enumerate(groups.agreement.values())]
    if not tables:
        return None
    return Section(
        name="agreement",
        heading="Where the rule and the tests agree",
        parts=[Part(tables=tables), Part(heading="Why they may not agree", text=WHY_THEY_DIFFER, folded=True)],
    )


def _agreement(rows: Sequence[Agreement], audit: ImpactAudit, *, folded: bool) -> Table:
    lines: dict[tuple[str, bool], dict[str, int]] = {}
    for row in rows:
        counts = lines.setdefault((row.attribute, bool(row.by_position)), {})
        head = _combination(row)
        counts[head] = counts.get(head, 0) + row.rows
    labels = [
        f"{capital(attribute_name(attribute))}, {'by position' if by else 'all applicants'}" for attribute, by in lines
    ]
    columns = {"Compared": [count_text(sum(counts.values())) for counts in lines.values()]}
    for head in COMBINATIONS:
        columns[head] = [count_text(counts.get(head, 0)) for counts in lines.values()]
    caption = f"Comparisons by what the rule and the tests say: {definition_at(definition_of(rows[0]), audit)}"
    kept = {head: cells for head, cells in columns.items() if set(cells) != {"0"}}
    return columns_table(kept, caption=caption, first="Groups of", labels=labels, folded=folded)


COMBINATIONS = (
    "Outside four-fifths, both tests",
    "Outside four-fifths, neither test",
    "Not outside, both tests",
    "Not outside, neither test",
    "Only one of Z and Fisher",
)


def _combination(row: Agreement) -> str:
    z, fisher = bool(row.z), bool(row.fisher)
    if z != fisher:
        return COMBINATIONS[4]
    outside = row.four_fifths in {"below", "above"}
    return COMBINATIONS[(0 if outside else 2) + (0 if z else 1)]


def flip_flop_section(views: Sequence[View], audit: ImpactAudit) -> Section | None:
    """Return the tables before and after one changed selection, where a ratio is outside its limits."""
    found = [(view, finding) for view in views for finding in view.findings if _applies(finding)]
    if not found:
        return None
    order = sorted(found, key=lambda pair: (not ImpactRatio.of(pair[1]).flip_flop_reverses, pair[0].crossed, pair[1].n))
    parts = [
        _flipped(view, finding, audit, folded=place > 0) for place, (view, finding) in enumerate(order[:MOST_FLIPPED])
    ]
    text = [
        "Where a ratio is outside its limits, one selection is moved to the group that is behind. If its rate is then "
        f"the higher one, this table alone is a weak basis ({FLIP_FLOP}). That says nothing against a pattern over "
        "positions or time.",
    ]
    rest = order[MOST_FLIPPED:]
    if rest:
        parts.append(
            Part(
                heading="The other ratios outside their limits",
                folded=True,
                tables=[
                    columns_table(
                        {
                            "Ratio": [RATIO.text(finding.estimate, apart=APART) for _, finding in rest],
                            "After one move": [
                                RATIO.text(ImpactRatio.of(finding).flip_flop_ratio, apart=APART) for _, finding in rest
                            ],
                            "Direction": [_direction(finding) for _, finding in rest],
                        },
                        caption="Ratios before and after one changed selection",
                        first="Groups",
                        labels=[_pair(view, finding, audit) for view, finding in rest],
                        words=["Direction"],
                    )
                ],
            )
        )
    return Section(name="flip-flop", heading="Flip-flop rule: one changed selection", text=text, parts=parts)


def _applies(finding: Finding) -> bool:
    details = ImpactRatio.of(finding)
    counts = details.selected_focal, details.selected_reference, details.n_focal, details.n_reference
    return details.flip_flop_reverses is not None and None not in counts


def _direction(finding: Finding) -> str:
    return "reversed" if ImpactRatio.of(finding).flip_flop_reverses else "kept"


def _pair(view: View, finding: Finding, audit: ImpactAudit) -> str:
    what = definition_at(view.definition, audit)
    return f"{capital(group_name(finding.focal))} against {group_name(finding.reference)} ({what})"


def _flipped(view: View, finding: Finding, audit: ImpactAudit, *, folded: bool) -> Part:
    details = ImpactRatio.of(finding)
    move = 1 if details.four_fifths == "below" else -1
    selected = details.selected_focal or 0, details.selected_reference or 0
    people = details.n_focal or 0, details.n_reference or 0
    after = (selected[0] + move, selected[1] - move)
    ratio, moved = RATIO.text(finding.estimate, apart=APART), RATIO.text(details.flip_flop_ratio, apart=APART)
    said = (
        f"One changed selection reverses the direction: the ratio goes from {ratio} to {moved}."
        if details.flip_flop_reverses
        else f"One changed selection keeps the direction: the ratio goes from {ratio} to {moved}."
    )
    if moved == ABSENT:
        said = said.partition(":")[0] + "; after it nobody in the other group is selected, so that there is no ratio."
    names = group_name(finding.focal), group_name(finding.reference)
    return Part(
        heading=_pair(view, finding, audit),
        text=[said],
        tables=[
            _two_by_two(names, selected, people, caption="As it is"),
            _two_by_two(names, after, people, caption="With one selection moved"),
        ],
        folded=folded or not details.flip_flop_reverses,
    )


def _two_by_two(names: Sequence[str], selected: Sequence[int], people: Sequence[int], *, caption: str) -> Table:
    lines = [
        [capital(name), count_text(chosen), count_text(n - chosen), share_text(chosen / n)]
        for name, chosen, n in zip(names, selected, people, strict=True)
    ]
    heads = ("Group", "Selected", "Not selected", "Rate")
    return Table(caption=caption, columns=[Column(label=h, numeric=k > 0) for k, h in enumerate(heads)], rows=lines)


def z_curve_section(groups: ImpactGroups, audit: ImpactAudit) -> Section | None:
    """Return how Z would grow with the number of people, and where the data at hand are; None without a curve."""
    figures = [_z_figure(own[:MOST_CURVES], audit) for own in groups.curves.values()]
    if not figures:
        return None
    text = [
        "The rates are held as they are and the groups are taken as equally large; only the number of people changes. "
        f"Beyond ±{Z_LIMIT:g} standard deviations a difference is statistically significant. With enough people every "
        "difference is, however small; with few people hardly any. The curve is that of "
        "Figure 14 of Eightfold's Responsible AI (2023), for the rates at hand.",
    ]
    if len(figures) > MOST_CURVE_FIGURES:
        text.append(
            f"{len(figures) - MOST_CURVE_FIGURES} more curves are in findings.json under audit, shown, z_curves."
        )
    return Section(
        name="z-curve",
        heading="Z by the number of people",
        text=text,
        parts=[Part(figures=figures)] if len(figures) == 1 else _curves(figures[:MOST_CURVE_FIGURES]),
    )


def _curves(figures: Sequence[Figure]) -> list[Part]:
    return [Part(heading=figure.title, figures=[figure], folded=True) for figure in figures]


def _z_figure(curves: Sequence[ZCurve], audit: ImpactAudit) -> Figure:
    names = [
        f"{group_label(each.focal, each.attribute)} against {group_label(each.reference, each.attribute)} "
        f"({share_text(each.rate_focal)} and {share_text(each.rate_reference)})"
        for each in curves
    ]
    points = []
    for each, name in zip(curves, names, strict=True):
        series = name.partition(" (")[0]
        points += [LinePoint(at=n, value=z, series=series, mark=False) for n, z in each.points]
        here = f"{name}: Z = {signed(each.z)} at {count_text(round(each.n_per_group))} people per group"
        points.append(LinePoint(at=each.n_per_group, value=each.z, series=series, text=here, joined=False))
    limits = [MarkedLine(value=sign * Z_LIMIT, text=f"{'' if sign > 0 else MINUS}{Z_LIMIT:g}") for sign in (1, -1)]
    title = f"Z by the number of people per group: {definition_at(definition_of(curves[0]), audit)}"
    table = columns_table(
        {
            "People per group": [count_text(round(each.n_per_group)) for each in curves],
            "Z here": [signed(each.z) for each in curves],
            f"±{Z_LIMIT:g} is passed at": [
                ABSENT if each.crossing is None else count_text(int(-(-each.crossing // 1))) for each in curves
            ],
        },
        caption="The groups furthest behind among all applicants",
        first="Groups",
        labels=[capital(name) for name in names],
    )
    return Figure(
        title=title,
        note="The point is the data at hand; of groups of different size, their harmonic mean. The axis of "
        "people is logarithmic.",
        chart=lambda width: line_chart(
            points, title="Z", along="people per group", width=width, lines=limits, axis="log"
        ),
        tables=[table],
    )
