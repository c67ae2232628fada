"""A heat map of ratios: rows by columns, coloured by how low a ratio is, hatched where there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evenhand.report.charts import svg
from evenhand.report.words.numbers import Scale

_HIGH: Final = 30
_RATIO: Final = Scale(decimals=2)
#: Colours of the bands, from 1 on down, by the least ratio of each.
_BANDS: Final = {"A": 0.9, "B": 0.8, "C": 0.65, "D": 0.0}
#: Pixels between two lines of the hatching.
_HATCH: Final = 7


@dataclass(frozen=True, kw_only=True)
class HeatCell:
    """A ratio, None where none was judged; `mark` is one that is statistically significant; `title` is a tooltip.

    A click follows the `link`.
    """

    value: float | None
    mark: bool = False
    title: str = ""
    link: str = ""


def heat_map(
    cells: Sequence[Sequence[HeatCell]], *, rows: Sequence[str], columns: Sequence[str], width: int
) -> svg.Chart:
    """Return the chart of cells by row and column.

    >>> cells = [[HeatCell(value=0.61, mark=True), HeatCell(value=None)]]
    >>> chart = heat_map(cells, rows=["a"], columns=["b", "c"], width=350)
    >>> 'class="band D"' in chart.body, "0.61*" in chart.body, chart.body.count('class="hatch"') > 5
    (True, True, True)
    """
    left = min(svg.longest_line([[label] for label in rows]) + 8, width * 0.4)
    wide = (width - left) / max(len(columns), 1)
    heads = [svg.wrapped(column, wide - 6, svg.SMALL) for column in columns]
    top = svg.LINE * max(map(len, heads), default=0) + 6
    body = "".join(
        svg.texts(left + (place + 0.5) * wide, svg.LINE - 4, lines, kind="small", anchor="middle")
        for place, lines in enumerate(heads)
    )
    y = top
    for label, row in zip(rows, cells, strict=True):
        lines = svg.wrapped(label, left - 8)
        high = max(_HIGH, svg.LINE * len(lines) + 4)
        body += svg.texts(0, y + high / 2 + 4.5 - svg.LINE * (len(lines) - 1) / 2, lines)
        for place, cell in enumerate(row):
            body += svg.group(_cell(cell, left + place * wide, y, wide, high), title=cell.title, link=cell.link)
        y += high
    return svg.Chart(width=width, height=y, body=body, summary=f"{len(rows)} rows of ratios.")


def _cell(cell: HeatCell, x: float, y: float, wide: float, high: float) -> str:
    middle = {"x": x + wide / 2, "y": y + high / 2 + 4.5}
    if cell.value is None:
        lines = range(_HATCH, int(wide + high), _HATCH)
        starts = ((max(at - high, 0), min(at, high)) for at in lines)
        ends = ((min(at, wide), max(at - wide, 0)) for at in lines)
        return "".join(
            svg.line(x + first, y + below, x + second, y + above, kind="hatch")
            for (first, below), (second, above) in zip(starts, ends, strict=True)
        )
    band = next(name for name, least in _BANDS.items() if min(cell.value, 1 / cell.value if cell.value else 0) >= least)
    text = _RATIO.number(cell.value) + ("*" if cell.mark else "")
    square = svg.element("rect", kind=f"band {band}", x=x, y=y, width=wide, height=high)
    return square + svg.text(middle["x"], middle["y"], text, kind="letter")
