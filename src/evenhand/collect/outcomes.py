"""From the journal to outcomes.parquet, in pieces: nothing holds all answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.collect.answers import read_answers
from evenhand.collect.journal.attempt_ids import known_among
from evenhand.collect.twins import Twins
from evenhand.probes.shared.probe import Design, ReadAnswers

__all__ = ["OutcomeSummary", "answered_stimuli", "write_outcomes"]


#: Answers that are read at a time; their texts are most of what a run holds in memory.
PIECE = 4_096


@dataclass(kw_only=True)
class OutcomeSummary:
    """What the report tells about the answers as a whole."""

    attempts: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    returned_models: set[str] = field(default_factory=set)
    example: dict[str, Any] = field(default_factory=dict)

    def add(self, outcomes: pl.DataFrame, answers: pl.DataFrame) -> None:
        """Count one piece."""
        self.attempts += answers.height
        if outcomes.height != answers.height:  # a row per candidate or inventory: one of them stands for the attempt
            prompt = pl.coalesce("set", "unit")
            outcomes = outcomes.unique(["item", prompt, "attempt"], keep="first", maintain_order=True)
        self.statuses.update(dict(outcomes["status"].cast(pl.String).value_counts().iter_rows()))
        # Sorted, so that rules with equal counts stand in the same order each time.
        self.rules.update(dict(sorted(outcomes["reading"].drop_nulls().value_counts().iter_rows())))
        if "returned_model" in answers.columns:
            self.returned_models.update(answers["returned_model"].drop_nulls().unique().to_list())
        if not self.example:
            found = (outcomes["status"] == "observed").arg_max()
            place = int(found) if found is not None else 0
            self.example = {
                "prompt": answers["prompt"][place],
                "answer": answers["text"][place],
                "status": outcomes["status"][place],
                "reading": outcomes["reading"][place],
            }


def answered_stimuli(folder: Path, design: Design, *, planned: NDArray[np.uint64]) -> Iterator[pl.DataFrame]:
    """Yield journaled answers joined with their stimuli, only those with a planned id.

    `planned` is sorted. Answers of a template that has changed since stay in the journal
    and are left out here.
    """
    for answers in read_answers(folder, chunk=PIECE):
        ids = np.array([int(value, 16) for value in answers["id"]], dtype=np.uint64)
        answers = answers.filter(pl.Series(known_among(ids, planned)))  # noqa: PLW2901 - the same answers, fewer
        if answers.height:
            stimuli = design.stimuli(answers["index"].to_numpy()).drop("index")
            yield pl.concat([answers, stimuli], how="horizontal")


def write_outcomes(
    pieces: Iterable[pl.DataFrame],
    read: Callable[[pl.DataFrame], ReadAnswers],
    path: Path,
    words: Path,
    *,
    twins: Twins,
) -> OutcomeSummary:
    """Write the outcomes of `pieces` to a Parquet file, their words to another; return the summary.

    `words` is written only where the answers are documents. `twins` is shown every piece.
    """
    summary = OutcomeSummary()
    with _Parts(path) as outcomes, _Parts(words) as counted:
        for answers in pieces:
            result = read(answers)
            summary.add(result.outcomes, answers)
            twins.add(result.outcomes, answers)
            outcomes.add(result.outcomes)
            if result.words is not None:
                counted.add(result.words)
    return summary


class _Parts:
    """One Parquet file, written in parts; nothing is left where it can't be finished."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parts: list[Path] = []

    def add(self, frame: pl.DataFrame) -> None:
        self._parts.append(self._path.with_name(f".{self._path.name}.{len(self._parts):06d}"))
        frame.write_parquet(self._parts[-1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None and self._parts:
                whole = self._path.with_name(f".{self._path.name}.part")
                if len(self._parts) == 1:
                    self._parts[0].rename(whole)
                else:
                    pl.scan_parquet(self._parts).sink_parquet(whole)
                whole.replace(self._path)
        finally:
            for part in self._parts:
                part.unlink(missing_ok=True)
