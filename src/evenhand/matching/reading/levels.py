"""Levels of education and seniority that a text names."""

from collections.abc import Sequence
from typing import Final

from evenhand.matching.reading.words import Lines
from evenhand.patterns import lazy_re

__all__ = ["EDUCATION", "education_in", "seniority_of"]

#: Levels of education, lowest first, as a page names them.
EDUCATION: Final = ("none named", "high school", "certificate", "associate", "bachelor", "master", "doctorate")
_DEGREES: Final = (
    lazy_re(r"\b(?:ged|high school|secondary school)\b"),
    lazy_re(r"(?<!school )\b(?:diploma|certificate|apprenticeship|postsecondary)\b"),
    lazy_re(r"\b(?:associate(?:'s)? (?:degree|of|in)|a\.a\.s?\.|foundation degree)"),
    lazy_re(r"\b(?:bachelor(?:'?s)?|undergraduate degree|b\.?sc|b\.a|b\.s|b\.eng)\b"),
    lazy_re(r"\b(?:master(?:'?s)? (?:of|in|degree)|master's|m\.?sc|m\.a|m\.s|mba|m\.eng|graduate degree)\b"),
    lazy_re(r"\b(?:doctor(?:ate)? (?:of|in)|doctorate|doctoral|ph\.?d|m\.d\.|juris doctor)"),
)
_RANKS: Final = {
    0: "intern trainee apprentice student",
    1: "junior assistant associate entry",
    3: "senior lead principal supervisor specialist expert",
    4: "manager head director chief vice president",
}
_LEVELS: Final = {word: level for level, words in _RANKS.items() for word in words.split()}
_PLAIN: Final = 2


def education_in(lines: Lines) -> int:
    """Return the highest level of education that a text names, a place in `EDUCATION`.

    >>> from evenhand.matching.reading.words import lines_of
    >>> EDUCATION[education_in(lines_of("Bachelor of Science in Nursing"))]
    'bachelor'
    """
    return max(
        (level for line, _ in lines for level, pattern in enumerate(_DEGREES, 1) if pattern.search(line)), default=0
    )


def seniority_of(words: Sequence[str]) -> int:
    """Return the level of seniority that a job title names, 0 (a trainee) to 4 (a manager).

    >>> seniority_of(("senior", "software", "engineer")), seniority_of(("nurse",))
    (3, 2)
    """
    named = [_LEVELS[word] for word in words if word in _LEVELS]
    return max(named) if named else _PLAIN
