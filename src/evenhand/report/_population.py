"""Groups against the population, laid out as the tables of An et al. 2024, with the published figures beside."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evenhand.report._document import Row
from evenhand.report._interval_figure import interval_figure
from evenhand.report._numbers import ABSENT, count_text, p_text, scale_of
from evenhand.report._parts import Column, Part, Section, Table, estimate_table
from evenhand.report._wording import capital, group_label

__all__ = ["TABLE_COLUMNS", "population_sections", "table_rows", "twins_shown"]

AGAINST, RATE, WIDEST, VALIDITY = (
    "acceptance_vs_population",
    "acceptance_rate",
    "max_difference",
    "validity_difference",
)
ABOVE, BELOW = "▲", "▼"
NAMES = {
    1: "All roles",
    2: "Typical entry-level education of the role",
    3: "Stated qualification",
    4: "Single roles",
}
COLUMN_OF = {2: "education", 3: "qualification", 4: "role"}
LEVEL_WORDS = {"omitted": "not specified", "high": "highly", "medium": "somewhat", "low": "not qualified"}
TABLE_COLUMNS = ("table", "source", "column", "race", "gender", "value", "direction", "mark", "p", "n")
NOTE = (
    f"{ABOVE} above and {BELOW} below the average of all groups, * p < .05, † p < .01: the paper's one-sided test in "
    "the direction that was seen, so that without any effect about one group in ten gets a mark. It takes e-mails as "
    "exchangeable; where names differ within a group it finds more still. The permutation over names, in the figure's "
    "table, is two-sided and does not."
)
HARVESTED = "Picked as the widest of several gaps; chance alone makes it larger than zero."

Cells = Mapping[tuple[str, ...], Row]


def population_sections(rows: Sequence[Row], audit: Mapping[str, Any]) -> list[Section]:
    """Return the tables of this run and those published; none where groups are not compared with a population."""
    against = [row for row in rows if row.measure == AGAINST]
    if not any(row.focal for row in against):
        return []
    facts = audit.get("facts") or {}
    sections = [_overall(rows, against)]
    cuts = [_cut(rows, against, number) for number in (2, 3, 4)]
    cuts += [_other_cut(against, column) for column in ("template", "seed")]
    sections.append(Section(name="slices", heading="By role, education, qualification", parts=[c for c in cuts if c]))
    sections.append(_readers(rows, facts))
    if facts.get("published"):
        sections.append(_published(facts))
    return sections


def _overall(rows: Sequence[Row], against: Sequence[Row]) -> Section:
    whole = [row for row in against if not row.slice]
    labels = [capital(group_label(row.focal)) for row in whole]
    title = "Acceptance rate of each group less that of all"
    tests = [[test.name for test in row.tests].index("paper, mid-p") for row in whole]
    fisher = [row.tests[-1] if row.tests[-1].name.startswith("Fisher") else None for row in whole]
    extra = {
        "p, paper's mid-p": [p_text(row.tests[place].p) for row, place in zip(whole, tests, strict=True)],
        "p, Fisher over roles": [p_text(test.p if test else None) for test in fisher],
        "Mark": [row.mark or ABSENT for row in whole],
    }
    figure = interval_figure(
        whole,
        title=title,
        note="Intervals let whole names vary. p: permutation over names, adjusted for all groups at once.",
        labels=labels,
        tables=[
            estimate_table(whole, caption=title, first="Group", labels=labels, extra=extra, without={"Mark (touched)"})
        ],
    )
    parts = [Part(heading="Table 1: all roles", text=[NOTE], figures=[figure], tables=[_rates(rows, against, {})])]
    more = [row for row in rows if row.measure.endswith("_interaction") or row.measure == "detectable_difference"]
    widest = [row for row in rows if row.measure == WIDEST and not row.slice]
    if widest:
        parts.append(Part(heading="The widest gap", text=[HARVESTED], tables=[_widest(widest)]))
    if more:
        labels = [
            f"Gender gap, {row.focal['race']} less {row.reference['race']}"
            if row.reference
            else "Smallest detectable difference"
            for row in more
        ]
        caption = "Race × gender, and what this many names could show"
        parts.append(
            Part(
                heading="Beyond single groups", tables=[estimate_table(more, caption=caption, first="", labels=labels)]
            )
        )
    return Section(name="headline", heading="Groups against the population", parts=parts)


def _widest(rows: Sequence[Row]) -> Table:
    lines = [
        [
            f"{capital(group_label(row.focal))} above {group_label(row.reference)}",
            scale_of(row).text(row.estimate),
            scale_of(row).text(row.details.get("null_mean")),
            scale_of(row).text(row.details.get("null_95")),
            p_text(row.tests[0].p),
        ]
        for row in rows
        if row.estimate is not None
    ]
    heads = ("Groups", "Gap", "Mean gap of shuffled names", "95 % of shuffles below", "p")
    return Table(
        caption="Highest less lowest acceptance rate",
        columns=[Column(label=head, numeric=place > 0) for place, head in enumerate(heads)],
        rows=lines,
    )


def _cell(row: Row | None) -> str:
    """Return a rate with its direction and mark, as in the paper's tables."""
    rate = None if row is None else row.details.get("rate")
    if row is None or rate is None:
        return ABSENT
    if not row.mark:
        return f"{100 * rate:.2f}"
    return f"{ABOVE if (row.estimate or 0) > 0 else BELOW} {100 * rate:.2f}{row.mark}"


def _levels(rows: Iterable[Row], column: str) -> list[str]:
    return list(dict.fromkeys(row.slice[column] for row in rows if column in row.slice))


def _groups(rows: Iterable[Row]) -> list[dict[str, str]]:
    return [dict(pairs) for pairs in dict.fromkeys(tuple(row.focal.items()) for row in rows)]


def _rates(rows: Sequence[Row], against: Sequence[Row], only: Mapping[str, Sequence[str]]) -> Table:
    """Return acceptance rates in percent, groups down and levels across, with averages, gaps and counts."""
    column = next(iter(only), None)
    levels: Sequence[str] = only[column] if column else [""]
    found = {
        (tuple(row.focal.items()), row.slice.get(column or "", "")): row
        for row in against
        if set(row.slice) == set(only)
    }
    lines = [
        [capital(group_label(group)), *(_cell(found.get((tuple(group.items()), level))) for level in levels)]
        for group in _groups(against)
    ]
    any_group = [next((row for (_, own), row in found.items() if own == level), None) for level in levels]
    lines.append(["Average", *(ABSENT if r is None else _percent(r.details.get("population_rate")) for r in any_group)])
    widest = {
        row.slice.get(column or "", ""): row for row in rows if row.measure == WIDEST and set(row.slice) == set(only)
    }
    lines.append(["Max difference", *(_percent(getattr(widest.get(level), "estimate", None)) for level in levels)])
    lines.append(
        ["Number of e-mails", *(ABSENT if r is None else count_text(r.details["n_population"]) for r in any_group)]
    )
    heads = [LEVEL_WORDS.get(level, level) if column == "qualification" else level for level in levels]
    heads = [capital(head) if head else "Acceptance rate (%)" for head in heads]
    caption = f"Acceptance rate (%) by {column}" if column else "Acceptance rate (%), all roles"
    return Table(
        caption=caption,
        columns=[Column(label="Group", numeric=False), *(Column(label=head) for head in heads)],
        rows=lines,
    )


def _percent(share: float | None) -> str:
    return ABSENT if share is None else f"{100 * share:.2f}"


def _cut(rows: Sequence[Row], against: Sequence[Row], number: int) -> Part | None:
    column = COLUMN_OF[number]
    levels = _levels(against, column)
    if not levels:
        return None
    by_role = number == 4
    tables = [_by_role(rows, against, levels) if by_role else _rates(rows, against, {column: levels})]
    tests = [row for row in rows if row.measure == f"{column}_heterogeneity"]
    if tests:
        tables.append(_heterogeneity(tests, column))
    return Part(heading=f"Table {number}: {NAMES[number].lower()}", text=[NOTE] if number == 3 else [], tables=tables)


def _by_role(rows: Sequence[Row], against: Sequence[Row], levels: Sequence[str]) -> Table:
    """Return one line per role: groups across, as there are many roles."""
    groups = _groups(against)
    found = {(tuple(row.focal.items()), row.slice["role"]): row for row in against if set(row.slice) == {"role"}}
    widest = {row.slice["role"]: row for row in rows if row.measure == WIDEST and set(row.slice) == {"role"}}
    lines = []
    for level in levels:
        own = [found.get((tuple(group.items()), level)) for group in groups]
        some = next((row for row in own if row is not None), None)
        lines.append(
            [
                capital(level),
                *(_cell(row) for row in own),
                _percent(getattr(widest.get(level), "estimate", None)),
                count_text(some.details["n_population"]) if some is not None else ABSENT,
            ]
        )
    heads = ["Role", *(capital(group_label(group)) for group in groups), "Max difference", "E-mails"]
    columns = [Column(label=head, numeric=place > 0) for place, head in enumerate(heads)]
    return Table(caption="Acceptance rate (%) by role", columns=columns, rows=lines)


def _other_cut(against: Sequence[Row], column: str) -> Part | None:
    levels = _levels(against, column)
    if len(levels) < 2:
        return None
    table = _rates([], against, {column: levels})
    kept = Table(
        caption=table.caption, columns=table.columns, rows=[row for row in table.rows if row[0] != "Max difference"]
    )
    heading = "By instruction (template)" if column == "template" else "By seed"
    return Part(heading=heading, tables=[kept])


def _heterogeneity(rows: Sequence[Row], column: str) -> Table:
    lines = [
        [
            capital(group_label(row.focal)),
            scale_of(row).text(row.estimate),
            f"{row.details.get('highest')} / {row.details.get('lowest')}",
            p_text(row.tests[0].p),
        ]
        for row in rows
    ]
    heads = ("Group", "Widest gap", "Most / least favoured", "p")
    return Table(
        caption=f"Does the difference to the population change with the {column}? Permutation over names",
        columns=[Column(label=head, numeric=head in {"Widest gap", "p"}) for head in heads],
        rows=lines,
    )


def _readers(rows: Sequence[Row], facts: Mapping[str, Any]) -> Section:
    """Return tables 5 and 6: how many e-mails state a decision, and how well the classifier reads them."""
    report = facts.get("classifier") or {}
    tables = [_classifier(report)] if report else []
    rates = [row for row in rows if row.measure == "undetected_rate_attempts" and len(row.focal) > 1]
    if rates:
        valid = [
            [
                capital(group_label(row.focal)),
                _percent(1 - row.estimate) if row.estimate is not None else ABSENT,
                count_text(row.n),
            ]
            for row in rates
        ]
        tables.append(
            Table(
                caption="Table 6: e-mails that state a decision (%), by group",
                columns=[Column(label="Group", numeric=False), Column(label="Validity (%)"), Column(label="E-mails")],
                rows=valid,
            )
        )
    pairs = [row for row in rows if row.measure == VALIDITY]
    if pairs:
        labels = [f"{capital(group_label(row.focal))} less {group_label(row.reference)}" for row in pairs]
        caption = "Do two groups' e-mails state a decision equally often?"
        tables.append(
            estimate_table(
                pairs, caption=caption, first="Groups", labels=labels, without={"n", "Clusters", "n = clusters"}
            )
        )
    return Section(name="validity", heading="Which e-mails could be read", parts=[Part(tables=tables)])


def _classifier(report: Mapping[str, Any]) -> Table:
    """Return table 5: a line per set of e-mails, a column per figure; 'set: figure' are the report's keys."""
    sets: dict[str, dict[str, Any]] = {}
    for key, value in report.items():
        where, _, figure = str(key).rpartition(": ")
        if isinstance(value, int | float):
            sets.setdefault(where, {})[figure] = value
    heads = list(dict.fromkeys(figure for figures in sets.values() for figure in figures))
    lines = []
    for where, figures in sets.items():
        values = [figures.get(head) for head in heads]
        cells = [ABSENT if v is None else f"{v:.3f}" if isinstance(v, float) else count_text(v) for v in values]
        lines.append([capital(where) or "E-mails kept back", *cells])
    trained = report.get("trained on")
    caption = "Table 5: the classifier on e-mails that it was not trained on"
    return Table(
        caption=f"{caption} (it was trained on {trained})" if trained else caption,
        columns=[Column(label="", numeric=False), *(Column(label=capital(head)) for head in heads)],
        rows=lines,
    )


def _published(facts: Mapping[str, Any]) -> Section:
    parts = []
    for number in sorted({int(row["table"]) for row in facts["published"]}):
        rows = [row for row in facts["published"] if int(row["table"]) == number]
        across = list(dict.fromkeys((row["model"], row["column"]) for row in rows))
        down = list(dict.fromkeys((row["race"], row["gender"]) for row in rows))
        value = {(row["model"], row["column"], row["race"], row["gender"]): row["value"] for row in rows}
        # Models across where there are few columns, else down.
        lines = [
            [f"{model}, {column}", *(value.get((model, column, *group), ABSENT) for group in down)]
            for model, column in across
        ]
        heads = [" ".join(group).strip() or "Value" for group in down]
        parts.append(
            Part(
                heading=f"Published table {number}",
                tables=[
                    Table(
                        caption=f"Table {number} as published",
                        columns=[
                            Column(label="Model, column", numeric=False),
                            *(Column(label=capital(head)) for head in heads),
                        ],
                        rows=lines,
                    )
                ],
            )
        )
    text = [
        f"Reference data, not measured here: {facts.get('published_source', '')}. Other models, templates and a "
        "classifier of its own: compare directions, not decimals."
    ]
    return Section(name="published", heading="The study's own figures", text=text, parts=parts)


def twins_shown(audit: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return what is printed of two answers to prompts that differ in the name: `label, text`, the acceptance first."""
    return [
        {
            "label": f"{row['name']} ({row['race']} {row['gender']}): {'accepted' if row['accepted'] else 'rejected'}",
            "text": row["text"],
        }
        for row in audit.get("twins") or ()
    ]


def table_rows(rows: Sequence[Row], audit: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the cells of tables 1 to 6, this run's and the published ones, as lines of one CSV."""
    lines: list[tuple[str, ...]] = []
    source = f"this run: {audit.get('model', '')}"
    for row in rows:
        if row.measure != AGAINST or not row.focal:
            continue
        column, level = next(iter(row.slice.items()), ("", "all roles"))
        number = {"": "1", "education": "2", "qualification": "3", "role": "4"}.get(column, column)
        direction = "" if not row.mark else "above" if (row.estimate or 0) > 0 else "below"
        rate = row.details.get("rate")
        decisive = row.tests[-1].p
        cells = (number, source, level, row.focal.get("race", ""), row.focal.get("gender", ""))
        found = ("" if rate is None else f"{100 * rate:.4f}", direction, row.mark or "")
        lines.append((*cells, *found, "" if decisive is None else repr(decisive), str(row.n)))
    for name, value in ((audit.get("facts") or {}).get("classifier") or {}).items():
        lines.append(("5", "classifier", str(name), "", "", str(value), "", "", "", ""))
    for row in rows:
        if row.measure == "undetected_rate_attempts" and len(row.focal) > 1 and row.estimate is not None:
            group = (row.focal.get("race", ""), row.focal.get("gender", ""))
            lines.append(("6", source, "validity", *group, f"{100 * (1 - row.estimate):.4f}", "", "", "", str(row.n)))
    for each in (audit.get("facts") or {}).get("published") or ():
        cells = (each["table"], f"An et al. 2024: {each['model']}", each["column"], each["race"], each["gender"])
        lines.append((*cells, each["value"], "", "", "", ""))
    return lines
