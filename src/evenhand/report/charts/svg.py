"""Elements of SVG as text, and charts as the <svg> elements of a page.

What a chart says comes from the data of others, so every text is escaped and every sign that
XML forbids or that turns the order of letters around is replaced. There are no style
attributes, so that the page's policy can forbid them: colours and type are in charts.css.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from evenhand.patterns import lazy_re
from evenhand.report.charts.labels import LINE
from evenhand.tables.messages.quoting import shortened

__all__ = [
    "NARROW",
    "WIDE",
    "WIDTHS",
    "Chart",
    "Drawing",
    "Piece",
    "draw",
    "element",
    "group",
    "line",
    "number",
    "text",
    "texts",
]

#: CSS pixels: the column on a desk and on paper, and on a phone.
WIDE, NARROW = 720, 350
WIDTHS = {"wide": WIDE, "narrow": NARROW}
#: Characters of a text that a pointer shows; the table has it whole.
_LONGEST = 500
#: What XML forbids, and marks that reorder or hide text.
_FORBIDDEN = lazy_re(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff"
    "\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart of one width: its elements, its height, and one sentence on what it shows."""

    width: float
    height: float
    body: str
    summary: str


@dataclass(frozen=True, kw_only=True)
class Piece:
    """Elements, and how high they are together."""

    body: str = ""
    height: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A chart to be drawn: its accessible name, and a function from a width to it."""

    label: str
    chart: Callable[[int], Chart]


def draw(drawings: Sequence[Drawing]) -> list[dict[str, str]]:
    """Return each chart as <svg> elements, one per entry of `WIDTHS`; ids are unique among all of them."""
    return [
        {
            name: _whole(drawing.chart(width), label=drawing.label, name=f"figure-{number}-{name}")
            for name, width in WIDTHS.items()
        }
        for number, drawing in enumerate(drawings, start=1)
    ]


def _whole(chart: Chart, *, label: str, name: str) -> str:
    wide, high = number(chart.width), number(chart.height)
    label = shortened(label, most=_LONGEST)
    told = f"{chart.summary} The numbers of this chart stand in the table below it."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" aria-labelledby="{name}-title {name}-desc"><title id="{name}-title">{_legible(label)}</title>'
        f'<desc id="{name}-desc">{_legible(told)}</desc>{chart.body}</svg>'
    )


def _legible(words: str) -> str:
    r"""Return a text as it may stand in HTML and XML, on one line.

    >>> _legible('a < b\x1b')
    'a &lt; b�'
    """
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(words.split())))


def number(value: float) -> str:
    """Return pixels with one decimal.

    >>> number(12.04), number(-0.04), number(7.25)
    ('12', '0', '7.2')
    """
    return f"{round(value, 1) + 0.0:g}" if abs(value) < 100_000 else str(round(value))


def element(tag: str, content: str = "", *, kind: str = "", **attributes: float | str) -> str:
    """Return an element with a class; `content` is SVG already.

    >>> element("circle", kind="dot", cx=1.04, r=5)
    '<circle class="dot" cx="1" r="5"/>'
    """
    attribute = f' class="{kind}"' if kind else ""
    for name, value in attributes.items():
        text = escape(value) if isinstance(value, str) else number(value)
        attribute += f' {name.replace("_", "-")}="{text}"'
    return f"<{tag}{attribute}>{content}</{tag}>" if content else f"<{tag}{attribute}/>"


def _hover(words: str) -> str:
    """Return what is shown where a pointer rests; nothing for no words."""
    return element("title", _legible(shortened(words, most=_LONGEST))) if words else ""


def group(content: str, *, kind: str = "", title: str = "") -> str:
    """Return a group of elements; its title is shown where a pointer rests on it."""
    return element("g", _hover(title) + content, kind=kind)


def line(x1: float, y1: float, x2: float, y2: float, *, kind: str) -> str:
    """Return a straight line."""
    return element("line", kind=kind, x1=x1, y1=y1, x2=x2, y2=y2)


def text(x: float, y: float, words: str, *, kind: str = "", anchor: str = "", title: str = "") -> str:
    """Return one line of text, `y` at the foot of its letters; empty for no words."""
    if not words.strip():
        return ""
    content = _hover(title) + _legible(words)
    return element("text", content, kind=kind, x=x, y=y, **({"text_anchor": anchor} if anchor else {}))


def texts(x: float, y: float, lines: Sequence[str], *, kind: str = "", anchor: str = "", whole: str = "") -> str:
    """Return lines of text below each other; where they are not the whole text, that is their title."""
    title = whole if "".join(lines).replace(" ", "") != whole.replace(" ", "") else ""
    return "".join(
        text(x, y + place * LINE, words, kind=kind, anchor=anchor, title=title) for place, words in enumerate(lines)
    )
