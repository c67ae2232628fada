"""Altair specifications → inline SVG that a strict page may hold."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

import orjson
from altair.utils.schemapi import debug_mode

from evenhand.report.charts._layers import Specification
from evenhand.report.charts._renderer import Renderer
from evenhand.report.charts._theme import NARROW, WIDE, config
from evenhand.tables.shown import shortened

__all__ = ["WIDTHS", "Drawing", "draw", "prepare_renderer"]

#: Characters of a label that a chart shows; the table beside it has it whole.
LONGEST_LABEL = 120
WIDTHS = {"wide": WIDE, "narrow": NARROW}
SVG = "{http://www.w3.org/2000/svg}"
_LONG = re.compile(rf'"[^"]{{{LONGEST_LABEL},}}')
_REFERENCE = re.compile(r"url\(#([^)]+)\)")


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A chart to be drawn: its accessible name, and a function from a width to it."""

    label: str
    chart: Callable[[int], Specification]


def draw(drawings: Sequence[Drawing]) -> list[dict[str, str]]:
    """Return each chart as <svg> elements, one per entry of `WIDTHS`.

    Ids are unique among all of them. There are no style attributes, so the page's
    policy can forbid them. Each labelled mark gets its label as a tooltip.
    """
    # The thread only waits for the renderer's process, while the next chart is specified here.
    with _renderer() as renderer, ThreadPoolExecutor(max_workers=1) as waiting, debug_mode(False):
        rendered = [
            {name: waiting.submit(renderer.svg, _specification(drawing, width)) for name, width in WIDTHS.items()}
            for drawing in drawings
        ]
        return [
            {
                name: _element(svg.result(), label=drawing.label, name=f"figure-{number}-{name}")
                for name, svg in pair.items()
            }
            for number, (drawing, pair) in enumerate(zip(drawings, rendered, strict=True), start=1)
        ]


def prepare_renderer() -> None:
    """Start the renderer in the background; the first drawing then need not wait for it."""
    if os.getpid() not in _PREPARED:
        _PREPARED[os.getpid()] = Renderer()


# Renderers that were started beforehand, by the process that may use them: a fork must not.
_PREPARED: dict[int, Renderer] = {}


def _renderer() -> Renderer:
    return _PREPARED.pop(os.getpid(), None) or Renderer()


def _specification(drawing: Drawing, width: int) -> dict[str, Any]:
    specification = drawing.chart(width)
    specification["config"] = config(width)
    rows = [orjson.loads(text) for text in _data(specification) if _LONG.search(text)]
    long = {text for text in _texts(rows) if len(text) > LONGEST_LABEL}
    return _replaced(specification, _cut(long)) if long else specification


def _data(specification: Any) -> Iterator[str]:
    """Yield the rows of a specification, JSON as `chart_data` makes it, wherever they stand."""
    if isinstance(specification, dict):
        rows = specification.get("values")
        if isinstance(rows, str):
            yield rows
    if isinstance(specification, dict | list):
        for value in specification.values() if isinstance(specification, dict) else specification:
            yield from _data(value)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict | list):
        for value in content.values() if isinstance(content, dict) else content:
            yield from _texts(value)


def _cut(labels: Iterable[str]) -> dict[str, str]:
    """Return a short label for each long one, no two of them the same: the renderer takes minutes for long ones."""
    short = {label: shortened(label, most=LONGEST_LABEL) for label in sorted(labels)}
    counts = Counter(short.values())
    numbers = {label: number for number, label in enumerate(short, 1)}
    return {label: f"{cut} ({numbers[label]})" if counts[cut] > 1 else cut for label, cut in short.items()}


def _replaced(content: Any, labels: Mapping[str, str]) -> Any:
    """Return a specification with short labels, in its rows as well as where their order is told."""
    if isinstance(content, str):
        return labels.get(content, content)
    if isinstance(content, dict):
        replaced = {key: _replaced(value, labels) for key, value in content.items()}
        rows = content.get("values")
        if isinstance(rows, str) and _LONG.search(rows):
            replaced["values"] = orjson.dumps(_replaced(orjson.loads(rows), labels)).decode()
        return replaced
    return [_replaced(value, labels) for value in content] if isinstance(content, list) else content


def _element(svg: str, *, label: str, name: str) -> str:
    root = ET.fromstring(svg)  # noqa: S314 - our own renderer's output
    for element in root.iter():
        _unstyled(element)
        element.tag = element.tag.removeprefix(SVG)
    _named(root, name)
    for mark in list(_labelled(root)):
        tooltip = ET.Element("title")
        tooltip.text = mark.get("aria-label")
        mark.insert(0, tooltip)
    title, note = ET.Element("title", id=f"{name}-title"), ET.Element("desc", id=f"{name}-desc")
    title.text, note.text = label, "The numbers of this chart stand in the table below it."
    root.insert(0, title)
    root.insert(1, note)
    root.attrib.pop("version", None)
    root.attrib |= {
        "xmlns": SVG.strip("{}"),
        "role": "img",
        "aria-label": label,
        "aria-describedby": f"{name}-desc",
        "class": "chart",
    }
    return ET.tostring(root, encoding="unicode")


def _unstyled(element: ET.Element) -> None:
    """Turn a style attribute into presentation attributes."""
    for declaration in (element.attrib.pop("style", None) or "").split(";"):
        key, separator, value = declaration.partition(":")
        if separator:
            element.set(key.strip(), value.strip())


def _named(root: ET.Element, name: str) -> None:
    """Make ids unique in the page, and follow them in references."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, f"{name}-{value}")
            elif "url(#" in value:
                element.set(key, _REFERENCE.sub(rf"url(#{name}-\1)", value))


def _labelled(root: ET.Element) -> Iterator[ET.Element]:
    """Yield single marks that carry a label (axes and legends are no marks)."""
    for element in root.iter():
        if element.get("aria-label") and element.tag in {"path", "text", "line", "rect"}:
            yield element
