"""A scorer that is a matcher of `evenhand match train`: texts are masked, then scored."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from evenhand.errors import InputError
from evenhand.intake.positions import Position
from evenhand.matching.masking import MASKING
from evenhand.matching.matcher import Matcher
from evenhand.matching.stored import read_matcher
from evenhand.models.model import Answer, Request
from evenhand.models.scorers.pair import pair_of, score_text
from evenhand.resumes.mask import mask_text
from evenhand.tables.fingerprints import sha256_of

__all__ = ["MatcherScorer", "open_matcher"]

_KEPT_TEXTS = 4_096


class MatcherScorer:
    """Scores as `evenhand match score` does; the name that an arm shows is known to masking, as an applicant's is."""

    simulated = False

    def __init__(self, name: str, matcher: Matcher, positions: Sequence[Position]) -> None:
        self.name = name
        self._matcher = matcher
        self._positions = matcher.facts([], positions)
        self._numbers = {position.id: number for number, position in enumerate(positions)}
        self._scores = lru_cache(_KEPT_TEXTS)(self._scores_of)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self._scores.cache_clear()

    async def answer(self, request: Request) -> Answer:
        """Return the score of a pair, 0 to 1, as text."""
        pair = pair_of(request)
        stimulus: Any = request.stimulus
        scores = self._scores(pair.resume, stimulus["name"], pair.file_name)
        return Answer(text=score_text(float(scores[self._numbers[pair.position_id]])))

    def _scores_of(self, text: str, name: str, file_name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the scores of a text for all positions."""
        masked = mask_text(text, known_names=(name,), file_name=file_name, options=MASKING).text
        (block,) = self._matcher.blocks(self._matcher.of_others([masked], self._positions))
        found: np.ndarray[Any, np.dtype[np.float64]] = block.score[0]
        return found


def open_matcher(spec: str, positions: Sequence[Position]) -> MatcherScorer:
    """Return the scorer that `matcher:FILE` names; its name tells the version of the file.

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
