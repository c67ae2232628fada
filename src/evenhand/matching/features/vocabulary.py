"""Words with weights, and texts as vectors of them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.lexicons.onet import occupations
from evenhand.matching.features.rows import rows_of
from evenhand.matching.features.terms import LabelledTexts, Terms, terms_of
from evenhand.matching.reading.words import Lines, lines_of

__all__ = ["Vocabulary", "vocabulary_of"]

#: The fewest letters of a word.
FEWEST_LETTERS: Final = 2


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """Words, and how rare each is: ln((1 + n) / (1 + n with it)) + 1, as of n texts; and what counts as a term."""

    words: tuple[str, ...]
    weights: NDArray[np.float64]
    terms: Terms
    numbers: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Give each word a number."""
        object.__setattr__(self, "numbers", {word: number for number, word in enumerate(self.words)})

    def counted(self, lines: Iterable[Sequence[str]]) -> Counter[int]:
        """Return how often each word stands in lines; words that are not in the vocabulary are passed over."""
        numbers = self.numbers
        return Counter(numbers[word] for words in lines for word in words if word in numbers)

    def vectors(self, counts: Sequence[Mapping[int, int]]) -> Any:
        """Return TF-IDF vectors of length 1, a row each: (1 + ln count) × weight; (n, words), sparse."""
        return rows_of(
            [{word: (1 + np.log(count)) * self.weights[word] for word, count in each.items()} for each in counts],
            len(self.words),
            norm=2,
        )


def vocabulary_of(told: LabelledTexts) -> Vocabulary:
    """Return the words of positions and of O*NET's tasks and titles, weighed by all texts.

    A word of people alone is not in it, so that no name can reach a score, even one that masking missed, unless
    a position has it as a word.
    """
    own = [_words(lines_of(position.advertisement)) for position in told.positions]
    known = [_words(lines_of("\n".join((each.title, *each.titles, *each.tasks)))) for each in occupations()]
    words = sorted(frozenset().union(*own, *known))
    texts = [*own, *(_words(lines) for lines in told.people)]
    within = Counter(word for text in texts for word in text)
    weights = [np.log((1 + len(texts)) / (1 + within[word])) + 1 for word in words]
    return Vocabulary(words=tuple(words), weights=np.asarray(weights), terms=terms_of(told))


def _words(lines: Lines) -> frozenset[str]:
    return frozenset(word for _, line in lines for word in line if word.isalpha() and len(word) >= FEWEST_LETTERS)
