"""A trained matcher: texts and positions in, scores and what they are made of out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.intake.positions import Position
from evenhand.matching.curves import Curve, curves_of
from evenhand.matching.features.declared import NAMES
from evenhand.matching.features.facts import (
    PeopleFacts,
    PositionFacts,
    people_facts,
    position_facts,
    position_labels,
)
from evenhand.matching.features.pairs import block_features
from evenhand.matching.features.vocabulary import Vocabulary
from evenhand.matching.reading.labels import Labels
from evenhand.matching.reading.words import lines_of
from evenhand.matching.training.calibration import Calibration

__all__ = ["Block", "Facts", "Matcher"]

#: Pairs that are scored together.
_BLOCK: Final = 400_000


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known of people and positions, and the labels that tell it."""

    labels: Labels
    people: PeopleFacts
    positions: PositionFacts


@dataclass(frozen=True, kw_only=True)
class Block:
    """Scores of people `first` and on with all positions, both (people, positions)."""

    first: int
    margin: NDArray[np.float64]
    score: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Matcher:
    """An additive model: margin = base + Σ contributions; a contribution is what a curve adds, less its centre.

    `model` is the model as LightGBM writes it, from which the curves come. `pooled` and `families` calibrate scores;
    `as_of` is the year that 'present' means; the `card` is what is said of it.
    """

    model: str
    start: float
    centres: tuple[float, ...]
    vocabulary: Vocabulary
    pooled: Calibration
    families: Mapping[str, Calibration]
    as_of: float
    card: Mapping[str, Any]
    curves: tuple[Curve, ...]

    @classmethod
    def of(cls, *, model: str, **more: Any) -> "Matcher":
        """Return a matcher, its curves read from the model."""
        return cls(model=model, curves=curves_of(model, len(NAMES)), **more)

    @property
    def base(self) -> float:
        """Return the margin of a pair whose every contribution is 0: the mean of the pairs that it was fitted on."""
        return self.start + sum(self.centres)

    def facts(self, texts: Sequence[str], positions: Sequence[Position]) -> Facts:
        """Return what is known of people, by their masked texts, and of positions."""
        labels = position_labels(positions, self.vocabulary)
        return self._facts(texts, labels, position_facts(positions, labels, self.vocabulary))

    def of_others(self, texts: Sequence[str], known: Facts) -> Facts:
        """Return what is known of other people, for the same positions."""
        return self._facts(texts, known.labels, known.positions)

    def _facts(self, texts: Sequence[str], labels: Labels, positions: PositionFacts) -> Facts:
        lines = [lines_of(text) for text in texts]
        people = people_facts(lines, labels, self.vocabulary, as_of=self.as_of)
        return Facts(labels=labels, people=people, positions=positions)

    def contributions(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return what each feature adds, in the shape of the features."""
        found = np.empty(features.shape)
        for number, (curve, centre) in enumerate(zip(self.curves, self.centres, strict=True)):
            found[..., number] = curve.at(features[..., number]) - centre
        return found

    def margin(self, features: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the margins of pairs, the features being the last axis."""
        found = np.full(features.shape[:-1], self.base)
        for number, (curve, centre) in enumerate(zip(self.curves, self.centres, strict=True)):
            found += curve.at(features[..., number]) - centre
        return found

    def score(self, margin: NDArray[np.float64], families: Sequence[str | None]) -> NDArray[np.float64]:
        """Return calibrated scores of margins whose last axis are positions of these families."""
        found = np.empty(margin.shape)
        names = np.asarray(["" if each is None else each for each in families])
        for family in np.unique(names):
            own = names == family
            found[..., own] = self.families.get(str(family), self.pooled).at(margin[..., own])
        return found

    def blocks(self, facts: Facts) -> Iterator[Block]:
        """Yield the scores of all people with all positions, a block of people after the other."""
        step = max(1, _BLOCK // max(1, len(facts.positions)))
        for first in range(0, len(facts.people), step):
            last = min(first + step, len(facts.people))
            margin = self.margin(block_features(facts.people, facts.positions, first, last))
            yield Block(first=first, margin=margin, score=self.score(margin, facts.positions.families))
