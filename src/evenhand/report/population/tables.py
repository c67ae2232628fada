"""Acceptance rates with directions and marks, in the layout of the tables of An et al. 2024."""

from collections.abc import Mapping, Sequence

from evenhand.report.page.parts import Column, Table
from evenhand.report.population.published import level_text
from evenhand.report.words.numbers import ABSENT, count_text, p_text, scale_of
from evenhand.report.words.wording import capital, group_label
from evenhand.tables.details import Against, Heterogeneity, WidestGap
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.population import Cut

__all__ = [
    "ABOVE",
    "BELOW",
    "FISHER",
    "MIDP",
    "by_role_table",
    "decisive_test",
    "expected_marks",
    "heterogeneity_table",
    "rates_table",
    "test_named",
    "widest_table",
]

ABOVE, BELOW = "▲", "▼"
MIDP, FISHER = "paper, mid-p", "Fisher over roles, mid-p"
#: p < .05 in the direction that was seen: two tails of 5 %.
MARKED_SHARE = 0.1


def _percent(share: float | None) -> str:
    return ABSENT if share is None else f"{100 * share:.2f}"


def test_named(finding: Finding, name: str) -> Test | None:
    """Return the test of that name; a simulated one also tells in its name how often it shuffled."""
    return next((test for test in finding.tests if test.name == name or test.name.startswith(f"{name} with ")), None)


def decisive_test(finding: Finding) -> Test | None:
    """Return the test behind the mark: combined over roles where that was done."""
    return test_named(finding, FISHER) or test_named(finding, MIDP)


def expected_marks(cells: Sequence[Finding]) -> str:
    """Return how many cells there are, how many would be marked without any effect, and how many are."""
    tested = [finding for finding in cells if (test := decisive_test(finding)) is not None and test.p is not None]
    if not tested:
        return "No cell could be tested."
    expected = MARKED_SHARE * len(tested)
    about = "fewer than one" if expected < 0.95 else f"about {count_text(round(expected))}"
    marked = sum(bool(finding.mark) for finding in tested)
    number = "1 cell" if len(tested) == 1 else f"{count_text(len(tested))} cells"
    return (
        f"{number} tested: without any effect, {about} would carry a mark (one in ten: p < 0.05, one-sided in "
        f"the direction that was seen); {count_text(marked)} {'does' if marked == 1 else 'do'}."
    )


def _gaps(cut: Cut) -> dict[str, float | None]:
    """Return the widest gap by level."""
    return {
        cut.level(finding): finding.estimate if finding.focal != finding.reference else None for finding in cut.widest
    }


def _cells(cut: Cut) -> dict[tuple[object, str], Finding]:
    """Return the cells by group and level."""
    return {(tuple(finding.focal.items()), cut.level(finding)): finding for finding in cut.cells}


def widest_table(findings: Sequence[Finding]) -> Table | None:
    """Return highest less lowest rate beside what shuffled names give; None where there are not two groups."""
    lines = [
        [
            f"{capital(group_label(finding.focal))} above {group_label(finding.reference)}",
            scale_of(finding).text(finding.estimate),
            scale_of(finding).text(WidestGap.of(finding).null_mean),
            scale_of(finding).text(WidestGap.of(finding).null_95),
            p_text(finding.tests[0].p),
        ]
        for finding in findings
        if finding.estimate is not None and finding.focal != finding.reference
    ]
    heads = ("Groups", "Gap", "Mean gap of shuffled names", "95 % of shuffles below", "p")
    columns = [Column(label=head, numeric=place > 0) for place, head in enumerate(heads)]
    return Table(caption="Highest less lowest acceptance rate", columns=columns, rows=lines) if lines else None


def rates_table(cut: Cut, groups: Sequence[Mapping[str, str]]) -> Table:
    """Return acceptance rates in percent, groups down and levels across, with averages, gaps and counts."""
    column, found = cut.column, _cells(cut)
    levels = cut.levels if column else [""]
    lines = [
        [capital(group_label(group)), *(_cell(found.get((tuple(group.items()), level))) for level in levels)]
        for group in groups
    ]
    some = [next((finding for (_, own), finding in found.items() if own == level), None) for level in levels]
    widest = _gaps(cut)
    lines += [
        [
            "Average",
            *(ABSENT if finding is None else _percent(Against.of(finding).population_rate) for finding in some),
        ],
        ["Max difference", *(_percent(widest.get(level)) for level in levels)],
        [
            "Number of e-mails",
            *(ABSENT if finding is None else count_text(Against.of(finding).n_population) for finding in some),
        ],
    ]
    heads = [level_text(column, level) if column else "Acceptance rate (%)" for level in levels]
    by = "instruction" if column == "template" else column
    return Table(
        caption=f"Acceptance rate (%) by {by}" if by else "Acceptance rate (%), all roles",
        columns=[Column(label="Group", numeric=False), *(Column(label=head) for head in heads)],
        rows=lines,
    )


def by_role_table(cut: Cut, groups: Sequence[Mapping[str, str]]) -> Table:
    """Return one line per role: groups across, as there are many roles."""
    found, widest = _cells(cut), _gaps(cut)
    lines = []
    for level in cut.levels:
        own = [found.get((tuple(group.items()), level)) for group in groups]
        some = next((finding for finding in own if finding is not None), None)
        count = count_text(Against.of(some).n_population) if some is not None else ABSENT
        lines.append([capital(level), *(_cell(finding) for finding in own), _percent(widest.get(level)), count])
    heads = ["Role", *(capital(group_label(group)) for group in groups), "Max difference", "E-mails"]
    columns = [Column(label=head, numeric=place > 0) for place, head in enumerate(heads)]
    return Table(caption="Acceptance rate (%) by role", columns=columns, rows=lines)


def heterogeneity_table(cut: Cut) -> Table:
    """Return, per group, whether its difference to the population changes with the level."""
    lines = [
        [
            capital(group_label(finding.focal)),
            scale_of(finding).text(finding.estimate),
            " / ".join(level_text(cut.column, str(end)) for end in _ends(finding)),
            p_text(finding.tests[0].p),
        ]
        for finding in cut.changes
    ]
    heads = ("Group", "Widest gap", "Most / least favoured", "p")
    by = "instruction" if cut.column == "template" else cut.column
    return Table(
        caption=f"Does the difference to the average of all groups change with the {by}? Permutation over names",
        columns=[Column(label=head, numeric=head in {"Widest gap", "p"}) for head in heads],
        rows=lines,
    )


def _ends(finding: Finding) -> tuple[str | None, str | None]:
    found = Heterogeneity.of(finding)
    return found.highest, found.lowest


def _cell(finding: Finding | None) -> str:
    """Return a rate with its direction and mark, as in the paper's tables."""
    rate = None if finding is None else Against.of(finding).rate
    if finding is None or rate is None:
        return ABSENT
    if not finding.mark:
        return _percent(rate)
    return f"{ABOVE if (finding.estimate or 0) > 0 else BELOW} {_percent(rate)}{finding.mark}"
