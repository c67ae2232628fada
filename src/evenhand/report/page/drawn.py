"""The figures of a page, drawn and numbered."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from evenhand.report.charts import Drawing, draw
from evenhand.report.page.parts import Figure

__all__ = ["numbered_drawings"]


def numbered_drawings(figures: Sequence[Figure]) -> dict[int, dict[str, Any]]:
    """Draw all figures in one pass; return number and drawings by the figure's identity."""
    drawn = draw([Drawing(label=figure.title, chart=figure.chart) for figure in figures])
    return {
        # Our own elements, with escaped text.
        id(figure): {"number": number, "drawings": {name: Markup(svg) for name, svg in pair.items()}}  # noqa: S704
        for number, (figure, pair) in enumerate(zip(figures, drawn, strict=True), start=1)
    }
