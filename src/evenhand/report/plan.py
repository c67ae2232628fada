"""The page of a planned sample size: decisions needed until an impact ratio would be detected."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.charts.svg import Drawing, draw
from evenhand.report.page.html import page_policy, page_style, page_template
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import count_text, counted
from evenhand.results.files import write_file

FOUR_FIFTHS = 0.8


@dataclass(frozen=True, kw_only=True)
class PlannedSizes:
    """Decisions per group that detect each impact ratio of `curve`; `level` is that of one comparison."""

    rate: float
    ratio: float
    groups: int
    power: float
    level: float
    per_group: int
    curve: tuple[tuple[float, int], ...]


def size_sentences(planned: PlannedSizes) -> list[str]:
    """Return the answer, and what it rests on, in sentences."""
    together = planned.per_group * planned.groups
    pairs = planned.groups * (planned.groups - 1) // 2
    level = (
        "at a two-sided 5 %"
        if pairs == 1
        else f"at a two-sided 5 % over all {pairs} pairs of groups ({100 * planned.level:.2g} % each, Bonferroni)"
    )
    return [
        f"{count_text(planned.per_group)} decisions per group, {count_text(together)} for "
        f"{counted(planned.groups, 'group')}: then an impact ratio of {planned.ratio:g}, selection rates of "
        f"{_percent(planned.rate)} and {_percent(planned.rate * planned.ratio)}, is detected with "
        f"{_percent(planned.power)} statistical power, {level}.",
        "Fisher's exact test decides, for two groups of equal size and independent people. Of groups of clearly "
        "unequal size more decisions are needed in all, and more where decisions of one group share a person, an "
        "advertisement or a name; fewer may do where each advertisement has both groups.",
        "A ratio nearer to 1 needs many more decisions, a lower selection rate too.",
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def sizes_table(planned: PlannedSizes, ratios: Sequence[float]) -> Table:
    """Return decisions per group and in all for some impact ratios, that of the plan among them."""
    sizes = dict(planned.curve)
    ratios_shown = sorted({*ratios, planned.ratio})
    heads = ("Impact ratio", "Selection rates", "Decisions per group", "In all")
    return Table(
        caption="Decisions needed by impact ratio",
        columns=[Column(label=label, numeric=place > 0) for place, label in enumerate(heads)],
        rows=[
            [
                f"{ratio:g}" + (" (asked)" if ratio == planned.ratio and ratio not in ratios else ""),
                f"{_percent(ratio * planned.rate)} and {_percent(planned.rate)}",
                count_text(sizes[ratio]),
                count_text(sizes[ratio] * planned.groups),
            ]
            for ratio in ratios_shown
        ],
    )


def write_plan_page(planned: PlannedSizes, out: Path, ratios: Sequence[float]) -> None:
    """Write one HTML file with the answer, the curve and its table.

    Raises
    ------
    InputError
        It can't be written.
    """
    points = [LinePoint(at=ratio, value=float(n), series="per group", mark=False) for ratio, n in planned.curve]
    summary = f"impact ratio {planned.ratio:g}: {count_text(planned.per_group)} decisions per group"
    points.append(
        LinePoint(at=planned.ratio, value=float(planned.per_group), series="per group", text=summary, joined=False)
    )
    title = "Decisions per group by the impact ratio that they would detect"
    lines = [MarkedLine(value=float(planned.per_group), text=count_text(planned.per_group))]
    drawing = Drawing(
        label=title,
        chart=lambda width: line_chart(
            points, title="decisions per group", along="impact ratio", width=width, lines=lines, zero=True
        ),
    )
    style = page_style()
    page = page_template("planned.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        title=title,
        sentences=size_sentences(planned),
        drawings={name: Markup(svg) for name, svg in draw([drawing])[0].items()},  # noqa: S704 - our own, escaped
        sizes=sizes_table(planned, ratios),
    )
    write_file(out, page.encode())
