"""Charts of one line per row: labels on the left where they are short, else above their line."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.report.charts.labels import LINE, longest_line, wrapped
from evenhand.report.charts.svg import NARROW, Piece, element, texts

__all__ = ["Lane", "RowLayout", "row_layout"]

#: Labels wider than this share of a chart are wrapped, and on a phone stand above.
_SHARE, _SHARE_NARROW = 0.38, 0.34
_GAP, _EDGE = 14, 8
#: Below a label that stands above its line: what the line takes of its pitch, and the room to the next label.
_CLOSE, _APART = 0.65, 9


@dataclass(frozen=True, kw_only=True)
class Lane:
    """Where a row is: the number of its label and of its series."""

    label: int
    series: int


@dataclass(frozen=True, kw_only=True)
class RowLayout:
    """Labels drawn, the plot's left and right edge, and the height of each row's middle."""

    labels: Piece
    left: float
    right: float
    middles: Sequence[float]


def row_layout(labels: Sequence[str], lanes: Sequence[Lane], *, width: float, top: float, pitch: float) -> RowLayout:
    """Return the places of rows; `labels` are in order, a lane per row says which label and series it has."""
    several = max((lane.series for lane in lanes), default=0) + 1
    narrow = width <= NARROW
    fitted = [wrapped(label, width * (_SHARE_NARROW if narrow else _SHARE)) for label in labels]
    above = narrow and any(len(own) > 1 for own in fitted)
    if above:
        fitted = [wrapped(label, width) for label in labels]
    left = _EDGE if above or not any(labels) else longest_line(fitted) + _GAP
    body, middles_of, y = "", [], top
    lane = pitch * _CLOSE if above or several > 1 else pitch
    for label, own in zip(labels, fitted, strict=True):
        marks = lane * several + (0 if several == 1 else pitch * 0.5)
        text_height = LINE * len(own) if label else 0
        if above:
            # No line of the plot runs through a label above it.
            covered = min(longest_line([own]) + 2, width)
            body += element("rect", kind="ground", x=0, y=y, width=covered, height=text_height)
            body += texts(0, y + LINE - 3, own, kind="label", whole=label)
            middles_of.append([y + text_height + lane * (place + 0.5) for place in range(several)])
            y += text_height + lane * several + _APART
            continue
        height = max(marks, text_height + 6)
        middle = y + height / 2
        body += texts(0, middle + 4.5 - LINE / 2 * (len(own) - 1), own, kind="label", whole=label)
        middles_of.append([middle + lane * (place - (several - 1) / 2) for place in range(several)])
        y += height
    return RowLayout(
        labels=Piece(body=body, height=y - top),
        left=left,
        right=width - _EDGE,
        middles=[middles_of[each.label][each.series] for each in lanes],
    )
