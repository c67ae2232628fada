"""Features of a match score: how each is computed for a person and a position.

Texts are parsed once into arrays (`people_facts`, `position_facts`); `pair_features` combines them. Occupations
of O*NET are matched by their titles; major groups are those of the Standard Occupational Classification 2018
(U.S. Bureau of Labor Statistics).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.data.inputs import Position
from evenhand.data.lexicons.occupations import Occupation, occupations
from evenhand.matching import texts as matching_texts
from evenhand.matching.terms import Vocabulary, rows_of
from evenhand.synthetic.positions import position_title


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A feature of a pair; `monotone` is 1 where the score may only rise with it, -1 where it may only fall.

    `unit` is the unit of its values; unknown is no value.
    """

    name: str
    title: str
    source: str
    monotone: Literal[-1, 0, 1] = 1
    unit: Literal["share", "years", "times", "levels", "cosine"] = "share"
    lowest: float = 0
    highest: float = 1


_TEXT: Final = "the person's masked text"
FEATURES: Final = (
    Feature(
        name="skills",
        title="Matching skills",
        source=f"the position's list of skills, found in {_TEXT}",
    ),
    Feature(
        name="must",
        title="Must-have skills",
        source=f"the position's must-have skills, found in {_TEXT}",
    ),
    Feature(
        name="nice",
        title="Nice-to-have skills",
        source=f"the position's nice-to-have skills, found in {_TEXT}",
    ),
    Feature(
        name="technology",
        title="Technology of the occupation",
        source=f"O*NET technology skills of the position's occupation, found in {_TEXT}",
    ),
    Feature(
        name="terms",
        title="Terms of the position",
        source=f"words and phrases of the text of a position without a list of skills, found in {_TEXT}",
    ),
    Feature(
        name="similarity",
        title="Similarity of the texts",
        source=f"TF-IDF cosine of the position's text and {_TEXT}",
        unit="cosine",
    ),
    Feature(
        name="title",
        title="Earlier job titles",
        source=f"words of the position's title in lines of {_TEXT} that have dates",
    ),
    Feature(
        name="occupation",
        title="Earlier occupations",
        source="O*NET occupations whose titles stand there: 1 that of the position, 0.5 its family, 0 others",
    ),
    Feature(
        name="years",
        title="Years of experience",
        source=f"dates in {_TEXT}, as a multiple of the fewest years that the position asks for, at least one",
        unit="times",
        highest=40,
    ),
    Feature(
        name="gap",
        title="Longest gap between jobs",
        source=f"dates in {_TEXT}",
        monotone=0,
        unit="years",
        highest=10,
    ),
    Feature(
        name="recency",
        title="Years since the last job",
        source=f"the latest date in {_TEXT}",
        monotone=-1,
        unit="years",
        highest=20,
    ),
    Feature(
        name="seniority",
        title="Seniority",
        source=f"the title of the last job in {_TEXT}, minus that of the position",
        monotone=0,
        unit="levels",
        lowest=-4,
        highest=4,
    ),
    Feature(
        name="education",
        title="Education",
        source=f"the highest level named in {_TEXT}, minus the level that the position's text names, if any",
        unit="levels",
        lowest=-6,
        highest=6,
    ),
)
NAMES: Final = tuple(feature.name for feature in FEATURES)

FAMILIES: Final[Mapping[str, str]] = {
    "11": "Management",
    "13": "Business and Financial Operations",
    "15": "Computer and Mathematical",
    "17": "Architecture and Engineering",
    "19": "Life, Physical, and Social Science",
    "21": "Community and Social Service",
    "23": "Legal",
    "25": "Educational Instruction and Library",
    "27": "Arts, Design, Entertainment, Sports, and Media",
    "29": "Healthcare Practitioners and Technical",
    "31": "Healthcare Support",
    "33": "Protective Service",
    "35": "Food Preparation and Serving Related",
    "37": "Building and Grounds Cleaning and Maintenance",
    "39": "Personal Care and Service",
    "41": "Sales and Related",
    "43": "Office and Administrative Support",
    "45": "Farming, Fishing, and Forestry",
    "47": "Construction and Extraction",
    "49": "Installation, Maintenance, and Repair",
    "51": "Production",
    "53": "Transportation and Material Moving",
}
#: Columns of a position that may hold the code of its occupation.
_CODES: Final = ("onet", "occupation", "soc", "code")
#: Digits of a code that name the family.
_FAMILY: Final = 2
#: The share of a title's words that an occupation's own must share with it.
_LEAST_OVERLAP: Final = 0.5


def occupation_of(position: Position) -> Occupation | None:
    """Return the occupation that a position names by its code or title, or whose title shares most words with its own.

    >>> occupation_of(Position(id="1", title="Software Developer")).code
    '15-1252.00'
    """
    for name in _CODES:
        match = _codes().get(position.columns.get(name, "")) or _codes().get(position.columns.get(name, "")[:7])
        if match is not None:
            return match
    words = _words(position.title)
    best, score = None, 0.0
    for title, occupation in _occupation_titles():
        shared = len(words & title) / (len(words | title) or 1)
        if shared > score:
            best, score = occupation, shared
    return best if score >= _LEAST_OVERLAP else None


def titles_of(occupation: Occupation) -> tuple[str, ...]:
    """Return the titles of an occupation, those of O*NET's own first."""
    return occupation.title, position_title(occupation), *occupation.titles


def _words(title: str) -> frozenset[str]:
    return frozenset(
        word.removesuffix("s") for _, line in matching_texts.lines_of(title) for word in line if len(word) > 1
    )


@cache
def _occupation_titles() -> tuple[tuple[frozenset[str], Occupation], ...]:
    """Return the titles that occupations have, their own before others'."""
    every = [(title, occupation) for occupation in occupations() for title in titles_of(occupation)]
    return tuple((_words(title), occupation) for title, occupation in every)


@cache
def _codes() -> Mapping[str, Occupation]:
    by_short_code = {occupation.code[:7]: occupation for occupation in reversed(occupations())}
    return by_short_code | {occupation.code: occupation for occupation in occupations()}


_PLURAL: Final = "s"


def occupations_in(lines: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the codes of the occupations whose titles are in lines of words, the longest title at each place.

    >>> occupations_in([("senior", "software", "developer", "|", "greenfield")])
    frozenset({'15-1252.00'})
    """
    titles = _title_forms()
    singular = (tuple(word.removesuffix(_PLURAL) for word in words) for words in lines)
    return frozenset(code for words in singular for _, code in titles.longest_in(words) if code is not None)


@cache
def _title_forms() -> matching_texts.Forms[str]:
    forms: dict[matching_texts.Form, str] = {}
    for occupation in occupations():
        for title in titles_of(occupation):
            words = tuple(word.removesuffix(_PLURAL) for _, line in matching_texts.lines_of(title) for word in line)
            if words:
                forms.setdefault(words, occupation.code)
    return matching_texts.Forms(forms.items())


@cache
def _code_numbers(digits: int | None) -> dict[str, int]:
    return {code: number for number, code in enumerate(dict.fromkeys(entry.code[:digits] for entry in occupations()))}


def code_rows(codes: Sequence[Collection[str]], digits: int | None = None) -> Any:
    """Return which occupations, or those that share so many digits, there are in each row, (n, codes), sparse."""
    numbers = _code_numbers(digits)
    return rows_of(
        [dict.fromkeys(sorted({numbers[code[:digits]] for code in row}), 1.0) for row in codes], len(numbers)
    )


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
    """Positions, one row each: requirements, as rows that sum to 1 or to 0, and levels; unknown is NaN."""

    requirements: dict[str, Any]
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


def position_labels(positions: Sequence[Position], vocabulary: Vocabulary) -> matching_texts.Labels:
    """Return the labels that any of the positions asks for, and the terms that it has."""
    required = chain.from_iterable(chain.from_iterable(_requirements(position).values()) for position in positions)
    return matching_texts.Labels(required, chain.from_iterable(vocabulary.terms.of(position) for position in positions))


def _requirements(position: Position) -> dict[str, tuple[str, ...]]:
    """Return the requirements of a position, by the feature that is their share."""
    occupation = occupation_of(position)
    return {
        "skills": position.listed or _known_in(position),
        "must": position.must,
        "nice": position.nice,
        "technology": occupation.technology if occupation is not None else (),
    }


def _labels(position: Position, labels: matching_texts.Labels) -> dict[str, dict[int, float]]:
    return {
        name: dict.fromkeys(sorted({labels.number(label) for label in required}), 1.0)
        for name, required in _requirements(position).items()
    }


def _known_in(position: Position) -> tuple[str, ...]:
    """Return the technology that the text of a position without a list names."""
    labels = _known()
    return tuple(
        labels.names[number] for number in sorted(labels.found_in(matching_texts.lines_of(position.advertisement)))
    )


@cache
def _known() -> matching_texts.Labels:
    return matching_texts.Labels(matching_texts.known_labels())


def position_facts(
    positions: Sequence[Position], labels: matching_texts.Labels, vocabulary: Vocabulary
) -> PositionFacts:
    """Return the facts of positions."""
    requirements = [
        {
            **_labels(position, labels),
            "terms": {labels.number(term): weight for term, weight in vocabulary.terms.of(position).items()},
        }
        for position in positions
    ]
    occupations = [occupation_of(position) for position in positions]
    texts = [matching_texts.lines_of(position.advertisement) for position in positions]
    titles = [[word for _, line in matching_texts.lines_of(position.title) for word in line] for position in positions]
    years = [
        position.years if position.years != (None, None) else matching_texts.required_years(text)
        for position, text in zip(positions, texts, strict=True)
    ]
    codes = [{occupation.code} if occupation else set() for occupation in occupations]
    return PositionFacts(
        requirements={
            name: rows_of([row[name] for row in requirements], len(labels), norm=1) for name in requirements[0]
        },
        titles=rows_of(
            [{word: vocabulary.weights[word] for word in sorted(vocabulary.counted([title]))} for title in titles],
            len(vocabulary.words),
            norm=1,
        ),
        words=vocabulary.vectors([vocabulary.counted(words for _, words in text) for text in texts]),
        occupations=code_rows(codes),
        family=code_rows(codes, _FAMILY),
        fewest=_number_array([low for low, _ in years]),
        most=_number_array([high for _, high in years]),
        seniority=_number_array([matching_texts.seniority_of(title) for title in titles]),
        education=_number_array([matching_texts.education_in(text) or None for text in texts]),
        families=tuple(None if occupation is None else occupation.code[:_FAMILY] for occupation in occupations),
    )


def people_facts(
    texts: Sequence[matching_texts.Lines], labels: matching_texts.Labels, vocabulary: Vocabulary, *, as_of: float
) -> PeopleFacts:
    """Return the facts of people, from the lines of their masked texts alone."""
    experience = [matching_texts.experience_in(lines, as_of=as_of) for lines in texts]
    headings = [[lines[at][1] for at in person.headings] for lines, person in zip(texts, experience, strict=True)]
    occupations = [occupations_in(lines) for lines in headings]
    return PeopleFacts(
        labels=rows_of([dict.fromkeys(sorted(labels.found_in(lines)), 1.0) for lines in texts], len(labels)),
        words=vocabulary.vectors([vocabulary.counted(words for _, words in lines) for lines in texts]),
        headings=rows_of(
            [dict.fromkeys(sorted(vocabulary.counted(lines)), 1.0) for lines in headings], len(vocabulary.words)
        ),
        occupations=code_rows(occupations),
        families=code_rows(occupations, _FAMILY),
        years=_number_array([person.years for person in experience]),
        since=_number_array([person.since for person in experience]),
        gap=_number_array([person.gap for person in experience]),
        seniority=_number_array(
            [
                None if person.latest is None else matching_texts.seniority_of(lines[person.latest][1])
                for lines, person in zip(texts, experience, strict=True)
            ]
        ),
        education=_number_array([matching_texts.education_in(lines) for lines in texts]),
    )


def _number_array(values: Sequence[float | None]) -> Numbers:
    return np.asarray([np.nan if value is None else value for value in values], np.float32)


#: Pairs whose features are computed together.
_CHUNK: Final = 50_000
#: Sums in another order differ in the seventh digit, which must not move a pair across an edge.
_DECIMALS: Final = 4
_LOWEST: Final = np.asarray([feature.lowest for feature in FEATURES], np.float32)
_HIGHEST: Final = np.asarray([feature.highest for feature in FEATURES], np.float32)


def pair_features(
    people: PeopleFacts, positions: PositionFacts, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> Numbers:
    """Return the features of pairs, (n, features): `rows` number people, `columns` positions, both (n,)."""
    values = np.empty((len(rows), len(NAMES)), np.float32)
    for start in range(0, len(rows), _CHUNK):
        some = slice(start, start + _CHUNK)
        p, q = rows[some], columns[some]
        values[some] = _features(people, positions, partial(_row_products, rows=p, columns=q), p, q)
    return values


def _row_products(left: Any, right: Any, *, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Numbers:
    products: Numbers = left[rows].multiply(right[columns]).sum(axis=1).A1
    return products


def block_features(people: PeopleFacts, positions: PositionFacts, first: int, last: int) -> Numbers:
    """Return the features of people `first` to `last` - 1 with all positions, (people, positions, features)."""
    rows = np.repeat(np.arange(first, last), len(positions))
    columns = np.tile(np.arange(len(positions)), last - first)
    values = _features(
        people,
        positions,
        lambda left, right: (left[first:last] @ right.T).toarray().ravel(),
        rows,
        columns,
    )
    return values.reshape(last - first, len(positions), len(NAMES))


def _features(
    people: PeopleFacts,
    positions: PositionFacts,
    product: Callable[[Any, Any], Numbers],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> Numbers:
    """Return features in the order of their names."""
    named = dict(_named(people, positions, product, rows, columns))
    values = np.column_stack([named[name] for name in NAMES]).astype(np.float32, copy=False)
    return np.round(np.clip(values, _LOWEST, _HIGHEST, out=values), _DECIMALS, out=values)


def _named(
    people: PeopleFacts,
    positions: PositionFacts,
    product: Callable[[Any, Any], Numbers],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> Iterator[tuple[str, Numbers]]:
    for name, required in positions.requirements.items():
        share = product(people.labels, required)
        nothing = np.diff(required.indptr) == 0
        yield name, np.where(nothing[columns], np.float32(np.nan), share)
    yield "similarity", product(people.words, positions.words)
    yield "title", product(people.headings, positions.titles)
    same_occupation = product(people.occupations, positions.occupations) > 0
    near = product(people.families, positions.family) > 0
    unknown = (people.families.getnnz(axis=1) == 0)[rows] | (positions.family.getnnz(axis=1) == 0)[columns]
    level = (same_occupation.astype(np.float32) + near.astype(np.float32)) / np.float32(2)
    yield "occupation", np.where(unknown, np.float32(np.nan), level)
    fewest: Numbers = np.fmax(positions.fewest, 1)
    yield "years", people.years[rows] / fewest[columns]
    yield "recency", people.since[rows]
    yield "gap", people.gap[rows]
    yield "seniority", people.seniority[rows] - positions.seniority[columns]
    yield "education", people.education[rows] - np.nan_to_num(positions.education)[columns]
