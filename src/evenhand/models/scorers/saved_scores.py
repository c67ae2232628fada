"""Scores that a closed system gave: a CSV of ids, positions and scores or ranks, given back."""

from collections.abc import Collection
from pathlib import Path
from typing import Final

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.models.replay import ReplayModel
from evenhand.tables.csv_files import unguarded
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["OF_ARMS", "RANK", "open_saved_scores", "read_saved_scores"]

#: What is said of an id that nothing has: that it is …
OF_ARMS: Final = (
    "none of this experiment's; expected those of arms.csv, written from the same people, positions, names and seed"
)

#: What an answer begins with that is a rank, no score.
RANK = "rank "
#: Ranks behind it have no place in outcomes.
LOWEST_RANK = 32_767
#: Columns of the table besides `id` and `position`: one of them.
_GIVEN = ("score", "rank")


def open_saved_scores(
    name: str, path: Path, *, ids: Collection[str], positions: Collection[str], foreign: str = OF_ARMS
) -> ReplayModel:
    """Return what gives saved scores back, by the stimuli's `document` and `position`.

    Raises
    ------
    InputError
        The file can't be used; see `read_saved_scores`.

    """
    saved = read_saved_scores(path, ids=ids, positions=positions, foreign=foreign)
    return ReplayModel(name, saved, key=("document", "position"))


def read_saved_scores(
    path: Path, *, ids: Collection[str], positions: Collection[str], foreign: str = OF_ARMS
) -> pl.DataFrame:
    """Return saved scores with the columns `document, position, answer, finish_reason, error`.

    A row has `id`, `position` and `score` or `rank` (1 is the best); `position` may be absent where there is one only.
    An empty score is missing. Several rows of one id and position are repetitions, in their order. `foreign` is what
    messages say of an id or position that is none of these.

    Raises
    ------
    InputError
        The file can't be read, a column is missing, or a row is about nothing that was written; the row is named.

    """
    if path.suffix.lower() not in {".csv", ".tsv", ".txt"}:
        raise InputError(
            f"{path} has the ending {path.suffix or '(none)'}; expected scores as .csv: id,position,score."
        )
    frame = read_text_table(path).frame
    columns = {name.strip().lower(): name for name in frame.columns}
    given = [name for name in _GIVEN if name in columns]
    if "id" not in columns or len(given) != 1:
        told = "both score and rank" if len(given) > 1 else f"no column {'id' if 'id' not in columns else 'score'}"
        raise InputError(
            f"{path} has {told}; expected id,position,score or id,position,rank. Columns: {listed(frame.columns)}."
        )
    document = _known(frame, columns["id"], ids, path, told=("id", foreign))
    if "position" in columns:
        position = _known(frame, columns["position"], positions, path, told=("position", foreign))
    elif len(positions) == 1:
        position = pl.Series([next(iter(positions))] * frame.height, dtype=pl.String)
    else:
        raise InputError(f"{path} has no column position, and there are {len(positions)} positions.")
    answer = frame[columns[given[0]]].str.strip_chars().replace("", None)
    if not answer.count():
        raise InputError(f"{path} holds no {given[0]}: the column is empty in every row.")
    if given == ["rank"]:
        _check_ranks(answer, path)
        answer = pl.select(pl.lit(RANK) + pl.lit(answer)).to_series()
    return pl.DataFrame(
        {
            "document": document,
            "position": position,
            "answer": answer,
            "finish_reason": pl.Series([None] * frame.height, dtype=pl.String),
            "error": pl.Series([None] * frame.height, dtype=pl.String),
        }
    )


def _check_ranks(ranks: pl.Series, path: Path) -> None:
    numbers = ranks.cast(pl.Int16, strict=False)
    wrong = (ranks.is_not_null() & ((numbers < 1).fill_null(value=True))).arg_true()
    if len(wrong):
        row = wrong[0]
        raise InputError(
            f"Row {row + 1} of {path}: the rank {quoted(ranks[row])} is no whole number from 1 to {LOWEST_RANK}."
        )


def _known(frame: pl.DataFrame, column: str, known: Collection[str], path: Path, *, told: tuple[str, str]) -> pl.Series:
    """Return a column without blanks and guards around its cells, each of which has to be known."""
    cells = frame[column].fill_null("").map_elements(lambda cell: unguarded(cell.strip()), pl.String)
    wrong = (~cells.is_in(list(known))).arg_true()
    if len(wrong):
        row = wrong[0]
        what, foreign = told
        raise InputError(f"Row {row + 1} of {path}: the {what} {quoted(cells[row])} is {foreign}.")
    return cells
