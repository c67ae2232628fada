"""Two answers to prompts that differ in the name only, one accepting and one rejecting."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

__all__ = ["Twins"]

#: So many prompts, names apart, are watched: one pair is all that is shown.
WATCHED = 64


class Twins:
    """Keeps, of some prompts, the first accepting and the first rejecting answer per group.

    `shared` are the columns of stimuli that two prompts have in common.
    """

    def __init__(self, shared: Sequence[str]) -> None:
        self._shared = list(shared)
        self._kept: dict[tuple[Any, ...], dict[tuple[str, bool], dict[str, Any]]] = {}

    def add(self, outcomes: pl.DataFrame, answers: pl.DataFrame) -> None:
        """Take in one piece: outcomes and answers row by row."""
        # Of saved answers the prompts are not known.
        if not self._shared or "prompt" not in answers.columns or answers["prompt"].null_count() == answers.height:
            return
        decided = (outcomes["successes"].is_not_null() & answers["text"].is_not_null()).arg_true()
        frame = answers[decided].select(*self._shared, "name", "gender", "race", "prompt", "text")
        frame = frame.with_columns(outcomes["successes"][decided].cast(pl.Boolean).alias("accepted"))
        for key in frame.select(self._shared).unique(maintain_order=True).head(WATCHED).iter_rows():
            if len(self._kept) < WATCHED:
                self._kept.setdefault(key, {})
        first = frame.unique([*self._shared, "gender", "race", "accepted"], keep="first", maintain_order=True)
        for row in first.iter_rows(named=True):
            own = self._kept.get(tuple(row[name] for name in self._shared))
            if own is not None:
                own.setdefault((f"{row['race']} {row['gender']}", row["accepted"]), row)

    def pair(self, favoured: Mapping[str, str], other: Mapping[str, str]) -> list[dict[str, Any]] | None:
        """Return an accepting answer to a name of the one group and a rejecting one of the other.

        Both answer the same prompt but for the name; None where no watched prompt has both.
        """
        for own in self._kept.values():
            up = own.get((f"{favoured['race']} {favoured['gender']}", True))
            down = own.get((f"{other['race']} {other['gender']}", False))
            if up is not None and down is not None:
                return [up, down]
        return None
