"""One estimate as an interval on its bands A to D, with the reference models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.report.charts.axes import MarkedLine, axis_below, names_above
from evenhand.report.charts.marks import arrow, point
from evenhand.report.charts.scales import Scale, Tick, finite, stretched
from evenhand.report.charts.svg import Chart, element, group, line, text

__all__ = ["BandLabel", "BandRow", "OtherInterval", "band_chart"]

LETTERS = ("A", "B", "C", "D")
_EDGE = 8
_MIDDLE, _FIRST_OTHER, _OTHERS = 18, 14, 6
#: The height of the bands without other intervals, and what their letters take of it.
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


def band_chart(row: BandRow, *, title: str, width: int) -> Chart:
    """Return the chart; distances from the centre are stretched (symmetric logarithm).

    A linear scale from -1 to 1 would make band A a sliver and the interval a dot.
    """
    others = [end for other in row.others for end in (other.low, other.high)]
    ends = finite([row.estimate, row.low, row.high, *others, *(each.value for each in row.references)])
    reach = max([row.edges[-1], *(abs(value - row.centre) for value in ends)])
    low = 0.0 if row.one_sided else -reach
    scale = stretched(low, reach, constant=row.edges[0], start=_EDGE, end=width - _EDGE)
    named = [MarkedLine(value=each.value - row.centre, text=each.text) for each in row.references]
    models = names_above(named, scale, width=width, y=0, kind="model")
    top = models.height + (2 if named else 4)
    foot = top + _HEIGHT + _OTHERS * len(row.others)
    ticks = [Tick(value=tick.value - row.centre, text=tick.text) for tick in row.ticks]
    below = axis_below(scale, ticks, y=foot, width=width, title=title, ends=row.ends)
    lines = "".join(
        line(at, top - 2, at, foot - _LETTERS, kind="model")
        for at in dict.fromkeys(scale.at(each.value - row.centre) for each in row.references)
    )
    return Chart(
        width=width,
        height=foot + below.height,
        body=_bands(row, scale, top=top, foot=foot) + lines + models.body + below.body + _marks(row, scale, top=top),
        summary="An estimate as a dot on a line that is its interval, before the bands of the marks A to D.",
    )


def _bands(row: BandRow, scale: Scale, *, top: float, foot: float) -> str:
    """Return the bands with their letters; A is one band across the centre."""
    body = ""
    for letter, near, far in _sides(row, scale):
        left, right = scale.at(near), scale.at(far)
        body += element("rect", kind=f"band {letter}", x=left, y=top, width=right - left, height=foot - top)
        if right - left > 14:
            body += text((left + right) / 2, foot - 7, letter, kind="letter")
    return body


def _sides(row: BandRow, scale: Scale) -> Iterator[tuple[str, float, float]]:
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


def _marks(row: BandRow, scale: Scale, *, top: float) -> str:
    middle = top + _MIDDLE
    body = ""
    known = row.low is not None and row.high is not None
    for place, other in enumerate(row.others):
        y = middle + (_FIRST_OTHER if known else 0) + _OTHERS * place
        ends = scale.at(other.low - row.centre), scale.at(other.high - row.centre)
        body += group(line(ends[0], y, ends[1], y, kind="thin"), title=other.text)
    own = ""
    if row.low is not None and row.high is not None:
        low, high = row.low - row.centre, row.high - row.centre
        own += line(scale.at(low), middle, scale.at(high), middle, kind="span")
        for end in (low, high):
            if scale.holds(end):
                own += line(scale.at(end), middle - _CLOSE, scale.at(end), middle + _CLOSE, kind="closed")
            else:
                own += arrow(scale.at(end), middle, right=end > 0)
    if row.estimate is None:
        own += text((scale.start + scale.end) / 2, middle + 4, "not computed", kind="letter")
    else:
        own += point(scale.at(row.estimate - row.centre), middle)
    return group(body + group(own, title=row.text), kind="s0")
