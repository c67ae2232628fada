"""What the demo shows: its index page, and the terminal."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from evenhand.commands.demo.found import Row
from evenhand.commands.terminal import Screen, continued
from evenhand.report.charts import Chart, Drawing, IntervalRow, MarkedLine, draw, interval_chart
from evenhand.report.page.parts import Column, Table
from evenhand.report.page.style import page_policy, page_style
from evenhand.report.page.template import page_template
from evenhand.report.words.numbers import ABSENT, POINTS, Scale

if TYPE_CHECKING:
    from evenhand.commands.demo.run import Demo, Stage

__all__ = ["PAGE", "demo_page", "demo_text", "rows_table"]

PAGE: Final = "index.html"
_SCALES: Final = {
    "share": Scale(factor=100, suffix=" %", decimals=2),
    "share per unit": replace(POINTS, suffix=" points", long_suffix=" percentage points"),
    "AUC": Scale(suffix="", long_suffix="AUC"),
    "area": Scale(suffix="", long_suffix="AUC"),
    "ratio": Scale(suffix="", long_suffix="impact ratio"),
    "points": Scale(suffix=" points", long_suffix="points", decimals=2, signed=True),
}
_DIFFERENCE: Final = "below 0"
_COLUMNS: Final = (
    Column(label="Measure", numeric=False),
    Column(label="Expected"),
    Column(label="Found"),
    Column(label="95 % CI"),
)


def rows_table(rows: Sequence[Row]) -> Table:
    """Return what was injected and found as a table."""
    return Table(
        caption="What follows from what was injected, and what was found",
        columns=_COLUMNS,
        rows=[_cells(row) for row in rows],
    )


def demo_page(stages: Sequence["Stage"]) -> bytes:
    """Return the index page: every stage with its commands, charts, numbers and links."""
    style = page_style()
    plotted = [(stage.step.name, row) for stage in stages for row in stage.found if row.low is not None]
    drawn = draw([Drawing(label=row.label, chart=partial(_chart, row)) for _, row in plotted])
    figures: dict[str, list[dict[str, Markup]]] = {}
    for (name, _), pair in zip(plotted, drawn, strict=True):
        figures.setdefault(name, []).append({size: Markup(svg) for size, svg in pair.items()})  # noqa: S704
    page = page_template("demo.html.jinja").render(
        style=Markup(style),  # noqa: S704 - our own file
        policy=page_policy(style),
        stages=stages,
        typed=lambda command: "\n".join(continued(command, 76)),
        figures=figures,
        tables={stage.step.name: rows_table(stage.found) for stage in stages if stage.found},
        outside=[row.label for stage in stages for row in stage.found if row.holds is False],
        overview=rows_table([row for stage in stages for row in stage.found]),
        held=sum(row.holds is True for stage in stages for row in stage.found),
    )
    return page.encode()


def demo_text(demo: "Demo") -> str:
    """Return what the terminal shows: every stage with its commands and what was found."""
    screen = Screen()
    screen.say("SIMULATED: the company, the model and the scorer are synthetic; what was injected is known.")
    for number, stage in enumerate(demo.stages, 1):
        screen.say()
        screen.say(f"{number}. {stage.step.heading}")
        screen.say(f"Injected: {stage.step.injected}", bullet="  ")
        for command in stage.step.commands:
            screen.type(command)
        if stage.skipped:
            screen.say(stage.skipped, bullet="  ")
        for row in stage.found:
            _, expected, found, interval = _cells(row)
            known = f" (95 % CI {interval})" if interval != ABSENT else ""
            told = f"Found: {row.label}: {found}{known}"
            screen.say(f"{told}; expected {expected}." if expected != ABSENT else f"{told}.", bullet="  ")
    screen.say()
    screen.keep(f"Open {demo.path / PAGE}")
    return screen.text


def _scale(row: Row) -> Scale:
    scale = _SCALES.get(row.unit, Scale())
    return POINTS if row.unit == "share" and row.expected == _DIFFERENCE else scale


def _cells(row: Row) -> list[str]:
    scale = _scale(row)
    values = [value if isinstance(value, str) else scale.text(value) for value in (row.expected, row.estimate)]
    interval = ABSENT if row.low is None else f"{scale.number(row.low)} to {scale.text(row.high)}"
    return [row.label, values[0], values[1], interval]


def _chart(row: Row, width: int) -> Chart:
    scale = _scale(row)
    ends = [
        None if not isinstance(each, int | float) else scale.shown(each) for each in (row.estimate, row.low, row.high)
    ]
    plotted = IntervalRow(label="Found", estimate=ends[0], low=ends[1], high=ends[2], text=" ".join(_cells(row)))
    at = row.expected if isinstance(row.expected, int | float) else None
    line = (
        MarkedLine(value=0.0, text="no difference")
        if at is None
        else MarkedLine(value=scale.shown(at), text="expected")
    )
    return interval_chart([plotted], title=f"{row.label}", width=width, lines=[line])
