"""A model that gives back saved answers."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import polars as pl

from evenhand.models.model import Answer, Request

__all__ = ["ReplayModel"]


class ReplayModel:
    """Answers each prompt from a table of saved answers.

    `saved` has the columns `key` (those of the stimuli that tell prompts apart) and
    `answer, finish_reason, error, attempt`. The n-th repetition of a prompt gets its n-th
    saved answer, in the order of `attempt` where there is one, else of the file; when
    none is left the answer has the error class `missing`.
    """

    simulated = False

    def __init__(self, name: str, saved: pl.DataFrame, *, key: Sequence[str]) -> None:
        self.name = name
        self._key = tuple(key)
        ordered = saved.sort("attempt", maintain_order=True, nulls_last=False) if "attempt" in saved.columns else saved
        self._answers = ordered.select("answer", "finish_reason", "error")
        self._rows: dict[tuple[Any, ...], list[int]] = {}
        for row, values in enumerate(ordered.select(self._key).iter_rows()):
            self._rows.setdefault(values, []).append(row)

    async def __aenter__(self) -> Self:
        """Return the model; nothing has to be opened."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close nothing."""

    async def answer(self, request: Request) -> Answer:
        """Return the saved answer of this prompt and attempt."""
        return self._saved(request.stimulus, request.attempt)

    def _saved(self, stimulus: Mapping[str, Any], attempt: int) -> Answer:
        rows = self._rows.get(tuple(stimulus[name] for name in self._key), [])
        if attempt >= len(rows):
            return Answer(text=None, error_class="missing")
        text, finish_reason, error = self._answers.row(rows[attempt])
        if text is None and error is None:
            error = "missing"
        return Answer(text=text, finish_reason=finish_reason, error_class=error)
