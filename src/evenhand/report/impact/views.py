"""What an analysis of applicants looks at: one attribute, under one definition of a selection, at one stage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.report.charts import IntervalRow, MarkedLine
from evenhand.report.page.document import Row
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, MINUS, Scale
from evenhand.report.words.wording import listing, plain
from evenhand.tables.impact_files import APPROACHES, BOTTOM_LINE

__all__ = [
    "APART",
    "CROSSED",
    "FOUR_FIFTHS_LINE",
    "MEANS",
    "ODDS_APART",
    "RATIO",
    "READ_WORDS",
    "TWO_SIDED_LINE",
    "Z_LIMIT",
    "View",
    "attribute_name",
    "by_definition",
    "columns_table",
    "counted_names",
    "definition_of",
    "four_fifths_text",
    "group_label",
    "group_name",
    "interval_row",
    "is_main",
    "ratio_lines",
    "share_text",
    "shown_key",
    "signed",
    "slice_key",
    "views_of",
]

#: Drawn only; verdicts come with each finding. The register of rules has the citations.
FOUR_FIFTHS_LINE, TWO_SIDED_LINE, Z_LIMIT = 0.8, 1.25, 1.96
RATIO = Scale(decimals=3)
#: A printed impact ratio never rounds onto or across these; an odds ratio not across 1.
APART, ODDS_APART = (FOUR_FIFTHS_LINE, 1.0, TWO_SIDED_LINE), (1.0,)
MEASURES = ("impact_ratio", "mean_ratio")
MEANS, CUTOFF, MEDIAN = "means", "cutoff", "median"
#: How impact.csv joins what is crossed, and how the page does.
CROSSED, TIMES = " x ", " \N{MULTIPLICATION SIGN} "
FOUR_FIFTHS_WORDS = {
    "below": "below four-fifths",
    "not_below": "not below four-fifths",
    "above": "above five-fourths",
    "not_computable": "not computable",
}
READ_WORDS = {
    "Fisher, flip-flop": "Fisher's exact test and the flip-flop",
    "Z, Fisher": "the Z test and Fisher's exact test",
    "impact ratio, Cohen's h": "the impact ratio and Cohen's h",
}


@dataclass(frozen=True, kw_only=True)
class View:
    """The groups of one attribute (or of several crossed) in the whole sample, against their reference."""

    approach: str
    cutoff: float | None
    stage: str
    attributes: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def name(self) -> str:
        """Return the attribute as sentences name it."""
        return TIMES.join(plain(attribute) for attribute in self.attributes)

    @property
    def means(self) -> bool:
        """Return whether mean scores are compared, and not selections."""
        return self.approach == MEANS

    @property
    def crossed(self) -> bool:
        """Return whether the groups are those of several attributes at once."""
        return len(self.attributes) > 1

    @property
    def known(self) -> list[Row]:
        """Return the rows with a ratio, the lowest first."""
        return sorted((row for row in self.rows if row.estimate is not None), key=lambda row: row.estimate or 0.0)


def views_of(rows: Sequence[Row]) -> list[View]:
    """Return the views in order: attributes as they come, then definitions of a selection, then stages."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row.measure in MEASURES and row.focal:
            details = row.details
            key = (tuple(row.focal), str(details.get("approach")), details.get("cutoff"), row.slice.get("stage", ""))
            found.setdefault(key, []).append(row)
    attributes = list(dict.fromkeys(key[0] for key in found))
    stages = list(dict.fromkeys(key[3] for key in found))
    ordered = sorted(
        found,
        key=lambda key: (
            attributes.index(key[0]),
            _rank(key[1]),
            key[2] or 0.0,
            stages.index(key[3]),
        ),
    )
    return [
        View(approach=key[1], cutoff=key[2], stage=key[3], attributes=key[0], rows=tuple(found[key])) for key in ordered
    ]


def definition_of(approach: str, cutoff: float | None, audit: Mapping[str, Any]) -> str:
    """Return what counts as a selection, as headings and captions name it.

    >>> definition_of("cutoff", 3.5, {})
    'score above 3.5'
    """
    if approach == CUTOFF:
        at_least = (audit.get("parameters") or {}).get("at_least")
        return f"score {'of at least' if at_least else 'above'} {cutoff:g}"
    if approach == MEDIAN:
        return f"score above the median of {cutoff:g}" if cutoff is not None else "score above the median"
    return "mean score" if approach == MEANS else "decision"


def by_definition(
    rows: Sequence[Any], key: Callable[[Any], tuple[str, Any, str]]
) -> dict[tuple[str, Any, str], list[Any]]:
    """Return rows by approach, cut-off and stage (their `key`), in the order in which definitions are read."""
    found: dict[tuple[str, Any, str], list[Any]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    stages = list(dict.fromkeys(each[2] for each in found))
    order = sorted(found, key=lambda each: (_rank(each[0]), float(each[1] or 0.0), stages.index(each[2])))
    return {each: found[each] for each in order}


def shown_key(row: Mapping[str, Any]) -> tuple[str, Any, str]:
    """Return approach, cut-off and stage of a row of the audit block."""
    return row["approach"], row["cutoff"], row["stage"]


def slice_key(row: Row) -> tuple[str, Any, str]:
    """Return approach, cut-off and stage of a finding, by its slice."""
    cutoff = row.slice.get("cutoff")
    return row.slice.get("approach", "selected"), None if cutoff is None else float(cutoff), row.slice.get("stage", "")


def _rank(approach: str) -> int:
    return APPROACHES.index(approach) if approach in APPROACHES else len(APPROACHES)


def group_name(group: Mapping[str, str]) -> str:
    """Return a group as the data call it.

    >>> group_name({"gender": "female", "race": "Asian"})
    'female × Asian'
    """
    return TIMES.join(group.values())


def attribute_name(attribute: str) -> str:
    """Return an attribute of impact.csv as sentences name it.

    >>> attribute_name("gender x age_group")
    'gender × age group'
    """
    return TIMES.join(plain(part) for part in attribute.split(CROSSED))


def group_label(label: object, attribute: str) -> str:
    """Return a label of impact.csv: that of a single attribute as it is.

    >>> group_label("female x White", "gender x race"), group_label("4 x 4 driver", "job")
    ('female × White', '4 x 4 driver')
    """
    return ABSENT if label is None else str(label).replace(CROSSED, TIMES) if CROSSED in attribute else str(label)


def four_fifths_text(value: object) -> str:
    """Return the verdict of the rule of four fifths in words, a dash without one."""
    return FOUR_FIFTHS_WORDS.get(str(value), ABSENT)


def share_text(value: object) -> str:
    """Return a share in percent with one decimal.

    >>> share_text(0.2139)
    '21.4 %'
    """
    if not isinstance(value, float | int):
        return ABSENT
    return Scale(factor=100, suffix=" %", decimals=1).text(value, apart=(1.0,))


def ratio_lines(audit: Mapping[str, Any]) -> list[MarkedLine]:
    """Return the lines at four fifths, at 1, and at five fourths where the rule looks at both sides."""
    lines = [MarkedLine(value=FOUR_FIFTHS_LINE, text="0.8"), MarkedLine(value=1.0, text="1")]
    if str((audit.get("parameters") or {}).get("four_fifths")).startswith("two"):
        lines.append(MarkedLine(value=TWO_SIDED_LINE, text="1.25"))
    return lines


def interval_row(row: Row, label: str) -> IntervalRow:
    """Return a finding as a line of a chart."""
    if row.estimate is None:
        text = f"{label}: not computed: {row.reason}"
    else:
        span = RATIO.interval(row.low, row.high, apart=APART)
        text = f"{label}: {RATIO.text(row.estimate, apart=APART)}" + (f" ({span})" if span != ABSENT else "")
    return IntervalRow(label=label, estimate=row.estimate, low=row.low, high=row.high, text=text)


def columns_table(
    columns: Mapping[str, Sequence[str]],
    *,
    caption: str,
    first: str,
    labels: Sequence[str],
    words: Sequence[str] = (),
    folded: bool = False,
) -> Table:
    """Return a table with one line per label; columns that would be empty everywhere are left out.

    Numbers stand flush right, the columns in `words` flush left.
    """
    kept = {name: cells for name, cells in columns.items() if set(cells) - {ABSENT, ""}}
    heads = [Column(label=first, numeric=False)]
    heads += [Column(label=name, numeric=name not in {*words, "Note"}) for name in kept]
    return Table(caption=caption, columns=heads, rows=list(zip(labels, *kept.values(), strict=True)), folded=folded)


def counted_names(rows: Sequence[Row], most: int = 4) -> str:
    """Return groups with their ratios, as a list in a sentence."""
    shown = [f"{group_name(row.focal)} {RATIO.text(row.estimate, apart=APART)}" for row in rows[:most]]
    left = len(rows) - len(shown)
    return listing([*shown, f"{left} more"] if left else shown)


def signed(value: object, decimals: int = 2) -> str:
    """Return a number with its sign, a dash without one.

    >>> signed(-0.254)
    '−0.25'
    """
    if not isinstance(value, float | int):
        return ABSENT
    text = f"{abs(value):,.{decimals}f}"
    return (MINUS if value < 0 and text.strip("0.,") else "") + text


def is_main(view: View) -> bool:
    """Return whether a view is of the whole way: no stages, or the bottom line."""
    return view.stage in {"", BOTTOM_LINE}
