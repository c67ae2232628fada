"""Charts with one row per estimate: intervals, ratios, mark bands, and bars from zero."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isnan

from evenhand.report.charts import axes, svg
from evenhand.report.words.numbers import counted

#: Ratios farther out are drawn as an arrow at the edge; the table has their numbers.
LOWEST, HIGHEST = 0.05, 20.0
_PITCH, _SECOND = 26, 6


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One estimate in printed units; `series` is marked by colour and shape.

    An end that is infinite, or unknown where the other is known, is open. `second` is
    another interval of the same estimate, drawn thin below. A click follows the `link`.
    """

    label: str
    estimate: float | None
    low: float | None
    high: float | None
    text: str
    series: str = ""
    second: tuple[float, float] | None = None
    link: str = ""


def interval_chart(
    rows: Sequence[IntervalRow], *, title: str, width: int, lines: Sequence[axes.MarkedLine] = ()
) -> svg.Chart:
    """Return the chart; rows keep their order, marked lines are always in view."""
    low, high = axes.padded(_values(rows, lines), share=0.04)
    return _chart(rows, "linear", low, high, title=title, width=width, lines=lines)


def ratio_chart(
    rows: Sequence[IntervalRow], *, title: str, width: int, lines: Sequence[axes.MarkedLine] = ()
) -> svg.Chart:
    """Return the chart with a logarithmic axis: half and double are equally far from 1."""
    inside = [min(max(value, LOWEST), HIGHEST) for value in _values(rows, lines) if value is not None and value > 0]
    low, high = axes.padded(inside or [0.5, 2.0], share=0.04, axis="log")
    return _chart(rows, "log", max(low, LOWEST), min(high, HIGHEST), title=title, width=width, lines=lines)


def _values(rows: Sequence[IntervalRow], lines: Sequence[axes.MarkedLine]) -> list[float | None]:
    ends = [end for row in rows for end in (row.estimate, row.low, row.high, *(row.second or ()))]
    return [*ends, *(marked.value for marked in lines)]


def _chart(
    rows: Sequence[IntervalRow],
    axis: axes.Axis,
    low: float,
    high: float,
    *,
    title: str,
    width: int,
    lines: Sequence[axes.MarkedLine],
) -> svg.Chart:
    series = list(dict.fromkeys(row.series for row in rows))
    labels = [row.label for row in rows]
    shared = list(dict.fromkeys(labels))
    # Rows of one label and several series stand together; else each has its own line.
    together = len(shared) < len(rows) and len({(row.label, row.series) for row in rows}) == len(rows)
    labels = shared if together else labels
    lanes = [
        svg.Lane(label=labels.index(row.label), series=series.index(row.series))
        if together
        else svg.Lane(label=place, series=0)
        for place, row in enumerate(rows)
    ]
    top = svg.legend(series, width=width)
    # The width of the labels places the lines' names, whose height places the rows: the layout is computed twice.
    place = svg.row_layout(labels, lanes, width=width, top=0, pitch=_PITCH)
    scale = axes.scale_for(axis, low, high, start=place.left + 4, end=place.right)
    names = axes.names_above(lines, scale, width=width, y=top.height)
    begin = top.height + names.height
    place = svg.row_layout(labels, lanes, width=width, top=begin + 2, pitch=_PITCH)
    foot = begin + 2 + place.labels.height
    below = axes.axis_below(scale, axis, y=foot, width=width, title=title, grid_from=begin)
    marked = "".join(
        svg.line(scale.at(marked.value), begin, scale.at(marked.value), foot, kind="marked")
        for marked in lines
        if scale.holds(marked.value)
    )
    drawn = "".join(_row(row, series.index(row.series), scale, y=y) for row, y in zip(rows, place.middles, strict=True))
    return svg.Chart(
        width=width,
        height=foot + below.height,
        body=top.body + names.body + below.body + marked + place.labels.body + drawn,
        summary=f"{counted(len(rows), 'estimate')}: dots on lines that are intervals.",
    )


def _row(row: IntervalRow, series: int, scale: axes.Scale, *, y: float) -> str:
    kind = svg.series_class(series)
    if row.estimate is None or isnan(row.estimate):
        return svg.group(svg.text(scale.start + 6, y + 4.5, "not computed", kind="absent"), kind=kind, title=row.text)
    body = ""
    if row.second is not None:
        below = y + _SECOND
        body += svg.line(scale.at(row.second[0]), below, scale.at(row.second[1]), below, kind="thin")
    if row.low is not None or row.high is not None:
        low = -inf if row.low is None else row.low
        high = inf if row.high is None else row.high
        body += svg.line(scale.at(low), y, scale.at(high), y, kind="span")
        body += svg.arrow(scale.start - 4, y, right=False) if low < scale.low else ""
        body += svg.arrow(scale.end + 4, y, right=True) if high > scale.high else ""
    if scale.holds(row.estimate):
        body += svg.point(scale.at(row.estimate), y, place=series)
    else:
        # Farther out than the axis goes: a diamond at the edge.
        body += svg.point(scale.at(row.estimate), y, place=3)
    return svg.group(body, kind=kind, title=row.text, link=row.link)


LETTERS = ("A", "B", "C", "D")
_EDGE = 8
_MIDDLE, _FIRST_OTHER, _OTHERS = 18, 14, 6
#: Height of the bands without other intervals, and of their letters.
_HEIGHT, _LETTERS = 50, 22
#: Half the height of the strokes that close an interval.
_CLOSE = 8


@dataclass(frozen=True, kw_only=True)
class BandLabel:
    """A labelled value on the scale: a tick of the axis or a reference model."""

    value: float
    text: str


@dataclass(frozen=True, kw_only=True)
class OtherInterval:
    """A second interval of the same estimate, drawn thin below the first."""

    low: float
    high: float
    text: str


@dataclass(frozen=True, kw_only=True)
class BandRow:
    """An estimate, and the bands around `centre` that its distance from it is marked by.

    `edges` are the distances at which a band ends; with `one_sided` there is nothing below
    the centre. `ends` say what lies to the left and to the right.
    """

    estimate: float | None
    low: float | None
    high: float | None
    text: str
    centre: float
    edges: Sequence[float]
    ticks: Sequence[BandLabel]
    others: Sequence[OtherInterval] = ()
    references: Sequence[BandLabel] = ()
    one_sided: bool = False
    ends: tuple[str, str] = ("", "")


def band_chart(row: BandRow, *, title: str, width: int) -> svg.Chart:
    """Return the chart; distances from the centre are stretched (symmetric logarithm).

    A linear scale from -1 to 1 would make band A a sliver and the interval a dot.
    """
    others = [end for other in row.others for end in (other.low, other.high)]
    ends = axes.finite([row.estimate, row.low, row.high, *others, *(reference.value for reference in row.references)])
    reach = max([row.edges[-1], *(abs(value - row.centre) for value in ends)])
    low = 0.0 if row.one_sided else -reach
    scale = axes.stretched(low, reach, constant=row.edges[0], start=_EDGE, end=width - _EDGE)
    named = [axes.MarkedLine(value=reference.value - row.centre, text=reference.text) for reference in row.references]
    models = axes.names_above(named, scale, width=width, y=0, kind="model")
    top = models.height + (2 if named else 4)
    foot = top + _HEIGHT + _OTHERS * len(row.others)
    ticks = [axes.Tick(value=tick.value - row.centre, text=tick.text) for tick in row.ticks]
    below = axes.axis_below(scale, ticks, y=foot, width=width, title=title, ends=row.ends)
    lines = "".join(
        svg.line(at, top - 2, at, foot - _LETTERS, kind="model")
        for at in dict.fromkeys(scale.at(reference.value - row.centre) for reference in row.references)
    )
    return svg.Chart(
        width=width,
        height=foot + below.height,
        body=_bands(row, scale, top=top, foot=foot) + lines + models.body + below.body + _marks(row, scale, top=top),
        summary="An estimate as a dot on a line that is its interval, before the bands of the marks A to D.",
    )


def _bands(row: BandRow, scale: axes.Scale, *, top: float, foot: float) -> str:
    """Return the bands with their letters; A is one band across the centre."""
    body = ""
    for letter, near, far in _sides(row, scale):
        left, right = scale.at(near), scale.at(far)
        body += svg.element("rect", kind=f"band {letter}", x=left, y=top, width=right - left, height=foot - top)
        if right - left > 14:
            body += svg.text((left + right) / 2, foot - 7, letter, kind="letter")
    return body


def _sides(row: BandRow, scale: axes.Scale) -> Iterator[tuple[str, float, float]]:
    outer = [*row.edges[:-1], max(row.edges[-1], scale.high)]
    inner = [0.0, *row.edges[:-1]]
    for letter, near, far in zip(LETTERS, inner, outer, strict=True):
        if row.one_sided:
            yield letter, near, far
        elif letter == LETTERS[0]:
            yield letter, -far, far
        else:
            yield letter, -far, -near
            yield letter, near, far


def _marks(row: BandRow, scale: axes.Scale, *, top: float) -> str:
    middle = top + _MIDDLE
    body = ""
    known = row.low is not None and row.high is not None
    for place, other in enumerate(row.others):
        y = middle + (_FIRST_OTHER if known else 0) + _OTHERS * place
        ends = scale.at(other.low - row.centre), scale.at(other.high - row.centre)
        body += svg.group(svg.line(ends[0], y, ends[1], y, kind="thin"), title=other.text)
    interval = ""
    if row.low is not None and row.high is not None:
        low, high = row.low - row.centre, row.high - row.centre
        interval += svg.line(scale.at(low), middle, scale.at(high), middle, kind="span")
        for end in (low, high):
            if scale.holds(end):
                interval += svg.line(scale.at(end), middle - _CLOSE, scale.at(end), middle + _CLOSE, kind="closed")
            else:
                interval += svg.arrow(scale.at(end), middle, right=end > 0)
    if row.estimate is None:
        interval += svg.text((scale.start + scale.end) / 2, middle + 4, "not computed", kind="letter")
    else:
        interval += svg.point(scale.at(row.estimate - row.centre), middle)
    return svg.group(body + svg.group(interval, title=row.text), kind="s0")


_BAR_PITCH, _THICK = 26, 14


@dataclass(frozen=True, kw_only=True)
class BarRow:
    """One bar in printed units, with its interval; series are marked by colour, the bar's edge and their order.

    A click follows the `link`.
    """

    label: str
    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    series: str = ""
    link: str = ""


def bar_chart(rows: Sequence[BarRow], *, title: str, width: int) -> svg.Chart:
    """Return the chart; rows keep their order, and the axis holds zero."""
    series = list(dict.fromkeys(row.series for row in rows))
    labels = list(dict.fromkeys(row.label for row in rows))
    lanes = [svg.Lane(label=labels.index(row.label), series=series.index(row.series)) for row in rows]
    low, high = axes.padded([0.0, *(end for row in rows for end in (row.value, row.low, row.high))], share=0.04)
    top = svg.legend(series, width=width, sign="bar")
    place = svg.row_layout(labels, lanes, width=width, top=top.height, pitch=_BAR_PITCH)
    scale = axes.scale_for("linear", 0.0 if low > -high * 0.05 else low, high, start=place.left + 4, end=place.right)
    foot = top.height + place.labels.height + 2
    below = axes.axis_below(scale, "linear", y=foot, width=width, title=title, grid_from=top.height)
    thick = _THICK if len(series) == 1 else _THICK - 2
    drawn = "".join(
        _bar(row, series.index(row.series), scale, y=y, thick=thick) for row, y in zip(rows, place.middles, strict=True)
    )
    zero = svg.line(scale.at(0), top.height, scale.at(0), foot, kind="axis")
    return svg.Chart(
        width=width,
        height=foot + below.height,
        body=top.body + below.body + zero + place.labels.body + drawn,
        summary=f"{counted(len(rows), 'bar')} from zero; lines across an end are intervals.",
    )


def _bar(row: BarRow, series: int, scale: axes.Scale, *, y: float, thick: float) -> str:
    kind = svg.series_class(series)
    if row.value is None:
        words = svg.text(scale.at(0) + 6, y + 4.5, "not computed", kind="absent")
        return svg.group(words, kind=kind, title=row.text)
    start, end = sorted((scale.at(0), scale.at(row.value)))
    body = svg.element("rect", kind="bar", x=start, y=y - thick / 2, width=end - start, height=thick)
    if row.low is not None and row.high is not None:
        low, high = scale.at(row.low), scale.at(row.high)
        body += svg.line(low, y, high, y, kind="span")
        body += svg.line(low, y - 4, low, y + 4, kind="closed") + svg.line(high, y - 4, high, y + 4, kind="closed")
    return svg.group(body, kind=kind, title=row.text, link=row.link)
