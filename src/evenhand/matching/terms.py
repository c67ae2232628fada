"""Terms and weighted vectors of texts.

Positions without a list of skills are compared by terms: words and phrases that distinguish their texts,
each with a weight learned from labelled pairs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from evenhand.data.inputs import Position
from evenhand.data.lexicons.occupations import occupations
from evenhand.matching.texts import Form, Forms, Lines, items_of, lines_of


def rows_of(rows: Sequence[Mapping[int, float]], columns: int, *, norm: int | None = None) -> Any:
    """Return rows as a sparse matrix of float32; each has a sum (`norm` 1) or a length (2) of one."""
    sizes = np.fromiter((len(row) for row in rows), np.int64, len(rows))
    pointers = np.concatenate([[0], np.cumsum(sizes)])
    places = np.fromiter((place for row in rows for place in row), np.int32, int(pointers[-1]))
    values = np.fromiter((value for row in rows for value in row.values()), np.float64, int(pointers[-1]))
    if norm is not None:
        row = np.repeat(np.arange(len(rows)), sizes)
        length = np.bincount(row, values**norm, minlength=len(rows)) ** (1 / norm)
        values = values / length[row]
    return sparse.csr_matrix((values.astype(np.float32), places, pointers), shape=(len(rows), columns))


#: How many words a phrase has at most, and how many people name it in a list at least.
LONGEST: Final = 4
FEWEST_PEOPLE: Final = 3
#: The share of positions that have a word at most, unless people name it in lists: what more have is how one writes.
MOST_POSITIONS: Final = 0.5
_FEWEST_LETTERS: Final = 2


@dataclass(frozen=True, kw_only=True)
class LabelledTexts:
    """Positions, the lines of people's masked texts, and pairs by their numbers with labels 0 or 1, all (n,)."""

    positions: Sequence[Position]
    people: Sequence[Lines]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    label: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Terms:
    """Phrases whose words count together, and how much terms count: 1 each but those in `weights`."""

    phrases: frozenset[Form] = frozenset()
    weights: Mapping[Form, float] = field(default_factory=dict)
    _forms: Forms[Form] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make phrases findable."""
        object.__setattr__(self, "_forms", Forms((phrase, phrase) for phrase in sorted(self.phrases)))

    def of(self, position: Position) -> dict[Form, float]:
        """Return the terms that the text of a position without a list has and its title lacks, with weights above 0.

        >>> Terms(weights={("for",): 0.0}).of(Position(id="1", title="Nurse", text="A nurse for wound care"))
        {('care',): 1.0, ('wound',): 1.0}
        """
        if position.listed:
            return {}
        title = {(word,) for _, words in lines_of(position.title) for word in words}
        every = set(self._parts(lines_of(position.text))) - title
        weights = {term: self.weights.get(term, 1.0) for term in sorted(every)}
        return {term: weight for term, weight in weights.items() if weight > 0}

    def _parts(self, lines: Lines) -> Iterator[Form]:
        for _, words in lines:
            for form, _ in self._forms.longest_in(words):
                if len(form[0]) >= _FEWEST_LETTERS and not form[0][0].isdigit():
                    yield form


def terms_of(texts: LabelledTexts) -> Terms:
    """Return the terms and their weights, by the pairs of training.

    A phrase is what some people name as one item of a list and a position has in its text, so that nothing that people
    alone say is kept. A term that no résumé has counts nothing, nor does one that most positions have, unless people
    name it in lists.
    """
    named = Counter(item for lines in texts.people for item in items_of(lines) if len(item) <= LONGEST)
    items = frozenset(item for item, count in named.items() if count >= FEWEST_PEOPLE)
    known = Terms(phrases=frozenset(item for item in items if len(item) > 1))
    every = [known.of(position) for position in texts.positions]
    within = Counter(chain.from_iterable(every))
    forms = Forms((term, term) for term in within)
    found_terms = [forms.found_in(lines) for lines in texts.people]
    most = max(1.0, MOST_POSITIONS * sum(map(bool, every)))
    retained = {term for term in set().union(*found_terms) if within[term] <= most or term in items}
    weights = dict.fromkeys(within.keys() - retained, 0.0) | _weights(sorted(retained), every, found_terms, texts)
    return Terms(phrases=known.phrases & within.keys(), weights=weights)


def _weights(
    terms: Sequence[Form], required: Sequence[Mapping[Form, float]], present: Sequence[set[Form]], texts: LabelledTexts
) -> dict[Form, float]:
    """Return by how much more often pairs have the label if the person, like the position, has a term.

    A difference of shares, shrunk to the mean over terms by how surely it is known (DerSimonian and Laird 1986), as a
    multiple of that mean.
    """
    numbers = {term: number for number, term in enumerate(terms)}
    asks, has = (
        rows_of([{numbers[term]: 1.0 for term in sorted(entry) if term in numbers} for entry in listing], len(terms))
        for listing in (required, present)
    )
    n, positives = (_pairs_by_term(asks, has, texts, weight) for weight in (np.ones(len(texts.label)), texts.label))
    observed = (n > 0).all(axis=0)
    share = (positives.sum(axis=0) + 1) / (n.sum(axis=0) + 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.where(observed, positives[1] / n[1] - positives[0] / n[0], 0.0)
        sure = np.where(observed, 1 / (share * (1 - share) * (1 / n[0] + 1 / n[1])), 0.0)
    total = sure.sum()
    if not total:
        return {}
    q = (sure * (apart - (sure * apart).sum() / total) ** 2).sum()
    spread = max(0.0, (q - observed.sum() + 1) / max(total - (sure**2).sum() / total, 1e-12))
    weight = sure / (1 + spread * sure)
    mean = (weight * apart).sum() / weight.sum()
    if mean <= 0:
        return {}
    shrunk = (mean + spread * sure * apart) / (1 + spread * sure) / mean
    return {term: round(float(max(0.0, value)), 4) for term, value in zip(terms, shrunk, strict=True)}


def _pairs_by_term(asks: Any, has: Any, texts: LabelledTexts, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of the pairs whose position has a term, without the person and with, (2, terms)."""
    shape = (len(texts.positions), len(texts.people))
    pairs = sparse.csr_matrix((weight, (texts.columns, texts.rows)), shape=shape)
    every = asks.T @ pairs.sum(axis=1).A1
    products = asks.multiply(pairs @ has).sum(axis=0).A1
    return np.stack([every - products, products])


#: The fewest letters of a word.
FEWEST_LETTERS: Final = 2


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """Words, and how rare each is: ln((1 + n) / (1 + n with it)) + 1, as of n texts; and the terms."""

    words: tuple[str, ...]
    weights: NDArray[np.float64]
    terms: Terms
    numbers: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Give each word a number."""
        object.__setattr__(self, "numbers", {word: number for number, word in enumerate(self.words)})

    def counted(self, lines: Iterable[Sequence[str]]) -> Counter[int]:
        """Return the counts of words in lines, for words of the vocabulary."""
        numbers = self.numbers
        return Counter(numbers[word] for words in lines for word in words if word in numbers)

    def vectors(self, counts: Sequence[Mapping[int, int]]) -> Any:
        """Return TF-IDF vectors of length 1, a row each: (1 + ln count) × weight; (n, words), sparse."""
        return rows_of(
            [{word: (1 + np.log(count)) * self.weights[word] for word, count in text.items()} for text in counts],
            len(self.words),
            norm=2,
        )


def vocabulary_of(labelled: LabelledTexts) -> Vocabulary:
    """Return the words of positions and of O*NET's tasks and titles, weighed by all texts.

    A word of people alone is not in it, so that no name can reach a score, even one that masking missed, unless
    a position has it as a word.
    """
    position_words = [_words(lines_of(position.advertisement)) for position in labelled.positions]
    known = [_words(lines_of("\n".join((entry.title, *entry.titles, *entry.tasks)))) for entry in occupations()]
    words = sorted(frozenset().union(*position_words, *known))
    texts = [*position_words, *(_words(lines) for lines in labelled.people)]
    within = Counter(word for text in texts for word in text)
    weights = [np.log((1 + len(texts)) / (1 + within[word])) + 1 for word in words]
    return Vocabulary(words=tuple(words), weights=np.asarray(weights), terms=terms_of(labelled))


def _words(lines: Lines) -> frozenset[str]:
    return frozenset(word for _, line in lines for word in line if word.isalpha() and len(word) >= FEWEST_LETTERS)
