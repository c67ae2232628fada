"""Points, lines and legends: series are marked by shape, dash and place, and by colour besides."""

from collections.abc import Sequence
from typing import Literal

from evenhand.report.charts.labels import LINE, longest_line, wrapped
from evenhand.report.charts.svg import Piece, element, line, number, texts

__all__ = ["KEY", "Sign", "arrow", "key", "legend", "path", "point", "series_class"]

#: What stands beside the name of a series.
Sign = Literal["point", "line", "both", "bar"]

#: Colours, dashes and shapes before they are used again: whoever has more series draws several charts.
_KINDS = 6
#: Half the width of a point, and of one among many.
_REACH, _SMALL = 4.5, 3.2
#: The symbol of a legend, and the room after a name.
KEY, _BETWEEN = 30, 22


def series_class(place: int) -> str:
    """Return the class that gives a series its colour and dash."""
    return f"s{place % _KINDS + 1}"


def point(x: float, y: float, *, place: int = 0, hollow: bool = False, small: bool = False) -> str:
    """Return the mark of a series."""
    kind, r = "hollow" if hollow else "dot", _SMALL if small else _REACH
    shape = place % _KINDS
    if shape == 0:
        return element("circle", kind=kind, cx=x, cy=y, r=r)
    if shape == 1:
        return element("rect", kind=kind, x=x - r + 0.5, y=y - r + 0.5, width=2 * r - 1, height=2 * r - 1)
    moves = {
        2: f"m0 {-r - 1} {r + 0.7} {2 * r}h{-2 * r - 1.4}z",
        3: f"m0 {-r - 1.5} {r + 1.5} {r + 1.5} {-r - 1.5} {r + 1.5} {-r - 1.5} {-r - 1.5}z",
        4: f"m0 {r + 1} {r + 0.7} {-2 * r}h{-2 * r - 1.4}z",
        5: f"m-2 {-r - 0.5}h4v{r - 1.5}h{r - 1.5}v4h{1.5 - r}v{r - 1.5}h-4v{1.5 - r}h{1.5 - r}v-4h{r - 1.5}z",
    }
    return element("path", kind=kind, d=f"M{number(x)} {number(y)}{moves[shape]}")


def arrow(x: float, y: float, *, right: bool) -> str:
    """Return the head of an arrow with its tip at the edge of the frame."""
    back = -9 if right else 9
    return element("path", kind="head", d=f"M{number(x)} {number(y)}l{back} -5v10z")


def path(places: Sequence[tuple[float, float]], *, kind: str, close: bool = False) -> str:
    """Return a line through places, closed if it goes around an area."""
    if not places:
        return ""
    steps = " ".join(f"{number(x)} {number(y)}" for x, y in places)
    return element("path", kind=kind, d=f"M{steps}{'z' if close else ''}")


def legend(names: Sequence[str], *, width: float, sign: Sign = "point") -> Piece:
    """Return a legend for a chart's top, in as many lines as it needs; nothing for a single series."""
    if len(names) < 2:
        return Piece()
    fitted = [wrapped(name, width - KEY) for name in names]
    widths = [KEY + longest_line([own]) + _BETWEEN for own in fitted]
    columns = max(1, min(len(names), int((width + _BETWEEN) // max(widths))))
    # Names of very different length need no columns if all of them fit into one line.
    if sum(widths) - _BETWEEN <= width:
        columns, lefts = len(names), [sum(widths[:place]) for place in range(len(names))]
    else:
        lefts = [place % columns * max(widths) for place in range(len(names))]
    body, top = "", 0.0
    for first in range(0, len(names), columns):
        row = range(first, min(first + columns, len(names)))
        for place in row:
            y = top + LINE - 3
            body += key(lefts[place], y - 4.5, place, sign=sign)
            body += texts(lefts[place] + KEY, y, fitted[place], whole=names[place])
        top += LINE * max(len(fitted[place]) for place in row) + 4
    return Piece(body=body, height=top + 8)


def key(x: float, y: float, place: int, *, sign: Sign) -> str:
    """Return the sign of a series beside its name."""
    wide = KEY - 8
    own = line(x, y, x + wide, y, kind="line") if sign in {"line", "both"} else ""
    own += point(x + wide / 2, y, place=place) if sign in {"point", "both"} else ""
    own += element("rect", kind="bar", x=x + 0.5, y=y - 5, width=wide - 1, height=10) if sign == "bar" else ""
    return element("g", own, kind=series_class(place))
