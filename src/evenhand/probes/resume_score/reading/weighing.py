"""Which of the numbers that may be the score is it: one value counts, several don't."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenhand.probes.resume_score.reading.labels import PART, QUALIFIED, SCORE, TOTAL
from evenhand.probes.resume_score.reading.objects import NESTED, Entry
from evenhand.probes.resume_score.reading.places import Placed
from evenhand.probes.resume_score.reading.sentences import ALONE, ELSE, NAMED

__all__ = ["Range", "Weighed", "counting", "weighed"]

_STRONG = frozenset({TOTAL, SCORE, ALONE, ELSE})
#: Denominators of a fraction that is a score without a label.
_USUAL = (5, 10, 20, 100)
#: The rules of numbers by their form; others are told by their label.
_RULES = {"fraction": "fraction", "stars": "fraction", "percent": "percent"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """Both ends of the scores that were asked for."""

    low: float
    high: float

    def converted(self, value: float, low: float, high: float) -> float | None:
        """Return a value of the scale from `low` to `high` in these units, None where that can't be said.

        A scale with the same upper end is this one; another one can be converted where both begin at 0.

        >>> Range(low=0, high=100).converted(7, 0, 10), Range(low=1, high=5).converted(7, 0, 10)
        (70.0, None)
        """
        if high == self.high:
            return value
        if self.low != 0 or low != 0 or high <= 0:
            return None
        return round(value / high * self.high, 9)

    def score(self, placed: Placed) -> float | None:
        """Return a number in these units."""
        number = placed.number
        if number.form == "stars" and number.top != self.high:
            return None
        if number.top is not None:
            return self.converted(number.value, 0.0, number.top)
        if placed.stated is not None:
            return self.converted(number.value, *placed.stated)
        return number.value


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """A rule with the score that it reads, if it is one of those that read some."""

    rule: str
    score: float | None = None


def counting(entries: Sequence[Entry]) -> list[Placed]:
    """Return the numbers of the entries that count: totals, and scores that are nested no deeper than these."""
    if not entries:
        return []
    numbered = [each for each in entries if each.numbers]
    strong = [each for each in numbered if each.kind in {TOTAL, SCORE}]
    nested = [each for each in numbered if each.kind == NESTED]
    if not strong and len(nested) == 1:
        strong = [replace(nested[0], kind=SCORE)]
    deepest = min([each.depth for each in strong if each.kind == TOTAL] or [each.depth for each in strong] or [0])
    return [
        Placed(
            number=number,
            role=each.kind if each.kind in {TOTAL, SCORE, QUALIFIED} else PART,
            stated=None if each.scale is None else (0.0, each.scale),
            complete=each.whole,
            in_object=True,
        )
        for each in ([each for each in strong if each.depth <= deepest] or numbered)
        for number in each.numbers
    ]


def weighed(found: Sequence[Placed], asked: Range, *, cut: bool, single: bool) -> Weighed:
    """Return the score that the numbers agree on, or the rule why there is none.

    `single`: the answer is one line with one number.
    """
    found = [each for each in found if not _is_span(each, asked)]
    strong = [each for each in found if each.role in _STRONG]
    strong = [each for each in strong if not each.conditional] or strong
    if not strong:
        if not found:
            return Weighed(rule="no number")
        if cut or len(found) > 1 or not _stands_alone(found[0], asked, single=single):
            return Weighed(rule="cut off" if cut else "sub-scores only")
        strong = list(found)
    strong = [each for each in strong if each.number.until is None and not each.number.bound] or strong
    strong = _without_parts(strong, asked)
    if len(strong) == 1:
        strong = [_on_the_scale_of_parts(strong[0], found)]
    first = strong[0]
    if len({asked.score(each) for each in strong}) > 1:
        return Weighed(rule="conditional" if first.conditional else "several numbers")
    strong = [each for each in strong if each.role != ELSE]
    if not strong:
        return Weighed(rule="no number")
    if cut and not any(each.complete for each in strong):
        return Weighed(rule="cut off")
    return _read(strong[0], asked)


def _read(placed: Placed, asked: Range) -> Weighed:
    """Return what one number reads as."""
    number = placed.number
    if number.until is not None:
        return Weighed(rule="a range of numbers")
    if number.bound:
        return Weighed(rule="a bound")
    if placed.conditional:
        return Weighed(rule="conditional")
    score = asked.score(placed)
    odd = placed.role == ALONE and number.form == "fraction" and number.top not in {*_USUAL, asked.high}
    if score is None or odd:
        return Weighed(rule="another scale")
    if not asked.low <= score <= asked.high:
        return Weighed(rule="out of range")
    rule = _RULES.get(number.form) or ("number" if placed.role == ALONE else "labelled")
    return Weighed(rule="JSON" if placed.in_object else rule, score=score)


def _stands_alone(only: Placed, asked: Range, *, single: bool) -> bool:
    """Return whether the only number counts although its label is no plain one: 'ATS score', 'Emily Walsh'."""
    if only.conditional:
        return False
    # A percentage, or a number on another scale, may be any.
    own = only.number.form != "percent" and asked.score(only) == only.number.value
    return only.role == QUALIFIED or (only.role == NAMED and single and own)


def _is_span(placed: Placed, asked: Range) -> bool:
    """Return whether a number stands for two that cannot both be scores: 'from 2010 to 2015'."""
    until = placed.number.until
    return until is not None and placed.role == ALONE and (placed.number.value < asked.low or until > asked.high)


def _without_parts(strong: Sequence[Placed], asked: Range) -> list[Placed]:
    """Return one total without the several scores that it is made of."""
    totals = [each for each in strong if each.role == TOTAL]
    scores = {asked.score(each) for each in strong if each.role != TOTAL}
    return totals if totals and len(scores) > 1 else list(strong)


def _on_the_scale_of_parts(total: Placed, found: Sequence[Placed]) -> Placed:
    """Return a total without a scale on that of its parts, where they add up to it: 8/10 + 7/10 = 15 of 20."""
    if total.role != TOTAL or total.number.top is not None or total.stated is not None:
        return total
    parts = [each.number for each in found if each is not total]
    tops = [each.top for each in parts if each.top is not None]
    if not parts or len(tops) < len(parts) or sum(each.value for each in parts) != total.number.value:
        return total
    return replace(total, stated=(0.0, sum(tops)))
