"""What is read once of each person and of each position, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.intake.positions import Position
from evenhand.matching.families import occupation_of
from evenhand.matching.features.occupations import family_rows, occupation_rows, occupations_in
from evenhand.matching.features.rows import rows_of
from evenhand.matching.features.vocabulary import Vocabulary
from evenhand.matching.reading.experience import asked_years, experience_in
from evenhand.matching.reading.labels import Labels, known_labels
from evenhand.matching.reading.levels import education_in, seniority_of
from evenhand.matching.reading.words import Lines, lines_of

__all__ = ["Numbers", "PeopleFacts", "PositionFacts", "people_facts", "position_facts", "position_labels"]

Numbers = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class PeopleFacts:
    """People, a row each; numbers that are unknown are NaN. Matrices are sparse."""

    labels: Any
    words: Any
    headings: Any
    occupations: Any
    families: Any
    years: Numbers
    since: Numbers
    gap: Numbers
    seniority: Numbers
    education: Numbers

    def __len__(self) -> int:
        return len(self.years)


@dataclass(frozen=True, kw_only=True)
class PositionFacts:
    """Positions, a row each: what is asked, as rows that sum to 1 or to 0, and levels; unknown is NaN."""

    asked: dict[str, Any]
    titles: Any
    words: Any
    occupations: Any
    family: Any
    fewest: Numbers
    most: Numbers
    seniority: Numbers
    education: Numbers
    families: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.fewest)


def position_labels(positions: Sequence[Position], vocabulary: Vocabulary) -> Labels:
    """Return the labels that any of the positions asks for, and the terms that it has."""
    asked = chain.from_iterable(chain.from_iterable(_asked(each).values()) for each in positions)
    return Labels(asked, chain.from_iterable(vocabulary.terms.of(each) for each in positions))


def _asked(position: Position) -> dict[str, tuple[str, ...]]:
    """Return what a position asks for, by the feature that is its share."""
    occupation = occupation_of(position)
    return {
        "skills": position.listed or _known_in(position),
        "must": position.must,
        "nice": position.nice,
        "technology": occupation.technology if occupation is not None else (),
    }


def _labels(position: Position, labels: Labels) -> dict[str, dict[int, float]]:
    own = {name: sorted({labels.number(label) for label in asked}) for name, asked in _asked(position).items()}
    return {name: dict.fromkeys(numbers, 1.0) for name, numbers in own.items()}


def _terms(position: Position, labels: Labels, vocabulary: Vocabulary) -> dict[int, float]:
    return {labels.number(term): weight for term, weight in vocabulary.terms.of(position).items()}


def _known_in(position: Position) -> tuple[str, ...]:
    """Return the technology that the text of a position without a list names."""
    labels = _known()
    return tuple(labels.names[number] for number in sorted(labels.found_in(lines_of(position.advertisement))))


@cache
def _known() -> Labels:
    return Labels(known_labels())


def position_facts(positions: Sequence[Position], labels: Labels, vocabulary: Vocabulary) -> PositionFacts:
    """Return what is known of positions."""
    asked = [{**_labels(each, labels), "terms": _terms(each, labels, vocabulary)} for each in positions]
    occupations = [occupation_of(each) for each in positions]
    texts = [lines_of(each.advertisement) for each in positions]
    titles = [[word for _, line in lines_of(each.title) for word in line] for each in positions]
    told = [asked_years(text) for text in texts]
    fewest = [
        each.years[0] if each.years != (None, None) else own[0] for each, own in zip(positions, told, strict=True)
    ]
    most = [each.years[1] if each.years != (None, None) else own[1] for each, own in zip(positions, told, strict=True)]
    levels = [education_in(text) for text in texts]
    return PositionFacts(
        asked={name: rows_of([each[name] for each in asked], len(labels), norm=1) for name in asked[0]},
        titles=rows_of(
            [{word: vocabulary.weights[word] for word in sorted(vocabulary.counted([title]))} for title in titles],
            len(vocabulary.words),
            norm=1,
        ),
        words=vocabulary.vectors([vocabulary.counted(words for _, words in text) for text in texts]),
        occupations=occupation_rows([{found.code} if found else set() for found in occupations]),
        family=family_rows([{found.code} if found else set() for found in occupations]),
        fewest=_numbers(fewest),
        most=_numbers(most),
        seniority=_numbers([seniority_of(title) for title in titles]),
        education=_numbers([level or None for level in levels]),
        families=tuple(None if found is None else found.code[:2] for found in occupations),
    )


def people_facts(texts: Sequence[Lines], labels: Labels, vocabulary: Vocabulary, *, as_of: float) -> PeopleFacts:
    """Return what is known of people, from the lines of their masked texts alone."""
    experience = [experience_in(lines, as_of=as_of) for lines in texts]
    headings = [[lines[at][1] for at in own.headings] for lines, own in zip(texts, experience, strict=True)]
    occupations = [occupations_in(lines) for lines in headings]
    return PeopleFacts(
        labels=rows_of([dict.fromkeys(sorted(labels.found_in(lines)), 1.0) for lines in texts], len(labels)),
        words=vocabulary.vectors([vocabulary.counted(words for _, words in lines) for lines in texts]),
        headings=rows_of(
            [dict.fromkeys(sorted(vocabulary.counted(lines)), 1.0) for lines in headings], len(vocabulary.words)
        ),
        occupations=occupation_rows(occupations),
        families=family_rows(occupations),
        years=_numbers([each.years for each in experience]),
        since=_numbers([each.since for each in experience]),
        gap=_numbers([each.gap for each in experience]),
        seniority=_numbers(
            [
                None if own.latest is None else seniority_of(lines[own.latest][1])
                for lines, own in zip(texts, experience, strict=True)
            ]
        ),
        education=_numbers([education_in(lines) for lines in texts]),
    )


def _numbers(values: Sequence[float | None]) -> Numbers:
    return np.asarray([np.nan if value is None else value for value in values], np.float32)
