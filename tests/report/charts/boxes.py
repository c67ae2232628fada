"""The boxes of a drawing's texts and marks, by our own table of widths."""

from dataclasses import dataclass
from xml.etree import ElementTree as ET

from evenhand.report.charts.svg import SIZE, SMALL, text_width

SVG = "{http://www.w3.org/2000/svg}"
#: How far letters reach above and below their line, in sizes of type, in DejaVu Sans.
ABOVE, BELOW = 0.93, 0.24


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float
    text: str

    def covers(self, other, *, room=0.5):
        across = min(self.right, other.right) - max(self.left, other.left)
        upwards = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > room and upwards > room


def text_boxes(root):
    found = []
    for element in root.iter(f"{SVG}text"):
        kind = element.get("class", "")
        size = SMALL if kind in {"small", "name", "letter"} else SIZE
        anchor = "middle" if kind == "letter" else element.get("text-anchor", "start")
        words = "".join(element.itertext()) if element.find(f"{SVG}title") is None else element[0].tail
        wide = text_width(words, size)
        left = float(element.get("x")) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        y = float(element.get("y"))
        found.append(Box(left, y - ABOVE * size, left + wide, y + BELOW * size, words))
    return found


def covered(boxes):
    """The pairs of texts that lie on each other."""
    ordered = sorted(boxes, key=lambda box: box.top)
    pairs = []
    for place, box in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other.top > box.bottom:
                break
            if box.covers(other):
                pairs.append((box, other))
    return pairs


def mark_places(root):
    """The coordinates of marks that are straight lines, circles and rectangles."""
    for element in root.iter():
        tag = element.tag.removeprefix(SVG)
        value = {name: float(element.get(name)) for name in element.keys() if name in PLACES}  # noqa: SIM118
        if tag == "line":
            yield from ((value["x1"], value["y1"]), (value["x2"], value["y2"]))
        elif tag == "circle":
            yield from ((value["cx"] - value["r"], value["cy"]), (value["cx"] + value["r"], value["cy"]))
        elif tag == "rect":
            yield (value["x"], value["y"])
            yield (value["x"] + value["width"], value["y"] + value["height"])


PLACES = {"x1", "x2", "y1", "y2", "cx", "cy", "r", "x", "y", "width", "height"}


def parsed(svg):
    return ET.fromstring(svg)
