"""Explain a match score: each requirement of the position, and what the masked text shows of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.matching.features import FAMILIES, FEATURES, NAMES
from evenhand.matching.matcher import Facts, Matcher
from evenhand.matching.texts import EDUCATION

#: Labels of a list that are named.
_MOST_NAMED: Final = 8
_LEVELS: Final = {-2: "two or more levels below", -1: "a level below", 0: "the same level", 1: "a level above"}
_MORE: Final = "two or more levels above"


@dataclass(frozen=True, kw_only=True)
class Reason:
    """A feature in words; `met` says whether a requirement is met, None without a requirement."""

    feature: str
    met: bool | None
    text: str


class Reasons:
    """The reasons of pairs of people and positions, by their numbers in `facts`."""

    def __init__(self, matcher: Matcher, facts: Facts) -> None:
        self._facts = facts
        used = {name for name, curve in zip(NAMES, matcher.curves, strict=True) if curve.is_used}
        self._texts = {name: describe for name, describe in _FEATURE_TEXTS.items() if name in used}

    def of(self, person: int, position: int, features: NDArray[np.float32]) -> list[Reason]:
        """Return the reasons of a pair, in the order of the features that the model uses."""
        pair = _Pair(facts=self._facts, person=person, position=position)
        values = dict(zip(NAMES, features.tolist(), strict=True))
        return [
            reason
            for feature in FEATURES
            if feature.name in self._texts
            for reason in self._texts[feature.name](pair, feature.name, values[feature.name])
        ]

    def matching(self, person: int, position: int) -> list[str]:
        """Return the position's skills that were found."""
        return _Pair(facts=self._facts, person=person, position=position).skills("skills")[0]


@dataclass(frozen=True, kw_only=True)
class _Pair:
    facts: Facts
    person: int
    position: int

    def skills(self, name: str) -> tuple[list[str], list[str]]:
        """Return the position's labels that were found, and those that were not."""
        known = set(_row(self.facts.people.labels, self.person))
        wanted = _row(self.facts.positions.requirements[name], self.position)
        names = self.facts.labels.names
        return [names[label] for label in wanted if label in known], [
            names[label] for label in wanted if label not in known
        ]


_FeatureText = Callable[[_Pair, str, float], Iterator[Reason]]


def _row(matrix: object, number: int) -> list[int]:
    """Return the columns of a row of a sparse matrix."""
    pointers, places = matrix.indptr, matrix.indices  # type: ignore[attr-defined]
    numbers: list[int] = places[pointers[number] : pointers[number + 1]].tolist()
    return numbers


def _named(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - _MOST_NAMED} more" if len(labels) > _MOST_NAMED else ""
    return ", ".join(labels[:_MOST_NAMED]) + more


def _listed(found_as: str, lacking_as: str, *, all_of_them: bool = False) -> _FeatureText:
    """Return a function for labels: those found after `found_as`, else those not found after `lacking_as`.

    With `all_of_them` missing labels come first. `{}` is replaced by how many of how many are found.
    """

    def describe(pair: _Pair, name: str, _: float) -> Iterator[Reason]:
        met, lacking = pair.skills(name)
        listed = met if met and not (all_of_them and lacking) else []
        if met or lacking:
            words = (found_as if listed else lacking_as).replace("{}", f"{len(met)} of {len(met) + len(lacking)}")
            names = f" {_named(listed or lacking)}" if words.endswith(":") else ""
            yield Reason(feature=name, met=bool(listed), text=f"{words}{names}")

    return describe


def _terms(pair: _Pair, name: str, value: float) -> Iterator[Reason]:
    describe = _listed("Terms of the position ({}):", "Terms of the position ({})")
    yield from (replace(reason, met=None) for reason in describe(pair, name, value))


def _stated(words: Callable[[float], str]) -> _FeatureText:
    """Return a function for a value that meets no requirement."""

    def describe(_: _Pair, name: str, value: float) -> Iterator[Reason]:
        yield Reason(feature=name, met=None, text=words(value))

    return describe


def _occupation(pair: _Pair, name: str, value: float) -> Iterator[Reason]:
    code = pair.facts.positions.families[pair.position]
    if np.isnan(value) or code is None:
        return
    same = "Has worked in the same occupation"
    near = f"Has worked in the same family of occupations: {FAMILIES.get(code, code)}"
    text = same if value > 0.75 else near if value > 0.25 else "Earlier jobs are in other families of occupations"
    yield Reason(feature=name, met=value > 0.25, text=text)


def _years(pair: _Pair, name: str, _: float) -> Iterator[Reason]:
    facts = pair.facts
    years = float(facts.people.years[pair.person])
    low, high = (float(ends[pair.position]) for ends in (facts.positions.fewest, facts.positions.most))
    need = _required_years(low, high)
    if np.isnan(years):
        yield Reason(feature=name, met=None, text=f"{need}, no dates found" if need else "No dates of jobs found")
    elif need:
        yield Reason(feature=name, met=np.isnan(low) or years >= low, text=f"{need}, {_number(years)} found")
    else:
        yield Reason(feature=name, met=None, text=f"{_number(years)} years of experience found")


def _required_years(low: float, high: float) -> str:
    if np.isnan(low) and np.isnan(high):
        return ""
    if np.isnan(high):
        return f"{_number(low)} years of experience asked"
    return f"{_number(0.0 if np.isnan(low) else low)}–{_number(high)} years of experience asked"


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _years_or_unknown(value: float, ago: str = "") -> str:
    return "unknown" if np.isnan(value) else f"{_number(value)} years{ago}"


def _seniority(_: _Pair, name: str, value: float) -> Iterator[Reason]:
    if not np.isnan(value):
        level = _LEVELS.get(max(-2, round(value)), _MORE)
        yield Reason(feature=name, met=None, text=f"Last job beside this position: {level}")


def _education(pair: _Pair, name: str, _: float) -> Iterator[Reason]:
    required, level_number = pair.facts.positions.education[pair.position], pair.facts.people.education[pair.person]
    level = EDUCATION[int(level_number)]
    if np.isnan(required):
        yield Reason(feature=name, met=None, text=f"Education: {level}")
    else:
        text = f"Education: {EDUCATION[int(required)]} asked, {level}{' found' if level_number else ''}"
        yield Reason(feature=name, met=bool(level_number >= required), text=text)


_FEATURE_TEXTS: Final[Mapping[str, _FeatureText]] = {
    "skills": _listed("Matching skills ({}):", "Matching skills: none found"),
    "must": _listed("Must-have met:", "Must-have not found:", all_of_them=True),
    "nice": _listed("Nice to have:", "Nice to have, not found:"),
    "technology": _listed("Technology of the occupation:", "Technology of the occupation: none found"),
    "terms": _terms,
    "similarity": _stated(lambda value: f"Similarity of the texts: {value:.2f}"),
    "title": _stated(lambda value: f"Words of the title in earlier titles: {100 * value:.0f} %"),
    "occupation": _occupation,
    "years": _years,
    "gap": _stated(lambda value: f"Longest gap between jobs: {_years_or_unknown(value)}"),
    "recency": _stated(lambda value: f"End of the last job: {_years_or_unknown(value, ' ago')}"),
    "seniority": _seniority,
    "education": _education,
}
