"""Layers of Altair charts put together as one Vega-Lite specification."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import altair as alt
import orjson

__all__ = ["Specification", "chart_data", "layered", "padded"]

#: A Vega-Lite specification as plain JSON values.
Specification: TypeAlias = dict[str, Any]


def chart_data(rows: Sequence[dict[str, Any]]) -> alt.InlineData:
    """Return the rows as a chart's data.

    As JSON text: Altair looks at every single value of a list, at every method call.
    """
    return alt.InlineData(values=orjson.dumps(rows).decode(), format=alt.JsonDataFormat(type="json"))


def padded(values: Sequence[float], *, share: float) -> list[float]:
    """Return the range of the values with room at both ends, never of no width.

    >>> padded([2.0, 2.0], share=0.1)
    [1.8, 2.2]
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = (high - low) * share or max(abs(high), 1.0) * share
    return [low - room, high + room]


def layered(layers: Sequence[alt.Chart], *, width: int, height: float) -> Specification:
    """Return one specification of all layers, first at the back.

    `alt.LayerChart` copies every layer three times over, which would be half of the time
    that a report takes; the specification it makes is this one.
    """
    with alt.data_transformers.enable("default", consolidate_datasets=False):
        parts = [layer.to_dict(validate=False) for layer in layers]
    kept = [{key: value for key, value in part.items() if key not in {"$schema", "config"}} for part in parts]
    return {"$schema": alt.SCHEMA_URL, "layer": kept, "width": width, "height": height}
