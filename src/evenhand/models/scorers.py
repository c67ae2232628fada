"""Scorers of résumés in this process: a Python function, saved scores, a simulation, a trained matcher."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import isfinite, sqrt
from pathlib import Path
from random import Random
from typing import Any, Final, Self, SupportsFloat
from urllib.parse import parse_qsl

import numpy as np
import polars as pl

from evenhand.data.inputs import Position
from evenhand.data.text_tables import read_text_table
from evenhand.errors import InputError
from evenhand.masking.mask import mask_text
from evenhand.matching.matcher import MASKING, Matcher, read_matcher
from evenhand.models.functions import FunctionModel, named_function
from evenhand.models.model import Answer, ReplayModel, Request
from evenhand.results.files import sha256_of
from evenhand.results.messages import listed, quoted
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


def open_saved_scores(
    name: str, path: Path, *, ids: Collection[str], positions: Collection[str], foreign: str = OF_ARMS
) -> ReplayModel:
    """Return a model that replays saved scores, by the stimuli's `document` and `position`.

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
    messages say of an unknown id or position.

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
    given = [name for name in _VALUE_COLUMNS if name in columns]
    if "id" not in columns or len(given) != 1:
        problem = "both score and rank" if len(given) > 1 else f"no column {'id' if 'id' not in columns else 'score'}"
        raise InputError(
            f"{path} has {problem}; expected id,position,score or id,position,rank. Columns: {listed(frame.columns)}."
        )
    document = _known(frame, columns["id"], ids, path, what="id", foreign=foreign)
    if "position" in columns:
        position = _known(frame, columns["position"], positions, path, what="position", foreign=foreign)
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


def _known(
    frame: pl.DataFrame, column: str, known: Collection[str], path: Path, *, what: str, foreign: str
) -> pl.Series:
    """Return a column without blanks and guards around its cells; an unknown cell is refused."""
    cells = frame[column].fill_null("").map_elements(lambda cell: unguarded(cell.strip()), pl.String)
    wrong = (~cells.is_in(list(known))).arg_true()
    if len(wrong):
        row = wrong[0]
        raise InputError(f"Row {row + 1} of {path}: the {what} {quoted(cells[row])} is {foreign}.")
    return cells


#: The standard deviation of scores within one arm, as a share of the range.
SPREAD: Final = 0.125
#: What a score is made of, in standard deviations: their squares add up to 1.
_PARTS: Final = {"resume": 0.6, "position": 0.3, "fit": 0.7, "name": 0.1}
_NOISE: Final = sqrt(1 - sum(part**2 for part in _PARTS.values()))
_LARGEST: Final = 4.0
_RANGE: Final = (0.0, 100.0)


class ShiftedScorer:
    """Gives normal scores to which each group that a résumé shows adds what `shifts` says, in standard deviations.

    A score is made of the résumé, the position, how they fit, the name, and noise that differs from attempt to attempt.
    It depends on `seed`, the stimulus and the attempt, on nothing else.
    """

    simulated = True

    def __init__(self, name: str, *, shifts: Mapping[str, float], seed: int) -> None:
        self.name = name
        self._shifts = shifts
        self._seed = seed

    async def __aenter__(self) -> Self:
        """Return the scorer; nothing has to be opened."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close nothing."""

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
                f"--scorer {quoted(spec)}: {quoted(name)} is no group that is shown; expected "
                f"{listed(sorted(groups))}, or seed."
            )
    if not shifts:
        first = next(iter(sorted(groups)), "female")
        raise InputError(f"--scorer {quoted(spec)} shifts no group; expected for instance sim:shift?{first}=-0.3.")
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


class MatcherScorer:
    """Scores as `evenhand match score` does; the name that an arm shows is known to masking, as an applicant's is."""

    simulated = False

    def __init__(self, name: str, matcher: Matcher, positions: Sequence[Position]) -> None:
        self.name = name
        self._matcher = matcher
        self._positions = matcher.facts([], positions)
        self._numbers = {position.id: number for number, position in enumerate(positions)}
        self._scores = lru_cache(_CACHED_TEXTS)(self._scores_of)

    async def __aenter__(self) -> Self:
        return self

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
