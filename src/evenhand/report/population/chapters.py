"""Groups against the population, laid out as the tables of An et al. 2024, with the published figures beside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand.report.page.parts import MARK, Column, Part, Section, Table, estimate_table
from evenhand.report.population.published import published_note, published_tables
from evenhand.report.population.tables import (
    ABOVE,
    BELOW,
    FISHER,
    MIDP,
    by_role_table,
    expected_marks,
    heterogeneity_table,
    rates_table,
    test_named,
    widest_table,
)
from evenhand.report.probe.slices import wordings_table
from evenhand.report.words.numbers import ABSENT, Scale, count_text, p_text, scale_of
from evenhand.report.words.wording import capital, group_label
from evenhand.tables.audit.probe import Facts, ProbeAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.population import Cut, Population

__all__ = ["TwinShown", "population_sections", "twins_shown"]

SIMULATED, FISHER_SIMULATED = "paper, simulated", "Fisher over roles, simulated"
NAMES = {
    2: "Typical entry-level education of the role",
    3: "Stated qualification",
    4: "Single roles",
}
COLUMN_OF = {2: "education", 3: "qualification", 4: "role"}
OTHER_CUTS = {"template": "By instruction (template)", "seed": "By seed"}
NOTE = (
    f"{ABOVE} above and {BELOW} below the average of all groups, * p < 0.05, † p < 0.01: the paper's one-sided test in "
    "the direction that was seen. It takes e-mails as exchangeable; where names differ within a group it finds more "
    "than chance allows. The permutation over names is two-sided and does not."
)
WHERE_P = " Its p stands in a table of its own for all roles, and under All findings for the tables of parts."
#: Shares as the paper prints them, but 1.00 only where it is 1.
SHARE = Scale(decimals=2)
HARVESTED = "Picked as the widest of several gaps; chance alone makes it larger than zero."


def population_sections(found: Population, audit: ProbeAudit) -> list[Section]:
    """Return the tables of this run, each with the published one."""
    facts = audit.facts
    readers = _readers(found, facts)
    told = published_note(facts)
    if not any(found.groups):
        return [replace(readers, text=[told] if told else [])]
    cuts = [_cut(found, number, facts) for number in COLUMN_OF]
    cuts += [_other_cut(found, column, audit) for column in OTHER_CUTS]
    slices = Section(name="slices", heading="By role, education, qualification", parts=[c for c in cuts if c])
    overall = _overall(found, facts)
    return [replace(overall, text=[told] if told else []), slices, readers]


def _overall(found: Population, facts: Facts) -> Section:
    whole = found.whole.cells
    published = published_tables(facts, 1)
    parts = [
        Part(
            heading="Table 1: all roles",
            text=[NOTE + WHERE_P, expected_marks(whole)],
            tables=[rates_table(found.whole, found.groups), *published, _tests(whole)],
        )
    ]
    table = widest_table(found.whole.widest)
    if table is not None:
        parts.append(Part(heading="The widest gap", text=[HARVESTED], tables=[table]))
    parts += _beyond(found)
    return Section(name="headline", heading="Groups against the average of all groups", parts=parts)


def _tests(whole: Sequence[Finding]) -> Table:
    """Return the groups' differences with every p of theirs."""
    caption = "Acceptance rate of each group less that of all."
    labels = [capital(group_label(finding.focal)) for finding in whole]
    found = {
        name: [test_named(finding, name) for finding in whole] for name in (MIDP, FISHER, SIMULATED, FISHER_SIMULATED)
    }
    columns = {
        "p, paper's mid-p": found[MIDP],
        "p, Fisher over roles": found[FISHER],
        "p, simulated": found[SIMULATED],
        "p, simulated, Fisher over roles": found[FISHER_SIMULATED],
    }
    extra = {head: [p_text(test.p if test else None) for test in tests] for head, tests in columns.items()}
    extra["Mark"] = [finding.mark or ABSENT for finding in whole]
    caption += " Intervals let whole names vary. p: permutation over names, adjusted for all groups at once."
    drawn = next((test for test in found[SIMULATED] if test), None)
    if drawn:
        shuffles = drawn.name.removeprefix(SIMULATED).strip()
        caption += f" p, simulated: the paper's own procedure, {shuffles}."
    table = estimate_table(whole, caption=caption, first="Group", labels=labels, extra=extra, without={MARK})
    return replace(table, folded=True)


def _beyond(found: Population) -> list[Part]:
    """Return the interactions with their joint test, and what this many names could show."""
    parts = []
    pairs = found.interactions
    if pairs:
        kind = pairs[0].method.partition(",")[0]
        labels = [f"{capital(group_label(finding.focal))} less {group_label(finding.reference)}" for finding in pairs]
        caption = f"{capital(kind)}; as a difference of gaps it can reach ±200 points"
        joint = [f"All of them together: {test.name}, p {_equals(test.p)}." for test in pairs[0].tests[1:2] if test.p]
        parts.append(
            Part(
                heading="Does one gap differ with the other attribute?",
                text=joint,
                tables=[estimate_table(pairs, caption=caption, first="Groups", labels=labels)],
            )
        )
    parts += [Part(heading="Minimum detectable effect", text=[_detectable(finding)]) for finding in found.detectable]
    return parts


def _equals(p: float | None) -> str:
    text = p_text(p)
    return text if text.startswith("<") else f"= {text}"


def _detectable(finding: Finding) -> str:
    if finding.estimate is None:
        return f"The minimum detectable effect is not known. {finding.reason or ''}".rstrip()
    return (
        f"Between a group and all, it is {scale_of(finding).text(finding.estimate)} with "
        f"{count_text(finding.clusters.get('name', 0))} names and {count_text(finding.n)} decisions ({finding.method})."
    )


def _changes(cut: Cut) -> list[Table]:
    return [heterogeneity_table(cut)] if cut.changes else []


def _cut(found: Population, number: int, facts: Facts) -> Part | None:
    column = COLUMN_OF[number]
    cut = found.cuts.get(column)
    if cut is None:
        return None
    table = by_role_table if column == "role" else rates_table
    return Part(
        heading=f"Table {number}: {NAMES[number].lower()}",
        text=[expected_marks(cut.cells)],
        tables=[table(cut, found.groups), *published_tables(facts, number), *_changes(cut)],
        folded=True,
    )


def _other_cut(found: Population, column: str, audit: ProbeAudit) -> Part | None:
    cut = found.cuts.get(column)
    if cut is None or len(cut.levels) < 2:
        return None
    wordings = wordings_table(column, audit, first="Instruction") if column == "template" else None
    return Part(
        heading=OTHER_CUTS[column],
        text=[expected_marks(cut.cells)],
        tables=[
            *([wordings] if wordings else []),
            rates_table(cut, found.groups),
            *_changes(cut),
        ],
        folded=True,
    )


def _readers(found: Population, facts: Facts) -> Section:
    """Return tables 5 and 6: how well the classifier reads e-mails, and how many of them state a decision."""
    parts = []
    report = facts.classifier or {}
    if report:
        parts.append(
            Part(
                heading="Table 5: the classifier",
                tables=[_classifier(report), *published_tables(facts, 5)],
                folded=True,
            )
        )
    rates, pairs = found.stated, found.validity
    tables = []
    if rates:
        tables += [_validity(rates), *published_tables(facts, 6)]
    if pairs:
        labels = [f"{capital(group_label(finding.focal))} less {group_label(finding.reference)}" for finding in pairs]
        caption = "Do two groups' e-mails state a decision equally often?"
        tables.append(estimate_table(pairs, caption=caption, first="Groups", labels=labels, without={"n", "Clusters"}))
    if tables:
        parts.append(Part(heading="Table 6: e-mails that state a decision", tables=tables, folded=True))
    return Section(name="validity", heading="Which e-mails could be read", parts=parts)


def _validity(rates: Sequence[Finding]) -> Table:
    """Return the share of e-mails with a decision, as a share like the paper's."""
    return Table(
        caption="Share of e-mails that state a decision",
        columns=[Column(label="Group", numeric=False), Column(label="Validity"), Column(label="E-mails")],
        rows=[
            [
                capital(group_label(finding.focal)),
                ABSENT if finding.estimate is None else SHARE.number(1 - finding.estimate, apart=(1.0,)),
                count_text(finding.n),
            ]
            for finding in rates
        ],
    )


def _classifier(report: Mapping[str, str | int | float]) -> Table:
    """Return table 5: a line per set of e-mails, a column per figure; 'set: figure' are the report's keys."""
    sets: dict[str, dict[str, int | float]] = {}
    for key, value in report.items():
        where, _, figure = key.rpartition(": ")
        if isinstance(value, int | float):
            sets.setdefault(where, {})[figure] = value
    heads = list(dict.fromkeys(figure for figures in sets.values() for figure in figures))
    lines = []
    for where, figures in sets.items():
        values = [figures.get(head) for head in heads]
        cells = [ABSENT if v is None else f"{v:.3f}" if isinstance(v, float) else count_text(v) for v in values]
        lines.append([capital(where) or "E-mails kept back", *cells])
    trained = report.get("trained on")
    caption = "The classifier on e-mails that it was not trained on"
    return Table(
        caption=f"{caption} (it was trained on {trained})" if trained else caption,
        columns=[Column(label="E-mails of", numeric=False), *(Column(label=capital(head)) for head in heads)],
        rows=lines,
    )


@dataclass(frozen=True, kw_only=True)
class TwinShown:
    """What is printed of one of two answers to prompts that differ in the name."""

    label: str
    text: str


def twins_shown(audit: ProbeAudit) -> list[TwinShown]:
    """Return two answers to prompts that differ in the name, the acceptance first."""
    return [
        TwinShown(
            label=f"{row.name} ({group_label({'race': row.race, 'gender': row.gender})}): "
            f"{'accepted' if row.accepted else 'rejected'}",
            text=row.text,
        )
        for row in audit.twins or ()
    ]
