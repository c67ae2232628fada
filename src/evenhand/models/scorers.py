"""Scorers of résumés in this process: a Python function, saved scores, a simulation, a trained matcher."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import isfinite, sqrt
from pathlib import Path
from random import Random
from typing import Any, Final, SupportsFloat
from urllib.parse import parse_qsl

import numpy as np
import polars as pl

from evenhand.data.inputs import Position, ScoreColumns
from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError
from evenhand.masking.mask import mask_text
from evenhand.matching.matcher import MASKING, Matcher, read_matcher
from evenhand.models.functions import FunctionModel, named_function
from evenhand.models.model import Answer, InProcess, ReplayModel, Request
from evenhand.results.files import sha256_of
from evenhand.results.messages import listed, number_of, quoted
from evenhand.results.result import unguarded
from evenhand.results.schemas import PROTECTED

_LONGEST_TEXT = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A résumé and a position as texts; `id` says nothing of the person, `file_name` is that of the résumé."""

    id: str
    resume: str
    position: str
    title: str
    position_id: str
    file_name: str


def pair_of(request: Request) -> Pair:
    """Return the pair that a request is about."""
    stimulus: Mapping[str, Any] = request.stimulus
    return Pair(
        id=request.id,
        resume=stimulus["resume_text"],
        position=stimulus["position_text"],
        title=stimulus["title"],
        position_id=stimulus["position"],
        file_name=stimulus["file_name"],
    )


def score_text(value: object) -> str:
    """Return what a scorer gave as the text of an answer: a number as JSON writes it, a text as it is.

    >>> [score_text(value) for value in (72, 0.5, float("nan"), "4 of 5", None, True, {"score": 1})]
    ['72', '0.5', 'NaN', '4 of 5', 'null', 'true', '{"score": 1}']
    """
    if isinstance(value, str):
        return value[:_LONGEST_TEXT]
    if value is None or isinstance(value, bool | int | float | list | dict):
        return _json(value)[:_LONGEST_TEXT]
    if isinstance(value, SupportsFloat):  # numbers of NumPy and others
        try:
            return _json(float(value))
        except (TypeError, ValueError, OverflowError):
            pass
    return f"({type(value).__name__})"


def _json(value: object) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return f"({type(value).__name__})"


def open_function(spec: str, *, concurrency: int, timeout: float) -> FunctionModel:
    """Return the scorer that `python:module:function` names: it takes (résumé, position), and gives numbers.

    Raises
    ------
    InputError
        There is no such module or function, or importing it fails.

    """
    return FunctionModel(
        spec,
        named_function(spec, option="scorer"),
        given=lambda request: ((pair := pair_of(request)).resume, pair.position),
        read=score_text,
        words=("pairs", "scores", "numbers"),
        concurrency=concurrency,
        timeout=timeout,
    )


#: End of the message about an unknown id: 'the id 7 is …'.
OF_ARMS: Final = (
    "none of this experiment's; expected those of arms.csv, written from the same people, positions, names and seed"
)

#: What an answer begins with that is a rank, no score.
RANK = "rank "
#: Ranks behind it have no place in outcomes.
LOWEST_RANK = 32_767
#: Columns of the table besides `id` and `position`: one of them.
_VALUE_COLUMNS = ("score", "rank")
#: Columns that say which document a row is about, the first that is there.
_DOCUMENT_COLUMNS = ("id", "file", "document", "file_name", "filename", "text")
_FILE_ENDINGS = (".docx", ".txt", ".pdf")
_MOST_SCORES: Final = 10_000_000


_USUAL: Final = ScoreColumns()


@dataclass(frozen=True, kw_only=True)
class SavedScores:
    """Saved scores with the columns `document, position, answer, finish_reason, error`, and what was left out."""

    rows: pl.DataFrame
    remarks: tuple[str, ...]


class SavedScorer(ReplayModel):
    """Replays the scores of a table, by the stimuli's `document` and `position`."""

    def __init__(self, name: str, saved: SavedScores, *, source: Path) -> None:
        super().__init__(name, saved.rows, key=("document", "position"))
        self.source = source
        self.remarks = saved.remarks


def read_saved_scores(
    path: Path,
    *,
    ids: Mapping[str, str],
    positions: Mapping[str, str],
    foreign: str = OF_ARMS,
    columns: ScoreColumns = _USUAL,
    repetitions: int = 1,
) -> SavedScores:
    """Return saved scores.

    A row has `id` or `file`, `position`, and `score` or `rank` (1 is the best); `position` may be absent where there is
    one only. An empty score is missing. Several rows of one document and position are repetitions, in their order.
    `ids` and `positions` give the ids by the names under which a row may have them; a file is known with and without
    its folder and ending. Rows about others are left out; `foreign` is what messages say of them.

    Raises
    ------
    InputError
        The file can't be read, a column is missing, no row is about what was written, or a document has more scores
        than repetitions; the row is named.

    """
    frame = _score_rows(path)
    by_name = {name.strip().lower(): name for name in frame.columns}
    document, position, value = _columns(by_name, columns, path, frame.columns)
    if position is None and len(set(positions.values())) > 1:
        raise InputError(
            f"{path} has no column position, and there are {len(set(positions.values()))} positions; name another with "
            f"--item FILE,POSITION. Columns: {listed(frame.columns)}."
        )
    cells = frame.select(
        document=_ids(frame[document], ids, _stem),
        position=_ids(frame[position], positions, str.casefold) if position else pl.lit(next(iter(positions.values()))),
        answer=frame[value].cast(pl.String).str.strip_chars().replace("", None),
    ).with_row_index("row", 1)
    known = cells.filter(pl.col("document").is_not_null(), pl.col("position").is_not_null())
    if not known.height:
        row = cells.row(0, named=True)
        column = document if row["document"] is None or position is None else position
        raise InputError(f"Row 1 of {path}: the {column} {quoted(str(frame[column][0]))} is {foreign}.")
    if not known["answer"].count():
        raise InputError(f"{path} holds no {value}: the column is empty in every row.")
    if value.strip().lower() == "rank":
        _check_ranks(known, path)
        known = known.with_columns(answer=pl.lit(RANK) + pl.col("answer"))
    remarks = []
    if unknown := cells.filter(~pl.col("row").is_in(known["row"].implode()))["row"].to_list():
        remarks.append(
            f"{number_of(len(unknown), 'row')} of {path.name} about no document and position of this experiment, left "
            f"out: {listed(unknown)}."
        )
    known, repeated = _without_repeats(known, path, repetitions)
    if repeated:
        remarks.append(f"{number_of(len(repeated), 'row')} of {path.name} the same as one before: {listed(repeated)}.")
    empty = pl.lit(None, pl.String)
    saved = known.select("document", "position", "answer", finish_reason=empty, error=empty)
    return SavedScores(rows=saved, remarks=tuple(remarks))


def _score_rows(path: Path) -> pl.DataFrame:
    """Return a table with all its cells."""
    if path.suffix.lower() in {".csv", ".tsv", ".txt"}:
        return read_text_table(path).frame
    from evenhand.data.tables import open_table  # noqa: PLC0415 - as long to import as many scores take to read

    with open_table(path) as table:
        return table.fetch(table.expr, most=_MOST_SCORES)


def _columns(
    by_name: Mapping[str, str], given: ScoreColumns, path: Path, names: Sequence[str]
) -> tuple[str, str | None, str]:
    """Return the columns of the document, the position if there is one, and the score or rank."""
    for name in filter(None, (given.document, given.position, given.score)):
        if name not in names:
            raise InputError(f"No column {quoted(name)} in {path}. Columns: {listed(names)}.")
    values = [given.score] if given.score else [by_name[name] for name in _VALUE_COLUMNS if name in by_name]
    documents = [given.document] if given.document else [by_name[name] for name in _DOCUMENT_COLUMNS if name in by_name]
    if not documents or len(values) != 1:
        problem = "both score and rank" if len(values) > 1 else f"no column {'score' if documents else 'id'}"
        raise InputError(
            f"{path} has {problem}; expected id,position,score or id,position,rank. Columns: {listed(names)}."
        )
    return documents[0], given.position or by_name.get("position"), values[0]


def _ids(column: pl.Series, known: Mapping[str, str], plain: Callable[[str], str]) -> pl.Series:
    """Return the id that each cell names, as it is or in a plain form that no other id shares; null for none."""
    forms: dict[str, set[str]] = {}
    for name, name_id in known.items():
        forms.setdefault(plain(name), set()).add(name_id)

    def named(cell: str) -> str | None:
        text = unguarded(cell.strip())
        found = forms.get(plain(text), set())
        return known[text] if text in known else next(iter(found)) if len(found) == 1 else None

    return column.cast(pl.String).fill_null("").map_elements(named, pl.String)


def _stem(name: str) -> str:
    r"""Return a file's name without folder and ending, in small letters.

    >>> _stem("Inbox\\Ana_Lee_r1.PDF"), _stem("v1.5")
    ('ana_lee_r1', 'v1.5')
    """
    last = name.replace("\\", "/").rpartition("/")[2].casefold()
    return next((last.removesuffix(ending) for ending in _FILE_ENDINGS if last.endswith(ending)), last)


def _check_ranks(known: pl.DataFrame, path: Path) -> None:
    rank = pl.col("answer").cast(pl.Int16, strict=False)
    wrong = known.filter(pl.col("answer").is_not_null(), ~(rank >= 1).fill_null(value=False))
    if wrong.height:
        row = wrong.row(0, named=True)
        raise InputError(
            f"Row {row['row']} of {path}: the rank {quoted(row['answer'])} is not a whole number from 1 to "
            f"{LOWEST_RANK}."
        )


def _without_repeats(known: pl.DataFrame, path: Path, repetitions: int) -> tuple[pl.DataFrame, list[int]]:
    """Return rows without those that repeat another, and the numbers of these; refuse several scores of one pair."""
    pair = ("document", "position")
    nth = pl.int_range(pl.len()).over(pair)
    if repetitions == 1:
        repeats = known.filter(known.select(*pair, "answer").is_duplicated()).filter(nth > 0)["row"].to_list()
        known = known.unique((*pair, "answer"), keep="first", maintain_order=True)
    else:
        repeats = []
    more = known.filter(nth >= repetitions)
    if more.height:
        row = more.row(0, named=True)
        first = known.filter(*(pl.col(name) == row[name] for name in pair))
        several = listed(first["row"].to_list())
        raise InputError(
            f"Rows {several} of {path} are {first.height} scores of one document and position; keep "
            f"{'one' if repetitions == 1 else repetitions}, or give --repetitions {first.height}."
        )
    return known, repeats


#: The standard deviation of scores within one arm, as a share of the range.
SPREAD: Final = 0.125
#: What a score is made of, in standard deviations: their squares add up to 1.
_PARTS: Final = {"resume": 0.6, "position": 0.3, "fit": 0.7, "name": 0.1}
_NOISE: Final = sqrt(1 - sum(part**2 for part in _PARTS.values()))
_LARGEST: Final = 4.0
_RANGE: Final = (0.0, 100.0)


class ShiftedScorer(InProcess):
    """Gives normal scores to which each group that a résumé shows adds what `shifts` says, in standard deviations.

    A score is made of the résumé, the position, how they fit, the name, and noise that differs from attempt to attempt.
    It depends on `seed`, the stimulus and the attempt, on nothing else.
    """

    simulated = True

    def __init__(self, name: str, *, shifts: Mapping[str, float], seed: int) -> None:
        self.name = name
        self._shifts = shifts
        self._seed = seed

    async def answer(self, request: Request) -> Answer:
        """Return a score of a stimulus, whose protected columns are the groups that it shows."""
        stimulus, seed = request.stimulus, self._seed
        labels = {
            "resume": stimulus["person"],
            "position": stimulus["position"],
            "fit": f"{stimulus['person']}/{stimulus['position']}",
            "name": stimulus["name"],
        }
        deviations = sum(part * _effect(f"{seed}/{kind}/{labels[kind]}") for kind, part in _PARTS.items())
        rng = Random(f"{seed}/{stimulus['index']}/{request.attempt}")  # noqa: S311 - no secret
        deviations += _NOISE * rng.gauss(0.0, 1.0) + self._shift(stimulus)
        low, high = (
            end if stimulus[name] is None else stimulus[name] for name, end in zip(("low", "high"), _RANGE, strict=True)
        )
        score = (low + high) / 2 + SPREAD * (high - low) * deviations
        return Answer(text=f"{min(max(score, low), high):.6g}", returned_model=self.name)

    def _shift(self, stimulus: Mapping[str, Any]) -> float:
        groups = [value for name, value in stimulus.items() if name.startswith(PROTECTED)]
        return sum(self._shifts.get(group, 0.0) for group in groups)


@cache
def _effect(label: str) -> float:
    return Random(label).gauss(0.0, 1.0)  # noqa: S311 - no secret


def open_shifted(spec: str, query: str, *, groups: Collection[str], seed: int) -> ShiftedScorer:
    """Return the scorer of `sim:shift?GROUP=DEVIATIONS&…`; `seed` is the run's, unless the query names one.

    Raises
    ------
    InputError
        A group is none that is shown, or a shift or the seed is no number.

    """
    shifts: dict[str, float] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name == "seed":
            seed = _seed(spec, value)
        elif name in groups:
            shifts[name] = _shift(spec, name, value)
        else:
            raise InputError(
                f"--scorer {quoted(spec)}: {quoted(name)} is not a group that is shown; expected "
                f"{listed(sorted(groups))}, or seed."
            )
    if not shifts:
        first = next(iter(sorted(groups)), "female")
        raise InputError(f"--scorer {quoted(spec)} shifts no group; expected for example sim:shift?{first}=-0.3.")
    return ShiftedScorer(spec, shifts=shifts, seed=seed)


def _shift(spec: str, name: str, value: str) -> float:
    try:
        shift = float(value)
    except ValueError:
        shift = float("nan")
    if not isfinite(shift) or abs(shift) > _LARGEST:
        raise InputError(
            f"--scorer {quoted(spec)}: {name} is {quoted(value)}; expected standard deviations from -4 to 4."
        )
    return shift


def _seed(spec: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise InputError(f"--scorer {quoted(spec)}: seed is {quoted(value)}; expected a whole number.") from None


_CACHED_TEXTS = 4_096


class MatcherScorer(InProcess):
    """Scores as `evenhand match score` does; the name that an arm shows is known to masking, as an applicant's is."""

    simulated = False

    def __init__(self, name: str, matcher: Matcher, positions: Sequence[Position]) -> None:
        self.name = name
        self._matcher = matcher
        self._positions = matcher.facts([], positions)
        self._numbers = {position.id: number for number, position in enumerate(positions)}
        self._scores = lru_cache(_CACHED_TEXTS)(self._scores_of)

    async def __aexit__(self, *error: object) -> None:
        self._scores.cache_clear()

    async def answer(self, request: Request) -> Answer:
        """Return the score of a pair, 0 to 1, as text."""
        pair = pair_of(request)
        stimulus: Any = request.stimulus
        scores = self._scores(pair.resume, stimulus.get("worn_name") or stimulus["name"], pair.file_name)
        return Answer(text=score_text(float(scores[self._numbers[pair.position_id]])))

    def _scores_of(self, text: str, name: str, file_name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        masked = mask_text(text, known_names=(name,), file_name=file_name, options=MASKING).text
        (block,) = self._matcher.blocks(self._matcher.of_others([masked], self._positions))
        scores: np.ndarray[Any, np.dtype[np.float64]] = block.score[0]
        return scores


def open_matcher(spec: str, positions: Sequence[Position]) -> MatcherScorer:
    """Return the scorer that `matcher:FILE` names; its name has the file's version.

    Raises
    ------
    InputError
        The file is no matcher, or was changed.

    """
    path = Path(spec.partition(":")[2])
    try:
        matcher = read_matcher(path)
    except InputError as error:
        raise InputError(str(error).replace("--matcher ", "--scorer matcher:", 1)) from error
    return MatcherScorer(f"matcher:{path.name}@{sha256_of(path)[:12]}", matcher, positions)
