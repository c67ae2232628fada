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
    "difference": replace(POINTS, suffix=" points", long_suffix=" percentage points"),
}
_COLUMNS: Final = (
    Column(label="Stage and measure", numeric=False),
    Column(label="Expected"),
    Column(label="Found"),
    Column(label="95 % CI"),
    Column(label="In the CI", numeric=False),
)
_HOLDS: Final = {True: "yes", False: "no", None: ABSENT}


def rows_table(stages: Sequence["Stage"]) -> Table:
    """Return what was injected and found at all stages as a table, with a link to each stage."""
    link = Markup('<a href="#{}">{}</a>: {}')
    return Table(
        caption="What follows from what was injected, and what was found",
        columns=_COLUMNS,
        rows=[
            [link.format(stage.step.name, stage.step.short, row.label), *_cells(row), _HOLDS[row.holds]]
            for stage in stages
            for row in stage.found
        ],
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
        told=_told,
        outside=[row.label for stage in stages for row in stage.found if row.holds is False],
        overview=rows_table(stages),
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
            screen.say(f"Found: {_told(row)}", bullet="  ")
    screen.say()
    screen.keep(f"Open {demo.path / PAGE}")
    return screen.text


def _cells(row: Row) -> list[str]:
    scale = _SCALES.get(row.unit, Scale())
    expected = row.expected if isinstance(row.expected, str) else scale.number(row.expected)
    found = row.estimate if isinstance(row.estimate, str) else scale.text(row.estimate)
    return [expected, found, ABSENT if row.low is None else f"{scale.number(row.low)} to {scale.number(row.high)}"]


def _told(row: Row) -> str:
    """Return what was expected and found as a sentence, and why there is no interval."""
    expected, found, interval = _cells(row)
    known = "" if interval == ABSENT else f" (95 % CI {interval})"
    told = f"{row.label}: {found}{known}" + ("." if expected == ABSENT else f"; expected {expected}.")
    return told if row.reason is None else f"{told} {row.reason}"


def _chart(row: Row, width: int) -> Chart:
    scale = _SCALES.get(row.unit, Scale())
    ends = [
        None if not isinstance(each, int | float) else scale.shown(each) for each in (row.estimate, row.low, row.high)
    ]
    plotted = IntervalRow(label="Found", estimate=ends[0], low=ends[1], high=ends[2], text=_told(row))
    at = row.expected if isinstance(row.expected, int | float) else None
    lines = [] if at is None else [MarkedLine(value=scale.shown(at), text="expected")]
    return interval_chart([plotted], title=row.label, width=width, lines=lines)
