"""From the journal to outcomes.parquet, in pieces, so that memory never holds all answers.

Also here: removing the answers' texts from a measured run, and a pair of counterfactual prompts of
which one was accepted and one rejected.
"""

import hashlib
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.models.journal import ANSWERS as OF_ANSWERS
from evenhand.models.journal import JUDGE, JournalLine, damaged, is_torn, journal_files, journal_index, known_among
from evenhand.probes.probe import Design, ReadAnswers
from evenhand.results.audit import ProtectedQuestion
from evenhand.results.files import disk_errors, sync_folder, take_name, written
from evenhand.results.measures import STEP
from evenhand.results.schemas import ANSWERS, CONTEXT

# A piece ends at this size even when it has few lines: answers may be long.
_PIECE_BYTES = 8 * 1024 * 1024
_TIME_FORMAT = "%Y-%m-%dT%H:%M:%S%.fZ"
_READ_SCHEMA = {name: pl.String() if name == "time" else dtype for name, dtype in ANSWERS.items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class IdenticalRepetitions:
    """How many stimuli were answered more than once, and how many always with the same text."""

    compared: int
    identical: int


def read_answers(folder: Path, *, chunk: int = 20_000, stem: str = OF_ANSWERS) -> Iterator[pl.DataFrame]:
    """Yield the answers of a run folder, each attempt once, at most `chunk` rows at a time.

    They come in the order of sending, whichever was faster: sums of the same answers are
    then the same to the last digit. Where an attempt was made again its last line counts.
    A line that is still being written is left out. Memory holds 36 bytes per line besides
    one piece.

    Raises
    ------
    InputError
        a line is damaged; the message names the file and the line.
    """
    piece: list[JournalLine] = []
    size = 0
    for line in journal_index(folder, stem).lines():
        piece.append(line)
        size += len(line.content)
        if len(piece) >= chunk or size >= _PIECE_BYTES:
            yield _frame(piece)
            piece, size = [], 0
    if piece:
        yield _frame(piece)


def identical_repetitions(folder: Path) -> IdenticalRepetitions:
    """Return how many stimuli got the same text in every repetition.

    A model that ignores its seed, or a cache in between, repeats itself; then more
    repetitions bring no more information. Texts are compared by 64-bit hashes.
    """
    indices: list[NDArray[np.int64]] = []
    hashes: list[NDArray[np.uint64]] = []
    for frame in read_answers(folder):
        answered = frame.filter(pl.col("text").is_not_null())
        indices.append(answered["index"].to_numpy())
        hashes.append(answered["text"].hash().to_numpy())
    if not indices:
        return IdenticalRepetitions(compared=0, identical=0)
    index = np.concatenate(indices)
    if not index.size:
        return IdenticalRepetitions(compared=0, identical=0)
    order = np.argsort(index, kind="stable")
    index, texts = index[order], np.concatenate(hashes)[order]
    starts = np.flatnonzero(np.append(True, index[1:] != index[:-1]))
    repeated = np.diff(np.append(starts, index.size)) > 1
    identical = np.minimum.reduceat(texts, starts) == np.maximum.reduceat(texts, starts)
    return IdenticalRepetitions(compared=int(repeated.sum()), identical=int((repeated & identical).sum()))


def _frame(piece: list[JournalLine]) -> pl.DataFrame:
    frame = _read(piece)
    if frame is None:
        raise damaged(next((line for line in piece if is_torn(line.content) or _read([line]) is None), piece[0]))
    return frame.with_columns(
        pl.col("time").str.to_datetime(_TIME_FORMAT, time_unit="us", time_zone="UTC", strict=False)
    )


def _read(piece: list[JournalLine]) -> pl.DataFrame | None:
    """Return the lines as a table, None where one of them is damaged."""
    lines = b"".join(line.content if line.content.endswith(b"\n") else line.content + b"\n" for line in piece)
    try:
        frame = pl.read_ndjson(io.BytesIO(lines), schema=_READ_SCHEMA)
    except pl.exceptions.PolarsError:
        return None
    return frame if frame.height == len(piece) else None


_BUFFER = 1 << 20
#: Fields that stay: none of them holds words of an answer. Others go, as they may hold anything.
_UNREDACTED_FIELDS = frozenset({*ANSWERS, "chunk"} - {"text"})


def redact_journal(folder: Path, *, hashes: bool = False) -> None:
    """Remove the text from every line of a run's journals; prompt, time and result stay.

    With `hashes` the line keeps the sha256 of its text.

    Each file is replaced by a redacted copy that is on the disk already. After a crash in
    between some files are redacted and some are not; a second call finishes. The blocks
    that held the text are freed, not overwritten: the disk may keep their content.

    The journal must be closed, its outcomes must be on the disk.
    """
    for file in (*journal_files(folder), *journal_files(folder, JUDGE)):
        with file.path.open("rb", buffering=_BUFFER) as lines, written(file.path) as redacted:
            redacted.writelines(_redacted(line, hashes=hashes) for line in lines)
    # What a crash left behind of a report, of findings or of tables may show an answer.
    for leftover in [*folder.glob(".*.part"), *folder.glob(".*.parquet.*")]:
        leftover.unlink()
    sync_folder(folder)


def _redacted(line: bytes, *, hashes: bool) -> bytes:
    record = orjson.loads(line)
    redacted = {
        name: None if name == "text" else value
        for name, value in record.items()
        if name in _UNREDACTED_FIELDS or name == "text"
    }
    text = record.get("text")
    if hashes:
        redacted["text_sha256"] = None if text is None else hashlib.sha256(text.encode()).hexdigest()
    return orjson.dumps(redacted, option=orjson.OPT_APPEND_NEWLINE)


#: So many prompts, names apart, are watched: one pair is all that is shown.
WATCHED = 64


class CounterfactualPairs:
    """Keeps, of some prompts, the first accepting and the first rejecting answer per group.

    `shared` are the columns of stimuli that two prompts have in common.
    """

    def __init__(self, shared: Sequence[str]) -> None:
        self._shared = list(shared)
        self._stored: dict[tuple[Any, ...], dict[tuple[str, bool], dict[str, Any]]] = {}

    def add(self, outcomes: pl.DataFrame, answers: pl.DataFrame) -> None:
        """Take in one piece: outcomes and answers row by row."""
        # Of saved answers the prompts are not known.
        if not self._shared or "prompt" not in answers.columns or answers["prompt"].null_count() == answers.height:
            return
        decided = (outcomes["successes"].is_not_null() & answers["text"].is_not_null()).arg_true()
        frame = answers[decided].select(*self._shared, "name", "gender", "race", "prompt", "text")
        frame = frame.with_columns(outcomes["successes"][decided].cast(pl.Boolean).alias("accepted"))
        for key in frame.select(self._shared).unique(maintain_order=True).head(WATCHED).iter_rows():
            if len(self._stored) < WATCHED:
                self._stored.setdefault(key, {})
        first = frame.unique([*self._shared, "gender", "race", "accepted"], keep="first", maintain_order=True)
        for row in first.iter_rows(named=True):
            stored = self._stored.get(tuple(row[name] for name in self._shared))
            if stored is not None:
                stored.setdefault((f"{row['race']} {row['gender']}", row["accepted"]), row)

    def pair(self, favoured: Mapping[str, str], other: Mapping[str, str]) -> list[dict[str, Any]] | None:
        """Return an accepting answer to a name of the one group and a rejecting one of the other.

        Both answer the same prompt but for the name; None where no watched prompt has both.
        """
        for stored in self._stored.values():
            up = stored.get((f"{favoured['race']} {favoured['gender']}", True))
            down = stored.get((f"{other['race']} {other['gender']}", False))
            if up is not None and down is not None:
                return [up, down]
        return None


#: Answers that are read at a time; their texts are most of what a run holds in memory.
PIECE = 4_096


@dataclass(kw_only=True)
class OutcomeSummary:
    """Counts and an example of all answers, for the report; of steps, statuses and rules of single candidates."""

    attempts: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    returned_models: set[str] = field(default_factory=set)
    example: dict[str, Any] = field(default_factory=dict)
    pile: list[dict[str, Any]] = field(default_factory=list)
    protected: dict[str, ProtectedQuestion] = field(default_factory=dict)

    def add(self, read: ReadAnswers, answers: pl.DataFrame) -> None:
        """Count one piece."""
        for question in read.protected:
            known = self.protected.get(question.about)
            self.protected[question.about] = question if known is None else replace(known, n=known.n + 1)
        outcomes = read.outcomes
        self.attempts += answers.height
        judged = outcomes
        if outcomes.height != answers.height:  # a row per candidate or inventory: one of them stands for the attempt
            prompt = pl.coalesce("set", "unit")
            outcomes = outcomes.unique(["item", prompt, "attempt"], keep="first", maintain_order=True)
        # In steps each candidate is read by itself.
        judged = judged if CONTEXT + STEP in judged.columns else outcomes
        self.statuses.update(dict(judged["status"].cast(pl.String).value_counts().iter_rows()))
        # Sorted, so that rules with equal counts have the same order each time.
        self.rules.update(dict(sorted(judged["reading"].drop_nulls().value_counts().iter_rows())))
        if "returned_model" in answers.columns:
            self.returned_models.update(answers["returned_model"].drop_nulls().unique().to_list())
        if not self.example and {"round", "step", "prompt"} <= {*answers.columns}:
            first = answers.filter(pl.col("item") == pl.col("item").first(), pl.col("arm") == pl.col("arm").first())
            in_order = first.filter(pl.col("attempt") == 0).sort("round", "index", maintain_order=True)
            self.pile = in_order.select("step", "shown", "prompt", "text").to_dicts()
        if not self.example:
            first_observed = (outcomes["status"] == "observed").arg_max()
            place = int(first_observed) if first_observed is not None else 0
            self.example = {
                "prompt": answers["prompt"][place],
                "answer": answers["text"][place],
                "status": outcomes["status"][place],
                "reading": outcomes["reading"][place],
            }


def texts_of(folder: Path) -> dict[tuple[int, int], str]:
    """Return the texts of a run's answers, for designs whose prompts are built from them; memory holds them all."""
    return {
        (index, attempt): text
        for answers in read_answers(folder)
        for index, attempt, text in answers.select("index", "attempt", "text").iter_rows()
        if text is not None
    }


def answered_stimuli(folder: Path, design: Design, *, planned: NDArray[np.uint64]) -> Iterator[pl.DataFrame]:
    """Yield journaled answers joined with their stimuli, only those with a planned id.

    `planned` is sorted. Answers of a template that has changed since stay in the journal
    and are left out here.
    """
    texts = None if design.follow is None else texts_of(folder)
    for answers in read_answers(folder, chunk=PIECE):
        ids = np.array([int(value, 16) for value in answers["id"]], dtype=np.uint64)
        answers = answers.filter(pl.Series(known_among(ids, planned)))  # noqa: PLW2901 - the same answers, fewer
        if answers.height:
            stimuli = design.stimuli(answers["index"].to_numpy())
            if design.follow is not None and texts is not None:
                stimuli = design.follow(stimuli.with_columns(answers["attempt"]), texts).drop("attempt")
            yield pl.concat([answers, stimuli.drop("index")], how="horizontal")


def write_outcomes(
    pieces: Iterable[pl.DataFrame],
    read: Callable[[pl.DataFrame], ReadAnswers],
    path: Path,
    words: Path,
    *,
    twins: CounterfactualPairs,
) -> OutcomeSummary:
    """Write the outcomes of `pieces` to a Parquet file, their words to another; return the summary.

    `words` is written only where the answers are documents. `twins` gets every piece.
    """
    summary = OutcomeSummary()
    with ParquetParts(path) as outcomes, ParquetParts(words) as counted:
        for answers in pieces:
            result = read(answers)
            summary.add(result, answers)
            twins.add(result.outcomes, answers)
            outcomes.add(result.outcomes)
            if result.words is not None:
                counted.add(result.words)
    return summary


class ParquetParts:
    """One Parquet file, written in parts; nothing is left where it can't be finished."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parts: list[Path] = []

    def add(self, frame: pl.DataFrame) -> None:
        """Write one part."""
        self._parts.append(self._path.with_name(f".{self._path.name}.{len(self._parts):06d}"))
        with disk_errors(self._path):
            frame.write_parquet(self._parts[-1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None and len(self._parts) == 1:
                with disk_errors(self._path):
                    take_name(self._parts[0], self._path)
            elif kind is None and self._parts:
                with written(self._path) as whole:
                    pl.scan_parquet(self._parts).sink_parquet(whole)
        finally:
            for part in self._parts:
                part.unlink(missing_ok=True)
