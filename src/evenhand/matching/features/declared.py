"""The features of a match score: what each is, where it comes from, and how a score may depend on it."""

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["FEATURES", "NAMES", "Feature"]


@dataclass(frozen=True, kw_only=True)
class Feature:
    """A feature of a pair; `monotone` is 1 where the score may only rise with it, -1 where it may only fall.

    `unit` is what its values count; what is unknown is no value.
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
        source=f"the title of the last job in {_TEXT}, less that of the position",
        monotone=0,
        unit="levels",
        lowest=-4,
        highest=4,
    ),
    Feature(
        name="education",
        title="Education",
        source=f"the highest level named in {_TEXT}, less the level that the position's text names, if any",
        unit="levels",
        lowest=-6,
        highest=6,
    ),
)
NAMES: Final = tuple(each.name for each in FEATURES)
