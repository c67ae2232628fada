"""Charts as SVG text: label widths and wrapping, elements, marks of series, legends, row layout.

A chart's labels come from the data of others: every text is escaped, and every character that XML forbids or that
reorders text is replaced. There are no style attributes, so that the page's policy can forbid them; colours and type
are in charts.css. Series differ in shape and dash as well as in colour.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from evenhand.patterns import lazy_re
from evenhand.report.words.numbers import unmarked
from evenhand.results.messages import shortened

#: Sizes of chart text, and the distance between two lines, in pixels.
SIZE, SMALL, LINE = 13, 12, 17
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
#: Thousandths of the size of type: the wider one of Liberation Sans (as wide as Arial and Helvetica) and DejaVu Sans,
#: measured in Chromium. The usual fonts of Windows, macOS and Android lie between them.
_WIDTHS = {
    letter: width
    for width, letters in (
        (300, "ijlI\N{LATIN SMALL LETTER DOTLESS I}ł"),
        (340, " ,.·/:;\\|\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}"),
        (380, "f-\N{HYPHEN}"),
        (420, "()[]tr!"),
        (500, '"*J`°'),
        (540, "sz“”"),
        (580, "?L_c–§kŁ"),
        (620, "vxyFTaeoø"),
        (640, "$0123456789bdghnpqu{}€£ßđ"),
        (700, "EKPSYABVXZ"),
        (780, "CRUHN&DGĐ"),
        (840, "OQØw#+<=>^~×±−≥≤"),
        (980, "M%m"),
        (1080, "W—…←→æÆ@œŒ"),
    )
    for letter in letters
}
#: Where the letters end that are an em wide at most (Greek, Cyrillic, Armenian) and those that are joined and narrower
#: on average (Hebrew, Arabic). An ideograph is an em wide; anything else may be wider.
_LAST_GREEK, _LAST_ARABIC = 0x058F, 0x06FF
_ALPHABET, _JOINED, _OTHER = 1000, 750, 1400
#: Of longer labels the middle is left out.
_MOST_LETTERS = 400
#: Kept free between two labels on one line.
_GAP = 8
#: A line may end after a space, a hyphen, a stroke or an ideograph.
_BREAKS = lazy_re(r"(?<=[\s\-/\u3000-\u9fff\uac00-\ud7af])")


def text_width(text: str, size: float = SIZE) -> float:
    """Return how many pixels a text is wide at most, in any of the usual sans-serif fonts.

    >>> round(text_width("men"), 1), text_width("漢字") >= 26
    (29.1, True)
    """
    return sum(_width(letter) for letter in text) * size / 1000


def _width(letter: str) -> int:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if unicodedata.category(letter) in {"Mn", "Me"}:
        return 0
    plain = unicodedata.normalize("NFD", letter)[0]
    if plain in _WIDTHS:
        return _WIDTHS[plain]
    if not unicodedata.category(letter).startswith("L"):
        return _OTHER
    if ord(letter) <= _LAST_GREEK or unicodedata.east_asian_width(letter) == "W":
        return _ALPHABET
    return _JOINED if ord(letter) <= _LAST_ARABIC else _OTHER


def wrapped(text: str, width: float, size: float = SIZE) -> tuple[str, ...]:
    """Return the text in as many lines of at most this width as it needs; words that are wider are broken.

    >>> wrapped("women of colour, 40 years or older", 110)
    ('women of', 'colour, 40 years', 'or older')
    """
    finished: list[str] = []
    line = ""
    for word in _BREAKS.split(_shortened(" ".join(text.split()))):
        if line and text_width((line + word).rstrip(), size) > width:
            finished.append(line)
            line = ""
        line += word
        while text_width(line.rstrip(), size) > width and len(line) > 1:
            beginning = _beginning(line, width, size)
            finished.append(beginning)
            line = line[len(beginning) :]
    return tuple(text_line.rstrip() for text_line in (*finished, line))


def _shortened(text: str) -> str:
    """Return a text without its middle if it is longer than a label may be."""
    half = _MOST_LETTERS // 2
    return text if len(text) <= _MOST_LETTERS else f"{text[:half]}{ELLIPSIS}{text[-half:]}"


def _beginning(text: str, width: float, size: float) -> str:
    """Return as many letters as fit into the width, one at least."""
    beginning = text[0]
    for letter in text[1:]:
        if text_width(beginning + letter, size) > width:
            break
        beginning += letter
    return beginning


def longest_line(labels: Sequence[Sequence[str]], size: float = SIZE) -> float:
    """Return the width of the longest line of all labels, 0 without any."""
    return max((text_width(line, size) for label in labels for line in label), default=0.0)


def clamped(centre: float, width: float, *, low: float, high: float) -> float:
    """Return where a label's centre has to be, so that the label lies within the frame.

    >>> clamped(3, 20, low=0, high=100), clamped(50, 20, low=0, high=100)
    (10.0, 50)
    """
    return min(max(centre, low + width / 2), high - width / 2)


def levels(spans: Sequence[tuple[float, float]], *, gap: float = _GAP) -> list[int]:
    """Return the line for each span from left to right, 0 first: the first line on which it touches none before.

    >>> levels([(0, 40), (30, 60), (60, 90)])
    [0, 1, 0]
    """
    taken: list[list[tuple[float, float]]] = []
    places = []
    for start, end in spans:
        free = (
            level
            for level, others in enumerate(taken)
            if all(end + gap <= low or high + gap <= start for low, high in others)
        )
        level = next(free, len(taken))
        if level == len(taken):
            taken.append([])
        taken[level].append((start, end))
        places.append(level)
    return places


@dataclass(kw_only=True)
class _Heap:
    """Labels that touch, as one block."""

    members: list[int]
    height: float
    wish: float

    def top(self, low: float, high: float) -> float:
        return max(min(self.wish - self.height / 2, high - self.height), low)


def spread(wishes: Sequence[float], heights: Sequence[float], *, low: float, high: float) -> list[float]:
    """Return the centres nearest to those wished for at which labels of these heights do not touch.

    >>> spread([10, 12, 50], [10, 10, 10], low=0, high=60)
    [6.0, 16.0, 50.0]
    """
    heaps: list[_Heap] = []
    for place in sorted(range(len(wishes)), key=lambda place: wishes[place]):
        heap = _Heap(members=[place], height=heights[place], wish=wishes[place])
        while heaps and heaps[-1].top(low, high) + heaps[-1].height > heap.top(low, high):
            last = heaps.pop()
            count = len(last.members), len(heap.members)
            heap = _Heap(
                members=[*last.members, *heap.members],
                height=last.height + heap.height,
                wish=(last.wish * count[0] + heap.wish * count[1]) / sum(count),
            )
        heaps.append(heap)
    centres = [0.0] * len(wishes)
    for heap in heaps:
        at = heap.top(low, high)
        for place in heap.members:
            centres[place] = at + heights[place] / 2
            at += heights[place]
    return centres


#: CSS pixels: the column on a desk and on paper, and on a phone.
WIDE, NARROW = 720, 350
WIDTHS = {"wide": WIDE, "narrow": NARROW}
#: Pixels of a small line.
_SPARK = (120, 36)
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
    """A chart to be drawn: its accessible name, a function from a width to it, and its width on a desk."""

    label: str
    chart: Callable[[int], Chart]
    wide: int = WIDE


def draw(drawings: Sequence[Drawing]) -> list[dict[str, str]]:
    """Return each chart as <svg> elements, one per entry of `WIDTHS`; ids are unique among all of them."""
    return [
        {
            name: _svg(drawing.chart(width), label=drawing.label, name=f"figure-{number}-{name}")
            for name, width in (WIDTHS | {"wide": drawing.wide}).items()
        }
        for number, drawing in enumerate(drawings, start=1)
    ]


def _svg(chart: Chart, *, label: str, name: str) -> str:
    wide, high = number(chart.width), number(chart.height)
    label = shortened(label, most=_LONGEST)
    description = f"{chart.summary} The numbers of this chart stand in the table below it."
    role = "group" if "<a " in chart.body else "img"  # nothing within an image can be clicked
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="{role}" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{_legible(label)}</title>'
        f'<desc id="{name}-desc">{_legible(description)}</desc>{chart.body}</svg>'
    )


def _legible(words: str) -> str:
    r"""Return a text as it may stand in HTML and XML, on one line.

    >>> _legible('a < b\x1b')
    'a &lt; b�'
    """
    return escape(_plain(words))


def _plain(words: str) -> str:
    """Return a text without what XML forbids, on one line."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(unmarked(words).split()))


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
    """Return the tooltip; nothing for no words."""
    return element("title", _legible(shortened(words, most=_LONGEST))) if words else ""


def group(content: str, *, kind: str = "", title: str = "", link: str = "") -> str:
    """Return a group of elements; its title is shown where a pointer rests on it, and a click follows the link.

    The keyboard follows the links of the table, which are fewer.

    >>> group("", title="May", link="/?a=1&b=2")
    '<a href="/?a=1&amp;b=2" tabindex="-1" aria-label="May"><g><title>May</title></g></a>'
    """
    drawn = element("g", _hover(title) + content, kind=kind)
    return element("a", drawn, href=link, tabindex="-1", aria_label=_plain(title)) if link else drawn


def spark_line(values: Sequence[float | None], *, label: str) -> str:
    """Return a small line without axes, its last value as a point; unknown values are gaps.

    >>> drawn = spark_line([0.2, None, 0.25, 0.3], label="rising")
    >>> drawn.count("<path"), drawn.count("<circle"), 'aria-label="rising"' in drawn
    (1, 2, True)
    """
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    across, up = _SPARK[0] - 8, _SPARK[1] - 8
    runs: list[list[tuple[float, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            share = (value - low) / (high - low) if high > low else 0.5
            runs[-1].append((4 + across * place / max(len(values) - 1, 1), 4 + up * (1 - share)))
    drawn = [run for run in runs if run]
    body = "".join(path(run, kind="line") if len(run) > 1 else point(*run[0], small=True) for run in drawn)
    body += point(*drawn[-1][-1], small=True) if len(drawn[-1]) > 1 else ""
    size = f'viewBox="0 0 {_SPARK[0]} {_SPARK[1]}" width="{_SPARK[0]}" height="{_SPARK[1]}"'
    return f'<svg class="chart spark" role="img" aria-label="{_legible(label)}" {size}>{group(body, kind="s1")}</svg>'


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


#: The symbol next to the name of a series.
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
    widths = [KEY + longest_line([lines]) + _BETWEEN for lines in fitted]
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
    """Return the symbol of a series next to its name."""
    wide = KEY - 8
    symbol = line(x, y, x + wide, y, kind="line") if sign in {"line", "both"} else ""
    symbol += point(x + wide / 2, y, place=place) if sign in {"point", "both"} else ""
    symbol += element("rect", kind="bar", x=x + 0.5, y=y - 5, width=wide - 1, height=10) if sign == "bar" else ""
    return element("g", symbol, kind=series_class(place))


#: Labels wider than this share of a chart are wrapped; on a phone they move above their line.
_SHARE, _SHARE_NARROW = 0.38, 0.34
_LABEL_GAP, _EDGE = 14, 8
#: With labels above: the share of the pitch for a line, and the room to the next label.
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
    """Return the places of rows; a lane per row gives its label and series."""
    several = max((lane.series for lane in lanes), default=0) + 1
    narrow = width <= NARROW
    fitted = [wrapped(label, width * (_SHARE_NARROW if narrow else _SHARE)) for label in labels]
    above = narrow and any(len(lines) > 1 for lines in fitted)
    if above:
        fitted = [wrapped(label, width) for label in labels]
    left = _EDGE if above or not any(labels) else longest_line(fitted) + _LABEL_GAP
    body, middles_of, y = "", [], top
    lane = pitch * _CLOSE if above or several > 1 else pitch
    for label, lines in zip(labels, fitted, strict=True):
        marks = lane * several + (0 if several == 1 else pitch * 0.5)
        text_height = LINE * len(lines) if label else 0
        if above:
            # No line of the plot runs through a label above it.
            covered = min(longest_line([lines]) + 2, width)
            body += element("rect", kind="ground", x=0, y=y, width=covered, height=text_height)
            body += texts(0, y + LINE - 3, lines, kind="label", whole=label)
            middles_of.append([y + text_height + lane * (place + 0.5) for place in range(several)])
            y += text_height + lane * several + _APART
            continue
        height = max(marks, text_height + 6)
        middle = y + height / 2
        body += texts(0, middle + 4.5 - LINE / 2 * (len(lines) - 1), lines, kind="label", whole=label)
        middles_of.append([middle + lane * (place - (several - 1) / 2) for place in range(several)])
        y += height
    return RowLayout(
        labels=Piece(body=body, height=y - top),
        left=left,
        right=width - _EDGE,
        middles=[middles_of[lane.label][lane.series] for lane in lanes],
    )
