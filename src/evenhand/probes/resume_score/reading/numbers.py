"""The numbers of a text with the scale that each states: fractions, percent, ranges, bounds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

__all__ = ["SCORE_WORDS", "Number", "numbers_of", "with_words_as_numbers"]

#: What scores are read by.
SCORE_WORDS = WordTable("evenhand.probes.resume_score", "reader.toml")

_VALUE = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,\u066b]\d+)?|\.\d+)"
_LATIN = "a-z\u00df-\u024f"
_NUMBER = lazy_re(
    # It begins with a digit, which is what the engine finds quickly; sign and point are looked up.
    rf"(?P<first>\d(?<![\d{_LATIN}]\d)(?:\d{{0,2}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d*(?:[.,\u066b]\d+)?))"
    rf"(?: ?(?:%|percent\b)? ?(?:-|\bto\b|\bthrough\b) ?(?P<to>{_VALUE})(?: ?/ ?{_VALUE})?(?!\d|[/-]\d)"
    r"| ?\(?(?:/|\b(?:out )?of\b(?: an?)?(?: (?:possible|maximum|total|maximum possible))?(?: of)?)"
    rf" ?(?P<top>{_VALUE})(?![/\d])\)?)?"
    r"(?P<percent> ?(?:%|percent\b|per cent\b|pct\b))?(?P<plus>\+(?![\d/-]))?"
)
_THOUSANDS = lazy_re(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ARROWS = ("=>", "->")

_POINT = lazy_re(r"(\d+) point (\d)\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Number:
    """A number where it stands, and what it says of its scale.

    `top` is the denominator of a fraction, 100 for percent; `until` the other end of a range.
    """

    start: int
    end: int
    value: float
    top: float | None = None
    until: float | None = None
    bound: bool = False
    form: str = "number"


def numbers_of(text: str) -> Iterator[Number]:
    """Return the numbers of a folded text, each as one with its denominator, unit or other end.

    >>> [(each.value, each.top, each.until) for each in numbers_of("7/10, 85 % and 70-75")]
    [(7.0, 10.0, None), (85.0, 100.0, None), (70.0, None, 75.0)]
    """
    lower: Number | None = None
    between = SCORE_WORDS.between
    for match in _NUMBER.finditer(text):
        number = _of_match(text, match)
        if lower is not None:
            if number.until is None and text[lower.end : number.start].strip() in SCORE_WORDS.and_of_ranges:
                number, lower = replace(number, start=lower.start, value=lower.value, until=number.value), None
            else:
                yield lower
                lower = None
        elif number.until is None and text[max(0, number.start - 12) : number.start].rstrip().endswith(between):
            lower = number
        if lower is None:
            yield number
    if lower is not None:
        yield lower


def _of_match(text: str, match: re.Match[str]) -> Number:
    first, until, top, percent, plus = match.groups()
    start, end = match.span()
    value = _value(first)
    before, earlier = text[start - 1 : start], text[start - 2 : start - 1] if start > 1 else ""
    if before == "." and first.isdigit() and not earlier.isalnum():
        value, start = float(f"0.{first}"), start - 1
        before, earlier = text[start - 1 : start], text[start - 2 : start - 1] if start > 1 else ""
    if before in {"-", "+"} and not (earlier.isalnum() or earlier in {")", "%"}):
        value, start = -value if before == "-" else value, start - 1
    if until is not None:
        other = _value(until)
        if other > value:
            return Number(start=start, end=end, value=value, until=other)
        # '78 - 6 years of practice' is a dash.
        return Number(start=start, end=match.end("first"), value=value)
    if top is not None:
        return Number(start=start, end=end, value=value, top=_value(top), form="fraction")
    if percent is not None:
        return Number(start=start, end=end, value=value, top=100.0, form="percent", bound=plus is not None)
    if text.startswith(SCORE_WORDS.stars, end):
        return Number(start=start, end=end, value=value, top=5.0, form="stars")
    bound = plus is not None
    if not bound:
        leading = text[max(0, start - 18) : start].rstrip()
        bound = leading.endswith(SCORE_WORDS.bounds) and not leading.endswith(_ARROWS)
    return Number(start=start, end=end, value=value, bound=bound)


def _value(written: str) -> float:
    written = written.replace("\u066b", ".")
    if "," in written:
        grouped = _THOUSANDS.fullmatch(written) is not None
        written = written.replace(",", "" if grouped else ".")
    return float(written)


def with_words_as_numbers(text: str) -> str:
    """Return a text without digits with its number words as digits.

    >>> with_words_as_numbers("score: eighty-five out of one hundred")
    'score: 85 out of 100'
    """
    return _POINT.sub(r"\1.\2", SCORE_WORDS.in_words.sub(lambda match: str(_spelled(match.group())), text))


def _spelled(words: str) -> int:
    if words.endswith("hundred"):
        return 100
    small, tens = SCORE_WORDS.small, SCORE_WORDS.tens
    return sum(tens.get(word) or small[word] for word in words.replace("-", " ").split())
