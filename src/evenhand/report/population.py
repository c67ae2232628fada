"""The page of a probe with many groups: each group against the average of all, as in An et al. 2024.

Acceptance rates are laid out as the study's tables, with its published figures next to them. The optional mixed
logistic model adds odds ratios and the spread of names and roles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from evenhand.report.page import parts as page_parts
from evenhand.report.probe.headline import wordings_table
from evenhand.report.probe.summary import unreadable_sentence
from evenhand.report.words import numbers, results
from evenhand.results.audit import Facts, Measured, ProbeAudit, Published
from evenhand.results.finding import (
    FEWEST_PEOPLE,
    SMALLEST_SHARE,
    Against,
    Finding,
    FittedOdds,
    Heterogeneity,
    MixedOdds,
    MixedSpread,
    Test,
    WidestGap,
)
from evenhand.results.probe_groups import Cut, Population, ProbeGroups, distance
from evenhand.results.result import csv_bytes

LEVEL_WORDS = {
    "omitted": "not specified",
    "high": "highly qualified",
    "medium": "somewhat qualified",
    "low": "not qualified",
}
#: Per table, the keys of its lines and of its columns.
LAYOUT: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]] = {
    1: (("group",), ("model", "column")),
    2: (("model", "group"), ("column",)),
    3: (("model", "group"), ("column",)),
    4: (("column", "model"), ("group",)),
    5: (("model",), ("column",)),
    6: (("group",), ("model",)),
}
HEADS = {"group": "Group", "model": "Model", "column": "Role"}


def level_text(column: str, level: str) -> str:
    """Return a level as a heading.

    >>> level_text("qualification", "omitted"), level_text("seed", "42")
    ('Not specified', 'Seed 42')
    """
    if column == "qualification":
        return results.capital(LEVEL_WORDS.get(level, results.in_words(level)))
    if level.isdigit():
        return f"{'Instruction' if column == 'template' else results.capital(results.in_words(column))} {level}"
    return results.capital(level)


def published_note(facts: Facts) -> str:
    """Return the caveat of the published tables; empty without any."""
    if not facts.published:
        return ""
    return (
        f"Tables 'as published' are reference data, not measured here: {facts.published_source or ''}. The study "
        "asked other models, in part with other instructions, and had a classifier of its own: compare directions, not "
        "decimals. Its significance marks are not restated."
    )


def published_tables(facts: Facts, number: int) -> list[page_parts.Table]:
    """Return the published table of that number, as a list that may be empty."""
    rows = [row for row in facts.published or () if int(row.table) == number]
    if not rows or number not in LAYOUT:
        return []
    lines_by, columns_by = LAYOUT[number]
    down = list(dict.fromkeys(_label(row, lines_by, number) for row in rows))
    across = list(dict.fromkeys(_label(row, columns_by, number) for row in rows))
    values = {(_label(row, lines_by, number), _label(row, columns_by, number)): row.value for row in rows}
    first = ", ".join(HEADS[key].lower() if place else HEADS[key] for place, key in enumerate(lines_by))
    return [
        page_parts.table(
            f"Table {number} as published: reference data, not measured here",
            [first, *across],
            [[line, *(_value(values.get((line, head))) for head in across)] for line in down],
        )
    ]


def _label(row: Published, keys: Sequence[str], number: int) -> str:
    """Return the heading of a line or column: 'Mistral-7b, 7 roles'."""
    column = level_text("qualification" if number == 3 else "", row.column)
    group = results.capital(
        results.group_label({key: value for key, value in (("race", row.race), ("gender", row.gender)) if value})
    )
    labels = {"group": group, "model": row.model, "column": column}
    return ", ".join(labels[key] for key in keys)


def _value(text: str | None) -> str:
    if text is None:
        return numbers.ABSENT
    return numbers.count_text(int(text)) if text.isdigit() else text


ABOVE, BELOW = "▲", "▼"
MIDP, FISHER = "paper, mid-p", "Fisher over roles, mid-p"
#: Share of cells marked by chance: p < 0.05 in the observed direction, so two tails of 5 %.
MARKED_SHARE = 0.1


def _percent(share: float | None) -> str:
    return numbers.ABSENT if share is None else f"{100 * share:.2f}"


def test_named(finding: Finding, name: str) -> Test | None:
    """Return the test of that name; the name of a simulated one also has its number of shuffles."""
    return next((test for test in finding.tests if test.name == name or test.name.startswith(f"{name} with ")), None)


def decisive_test(finding: Finding) -> Test | None:
    """Return the test behind the mark: combined over roles where there are several."""
    return test_named(finding, FISHER) or test_named(finding, MIDP)


def expected_marks(cells: Sequence[Finding]) -> str:
    """Return how many cells there are, how many would be marked without any effect, and how many are."""
    tested = [finding for finding in cells if (test := decisive_test(finding)) is not None and test.p is not None]
    if not tested:
        return "No cell could be tested."
    expected = MARKED_SHARE * len(tested)
    about = "fewer than one" if expected < 0.95 else f"about {numbers.count_text(round(expected))}"
    marked = sum(bool(finding.mark) for finding in tested)
    number = "1 cell" if len(tested) == 1 else f"{numbers.count_text(len(tested))} cells"
    return (
        f"{number} tested: without any effect, {about} would carry a mark (one in ten: p < 0.05, one-sided in the "
        f"observed direction); {numbers.count_text(marked)} {'does' if marked == 1 else 'do'}."
    )


def _gaps(cut: Cut) -> dict[str, float | None]:
    return {
        cut.level(finding): finding.estimate if finding.focal != finding.reference else None for finding in cut.widest
    }


def _cells(cut: Cut) -> dict[tuple[object, str], Finding]:
    return {(tuple(finding.focal.items()), cut.level(finding)): finding for finding in cut.cells}


def widest_table(findings: Sequence[Finding]) -> page_parts.Table | None:
    """Return highest minus lowest rate, with the gaps of shuffled names; None without two groups."""
    known = [finding for finding in findings if finding.estimate is not None and finding.focal != finding.reference]

    def gap(finding: Finding, name: str) -> str:
        return numbers.scale_of(finding).text(getattr(WidestGap.of(finding), name))

    columns = {
        "Groups": lambda finding: (
            f"{results.capital(results.group_label(finding.focal))} above {results.group_label(finding.reference)}"
        ),
        "Gap": results.estimate_text,
        "Mean gap of shuffled names": lambda finding: gap(finding, "null_mean"),
        "95 % of shuffles below": lambda finding: gap(finding, "null_95"),
        "p": lambda finding: numbers.p_text(finding.tests[0].p),
    }
    return page_parts.table_of(known, columns, caption="Highest minus lowest acceptance rate") if known else None


def rates_table(cut: Cut, groups: Sequence[Mapping[str, str]]) -> page_parts.Table:
    """Return acceptance rates in percent, groups down and levels across, with averages, gaps and counts."""
    column, cells = cut.column, _cells(cut)
    levels = cut.levels if column else [""]
    lines = [
        [
            results.capital(results.group_label(group)),
            *(_cell(cells.get((tuple(group.items()), level))) for level in levels),
        ]
        for group in groups
    ]
    examples = [
        next((finding for (_, cell_level), finding in cells.items() if cell_level == level), None) for level in levels
    ]
    widest = _gaps(cut)
    lines += [
        [
            "Average",
            *(
                numbers.ABSENT if finding is None else _percent(Against.of(finding).population_rate)
                for finding in examples
            ),
        ],
        ["Max difference", *(_percent(widest.get(level)) for level in levels)],
        [
            "Number of e-mails",
            *(
                numbers.ABSENT if finding is None else numbers.count_text(Against.of(finding).n_population)
                for finding in examples
            ),
        ],
    ]
    heads = [level_text(column, level) if column else "Acceptance rate (%)" for level in levels]
    by = "instruction" if column == "template" else column
    return page_parts.table(
        f"Acceptance rate (%) by {by}" if by else "Acceptance rate (%), all roles", ["Group", *heads], lines
    )


def by_role_table(cut: Cut, groups: Sequence[Mapping[str, str]]) -> page_parts.Table:
    """Return one line per role: groups across, as there are many roles."""
    cells, widest = _cells(cut), _gaps(cut)
    lines = []
    for level in cut.levels:
        role_cells = [cells.get((tuple(group.items()), level)) for group in groups]
        example = next((finding for finding in role_cells if finding is not None), None)
        count = numbers.count_text(Against.of(example).n_population) if example is not None else numbers.ABSENT
        lines.append(
            [results.capital(level), *(_cell(finding) for finding in role_cells), _percent(widest.get(level)), count]
        )
    heads = ["Role", *(results.capital(results.group_label(group)) for group in groups), "Max difference", "E-mails"]
    return page_parts.table("Acceptance rate (%) by role", heads, lines)


def heterogeneity_table(cut: Cut) -> page_parts.Table:
    """Return, per group, whether its difference to the population changes with the level."""
    by = "instruction" if cut.column == "template" else cut.column
    return page_parts.table_of(
        cut.changes,
        {
            "Group": page_parts.row_label,
            "Widest gap": results.estimate_text,
            "Most / least favoured": lambda finding: " / ".join(
                level_text(cut.column, str(end)) for end in _ends(finding)
            ),
            "p": lambda finding: numbers.p_text(finding.tests[0].p),
        },
        caption=f"Does the difference to the average of all groups change with the {by}? Permutation over names",
    )


def _ends(finding: Finding) -> tuple[str | None, str | None]:
    heterogeneity = Heterogeneity.of(finding)
    return heterogeneity.highest, heterogeneity.lowest


def _cell(finding: Finding | None) -> str:
    """Return a rate with its direction and mark, as in the paper's tables."""
    rate = None if finding is None else Against.of(finding).rate
    if finding is None or rate is None:
        return numbers.ABSENT
    if not finding.mark:
        return _percent(rate)
    return f"{ABOVE if (finding.estimate or 0) > 0 else BELOW} {_percent(rate)}{finding.mark}"


ODDS_RATIO_NOTE = (
    "An odds ratio above 1 says that the odds of being accepted are higher than the mean of all groups (the geometric "
    "mean of their odds), below 1 that they are lower: in one and the same role, for a middling name of its group. "
    "Names differ within a group, and roles in how often anybody is accepted; the model takes both for random draws. "
    "The test that decides is the permutation over names above. This model says how large an effect is."
)
ALTERNATIVE_NOTE = (
    "Beside it stands a regression without random names, whose interval assumes nothing about how names differ. Its "
    "ratios lie a little nearer to 1; if it disagrees otherwise, believe neither."
)
#: Pearson's χ² per degree of freedom from which on the page reports that names and roles interact.
UNEVEN = 1.2


def mixed_section(groups: ProbeGroups) -> page_parts.Section | None:
    """Return the tables of the mixed model; None where it was not fitted."""
    ratios, spreads = groups.mixed_odds, groups.mixed_spreads
    if not ratios:
        return None
    parts = [page_parts.Part(text=[_fitted(ratios[0]), ALTERNATIVE_NOTE], tables=[_ratios(ratios)])]
    if spreads:
        parts.append(
            page_parts.Part(
                heading="How far names and roles differ", text=_uneven(ratios[0]), tables=[_spreads(spreads)]
            )
        )
    return page_parts.Section(name="mixed", heading="Mixed logistic model", text=[ODDS_RATIO_NOTE], parts=parts)


def _fitted(finding: Finding) -> str:
    formula, cells = (
        MixedOdds.of(finding).formula or "",
        MixedOdds.of(finding).cells or 0,
    )
    if finding.estimate is None:
        return f"No model could be fitted to {numbers.count_text(finding.n)} decisions. {finding.reason}"
    decisions = numbers.count_text(finding.n)
    return f"Fitted: {formula}, to {decisions} decisions in {numbers.count_text(cells)} cells of name and role."


def _ratios(findings: Sequence[Finding]) -> page_parts.Table:

    def without_random_names(finding: Finding) -> str:
        estimate = FittedOdds.of(finding).odds_ratio_without_random_effects
        other = finding.alternatives[0] if finding.alternatives else None
        if estimate is None or other is None:
            return numbers.ABSENT
        scale = numbers.scale_of(finding)
        return f"{scale.text(estimate, apart=[1.0])} ({scale.interval(other.low, other.high, apart=[1.0])})"

    return page_parts.estimate_table(
        findings,
        caption="Odds of acceptance over the mean of all groups",
        extra={"Without random names": without_random_names},
        without={"n", "Clusters"},
    )


def _uneven(finding: Finding) -> list[str]:
    dispersion = MixedOdds.of(finding).dispersion
    text = ["Standard deviations of the log odds, with the odds ratio of a name or role one SD above the middle."]
    if dispersion is not None and dispersion >= UNEVEN:
        text.append(
            f"Counts vary {numbers.Scale(decimals=1).number(dispersion)} times as much as the model expects: names "
            "fare "
            "differently in different roles, or e-mails of one name and role hang together. The SD of names takes part "
            "of that up and its interval is too narrow; the odds ratios of groups are not touched by it as long as all "
            "names were put to the same roles."
        )
    return text


def _spreads(findings: Sequence[Finding]) -> page_parts.Table:
    return page_parts.estimate_table(
        findings,
        caption="Standard deviation of the random effects, in log odds",
        first="Effect",
        label=lambda finding: f"{results.capital(MixedSpread.of(finding).factor or finding.name)}s",
        extra={
            "Odds ratio of one SD": lambda finding: numbers.Scale(decimals=2).number(
                MixedSpread.of(finding).odds_ratio_of_one_sd
            )
        },
    )


def population_sentences(against: Population, audit: Measured) -> list[str]:
    """Return the groups above and below the average of all, the largest difference first, and all others."""
    groups = [finding for finding in against.whole.cells if finding.focal]
    known = [finding for finding in groups if finding.estimate is not None]
    large = [finding for finding in known if _is_large(finding)]
    large = large if len(large) > 1 else known
    small = [finding for finding in known if finding not in large]
    significant = [finding for finding in large if results.is_significant(finding)]
    higher = [finding for finding in significant if (finding.estimate or 0.0) > 0]
    lower = [finding for finding in significant if finding not in higher]
    sides = sorted(filter(None, (higher, lower)), key=lambda side: -max(map(distance, side)))
    sentences = [_difference_sentence(side, audit, average=place == 0) for place, side in enumerate(sides)]
    quiet = [finding for finding in large if finding not in significant]
    unjudged = [finding for finding in quiet if finding.verdict == "not_judged"]
    quiet = [finding for finding in quiet if finding not in unjudged]
    if quiet:
        sentences.append(_quiet(quiet, against.detectable))
    if unjudged:
        sentences.append(
            f"Not judged: {results.listing([_name(finding) for finding in unjudged])} names (see the table)."
        )
    if small:
        sentences.append(_small(small))
    unknown = [finding for finding in groups if finding.estimate is None]
    topics = [
        results.wording_of(finding, audit).topic for finding in against.whole.cells[:1] if finding.estimate is None
    ]
    lacking, leads = unreadable_sentence(audit, topics)
    if not lacking or known:
        sentences += [f"{_name(finding)} names: not computed. {finding.reason or ''}".strip() for finding in unknown]
    if not lacking:
        return sentences
    return [lacking, *sentences] if leads else [*sentences, lacking]


#: Names of a group from which on a headline speaks of it: fewer have under 4 degrees of freedom.
FEWEST_NAMES: Final = 5


def _is_large(finding: Finding) -> bool:
    """Return whether a headline speaks of a group: its decisions and its names are not few."""
    claim, names = finding.claim, finding.clusters.get("name", FEWEST_NAMES)
    people = Against.of(finding).n_population or 0
    return claim is not None and claim.is_large(people) and names >= FEWEST_NAMES


def _small(findings: Sequence[Finding]) -> str:
    different = sum(map(results.is_significant, findings))
    differs = f" ({different} statistically significant)" if different else ""
    return (
        f"Of fewer than {FEWEST_PEOPLE} decisions, {100 * SMALLEST_SHARE:g} % or "
        f"{FEWEST_NAMES} names, and in the table only: {results.listing([_name(finding) for finding in findings])} "
        f"names{differs}."
    )


def _name(finding: Finding) -> str:
    return results.capital(results.group_label(finding.focal))


def _difference_sentence(findings: Sequence[Finding], audit: Measured, *, average: bool) -> str:
    """Return the groups on one side of the average, the largest difference first."""
    order = sorted(findings, key=lambda finding: -abs(finding.estimate or 0.0))
    first = order[0]
    wording = results.wording_of(first, audit)
    direction = wording.higher if (first.estimate or 0.0) > 0 else wording.lower
    mean = f" ({numbers.percent_text(Against.of(first).population_rate)})" if average else ""
    rates = results.listing([numbers.percent_text(Against.of(finding).rate) for finding in order])
    sentence = f"{results.listing([_name(finding) for finding in order])} {direction}{mean}: {rates}"
    if len(order) == 1:
        sentence += f" ({_interval(first)})"
    known = [finding.p_adjusted for finding in order if finding.p_adjusted is not None]
    p = numbers.p_text(max(known)) if known else ""
    bound = p if p.startswith("<") else f"{'≤' if len(order) > 1 else '='} {p}"
    return f"{sentence}, {_decisions(order)}, {'each ' * (len(order) > 1)}statistically significant" + (
        f" (p {bound}, permutation over names, adjusted for all groups)." if p else "."
    )


def _interval(finding: Finding) -> str:
    """Return a group's distance from the average with its interval, without a sign."""
    scale, low, high = numbers.scale_of(finding), finding.low, finding.high
    size = f"{scale.number(abs(finding.estimate or 0.0), signed=False)} percentage points"
    if low is None or high is None:
        return size
    ends = (-high, -low) if (finding.estimate or 0.0) < 0 else (low, high)
    ends_text = " to ".join(scale.number(end, signed=False) for end in ends)
    return f"{size}, {numbers.confidence_text(finding.confidence)} CI {ends_text}"


def _quiet(findings: Sequence[Finding], detectable: Sequence[Finding]) -> str:
    return (
        "No statistically significant difference from the average of all groups was detected for "
        f"{results.listing([_name(finding) for finding in findings])} names, {_decisions(findings)}."
        f"{_detectable_sentence(detectable)}"
    )


def _decisions(findings: Sequence[Finding]) -> str:
    """Return how many decisions a group has: 'at 4 to 11 decisions per group'."""
    smallest, largest = min(finding.n for finding in findings), max(finding.n for finding in findings)
    counts = list(dict.fromkeys(map(numbers.count_text, (smallest, largest))))
    return f"at {' to '.join(counts)} {'decision' if largest == 1 else 'decisions'} per group"


def _detectable_sentence(findings: Sequence[Finding]) -> str:
    detectable = next((finding for finding in findings if finding.estimate is not None), None)
    if detectable is None or detectable.estimate is None:
        return ""
    return (
        f" With this many names and decisions the minimum detectable effect is {100 * detectable.estimate:.1f} "
        "percentage points (statistical power 80 %)."
    )


def _known(against: Population) -> list[Finding]:
    """Return the groups with a difference from the average, the largest first."""
    known = [finding for finding in against.whole.cells if finding.focal and finding.estimate is not None]
    return sorted(known, key=lambda finding: -abs(finding.estimate or 0.0))


def population_tables(against: Population) -> list[page_parts.Table]:
    """Return the table with a line per group: its rate, its difference from the average; none without any group."""
    findings = _known(against)
    if not findings:
        return []
    average = next(
        (numbers.percent_text(Against.of(finding).population_rate) for finding in findings),
        numbers.ABSENT,
    )
    table = page_parts.table_of(
        findings,
        {
            "Group": _name,
            **page_parts.columns_of(findings, "n"),
            "Acceptance rate": lambda finding: numbers.percent_text(Against.of(finding).rate),
            "Difference": lambda finding: numbers.scale_of(finding).number(finding.estimate, apart=(0.0,)),
            **page_parts.columns_of(findings, page_parts.CI),
            "Adjusted p": lambda finding: numbers.p_text(finding.p_adjusted),
            "Statistically significant?": results.verdict_cell,
        },
        caption=f"Acceptance rate of each group, and its difference from the average of all groups ({average}) in "
        "percentage points; p by permutation over names, adjusted for all groups (step-down)",
    )
    return [replace(table, intervals=page_parts.intervals_of(findings))]


SIMULATED, FISHER_SIMULATED = "paper, simulated", "Fisher over roles, simulated"
NAMES = {
    2: "Typical entry-level education of the role",
    3: "Stated qualification",
    4: "Single roles",
}
COLUMN_OF = {2: "education", 3: "qualification", 4: "role"}
OTHER_CUTS = {"template": "By instruction (template)", "seed": "By seed"}
NOTE = (
    f"{ABOVE} above and {BELOW} below the average of all groups. Marks are those of the paper's one-sided test in "
    "the observed direction: * p < 0.05, † p < 0.01. The test assumes that e-mails are exchangeable; if names "
    "differ within a group, it rejects too often. The permutation over names is two-sided and does not. It decides "
    "the verdict, and may detect no difference where there is a mark."
)
P_VALUE_NOTE = " Its p is in a separate table for all roles, and under All findings for the tables of parts."
#: Shares as the paper prints them, but 1.00 only where it is 1.
SHARE = numbers.Scale(decimals=2)
HARVESTED = "This is the widest of several gaps; chance alone makes it larger than zero."


def population_sections(against: Population, audit: ProbeAudit) -> list[page_parts.Section]:
    """Return the tables of this run, each with the published one."""
    facts = audit.facts
    readers = _readers(against, facts)
    note = published_note(facts)
    if not any(against.groups):
        return [replace(readers, text=[note] if note else [])]
    cuts = [_cut(against, number, facts) for number in COLUMN_OF]
    cuts += [_other_cut(against, column, audit) for column in OTHER_CUTS]
    slices = page_parts.Section(
        name="slices", heading="By role, education, qualification", parts=[c for c in cuts if c]
    )
    overall = _overall(against, facts)
    return [replace(overall, text=[note] if note else []), slices, readers]


def _overall(against: Population, facts: Facts) -> page_parts.Section:
    whole = against.whole.cells
    published = published_tables(facts, 1)
    parts = [
        page_parts.Part(
            heading="Table 1: all roles",
            text=[NOTE + P_VALUE_NOTE, expected_marks(whole)],
            tables=[rates_table(against.whole, against.groups), *published, _tests(whole)],
        )
    ]
    widest = widest_table(against.whole.widest)
    if widest is not None:
        parts.append(page_parts.Part(heading="The widest gap", text=[HARVESTED], tables=[widest]))
    parts += _beyond(against)
    return page_parts.Section(name="headline", heading="Groups against the average of all groups", parts=parts)


def _tests(whole: Sequence[Finding]) -> page_parts.Table:
    """Return the groups' differences with the p of every test."""
    caption = "Acceptance rate of each group minus that of all."

    def p_of(finding: Finding, name: str) -> str:
        test = test_named(finding, name)
        return numbers.p_text(test.p if test else None)

    extra = {
        "p, paper's mid-p": lambda finding: p_of(finding, MIDP),
        "p, Fisher over roles": lambda finding: p_of(finding, FISHER),
        "p, simulated": lambda finding: p_of(finding, SIMULATED),
        "p, simulated, Fisher over roles": lambda finding: p_of(finding, FISHER_SIMULATED),
        "The paper's mark": lambda finding: finding.mark or numbers.ABSENT,
    }
    caption += " Intervals let whole names vary. p: permutation over names, adjusted for all groups at once."
    simulated = next((test for finding in whole if (test := test_named(finding, SIMULATED))), None)
    if simulated:
        shuffles = simulated.name.removeprefix(SIMULATED).strip()
        caption += f" p, simulated: the paper's own procedure, {shuffles}."
    return page_parts.estimate_table(whole, caption=caption, extra=extra, without={page_parts.MARK}, folded=True)


def _beyond(against: Population) -> list[page_parts.Part]:
    """Return the interactions with their joint test, and the minimum detectable effect."""
    parts = []
    pairs = against.interactions
    if pairs:
        kind = pairs[0].method.partition(",")[0]
        caption = f"{results.capital(kind)}; as a difference of gaps it can reach ±200 points"
        joint = [
            f"All of them together: {test.name}, {numbers.named_p(test.p)}." for test in pairs[0].tests[1:2] if test.p
        ]
        parts.append(
            page_parts.Part(
                heading="Does one gap differ with the other attribute?",
                text=joint,
                tables=[page_parts.estimate_table(pairs, caption=caption, first="Groups")],
            )
        )
    parts += [
        page_parts.Part(heading="Minimum detectable effect", text=[_detectable_effect(finding)])
        for finding in against.detectable
    ]
    return parts


def _detectable_effect(finding: Finding) -> str:
    if finding.estimate is None:
        return f"The minimum detectable effect is not known. {finding.reason or ''}".rstrip()
    return (
        f"Between a group and all, it is {numbers.scale_of(finding).text(finding.estimate)} with "
        f"{numbers.count_text(finding.clusters.get('name', 0))} names and {numbers.count_text(finding.n)} decisions "
        f"({finding.method})."
    )


def _changes(cut: Cut) -> list[page_parts.Table]:
    return [heterogeneity_table(cut)] if cut.changes else []


def _cut(against: Population, number: int, facts: Facts) -> page_parts.Part | None:
    column = COLUMN_OF[number]
    cut = against.cuts.get(column)
    if cut is None:
        return None
    rates = by_role_table if column == "role" else rates_table
    return page_parts.Part(
        heading=f"Table {number}: {NAMES[number].lower()}",
        text=[expected_marks(cut.cells)],
        tables=[rates(cut, against.groups), *published_tables(facts, number), *_changes(cut)],
        folded=True,
    )


def _other_cut(against: Population, column: str, audit: ProbeAudit) -> page_parts.Part | None:
    cut = against.cuts.get(column)
    if cut is None or len(cut.levels) < 2:
        return None
    wordings = wordings_table(column, audit, first="Instruction") if column == "template" else None
    return page_parts.Part(
        heading=OTHER_CUTS[column],
        text=[expected_marks(cut.cells)],
        tables=[
            *([wordings] if wordings else []),
            rates_table(cut, against.groups),
            *_changes(cut),
        ],
        folded=True,
    )


def _readers(against: Population, facts: Facts) -> page_parts.Section:
    """Return tables 5 and 6: the quality of the classifier, and the share of e-mails that state a decision."""
    parts = []
    report = facts.classifier or {}
    if report:
        parts.append(
            page_parts.Part(
                heading="Table 5: the classifier",
                tables=[_classifier(report), *published_tables(facts, 5)],
                folded=True,
            )
        )
    rates, pairs = against.stated, against.validity
    tables = []
    if rates:
        tables += [_validity(rates), *published_tables(facts, 6)]
    if pairs:
        caption = "Do two groups' e-mails state a decision equally often?"
        tables.append(page_parts.estimate_table(pairs, caption=caption, first="Groups", without={"n", "Clusters"}))
    if tables:
        parts.append(page_parts.Part(heading="Table 6: e-mails that state a decision", tables=tables, folded=True))
    return page_parts.Section(name="validity", heading="Which e-mails could be read", parts=parts)


def _validity(rates: Sequence[Finding]) -> page_parts.Table:
    """Return the share of e-mails with a decision, as the paper prints it."""
    columns = {
        "Group": page_parts.row_label,
        "Validity": lambda finding: (
            numbers.ABSENT if finding.estimate is None else SHARE.number(1 - finding.estimate, apart=(1.0,))
        ),
        "E-mails": lambda finding: numbers.count_text(finding.n),
    }
    return page_parts.table_of(rates, columns, caption="Share of e-mails that state a decision")


def _classifier(report: Mapping[str, str | int | float]) -> page_parts.Table:
    """Return table 5: a line per set of e-mails, a column per figure; 'set: figure' are the report's keys."""
    sets: dict[str, dict[str, int | float]] = {}
    for key, value in report.items():
        source, _, figure = key.rpartition(": ")
        if isinstance(value, int | float):
            sets.setdefault(source, {})[figure] = value
    heads = list(dict.fromkeys(figure for figures in sets.values() for figure in figures))
    lines = []
    for source, figures in sets.items():
        values = [figures.get(head) for head in heads]
        cells = [
            numbers.ABSENT if v is None else f"{v:.3f}" if isinstance(v, float) else numbers.count_text(v)
            for v in values
        ]
        lines.append([results.capital(source) or "E-mails kept back", *cells])
    trained = report.get("trained on")
    caption = "The classifier on e-mails that it was not trained on"
    return page_parts.table(
        f"{caption} (it was trained on {trained})" if trained else caption,
        ["E-mails of", *map(results.capital, heads)],
        lines,
    )


@dataclass(frozen=True, kw_only=True)
class CounterfactualText:
    """One of two answers to a counterfactual pair of prompts."""

    label: str
    text: str


def counterfactual_texts(audit: ProbeAudit) -> list[CounterfactualText]:
    """Return the two answers to a counterfactual pair of prompts, the acceptance first."""
    return [
        CounterfactualText(
            label=f"{row.name} ({results.group_label({'race': row.race, 'gender': row.gender})}): "
            f"{'accepted' if row.accepted else 'rejected'}",
            text=row.text,
        )
        for row in audit.twins or ()
    ]


STUDY_COLUMNS = ("table", "source", "column", "race", "gender", "value", "direction", "mark", "p", "n")
TABLE_NUMBERS = {"": "1", "education": "2", "qualification": "3", "role": "4"}


def study_files(groups: ProbeGroups, audit: ProbeAudit) -> dict[str, bytes]:
    """Return tables.csv, a row per cell; nothing where there is nothing of a study.

    Tables 1 to 4 are in percent, 5 and 6 in shares, as in the study. `source` distinguishes the
    run's own figures from published ones.
    """
    lines = _study_lines(groups, audit)
    if not lines:
        return {}
    table = pl.DataFrame(lines, schema=dict.fromkeys(STUDY_COLUMNS, pl.String), orient="row")
    return {"tables.csv": csv_bytes(table)}


def _study_lines(groups: ProbeGroups, audit: ProbeAudit) -> list[tuple[str, ...]]:
    if groups.population is None:
        return []
    facts, source = audit.facts, f"this run: {audit.model}"
    lines = [_study_rate(row, source) for cut in groups.population.cuts.values() for row in cut.cells if row.focal]
    for name, value in (facts.classifier or {}).items():
        lines.append(("5", "classifier", name, "", "", str(value), "", "", "", ""))
    for row in groups.undetected_groups:
        if len(row.focal) > 1 and row.estimate is not None:
            group = (row.focal.get("race", ""), row.focal.get("gender", ""))
            lines.append(("6", source, "validity", *group, f"{1 - row.estimate:.6f}", "", "", "", str(row.n)))
    for published in facts.published or ():
        cells = (
            published.table,
            f"An et al. 2024: {published.model}",
            published.column,
            published.race,
            published.gender,
        )
        lines.append((*cells, published.value, "", "", "", ""))
    return lines


def _study_rate(finding: Finding, source: str) -> tuple[str, ...]:
    """Return the cell of one group in one level, with the p behind its mark."""
    column, level = next(iter(finding.slice.items()), ("", "all roles"))
    rate, test = Against.of(finding).rate, decisive_test(finding)
    direction = "" if not finding.mark else "above" if (finding.estimate or 0) > 0 else "below"
    return (
        *(
            TABLE_NUMBERS.get(column, column),
            source,
            level,
            finding.focal.get("race", ""),
            finding.focal.get("gender", ""),
        ),
        *("" if rate is None else f"{100 * rate:.4f}", direction, finding.mark or ""),
        *("" if test is None or test.p is None else repr(test.p), str(finding.n)),
    )
