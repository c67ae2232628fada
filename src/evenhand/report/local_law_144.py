"""The page of New York's Local Law 144: its tables and the fields to be published, without a verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evenhand.report.impact.views import group_label
from evenhand.report.page.html import page_policy, page_style, page_template
from evenhand.report.page.parts import Part, Section, Table, table_of
from evenhand.report.words.numbers import ABSENT, PLAIN, count_text, percent_text
from evenhand.report.words.results import capital, in_words
from evenhand.results.applicant_audit import ImpactAudit, LL144Block, LL144Row
from evenhand.results.messages import listed
from evenhand.results.schemas import CROSSED

PAGE = "ll144.html"
HEADING = "Calculations for a bias audit; the audit must be made by an independent auditor."
UNKNOWN = "unknown"
AUDITOR, EMPLOYER = "the independent auditor", "the employer or employment agency"
NO_ROWS = "no rows: the data have no category with a rate"


@dataclass(frozen=True, kw_only=True)
class _Field:
    """A field to be published, and who has to fill it in."""

    term: str
    value: str
    by: str


def ll144_page(audit: ImpactAudit, block: LL144Block) -> str:
    """Return the page of the tables of Local Law 144."""
    style = page_style()
    fields = _fields(block)
    blank = sum(not field.value for field in fields)
    return page_template("ll144.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        simulated=audit.simulated,
        simulated_note=audit.simulated_note or "",
        heading=HEADING,
        introduction=(
            "Rates and impact ratios by sex, by race or ethnicity, and by both, as 6 RCNY 5-301 describes them. "
            "The law sets no threshold, and these tables give no verdict."
        ),
        fields=fields,
        open=f"{count_text(blank)} fields are still to be filled in before this page can be published."
        if blank
        else "",
        sections=_sections(block),
        calculation=_calculation(audit, block),
        rules=_rules(audit),
        version=audit.versions.get("evenhand", ""),
    )


def _fields(block: LL144Block) -> list[_Field]:
    """Return the fields of 6 RCNY 5-303(a), and those that a reader needs to know what they are about."""
    published, rows = block.published, block.rows

    def field(term: str, value: str | None, by: str) -> _Field:
        return _Field(term=term, value=(value or "").strip(), by=by)

    unknown = "; ".join(f"{_name(row)}: {count_text(row.n)}" for row in rows if row.category == UNKNOWN)
    return [
        field("Automated employment decision tool", published.tool, EMPLOYER),
        field("Date of the most recent bias audit", published.audit_date, AUDITOR),
        field("Independent auditor", published.auditor, AUDITOR),
        field("Distribution date of the tool", published.distribution_date, EMPLOYER),
        field("Source and explanation of the data", published.data_source, AUDITOR),
        _Field(term="Individuals in an unknown category", value=unknown, by=AUDITOR),
        _Field(
            term="Applicants, rates and impact ratios of all categories",
            value="in the tables that follow" if any(_counted(row) for row in rows) else NO_ROWS,
            by=AUDITOR,
        ),
    ]


def _sections(block: LL144Block) -> list[Section]:
    rows, sections = block.rows, []
    for number, attribute in enumerate(dict.fromkeys(row.attribute for row in rows), start=1):
        attribute_rows = [row for row in rows if row.attribute == attribute]
        unknown = [row for row in attribute_rows if row.category == UNKNOWN]
        excluded = [row for row in attribute_rows if row.excluded]
        counted = [row for row in attribute_rows if _counted(row)]
        tables = [_categories(counted, block)] if counted else []
        if excluded:
            tables.append(_excluded(excluded, block))
        if block.periods:
            tables.append(_side_by_side(attribute, block))
        text = [
            f"{count_text(row.n)} {'person is' if row.n == 1 else 'people are'} in an unknown category "
            f"({percent_text(row.share)} of all), in no rate and in no ratio."
            if row.n
            else "Nobody is in an unknown category."
            for row in unknown
        ]
        if empty := [_label(row) for row in attribute_rows if _counted(row) and not row.n]:
            text.append(f"Nobody is in {listed(empty, most=len(empty))}: without a rate there is no ratio.")
        if not counted:
            text.append(f"{capital(NO_ROWS)}.")
        sections.append(
            Section(name=f"table-{number}", heading=_heading(attribute), text=text, parts=[Part(tables=tables)])
        )
    return sections


def _heading(attribute: str) -> str:
    parts = [in_words(part) for part in attribute.split(CROSSED)]
    return capital(" by ".join(parts)) + (" (intersectional)" if len(parts) > 1 else "")


def _name(row: LL144Row) -> str:
    return in_words(row.attribute).replace(CROSSED, " by ")


def _counted(row: LL144Row) -> bool:
    return row.category != UNKNOWN and not row.excluded


def _label(row: LL144Row) -> str:
    return capital(group_label(row.category, row.attribute))


def _rate_name(block: LL144Block) -> str:
    return "Scoring rate" if block.scoring else "Selection rate"


def _share_name(block: LL144Block) -> str:
    return "Share of all" if block.exclusion_base == "all" else "Share of those known"


def _categories(rows: Sequence[LL144Row], block: LL144Block) -> Table:
    return table_of(
        rows,
        {
            "Category": _label,
            "Applicants": lambda row: count_text(row.n),
            "Above the median" if block.scoring else "Selected": lambda row: count_text(row.selected),
            _rate_name(block): lambda row: percent_text(row.rate),
            "Impact ratio": lambda row: PLAIN.text(row.impact_ratio, apart=(1.0,)),
            _share_name(block): lambda row: percent_text(row.share),
        },
        caption=f"{_rate_name(block)}s and impact ratios",
    )


def _side_by_side(attribute: str, block: LL144Block) -> Table:
    """Return the categories of an attribute in each period, each compared with the highest rate of its own period."""
    of = {
        (period, row.category): row
        for period, rows in block.periods.items()
        for row in rows
        if row.attribute == attribute and row.category != UNKNOWN
    }
    label = {row.category: _label(row) for row in of.values()}

    def cells(period: str) -> dict[str, Callable[[str], str]]:
        def cell(text: Callable[[LL144Row], str]) -> Callable[[str], str]:
            return lambda category: text(of[period, category]) if (period, category) in of else ABSENT

        return {
            f"{period}, n": cell(lambda row: count_text(row.n)),
            f"{period}, rate": cell(lambda row: percent_text(row.rate)),
            f"{period}, ratio": cell(lambda row: PLAIN.text(row.impact_ratio, apart=(1.0,))),
        }

    columns: dict[str, Callable[[str], str]] = {"Category": lambda category: label[category]}
    for period in block.periods:
        columns |= cells(period)
    return table_of(sorted(label), columns, caption="Each period by itself, side by side (n: applicants)")


def _excluded(rows: Sequence[LL144Row], block: LL144Block) -> Table:
    return table_of(
        rows,
        {
            "Category": _label,
            "Applicants": lambda row: count_text(row.n),
            _rate_name(block): lambda row: percent_text(row.rate),
            _share_name(block): lambda row: percent_text(row.share),
            "Reason, by the auditor": lambda row: row.reason or block.exclusion_reason or "",
        },
        caption="Categories of less than 2 % of the data, left out of the impact ratios (6 RCNY 5-301(d))",
    )


def _calculation(audit: ImpactAudit, block: LL144Block) -> list[str]:
    if block.scoring:
        median = block.median
        value = f", {median:g}" if isinstance(median, float | int) else ""
        rate = f"The scoring rate is the share of a category with a score above the median of all scores{value}."
    else:
        rate = "The selection rate is the share of a category that was selected."
    used, rows_read = audit.accounting.rows_used, audit.accounting.rows_read
    data = f"Data: {audit.source}"
    several = _several_tables(block)
    if used is not None and rows_read is not None and not several:
        data += f"; {count_text(used)} of {count_text(rows_read)} {audit.accounting.noun} were used"
    left_out = (
        "Categories of less than 2 % of the data are left out of the ratios, for the reasons given with them."
        if any(row.excluded for row in block.rows)
        else "No category was left out of the ratios."
        if any(_counted(row) for row in block.rows)
        else ""
    )
    base = "all people used" if block.exclusion_base == "all" else "the people whose category is known"
    return [
        f"{rate} The impact ratio is that rate divided by the highest rate of a category in the same table.",
        *several,
        f"{left_out} Shares are of {base}. Small categories have ratios that one person can move far.".lstrip(),
        "If test data were used and not historical data of the tool's use, the summary must say why, and how they were "
        "generated and obtained (6 RCNY 5-302).",
        data + ".",
    ]


def _several_tables(block: LL144Block) -> list[str]:
    """Return of how many people each table is, where they are not of the same."""
    people: dict[str, int] = {}
    for row in block.rows:
        people[_name(row)] = people.get(_name(row), 0) + row.n
    if len(set(people.values())) < 2:
        return []
    named = ", ".join(f"{name} {count_text(n)}" for name, n in people.items())
    return [f"The tables are of different numbers of people ({named}); each was calculated by itself."]


def _rules(audit: ImpactAudit) -> Table | None:
    rules = [rule for rule in audit.rules if rule.key.startswith("ll144")]
    if not rules:
        return None
    return table_of(
        rules,
        {
            "Rule": lambda rule: rule.title.removeprefix("Local Law 144: "),
            "Citation": lambda rule: rule.citation,
            "In force from": lambda rule: rule.in_force or "",
            "Checked on": lambda rule: rule.checked or "not yet",
        },
        caption="Rules that the calculation follows",
    )
